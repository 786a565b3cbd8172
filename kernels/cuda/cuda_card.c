#include "kernels/cuda/cuda_card.h"

const struct an_cuda_card an_cuda_card_of_times = {132,   227 << 10, 228 << 10, 1 << 10,
                                                   65536, 2048,      32};

static int least(int a, int b)
{
    return a < b ? a : b;
}

int an_cuda_card_blocks(const struct an_cuda_card *c, int threads, int registers, int shared)
{
    enum { WARP = 32, PIECE = 256, SCHEDULERS = 4, LINE = 128 };
    const int warps = (threads + WARP - 1) / WARP;
    if (shared > c->block_shared)
        return 0;
    const int bytes = (shared + c->reserved + LINE - 1) / LINE * LINE;
    const int words = (registers * WARP + PIECE - 1) / PIECE * PIECE;
    int blocks = least(c->blocks, c->threads / (WARP * warps));
    if (bytes > 0)
        blocks = least(blocks, c->shared / bytes);
    return words > 0 ? least(blocks, c->registers / SCHEDULERS / words * SCHEDULERS / warps)
                     : blocks;
}

int an_cuda_card_registers(int threads, int blocks)
{
    return least(255, 65536 / (threads * blocks) / 8 * 8);
}

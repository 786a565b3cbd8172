/* What a multiprocessor of a card holds of a kernel, from the card's own numbers. */
#ifndef AN_CUDA_CARD_H
#define AN_CUDA_CARD_H

#include "kernels/base/portable.h"

AN_EXTERN_C_BEGIN

struct an_cuda_card {
    int multiprocessors;  /* 0: the card is not known, or is none */
    int block_shared;     /* bytes of shared memory that a block may have at most */
    int shared, reserved; /* of a multiprocessor, bytes; what CUDA keeps of it for each block */
    int registers;        /* of a multiprocessor, words */
    int threads, blocks;  /* that it holds at most */
};

/* NVIDIA H200, on which the times of cuda_times.c were measured. */
extern const struct an_cuda_card an_cuda_card_of_times;

/* Blocks that a multiprocessor holds: the least of what its shared memory, registers, threads and blocks allow;
 * 0 where the shared memory of one block is too much. threads, registers of a thread, shared: of a block. Registers
 * are given out to warps in pieces of 256, a quarter of the warps and of the registers to each scheduler. */
int an_cuda_card_blocks(const struct an_cuda_card *c, int threads, int registers, int shared);

/* The most registers of a thread with which a multiprocessor of 65536 registers holds so many blocks: what
 * __launch_bounds__(threads, blocks) leaves to the compiler. */
int an_cuda_card_registers(int threads, int blocks);

AN_EXTERN_C_END
#endif

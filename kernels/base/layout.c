#include "kernels/base/layout.h"

#include <stdlib.h>
#include <string.h>

int an_layout_new(int nblock, const int (*n)[3], enum an_precision precision, struct an_layout *l)
{
    memset(l, 0, sizeof *l);
    l->precision = precision;
    l->nblock = nblock;
    l->block = calloc((size_t)(nblock ? nblock : 1), sizeof *l->block);
    AN_CHECK(l->block, AN_FAIL, "out of memory for %d block descriptors", nblock);
    const int64_t line = 128 / (int)precision;
    int64_t next = 0;
    for (int b = 0; b < nblock; b++) {
        struct an_block *block = &l->block[b];
        for (int d = 0; d < 3; d++) {
            block->n[d] = n[b][d];
            block->flat |= (n[b][d] == 1) << d;
        }
        block->zone = b;
        int64_t pitch = (n[b][0] + 2 * AN_GHOST + line - 1) / line * line;
        block->stride[0] = 1;
        block->stride[1] = pitch;
        block->stride[2] = pitch * (n[b][1] + 2 * AN_GHOST);
        block->origin = next + line + AN_GHOST * (block->stride[1] + block->stride[2]);
        next += line + block->stride[2] * (n[b][2] + 2 * AN_GHOST);
        l->interior += (int64_t)n[b][0] * n[b][1] * n[b][2];
    }
    l->ncell = next + line;
    return AN_OK;
}

void an_layout_free(struct an_layout *l)
{
    free(l->block);
    memset(l, 0, sizeof *l);
}

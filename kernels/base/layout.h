/* Memory layout: one index space for all blocks of a rank.
 *
 * A field of ncomp components is one allocation of ncomp * ncell elements; component c of cell
 * (i,j,k) of block b is element c * ncell + origin + i + j * stride[1] + k * stride[2], stride[0] =
 * 1, with ghost cells at -AN_GHOST <= i < n + AN_GHOST and i = 0 on a 128-byte boundary. Ghosts
 * left of i = 0 lie in the padding of the row before. Face areas live on lower faces: element
 * (i,j,k) of the i-areas is the face between cells i-1 and i. Nodes likewise: node (i,j,k) is the
 * lower corner.
 */
#ifndef AN_LAYOUT_H
#define AN_LAYOUT_H

#include "kernels/base/error.h"
#include "kernels/base/topology.h"

AN_EXTERN_C_BEGIN

struct an_block {
    int32_t n[3]; /* interior cells */
    int32_t zone; /* free for the owner */
    int32_t flat; /* bit d: nothing varies along d: there is one cell, and what lies behind both of
                        * its faces follows from it alone (an_topology_flat). an_layout_new sets it for
                        * every direction of one cell; the owner clears it where neighbours lie behind */
    int64_t origin;    /* element of cell (0,0,0) */
    int64_t stride[3]; /* 1, row pitch, plane pitch */
    double omega;      /* rad/s: how it turns about the x axis, from y to z; 0: the owner says */
};

struct an_layout {
    int nblock;
    struct an_block *block; /* owned */
    int64_t ncell;          /* elements per component, padding and ghosts included */
    int64_t interior;       /* interior cells of all blocks */
    enum an_precision precision;
};

/* n[nblock][3]: cells of the blocks. */
int an_layout_new(int nblock, const int (*n)[3], enum an_precision precision, struct an_layout *l);
void an_layout_free(struct an_layout *l);

AN_INLINE int64_t an_element(const struct an_block *b, int i, int j, int k)
{
    return b->origin + i + j * b->stride[1] + k * b->stride[2];
}

/* A half-open box of cells of one block: lo <= (i,j,k) < hi; may reach into ghosts. */
struct an_box {
    int32_t block;
    int32_t lo[3], hi[3];
};

AN_EXTERN_C_END
#endif

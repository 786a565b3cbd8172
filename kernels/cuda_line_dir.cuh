/* CUDA engines: one line stencil (AN_STENCIL) along direction AN_DIR, one thread for each line. A
 * row of 2^shift threads lies along the faster of the two other directions. */
#include AN_STENCIL

#define AN_FUNCTION AN_CAT(AN_CAT(AN_STENCIL_NAME, _d), AN_DIR)

#define AN_DECLARE(role, field) \
    AN_DECLARE_##role(AN_CAT(an_type_, field), field, a.fields.at[AN_CAT(AN_F_, field)])
#define AN_DECLARE_IN(type, field, address) \
    const type *__restrict__ const field = static_cast<const type *>(address);
#define AN_DECLARE_NEAR(type, field, address)  AN_DECLARE_IN(type, field, address)
#define AN_DECLARE_OUT(type, field, address)   type *const field = static_cast<type *>(address);
#define AN_DECLARE_INOUT(type, field, address) AN_DECLARE_OUT(type, field, address)
#define AT(field, c, di, dj, dk)               field[(c)*cs + at + (di) + (dj)*s1 + (dk)*s2]
#define OUT(field, c, value)                   field[(c)*cs + at] = (value)
#define CELLS(d)                               block->n[d]
#define DIR                                    AN_DIR
#define ALONG(field, c, m)                     field[(c)*cs + at + (m)*along]
#define ACROSS(field, c, m, p, q)              field[(c)*cs + at + (m)*along + (p)*across1 + (q)*across2]
#define OMEGA                                  block->omega
#define FIRST                                  (m == 0)
#define LAST                                   (m == block->n[AN_DIR] - 1)

static __global__ void __launch_bounds__(AN_LINE_THREADS)
    AN_CAT(line_, AN_FUNCTION)(const __grid_constant__ struct an_cell_args a,
                               const __grid_constant__ struct AN_FN(an_prm) parameters)
{
    const struct AN_FN(an_prm) *const prm = &parameters;
    AN_FIELDS(AN_DECLARE)
    const struct an_tile tile = a.tile[blockIdx.x];
    const struct an_block *const block = &a.block[tile.block];
    const int64_t cs = a.cs, s1 = block->stride[1], s2 = block->stride[2];
    const int64_t along = AN_DIR == 0 ? 1 : AN_DIR == 1 ? s1 : s2;
    const int64_t across1 = AN_DIR == 2 ? 1 : AN_DIR == 0 ? s1 : s2;
    const int64_t across2 = AN_DIR == 1 ? 1 : AN_DIR == 2 ? s1 : s2;
    (void)prm, (void)along, (void)across1, (void)across2;
    enum { FAST = AN_DIR == 0 ? 1 : 0, SLOW = AN_DIR == 2 ? 1 : 2 };
    const int an_t = static_cast<int>(threadIdx.x);
    const int fast = tile.lo[FAST] + (an_t & ((1 << tile.shift) - 1));
    const int slow = tile.lo[SLOW] + (an_t >> tile.shift);
    if (fast >= tile.hi[FAST] || slow >= tile.hi[SLOW])
        return;
    const int64_t start = block->origin + fast * block->stride[FAST] + slow * block->stride[SLOW];
#ifdef AN_DESCENDING
    for (int m = tile.hi[AN_DIR] - 1; m >= tile.lo[AN_DIR]; m--) {
#else
    for (int m = tile.lo[AN_DIR]; m < tile.hi[AN_DIR]; m++) {
#endif
        const int64_t at = start + m * along;
#define AN_BODY
#include AN_STENCIL
#undef AN_BODY
    }
}

static int AN_CAT(run_, AN_FUNCTION)(const struct an_cell_args *a, int ntile,
                                     const struct an_params *p, void *stream)
{
    return an_launch(AN_STRING(AN_FUNCTION), AN_CAT(line_, AN_FUNCTION), ntile, AN_LINE_THREADS, 0,
                     0, stream, *a, AN_FN(an_prm_from)(p));
}

#undef AN_FUNCTION
#include "kernels/stencil_end.h"

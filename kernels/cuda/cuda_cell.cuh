/* CUDA engines: one cell stencil (AN_STENCIL) as a kernel over tiles; with AN_DIR, one direction of
 * a directional stencil. A thread marches in k through a column of its tile; a row of 2^shift
 * threads lies along i, so that a warp reads whole lines. Neighbours come through the caches.
 *
 * IN and NEAR fields are read through the read-only path. A field may be written under another name
 * (update: WN may be W0) when every element is read by the one thread that writes it. */
#include AN_STENCIL

#ifdef AN_DIR
#define AN_FUNCTION AN_CAT(AN_CAT(AN_STENCIL_NAME, _d), AN_DIR)
#else
#define AN_FUNCTION AN_STENCIL_NAME
#endif
#if defined(AN_SUMS) || defined(AN_MINS)
#define AN_REDUCES 1
#else
#define AN_REDUCES 0
#endif

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
#define FLAT(d)                                (block->flat >> (d)&1)
#define CELL_I                                 i
#define CELL_J                                 j
#define CELL_K                                 k
#define OMEGA                                  block->omega
#define GIVEN(field)                           ((field) != nullptr)
#define RUNTIME(name)                          (prm->runtime ? __ldg(prm->runtime + AN_RUNTIME_##name) : prm->march.name)
#define OTHER(field, c, i, j, k)               field[(c)*ocs + an_element(other, i, j, k)]
#define OTHER_CELLS(d)                         other->n[d]
#define SUM(m, value)                          \
    do {                                       \
        if (a.red)                             \
            an_sum_term(&total.sum[m], value); \
    } while (0)
#define MIN(m, value)                             \
    do {                                          \
        double an_v_ = (value);                   \
        min##m = an_v_ < min##m ? an_v_ : min##m; \
    } while (0)
#ifdef AN_DIR
#define DIR                       AN_DIR
#define ALONG(field, c, m)        field[(c)*cs + at + (m)*along]
#define ACROSS(field, c, m, p, q) field[(c)*cs + at + (m)*along + (p)*across1 + (q)*across2]
#endif

/* A stencil may have two kernels: RARE: for parameters for which AN_RARE holds, whose terms take registers even where
 * they are not computed; and for others, to which AN_SPECIALISE gives values that the compiler sees. */
#ifdef AN_RARE
#define AN_KIND(rare) <rare>
template <int RARE>
#else
#define AN_KIND(rare)
#endif
static __global__ void __launch_bounds__(CELL_THREADS)
    AN_CAT(cell_, AN_FUNCTION)(const __grid_constant__ struct an_cell_args a,
                               const __grid_constant__ struct AN_FN(an_prm) parameters)
{
#ifdef AN_RARE
    struct AN_FN(an_prm) specialised = parameters;
    if (!RARE)
        AN_SPECIALISE(specialised);
    const struct AN_FN(an_prm) *const prm = &specialised;
#else
    const struct AN_FN(an_prm) *const prm = &parameters;
#endif
    const struct an_tile tile = a.tile[blockIdx.x];
    const struct an_block *const block = &a.block[tile.block];
    const struct an_block *const other = a.other ? a.other + tile.block : block;
    const int64_t ocs = a.ocs;
    (void)other, (void)ocs;
    const int64_t cs = a.cs, s1 = block->stride[1], s2 = block->stride[2];
    int an_t = static_cast<int>(threadIdx.x);
    AN_AWAIT_EARLIER(an_t);
    AN_FIELDS(AN_DECLARE)
    const int i = tile.lo[0] + (an_t & ((1 << tile.shift) - 1));
    const int j = tile.lo[1] + (an_t >> tile.shift);
    (void)prm, (void)cs, (void)s1;
#ifdef AN_DIR
    const int64_t along = AN_DIR == 0 ? 1 : AN_DIR == 1 ? s1 : s2;
    const int64_t across1 = AN_DIR == 2 ? 1 : AN_DIR == 0 ? s1 : s2;
    const int64_t across2 = AN_DIR == 1 ? 1 : AN_DIR == 2 ? s1 : s2;
    (void)along, (void)across1, (void)across2;
#endif
#if AN_REDUCES
    AN_SHARED(struct an_cuda_reduction, total);
    start_reduction(&total, an_t);
    double min0 = INFINITY, min1 = INFINITY;
#endif
    if (i < tile.hi[0] && j < tile.hi[1]) {
        int64_t at = an_element(block, i, j, tile.lo[2]);
        for (int k = tile.lo[2]; k < tile.hi[2]; k++, at += s2) {
#define AN_BODY
#include AN_STENCIL
#undef AN_BODY
        }
    }
#if AN_REDUCES
    finish_reduction(&total, a.red, an_t, min0, min1);
#endif
}

static int AN_CAT(run_, AN_FUNCTION)(const struct an_cell_args *a, int ntile,
                                     const struct an_params *p, struct an_cuda_queue *queue)
{
    const struct AN_FN(an_prm) value = AN_FN(an_prm_from)(p), *const prm = &value;
    const int how = AN_AWAITS | (AN_REDUCES ? AN_BARRIERS : 0);
    (void)prm;
#ifdef AN_RARE
    if (!(AN_RARE))
        return an_launch(AN_STRING(AN_FUNCTION), AN_CAT(cell_, AN_FUNCTION) AN_KIND(0), ntile,
                         CELL_THREADS, 0, how, queue, *a, value);
#endif
    return an_launch(AN_STRING(AN_FUNCTION), AN_CAT(cell_, AN_FUNCTION) AN_KIND(1), ntile,
                     CELL_THREADS, 0, how, queue, *a, value);
}
#undef AN_KIND

#undef AN_FUNCTION
#undef AN_REDUCES
#include "kernels/stencils/stencil_end.h"

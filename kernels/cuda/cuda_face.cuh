/* CUDA engines: one face stencil (AN_STENCIL) as a kernel over chunks of boundary windows, one
 * thread for each face. Stencils without sums make copies in their first blocks (struct
 * an_copies_args): no block of the launch reads what another writes. */
#include AN_STENCIL

#ifdef AN_SUMS
#define AN_REDUCES 1
#else
#define AN_REDUCES 0
#endif

#define AN_DECLARE(role, field)                                                    \
    AN_CAT(an_type_, field) *const field =                                         \
        static_cast<AN_CAT(an_type_, field) *>(a.fields.at[AN_CAT(AN_F_, field)]); \
    (void)field;
#define INSIDE(field, c, m)         field[(c)*cs + at + (m)*inward]
#define OUTSIDE(field, c, m, value) field[(c)*cs + at + (m)*inward] = (value)
#define OF_FACE(field, c, value)    field[AN_CAT(AN_NCOMP_, field) * number + (c)] = (value)
#define FACE_VALUE(field, c)        field[AN_CAT(AN_NCOMP_, field) * number + (c)]
#define OF_WORD(field, n, value)    field[n] = (value)
#define GIVEN(field)                ((field) != nullptr)
#define ON_FACE(field, c)           field[(c)*cs + face]
#define OUTWARD                     sign
#define CELLS(d)                    block->n[d]
#define HAS_SECOND                  (block->n[dir] > 1 || a.window[chunk.index].behind)
#define DIR                         dir
#define SCHEME                      a.scheme
#define OMEGA                       block->omega
#define SUM(m, value)                    \
    do {                                 \
        if (a.sum)                       \
            an_sum_term(&sum[m], value); \
    } while (0)

static __global__ void __launch_bounds__(AN_CHUNK)
    AN_CAT(face_, AN_STENCIL_NAME)(const __grid_constant__ struct an_face_args a,
                                   const __grid_constant__ struct AN_FN(an_prm) parameters)
{
    const struct AN_FN(an_prm) *const prm = &parameters;
    int run = static_cast<int>(blockIdx.x);
#if !AN_REDUCES
    const int copying = a.copies.nchunk * a.copies.nfield;
    if (run < copying) {
        copy_element<1>(a.copies.field[run / a.copies.nchunk], run % a.copies.nchunk, 0, 0);
        return;
    }
    run -= copying;
#endif
    const struct an_chunk chunk = a.chunk[run];
    const struct an_window *const win = &a.window[chunk.index].window;
    const int boundary = a.window[chunk.index].boundary;
    const struct an_block *const block = &a.block[win->block];
    const struct an_bc_value *const value = &a.value[boundary];
    const int64_t cs = a.cs;
    int an_t = static_cast<int>(threadIdx.x);
    const int dir = win->dir, t1 = (dir + 1) % 3, t2 = (dir + 2) % 3;
    const int width = win->hi[t1] - win->lo[t1], count = width * (win->hi[t2] - win->lo[t2]);
    const int64_t inward = win->side ? -block->stride[dir] : block->stride[dir];
    AN_AWAIT_EARLIER(an_t);
    AN_FIELDS(AN_DECLARE)
    const real *const area_of = static_cast<const real *>(a.fields.at[AN_F_S]);
    const real *const sweep_of = static_cast<const real *>(a.fields.at[AN_F_G]);
#if AN_REDUCES
    struct block_sums {
        struct an_xsum sum[AN_NINTEGRAL];
    };
    AN_SHARED(struct block_sums, total);
    struct an_xsum *const sum = total.sum;
    start_sums(sum, AN_NINTEGRAL, an_t);
    __syncthreads();
#endif
    if (chunk.first + an_t < count) {
        const real *const value_of = static_cast<const real *>(a.fields.at[AN_F_BCV]);
        const int64_t row = a.window[chunk.index].values + chunk.first + an_t;
        const struct AN_FN(an_bc) given =
            value->varies
                ? AN_FN(an_bc_of_face)(value->type, value_of + AN_NCOMP_BCV * row, block->omega)
                : AN_FN(an_bc_from)(value, block->omega);
        const struct AN_FN(an_bc) *const bc = &given;
        const int along1 = win->lo[t1] + (chunk.first + an_t) % width;
        const int along2 = win->lo[t2] + (chunk.first + an_t) / width;
        const int64_t at = block->origin + along1 * block->stride[t1] + along2 * block->stride[t2] +
                           (win->side ? block->n[dir] - 1 : 0) * block->stride[dir];
        const int64_t face = at + (win->side ? block->stride[dir] : 0);
        const real sign = win->side ? AN_R(1.0) : AN_R(-1.0);
        const real sx = sign * area_of[(3 * dir + 0) * cs + face];
        const real sy = sign * area_of[(3 * dir + 1) * cs + face];
        const real sz = sign * area_of[(3 * dir + 2) * cs + face];
        const real area = AN_SQRT(sx * sx + sy * sy + sz * sz);
        const real inverse = area > AN_R(0.0) ? AN_R(1.0) / area : AN_R(0.0);
        const real nx = sx * inverse, ny = sy * inverse, nz = sz * inverse;
        const real sweep = prm->flux.rotating ? sign * sweep_of[dir * cs + face] : AN_R(0.0);
        const real vn = sweep * inverse;
        const int64_t number = a.window[chunk.index].first + chunk.first + an_t;
        (void)nx, (void)ny, (void)nz, (void)vn, (void)bc, (void)prm, (void)number, (void)inward;
#define AN_BODY
#include AN_STENCIL
#undef AN_BODY
    }
#if AN_REDUCES
    __syncthreads();
    if (a.sum)
        finish_sums(sum, a.sum + boundary * AN_NINTEGRAL, AN_NINTEGRAL, an_t);
#endif
}

static int AN_CAT(run_, AN_STENCIL_NAME)(const struct an_face_args *a, int nchunk,
                                         const struct an_params *p, struct an_cuda_queue *queue)
{
    const int copying = a->copies.nchunk * a->copies.nfield;
    return an_launch(AN_STRING(AN_STENCIL_NAME), AN_CAT(face_, AN_STENCIL_NAME), copying + nchunk,
                     AN_CHUNK, 0, AN_AWAITS | (AN_REDUCES ? AN_BARRIERS : 0), queue, *a,
                     AN_FN(an_prm_from)(p));
}

#undef AN_REDUCES
#include "kernels/stencils/stencil_end.h"

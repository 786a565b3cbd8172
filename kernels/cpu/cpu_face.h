/* CPU engine: one face stencil (AN_STENCIL) over a window of boundary faces. */
#include AN_STENCIL

#define AN_DECLARE(role, field)                                      \
    AN_CAT(an_type_, field) *const field =                           \
        (AN_CAT(an_type_, field) *)fields->at[AN_CAT(AN_F_, field)]; \
    (void)field;
#define INSIDE(field, c, m)         field[(c)*cs + at + (m)*inward]
#define OUTSIDE(field, c, m, value) field[(c)*cs + at + (m)*inward] = (value)
#define OF_FACE(field, c, value)    field[AN_CAT(AN_NCOMP_, field) * number + (c)] = (value)
#define FACE_VALUE(field, c)        field[AN_CAT(AN_NCOMP_, field) * number + (c)]
#define OF_WORD(field, n, value)    field[n] = (value)
#define GIVEN(field)                ((field) != NULL)
#define ON_FACE(field, c)           field[(c)*cs + face]
#define OUTWARD                     sign
#define CELLS(d)                    block->n[d]
#define HAS_SECOND                  (block->n[dir] > 1 || list->behind)
#define DIR                         dir
#define SCHEME                      scheme
#define OMEGA                       block->omega
#define SUM(m, value)               an_xsum_add(&sum[m], (value))

static void AN_STENCIL_NAME(const struct an_block *block, int64_t cs,
                            const struct an_face_window *list, const struct AN_FN(an_bc) * given,
                            int scheme, const struct an_fields *fields,
                            const struct AN_FN(an_prm) * prm, struct an_xsum *sum)
{
    AN_FIELDS(AN_DECLARE)
    const struct an_window *const win = &list->window;
    int64_t number = list->first, row = list->values;
    const int dir = win->dir, t1 = (dir + 1) % 3, t2 = (dir + 2) % 3;
    const int64_t inward = win->side ? -block->stride[dir] : block->stride[dir];
    const real *area_of = (const real *)fields->at[AN_F_S];
    const real *sweep_of = (const real *)fields->at[AN_F_G];
    const real *const value_of = (const real *)fields->at[AN_F_BCV];
    (void)scheme, (void)prm, (void)sum, (void)inward;
    for (int b = win->lo[t2]; b < win->hi[t2]; b++)
        for (int a = win->lo[t1]; a < win->hi[t1]; a++, number++, row++) {
            const int64_t at = block->origin + a * block->stride[t1] + b * block->stride[t2] +
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
            struct AN_FN(an_bc) of_face;
            const struct AN_FN(an_bc) *bc = given;
            if (given->varies) {
                of_face =
                    AN_FN(an_bc_of_face)(given->type, value_of + AN_NCOMP_BCV * row, block->omega);
                bc = &of_face;
            }
            (void)nx, (void)ny, (void)nz, (void)vn, (void)bc;
#define AN_BODY
#include AN_STENCIL
#undef AN_BODY
        }
}

#include "kernels/stencils/stencil_end.h"

/* The reference: one face of one face stencil (AN_STENCIL). */
#include AN_STENCIL

#define AN_DECLARE(role, field)                                           \
    const Field field(run, AN_CAT(AN_F_, field), AN_CAT(AN_ROLE_, role)); \
    (void)field;
#define INSIDE(field, c, m)         field.read_slot(c, at + (m)*inward, (m) + 2)
#define OUTSIDE(field, c, m, value) field.write_slot(c, at + (m)*inward, value, (m) + 2)
#define OF_FACE(field, c, value)    field.write_flat(c, number, value)
#define FACE_VALUE(field, c)        field.read_flat(c, number)
#define OF_WORD(field, n, value)    field.write_word(n, value)
#define GIVEN(field)                field.given()
#define ON_FACE(field, c)           field.read_slot(c, face, 4)
#define OUTWARD                     sign
#define CELLS(d)                    block->n[d]
#define HAS_SECOND                  (block->n[dir] > 1)
#define DIR                         dir
#define SCHEME                      scheme
#define OMEGA                       block->omega
#define SUM(m, value)               run.sum(m, value)

extern face_function AN_STENCIL_NAME;
void AN_STENCIL_NAME(Run &run, const struct an_block *block, const struct an_window *win,
                     int64_t at, int64_t number, const struct AN_FN(an_bc) * bc, int scheme)
{
    const struct AN_FN(an_prm) *const prm = &run.prm;
    AN_FIELDS(AN_DECLARE)
    const Field area_of(run, AN_F_S, AN_ROLE_IN);
    const int dir = win->dir;
    const int64_t inward = win->side ? -block->stride[dir] : block->stride[dir];
    const int64_t face = at + (win->side ? block->stride[dir] : 0);
    const real sign = win->side ? AN_R(1.0) : AN_R(-1.0);
    const real sx = sign * area_of.read_slot(3 * dir + 0, face, 4);
    const real sy = sign * area_of.read_slot(3 * dir + 1, face, 4);
    const real sz = sign * area_of.read_slot(3 * dir + 2, face, 4);
    const real area = AN_SQRT(sx * sx + sy * sy + sz * sz);
    const real inverse = area > AN_R(0.0) ? AN_R(1.0) / area : AN_R(0.0);
    const real nx = sx * inverse, ny = sy * inverse, nz = sz * inverse;
    const real sweep = AN_R(0.0), vn = AN_R(0.0); /* nothing turns */
    (void)sweep, (void)vn, (void)bc, (void)scheme, (void)prm, (void)nx, (void)ny, (void)nz,
        (void)inward, (void)number;
#define AN_BODY
#include AN_STENCIL
#undef AN_BODY
}

#include "kernels/stencils/stencil_end.h"

/* The reference: one cell of one cell or directional stencil (AN_STENCIL). */
#include AN_STENCIL

#define AN_DECLARE(role, field) \
    const Field field(run, AN_CAT(AN_F_, field), AN_CAT(AN_ROLE_, role));
#define AT(field, c, di, dj, dk)  field.read(c, at + (di) + (dj)*s1 + (dk)*s2)
#define OUT(field, c, value)      field.write(c, at, value)
#define CELLS(d)                  block->n[d]
#define FLAT(d)                   (block->flat >> (d)&1)
#define CELL_I                    i
#define CELL_J                    j
#define CELL_K                    k
#define OMEGA                     block->omega
#define GIVEN(field)              field.given()
#define RUNTIME(name)             prm->march.name
#define OTHER(field, c, i, j, k)  field.read_other(c, other, i, j, k)
#define OTHER_CELLS(d)            run.other_cells(other, d)
#define SUM(m, value)             run.sum(m, value)
#define MIN(m, value)             run.minimum(m, value)
#define DIR                       dir
#define ALONG(field, c, m)        field.read(c, at + (m)*along)
#define ACROSS(field, c, m, a, b) field.read(c, at + (m)*along + (a)*across1 + (b)*across2)

extern cell_function AN_STENCIL_NAME;
void AN_STENCIL_NAME(Run &run, const struct an_block *block, const struct an_block *other, int dir,
                     int i, int j, int k)
{
    const struct AN_FN(an_prm) *const prm = &run.prm;
    AN_FIELDS(AN_DECLARE)
    const int64_t s1 = block->stride[1], s2 = block->stride[2], at = an_element(block, i, j, k);
    const int64_t along = dir == 0 ? 1 : dir == 1 ? s1 : s2;
    const int64_t across1 = dir == 2 ? 1 : dir == 0 ? s1 : s2;
    const int64_t across2 = dir == 1 ? 1 : dir == 2 ? s1 : s2;
    (void)prm, (void)s1, (void)s2, (void)other, (void)along, (void)across1, (void)across2;
#define AN_BODY
#include AN_STENCIL
#undef AN_BODY
}

#include "kernels/stencils/stencil_end.h"

/* The reference: one cell stencil (AN_STENCIL), or one direction of a directional one (AN_DIR),
 * cell after cell. */
#include AN_STENCIL

#ifdef AN_DIR
#define AN_FUNCTION AN_CAT(AN_CAT(AN_STENCIL_NAME, _d), AN_DIR)
#else
#define AN_FUNCTION AN_STENCIL_NAME
#endif
#define AN_DECLARE(role, field) \
    const Field field(run, AN_CAT(AN_F_, field), AN_CAT(AN_ROLE_, role));
#define AT(field, c, di, dj, dk) field.read(c, at + (di) + (dj)*s1 + (dk)*s2)
#define OUT(field, c, value)     field.write(c, at, value)
#define CELLS(d)                 block->n[d]
#define CELL_I                   i
#define CELL_J                   j
#define CELL_K                   k
#define OMEGA                    block->omega
#define OTHER(field, c, i, j, k) field.read_other(c, other, i, j, k)
#define OTHER_CELLS(d)           run.other_cells(other, d)
#define SUM(m, value)            run.sum(m, value)
#define MIN(m, value)            run.minimum(m, value)
#ifdef AN_DIR
#define DIR                       AN_DIR
#define ALONG(field, c, m)        field.read(c, at + (m)*along)
#define ACROSS(field, c, m, a, b) field.read(c, at + (m)*along + (a)*across1 + (b)*across2)
#endif

static void AN_CAT(count_, AN_FUNCTION)(Run &run, const struct an_block *block,
                                        const struct an_block *other, int i, int j, int k)
{
    const struct AN_FN(an_prm) *const prm = &run.prm;
    AN_FIELDS(AN_DECLARE)
    const int64_t s1 = block->stride[1], s2 = block->stride[2], at = an_element(block, i, j, k);
    (void)prm, (void)s1, (void)s2, (void)other;
#ifdef AN_DIR
    const int64_t along = AN_DIR == 0 ? 1 : AN_DIR == 1 ? s1 : s2;
    const int64_t across1 = AN_DIR == 2 ? 1 : AN_DIR == 0 ? s1 : s2;
    const int64_t across2 = AN_DIR == 1 ? 1 : AN_DIR == 2 ? s1 : s2;
    (void)along, (void)across1, (void)across2;
#endif
#define AN_BODY
#include AN_STENCIL
#undef AN_BODY
}

#undef AN_FUNCTION
#include "kernels/stencils/stencil_end.h"

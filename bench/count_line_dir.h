/* The reference: one cell of one line stencil (AN_STENCIL) along direction AN_DIR. */
#include AN_STENCIL

#define AN_FUNCTION AN_CAT(AN_CAT(AN_STENCIL_NAME, _d), AN_DIR)
#ifdef AN_DESCENDING
#define AN_BEHIND(m) ((m) > 0)
#else
#define AN_BEHIND(m) ((m) < 0)
#endif
#define AN_DECLARE(role, field) \
    const Field field(run, AN_CAT(AN_F_, field), AN_CAT(AN_ROLE_, role));
#define AT(field, c, di, dj, dk) field.read(c, at + (di) + (dj)*s1 + (dk)*s2)
#define OUT(field, c, value)     field.write(c, at, value)
#define CELLS(d)                 block->n[d]
#define DIR                      AN_DIR
#define ALONG(field, c, m)       field.read_along(c, at + (m)*along, AN_BEHIND(m))
#define ACROSS(field, c, m, a, b) \
    field.read_along(c, at + (m)*along + (a)*across1 + (b)*across2, AN_BEHIND(m))
#define FIRST (m == 0)
#define OMEGA block->omega
#define LAST  (m == block->n[AN_DIR] - 1)

static void AN_CAT(count_, AN_FUNCTION)(Run &run, const struct an_block *block, int m, int64_t at)
{
    const struct AN_FN(an_prm) *const prm = &run.prm;
    AN_FIELDS(AN_DECLARE)
    const int64_t s1 = block->stride[1], s2 = block->stride[2];
    const int64_t along = AN_DIR == 0 ? 1 : AN_DIR == 1 ? s1 : s2;
    const int64_t across1 = AN_DIR == 2 ? 1 : AN_DIR == 0 ? s1 : s2;
    const int64_t across2 = AN_DIR == 1 ? 1 : AN_DIR == 2 ? s1 : s2;
    (void)prm, (void)along, (void)across1, (void)across2, (void)s1, (void)s2, (void)m;
#define AN_BODY
#include AN_STENCIL
#undef AN_BODY
}

#ifdef AN_DESCENDING
enum { AN_CAT(descending_, AN_FUNCTION) = 1 };
#else
enum { AN_CAT(descending_, AN_FUNCTION) = 0 };
#endif
#undef AN_FUNCTION
#undef AN_BEHIND
#include "kernels/stencil_end.h"

/* The reference: one cell of one line stencil (AN_STENCIL) along direction dir: its row of the
 * system, as AN_LINE_NEAR and so on say (near: the lower block), and where its unknowns go. */
#include AN_STENCIL

#define AN_DECLARE(role, field) \
    const Field field __attribute__((unused)) (run, AN_CAT(AN_F_, field), AN_CAT(AN_ROLE_, role));
#define AT(field, c, di, dj, dk)  field.read(c, at + (di) + (dj)*s1 + (dk)*s2)
#define OUT(field, c, value)      field.write(c, at, value)
#define CELLS(d)                  block->n[d]
#define FLAT(d)                   (block->flat >> (d)&1)
#define DIR                       dir
#define ALONG(field, c, m)        field.read(c, at + (m)*along)
#define ACROSS(field, c, m, a, b) field.read(c, at + (m)*along + (a)*across1 + (b)*across2)
#define FIRST                     (m == 0)
#define LAST                      (m == block->n[dir] - 1)
#define SYSTEM                    system
#define OMEGA                     block->omega
#define GIVEN(field)              field.given()
#define RUNTIME(name)             prm->march.name
#define N                         AN_UNKNOWNS
#ifndef AN_SYSTEMS
#define AN_SYSTEMS 1
#endif
#define LOWER(r, c, value)    row[AN_LINE_NEAR(N) + N * (r) + (c)] = (value)
#define UPPER(r, c, value)    row[AN_LINE_FAR(N) + N * (r) + (c)] = (value)
#define DIAGONAL(r, c, value) row[AN_LINE_DIAG(N) + N * (r) + (c)] = (value)
#define RIGHT(r, value)       row[AN_LINE_RIGHT(N) + (r)] = (value)

static void AN_CAT(row_, AN_STENCIL_NAME)(Run &run, const struct an_block *block, int dir, int m,
                                          int64_t at, int system, an_counted *row)
{
    const struct AN_FN(an_prm) *const prm = &run.prm;
    AN_FIELDS(AN_DECLARE)
    const int64_t s1 = block->stride[1], s2 = block->stride[2];
    const int64_t along = dir == 0 ? 1 : dir == 1 ? s1 : s2;
    const int64_t across1 = dir == 2 ? 1 : dir == 0 ? s1 : s2;
    const int64_t across2 = dir == 1 ? 1 : dir == 2 ? s1 : s2;
    (void)prm, (void)along, (void)across1, (void)across2, (void)s1, (void)s2, (void)m;
    (void)system;
#define AN_BODY
#include AN_STENCIL
#undef AN_BODY
}

static void AN_CAT(solution_, AN_STENCIL_NAME)(Run &run, int dir, int64_t at, int system,
                                               const an_counted *x)
{
    AN_FIELDS(AN_DECLARE)
    const struct AN_FN(an_prm) *const prm = &run.prm;
    const int64_t s1 = 0, s2 = 0; /* only the cell itself */
    (void)system, (void)dir, (void)prm, (void)s1, (void)s2;
    SOLUTION(x);
}

static int AN_CAT(systems_, AN_STENCIL_NAME)(const struct AN_FN(an_prm) * prm)
{
    (void)prm;
    return AN_SYSTEMS;
}

extern const struct Line AN_STENCIL_NAME;
const struct Line AN_STENCIL_NAME = {AN_CAT(row_, AN_STENCIL_NAME),
                                     AN_CAT(solution_, AN_STENCIL_NAME), N,
                                     AN_CAT(systems_, AN_STENCIL_NAME)};
#undef N
#include "kernels/stencils/stencil_end.h"

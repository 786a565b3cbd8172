/* CPU engine: one line stencil (AN_STENCIL) along direction AN_DIR as a function over a box. The
 * lines beside each other are vectorised: in i, or in j for lines along i. */
#include AN_STENCIL

#define AN_FUNCTION AN_CAT(AN_CAT(AN_STENCIL_NAME, _d), AN_DIR)

#define AN_DECLARE(role, field) \
    AN_DECLARE_##role(AN_CAT(an_type_, field), field, fields->at[AN_CAT(AN_F_, field)])
#define AN_DECLARE_IN(type, field, address)    const type *const field = (const type *)(address);
#define AN_DECLARE_NEAR(type, field, address)  const type *const field = (const type *)(address);
#define AN_DECLARE_OUT(type, field, address)   type *const field = (type *)(address);
#define AN_DECLARE_INOUT(type, field, address) type *const field = (type *)(address);
#define AT(field, c, di, dj, dk)               field[(c)*cs + at + (di) + (dj)*s1 + (dk)*s2]
#define OUT(field, c, value)                   field[(c)*cs + at] = (value)
#define CELLS(d)                               n[d]
#define DIR                                    AN_DIR
#define ALONG(field, c, m)                     field[(c)*cs + at + (m)*along]
#define ACROSS(field, c, m, a, b)              field[(c)*cs + at + (m)*along + (a)*across1 + (b)*across2]
#define OMEGA                                  an_omega
#define FIRST                                  (m == 0)
#define LAST                                   (m == n[AN_DIR] - 1)

/* One cell, as a function of its own: what a body declares must not be a variable of the loop
 * below, where compilers keep addressed variables in memory, one for each lane of SIMD. */
AN_INLINE void AN_CAT(AN_FUNCTION, _cell)(const struct an_fields *fields, int64_t cs, int64_t at,
                                          const int n[3], int m, int64_t s1, int64_t s2,
                                          const double an_omega, const struct AN_FN(an_prm) * prm)
{
    AN_FIELDS(AN_DECLARE)
    const int64_t along = AN_DIR == 0 ? 1 : AN_DIR == 1 ? s1 : s2;
    const int64_t across1 = AN_DIR == 2 ? 1 : AN_DIR == 0 ? s1 : s2;
    const int64_t across2 = AN_DIR == 1 ? 1 : AN_DIR == 2 ? s1 : s2;
    (void)n, (void)m, (void)prm, (void)along, (void)across1, (void)across2, (void)an_omega;
#define AN_BODY
#include AN_STENCIL
#undef AN_BODY
}

static void AN_FUNCTION(const struct an_block *block, int64_t cs, const struct an_block *other,
                        int64_t ocs, const int lo[3], const int hi[3],
                        const struct an_fields *given, const struct AN_FN(an_prm) * parameters,
                        struct an_reduction *red)
{
    /* copies, for compilers to see that no store changes them */
    const struct AN_FN(an_prm) here = *parameters, *const prm = &here;
    const struct an_fields addresses = *given, *const fields = &addresses;
    const int64_t s1 = block->stride[1], s2 = block->stride[2];
    const int n[3] = {block->n[0], block->n[1], block->n[2]};
    const double omega = block->omega;
    (void)red, (void)other, (void)ocs;
    /* fast: the direction of SIMD; slow: the other one */
    enum { FAST = AN_DIR == 0 ? 1 : 0, SLOW = AN_DIR == 2 ? 1 : 2 };
    const int64_t step = AN_DIR == 0 ? s1 : 1;
    for (int b = lo[SLOW]; b < hi[SLOW]; b++)
#ifdef AN_DESCENDING
        for (int m = hi[AN_DIR] - 1; m >= lo[AN_DIR]; m--) {
#else
        for (int m = lo[AN_DIR]; m < hi[AN_DIR]; m++) {
#endif
            const int64_t begin =
                block->origin + m * block->stride[AN_DIR] + b * block->stride[SLOW];
#pragma omp simd
            for (int a = lo[FAST]; a < hi[FAST]; a++)
                AN_CAT(AN_FUNCTION, _cell)(fields, cs, begin + a * step, n, m, s1, s2, omega, prm);
        }
}

#undef AN_FUNCTION
#include "kernels/stencil_end.h"

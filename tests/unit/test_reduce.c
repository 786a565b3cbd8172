/* Exact sums, extremes and the agreement on a status, on any number of ranks.
 *
 * The reference sums are exact: terms are integers times 2^-160 held in 512-bit schoolbook
 * arithmetic written independently of xsum.h (bit by bit, sign and magnitude), rounded by strtod of
 * the exact hexadecimal expansion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/error.h"
#include "kernels/base/xsum_many.h"
#include "mpi/reduce.h"

#define NTERM 4000

static int rank, size;

static uint64_t state;
static uint64_t next(void)
{
    state += 0x9e3779b97f4a7c15ULL;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

static double uniform(void)
{
    return (double)(next() >> 11) * 0x1p-53;
}

/* Both signs, magnitudes 1e-30 .. 1e30. */
static double wide(void)
{
    double v = pow(10, 60 * uniform() - 30);
    return next() & 1 ? v : -v;
}

static struct an_xsum sum_of(const double *v, int n)
{
    struct an_xsum s;
    memset(&s, 0, sizeof s);
    for (int t = 0; t < n; t++)
        an_xsum_add(&s, v[t]);
    return s;
}

/* As sum_of, by the function for arrays. */
static struct an_xsum many_of(const double *v, int n)
{
    struct an_xsum s;
    memset(&s, 0, sizeof s);
    an_xsum_add_many(&s, n, v);
    return s;
}

static void shuffle(double *v, int n)
{
    for (int t = n - 1; t > 0; t--) {
        int u = (int)(next() % (uint64_t)(t + 1));
        double keep = v[t];
        v[t] = v[u];
        v[u] = keep;
    }
}

/* --- reference: naturals of WORDS 16-bit digits, lowest bit worth 2^-160 ------------------------
 */
#define WORDS 32

static void add_bits(uint32_t *a, uint64_t mantissa, int shift)
{
    for (int b = 0; b < 53; b++) {
        if (!(mantissa >> b & 1) || shift + b < 0)
            continue;
        int word = (shift + b) / 16;
        uint32_t carry = 1u << ((shift + b) % 16);
        for (; carry; word++) {
            a[word] += carry;
            carry = a[word] >> 16;
            a[word] &= 0xffff;
        }
    }
}

static double exact(const double *v, int n)
{
    uint32_t a[2][WORDS] = {{0}}; /* sums of the positive and of the negative terms */
    for (int t = 0; t < n; t++) {
        int e;
        double f = frexp(fabs(v[t]), &e);
        add_bits(a[v[t] < 0], (uint64_t)ldexp(f, 53), e - 53 + 160);
    }
    int big = 0;
    for (int w = WORDS - 1; w >= 0; w--)
        if (a[0][w] != a[1][w]) {
            big = a[1][w] > a[0][w];
            break;
        }
    char text[8 + 4 * WORDS + 8] = "0x";
    int64_t borrow = 0;
    uint32_t d[WORDS];
    for (int w = 0; w < WORDS; w++) {
        int64_t x = (int64_t)a[big][w] - a[!big][w] - borrow;
        borrow = x < 0;
        d[w] = (uint32_t)(x + (borrow << 16));
    }
    assert_int_equal(borrow, 0);
    for (int w = WORDS - 1; w >= 0; w--)
        snprintf(text + strlen(text), 5, "%04x", d[w]);
    strcat(text, "p-160");
    double r = strtod(text, NULL);
    return big ? -r : r;
}

static void sums_match_exact_arithmetic(void **unused)
{
    (void)unused;
    double v[NTERM];
    for (int trial = 0; trial < 40; trial++) {
        state = 100 + (uint64_t)trial;
        int n = trial < 20 ? 1 + trial : NTERM;
        for (int t = 0; t < n; t++)
            v[t] = trial % 2 ? wide() : uniform() - 0.5;
        struct an_xsum s = sum_of(v, n);
        assert_int_equal(s.bad, 0);
        double value = an_xsum_value(s), reference = exact(v, n);
        assert_memory_equal(&value, &reference, sizeof value);
        for (int t = 0; t < n; t++)
            v[t] = -v[t];
        assert_true(an_xsum_value(sum_of(v, n)) == -reference);
    }
}

static void single_terms_come_back(void **unused)
{
    (void)unused;
    state = 5;
    for (int t = 0; t < 20000; t++) {
        double v = ldexp(0.5 + 0.5 * uniform(), (int)(next() % 299) - 106);
        v = next() & 1 ? v : -v; /* 2^-107 .. 2^192: all 53 bits within the range */
        double back = an_xsum_value(sum_of(&v, 1));
        assert_memory_equal(&v, &back, sizeof v);
    }
    double edge[] = {0.0, 0x1p-160, -0x1p-160, 0x1.fffffffffffffp191, -0x1.fffffffffffffp191};
    for (int e = 0; e < 5; e++)
        assert_true(an_xsum_value(sum_of(&edge[e], 1)) == edge[e]);
    double tiny = 0x1.8p-160; /* the lower bit is cut off, towards zero on both sides */
    assert_true(an_xsum_value(sum_of(&tiny, 1)) == 0x1p-160);
    tiny = -tiny;
    assert_true(an_xsum_value(sum_of(&tiny, 1)) == -0x1p-160);
    double none[] = {0x1p-161, DBL_MIN, DBL_TRUE_MIN, -DBL_TRUE_MIN, -0.0};
    assert_true(an_xsum_value(sum_of(none, 5)) == 0);
}

static void ties_round_to_even(void **unused)
{
    (void)unused;
    double down[] = {1, 0x1p-53}, up[] = {1 + 0x1p-52, 0x1p-53}, over[] = {1, 0x1p-53, 0x1p-150};
    assert_true(an_xsum_value(sum_of(down, 2)) == 1);
    assert_true(an_xsum_value(sum_of(up, 2)) == 1 + 0x1p-51);
    assert_true(an_xsum_value(sum_of(over, 3)) == 1 + 0x1p-52);
    double cancel[] = {1e30, 1, -1e30, 1e-30};
    assert_true(an_xsum_value(sum_of(cancel, 4)) == 1 + 1e-30);
    double left[] = {1e30, 1e-30, -1e30};
    assert_true(an_xsum_value(sum_of(left, 3)) == 1e-30);
}

static void limbs_hold_many_terms(void **unused)
{
    (void)unused;
    /* 2^31 terms of the largest parts, as an_xsum_join of doubled sums would meet them. */
    double v = 0x1.fffffffffffffp191, w = 0x1.fffffffffffffp51;
    for (int s = 0; s < 2; s++) {
        struct an_xsum sum = sum_of(s ? &w : &v, 1);
        for (int l = 0; l < AN_XSUM_LIMBS; l++)
            sum.limb[l] *= (int64_t)1 << 31;
        assert_true(an_xsum_value(sum) == ldexp(s ? w : v, 31));
        for (int l = 0; l < AN_XSUM_LIMBS; l++)
            sum.limb[l] = -sum.limb[l];
        assert_true(an_xsum_value(sum) == -ldexp(s ? w : v, 31));
    }
}

static void bad_terms_are_counted(void **unused)
{
    (void)unused;
    double v[] = {1, NAN, INFINITY, -INFINITY, 0x1p192, -DBL_MAX, 2};
    struct an_xsum s = sum_of(v, 7), clean = sum_of((double[]){1, 2}, 2);
    assert_int_equal(s.bad, 5);
    assert_true(isnan(an_xsum_value(s)));
    s.bad = 0;
    assert_memory_equal(&s, &clean, sizeof s); /* and leave the limbs alone */
}

/* Arrays: terms of one order of magnitude, of many, with zeros, too small or too large for the fast
 * way, not finite, of each length around chunks and groups of terms. */
static void arrays_have_the_sums_of_their_terms(void **unused)
{
    (void)unused;
    enum { KINDS = 8 };
    double v[NTERM];
    for (int trial = 0; trial < 40 * KINDS; trial++) {
        state = 300 + (uint64_t)trial;
        const int kind = trial % KINDS;
        const int n = trial < 20 * KINDS ? trial / KINDS * 17 : (int)(next() % NTERM);
        const double scale = kind == 1   ? 0x1p-80 /* on either side of what limbs keep */
                             : kind == 2 ? 0x1p-115
                             : kind == 3 ? 0x1p126
                             : kind == 4 ? 0x1p190
                                         : 1;
        for (int t = 0; t < n; t++) {
            v[t] = scale * (uniform() - 0.5) * (1 + (double)(next() % 1000));
            if (kind == 5)
                v[t] = next() % 4 ? 0 : wide();
            if (kind == 6)
                v[t] = ldexp(1 + uniform(), -(int)(next() % 100));
        }
        if (kind == 7 && n)
            v[next() % (uint64_t)n] = next() % 2 ? NAN : -INFINITY;
        struct an_xsum single = sum_of(v, n), many = many_of(v, n);
        an_xsum_normalise(&single);
        an_xsum_normalise(&many);
        assert_memory_equal(&single, &many, sizeof single);
        many = sum_of(v, n / 2);
        const struct an_xsum half = many;
        an_xsum_less(&many, &single);
        if (many.bad)
            continue;
        an_xsum_less(&many, &half); /* what is left is minus the whole */
        assert_true(an_xsum_value(many) == -an_xsum_value(single));
    }
}

/* Terms dealt to the ranks in random ways: equal limbs on every rank, equal to the serial sum. */
static void sums_do_not_depend_on_ranks(void **unused)
{
    (void)unused;
    double v[NTERM], mine[NTERM];
    int failed = 0;
    for (int trial = 0; trial < 20; trial++) {
        state = 900 + (uint64_t)trial;
        for (int t = 0; t < NTERM; t++)
            v[t] = wide();
        struct an_xsum serial[2] = {sum_of(v, NTERM), sum_of(v, NTERM / 2)}, s[2];
        an_xsum_normalise(&serial[0]);
        an_xsum_normalise(&serial[1]);
        for (int part = 0; part < 2; part++) {
            int count = 0;
            for (int t = 0; t < (part ? NTERM / 2 : NTERM); t++)
                if ((int)(next() % (uint64_t)size) == rank)
                    mine[count++] = v[t];
            uint64_t keep = state;
            state += (uint64_t)rank * 7919;
            shuffle(mine, count);
            state = keep;
            s[part] = sum_of(mine, count);
        }
        failed += an_reduce_xsum(MPI_COMM_WORLD, 2, s) != AN_OK;
        failed += memcmp(s, serial, sizeof s) != 0;
        failed += an_xsum_value(s[0]) != exact(v, NTERM);
    }
    struct an_xsum bad = sum_of((double[]){rank == size - 1 ? NAN : 1.0}, 1);
    failed += an_reduce_xsum(MPI_COMM_WORLD, 1, &bad) != AN_OK || !isnan(an_xsum_value(bad));
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    assert_int_equal(failed, 0);
}

static void extremes_are_found(void **unused)
{
    (void)unused;
    enum { n = 150 };
    double lo[n], hi[n];
    int failed = 0;
    for (int t = 0; t < n; t++) {
        lo[t] = t % size == rank ? -1.0 - t : 1.0 + t;
        hi[t] = t % size == rank ? -1e-3 * t - 0.5 : -1e30;
    }
    if (rank == size - 1)
        lo[7] = hi[8] = NAN;
    lo[9] = rank ? 1e300 : -INFINITY;
    failed += an_reduce_min(MPI_COMM_WORLD, n, lo) != AN_OK;
    failed += an_reduce_max(MPI_COMM_WORLD, n, hi) != AN_OK;
    for (int t = 0; t < n; t++) {
        failed += t == 7 ? !isnan(lo[t]) : lo[t] != (t == 9 ? -INFINITY : -1.0 - t);
        failed += t == 8 ? !isnan(hi[t]) : hi[t] != -1e-3 * t - 0.5;
    }
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    assert_int_equal(failed, 0);
}

static void all_ranks_agree_on_the_worst(void **unused)
{
    (void)unused;
    int failed = 0;
    char expected[64];
    failed += an_reduce_status(MPI_COMM_WORLD, AN_OK) != AN_OK;
    for (int bad = 0; bad < size; bad++) {
        int status = rank < bad ? AN_STOPPED : AN_DIVERGED;
        an_error_set(status, "cell %d", rank);
        failed += an_reduce_status(MPI_COMM_WORLD, status) != AN_DIVERGED;
        snprintf(expected, sizeof expected, size > 1 ? "rank %d: cell %d" : "cell %d", bad, bad);
        failed += strcmp(an_error_text(), size > 1 ? expected : "cell 0") != 0;
        failed += an_reduce_status(MPI_COMM_WORLD, AN_DIVERGED) != AN_DIVERGED;
        failed += strcmp(an_error_text(), size > 1 ? expected : "cell 0") != 0; /* named once */
    }
    int mixed[] = {AN_INPUT, AN_FAIL, AN_OK, AN_STOPPED};
    int expect = size > 1 ? AN_FAIL : AN_INPUT;
    failed += an_reduce_status(MPI_COMM_WORLD, mixed[rank % 4]) != expect;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    assert_int_equal(failed, 0);
}

static int wrong_call(void)
{
    AN_MPI(MPI_Send(NULL, 0, MPI_INT, size + 5, 0, MPI_COMM_WORLD));
    return AN_OK;
}

static void mpi_errors_are_worded(void **unused)
{
    (void)unused;
    assert_int_equal(wrong_call(), AN_FAIL);
    assert_non_null(strstr(an_error_text(), "MPI_Send("));
    assert_non_null(strstr(an_error_text(), "rank"));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_match_exact_arithmetic),
        cmocka_unit_test(single_terms_come_back),
        cmocka_unit_test(ties_round_to_even),
        cmocka_unit_test(limbs_hold_many_terms),
        cmocka_unit_test(bad_terms_are_counted),
        cmocka_unit_test(arrays_have_the_sums_of_their_terms),
        cmocka_unit_test(sums_do_not_depend_on_ranks),
        cmocka_unit_test(extremes_are_found),
        cmocka_unit_test(all_ranks_agree_on_the_worst),
        cmocka_unit_test(mpi_errors_are_worded),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}

/* Matrices of blocks, their factors and GMRES, on a plane of cells with five neighbours each and pseudo-random blocks, whose
 * diagonals dominate. Some 50 subdomains, which threads share. */
#include "solver/adjoint/block_matrix.h"

#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/numbers.h"

enum { EDGE = 160, CELLS = EDGE * EDGE, MOST_NV = 7 };

static struct an_lists plane(void)
{
    struct an_lists l = {.n = CELLS};
    l.first = calloc(CELLS + 1, sizeof *l.first);
    l.list = malloc(5 * CELLS * sizeof *l.list);
    assert_true(l.first && l.list);
    for (int c = 0; c < CELLS; c++) {
        const int i = c % EDGE, j = c / EDGE;
        const int near[5] = {j > 0 ? c - EDGE : -1, i > 0 ? c - 1 : -1, c,
                             i < EDGE - 1 ? c + 1 : -1, j < EDGE - 1 ? c + EDGE : -1};
        l.first[c + 1] = l.first[c];
        for (int n = 0; n < 5; n++)
            if (near[n] >= 0)
                l.list[l.first[c + 1]++] = near[n];
    }
    return l;
}

/* dominance: of the diagonals. */
static void fill(struct an_block_matrix *a, double dominance)
{
    uint32_t seed = 7;
    const int nv = a->nv;
    for (int64_t i = 0; i < a->n; i++)
        for (int64_t m = a->pattern->first[i]; m < a->pattern->first[i + 1]; m++)
            for (int c = 0; c < nv; c++)
                for (int r = 0; r < nv; r++)
                    a->value[(m * nv + c) * nv + r] =
                        number(&seed) + (a->pattern->list[m] == i && r == c ? dominance : 0);
}

static void unmake(struct an_lists *l, struct an_block_matrix *a, struct an_block_factor *f)
{
    an_block_factor_free(f);
    an_block_matrix_free(a);
    an_lists_free(l);
}

/* y = A x or A^T x as the definition says. */
static void multiply_plainly(const struct an_block_matrix *a, int transposed, const double *x,
                             double *y)
{
    const int nv = a->nv;
    memset(y, 0, (size_t)(a->n * nv) * sizeof *y);
    for (int64_t i = 0; i < a->n; i++)
        for (int64_t m = a->pattern->first[i]; m < a->pattern->first[i + 1]; m++)
            for (int c = 0; c < nv; c++)
                for (int r = 0; r < nv; r++) {
                    const int64_t row = i * nv + r, col = (int64_t)a->pattern->list[m] * nv + c;
                    const double v = a->value[(m * nv + c) * nv + r];
                    y[transposed ? col : row] += v * x[transposed ? row : col];
                }
}

static void look_at_products(struct an_lists *l, int nv)
{
    struct an_block_matrix a;
    const int64_t n = (int64_t)CELLS * nv;
    assert_int_equal(an_block_matrix_new(l, nv, &a), AN_OK);
    assert_int_equal(an_block_matrix_values(&a), AN_OK);
    fill(&a, 4);
    double *x[3], *y[3], *plain[2][3];
    for (int s = 0; s < 3; s++) {
        x[s] = numbers(n, 11u + (uint32_t)s);
        y[s] = numbers(n, 1);
        for (int t = 0; t < 2; t++)
            multiply_plainly(&a, t, x[s], plain[t][s] = numbers(n, 1));
    }
    for (int m = 0; m < 4; m++) { /* A, A^T, A^T, A: the matrix is turned twice */
        const int t = m == 1 || m == 2;
        an_block_multiply(&a, t, m < 2 ? 3 : 1, (const double *const *)x, y);
        for (int s = 0; s < (m < 2 ? 3 : 1); s++)
            assert_true(apart(n, y[s], plain[t][s]) < 1e-12);
    }
    for (int s = 0; s < 3; s++) {
        free(x[s]);
        free(y[s]);
        free(plain[0][s]);
        free(plain[1][s]);
    }
    an_block_matrix_free(&a);
}

static void products_are_those_of_the_definition(void **state)
{
    struct an_lists l = plane();
    (void)state;
    for (int nv = 4; nv <= MOST_NV; nv++) /* 4: not one of the sizes with loops of their own */
        look_at_products(&l, nv);
    an_lists_free(&l);
}

/* Solves three systems with `threads`; returns iterations of the first. */
static int solve(int transposed, int threads, int together, double **x)
{
    struct an_lists l = plane();
    struct an_block_matrix a;
    struct an_block_factor f;
    const struct an_gmres_options o = {
        .transposed = transposed, .restart = 12, .iterations = 400, .tolerance = 1e-12};
    struct an_gmres_result r[3];
    const int before = omp_get_max_threads();
    const int64_t n = (int64_t)CELLS * 6;
    omp_set_num_threads(threads);
    assert_int_equal(an_block_matrix_new(&l, 6, &a), AN_OK);
    assert_int_equal(an_block_matrix_values(&a), AN_OK);
    a.tail = 5;
    fill(&a, 9);
    assert_int_equal(an_block_factor_new(&a, 700, &f), AN_OK);
    assert_int_equal(an_block_factor_fill(&a, &f), AN_OK);
    double *b[3], *left = numbers(n, 1);
    for (int s = 0; s < 3; s++) {
        b[s] = numbers(n, 23u + (uint32_t)s);
        memset(x[s], 0, (size_t)n * sizeof *x[s]);
    }
    for (int s = 0; s < 3; s += together)
        assert_int_equal(
            an_block_gmres(&a, &f, &o, together, (const double *const *)b + s, x + s, r + s),
            AN_OK);
    an_block_matrix_turn(&a, 0);
    for (int s = 0; s < 3; s++) {
        multiply_plainly(&a, transposed, x[s], left);
        assert_true(apart(n, left, b[s]) < 1e-9);
        assert_true(r[s].reached <= o.tolerance && r[s].iterations < 100);
        free(b[s]);
    }
    free(left);
    unmake(&l, &a, &f);
    omp_set_num_threads(before);
    return r[0].iterations;
}

static void solutions_have_the_same_bits(void **state)
{
    const int64_t n = (int64_t)CELLS * 6;
    double *x[2][3];
    (void)state;
    for (int m = 0; m < 6; m++)
        x[m / 3][m % 3] = numbers(n, 1);
    for (int transposed = 0; transposed < 2; transposed++) {
        const int count = solve(transposed, 1, 3, x[0]);
        for (int other = 0; other < 2; other++) { /* more threads; one system after the other */
            assert_int_equal(solve(transposed, other ? 1 : 5, other ? 1 : 3, x[1]), count);
            for (int s = 0; s < 3; s++)
                assert_memory_equal(x[0][s], x[1][s], (size_t)n * sizeof *x[0][s]);
        }
    }
    for (int m = 0; m < 6; m++)
        free(x[m / 3][m % 3]);
}

/* Cells of a column of the plane are coupled ten times as strongly as those of different columns. */
static void fill_lines(struct an_block_matrix *a)
{
    fill(a, 9);
    for (int64_t i = 0; i < a->n; i++)
        for (int64_t m = a->pattern->first[i]; m < a->pattern->first[i + 1]; m++)
            for (int k = 0; k < a->nv * a->nv; k++)
                if (labs((long)(a->pattern->list[m] - i)) == 1)
                    a->value[m * a->nv * a->nv + k] *= 0.1;
}

static void subdomains_follow_strong_couplings(void **state)
{
    enum { MOST = 600 };
    struct an_lists l = plane();
    struct an_block_matrix a;
    struct an_block_factor f;
    int size[CELLS] = {0}, cut[2] = {0};
    (void)state;
    assert_int_equal(an_block_matrix_new(&l, 5, &a), AN_OK);
    assert_int_equal(an_block_matrix_values(&a), AN_OK);
    a.tail = 3;
    fill_lines(&a);
    assert_int_equal(an_block_factor_new(&a, MOST, &f), AN_OK);
    assert_true(f.nparts >= CELLS / MOST && f.nparts < 3 * CELLS / MOST && f.cells == CELLS - 3);
    for (int64_t i = 0; i < f.cells; i++) {
        assert_in_range(f.part[i], 0, f.nparts - 1);
        size[f.part[i]]++;
        for (int64_t m = l.first[i]; m < l.first[i + 1]; m++)
            if (l.list[m] > i && l.list[m] < f.cells)
                cut[l.list[m] - i == EDGE] += f.part[i] != f.part[l.list[m]];
    }
    for (int p = 0; p < f.nparts; p++)
        assert_in_range(size[p], 1, MOST);
    assert_true(3 * cut[1] < cut[0]); /* along columns, across them */
    /* the cells that it owns and some around them */
    assert_true(f.rows > f.cells && f.rows < 2 * f.cells);
    unmake(&l, &a, &f);
}

/* Vectors whose flow is constant on each subdomain and whose turbulence is zero there, with any numbers in the tail, are solved for
 * at once. */
static void look_at_means(int nv)
{
    const int64_t n = (int64_t)CELLS * nv;
    struct an_lists l = plane();
    struct an_block_matrix a;
    struct an_block_factor f;
    double *x = numbers(n, 3), *b = numbers(n, 1), *y = numbers(n, 1);
    assert_int_equal(an_block_matrix_new(&l, nv, &a), AN_OK);
    assert_int_equal(an_block_matrix_values(&a), AN_OK);
    a.tail = 3;
    fill(&a, 9);
    assert_int_equal(an_block_factor_new(&a, 700, &f), AN_OK);
    assert_int_equal(an_block_factor_fill(&a, &f), AN_OK);
    for (int64_t i = 0; i < f.cells; i++)
        for (int v = 0; v < nv; v++)
            x[i * nv + v] = v < 5 ? 1 + f.part[i] + 0.1 * v : 0;
    for (int m = 0; m < 3; m++) { /* A, A^T, A: the factors are turned twice */
        const double *const in = b;
        multiply_plainly(&a, m == 1, x, b);
        an_block_solve(&f, m == 1, 1, &in, &y);
        assert_true(apart(n, x, y) < 1e-5 * f.nparts);
    }
    const int64_t rows = f.coarse.n * nv;
    for (int64_t m = 0; m < rows * (rows - 3 * nv); m++) /* turbulence rests */
        assert_true(m / rows % nv < 5 || f.coarse.inverse[m] == 0);
    free(x);
    free(b);
    free(y);
    unmake(&l, &a, &f);
}

static void means_are_corrected(void **state)
{
    (void)state;
    look_at_means(5);
    look_at_means(7);
}

/* Cells 0 - 1 - 3 - 2 - 0. */
static struct an_lists ring(void)
{
    static const int32_t list[12] = {0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3};
    struct an_lists l = {.n = 4};
    l.first = malloc(5 * sizeof *l.first);
    l.list = malloc(sizeof list);
    assert_true(l.first && l.list);
    memcpy(l.list, list, sizeof list);
    for (int c = 0; c < 5; c++)
        l.first[c] = 3L * c;
    return l;
}

/* The first cell of four in a ring fills the block between its two neighbours; the factors are exact then. Where this block would be
 * tiny it is left out. */
static void fill_is_kept_where_it_matters(void **state)
{
    (void)state;
    for (int tiny = 0; tiny < 2; tiny++) {
        struct an_lists l = ring();
        struct an_block_matrix a;
        struct an_block_factor f;
        double *x = numbers(20, 3), *b = numbers(20, 1), *y = numbers(20, 1);
        const double *const in = b;
        assert_int_equal(an_block_matrix_new(&l, 5, &a), AN_OK);
        assert_int_equal(an_block_matrix_values(&a), AN_OK);
        fill(&a, tiny ? 1e5 : 4);
        assert_int_equal(an_block_factor_new(&a, 700, &f), AN_OK);
        assert_int_equal(f.pattern.first[4], tiny ? 12 : 14);
        assert_int_equal(an_block_factor_fill(&a, &f), AN_OK);
        for (int transposed = 0; transposed < 2; transposed++) {
            multiply_plainly(&a, transposed, x, b);
            an_block_solve(&f, transposed, 1, &in, &y);
            assert_true(apart(20, x, y) < 1e-5);
        }
        free(x);
        free(b);
        free(y);
        unmake(&l, &a, &f);
    }
}

/* Off-diagonal blocks of a diagonal that is too small make substitutions grow. */
static void unstable_factors_are_mended(void **state)
{
    struct an_lists l = plane();
    struct an_block_matrix a;
    struct an_block_factor f;
    int enlarged = 0;
    (void)state;
    assert_int_equal(an_block_matrix_new(&l, 5, &a), AN_OK);
    assert_int_equal(an_block_matrix_values(&a), AN_OK);
    fill(&a, 9);
    assert_int_equal(an_block_factor_new(&a, 700, &f), AN_OK);
    assert_int_equal(an_block_factor_fill(&a, &f), AN_OK);
    for (int p = 0; p < f.nparts; p++)
        assert_true(f.shift[p] == 0 && f.growth[p] > 0.5 && f.growth[p] < 2);
    for (int64_t i = 0; i < CELLS / 3; i++) /* so that only the first subdomains are unstable */
        for (int64_t m = l.first[i]; m < l.first[i + 1]; m++)
            for (int k = 0; k < 25 && l.list[m] == i; k++)
                a.value[25 * m + k] *= 0.29;
    assert_int_equal(an_block_factor_fill(&a, &f), AN_OK);
    for (int p = 0; p < f.nparts; p++) {
        enlarged += f.shift[p] > 0;
        assert_true(f.growth[p] < 100);
    }
    assert_in_range(enlarged, 1, f.nparts - 1);
    unmake(&l, &a, &f);
}

static void a_singular_cell_is_named(void **state)
{
    struct an_lists l = plane();
    struct an_block_matrix a;
    struct an_block_factor f;
    (void)state;
    assert_int_equal(an_block_matrix_new(&l, 5, &a), AN_OK);
    assert_int_equal(an_block_matrix_values(&a), AN_OK);
    fill(&a, 9);
    for (int64_t m = l.first[77]; m < l.first[78]; m++)
        memset(a.value + m * 25, 0, 25 * sizeof *a.value);
    assert_int_equal(an_block_factor_new(&a, 700, &f), AN_OK);
    assert_int_equal(an_block_factor_fill(&a, &f), AN_DIVERGED);
    assert_non_null(strstr(an_error_text(), "cell 77 "));
    unmake(&l, &a, &f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_the_definition),
        cmocka_unit_test(solutions_have_the_same_bits),
        cmocka_unit_test(subdomains_follow_strong_couplings),
        cmocka_unit_test(means_are_corrected),
        cmocka_unit_test(fill_is_kept_where_it_matters),
        cmocka_unit_test(unstable_factors_are_mended),
        cmocka_unit_test(a_singular_cell_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

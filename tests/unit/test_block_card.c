/* Matrices of blocks, their factors and GMRES in engine memory, by the kernels of the CUDA engine on the host, against the host's own
 * code: a plane of cells with five neighbours each, pseudo-random blocks whose diagonals dominate, and a tail of two rows. */
#include "kernels/emulated/emulated_engine.h"
#include "kernels/engine/sparse.h"
#include "solver/adjoint/block_card.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/numbers.h"

enum { EDGE = 14, CELLS = EDGE * EDGE, TAIL = 2, ROWS = CELLS + TAIL, MOST = 60 };

/* Row r of the tail is joined to the cells of line r of the plane, and to itself. */
static struct an_lists plane(void)
{
    struct an_lists l = {.n = ROWS};
    l.first = calloc(ROWS + 1, sizeof *l.first);
    l.list = malloc((6 * CELLS + ROWS) * sizeof *l.list);
    assert_true(l.first && l.list);
    for (int c = 0; c < ROWS; c++) {
        const int i = c % EDGE, j = c / EDGE;
        const int near[6] = {
            j > 0 ? c - EDGE : -1,     i > 0 ? c - 1 : -1,           c,
            i < EDGE - 1 ? c + 1 : -1, j < EDGE - 1 ? c + EDGE : -1, j < TAIL ? CELLS + j : -1};
        l.first[c + 1] = l.first[c];
        for (int n = 0; n < 6 && c < CELLS; n++)
            if (near[n] >= 0)
                l.list[l.first[c + 1]++] = near[n];
        for (int n = 0; n < EDGE && c >= CELLS; n++)
            l.list[l.first[c + 1]++] = (c - CELLS) * EDGE + n;
        if (c >= CELLS)
            l.list[l.first[c + 1]++] = c;
    }
    return l;
}

struct pair {
    struct an_engine e;
    struct an_lists l;
    struct an_block_card card;
    struct an_block_matrix host, there; /* the same values */
    struct an_block_factor factor[2];   /* of both */
};

/* dominance: of the diagonals. factors: are they wanted? Returns what filling those of the card says. */
static int make(struct pair *p, int nv, double dominance, int factors)
{
    uint32_t seed = 7;
    memset(p, 0, sizeof *p);
    p->l = plane();
    assert_int_equal(an_engine_emulated_new(AN_DOUBLE, &p->e), AN_OK);
    assert_non_null(p->e.sparse);
    assert_int_equal(an_block_matrix_new(&p->l, nv, &p->host), AN_OK);
    assert_int_equal(an_block_matrix_values(&p->host), AN_OK);
    assert_int_equal(an_block_matrix_new(&p->l, nv, &p->there), AN_OK);
    p->host.tail = p->there.tail = TAIL;
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t m = p->l.first[i]; m < p->l.first[i + 1]; m++)
            for (int k = 0; k < nv * nv; k++)
                p->host.value[m * nv * nv + k] =
                    number(&seed) + (p->l.list[m] == i && k % nv == k / nv ? dominance : 0);
    assert_int_equal(an_block_card_new(&p->e, &p->there, &p->card), AN_OK);
    assert_int_equal(an_block_card_upload(&p->host, &p->card), AN_OK);
    p->there.card = &p->card;
    if (!factors)
        return AN_OK;
    assert_int_equal(an_block_factor_new(&p->host, MOST, &p->factor[0]), AN_OK);
    assert_int_equal(an_block_factor_new(&p->there, MOST, &p->factor[1]), AN_OK);
    assert_true(p->factor[0].nparts == p->factor[1].nparts && p->factor[0].nparts > 2);
    return an_block_factor_fill(&p->there, &p->factor[1]);
}

static void unmake(struct pair *p)
{
    for (int m = 0; m < 2; m++)
        an_block_factor_free(&p->factor[m]);
    an_block_matrix_free(&p->host);
    an_block_matrix_free(&p->there);
    an_block_card_free(&p->card);
    an_lists_free(&p->l);
    an_engine_destroy(&p->e);
}

static void products_are_those_of_the_host(void **state)
{
    (void)state;
    for (int nv = 5; nv <= 7; nv++) {
        struct pair p;
        const int64_t n = (int64_t)ROWS * nv;
        make(&p, nv, 4, 0);
        double *x = numbers(n, 3), *y[2] = {numbers(n, 1), numbers(n, 1)};
        const double *const in = x;
        for (int m = 0; m < 4; m++) { /* A, A^T, A^T, A: the matrix is turned twice */
            const int t = m == 1 || m == 2;
            assert_int_equal(an_block_multiply(&p.host, t, 1, &in, &y[0]), AN_OK);
            assert_int_equal(an_block_multiply(&p.there, t, 1, &in, &y[1]), AN_OK);
            assert_true(apart(n, y[0], y[1]) < 1e-12);
        }
        free(x);
        free(y[0]);
        free(y[1]);
        unmake(&p);
    }
}

/* M^-1 of n vectors on the card. */
static void precondition(struct pair *p, int transposed, int n, double **b, double **x)
{
    const size_t bytes = (size_t)(ROWS * p->host.nv) * sizeof(double);
    struct an_block_card room = {.e = &p->e};
    double *from[AN_MOST_TOGETHER], *to[AN_MOST_TOGETHER];
    assert_int_equal(an_block_card_turn(&p->card, transposed), AN_OK);
    for (int s = 0; s < n; s++) {
        assert_int_equal(an_block_card_room(&room, bytes, &from[s]), AN_OK);
        assert_int_equal(an_block_card_room(&room, bytes, &to[s]), AN_OK);
        assert_int_equal(p->e.op->upload(&p->e, from[s], b[s], bytes, 0), AN_OK);
    }
    assert_int_equal(
        p->e.sparse->precondition(&p->e, &p->card.f, n, (const double *const *)from, to), AN_OK);
    for (int s = 0; s < n; s++)
        assert_int_equal(p->e.op->download(&p->e, x[s], to[s], bytes, 0), AN_OK);
    an_block_card_free(&room);
}

/* Both are in single precision. */
static void factors_are_those_of_the_host(void **state)
{
    (void)state;
    for (int nv = 5; nv <= 7; nv++) {
        struct pair p;
        const int64_t n = (int64_t)ROWS * nv;
        double *b[AN_MOST_TOGETHER], *x[2][AN_MOST_TOGETHER];
        assert_int_equal(make(&p, nv, 9, 1), AN_OK);
        assert_int_equal(an_block_factor_fill(&p.host, &p.factor[0]), AN_OK);
        for (int s = 0; s < AN_MOST_TOGETHER; s++) {
            b[s] = numbers(n, 5u + (uint32_t)s);
            x[0][s] = numbers(n, 1);
            x[1][s] = numbers(n, 1);
        }
        for (int m = 0; m < 4; m++) { /* both of A, both of A^T, and back */
            const int t = m == 1 || m == 2, together = m + 1;
            an_block_solve(&p.factor[0], t, together, (const double *const *)b, x[0]);
            precondition(&p, t, together, b, x[1]);
            for (int s = 0; s < together; s++)
                assert_true(apart(n, x[0][s], x[1][s]) < 2e-6);
        }
        for (int s = 0; s < AN_MOST_TOGETHER; s++) {
            free(b[s]);
            free(x[0][s]);
            free(x[1][s]);
        }
        unmake(&p);
    }
}

static void gmres_solves(void **state)
{
    struct pair p;
    const int64_t n = (int64_t)ROWS * 6;
    double *b[3], *x[3], *left = numbers(n, 1);
    struct an_gmres_result r[3];
    (void)state;
    assert_int_equal(make(&p, 6, 9, 1), AN_OK);
    for (int s = 0; s < 3; s++) {
        b[s] = numbers(n, 23u + (uint32_t)s);
        x[s] = calloc((size_t)n, sizeof *x[s]);
    }
    for (int t = 0; t < 2; t++) {
        const struct an_gmres_options o = {
            .transposed = t, .restart = 7, .iterations = 200, .tolerance = 1e-12};
        for (int s = 0; s < 3; s++)
            memset(x[s], 0, (size_t)n * sizeof *x[s]);
        assert_int_equal(
            an_block_gmres(&p.there, &p.factor[1], &o, 3, (const double *const *)b, x, r), AN_OK);
        for (int s = 0; s < 3; s++) {
            const double *const in = x[s];
            assert_int_equal(an_block_multiply(&p.host, t, 1, &in, &left), AN_OK);
            assert_true(apart(n, left, b[s]) < 1e-9);
            assert_true(r[s].reached <= o.tolerance && r[s].iterations < 60);
        }
        /* from the solution on there is nothing to do */
        assert_int_equal(
            an_block_gmres(&p.there, &p.factor[1], &o, 1, (const double *const *)b, x, r), AN_OK);
        assert_int_equal(r[0].iterations, 0);
    }
    for (int s = 0; s < 3; s++) {
        free(b[s]);
        free(x[s]);
    }
    free(left);
    unmake(&p);
}

static void a_singular_block_is_named(void **state)
{
    struct pair p;
    const double none[36] = {0};
    (void)state;
    make(&p, 6, 9, 1);
    for (int64_t m = p.l.first[77]; m < p.l.first[78]; m++)
        assert_int_equal(p.e.op->upload(&p.e, p.card.a.value + 36 * m, none, sizeof none, 0),
                         AN_OK);
    assert_int_equal(an_block_factor_fill(&p.there, &p.factor[1]), AN_DIVERGED);
    assert_non_null(strstr(an_error_text(), "cell 77"));
    unmake(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_the_host),
        cmocka_unit_test(factors_are_those_of_the_host),
        cmocka_unit_test(gmres_solves),
        cmocka_unit_test(a_singular_block_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

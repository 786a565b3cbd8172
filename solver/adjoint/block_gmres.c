/* Restarted GMRES for block matrices. */
#include "solver/adjoint/block_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct gmres {
    const struct an_block_matrix *a;
    const struct an_block_factor *f;
    const struct an_gmres_options *o;
    int64_t n;    /* numbers of a vector */
    double *v;    /* [restart + 1][n] */
    double *z;    /* [n] */
    double *h;    /* [restart][restart + 2] columns of the Hessenberg matrix, made triangular */
    double *turn; /* [restart][2] cosines and sines */
    double *g;    /* [restart + 1] */
};

/* w = b - A x; returns its norm. */
static double residual_of(const struct gmres *q, const double *b, const double *x, double *w)
{
    an_block_multiply(q->a, q->o->transposed, x, w);
    for (int64_t m = 0; m < q->n; m++)
        w[m] = b[m] - w[m];
    return sqrt(an_block_dot(q->n, w, w));
}

/* The next vector: v[k + 1] = A M^-1 v[k], made orthogonal to those before. */
static void expand(const struct gmres *q, int k)
{
    double *h = q->h + (size_t)k * (size_t)(q->o->restart + 2), *w = q->v + q->n * (k + 1);
    an_block_solve(q->f, q->o->transposed, q->v + q->n * k, q->z);
    an_block_multiply(q->a, q->o->transposed, q->z, w);
    for (int j = 0; j <= k; j++)
        h[j] = 0;
    for (int twice = 0; twice < 2; twice++)
        for (int j = 0; j <= k; j++) {
            const double *v = q->v + q->n * j, s = an_block_dot(q->n, w, v);
            h[j] += s;
#pragma omp parallel for
            for (int64_t m = 0; m < q->n; m++)
                w[m] -= s * v[m];
        }
    h[k + 1] = sqrt(an_block_dot(q->n, w, w));
    const double over = h[k + 1] > 0 ? 1 / h[k + 1] : 0;
    for (int64_t m = 0; m < q->n; m++)
        w[m] *= over;
}

/* Givens rotations of column k. */
static void rotate(const struct gmres *q, int k)
{
    double *h = q->h + (size_t)k * (size_t)(q->o->restart + 2);
    for (int j = 0; j < k; j++) {
        const double c = q->turn[2 * j], s = q->turn[2 * j + 1], x = h[j];
        h[j] = c * x + s * h[j + 1];
        h[j + 1] = -s * x + c * h[j + 1];
    }
    const double size = hypot(h[k], h[k + 1]);
    const double c = size > 0 ? h[k] / size : 1, s = size > 0 ? h[k + 1] / size : 0;
    q->turn[2 * k] = c;
    q->turn[2 * k + 1] = s;
    h[k] = size;
    h[k + 1] = 0;
    q->g[k + 1] = -s * q->g[k];
    q->g[k] *= c;
}

/* x += M^-1 V y with the k vectors found. */
static void take(const struct gmres *q, int k, double *x)
{
    const size_t column = (size_t)(q->o->restart + 2);
    for (int i = k - 1; i >= 0; i--) {
        for (int j = i + 1; j < k; j++)
            q->g[i] -= q->h[(size_t)j * column + (size_t)i] * q->g[j];
        q->g[i] /= q->h[(size_t)i * column + (size_t)i];
    }
    memset(q->z, 0, (size_t)q->n * sizeof *q->z);
    for (int j = 0; j < k; j++)
        for (int64_t m = 0; m < q->n; m++)
            q->z[m] += q->g[j] * q->v[q->n * j + m];
    an_block_solve(q->f, q->o->transposed, q->z, q->z);
    for (int64_t m = 0; m < q->n; m++)
        x[m] += q->z[m];
}

static void iterate(const struct gmres *q, const double *b, double *x, struct an_gmres_result *r)
{
    const double size = sqrt(an_block_dot(q->n, b, b));
    double left = residual_of(q, b, x, q->v), before = INFINITY;
    r->iterations = 0;
    while (left > q->o->tolerance * size && left < 0.999 * before &&
           r->iterations < q->o->iterations) {
        int k = 0;
        before = left;
        for (int64_t m = 0; m < q->n; m++)
            q->v[m] /= left;
        q->g[0] = left;
        while (k < q->o->restart && r->iterations < q->o->iterations &&
               fabs(q->g[k]) > 0.5 * q->o->tolerance * size) {
            expand(q, k);
            rotate(q, k);
            k++;
            r->iterations++;
        }
        take(q, k, x);
        left = residual_of(q, b, x, q->v);
    }
    r->reached = size > 0 ? left / size : 0;
}

int an_block_gmres(const struct an_block_matrix *a, const struct an_block_factor *f,
                   const struct an_gmres_options *o, const double *b, double *x,
                   struct an_gmres_result *result)
{
    struct gmres q = {.a = a, .f = f, .o = o, .n = a->n * a->nv};
    const size_t n = (size_t)q.n + 1, m = (size_t)o->restart;
    q.v = malloc((m + 1) * n * sizeof *q.v);
    q.z = malloc(n * sizeof *q.z);
    q.h = calloc(m * (m + 2), sizeof *q.h);
    q.turn = malloc(2 * m * sizeof *q.turn);
    q.g = malloc((m + 1) * sizeof *q.g);
    const int good = q.v && q.z && q.h && q.turn && q.g;
    if (good)
        iterate(&q, b, x, result);
    free(q.v);
    free(q.z);
    free(q.h);
    free(q.turn);
    free(q.g);
    AN_CHECK(good, AN_FAIL, "out of memory for %d vectors of GMRES", o->restart + 1);
    return AN_OK;
}

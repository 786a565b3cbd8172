/* Incomplete factors that are stable. Small pivots may let substitutions grow without bounds although A is regular (Chow and Saad,
 * J. Comput. Appl. Math. 86, 1997): what factors do to a vector is measured, and diagonal blocks are enlarged where it is too much. */
#include "mpi/reduce.h"
#include "solver/adjoint/block_card.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Random signs, of own cells. */
static void set_signs(const struct an_block_factor *f, double *v)
{
    uint32_t seed = 5;
    memset(v, 0, (size_t)(f->n * f->nv) * sizeof *v);
    for (int64_t m = 0; m < f->cells * f->nv; m++) {
        seed = seed * 1664525u + 1013904223u;
        v[m] = seed >> 31 ? 1 : -1;
    }
}

/* z = A M^-1 v without the correction of means. */
static int apply(struct an_block_matrix *a, struct an_block_factor *f, const double *v, double *x,
                 double *z)
{
    const double *in = v;
    if (a->card)
        return an_block_card_apply(f, a->card, v, z);
    f->coarse.rests = 1;
    const int status = an_block_solve(f, 0, 1, &in, &x);
    f->coarse.rests = 0;
    AN_TRY(status);
    in = x;
    return an_block_multiply(a, 0, 1, &in, &z);
}

/* The growth: the root of the mean square of z on the rows that each subdomain owns; that of v is 1. */
static void add_up(struct an_block_factor *f, const double *z)
{
    const int nv = f->nv;
    for (int p = 0; p < f->nparts; p++) {
        int64_t count = 0;
        double sum = 0;
        for (int64_t i = f->first[p]; i < f->first[p + 1]; i++)
            for (int v = 0; v < nv && f->part[f->cell[i]] == p; v++) {
                const double x = z[nv * (int64_t)f->cell[i] + v];
                sum += x * x;
                count++;
            }
        f->growth[p] = sqrt(sum / (double)count);
    }
}

/* Collective. */
static int find_growth(struct an_block_matrix *a, struct an_block_factor *f)
{
    const size_t n = (size_t)(f->n * f->nv);
    double *room = malloc((3 * n + 1) * sizeof *room);
    int status = room ? AN_OK : an_error_set(AN_FAIL, "out of memory for incomplete factors");
    AN_TRY(f->ranks ? an_ranks_agree(f->ranks, status) : status);
    set_signs(f, room);
    status = apply(a, f, room, room + n, room + 2 * n);
    if (status == AN_OK)
        add_up(f, room + 2 * n);
    free(room);
    return status;
}

/* Enlarges the diagonal blocks of subdomains whose factors are unstable or singular: by 5, 10, 20 % and so on. Returns their largest
 * growth, infinity where there are singular ones; 0: there are none. */
static double stabilise(struct an_block_factor *f)
{
    const double most = 100;
    double worst = 0;
    for (int p = 0; p < f->nparts; p++) {
        const int good = isfinite(f->growth[p]) && f->singular[p] < 0;
        const double g = good ? f->growth[p] : INFINITY;
        f->again[p] = g > most;
        if (f->again[p])
            f->shift[p] = f->shift[p] > 0 ? 2 * f->shift[p] : 0.05;
        worst = fmax(worst, g);
    }
    return worst > most ? worst : 0;
}

int an_block_factor_fill(struct an_block_matrix *a, struct an_block_factor *f)
{
    enum { MOST_ROUNDS = 6 };
    double worst = INFINITY;
    int32_t cell = -1;
    for (int p = 0; p < f->nparts; p++) {
        f->shift[p] = 0;
        f->again[p] = 1;
    }
    f->transposed = 0;
    for (int round = 0; round < MOST_ROUNDS && worst > 0; round++) {
        for (int p = 0; p < f->nparts; p++)
            f->singular[p] = f->again[p] ? -1 : f->singular[p];
        const int status = an_block_eliminate(a, f);
        AN_TRY(f->ranks ? an_ranks_agree(f->ranks, status) : status);
        AN_TRY(find_growth(a, f));
        worst = stabilise(f);
        if (f->ranks)
            AN_TRY(an_reduce_max(f->ranks->comm, 1, &worst));
    }
    int status = AN_OK;
    for (int p = 0; p < f->nparts; p++)
        cell = f->singular[p] > cell ? f->singular[p] : cell;
    if (cell >= 0)
        status = an_error_set(AN_DIVERGED,
                              "the linearised residual of cell %d of this rank is singular", cell);
    AN_TRY(f->ranks ? an_ranks_agree(f->ranks, status) : status);
    return a->card ? an_block_card_means(f, a->card) : an_block_coarse_fill(a, f->part, &f->coarse);
}

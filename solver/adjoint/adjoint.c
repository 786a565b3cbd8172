#include "solver/adjoint/adjoint.h"

#include "kernels/engine/meter.h"
#include "kernels/engine/model.h"
#include "mpi/reduce.h"
#include "solver/level/transfer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Vectors of GMRES before it restarts, and iterations at most; cells of a subdomain at most, and how many of the largest subdomains at
 * least make up a large mesh: the correction of means is a dense matrix. */
enum { MOST_ITERATIONS = 2000, PART = 2500, PARTS = 200 };

/* On thin cells GMRES gets nowhere with 100 vectors; with 240 they take more memory than the matrix, which large meshes may not have. */
static int restart_of(const struct an_adjoint *a)
{
    return a->cells.all > 500000 ? 100 : 240;
}

static int check_flow(const struct an_solver *s)
{
    const struct an_case *c = s->c;
    AN_CHECK(s->level->layout.precision == AN_DOUBLE, AN_INPUT,
             "the adjoint needs 'precision: double'");
    AN_CHECK(c->march.mode == AN_MARCH_STEADY, AN_INPUT,
             "%s: 'march.mode' is unsteady: the adjoint is that of a steady flow", c->file);
    AN_CHECK(
        !s->params.gas.n && !s->params.gas.ends && !s->params.gas.table, AN_INPUT,
        "%s: the adjoint needs a gas with constant cp ('gas.gamma'), not 'gas.cp', 'gas.table' "
        "or a mixture",
        c->file);
    AN_CHECK(c->turbulence.model != AN_TURBULENCE_MIXING_LENGTH, AN_INPUT,
             "%s: the adjoint knows 'turbulence.model: none', 'sa' and 'sst', not '%s'", c->file,
             an_model_of(c->turbulence.model)->name);
    AN_CHECK(!an_case_has_transition(c) && !c->turbulence.des, AN_INPUT,
             "%s: the adjoint does not know 'turbulence.transition' and 'turbulence.des'", c->file);
    AN_CHECK(s->iteration == 0 || s->iteration >= c->march.smooth_start, AN_INPUT,
             "%s: iteration %lld still has the dissipation of 'march.smooth_start: %d': go on with "
             "`annulus run`",
             c->file, (long long)s->iteration, c->march.smooth_start);
    AN_CHECK(!c->nscalar, AN_INPUT, "%s: the adjoint does not know 'scalars'", c->file);
    AN_CHECK(!c->nleakage && !c->nsolid_wall, AN_INPUT,
             "%s: the adjoint does not know 'leakages' and 'solid_walls'", c->file);
    return AN_OK;
}

static int check_boundary(const struct an_solver *s, int b)
{
    const struct an_case *c = s->c;
    const char *name = s->mesh->topology.boundary[b].name;
    const struct an_case_boundary *k = an_case_boundary_find(c, name);
    switch (s->boundary[b].type) {
    case AN_BC_SLIDING_PLANE:
    case AN_BC_ABUTTING:
        return an_error_set(AN_INPUT,
                            "%s: boundary '%s' is of type %s, which the adjoint does not know yet: "
                            "it takes rows that are joined one to one or by mixing planes",
                            c->file, name, an_bc_type_name((enum an_bc_type)s->boundary[b].type));
    default:
        break;
    }
    AN_CHECK(!k || (k->type != AN_BC_COOLING && k->type != AN_BC_BLEED), AN_INPUT,
             "%s: boundary '%s': the adjoint does not know cooling and bleed",
             an_case_at(c, k->line), name);
    AN_CHECK(!k || k->outlet.non_reflecting != AN_WAVES_TWO_D, AN_INPUT,
             "%s: boundary '%s': the adjoint does not know 'non_reflecting: two_d'",
             an_case_at(c, k->line), name);
    AN_CHECK(!k || k->type != AN_BC_INLET_TOTAL || !k->outlet.non_reflecting, AN_INPUT,
             "%s: boundary '%s': the adjoint does not know inlets with 'non_reflecting'",
             an_case_at(c, k->line), name);
    return AN_OK;
}

int an_adjoint_check(const struct an_solver *s)
{
    AN_TRY(check_flow(s));
    for (int b = 0; b < s->mesh->topology.nboundary; b++)
        AN_TRY(check_boundary(s, b));
    return AN_OK;
}

/* That of the matrix. */
static const struct an_lists *pattern_of(const struct an_adjoint *a)
{
    return a->residual.targets.n ? &a->pattern : &a->cells.reach;
}

/* Does the engine hold matrix and vectors? On several ranks the host does. */
static int has_card(const struct an_adjoint *a)
{
    return a->s->engine->sparse && a->s->nrank == 1;
}

/* The matrix of cells and targets. Where the engine works with matrices, it holds the values; equations of targets, which the
 * host finds, need them on the host, too. */
static int new_matrix(struct an_adjoint *a)
{
    struct an_block_matrix *m = &a->jacobian;
    if (a->s->nrank > 1)
        AN_TRY(an_block_matrix_share(pattern_of(a), a->nv, &a->cells, m));
    else
        AN_TRY(an_block_matrix_new(pattern_of(a), a->nv, m));
    m->tail = a->residual.targets.n;
    if (has_card(a)) {
        AN_TRY(an_block_card_new(a->s->engine, m, &a->card));
        m->card = &a->card;
    }
    return m->card && !m->tail ? AN_OK : an_block_matrix_values(m);
}

static int together(int figures)
{
    return figures < AN_MOST_TOGETHER ? figures : AN_MOST_TOGETHER;
}

/* Of the matrix with its pattern, of its factors, and of the vectors of GMRES. */
static double bytes_of(const struct an_adjoint *a)
{
    const struct an_gmres_options o = {.restart = restart_of(a)};
    const double block = a->nv * a->nv,
                 blocks = (double)(pattern_of(a)->first[pattern_of(a)->n] + a->jacobian.nforeign);
    const double vectors = an_block_gmres_bytes(&a->jacobian, &o, together(a->nfigure));
    const double most = fmax(vectors, 8 * block * blocks); /* that of first order */
    if (a->jacobian.card)
        return a->card.bytes + most;
    return blocks * (8 * block + 12) + an_block_factor_bytes(&a->factor) + most;
}

/* AN_INPUT where `who` has less memory than the matrix needs. */
static int check_room(const struct an_adjoint *a, double needs, double has, const char *who,
                      const char *instead)
{
    AN_CHECK(needs < has, AN_INPUT,
             "the matrix of %lld cells, its factors and the vectors for %d figures at once need "
             "%.3g GB, and %s has %.3g GB: take a mesh with fewer cells, or %s",
             (long long)a->cells.all, together(a->nfigure), 1e-9 * needs, who, 1e-9 * has, instead);
    return AN_OK;
}

/* Of the ranks that share the memory of a machine. Collective. */
static int sum_of_host(const struct an_solver *s, double *bytes)
{
    MPI_Comm host;
    if (s->nrank == 1)
        return AN_OK;
    AN_MPI(MPI_Comm_split_type(s->comm, MPI_COMM_TYPE_SHARED, s->rank, MPI_INFO_NULL, &host));
    AN_MPI(MPI_Allreduce(MPI_IN_PLACE, bytes, 1, MPI_DOUBLE, MPI_SUM, host));
    AN_MPI(MPI_Comm_free(&host));
    return AN_OK;
}

static double bytes_of_host(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

/* Each rank finds the graph of the whole mesh, which is gone before the matrix gets its memory: for each cell 6 neighbours, the 25
 * cells of its residual, its colour, and room to find them. */
static int check_graph(const struct an_solver *s)
{
    const double each = 150;
    const struct an_topology *t = &s->level->partition.topology;
    double cells = 0;
    for (int b = 0; b < t->nblock; b++)
        cells += (double)t->block[b].n[0] * t->block[b].n[1] * t->block[b].n[2];
    double needs = each * cells;
    const double has = bytes_of_host();
    AN_TRY(sum_of_host(s, &needs));
    return an_reduce_status(
        s->comm,
        needs < has
            ? AN_OK
            : an_error_set(AN_INPUT,
                           "the graph of %.0f cells, which each rank finds, needs %.3g GB for all "
                           "ranks of this machine, and it has %.3g GB: take fewer ranks with more "
                           "threads each, or a mesh with fewer cells",
                           cells, 1e-9 * needs, 1e-9 * has));
}

/* The operating system hands out memory that it does not have, and ends the process when it is used. Before the factors are known,
 * which have up to twice as many blocks as the matrix, in single precision. A matrix with targets is on the host, too. */
static int check_own_memory(const struct an_adjoint *a)
{
    const struct an_gmres_options o = {.restart = restart_of(a)};
    const struct an_lists *p = pattern_of(a);
    const struct an_block_matrix m = {.n = a->residual.rows, .nv = a->nv};
    const double block = a->nv * a->nv, matrix = 8 * (double)p->first[p->n] * block;
    /* beside the factors there are the matrix of first order, and later the vectors */
    const double all =
        2 * matrix + fmax(matrix, an_block_gmres_bytes(&m, &o, together(a->nfigure)));
    int64_t left = 0, room = 0;
    if (has_card(a))
        AN_TRY(an_engine_room(a->s->engine, &left, &room));
    if (room > 0)
        AN_TRY(check_room(a, all, (double)left, "the device", "the CPU by --device cpu"));
    double needs = room == 0 ? all : a->residual.targets.n ? matrix : 0;
    AN_TRY(sum_of_host(a->s, &needs));
    return check_room(a, needs, bytes_of_host(), "this machine",
                      a->s->nrank > 1 ? "more machines" : "a machine with more memory");
}

static int check_memory(const struct an_adjoint *a)
{
    return an_reduce_status(a->s->comm, check_own_memory(a));
}

/* The volume of the largest cell of this rank. */
static int largest_cell(const struct an_adjoint *a, double *largest)
{
    double *v = malloc(((size_t)a->cells.n + 1) * sizeof *v);
    AN_CHECK(v, AN_FAIL, "out of memory");
    int status = AN_OK;
    *largest = 0;
    for (int b = 0; b < a->s->nlocal && status == AN_OK; b++)
        status = an_solver_download(a->s, AN_F_VOL, 1, b, v + a->cells.first[b]);
    for (int64_t m = 0; m < a->cells.n && status == AN_OK; m++)
        *largest = fmax(*largest, v[m]);
    free(v);
    return status;
}

/* Of a face of the largest cell of all ranks, as if it were a cube. */
static int find_area(struct an_adjoint *a)
{
    double largest;
    AN_TRY(an_reduce_status(a->s->comm, largest_cell(a, &largest)));
    AN_TRY(an_reduce_max(a->s->comm, 1, &largest));
    a->area = pow(largest, 2. / 3);
    return AN_OK;
}

int an_adjoint_new(struct an_solver *s, int nfigure, const char *const *figure,
                   struct an_adjoint *a)
{
    *a = (struct an_adjoint){.s = s, .nfigure = nfigure};
    AN_TRY(an_adjoint_check(s));
    AN_TRY(check_graph(s));
    AN_TRY(an_reduce_status(s->comm, an_adjoint_cells_new(s, &a->cells)));
    AN_TRY(find_area(a));
    AN_TRY(an_adjoint_residual_new(s, &a->cells, &a->residual));
    a->nv = a->residual.nv;
    if (a->residual.targets.n)
        AN_TRY(an_targets_graph(&a->residual.targets, &a->cells, &a->pattern));
    AN_TRY(check_memory(a));
    const size_t n = (size_t)(a->residual.rows * a->nv) + 1;
    a->figure = calloc((size_t)nfigure + 1, sizeof *a->figure);
    a->q = malloc(n * sizeof *a->q);
    a->gradient = calloc((size_t)nfigure * n + 1, sizeof *a->gradient);
    a->lambda = calloc((size_t)nfigure * n + 1, sizeof *a->lambda);
    a->left = calloc((size_t)nfigure + 1, sizeof *a->left);
    AN_CHECK(a->figure && a->q && a->gradient && a->lambda && a->left, AN_FAIL, "out of memory");
    for (int f = 0; f < nfigure; f++)
        AN_TRY(an_figure_find(s, figure[f], &a->figure[f]));
    AN_TRY(an_adjoint_state(&a->residual, a->q));
    return new_matrix(a);
}

void an_adjoint_free(struct an_adjoint *a)
{
    an_adjoint_cells_free(&a->cells);
    an_adjoint_residual_free(&a->residual);
    an_figure_weights_free(&a->weights);
    an_block_matrix_free(&a->jacobian);
    an_block_card_free(&a->card);
    an_block_factor_free(&a->factor);
    an_lists_free(&a->pattern);
    free(a->figure);
    free(a->q);
    free(a->gradient);
    free(a->lambda);
    free(a->left);
    memset(a, 0, sizeof *a);
}

/* The derivatives of the scheme of first order, which are dominated by their diagonals: incomplete factors of those of
 * second order alone are unstable on the thin cells of boundary layers. */
static int linearise_first_order(struct an_adjoint *a, struct an_block_matrix *first)
{
    struct an_params *p = &a->s->params;
    const struct an_params kept = *p;
    const int nfigure = a->residual.nfigure;
    int evaluations;
    p->flux.limiter = AN_LIMITER_FIRST_ORDER;
    if (p->flux.k2 > 0) /* fourth differences become six times as many second ones */
        p->flux.sensor_least = fmax(p->flux.sensor_least, 6 * p->flux.k4 / p->flux.k2);
    p->flux.k4 = 0;
    p->turb.order = 1;
    a->residual.nfigure = 0;
    const int status = an_adjoint_jacobian(&a->residual, a->q, 1, first, a->gradient, &evaluations);
    a->residual.nfigure = nfigure;
    *p = kept;
    a->stats.evaluations += evaluations;
    return status;
}

/* A1 becomes A1 + by A2, numbers of the engine of a card or of the host. */
static int blend(struct an_adjoint *a, double *first, double by, const double *second)
{
    const struct an_lists *p = pattern_of(a);
    const int64_t n = (p->first[p->n] + a->jacobian.nforeign) * a->nv * a->nv;
    struct an_engine *e = a->s->engine;
    if (a->jacobian.card)
        return e->sparse->vector(e, AN_SPARSE_ADD, n, by, first, NULL, second);
#pragma omp parallel for schedule(static)
    for (int64_t m = 0; m < n; m++)
        first[m] += by * second[m];
    return AN_OK;
}

/* The factors of A1 + by A2. Collective. */
static int find_factors_of(struct an_adjoint *a, double *first, const double *second)
{
    const double by = 0.25; /* a fifth of the sum is A2 */
    struct an_block_matrix *j = &a->jacobian;
    const int64_t part = a->cells.all / PARTS > PART ? a->cells.all / PARTS : PART;
    AN_TRY(blend(a, first, by, second));
    if (!a->factor.n)
        AN_TRY(an_reduce_status(a->s->comm, an_block_factor_new(j, part, &a->factor)));
    return an_reduce_status(a->s->comm, an_block_factor_fill(j, &a->factor));
}

/* Factors of both matrices' sum: with those of first order alone GMRES takes more iterations, and those of second order alone are
 * unstable. The matrix of second order is there, and the other one has memory for the time being. */
static int find_factors(struct an_adjoint *a)
{
    const double started = MPI_Wtime();
    const int64_t blocks = pattern_of(a)->first[pattern_of(a)->n];
    struct an_block_card room = {.e = a->s->engine};
    struct an_block_matrix *j = &a->jacobian;
    double **value = j->card ? &j->card->a.value : &j->value, *second = *value;
    *value = NULL;
    int status =
        j->card
            ? an_block_card_room(&room, (size_t)(blocks * a->nv * a->nv) * sizeof **value, value)
            : an_block_matrix_values(j);
    status = an_reduce_status(a->s->comm, status);
    if (status == AN_OK)
        status = linearise_first_order(a, j);
    const double factored = MPI_Wtime();
    if (status == AN_OK)
        status = find_factors_of(a, *value, second);
    if (!j->card)
        free(*value);
    an_block_card_free(&room);
    *value = second;
    a->fresh = 0;
    a->worn = 0;
    a->stats.factor_s += MPI_Wtime() - factored;
    a->stats.linearise_s += factored - started;
    return status;
}

/* Derivatives about a->q; and factors, if there are none or the old ones are worn. */
static int linearise(struct an_adjoint *a)
{
    int evaluations;
    const double started = MPI_Wtime();
    AN_TRY(an_adjoint_jacobian(&a->residual, a->q, 0, &a->jacobian, a->gradient, &evaluations));
    a->stats.evaluations += evaluations;
    a->stats.linearise_s += MPI_Wtime() - started;
    if (!a->factor.n || a->worn) {
        AN_TRY(find_factors(a));
        if (a->residual.targets.n) { /* weighed about the scheme of first order now */
            AN_TRY(an_adjoint_evaluate(&a->residual, a->q, NULL, NULL));
            an_targets_weigh(&a->residual.targets);
        }
    }
    a->current = 1;
    return AN_OK;
}

/* Factors of an earlier state serve until GMRES needs many more iterations with them than at first, to the tolerance of Newton's
 * steps. */
static void judge_factors(struct an_adjoint *a, const struct an_gmres_result *r, int converged)
{
    a->fresh = a->fresh ? a->fresh : r->iterations;
    a->worn = !converged || r->iterations > 3 * a->fresh / 2 + 10;
}

/* The residual of q in its units; its largest is over the area, too. */
static int scaled_residual(struct an_adjoint *a, const double *q, double *r, double *largest)
{
    AN_TRY(an_adjoint_residual_of(&a->residual, q, r));
    *largest = 0;
    for (int64_t m = 0; m < a->cells.n; m++)
        if (an_adjoint_held(&a->residual, q + m * a->nv))
            r[m * a->nv + 5] = 0;
    for (int64_t m = 0; m < a->residual.rows; m++)
        for (int v = 0; v < a->nv; v++) {
            r[m * a->nv + v] /= a->residual.unit_r[v];
            *largest = fmax(*largest, fabs(r[m * a->nv + v]) / a->area);
        }
    a->stats.evaluations++;
    return a->s->nrank > 1 ? an_reduce_max(a->s->comm, 1, largest) : AN_OK;
}

/* anew: 1: linearises first, 0: with the matrix of an earlier step. room[2][n]. */
static int newton_step(struct an_adjoint *a, int anew, double *r, double *room, double *largest)
{
    const int64_t n = a->residual.rows * a->nv;
    double *dq = room, *q = room + n;
    const struct an_gmres_options o = {
        .restart = restart_of(a), .iterations = MOST_ITERATIONS, .tolerance = 1e-6};
    struct an_gmres_result result;
    const double before = *largest;
    if (anew)
        AN_TRY(linearise(a));
    memset(dq, 0, (size_t)n * sizeof *dq);
    const double *const right = r;
    AN_TRY(an_block_gmres(&a->jacobian, &a->factor, &o, 1, &right, &dq, &result));
    a->stats.iterations += result.iterations;
    judge_factors(a, &result, result.reached <= o.tolerance);
    for (double part = 1; part > 0.05; part *= 0.5) {
        for (int64_t m = 0; m < n; m++)
            q[m] = a->q[m] - part * dq[m] * a->residual.unit_q[m % a->nv];
        for (int64_t m = 0; m < a->cells.n && a->residual.nturb == 2; m++) /* as in the march */
            q[m * a->nv + 5] = fmax(q[m * a->nv + 5], 0.1 * a->q[m * a->nv + 5]);
        AN_TRY(scaled_residual(a, q, r, largest));
        if (*largest < before) {
            memcpy(a->q, q, (size_t)n * sizeof *q);
            a->current = 0;
            return AN_OK;
        }
    }
    return scaled_residual(a, a->q, r, largest); /* no better: as it was */
}

/* A line for a step. */
static void tell_step(const struct an_adjoint *a, int step, double before, double now,
                      double seconds)
{
    if (!a->progress)
        return;
    fprintf(a->progress, "newton      step %d: residual %.2e to %.2e, %.3g s\n", step, before, now,
            seconds);
    fflush(a->progress);
}

int an_adjoint_settle(struct an_adjoint *a, double residual, int most)
{
    enum {
        PATIENCE = 2
    }; /* steps with a new matrix that gain little: kinks of the scheme hold the residual of some cells */
    const size_t n = (size_t)(a->residual.rows * a->nv) + 1;
    double *r = malloc(3 * n * sizeof *r), largest = 0;
    int anew = !a->current, slow = 0;
    AN_CHECK(r, AN_FAIL, "out of memory for Newton steps");
    a->residual.nfigure = 0;
    int status = scaled_residual(a, a->q, r, &largest);
    if (!a->stats.newton)
        a->stats.residual = largest;
    for (int step = 0; step < most && largest > residual && status == AN_OK; step++) {
        const double before = largest, started = MPI_Wtime();
        status = newton_step(a, anew, r, r + n, &largest);
        tell_step(a, step + 1, before, largest, MPI_Wtime() - started);
        a->stats.newton += status == AN_OK && largest < before;
        const int fresh = anew || (step == 0);
        if (fresh && !(largest < 0.95 * before))
            break;
        slow = fresh && !(largest < 0.5 * before) ? slow + 1 : 0;
        if (slow >= PATIENCE && largest <= AN_ADJOINT_SETTLED)
            break;
        anew = !(largest < 0.1 * before); /* else the matrix still serves */
    }
    a->stats.settled = largest;
    free(r);
    return status;
}

int an_adjoint_check_matrix(struct an_adjoint *a)
{
    const int64_t n = a->residual.rows * a->nv;
    const double *unit_q = a->residual.unit_q;
    double *room = malloc(5 * ((size_t)n + 1) * sizeof *room), sum[2] = {0, 0};
    AN_CHECK(room, AN_FAIL, "out of memory");
    double *v = room, *q = room + n, *high = room + 2 * n, *low = room + 3 * n, *y = room + 4 * n;
    uint32_t seed = 1 + (uint32_t)a->s->rank;
    int status = AN_OK;
    an_adjoint_steps(&a->residual, a->q, v);
    for (int64_t m = 0; m < n; m++) {
        seed = seed * 1664525u + 1013904223u;
        v[m] *= (double)(seed >> 8) / 8388608.0 - 1;
    }
    if (a->residual.targets.n && a->s->nrank > 1) /* those of the first rank */
        AN_MPI(MPI_Bcast(v + a->cells.n * a->nv, a->residual.targets.n * a->nv, MPI_DOUBLE, 0,
                         a->s->comm));
    double *side[2] = {low, high}, largest;
    for (int d = 0; d < 2 && status == AN_OK; d++) {
        for (int64_t m = 0; m < n; m++)
            q[m] = a->q[m] + (d ? v[m] : -v[m]);
        status = scaled_residual(a, q, side[d], &largest);
    }
    for (int64_t m = 0; m < n; m++)
        v[m] /= unit_q[m % a->nv];
    const double *const along = v;
    if (status == AN_OK)
        status = an_block_multiply(&a->jacobian, 0, 1, &along, &y);
    for (int64_t m = 0; m < an_block_counted(&a->jacobian); m++) {
        const double d = 0.5 * (high[m] - low[m]) - y[m];
        sum[0] += y[m] * y[m];
        sum[1] += d * d;
    }
    if (status == AN_OK)
        status = an_block_sum(&a->jacobian, 2, sum);
    a->stats.check = sqrt(sum[1] / sum[0]);
    free(room);
    return status;
}

/* GMRES begins at zero where lambda of an earlier state or of a file leaves more than zero does. y[n] is overwritten. */
static int check_start(struct an_adjoint *a, const double *b, double *x, double *y)
{
    const int64_t n = a->residual.rows * a->nv;
    const double *const from = x;
    double size, left = 0, whole = 0;
    AN_TRY(an_block_product_of(&a->jacobian, x, x, &size));
    if (size > 0) {
        AN_TRY(an_block_multiply(&a->jacobian, 1, 1, &from, &y));
        for (int64_t m = 0; m < n; m++)
            y[m] = b[m] - y[m];
        AN_TRY(an_block_product_of(&a->jacobian, y, y, &left));
        AN_TRY(an_block_product_of(&a->jacobian, b, b, &whole));
    }
    if (!(left < whole))
        memset(x, 0, (size_t)n * sizeof *x);
    return AN_OK;
}

static int check_starts(struct an_adjoint *a)
{
    const int64_t n = a->residual.rows * a->nv;
    double *y = malloc(((size_t)n + 1) * sizeof *y);
    int status = an_reduce_status(a->s->comm, y ? AN_OK : an_error_set(AN_FAIL, "out of memory"));
    for (int f = 0; f < a->nfigure && status == AN_OK; f++)
        status = check_start(a, a->gradient + f * n, a->lambda + f * n, y);
    free(y);
    return status;
}

/* Figures from `first` on, as many as are solved for together. */
static int solve_some(struct an_adjoint *a, int first, double tolerance)
{
    const int64_t n = a->residual.rows * a->nv;
    const struct an_gmres_options o = {.transposed = 1,
                                       .restart = restart_of(a),
                                       .iterations = MOST_ITERATIONS,
                                       .tolerance = tolerance};
    const int count = together(a->nfigure - first);
    const double *b[AN_MOST_TOGETHER];
    double *x[AN_MOST_TOGETHER];
    struct an_gmres_result result[AN_MOST_TOGETHER];
    for (int f = 0; f < count; f++) {
        b[f] = a->gradient + (first + f) * n;
        x[f] = a->lambda + (first + f) * n; /* 0, or that of an earlier state or a file */
    }
    AN_TRY(an_block_gmres(&a->jacobian, &a->factor, &o, count, b, x, result));
    for (int f = 0; f < count; f++) {
        a->stats.iterations += result[f].iterations;
        a->stats.reached = fmax(a->stats.reached, result[f].reached);
        a->figure[first + f].solved = result[f].reached <= tolerance;
        if (!a->figure[first + f].solved)
            an_error_set(AN_DIVERGED,
                         "the adjoint of '%s' does not converge: after %d iterations of GMRES its "
                         "residual is %.2g of its right-hand side",
                         a->figure[first + f].name, result[f].iterations, result[f].reached);
    }
    return AN_OK;
}

/* All figures, those after one that does not converge as well: a rerun begins where they end. */
static int solve_all(struct an_adjoint *a, double tolerance)
{
    AN_TRY(check_starts(a));
    for (int f = 0; f < a->nfigure; f += AN_MOST_TOGETHER)
        AN_TRY(solve_some(a, f, tolerance));
    for (int f = 0; f < a->nfigure; f++)
        if (!a->figure[f].solved)
            return AN_DIVERGED;
    return AN_OK;
}

/* What a figure is a difference of: how much the faces of cells add to it, without their signs. */
static int find_sizes(struct an_adjoint *a)
{
    double *part = malloc(((size_t)(a->cells.n * a->nfigure) + 1) * sizeof *part);
    AN_CHECK(part, AN_FAIL, "out of memory for figures");
    int status = an_adjoint_evaluate(&a->residual, a->q, NULL, part);
    for (int f = 0; f < a->nfigure && status == AN_OK; f++) {
        a->figure[f].size = 0;
        for (int64_t c = 0; c < a->cells.n; c++)
            a->figure[f].size += fabs(part[c * a->nfigure + f]);
    }
    free(part);
    for (int f = 0; f < a->nfigure && status == AN_OK; f++)
        status = an_ranks_sum(&a->cells.ranks, 1, &a->figure[f].size);
    return status;
}

/* Newton's next step would be dQ = - (dR/dQ)^-1 R, and move a figure by -lambda^T R. */
static int find_left(struct an_adjoint *a)
{
    const int64_t n = a->residual.rows * a->nv;
    double *r = malloc(((size_t)n + 1) * sizeof *r), largest;
    AN_CHECK(r, AN_FAIL, "out of memory");
    int status = scaled_residual(a, a->q, r, &largest);
    for (int f = 0; f < a->nfigure && status == AN_OK; f++) {
        status = an_block_product_of(&a->jacobian, a->lambda + f * n, r, &a->left[f]);
        a->left[f] = -a->left[f];
    }
    free(r);
    return status;
}

int an_adjoint_solve(struct an_adjoint *a, double tolerance)
{
    const int64_t n = a->residual.rows * a->nv;
    an_figure_weights_free(&a->weights);
    a->residual.nfigure = 0;
    a->stats.reached = 0;
    AN_TRY(an_adjoint_evaluate(&a->residual, a->q, NULL, NULL));
    AN_TRY(an_figure_weights_new(a->s, a->nfigure, a->figure, &a->weights));
    a->residual.weights = &a->weights;
    a->residual.nfigure = a->nfigure;
    AN_TRY(linearise(a));
    AN_TRY(an_adjoint_check_matrix(a));
    AN_TRY(find_sizes(a));
    const double started = MPI_Wtime();
    AN_TRY(solve_all(a, tolerance));
    a->stats.solve_s += MPI_Wtime() - started;
    AN_TRY(find_left(a));
    AN_TRY(an_adjoint_evaluate(&a->residual, a->q, NULL, NULL)); /* gradients begin from it */
    a->stats.bytes = bytes_of(a) + 8.0 * (double)n * (8 + 2 * a->nfigure);
    return an_ranks_sum(&a->cells.ranks, 1, &a->stats.bytes);
}

int an_adjoint_moved(const struct an_adjoint *a, double part)
{
    int worst = -1;
    double most = 1;
    for (int f = 0; f < a->nfigure; f++) {
        const struct an_adjoint_figure *q = &a->figure[f];
        const double may = part * fmax(fabs(q->value), 0.01 * q->size);
        if (!(fabs(a->left[f]) <= most * may)) {
            worst = f;
            most = may > 0 ? fabs(a->left[f]) / may : INFINITY;
        }
    }
    return worst;
}

void an_adjoint_by_sums(const struct an_adjoint *a, double *to)
{
    const struct an_adjoint_targets *t = &a->residual.targets;
    for (int f = 0; f < a->nfigure; f++)
        an_targets_by_sums(t, a->lambda + (f * a->residual.rows + a->cells.n) * a->nv,
                           to + f * t->nsum * AN_NTARGET_SUM);
}

void an_adjoint_less_targets(const struct an_adjoint *a, const double *by_sums, double *figure)
{
    const struct an_adjoint_targets *t = &a->residual.targets;
    for (int64_t k = 0; k < t->nface; k++)
        for (int f = 0; f < a->nfigure; f++) {
            const double *by = by_sums + (f * t->nsum + t->sum[k]) * AN_NTARGET_SUM;
            for (int n = 0; n < AN_NTARGET_SUM; n++)
                figure[t->cell[k] * a->nfigure + f] -= by[n] * t->term[k][an_target_sum[n]];
        }
}

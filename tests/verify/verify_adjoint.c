/* The adjoint of small flows against differences of settled flows, in double precision.
 *
 *   cascade: a passage between blades, one layer of cells, in two zones that are stored turned; figures: mass flow, loss
 *            and angle of the mixed-out flow, force along the pitch, ratio of total pressures, lift
 *   rotor:   a twisted passage that turns at 250 rad/s; figures: mass flow, efficiency, torque of the walls, power
 *   stage:   two rows of other pitch, rings and numbers of faces with a mixing plane between them, the second of which turns at
 *            180 rad/s; figures of the machine and of the second row
 *   machine: three rows and two planes, with radial equilibrium at the outlet
 *   mass:    the rotor with radial equilibrium and a given mass flow; throttle: with a throttle, radial equilibrium and an outlet
 *            that does not reflect waves; inlet: with the mass flow given at the inlet
 *
 *   A parameter changes the back pressure, the thickness and the camber of the blades, and the spacing of the cells at
 *   once; that of the rotor its speed as well; that of the stage both, the total pressure, temperature and direction at the
 *   inlet, and place and span of the plane. Flows on both sides of it are settled by Newton steps down to rounding.
 *
 *   adjoint / difference - 1      required (efficiencies, losses, ratios of pressures: ten times)   is, at most
 *     cascade, Roe, inviscid                          5e-6       5e-7, the ratio of pressures; others 4e-8
 *     cascade, JST, whose sensor has kinks            2e-5       2.1e-6
 *     rotor, Roe                                      2e-6       1.5e-7, the efficiency; others 1e-9
 *     stage, Roe, inviscid                            2e-6       4.7e-7, the efficiency; others 2e-7
 *     rotor, mass flow, throttle, inlet               2e-6       3.3e-7
 *     machine, Roe, inviscid                          2e-6       5e-7
 *     stage, Roe, Spalart-Allmaras                    5e-6       3.5e-7, the torque; mass flow 9e-8
 *     cascade, Roe, laminar                           2e-6       1.9e-7
 *     cascade, Roe, Spalart-Allmaras                  5e-5       2.7e-5, the loss; others 2.6e-6
 *     the same with wall functions                    2e-5       3.1e-6, the loss; others 1e-7
 *     cascade, Roe, SST                               1e-6       1.6e-6, the loss; others 8e-7, mass flow 1e-8
 *     the same with wall functions                    2e-6       1.1e-7, the loss; others 3e-8
 *     stage, Roe, SST                                 2e-6       5.4e-6, a ratio that nearly cancels; mass flow 5e-8
 *   The loss is a difference of total pressures that nearly cancels.
 *
 *   20 steps of the march from the flow that Newton's steps settle move it by at most 1e-9
 *   disturbances of one cell change residuals of the cells that the pattern says, and no others, to the last bit
 *   the same of disturbances of targets (solver/adjoint/targets.h) of planes and outlets
 *   J of a disturbance of all cells and targets against a difference of the residual along it, of each equation in cells inside, in
 *   cells at boundaries, and of targets: 1e-6; with kinks of JST 1e-3, and with those of Spalart-Allmaras where the vorticity is nearly zero 0.1
 *   v (J u) = u (J^T v) of random vectors: 1e-12 of the terms
 *   the mass flow depends on the sum of the mass flow of the inlet alone
 *   a block that is missing in the matrix is seen: matrix against a difference of the residual   > 1e-3
 *   files: where GMRES does not converge lambda is kept, and a later solution begins there: no iterations; it begins at zero where a file
 *     would leave more, or is damaged
 *   the largest residual of an inviscid flow in a cascade that is a thousand times as large                 1e-6
 *   what the adjoint does not know is refused with the name of the key or of the boundary
 *   emulated: gradients by keys and nodes of the CUDA kernels on the host, whose linear algebra adds up in another order
 *     three threads: the bits of one
 *     GMRES takes at most 10 % more iterations than with the host's factors, and at least half as many (an H200: 0.62 for the stage with SST)
 *   cuda: those of a GPU, which contracts products and sums. Derivatives are differences, which magnify the other rounding: by keys
 *     over 1e-6 of the unknowns, by nodes over smaller steps, and the metrics of a moved node lose more digits. Both are sums over
 *     keys or nodes, of which little may be left (a mass flow that the case holds does not depend on shape), so that the limits are
 *     parts of the sum of the terms without their signs, or of the figure, where all terms are rounding:
 *         by keys 1e-8, by nodes 1e-7, figures that are small differences 1e-6
 *     an H200 differs by 8e-10, 2.1e-8 and 5.6e-7 of this sum at most
 */
#include "solver/adjoint/files.h"
#include "solver/adjoint/inputs.h"
#include "solver/adjoint/nodes.h"
#include "solver/output/geometry.h"
#include "tests/verify/adjoint_cases.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void begin(struct fixture *f, const struct trial *t, struct an_adjoint *a)
{
    fixture_must(an_adjoint_new(f->solver, count_of(t), figures_of(t), a), t->name);
}

/* Figures of the flow at a parameter near 0; q: the flow at 0. */
static void figures(const struct trial *t, double parameter, const double *q, double value[MOST])
{
    struct fixture f;
    struct an_adjoint a;
    open_case(&f, t, parameter);
    begin(&f, t, &a);
    memcpy(a.q, q, (size_t)(a.residual.rows * a.nv) * sizeof *q);
    fixture_must(an_adjoint_settle(&a, 1e-12, 6), "settle");
    fixture_must(an_adjoint_evaluate(&a.residual, a.q, NULL, NULL), "evaluate");
    for (int m = 0; m < count_of(t); m++)
        value[m] = an_figure_value(f.solver, &a.figure[m]);
    an_adjoint_free(&a);
    fixture_close(&f);
}

/* The nodes of a zone at a parameter. */
static double *nodes_at(const struct trial *t, double parameter, int zone, int64_t *n)
{
    struct an_mesh m;
    struct an_diag diag;
    an_diag_init(&diag);
    fixture_must(an_mesh_open(mesh_of(t, parameter), &m, &diag), "mesh");
    const int *cells = m.topology.block[zone].n, lo[3] = {0, 0, 0},
              hi[3] = {cells[0] + 1, cells[1] + 1, cells[2] + 1};
    *n = (int64_t)3 * hi[0] * hi[1] * hi[2];
    double *x = malloc((size_t)*n * sizeof *x);
    fixture_must(x ? AN_OK : AN_FAIL, "memory");
    fixture_must(an_mesh_read_nodes(&m, zone, lo, hi, x), "nodes");
    an_mesh_close(&m);
    an_diag_free(&diag);
    return x;
}

/* Sum of gradients times the change of the nodes with the parameter; size (NULL: not wanted): that of the terms without signs. */
static void add_nodes(const struct trial *t, struct an_adjoint *a, struct an_mesh *mesh, double h,
                      double slope[MOST], double size[MOST])
{
    double **g;
    fixture_must(an_adjoint_nodes(a, mesh, &g), "nodes");
    for (int b = 0; b < a->s->nlocal; b++) {
        int64_t n;
        double *x[2];
        for (int d = 0; d < 2; d++)
            x[d] = nodes_at(t, d ? h : -h, b, &n);
        for (int f = 0; f < a->nfigure; f++)
            for (int64_t m = 0; m < n; m++) {
                const double term = g[f * a->s->nlocal + b][m] * (x[1][m] - x[0][m]) / (2 * h);
                slope[f] += term;
                if (size)
                    size[f] += fabs(term);
            }
        free(x[0]);
        free(x[1]);
    }
    an_adjoint_nodes_free(a, g);
}

/* What the keys add, as add_nodes. */
static void add_keys(const struct trial *t, const struct an_adjoint *a, double slope[MOST],
                     double size[MOST])
{
    const struct {
        const char *key;
        double by[3]; /* by the parameter; of the direction that of the unit vector */
    } all[] = {
        {"boundaries.outlet.p", {per_shape}},
        {"rows.rotor.omega", {speed_per_shape}},
        {"boundaries.a_in.p0", {per_shape}},
        {"boundaries.a_in.T0", {100}},
        {"boundaries.a_in.direction", {-0.1 / pow(1.01, 1.5), 0, 1 / pow(1.01, 1.5)}},
        {t->kind == MACHINE ? "boundaries.c_out.p" : "boundaries.b_out.p", {0.4 * per_shape}},
        {"rows.b.omega", {speed_per_shape}}};
    const int from = rows_of(t) ? 2 : 0;
    const int n = rows_of(t) ? 5 : t->kind == ROTOR ? 2 : 1;
    const int asked = n + (t->steering != NULL);
    const char *key[5] = {NULL};
    struct an_adjoint_inputs g;
    for (int k = 0; k < n; k++)
        key[k] = all[from + k].key;
    if (t->steering)
        key[n] = t->steering->key;
    fixture_must(an_adjoint_inputs_new(a, asked, key, &g), "inputs");
    fixture_must(an_adjoint_inputs_gradients(a, &g), "gradients by keys");
    for (int k = 0; k < g.n; k++) {
        const double *by = NULL;
        for (int w = from; w < from + n; w++)
            if (!strcmp(g.input[k].key, all[w].key))
                by = all[w].by;
        if (t->steering && !strcmp(g.input[k].key, t->steering->key))
            by = &t->steering->by;
        for (int m = 0; m < a->nfigure && by; m++)
            for (int c = 0; c < g.input[k].n; c++) {
                const double term = g.input[k].gradient[m * g.input[k].n + c] * by[c];
                slope[m] += term;
                if (size)
                    size[m] += fabs(term);
            }
    }
    verify_check(verify_text("%s: keys that were asked for", t->name), g.n, asked, asked);
    an_adjoint_inputs_free(&g);
}

/* Which cells does a disturbance of row c change? Returns how many outside of its pattern. */
static int strangers(struct an_adjoint *a, int64_t c, const double *r, double *q, double *moved)
{
    const struct an_lists *p = a->jacobian.pattern;
    int count = 0;
    memcpy(q, a->q, (size_t)(a->residual.rows * a->nv) * sizeof *q);
    for (int v = 0; v < a->nv; v++)
        q[c * a->nv + v] += 1e-3 * a->residual.unit_q[v];
    fixture_must(an_adjoint_residual_of(&a->residual, q, moved), "residual");
    for (int64_t i = 0; i < a->cells.n; i++) {
        int known = 0;
        for (int64_t m = p->first[i]; m < p->first[i + 1]; m++)
            known |= p->list[m] == c;
        if (!known && memcmp(r + i * a->nv, moved + i * a->nv, (size_t)a->nv * sizeof *r) != 0)
            count++;
    }
    return count;
}

/* The pattern of the matrix, and a matrix without a block. */
static void look_at_matrix(const struct trial *t, struct an_adjoint *a)
{
    const size_t n = (size_t)(a->residual.rows * a->nv);
    double *r = malloc(3 * n * sizeof *r);
    int count = 0, most = 0;
    fixture_must(r ? AN_OK : AN_FAIL, "memory");
    fixture_must(an_adjoint_residual_of(&a->residual, a->q, r), "residual");
    for (int64_t c = 0; c < a->residual.rows; c += c < a->cells.n ? 7 : 1)
        count += strangers(a, c, r, r + n, r + 2 * n);
    free(r);
    /* with wall functions SST's eddy viscosity at walls reads a cell farther, which no figure shows */
    const int farther = !strcmp(t->name, "law_sst");
    verify_check(verify_text("%s: cells that change beside those of the pattern", t->name), count,
                 0, farther ? 10 : 0);
    const struct an_lists *p = &a->cells.reach;
    const int full = t->kind == CASCADE ? 13 : t->kind == STAGE ? 25 : 24;
    for (int64_t c = 0; c < a->cells.n; c++)
        most = p->first[c + 1] - p->first[c] > most ? (int)(p->first[c + 1] - p->first[c]) : most;
    verify_check(verify_text("%s: most cells of a residual", t->name), most, full, full);
    p = a->jacobian.pattern;
    int64_t block = p->first[a->cells.n / 2]; /* that of a cell by itself */
    while (p->list[block] != a->cells.n / 2)
        block++;
    const size_t numbers = (size_t)(a->nv * a->nv);
    const double none[AN_MOST_BLOCK * AN_MOST_BLOCK] = {0};
    if (a->jacobian.card)
        fixture_must(a->card.e->op->upload(a->card.e, a->card.a.value + (size_t)block * numbers,
                                           none, sizeof *none * numbers, 0),
                     "upload");
    else
        memset(a->jacobian.value + (size_t)block * numbers, 0, sizeof *none * numbers);
    fixture_must(an_adjoint_check_matrix(a), "check");
    verify_check(verify_text("%s: a matrix without a block", t->name), a->stats.check, 1e-3, 10);
}

/* The mass flow depends on one sum, that of the inlet, and on nothing else, not even by rounding. */
static void look_at_weights(const struct trial *t, const struct an_adjoint *a)
{
    const struct an_figure_weights *w = &a->weights;
    for (int m = 0; m < count_of(t); m++) {
        int count = 0;
        for (int n = 0; n < w->ntotal; n++)
            count += w->weight[m * w->ntotal + n] != 0;
        if (!strcmp(a->figure[m].name, "mass_in"))
            verify_check(verify_text("%s: sums that the mass flow depends on", t->name), count, 1,
                         1);
    }
}

/* Random numbers between -1 and 1. */
static void randomise(double *x, size_t n, uint32_t seed)
{
    for (size_t m = 0; m < n; m++) {
        seed = seed * 1664525u + 1013904223u;
        x[m] = (double)(seed >> 8) / 8388608.0 - 1;
    }
}

/* v (J u) against u (J^T v), of all rows. */
static void look_at_duality(const struct trial *t, struct an_adjoint *a)
{
    const size_t n = (size_t)(a->residual.rows * a->nv);
    double *room = malloc((4 * n + 1) * sizeof *room), one = 0, other = 0, size = 0;
    fixture_must(room ? AN_OK : AN_FAIL, "memory");
    double *u = room, *v = room + n, *ju = room + 2 * n, *jv = room + 3 * n;
    const double *const in[2] = {u, v};
    randomise(u, n, 1);
    randomise(v, n, 2);
    an_block_multiply(&a->jacobian, 0, 1, &in[0], &ju);
    an_block_multiply(&a->jacobian, 1, 1, &in[1], &jv);
    for (size_t m = 0; m < n; m++) {
        one += v[m] * ju[m];
        other += u[m] * jv[m];
        size += fabs(v[m] * ju[m]);
    }
    free(room);
    an_block_matrix_turn(&a->jacobian, 0);
    verify_check(verify_text("%s: v (J u) less u (J^T v), of the terms", t->name),
                 fabs(one - other) / size, 0, 1e-12);
}

/* 0: a cell inside, 1: at a boundary, 2: a target. */
static int kind_of(const struct an_adjoint *a, int64_t row)
{
    int kind = row >= a->cells.n ? 2 : 0;
    for (int f = 0; f < 6 && !kind; f++)
        kind = a->cells.near[row][f] < 0;
    return kind;
}

/* J of a disturbance against a difference of the residual along it: the largest error of an equation in a kind of rows, over what the
 * equation has in these rows. */
static void look_at_equations(const struct trial *t, struct an_adjoint *a)
{
    const struct an_adjoint_residual *q = &a->residual;
    const size_t n = (size_t)(q->rows * a->nv);
    double *room = malloc((6 * n + 1) * sizeof *room), worst[3] = {0};
    double size[3][AN_MOST_UNKNOWNS] = {{0}}, error[3][AN_MOST_UNKNOWNS] = {{0}};
    fixture_must(room ? AN_OK : AN_FAIL, "memory");
    double *step = room, *u = room + n, *moved = room + 2 * n, *ju = room + 5 * n;
    double *side[2] = {room + 3 * n, room + 4 * n};
    randomise(u, n, 3);
    an_adjoint_steps(q, a->q, step);
    for (int d = 0; d < 2; d++) {
        for (size_t m = 0; m < n; m++)
            moved[m] = a->q[m] + (d ? step[m] : -step[m]) * u[m];
        fixture_must(an_adjoint_residual_of(&a->residual, moved, side[d]), "residual");
    }
    for (size_t m = 0; m < n; m++)
        u[m] *= step[m] / q->unit_q[m % (size_t)a->nv];
    const double *const in = u;
    an_block_multiply(&a->jacobian, 0, 1, &in, &ju);
    for (int64_t row = 0; row < q->rows; row++)
        for (int v = 0; v < a->nv; v++) {
            const int64_t m = row * a->nv + v;
            const double d = 0.5 * (side[1][m] - side[0][m]) / q->unit_r[v] - ju[m];
            size[kind_of(a, row)][v] += ju[m] * ju[m];
            error[kind_of(a, row)][v] += d * d;
        }
    for (int k = 0; k < 3; k++)
        for (int v = 0; v < a->nv; v++)
            if (size[k][v] > 0)
                worst[k] = fmax(worst[k], sqrt(error[k][v] / size[k][v]));
    free(room);
    const int vortex = !strcmp(t->name, "sa") || !strcmp(t->name, "law");
    const double least = vortex ? 0.1 : !strcmp(t->name, "jst") ? 1e-3 : 1e-6;
    static const char *const kind[] = {"cells inside", "cells at boundaries", "targets"};
    for (int k = 0; k < (q->targets.n ? 3 : 2); k++)
        verify_check(verify_text("%s: J u over a difference - 1, %s", t->name, kind[k]), worst[k],
                     0, least);
}

/* Where k has fallen to zero, it depends on nothing and nothing depends on it: its row and column are those of ones. */
static void look_at_ones(const struct trial *t, struct an_adjoint *a, int64_t cell)
{
    const size_t n = (size_t)(a->residual.rows * a->nv);
    double *u = calloc(2 * n + 1, sizeof *u), *y = u + n, far = 0;
    const double *const in = u;
    fixture_must(u ? AN_OK : AN_FAIL, "memory");
    u[cell * a->nv + 5] = 1;
    for (int transposed = 0; transposed < 2; transposed++) {
        an_block_multiply(&a->jacobian, transposed, 1, &in, &y);
        for (size_t m = 0; m < n; m++)
            far += fabs(y[m] - u[m]);
    }
    free(u);
    verify_check(verify_text("%s on %s: row and column of k that is zero, less those of ones",
                             t->name, device),
                 far, 0, 0);
}

static void look_at_held(const struct trial *t, struct an_adjoint *a)
{
    const int64_t cell = a->cells.n / 3;
    double *k = a->q + cell * a->nv + 5;
    const double before = *k;
    if (a->residual.nturb != 2)
        return;
    *k = 0;
    fixture_must(an_adjoint_solve(a, 1e-8), "solve");
    verify_check(verify_text("%s: k is zero in a cell: matrix against a difference", t->name),
                 a->stats.check, 0, 1e-3);
    look_at_ones(t, a, cell);
    *k = before;
}

/* Steps of the march from the settled flow, whose controls act every ten steps: the flow stays, so that the equations of targets
 * are those of the run. */
static void march_on(const struct trial *t, struct fixture *f, struct an_adjoint *a)
{
    const size_t n = (size_t)(a->residual.rows * a->nv);
    double *q = malloc((n + 1) * sizeof *q), moved = 0;
    fixture_must(q ? AN_OK : AN_FAIL, "memory");
    fixture_must(an_adjoint_evaluate(&a->residual, a->q, NULL, NULL), "evaluate");
    fixture_steps(f, 20);
    fixture_must(an_adjoint_state(&a->residual, q), "state");
    for (int64_t m = 0; m < a->cells.n * a->nv; m++)
        moved = fmax(moved, fabs(q[m] - a->q[m]) / a->residual.unit_q[m % a->nv]);
    free(q);
    verify_check(verify_text("%s: 20 steps from the settled flow move it by", t->name), moved, 0,
                 1e-9);
}

/* Iterations of GMRES for all figures, to the tolerance of the command; *status: of the solution. */
static int iterations_from(struct an_adjoint *a, double tolerance, int *status)
{
    const int before = a->stats.iterations;
    *status = an_adjoint_solve(a, tolerance);
    return a->stats.iterations - before;
}

/* Lambda in files: of a solution that does not converge, of a start that is worse than zero, of a file that is damaged. */
static void look_at_files(const struct trial *t, struct an_adjoint *a)
{
    const size_t n = (size_t)(a->nfigure * a->residual.rows * a->nv);
    double *kept = malloc((n + 1) * sizeof *kept), far = 0, size = 0;
    char path[1024], other[1024];
    int status;
    fixture_must(kept ? AN_OK : AN_FAIL, "memory");
    memset(a->lambda, 0, n * sizeof *kept);
    const int from_zero = iterations_from(a, 1e-8, &status);
    fixture_must(status, "solve");
    memcpy(kept, a->lambda, n * sizeof *kept);
    for (size_t m = 0; m < n; m++)
        a->lambda[m] *= -10;
    const int from_worse = iterations_from(a, 1e-8, &status);
    verify_check(verify_text("%s: iterations from ten times the negative solution, %d from zero",
                             t->name, from_zero),
                 from_worse, from_zero, from_zero);
    (void)iterations_from(a, 1e-30, &status);
    verify_check(verify_text("%s: GMRES to 1e-30: %.200s", t->name, an_error_text()),
                 status == AN_DIVERGED && !a->figure[0].solved &&
                     strstr(an_error_text(), "does not converge") != NULL,
                 1, 1);
    fixture_must(an_geometry_write(a->s), "geometry");
    for (int f = 0; f < a->nfigure; f++)
        fixture_must(an_adjoint_write(a, f, path), "write");
    memset(a->lambda, 0, n * sizeof *kept);
    for (int f = 0; f < a->nfigure; f++)
        fixture_must(an_adjoint_read(a, f, path), "read");
    verify_check(verify_text("%s: iterations from files, %d from zero", t->name, from_zero),
                 iterations_from(a, 1e-8, &status), 0, 0);
    fixture_must(status, "solve");
    for (size_t m = 0; m < n; m++) {
        far = fmax(far, fabs(a->lambda[m] - kept[m]));
        size = fmax(size, fabs(kept[m]));
    }
    verify_check(verify_text("%s: lambda from files and from zero", t->name), far / size, 0, 1e-6);
    const int64_t now = a->s->iteration;
    a->s->iteration = now + 10; /* of another iteration */
    status = an_adjoint_read(a, 0, other);
    a->s->iteration = now;
    fixture_must(an_adjoint_read(a, 0, path), "read");
    verify_check(verify_text("%s: the file of an earlier iteration", t->name),
                 status == AN_OK && !strcmp(path, other), 1, 1);
    fixture_must(truncate(path, 30000) ? AN_FAIL : AN_OK, "truncate");
    memset(a->lambda, 0, n * sizeof *kept);
    status = an_adjoint_read(a, 0, path);
    verify_check(verify_text("%s: a damaged file: %.200s", t->name, an_error_text()),
                 status == AN_INPUT && path[0] && a->lambda[0] == 0, 1, 1);
    fixture_must(unlink(path) ? AN_FAIL : AN_OK, "unlink");
    status = an_adjoint_read(a, 0, path);
    verify_check(verify_text("%s: no file", t->name), status == AN_OK && !path[0], 1, 1);
    fixture_must(an_adjoint_solve(a, 1e-11), "solve");
    free(kept);
}

/* Is a figure a small difference of large ones? Then rounding shows in its differences: another compiler's efficiency of the
 * machine was 4e-6 off in place of 5e-7. */
static int cancels(const char *figure)
{
    return strstr(figure, "efficiency") || strstr(figure, "pressure_ratio") ||
           strstr(figure, "loss");
}

/* A case that the adjoint does not know, and what its message has to name. */
static void refused(const char *what, const char *rest, const char *inlet, const char *of,
                    const char *name)
{
    const struct steering steering = {inlet, "", NULL, 0, 0};
    const struct trial t = {what, rest, SLIP, 4, 0, 0, 0, *inlet ? ROTOR : CASCADE, &steering};
    struct fixture f;
    struct an_adjoint a;
    open_case(&f, &t, 0);
    const int status = an_adjoint_new(f.solver, 1, &of, &a);
    verify_check(verify_text("refused: %s: %.200s", what, an_error_text()),
                 status == AN_INPUT && strstr(an_error_text(), name) != NULL, 1, 1);
    an_adjoint_free(&a);
    fixture_close(&f);
}

/* By the residual a command decides whether a flow is settled. That of an inviscid flow does not depend on the unit of length. */
static void look_at_size(const struct trial *t)
{
    double residual[2];
    for (int n = 0; n < 2; n++) {
        struct fixture f;
        struct an_adjoint a;
        magnify = n ? 1000 : 1;
        open_case(&f, t, 0);
        fixture_steps(&f, 30);
        begin(&f, t, &a);
        fixture_must(an_adjoint_settle(&a, 0, 0), "residual");
        residual[n] = a.stats.residual;
        an_adjoint_free(&a);
        fixture_close(&f);
    }
    magnify = 1;
    verify_check(verify_text("%s: largest residual %.3g, of a cascade of a thousand times the size "
                             "the same part",
                             t->name, residual[0]),
                 residual[1] / residual[0] - 1, -1e-6, 1e-6);
}

static void look(const struct trial *t)
{
    struct fixture f;
    struct an_adjoint a;
    const double h = 1e-5;
    double slope[MOST] = {0}, value[2][MOST];
    open_case(&f, t, 0);
    const double drop = fixture_converge(&f, 1e-8, t->steps);
    begin(&f, t, &a);
    fixture_must(an_adjoint_settle(&a, 1e-12, 12), "settle");
    fixture_must(an_adjoint_solve(&a, 1e-11), "solve");
    const struct an_adjoint_stats *s = &a.stats;
    verify_note("%s: %lld cells, residual down to %.1e, %.1e by %d Newton steps; %d iterations of "
                "GMRES; matrix against a difference: %.1e; %.2g s for it, %.2g s for the "
                "factors, %.2g s for lambda; %.0f bytes for a cell",
                t->name, (long long)a.cells.n, drop, s->settled, s->newton, s->iterations, s->check,
                s->linearise_s, s->factor_s, s->solve_s, s->bytes / (double)a.cells.n);
    verify_check(verify_text("%s: Newton's residual", t->name), s->settled, 0, 1e-10);
    verify_check(verify_text("%s: matrix against a difference", t->name), s->check, 0, 1e-3);
    add_keys(t, &a, slope, NULL);
    const double started = MPI_Wtime();
    add_nodes(t, &a, &f.mesh, h, slope, NULL);
    verify_note("%s: %.2g s for the nodes, %d evaluations in all", t->name, MPI_Wtime() - started,
                s->evaluations);
    for (int d = 0; d < 2; d++)
        figures(t, d ? h : -h, a.q, value[d]);
    for (int m = 0; m < count_of(t); m++) {
        const double difference = (value[1][m] - value[0][m]) / (2 * h);
        verify_check(
            verify_text("%s: %s: %.10g / difference - 1", t->name, a.figure[m].name, slope[m]),
            fabs(slope[m] / difference - 1), 0,
            cancels(a.figure[m].name) ? 10 * t->least : t->least);
    }
    look_at_weights(t, &a);
    if (!strcmp(t->name, "stage"))
        look_at_files(t, &a);
    look_at_equations(t, &a);
    look_at_duality(t, &a);
    look_at_matrix(t, &a);
    look_at_held(t, &a);
    march_on(t, &f, &a);
    an_adjoint_free(&a);
    fixture_close(&f);
}

/* ---- devices ---- */

/* Gradients of the flow q on a device, by keys and nodes, of each figure twice: slope[2][MOST], and those of the terms without
 * signs, size[2][MOST]. Returns the iterations of GMRES. */
static int gradients_on(const struct trial *t, const char *engine, double **q,
                        double slope[2][MOST], double size[2][MOST])
{
    struct fixture f;
    struct an_adjoint a;
    const int before = omp_get_max_threads(), three = strstr(engine, "threads") != NULL;
    omp_set_num_threads(three ? 3 : before);
    device = three ? "cpu" : engine;
    open_case(&f, t, 0);
    if (!*q)
        (void)fixture_converge(&f, 1e-8, t->steps);
    begin(&f, t, &a);
    const size_t bytes = (size_t)(a.residual.rows * a.nv) * sizeof **q;
    if (!*q) {
        *q = malloc(bytes);
        fixture_must(*q ? an_adjoint_settle(&a, 1e-12, 12) : AN_FAIL, "settle");
        memcpy(*q, a.q, bytes);
        for (int64_t c = 7; c < a.cells.n && a.residual.nturb == 2; c += 997)
            (*q)[c * a.nv + 5] = 0; /* held, as in flows whose residual wants less */
    }
    memcpy(a.q, *q, bytes);
    fixture_must(an_adjoint_solve(&a, 1e-11), "solve");
    if (a.residual.nturb == 2)
        look_at_ones(t, &a, 7);
    add_keys(t, &a, slope[0], size[0]);
    add_nodes(t, &a, &f.mesh, 1e-5, slope[1], size[1]);
    for (int m = 0; m < count_of(t); m++)
        for (int n = 0; n < 2; n++)
            size[n][m] = fmax(size[n][m], fabs(a.figure[m].value));
    const int iterations = a.stats.iterations;
    an_adjoint_free(&a);
    fixture_close(&f);
    device = "cpu";
    omp_set_num_threads(before);
    return iterations;
}

/* Gradients on a device against those on the CPU, of the same flow; least: how far they may be apart. Each is a sum over keys or
 * nodes that may nearly cancel, so that they are compared with the sum of the terms without their signs. */
static void compare(const struct trial *t, const char *engine, double least)
{
    double slope[2][2][MOST] = {{{0}}}, size[2][2][MOST] = {{{0}}}, *q = NULL;
    (void)gradients_on(t, "cpu", &q, slope[0], size[0]); /* with the factors of Newton's steps */
    memset(slope, 0, sizeof slope);
    memset(size, 0, sizeof size);
    const int iterations = gradients_on(t, "cpu", &q, slope[0], size[0]);
    const double started = MPI_Wtime();
    const int there = gradients_on(t, engine, &q, slope[1], size[1]);
    free(q);
    verify_check(
        verify_text("%s on %s: iterations of GMRES over those on the CPU", t->name, engine),
        (double)there / iterations, 0.5, 1.1);
    verify_note("%s on %s: %.2g s", t->name, engine, MPI_Wtime() - started);
    for (int m = 0; m < count_of(t); m++)
        for (int n = 0; n < 2; n++)
            verify_check(
                verify_text(
                    "%s on %s: %s by %s, %.3g of terms of %.3g: off that on the CPU, of the terms",
                    t->name, engine, figures_of(t)[m], n ? "nodes" : "keys", slope[0][n][m],
                    size[0][n][m]),
                fabs(slope[1][n][m] - slope[0][n][m]) / size[0][n][m], 0,
                cancels(figures_of(t)[m]) ? 100 * least
                : n                       ? 10 * least
                                          : least);
}

int main(int argc, char **argv)
{
    static const struct steering steering[] = {
        {"", ", radial_equilibrium: mid, mass_flow: %.17g", "boundaries.outlet.mass_flow", 78,
         1000},
        {"",
         ", radial_equilibrium: hub, non_reflecting: true, throttle_p: 9e4, throttle_mass_flow: "
         "%.17g",
         "boundaries.outlet.throttle_mass_flow", 78, 1000},
        {", mass_flow: %.17g", "", "boundaries.inlet.mass_flow", 78, 1000}};
    static const struct trial trial[] = {
        {"roe", ROE, SLIP, 8, 300, 0, 5e-6, CASCADE, NULL},
        {"jst", "scheme: {flux: jst}\n", SLIP, 8, 300, 0, 2e-5, CASCADE, NULL},
        {"rotor", ROE, SLIP, 5, 300, 0, 2e-6, ROTOR, NULL},
        {"mass", ROE, SLIP, 5, 300, 0, 2e-6, ROTOR, &steering[0]},
        {"throttle", ROE, SLIP, 5, 300, 0, 2e-6, ROTOR, &steering[1]},
        {"inlet", ROE, SLIP, 5, 300, 0, 2e-6, ROTOR, &steering[2]},
        {"machine", ROE, SLIP, 5, 300, 0, 2e-6, MACHINE, NULL},
        {"stage", ROE, SLIP, 6, 600, 0, 2e-6, STAGE, NULL},
        {"stage_sa", ROE "gas: {viscosity: sutherland}\nturbulence: {model: sa}\n", VISCOUS, 8, 300,
         2, 5e-6, STAGE, NULL},
        {"laminar", ROE "gas: {viscosity: constant, mu: 0.02}\n", VISCOUS, 12, 300, 1.4, 2e-6,
         CASCADE, NULL},
        {"sa", ROE "gas: {viscosity: sutherland}\nturbulence: {model: sa}\n", VISCOUS, 20, 400, 3,
         5e-5, CASCADE, NULL},
        {"sst", ROE "gas: {viscosity: sutherland}\nturbulence: {model: sst, wall_function: off}\n",
         VISCOUS, 20, 600, 3, 1e-6, CASCADE, NULL},
        {"stage_sst",
         ROE "gas: {viscosity: sutherland}\nturbulence: {model: sst, wall_function: off}\n",
         VISCOUS, 8, 600, 2, 2e-6, STAGE, NULL},
        {"law_sst",
         ROE "gas: {viscosity: sutherland}\nturbulence: {model: sst, wall_function: auto}\n",
         VISCOUS, 12, 600, 1.2, 2e-6, CASCADE, NULL},
        {"law", ROE "gas: {viscosity: sutherland}\nturbulence: {model: sa, wall_function: auto}\n",
         VISCOUS, 12, 300, 1.2, 2e-5, CASCADE, NULL}};
    static const struct trial small[] = {
        {"small", ROE "gas: {viscosity: sutherland}\nturbulence: {model: sa}\n", VISCOUS, 4, 100, 1,
         0, STAGE, NULL},
        {"small_rotor", ROE, SLIP, 4, 100, 0, 0, ROTOR, &steering[1]},
        {"small_sst",
         ROE "gas: {viscosity: sutherland}\nturbulence: {model: sst, wall_function: off}\n",
         VISCOUS, 6, 200, 2, 0, CASCADE, NULL}};
    verify_start(&argc, &argv);
    if (argc > 1 && !strcmp(argv[1], "emulated")) {
        compare(&small[0], "cpu, three threads", 0);
        compare(&small[0], "emulated", 1e-8);
        compare(&small[1], "emulated", 1e-8);
        compare(&small[2], "emulated", 1e-8);
        return verify_end();
    }
    if (argc > 1 && !strcmp(argv[1], "cuda")) {
        if (an_engine_cuda_count() == 0) {
            MPI_Finalize();
            return 77; /* skipped */
        }
        for (size_t n = 0; n < sizeof trial / sizeof *trial; n++)
            if (trial[n].steering || !strcmp(trial[n].wall, VISCOUS))
                compare(&trial[n], "cuda", 1e-8);
        return verify_end();
    }
    for (size_t n = 0; n < sizeof trial / sizeof *trial; n++)
        if (argc < 2 ? !strcmp(trial[n].wall, SLIP)
                     : !strcmp(argv[1], trial[n].name) ||
                           (!strcmp(argv[1], "viscous") && !strcmp(trial[n].wall, VISCOUS)))
            look(&trial[n]);
    if (argc > 1)
        return verify_end();
    look_at_size(&trial[0]);
    refused("mixing length",
            ROE "gas: {viscosity: sutherland}\nturbulence: {model: mixing_length, length: 0.01}\n",
            "", "mass_in", "turbulence.model");
    refused("cp(T)", ROE "gas: {cp: [1000, 0.1], T_range: [200, 400]}\n", "", "mass_in", "gas.cp");
    refused("a figure", ROE, "", "bend", "mass_in");
    refused("an inlet that lets waves pass", ROE, ", non_reflecting: true", "mass_in",
            "non_reflecting");
    return verify_end();
}

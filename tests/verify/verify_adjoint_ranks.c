/* Adjoints do not depend on the number of ranks: a run of three ranks finds the gradients of each case on one, two and three
 * of them (of the last cases on one and three), and compares them. Each number of ranks marches and settles the cascade by
 * itself; the other flows are settled on one.
 *
 *   cascade: two zones stored turned, translation, a layer of cells, SST; on three ranks both zones are cut
 *   machine: three rows with two mixing planes, and radial equilibrium at the outlet
 *   stage:   two rows with a mixing plane, Spalart-Allmaras, rotation
 *   throttle, inlet: a row that turns, with the means of a non-reflecting outlet and a throttle, or with a mass flow at its inlet
 *   small:   the row with a throttle and fewer cells, on two ranks with the CUDA kernels on the host
 *
 *   change of a figure with a key on several ranks less that on one, over the figure (small differences: 100 times)   <= 1e-8
 *   matrix against a difference of the residual                                             <= 1e-6
 *   v (J u) = u (J^T v) of random vectors, of the terms                                      <= 1e-12
 *   a block of a foreign cell that is missing is seen: matrix against a difference            > 1e-3
 */
#include "solver/adjoint/inputs.h"
#include "tests/verify/adjoint_cases.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 64 };

/* What a number of ranks finds. */
struct found {
    int n;                               /* numbers of keys */
    double gradient[MOST][MOST_NUMBERS]; /* times the size of the key */
    double value[MOST];
    double check, duality, broken; /* see above */
    char flow[1024];               /* snapshot of the settled flow */
};

static void randomise(double *x, int64_t n, uint32_t seed)
{
    for (int64_t m = 0; m < n; m++) {
        seed = seed * 1664525u + 1013904223u;
        x[m] = (double)(seed >> 8) / 8388608.0 - 1;
    }
}

/* Random numbers, those of targets the same on all ranks. */
static void random_vector(const struct an_adjoint *a, double *x, uint32_t seed)
{
    const int64_t cells = a->cells.n * a->nv, rows = a->residual.rows * a->nv;
    randomise(x, cells, seed + 100 * (uint32_t)a->s->rank);
    randomise(x + cells, rows - cells, seed + 7);
}

/* v (J u) less u (J^T v), of the terms. */
static double duality_of(struct an_adjoint *a)
{
    const int64_t n = a->residual.rows * a->nv;
    double *room = malloc((4 * (size_t)n + 1) * sizeof *room), sum[3] = {0};
    fixture_must(room ? AN_OK : AN_FAIL, "memory");
    double *u = room, *v = room + n, *ju = room + 2 * n, *jv = room + 3 * n;
    const double *const in[2] = {u, v};
    random_vector(a, u, 1);
    random_vector(a, v, 2);
    fixture_must(an_block_multiply(&a->jacobian, 0, 1, &in[0], &ju), "product");
    fixture_must(an_block_multiply(&a->jacobian, 1, 1, &in[1], &jv), "product");
    for (int64_t m = 0; m < an_block_counted(&a->jacobian); m++) {
        sum[0] += v[m] * ju[m];
        sum[1] += u[m] * jv[m];
        sum[2] += fabs(v[m] * ju[m]);
    }
    free(room);
    fixture_must(an_block_sum(&a->jacobian, 3, sum), "sums");
    fixture_must(an_block_matrix_turn(&a->jacobian, 0), "turn");
    return fabs(sum[0] - sum[1]) / sum[2];
}

/* How far the matrix is off a difference of the residual without the block of the first own cell that depends on another rank
 * and the nearest foreign cell. */
static double without_block(struct an_adjoint *a)
{
    const struct an_lists *p = a->jacobian.pattern;
    const size_t numbers = (size_t)(a->nv * a->nv);
    for (int64_t i = 0; i < a->cells.n; i++)
        for (int f = 0; f < 6; f++)
            for (int64_t m = p->first[i]; m < p->first[i + 1]; m++)
                if (a->cells.near[i][f] >= a->cells.n &&
                    p->list[m] - a->residual.targets.n == a->cells.near[i][f]) {
                    memset(a->jacobian.value + (size_t)m * numbers, 0,
                           numbers * sizeof *a->jacobian.value);
                    i = a->cells.n - 1;
                    break;
                }
    fixture_must(an_adjoint_check_matrix(a), "check");
    return a->stats.check;
}

static void take_gradients(struct an_adjoint *a, struct found *r)
{
    struct an_adjoint_inputs g;
    fixture_must(an_adjoint_inputs_new(a, 0, NULL, &g), "inputs");
    fixture_must(an_adjoint_inputs_gradients(a, &g), "gradients by keys");
    for (int k = 0; k < g.n; k++) {
        const struct an_adjoint_input *i = &g.input[k];
        double size = 0;
        for (int c = 0; c < i->n; c++)
            size = fmax(size, fabs(i->value[c]));
        for (int c = 0; c < i->n && r->n < MOST_NUMBERS; c++, r->n++)
            for (int f = 0; f < a->nfigure; f++)
                r->gradient[f][r->n] = size * i->gradient[f * i->n + c];
    }
    for (int f = 0; f < a->nfigure; f++)
        r->value[f] = a->figure[f].value;
    an_adjoint_inputs_free(&g);
}

/* from: a snapshot; "": the flow is marched and settled. */
static void find(const struct trial *t, MPI_Comm comm, const char *mesh, const char *from,
                 struct found *r)
{
    struct fixture f;
    struct an_adjoint a;
    open_case_on(&f, comm, t, 0, mesh);
    if (*from)
        fixture_must(an_solver_restart(f.solver, from), "restart");
    else
        (void)fixture_converge(&f, 1e-8, t->steps);
    fixture_must(an_adjoint_new(f.solver, count_of(t), figures_of(t), &a), t->name);
    fixture_must(an_adjoint_settle(&a, 1e-15, 12), "settle");
    fixture_must(an_adjoint_solve(&a, 1e-11), "solve");
    if (!*from)
        fixture_must(an_solver_write(f.solver, r->flow), "write");
    r->check = a.stats.check;
    verify_note("%s: %lld cells, %lld of rank 0 and %lld foreign ones, %d targets; residual %.1e "
                "by %d Newton "
                "steps, %d iterations of GMRES, %.3g s for the matrix",
                t->name, (long long)a.cells.all, (long long)a.cells.n,
                (long long)a.cells.ranks.nforeign, a.residual.targets.n, a.stats.settled,
                a.stats.newton, a.stats.iterations, a.stats.linearise_s);
    take_gradients(&a, r);
    r->duality = duality_of(&a);
    double foreign = (double)a.cells.ranks.nforeign;
    fixture_must(an_ranks_sum(&a.cells.ranks, 1, &foreign), "sum");
    r->broken = foreign > 0 ? without_block(&a) : 1;
    an_adjoint_free(&a);
    fixture_close(&f);
}

/* On the first ranks; all get what these find. */
static void find_on(const struct trial *t, int ranks, const char *mesh, const char *from,
                    struct found *r)
{
    int rank;
    MPI_Comm some;
    memset(r, 0, sizeof *r);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < ranks, rank, &some);
    if (rank < ranks)
        find(t, some, mesh, from, r);
    MPI_Comm_free(&some);
    MPI_Bcast(r, sizeof *r, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static int cancels(const char *figure)
{
    return strstr(figure, "efficiency") || strstr(figure, "pressure_ratio") ||
           strstr(figure, "loss");
}

/* engine: of several ranks. */
static void compare(const struct trial *t, int least, int most, const char *engine)
{
    struct found one, other;
    const char *mesh = mesh_of(t, 0);
    device = "cpu";
    find_on(t, 1, mesh, "", &one);
    device = engine;
    for (int ranks = least; ranks <= most; ranks++) {
        char name[64];
        snprintf(name, sizeof name, "%s, %s, %d ranks", t->name, engine, ranks);
        find_on(t, ranks, mesh, t->kind == CASCADE ? "" : one.flow, &other);
        verify_check(verify_text("%s: numbers of keys", name), other.n, one.n, one.n);
        verify_check(verify_text("%s: matrix against a difference", name), other.check, 0, 1e-6);
        verify_check(verify_text("%s: v (J u) less u (J^T v)", name), other.duality, 0, 1e-12);
        verify_check(verify_text("%s: matrix without a block", name), other.broken, 1e-3, 10);
        for (int f = 0; f < count_of(t); f++) {
            double worst = 0, size = 0;
            for (int k = 0; k < one.n; k++)
                size = fmax(size, fabs(one.gradient[f][k]));
            for (int k = 0; k < one.n; k++)
                worst = verify_worst(worst, fabs(other.gradient[f][k] - one.gradient[f][k]) /
                                                fmax(fabs(one.value[f]), size));
            verify_check(verify_text("%s: %s off that on one", name, figures_of(t)[f]), worst, 0,
                         cancels(figures_of(t)[f]) ? 1e-6 : 1e-8);
        }
    }
}

int main(int argc, char **argv)
{
    static const struct steering steering[] = {
        {"",
         ", radial_equilibrium: hub, non_reflecting: true, throttle_p: 9e4, throttle_mass_flow: "
         "%.17g",
         "boundaries.outlet.throttle_mass_flow", 78, 1000},
        {", mass_flow: %.17g", "", "boundaries.inlet.mass_flow", 78, 1000}};
    static const struct trial trial[] = {
        {"cascade",
         ROE "gas: {viscosity: sutherland}\nturbulence: {model: sst, wall_function: off}\n",
         VISCOUS, 12, 400, 2, 0, CASCADE, NULL},
        {"machine", ROE, SLIP, 5, 200, 0, 0, MACHINE, NULL},
        {"stage", ROE "gas: {viscosity: sutherland}\nturbulence: {model: sa}\n", VISCOUS, 6, 200, 1,
         0, STAGE, NULL},
        {"throttle", ROE, SLIP, 5, 200, 0, 0, ROTOR, &steering[0]},
        {"inlet", ROE, SLIP, 5, 200, 0, 0, ROTOR, &steering[1]}};
    static const struct trial small = {"small", ROE, SLIP, 4, 100, 0, 0, ROTOR, &steering[0]};
    int size;
    verify_start(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    fixture_folder();
    for (size_t n = 0; n < sizeof trial / sizeof *trial; n++)
        if (argc < 2 || !strcmp(argv[1], trial[n].name))
            compare(&trial[n], n < 2 ? 2 : size, size, "cpu");
    if (argc < 2 || !strcmp(argv[1], "emulated"))
        compare(&small, 2, 2, "emulated");
    return verify_end();
}

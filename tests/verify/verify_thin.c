/* Zones one cell thick: the flow is that of the same mesh in one zone, whatever the zones are.
 *
 *   sector: a sector of an annulus, 6 x 6 x 6 cells, swirling flow from a total inlet to a static outlet, hub and
 *   casing, rotational periodicity; explicit, 5 steps from a wavy state
 *
 *   cut into 2, 3, 6 slabs, into columns, into 216 zones of one cell, and into slabs of one and two cells, stored
 *   as they lie and turned:
 *     state, turbulence and scalars of every cell = those of one zone      to 1e-12 of the largest value
 *     2 and 4 ranks = 1 rank                                               all bits
 *   Turbulence is solved along lines from wall to wall, which slabs along the span divide: those of turbulent runs
 *   are cut in the other two directions.
 *
 *   wedge: one cell around, joined to itself by a rotation, or between planes of symmetry, settled with roe
 *     = two cells around in twice the angle                                to 1e-7
 *   with jst, planes of symmetry, which have no dissipation, = rotation    to 1e-4
 *   with jst, scheme.aspect_exponent 0 and coefficients 3/2 as large = two cells, whose three spectral radii
 *     take part in the dissipation, where those of one cell are two        to 1e-4 (1e-5, of the faces around;
 *                                                                          else 1e-2)
 *
 *   drag: the wedge with viscous walls, 16 x 12 cells, one cell around in 2 degrees, roe with sa and with sst
 *     = two cells around in 4 degrees                                      to 1e-7
 *     force and friction of the hub = those of four cells in 2 degrees     to 1e-3 (3e-4, 5e-5)
 */
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/march/scalars.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
enum { WORDS = 10, MOST = 4096 };

static double angle = PI / 9;

static void sector_map(void *context, const double s[3], double x[3])
{
    const double turn = *(const double *)context;
    const double r = 1 + 0.5 * s[1] - 0.1 * sin(PI * s[0]) * (1 - s[1]);
    vm_cylindrical(0.8 * s[0], r, turn * s[2] + 0.3 * s[0] * s[0] + 0.2 * s[1], x);
}

static void start(void *context, const double x[3], double q[5])
{
    (void)context;
    const double r = hypot(x[1], x[2]), wave = sin(40 * atan2(x[2], x[1]) + 3 * x[0]);
    q[0] = 1.2 + 0.1 * sin(2 * PI * x[0]) * cos(5 * r) + 0.02 * wave;
    q[1] = 150 + 20 * cos(7 * r) + 5 * wave;
    q[2] = -(40 + 10 * wave) * x[2] / r + 10 * sin(2 * PI * x[0]) * x[1] / r;
    q[3] = (40 + 10 * wave) * x[1] / r + 10 * sin(2 * PI * x[0]) * x[2] / r;
    q[4] = 1e5 + 4e3 * sin(2 * PI * (x[0] + r)) + 1e3 * wave;
}

/* Words of all cells on this rank, which has the whole mesh. */
struct cells {
    int n, words;
    double x[MOST][3], q[MOST][WORDS];
    double drag[2]; /* N along x on the hub: pressure and friction, friction */
};

static void add_words(const struct an_solver *s, const struct an_block *block, const void *field,
                      int ncomp, int cell[3], double *q, int *words)
{
    for (int c = 0; field && c < ncomp; c++)
        q[(*words)++] =
            ((const double *)
                 field)[c * s->level->layout.ncell + an_element(block, cell[0], cell[1], cell[2])];
}

static void collect(struct an_solver *s, struct cells *to)
{
    const struct an_level *l = s->level;
    struct an_fields scalar = {.at = {NULL}};
    struct an_params params;
    if (s->c->nscalar)
        an_scalar_view(s, 0, &scalar, &params);
    to->n = 0;
    for (int b = 0; b < s->nlocal; b++) {
        const struct an_block *block = &l->layout.block[b];
        int c[3];
        for (c[2] = 0; c[2] < block->n[2]; c[2]++)
            for (c[1] = 0; c[1] < block->n[1]; c[1]++)
                for (c[0] = 0; c[0] < block->n[0]; c[0]++, to->n++) {
                    int words = 0;
                    double *q = to->q[to->n];
                    an_nodes_centre(block->n, s->node[b], c[0], c[1], c[2], to->x[to->n]);
                    add_words(s, block, l->fields.at[AN_F_W], 5, c, q, &words);
                    if (s->params.turb.model == AN_TURBULENCE_SA)
                        add_words(s, block, l->fields.at[AN_F_TURB], 1, c, q, &words);
                    if (s->params.turb.model == AN_TURBULENCE_SST)
                        add_words(s, block, l->fields.at[AN_F_TURB], 2, c, q, &words);
                    if (s->params.turb.intermittency)
                        add_words(s, block, l->fields.at[AN_F_INTER], 1, c, q, &words);
                    add_words(s, block, scalar.at[AN_F_TURB], 1, c, q, &words);
                    to->words = words;
                }
    }
}

static int nearest(const struct cells *of, const double x[3])
{
    int best = 0;
    double least = INFINITY;
    for (int n = 0; n < of->n; n++) {
        const double d =
            fabs(of->x[n][0] - x[0]) + fabs(of->x[n][1] - x[1]) + fabs(of->x[n][2] - x[2]);
        if (d < least) {
            least = d;
            best = n;
        }
    }
    return best;
}

/* Largest difference over the largest value of each word; infinite if a cell has no partner. */
static double difference(const struct cells *a, const struct cells *b)
{
    double scale[WORDS] = {0}, worst = a->n == b->n && a->words == b->words ? 0 : INFINITY;
    for (int n = 0; n < a->n; n++)
        for (int w = 0; w < a->words; w++)
            scale[w] = fmax(scale[w], fabs(a->q[n][w]));
    for (int n = 0; n < b->n; n++) {
        const int m = nearest(a, b->x[n]);
        for (int c = 0; c < 3; c++)
            if (fabs(a->x[m][c] - b->x[n][c]) > 1e-9)
                worst = INFINITY;
        for (int w = 0; w < b->words; w++)
            worst = verify_worst(worst, fabs(a->q[m][w] - b->q[n][w]) / scale[w]);
    }
    return worst;
}

static const struct vm_segment sector_ends[] =
    VM_SECTOR(AN_BC_INLET_TOTAL, "inlet", AN_BC_OUTLET_STATIC, "outlet");
static const struct vm_segment plane_ends[] = {
    {.dir = 0, .side = 0, .type = AN_BC_INLET_TOTAL, .name = "inlet"},
    {.dir = 0, .side = 1, .type = AN_BC_OUTLET_STATIC, .name = "outlet"},
    {.dir = 1, .side = 0, .type = AN_BC_WALL_SLIP, .name = "hub"},
    {.dir = 1, .side = 1, .type = AN_BC_WALL_SLIP, .name = "casing"},
    {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "low"},
    {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "high"}};

static const char *const boundaries =
    "boundaries:\n"
    "  inlet: {type: inlet_total, p0: 1.2e5, T0: 310, direction: [0.9, 0.1, 0.3]%s}\n"
    "  outlet: {type: outlet_static, p: 1e5}\n";
static const char *const walls = "  hub: {type: wall_viscous, T: 320, omega: 60}\n"
                                 "  casing: {type: wall_viscous, heat_flux: 1e4}\n";

static const struct variant {
    const char *name, *march, *rest;
    int viscous, lines; /* lines: lines of turbulence may not be cut */
    const char *scalar;
} variants[] = {
    {"jst", "method: runge_kutta, cfl: 2", "scheme: {flux: jst}\n", 0, 0, ""},
    {"roe, walls of second order", "method: runge_kutta, cfl: 2",
     "scheme: {flux: roe, boundary_order: 2}\n", 0, 0, ""},
    {"matrix, smoothed", "method: runge_kutta, residual_smoothing: jacobi",
     "scheme: {flux: matrix}\n", 0, 0, ""},
    {"kep, unsteady, viscous", "mode: unsteady, method: runge_kutta, cfl: 1",
     "scheme: {flux: kep}\ngas: {viscosity: sutherland, mu: 0.1}\n", 1, 0, ""},
    {"scree", "method: scree", "", 0, 0, ""},
    {"cp(T), viscous", "method: runge_kutta, cfl: 2",
     "gas: {viscosity: sutherland, mu: 0.1, cp: [500, 2], T_range: [200, 600]}\n", 1, 0, ""},
    {"scalar, unsteady", "mode: unsteady, method: runge_kutta, cfl: 1",
     "gas: {viscosity: sutherland, mu: 0.1}\nscalars: {Smoke: {schmidt: 0.7, initial: 0.3}}\n", 1,
     0, ", scalars: [1]"},
    {"sa", "method: runge_kutta, cfl: 2",
     "gas: {viscosity: sutherland, mu: 1e-3}\nturbulence: {model: sa}\n", 1, 1, ""},
    {"sst", "method: runge_kutta, cfl: 2",
     "scheme: {flux: roe}\ngas: {viscosity: sutherland, mu: 1e-3}\nturbulence: {model: sst}\n", 1,
     1, ""},
    {"sa, second order", "method: runge_kutta, cfl: 2",
     "gas: {viscosity: sutherland, mu: 1e-4}\n"
     "turbulence: {model: sa, order: 2}\n",
     1, 1, ""},
    {"mixing length", "method: runge_kutta, cfl: 2",
     "gas: {viscosity: sutherland, mu: 0.1}\nturbulence: {model: mixing_length, length: 5}\n", 1, 0,
     ""},
};

static void write_yaml(char *yaml, size_t size, const struct variant *v, const char *precision)
{
    char open[256];
    snprintf(open, sizeof open, boundaries, v->scalar);
    snprintf(yaml, size,
             "case: thin\nprecision: %s\n%smarch: {%s, iterations: 5}\n"
             "initial: {p: 1e5, T: 300}\n%s%s",
             precision, v->rest, v->march, open, v->viscous ? walls : "");
}

static struct cells whole, cut;

static void run(const char *yaml, const char *mesh, struct cells *to)
{
    struct fixture f;
    fixture_open_on(&f, MPI_COMM_SELF, "thin", yaml, mesh);
    fixture_must(an_solver_fill(f.solver, start, NULL), "fill");
    fixture_steps(&f, 5);
    collect(f.solver, to);
    fixture_close(&f);
}

static uint64_t hash_of(const char *yaml, const char *mesh, int ranks)
{
    int rank;
    uint64_t hash = 0;
    MPI_Comm some;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < ranks ? 0 : MPI_UNDEFINED, rank, &some);
    if (some != MPI_COMM_NULL) {
        struct fixture f;
        fixture_open_on(&f, some, verify_text("thin%d", ranks), yaml, mesh);
        fixture_must(an_solver_fill(f.solver, start, NULL), "fill");
        fixture_steps(&f, 5);
        hash = fixture_hash(&f);
        fixture_close(&f);
        MPI_Comm_free(&some);
    }
    MPI_Bcast(&hash, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    return hash;
}

static const struct {
    const char *name;
    int n[3], parts[3], turn, spans; /* spans: cut along the span */
} cuts[] = {{"one zone", {6, 6, 6}, {1, 1, 1}, -1, 0},
            {"2 around", {6, 6, 6}, {1, 1, 2}, -1, 0},
            {"3 around", {6, 6, 6}, {1, 1, 3}, -1, 0},
            {"6 around", {6, 6, 6}, {1, 1, 6}, -1, 0},
            {"6 around, turned", {6, 6, 6}, {1, 1, 6}, 3, 0},
            {"6 along x", {6, 6, 6}, {6, 1, 1}, -1, 0},
            {"6 along x, turned", {6, 6, 6}, {6, 1, 1}, 10, 0},
            {"36 columns", {6, 6, 6}, {6, 1, 6}, 17, 0},
            {"3 along the span", {6, 6, 6}, {1, 3, 1}, -1, 1},
            {"6 along the span", {6, 6, 6}, {1, 6, 1}, -1, 1},
            {"216 cells", {6, 6, 6}, {6, 6, 6}, 5, 1},
            {"three layers, one zone", {6, 6, 3}, {1, 1, 1}, -1, 0},
            {"1 and 2 around", {6, 6, 3}, {2, 1, 2}, 7, 0},
            {"three rows, one zone", {6, 3, 6}, {1, 1, 1}, -1, 1},
            {"1 and 2 along the span", {6, 3, 6}, {1, 2, 3}, 13, 1}};
enum { NCUT = sizeof cuts / sizeof *cuts, NVARIANT = sizeof variants / sizeof *variants };

/* from: the first variant */
static void slabs(int rank, int size, int from)
{
    char yaml[2048];
    for (int m = 0; m < NCUT; m++) {
        struct vm_box box = {.turn = cuts[m].turn,
                             .map = sector_map,
                             .context = &angle,
                             .angle = angle,
                             .nsegment = 6,
                             .segment = sector_ends};
        memcpy(box.n, cuts[m].n, sizeof box.n);
        memcpy(box.parts, cuts[m].parts, sizeof box.parts);
        vm_write(fixture_path(verify_text("thin%d.cgns", m)), &box);
    }
    for (int v = from; v < NVARIANT; v++)
        for (int m = 0; m < NCUT; m++) {
            double worst = 0;
            const int first = cuts[m].parts[0] * cuts[m].parts[1] * cuts[m].parts[2] == 1;
            if (variants[v].lines && cuts[m].spans && !first)
                continue;
            write_yaml(yaml, sizeof yaml, &variants[v], "double");
            const char *mesh = fixture_path(verify_text("thin%d.cgns", m));
            if (rank == 0) {
                run(yaml, mesh, first ? &whole : &cut);
                worst = first ? 0 : difference(&whole, &cut);
            }
            MPI_Bcast(&worst, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
            if (!first)
                verify_check(
                    verify_text("%s, %s: differs from one zone by", variants[v].name, cuts[m].name),
                    worst, 0, 1e-12);
        }
    for (int v = from; v < NVARIANT; v++)
        for (int m = 3; m < NCUT; m++) {
            const int zones = cuts[m].parts[0] * cuts[m].parts[1] * cuts[m].parts[2];
            if (zones < size || (variants[v].lines && cuts[m].spans) || (m + v) % 3)
                continue;
            write_yaml(yaml, sizeof yaml, &variants[v], v % 2 ? "single" : "double");
            const char *mesh = fixture_path(verify_text("thin%d.cgns", m));
            const uint64_t one = hash_of(yaml, mesh, 1);
            for (int ranks = 2; ranks <= size; ranks *= 2)
                verify_check(
                    verify_text("%s, %s: %d ranks differ", variants[v].name, cuts[m].name, ranks),
                    hash_of(yaml, mesh, ranks) != one, 0, 0);
        }
}

/* Cylindrical components at an angle of zero, for cells that differ by a turn about the axis. */
static void unwind(struct cells *c)
{
    for (int n = 0; n < c->n; n++) {
        double *x = c->x[n], *q = c->q[n];
        const double r = hypot(x[1], x[2]), cosine = x[1] / r, sine = x[2] / r;
        const double radial = q[2] * cosine + q[3] * sine;
        q[3] = q[3] * cosine - q[2] * sine;
        q[2] = radial;
        x[1] = r;
        x[2] = 0;
    }
}

/* The sector with straight inlet, so that one layer is like any other. */
static void wedge_map(void *context, const double s[3], double x[3])
{
    const double r = 1 + 0.5 * s[1] - 0.1 * sin(PI * s[0]) * (1 - s[1]);
    vm_cylindrical(0.8 * s[0], r, *(const double *)context * (s[2] - 0.5), x);
}

static void wedge_start(void *context, const double x[3], double q[5])
{
    (void)context;
    (void)x;
    q[0] = 1.15;
    q[1] = 120;
    q[2] = q[3] = 0;
    q[4] = 1e5;
}

static void add_drag(struct fixture *f, struct cells *to)
{
    double(*integral)[AN_NINTEGRAL] = calloc((size_t)f->mesh.topology.nboundary, sizeof *integral);
    struct an_measure m = {.integral = integral};
    fixture_must(an_solver_measure(f->solver, &m), "measure");
    const double *hub = integral[an_boundary_find(&f->mesh.topology, "hub")];
    to->drag[0] = hub[AN_I_MX];
    to->drag[1] = hub[AN_I_VX];
    free(integral);
}

static void settle(const struct vm_box *box, const char *yaml, double residual, struct cells *to)
{
    const char *mesh = fixture_path("wedge.cgns");
    struct fixture f;
    vm_write(mesh, box);
    fixture_open(&f, "wedge", yaml, mesh);
    fixture_must(an_solver_fill(f.solver, wedge_start, NULL), "fill");
    const double drop = fixture_converge(&f, residual, 1500);
    verify_note("%d layers: residual drop %.1e after %lld iterations", box->n[2], drop,
                (long long)an_solver_iteration(f.solver));
    add_drag(&f, to);
    if (f.solver->nrank == 1)
        collect(f.solver, to);
    fixture_close(&f);
    unwind(to);
}

static const char *const wedge_ends =
    "initial: {p: 1e5, T: 300}\nboundaries:\n"
    "  inlet: {type: inlet_total, p0: 1.1e5, T0: 310, direction: [1, 0, 0]}\n"
    "  outlet: {type: outlet_static, p: 1e5}\n";

static void solve_wedge(int planes, int layers, const char *scheme, struct cells *to)
{
    double turn = layers * PI / 18;
    const struct vm_box box = {.n = {8, 4, layers},
                               .turn = -1,
                               .map = wedge_map,
                               .context = &turn,
                               .angle = turn,
                               .nsegment = 6,
                               .segment = planes ? plane_ends : sector_ends};
    settle(&box, verify_text("case: wedge\nscheme: {%s}\n%s", scheme, wedge_ends), 1e-10, to);
}

static void solve_drag(const char *model, int layers, double turn, struct cells *to)
{
    const struct vm_box box = {.n = {16, 12, layers},
                               .turn = -1,
                               .map = wedge_map,
                               .context = &turn,
                               .angle = turn,
                               .nsegment = 6,
                               .segment = sector_ends};
    settle(&box,
           verify_text("case: wedge\ngas: {viscosity: sutherland, mu: 1e-3}\nturbulence: {model: "
                       "%s}\nmarch: {method: implicit}\nscheme: {flux: roe}\n%s%s",
                       model, wedge_ends,
                       "  hub: {type: wall_viscous}\n  casing: {type: wall_viscous}\n"),
           1e-9, to);
}

static void compare_wedges(const char *what, double most)
{
    double worst = 0;
    for (int n = 0; n < cut.n; n++) {
        const int m = nearest(&whole, cut.x[n]);
        worst = verify_worst(worst, fabs(whole.q[m][4] - cut.q[n][4]) / whole.q[m][4]);
        for (int w = 1; w < 4; w++)
            worst = verify_worst(worst, fabs(whole.q[m][w] - cut.q[n][w]) / 120);
    }
    verify_check(what, worst, 0, most);
}

/* With jst one layer has the dissipation of a plane flow, which is lower than that of two: with two layers the spectral
 * radius around, which grows as the layers get thinner, adds to the dissipation along the other directions. */
static void wedges(void)
{
    for (int planes = 0; planes < 2; planes++) {
        solve_wedge(planes, 1, "flux: roe", &whole);
        solve_wedge(planes, 2, "flux: roe", &cut);
        compare_wedges(verify_text("wedge, roe, %s: one layer differs from two by",
                                   planes ? "planes of symmetry" : "rotation"),
                       1e-7);
    }
    solve_wedge(0, 1, "flux: jst", &whole);
    solve_wedge(1, 1, "flux: jst", &cut);
    compare_wedges("wedge, jst: planes of symmetry differ from a rotation by", 1e-4);
    solve_wedge(0, 1, "flux: jst, aspect_exponent: 0, k2: 0.3, k4: 0.03", &whole);
    solve_wedge(0, 2, "flux: jst, aspect_exponent: 0, k2: 0.2, k4: 0.02", &cut);
    compare_wedges("wedge, jst: one layer differs from two of the same dissipation by", 1e-4);
}

static void drags(void)
{
    static const char *const model[] = {"sa", "sst"};
    const double turn = PI / 90;
    for (int m = 0; m < 2; m++) {
        solve_drag(model[m], 1, turn, &whole);
        solve_drag(model[m], 2, 2 * turn, &cut);
        compare_wedges(
            verify_text("drag, %s: one layer differs from two in twice the angle by", model[m]),
            1e-7);
        solve_drag(model[m], 4, turn, &cut);
        for (int part = 0; part < 2; part++)
            verify_check(verify_text("drag, %s: %s of the hub, one layer / four layers - 1",
                                     model[m], part ? "friction" : "force"),
                         whole.drag[part] / cut.drag[part] - 1, -1e-3, 1e-3);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    verify_start(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    fixture_folder();
    slabs(rank, size, argc > 1 ? atoi(argv[1]) : 0);
    if (size == 1) {
        wedges();
        drags();
    }
    return verify_end();
}

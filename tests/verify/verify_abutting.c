/* Abutting interfaces: sides that lie on each other and do not match.
 *
 *   vortex:   the vortex of tests/verify/periodic_square.h through two waved interfaces of 3 to 2 faces, one of
 *             them periodic                                          order 1.9 from 42 to 84 cells (84 to 168: 1.98 to 2.13),
 *             error over that of the square of one piece; on one half faces are 1.5 times as wide    1.8
 *   uniform:  relative error of the state after 40 steps, and after 4 dual ones
 *               a box with a bulged interface, one face against two zones, 3 to 2 both ways   1e-12
 *               a turning sector whose periodic sides have other meshes                       1e-12
 *               the same, cambered: the edges of its sides enclose other areas                1e-3
 *   totals:   mass, momentum and energy of the square, of the box with slip walls mass and energy, over
 *             60 steps                                               1e-12
 *   fluxes:   what leaves one side of the interfaces of the box enters the other, inviscid and laminar
 *             1e-12 of the sum of their sizes
 *   ranks:    the same bits on 1, 2, 3 and 4 ranks; restart in the middle: the same bits
 *   emulated: the bits of the CPU by the kernels of CUDA on the host, recorded
 *   levels:   multigrid with implicit steps converges as with a sliding plane at rest; the types of the
 *             boundaries come from the case
 */
#include "kernels/physics/slide.h"
#include "solver/flow/flow.h"
#include "solver/flow/slide.h"
#include "solver/level/level.h"
#include "tests/verify/abut_mesh.h"
#include "tests/verify/periodic_square.h"
#include "tests/verify/verify.h"

static const double gas = 287.05, p1 = 1e5, T1 = 300;
static const char *device = "cpu";

/* ---- the square in two halves ---- */

struct half {
    double from, to;
};

static void half_map(void *context, const double s[3], double x[3])
{
    const struct half *h = context;
    square_map(NULL, (const double[3]){h->from + (h->to - h->from) * s[0], s[1], s[2]}, x);
}

static void write_square(const char *path, int n)
{
    static struct half half[2] = {{0, 0.5}, {0.5, 1}};
    static const struct am_boundary boundary[] = {
        {"low", AN_BC_SYMMETRY, NULL, 0, {0}},
        {"high", AN_BC_SYMMETRY, NULL, 0, {0}},
        {"left_in", AN_BC_ABUTTING, "right_out", 0, {-10, 0, 0}},
        {"left_out", AN_BC_ABUTTING, "right_in", 0, {0}},
        {"right_in", AN_BC_ABUTTING, "left_out", 0, {0}},
        {"right_out", AN_BC_ABUTTING, "left_in", 0, {10, 0, 0}}};
    const struct am_zone zone[2] = {{.name = "left",
                                     .n = {n / 2, n, 1},
                                     .map = half_map,
                                     .context = &half[0],
                                     .face = {"left_in", "left_out", NULL, NULL, "low", "high"},
                                     .translation = {{0}, {0, 10, 0}, {0}}},
                                    {.name = "right",
                                     .n = {n / 2, 2 * n / 3, 1},
                                     .map = half_map,
                                     .context = &half[1],
                                     .face = {"right_in", "right_out", NULL, NULL, "low", "high"},
                                     .translation = {{0}, {0, 10, 0}, {0}}}};
    am_write(path, 2, zone, 6, boundary);
}

static const char *square_case(const char *more)
{
    return verify_text("case: vortex\nprecision: double\ndevice: %s\ngas: {R: 1}\n"
                       "scheme: {flux: jst}\n"
                       "initial: {p: 1, T: 1, velocity: [1, 1, 0]}\n%s",
                       device, more);
}

static void check_vortex(void)
{
    static const char *const name[5] = {"rho", "u", "v", "w", "p"};
    double l2[2][5], whole[5];
    const char *config = square_case("march: {mode: unsteady, cfl: 2.5, end_time: 1}\n");
    for (int m = 0; m < 2; m++) {
        write_square(fixture_path("square.cgns"), 42 << m);
        square_run(config, fixture_path("square.cgns"), 1, l2[m]);
        verify_note("vortex, %d cells: L2 of rho %.3e, u %.3e, v %.3e, p %.3e", 42 << m, l2[m][0],
                    l2[m][1], l2[m][2], l2[m][4]);
    }
    square_write(fixture_path("whole.cgns"), 84);
    square_run(config, fixture_path("whole.cgns"), 1, whole);
    verify_note("vortex, 84 cells in one piece: L2 of rho %.3e, u %.3e, v %.3e, p %.3e", whole[0],
                whole[1], whole[2], whole[4]);
    for (int c = 0; c < 5; c++) {
        if (c == 3)
            continue;
        verify_check(verify_text("vortex, %s: order from 42 to 84 cells", name[c]),
                     verify_order(l2[0][c], l2[1][c], 2), 1.9, 4);
        verify_check(verify_text("vortex, %s: error over that of one piece", name[c]),
                     l2[1][c] / whole[c], 0, 1.8);
    }
}

/* ---- the box: one zone against two ---- */

struct part {
    double lo[3], hi[3], cluster, bulge;
};

/* The interface lies at x = 1/2 + bulge sin(pi y) sin(pi z); its edges are straight. */
static void part_map(void *context, const double s[3], double x[3])
{
    const struct part *p = context;
    const double pi = square_pi;
    double t[3];
    for (int c = 0; c < 3; c++) {
        const double r = c ? s[c] + p->cluster * sin(2 * pi * s[c]) : s[c];
        t[c] = p->lo[c] + (p->hi[c] - p->lo[c]) * r;
    }
    const double near = 1 - fabs(2 * t[0] - 1);
    x[0] = t[0] + p->bulge * near * sin(pi * t[1]) * sin(pi * t[2]);
    x[1] = t[1];
    x[2] = t[2];
}

struct box {
    const char *name;
    int n[3]; /* of zone a, the others have 2/3 of n[1], and 1/3 of n[2] each */
    double bulge;
    int closed; /* slip walls all around, else far fields */
    double uneven;
};

static void write_box(const struct box *g)
{
    static struct part part[3];
    const double cut = g->uneven != 0 ? 0.45 : 0.5;
    part[0] = (struct part){{0, 0, 0}, {0.5, 1, 1}, g->uneven, g->bulge};
    part[1] = (struct part){{0.5, 0, 0}, {1, 1, cut}, -g->uneven, g->bulge};
    part[2] = (struct part){{0.5, 0, cut}, {1, 1, 1}, -g->uneven, g->bulge};
    const enum an_bc_type around = g->closed ? AN_BC_WALL_SLIP : AN_BC_FARFIELD;
    const char *const a = "around";
    const struct am_boundary boundary[] = {{a, around, NULL, 0, {0}},
                                           {"one", AN_BC_ABUTTING, "many", 0, {0}},
                                           {"many", AN_BC_ABUTTING, "one", 0, {0}},
                                           {"split", AN_BC_ABUTTING, "split2", 0, {0}},
                                           {"split2", AN_BC_ABUTTING, "split", 0, {0}}};
    const struct am_zone zone[3] = {{.name = "a",
                                     .n = {g->n[0], g->n[1], g->n[2]},
                                     .map = part_map,
                                     .context = &part[0],
                                     .face = {a, "one", a, a, a, a}},
                                    {.name = "b",
                                     .n = {g->n[0], 2 * g->n[1] / 3, g->n[2] / 3},
                                     .map = part_map,
                                     .context = &part[1],
                                     .face = {"many", a, a, a, a, "split"}},
                                    {.name = "c",
                                     .n = {g->n[0], 2 * g->n[1] / 3, g->n[2] / 3},
                                     .map = part_map,
                                     .context = &part[2],
                                     .face = {"many", a, a, a, "split2", a}}};
    am_write(fixture_path(g->name), 3, zone, 5, boundary);
}

static const char *box_case(const char *march, const char *more, int closed)
{
    static const char *const far =
        "boundaries:\n  around: {type: farfield, p: 1e5, T: 300, velocity: [100, 40, -30]}\n";
    return verify_text("case: box\ndevice: %s\nprecision: double\n%s"
                       "march: {%s}\ninitial: {p: 1e5, T: 300, velocity: [100, 40, -30]}\n"
                       "output: {folder: %s}\n%s",
                       device, more, march, fixture_folder(), closed ? "" : far);
}

static const char *inviscid = "gas: {gamma: 1.4, R: 287.05}\nscheme: {flux: jst}\n";
static const char *laminar = "gas: {gamma: 1.4, R: 287.05, viscosity: constant, mu: 0.01}\n"
                             "scheme: {flux: jst}\n";
static const char *turbulent = "gas: {gamma: 1.4, R: 287.05, viscosity: constant, mu: 1e-3}\n"
                               "turbulence: {model: sst}\nscheme: {flux: roe}\n";
static const char *const explicit_march =
    "mode: unsteady, method: runge_kutta, time_step: 2e-5, iterations: 1000";
static const char *const dual = "mode: unsteady, method: dual, time_step: 1e-4, iterations: 1000";

static void uniform(void *context, const double x[3], double q[5])
{
    (void)context, (void)x;
    const double state[5] = {p1 / (gas * T1), 100, 40, -30, p1};
    memcpy(q, state, sizeof state);
}

static void axial(void *context, const double x[3], double q[5])
{
    (void)context, (void)x;
    const double state[5] = {p1 / (gas * T1), 100, 0, 0, p1};
    memcpy(q, state, sizeof state);
}

static void varied(void *context, const double x[3], double q[5])
{
    (void)context;
    const double rho = p1 / (gas * T1);
    const double state[5] = {rho * (1 + 0.05 * sin(5 * x[0] + 4 * x[1])),
                             100 * (1 + 0.2 * cos(4 * x[1]) * x[2]), 10 * sin(6 * x[2]),
                             12 * cos(5 * x[1]),
                             p1 * (1 + 0.02 * cos(4 * x[0] + 5 * x[1] - 3 * x[2]))};
    memcpy(q, state, sizeof state);
}

static double state_error(struct fixture *f, an_state_at *exact)
{
    double max[5], worst = 0;
    const double c = sqrt(1.4 * gas * T1), scale[5] = {p1 / (gas * T1), c, c, c, p1};
    fixture_error(f, exact, NULL, NULL, max);
    for (int n = 0; n < 5; n++)
        worst = verify_worst(worst, max[n] / scale[n]);
    return worst;
}

static void check_uniform(const char *what, const char *yaml, const char *mesh, an_state_at *state,
                          int steps, double most)
{
    struct fixture f;
    fixture_open(&f, "uniform", yaml, fixture_path(mesh));
    fixture_must(an_solver_fill(f.solver, state, NULL), "fill");
    fixture_steps(&f, steps);
    verify_check(verify_text("uniform flow, %s", what), state_error(&f, state), 0, most);
    fixture_close(&f);
}

/* ---- the sector ---- */

struct sector {
    double angle, uneven, camber;
};

/* Where i and j lie depends on k, so the periodic sides have other meshes. */
static void sector_map(void *context, const double s[3], double x[3])
{
    const struct sector *p = context;
    const double pi = square_pi, way = 1 - 2 * s[2];
    const double i = s[0] + p->uneven * way * sin(2 * pi * s[0]);
    const double j = s[1] + 0.7 * p->uneven * way * sin(2 * pi * s[1]);
    vm_cylindrical(0.4 * i, 0.5 + 0.2 * j, p->angle * s[2] + p->camber * sin(pi * i), x);
}

static void write_sector(const char *name, double camber)
{
    static struct sector sector;
    const double angle = 2 * square_pi / 9;
    sector = (struct sector){angle, 0.06, camber};
    const struct am_boundary boundary[] = {
        {"in", AN_BC_FARFIELD, NULL, 0, {0}},       {"out", AN_BC_FARFIELD, NULL, 0, {0}},
        {"hub", AN_BC_FARFIELD, NULL, 0, {0}},      {"casing", AN_BC_FARFIELD, NULL, 0, {0}},
        {"low", AN_BC_ABUTTING, "up", -angle, {0}}, {"up", AN_BC_ABUTTING, "low", angle, {0}}};
    const struct am_zone zone = {.name = "sector",
                                 .n = {32, 8, 8},
                                 .map = sector_map,
                                 .context = &sector,
                                 .face = {"in", "out", "hub", "casing", "low", "up"}};
    am_write(fixture_path(name), 1, &zone, 6, boundary);
}

static const char *sector_case(const char *march, const char *more)
{
    return verify_text("case: sector\ndevice: %s\nprecision: double\n%smarch: {%s}\n"
                       "initial: {p: 1e5, T: 300, velocity: [100, 0, 0]}\n"
                       "output: {folder: %s}\nrows:\n  r: {zones: [\"*\"], omega: 300}\n"
                       "boundaries:\n"
                       "  in: {type: farfield, p: 1e5, T: 300, velocity: [100, 0, 0]}\n"
                       "  out: {type: farfield, p: 1e5, T: 300, velocity: [100, 0, 0]}\n"
                       "  hub: {type: farfield, p: 1e5, T: 300, velocity: [100, 0, 0]}\n"
                       "  casing: {type: farfield, p: 1e5, T: 300, velocity: [100, 0, 0]}\n",
                       device, more, march, fixture_folder());
}

/* ---- totals ---- */

static void add_cell(void *context, int zone, const int cell[3], const double x[3],
                     const double q[5], double volume)
{
    (void)zone, (void)cell, (void)x;
    double *sum = context;
    const double kinetic = 0.5 * q[0] * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double w[5] = {q[0], q[0] * q[1], q[0] * q[2], q[0] * q[3], q[4] / 0.4 + kinetic};
    for (int c = 0; c < 5; c++) {
        sum[c] += volume * w[c];
        sum[5 + c] += volume * fabs(w[c]);
    }
}

static void check_totals(const char *what, const char *yaml, const char *mesh, an_state_at *state,
                         void *context, const int words[5])
{
    static const char *const name[5] = {"mass", "x", "y", "z", "energy"};
    struct fixture f;
    double before[10] = {0}, after[10] = {0};
    fixture_open(&f, "totals", yaml, fixture_path(mesh));
    fixture_must(an_solver_fill(f.solver, state, context), "fill");
    fixture_cells(&f, add_cell, before);
    fixture_steps(&f, 60);
    fixture_cells(&f, add_cell, after);
    for (int c = 0; c < 5; c++)
        if (words[c])
            verify_check(verify_text("totals, %s: %s", what, name[c]),
                         fabs(after[c] - before[c]) / before[5 + c], 0, 1e-12);
    fixture_close(&f);
}

/* ---- fluxes of both sides ---- */

static double *copy_residual(const struct an_solver *s)
{
    const size_t bytes = (size_t)s->level->layout.ncell * 5 * sizeof(double);
    double *r = malloc(bytes);
    if (!r)
        fixture_must(AN_FAIL, "memory");
    memcpy(r, s->level->fields.at[AN_F_R], bytes); /* of the CPU engine, in double */
    return r;
}

/* Sums over all faces of abutting interfaces of what leaves them, and of its size: own fluxes, and the
 * changes of the residuals. */
static void sum_fluxes(struct an_solver *s, double sum[5], double size[5])
{
    struct an_level *l = s->level;
    struct an_slide *slide = l->slide;
    void *w = l->fields.at[AN_F_W];
    fixture_must(an_level_residual(s, l, w), "residual");
    double *with = copy_residual(s);
    l->slide = NULL;
    fixture_must(an_level_residual(s, l, w), "residual");
    l->slide = slide;
    double *without = copy_residual(s);
    const double *raw = slide->flux;
    struct an_face_window *window;
    int n;
    int64_t faces = 0;
    fixture_must(
        an_bc_windows(&l->partition.topology, s->boundary, s->nlocal, s->local, &n, &window),
        "windows");
    for (int k = 0; k < n; k++)
        if (s->boundary[window[k].boundary].type == AN_BC_ABUTTING)
            faces += an_window_faces(&window[k].window);
    for (int c = 0; c < 5; c++) {
        sum[c] = size[c] = 0;
        for (int64_t f = 0; f < faces; f++) {
            sum[c] += raw[AN_NCOMP_SLIDE_FLUX * f + c];
            size[c] += fabs(raw[AN_NCOMP_SLIDE_FLUX * f + c]);
        }
        for (int64_t at = c * l->layout.ncell; at < (c + 1) * l->layout.ncell; at++)
            sum[c] += with[at] - without[at];
    }
    free(window);
    free(with);
    free(without);
}

static void check_fluxes(const char *what, const struct box *g, const char *more)
{
    static const char *const name[5] = {"mass", "x", "y", "z", "energy"};
    struct fixture f;
    double sum[5], size[5];
    fixture_open(&f, "fluxes", box_case(explicit_march, more, 0), fixture_path(g->name));
    fixture_must(an_solver_fill(f.solver, varied, NULL), "fill");
    fixture_steps(&f, 2);
    fixture_must(an_level_radii(f.solver, f.solver->level, NULL), "radii");
    sum_fluxes(f.solver, sum, size);
    for (int c = 0; c < 5; c++)
        verify_check(verify_text("fluxes, %s: %s", what, name[c]), fabs(sum[c]) / size[c], 0,
                     1e-12);
    fixture_close(&f);
}

/* ---- bits ---- */

static uint64_t hash_after(MPI_Comm comm, const char *yaml, const char *mesh, int steps, int stop)
{
    struct fixture f;
    fixture_open_on(&f, comm, "bits", yaml, fixture_path(mesh));
    fixture_must(an_solver_fill(f.solver, varied, NULL), "fill");
    fixture_steps_through(&f, steps, stop);
    const uint64_t hash = fixture_hash(&f);
    fixture_close(&f);
    return hash;
}

static void check_bits(const char *what, const char *yaml, const char *mesh, int steps)
{
    int rank, size;
    uint64_t hash[4] = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int n = 1; n <= 4 && n <= size; n++) {
        MPI_Comm some;
        MPI_Comm_split(MPI_COMM_WORLD, rank < n ? 0 : MPI_UNDEFINED, rank, &some);
        if (some != MPI_COMM_NULL) {
            hash[n - 1] = hash_after(some, yaml, mesh, steps, -1);
            MPI_Comm_free(&some);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Bcast(hash, 4, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    for (int n = 2; n <= 4 && n <= size; n++)
        verify_check(verify_text("%s, %d ranks: other bits than one", what, n),
                     hash[n - 1] != hash[0], 0, 0);
    const uint64_t again = hash_after(MPI_COMM_WORLD, yaml, mesh, steps, steps / 2);
    verify_check(verify_text("%s, restart: other bits", what), again != hash[0], 0, 0);
}

static const char *turbulent_box(void)
{
    return box_case("method: implicit, iterations: 100", turbulent, 1);
}

static void check_emulated(void)
{
    uint64_t hash[2];
    for (int n = 0; n < 2; n++) {
        device = n ? "emulated" : "cpu";
        hash[n] = hash_after(MPI_COMM_WORLD, turbulent_box(), "closed.cgns", 3, -1);
    }
    device = "cpu";
    verify_check("emulated: other bits", hash[0] != hash[1], 0, 0);
}

/* ---- multigrid ---- */

struct duct {
    double x0, x1, cluster, uneven;
};

/* A ninth of an annulus; its two zones meet in a cone. */
static void duct_map(void *context, const double s[3], double x[3])
{
    const struct duct *d = context;
    const double pi = square_pi, r = 0.5 + 0.2 * (s[1] + d->cluster * sin(2 * pi * s[1]));
    const double at = d->x0 + (d->x1 - d->x0) * s[0];
    vm_cylindrical(at + 0.3 * (r - 0.6) * (1 - fabs(at) / 0.15), r,
                   2 * pi / 9 * (s[2] + d->uneven * sin(2 * pi * s[2])), x);
}

static void write_duct(void)
{
    static struct duct part[2] = {{-0.15, 0, 0.03, 0.02}, {0, 0.15, -0.02, -0.03}};
    const double turned = 2 * square_pi / 9;
    const struct am_boundary boundary[] = {{"in", AN_BC_FARFIELD, NULL, 0, {0}},
                                           {"out", AN_BC_FARFIELD, NULL, 0, {0}},
                                           {"wall", AN_BC_WALL_SLIP, NULL, 0, {0}},
                                           {"one", AN_BC_ABUTTING, "two", 0, {0}},
                                           {"two", AN_BC_ABUTTING, "one", 0, {0}}};
    const struct am_zone zone[2] = {{.name = "a",
                                     .n = {8, 8, 24},
                                     .map = duct_map,
                                     .context = &part[0],
                                     .face = {"in", "one", "wall", "wall", NULL, NULL},
                                     .turned = {0, 0, turned}},
                                    {.name = "b",
                                     .n = {8, 8, 16},
                                     .map = duct_map,
                                     .context = &part[1],
                                     .face = {"two", "out", "wall", "wall", NULL, NULL},
                                     .turned = {0, 0, turned}}};
    am_write(fixture_path("duct.cgns"), 2, zone, 5, boundary);
}

static void wavy(void *context, const double x[3], double q[5])
{
    (void)context;
    const double r = hypot(x[1], x[2]), rho = p1 / (gas * T1);
    const double state[5] = {rho * (1 + 0.05 * sin(9 * x[0])), 100 * (1 - 0.5 * (r - 0.6)), 0, 0,
                             p1 * (1 + 0.02 * cos(10 * x[0] + 4 * r))};
    memcpy(q, state, sizeof state);
}

/* The fall of the residual in 40 implicit cycles with multigrid, from a flow of waves. */
static double fall(const char *type)
{
    struct fixture f;
    fixture_open(&f, "levels",
                 verify_text("case: levels\nprecision: double\n%s"
                             "march: {method: implicit, iterations: 1}\n"
                             "initial: {p: 1e5, T: 300, velocity: [100, 0, 0]}\nboundaries:\n"
                             "  in: {type: farfield, p: 1e5, T: 300, velocity: [100, 0, 0]}\n"
                             "  out: {type: farfield, p: 1e5, T: 300, velocity: [100, 0, 0]}\n"
                             "  one: {type: %s, with: two}\n  two: {type: %s, with: one}\n",
                             inviscid, type, type),
                 fixture_path("duct.cgns"));
    verify_check("levels: multigrid levels", f.solver->nlevel, 2, 8);
    fixture_must(an_solver_fill(f.solver, wavy, NULL), "fill");
    const double now = fixture_converge(&f, 1e-6, 40);
    fixture_close(&f);
    return now;
}

static void check_levels(void)
{
    const double abutting = fall("abutting"), sliding = fall("sliding_plane");
    verify_note("levels: the residual falls to %.3g; with a sliding plane to %.3g", abutting,
                sliding);
    verify_check("levels: fall of the residual over that with a sliding plane", abutting / sliding,
                 0, 1.1);
}

int main(int argc, char **argv)
{
    static const struct box bulged = {"bulged.cgns", {8, 18, 24}, 0.15, 0, 0.04},
                            closed = {"closed.cgns", {8, 18, 24}, 0.15, 1, 0.04};
    int size;
    verify_start(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    write_box(&bulged);
    write_box(&closed);
    write_duct();
    write_sector("sector.cgns", 0);
    write_sector("cambered.cgns", 0.1);
    write_square(fixture_path("square.cgns"), 42);
    check_bits("explicit", box_case(explicit_march, inviscid, 0), "bulged.cgns", 8);
    check_bits("dual", sector_case(dual, verify_text("%smultigrid: {levels: 2}\n", laminar)),
               "sector.cgns", 4);
    check_bits(
        "dual, replicated levels",
        sector_case(dual,
                    verify_text("%smultigrid: {levels: 2}\nmpi: {whole_below: 100000}\n", laminar)),
        "sector.cgns", 4);
    check_bits("implicit, SST", turbulent_box(), "closed.cgns", 4);
    if (size == 1) {
        struct square_vortex v = {.strength = 5, .start = 4.5};
        check_uniform("box", box_case(explicit_march, inviscid, 0), "bulged.cgns", uniform, 40,
                      1e-12);
        check_uniform("box, dual, laminar", box_case(dual, laminar, 0), "bulged.cgns", uniform, 4,
                      1e-12);
        check_uniform("sector", sector_case(explicit_march, inviscid), "sector.cgns", axial, 40,
                      1e-12);
        check_uniform("cambered sector", sector_case(explicit_march, inviscid), "cambered.cgns",
                      axial, 40, 1e-3);
        check_totals("square", square_case("march: {mode: unsteady, cfl: 2.5, end_time: 9}\n"),
                     "square.cgns", square_flow, &v, (const int[5]){1, 1, 1, 0, 1});
        check_totals("closed box", box_case(explicit_march, inviscid, 1), "closed.cgns", varied,
                     NULL, (const int[5]){1, 0, 0, 0, 1});
        check_fluxes("inviscid", &bulged, inviscid);
        check_fluxes("laminar", &bulged, laminar);
        check_emulated();
        check_levels();
        check_vortex();
    }
    return verify_end();
}

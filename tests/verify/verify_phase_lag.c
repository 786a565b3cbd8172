/* Two cascades of flat plates, one passage each, with phase lag; row b turns at 100 rad/s past row a.
 *
 *   20 plates at 15 degrees and 30 at -14 degrees, of 0.1 m, 0.06 m apart, in a layer at r = 0.6 m; ends are far
 *   fields; axial flow of 100 m/s.
 *
 *   sector:   the force on a plate against 2 + 3 passages with a plain sliding plane, over the last three
 *             periods of row a:                                mean 0.1 %, first harmonic 1 % and 1 degree
 *             coarse, 16 and 24 steps in the periods of the rows, 7 harmonics, from the flow with a mixing plane
 *             `long`: 40 and 60 steps, 12 harmonics, 72 and 48 periods from the uniform flow; measured: mean 0.006
 *             and 0.006 %, amplitude 0.03 and 0.16 %, phase 0.02 and 0.06 degrees; after 120 and 80
 *             periods 0.006 and 0.008 %, 0.02 and 0.03 %, 0.03 and 0.08 degrees
 *   annulus:  (`long`) the sector against 20 + 30 passages, 48 steps: forces 1e-6 of the mean; measured: 4e-15
 *   warned:   of what the series miss: one harmonic is too few
 *   ranks:    the same bits on 1, 2, 3 and 4 ranks; restart in the middle of a period: the same bits; SST, too
 *   emulated: the bits of the CPU by the kernels of CUDA on the host, recorded
 *   refused:  steps that do not divide the periods; the message says which do; equal pitches
 */
#include "solver/boundary/phase_lag.h"
#include "solver/level/level.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Cells along x, and those of them that the plate has. */
static int nx = 24, first = 6, last = 18;
static const char *device = "cpu";

/* ---- meshes ---- */

struct cascade {
    double x0, x1, pitch, slope; /* slope: tangent of the stagger */
};

/* i along x, j outwards, k around */
static void cascade_map(void *context, const double s[3], double x[3])
{
    const struct cascade *c = context;
    const double r = 0.59 + 0.02 * s[1], at = c->x0 + (c->x1 - c->x0) * s[0];
    const double middle = 0.5 * (c->x0 + c->x1), half = 0.05;
    const double along = at - middle < -half ? -half : at - middle > half ? half : at - middle;
    vm_cylindrical(at, r, c->pitch * s[2] + c->slope * along / 0.6, x);
}

static void write_row(const char *path, struct cascade *c, int around)
{
    const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .type = AN_BC_FARFIELD, .name = "in"},
        {.dir = 0, .side = 1, .type = AN_BC_FARFIELD, .name = "out"},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_SLIP, .name = "hub"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_SLIP, .name = "casing"},
        {.dir = 2, .side = 0, .along = 0, .lo = 0, .hi = first, .kind = VM_ROTATE},
        {.dir = 2, .side = 1, .along = 0, .lo = 0, .hi = first, .kind = VM_ROTATE},
        {.dir = 2,
         .side = 0,
         .along = 0,
         .lo = first,
         .hi = last,
         .type = AN_BC_WALL_SLIP,
         .name = "plate"},
        {.dir = 2,
         .side = 1,
         .along = 0,
         .lo = first,
         .hi = last,
         .type = AN_BC_WALL_SLIP,
         .name = "plate"},
        {.dir = 2, .side = 0, .along = 0, .lo = last, .hi = nx, .kind = VM_ROTATE},
        {.dir = 2, .side = 1, .along = 0, .lo = last, .hi = nx, .kind = VM_ROTATE}};
    const struct vm_box box = {.n = {nx, 1, around},
                               .turn = -1,
                               .map = cascade_map,
                               .context = c,
                               .angle = c->pitch,
                               .nsegment = 10,
                               .segment = ends};
    vm_write(path, &box);
}

static void run_tool(const char *line)
{
    int failed = 0, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        failed = system(line);
    MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    fixture_must(failed ? an_error_set(AN_FAIL, "status %d of %s", failed, line) : AN_OK, "tool");
}

static const char *bin(void)
{
    const char *folder = getenv("AN_BIN");
    return folder ? folder : "build/bin";
}

/* One passage of each row, of nb plates of row b in a turn. */
static void write_stage(const char *name, int nb, int around_a, int around)
{
    struct cascade a = {-0.16, 0, 2 * PI / 20, tan(15 * PI / 180)};
    struct cascade b = {0, 0.16, 2 * PI / nb, tan(-14 * PI / 180)};
    write_row(fixture_path("a.cgns"), &a, around_a);
    write_row(fixture_path("b.cgns"), &b, around);
    run_tool(verify_text("%s/mesh_join -o %s a=%s b=%s", bin(), fixture_path(name),
                         fixture_path("a.cgns"), fixture_path("b.cgns")));
}

/* ---- cases ---- */

static const char *inviscid = "gas: {gamma: 1.4, R: 287.05}\nscheme: {flux: roe}\n";
static const char *turbulent = "gas: {gamma: 1.4, R: 287.05, viscosity: constant, mu: 1e-3}\n"
                               "turbulence: {model: sst}\nscheme: {flux: roe}\n";

static const char *yaml_at(const char *plane, const char *more, const char *march)
{
    return verify_text(
        "case: lag\ndevice: %s\nprecision: double\n%s"
        "march: {%s}\n"
        "initial: {p: 1e5, T: 300, velocity: [100, 0, 0]}\n"
        "output: {folder: %s}\n"
        "rows:\n  a: {zones: [\"a_*\"], omega: 0}\n  b: {zones: [\"b_*\"], omega: 100}\n"
        "boundaries:\n"
        "  a_in: {type: farfield, p: 1e5, T: 300, velocity: [100, 0, 0]}\n"
        "  b_out: {type: farfield, p: 1e5, T: 300, velocity: [100, 0, 0]}\n"
        "  a_out: {type: %s, with: b_in}\n"
        "  b_in: {type: %s, with: a_out}\n",
        device, more, march, fixture_folder(), plane, plane);
}

static const char *yaml_of(const char *more, const char *march)
{
    return yaml_at("sliding_plane", more,
                   verify_text("mode: unsteady, method: dual, %s%s", march,
                               strstr(march, "iterations") ? "" : ", iterations: 100000"));
}

static void axial(void *context, const double x[3], double q[5])
{
    (void)context, (void)x;
    const double state[5] = {1e5 / (287.05 * 300), 100, 0, 0, 1e5};
    memcpy(q, state, sizeof state);
}

/* ---- forces ---- */

struct force {
    const struct an_topology *t;
    int zone[2]; /* one passage of each row */
    double sum[2];
};

/* Pressure on one side of a passage less that on the other. */
static void add_cell(void *context, int zone, const int cell[3], const double x[3],
                     const double q[5], double volume)
{
    (void)x, (void)volume;
    struct force *f = context;
    for (int row = 0; row < 2; row++)
        if (zone == f->zone[row] && cell[0] >= first && cell[0] < last) {
            const int top = f->t->block[zone].n[2] - 1;
            f->sum[row] += cell[2] == 0 ? q[4] : cell[2] == top ? -q[4] : 0;
        }
}

/* The first zone of a row. */
static int zone_of(const struct an_topology *t, char row)
{
    for (int z = 0; z < t->nblock; z++)
        if (t->block[z].name[0] == row)
            return z;
    return -1;
}

struct signal {
    double mean, cosine, sine;
};

/* The steady flow with a mixing plane in place of the sliding one: its snapshot. */
static void march_steady(const char *mesh, int iterations, char path[1024])
{
    struct fixture f;
    fixture_open(&f, "steady",
                 yaml_at("mixing_plane", inviscid,
                         "mode: steady, method: runge_kutta, cfl: 2, iterations: 100000"),
                 fixture_path(mesh));
    fixture_must(an_solver_fill(f.solver, axial, NULL), "fill");
    fixture_steps(&f, iterations);
    fixture_must(an_solver_write(f.solver, path), "write");
    fixture_close(&f);
}

/* Forces over the last three periods of row a, two of row b, after `periods` such times; from a snapshot or from
 * the uniform flow. */
static void march(const char *mesh, const char *how, const char *from, int steps, int periods,
                  struct signal of[2], double missed[2])
{
    const int all = 3 * steps;
    struct fixture f;
    fixture_open(&f, "lag", yaml_of(inviscid, how), fixture_path(mesh));
    fixture_must(from ? an_solver_restart(f.solver, from) : an_solver_fill(f.solver, axial, NULL),
                 "start");
    const struct an_topology *t = &f.mesh.topology;
    memset(of, 0, 2 * sizeof *of);
    fixture_steps(&f, (periods - 1) * all);
    for (int n = 1; n <= all; n++) {
        struct force force = {.t = t, .zone = {zone_of(t, 'a'), zone_of(t, 'b')}};
        fixture_steps(&f, 1);
        fixture_cells(&f, add_cell, &force);
        for (int row = 0; row < 2; row++) {
            const double angle = 2 * PI * n / (row ? 1.5 * steps : steps);
            of[row].mean += force.sum[row] / all;
            of[row].cosine += 2 * force.sum[row] * cos(angle) / all;
            of[row].sine += 2 * force.sum[row] * sin(angle) / all;
        }
    }
    if (!an_phase_lag_missed(f.solver, missed))
        missed[0] = missed[1] = 0;
    fixture_close(&f);
}

struct limits {
    double mean, amplitude, phase, missed;
};

/* steps: in a period of row a. periods: of three times as many, with phase lag and in the sector. iterations: of
 * the steady run that phase lag starts from; 0: from the uniform flow. */
static void check_sector(int steps, int harmonics, const int periods[2], int iterations,
                         const struct limits *l)
{
    struct signal lag[2], full[2];
    double missed[2], none[2];
    char from[1024];
    const char *how = verify_text("steps_per_revolution: %d", 30 * steps);
    run_tool(verify_text("%s/passage_copy %s -n a=2 -n b=3 -o %s > /dev/null", bin(),
                         fixture_path("sector.cgns"), fixture_path("full.cgns")));
    if (iterations)
        march_steady("sector.cgns", iterations, from);
    march("full.cgns", how, NULL, steps, periods[1], full, none);
    march("sector.cgns", verify_text("%s, phase_lag: %d", how, harmonics), iterations ? from : NULL,
          steps, periods[0], lag, missed);
    for (int row = 0; row < 2; row++) {
        const char *const name = row ? "row b" : "row a";
        const double a = hypot(lag[row].cosine, lag[row].sine),
                     b = hypot(full[row].cosine, full[row].sine);
        const double angle =
            atan2(lag[row].sine, lag[row].cosine) - atan2(full[row].sine, full[row].cosine);
        verify_note("%s: mean %.7g, sector %.7g; amplitude %.6g, sector %.6g; missed %.2e", name,
                    lag[row].mean, full[row].mean, a, b, missed[row]);
        verify_check(verify_text("%s: mean force, relative error", name),
                     fabs(lag[row].mean / full[row].mean - 1), 0, l->mean);
        verify_check(verify_text("%s: amplitude, relative error", name), fabs(a / b - 1), 0,
                     l->amplitude);
        verify_check(verify_text("%s: phase, degrees", name),
                     fabs(remainder(angle, 2 * PI)) * 180 / PI, 0, l->phase);
        verify_check(verify_text("%s: energy that the series miss", name), missed[row], 0,
                     l->missed);
    }
}

/* The sector of 2 + 3 passages against all 20 + 30, on the coarse mesh, over 48 steps. */
static void check_annulus(void)
{
    static const char *const copies[2] = {"-n a=2 -n b=3", "-n a=20 -n b=30"};
    struct signal of[2][2];
    double none[2], worst = 0;
    for (int whole = 0; whole < 2; whole++) {
        run_tool(verify_text("%s/passage_copy %s %s -o %s > /dev/null", bin(),
                             fixture_path("sector.cgns"), copies[whole],
                             fixture_path("full.cgns")));
        march("full.cgns", "steps_per_revolution: 480", NULL, 16, 1, of[whole], none);
    }
    for (int row = 0; row < 2; row++) {
        const struct signal *a = &of[0][row], *b = &of[1][row];
        worst =
            verify_worst(worst, hypot(a->cosine - b->cosine, a->sine - b->sine) / fabs(b->mean));
        worst = verify_worst(worst, fabs(a->mean / b->mean - 1));
    }
    verify_check("sector against full annulus: mean force and first harmonic", worst, 0, 1e-6);
}

/* ---- bits ---- */

static uint64_t hash_after(MPI_Comm comm, const char *more, int steps, int stop)
{
    struct fixture f;
    fixture_open_on(&f, comm, "lag", yaml_of(more, "steps_per_revolution: 600, phase_lag: 4"),
                    fixture_path("lag.cgns"));
    fixture_must(an_solver_fill(f.solver, axial, NULL), "fill");
    fixture_steps_through(&f, steps, stop);
    const uint64_t hash = fixture_hash(&f);
    fixture_close(&f);
    return hash;
}

static void check_bits(const char *what, const char *more, int steps)
{
    int rank, size;
    uint64_t hash[4] = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int n = 1; n <= 4 && n <= size; n++) {
        MPI_Comm some;
        MPI_Comm_split(MPI_COMM_WORLD, rank < n ? 0 : MPI_UNDEFINED, rank, &some);
        if (some != MPI_COMM_NULL) {
            hash[n - 1] = hash_after(some, more, steps, -1);
            MPI_Comm_free(&some);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Bcast(hash, 4, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    for (int n = 2; n <= 4 && n <= size; n++)
        verify_check(verify_text("%s, %d ranks: other bits than one", what, n),
                     hash[n - 1] != hash[0], 0, 0);
    const uint64_t again = hash_after(MPI_COMM_WORLD, more, steps, steps / 2);
    verify_check(verify_text("%s, restart: other bits", what), again != hash[0], 0, 0);
}

/* The kernels of CUDA on the host, recorded and replayed. */
static void check_emulated(const char *what, const char *more, int steps)
{
    const uint64_t cpu = hash_after(MPI_COMM_WORLD, more, steps, -1);
    device = "emulated";
    const uint64_t emulated = hash_after(MPI_COMM_WORLD, more, steps, -1);
    device = "cpu";
    verify_check(verify_text("%s, emulated: other bits", what), emulated != cpu, 0, 0);
}

/* ---- what is refused ---- */

/* Runs `annulus run` on a case: its status, and what it prints. */
static int run_case(const char *mesh, const char *how, size_t size, char *text)
{
    char line[1024];
    const char *path = fixture_path("run.yaml");
    FILE *out = fopen(path, "w");
    if (!out)
        fixture_must(AN_FAIL, "fopen");
    fprintf(out, "mesh: %s\n%s", fixture_path(mesh), yaml_of(inviscid, how));
    fclose(out);
    FILE *run = popen(verify_text("%s/annulus run %s 2>&1", bin(), path), "r");
    *text = 0;
    while (run && fgets(line, sizeof line, run))
        strncat(text, line, size - strlen(text) - 1);
    return run ? pclose(run) : -1;
}

static void check_refused(const char *what, const char *mesh, const char *how, const char *words)
{
    char text[8192];
    const int status = run_case(mesh, how, sizeof text, text);
    verify_check(verify_text("refused, %s: status 2", what), status, 2 << 8, 2 << 8);
    if (!strstr(text, words))
        verify_note("%s", text);
    verify_check(verify_text("refused, %s: the message", what), strstr(text, words) != NULL, 1, 1);
}

/* One harmonic is too few for the signal of these plates; the run says so at its end. */
static void check_warned(void)
{
    static const char *const words = "the series of march.phase_lag miss";
    char text[65536];
    const int status =
        run_case("sector.cgns", "steps_per_revolution: 480, phase_lag: 1, iterations: 72",
                 sizeof text, text);
    verify_check("a warning of what the series miss: status 0", status, 0, 0);
    if (!strstr(text, words))
        verify_note("%s", text);
    verify_check("a warning of what the series miss", strstr(text, words) != NULL, 1, 1);
}

int main(int argc, char **argv)
{
    int size;
    verify_start(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    write_stage("lag.cgns", 30, 12, 8);
    if (argc > 1) {
        write_stage("sector.cgns", 30, 12, 8);
        check_sector(40, 12, (const int[2]){24, 5}, 0, &(struct limits){1e-3, 0.01, 1, 2e-3});
        nx = 12, first = 3, last = 9;
        write_stage("sector.cgns", 30, 6, 4);
        check_annulus();
        return verify_end();
    }
    if (size == 1) {
        nx = 12, first = 3, last = 9;
        write_stage("sector.cgns", 30, 6, 4);
        check_sector(16, 7, (const int[2]){15, 2}, 200, &(struct limits){1e-3, 0.01, 1, 3e-3});
        check_warned();
        nx = 24, first = 6, last = 18;
    }
    check_bits("inviscid", inviscid, 8);
    check_bits("SST", turbulent, 4);
    if (size == 1) {
        check_emulated("inviscid", inviscid, 4);
        check_emulated("SST", turbulent, 3);
        check_refused("steps", "lag.cgns", "steps_per_revolution: 1000, phase_lag: 8",
                      "march.steps_per_revolution: 1020 would do");
        check_refused("harmonics", "lag.cgns", "steps_per_revolution: 600, phase_lag: 10",
                      "10 harmonics need more than 20 time steps");
        write_stage("same.cgns", 20, 12, 12);
        check_refused("pitches", "same.cgns", "steps_per_revolution: 1200, phase_lag: 8",
                      "no phase lag is needed");
    }
    return verify_end();
}

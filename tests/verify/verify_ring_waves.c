/* Two-dimensional non-reflecting inlets, outlets and mixing planes in a thin annulus: r from 1 to 1.02 m, a
 * sixtieth of it, which is one pitch P. The mean flow is 120 m/s along the axis unless it says otherwise.
 *
 *   steady   a force that varies around the axis, near x = 0, in a row that turns at -150 rad/s; 24 faces
 *            around. Harmonics of the pressure from x = -P/4 to P/4: root mean square of their difference
 *            between a duct that ends at +-P/4 and one that ends at +-1.5 P, over that of the harmonics
 *
 *                                         two_d      one-dimensional
 *            inlet and outlet               1.9 %    82 %
 *            inlet and mixing plane         1.9 %    81 %
 *            swirl faster than sound         10 %    56 %
 *
 *   sound    a packet of sound of the wave length P/2 runs at 30 degrees to the normal; time-accurate, 32
 *            faces around. What is left of its pressure when it has gone, over its largest pressure
 *
 *            outlet                         0.59 %   4.4 %
 *            mixing plane                   0.74 %   4.8 %
 *            inlet                          0.99 %   12 %
 *
 *   bits     the state after 8 iterations, explicit steps and implicit steps in time with all of these
 *            boundaries, on 1, 2 and 4 ranks, and after a restart; the CUDA kernels on the host: the same
 *   refused  boundaries that do not go with non_reflecting: two_d
 */
#include "kernels/engine/field.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { AROUND = 24, QUARTER = AROUND / 4, WINDOW = 2 * QUARTER, SOUND = 32 };
static const double p1 = 1e5, T1 = 300, gas = 287.05, sectors = 60, middle = 1.01;

static double pitch(void)
{
    return 2 * PI * middle / sectors;
}

/* ---- meshes ---- */

/* Cells from until: of the width of a face, x = 0 between cells 0 and -1. */
struct duct {
    int from, until, around, span, parts;
};

static void duct_map(void *context, const double s[3], double x[3])
{
    const struct duct *d = context;
    const double h = pitch() / d->around;
    vm_cylindrical(h * (d->from + (d->until - d->from) * s[0]), 1 + 0.02 * s[1],
                   2 * PI / sectors * s[2], x);
}

/* The path of a file; others of the fixture are forgotten after eight. */
static const char *path_of(const char *name)
{
    static char kept[16][1024];
    static int next;
    char *path = kept[next++ % 16];
    snprintf(path, sizeof kept[0], "%s", fixture_path(name));
    return path;
}

static const char *write_duct(const char *name, struct duct d)
{
    static const struct vm_segment ends[] =
        VM_SECTOR(AN_BC_INLET_TOTAL, "inlet", AN_BC_OUTLET_STATIC, "outlet");
    const struct vm_box box = {.n = {d.until - d.from, d.span, d.around},
                               .parts = {1, 1, d.parts},
                               .turn = d.parts > 1 ? 4 : -1,
                               .map = duct_map,
                               .context = &d,
                               .angle = 2 * PI / sectors,
                               .nsegment = 6,
                               .segment = ends};
    const char *path = path_of(name);
    vm_write(path, &box);
    return path;
}

/* Two ducts in one file, which meet in a mixing plane. */
static const char *write_rows(const char *name, struct duct a, struct duct b)
{
    int rank, failed = 0;
    write_duct("a.cgns", a);
    write_duct("b.cgns", b);
    const char *path = path_of(name);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        const char *bin = getenv("AN_BIN");
        failed = system(verify_text("%s/mesh_join -o %s a=%s b=%s > %s", bin ? bin : "build/bin",
                                    path, fixture_path("a.cgns"), fixture_path("b.cgns"),
                                    fixture_path("join.log")));
    }
    MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    fixture_must(failed ? an_error_set(AN_FAIL, "status %d", failed) : AN_OK, "mesh_join");
    return path;
}

/* ---- flows ---- */

/* Mean flow and a packet of sound about x0, which runs along `way` (1, -1) times x. */
struct stream {
    double u, v;                /* m/s: axial, absolute tangential */
    double size, x0, way, wide; /* Pa, m, -, over its wave length */
};

static void flow_at(void *context, const double x[3], double q[5])
{
    const struct stream *f = context;
    const double r = hypot(x[1], x[2]), angle = atan2(x[2], x[1]);
    const double rho = p1 / (gas * T1), c = sqrt(1.4 * gas * T1), length = pitch() / 2;
    const double along = (x[0] - f->x0) / length, normal = f->way * sqrt(0.75);
    const double p = f->size * exp(-along * along / (f->wide * f->wide)) *
                     cos(2 * PI * normal * along + sectors * angle);
    const double u = f->u + normal * p / (rho * c), v = f->v + 0.5 * p / (rho * c);
    q[0] = rho + p / (c * c);
    q[1] = u;
    q[2] = -v * x[2] / r;
    q[3] = v * x[1] / r;
    q[4] = p1 + p;
}

/* The force, N/m3, around the axis and along it, at x; its work is done at the mean velocity. */
static void add_force(struct an_solver *s, const struct an_mesh *mesh, const struct stream *f)
{
    fixture_must(an_level_alloc(s, s->level, AN_F_SOURCE), "sources");
    const struct an_layout *l = &s->level->layout;
    for (int b = 0; b < s->nlocal; b++) {
        const int *n = l->block[b].n;
        double *x =
            malloc((size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1) * 3 * sizeof *x);
        if (!x)
            fixture_must(AN_FAIL, "memory");
        fixture_must(an_nodes_read(mesh, &s->level->partition.piece[s->local[b]], x), "nodes");
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++) {
                    double c[3];
                    an_nodes_centre(n, x, i, j, k, c);
                    const double r = hypot(c[1], c[2]), phi = sectors * atan2(c[2], c[1]);
                    const double w = c[0] / (0.06 * pitch()), g = 0.02 * p1 / pitch() * exp(-w * w);
                    const double t = g * (cos(phi) + 0.5 * cos(2 * phi + 1)),
                                 a = 0.5 * g * sin(phi);
                    const double force[5] = {0, a, -t * c[2] / r, t * c[1] / r,
                                             a * f->u + t * f->v};
                    for (int m = 0; m < 5; m++)
                        ((double *)s->level->fields
                             .at[AN_F_SOURCE])[m * l->ncell + an_element(&l->block[b], i, j, k)] =
                            force[m];
                }
        free(x);
    }
}

/* Pressures of the first layer of the span, from x = -P/4 to P/4. */
static void add_pressure(void *context, int zone, const int cell[3], const double x[3],
                         const double q[5], double volume)
{
    double(*p)[AROUND] = context;
    const double h = pitch() / AROUND;
    (void)zone, (void)cell, (void)volume;
    const int i = (int)floor(x[0] / h) + QUARTER,
              k = (int)floor(atan2(x[2], x[1]) * AROUND * sectors / (2 * PI));
    if (i >= 0 && i < WINDOW && hypot(x[1], x[2]) < middle)
        p[i][k] = q[4];
}

/* Without the mean around the axis; returns the sum of squares. */
static double to_harmonics(double (*p)[AROUND])
{
    double sum = 0;
    for (int i = 0; i < WINDOW; i++) {
        double mean = 0;
        for (int k = 0; k < AROUND; k++)
            mean += p[i][k] / AROUND;
        for (int k = 0; k < AROUND; k++) {
            p[i][k] -= mean;
            sum += p[i][k] * p[i][k];
        }
    }
    return sum;
}

/* Total conditions of the mean flow. */
static const char *inlet_of(const struct stream *f, const char *more)
{
    const double T0 = T1 + (f->u * f->u + f->v * f->v) / (7 * gas), p0 = p1 * pow(T0 / T1, 3.5);
    return verify_text(
        "inlet: {type: inlet_total, p0: %.17g, T0: %.17g, direction: [%g, 0, %g], axes: "
        "cylindrical, non_reflecting: %s}\n",
        p0, T0, f->u, f->v, more);
}

static const char *ends_of(const struct stream *f, const char *inlet, const char *outlet)
{
    return verify_text("boundaries:\n  %s  outlet: {type: outlet_static, p: 1e5, non_reflecting: "
                       "%s}\n",
                       inlet_of(f, inlet), outlet);
}

/* The same of two rows; every: of both ends. */
static const char *rows_of(const struct stream *f, const char *inlet, const char *plane,
                           const char *outlet)
{
    return verify_text("boundaries:\n  a_%s"
                       "  a_outlet: {type: mixing_plane, with: b_inlet, non_reflecting: %s}\n"
                       "  b_inlet: {type: mixing_plane, with: a_outlet, non_reflecting: %s}\n"
                       "  b_outlet: {type: outlet_static, p: 1e5, non_reflecting: %s}\n",
                       inlet_of(f, inlet), plane, plane, outlet);
}

static const char *case_of(const char *march, const char *device, const char *more)
{
    return verify_text("case: rings\nprecision: double\ndevice: %s\ngas: {gamma: 1.4, R: 287.05}\n"
                       "scheme: {flux: jst}\nmarch: {%s}\ninitial: {p: 1e5, T: 300, mach: 0.3}\n%s",
                       device, march, more);
}

/* ---- steady ---- */

static const char turning[] = "rows:\n  all: {zones: [\"*\"], omega: -150}\n";

static void steady(const char *mesh, struct stream f, const char *boundaries, double (*p)[AROUND])
{
    struct fixture x;
    fixture_open(&x, "steady",
                 case_of("method: implicit, iterations: 100000", "cpu",
                         verify_text("%s%s", turning, boundaries)),
                 mesh);
    fixture_must(an_solver_fill(x.solver, flow_at, &f), "fill");
    add_force(x.solver, &x.mesh, &f);
    const double drop = fixture_converge(&x, 1e-5, 1500);
    verify_note("residual %.1e after %lld iterations", drop,
                (long long)an_solver_iteration(x.solver));
    fixture_cells(&x, add_pressure, p);
    fixture_close(&x);
}

static double exact[WINDOW][AROUND], squares;

static void compare(const char *what, const char *mesh, struct stream f, const char *boundaries,
                    double least, double most)
{
    static double p[WINDOW][AROUND];
    double sum = 0;
    steady(mesh, f, boundaries, p);
    to_harmonics(p);
    for (int i = 0; i < WINDOW; i++)
        for (int k = 0; k < AROUND; k++)
            sum += (p[i][k] - exact[i][k]) * (p[i][k] - exact[i][k]);
    verify_check(what, sqrt(sum / squares), least, most);
}

static void reference(const char *mesh, struct stream f, const char *waves)
{
    steady(mesh, f, ends_of(&f, waves, waves), exact);
    squares = to_harmonics(exact);
}

/* brief: the first figure alone. */
static void check_steady(int brief)
{
    const struct stream slow = {.u = 120, .v = 60, .wide = 1},
                        fast = {.u = 120, .v = 260, .wide = 1};
    const struct duct quarter = {-QUARTER, QUARTER, AROUND, 2, 1},
                      lengthy = {brief ? -4 * QUARTER : -6 * QUARTER,
                                 brief ? 4 * QUARTER : 6 * QUARTER, AROUND, 2, 1},
                      behind = {QUARTER, 2 * QUARTER, AROUND, 2, 1};
    const char *far = write_duct("long.cgns", lengthy), *close = write_duct("short.cgns", quarter);
    reference(far, slow, "true");
    compare("inlet and outlet: two_d", close, slow, ends_of(&slow, "two_d", "two_d"), 0, 0.04);
    if (brief)
        return;
    compare("inlet and outlet: one-dimensional", close, slow, ends_of(&slow, "true", "true"), 0.2,
            2);
    const char *rows = write_rows("rows.cgns", quarter, behind);
    compare("inlet and plane: two_d", rows, slow, rows_of(&slow, "two_d", "two_d", "true"), 0,
            0.04);
    compare("inlet and plane: one-dimensional", rows, slow, rows_of(&slow, "true", "true", "true"),
            0.2, 2);
    reference(far, fast, "two_d");
    compare("supersonic swirl: two_d", close, fast, ends_of(&fast, "two_d", "two_d"), 0, 0.12);
    compare("supersonic swirl: one-dimensional", close, fast, ends_of(&fast, "true", "true"), 0.2,
            2);
}

/* ---- sound ---- */

static void add_sound(void *context, int zone, const int cell[3], const double x[3],
                      const double q[5], double volume)
{
    double *most = context;
    (void)zone, (void)cell, (void)volume;
    if (x[0] < 0)
        *most = verify_worst(*most, fabs(q[4] - p1));
}

static double left_over(const char *mesh, struct stream f, double end, const char *boundaries)
{
    struct fixture x;
    double most = 0;
    fixture_open(&x, "sound", case_of("mode: unsteady, cfl: 1.5, end_time: 1", "cpu", boundaries),
                 mesh);
    fixture_must(an_solver_fill(x.solver, flow_at, &f), "fill");
    fixture_until(&x, end);
    fixture_cells(&x, add_sound, &most);
    fixture_close(&x);
    return most / f.size;
}

static void check_sound(int brief)
{
    const double length = pitch() / 2, c = sqrt(1.4 * gas * T1), u = 120;
    const struct duct whole = {-5 * SOUND / 2, 0, SOUND, 1, 1},
                      behind = {0, SOUND / 2, SOUND, 1, 1};
    const char *mesh = write_duct("sound.cgns", whole),
               *rows = write_rows("two.cgns", whole, behind);
    struct stream f = {.u = u, .size = 100, .x0 = -1.8 * length, .way = 1, .wide = 0.8};
    const double forth = u + c * sqrt(0.75), back = c * sqrt(0.75) - u;
    double end = 1.8 * length / forth + 1.6 * length / back;
    verify_check("sound, outlet: two_d", left_over(mesh, f, end, ends_of(&f, "true", "two_d")), 0,
                 0.01);
    verify_check("sound, outlet: one-dimensional",
                 left_over(mesh, f, end, ends_of(&f, "true", "true")), 0.03, 0.3);
    verify_check("sound, mixing plane: two_d",
                 left_over(rows, f, end, rows_of(&f, "true", "two_d", "true")), 0, 0.01);
    verify_check("sound, mixing plane: one-dimensional",
                 left_over(rows, f, end, rows_of(&f, "true", "true", "true")), 0.03, 0.3);
    if (brief)
        return;
    f.way = -1;
    f.wide = 1.6; /* a narrow one has slow waves of a larger angle */
    f.x0 = -6 * length;
    end = 8 * length / back;
    mesh = write_duct("inlet.cgns", (struct duct){-5 * SOUND, 0, SOUND, 1, 1});
    verify_check("sound, inlet: two_d", left_over(mesh, f, end, ends_of(&f, "two_d", "true")), 0,
                 0.02);
    verify_check("sound, inlet: one-dimensional",
                 left_over(mesh, f, end, ends_of(&f, "true", "true")), 0.03, 0.3);
}

/* ---- bits ---- */

static uint64_t hash_after(MPI_Comm comm, const char *mesh, const char *march, const char *device,
                           int stop)
{
    const struct stream f = {.u = 120, .v = 40, .size = 2000, .x0 = 0, .way = 1, .wide = 0.8};
    struct fixture x;
    const char *boundaries =
        rows_of(&f, "two_d, control_every: 3", "two_d", "two_d, control_every: 2");
    fixture_open_on(
        &x, comm, "bits",
        case_of(march, device,
                verify_text("rows:\n  a: {zones: [\"a_*\"], omega: 0}\n  b: {zones: [\"b_*\"], "
                            "omega: 100}\noutput: {folder: %s}\n%s",
                            fixture_folder(), boundaries)),
        mesh);
    fixture_must(an_solver_fill(x.solver, flow_at, (void *)&f), "fill");
    fixture_steps_through(&x, 8, stop);
    const uint64_t hash = fixture_hash(&x);
    fixture_close(&x);
    return hash;
}

static void check_bits(const char *what, const char *mesh, const char *march, int emulated)
{
    int rank, size;
    uint64_t hash[3] = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int n = 0; n < 3 && 1 << n <= size; n++) {
        MPI_Comm some;
        MPI_Comm_split(MPI_COMM_WORLD, rank < 1 << n ? 0 : MPI_UNDEFINED, rank, &some);
        if (some != MPI_COMM_NULL) {
            hash[n] = hash_after(some, mesh, march, "cpu", -1);
            MPI_Comm_free(&some);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Bcast(hash, 3, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    for (int n = 1; n < 3 && 1 << n <= size; n++)
        verify_check(verify_text("%s, %d ranks: other bits than one", what, 1 << n),
                     hash[n] != hash[0], 0, 0);
    verify_check(verify_text("%s, restart: other bits", what),
                 hash_after(MPI_COMM_WORLD, mesh, march, "cpu", 5) != hash[0], 0, 0);
    if (emulated)
        verify_check(verify_text("%s, emulated: other bits", what),
                     hash_after(MPI_COMM_WORLD, mesh, march, "emulated", -1) != hash[0], 0, 0);
}

static void check_all_bits(void)
{
    const char *mesh =
        write_rows("bits.cgns", (struct duct){-6, 0, 12, 4, 2}, (struct duct){0, 6, 10, 3, 2});
    check_bits("steady", mesh, "method: runge_kutta, cfl: 2.5, iterations: 100", 1);
    check_bits("explicit", mesh, "mode: unsteady, cfl: 1.5, end_time: 1", 1);
    check_bits(
        "dual", mesh,
        "mode: unsteady, method: dual, time_step: 1e-5, inner_iterations: 2, iterations: 100", 0);
}

/* ---- what does not go with two_d ---- */

static void check_refused(const char *mesh, const char *boundaries, const char *wanted)
{
    const char *out = path_of("refused.txt"), *file = path_of("refused.yaml");
    const char *bin = getenv("AN_BIN");
    char line[1024];
    int found = 0;
    FILE *f = fopen(file, "w");
    if (!f)
        fixture_must(AN_FAIL, "refused.yaml");
    fprintf(f, "mesh: %s\n%s", mesh, case_of("iterations: 1", "cpu", boundaries));
    fclose(f);
    const int status =
        system(verify_text("%s/annulus run %s > %s 2>&1", bin ? bin : "build/bin", file, out));
    f = fopen(out, "r");
    while (f && fgets(line, sizeof line, f))
        found |= strstr(line, wanted) != NULL;
    if (f)
        fclose(f);
    verify_check(verify_text("refused: %s", wanted), found && status != 0, 1, 1);
}

static void check_all_refused(void)
{
    const struct stream f = {.u = 120};
    const char *mesh = write_duct("refused.cgns", (struct duct){-2, 2, 6, 2, 1});
    check_refused(
        mesh, ends_of(&f, "two_d, mass_flow: 1", "true"),
        "'boundaries.inlet.mass_flow' and 'boundaries.inlet.non_reflecting' are both given");
    check_refused(mesh, ends_of(&f, "3d", "true"), "'boundaries.inlet.non_reflecting'");
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size == 1) {
        check_steady(argc < 2);
        check_sound(argc < 2);
        check_all_refused();
    } else {
        check_all_bits();
    }
    return verify_end();
}

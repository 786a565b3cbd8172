/* Steady flows in rows that turn, by the implicit march with multigrid, in double precision, Roe.
 *
 *   passage: twisted, cambered channel between blades, hub and casing (slip walls), 250 rad/s,
 *            p0 = 1e5 Pa, T0 = 300 K in axially, half a blade's length ahead of the blades.
 *            Rothalpy is cp T0 everywhere, and the power of the walls, the integral of
 *            p (omega x r).dS, is what the gas gains. Blades are thin and begin along the flow that
 *            meets them. Where they do not (130 m/s in place of 144), the error of the two cells
 *            at their sharp edges is swept along them and does not fall with the mesh, wherever
 *            the inlet is: rothalpy 4.3e-4, 4.9e-4 off, beside the blades 8e-4, 1.3e-3, ahead of
 *            them 1e-6.
 *   duct:    annulus that widens downstream, axial inflow: the same flow in frames that turn at 1
 *            and at -150 rad/s, on a sector of 3 degrees of 8 cells. (At rest slip walls have the
 *            pressure of Roe's flux, turning that of the cells: 6e-4.)
 *   restart: 3 cycles of the passage, a snapshot, 3 more = 3 from the snapshot, bit for bit
 *
 *                                                               required   8 cells across, 12
 *   passage: residual of density, after 400 cycles              1e-10      in 260, 340
 *   passage: mass in / out - 1                                  1e-6       1e-13, 6e-13
 *   passage: m dh0 / power of the walls - 1                     1e-5       2e-11, 3e-11
 *   passage: torque of walls x omega / (m dh0) - 1              1e-4       1.7e-5, 7.6e-6
 *   passage: moment of the flow, out - in, x omega / (m dh0)-1  5e-4       1.9e-4, 8.2e-5
 *   passage: rothalpy / cp T0 - 1, L2                           5e-5       2.5e-5, 1.7e-5
 *   duct: residual of density, after 350 cycles                 1e-5       2.5e-7
 *   duct: rho, u_x, u_r, u_theta, p over rho, c, c, c, p        1e-4       8e-7
 */
#include "solver/monitor/performance.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double g = 1.4, gas = 287.05, cp = 1.4 / 0.4 * 287.05;

/* ---- passage ---- */

static const double turn = 250, p0 = 1e5, T0 = 300, axial = 0.3, between = 0.2;

/* i along x, j outwards, k from blade to blade, which begin after a third of i. Blades start along
 * the relative flow, dtheta/dx = -omega / 144 m/s, and take off a quarter of that. */
static void passage_map(void *context, const double s[3], double x[3])
{
    (void)context;
    const double lead = -turn / 144 * axial, part = 1.5 * s[0] - 0.5; /* of the blade */
    const double c = fmin(fmax((part - 0.2) / 0.6, 0), 1);
    /* the integral of c^2 (3 - 2 c) over part */
    const double bend = 0.6 * (c * c * c - 0.5 * c * c * c * c) + fmax(part - 0.8, 0);
    const double angle = lead * (part - 0.25 * bend) + between * s[2] + 0.05 * s[1];
    const double r = 0.5 + 0.15 * s[1];
    vm_cylindrical(axial * part, r, angle, x);
}

static struct vm_segment passage_ends[] = {
    {.dir = 0, .side = 0, .type = AN_BC_INLET_TOTAL, .name = "inlet"},
    {.dir = 0, .side = 1, .type = AN_BC_OUTLET_STATIC, .name = "outlet"},
    {.dir = 1, .side = 0, .type = AN_BC_WALL_SLIP, .name = "hub"},
    {.dir = 1, .side = 1, .type = AN_BC_WALL_SLIP, .name = "casing"},
    {.dir = 2, .side = 0, .kind = VM_ROTATE},
    {.dir = 2, .side = 1, .kind = VM_ROTATE},
    {.dir = 2, .side = 0, .type = AN_BC_WALL_SLIP, .name = "blade"},
    {.dir = 2, .side = 1, .type = AN_BC_WALL_SLIP, .name = "blade"}};

static void passage_open(struct fixture *f, const char *flux, int cells)
{
    const struct vm_box box = {.n = {6 * cells, cells, cells},
                               .turn = -1,
                               .map = passage_map,
                               .angle = between,
                               .nsegment = 8,
                               .segment = passage_ends};
    for (int n = 4; n < 8; n++) {
        passage_ends[n].lo = n < 6 ? 0 : 2 * cells;
        passage_ends[n].hi = n < 6 ? 2 * cells : 6 * cells;
    }
    const char *mesh = fixture_path("passage.cgns");
    vm_write(mesh, &box);
    fixture_open(
        f, "passage",
        verify_text("case: passage\nscheme: {flux: %s}\nmarch: {method: implicit, cfl: 10}\n"
                    "initial: {p: 0.93e5, T: 294, velocity: [130, 0, 0]}\nboundaries:\n"
                    "  inlet: {type: inlet_total, p0: %g, T0: %g, direction: [1, 0, 0]}\n"
                    "  outlet: {type: outlet_static, p: 0.95e5}\n"
                    "rows:\n  rotor: {zones: zone000, omega: %g}\n"
                    "output: {folder: %s}\n",
                    flux, p0, T0, turn, fixture_folder()),
        mesh);
    fixture_must(an_solver_fill_initial(f->solver), "fill");
}

struct work {
    double rothalpy, volume; /* L2 of its departure from cp T0, over that */
};

static void add_work(void *context, int zone, const int cell[3], const double x[3],
                     const double q[5], double volume)
{
    (void)zone, (void)cell;
    struct work *w = context;
    const double moment = x[1] * q[3] - x[2] * q[2];
    const double h0 = cp * q[4] / (q[0] * gas) + 0.5 * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    w->rothalpy += pow((h0 - turn * moment) / (cp * T0) - 1, 2) * volume;
    w->volume += volume;
}

static void passage(const char *flux, int cells, struct work *w)
{
    struct fixture f;
    passage_open(&f, flux, cells);
    const double drop = fixture_converge(&f, 1e-10, 400);
    const struct an_topology *t = &an_solver_partition(f.solver)->topology;
    double(*sum)[AN_NINTEGRAL] = calloc((size_t)t->nboundary, sizeof *sum);
    struct an_measure m = {.integral = sum};
    if (!sum)
        fixture_must(AN_FAIL, "memory");
    fixture_must(an_solver_measure(f.solver, &m), "measure");
    double in = 0, net = 0, power = 0, open = 0, leak = 0;
    for (int b = 0; b < t->nboundary; b++) {
        const char *name = t->boundary[b].name;
        const int wall = strcmp(name, "inlet") != 0 && strcmp(name, "outlet") != 0;
        in -= strcmp(name, "inlet") != 0 ? 0 : sum[b][AN_I_MASS];
        net += sum[b][AN_I_MASS];
        leak += wall ? fabs(sum[b][AN_I_MASS]) : 0;
        power -= wall ? sum[b][AN_I_ENERGY] : 0;
        open += wall ? 0 : sum[b][AN_I_ENERGY];
    }
    free(sum);
    memset(w, 0, sizeof *w);
    fixture_cells(&f, add_work, w);
    MPI_Allreduce(MPI_IN_PLACE, &w->rothalpy, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    w->rothalpy = sqrt(w->rothalpy / w->volume);
    const struct an_row_flow *row = &an_performance_of(f.solver)->of[0];
    const double torque = row->torque_walls * turn / row->power - 1;
    const double euler = row->torque_euler * turn / row->power - 1;
    verify_note(
        "passage, %s, %d cells across: %.6g kg/s, power %.6g W, torque of walls x omega %.1e "
        "off, of the flow %.1e; rothalpy off by %.2e; residual down to %.1e in %lld",
        flux, cells, in, power, torque, euler, w->rothalpy, drop,
        (long long)an_solver_iteration(f.solver));
    const char *what = verify_text("passage, %s, %d", flux, cells);
    verify_check(verify_text("%s: residual", what), drop, 0, 1e-10);
    verify_check(verify_text("%s: mass through walls", what), leak, 0, 0);
    verify_check(verify_text("%s: mass out / in - 1", what), fabs(net / in), 0, 1e-6);
    verify_check(verify_text("%s: m dh0 / power - 1", what), fabs(open / power - 1), 0, 1e-5);
    verify_check(verify_text("%s: torque of walls x omega / (m dh0) - 1", what), fabs(torque), 0,
                 1e-4);
    verify_check(verify_text("%s: moment the flow gains x omega / (m dh0) - 1", what), fabs(euler),
                 0, 5e-4);
    fixture_close(&f);
}

static void work(const char *flux)
{
    struct work w[2];
    passage(flux, 8, &w[0]);
    passage(flux, 12, &w[1]);
    for (int n = 0; n < 2; n++)
        verify_check(verify_text("passage, %s: rothalpy / cp T0 - 1, L2", flux), w[n].rothalpy, 0,
                     5e-5);
}

static void restart(void)
{
    struct fixture f;
    char path[1024];
    passage_open(&f, "roe", 8);
    fixture_steps(&f, 3);
    fixture_must(an_solver_write(f.solver, path), "write");
    fixture_steps(&f, 3);
    const uint64_t straight = fixture_hash(&f);
    fixture_close(&f);
    passage_open(&f, "roe", 8);
    fixture_must(an_solver_restart(f.solver, path), "restart");
    fixture_steps(&f, 3);
    verify_check("restart: the same bits", fixture_hash(&f) == straight, 1, 1);
    fixture_close(&f);
}

/* ---- duct ---- */

enum { NX = 32, NR = 16, NT = 8 };
static const double pitch = PI / 60;

static void duct_map(void *context, const double s[3], double x[3])
{
    (void)context;
    const double bump = 0.04 * pow(sin(PI * s[0]), 2);
    const double r = 0.5 + bump + (0.2 - bump + 0.05 * s[0] * s[0]) * s[1], angle = pitch * s[2];
    vm_cylindrical(0.6 * s[0], r, angle, x);
}

struct duct {
    double q[NX][NR][NT][5]; /* rho, u_x, u_r, u_theta, p */
};

static void keep(void *context, int zone, const int cell[3], const double x[3], const double q[5],
                 double volume)
{
    (void)zone, (void)volume;
    struct duct *d = context;
    const double r = hypot(x[1], x[2]);
    double *to = d->q[cell[0]][cell[1]][cell[2]];
    to[0] = q[0];
    to[1] = q[1];
    to[2] = (q[2] * x[1] + q[3] * x[2]) / r;
    to[3] = (q[3] * x[1] - q[2] * x[2]) / r;
    to[4] = q[4];
}

static void duct(const char *flux, const char *rows, struct duct *d)
{
    static const struct vm_segment ends[] =
        VM_SECTOR(AN_BC_INLET_TOTAL, "inlet", AN_BC_OUTLET_STATIC, "outlet");
    const struct vm_box box = {.n = {NX, NR, NT},
                               .turn = -1,
                               .map = duct_map,
                               .angle = pitch,
                               .nsegment = 6,
                               .segment = ends};
    const char *mesh = fixture_path("duct.cgns");
    vm_write(mesh, &box);
    struct fixture f;
    fixture_open(
        &f, "duct",
        verify_text("case: duct\nscheme: {flux: %s}\nmarch: {method: implicit, cfl: 1000}\n"
                    "initial: {p: 0.9e5, T: 291, velocity: [130, 0, 0]}\nboundaries:\n"
                    "  inlet: {type: inlet_total, p0: 1e5, T0: 300, direction: [1, 0, 0]}\n"
                    "  outlet: {type: outlet_static, p: 0.9e5}\n%s",
                    flux, rows),
        mesh);
    fixture_must(an_solver_fill_initial(f.solver), "fill");
    const double drop = fixture_converge(&f, 1e-7, 350);
    verify_note("duct, %s: residual down to %.1e in %lld", flux, drop,
                (long long)an_solver_iteration(f.solver));
    verify_check(verify_text("duct, %s: residual", flux), drop, 0, 1e-5);
    memset(d, 0, sizeof *d);
    fixture_cells(&f, keep, d);
    MPI_Allreduce(MPI_IN_PLACE, d->q[0][0][0], NX * NR * NT * 5, MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
    fixture_close(&f);
}

static void frames(const char *flux)
{
    static struct duct rest, turning;
    const double c = sqrt(g * gas * 300);
    double worst = 0, speed = 0;
    duct(flux, "rows:\n  rotor: {zones: zone000, omega: 1}\n", &rest);
    duct(flux, "rows:\n  rotor: {zones: zone000, omega: -150}\n", &turning);
    for (int n = 0; n < NX * NR * NT; n++) {
        const double *a = rest.q[0][0][n], *b = turning.q[0][0][n];
        const double unit[5] = {a[0], c, c, c, a[4]};
        speed = fmax(speed, hypot(a[1], a[2]) / c);
        for (int e = 0; e < 5; e++)
            worst = verify_worst(worst, fabs(a[e] - b[e]) / unit[e]);
    }
    verify_check(verify_text("duct, %s: fastest u / c", flux), speed, 0.4, 1);
    verify_check(verify_text("duct, %s: difference of the frames", flux), worst, 0, 1e-4);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    restart();
    frames("roe");
    work("roe");
    return verify_end();
}

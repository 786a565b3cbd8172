/* Couette flow over a slab that conducts: the heat of the gas passes a solid whose mesh does not match.
 *
 *   walls h = 1 mm apart, the upper one at 310 K moves with U = 100 m/s; below a slab of thickness t = 2 mm, at 300 K on
 *   its lower side; 8 x 24 cells of gas, 5 x 6 cells of solid in two zones that are stored turned:
 *     q = k (T1 - Tw) / h + mu U^2 / (2 h) = (theta(Tw) - theta(T0)) / t         W/m2 into the solid
 *
 *   Biot number of the gas k h_solid / (k_solid h_gas): 0.01, 1, 100; conductivity constant and linear in T
 *                                                   limit      measured
 *   Tw over the range of temperatures               1e-3       2e-5 .. 5e-4
 *   heat into the slab at its upper side            1e-3       1e-4
 *   heat of upper and lower side together           1e-6       1e-8
 *   a tube of 1 m, 20 and 30 mm in diameter, 600 K outside, 0.02 kg/s of 300 K within:
 *     h of the coolant                              1e-2       2e-3
 *     the coolant's temperature at the end          1e-2       3e-3
 *     heat of the coolant against m cp dT           1e-6       1e-9
 *   a restart in the middle: bits of theta          0
 *   a boundary layer over a plate that conducts (conjugate_plate.c):
 *     temperature of the wall over T_b - T_e        3e-3       1.4e-3
 */
#include "solver/boundary/solids.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/conjugate_plate.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double Pr = 0.72, cp = 1.4 / 0.4 * 287.05, mu = 0.02, U = 100, h = 1e-3, t = 2e-3,
                    T0 = 300, T1 = 310;

static void gas_map(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = h * (0.5 * s[0] + 0.3 * s[1]);
    x[1] = h * (s[1] + 0.08 * sin(2 * PI * s[1]));
    x[2] = 0.1 * h * s[2];
}

static void slab_map(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = 0.5 * h * (s[0] - 0.6 * (1 - s[1]));
    x[1] = t * (s[1] - 1) + 0.02 * t * sin(2 * PI * s[0]) * sin(PI * s[1]);
    x[2] = 0.1 * h * s[2];
}

static void write_meshes(const char *gas, const char *slab)
{
    const struct vm_segment around_gas[] = {
        {.dir = 0, .side = 0, .kind = VM_TRANSLATE},
        {.dir = 0, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_VISCOUS, .name = "below"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_VISCOUS, .name = "over"},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "side"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "side"}};
    const struct vm_segment around_slab[] = {
        {.dir = 0, .side = 0, .kind = VM_TRANSLATE},
        {.dir = 0, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_SLIP, .name = "cold"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_SLIP, .name = "top"},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "flank"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "flank"}};
    const struct vm_box box = {.n = {8, 24, 1},
                               .parts = {2, 1, 1},
                               .turn = -1,
                               .map = gas_map,
                               .translation = {{0.5e-3, 0, 0}},
                               .nsegment = 6,
                               .segment = around_gas};
    const struct vm_box solid = {.n = {6, 6, 2},
                                 .parts = {2, 1, 1},
                                 .turn = 5,
                                 .map = slab_map,
                                 .translation = {{0.5e-3, 0, 0}},
                                 .nsegment = 6,
                                 .segment = around_slab};
    vm_write(gas, &box);
    vm_write(slab, &solid);
}

static struct an_solid_report report_of(struct fixture *f, const char *surface)
{
    struct an_solid_report r[8], found = {0};
    const int n = an_solids_reports(f->solver, r);
    for (int m = 0; m < n; m++)
        if (r[m].surface ? !strcmp(r[m].surface, surface) : !*surface)
            found = r[m];
    return found;
}

static void start(void *context, const double x[3], double q[5])
{
    (void)context, (void)x;
    memset(q, 0, 5 * sizeof *q);
    q[4] = 1e5;
    q[0] = q[4] / (287.05 * T1);
}

static void open_case(struct fixture *f, const char *gas, const char *slab,
                      const char *conductivity, const char *below)
{
    fixture_open(f, "conjugate",
                 verify_text("case: conjugate\nprecision: double\n"
                             "gas: {viscosity: constant, mu: %g}\n"
                             "initial: {p: 1e5, T: 310}\noutput: {folder: %s}\nboundaries:\n"
                             "  below: {type: wall_viscous}\n"
                             "  over: {type: wall_viscous, T: 310, velocity: [100, 0, 0]}\n"
                             "solids:\n  slab: {mesh: %s, conductivity: %s}\n"
                             "solid_walls:\n  top: {gas: below}\n  cold: {%s}\n",
                             mu, fixture_folder(), slab, conductivity, below),
                 gas);
    fixture_must(an_solver_fill(f->solver, start, NULL), "fill");
}

/* k_s = c0 + c1 T; stop: a restart before this step, < 0: none. Returns Tw. */
static double slab(const char *gas, const char *solid, double c0, double c1, int steps, int stop)
{
    struct fixture f;
    const double k = mu * cp / Pr, area = 0.5 * h * 0.1 * h;
    char what[80];
    open_case(&f, gas, solid, verify_text("[%.17g, %.17g]", c0, c1), "T: 300");
    snprintf(what, sizeof what, "conductivity %.3g + %.3g T", c0, c1);
    fixture_steps_through(&f, steps, stop);
    double low = T0, high = 1000; /* of Tw, by halves */
    for (int n = 0; n < 100; n++) {
        const double T = 0.5 * (low + high);
        const double out = (c0 * (T - T0) + 0.5 * c1 * (T * T - T0 * T0)) / t;
        if (out > k * (T1 - T) / h + mu * U * U / (2 * h))
            high = T;
        else
            low = T;
    }
    const double q = k * (T1 - low) / h + mu * U * U / (2 * h),
                 range = fabs(T1 - T0) + U * U / (2 * cp) + fabs(low - T0);
    const struct an_solid_report top = report_of(&f, "top"), cold = report_of(&f, "cold"),
                                 all = report_of(&f, "");
    verify_check(verify_text("%s: wall temperature", what), (top.T[1] - low) / range, -1e-3, 1e-3);
    verify_check(verify_text("%s: heat into the slab", what), top.heat / (q * area), 0.999, 1.001);
    verify_check(verify_text("%s: heat of both sides", what), (top.heat + cold.heat) / (q * area),
                 -1e-6, 1e-6);
    verify_check(verify_text("%s: heat of all surfaces", what), all.heat / (q * area), -1e-6, 1e-6);
    verify_check(verify_text("%s: at rest", what), an_solids_stand(f.solver), 1, 1);
    fixture_close(&f);
    return top.T[1];
}

/* A given heat flux below: the upper side gives it to the gas. */
static void heated(const char *gas, const char *solid)
{
    struct fixture f;
    const double k = mu * cp / Pr, q = 2e6, area = 0.5 * h * 0.1 * h;
    open_case(&f, gas, solid, "20", verify_text("heat_flux: %g", q));
    fixture_steps(&f, 900);
    const double Tw = T1 + (q + mu * U * U / (2 * h)) * h / k;
    const struct an_solid_report top = report_of(&f, "top"), cold = report_of(&f, "cold");
    verify_check("heat flux: wall temperature", (top.T[1] - Tw) / (Tw - T1), -1e-3, 1e-3);
    verify_check("heat flux: temperature below", (cold.T[1] - top.T[1]) / (q * t / 20), 0.999,
                 1.001);
    verify_check("heat flux: heat out of the slab", -top.heat / (q * area), 1 - 1e-6, 1 + 1e-6);
    fixture_close(&f);
}

static void tube_map(void *context, const double s[3], double x[3])
{
    (void)context;
    const double r = 0.01 + 0.005 * s[1], angle = -2 * PI * s[2];
    x[0] = r * cos(angle);
    x[1] = 1 - s[0]; /* the coolant goes to lower y, as `direction` says */
    x[2] = 5 + r * sin(angle);
}

/* A thick tube whose conduction along its axis hardly counts: U from h within and conduction to the outer side. */
static void tube(const char *gas, const char *slab_file)
{
    const char *file = fixture_path("tube.cgns");
    const struct vm_segment around[] = {
        {.dir = 0, .side = 0, .type = AN_BC_SYMMETRY, .name = "end"},
        {.dir = 0, .side = 1, .type = AN_BC_SYMMETRY, .name = "end"},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_SLIP, .name = "bore"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_SLIP, .name = "skin"},
        {.dir = 2, .side = 0, .kind = VM_JOIN},
        {.dir = 2, .side = 1, .kind = VM_JOIN}};
    const struct vm_box box = {.n = {64, 6, 48},
                               .parts = {2, 1, 2},
                               .turn = 3,
                               .map = tube_map,
                               .nsegment = 6,
                               .segment = around};
    const double m = 0.02, k = 15, skin = 600, in = 300;
    struct fixture f;
    vm_write(file, &box);
    fixture_open(
        &f, "tube",
        verify_text(
            "case: tube\nprecision: double\n"
            "gas: {viscosity: constant, mu: 2.0e-5}\n"
            "initial: {p: 1e5, T: 310}\nboundaries:\n"
            "  below: {type: wall_viscous}\n  over: {type: wall_viscous, T: 310}\n"
            "solids:\n  slab: {mesh: %s, conductivity: 20}\n  tube: {mesh: %s, conductivity: %g}\n"
            "solid_walls:\n  top: {gas: below}\n  cold: {T: 300}\n  skin: {T: %g}\n"
            "  bore: {mass_flow: %g, T: %g, factor: 1.2, direction: [0, -1, 0]}\n",
            slab_file, file, k, skin, m, in),
        gas);
    fixture_must(an_solver_fill(f.solver, start, NULL), "fill");
    fixture_steps(&f, 201);
    const struct an_solid_report r = report_of(&f, "bore"), outer = report_of(&f, "skin");
    const double D = 0.02, hc = 1.2 * 0.022 * pow(4 * m / (PI * D * 2e-5), 0.8) * sqrt(Pr) *
                                (2e-5 * cp / Pr) / D;
    const double all = 1 / (1 / hc + 0.01 * log(1.5) / k);
    const double out = skin + (in - skin) * exp(-all * PI * D / (m * cp));
    verify_check("tube: h of the coolant", r.h / hc, 0.99, 1.01);
    verify_check("tube: the coolant where it leaves", (r.coolant[1] - out) / (skin - in), -1e-2,
                 1e-2);
    verify_check("tube: the coolant where it enters", r.coolant[0], in, in);
    verify_check("tube: heat of the coolant", -r.heat / (m * cp * (r.coolant[1] - in)), 1 - 1e-6,
                 1 + 1e-6);
    verify_check("tube: heat of both sides", (r.heat + outer.heat) / outer.heat, -1e-4, 1e-4);
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    char gas[512], solid[512]; /* fixture_path uses its buffers again */
    snprintf(gas, sizeof gas, "%s", fixture_path("gas.cgns"));
    snprintf(solid, sizeof solid, "%s", fixture_path("slab.cgns"));
    const double k = mu * cp / Pr; /* of the gas, 27.9 */
    write_meshes(gas, solid);
    slab(gas, solid, 200 * k, 0, 900, -1);
    slab(gas, solid, 2 * k, 0, 900, -1);
    slab(gas, solid, 0.02 * k, 0, 1800, -1);
    const double one = slab(gas, solid, -100, 0.5, 900, -1),
                 other = slab(gas, solid, -100, 0.5, 900, 133);
    verify_check("a restart: bits of the wall temperature", one - other, 0, 0);
    heated(gas, solid);
    tube(gas, solid);
    conjugate_plate();
    return verify_end();
}

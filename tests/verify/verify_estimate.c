/* Estimates of a case on a channel with a throat, viscous walls, and inlet and outlet that are known:
 *
 *   isentropic Mach number, speed, Reynolds number      formulas, 1e-12
 *   y+ of the first cells                               flat plate, height over cells, 3 %
 *   least area, where it is, mass flow at most          1 %
 *   the tip of a sector that turns: Mach number, flow coefficient, 1e-12
 *   the areas of a conical inlet and of the outlet: 0.1 %
 */
#include "solver/monitor/estimate.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
enum { NX = 64, NY = 8, NZ = 4 };
static const double R = 287.05, depth = 0.05, tall = 0.1, narrow = 0.03;

static void channel(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = 2 * s[0];
    x[1] = s[1] * (tall - narrow * sin(PI * s[0]));
    x[2] = depth * s[2];
}

static void throat(void)
{
    static const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .type = AN_BC_INLET_TOTAL, .name = "inlet"},
        {.dir = 0, .side = 1, .type = AN_BC_OUTLET_STATIC, .name = "outlet"},
        {1, 0, 0, 0, 24, .type = AN_BC_WALL_VISCOUS, .name = "floor"},
        {1, 0, 0, 24, 28, .type = AN_BC_WALL_VISCOUS,
         .name = "vent"}, /* too small to be a length */
        {1, 0, 0, 28, NX, .type = AN_BC_WALL_VISCOUS, .name = "floor"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_VISCOUS, .name = "roof"},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "left"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "right"}};
    const struct vm_box box = {.n = {NX, NY, NZ},
                               .parts = {2, 1, 1},
                               .turn = 9,
                               .map = channel,
                               .nsegment = 8,
                               .segment = ends};
    const char *mesh = fixture_path("throat.cgns");
    vm_write(mesh, &box);
    struct fixture f;
    struct an_estimate e;
    fixture_open(&f, "throat",
                 "case: throat\nprecision: double\ndevice: cpu\n"
                 "gas: {R: 287.05, viscosity: constant, mu: 2.0e-5}\nmultigrid: {levels: "
                 "1}\ninitial: {p: 9e4, T: 290}\n"
                 "boundaries:\n  inlet: {type: inlet_total, p0: 1.0e5, T0: 300, direction: [1, 0, "
                 "0]}\n  outlet: {type: outlet_static, p: 0.8e5}\n"
                 "  floor: {type: wall_viscous}\n  vent: {type: wall_viscous}\n  roof: {type: "
                 "wall_viscous}\n",
                 mesh);
    fixture_must(an_estimate_find(f.solver, &e), "estimates");
    const double mach = sqrt(5 * (pow(1 / 0.8, 2 / 7.) - 1)), T = 300 / (1 + 0.2 * mach * mach);
    const double V = mach * sqrt(1.4 * R * T), rho = 0.8e5 / (R * T), Re = rho * V * 2 / 2e-5;
    verify_check("isentropic Mach number", fabs(e.mach_is / mach - 1), 0, 1e-12);
    verify_check("Reynolds number", fabs(e.reynolds / Re - 1), 0, 1e-12);
    const double yplus = rho * V * sqrt(0.013 / pow(Re, 1 / 7.)) / 2e-5 * 0.5 / NY;
    verify_check("least y+", e.yplus[0] / (yplus * (tall - narrow)), 0.97, 1.03);
    verify_check("largest y+", e.yplus[2] / (yplus * tall), 0.97, 1.03);
    verify_check("least area", e.area_least / (depth * (tall - narrow)), 0.99, 1.01);
    verify_check("where", e.at, 0.95, 1.05);
    const double choked = 1e5 * sqrt(1.4 / (R * 300)) * pow(2 / 2.4, 3);
    verify_check("mass flow at most", e.mass_most / (choked * depth * (tall - narrow)), 0.99, 1.01);
    verify_check("nothing turns", e.tip_speed > 0, 0, 0);
    fixture_close(&f);
}

static void sector(void *context, const double s[3], double x[3])
{
    vm_cylindrical(0.2 * s[0], 0.3 + 0.1 * s[1], *(const double *)context * s[2], x);
}

static void tip(void)
{
    static const struct vm_segment ends[] =
        VM_SECTOR(AN_BC_INLET_TOTAL, "inlet", AN_BC_OUTLET_STATIC, "outlet");
    double angle = 2 * PI / 20;
    const struct vm_box box = vm_sector((const int[3]){16, 8, 8}, sector, &angle, ends);
    const char *mesh = fixture_path("tip.cgns");
    vm_write(mesh, &box);
    struct fixture f;
    struct an_estimate e;
    fixture_open(&f, "tip",
                 "case: tip\nprecision: double\ndevice: cpu\ngas: {R: 287.05}\n"
                 "initial: {p: 9e4, T: 290, velocity: [150, 0, 0]}\n"
                 "rows:\n  rotor: {zones: [\"*\"], omega: 1000, blades: 20}\n"
                 "boundaries:\n  inlet: {type: inlet_total, p0: 1.0e5, T0: 300, direction: [1, 0, "
                 "0]}\n  outlet: {type: outlet_static, p: 1.2e5}\n",
                 mesh);
    fixture_must(an_estimate_find(f.solver, &e), "estimates");
    verify_check("tip Mach number", fabs(e.tip_mach * sqrt(1.4 * R * 300) / 400 - 1), 0, 1e-12);
    verify_check("flow coefficient", fabs(e.flow_coefficient - 150 / 400.), 0, 1e-12);
    const double area = PI * (0.4 * 0.4 - 0.3 * 0.3);
    verify_check("area at the inlet", e.area_least / area, 0.98, 1.01);
    verify_check("no isentropic Mach number", e.mach_is >= 0, 0, 0);
    fixture_close(&f);
}

/* The inlet is a cone, and the annulus narrows behind it. */
static void cone(void *context, const double s[3], double x[3])
{
    vm_cylindrical(0.2 * s[0] + 0.1 * s[1] * (1 - s[0]), 0.3 + 0.1 * s[1] * (1 - 0.6 * s[0]),
                   *(const double *)context * s[2], x);
}

static void conical_inlet(void)
{
    static const struct vm_segment ends[] =
        VM_SECTOR(AN_BC_INLET_TOTAL, "inlet", AN_BC_OUTLET_STATIC, "outlet");
    double angle = 2 * PI / 20;
    const struct vm_box box = vm_sector((const int[3]){16, 8, 8}, cone, &angle, ends);
    const char *mesh = fixture_path("cone.cgns");
    vm_write(mesh, &box);
    struct fixture f;
    struct an_estimate e;
    fixture_open(&f, "cone",
                 "case: cone\nprecision: double\ndevice: cpu\ngas: {R: 287.05}\n"
                 "initial: {p: 9e4, T: 290, velocity: [150, 0, 0]}\n"
                 "rows:\n  rotor: {zones: [\"*\"], omega: 1000, blades: 20}\n"
                 "boundaries:\n  inlet: {type: inlet_total, p0: 1.0e5, T0: 300, direction: [1, 0, "
                 "0]}\n  outlet: {type: outlet_static, p: 1.2e5}\n",
                 mesh);
    fixture_must(an_estimate_find(f.solver, &e), "estimates");
    const double in = PI * 0.7 * hypot(0.1, 0.1), out = PI * (0.34 * 0.34 - 0.3 * 0.3);
    const double choked = 1e5 * sqrt(1.4 / (R * 300)) * pow(2 / 2.4, 3);
    verify_check("area of a conical inlet", e.area_in / in, 0.999, 1.001);
    verify_check("area of the outlet", e.area_out / out, 0.999, 1.001);
    verify_check("mass flow at most", e.mass_most / (choked * in), 0.999, 1.001);
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    fixture_folder();
    throat();
    tip();
    conical_inlet();
    return verify_end();
}

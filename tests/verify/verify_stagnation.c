/* The largest wall pressure over what a flow at rest relative to the wall could have, in a sector that
 * turns, filled and looked at without a step: axial flow of 120 m/s, 1e5 Pa, 300 K.
 *
 *   no swirl: I = cp T0, so that the limit at radius r is p0 (1 + (omega r)^2 / (2 cp T0))^3.5   1e-12
 *   uniform pressure: the largest ratio is at the hub, where the limit is smallest
 *   a spot of four times the pressure at the casing, which the wall extrapolates linearly to 5.5: found,
 *   at its place, and called by its name
 *   without rows: the inlet's p0
 *   without measured rows: the p0 of the case, 1e-12; of an inlet of given mass flow it moves, so that there
 *   is no limit
 */
#include "solver/level/level.h"
#include "solver/monitor/stagnation.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
static const double R = 287.05, p = 1e5, T = 300, u = 120, omega = -900;

static void map(void *context, const double s[3], double x[3])
{
    vm_cylindrical(0.2 * s[0], 0.3 + 0.1 * s[1], *(const double *)context * s[2], x);
}

static void flow(void *context, const double x[3], double q[5])
{
    const double times = *(const double *)context;
    const int spot = x[0] > 0.14 && x[0] < 0.16 && hypot(x[1], x[2]) > 0.385;
    q[4] = spot ? times * p : p;
    q[0] = p / (R * T);
    q[1] = u;
    q[2] = q[3] = 0;
}

/* gas: further keys of that section. */
static void look(const char *name, const char *mesh, const char *gas, const char *rows,
                 double times, struct an_stagnation *w)
{
    struct an_measure m = {.integral = NULL};
    struct fixture f;
    fixture_open(&f, name,
                 verify_text("case: x\nprecision: double\ndevice: cpu\ngas: {R: 287.05%s}\n"
                             "initial: {p: 1e5, T: 300}\n%s",
                             gas, rows),
                 mesh);
    fixture_must(an_solver_fill(f.solver, flow, &times), "fill");
    fixture_must(an_solver_measure(f.solver, &m), "measure");
    fixture_must(an_stagnation_find(f.solver, w), "wall pressures");
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    fixture_folder();
    static const struct vm_segment ends[] =
        VM_SECTOR(AN_BC_OUTLET_SUPERSONIC, "front", AN_BC_OUTLET_SUPERSONIC, "back");
    static const struct vm_segment open[] =
        VM_SECTOR(AN_BC_INLET_TOTAL, "inlet", AN_BC_OUTLET_STATIC, "outlet");
    double angle = 2 * PI / 20;
    const struct vm_box box = vm_sector((const int[3]){16, 8, 8}, map, &angle, ends);
    const struct vm_box other = vm_sector((const int[3]){16, 8, 8}, map, &angle, open);
    const char *mesh = fixture_path("turns.cgns"), *still = fixture_path("still.cgns");
    vm_write(mesh, &box);
    vm_write(still, &other);
    MPI_Barrier(MPI_COMM_WORLD);
    const char *rows = "rows: {rotor: {zones: [\"*\"], omega: -900, blades: 20}}\n";
    const double cp = 3.5 * R, T0 = T + u * u / (2 * cp), p0 = p * pow(T0 / T, 3.5);
    struct an_stagnation w;
    for (int spot = 0; spot < 2; spot++) {
        look(spot ? "spot" : "even", mesh, "", rows, spot ? 4 : 1, &w);
        const double r = hypot(w.x[1], w.x[2]), spin = omega * r;
        const double limit = p0 * pow(1 + spin * spin / (2 * cp * T0), 3.5);
        verify_check("limit", fabs(w.limit / limit - 1), 0, 1e-12);
        verify_check("ratio", fabs(w.ratio * limit / w.p - 1), 0, 1e-12);
        verify_check("wall pressure over that of the flow", w.p / p, spot ? 5.5 - 1e-12 : 1 - 1e-12,
                     spot ? 5.5 + 1e-12 : 1 + 1e-12);
        verify_check("radius", r, spot ? 0.39 : 0.29, spot ? 0.401 : 0.301);
        verify_check("place along x", spot ? w.x[0] : 0.15, 0.13, 0.17);
        verify_check("name", strcmp(w.wall, spot ? "casing" : "hub"), 0, 0);
    }
    look("still", still, "",
         "monitors: {performance: on}\nboundaries:\n  inlet: {type: inlet_total, p0: 1.1e5, T0: "
         "300, "
         "direction: [1, 0, 0]}\n  outlet: {type: outlet_static, p: 1e5}\n",
         1, &w);
    verify_check("without rows", w.ratio, 0.9, 1);
    for (int follows = 0; follows < 2; follows++) {
        look(
            follows ? "followed" : "given", still, ", viscosity: constant, mu: 1e-5",
            verify_text("march: {method: runge_kutta}\n" /* any number of ranks */
                        "boundaries:\n  hub: {type: wall_viscous}\n"
                        "  inlet: {type: inlet_total, p0: 1.1e5, T0: 300, direction: [1, 0, 0]%s}\n"
                        "  outlet: {type: outlet_static, p: 1e5}\n",
                        follows ? ", mass_flow: 30" : ""),
            1, &w);
        verify_check("no limit", isnan(w.ratio), follows, follows);
        if (!follows)
            verify_check("p0 of the case", fabs(w.ratio * 1.1e5 / w.p - 1), 0, 1e-12);
    }
    return verify_end();
}

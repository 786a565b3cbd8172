/* A pressure pulse leaves through an outlet: plane acoustic wave running downstream in an annular
 * duct.
 *
 *   r from 0.5 to 1 m, 1 m long, a twelfth of the annulus; u = 100 m/s, p = 1e5 Pa, T = 300 K;
 * pulse of 500 Pa, 0.08 m wide, from the middle; inviscid, time-accurate, looked at after 2.6 ms,
 * when what came back is at x = 0.63 m
 *
 *   largest |p - 1e5| over 500 Pa      non-reflecting outlet   5 %      measured: 0.1 %
 *                                      outlet of given p       50 % or more  measured: 82 %
 */
#include "tests/solver_fixture.h"
#include "tests/verify.h"
#include "tests/verify_mesh.h"

#include <math.h>

#define PI 3.14159265358979323846

static const double p1 = 1e5, T1 = 300, gas = 287.05, speed = 100, pulse = 500;

static void annulus_map(void *context, const double s[3], double x[3])
{
    const double angle = *(const double *)context * s[2], r = 0.5 + 0.5 * s[1];
    vm_cylindrical(s[0], r, angle, x);
}

static void wave(void *context, const double x[3], double q[5])
{
    (void)context;
    const double rho = p1 / (gas * T1), c = sqrt(1.4 * gas * T1);
    const double part = (x[0] - 0.5) / 0.08, p = pulse * exp(-part * part);
    q[0] = rho + p / (c * c);
    q[1] = speed + p / (rho * c);
    q[2] = q[3] = 0;
    q[4] = p1 + p;
}

static void add_error(void *context, int zone, const int cell[3], const double x[3],
                      const double q[5], double volume)
{
    (void)zone, (void)cell, (void)x, (void)volume;
    double *worst = context;
    *worst = fmax(*worst, fabs(q[4] - p1) / pulse);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    static const struct vm_segment ends[] =
        VM_SECTOR(AN_BC_INLET_TOTAL, "inlet", AN_BC_OUTLET_STATIC, "outlet");
    double angle = 2 * PI / 12;
    const struct vm_box box = {.n = {80, 6, 4},
                               .parts = {2, 1, 1},
                               .turn = 5,
                               .map = annulus_map,
                               .context = &angle,
                               .angle = angle,
                               .nsegment = 6,
                               .segment = ends};
    const char *mesh = fixture_path("duct.cgns");
    vm_write(mesh, &box);
    const double T0 = T1 + speed * speed / (7 * gas), p0 = p1 * pow(T0 / T1, 3.5);
    double worst[2] = {0, 0};
    for (int open = 0; open < 2; open++) {
        struct fixture f;
        fixture_open(
            &f, verify_text("waves%d", open),
            verify_text("case: waves\nprecision: double\ndevice: cpu\n"
                        "gas: {gamma: 1.4, R: 287.05}\nscheme: {flux: jst}\n"
                        "march: {mode: unsteady, cfl: 1.5, end_time: 2.6e-3}\n"
                        "initial: {p: 1e5, T: 300}\nboundaries:\n"
                        "  inlet: {type: inlet_total, p0: %.17g, T0: %.17g, direction: [1, 0, "
                        "0]}\n"
                        "  outlet: {type: outlet_static, p: 1e5, non_reflecting: %s, "
                        "control_every: 1000000}\n",
                        p0, T0, open ? "true" : "false"),
            mesh);
        fixture_must(an_solver_fill(&f.solver, wave, NULL), "fill");
        fixture_until(&f, 2.6e-3);
        fixture_cells(&f, add_error, &worst[open]);
        fixture_close(&f);
    }
    MPI_Allreduce(MPI_IN_PLACE, worst, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    verify_check("what comes back from an outlet of given pressure", worst[0], 0.5, 1.2);
    verify_check("what comes back from a non-reflecting one", worst[1], 0, 0.05);
    return verify_end();
}

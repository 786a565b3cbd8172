/* A pressure pulse leaves through an outlet, or an inlet: plane acoustic wave running downstream,
 * or upstream, in an annular duct.
 *
 *   r from 0.5 to 1 m, 1 m long, a twelfth of the annulus; u = 100 m/s, p = 1e5 Pa, T = 300 K;
 *   pulse of 500 Pa, 0.08 m wide, from the middle; inviscid, time-accurate, measured after 2.6 ms,
 *   when the reflected pulse is at x = 0.63 m
 *
 *   largest |p - 1e5| over 500 Pa      non-reflecting outlet   5 %      measured: 0.1 %
 *                                      outlet of given p       50 % or more  measured: 82 %
 *
 *   upstream, after 2.8 ms, when the reflected pulse is at x = 0.35 m
 *                                      non-reflecting inlet    5 %      measured: 1.3 %
 *                                      inlet of total conditions  20 % or more  measured: 53 %
 *
 *   steady flow through a non-reflecting inlet: mass averages of p0 and T0 there against those of
 *   the case: 1e-4; state on these ranks and alone, and after a restart: the same bits
 */
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <sys/stat.h>

#define PI 3.14159265358979323846

static const double p1 = 1e5, T1 = 300, gas = 287.05, speed = 100, pulse = 500;

static void annulus_map(void *context, const double s[3], double x[3])
{
    const double angle = *(const double *)context * s[2], r = 0.5 + 0.5 * s[1];
    vm_cylindrical(s[0], r, angle, x);
}

static void wave(void *context, const double x[3], double q[5])
{
    const double way = *(const double *)context; /* 1: downstream, -1 */
    const double rho = p1 / (gas * T1), c = sqrt(1.4 * gas * T1);
    const double part = (x[0] - 0.5) / 0.08, p = pulse * exp(-part * part);
    q[0] = rho + p / (c * c);
    q[1] = speed + way * p / (rho * c);
    q[2] = q[3] = 0;
    q[4] = p1 + p;
}

static void add_error(void *context, int zone, const int cell[3], const double x[3],
                      const double q[5], double volume)
{
    (void)zone, (void)cell, (void)x, (void)volume;
    double *worst = context;
    *worst = verify_worst(*worst, fabs(q[4] - p1) / pulse);
}

/* The mean has what was asked for. */
static void steady(const char *mesh)
{
    struct fixture f, alone;
    static const char *const yaml =
        "case: steady\nprecision: double\ndevice: cpu\ngas: {gamma: 1.4, R: 287.05}\n"
        "scheme: {flux: roe, limiter: first_order}\nmarch: {mode: steady, iterations: 100000}\n"
        "initial: {p: 1e5, T: 300, mach: 0.2}\nboundaries:\n"
        "  inlet: {type: inlet_total, p0: 1.1e5, T0: 310, direction: [1, 0, 0.3], "
        "non_reflecting: true}\n"
        "  outlet: {type: outlet_static, p: 1e5}\n";
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fixture_open(&f, "steady", yaml, mesh);
    fixture_open_on(&alone, MPI_COMM_SELF, verify_text("alone%d", rank), yaml, mesh);
    fixture_must(an_solver_fill_initial(f.solver), "fill");
    fixture_must(an_solver_fill_initial(alone.solver), "fill");
    fixture_steps(&f, 25);
    fixture_steps(&alone, 25);
    int differ = fixture_hash(&f) != fixture_hash(&alone);
    MPI_Allreduce(MPI_IN_PLACE, &differ, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    verify_check("other bits than alone", differ, 0, 0);
    char path[1024];
    if (rank == 0)
        mkdir(f.c.output.folder, 0777);
    MPI_Barrier(MPI_COMM_WORLD);
    fixture_must(an_solver_write(f.solver, path), "write");
    fixture_steps(&f, 25);
    const uint64_t hash = fixture_hash(&f);
    fixture_must(an_solver_restart(f.solver, path), "restart");
    fixture_steps(&f, 25);
    verify_check("other bits after a restart", fixture_hash(&f) != hash, 0, 0);
    verify_check("drop of the residual", fixture_converge(&f, 1e-8, 6000), 0, 1e-8);
    double sum[16][AN_NINTEGRAL];
    struct an_measure m = {.integral = sum};
    fixture_must(an_solver_measure(f.solver, &m), "measure");
    const double *t = sum[an_boundary_find(&f.mesh.topology, "inlet")];
    verify_check("p0 at the inlet over that asked for", t[AN_I_MP0] / t[AN_I_MASS] / 1.1e5,
                 1 - 1e-4, 1 + 1e-4);
    verify_check("T0 likewise", t[AN_I_MT0] / t[AN_I_MASS] / 310, 1 - 1e-4, 1 + 1e-4);
    fixture_close(&alone);
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    static const struct vm_segment ends[] =
        VM_SECTOR(AN_BC_INLET_TOTAL, "inlet", AN_BC_OUTLET_STATIC, "outlet");
    double angle = 2 * PI / 12;
    const struct vm_box box = vm_sector((const int[3]){80, 6, 4}, annulus_map, &angle, ends);
    const char *mesh = fixture_path("duct.cgns");
    vm_write(mesh, &box);
    const double T0 = T1 + speed * speed / (7 * gas), p0 = p1 * pow(T0 / T1, 3.5);
    double worst[4] = {0, 0, 0, 0};
    for (int n = 0; n < 4; n++) {
        struct fixture f;
        const int open = n % 2, upstream = n / 2;
        double way = upstream ? -1 : 1;
        fixture_open(
            &f, verify_text("waves%d", n),
            verify_text("case: waves\nprecision: double\ndevice: cpu\n"
                        "gas: {gamma: 1.4, R: 287.05}\nscheme: {flux: jst}\n"
                        "march: {mode: unsteady, cfl: 1.5, end_time: 2.8e-3}\n"
                        "initial: {p: 1e5, T: 300}\nboundaries:\n"
                        "  inlet: {type: inlet_total, p0: %.17g, T0: %.17g, direction: [1, 0, "
                        "0], non_reflecting: %s, control_every: 1000000}\n"
                        "  outlet: {type: outlet_static, p: 1e5, non_reflecting: %s, "
                        "control_every: 1000000}\n",
                        p0, T0, open && upstream ? "true" : "false",
                        open || upstream ? "true" : "false"),
            mesh);
        fixture_must(an_solver_fill(f.solver, wave, &way), "fill");
        fixture_until(&f, upstream ? 2.8e-3 : 2.6e-3);
        fixture_cells(&f, add_error, &worst[n]);
        fixture_close(&f);
    }
    MPI_Allreduce(MPI_IN_PLACE, worst, 4, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    verify_check("what comes back from an outlet of given pressure", worst[0], 0.5, 1.2);
    verify_check("what comes back from a non-reflecting one", worst[1], 0, 0.05);
    verify_check("from an inlet of total conditions", worst[2], 0.2, 1.2);
    verify_check("from a non-reflecting one", worst[3], 0, 0.05);
    steady(mesh);
    return verify_end();
}

/* Choked nozzle with a normal shock, against the theory of one-dimensional channels.
 *
 *   Half height h(x) = 0.05 (1 + 0.5 sin^2(pi x / 2)), x in [-1, 1]: throat at 0, area ratio 1.5 at
 *   both ends; so slender (throat height over wall radius 0.04) that flow across does not matter.
 *   p0 = 1e5 Pa, T0 = 300 K, gamma 1.4; back pressure such that the shock stands at area ratio 1.25
 *   (x = 0.5). 128 x 6 cells. And with hot air, cp(T), T0 = 1500 K: gamma is 1.31 to 1.34 in it,
 *   and the exact solution is that of the thermally perfect gas.
 *
 *                                           required   jst       roe       jst, cp(T)  roe, cp(T)
 *   mass flow / exact - 1                   0.1 %      0.00003 % 0.002 %   0.0002 %    0.002 %
 *   mass out / mass in - 1, converged       1e-6       2e-9      4e-9      3e-9        4e-9
 *   p / exact - 1, away from the shock      1 %        0.05 %    0.07 %    0.06 %      0.06 %
 *   T / exact - 1, away from the shock      1 %        0.02 %    0.02 %    0.02 %      0.02 %
 *   p0 / exact - 1, ahead of the shock      0.2 %      0.07 %    0.005 %   0.09 %      0.005 %
 *   place of the shock, cells               1.5        0.03      0.006     0.03        0.006
 *   mass flow with the shock further down (1.4) / with this one - 1:  1e-4   2e-12
 */
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { N = 128, ROWS = 6 };

static const double p0 = 1e5, throat = 0.05, span = 0.02;
static struct an_gas gas;
static double T0;

static double area_ratio(double x)
{
    return 1 + 0.5 * pow(sin(0.5 * PI * x), 2);
}

/* Where, past the throat, the area ratio is a. */
static double place(double a)
{
    return asin(sqrt((a - 1) / 0.5)) / (0.5 * PI);
}

static void map(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = 2 * s[0] - 1;
    x[1] = throat * area_ratio(x[0]) * s[1];
    x[2] = span * s[2];
}

/* Mass flow per area at Mach number m, per p0 in Pa. */
static double flow_of_mach(double m)
{
    const struct an_gas_flow f = an_gas_static_mach(&gas, 1, T0, m);
    return f.p / (gas.R * f.T) * f.V;
}

static double mach_of_area(double a, int supersonic)
{
    const double most = flow_of_mach(1);
    double low = supersonic ? 1 : 1e-6, high = supersonic ? 50 : 1;
    for (int i = 0; i < 200; i++) {
        double m = 0.5 * (low + high);
        if ((most / flow_of_mach(m) < a) == supersonic)
            low = m;
        else
            high = m;
    }
    return 0.5 * (low + high);
}

/* p02 / p01: of the states with the mass flow and the total enthalpy of that ahead, below the speed
 * of sound, the one with its momentum flux. */
static double shock_loss(double m)
{
    const struct an_gas_flow f = an_gas_static_mach(&gas, p0, T0, m);
    const double flow = f.p / (gas.R * f.T) * f.V, push = f.p + flow * f.V;
    double low = an_gas_static_mach(&gas, p0, T0, 1).T, high = T0 * (1 - 1e-9), p = 0, V = 0;
    for (int i = 0; i < 200; i++) {
        const double T = 0.5 * (low + high);
        V = sqrt(2 * (an_gas_h(&gas, T0) - an_gas_h(&gas, T)));
        p = flow / V * gas.R * T;
        if (p + flow * V < push)
            low = T;
        else
            high = T;
    }
    return an_gas_total(&gas, p, 0.5 * (low + high), V).p0 / p0;
}

/* The state at x with the shock at area ratio `shock`. */
static struct an_gas_flow exact(double x, double shock)
{
    if (x < place(shock))
        return an_gas_static_mach(&gas, p0, T0, mach_of_area(area_ratio(x), x > 0));
    double loss = shock_loss(mach_of_area(shock, 1));
    return an_gas_static_mach(&gas, p0 * loss, T0, mach_of_area(area_ratio(x) * loss, 0));
}

static double exact_flow(void)
{
    return p0 * throat * span * flow_of_mach(1);
}

/* Means over the height. */
struct profile {
    double p[N], T[N], p0[N];
};

static void visit(void *context, int zone, const int cell[3], const double x[3], const double q[5],
                  double volume)
{
    (void)zone, (void)cell, (void)volume;
    struct profile *r = context;
    int at = (int)((x[0] + 1) * 0.5 * N);
    const double T = q[4] / (q[0] * gas.R);
    const double V = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    r->p[at] += q[4] / ROWS;
    r->T[at] += T / ROWS;
    r->p0[at] += an_gas_total(&gas, q[4], T, V).p0 / ROWS;
}

/* Mass flow in and out, and profiles. */
static void run(const char *flux, const char *keys, double shock, double mass[2], struct profile *r)
{
    static const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .type = AN_BC_INLET_TOTAL, .name = "inlet"},
        {.dir = 0, .side = 1, .type = AN_BC_OUTLET_STATIC, .name = "outlet"},
        {.dir = 1, .side = 0, .type = AN_BC_SYMMETRY, .name = "axis"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_SLIP, .name = "wall"},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "low"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "high"}};
    const struct vm_box box = {.n = {N, ROWS, 1},
                               .parts = {2, 1, 1},
                               .turn = 13,
                               .map = map,
                               .nsegment = 6,
                               .segment = ends};
    const char *mesh = fixture_path("nozzle.cgns");
    vm_write(mesh, &box);
    const double back = exact(1, shock).p;
    struct fixture f;
    fixture_open(&f, "nozzle",
                 verify_text("case: nozzle\nscheme: {flux: %s}\n%s"
                             "initial: {p: %.17g, T: %.17g, mach: 0.5}\nboundaries:\n"
                             "  inlet: {type: inlet_total, p0: %g, T0: %g, direction: [1, 0, 0]}\n"
                             "  outlet: {type: outlet_static, p: %.17g}\n",
                             flux, keys, 0.85 * p0, 0.93 * T0, p0, T0, back),
                 mesh);
    fixture_must(an_solver_fill_initial(f.solver), "fill");
    double drop = fixture_converge(&f, 1e-8, 6000);
    double(*integral)[AN_NINTEGRAL] = calloc((size_t)f.mesh.topology.nboundary, sizeof *integral);
    struct an_measure m = {.integral = integral};
    fixture_must(an_solver_measure(f.solver, &m), "measure");
    mass[0] = -integral[an_boundary_find(&f.mesh.topology, "inlet")][AN_I_MASS];
    mass[1] = integral[an_boundary_find(&f.mesh.topology, "outlet")][AN_I_MASS];
    free(integral);
    memset(r, 0, sizeof *r);
    fixture_cells(&f, visit, r);
    MPI_Allreduce(MPI_IN_PLACE, r->p, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, r->T, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, r->p0, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    verify_note("%s, shock at %.3f: residual drop %.1e after %lld steps", flux, shock, drop,
                (long long)an_solver_iteration(f.solver));
    fixture_close(&f);
}

static void check(const char *flux, double shock, const double mass[2], const struct profile *r)
{
    double worst_p = 0, worst_T = 0, worst_p0 = 0, at = NAN;
    const double x_shock = place(shock), h = 2.0 / N;
    const double middle = 0.5 * (exact(x_shock - 1e-9, shock).p + exact(x_shock + 1e-9, shock).p);
    for (int i = 0; i < N; i++) {
        const double x = -1 + (i + 0.5) * h;
        const struct an_gas_flow e = exact(x, shock);
        if (fabs(x - x_shock) > 6 * h) {
            worst_p = verify_worst(worst_p, fabs(r->p[i] / e.p - 1));
            worst_T = verify_worst(worst_T, fabs(r->T[i] / e.T - 1));
        }
        if (x < x_shock - 6 * h)
            worst_p0 = verify_worst(worst_p0, fabs(r->p0[i] / p0 - 1));
        if (i > 0 && x > 0.1 && r->p[i - 1] < middle && r->p[i] >= middle)
            at = x - h * (r->p[i] - middle) / (r->p[i] - r->p[i - 1]);
    }
    verify_check(verify_text("%s: mass flow / exact - 1", flux), mass[0] / exact_flow() - 1, -1e-3,
                 1e-3);
    verify_check(verify_text("%s: mass out / mass in - 1", flux), mass[1] / mass[0] - 1, -1e-6,
                 1e-6);
    verify_check(verify_text("%s: p / exact - 1, largest", flux), worst_p, -INFINITY, 0.01);
    verify_check(verify_text("%s: T / exact - 1, largest", flux), worst_T, -INFINITY, 0.01);
    verify_check(verify_text("%s: p0 / exact - 1 ahead of the shock, largest", flux), worst_p0,
                 -INFINITY, 0.002);
    verify_check(verify_text("%s: place of the shock, cells off", flux), (at - x_shock) / h, -1.5,
                 1.5);
}

static void both(const char *flux, const char *name, const char *keys)
{
    static struct profile r;
    double mass[2], lower[2];
    run(flux, keys, 1.25, mass, &r);
    check(name, 1.25, mass, &r);
    run(flux, keys, 1.4, lower, &r);
    verify_check(verify_text("%s: mass flow at lower back pressure", name), lower[0] / mass[0] - 1,
                 -1e-4, 1e-4);
}

int main(int argc, char **argv)
{
    /* dry air, tests/unit/test_gas.c */
    static const double air[] = {1059.0,     -0.51789,   0.0014605, -1.3491e-06,
                                 6.1504e-10, -1.397e-13, 1.2621e-17};
    static const char *const keys =
        "gas: {cp: [1059.0, -0.51789, 0.0014605, -1.3491e-06, 6.1504e-10, -1.397e-13,\n"
        "  1.2621e-17], T_range: [200, 2500]}\n";
    verify_start(&argc, &argv);
    gas = an_gas_perfect(287.05, 1.4);
    T0 = 300;
    both("jst", "jst", "");
    both("roe", "roe", "");
    fixture_must(an_gas_polynomial(287.05, 7, air, 200, 2500, &gas), "gas");
    T0 = 1500;
    both("jst", "jst, cp(T)", keys);
    both("roe", "roe, cp(T)", keys);
    return verify_end();
}

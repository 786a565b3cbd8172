/* Free vortex with a source or a sink through a passage between two discs, the flow of a vaneless diffuser
 * and of a radial turbine's inlet: inlet and outlet are cylinders, the span runs along x.
 *
 *   r from 1 to 1.25 m, 0.1 m wide, a sixtieth of the annulus, inviscid. rho u_r r and r u_theta are
 *   constant, total pressure and temperature uniform; u_r = 120 (outwards) or -120 m/s (inwards), u_theta =
 *   150 m/s, p = 1e5 Pa and T = 300 K at r = 1 m. The inlet's direction is cylindrical, the outlet in
 *   radial equilibrium anchored at the hub: on a cylinder the pressure then is uniform.
 *
 *   outwards and inwards, 64 cells along r:
 *   largest |p / exact - 1|                                            1e-3    measured: 8.5e-4, 5.6e-4
 *   largest |u_r - exact|, |u_theta - exact| over 120 m/s              3e-3    measured: 2.0e-3, 1.8e-3
 *   stations on cylinders r = 1.1 and 1.2 m and on a cone: mass flow, total pressure and temperature, total
 *   pressure mixed out (cylinders), r u_theta, area                      1e-3
 */
#include "solver/monitor/stations.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double r0 = 1, r1 = 1.25, width = 0.1, g = 1.4, R = 287.05;
static double cp, T0, p0, source, K; /* source: rho u_r r */
static int inwards;

static void disc_map(void *context, const double s[3], double x[3])
{
    const double angle = *(const double *)context * s[2];
    const double along = inwards ? s[1] : 1 - s[1], out = inwards ? 1 - s[0] : s[0];
    vm_cylindrical(width * along, r0 + (r1 - r0) * out, angle, x);
}

/* rho, u_r, u_theta, p at a radius. */
static void exact(double r, double q[4])
{
    double ur = inwards ? -120 : 120, rho = 0, T = 0;
    const double ut = K / r;
    for (int n = 0; n < 200; n++) {
        T = T0 - (ur * ur + ut * ut) / (2 * cp);
        rho = p0 * pow(T / T0, g / (g - 1)) / (R * T);
        ur = 0.5 * (ur + source / (rho * r));
    }
    q[0] = rho;
    q[1] = ur;
    q[2] = ut;
    q[3] = rho * R * T;
}

struct errors {
    double p, ur, ut;
};

static void add_error(void *context, int zone, const int cell[3], const double x[3],
                      const double q[5], double volume)
{
    (void)zone, (void)cell, (void)volume;
    struct errors *e = context;
    const double r = hypot(x[1], x[2]);
    double is[4];
    exact(r, is);
    e->p = verify_worst(e->p, fabs(q[4] / is[3] - 1));
    e->ur = verify_worst(e->ur, fabs((q[2] * x[1] + q[3] * x[2]) / r - is[1]) / 120);
    e->ut = verify_worst(e->ut, fabs((q[3] * x[1] - q[2] * x[2]) / r - is[2]) / 120);
}

static void start(void *context, const double x[3], double q[5])
{
    (void)context;
    double is[4];
    const double r = hypot(x[1], x[2]);
    exact(r0 + 0.5 * (r1 - r0), is);
    q[0] = is[0];
    q[1] = 0;
    q[2] = (is[1] * x[1] - is[2] * x[2]) / r;
    q[3] = (is[1] * x[2] + is[2] * x[1]) / r;
    q[4] = is[3];
}

static const char *case_text(const char *direction, double p, const char *lines)
{
    return verify_text("case: disc\nprecision: double\ndevice: cpu\n"
                       "gas: {gamma: 1.4, R: 287.05}\nscheme: {flux: jst, boundary_order: 2}\n"
                       "march: {cfl: 2.5, smooth_start: 200, iterations: 100000}\n"
                       "initial: {p: 1e5, T: 300, mach: 0}\n"
                       "monitors: {station_lines: [%s], bands: 2, averages: cylindrical}\n"
                       "boundaries:\n"
                       "  inlet: {type: inlet_total, p0: %.17g, T0: %.17g, direction: [%s], "
                       "axes: cylindrical}\n"
                       "  outlet: {type: outlet_static, p: %.17g, radial_equilibrium: hub}\n",
                       lines, p0, T0, direction, p);
}

/* The averages of station n, at radius r; r 0: of a cone. */
static void check_station(const struct an_stations *t, int n, double r, double area)
{
    const struct an_flow_average *a = &t->average[n * (t->nband + 1) + t->nband];
    const double mass = 2 * PI * width * fabs(source);
    verify_check("mass flow / exact", fabs(a->mass) / mass, 0.999, 1.001);
    verify_check("area / exact", t->area[n * (t->nband + 1) + t->nband] / area, 0.999, 1.001);
    verify_check("p0 / exact", a->p0 / p0, 0.999, 1.001);
    verify_check("T0 / exact", a->T0 / T0, 0.999, 1.001);
    if (r > 0) {
        double is[4];
        exact(r, is);
        verify_check("mixed-out p0 / exact", a->mixed.p0 / p0, 0.999, 1.001);
        verify_check("p / exact", a->p / is[3], 0.999, 1.001);
        verify_check("r u_theta / exact", a->vt * r / K, 0.999, 1.001);
        verify_check("u_r / exact", a->vr / is[1], 0.999, 1.001);
        verify_check("band's mass flow / exact",
                     2 * fabs(t->average[n * (t->nband + 1)].mass) / mass, 0.999, 1.001);
    } else {
        verify_check("cone: r u_theta / exact", a->vt * a->r / K, 0.998, 1.002);
    }
}

static void set_exact(void)
{
    const double u = 120 * 120 + 150 * 150;
    cp = g * R / (g - 1);
    T0 = 300 + u / (2 * cp);
    p0 = 1e5 * pow(T0 / 300, g / (g - 1));
    source = (inwards ? -1 : 1) * 1e5 / (R * 300) * 120 * r0;
    K = 150 * r0;
}

static void flow(const char *mesh)
{
    struct fixture f;
    struct errors e = {0};
    double in[4], out[4];
    exact(inwards ? r1 : r0, in);
    exact(inwards ? r0 : r1, out);
    /* hub and casing: the casing lies to the left of the flow */
    const double hub = inwards ? 0 : width, casing = width - hub;
    fixture_open(&f, inwards ? "inwards" : "outwards",
                 case_text(verify_text("0, %.17g, %.17g", in[1], in[2]), out[3],
                           verify_text("%g, 1.1, %g, 1.1, %g, 1.2, %g, 1.2, %g, 1.05, %g, 1.15",
                                       hub, casing, hub, casing, hub, casing)),
                 mesh);
    fixture_must(an_solver_fill(f.solver, start, NULL), "fill");
    const double drop = fixture_converge(&f, 1e-5, 6000);
    fixture_cells(&f, add_error, &e);
    double largest[3] = {e.p, e.ur, e.ut};
    MPI_Allreduce(MPI_IN_PLACE, largest, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    verify_note("%s: %lld iterations", inwards ? "inwards" : "outwards",
                (long long)an_solver_iteration(f.solver));
    verify_check("drop of the residual", drop, 0, 1e-5);
    verify_check("p / exact - 1, largest", largest[0], 0, 1e-3);
    verify_check("u_r, largest error", largest[1], 0, 3e-3);
    verify_check("u_theta, largest error", largest[2], 0, 3e-3);
    fixture_must(an_stations_measure(f.solver), "stations");
    const struct an_stations *t = an_stations_of(f.solver);
    check_station(t, 0, 1.1, 2 * PI * 1.1 * width);
    check_station(t, 1, 1.2, 2 * PI * 1.2 * width);
    check_station(t, 2, 0, 2 * PI * 1.1 * hypot(width, 0.1));
    verify_check("flow along the normal is positive", t->average[t->nband].mass > 0, 1, 1);
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    static const struct vm_segment ends[] =
        VM_SECTOR(AN_BC_INLET_TOTAL, "inlet", AN_BC_OUTLET_STATIC, "outlet");
    double angle = 2 * PI / 60;
    for (inwards = 0; inwards < 2; inwards++) {
        const struct vm_box box = {.n = {64, 4, 4},
                                   .parts = {2, 1, 1},
                                   .turn = 5,
                                   .map = disc_map,
                                   .context = &angle,
                                   .angle = angle,
                                   .nsegment = 6,
                                   .segment = ends};
        const char *mesh = fixture_path(inwards ? "inwards.cgns" : "outwards.cgns");
        set_exact();
        vm_write(mesh, &box);
        flow(mesh);
    }
    return verify_end();
}

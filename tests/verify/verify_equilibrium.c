/* Free vortex through an annular duct: an inlet with a spanwise profile of swirl, an outlet in
 * radial equilibrium that knows the pressure at one radius only.
 *
 *   r from 0.5 to 1 m, 0.5 m long, a twelfth of the annulus, inviscid; u_theta = 60 / r, u_x = 100
 *   m/s, p = 1e5 Pa and T = 300 K at r = 1 m; total pressure and temperature are uniform. The
 *   profile is given by radius, and by span with T0 left to the case.
 *
 *   largest |p / exact - 1|                  1e-3    measured: 2.4e-4 to 3.7e-4 (24 rows)
 *   largest |u_theta - exact| / 60 m/s       2e-2    measured: 6.8e-3 to 1.2e-2
 *   means over the cells of a sixtieth, 16 and 32 rows, from the exact flow on:
 *     p                                      1e-3    measured on 32 rows: 9.0e-5, order 1.9
 *     u_theta, over 60 m/s                   1e-3    measured: 7.8e-4, order 1.8
 *   pressure anchored at hub, mid-span or casing; the same bits on these ranks and on one alone
 *   taken from a uniform axial start: density residual down by 1e-4
 */
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

static const double inner = 0.5, outer = 1, g = 1.4, T1 = 300, p1 = 1e5, K = 60;
static const double cp = 1.4 / 0.4 * 287.05;

static void annulus_map(void *context, const double s[3], double x[3])
{
    const double angle = *(const double *)context * s[2];
    const double r = inner + (outer - inner) * s[1];
    vm_cylindrical(0.5 * s[0], r, angle, x);
}

static double pressure(double r)
{
    const double u = K / r;
    return p1 * pow((T1 - (u * u - K * K) / (2 * cp)) / T1, g / (g - 1));
}

struct errors {
    double p, u;           /* largest */
    double volume, mp, mu; /* sums over cells: volume, times errors */
};

static void add_error(void *context, int zone, const int cell[3], const double x[3],
                      const double q[5], double volume)
{
    (void)zone, (void)cell;
    struct errors *e = context;
    const double r = hypot(x[1], x[2]);
    const double p = fabs(q[4] / pressure(r) - 1);
    const double u = fabs((q[3] * x[1] - q[2] * x[2]) / r - K / r) / K;
    e->p = verify_worst(e->p, p);
    e->u = verify_worst(e->u, u);
    e->volume += volume;
    e->mp += volume * p;
    e->mu += volume * u;
}

static void vortex(void *context, const double x[3], double q[5])
{
    (void)context;
    const double r = hypot(x[1], x[2]), u = K / r;
    q[4] = pressure(r);
    q[0] = q[4] / (287.05 * (T1 - (u * u - K * K) / (2 * cp)));
    q[1] = 100;
    q[2] = -u * x[2] / r;
    q[3] = u * x[1] / r;
}

static void write_profiles(double p0, double T0)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *path[2] = {fixture_path("radius.csv"), fixture_path("span.csv")};
    for (int n = 0; n < 2 && rank == 0; n++) {
        FILE *f = fopen(path[n], "w");
        fprintf(f, "# free vortex\n%s\n",
                n ? "span, p0_Pa, swirl_deg" : "radius_m,swirl_deg,p0_Pa,T0_K");
        for (int l = 0; l <= 200; l++) {
            const double part = l / 200., r = inner + (outer - inner) * part;
            const double swirl = 180 / PI * atan(K / r / 100);
            if (n)
                fprintf(f, "%.9g, %.9g, %.9g\n", part, p0, swirl);
            else
                fprintf(f, "%.9g,%.9g,%.9g,%.9g\n", r, swirl, p0, T0);
        }
        fclose(f);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static const char *case_text(const char *profile, const char *anchor, double p, double T0)
{
    return verify_text("case: vortex\nprecision: double\ndevice: cpu\n"
                       "gas: {gamma: 1.4, R: 287.05}\nscheme: {flux: jst, boundary_order: 2}\n"
                       "march: {cfl: 2.5, smooth_start: 200, iterations: 100000}\n"
                       "initial: {p: 1e5, T: 300, mach: 0.3}\n"
                       "boundaries:\n"
                       "  inlet: {type: inlet_total, p0: 1e5, T0: %.17g, direction: [1, 0, 0], "
                       "profile: %s}\n"
                       "  outlet: {type: outlet_static, p: %.17g, radial_equilibrium: %s}\n",
                       T0, profile, p, anchor);
}

/* Second order: means over the cells on two meshes. */
static void orders(double T0)
{
    static const struct vm_segment ends[] =
        VM_SECTOR(AN_BC_INLET_TOTAL, "inlet", AN_BC_OUTLET_STATIC, "outlet");
    double angle = 2 * PI / 60, p[2], u[2];
    for (int fine = 0; fine < 2; fine++) {
        struct vm_box box = {.n = {16 << fine, 16 << fine, 2},
                             .turn = -1,
                             .map = annulus_map,
                             .context = &angle,
                             .angle = angle,
                             .nsegment = 6,
                             .segment = ends};
        struct errors e = {0};
        struct fixture f;
        const char *mesh = fixture_path(fine ? "fine.cgns" : "coarse.cgns");
        vm_write(mesh, &box);
        fixture_open(&f, fine ? "fine" : "coarse",
                     case_text("radius.csv", "hub", pressure(inner), T0), mesh);
        fixture_must(an_solver_fill(f.solver, vortex, NULL), "fill");
        fixture_steps(&f, fine ? 2400 : 1200);
        fixture_cells(&f, add_error, &e);
        double sum[3] = {e.volume, e.mp, e.mu};
        MPI_Allreduce(MPI_IN_PLACE, sum, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        p[fine] = sum[1] / sum[0];
        u[fine] = sum[2] / sum[0];
        fixture_close(&f);
    }
    verify_check("p / exact - 1, mean on 32 rows", p[1], 0, 2e-4);
    verify_check("u_theta, mean error on 32 rows", u[1], 0, 1e-3);
    verify_check("order of p", verify_order(p[0], p[1], 2), 1.7, 2.3);
    verify_check("order of u_theta", verify_order(u[0], u[1], 2), 1.7, 2.3);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    static const struct vm_segment ends[] =
        VM_SECTOR(AN_BC_INLET_TOTAL, "inlet", AN_BC_OUTLET_STATIC, "outlet");
    double angle = 2 * PI / 12;
    const struct vm_box box = {.n = {12, 24, 8},
                               .parts = {1, 1, 2},
                               .turn = 5,
                               .map = annulus_map,
                               .context = &angle,
                               .angle = angle,
                               .nsegment = 6,
                               .segment = ends};
    const char *mesh = fixture_path("vortex.cgns");
    vm_write(mesh, &box);
    const double T0 = T1 + (K * K + 100. * 100) / (2 * cp), p0 = p1 * pow(T0 / T1, g / (g - 1));
    write_profiles(p0, T0);
    static const struct {
        const char *profile, *anchor;
        double r;
    } way[3] = {{"radius.csv", "hub", 0.5}, {"span.csv", "mid", 0.75}, {"span.csv", "casing", 1}};
    for (int n = 0; n < 3; n++) {
        struct fixture f;
        struct errors e = {0};
        fixture_open(&f, verify_text("vortex%d", n),
                     case_text(way[n].profile, way[n].anchor, pressure(way[n].r), T0), mesh);
        fixture_must(an_solver_fill_initial(f.solver), "fill");
        const double drop = fixture_converge(&f, 1e-4, 4000);
        fixture_cells(&f, add_error, &e);
        double largest[2] = {e.p, e.u};
        MPI_Allreduce(MPI_IN_PLACE, largest, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        verify_note("%s, %s: %lld iterations", way[n].profile, way[n].anchor,
                    (long long)an_solver_iteration(f.solver));
        verify_check("drop of the residual", drop, 0, 1e-4);
        verify_check("p / exact - 1, largest", largest[0], 0, 1e-3);
        verify_check("u_theta, largest error", largest[1], 0, 2e-2);
        fixture_close(&f);
    }
    orders(T0);
    uint64_t hash[2];
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int alone = 0; alone < 2; alone++) {
        struct fixture f;
        fixture_open_on(&f, alone ? MPI_COMM_SELF : MPI_COMM_WORLD,
                        alone ? verify_text("alone%d", rank) : "together",
                        case_text("span.csv", "mid", pressure(0.75), T0), mesh);
        fixture_must(an_solver_fill_initial(f.solver), "fill");
        fixture_steps(&f, 35);
        hash[alone] = fixture_hash(&f);
        fixture_close(&f);
    }
    int differ = hash[0] != hash[1];
    MPI_Allreduce(MPI_IN_PLACE, &differ, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    verify_check("a state of other bits than on one rank", differ, 0, 0);
    return verify_end();
}

/* Monitors of rows on a flow that is known: a free vortex u_theta = K / r, u_x = 100 m/s, filled
 * into an annular duct whose zones turn, and looked at without a step. Both ends take the state of
 * the first cell.
 *
 *   r from 0.5 to 1 m; at r = 1 m: p = 1e5 Pa, T = 300 K; skewed mesh of two zones, a twelfth of
 *   the annulus; the row turns at -300 rad/s
 *
 *   mass flow of the annulus                2 pi int rho u_x r dr       0.2 % (chords for arcs)
 *   absolute and relative angle             of mass-averaged velocities 0.05 deg
 *   ratio of p0; of T0                      1                           1e-3; 1e-4
 *   power, torque, over m U^2, m r U        0                           1e-3
 *   in less out of mass, machine less row                               1e-3, 0
 *   stations: mass flow, angles and T0 as above; r u_theta of bands   0.5 %
 *   figures on these ranks and on each rank alone: the same bits
 *   stations with cp(T) of one coefficient in place of gamma          1e-12
 */
#include "solver/monitor/performance.h"
#include "solver/monitor/stations.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double inner = 0.5, outer = 1, g = 1.4, gas = 287.05, T1 = 300, p1 = 1e5, K = 60;
static const double cp = 1.4 / 0.4 * 287.05, omega = -300;

static void annulus_map(void *context, const double s[3], double x[3])
{
    const double angle = *(const double *)context * s[2] + 0.15 * s[1];
    const double r = inner + (outer - inner) * s[1];
    vm_cylindrical(0.25 * s[0] + 0.01 * sin(PI * s[0]) * sin(PI * s[1]) * sin(2 * PI * s[2]), r,
                   angle, x);
}

static void at_radius(double r, double q[5])
{
    const double u = K / r, T = T1 - (u * u - K * K) / (2 * cp), p = p1 * pow(T / T1, g / (g - 1));
    q[0] = p / (gas * T);
    q[1] = 100;
    q[2] = u;
    q[4] = p;
}

static void vortex(void *context, const double x[3], double q[5])
{
    (void)context;
    const double r = hypot(x[1], x[2]);
    at_radius(r, q);
    const double u = q[2];
    q[2] = -u * x[2] / r;
    q[3] = u * x[1] / r;
}

static const char *yaml_of(const char *gas_text)
{
    return verify_text("case: duct\nprecision: double\ndevice: cpu\n"
                       "gas: {%s, R: 287.05}\nscheme: {flux: jst}\n"
                       "initial: {p: 1e5, T: 300}\n"
                       "rows:\n  rotor: {zones: [\"zone*\"], omega: %g, blades: 12}\n"
                       "monitors: {stations: [0.11, 0.2], bands: 10}\n",
                       gas_text, omega);
}

static void look(struct fixture *f, MPI_Comm comm, const char *name, const char *yaml,
                 const char *mesh)
{
    struct an_measure m = {.integral = NULL};
    fixture_open_on(f, comm, name, yaml, mesh);
    fixture_must(an_solver_fill(f->solver, vortex, NULL), "fill");
    fixture_must(an_solver_measure(f->solver, &m), "measure");
    fixture_must(an_stations_measure(f->solver), "stations");
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    static const struct vm_segment ends[] =
        VM_SECTOR(AN_BC_OUTLET_SUPERSONIC, "front", AN_BC_OUTLET_SUPERSONIC, "back");
    double angle = 2 * PI / 12;
    const struct vm_box box = vm_sector((const int[3]){8, 40, 12}, annulus_map, &angle, ends);
    const char *mesh = fixture_path("duct.cgns");
    vm_write(mesh, &box);
    const char *yaml = yaml_of("gamma: 1.4");
    struct fixture f, alone;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    look(&f, MPI_COMM_WORLD, "duct", yaml, mesh);
    look(&alone, MPI_COMM_SELF, verify_text("duct%d", rank), yaml, mesh);
    double mass = 0, moment = 0, radius = 0;
    for (int n = 0; n < 20000; n++) {
        const double r = inner + (outer - inner) * (n + 0.5) / 20000;
        double q[5];
        at_radius(r, q);
        const double part = 2 * PI * r * q[0] * q[1] * (outer - inner) / 20000;
        mass += part;
        moment += part * q[2];
        radius += part * r;
    }
    const double vt = moment / mass, r = radius / mass, degrees = 180 / PI;
    const struct an_performance *p = an_performance_of(f.solver);
    verify_check("rows that are watched, with the machine", p->nrow + 1, 2, 2);
    const struct an_row_flow *row = &p->of[0];
    verify_check("sectors", row->sectors, 12, 12);
    verify_check("mass flow in over exact", row->mass_in / mass, 0.998, 1.002);
    verify_check("imbalance", fabs(row->value[AN_ROW_IMBALANCE]), 0, 1e-3);
    verify_check("ratio of p0", fabs(row->value[AN_ROW_P0_RATIO] - 1), 0, 1e-3);
    verify_check("ratio of T0", fabs(row->value[AN_ROW_T0_RATIO] - 1), 0, 1e-4);
    for (int out = 0; out < 2; out++) {
        const struct an_flow_average *a = out ? &row->out : &row->in;
        verify_check(out ? "absolute angle out" : "absolute angle in",
                     fabs(a->alpha - degrees * atan2(vt, 100)), 0, 0.05);
        verify_check(out ? "relative angle out" : "relative angle in",
                     fabs(a->beta - degrees * atan2(vt - omega * r, 100)), 0, 0.05);
        verify_check("T0", fabs(a->T0 / (T1 + (100. * 100 + K * K) / (2 * cp)) - 1), 0, 1e-4);
    }
    const double U = fabs(omega) * r;
    verify_check("power", fabs(row->power) / (mass * U * U), 0, 1e-3);
    verify_check("torque, Euler", fabs(row->torque_euler) / (mass * U * r), 0, 1e-3);
    verify_check("torque, walls", fabs(row->torque_walls) / (mass * U * r), 0, 1e-3);
    verify_check("machine less row", p->of[1].mass_in - row->mass_in, 0, 0);
    const struct an_stations *t = an_stations_of(f.solver);
    for (int n = 0; n < 2; n++) { /* cut from skewed cells, one station in each zone */
        const struct an_flow_average *all = &t->average[n * 11 + 10];
        verify_check("station: mass flow over exact", all->mass / mass, 0.998, 1.002);
        verify_check("station: T0", fabs(all->T0 / (T1 + (100. * 100 + K * K) / (2 * cp)) - 1), 0,
                     1e-4);
        verify_check("station: absolute angle", fabs(all->alpha - degrees * atan2(vt, 100)), 0,
                     0.05);
        verify_check("station: relative angle",
                     fabs(all->beta - degrees * atan2(vt - omega * r, 100)), 0, 0.05);
        double worst = 0, sum = 0;
        for (int band = 0; band < 10; band++) {
            const struct an_flow_average *a = &t->average[n * 11 + band];
            worst = verify_worst(worst, fabs(a->vt * a->r / K - 1));
            sum += a->mass;
        }
        verify_check("station: r u_theta of bands", worst, 0, 5e-3);
        verify_check("station: bands together", fabs(sum / all->mass - 1), 0, 1e-12);
    }
    const size_t bytes = 22 * sizeof *t->average;
    int differ = memcmp(t->average, an_stations_of(alone.solver)->average, bytes) != 0;
    MPI_Allreduce(MPI_IN_PLACE, &differ, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    verify_check("stations of other bits than on one rank", differ, 0, 0);
    differ =
        memcmp(row->value, an_performance_of(alone.solver)->of[0].value, sizeof row->value) != 0;
    MPI_Allreduce(MPI_IN_PLACE, &differ, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    verify_check("figures of other bits than on one rank", differ, 0, 0);
    fixture_close(&alone);
    struct fixture other;
    double most = 0;
    look(&other, MPI_COMM_WORLD, "constant", yaml_of(verify_text("cp: [%.17g]", cp)), mesh);
    for (int n = 0; n < 22; n++) {
        struct an_flow_average a = t->average[n], b = an_stations_of(other.solver)->average[n];
        a.s = b.s = 1; /* from another zero */
        const double *x = &a.mass, *y = &b.mass;
        for (size_t m = 0; m < sizeof a / sizeof *x; m++)
            if (!isnan(x[m]) || !isnan(y[m]))
                most = verify_worst(most, fabs(y[m] - x[m]) / fmax(fabs(x[m]), 1));
    }
    verify_check("stations: cp of one coefficient against gamma", most, 0, 1e-12);
    fixture_close(&other);
    fixture_close(&f);
    return verify_end();
}

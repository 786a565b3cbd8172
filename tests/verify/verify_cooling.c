/* Walls that gas comes out of and is sucked through, in a sector of an annulus that turns.
 *
 *   r from 0.5 to 1 m, 0.5 m long, a twelfth of the annulus at 200 rad/s, inviscid, skewed mesh of
 *   two zones; 0.9 kg/s of 350 K out of the hub at Mach 0.4, 0.6 kg/s through the casing
 *
 *   closed, at rest before, time-accurate: mass that came in less that asked for, over it 1e-11
 *                     energy likewise, m (cp T + V^2 / 2) of the jet                       1e-11
 *                     (normal, and with a direction and T0 of a supply at rest)
 *   through flow, converged: mass in + coolant - bleed - out, over in                  1e-9
 *                     energy likewise, of H of the cells beside the bleed              1e-9
 *                     the same with p0 of the coolant in place of its Mach number; T of the jet
 *                     over that of a lossless expansion to the wall's pressure         1e-9
 *                     power of the machine over m cp T0                                1e-9
 *   efficiency of a filled flow with work: the sum of lossless streams                  1e-12
 *   all figures of rows and machine with cp(T) of one coefficient in place of gamma     1e-12
 *   hot air with cp(T): through flow with p0 and efficiency as above, 900 K
 *   state on these ranks and on each rank alone, CPU and emulated engine: the same bits
 */
#include "solver/boundary/coolant.h"
#include "solver/monitor/performance.h"
#include "tests/support/solver_fixture.h"
#include "tests/verify/cooled_duct.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double g = 1.4, gas = 287.05, cp = 1.4 / 0.4 * 287.05, omega = 200;
static const double p1 = 1e5;
static double T1 = 300, warmer = 1;
static const char *gas_text = "gamma: 1.4";
static struct an_gas model; /* of that text */

enum which { GAMMA, ONE, HOT };
static void use_gas(enum which which)
{
    static const double air[] = {1054.7, -0.44247, 1.1363e-3, -7.9265e-7, 1.8548e-10};
    warmer = which == HOT ? 3 : 1;
    T1 = warmer * 300;
    gas_text = which == GAMMA ? "gamma: 1.4"
               : which == ONE ? verify_text("cp: [%.17g]", cp)
                              : "cp: [1054.7, -0.44247, 1.1363e-3, -7.9265e-7, 1.8548e-10], "
                                "T_range: [250, 1500]";
    model = an_gas_perfect(gas, g);
    if (which == HOT)
        fixture_must(an_gas_polynomial(gas, 5, air, 250, 1500, &model), "gas");
}

/* Work: total temperature and pressure rise along x. */
static void with_work(void *context, const double x[3], double q[5])
{
    (void)context;
    const double T = T1 + 60 * x[0];
    q[4] = p1 * (1 + x[0]);
    q[0] = q[4] / (gas * T);
    q[1] = 100;
    q[2] = q[3] = 0;
}

static const char *text(const char *device, const char *more, const char *hub, const char *casing,
                        const char *march)
{
    return verify_text(
        "case: cooling\nprecision: double\ndevice: %s\n"
        "gas: {%s, R: 287.05}\nscheme: {flux: roe, limiter: first_order}\nmarch: {%s}\n"
        "initial: {p: 1e5, T: %g, mach: 0.2}\n"
        "rows: {rotor: {zones: [\"zone*\"], omega: %g, blades: 12}}\n"
        "boundaries:\n%s  hub: {%s}\n  casing: {%s}\n",
        device, gas_text, march, T1, omega, more, hub, casing);
}

/* Fills a closed vessel through its hub; d: direction of the jets, NULL: normal. */
static void fill_vessel(const char *mesh, const char *direction, const double *d, int absolute)
{
    const char *walls = "  inlet: {type: wall_slip}\n  outlet: {type: wall_slip}\n";
    struct fixture f;
    double before[2], after[2];
    fixture_open(&f, verify_text("vessel%d", absolute),
                 text("cpu", walls,
                      verify_text("type: cooling, mass_flow: 0.9, T0: 350, mach: 0.4%s", direction),
                      "type: wall_slip", "mode: unsteady, cfl: 1.5, iterations: 1000"),
                 mesh);
    fixture_must(an_solver_fill(f.solver, cooled_duct_at_rest, (double[2]){p1, T1}), "fill");
    cooled_duct_contents(&f, before);
    fixture_steps(&f, 40);
    cooled_duct_contents(&f, after);
    const struct an_coolant_patch *q = &an_coolant_of(f.solver)->patch[0];
    const double mass = 0.9 / 12 * an_solver_time(f.solver);
    /* faces of the hub are chords of a regular polygon: centres at one radius */
    const double r = 0.5 * cos(PI / 96), U = omega * r, T0 = 350 + absolute * U * U / (2 * cp);
    const double T = T0 / (1 + 0.2 * 0.16), speed = 0.4 * sqrt(g * gas * T);
    double V2 = speed * speed + U * U;
    for (int n = 0; d && n < 8; n++) {
        const double at = (n + 0.5) * PI / 48,
                     length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        V2 += 2 * speed * U * (d[2] * cos(at) - d[1] * sin(at)) / length / 8;
    }
    verify_check("mass that came in less that asked for, over it",
                 fabs((after[0] - before[0]) / mass - 1), 0, 1e-11);
    verify_check("energy likewise, of the jet",
                 fabs((after[1] - before[1]) / (mass * q->now.h0) - 1), 0, 1e-11);
    verify_check("h0 of the jet", q->now.h0 / (cp * T + 0.5 * V2), 1 - 1e-6, 1 + 1e-6);
    fixture_close(&f);
}

static const char *const hub = "type: cooling, mass_flow: 0.9, T0: 350, mach: 0.4";
static const char *const casing = "type: bleed, mass_flow: 0.6";

static const char *ends(void)
{
    return verify_text("  inlet: {type: inlet_total, p0: 1.05e5, T0: %g, direction: [1, 0, 0]}\n"
                       "  outlet: {type: outlet_static, p: 1e5}\n",
                       T1);
}

static const char *hub_by_p0(double p0)
{
    return verify_text("type: cooling, mass_flow: 0.9, T0: %g, p0: %g", 350 * warmer, p0);
}

/* p0: Pa that the Mach number of the hub's jets follows from; 0: it is given. */
static void balance(const char *mesh, double p0)
{
    struct fixture f;
    const char *cooled = p0 > 0 ? hub_by_p0(p0) : hub;
    fixture_open(&f, p0 > 0 ? "follows" : "balance",
                 text("cpu", ends(), cooled, casing, "mode: steady, iterations: 1000"), mesh);
    fixture_must(an_solver_fill_initial(f.solver), "fill");
    verify_check("drop of the residual", fixture_converge(&f, 1e-11, 12000), 0, 1e-11);
    const struct an_topology *t = &f.mesh.topology;
    double(*sum)[AN_NINTEGRAL] = calloc((size_t)t->nboundary, sizeof *sum);
    struct an_measure m = {.integral = sum};
    fixture_must(an_solver_measure(f.solver, &m), "measure");
    const struct an_coolant *k = an_coolant_of(f.solver);
    double mass = 0, energy = 0, in = 0, in_energy = 0;
    for (int b = 0; b < t->nboundary; b++) {
        mass += sum[b][AN_I_MASS];
        energy += sum[b][AN_I_ENERGY];
        in += fmin(sum[b][AN_I_MASS], 0);
        in_energy += fmin(sum[b][AN_I_ENERGY], 0);
    }
    for (int n = 0; n < k->n; n++) {
        const double sign = k->patch[n].bleeds ? 1 : -1;
        mass += sign * k->patch[n].mass;
        energy += sign * k->patch[n].mass * k->patch[n].seen.h0;
    }
    verify_check("patches", k->n, 2, 2);
    const struct an_coolant_patch *q = &k->patch[k->patch[0].bleeds];
    const double *wall = sum[q->boundary], p = wall[AN_I_PA] / wall[AN_I_AREA];
    if (p0 > 0)
        verify_check("T of the jet over that of the expansion to the wall",
                     q->seen.T / an_gas_isentropic_T(&model, 350 * warmer, p / p0), 1 - 1e-9,
                     1 + 1e-9);
    verify_check("mass in + coolant - bleed - out, over in", fabs(mass / in), 0, 1e-9);
    verify_check("energy likewise", fabs(energy / in_energy), 0, 1e-9);
    const struct an_row_flow *all = &an_performance_of(f.solver)->of[1];
    verify_check("imbalance of the machine", fabs(all->value[AN_ROW_IMBALANCE]), 0, 1e-9);
    verify_check("its coolant", all->value[AN_ROW_COOLANT], 0.9 - 1e-12, 0.9 + 1e-12);
    verify_check("its bleed", all->value[AN_ROW_BLEED], 0.6 - 1e-12, 0.6 + 1e-12);
    verify_check("its power over m cp T0", fabs(all->power) / (all->mass_in * cp * T1), 0, 1e-9);
    free(sum);
    fixture_close(&f);
}

/* A flow that is filled in, looked at without a step. */
static void look_at_work(struct fixture *f, const char *name, const char *cooled, const char *mesh)
{
    struct an_measure m = {.integral = NULL};
    fixture_open(f, name, text("cpu", ends(), cooled, casing, "mode: steady, iterations: 1000"),
                 mesh);
    fixture_must(an_solver_fill(f->solver, with_work, NULL), "fill");
    fixture_must(an_solver_measure(f->solver, &m), "measure");
}

/* Enthalpy that a lossless change of pressure from T0 takes. */
static double ideal_of(double T0, double ratio)
{
    return an_gas_h(&model, an_gas_isentropic_T(&model, T0, ratio)) - an_gas_h(&model, T0);
}

static void efficiency(const char *mesh)
{
    struct fixture f;
    look_at_work(&f, "work", hub, mesh);
    const struct an_row_flow *r = &an_performance_of(f.solver)->of[0];
    const struct an_coolant_patch *q = an_coolant_of(f.solver)->patch;
    const double main_in = r->mass_in - 0.9, main_out = r->mass_out - 0.6;
    const struct an_coolant_patch *cool = &q[q[0].bleeds], *bleed = &q[!q[0].bleeds];
    const double h0 = an_gas_h(&model, r->out.T0); /* of what enters and does not leave, too */
    const double work = main_out * h0 - main_in * an_gas_h(&model, r->in.T0) +
                        0.6 * bleed->seen.h0 - 0.9 * cool->seen.h0 -
                        (r->mass_out - r->mass_in) * h0;
    const double ideal = (main_in - 0.6) * ideal_of(r->in.T0, r->out.p0 / r->in.p0) +
                         0.9 * ideal_of(cool->seen.T0, r->out.p0 / cool->seen.p0) +
                         0.6 * ideal_of(r->in.T0, bleed->seen.p0 / r->in.p0);
    verify_check("p0 of the coolant, Pa", cool->seen.p0, 1.0e5, 1.8e5);
    verify_check("power over its parts", r->power / work, 1 - 1e-12, 1 + 1e-12);
    verify_check("efficiency",
                 r->value[AN_ROW_EFFICIENCY] / (work > 0 ? ideal / work : work / ideal), 1 - 1e-11,
                 1 + 1e-11);
    fixture_close(&f);
}

/* Figures of a row and the machine, entropies of planes apart, which have another zero. */
enum { ROW_FIGURES = AN_NROW_VALUE + 2 * sizeof(struct an_flow_average) / sizeof(double) };
static void figures_of(const struct fixture *f, double v[2][ROW_FIGURES])
{
    for (int n = 0; n < 2; n++) {
        struct an_row_flow r = an_performance_of(f->solver)->of[n];
        r.in.s = r.out.s = 0;
        memcpy(v[n], r.value, sizeof r.value);
        memcpy(v[n] + AN_NROW_VALUE, &r.in, sizeof r.in);
        memcpy(v[n] + AN_NROW_VALUE + sizeof r.in / sizeof(double), &r.out, sizeof r.out);
    }
}

/* cp(T) of one coefficient is gamma. */
static void one_coefficient(const char *mesh)
{
    double v[2][2][ROW_FIGURES], most = 0, scale = 0;
    int count = 0;
    for (int which = GAMMA; which <= ONE; which++) {
        struct fixture f;
        use_gas((enum which)which);
        look_at_work(&f, verify_text("gas%d", which), hub_by_p0(1.2e5), mesh);
        figures_of(&f, v[which]);
        scale = fmax(scale, fabs(v[which][0][AN_ROW_POWER]));
        fixture_close(&f);
    }
    for (int n = 0; n < 2 * ROW_FIGURES; n++) {
        const int row = n / ROW_FIGURES, m = n % ROW_FIGURES;
        const double a = v[0][row][m], b = v[1][row][m];
        const int watts = m == AN_ROW_POWER || m == AN_ROW_POWER_WALLS;
        if (isnan(a) && isnan(b))
            continue;
        most = verify_worst(most, fabs(b - a) / (watts ? scale : fmax(fabs(a), 1)));
        most = isnan(a) != isnan(b) ? INFINITY : most;
        count++;
    }
    verify_check("figures that are compared", count, 80, 2 * ROW_FIGURES);
    verify_check("with one coefficient against gamma", most, 0, 1e-12);
    use_gas(GAMMA);
}

/* The same march on other ranks, and by the CUDA engine's code: hashes of the state. */
static uint64_t march(MPI_Comm comm, const char *name, const char *device, const char *mesh)
{
    struct fixture f;
    fixture_open_on(&f, comm, name,
                    text(device, ends(), hub, casing, "mode: steady, iterations: 1000"), mesh);
    fixture_must(an_solver_fill_initial(f.solver), "fill");
    fixture_steps(&f, 20);
    const uint64_t hash = fixture_hash(&f);
    fixture_close(&f);
    return hash;
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    char mesh[1024]; /* fixture_path has eight buffers */
    int rank;
    snprintf(mesh, sizeof mesh, "%s", fixture_path("duct.cgns"));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    cooled_duct_write(mesh, (const int[3]){16, 8, 8}, 0);
    use_gas(GAMMA);
    fill_vessel(mesh, "", NULL, 0);
    fill_vessel(mesh, ", direction: [3, 0.6, 0.4], frame: absolute", (const double[3]){3, 0.6, 0.4},
                1);
    balance(mesh, 0);
    balance(mesh, 1.2e5);
    efficiency(mesh);
    one_coefficient(mesh);
    use_gas(HOT);
    balance(mesh, 1.2e5);
    efficiency(mesh);
    use_gas(GAMMA);
    const uint64_t hash = march(MPI_COMM_WORLD, "together", "cpu", mesh);
    int differ = march(MPI_COMM_SELF, verify_text("alone%d", rank), "cpu", mesh) != hash;
    differ |= 2 * (march(MPI_COMM_WORLD, "emulated", "emulated", mesh) != hash);
    MPI_Allreduce(MPI_IN_PLACE, &differ, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
    verify_check("other bits than alone (1), than the emulated engine (2)", differ, 0, 0);
    return verify_end();
}

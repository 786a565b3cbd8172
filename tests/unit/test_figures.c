/* Figures of rows: three rows and the machine with known states at their boundaries, every column
 * against its formula at 1e-10.
 *
 *   vane (at rest, 36 passages) -> rotor (-500 rad/s, 46 passages, coolant and bleed) -> stator (at
 *   rest, 30 passages): a turbine stage and what follows it. The same states with the rotor's work
 *   reversed are a compressor, whose stator is the next row downstream.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "solver/boundary/coolant.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/monitor/performance_rows.h"

static const double R = 287, cp = 3.5 * 287, degrees = 57.295779513082321;

static struct an_gas model;
static struct an_case the_case;
static struct an_solver solver;
static struct an_coolant coolant;
static const struct an_component_type *const parts[] = {&an_coolant_component, NULL};

enum { NB = 6, NROWS = 3 };

/* What flows through one boundary: the state at radius r, through `area` of the meshed part. */
struct stream {
    double r, area, p, T, u[3]; /* m, m2, Pa, K, m/s: axial, radial, circumferential */
};

static struct stream in[NROWS], out[NROWS];
static const double omega[NROWS] = {0, -500, 0}, sectors[NROWS] = {36, 46, 30};

static double rho_of(const struct stream *q)
{
    return q->p / (R * q->T);
}

static double mass_of(const struct stream *q)
{
    return rho_of(q) * q->u[0] * q->area;
}

static double h0_of(const struct stream *q)
{
    return cp * q->T + 0.5 * (q->u[0] * q->u[0] + q->u[1] * q->u[1] + q->u[2] * q->u[2]);
}

static double p0_of(const struct stream *q)
{
    return q->p * pow(h0_of(q) / cp / q->T, 3.5);
}

/* In the frame of a row. */
static double T0_rel(const struct stream *q, double rate)
{
    const double w = q->u[2] - rate * q->r;
    return q->T + 0.5 * (q->u[0] * q->u[0] + q->u[1] * q->u[1] + w * w) / cp;
}

static double p0_rel(const struct stream *q, double rate)
{
    return q->p * pow(T0_rel(q, rate) / q->T, 3.5);
}

static double entropy(const struct stream *q)
{
    return cp * log(q->T) - R * log(q->p);
}

/* The axial velocity that gives an area the mass flow. */
static void with_mass(struct stream *q, double mass)
{
    q->u[0] = mass / (rho_of(q) * q->area);
}

/* Sums of one boundary, whose area looks along x (side 1) or against it. */
static void add(const struct stream *q, int side, double rate, double sum[AN_NFLOW])
{
    const struct an_flow_gas gas = {.of = &model, .p_ref = 9e4};
    const double m = side * mass_of(q), x[3] = {0.1 * side, q->r, 0};
    const double v[AN_NCOMP_PLANE] = {[AN_PLANE_RHO] = rho_of(q),
                                      [AN_PLANE_U] = q->u[0],
                                      [AN_PLANE_V] = q->u[1],
                                      [AN_PLANE_W] = q->u[2],
                                      [AN_PLANE_P] = q->p,
                                      [AN_PLANE_MASS] = m,
                                      [AN_PLANE_MX] = m * q->u[0] + (q->p - 9e4) * side * q->area,
                                      [AN_PLANE_MY] = m * q->u[1],
                                      [AN_PLANE_MZ] = m * q->u[2],
                                      [AN_PLANE_ENERGY] = m * h0_of(q),
                                      [AN_PLANE_SX] = side * q->area};
    struct an_xsum s[AN_NFLOW];
    memset(s, 0, sizeof s);
    an_flow_add(&gas, v, x, rate, s);
    for (int n = 0; n < AN_NFLOW; n++)
        sum[n] = an_xsum_value(s[n]);
    sum[AN_FLOW_MX] = m * q->area; /* places along x: the caller's, see place() */
}

static void near(const char *what, double is, double wanted)
{
    if (isnan(wanted) && isnan(is))
        return;
    if (!(fabs(is - wanted) <= 1e-10 * fmax(fabs(wanted), 1e-6)))
        fail_msg("%s: %.15g, wanted %.15g", what, is, wanted);
}

/* States of the three rows. way: -1 turbine, 1 compressor. */
static void make_states(int way)
{
    const double mass = 20;
    in[0] = (struct stream){0.40, 0.11 / 36, 3.0e5, 500, {0, 5, 10}};
    out[0] = (struct stream){0.41, 0.10 / 36, 2.4e5, 470, {0, -4, -way * -150}};
    in[1] = (struct stream){0.42, 0.10 / 46, 2.3e5, 468, {0, 3, -way * -140}};
    out[1] = (struct stream){0.45, 0.12 / 46, 1.7e5, 440, {0, 6, 60}};
    if (way > 0) /* work into the gas: it leaves hotter and turning with the rotor */
        out[1] = (struct stream){0.45, 0.08 / 46, 3.1e5, 520, {0, 6, -220}};
    in[2] = (struct stream){0.44, 0.12 / 30, 1.65e5, 438, {0, 2, 55}};
    if (way > 0)
        in[2] = (struct stream){0.44, 0.08 / 30, 3.0e5, 518, {0, 2, -210}};
    out[2] = (struct stream){0.43, 0.13 / 30, 1.7e5, 441, {0, 1, -5}};
    if (way > 0)
        out[2] = (struct stream){0.43, 0.08 / 30, 3.3e5, 531, {0, 1, -5}};
    for (int n = 0; n < NROWS; n++) {
        with_mass(&in[n], mass / sectors[n]);
        with_mass(&out[n], (mass + (n > 0 ? 0.5 : 0)) / sectors[n]);
    }
    with_mass(&in[2], 20.5 / sectors[2]);
}

static void set_up(struct an_performance *f, struct an_row_flow of[NROWS + 1])
{
    static const enum an_bc_type type[NB] = {AN_BC_INLET_TOTAL,  AN_BC_MIXING_PLANE,
                                             AN_BC_MIXING_PLANE, AN_BC_MIXING_PLANE,
                                             AN_BC_MIXING_PLANE, AN_BC_OUTLET_STATIC};
    static struct an_bc_value boundary[NB];
    static int row[NROWS] = {0, 1, 2};
    static double rates[NROWS] = {0, -500, 0};
    static struct an_mesh mesh;
    model = an_gas_perfect(R, 1.4);
    for (int b = 0; b < NB; b++)
        boundary[b].type = type[b];
    mesh.topology.nblock = NROWS;
    mesh.topology.nboundary = NB;
    memset(&solver, 0, sizeof solver);
    the_case.gas.model = model;
    solver.c = &the_case;
    solver.mesh = &mesh;
    solver.boundary = boundary;
    solver.omega = rates;
    solver.components = parts;
    solver.component[0] = &coolant;
    memset(f, 0, sizeof *f);
    memset(of, 0, (NROWS + 1) * sizeof *of);
    f->gas = (struct an_flow_gas){.of = &model, .p_ref = 9e4};
    f->nrow = NROWS;
    f->row = row;
    f->of = of;
    for (int n = 0; n < NROWS; n++) {
        of[n].omega = omega[n];
        of[n].sectors = sectors[n];
    }
    of[NROWS].sectors = 46;
}

static struct an_coolant_patch patch[2];

/* Coolant of 0.8 kg/s into the rotor, bleed of 0.3 kg/s out of it. */
static void cool(int some)
{
    coolant = (struct an_coolant){.n = some ? 2 : 0, .patch = patch};
    patch[0] = (struct an_coolant_patch){.zone = 1, .sectors = 46};
    patch[0].seen = (struct an_coolant_means){
        .h0 = 3.6e5, .T0 = 3.6e5 / cp, .p0 = 2.6e5, .moment = -55, .mass = 0.8 / 46};
    patch[1] = (struct an_coolant_patch){.zone = 1, .sectors = 46, .bleeds = 1};
    patch[1].seen =
        (struct an_coolant_means){.h0 = 4.9e5, .T0 = 4.9e5 / cp, .p0 = 2.1e5, .mass = 0.3 / 46};
}

static const double torque_of[NROWS] = {11, -7, 3}; /* of walls, of one passage */

static void measure(struct an_performance *f, int way, int cooled)
{
    static double flow[(NROWS + 1) * NB][AN_NFLOW], work[NROWS + 1][AN_NWORK];
    memset(flow, 0, sizeof flow);
    memset(work, 0, sizeof work);
    make_states(way);
    cool(cooled);
    for (int n = 0; n < NROWS; n++) {
        double *i = flow[n * NB + 2 * n], *o = flow[n * NB + 2 * n + 1];
        add(&in[n], -1, omega[n], i);
        add(&out[n], 1, omega[n], o);
        i[AN_FLOW_MX] = i[AN_FLOW_MASS] * (0.1 * n);
        o[AN_FLOW_MX] = o[AN_FLOW_MASS] * (0.1 * n + 0.08);
        work[n][AN_WORK_TORQUE] = torque_of[n];
        work[n][AN_WORK_POWER] = torque_of[n] * omega[n];
    }
    for (int n = 0; n <= NROWS; n++)
        an_performance_row(&solver, f, n, NB, flow, work);
    an_performance_reactions(f);
}

static double ideal_work(double T0, double ratio)
{
    return cp * T0 * (pow(ratio, 1 / 3.5) - 1);
}

/* Every column but the reaction of one row, or of the machine from the first to the last state. What does
 * not turn has no efficiency. */
static void check(const struct an_row_flow *r, const struct stream *a, const struct stream *b,
                  double na, double nb, double rate, double torque, double power_walls, int turns,
                  int cooled)
{
    const double *v = r->value, ma = na * mass_of(a), mb = nb * mass_of(b);
    const double c = cooled ? 0.8 : 0, bleed = cooled ? 0.3 : 0, ratio = p0_of(b) / p0_of(a);
    const double tau = h0_of(b) / h0_of(a),
                 /* what enters and does not leave has the h0 of what leaves */
        stored = ma + c - mb - bleed,
                 power = (mb + stored) * h0_of(b) - ma * h0_of(a) +
                         (cooled ? 0.3 * 4.9e5 - 0.8 * 3.6e5 : 0);
    near("mass in", v[AN_ROW_MASS_IN], ma + c);
    near("mass out", v[AN_ROW_MASS_OUT], mb + bleed);
    near("imbalance", v[AN_ROW_IMBALANCE], (ma + c - mb - bleed) / (ma + c));
    near("ratio of p0", v[AN_ROW_P0_RATIO], ratio);
    near("ratio of T0", v[AN_ROW_T0_RATIO], tau);
    near("power", v[AN_ROW_POWER], power);
    near("power of walls", v[AN_ROW_POWER_WALLS], power_walls);
    near("torque of walls", v[AN_ROW_TORQUE_WALLS], torque);
    near("torque, Euler", v[AN_ROW_TORQUE_EULER],
         mb * b->r * b->u[2] - ma * a->r * a->u[2] + (cooled ? 0.8 * 55 : 0));
    near("alpha in", v[AN_ROW_ALPHA_IN], degrees * atan2(a->u[2], hypot(a->u[0], a->u[1])));
    near("alpha out", v[AN_ROW_ALPHA_OUT], degrees * atan2(b->u[2], hypot(b->u[0], b->u[1])));
    near("beta in", v[AN_ROW_BETA_IN],
         degrees * atan2(a->u[2] - rate * a->r, hypot(a->u[0], a->u[1])));
    near("beta out", v[AN_ROW_BETA_OUT],
         degrees * atan2(b->u[2] - rate * b->r, hypot(b->u[0], b->u[1])));
    near("entropy", v[AN_ROW_ENTROPY], entropy(b) - entropy(a));
    near("coolant", v[AN_ROW_COOLANT], c);
    near("bleed", v[AN_ROW_BLEED], bleed);
    near("corrected mass flow", v[AN_ROW_MASS_CORRECTED],
         ma * sqrt(h0_of(a) / cp / 288.15) / (p0_of(a) / 101325));
    double efficiency = NAN, polytropic = NAN;
    if (cooled) {
        const double w = 0.8 * ideal_work(3.6e5 / cp, p0_of(b) / 2.6e5) +
                         0.3 * ideal_work(h0_of(a) / cp, 2.1e5 / p0_of(a)) +
                         (ma - 0.3) * ideal_work(h0_of(a) / cp, ratio);
        efficiency = power > 0 ? w / power : power / w;
    } else if (turns && fabs(tau - 1) > 1e-3) {
        const double w = (pow(ratio, 1 / 3.5) - 1) / (tau - 1), q = log(ratio) / 3.5 / log(tau);
        efficiency = tau > 1 ? w : 1 / w;
        polytropic = tau > 1 ? q : 1 / q;
    }
    near("efficiency", v[AN_ROW_EFFICIENCY], efficiency);
    near("polytropic efficiency", v[AN_ROW_POLYTROPIC], polytropic);
}

/* What the machine lacks: quantities in the frame of one row. */
static void check_frame(const struct an_row_flow *r, const struct stream *a, const struct stream *b,
                        double rate)
{
    const double *v = r->value;
    const struct stream *q[2] = {a, b};
    for (int n = 0; n < 2; n++) {
        const double w = q[n]->u[2] - rate * q[n]->r;
        near(n ? "relative Mach number out" : "relative Mach number in",
             v[n ? AN_ROW_MACH_OUT : AN_ROW_MACH_IN],
             sqrt((q[n]->u[0] * q[n]->u[0] + q[n]->u[1] * q[n]->u[1] + w * w) /
                  (1.4 * R * q[n]->T)));
    }
    const double ideal = p0_rel(a, rate) * pow(T0_rel(b, rate) / T0_rel(a, rate), 3.5);
    const double most = fmax(p0_rel(a, rate) - a->p, p0_rel(b, rate) - b->p);
    near("loss", v[AN_ROW_LOSS], (ideal - p0_rel(b, rate)) / most);
}

static void test_columns(void **state)
{
    (void)state;
    struct an_performance f;
    struct an_row_flow of[NROWS + 1];
    for (int way = -1; way < 2; way += 2)
        for (int cooled = 0; cooled < 2; cooled++) {
            set_up(&f, of);
            measure(&f, way, cooled);
            double torque = 0, power = 0;
            for (int n = 0; n < NROWS; n++) {
                const double t = sectors[n] * torque_of[n];
                check(&of[n], &in[n], &out[n], sectors[n], sectors[n], omega[n], t, t * omega[n],
                      n == 1, cooled && n == 1);
                check_frame(&of[n], &in[n], &out[n], omega[n]);
                torque += t;
                power += t * omega[n];
            }
            check(&of[NROWS], &in[0], &out[2], sectors[0], sectors[2], 0, torque, power, 1, cooled);
        }
}

/* The vane before a turbine's rotor, the stator behind a compressor's; rows at rest have none. */
static void test_reaction(void **state)
{
    (void)state;
    struct an_performance f;
    struct an_row_flow of[NROWS + 1];
    for (int way = -1; way < 2; way += 2) {
        set_up(&f, of);
        measure(&f, way, 0);
        const int stator = way < 0 ? 0 : 2;
        const double mine = out[1].T - in[1].T, other = out[stator].T - in[stator].T;
        assert_true(way * of[1].power > 0);
        near("reaction", of[1].value[AN_ROW_REACTION], mine / (mine + other));
        near("reaction", of[0].value[AN_ROW_REACTION], NAN);
        near("reaction", of[2].value[AN_ROW_REACTION], NAN);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_columns),
                                       cmocka_unit_test(test_reaction)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

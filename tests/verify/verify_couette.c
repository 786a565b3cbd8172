/* Couette flows: plane with heat, and between cylinders. Constant viscosity, so the profiles do not
 * depend on the density.
 *
 *   plane, walls h = 1 mm apart, the upper one moves with U = 100 m/s; 8 x 24 cells, one layer,
 *   columns lean by 17 degrees and wave, rows stretched:
 *     u = U y / h,   T = T0 + (T1 - T0) y / h + Pr U^2 / (2 cp) (y / h) (1 - y / h)
 *     lower wall with heat flux q in place of T0 (also q = 0, adiabatic):
 *     T = T1 + q (h - y) / k + mu U^2 / (2 h^2 k) (h^2 - y^2)
 *   One flow goes along the stages of Runge and Kutta, the others along implicit lines, which need a fortieth of the steps.
 *   cylinders a = 1 m, turning with 150 rad/s, and b = 2 m, at rest; a sector of 1/48, rotational
 *   periodicity:
 *     u_theta = A r + B / r,   T = D + C ln r - mu B^2 / (k r^2)
 *
 *                                                        limit   measured: plane    cylinders
 *   largest error of u over the moving wall's              1e-3   1.6e-4 .. 6.7e-4     6.3e-4
 *   largest error of T over the range of temperatures      1e-3   1.1e-4 .. 5.0e-4     7.9e-4
 *   friction, heat; power and heat at the inner cylinder   1e-3   1e-4                 6e-4
 *   momentum and energy of both walls together             1e-5   1.6e-6               1.6e-7
 *   mass through walls                                    1e-14   4e-22                3e-18
 */
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double gas = 287.05, Pr = 0.72, cp = 1.4 / 0.4 * 287.05;

struct profile {
    double mu, U, h, T0, T1, q;     /* plane */
    double a, b, omega, A, B, C, D; /* cylinders; a > 0 */
    int heat;
    double error_u, error_t;
};

static void exact(const struct profile *t, double y, double *u, double *T)
{
    const double k = t->mu * cp / Pr;
    if (t->a > 0) {
        *u = t->A * y + t->B / y;
        *T = t->D + t->C * log(y) - t->mu * t->B * t->B / (k * y * y);
        return;
    }
    const double s = y / t->h;
    *u = t->U * s;
    *T = t->heat ? t->T1 + t->q * (t->h - y) / k + t->mu * t->U * t->U / (2 * k) * (1 - s * s)
                 : t->T0 + (t->T1 - t->T0) * s + Pr * t->U * t->U / (2 * cp) * s * (1 - s);
}

static double place(const struct profile *t, const double x[3])
{
    return t->a > 0 ? hypot(x[1], x[2]) : x[1];
}

static void start(void *context, const double x[3], double q[5])
{
    const struct profile *t = context;
    const double y = place(t, x);
    double u, T;
    exact(t, y, &u, &T);
    memset(q, 0, 5 * sizeof *q);
    q[4] = 1e5;
    if (t->a > 0) { /* near the end: cylinders take long */
        q[2] = -u * x[2] / y;
        q[3] = u * x[1] / y;
        q[0] = q[4] / (gas * T);
    } else {
        q[0] = q[4] / (gas * t->T1); /* at rest */
    }
}

static void visit(void *context, int zone, const int cell[3], const double x[3], const double q[5],
                  double volume)
{
    (void)zone, (void)cell, (void)volume;
    struct profile *t = context;
    double u, T, y = place(t, x);
    exact(t, y, &u, &T);
    const double here = t->a > 0 ? (q[3] * x[1] - q[2] * x[2]) / y : q[1];
    const double top = t->a > 0 ? t->omega * t->a : t->U;
    const double range =
        fabs(t->T1 - t->T0) + t->q * t->h / (t->mu * cp / Pr) + top * top / (2 * cp);
    t->error_u = verify_worst(t->error_u, fabs(here - u) / top);
    t->error_t = verify_worst(t->error_t, fabs(q[4] / (q[0] * gas) - T) / range);
}

static void plane_map(void *context, const double s[3], double x[3])
{
    const struct profile *t = context;
    const double e = s[1] + 0.08 * sin(2 * PI * s[1]);
    x[0] = t->h * (0.5 * s[0] + 0.3 * s[1] + 0.01 * sin(2 * PI * (s[0] + s[1])));
    x[1] = t->h * (e + 0.005 * sin(2 * PI * s[0]) * sin(PI * s[1]));
    x[2] = 0.1 * t->h * s[2];
}

static void ring_map(void *context, const double s[3], double x[3])
{
    const struct profile *t = context;
    const double r = t->a * pow(t->b / t->a, s[1]), angle = 2 * PI / 48 * s[2] + 0.1 * s[1];
    vm_cylindrical(0.1 * s[0], r, angle, x);
}

static struct an_measure measure(struct fixture *f, double (*integral)[AN_NINTEGRAL])
{
    struct an_measure m = {.integral = integral};
    fixture_must(an_solver_measure(f->solver, &m), "measure");
    return m;
}

/* Until the residual of the energy has fallen by `drop`. */
static void converge(struct fixture *f, double drop, int most)
{
    const double first = measure(f, NULL).residual[4];
    double now = first;
    for (int n = 0; n < most && now > drop * first; n += 50) {
        fixture_steps(f, 50);
        now = measure(f, NULL).residual[4];
    }
    verify_note("residual down to %.1e in %lld steps", now / first,
                (long long)an_solver_iteration(f->solver));
}

/* heat: 0 temperature T0 below, 1 heat flux q. march: keys of the march */
static void plane(const char *flux, int heat, double q, const char *march)
{
    struct profile t = {
        .mu = 0.02, .U = 100, .h = 1e-3, .T0 = 300, .T1 = 310, .heat = heat, .q = q};
    const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .kind = VM_TRANSLATE},
        {.dir = 0, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_VISCOUS, .name = "below"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_VISCOUS, .name = "over"},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "side"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "side"}};
    const struct vm_box box = {.n = {8, 24, 1},
                               .parts = {2, 1, 1},
                               .turn = -1,
                               .map = plane_map,
                               .context = &t,
                               .translation = {{0.5e-3, 0, 0}},
                               .nsegment = 6,
                               .segment = ends};
    const char *mesh = fixture_path("couette.cgns");
    const char *below = heat == 0 ? "T: 300" : verify_text("heat_flux: %g", q);
    char what[80];
    snprintf(what, sizeof what, "plane, %s, %s", flux, below);
    struct fixture f;
    vm_write(mesh, &box);
    fixture_open(&f, "couette",
                 verify_text("case: couette\nscheme: {flux: %s, k4: 0.004}\n"
                             "gas: {viscosity: constant, mu: %g}\n"
                             "march: {%s}\n"
                             "initial: {p: 1e5, T: 310}\nboundaries:\n"
                             "  below: {type: wall_viscous, %s}\n"
                             "  over: {type: wall_viscous, T: 310, velocity: [100, 0, 0]}\n",
                             flux, t.mu, march, below),
                 mesh);
    fixture_must(an_solver_fill(f.solver, start, &t), "fill");
    converge(&f, 1e-9, 12000);
    fixture_cells(&f, visit, &t);
    const struct an_topology *top = &f.mesh.topology;
    double wall[3][AN_NINTEGRAL];
    measure(&f, wall);
    const int lo = an_boundary_find(top, "below"), hi = an_boundary_find(top, "over");
    const double area = 0.5e-3 * 0.1e-3, tau = t.mu * t.U / t.h;
    const double k = t.mu * cp / Pr;
    const double heat_lo = heat ? q : k * ((t.T0 - t.T1) / t.h - Pr * t.U * t.U / (2 * cp * t.h));
    verify_check(verify_text("%s: u", what), t.error_u, 0, 1e-3);
    verify_check(verify_text("%s: T", what), t.error_t, 0, 1e-3);
    verify_check(verify_text("%s: friction below", what), wall[lo][AN_I_VX] / (tau * area), 0.999,
                 1.001);
    verify_check(verify_text("%s: heat into the gas below", what),
                 (-wall[lo][AN_I_ENERGY] / area - heat_lo) / (tau * t.U), -1e-3, 1e-3);
    verify_check(verify_text("%s: momentum of both walls", what),
                 (wall[lo][AN_I_MX] + wall[hi][AN_I_MX]) / (tau * area), -1e-5, 1e-5);
    verify_check(verify_text("%s: energy of both walls", what),
                 (wall[lo][AN_I_ENERGY] + wall[hi][AN_I_ENERGY]) / (tau * area * t.U), -1e-5, 1e-5);
    verify_check(verify_text("%s: mass through walls", what),
                 (fabs(wall[lo][AN_I_MASS]) + fabs(wall[hi][AN_I_MASS])) / (1.1 * t.U * area), 0,
                 1e-14);
    fixture_close(&f);
}

static void cylinders(const char *flux, const char *march)
{
    struct profile t = {.mu = 4, .a = 1, .b = 2, .omega = 150, .T0 = 300, .T1 = 320};
    const double k = t.mu * cp / Pr, a2 = t.a * t.a, b2 = t.b * t.b;
    t.A = -t.omega * a2 / (b2 - a2);
    t.B = t.omega * a2 * b2 / (b2 - a2);
    const double m = t.mu * t.B * t.B / k;
    t.C = (t.T1 - t.T0 + m / b2 - m / a2) / log(t.b / t.a);
    t.D = t.T0 + m / a2 - t.C * log(t.a);
    const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .type = AN_BC_SYMMETRY, .name = "side"},
        {.dir = 0, .side = 1, .type = AN_BC_SYMMETRY, .name = "side"},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_VISCOUS, .name = "hub"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_VISCOUS, .name = "casing"},
        {.dir = 2, .side = 0, .kind = VM_ROTATE},
        {.dir = 2, .side = 1, .kind = VM_ROTATE}};
    const struct vm_box box = {.n = {1, 24, 4},
                               .parts = {1, 1, 2},
                               .turn = 5,
                               .map = ring_map,
                               .context = &t,
                               .angle = 2 * PI / 48,
                               .nsegment = 6,
                               .segment = ends};
    const char *mesh = fixture_path("cylinders.cgns");
    struct fixture f;
    vm_write(mesh, &box);
    fixture_open(&f, "cylinders",
                 verify_text("case: cylinders\nscheme: {flux: %s, k4: 0.004}\n"
                             "gas: {viscosity: constant, mu: %g}\n"
                             "march: {%s}\n"
                             "initial: {p: 1e5, T: 310}\nboundaries:\n"
                             "  hub: {type: wall_viscous, T: 300, omega: 150}\n"
                             "  casing: {type: wall_viscous, T: 320}\n",
                             flux, t.mu, march),
                 mesh);
    fixture_must(an_solver_fill(f.solver, start, &t), "fill");
    converge(&f, 1e-6, 12000);
    fixture_cells(&f, visit, &t);
    const struct an_topology *top = &f.mesh.topology;
    double wall[3][AN_NINTEGRAL];
    measure(&f, wall);
    const int hub = an_boundary_find(top, "hub"), casing = an_boundary_find(top, "casing");
    /* power of the turning wall, all of it friction: moment times omega; heat comes on top */
    const double moment = 2 * t.mu * t.B / a2 * a2 * (2 * PI / 48) * 0.1;
    const double heat = k * (t.C + 2 * m / a2) * (2 * PI / 48) * 0.1; /* out of the gas at a */
    verify_check(verify_text("cylinders, %s: u", flux), t.error_u, 0, 1e-3);
    verify_check(verify_text("cylinders, %s: T", flux), t.error_t, 0, 1e-3);
    verify_check(verify_text("cylinders, %s: power and heat at the inner one", flux),
                 wall[hub][AN_I_ENERGY] / (heat - moment * t.omega), 0.999, 1.001);
    verify_check(verify_text("cylinders, %s: energy of both", flux),
                 (wall[hub][AN_I_ENERGY] + wall[casing][AN_I_ENERGY]) / (moment * t.omega), -1e-4,
                 1e-4);
    verify_check(verify_text("cylinders, %s: mass through walls", flux),
                 (fabs(wall[hub][AN_I_MASS]) + fabs(wall[casing][AN_I_MASS])) / 4, 0, 1e-14);
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    static const char *const stages = "method: runge_kutta, cfl: 2.5",
                             *const lines = "method: implicit, cfl: 50, residual_smoothing: none";
    plane("jst", 0, 0, stages);
    plane("roe", 0, 0, lines);
    plane("jst", 1, 2e6, lines);
    plane("jst", 1, 0, lines);
    cylinders("jst", lines);
    cylinders("roe", lines);
    return verify_end();
}

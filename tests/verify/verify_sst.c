/* k-omega SST in turbulent plane Couette flow against a one-dimensional solution that the test computes
 * itself.
 *
 *   Walls h = 20 mm apart, the lower one at rest, the upper one moves with U = 50 m/s; 1.16 kg/m3, Mach
 *   number 0.14, U h / nu = 4e4, periodic along the flow: 2 x 160 cells, first cell y+ = 0.28, ratio 1.06.
 *
 *   One dimension: constant density, half of the channel, 320 cells of ratio 1.02,
 *     d/dy ((nu + nut) du/dy) = 0
 *     d/dy ((nu + sk nut) dk/dy) + P - b* k omega = 0,            P = nut S^2, limited
 *     d/dy ((nu + so nut) domega/dy) + gamma P / nut - b omega^2 + cross diffusion = 0
 *   with the coefficients, F1 and F2 of Menter, Kuntz and Langtry (2003), u = k = 0 on the wall, where
 *   omega = 6 nu / (b1 y^2) in the cells below y+ = 2, and symmetry at the middle.
 *
 *                                                          limit    measured
 *   friction of both walls over that of one dimension - 1   1e-2     -9.6e-3 at most
 *   u - u of one dimension, over U                          5e-3     8.5e-4
 */
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 160, CELLS = 320 };
static const double h = 0.02, U = 50, nu = 2.5e-5, gas = 287.05, p = 1e5, T = 300;

/* ---- one dimension ---- */

struct channel {
    double y[CELLS], size[CELLS]; /* middles and sizes of the cells of the lower half */
    double u[CELLS], k[CELLS], omega[CELLS], nut[CELLS], f1[CELLS];
    double u_tau;
};

static double blend(double f1, double a, double b)
{
    return f1 * a + (1 - f1) * b;
}

/* phi of d/dy (gamma dphi/dy) - sink phi + source = 0; wall: phi there, beyond: no gradient. */
static void diffuse(const struct channel *c, const double *gamma, double gamma_wall, double wall,
                    const double *sink, const double *source, double *phi)
{
    double upper[CELLS], right[CELLS];
    for (int i = 0; i < CELLS; i++) {
        const double low =
            i ? 0.5 * (gamma[i] + gamma[i - 1]) / (c->y[i] - c->y[i - 1]) : gamma_wall / c->y[0];
        const double high =
            i + 1 < CELLS ? 0.5 * (gamma[i] + gamma[i + 1]) / (c->y[i + 1] - c->y[i]) : 0;
        const double before = i ? upper[i - 1] : 0, known = i ? right[i - 1] : wall;
        const double pivot = low + high + sink[i] * c->size[i] - (i ? low * before : 0);
        upper[i] = high / pivot;
        right[i] = (source[i] * c->size[i] + low * known) / pivot;
    }
    phi[CELLS - 1] = right[CELLS - 1];
    for (int i = CELLS - 2; i >= 0; i--)
        phi[i] = right[i] + upper[i] * phi[i + 1];
}

/* The slope of phi at the middle of cell i. */
static double slope(const struct channel *c, const double *phi, double wall, int i)
{
    const double below = i ? phi[i - 1] : wall, y0 = i ? c->y[i - 1] : 0;
    if (i + 1 == CELLS)
        return 0;
    return (phi[i + 1] - below) / (c->y[i + 1] - y0);
}

/* u and the friction from nut: the stress is constant. */
static void momentum(struct channel *c)
{
    double through = 0;
    for (int i = 0; i < CELLS; i++)
        through += c->size[i] / (nu + c->nut[i]);
    const double stress = 0.5 * U / through;
    double u = 0;
    for (int i = 0; i < CELLS; i++) {
        const double step = stress * c->size[i] / (nu + c->nut[i]);
        c->u[i] = u + 0.5 * step;
        u += step;
    }
    c->u_tau = sqrt(stress);
}

/* One step of k and omega, a part of the way. Returns the largest relative change of nut / (nu + nut). */
static double step(struct channel *c, double part)
{
    double gk[CELLS], go[CELLS], sk[CELLS], so[CELLS], pk[CELLS], po[CELLS], k[CELLS], omega[CELLS];
    double most = 0;
    for (int i = 0; i < CELLS; i++) {
        const double d = c->y[i], S = c->u_tau * c->u_tau / (nu + c->nut[i]);
        const double cross = slope(c, c->k, 0, i) * slope(c, c->omega, 10 * c->omega[0], i);
        const double cd = fmax(2 * 0.856 / c->omega[i] * cross, 1e-10);
        const double viscous = 500 * nu / (d * d * c->omega[i]);
        const double outer = sqrt(c->k[i]) / (0.09 * c->omega[i] * d);
        const double a1 = fmin(fmax(outer, viscous), 4 * 0.856 * c->k[i] / (cd * d * d));
        const double f1 = tanh(pow(fmin(a1, 10), 4)), a2 = fmin(fmax(2 * outer, viscous), 10);
        const double rate = fmax(c->omega[i], S * tanh(a2 * a2) / 0.31);
        const double square = fmin(S * S, 10 * 0.09 * c->omega[i] * rate);
        const double more = 2 * (1 - f1) * 0.856 / c->omega[i] * cross;
        const double beta = blend(f1, 0.075, 0.0828), nut = c->k[i] / rate;
        most = verify_worst(most, fabs(nut - c->nut[i]) / (nu + nut));
        c->nut[i] += part * (nut - c->nut[i]);
        c->f1[i] = f1;
        gk[i] = nu + blend(f1, 0.85, 1) * c->nut[i];
        go[i] = nu + blend(f1, 0.5, 0.856) * c->nut[i];
        pk[i] = nut * square;
        sk[i] = 0.09 * c->omega[i];
        po[i] = blend(f1, 5. / 9, 0.44) * square + beta * c->omega[i] * c->omega[i] + fmax(more, 0);
        so[i] = 2 * beta * c->omega[i] + fmax(-more, 0) / c->omega[i];
        if (d * c->u_tau < 2 * nu) {
            const double exact = 6 * nu / (0.075 * d * d), fixed = 1e12;
            po[i] = fixed * exact;
            so[i] = fixed;
        }
    }
    diffuse(c, gk, nu, 0, sk, pk, k);
    diffuse(c, go, nu, 0, so, po, omega);
    for (int i = 0; i < CELLS; i++) {
        c->k[i] += part * (fmax(k[i], 1e-12) - c->k[i]);
        c->omega[i] += part * (fmax(omega[i], 1) - c->omega[i]);
    }
    momentum(c);
    return most;
}

static void solve(struct channel *c)
{
    const double ratio = 1.02, first = 0.5 * h * (ratio - 1) / (pow(ratio, CELLS) - 1);
    double y = 0;
    for (int i = 0; i < CELLS; i++) {
        c->size[i] = first * pow(ratio, i);
        c->y[i] = y + 0.5 * c->size[i];
        y += c->size[i];
        c->k[i] = 5;
        c->nut[i] = 0.07 * c->y[i];
        c->omega[i] = 6 * nu / (0.075 * c->y[i] * c->y[i]) + c->k[i] / c->nut[i];
    }
    momentum(c);
    int n = 0;
    double change = 1;
    for (; n < 20000 && change > 1e-7; n++)
        change = step(c, 0.3);
    verify_note("one dimension: u_tau %.5g m/s, h+ %.4g, first cell y+ %.2g, %d steps, change %.1e",
                c->u_tau, c->u_tau * h / nu, c->y[0] * c->u_tau / nu, n, change);
    verify_check("one dimension: last change", change, 0, 1e-7);
}

static double u_at(const struct channel *c, double y)
{
    if (y > 0.5 * h)
        return U - u_at(c, h - y);
    if (y <= c->y[0])
        return c->u[0] * y / c->y[0];
    int i = 1;
    while (i < CELLS - 1 && c->y[i] < y)
        i++;
    const double part = (y - c->y[i - 1]) / (c->y[i] - c->y[i - 1]);
    return c->u[i - 1] + part * (c->u[i] - c->u[i - 1]);
}

/* ---- the program ---- */

struct compared {
    const struct channel *c;
    double error;
};

static void start(void *context, const double x[3], double q[5])
{
    q[0] = p / (gas * T);
    q[1] = u_at(context, x[1]);
    q[2] = q[3] = 0;
    q[4] = p;
}

static void visit(void *context, int zone, const int cell[3], const double x[3], const double q[5],
                  double volume)
{
    (void)zone, (void)cell, (void)volume;
    struct compared *t = context;
    t->error = verify_worst(t->error, fabs(q[1] - u_at(t->c, x[1])) / U);
}

/* Rows that grow by a ratio from both walls to the middle. */
static void map(void *context, const double s[3], double x[3])
{
    (void)context;
    const double ratio = 1.06, half = s[1] < 0.5 ? s[1] : 1 - s[1];
    const double part = 0.5 * (pow(ratio, ROWS * half) - 1) / (pow(ratio, 0.5 * ROWS) - 1);
    x[0] = 0.5 * h * s[0];
    x[1] = h * (s[1] < 0.5 ? part : 1 - part);
    x[2] = 0.1 * h * s[2];
}

int main(int argc, char **argv)
{
    static const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .kind = VM_TRANSLATE},
        {.dir = 0, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_VISCOUS, .name = "below"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_VISCOUS, .name = "over"},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "side"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "side"}};
    const struct vm_box box = {.n = {2, ROWS, 1},
                               .parts = {1, 1, 1},
                               .turn = -1,
                               .map = map,
                               .translation = {{0.01, 0, 0}},
                               .nsegment = 6,
                               .segment = ends};
    static struct channel c;
    verify_start(&argc, &argv);
    fixture_folder();
    solve(&c);
    const char *mesh = fixture_path("channel.cgns");
    struct fixture f;
    vm_write(mesh, &box);
    fixture_open(
        &f, "sst",
        verify_text("case: channel\nprecision: double\ndevice: cpu\nscheme: {flux: roe}\n"
                    "gas: {viscosity: constant, mu: %g}\n"
                    "turbulence: {model: sst, intensity: 0.08, inlet_viscosity_ratio: 50}\n"
                    "march: {method: implicit, cfl: 1000}\n"
                    "initial: {p: 1e5, T: 300}\nboundaries:\n"
                    "  below: {type: wall_viscous, T: 300}\n"
                    "  over: {type: wall_viscous, T: 300, velocity: [50, 0, 0]}\n",
                    nu * p / (gas * T)),
        mesh);
    fixture_must(an_solver_fill(f.solver, start, &c), "fill");
    double wall[3][AN_NINTEGRAL], before = 0;
    struct an_measure m = {.integral = wall};
    const int lo = an_boundary_find(&f.mesh.topology, "below");
    const double area = 0.5 * h * 0.1 * h, friction = p / (gas * T) * c.u_tau * c.u_tau;
    for (int n = 0; n < 12; n++) {
        fixture_steps(&f, 50);
        fixture_must(an_solver_measure(f.solver, &m), "measure");
        const double now = wall[lo][AN_I_VX] / (friction * area);
        verify_note("%4lld steps: friction %.6f, residual %.2e",
                    (long long)an_solver_iteration(f.solver), now, m.drop);
        if (fabs(now - before) < 1e-6)
            break;
        before = now;
    }
    struct compared t = {&c, 0};
    fixture_cells(&f, visit, &t);
    const int hi = an_boundary_find(&f.mesh.topology, "over");
    verify_check("friction of the lower wall", wall[lo][AN_I_VX] / (friction * area), 0.99, 1.01);
    verify_check("friction of the upper wall", -wall[hi][AN_I_VX] / (friction * area), 0.99, 1.01);
    verify_check("u", t.error, 0, 5e-3);
    fixture_close(&f);
    return verify_end();
}

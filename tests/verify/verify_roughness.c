/* Turbulent Couette flow between rough walls, against the law of the wall.
 *
 *   plane walls 2 h = 0.1 m apart, the upper one moves with U = 60 m/s; 2 x 96 cells, 24 with the law of the wall,
 *   one layer, periodic along the flow; u_tau h / nu = 1700. The shear stress is the same everywhere: next to a
 *   wall lies a layer of constant stress. u_tau is that of the lower wall's friction; ks+ = u_tau ks / nu = 81.
 *   expected between y = 1.5 ks and 0.2 h: the fully rough law u+ = ln(y / ks) / 0.41 + 8.5
 *
 *   largest difference in u+                              limit    measured
 *   Spalart-Allmaras, first centre at y+ 0.2               0.15     0.08
 *   SST, the same                                          0.4      0.30
 *   Spalart-Allmaras, law of the wall, y+ 70               0.15     0.05
 *   SST, the same                                          0.4      0.24
 *   friction on the walls, ratio - 1                       1e-3     1e-5
 *   u_tau with the law over u_tau resolved - 1 (sa, sst)   1 %, 3 % -0.02 %, -1.4 %
 */
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include "solver/monitor/measure.h"

#include <math.h>
#include <string.h>

static const double half = 0.05, gas = 287.05, kappa = 0.41;

struct flow {
    double speed, mu, ks, stretching; /* of the rows; 0: equal cells */
    double u_tau, nu, worst;
    int cells;
};

/* Two-sided stretching by a hyperbolic tangent; 0: none. */
static double stretch(double s, double a)
{
    return a > 0 ? 0.5 * (1 + tanh(a * (2 * s - 1)) / tanh(a)) : s;
}

static void plane_map(void *context, const double s[3], double x[3])
{
    const struct flow *t = context;
    x[0] = 0.02 * s[0];
    x[1] = 2 * half * stretch(s[1], t->stretching);
    x[2] = 0.01 * s[2];
}

/* Rough logarithmic profiles at both walls. */
static void start(void *context, const double x[3], double q[5])
{
    const struct flow *t = context;
    const double y = fmin(x[1], 2 * half - x[1]), d0 = 0.03 * fmax(t->ks, 1e-5);
    const double part = 0.5 * log((y + d0) / d0) / log((half + d0) / d0);
    memset(q, 0, 5 * sizeof *q);
    q[0] = 1e5 / (gas * 300);
    q[1] = t->speed * (x[1] < half ? part : 1 - part);
    q[4] = 1e5;
}

static void visit(void *context, int zone, const int cell[3], const double x[3], const double q[5],
                  double volume)
{
    struct flow *t = context;
    const double y = x[1];
    (void)zone, (void)cell, (void)volume;
    if (y < 1.5 * t->ks || y > 0.2 * half)
        return;
    const double rough = log(y / t->ks) / kappa + 8.5;
    t->worst = verify_worst(t->worst, fabs(q[1] / t->u_tau - rough));
}

/* model: sa, sst; wall: off, auto. above: roughness of the upper wall, m. Returns the friction of the upper
 * wall over that of the lower. */
static double couette(struct flow *t, const char *model, const char *wall, double above)
{
    const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .kind = VM_TRANSLATE},
        {.dir = 0, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_VISCOUS, .name = "below"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_VISCOUS, .name = "over"},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "side"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "side"}};
    const struct vm_box box = {.n = {2, t->cells, 1},
                               .parts = {1, 1, 1},
                               .turn = -1,
                               .map = plane_map,
                               .context = t,
                               .translation = {{0.02, 0, 0}},
                               .nsegment = 6,
                               .segment = ends};
    const char *mesh = fixture_path(verify_text("couette-%d.cgns", t->cells));
    struct fixture f;
    double sum[4][AN_NINTEGRAL];
    vm_write(mesh, &box);
    fixture_open(
        &f, "rough couette",
        verify_text("case: rough couette\nscheme: {flux: roe, limiter: none}\n"
                    "gas: {viscosity: constant, mu: %g, R: %g}\n"
                    "turbulence: {model: %s, wall_function: %s, inlet_viscosity_ratio: 100}\n"
                    "march: {method: implicit, cfl: 1000, cfl_min: 0}\nmultigrid: {levels: 1}\n"
                    "initial: {p: 1e5, T: 300, velocity: [%g, 0, 0]}\nboundaries:\n"
                    "  below: {type: wall_viscous, T: 300, roughness: %g}\n"
                    "  over: {type: wall_viscous, T: 300, velocity: [%g, 0, 0], roughness: %g}\n",
                    t->mu, gas, model, wall, 0.5 * t->speed, t->ks, t->speed, above),
        mesh);
    fixture_must(an_solver_fill(f.solver, start, t), "fill");
    struct an_measure m = {.integral = sum};
    double before = 0, now = 0;
    int steps = 0;
    const int below = an_boundary_find(&f.mesh.topology, "below"),
              over = an_boundary_find(&f.mesh.topology, "over");
    for (; steps < 6000; steps += 200) {
        fixture_steps(&f, 200);
        fixture_must(an_solver_measure(f.solver, &m), "measure");
        now = sum[below][AN_I_VX];
        if (fabs(now / before - 1) < 1e-5 && fabs(sum[over][AN_I_VX] / now + 1) < 1e-3)
            break;
        before = now;
    }
    const double rho = 1e5 / (gas * 300);
    t->nu = t->mu / rho;
    t->u_tau = sqrt(fabs(now) / (0.02 * 0.01 * rho));
    t->worst = 0;
    fixture_cells(&f, visit, t);
    verify_note("%s, %s: %d steps, u_tau %.4f m/s, ks+ %.1f, Re_tau %.0f, first y+ %.2f", model,
                wall, steps, t->u_tau, t->u_tau * t->ks / t->nu, t->u_tau * half / t->nu,
                half * stretch(1. / t->cells, t->stretching) * t->u_tau / t->nu);
    fixture_close(&f);
    return fabs(sum[over][AN_I_VX] / now);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *model, *wall;
        int cells;
        double stretch, most;
    } run[] = {{"sa", "off", 96, 3.6, 0.15},
               {"sst", "off", 96, 3.6, 0.4},
               {"sa", "auto", 24, 0, 0.15},
               {"sst", "auto", 24, 0, 0.4}};
    double resolved[2] = {0, 0};
    verify_start(&argc, &argv);
    for (size_t n = 0; n < sizeof run / sizeof *run; n++) {
        struct flow t = {.speed = 60,
                         .mu = 6e-5,
                         .ks = 2.4e-3,
                         .stretching = run[n].stretch,
                         .cells = run[n].cells};
        const double ratio = couette(&t, run[n].model, run[n].wall, t.ks);
        verify_check(verify_text("%s, wall_function %s: u+ off the fully rough law", run[n].model,
                                 run[n].wall),
                     t.worst, 0, run[n].most);
        verify_check("friction above over below", ratio, 0.999, 1.001);
        if (n < 2)
            resolved[n] = t.u_tau;
        else
            verify_check("u_tau over that of the resolved layer", t.u_tau / resolved[n - 2],
                         n == 2 ? 0.99 : 0.97, n == 2 ? 1.01 : 1.03);
    }
    return verify_end();
}

/* Supersonic vortex in a quarter annulus (Aftosmis, Gaitonde, Tavares, AIAA J. 33, 1995): order of
 * accuracy with curved slip walls and an inflow that varies along the radius.
 *
 *   Ri = 1, Ro = 1.384, Mi = 2.25, gamma 1.4, ci = rho_i = 1:
 *   u_theta = Mi Ri / r,  rho = (1 + (gamma - 1) / 2 Mi^2 (1 - (Ri / r)^2))^(1 / (gamma - 1)),
 *   p = rho^gamma / gamma.
 *   Each row of inlet faces is a supersonic inlet of its own, with the state at its middle.
 *
 *   scheme.boundary_order 2
 *   order in L2   8 x 32 -> 16 x 64 -> 32 x 128     measured
 *   roe           >= 1.8                            1.96 ... 2.18
 *   jst           >= 1.8                            1.87 ... 2.19
 * With boundary_order 1 the walls' ghosts mirror density and velocity: a kink that the fourth
 * differences of jst smear, and rho, u, v fall to 1.0 ... 1.1 (p stays at 1.95).
 */
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double inner = 1, outer = 1.384, mach = 2.25, g = 1.4;

/* i along the flow, from angle pi/2 down to 0; j outwards */
static void map(void *context, const double s[3], double x[3])
{
    (void)context;
    double r = inner + (outer - inner) * s[1], angle = 0.5 * PI * (1 - s[0]);
    x[0] = r * cos(angle);
    x[1] = r * sin(angle);
    x[2] = 0.05 * s[2];
}

static void vortex(void *context, const double x[3], double q[5])
{
    (void)context;
    double r = hypot(x[0], x[1]), speed = mach * inner / r;
    q[0] = pow(1 + 0.5 * (g - 1) * mach * mach * (1 - inner * inner / (r * r)), 1 / (g - 1));
    q[1] = speed * x[1] / r;
    q[2] = -speed * x[0] / r;
    q[3] = 0;
    q[4] = pow(q[0], g) / g;
}

static void run(const char *flux, int rows, double l2[5])
{
    static const struct vm_segment ends[] = {
        {.dir = 0,
         .side = 0,
         .kind = VM_ROWS,
         .along = 1,
         .type = AN_BC_INLET_SUPERSONIC,
         .name = "inlet"},
        {.dir = 0, .side = 1, .type = AN_BC_OUTLET_SUPERSONIC, .name = "outlet"},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_SLIP, .name = "inner"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_SLIP, .name = "outer"},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "low"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "high"}};
    const struct vm_box box = {
        .n = {4 * rows, rows, 1}, .turn = -1, .map = map, .nsegment = 6, .segment = ends};
    const char *mesh = fixture_path("annulus.cgns");
    static char yaml[64 * 1024];
    int used =
        snprintf(yaml, sizeof yaml,
                 "case: supersonic vortex\ngas: {R: 1}\nscheme: {flux: %s, boundary_order: 2}\n"
                 "initial: {p: 1, T: 0.7, velocity: [2, 0, 0]}\nboundaries:\n",
                 flux);
    for (int row = 0; row < rows; row++) {
        const double x[3] = {0, inner + (outer - inner) * (row + 0.5) / rows, 0};
        double q[5];
        vortex(NULL, x, q);
        used += snprintf(yaml + used, sizeof yaml - (size_t)used,
                         "  inlet%04d: {type: inlet_supersonic, p: %.17g, T: %.17g, "
                         "velocity: [%.17g, 0, 0]}\n",
                         row, q[4], q[4] / q[0], q[1]);
    }
    vm_write(mesh, &box);
    struct fixture f;
    fixture_open(&f, "annulus", yaml, mesh);
    fixture_must(an_solver_fill(f.solver, vortex, NULL), "fill");
    double drop = fixture_converge(&f, 1e-7, 4000);
    fixture_error(&f, vortex, NULL, l2, NULL);
    verify_note("%s, %2d rows: L2 of rho %.3e, u %.3e, v %.3e, p %.3e; residual drop %.1e after "
                "%lld steps",
                flux, rows, l2[0], l2[1], l2[2], l2[4], drop,
                (long long)an_solver_iteration(f.solver));
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    static const char *const flux[2] = {"jst", "roe"}, *const name[5] = {"rho", "u", "v", "w", "p"};
    verify_start(&argc, &argv);
    for (int f = 0; f < 2; f++) {
        double l2[3][5];
        for (int m = 0; m < 3; m++)
            run(flux[f], 8 << m, l2[m]);
        for (int m = 0; m < 2; m++)
            for (int c = 0; c < 5; c++)
                if (c != 3)
                    verify_check(verify_text("%s, %s: order from %d to %d rows", flux[f], name[c],
                                             8 << m, 16 << m),
                                 verify_order(l2[m][c], l2[m + 1][c], 2), 1.8, 4);
    }
    return verify_end();
}

/* A laminar boundary layer over a plate of thickness b and conductivity k_s, whose lower side has the temperature T_b
 * (Luikov 1974, "Conjugate convective heat transfer problems", Int. J. Heat Mass Transfer 17, 257-265).
 *
 * With a viscosity proportional to the temperature the boundary layer is Blasius's, 2 f''' + f f'' = 0, whatever its
 * temperatures are, in the coordinate eta = sqrt(U / (nu x)) integral rho / rho_e dy (Howarth, Dorodnitsyn; White 2006,
 * "Viscous Fluid Flow", chapter 7), and
 *
 *     T'' / Pr + f T' / 2 + U^2 / cp f''^2 = x f' dT/dx,      T = T_e far away,
 *     k_e sqrt(U / (nu x)) T' = k_s (T - T_b) / b             at eta = 0,
 *
 * since a thin plate conducts no heat along it. The equation is marched in sqrt(x) here, from the adiabatic wall at the leading edge.
 */
#include "tests/verify/conjugate_plate.h"

#include "solver/boundary/solids.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    STEPS = 200, /* in sqrt(x) */
    LAYER = 400, /* in eta, up to 10 */
    AHEAD = 12,  /* cells ahead of the plate */
    ALONG = 40,  /* along it */
    ACROSS = 28, /* of the gas */
    METAL = 20   /* of the plate, along it */
};

static const double R = 287, Pr = 0.72, cp = 3.5 * 287, T_e = 300, T_b = 400, p_e = 1e5, mach = 0.2,
                    reynolds = 1e5, thick = 0.02, brun = 1;

/* ---- theory */

struct layer {
    double eta, f[LAYER + 1][3]; /* step; f, f', f'' */
    double T[3][LAYER + 1];      /* here, and at the last two places */
};

static void blasius(struct layer *l)
{
    l->eta = 10.0 / LAYER;
    memcpy(l->f[0], (double[3]){0, 0, 0.332057336215}, sizeof l->f[0]);
    for (int n = 0; n < LAYER; n++) { /* Runge and Kutta */
        static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
        double slope[3] = {0}, *next = l->f[n + 1];
        memcpy(next, l->f[n], sizeof l->f[n]);
        for (int stage = 0; stage < 4; stage++) {
            double at[3];
            for (int c = 0; c < 3; c++)
                at[c] = l->f[n][c] + part[stage] * l->eta * slope[c];
            memcpy(slope, (double[3]){at[1], at[2], -0.5 * at[0] * at[2]}, sizeof slope);
            for (int c = 0; c < 3; c++)
                next[c] += weight[stage] / 6 * l->eta * slope[c];
        }
    }
}

/* T at s = sqrt(x / L); c0, c1, c2: weights of dT/ds at the three places; wall: of T' = wall (T - T_b). */
static void solve(struct layer *l, double s, const double c[3], double wall, double heating)
{
    double upper[LAYER + 1], right[LAYER + 1];
    const double d = l->eta, curve = Pr * heating * l->f[0][2] * l->f[0][2];
    /* (T1 - T0) / d - d / 2 T'' = wall (T0 - T_b), T'' = -curve */
    const double first = 1 / d + wall;
    upper[0] = -1 / d / first;
    right[0] = (0.5 * d * curve + wall * T_b) / first;
    for (int n = 1; n <= LAYER; n++) {
        const double *f = l->f[n], rate = 0.5 * s * f[1];
        const double lower = n < LAYER ? 1 / (Pr * d * d) - 0.25 * f[0] / d : 0;
        const double higher = n < LAYER ? 1 / (Pr * d * d) + 0.25 * f[0] / d : 0;
        const double centre = n < LAYER ? -2 / (Pr * d * d) - rate * c[0] : 1;
        const double load =
            n < LAYER ? rate * (c[1] * l->T[1][n] + c[2] * l->T[2][n]) - heating * f[2] * f[2]
                      : T_e;
        const double pivot = centre - lower * upper[n - 1];
        upper[n] = higher / pivot;
        right[n] = (load - lower * right[n - 1]) / pivot;
    }
    l->T[0][LAYER] = right[LAYER];
    for (int n = LAYER - 1; n >= 0; n--)
        l->T[0][n] = right[n] - upper[n] * l->T[0][n + 1];
}

/* Temperature of the wall at s = n / STEPS: wall[STEPS + 1]. ratio: k_s L / (k_e b sqrt(Re)). */
static void theory(double ratio, double velocity, double *wall)
{
    static struct layer l;
    const double heating = velocity * velocity / cp, ds = 1.0 / STEPS;
    blasius(&l);
    for (int n = 0; n <= STEPS; n++) {
        const double one[3] = {1 / ds, -1 / ds, 0}, two[3] = {1.5 / ds, -2 / ds, 0.5 / ds};
        memmove(l.T[1], l.T[0], sizeof l.T[0] * 2);
        solve(&l, n * ds, n > 1 ? two : one, ratio * n * ds, heating);
        wall[n] = l.T[0][0];
    }
}

/* ---- the run */

static void gas_map(void *context, const double s[3], double x[3])
{
    (void)context;
    const double i = s[0] * (AHEAD + ALONG) - AHEAD;
    x[0] = i < 0 ? -0.4 * (i / AHEAD) * (i / AHEAD) : (i / ALONG) * (i / ALONG);
    x[1] = 0.4 * expm1(5.5 * s[1]) / expm1(5.5);
    x[2] = 0.1 * s[2];
}

static void metal_map(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = s[0] * s[0];
    x[1] = -thick * (1 - s[1]);
    x[2] = 0.1 * s[2];
}

static void write_meshes(const char *gas, const char *metal)
{
    const struct vm_segment around_gas[] = {
        {.dir = 0, .side = 0, .type = AN_BC_INLET_TOTAL, .name = "inlet"},
        {.dir = 0, .side = 1, .type = AN_BC_OUTLET_STATIC, .name = "outlet"},
        {.dir = 1, .side = 0, .hi = AHEAD, .type = AN_BC_SYMMETRY, .name = "ahead"},
        {.dir = 1,
         .side = 0,
         .lo = AHEAD,
         .hi = AHEAD + ALONG,
         .type = AN_BC_WALL_VISCOUS,
         .name = "plate"},
        {.dir = 1, .side = 1, .type = AN_BC_FARFIELD, .name = "top"},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "side"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "side"}};
    const struct vm_segment around_metal[] = {
        {.dir = 0, .side = 0, .type = AN_BC_WALL_SLIP, .name = "nose"},
        {.dir = 0, .side = 1, .type = AN_BC_WALL_SLIP, .name = "tail"},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_SLIP, .name = "below"},
        {.dir = 1, .side = 1, .kind = VM_ROWS, .type = AN_BC_WALL_SLIP, .name = "row"},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "flank"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "flank"}};
    vm_write(gas, &(struct vm_box){.n = {AHEAD + ALONG, ACROSS, 1},
                                   .turn = -1,
                                   .map = gas_map,
                                   .nsegment = 7,
                                   .segment = around_gas});
    vm_write(metal, &(struct vm_box){.n = {METAL, 3, 1},
                                     .turn = -1,
                                     .map = metal_map,
                                     .nsegment = 6,
                                     .segment = around_metal});
}

static void start(void *context, const double x[3], double q[5])
{
    (void)x;
    memcpy(q, (double[5]){p_e / (R * T_e), *(const double *)context, 0, 0, p_e}, 5 * sizeof *q);
}

void conjugate_plate(void)
{
    const char *gas = fixture_path("plate.cgns"), *metal = fixture_path("plate_metal.cgns");
    const double velocity = mach * sqrt(1.4 * R * T_e), mu = p_e / (R * T_e) * velocity / reynolds;
    const double k = mu * cp / Pr, rise = 1 + 0.2 * mach * mach;
    const double ks = 0.332 * cbrt(Pr) * sqrt(reynolds) * k * thick / brun;
    double wall[STEPS + 1];
    struct fixture f;
    write_meshes(gas, metal);
    fixture_open(
        &f, "plate",
        verify_text("case: plate\nprecision: double\n"
                    "gas: {gamma: 1.4, R: %g, prandtl: %g, viscosity: power_law, mu: %.17g, T_ref: "
                    "%g, exponent: 1}\n"
                    "initial: {p: %g, T: %g, mach: %g, direction: [1, 0, 0]}\nboundaries:\n"
                    "  inlet: {type: inlet_total, p0: %.17g, T0: %.17g, direction: [1, 0, 0]}\n"
                    "  outlet: {type: outlet_static, p: %g}\n"
                    "  top: {type: farfield, p: %g, T: %g, mach: %g, direction: [1, 0, 0]}\n"
                    "  plate: {type: wall_viscous}\n"
                    "solids:\n  metal: {mesh: %s, conductivity: %.17g}\n"
                    "solid_walls:\n  \"row*\": {gas: plate}\n  below: {T: %g}\n",
                    R, Pr, mu, T_e, p_e, T_e, mach, p_e * pow(rise, 3.5), T_e * rise, p_e, p_e, T_e,
                    mach, metal, ks, T_b),
        gas);
    fixture_must(an_solver_fill(f.solver, start, (void *)&velocity), "fill");
    theory(ks / (k * thick * sqrt(reynolds)), velocity, wall);
    fixture_steps(&f, 180);
    struct an_solid_report r[METAL + 8];
    const int n = an_solids_reports(f.solver, r);
    double worst = 0;
    for (int m = 0; m < n; m++) {
        int row;
        if (!r[m].surface || sscanf(r[m].surface, "row%d", &row) != 1)
            continue;
        const double x = 0.5 * (row * row + (row + 1.0) * (row + 1.0)) / (METAL * METAL);
        const int at = (int)(sqrt(x) * STEPS);
        const double T = wall[at] + (sqrt(x) * STEPS - at) * (wall[at + 1] - wall[at]);
        if (row % 4 == 3)
            verify_note("plate, x = %.3f m: %.2f K, %.2f K in theory", x, r[m].T[1], T);
        worst = verify_worst(worst, x > 0.01 ? fabs(r[m].T[1] - T) / (T_b - T_e) : 0);
    }
    verify_check("plate: temperature of the wall", worst, 0, 3e-3);
    fixture_close(&f);
}

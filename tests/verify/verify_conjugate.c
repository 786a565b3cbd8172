/* Solids that conduct heat, alone and beside the gas, against exact solutions.
 *
 * Couette flow over a slab whose mesh does not match: walls h = 1 mm apart, the upper one at 310 K moves with U = 100 m/s;
 * below a slab of thickness t = 2 mm, at 300 K on its lower side; 4 x 24 cells of gas, 6 x 6 cells of solid in two zones
 * that are stored turned:
 *     q = k (T1 - Tw) / h + mu U^2 / (2 h) = (theta(Tw) - theta(T0)) / t         W/m2 into the solid
 *
 *   Biot number of the gas k h_solid / (k_solid h_gas): 0.01, 1, 100; conductivity constant and linear in T
 *                                                   limit      measured
 *   Tw over the range of temperatures               1e-3       5e-9 .. 2e-4
 *   heat into the slab at its upper side            1e-3       6e-5
 *   heat of upper and lower side together           1e-6       8e-7   (Biot number 0.01: 4e-6, 1.6e-6)
 *   a tube of 1 m, 20 and 30 mm in diameter, 600 K outside, 0.02 kg/s of 300 K within:
 *     h of the coolant                              1e-2       3e-3
 *     the coolant's temperature at the end          1e-2       7e-4
 *     heat of the coolant against m cp dT           1e-6       1e-9
 *   a restart in the middle: bits of theta          0
 *   order of accuracy, three meshes                 1.9
 *     heat through a quarter of a ring between two coolants, 4 to 16 cells across:           1.99, 2.00; error 8e-5
 *     heat through the root of a fin between coolants, 2 to 8 cells across:                  1.97, 1.99; error 1.5e-3
 *     gas between a turning cylinder and a ring of metal, 8 to 32 cells across the gap:
 *       largest error of the temperature of the gas                                          1.99, 1.99; error 6e-4
 *       heat into the metal                                                                  2.08, 2.02; error 5e-4
 *   in time, with rho and cp: a bar with a coolant at one end, a slab beside a layer of gas whose other side becomes hotter,
 *   16 and 32 steps until the Fourier number is 1 / 2
 *     temperatures of both ends of the bar          order 1.8                               1.92, 1.98; error 9e-5
 *     temperatures of both sides of the slab        3e-4       7e-5
 *     a restart between two steps: bits             0
 *   a boundary layer over a plate that conducts (conjugate_plate.c):
 *     temperature of the wall over T_b - T_e        3e-3       1.4e-3
 */
#include "solver/boundary/solids.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/conjugate_plate.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double Pr = 0.72, cp = 1.4 / 0.4 * 287.05, mu = 0.02, U = 100, h = 1e-3, t = 2e-3,
                    T0 = 300, T1 = 310;

static void gas_map(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = h * (0.5 * s[0] + 0.3 * s[1]);
    x[1] = h * (s[1] + 0.08 * sin(2 * PI * s[1]));
    x[2] = 0.1 * h * s[2];
}

static void slab_map(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = 0.5 * h * (s[0] - 0.6 * (1 - s[1]));
    x[1] = t * (s[1] - 1) + 0.02 * t * sin(2 * PI * s[0]) * sin(PI * s[1]);
    x[2] = 0.1 * h * s[2];
}

static void write_gas(const char *file)
{
    const struct vm_segment around[] = {
        {.dir = 0, .side = 0, .kind = VM_TRANSLATE},
        {.dir = 0, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_VISCOUS, .name = "below"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_VISCOUS, .name = "over"},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "side"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "side"}};
    const struct vm_box box = {.n = {4, 24, 1},
                               .parts = {1, 1, 1},
                               .turn = -1,
                               .map = gas_map,
                               .translation = {{0.5e-3, 0, 0}},
                               .nsegment = 6,
                               .segment = around};
    vm_write(file, &box);
}

/* across: cells from the lower side to the upper one. */
static void write_slab(const char *file, int across)
{
    const struct vm_segment around[] = {
        {.dir = 0, .side = 0, .kind = VM_TRANSLATE},
        {.dir = 0, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_SLIP, .name = "cold"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_SLIP, .name = "top"},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "flank"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "flank"}};
    const struct vm_box box = {.n = {6, across, 2},
                               .parts = {2, 1, 1},
                               .turn = 5,
                               .map = slab_map,
                               .translation = {{0.5e-3, 0, 0}},
                               .nsegment = 6,
                               .segment = around};
    vm_write(file, &box);
}

static struct an_solid_report report_of(struct fixture *f, const char *surface)
{
    struct an_solid_report r[64], found = {0};
    const int n = an_solids_reports(f->solver, r);
    for (int m = 0; m < n; m++)
        if (r[m].surface ? !strcmp(r[m].surface, surface) : !*surface)
            found = r[m];
    return found;
}

static void start(void *context, const double x[3], double q[5])
{
    (void)x;
    memset(q, 0, 5 * sizeof *q);
    q[4] = 1e5;
    q[0] = q[4] / (287.05 * (context ? *(const double *)context : T1));
}

static void open_case(struct fixture *f, const char *gas, const char *slab,
                      const char *conductivity, const char *below)
{
    fixture_open(f, "conjugate",
                 verify_text("case: conjugate\nprecision: double\n"
                             "gas: {viscosity: constant, mu: %g}\n"
                             "initial: {p: 1e5, T: 310}\noutput: {folder: %s}\nboundaries:\n"
                             "  below: {type: wall_viscous}\n"
                             "  over: {type: wall_viscous, T: 310, velocity: [100, 0, 0]}\n"
                             "solids:\n  slab: {mesh: %s, conductivity: %s}\n"
                             "solid_walls:\n  top: {gas: below}\n  cold: {%s}\n",
                             mu, fixture_folder(), slab, conductivity, below),
                 gas);
    fixture_must(an_solver_fill(f->solver, start, NULL), "fill");
}

enum { AT_REST = 700 }; /* steps after which the figures stand */

/* k_s = c0 + c1 T; stop: a restart before this step, < 0: none. Returns Tw, which is compared with theory at rest. */
static double slab(const char *gas, const char *solid, double c0, double c1, int steps, int stop)
{
    struct fixture f;
    const double k = mu * cp / Pr, area = 0.5 * h * 0.1 * h;
    char what[80];
    open_case(&f, gas, solid, verify_text("[%.17g, %.17g]", c0, c1), "T: 300");
    snprintf(what, sizeof what, "conductivity %.3g + %.3g T", c0, c1);
    fixture_steps_through(&f, steps, stop);
    if (steps < AT_REST) {
        const double T = report_of(&f, "top").T[1];
        fixture_close(&f);
        return T;
    }
    double low = T0, high = 1000; /* of Tw, by halves */
    for (int n = 0; n < 100; n++) {
        const double T = 0.5 * (low + high);
        const double out = (c0 * (T - T0) + 0.5 * c1 * (T * T - T0 * T0)) / t;
        if (out > k * (T1 - T) / h + mu * U * U / (2 * h))
            high = T;
        else
            low = T;
    }
    const double q = k * (T1 - low) / h + mu * U * U / (2 * h),
                 range = fabs(T1 - T0) + U * U / (2 * cp) + fabs(low - T0);
    const struct an_solid_report top = report_of(&f, "top"), cold = report_of(&f, "cold"),
                                 all = report_of(&f, "");
    const double even = c0 > 100 * k ? 4e-6 : 1e-6; /* theta of a good conductor: its rounding */
    verify_check(verify_text("%s: wall temperature", what), (top.T[1] - low) / range, -1e-3, 1e-3);
    verify_check(verify_text("%s: heat into the slab", what), top.heat / (q * area), 0.999, 1.001);
    verify_check(verify_text("%s: heat of both sides", what), (top.heat + cold.heat) / (q * area),
                 -even, even);
    verify_check(verify_text("%s: heat of all surfaces", what), all.heat / (q * area), -even, even);
    verify_check(verify_text("%s: at rest", what), an_solids_stand(f.solver), 1, 1);
    fixture_close(&f);
    return top.T[1];
}

/* A given heat flux below: the upper side gives it to the gas. */
static void heated(const char *gas, const char *solid)
{
    struct fixture f;
    const double k = mu * cp / Pr, q = 2e6, area = 0.5 * h * 0.1 * h;
    open_case(&f, gas, solid, "20", verify_text("heat_flux: %g", q));
    fixture_steps(&f, AT_REST);
    const double Tw = T1 + (q + mu * U * U / (2 * h)) * h / k;
    const struct an_solid_report top = report_of(&f, "top"), cold = report_of(&f, "cold");
    verify_check("heat flux: wall temperature", (top.T[1] - Tw) / (Tw - T1), -1e-3, 1e-3);
    verify_check("heat flux: temperature below", (cold.T[1] - top.T[1]) / (q * t / 20), 0.999,
                 1.001);
    verify_check("heat flux: heat out of the slab", -top.heat / (q * area), 1 - 1e-6, 1 + 1e-6);
    fixture_close(&f);
}

static void ring_map(void *context, const double s[3], double x[3])
{
    (void)context;
    vm_cylindrical(0.1 * s[2], 0.01 * (1 + s[0]), 0.5 * PI * s[1], x);
}

static void fin_map(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = 0.05 * s[0];
    x[1] = 0.01 * s[1];
    x[2] = 0.02 * s[2];
}

enum { MESHES = 3 };

/* The meshes of a shape, from `least` cells across on, each twice as fine as the one before: the text of `solids`. */
static const char *shapes(const char *name, vm_map *map, int least, int along)
{
    char text[2048] = "";
    for (int m = 0; m < MESHES; m++) {
        const int n = least << m;
        char lower[32], upper[32], side[2][32], file[512];
        snprintf(lower, sizeof lower, "%s_root_%d", name, m);
        snprintf(upper, sizeof upper, "%s_tip_%d", name, m);
        snprintf(side[0], sizeof side[0], "%s_below_%d", name, m);
        snprintf(side[1], sizeof side[1], "%s_over_%d", name, m);
        snprintf(file, sizeof file, "%s", fixture_path(verify_text("%s_%d.cgns", name, m)));
        const struct vm_segment around[] = {
            {.dir = 0, .side = 0, .type = AN_BC_WALL_SLIP, .name = lower},
            {.dir = 0, .side = 1, .type = AN_BC_WALL_SLIP, .name = upper},
            {.dir = 1, .side = 0, .type = AN_BC_WALL_SLIP, .name = side[0]},
            {.dir = 1, .side = 1, .type = AN_BC_WALL_SLIP, .name = side[1]},
            {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "end"},
            {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "end"}};
        const struct vm_box box = {.n = {along * n, 2 * n, 1},
                                   .parts = {2, 1, 1},
                                   .turn = 3,
                                   .map = map,
                                   .nsegment = 6,
                                   .segment = around};
        vm_write(file, &box);
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "  %s_%d: {mesh: %s, conductivity: 20}\n", name, m, file);
    }
    return verify_text("%s", text);
}

/* Errors of the heat through the root on each mesh, and the order of each halving of the cells. */
static void check_order(struct fixture *f, const char *name, double exact)
{
    double before = 0;
    for (int m = 0; m < MESHES; m++) {
        const struct an_solid_report r = report_of(f, verify_text("%s_root_%d", name, m));
        const double error = fabs(r.heat / exact - 1);
        if (m == 0)
            verify_note("%s: error of the heat %.2e", name, error);
        else
            verify_check(verify_text("%s: error %.2e, order", name, error),
                         verify_order(before, error, 2), 1.9, 2.2);
        before = error;
    }
    verify_check(verify_text("%s: heat on the finest mesh", name), before, 0, 2e-3);
}

/* A quarter of a ring of radii 1 and 2 cm, 10 cm long, between coolants. */
static double heat_of_ring(void)
{
    const double in = 0.01, out = 0.02, part = 0.5 * PI * 0.1;
    return (900 - 300) /
           (1 / (3000 * in * part) + log(out / in) / (20 * part) + 1 / (2000 * out * part));
}

/* Root n = 0, 1, ... of z tan z = biot, by halves. */
static double root_of(double biot, int n)
{
    double low = n * PI, high = (n + 0.5) * PI;
    for (int m = 0; m < 60; m++) {
        const double z = 0.5 * (low + high);
        if (z * sin(z) > biot * cos(z) ? n % 2 == 0 : n % 2 == 1)
            high = z;
        else
            low = z;
    }
    return 0.5 * (low + high);
}

/* A fin of length L and thickness 2 b whose root takes heat from a coolant of 600 K, its sides give it to one of 300 K, and
 * its tip is insulated, by separation of variables: T - 300 = sum C cos(l y) cosh(l (L - x)), l tan(l b) = h / k. */
static double heat_of_fin(void)
{
    const double L = 0.05, b = 0.005, width = 0.02, k = 20, biot = 800 * b / k, root = 4000 * b / k;
    double sum = 0;
    for (int n = 0; n < 2000; n++) {
        const double z = root_of(biot, n); /* l b */
        const double tip = tanh(z * L / b);
        sum += 2 * sin(z) * sin(z) * tip / (z + sin(z) * cos(z)) / (1 + z * tip / root);
    }
    return 2 * k * width * (600 - 300) * sum;
}

static void tube_map(void *context, const double s[3], double x[3])
{
    (void)context;
    const double r = 0.01 + 0.005 * s[1], angle = -2 * PI * s[2];
    x[0] = r * cos(angle);
    x[1] = 1 - s[0]; /* the coolant goes to lower y, as `direction` says */
    x[2] = 5 + r * sin(angle);
}

/* A thick tube whose conduction along its axis hardly counts: U from h within and conduction to the outer side. */
static void tube(const char *gas, const char *slab_file)
{
    const char *file = fixture_path("tube.cgns");
    const struct vm_segment around[] = {
        {.dir = 0, .side = 0, .type = AN_BC_SYMMETRY, .name = "end"},
        {.dir = 0, .side = 1, .type = AN_BC_SYMMETRY, .name = "end"},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_SLIP, .name = "bore"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_SLIP, .name = "skin"},
        {.dir = 2, .side = 0, .kind = VM_JOIN},
        {.dir = 2, .side = 1, .kind = VM_JOIN}};
    const struct vm_box box = {.n = {64, 6, 48},
                               .parts = {2, 1, 2},
                               .turn = 3,
                               .map = tube_map,
                               .nsegment = 6,
                               .segment = around};
    const double m = 0.02, k = 15, skin = 600, in = 300;
    struct fixture f;
    vm_write(file, &box);
    const char *rings = shapes("ring", ring_map, 4, 1), *fins = shapes("fin", fin_map, 1, 10);
    fixture_open(
        &f, "tube",
        verify_text(
            "case: tube\nprecision: double\n"
            "gas: {viscosity: constant, mu: 2.0e-5}\n"
            "initial: {p: 1e5, T: 310}\nboundaries:\n"
            "  below: {type: wall_viscous}\n  over: {type: wall_viscous, T: 310}\n"
            "solids:\n  slab: {mesh: %s, conductivity: 20}\n  tube: {mesh: %s, conductivity: %g}\n"
            "%s%ssolid_walls:\n  top: {gas: below}\n  cold: {T: 300}\n  skin: {T: %g}\n"
            "  bore: {mass_flow: %g, T: %g, factor: 1.2, direction: [0, -1, 0]}\n"
            "  \"ring_root*\": {h: 3000, T: 900}\n  \"ring_tip*\": {h: 2000, T: 300}\n"
            "  \"fin_root*\": {h: 4000, T: 600}\n"
            "  \"fin_below*\": {h: 800, T: 300}\n  \"fin_over*\": {h: 800, T: 300}\n",
            slab_file, file, k, rings, fins, skin, m, in),
        gas);
    fixture_must(an_solver_fill(f.solver, start, NULL), "fill");
    fixture_steps(&f, 201);
    const struct an_solid_report r = report_of(&f, "bore"), outer = report_of(&f, "skin");
    const double D = 0.02, hc = 1.2 * 0.022 * pow(4 * m / (PI * D * 2e-5), 0.8) * sqrt(Pr) *
                                (2e-5 * cp / Pr) / D;
    const double all = 1 / (1 / hc + 0.01 * log(1.5) / k);
    const double out = skin + (in - skin) * exp(-all * PI * D / (m * cp));
    verify_check("tube: h of the coolant", r.h / hc, 0.99, 1.01);
    verify_check("tube: the coolant where it leaves", (r.coolant[1] - out) / (skin - in), -1e-2,
                 1e-2);
    verify_check("tube: the coolant where it enters", r.coolant[0], in, in);
    verify_check("tube: heat of the coolant", -r.heat / (m * cp * (r.coolant[1] - in)), 1 - 1e-6,
                 1 + 1e-6);
    verify_check("tube: heat of both sides", (r.heat + outer.heat) / outer.heat, -1e-4, 1e-4);
    check_order(&f, "ring", heat_of_ring());
    check_order(&f, "fin", heat_of_fin());
    fixture_close(&f);
}

/* Between cylinders: the inner one, a = 1 m, has 300 K and turns with 150 rad/s; a ring of metal from b = 2 m to c = 3 m has
 * 320 K on its outer side. */
struct cylinders {
    double A, B, C, D, m, k, ks, Tb, error;
};

static const double ra = 1, rb = 2, rc = 3, sector = 2 * PI / 48;

static void gap_map(void *context, const double s[3], double x[3])
{
    (void)context;
    vm_cylindrical(0.1 * s[0], ra * pow(rb / ra, s[1]), sector * s[2] + 0.1 * s[1], x);
}

static void metal_map(void *context, const double s[3], double x[3])
{
    (void)context;
    vm_cylindrical(0.1 * s[0], rb + (rc - rb) * s[1], sector * s[2] - 0.05 * s[1] + 0.03, x);
}

static double temperature_between(const struct cylinders *g, double r)
{
    return g->D + g->C * log(r) - g->m / (r * r);
}

static void start_between(void *context, const double x[3], double q[5])
{
    const struct cylinders *g = context;
    const double r = hypot(x[1], x[2]), u = g->A * r + g->B / r;
    q[4] = 1e5;
    q[0] = q[4] / (287.05 * temperature_between(g, r));
    q[1] = 0;
    q[2] = -u * x[2] / r;
    q[3] = u * x[1] / r;
}

static void visit_between(void *context, int zone, const int cell[3], const double x[3],
                          const double q[5], double volume)
{
    (void)zone, (void)cell, (void)volume;
    struct cylinders *g = context;
    const double T = temperature_between(g, hypot(x[1], x[2]));
    g->error = verify_worst(g->error, fabs(q[4] / (q[0] * 287.05) - T));
}

/* T = D + C ln r - m / r^2 in the gas and T1 + (Tb - T1) ln(c / r) / ln(c / b) in the metal, where m = mu B^2 / k. */
static struct cylinders exact_between(double ratio)
{
    const double omega = 150, a2 = ra * ra, b2 = rb * rb, viscosity = 4;
    struct cylinders g = {.k = viscosity * cp / Pr};
    g.ks = ratio * g.k;
    g.A = -omega * a2 / (b2 - a2);
    g.B = omega * a2 * b2 / (b2 - a2);
    g.m = viscosity * g.B * g.B / g.k;
    /* - k b dT/dr = K (Tb - T1), K = ks / ln(c / b) */
    const double K = g.ks / log(rc / rb);
    g.C = (K * (320 - 300 + g.m / b2 - g.m / a2) - 2 * g.k * g.m / b2) / (K * log(rb / ra) + g.k);
    g.D = 300 + g.m / a2 - g.C * log(ra);
    g.Tb = temperature_between(&g, rb);
    return g;
}

/* n cells of gas and 3/4 n of metal across the gaps; *heat: error of the heat into the metal. */
static double between(int n, double ratio, double *heat)
{
    const char *gap = fixture_path("between.cgns"), *ring = fixture_path("metal.cgns");
    struct cylinders g = exact_between(ratio);
    struct fixture f;
    for (int metal = 0; metal < 2; metal++) {
        const struct vm_segment ends[] = {
            {.dir = 0, .side = 0, .type = AN_BC_SYMMETRY, .name = "side"},
            {.dir = 0, .side = 1, .type = AN_BC_SYMMETRY, .name = "side"},
            {.dir = 1, .side = 0, .type = AN_BC_WALL_VISCOUS, .name = metal ? "inner" : "hub"},
            {.dir = 1, .side = 1, .type = AN_BC_WALL_VISCOUS, .name = metal ? "outer" : "casing"},
            {.dir = 2, .side = 0, .kind = VM_ROTATE},
            {.dir = 2, .side = 1, .kind = VM_ROTATE}};
        const struct vm_box box = {.n = {1, metal ? 3 * n / 4 : n, metal ? 3 * n / 8 : n / 4},
                                   .parts = {1, 1, 1},
                                   .turn = 5,
                                   .map = metal ? metal_map : gap_map,
                                   .angle = sector,
                                   .nsegment = 6,
                                   .segment = ends};
        vm_write(metal ? ring : gap, &box);
    }
    fixture_open(&f, "between",
                 verify_text("case: between\nprecision: double\n"
                             "gas: {viscosity: constant, mu: 4}\n"
                             "initial: {p: 1e5, T: 310}\nboundaries:\n"
                             "  hub: {type: wall_viscous, T: 300, omega: 150}\n"
                             "  casing: {type: wall_viscous}\n"
                             "solids:\n  ring: {mesh: %s, conductivity: %.17g, T: 320}\n"
                             "solid_walls:\n  inner: {gas: casing}\n  outer: {T: 320}\n",
                             ring, g.ks),
                 gap);
    fixture_must(an_solver_fill(f.solver, start_between, &g), "fill");
    fixture_steps(&f, 150);
    *heat =
        fabs(report_of(&f, "inner").heat / (g.ks * (g.Tb - 320) / log(rc / rb) * sector * 0.1) - 1);
    fixture_cells(&f, visit_between, &g);
    fixture_close(&f);
    return g.error / (320 - 300);
}

static void cylinders(double ratio)
{
    double before[2] = {0}, error[2];
    for (int n = 8; n <= 32; n *= 2) {
        error[0] = between(n, ratio, &error[1]);
        for (int q = 0; q < 2; q++) {
            const char *what = verify_text("cylinders, %d cells: error of the %s %.2e", n,
                                           q ? "heat" : "temperature", error[q]);
            if (n == 8)
                verify_note("%s", what);
            else
                verify_check(verify_text("%s, order", what), verify_order(before[q], error[q], 2),
                             1.9, 2.4);
            before[q] = error[q];
        }
    }
}

/* ---- in time */

/* A slab, insulated on one side, whose fluid of heat transfer coefficient h differs from it from t = 0 on: the difference left
 * at x (0: the insulated side, 1: that of the fluid) after the Fourier number Fo, by separation of variables. */
static double left_over(double biot, double Fo, double x)
{
    double sum = 0;
    for (int n = 0; n < 40; n++) {
        const double z = root_of(biot, n);
        sum += 4 * sin(z) / (2 * z + sin(2 * z)) * exp(-z * z * Fo) * cos(z * x);
    }
    return sum;
}

static void bar_map(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = 0.05 * s[0];
    x[1] = 0.01 * s[1];
    x[2] = 0.01 * s[2];
}

struct in_time {
    double of
        [4]; /* errors over the difference at the start: both ends of the bar, both sides of the slab */
    double T; /* K: of the slab at its insulated side */
};

/* A bar of which one end is cooled by h = 400 W/(m2 K) of 300 K, and a slab beside a layer of gas at rest, whose other wall
 * has 310 K: this layer is thin enough to conduct as in steady state. All begin at 300 K, the bar at 400 K; Biot numbers 1;
 * until the Fourier number is 1 / 2. */
static struct in_time in_time(const char *gas, const char *solid, const char *bar, int steps,
                              int stop)
{
    const double k = mu * cp / Pr, slab_k = k * t / h, end = 0.5 * t * t / slab_k * 4e5;
    struct fixture f;
    fixture_open(
        &f, "in_time",
        verify_text("case: in time\nprecision: double\n"
                    "gas: {viscosity: constant, mu: %g}\n"
                    "march: {mode: unsteady, method: dual, time_step: %.17g, iterations: 1000}\n"
                    "initial: {p: 1e5, T: 300}\noutput: {folder: %s}\nboundaries:\n"
                    "  below: {type: wall_viscous}\n  over: {type: wall_viscous, T: 310}\n"
                    "solids:\n  slab: {mesh: %s, conductivity: %.17g, T: 300, rho: 1000, cp: 400}\n"
                    "  bar: {mesh: %s, conductivity: 20, T: 400, rho: 2000, cp: %.17g}\n"
                    "solid_walls:\n  top: {gas: below}\n  bar_root_0: {h: 400, T: 300}\n",
                    mu, end / steps, fixture_folder(), solid, slab_k, bar,
                    20 * end / (0.5 * 0.05 * 0.05) / 2000),
        gas);
    fixture_must(an_solver_fill(f.solver, start, (void *)&T0), "fill");
    fixture_steps_through(&f, steps, stop);
    const struct an_solid_report root = report_of(&f, "bar_root_0"),
                                 tip = report_of(&f, "bar_tip_0");
    const struct an_solid_report top = report_of(&f, "top"), cold = report_of(&f, "cold");
    const struct in_time e = {{(root.T[1] - 300) / 100 - left_over(1, 0.5, 1),
                               (tip.T[1] - 300) / 100 - left_over(1, 0.5, 0),
                               (310 - top.T[1]) / 10 - left_over(1, 0.5, 1),
                               (310 - cold.T[1]) / 10 - left_over(1, 0.5, 0)},
                              cold.T[1]};
    fixture_close(&f);
    return e;
}

static void unsteady(const char *gas)
{
    static const char *const what[] = {"cooled end of the bar", "other end of the bar",
                                       "side of the slab at the gas", "other side of the slab"};
    char bar[512], slab_file[512];
    snprintf(slab_file, sizeof slab_file, "%s", fixture_path("fine_slab.cgns"));
    write_slab(slab_file, 24);
    shapes("bar", bar_map, 1, 48);
    snprintf(bar, sizeof bar, "%s", fixture_path("bar_0.cgns"));
    struct in_time e[2];
    for (int n = 0; n < 2; n++)
        e[n] = in_time(gas, slab_file, bar, 16 << n, -1);
    for (int q = 0; q < 4; q++) {
        verify_check(verify_text("in time: error at the %s %.1e, order", what[q], e[1].of[q]),
                     log2(fabs(e[0].of[q] / e[1].of[q])), 1.8, q < 2 ? 2.2 : 6);
        verify_check(verify_text("in time: error at the %s", what[q]), fabs(e[1].of[q]), 0, 3e-4);
    }
    const double one = in_time(gas, slab_file, bar, 8, -1).T,
                 other = in_time(gas, slab_file, bar, 8, 5).T;
    verify_check("in time, a restart: bits of the temperature", one - other, 0, 0);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    char gas[512], solid[512]; /* fixture_path uses its buffers again */
    snprintf(gas, sizeof gas, "%s", fixture_path("gas.cgns"));
    snprintf(solid, sizeof solid, "%s", fixture_path("slab.cgns"));
    const double k = mu * cp / Pr; /* of the gas, 27.9 */
    write_gas(gas);
    write_slab(solid, 6);
    slab(gas, solid, 200 * k, 0, AT_REST, -1);
    slab(gas, solid, 2 * k, 0, AT_REST, -1);
    slab(gas, solid, 0.02 * k, 0, 2 * AT_REST, -1);
    slab(gas, solid, -100, 0.5, AT_REST, -1);
    const double one = slab(gas, solid, -100, 0.5, 150, -1),
                 other = slab(gas, solid, -100, 0.5, 150, 83);
    verify_check("a restart: bits of the wall temperature", one - other, 0, 0);
    heated(gas, solid);
    tube(gas, solid);
    cylinders(2);
    unsteady(gas);
    conjugate_plate();
    return verify_end();
}

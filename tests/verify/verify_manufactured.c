/* Manufactured solution of the Navier-Stokes equations with Spalart-Allmaras, through the solver.
 *
 * Density, velocity, pressure and nut are sums of waves; what the equations leave of them is given
 * as sources (field SOURCE): div of the full fluxes with Sutherland's law and the eddy viscosity,
 * the source of the rotation, and SA's own, in long double from gradients in closed form and
 * sixth-order differences. nut is 8 to 25 nu and the wall distance a linear function, so that
 * production, destruction and diffusion count; nut stays positive and the vorticity off zero, where
 * SA's source changes its form.
 *
 *                            order: of the flow     of nut
 *   plane, roe, 32 -> 64          1.98           2.08
 *   plane, jst, 32 -> 64          2.04           1.99
 *   space, jst, 9 -> 18           2.02           2.04
 *   turning, jst, 9 -> 18         2.01           2.00     60 rad/s, 1 m off the axis
 *   plane, roe, cp(T), 32 -> 64   1.98           2.08     cp = 500 + 2 T: gamma is 1.37 to 1.31
 *   plane, jst, cp(T), 32 -> 64   2.04           1.99
 *
 * Meshes are stretched and skewed, of n cells along the unit square or cube and two more at each
 * end that hold the exact solution: what their residual is goes into their sources, step by step,
 * so that they stand still within a step, too. Steps: implicit along lines with multigrid, where it
 * turns Runge-Kutta; advection of nut of second order. Error: L2 over square or cube, each variable
 * over its wave; of the flow: root of the sum of the squares of the five.
 */
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include "solver/flow/flow.h"
#include "solver/flow/turbulence.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/march/cfl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double quad; /* as wide as the host has it */

enum { RHO, U, V, W, P, NUT, NQ };
enum { FRAME = 2 };

/* of the residuals of the exact solution, which is the first state */
static const double LEAST = 1e-2;

static const quad gam = 1.4L, gas = 287, mu_ref = 0.02L, mu_T = 273.15L, mu_S = 110.4L;
static const quad pr = 0.72L, prt = 0.9L;

/* cp(T) = cp_0 + cp_1 T, above cp_lo K; 0: constant, of gam */
static const quad cp_0 = 500, cp_1 = 2, cp_lo = 200;
static int with_cp;

static quad cp_of(quad t)
{
    return with_cp ? cp_0 + cp_1 * t : gas * gam / (gam - 1);
}

/* rho e, per p */
static quad inner_of(quad t)
{
    const quad h = cp_0 * t + 0.5L * cp_1 * (t * t + cp_lo * cp_lo);
    return with_cp ? h / (gas * t) - 1 : 1 / (gam - 1);
}

/* base + two waves a sin(k.x + phase) */
struct wave {
    quad base, a[2], k[2][3], phase[2];
};
static const struct wave wave[NQ] = {
    {1.1L, {0.06L, 0.05L}, {{1.9L, 1.1L, 0.8L}, {-0.7L, 2.1L, 1.2L}}, {0.3L, 1.1L}},
    {120, {40, 7}, {{0.2L, 0.8L, -0.3L}, {1.2L, -0.8L, 1.5L}}, {-0.4L, 0.9L}},
    {80, {5, 4}, {{0.9L, 1.9L, 1.1L}, {-1.1L, 1.8L, 0.7L}}, {1.4L, 0.5L}},
    {60, {6, 7}, {{1.6L, -1.1L, 1.9L}, {0.9L, 1.7L, -1.3L}}, {0.7L, 2.0L}},
    {1e5L, {4e3L, 3e3L}, {{1.5L, 1.4L, 1.0L}, {-1.8L, 1.0L, 1.4L}}, {0.1L, 1.9L}},
    {0.25L, {0.06L, 0.05L}, {{1.7L, 1.6L, -1.0L}, {1.1L, -2.0L, 1.3L}}, {0.8L, 0.4L}}};

struct problem {
    int plane; /* nothing changes along z, w = 0 */
    quad omega;
    double edge;  /* m: of the square or cube */
    double shift; /* m: it lies this far off the axis */
};

struct point {
    quad q[NQ], g[NQ][3];
};

static void solution(const struct problem *m, const quad x[3], struct point *s)
{
    for (int n = 0; n < NQ; n++) {
        const struct wave *f = &wave[n];
        s->q[n] = m->plane && n == W ? 0 : f->base;
        s->g[n][0] = s->g[n][1] = s->g[n][2] = 0;
        for (int a = 0; a < 2 && !(m->plane && n == W); a++) {
            quad angle = f->phase[a];
            for (int d = 0; d < 3 - m->plane; d++)
                angle += f->k[a][d] * (x[d] - (d == 1 ? (quad)m->shift : 0));
            s->q[n] += f->a[a] * sinl(angle);
            for (int d = 0; d < 3 - m->plane; d++)
                s->g[n][d] += f->a[a] * f->k[a][d] * cosl(angle);
        }
    }
}

static quad wall_distance(const struct problem *m, const quad x[3])
{
    return 0.25L + 0.1L * x[0] + 0.2L * (x[1] - (quad)m->shift);
}

static quad viscosity(quad t)
{
    return mu_ref * powl(t / mu_T, 1.5L) * (mu_T + mu_S) / (t + mu_S);
}

/* What the grid moves with. */
static void sweep(const struct problem *m, const quad x[3], quad v[3])
{
    v[0] = 0;
    v[1] = -m->omega * x[2];
    v[2] = m->omega * x[1];
}

/* Fluxes along d: mass, momentum, energy, and (nu + nut) d nut / d x_d. */
static void flux(const struct problem *m, const quad x[3], int d, quad f[6])
{
    struct point s;
    quad vg[3], tau[3], div = 0, gt;
    solution(m, x, &s);
    sweep(m, x, vg);
    const quad *q = s.q, t = q[P] / (q[RHO] * gas), mu = viscosity(t), nu = mu / q[RHO];
    const quad chi3 = powl(q[NUT] / nu, 3), mut = q[RHO] * q[NUT] * chi3 / (chi3 + 357.911L);
    const quad cp = cp_of(t), u2 = q[U] * q[U] + q[V] * q[V] + q[W] * q[W];
    const quad energy = q[P] * inner_of(t) + 0.5L * q[RHO] * u2, rel = q[U + d] - vg[d];
    for (int c = 0; c < 3; c++)
        div += s.g[U + c][c];
    for (int c = 0; c < 3; c++)
        tau[c] = (mu + mut) * (s.g[U + c][d] + s.g[U + d][c] - (c == d ? 2 * div / 3 : 0));
    gt = t * (s.g[P][d] / q[P] - s.g[RHO][d] / q[RHO]);
    f[0] = q[RHO] * rel;
    for (int c = 0; c < 3; c++)
        f[1 + c] = q[RHO] * q[U + c] * rel + (c == d ? q[P] : 0) - tau[c];
    f[4] = energy * rel + q[P] * q[U + d] - (tau[0] * q[U] + tau[1] * q[V] + tau[2] * q[W]) -
           cp * (mu / pr + mut / prt) * gt;
    f[5] = (nu + q[NUT]) * s.g[NUT][d];
}

static quad sa_source(quad nut, quad nu, quad o, quad d)
{
    const quad cb1 = 0.1355L, k2 = 0.1681L, cw1 = cb1 / k2 + 1.622L * 1.5L;
    const quad chi = nut / nu, fv1 = powl(chi, 3) / (powl(chi, 3) + 357.911L);
    const quad st = o + nut / (k2 * d * d) * (1 - chi / (1 + chi * fv1));
    const quad r = nut / (st * k2 * d * d), g = r + 0.3L * (powl(r, 6) - r);
    const quad fw = g * powl(65 / (powl(g, 6) + 64), 1 / 6.0L), ft2 = 1.2L * expl(-chi * chi / 2);
    return cb1 * (1 - ft2) * st * nut - (cw1 * fw - cb1 / k2 * ft2) * (nut / d) * (nut / d);
}

/* Sources per volume of the conserved state and of rho nut. */
static void sources(const struct problem *m, const quad x[3], quad to[6])
{
    static const quad weight[3] = {45.0L / 60, -9.0L / 60, 1.0L / 60};
    const quad h = 2e-3L;
    struct point s;
    quad vg[3], advection = 0, square = 0;
    memset(to, 0, 6 * sizeof *to);
    for (int d = 0; d < 3 - m->plane; d++)
        for (int n = -3; n <= 3; n++) {
            quad y[3] = {x[0], x[1], x[2]}, f[6];
            y[d] += n * h;
            flux(m, y, d, f);
            for (int c = 0; c < 6 && n; c++)
                to[c] += (n < 0 ? -1 : 1) * weight[abs(n) - 1] * f[c] / h;
        }
    solution(m, x, &s);
    sweep(m, x, vg);
    to[2] -= s.q[RHO] * m->omega * s.q[W];
    to[3] += s.q[RHO] * m->omega * s.q[V];
    for (int d = 0; d < 3; d++) {
        advection += (s.q[U + d] - vg[d]) * s.g[NUT][d];
        square += s.g[NUT][d] * s.g[NUT][d];
    }
    const quad a = s.g[W][1] - s.g[V][2], b = s.g[U][2] - s.g[W][0], c = s.g[V][0] - s.g[U][1];
    const quad nu = viscosity(s.q[P] / (s.q[RHO] * gas)) / s.q[RHO];
    const quad source = sa_source(s.q[NUT], nu, sqrtl(a * a + b * b + c * c), wall_distance(m, x));
    to[5] = s.q[RHO] * (advection - source - 1.5L * (to[5] + 0.622L * square));
}

/* ---- the mesh ---- */

struct grid {
    struct problem m;
    int n; /* cells along the unit cube */
};

static void cube_map(void *context, const double s[3], double x[3])
{
    const struct grid *g = context;
    double t[3];
    for (int d = 0; d < 3; d++)
        t[d] = g->m.plane && d == 2 ? s[d] : (s[d] * (g->n + 2 * FRAME) - FRAME) / g->n;
    const double z = g->m.plane ? 0 : t[2];
    x[0] = t[0] + 0.06 * sin(4 * t[0]) + 0.20 * t[1] + 0.03 * sin(3 * t[1] + 2 * z);
    x[1] = t[1] + 0.08 * sin(3 * t[1] + 1) - 0.15 * z + 0.04 * sin(2 * t[0] + 1.5 * z);
    x[2] = t[2] + 0.06 * sin(3.5 * z) + 0.1 * t[0] + 0.03 * cos(2.5 * t[0] - 2 * t[1]);
    for (int d = 0; d < 3; d++)
        x[d] = g->m.plane && d == 2 ? 0.1 * t[2] : g->m.edge * x[d];
    x[1] += g->m.shift;
}

static const char *yaml =
    "case: manufactured\ndevice: cpu\n"
    "gas: {%s, R: 287, viscosity: sutherland, mu: 0.02, T_ref: 273.15, S: 110.4,\n"
    "  prandtl: 0.72, prandtl_turbulent: 0.9}\n"
    "turbulence: {model: sa, order: 2, inlet_viscosity_ratio: 10}\n"
    "initial: {p: 1e5, T: 300, mach: 0.4}\n"
    "boundaries:\n  far: {type: farfield, p: 1e5, T: 300, velocity: [120, 80, 60]}\n";

struct run {
    struct fixture f;
    struct grid g;
    double *x;   /* centres [3][cells] of the interior */
    double *fix; /* W, nut of all interior cells: [6][cells] */
};

static double *cell(struct run *r, enum an_field field, int c, int i, int j, int k)
{
    const struct an_level *l = r->f.solver->level;
    return (double *)l->fields.at[field] + c * l->layout.ncell +
           an_element(&l->layout.block[0], i, j, k);
}

/* Calls with the number of each interior cell, and whether it is one of the frame. */
#define CELLS(r, i, j, k, at, frame)                         \
    const int *n_ = (r)->f.solver->level->layout.block[0].n; \
    int64_t at = 0;                                          \
    for (int k = 0, frame = 0; k < n_[2]; k++)               \
        for (int j = 0; j < n_[1]; j++)                      \
            for (int i = 0; i < n_[0] && ((frame = in_frame(n_, i, j, k)), 1); i++, at++)

static int in_frame(const int n[3], int i, int j, int k)
{
    const int c[3] = {i, j, k};
    for (int d = 0; d < 3; d++)
        if (n[d] > 1 && (c[d] < FRAME || c[d] >= n[d] - FRAME))
            return 1;
    return 0;
}

/* The exact solution where it is asked for, ghosts included. */
static void restore(struct run *r, int all)
{
    struct an_solver *s = r->f.solver;
    const int64_t cells = (int64_t)s->level->layout.block[0].n[0] * s->level->layout.block[0].n[1] *
                          s->level->layout.block[0].n[2];
    CELLS(r, i, j, k, at, frame)
    {
        if (!frame && !all)
            continue;
        for (int c = 0; c < 5; c++)
            *cell(r, AN_F_W, c, i, j, k) = r->fix[c * cells + at];
        *cell(r, AN_F_TURB, 0, i, j, k) = r->fix[5 * cells + at];
    }
    fixture_must(an_level_ghosts(s, s->level, s->level->fields.at[AN_F_W]), "ghosts");
    fixture_must(an_turbulence_refresh(s), "turbulence");
}

/* Residuals into R and RT; then the frame's sources are what keeps it still. Returns the norm of
 * the density's residual off the frame. */
static double hold(struct run *r, double norm[6])
{
    struct an_measure m = {.integral = NULL};
    double volume = 0;
    fixture_must(an_solver_measure(r->f.solver, &m), "measure");
    memset(norm, 0, 6 * sizeof *norm);
    CELLS(r, i, j, k, at, frame)
    {
        const double v = *cell(r, AN_F_VOL, 0, i, j, k);
        for (int c = 0; c < 6; c++) {
            const double e = *cell(r, c < 5 ? AN_F_R : AN_F_RT, c % 5, i, j, k) / v;
            if (frame)
                *cell(r, AN_F_SOURCE, c, i, j, k) += e;
            else
                norm[c] += e * e * v;
        }
        volume += frame ? 0 : v;
    }
    for (int c = 0; c < 6; c++)
        norm[c] = sqrt(norm[c] / volume);
    return norm[0];
}

static void open_run(struct run *r, const char *name, const struct grid *g, const char *scheme)
{
    const int plane = g->m.plane, n = g->n + 2 * FRAME;
    const enum an_bc_type side = plane ? AN_BC_SYMMETRY : AN_BC_FARFIELD;
    const char *side_name = plane ? "side" : "far";
    const struct vm_segment ends[] = {{.dir = 0, .side = 0, .type = AN_BC_FARFIELD, .name = "far"},
                                      {.dir = 0, .side = 1, .type = AN_BC_FARFIELD, .name = "far"},
                                      {.dir = 1, .side = 0, .type = AN_BC_FARFIELD, .name = "far"},
                                      {.dir = 1, .side = 1, .type = AN_BC_FARFIELD, .name = "far"},
                                      {.dir = 2, .side = 0, .type = side, .name = side_name},
                                      {.dir = 2, .side = 1, .type = side, .name = side_name}};
    r->g = *g;
    const struct vm_box box = {.n = {n, n, plane ? 1 : n},
                               .turn = -1,
                               .map = cube_map,
                               .context = &r->g,
                               .nsegment = 6,
                               .segment = ends};
    const char *mesh = fixture_path("manufactured.cgns");
    const char *rows = g->m.omega != 0 ? verify_text("rows:\n  r: {zones: [\"*\"], omega: %g}\n",
                                                     (double)g->m.omega)
                                       : "";
    vm_write(mesh, &box);
    const char *gas_keys = with_cp ? "cp: [500, 2], T_range: [200, 600]" : "gamma: 1.4";
    const char *head = verify_text(yaml, gas_keys);
    const char *sides = plane ? "  side: {type: symmetry}\n" : "";
    fixture_open(&r->f, name, verify_text("%s%s%s%s", head, sides, scheme, rows), mesh);
    struct an_solver *s = r->f.solver;
    fixture_must(an_level_alloc(s, s->level, AN_F_SOURCE), "sources");
    const int *size = s->level->layout.block[0].n;
    const int64_t cells = (int64_t)size[0] * size[1] * size[2];
    double *nodes = malloc((size_t)(size[0] + 1) * (size_t)(size[1] + 1) * (size_t)(size[2] + 1) *
                           3 * sizeof *nodes);
    r->fix = malloc((size_t)cells * 6 * sizeof *r->fix);
    fixture_must(an_nodes_read(&r->f.mesh, &s->level->partition.piece[0], nodes), "nodes");
    CELLS(r, i, j, k, at, frame)
    {
        double centre[3];
        struct point p;
        quad f[6];
        an_nodes_centre(size, nodes, i, j, k, centre);
        const quad x[3] = {centre[0], centre[1], centre[2]};
        solution(&g->m, x, &p);
        sources(&g->m, x, f);
        for (int c = 0; c < 6; c++)
            *cell(r, AN_F_SOURCE, c, i, j, k) = (double)f[c];
        *cell(r, AN_F_WD, 0, i, j, k) = (double)wall_distance(&g->m, x);
        const quad *q = p.q, t = q[P] / (q[RHO] * gas),
                   u2 = q[U] * q[U] + q[V] * q[V] + q[W] * q[W];
        r->fix[at] = (double)q[RHO];
        for (int c = 0; c < 3; c++)
            r->fix[(1 + c) * cells + at] = (double)(q[RHO] * q[U + c]);
        r->fix[4 * cells + at] = (double)(q[P] * inner_of(t) + 0.5L * q[RHO] * u2);
        r->fix[5 * cells + at] = (double)q[NUT];
        (void)frame;
    }
    free(nodes);
    an_solver_ramp(s);
}

/* L2 of the difference from the exact solution, over the variable's wave; W's five and nut. */
static void errors(struct run *r, double e[6])
{
    const int *size = r->f.solver->level->layout.block[0].n;
    const int64_t cells = (int64_t)size[0] * size[1] * size[2];
    double volume = 0;
    memset(e, 0, 6 * sizeof *e);
    CELLS(r, i, j, k, at, frame)
    {
        const double v = *cell(r, AN_F_VOL, 0, i, j, k);
        for (int c = 0; c < 6 && !frame; c++) {
            const double d =
                *cell(r, c < 5 ? AN_F_W : AN_F_TURB, c % 5, i, j, k) - r->fix[c * cells + at];
            e[c] += d * d * v;
        }
        volume += frame ? 0 : v;
    }
    static const double scale[6] = {0.1, 30, 10, 12, 2e4, 0.1};
    for (int c = 0; c < 6; c++)
        e[c] = sqrt(e[c] / volume) / scale[c];
}

static void order_of(const char *name, struct problem m, const int n[2], const char *scheme)
{
    static const char *const variable[5] = {"rho", "rho u", "rho v", "rho w", "rho E"};
    double e[2][6], t[2][6];
    for (int g = 0; g < 2; g++) {
        struct run r;
        const struct grid grid = {m, n[g]};
        double now[6], drop = 1;
        int step = 0;
        open_run(&r, "manufactured", &grid, scheme);
        restore(&r, 1);
        hold(&r, t[g]);
        for (; step < 500 && drop > LEAST; step++) {
            fixture_must(an_solver_step(r.f.solver, 0), "step");
            restore(&r, 0);
            hold(&r, now);
            drop = 0;
            for (int c = 0; c < 6; c++)
                drop = verify_worst(drop, t[g][c] > 0 ? now[c] / t[g][c] : 0);
        }
        errors(&r, e[g]);
        verify_note("%s, %d cells: rho %.2e u %.2e v %.2e w %.2e E %.2e nut %.2e; residual %.1e of "
                    "the first in %d steps",
                    name, n[g], e[g][0], e[g][1], e[g][2], e[g][3], e[g][4], e[g][5], drop, step);
        verify_check(verify_text("%s, %d cells: converged", name, n[g]), drop, 0, LEAST);
        free(r.fix);
        fixture_close(&r.f);
    }
    const double ratio = (double)n[1] / n[0];
    double all[2] = {0, 0};
    for (int c = 0; c < 5; c++) {
        if (m.plane && c == 3)
            continue;
        for (int g = 0; g < 2; g++)
            all[g] += e[g][c] * e[g][c];
        verify_note("%s: %s: order of the error %.2f, of the residual %.2f", name, variable[c],
                    verify_order(e[0][c], e[1][c], ratio), verify_order(t[0][c], t[1][c], ratio));
    }
    verify_check(verify_text("%s: order of the flow", name),
                 verify_order(sqrt(all[0]), sqrt(all[1]), ratio), 1.9, 2.1);
    verify_check(verify_text("%s: order of nut", name), verify_order(e[0][5], e[1][5], ratio), 1.9,
                 2.1);
}

int main(int argc, char **argv)
{
    static const int plane[2] = {32, 64}, space[2] = {9, 18};
    static const char *const roe =
        "scheme: {flux: roe, limiter: none}\nmarch: {method: implicit, cfl: 100}\n";
    static const char *const jst = "scheme: {flux: jst}\nmarch: {method: implicit, cfl: 50}\n";
    static const char *const slow = "scheme: {flux: jst}\nmarch: {method: runge_kutta, cfl: 2}\n";
    const struct problem flat = {.plane = 1, .edge = 1}, full = {.edge = 0.5};
    const struct problem turning = {.omega = 60, .edge = 0.5, .shift = 1};
    verify_start(&argc, &argv);
    order_of("plane, roe", flat, plane, roe);
    order_of("plane, jst", flat, plane, jst);
    order_of("space, jst", full, space, jst);
    order_of("turning, jst", turning, space, slow);
    with_cp = 1;
    order_of("plane, roe, cp(T)", flat, plane, roe);
    order_of("plane, jst, cp(T)", flat, plane, jst);
    return verify_end();
}

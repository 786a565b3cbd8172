/* A gas from a table (gas_real.h makes it): point functions for hosts and devices in both precisions.
 *
 * Fields are bicubic Hermite interpolants over X = ln p, Y = ln(p / rho), with value, slopes and cross
 * derivative at each node: once continuously differentiable, so that the speed of sound is continuous.
 * From e(X, Y), with P = p / rho,
 *
 *     kappa = P / (e_X + e_Y),  c^2 = kappa (P + e_Y),  chi = c^2 - kappa (e + P),
 *
 * and isentropes, de = P d(ln rho), are
 *
 *     dY / dX = (P - e_X) / (P + e_Y),  dh / dX = P,  dl / dX = P / c  (simple waves carry u +- l),
 *
 * so that the fluxes' energy, entropy waves and boundaries follow from one function exactly.
 *
 * Beyond the box in X a field keeps its value of the edge, beyond it in Y it goes on linearly; e stays
 * monotone there, so that any e and rho > 0 have a pressure above zero. */
#ifndef AN_GAS_TABLE_H
#define AN_GAS_TABLE_H

#include "kernels/physics/gas_math.h"
#include "kernels/physics/gas_real.h"

#include <string.h>

/* The table as kernels use it. node[field][ny][nx][4]: value, slopes by X and Y, cross derivative, per
 * spacing; start[START][START][4]: Y over ln rho and e, from where Newton's method begins, likewise. */
struct AN_FN(an_table) {
    const real *node, *start;
    int nx, ny;
    real x0, per_x, x_most, y0, per_y, y_most, step_y;
    real r0, per_r, e0, per_e;
    int newton;                    /* steps */
    real s_ref, s_scale, s_factor; /* p / rho^gamma of the middle of the box, as exp of s */
};

/* NULL: all is zero. */
AN_INLINE struct AN_FN(an_table)
    AN_FN(an_table_from)(const struct an_gas_table *of, const real *data)
{
    struct AN_FN(an_table) t;
    memset(&t, 0, sizeof t);
    if (!of)
        return t;
    t.node = data;
    t.start = data + an_gas_table_nodes(of);
    t.nx = of->n[0];
    t.ny = of->n[1];
    t.x0 = (real)of->low[0];
    t.per_x = (real)(1 / of->step[0]);
    t.x_most = (real)(of->n[0] - 1);
    t.y0 = (real)of->low[1];
    t.per_y = (real)(1 / of->step[1]);
    t.y_most = (real)(of->n[1] - 1);
    t.step_y = (real)of->step[1];
    t.r0 = (real)of->start_low[0];
    t.per_r = (real)(1 / of->start_step[0]);
    t.e0 = (real)of->start_low[1];
    t.per_e = (real)(1 / of->start_step[1]);
    t.newton = of->newton[AN_PRECISION == 64];
    t.s_ref = (real)of->s_ref;
    t.s_scale = (real)(1 / of->cv_ref);
    t.s_factor = (real)of->function_ref;
    return t;
}

/* Where (X, Y) lies: the node below, the part of the spacing from it, and what is beyond the box. */
struct AN_FN(an_spot) {
    int node;
    real a, b;    /* 0 to 1 */
    real within;  /* 1, beyond the box in X 0 */
    real off;     /* beyond the box in Y, in spacings */
    real x, y, P; /* P = exp(y) */
};

AN_INLINE struct AN_FN(an_spot)
    AN_FN(an_table_spot)(const struct AN_FN(an_table) * t, real x, real y, real P)
{
    struct AN_FN(an_spot) o;
    const real zero = AN_R(0.0);
    const real s = (x - t->x0) * t->per_x, u = (y - t->y0) * t->per_y;
    const real sc = AN_MIN(AN_MAX(s, zero), t->x_most), uc = AN_MIN(AN_MAX(u, zero), t->y_most);
    int i = (int)sc, j = (int)uc;
    i = i < t->nx - 2 ? i : t->nx - 2;
    j = j < t->ny - 2 ? j : t->ny - 2;
    o.node = 4 * (j * t->nx + i);
    o.a = sc - (real)i;
    o.b = uc - (real)j;
    o.within = s == sc ? AN_R(1.0) : zero;
    o.off = u - uc;
    o.x = x;
    o.y = y;
    o.P = P;
    return o;
}

AN_INLINE struct AN_FN(an_spot)
    AN_FN(an_table_at)(const struct AN_FN(an_table) * t, real rho, real p)
{
    const real x = AN_LOG(p);
    return AN_FN(an_table_spot)(t, x, x - AN_LOG(rho), p / rho);
}

/* Value and derivatives by X and Y. */
struct AN_FN(an_patch) {
    real v, x, y;
};

/* Of one row of nodes, at the part a: value, slope by a, and the same of the slope by Y. */
struct AN_FN(an_table_row) {
    real v, x, y, xy;
};

AN_INLINE struct AN_FN(an_table_row) AN_FN(an_table_row_of)(const real *n, real a)
{
    const real one = AN_R(1.0), two = AN_R(2.0), three = AN_R(3.0), r = one - a;
    const real h = a * a * AN_FMA(-two, a, three), g = a * r * r, k = -(a * a) * r;
    const real dh = AN_R(6.0) * a * r, dg = r * AN_FMA(-three, a, one),
               dk = a * AN_FMA(three, a, -two);
    struct AN_FN(an_table_row) o;
    o.v = n[0] + AN_FMA(k, n[5], AN_FMA(g, n[1], h * (n[4] - n[0])));
    o.x = AN_FMA(dk, n[5], AN_FMA(dg, n[1], dh * (n[4] - n[0])));
    o.y = n[2] + AN_FMA(k, n[7], AN_FMA(g, n[3], h * (n[6] - n[2])));
    o.xy = AN_FMA(dk, n[7], AN_FMA(dg, n[3], dh * (n[6] - n[2])));
    return o;
}

/* Within the box. */
AN_INLINE struct AN_FN(an_patch) AN_FN(an_table_inner)(const struct AN_FN(an_table) * t, int field,
                                                       const struct AN_FN(an_spot) * o)
{
    const real *const n = t->node + 4 * (field * t->nx * t->ny) + o->node;
    const struct AN_FN(an_table_row) low = AN_FN(an_table_row_of)(n, o->a);
    const struct AN_FN(an_table_row) up = AN_FN(an_table_row_of)(n + 4 * t->nx, o->a);
    const real one = AN_R(1.0), two = AN_R(2.0), three = AN_R(3.0), b = o->b, r = one - b;
    const real h = b * b * AN_FMA(-two, b, three), g = b * r * r, k = -(b * b) * r;
    const real dh = AN_R(6.0) * b * r, dg = r * AN_FMA(-three, b, one),
               dk = b * AN_FMA(three, b, -two);
    struct AN_FN(an_patch) f;
    f.v = low.v + AN_FMA(k, up.y, AN_FMA(g, low.y, h * (up.v - low.v)));
    f.x =
        (low.x + AN_FMA(k, up.xy, AN_FMA(g, low.xy, h * (up.x - low.x)))) * (o->within * t->per_x);
    f.y = AN_FMA(dk, up.y, AN_FMA(dg, low.y, dh * (up.v - low.v))) * t->per_y;
    return f;
}

/* Linear beyond the box in Y. */
AN_INLINE struct AN_FN(an_patch) AN_FN(an_table_patch)(const struct AN_FN(an_table) * t, int field,
                                                       const struct AN_FN(an_spot) * o)
{
    struct AN_FN(an_patch) f = AN_FN(an_table_inner)(t, field, o);
    f.v = AN_FMA(f.y, (o->off * t->step_y), f.v);
    f.x = o->off == AN_R(0.0) ? f.x : AN_R(0.0);
    return f;
}

/* The temperature stays positive below the box: v^2 / (v - slope). */
AN_INLINE struct AN_FN(an_patch)
    AN_FN(an_table_temperature)(const struct AN_FN(an_table) * t, const struct AN_FN(an_spot) * o)
{
    struct AN_FN(an_patch) f = AN_FN(an_table_inner)(t, AN_TABLE_T, o);
    const real more = f.y * (o->off * t->step_y), part = f.v / (f.v + AN_FABS(more));
    const int below = o->off < AN_R(0.0);
    f.v = below ? f.v * part : f.v + more;
    f.y = below ? f.y * part * part : f.y;
    f.x = o->off == AN_R(0.0) ? f.x : AN_R(0.0);
    return f;
}

/* Y of ln rho and the internal energy per mass. */
AN_INLINE real AN_FN(an_table_invert)(const struct AN_FN(an_table) * t, real log_rho, real e)
{
    enum { N = AN_TABLE_START };
    const real zero = AN_R(0.0), most = (real)(N - 1), one = AN_R(1.0);
    const real u = AN_MIN(AN_MAX((log_rho - t->r0) * t->per_r, zero), most);
    const real w = AN_MIN(AN_MAX((e - t->e0) * t->per_e, zero), most);
    int i = (int)u, j = (int)w;
    i = i < N - 2 ? i : N - 2;
    j = j < N - 2 ? j : N - 2;
    const real a = u - (real)i, b = w - (real)j;
    const real *const n = t->start + AN_TABLE_START_WORDS * (j * N + i);
    const struct AN_FN(an_table_row) low = AN_FN(an_table_row_of)(n, a);
    const struct AN_FN(an_table_row) up = AN_FN(an_table_row_of)(n + AN_TABLE_START_WORDS * N, a);
    const real r = one - b, h = b * b * AN_FMA(AN_R(-2.0), b, AN_R(3.0));
    real y = low.v + AN_FMA(-(b * b) * r, up.y, AN_FMA(b * r * r, low.y, h * (up.v - low.v)));
    for (int m = 0; m < t->newton; m++) {
        const struct AN_FN(an_spot) o = AN_FN(an_table_spot)(t, y + log_rho, y, zero);
        const struct AN_FN(an_patch) f = AN_FN(an_table_patch)(t, AN_TABLE_E, &o);
        y += (e - f.v) / (f.x + f.y);
    }
    return y;
}

/* p of density and internal energy per mass. */
AN_INLINE real AN_FN(an_table_pressure)(const struct AN_FN(an_table) * t, real rho, real e)
{
    return rho * AN_EXP(AN_FN(an_table_invert)(t, AN_LOG(rho), e));
}

/* ---- isentropes ---- */

/* A state on an isentrope: ln p, ln(p / rho), and h and l from where it began. */
struct AN_FN(an_isentrope) {
    real x, y, h, l;
};

/* Which of its quantities a step along an isentrope is given in. */
enum an_isentrope_by { AN_BY_X, AN_BY_H, AN_BY_L };

/* Derivatives of all by the given one. */
AN_INLINE struct AN_FN(an_isentrope)
    AN_FN(an_isentrope_rate)(const struct AN_FN(an_table) * t, real x, real y, const int by)
{
    const real P = AN_EXP(y);
    const struct AN_FN(an_spot) o = AN_FN(an_table_spot)(t, x, y, P);
    const struct AN_FN(an_patch) e = AN_FN(an_table_patch)(t, AN_TABLE_E, &o);
    const real slope = (P - e.x) / (P + e.y), wave = AN_SQRT(P * (e.x + e.y) / (P + e.y));
    const real over = by == AN_BY_X   ? AN_R(1.0)
                      : by == AN_BY_H ? AN_R(1.0) / P
                                      : AN_R(1.0) / wave; /* d X by the given one */
    struct AN_FN(an_isentrope) d;
    d.x = over;
    d.y = slope * over;
    d.h = P * over;
    d.l = wave * over;
    return d;
}

/* Runge and Kutta's fourth-order method in n steps. */
AN_INLINE struct AN_FN(an_isentrope)
    AN_FN(an_isentrope_move)(const struct AN_FN(an_table) * t, struct AN_FN(an_isentrope) z,
                             const int by, real all, const int n)
{
    const real d = all / (real)n, half = AN_R(0.5) * d, sixth = d / AN_R(6.0), two = AN_R(2.0);
    for (int m = 0; m < n; m++) {
        const struct AN_FN(an_isentrope) a = AN_FN(an_isentrope_rate)(t, z.x, z.y, by);
        const struct AN_FN(an_isentrope) b =
            AN_FN(an_isentrope_rate)(t, AN_FMA(half, a.x, z.x), AN_FMA(half, a.y, z.y), by);
        const struct AN_FN(an_isentrope) c =
            AN_FN(an_isentrope_rate)(t, AN_FMA(half, b.x, z.x), AN_FMA(half, b.y, z.y), by);
        const struct AN_FN(an_isentrope) e =
            AN_FN(an_isentrope_rate)(t, AN_FMA(d, c.x, z.x), AN_FMA(d, c.y, z.y), by);
        z.x = AN_FMA(sixth, AN_FMA(two, b.x + c.x, a.x) + e.x, z.x);
        z.y = AN_FMA(sixth, AN_FMA(two, b.y + c.y, a.y) + e.y, z.y);
        z.h = AN_FMA(sixth, AN_FMA(two, b.h + c.h, a.h) + e.h, z.h);
        z.l = AN_FMA(sixth, AN_FMA(two, b.l + c.l, a.l) + e.l, z.l);
    }
    return z;
}

/* Steps of a move from one state of a boundary to another. */
enum { AN_ISENTROPE_STEPS = 4 };

AN_INLINE struct AN_FN(an_isentrope) AN_FN(an_isentrope_from)(real rho, real p)
{
    struct AN_FN(an_isentrope) z;
    z.x = AN_LOG(p);
    z.y = z.x - AN_LOG(rho);
    z.h = z.l = AN_R(0.0);
    return z;
}

AN_INLINE real AN_FN(an_isentrope_sound)(const struct AN_FN(an_table) * t,
                                         const struct AN_FN(an_isentrope) * z)
{
    const real P = AN_EXP(z->y);
    const struct AN_FN(an_spot) o = AN_FN(an_table_spot)(t, z->x, z->y, P);
    const struct AN_FN(an_patch) e = AN_FN(an_table_patch)(t, AN_TABLE_E, &o);
    return AN_SQRT(P * (P + e.y) / (e.x + e.y));
}

/* rho at p and T: Newton's method in Y on ln T, which is nearly linear in Y. */
AN_INLINE real AN_FN(an_table_density)(const struct AN_FN(an_table) * t, real p, real temperature)
{
    const real x = AN_LOG(p);
    real y = t->y0 + AN_R(0.5) * t->y_most / t->per_y;
    for (int m = 0; m < 6; m++) {
        const struct AN_FN(an_spot) o = AN_FN(an_table_spot)(t, x, y, AN_R(0.0));
        const struct AN_FN(an_patch) f = AN_FN(an_table_temperature)(t, &o);
        y += AN_LOG(temperature / f.v) * f.v / f.y;
    }
    return p * AN_EXP(-y);
}

#endif

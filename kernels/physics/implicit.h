/* The implicit operator: flux Jacobians of one face, direction-free, as 5 x 5 matrices.
 *
 * Convective: A = dF/dW for the flux through area vector s = |s| n, split upwind at a mean state:
 *     A(+-) = |s| (A +- |A|) / 2,
 *     A  = u_n I + [1, u, H] m + [0, n, u_n] p,     p = dp/dW, m = n . d(rho u)/dW - u_n d(rho)/dW
 *     |A| = l3 I + [1, u, H] (a3 p/c^2 + a2 m/c) + [0, n, u_n] (a2 p/c + a3 m),
 *     a2 = (l1 - l2)/2, a3 = (l1 + l2)/2 - l3
 * (Turkel's closed form; see flux.h), so both are a multiple of the unit matrix plus two dyads.
 * dp/dW = kappa [|u|^2 / 2 + chi / kappa, -u, 1], see gas.h. Eigenvalues are kept above
 * prm->lines.floor (|u_n| + c).
 *
 * A face that turns and sweeps g (flux.h) has the flux F - g W: u_n - g / |s| in place of u_n, in
 * the eigenvalues and in the first term of A only. Closed, it has [0, s, g] p.
 *
 * Viscous, thin layer: the flux through a face of area |s| between centres r apart is taken as
 * mu |s|^2 / (s.r) [0, du + n (n.du)/3, u.(...) + k de], d = right - left, de the change of
 * internal energy.
 *
 * Source: Rossow, JCP 220, 2007; Swanson, Turkel, Rossow, JCP 224, 2007.
 */
#ifndef AN_IMPLICIT_H
#define AN_IMPLICIT_H

#include "kernels/physics/low_mach.h"
#include "kernels/physics/tridiagonal.h"
#include "kernels/physics/viscous.h"

/* x[5][5] += s I + [1, u, H] a + [0, n, un] b, a and b of five components. */
AN_INLINE void AN_FN(an_add_split)(real x[5][5], real s, const real a[5], const real b[5], real u,
                                   real v, real w, real h, real nx, real ny, real nz, real un)
{
    for (int c = 0; c < 5; c++) {
        x[0][c] += a[c];
        x[1][c] = AN_FMA(nx, b[c], AN_FMA(u, a[c], x[1][c]));
        x[2][c] = AN_FMA(ny, b[c], AN_FMA(v, a[c], x[2][c]));
        x[3][c] = AN_FMA(nz, b[c], AN_FMA(w, a[c], x[3][c]));
        x[4][c] = AN_FMA(un, b[c], AN_FMA(h, a[c], x[4][c]));
    }
    x[0][0] += s;
    x[1][1] += s;
    x[2][2] += s;
    x[3][3] += s;
    x[4][4] += s;
}

AN_INLINE real AN_FN(an_dot)(real x, real y, real z, real a, real b, real c)
{
    return AN_FMA(z, c, AN_FMA(y, b, x * a));
}

/* Factors of |A| per area, |A| = l3 I + [1, u, H] (m_m m + m_p p) + [0, n, u_n] (p_m m + p_p p), with m and p as above.
 * In preconditioned marches they are those of Gamma |Gamma^-1 A| (low_mach.h). */
struct AN_FN(an_absolute) {
    real l3, m_m, m_p, p_m, p_p;
};

AN_INLINE struct AN_FN(an_absolute)
    AN_FN(an_absolute_of)(real wn, real q2, real c2, const struct AN_FN(an_prm) * prm)
{
    const real half = AN_R(0.5);
    struct AN_FN(an_absolute) t;
    real c = AN_SQRT(c2);
    real least = prm->lines.floor * (AN_FABS(wn) + c);
    real l1 = AN_MAX(AN_FABS(wn + c), least), l2 = AN_MAX(AN_FABS(wn - c), least);
    real l3 = AN_MAX(AN_FABS(wn), least);
    real a3 = half * (l1 + l2) - l3, a2 = half * (l1 - l2), per_c = AN_R(1.0) / c;
    t.l3 = l3;
    t.m_m = t.p_p = a2 * per_c;
    t.m_p = a3 * per_c * per_c;
    t.p_m = a3;
    if (prm->flux.precondition) { /* an_slow_waves */
        const struct AN_FN(an_slow) s = AN_FN(an_slow_waves)(wn, AN_R(2.0) * q2, c2, prm);
        least = prm->lines.floor * (AN_FABS(s.u) + s.c);
        l1 = AN_MAX(AN_FABS(s.u + s.c), least);
        l2 = AN_MAX(AN_FABS(s.u - s.c), least);
        t.l3 = AN_MAX(AN_FABS(wn), least);
        a3 = half * (l1 + l2);
        a2 = half * (l1 - l2) / s.c;
        t.m_m = t.p_p = a2;
        t.m_p = (a3 - s.turn * a2) / s.ur2 - t.l3 / c2;
        t.p_m = a3 + s.turn * a2 - t.l3;
    }
    return t;
}

/* f A+ and f A- of the mean of two states, as an_add_split takes them: of A+ s, a, b, of A- sm, am,
 * bm. */
struct AN_FN(an_split) {
    real s, a[5], b[5], sm, am[5], bm[5], u, v, w, h, nx, ny, nz, un;
};

/* g: what the face sweeps. */
AN_INLINE struct AN_FN(an_split)
    AN_FN(an_split_of)(real f, const struct AN_FN(an_cell) * l, const struct AN_FN(an_cell) * r,
                       real sx, real sy, real sz, real g, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_split) t;
    const real half = AN_R(0.5);
    real area = AN_SQRT(AN_FN(an_dot)(sx, sy, sz, sx, sy, sz));
    real inverse = area > AN_R(0.0) ? AN_R(1.0) / area : AN_R(0.0);
    real nx = sx * inverse, ny = sy * inverse, nz = sz * inverse;
    real u = half * (l->u + r->u), v = half * (l->v + r->v), w = half * (l->w + r->w);
    real h = half * (l->H + r->H), q2 = half * AN_FN(an_dot)(u, v, w, u, v, w);
    const struct AN_FN(an_acoustics) gas = AN_FN(an_cell_acoustics_mean)(l, r, h, q2, prm);
    const real g1 = gas.kappa, c2 = gas.c2;
    real un = AN_FN(an_dot)(u, v, w, nx, ny, nz);
    real wn = AN_FMA(-g, inverse, un); /* from the face */
    const struct AN_FN(an_absolute) wave = AN_FN(an_absolute_of)(wn, q2, c2, prm);
    /* the factor lies in m and p from here on */
    const real size = half * f * area, sp = size * g1;
    const real p[5] = {AN_FN(an_add_chi)(sp * q2, &gas, size), -sp * u, -sp * v, -sp * w, sp};
    const real m[5] = {-size * un, size * nx, size * ny, size * nz, AN_R(0.0)};
    for (int n = 0; n < 5; n++) {
        const real six = AN_FMA(wave.m_m, m[n], wave.m_p * p[n]);
        const real seven = AN_FMA(wave.p_m, m[n], wave.p_p * p[n]);
        t.a[n] = m[n] + six;
        t.b[n] = p[n] + seven;
        t.am[n] = m[n] - six;
        t.bm[n] = p[n] - seven;
    }
    t.s = size * (wn + wave.l3);
    t.sm = size * (wn - wave.l3);
    t.u = u;
    t.v = v;
    t.w = w;
    t.h = h;
    t.nx = nx;
    t.ny = ny;
    t.nz = nz;
    t.un = un;
    return t;
}

/* x += f A+(s) and y += f A-(s) of the mean of two states. g: what the face sweeps. */
AN_INLINE void AN_FN(an_add_upwind)(real x[5][5], real y[5][5], real f,
                                    const struct AN_FN(an_cell) * l,
                                    const struct AN_FN(an_cell) * r, real sx, real sy, real sz,
                                    real g, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_split) t = AN_FN(an_split_of)(f, l, r, sx, sy, sz, g, prm);
    AN_FN(an_add_split)(x, t.s, t.a, t.b, t.u, t.v, t.w, t.h, t.nx, t.ny, t.nz, t.un);
    AN_FN(an_add_split)(y, t.sm, t.am, t.bm, t.u, t.v, t.w, t.h, t.nx, t.ny, t.nz, t.un);
}

/* x += f |A(s)| of a state. g: what the face sweeps. */
AN_INLINE void AN_FN(an_add_absolute)(real x[5][5], real f, const struct AN_FN(an_cell) * q,
                                      real sx, real sy, real sz, real g,
                                      const struct AN_FN(an_prm) * prm)
{
    const real half = AN_R(0.5);
    real area = AN_SQRT(AN_FN(an_dot)(sx, sy, sz, sx, sy, sz));
    real inverse = area > AN_R(0.0) ? AN_R(1.0) / area : AN_R(0.0);
    real nx = sx * inverse, ny = sy * inverse, nz = sz * inverse;
    real q2 = half * AN_FN(an_dot)(q->u, q->v, q->w, q->u, q->v, q->w);
    const struct AN_FN(an_acoustics) gas = AN_FN(an_cell_acoustics)(q, prm);
    const real g1 = gas.kappa, c2 = gas.c2;
    real un = AN_FN(an_dot)(q->u, q->v, q->w, nx, ny, nz);
    real wn = AN_FMA(-g, inverse, un); /* from the face */
    const struct AN_FN(an_absolute) wave = AN_FN(an_absolute_of)(wn, q2, c2, prm);
    const real size = f * area, sp = size * g1;
    const real p[5] = {AN_FN(an_add_chi)(sp * q2, &gas, size), -sp * q->u, -sp * q->v, -sp * q->w,
                       sp};
    const real m[5] = {-size * un, size * nx, size * ny, size * nz, AN_R(0.0)};
    real a[5], b[5];
    for (int n = 0; n < 5; n++) {
        a[n] = AN_FMA(wave.m_m, m[n], wave.m_p * p[n]);
        b[n] = AN_FMA(wave.p_m, m[n], wave.p_p * p[n]);
    }
    AN_FN(an_add_split)(x, size * wave.l3, a, b, q->u, q->v, q->w, q->H, nx, ny, nz, un);
}

/* x += f (Gamma - I): Gamma (low_mach.h) multiplies the time derivative of the preconditioned equations. */
AN_INLINE void AN_FN(an_add_slow_time)(real x[5][5], real f, const struct AN_FN(an_cell) * q,
                                       const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_acoustics) gas = AN_FN(an_cell_acoustics)(q, prm);
    const real q2 = AN_R(0.5) * AN_FN(an_dot)(q->u, q->v, q->w, q->u, q->v, q->w);
    const struct AN_FN(an_slow) t = AN_FN(an_slow_waves)(AN_R(0.0), AN_R(2.0) * q2, gas.c2, prm);
    const real size = f * (AN_R(1.0) / t.ur2 - AN_R(1.0) / gas.c2), sp = size * gas.kappa;
    const real a[5] = {AN_FN(an_add_chi)(sp * q2, &gas, size), -sp * q->u, -sp * q->v, -sp * q->w,
                       sp};
    const real zero = AN_R(0.0), b[5] = {zero, zero, zero, zero, zero};
    AN_FN(an_add_split)(x, zero, a, b, q->u, q->v, q->w, q->H, zero, zero, zero, zero);
}

/* x += f times the Jacobian of the pressure's force on a closed face: [0, s, g] dp/dW. */
AN_INLINE void AN_FN(an_add_pressure)(real x[5][5], real f, const struct AN_FN(an_cell) * q,
                                      real sx, real sy, real sz, real g,
                                      const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_acoustics) gas = AN_FN(an_cell_acoustics)(q, prm);
    const real g1 = gas.kappa;
    const real q2 = AN_R(0.5) * (q->u * q->u + q->v * q->v + q->w * q->w);
    const real p[5] = {AN_FN(an_add_chi)(g1 * q2, &gas, AN_R(1.0)), -g1 * q->u, -g1 * q->v,
                       -g1 * q->w, g1};
    for (int c = 0; c < 5; c++) {
        x[1][c] += f * sx * p[c];
        x[2][c] += f * sy * p[c];
        x[3][c] += f * sz * p[c];
        x[4][c] += f * g * p[c];
    }
}

/* x += f N(q): what the viscous flux per mu |s|^2 / (s.r) takes from a change of q. k: ratio of
 * diffusivities of internal energy and momentum; nx, ny, nz: the face's unit normal. */
AN_INLINE void AN_FN(an_add_viscous)(real x[5][5], real f, const struct AN_FN(an_cell) * q, real k,
                                     real nx, real ny, real nz, const struct AN_FN(an_prm) * prm)
{
    const real specific = AN_R(1.0) / q->rho, inverse = f * specific;
    const real third = AN_R(0.3333333333333333) * inverse;
    const real tx = third * nx, ty = third * ny, tz = third * nz;
    const real un = AN_FN(an_dot)(q->u, q->v, q->w, nx, ny, nz);
    const real q2 = AN_FN(an_dot)(q->u, q->v, q->w, q->u, q->v, q->w);
    const real e = AN_FN(an_cell_internal)(q, prm);
    /* momentum: (d(rho u) - u d(rho)) / rho and its normal part over three */
    x[1][0] = AN_FMA(-tx, un, AN_FMA(-inverse, q->u, x[1][0]));
    x[2][0] = AN_FMA(-ty, un, AN_FMA(-inverse, q->v, x[2][0]));
    x[3][0] = AN_FMA(-tz, un, AN_FMA(-inverse, q->w, x[3][0]));
    x[1][1] = AN_FMA(tx, nx, x[1][1] + inverse);
    x[1][2] = AN_FMA(tx, ny, x[1][2]);
    x[1][3] = AN_FMA(tx, nz, x[1][3]);
    x[2][1] = AN_FMA(ty, nx, x[2][1]);
    x[2][2] = AN_FMA(ty, ny, x[2][2] + inverse);
    x[2][3] = AN_FMA(ty, nz, x[2][3]);
    x[3][1] = AN_FMA(tz, nx, x[3][1]);
    x[3][2] = AN_FMA(tz, ny, x[3][2]);
    x[3][3] = AN_FMA(tz, nz, x[3][3] + inverse);
    /* energy: u . momentum + k de, rho de = dE - u . d(rho u) + (q2 / 2 - e) d(rho) */
    const real rest = inverse * (AN_R(1.0) - k);
    x[4][0] = AN_FMA(-third * un, un,
                     AN_FMA(inverse, AN_FMA(k, AN_FMA(AN_R(0.5), q2, -e), -q2), x[4][0]));
    x[4][1] = AN_FMA(tx, un, AN_FMA(rest, q->u, x[4][1]));
    x[4][2] = AN_FMA(ty, un, AN_FMA(rest, q->v, x[4][2]));
    x[4][3] = AN_FMA(tz, un, AN_FMA(rest, q->w, x[4][3]));
    x[4][4] = AN_FMA(inverse, k, x[4][4]);
}

/* Viscosity for the operator, without branches: power laws with exponent 1. */
AN_INLINE real AN_FN(an_viscosity_estimate)(const struct AN_FN(an_cell) * q,
                                            const struct AN_FN(an_prm) * prm)
{
#if AN_CACHED
    (void)prm;
    return q->mu;
#else
    const real t = AN_FN(an_temperature_at)(q->rho, q->p, prm), ratio = t / prm->fluid.mu_T;
    const real sutherland =
        ratio * AN_SQRT(ratio) * (prm->fluid.mu_T + prm->fluid.mu_S) / (t + prm->fluid.mu_S);
    /* weights, for a choice by a condition that all cells share keeps loops from vectors */
    const real first = prm->fluid.viscosity == AN_VISCOSITY_SUTHERLAND ? AN_R(1.0) : AN_R(0.0);
    const real second = prm->fluid.viscosity == AN_VISCOSITY_POWER_LAW ? AN_R(1.0) : AN_R(0.0);
    const real third = AN_R(1.0) - first - second;
    return prm->fluid.mu_ref * (first * sutherland + second * ratio + third);
#endif
}

/* Ratio of the diffusivities of internal energy and momentum; q: a cell near. */
AN_INLINE real AN_FN(an_diffusivity_ratio)(const struct AN_FN(an_cell) * q, real mu, real mut,
                                           const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_cell_energy_diffusion)(q, mu, mut, prm) / (mu + mut);
}

/* What couples the two cells of a face: the coefficient mu |s|^2 / (s.r) times `weight`, the ratio
 * of diffusivities and the unit normal; all zero on a collapsed face. */
struct AN_FN(an_thin) {
    real f, k, nx, ny, nz;
};

AN_INLINE struct AN_FN(an_thin)
    AN_FN(an_thin_layer)(const struct AN_FN(an_cell) * q, real weight, real mu, real mut, real sx,
                         real sy, real sz, real rx, real ry, real rz,
                         const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_thin) t;
    const real s2 = AN_FN(an_dot)(sx, sy, sz, sx, sy, sz);
    const real sr = AN_FN(an_dot)(sx, sy, sz, rx, ry, rz), area = AN_SQRT(s2);
    const real inverse = area > AN_R(0.0) ? AN_R(1.0) / area : AN_R(0.0);
    t.f = area > AN_R(0.0) ? weight * (mu + mut) * s2 / sr : AN_R(0.0);
    t.k = AN_FN(an_diffusivity_ratio)(q, mu, mut, prm);
    t.nx = sx * inverse;
    t.ny = sy * inverse;
    t.nz = sz * inverse;
    return t;
}

/* What a march along a line takes from a face to the next cell: its matrices and the cell behind it. */
struct AN_FN(an_line_face) {
    struct AN_FN(an_split) split;
    struct AN_FN(an_thin) thin;
    struct AN_FN(an_cell) behind;
    int closed, wall;
};

/* x += f A+: of a cell below the face; x -= f A-: of one above it. */
AN_INLINE void AN_FN(an_add_from_below)(real x[5][5], const struct AN_FN(an_split) * t)
{
    AN_FN(an_add_split)(x, t->s, t->a, t->b, t->u, t->v, t->w, t->h, t->nx, t->ny, t->nz, t->un);
}

AN_INLINE void AN_FN(an_add_from_above)(real x[5][5], const struct AN_FN(an_split) * t)
{
    const real a[5] = {-t->am[0], -t->am[1], -t->am[2], -t->am[3], -t->am[4]};
    const real b[5] = {-t->bm[0], -t->bm[1], -t->bm[2], -t->bm[3], -t->bm[4]};
    AN_FN(an_add_split)(x, -t->sm, a, b, t->u, t->v, t->w, t->h, t->nx, t->ny, t->nz, t->un);
}

/* x += what couples a cell to the one behind a face: of a cell below the face f A-, of one above it
 * - f A+. */
AN_INLINE void AN_FN(an_add_coupling)(real x[5][5], const struct AN_FN(an_split) * t, int below)
{
    real a[5], b[5];
    for (int c = 0; c < 5; c++) {
        a[c] = below ? t->am[c] : -t->a[c];
        b[c] = below ? t->bm[c] : -t->b[c];
    }
    AN_FN(an_add_split)
    (x, below ? t->sm : -t->s, a, b, t->u, t->v, t->w, t->h, t->nx, t->ny, t->nz, t->un);
}

/* The first of two, or the second. */
AN_INLINE struct AN_FN(an_split)
    AN_FN(an_split_choice)(int second, const struct AN_FN(an_split) * p,
                           const struct AN_FN(an_split) * q)
{
    struct AN_FN(an_split) t;
    for (int c = 0; c < 5; c++) {
        t.a[c] = second ? q->a[c] : p->a[c];
        t.b[c] = second ? q->b[c] : p->b[c];
        t.am[c] = second ? q->am[c] : p->am[c];
        t.bm[c] = second ? q->bm[c] : p->bm[c];
    }
    t.s = second ? q->s : p->s;
    t.sm = second ? q->sm : p->sm;
    t.u = second ? q->u : p->u;
    t.v = second ? q->v : p->v;
    t.w = second ? q->w : p->w;
    t.h = second ? q->h : p->h;
    t.nx = second ? q->nx : p->nx;
    t.ny = second ? q->ny : p->ny;
    t.nz = second ? q->nz : p->nz;
    t.un = second ? q->un : p->un;
    return t;
}

#endif

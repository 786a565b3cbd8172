/* The implicit operator: flux Jacobians of one face, direction-free, as 5 x 5 matrices.
 *
 * Convective: A = dF/dW for the flux through area vector s = |s| n, split upwind at a mean state:
 *     A(+-) = |s| (A +- |A|) / 2,
 *     A  = u_n I + [1, u, H] m + [0, n, u_n] p,     p = dp/dW, m = n . d(rho u)/dW - u_n d(rho)/dW
 *     |A| = l3 I + [1, u, H] (a3 p/c^2 + a2 m/c) + [0, n, u_n] (a2 p/c + a3 m),
 *     a2 = (l1 - l2)/2, a3 = (l1 + l2)/2 - l3
 * (Turkel's closed form; see flux.h), so both are a multiple of the unit matrix plus two dyads.
 * Eigenvalues are kept above prm->jacobian_floor (|u_n| + c).
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

#include "kernels/tridiagonal.h"
#include "kernels/viscous.h"

/* x[5][5] += f (s I + [1, u, H] a + [0, n, un] b), a and b of five components. */
AN_INLINE void AN_FN(an_add_split)(real x[5][5], real f, real s, const real a[5], const real b[5],
                                   real u, real v, real w, real h, real nx, real ny, real nz,
                                   real un)
{
    for (int c = 0; c < 5; c++) {
        const real fa = f * a[c], fb = f * b[c];
        x[0][c] += fa;
        x[1][c] += u * fa + nx * fb;
        x[2][c] += v * fa + ny * fb;
        x[3][c] += w * fa + nz * fb;
        x[4][c] += h * fa + un * fb;
    }
    const real d = f * s;
    x[0][0] += d;
    x[1][1] += d;
    x[2][2] += d;
    x[3][3] += d;
    x[4][4] += d;
}

/* x += fx A+(s) and y += fy A-(s) of the mean of two states. g: what the face sweeps. */
AN_INLINE void AN_FN(an_add_upwind)(real x[5][5], real fx, real y[5][5], real fy,
                                    const struct AN_FN(an_cell) * l,
                                    const struct AN_FN(an_cell) * r, real sx, real sy, real sz,
                                    real g, const struct AN_FN(an_prm) * prm)
{
    const real half = AN_R(0.5);
    real area = AN_SQRT(sx * sx + sy * sy + sz * sz);
    real inverse = area > AN_R(0.0) ? AN_R(1.0) / area : AN_R(0.0);
    real nx = sx * inverse, ny = sy * inverse, nz = sz * inverse;
    real u = half * (l->u + r->u), v = half * (l->v + r->v), w = half * (l->w + r->w);
    real h = half * (l->H + r->H), q2 = half * (u * u + v * v + w * w);
    const real g1 = prm->gamma - AN_R(1.0);
    real c2 = AN_MAX(g1 * (h - q2), AN_R(0.1) * g1 * h);
    real c = AN_SQRT(c2), un = u * nx + v * ny + w * nz;
    real wn = un - g * inverse; /* from the face */
    real least = prm->jacobian_floor * (AN_FABS(wn) + c);
    real l1 = AN_MAX(AN_FABS(wn + c), least), l2 = AN_MAX(AN_FABS(wn - c), least);
    real l3 = AN_MAX(AN_FABS(wn), least);
    real a3 = half * (l1 + l2) - l3, a2 = half * (l1 - l2);
    const real p[5] = {g1 * q2, -g1 * u, -g1 * v, -g1 * w, g1};
    const real m[5] = {-un, nx, ny, nz, AN_R(0.0)};
    real a[5], b[5], am[5], bm[5];
    const real f6 = a3 / c2, f7 = a2 / c;
    for (int n = 0; n < 5; n++) {
        const real six = f6 * p[n] + f7 * m[n], seven = f7 * p[n] + a3 * m[n];
        a[n] = half * (m[n] + six);
        b[n] = half * (p[n] + seven);
        am[n] = half * (m[n] - six);
        bm[n] = half * (p[n] - seven);
    }
    AN_FN(an_add_split)(x, fx * area, half * (wn + l3), a, b, u, v, w, h, nx, ny, nz, un);
    AN_FN(an_add_split)(y, fy * area, half * (wn - l3), am, bm, u, v, w, h, nx, ny, nz, un);
}

/* x += f |A(s)| of a state. g: what the face sweeps. */
AN_INLINE void AN_FN(an_add_absolute)(real x[5][5], real f, const struct AN_FN(an_cell) * q,
                                      real sx, real sy, real sz, real g,
                                      const struct AN_FN(an_prm) * prm)
{
    const real half = AN_R(0.5);
    real area = AN_SQRT(sx * sx + sy * sy + sz * sz);
    real inverse = area > AN_R(0.0) ? AN_R(1.0) / area : AN_R(0.0);
    real nx = sx * inverse, ny = sy * inverse, nz = sz * inverse;
    real q2 = half * (q->u * q->u + q->v * q->v + q->w * q->w);
    const real g1 = prm->gamma - AN_R(1.0);
    real c2 = prm->gamma * q->p / q->rho;
    real c = AN_SQRT(c2), un = q->u * nx + q->v * ny + q->w * nz;
    real wn = un - g * inverse; /* from the face */
    real least = prm->jacobian_floor * (AN_FABS(wn) + c);
    real l1 = AN_MAX(AN_FABS(wn + c), least), l2 = AN_MAX(AN_FABS(wn - c), least);
    real l3 = AN_MAX(AN_FABS(wn), least);
    real a3 = half * (l1 + l2) - l3, a2 = half * (l1 - l2);
    const real p[5] = {g1 * q2, -g1 * q->u, -g1 * q->v, -g1 * q->w, g1};
    const real m[5] = {-un, nx, ny, nz, AN_R(0.0)};
    real a[5], b[5];
    const real f6 = a3 / c2, f7 = a2 / c;
    for (int n = 0; n < 5; n++) {
        a[n] = f6 * p[n] + f7 * m[n];
        b[n] = f7 * p[n] + a3 * m[n];
    }
    AN_FN(an_add_split)(x, f * area, l3, a, b, q->u, q->v, q->w, q->H, nx, ny, nz, un);
}

/* x += f times the Jacobian of the pressure's force on a closed face: [0, s, g] dp/dW. */
AN_INLINE void AN_FN(an_add_pressure)(real x[5][5], real f, const struct AN_FN(an_cell) * q,
                                      real sx, real sy, real sz, real g,
                                      const struct AN_FN(an_prm) * prm)
{
    const real g1 = prm->gamma - AN_R(1.0);
    const real q2 = AN_R(0.5) * (q->u * q->u + q->v * q->v + q->w * q->w);
    const real p[5] = {g1 * q2, -g1 * q->u, -g1 * q->v, -g1 * q->w, g1};
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
    const real third = AN_R(0.3333333333333333);
    const real inverse = f / q->rho;
    const real un = q->u * nx + q->v * ny + q->w * nz;
    const real q2 = q->u * q->u + q->v * q->v + q->w * q->w;
    const real e = q->p / ((prm->gamma - AN_R(1.0)) * q->rho);
    /* momentum: (d(rho u) - u d(rho)) / rho and its normal part over three */
    x[1][0] -= inverse * (q->u + third * nx * un);
    x[2][0] -= inverse * (q->v + third * ny * un);
    x[3][0] -= inverse * (q->w + third * nz * un);
    x[1][1] += inverse * (AN_R(1.0) + third * nx * nx);
    x[1][2] += inverse * third * nx * ny;
    x[1][3] += inverse * third * nx * nz;
    x[2][1] += inverse * third * ny * nx;
    x[2][2] += inverse * (AN_R(1.0) + third * ny * ny);
    x[2][3] += inverse * third * ny * nz;
    x[3][1] += inverse * third * nz * nx;
    x[3][2] += inverse * third * nz * ny;
    x[3][3] += inverse * (AN_R(1.0) + third * nz * nz);
    /* energy: u . momentum + k de, rho de = dE - u . d(rho u) + (q2 / 2 - e) d(rho) */
    x[4][0] += inverse * (-q2 - third * un * un + k * (AN_R(0.5) * q2 - e));
    x[4][1] += inverse * (q->u + third * un * nx - k * q->u);
    x[4][2] += inverse * (q->v + third * un * ny - k * q->v);
    x[4][3] += inverse * (q->w + third * un * nz - k * q->w);
    x[4][4] += inverse * k;
}

/* Viscosity for the operator, without branches: power laws with exponent 1. */
AN_INLINE real AN_FN(an_viscosity_estimate)(const struct AN_FN(an_cell) * q,
                                            const struct AN_FN(an_prm) * prm)
{
    const real t = q->p / (q->rho * prm->gas_constant), ratio = t / prm->mu_T;
    const real sutherland = ratio * AN_SQRT(ratio) * (prm->mu_T + prm->mu_S) / (t + prm->mu_S);
    /* weights, for a choice by a condition that all cells share keeps loops from vectors */
    const real first = prm->viscosity == 1 ? AN_R(1.0) : AN_R(0.0);
    const real second = prm->viscosity == 2 ? AN_R(1.0) : AN_R(0.0);
    const real third = AN_R(1.0) - first - second;
    return prm->mu_ref * (first * sutherland + second * ratio + third);
}

/* Ratio of the diffusivities of internal energy and momentum. */
AN_INLINE real AN_FN(an_diffusivity_ratio)(real mu, real mut, const struct AN_FN(an_prm) * prm)
{
    return prm->gamma * AN_FN(an_conduction)(mu, mut, prm) / (mu + mut);
}

/* What couples the two cells of a face: the coefficient mu |s|^2 / (s.r) times `weight`, the ratio
 * of diffusivities and the unit normal; all zero on a collapsed face. */
struct AN_FN(an_thin) {
    real f, k, nx, ny, nz;
};

AN_INLINE struct AN_FN(an_thin)
    AN_FN(an_thin_layer)(real weight, real mu, real mut, real sx, real sy, real sz, real rx,
                         real ry, real rz, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_thin) t;
    const real s2 = sx * sx + sy * sy + sz * sz, sr = sx * rx + sy * ry + sz * rz;
    const int open = s2 > AN_R(0.0);
    const real inverse = open ? AN_R(1.0) / AN_SQRT(s2) : AN_R(0.0);
    t.f = open ? weight * (mu + mut) * s2 / sr : AN_R(0.0);
    t.k = AN_FN(an_diffusivity_ratio)(mu, mut, prm);
    t.nx = sx * inverse;
    t.ny = sy * inverse;
    t.nz = sz * inverse;
    return t;
}

#endif

/* Viscous fluxes: point physics. Values in, values out.
 *
 *   tau = (mu + mut) (grad u + grad u^T - 2/3 div u I)       q = -cp (mu / Pr + mut / Pr_t) grad T
 *
 * Gradients are laid out as the field GRAD: 3 c + d is d u_c / d x_d, 9 + d is d T / d x_d. */
#ifndef AN_VISCOUS_H
#define AN_VISCOUS_H

#include "kernels/gas.h"

/* Molecular viscosity, kg/m/s, at temperature t, K. */
AN_INLINE real AN_FN(an_viscosity)(real t, const struct AN_FN(an_prm) * prm)
{
    real ratio = t / prm->mu_T;
    if (prm->viscosity == 1)
        return prm->mu_ref * ratio * AN_SQRT(ratio) * (prm->mu_T + prm->mu_S) / (t + prm->mu_S);
    if (prm->viscosity == 2)
        return prm->mu_ref * AN_POW(ratio, prm->mu_exponent);
    return prm->mu_ref;
}

/* Heat conductivity over cp, kg/m/s. */
AN_INLINE real AN_FN(an_conduction)(real mu, real mut, const struct AN_FN(an_prm) * prm)
{
    return mu / prm->prandtl + mut / prm->prandtl_t;
}

/* The largest diffusivity of the viscous terms, times the density: what bounds a time step. */
AN_INLINE real AN_FN(an_diffusion)(real mu, real mut, const struct AN_FN(an_prm) * prm)
{
    const real stress = AN_R(4.0) / AN_R(3.0);
    return AN_MAX(stress * (mu + mut), prm->gamma * AN_FN(an_conduction)(mu, mut, prm));
}

/* A cell as viscous fluxes see it: m/s, K. */
struct AN_FN(an_viscous_cell) {
    real q[4]; /* u, v, w, T */
    real mu;   /* kg/m/s: mu + mut */
    real heat; /* W/m/K: cp (mu / Pr + mut / Pr_t) */
};

AN_INLINE struct AN_FN(an_viscous_cell)
    AN_FN(an_viscous_cell_from)(real rho, real mx, real my, real mz, real e, real mut,
                                const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_viscous_cell) c;
    struct AN_FN(an_cell) q = AN_FN(an_cell_from_conserved)(rho, mx, my, mz, e, prm);
    c.q[0] = q.u;
    c.q[1] = q.v;
    c.q[2] = q.w;
    c.q[3] = q.p / (q.rho * prm->gas_constant);
    real mu = AN_FN(an_viscosity)(c.q[3], prm);
    c.mu = mu + mut;
    c.heat = AN_FMA(prm->heat_t, mut, prm->heat * mu);
    return c;
}

/* Gradients of a cell from differences across it, between the cell before and the one behind in
 * each index direction: steps i, j, k of the centres, di, dj, dk of u, v, w, T. Exact for linear
 * fields on any mesh; zero where the cell has no volume. */
AN_INLINE void AN_FN(an_cell_gradient)(const real i[3], const real j[3], const real k[3],
                                       const real di[4], const real dj[4], const real dk[4],
                                       real g[12])
{
    real jkx = j[1] * k[2] - j[2] * k[1], jky = j[2] * k[0] - j[0] * k[2],
         jkz = j[0] * k[1] - j[1] * k[0];
    real kix = k[1] * i[2] - k[2] * i[1], kiy = k[2] * i[0] - k[0] * i[2],
         kiz = k[0] * i[1] - k[1] * i[0];
    real ijx = i[1] * j[2] - i[2] * j[1], ijy = i[2] * j[0] - i[0] * j[2],
         ijz = i[0] * j[1] - i[1] * j[0];
    real volume = AN_FMA(i[2], jkz, AN_FMA(i[1], jky, i[0] * jkx));
    real inverse = volume > AN_R(0.0) ? AN_R(1.0) / volume : AN_R(0.0);
    for (int c = 0; c < 4; c++) {
        real a = di[c] * inverse, b = dj[c] * inverse, e = dk[c] * inverse;
        g[3 * c] = AN_FMA(e, ijx, AN_FMA(b, kix, a * jkx));
        g[3 * c + 1] = AN_FMA(e, ijy, AN_FMA(b, kiy, a * jky));
        g[3 * c + 2] = AN_FMA(e, ijz, AN_FMA(b, kiz, a * jkz));
    }
}

/* Gradient on a face: the mean of the cells', its part along r, from centre l to centre r, replaced
 * by the difference of the cells: exact for linear fields, blind to no mode. s: area vector; a
 * collapsed face keeps the mean. */
AN_INLINE void AN_FN(an_face_gradient)(const struct AN_FN(an_viscous_cell) * l,
                                       const struct AN_FN(an_viscous_cell) * r, const real gl[12],
                                       const real gr[12], const real s[3], const real d[3],
                                       real g[12])
{
    const real half = AN_R(0.5);
    real sd = AN_FMA(s[2], d[2], AN_FMA(s[1], d[1], s[0] * d[0]));
    real inverse = sd > AN_R(0.0) ? AN_R(1.0) / sd : AN_R(0.0);
    for (int c = 0; c < 4; c++) {
        real x = half * (gl[3 * c] + gr[3 * c]);
        real y = half * (gl[3 * c + 1] + gr[3 * c + 1]);
        real z = half * (gl[3 * c + 2] + gr[3 * c + 2]);
        real along = AN_FMA(z, d[2], AN_FMA(y, d[1], x * d[0]));
        real e = ((r->q[c] - l->q[c]) - along) * inverse;
        g[3 * c] = AN_FMA(e, s[0], x);
        g[3 * c + 1] = AN_FMA(e, s[1], y);
        g[3 * c + 2] = AN_FMA(e, s[2], z);
    }
}

/* What viscosity and conduction carry through the face from l to r: [0, -tau.s, -(tau.u - q).s], a
 * flux like those of flux.h: R gets the sum of the outward ones. Swapping l and r with s and d
 * turned gives minus the same bits. */
AN_INLINE struct AN_FN(an_five)
    AN_FN(an_flux_viscous)(const struct AN_FN(an_viscous_cell) * l,
                           const struct AN_FN(an_viscous_cell) * r, const real gl[12],
                           const real gr[12], const real s[3], const real d[3])
{
    const real half = AN_R(0.5);
    struct AN_FN(an_five) f;
    real g[12];
    AN_FN(an_face_gradient)(l, r, gl, gr, s, d, g);
    real all = half * (l->mu + r->mu);
    real bulk = AN_R(0.66666666666666667) * (g[0] + g[4] + g[8]);
    real xy = g[1] + g[3], xz = g[2] + g[6], yz = g[5] + g[7];
    real tx = all * AN_FMA(xz, s[2], AN_FMA(xy, s[1], (g[0] + g[0] - bulk) * s[0]));
    real ty = all * AN_FMA(yz, s[2], AN_FMA(g[4] + g[4] - bulk, s[1], xy * s[0]));
    real tz = all * AN_FMA(g[8] + g[8] - bulk, s[2], AN_FMA(yz, s[1], xz * s[0]));
    real flow = AN_FMA(g[11], s[2], AN_FMA(g[10], s[1], g[9] * s[0]));
    real heat = half * (l->heat + r->heat) * flow;
    real work = AN_FMA(half * (l->q[2] + r->q[2]), tz,
                       AN_FMA(half * (l->q[1] + r->q[1]), ty, half * (l->q[0] + r->q[0]) * tx));
    f.m = AN_R(0.0);
    f.x = -tx;
    f.y = -ty;
    f.z = -tz;
    f.e = -(work + heat);
    return f;
}

#endif

/* Viscous fluxes: point physics. Values in, values out.
 *
 *   tau = (mu + mut) (grad u + grad u^T - 2/3 div u I)       q = -cp (mu / Pr + mut / Pr_t) grad T
 *
 * With QCR2000 (Spalart, Int. J. Heat Fluid Flow 21, 2000; NASA TMR) the turbulent part of tau,
 * t = mut (...), loses 0.3 (O_ik t_jk + O_jk t_ik),
 *   O_ik = (d u_i / dx_k - d u_k / dx_i) / sqrt(d u_m / dx_n d u_m / dx_n).
 *
 * Gradients are laid out as the field GRAD: 3 c + d is d u_c / d x_d, 9 + d is d T / d x_d. */
#ifndef AN_VISCOUS_H
#define AN_VISCOUS_H

#include "kernels/physics/gas.h"

/* Molecular viscosity, kg/m/s, of a state. */
AN_INLINE real AN_FN(an_viscosity)(real t, real rho, real p, const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_viscosity_of_gas)(AN_FN(an_viscosity_law)(t, prm), rho, p, prm);
}

/* Heat conductivity over cp, kg/m/s. */
AN_INLINE real AN_FN(an_conduction)(real mu, real mut, const struct AN_FN(an_prm) * prm)
{
    return mu / prm->fluid.prandtl + mut / prm->fluid.prandtl_t;
}

/* The largest diffusivity of the viscous terms, times the density: what bounds a time step. */
AN_INLINE real AN_FN(an_diffusion)(const struct AN_FN(an_cell) * q, real mu, real mut,
                                   const struct AN_FN(an_prm) * prm)
{
    const real stress = AN_R(4.0) / AN_R(3.0);
    return AN_MAX(stress * (mu + mut), AN_FN(an_cell_energy_diffusion)(q, mu, mut, prm));
}

/* A cell as viscous fluxes see it: m/s, K. */
struct AN_FN(an_viscous_cell) {
    real q[4]; /* u, v, w, T */
    real mu;   /* kg/m/s: mu + mut */
    real heat; /* W/m/K: cp (mu / Pr + mut / Pr_t) */
};

AN_INLINE struct AN_FN(an_viscous_cell)
    AN_FN(an_viscous_cell_of)(const struct AN_FN(an_cell) * q, real mut,
                              const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_viscous_cell) c;
    c.q[0] = q->u;
    c.q[1] = q->v;
    c.q[2] = q->w;
    c.q[3] = AN_FN(an_cell_temperature)(q, prm);
    real mu = AN_FN(an_cell_viscosity)(q, c.q[3], prm);
    c.mu = mu + mut;
    c.heat = AN_FN(an_cell_heat)(q, mu, mut, prm);
    return c;
}

AN_INLINE struct AN_FN(an_viscous_cell)
    AN_FN(an_viscous_cell_from)(real rho, real mx, real my, real mz, real e, real mut,
                                const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_cell) q = AN_FN(an_cell_from_conserved)(rho, mx, my, mz, e, prm);
    return AN_FN(an_viscous_cell_of)(&q, mut, prm);
}

#if AN_CACHED
/* Of density, momentum, temperature, viscosity, conductivity and cp. */
AN_INLINE struct AN_FN(an_viscous_cell)
    AN_FN(an_viscous_cell_words)(real rho, real mx, real my, real mz, real t, real mu, real lambda,
                                 real cp, real mut, const struct AN_FN(an_prm) * prm)
{
    const real inverse = AN_R(1.0) / rho;
    struct AN_FN(an_viscous_cell) c;
    c.q[0] = mx * inverse;
    c.q[1] = my * inverse;
    c.q[2] = mz * inverse;
    c.q[3] = t;
    c.mu = mu + mut;
    c.heat = AN_FMA(cp, mut / prm->fluid.prandtl_t, lambda);
    return c;
}
#endif

/* Of a cell with its words of EOS. */
AN_INLINE struct AN_FN(an_viscous_cell)
    AN_FN(an_viscous_cell_cached)(real rho, real mx, real my, real mz, real e, real mut,
                                  struct AN_FN(an_properties) properties,
                                  const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_cell) q = AN_FN(an_cell_cached)(rho, mx, my, mz, e, properties, prm);
    return AN_FN(an_viscous_cell_of)(&q, mut, prm);
}

/* Gradients of a cell, times `scale` (a power of two), from differences across it, between the cell
 * before and the one behind in each index direction: steps i, j, k of the centres, di, dj, dk of u,
 * v, w, T. Exact for linear fields on any mesh; zero where the cell has no volume. */
AN_INLINE void AN_FN(an_cell_gradient)(real scale, const real i[3], const real j[3],
                                       const real k[3], const real di[4], const real dj[4],
                                       const real dk[4], real g[12])
{
    real jkx = AN_FMA(j[1], k[2], -(j[2] * k[1])), jky = AN_FMA(j[2], k[0], -(j[0] * k[2])),
         jkz = AN_FMA(j[0], k[1], -(j[1] * k[0]));
    real kix = AN_FMA(k[1], i[2], -(k[2] * i[1])), kiy = AN_FMA(k[2], i[0], -(k[0] * i[2])),
         kiz = AN_FMA(k[0], i[1], -(k[1] * i[0]));
    real ijx = AN_FMA(i[1], j[2], -(i[2] * j[1])), ijy = AN_FMA(i[2], j[0], -(i[0] * j[2])),
         ijz = AN_FMA(i[0], j[1], -(i[1] * j[0]));
    real volume = AN_FMA(i[2], jkz, AN_FMA(i[1], jky, i[0] * jkx));
    real inverse = volume > AN_R(0.0) ? scale * (AN_R(1.0) / volume) : AN_R(0.0);
    jkx *= inverse, jky *= inverse, jkz *= inverse;
    kix *= inverse, kiy *= inverse, kiz *= inverse;
    ijx *= inverse, ijy *= inverse, ijz *= inverse;
    for (int c = 0; c < 4; c++) {
        g[3 * c] = AN_FMA(dk[c], ijx, AN_FMA(dj[c], kix, di[c] * jkx));
        g[3 * c + 1] = AN_FMA(dk[c], ijy, AN_FMA(dj[c], kiy, di[c] * jky));
        g[3 * c + 2] = AN_FMA(dk[c], ijz, AN_FMA(dj[c], kiz, di[c] * jkz));
    }
}

/* What QCR2000 adds to the stress on the face of area s: t is the turbulent stress over mut, g the gradient
 * of the velocity on the face. */
AN_INLINE void AN_FN(an_quadratic_stress)(const real g[9], const real s[3], real mut, real add[3])
{
    const real third2 = AN_R(0.66666666666666667), tiny = AN_R(1e-30);
    const real div = third2 * (g[0] + g[4] + g[8]);
    const real xy = g[1] + g[3], xz = g[2] + g[6], yz = g[5] + g[7];
    const real t[9] = {g[0] + g[0] - div, xy, xz, xy, g[4] + g[4] - div, yz, xz, yz,
                       g[8] + g[8] - div};
    const real oxy = g[1] - g[3], oxz = g[2] - g[6], oyz = g[5] - g[7];
    const real o[9] = {AN_R(0.0), oxy, oxz, -oxy, AN_R(0.0), oyz, -oxz, -oyz, AN_R(0.0)};
    real square = tiny;
    for (int m = 0; m < 9; m++)
        square += g[m] * g[m];
    const real part = AN_R(-0.3) * mut / AN_SQRT(square);
    real ts[3], os[3]; /* t s, o^T s = -o s */
    for (int i = 0; i < 3; i++) {
        ts[i] = t[3 * i] * s[0] + t[3 * i + 1] * s[1] + t[3 * i + 2] * s[2];
        os[i] = -(o[3 * i] * s[0] + o[3 * i + 1] * s[1] + o[3 * i + 2] * s[2]);
    }
    /* (O t + (O t)^T) s = O (t s) + t (O^T s), t being symmetric */
    for (int i = 0; i < 3; i++)
        add[i] = part * ((o[3 * i] * ts[0] + o[3 * i + 1] * ts[1] + o[3 * i + 2] * ts[2]) +
                         (t[3 * i] * os[0] + t[3 * i + 1] * os[1] + t[3 * i + 2] * os[2]));
}

AN_INLINE real AN_FN(an_face_viscosity)(const struct AN_FN(an_viscous_cell) * l,
                                        const struct AN_FN(an_viscous_cell) * r)
{
    return AN_R(0.5) * (l->mu + r->mu);
}

/* Twice what a stress t on the face does to the mean velocity. */
AN_INLINE real AN_FN(an_stress_work_twice)(const struct AN_FN(an_viscous_cell) * l,
                                           const struct AN_FN(an_viscous_cell) * r, real tx,
                                           real ty, real tz)
{
    return AN_FMA(l->q[2] + r->q[2], tz, AN_FMA(l->q[1] + r->q[1], ty, (l->q[0] + r->q[0]) * tx));
}

/* What viscosity and conduction carry through the face from l to r: [0, -tau.s, -(tau.u - q).s], a
 * flux like those of flux.h: R gets the sum of the outward ones. s: area vector; mean: of the
 * cells' gradients. Its part along d, from centre l to centre r, is replaced by the difference of
 * the cells, which is exact for linear fields and blind to no mode; a collapsed face keeps the
 * mean:
 *
 *     grad = mean + e s,  e = (difference - mean.d) / (s.d)
 *     (grad u + grad u^T - 2/3 div u I) s = (mean + mean^T) s + e_u |s|^2 + (e_u.s - 2 div) s / 3
 *
 * with div that of the mean. Swapping l and r with s and d turned gives minus the same bits. */
AN_INLINE struct AN_FN(an_five)
    AN_FN(an_flux_viscous_mean)(const struct AN_FN(an_viscous_cell) * l,
                                const struct AN_FN(an_viscous_cell) * r, const real mean[12],
                                const real s[3], const real d[3], const struct AN_FN(an_prm) * prm)
{
    const real half = AN_R(0.5), third = AN_R(0.33333333333333333);
    struct AN_FN(an_five) f;
    real sd = AN_FMA(s[2], d[2], AN_FMA(s[1], d[1], s[0] * d[0]));
    real ss = AN_FMA(s[2], s[2], AN_FMA(s[1], s[1], s[0] * s[0]));
    real inverse = sd > AN_R(0.0) ? AN_R(1.0) / sd : AN_R(0.0);
    real e[4];
    for (int c = 0; c < 4; c++) {
        real along =
            AN_FMA(mean[3 * c + 2], d[2], AN_FMA(mean[3 * c + 1], d[1], mean[3 * c] * d[0]));
        e[c] = ((r->q[c] - l->q[c]) - along) * inverse;
    }
    real es = AN_FMA(e[2], s[2], AN_FMA(e[1], s[1], e[0] * s[0]));
    real lift = third * AN_FMA(AN_R(-2.0), (mean[0] + mean[4]) + mean[8], es);
    real xy = mean[1] + mean[3], xz = mean[2] + mean[6], yz = mean[5] + mean[7];
    real xx = mean[0] + mean[0] + lift, yy = mean[4] + mean[4] + lift;
    real zz = mean[8] + mean[8] + lift;
    real all = AN_FN(an_face_viscosity)(l, r);
    real tx = all * AN_FMA(xz, s[2], AN_FMA(xy, s[1], AN_FMA(xx, s[0], e[0] * ss)));
    real ty = all * AN_FMA(yz, s[2], AN_FMA(yy, s[1], AN_FMA(xy, s[0], e[1] * ss)));
    real tz = all * AN_FMA(zz, s[2], AN_FMA(yz, s[1], AN_FMA(xz, s[0], e[2] * ss)));
    if (prm->turb.qcr) {
        real g[9], add[3];
        for (int c = 0; c < 3; c++)
            for (int m = 0; m < 3; m++)
                g[3 * c + m] = AN_FMA(e[c], s[m], mean[3 * c + m]);
        const real mut =
            all - half * (AN_FN(an_viscosity_law)(l->q[3], prm) +
                          AN_FN(an_viscosity_law)(r->q[3], prm)); /* no table with QCR2000 */
        AN_FN(an_quadratic_stress)(g, s, mut, add);
        tx += add[0];
        ty += add[1];
        tz += add[2];
    }
    real flow = AN_FMA(mean[11], s[2], AN_FMA(mean[10], s[1], AN_FMA(mean[9], s[0], e[3] * ss)));
    real twice = AN_FN(an_stress_work_twice)(l, r, tx, ty, tz);
    f.m = AN_R(0.0);
    f.x = -tx;
    f.y = -ty;
    f.z = -tz;
    f.e = -half * AN_FMA(l->heat + r->heat, flow, twice);
    return f;
}

/* The same from the gradients of the two cells. */
AN_INLINE struct AN_FN(an_five)
    AN_FN(an_flux_viscous)(const struct AN_FN(an_viscous_cell) * l,
                           const struct AN_FN(an_viscous_cell) * r, const real gl[12],
                           const real gr[12], const real s[3], const real d[3],
                           const struct AN_FN(an_prm) * prm)
{
    real mean[12];
    for (int m = 0; m < 12; m++)
        mean[m] = AN_R(0.5) * (gl[m] + gr[m]);
    return AN_FN(an_flux_viscous_mean)(l, r, mean, s, d, prm);
}

/* The same from gradients of zero, a thin layer's: what the difference of the two cells carries. */
AN_INLINE struct AN_FN(an_five)
    AN_FN(an_flux_thin)(const struct AN_FN(an_viscous_cell) * l,
                        const struct AN_FN(an_viscous_cell) * r, const real s[3], const real d[3],
                        const struct AN_FN(an_prm) * prm)
{
    const real half = AN_R(0.5), third = AN_R(0.33333333333333333);
    if (prm->turb.qcr) {
        const real none[12] = {0};
        return AN_FN(an_flux_viscous_mean)(l, r, none, s, d, prm);
    }
    struct AN_FN(an_five) f;
    real sd = AN_FMA(s[2], d[2], AN_FMA(s[1], d[1], s[0] * d[0]));
    real ss = AN_FMA(s[2], s[2], AN_FMA(s[1], s[1], s[0] * s[0]));
    real inverse = sd > AN_R(0.0) ? AN_R(1.0) / sd : AN_R(0.0);
    real e[4];
    for (int c = 0; c < 4; c++)
        e[c] = (r->q[c] - l->q[c]) * inverse;
    real lift = third * AN_FMA(e[2], s[2], AN_FMA(e[1], s[1], e[0] * s[0]));
    real all = AN_FN(an_face_viscosity)(l, r);
    real tx = all * AN_FMA(lift, s[0], e[0] * ss);
    real ty = all * AN_FMA(lift, s[1], e[1] * ss);
    real tz = all * AN_FMA(lift, s[2], e[2] * ss);
    real twice = AN_FN(an_stress_work_twice)(l, r, tx, ty, tz);
    f.m = AN_R(0.0);
    f.x = -tx;
    f.y = -ty;
    f.z = -tz;
    f.e = -half * AN_FMA(l->heat + r->heat, e[3] * ss, twice);
    return f;
}

#endif

/* What all turbulence models share: the state of a cell as they see it, the compact gradient
 * through a face, and the work fields of their implicit step. Point physics: values in, values out.
 *
 * Residual (all models): RT = sum_f m_f (phi_f - phi_c) - diffusion - V source, m_f the outward
 * mass flux: V rho d phi / dt = -RT. The advective form needs no conservation of mass while a run
 * converges.
 *
 * Implicit step, one line direction at a time, d phi the change:
 *   (DIAGT + turb_time rho / DT) dphi_c - sum of LINE dphi_nb along the line = -alpha RT
 * first-order upwinding and the diffusion of the two neighbours in LINE, of all six in DIAGT, which
 * also has what the source terms add. */
#ifndef AN_TURBULENCE_H
#define AN_TURBULENCE_H

#include "kernels/physics/elementary.h"
#include "kernels/physics/flux.h"
#include "kernels/physics/viscous.h"

#if AN_PRECISION == 32
#define AN_ATAN atanf
#else
#define AN_ATAN atan
#endif

/* Components of LINE: the coupling of TURB's component c to the neighbour on `side` in direction d,
 * then what the sweeps leave. */
#define AN_TURB_COUPLING(c, d, side) (6 * (c) + 2 * (d) + (side))
#define AN_TURB_FACTOR(c)            (12 + (c))
#define AN_TURB_CHANGE(c)            (14 + (c))

/* In cell stencils: the friction velocity of the walls whose first (m = 1) or second (m = 2) cell
 * this is; zero without wall functions. */
#define AN_WALL_FRICTION(m)                                                        \
    (prm->turb.wall_function                                                       \
         ? AN_MAX(AN_MAX(AT(UTAU, 0, -(m), 0, 0), AT(UTAU, 0, (m), 0, 0)),         \
                  AN_MAX(AN_MAX(AT(UTAU, 0, 0, -(m), 0), AT(UTAU, 0, 0, (m), 0)),  \
                         AN_MAX(AT(UTAU, 0, 0, 0, -(m)), AT(UTAU, 0, 0, 0, (m))))) \
         : AN_R(0.0))

/* In cell stencils: the roughness of the nearest wall; zero without rough walls. */
#define AN_ROUGHNESS(i, j, k) (prm->turb.rough ? AT(ROUGH, 0, i, j, k) : AN_R(0.0))

/* kg/m3, m/s, kinematic viscosity m2/s. */
struct AN_FN(an_turb_cell) {
    real rho, u, v, w, nu;
};

AN_INLINE struct AN_FN(an_turb_cell)
    AN_FN(an_turb_cell_of)(const struct AN_FN(an_cell) * q, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_turb_cell) c;
    real inverse = AN_R(1.0) / q->rho;
    c.rho = q->rho;
    c.u = q->u;
    c.v = q->v;
    c.w = q->w;
    const real t = AN_FN(an_cell_temperature_inverse)(q, inverse, prm);
    c.nu = AN_FN(an_cell_viscosity)(q, t, prm) * inverse;
    return c;
}

AN_INLINE struct AN_FN(an_turb_cell)
    AN_FN(an_turb_cell_from)(real rho, real mx, real my, real mz, real e,
                             const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_cell) q = AN_FN(an_cell_from_conserved)(rho, mx, my, mz, e, prm);
    return AN_FN(an_turb_cell_of)(&q, prm);
}

/* Of a cell with its words of EOS. */
AN_INLINE struct AN_FN(an_turb_cell)
    AN_FN(an_turb_cell_cached)(real rho, real mx, real my, real mz, real e,
                               struct AN_FN(an_properties) properties,
                               const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_cell) q = AN_FN(an_cell_cached)(rho, mx, my, mz, e, properties, prm);
    return AN_FN(an_turb_cell_of)(&q, prm);
}

/* Mass flux through a face that sweeps g: as in an_flux_central, zero on walls. */
AN_INLINE real AN_FN(an_turb_mass)(const struct AN_FN(an_turb_cell) * l,
                                   const struct AN_FN(an_turb_cell) * r, const real s[3], real g)
{
    const real half = AN_R(0.5);
    return half * (l->rho + r->rho) *
           (AN_FMA(half * (l->w + r->w), s[2],
                   AN_FMA(half * (l->v + r->v), s[1], half * (l->u + r->u) * s[0])) -
            g);
}

/* |s|^2 / (s.r): what multiplies a difference of centres r apart; 0 on collapsed faces. */
AN_INLINE real AN_FN(an_turb_ratio)(const real s[3], const real r[3])
{
    real sr = AN_FMA(s[2], r[2], AN_FMA(s[1], r[1], s[0] * r[0]));
    real ss = AN_FMA(s[2], s[2], AN_FMA(s[1], s[1], s[0] * s[0]));
    return sr > AN_R(0.0) ? ss / sr : AN_R(0.0);
}

/* grad phi . s: the mean gradient of the cells (gl, gr), its part along r replaced by the
 * difference dphi of the centres. Exact for linear fields. */
AN_INLINE real AN_FN(an_turb_gradient)(const real gl[3], const real gr[3], real dphi,
                                       const real s[3], const real r[3], real ratio)
{
    const real half = AN_R(0.5);
    real gx = half * (gl[0] + gr[0]), gy = half * (gl[1] + gr[1]), gz = half * (gl[2] + gr[2]);
    real through = AN_FMA(gz, s[2], AN_FMA(gy, s[1], gx * s[0]));
    return AN_FMA(ratio, dphi - AN_FMA(gz, r[2], AN_FMA(gy, r[1], gx * r[0])), through);
}

/* The value on a face through which m flows outward, from the cells behind, c, nb, beyond along the
 * direction outward. Order 1: the upwind cell's; 2: MUSCL, kappa = 1/3, van Albada's limiter, which
 * lets steps below sqrt(floor) pass. */
AN_INLINE real AN_FN(an_turb_upwind)(real m, real behind, real c, real nb, real beyond, real floor,
                                     int order)
{
    /* both sides' differences and sums are formed: a choice of values keeps loops whole vectors */
    const int back = m < AN_R(0.0);
    const real ahead = beyond - nb, astern = c - behind;
    const real base = back ? nb : c, to = nb - c, away = back ? ahead : astern;
    const real limit = AN_FN(an_limit)(away * to, AN_FMA(away, away, to * to), floor,
                                       AN_LIMITER_VAN_ALBADA); /* as an_muscl */
    const real step = AN_FN(an_muscl_step)(away, to, limit);
    const real below = base - step, above = base + step;
    const real second = back ? below : above;
    return order < 2 ? base : second;
}

/* u . grad as a combination of differences over the steps x, y, z: rate[0] is that of x. */
AN_INLINE void AN_FN(an_turb_rates)(const real x[3], const real y[3], const real z[3], real u,
                                    real v, real w, real rate[3])
{
    const real zero = AN_R(0.0);
    const real yz[3] = {y[1] * z[2] - y[2] * z[1], y[2] * z[0] - y[0] * z[2],
                        y[0] * z[1] - y[1] * z[0]};
    const real zx[3] = {z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2],
                        z[0] * x[1] - z[1] * x[0]};
    const real xy[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2],
                        x[0] * y[1] - x[1] * y[0]};
    real volume = x[0] * yz[0] + x[1] * yz[1] + x[2] * yz[2];
    real inverse = volume > zero ? AN_R(1.0) / volume : zero;
    rate[0] = inverse * (u * yz[0] + v * yz[1] + w * yz[2]);
    rate[1] = inverse * (u * zx[0] + v * zx[1] + w * zx[2]);
    rate[2] = inverse * (u * xy[0] + v * xy[1] + w * xy[2]);
}

/* The magnitudes of vorticity and strain, 1/s, from GRAD (3 c + d: d u_c / d x_d). */
AN_INLINE real AN_FN(an_vorticity)(const real g[9])
{
    real x = g[7] - g[5], y = g[2] - g[6], z = g[3] - g[1];
    return AN_SQRT(AN_FMA(z, z, AN_FMA(y, y, x * x)));
}

AN_INLINE real AN_FN(an_strain)(const real g[9])
{
    real xy = g[1] + g[3], xz = g[2] + g[6], yz = g[5] + g[7];
    return AN_SQRT(AN_FMA(AN_R(2.0), AN_FMA(g[8], g[8], AN_FMA(g[4], g[4], g[0] * g[0])),
                          AN_FMA(yz, yz, AN_FMA(xz, xz, xy * xy))));
}

#endif

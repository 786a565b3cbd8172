/* The law of the wall, point physics: what stands for the part of a boundary layer that the first
 * cell is too high to resolve. y+ = u_tau y / nu, u+ = u / u_tau, y: distance of the first centre,
 * u: speed there along the wall and relative to it, tau_w = rho u_tau^2.
 *
 * Spalart-Allmaras (and the mixing length): the model's own law, du+/dy+ = 1 / (1 + X fv1(X)), X =
 * k y+, in closed form (Allmaras, Johnson, Spalart, ICCFD7-1902, 2012), with nut = k u_tau y. SST:
 * Esch and Menter's blend (u+ / y+)^2 + (u+ / L)^4 = 1, L = ln(y+) / k + 5.2, with omega^2 = (6 nu
 * / (b1 y^2))^2 + (u_tau / (sqrt(b*) k y))^2, no flux of k through the wall, and k produced by
 * u_tau^4 / nu g (1 - g), g = du+/dy+.
 *
 * It comes in smoothly between y+ 1 and AN_LAW_WHOLE: below, nothing is changed.
 *
 * Temperature: the heat q into the gas and the shear carry the flux of energy through the layer,
 * cp (mu / Pr + mut / Prt) dT/dy = -(q + u tau_w), so that
 *
 *     T_w - T = q T+ / (rho cp u_tau) + r u^2 / (2 cp),   T+ = int P du+,
 *     r = 2 int P u+ du+ / u+^2,   P = (1 + m) / (1 / Pr + m / Prt),   m = X fv1 = mut / mu
 *
 * Rough walls, ks: equivalent height of sand grains. Spalart-Allmaras: again the model's own law
 * (spalart_allmaras.h), m = X fv1(X + 0.5 ks+ / (y+ + d0+)), X = k (y+ + d0+), d0 = 0.03 ks. SST: L = ln(y+ +
 * d0+) / k + 5.2 - dU+ with the shift
 *
 *     dU+ = (ln(ks+) / k + 5.2 - 8.5) sin(pi/2 ln(ks+ / 2.25) / ln(90 / 2.25)),
 *
 * zero below ks+ 2.25 and with the sine 1 above 90 (Ligrani, Moffat, J. Fluid Mech. 162, 1986): L tends to ln(y
 * / ks) / k + 8.5. With d0 the law holds down to the wall, where L is nearly zero. T+ and r: with m as for
 * Spalart-Allmaras. */
#ifndef AN_WALL_FUNCTION_H
#define AN_WALL_FUNCTION_H

#include "kernels/physics/spalart_allmaras.h"
#include "kernels/physics/sst.h"

#if AN_PRECISION == 32
#define AN_ATAN2 atan2f
#define AN_SIN   sinf
#else
#define AN_ATAN2 atan2
#define AN_SIN   sin
#endif

#define AN_LAW_KAPPA AN_R(0.41)
#define AN_LAW_WHOLE AN_R(3.0) /* y+ from which the law counts in full */

/* mut / mu of the law of Spalart-Allmaras. */
AN_INLINE real AN_FN(an_law_sa_eddy)(real yplus)
{
    real x = AN_LAW_KAPPA * yplus;
    return x * AN_FN(an_sa_fv1)(x);
}

/* The same of a rough wall. */
AN_INLINE real AN_FN(an_law_sa_eddy_rough)(real yplus, real kplus)
{
    real x = AN_LAW_KAPPA * AN_FN(an_sa_distance)(yplus, kplus);
    return x * AN_FN(an_sa_fv1)(x + AN_FN(an_sa_rough)(yplus, kplus));
}

AN_INLINE real AN_FN(an_law_sa)(real yplus)
{
    const real a1 = AN_R(8.148221580024245), b1 = AN_R(7.4600876082527945);
    const real a2 = AN_R(-6.9287093849022945), b2 = AN_R(7.468145790401841);
    real p = yplus + a1, q = yplus + a2;
    return AN_R(5.0333908790505579) + AN_R(2.5496773539754747) * AN_LOG(p * p + b1 * b1) -
           AN_R(1.3301651588535228) * AN_LOG(q * q + b2 * b2) -
           AN_R(3.599459109332379) * AN_ATAN2(b1, p) - AN_R(3.6397531868684494) * AN_ATAN2(b2, q);
}

/* Point and weight n of Gauss's rule of eight points on the interval from -1 to 1. */
struct AN_FN(an_law_point) {
    real at, weight;
};

AN_INLINE struct AN_FN(an_law_point) AN_FN(an_law_gauss)(int n)
{
    const real point[4] = {AN_R(0.1834346424956498), AN_R(0.5255324099163290),
                           AN_R(0.7966664774136267), AN_R(0.9602898564975363)};
    const real weight[4] = {AN_R(0.3626837833783620), AN_R(0.3137066458778873),
                            AN_R(0.2223810344533745), AN_R(0.1012285362903763)};
    struct AN_FN(an_law_point) p;
    p.at = n < 4 ? -point[n] : point[n - 4];
    p.weight = weight[n < 4 ? n : n - 4];
    return p;
}

/* Of a rough wall: the law that would hold with X = k (y+ + d0+) alone, and what the roughness in fv1 takes
 * from it, most of it below y+ 30; for y = 10 t / (1 - t). Within 0.01 of the integral. */
AN_INLINE real AN_FN(an_law_sa_rough)(real yplus, real kplus)
{
    const real half = AN_R(0.5), one = AN_R(1.0), scale = AN_R(10.0);
    const real d0 = AN_FN(an_sa_distance)(AN_R(0.0), kplus), end = yplus / (scale + yplus);
    real sum = AN_R(0.0);
    for (int n = 0; n < 8; n++) {
        const struct AN_FN(an_law_point) p = AN_FN(an_law_gauss)(n);
        real t = half * end * (one + p.at), wide = one / (one - t), y = scale * t * wide;
        real with = AN_FN(an_law_sa_eddy_rough)(y, kplus), without = AN_FN(an_law_sa_eddy)(y + d0);
        sum += p.weight * wide * wide * (without - with) / ((one + with) * (one + without));
    }
    return AN_FN(an_law_sa)(yplus + d0) - AN_FN(an_law_sa)(d0) + half * end * scale * sum;
}

/* What roughness takes from u+ of SST's logarithm. */
AN_INLINE real AN_FN(an_law_shift)(real kplus)
{
    const real zero = AN_R(0.0), smooth = AN_R(2.25), rough = AN_R(90.0);
    const real half_pi = AN_R(1.5707963267948966), wide = AN_R(3.6888794541139363); /* ln 40 */
    const real k = AN_MAX(kplus, smooth), most = AN_LOG(k) / AN_LAW_KAPPA + AN_R(5.2) - AN_R(8.5);
    return k < rough ? AN_MAX(most * AN_SIN(half_pi * AN_LOG(k / smooth) / wide), zero) : most;
}

/* Of SST: the quadratic for (u+)^2. */
AN_INLINE real AN_FN(an_law_sst_of)(real yplus, real l)
{
    real l2 = l * l;
    real v = AN_R(1.0) / (yplus * yplus);
    return AN_SQRT(AN_R(2.0) / (v + AN_SQRT(v * v + AN_R(4.0) / (l2 * l2))));
}

AN_INLINE real AN_FN(an_law_sst)(real yplus)
{
    return AN_FN(an_law_sst_of)(yplus, AN_LOG(yplus) / AN_LAW_KAPPA + AN_R(5.2));
}

AN_INLINE real AN_FN(an_law_sst_rough)(real yplus, real kplus)
{
    real l = AN_LOG(AN_FN(an_sa_distance)(yplus, kplus)) / AN_LAW_KAPPA + AN_R(5.2) -
             AN_FN(an_law_shift)(kplus);
    return AN_FN(an_law_sst_of)(yplus, AN_MAX(l, AN_R(0.1)));
}

/* du+/dy+ of SST's law from a point of it; part: y / (y + d0), 1 at smooth walls. */
AN_INLINE real AN_FN(an_law_sst_slope)(real yplus, real uplus, real part)
{
    const real one = AN_R(1.0), two = AN_R(2.0);
    real s = uplus / yplus, a = s * s;
    real b = AN_MAX(one - a, AN_R(0.0)), root = AN_SQRT(AN_SQRT(b)); /* root: u+ / L */
    return s * (a + part * (two * b * root / (AN_LAW_KAPPA * uplus))) / (a + two * b);
}

/* u+ of the run's model, y+ >= 1 (rough walls: y+ > 0); slope: du+/dy+. kplus: ks+, 0 at smooth walls. */
AN_INLINE real AN_FN(an_law)(real yplus, real kplus, const struct AN_FN(an_prm) * prm, real *slope)
{
    real uplus;
    if (kplus > AN_R(0.0)) {
        const int sst = prm->turb.model == AN_TURBULENCE_SST;
        const real part = yplus / AN_FN(an_sa_distance)(yplus, kplus);
        uplus = sst ? AN_FN(an_law_sst_rough)(yplus, kplus) : AN_FN(an_law_sa_rough)(yplus, kplus);
        *slope = sst ? AN_FN(an_law_sst_slope)(yplus, uplus, part)
                     : AN_R(1.0) / (AN_R(1.0) + AN_FN(an_law_sa_eddy_rough)(yplus, kplus));
    } else if (prm->turb.model == AN_TURBULENCE_SST) {
        uplus = AN_FN(an_law_sst)(yplus);
        *slope = AN_FN(an_law_sst_slope)(yplus, uplus, AN_R(1.0));
    } else {
        uplus = AN_FN(an_law_sa)(yplus);
        *slope = AN_R(1.0) / (AN_R(1.0) + AN_FN(an_law_sa_eddy)(yplus));
    }
    return uplus;
}

/* y+ from the Reynolds number u y / nu = u+ y+; 0 where it is not above 1. Newton from the root:
 * the first step leads above the solution, the rest come down to it. height: ks / y; ks+ changes with y+,
 * which the slope does not count: on rough walls the steps approach the solution more slowly. */
AN_INLINE real AN_FN(an_law_yplus)(real reynolds, real height, const struct AN_FN(an_prm) * prm)
{
    const int rough = height > AN_R(0.0), steps = rough ? 20 : 7;
    const real least = rough ? AN_R(0.5) : AN_R(1.0);
    if (!(reynolds > (rough ? AN_R(0.01) : AN_R(1.0))))
        return AN_R(0.0);
    real y = AN_MAX(AN_SQRT(reynolds), least);
    for (int n = 0; n < steps; n++) {
        real slope, u = AN_FN(an_law)(y, height * y, prm, &slope);
        y = AN_MAX(y + (reynolds - y * u) / (u + y * slope), least);
    }
    return y > AN_R(1.0) ? y : AN_R(0.0);
}

/* How much the law counts: 0 to 1. */
AN_INLINE real AN_FN(an_law_weight)(real yplus)
{
    real t = (yplus - AN_R(1.0)) / (AN_LAW_WHOLE - AN_R(1.0));
    t = AN_MIN(AN_MAX(t, AN_R(0.0)), AN_R(1.0));
    return t * t * (AN_R(3.0) - AN_R(2.0) * t);
}

/* T+ and r of the layer below y+: Prt u+ and Prt, and what P - Prt adds, nearly all of it below y+
 * 30; by Gauss's rule of eight points for y = 15 t / (1 - t). */
struct AN_FN(an_law_heat) {
    real tplus, recovery;
};

AN_INLINE struct AN_FN(an_law_heat)
    AN_FN(an_law_heat_of)(real yplus, real uplus, real kplus, const struct AN_FN(an_prm) * prm)
{
    const int rough = kplus > AN_R(0.0);
    const real half = AN_R(0.5), one = AN_R(1.0), two = AN_R(2.0), scale = AN_R(15.0);
    const real a = one / prm->fluid.prandtl, b = one / prm->fluid.prandtl_t;
    real end = yplus / (scale + yplus), sum = AN_R(0.0), sum_u = AN_R(0.0);
    for (int n = 0; n < 8; n++) {
        const struct AN_FN(an_law_point) p = AN_FN(an_law_gauss)(n);
        real t = half * end * (one + p.at);
        real wide = one / (one - t), y = scale * t * wide;
        real m = rough ? AN_FN(an_law_sa_eddy_rough)(y, kplus) : AN_FN(an_law_sa_eddy)(y);
        real part = p.weight * wide * wide / ((a + b * m) * (one + m));
        sum += part;
        sum_u += part * (rough ? AN_FN(an_law_sa_rough)(y, kplus) : AN_FN(an_law_sa)(y));
    }
    real factor = half * end * scale * (b - a) / b;
    struct AN_FN(an_law_heat) h;
    h.tplus = prm->fluid.prandtl_t * uplus + factor * sum;
    h.recovery = prm->fluid.prandtl_t + two * factor * sum_u / (uplus * uplus);
    return h;
}

/* ---- at a wall face, from its cell ---- */

/* The first cell over a wall: density, viscosity, temperature and pressure of its centre, its distance, its
 * speed along the wall and relative to it; the roughness of the wall. */
struct AN_FN(an_wall_layer) {
    real rho, mu, t, p, y, speed, ks;
};

/* The part along the wall of half a difference of velocities. */
AN_INLINE real AN_FN(an_wall_speed)(real u, real v, real w, real nx, real ny, real nz)
{
    const real half = AN_R(0.5), un = u * nx + v * ny + w * nz;
    u = half * (u - un * nx);
    v = half * (v - un * ny);
    w = half * (w - un * nz);
    return AN_SQRT(u * u + v * v + w * w);
}

/* c, g: cell and ghost, whose mean has the velocity of the wall; d: metres from one to the other; ks: m.
 */
AN_INLINE struct AN_FN(an_wall_layer)
    AN_FN(an_wall_layer_of)(const struct AN_FN(an_cell) * c, const struct AN_FN(an_cell) * g,
                            real nx, real ny, real nz, real d, real ks,
                            const struct AN_FN(an_prm) * prm)
{
    const real half = AN_R(0.5);
    struct AN_FN(an_wall_layer) l;
    real u = half * (c->u - g->u), v = half * (c->v - g->v), w = half * (c->w - g->w);
    real un = u * nx + v * ny + w * nz;
    u -= un * nx;
    v -= un * ny;
    w -= un * nz;
    l.rho = c->rho;
    l.p = c->p;
    l.t = AN_FN(an_temperature_at)(c->rho, c->p, prm);
    l.mu = AN_FN(an_viscosity)(l.t, c->rho, c->p, prm);
    l.y = half * d;
    l.speed = AN_SQRT(u * u + v * v + w * w);
    l.ks = ks;
    return l;
}

/* u_tau; 0 where the first cell is low enough without a law. */
AN_INLINE real AN_FN(an_wall_friction)(const struct AN_FN(an_wall_layer) * l,
                                       const struct AN_FN(an_prm) * prm)
{
    real yplus = AN_FN(an_law_yplus)(l->rho * l->speed * l->y / l->mu, l->ks / l->y, prm);
    return yplus > AN_R(0.0) ? yplus * l->mu / (l->rho * l->y) : AN_R(0.0);
}

/* The eddy viscosity on the face that gives the shear of u_tau, mu being the face's viscosity. Where the law
 * does not count in full, what rough walls have without it, from nut = k u_tau d0. */
AN_INLINE real AN_FN(an_wall_eddy)(const struct AN_FN(an_wall_layer) * l, real u_tau, real mu,
                                   const struct AN_FN(an_prm) * prm)
{
    if (!(u_tau > AN_R(0.0)))
        return AN_R(0.0);
    real weight = AN_FN(an_law_weight)(l->rho * u_tau * l->y / l->mu);
    real with = weight * AN_MAX(l->rho * u_tau * u_tau * l->y / l->speed - mu, AN_R(0.0));
    if (!(l->ks > AN_R(0.0)) || prm->turb.model == AN_TURBULENCE_SST)
        return with;
    real own = AN_LAW_KAPPA * u_tau * AN_SA_D0 * l->ks;
    return with + (AN_R(1.0) - weight) * l->rho * AN_FN(an_sa_wall_eddy)(own, l->mu / l->rho);
}

/* What the law makes of the cell's temperature: at the wall it is t + rise + q resistance, q the
 * heat into the gas, W/m2; m2 K/W. */
struct AN_FN(an_wall_heating) {
    real weight, rise, resistance;
};

AN_INLINE struct AN_FN(an_wall_heating)
    AN_FN(an_wall_heating_of)(const struct AN_FN(an_wall_layer) * l, real u_tau,
                              const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_wall_heating) h = {AN_R(0.0), AN_R(0.0), AN_R(0.0)};
    if (!(u_tau > AN_R(0.0)))
        return h;
    const real cp = AN_FN(an_cp_at)(l->t, l->rho, l->p, prm);
    real yplus = l->rho * u_tau * l->y / l->mu;
    struct AN_FN(an_law_heat) of =
        AN_FN(an_law_heat_of)(yplus, l->speed / u_tau, l->rho * u_tau * l->ks / l->mu, prm);
    h.weight = AN_FN(an_law_weight)(yplus);
    h.rise = h.weight * of.recovery * l->speed * l->speed / (cp + cp);
    h.resistance = of.tplus / (l->rho * cp * u_tau);
    return h;
}

/* The resistance, with the face's own where the law does not count: its conductivity, W/m/K. */
AN_INLINE real AN_FN(an_wall_resistance)(const struct AN_FN(an_wall_heating) * h, real y,
                                         real conductivity)
{
    real own = y / conductivity;
    return own + h->weight * (h->resistance - own);
}

/* ---- in the first and second cells, from u_tau ---- */

/* What the models put in place of what the mesh does not resolve: of the second cells, where
 * central differences of the logarithm are a fifth too large, only the shear. */
struct AN_FN(an_wall_cell) {
    real weight;     /* 0: nothing; of the shear */
    real first;      /* the same, 0 in second cells */
    real shear;      /* 1/s: du/dy at the centre */
    real production; /* SST, m2/s3: of k */
    real omega;      /* SST, 1/s */
};

/* omega of SST's law at a rough wall below the logarithm: of a layer without turbulence that has the
 * wall's value. */
AN_INLINE real AN_FN(an_law_rough_omega)(real u_tau, real d, real nu, real ks)
{
    const real six = AN_R(6.0), one = AN_R(1.0), smooth = six * nu / (AN_SST_B1 * d * d);
    const real huge = AN_R(1e6) * smooth;
    const real wall = AN_FN(an_sst_wall_rough)(nu, u_tau, ks, huge);
    const real wide = one + AN_SQRT(wall / smooth);
    return wall / (wide * wide);
}

/* u_tau of the cell's own wall and of one beyond the next cell, zero where there is none; ks: roughness of
 * the nearest wall. The second cell's centre is three times as far as the first's, or a little more. */
AN_INLINE struct AN_FN(an_wall_cell)
    AN_FN(an_wall_cell_of)(real own, real beyond, real d, real nu, real ks,
                           const struct AN_FN(an_prm) * prm)
{
    const real one = AN_R(1.0), zero = AN_R(0.0);
    struct AN_FN(an_wall_cell) w = {zero, zero, zero, zero, zero};
    const int first = own > zero;
    real u_tau = first ? own : beyond, yplus = u_tau * d / nu;
    w.weight = AN_FN(an_law_weight)(first ? yplus : AN_R(0.33333333333333333) * yplus);
    w.first = first ? w.weight : zero;
    if (prm->turb.model != AN_TURBULENCE_SST) {
        const real eddy = u_tau * ks > zero ? AN_FN(an_law_sa_eddy_rough)(yplus, u_tau * ks / nu)
                                            : AN_FN(an_law_sa_eddy)(yplus);
        w.shear = u_tau * u_tau / (nu * (one + eddy));
    } else if (yplus > one) {
        const int rough = ks > zero;
        real uplus =
            rough ? AN_FN(an_law_sst_rough)(yplus, u_tau * ks / nu) : AN_FN(an_law_sst)(yplus);
        real g = AN_FN(an_law_sst_slope)(yplus, uplus, d / AN_FN(an_sa_distance)(d, ks));
        real low = rough ? AN_FN(an_law_rough_omega)(u_tau, d, nu, ks)
                         : AN_R(6.0) * nu / (AN_SST_B1 * d * d);
        real high = u_tau / (AN_SQRT(AN_SST_BSTAR) * AN_LAW_KAPPA * AN_FN(an_sa_distance)(d, ks));
        w.shear = g * u_tau * u_tau / nu;
        w.production = u_tau * u_tau * w.shear * (one - g);
        w.omega = AN_SQRT(low * low + high * high);
    }
    return w;
}

/* What the eddy viscosities a and b of a first and a second cell give up, so that their mean is (2
 * sqrt(a b) + (a + b) / 2) / 3, near the logarithmic mean, which has the right flux in a layer of
 * constant stress. */
AN_INLINE real AN_FN(an_law_excess)(real a, real b, int first)
{
    real root = AN_SQRT(b) - AN_SQRT(a);
    real excess = AN_R(0.33333333333333333) * root * root, most = AN_MIN(a, excess);
    return first ? most : excess + excess - most;
}

/* Without and with the law. */
AN_INLINE real AN_FN(an_law_blend)(real weight, real without, real with)
{
    return without + weight * (with - without);
}

#endif

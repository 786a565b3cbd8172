/* Transition of boundary layers for SST: the gamma-Re_theta model (Langtry, Menter, AIAA J. 47, 2009; NASA TMR), point
 * physics. g: intermittency; R: transition Reynolds number of the momentum thickness, which follows its correlation in
 * the stream and diffuses into the layers.
 *
 *   D rho g / Dt = Pg - Eg + div[(mu + mut) grad g],   D rho R / Dt = Pt + div[2 (mu + mut) grad R]
 *   Pg = 2 Flen rho S sqrt(g Fon) (1 - g),   Eg = 0.06 rho O g Fturb (50 g - 1),   Fturb = exp(-(RT / 4)^4)
 *   Fon = max(Fon2 - Fon3, 0),   Fon2 = min(max(Fon1, Fon1^4), 2),   Fon3 = max(1 - (RT / 2.5)^3, 0)
 *   Fon1 = Rev / (2.193 Rec),   Rev = S d^2 / nu,   RT = k / (nu omega),   Reo = omega d^2 / nu
 *   Flen = FL(R) (1 - Fsub) + 40 Fsub,   Fsub = exp(-(Reo / 200)^2);   Rec(R), FL(R): an_lm_critical, an_lm_length
 *   Pt = 0.03 rho / T (Req - R) (1 - Ft),   T = 500 nu / U^2;   Req(Tu, dU/ds): an_lm_correlation
 *   Ft = min(max(Fw exp(-(d / delta)^4), 1 - ((50 g - 1) / 49)^2), 1),   Fw = exp(-(Reo / 1e5)^2)
 *   delta = 375 O nu R d / U^2,   Tu = 100 sqrt(2 k / 3) / U, percent
 *
 * S: strain, O: vorticity, both absolute; d: distance from the nearest wall; U: velocity relative to the block, so that
 * walls that turn with it are at rest. dU/ds = w_m w_n S_mn / U^2 needs the strain alone, which all frames share.
 * Layers that separate while laminar: the effective intermittency
 *
 *   e = max(g, min(2 max(Rev / (3.235 Rec) - 1, 0) Fre, 2) Ft),   Fre = exp(-(RT / 20)^4)
 *
 * What becomes of SST: Pk = e min(mut S^2, 10 b* rho omega k), Dk = min(max(e, 0.1), 1) b* rho omega k; the equation of
 * omega stays; F1 and ambient values are those of intermittency.h. g = e = 1: SST. */
#ifndef AN_RE_THETA_H
#define AN_RE_THETA_H

#include "kernels/physics/intermittency.h"

#define AN_LM_LEAST AN_R(20.0) /* of R and of its correlation */

/* Rec: where the intermittency begins to grow. */
AN_INLINE real AN_FN(an_lm_critical)(real r)
{
    const real low = (((AN_R(-174.105e-12) * r + AN_R(696.506e-9)) * r - AN_R(868.230e-6)) * r +
                      AN_R(1.0120656)) *
                         r -
                     AN_R(3.96035);
    const real high = r - AN_R(593.11) - AN_R(0.482) * (r - AN_R(1870.0));
    return r <= AN_R(1870.0) ? low : high;
}

/* FL: the inverse of the length of transition, without the viscous sublayer's part. */
AN_INLINE real AN_FN(an_lm_length)(real r)
{
    const real first = (AN_R(-132.567e-6) * r - AN_R(119.270e-4)) * r + AN_R(39.8189);
    const real second =
        ((AN_R(-101.695e-8) * r + AN_R(194.548e-5)) * r - AN_R(123.939e-2)) * r + AN_R(263.404);
    const real third = AN_R(0.5) - AN_R(3e-4) * (r - AN_R(596.0));
    const real upper = r < AN_R(1200.0) ? third : AN_R(0.3188);
    const real lower = r < AN_R(400.0) ? first : second;
    return r < AN_R(596.0) ? lower : upper;
}

/* Req, at least 20: A(Tu) F(l, Tu) with l = Req^2 gradient, within -0.1 and 0.1: solved for by six steps of Newton's
 * method, of at most 0.9 Req. intensity: percent, at least 0.027 counts; gradient: nu dU/ds / U^2.
 *
 *   A = 1173.51 - 589.428 Tu + 0.2196 / Tu^2 (Tu <= 1.3),   331.50 (Tu - 0.5658)^-0.671
 *   F = 1 + (12.986 l + 123.66 l^2 + 405.689 l^3) exp(-(Tu / 1.5)^1.5) (l <= 0),
 *       1 + 0.275 (1 - exp(-35 l)) exp(-2 Tu) */
AN_INLINE real AN_FN(an_lm_correlation)(real intensity, real gradient)
{
    const real zero = AN_R(0.0), one = AN_R(1.0), two = AN_R(2.0), most = AN_R(0.1);
    const real tu = AN_MIN(AN_MAX(intensity, AN_R(0.027)), AN_R(1000.0)), part = tu / AN_R(1.5);
    const real low = AN_R(1173.51) - AN_R(589.428) * tu + AN_R(0.2196) / (tu * tu);
    const real power = AN_FN(an_pow_positive)(AN_MAX(tu - AN_R(0.5658), AN_R(0.1)), AN_R(0.671));
    const real plain = tu <= AN_R(1.3) ? low : AN_R(331.50) / power;
    const real adverse = AN_FN(an_exp_decay)(-(part * AN_SQRT(part)));
    const real favourable = AN_R(0.275) * AN_FN(an_exp_decay)(AN_R(-2.0) * tu);
    real r = plain;
    for (int n = 0; n < 6; n++) {
        const real free = r * r * gradient, l = AN_MIN(AN_MAX(free, -most), most);
        const real decay = AN_FN(an_exp_decay)(AN_R(-35.0) * AN_MAX(l, zero));
        const real below = ((AN_R(405.689) * l + AN_R(123.66)) * l + AN_R(12.986)) * l * adverse;
        const real below_slope = ((AN_R(1217.067) * l + AN_R(247.32)) * l + AN_R(12.986)) * adverse;
        const real factor = one + (l > zero ? favourable * (one - decay) : below);
        const real steep = l > zero ? AN_R(35.0) * favourable * decay : below_slope;
        const real slope = free == l ? one - two * plain * steep * r * gradient : one;
        const real step = (r - plain * factor) / slope, limit = AN_R(0.9) * r;
        r -= AN_MIN(AN_MAX(step, -limit), limit);
    }
    return AN_MAX(r, AN_LM_LEAST);
}

/* Fon. rev: S d^2 / nu; rt: k / (nu omega). */
AN_INLINE real AN_FN(an_lm_onset)(real rev, real critical, real rt)
{
    const real zero = AN_R(0.0), part = rt / AN_R(2.5);
    const real first = AN_MIN(rev / (AN_R(2.193) * critical), AN_R(10.0)), square = first * first;
    const real second = AN_MIN(AN_MAX(first, square * square), AN_R(2.0));
    const real third = AN_MAX(AN_R(1.0) - part * part * part, zero);
    return AN_MAX(second - third, zero);
}

/* What the sources see of a cell. gradient: an_lm_correlation; speed2: U^2; starts: the laminar start of a run, in
 * which nothing makes intermittency. */
struct AN_FN(an_lm_cell) {
    real g, r, k, omega, nu, d, strain, vorticity, speed2, gradient, intensity;
    int starts;
};

/* Sources over rho, 1/s, what the point-implicit step adds to the diagonals, 1/s, and the effective intermittency. */
struct AN_FN(an_lm_sources) {
    real g, r, diagonal_g, diagonal_r, effective;
};

AN_INLINE struct AN_FN(an_lm_sources) AN_FN(an_lm_source)(const struct AN_FN(an_lm_cell) * c)
{
    struct AN_FN(an_lm_sources) s;
    const real zero = AN_R(0.0), one = AN_R(1.0), ten = AN_R(10.0), fifty = AN_R(50.0);
    const real length = c->d * c->d / c->nu, rt = c->k / (c->nu * c->omega);
    const real rev = c->strain * length, reo = c->omega * length;
    const real critical = AN_FN(an_lm_critical)(c->r);
    /* intermittency */
    const real quarter = AN_MIN(AN_R(0.25) * rt, ten), sub = AN_MIN(reo / AN_R(200.0), ten);
    const real sublayer = AN_FN(an_exp_decay)(-(sub * sub));
    const real rate_of = AN_FN(an_lm_length)(c->r) * (one - sublayer) + AN_R(40.0) * sublayer;
    const real found = AN_FN(an_lm_onset)(rev, critical, rt), onset = c->starts ? zero : found;
    const real growth = AN_R(2.0) * rate_of * c->strain * AN_SQRT(onset / AN_MAX(c->g, AN_R(1e-3)));
    const real decay =
        AN_R(0.06) * c->vorticity * AN_FN(an_exp_decay)(-(quarter * quarter) * (quarter * quarter));
    const real rate =
        growth * (one - c->g) - decay * (fifty * c->g - one); /* (Pg - Eg) / (rho g) */
    s.g = rate * c->g;
    s.diagonal_g = AN_MAX(-rate, zero) + (growth + fifty * decay) * c->g;
    /* its Reynolds number */
    const real thickness = AN_R(375.0) * c->vorticity * c->nu * c->r; /* delta U^2 / d */
    const real above = AN_MIN(c->speed2 / AN_MAX(thickness, AN_R(1e-20)), ten);
    const real wake = AN_MIN(reo * AN_R(1e-5), ten), off = (fifty * c->g - one) / AN_R(49.0);
    const real layer = AN_FN(an_exp_decay)(-(wake * wake + (above * above) * (above * above)));
    const real inside = AN_MIN(AN_MAX(layer, one - off * off), one);
    const real relax = AN_R(0.03) / AN_R(500.0) * c->speed2 / c->nu * (one - inside);
    s.r = relax * (AN_FN(an_lm_correlation)(c->intensity, c->gradient) - c->r);
    s.diagonal_r = relax;
    /* laminar separation */
    const real twentieth = AN_MIN(AN_R(0.05) * rt, ten);
    const real attached = AN_FN(an_exp_decay)(-(twentieth * twentieth) * (twentieth * twentieth));
    const real excess = AN_MAX(rev / (AN_R(3.235) * critical) - one, zero);
    const real bubble = AN_MIN(AN_R(2.0) * excess * attached, AN_R(2.0)) * inside;
    s.effective = c->starts ? c->g : AN_MAX(c->g, bubble);
    return s;
}

/* nu dU/ds / U^2 from GRAD (3 c + d: d u_c / d x_d) and the relative velocity w; speed2: its square, above zero. */
AN_INLINE real AN_FN(an_lm_gradient)(const real g[9], const real w[3], real speed2, real nu)
{
    const real along = AN_FN(an_gamma_slope)(g, w[0], w[1], w[2]);
    return nu * along / (speed2 * speed2);
}

/* Tu, percent. speed2: above zero. */
AN_INLINE real AN_FN(an_lm_intensity)(real k, real speed2)
{
    return AN_R(100.0) * AN_SQRT(AN_R(0.66666666666666667) * AN_MAX(k, AN_R(0.0)) / speed2);
}

/* The square of the relative velocity; at least (1 mm/s)^2, where the model asks for nothing. */
AN_INLINE real AN_FN(an_lm_speed2)(real u, real v, real w)
{
    return AN_MAX(u * u + v * v + w * w, AN_R(1e-6));
}

/* What the effective intermittency e changes in an_sst_source, as an_gamma_change. */
AN_INLINE struct AN_FN(an_gamma_changes)
    AN_FN(an_lm_change)(real e, real k, real omega, real strain, real rate, real f1, real ambient_k,
                        real ambient_omega)
{
    struct AN_FN(an_gamma_changes) s;
    const real one = AN_R(1.0), most = AN_R(10.0) * AN_SST_BSTAR * omega * rate;
    const real production = k / rate * AN_MIN(strain * strain, most);
    s.diagonal_k = (AN_MIN(AN_MAX(e, AN_R(0.1)), one) - one) * AN_SST_BSTAR * omega;
    s.k = (e - one) * production - s.diagonal_k * k + AN_SST_BSTAR * ambient_omega * ambient_k;
    s.omega = AN_FN(an_sst_blend)(f1, AN_SST_B1, AN_SST_B2) * ambient_omega * ambient_omega;
    return s;
}

#endif

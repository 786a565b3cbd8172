/* Transition of boundary layers for SST: the one-equation intermittency model (Menter, Smirnov, Liu,
 * Avancha, Flow Turbulence Combust. 95, 2015), point physics. g: intermittency, 0 in laminar, 1 in
 * turbulent flow and in the stream.
 *
 *   D rho g / Dt = Pg - Eg + div[(mu + mut) grad g]
 *   Pg = 100 rho S g (1 - g) Fon,   Eg = 0.06 rho O g Fturb (50 g - 1),   Fturb = exp(-(RT / 2)^4)
 *   Fon = max(Fon2 - Fon3, 0),   Fon2 = min(Rev / (2.2 Re_c), 2),   Fon3 = max(1 - (RT / 3.5)^3, 0)
 *   Rev = S d^2 / nu,   RT = k / (nu omega)
 *   Re_c = 100 + 1000 exp(-TuL FPG),   TuL = min(100 sqrt(2 k / 3) / (omega d), 100), percent
 *   FPG(l) = min(1 + 14.68 l, 1.5) for l >= 0, max(min(1 - 7.34 l, 3), 0) for l < 0
 *   l = -7.57e-3 (dV/dn) d^2 / nu + 0.0128, within -1 and 1;   dV/dn = n . grad u . n
 *
 * S: strain, O: vorticity, d: distance from the nearest wall, n: the direction away from it. What becomes of
 * SST:
 *
 *   Pk = g min(mut S O, 10 b* rho omega k) + Pk_lim,   Dk = max(g, 0.1) b* rho omega k
 *   Pk_lim = 5 max(g - 0.2, 0) (1 - g) Fl max(3 mu - mut, 0) S O,   Fl = min(max(Rev / 2420 - 1, 0), 3)
 *   production of omega: gamma rho min(S O, 10 b* rho omega k / mut), without g
 *   F1 = max(F1, exp(-(Ry / 120)^8)),   Ry = d sqrt(k) / nu
 *
 * and, where the turbulence of the stream shall not decay (ambient values ka, wa): + b* rho wa ka in k, + b rho wa^2
 * in omega (Spalart, Rumsey, AIAA J. 45, 2007; NASA TMR "SST-sust").
 */
#ifndef AN_INTERMITTENCY_H
#define AN_INTERMITTENCY_H

#include "kernels/physics/sst.h"

/* The wall distance, m, where no wall is 1e30 away: its square has to fit single precision. */
AN_INLINE real AN_FN(an_gamma_distance)(real d)
{
    return AN_MIN(d, AN_R(1e10));
}

/* TuL, percent. */
AN_INLINE real AN_FN(an_gamma_intensity)(real k, real omega, real d)
{
    const real velocity = AN_SQRT(AN_R(0.66666666666666667) * AN_MAX(k, AN_R(0.0)));
    return AN_MIN(AN_R(100.0) * velocity / (omega * d), AN_R(100.0));
}

/* FPG. slope: dV/dn, 1/s. */
AN_INLINE real AN_FN(an_gamma_pressure)(real slope, real d, real nu)
{
    const real zero = AN_R(0.0), one = AN_R(1.0);
    real l = AN_R(0.0128) - AN_R(7.57e-3) * slope * (d * d / nu);
    l = AN_MIN(AN_MAX(l, -one), one);
    const real favourable = AN_MIN(one + AN_R(14.68) * l, AN_R(1.5));
    const real adverse = AN_MAX(AN_MIN(one - AN_R(7.34) * l, AN_R(3.0)), zero);
    return l >= zero ? favourable : adverse;
}

/* Re_c. intensity: percent. */
AN_INLINE real AN_FN(an_gamma_critical)(real intensity, real pressure)
{
    return AN_R(100.0) + AN_R(1000.0) * AN_FN(an_exp_decay)(-(intensity * pressure));
}

/* Fon. rev: S d^2 / nu; rt: k / (nu omega). */
AN_INLINE real AN_FN(an_gamma_onset)(real rev, real critical, real rt)
{
    const real zero = AN_R(0.0), part = rt / AN_R(3.5);
    const real second = AN_MIN(rev / (AN_R(2.2) * critical), AN_R(2.0));
    const real third = AN_MAX(AN_R(1.0) - part * part * part, zero);
    return AN_MAX(second - third, zero);
}

/* (Pg - Eg) over rho, 1/s, and what the point-implicit step adds, 1/s: at least (Eg - Pg) / g and d(Eg - Pg)/dg,
 * so that no step makes g negative. */
struct AN_FN(an_gamma_sources) {
    real g, diagonal;
};

AN_INLINE struct AN_FN(an_gamma_sources)
    AN_FN(an_gamma_source)(real g, real strain, real vorticity, real onset, real rt)
{
    struct AN_FN(an_gamma_sources) s;
    const real zero = AN_R(0.0), one = AN_R(1.0), half = AN_MIN(AN_R(0.5) * rt, AN_R(10.0));
    const real growth = AN_R(100.0) * strain * onset;
    const real decay = AN_R(0.06) * vorticity * AN_FN(an_exp_decay)(-(half * half) * (half * half));
    const real rate = growth * (one - g) - decay * (AN_R(50.0) * g - one); /* (Pg - Eg) / (rho g) */
    s.g = rate * g;
    s.diagonal = AN_MAX(-rate, zero) + (growth + AN_R(50.0) * decay) * g;
    return s;
}

/* F1 of laminar layers: that of the wall, which SST's own F1 is not where k is small. */
AN_INLINE real AN_FN(an_gamma_f1)(real f1, real k, real nu, real d)
{
    const real part = AN_MIN(d * AN_SQRT(AN_MAX(k, AN_R(0.0))) / (AN_R(120.0) * nu), AN_R(10.0));
    const real square = part * part, fourth = square * square;
    return AN_MAX(f1, AN_FN(an_exp_decay)(-(fourth * fourth)));
}

/* What the intermittency changes in an_sst_source: over rho, m2/s3 and 1/s2, and the diagonal of k, 1/s. rate:
 * an_sst_rate; rev: S d^2 / nu; ambient: 0, 0 without. */
struct AN_FN(an_gamma_changes) {
    real k, omega, diagonal_k;
};

AN_INLINE struct AN_FN(an_gamma_changes)
    AN_FN(an_gamma_change)(real g, real k, real omega, real strain, real vorticity, real rate,
                           real f1, real rev, real nu, real ambient_k, real ambient_omega)
{
    struct AN_FN(an_gamma_changes) s;
    const real zero = AN_R(0.0), one = AN_R(1.0), most = AN_R(10.0) * AN_SST_BSTAR * omega * rate;
    const real eddy = k / rate, product = strain * vorticity;
    const real plain = AN_MIN(strain * strain, most), kato = AN_MIN(product, most);
    const real part = AN_MIN(AN_MAX(rev / AN_R(2420.0) - one, zero), AN_R(3.0));
    const real room = AN_MAX(AN_R(3.0) * nu - eddy, zero);
    const real bubble = AN_R(5.0) * AN_MAX(g - AN_R(0.2), zero) * (one - g) * part * room * product;
    s.diagonal_k = (AN_MAX(g, AN_R(0.1)) - one) * AN_SST_BSTAR * omega;
    s.k = eddy * (g * kato - plain) + bubble - s.diagonal_k * k +
          AN_SST_BSTAR * ambient_omega * ambient_k;
    s.omega = AN_FN(an_sst_blend)(f1, AN_SST_GAMMA1, AN_SST_GAMMA2) * (kato - plain) +
              AN_FN(an_sst_blend)(f1, AN_SST_B1, AN_SST_B2) * ambient_omega * ambient_omega;
    return s;
}

/* n . grad u . n, 1/s, from GRAD (3 c + d: d u_c / d x_d). */
AN_INLINE real AN_FN(an_gamma_slope)(const real g[9], real x, real y, real z)
{
    return x * (g[0] * x + g[1] * y + g[2] * z) + y * (g[3] * x + g[4] * y + g[5] * z) +
           z * (g[6] * x + g[7] * y + g[8] * z);
}

#endif

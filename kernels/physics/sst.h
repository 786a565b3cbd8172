/* k-omega SST of 2003 (Menter, Kuntz, Langtry; NASA TMR "SST-2003m"), point physics.
 *
 *   D rho k / Dt     = Pk - b* rho omega k + div[(mu + sk mut) grad k]
 *   D rho omega / Dt = gamma rho Pk / mut - b rho omega^2 + div[(mu + so mut) grad omega]
 *                      + 2 (1 - F1) rho so2 / omega grad k . grad omega
 *   mut = rho a1 k / max(a1 omega, S F2),  Pk = min(mut S^2, 10 b* rho omega k) in both
 *
 * sk, so, b and gamma are blended: F1 of the inner and 1 - F1 of the outer values. Neither stress
 * nor energy has (2/3) rho k ("m"). S: strain, d: wall distance.
 *
 * Rough walls: omega on the wall from the height ks of the sand grains (an_sst_wall_rough), and S F2 F3 in
 * place of S F2, F3 = 1 - tanh((150 nu / (omega d^2))^4): without F3 the limit of mut takes most of the
 * roughness away (Hellsten, Laine, AIAA 97-3577). */
#ifndef AN_SST_H
#define AN_SST_H

#include "kernels/physics/turbulence.h"

#define AN_SST_BSTAR  AN_R(0.09)
#define AN_SST_A1     AN_R(0.31)
#define AN_SST_B1     AN_R(0.075)
#define AN_SST_B2     AN_R(0.0828)
#define AN_SST_SK1    AN_R(0.85)
#define AN_SST_SK2    AN_R(1.0)
#define AN_SST_SO1    AN_R(0.5)
#define AN_SST_SO2    AN_R(0.856)
#define AN_SST_GAMMA1 AN_R(0.55555555555555556)
#define AN_SST_GAMMA2 AN_R(0.44)

/* F1 phi1 + (1 - F1) phi2 */
AN_INLINE real AN_FN(an_sst_blend)(real f1, real phi1, real phi2)
{
    return f1 * phi1 + (AN_R(1.0) - f1) * phi2;
}

/* F1. cross: grad k . grad omega. */
AN_INLINE real AN_FN(an_sst_f1)(real k, real omega, real nu, real rho, real d, real cross)
{
    real viscous = AN_R(500.0) * nu / (d * d * omega);
    real outer = AN_SQRT(AN_MAX(k, AN_R(0.0))) / (AN_SST_BSTAR * omega * d);
    real cd = AN_MAX(AN_R(2.0) * rho * AN_SST_SO2 / omega * cross, AN_R(1e-10));
    real limit = AN_R(4.0) * rho * AN_SST_SO2 * k / (cd * d * d);
    real a = AN_MIN(AN_MAX(outer, viscous), limit);
    a = AN_MIN(a, AN_R(10.0)); /* tanh is 1 long before: keeps the fourth power small */
    return AN_FN(an_tanh_positive)(a * a * a * a);
}

AN_INLINE real AN_FN(an_sst_f2)(real k, real omega, real nu, real d)
{
    real viscous = AN_R(500.0) * nu / (d * d * omega);
    real outer = AN_R(2.0) * AN_SQRT(AN_MAX(k, AN_R(0.0))) / (AN_SST_BSTAR * omega * d);
    real a = AN_MIN(AN_MAX(outer, viscous), AN_R(10.0));
    return AN_FN(an_tanh_positive)(a * a);
}

AN_INLINE real AN_FN(an_sst_f3)(real omega, real nu, real d)
{
    real a = AN_MIN(AN_R(150.0) * nu / (omega * d * d), AN_R(10.0));
    return AN_R(1.0) - AN_FN(an_tanh_positive)(a * a * a * a);
}

/* max(omega, S F2 / a1): mut = rho k over this. */
AN_INLINE real AN_FN(an_sst_rate)(real k, real omega, real nu, real d, real strain)
{
    return AN_MAX(omega, strain * AN_FN(an_sst_f2)(k, omega, nu, d) / AN_SST_A1);
}

/* The same with F3, which is 1 where the nearest wall is smooth (ks 0). */
AN_INLINE real AN_FN(an_sst_rate_rough)(real k, real omega, real nu, real d, real strain, real ks)
{
    const real f3 = ks > AN_R(0.0) ? AN_FN(an_sst_f3)(omega, nu, d) : AN_R(1.0);
    return AN_FN(an_sst_rate)(k, omega, nu, d, f3 * strain);
}

/* omega on a viscous wall: Menter's 60 nu / (b1 h^2), h the distance of the first point off the
 * wall where points lie on the wall: here the height of the first cell, 2 d. With d in place of h
 * (TMR) the wall value is four times this; of 6 nu / (b1 y^2) the cells above then see what lies
 * 0.9 d nearer, and friction on meshes with y+ = 1 is 8 % low instead of 2 % (1-D layer,
 * ratio 1.2). */
AN_INLINE real AN_FN(an_sst_wall)(real nu, real d)
{
    return AN_R(15.0) * nu / (AN_SST_B1 * d * d);
}

/* omega on a rough wall: u_tau^2 SR / nu, and never above that of a smooth one. SR is the larger of
 * Wilcox's forms: of 1988, (50 / ks+)^2 up to ks+ 25, 100 / ks+ above; of 2006, (200 / ks+)^2 up to ks+ 5,
 * above 100 / ks+ + ((200 / ks+)^2 - 100 / ks+) exp(5 - ks+). u_tau: m/s. */
AN_INLINE real AN_FN(an_sst_wall_rough)(real nu, real u_tau, real ks, real smooth)
{
    const real least = AN_R(1e-6), kplus = AN_MAX(u_tau * ks / nu, least);
    const real far = AN_R(100.0) / kplus, near = AN_R(50.0) / kplus, low = AN_R(200.0) / kplus;
    const real first = kplus < AN_R(25.0) ? near * near : far;
    const real decay = AN_FN(an_exp_decay)(-AN_MAX(kplus - AN_R(5.0), AN_R(0.0)));
    const real second = far + (low * low - far) * decay;
    const real rough = u_tau * u_tau / nu * AN_MAX(first, second);
    return u_tau > AN_R(0.0) ? AN_MIN(rough, smooth) : smooth;
}

/* Sources over rho: m2/s3, 1/s2; and what the point-implicit step adds, 1/s: destruction, and the
 * cross diffusion where it is negative. rate: an_sst_rate. */
struct AN_FN(an_sst_sources) {
    real k, omega, diagonal_k, diagonal_omega;
    real production; /* in k */
};

AN_INLINE struct AN_FN(an_sst_sources)
    AN_FN(an_sst_source)(real k, real omega, real strain, real rate, real f1, real cross)
{
    struct AN_FN(an_sst_sources) s;
    const real zero = AN_R(0.0), one = AN_R(1.0), two = AN_R(2.0), ten = AN_R(10.0);
    real beta = AN_FN(an_sst_blend)(f1, AN_SST_B1, AN_SST_B2);
    real gamma = AN_FN(an_sst_blend)(f1, AN_SST_GAMMA1, AN_SST_GAMMA2);
    /* Pk over mut: mut = rho k / rate */
    real square = AN_MIN(strain * strain, ten * AN_SST_BSTAR * omega * rate);
    real diffusion = two * (one - f1) * AN_SST_SO2 / omega * cross;
    s.production = k / rate * square;
    s.k = s.production - AN_SST_BSTAR * omega * k;
    s.omega = gamma * square - beta * omega * omega + diffusion;
    s.diagonal_k = AN_SST_BSTAR * omega;
    s.diagonal_omega = two * beta * omega + AN_MAX(-diffusion, zero) / omega;
    return s;
}

/* fr1 of SST-RC (Smirnov, Menter, J. Turbomach. 131, 2009), the factor of Pk in both equations:
 *   fr1 = max(min((1 + cr1) 2 r* / (1 + r*) (1 - cr3 atan(cr2 rt)) - cr1, 1.25), 0), cr1 = cr3 = 1, cr2 = 2,
 *   r* = S / O,  rt = 2 W_ik S_jk / (O D^3) (DS_ij / Dt + (e_imn S_jn + e_jmn S_in) Om_m),  D^2 = max(S^2, 0.09 omega^2)
 * g: gradient of the absolute velocity; ds: S_ij's change along the velocity relative to the block, as an_sa_curvature
 * has it; spin: Om of the block about the x axis. In a flow that is steady in the block's frame both together are DS_ij /
 * Dt of the absolute flow. */
AN_INLINE real AN_FN(an_sst_curvature)(const real g[9], const real ds[6], real spin, real omega)
{
    const real half = AN_R(0.5), one = AN_R(1.0), two = AN_R(2.0), tiny = AN_R(1e-12);
    const real xy = half * (g[1] + g[3]), xz = half * (g[2] + g[6]), yz = half * (g[5] + g[7]);
    const real wx = half * (g[7] - g[5]), wy = half * (g[2] - g[6]), wz = half * (g[3] - g[1]);
    /* o S + (o S)^T of the block's turning, o_yz = -spin */
    const real dxx = ds[0], dyy = ds[1] - two * spin * yz, dzz = ds[2] + two * spin * yz;
    const real dxy = ds[3] - spin * xz, dxz = ds[4] + spin * xy;
    const real dyz = ds[5] + spin * (g[4] - g[8]);
    /* W_ik S_jk, W_xy = -wz, W_xz = wy, W_yz = -wx */
    const real axx = wy * xz - wz * xy, ayy = wz * xy - wx * yz, azz = wx * yz - wy * xz;
    const real axy = (wy * yz - wz * g[4]) + (wz * g[0] - wx * xz);
    const real axz = (wy * g[8] - wz * yz) + (wx * xy - wy * g[0]);
    const real ayz = (wz * xz - wx * g[8]) + (wx * g[4] - wy * xy);
    const real sum = (axx * dxx + ayy * dyy + azz * dzz) + (axy * dxy + axz * dxz + ayz * dyz);
    const real s = AN_FN(an_strain)(g), o = AN_FN(an_vorticity)(g) + tiny;
    const real d2 = AN_MAX(s * s, AN_R(0.09) * omega * omega) + tiny;
    const real ratio = s / o, rt = two * sum / (o * d2 * AN_SQRT(d2));
    const real fr = two * two * ratio / (one + ratio) * (one - AN_ATAN(two * rt)) - one;
    return AN_MAX(AN_MIN(fr, AN_R(1.25)), AN_R(0.0));
}

/* One variable phi through a face of a cell: its part of RT and the coupling. Outward: mass flux m
 * and gradient, grad phi . s; gamma: mu + sigma mut on the face, kg/m/s; floor: (small phi)^2 of
 * the limiter. Seen from the neighbour m and gradient are minus the same bits. */
struct AN_FN(an_sst_flux) {
    real rt, coupling;
};

AN_INLINE struct AN_FN(an_sst_flux)
    AN_FN(an_sst_side)(real m, real gamma, real ratio, real gradient, real behind, real phi,
                       real phi_nb, real beyond, real floor, int order)
{
    struct AN_FN(an_sst_flux) f;
    real on_face = AN_FN(an_turb_upwind)(m, behind, phi, phi_nb, beyond, floor, order);
    f.rt = m * (on_face - phi) - gamma * gradient;
    f.coupling = AN_MAX(-m, AN_R(0.0)) + AN_MAX(gamma, AN_R(0.0)) * ratio;
    return f;
}

/* The same of both cells beside a face, [0] the lower and [1] the upper one: the bits of two calls of an_sst_side, but
 * for the sign of a zero. m, gradient: from the lower to the upper cell; phi: of the two cells below the face and the
 * two above it. */
AN_INLINE void AN_FN(an_sst_sides)(real m, real gamma, real ratio, real gradient, const real phi[4],
                                   int order, struct AN_FN(an_sst_flux) f[2])
{
    const real zero = AN_R(0.0), small = AN_R(0.01);
    const int back = m < zero;
    const real ahead = phi[3] - phi[2], astern = phi[1] - phi[0], to = phi[2] - phi[1];
    const real base = back ? phi[2] : phi[1], away = back ? ahead : astern;
    const real product = away * to, squares = AN_FMA(away, away, to * to);
    const real diffusion = gamma * gradient, conductance = AN_MAX(gamma, zero) * ratio;
    real on_face[2];
    for (int side = 0; side < 2; side++) {
        const real floor = small * phi[1 + side];
        const real limit = AN_FN(an_limit)(product, squares, floor * floor, AN_LIMITER_VAN_ALBADA);
        const real step = AN_FN(an_muscl_step)(away, to, limit);
        const real below = base - step, above = base + step;
        const real second = back ? below : above;
        on_face[side] = order < 2 ? base : second;
    }
    f[0].rt = m * (on_face[0] - phi[1]) - diffusion;
    f[1].rt = diffusion - m * (on_face[1] - phi[2]);
    f[0].coupling = AN_MAX(-m, zero) + conductance;
    f[1].coupling = AN_MAX(m, zero) + conductance;
}

/* k of a speed (squared), from the intensity of the inflow; the square of the speed counts as at least part of that of the
 * flow, or without preconditioning of floor_u, by default a tenth of the speed of sound. */
AN_INLINE real AN_FN(an_sst_intensity_k)(real speed2, real part, const struct AN_FN(an_prm) * prm)
{
    const real least = part * (prm->flux.precondition ? prm->flux.low_mach : prm->flux.floor_u);
    return AN_R(1.5) * prm->turb.inflow_intensity * prm->turb.inflow_intensity *
           AN_MAX(speed2, least);
}

/* k and omega of flow that enters with a speed (squared), from intensity and viscosity ratio. The least speed is a hundredth,
 * by default a thousandth of the speed of sound: omega of a face at rest stays above zero, and slow flow has the intensity
 * of the case. */
AN_INLINE real AN_FN(an_sst_inflow_k)(real speed2, const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_sst_intensity_k)(speed2, AN_R(1e-4), prm);
}

/* k at the start of a run, which may be at rest. */
AN_INLINE real AN_FN(an_sst_start_k)(real speed2, const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_sst_intensity_k)(speed2, AN_R(1.0), prm);
}

AN_INLINE real AN_FN(an_sst_inflow_omega)(real k, real nu, const struct AN_FN(an_prm) * prm)
{
    return k / (nu * prm->turb.inflow_ratio);
}

#endif

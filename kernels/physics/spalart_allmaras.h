/* Spalart-Allmaras, SA-neg (Allmaras, Johnson, Spalart, ICCFD7-1902, 2012; NASA TMR), point
 * physics.
 *
 *   D nut / Dt = P - D + (1/sigma) [div((nu + nut) grad nut) + cb2 |grad nut|^2]
 *   P = cb1 (1 - ft2) St nut,  D = (cw1 fw - cb1 ft2 / k^2) (nut / d)^2
 *   St = O + Sb, Sb = nut fv2 / (k d)^2,  mu_t = rho nut fv1;  where Sb < -c2 O ("option c"):
 *   St = O + O (c2^2 O + c3 Sb) / ((c3 - 2 c2) O - Sb);  and for nut < 0:
 *   P = cb1 (1 - ct3) O nut,  D = -cw1 (nut / d)^2,  nu + nut -> nu + fn nut,  mu_t = 0.
 *
 * The density stands outside of the diffusion (TMR, note 4). With rotation (SA-R, Dacles-Mariani et
 * al. 1995) P has St + Crot min(0, S - O), Crot = 2. With rotation and curvature (SA-RC, Shur et
 * al. 2000) P has fr1 - ft2 in place of 1 - ft2. With transition (SA-BCM, Cakmakcioglu, Bas, Mura,
 * Kaynak, AIAA 2020-2706; NASA TMR) P is multiplied by the intermittency and ft2 = 0.
 * O: vorticity, S: strain, d: wall distance.
 *
 * Rough walls (Aupoix, Spalart, Int. J. Heat Fluid Flow 24, 2003, the extension of Boeing; NASA TMR),
 * ks: equivalent height of sand grains: d has d0 = 0.03 ks more, chi = nut / nu + 0.5 ks / d, but fv2 =
 * 1 - nut / (nu + nut fv1), and on the wall dnut / dn = nut / d0. */
#ifndef AN_SPALART_ALLMARAS_H
#define AN_SPALART_ALLMARAS_H

#include "kernels/physics/turbulence.h"

#define AN_SA_CB1   AN_R(0.1355)
#define AN_SA_CB2   AN_R(0.622)
#define AN_SA_SIGMA AN_R(0.66666666666666667)
#define AN_SA_K2    AN_R(0.1681) /* kappa^2, kappa = 0.41 */
#define AN_SA_CW1   (AN_SA_CB1 / AN_SA_K2 + (AN_R(1.0) + AN_SA_CB2) / AN_SA_SIGMA)
#define AN_SA_CW2   AN_R(0.3)
#define AN_SA_CW36  AN_R(64.0)    /* cw3^6 */
#define AN_SA_CV13  AN_R(357.911) /* cv1^3 */
#define AN_SA_CT3   AN_R(1.2)
#define AN_SA_CT4   AN_R(0.5)
#define AN_SA_CN1   AN_R(16.0)
#define AN_SA_C2    AN_R(0.7)
#define AN_SA_C3    AN_R(0.9)
#define AN_SA_D0    AN_R(0.03) /* d0 over ks */
#define AN_SA_CR1   AN_R(0.5)

AN_INLINE real AN_FN(an_sa_fv1)(real x)
{
    real x3 = x * x * x;
    return x3 / (x3 + AN_SA_CV13);
}

/* mu_t / rho from nut and nu. rough: what roughness adds to chi. */
AN_INLINE real AN_FN(an_sa_eddy_rough)(real nut, real nu, real rough)
{
    return nut > AN_R(0.0) ? nut * AN_FN(an_sa_fv1)(nut / nu + rough) : AN_R(0.0);
}

AN_INLINE real AN_FN(an_sa_eddy)(real nut, real nu)
{
    return AN_FN(an_sa_eddy_rough)(nut, nu, AN_R(0.0));
}

/* The wall distance with d0, and what roughness adds to chi there. */
AN_INLINE real AN_FN(an_sa_distance)(real d, real ks)
{
    return AN_FMA(AN_SA_D0, ks, d);
}

AN_INLINE real AN_FN(an_sa_rough)(real d, real ks)
{
    return AN_SA_CR1 * ks / AN_FN(an_sa_distance)(d, ks);
}

/* nut at the distance d below a rough wall over nut at d above it: nut is linear, and zero at d0 below. */
AN_INLINE real AN_FN(an_sa_mirror)(real d, real ks)
{
    return (AN_SA_D0 * ks - d) / AN_FN(an_sa_distance)(d, ks);
}

/* mu_t / rho on a rough wall, from nut there. */
AN_INLINE real AN_FN(an_sa_wall_eddy)(real nut, real nu)
{
    return AN_FN(an_sa_eddy_rough)(nut, nu, AN_SA_CR1 / AN_SA_D0);
}

/* nu + nut, or nu + fn nut where nut < 0: positive. */
AN_INLINE real AN_FN(an_sa_diffusivity)(real nut, real nu)
{
    real x = nut / nu, x3 = x * x * x;
    real fn = nut < AN_R(0.0) ? (AN_SA_CN1 + x3) / (AN_SA_CN1 - x3) : AN_R(1.0);
    return AN_FMA(fn, nut, nu);
}

/* The modified vorticity from O and Sb, and its derivative by Sb. */
AN_INLINE real AN_FN(an_sa_vorticity)(real o, real sb, real *slope)
{
    real under = (AN_SA_C3 - AN_R(2.0) * AN_SA_C2) * o - sb;
    real over = AN_FMA(AN_SA_C3, sb, AN_SA_C2 * AN_SA_C2 * o);
    int plain = sb >= -AN_SA_C2 * o;
    under = plain ? AN_R(1.0) : under;
    *slope = plain ? AN_R(1.0) : o * (AN_SA_C3 * under + over) / (under * under);
    return plain ? o + sb : o + o * over / under;
}

/* fw and its derivative by r. */
AN_INLINE real AN_FN(an_sa_fw)(real r, real *slope)
{
    real r5 = r * r * r * r * r;
    real g = AN_FMA(AN_SA_CW2, r5 * r - r, r);
    real g2 = g * g, g6 = g2 * g2 * g2, inverse = AN_R(1.0) / (g6 + AN_SA_CW36);
    real root = AN_FN(an_cbrt_positive)(AN_SQRT((AN_R(1.0) + AN_SA_CW36) * inverse));
    *slope = root * (AN_SA_CW36 * inverse) * (AN_R(1.0) + AN_SA_CW2 * (AN_R(6.0) * r5 - AN_R(1.0)));
    return g * root;
}

/* fr1 = (1 + cr1) 2 r* / (1 + r*) (1 - cr3 atan(cr2 rt)) - cr1, cr1 = cr3 = 1, cr2 = 12, with
 *   r* = S / w,  rt = 2 w_ik S_jk / D^4 (DS_ij / Dt + (e_imn S_jn + e_jmn S_in) Om_m),
 *   w_ij = (d u_i / dx_j - d u_j / dx_i) / 2 + e_mji Om_m,  S^2 = 2 S_ij S_ij,  w^2 = 2 w_ij w_ij,
 *   D^2 = (S^2 + w^2) / 2.
 * g: velocity gradient, 3 i + j; ds: DS_ij / Dt, xx yy zz xy xz yz; spin: Om of the frame in which
 * both are. */
AN_INLINE real AN_FN(an_sa_curvature)(const real g[9], const real ds[6], const real spin[3])
{
    const real half = AN_R(0.5), one = AN_R(1.0), two = AN_R(2.0), tiny = AN_R(1e-12);
    const real xy = half * (g[1] + g[3]), xz = half * (g[2] + g[6]), yz = half * (g[5] + g[7]);
    /* twice the vector of w: w_xy = -az, w_xz = ay, w_yz = -ax */
    const real ax = half * (g[7] - g[5]) + spin[0], ay = half * (g[2] - g[6]) + spin[1],
               az = half * (g[3] - g[1]) + spin[2];
    const real s[9] = {g[0], xy, xz, xy, g[4], yz, xz, yz, g[8]};
    const real w[9] = {AN_R(0.0), -az, ay, az, AN_R(0.0), -ax, -ay, ax, AN_R(0.0)};
    const real o[9] = {AN_R(0.0), -spin[2], spin[1], spin[2],  AN_R(0.0),
                       -spin[0],  -spin[1], spin[0], AN_R(0.0)};
    const real d[9] = {ds[0], ds[3], ds[4], ds[3], ds[1], ds[5], ds[4], ds[5], ds[2]};
    real sum = AN_R(0.0), s2 = AN_R(0.0), w2 = AN_R(0.0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            real ws = AN_R(0.0), turned = AN_R(0.0); /* o S + (o S)^T: what the frame turns */
            for (int k = 0; k < 3; k++) {
                ws += w[3 * i + k] * s[3 * j + k];
                turned += o[3 * i + k] * s[3 * j + k] + o[3 * j + k] * s[3 * i + k];
            }
            sum += ws * (d[3 * i + j] + turned);
            s2 += two * s[3 * i + j] * s[3 * i + j];
            w2 += two * w[3 * i + j] * w[3 * i + j];
        }
    const real d2 = half * (s2 + w2) + tiny;
    const real ratio = AN_SQRT(s2) / (AN_SQRT(w2) + tiny), rt = two * sum / (d2 * d2);
    return two * (two * ratio / (one + ratio)) * (one - AN_ATAN(AN_R(12.0) * rt)) - one;
}

/* Intermittency of SA-BCM: 0 in laminar, 1 in turbulent flow. tu: turbulence intensity of the stream,
 * 0.01 is 1 %; below 0: laminar everywhere; omega: vorticity, 1/s; d: wall distance, m.
 *
 *   gamma = 1 - exp(-sqrt(T1) - sqrt(T2)),  T1 = max(Re_th - Re_c, 0) / (0.002 Re_c),
 *   T2 = mu_t / (0.02 mu),  Re_th = O d^2 / (2.193 nu),  Re_c = 803.73 (100 tu + 0.6067)^-1.027 */
AN_INLINE real AN_FN(an_bcm_critical)(real tu)
{
    const real t = AN_FMA(AN_R(100.0), tu, AN_R(0.6067));
    return AN_R(803.73) / (t * AN_FN(an_pow_positive)(t, AN_R(0.027)));
}

AN_INLINE real AN_FN(an_bcm_intermittency)(real eddy, real nu, real omega, real d, real tu)
{
    const real zero = AN_R(0.0), critical = AN_FN(an_bcm_critical)(tu);
    const real thickness = omega * d * d / (AN_R(2.193) * nu); /* Re_th */
    const real t1 = AN_MAX(thickness - critical, zero) / (AN_R(0.002) * critical);
    const real t2 = AN_MAX(eddy, zero) / (AN_R(0.02) * nu);
    const real gamma = AN_R(1.0) - AN_FN(an_exp_decay)(-(AN_SQRT(t1) + AN_SQRT(t2)));
    return tu < zero ? zero : gamma;
}

/* P - D, m2/s2. omega: vorticity; rotation: Crot min(0, S - O), 0 without; fr1: 1 without; d: wall
 * distance (an_sa_distance), m; gamma: intermittency, 1 without; ct3: AN_SA_CT3, or 0 for ft2 = 0 where
 * nut >= 0; rough: an_sa_rough, 0 at smooth walls.
 * diagonal, 1/s: what the point-implicit step adds, at least -d(P - D)/dnut and (D - P)/nut, so
 * that steps of any length converge where P - D falls and keep nut > 0. */
AN_INLINE real AN_FN(an_sa_source)(real nut, real nu, real omega, real rotation, real fr1, real d,
                                   real gamma, real ct3, real rough, real *diagonal)
{
    const real zero = AN_R(0.0), one = AN_R(1.0);
    real inverse = one / (AN_SA_K2 * d * d); /* 1/m2 */
    int negative = nut < zero;
    /* nut < 0 */
    real production_n = AN_SA_CB1 * (one - AN_SA_CT3) * AN_FABS(omega + rotation); /* over nut */
    real destruction_n = AN_SA_CW1 * AN_SA_K2 * inverse * nut; /* minus D over nut */
    real source_n = (production_n + destruction_n) * nut;
    real diagonal_n = -(production_n + AN_R(2.0) * destruction_n);
    /* nut >= 0 */
    nut = negative ? zero : nut;
    real own = nut / nu, x = own + rough, x3 = x * x * x;
    real sum = x3 + AN_SA_CV13;
    real fv1 = x3 / sum;
    real dfv1 = AN_R(3.0) * x * x * AN_SA_CV13 / (sum * sum); /* by x */
    real wide = AN_FMA(own, fv1, one);
    real fv2 = one - own / wide;
    real dfv2 = -(one - own * own * dfv1) / (wide * wide); /* by x */
    real slope, fw_slope;
    real st = AN_FN(an_sa_vorticity)(omega, nut * fv2 * inverse, &slope);
    real dst = slope * AN_FMA(own, dfv2, fv2) * inverse;
    real over = nut * inverse;
    int plain = over < AN_R(10.0) * st;
    real r = plain ? over / st : AN_R(10.0);
    real dr = plain ? (inverse - r * dst) / st : zero;
    real fw = AN_FN(an_sa_fw)(r, &fw_slope);
    real ft2 = ct3 * AN_FN(an_exp_decay)(-AN_SA_CT4 * x * x);
    real dft2 = AN_R(-2.0) * AN_SA_CT4 * x * ft2 / nu;
    real turn = fr1 - one;
    real production =
        gamma * (AN_SA_CB1 * ((one - ft2) * (st + rotation) + turn * st)); /* over nut */
    real dproduction =
        gamma * (AN_SA_CB1 * ((one - ft2) * dst + turn * dst - dft2 * (st + rotation)));
    real wall = AN_SA_CW1 * AN_SA_K2 * fw - AN_SA_CB1 * ft2;
    real destruction = wall * over; /* D over nut */
    real ddestruction =
        (AN_SA_CW1 * AN_SA_K2 * fw_slope * dr - AN_SA_CB1 * dft2) * over + wall * inverse;
    real net = destruction - production;
    real diagonal_p = AN_MAX(AN_MAX(net, zero), net + (ddestruction - dproduction) * nut);
    *diagonal = negative ? diagonal_n : diagonal_p;
    return negative ? source_n : -net * nut;
}

/* What both cells of a face have of it, outward of the first, c: mass flux, kg/s; nut advected,
 * mean nut and diffusivity, m2/s; grad nut . s, m3/s; what multiplies a difference, m. */
struct AN_FN(an_sa_face) {
    real m, on_face, mean, diffusivity, gradient, ratio;
};

/* c, nb: cell and neighbour, with nut; behind, beyond: nut of the next cells inward and outward; s,
 * r outward, and m3/s the face sweeps. Seen from nb, with all turned about, m and gradient are
 * minus the same bits, the rest is the same. */
AN_INLINE struct AN_FN(an_sa_face)
    AN_FN(an_sa_face_of)(const struct AN_FN(an_turb_cell) * c,
                         const struct AN_FN(an_turb_cell) * nb, real behind, real nut, real nut_nb,
                         real beyond, const real gl[3], const real gr[3], const real s[3],
                         const real r[3], real sweep, int order)
{
    const real half = AN_R(0.5);
    struct AN_FN(an_sa_face) f;
    real nu = half * (c->nu + nb->nu);
    f.m = AN_FN(an_turb_mass)(c, nb, s, sweep);
    f.mean = half * (nut + nut_nb);
    /* with smaller steps let pass, crests of nut are cut off and the order falls to one there */
    real small = AN_FMA(AN_R(0.05), AN_FABS(f.mean), nu);
    f.on_face = AN_FN(an_turb_upwind)(f.m, behind, nut, nut_nb, beyond, small * small, order);
    f.ratio = AN_FN(an_turb_ratio)(s, r);
    f.gradient = AN_FN(an_turb_gradient)(gl, gr, nut_nb - nut, s, r, f.ratio);
    f.diffusivity = AN_FN(an_sa_diffusivity)(f.mean, nu);
    return f;
}

/* What a face does to a cell: its part of RT, kg/s m2/s, and the coupling to the neighbour, kg/s.
 */
struct AN_FN(an_sa_flux) {
    real rt, coupling;
};

/* over: rho / sigma of the cell; m, gradient: outward of it. The diffusion is (1/sigma) {div((nu +
 * (1 + cb2) nut) grad nut) - cb2 nut div grad nut} with nut of the cell in the second term:
 * positive coefficients without source terms. */
AN_INLINE struct AN_FN(an_sa_flux) AN_FN(an_sa_side)(real over, real nut, real m, real gradient,
                                                     const struct AN_FN(an_sa_face) * face)
{
    const real zero = AN_R(0.0);
    struct AN_FN(an_sa_flux) f;
    real k = over * AN_FMA(AN_SA_CB2, face->mean - nut, face->diffusivity);
    f.rt = AN_FMA(-k, gradient, m * (face->on_face - nut));
    f.coupling = AN_FMA(AN_MAX(k, zero), face->ratio, AN_MAX(-m, zero));
    return f;
}

#endif

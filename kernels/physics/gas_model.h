/* The gas: p = rho R T, with constant cp (a ratio gamma) or with cp(T), a thermally perfect gas:
 *
 *     cp(T) = c0 + c1 T + c2 T^2 + ...  from T_lo to T_hi, constant beyond them; cp > 1.01 R
 *
 *     h(T)  = int cp dT, zero at T = 0;  e = h - R T   (cp T and cv T where cp is constant)
 *
 *     s0(T) = int cp / T dT, zero in the middle of the range;   s = s0(T) - R ln p
 *
 *     l(T)  = int dh / c: u + l is what a simple wave carries (2 c / (gamma - 1), constant cp)
 *
 * h(0) = 0 means: with the cp of T_lo below T_lo. T comes from e, h, s0, l by Newton's method: a
 * fixed number of steps from a fit made once, here. Isentropic: s0(T2) - s0(T1) = R ln(p2 / p1).
 *
 * Kernels are built for each gas (AN_GAS in fields.h) and have point functions in both precisions:
 * gas_cp.h, gas.h. These are for hosts, for both gases, in double (constant cp: the usual ones). */
#ifndef AN_GAS_MODEL_H
#define AN_GAS_MODEL_H

#include "kernels/base/portable.h"

AN_EXTERN_C_BEGIN

enum { AN_GAS_TERMS = 7, AN_GAS_FIT = 13 };

/* cp(T) as kernels use it; nothing but numbers of one type. Polynomials in z = (T - mid) scale, -1
 * to 1 over the range. */
#define AN_GAS_WORDS(type)                                                                  \
    type R, lo, hi, mid, scale;      /* J/kg/K, K, K, K, 1/K */                             \
    type cp[AN_GAS_TERMS];           /* cp = sum cp[n] z^n */                               \
    type h_0, h[AN_GAS_TERMS];       /* h = h_0 + T sum h[n] z^n */                         \
    type s_log, s[AN_GAS_TERMS - 1]; /* s0 = s_log ln(T / mid) + z sum s[n] z^n */          \
    type l[AN_GAS_FIT];              /* l = sqrt(T) sum l[n] z^n */                         \
    /* T from h and e: sum fit[n] y^n, y = (h - centre) scale, -1 to 1; beyond: slope, K */ \
    type h_centre, h_scale, h_slope, h_fit[AN_GAS_TERMS];                                   \
    type e_centre, e_scale, e_slope, e_fit[AN_GAS_TERMS];                                   \
    type gamma_mid /* in the middle of the range */

struct an_gas_f32 {
    AN_GAS_WORDS(float);
};
struct an_gas_f64 {
    AN_GAS_WORDS(double);
};

/* From one gas to another one of the same range, in the words of a gas (an_gas_blend in gas_cp.h): the differences of
 * R, cp, h, s, the centres and fits; of h_scale and e_scale those of their inverses; lo, hi, mid, scale, h_slope and e_slope are
 * those of both gases. l is no sum over the gases: l = l_1 + Z (of.l + (1 - Z) bend). */
struct an_gas_step_f32 {
    struct an_gas_f32 of;
    float bend[AN_GAS_FIT];
};
struct an_gas_step_f64 {
    struct an_gas_f64 of;
    double bend[AN_GAS_FIT];
};

/* Two gases with cp(T) of the same range that mix: at the mass fraction Z of the second one
 *
 *     R = (1 - Z) R_1 + Z R_2,   cp, h and e likewise.
 *
 * Functions of `struct an_gas` below are those of the first gas, Z = 0; an_gas_at makes that of a fraction. */
struct an_gas_ends {
    struct an_gas_step_f64 step;
};

struct an_gas {
    int n;        /* coefficients of cp(T); 0: constant cp */
    double R;     /* J/kg/K */
    double gamma; /* constant cp; with cp(T) that in the middle of the range */
    struct an_gas_f64 of;
    const struct an_gas_table *table; /* NULL: none; the case's. Else n is 0, R of the dilute gas */
    const void *data; /* its numbers in the run's precision, engine memory (gas_real.h) */
    const struct an_gas_ends *ends; /* NULL: no mixture; the case's. Else this is the first gas */
};

/* Constant cp. */
struct an_gas an_gas_perfect(double R, double gamma);
/* n coefficients of powers of T. AN_INPUT with a text where lo < hi is not so, cp <= 1.01 R
 * somewhere or T cannot be found from e. */
int an_gas_polynomial(double R, int n, const double *c, double lo, double hi, struct an_gas *gas);
/* What leads from the gas `first` of an_gas_polynomial to one of n coefficients and the same range. AN_INPUT with a text
 * where that gas cannot be made, or T of some mixture not be found from e. */
int an_gas_mix(const struct an_gas *first, double R, int n, const double *c,
               struct an_gas_ends *ends);
/* The gas of a mass fraction Z, which counts as 0 below 0 and as 1 above 1; g itself where it is no mixture. */
struct an_gas an_gas_at(const struct an_gas *g, double Z);

/* J/kg/K, J/kg, -, m/s */
double an_gas_cp(const struct an_gas *g, double T);
double an_gas_gamma(const struct an_gas *g, double T);
double an_gas_h(const struct an_gas *g, double T);
double an_gas_e(const struct an_gas *g, double T);
double an_gas_s0(const struct an_gas *g, double T);
double an_gas_l(const struct an_gas *g, double T);
double an_gas_sound(const struct an_gas *g, double T);
/* K */
double an_gas_T_of_h(const struct an_gas *g, double h);
double an_gas_T_of_e(const struct an_gas *g, double e);
/* K: of the gas at T brought to rest from a speed of square V2, or held so in a frame that turns.
 */
double an_gas_T_at_rest(const struct an_gas *g, double T, double V2);
/* Pa and J/m3: of density rho and internal energy per volume, and back. */
double an_gas_pressure(const struct an_gas *g, double rho, double energy);
double an_gas_energy(const struct an_gas *g, double rho, double p);
/* T2 and p2 / p1 of an isentropic change from T1, by the other of them. */
double an_gas_isentropic_T(const struct an_gas *g, double T1, double p_ratio);
double an_gas_isentropic_p(const struct an_gas *g, double T1, double T2);

/* A state and what it comes to when brought to rest without losses. */
struct an_gas_flow {
    double p, T, V, p0, T0; /* Pa, K, m/s */
};
/* From p, T, V; or from p0, T0 and
 * the Mach number or p (at most p0), which are for flows without losses. */
struct an_gas_flow an_gas_total(const struct an_gas *g, double p, double T, double V);
struct an_gas_flow an_gas_static_mach(const struct an_gas *g, double p0, double T0, double mach);
struct an_gas_flow an_gas_static_p(const struct an_gas *g, double p0, double T0, double p);

AN_EXTERN_C_END
#endif

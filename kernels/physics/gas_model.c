#define AN_PRECISION 64
#include "kernels/physics/gas_model.h"

#include "kernels/base/error.h"
#include "kernels/physics/gas_cp.h"
#include "kernels/physics/gas_real.h"

#include <assert.h>
#include <string.h>

struct an_gas an_gas_perfect(double R, double gamma)
{
    return (struct an_gas){.R = R, .gamma = gamma};
}

/* ---- making of the fits ---- */

/* sum c[n] x^n of a polynomial in x = mid + z / scale becomes one in z. */
static void shift(int n, const double *c, double mid, double scale, double *out)
{
    memset(out, 0, (size_t)n * sizeof *out);
    for (int m = n - 1; m >= 0; m--) { /* out = out x + c[m] */
        double carry = 0;
        for (int k = 0; k < n; k++) {
            const double old = out[k];
            out[k] = old * mid + carry;
            carry = old / scale;
        }
        out[0] += c[m];
    }
}

/* z sum out[n] z^n = int sum c[n] z^n dz / scale from 0 */
static void integrate(int n, const double *c, double scale, double *out)
{
    for (int m = 0; m < n; m++)
        out[m] = c[m] / ((m + 1) * scale);
}

/* Where a polynomial of n coefficients through given values interpolates (Chebyshev). */
static double node(int k, int n)
{
    return cos(acos(-1.0) * (k + 0.5) / n);
}

static void interpolate(int n, const double *value, double *out)
{
    double before[AN_GAS_FIT] = {1}, here[AN_GAS_FIT] = {0, 1}; /* T0, T1 in powers of z */
    memset(out, 0, (size_t)n * sizeof *out);
    for (int m = 0; m < n; m++) {
        double sum = 0, next[AN_GAS_FIT] = {0};
        for (int k = 0; k < n; k++)
            sum += (value[k] - value[0]) * cos(acos(-1.0) * m * (k + 0.5) / n);
        sum *= (m ? 2.0 : 1.0) / n;
        for (int k = 0; k < n; k++) {
            out[k] += sum * before[k];
            next[k] = (k ? 2 * here[k - 1] : 0) - before[k];
        }
        memcpy(before, here, sizeof before);
        memcpy(here, next, sizeof here);
    }
    out[0] += value[0]; /* what is constant stays so, to the last bit */
}

/* T where cp T' - R part T is `value`: of h (part 0), of e (part 1). */
static double bisect(const struct an_gas_f64 *g, double part, double value)
{
    double lo = g->lo, hi = g->hi;
    for (int n = 0; n < 64; n++) {
        const double t = 0.5 * (lo + hi);
        if (an_gas_heat_of_f64(g, t).h - part * g->R * t < value)
            lo = t;
        else
            hi = t;
    }
    return 0.5 * (lo + hi);
}

static void fit_inverse(const struct an_gas_f64 *g, double part, double *centre, double *scale,
                        double *slope, double *fit)
{
    const double lo = an_gas_heat_of_f64(g, g->lo).h - part * g->R * g->lo;
    const double hi = an_gas_heat_of_f64(g, g->hi).h - part * g->R * g->hi;
    double value[AN_GAS_TERMS];
    *centre = 0.5 * (lo + hi);
    *scale = 2 / (hi - lo);
    *slope = 0.5 * (g->hi - g->lo);
    for (int k = 0; k < AN_GAS_TERMS; k++)
        value[k] = bisect(g, part, *centre + node(k, AN_GAS_TERMS) / *scale);
    interpolate(AN_GAS_TERMS, value, fit);
}

/* int from a to b of cp / c dT, in the root of T: 2 sqrt(cp (cp - R) / R) d sqrt(T). Gauss, 5
 * points in each of many parts. */
static double wave(const struct an_gas_f64 *g, double a, double b)
{
    const double x[5] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                         0.9061798459386640};
    const double w[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                         0.4786286704993665, 0.2369268850561891};
    enum { PARTS = 32 };
    const double from = sqrt(a), step = (sqrt(b) - from) / PARTS;
    double sum = 0;
    for (int n = 0; n < PARTS; n++)
        for (int k = 0; k < 5; k++) {
            const double root = from + step * (n + 0.5 + 0.5 * x[k]);
            const double cp = an_gas_cp_of_f64(g, root * root);
            sum += 0.5 * w[k] * step * 2 * sqrt(cp * (cp - g->R) / g->R);
        }
    return sum;
}

static void fit_wave(struct an_gas_f64 *g)
{
    const double cp = an_gas_cp_of_f64(g, g->lo);
    const double at_lo = 2 * sqrt(cp * (cp - g->R) / g->R) * sqrt(g->lo);
    double value[AN_GAS_FIT];
    for (int k = 0; k < AN_GAS_FIT; k++) {
        const double t = g->mid + node(k, AN_GAS_FIT) / g->scale;
        value[k] = (at_lo + wave(g, g->lo, t)) / sqrt(t);
    }
    interpolate(AN_GAS_FIT, value, g->l);
}

/* Is T found again from h and e, in the range and beyond it? */
static int found(const struct an_gas_f64 *g)
{
    for (int n = 0; n <= 2000; n++) {
        const double t = g->lo * 0.5 + (1.5 * g->hi - 0.5 * g->lo) * n / 2000.0;
        const double h = an_gas_heat_of_f64(g, t).h;
        if (!(fabs(an_gas_t_of_h_f64(g, h) - t) < 1e-13 * g->hi) ||
            !(fabs(an_gas_t_of_e_f64(g, h - g->R * t) - t) < 1e-13 * g->hi))
            return 0;
    }
    return 1;
}

int an_gas_polynomial(double R, int n, const double *c, double lo, double hi, struct an_gas *gas)
{
    struct an_gas_f64 *g = &gas->of;
    double all[AN_GAS_TERMS] = {0}, part[AN_GAS_TERMS];
    memset(gas, 0, sizeof *gas);
    AN_CHECK(n >= 1 && n <= AN_GAS_TERMS, AN_INPUT, "cp has %d coefficients, must be 1 to %d", n,
             AN_GAS_TERMS);
    AN_CHECK(lo > 0 && hi > lo, AN_INPUT,
             "cp holds from %.10g to %.10g K, must be two temperatures above 0, the lower first",
             lo, hi);
    memcpy(all, c, (size_t)n * sizeof *c);
    gas->n = n;
    gas->R = g->R = R;
    g->lo = lo;
    g->hi = hi;
    g->mid = 0.5 * (lo + hi);
    g->scale = 2 / (hi - lo);
    shift(AN_GAS_TERMS, all, g->mid, g->scale, g->cp);
    for (int k = 0; k <= 1000; k++) {
        const double t = lo + (hi - lo) * k / 1000, cp = an_gas_cp_of_f64(g, t);
        AN_CHECK(cp > 1.01 * R, AN_INPUT,
                 "cp at %.6g K is %.6g J/(kg K), must be above 1.01 R, %.6g J/(kg K)", t, cp,
                 1.01 * R);
    }
    for (int k = 0; k < AN_GAS_TERMS; k++)
        part[k] = all[k] / (k + 1);
    shift(AN_GAS_TERMS, part, g->mid, g->scale, g->h);
    g->h_0 = an_gas_cp_of_f64(g, lo) * lo - an_gas_heat_of_f64(g, lo).h; /* h(lo) = cp(lo) lo */
    shift(AN_GAS_TERMS - 1, all + 1, g->mid, g->scale, part);            /* cp / T = c0 / T + ... */
    integrate(AN_GAS_TERMS - 1, part, g->scale, g->s);
    g->s_log = all[0];
    gas->gamma = an_gas_gamma_of_f64(g, g->mid);
    fit_wave(g);
    fit_inverse(g, 0, &g->h_centre, &g->h_scale, &g->h_slope, g->h_fit);
    fit_inverse(g, 1, &g->e_centre, &g->e_scale, &g->e_slope, g->e_fit);
    g->gamma_mid = gas->gamma;
    AN_CHECK(
        found(g), AN_INPUT,
        "cp varies too much between %.6g and %.6g K for temperatures to be found from energies", lo,
        hi);
    return AN_OK;
}

int an_gas_mix(const struct an_gas *first, double R, int n, const double *c,
               struct an_gas_ends *ends)
{
    const struct an_gas_f64 *a = &first->of;
    struct an_gas second, middle = {.n = AN_GAS_TERMS};
    struct an_gas_f64 *d = &ends->step.of;
    AN_TRY(an_gas_polynomial(R, n, c, a->lo, a->hi, &second));
    const struct an_gas_f64 *b = &second.of;
    const double *x = (const double *)a, *y = (const double *)b; /* nothing but numbers */
    double *to = (double *)d;
    memset(ends, 0, sizeof *ends);
    for (size_t k = 0; k < sizeof *d / sizeof *to; k++)
        to[k] = y[k] - x[k];
    d->lo = a->lo;
    d->hi = a->hi;
    d->mid = a->mid;
    d->scale = a->scale;
    d->h_slope = a->h_slope;
    d->e_slope = a->e_slope;
    d->h_scale = 1 / b->h_scale - 1 / a->h_scale;
    d->e_scale = 1 / b->e_scale - 1 / a->e_scale;
    middle.of = an_gas_blend_f64(a, &ends->step, 0.5);
    for (int k = 0; k < AN_GAS_FIT; k++)
        middle.of.l[k] = 0;
    fit_wave(&middle.of);
    for (int k = 0; k < AN_GAS_FIT; k++) /* a parabola through Z = 0, 1/2, 1 */
        ends->step.bend[k] = 4 * middle.of.l[k] - 2 * (a->l[k] + b->l[k]);
    for (int k = 1; k < 8; k++) {
        const struct an_gas_f64 mixed = an_gas_blend_f64(a, &ends->step, k / 8.0);
        AN_CHECK(
            found(&mixed), AN_INPUT,
            "the two gases differ too much for temperatures of their mixtures to be found from "
            "energies");
    }
    return AN_OK;
}

struct an_gas an_gas_at(const struct an_gas *g, double Z)
{
    struct an_gas m = *g;
    if (!g->ends)
        return m;
    m.of = an_gas_blend_f64(&g->of, &g->ends->step, Z > 0 ? (Z < 1 ? Z : 1) : 0);
    m.n = AN_GAS_TERMS;
    m.R = m.of.R;
    m.gamma = m.of.gamma_mid;
    m.ends = NULL;
    return m;
}

/* ---- functions of the temperature ---- */

double an_gas_cp(const struct an_gas *g, double T)
{
    assert(!g->table);
    return g->n ? an_gas_cp_of_f64(&g->of, T) : g->R * g->gamma / (g->gamma - 1);
}

double an_gas_gamma(const struct an_gas *g, double T)
{
    assert(!g->table);
    return g->n ? an_gas_gamma_of_f64(&g->of, T) : g->gamma;
}

double an_gas_h(const struct an_gas *g, double T)
{
    assert(!g->table);
    return g->n ? an_gas_heat_of_f64(&g->of, T).h : an_gas_cp(g, T) * T;
}

double an_gas_e(const struct an_gas *g, double T)
{
    assert(!g->table);
    return g->n ? an_gas_heat_of_f64(&g->of, T).h - g->R * T : g->R / (g->gamma - 1) * T;
}

double an_gas_s0(const struct an_gas *g, double T)
{
    assert(!g->table);
    return g->n ? an_gas_ds_f64(&g->of, g->of.mid, T) : an_gas_cp(g, T) * log(T);
}

double an_gas_sound(const struct an_gas *g, double T)
{
    assert(!g->table);
    return sqrt(an_gas_gamma(g, T) * g->R * T);
}

double an_gas_l(const struct an_gas *g, double T)
{
    assert(!g->table);
    return g->n ? an_gas_l_of_f64(&g->of, T) : 2 * an_gas_sound(g, T) / (g->gamma - 1);
}

double an_gas_T_of_h(const struct an_gas *g, double h)
{
    assert(!g->table);
    return g->n ? an_gas_t_of_h_f64(&g->of, h) : h / an_gas_cp(g, 0);
}

double an_gas_T_of_e(const struct an_gas *g, double e)
{
    assert(!g->table);
    return g->n ? an_gas_t_of_e_f64(&g->of, e) : e * (g->gamma - 1) / g->R;
}

double an_gas_T_at_rest(const struct an_gas *g, double T, double V2)
{
    assert(!g->table);
    return g->n ? an_gas_T_of_h(g, an_gas_h(g, T) + 0.5 * V2) : T + V2 / (2 * an_gas_cp(g, T));
}

double an_gas_pressure(const struct an_gas *g, double rho, double energy)
{
    if (g->table)
        return an_table_pressure(g->table, rho, energy / rho);
    return g->n ? rho * g->R * an_gas_T_of_e(g, energy / rho) : (g->gamma - 1) * energy;
}

double an_gas_energy(const struct an_gas *g, double rho, double p)
{
    if (g->table)
        return rho * an_table_state(g->table, rho, p).e;
    return g->n ? rho * an_gas_e(g, p / (rho * g->R)) : p / (g->gamma - 1);
}

double an_gas_isentropic_T(const struct an_gas *g, double T1, double p_ratio)
{
    assert(!g->table);
    return g->n ? an_gas_expand_f64(&g->of, T1, p_ratio)
                : T1 * pow(p_ratio, (g->gamma - 1) / g->gamma);
}

double an_gas_isentropic_p(const struct an_gas *g, double T1, double T2)
{
    assert(!g->table);
    return g->n ? an_gas_p_ratio_f64(&g->of, T1, T2) : pow(T2 / T1, g->gamma / (g->gamma - 1));
}

/* ---- at rest and in motion ---- */

struct an_gas_flow an_gas_total(const struct an_gas *g, double p, double T, double V)
{
    if (g->table) {
        const double rho = an_table_density(g->table, p, T);
        const struct an_table_point r = an_table_move(g->table, rho, p, AN_TABLE_BY_H, 0.5 * V * V);
        return (struct an_gas_flow){p, T, V, r.p, an_table_state(g->table, r.rho, r.p).T};
    }
    const double T0 = an_gas_T_of_h(g, an_gas_h(g, T) + 0.5 * V * V);
    return (struct an_gas_flow){p, T, V, p * an_gas_isentropic_p(g, T, T0), T0};
}

static struct an_gas_flow at_temperature(const struct an_gas *g, double p0, double T0, double T)
{
    const double twice = 2 * (an_gas_h(g, T0) - an_gas_h(g, T));
    return (struct an_gas_flow){p0 * an_gas_isentropic_p(g, T0, T), T, sqrt(fmax(twice, 0)), p0,
                                T0};
}

static struct an_gas_state_of table_state(const struct an_gas *g, double p, double T)
{
    return an_table_state(g->table, an_table_density(g->table, p, T), p);
}

/* Of a table: a kilogram at rest moves along its isentrope by `value`. */
static struct an_gas_flow of_table(const struct an_gas *g, double p0, double T0,
                                   enum an_table_path path, double value)
{
    const double rho = an_table_density(g->table, p0, T0);
    const struct an_table_point q = an_table_move(g->table, rho, p0, path, value);
    const struct an_gas_state_of at = an_table_state(g->table, q.rho, q.p);
    const double dh = an_table_state(g->table, rho, p0).h - at.h;
    return (struct an_gas_flow){q.p, at.T, sqrt(fmax(2 * dh, 0)), p0, T0};
}

/* V of a Mach number by bisection: V / c rises along the isentrope. */
static struct an_gas_flow of_table_mach(const struct an_gas *g, double p0, double T0, double mach)
{
    const double rest = table_state(g, p0, T0).c;
    double lo = 0, hi = 1.1 * mach * rest;
    struct an_gas_flow f = {p0, T0, 0, p0, T0};
    for (int n = 0; n < 60 && hi > lo; n++) {
        const double V = 0.5 * (lo + hi);
        f = of_table(g, p0, T0, AN_TABLE_BY_H, -0.5 * V * V);
        if (V < mach * table_state(g, f.p, f.T).c)
            lo = V;
        else
            hi = V;
    }
    return f;
}

struct an_gas_flow an_gas_static_mach(const struct an_gas *g, double p0, double T0, double mach)
{
    if (g->table)
        return of_table_mach(g, p0, T0, mach);
    return at_temperature(g, p0, T0,
                          g->n ? an_gas_t_of_mach_f64(&g->of, T0, mach)
                               : T0 / (1 + 0.5 * (g->gamma - 1) * mach * mach));
}

struct an_gas_flow an_gas_static_p(const struct an_gas *g, double p0, double T0, double p)
{
    if (g->table)
        return of_table(g, p0, T0, AN_TABLE_TO_P, p);
    return at_temperature(g, p0, T0, an_gas_isentropic_T(g, T0, p / p0));
}

#include "bc/mixing_plane.h"

#include "kernels/physics/gas_real.h"

#include <math.h>

/* Waves of a change of state about a mean: entropy, shear (2), along n, against n. */
struct waves {
    double w[5];
};

static struct waves waves_of(const struct an_mixing_state *mean, double c, double rho,
                             const double u[3], double p)
{
    const double z = p / (mean->rho * c);
    return (struct waves){{rho - p / (c * c), u[1], u[2], u[0] + z, z - u[0]}};
}

static void add_waves(struct an_mixing_state *to, const struct an_mixing_state *mean, double c,
                      const struct waves *w, double part)
{
    const double p = 0.5 * mean->rho * c * (w->w[3] + w->w[4]);
    to->rho += part * (w->w[0] + p / (c * c));
    to->u[0] += part * 0.5 * (w->w[3] - w->w[4]);
    to->u[1] += part * w->w[1];
    to->u[2] += part * w->w[2];
    to->p += part * p;
}

static double bounded(double speed, double c, int negative)
{
    const double least = 0.05 * c;
    return negative ? fmin(speed, -least) : fmax(speed, least);
}

/* The state half-way between the means of both sides. */
static struct an_mixing_state middle(const struct an_mixing_side side[2])
{
    const struct an_mixing_state *a = &side[0].mean, *b = &side[1].mean;
    struct an_mixing_state m = {.rho = 0.5 * (a->rho + b->rho), .p = 0.5 * (a->p + b->p)};
    for (int k = 0; k < 3; k++)
        m.u[k] = 0.5 * (a->u[k] + b->u[k]);
    return m;
}

double an_mixing_update(struct an_mixing_band *band, const struct an_mixing_side side[2],
                        const struct an_gas *gas, double gain)
{
    const struct an_mixing_state m = middle(side);
    const double T = gas->table ? NAN : m.p / (m.rho * gas->R);
    const struct an_gas_state_of at =
        gas->table ? an_table_state(gas->table, m.rho, m.p) : (struct an_gas_state_of){.p = m.p};
    const double gamma = gas->table ? at.gamma : an_gas_gamma(gas, T);
    const double c = sqrt(gamma * m.p / m.rho), area = 0.5 * (side[0].area + side[1].area);
    double gap[5];
    for (int k = 0; k < 5; k++)
        gap[k] = (side[0].flux[k] - side[1].flux[k]) / area;
    gap[1] += m.p * (side[1].area - side[0].area) / area;
    double worst = fmax(fabs(gap[0]) / (m.rho * c), fabs(gap[4]) / (m.p * c));
    for (int k = 1; k < 4; k++)
        worst = fmax(worst, fabs(gap[k]) / m.p);
    /* the direction is reversed only when the mean velocity exceeds 1 % of the speed of sound */
    if (band->backward ? m.u[0] > 0.01 * c : m.u[0] < -0.01 * c)
        band->backward = !band->backward;

    /* the gap of the fluxes as changes of rho, u and p per second and area, then as waves */
    double change[3], square = 0, work = gap[4];
    for (int k = 0; k < 3; k++) {
        change[k] = (gap[1 + k] - m.u[k] * gap[0]) / m.rho;
        square += m.u[k] * m.u[k];
        work -= m.u[k] * gap[1 + k];
    }
    /* dp = (gamma - 1) (d(rho e) - (e - p / ((gamma - 1) rho)) drho): no second part, constant cp
     */
    if (gas->n)
        work -= (an_gas_e(gas, T) - m.p / ((gamma - 1) * m.rho)) * gap[0];
    double dp = (gamma - 1) * (work + 0.5 * square * gap[0]);
    if (gas->table)
        dp = at.kappa * (work + 0.5 * square * gap[0]) + at.chi * gap[0];
    struct waves w = waves_of(&m, c, gap[0], change, dp);
    const double flow = bounded(m.u[0], c, band->backward);
    const double speed[5] = {flow, flow, flow, m.u[0] + c, m.u[0] - c};
    struct waves part[2] = {{{0}}, {{0}}};
    for (int k = 0; k < 5; k++) {
        const double v = k < 3 ? speed[k] : bounded(speed[k], c, speed[k] < 0);
        part[v > 0].w[k] = w.w[k] / v;
    }
    for (int s = 0; s < 2; s++) {
        struct an_mixing_state *t = &band->target[s];
        const struct an_mixing_state *other = &side[!s].mean;
        /* waves that do not enter on this side follow the mean of the other side */
        double u[3];
        for (int k = 0; k < 3; k++)
            u[k] = other->u[k] - t->u[k];
        struct waves rest = waves_of(&m, c, other->rho - t->rho, u, other->p - t->p);
        for (int k = 0; k < 5; k++)
            if ((speed[k] > 0) == (s == 1))
                rest.w[k] = 0;
        struct an_mixing_state new = *t;
        add_waves(&new, &m, c, &part[s], s ? gain : -gain);
        add_waves(&new, &m, c, &rest, gain);
        /* the target changes by at most 5 % of the state in one update */
        double most = fmax(fabs(new.rho / t->rho - 1), fabs(new.p / t->p - 1));
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs(new.u[k] - t->u[k]) / c);
        const double take = most > 0.05 ? 0.05 / most : 1;
        t->rho += take * (new.rho - t->rho);
        t->p += take * (new.p - t->p);
        for (int k = 0; k < 3; k++)
            t->u[k] += take * (new.u[k] - t->u[k]);
        for (int k = 0; k < 2; k++)
            if (other->turb[k] >= 0)
                t->turb[k] = other->turb[k];
    }
    return worst;
}

/* With constant cp: (gamma + 1) p^2 - 2 F p + (gamma - 1) b = 0, F = m u + p; the larger root is
 * subsonic. The root is taken as 0 where the mixed flow would choke. */
static double pressure_of(const double f[5], double gamma)
{
    const double b = 2 * f[0] * f[4] - (f[1] * f[1] + f[2] * f[2] + f[3] * f[3]);
    const double root = f[1] * f[1] - (gamma * gamma - 1) * b;
    return (f[1] + sqrt(fmax(root, 0))) / (gamma + 1);
}

/* With cp(T): h(T) + |u|^2 / 2 = h0 with p = F - m u and T = p u / (m R), Newton's method from
 * below the velocity of constant cp. Subsonic: where the left side grows with |u|. NaN: there is
 * none. */
static double velocity_of(const double f[5], const struct an_gas *gas, double nearly)
{
    double u = 0.9 * nearly;
    const double sideways = (f[2] * f[2] + f[3] * f[3]) / (f[0] * f[0]), h0 = f[4] / f[0];
    for (int n = 0; n < 50; n++) {
        const double T = (f[1] - f[0] * u) * u / (f[0] * gas->R);
        const double off = an_gas_h(gas, T) + 0.5 * (u * u + sideways) - h0;
        const double slope =
            u + an_gas_cp(gas, T) * (f[1] - 2 * f[0] * u) / (f[0] * gas->R); /* of off */
        if (!(T > 0) || !(slope * u > 0))
            return NAN;
        const double step = off / slope;
        u -= step;
        if (fabs(step) <= 1e-14 * fabs(u))
            break;
    }
    return u;
}

/* With a table: m u + p = F, h(rho, p) + |u|^2 / 2 = h0, rho = m / u; by the secant method on the mass
 * flux of the velocity u that p = F - m u and h leave, from a slow flow on. */
static double velocity_of_table(const double f[5], const struct an_gas_table *t)
{
    const double sideways = (f[2] * f[2] + f[3] * f[3]) / (f[0] * f[0]), h0 = f[4] / f[0];
    double u = f[0] / an_table_density_of_h(t, f[1], h0 - 0.5 * sideways), before = 0, off = 0;
    for (int n = 0; n < 60; n++) {
        const double p = f[1] - f[0] * u;
        if (!(p > 0))
            return NAN;
        const double rho = an_table_density_of_h(t, p, h0 - 0.5 * (u * u + sideways));
        const double now = f[0] / rho - u; /* zero where the fluxes are met */
        const double slope = n ? (now - off) / (u - before) : -1;
        if (!(slope < 0)) /* faster than sound */
            return NAN;
        const double step = -now / slope;
        before = u;
        off = now;
        u += step;
        if (fabs(step) <= 1e-13 * fabs(u))
            break;
    }
    return u;
}

int an_mixing_mixed_out(const double f[5], const struct an_gas *gas, struct an_mixing_state *state)
{
    if (f[0] == 0)
        return 0;
    if (gas->table) {
        state->u[0] = velocity_of_table(f, gas->table);
        state->p = f[1] - f[0] * state->u[0];
        state->u[1] = f[2] / f[0];
        state->u[2] = f[3] / f[0];
        state->rho = f[0] / state->u[0];
        state->turb[0] = state->turb[1] = -1;
        return state->p > 0 && state->rho > 0;
    }
    const double sideways = (f[2] * f[2] + f[3] * f[3]) / (f[0] * f[0]);
    const double T = an_gas_T_of_h(gas, f[4] / f[0] - 0.5 * sideways);
    state->p = pressure_of(f, an_gas_gamma(gas, T));
    state->u[0] = (f[1] - state->p) / f[0];
    if (gas->n) {
        state->u[0] = velocity_of(f, gas, state->u[0]);
        state->p = f[1] - f[0] * state->u[0];
    }
    state->u[1] = f[2] / f[0];
    state->u[2] = f[3] / f[0];
    state->rho = f[0] / state->u[0];
    state->turb[0] = state->turb[1] = -1;
    return state->p > 0 && state->rho > 0;
}

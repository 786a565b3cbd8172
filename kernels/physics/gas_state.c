#include "kernels/physics/gas_state.h"

#include "kernels/physics/gas_real.h"

#include <math.h>

static struct an_gas_state_of of_table(const struct an_gas *g, double p, double T)
{
    return an_table_state(g->table, an_table_density(g->table, p, T), p);
}

double an_state_density(const struct an_gas *g, double p, double T)
{
    return g->table ? an_table_density(g->table, p, T) : p / (g->R * T);
}

double an_state_temperature(const struct an_gas *g, double rho, double p)
{
    return g->table ? an_table_state(g->table, rho, p).T : p / (rho * g->R);
}

double an_state_h(const struct an_gas *g, double p, double T)
{
    return g->table ? of_table(g, p, T).h : an_gas_h(g, T);
}

double an_state_s(const struct an_gas *g, double p, double T)
{
    return g->table ? of_table(g, p, T).s : an_gas_s0(g, T) - g->R * log(p);
}

double an_state_sound(const struct an_gas *g, double p, double T)
{
    return g->table ? of_table(g, p, T).c : an_gas_sound(g, T);
}

double an_state_gamma(const struct an_gas *g, double p, double T)
{
    return g->table ? of_table(g, p, T).gamma : an_gas_gamma(g, T);
}

double an_state_T_of_h(const struct an_gas *g, double p, double h)
{
    return g->table ? an_table_state(g->table, an_table_density_of_h(g->table, p, h), p).T
                    : an_gas_T_of_h(g, h);
}

struct an_gas_rest an_state_rest(const struct an_gas *g, double p, double T, double V2)
{
    struct an_gas_rest r;
    if (g->table) {
        const double rho = an_table_density(g->table, p, T);
        const struct an_table_point q = an_table_move(g->table, rho, p, AN_TABLE_BY_H, 0.5 * V2);
        return (struct an_gas_rest){q.p, an_table_state(g->table, q.rho, q.p).T};
    }
    r.T0 = an_gas_T_at_rest(g, T, V2);
    r.p0 = p * an_gas_isentropic_p(g, T, r.T0);
    return r;
}

double an_state_expand(const struct an_gas *g, double p, double T, double p2)
{
    if (!g->table)
        return an_gas_isentropic_T(g, T, p2 / p);
    const struct an_table_point q =
        an_table_move(g->table, an_table_density(g->table, p, T), p, AN_TABLE_TO_P, p2);
    return an_table_state(g->table, q.rho, q.p).T;
}

double an_state_p_at(const struct an_gas *g, double p, double T, double p2, double T2)
{
    if (!g->table)
        return p * an_gas_isentropic_p(g, T, T2);
    const double dh = an_state_h(g, p2, T2) - an_state_h(g, p, T);
    return an_table_move(g->table, an_table_density(g->table, p, T), p, AN_TABLE_BY_H, dh).p;
}

double an_state_viscosity(const struct an_gas *g, double p, double T)
{
    return g->table ? of_table(g, p, T).mu : 0;
}

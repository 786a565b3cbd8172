/* The gas: constants of its viscosity, and the range of cp(T). */
#include "kernels/physics/gas_real.h"
#include "kernels/physics/gas_state.h"
#include "solver/app/doubts_take.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Constants of air, which are the defaults of the case file. */
static int has_constants_of_air(const struct an_case *c)
{
    const int same = c->gas.mu == 1.716e-5;
    switch (c->gas.viscosity) {
    case AN_VISCOSITY_CONSTANT:
        return same;
    case AN_VISCOSITY_SUTHERLAND:
        return same && c->gas.T_ref == 273.11 && c->gas.S == 110.33;
    case AN_VISCOSITY_POWER_LAW:
        return same && c->gas.T_ref == 273.11 && c->gas.exponent == 0.7;
    default:
        return 0;
    }
}

static void take_viscosity(const struct an_case *c, struct an_facts *f)
{
    static const char *const name[] = {[AN_VISCOSITY_CONSTANT] = "gas.viscosity: constant",
                                       [AN_VISCOSITY_SUTHERLAND] = "gas.viscosity: sutherland",
                                       [AN_VISCOSITY_POWER_LAW] = "gas.viscosity: power_law"};
    const double R_air = 287.05, p = c->initial.p, T = c->initial.T;
    const struct an_gas_table *t = c->gas.model.table;
    if (c->gas.viscosity == AN_VISCOSITY_NONE || c->gas.viscosity == AN_VISCOSITY_TABLE)
        return;
    const char *law = name[c->gas.viscosity];
    if (t && t->transport) {
        const double mu = an_case_viscosity(c, p, T),
                     right = an_state_viscosity(&c->gas.model, p, T);
        an_facts_most(f, AN_FACT_VISCOSITY, mu / right, law);
        an_facts_more(f, AN_FACT_VISCOSITY, ": %.3g Pa s for %.3g Pa s of %s at %.6g Pa and %.6g K",
                      mu, right, t->fluid, p, T);
    } else if (has_constants_of_air(c)) {
        an_facts_most(f, AN_FACT_AIR_VISCOSITY, c->gas.model.R / R_air, law);
        an_facts_more(f, AN_FACT_AIR_VISCOSITY, ": %.6g J/(kg K)%s%s; the viscosity is %.3g Pa s",
                      c->gas.model.R, t ? " of " : "", t ? t->fluid : "",
                      an_case_viscosity(c, p, T));
    }
}

static void take_temperature(const struct an_case *c, struct an_facts *f, double T, const char *of)
{
    const double *range = c->gas.T_range.x;
    if (an_facts_least(f, AN_FACT_CP_COLDEST, T / range[0], of))
        an_facts_more(f, AN_FACT_CP_COLDEST, " (%.6g K, where that is %.6g K)", T, range[0]);
    if (an_facts_most(f, AN_FACT_CP_HOTTEST, T / range[1], of))
        an_facts_more(f, AN_FACT_CP_HOTTEST, " (%.6g K, where that is %.6g K)", T, range[1]);
}

/* Static temperatures, and the extremes of all that are judged. cp(T) of one coefficient is constant everywhere. */
static void take_range(const struct an_case *c, struct an_facts *f)
{
    char of[AN_FACT_TEXT];
    if (c->gas.model.n < 2)
        return;
    take_temperature(c, f, c->initial.T, "initial.T");
    for (int b = 0; b < c->nboundary; b++)
        if (an_bc_type_has(c->boundary[b].type, AN_BC_STATE))
            take_temperature(c, f, c->boundary[b].state.T,
                             an_doubts_key(c->boundary[b].name, "T", of));
    take_temperature(c, f, f->value[AN_FACT_COLDEST], f->of[AN_FACT_COLDEST]);
    take_temperature(c, f, f->value[AN_FACT_HOTTEST], f->of[AN_FACT_HOTTEST]);
}

void an_doubts_take_gas(const struct an_case *c, struct an_facts *f)
{
    take_viscosity(c, f);
    take_range(c, f);
}

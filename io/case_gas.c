/* The gas of a case: from gamma, cp(T) or a table, and what goes with a table. */
#include "io/case_keys.h"
#include "io/gas_file.h"
#include "kernels/physics/gas_mixture.h"
#include "kernels/physics/gas_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct an_origin *at_key(const struct an_origin *const *given, const char *name)
{
    return given[an_key_find("gas", name, -1)];
}

/* The second gas of a mixture. */
static void set_second(struct an_case_reader *r, const struct an_origin *at)
{
    struct an_case *c = r->c;
    struct an_gas_ends *ends = calloc(1, sizeof *ends);
    const struct an_case_numbers *cp = &c->gas.fraction_cp;
    if (!ends) {
        an_case_fault(r, at, "out of memory for the gas");
        return;
    }
    if (an_gas_mix(&c->gas.model, c->gas.fraction_R, cp->n, cp->x, ends))
        an_case_fault(r, at, "'gas.fraction_cp': %s", an_error_text());
    c->gas.model.ends = ends;
}

/* gas.fraction without gas.mixture: the keys of the second gas. */
static void set_fraction(struct an_case_reader *r, const struct an_origin *const *given)
{
    struct an_case *c = r->c;
    const struct an_origin *fraction = at_key(given, "fraction"),
                           *cp = at_key(given, "fraction_cp");
    if (!fraction || !c->gas.model.n)
        return;
    if (!at_key(given, "fraction_R"))
        c->gas.fraction_R = c->gas.R;
    if (!cp)
        an_case_fault(r, fraction, "'gas.fraction' needs 'gas.fraction_cp', or 'gas.mixture: air'");
    else if (c->gas.fraction_cp.n > AN_GAS_TERMS || c->gas.fraction_cp.n < 1)
        an_case_fault(r, cp, "'gas.fraction_cp' has %d coefficients, but must have 1 to %d",
                      c->gas.fraction_cp.n, AN_GAS_TERMS);
    else
        set_second(r, cp);
}

/* cp(T) in place of gamma. */
static void set_polynomial(struct an_case_reader *r, const struct an_origin *const *given,
                           const struct an_origin *cp)
{
    struct an_case *c = r->c;
    const struct an_origin *gamma = at_key(given, "gamma"), *range = at_key(given, "T_range");
    const int n = c->gas.cp.n;
    if (gamma)
        an_case_fault(r, gamma->set ? gamma : cp,
                      "'gas.cp' and 'gas.gamma' are both given; keep one");
    else if (n < 1 || n > AN_GAS_TERMS)
        an_case_fault(r, cp, "'gas.cp' has %d coefficients, but must have 1 to %d", n,
                      AN_GAS_TERMS);
    else if (n > 1 && !range && c->gas.mixture == AN_MIXTURE_NONE)
        an_case_fault(r, cp,
                      "'gas.cp' needs 'gas.T_range: [lowest, highest]', the temperatures in K "
                      "between which it holds");
    else if (c->gas.T_range.n != 2)
        an_case_fault(r, range, "'gas.T_range' needs two temperatures [lowest, highest], not %d",
                      c->gas.T_range.n);
    else if (an_gas_polynomial(c->gas.R, n, c->gas.cp.x, c->gas.T_range.x[0], c->gas.T_range.x[1],
                               &c->gas.model))
        an_case_fault(r, cp, "'gas.cp': %s", an_error_text());
    else if (c->initial.T > 0) /* a scale; what depends on it takes the model */
        c->gas.gamma = an_gas_gamma(&c->gas.model, c->initial.T);
}

static int refuse_both(struct an_case_reader *r, const struct an_origin *const *given,
                       const char *key, const struct an_origin *at, const char *const *others)
{
    int some = 0;
    for (; *others; others++) {
        const struct an_origin *other = at_key(given, *others);
        if (other)
            an_case_fault(r, other->set ? other : at,
                          "'gas.%s' and 'gas.%s' are both given; keep one", key, *others);
        some |= other != NULL;
    }
    return some;
}

/* kg of vapour per kg of dry air; negative after a fault. */
static double vapour_of(struct an_case_reader *r, const struct an_origin *const *given)
{
    const struct an_case *c = r->c;
    const struct an_origin *part = at_key(given, "relative_humidity");
    const struct an_origin *ambient = at_key(given, "ambient"),
                           *q = at_key(given, "specific_humidity");
    double vapour = -1;
    if (part && q)
        an_case_fault(
            r, part,
            "'gas.specific_humidity' and 'gas.relative_humidity' are both given; keep one");
    else if (ambient && !part)
        an_case_fault(r, ambient, "'gas.ambient' needs 'gas.relative_humidity'");
    else if (part && c->gas.ambient.n != 2)
        an_case_fault(
            r, ambient ? ambient : part,
            "'gas.relative_humidity' needs 'gas.ambient: [pressure, temperature]', the state "
            "in Pa and K in which it was measured");
    else if (!part)
        vapour = c->gas.specific_humidity / (1 - c->gas.specific_humidity);
    else if (an_gas_vapour(c->gas.relative_humidity, c->gas.ambient.x[0], c->gas.ambient.x[1],
                           &vapour)) {
        an_case_fault(r, ambient, "'gas.ambient': %s", an_error_text());
        vapour = -1;
    }
    return vapour;
}

/* The second gas of gas.mixture: air like the first one, with another humidity or more or less burnt fuel. */
static void set_second_mixture(struct an_case_reader *r, const struct an_origin *const *given,
                               struct an_gas_air air)
{
    struct an_case *c = r->c;
    const struct an_origin *fraction = at_key(given, "fraction");
    const struct an_origin *ratio = at_key(given, "fraction_fuel_air_ratio");
    const struct an_origin *humidity = at_key(given, "fraction_specific_humidity");
    static const char *const others[] = {"fraction_R", "fraction_cp", NULL};
    struct an_gas_mixed of;
    if (!fraction || !c->gas.model.n)
        return;
    if (refuse_both(r, given, "mixture", fraction, others))
        return;
    if (!ratio && !humidity) {
        an_case_fault(r, fraction,
                      "'gas.fraction' needs 'gas.fraction_fuel_air_ratio' or "
                      "'gas.fraction_specific_humidity', what the second gas is");
        return;
    }
    if (ratio)
        air.fuel = c->gas.fraction_fuel_air_ratio;
    if (humidity)
        air.vapour = c->gas.fraction_specific_humidity / (1 - c->gas.fraction_specific_humidity);
    if (air.fuel > an_gas_stoichiometric(&air)) {
        an_case_fault(
            r, ratio ? ratio : fraction,
            "'gas.fraction_fuel_air_ratio' is %.6g, but the oxygen of 1 kg of dry air burns "
            "%.6g kg of this fuel at most",
            air.fuel, an_gas_stoichiometric(&air));
        return;
    }
    if (an_gas_mixture(&air, c->gas.T_range.x[0], c->gas.T_range.x[1], &of)) {
        an_case_fault(r, fraction, "'gas.fraction': %s", an_error_text());
        return;
    }
    c->gas.fraction_R = of.R;
    c->gas.fraction_cp.n = AN_GAS_TERMS;
    memcpy(c->gas.fraction_cp.x, of.cp, sizeof of.cp);
    c->gas.mixture_error = fmax(c->gas.mixture_error, of.off);
    set_second(r, fraction);
}

/* R, cp and T_range of air with vapour and burnt fuel. */
static void set_mixture(struct an_case_reader *r, const struct an_origin *const *given,
                        const struct an_origin *mixture)
{
    static const char *const others[] = {"gamma", "cp", "R", "table", NULL};
    struct an_case *c = r->c;
    const struct an_origin *fuel = at_key(given, "fuel"), *ratio = at_key(given, "fuel_air_ratio");
    const struct an_origin *range = at_key(given, "T_range");
    struct an_gas_air air = {.vapour = vapour_of(r, given), .fuel = c->gas.fuel_air_ratio};
    struct an_gas_mixed of;
    if (refuse_both(r, given, "mixture", mixture, others) || air.vapour < 0)
        return;
    if (fuel && !ratio && !at_key(given, "fraction_fuel_air_ratio"))
        an_case_fault(r, fuel, "'gas.fuel' needs 'gas.fuel_air_ratio'");
    if (c->gas.fuel.n != 2 || !(c->gas.fuel.x[0] + c->gas.fuel.x[1] > 0)) {
        an_case_fault(r, fuel ? fuel : mixture,
                      "'gas.fuel' needs two numbers [carbon, hydrogen], the atoms of a molecule of "
                      "the fuel");
        return;
    }
    air.carbon = c->gas.fuel.x[0];
    air.hydrogen = c->gas.fuel.x[1];
    if (!range)
        c->gas.T_range = (struct an_case_numbers){.n = 2, .x = {200, 1800}};
    if (c->gas.T_range.n != 2)
        an_case_fault(r, range, "'gas.T_range' needs two temperatures [lowest, highest], not %d",
                      c->gas.T_range.n);
    else if (air.fuel > an_gas_stoichiometric(&air))
        an_case_fault(
            r, ratio,
            "'gas.fuel_air_ratio' is %.6g, but the oxygen of 1 kg of dry air burns %.6g kg "
            "of this fuel at most",
            air.fuel, an_gas_stoichiometric(&air));
    else if (an_gas_mixture(&air, c->gas.T_range.x[0], c->gas.T_range.x[1], &of))
        an_case_fault(r, range ? range : mixture, "'gas.T_range': %s", an_error_text());
    else {
        c->gas.R = of.R;
        c->gas.cp.n = AN_GAS_TERMS;
        memcpy(c->gas.cp.x, of.cp, sizeof of.cp);
        c->gas.mixture_error = of.off;
        c->gas.vapour = air.vapour;
        set_polynomial(r, given, mixture);
        set_second_mixture(r, given, air);
    }
}

/* Reads the table; keys that would say the same are refused. */
static void set_table(struct an_case_reader *r, const struct an_origin *const *given,
                      const struct an_origin *table)
{
    static const char *const others[] = {"gamma", "cp", "T_range", "R", NULL};
    struct an_case *c = r->c;
    struct an_gas_table *t;
    char sum[sizeof c->gas.table_checksum];
    refuse_both(r, given, "table", table, others);
    if (an_gas_file_read(c->gas.table, &t)) {
        an_case_fault(r, table, "'gas.table': %s", an_error_text());
        return;
    }
    snprintf(sum, sizeof sum, "%016" PRIx64, t->checksum);
    if (*c->gas.table_checksum && strcmp(c->gas.table_checksum, sum) != 0)
        an_case_fault(r, at_key(given, "table_checksum"),
                      "'gas.table_checksum' is %s, but the file of 'gas.table' has %s",
                      c->gas.table_checksum, sum);
    memcpy(c->gas.table_checksum, sum, sizeof sum);
    c->gas.model = (struct an_gas){.R = t->R, .gamma = t->gamma_ref, .table = t};
    c->gas.R = t->R; /* scales, until an_case_gas_check */
    c->gas.gamma = t->gamma_ref;
}

void an_case_gas_set(struct an_case_reader *r, const struct an_origin *const *given)
{
    struct an_case *c = r->c;
    const struct an_origin *cp = at_key(given, "cp"), *table = at_key(given, "table");
    const struct an_origin *range = at_key(given, "T_range");
    static const char *const parts[] = {
        "specific_humidity",       "relative_humidity",         "ambient", "fuel_air_ratio", "fuel",
        "fraction_fuel_air_ratio", "fraction_specific_humidity"};
    static const char *const of_fraction[] = {
        "fraction_R", "fraction_cp", "fraction_fuel_air_ratio", "fraction_specific_humidity"};
    const struct an_origin *fraction = at_key(given, "fraction");
    c->gas.model = an_gas_perfect(c->gas.R, c->gas.gamma);
    if (!table && at_key(given, "table_checksum"))
        an_case_fault(r, at_key(given, "table_checksum"), "'gas.table_checksum' needs 'gas.table'");
    if (!table && c->gas.viscosity == AN_VISCOSITY_TABLE)
        an_case_fault(r, at_key(given, "viscosity"), "'gas.viscosity: table' needs 'gas.table'");
    for (size_t n = 0; n < sizeof of_fraction / sizeof *of_fraction && !fraction; n++)
        if (at_key(given, of_fraction[n]))
            an_case_fault(r, at_key(given, of_fraction[n]), "'gas.%s' needs 'gas.fraction'",
                          of_fraction[n]);
    if (c->gas.mixture == AN_MIXTURE_AIR) {
        set_mixture(r, given, at_key(given, "mixture"));
        return;
    }
    if (fraction && !cp)
        an_case_fault(r, fraction,
                      "'gas.fraction' needs 'gas.mixture: air', or 'gas.cp' and 'gas.fraction_cp'");
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++)
        if (at_key(given, parts[n]))
            an_case_fault(r, at_key(given, parts[n]), "'gas.%s' needs 'gas.mixture: air'",
                          parts[n]);
    if (table) {
        set_table(r, given, table);
        return;
    }
    if (range && !cp)
        an_case_fault(r, range, "'gas.T_range' needs 'gas.cp'");
    if (cp) {
        set_polynomial(r, given, cp);
        set_fraction(r, given);
    }
}

void an_case_gas_free(struct an_case *c)
{
    an_gas_table_destroy((struct an_gas_table *)c->gas.model.table); /* made in set_table */
    c->gas.model.table = NULL;
    free((void *)c->gas.model.ends); /* made in set_second */
    c->gas.model.ends = NULL;
}

int an_case_fraction(const struct an_case *c)
{
    for (int n = 0; n < c->nscalar && *c->gas.fraction; n++)
        if (strcmp(c->scalar[n].name, c->gas.fraction) == 0)
            return n;
    return -1;
}

double an_case_fraction_at(const struct an_case *c, const struct an_case_boundary *b)
{
    const int n = an_case_fraction(c);
    if (n < 0)
        return 0;
    return !b ? c->scalar[n].initial : n < b->scalars.n ? b->scalars.x[n] : 0;
}

struct an_gas an_case_gas_of(const struct an_case *c, const struct an_case_boundary *b)
{
    return an_gas_at(&c->gas.model, an_case_fraction_at(c, b));
}

static int is_part(double fraction)
{
    return fraction >= 0 && fraction <= 1;
}

/* What does not go with a mixture. */
static void check_fraction(struct an_case_reader *r, const struct an_origin *const *given)
{
    const struct an_case *c = r->c;
    const struct an_origin *at = at_key(given, "fraction");
    char name[60];
    if (!at)
        return;
    an_printable(c->gas.fraction, name, sizeof name);
    const int n = an_case_fraction(c);
    if (n < 0) {
        an_case_fault(r, at, "'gas.fraction': there is no scalar '%s' in 'scalars'", name);
        return;
    }
    if (!is_part(c->scalar[n].initial))
        an_case_fault(r, at, "'scalars.%s.initial' is %.6g, but a mass fraction is from 0 to 1",
                      name, c->scalar[n].initial);
    for (int b = 0; b < c->nboundary; b++) {
        const struct an_case_boundary *q = &c->boundary[b];
        char boundary[60];
        an_printable(q->name, boundary, sizeof boundary);
        if (!is_part(an_case_fraction_at(c, q)))
            an_case_fault(
                r, at, "'boundaries.%s.scalars': '%s' is %.6g, but a mass fraction is from 0 to 1",
                boundary, name, an_case_fraction_at(c, q));
        if (q->outlet.non_reflecting == AN_WAVES_TWO_D ||
            (q->outlet.non_reflecting && q->type == AN_BC_INLET_TOTAL))
            an_case_fault(r, at,
                          "'boundaries.%s.non_reflecting' is not available with 'gas.fraction' yet",
                          boundary);
    }
    if (c->march.mode == AN_MARCH_UNSTEADY)
        an_case_fault(r, at,
                      "'march.mode: unsteady' is not available with 'gas.fraction' yet: the mass "
                      "fraction changes between the iterations of a steady run");
    if (c->scheme.low_mach == AN_LOW_MACH_ON)
        an_case_fault(r, at, "'scheme.low_mach: on' is not available with 'gas.fraction' yet");
    if (c->pattern != AN_PATTERN_UNIFORM)
        an_case_fault(r, at, "'initial.pattern' is not available with 'gas.fraction'");
}

int an_case_gas_holds(const struct an_case *c, const char *of, double p, double T)
{
    const struct an_gas_table *t = c->gas.model.table;
    if (!t || !(p > 0 && T > 0)) /* missed elsewhere */
        return AN_OK;
    const double rho = an_table_density(t, p, T), found = an_table_state(t, rho, p).T;
    AN_CHECK(fabs(found / T - 1) < 1e-6 && an_table_valid(t, rho, p), AN_INPUT,
             "%s (%.6g Pa, %.6g K): 'gas.table' has no such state of %s; it reaches from "
             "%.6g to %.6g Pa and from %.6g to %.6g K, without liquid",
             of, p, T, t->fluid, t->p_range[0], t->p_range[1], t->T_range[0], t->T_range[1]);
    return AN_OK;
}

int an_case_gas_reaches(const struct an_case *c, const char *of, double p)
{
    const struct an_gas_table *t = c->gas.model.table;
    AN_CHECK(!t || (p >= t->p_range[0] && p <= t->p_range[1]), AN_INPUT,
             "%s is %.6g Pa, but 'gas.table' reaches from %.6g to %.6g Pa", of, p, t->p_range[0],
             t->p_range[1]);
    return AN_OK;
}

/* A state of the case, by its keys: is it of the fluid? */
static void check_state(struct an_case_reader *r, const char *keys, double p, double T,
                        const struct an_origin *at)
{
    if (an_case_gas_holds(r->c, keys, p, T))
        an_case_fault(r, at, "%s", an_error_text());
}

static void check_boundary(struct an_case_reader *r, const struct an_case_boundary *b,
                           const struct an_origin *at)
{
    const struct an_gas_table *t = r->c->gas.model.table;
    char name[60], keys[200];
    an_printable(b->name, name, sizeof name);
    snprintf(keys, sizeof keys, "'boundaries.%s.%s'", name,
             b->type == AN_BC_INLET_TOTAL ? "p0' and '.T0" : "p' and '.T");
    if (b->type == AN_BC_COOLING || b->type == AN_BC_BLEED)
        an_case_fault(r, at,
                      "'boundaries.%s.type: %s' is not available with 'gas.table' yet; take "
                      "'gas.cp'",
                      name, b->type == AN_BC_COOLING ? "cooling" : "bleed");
    if (*b->holes)
        an_case_fault(r, at,
                      "'boundaries.%s.holes' is not available with 'gas.table' yet; take 'gas.cp'",
                      name);
    if (b->type == AN_BC_INLET_TOTAL && !b->profile[0])
        check_state(r, keys, b->p0, b->T0, at);
    else if (an_bc_type_has(b->type, AN_BC_STATE))
        check_state(r, keys, b->state.p, b->state.T, at);
    else if (b->type == AN_BC_WALL_VISCOUS && b->wall.T > 0 &&
             !(b->wall.T >= t->T_range[0] && b->wall.T <= t->T_range[1]))
        an_case_fault(r, at,
                      "'boundaries.%s.T' is %.6g K, but 'gas.table' reaches from %.6g to %.6g K",
                      name, b->wall.T, t->T_range[0], t->T_range[1]);
    snprintf(keys, sizeof keys, "'boundaries.%s.p'", name);
    if (b->type == AN_BC_OUTLET_STATIC && an_case_gas_reaches(r->c, keys, b->p))
        an_case_fault(r, at, "%s", an_error_text());
}

void an_case_gas_check(struct an_case_reader *r, const struct an_origin *const *given)
{
    struct an_case *c = r->c;
    const struct an_gas_table *t = c->gas.model.table;
    const struct an_origin *at = at_key(given, "table");
    check_fraction(r, given);
    if (!t)
        return;
    if (c->gas.viscosity == AN_VISCOSITY_TABLE && !t->transport)
        an_case_fault(r, at_key(given, "viscosity"),
                      "'gas.viscosity: table': the file of 'gas.table' has no viscosity");
    if (c->gas.viscosity == AN_VISCOSITY_TABLE && c->turbulence.qcr)
        an_case_fault(r, at,
                      "'turbulence.qcr' is not available with 'gas.viscosity: table' yet; take "
                      "another viscosity");
    if (c->pattern != AN_PATTERN_UNIFORM)
        an_case_fault(r, at,
                      "'initial.pattern' is not available with 'gas.table'; take 'gas.gamma'");
    check_state(r, "'initial.p' and 'initial.T'", c->initial.p, c->initial.T, at);
    for (int b = 0; b < c->nboundary; b++)
        check_boundary(r, &c->boundary[b], at);
    if (c->nleakage)
        an_case_fault(r, at, "'leakages' are not available with 'gas.table' yet; take 'gas.cp'");
    if (c->nsolid)
        an_case_fault(r, at, "'solids' are not available with 'gas.table' yet; take 'gas.cp'");
    if (!(c->initial.p > 0 && c->initial.T > 0))
        return;
    /* scales of the flow: p = rho R T and c^2 = gamma R T at the start */
    c->gas.R =
        c->initial.p / (an_state_density(&c->gas.model, c->initial.p, c->initial.T) * c->initial.T);
    c->gas.gamma = an_state_gamma(&c->gas.model, c->initial.p, c->initial.T);
}

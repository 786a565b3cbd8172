/* What a case asks for, against the rules of plausibility (io/plausible.h). */
#include "solver/app/doubts.h"

#include "bc/boundary_value.h"
#include "io/plausible.h"
#include "kernels/base/error.h"
#include "kernels/physics/gas_state.h"
#include "solver/boundary/phase_lag.h"
#include "solver/flow/des.h"
#include "solver/monitor/extent.h"
#include "solver/monitor/leading_edge.h"
#include "solver/monitor/walls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *key(const char *boundary, const char *name, char text[80])
{
    snprintf(text, 80, "boundaries.%.50s.%s", boundary, name);
    return text;
}

/* Total temperature of a state. */
static double total(const struct an_case *c, const struct an_case_state *s)
{
    const double speed = an_case_speed(c, s);
    if (c->gas.model.table)
        return an_gas_total(&c->gas.model, s->p, s->T, speed).T0;
    const double g = an_gas_gamma(&c->gas.model, s->T);
    return s->T + 0.5 * speed * speed * (g - 1) / (g * c->gas.R);
}

static void take_temperature(struct an_facts *f, double T, const char *of)
{
    if (!(T > 0))
        return;
    an_facts_least(f, AN_FACT_COLDEST, T, of);
    an_facts_most(f, AN_FACT_HOTTEST, T, of);
}

/* Pressures and temperatures of the case; *p0: the largest at an inlet. */
static void take_boundaries(const struct an_case *c, struct an_facts *f, double *p0)
{
    char of[80];
    *p0 = 0;
    for (int b = 0; b < c->nboundary; b++) {
        const struct an_case_boundary *q = &c->boundary[b];
        if (q->type == AN_BC_INLET_TOTAL) {
            *p0 = fmax(*p0, q->profile[0] ? 0 : q->p0);
            an_facts_least(f, AN_FACT_PRESSURE, q->p0, key(q->name, "p0", of));
            take_temperature(f, q->T0, key(q->name, "T0", of));
        } else if (q->type == AN_BC_INLET_SUPERSONIC || q->type == AN_BC_FARFIELD) {
            take_temperature(f, total(c, &q->state), key(q->name, "T", of));
        } else if (q->type == AN_BC_WALL_VISCOUS) {
            take_temperature(f, q->wall.T, key(q->name, "T", of));
        } else if (q->type == AN_BC_OUTLET_STATIC) {
            an_facts_least(f, AN_FACT_PRESSURE, q->p, key(q->name, "p", of));
        }
    }
    take_temperature(f, total(c, &c->initial), "initial.T");
}

static void take_outlets(const struct an_case *c, double p0, int turns, struct an_facts *f)
{
    char of[80];
    int only = !turns && p0 > 0; /* nothing else raises the pressure */
    for (int b = 0; b < c->nboundary; b++) {
        const enum an_bc_type type = c->boundary[b].type;
        only &= type != AN_BC_FARFIELD && type != AN_BC_INLET_SUPERSONIC && type != AN_BC_COOLING;
    }
    for (int b = 0; b < c->nboundary; b++) {
        const struct an_case_boundary *q = &c->boundary[b];
        if (q->type != AN_BC_OUTLET_STATIC || p0 <= 0)
            continue;
        if (only && q->outlet.mass_flow <= 0)
            an_facts_most(f, AN_FACT_BACK_PRESSURE, q->p / p0, key(q->name, "p", of));
        an_facts_least(f, AN_FACT_EXPANSION, q->p / p0, key(q->name, "p", of));
    }
}

/* Do boundaries of the mesh let gas through? */
static void take_openings(const struct an_topology *t, const struct an_bc_value *value,
                          const struct an_extent *e, struct an_facts *f)
{
    int open = 0, walls = 0, far = 0, inlets = 0;
    for (int b = 0; b < t->nboundary; b++) {
        const enum an_bc_type type = (enum an_bc_type)value[b].type;
        open += an_bc_type_has(type, AN_BC_PASSES) || type == AN_BC_COOLING;
        walls += type == AN_BC_WALL_VISCOUS || type == AN_BC_WALL_SLIP;
        far += type == AN_BC_FARFIELD;
        inlets += type == AN_BC_INLET_TOTAL;
    }
    if (walls)
        an_facts_most(f, AN_FACT_ENCLOSED, !open, "");
    if (inlets && !far)
        an_facts_most(f, AN_FACT_LENGTH, e->length, "the mesh");
}

static void take_roughness(const struct an_case *c, const struct an_extent *e, struct an_facts *f)
{
    char of[80];
    for (int b = 0; b < c->nboundary; b++) {
        const struct an_case_boundary *q = &c->boundary[b];
        if (q->type == AN_BC_WALL_VISCOUS && q->wall.roughness > 0 && e->length > 0)
            an_facts_most(f, AN_FACT_ROUGHNESS, q->wall.roughness / e->length,
                          key(q->name, "roughness", of));
    }
}

/* Does the initial pattern fit into the box? */
static void take_pattern(const struct an_case *c, const struct an_extent *e, struct an_facts *f)
{
    const double wave = 2 * acos(-1) * c->pattern_length;
    for (int d = 0; d < 3 && c->pattern != AN_PATTERN_UNIFORM; d++) {
        const double waves = e->edge[d] / wave;
        an_facts_most(f, AN_FACT_PATTERN, fabs(waves - fmax(1, round(waves))), "initial.pattern");
    }
}

/* Largest Reynolds number of the cells at sharp leading edges, in the flow of `initial`. */
static int take_leading_edges(const struct an_case *c, const struct an_topology *t,
                              const struct an_solver *s, struct an_facts *f)
{
    const struct an_case_state *i = &c->initial;
    const double *along = i->has_velocity ? i->velocity : i->direction,
                 mu = an_case_viscosity(c, i->p, i->T);
    const double size = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
    if (!an_case_has_transition(c) || !(size > 0) || !(mu > 0))
        return AN_OK;
    const double flow[3] = {along[0] / size, along[1] / size, along[2] / size};
    double length;
    int wall;
    AN_TRY(an_leading_cell_find(s, flow, &length, &wall));
    if (wall >= 0) {
        char of[80];
        snprintf(of, sizeof of, "wall '%.50s'", t->boundary[wall].name);
        an_facts_most(
            f, AN_FACT_LEADING_CELL,
            an_state_density(&c->gas.model, i->p, i->T) * an_case_speed(c, i) * length / mu, of);
    }
    return AN_OK;
}

/* Can the mesh and the time step resolve turbulence? */
static int take_des(const struct an_case *c, const struct an_topology *t, struct an_solver *s,
                    struct an_facts *f)
{
    char of[80];
    double part;
    const double step = an_case_time_step(c); /* 0: from the CFL number, which is small enough */
    if (!s || s->params.des == AN_DES_NONE)
        return AN_OK;
    for (int z = 0; z < t->nblock; z++)
        for (int d = 0; d < 3; d++) {
            snprintf(of, sizeof of, "zone '%.50s'", t->block[z].name);
            an_facts_least(f, AN_FACT_DES_LAYER, t->block[z].n[d], of);
        }
    AN_TRY(an_des_fast_cells(s, s->flow_speed, step, &part));
    an_facts_most(f, AN_FACT_DES_STEP, part, "march.time_step");
    return AN_OK;
}

/* Rules on figures with a dimension. */
static int has_dimension(enum an_fact fact)
{
    return fact == AN_FACT_COLDEST || fact == AN_FACT_HOTTEST || fact == AN_FACT_PRESSURE ||
           fact == AN_FACT_LENGTH || fact == AN_FACT_RADIUS || fact == AN_FACT_TIP_SPEED;
}

int an_doubts_find(const struct an_case *c, const struct an_topology *t, struct an_solver *s,
                   const struct an_extent *e, struct an_facts *f)
{
    enum { LEAST_R = 50 }; /* J/(kg K) of a gas in SI units: refrigerants have 60 */
    double p0;
    an_facts_init(f);
    take_boundaries(c, f, &p0);
    take_outlets(c, p0, e->speed > 0, f);
    take_openings(t, an_solver_boundary(s), e, f);
    take_roughness(c, e, f);
    take_pattern(c, e, f);
    AN_TRY(take_leading_edges(c, t, s, f));
    AN_TRY(take_des(c, t, s, f));
    if (e->speed > 0) {
        an_facts_most(f, AN_FACT_RADIUS, e->radius, "a row");
        an_facts_most(f, AN_FACT_TIP_SPEED, e->speed, "a row");
        an_facts_most(f, AN_FACT_TIP_MACH,
                      e->speed / an_state_sound(&c->gas.model, c->initial.p, c->initial.T),
                      "a row");
    }
    for (int n = 0; n < AN_NFACT && c->gas.R < LEAST_R; n++)
        if (has_dimension((enum an_fact)n))
            f->value[n] = NAN;
    return AN_OK;
}

/* What the inlets would pass at most, kg/s: Mach number 1 in all of their area. */
static double choked(const struct an_case *c, double area)
{
    double most = 0;
    for (int b = 0; b < c->nboundary; b++) {
        const struct an_case_boundary *q = &c->boundary[b];
        if (q->type != AN_BC_INLET_TOTAL)
            continue;
        if (c->gas.model.table) {
            const struct an_gas_flow f = an_gas_static_mach(&c->gas.model, q->p0, q->T0, 1);
            most = fmax(most, an_state_density(&c->gas.model, f.p, f.T) * f.V * area);
            continue;
        }
        const double g = an_gas_gamma(&c->gas.model, q->T0);
        const double flux =
            q->p0 * sqrt(g / (c->gas.R * q->T0)) * pow(2 / (g + 1), (g + 1) / (2 * (g - 1)));
        most = fmax(most, flux * area);
    }
    return most;
}

void an_doubts_end(const struct an_case *c, const struct an_topology *t, const struct an_solver *s,
                   const double (*integral)[AN_NINTEGRAL], double mass_in, struct an_facts *f)
{
    const struct an_bc_value *value = an_solver_boundary(s);
    double area = 0;
    for (int b = 0; b < t->nboundary; b++)
        if (value[b].type == AN_BC_INLET_TOTAL)
            area += integral[b][AN_I_AREA];
    const double most = choked(c, area);
    an_facts_init(f);
    if (most > 0)
        an_facts_least(f, AN_FACT_MASS_FLOW, (isnan(mass_in) ? 0 : mass_in) / most, "the inlet");
    double missed[2];
    if (an_phase_lag_missed(s, missed))
        for (int side = 0; side < 2; side++)
            if (!isnan(missed[side]))
                an_facts_most(f, AN_FACT_LAG_MISSED, missed[side], "a row");
    if (an_case_has_transition(c)) {
        int n;
        struct an_wall_report *wall = NULL;
        if (an_walls_report(s, &n, &wall) == AN_OK)
            for (int w = 0; w < n; w++) {
                char of[80];
                snprintf(of, sizeof of, "wall '%.50s'", wall[w].name);
                an_facts_most(f, AN_FACT_LAMINAR_YPLUS, wall[w].yplus, of);
            }
        free(wall);
    }
}

int an_doubts_tell(const struct an_facts *f, void (*warn)(void *to, const char *text), void *to)
{
    char text[512];
    int verdict;
    for (int n = 0; (verdict = an_plausible(n, f, text, sizeof text)) >= 0; n++) {
        AN_CHECK(verdict != AN_REFUSED, AN_INPUT, "%s", text);
        if (verdict == AN_DOUBTFUL)
            warn(to, text);
    }
    return AN_OK;
}

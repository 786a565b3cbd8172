/* What a case asks for, against the rules of plausibility (io/plausible.h). */
#include "solver/app/doubts.h"

#include "bc/boundary_value.h"
#include "io/plausible.h"
#include "kernels/base/error.h"
#include "kernels/physics/gas_state.h"
#include "solver/app/doubts_take.h"
#include "solver/boundary/inlets.h"
#include "solver/boundary/phase_lag.h"
#include "solver/flow/des.h"
#include "solver/monitor/extent.h"
#include "solver/monitor/leading_edge.h"
#include "solver/monitor/walls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
    char of[AN_FACT_TEXT];
    for (int b = 0; b < c->nboundary; b++) {
        const struct an_case_boundary *q = &c->boundary[b];
        if (q->type == AN_BC_WALL_VISCOUS && q->wall.roughness > 0 && e->length > 0)
            an_facts_most(f, AN_FACT_ROUGHNESS, q->wall.roughness / e->length,
                          an_doubts_key(q->name, "roughness", of));
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
        char of[AN_FACT_TEXT];
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
    char of[AN_FACT_TEXT];
    double part;
    const double step = an_case_time_step(c); /* 0: from the CFL number, which is small enough */
    if (!s || s->params.turb.des == AN_DES_NONE)
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
    return fact == AN_FACT_COLDEST || fact == AN_FACT_HOTTEST || fact == AN_FACT_SCALE ||
           fact == AN_FACT_PRESSURE || fact == AN_FACT_PRESSURE_MOST ||
           fact == AN_FACT_AIR_VISCOSITY || fact == AN_FACT_LENGTH || fact == AN_FACT_RADIUS ||
           fact == AN_FACT_TIP_SPEED;
}

int an_doubts_find(const struct an_case *c, const struct an_topology *t, struct an_solver *s,
                   const struct an_extent *e, int commands, struct an_facts *f)
{
    enum { LEAST_R = 50 }; /* J/(kg K) of a gas in SI units: refrigerants have 60 */
    an_facts_init(f);
    AN_TRY(an_doubts_take_values(s, e, commands, f));
    AN_TRY(an_doubts_take_time(s, commands, f));
    an_doubts_take_gas(c, f);
    an_doubts_take_rows(s, commands, f);
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
static double choked(const struct an_case *c, const struct an_solver *s, double area)
{
    double most = 0;
    for (int b = 0; b < c->nboundary; b++) {
        const struct an_case_boundary *q = &c->boundary[b];
        if (q->type != AN_BC_INLET_TOTAL)
            continue;
        const struct an_inlet_total of = an_inlets_highest(s, q);
        if (c->gas.model.table) {
            const struct an_gas_flow f = an_gas_static_mach(&c->gas.model, of.p0, of.T0, 1);
            most = fmax(most, an_state_density(&c->gas.model, f.p, f.T) * f.V * area);
            continue;
        }
        const double g = an_gas_gamma(&c->gas.model, of.T0);
        const double flux =
            of.p0 * sqrt(g / (c->gas.R * of.T0)) * pow(2 / (g + 1), (g + 1) / (2 * (g - 1)));
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
    const double most = choked(c, s, area);
    an_facts_init(f);
    if (most > 0)
        an_facts_least(f, AN_FACT_MASS_FLOW, (isnan(mass_in) ? 0 : mass_in) / most, "the inlet");
    an_doubts_take_jets(c, s, f);
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
                char of[AN_FACT_TEXT];
                snprintf(of, sizeof of, "wall '%.50s'", wall[w].name);
                an_facts_most(f, AN_FACT_LAMINAR_YPLUS, wall[w].yplus, of);
            }
        free(wall);
    }
}

int an_doubts_tell(const struct an_facts *f, int commands, void (*warn)(void *to, const char *text),
                   void *to)
{
    char text[AN_PLAUSIBLE_TEXT], refused[AN_PLAUSIBLE_TEXT] = "";
    int verdict;
    for (int n = 0; (verdict = an_plausible(n, f, text)) >= 0; n++) {
        if (verdict == AN_DOUBTFUL && !(commands == AN_DOUBTS_MAP && an_plausible_is_setting(n)))
            warn(to, text);
        else if (verdict != AN_PLAUSIBLE && !*refused)
            snprintf(refused, sizeof refused, "%s", text);
    }
    AN_CHECK(!*refused, AN_INPUT, "%s", refused);
    return AN_OK;
}

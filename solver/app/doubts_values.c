/* Values that users give with a unit, against the rules of plausibility: one judge for keys, lines of profiles and
 * settings of maps. */
#include "bc/boundary_value.h"
#include "kernels/base/numbers.h"
#include "kernels/base/units.h"
#include "kernels/engine/model.h"
#include "kernels/physics/gas_state.h"
#include "solver/app/doubts.h"
#include "solver/app/doubts_take.h"
#include "solver/boundary/coolant.h"
#include "solver/boundary/holes.h"
#include "solver/boundary/inlets.h"
#include "solver/boundary/wall_heat.h"
#include "solver/level/level.h"
#include "solver/monitor/areas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What values are compared with. */
struct judge {
    const struct an_solver *s;
    const struct an_case *c;
    const struct an_extent *extent;
    struct an_facts *f;
    double level;                  /* Pa: of the case's pressures */
    double start;                  /* K: total temperature at the start */
    struct an_inlet_total highest; /* of all inlets; p0 0: there is none */
    char place[AN_FACT_TEXT];      /* where the user gave it */
    double limit;                  /* most that the outlet pressure can be over it */
    double choked;                 /* kg/s that the inlets pass at most; 0: not known */
    double flow;                   /* kg/s that enters at the start */
    double sectors;                /* how often the mesh of the inlets fits into the annulus */
    int maps;                      /* what a map would do is judged, too */
};

const char *an_doubts_key(const char *boundary, const char *name, char text[AN_FACT_TEXT])
{
    snprintf(text, AN_FACT_TEXT, "boundaries.%.50s.%s", boundary, name);
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

/* ---- what values are compared with ---- */

static int by_number(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

/* The upper median of the pressures of the case. */
static int find_level(struct judge *j)
{
    const struct an_case *c = j->c;
    double *p = malloc(((size_t)c->nboundary + 1) * sizeof *p);
    AN_CHECK(p, AN_FAIL, "out of memory for pressures");
    int n = 0;
    p[n++] = c->initial.p;
    for (int b = 0; b < c->nboundary; b++) {
        const struct an_case_boundary *q = &c->boundary[b];
        if (q->type == AN_BC_INLET_TOTAL)
            p[n++] = an_inlets_highest(j->s, q).p0;
        else if (q->type == AN_BC_OUTLET_STATIC)
            p[n++] = q->p;
        else if (an_bc_type_has(q->type, AN_BC_STATE))
            p[n++] = q->state.p;
    }
    qsort(p, (size_t)n, sizeof *p, by_number);
    j->level = p[n / 2];
    free(p);
    return AN_OK;
}

static void find_highest(struct judge *j)
{
    for (int b = 0; b < j->c->nboundary; b++) {
        const struct an_case_boundary *q = &j->c->boundary[b];
        if (q->type != AN_BC_INLET_TOTAL)
            continue;
        const struct an_inlet_total one = an_inlets_highest(j->s, q);
        if (!(one.p0 > j->highest.p0))
            continue;
        j->highest = one;
        an_inlets_place(q, AN_PROFILE_P0, "p0", one.line, j->place, sizeof j->place);
    }
}

/* The most that rows can raise the pressure: the work of each that turns is at most twice the square of the largest
 * tip speed. 1: nothing turns. */
static double most_ratio(const struct judge *j)
{
    int rotors = 0;
    for (int n = 0; n < j->c->nrow; n++)
        rotors += j->c->row[n].omega != 0;
    if (!(j->extent->speed > 0))
        return 1;
    if (!rotors || !(j->highest.p0 > 0))
        return INFINITY;
    const double sound = an_state_sound(&j->c->gas.model, j->highest.p0, j->highest.T0);
    const double g = an_state_gamma(&j->c->gas.model, j->highest.p0, j->highest.T0);
    const double mach = j->extent->speed / sound;
    return pow(1 + 2 * (g - 1) * mach * mach, rotors * g / (g - 1));
}

/* kg/s per m2 at Mach number 1. */
static double choked(const struct an_case *c, struct an_inlet_total total)
{
    const struct an_gas_flow f = an_gas_static_mach(&c->gas.model, total.p0, total.T0, 1);
    return an_state_density(&c->gas.model, f.p, f.T) * f.V;
}

/* Settings of the map that are judged: all of a list, or the ends. */
static int setting_count(const struct an_case *c)
{
    return c->map.values.n ? c->map.values.n : c->map.step > 0 ? 2 : 0;
}

/* Does the case want a mass flow, or its map? */
static int wants_flow(const struct an_case *c, int maps)
{
    int wants = maps && c->map.vary == AN_VARY_MASS_FLOW && setting_count(c);
    for (int b = 0; b < c->nboundary; b++) {
        const struct an_case_boundary *q = &c->boundary[b];
        wants |= (q->type == AN_BC_INLET_TOTAL || q->type == AN_BC_OUTLET_STATIC) &&
                 (q->outlet.mass_flow > 0 || q->outlet.throttle_mass_flow > 0);
    }
    return wants;
}

static int find_flows(struct judge *j)
{
    const struct an_topology *t = &j->s->mesh->topology;
    const struct an_case_state *i = &j->c->initial;
    const double rho = an_state_density(&j->c->gas.model, i->p, i->T);
    struct an_boundary_size *size = calloc((size_t)t->nboundary + 1, sizeof *size);
    AN_CHECK(size, AN_FAIL, "out of memory for areas");
    const int status = an_boundary_sizes(j->s, size);
    double mesh = 0, annulus = 0;
    for (int b = 0; b < t->nboundary && status == AN_OK; b++) {
        const struct an_case_boundary *q = an_case_boundary_find(j->c, t->boundary[b].name);
        if (!q || q->type != AN_BC_INLET_TOTAL)
            continue;
        mesh += size[b].area;
        annulus += size[b].annulus;
        j->choked += size[b].annulus * choked(j->c, an_inlets_highest(j->s, q));
    }
    j->flow = rho * an_case_speed(j->c, i) * annulus;
    j->sectors = mesh > 0 ? annulus / mesh : 1;
    free(size);
    return status;
}

/* ---- pressures and temperatures ---- */

static void take_pressure(const struct judge *j, double p, const char *of)
{
    char text[64];
    if (an_facts_least(j->f, AN_FACT_PRESSURE, p, of))
        an_facts_more(j->f, AN_FACT_PRESSURE, "%s", an_plausible_pressure(p, j->level, text));
    an_facts_most(j->f, AN_FACT_PRESSURE_MOST, p, of);
}

/* A total pressure that enters. */
static void take_p0(const struct judge *j, double p0, const char *of)
{
    const double hardly = 300; /* Pa: the rule on pressures speaks */
    char text[64];
    take_pressure(j, p0, of);
    if (p0 > hardly && an_facts_least(j->f, AN_FACT_LEVEL, p0 / j->level, of))
        an_facts_more(j->f, AN_FACT_LEVEL, " (%.6g Pa of %.6g Pa)%s", p0, j->level,
                      an_plausible_pressure(p0, j->level, text));
}

static void take_temperature(const struct judge *j, double T, const char *of)
{
    if (!(T > 0))
        return;
    if (an_facts_least(j->f, AN_FACT_COLDEST, T, of) && T < AN_FACT_COLD)
        an_facts_more(j->f, AN_FACT_COLDEST, ", which would be %.6g K if it is in degrees Celsius",
                      T + 273.15);
    an_facts_most(j->f, AN_FACT_HOTTEST, T, of);
}

/* A total temperature that enters, against that of the start: is one of them in another scale? The nearer guess is told. */
static void take_T0(const struct judge *j, double T0, const char *of)
{
    char of_T0[64], of_start[64];
    take_temperature(j, T0, of);
    const double off_T0 = an_plausible_temperature(T0, j->start, of_T0);
    const double off_start = an_plausible_temperature(j->start, T0, of_start);
    if (off_T0 <= off_start && *of_T0 && T0 >= AN_FACT_COLD &&
        an_facts_least(j->f, AN_FACT_SCALE, T0, of))
        an_facts_more(j->f, AN_FACT_SCALE, " where the flow starts with %.6g K%s", j->start, of_T0);
    if (off_start < off_T0 && j->start >= AN_FACT_COLD &&
        an_facts_least(j->f, AN_FACT_SCALE, j->start, "initial.T"))
        an_facts_more(j->f, AN_FACT_SCALE, " with the speed at the start, and %.200s is %.6g K%s",
                      of, T0, of_start);
}

static void take_lengths(const struct judge *j)
{
    const struct an_case *c = j->c;
    const struct {
        const char *key;
        double length;
    } list[] = {{"reference.length", c->reference.length},
                {"turbulence.length",
                 c->turbulence.model == AN_TURBULENCE_MIXING_LENGTH ? c->turbulence.length : 0},
                {"turbulence.decay_length",
                 c->turbulence.model == AN_TURBULENCE_SST ? c->turbulence.decay_length : 0}};
    for (size_t n = 0; n < sizeof list / sizeof *list; n++)
        if (list[n].length > 0 && j->extent->length > 0)
            an_facts_most(j->f, AN_FACT_KEY_LENGTH, list[n].length / j->extent->length,
                          list[n].key);
    for (int n = 0; n < c->nleakage; n++) {
        char of[AN_FACT_TEXT];
        const struct an_case_leakage *q = &c->leakage[n];
        snprintf(of, sizeof of, "leakages.%.100s.clearance", q->name);
        if (q->clearance > 0 && j->extent->length > 0)
            an_facts_most(j->f, AN_FACT_CLEARANCE, q->clearance / j->extent->length, of);
        snprintf(of, sizeof of, "leakages.%.100s.radius", q->name);
        if (q->radius > 0 && j->extent->reach > 0)
            an_facts_most(j->f, AN_FACT_SEAL_RADIUS, q->radius / j->extent->reach, of);
    }
}

/* A wall that turns by its own key. */
static void take_speed(const struct judge *j, double omega, const char *of)
{
    const struct an_case_state *i = &j->c->initial;
    const double speed = fabs(omega) * j->extent->reach;
    if (!(speed > 0))
        return;
    an_facts_most(j->f, AN_FACT_TIP_SPEED, speed, of);
    an_facts_most(j->f, AN_FACT_TIP_MACH, speed / an_state_sound(&j->c->gas.model, i->p, i->T), of);
}

/* ---- turbulence and angles that enter ---- */

static double speed_of(const struct judge *j, struct an_inlet_total total)
{
    const struct an_case_state *i = &j->c->initial;
    const double speed = an_case_speed(j->c, i);
    if (!(total.p0 > i->p))
        return speed;
    return fmax(speed, an_gas_static_p(&j->c->gas.model, total.p0, total.T0, i->p).V);
}

/* Column c of line n of a profile. */
static void take_cell(const struct judge *j, const struct an_case_boundary *b,
                      const struct an_profile *p, int n, enum an_profile_column c)
{
    char of[AN_FACT_TEXT];
    const double *v = p->value[n];
    const struct an_inlet_total total = an_inlets_total(j->s, b, n);
    an_inlets_place(b, c, "", p->line[n], of, sizeof of);
    if (c == AN_PROFILE_P0) {
        take_p0(j, v[c], of);
    } else if (c == AN_PROFILE_T0) {
        take_T0(j, v[c], of);
    } else if (c == AN_PROFILE_SWIRL) {
        an_facts_most(j->f, AN_FACT_INFLOW_ANGLE, fabs(v[c]), of);
    } else if (c == AN_PROFILE_VISCOSITY) {
        an_facts_most(j->f, AN_FACT_EDDIES, v[c], of);
    } else if (c == AN_PROFILE_K) {
        const double speed = speed_of(j, total), mu = an_case_viscosity(j->c, total.p0, total.T0);
        const double rho = an_state_density(&j->c->gas.model, total.p0, total.T0);
        if (speed > 0 && an_facts_most(j->f, AN_FACT_INTENSITY, sqrt(2 * v[c] / 3) / speed, of))
            an_facts_more(j->f, AN_FACT_INTENSITY, " with k of %.4g J/kg and a speed of %.4g m/s",
                          v[c], speed);
        if (mu > 0 &&
            an_facts_most(j->f, AN_FACT_EDDIES, rho * v[c] / v[AN_PROFILE_OMEGA] / mu, of))
            an_facts_more(j->f, AN_FACT_EDDIES, " with k of %.4g J/kg and omega of %.4g 1/s", v[c],
                          v[AN_PROFILE_OMEGA]);
    }
}

static void take_inlet(const struct judge *j, const struct an_case_boundary *b)
{
    char of[AN_FACT_TEXT];
    const struct an_profile *p = an_inlets_profile(j->s, b);
    const int lines = p ? an_inlets_count(j->s, b) : 0;
    if (!p || !p->has[AN_PROFILE_P0])
        take_p0(j, b->p0, an_doubts_key(b->name, "p0", of));
    if (!p || !p->has[AN_PROFILE_T0])
        take_T0(j, b->T0, an_doubts_key(b->name, "T0", of));
    if (b->profile_omega != 0 &&
        j->extent->radius > 0) /* a pattern may be faster than what turns */
        an_facts_most(j->f, AN_FACT_TIP_SPEED, fabs(b->profile_omega) * j->extent->radius,
                      an_doubts_key(b->name, "profile_omega", of));
    const double angle = an_inlets_angle(j->s, b);
    if (!isnan(angle))
        an_facts_most(j->f, AN_FACT_INFLOW_ANGLE, angle, an_doubts_key(b->name, "direction", of));
    for (int c = 0; c < AN_NPROFILE && p; c++)
        for (int n = 0; n < lines && p->has[c]; n++)
            take_cell(j, b, p, n, (enum an_profile_column)c);
}

/* Temperatures of a wall's profile, and how much of the wall lies beyond its ends. */
static void take_wall_profile(const struct judge *j, const struct an_case_boundary *q)
{
    const struct an_wall_profile *p = j->s ? an_wall_heat_profile(j->s, q) : NULL;
    char of[AN_FACT_TEXT];
    if (!p)
        return;
    for (int side = 0; side < AN_NSIDE && !p->heat_flux; side++)
        for (int n = 0; n < p->side[side].n[0] * p->side[side].n[1]; n++) {
            snprintf(of, sizeof of, "%.180s:%d: T_K", q->profile, p->side[side].line[n]);
            take_temperature(j, p->side[side].value[n], of);
        }
    snprintf(of, sizeof of, "%.180s: wall '%.50s'", q->profile, q->name);
    an_facts_most(j->f, AN_FACT_WALL_OUTSIDE, 100 * an_wall_heat_outside(j->s, q), of);
    an_facts_most(j->f, AN_FACT_WALL_BEYOND, an_wall_heat_beyond(j->s, q), of);
}

/* Temperatures of solids and of what their surfaces touch. */
static void take_solids(const struct judge *j)
{
    const struct an_case *c = j->c;
    const double gas = an_case_hottest_gas(c);
    char of[AN_FACT_TEXT];
    for (int n = 0; n < c->nsolid; n++) {
        snprintf(of, sizeof of, "solids.%.100s.T", c->solid[n].name);
        take_temperature(j, c->solid[n].T, of);
    }
    for (int n = 0; n < c->nsolid_wall; n++) {
        const struct an_case_solid_wall *q = &c->solid_wall[n];
        snprintf(of, sizeof of, "solid_walls.%.100s.T", q->name);
        take_temperature(j, q->T, of);
        if (!(q->T > 0) || !(q->h > 0 || q->mass_flow > 0))
            continue;
        if (an_facts_most(j->f, AN_FACT_COOLANT, q->T / gas, of))
            an_facts_more(j->f, AN_FACT_COOLANT, ": %.6g K beside %.6g K", q->T, gas);
        if (q->T >= AN_FACT_COLD && an_facts_least(j->f, AN_FACT_COOLANT_COLD, q->T / gas, of))
            an_facts_more(j->f, AN_FACT_COOLANT_COLD,
                          ": %.6g K beside %.6g K; if it is in degrees Celsius, give %.6g", q->T,
                          gas, q->T + 273.15);
    }
}

/* Total conditions of the holes of a wall, and whether the mesh can show them. */
static void take_holes(const struct judge *j, const struct an_case_boundary *q)
{
    const struct an_hole_set *holes = j->s ? an_coolant_holes(j->s, q) : NULL;
    char of[AN_FACT_TEXT];
    for (int n = 0; holes && n < holes->list.n; n++) {
        const struct an_hole_given *h = &holes->list.hole[n];
        snprintf(of, sizeof of, "%.180s:%d: T0_K", q->holes, h->line);
        take_temperature(j, h->T0, of);
        snprintf(of, sizeof of, "%.180s:%d: p0_Pa", q->holes, h->line);
        if (h->kind == AN_HOLE_SUPPLY)
            take_p0(j, h->flow, of);
        snprintf(of, sizeof of, "%.180s:%d: the hole", q->holes, h->line);
        an_facts_least(j->f, AN_FACT_HOLE_CELLS, holes->hole[n].across, of);
    }
}

/* What a jet does in the stream beside its hole. */
static void take_jet(struct an_facts *f, const struct an_hole *h, const char *of)
{
    if (h->set->kind == AN_HOLE_SUPPLY)
        an_facts_least(f, AN_FACT_HOLE_SUPPLY, h->set->flow / h->p, of);
    else
        an_facts_most(f, AN_FACT_HOLE_CHOKED, h->excess, of);
    if (h->set->alpha < 80 * AN_DEGREE)
        an_facts_most(f, AN_FACT_HOLE_TURN, h->turn, of);
}

void an_doubts_take_jets(const struct an_case *c, const struct an_solver *s, struct an_facts *f)
{
    for (int b = 0; b < c->nboundary; b++) {
        const struct an_hole_set *holes = an_coolant_holes(s, &c->boundary[b]);
        char of[AN_FACT_TEXT];
        for (int n = 0; holes && n < holes->list.n; n++) {
            snprintf(of, sizeof of, "%.180s:%d", c->boundary[b].holes, holes->list.hole[n].line);
            take_jet(f, &holes->hole[n], of);
            if (an_facts_most(f, AN_FACT_HOLE_LIFTS, holes->hole[n].momentum_ratio, of))
                an_facts_more(f, AN_FACT_HOLE_LIFTS, ", as %d of the %d holes of '%.50s' do",
                              an_holes_lifted(holes), holes->list.n, c->boundary[b].name);
        }
    }
}

static void take_turbulence(const struct judge *j)
{
    const struct an_case *c = j->c;
    if (c->turbulence.model == AN_TURBULENCE_SST || an_case_has_bcm(c))
        an_facts_most(j->f, AN_FACT_INTENSITY, c->turbulence.intensity, "turbulence.intensity");
    if (an_case_has_transport(c))
        an_facts_most(j->f, AN_FACT_EDDIES, an_case_inflow_ratio(c),
                      c->turbulence.length_scale > 0 ? "turbulence.length_scale"
                                                     : "turbulence.inlet_viscosity_ratio");
}

static void take_boundary(const struct judge *j, const struct an_case_boundary *q)
{
    char of[AN_FACT_TEXT];
    if (q->type == AN_BC_INLET_TOTAL)
        take_inlet(j, q);
    take_holes(j, q);
    if (an_bc_type_has(q->type, AN_BC_STATE)) {
        take_pressure(j, q->state.p, an_doubts_key(q->name, "p", of));
        take_temperature(j, total(j->c, &q->state), an_doubts_key(q->name, "T", of));
    } else if (q->type == AN_BC_WALL_VISCOUS) {
        take_temperature(j, q->wall.T, an_doubts_key(q->name, "T", of));
        take_wall_profile(j, q);
        take_speed(j, q->wall.has_omega ? q->wall.omega : 0, an_doubts_key(q->name, "omega", of));
    } else if (q->type == AN_BC_OUTLET_STATIC) {
        take_pressure(j, q->p, an_doubts_key(q->name, "p", of));
        if (q->outlet.throttle_p > 0)
            take_pressure(j, q->outlet.throttle_p, an_doubts_key(q->name, "throttle_p", of));
    } else if (q->type == AN_BC_COOLING) {
        take_temperature(j, q->T0, an_doubts_key(q->name, "T0", of));
        if (q->p0 > 0)
            take_p0(j, q->p0, an_doubts_key(q->name, "p0", of));
    }
}

/* ---- outlets and mass flows ---- */

/* Has an outlet the first pressure of a map, which is judged as a setting? */
static int has_setting(const struct judge *j, const struct an_case_boundary *q)
{
    char of[AN_FACT_TEXT];
    return j->maps && j->c->map.vary == AN_VARY_BACK_PRESSURE &&
           (!*j->c->map.outlet || strcmp(j->c->map.outlet, q->name) == 0) &&
           q->p == an_doubts_setting(j->c, 0, of);
}

static void take_outlets(const struct judge *j)
{
    const struct an_case *c = j->c;
    const double p0 = j->highest.p0;
    char of[AN_FACT_TEXT];
    int only = p0 > 0; /* nothing but rows that turn raises the pressure */
    for (int b = 0; b < c->nboundary; b++) {
        const enum an_bc_type type = c->boundary[b].type;
        only &= type != AN_BC_FARFIELD && type != AN_BC_INLET_SUPERSONIC && type != AN_BC_COOLING;
        only &= type != AN_BC_INLET_TOTAL || !(c->boundary[b].outlet.mass_flow > 0);
    }
    for (int b = 0; b < c->nboundary; b++) {
        const struct an_case_boundary *q = &c->boundary[b];
        if (q->type != AN_BC_OUTLET_STATIC || p0 <= 0 || has_setting(j, q))
            continue;
        an_doubts_key(q->name, "p", of);
        const enum an_fact fact =
            j->extent->speed > 0 ? AN_FACT_OVERPRESSURE : AN_FACT_BACK_PRESSURE;
        const double rise = (q->p / p0 - 1) / (j->limit - 1);
        const double value = fact == AN_FACT_BACK_PRESSURE ? q->p / p0 : rise;
        if (only && q->outlet.mass_flow <= 0 && an_facts_most(j->f, fact, value, of))
            an_facts_more(j->f, fact, ", which is %.6g Pa (%.200s)", p0, j->place);
        if (an_facts_least(j->f, AN_FACT_EXPANSION, q->p / p0, of))
            an_facts_more(j->f, AN_FACT_EXPANSION, ", which is %.6g Pa (%.200s)", p0, j->place);
    }
}

/* Mass flows beside what the inlets pass: too small are those of one passage, where they do not agree with the flow at
 * the start, and too large are others. */
static void say_flow(const struct judge *j, enum an_fact fact, double mass)
{
    const double whole = mass * j->sectors;
    if (j->sectors > 1.5 && whole < 1.2 * j->choked)
        an_facts_more(
            j->f, fact,
            " (%.4g kg/s of %.4g kg/s); perhaps it is the mass flow of what is meshed, of "
            "which %.4g are the annulus: %.6g kg/s",
            mass, j->choked, j->sectors, whole);
    else
        an_facts_more(j->f, fact, " (%.4g kg/s of %.4g kg/s)", mass, j->choked);
}

static int agrees(const struct judge *j, double mass)
{
    return j->flow > 0 && mass > j->flow / 3;
}

/* part: other inlets let in flow of an amount that is not known. */
static void take_flow(const struct judge *j, double mass, int part, const char *of)
{
    if (!(mass > 0) || !(j->choked > 0))
        return;
    if (!part && !agrees(j, mass) && an_facts_least(j->f, AN_FACT_INLET_FLOW, mass / j->choked, of))
        say_flow(j, AN_FACT_INLET_FLOW, mass);
    if (an_facts_most(j->f, AN_FACT_INLET_CHOKED, mass / j->choked, of))
        an_facts_more(j->f, AN_FACT_INLET_CHOKED, " (%.4g kg/s of %.4g kg/s)", mass, j->choked);
}

/* Of several outlets, or inlets, one may have a small part of the flow: the largest is judged. The mass flow of an inlet is not
 * too small beside inlets of given total pressure: coolant enters beside the stream. */
static void take_flows(const struct judge *j)
{
    static const enum an_bc_type types[] = {AN_BC_INLET_TOTAL, AN_BC_OUTLET_STATIC};
    for (int n = 0; n < 2; n++) {
        double most = 0;
        int part = 0;
        char of[AN_FACT_TEXT] = "";
        for (int b = 0; b < j->c->nboundary; b++) {
            const struct an_case_boundary *q = &j->c->boundary[b];
            part |= n == 0 && q->type == AN_BC_INLET_TOTAL && !(q->outlet.mass_flow > 0);
            const int throttled =
                q->type == AN_BC_OUTLET_STATIC && q->outlet.throttle_mass_flow > 0;
            const double mass = throttled ? q->outlet.throttle_mass_flow : q->outlet.mass_flow;
            if (q->type != types[n] || !(mass > most))
                continue;
            most = mass;
            an_doubts_key(q->name, throttled ? "throttle_mass_flow" : "mass_flow", of);
        }
        take_flow(j, most, part, of);
    }
}

/* ---- settings of a map ---- */

double an_doubts_setting(const struct an_case *c, int n, char of[AN_FACT_TEXT])
{
    if (!c->map.values.n) {
        snprintf(of, AN_FACT_TEXT, "map.%s", n ? "to" : "from");
        return n ? c->map.to : c->map.from;
    }
    snprintf(of, AN_FACT_TEXT, "map.values, number %d,", n + 1);
    return c->map.values.x[n];
}

static int take_setting(const struct judge *j, int n)
{
    char of[AN_FACT_TEXT];
    const double v = an_doubts_setting(j->c, n, of), p0 = j->highest.p0;
    struct an_facts *f = j->f;
    if (j->c->map.vary == AN_VARY_BACK_PRESSURE) {
        AN_TRY(an_case_gas_reaches(j->c, of, v));
        if (p0 > 0 && an_facts_least(f, AN_FACT_SETTING_PRESSURE, v / p0, of)) {
            char text[64];
            an_facts_more(f, AN_FACT_SETTING_PRESSURE, " (%.6g Pa of %.6g Pa)%s", v, p0,
                          an_plausible_pressure(v, j->level, text));
        }
        if (p0 > 0 && n == 0) { /* later ones may be beyond stall */
            an_facts_most(f, AN_FACT_SETTING_HIGH, v / p0 / j->limit, of);
            an_facts_more(f, AN_FACT_SETTING_HIGH, " (%.6g Pa, where that is %.6g Pa)", v, p0);
        }
    } else if (j->c->map.vary == AN_VARY_MASS_FLOW && j->choked > 0) {
        if (!agrees(j, v) && an_facts_most(f, AN_FACT_SETTING_FLOW, v / j->choked, of))
            say_flow(j, AN_FACT_SETTING_FLOW, v);
        if (an_facts_least(f, AN_FACT_SETTING_CHOKED, v / j->choked, of))
            an_facts_more(f, AN_FACT_SETTING_CHOKED, " (%.4g kg/s of %.4g kg/s)", v, j->choked);
    } else if (j->c->map.vary == AN_VARY_THROTTLE) {
        an_facts_least(f, AN_FACT_SETTING_THROTTLE, v, of);
        an_facts_most(f, AN_FACT_SETTING_THROTTLE_MOST, v, of);
    }
    return AN_OK;
}

int an_doubts_take_values(const struct an_solver *s, const struct an_extent *e, int commands,
                          struct an_facts *f)
{
    const int maps = (commands & AN_DOUBTS_MAP) != 0;
    const struct an_case *c = s->c;
    struct judge j = {.s = s, .c = c, .extent = e, .f = f, .sectors = 1, .maps = maps};
    j.start = total(c, &c->initial);
    AN_TRY(find_level(&j));
    find_highest(&j);
    j.limit = most_ratio(&j);
    if (wants_flow(c, maps))
        AN_TRY(find_flows(&j));
    take_pressure(&j, c->initial.p, "initial.p");
    take_temperature(&j, j.start, "initial.T");
    if (an_case_has_reference(c)) {
        take_pressure(&j, c->reference.state.p, "reference.pressure");
        take_temperature(&j, c->reference.state.T, "reference.temperature");
    }
    take_turbulence(&j);
    take_lengths(&j);
    for (int b = 0; b < c->nboundary; b++)
        take_boundary(&j, &c->boundary[b]);
    take_solids(&j);
    take_outlets(&j);
    take_flows(&j);
    for (int n = 0; n < setting_count(c) && maps; n++)
        AN_TRY(take_setting(&j, n));
    return AN_OK;
}

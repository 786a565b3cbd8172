/* Time steps of unsteady runs beside what passes and what repeats, and keys that count iterations beside the end. */
#include "solver/app/doubts.h"
#include "solver/app/doubts_take.h"
#include "solver/boundary/inlets.h"
#include "solver/boundary/plane_pairs.h"
#include "solver/level/level.h"
#include "solver/level/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double turn = 6.283185307179586477;

/* A passing that takes this time, s. */
static void take_passing(struct an_facts *f, double period, double dt, const char *of)
{
    if (period < INFINITY && an_facts_least(f, AN_FACT_PASSING_STEPS, period / dt, of))
        an_facts_more(f, AN_FACT_PASSING_STEPS, ", which are %.4g s each, and %.4g s in all", dt,
                      period);
}

static int zone_of(const struct an_topology *t, int boundary)
{
    for (int p = 0; p < t->npatch; p++)
        if (t->patch[p].boundary == boundary)
            return t->patch[p].window.block;
    return -1;
}

/* The blades of the row on one side of a sliding plane pass the other side. A row without a number of blades has as
 * many as passages are meshed, or more. */
static void take_plane(const struct an_solver *s, const int *row, const double *sectors, int b,
                       double dt, struct an_facts *f)
{
    const struct an_topology *t = &s->mesh->topology;
    const struct an_case *c = s->c;
    const int other = an_plane_partner(c, t, b), here = zone_of(t, b),
              there = other < 0 ? -1 : zone_of(t, other);
    char of[AN_FACT_TEXT];
    if (here < 0 || there < 0 || !s->omega)
        return;
    const struct an_case_row *of_row = row[there] < 0 ? NULL : &c->row[row[there]];
    const double blades = of_row && of_row->blades > 0 ? of_row->blades : sectors[there];
    const double speed = fabs(s->omega[there] - s->omega[here]);
    snprintf(of, sizeof of, "blades of %s%.60s pass '%.60s'", of_row ? "row " : "",
             of_row ? of_row->name : t->block[there].name, t->boundary[b].name);
    take_passing(f, turn / (blades * speed), dt, of);
}

static int take_planes(const struct an_solver *s, double dt, struct an_facts *f)
{
    const struct an_topology *t = &s->mesh->topology;
    int *row = malloc(((size_t)t->nblock + 1) * sizeof *row);
    double *sectors = malloc(((size_t)t->nblock + 1) * sizeof *sectors);
    int status = row && sectors ? an_solver_sectors(s->c, t, sectors)
                                : an_error_set(AN_FAIL, "out of memory for rows");
    if (status == AN_OK)
        an_solver_zone_rows(s->c, t, row);
    for (int b = 0; b < t->nboundary && status == AN_OK; b++)
        if (s->boundary[b].type == AN_BC_SLIDING_PLANE)
            take_plane(s, row, sectors, b, dt, f);
    free(sectors);
    free(row);
    return status;
}

/* A profile that turns past its inlet, or changes in time. */
static void take_profile(const struct an_solver *s, int b, double dt, double end,
                         struct an_facts *f)
{
    const struct an_case_boundary *q =
        an_case_boundary_find(s->c, s->mesh->topology.boundary[b].name);
    const struct an_profile *p = q && q->type == AN_BC_INLET_TOTAL ? an_inlets_profile(s, q) : NULL;
    char of[AN_FACT_TEXT];
    if (!p)
        return;
    const double rate = fabs(an_boundary_omega(s, b) - q->profile_omega);
    snprintf(of, sizeof of, "%.180s: the pattern of theta_deg passes inlet '%.40s'", q->profile,
             q->name);
    if (p->ntheta > 1)
        take_passing(f, an_profile_pattern(p) * (turn / 360) / rate, dt, of);
    if (p->ntime < 2)
        return;
    const double length = p->time[p->ntime - 1] - p->time[0];
    snprintf(of, sizeof of, "%.180s: a period of time_s", q->profile);
    if (p->period > 0 && an_facts_least(f, AN_FACT_SERIES_STEPS, length / dt, of))
        an_facts_more(f, AN_FACT_SERIES_STEPS, ", which are %.4g s each, and %.4g s in all", dt,
                      length);
    if (end > 0 && end < 0.01 * length) {
        snprintf(of, sizeof of, "%.120s: the first of %.4g s of time_s in a run of %.4g s",
                 q->profile, length, end);
        an_facts_least(f, AN_FACT_LEFT, 0, of);
    }
}

/* Something that begins behind an iteration. */
static void take_late(const struct an_case *c, const char *key, int from, struct an_facts *f)
{
    char of[AN_FACT_TEXT];
    snprintf(of, sizeof of, "'%s' is %d, and 'march.iterations' %d", key, from,
             c->march.iterations);
    an_facts_least(f, AN_FACT_LEFT, fmax(0, (double)c->march.iterations - from), of);
}

/* Keys that count iterations from the start. A map has iterations of its own. */
static void take_ends(const struct an_case *c, struct an_facts *f)
{
    const double window = (double)c->stop.window;
    if (an_case_has_means(c))
        take_late(c, "output.means_from", c->output.means_from, f);
    if (an_case_has_modes(c))
        take_late(c, "output.modes_from", c->output.modes_from, f);
    if (an_case_has_transition(c))
        take_late(c, "turbulence.laminar_start", c->turbulence.laminar_start, f);
    if (an_case_has_damping(c))
        take_late(c, "march.damping_start", c->march.damping_start, f);
    if (an_case_has_stop(c) && window > c->march.iterations)
        take_late(c, "stop.window", c->stop.window, f);
    if (c->stop.period_change > 0 && an_case_period(c) > c->march.iterations)
        take_late(c, "stop.period", an_case_period(c), f);
}

int an_doubts_take_time(const struct an_solver *s, int commands, struct an_facts *f)
{
    const struct an_case *c = s->c;
    const double dt = an_case_time_step(c);
    const double end = c->march.end_time > 0
                           ? c->march.end_time
                           : dt * (c->march.iterations < 2147483647 ? c->march.iterations : 0);
    if (commands & AN_DOUBTS_RUN)
        take_ends(c, f);
    if (c->march.mode != AN_MARCH_UNSTEADY || !(dt > 0))
        return AN_OK;
    if (c->march.steps_per_passing > 0) /* of the row that turns fastest, past what is at rest */
        take_passing(f, c->march.steps_per_passing * dt, dt, "march.steps_per_passing");
    for (int b = 0; b < s->mesh->topology.nboundary; b++)
        take_profile(s, b, dt, end, f);
    return take_planes(s, dt, f);
}

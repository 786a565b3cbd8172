/* Rules on figures that settle: they hold over a number of lines of the table. */
#include "solver/level/solver.h"

#include <math.h>
#include <string.h>

const char *const an_settle_name[3] = {"stop.mass_flow", "stop.pressure_ratio", "stop.efficiency"};

void an_solver_note(struct an_solver *s, const double value[3])
{
    if (s->settle.n == AN_STOP_SAMPLES)
        memmove(s->settle.value[0], s->settle.value[1],
                (size_t)--s->settle.n * sizeof s->settle.value[0]);
    memcpy(s->settle.value[s->settle.n++], value, sizeof s->settle.value[0]);
}

/* Largest less least of the last n values; with `relative` over their mean. A NaN: infinite. */
static double spread(const struct an_solver *s, int which, int n, int relative)
{
    double least = INFINITY, most = -INFINITY, sum = 0;
    for (int m = s->settle.n - n; m < s->settle.n; m++) {
        const double v = s->settle.value[m][which];
        if (isnan(v))
            return INFINITY;
        least = fmin(least, v);
        most = fmax(most, v);
        sum += v;
    }
    return relative ? (most - least) / fabs(sum / n) : most - least;
}

/* Does anything move that could do work on the gas: a zone or a wall? */
static int something_turns(const struct an_solver *s)
{
    int turns = s->omega != NULL;
    for (int b = 0; b < s->mesh->topology.nboundary; b++) {
        const struct an_case_boundary *c =
            an_case_boundary_find(s->c, s->mesh->topology.boundary[b].name);
        if (!c || c->type != AN_BC_WALL_VISCOUS)
            continue;
        const double *v = c->wall.velocity;
        turns |= (c->wall.has_omega && c->wall.omega != 0) || v[0] != 0 || v[1] != 0 || v[2] != 0;
    }
    return turns;
}

int an_solver_check_stop(const struct an_solver *s)
{
    const struct an_case *c = s->c;
    int open = 0;
    if (!an_case_has_stop(c))
        return AN_OK;
    for (int b = 0; b < s->mesh->topology.nboundary; b++)
        open += an_bc_is_open((enum an_bc_type)s->boundary[b].type);
    AN_CHECK(open > 0, AN_INPUT,
             "%s: 'stop' looks at what flows through inlets and outlets, of which there are none: "
             "the rule would never hold; use march.residual_drop",
             c->file);
    AN_CHECK(open > 1 || !(c->stop.pressure_ratio > 0 || c->stop.efficiency > 0), AN_INPUT,
             "%s: 'stop.%s' needs an inlet and an outlet, and only one boundary is open: the rule "
             "would never hold; leave it out",
             c->file, c->stop.pressure_ratio > 0 ? "pressure_ratio" : "efficiency");
    if (!(c->stop.efficiency > 0))
        return AN_OK;
    AN_CHECK(something_turns(s), AN_INPUT,
             "%s: 'stop.efficiency': no row and no wall turns, so nothing does work on the gas and "
             "there is no efficiency to settle; leave it out",
             c->file);
    AN_CHECK(an_case_has_monitors(c) || !an_case_has_cooling(c), AN_INPUT,
             "%s: 'stop.efficiency': with cooling or bleed the efficiency is one of the rows' "
             "figures, which are not wanted: the rule would never hold; set monitors.performance: "
             "on, or leave it out",
             c->file);
    return AN_OK;
}

int an_solver_settled(const struct an_solver *s)
{
    const struct an_case *c = s->c;
    const double rule[3] = {c->stop.mass_flow, c->stop.pressure_ratio, c->stop.efficiency};
    const int n = c->stop.window / c->output.history_every + 1;
    if (!an_case_has_stop(c) || s->settle.n < n)
        return 0;
    for (int m = 0; m < 3; m++)
        if (rule[m] > 0 && !(spread(s, m, n, m < 2) <= rule[m]))
            return 0;
    return 1;
}

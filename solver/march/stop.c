#include "solver/march/stop.h"

#include "solver/level/level.h"
#include "solver/level/rows.h"
#include "solver/march/acceleration.h"
#include "solver/march/settling.h"

#include <math.h>

/* What the figures may move by; 0: no rule. */
static void limits(const struct an_case *c, double limit[AN_NFIGURE])
{
    const double rule[AN_NFIGURE] = {[AN_FIGURE_MASS_FLOW] = c->stop.mass_flow,
                                     [AN_FIGURE_PRESSURE_RATIO] = c->stop.pressure_ratio,
                                     [AN_FIGURE_EFFICIENCY] = c->stop.efficiency,
                                     [AN_FIGURE_FORCE_X] = c->stop.force,
                                     [AN_FIGURE_FORCE_Y] = c->stop.force,
                                     [AN_FIGURE_FORCE_Z] = c->stop.force,
                                     [AN_FIGURE_FRICTION] = c->stop.force,
                                     [AN_FIGURE_TORQUE] = c->stop.force,
                                     [AN_FIGURE_POWER] = c->stop.force,
                                     [AN_FIGURE_LIFT] = c->stop.lift,
                                     [AN_FIGURE_DRAG] = c->stop.drag,
                                     [AN_FIGURE_MOMENT] = c->stop.moment};
    for (int n = 0; n < AN_NFIGURE; n++)
        limit[n] = rule[n];
}

/* Only runs with rows have a power, only those without rows that turn have a torque to watch, and only those where
 * nothing turns and a wall is viscous have a friction. A row through which the total pressure falls, though it does work on the gas, has no efficiency. */
static int has_meaning(const struct an_solver *s, int figure, int lines)
{
    return (figure != AN_FIGURE_TORQUE && figure != AN_FIGURE_POWER &&
            figure != AN_FIGURE_EFFICIENCY && figure != AN_FIGURE_FRICTION) ||
           an_settling_has(s, (enum an_figure)figure, lines);
}

/* Does a figure swing by more than the limit, with a period that is too long for the window? */
static int swings_beyond(const struct an_solver *s, int figure, double limit)
{
    double period, range;
    an_settling_period(s, (enum an_figure)figure, &period, &range);
    return 1.5 * period > s->c->stop.window && range > limit;
}

/* Lines of so many windows, or as many as the record has room for. */
static int lines_of(const struct an_solver *s, int windows)
{
    const int lines = windows * (an_settling_window(s) - 1) + 1;
    return lines < AN_STOP_SAMPLES ? lines : AN_STOP_SAMPLES;
}

int an_stop_would_hold(const struct an_solver *s, int held, int mixes)
{
    const struct an_case *c = s->c;
    double limit[AN_NFIGURE];
    int window = an_settling_window(s);
    if (!an_case_has_stop(c) || an_settling_lines(s) < window)
        return 0;
    if (mixes && an_settling_above_least(s, AN_FIGURE_TURBULENCE, (window + 2) / 3) > AN_STOP_RISES)
        return 0;
    if (held && an_settling_falls(s, window) < AN_STOP_FALLS)
        window = lines_of(s, AN_STOP_HELD);
    if (an_settling_lines(s) < window)
        return 0;
    if (c->stop.turbulence > 0 && !(an_settling_turbulence(s) <= c->stop.turbulence))
        return 0;
    limits(c, limit);
    for (int n = 0; n < AN_NFIGURE; n++)
        if (limit[n] > 0 && has_meaning(s, n, window) &&
            (!(an_settling_moves(s, (enum an_figure)n, window) <= limit[n]) ||
             !(an_settling_ahead(s, (enum an_figure)n, window) <= AN_STOP_AHEAD * limit[n]) ||
             swings_beyond(s, n, limit[n])))
            return 0;
    return 1;
}

int an_stop_holds(const struct an_solver *s)
{
    return an_stop_would_hold(s, an_accel_holds(s, s->c->stop.window), an_accel_mixes(s));
}

static int is_residual(int figure)
{
    return figure == AN_FIGURE_RESIDUAL || figure == AN_FIGURE_TURBULENCE;
}

int an_stop_is_still(const struct an_solver *s)
{
    const double enough = 0.1; /* of the largest residual of the turbulence */
    const int window = an_settling_window(s);
    if (an_settling_lines(s) < window)
        return 1;
    if (an_settling_turbulence(s) > enough)
        return 0;
    for (int n = 0; n < AN_NFIGURE; n++)
        if (!is_residual(n) &&
            (an_settling_moves(s, (enum an_figure)n, window) > AN_SETTLED_MOVES ||
             swings_beyond(s, n, AN_SETTLED_MOVES)))
            return 0;
    return 1;
}

int an_stop_stands(const struct an_solver *s)
{
    const int n = lines_of(s, AN_STOP_STANDS);
    double limit[AN_NFIGURE];
    int some = 0;
    if (an_settling_lines(s) < n || !an_settling_is_stalled(s, n))
        return 0;
    limits(s->c, limit);
    for (int f = 0; f < AN_NFIGURE; f++) {
        const double moves = an_settling_moves(s, (enum an_figure)f, n);
        if (is_residual(f) || !an_settling_has(s, (enum an_figure)f, n))
            continue;
        if (!(moves <= (limit[f] > 0 ? limit[f] : AN_SETTLED_MOVES)))
            return 0;
        some = 1;
    }
    return some;
}

int an_stop_check(const struct an_solver *s)
{
    const struct an_case *c = s->c;
    int open = 0, walls = 0;
    if (!an_case_has_stop(c))
        return AN_OK;
    for (int b = 0; b < s->mesh->topology.nboundary; b++) {
        const enum an_bc_type type = (enum an_bc_type)s->boundary[b].type;
        open += an_bc_type_has(type, AN_BC_PASSES);
        walls += type == AN_BC_WALL_VISCOUS || type == AN_BC_WALL_SLIP;
    }
    AN_CHECK(c->stop.force <= 0 || walls, AN_INPUT,
             "%s: 'stop.force': there is no wall, so the rule would never hold; leave it out",
             c->file);
    if (c->stop.mass_flow <= 0 && c->stop.pressure_ratio <= 0 && c->stop.efficiency <= 0)
        return AN_OK;
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
    AN_CHECK(an_solver_is_rotating(s), AN_INPUT,
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

/* The figures that a run is made for, over the lines of the table: residuals of the density and of the
 * turbulence, mass flow, pressure ratio, efficiency, loss, forces. The record holds the last
 * AN_STOP_SAMPLES lines and is part of snapshots; where these would not span stop.window iterations,
 * it holds every n-th line (an_settling_every). Rules on the figures are in stop.h.
 *
 *     moves ...... of a figure: its largest minus its smallest value over the last stop.window iterations,
 *                  divided by the scale of the figure. Scales: for mass flow and pressure ratio the size of
 *                  the mean over these lines; for forces the size of the total force; for the friction the
 *                  mean, but at least AN_LEAST_FRICTION of the total force; for torque and
 *                  power of the walls the size of the mean, but at least AN_LEAST_LOADING of mass flow times
 *                  the square of the tip speed, because a windmilling row has a power near zero;
 *                  efficiency, loss, coefficients and logarithms of residuals count as they are
 *     swings ..... the flow neither settles nor drifts. Over the last half of the record or more each
 *                  figure either stands still, or swings about a mean that stays with an amplitude
 *                  that stays (an_swing_stays); or the figures that move have a clear period in
 *                  common and repeat it (an_swing_repeats). The mean of the residual's logarithm
 *                  stays within 0.3 decades, by thirds of these lines. Where no figure moves, the residual
 *                  alone swings
 *
 * None of the functions is collective; all ranks call them with the same figures.
 */
#ifndef AN_SOLVER_SETTLING_H
#define AN_SOLVER_SETTLING_H

struct an_solver;
struct an_component_type;

enum an_figure {
    AN_FIGURE_MASS_FLOW, /* kg/s, mean of in and out */
    AN_FIGURE_PRESSURE_RATIO,
    AN_FIGURE_EFFICIENCY,
    AN_FIGURE_LOSS,
    AN_FIGURE_FORCE_X, /* N, of all walls */
    AN_FIGURE_FORCE_Y,
    AN_FIGURE_FORCE_Z,
    AN_FIGURE_FRICTION, /* N, size of the friction on all walls; where nothing turns */
    AN_FIGURE_TORQUE,   /* N m, of all walls; without rows */
    AN_FIGURE_POWER,    /* W, of all walls that turn; with rows */
    AN_FIGURE_LIFT,     /* coefficients (solver/monitor/forces.h) */
    AN_FIGURE_DRAG,
    AN_FIGURE_MOMENT,
    AN_FIGURE_RESIDUAL,   /* log10 of the density norm */
    AN_FIGURE_TURBULENCE, /* log10 of that of the first turbulence variable */
    AN_NFIGURE
};
/* As in run.json: "mass_flow_kg_s". */
const char *an_figure_name(enum an_figure f);

#define AN_SETTLED_MOVES 1e-3 /* a figure that moves by less stands still */
#define AN_LEAST_LOADING \
    0.1 /* work of a row over the square of its tip speed, for the scale of its power */
#define AN_LEAST_FRICTION 1e-4 /* friction over the total force, for the scale of the friction */

/* The part of every steady run that keeps the figures of the last lines. */
extern const struct an_component_type an_settling_component;

/* Adds the figures of a line of the table; NaN for those that the run does not have. scale: of power
 * (W) and torque (N m) at least; 0: none is known. */
void an_settling_note(struct an_solver *s, const double value[AN_NFIGURE], double power_scale,
                      double torque_scale);
/* Iterations in which an implicit march finds the mass flow that its boundaries let through. A row that
 * stalls may lose it soon after. */
enum { AN_SETTLING_START = 40 };
/* The mass flow of a line, kg/s, after the start of the march; the largest one is kept. Not kept in the first
 * AN_SETTLING_START iterations after a restart with other keys: this mass flow is still that of the snapshot. */
void an_settling_passes(struct an_solver *s, double mass_flow);
/* Forgets all lines: the flow takes up another setting. */
void an_settling_forget(struct an_solver *s);

/* Lines of the record. */
int an_settling_lines(const struct an_solver *s);
/* Iterations from a line of the record to the next: those between lines of the table, and more where
 * stop.window has more lines of the table than the record; three windows then fit into the record. */
int an_settling_every(const struct an_solver *s);
/* Lines of the record that stop.window iterations span, both ends included. */
int an_settling_window(const struct an_solver *s);
/* Does one of the last n lines, or of all where there are fewer, have the figure? */
int an_settling_has(const struct an_solver *s, enum an_figure figure, int n);
/* Largest minus smallest value of the last n lines, or of all lines where there are fewer, over the
 * figure's scale; NaN where one of these lines is without the figure, or there are fewer than two. */
double an_settling_moves(const struct an_solver *s, enum an_figure figure, int n);
/* How far a figure that creeps has still to go, over its scale: d q / (1 - q) where means of equal thirds of
 * the last n lines change by d / q and then by d, as a geometric series does; at most 9 d. 0 where they
 * change to and fro, or n < 6; NaN as of an_settling_moves. */
double an_settling_ahead(const struct an_solver *s, enum an_figure figure, int n);
/* Decades by which the residual of the density has fallen from the first to the last third of the last n lines, 3 <= n <=
 * an_settling_lines. */
double an_settling_falls(const struct an_solver *s, int n);
/* Decades by which the mean of a residual over the last n lines, 1 <= n <= an_settling_lines, lies above the least mean over n
 * lines of the record; NaN: the run does not have it. */
double an_settling_above_least(const struct an_solver *s, enum an_figure residual, int n);
/* Does the residual of the density neither fall nor rise over the last n lines, n >= 3? */
int an_settling_is_stalled(const struct an_solver *s, int n);
/* Period of a figure in iterations, and its largest minus its smallest value over a period, over its
 * scale; 0 and 0: there is no clear period. */
void an_settling_period(const struct an_solver *s, enum an_figure figure, double *period,
                        double *range);
/* Norm of the turbulence over its largest so far; NaN: no model. */
double an_settling_turbulence(const struct an_solver *s);

enum an_swings { AN_SWINGS_NOT, AN_SWINGS_PERIOD, AN_SWINGS_IRREGULAR, AN_SWINGS_RESIDUAL };

struct an_motion {
    int lines;                /* of the window; 0: there are fewer lines than the window has */
    double moves[AN_NFIGURE]; /* NaN: not a figure of this run, or no lines */
    enum an_figure most;      /* the one that moves most, residuals aside; AN_NFIGURE: none */
    double late;              /* the largest motion over the last third of all lines, but at most a
                               * window; 0: too few lines */
    double turbulence_drop;   /* norm over its largest so far; NaN: no model */
    double
        fell; /* part by which the mean mass flow of the last third of all lines lies below that of
                  * the first third, if that of the second lies between both; else 0 */
    double
        lost; /* part by which the mean mass flow of the last lines, a window or all there are, lies
                   * below the largest one given to an_settling_passes; NaN where there is none */
    enum an_swings swings;
    double period; /* iterations; 0: there is none */
    int stretch;   /* iterations over which the figures swing: mean and amplitude belong to them */
    double mean[AN_NFIGURE], amplitude[AN_NFIGURE]; /* NaN: nothing swings, or not a figure */
};
/* What still moves. */
void an_settling_find(const struct an_solver *s, struct an_motion *m);
/* Does the mass flow swing about a mean that stays, by at most this part of it to either side? Not collective. */
int an_motion_swings_by(const struct an_motion *m, double part);

#endif

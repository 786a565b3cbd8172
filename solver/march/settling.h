/* Has a steady flow settled? The figures that a run is made for are kept over the lines of the table:
 * residuals of the density and of the turbulence, mass flow, pressure ratio, efficiency, loss, forces.
 *
 *     moves ...... of a figure, over the last stop.window iterations: the size of the trend (the line of
 *                  least squares, from end to end) plus half of the swing about that line, over the scale
 *                  of the figure: its last value for mass flow, pressure ratio, torque and power, the
 *                  size of the total force for forces;
 *                  efficiency, loss and coefficients as they are
 *     swings ..... the period of the figure that swings most clearly (swing.h), residuals aside, and by
 *                  half of AN_SETTLED_MOVES at least; amplitude and mean of each figure over a period
 *     settled .... every figure moves by less than its rule, and none swings by more than the rule
 *                  with a period longer than the window / 1.5: a window within a swing shows next to
 *                  nothing of it
 *
 * None of the functions is collective; all ranks call them with the same figures.
 */
#ifndef AN_SOLVER_SETTLING_H
#define AN_SOLVER_SETTLING_H

struct an_solver;
struct an_part_type;

enum an_figure {
    AN_FIGURE_MASS_FLOW, /* kg/s, mean of in and out */
    AN_FIGURE_PRESSURE_RATIO,
    AN_FIGURE_EFFICIENCY,
    AN_FIGURE_LOSS,
    AN_FIGURE_FORCE_X, /* N, of all walls */
    AN_FIGURE_FORCE_Y,
    AN_FIGURE_FORCE_Z,
    AN_FIGURE_TORQUE, /* N m, of all walls; without rows */
    AN_FIGURE_POWER,  /* W, of all walls that turn; with rows */
    AN_FIGURE_LIFT,   /* coefficients (solver/monitor/forces.h) */
    AN_FIGURE_DRAG,
    AN_FIGURE_MOMENT,
    AN_FIGURE_RESIDUAL,   /* log10 of the density norm */
    AN_FIGURE_TURBULENCE, /* log10 of that of the first turbulence variable */
    AN_NFIGURE
};
/* As in run.json: "mass_flow_kg_s". */
const char *an_figure_name(enum an_figure f);

#define AN_SETTLED_MOVES 1e-3 /* without a rule of `stop`: most that a figure moves */

/* The part of every steady run that keeps the figures of the last lines. */
extern const struct an_part_type an_settling_part;

/* Adds the figures of a line of the table; NaN for those that the run does not have. */
void an_settling_note(struct an_solver *s, const double value[AN_NFIGURE]);
/* Forgets all lines: the flow takes up another setting. */
void an_settling_forget(struct an_solver *s);

struct an_motion {
    int lines;                /* of the window; 0: there are fewer lines than the window has */
    double moves[AN_NFIGURE]; /* NaN: not a figure of this run, or no lines */
    enum an_figure most;      /* that which moves most, residuals aside; AN_NFIGURE: none */
    double late;              /* the largest motion over the last third of all lines, but at most a
                               * window; 0: too few lines */
    double turbulence_drop;   /* norm over its largest so far; NaN: no model */
    double period;            /* iterations; 0: nothing swings */
    double swing;             /* largest amplitude over its scale, residuals aside */
    double mean[AN_NFIGURE], amplitude[AN_NFIGURE]; /* of the last period; NaN: as above */
};
/* What still moves. */
void an_settling_find(const struct an_solver *s, struct an_motion *m);

/* Do the rules stop.force (forces, torque and power), .lift, .drag, .moment and .turbulence hold, and does no figure of a rule of `stop` swing by
 * more than the rule with a period longer than the window / 1.5? 1 where no rule is on. */
int an_settling_allows(const struct an_solver *s);
/* Is a flow settled without rules of `stop`: does no figure move by more than `most`, and is the
 * residual of the turbulence below a tenth of its largest? 1 with too few lines to tell. */
int an_settling_is_still(const struct an_motion *m, const struct an_solver *s, double most);

#endif

/* Rules of `stop` on figures that settle: they hold over a number of lines of the table.
 *
 * Figures are mass flow (kg/s), pressure ratio and efficiency. None of the functions is collective;
 * all ranks call them with the same figures.
 */
#ifndef AN_SOLVER_STOP_H
#define AN_SOLVER_STOP_H

struct an_solver;
struct an_part_type;

/* The part of every run that keeps the figures of the last lines. */
extern const struct an_part_type an_stop_part;
/* Adds the figures of a line. */
void an_stop_note(struct an_solver *s, const double value[3]);
/* Forgets all lines: the flow takes up another setting. */
void an_stop_forget(struct an_solver *s);
/* Have the figures settled as the rules want it? 0 where no rule is on. */
int an_stop_settled(const struct an_solver *s);
/* Least and largest mass flow of the later half of the lines; returns how many lines there are. */
int an_stop_mass_flow(const struct an_solver *s, double *least, double *most);
/* How much the figures moved over the last stop.window iterations: largest less least value, of mass flow
 * and pressure ratio over their mean; NaN with fewer than two lines or without the figure. */
void an_stop_moved(const struct an_solver *s, double moved[3]);
/* AN_INPUT, in plain words, where a rule of `stop` could never hold: the case does not have the
 * figures. Boundaries and rows are known. */
int an_stop_check(const struct an_solver *s);

#endif

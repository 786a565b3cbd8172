/* Rules of `stop` on the figures of a run (settling.h), and what holds without rules.
 *
 *     limit ...... what a figure may move by over stop.window iterations (settling.h, moves)
 *     holds ...... every figure that has a limit moves by no more than that, does not swing by more
 *                  with a period longer than the window / 1.5 (a window within a swing shows next to
 *                  nothing of it), and the turbulence's residual has fallen as stop.turbulence wants
 *     is still ... without rules: the same with AN_SETTLED_MOVES for all figures, and a residual of the
 *                  turbulence below a tenth of its largest
 *     stands ..... the figures have been within their limits (without a rule: AN_SETTLED_MOVES) for
 *                  AN_STOP_STANDS windows, or as many lines as the record has room for, while the residual
 *                  of the density did not fall any more. More iterations will not change such a flow
 *
 * None of the functions is collective; all ranks call them with the same figures.
 */
#ifndef AN_SOLVER_STOP_H
#define AN_SOLVER_STOP_H

struct an_solver;

enum { AN_STOP_STANDS = 3 };

/* 0 where no rule is on. */
int an_stop_holds(const struct an_solver *s);
/* 1 with too few lines to tell. */
int an_stop_is_still(const struct an_solver *s);
int an_stop_stands(const struct an_solver *s);
/* AN_INPUT, in plain words, where a rule of `stop` could never hold: the case does not have the
 * figures. Boundaries and rows are known. */
int an_stop_check(const struct an_solver *s);

#endif

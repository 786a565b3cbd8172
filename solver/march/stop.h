/* Rules of `stop` on the figures of a run (settling.h), and what holds without rules.
 *
 *     limit ...... what a figure may move by over stop.window iterations (settling.h, moves)
 *     holds ...... every figure that has a limit moves by no more than that, has no farther to go than
 *                  AN_STOP_AHEAD of it (settling.h, ahead), does not swing by more
 *                  with a period longer than the window / 1.5 (a window within a swing shows next to
 *                  nothing of it), and the turbulence's residual has fallen as stop.turbulence wants.
 *                  Mixing of cycles can hold a flow near a state that is not its solution; the residual then
 *                  does not fall. So where cycles were mixed within the window, with a residual above
 *                  rounding that has fallen by less than AN_STOP_FALLS decades from the first to the last third
 *                  of the window, the figures have to keep their limits for AN_STOP_HELD windows. While cycles
 *                  are mixed, rounding or not, the turbulence's residual must not stand more than AN_STOP_RISES
 *                  decades above the lowest of the record, means over a third of a window: a flow that mixing holds for a
 *                  while and that leaves later shows this first
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

enum { AN_STOP_HELD = 2, AN_STOP_STANDS = 3 };
#define AN_STOP_AHEAD 0.5
#define AN_STOP_FALLS 0.2
#define AN_STOP_RISES 0.2

/* 0 where no rule is on. */
int an_stop_holds(const struct an_solver *s);
/* The same for a run whose cycles were mixed within the window while the change was above rounding (held: 1), and are
 * mixed at present (mixes: 1). */
int an_stop_would_hold(const struct an_solver *s, int held, int mixes);
/* 1 with too few lines to tell. */
int an_stop_is_still(const struct an_solver *s);
int an_stop_stands(const struct an_solver *s);
/* AN_INPUT, in plain words, where a rule of `stop` could never hold: the case does not have the
 * figures. Boundaries and rows are known. */
int an_stop_check(const struct an_solver *s);

#endif

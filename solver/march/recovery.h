/* A steady implicit march that diverges goes back and on with more caution; one that stalls goes on
 * with more.
 *
 *     keep ......... now and then: the present state into the host's memory, beside the one before
 *     back ......... after a divergence: the older of both again, half the Courant number (but
 *                    not below that of the first iteration), a ramp from there; the number of
 *                    iterations stays, so that history.csv does not go back
 *     begin ........ a new flow begins (a point of a map): what was kept is forgotten, the ramp
 *                    begins again, and half of the caution is given up
 *     note ......... the residual of a line of the table. Where it has stopped falling, a quarter
 *                    of the Courant number is left, down to march.cfl_min
 *
 * It has stopped: windows of march.cfl_window iterations follow each other, and the least residual
 * of one has to be a tenth below the least before it, at the same Courant number. Not while the
 * ramp lasts, nor where the residual is down to rounding. The lower number holds for steps from
 * later iterations than the line's: one may be on its way when the line is read.
 *
 * The older state: what diverges has grown for a while, and the newer one may have it already. The
 * run has failed when AN_RECOVERIES such tries have. Caution and the ramp are part of the record of
 * a snapshot; what is kept is not, so a restart that diverges goes back to where it started.
 */
#ifndef AN_SOLVER_RECOVERY_H
#define AN_SOLVER_RECOVERY_H

#include <stdint.h>

struct an_solver;
struct an_part_type;

enum { AN_RECOVERIES = 4, AN_RECOVERY_EVERY = 50 };

/* The part of a steady implicit run. */
extern const struct an_part_type an_recovery_part;
/* The functions below are collective and do nothing in other runs. */
/* Keeps the state if that is due. */
int an_recovery_keep(struct an_solver *s);
/* After AN_DIVERGED: *back: 1, or 0 where nothing is left to go back to. */
int an_recovery_back(struct an_solver *s, int *back);
/* ramp: a ramp of the Courant number from here on. */
void an_recovery_begin(struct an_solver *s, int ramp);
/* residual: of the density, of the present state; drop: the same over the largest. 1: the Courant
 * number is lower from the next step but one on. Not collective: the same on all ranks. */
int an_recovery_note(struct an_solver *s, int64_t iteration, double residual, double drop);

#endif

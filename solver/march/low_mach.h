/* Whether the dissipation is that for low Mach numbers (kernels/physics/low_mach.h), whether the equations are
 * preconditioned, as they are in steady marches but for scree, and the least speed that both reckon with.
 *
 * This speed is the largest that the case lets one expect: of the far field, of the lossless expansion
 * from the highest total pressure of the inlets to the lowest pressure of the outlets, and of the tip
 * of the rows. `scheme.low_mach: auto` is on if it is below AN_TUNE_LOW_MACH, or AN_TUNE_PRECONDITION where the
 * equations are preconditioned, times the speed of sound. */
#ifndef AN_SOLVER_LOW_MACH_H
#define AN_SOLVER_LOW_MACH_H

#include <stdio.h>

struct an_solver;

/* Sets the parameters of all levels of a solver whose levels have their nodes. AN_INPUT where
 * scheme.low_mach is on and nothing says the speed. Collective. */
int an_low_mach_set(struct an_solver *s);
/* A line where it is on, or should be, and one where the precision is too low. Not collective. */
void an_low_mach_print(const struct an_solver *s, FILE *out);

#endif

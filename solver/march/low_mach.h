/* Decides whether the dissipation is that for low Mach numbers (kernels/physics/low_mach.h), whether the equations
 * are preconditioned (in steady marches except scree), and finds the expected speed U_ref, below which the flow speed
 * in these formulas does not fall.
 *
 * U_ref is the largest speed that the case lets one expect: that of the far field, of the lossless expansion from the
 * highest total pressure of the inlets to the lowest pressure of the outlets, and of the tip of the rows.
 * `scheme.low_mach: auto` is on if U_ref over the speed of sound is below AN_TUNE_PRECONDITION in steady marches
 * except scree, and below AN_TUNE_LOW_MACH in all others. Steady marches with turbulence.transition gamma or
 * gamma_re_theta count among the others: only scheme.low_mach: on preconditions them. */
#ifndef AN_SOLVER_LOW_MACH_H
#define AN_SOLVER_LOW_MACH_H

#include <stdio.h>

struct an_case;
struct an_solver;

/* Will the march of a case without rows be preconditioned? 0 for cases with rows, whose speed only the mesh tells. */
int an_low_mach_planned(const struct an_case *c);

/* Sets the parameters of all levels of a solver whose levels have their nodes. AN_INPUT where
 * scheme.low_mach is on and nothing says the speed. Collective. */
int an_low_mach_set(struct an_solver *s);
/* Prints a line if the method is on, or is off and should be on, and a line if the precision is too low for the
 * Mach number. Not collective. */
void an_low_mach_print(const struct an_solver *s, FILE *out);

#endif

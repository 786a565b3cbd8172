/* Inlets with spanwise profiles (bc/profile.h): each face takes the values at its own centre. */
#ifndef AN_SOLVER_INLETS_H
#define AN_SOLVER_INLETS_H

struct an_solver;
struct an_part_type;

/* The part of a run that checks all inlets, reads the profiles of the case and sets the values of
 * the faces. It acts after the face values. AN_INPUT, in plain words: a file that cannot be used, a
 * profile that does not cover its inlet or points out of it. */
extern const struct an_part_type an_inlets_part;

#endif

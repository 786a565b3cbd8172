/* Inlets with profiles over the span, the angle and the time (bc/profile.h): each face takes the values
 * at its own centre.
 *
 * A pattern around the axis turns with profile_omega and stood as in its file at the time zero, when the
 * rows stood as meshed. Implicit steps in time have the values at their end, explicit ones those at their
 * middle. */
#ifndef AN_SOLVER_INLETS_H
#define AN_SOLVER_INLETS_H

struct an_case_boundary;
struct an_solver;
struct an_part_type;

/* The part of a run that checks all inlets, reads the profiles of the case and sets the values of
 * the faces. It acts after the face values. AN_INPUT, in plain words: a file that cannot be used, a
 * profile that does not cover its inlet or points out of it. */
extern const struct an_part_type an_inlets_part;

/* The values become those of a time, s: before a step. Not collective. */
int an_inlets_set_time(struct an_solver *s, double time);

/* Does a flow in this direction enter through a face of the outward area s? A face without an area, as
 * faces on the axis are, lets nothing through, and every direction will do. */
int an_inlet_enters(const double direction[3], const double s[3]);

#endif

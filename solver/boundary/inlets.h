/* Inlets with profiles over the span, the angle and the time (bc/profile.h): each face takes the values
 * at its own centre.
 *
 * A pattern around the axis turns with profile_omega and stood as in its file at the time zero, when the
 * rows stood as meshed. Implicit steps in time have the values at their end, explicit ones those at their
 * middle. */
#ifndef AN_SOLVER_INLETS_H
#define AN_SOLVER_INLETS_H

#include "bc/profile.h"

struct an_case_boundary;
struct an_solver;
struct an_component_type;

/* The part of a run that checks all inlets, reads the profiles of the case and sets the values of
 * the faces. It acts after the face values. AN_INPUT, in plain words: a file that cannot be used, a
 * profile that does not cover its inlet or points out of it. */
extern const struct an_component_type an_inlets_component;

/* The values become those of a time, s: before a step. Not collective. */
int an_inlets_set_time(struct an_solver *s, double time);

/* The profile that the case gives to an inlet; NULL: none. Not collective. */
const struct an_profile *an_inlets_profile(const struct an_solver *s,
                                           const struct an_case_boundary *b);
/* Total conditions of an inlet, Pa and K: those of its keys, or of a line of its profile. */
struct an_inlet_total {
    double p0, T0;
    int line; /* of the profile's file; 0: p0 is that of the key */
};
/* How many an inlet has, and one of them. Not collective. */
int an_inlets_count(const struct an_solver *s, const struct an_case_boundary *b);
struct an_inlet_total an_inlets_total(const struct an_solver *s, const struct an_case_boundary *b,
                                      int n);
/* The one with the highest total pressure. Not collective. */
struct an_inlet_total an_inlets_highest(const struct an_solver *s,
                                        const struct an_case_boundary *b);
/* The largest angle between the direction that the keys give to an inlet, and the normal of its faces, degrees; NaN: its
 * direction varies, or the normals of its faces have no mean. Not collective. */
double an_inlets_angle(const struct an_solver *s, const struct an_case_boundary *b);
/* Where the user gave a value: "boundaries.inlet.p0", or "wake.csv:7: p0_Pa" for line 7 of the profile.
 * text[size]. Returns text. */
const char *an_inlets_place(const struct an_case_boundary *b, enum an_profile_column column,
                            const char *key, int line, char *text, size_t size);

/* Does a flow in this direction enter through a face of the outward area s? A face without an area, as
 * faces on the axis are, lets nothing through, and every direction will do. */
int an_inlet_enters(const double direction[3], const double s[3]);

#endif

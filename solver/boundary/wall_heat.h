/* Viscous walls whose temperature or heat flux is a profile over the surface (bc/wall_profile.h): each face takes the
 * value at its own centre. The values are set once, so that a restart goes on with the same ones. */
#ifndef AN_SOLVER_WALL_HEAT_H
#define AN_SOLVER_WALL_HEAT_H

#include "bc/wall_profile.h"

struct an_case_boundary;
struct an_solver;
struct an_component_type;

/* The part of a run that reads the profiles of walls and sets the values of their faces. It acts after the face values.
 * AN_INPUT: a file that cannot be used, or a temperature beyond the gas table. */
extern const struct an_component_type an_wall_heat_component;

/* The profile that the case gives to a wall; NULL: none. Not collective. */
const struct an_wall_profile *an_wall_heat_profile(const struct an_solver *s,
                                                   const struct an_case_boundary *b);
/* Part of the area of the walls that a boundary of the case names which lies beyond the ends of the profile, where the
 * values of its ends hold: the largest of these walls. Not collective. */
double an_wall_heat_outside(const struct an_solver *s, const struct an_case_boundary *b);
/* Largest arc length of the profile of a wall, where it gives them in m, over that of its side of the blade at mid-span, the
 * largest of the walls; NaN: no such profile. Not collective. */
double an_wall_heat_beyond(const struct an_solver *s, const struct an_case_boundary *b);
/* Arc length from the leading edge at a point x, m, of a boundary of the mesh whose profile has places on a blade: > 0 on the
 * suction side, < 0 on the pressure side. 1: found; 0: the boundary has no such profile. Not collective. */
int an_wall_heat_arc(const struct an_solver *s, int boundary, const double x[3], double *arc);

#endif

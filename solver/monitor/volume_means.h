/* Means over the volume of the whole mesh (monitors.volume): how much energy a turbulent flow in a box
 * has left. Sums are exact: the same, bit for bit, on any number of ranks. */
#ifndef AN_SOLVER_VOLUME_MEANS_H
#define AN_SOLVER_VOLUME_MEANS_H

struct an_solver;
struct an_component_type;

/* The part of a run whose case has monitors.volume: on. */
extern const struct an_component_type an_volume_means_component;
/* Of the last measurement, [AN_NVOLUME] (io/history.h), NaN before; NULL: the case does not want them. Not
 * collective. */
const double *an_volume_means_of(const struct an_solver *s);

#endif

/* Probes of unsteady runs: the values of the cells nearest to given points, after every step.
 *
 * The case names the points (probes.NAME.point, m, at rest in the zone). The nearest cell is that with the
 * nearest centre; of several the one of the first zone and index, so that the number of ranks does not
 * matter. Rows are kept in memory and join probes.h5 in the output folder (io/probe_file.h) beside each
 * snapshot, so that a restart from a snapshot goes on where the file ends. */
#ifndef AN_SOLVER_PROBES_H
#define AN_SOLVER_PROBES_H

#include "solver/level/component.h"

/* The part of an unsteady run whose case has probes. */
extern const struct an_component_type an_probes_component;

#endif

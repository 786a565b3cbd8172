/* Forces on the slip walls of a run, summed over each boundary. The force on a face is its flux of
 * momentum, which holds the pressure that the scheme finds at the wall, plus the reference pressure
 * times the area. Sums are exact (kernels/base/xsum.h): the same, bit for bit, on any number of ranks.
 */
#ifndef AN_SOLVER_SLIP_WALLS_H
#define AN_SOLVER_SLIP_WALLS_H

#include "solver/monitor/plane_faces.h"
#include "solver/monitor/walls.h"

struct an_slip_walls {
    struct an_plane_faces faces; /* of this rank */
    struct an_wall_sum
        *sum;         /* [nboundary] of the last measurement, zero but on slip walls; owned */
    int64_t measured; /* iteration of the last measurement, -1: none */
};

/* The part of a run that has slip walls. */
extern const struct an_component_type an_slip_walls_component;
/* NULL: there are no slip walls. */
struct an_slip_walls *an_slip_walls_of(const struct an_solver *s);

#endif

/* The intermittency of SST with transition (field INTER; kernels/physics/intermittency.h), on the finest level.
 *
 * The step follows that of the turbulence, whose variables and eddy viscosity it leaves as they are: ghosts of
 * INTER at boundaries, then sweeps along lines and across them, or stages, as those of the turbulence
 * (turbulence.h). Coarse levels know nothing of it. INTER of the cells belongs to the state. All functions are
 * collective, and do nothing without this model. */
#ifndef AN_SOLVER_INTERMITTENCY_H
#define AN_SOLVER_INTERMITTENCY_H

#include "solver/level/level.h"

/* INTER of the cells at the start: that of laminar layers. */
int an_intermittency_initial(struct an_solver *s);
/* Ghosts of INTER, from W with valid ghosts and INTER of the cells. */
int an_intermittency_refresh(struct an_solver *s);
/* One step. unsteady: explicit march in time, one sweep. */
int an_intermittency_step(struct an_solver *s, int unsteady);
/* Dual time: as an_turbulence_guess. */
int an_intermittency_guess(struct an_solver *s);

#endif

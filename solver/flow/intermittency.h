/* The intermittency of SST with transition (field INTER; kernels/physics/intermittency.h), on the finest level. With
 * gamma-Re_theta (kernels/physics/re_theta.h) intermittency and Re_theta are transported in LM, and INTER is the
 * effective intermittency that the last residual of LM found: the factor of the next step of the turbulence.
 *
 * The step follows that of the turbulence, whose variables and eddy viscosity it leaves as they are: ghosts of
 * INTER at boundaries, then sweeps along lines and across them, or stages, as those of the turbulence
 * (turbulence.h). Coarse levels know nothing of it. INTER and LM of the cells belong to the state. All functions are
 * collective, and do nothing without this model. */
#ifndef AN_SOLVER_INTERMITTENCY_H
#define AN_SOLVER_INTERMITTENCY_H

#include "solver/level/level.h"

/* Variables that it transports: 0 without a model, 1, 2. */
int an_intermittency_variables(const struct an_solver *s);
/* INTER and LM of the cells at the start: the intermittency of laminar layers, Re_theta of what flows in. */
int an_intermittency_initial(struct an_solver *s);
/* Ghosts of INTER or LM, from W and TURB with valid ghosts and INTER or LM of the cells. */
int an_intermittency_refresh(struct an_solver *s);
/* One step. unsteady: explicit march in time, one sweep. */
int an_intermittency_step(struct an_solver *s, int unsteady);
/* Dual time: as an_turbulence_guess. */
int an_intermittency_guess(struct an_solver *s);

#endif

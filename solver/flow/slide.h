/* Sliding planes of a level: ghost cells from the row on the other side, and equal fluxes on both
 * sides (kernels/physics/slide.h has the formulas).
 *
 *     gather     each rank writes the states beside its faces into its part of one array
 *     share      every rank with faces receives the parts of all others (an_halo_share_new)
 *     ghosts     each rank computes its ghost cells from the whole array
 *
 * The same three steps make the fluxes of both sides equal on the finest level. Each ghost cell and
 * each flux is computed by its owner from the same numbers in the same order, so the bits do not
 * depend on the ranks. All steps may be recorded; the angle between the sides is read from the
 * memory of the engine.
 */
#ifndef AN_SOLVER_SLIDE_H
#define AN_SOLVER_SLIDE_H

#include "kernels/engine/engine.h"

struct an_solver;
struct an_level;
struct an_halo;

struct an_slide {
    struct an_faces *faces; /* of this rank; number `first` of its windows: that in the arrays */
    void *state, *flux;     /* engine: SLIDE; SLIDE_FLUX, on the finest level */
    void *map;              /* engine: SLIDE_MAP */
    void *const *turn;      /* engine: SLIDE_TURN of the time that is being computed */
    struct an_halo *share_state, *share_flux;
};

/* Fills the ghost cells of `state`, and those of TURB where the level has it, behind the sliding
 * planes of a level. Collective; does nothing where there are none. */
int an_level_slide(struct an_solver *s, struct an_level *l, void *state);
/* Makes the fluxes through the sliding planes the same on both sides, in the residual R of `state`
 * of the finest level; convective and viscous fluxes are in R. Collective. */
int an_level_slide_fluxes(struct an_solver *s, struct an_level *l, void *state);

#endif

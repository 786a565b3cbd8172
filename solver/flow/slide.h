/* Sliding planes and abutting interfaces of a level: ghost cells from the cells on the other side, and
 * equal fluxes on both sides (kernels/physics/slide.h and bc/abut.h have the formulas).
 *
 *     gather     each rank writes the states beside its faces into its part of one array
 *     share      every rank with faces receives the parts of all others (an_halo_share_new)
 *     ghosts     each rank computes its ghost cells from the whole array
 *
 * The same three steps make the fluxes of both sides equal on the finest level. Each ghost cell and
 * each flux is computed by its owner from the same numbers in the same order, so the bits do not
 * depend on the ranks. All steps may be recorded; the angle between the sides is read from the
 * memory of the engine.
 *
 * A phase-lagged plane takes what its part has computed at the start of the time step
 * (solver/boundary/phase_lag.h) in place of the present values of the other side.
 */
#ifndef AN_SOLVER_SLIDE_H
#define AN_SOLVER_SLIDE_H

#include "kernels/engine/engine.h"

struct an_solver;
struct an_level;
struct an_halo;

enum { AN_SLIDE_APART = 6 };

struct an_slide {
    enum an_stencil ghost, correct; /* slide_ghost, slide_correct; abut_ghost, abut_correct */
    struct an_faces *faces; /* of this rank; number `first` of its windows: that in the arrays */
    int napart;             /* the same faces in sets in which each cell has one face at most */
    struct an_faces *apart[AN_SLIDE_APART];
    void *state, *flux; /* engine: SLIDE; SLIDE_FLUX, on the finest level */
    void *map;          /* engine: SLIDE_MAP */
    void *const *turn;  /* engine: SLIDE_TURN of the time that is being computed; NULL: none */
    void *given; /* engine: LAG_GIVEN of a phase-lagged plane (lag_slide.stencil); NULL: none */
    int known;   /* phase lag: what is given: 0 nothing yet, 1 states, 2 fluxes, too */
    struct an_halo *share_state, *share_flux;
    struct an_slide *next; /* others of the level */
};

/* Makes the faces, arrays and exchanges of *slide on a level and adds it to the level. The windows are
 * those of this rank; first[nrank + 1] is the number of the first face of each rank, and is changed.
 * apart: one set of faces for each direction and side, else one for all. Collective. */
int an_slide_make(struct an_solver *s, struct an_level *l, struct an_slide *slide, int apart,
                  int64_t nmap, const double *map, int64_t *first, int nwindow,
                  const struct an_face_window *window);
/* Frees what an_slide_make has made of a zeroed *slide. */
void an_slide_unmake(struct an_solver *s, struct an_slide *slide);

/* Brings the present states inside the faces of all ranks to the array SLIDE. Collective. */
int an_slide_gather(struct an_solver *s, struct an_level *l, struct an_slide *slide, void *state);
/* The same of the fluxes, to the array SLIDE_FLUX; spectral radii and gradients are those of `state`. */
int an_slide_gather_fluxes(struct an_solver *s, struct an_level *l, struct an_slide *slide,
                           void *state);

/* Fills the ghost cells of `state`, and those of TURB where the level has it, behind the sliding
 * planes and abutting interfaces of a level. Collective; does nothing where there are none. */
int an_level_slide(struct an_solver *s, struct an_level *l, void *state);
/* Makes the fluxes through them the same on both sides, in the residual R of `state`
 * of the finest level; convective and viscous fluxes are in R. Collective. */
int an_level_slide_fluxes(struct an_solver *s, struct an_level *l, void *state);

#endif

/* The residual of a level and what it needs: ghost cells, exchanges, gradients, eddy viscosity,
 * sums over boundary faces. All functions are collective unless they say otherwise.
 */
#ifndef AN_SOLVER_FLOW_H
#define AN_SOLVER_FLOW_H

#include "solver/level/level.h"

/* A cell stencil whose results other ranks wait for. */
struct an_sending {
    enum an_stencil stencil;
    const struct an_level *other; /* as of run_between; NULL: run */
    struct an_fields fields;
    struct an_halo *halo;
    int nfield;
    struct an_halo_field field[AN_HALO_MAX_FIELD]; /* what is exchanged */
};
/* Runs it on all cells of a level and exchanges what it wrote: cells that are sent first, and,
 * where the level is split, the others while the copies travel. */
int an_level_send(struct an_solver *s, struct an_level *l, const struct an_sending *x);

/* Ghosts of a state of a level: from neighbours and boundaries. */
int an_level_ghosts(struct an_solver *s, struct an_level *l, void *state);
/* The same of those behind boundaries alone. */
int an_level_ghost_faces(struct an_solver *s, struct an_level *l, void *state);
/* A stencil that writes the state `state` of a level, then its ghosts. other: as of an_sending. */
int an_level_state(struct an_solver *s, struct an_level *l, enum an_stencil stencil,
                   const struct an_level *other, const struct an_fields *f, void *state);
/* Time step DT and spectral radii LAM, ghosts included, of the state W of a level. red: as of
 * `timestep`, NULL: not wanted. */
int an_level_radii(struct an_solver *s, struct an_level *l, struct an_reduction *red);
/* The residual of `state` (ghosts valid, LAM of the step) into field R: fluxes of all equations
 * that are on, less the level's SOURCE, if it has that field, and on coarse levels the forcing. */
int an_level_residual(struct an_solver *s, struct an_level *l, void *state);

/* Viscous runs: vectors between centres and fields of a level whose faces stand. Not collective. */
int an_level_viscous_new(struct an_solver *s, struct an_level *l);
/* Gradients of `state` (ghosts valid) into GRAD, ghosts included. */
int an_level_gradient(struct an_solver *s, struct an_level *l, void *state);
/* The same for a stencil that writes the state, and MUT of the cells, which is there already: both
 * travel in one message. */
int an_level_state_with_eddy(struct an_solver *s, struct an_level *l, enum an_stencil stencil,
                             const struct an_level *other, const struct an_fields *f, void *state);
/* MUT of all ghost cells; with wall functions from UTAU of the ghost cells. */
int an_level_eddy_ghosts(struct an_solver *s, struct an_level *l);
/* A stencil that writes MUT of a level, then its ghosts. other: as of an_sending. */
int an_level_eddy(struct an_solver *s, struct an_level *l, enum an_stencil stencil,
                  const struct an_level *other, const struct an_fields *f);
/* Viscous fluxes of `state` are added to R, in two parts: what comes between them and does not
 * touch GRAD, the other fluxes say, hides the exchange of gradients. GRAD is that of
 * an_level_gradient next to faces of blocks and in ghosts, elsewhere left to the engine. to: NULL;
 * or a stage's new state, W0 - alpha DT R, W0 the state W of the level, whose interior is written
 * in the same go; R is lost. */
int an_level_viscous_start(struct an_solver *s, struct an_level *l, void *state);
int an_level_viscous_finish(struct an_solver *s, struct an_level *l, void *state, void *to);

/* Results of a stencil on faces, in field memory of its own that stands for `slot`, on their way to
 * a page-locked image of n values; what came, as double, once the engine was collected. Not
 * collective. */
int an_face_results_start(struct an_solver *s, enum an_stencil stencil, enum an_field slot,
                          struct an_faces *faces, void *field, void *image, int64_t n);
void an_face_results_take(const struct an_solver *s, const void *image, int64_t n, double *value);
/* Sums of boundary_integral, by boundary, over some faces of the state W and its radii, without
 * friction. total[nboundary]. */
int an_solver_integrate(struct an_solver *s, struct an_faces *faces, double (*total)[AN_NINTEGRAL]);

#endif

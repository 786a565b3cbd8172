/* The residual of a level and what it needs: ghost cells, exchanges, gradients, eddy viscosity,
 * sums over boundary faces. All functions are collective unless they say otherwise.
 */
#ifndef AN_SOLVER_FLOW_H
#define AN_SOLVER_FLOW_H

#include "solver/level/level.h"

/* A stencil on cells whose results other ranks need. */
struct an_sending {
    enum an_stencil stencil;
    const struct an_level *other; /* second level of a stencil between levels; NULL: none */
    struct an_fields fields;
    struct an_halo *halo;
    int nfield;
    struct an_halo_field field[AN_HALO_MAX_FIELD]; /* what is exchanged */
    enum an_stencil ghosts;               /* fills the ghosts of a field behind boundaries */
    const struct an_fields *ghost_fields; /* its fields; NULL: no ghosts behind boundaries */
};
/* Runs the stencil on all cells of a level and fills the ghosts of the fields it wrote. Where the
 * level is split, cells that other ranks need are computed first, and the others while the copies
 * travel. */
int an_level_send(struct an_solver *s, struct an_level *l, const struct an_sending *x);
/* Between an_halo_start and an_halo_finish: fills the ghosts behind blocks of this rank and, by the
 * face stencil, those behind boundaries. Boundaries do not wait for other ranks. */
int an_level_near_ghosts(struct an_solver *s, struct an_level *l, struct an_halo *halo,
                         enum an_stencil stencil, const struct an_fields *f, int stream);
/* Ends an exchange, with the ghosts behind boundaries: an_level_near_ghosts and an_halo_finish, or where a
 * block is one cell thick between neighbours, whose second cell is a ghost, the one after the other. */
int an_level_finish(struct an_solver *s, struct an_level *l, struct an_halo *halo,
                    enum an_stencil stencil, const struct an_fields *f);
/* When all first ghosts of a field are valid: its second ghosts behind blocks one cell thick, which an exchange
 * does not bring (halo.h). Does nothing on meshes without such blocks. Stencils of reach 1 need no second
 * ghosts. */
int an_level_second(struct an_level *l, void *field, int ncomp, int vector);
/* The ghosts of a state whose exchange is over and whose ghosts behind boundaries are filled: those behind
 * planes that slide, second ones behind blocks one cell thick, and EOS of all ghosts that hold a state from elsewhere. */
int an_level_complete(struct an_solver *s, struct an_level *l, void *state);
/* Fills all first ghosts of a field, and second ones but those that an_level_second brings; vector: as of
 * an_halo_start. */
int an_level_fill(struct an_solver *s, struct an_level *l, void *field, int ncomp, int vector,
                  enum an_stencil stencil, const struct an_fields *f);

/* Stored properties of the state W of f and its ghost cells, which are valid, into the field EOS of f; nothing for a gas
 * with constant cp. All functions below that finish a state do so for the level's own EOS, where ghost cells behind
 * boundaries have the properties of the state that ghost_fill.stencil found, which differ from these by rounding.
 * Not collective. */
int an_level_eos(struct an_solver *s, struct an_level *l, const struct an_fields *f);
/* Fills the ghost cells of a state of a level from neighbours and boundaries. */
int an_level_ghosts(struct an_solver *s, struct an_level *l, void *state);
/* Runs a stencil that writes the state `state` of a level, then fills its ghost cells. other: as in
 * struct an_sending. */
int an_level_state(struct an_solver *s, struct an_level *l, enum an_stencil stencil,
                   const struct an_level *other, const struct an_fields *f, void *state);
/* Computes time step DT and spectral radii LAM, ghost cells included, of the state W of a level.
 * red: gets the reduction of stencil `timestep`; NULL: not wanted. */
int an_level_radii(struct an_solver *s, struct an_level *l, struct an_reduction *red);
/* Computes the residual of `state`, whose ghost cells are valid, into field R with the spectral
 * radii LAM of the step: convective and, in viscous runs, viscous fluxes, less the sources of
 * field SOURCE and, on coarse levels, the forcing. */
int an_level_residual(struct an_solver *s, struct an_level *l, void *state);
/* The same for a later stage of an implicit step. Where the level keeps the viscous part of a residual (viscous_force), it
 * stands for that of `state`: a steady flow is the same, and the step damps viscous modes as well. Not
 * with sliding planes, whose faces take their own viscous fluxes back. */
int an_level_later_residual(struct an_solver *s, struct an_level *l, void *state);
/* an_level_radii, then an_level_residual, of the state W of the level; gradients along block faces are
 * found beside both. */
int an_level_radii_and_residual(struct an_solver *s, struct an_level *l);

/* Dual time: as an_level_residual, and adds the forcing and the physical time derivative of the state
 * W of the level, which is that at the start of its stages. share: part of the time term that
 * joins the operator's 1 / DT beyond what earlier calls added. known: R already is the residual
 * of `state` without the forcing. later: as in an_level_later_residual. */
int an_level_timed_residual(struct an_solver *s, struct an_level *l, void *state, double share,
                            int known, int later);

/* Viscous runs: allocates the fields of viscous terms of a level, and finds the vectors between the
 * centres of its cells. Coarse levels only steer, so theirs may be thin layers: GRAD is zero for good
 * and is neither computed nor exchanged, and what is left of the flux is mu |s|^2 / (s.r) times the
 * difference of two cells (an_flux_viscous_mean of viscous.h), as in the implicit operator. Collective
 * for a replicated level, else not. */
int an_level_viscous_new(struct an_solver *s, struct an_level *l);
/* The vectors DX between the centres of cells of a level. Collective for a replicated level, else not. */
int an_level_centres(struct an_solver *s, struct an_level *l);
/* Computes the gradients of `state`, whose ghost cells are valid, into GRAD, ghost cells included.
 */
int an_level_gradient(struct an_solver *s, struct an_level *l, void *state);
/* As an_level_state. The eddy viscosity MUT of the cells, which is known, travels in the same
 * message; its ghost cells are filled, too. */
int an_level_state_with_eddy(struct an_solver *s, struct an_level *l, enum an_stencil stencil,
                             const struct an_level *other, const struct an_fields *f, void *state);
/* Fills the ghost cells of MUT; with wall functions from UTAU of the ghost cells. */
int an_level_eddy_ghosts(struct an_solver *s, struct an_level *l);
/* Runs a stencil that writes MUT of a level, then fills its ghost cells. */
int an_level_eddy(struct an_solver *s, struct an_level *l, enum an_stencil stencil,
                  const struct an_level *other, const struct an_fields *f);
/* Add the viscous fluxes of `state` to R, in two parts: work issued between them, such as the
 * convective fluxes, hides the exchange of gradients if it does not touch GRAD. Afterwards GRAD is
 * valid in ghost cells and next to faces of blocks; elsewhere that depends on the engine. What was
 * added is kept where the level has memory for it (viscous_force). to:
 * NULL, or the new state of a stage, W0 - alpha DT R, where W0 is the state W of the level: its
 * interior is then written by the same kernel, and R is lost. */
int an_level_viscous_start(struct an_solver *s, struct an_level *l, void *state);
int an_level_viscous_finish(struct an_solver *s, struct an_level *l, void *state, void *to);
/* In place of an_level_viscous_finish: the convective fluxes of `state` into R, then the viscous ones. The engine
 * may find both in one pass; else the convective ones hide the exchange of gradients. */
int an_level_fluxes_finish(struct an_solver *s, struct an_level *l, void *state, void *to);

/* Issues a stencil on faces and the copy of its n results to a page-locked image. The stencil
 * writes to `field`, which takes the place of field `slot`. Not collective. */
int an_face_results_start(struct an_solver *s, enum an_stencil stencil, enum an_field slot,
                          struct an_faces *faces, void *field, void *image, int64_t n);
/* Waits for the images of all results that were issued, where no an_engine_collect does so. Not collective. */
int an_face_results_wait(struct an_solver *s);
/* Converts the image to double, after an_engine_collect or an_face_results_wait. Not collective. */
void an_face_results_take(const struct an_solver *s, const void *image, int64_t n, double *value);
/* Sums stencil `boundary_integral` without friction, for each boundary, over some faces of the
 * state W and its spectral radii. total[nboundary]. */
int an_solver_integrate(struct an_solver *s, struct an_faces *faces, double (*total)[AN_NINTEGRAL]);

#endif

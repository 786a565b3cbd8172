/* Sliding planes of a run: rows that turn past each other, joined without averaging.
 *
 *     make ......... faces, rings and arrays of all levels (slide_faces.h, solver/flow/slide.h)
 *     turn ......... before a step: the angles between the sides at its stages, to the engine
 *     at ........... which of these angles the ghost cells that are filled next belong to
 *     keep, expect . steps since the rows stood as meshed, to and from the record of a snapshot
 *
 * A plane is two boundaries of type sliding_plane that name each other. Both cover the same angle,
 * unless the run has phase lag (phase_lag.h), and their faces form rings around the axis. In unsteady runs the sides turn past each other as
 * their rows turn; the angle follows from the number of steps, so it does not drift. In steady runs
 * the sides stand as meshed (frozen rotor).
 */
#ifndef AN_SOLVER_SLIDING_H
#define AN_SOLVER_SLIDING_H

#include "kernels/engine/engine.h"

struct an_solver;
struct an_component_type;
struct an_slide;

extern const struct an_component_type an_sliding_component;

/* The plane of a run with phase lag, whose sides cover different angles. */
struct an_sliding_plane {
    struct an_slide *slide;        /* of the finest level */
    int boundary[2];               /* of the mesh */
    double rate;                   /* rad/s: of side 0 less that of side 1 */
    double omega[2];               /* rad/s: of the rows */
    double sector[2];              /* rad: pitches */
    int passages[2];               /* passages[0] pitches of side 0 are passages[1] of side 1 */
    int64_t nface, first, count;   /* faces of all ranks; the first of this rank, and how many */
    int64_t *place;                /* [nface] number of each face in the order of the mesh */
    int nwindow;                   /* of this rank */
    struct an_face_window *window; /* [nwindow] */
};
/* NULL: no phase lag. Not collective. */
const struct an_sliding_plane *an_sliding_lagged(struct an_solver *s);
/* Angle, rad, by which side 0 of the first plane has turned past side 1 after this part (0, 1) of the
 * step to come, modulo `sector`. Not collective. */
double an_sliding_angle(const struct an_solver *s, double part, double sector);

/* The step that follows has n stages, which end at alpha[0 .. n - 1] of its dt seconds. Copies the
 * angles to the engine: place 0 has that of the beginning of the step, place m + 1 that of the end
 * of stage m. n <= 8. Not collective. Does nothing without sliding planes, as the next one. */
int an_sliding_turn(struct an_solver *s, double dt, int n, const double *alpha);
/* Ghost cells and fluxes from now on belong to this place. */
void an_sliding_at(struct an_solver *s, int place);

#endif

/* Faces of phase-lagged periodic boundaries, from the mesh: used by phase_lag.c alone. */
#ifndef AN_SOLVER_LAG_FACES_H
#define AN_SOLVER_LAG_FACES_H

#include "kernels/engine/engine.h"

struct an_solver;
struct an_sliding_plane;

struct an_lag_faces {
    int nwindow;                   /* of this rank */
    struct an_face_window *window; /* [nwindow]; owned */
    int *side,
        *way; /* [nwindow] side of the plane on which the row lies; passage behind: -1, 1; owned */
    int64_t nface;  /* of this rank */
    int64_t *place; /* [nface] number of each face in the order of the mesh; owned */
    int64_t total;  /* faces of all ranks */
};

/* AN_INPUT, with a message that names what is wrong, where the rows are not two of one passage each. Every
 * rank finds the same; not collective. */
int an_lag_faces_find(const struct an_solver *s, const struct an_sliding_plane *plane,
                      struct an_lag_faces *f);
void an_lag_faces_free(struct an_lag_faces *f);

#endif

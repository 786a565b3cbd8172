/* Faces of boundaries and what passes them: PLANE of each face (kernels/engine/engine.h), which a
 * part of a run measures.
 */
#ifndef AN_SOLVER_PLANE_FACES_H
#define AN_SOLVER_PLANE_FACES_H

#include "kernels/engine/engine.h"

struct an_solver;

struct an_plane_faces {
    int nwindow;
    struct an_face_window *window; /* [nwindow] of this rank; owned */
    int64_t nface;
    struct an_faces *faces;          /* of the engine */
    void *field;                     /* engine memory: PLANE */
    void *image;                     /* page-locked: a copy of it; owned */
    int *zone;                       /* [nwindow] owned */
    double (*centre)[3];             /* [nface] m; owned */
    double *radius;                  /* [nface] m: distance of the centre from the x axis; owned */
    double (*value)[AN_NCOMP_PLANE]; /* [nface] of the last measurement; owned */
};

/* The faces of this rank on boundaries with wanted[boundary] != 0. After an error _free frees what
 * was made. Not collective. */
int an_plane_faces_new(struct an_solver *s, const char *wanted, struct an_plane_faces *f);
/* Centres anew, after nodes of the mesh were moved. Not collective. */
int an_plane_faces_place(struct an_solver *s, struct an_plane_faces *f);
void an_plane_faces_free(struct an_solver *s, struct an_plane_faces *f);
/* Issues the work, on the state whose residual was the last to be computed; takes its results. */
int an_plane_faces_start(struct an_solver *s, const struct an_plane_faces *f);
void an_plane_faces_take(const struct an_solver *s, struct an_plane_faces *f);

#endif

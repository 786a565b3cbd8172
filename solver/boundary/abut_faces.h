/* The faces of abutting interfaces, from the mesh: used by abutting.c and by `annulus info`. */
#ifndef AN_SOLVER_ABUT_FACES_H
#define AN_SOLVER_ABUT_FACES_H

#include "bc/abut.h"
#include "io/mesh.h"
#include "kernels/engine/engine.h"

#include <stdio.h>

struct an_solver;

/* A patch of a side; its faces follow each other in an_abut.face, a fastest. */
struct an_abut_patch {
    struct an_window window; /* in cells of its zone */
    int first, na, nb;
};

struct an_abut_faces {
    int *group;    /* [boundaries of the mesh]: side, -1: none; owned */
    int *boundary; /* [match.nside]; owned */
    int npatch;
    struct an_abut_patch *patch; /* owned */
    struct an_abut match;
};

/* Reads the faces of the boundaries that have an other[boundary] >= 0, and finds their facets; call it
 * while the mesh is open. Every rank does the same; not collective. Gaps are no error here. */
int an_abut_faces_new(const struct an_mesh *mesh, const int *other, struct an_abut_faces *f);
void an_abut_faces_free(struct an_abut_faces *f);
/* AN_INPUT where a side has gaps or overlaps; the message names the boundaries. */
int an_abut_faces_check(const struct an_mesh *mesh, const struct an_abut_faces *f);
/* A line for each side: faces, facets, area that has another side, gaps. */
void an_abut_faces_print(const struct an_mesh *mesh, const struct an_abut_faces *f, FILE *out);
/* `annulus info`: finds and prints the interfaces of the mesh. */
int an_abut_info(const struct an_mesh *mesh, FILE *out);

/* Of level n: the map of all faces, and how many of them each rank has, first[nrank + 1] with the ranks of the
 * level's partition; *window:
 * [*nwindow] this rank's, malloc'ed, the caller's. Faces are numbered rank by rank. */
int an_abut_faces_map(struct an_solver *s, const struct an_abut_faces *f, int n,
                      struct an_slide_map *map, int64_t *first, int *nwindow,
                      struct an_face_window **window);

#endif

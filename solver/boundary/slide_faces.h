/* The faces of sliding planes, from the mesh: used by sliding.c alone. */
#ifndef AN_SOLVER_SLIDE_FACES_H
#define AN_SOLVER_SLIDE_FACES_H

#include "bc/slide.h"
#include "kernels/engine/engine.h"
#include "solver/boundary/band_patches.h"

struct an_solver;

struct an_slide_faces {
    int nplane;
    int (*boundary)[2];           /* [nplane] sides; owned */
    int *group;                   /* [boundaries of the mesh]: 2 plane + side, -1: none; owned */
    struct an_slide_plane *plane; /* [nplane]; owned */
    struct an_bands *bands;       /* rings of the finest faces; owned */
    struct an_band_patches list;  /* owned */
    double **below[2];            /* [list.n] nodes one and two layers below the patches; owned */
    int64_t *
        place; /* of the finest level: [faces] number of each face in the order of the mesh, which does
                     * not depend on the ranks; owned; NULL until the map is made */
};

/* Finds planes, rings and nodes; call it while the mesh is open. AN_INPUT, with a message that names
 * the boundaries, where the two sides do not fit. Every rank does the same; not collective. */
int an_slide_faces_new(struct an_solver *s, struct an_slide_faces *f);
void an_slide_faces_free(struct an_solver *s, struct an_slide_faces *f);

/* Of level n: the map of all faces, and how many of them each rank has, first[nrank + 1] with the ranks of the
 * level's partition; *window:
 * [*nwindow] this rank's, malloc'ed, the caller's. Faces are numbered rank by rank. */
int an_slide_faces_map(struct an_solver *s, struct an_slide_faces *f, int n,
                       struct an_slide_map *map, int64_t *first, int *nwindow,
                       struct an_face_window **window);

#endif

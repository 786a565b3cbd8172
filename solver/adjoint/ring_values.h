/* Values of faces that follow from rings of nodes and from targets, and how figures depend on them: used by nodes_rings.c. */
#ifndef AN_ADJOINT_RING_VALUES_H
#define AN_ADJOINT_RING_VALUES_H

#include "solver/adjoint/adjoint.h"
#include "solver/boundary/control_targets.h"
#include "solver/boundary/mixing.h"

/* The rings of one kind of boundary, and what is set up from them. */
struct an_rings {
    const struct an_bands *bands; /* NULL: there are none */
    struct an_mixing m;           /* of mixing planes */
    struct an_control k;          /* of outlets */
};

struct an_ring_faces {
    struct an_adjoint *a;
    enum an_target_kind kind; /* PLANE or RING */
    struct an_rings now;      /* as they are; the solver's */
    int64_t nface;
    int64_t *row; /* [nface] of face values; owned */
    int *entry;   /* [nface] of an_control; owned */
    double *
        by_value; /* [nfigure][nface][7] derivatives of the figures by the values of the faces; owned */
};

/* Lists the faces and finds by_value by differences. After an error _free frees what was made. Collective. */
int an_ring_faces_new(struct an_adjoint *a, enum an_target_kind kind, struct an_ring_faces *f);
void an_ring_faces_free(struct an_ring_faces *f);
/* Sets up the rings of the nodes as they are, and finds what figures get of them: value[nfigure], sum of by_value times the
 * values of faces less mu^T G; only differences of it mean something. Not collective. */
int an_ring_faces_find(struct an_ring_faces *f, double *value);
/* Where the faces stand, anew from the nodes as they are. Not collective. */
int an_ring_faces_place(const struct an_ring_faces *f);

#endif

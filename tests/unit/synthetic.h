/* Meshes made of index arithmetic alone, whose truth is known without following an interface.
 *
 * A box of cells is cut at random into zones, each with one of the 24 right-handed orientations of
 * its indices; windows of neighbouring zones need not match. Opposite faces of the box may be
 * joined periodically (a zone that spans the box is then joined to itself). Every cell has a place
 * in the box: that is the truth.
 */
#ifndef AN_TESTS_SYNTHETIC_H
#define AN_TESTS_SYNTHETIC_H

#include "kernels/base/topology.h"

struct synthetic {
    struct an_topology mesh;
    int size[3];              /* the box, in cells */
    int periodic[3];          /* per direction of the box, as in struct an_interface */
    double period[3];         /* length (m) or angle (rad) */
    struct an_cellmap *place; /* of each zone: its cells -> cells of the box */
};

/* Cuts stand at multiples of `multiple` cells and leave at least `thin`. Same seed, same mesh. */
void synthetic_new(unsigned seed, const int size[3], int nzone, int multiple, int thin,
                   const int periodic[3], struct synthetic *s);
/* A C-grid around an edge, in `mesh` alone: jmin is joined to itself on both sides of a wall. */
void synthetic_c_grid(int wake, int wall, int nj, int nk, struct an_topology *mesh);
void synthetic_free(struct synthetic *s);

/* The cell of the box on which cell c of a zone lies; wraps through periodic faces. */
void synthetic_cell(const struct synthetic *s, int zone, const int c[3], int box[3]);
int synthetic_random(unsigned *state, int n); /* 0 .. n-1 */

#endif

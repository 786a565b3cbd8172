/* Topology of a multi-block structured mesh: sizes, interfaces and boundary patches, no
 * coordinates.
 *
 * The same structure describes the mesh as read (blocks = CGNS zones) and as computed (blocks = the
 * pieces zones were cut into). Every rank holds all of it.
 *
 * Indices are 0-based CELL indices. Cells of a block: 0 <= i < n[0], ... Nodes: 0 <= i <= n[0].
 * A face of a block is (dir, side): dir 0,1,2 = i,j,k; side 0 = min, 1 = max.
 * A face window is [lo, hi) in the two tangential directions (cells); lo[dir] = hi[dir] = 0.
 */
#ifndef AN_TOPOLOGY_H
#define AN_TOPOLOGY_H

#include "kernels/base/boundary_type.h"
#include "kernels/base/error.h"

AN_EXTERN_C_BEGIN

#define AN_NAME  33 /* CGNS names: at most 32 characters */
#define AN_GHOST 2  /* ghost layers on every side of a block */

struct an_window {
    int block;
    int dir, side;
    int lo[3], hi[3]; /* cells; lo[dir] = hi[dir] = 0 */
};

/* A cell map between neighbouring blocks: donor = T c + shift, T a signed permutation.
 * Donor direction perm[m] runs with index m here, with sign sign[m] (+1 or -1):
 *   donor[perm[m]] = sign[m] * c[m] + shift[perm[m]].
 * It holds for every c, ghost cells of this block included (that is its use). */
struct an_cellmap {
    int perm[3];
    int sign[3];
    int shift[3];
};

/* One side of a one-to-one interface. Every interface is present twice, once from each side. */
struct an_interface {
    char name[AN_NAME];
    struct an_window window; /* on this block */
    int donor;               /* block on the other side (may be the same block) */
    int donor_dir, donor_side;
    struct an_cellmap map; /* cells of this block, ghosts included -> cells of the donor */
    /* Periodicity: position and vectors of the donor, brought here, are
     * x_here = R x_donor + t, with R a rotation about the x axis by `angle` (rad) or none. */
    int periodic;          /* 0 none, 1 translation, 2 rotation */
    double rotation[9];    /* R, row by row */
    double translation[3]; /* t */
    int partner; /* index of the same interface seen from the other side, -1 before it is known */
};

/* A boundary patch: a window and the boundary it belongs to. */
struct an_patch {
    struct an_window window;
    int boundary; /* index into an_topology.boundary */
};

/* A named boundary: a family, or a BC that has none. What the case file names. */
struct an_boundary {
    char name[AN_NAME];
    enum an_bc_type type; /* from the mesh; AN_BC_NONE where it leaves the choice */
    char with[AN_NAME]; /* mixing planes and abutting interfaces of the mesh: the other side, which
                             may be the boundary itself where it touches itself */
    /* Abutting interfaces: how the other side's positions and vectors come here, as in an_interface. */
    int periodic;
    double rotation[9], translation[3];
};

struct an_zone {
    char name[AN_NAME];
    char family[AN_NAME]; /* "": none */
    int n[3];             /* cells */
    int rotates;          /* the mesh says how it turns: */
    double omega;         /* rad/s about the x axis */
};

struct an_topology {
    int nblock, ninterface, npatch, nboundary;
    struct an_zone *block;
    struct an_interface *interface;
    struct an_patch *patch;
    struct an_boundary *boundary;
};

void an_topology_init(struct an_topology *t);
void an_topology_free(struct an_topology *t);
int an_topology_copy(const struct an_topology *from, struct an_topology *to);
int64_t an_window_faces(const struct an_window *w);
int64_t an_topology_cells(const struct an_topology *t);
int an_boundary_find(const struct an_topology *t, const char *name); /* -1: none */
const char *an_face_name(int dir, int side);                         /* "imin" ... "kmax" */

void an_cellmap_apply(const struct an_cellmap *m, const int c[3], int donor[3]);
struct an_cellmap an_cellmap_inverse(const struct an_cellmap *m);
/* The node map that belongs to a cell map: nodes sit at the lower corner of cells, so directions
 * that run backwards shift by one. */
struct an_cellmap an_cellmap_nodes(const struct an_cellmap *m);
int an_cellmap_is_valid(const struct an_cellmap *m); /* a signed permutation with usable shifts */
int an_cellmap_det(const struct an_cellmap *m);      /* +1: both blocks have the same handedness */

/* Does it join each cell of a block one cell thick to that very cell, through the opposite face? */
int an_interface_onto_itself(const struct an_topology *t, const struct an_interface *f);
/* flat[nblock], bit d: the block is one cell thick in direction d, and what lies behind both faces follows
 * from that cell alone: boundaries, or the cell itself behind a periodicity. Planes and sectors of one
 * layer of cells are flat; a block with neighbours behind a face is not. */
void an_topology_flat(const struct an_topology *t, int *flat);
/* Is another block, or another cell of the same block, behind some of the cells behind which window w of a
 * block one cell thick lies: does an interface of the opposite face share columns of cells with w? */
int an_window_has_behind(const struct an_topology *t, const struct an_window *w);
/* Warns of blocks one cell thick between an abutting interface, a sliding plane or a mixing plane, and another
 * boundary: the second cell inside of each would be a ghost cell of the other. */
void an_topology_warn_thin(const struct an_topology *t, const char *file, struct an_diag *diag);

/* The interface seen from the other side: window on the donor, inverse map, inverse periodicity.
 * The name is kept and partner is -1. */
struct an_interface an_interface_mirror(const struct an_interface *f);

/* Checks that each face cell of each block is covered exactly once by a patch or an interface, that
 * windows lie inside blocks, that partners mirror each other, and that neighbours have the same
 * handedness (det T = +1); finds `partner` on the way (an interface that folds a face onto itself
 * is its own partner). Every fault names block and face. `file` is the name to put before the
 * messages, or NULL. Time is proportional to the face cells plus m log m for m interfaces. */
void an_topology_check(struct an_topology *t, const char *file, struct an_diag *diag);

AN_EXTERN_C_END
#endif

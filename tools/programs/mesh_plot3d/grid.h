// PLOT3D grids to CGNS meshes: shared types.
//
//   grid.c        messages; names of faces and indices as they are in the file
//   read.c        the file's blocks as they stand; binary.c: those of unformatted files
//   arrange.c     every N-th node, one layer made plane, the extrusion, right-handed blocks
//   fvbnd.c       boundaries that a file of FIELDVIEW lists
//   conditions.c  which boundary each face cell belongs to
//   coincide.c    nodes of free faces at the same place become one
//   connectivity.c  which faces a list of NASA's plot3d joins
//   join.c        interfaces between face cells with the same four nodes
//   write.c       the CGNS file
//   main.c        the command line
//
// Each of these files calls only files before it in this list.
//
// Directions are 0, 1, 2 for i, j, k; face 2 d is the lower end of direction d, face 2 d + 1 the
// upper one. A face's cells are numbered u + v * (cells along u); u runs along the lower one of the
// face's two directions. Functions that return int return an exit code; all but EXIT_DONE have
// printed their message.
#ifndef MESH_PLOT3D_GRID_H
#define MESH_PLOT3D_GRID_H

#include <stdbool.h>
#include <stddef.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_INPUT = 2 };

struct options {
    const char *input, *output;
    char **condition; // [conditions] texts of --bc
    int conditions;
    int every;
    int dimension;    // of the file: 2, 3, or 0 to find out
    double scale;     // of the coordinates as read
    double span;      // m, of a plane grid
    double tolerance; // m, between nodes of an interface; < 0: from `share`
    double share;     // the same as a share of the shortest edge at a node
    const char *axes; // which of the file's coordinates become x, y and z; NULL: these
    char **periodic;  // [periodics] texts of --periodic
    int periodics;
    const char *connectivity; // JSON of the faces that are joined; NULL: none
    const char *fvbnd;        // FIELDVIEW's file of boundaries; NULL: none
    char **listed;            // [listings] its parts as texts of --bc (owned)
    int listings;
    const char *rest; // name and type of the boundary that has all other faces; NULL: none
    bool flat, join;
};

// Periodic motion: a shift, or a turn about x.
struct motion {
    double shift[3], angle; // m, rad; one of them is zero
};

struct block {
    char name[33];
    int n[3];      // nodes; n[2] = 1 while the grid is plane
    int every[3];  // step from one node to the next in the indices of the file
    double *x[3];  // [n2, n1, n0] nodes, m (owned)
    bool flipped;  // k runs against the file's
    int *cover[6]; // per face cell: > 0 boundary + 1, < 0 -(interface + 1), 0 nothing yet (owned)
};

struct boundary {
    char name[33];
    int type; // index into the table of types; -1: the case file has to say
};

// Nodes lo <= . <= hi of a face, along its two directions.
struct window {
    int block, face, lo[2], hi[2];
    int boundary;
};

// One-to-one interface: node `begin` of block a is node `begin_b` of block b, and so are the ends;
// transform as in CGNS, from a to b.
struct link {
    int a, b;
    int begin[3], end[3], begin_b[3], end_b[3];
    int transform[3];
    struct motion motion; // takes a's nodes to b's; all zero: not periodic
};

// Two faces that a list of connectivity joins; motion: index of the one that takes the first to the second, -1: none.
struct pair {
    struct window face[2];
    int motion;
    char name[40]; // in the list
};

struct grid {
    int dimension; // 2 or 3, of the file (2 after --flat)
    int blocks, boundaries, windows, links;
    struct block *block;       // owned
    struct boundary *boundary; // owned
    struct window *window;     // owned
    struct link *link;         // owned
    int seams;                 // listed parts that a motion may join; 0: it may join all faces
    struct window *seam;       // owned
    int pairs, motions;
    struct pair *pair;     // owned
    struct motion *motion; // owned
    double min_volume, max_volume;
};

static inline size_t at(const struct block *b, int i, int j, int k)
{
    return ((size_t)k * (size_t)b->n[1] + (size_t)j) * (size_t)b->n[0] + (size_t)i;
}

// The two directions of a face.
static inline int face_u(int face)
{
    return face / 2 == 0 ? 1 : 0;
}
static inline int face_v(int face)
{
    return face / 2 == 2 ? 1 : 2;
}
static inline size_t face_cells(const struct block *b, int face)
{
    return (size_t)(b->n[face_u(face)] - 1) * (size_t)(b->n[face_v(face)] - 1);
}
static inline bool window_has(const struct window *w, int block, int face, int u, int v)
{
    return w->block == block && w->face == face && u >= w->lo[0] && u < w->hi[0] && v >= w->lo[1] &&
           v < w->hi[1];
}
// Index of the node (u, v) of a face.
static inline size_t face_node(const struct block *b, int face, int u, int v)
{
    int i[3];
    i[face / 2] = face % 2 ? b->n[face / 2] - 1 : 0;
    i[face_u(face)] = u;
    i[face_v(face)] = v;
    return at(b, i[0], i[1], i[2]);
}

// grid.c
int fail(const char *format, ...); // prints "mesh_plot3d: error: ..."; returns EXIT_INPUT
int no_memory(void);               // the same; returns EXIT_FAILED
void grid_free(struct grid *g);
const char *face_in_file(int face);                       // "imin" ... "kmax"
int face_turned(const struct block *b, int face);         // the block's face in the file, or back
const char *face_name(const struct block *b, int face);   // the file's name of a face of the block
int file_index(const struct block *b, int dir, int node); // the file's index of a node, from 1

// read.c: PLOT3D, text or unformatted, plain or gzip; single- or multi-block, plane or not, with iblank or without, found
// out from the number of numbers; block by block or plane by plane from the records, or else from the coordinates.
int grid_read(struct grid *g, const struct options *o);

// arrange.c: in place, in this order
int grid_axes(struct grid *g, const char *axes);
int grid_flatten(struct grid *g);
int grid_thin(struct grid *g, int every);
int grid_extrude(struct grid *g, double span);
int grid_orient(struct grid *g); // also measures the volumes

// fvbnd.c: adds to o->listed; before the grid is thinned, because its indices are those of the file
int fvbnd_read(const struct grid *g, struct options *o);

// conditions.c: before the interfaces are made, and after; the latter has the listed parts that are called periodic or
// interface, where no interface was made of them, and the rest
int conditions_apply(struct grid *g, const struct options *o);
int conditions_apply_rest(struct grid *g, const struct options *o);
int conditions_complete(const struct grid *g); // every face cell is covered
const char *condition_type_name(int type);
int condition_type_cgns(int type);

// motion.c
int motion_parse(struct motion *m, const char *text);
void motion_apply(const struct motion *m, const double x[3], double to[3]);
bool motion_is_none(const struct motion *m);

// coincide.c: id[block][node] = number of the place for nodes of free faces, -1 for others; the
// caller frees id[0..blocks). Coinciding nodes become bitwise equal. tolerance <= 0: share counts.
struct places;
int places_new(struct places **s, struct grid *g, double tolerance, double share, int **id);
// moved[block][node] = place where the motion takes the node, -1: none (the caller frees them)
int places_moved(const struct places *s, const struct grid *g, const struct motion *m,
                 int *const *id, int **moved);
void places_free(struct places *s);

// connectivity.c
int connectivity_read(struct grid *g, const char *path);
// Is the face cell in the list?
bool connectivity_lists(const struct grid *g, int block, int face, int u, int v);
int connectivity_check(const struct grid *g, const char *path); // every cell of the list was joined

// join.c
int grid_join(struct grid *g, const struct options *o);

// write.c: a direction of one cell becomes k in the file
int grid_write(const struct grid *g, const char *path);
bool write_reorders(const struct block *b);

#endif

/* Meshes of the verification cases: a box of cells, mapped into space, cut into zones that are
 * stored turned, written as a CGNS file.
 *
 *        n[1] +-----------+-----------+     parts = {2, 2, 1}: four zones. With `turn` >= 0 zone
 *             |  zone 2   |  zone 3   |     number z is stored with its axes permuted and reversed
 *             +-----------+-----------+     in way (turn + z) mod 24 of the 24 right-handed ways.
 *             |  zone 0   |  zone 1   |
 *           0 +-----------+-----------+ n[0]
 *
 * What stands on the six ends of the box is a list of segments: whole faces, or windows lo <= . <
 * hi of one of the two tangential directions.
 */
#ifndef AN_TESTS_VERIFY_MESH_H
#define AN_TESTS_VERIFY_MESH_H

#include <math.h>

#include "kernels/base/topology.h"

enum vm_kind {
    VM_BOUNDARY = 0, /* boundary `name` of type `type` */
    VM_ROWS,         /* one boundary for each row of cells: name0000, name0001, ... */
    VM_JOIN,         /* this end and the opposite one coincide in space (O-mesh) */
    VM_TRANSLATE,    /* opposite ends are apart by `translation` */
    VM_ROTATE,       /* opposite ends are apart by `angle` about the x axis */
    VM_FOLD          /* the face is folded onto itself in direction `along` (C-cut) */
};

struct vm_segment {
    int dir, side;
    int along, lo, hi; /* lo = hi: all of the face (rows and folds still run `along`) */
    enum vm_kind kind;
    enum an_bc_type type;
    const char *name;
};

/* The ends of a sector of an annulus: direction 0 leads from boundary in_name to out_name, 1 from
 * the slip wall "hub" to "casing", 2 around. An initialiser of six segments. */
#define VM_SECTOR(in, in_name, out, out_name)                                                   \
    {                                                                                           \
        {.dir = 0, .side = 0, .type = (in), .name = (in_name)},                                 \
            {.dir = 0, .side = 1, .type = (out), .name = (out_name)},                           \
            {.dir = 1, .side = 0, .type = AN_BC_WALL_SLIP, .name = "hub"},                      \
            {.dir = 1, .side = 1, .type = AN_BC_WALL_SLIP, .name = "casing"},                   \
            {.dir = 2, .side = 0, .kind = VM_ROTATE}, {.dir = 2, .side = 1, .kind = VM_ROTATE}, \
    }

/* s in [0,1]^3, index over number of cells -> metres */
typedef void vm_map(void *context, const double s[3], double x[3]);

/* The point at radius r and angle `angle`, rad, about the x axis. */
static inline void vm_cylindrical(double along, double r, double angle, double x[3])
{
    x[0] = along;
    x[1] = r * cos(angle);
    x[2] = r * sin(angle);
}

struct vm_box {
    int n[3], parts[3]; /* a part below 1 counts as 1 */
    int turn;           /* -1: zones are stored as they lie */
    vm_map *map;
    void *context;
    double translation[3][3]; /* of direction d: upper end minus lower end */
    double angle;             /* rad, upper end minus lower end */
    int nsegment;
    const struct vm_segment *segment;
};

/* A sector of `angle` of an annulus of n cells, two zones, stored turned; its map has the angle as
 * context. ends[6]: VM_SECTOR. */
static inline struct vm_box vm_sector(const int n[3], vm_map *map, double *angle,
                                      const struct vm_segment *ends)
{
    return (struct vm_box){.n = {n[0], n[1], n[2]},
                           .parts = {2, 1, 1},
                           .turn = 5,
                           .map = map,
                           .context = angle,
                           .angle = *angle,
                           .nsegment = 6,
                           .segment = ends};
}

/* Writes the mesh on rank 0 of MPI_COMM_WORLD; collective. Ends the program on a fault. */
void vm_write(const char *path, const struct vm_box *box);

/* Writes a duct of n cells, 1 long, 0.3 high and 0.2 wide, with a bump of a tenth of the height on its lower wall:
 * boundaries in, out, wall (slip), top and sides (symmetry). parts, along x, and turn: as in vm_box. */
void vm_write_bump(const char *path, const int n[3], int parts, int turn);

/* The 24 right-handed ways to store a block of n cells: cell of the box -> cell as stored. */
struct an_cellmap vm_turn(int way, const int n[3]);

#endif

/* CGNS meshes: topology on every rank, coordinates by sub-range.
 *
 * Zones are numbered in the order of their names, as the CGNS library numbers them. The file itself mostly lists its nodes in the
 * order in which they were written, and so does a program without this library, such as h5py. Other files with the zones of a mesh
 * list them in the same order (an_mesh_listed).
 *
 * Reads ADF and HDF5 files of CGNS 1.27 to 4.x: the base that holds
 * structured zones, in three dimensions rather than two; BC_t by PointRange, or by a PointList or a list of elements that
 * fills a rectangle of a face (at vertices, face or cell centres), with FamilySpecified;
 * GridConnectivity1to1 of all proper transforms with Periodic_t (angles are snapped to 2 pi / N),
 * 2-D zones (nk = 1 vertex: extruded to one cell of unit span with symmetry ends "_span_min" and
 * "_span_max"; a warning says so). Connections
 * with AverageInterface_t (general or one-to-one) are mixing planes, paired row by row
 * (io/mesh_planes.c); one whose row has none back is a boundary without type, for the case file to
 * pair. Other connections of type Abutting, with a PointRange or a PointList of vertices or centres and
 * Periodic_t, are pairs of boundaries of type ABUTTING (io/mesh_abut.c). RotatingCoordinates_t of a zone, of its family, or of the base
 * for all, must turn about the x axis. Families with AutoGrid's names of periodic sides and of planes between rows stand for
 * connections (io/mesh_families.c). A BC without family whose name has another type
 * in another zone becomes a boundary of its own, "name:2". The direction k of a left-handed zone is reversed
 * (io/mesh_reverse.c). What cannot be used is an error that
 * names zone and node: unstructured zones, overset connectivity, a donor zone that
 * does not exist, ranges outside the zone, a face without condition,
 * unresolvable links, values whose class or unit says no size (io/cgns_units.h), and what is new in CGNS 4: particles and
 * interpolation of elements.
 */
#ifndef AN_IO_MESH_H
#define AN_IO_MESH_H

#include <stdio.h>

#include "io/mesh_mark.h"
#include "kernels/base/error.h"
#include "kernels/base/topology.h"

struct an_mesh_values;

/* How coordinates of a zone are read: factor stored + offset, metres, and in which order. */
struct an_mesh_scale {
    double factor[3], offset[3];
    int left_handed; /* 1: in the file */
    int reversed; /* 1: its direction k runs against that of the file, so that it is right-handed */
};

struct an_mesh {
    char file[1024];
    int fn;                        /* of the library; < 0: not open */
    struct an_mesh_values *values; /* what is known of the arrays of coordinates; owned */
    int dimension;                 /* 3, or 2 for zones with one plane of vertices */
    int index_dim, physical_dim;   /* of the base: a 2-D mesh may be stored as zones with nk = 1 */
    double span; /* 2-D: z of vertex plane 1 over plane 0, +1 or -1 m (right-handed) */
    char base_name[AN_NAME];
    double
        to_metres; /* factor from the file's coordinates, those of zone 0; 1 when no unit is given */
    int rate_unit;               /* is there a unit of the speeds of rotation? */
    struct an_mesh_scale *scale; /* [zones]; owned */
    int *listed; /* [zones] in the order of the file; owned. NULL: in the order of their names */
    struct an_mesh_mark mark; /* of the file when it was opened */
    uint64_t hash;            /* XXH64 of topology and zone names (not of the coordinates) */
    struct an_topology topology;
    /* Of a mesh with turned zones (an_mesh_turn): the topology as read, and the turn of each zone; owned. NULL: no zone
     * is turned. */
    struct an_topology *file_order;
    int *turn;
    /* Other nodes than those of the file: of each zone [3][nk + 1][nj + 1][ni + 1], m, in the order of `topology`; the caller's.
     * NULL: those of the file. */
    const double *const *moved;
};

/* Opens `path`, reads everything but coordinates and samples those: handedness of every zone, nodes
 * of every interface. Not collective: call it on one rank and broadcast status and topology. Every
 * fault is appended to diag; returns AN_INPUT if there is one. The file stays open for
 * an_mesh_read_nodes; close it also after a fault.
 *
 * Damaged files can crash or hang the CGNS and HDF5 libraries themselves. So the file is first read
 * in a forked child, which does nothing but read and _exit (no MPI, no CUDA, no stdio of the
 * parent); when that dies or exceeds its time, the file is reported as damaged and this process
 * never touches it. AN_MESH_PROBE=0 in the environment leaves that out, for machines where MPI
 * forbids fork; so does a fork that fails. */
int an_mesh_open(const char *path, struct an_mesh *m, struct an_diag *diag);

/* The same with the name of the base that is read, in a file with several that may be the mesh; "": the only one. AN_INPUT if the
 * file has no such base. */
int an_mesh_open_base(const char *path, const char *base, struct an_mesh *m, struct an_diag *diag);

/* Has the file of an open mesh a base of this name? */
int an_mesh_has_base(const struct an_mesh *m, const char *base);

/* Starts that child for the next an_mesh_open_base of `path` and `base`, so that the caller can do something else while the
 * child reads. */
void an_mesh_open_begin(const char *path, const char *base);

/* Opens, on another rank, a file that an_mesh_open has accepted: m is a copy of that rank's struct
 * (fn and values are replaced; topology and scale are left alone). AN_INPUT when the file is not the one that
 * the mark in m tells of. For an_mesh_read_nodes, which then reads
 * datasets by their names, without a look at the tree of the file. */
int an_mesh_reopen(struct an_mesh *m);
/* Opens the file of a mesh that is open once more, in place of the handle so far: another handle of the same file was closed
 * in this process, and with it the library closes what all handles of the file have open. AN_INPUT as of an_mesh_reopen. */
int an_mesh_renew(struct an_mesh *m);
void an_mesh_close(struct an_mesh *m);

/* Makes two boundaries the sides of an abutting interface, as a case file asks for. If they do not lie on each other, they are
 * periodic, if a translation takes the one to the other, or a turn about x by a part of the circle. Both may hold, which is
 * appended to diag with `where`. For all ranks, which find the same, and before an_mesh_turn. */
int an_mesh_join_sides(struct an_mesh *m, int side, int other, const char *where,
                       struct an_diag *diag);

/* The zone that the file lists at this place, from 0. */
static inline int an_mesh_listed(const struct an_mesh *m, int place)
{
    return m->listed ? m->listed[place] : place;
}

/* Turns zones with one cell in their first direction so that it comes last (io/mesh_turn.c): in the topology, and in what
 * an_mesh_read_nodes returns. Snapshots are still written and read in the order of the file. Not collective. */
int an_mesh_turn(struct an_mesh *m);
/* Direction d of a zone is direction (d + this) mod 3 of the file. */
static inline int an_mesh_turn_of(const struct an_mesh *m, int zone)
{
    return m->turn ? m->turn[zone] : 0;
}
/* The mesh in the order of the file, a view that must not be closed. */
struct an_mesh an_mesh_in_file_order(const struct an_mesh *m);
/* Indices or extents of a turned zone in the order of the file. */
void an_turn_to_file(int turn, const int from[3], int to[3]);
/* Values of `size` bytes in a box of n[3] of a turned zone into the order of the file, or back from it. */
void an_turn_values(int turn, const int n[3], size_t size, const void *from, void *to, int back);

/* Sets of zones that one-to-one and abutting interfaces hang together: row[zones] is the lowest zone of each
 * one's set. */
void an_mesh_rows(const struct an_topology *t, int *row);

/* Nodes lo <= (i,j,k) < hi of a zone, in metres, into xyz[3][hk-lk][hj-lj][hi-li] (three planes x,
 * y, z, i fastest). AN_INPUT when the file cannot deliver them (truncated) or holds a non-finite
 * one. Those of `moved` where it is there. */
int an_mesh_read_nodes(const struct an_mesh *m, int zone, const int lo[3], const int hi[3],
                       double *xyz);

/* All nodes of a zone: xyz[3][nk + 1][nj + 1][ni + 1], m, which is the caller's to free, *n nodes. AN_INPUT as above. AN_FAIL: out of
 * memory. After an error *xyz is NULL. */
int an_mesh_read_zone(const struct an_mesh *m, int zone, int64_t *n, double **xyz);

/* `annulus info`: zones, sizes, interfaces with transform and periodicity, boundaries with families
 * and types, face coverage. Works on what can be read even when an_mesh_open reports faults. */
void an_mesh_info(const struct an_mesh *m, FILE *out);

#endif

/* CGNS meshes: topology on every rank, coordinates by sub-range.
 *
 * Zones are numbered as the library returns them (sorted by name) and keyed by name. Reads ADF and
 * HDF5 files, BC_t by PointRange (vertex or face location) with FamilySpecified,
 * GridConnectivity1to1 of all 48 transforms, abutting 1-to-1 with Periodic_t (angles are snapped to
 * 2 pi / N), 2-D zones (nk = 1 vertex: extruded to one cell of unit span with symmetry ends;
 * reported). What cannot be used is an error that names zone and node: unstructured zones, overset
 * or mismatched connectivity, a donor zone that does not exist, ranges outside the zone, a face
 * without condition, a left-handed block, unresolvable links.
 */
#ifndef AN_IO_MESH_H
#define AN_IO_MESH_H

#include <stdio.h>

#include "kernels/error.h"
#include "kernels/topology.h"

struct an_mesh {
    char file[1024];
    int fn, base;  /* CGNS handles; fn < 0: closed */
    int dimension; /* 3, or 2 for zones with one plane of vertices */
    char base_name[AN_NAME];
    double to_metres; /* factor from the file's length unit; 1 when none is given */
    uint64_t hash;    /* XXH64 of topology and zone names (not of the coordinates) */
    struct an_topology topology;
};

/* Opens `path` and reads everything but coordinates. Not collective: call on the ranks that need
 * the file; the struct's topology can be broadcast. Every fault is appended to diag; returns
 * AN_INPUT if there is one. The file stays open for an_mesh_read_nodes. */
int an_mesh_open(const char *path, struct an_mesh *m, struct an_diag *diag);
void an_mesh_close(struct an_mesh *m);

/* Nodes lo <= (i,j,k) < hi of a zone, in metres, into xyz[3][hk-lk][hj-lj][hi-li] (three planes x,
 * y, z, i fastest). AN_INPUT when the file cannot deliver them (truncated) or holds a non-finite
 * one. */
int an_mesh_read_nodes(const struct an_mesh *m, int zone, const int lo[3], const int hi[3],
                       double *xyz);

/* `annulus info`: zones, sizes, interfaces with transform and periodicity, boundaries with families
 * and types, face coverage. Works on what can be read even when an_mesh_open reports faults. */
void an_mesh_info(const struct an_mesh *m, FILE *out);

#endif

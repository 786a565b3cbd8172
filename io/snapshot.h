/* Snapshots: one HDF5 file that is a CGNS file, restarts the run and opens in ParaView.
 *
 * Invariants
 *  1. A file under its final name is whole: written under a temporary name, closed, fsync'ed, renamed,
 *     and the folder fsync'ed. A killed run leaves at most a *.tmp, which the next run removes.
 *  2. The layout does not depend on the number of ranks: one CGNS zone per zone of the mesh.
 *  3. The state is stored in the run's precision, bit for bit.
 *
 * Rank 0 writes the skeleton with the CGNS library (zones, ZoneBC, FlowSolution_t at CellCenter,
 * interfaces with their periodicity, speeds of rotation, BaseIterativeData, the record of the run); then all ranks open it with parallel HDF5 and write
 * their sub-ranges collectively. GridCoordinates of every zone are a link to grid.cgns in the same
 * folder: the coordinates with which the run computes, in metres, written from memory when the run
 * starts (an_snapshot_geometry). Their checksum (io/coordinates.h) stands in every snapshot. With
 * meta.embed_grid the coordinates are copied from that file into the snapshot.
 *
 * In ParaView the files of a folder open as one series: File > Open shows them as one entry
 * (stem_..cgns), pvpython takes OpenDataFile([names]). Times are seconds, or iterations where
 * meta.time is 0. tools/paraview_shot makes a picture. A list in a *.cgns.series file is not
 * written: ParaView 5.11 hands it to the wrong reader.
 */
#ifndef AN_IO_SNAPSHOT_H
#define AN_IO_SNAPSHOT_H

#include <mpi.h>

#include "io/mesh.h"
#include "kernels/base/portable.h"
#include "kernels/base/topology.h"

/* What steers a run beside its flow: values by name, as many as there are. */
struct an_snapshot_control {
    char name[64]; /* without blanks */
    double value;
};
/* Many values by one name. */
struct an_snapshot_array {
    char name[64]; /* without blanks */
    int64_t n;
    double *value; /* [n]; owned */
};
struct an_snapshot_controls {
    int n, room;
    int next;                         /* where the next search starts: names come in order */
    struct an_snapshot_control *list; /* [room]; owned */
    int narray;
    struct an_snapshot_array *array; /* [narray]; owned */
};

struct an_snapshot_meta {
    int64_t iteration;
    double time;              /* s; 0 for steady runs */
    double residual_first[5]; /* norms of the first iteration, for the relative drop */
    enum an_precision precision;
    uint64_t mesh_hash, case_hash;
    uint64_t coordinates; /* their checksum; 0: not known, of a snapshot of an earlier version */
    char title[256];
    char version[64];
    struct an_snapshot_controls *controls; /* owned, an_snapshot_controls_free; NULL: none */
    /* More lines of the record, "case = name: value" for a key of the case and "warning = text" for
     * what has to be known of the flow; an_snapshot_note adds one. Owned, freed with the controls;
     * NULL: none. Of a snapshot that was read they are there on rank 0 alone. */
    char *notes;
    /* For writing only, not in the record: */
    int embed_grid;      /* the coordinates themselves in place of links to grid.cgns */
    const double *omega; /* [zones of the mesh] rad/s about x; NULL: what the mesh says */
};

void an_snapshot_controls_free(struct an_snapshot_meta *m);
/* Adds a value; AN_FAIL without memory. */
int an_snapshot_control_add(struct an_snapshot_meta *m, const char *name, double value);
/* The value of that name, or `other`. */
double an_snapshot_control_get(const struct an_snapshot_meta *m, const char *name, double other);

/* Adds n values, to be written where this is the first rank; AN_FAIL without memory. *value, zeroed, is
 * the caller's to fill, as long as no further array is added. */
int an_snapshot_array_add(struct an_snapshot_meta *m, const char *name, int64_t n, double **value);
/* The values of that name of a record that was read, on every rank; NULL: there are none, or not n. */
const double *an_snapshot_array_get(const struct an_snapshot_meta *m, const char *name, int64_t n);

/* Adds a line `kind = text` to m->notes, kind being "case" or "warning"; AN_FAIL without memory. */
int an_snapshot_note(struct an_snapshot_meta *m, const char *kind, const char *text);

/* A piece of a zone held by this rank: cells lo <= c < hi of zone `zone`. */
struct an_snapshot_piece {
    int zone;
    int lo[3], hi[3];
    const void *const
        *field;         /* [nfield], each [nk][nj][ni] in meta.precision; for reading: void ** */
    const double *node; /* m, [3][nk+1][nj+1][ni+1]; NULL: grid.cgns is made from the mesh's file */
};

/* Collective. Writes folder/grid.cgns from the pieces' nodes (from the file of the mesh where a piece
 * has none), unless a file with these coordinates is there; a grid.cgns of other coordinates becomes
 * grid.cgns.old. *coordinates gets their checksum on all ranks. AN_INPUT where a file of that name
 * was not written by annulus. */
int an_snapshot_geometry(MPI_Comm comm, const char *folder, const struct an_mesh *mesh, int npiece,
                         const struct an_snapshot_piece *piece, uint64_t *coordinates);

/* Collective. Writes `folder`/`stem`_NNNNNNNN.cgns (8 digits of the iteration) and returns its name
 * in path[1024]. field_name[nfield]: CGNS names (Density, MomentumX, ..., EnergyStagnationDensity,
 * Pressure, ...). `mesh` supplies topology (zones, boundaries); meta->mesh_hash is taken from it and
 * meta->coordinates from the nodes. The pieces of all ranks cover every cell once; a rank may have
 * none. AN_INPUT: the folder cannot be written. AN_FAIL: the disk is full or fails; the temporary
 * file is removed and older snapshots are untouched. The status is the same on all ranks. */
int an_snapshot_write(MPI_Comm comm, const char *folder, const char *stem,
                      const struct an_mesh *mesh, const struct an_snapshot_meta *meta, int nfield,
                      const char *const *field_name, int npiece,
                      const struct an_snapshot_piece *piece, char *path);

/* Collective. Checks that the file is a whole snapshot of this mesh (NULL: of any); AN_INPUT and plain words if
 * not. The controls of *meta are then the caller's to free. */
int an_snapshot_read_meta(MPI_Comm comm, const char *path, const struct an_mesh *mesh,
                          struct an_snapshot_meta *meta);
/* Collective. Reads fields of the pieces, converting to `precision` when the file's differs. When
 * the pieces of all ranks hold every cell, the fields' checksums are compared: AN_INPUT where the
 * values are damaged. */
int an_snapshot_read(MPI_Comm comm, const char *path, const struct an_mesh *mesh,
                     enum an_precision precision, int nfield, const char *const *field_name,
                     int npiece, const struct an_snapshot_piece *piece);

/* path[1024] of the file of an iteration: FOLDER/STEM_ITERATION.cgns. Not collective. */
int an_snapshot_path(const char *folder, const char *stem, int64_t iteration, char *path);
/* The newest whole snapshot in folder, by iteration; AN_INPUT when there is none. Not collective.
 */
int an_snapshot_latest(const char *folder, const char *stem, char *path);
/* Not collective (rank 0): removes all but the newest `keep` snapshots (keep = 0 keeps all), and
 * stale *.tmp. */
int an_snapshot_tidy(const char *folder, const char *stem, int keep);
/* Not collective (rank 0): renames the snapshots of iterations > `after`, which a run that starts
 * there makes anew, to *.cgns.old, so that none of them is taken for its `latest` or crowds its own
 * out of `keep`. *count: how many. */
int an_snapshot_set_aside(const char *folder, const char *stem, int64_t after, int *count);

#endif

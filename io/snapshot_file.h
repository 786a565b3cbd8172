/* Parts of io/snapshot.c that are files of their own: the record, the skeleton, the grid file.
 *
 * A snapshot holds, as CGNS nodes:
 *   /Base/Annulus                  Descriptor_t: the record below
 *   /Base/TimeIterValues           TimeValues of unsteady runs, IterationValues
 *   /Base/<family>                 one per boundary, with its FamilyBC_t
 *   /Base/Coordinates              Descriptor_t: for people, where the coordinates are
 *   /Base/<zone>                   sizes; ZoneBC with one BC_t per patch. Zones stand in the order of the mesh's file
 *   /Base/<zone>/GridCoordinates   link to grid.cgns in the same folder, or the coordinates
 *   /Base/<zone>/ZoneGridConnectivity  one GridConnectivity1to1_t per interface, with its periodicity
 *   /Base/<zone>/RotatingCoordinates   of zones that turn: speed in rad/s about x
 *   /Base/<zone>/FlowSolution      CellCenter, one DataArray_t per field
 *
 * The record is text, `key = value` line by line, closed by the hash of itself. It also carries one
 * checksum per field, so that a damaged file is found out and not computed with; io/snapshot_seal.c
 * covers the bytes that are not values.
 *
 * grid.cgns holds the coordinates in metres, made once per folder, and their checksum. Snapshots do not
 * link to the mesh itself: HDF5 links cannot reach ADF files, planes of 2-D zones have to be
 * extruded, other length units would show another size, and a folder that needs nothing outside can
 * be moved.
 */
#ifndef AN_IO_SNAPSHOT_FILE_H
#define AN_IO_SNAPSHOT_FILE_H

#include "io/snapshot.h"

#define AN_SNAPSHOT_RECORD  "Annulus"
#define AN_GRID_FILE        "grid.cgns"
#define AN_SNAPSHOT_FIELDS  256       /* at most; the vectors of an accelerated march are 175 */
#define AN_SNAPSHOT_LONGEST (1 << 28) /* bytes of a record, more are none */

/* What the record says. */
struct an_snapshot_record {
    struct an_snapshot_meta meta;
    int nzone, nfield;
    char field[AN_SNAPSHOT_FIELDS][AN_NAME];
    uint64_t checksum[AN_SNAPSHOT_FIELDS];
};

/* The record as text, malloc'ed; NULL without memory. */
char *an_snapshot_record_print(const struct an_snapshot_record *r);
/* AN_INPUT, naming `path`, unless text[length] is such a record, whole and unchanged. The controls
 * of r->meta are then the caller's to free. */
int an_snapshot_record_parse(const char *path, const char *text, size_t length,
                             struct an_snapshot_record *r);

/* Everything but the cells' values, made with the CGNS library; grid.cgns is in the
 * same folder already. One rank. */
int an_snapshot_skeleton(const char *path, const struct an_mesh *mesh,
                         const struct an_snapshot_record *record);
/* Of an open file of one base: units, steady or not, and the time or iteration by which ParaView
 * orders a series. */
int an_snapshot_time(const char *path, int fn, const struct an_snapshot_meta *meta);

/* Bytes to reserve for all that is not cells or nodes, and for the coordinates of all nodes. */
int64_t an_snapshot_overhead(const struct an_topology *t, int nfield);
int64_t an_snapshot_nodes_bytes(const struct an_topology *t);

/* One rank. Adds the seal to a finished file; AN_INPUT from the check when the file is not sealed
 * or any byte outside the cells' values has changed. */
int an_snapshot_seal(const char *path, const struct an_topology *t,
                     const struct an_snapshot_record *r);
int an_snapshot_seal_check(const char *path);

/* Opens `path` on one rank and reads the record; with a mesh, checks zones, sizes, hash and the
 * shape of every field too. AN_INPUT and plain words when it is not a whole snapshot of the mesh.
 * The controls of record->meta are the caller's to free where it is.
 */
int an_snapshot_inspect(const char *path, const struct an_mesh *mesh,
                        struct an_snapshot_record *record);

/* Collective. Moves the cells of the pieces between memory and an open-able file, field by field.
 * `precision` is that of the pieces; the file's is file_precision (equal when writing). When
 * reading, checksum[nfield] gets the sum over all ranks of what was read, and *cells how many cells
 * that were. */
struct an_snapshot_transfer {
    const char *path;
    const struct an_topology *topology;
    enum an_precision precision, file_precision;
    int nfield, npiece, writing;
    const char *const *field_name;
    const struct an_snapshot_piece *piece;
};
int an_snapshot_move(MPI_Comm comm, const struct an_snapshot_transfer *t, uint64_t *checksum,
                     int64_t *cells);

/* Adds the checksum of cells lo <= c < hi of a zone, held contiguously in data. The checksum is the
 * sum of one hash per cell, of its value and its place: it does not depend on how zones are cut,
 * and any single changed value changes it. */
uint64_t an_snapshot_checksum(const struct an_topology *t, int zone, const int lo[3],
                              const int hi[3], enum an_precision precision, const void *data);

/* Collective. The worst status of all ranks, with its text on all of them. */
int an_snapshot_agree(MPI_Comm comm, int status);

#endif

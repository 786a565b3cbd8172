/* Temperatures of solids: a CGNS file of structured zones with one value per node.
 *
 *   /Solid                    three dimensions, SI units
 *   /Solid/TimeIterValues     as in snapshots (io/snapshot.h)
 *   /Solid/<zone>             sizes, GridCoordinates, FlowSolution at Vertex: Temperature, K
 *
 * Written under a temporary name, renamed when whole; opens in ParaView beside the snapshots, several files as a series.
 * Results only: the snapshot itself has what a restart needs.
 */
#ifndef AN_IO_SOLID_FILE_H
#define AN_IO_SOLID_FILE_H

#include "io/snapshot.h"

struct an_solid_block {
    char name[AN_NAME]; /* names differ */
    int n[3];           /* cells */
    double *x;          /* nodes, [3][n[2] + 1][n[1] + 1][n[0] + 1], m */
    double *T;          /* [n[2] + 1][n[1] + 1][n[0] + 1], K */
};

/* Not collective (rank 0). Writes `folder`/solid_NNNNNNNN.cgns, 8 digits of meta's iteration. AN_INPUT: the folder cannot be
 * written. AN_FAIL: the disk is full or fails; the temporary file is removed. */
int an_solid_file_write(const char *folder, const struct an_snapshot_meta *meta, int nblock,
                        const struct an_solid_block *block);

#endif

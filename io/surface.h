/* Fields on surfaces: a CGNS file of structured patches with one value per face.
 *
 *   /Base                     cells of 2 dimensions in space of 3, SI units
 *   /Base/TimeIterValues      as in snapshots (io/snapshot.h)
 *   /Base/<family>            one per family named by a patch: FamilyBC BCWallViscous
 *   /Base/<patch>             sizes, GridCoordinates, FlowSolution at CellCenter, FamilyName
 *
 * Written under a temporary name, renamed when whole; opens in ParaView as a surface, several files as a
 * series. Results only: nothing is restarted from it.
 */
#ifndef AN_IO_SURFACE_H
#define AN_IO_SURFACE_H

#include "io/snapshot.h"

struct an_surface {
    char name[AN_NAME], family[AN_NAME]; /* names differ */
    int n[2];                            /* faces along its two directions */
    const double *x;                     /* nodes, [3][n[1] + 1][n[0] + 1], m */
    const double *field;                 /* [nfield][n[1]][n[0]] */
};

/* Not collective (rank 0). Writes `folder`/`stem`_NNNNNNNN.cgns, 8 digits of meta's iteration, and
 * returns its name in path[1024]. AN_INPUT: the folder cannot be written. AN_FAIL: the disk is full
 * or fails; the temporary file is removed. */
int an_surface_write(const char *folder, const char *stem, const struct an_snapshot_meta *meta,
                     int nfield, const char *const *field_name, int nsurface,
                     const struct an_surface *surface, char *path);

/* Not collective. Reads a field of the patch s->name of a file that an_surface_write wrote, into field[n[1]][n[0]].
 * AN_INPUT, naming file and patch: the file cannot be read, has no such patch or field, or the patch has other sizes. */
int an_surface_read(const char *path, const struct an_surface *s, const char *field_name,
                    double *field);

#endif

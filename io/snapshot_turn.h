/* Pieces of turned zones (io/mesh_turn.c) in the order of the file, for snapshots. */
#ifndef AN_IO_SNAPSHOT_TURN_H
#define AN_IO_SNAPSHOT_TURN_H

#include "io/snapshot.h"

struct an_filed {
    struct an_mesh mesh; /* a view: not to be closed */
    int npiece, nfield;
    struct an_snapshot_piece
        *piece; /* [npiece] with arrays of its own where the zone is turned; owned */
    int *turn;  /* [npiece]; owned */
};

/* Copies nodes, and with `precision` not 0 the fields, into the order of the file where zones are turned. Not
 * collective; free also after a failure. */
int an_filed_new(const struct an_mesh *mesh, int npiece, const struct an_snapshot_piece *piece,
                 int nfield, int precision, struct an_filed *f);
/* Copies fields that were read back into the caller's pieces. */
void an_filed_back(const struct an_filed *f, const struct an_snapshot_piece *piece, int precision);
void an_filed_free(struct an_filed *f);

#endif

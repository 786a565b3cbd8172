/* The fields of a state, and packed arrays as snapshots hold them. Not collective. */
#ifndef AN_SOLVER_PACKED_H
#define AN_SOLVER_PACKED_H

#include "io/snapshot.h"
#include "kernels/engine/engine.h"
#include "solver/level/component.h"

struct an_solver;

/* Arrays for each field and local block, without ghost cells, as snapshots need them. */
struct an_packed {
    int n; /* arrays */
    struct an_snapshot_piece *piece;
    void **field; /* [nlocal * nfield] */
};
int an_packed_new(const struct an_solver *s, int nfield, struct an_packed *p);
void an_packed_free(struct an_packed *p);
/* Place and nodes of block b, without fields. */
void an_packed_piece(const struct an_solver *s, int b, struct an_snapshot_piece *to);
/* Copies the interior of block b from the image of a field to a packed array; to_image: 1: from the
 * array to the image. threads: that share it, of the rank; a thread which the rank has made does not know their number. */
void an_pack(const struct an_layout *l, const struct an_block *b, char *image, char *packed,
             int to_image, int threads);

/* Lists the fields that make up the state: conserved variables, variables of turbulence or the eddy
 * viscosity of the mixing length, the residual that the scree scheme keeps, and fields of parts.
 * Returns their number. */
int an_state_fields(const struct an_solver *s, struct an_state_field state[AN_MOST_STATE]);

#endif

/* The fields of a state, and packed arrays as snapshots hold them. Not collective. */
#ifndef AN_SOLVER_PACKED_H
#define AN_SOLVER_PACKED_H

#include "io/snapshot.h"
#include "kernels/engine/engine.h"
#include "solver/level/part.h"

struct an_solver;

/* Packed arrays [nfield] for each local block, as snapshots want them. */
struct an_packed {
    int n; /* arrays */
    struct an_snapshot_piece *piece;
    void **field; /* [nlocal * nfield] */
};
int an_packed_new(const struct an_solver *s, int nfield, struct an_packed *p);
void an_packed_free(struct an_packed *p);
/* Place and nodes of block b, without fields. */
void an_packed_piece(const struct an_solver *s, int b, struct an_snapshot_piece *to);
/* The interior of block b of a field image, packed. to_image: the other way. */
void an_pack(const struct an_layout *l, const struct an_block *b, char *image, char *packed,
             int to_image);

/* What makes a state: the conserved, the variables of turbulence or the eddy viscosity of the
 * mixing length, what scree keeps of earlier residuals, fields of parts. Returns how many. */
int an_state_fields(const struct an_solver *s, struct an_state_field state[AN_MOST_STATE]);

#endif

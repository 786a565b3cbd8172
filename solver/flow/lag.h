/* Ghost cells behind phase-lagged periodic boundaries of a level (kernels/physics/lag.h has the formulas).
 *
 *     exchange ..... the ghost cells hold the present values of the partner, turned into this block's axes
 *     swap ......... these are kept as samples for the series, and lagged values take their place
 *
 * The part phase_lag (solver/boundary/phase_lag.h) owns the arrays, and computes lagged values once a time
 * step. Series belong to the ghost cells, not to their donors, so nothing more travels than the exchange
 * brings, and the bits do not depend on the ranks. All of it may be recorded.
 */
#ifndef AN_SOLVER_LAG_H
#define AN_SOLVER_LAG_H

#include "kernels/engine/engine.h"

struct an_solver;
struct an_level;

enum { AN_MOST_LAGGED = 8 };

/* Components of a field whose ghosts lag. */
struct an_lag_kind {
    enum an_field field;
    int component, words, layers; /* words components from this one on, in so many layers */
    int normal; /* 1: spectral radii: only the component across the face travels */
    int at;     /* where its words stand among those of a face */
    int known;  /* 0: nothing is given yet: the partner's present values hold */
};

struct an_lag {
    struct an_faces *faces; /* of this rank; NULL: none */
    int words;              /* of a face */
    int nkind;
    struct an_lag_kind kind[AN_MOST_LAGGED];
    void *present, *given; /* engine: LAG_PRESENT, LAG_GIVEN */
};

/* After an exchange of ncomp components at `base`, `vector` as of an_halo_start. Does nothing where the
 * level has no phase lag or the field is none of its kinds. Not collective. */
int an_level_lag(struct an_solver *s, struct an_level *l, void *base, int ncomp, int vector);

#endif

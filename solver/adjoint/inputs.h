/* Gradients of figures by numbers of the case file: values of boundaries, speeds of rows, any key that is a number.
 *
 * Each key is changed by a small step to either side, and the case, as `annulus run` keeps it in effective.yaml, is read and set up anew: whatever follows from the
 * key follows as it does in a run. With the same state Q, whose adjoint is known, the difference of residuals and
 * figures gives
 *
 *     dF/da = [F(Q, a + h) - F(Q, a - h) - lambda^T (R(Q, a + h) - R(Q, a - h))] / 2 h */
#ifndef AN_ADJOINT_INPUTS_H
#define AN_ADJOINT_INPUTS_H

#include "solver/adjoint/adjoint.h"

enum { AN_MOST_VALUES = 8 };

struct an_adjoint_input {
    char key[128]; /* "boundaries.inlet.p0" */
    int n;         /* numbers: 1, or those of a list */
    double value[AN_MOST_VALUES];
    double *gradient; /* [nfigure][n] figure per unit of the key; owned */
};

struct an_adjoint_inputs {
    int n;
    struct an_adjoint_input *input; /* [n]; owned */
};

/* Finds the keys and their values; after an_adjoint_new. nkey 0: total conditions, directions, pressures, mass flows, throttles and states of
 * the boundaries that gas passes, temperatures, heat fluxes and rotations of walls, and rotations of rows. AN_INPUT where a key is not a
 * number of the case. *g is the caller's to free, after an error, too. Collective. */
int an_adjoint_inputs_new(const struct an_adjoint *a, int nkey, const char *const *key,
                          struct an_adjoint_inputs *g);
/* Computes the gradients; after an_adjoint_solve, the mesh open. AN_INPUT where the case refuses a changed value, AN_FAIL where
 * the output folder cannot be written. Collective. */
int an_adjoint_inputs_gradients(const struct an_adjoint *a, struct an_adjoint_inputs *g);
void an_adjoint_inputs_free(struct an_adjoint_inputs *g);

#endif

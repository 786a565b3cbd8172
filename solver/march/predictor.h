/* A first guess of the flow at the next setting of a map: the flow of the last point, moved on by what it changed
 * from the point before,
 *
 *     W = W_1 + f (W_1 - W_2),   f = (setting - setting_1) / (setting_1 - setting_2), at most AN_PREDICTOR_MOST,
 *
 * the secant predictor of continuation methods (Allgower and Georg, Numerical Continuation Methods, 1990, section
 * 2.2). The conserved state, what a turbulence model transports and the targets of mixing planes move; the step is
 * shortened as a whole so that no cell's density or pressure changes by more than a fifth. Waves need not run through
 * all rows of a machine then before its flow knows the new setting.
 *
 * Memory: two vectors of the unknowns, and one more for a moment. Where these do not fit, points begin from the flow of
 * the last one. All functions are collective.
 */
#ifndef AN_SOLVER_PREDICTOR_H
#define AN_SOLVER_PREDICTOR_H

#include "solver/march/mixing_history.h"

#define AN_PREDICTOR_MOST 1.0

struct an_predictor {
    int n;                        /* flows kept, at most 2 */
    double setting[2];            /* the last one's first */
    struct an_mix_vector flow[2]; /* owned */
    double *target[2];            /* [an_mixing_numbers], owned; NULL: no mixing planes */
};

/* The present flow is that of a point which ended well. */
int an_predictor_keep(struct an_solver *s, struct an_predictor *p, double setting);
/* Moves the present flow, which is the last one kept, to a setting. *part: f, or what is left of it; 0: the flow stays. */
int an_predictor_move(struct an_solver *s, struct an_predictor *p, double setting, double *part);
void an_predictor_free(struct an_solver *s, struct an_predictor *p);

#endif

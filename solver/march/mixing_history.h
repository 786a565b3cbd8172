/* The cycles that Anderson mixing remembers (mixing_weights.h), in engine memory.
 *
 * A vector holds the unknowns of all cells: the conserved state, and behind it what a turbulence model
 * transports. Of each cycle the history keeps G, the state after it, and f, the change by it, with
 * each component multiplied by a scale of its own, so that all components count alike whatever their
 * unit. Scales are powers of two: nothing is rounded.
 *
 *     before ... the state x is copied to where f will stand
 *     take ..... f = scale (G - x) and G of the cycle that has just ended; the host does not wait
 *     step ..... products of each f taken since the last step with the f of all cycles kept
 *                (mix_products.stencil, four products in a launch, one result that the host waits
 *                for, one sum over the ranks); the state moves by sum c_j (G_j - G), shortened as a
 *                whole so that no cell's density or pressure changes by more than a fifth
 *
 * Products are exact sums (mpi/reduce.h), so that the coefficients are the same bits on any number of
 * ranks. Memory: two vectors for each cycle; one more, `work`, is the caller's to lend.
 */
#ifndef AN_SOLVER_MIXING_HISTORY_H
#define AN_SOLVER_MIXING_HISTORY_H

#include "solver/level/level.h"
#include "solver/march/mixing_weights.h"

enum { AN_MIX_COMPONENTS = 7, AN_MIX_GROUP = 4 }; /* of f: that follow each other in memory */

struct an_mix_vector {
    void *flow, *turbulence; /* [5][ncell], [0 to 2][ncell] behind it */
};

struct an_mix_history {
    int room;    /* cycles there is memory for, a multiple of AN_MIX_GROUP; 0: none was taken */
    int n, next; /* cycles kept; the slot that the next one goes to */
    int owed;    /* newest cycles whose products are still to be found */
    double scale[AN_MIX_COMPONENTS];
    void *group[AN_MIX_CYCLES / AN_MIX_GROUP]; /* f of slots 4 g to 4 g + 3; owned */
    struct an_mix_vector g[AN_MIX_CYCLES];     /* by slot; owned */
    double product[AN_MIX_CYCLES][AN_MIX_CYCLES];
};

/* Squares of the change by a cycle that began at x, summed over the cells of all ranks:
 * mix_norm.stencil. */
struct an_mix_norms {
    double density, momentum, energy, turbulence[AN_NCOMP_TURB];
    double relative; /* of the density relative to itself */
};
/* Collective. */
int an_mix_norm(struct an_solver *s, const struct an_mix_vector *x, struct an_mix_norms *norm);

int an_mix_components(const struct an_solver *s); /* of a vector */
struct an_mix_vector an_mix_state(const struct an_solver *s);
int an_mix_vector_new(struct an_solver *s, struct an_mix_vector *v);
void an_mix_vector_free(struct an_solver *s, struct an_mix_vector *v);
int an_mix_copy(struct an_solver *s, const struct an_mix_vector *to,
                const struct an_mix_vector *from);

/* Memory for as many cycles as there is room for on every rank; h->room 0: for fewer than
 * `least`. Collective. */
int an_mix_take_memory(struct an_solver *s, struct an_mix_history *h, int least);
void an_mix_free_memory(struct an_solver *s, struct an_mix_history *h);
void an_mix_forget(struct an_mix_history *h);
/* f of a slot. */
struct an_mix_vector an_mix_change(const struct an_solver *s, const struct an_mix_history *h,
                                   int slot);

int an_mix_before(struct an_solver *s, const struct an_mix_history *h);
int an_mix_take(struct an_solver *s, struct an_mix_history *h);
/* The state after the mixing; nothing where there is nothing to gain. Ghost cells follow.
 * Collective. */
int an_mix_step(struct an_solver *s, struct an_mix_history *h, const struct an_mix_vector *work);
/* The state moves by `step`, shortened as a whole so that no cell's density or pressure changes by more than a fifth;
 * *part is what is left of it, 0 to 1; 0 where `step` is no number somewhere: nothing moves then. Collective. */
int an_mix_move(struct an_solver *s, const struct an_mix_vector *step, double *part);
/* v = factor (from - v). */
int an_mix_difference(struct an_solver *s, const struct an_mix_vector *v,
                      const struct an_mix_vector *from, double factor);
/* All products anew, of a history that was read. Collective. */
int an_mix_products(struct an_solver *s, struct an_mix_history *h);

#endif

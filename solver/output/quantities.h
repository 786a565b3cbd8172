/* Output fields (io/output_fields.h) of the present state. */
#ifndef AN_SOLVER_QUANTITIES_H
#define AN_SOLVER_QUANTITIES_H

#include "io/output_fields.h"
#include "kernels/physics/fields.h"

struct an_solver;

/* Where a field of the engine stands that is an output field: *field and the component; 0: the
 * field is computed on the host, an_quantities_block. */
int an_quantity_on_engine(enum an_output what, enum an_field *field, int *component);

enum { AN_QUANTITY_IMAGES = 17 };

/* Fields that are computed on the host, and what they are computed from, which the march does not
 * change: any thread may compute them while the march goes on. */
struct an_quantities {
    int n;
    enum an_output what[AN_NOUTPUT];
    /* of an_quantities_prepare */
    char *image
        [AN_QUANTITY_IMAGES]; /* components of engine fields, page-locked; NULL: never needed; owned */
    int gradient, eddy;       /* 1: one of them needs gradients; eddy viscosity and wall distance */
    double *units;            /* an_wall_units; NULL: no field needs them; owned */
    double *omega;            /* [nlocal] rad/s of each block; owned */
    struct an_params params;
    double p_ref, T_ref; /* Pa, K: where the entropy is zero */
    int threads;         /* of the rank; another thread than that of the march does not know them */
};

/* Brings to the host what q->what[q->n] need: where one of them needs gradients, the ghost cells of W
 * are filled and GRAD is found from W; where one of them needs wall units, the state is measured
 * unless it has been, which uses the work fields of an iteration. q is zero but for these two, or has been prepared
 * before. Collective; an_quantities_free follows in any case. */
int an_quantities_prepare(struct an_solver *s, struct an_quantities *q);
/* The fields of local block b into to[q->n], each [nk][nj][ni] in the run's precision. Any thread; the
 * threads of the rank share the cells. */
void an_quantities_block(const struct an_solver *s, const struct an_quantities *q, int b,
                         void **to);
void an_quantities_free(struct an_solver *s, struct an_quantities *q);

#endif

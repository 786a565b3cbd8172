/* Values on boundary faces, and sums of what passes them. */
#include "kernels/base/threads.h"
#include "mpi/reduce.h"
#include "solver/flow/flow.h"
#include "solver/level/level.h"
#include "solver/level/transfer.h"

#include <stdlib.h>

enum { RESULTS = 2 }; /* stream */

int an_face_results_start(struct an_solver *s, enum an_stencil stencil, enum an_field slot,
                          struct an_faces *faces, void *field, void *image, int64_t n)
{
    const struct an_engine_ops *op = s->engine->op;
    struct an_fields f = s->level->fields;
    f.at[slot] = field;
    AN_TRY(op->run_faces(s->engine, stencil, s->scheme, faces, &f, &s->params, NULL, 0));
    AN_TRY(op->wait(s->engine, RESULTS, 0));
    return op->download(s->engine, image, field, (size_t)n * (size_t)s->level->layout.precision,
                        RESULTS);
}

int an_face_results_wait(struct an_solver *s)
{
    return s->engine->op->sync(s->engine, RESULTS);
}

void an_face_results_take(const struct an_solver *s, const void *image, int64_t n, double *value)
{
    enum { NUMBERS = 40000 }; /* of a thread, at least */
    const enum an_precision precision = s->level->layout.precision;
#pragma omp parallel for schedule(static) num_threads(an_threads_of(n / NUMBERS))
    for (int64_t m = 0; m < n; m++)
        value[m] = an_real_get(precision, image, m);
}

int an_solver_integrate(struct an_solver *s, struct an_faces *faces, double (*total)[AN_NINTEGRAL])
{
    const int n = s->level->partition.topology.nboundary * AN_NINTEGRAL;
    struct an_params inviscid = s->params; /* friction carries no mass, and GRAD is not of W */
    inviscid.fluid.viscosity = AN_VISCOSITY_NONE;
    struct an_xsum *sum = calloc((size_t)n + 1, sizeof *sum);
    AN_CHECK(sum, AN_FAIL, "out of memory for boundary integrals");
    int status = s->engine->op->run_faces(s->engine, AN_S_boundary_integral, s->scheme, faces,
                                          &s->level->fields, &inviscid, sum, 0);
    if (status == AN_OK)
        status = an_reduce_xsum(s->comm, n, sum);
    for (int m = 0; m < n && status == AN_OK; m++)
        total[m / AN_NINTEGRAL][m % AN_NINTEGRAL] = an_xsum_value(sum[m]);
    free(sum);
    return status;
}

#include "solver/march/predictor.h"

#include "mpi/reduce.h"
#include "solver/boundary/mixing.h"
#include "solver/flow/fields.h"

#include <math.h>
#include <stdlib.h>

/* Memory for one more flow on every rank; *v without any: there is too little. */
static int take_memory(struct an_solver *s, struct an_mix_vector *v)
{
    double there = an_mix_vector_new(s, v) == AN_OK;
    AN_TRY(an_reduce_min(s->comm, 1, &there));
    if (!(there > 0))
        an_mix_vector_free(s, v);
    return AN_OK;
}

int an_predictor_keep(struct an_solver *s, struct an_predictor *p, double setting)
{
    const int numbers = an_mixing_numbers(s);
    const struct an_mix_vector oldest = p->flow[1], now = an_mix_state(s);
    double *target = p->target[1];
    p->flow[1] = p->flow[0];
    p->target[1] = p->target[0];
    p->setting[1] = p->setting[0];
    p->flow[0] = oldest;
    p->target[0] = target;
    p->setting[0] = setting;
    AN_TRY(take_memory(s, &p->flow[0]));
    if (numbers && !p->target[0])
        p->target[0] = calloc((size_t)numbers, sizeof *p->target[0]);
    AN_CHECK(!numbers || p->target[0], AN_FAIL, "out of memory for a map");
    if (!p->flow[0].flow) {
        p->n = 0;
        return AN_OK;
    }
    p->n += p->n < 2;
    an_mixing_targets(s, p->target[0]);
    return an_mix_copy(s, &p->flow[0], &now);
}

int an_predictor_move(struct an_solver *s, struct an_predictor *p, double setting, double *part)
{
    struct an_mix_vector step = {NULL, NULL};
    const double f = p->n < 2 ? 0 : (setting - p->setting[0]) / (p->setting[0] - p->setting[1]);
    *part = 0;
    if (!(f > 0) || !isfinite(f))
        return AN_OK;
    AN_TRY(take_memory(s, &step));
    if (!step.flow)
        return AN_OK;
    const double factor = fmin(f, AN_PREDICTOR_MOST);
    int status = an_mix_copy(s, &step, &p->flow[1]);
    if (status == AN_OK)
        status = an_mix_difference(s, &step, &p->flow[0], factor);
    if (status == AN_OK)
        status = an_mix_move(s, &step, part);
    *part *= factor;
    if (status == AN_OK && *part > 0 && p->target[0]) {
        status = an_mixing_move(s, p->target[0], p->target[1], *part);
        if (status == AN_OK)
            status = an_solver_refresh(s); /* ghosts at the planes */
    }
    const int done = s->engine->op->sync(s->engine, 0); /* before its memory goes */
    an_mix_vector_free(s, &step);
    return status == AN_OK ? done : status;
}

void an_predictor_free(struct an_solver *s, struct an_predictor *p)
{
    for (int n = 0; n < 2; n++) {
        an_mix_vector_free(s, &p->flow[n]);
        free(p->target[n]);
        p->target[n] = NULL;
    }
    p->n = 0;
}

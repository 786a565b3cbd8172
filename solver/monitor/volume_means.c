#include "solver/monitor/volume_means.h"

#include "io/history.h"
#include "mpi/reduce.h"
#include "solver/flow/flow.h"
#include "solver/level/component.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdlib.h>

/* As stencil volume_sums has them. */
enum { VOLUME, ENERGY, ENSTROPHY, NTERM };

struct volume_means {
    struct an_reduction sums;
    double value[AN_NVOLUME];
};

static int volume_means_make(struct an_solver *s, void **component)
{
    if (!s->c->monitors.volume)
        return AN_OK;
    struct volume_means *m = calloc(1, sizeof *m);
    *component = m;
    AN_CHECK(m, AN_FAIL, "out of memory for means over the volume");
    for (int n = 0; n < AN_NVOLUME; n++)
        m->value[n] = NAN;
    return AN_OK;
}

static void volume_means_destroy(struct an_solver *s, void *component)
{
    (void)s;
    free(component);
}

static int volume_means_measure_start(struct an_solver *s, void *component)
{
    struct volume_means *m = component;
    struct an_level *l = s->level;
    if (s->params.fluid.viscosity) /* engines leave the gradient out where they do not need it */
        AN_TRY(an_level_gradient(s, l, l->fields.at[AN_F_W]));
    return s->engine->op->run(s->engine, AN_S_volume_sums, l->interior, &l->fields, &s->params,
                              &m->sums, 0);
}

static int volume_means_measure_finish(struct an_solver *s, void *component,
                                       const struct an_measured *measured)
{
    struct volume_means *m = component;
    (void)measured;
    AN_TRY(an_reduce_xsum(s->comm, NTERM, m->sums.sum));
    const double volume = an_xsum_value(m->sums.sum[VOLUME]);
    m->value[AN_VOLUME_ENERGY] = an_xsum_value(m->sums.sum[ENERGY]) / volume;
    m->value[AN_VOLUME_ENSTROPHY] =
        s->params.fluid.viscosity ? an_xsum_value(m->sums.sum[ENSTROPHY]) / volume : NAN;
    return AN_OK;
}

const struct an_component_type an_volume_means_component = {
    .name = "means over the volume",
    .make = volume_means_make,
    .destroy = volume_means_destroy,
    .measure_start = volume_means_measure_start,
    .measure_finish = volume_means_measure_finish};

const double *an_volume_means_of(const struct an_solver *s)
{
    const struct volume_means *m = an_component_of(s, &an_volume_means_component);
    return m ? m->value : NULL;
}

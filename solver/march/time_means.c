#include "solver/march/time_means.h"

#include "solver/level/begun.h"
#include "solver/level/level.h"
#include "solver/march/cfl.h"

#include <stdlib.h>

struct means {
    double total; /* s, of the states added; 0: none */
    struct an_begun begun;
};

static const char *const name[AN_NCOMP_MEAN] = {
    "DensityMean", "VelocityXMean", "VelocityYMean", "VelocityZMean", "PressureMean",
    "TemperatureMean", "DensityRMS", "VelocityXRMS", "VelocityYRMS", "VelocityZRMS", "PressureRMS",
    "TemperatureRMS", "VelocityXFavreMean", "VelocityYFavreMean", "VelocityZFavreMean",
    "TemperatureFavreMean", "VelocityXFavreRMS", "VelocityYFavreRMS", "VelocityZFavreRMS",
    "TemperatureFavreRMS",
    /* of the means, what rounding has left: mean_add.stencil */
    "DensityMeanRest", "VelocityXMeanRest", "VelocityYMeanRest", "VelocityZMeanRest",
    "PressureMeanRest", "TemperatureMeanRest", "VelocityXFavreMeanRest", "VelocityYFavreMeanRest",
    "VelocityZFavreMeanRest", "TemperatureFavreMeanRest"};

static int time_means_make(struct an_solver *s, void **component)
{
    if (!an_case_has_means(s->c))
        return AN_OK;
    struct means *m = calloc(1, sizeof *m);
    *component = m;
    AN_CHECK(m, AN_FAIL, "out of memory for means over time");
    m->begun = (struct an_begun){.name = "means", .path = "output.means_from", .key = -1};
    return an_level_alloc(s, s->level, AN_F_MEAN);
}

static void time_means_destroy(struct an_solver *s, void *component)
{
    (void)s;
    free(component);
}

static int time_means_expect(struct an_solver *s, void *component,
                             const struct an_snapshot_meta *meta)
{
    struct means *m = component;
    m->total = an_snapshot_control_get(meta, "means.total", 0);
    return an_begun_expect(&m->begun, meta, s->c->output.means_from, m->total > 0);
}

static int time_means_start(struct an_solver *s, void *component, int fresh)
{
    if (fresh ||
        s->iteration <= s->c->output.means_from) /* those of a snapshot are not wanted yet */
        ((struct means *)component)->total = 0;
    return AN_OK;
}

/* Not recorded with the iteration, because the weight changes from step to step. */
static int time_means_after_step(struct an_solver *s, void *component)
{
    struct means *m = component;
    const double dt = an_marching_of(s)->time_step;
    struct an_params p = s->params;
    if (s->iteration <= s->c->output.means_from || !(dt > 0))
        return AN_OK;
    if (!(m->total > 0))
        an_begun_note(&m->begun, s->c->output.means_from, s->iteration - 1);
    m->total += dt;
    p.means.weight = dt / m->total;
    return s->engine->op->run(s->engine, AN_S_mean_add, s->level->interior, &s->level->fields, &p,
                              NULL, 0);
}

static int time_means_fields(const struct an_solver *s, const void *component,
                             struct an_state_field *field)
{
    if (!(((const struct means *)component)->total > 0))
        return 0;
    for (int c = 0; c < AN_NCOMP_MEAN; c++)
        field[c] = (struct an_state_field){name[c], an_level_component(s->level, AN_F_MEAN, c), 1};
    return AN_NCOMP_MEAN;
}

static int time_means_keep(const struct an_solver *s, const void *component,
                           struct an_snapshot_meta *meta)
{
    (void)s;
    const struct means *m = component;
    if (!(m->total > 0))
        return AN_OK;
    AN_TRY(an_snapshot_control_add(meta, "means.total", m->total));
    return an_begun_keep(&m->begun, meta);
}

const struct an_component_type an_time_means_component = {.name = "means over time",
                                                          .after = AN_AFTER("march"),
                                                          .make = time_means_make,
                                                          .destroy = time_means_destroy,
                                                          .expect = time_means_expect,
                                                          .start = time_means_start,
                                                          .after_step = time_means_after_step,
                                                          .fields = time_means_fields,
                                                          .keep = time_means_keep};

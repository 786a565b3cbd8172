#include "solver/march/damping.h"
#include "solver/flow/flow.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/level/transfer.h"
#include "solver/march/cfl.h"

#include "kernels/base/numbers.h"

#include <stdlib.h>

struct damping {
    void *ones;                       /* [cells] of the engine; owned */
    int begun;                        /* field Y has the mean */
    enum { WAITS, BEGINS, ON } phase; /* of this iteration */
};

/* The stencil `update` takes alpha DT R off a state: here DT is one. */
static int fill_ones(struct an_solver *s, struct damping *d, void *image)
{
    const struct an_layout *l = &s->level->layout;
    for (int64_t n = 0; n < l->ncell; n++)
        an_real_put(l->precision, image, n, 1);
    const size_t bytes = (size_t)l->ncell * (size_t)l->precision;
    AN_TRY(s->engine->op->alloc(s->engine, bytes, &d->ones));
    AN_TRY(s->engine->op->upload(s->engine, d->ones, image, bytes, 0));
    return s->engine->op->sync(s->engine, 0);
}

static int damping_make(struct an_solver *s, void **component)
{
    if (!an_case_has_damping(s->c))
        return AN_OK;
    struct damping *d = calloc(1, sizeof *d);
    *component = d;
    const struct an_layout *l = &s->level->layout;
    void *image = malloc((size_t)l->ncell * (size_t)l->precision + 1);
    AN_CHECK(d && image, AN_FAIL, "out of memory for the damping");
    int status = fill_ones(s, d, image);
    if (status == AN_OK)
        status = an_level_alloc(s, s->level, AN_F_Y);
    free(image);
    return status;
}

static void damping_destroy(struct an_solver *s, void *component)
{
    struct damping *d = component;
    if (d->ones)
        s->engine->op->free(s->engine, d->ones);
    free(d);
}

/* Whether the mean is part of the state that is about to be read. */
static int damping_expect(struct an_solver *s, void *component, const struct an_snapshot_meta *meta)
{
    (void)s;
    ((struct damping *)component)->begun =
        an_snapshot_control_get(meta, "march.damping.begun", 0) > 0;
    return AN_OK;
}

static int damping_start(struct an_solver *s, void *component, int fresh)
{
    (void)s;
    struct damping *d = component;
    d->begun = d->begun && !fresh;
    return AN_OK;
}

static int damping_before_step(struct an_solver *s, void *component)
{
    struct damping *d = component;
    d->phase = s->iteration - an_marching_of(s)->ramp_from < s->c->march.damping_start ? WAITS
               : d->begun                                                              ? ON
                                                                                       : BEGINS;
    return AN_OK;
}

/* state -= part D. */
static int take_off(struct an_solver *s, const struct damping *d, enum an_field state, double part)
{
    struct an_fields f = s->level->fields;
    f.at[AN_F_R] = s->level->fields.at[AN_F_DW];
    f.at[AN_F_DT] = d->ones;
    f.at[AN_F_W0] = f.at[AN_F_WN] = s->level->fields.at[state];
    s->params.march.alpha = part;
    return s->engine->op->run(s->engine, AN_S_update, s->level->interior, &f, &s->params, NULL, 0);
}

static int damping_step(struct an_solver *s, void *component)
{
    const struct damping *d = component;
    const struct an_case *c = s->c;
    struct an_level *l = s->level;
    struct an_fields f = l->fields;
    if (d->phase == WAITS)
        return AN_OK;
    if (d->phase == BEGINS) {
        const size_t bytes = 5 * (size_t)l->layout.ncell * (size_t)l->layout.precision;
        return s->engine->op->copy(s->engine, f.at[AN_F_Y], f.at[AN_F_W], bytes, 0);
    }
    f.at[AN_F_WR] = f.at[AN_F_Y];
    s->params.march.alpha = 1;
    AN_TRY(s->engine->op->run(s->engine, AN_S_correction, l->interior, &f, &s->params, NULL, 0));
    AN_TRY(take_off(s, d, AN_F_Y, -1.0 / c->march.damping_window));
    AN_TRY(take_off(s, d, AN_F_W, c->march.damping));
    return an_level_ghosts(s, l, l->fields.at[AN_F_W]);
}

static int damping_after_step(struct an_solver *s, void *component)
{
    (void)s;
    struct damping *d = component;
    d->begun |= d->phase != WAITS;
    return AN_OK;
}

static int damping_phase(const struct an_solver *s, const void *component)
{
    (void)s;
    return (int)((const struct damping *)component)->phase;
}

/* The mean is part of the state once it has begun. */
static int damping_fields(const struct an_solver *s, const void *component,
                          struct an_state_field *field)
{
    static const char *const mean[5] = {"MeanDensity", "MeanMomentumX", "MeanMomentumY",
                                        "MeanMomentumZ", "MeanEnergyStagnationDensity"};
    if (!((const struct damping *)component)->begun)
        return 0;
    for (int c = 0; c < 5; c++)
        field[c] = (struct an_state_field){mean[c], an_level_component(s->level, AN_F_Y, c), 1};
    return 5;
}

static int damping_keep(const struct an_solver *s, const void *component,
                        struct an_snapshot_meta *meta)
{
    (void)s;
    return ((const struct damping *)component)->begun
               ? an_snapshot_control_add(meta, "march.damping.begun", 1)
               : AN_OK;
}

const struct an_component_type an_damping_component = {.name = "damping",
                                                       .after = AN_AFTER("march"),
                                                       .make = damping_make,
                                                       .destroy = damping_destroy,
                                                       .expect = damping_expect,
                                                       .start = damping_start,
                                                       .before_step = damping_before_step,
                                                       .step = damping_step,
                                                       .after_step = damping_after_step,
                                                       .phase = damping_phase,
                                                       .fields = damping_fields,
                                                       .keep = damping_keep};

void an_damping_forget(struct an_solver *s)
{
    struct damping *d = an_component_of(s, &an_damping_component);
    if (d)
        d->begun = 0;
}

#include "solver/march/damping.h"
#include "solver/flow/flow.h"
#include "solver/level/transfer.h"

#include <stdlib.h>

int an_damping_wanted(const struct an_case *c)
{
    return c->march.damping > 0 && c->march.mode == AN_MARCH_STEADY && an_case_is_implicit(c);
}

/* The stencil `update` takes alpha DT R off a state: here DT is one. */
static int fill_ones(struct an_solver *s, void *image)
{
    const struct an_layout *l = &s->level->layout;
    for (int64_t n = 0; n < l->ncell; n++)
        an_number_set(l->precision, image, n, 1);
    const size_t bytes = (size_t)l->ncell * (size_t)l->precision;
    AN_TRY(s->engine->op->alloc(s->engine, bytes, &s->damping.ones));
    AN_TRY(s->engine->op->upload(s->engine, s->damping.ones, image, bytes, 0));
    return s->engine->op->sync(s->engine, 0);
}

int an_damping_new(struct an_solver *s)
{
    if (!an_damping_wanted(s->c))
        return AN_OK;
    const struct an_layout *l = &s->level->layout;
    void *image = malloc((size_t)l->ncell * (size_t)l->precision + 1);
    AN_CHECK(image, AN_FAIL, "out of memory for the damping");
    int status = fill_ones(s, image);
    if (status == AN_OK)
        status = an_level_alloc(s, s->level, AN_F_Y);
    free(image);
    return status;
}

void an_damping_destroy(struct an_solver *s)
{
    if (s->damping.ones)
        s->engine->op->free(s->engine, s->damping.ones);
    s->damping.ones = NULL;
}

/* state -= part D. */
static int take_off(struct an_solver *s, enum an_field state, double part)
{
    struct an_fields f = s->level->fields;
    f.at[AN_F_R] = s->level->fields.at[AN_F_DW];
    f.at[AN_F_DT] = s->damping.ones;
    f.at[AN_F_W0] = f.at[AN_F_WN] = s->level->fields.at[state];
    s->params.alpha = part;
    return s->engine->op->run(s->engine, AN_S_update, s->level->interior, &f, &s->params, NULL, 0);
}

void an_damping_look(struct an_solver *s)
{
    const int waits = !s->damping.ones || s->iteration - s->ramp_from < s->c->march.damping_start;
    s->damping.phase = waits              ? AN_DAMPING_WAITS
                       : s->damping.begun ? AN_DAMPING_ON
                                          : AN_DAMPING_BEGINS;
}

int an_damping_step(struct an_solver *s)
{
    const struct an_case *c = s->c;
    struct an_level *l = s->level;
    struct an_fields f = l->fields;
    if (s->damping.phase == AN_DAMPING_WAITS)
        return AN_OK;
    if (s->damping.phase == AN_DAMPING_BEGINS) {
        const size_t bytes = 5 * (size_t)l->layout.ncell * (size_t)l->layout.precision;
        return s->engine->op->copy(s->engine, f.at[AN_F_Y], f.at[AN_F_W], bytes, 0);
    }
    f.at[AN_F_WR] = f.at[AN_F_Y];
    s->params.alpha = 1;
    AN_TRY(s->engine->op->run(s->engine, AN_S_correction, l->interior, &f, &s->params, NULL, 0));
    AN_TRY(take_off(s, AN_F_Y, -1.0 / c->march.damping_window));
    AN_TRY(take_off(s, AN_F_W, c->march.damping));
    return an_level_ghosts(s, l, l->fields.at[AN_F_W]);
}

/* Stencils whose results other ranks need, and the ghost cells of a state. */
#include "solver/flow/flow.h"
#include "solver/flow/slide.h"
#include "solver/level/level.h"

static int run_on(struct an_solver *s, const struct an_level *l, const struct an_sending *x,
                  const struct an_tiles *tiles)
{
    const struct an_engine_ops *op = s->engine->op;
    const struct an_params *p = an_level_params(s, l);
    return x->other
               ? op->run_between(s->engine, x->stencil, tiles, x->other->interior, &x->fields, p, 0)
               : op->run(s->engine, x->stencil, tiles, &x->fields, p, NULL, 0);
}

int an_level_send(struct an_solver *s, struct an_level *l, const struct an_sending *x)
{
    AN_TRY(run_on(s, l, x, l->split ? l->shell : l->interior));
    AN_TRY(an_halo_start_fields(x->halo, x->nfield, x->field));
    if (l->split)
        AN_TRY(run_on(s, l, x, l->core));
    return an_halo_finish(x->halo);
}

/* Ghosts of a state behind boundaries. */
int an_level_ghost_faces(struct an_solver *s, struct an_level *l, void *state)
{
    struct an_fields f = l->fields;
    f.at[AN_F_W] = state;
    AN_TRY(s->engine->op->run_faces(s->engine, AN_S_ghost_fill, an_level_scheme(s, l), l->faces, &f,
                                    an_level_params(s, l), NULL, 0));
    return an_level_slide(s, l, state);
}

int an_level_ghosts(struct an_solver *s, struct an_level *l, void *state)
{
    AN_TRY(an_halo_start(l->halo, state, 5, 1));
    AN_TRY(an_halo_finish(l->halo));
    return an_level_ghost_faces(s, l, state);
}

int an_level_state(struct an_solver *s, struct an_level *l, enum an_stencil stencil,
                   const struct an_level *other, const struct an_fields *f, void *state)
{
    const struct an_sending x = {.stencil = stencil,
                                 .other = other,
                                 .fields = *f,
                                 .halo = l->halo,
                                 .nfield = 1,
                                 .field = {{state, 5, 1}}};
    AN_TRY(an_level_send(s, l, &x));
    return an_level_ghost_faces(s, l, state);
}

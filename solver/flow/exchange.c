/* Stencils whose results other ranks need, and the ghost cells of a state. */
#include "solver/flow/flow.h"
#include "solver/flow/lag.h"
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

/* Second ghosts of sectors of one layer between planes of symmetry. */
static int once_more(struct an_solver *s, struct an_level *l, enum an_stencil stencil,
                     const struct an_fields *f, int stream)
{
    if (!l->again || stencil != AN_S_ghost_fill)
        return AN_OK;
    return s->engine->op->run_faces(s->engine, stencil, an_level_scheme(s, l), l->again, f,
                                    an_level_params(s, l), NULL, stream);
}

int an_level_near_ghosts(struct an_solver *s, struct an_level *l, struct an_halo *halo,
                         enum an_stencil stencil, const struct an_fields *f, int stream)
{
    struct an_copying local;
    an_halo_take_local(halo, &local);
    AN_TRY(an_engine_ghosts(s->engine, &local, stencil, an_level_scheme(s, l), l->faces, f,
                            an_level_params(s, l), stream));
    return once_more(s, l, stencil, f, stream);
}

/* Those that read the second cell inside find it in a ghost cell where a block is one cell thick: they come
 * behind the exchange. */
static int late_ghosts(struct an_solver *s, struct an_level *l, enum an_stencil stencil,
                       const struct an_fields *f)
{
    AN_TRY(s->engine->op->run_faces(s->engine, stencil, an_level_scheme(s, l), l->faces, f,
                                    an_level_params(s, l), NULL, 0));
    return once_more(s, l, stencil, f, 0);
}

/* Stored properties of the state W of f in some cells; nothing for a gas with constant cp. */
static int find_eos(struct an_solver *s, struct an_level *l, const struct an_fields *f,
                    const struct an_tiles *tiles)
{
    if (!f->at[AN_F_EOS])
        return AN_OK;
    return s->engine->op->run(s->engine, AN_S_eos, tiles, f, an_level_params(s, l), NULL, 0);
}

int an_level_finish(struct an_solver *s, struct an_level *l, struct an_halo *halo,
                    enum an_stencil stencil, const struct an_fields *f)
{
    if (stencil == AN_S_ghost_fill)
        AN_TRY(find_eos(s, l, f, l->interior));
    if (!l->second)
        AN_TRY(an_level_near_ghosts(s, l, halo, stencil, f, 0));
    AN_TRY(an_halo_finish(halo));
    if (!l->second)
        return AN_OK;
    if (stencil == AN_S_ghost_fill)
        AN_TRY(find_eos(s, l, f, l->copied));
    return late_ghosts(s, l, stencil, f);
}

int an_level_second(struct an_level *l, void *field, int ncomp, int vector)
{
    if (!l->second)
        return AN_OK;
    AN_TRY(an_halo_start(l->second, field, ncomp, vector));
    return an_halo_finish(l->second);
}

int an_level_send(struct an_solver *s, struct an_level *l, const struct an_sending *x)
{
    AN_TRY(run_on(s, l, x, l->split ? l->shell : l->interior));
    AN_TRY(an_halo_start_fields(x->halo, x->nfield, x->field));
    if (l->split)
        AN_TRY(run_on(s, l, x, l->core));
    AN_TRY(x->ghost_fields ? an_level_finish(s, l, x->halo, x->ghosts, x->ghost_fields)
                           : an_halo_finish(x->halo));
    for (int n = 0; n < x->nfield && l->lag; n++)
        AN_TRY(an_level_lag(s, l, x->field[n].base, x->field[n].ncomp, x->field[n].vector));
    return AN_OK;
}

int an_level_fill(struct an_solver *s, struct an_level *l, void *field, int ncomp, int vector,
                  enum an_stencil stencil, const struct an_fields *f)
{
    AN_TRY(an_halo_start(l->halo, field, ncomp, vector));
    AN_TRY(an_level_finish(s, l, l->halo, stencil, f));
    return an_level_lag(s, l, field, ncomp, vector);
}

int an_level_eos(struct an_solver *s, struct an_level *l, const struct an_fields *f)
{
    AN_TRY(find_eos(s, l, f, l->interior));
    return find_eos(s, l, f, l->ghosts);
}

int an_level_complete(struct an_solver *s, struct an_level *l, void *state)
{
    struct an_fields f = l->fields;
    f.at[AN_F_W] = state;
    AN_TRY(an_level_slide(s, l, state));
    AN_TRY(an_level_second(l, state, AN_NCOMP_W, 1));
    return find_eos(s, l, &f, l->copied);
}

int an_level_ghosts(struct an_solver *s, struct an_level *l, void *state)
{
    struct an_fields f = l->fields;
    f.at[AN_F_W] = state;
    AN_TRY(an_level_fill(s, l, state, 5, 1, AN_S_ghost_fill, &f));
    return an_level_complete(s, l, state);
}

int an_level_state(struct an_solver *s, struct an_level *l, enum an_stencil stencil,
                   const struct an_level *other, const struct an_fields *f, void *state)
{
    struct an_fields faces = l->fields;
    faces.at[AN_F_W] = state;
    const struct an_sending x = {.stencil = stencil,
                                 .other = other,
                                 .fields = *f,
                                 .halo = l->halo,
                                 .nfield = 1,
                                 .field = {{state, 5, 1}},
                                 .ghosts = AN_S_ghost_fill,
                                 .ghost_fields = &faces};
    AN_TRY(an_level_send(s, l, &x));
    return an_level_complete(s, l, state);
}

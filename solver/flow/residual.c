/* What every march needs of a level: ghosts, time steps and spectral radii, the residual. */
#include "solver/boundary/coolant.h"

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
static int fill_ghosts(struct an_solver *s, struct an_level *l, void *state)
{
    struct an_fields f = l->fields;
    f.at[AN_F_W] = state;
    return s->engine->op->run_faces(s->engine, AN_S_ghost_fill, an_level_scheme(s, l), l->faces, &f,
                                    an_level_params(s, l), NULL, 0);
}

int an_level_ghosts(struct an_solver *s, struct an_level *l, void *state)
{
    AN_TRY(an_halo_start(l->halo, state, 5, 1));
    AN_TRY(an_halo_finish(l->halo));
    return fill_ghosts(s, l, state);
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
    return fill_ghosts(s, l, state);
}

int an_level_state_with_eddy(struct an_solver *s, struct an_level *l, enum an_stencil stencil,
                             const struct an_level *other, const struct an_fields *f, void *state)
{
    const struct an_sending x = {
        .stencil = stencil,
        .other = other,
        .fields = *f,
        .halo = l->halo,
        .nfield = 2,
        .field = {{state, 5, 1}, {l->fields.at[AN_F_MUT], 1, AN_COPY_PLAIN}}};
    AN_TRY(an_level_send(s, l, &x));
    AN_TRY(fill_ghosts(s, l, state));
    return an_level_eddy_faces(s, l);
}

int an_level_radii(struct an_solver *s, struct an_level *l, struct an_reduction *red)
{
    const struct an_engine_ops *op = s->engine->op;
    const struct an_params *p = an_level_params(s, l);
    const struct an_sending x = {.stencil = AN_S_timestep,
                                 .fields = l->fields,
                                 .halo = l->halo_lam,
                                 .nfield = 1,
                                 .field = {{l->fields.at[AN_F_LAM], 1, AN_COPY_PLAIN}}};
    if (red) { /* of all cells at once */
        AN_TRY(op->run(s->engine, AN_S_timestep, l->interior, &l->fields, p, red, 0));
        AN_TRY(an_halo_start_fields(x.halo, x.nfield, x.field));
        AN_TRY(an_halo_finish(x.halo));
    } else {
        AN_TRY(an_level_send(s, l, &x));
    }
    return op->run_faces(s->engine, AN_S_ghost_lambda, an_level_scheme(s, l), l->faces, &l->fields,
                         p, NULL, 0);
}

int an_level_residual(struct an_solver *s, struct an_level *l, void *state)
{
    const struct an_engine_ops *op = s->engine->op;
    const struct an_params *p = an_level_params(s, l);
    struct an_fields f = l->fields;
    f.at[AN_F_W] = state;
    if (p->viscosity)
        AN_TRY(an_level_viscous_start(s, l, state));
    AN_TRY(op->residual(s->engine, an_level_scheme(s, l), l->interior, &f, p, 0));
    if (p->viscosity)
        AN_TRY(an_level_viscous_finish(s, l, state, NULL));
    if (s->coolant && l == s->level)
        AN_TRY(an_coolant_add(s, &f));
    else if (l->fields.at[AN_F_SOURCE])
        AN_TRY(op->run(s->engine, AN_S_add_source, l->interior, &f, p, NULL, 0));
    if (l->fields.at[AN_F_FORCE])
        AN_TRY(op->run(s->engine, AN_S_add_force, l->interior, &f, p, NULL, 0));
    return AN_OK;
}

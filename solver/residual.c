/* What every march needs of a level: ghosts, time steps and spectral radii, the residual. */
#include "solver/solver.h"

int an_level_ghosts(struct an_solver *s, struct an_level *l, void *state)
{
    struct an_fields f = l->fields;
    f.at[AN_F_W] = state;
    AN_TRY(an_halo_start(l->halo, state, 5, 1));
    AN_TRY(an_halo_finish(l->halo));
    return s->engine->op->run_faces(s->engine, AN_S_ghost_fill, an_level_scheme(s, l), l->faces, &f,
                                    an_level_params(s, l), NULL, 0);
}

int an_level_radii(struct an_solver *s, struct an_level *l, struct an_reduction *red)
{
    const struct an_engine_ops *op = s->engine->op;
    const struct an_params *p = an_level_params(s, l);
    AN_TRY(op->run(s->engine, AN_S_timestep, l->interior, &l->fields, p, red, 0));
    AN_TRY(an_halo_start(l->halo_lam, l->fields.at[AN_F_LAM], 1, -1));
    AN_TRY(an_halo_finish(l->halo_lam));
    return op->run_faces(s->engine, AN_S_ghost_lambda, an_level_scheme(s, l), l->faces, &l->fields,
                         p, NULL, 0);
}

int an_level_residual(struct an_solver *s, struct an_level *l, void *state)
{
    const struct an_engine_ops *op = s->engine->op;
    const struct an_params *p = an_level_params(s, l);
    struct an_fields f = l->fields;
    f.at[AN_F_W] = state;
    AN_TRY(op->residual(s->engine, an_level_scheme(s, l), l->interior, &f, p, 0));
    if (p->viscosity)
        AN_TRY(an_level_viscous(s, l, state, NULL));
    if (l->fields.at[AN_F_SOURCE])
        AN_TRY(op->run(s->engine, AN_S_add_source, l->interior, &f, p, NULL, 0));
    if (l->fields.at[AN_F_FORCE])
        AN_TRY(op->run(s->engine, AN_S_add_force, l->interior, &f, p, NULL, 0));
    return AN_OK;
}

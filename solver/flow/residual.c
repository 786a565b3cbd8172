/* Time steps, spectral radii and the residual of a level. */
#include "solver/flow/des.h"
#include "solver/flow/flow.h"
#include "solver/flow/slide.h"
#include "solver/level/level.h"

int an_level_radii(struct an_solver *s, struct an_level *l, struct an_reduction *red)
{
    const struct an_engine_ops *op = s->engine->op;
    const struct an_params *p = an_level_params(s, l);
    const struct an_sending x = {.stencil = AN_S_timestep,
                                 .fields = l->fields,
                                 .halo = l->halo_lam,
                                 .nfield = 1,
                                 .field = {{l->fields.at[AN_F_LAM], 1, AN_COPY_PLAIN}},
                                 .ghosts = AN_S_ghost_lambda,
                                 .ghost_fields = &l->fields};
    if (!red)
        return an_level_send(s, l, &x);
    /* of all cells at once */
    AN_TRY(op->run(s->engine, AN_S_timestep, l->interior, &l->fields, p, red, 0));
    AN_TRY(an_halo_start_fields(x.halo, x.nfield, x.field));
    AN_TRY(an_level_near_ghosts(s, l, x.halo, x.ghosts, x.ghost_fields, 0));
    return an_halo_finish(x.halo);
}

/* Does one stencil find the whole residual of a level? On a device, where that saves launches and ways to
 * memory; hosts compute each face once. */
static int by_one_stencil(const struct an_solver *s, const struct an_level *l)
{
    return s->engine->device_memory && l != s->level && l->thin && !l->slide &&
           !l->fields.at[AN_F_SOURCE] && !l->fields.at[AN_F_BLEED];
}

/* The residual. viscous: its viscous part, or NULL, where that has been started. */
static int finish_residual(struct an_solver *s, struct an_level *l, void *state, void *viscous)
{
    const struct an_engine_ops *op = s->engine->op;
    const struct an_params *p = an_level_params(s, l);
    struct an_fields f = l->fields, fluxes = l->fields;
    f.at[AN_F_W] = fluxes.at[AN_F_W] = state;
    fluxes.at[AN_F_FORCE] = viscous;
    if (by_one_stencil(s, l))
        return op->run(s->engine, AN_S_coarse_residual, l->interior, &f, p, NULL, 0);
    if (p->fluid.viscosity && !viscous) {
        AN_TRY(an_level_fluxes_finish(s, l, state, NULL));
    } else {
        AN_TRY(op->residual(s->engine, an_level_scheme(s, l), l->interior, &fluxes, p, 0));
        AN_TRY(an_des_dissipation(s, l, state));
    }
    AN_TRY(an_level_slide_fluxes(s, l, state));
    const struct an_tiles *sources = l->source_cells ? l->source_cells : l->interior;
    if (l->fields.at[AN_F_SOURCE])
        AN_TRY(op->run(s->engine, AN_S_add_source, sources, &f, p, NULL, 0));
    if (l->fields.at[AN_F_BLEED])
        AN_TRY(op->run(s->engine, AN_S_bleed, sources, &f, p, NULL, 0));
    if (l->fields.at[AN_F_FORCE])
        AN_TRY(op->run(s->engine, AN_S_add_force, l->interior, &f, p, NULL, 0));
    return AN_OK;
}

int an_level_residual(struct an_solver *s, struct an_level *l, void *state)
{
    if (an_level_params(s, l)->fluid.viscosity)
        AN_TRY(an_level_viscous_start(s, l, state));
    return finish_residual(s, l, state, NULL);
}

int an_level_later_residual(struct an_solver *s, struct an_level *l, void *state)
{
    return l->viscous_force && !l->slide ? finish_residual(s, l, state, l->viscous_force)
                                         : an_level_residual(s, l, state);
}

int an_level_radii_and_residual(struct an_solver *s, struct an_level *l)
{
    void *state = l->fields.at[AN_F_W];
    if (an_level_params(s, l)->fluid.viscosity)
        AN_TRY(an_level_viscous_start(s, l, state));
    AN_TRY(an_level_radii(s, l, NULL));
    return finish_residual(s, l, state, NULL);
}

int an_level_timed_residual(struct an_solver *s, struct an_level *l, void *state, double share,
                            int known, int later)
{
    struct an_params *p = an_level_params(s, l);
    struct an_fields f = l->fields;
    void *force = l->fields.at[AN_F_FORCE];
    if (!known) {
        l->fields.at[AN_F_FORCE] = NULL; /* the time term adds it */
        const int status =
            later ? an_level_later_residual(s, l, state) : an_level_residual(s, l, state);
        l->fields.at[AN_F_FORCE] = force;
        AN_TRY(status);
    }
    f.at[AN_F_W0] = l->fields.at[AN_F_W];
    if (l != s->level) {
        f.at[AN_F_OLD] = l->fields.at[AN_F_WR];
        f.at[AN_F_TIME] = force;
    }
    p->dual.weight = share * p->dual.rate;
    return s->engine->op->run(s->engine, AN_S_time_term, l->interior, &f, p, NULL, 0);
}

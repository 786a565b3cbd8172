/* Viscous terms of a level: set-up and residual. */
#include "solver/flow/flow.h"

#include "mpi/reduce.h"
#include "solver/flow/des.h"
#include "solver/flow/lag.h"
#include "solver/flow/slide.h"
#include "solver/level/geometry.h"
#include "solver/level/level.h"
#include "solver/level/memory.h"
#include "solver/level/replicated.h"

#include <stdlib.h>

/* Gradients of a level whose viscous terms are thin layers. */
static int zero_gradient(struct an_solver *s, struct an_level *l)
{
    const size_t bytes = (size_t)l->layout.ncell * AN_NCOMP_GRAD * (size_t)l->layout.precision;
    void *zero = calloc(1, bytes + 1);
    AN_CHECK(zero, AN_FAIL, "out of memory for gradients");
    int status = s->engine->op->upload(s->engine, l->fields.at[AN_F_GRAD], zero, bytes, 0);
    if (status == AN_OK)
        status = s->engine->op->sync(s->engine, 0);
    free(zero);
    return status;
}

int an_level_viscous_new(struct an_solver *s, struct an_level *l)
{
    /* gradients are read before lines of the flow are solved, and those of a model use the first
     * components of LINE (turbulence.h) and two for what they keep */
    enum { BEHIND = AN_NCOMP_LINE - AN_NCOMP_GRAD };
    _Static_assert(AN_LINE_TURB + AN_NCOMP_TURB <= BEHIND, "GRAD lies behind what is kept");
    l->thin = an_level_is_thin(s->c, l == s->level);
    if (l->thin)
        AN_TRY(zero_gradient(s, l));
    else if (l->fields.at[AN_F_LINE])
        an_level_share(l, AN_F_GRAD, l->fields.at[AN_F_LINE], BEHIND);
    return an_level_centres(s, l);
}

int an_level_centres(struct an_solver *s, struct an_level *l)
{
    const int64_t n = l->layout.ncell * AN_NCOMP_DX;
    double *dx = malloc((size_t)n * sizeof *dx + 1);
    int status = dx ? AN_OK : an_error_set(AN_FAIL, "out of memory for vectors between cells");
    if (status == AN_OK)
        status = an_geometry_centres(s, l, dx); /* of own pieces */
    if (l->replicated)
        status = an_reduce_status(s->comm, status);
    if (status == AN_OK && l->replicated)
        status = an_replicated_join_bytes(s, dx, (size_t)n * sizeof *dx);
    if (status == AN_OK)
        status = an_geometry_upload(s->engine, n, dx, l->fields.at[AN_F_DX]);
    free(dx);
    return status;
}

int an_level_gradient(struct an_solver *s, struct an_level *l, void *state)
{
    struct an_sending x = {.stencil = AN_S_gradient,
                           .fields = l->fields,
                           .halo = l->halo,
                           .nfield = 1,
                           .field = {{l->fields.at[AN_F_GRAD], AN_NCOMP_GRAD, AN_COPY_TENSOR}},
                           .ghosts = AN_S_ghost_gradient,
                           .ghost_fields = &x.fields};
    x.fields.at[AN_F_W] = state;
    return an_level_send(s, l, &x);
}

/* Coarse levels with wall functions: the friction velocity, which the ghosts of MUT follow from. Of the
 * finest level the model finds it. */
static int wall_law(struct an_solver *s, struct an_level *l)
{
    if (!s->params.turb.wall_function || l == s->level)
        return AN_OK;
    return s->engine->op->run_faces(s->engine, AN_S_wall_law, an_level_scheme(s, l), l->faces,
                                    &l->fields, an_level_params(s, l), NULL, 0);
}

int an_level_eddy_ghosts(struct an_solver *s, struct an_level *l)
{
    AN_TRY(wall_law(s, l));
    return an_level_fill(s, l, l->fields.at[AN_F_MUT], 1, AN_COPY_PLAIN, AN_S_ghost_eddy,
                         &l->fields);
}

int an_level_eddy(struct an_solver *s, struct an_level *l, enum an_stencil stencil,
                  const struct an_level *other, const struct an_fields *f)
{
    const struct an_sending x = {.stencil = stencil,
                                 .other = other,
                                 .fields = *f,
                                 .halo = l->halo,
                                 .nfield = 1,
                                 .field = {{l->fields.at[AN_F_MUT], 1, AN_COPY_PLAIN}},
                                 .ghosts = AN_S_ghost_eddy,
                                 .ghost_fields = &l->fields};
    AN_TRY(wall_law(s, l));
    return an_level_send(s, l, &x);
}

int an_level_state_with_eddy(struct an_solver *s, struct an_level *l, enum an_stencil stencil,
                             const struct an_level *other, const struct an_fields *f, void *state)
{
    struct an_fields faces = l->fields;
    faces.at[AN_F_W] = state;
    const struct an_sending x = {
        .stencil = stencil,
        .other = other,
        .fields = *f,
        .halo = l->halo,
        .nfield = 2,
        .field = {{state, 5, 1}, {l->fields.at[AN_F_MUT], 1, AN_COPY_PLAIN}},
        .ghosts = AN_S_ghost_fill,
        .ghost_fields = &faces};
    AN_TRY(an_level_send(s, l, &x));
    AN_TRY(an_level_complete(s, l, state));
    AN_TRY(wall_law(s, l));
    return s->engine->op->run_faces(s->engine, AN_S_ghost_eddy, an_level_scheme(s, l), l->faces,
                                    &l->fields, an_level_params(s, l), NULL, 0);
}

/* Engines that have no viscous kernel need gradients everywhere. Others need few: these go to the
 * halo's stream, beside the residual that the caller asks for next. */
enum { MAIN, BESIDE };

int an_level_viscous_start(struct an_solver *s, struct an_level *l, void *state)
{
    if (l->thin)
        return AN_OK;
    const struct an_engine_ops *op = s->engine->op;
    struct an_fields f = l->fields;
    f.at[AN_F_W] = state;
    const int stream = op->viscous ? BESIDE : MAIN;
    if (stream != MAIN)
        AN_TRY(op->wait(s->engine, stream, MAIN));
    AN_TRY(op->run(s->engine, AN_S_gradient, op->viscous ? l->boundary_cells : l->interior, &f,
                   an_level_params(s, l), NULL, stream));
    AN_TRY(an_halo_start(l->halo, f.at[AN_F_GRAD], AN_NCOMP_GRAD, AN_COPY_TENSOR));
    return an_level_near_ghosts(s, l, l->halo, AN_S_ghost_gradient, &f, stream);
}

/* The fields of viscous terms, and of the stage that they end (to). */
static struct an_fields viscous_fields(const struct an_level *l, void *state, void *to)
{
    struct an_fields f = l->fields;
    f.at[AN_F_W] = state;
    f.at[AN_F_W0] = l->fields.at[AN_F_W];
    f.at[AN_F_WN] = to;
    f.at[AN_F_FORCE] = l->viscous_force;
    return f;
}

/* Afterwards GRAD of the ghosts is complete. */
static int finish_gradients(struct an_solver *s, struct an_level *l)
{
    const struct an_engine_ops *op = s->engine->op;
    if (op->viscous)
        AN_TRY(op->wait(s->engine, MAIN, BESIDE));
    AN_TRY(an_halo_finish(l->halo));
    return an_level_lag(s, l, l->fields.at[AN_F_GRAD], AN_NCOMP_GRAD, AN_COPY_TENSOR);
}

int an_level_viscous_finish(struct an_solver *s, struct an_level *l, void *state, void *to)
{
    const struct an_engine_ops *op = s->engine->op;
    const struct an_params *p = an_level_params(s, l);
    const struct an_fields f = viscous_fields(l, state, to);
    /* with gradients of zero the flux is what the difference of two cells carries (viscous.h) */
    if (l->thin)
        return op->run(s->engine, AN_S_viscous_residual, l->interior, &f, p, NULL, 0);
    AN_TRY(finish_gradients(s, l));
    if (op->viscous)
        return op->viscous(s->engine, to != NULL, l->interior, &f, p, 0);
    AN_TRY(op->run(s->engine, AN_S_viscous_residual, l->interior, &f, p, NULL, 0));
    return to ? op->run(s->engine, AN_S_update, l->interior, &f, p, NULL, 0) : AN_OK;
}

int an_level_fluxes_finish(struct an_solver *s, struct an_level *l, void *state, void *to)
{
    const struct an_engine_ops *op = s->engine->op;
    const struct an_params *p = an_level_params(s, l);
    const enum an_scheme scheme = an_level_scheme(s, l);
    struct an_halo_info halo;
    an_halo_info(l->halo, &halo);
    if (op->in_one_pass && !l->thin && !an_des_has_dissipation(s, l) &&
        op->in_one_pass(s->engine, scheme, l->interior, p, halo.neighbours > 0)) {
        const struct an_fields f = viscous_fields(l, state, to);
        AN_TRY(finish_gradients(s, l));
        return op->rans(s->engine, scheme, to != NULL, l->interior, &f, p, 0);
    }
    struct an_fields f = l->fields;
    f.at[AN_F_W] = state;
    f.at[AN_F_FORCE] = NULL;
    AN_TRY(op->residual(s->engine, scheme, l->interior, &f, p, 0));
    AN_TRY(an_des_dissipation(s, l, state));
    return an_level_viscous_finish(s, l, state, to);
}

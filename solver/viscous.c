/* Viscous terms of a level: set-up and residual. */
#include "solver/geometry.h"
#include "solver/solver.h"

#include <stdlib.h>

int an_level_viscous_new(struct an_solver *s, struct an_level *l)
{
    static const enum an_field used[] = {AN_F_DX, AN_F_GRAD, AN_F_MUT, AN_F_WD};
    for (size_t f = 0; f < sizeof used / sizeof *used; f++)
        if (!l->fields.at[used[f]])
            AN_TRY(an_level_alloc(s, l, used[f]));
    if (s->params.wall_function && !l->fields.at[AN_F_UTAU])
        AN_TRY(an_level_alloc(s, l, AN_F_UTAU));
    const int64_t n = l->layout.ncell * AN_NCOMP_DX;
    double *dx = malloc((size_t)n * sizeof *dx + 1);
    AN_CHECK(dx, AN_FAIL, "out of memory for vectors between cells");
    int status = an_geometry_centres(s->mesh, &s->level->partition, &l->partition, &l->layout,
                                     s->nlocal, s->local, s->boundary, dx);
    if (status == AN_OK)
        status = an_geometry_upload(s->engine, n, dx, l->fields.at[AN_F_DX]);
    free(dx);
    return status;
}

/* Gradients of the cells of some tiles, then of the ghosts. */
static int gradient(struct an_solver *s, struct an_level *l, const struct an_tiles *tiles,
                    void *state)
{
    const struct an_engine_ops *op = s->engine->op;
    const struct an_params *p = an_level_params(s, l);
    struct an_fields f = l->fields;
    f.at[AN_F_W] = state;
    AN_TRY(op->run(s->engine, AN_S_gradient, tiles, &f, p, NULL, 0));
    AN_TRY(an_halo_start(l->halo, f.at[AN_F_GRAD], AN_NCOMP_GRAD, AN_COPY_TENSOR));
    AN_TRY(an_halo_finish(l->halo));
    return op->run_faces(s->engine, AN_S_ghost_gradient, an_level_scheme(s, l), l->faces, &f, p,
                         NULL, 0);
}

int an_level_gradient(struct an_solver *s, struct an_level *l, void *state)
{
    return gradient(s, l, l->interior, state);
}

int an_level_eddy_ghosts(struct an_solver *s, struct an_level *l)
{
    AN_TRY(an_halo_start(l->halo, l->fields.at[AN_F_MUT], 1, -1));
    AN_TRY(an_halo_finish(l->halo));
    return s->engine->op->run_faces(s->engine, AN_S_ghost_eddy, an_level_scheme(s, l), l->faces,
                                    &l->fields, an_level_params(s, l), NULL, 0);
}

int an_level_viscous(struct an_solver *s, struct an_level *l, void *state, void *to)
{
    const struct an_engine_ops *op = s->engine->op;
    const struct an_params *p = an_level_params(s, l);
    struct an_fields f = l->fields;
    f.at[AN_F_W] = state;
    f.at[AN_F_W0] = l->fields.at[AN_F_W];
    f.at[AN_F_WN] = to;
    if (op->viscous) {
        AN_TRY(gradient(s, l, l->rim, state));
        return op->viscous(s->engine, to != NULL, l->interior, &f, p, 0);
    }
    AN_TRY(gradient(s, l, l->interior, state));
    AN_TRY(op->run(s->engine, AN_S_viscous_residual, l->interior, &f, p, NULL, 0));
    return to ? op->run(s->engine, AN_S_update, l->interior, &f, p, NULL, 0) : AN_OK;
}

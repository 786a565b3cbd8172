#include "solver/march/mixture.h"

#include "bc/boundary_value.h"
#include "solver/flow/flow.h"
#include "solver/level/level.h"
#include "solver/level/transfer.h"
#include "solver/march/scalars.h"

#include <stdlib.h>

struct mixture {
    int of;                               /* the scalar */
    struct an_faces *faces[AN_MAX_LEVEL]; /* with Z of what enters, v[0]; owned */
};

/* ---- set-up ---- */

/* Boundary faces of a level. */
static int make_faces(struct an_solver *s, struct mixture *m, int level)
{
    const struct an_level *l = &s->level[level];
    const struct an_topology *t = &l->partition.topology;
    struct an_bc_value *value = malloc(((size_t)t->nboundary + 1) * sizeof *value);
    struct an_face_window *window = NULL;
    int nwindow, status = value ? AN_OK : an_error_set(AN_FAIL, "out of memory for a mixture");
    for (int b = 0; b < t->nboundary && status == AN_OK; b++) {
        const struct an_case_boundary *q =
            an_case_boundary_find(s->c, s->mesh->topology.boundary[b].name);
        value[b] = s->boundary[b];
        value[b].varies = 0;
        value[b].v[0] = q ? an_case_fraction_at(s->c, q) : 0;
    }
    if (status == AN_OK)
        status = an_bc_windows(t, s->boundary, l->nlocal, l->local, &nwindow, &window);
    if (status == AN_OK)
        status = s->engine->op->faces_new(s->engine, &l->layout, nwindow, window, t->nboundary,
                                          value, &m->faces[level]);
    free(window);
    free(value);
    return status;
}

static int mixture_make(struct an_solver *s, void **component)
{
    const int of = an_case_fraction(s->c);
    if (of < 0)
        return AN_OK;
    struct mixture *m = calloc(1, sizeof *m);
    *component = m;
    AN_CHECK(m, AN_FAIL, "out of memory for a mixture");
    m->of = of;
    for (int n = 0; n < s->nlevel; n++)
        AN_TRY(make_faces(s, m, n));
    return AN_OK;
}

static void mixture_destroy(struct an_solver *s, void *component)
{
    struct mixture *m = component;
    for (int n = 0; n < s->nlevel; n++)
        if (m->faces[n])
            s->engine->op->faces_free(s->engine, m->faces[n]);
    free(m);
}

/* ---- the fraction of the cells ---- */

/* Ghost cells of Z of a level. */
static int ghosts(struct an_solver *s, const struct mixture *m, int level)
{
    struct an_level *l = &s->level[level];
    AN_TRY(
        an_halo_start(l->halo, an_level_component(l, AN_F_EOS, AN_EOS_FRACTION), 1, AN_COPY_PLAIN));
    AN_TRY(an_halo_finish(l->halo));
    AN_TRY(s->engine->op->run_faces(s->engine, AN_S_mixture_ghost, an_level_scheme(s, l),
                                    m->faces[level], &l->fields, an_level_params(s, l), NULL, 0));
    return an_level_second(l, an_level_component(l, AN_F_EOS, AN_EOS_FRACTION), 1, AN_COPY_PLAIN);
}

/* Of the finest level to the coarser ones, and all ghost cells. */
static int spread(struct an_solver *s, const struct mixture *m)
{
    AN_TRY(ghosts(s, m, 0));
    for (int n = 1; n < s->nlevel; n++) {
        struct an_level *l = &s->level[n - 1], *c = &s->level[n];
        AN_TRY(an_level_restrict(s, l, c, an_level_component(l, AN_F_EOS, AN_EOS_FRACTION),
                                 an_level_component(c, AN_F_EOS, AN_EOS_FRACTION)));
        AN_TRY(ghosts(s, m, n));
    }
    return AN_OK;
}

/* From the scalar, whose cells alone are valid. */
static int set(struct an_solver *s, const struct mixture *m, enum an_stencil stencil)
{
    struct an_fields f;
    struct an_params q;
    an_scalar_view(s, m->of, &f, &q);
    AN_TRY(s->engine->op->run(s->engine, stencil, s->level->interior, &f, &s->params, NULL, 0));
    return spread(s, m);
}

static int mixture_start(struct an_solver *s, void *component, int fresh)
{
    (void)fresh;
    return set(s, component, AN_S_mixture_set);
}

static int mixture_take(struct an_solver *s, void *component, const struct an_snapshot_meta *meta)
{
    (void)meta;
    return set(s, component, AN_S_mixture_set);
}

static int mixture_step(struct an_solver *s, void *component)
{
    AN_TRY(set(s, component, AN_S_mixture_keep));
    return an_level_ghosts(s, s->level, s->level->fields.at[AN_F_W]);
}

/* ---- the enthalpy that diffusion carries ---- */

static int heat(struct an_solver *s, void *component)
{
    const struct mixture *m = component;
    struct an_fields f;
    struct an_params q;
    if (s->params.fluid.viscosity == AN_VISCOSITY_NONE)
        return AN_OK;
    AN_TRY(an_scalar_refresh(s, m->of));
    an_scalar_view(s, m->of, &f, &q);
    return s->engine->op->run(s->engine, AN_S_mixture_heat, s->level->interior, &f, &q, NULL, 0);
}

/* The radii say which faces are closed. */
static int mixture_catch_up(struct an_solver *s, void *component)
{
    if (s->params.fluid.viscosity == AN_VISCOSITY_NONE)
        return AN_OK;
    AN_TRY(an_level_radii(s, s->level, NULL));
    return heat(s, component);
}

const struct an_component_type an_mixture_component = {.name = "mixture",
                                                       .after = AN_AFTER("scalars"),
                                                       .make = mixture_make,
                                                       .destroy = mixture_destroy,
                                                       .start = mixture_start,
                                                       .take = mixture_take,
                                                       .catch_up = mixture_catch_up,
                                                       .step = mixture_step,
                                                       .after_step = heat};

#include "solver/flow/slide.h"

#include "mpi/halo.h"
#include "solver/level/level.h"

/* The fields of a level with those of its sliding planes. */
static struct an_fields fields_of(const struct an_level *l, void *state)
{
    struct an_fields f = l->fields;
    f.at[AN_F_W] = state;
    f.at[AN_F_SLIDE] = l->slide->state;
    f.at[AN_F_SLIDE_FLUX] = l->slide->flux;
    f.at[AN_F_SLIDE_MAP] = l->slide->map;
    f.at[AN_F_SLIDE_TURN] = *l->slide->turn;
    return f;
}

static int run(struct an_solver *s, struct an_level *l, enum an_stencil stencil,
               const struct an_fields *f)
{
    return s->engine->op->run_faces(s->engine, stencil, an_level_scheme(s, l), l->slide->faces, f,
                                    an_level_params(s, l), NULL, 0);
}

static int share(struct an_halo *h, void *array)
{
    AN_TRY(an_halo_start(h, array, 1, AN_COPY_PLAIN));
    return an_halo_finish(h);
}

int an_level_slide(struct an_solver *s, struct an_level *l, void *state)
{
    if (!l->slide)
        return AN_OK;
    const struct an_fields f = fields_of(l, state);
    AN_TRY(run(s, l, AN_S_slide_gather, &f));
    AN_TRY(share(l->slide->share_state, l->slide->state));
    return run(s, l, AN_S_slide_ghost, &f);
}

int an_level_slide_fluxes(struct an_solver *s, struct an_level *l, void *state)
{
    if (!l->slide || l != s->level)
        return AN_OK;
    const struct an_fields f = fields_of(l, state);
    AN_TRY(run(s, l, AN_S_slide_flux, &f));
    AN_TRY(share(l->slide->share_flux, l->slide->flux));
    return run(s, l, AN_S_slide_correct, &f);
}

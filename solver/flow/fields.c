#include "solver/flow/fields.h"

#include "mpi/reduce.h"
#include "solver/flow/flow.h"
#include "solver/flow/turbulence.h"
#include "solver/flow/wall_distance.h"
#include "solver/level/component.h"
#include "solver/level/transfer.h"

#include <stdlib.h>

int an_flow_fields_new(struct an_solver *s, struct an_level *l)
{
    return s->params.fluid.viscosity ? an_level_viscous_new(s, l) : AN_OK;
}

int an_level_wall_ghosts(struct an_solver *s, struct an_level *l)
{
    if (l->second) { /* the second cell of rough walls may be a ghost */
        AN_TRY(an_halo_start(l->halo, l->fields.at[AN_F_WD], 1, AN_COPY_PLAIN));
        AN_TRY(an_halo_finish(l->halo));
    }
    return s->engine->op->run_faces(s->engine, AN_S_ghost_wall, an_level_scheme(s, l), l->faces,
                                    &l->fields, an_level_params(s, l), NULL, 0);
}

/* Wall distances of all levels that have viscous terms, or of the finest as a field of output. */
static int fields_make(struct an_solver *s, void **component)
{
    if (!s->level->fields.at[AN_F_WD])
        return AN_OK;
    const double started = MPI_Wtime();
    struct an_wall_search *found = calloc(1, sizeof *found);
    *component = found;
    AN_TRY(an_reduce_status(s->comm, found ? AN_OK : an_error_set(AN_FAIL, "out of memory")));
    AN_TRY(an_wall_distance(s, &found->nfacet));
    found->seconds = MPI_Wtime() - started;
    AN_TRY(an_reduce_max(s->comm, 1, &found->seconds));
    an_level_drop(s, s->level, AN_F_X);
    for (int n = 0; n < s->nlevel && s->params.fluid.viscosity; n++) {
        struct an_level *l = &s->level[n];
        if (n)
            AN_TRY(an_level_restrict(s, l - 1, l, l[-1].fields.at[AN_F_WD], l->fields.at[AN_F_WD]));
        AN_TRY(an_level_wall_ghosts(s, l));
    }
    return AN_OK;
}

static void fields_destroy(struct an_solver *s, void *component)
{
    (void)s;
    free(component);
}

const struct an_component_type an_wall_search_component = {
    .name = "wall distances",
    .after = AN_AFTER("face values", "two-dimensional waves"),
    .make = fields_make,
    .destroy = fields_destroy};

const struct an_wall_search *an_wall_search_of(const struct an_solver *s)
{
    return an_component_of(s, &an_wall_search_component);
}

int an_solver_refresh(struct an_solver *s)
{
    AN_TRY(an_level_ghosts(s, s->level, s->level->fields.at[AN_F_W]));
    return an_turbulence_refresh(s);
}

#include "solver/flow/fields.h"

#include "solver/flow/flow.h"
#include "solver/flow/turbulence.h"

int an_flow_fields_new(struct an_solver *s, struct an_level *l)
{
    if (l == s->level)
        AN_TRY(an_turbulence_alloc(s));
    return s->params.viscosity ? an_level_viscous_new(s, l) : AN_OK;
}

int an_solver_refresh(struct an_solver *s)
{
    AN_TRY(an_level_ghosts(s, s->level, s->level->fields.at[AN_F_W]));
    return an_turbulence_refresh(s);
}

/* The state a run starts from when it does not restart. */
#include "solver/level/level.h"
#include "solver/march/cfl.h"
#include "solver/march/march.h"
#include "solver/march/multigrid.h"
#include "solver/output/state.h"

#include <string.h>

static void uniform(void *context, const double x[3], double q[5])
{
    (void)x;
    memcpy(q, context, 5 * sizeof *q);
}

int an_solver_fill_initial(struct an_solver *s)
{
    const struct an_case_state *i = &s->c->initial;
    double speed = i->mach * an_gas_sound(&s->c->gas.model, i->T);
    double q[5] = {i->p / (s->c->gas.R * i->T), 0, 0, 0, i->p};
    for (int d = 0; d < 3; d++)
        q[1 + d] = i->has_velocity ? i->velocity[d] : speed * i->direction[d];
    struct an_marching *m = an_marching_of(s);
    m->start_diverged = 0;
    AN_TRY(an_solver_fill(s, uniform, q));
    const int steady = s->c->march.mode == AN_MARCH_STEADY; /* else it is the state at time 0 */
    const int status = s->implicit && steady ? an_multigrid_start(s) : AN_OK;
    if (status != AN_DIVERGED) /* the same on all ranks */
        return status;
    m->start_diverged = 1;
    return an_solver_fill(s, uniform, q);
}

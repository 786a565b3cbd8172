/* The march: explicit Runge-Kutta with local or global time steps, Denton's scree scheme,
 * multigrid cycles with implicit stages (multigrid.c), or implicit physical steps of such cycles
 * (dual.c). Explicit:
 *
 *     ghosts of W are valid
 *     time step and spectral radii from W
 *     W0 = W;  for each stage m:  W = W0 - alpha_m DT R(W), ghosts of W
 *
 * With residual smoothing the change of a stage is swept over before it is added:
 *
 *     dW = - alpha_m DT R(W);  some times:  ghosts of dW, Jacobi sweep (smooth.stencil)
 *     W = W0 + dW, ghosts of W
 *
 * Scree: one stage, in which X = 2 R - R of the step before takes the place of R (scree.stencil);
 * what is kept of earlier residuals is part of the state.
 *
 * The cells that other ranks wait for are computed first; while their copies travel, the rest is.
 */
#include "solver/flow/des.h"
#include "solver/flow/flow.h"

#include "kernels/engine/meter.h"
#include "mpi/reduce.h"
#include "solver/boundary/inlets.h"
#include "solver/boundary/sliding.h"
#include "solver/flow/turbulence.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/march/cfl.h"
#include "solver/march/dual.h"
#include "solver/march/march.h"
#include "solver/march/multigrid.h"

#include <math.h>

/* The time step of an unsteady run, cut so that time does not pass `limit` > 0. */
static int set_time_step(struct an_solver *s, double dt, double limit)
{
    struct an_marching *m = an_marching_of(s);
    if (limit > 0 && s->time + dt > limit)
        dt = limit - s->time;
    m->time_step = s->params.march.time_step = dt;
    AN_TRY(an_inlets_set_time(s, s->time + 0.5 * dt));
    return an_sliding_turn(s, dt, m->nstage, m->alpha);
}

/* Time step of every cell from the present state. */
static int time_step(struct an_solver *s)
{
    const int unsteady = s->c->march.mode == AN_MARCH_UNSTEADY;
    const int given = s->c->march.time_step > 0;
    struct an_reduction red;
    AN_TRY(an_level_radii(s, s->level, unsteady && !given ? &red : NULL));
    if (!unsteady)
        return AN_OK;
    if (!given) {
        double dt = red.min[0];
        AN_TRY(an_reduce_min(s->comm, 1, &dt));
        AN_TRY(set_time_step(s, dt, an_marching_of(s)->limit));
    }
    return s->engine->op->run(s->engine, AN_S_global_timestep, s->level->interior,
                              &s->level->fields, &s->params, NULL, 0);
}

/* Coefficients of the residual smoothing of this step, ghosts included. */
static int smoothing(struct an_solver *s)
{
    const struct an_engine_ops *op = s->engine->op;
    struct an_level *l = s->level;
    AN_TRY(op->run(s->engine, AN_S_smoothing, l->interior, &l->fields, &s->params, NULL, 0));
    AN_TRY(an_halo_start(l->halo_lam, l->fields.at[AN_F_EPS], 1, -1));
    AN_TRY(an_level_near_ghosts(s, l, l->halo_lam, AN_S_ghost_smoothing, &l->fields, 0));
    return an_halo_finish(l->halo_lam);
}

/* From the residual R to the state `out`: f has W0 and WN; the change is smoothed. */
static int smoothed_update(struct an_solver *s, struct an_fields f, void *out)
{
    const struct an_engine_ops *op = s->engine->op;
    struct an_level *l = s->level;
    struct an_fields sweep = l->fields;
    void *from = l->fields.at[AN_F_DW], *to = l->fields.at[AN_F_SWEPT];
    AN_TRY(op->run(s->engine, AN_S_change, l->interior, &f, &s->params, NULL, 0));
    for (int n = 0; n < s->c->march.smoothing_sweeps; n++) {
        AN_TRY(an_halo_start(l->halo, from, 5, 1));
        AN_TRY(an_halo_finish(l->halo));
        sweep.at[AN_F_DW] = from;
        sweep.at[AN_F_WN] = to;
        AN_TRY(op->run(s->engine, AN_S_smooth, l->interior, &sweep, &s->params, NULL, 0));
        to = from;
        from = sweep.at[AN_F_WN];
    }
    f.at[AN_F_DW] = from;
    return an_level_state(s, l, AN_S_correct, NULL, &f, out);
}

/* One stage: from `in` and the step's first state to `out`, ghosts of `out` included. */
static int stage(struct an_solver *s, int m, void *in, void *out)
{
    const struct an_engine_ops *op = s->engine->op;
    struct an_fields f = s->level->fields;
    f.at[AN_F_W0] = s->level->fields.at[AN_F_W];
    f.at[AN_F_W] = in;
    f.at[AN_F_WN] = out;
    s->params.march.alpha = an_marching_of(s)->alpha[m];
    const int smoothed = s->c->march.residual_smoothing != AN_SMOOTHING_NONE;
    an_sliding_at(s, m);
    if (smoothed || s->level->slide || s->scree || f.at[AN_F_SOURCE] || f.at[AN_F_BLEED] ||
        s->params.flux.precondition ||
        in == out) { /* fused stages write no state that neighbours still read */
        const struct an_tiles *all = s->level->interior;
        AN_TRY(an_level_residual(s, s->level, in));
        an_sliding_at(s, m + 1); /* `out` belongs to the end of the stage */
        if (s->scree)
            AN_TRY(op->run(s->engine, AN_S_scree, all, &f, &s->params, NULL, 0));
        return smoothed ? smoothed_update(s, f, out)
                        : an_level_state(s, s->level, AN_S_update, NULL, &f, out);
    }
    if (s->params.fluid.viscosity) {
        AN_TRY(an_level_viscous_start(s, s->level, in));
        AN_TRY(an_level_fluxes_finish(s, s->level, in, out));
        return an_level_ghosts(s, s->level, out);
    }
    if (s->level->split) {
        AN_TRY(op->stage(s->engine, s->scheme, s->level->shell, &f, &s->params, 0));
        AN_TRY(an_halo_start(s->level->halo, out, 5, 1));
        AN_TRY(op->stage(s->engine, s->scheme, s->level->core, &f, &s->params, 0));
    } else {
        AN_TRY(op->stage(s->engine, s->scheme, s->level->interior, &f, &s->params, 0));
        AN_TRY(an_halo_start(s->level->halo, out, 5, 1));
    }
    f.at[AN_F_W] = out;
    AN_TRY(an_level_finish(s, s->level, s->level->halo, AN_S_ghost_fill, &f));
    return an_level_complete(s, s->level, out);
}

static int runge_kutta(struct an_solver *s)
{
    AN_TRY(an_engine_mark(s->engine, 0));
    AN_TRY(time_step(s));
    if (s->c->march.residual_smoothing)
        AN_TRY(smoothing(s));
    const int nstage = an_marching_of(s)->nstage;
    void *in = s->level->fields.at[AN_F_W];
    for (int m = 0; m < nstage; m++) {
        void *out = m == nstage - 1 ? s->level->fields.at[AN_F_W] : s->level->stage[m & 1];
        AN_TRY(stage(s, m, in, out));
        in = out;
    }
    return AN_OK;
}

/* The flow's part of a step. known: as an_solver.residual_is_current. */
static int flow_step(struct an_solver *s, int known)
{
    AN_TRY(s->implicit ? an_multigrid_cycle(s, known, 0) : runge_kutta(s));
    AN_TRY(an_components_step(s));
    return an_turbulence_begin(s);
}

static int turbulence_step(struct an_solver *s, int argument)
{
    (void)argument;
    return an_turbulence_advance(s);
}

static int whole_step(struct an_solver *s, int known)
{
    AN_TRY(flow_step(s, known));
    return an_turbulence_advance(s);
}

/* The flow of a step, or all of it where no part has to act between the flow and the turbulence. */
static int issue(struct an_solver *s, int known)
{
    return an_graph_run(s, &an_marching_of(s)->graph, known ? AN_GRAPH_KNOWN : 0,
                        an_components_have_midway(s) ? flow_step : whole_step, known);
}

/* What `issue` left of the step. */
static int issue_rest(struct an_solver *s)
{
    if (!an_components_have_midway(s))
        return AN_OK;
    AN_TRY(an_components_midway(s));
    if (!s->params.turb.model)
        return AN_OK;
    return an_graph_run(s, &an_marching_of(s)->graph, AN_GRAPH_TURBULENCE, turbulence_step, 0);
}

static int is_dual(const struct an_solver *s)
{
    return s->c->march.mode == AN_MARCH_UNSTEADY && s->implicit;
}

int an_solver_step_begin(struct an_solver *s, double limit)
{
    struct an_marching *m = an_marching_of(s);
    const int unsteady = s->c->march.mode == AN_MARCH_UNSTEADY;
    an_solver_ramp(s);
    AN_TRY(an_march_set_runtime(s));
    m->limit = limit;
    if (is_dual(s))
        return an_dual_step(s, limit);
    if (unsteady && s->c->march.time_step > 0)
        AN_TRY(set_time_step(s, s->c->march.time_step, limit));
    AN_TRY(an_components_before_step(s));
    /* coolant may have changed since; marked times are those of one recording */
    const int known = s->residual_is_current && !s->level->source_cells && !s->c->mpi.timing;
    s->residual_is_current = 0;
    return issue(s, known);
}

int an_solver_step_end(struct an_solver *s)
{
    if (is_dual(s))
        return AN_OK;
    AN_TRY(issue_rest(s));
    if (s->c->march.mode !=
        AN_MARCH_UNSTEADY) { /* means and probes are told the iteration of their state */
        AN_TRY(an_components_after_step(s));
        s->iteration++;
        return AN_OK;
    }
    s->iteration++;
    s->time += an_marching_of(s)->time_step;
    return an_components_after_step(s);
}

int an_solver_step(struct an_solver *s, double limit)
{
    AN_TRY(an_solver_step_begin(s, limit));
    return an_solver_step_end(s);
}

void an_solver_reuse_residual(struct an_solver *s)
{
    /* full multigrid leaves eddy viscosities behind that SST finds anew when it is measured */
    s->residual_is_current = s->implicit && s->iteration > 0;
}

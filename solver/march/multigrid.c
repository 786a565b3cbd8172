/* Steady acceleration: implicit Runge-Kutta stages along lines as the smoother of a full
 * approximation scheme (Brandt 1977; Jameson 1983).
 *
 *   smooth:    W0 = W;  for each stage m:  P dW = - alpha_m R(W),  W = W0 + dW,  ghosts of W;
 *              with two stages the viscous part of R on the finest level is that of the first stage
 *              in both (an_level_later_residual)
 *              every other time along other lines: where viscous walls stand in two directions,
 *              along the other one; with multigrid.across along segments across them (level.c)
 *              in a dual march R has the physical time derivative of W0 beside it, and P the same
 *              term alpha_m times (time_term.stencil); on coarser levels that of W - WR
 *              (coarser levels may have other stages, and viscous terms without gradients:
 *              an_level_viscous_new)
 *   cycle(n):  smooth `pre` times
 *              restrict W and R:  WR = W_c = mean of W,  FORCE = sum R - R_c(W_c)
 *              cycle(n + 1), once (V), twice (W), or an F cycle and a V cycle (F); R_c + FORCE is what it drives to zero
 *              W = W + prolonged (W_c - WR),  ghosts of W
 *              smooth `post` times
 *
 * Full multigrid: before the first iteration the initial state is restricted to all levels; the
 * coarsest is marched until its residual has fallen, its change is prolonged to the next finer one,
 * which is marched in its turn, with cycles over the coarser ones, and so on up to the mesh.
 *
 * All operations run over lists of boxes of all blocks of a rank; nothing in them depends on how
 * blocks were cut, so neither does the result: lines are never cut, and cuts stand on planes of the
 * coarsest level. Small levels are computed whole by every rank (replicated.h).
 */
#include "solver/flow/flow.h"

#include "kernels/engine/meter.h"
#include "mpi/reduce.h"
#include "solver/flow/turbulence.h"
#include "solver/level/level.h"
#include "solver/level/replicated.h"
#include "solver/level/transfer.h"
#include "solver/level/tuning.h"
#include "solver/march/cfl.h"
#include "solver/march/multigrid.h"

#include <math.h>

/* One step of the state W of a level: Runge-Kutta stages, implicit along the level's lines[way].
 * known: radii and residual R of W are there, R without the forcing. */
static int smooth_once(struct an_solver *s, struct an_level *l, int way, int known)
{
    const struct an_engine_ops *op = s->engine->op;
    struct an_params *p = an_level_params(s, l);
    const enum an_stencil implicit =
        p->fluid.viscosity ? AN_S_implicit_lines_viscous : AN_S_implicit_lines;
    struct an_fields f = l->fields;
    void *in = l->fields.at[AN_F_W];
    if (!known && p->dual.rate > 0)
        AN_TRY(an_level_radii(s, l, NULL));
    const struct an_marching *march = an_marching_of(s);
    const int nstage = l == s->level ? march->nstage : march->nstage_coarse;
    const double *alpha = l == s->level ? march->alpha : march->alpha_coarse;
    for (int m = 0; m < nstage; m++) {
        void *out = m == nstage - 1 ? l->fields.at[AN_F_W] : l->stage[0];
        if (p->dual.rate > 0)
            AN_TRY(an_level_timed_residual(s, l, in, alpha[m] - (m ? alpha[m - 1] : 0),
                                           m == 0 && known, m > 0));
        else if (m > 0)
            AN_TRY(an_level_later_residual(s, l, in));
        else if (!known)
            AN_TRY(an_level_radii_and_residual(s, l));
        else if (l->fields.at[AN_F_FORCE])
            AN_TRY(op->run(s->engine, AN_S_add_force, l->interior, &l->fields, p, NULL, 0));
        f.at[AN_F_W0] = l->fields.at[AN_F_W];
        f.at[AN_F_W] = in;
        f.at[AN_F_WN] = in == out ? NULL : out; /* other lines may still read `in` */
        p->march.alpha = alpha[m];
        AN_TRY(op->run_lines(s->engine, implicit, l->lines[way], &f, p, 0));
        f.at[AN_F_WN] = out;
        AN_TRY(in == out ? an_level_state(s, l, AN_S_correct, NULL, &f, out)
                         : an_level_ghosts(s, l, out));
        in = out;
    }
    return AN_OK;
}

/* State, eddy viscosity and, with `residual`, the sum of the residuals of l, into FORCE, go to the first whole
 * level c: of own pieces at first, then to all ranks by one exchange. */
static int enter_replicated(struct an_solver *s, struct an_level *l, struct an_level *c,
                            int residual)
{
    const struct an_engine_ops *op = s->engine->op;
    const struct an_params *p = an_level_params(s, c);
    const size_t bytes = (size_t)c->layout.ncell * AN_NCOMP_W * (size_t)c->layout.precision;
    void *const state = c->fields.at[AN_F_W], *const eddy = c->fields.at[AN_F_MUT];
    struct an_halo_field all[3] = {{state, 5, AN_COPY_PLAIN}};
    struct an_fields f = c->fields;
    int n = 1;
    f.at[AN_F_OW] = l->fields.at[AN_F_W];
    f.at[AN_F_OVOL] = l->fields.at[AN_F_VOL];
    AN_TRY(op->run_between(s->engine, AN_S_restrict_state, c->own, l->interior, &f, p, 0));
    if (s->params.turb.model) {
        AN_TRY(an_level_restrict_own(s, l, c, l->fields.at[AN_F_MUT], eddy));
        all[n++] = (struct an_halo_field){eddy, 1, AN_COPY_PLAIN};
    }
    if (residual) {
        f.at[AN_F_OW] = l->fields.at[AN_F_R];
        f.at[AN_F_R] = c->zero;
        AN_TRY(op->run_between(s->engine, AN_S_restrict_residual, c->own, l->interior, &f, p, 0));
        all[n++] = (struct an_halo_field){c->fields.at[AN_F_FORCE], 5, AN_COPY_PLAIN};
    }
    AN_TRY(an_level_gather(c, n, all));
    AN_TRY(op->copy(s->engine, c->fields.at[AN_F_WR], state, bytes, 0));
    AN_TRY(an_level_ghosts(s, c, state));
    return s->params.turb.model ? an_level_eddy_ghosts(s, c) : AN_OK;
}

int an_multigrid_restrict_state(struct an_solver *s, struct an_level *l, struct an_level *c)
{
    struct an_fields f = c->fields;
    if (c->gather)
        return enter_replicated(s, l, c, 0);
    f.at[AN_F_OW] = l->fields.at[AN_F_W];
    f.at[AN_F_OVOL] = l->fields.at[AN_F_VOL];
    if (!s->params.turb.model)
        return an_level_state(s, c, AN_S_restrict_state, l, &f, c->fields.at[AN_F_W]);
    AN_TRY(an_level_restrict(s, l, c, l->fields.at[AN_F_MUT], c->fields.at[AN_F_MUT]));
    return an_level_state_with_eddy(s, c, AN_S_restrict_state, l, &f, c->fields.at[AN_F_W]);
}

/* Does the flux of a level depend on the size of the spectral radii? The other fluxes see by their sign
 * alone which faces are closed, and this stays the same from step to step. */
static int weighs_radii(const struct an_solver *s, const struct an_level *l)
{
    const enum an_scheme scheme = an_level_scheme(s, l);
    return scheme != AN_SCHEME_ROE && scheme != AN_SCHEME_MATRIX;
}

/* State and residual of a level, which has been smoothed, go to the coarser one c; its forcing follows. Of c
 * radii and residual, without the forcing, are known then. */
static int restrict_level(struct an_solver *s, struct an_level *l, struct an_level *c)
{
    const struct an_params *p = an_level_params(s, c);
    struct an_fields f = c->fields;
    void *state = l->fields.at[AN_F_W];
    if (weighs_radii(s, l) && p->dual.rate > 0)
        AN_TRY(an_level_radii(s, l, NULL));
    if (p->dual.rate > 0)
        AN_TRY(an_level_timed_residual(s, l, state, 0, 0, 0));
    else
        AN_TRY(weighs_radii(s, l) ? an_level_radii_and_residual(s, l)
                                  : an_level_residual(s, l, state));
    AN_TRY(c->gather ? enter_replicated(s, l, c, 1) : an_multigrid_restrict_state(s, l, c));
    void *force = c->fields.at[AN_F_FORCE];
    c->fields.at[AN_F_FORCE] = NULL; /* the residual proper */
    const int status = an_level_radii_and_residual(s, c);
    c->fields.at[AN_F_FORCE] = force;
    AN_TRY(status);
    if (c->gather) { /* FORCE = FORCE - R */
        f.at[AN_F_W] = f.at[AN_F_DW] = force;
        f.at[AN_F_WR] = f.at[AN_F_R];
        return s->engine->op->run(s->engine, AN_S_correction, c->interior, &f, p, NULL, 0);
    }
    f.at[AN_F_OW] = l->fields.at[AN_F_R];
    return s->engine->op->run_between(s->engine, AN_S_restrict_residual, c->interior, l->interior,
                                      &f, p, 0);
}

/* What the coarser level c learned goes to l. */
static int prolong_level(struct an_solver *s, struct an_level *c, struct an_level *l)
{
    const struct an_engine_ops *op = s->engine->op;
    const struct an_params *p = an_level_params(s, l);
    const struct an_sending x = {.stencil = AN_S_correction,
                                 .fields = c->fields,
                                 .halo = c->halo,
                                 .nfield = 1,
                                 .field = {{c->fields.at[AN_F_DW], 5, 1}},
                                 .ghosts = AN_S_ghost_correction,
                                 .ghost_fields = &c->fields};
    AN_TRY(an_level_send(s, c, &x));
    struct an_fields f = l->fields;
    f.at[AN_F_OW] = c->fields.at[AN_F_DW];
    f.at[AN_F_W0] = f.at[AN_F_WN] = l->fields.at[AN_F_W];
    AN_TRY(op->run_between(s->engine, AN_S_prolong, l->interior, an_replicated_beside(l, c), &f, p,
                           0));
    return an_level_state(s, l, AN_S_correct, NULL, &f, l->fields.at[AN_F_W]);
}

/* first: the way of the first step. */
static int smooth(struct an_solver *s, struct an_level *l, int steps, int first, int known)
{
    for (int n = 0; n < steps; n++)
        AN_TRY(smooth_once(s, l, (first + n) & 1, known && n == 0));
    return AN_OK;
}

/* kind: of the cycle from level n down; known: as of smooth_once; way: of the first step. */
static int cycle(struct an_solver *s, int n, enum an_cycle kind, int known, int way)
{
    struct an_level *l = &s->level[n];
    const struct an_case *c = s->c;
    AN_TRY(an_engine_mark(s->engine, n));
    if (n == s->nlevel - 1)
        return smooth(s, l, n ? c->multigrid.coarse : 1, way, known);
    AN_TRY(smooth(s, l, c->multigrid.pre, way, known));
    AN_TRY(restrict_level(s, l, l + 1));
    const int visits = kind != AN_CYCLE_V && n + 1 < s->nlevel - 1 ? 2 : 1;
    for (int v = 0; v < visits; v++)
        AN_TRY(cycle(s, n + 1, kind == AN_CYCLE_F && v ? AN_CYCLE_V : kind, v == 0, 0));
    AN_TRY(an_engine_mark(s->engine, n));
    AN_TRY(prolong_level(s, l + 1, l));
    return smooth(s, l, c->multigrid.post, (way + c->multigrid.pre) & 1, 0);
}

int an_multigrid_cycle(struct an_solver *s, int known, int way)
{
    return cycle(s, 0, s->c->multigrid.cycle, known, way);
}

/* Root of the sum of the squared density residuals of a level's state. */
static int density_residual(struct an_solver *s, struct an_level *l, double *norm)
{
    struct an_reduction red;
    AN_TRY(an_level_radii(s, l, NULL));
    AN_TRY(an_level_residual(s, l, l->fields.at[AN_F_W]));
    AN_TRY(s->engine->op->run(s->engine, AN_S_norm, l->interior, &l->fields, an_level_params(s, l),
                              &red, 0));
    AN_TRY(an_reduce_xsum(l->comm, 1, red.sum));
    *norm = sqrt(an_xsum_value(red.sum[0]));
    return AN_OK;
}

static int cycle_of(struct an_solver *s, int n)
{
    return cycle(s, n, s->c->multigrid.cycle, 0, 0);
}

/* CFL number of cycle m of the ramp to cfl. */
static double start_cfl(double cfl, int m)
{
    const double from = AN_TUNE_START_CFL;
    return fmin(cfl, from * pow(cfl / from, (double)m / AN_TUNE_START_RAMP));
}

/* Marches level n, n > 0, as if it were the finest. */
static int settle(struct an_solver *s, int n)
{
    struct an_level *l = &s->level[n];
    void *force = l->fields.at[AN_F_FORCE];
    const double cfl = s->c->march.cfl;
    double largest = 0, norm = 0;
    int status = AN_OK;
    l->fields.at[AN_F_FORCE] = NULL;
    for (int m = 0; m < AN_TUNE_START_CYCLES && status == AN_OK; m++) {
        s->params_coarse.march.cfl = m < AN_TUNE_START_RAMP ? start_cfl(cfl, m) : cfl;
        status = an_march_set_runtime(s);
        if (status == AN_OK && m % AN_TUNE_START_EVERY == 0)
            status = density_residual(s, l, &norm);
        if (status == AN_OK && !isfinite(norm))
            status = an_error_set(AN_DIVERGED, "full multigrid diverged on level %d", n + 1);
        largest = fmax(largest, norm);
        if (m > AN_TUNE_START_RAMP && norm < AN_TUNE_START_DROP * largest)
            break;
        if (status == AN_OK)
            status = an_turbulence_algebraic(s, l, 0);
        if (status == AN_OK)
            status = an_graph_run(s, &an_marching_of(s)->graph, n, cycle_of, n);
    }
    l->fields.at[AN_F_FORCE] = force;
    return status;
}

int an_multigrid_start(struct an_solver *s)
{
    if (s->nlevel == 1 || !s->c->multigrid.full)
        return AN_OK;
    an_solver_ramp(s);
    for (int n = 1; n < s->nlevel; n++)
        AN_TRY(an_multigrid_restrict_state(s, &s->level[n - 1], &s->level[n]));
    for (int n = s->nlevel - 1; n > 0; n--) {
        AN_TRY(settle(s, n));
        AN_TRY(prolong_level(s, &s->level[n], &s->level[n - 1]));
    }
    return AN_OK;
}

#include "solver/flow/turbulence.h"

#include "kernels/engine/meter.h"
#include "mpi/reduce.h"
#include "solver/flow/des.h"
#include "solver/flow/flow.h"
#include "solver/flow/intermittency.h"
#include "solver/flow/lag.h"
#include "solver/flow/slide.h"
#include "solver/level/level.h"
#include "solver/level/place.h"
#include "solver/level/transfer.h"
#include "solver/level/tuning.h"

#include <math.h>
#include <stdlib.h>

static const struct an_model *model(const struct an_solver *s)
{
    return an_model_of(s->c->turbulence.model);
}

/* Components of TURB. */
static int components(const struct an_solver *s)
{
    return model(s)->nvariable;
}

/* Bytes of TURB. */
static size_t turb_bytes(const struct an_solver *s)
{
    const struct an_layout *l = &s->level->layout;
    return (size_t)components(s) * (size_t)l->ncell * (size_t)l->precision;
}

static int blends(const struct an_solver *s)
{
    return (model(s)->flags & AN_MODEL_BLENDS) != 0;
}

static int keeps_eddy(const struct an_solver *s)
{
    return (model(s)->flags & AN_MODEL_KEEPS_EDDY) != 0;
}

static int run(struct an_solver *s, enum an_stencil stencil)
{
    struct an_level *l = s->level;
    return s->engine->op->run(s->engine, stencil, l->interior, &l->fields, &s->params, NULL, 0);
}

static int run_faces(struct an_solver *s, enum an_stencil stencil)
{
    struct an_level *l = s->level;
    return s->engine->op->run_faces(s->engine, stencil, s->scheme, l->faces, &l->fields, &s->params,
                                    NULL, 0);
}

/* Of a stencil that writes a field of numbers, with the one that fills its ghosts behind boundaries. */
static int run_sent(struct an_solver *s, enum an_stencil stencil, enum an_field field, int ncomp,
                    enum an_stencil ghosts)
{
    struct an_level *l = s->level;
    const struct an_sending x = {.stencil = stencil,
                                 .fields = l->fields,
                                 .halo = l->halo,
                                 .nfield = 1,
                                 .field = {{l->fields.at[field], ncomp, AN_COPY_PLAIN}},
                                 .ghosts = ghosts,
                                 .ghost_fields = &l->fields};
    return an_level_send(s, l, &x);
}

/* Ghost cells of TURB behind planes that slide, with which those of W are found anew, and behind blocks one
 * cell thick. */
static int complete(struct an_solver *s)
{
    struct an_level *l = s->level;
    if (l->slide)
        AN_TRY(an_level_complete(s, l, l->fields.at[AN_F_W]));
    return an_level_second(l, l->fields.at[AN_F_TURB], components(s), AN_COPY_PLAIN);
}

/* What all below needs of the flow, and TURB's ghosts where it enters. */
static int prepare(struct an_solver *s)
{
    if (s->params.turb.wall_function) {
        AN_TRY(run_faces(s, AN_S_wall_law));
        /* the second cell of a wall looks for the friction velocity in its second ghost */
        AN_TRY(an_level_second(s->level, s->level->fields.at[AN_F_UTAU], 1, AN_COPY_PLAIN));
    }
    AN_TRY(an_level_gradient(s, s->level, s->level->fields.at[AN_F_W]));
    AN_TRY(run_faces(s, AN_S_ghost_turb));
    return complete(s);
}

/* Eddy viscosity of the cells, then of the ghosts; from W, TURB and, for SST, GRAD. The length of
 * detached-eddy simulation, which the next residual of the flow reads. */
static int eddy_viscosity(struct an_solver *s)
{
    AN_TRY(an_level_eddy(s, s->level, model(s)->viscosity, NULL, &s->level->fields));
    return an_des_refresh(s);
}

int an_turbulence_algebraic(struct an_solver *s, struct an_level *l, int start)
{
    struct an_params *p = an_level_params(s, l);
    if (!keeps_eddy(s))
        return AN_OK;
    p->turb.mixing_weight = start ? 1 : AN_TUNE_MIXING_PART;
    AN_TRY(an_level_gradient(s, l, l->fields.at[AN_F_W]));
    return an_level_eddy(s, l, AN_S_mixing_length, NULL, &l->fields);
}

int an_turbulence_initial(struct an_solver *s)
{
    if (!components(s))
        return an_turbulence_algebraic(s, s->level, 1);
    AN_TRY(run(s, AN_S_turb_initial));
    AN_TRY(an_intermittency_initial(s));
    return an_turbulence_refresh(s);
}

int an_turbulence_refresh(struct an_solver *s)
{
    if (!components(s))
        return keeps_eddy(s) ? an_level_eddy_ghosts(s, s->level) : AN_OK;
    AN_TRY(an_halo_start(s->level->halo, s->level->fields.at[AN_F_TURB], components(s),
                         AN_COPY_PLAIN));
    AN_TRY(an_halo_finish(s->level->halo));
    AN_TRY(an_level_lag(s, s->level, s->level->fields.at[AN_F_TURB], components(s), AN_COPY_PLAIN));
    AN_TRY(prepare(s));
    AN_TRY(an_intermittency_refresh(s));
    return eddy_viscosity(s);
}

/* RT, DIAGT and the couplings in LINE from W, GRAD and TURB with its ghosts. */
static int residual(struct an_solver *s)
{
    struct an_level *l = s->level;
    const size_t vector = 3 * (size_t)l->layout.ncell * (size_t)l->layout.precision;
    char *gradient = l->fields.at[AN_F_GRADT];
    const struct an_sending x = {.stencil = AN_S_turb_gradient,
                                 .fields = l->fields,
                                 .halo = l->halo,
                                 .nfield = components(s),
                                 .field = {{gradient, 3, 0}, {gradient + vector, 3, 0}},
                                 .ghosts = AN_S_ghost_turb_gradient,
                                 .ghost_fields = &l->fields};
    AN_TRY(an_level_send(s, l, &x));
    if (blends(s)) {
        AN_TRY(run_sent(s, AN_S_sst_blend, AN_F_BLEND, 1, AN_S_ghost_blend));
        AN_TRY(eddy_viscosity(s));
    }
    AN_TRY(an_des_refresh(s));
    AN_TRY(run(s, model(s)->residual));
    if (s->params.turb.intermittency)
        AN_TRY(run(s, AN_S_sst_transition));
    if (blends(s) && s->params.turb.rotation == AN_CORRECTION_RC)
        AN_TRY(run(s, AN_S_sst_curvature));
    if (!l->fields.at[AN_F_SOURCE] || (l->source_cells && !l->turbulent_sources))
        return AN_OK;
    return s->engine->op->run(s->engine, AN_S_add_turb_source,
                              l->source_cells ? l->source_cells : l->interior, &l->fields,
                              &s->params, NULL, 0);
}

/* Where TURB is kept during an implicit step. */
static void *kept(const struct an_solver *s)
{
    return an_level_component(s->level, AN_F_LINE, AN_LINE_TURB);
}

static int turbulence_keep(struct an_solver *s)
{
    return s->engine->op->copy(s->engine, kept(s), s->level->fields.at[AN_F_TURB], turb_bytes(s),
                               0);
}

/* The residual and the operator at TURB. In a dual march they have the physical time derivative: of TURB, or
 * of `from`, and `part` of it in the operator. */
static int linearise(struct an_solver *s, double part, void *from)
{
    struct an_level *l = s->level;
    AN_TRY(residual(s));
    if (s->params.dual.rate <= 0)
        return AN_OK;
    struct an_fields f = l->fields;
    f.at[AN_F_TURB] = from ? from : f.at[AN_F_TURB];
    s->params.dual.weight = part * s->params.dual.rate;
    return s->engine->op->run(s->engine, AN_S_time_term_turb, l->interior, &f, &s->params, NULL, 0);
}

/* TURB = from + part of the implicit change along these lines, by the residual and the operator that stand;
 * from: NULL, TURB itself. Ghosts included. */
static int solve(struct an_solver *s, const struct an_lines *lines, double part, void *from)
{
    const struct an_engine_ops *op = s->engine->op;
    struct an_level *l = s->level;
    s->params.march.alpha = part;
    AN_TRY(op->run_lines(s->engine, AN_S_turb_lines, lines, &l->fields, &s->params, 0));
    if (from)
        AN_TRY(op->copy(s->engine, l->fields.at[AN_F_TURB], from, turb_bytes(s), 0));
    AN_TRY(run_sent(s, model(s)->update, AN_F_TURB, components(s), AN_S_ghost_turb));
    return complete(s);
}

/* TURB = from + part of the implicit change at TURB, along these lines. */
static int advance(struct an_solver *s, const struct an_lines *lines, double part, void *from)
{
    AN_TRY(linearise(s, part, from));
    return solve(s, lines, part, from);
}

/* The operator along lines is of first order and lags across them. Sweeps with advection of second
 * order grow along the flow (by 1.5 at a wave length of four cells); as stages they do not. */
static int stages(struct an_solver *s)
{
    static const double part[] = {1. / 3, 0.5, 1};
    AN_TRY(turbulence_keep(s));
    for (size_t m = 0; m < sizeof part / sizeof *part; m++)
        AN_TRY(advance(s, s->level->lines[0], part[m], kept(s)));
    return AN_OK;
}

/* One sweep: along segments across the lines, then along the lines; without the former the turbulence of a
 * steady flow would travel by one cell of the mesh in each sweep. All solves of a sweep belong to one linear
 * system; in the later ones the residual has followed the change of those before (turb_follow.stencil), or
 * it is computed anew. */
static int sweep(struct an_solver *s, const struct an_lines *along)
{
    struct an_level *l = s->level;
    const struct an_lines *const lines[] = {l->across[0], l->across[1], along};
    int first = 1;
    for (int n = 0; n < 3; n++) {
        if (!lines[n])
            continue;
        if (first || !s->c->turbulence.linear)
            AN_TRY(linearise(s, 1, NULL));
        else
            AN_TRY(run(s, AN_S_turb_follow));
        if (n < 2 && s->c->turbulence.linear)
            AN_TRY(turbulence_keep(s));
        AN_TRY(solve(s, lines[n], 1, NULL));
        first = 0;
    }
    return AN_OK;
}

static int sweeps(struct an_solver *s)
{
    for (int n = 0; n < s->c->turbulence.sweeps; n++)
        AN_TRY(sweep(s, s->level->lines[n & 1]));
    return AN_OK;
}

double an_turbulence_time_weight(double cfl)
{
    return fmin(1, cfl / AN_TUNE_TURBULENCE_CFL);
}

int an_turbulence_begin(struct an_solver *s)
{
    AN_TRY(an_engine_mark(s->engine, AN_MAX_LEVEL));
    return components(s) ? prepare(s) : AN_OK;
}

int an_turbulence_advance(struct an_solver *s)
{
    if (!components(s))
        return an_turbulence_algebraic(s, s->level, 0);
    const int dual = s->params.dual.rate > 0;
    const int unsteady = s->c->march.mode == AN_MARCH_UNSTEADY && !dual;
    s->params.march.turb_time = unsteady ? 1
                                : dual   ? 0
                                         : an_turbulence_time_weight(s->params.march.cfl);
    if (unsteady)
        AN_TRY(advance(s, s->level->lines[0], 1, NULL));
    else if (s->params.turb.order < 2)
        AN_TRY(sweeps(s));
    else
        AN_TRY(stages(s));
    AN_TRY(eddy_viscosity(s));
    return an_intermittency_step(s, unsteady);
}

/* Words the first cell of this rank whose TURB is not finite. */
static int find_bad_cell(struct an_solver *s)
{
    for (int b = 0; b < s->nlocal; b++) {
        const int *n = s->level->layout.block[b].n;
        const int64_t cells = (int64_t)n[0] * n[1] * n[2];
        double *t = malloc((size_t)cells * AN_MOST_VARIABLES * sizeof *t);
        AN_CHECK(t, AN_DIVERGED, "the flow diverged (and no memory is left to say where)");
        int status = an_solver_download(s, AN_F_TURB, components(s), b, t);
        for (int64_t at = 0; status == AN_OK && at < cells * components(s); at++) {
            if (isfinite(t[at]))
                continue;
            char place[256];
            an_place_text(s, b, at % cells, place, sizeof place);
            status =
                an_error_set(AN_DIVERGED, "diverged at iteration %lld: %s is %g in %s",
                             (long long)s->iteration, model(s)->variable[at / cells], t[at], place);
        }
        free(t);
        AN_TRY(status);
    }
    return AN_OK;
}

int an_turbulence_guess(struct an_solver *s)
{
    if (!components(s))
        return AN_OK;
    AN_TRY(run(s, AN_S_time_start_turb));
    AN_TRY(an_intermittency_guess(s));
    return an_turbulence_refresh(s);
}

int an_turbulence_left(struct an_solver *s, double square[2])
{
    struct an_reduction red;
    square[0] = square[1] = 0;
    if (!components(s))
        return AN_OK;
    AN_TRY(s->engine->op->run(s->engine, AN_S_turb_norm, s->level->interior, &s->level->fields,
                              &s->params, &red, 0));
    AN_TRY(an_reduce_xsum(s->comm, 2, red.sum));
    for (int c = 0; c < components(s); c++)
        square[c] = an_xsum_value(red.sum[c]);
    return AN_OK;
}

int an_turbulence_measure_start(struct an_solver *s, struct an_reduction *sums)
{
    if (!components(s))
        return AN_OK;
    AN_TRY(prepare(s));
    AN_TRY(residual(s));
    return s->engine->op->run(s->engine, AN_S_turb_norm, s->level->interior, &s->level->fields,
                              &s->params, sums, 0);
}

int an_turbulence_measure_finish(struct an_solver *s, int64_t iteration, struct an_reduction *sums,
                                 double norm[2])
{
    norm[0] = norm[1] = NAN;
    if (!components(s))
        return AN_OK;
    AN_TRY(an_reduce_xsum(s->comm, 3, sums->sum));
    int healthy = 1;
    for (int c = 0; c < components(s); c++) {
        norm[c] = sqrt(an_xsum_value(sums->sum[c]) / an_xsum_value(sums->sum[2]));
        healthy = healthy && isfinite(norm[c]);
    }
    if (healthy)
        return AN_OK;
    AN_TRY(an_reduce_status(s->comm, find_bad_cell(s)));
    return an_error_set(AN_DIVERGED,
                        "diverged at iteration %lld: a turbulence residual is not finite",
                        (long long)iteration);
}

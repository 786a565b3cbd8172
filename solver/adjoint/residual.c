#include "solver/adjoint/residual.h"

#include "kernels/engine/model.h"
#include "solver/flow/fields.h"
#include "solver/flow/flow.h"
#include "solver/flow/turbulence.h"
#include "solver/level/transfer.h"
#include "solver/monitor/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The gas at the start at the speed of sound; turbulence: a hundred times the viscosity. */
static void set_units(struct an_adjoint_residual *a)
{
    const struct an_case *c = a->s->c;
    const double rho = c->initial.p / (c->gas.R * c->initial.T);
    const double sound = sqrt(c->gas.gamma * c->gas.R * c->initial.T);
    const double q[AN_MOST_UNKNOWNS] = {
        rho,
        rho * sound,
        rho * sound,
        rho * sound,
        rho * sound * sound,
        100 * an_model_viscosity(&a->s->params, c->initial.T) / rho};
    for (int v = 0; v < a->nv; v++) {
        a->unit_q[v] = q[v];
        a->unit_r[v] = (v < 5 ? 1 : rho) * sound * q[v];
    }
}

int an_adjoint_residual_new(struct an_solver *s, const struct an_adjoint_cells *cells,
                            struct an_adjoint_residual *a)
{
    const int nturb = an_model_of(s->c->turbulence.model)->nvariable;
    int64_t largest = 0;
    for (int b = 0; b < s->nlocal; b++) {
        const int64_t n = cells->first[b + 1] - cells->first[b];
        largest = n > largest ? n : largest;
    }
    *a = (struct an_adjoint_residual){.s = s, .cells = cells, .nv = 5 + nturb, .nturb = nturb};
    set_units(a);
    a->state = calloc((size_t)s->level->layout.ncell * (size_t)a->nv + 1, sizeof *a->state);
    a->block = malloc(((size_t)largest * 7 + 1) * sizeof *a->block);
    AN_CHECK(a->state && a->block, AN_FAIL, "out of memory for the state");
    AN_TRY(an_targets_new(s, cells, a->nv, a->unit_q, &a->targets));
    a->rows = cells->n + a->targets.n;
    return AN_OK;
}

void an_adjoint_residual_free(struct an_adjoint_residual *a)
{
    free(a->state);
    free(a->block);
    an_targets_free(&a->targets);
    memset(a, 0, sizeof *a);
}

/* Components `at` and behind of the cells, from n components of a field of the engine. */
static int take(struct an_adjoint_residual *a, const void *field, int n, int at, double *to)
{
    for (int b = 0; b < a->s->nlocal; b++) {
        const int64_t first = a->cells->first[b], count = a->cells->first[b + 1] - first;
        AN_TRY(an_solver_download_from(a->s, field, n, b, a->block));
        for (int c = 0; c < n; c++)
            for (int64_t m = 0; m < count; m++)
                to[(first + m) * a->nv + at + c] = a->block[c * count + m];
    }
    return AN_OK;
}

int an_adjoint_state(struct an_adjoint_residual *a, double *q)
{
    const struct an_fields *f = &a->s->level->fields;
    an_targets_get(&a->targets, a->unit_q, q + a->cells->n * a->nv);
    AN_TRY(take(a, f->at[AN_F_W], 5, 0, q));
    return a->nturb ? take(a, f->at[AN_F_TURB], a->nturb, 5, q) : AN_OK;
}

/* Ghost cells at edges and corners keep what they have; no stencil reads them. */
static int put(struct an_adjoint_residual *a, const double *q)
{
    const struct an_engine *e = a->s->engine;
    const struct an_layout *l = &a->s->level->layout;
    const struct an_fields *f = &a->s->level->fields;
    const size_t bytes = (size_t)l->ncell * sizeof *q;
    double *turb = a->state + 5 * l->ncell;
    for (int b = 0; b < a->s->nlocal; b++) {
        const struct an_block *block = &l->block[b];
        const double *from = q + a->cells->first[b] * a->nv;
        for (int k = 0; k < block->n[2]; k++)
            for (int j = 0; j < block->n[1]; j++)
                for (int i = 0; i < block->n[0]; i++, from += a->nv)
                    for (int c = 0; c < a->nv; c++)
                        a->state[c * l->ncell + an_element(block, i, j, k)] = from[c];
    }
    AN_TRY(e->op->upload(a->s->engine, f->at[AN_F_W], a->state, 5 * bytes, 0));
    if (a->nturb)
        AN_TRY(e->op->upload(a->s->engine, f->at[AN_F_TURB], turb, (size_t)a->nturb * bytes, 0));
    AN_TRY(an_targets_set(&a->targets, a->unit_q, q + a->cells->n * a->nv));
    return e->op->sync(a->s->engine, 0);
}

/* R and RT of the solver, and the equations of targets. */
static int take_residual(struct an_adjoint_residual *a, double *r)
{
    const struct an_fields *f = &a->s->level->fields;
    an_targets_residual(&a->targets, a->unit_r, r + a->cells->n * a->nv);
    AN_TRY(take(a, f->at[AN_F_R], 5, 0, r));
    return a->nturb ? take(a, f->at[AN_F_RT], a->nturb, 5, r) : AN_OK;
}

int an_adjoint_residual_of(struct an_adjoint_residual *a, const double *q, double *r)
{
    struct an_solver *s = a->s;
    struct an_reduction sums;
    AN_TRY(put(a, q));
    AN_TRY(an_solver_refresh(s));
    AN_TRY(an_level_radii(s, s->level, NULL));
    AN_TRY(an_level_residual(s, s->level, s->level->fields.at[AN_F_W]));
    AN_TRY(an_turbulence_measure_start(s, &sums));
    AN_TRY(an_targets_measure(&a->targets));
    return take_residual(a, r);
}

int an_adjoint_evaluate(struct an_adjoint_residual *a, const double *q, double *r, double *figure)
{
    struct an_measure m = {.integral = NULL};
    AN_TRY(put(a, q));
    AN_TRY(an_solver_refresh(a->s));
    AN_TRY(an_solver_measure(a->s, &m));
    AN_TRY(an_targets_measure(&a->targets));
    if (r)
        AN_TRY(take_residual(a, r));
    if (!figure || !a->nfigure)
        return AN_OK;
    an_figures_by_cell(a->s, a->weights, a->cells->first, figure);
    return AN_OK;
}

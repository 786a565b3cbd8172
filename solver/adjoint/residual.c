#include "solver/adjoint/residual.h"

#include "kernels/engine/model.h"
#include "solver/flow/fields.h"
#include "solver/flow/flow.h"
#include "solver/flow/turbulence.h"
#include "solver/monitor/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The gas at the start at the speed of sound; turbulence: eddies of a hundred times the viscosity, with fluctuations of a tenth
 * of the speed of sound. */
static void set_units(struct an_adjoint_residual *a)
{
    const struct an_case *c = a->s->c;
    const double rho = c->initial.p / (c->gas.R * c->initial.T);
    const double sound = sqrt(c->gas.gamma * c->gas.R * c->initial.T);
    const double eddy = 100 * an_model_viscosity(&a->s->params, c->initial.T) / rho;
    const double k = 0.01 * sound * sound;
    const double q[AN_MOST_UNKNOWNS] = {rho,         rho * sound,         rho * sound,
                                        rho * sound, rho * sound * sound, a->nturb > 1 ? k : eddy,
                                        k / eddy};
    for (int v = 0; v < a->nv; v++) {
        a->unit_q[v] = q[v];
        a->unit_r[v] = (v < 5 ? 1 : rho) * sound * q[v];
    }
}

/* Where the cells stand in fields. */
static void find_elements(struct an_adjoint_residual *a)
{
    const struct an_layout *l = &a->s->level->layout;
    for (int b = 0; b < a->s->nlocal; b++) {
        const struct an_block *block = &l->block[b];
        int64_t *to = a->element + a->cells->first[b];
        for (int k = 0; k < block->n[2]; k++)
            for (int j = 0; j < block->n[1]; j++)
                for (int i = 0; i < block->n[0]; i++)
                    *to++ = an_element(block, i, j, k);
    }
}

int an_adjoint_residual_new(struct an_solver *s, const struct an_adjoint_cells *cells,
                            struct an_adjoint_residual *a)
{
    const int nturb = an_model_of(s->c->turbulence.model)->nvariable;
    const struct an_engine_ops *op = s->engine->op;
    *a = (struct an_adjoint_residual){.s = s,
                                      .cells = cells,
                                      .nv = 5 + nturb,
                                      .nturb = nturb,
                                      .ncell = s->level->layout.ncell,
                                      .disturbed = -1};
    const size_t bytes = ((size_t)a->ncell * (size_t)a->nv + 1) * sizeof *a->state;
    void *image[3] = {NULL, NULL, NULL};
    int status = AN_OK;
    set_units(a);
    a->element = malloc(((size_t)cells->n + 1) * sizeof *a->element);
    AN_CHECK(a->element, AN_FAIL, "out of memory for the state");
    find_elements(a);
    for (int m = 0; m < 3 && status == AN_OK; m++)
        status = op->alloc_host(s->engine, bytes, &image[m]);
    a->state = image[0];
    a->image[0] = image[1];
    a->image[1] = image[2];
    AN_TRY(status);
    AN_TRY(an_targets_new(s, cells, a->nv, a->unit_q, &a->targets));
    a->rows = cells->n + a->targets.n;
    return AN_OK;
}

int an_adjoint_residual_like(struct an_solver *s, const struct an_adjoint_residual *of,
                             struct an_adjoint_residual *a)
{
    *a = *of;
    a->s = s;
    a->shares = 1;
    a->disturbed = -1;
    memset(&a->targets, 0, sizeof a->targets);
    AN_TRY(an_targets_new(s, a->cells, a->nv, a->unit_q, &a->targets));
    an_targets_like(&a->targets, &of->targets);
    return AN_OK;
}

void an_adjoint_residual_free(struct an_adjoint_residual *a)
{
    void *const image[] = {a->state, a->image[0], a->image[1]};
    for (int m = 0; m < 3 && !a->shares; m++)
        if (image[m])
            a->s->engine->op->free_host(a->s->engine, image[m]);
    if (!a->shares)
        free(a->element);
    an_targets_free(&a->targets);
    memset(a, 0, sizeof *a);
}

/* ---- fields ---- */

/* The field of an unknown in the engine: of the state, or of the residual. */
static double *field_of(const struct an_adjoint_residual *a, int residual, int unknown)
{
    const struct an_fields *f = &a->s->level->fields;
    const enum an_field flow = residual ? AN_F_R : AN_F_W,
                        turbulence = residual ? AN_F_RT : AN_F_TURB;
    const int64_t at = (unknown < 5 ? unknown : unknown - 5) * a->ncell;
    return (double *)f->at[unknown < 5 ? flow : turbulence] + at;
}

/* Some unknowns of an image from the engine. */
static int download(struct an_adjoint_residual *a, int residual, double *image)
{
    const struct an_engine_ops *op = a->s->engine->op;
    const size_t bytes = (size_t)a->ncell * sizeof *image;
    AN_TRY(op->download(a->s->engine, image, field_of(a, residual, 0), 5 * bytes, 0));
    if (a->nturb)
        AN_TRY(op->download(a->s->engine, image + 5 * a->ncell, field_of(a, residual, 5),
                            (size_t)a->nturb * bytes, 0));
    return op->sync(a->s->engine, 0);
}

static int upload(struct an_adjoint_residual *a, int unknown)
{
    return a->s->engine->op->upload(a->s->engine, field_of(a, 0, unknown),
                                    a->state + unknown * a->ncell,
                                    (size_t)a->ncell * sizeof *a->state, 0);
}

/* The cells of an image as rows. */
static void take(const struct an_adjoint_residual *a, const double *image, double *to)
{
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < a->cells->n; c++)
        for (int v = 0; v < a->nv; v++)
            to[c * a->nv + v] = image[v * a->ncell + a->element[c]];
}

int an_adjoint_state(struct an_adjoint_residual *a, double *q)
{
    an_targets_get(&a->targets, a->unit_q, q + a->cells->n * a->nv);
    AN_TRY(download(a, 0, a->image[0]));
    take(a, a->image[0], q);
    return AN_OK;
}

/* Ghost cells at edges and corners keep what they have; no stencil reads them. */
int an_adjoint_put(struct an_adjoint_residual *a, const double *q)
{
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < a->cells->n; c++)
        for (int v = 0; v < a->nv; v++)
            a->state[v * a->ncell + a->element[c]] = q[c * a->nv + v];
    for (int v = 0; v < a->nv; v++)
        AN_TRY(upload(a, v));
    a->disturbed = -1;
    AN_TRY(an_targets_set(&a->targets, a->unit_q, q + a->cells->n * a->nv));
    return a->s->engine->op->sync(a->s->engine, 0);
}

/* Only the unknowns that change travel. */
int an_adjoint_disturb(struct an_adjoint_residual *a, const struct an_adjoint_disturbance *d)
{
    double *state = a->state + d->unknown * a->ncell;
    if (a->disturbed >= 0 && a->disturbed != d->unknown)
        AN_TRY(upload(a, a->disturbed));
#pragma omp parallel for schedule(static)
    for (int64_t m = 0; m < d->n; m++) {
        const int64_t at = (int64_t)d->cell[m] * a->nv + d->unknown;
        state[a->element[d->cell[m]]] = d->q[at] + d->sign * d->step[at];
    }
    AN_TRY(upload(a, d->unknown));
    AN_TRY(a->s->engine->op->sync(a->s->engine, 0));
    a->disturbed = d->unknown;
#pragma omp parallel for schedule(static)
    for (int64_t m = 0; m < d->n; m++)
        state[a->element[d->cell[m]]] = d->q[(int64_t)d->cell[m] * a->nv + d->unknown];
    return AN_OK;
}

/* ---- residuals ---- */

/* Of the flow and the turbulence. */
static int find_residual(struct an_solver *s)
{
    struct an_reduction sums;
    AN_TRY(an_level_radii(s, s->level, NULL));
    AN_TRY(an_level_residual(s, s->level, s->level->fields.at[AN_F_W]));
    return an_turbulence_measure_start(s, &sums);
}

/* measured: 1: the monitors measure, too. */
static int evaluate(struct an_adjoint_residual *a, int measured)
{
    struct an_measure m = {.integral = NULL};
    AN_TRY(an_solver_refresh(a->s));
    AN_TRY(measured ? an_solver_measure(a->s, &m) : find_residual(a->s));
    return an_targets_measure(&a->targets);
}

int an_adjoint_find(struct an_adjoint_residual *a, int side, double *figure)
{
    AN_TRY(evaluate(a, 0));
    if (figure)
        AN_TRY(an_figures_measure(a->s, a->weights, a->cells->first, figure));
    return side < 0 ? AN_OK : download(a, 1, a->image[side]);
}

double *an_adjoint_field(const struct an_adjoint_residual *a, int residual, int unknown)
{
    return field_of(a, residual, unknown);
}

/* R and RT of the solver, and the equations of targets. */
static int take_residual(struct an_adjoint_residual *a, double *r)
{
    an_targets_residual(&a->targets, a->unit_r, r + a->cells->n * a->nv);
    AN_TRY(download(a, 1, a->image[0]));
    take(a, a->image[0], r);
    return AN_OK;
}

int an_adjoint_residual_of(struct an_adjoint_residual *a, const double *q, double *r)
{
    AN_TRY(an_adjoint_put(a, q));
    AN_TRY(evaluate(a, 0));
    return take_residual(a, r);
}

int an_adjoint_evaluate(struct an_adjoint_residual *a, const double *q, double *r, double *figure)
{
    AN_TRY(an_adjoint_put(a, q));
    AN_TRY(evaluate(a, 1));
    if (r)
        AN_TRY(take_residual(a, r));
    if (figure && a->nfigure)
        an_figures_by_cell(a->s, a->weights, a->cells->first, figure);
    return AN_OK;
}

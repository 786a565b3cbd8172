/* The state of a run: filled from a function of the place, or read from a snapshot. */
#include "solver/output/state.h"

#include "kernels/base/numbers.h"
#include "mpi/reduce.h"
#include "solver/flow/fields.h"
#include "solver/flow/flow.h"
#include "solver/flow/turbulence.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/level/transfer.h"
#include "solver/output/packed.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fills all ghost cells with the state of the nearest interior cell. Ghost cells at edges and
 * corners are used by no stencil, but no memory is read before it was written. */
static void fill_block_ghosts(const struct an_layout *l, const struct an_block *b, void *all)
{
    for (int k = -AN_GHOST; k < b->n[2] + AN_GHOST; k++)
        for (int j = -AN_GHOST; j < b->n[1] + AN_GHOST; j++)
            for (int i = -AN_GHOST; i < b->n[0] + AN_GHOST; i++) {
                const int c[3] = {i, j, k};
                int in[3], outside = 0;
                for (int d = 0; d < 3; d++) {
                    in[d] = c[d] < 0 ? 0 : c[d] >= b->n[d] ? b->n[d] - 1 : c[d];
                    outside += in[d] != c[d];
                }
                if (!outside)
                    continue;
                int64_t from = an_element(b, in[0], in[1], in[2]), to = an_element(b, i, j, k);
                for (int q = 0; q < 5; q++)
                    an_real_put(l->precision, all, q * l->ncell + to,
                                an_real_get(l->precision, all, q * l->ncell + from));
            }
}

int an_state_adopt(struct an_solver *s, void *all)
{
    const struct an_layout *l = &s->level->layout;
    for (int b = 0; b < s->nlocal; b++)
        fill_block_ghosts(l, &l->block[b], all);
    size_t bytes = (size_t)l->ncell * 5 * (size_t)l->precision;
    void *everywhere[3] = {s->level->fields.at[AN_F_W], s->level->stage[0], s->level->stage[1]};
    for (int n = 0; n < 3; n++)
        AN_TRY(s->engine->op->upload(s->engine, everywhere[n], all, bytes, 0));
    AN_TRY(s->engine->op->sync(s->engine, 0));
    return AN_OK;
}

/* Sets the residual that the scree scheme keeps to zero; `all` is work for five components. */
static int forget(struct an_solver *s, void *all)
{
    const size_t bytes = (size_t)s->level->layout.ncell * 5 * (size_t)s->level->layout.precision;
    memset(all, 0, bytes);
    AN_TRY(s->engine->op->upload(s->engine, s->level->fields.at[AN_F_Y], all, bytes, 0));
    return s->engine->op->sync(s->engine, 0);
}

static void fill_block(struct an_solver *s, int b, an_state_at *at, void *context, void *all)
{
    const struct an_layout *l = &s->level->layout;
    const struct an_block *block = &l->block[b];
    const double *x = s->node[b];
    const struct an_gas gas = an_case_gas_of(s->c, NULL);
    for (int k = 0; k < block->n[2]; k++)
        for (int j = 0; j < block->n[1]; j++)
            for (int i = 0; i < block->n[0]; i++) {
                double centre[3], q[5];
                an_nodes_centre(block->n, x, i, j, k, centre);
                at(context, centre, q);
                double w[5] = {q[0], q[0] * q[1], q[0] * q[2], q[0] * q[3],
                               an_gas_energy(&gas, q[0], q[4]) +
                                   0.5 * q[0] * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3])};
                for (int c = 0; c < 5; c++)
                    an_real_put(l->precision, all, c * l->ncell + an_element(block, i, j, k), w[c]);
            }
}

int an_solver_fill(struct an_solver *s, an_state_at *at, void *context)
{
    void *all = calloc((size_t)s->level->layout.ncell * 5, (size_t)s->level->layout.precision);
    int status = all ? AN_OK : an_error_set(AN_FAIL, "out of memory for the initial state");
    for (int b = 0; b < s->nlocal && status == AN_OK; b++)
        fill_block(s, b, at, context, all);
    if (status == AN_OK)
        status = an_state_adopt(s, all);
    if (status == AN_OK && s->scree) /* nothing is kept from before the start */
        status = forget(s, all);
    free(all);
    s->iteration = 0;
    s->time = 0;
    s->has_residual_first = 0;
    AN_TRY(an_reduce_status(s->comm, status));
    AN_TRY(an_components_start(s, 1));
    AN_TRY(an_level_ghosts(s, s->level, s->level->fields.at[AN_F_W]));
    return an_turbulence_initial(s);
}

static int restart(struct an_solver *s, const char *path, const struct an_snapshot_meta *meta)
{
    const char *name[AN_MOST_STATE];
    struct an_state_field state[AN_MOST_STATE];
    AN_TRY(an_components_expect(s, meta));
    const int nstate = an_state_fields(s, state);
    for (int f = 0; f < nstate; f++)
        name[f] = state[f].name;
    struct an_packed p = {0};
    int status = an_reduce_status(s->comm, an_packed_new(s, nstate, &p));
    if (status == AN_OK)
        status = an_snapshot_read(s->comm, path, s->mesh, s->level->layout.precision, nstate, name,
                                  s->nlocal, p.piece);
    const struct an_layout *l = &s->level->layout;
    const size_t bytes = (size_t)l->ncell * (size_t)l->precision;
    char *all = status == AN_OK ? calloc((size_t)nstate, bytes) : NULL;
    if (status == AN_OK && !all)
        status = an_error_set(AN_FAIL, "out of memory for the restart");
    for (int b = 0; b < s->nlocal && status == AN_OK; b++)
        for (int f = 0; f < nstate; f++)
            an_pack(l, &l->block[b], all + (size_t)f * bytes, p.field[b * nstate + f], 1,
                    omp_get_max_threads());
    an_packed_free(&p);
    if (status == AN_OK)
        status = an_state_adopt(s, all);
    for (int f = 5; f < nstate && status == AN_OK; f++)
        status =
            s->engine->op->upload(s->engine, state[f].memory, all + (size_t)f * bytes, bytes, 0);
    if (status == AN_OK)
        status = s->engine->op->sync(s->engine, 0);
    free(all);
    AN_TRY(an_reduce_status(s->comm, status));
    s->iteration = meta->iteration;
    s->time = meta->time;
    memcpy(s->residual_first, meta->residual_first, sizeof s->residual_first);
    s->has_residual_first = meta->iteration > 0;
    AN_TRY(an_components_start(s, 0));
    AN_TRY(an_components_take(s, meta));
    AN_TRY(an_solver_refresh(s));
    return an_components_catch_up(s); /* what the record does not tell is taken from the flow */
}

int an_solver_restart(struct an_solver *s, const char *path)
{
    struct an_snapshot_meta meta;
    AN_TRY(an_snapshot_read_meta(s->comm, path, s->mesh, &meta));
    const int status = restart(s, path, &meta);
    an_snapshot_controls_free(&meta);
    return status;
}

#include "solver/flow/des.h"

#include "mpi/reduce.h"
#include "solver/level/transfer.h"

#include <stdlib.h>

static int lowers(const struct an_solver *s)
{
    return s->params.turb.des && s->params.turb.des_weight < 1 && s->scheme == AN_SCHEME_MATRIX;
}

int an_des_has_dissipation(const struct an_solver *s, const struct an_level *l)
{
    return l == s->level && lowers(s);
}

int an_des_refresh(struct an_solver *s)
{
    struct an_level *l = s->level;
    if (!s->params.turb.des)
        return AN_OK;
    AN_TRY(s->engine->op->run(s->engine, AN_S_des_length, l->interior, &l->fields, &s->params, NULL,
                              0));
    if (!lowers(s))
        return AN_OK;
    AN_TRY(an_halo_start(l->halo, an_level_component(l, AN_F_DES, 1), 1, AN_COPY_PLAIN));
    return an_halo_finish(l->halo);
}

int an_des_dissipation(struct an_solver *s, struct an_level *l, void *state)
{
    struct an_fields f = l->fields;
    if (!an_des_has_dissipation(s, l))
        return AN_OK;
    f.at[AN_F_W] = state;
    return s->engine->op->run(s->engine, AN_S_des_dissipation, l->interior, &f, &s->params, NULL,
                              0);
}

/* Of block b: count[0] cells farther from walls than they are long, count[1] of them fast. */
static int count_cells(struct an_solver *s, int b, double way, int64_t count[2])
{
    const int *n = s->level->layout.block[b].n;
    const size_t cells = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    double *size = malloc(2 * cells * sizeof *size + 1),
           *distance = malloc(cells * sizeof *size + 1);
    int status = size && distance ? AN_OK : an_error_set(AN_FAIL, "out of memory for cell sizes");
    if (status == AN_OK)
        status = an_solver_download(s, AN_F_SIZE, 2, b, size);
    if (status == AN_OK)
        status = an_solver_download(s, AN_F_WD, 1, b, distance);
    for (size_t at = 0; at < cells && status == AN_OK; at++) {
        count[0] += distance[at] > size[at];
        count[1] += distance[at] > size[at] && way > size[at];
    }
    free(size);
    free(distance);
    return status;
}

int an_des_fast_cells(struct an_solver *s, double speed, double step, double *part)
{
    int64_t count[2] = {0, 0};
    int status = AN_OK;
    for (int b = 0; b < s->nlocal && status == AN_OK; b++)
        status = count_cells(s, b, speed * step, count);
    AN_TRY(an_reduce_status(s->comm, status));
    AN_MPI(MPI_Allreduce(MPI_IN_PLACE, count, 2, MPI_INT64_T, MPI_SUM, s->comm));
    *part = count[0] ? (double)count[1] / (double)count[0] : 0;
    return AN_OK;
}

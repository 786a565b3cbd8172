#include "solver/level/replicated.h"

#include "kernels/engine/field.h"
#include "mpi/reduce.h"
#include "solver/level/level.h"
#include "solver/level/tuning.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Cells of level n in all. */
static int64_t cells_of(const struct an_solver *s, int n)
{
    const struct an_topology *t = &s->mesh->topology;
    int64_t cells = 0;
    for (int z = 0; z < t->nblock; z++) {
        int64_t zone = 1;
        for (int d = 0; d < 3; d++) {
            int size = t->block[z].n[d];
            for (int m = 1; m <= n; m++)
                size /= s->coarsening.halved[m][z][d] ? 2 : 1;
            zone *= size;
        }
        cells += zone;
    }
    return cells;
}

int an_replicated_count(const struct an_solver *s, int device)
{
    int64_t most = s->c->mpi.whole_below;
    int count = 0;
    if (most < 0)
        most = device && s->nrank <= AN_TUNE_REPLICATED_RANKS ? AN_TUNE_REPLICATED_CELLS : 0;
    if (s->nrank == 1)
        return 0;
    while (count < s->nlevel - 1 && cells_of(s, s->nlevel - 1 - count) <= most)
        count++;
    return count;
}

int64_t an_replicated_cells(const struct an_solver *s, int count)
{
    int64_t cells = 0;
    for (int n = s->nlevel - count; n < s->nlevel; n++)
        cells += cells_of(s, n);
    return cells;
}

const struct an_tiles *an_replicated_beside(const struct an_level *l, const struct an_level *c)
{
    return c->replicated && !l->replicated ? c->own : c->interior;
}

int an_replicated_rank(const struct an_solver *s, const struct an_level *l)
{
    return l->replicated ? 0 : s->rank;
}

int an_replicated_join_bytes(const struct an_solver *s, void *bytes, size_t count)
{
    char *next = bytes;
    while (count > 0) {
        const int some = count < INT_MAX ? (int)count : INT_MAX;
        AN_MPI(MPI_Allreduce(MPI_IN_PLACE, next, some, MPI_BYTE, MPI_BOR, s->comm));
        next += some;
        count -= (size_t)some;
    }
    return AN_OK;
}

/* Copies the own blocks of a component, ghost cells included, into memory that is zero elsewhere. */
static void take_own(const struct an_solver *s, const struct an_level *l, size_t word,
                     const char *from, char *to)
{
    for (int b = 0; b < s->nlocal; b++) {
        const struct an_block *block = &l->layout.block[s->local[b]];
        const size_t row = (size_t)(block->n[0] + 2 * AN_GHOST) * word;
        for (int k = -AN_GHOST; k < block->n[2] + AN_GHOST; k++)
            for (int j = -AN_GHOST; j < block->n[1] + AN_GHOST; j++) {
                const size_t at = (size_t)an_element(block, -AN_GHOST, j, k) * word;
                memcpy(to + at, from + at, row);
            }
    }
}

/* One component at `base`; from, to: work. */
static int join_component(struct an_solver *s, struct an_level *l, size_t word, char *base,
                          char *from, char *to)
{
    const struct an_engine_ops *op = s->engine->op;
    const size_t bytes = (size_t)l->layout.ncell * word;
    memset(to, 0, bytes);
    int status = op->download(s->engine, from, base, bytes, 0);
    if (status == AN_OK)
        status = op->sync(s->engine, 0);
    AN_TRY(an_reduce_status(s->comm, status));
    take_own(s, l, word, from, to);
    AN_TRY(an_replicated_join_bytes(s, to, bytes));
    AN_TRY(op->upload(s->engine, base, to, bytes, 0));
    return op->sync(s->engine, 0);
}

int an_replicated_join(struct an_solver *s, struct an_level *l, enum an_field field)
{
    const size_t word = (size_t)an_field_precision(field, l->layout.precision);
    const size_t bytes = (size_t)l->layout.ncell * word;
    char *from = malloc(bytes + 1), *to = malloc(bytes + 1);
    int status = from && to ? AN_OK : an_error_set(AN_FAIL, "out of memory for a replicated level");
    status = an_reduce_status(s->comm, status);
    for (int c = 0; c < an_field_components(field) && status == AN_OK; c++)
        status = an_reduce_status(
            s->comm,
            join_component(s, l, word, (char *)l->fields.at[field] + (size_t)c * bytes, from, to));
    free(from);
    free(to);
    return status;
}

#include "solver/output/geometry.h"

#include "io/coordinates.h"
#include "mpi/reduce.h"
#include "solver/level/level.h"
#include "solver/output/packed.h"

#include <stdlib.h>
#include <string.h>

int an_geometry_checksum(const struct an_solver *s, uint64_t *sum)
{
    *sum = 0;
    for (int b = 0; b < s->nlocal; b++) {
        const struct an_piece *p = &s->level->partition.piece[s->local[b]];
        const int hi[3] = {p->hi[0] + 1, p->hi[1] + 1, p->hi[2] + 1};
        *sum += an_coordinates_sum(&s->mesh->topology, p->zone, an_mesh_turn_of(s->mesh, p->zone),
                                   p->lo, hi, 1, s->node[b]);
    }
    AN_MPI(MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_UINT64_T, MPI_SUM, s->comm));
    return AN_OK;
}

int an_geometry_write(const struct an_solver *s)
{
    struct an_snapshot_piece *piece = calloc((size_t)s->nlocal + 1, sizeof *piece);
    uint64_t coordinates;
    AN_TRY(an_reduce_status(s->comm, piece ? AN_OK : an_error_set(AN_FAIL, "out of memory")));
    for (int b = 0; b < s->nlocal; b++)
        an_packed_piece(s, b, &piece[b]);
    const int status =
        an_snapshot_geometry(s->comm, s->c->output.folder, s->mesh, s->nlocal, piece, &coordinates);
    free(piece);
    return status;
}

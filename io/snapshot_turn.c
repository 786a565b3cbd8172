#include "io/snapshot_turn.h"

#include <stdlib.h>
#include <string.h>

static void extents(const struct an_snapshot_piece *p, int more, int n[3])
{
    for (int d = 0; d < 3; d++)
        n[d] = p->hi[d] - p->lo[d] + more;
}

/* A piece of a turned zone in the order of the file. */
static int file_piece(const struct an_snapshot_piece *from, int turn, int nfield, int precision,
                      struct an_snapshot_piece *to)
{
    int n[3], nodes[3];
    extents(from, 0, n);
    extents(from, 1, nodes);
    const size_t cells = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    const size_t corners = (size_t)nodes[0] * (size_t)nodes[1] * (size_t)nodes[2];
    const size_t bytes =
        (size_t)nfield * sizeof(void *) + (size_t)nfield * cells * (size_t)precision;
    an_turn_to_file(turn, from->lo, to->lo);
    an_turn_to_file(turn, from->hi, to->hi);
    to->field = NULL;
    to->node = NULL;
    char *room = calloc(1, bytes + 1);
    double *node = from->node ? malloc(3 * corners * sizeof *node) : NULL;
    if (!room || (from->node && !node)) {
        free(room);
        free(node);
        return an_error_set(AN_FAIL, "out of memory for a snapshot");
    }
    void **field = (void **)(void *)room;
    for (int v = 0; v < nfield; v++) {
        field[v] = room + (size_t)nfield * sizeof(void *) + (size_t)v * cells * (size_t)precision;
        an_turn_values(turn, n, (size_t)precision, from->field[v], field[v], 0);
    }
    for (size_t c = 0; node && c < 3; c++)
        an_turn_values(turn, nodes, sizeof *node, from->node + c * corners, node + c * corners, 0);
    to->field = (const void *const *)field;
    to->node = node;
    return AN_OK;
}

int an_filed_new(const struct an_mesh *mesh, int npiece, const struct an_snapshot_piece *piece,
                 int nfield, int precision, struct an_filed *f)
{
    *f = (struct an_filed){.mesh = an_mesh_in_file_order(mesh), .nfield = precision ? nfield : 0};
    f->piece = malloc(((size_t)npiece + 1) * sizeof *f->piece);
    f->turn = calloc((size_t)npiece + 1, sizeof *f->turn);
    AN_CHECK(f->piece && f->turn, AN_FAIL, "out of memory for a snapshot");
    for (int n = 0; n < npiece; n++) {
        const int turn = an_mesh_turn_of(mesh, piece[n].zone);
        f->piece[n] = piece[n];
        if (turn)
            AN_TRY(file_piece(&piece[n], turn, f->nfield, precision, &f->piece[n]));
        f->turn[n] = turn;
        f->npiece = n + 1;
    }
    return AN_OK;
}

void an_filed_back(const struct an_filed *f, const struct an_snapshot_piece *piece, int precision)
{
    for (int p = 0; p < f->npiece; p++) {
        int n[3];
        extents(&piece[p], 0, n);
        for (int v = 0; v < f->nfield && f->turn[p];
             v++) /* the header promises that they can be written */
            an_turn_values(f->turn[p], n, (size_t)precision, f->piece[p].field[v],
                           (void *)(uintptr_t)piece[p].field[v], 1);
    }
}

void an_filed_free(struct an_filed *f)
{
    for (int p = 0; p < f->npiece; p++)
        if (f->turn[p]) {
            free((void *)(uintptr_t)f->piece[p].field);
            free((void *)(uintptr_t)f->piece[p].node);
        }
    free(f->piece);
    free(f->turn);
    memset(f, 0, sizeof *f);
}

/* Mixing planes that the file tells of: connections with AverageInterface_t.
 *
 * Such a connection names one donor zone, though several may lie on the far side, and in pitch and
 * span the sides need not match. So sides are found by rows, sets of zones that one-to-one
 * interfaces hang together: all patches of row A that name a zone of row B are one boundary, and
 * those of row B that name one of row A are its other side. A boundary is called as its first
 * connection, with a number where that name is taken. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mesh_internal.h"

static int root_of(int *row, int z)
{
    while (row[z] != z)
        z = row[z] = row[row[z]];
    return z;
}

void an_mesh_rows(const struct an_topology *t, int *row)
{
    for (int z = 0; z < t->nblock; z++)
        row[z] = z;
    for (int f = 0; f < t->ninterface; f++) {
        const int a = root_of(row, t->interface[f].window.block);
        const int b = root_of(row, t->interface[f].donor);
        row[a > b ? a : b] = a > b ? b : a;
    }
    for (int p = 0; p < t->npatch; p++) { /* abutting sides: all zones of both */
        const struct an_boundary *b = &t->boundary[t->patch[p].boundary];
        for (int q = 0; q < t->npatch && b->type == AN_BC_ABUTTING; q++) {
            if (strcmp(t->boundary[t->patch[q].boundary].name, b->with) != 0)
                continue;
            const int x = root_of(row, t->patch[p].window.block);
            const int y = root_of(row, t->patch[q].window.block);
            row[x > y ? x : y] = x > y ? y : x;
        }
    }
    for (int z = 0; z < t->nblock; z++)
        row[z] = root_of(row, z);
}

static int is_side(const struct an_mesh_plane *p, const int *row, int from, int to)
{
    return row[p->window.block] == from && row[p->donor] == to;
}

/* The boundary of plane n, which is the first of its side. */
static int name_side(struct an_mesh_reader *r, int n)
{
    const struct an_mesh_plane *p = &r->plane[n];
    char name[AN_NAME];
    snprintf(name, sizeof name, "%s", p->name);
    for (int copy = 2; an_boundary_find(&r->m->topology, name) >= 0; copy++)
        snprintf(name, sizeof name, "%.20s:%d", p->name, copy);
    return an_mesh_boundary(r, p->window.block, name, AN_BC_MIXING_PLANE, 0);
}

int an_mesh_pair_planes(struct an_mesh_reader *r)
{
    struct an_topology *t = &r->m->topology;
    int *row = malloc(((size_t)t->nblock + 1) * sizeof *row);
    int *side = malloc(((size_t)r->nplane + 1) * sizeof *side); /* boundaries */
    int status = row && side ? AN_OK : an_error_set(AN_FAIL, "out of memory for the boundaries");
    if (status == AN_OK)
        an_mesh_rows(t, row);
    for (int n = 0; n < r->nplane && status == AN_OK; n++) {
        const int from = row[r->plane[n].window.block], to = row[r->plane[n].donor];
        int first = 0;
        while (!is_side(&r->plane[first], row, from, to))
            first++;
        side[n] = first < n ? side[first] : name_side(r, n);
        status = side[n] < 0 ? an_error_set(AN_FAIL, "out of memory for the boundaries")
                             : an_mesh_add_patch(r, &r->plane[n].window, side[n]);
        for (int m = 0; m < n && first == n && status == AN_OK; m++)
            if (is_side(&r->plane[m], row, to, from)) {
                struct an_boundary *a = &t->boundary[side[n]], *b = &t->boundary[side[m]];
                memcpy(a->with, b->name, sizeof a->with);
                memcpy(b->with, a->name, sizeof b->with);
            }
    }
    for (int n = 0; n < r->nplane && status == AN_OK; n++) {
        struct an_boundary *b = &t->boundary[side[n]];
        if (b->with[0] || b->type == AN_BC_NONE)
            continue;
        an_diag_warning(r->diag, an_mesh_where(r, r->plane[n].window.block, r->plane[n].name),
                        "is one side of a mixing plane to zone '%s', whose row has none back: "
                        "boundary '%s' is left to the case file",
                        t->block[r->plane[n].donor].name, b->name);
        b->type = AN_BC_NONE;
    }
    free(row);
    free(side);
    return status;
}

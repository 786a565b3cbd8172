#include "mpi/partition_cut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int reserve(struct an_cut_tree *t, int count)
{
    if (t->nnode + count <= t->capacity)
        return AN_OK;
    int capacity = 2 * t->capacity + count;
    struct an_cut_node *grown = realloc(t->node, (size_t)capacity * sizeof *grown);
    AN_CHECK(grown, AN_FAIL, "out of memory for %d cuts of the mesh", capacity);
    t->node = grown;
    t->capacity = capacity;
    return AN_OK;
}

int an_cut_tree_new(const struct an_topology *mesh, int multiple, int thin, struct an_cut_tree *t)
{
    memset(t, 0, sizeof *t);
    t->multiple = multiple;
    t->thin = (thin + multiple - 1) / multiple * multiple;
    t->nzone = mesh->nblock;
    AN_TRY(reserve(t, mesh->nblock));
    for (int z = 0; z < mesh->nblock; z++) {
        struct an_cut_node zone = {.zone = z, .child = -1, .rank = -1, .piece = -1};
        memcpy(zone.hi, mesh->block[z].n, sizeof zone.hi);
        t->node[t->nnode++] = zone;
    }
    return AN_OK;
}

void an_cut_tree_free(struct an_cut_tree *t)
{
    free(t->node);
    memset(t, 0, sizeof *t);
}

int64_t an_cut_cells(const struct an_cut_node *n)
{
    return (int64_t)(n->hi[0] - n->lo[0]) * (n->hi[1] - n->lo[1]) * (n->hi[2] - n->lo[2]);
}

int64_t an_cut_most_pieces(const struct an_cut_tree *t)
{
    int64_t most = 0;
    for (int z = 0; z < t->nzone; z++) {
        int64_t pieces = 1;
        for (int d = 0; d < 3; d++) {
            int parts = t->uncut && t->uncut[z] >> d & 1 ? 1 : t->node[z].hi[d] / t->thin;
            pieces *= parts > 1 ? parts : 1;
        }
        most += pieces;
    }
    return most;
}

bool an_cut_find(const struct an_cut_tree *t, int node, double want, double tolerance, int step,
                 struct an_cut_plane *plane)
{
    const struct an_cut_node *n = &t->node[node];
    int64_t cells = an_cut_cells(n);
    bool found = false;
    double best = 0;
    int tried = t->uncut ? t->uncut[n->zone] & 7 : 0;
    for (int pass = 0; pass < 3 && tried != 7; pass++) {
        int dir = -1; /* the longest not yet tried; k before j before i, to keep rows long */
        for (int d = 2; d >= 0; d--)
            if (!(tried >> d & 1) && (dir < 0 || n->hi[d] - n->lo[d] > n->hi[dir] - n->lo[dir]))
                dir = d;
        tried |= 1 << dir;
        int extent = n->hi[dir] - n->lo[dir];
        int most = (extent - t->thin) / step * step;
        int least = (t->thin + step - 1) / step * step;
        if (most < least)
            continue;
        double area = (double)(cells / extent);
        double thick = step * nearbyint(want / area / step);
        thick = thick < least ? least : thick > most ? most : thick;
        double error = fabs(thick * area - want);
        if (!found || error < best) {
            *plane = (struct an_cut_plane){dir, n->lo[dir] + (int)thick, (int64_t)(thick * area)};
            best = error;
            found = true;
        }
        if (best <= tolerance)
            break;
    }
    return found;
}

int an_cut_apply(struct an_cut_tree *t, int node, const struct an_cut_plane *plane)
{
    AN_TRY(reserve(t, 2));
    struct an_cut_node *parent = &t->node[node];
    struct an_cut_node low = *parent, high = *parent;
    parent->child = t->nnode;
    low.hi[plane->dir] = high.lo[plane->dir] = plane->at;
    t->node[t->nnode++] = low;
    t->node[t->nnode++] = high;
    return AN_OK;
}

int an_cut_meet(const struct an_cut_tree *t, int node, const int lo[3], const int hi[3],
                struct an_cut_list *list)
{
    const struct an_cut_node *n = &t->node[node];
    for (int d = 0; d < 3; d++)
        if (lo[d] >= n->hi[d] || hi[d] <= n->lo[d])
            return AN_OK;
    if (n->child >= 0) {
        AN_TRY(an_cut_meet(t, n->child, lo, hi, list));
        return an_cut_meet(t, n->child + 1, lo, hi, list);
    }
    if (list->n == list->capacity) {
        int capacity = 2 * list->capacity + 64;
        int *grown = realloc(list->node, (size_t)capacity * sizeof *grown);
        AN_CHECK(grown, AN_FAIL, "out of memory for %d neighbouring pieces", capacity);
        list->node = grown;
        list->capacity = capacity;
    }
    list->node[list->n++] = node;
    return AN_OK;
}

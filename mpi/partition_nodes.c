/* Numbers the ranks so that ranks that exchange many ghost cells share a node.
 *
 * Launchers fill one node after the other: ranks n R .. n R + R - 1 share node n. A partition is as
 * good under any numbering of its ranks, but halos between nodes are slower. So nodes are filled
 * anew: a node begins with the lowest rank that is left; its next rank is the one that shares most
 * ghost cells with the ranks on it already, the lowest of several. The new numbering is used only
 * if fewer ghost cells then pass between nodes.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/partition.h"

struct link {
    int here, there;
    int64_t cells;
};

struct graph {
    int n;
    struct link *link; /* sorted by here */
    int *first;        /* [ranks + 1] */
};

static int compare(const void *a, const void *b)
{
    const struct link *p = a, *q = b;
    return p->here != q->here ? (p->here > q->here) - (p->here < q->here)
                              : (p->there > q->there) - (p->there < q->there);
}

/* Ghost cells that pass between ranks, both ways. */
static int graph_new(const struct an_partition *p, struct graph *g)
{
    g->link = malloc((2 * (size_t)p->topology.ninterface + 1) * sizeof *g->link);
    g->first = calloc((size_t)p->nrank + 2, sizeof *g->first);
    AN_CHECK(g->link && g->first, AN_FAIL, "out of memory for the neighbours of %d ranks",
             p->nrank);
    int n = 0;
    for (int f = 0; f < p->topology.ninterface; f++) {
        const struct an_interface *face = &p->topology.interface[f];
        const int here = p->piece[face->window.block].rank, there = p->piece[face->donor].rank;
        int64_t cells = AN_GHOST;
        for (int d = 0; d < 3; d++)
            cells *= d == face->window.dir ? 1 : face->window.hi[d] - face->window.lo[d];
        if (here == there)
            continue;
        g->link[n++] = (struct link){here, there, cells};
        g->link[n++] = (struct link){there, here, cells};
    }
    qsort(g->link, (size_t)n, sizeof *g->link, compare);
    for (int m = 0; m < n; m++)
        if (g->n && compare(&g->link[g->n - 1], &g->link[m]) == 0)
            g->link[g->n - 1].cells += g->link[m].cells;
        else
            g->link[g->n++] = g->link[m];
    for (int m = 0; m < g->n; m++)
        g->first[g->link[m].here + 1]++;
    for (int r = 0; r < p->nrank; r++)
        g->first[r + 1] += g->first[r];
    return AN_OK;
}

/* Ghost cells between nodes; number: of each rank. */
static int64_t between(const struct graph *g, const int *number, int ranks_per_node)
{
    int64_t cells = 0;
    for (int m = 0; m < g->n; m++)
        if (number[g->link[m].here] / ranks_per_node != number[g->link[m].there] / ranks_per_node)
            cells += g->link[m].cells;
    return cells / 2;
}

/* number[nrank] of the ranks; shared[nrank]: zeros, cells a rank shares with the node being filled.
 */
static void fill_nodes(const struct graph *g, int nrank, int ranks_per_node, int *number,
                       int64_t *shared, int *touched)
{
    int lowest = 0;
    for (int r = 0; r < nrank; r++)
        number[r] = -1;
    for (int count = 0; count < nrank;) {
        int ntouched = 0;
        for (int place = 0; place < ranks_per_node && count < nrank; place++) {
            int best = -1;
            for (int m = 0; m < ntouched; m++) {
                const int r = touched[m];
                if (number[r] < 0 && (best < 0 || shared[r] > shared[best] ||
                                      (shared[r] == shared[best] && r < best)))
                    best = r;
            }
            while (best < 0 && number[lowest] >= 0)
                lowest++;
            best = best < 0 ? lowest : best;
            number[best] = count++;
            for (int m = g->first[best]; m < g->first[best + 1]; m++) {
                const int there = g->link[m].there;
                if (!shared[there])
                    touched[ntouched++] = there;
                shared[there] += g->link[m].cells;
            }
        }
        for (int m = 0; m < ntouched; m++)
            shared[touched[m]] = 0;
    }
}

static int renumber(struct an_partition *p, const struct graph *g, int *number, int64_t *shared,
                    int *touched)
{
    const int per_node = p->ranks_per_node;
    for (int r = 0; r < p->nrank; r++)
        number[r] = r;
    p->between_nodes = between(g, number, per_node);
    fill_nodes(g, p->nrank, per_node, number, shared, touched);
    const int64_t cells = between(g, number, per_node);
    if (cells >= p->between_nodes)
        return AN_OK;
    p->between_nodes = cells;
    for (int n = 0; n < p->npiece; n++)
        p->piece[n].rank = number[p->piece[n].rank];
    return AN_OK;
}

int an_partition_nodes(struct an_partition *p, int ranks_per_node)
{
    if (ranks_per_node < 1 || ranks_per_node >= p->nrank)
        return AN_OK;
    struct graph g = {0};
    const size_t count = (size_t)p->nrank;
    int *number = calloc(2 * count, sizeof *number);
    int64_t *shared = calloc(count, sizeof *shared);
    int status = number && shared
                     ? graph_new(p, &g)
                     : an_error_set(AN_FAIL, "out of memory for the nodes of %d ranks", p->nrank);
    p->ranks_per_node = ranks_per_node;
    if (status == AN_OK)
        status = renumber(p, &g, number, shared, number + count);
    free(number);
    free(shared);
    free(g.link);
    free(g.first);
    return status;
}

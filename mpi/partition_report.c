/* A table of the costs of a partition: imbalance and ghost cells. */
#include <stdlib.h>
#include <string.h>

#include "mpi/partition.h"

struct share {
    int pieces, neighbours;
    int64_t cells, halo; /* halo: ghost cells that come from other ranks */
};

static int64_t piece_cells(const struct an_piece *p)
{
    return (int64_t)(p->hi[0] - p->lo[0]) * (p->hi[1] - p->lo[1]) * (p->hi[2] - p->lo[2]);
}

double an_partition_imbalance(const struct an_partition *p)
{
    int64_t *load = calloc((size_t)(p->nrank > 0 ? p->nrank : 1), sizeof *load);
    if (!load)
        return -1;
    int64_t total = 0, most = 0;
    for (int n = 0; n < p->npiece; n++) {
        load[p->piece[n].rank] += piece_cells(&p->piece[n]);
        total += piece_cells(&p->piece[n]);
    }
    for (int r = 0; r < p->nrank; r++)
        most = load[r] > most ? load[r] : most;
    free(load);
    return total ? (double)most * p->nrank / (double)total : 1;
}

static int compare_pairs(const void *a, const void *b)
{
    const int *p = a, *q = b;
    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

/* pair[ninterface][2] is scratch. */
static void count(const struct an_partition *p, struct share *share, int (*pair)[2])
{
    for (int n = 0; n < p->npiece; n++) {
        share[p->piece[n].rank].pieces++;
        share[p->piece[n].rank].cells += piece_cells(&p->piece[n]);
    }
    int npair = 0;
    for (int f = 0; f < p->topology.ninterface; f++) {
        const struct an_interface *face = &p->topology.interface[f];
        int here = p->piece[face->window.block].rank, there = p->piece[face->donor].rank;
        if (here == there)
            continue;
        int64_t area = 1;
        for (int d = 0; d < 3; d++)
            area *= d == face->window.dir ? 1 : face->window.hi[d] - face->window.lo[d];
        share[here].halo += AN_GHOST * area;
        pair[npair][0] = here;
        pair[npair++][1] = there;
    }
    qsort(pair, (size_t)npair, sizeof *pair, compare_pairs);
    for (int n = 0; n < npair; n++)
        if (n == 0 || compare_pairs(pair[n - 1], pair[n]) != 0)
            share[pair[n][0]].neighbours++;
}

static void print(const struct an_partition *p, const struct an_topology *mesh,
                  const struct share *share, FILE *out)
{
    enum { most_rows = 64 };
    double mean = (double)an_topology_cells(mesh) / p->nrank;
    int lightest = 0, heaviest = 0, halo = 0;
    for (int r = 0; r < p->nrank; r++) {
        lightest = share[r].cells < share[lightest].cells ? r : lightest;
        heaviest = share[r].cells > share[heaviest].cells ? r : heaviest;
        halo = share[r].halo > share[halo].halo ? r : halo;
    }
    fprintf(out, "%d zone%s, %lld cells, cut into %d piece%s for %d rank%s; imbalance %.3f\n",
            mesh->nblock, mesh->nblock == 1 ? "" : "s", (long long)an_topology_cells(mesh),
            p->npiece, p->npiece == 1 ? "" : "s", p->nrank, p->nrank == 1 ? "" : "s",
            an_partition_imbalance(p));
    fprintf(out, "  %6s %7s %12s %7s %10s %11s\n", "rank", "pieces", "cells", "load", "halo",
            "neighbours");
    for (int r = 0; r < p->nrank; r++) {
        if (p->nrank > most_rows && r != lightest && r != heaviest && r != halo)
            continue;
        fprintf(out, "  %6d %7d %12lld %7.3f %8.2f %% %11d\n", r, share[r].pieces,
                (long long)share[r].cells, (double)share[r].cells / mean,
                100 * (double)share[r].halo / (double)share[r].cells, share[r].neighbours);
    }
    int64_t all = 0;
    for (int r = 0; r < p->nrank; r++)
        all += share[r].halo;
    if (p->ranks_per_node)
        fprintf(out, "  nodes of %d ranks: %.1f %% of the halo passes between them\n",
                p->ranks_per_node, all ? 100 * (double)p->between_nodes / (double)all : 0);
    if (p->nrank > most_rows)
        fprintf(out, "  (the ranks with the fewest cells, the most cells and the largest halo)\n");
}

void an_partition_report(const struct an_partition *p, const struct an_topology *mesh, FILE *out)
{
    struct share *share = calloc((size_t)p->nrank, sizeof *share);
    int(*pair)[2] = malloc(((size_t)p->topology.ninterface + 1) * sizeof *pair);
    if (share && pair) {
        count(p, share, pair);
        print(p, mesh, share, out);
    }
    free(share);
    free(pair);
}

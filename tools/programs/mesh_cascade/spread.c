// Nodes that follow those of the patches: the moves are harmonic on the graph of the edges, whose weights are one over the
// squares of their lengths. Successive over-relaxation.
#include <stdlib.h>

#include "mesh.h"

enum { SWEEPS = 250 };
#define OVER 1.7 // relaxation factor

static double weight(const struct graph *g, int a, int b)
{
    const struct vec2 e = sub(g->x[a], g->x[b]);
    return 1 / (dot(e, e) + 1e-300);
}

static void sweep(const struct graph *g, struct vec2 *move, bool back)
{
    for (int k = 0; k < g->n; k++) {
        const int v = back ? g->n - 1 - k : k;
        struct vec2 sum = {0, 0};
        double all = 0;
        if (g->fixed[v])
            continue;
        for (int c = g->start[v]; c < g->start[v + 1]; c++) {
            const int next[2] = {g->corner[c].a, g->corner[c].b};
            for (int e = 0; e < 2; e++) {
                const double w = weight(g, v, next[e]);
                sum = axpy(w, move[next[e]], sum);
                all += w;
            }
        }
        move[v] = axpy(OVER, sub(scale(1 / all, sum), move[v]), move[v]);
    }
}

int mesh_spread(struct mesh *m, const struct vec2 *to)
{
    struct graph g;
    if (graph_new(&g, m))
        return EXIT_FAILED;
    struct vec2 *move = calloc((size_t)g.n, sizeof *move);
    if (!move) {
        graph_free(&g);
        return EXIT_FAILED;
    }
    graph_fix(&g, m);
    for (int pass = 0; pass < 2; pass++) {
        const struct vec2 *at = to;
        for (int k = 0; k < m->nz; k++) {
            const struct zone *z = &m->z[k];
            for (int l = 0; l < z->ni * z->nj; l++) {
                const int v = g.node[g.offset[k] + l];
                if (pass)
                    z->x[l] = add(g.x[v], move[v]);
                else if (g.fixed[v])
                    move[v] = sub(at[l], g.x[v]);
            }
            at += z->ni * z->nj;
        }
        for (int it = 0; it < SWEEPS && !pass; it++)
            sweep(&g, move, it % 2);
    }
    free(move);
    graph_free(&g);
    return EXIT_DONE;
}

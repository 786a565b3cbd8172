// The zones' nodes merged over all interfaces, each with the list of the cells round it.
#include <stdio.h>
#include <stdlib.h>

#include "mesh.h"

// Root of local node k; *shift gets pitches to add to the root's position.
static int find(const int *parent, const int *w, int k, int *shift)
{
    int s = 0;
    while (parent[k] != k) {
        s += w[k];
        k = parent[k];
    }
    *shift = s;
    return k;
}

static void merge(const struct mesh *m, const struct graph *g, int *parent, int *w)
{
    for (int l = 0; l < m->nlink; l++) {
        const struct link *c = &m->link[l];
        const int len = abs(c->a1[0] - c->a0[0]) + abs(c->a1[1] - c->a0[1]);
        for (int k = 0; k <= len; k++) {
            int a[2], b[2];
            for (int d = 0; d < 2; d++) {
                a[d] = c->a0[d] + k * (c->a1[d] - c->a0[d]) / len;
                b[d] = c->b0[d] + k * (c->b1[d] - c->b0[d]) / len;
            }
            int sa, sb;
            const int ra = find(parent, w, g->offset[c->za] + a[1] * m->z[c->za].ni + a[0], &sa);
            const int rb = find(parent, w, g->offset[c->zb] + b[1] * m->z[c->zb].ni + b[0], &sb);
            if (ra < rb) {
                parent[rb] = ra;
                w[rb] = sa + c->shift - sb;
            } else if (rb < ra) {
                parent[ra] = rb;
                w[ra] = sb - c->shift - sa;
            }
        }
    }
}

static const double *i_edge(const struct zone *z, int i, int j)
{
    return &z->li[j * (z->ni - 1) + i];
}

static const double *j_edge(const struct zone *z, int i, int j)
{
    return &z->lj[j * z->ni + i];
}

// Counts the cells round every node (fill = false) or lists them.
static void list_corners(struct graph *g, const struct mesh *m, int *count, bool fill)
{
    for (int k = 0; k < m->nz; k++) {
        const struct zone *z = &m->z[k];
        for (int j = 0; j < z->nj - 1; j++) {
            const double far = (j + 0.5) / (z->nj - 1),
                         weight = 1 + (z->weight - 1) * (1 - far) * (1 - far);
            for (int i = 0; i < z->ni - 1; i++) {
                const int ci[4] = {i, i + 1, i + 1, i}, cj[4] = {j, j, j + 1, j + 1};
                // edge c joins corners c and c + 1
                const double len[4] = {*i_edge(z, i, j), *j_edge(z, i + 1, j), *i_edge(z, i, j + 1),
                                       *j_edge(z, i, j)};
                int id[4], sh[4];
                for (int c = 0; c < 4; c++) {
                    const int l = g->offset[k] + cj[c] * z->ni + ci[c];
                    id[c] = g->node[l];
                    sh[c] = g->shift[l];
                }
                for (int c = 0; c < 4; c++) {
                    const int slot = count[id[c]]++, a = (c + 1) % 4, d = (c + 2) % 4,
                              b = (c + 3) % 4;
                    if (fill)
                        g->corner[slot] =
                            (struct corner){id[a],         id[d],         id[b],      sh[a] - sh[c],
                                            sh[d] - sh[c], sh[b] - sh[c], 1 / len[c], 1 / len[a],
                                            1 / len[d],    1 / len[b],    weight};
                }
            }
        }
    }
}

int graph_new(struct graph *g, const struct mesh *m)
{
    int local = 0, cells = 0;
    *g = (struct graph){0};
    for (int k = 0; k < m->nz; k++) {
        g->offset[k] = local;
        local += m->z[k].ni * m->z[k].nj;
        cells += (m->z[k].ni - 1) * (m->z[k].nj - 1);
    }
    const size_t n = (size_t)local;
    int *parent = malloc(n * sizeof *parent), *w = calloc(n, sizeof *w),
        *count = calloc(n + 1, sizeof *count);
    g->node = malloc(n * sizeof *g->node);
    g->shift = malloc(n * sizeof *g->shift);
    g->x = malloc(n * sizeof *g->x);
    g->start = calloc(n + 1, sizeof *g->start);
    g->corner = malloc(4 * (size_t)cells * sizeof *g->corner);
    g->fixed = calloc(n, sizeof *g->fixed);
    const bool bad = !parent || !w || !count || !g->node || !g->shift || !g->x || !g->start ||
                     !g->corner || !g->fixed;
    if (!bad) {
        for (int l = 0; l < local; l++)
            parent[l] = l;
        merge(m, g, parent, w);
        // roots come before their members, so one pass numbers them all
        for (int k = 0; k < m->nz; k++)
            for (int l = 0; l < m->z[k].ni * m->z[k].nj; l++) {
                const int v = g->offset[k] + l, root = find(parent, w, v, &g->shift[v]);
                if (root == v) {
                    g->x[g->n] = m->z[k].x[l];
                    g->node[v] = g->n++;
                } else {
                    g->node[v] = g->node[root];
                }
            }
        list_corners(g, m, count, false);
        for (int v = 0; v < g->n; v++) {
            g->start[v + 1] = g->start[v] + count[v];
            count[v] = g->start[v];
        }
        list_corners(g, m, count, true);
    }
    free(parent);
    free(w);
    free(count);
    if (bad)
        graph_free(g);
    return bad ? EXIT_FAILED : EXIT_DONE;
}

void graph_free(struct graph *g)
{
    free(g->x);
    free(g->start);
    free(g->corner);
    free(g->fixed);
    free(g->node);
    free(g->shift);
    *g = (struct graph){0};
}

#include "solver/adjoint/cells.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void an_lists_free(struct an_lists *l)
{
    free(l->first);
    free(l->list);
    memset(l, 0, sizeof *l);
}

int64_t an_lists_longest(const struct an_lists *l)
{
    int64_t longest = 0;
    for (int64_t n = 0; n < l->n; n++)
        longest = l->first[n + 1] - l->first[n] > longest ? l->first[n + 1] - l->first[n] : longest;
    return longest;
}

int an_lists_inverse(const struct an_lists *l, int64_t count, struct an_lists *inverse)
{
    const int64_t all = l->first[l->n];
    inverse->n = count;
    inverse->first = calloc((size_t)count + 2, sizeof *inverse->first);
    inverse->list = malloc(((size_t)all + 1) * sizeof *inverse->list);
    AN_CHECK(inverse->first && inverse->list, AN_FAIL, "out of memory for the graph of cells");
    int64_t *at = inverse->first + 1; /* ends as the start of the next list */
    for (int64_t m = 0; m < all; m++)
        at[l->list[m] + 1]++;
    for (int64_t n = 0; n < count; n++)
        at[n + 1] += at[n];
    for (int64_t n = 0; n < l->n; n++)
        for (int64_t m = l->first[n]; m < l->first[n + 1]; m++)
            inverse->list[at[l->list[m]]++] = (int32_t)n;
    return AN_OK;
}

/* Number of cell c of block b, whose first cell has the number first[b]; the cell lies inside the block. */
static int32_t number_of(const struct an_topology *t, const int64_t *first, int b, const int c[3])
{
    const int *n = t->block[b].n;
    return (int32_t)(first[b] + c[0] + (int64_t)n[0] * (c[1] + (int64_t)n[1] * c[2]));
}

static void join_inside(const struct an_topology *t, const int64_t *first, int b,
                        struct an_adjoint_cells *g)
{
    const int *n = t->block[b].n;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                const int at[3] = {i, j, k};
                int32_t *near = g->near[number_of(t, first, b, at)];
                for (int f = 0; f < 6; f++) {
                    int c[3] = {i, j, k};
                    c[f / 2] += f & 1 ? 1 : -1;
                    const int inside = c[f / 2] >= 0 && c[f / 2] < n[f / 2];
                    near[f] = inside ? number_of(t, first, b, c) : -1;
                }
            }
}

static void join_interface(const struct an_topology *t, const int64_t *first,
                           const struct an_interface *f, struct an_adjoint_cells *g)
{
    const struct an_window *w = &f->window;
    const int a1 = (w->dir + 1) % 3, a2 = (w->dir + 2) % 3;
    for (int v = w->lo[a2]; v < w->hi[a2]; v++)
        for (int u = w->lo[a1]; u < w->hi[a1]; u++) {
            int c[3], out[3], other[3];
            c[a1] = u;
            c[a2] = v;
            c[w->dir] = w->side ? t->block[w->block].n[w->dir] - 1 : 0;
            memcpy(out, c, sizeof out);
            out[w->dir] += w->side ? 1 : -1;
            an_cellmap_apply(&f->map, out, other);
            g->near[number_of(t, first, w->block, c)][2 * w->dir + w->side] =
                number_of(t, first, f->donor, other);
        }
}

void an_list_insert(int32_t *list, int *n, int32_t number)
{
    int at = *n;
    while (at > 0 && list[at - 1] > number)
        at--;
    if (at > 0 && list[at - 1] == number)
        return;
    memmove(list + at + 1, list + at, (size_t)(*n - at) * sizeof *list);
    list[at] = number;
    (*n)++;
}

enum { AN_MOST_REACH = 1 + 6 + 36 };

static int reach_of(const struct an_adjoint_cells *g, int32_t c, int32_t list[AN_MOST_REACH])
{
    int n = 0;
    an_list_insert(list, &n, c);
    for (int f = 0; f < 6; f++) {
        const int32_t next = g->near[c][f];
        if (next < 0)
            continue;
        an_list_insert(list, &n, next);
        for (int h = 0; h < 6; h++)
            if (g->near[next][h] >= 0)
                an_list_insert(list, &n, g->near[next][h]);
    }
    return n;
}

static int find_reach(struct an_adjoint_cells *g)
{
    int32_t list[AN_MOST_REACH];
    struct an_lists *r = &g->reach;
    r->n = g->n;
    r->first = malloc(((size_t)g->n + 1) * sizeof *r->first);
    AN_CHECK(r->first, AN_FAIL, "out of memory for the graph of cells");
    r->first[0] = 0;
    for (int64_t c = 0; c < g->n; c++)
        r->first[c + 1] = r->first[c] + reach_of(g, (int32_t)c, list);
    r->list = malloc(((size_t)r->first[g->n] + 1) * sizeof *r->list);
    AN_CHECK(r->list, AN_FAIL, "out of memory for the graph of cells");
    for (int64_t c = 0; c < g->n; c++) {
        const int n = reach_of(g, (int32_t)c, list);
        memcpy(r->list + r->first[c], list, (size_t)n * sizeof *list);
    }
    return AN_OK;
}

static int find_colours(struct an_adjoint_cells *g)
{
    struct an_lists one = {.n = g->n}; /* of each cell its colour */
    int n = 0;
    one.list = malloc(((size_t)g->n + 1) * sizeof *one.list);
    one.first = malloc(((size_t)g->n + 1) * sizeof *one.first);
    int status = one.list && one.first ? AN_OK : an_error_set(AN_FAIL, "out of memory for colours");
    if (status == AN_OK)
        status = an_adjoint_colours(&g->reach, &g->reach, one.list, &n);
    for (int64_t c = 0; c <= g->n && status == AN_OK; c++)
        one.first[c] = c;
    if (status == AN_OK)
        status = an_lists_inverse(&one, n, &g->colours);
    an_lists_free(&one);
    return status;
}

int an_adjoint_cells_whole(const struct an_topology *t, const int64_t *first, int64_t n,
                           struct an_adjoint_cells *g)
{
    memset(g, 0, sizeof *g);
    AN_CHECK(n < INT_MAX, AN_INPUT, "%lld cells are too many for the adjoint", (long long)n);
    g->n = g->all = n;
    g->near = malloc(((size_t)n + 1) * sizeof *g->near);
    AN_CHECK(g->near, AN_FAIL, "out of memory for the graph of cells");
    for (int b = 0; b < t->nblock; b++)
        join_inside(t, first, b, g);
    for (int f = 0; f < t->ninterface; f++)
        join_interface(t, first, &t->interface[f], g);
    AN_TRY(find_reach(g));
    return find_colours(g);
}

void an_adjoint_cells_free(struct an_adjoint_cells *g)
{
    free(g->first);
    free(g->near);
    an_lists_free(&g->reach);
    an_lists_free(&g->colours);
    an_lists_free(&g->foreign_colours);
    an_lists_free(&g->readers);
    an_ranks_free(&g->ranks);
    memset(g, 0, sizeof *g);
}

int64_t an_adjoint_cell_before(const struct an_window *w, const int n[3], int64_t k)
{
    const int a = (w->dir + 1) % 3, b = (w->dir + 2) % 3, width = w->hi[a] - w->lo[a];
    int c[3];
    c[w->dir] = w->side ? n[w->dir] - 1 : 0;
    c[a] = w->lo[a] + (int)(k % width);
    c[b] = w->lo[b] + (int)(k / width);
    return c[0] + (int64_t)n[0] * (c[1] + (int64_t)n[1] * c[2]);
}

int an_adjoint_colours(const struct an_lists *cells, const struct an_lists *items, int32_t *colour,
                       int *ncolour)
{
    /* taken[c]: the last item that found colour c in its surroundings; as many as a list can meet */
    int64_t *taken = malloc(((size_t)cells->n + 1) * sizeof *taken);
    AN_CHECK(taken, AN_FAIL, "out of memory for colours");
    *ncolour = 0;
    for (int64_t n = 0; n < cells->n; n++) {
        taken[n] = -1;
        colour[n] = -1;
    }
    for (int64_t n = 0; n < cells->n; n++) {
        for (int64_t m = cells->first[n]; m < cells->first[n + 1]; m++) {
            const int32_t c = cells->list[m];
            for (int64_t q = items->first[c]; q < items->first[c + 1]; q++)
                if (colour[items->list[q]] >= 0)
                    taken[colour[items->list[q]]] = n;
        }
        int32_t least = 0;
        while (taken[least] == n)
            least++;
        colour[n] = least;
        *ncolour = least >= *ncolour ? least + 1 : *ncolour;
    }
    free(taken);
    return AN_OK;
}

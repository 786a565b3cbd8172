/* Subdomains of the cells of a matrix: cells that are coupled strongly come into one (pairwise aggregation). */
#include "solver/adjoint/block_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Groups of cells and how strongly they are coupled. */
struct graph {
    int64_t n;
    int64_t *first; /* [n + 1]; owned */
    int32_t *to;    /* owned */
    float *weight;  /* owned */
    int32_t *size;  /* [n] cells; owned */
};

static void free_graph(struct graph *g)
{
    free(g->first);
    free(g->to);
    free(g->weight);
    free(g->size);
    memset(g, 0, sizeof *g);
}

static int new_graph(int64_t n, int64_t edges, struct graph *g)
{
    *g = (struct graph){.n = n};
    g->first = malloc(((size_t)n + 1) * sizeof *g->first);
    g->to = malloc(((size_t)edges + 1) * sizeof *g->to);
    g->weight = malloc(((size_t)edges + 1) * sizeof *g->weight);
    g->size = calloc((size_t)n + 1, sizeof *g->size);
    AN_CHECK(g->first && g->to && g->weight && g->size, AN_FAIL, "out of memory for subdomains");
    return AN_OK;
}

/* The size of each block of the rows of cells over that of the row's diagonal block, in place of the size. */
static void find_shares(const struct an_block_matrix *a, float *share)
{
    const struct an_lists *p = a->pattern;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < a->n - a->tail; i++) {
        float own = 0;
        for (int64_t m = p->first[i]; m < p->first[i + 1]; m++)
            own = p->list[m] == i ? share[m] : own;
        for (int64_t m = p->first[i]; m < p->first[i + 1]; m++)
            share[m] = own > 0 ? share[m] / own : 0;
    }
}

/* The coupling of the cells of block m, in both directions. */
static float coupling(const struct an_block_matrix *a, const float *share, int64_t m)
{
    return share[m] + share[a->mirror[m]];
}

int an_block_strong(const struct an_block_matrix *a, float *size, struct an_lists *strong,
                    float **weight)
{
    const float least = 0.02F; /* of the strongest coupling of the cell */
    const struct an_lists *p = a->pattern;
    const int64_t cells = a->n - a->tail, all = p->first[cells];
    *strong = (struct an_lists){.n = cells};
    strong->first = malloc(((size_t)cells + 1) * sizeof *strong->first);
    strong->list = malloc(((size_t)all + 1) * sizeof *strong->list);
    *weight = malloc(((size_t)all + 1) * sizeof **weight);
    const int good = strong->first && strong->list && *weight;
    int64_t at = 0;
    if (good)
        find_shares(a, size);
    for (int64_t i = 0; i < cells && good; i++) {
        float most = 0;
        strong->first[i] = at;
        for (int pass = 0; pass < 2; pass++)
            for (int64_t m = p->first[i]; m < p->first[i + 1]; m++) {
                const int32_t j = p->list[m];
                if (j == i || j >= cells)
                    continue;
                const float w = coupling(a, size, m);
                if (pass && w > least * most) {
                    strong->list[at] = j;
                    (*weight)[at++] = w;
                }
                most = w > most ? w : most;
            }
    }
    if (good)
        strong->first[cells] = at;
    AN_CHECK(good, AN_FAIL, "out of memory for subdomains");
    return AN_OK;
}

/* Groups in ascending order of their sizes. */
static int sort_by_size(const struct graph *g, int32_t *order)
{
    int32_t most = 0;
    for (int64_t i = 0; i < g->n; i++)
        most = g->size[i] > most ? g->size[i] : most;
    int64_t *at = calloc((size_t)most + 2, sizeof *at);
    AN_CHECK(at, AN_FAIL, "out of memory for subdomains");
    for (int64_t i = 0; i < g->n; i++)
        at[g->size[i] + 1]++;
    for (int32_t s = 0; s <= most; s++)
        at[s + 1] += at[s];
    for (int64_t i = 0; i < g->n; i++)
        order[at[g->size[i]]++] = (int32_t)i;
    free(at);
    return AN_OK;
}

/* Each group, small ones first, with the group to which it is coupled most for its size, if both together have at most `most`
 * cells; to[n]: the new group. Returns how many there are. */
static int32_t match(const struct graph *g, const int32_t *order, int64_t most, int32_t *to)
{
    int32_t count = 0;
    for (int64_t i = 0; i < g->n; i++)
        to[i] = -1;
    for (int64_t n = 0; n < g->n; n++) {
        const int32_t i = order[n];
        int32_t best = -1;
        float strongest = 0;
        if (to[i] >= 0)
            continue;
        for (int64_t m = g->first[i]; m < g->first[i + 1]; m++) {
            const int32_t j = g->to[m];
            const float w = g->weight[m] / (float)g->size[j];
            if (to[j] < 0 && j != i && g->size[i] + g->size[j] <= most && w > strongest) {
                best = j;
                strongest = w;
            }
        }
        to[i] = count;
        if (best >= 0)
            to[best] = count;
        count++;
    }
    return count;
}

/* The graph of the new groups. */
static int contract(const struct graph *g, const int32_t *to, int32_t count, struct graph *next)
{
    struct an_lists one = {.n = g->n, .list = (int32_t *)to}, members = {0};
    AN_TRY(new_graph(count, g->first[g->n], next));
    int64_t *seen = malloc(((size_t)count + 1) * sizeof *seen), at = 0;
    one.first = malloc(((size_t)g->n + 1) * sizeof *one.first);
    int status = seen && one.first ? AN_OK : an_error_set(AN_FAIL, "out of memory for subdomains");
    for (int64_t i = 0; i <= g->n && status == AN_OK; i++)
        one.first[i] = i;
    if (status == AN_OK)
        status = an_lists_inverse(&one, count, &members);
    for (int32_t k = 0; k < count && status == AN_OK; k++)
        seen[k] = -1;
    for (int32_t k = 0; k < count && status == AN_OK; k++) {
        next->first[k] = at;
        for (int64_t q = members.first[k]; q < members.first[k + 1]; q++) {
            const int32_t i = members.list[q];
            next->size[k] += g->size[i];
            for (int64_t m = g->first[i]; m < g->first[i + 1]; m++) {
                const int32_t j = to[g->to[m]];
                if (j == k)
                    continue;
                if (seen[j] < next->first[k]) {
                    seen[j] = at;
                    next->to[at] = j;
                    next->weight[at++] = 0;
                }
                next->weight[seen[j]] += g->weight[m];
            }
        }
    }
    next->first[count] = at;
    free(seen);
    free(one.first);
    an_lists_free(&members);
    return status;
}

/* One round; `done`: no two groups could be joined. */
static int join(struct graph *g, int64_t cells, int64_t most, int32_t *part, int *done)
{
    struct graph next = {0};
    int32_t *order = malloc(((size_t)g->n + 1) * sizeof *order);
    int32_t *to = malloc(((size_t)g->n + 1) * sizeof *to), count = 0;
    int status = order && to ? sort_by_size(g, order)
                             : an_error_set(AN_FAIL, "out of memory for subdomains");
    if (status == AN_OK) {
        count = match(g, order, most, to);
        *done = count == g->n;
        for (int64_t c = 0; c < cells; c++)
            part[c] = to[part[c]];
        status = contract(g, to, count, &next);
    }
    free(order);
    free(to);
    free_graph(g);
    *g = next;
    return status;
}

int an_block_parts(const struct an_lists *strong, const float *weight, int64_t most, int32_t *part,
                   int *count)
{
    struct graph g;
    int done = 0, status = new_graph(strong->n, strong->first[strong->n], &g);
    if (status == AN_OK) {
        memcpy(g.first, strong->first, ((size_t)strong->n + 1) * sizeof *g.first);
        memcpy(g.to, strong->list, (size_t)strong->first[strong->n] * sizeof *g.to);
        memcpy(g.weight, weight, (size_t)strong->first[strong->n] * sizeof *g.weight);
    }
    for (int64_t c = 0; c < strong->n && status == AN_OK; c++) {
        g.size[c] = 1;
        part[c] = (int32_t)c;
    }
    while (!done && status == AN_OK)
        status = join(&g, strong->n, most, part, &done);
    *count = (int)g.n;
    free_graph(&g);
    return status;
}

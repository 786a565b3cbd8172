/* The part of the graph of all cells that a rank keeps. */
#include "solver/adjoint/cells.h"

#include <stdlib.h>
#include <string.h>

static int64_t cells_of(const struct an_topology *t, int b)
{
    const int *n = t->block[b].n;
    return (int64_t)n[0] * n[1] * n[2];
}

/* The first global number of each rank, and of each piece: place[pieces]. */
static int number_cells(const struct an_solver *s, struct an_adjoint_ranks *r, int64_t *place)
{
    const struct an_partition *p = &s->level->partition;
    int64_t at = 0;
    *r = (struct an_adjoint_ranks){.comm = s->comm, .rank = s->rank, .nrank = s->nrank};
    r->start = malloc(((size_t)s->nrank + 1) * sizeof *r->start);
    r->room = calloc(1, sizeof *r->room);
    AN_CHECK(r->start && r->room, AN_FAIL, "out of memory for the graph of cells");
    for (int q = 0; q < s->nrank; q++) {
        r->start[q] = at;
        for (int b = 0; b < p->npiece; b++)
            if (p->piece[b].rank == q) {
                place[b] = at;
                at += cells_of(&p->topology, b);
            }
    }
    r->start[s->nrank] = at;
    r->cells = r->start[s->rank + 1] - r->start[s->rank];
    return AN_OK;
}

static int rank_of(const struct an_adjoint_ranks *r, int64_t global)
{
    int low = 0, high = r->nrank - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (r->start[middle + 1] <= global)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Numbers of this rank for global numbers, number[whole->n], -1: neither own nor foreign; and the list of foreign cells. */
static int find_foreign(const struct an_adjoint_cells *whole, struct an_adjoint_ranks *r,
                        int32_t *number)
{
    const int64_t from = r->start[r->rank], to = from + r->cells;
    const struct an_lists *reach = &whole->reach;
    for (int64_t c = 0; c < whole->n; c++)
        number[c] = c >= from && c < to ? (int32_t)(c - from) : -1;
    for (int64_t m = reach->first[from]; m < reach->first[to]; m++)
        if (number[reach->list[m]] == -1) {
            number[reach->list[m]] = -2;
            r->nforeign++;
        }
    r->foreign = malloc(((size_t)r->nforeign + 1) * sizeof *r->foreign);
    AN_CHECK(r->foreign, AN_FAIL, "out of memory for the graph of cells");
    for (int64_t c = 0, at = 0; c < whole->n; c++)
        if (number[c] == -2) {
            number[c] = (int32_t)(r->cells + at);
            r->foreign[at++] = (int32_t)c;
        }
    return AN_OK;
}

/* The ranks of foreign cells, and which own cells depend on those of each. last[cells]: room. */
static int find_neighbours(const struct an_adjoint_cells *g, struct an_adjoint_ranks *r, int *last)
{
    int64_t at = 0, sends = 0;
    for (int64_t k = 0; k < r->nforeign; k++)
        r->n += !k || rank_of(r, r->foreign[k]) != rank_of(r, r->foreign[k - 1]);
    r->neighbour = calloc((size_t)r->n + 1, sizeof *r->neighbour);
    AN_CHECK(r->neighbour, AN_FAIL, "out of memory for the graph of cells");
    for (int q = 0; q < r->n; q++) {
        struct an_neighbour *to = &r->neighbour[q];
        to->rank = rank_of(r, r->foreign[at]);
        to->first = at;
        while (at < r->nforeign && rank_of(r, r->foreign[at]) == to->rank)
            at++;
        to->n = at - to->first;
    }
    for (int pass = 0; pass < 2; pass++) {
        sends = 0;
        for (int q = 0; q < r->n; q++) {
            struct an_neighbour *to = &r->neighbour[q];
            to->at = sends;
            for (int64_t i = 0; i < g->n; i++)
                last[i] = -1;
            for (int64_t k = to->first; k < to->first + to->n; k++)
                for (int64_t m = g->readers.first[k]; m < g->readers.first[k + 1]; m++)
                    last[g->readers.list[m]] = q;
            for (int64_t i = 0; i < g->n; i++)
                if (last[i] == q) {
                    if (pass)
                        r->send[sends] = (int32_t)i;
                    sends++;
                }
            to->count = sends - to->at;
        }
        if (!pass)
            r->send = malloc(((size_t)sends + 1) * sizeof *r->send);
        AN_CHECK(r->send, AN_FAIL, "out of memory for the graph of cells");
    }
    return AN_OK;
}

/* Lists of own cells from global lists from..: own numbers first, then foreign ones. */
static int take_reach(const struct an_adjoint_cells *whole, const int32_t *number,
                      struct an_adjoint_cells *g)
{
    const struct an_lists *from = &whole->reach;
    struct an_lists *to = &g->reach;
    const int64_t start = g->ranks.start[g->ranks.rank];
    int64_t at = 0;
    to->n = g->n;
    to->first = malloc(((size_t)g->n + 1) * sizeof *to->first);
    to->list =
        malloc(((size_t)(from->first[start + g->n] - from->first[start]) + 1) * sizeof *to->list);
    AN_CHECK(to->first && to->list, AN_FAIL, "out of memory for the graph of cells");
    for (int64_t c = 0; c < g->n; c++) {
        to->first[c] = at;
        for (int foreign = 0; foreign < 2; foreign++)
            for (int64_t m = from->first[start + c]; m < from->first[start + c + 1]; m++)
                if ((number[from->list[m]] >= g->n) == foreign)
                    to->list[at++] = number[from->list[m]];
    }
    to->first[g->n] = at;
    return AN_OK;
}

static int take_near(const struct an_adjoint_cells *whole, const int32_t *number,
                     struct an_adjoint_cells *g)
{
    const struct an_adjoint_ranks *r = &g->ranks;
    g->near = malloc(((size_t)(g->n + r->nforeign) + 1) * sizeof *g->near);
    AN_CHECK(g->near, AN_FAIL, "out of memory for the graph of cells");
    for (int64_t c = 0; c < g->n + r->nforeign; c++) {
        const int64_t of = c < g->n ? r->start[r->rank] + c : r->foreign[c - g->n];
        for (int f = 0; f < 6; f++) {
            const int32_t next = whole->near[of][f];
            g->near[c][f] = next < 0 ? -1 : number[next];
        }
    }
    return AN_OK;
}

/* Cells of each colour, own or foreign ones. */
static int take_colours(const struct an_lists *from, const int32_t *number, int64_t own,
                        int foreign, struct an_lists *to)
{
    int64_t at = 0;
    to->n = from->n;
    to->first = malloc(((size_t)from->n + 1) * sizeof *to->first);
    AN_CHECK(to->first, AN_FAIL, "out of memory for colours");
    for (int pass = 0; pass < 2; pass++) {
        at = 0;
        for (int64_t n = 0; n < from->n; n++) {
            to->first[n] = at;
            for (int64_t m = from->first[n]; m < from->first[n + 1]; m++) {
                const int32_t c = number[from->list[m]];
                if (c < 0 || (c >= own) != foreign)
                    continue;
                if (pass)
                    to->list[at] = c;
                at++;
            }
        }
        to->first[from->n] = at;
        if (!pass)
            to->list = malloc(((size_t)at + 1) * sizeof *to->list);
        AN_CHECK(to->list, AN_FAIL, "out of memory for colours");
    }
    return AN_OK;
}

/* The lists of foreign cells among those of the inverse of g->reach. */
static int find_readers(struct an_adjoint_cells *g)
{
    struct an_lists all = {0}, *to = &g->readers;
    const int64_t n = g->ranks.nforeign;
    int status = an_lists_inverse(&g->reach, g->n + n, &all);
    const int64_t from = status == AN_OK ? all.first[g->n] : 0,
                  size = status == AN_OK ? all.first[g->n + n] - from : 0;
    to->n = n;
    to->first = malloc(((size_t)n + 1) * sizeof *to->first);
    to->list = malloc(((size_t)size + 1) * sizeof *to->list);
    if (status == AN_OK && !(to->first && to->list))
        status = an_error_set(AN_FAIL, "out of memory for the graph of cells");
    for (int64_t k = 0; k <= n && status == AN_OK; k++)
        to->first[k] = all.first[g->n + k] - from;
    if (status == AN_OK && size)
        memcpy(to->list, all.list + from, (size_t)size * sizeof *to->list);
    an_lists_free(&all);
    return status;
}

static int take_own(const struct an_adjoint_cells *whole, int32_t *number,
                    struct an_adjoint_cells *g)
{
    struct an_adjoint_ranks *r = &g->ranks;
    g->n = r->cells;
    g->all = whole->n;
    AN_TRY(find_foreign(whole, r, number));
    AN_TRY(take_near(whole, number, g));
    AN_TRY(take_reach(whole, number, g));
    AN_TRY(take_colours(&whole->colours, number, g->n, 0, &g->colours));
    AN_TRY(take_colours(&whole->colours, number, g->n, 1, &g->foreign_colours));
    AN_TRY(find_readers(g));
    return find_neighbours(g, r, number);
}

int an_adjoint_cells_new(const struct an_solver *s, struct an_adjoint_cells *g)
{
    const struct an_topology *t = &s->level->partition.topology;
    struct an_adjoint_cells whole = {0};
    struct an_adjoint_ranks ranks = {0};
    int64_t *place = malloc(((size_t)t->nblock + 1) * sizeof *place);
    memset(g, 0, sizeof *g);
    g->first = calloc((size_t)s->nlocal + 1, sizeof *g->first);
    int status = place && g->first ? number_cells(s, &ranks, place)
                                   : an_error_set(AN_FAIL, "out of memory for the graph of cells");
    for (int b = 0; b < s->nlocal && status == AN_OK; b++)
        g->first[b + 1] = g->first[b] + cells_of(t, s->local[b]);
    if (status == AN_OK)
        status = an_adjoint_cells_whole(t, place, ranks.start[s->nrank], &whole);
    free(place);
    if (status == AN_OK && s->nrank == 1) {
        whole.first = g->first;
        whole.ranks = ranks;
        *g = whole;
        return AN_OK;
    }
    g->ranks = ranks;
    int32_t *number = malloc(((size_t)whole.n + 1) * sizeof *number);
    if (status == AN_OK)
        status = number ? take_own(&whole, number, g)
                        : an_error_set(AN_FAIL, "out of memory for the graph of cells");
    free(number);
    an_adjoint_cells_free(&whole);
    return status;
}

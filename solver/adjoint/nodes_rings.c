#include "solver/adjoint/nodes_rings.h"

#include "kernels/base/numbers.h"
#include "solver/adjoint/ring_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int block, group;
    int64_t at;  /* in its block */
    double q[2]; /* x, r */
    double step; /* m */
    int end;     /* 0, 1: it is one of the ends of the span, 2: it is not */
};

struct work {
    struct an_ring_faces faces;
    double *const *moved; /* [zones][3][..] */
    int64_t nnode;
    struct node *node; /* owned */
    double *slope;     /* [nfigure][nnode][3] of each node alone; owned */
    double *value;     /* [2][nfigure] work; owned */
};

static int64_t count_of(const struct work *w, int b)
{
    const int *n = w->faces.a->s->level->layout.block[b].n;
    return (int64_t)(n[0] + 1) * (n[1] + 1) * (n[2] + 1);
}

/* Coordinate c of a node. */
static double *coordinate(const struct work *w, int b, int64_t at, int c)
{
    const struct an_solver *s = w->faces.a->s;
    const int zone = s->level->partition.piece[s->local[b]].zone;
    return &w->moved[zone][c * count_of(w, b) + at];
}

/* ---- nodes ---- */

static int group_of(const struct an_bands *bands, int band)
{
    int g = 0;
    while (band >= bands->group[g].first + bands->group[g].n)
        g++;
    return g;
}

/* The shortest edge at a node, along the lines of its block. */
static double edge_at(const struct work *w, int b, int64_t at)
{
    const int *n = w->faces.a->s->level->layout.block[b].n;
    const int64_t m[3] = {n[0] + 1, n[1] + 1, n[2] + 1}, stride[3] = {1, m[0], m[0] * m[1]};
    const int64_t place[3] = {at % m[0], at / m[0] % m[1], at / stride[2]};
    double least = INFINITY;
    for (int d = 0; d < 6; d++) {
        const int64_t to = place[d / 2] + (d & 1 ? 1 : -1),
                      q = at + (d & 1 ? 1 : -1) * stride[d / 2];
        double e[3];
        if (to < 0 || to >= m[d / 2])
            continue;
        for (int c = 0; c < 3; c++)
            e[c] = *coordinate(w, b, q, c) - *coordinate(w, b, at, c);
        const double length = an_length(e);
        least = length > 0 && length < least ? length : least;
    }
    return least;
}

static void note_node(struct work *w, int b, int group, int64_t at, char *seen)
{
    if (seen[at])
        return;
    seen[at] = 1;
    struct node *p = &w->node[w->nnode++];
    *p = (struct node){.block = b, .group = group, .at = at, .end = 2};
    p->q[0] = *coordinate(w, b, at, 0);
    p->q[1] = hypot(*coordinate(w, b, at, 1), *coordinate(w, b, at, 2));
    p->step = 1e-7 * edge_at(w, b, at);
}

/* The nodes of the strips of a block; a node that stands in two planes counts in each. */
static void list_nodes(struct work *w, int b, int group, char *seen)
{
    const struct an_bands *bands = w->faces.now.bands;
    const int *n = w->faces.a->s->level->layout.block[b].n;
    memset(seen, 0, (size_t)count_of(w, b));
    for (int k = 0; k < bands->nwindow; k++) {
        const struct an_window *win = &bands->window[k].window;
        if (win->block != b || group_of(bands, bands->window[k].boundary) != group)
            continue;
        const int da = (win->dir + 1) % 3, db = (win->dir + 2) % 3;
        for (int j = win->lo[db]; j <= win->hi[db]; j++)
            for (int i = win->lo[da]; i <= win->hi[da]; i++) {
                int c[3];
                c[win->dir] = win->side ? n[win->dir] : 0;
                c[da] = i;
                c[db] = j;
                note_node(w, b, group,
                          c[0] + (int64_t)(n[0] + 1) * (c[1] + (int64_t)(n[1] + 1) * c[2]), seen);
            }
    }
}

/* Which nodes of a group are ends of its span, as solver/boundary/band_patches.c finds them. */
static void find_ends(struct work *w, int group)
{
    double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
    for (int64_t k = 0; k < w->nnode; k++)
        for (int c = 0; c < 2 && w->node[k].group == group; c++) {
            least[c] = fmin(least[c], w->node[k].q[c]);
            most[c] = fmax(most[c], w->node[k].q[c]);
        }
    const int c = most[1] - least[1] >= most[0] - least[0];
    for (int64_t k = 0; k < w->nnode; k++) {
        struct node *p = &w->node[k];
        if (p->group != group)
            continue;
        if (p->q[c] - least[c] <= 4 * p->step)
            p->end = 0;
        else if (most[c] - p->q[c] <= 4 * p->step)
            p->end = 1;
    }
}

static int find_nodes(struct work *w)
{
    const struct an_bands *bands = w->faces.now.bands;
    int64_t most = 0;
    for (int b = 0; b < w->faces.a->s->nlocal; b++)
        most = count_of(w, b) > most ? count_of(w, b) : most;
    char *seen = malloc((size_t)most + 1);
    w->node = calloc(4 * (size_t)bands->nface + 1, sizeof *w->node);
    if (!seen || !w->node) {
        free(seen);
        return an_error_set(AN_FAIL, "out of memory for nodes");
    }
    for (int g = 0; g < bands->ngroup; g++) {
        for (int b = 0; b < w->faces.a->s->nlocal; b++)
            list_nodes(w, b, g, seen);
        find_ends(w, g);
    }
    free(seen);
    return AN_OK;
}

/* Moves node p along a direction. */
static void move(const struct work *w, const struct node *p, const double along[3], double by)
{
    for (int c = 0; c < 3; c++)
        *coordinate(w, p->block, p->at, c) += by * along[c];
}

static void put_back(const struct work *w, const struct node *p)
{
    const struct an_solver *s = w->faces.a->s;
    for (int c = 0; c < 3; c++)
        *coordinate(w, p->block, p->at, c) = s->node[p->block][c * count_of(w, p->block) + p->at];
}

/* Towards the middle of the span of the group, a unit vector. */
static void inwards(const struct work *w, const struct node *p, double to[3])
{
    const struct an_band_group *g = &w->faces.now.bands->group[p->group];
    const double y = *coordinate(w, p->block, p->at, 1), z = *coordinate(w, p->block, p->at, 2),
                 r = hypot(y, z);
    const double dx = g->casing[0] - g->hub[0], dr = g->casing[1] - g->hub[1],
                 over = (p->end ? -1 : 1) / hypot(dx, dr);
    to[0] = over * dx;
    to[1] = r > 0 ? over * dr * y / r : 0;
    to[2] = r > 0 ? over * dr * z / r : 0;
}

/* Differences along the axes of one node, which is not an end of the span while it moves. */
static int move_node(struct work *w, int64_t k)
{
    const struct an_adjoint *a = w->faces.a;
    const struct node *p = &w->node[k];
    double in[3] = {0, 0, 0};
    if (p->end < 2)
        inwards(w, p, in);
    for (int c = 0; c < 3; c++) {
        const double along[3] = {c == 0, c == 1, c == 2};
        for (int side = 0; side < 2; side++) {
            move(w, p, in, p->end < 2 ? 8 * p->step : 0);
            move(w, p, along, side ? p->step : -p->step);
            const int status = an_ring_faces_find(&w->faces, w->value + side * a->nfigure);
            put_back(w, p);
            AN_TRY(status);
        }
        for (int q = 0; q < a->nfigure; q++)
            w->slope[(q * w->nnode + k) * 3 + c] =
                (w->value[a->nfigure + q] - w->value[q]) / (2 * p->step);
    }
    return AN_OK;
}

/* The direction d of the (x, r) plane at a node. */
static void direction(const struct work *w, const struct node *p, int d, double to[3])
{
    to[0] = !d;
    for (int c = 1; c < 3; c++)
        to[c] = d && p->q[1] > 0 ? *coordinate(w, p->block, p->at, c) / p->q[1] : 0;
}

/* The nodes of an end of a span together along x (d = 0) or r (1), beyond what each gives alone: a part for each node. */
static int move_end(struct work *w, int group, int end, int d, double **gradient)
{
    const struct an_adjoint *a = w->faces.a;
    int count = 0;
    double step = INFINITY, along[3];
    for (int64_t k = 0; k < w->nnode; k++)
        if (w->node[k].group == group && w->node[k].end == end) {
            count++;
            step = fmin(step, w->node[k].step);
        }
    for (int side = 0; side < 2; side++) {
        for (int64_t k = 0; k < w->nnode; k++)
            if (w->node[k].group == group && w->node[k].end == end) {
                direction(w, &w->node[k], d, along);
                move(w, &w->node[k], along, side ? step : -step);
            }
        const int status = an_ring_faces_find(&w->faces, w->value + side * a->nfigure);
        for (int64_t k = 0; k < w->nnode; k++)
            put_back(w, &w->node[k]);
        AN_TRY(status);
    }
    for (int q = 0; q < a->nfigure; q++) {
        double more = (w->value[a->nfigure + q] - w->value[q]) / (2 * step);
        for (int add = 0; add < 2; add++)
            for (int64_t k = 0; k < w->nnode; k++) {
                const struct node *p = &w->node[k];
                if (p->group != group || p->end != end)
                    continue;
                direction(w, p, d, along);
                double *to = gradient[q * a->s->nlocal + p->block] + p->at;
                for (int c = 0; c < 3; c++)
                    if (add)
                        to[c * count_of(w, p->block)] += along[c] * more / count;
                    else
                        more -= along[c] * w->slope[(q * w->nnode + k) * 3 + c];
            }
    }
    return AN_OK;
}

static int move_nodes(struct work *w, double **gradient)
{
    const struct an_adjoint *a = w->faces.a;
    w->slope = calloc((size_t)(a->nfigure * w->nnode * 3) + 1, sizeof *w->slope);
    w->value = calloc(2 * (size_t)a->nfigure + 1, sizeof *w->value);
    AN_CHECK(w->slope && w->value, AN_FAIL, "out of memory for nodes");
    for (int64_t k = 0; k < w->nnode; k++)
        AN_TRY(move_node(w, k));
    for (int g = 0; g < w->faces.now.bands->ngroup; g++)
        for (int end = 0; end < 2; end++)
            for (int d = 0; d < 2; d++)
                AN_TRY(move_end(w, g, end, d, gradient));
    for (int q = 0; q < a->nfigure; q++)
        for (int64_t k = 0; k < w->nnode; k++)
            for (int c = 0; c < 3; c++) {
                const struct node *p = &w->node[k];
                gradient[q * a->s->nlocal + p->block][c * count_of(w, p->block) + p->at] +=
                    w->slope[(q * w->nnode + k) * 3 + c];
            }
    return AN_OK;
}

static int add_kind(struct an_adjoint *a, double *const *moved, enum an_target_kind kind,
                    double **gradient)
{
    struct work w = {.moved = moved};
    int status = an_ring_faces_new(a, kind, &w.faces), placed = AN_OK;
    if (status == AN_OK && w.faces.now.bands) {
        status = find_nodes(&w);
        if (status == AN_OK)
            status = move_nodes(&w, gradient);
        placed = an_ring_faces_place(&w.faces); /* where they were */
    }
    an_ring_faces_free(&w.faces);
    free(w.node);
    free(w.slope);
    free(w.value);
    return status == AN_OK ? placed : status;
}

int an_adjoint_ring_nodes(struct an_adjoint *a, double *const *moved, double **gradient)
{
    AN_TRY(add_kind(a, moved, AN_TARGET_PLANE, gradient));
    return add_kind(a, moved, AN_TARGET_RING, gradient);
}

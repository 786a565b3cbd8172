/* The table of weights of an abutting interface on a multigrid level, from its facets. */
#include "bc/abut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STENCIL = 5, SETS = 3 }; /* a face and four beside it; first and second cell, flux */

/* A gradient along the side: sum of v[n] q[k[n]]. */
struct gradient {
    int n, k[STENCIL];
    double v[STENCIL][3];
};

/* A facet seen from one of its faces, in the frame of that face. */
struct view {
    int face, other;
    int64_t order;
    double size, x[3], area[4];
};

struct maker {
    const struct an_abut *m;
    int n, fluxes;
    int *side;  /* [n] */
    int *start; /* [n + 1] views of each face */
    struct view *view;
    double (*middle)[3];          /* [n] of the facets */
    double (*at[SETS])[3];        /* [n] points of the sets; those of the flux are the middles */
    double (*area)[4];            /* [n] sums of the faces' areas */
    double *size;                 /* [n] sums of the facets */
    int *nearest;                 /* [n] for faces without facets */
    struct gradient *slope[SETS]; /* [n] */
};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* v of the other side of `side`, brought to it; moves: a position. */
static void bring(const struct an_abut_side *side, int moves, const double v[3], double to[3])
{
    for (int r = 0; r < 3; r++)
        to[r] = side->periodic
                    ? dot(side->rotation + 3 * (ptrdiff_t)r, v) + (moves ? side->translation[r] : 0)
                    : v[r];
}

static int by_face(const void *a, const void *b)
{
    const struct view *p = a, *q = b;
    if (p->face != q->face)
        return p->face < q->face ? -1 : 1;
    if (p->other != q->other)
        return p->other < q->other ? -1 : 1;
    return p->order < q->order ? -1 : p->order > q->order;
}

/* Both views of all facets; those between the same two faces of the level become one. */
static int make_views(struct maker *k, const int *part)
{
    const struct an_abut *m = k->m;
    const size_t most = 2 * (size_t)m->nfacet + 1;
    k->view = malloc(most * sizeof *k->view);
    AN_CHECK(k->view, AN_FAIL, "out of memory for abutting interfaces");
    for (int f = 0; f < m->nfacet; f++) {
        const struct an_abut_facet *q = &m->facet[f];
        struct view *v = &k->view[2 * (ptrdiff_t)f];
        /* the motion that brings things of face[0] to face[1] is that of face[1]'s side */
        const struct an_abut_side *there = &m->side[m->face[q->face[1]].side];
        v[0] = (struct view){part[q->face[0]],
                             part[q->face[1]],
                             2 * (int64_t)f,
                             q->size,
                             {q->x[0], q->x[1], q->x[2]},
                             {q->area[0], q->area[1], q->area[2], q->area[3]}};
        v[1] = (struct view){.face = part[q->face[1]],
                             .other = part[q->face[0]],
                             .order = 2 * (int64_t)f + 1,
                             .size = q->size};
        bring(there, 1, q->x, v[1].x);
        bring(there, 0, q->area, v[1].area);
        v[1].area[3] = q->area[3];
        for (int c = 0; c < 4; c++)
            v[1].area[c] = -v[1].area[c];
    }
    qsort(k->view, 2 * (size_t)m->nfacet, sizeof *k->view, by_face);
    int kept = 0;
    for (int v = 0; v < 2 * m->nfacet; v++) {
        struct view *to = kept ? &k->view[kept - 1] : NULL, *from = &k->view[v];
        if (!to || to->face != from->face || to->other != from->other) {
            k->view[kept++] = *from;
            continue;
        }
        for (int c = 0; c < 3; c++)
            to->x[c] = (to->size * to->x[c] + from->size * from->x[c]) / (to->size + from->size);
        for (int c = 0; c < 4; c++)
            to->area[c] += from->area[c];
        to->size += from->size;
    }
    for (int f = 0, v = 0; f <= k->n; f++) {
        while (v < kept && k->view[v].face < f)
            v++;
        k->start[f] = v;
    }
    return AN_OK;
}

/* Sums over the facets and over the finest faces, and the points of the sets. */
static void make_points(struct maker *k, const int *part)
{
    const struct an_abut *m = k->m;
    for (int f = 0; f < k->n; f++)
        k->nearest[f] = -1;
    for (int f = 0; f < m->nface; f++) {
        const int at = part[f];
        k->side[at] = m->face[f].side;
        for (int c = 0; c < 4; c++)
            k->area[at][c] += m->face[f].area[c];
        if (k->nearest[at] < 0 && m->nearest[f] >= 0)
            k->nearest[at] = part[m->nearest[f]];
        for (int c = 0; c < 3 && k->start[at] == k->start[at + 1]; c++)
            k->middle[at][c] = m->face[f].middle[0][c];
    }
    for (int f = 0; f < k->n; f++) {
        for (int v = k->start[f]; v < k->start[f + 1]; v++) {
            k->size[f] += k->view[v].size;
            for (int c = 0; c < 3; c++)
                k->middle[f][c] += k->view[v].size * k->view[v].x[c];
        }
        for (int c = 0; c < 3 && k->size[f] > 0; c++)
            k->middle[f][c] /= k->size[f];
    }
    for (int set = 0; set < SETS; set++)
        for (int f = 0; f < k->n; f++)
            memcpy(k->at[set][f], k->middle[f], sizeof *k->middle);
    for (int f = 0; f < m->nface && k->fluxes; f++)
        for (int set = 0; set < 2; set++)
            memcpy(k->at[set][f], m->face[f].middle[set], sizeof *k->middle);
}

/* The inverse of a symmetric matrix (a b, b c) where its eigenvalues count, else zero. */
static void invert(double a, double b, double c, double to[3])
{
    const double mean = 0.5 * (a + c), half = 0.5 * (a - c), root = hypot(half, b);
    const double high = mean + root, low = mean - root;
    const double x = root > 0 ? 0.5 * (1 + half / root) : 1, y = root > 0 ? 0.5 * b / root : 0;
    const double p = high > 0 ? 1 / high : 0, q = low > 0.02 * high ? 1 / low : 0;
    to[0] = p * x + q * (1 - x);
    to[1] = (p - q) * y;
    to[2] = p * (1 - x) + q * x;
}

static struct gradient gradient_of(const struct maker *k, int set, int f, const int beside[4])
{
    struct gradient g = {.n = 1, .k = {f}};
    double n[3] = {k->area[f][0], k->area[f][1], k->area[f][2]}, e[2][3], d[4][2];
    double a = 0, b = 0, c = 0, inverse[3];
    const double length = sqrt(dot(n, n));
    if (!(length > 0))
        return g;
    for (int m = 0; m < 3; m++)
        n[m] /= length;
    const double axis[3] = {fabs(n[0]) < 0.6, fabs(n[0]) >= 0.6, 0};
    const double along = dot(axis, n);
    for (int m = 0; m < 3; m++)
        e[0][m] = axis[m] - along * n[m];
    const double size = sqrt(dot(e[0], e[0]));
    for (int m = 0; m < 3; m++)
        e[0][m] /= size;
    for (int m = 0; m < 3; m++)
        e[1][m] = n[(m + 1) % 3] * e[0][(m + 2) % 3] - n[(m + 2) % 3] * e[0][(m + 1) % 3];
    for (int s = 0; s < 4; s++) {
        double off[3];
        if (beside[s] < 0 || !(k->size[beside[s]] > 0))
            continue;
        for (int m = 0; m < 3; m++)
            off[m] = k->at[set][beside[s]][m] - k->at[set][f][m];
        const double u = dot(off, e[0]), v = dot(off, e[1]), weight = 1 / (u * u + v * v);
        if (!isfinite(weight))
            continue;
        a += weight * u * u;
        b += weight * u * v;
        c += weight * v * v;
        d[g.n - 1][0] = weight * u;
        d[g.n - 1][1] = weight * v;
        g.k[g.n++] = beside[s];
    }
    invert(a, b, c, inverse);
    for (int s = 1; s < g.n; s++) {
        const double u = inverse[0] * d[s - 1][0] + inverse[1] * d[s - 1][1];
        const double v = inverse[1] * d[s - 1][0] + inverse[2] * d[s - 1][1];
        for (int m = 0; m < 3; m++) {
            g.v[s][m] = u * e[0][m] + v * e[1][m];
            g.v[0][m] -= g.v[s][m];
        }
    }
    return g;
}

/* ---- a row ---- */

struct row {
    int n, capacity;
    double (*entry)[AN_ABUT_ENTRY]; /* donors by their index, not yet by their number */
};

static double *entry_of(struct row *r, int donor)
{
    for (int n = 0; n < r->n; n++)
        if ((int)r->entry[n][AN_ABUT_DONOR] == donor)
            return r->entry[n];
    if (r->n == r->capacity)
        return NULL;
    memset(r->entry[r->n], 0, sizeof *r->entry);
    r->entry[r->n][AN_ABUT_DONOR] = donor;
    return r->entry[r->n++];
}

/* Adds weight (q_j + gradient . d), d in the frame of the donors. */
static void add_linear(const struct maker *k, struct row *r, int set, int j, double weight,
                       const double d[3], const double *over)
{
    const struct gradient *g = &k->slope[set][j];
    const int word = set < 2 ? AN_ABUT_FIRST + set : AN_ABUT_FLUX;
    for (int n = 0; n < g->n; n++) {
        const double w = (n == 0) + dot(g->v[n], d);
        double *e = entry_of(r, g->k[n]);
        if (e)
            e[word] += weight * w / (over ? over[g->k[n]] : 1);
    }
}

/* x of the frame of face f, in the frame of its donors. */
static void to_donors(const struct maker *k, int f, const double x[3], int moves, double to[3])
{
    bring(&k->m->side[k->m->side[k->side[f]].other], moves, x, to);
}

static void make_row(const struct maker *k, int f, struct row *r)
{
    r->n = 0;
    if (k->start[f] == k->start[f + 1] && k->nearest[f] >= 0) {
        double *e = entry_of(r, k->nearest[f]);
        e[AN_ABUT_SHARE] = e[AN_ABUT_FIRST] = e[AN_ABUT_FIRST + 1] = 1;
    }
    for (int n = k->start[f]; n < k->start[f + 1]; n++) {
        const struct view *v = &k->view[n];
        const double share = v->size / k->size[f];
        double x[3], d[3], lean[3];
        double *e = entry_of(r, v->other);
        if (e)
            e[AN_ABUT_SHARE] += share;
        to_donors(k, f, v->x, 1, x);
        for (int set = 0; set < SETS; set++) {
            for (int c = 0; c < 3; c++)
                lean[c] = k->middle[f][c] - k->at[set][f][c];
            to_donors(k, f, lean, 0, d);
            for (int c = 0; c < 3; c++)
                d[c] += x[c] - k->at[set][v->other][c];
            if (set < 2)
                add_linear(k, r, set, v->other, share, d, NULL);
            else if (k->fluxes)
                add_linear(k, r, set, v->other, v->size, d, k->size);
        }
    }
}

/* The part of face f's own area that belongs to its facet v, in the frame of f. */
static void part_of(const struct maker *k, int f, const struct view *v, double part[4])
{
    const struct gradient *g = &k->slope[2][f];
    double d[3];
    for (int c = 0; c < 3; c++)
        d[c] = v->x[c] - k->middle[f][c];
    for (int c = 0; c < 4; c++)
        part[c] = 0;
    for (int n = 0; n < g->n; n++) {
        const double w = v->size * ((n == 0) + dot(g->v[n], d)) / k->size[g->k[n]];
        for (int c = 0; c < 4; c++)
            part[c] += w * k->area[g->k[n]][c];
    }
}

static const struct view *view_from(const struct maker *k, int face, int other)
{
    for (int n = k->start[face]; n < k->start[face + 1]; n++)
        if (k->view[n].other == other)
            return &k->view[n];
    return NULL;
}

/* Facet v of face f: its area less the mean of the two faces' parts. Of both faces, the one on the lower
 * side, or with the lower number, is the one that counts. */
static void rest_of(const struct maker *k, int f, const struct view *v, double rest[4])
{
    const int j = v->other;
    const int lower = k->side[f] != k->side[j] ? k->side[f] < k->side[j] : f < j;
    const int first = lower ? f : j, second = lower ? j : f;
    const struct view *from = lower ? v : view_from(k, j, f),
                      *back = lower ? view_from(k, j, f) : v;
    double a[4], b[4], turned[3];
    part_of(k, first, from, a);
    part_of(k, second, back, b);
    bring(&k->m->side[k->side[first]], 0, b, turned);
    memcpy(b, turned, sizeof turned);
    for (int c = 0; c < 4; c++)
        rest[c] = from->area[c] - 0.5 * (a[c] - b[c]);
    if (lower)
        return;
    bring(&k->m->side[k->side[second]], 0, rest, turned);
    memcpy(rest, turned, sizeof turned);
    for (int c = 0; c < 4; c++)
        rest[c] = -rest[c];
}

/* ---- the map ---- */

static int make_rows(const struct maker *k, const int64_t *number, struct row *r, double *map,
                     int64_t at, int64_t *end)
{
    const int64_t faces = 4, rotations = at;
    at += 9 * (int64_t)k->m->nside;
    for (int s = 0; s < k->m->nside && map; s++)
        memcpy(map + rotations + 9 * (ptrdiff_t)s, k->m->side[s].rotation, 9 * sizeof *map);
    for (int f = 0; f < k->n; f++) {
        const int facets = k->fluxes ? k->start[f + 1] - k->start[f] : 0;
        make_row(k, f, r);
        if (map) {
            double *face = map + faces + AN_SLIDE_FACE * number[f], *to = map + at;
            face[AN_SLIDE_FRAME] = face[AN_SLIDE_FRAME + 2] = face[AN_SLIDE_FRAME + 4] = 1;
            face[AN_SLIDE_ROW] = (double)at;
            face[AN_SLIDE_DONORS] = r->n;
            face[AN_SLIDE_FACETS] = facets;
            face[AN_SLIDE_ROTATION] = k->m->side[k->side[f]].periodic == 2
                                          ? (double)(rotations + 9 * (int64_t)k->side[f])
                                          : 0;
            for (int n = 0; n < r->n; n++, to += AN_ABUT_ENTRY) {
                memcpy(to, r->entry[n], sizeof *r->entry);
                to[AN_ABUT_DONOR] = (double)number[(int)r->entry[n][AN_ABUT_DONOR]];
            }
            for (int n = 0; n < facets; n++, to += AN_ABUT_FACET) {
                const struct view *v = &k->view[k->start[f] + n];
                to[AN_ABUT_OTHER] = (double)number[v->other];
                rest_of(k, f, v, to + AN_ABUT_AREA);
            }
        }
        at += (int64_t)r->n * AN_ABUT_ENTRY + (int64_t)facets * AN_ABUT_FACET;
    }
    *end = at;
    return AN_OK;
}

static int make_map(struct maker *k, const int64_t *number, struct an_slide_map *map)
{
    const int64_t rings = 4 + AN_SLIDE_FACE * (int64_t)k->n, edges = rings + AN_SLIDE_RING;
    struct row r = {0};
    for (int f = 0; f < k->n; f++) {
        const int most = STENCIL * (k->start[f + 1] - k->start[f]) + 1;
        r.capacity = most > r.capacity ? most : r.capacity;
    }
    r.entry = malloc((size_t)r.capacity * sizeof *r.entry);
    AN_CHECK(r.entry, AN_FAIL, "out of memory for abutting interfaces");
    make_rows(k, number, &r, NULL, edges + 2, &map->n);
    map->word = calloc((size_t)map->n, sizeof *map->word);
    if (!map->word) {
        free(r.entry);
        return an_error_set(AN_FAIL, "out of memory for abutting interfaces");
    }
    double *ring = map->word + rings;
    map->word[0] = 4;
    map->word[1] = (double)rings;
    map->word[2] = (double)edges; /* an order that nobody reads */
    ring[AN_SLIDE_COUNT] = ring[AN_SLIDE_HIGH] = ring[AN_SLIDE_RADIUS] = ring[AN_SLIDE_SECTOR] = 1;
    for (int set = 0; set < AN_SLIDE_NSET; set++)
        ring[AN_SLIDE_EDGES + set] = (double)edges;
    map->word[edges + 1] = 1;
    make_rows(k, number, &r, map->word, edges + 2, &map->n);
    free(r.entry);
    return AN_OK;
}

int an_abut_map_new(const struct an_abut *m, int n, const int *part, const int64_t *number,
                    const int (*beside)[4], int fluxes, struct an_slide_map *map)
{
    const size_t size = (size_t)n + 1;
    struct maker k = {.m = m,
                      .n = n,
                      .fluxes = fluxes,
                      .side = calloc(size, sizeof *k.side),
                      .start = calloc(size, sizeof *k.start),
                      .middle = calloc(size, sizeof *k.middle),
                      .area = calloc(size, sizeof *k.area),
                      .size = calloc(size, sizeof *k.size),
                      .nearest = malloc(size * sizeof *k.nearest)};
    int made = k.side && k.start && k.middle && k.area && k.size && k.nearest;
    for (int set = 0; set < SETS; set++) {
        k.at[set] = malloc(size * sizeof *k.at[set]);
        k.slope[set] = malloc(size * sizeof *k.slope[set]);
        made &= k.at[set] && k.slope[set];
    }
    memset(map, 0, sizeof *map);
    int status = made ? AN_OK : an_error_set(AN_FAIL, "out of memory for abutting interfaces");
    if (status == AN_OK)
        status = make_views(&k, part);
    if (status == AN_OK) {
        make_points(&k, part);
        for (int set = 0; set < SETS; set++)
            for (int f = 0; f < n; f++)
                k.slope[set][f] = gradient_of(&k, set, f, beside[f]);
        status = make_map(&k, number, map);
    }
    for (int set = 0; set < SETS; set++) {
        free(k.at[set]);
        free(k.slope[set]);
    }
    free(k.side);
    free(k.start);
    free(k.view);
    free(k.middle);
    free(k.area);
    free(k.size);
    free(k.nearest);
    return status;
}

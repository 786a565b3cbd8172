// The plane mesh inside the blade's section, for the gap: a ring along the profile and a core.
//
//            ring: i anticlockwise from the core's lower front corner, j from the profile inwards
//         ________________________________
//       /  \____________________________/  \                core: i downstream, j upwards
//      (   |____________core____________|   )
//       \  /                            \  /
//         --------------------------------
//
// The core's corners are its four irregular nodes.
#include "row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 4, SWEEPS = 200, UNFOLD = 6 };
enum { RING, CORE };
static const double SMOOTH_FROM =
    20 * M_PI / 180; // smallest angle for which the ring's lines run smoothly

static struct vec2 *node(struct mesh *m, int z, int i, int j)
{
    return &m->z[z].x[j * m->z[z].ni + i];
}

static void join(struct mesh *m, int za, int ai0, int aj0, int ai1, int aj1, int zb, int bi0,
                 int bj0, int bi1, int bj1)
{
    m->link[m->nlink++] = (struct link){za, zb, {ai0, aj0}, {ai1, aj1}, {bi0, bj0}, {bi1, bj1}, 0};
}

// Interfaces with `rows` cells across the ring; the core has a x b cells.
static void connect(struct mesh *m, int rows, int a, int b)
{
    const int n = 2 * (a + b);
    m->nlink = m->npatch = 0;
    join(m, RING, 0, 0, 0, rows, RING, n, 0, n, rows);
    join(m, CORE, 0, 0, a, 0, RING, 0, rows, a, rows);
    join(m, CORE, a, 0, a, b, RING, a, rows, a + b, rows);
    join(m, CORE, 0, b, a, b, RING, 2 * a + b, rows, a + b, rows);
    join(m, CORE, 0, 0, 0, b, RING, n, rows, 2 * a + b, rows);
    m->patch[m->npatch++] = (struct patch){"blade", RING, FACE_JMIN, 0, 0};
}

// Node of the core on its border, by the ring's index.
static struct vec2 *border(struct mesh *m, int q)
{
    const int a = m->z[CORE].ni - 1, b = m->z[CORE].nj - 1;
    if (q <= a)
        return node(m, CORE, q, 0);
    if (q <= a + b)
        return node(m, CORE, a, q - a);
    if (q <= 2 * a + b)
        return node(m, CORE, 2 * a + b - q, b);
    return node(m, CORE, 0, 2 * (a + b) - q);
}

// Wall nodes and normals from the O of the mesh outside; the normals point inwards.
static void take_wall(struct mesh *m, const struct counts *c, const struct mesh *out)
{
    const int n = out->n_around, start = c->lead_down - c->core / 2;
    for (int q = 0; q <= n; q++) {
        const int i = ((start - q) % n + n) % n;
        *node(m, RING, q, 0) = out->z[Z_O].x[i];
        m->normal[q] = scale(-1, out->normal[i]);
        m->first[q] = out->first[i];
    }
}

// The point of the ring's wall at index `at`, between two nodes.
static struct vec2 wall_at(struct mesh *m, double at)
{
    const int q = (int)fmin(floor(at), m->n_around - 1);
    const struct vec2 x = *node(m, RING, q, 0), next = *node(m, RING, q + 1, 0);
    return axpy(at - q, sub(next, x), x);
}

// Cells between the corners of a cut-off edge and the place on the sides that is a quarter of the base ahead of
// it: the core ends there.
static double room_behind(struct mesh *m, int base)
{
    const int a = m->z[CORE].ni - 1, b = m->z[CORE].nj - 1;
    const struct vec2 low = *node(m, RING, a, 0), high = *node(m, RING, a + b, 0);
    const double room = base ? 0.25 * norm(sub(high, low)) : 0;
    double k = 0;
    while (k < 0.5 * a && norm(sub(wall_at(m, a - k), low)) < room)
        k += 0.25;
    return k;
}

// Middle of column c of the core, between its two long sides.
static struct vec2 middle(struct mesh *m, int c)
{
    const int b = m->z[CORE].nj - 1;
    return scale(0.5, add(*node(m, CORE, c, 0), *node(m, CORE, c, b)));
}

// Thickness of the innermost of `rows` cells of the ring, which grow in geometric progression from `first` at the wall
// over the distance `way` to the core.
static double last_row(double first, double way, int rows)
{
    if (first * rows >= 0.999 * way)
        return way / rows;
    const double ratio = geometric_ratio(first, way, rows);
    return way * (1 - 1 / ratio) / (1 - pow(ratio, -rows));
}

// The core ends a few cells before a round edge of the blade. There the ring's innermost row may be much thinner or much
// thicker than the core's outermost cells. If the factor exceeds EVEN, the outermost columns of the core are moved away
// from the edge (thin row) or towards it (thick row), until the factor is WANTED.
// end: -1 leading edge, 1 trailing edge; rows: number of rows that the finished ring has.
static void shift_end(struct mesh *m, int end, int rows)
{
    static const double EVEN = 4, WANTED = 2, REACH = 2;
    const int a = m->z[CORE].ni - 1, b = m->z[CORE].nj - 1, column = end < 0 ? 0 : a,
              columns = a < 18 ? a / 3 : 6, edge = end < 0 ? 2 * a + b + b / 2 : a + b / 2;
    const struct vec2 nose = *node(m, RING, edge, 0), from = middle(m, column);
    const double cell = norm(sub(from, middle(m, column - end))), first = m->first[edge],
                 length = norm(sub(nose, from));
    double way = length; // shortest distance from wall to core
    for (int t = 0; t <= b; t++) {
        const struct vec2 wall = *node(m, RING, end < 0 ? 2 * a + b + t : a + t, 0);
        const int row = end < 0 ? b - t : t;
        way = fmin(way, norm(sub(wall, *node(m, CORE, column, row))));
    }
    const double last = last_row(first, way, rows);
    if ((last < EVEN * cell && cell < EVEN * last) || columns < 1)
        return;
    // thickness of the ring's innermost row over that of the core's outermost cells
    const double wanted = cell > last ? 1 / WANTED : WANTED;
    // the cells of the ring would lean if the ring were much thicker here than the core is wide
    const double wide = norm(sub(*node(m, CORE, column, 0), *node(m, CORE, column, b)));
    double lo = -0.6 * way, hi = fmin(0.5 * columns * cell, fmax(0, REACH * wide - length));
    for (int it = 0; it < 50; it++) {
        const double s = 0.5 * (lo + hi);
        *(last_row(first, way + s, rows) < wanted * (cell - s / columns) ? &lo : &hi) = s;
    }
    const struct vec2 step = scale(-lo / length, sub(nose, from));
    for (int c = 0; c < columns; c++)
        for (int t = 0; t <= b; t++) {
            struct vec2 *x = node(m, CORE, column - end * c, t);
            *x = axpy(1 - (double)c / columns, step, *x);
        }
}

// Columns of the core between opposite wall nodes, rows of the ring between wall and core. rows: number of rows that the
// finished ring has.
static void first_guess(struct mesh *m, int base, int rows)
{
    const int a = m->z[CORE].ni - 1, b = m->z[CORE].nj - 1, n = 2 * (a + b);
    const double room = room_behind(m, base);
    for (int c = 0; c <= a; c++) {
        const double ahead = c * room / a;
        const struct vec2 low = wall_at(m, c - ahead), high = wall_at(m, 2 * a + b - c + ahead);
        for (int t = 0; t <= b; t++)
            *node(m, CORE, c, t) = axpy(0.25 + 0.5 * t / b, sub(high, low), low);
    }
    shift_end(m, -1, rows);
    if (!base)
        shift_end(m, 1, rows);
    for (int q = 0; q <= n; q++) {
        const struct vec2 wall = *node(m, RING, q, 0), end = *border(m, q);
        for (int j = 1; j <= ROWS; j++)
            *node(m, RING, q, j) = axpy((double)j / ROWS, sub(end, wall), wall);
    }
}

// Wanted lengths: those of the first guess, in the ring those of the wall.
static void want(struct mesh *m)
{
    for (int k = RING; k <= CORE; k++) {
        struct zone *z = &m->z[k];
        for (int j = 0; j < z->nj; j++)
            for (int i = 0; i < z->ni; i++) {
                const struct vec2 x = *node(m, k, i, j);
                if (i < z->ni - 1)
                    z->li[j * (z->ni - 1) + i] = norm(sub(*node(m, k, i + 1, j), x));
                if (j < z->nj - 1)
                    z->lj[j * z->ni + i] = norm(sub(*node(m, k, i, j + 1), x));
            }
    }
}

static int allocate(struct mesh *m, const struct counts *c, int n_around, int rows)
{
    const int b = c->core, a = n_around / 2 - b;
    *m = (struct mesh){.nz = 2, .n_around = n_around, .n_normal = rows, .n_final = c->ring};
    const size_t n = (size_t)n_around + 1;
    m->normal = malloc(n * sizeof *m->normal);
    m->first = malloc(n * sizeof *m->first);
    const int failed = zone_new(&m->z[RING], "tip_o", n_around + 1, rows + 1) ||
                       zone_new(&m->z[CORE], "tip_h", a + 1, b + 1);
    AN_CHECK(!failed && m->normal && m->first, AN_FAIL, "out of memory");
    connect(m, rows, a, b);
    return AN_OK;
}

// Smooths the mesh of the uppermost layer, once.
static int inside_smooth(struct mesh *m, const struct counts *c, const struct mesh *out)
{
    AN_TRY(allocate(m, c, out->n_around, ROWS));
    take_wall(m, c, out);
    first_guess(m, c->base, c->ring);
    want(m);
    AN_CHECK(!elliptic_smooth(m, SWEEPS), AN_FAIL, "out of memory");
    return AN_OK;
}

// The share of the ring's thickness below row j at q.
static double share_below(const struct zone *ring, int q, int j)
{
    double below = 0, all = 0;
    for (int k = 0; k < ring->nj - 1; k++) {
        const double step = norm(sub(ring->x[(k + 1) * ring->ni + q], ring->x[k * ring->ni + q]));
        below += k < j ? step : 0;
        all += step;
    }
    return below / all;
}

// The nodes of a mesh with the same counts.
static void mesh_take(struct mesh *m, const struct mesh *from)
{
    for (int k = RING; k <= CORE; k++)
        memcpy(m->z[k].x, from->z[k].x,
               (size_t)m->z[k].ni * (size_t)m->z[k].nj * sizeof *m->z[k].x);
}

// Nodes between two opposite wall nodes keep their shares of the way, whatever the layer: each
// moves as its wall nodes do. even: the ring's rows have equal shares.
static void follow_wall(struct mesh *m, const struct mesh *top, bool even)
{
    const int rows = m->z[RING].nj - 1;
    const int a = m->z[CORE].ni - 1, b = m->z[CORE].nj - 1, n = 2 * (a + b);
    for (int q = 0; q <= n; q++) {
        const int p = q % n; // the ring closes: its last line is its first one
        const int face = p <= a ? 2 * a + b - p : p >= a + b && p <= 2 * a + b ? 2 * a + b - p : -1;
        const struct vec2 own = sub(m->z[RING].x[q], top->z[RING].x[q]);
        const struct vec2 other = face < 0 ? own : sub(m->z[RING].x[face], top->z[RING].x[face]);
        for (int j = 1; j <= rows; j++) {
            const double t = even ? 0.25 * j / rows : 0.25 * share_below(&top->z[RING], q, j);
            *node(m, RING, q, j) =
                add(top->z[RING].x[j * (n + 1) + q], axpy(t, sub(other, own), own));
        }
    }
    for (int c = 0; c <= a; c++) {
        const struct vec2 low = sub(m->z[RING].x[c], top->z[RING].x[c]),
                          high = sub(m->z[RING].x[2 * a + b - c], top->z[RING].x[2 * a + b - c]);
        for (int t = 0; t <= b; t++)
            *node(m, CORE, c, t) =
                add(top->z[CORE].x[t * (a + 1) + c], axpy(0.25 + 0.5 * t / b, sub(high, low), low));
    }
    for (int q = 0; q <= n; q++)
        *node(m, RING, q, rows) = *border(m, q);
}

// The ring's final rows, and the core as it is.
static int refine(struct mesh *fine, struct mesh *m, const struct counts *c, const struct mesh *out,
                  int lines)
{
    const int n = out->n_around, a = m->z[CORE].ni - 1, b = m->z[CORE].nj - 1;
    AN_TRY(allocate(fine, c, n, c->ring));
    fine->lines = lines;
    take_wall(fine, c, out);
    for (int k = 0; k < (a + 1) * (b + 1); k++)
        fine->z[CORE].x[k] = m->z[CORE].x[k];
    struct vec2 *beyond = malloc(((size_t)n + 1) * sizeof *beyond);
    AN_CHECK(beyond, AN_FAIL, "out of memory");
    for (int q = 0; q <= n; q++) { // the core's node diagonally inside at its corners
        const int p = q % n;
        const int i = p <= a ? p : p <= a + b ? a : p <= 2 * a + b ? 2 * a + b - p : 0;
        const int j = p <= a ? 0 : p <= a + b ? p - a : p <= 2 * a + b ? b : n - p;
        beyond[q] = *node(m, CORE,
                          i == 0   ? 1
                          : i == a ? a - 1
                                   : i,
                          j == 0   ? 1
                          : j == b ? b - 1
                                   : j);
    }
    // where the section is thinner than the ring's cells would be, they are even
    for (int q = 0; q <= n; q++)
        fine->first[q] =
            fmin(fine->first[q], norm(sub(*border(m, q), *node(m, RING, q, 0))) / c->ring);
    const int failed = olayer_fill(fine, &m->z[RING], beyond);
    free(beyond);
    AN_CHECK(!failed, AN_FAIL, "out of memory");
    return AN_OK;
}

// Takes the smoothest course of the ring's lines, from *lines on, that has no angles below `enough`, or else the one with
// the largest smallest angle; a folded coarse mesh is smoothed on before that. *lines: what it takes.
static int refine_best(struct mesh *fine, struct mesh *coarse, const struct counts *c,
                       const struct mesh *out, double enough, int *lines)
{
    struct worst w;
    mesh_worst(&w, coarse);
    for (int pass = 0; pass < UNFOLD && w.folded > 0; pass++) {
        want(coarse);
        AN_CHECK(!elliptic_smooth(coarse, SWEEPS / 4), AN_FAIL, "out of memory");
        mesh_worst(&w, coarse);
    }
    double best = -M_PI;
    int way = *lines;
    for (;; way++) {
        blocks_free(fine);
        AN_TRY(refine(fine, coarse, c, out, way));
        mesh_worst(&w, fine);
        if (w.angle > best + 0.01) {
            best = w.angle;
            *lines = way;
        }
        if ((w.folded == 0 && w.angle >= enough) || way == LINES_STRAIGHT)
            break;
    }
    if (way == *lines)
        return AN_OK;
    blocks_free(fine);
    return refine(fine, coarse, c, out, *lines);
}

int inside_shape(struct mesh *m, const struct row *r, int b)
{
    return allocate(m, &r->n[b], counts_around(&r->n[b]), r->n[b].ring);
}

// Smooths the final rows of the uppermost layer on, if they have small angles: the coarse rows had other heights. If that
// helps, *top becomes this mesh, and the other layers follow its rows.
static int smooth_final(struct mesh *m, struct mesh *top, const struct counts *c,
                        const struct mesh *out, bool *final)
{
    struct mesh fine;
    struct worst was, now;
    mesh_worst(&was, m);
    *final = false;
    if (was.angle >= SMOOTH_FROM)
        return AN_OK;
    int rc = allocate(&fine, c, out->n_around, c->ring);
    if (!rc) {
        take_wall(&fine, c, out);
        mesh_take(&fine, m);
        want(&fine);
        now = was;
        rc = mesh_polish(&fine, &now, SMOOTH_FROM, true);
    }
    *final = !rc && now.angle > was.angle + 0.01;
    if (*final) {
        mesh_take(m, &fine);
        blocks_free(top);
        *top = fine;
    } else {
        blocks_free(&fine);
    }
    return rc;
}

static int refined_layer(struct mesh *m, struct mesh *top, const struct counts *c,
                         const struct mesh *out, bool top_layer)
{
    struct mesh coarse;
    int rc = allocate(&coarse, c, out->n_around, ROWS);
    if (!rc) {
        take_wall(&coarse, c, out);
        follow_wall(&coarse, top, true);
        int lines = top_layer ? LINES_THROUGH : (int)top->lines; // one course for the whole gap
        rc = refine_best(m, &coarse, c, out, top_layer ? SMOOTH_FROM : 0, &lines);
        if (top_layer)
            top->lines = lines;
    }
    blocks_free(&coarse);
    return rc;
}

int inside_layer(struct mesh *m, struct row *r, int b, int k, const struct mesh *out)
{
    const struct counts *c = &r->n[b];
    const int wall = k <= c->hub_gap && c->hub_gap ? AT_HUB : AT_CASING;
    struct mesh *top = &r->inside[wall][b];
    bool *final = &r->inside_final[wall][b];
    const bool top_layer = k == (wall == AT_HUB ? c->hub_gap : r->nlayer - 1);
    if (top_layer) {
        AN_TRY(inside_smooth(top, c, out));
        AN_TRY(refined_layer(m, top, c, out, true));
        return smooth_final(m, top, c, out, final);
    }
    if (!*final)
        return refined_layer(m, top, c, out, false);
    AN_TRY(allocate(m, c, out->n_around, c->ring));
    take_wall(m, c, out);
    follow_wall(m, top, false);
    return AN_OK;
}

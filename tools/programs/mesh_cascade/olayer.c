// Final rows of the O zone. The smoothed mesh has few rows there; each of its radial lines becomes
// a smooth curve that leaves the wall exactly along the normal, and gets nodes in geometric
// progression from the wanted height of the first cell.
#include <math.h>
#include <stdlib.h>

#include "mesh.h"

enum {
    PIECES = 16,
    MAX_ROWS = 16
}; // straight pieces per row when the arc length is measured; most coarse rows

// A radial line: Catmull-Rom spline through the coarse rows x[0..n] and the next node outside, x[n
// + 1], plus a bump that turns its first tangent into the wall normal.
struct line {
    int n;
    int lines; // as in struct mesh
    struct vec2 x[MAX_ROWS + 2], bump;
};

static struct vec2 tangent(const struct line *c, int k)
{
    if (k == 0)
        return axpy(-1.5, c->x[0], axpy(2, c->x[1], scale(-0.5, c->x[2])));
    if (k == c->n && c->lines != LINES_THROUGH)
        return sub(c->x[k], c->x[k - 1]);
    return scale(0.5, sub(c->x[k + 1], c->x[k - 1]));
}

static struct vec2 point(const struct line *c, double u)
{
    const int k = (int)fmin(fmax(floor(u), 0), c->n - 1);
    const double t = u - k, v = 1 - t, w = 1 - u / c->n;
    struct vec2 r = scale(v * v * (1 + 2 * t), c->x[k]);
    r = axpy(t * v * v, tangent(c, k), r);
    r = axpy(t * t * (3 - 2 * t), c->x[k + 1], r);
    r = axpy(-t * t * v, tangent(c, k + 1), r);
    r = axpy(u * w * w, c->bump, r);
    if (c->lines < LINES_HALF)
        return r;
    const struct vec2 straight = axpy(v, c->x[k], scale(t, c->x[k + 1]));
    return c->lines == LINES_STRAIGHT ? straight : scale(0.5, add(r, straight));
}

static void place_nodes(const struct line *c, int n, const double *t, const double *arc,
                        struct vec2 *x, int stride)
{
    const int pieces = PIECES * c->n;
    int k = 0;
    for (int j = 1; j < n; j++) {
        const double a = t[j] * arc[pieces];
        while (k < pieces - 1 && arc[k + 1] < a)
            k++;
        x[j * stride] = point(c, (k + (a - arc[k]) / (arc[k + 1] - arc[k])) / PIECES);
    }
}

static struct line line_new(const struct mesh *m, const struct zone *coarse,
                            const struct vec2 *beyond, int i)
{
    struct line c = {.n = coarse->nj - 1, .lines = (int)m->lines, .bump = {0, 0}};
    for (int j = 0; j <= c.n; j++)
        c.x[j] = coarse->x[j * coarse->ni + i];
    c.x[c.n + 1] = beyond[i];
    const struct vec2 t0 = tangent(&c, 0);
    c.bump = sub(scale(norm(t0), m->normal[i]), t0);
    return c;
}

// arc[k] = length from the wall to parameter k / PIECES.
static double measure(const struct line *c, double *arc)
{
    struct vec2 last = c->x[0];
    arc[0] = 0;
    for (int k = 1; k <= PIECES * c->n; k++) {
        const struct vec2 p = point(c, (double)k / PIECES);
        arc[k] = arc[k - 1] + norm(sub(p, last));
        last = p;
    }
    return arc[PIECES * c->n];
}

double olayer_longest(const struct mesh *m, const struct zone *coarse, const struct vec2 *beyond)
{
    double longest = 0, arc[PIECES * MAX_ROWS + 1];
    for (int i = 0; i < coarse->ni - 1; i++) {
        const struct line c = line_new(m, coarse, beyond, i);
        longest = fmax(longest, measure(&c, arc));
    }
    return longest;
}

// Where the lines fan out, round the edges, a cell is wider than the one below it, and its volume grows by more than its
// height. The widths between the neighbouring lines, to the power m->widen, turn lengths into areas: arc[0 .. pieces]
// becomes the integral of the width over the length, with the unit of a length at the wall.
static void widen(const struct mesh *m, const struct line *low, const struct line *c,
                  const struct line *high, double *arc)
{
    const int pieces = PIECES * c->n;
    double area = 0, from = arc[0], first = 0;
    for (int k = 1; k <= pieces; k++) {
        const double u = (k - 0.5) / PIECES, step = arc[k] - from;
        const struct vec2 along = sub(point(c, (double)k / PIECES), point(c, (k - 1.0) / PIECES));
        const double wide =
            fabs(cross(along, sub(point(high, u), point(low, u)))) / fmax(norm(along), 1e-300);
        if (k == 1)
            first = wide;
        area += step * pow(fmax(wide / first, 1e-3), m->widen);
        from = arc[k];
        arc[k] = area;
    }
}

int olayer_fill(struct mesh *m, const struct zone *coarse, const struct vec2 *beyond)
{
    struct zone *z = &m->z[Z_O];
    const int ni = z->ni, n = m->n_normal, rows = coarse->nj - 1;
    double *t = malloc(((size_t)n + 1) * sizeof *t), arc[PIECES * MAX_ROWS + 1];
    if (!t)
        return EXIT_FAILED;
    for (int i = 0; i < ni - 1; i++) {
        const struct line c = line_new(m, coarse, beyond, i);
        measure(&c, arc);
        if (m->widen > 0) {
            const struct line low = line_new(m, coarse, beyond, i > 0 ? i - 1 : ni - 2),
                              high = line_new(m, coarse, beyond, i + 1);
            widen(m, &low, &c, &high, arc);
        }
        geometric_fractions(m->first ? m->first[i] : m->wall_spacing, arc[PIECES * rows], n, t);
        z->x[i] = c.x[0];
        place_nodes(&c, n, t, arc, z->x + i, ni);
        z->x[n * ni + i] = c.x[rows];
    }
    for (int j = 0; j <= n; j++)
        z->x[j * ni + ni - 1] = z->x[j * ni];
    free(t);
    return EXIT_DONE;
}

// Cut-off trailing edges: the ring of cells round the blade follows the base, and the two corners are nodes
// of it in every layer.
//
//          upper side    |  /
//      ------------------o-/--
//          blade     base|____        o: corners
//      ------------------o-_
//          lower side    |  _
#include "row.h"

#include <math.h>

bool edge_cut(const struct profile *p)
{
    return p->s_corner[1] > p->s_corner[0];
}

double edge_width(const struct profile *p)
{
    return edge_cut(p)
               ? norm(sub(curve_point(&p->c, p->s_corner[1]), curve_point(&p->c, p->s_corner[0])))
               : 0;
}

// Places and values of sigma between which both run evenly.
enum { KNOTS = 5 };
static int knots(const struct profile *p, double s[KNOTS], double sigma[KNOTS])
{
    int n = 0;
    const bool cut = edge_cut(p);
    s[n] = 0, sigma[n++] = 0;
    if (cut)
        s[n] = p->s_corner[0], sigma[n++] = 1 - BASE_SIGMA;
    s[n] = p->s_te, sigma[n++] = 1;
    if (cut)
        s[n] = p->s_corner[1], sigma[n++] = 1 + BASE_SIGMA;
    s[n] = p->c.length, sigma[n++] = 2;
    return n;
}

static double between(const double *x, const double *y, int n, double at)
{
    int k = 0;
    while (k < n - 2 && x[k + 1] < at)
        k++;
    return y[k] + (at - x[k]) / (x[k + 1] - x[k]) * (y[k + 1] - y[k]);
}

double edge_sigma(const struct profile *p, double s)
{
    const double l = p->c.length, turns = floor(s / l), a = s - l * turns;
    double at[KNOTS], sigma[KNOTS];
    if (edge_cut(p))
        return 2 * turns + between(at, sigma, knots(p, at, sigma), a);
    return 2 * turns + (a <= p->s_te ? a / p->s_te : 1 + (a - p->s_te) / (l - p->s_te));
}

double edge_place(const struct profile *p, double sigma)
{
    const double turns = floor(sigma / 2), f = sigma - 2 * turns, l = p->c.length;
    double at[KNOTS], of[KNOTS];
    if (edge_cut(p)) {
        const int n = knots(p, at, of);
        return turns * l + between(of, at, n, f);
    }
    return turns * l + (f <= 1 ? f * p->s_te : p->s_te + (f - 1) * (l - p->s_te));
}

int edge_cells(const struct row *r, int b, double wish, const struct counts *n)
{
    if (!r->blade[b].cut)
        return 0;
    // in the gap the corners of the core face those of the edge
    return counts_in_gaps(n) ? n->core / 2 : (int)fmax(4, floor(wish + 0.5));
}

double edge_wish(const struct pieces *w, const struct profile *p)
{
    return edge_cut(p) ? fmax(0.5 * M_PI / w->turn, 0.5 * edge_width(p) / w->h0) : 0;
}

void edge_normals(struct mesh *m, const struct counts *n)
{
    enum { REACH = 8, PASSES = 6 };
    const int te = n->lead_down + n->lead_up + n->pass + n->trail_up;
    const int lo = te - n->base - REACH, hi = te + n->base + REACH;
    if (n->base == 0 || lo < 1 || hi > m->n_around - 1)
        return;
    for (int side = -1; side <= 1; side += 2) {
        const int c = te + side * n->base;
        const struct vec2 sum = add(m->normal[c - 1], m->normal[c + 1]);
        // the height counts above the sides
        m->first[c] *= norm(sum) > 0 ? 2 / norm(sum) : 1;
        m->normal[c] = scale(1 / norm(sum), sum);
    }
    for (int pass = 0; pass < PASSES; pass++) {
        struct vec2 before = m->normal[lo - 1];
        for (int i = lo; i <= hi; i++) {
            const struct vec2 here = m->normal[i],
                              sum = axpy(0.5, here, scale(0.25, add(before, m->normal[i + 1])));
            before = here;
            m->normal[i] = scale(1 / norm(sum), sum);
        }
    }
}

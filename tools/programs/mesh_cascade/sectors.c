// Several blades in a pitch: main blade and splitters.
//
//     y |   ______________________________________________   upper line = lower one + pitch
//       |  |        |____________O of splitter____|       |
//       |  | sector 1: its inlet block lies in the main   |
//       |  |____________________blades' passage___________|
//       |  |    |____________O of main blade______|       |
//       |  | sector 0                                     |
//       |  |______________________________________________|
//       +----> x
//
// Every blade has a sector: an O and four H zones as a single blade has (mesh.h). Sectors lie side by
// side; all have the same number of cells from inlet to outlet, so that their common lines match one to
// one. Ahead of a splitter its inlet block fills the passage between the main blades.
//
// The first mesh is made from two lines of points for each blade, its lower and its upper side: the outer
// edge of its O, and ahead of the O and behind it lines to the end planes. The main blade's are straight;
// those of a splitter keep their share of the way between two main blades.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh.h"

struct side {       // of a blade, from inlet to outlet
    struct vec2 *x; // [cells + 1] (owned)
    double *size;   // [cells] wanted relative lengths of the cells (owned by x's neighbour)
};

struct sectors {
    struct mesh *m; // [n]
    int n, cells;   // from inlet to outlet
    int across[2];  // cells of a pitch on the inlet plane, on the outlet plane
    struct side side[MAX_SECTORS][2];
};

static int cells_of(const struct mesh *m)
{
    return m->n_in + m->n_pass + m->n_out;
}

static int zone_at(const struct mesh *m, int l, int pass, int *i)
{
    if (l < m->n_in) {
        *i = l;
        return Z_INLET;
    }
    *i = l - m->n_in;
    if (*i < m->n_pass)
        return pass;
    *i -= m->n_pass;
    return Z_OUTLET;
}

// Interfaces along the line between the upper side of sector a and the lower side of sector b.
static void join_line(struct mesh *all, const struct mesh *m, int a, int b, int shift)
{
    const struct mesh *up = &m[a], *low = &m[b];
    const int end[5] = {up->n_in, up->n_in + up->n_pass, low->n_in, low->n_in + low->n_pass,
                        cells_of(up)};
    for (int from = 0, to; from < end[4]; from = to) {
        int i, k;
        to = end[4];
        for (int e = 0; e < 4; e++)
            to = end[e] > from && end[e] < to ? end[e] : to;
        const int zu = zone_at(up, from, Z_UP, &i), zl = zone_at(low, from, Z_DOWN, &k);
        const int top = up->z[zu].nj - 1;
        all->link[all->nlink++] = (struct link){b * SECTOR_ZONES + zl,
                                                a * SECTOR_ZONES + zu,
                                                {k, 0},
                                                {k + to - from, 0},
                                                {i, top},
                                                {i + to - from, top},
                                                shift};
    }
}

void sectors_join(struct mesh *all, const struct mesh *m, int n)
{
    *all = *m;
    if (n == 1)
        return;
    all->nz = all->nlink = all->npatch = 0;
    for (int b = 0; b < n; b++) {
        for (int z = 0; z < SECTOR_ZONES; z++)
            all->z[all->nz++] = m[b].z[z];
        for (int l = 0; l < m[b].nlink; l++) {
            struct link c = m[b].link[l];
            if (c.shift) // of a blade that is alone
                continue;
            c.za += b * SECTOR_ZONES;
            c.zb += b * SECTOR_ZONES;
            all->link[all->nlink++] = c;
        }
        for (int l = 0; l < m[b].npatch; l++) {
            struct patch c = m[b].patch[l];
            c.z += b * SECTOR_ZONES;
            all->patch[all->npatch++] = c;
        }
    }
    for (int b = 0; b < n; b++)
        join_line(all, m, b, (b + 1) % n, b == n - 1);
}

// Cells of the pitch below the lower (0) or upper (1) side of blade b, on the inlet (0) or outlet plane.
static int cells_below(const struct sectors *s, int b, int upper, int plane)
{
    int below = 0;
    for (int k = 0; k < b; k++)
        below += s->m[k].z[plane ? Z_OUTLET : Z_INLET].nj - 1;
    return below + s->m[b].m_down + (upper ? plane ? s->m[b].n_rear : s->m[b].n_front : 0);
}

// Along the O's outer edge.
static void ring_side(struct sectors *s, int b, int upper)
{
    struct mesh *m = &s->m[b];
    struct side *q = &s->side[b][upper];
    const int nf = m->n_front, no = m->n_around, nn = m->n_normal;
    const double *li = m->z[Z_O].li + nn * no;
    for (int i = 0; i <= m->n_pass; i++) {
        q->x[m->n_in + i] = *blocks_node(m, Z_O, upper ? nf + i : no - i, nn);
        if (i < m->n_pass)
            q->size[m->n_in + i] = li[upper ? nf + i : no - 1 - i];
    }
}

// Straight lines from the main blade's ring to an end plane.
static int main_end(struct sectors *s, int plane, double x_far, double slope)
{
    struct mesh *m = s->m;
    const int n = plane ? m->n_out : m->n_in, near = m->n_in + (plane ? m->n_pass : 0);
    const double step = m->pitch / s->across[plane];
    double y0 = 0, length = 0, *t = malloc(((size_t)n + 1) * sizeof *t);
    if (!t)
        return EXIT_FAILED;
    for (int k = 0; k < 2; k++) {
        const struct vec2 e = s->side[0][k].x[near];
        y0 += 0.5 * (e.y - step * cells_below(s, 0, k, plane) + slope * (x_far - e.x));
        length += 0.5 * fabs(x_far - e.x);
    }
    const int last = plane ? near - 1 : near;
    const double h = 0.5 * (s->side[0][0].size[last] + s->side[0][1].size[last]);
    geometric_fractions(fmin(h, length / n), length, n, t);
    for (int k = 0; k < 2; k++) {
        struct side *q = &s->side[0][k];
        const struct vec2 e = q->x[near], f = {x_far, y0 + step * cells_below(s, 0, k, plane)};
        for (int i = 1; i <= n; i++) {
            q->x[plane ? near + i : near - i] = axpy(t[i], sub(f, e), e);
            q->size[plane ? near + i - 1 : near - i] = length * (t[i] - t[i - 1]);
        }
    }
    free(t);
    return EXIT_DONE;
}

// Place on the way across the passage between the main blades.
static struct vec2 across(const struct sectors *s, int l, double f)
{
    const struct vec2 a = s->side[0][1].x[l],
                      b = add(s->side[0][0].x[l], (struct vec2){0, s->m->pitch});
    return axpy(f, sub(b, a), a);
}

// The lines across the passage between the main blades are far apart where a splitter begins. The wanted sizes of
// the n cells from the ring of splitter b on, ahead of it or behind it, begin with the height of the ring's last
// cell, and grow by one factor to what they are, in three cells.
static void grade(const struct sectors *s, int b, int plane, double *size, int n)
{
    const struct mesh *m = &s->m[b];
    const int near = m->n_in + (plane ? m->n_pass : 0),
              nose = plane ? m->n_front + m->n_pass + m->n_rear / 2 : m->n_front / 2;
    const double r = geometric_ratio(m->wall_spacing, m->thick[nose], m->n_final),
                 last = m->wall_spacing * pow(r, m->n_final - 1),
                 factor = fmax(1, cbrt(size[plane ? near : near - 1] / last));
    for (int i = 0; i < n; i++) {
        double *q = &size[plane ? near + i : near - 1 - i];
        *q = fmin(*q, last * pow(factor, i + 1));
    }
}

// The lines of splitter b ahead of it or behind it: from the share of its ring's corner to the share of
// its cells on the end plane.
static void splitter_end(struct sectors *s, int b, int upper, int plane)
{
    struct mesh *m = &s->m[b];
    struct side *q = &s->side[b][upper];
    const int n = plane ? m->n_out : m->n_in, near = m->n_in + (plane ? m->n_pass : 0);
    const struct vec2 zero = across(s, near, 0), way = sub(across(s, near, 1), zero);
    const double f0 = dot(sub(q->x[near], zero), way) / dot(way, way);
    const int first = cells_below(s, 0, 1, plane);
    const double f1 = (double)(cells_below(s, b, upper, plane) - first) /
                      (s->across[plane] - (plane ? s->m->n_rear : s->m->n_front));
    const struct vec2 off = sub(q->x[near], across(s, near, f0));
    for (int i = 1; i <= n; i++) {
        const int l = plane ? near + i : near - i, c = plane ? l - 1 : l;
        const double part = 1 - (double)i / n;
        q->x[l] = axpy(pow(part, 4), off, across(s, l, f1 + part * (f0 - f1)));
        q->size[c] = 0.5 * (s->side[0][0].size[c] + s->side[0][1].size[c]);
    }
    grade(s, b, plane, q->size, n);
}

// Nodes between the upper side of a blade and the lower side of the next one, j of n cells up.
static struct vec2 between(const struct sectors *s, int b, int l, double part)
{
    const int next = (b + 1) % s->n;
    const struct vec2 a = s->side[b][1].x[l], up = {0, next ? 0 : s->m->pitch},
                      c = add(s->side[next][0].x[l], up);
    return axpy(part, sub(c, a), a);
}

static double size_between(const struct sectors *s, int b, int l, double part)
{
    const double a = s->side[b][1].size[l], c = s->side[(b + 1) % s->n][0].size[l];
    return a + part * (c - a);
}

// Line j above the lower line of sector b at l, beyond the blade's own lines: which gap between two blades
// it lies in and where.
static int gap_of(const struct sectors *s, int b, bool upper, int j, double *part)
{
    const int a = upper ? b : (b + s->n - 1) % s->n, c = (a + 1) % s->n;
    const int up = s->m[a].m_up, all = up + s->m[c].m_down;
    *part = (double)(upper ? j : up + j) / all;
    return a;
}

static void fill_passages(struct sectors *s, int b)
{
    struct mesh *m = &s->m[b];
    for (int upper = 0; upper < 2; upper++) {
        const int k = upper ? Z_UP : Z_DOWN, np = m->n_pass;
        struct zone *z = &m->z[k];
        for (int j = 0; j < z->nj; j++) {
            double part;
            const int a = gap_of(s, b, upper, j, &part);
            const struct vec2 down = {0, !upper && b == 0 ? -m->pitch : 0};
            for (int i = 0; i <= np; i++)
                z->x[j * z->ni + i] = add(between(s, a, m->n_in + i, part), down);
            for (int i = 0; i < np; i++)
                z->li[j * np + i] = size_between(s, a, m->n_in + i, part);
        }
    }
    blocks_lines(m);
}

// Node j of the front or rear face of blade b's ring, from its lower corner up.
static struct vec2 edge_node(struct mesh *m, int plane, int j)
{
    const int nf = m->n_front, np = m->n_pass, nr = m->n_rear;
    return *blocks_node(m, Z_O, plane ? nf + np + nr - j : j, m->n_normal);
}

// Inlet or outlet block. The round of the ring's face fades out over as many cells as the face has.
static int fill_end(struct sectors *s, int b, int plane)
{
    struct mesh *m = &s->m[b];
    struct zone *z = &m->z[plane ? Z_OUTLET : Z_INLET];
    const int n = z->ni - 1, md = m->m_down, face = plane ? m->n_rear : m->n_front,
              near = m->n_in + (plane ? m->n_pass : 0);
    const int reach = face < n ? face : n;
    for (int d = 0; d <= n; d++) { // cells from the blade
        const int l = plane ? near + d : near - d, i = plane ? d : n - d, c = plane ? l : l - 1;
        const double fade = d < reach ? 1 - (double)d / reach : 0;
        const struct vec2 low = s->side[b][0].x[l], high = s->side[b][1].x[l],
                          low0 = s->side[b][0].x[near], high0 = s->side[b][1].x[near];
        for (int j = 0; j < z->nj; j++) {
            struct vec2 *x = &z->x[j * z->ni + i];
            double size;
            if (j >= md && j <= md + face) {
                const double part = (double)(j - md) / face;
                const struct vec2 flat = axpy(part, sub(high0, low0), low0);
                const struct vec2 off = sub(edge_node(m, plane, j - md), flat);
                *x = axpy(fade * fade, off, axpy(part, sub(high, low), low));
                size = d < n ? 0.5 * (s->side[b][0].size[c] + s->side[b][1].size[c]) : 0;
            } else {
                const bool upper = j > md;
                double part;
                const int a = gap_of(s, b, upper, upper ? j - md - face : j, &part);
                *x = between(s, a, l, part);
                x->y -= !upper && b == 0 ? m->pitch : 0;
                size = d < n ? size_between(s, a, c, part) : 0;
            }
            if (d < n)
                z->li[j * n + (plane ? i : i - 1)] = size;
        }
    }
    double *a = malloc((size_t)z->nj * sizeof *a);
    if (!a)
        return EXIT_FAILED;
    const int column = plane ? 0 : n;
    for (int j = 0; j < z->nj - 1; j++)
        a[j] = norm(sub(z->x[(j + 1) * z->ni + column], z->x[j * z->ni + column]));
    smooth_periodic(a, z->nj - 1, (int)(m->fan * m->n_around * m->n_around));
    for (int d = 0; d <= n; d++) {
        const int l = plane ? near + d : near - d, i = plane ? d : n - d;
        const struct vec2 from = s->side[0][1].x[l],
                          to = add(s->side[0][0].x[l], (struct vec2){0, m->pitch});
        const bool free = plane ? l >= s->m->n_in + s->m->n_pass : l <= s->m->n_in;
        const double even = free ? m->pitch / s->across[plane]
                                 : norm(sub(to, from)) /
                                       (s->across[plane] - (plane ? s->m->n_rear : s->m->n_front));
        for (int j = 0; j < z->nj - 1; j++)
            z->lj[j * (n + 1) + i] = a[j] + (even - a[j]) * fmin(1, 3.0 * d / n);
    }
    free(a);
    return EXIT_DONE;
}

static int sides_new(struct sectors *s)
{
    const size_t n = (size_t)s->cells + 1;
    for (int b = 0; b < s->n; b++)
        for (int k = 0; k < 2; k++) {
            s->side[b][k].x = malloc(n * sizeof *s->side[b][k].x);
            s->side[b][k].size = malloc(n * sizeof *s->side[b][k].size);
            if (!s->side[b][k].x || !s->side[b][k].size)
                return EXIT_FAILED;
        }
    return EXIT_DONE;
}

static int fill(struct sectors *s, const struct profile *p, const struct options *o)
{
    int rc = sides_new(s);
    for (int b = 0; b < s->n && !rc; b++)
        for (int k = 0; k < 2; k++)
            ring_side(s, b, k);
    rc = rc ? rc : main_end(s, 0, p->le.x - o->inlet_length, s->m->shear_in);
    rc = rc ? rc : main_end(s, 1, p->te.x + o->outlet_length, s->m->shear_out);
    for (int b = 1; b < s->n && !rc; b++)
        for (int k = 0; k < 4; k++)
            splitter_end(s, b, k % 2, k / 2);
    for (int b = 0; b < s->n && !rc; b++) {
        fill_passages(s, b);
        rc = fill_end(s, b, 0);
        rc = rc ? rc : fill_end(s, b, 1);
    }
    for (int b = 0; b < s->n; b++)
        for (int k = 0; k < 2; k++) {
            free(s->side[b][k].x);
            free(s->side[b][k].size);
        }
    return rc;
}

int sectors_build(struct mesh *m, int n, const struct profile *p, const struct options *o)
{
    if (n == 1)
        return blocks_build(m, p, o);
    struct sectors s = {.m = m, .n = n, .cells = cells_of(m)};
    int rc = EXIT_DONE;
    for (int b = 0; b < n && !rc; b++) {
        rc = blocks_zones(&m[b], &p[b]);
        m[b].shear_in = o->inlet_shear * tan(o->inlet_angle);
        m[b].shear_out = o->outlet_shear * tan(o->outlet_angle);
    }
    for (int b = 0; b < n && !rc; b++) {
        blocks_ring(&m[b], m, n, &p[b], o->growth, 1 << o->levels);
        s.across[0] += m[b].z[Z_INLET].nj - 1;
        s.across[1] += m[b].z[Z_OUTLET].nj - 1;
    }
    return rc ? rc : fill(&s, p, o);
}

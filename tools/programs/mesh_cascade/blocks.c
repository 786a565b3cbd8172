// Zones, interfaces, boundary patches and the first algebraic mesh.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh.h"

enum {
    SKELETON = 8,
    MAX_NORMAL = 2000
}; // rows of the O zone while the mesh is smoothed; largest final count

static int round_to(double v, int unit)
{
    const int k = (int)floor(v / unit + 0.5);
    return unit * (k < 1 ? 1 : k);
}

int zone_new(struct zone *z, const char *name, int ni, int nj)
{
    snprintf(z->name, sizeof z->name, "%s", name);
    z->ni = ni;
    z->nj = nj;
    z->weight = 1;
    z->x = calloc((size_t)ni * (size_t)nj, sizeof *z->x);
    z->li = calloc((size_t)(ni - 1) * (size_t)nj, sizeof *z->li);
    z->lj = calloc((size_t)ni * (size_t)(nj - 1), sizeof *z->lj);
    return z->x && z->li && z->lj ? EXIT_DONE : EXIT_FAILED;
}

void blocks_free(struct mesh *m)
{
    for (int k = 0; k < m->nz; k++) {
        free(m->z[k].x);
        free(m->z[k].li);
        free(m->z[k].lj);
    }
    free(m->s);
    free(m->normal);
    free(m->thick);
    free(m->first);
    *m = (struct mesh){0};
}

static void join(struct mesh *m, int za, int ai0, int aj0, int ai1, int aj1, int zb, int bi0,
                 int bj0, int bi1, int bj1, int shift)
{
    m->link[m->nlink++] =
        (struct link){za, zb, {ai0, aj0}, {ai1, aj1}, {bi0, bj0}, {bi1, bj1}, shift};
}

static void patch(struct mesh *m, const char *family, int z, int face)
{
    m->patch[m->npatch++] = (struct patch){family, z, face, 0, 0};
}

void blocks_connect(struct mesh *m)
{
    m->nlink = m->npatch = 0;
    const int nf = m->n_front, np = m->n_pass, nr = m->n_rear, no = m->n_around, nn = m->n_normal;
    const int md = m->m_down, mu = m->m_up, ni = m->n_in, nx = m->n_out;
    // O cut, on the lower front corner's line
    join(m, Z_O, 0, 0, 0, nn, Z_O, no, 0, no, nn, 0);
    // inlet: lower passage, ring's front, upper passage
    join(m, Z_INLET, ni, 0, ni, md, Z_DOWN, 0, 0, 0, md, 0);
    join(m, Z_INLET, ni, md, ni, md + nf, Z_O, 0, nn, nf, nn, 0);
    join(m, Z_INLET, ni, md + nf, ni, md + nf + mu, Z_UP, 0, 0, 0, mu, 0);
    // passages on the ring
    join(m, Z_UP, 0, 0, np, 0, Z_O, nf, nn, nf + np, nn, 0);
    join(m, Z_DOWN, 0, md, np, md, Z_O, no, nn, no - np, nn, 0);
    // outlet: lower passage, ring's rear, upper passage
    join(m, Z_OUTLET, 0, 0, 0, md, Z_DOWN, np, 0, np, md, 0);
    join(m, Z_OUTLET, 0, md, 0, md + nr, Z_O, nf + np + nr, nn, nf + np, nn, 0);
    join(m, Z_OUTLET, 0, md + nr, 0, md + nr + mu, Z_UP, np, 0, np, mu, 0);
    // periodic lines
    join(m, Z_DOWN, 0, 0, np, 0, Z_UP, 0, mu, np, mu, 1);
    join(m, Z_INLET, 0, 0, ni, 0, Z_INLET, 0, md + nf + mu, ni, md + nf + mu, 1);
    join(m, Z_OUTLET, 0, 0, nx, 0, Z_OUTLET, 0, md + nr + mu, nx, md + nr + mu, 1);
    patch(m, "blade", Z_O, FACE_JMIN);
    patch(m, "inlet", Z_INLET, FACE_IMIN);
    patch(m, "outlet", Z_OUTLET, FACE_IMAX);
}

// Diffuses the periodic sequence v[n].
void smooth_periodic(double *v, int n, int passes)
{
    for (int pass = 0; pass < passes; pass++) {
        double before = v[n - 1];
        const double first = v[0];
        for (int i = 0; i < n; i++) {
            const double here = v[i], next = i == n - 1 ? first : v[i + 1];
            v[i] = 0.25 * before + 0.5 * here + 0.25 * next;
            before = here;
        }
    }
}

// Thickness of the O at which its last cell is as high as one of the m cells that share the rest of
// the half-width w.
static double balanced_thickness(double wall, int n, double w, int m)
{
    double lo = fmin(wall * n, 0.3 * w), hi = 0.8 * w;
    for (int it = 0; it < 50; it++) {
        const double t = 0.5 * (lo + hi), r = geometric_ratio(wall, t, n);
        *(wall * pow(r, n - 1) < (w - t) / m ? &lo : &hi) = t;
    }
    return 0.5 * (lo + hi);
}

// Distance from wall node i to the nearest wall of the n blades `all`, its own moved by a pitch, but half
// a pitch at most.
static double clearance(const struct mesh *m, int i, const struct mesh *all, int n)
{
    const struct vec2 at = m->z[Z_O].x[i];
    double gap = 0.5 * m->pitch;
    for (const struct mesh *q = all; q < all + n; q++)
        for (int k = 0; k < q->n_around; k++)
            for (int side = -1; side <= 1; side++) {
                const struct vec2 x = q->z[Z_O].x[k], other = {x.x, x.y + side * m->pitch};
                if (q != m || side)
                    gap = fmin(gap, norm(sub(other, at)));
            }
    return gap;
}

// A first ring along the normals, between the walls of the n blades `all`. m->n_final counts the final
// rows: it is raised until the growth is right.
void blocks_ring(struct mesh *m, const struct mesh *all, int n_all, const struct profile *p,
                 double growth, int unit)
{
    struct zone *z = &m->z[Z_O];
    const int n = m->n_around;
    double *t = m->thick, worst;
    double *gap = z->lj; // its first row is scratch until it is set below
    for (int i = 0; i < n; i++)
        gap[i] = clearance(m, i, all, n_all);
    do {
        worst = 0;
        for (int i = 0; i < n; i++) {
            t[i] = fmin(0.1 * p->chord,
                        balanced_thickness(m->wall_spacing, m->n_final, 0.5 * gap[i], m->m_up));
            worst = fmax(worst, geometric_ratio(m->wall_spacing, t[i], m->n_final));
        }
    } while (worst > growth && (m->n_final += unit) < MAX_NORMAL);
    smooth_periodic(t, n, n);
    for (int j = 1; j < z->nj; j++)
        for (int i = 0; i <= n; i++) {
            z->x[j * z->ni + i] = axpy(t[i % n] * j / m->n_normal, m->normal[i % n], z->x[i]);
            z->lj[(j - 1) * z->ni + i] = t[i % n] / m->n_normal;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < z->nj; j++)
            z->li[j * n + i] = norm(sub(z->x[j * z->ni + i + 1], z->x[j * z->ni + i]));
    // the fan round a small edge must not end abruptly
    for (int j = 1; j < z->nj; j++)
        smooth_periodic(z->li + j * n, n, (int)(m->fan * n * n * j / (z->nj - 1)));
}

static struct vec2 *node(struct mesh *m, int z, int i, int j)
{
    return &m->z[z].x[j * m->z[z].ni + i];
}

struct vec2 *blocks_node(struct mesh *m, int z, int i, int j)
{
    return node(m, z, i, j);
}

void blocks_lines(struct mesh *m)
{
    const int np = m->n_pass;
    for (int k = Z_UP; k <= Z_DOWN; k++)
        for (int j = 0; j < m->z[k].nj - 1; j++)
            for (int i = 0; i <= np; i++)
                m->z[k].lj[j * (np + 1) + i] = norm(sub(*node(m, k, i, j + 1), *node(m, k, i, j)));
}

// Straight lines from the ring to the neighbouring blade's ring, halved at the periodic line.
static void fill_passages(struct mesh *m)
{
    const int mu = m->m_up, md = m->m_down, np = m->n_pass, nn = m->n_normal, nf = m->n_front,
              no = m->n_around;
    const struct zone *o = &m->z[Z_O];
    const struct vec2 up = {0, m->pitch};
    for (int i = 0; i <= np; i++) {
        const struct vec2 a = *node(m, Z_O, nf + i, nn), b = add(*node(m, Z_O, no - i, nn), up);
        for (int j = 0; j <= mu; j++)
            *node(m, Z_UP, i, j) = axpy((double)j / (mu + md), sub(b, a), a);
        for (int j = 0; j <= md; j++)
            *node(m, Z_DOWN, i, j) = sub(axpy((double)(mu + j) / (mu + md), sub(b, a), a), up);
    }
    for (int i = 0; i < np; i++) {
        const double la = o->li[nn * no + nf + i], lb = o->li[nn * no + no - 1 - i];
        for (int j = 0; j <= mu; j++)
            m->z[Z_UP].li[j * np + i] = la + (lb - la) * j / (mu + md);
        for (int j = 0; j <= md; j++)
            m->z[Z_DOWN].li[j * np + i] = la + (lb - la) * (mu + j) / (mu + md);
    }
    blocks_lines(m);
}

// Inlet (dir -1) or outlet (dir +1): lines from the edge next to the blade, column near, to the
// plane x = x_far.
static void fill_outer(struct mesh *m, int k, int dir, double x_far, double slope)
{
    struct zone *z = &m->z[k];
    const int n = z->ni - 1, nj = z->nj, md = m->m_down, nr = nj - 1 - md - m->m_up;
    const int near = dir < 0 ? n : 0, np = m->n_pass, nn = m->n_normal;
    for (int j = 0; j < nj; j++) {
        struct vec2 *e = node(m, k, near, j);
        if (j < md)
            *e = *node(m, Z_DOWN, dir < 0 ? 0 : np, j);
        else if (j <= md + nr)
            *e = *node(m, Z_O, dir < 0 ? j - md : m->n_front + np + nr - (j - md), nn);
        else
            *e = *node(m, Z_UP, dir < 0 ? 0 : np, j - md - nr);
    }
    double y0 = 0, length = 0;
    for (int j = 0; j < nj - 1; j++) {
        const struct vec2 e = *node(m, k, near, j);
        y0 += (e.y - m->pitch * j / (nj - 1) + slope * (x_far - e.x)) / (nj - 1);
        length += fabs(x_far - e.x) / (nj - 1);
    }
    double *t = malloc(((size_t)n + 1) * sizeof *t);
    if (!t)
        abort();
    // first step off the ring: the mean step along the passages' ends
    const int end = dir < 0 ? 0 : np - 1;
    const double h = 0.5 * (m->z[Z_UP].li[end] + m->z[Z_DOWN].li[m->m_down * np + end]);
    geometric_fractions(fmin(h, length / n), length, n, t);
    for (int j = 0; j < nj; j++) {
        const struct vec2 e = *node(m, k, near, j), f = {x_far, y0 + m->pitch * j / (nj - 1)};
        for (int i = 0; i <= n; i++)
            *node(m, k, dir < 0 ? n - i : i, j) = axpy(t[i], sub(f, e), e);
        for (int i = 0; i < n; i++)
            z->li[j * n + (dir < 0 ? n - 1 - i : i)] = length * (t[i + 1] - t[i]);
    }
    double *a = malloc((size_t)nj * sizeof *a);
    if (!a)
        abort();
    for (int j = 0; j < nj - 1; j++)
        a[j] = norm(sub(*node(m, k, near, j + 1), *node(m, k, near, j)));
    smooth_periodic(a, nj - 1, (int)(m->fan * m->n_around * m->n_around));
    for (int j = 0; j < nj - 1; j++)
        for (int i = 0; i <= n; i++)
            z->lj[j * (n + 1) + i] =
                a[j] + (m->pitch / (nj - 1) - a[j]) * fmin(1, 3.0 * abs(i - near) / n);
    free(a);
    free(t);
}

int blocks_zones(struct mesh *m, const struct profile *p)
{
    const int mp = m->m_down + m->m_up;
    int rc = EXIT_DONE;
    m->nz = SECTOR_ZONES;
    m->n_normal = SKELETON;
    rc = rc ? rc : zone_new(&m->z[Z_O], "blade_o", m->n_around + 1, m->n_normal + 1);
    rc = rc ? rc : zone_new(&m->z[Z_INLET], "inlet_h", m->n_in + 1, mp + m->n_front + 1);
    rc = rc ? rc : zone_new(&m->z[Z_UP], "passage_up", m->n_pass + 1, m->m_up + 1);
    rc = rc ? rc : zone_new(&m->z[Z_DOWN], "passage_down", m->n_pass + 1, m->m_down + 1);
    rc = rc ? rc : zone_new(&m->z[Z_OUTLET], "outlet_h", m->n_out + 1, mp + m->n_rear + 1);
    if (rc)
        return rc;
    m->z[Z_O].weight = 2;
    blocks_connect(m);
    for (int i = 0; p && i <= m->n_around; i++)
        m->z[Z_O].x[i] = curve_point(&p->c, m->s[i % m->n_around]);
    return EXIT_DONE;
}

int blocks_build(struct mesh *m, const struct profile *p, const struct options *o)
{
    const int rc = blocks_zones(m, p);
    if (rc)
        return rc;
    blocks_ring(m, m, 1, p, o->growth, 1 << o->levels);
    fill_passages(m);
    m->shear_in = o->inlet_shear * tan(o->inlet_angle);
    m->shear_out = o->outlet_shear * tan(o->outlet_angle);
    fill_outer(m, Z_INLET, -1, p->le.x - o->inlet_length, m->shear_in);
    fill_outer(m, Z_OUTLET, 1, p->te.x + o->outlet_length, m->shear_out);
    return EXIT_DONE;
}

int blocks_new(struct mesh *m, const struct profile *p, const struct options *o)
{
    const int unit = 1 << o->levels;
    *m = (struct mesh){.pitch = o->pitch, .wall_spacing = o->wall_spacing, .fan = 5e-4};
    m->n_final = round_to(o->normal * o->size, unit);
    m->m_up = m->m_down = round_to(0.5 * o->pitchwise * o->size, unit);
    m->n_in = round_to(o->inlet * o->size, unit);
    m->n_out = round_to(o->outlet * o->size, unit);
    if (o->counts.pass > 0) {
        m->n_final = o->counts.normal;
        m->m_up = m->m_down = o->counts.half;
        m->n_in = o->counts.in;
        m->n_out = o->counts.out;
    }
    int rc = distribute_wall(m, p, o);
    rc = rc ? rc : blocks_build(m, p, o);
    if (rc) {
        fprintf(stderr, "error: out of memory\n");
        blocks_free(m);
    }
    return rc;
}

// The node that follows ring node i outside the O: the mean over the two zones at a corner.
static struct vec2 beyond(struct mesh *m, int i)
{
    const int nf = m->n_front, np = m->n_pass, nr = m->n_rear, md = m->m_down, no = m->n_around;
    struct vec2 sum = {0, 0};
    int n = 0;
    for (int k = 0; k < 4; k++) {
        struct vec2 e;
        if (k == 0 && i % no <= nf)
            e = *node(m, Z_INLET, m->n_in - 1, md + i % no);
        else if (k == 1 && i >= nf && i <= nf + np)
            e = *node(m, Z_UP, i - nf, 1);
        else if (k == 2 && i >= nf + np && i <= nf + np + nr)
            e = *node(m, Z_OUTLET, 1, md + nf + np + nr - i);
        else if (k == 3 && (i >= nf + np + nr || i == 0))
            e = *node(m, Z_DOWN, (no - i) % no, md - 1);
        else
            continue;
        sum = add(sum, e);
        n++;
    }
    return scale(1.0 / n, sum);
}

// Changes the wanted thickness of the O so that its last cell becomes as high as the first one
// outside.
void blocks_rebalance(struct mesh *m)
{
    struct zone *z = &m->z[Z_O];
    const int n = m->n_around, nn = m->n_normal, nf = m->n_final;
    double *t = m->thick;
    for (int i = 0; i < n; i++) {
        const struct vec2 q = *node(m, Z_O, i, nn);
        const double out = norm(sub(beyond(m, i), q));
        double have = 0;
        for (int j = 0; j < nn; j++)
            have += norm(sub(*node(m, Z_O, i, j + 1), *node(m, Z_O, i, j)));
        // the last cell and the first one outside share what both have now
        double lo = 0.5 * have, hi = 1.6 * have;
        for (int it = 0; it < 40; it++) {
            const double mid = 0.5 * (lo + hi), r = geometric_ratio(m->wall_spacing, mid, nf);
            *(m->wall_spacing * pow(r, nf - 1) < out - (mid - have) / 4 ? &lo : &hi) = mid;
        }
        t[i] *= 0.5 * (lo + hi) / have;
    }
    smooth_periodic(t, n, n / 8);
    for (int j = 0; j < nn; j++)
        for (int i = 0; i < z->ni; i++)
            z->lj[j * z->ni + i] = t[i % n] / nn;
}

// Replaces the O zone's smoothed rows by the final ones on the same radial lines; more of them
// where the growth asks.
int blocks_refine_o(struct mesh *m, double growth, int unit)
{
    struct zone coarse = m->z[Z_O], *fine = &m->z[Z_O];
    struct vec2 *next = malloc((size_t)coarse.ni * sizeof *next);
    int rc = EXIT_FAILED;
    if (next) {
        for (int i = 0; i < coarse.ni; i++)
            next[i] = beyond(m, i);
        while (geometric_ratio(m->wall_spacing, olayer_longest(m, &coarse, next), m->n_final) >
                   growth &&
               m->n_final < MAX_NORMAL)
            m->n_final += unit;
        rc = zone_new(fine, coarse.name, coarse.ni, m->n_final + 1);
    }
    if (!rc) {
        m->n_normal = m->n_final;
        blocks_connect(m);
        rc = olayer_fill(m, &coarse, next);
    }
    free(next);
    free(coarse.x);
    free(coarse.li);
    free(coarse.lj);
    return rc;
}

// Evens out the areas of neighbouring cells of a plane mesh, zones' borders included.
//
// The O of a smoothed mesh has few rows. Its last row counts as high as it will be when the O has its final rows.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh.h"

static const double GAIN = 0.7, // share of the excess that a pass takes
    MOST = 0.3;                 // largest change of a wanted length in a pass, as a logarithm
enum { DIFFUSE = 2, DIFFUSE_O = 6 };

struct cells { // of a zone
    int ni, nj;
    double *area;  // [nj, ni]
    double *by[2]; // [nj, ni] logarithms by which the wanted lengths along i and j change
};

static double area_of(const struct zone *z, int i, int j)
{
    const struct vec2 *o = &z->x[j * z->ni + i];
    return 0.5 * cross(sub(o[z->ni + 1], o[0]), sub(o[z->ni], o[1]));
}

static bool is_o(int zone)
{
    return zone % SECTOR_ZONES == Z_O;
}

// Area that the last one of the final rows will have in column i of the O.
static double last_area(const struct mesh *m, int i)
{
    const struct zone *z = &m->z[Z_O];
    const int n = z->nj - 1;
    double all = 0, thick = 0;
    for (int j = 0; j < n; j++) {
        all += area_of(z, i, j);
        thick += norm(sub(z->x[(j + 1) * z->ni + i], z->x[j * z->ni + i]));
    }
    const double first = m->first ? m->first[i] : m->wall_spacing,
                 wide = norm(sub(z->x[i + 1], z->x[i])),
                 row = norm(sub(z->x[n * z->ni + i], z->x[(n - 1) * z->ni + i]));
    double t[2]; // share of the length, of the area, that the last row takes
    for (int k = 0; k < 2; k++) {
        const double from = fmin(k ? first * wide / all : first / thick, 1.0 / m->n_final);
        const double q = geometric_ratio(from, 1, m->n_final);
        t[k] = q > 1.0001 ? (1 - 1 / q) / (1 - pow(q, -m->n_final)) : 1.0 / m->n_final;
    }
    const double by_length = area_of(z, i, n - 1) * t[0] * thick / row, by_area = all * t[1];
    return pow(by_length, 1 - m->widen) * pow(by_area, m->widen);
}

static void cells_free(struct cells *c, int n)
{
    for (int k = 0; k < n; k++)
        free(c[k].area);
}

// sectors: the meshes that `all` joins; NULL: `all` has its final rows.
static int cells_new(struct cells *c, const struct mesh *all, const struct mesh *sectors)
{
    for (int k = 0; k < all->nz; k++) {
        const struct zone *z = &all->z[k];
        const size_t n = (size_t)(z->ni - 1) * (size_t)(z->nj - 1);
        c[k] =
            (struct cells){.ni = z->ni - 1, .nj = z->nj - 1, .area = calloc(3 * n, sizeof(double))};
        if (!c[k].area)
            return EXIT_FAILED;
        c[k].by[0] = c[k].area + n;
        c[k].by[1] = c[k].area + 2 * n;
        for (int j = 0; j < c[k].nj; j++)
            for (int i = 0; i < c[k].ni; i++)
                c[k].area[j * c[k].ni + i] = sectors && is_o(k) && j == c[k].nj - 1
                                                 ? last_area(&sectors[k / SECTOR_ZONES], i)
                                                 : area_of(z, i, j);
    }
    return EXIT_DONE;
}

// Two cells with a common edge, and the direction in which they follow each other.
struct side {
    int zone, cell, along;
};

// Notes by how much the areas differ; takes a part of the excess over `limit` from the wanted lengths.
static void compare(struct cells *c, struct side a, struct side b, double limit, double *worst)
{
    const double d = log(c[a.zone].area[a.cell] / c[b.zone].area[b.cell]),
                 over = fabs(d) - log(limit);
    if (!(fabs(d) <= *worst))
        *worst = fabs(d);
    if (!(over > 0))
        return;
    const double by = 0.5 * GAIN * (d > 0 ? over : -over);
    c[a.zone].by[a.along][a.cell] -= by;
    c[b.zone].by[b.along][b.cell] += by;
}

static struct side beside(const struct cells *c, int zone, const int at[2], const int next[2])
{
    const int along = at[0] == next[0] ? 0 : 1; // the edge's own direction is the other one
    int cell[2];
    for (int d = 0; d < 2; d++) {
        const int n = d ? c[zone].nj : c[zone].ni;
        cell[d] = d == along ? (at[d] > 0 ? at[d] - 1 : 0) : at[d] < next[d] ? at[d] : next[d];
        cell[d] = cell[d] < n ? cell[d] : n - 1;
    }
    return (struct side){zone, cell[1] * c[zone].ni + cell[0], along};
}

static double compare_all(struct cells *c, const struct mesh *m, bool few, double limit)
{
    double worst = 0;
    for (int k = 0; k < m->nz; k++)
        for (int j = 0; j < c[k].nj; j++)
            for (int i = 0; i < c[k].ni; i++) {
                const int at = j * c[k].ni + i;
                if (few && is_o(k))
                    continue;
                if (i > 0)
                    compare(c, (struct side){k, at - 1, 0}, (struct side){k, at, 0}, limit, &worst);
                if (j > 0)
                    compare(c, (struct side){k, at - c[k].ni, 1}, (struct side){k, at, 1}, limit,
                            &worst);
            }
    for (int l = 0; l < m->nlink; l++) {
        const struct link *q = &m->link[l];
        const int len = abs(q->a1[0] - q->a0[0]) + abs(q->a1[1] - q->a0[1]);
        if (few && is_o(q->za) && is_o(q->zb))
            continue;
        for (int k = 0; k < len; k++) {
            int a[2][2], b[2][2];
            for (int e = 0; e < 2; e++)
                for (int d = 0; d < 2; d++) {
                    a[e][d] = q->a0[d] + (k + e) * (q->a1[d] - q->a0[d]) / len;
                    b[e][d] = q->b0[d] + (k + e) * (q->b1[d] - q->b0[d]) / len;
                }
            compare(c, beside(c, q->za, a[0], a[1]), beside(c, q->zb, b[0], b[1]), limit, &worst);
        }
    }
    return exp(worst);
}

// Lets the changes spread to the neighbours.
static void diffuse(double *v, int n, int stride, int passes, bool round)
{
    for (int pass = 0; pass < passes; pass++) {
        double before = v[round ? (n - 1) * stride : 0];
        const double first = v[0];
        for (int i = 0; i < n; i++) {
            const double here = v[i * stride], next = i < n - 1 ? v[(i + 1) * stride]
                                                      : round   ? first
                                                                : here;
            v[i * stride] = 0.25 * before + 0.5 * here + 0.25 * next;
            before = here;
        }
    }
}

static void spread(struct cells *c, bool o)
{
    if (o) { // the last row's change is that of the whole column
        double *last = &c->by[1][(c->nj - 1) * c->ni];
        diffuse(last, c->ni, 1, DIFFUSE_O, true);
        for (int j = 0; j < c->nj - 1; j++)
            memcpy(&c->by[1][j * c->ni], last, (size_t)c->ni * sizeof *last);
        memset(c->by[0], 0, (size_t)c->ni * (size_t)c->nj * sizeof *last);
        return;
    }
    for (int d = 0; d < 2; d++) {
        for (int j = 0; j < c->nj; j++)
            diffuse(&c->by[d][j * c->ni], c->ni, 1, DIFFUSE, false);
        for (int i = 0; i < c->ni; i++)
            diffuse(&c->by[d][i], c->nj, c->ni, DIFFUSE, false);
    }
}

static double limited(double v)
{
    return exp(fmax(-MOST, fmin(MOST, v)));
}

// An edge changes by the mean of the cells on its two sides.
static void change(struct zone *z, const struct cells *c)
{
    const int ni = c->ni, nj = c->nj;
    for (int j = 0; j <= nj; j++)
        for (int i = 0; i < ni; i++)
            z->li[j * ni + i] *= limited(0.5 * (c->by[0][(j > 0 ? j - 1 : 0) * ni + i] +
                                                c->by[0][(j < nj ? j : nj - 1) * ni + i]));
    for (int j = 0; j < nj; j++)
        for (int i = 0; i <= ni; i++)
            z->lj[j * (ni + 1) + i] *= limited(0.5 * (c->by[1][j * ni + (i > 0 ? i - 1 : 0)] +
                                                      c->by[1][j * ni + (i < ni ? i : ni - 1)]));
}

int mesh_even(struct mesh *all, const struct mesh *sectors, double limit, bool act, double *ratio)
{
    struct cells c[MAX_ZONES] = {{0}};
    const int rc = cells_new(c, all, sectors);
    if (!rc) {
        *ratio = compare_all(c, all, sectors != NULL, limit);
        for (int k = 0; k < all->nz && act; k++) {
            spread(&c[k], is_o(k));
            change(&all->z[k], &c[k]);
        }
    }
    cells_free(c, all->nz);
    return rc;
}

// Figures of merit of the finished mesh.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mesh.h"

static struct vec2 node(const struct zone *z, int i, int j)
{
    return z->x[j * z->ni + i];
}

static double area(const struct zone *z, int i, int j)
{
    const struct vec2 a = sub(node(z, i + 1, j + 1), node(z, i, j)),
                      b = sub(node(z, i, j + 1), node(z, i + 1, j));
    return 0.5 * cross(a, b);
}

static void cell(struct quality *q, const struct mesh *m, int k, int i, int j)
{
    const struct zone *z = &m->z[k];
    const struct vec2 x[4] = {node(z, i, j), node(z, i + 1, j), node(z, i + 1, j + 1),
                              node(z, i, j + 1)};
    double length[4];
    bool bad = area(z, i, j) <= 0;
    for (int c = 0; c < 4; c++) {
        const struct vec2 a = sub(x[(c + 1) % 4], x[c]), b = sub(x[(c + 3) % 4], x[c]);
        const double angle = atan2(cross(a, b), dot(a, b));
        length[c] = norm(a);
        bad = bad || angle <= 0; // also a concave cell counts: its corner tetrahedra turn over
        if (angle < q->min_angle) {
            q->min_angle = angle;
            q->zone_angle = k;
            q->i_angle = i;
            q->j_angle = j;
            q->at_angle = x[c];
        }
        q->max_angle = fmax(q->max_angle, angle);
    }
    const double li = 0.5 * (length[0] + length[2]), lj = 0.5 * (length[1] + length[3]);
    q->max_aspect = fmax(q->max_aspect, fmax(li, lj) / fmin(li, lj));
    q->min_area = fmin(q->min_area, area(z, i, j));
    q->negative += bad;
    q->cells++;
}

static void compare(struct quality *q, double a, double b, struct vec2 at)
{
    const double r = fmax(a, b) / fmin(a, b);
    if (r > q->max_ratio) {
        q->max_ratio = r;
        q->at_ratio = at;
    }
}

// Cell next to point k of an interface's line, on the zone's inner side; the line lies on a face.
static double area_beside(const struct zone *z, const int p0[2], const int p1[2], int k, int len)
{
    int c[2];
    const int n[2] = {z->ni - 1, z->nj - 1};
    for (int d = 0; d < 2; d++) {
        const int step = (p1[d] - p0[d]) / len;
        if (step == 0)
            c[d] = p0[d] == n[d] ? n[d] - 1 : 0;
        else
            c[d] = p0[d] + k * step - (step < 0);
    }
    return area(z, c[0], c[1]);
}

void quality_measure(struct quality *q, const struct mesh *m)
{
    *q = (struct quality){.min_angle = M_PI, .min_area = 1e300, .wall_min = 1e300};
    for (int k = 0; k < m->nz; k++) {
        const struct zone *z = &m->z[k];
        for (int j = 0; j < z->nj - 1; j++)
            for (int i = 0; i < z->ni - 1; i++) {
                cell(q, m, k, i, j);
                if (i > 0)
                    compare(q, area(z, i, j), area(z, i - 1, j), node(z, i, j));
                if (j > 0)
                    compare(q, area(z, i, j), area(z, i, j - 1), node(z, i, j));
            }
    }
    for (int l = 0; l < m->nlink; l++) {
        const struct link *c = &m->link[l];
        const int len = abs(c->a1[0] - c->a0[0]) + abs(c->a1[1] - c->a0[1]);
        for (int k = 0; k < len; k++)
            compare(q, area_beside(&m->z[c->za], c->a0, c->a1, k, len),
                    area_beside(&m->z[c->zb], c->b0, c->b1, k, len),
                    node(&m->z[c->za], c->a0[0] + k * (c->a1[0] - c->a0[0]) / len,
                         c->a0[1] + k * (c->a1[1] - c->a0[1]) / len));
    }
    const struct zone *o = &m->z[Z_O];
    for (int i = 0; i < o->ni; i++) {
        const double h = dot(sub(node(o, i, 1), node(o, i, 0)), m->normal[i]);
        q->wall_min = fmin(q->wall_min, h);
        q->wall_max = fmax(q->wall_max, h);
        for (int j = 1; j < o->nj - 1; j++) {
            const double a = norm(sub(node(o, i, j), node(o, i, j - 1))),
                         b = norm(sub(node(o, i, j + 1), node(o, i, j)));
            q->max_growth = fmax(q->max_growth, fmax(a, b) / fmin(a, b));
        }
    }
    for (int i = 0; i < m->n_around; i++) {
        const struct vec2 a = m->normal[i], b = m->normal[(i + 1) % m->n_around];
        q->max_turn = fmax(q->max_turn, fabs(atan2(cross(a, b), dot(a, b))));
    }
}

static int fewer(int levels, int n)
{
    int k = 0;
    for (; n > 0 && n % 2 == 0; n /= 2)
        k++;
    return n > 0 && k < levels ? k : levels;
}

// How often the zone's cells can be merged two by two in every direction such that also the ends of
// its interfaces stay nodes. A single layer across the span is never merged.
static int zone_levels(const struct mesh *m, int zone, int layers)
{
    int levels = fewer(fewer(30, m->z[zone].ni - 1), m->z[zone].nj - 1);
    levels = layers > 1 ? fewer(levels, layers) : levels;
    for (int l = 0; l < m->nlink; l++) {
        const struct link *c = &m->link[l];
        for (int d = 0; d < 2; d++) {
            if (c->za == zone)
                levels = fewer(fewer(levels, c->a0[d]), c->a1[d]);
            if (c->zb == zone)
                levels = fewer(fewer(levels, c->b0[d]), c->b1[d]);
        }
    }
    return levels;
}

static void print_zones(const struct mesh *m, int layers)
{
    int levels[MAX_ZONES], least = 30, limiting = 0;
    for (int k = 0; k < m->nz; k++) {
        levels[k] = zone_levels(m, k, layers);
        least = levels[k] < least ? levels[k] : least;
        printf("zone %-14s %4d x %3d x %d cells, can be halved %d times\n", m->z[k].name,
               m->z[k].ni - 1, m->z[k].nj - 1, layers, levels[k]);
    }
    for (int k = 0; k < m->nz; k++)
        limiting += levels[k] == least;
    printf("multigrid levels     %d coarser ones, limited by", least);
    for (int k = 0; k < m->nz && limiting < m->nz; k++)
        if (levels[k] == least)
            printf(" %s", m->z[k].name);
    printf("%s\n", limiting < m->nz ? "" : " all zones");
}

void quality_print(const struct quality *q, const struct mesh *m, double span, int layers)
{
    print_zones(m, layers);
    printf("cells                %ld (%ld per layer)\n", q->cells * layers, q->cells);
    printf("around the blade     %d: front %d, upper %d, rear %d, lower %d; normal %d\n",
           m->n_around, m->n_front, m->n_pass, m->n_rear, m->n_pass, m->n_normal);
    printf("smallest angle       %.2f deg (zone %s, cell %d %d, at %.5g %.5g m)\n",
           q->min_angle * 180 / M_PI, m->z[q->zone_angle].name, q->i_angle, q->j_angle,
           q->at_angle.x, q->at_angle.y);
    printf("largest angle        %.2f deg\n", q->max_angle * 180 / M_PI);
    printf("largest aspect ratio %.4g\n", q->max_aspect);
    printf("smallest volume      %.4g m^3\n", q->min_area * span / layers);
    printf("largest volume ratio %.3f (at %.5g %.5g m)\n", q->max_ratio, q->at_ratio.x,
           q->at_ratio.y);
    printf("negative volumes     %ld\n", q->negative);
    printf("wall spacing         %.4g ... %.4g m (wanted %.4g)\n", q->wall_min, q->wall_max,
           m->wall_spacing);
    printf("growth off the wall  %.3f\n", q->max_growth);
    printf("turn in one cell     %.2f deg\n", q->max_turn * 180 / M_PI);
}

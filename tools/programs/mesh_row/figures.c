// Figures of merit of the finished mesh.
#include "row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vec3 {
    double x, y, z;
};

static struct vec3 minus(struct vec3 a, struct vec3 b)
{
    return (struct vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static double inner(struct vec3 a, struct vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static struct vec3 outer(struct vec3 a, struct vec3 b)
{
    return (struct vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static double length(struct vec3 a)
{
    return sqrt(inner(a, a));
}

static struct vec3 node(const struct block *b, int i, int j, int k)
{
    const size_t l = ((size_t)k * (size_t)b->n[1] + (size_t)j) * (size_t)b->n[0] + (size_t)i;
    return (struct vec3){b->x[0][l], b->x[1][l], b->x[2][l]};
}

// The cell's nodes, relative to its first one; corner c at i + (c & 1), j + (c >> 1 & 1), k + (c >>
// 2).
static void cell_nodes(const struct block *b, const int c[3], struct vec3 x[8])
{
    const struct vec3 o = node(b, c[0], c[1], c[2]);
    for (int l = 0; l < 8; l++)
        x[l] = minus(node(b, c[0] + (l & 1), c[1] + (l >> 1 & 1), c[2] + (l >> 2)), o);
}

static struct vec3 face_area(const struct vec3 x[8], int direction, int high)
{
    const int o = high << direction, a = 1 << (direction + 1) % 3, b = 1 << (direction + 2) % 3;
    const struct vec3 s = outer(minus(x[o + a + b], x[o]), minus(x[o + b], x[o + a]));
    return (struct vec3){0.5 * s.x, 0.5 * s.y, 0.5 * s.z};
}

// Sum over the faces of (mean of the nodes . area) / 3.
static double cell_volume(const struct vec3 x[8])
{
    double v = 0;
    for (int f = 0; f < 6; f++) {
        const int d = f / 2, high = f % 2, o = high << d, a = 1 << (d + 1) % 3,
                  b = 1 << (d + 2) % 3;
        const struct vec3 s = face_area(x, d, high);
        const double m =
            inner(x[o], s) + inner(x[o + a], s) + inner(x[o + b], s) + inner(x[o + a + b], s);
        v += (high ? 1 : -1) * m / 12;
    }
    return v;
}

// Least and largest cosine, over the eight corners of a cell, of the angle between two of its edges; of edges that both run
// towards larger indices, or both not (0), and of the others (1), whose angle is the supplement.
struct cosines {
    double least[2], most[2];
};

static double angle_least(const struct cosines *c)
{
    return fmin(acos(c->most[0]), M_PI - acos(c->least[1]));
}

static double angle_most(const struct cosines *c)
{
    return fmax(acos(c->least[0]), M_PI - acos(c->most[1]));
}

static void corner_angles(struct figures *f, const struct vec3 x[8], int zone, const int c[3])
{
    struct vec3
        edge[3]
            [4]; // always towards larger indices; of those that begin at a corner with bit d clear
    double size[3][4];
    struct cosines q[3]; // between the edges along d and d + 1
    bool folded = false;
    for (int d = 0; d < 3; d++) {
        q[d] = (struct cosines){{1, 1}, {-1, -1}};
        for (int l = 0, n = 0; l < 8; l++)
            if (!(l >> d & 1)) {
                edge[d][n] = minus(x[l | 1 << d], x[l]);
                size[d][n] = length(edge[d][n]);
                n++;
            }
    }
    for (int l = 0; l < 8; l++) {
        const int at[3] = {l >> 1, (l >> 2 << 1) | (l & 1), l & 3};
        folded = folded || inner(edge[0][at[0]], outer(edge[1][at[1]], edge[2][at[2]])) <= 0;
        for (int d = 0; d < 3; d++) {
            const int e = (d + 1) % 3, turned = (l >> d & 1) != (l >> e & 1);
            const double cosine = fmin(1, fmax(-1, inner(edge[d][at[d]], edge[e][at[e]]) /
                                                       (size[d][at[d]] * size[e][at[e]])));
            q[d].least[turned] = fmin(q[d].least[turned], cosine);
            q[d].most[turned] = fmax(q[d].most[turned], cosine);
        }
    }
    const double plane = angle_least(&q[0]),
                 least = fmin(plane, fmin(angle_least(&q[1]), angle_least(&q[2]))),
                 most = fmax(angle_most(&q[0]), fmax(angle_most(&q[1]), angle_most(&q[2])));
    f->folded += folded;
    if (folded && least < f->bad_angle) {
        f->bad_angle = least;
        f->bad_zone = zone;
        memcpy(f->bad, c, sizeof f->bad);
    }
    f->most = fmax(f->most, most);
    f->plane_least = fmin(f->plane_least, plane);
    f->blade_least[f->blade] = fmin(f->blade_least[f->blade], least);
    f->below[0] += least < M_PI / 9;
    f->below[1] += least < M_PI / 6;
    if (least < f->least) {
        f->least = least;
        f->zone = zone;
        memcpy(f->at, c, sizeof f->at);
    }
}

static void compare(struct figures *f, double a, double b, int zone, const int c[3])
{
    const double r = fmax(a, b) / fmin(a, b);
    if (r > f->ratio) {
        f->ratio = r;
        f->ratio_zone = zone;
        memcpy(f->ratio_at, c, sizeof f->ratio_at);
    }
}

static double edge(const struct block *b, const int c[3], int d)
{
    return length(minus(node(b, c[0] + (d == 0), c[1] + (d == 1), c[2] + (d == 2)),
                        node(b, c[0], c[1], c[2])));
}

static void measure_block(struct figures *f, const struct block *b, int zone, double *volume)
{
    const int n[3] = {b->n[0] - 1, b->n[1] - 1, b->n[2] - 1}, step[3] = {1, n[0], n[0] * n[1]};
    int c[3];
    long l = 0;
    for (c[2] = 0; c[2] < n[2]; c[2]++)
        for (c[1] = 0; c[1] < n[1]; c[1]++)
            for (c[0] = 0; c[0] < n[0]; c[0]++, l++) {
                struct vec3 x[8];
                cell_nodes(b, c, x);
                volume[l] = cell_volume(x);
                f->cells++;
                f->negative += !(volume[l] > 0);
                f->volume = fmin(f->volume, volume[l]);
                f->total += volume[l];
                corner_angles(f, x, zone, c);
                double e[3];
                for (int d = 0; d < 3; d++) {
                    e[d] = edge(b, c, d);
                    int next[3] = {c[0], c[1], c[2]};
                    next[d]++;
                    if (next[d] < n[d]) {
                        const double o = edge(b, next, d);
                        f->growth[d] = fmax(f->growth[d], fmax(o / e[d], e[d] / o));
                    }
                    if (c[d] > 0)
                        compare(f, volume[l], volume[l - step[d]], zone, c);
                }
                f->aspect =
                    fmax(f->aspect, fmax(fmax(e[0], e[1]), e[2]) / fmin(fmin(e[0], e[1]), e[2]));
            }
}

static long cell_index(const struct block *b, const int c[3])
{
    return ((long)c[2] * (b->n[1] - 1) + c[1]) * (b->n[0] - 1) + c[0];
}

// Volumes on the two sides of the interfaces, and the distance of the nodes that should coincide. period: of `turn`, rad.
static double compare_joints(struct figures *f, const struct grid *g, double period,
                             double *const *volume)
{
    double apart = 0;
    for (int l = 0; l < g->njoint; l++) {
        const struct joint *j = &g->joint[l];
        const struct block *a = &g->block[j->zone], *b = &g->block[j->donor];
        const double angle = j->turn * period;
        int q[3], p[3];
        for (q[2] = j->lo[2]; q[2] <= j->hi[2]; q[2]++)
            for (q[1] = j->lo[1]; q[1] <= j->hi[1]; q[1]++)
                for (q[0] = j->lo[0]; q[0] <= j->hi[0]; q[0]++) {
                    bool cell = true;
                    int own[3], other[3];
                    for (int d = 0; d < 3; d++)
                        p[d] = j->from[d];
                    for (int d = 0; d < 3; d++) {
                        const int t = abs(j->transform[d]) - 1;
                        p[t] += (j->transform[d] > 0 ? 1 : -1) * (q[d] - j->lo[d]);
                    }
                    const struct vec3 x = node(a, q[0], q[1], q[2]), y = node(b, p[0], p[1], p[2]);
                    const struct vec3 turned = {x.x, cos(angle) * x.y - sin(angle) * x.z,
                                                sin(angle) * x.y + cos(angle) * x.z};
                    apart = fmax(apart, length(minus(turned, y)));
                    for (int d = 0; d < 3; d++) {
                        const int t = abs(j->transform[d]) - 1;
                        if (j->lo[d] == j->hi[d]) {
                            own[d] = q[d] ? q[d] - 1 : 0;
                            other[t] = p[t] ? p[t] - 1 : 0;
                        } else {
                            cell = cell && q[d] < j->hi[d];
                            own[d] = q[d];
                            other[t] = j->transform[d] > 0 ? p[t] : p[t] - 1;
                        }
                    }
                    if (cell)
                        compare(f, volume[j->zone][cell_index(a, own)],
                                volume[j->donor][cell_index(b, other)], j->zone, own);
                }
    }
    return apart;
}

// Heights of the cells at a wall: volume over the area of the wall's face.
static void print_heights(const struct row *r, const char *family, double *const *volume)
{
    double least = HUGE_VAL, most = 0, area = 0;
    for (int l = 0; l < r->grid.nface; l++) {
        const struct face *f = &r->grid.face[l];
        const struct block *b = &r->grid.block[f->zone];
        int d = 0, c[3];
        if (strcmp(f->family, family) != 0)
            continue;
        while (f->lo[d] != f->hi[d])
            d++;
        const int high = f->lo[d] > 0;
        int lo[3], hi[3];
        for (int e = 0; e < 3; e++) {
            lo[e] = e == d ? f->lo[d] - high : f->lo[e];
            hi[e] = e == d ? lo[e] + 1 : f->hi[e];
        }
        for (c[2] = lo[2]; c[2] < hi[2]; c[2]++)
            for (c[1] = lo[1]; c[1] < hi[1]; c[1]++)
                for (c[0] = lo[0]; c[0] < hi[0]; c[0]++) {
                    struct vec3 x[8];
                    cell_nodes(b, c, x);
                    const double s = length(face_area(x, d, high));
                    const double h = volume[f->zone][cell_index(b, c)] / s;
                    least = fmin(least, h);
                    most = fmax(most, h);
                    area += s;
                }
    }
    if (area > 0)
        fprintf(row_out(r), "first cells, %-7s %.4g ... %.4g m, wall of %.6g m^2\n", family, least,
                most, area);
}

static int fewer(int levels, int n)
{
    int k = 0;
    for (; n > 0 && n % 2 == 0; n /= 2)
        k++;
    return n > 0 && k < levels ? k : levels;
}

// How often the cells of a zone can be merged two by two such that the ends of its patches and
// interfaces stay nodes.
static int halvings(const struct grid *g, int zone)
{
    int levels = 30;
    for (int d = 0; d < 3; d++)
        levels = fewer(levels, g->block[zone].n[d] - 1);
    for (int l = 0; l < g->njoint; l++)
        for (int d = 0; d < 3; d++)
            if (g->joint[l].zone == zone)
                levels = fewer(fewer(levels, g->joint[l].lo[d]), g->joint[l].hi[d]);
    for (int l = 0; l < g->nface; l++)
        for (int d = 0; d < 3; d++)
            if (g->face[l].zone == zone)
                levels = fewer(fewer(levels, g->face[l].lo[d]), g->face[l].hi[d]);
    return levels;
}

static int levels_of(const struct row *r)
{
    int least = 30;
    for (int z = 0; z < r->grid.nblock; z++) {
        const int levels = halvings(&r->grid, z);
        least = levels < least ? levels : least;
    }
    return least + 1;
}

static void print_zones(const struct row *r)
{
    for (int z = 0; z < r->grid.nblock; z++) {
        const int *n = r->grid.block[z].n, levels = halvings(&r->grid, z);
        fprintf(row_out(r), "zone %-16s%4d x %3d x %3d cells, can be halved %d times\n",
                r->grid.block[z].name, n[0] - 1, n[1] - 1, n[2] - 1, levels);
    }
    fprintf(row_out(r), "multigrid levels     %d\n", levels_of(r));
}

static void print(const struct figures *f, const struct row *r)
{
    const double deg = 180 / M_PI;
    const struct block *b = &r->grid.block[f->zone];
    const struct vec3 x = node(b, f->at[0], f->at[1], f->at[2]);
    fprintf(row_out(r), "cells                %ld\n", f->cells);
    fprintf(row_out(r),
            "smallest angle       %.2f deg (zone %s, cell %d %d %d, x %.5g m, r %.5g m); on the "
            "layers %.2f deg\n",
            f->least * deg, b->name, f->at[0], f->at[1], f->at[2], x.x, hypot(x.y, x.z),
            f->plane_least * deg);
    for (int k = 0; k < r->set && r->set > 1; k++)
        fprintf(row_out(r), "smallest angle of    %s: %.2f deg\n",
                k == 0   ? "the main blade's zones"
                : k == 1 ? "the splitter's zones"
                         : "the second splitter's zones",
                f->blade_least[k] * deg);
    fprintf(row_out(r), "largest angle        %.2f deg\n", f->most * deg);
    fprintf(row_out(r), "cells below 20 deg   %ld, below 30 deg %ld\n", f->below[0], f->below[1]);
    fprintf(row_out(r), "largest skewness     %.3f\n",
            fmax(f->most * deg - 90, 90 - f->least * deg) / 90);
    fprintf(row_out(r), "largest aspect ratio %.4g\n", f->aspect);
    fprintf(row_out(r), "smallest volume      %.4g m^3\n", f->volume);
    fprintf(row_out(r), "largest volume ratio %.3f (zone %s, cell %d %d %d)\n", f->ratio,
            r->grid.block[f->ratio_zone].name, f->ratio_at[0], f->ratio_at[1], f->ratio_at[2]);
    fprintf(row_out(r), "largest edge ratio   i %.3f, j %.3f, k %.3f\n", f->growth[0], f->growth[1],
            f->growth[2]);
    fprintf(row_out(r), "negative volumes     %ld, folded corners %ld\n", f->negative, f->folded);
    fprintf(row_out(r), "interfaces           nodes apart by %.3g m at most\n", f->apart);
}

// The least height of the cells at the wall of an O.
static double first_height(const struct block *b, const double *volume)
{
    const int ni = b->n[0] - 1, nj = b->n[1] - 1;
    double least = HUGE_VAL;
    for (int k = 0; k < b->n[2] - 1; k++)
        for (int i = 0; i < ni; i++) {
            struct vec3 x[8];
            cell_nodes(b, (int[]){i, 0, k}, x);
            least = fmin(least, volume[(long)k * nj * ni + i] / length(face_area(x, 1, 0)));
        }
    return least;
}

static void begin(struct figures *f)
{
    *f = (struct figures){.least = M_PI,
                          .plane_least = M_PI,
                          .volume = HUGE_VAL,
                          .bad_angle = HUGE_VAL,
                          .first = HUGE_VAL};
    for (int b = 0; b < MAX_SET; b++)
        f->blade_least[b] = M_PI;
}

void figures_measure(struct figures *f, const struct row *r, double *const *volume)
{
    const struct grid *g = &r->grid;
    begin(f);
    for (int z = 0; z < g->nblock; z++) {
        int zone;
        f->blade = zone_blade(r, z, &zone);
        measure_block(f, &g->block[z], z, volume[z]);
        if (zone == ZONE_O)
            f->first = fmin(f->first, first_height(&g->block[z], volume[z]) / r->in.first[0]);
    }
    f->apart = compare_joints(f, g, 2 * M_PI / r->in.blades, volume);
}

// What to change, by the place of the worst folded cell.
static const char *remedy(const struct row *r, int zone)
{
    if (r->in.shift >= 0)
        return "'shift' is given: leave it out, then the corners of the blade's layer are "
               "searched; or "
               "give more 'cells'";
    switch (zone) {
    case ZONE_O:
        return "a larger 'first_cell: {blade: ...}' or more 'cells'";
    case ZONE_INLET:
        return "an 'inlet' farther from the blade or fewer 'levels'";
    case ZONE_OUTLET:
        return "an 'outlet' farther from the blade or fewer 'levels'";
    case ZONE_RING:
    case ZONE_CORE:
    case ZONE_HUB_RING:
    case ZONE_HUB_CORE:
        return "a larger 'first_cell: {tip: ...}' or fewer 'levels'";
    default:
        return "fewer 'levels' or more 'cells'";
    }
}

// The worst cell's place in the units of the tables.
static int refuse(const struct figures *f, const struct row *r)
{
    static const char *const part[ROW_ZONES] = {"the layer round the blade",
                                                "the block ahead of the blade",
                                                "the passage",
                                                "the passage",
                                                "the block behind the blade",
                                                "the gap, below the tip's edge",
                                                "the gap, in the section's middle",
                                                "the gap at the hub, below the blade's end",
                                                "the gap at the hub, in the section's middle"};
    const char *unit = input_unit(&r->in);
    int zone;
    zone_blade(r, f->bad_zone, &zone);
    if (f->folded == 0)
        return an_error_set(
            AN_DIVERGED, "error: %ld cells have no positive volume: no mesh written", f->negative);
    const struct block *b = &r->grid.block[f->bad_zone];
    const struct vec3 x = node(b, f->bad[0], f->bad[1], f->bad[2]);
    const double w = r->w[f->bad[2] + b->level], theta = atan2(x.z, x.y) * r->in.theta;
    const bool degrees = r->in.angle != 1;
    return an_error_set(
        AN_DIVERGED,
        "error: %ld of %ld cells are folded, %ld have no positive volume: no mesh written\n"
        "  worst: x = %.6g %s, r = %.6g %s, theta = %.5g %s, at %.1f %% of the span; zone %s (%s), "
        "cell %d "
        "%d %d\n"
        "  what may help: %s\n"
        "  to look at the mesh: --keep-bad -o FILE",
        f->folded, f->cells, f->negative, x.x / r->in.length, unit, hypot(x.y, x.z) / r->in.length,
        unit, degrees ? theta * 180 / M_PI : theta, degrees ? "deg" : "rad", 100 * w, b->name,
        part[zone], f->bad[0], f->bad[1], f->bad[2], remedy(r, zone));
}

static void volumes_free(double **volume)
{
    for (int z = 0; z < MAX_BLOCKS; z++)
        free(volume[z]);
}

// Memory for the volumes of the cells, which the caller frees.
static int volumes_new(double **volume, const struct grid *g)
{
    for (int z = 0; z < g->nblock; z++) {
        const int *n = g->block[z].n;
        volume[z] = malloc((size_t)(n[0] - 1) * (size_t)(n[1] - 1) * (size_t)(n[2] - 1) *
                           sizeof *volume[z]);
        AN_CHECK(volume[z], AN_FAIL, "out of memory");
    }
    return AN_OK;
}

int figures_grid(struct figures *f, const struct grid *g, double period)
{
    double *volume[MAX_BLOCKS] = {0};
    const int rc = volumes_new(volume, g);
    begin(f);
    for (int z = 0; z < g->nblock && !rc; z++)
        measure_block(f, &g->block[z], z, volume[z]);
    if (!rc)
        f->apart = compare_joints(f, g, period, volume);
    volumes_free(volume);
    return rc;
}

int figures_of(struct figures *f, const struct row *r)
{
    double *volume[MAX_BLOCKS] = {0};
    const int rc = volumes_new(volume, &r->grid);
    if (!rc)
        figures_measure(f, r, volume);
    volumes_free(volume);
    return rc;
}

bool figures_low(const struct figures *now, const struct figures *was)
{
    return now->first < 0.5 && now->first < 0.9 * was->first;
}

int figures_print(struct row *r)
{
    const struct figures *f = &r->figures;
    double *volume[MAX_BLOCKS] = {0};
    const int rc = volumes_new(volume, &r->grid);
    if (!rc) {
        figures_measure(&r->figures, r, volume);
        print_zones(r);
        print(f, r);
        static const char *const wall[] = {"blade",
                                           "hub",
                                           "shroud",
                                           "tip",
                                           "splitter",
                                           "splitter_tip",
                                           "splitter_2",
                                           "splitter_2_tip",
                                           "hub_tip",
                                           "splitter_hub_tip",
                                           "splitter_2_hub_tip"};
        for (size_t k = 0; k < sizeof wall / sizeof wall[0]; k++)
            print_heights(r, wall[k], volume);
    }
    volumes_free(volume);
    AN_TRY(rc);
    return f->negative + f->folded ? refuse(f, r) : AN_OK;
}

void figures_print_all(const struct project *p)
{
    const double deg = 180 / M_PI;
    long cells = 0;
    printf("\n%-16s %9s %15s %10s %9s %13s %7s\n", "row", "cells", "smallest angle", "below 30",
           "largest", "volume ratio", "levels");
    for (int k = 0; k < p->n; k++) {
        const struct figures *f = &p->row[k].figures;
        if (f->cells == 0) // no mesh
            continue;
        cells += f->cells;
        printf("%-16s %9ld %15.2f %10ld %9.2f %13.2f %7d\n", p->name[k], f->cells, f->least * deg,
               f->below[1], f->most * deg, f->ratio, levels_of(&p->row[k]));
    }
    printf("%-16s %9ld\n", "all rows", cells);
}

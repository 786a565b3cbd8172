#include "solver/app/check_rows.h"

#include "io/screen.h"
#include "kernels/base/boundary_type.h"
#include "kernels/base/units.h"
#include "solver/level/level.h"
#include "solver/monitor/mean_line.h"

#include <math.h>
#include <stdlib.h>

#define GAP_MOST \
    0.25 /* of the height of the passage: walls that are farther apart are hub and casing */

/* Where two walls of a row face each other across a gap: the cells between them fill the block from one wall to the other. */
struct gap {
    int wall[2];             /* boundaries */
    double sum, least, most; /* m, over the nodes of both walls */
    long nodes;
};

enum { GAPS = 8 };

static int is_wall(const struct an_solver *s, int boundary)
{
    const int type = s->boundary[boundary].type;
    return type == AN_BC_WALL_VISCOUS || type == AN_BC_WALL_SLIP;
}

/* The part of two opposite windows of a zone that faces each other, as boxes of nodes. 0: none. */
static int faces(const struct an_topology *t, const struct an_window *a, const struct an_window *b,
                 int lo[2][3], int hi[2][3])
{
    if (a->block != b->block || a->dir != b->dir || a->side || !b->side)
        return 0;
    for (int d = 0; d < 3; d++) {
        const int n = t->block[a->block].n[d];
        for (int side = 0; side < 2; side++) {
            lo[side][d] = d == a->dir ? side * n : a->lo[d] > b->lo[d] ? a->lo[d] : b->lo[d];
            hi[side][d] =
                d == a->dir ? lo[side][d] + 1 : (a->hi[d] < b->hi[d] ? a->hi[d] : b->hi[d]) + 1;
        }
        if (d != a->dir && hi[0][d] < lo[0][d] + 2)
            return 0;
    }
    return 1;
}

/* Adds the distance of the walls at nodes that face each other along the meridional plane: blades face each other across it. */
static int add_gap(const struct an_mesh *m, int zone, int lo[2][3], int hi[2][3], double height,
                   struct gap *g)
{
    size_t count = 1;
    for (int d = 0; d < 3; d++)
        count *= (size_t)(hi[0][d] - lo[0][d]);
    double *x = malloc(6 * count * sizeof *x), *y = x + 3 * count;
    AN_CHECK(x, AN_FAIL, "out of memory for the nodes of a gap");
    int status = an_mesh_read_nodes(m, zone, lo[0], hi[0], x);
    if (status == AN_OK)
        status = an_mesh_read_nodes(m, zone, lo[1], hi[1], y);
    double sum = 0, across = 0, least = INFINITY, most = 0;
    for (size_t n = 0; status == AN_OK && n < count; n++) {
        const double dx = y[n] - x[n], dy = y[count + n] - x[count + n],
                     dz = y[2 * count + n] - x[2 * count + n];
        const double r = hypot(x[count + n], x[2 * count + n]);
        const double apart = sqrt(dx * dx + dy * dy + dz * dz);
        sum += apart;
        least = fmin(least, apart);
        most = fmax(most, apart);
        across += r > 0 ? fabs(dz * x[count + n] - dy * x[2 * count + n]) / r : 0;
    }
    free(x);
    if (status == AN_OK && sum < GAP_MOST * height * (double)count && across < 0.5 * sum) {
        g->sum += sum;
        g->nodes += (long)count;
        g->least = fmin(g->least, least);
        g->most = fmax(g->most, most);
    }
    return status;
}

/* Gaps of the row at `place` of the chain; *n of them. */
static int find_gaps(const struct an_solver *s, const struct an_mesh *m,
                     const struct an_machine_shape *shape, int place, struct gap *gap, int *n)
{
    const struct an_topology *t = &m->topology;
    const struct an_row_shape *r = &shape->row[place];
    const double height = r->area[0] / (2 * acos(-1) * r->radius[0]);
    *n = 0;
    for (int p = 0; p < t->npatch; p++)
        for (int q = 0; q < t->npatch; q++) {
            const int wall[2] = {t->patch[p].boundary, t->patch[q].boundary};
            const int zone = t->patch[p].window.block;
            int lo[2][3], hi[2][3], k = 0;
            if (shape->place[zone] != place || wall[0] == wall[1] || !is_wall(s, wall[0]) ||
                !is_wall(s, wall[1]) || !faces(t, &t->patch[p].window, &t->patch[q].window, lo, hi))
                continue;
            while (k < *n && (gap[k].wall[0] != wall[0] || gap[k].wall[1] != wall[1]))
                k++;
            if (k == GAPS)
                continue;
            if (k == *n)
                gap[k] = (struct gap){.wall = {wall[0], wall[1]}, .least = INFINITY};
            AN_TRY(add_gap(m, zone, lo, hi, height, &gap[k]));
            *n += k == *n && gap[k].nodes > 0;
        }
    return AN_OK;
}

/* What a row is by the shape of its blades, whatever its speed. */
static const char *kind_of(const struct an_row_shape *r)
{
    const int outwards = r->radius[AN_STATIONS - 1] > r->radius[0];
    if (r->omega == 0)
        return an_row_accelerates(r) ? "stator that accelerates the flow"
                                     : "stator that decelerates the flow";
    return (an_row_is_axial(r) ? an_row_accelerates(r) : !outwards) ? "rotor of a turbine"
                                                                    : "rotor of a compressor";
}

/* Gaps that differ by a tenth are given from their least to their largest height. */
static void print_gap(const struct an_mesh *m, const struct gap *g, FILE *line)
{
    if (g->most > 1.1 * g->least)
        fprintf(line, ", gap %.3g to %.3g mm", 1e3 * g->least, 1e3 * g->most);
    else
        fprintf(line, ", gap %.3g mm", 1e3 * g->sum / (double)g->nodes);
    fprintf(line, " (%s, %s)", m->topology.boundary[g->wall[0]].name,
            m->topology.boundary[g->wall[1]].name);
}

static int print_row(const struct an_solver *s, const struct an_mesh *m,
                     const struct an_machine_shape *shape, int place, double sound, FILE *out)
{
    const struct an_row_shape *r = &shape->row[place];
    struct gap gap[GAPS + 1];
    char *text = NULL;
    size_t size = 0;
    int n;
    AN_TRY(find_gaps(s, m, shape, place, gap, &n));
    FILE *line = open_memstream(&text, &size);
    AN_CHECK(line, AN_FAIL, "out of memory for a row");
    const int bladed = r->first <= r->last;
    fprintf(line, "%s: %s", r->name, bladed ? kind_of(r) : "no blades");
    if (bladed && r->blades > 0)
        fprintf(line, ", %.4g blades", r->blades);
    if (r->omega != 0)
        fprintf(line, ", %.6g rpm", r->omega / AN_RPM);
    if (r->omega != 0 && bladed) {
        const double u = fabs(r->omega) * r->tip;
        fprintf(line, ", tip Mach number %.3f (%.4g m/s at %.4g m)", u / sound, u, r->tip);
    }
    for (int k = 0; k < n; k++)
        print_gap(m, &gap[k], line);
    if (bladed)
        fprintf(line, ", throat %.4g m2, blades from %.1f to %.1f degrees", an_row_throat(r),
                an_row_angle(r, 0) * 180 / acos(-1), an_row_angle(r, 1) * 180 / acos(-1));
    if (bladed && r->omega != 0)
        fputs(an_row_points(r) > AN_ROW_WRONG_WAY ? ", in the direction of their rotation"
                                                  : ", against their rotation",
              line);
    fclose(line);
    an_screen_line(out, 12, "row         %s", text);
    free(text);
    return AN_OK;
}

int an_check_rows(const struct an_solver *s, const struct an_mesh *m, double sound, FILE *out)
{
    const struct an_mean_line *line = an_mean_line_of(s);
    for (int n = 0; line && n < line->shape.n; n++)
        AN_TRY(print_row(s, m, &line->shape, n, sound, out));
    return AN_OK;
}

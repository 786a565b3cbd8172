#include "solver/monitor/row_shapes.h"

#include "bc/boundary_value.h"
#include "kernels/base/numbers.h"
#include "kernels/base/xsum.h"
#include "mpi/reduce.h"
#include "solver/boundary/plane_pairs.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/level/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sums of a boundary: area, area times x and r, area vector along x and r (outward). */
enum { OF_AREA, OF_X, OF_R, OF_AX, OF_AR, NLINE };
/* Sums of a station: volume, volume times |grad s|, times the radius; of walls the angle times |A_t|, and |A_t|. */
enum { OF_VOLUME, OF_FLOW, OF_RADIUS, OF_ANGLE, OF_BLADE, NSTATION };

struct search {
    const struct an_solver *s;
    const struct an_topology *t; /* of the mesh */
    struct an_machine_shape *m;
    double *sectors; /* [zones] */
    int *set, *row;  /* [zones] lowest zone joined one to one; place in the chain, -1 */
    double *tip;     /* [rows] */
    struct an_xsum (*line)[NLINE];                    /* [boundaries] */
    struct an_xsum (*station)[AN_STATIONS][NSTATION]; /* [rows] */
};

double an_row_place(const struct an_row_shape *row, double x, double r, double along[2])
{
    const struct an_flow_line *p = &row->in, *q = &row->out;
    const double a = (x - p->at[0]) * p->normal[0] + (r - p->at[1]) * p->normal[1];
    const double b = (q->at[0] - x) * q->normal[0] + (q->at[1] - r) * q->normal[1];
    const double sum = a + b > 0 ? a + b : 1;
    for (int d = 0; d < 2; d++) /* grad s times a + b */
        along[d] = (b * p->normal[d] + a * q->normal[d]) / sum;
    return a / sum;
}

double an_row_angle(const struct an_row_shape *r, int end)
{
    const int some = 1 + (r->last - r->first) / 8, step = end ? -1 : 1;
    const int edge = end ? r->last : r->first;
    double near = 0, far = 0;
    for (int n = 1; n <= some; n++) {
        near += r->angle[edge + step * n] / some;
        far += r->angle[edge + step * (n + some)] / some;
    }
    return near + (near - far) * (0.5 + 1. / some);
}

double an_row_throat(const struct an_row_shape *r)
{
    double least = INFINITY;
    for (int n = r->first; n <= r->last; n++)
        least = fmin(least, r->area[n] * cos(r->angle[n]));
    return least;
}

int an_row_accelerates(const struct an_row_shape *r)
{
    const int behind = r->last + 1 < AN_STATIONS ? r->last + 1 : r->last;
    return r->area[behind] * cos(an_row_angle(r, 1)) < r->area[r->first] * cos(an_row_angle(r, 0));
}

double an_row_points(const struct an_row_shape *r)
{
    const double sign = r->omega > 0 ? 1 : -1, in = an_row_angle(r, 0), out = an_row_angle(r, 1);
    return fmax(sign * out, sign * 0.5 * (in + out)) * 180 / acos(-1);
}

int an_row_is_axial(const struct an_row_shape *row)
{
    const double ratio = row->radius[AN_STATIONS - 1] / row->radius[0];
    return ratio > 0.8 && ratio < 1.25;
}

/* ---- the chain ---- */

static int opens(const struct search *f, int boundary)
{
    const int type = f->s->boundary[boundary].type;
    return type == AN_BC_INLET_TOTAL || type == AN_BC_OUTLET_STATIC || type == AN_BC_MIXING_PLANE ||
           type == AN_BC_SLIDING_PLANE;
}

/* The set of zones of a boundary; -1: several, or none. */
static int set_of(const struct search *f, int boundary)
{
    int set = -1;
    for (int p = 0; p < f->t->npatch; p++) {
        const int own = f->set[f->t->patch[p].window.block];
        if (f->t->patch[p].boundary != boundary)
            continue;
        if (set >= 0 && set != own)
            return -1;
        set = own;
    }
    return set;
}

/* The other boundary of a set that lets the main flow pass; -1: there is none, or several. */
static int other_end(const struct search *f, int set, int boundary)
{
    int found = -1;
    for (int b = 0; b < f->t->nboundary; b++) {
        if (b == boundary || !opens(f, b) || set_of(f, b) != set)
            continue;
        if (found >= 0)
            return -1;
        found = b;
    }
    return found;
}

static int only_inlet(const struct search *f)
{
    int found = -1;
    for (int b = 0; b < f->t->nboundary; b++) {
        if (f->s->boundary[b].type != AN_BC_INLET_TOTAL || set_of(f, b) < 0)
            continue;
        if (found >= 0)
            return -1;
        found = b;
    }
    return found;
}

static void name_row(const struct search *f, const int *of_case, int set, struct an_row_shape *row)
{
    const struct an_case_row *named = NULL;
    for (int z = 0; z < f->t->nblock && !named; z++)
        if (f->set[z] == set && of_case[z] >= 0)
            named = &f->s->c->row[of_case[z]];
    snprintf(row->name, sizeof row->name, "%s", named ? named->name : f->t->block[set].name);
    row->omega = f->s->omega ? f->s->omega[set] : 0;
    row->blades = named && named->blades ? named->blades : f->sectors[set];
}

/* The rows from the inlet to the outlet. */
static int follow(struct search *f)
{
    int *of_case = malloc(((size_t)f->t->nblock + 1) * sizeof *of_case);
    f->m->row = calloc((size_t)f->t->nblock + 1, sizeof *f->m->row);
    if (!of_case || !f->m->row) {
        free(of_case);
        return an_error_set(AN_FAIL, "out of memory for rows");
    }
    an_solver_zone_rows(f->s->c, f->t, of_case);
    int in = only_inlet(f), n = 0;
    while (in >= 0 && n < f->t->nblock) {
        const int set = set_of(f, in), out = set < 0 ? -1 : other_end(f, set, in);
        if (out < 0)
            break;
        struct an_row_shape *row = &f->m->row[n];
        name_row(f, of_case, set, row);
        row->inlet = in;
        row->outlet = out;
        for (int z = 0; z < f->t->nblock; z++)
            f->row[z] = f->set[z] == set ? n : f->row[z];
        n++;
        if (f->s->boundary[out].type == AN_BC_OUTLET_STATIC)
            f->m->n = n;
        in = f->m->n ? -1 : an_plane_partner(f->s->c, f->t, out);
    }
    free(of_case);
    return AN_OK;
}

/* ---- sums ---- */

/* Walls and openings of this rank: calls `add` for each face of a boundary of an opening or a wall, with its centre, its
 * outward area vector, the largest radius of its nodes, its boundary and its zone. */
typedef void add_face(struct search *f, int boundary, int zone, const double centre[3],
                      const double area[3], double reach);

static void visit_window(struct search *f, const struct an_face_window *face, add_face *add)
{
    const struct an_window *w = &face->window;
    const int *n = f->s->level->layout.block[w->block].n;
    const double *x = f->s->node[w->block];
    const int zone = f->s->level->partition.piece[f->s->local[w->block]].zone;
    const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
    const int64_t step[3] = {1, n[0] + 1, (int64_t)(n[0] + 1) * (n[1] + 1)};
    const int64_t all = step[2] * (n[2] + 1);
    for (int b = w->lo[db]; b < w->hi[db]; b++)
        for (int a = w->lo[da]; a < w->hi[da]; a++) {
            const int64_t at =
                a * step[da] + b * step[db] + (w->side ? n[w->dir] * step[w->dir] : 0);
            double p[3], q[3], area[3], centre[3], inside[3], outward = 0, reach = 0;
            int cell[3];
            cell[w->dir] = w->side ? n[w->dir] - 1 : 0;
            cell[da] = a;
            cell[db] = b;
            an_nodes_centre(n, x, cell[0], cell[1], cell[2], inside);
            for (int d = 0; d < 3; d++) {
                const double *o = x + d * all + at;
                p[d] = o[step[da] + step[db]] - o[0];
                q[d] = o[step[db]] - o[step[da]];
                centre[d] = 0.25 * (o[0] + o[step[da]] + o[step[db]] + o[step[da] + step[db]]);
            }
            for (int d = 0; d < 3; d++) {
                area[d] = 0.5 * (p[(d + 1) % 3] * q[(d + 2) % 3] - p[(d + 2) % 3] * q[(d + 1) % 3]);
                outward += area[d] * (centre[d] - inside[d]);
            }
            for (int d = 0; d < 3 && outward < 0; d++)
                area[d] = -area[d];
            for (int m = 0; m < 4; m++) {
                const double *o = x + at + (m & 1) * step[da] + (m >> 1) * step[db];
                reach = fmax(reach, hypot(o[all], o[2 * all]));
            }
            add(f, face->boundary, zone, centre, area, reach);
        }
}

static int visit(struct search *f, add_face *add)
{
    int n = 0;
    struct an_face_window *window = NULL;
    const int status = an_bc_windows(&f->s->level->partition.topology, f->s->boundary, f->s->nlocal,
                                     f->s->local, &n, &window);
    for (int m = 0; m < n && status == AN_OK; m++)
        visit_window(f, &window[m], add);
    free(window);
    return status;
}

static void add_to_line(struct search *f, int boundary, int zone, const double x[3],
                        const double area[3], double reach)
{
    (void)zone;
    (void)reach;
    const double r = hypot(x[1], x[2]), size = an_length(area);
    if (!opens(f, boundary) || !(r > 0))
        return;
    const double v[NLINE] = {size, size * x[0], size * r, area[0],
                             (area[1] * x[1] + area[2] * x[2]) / r};
    for (int n = 0; n < NLINE; n++)
        an_xsum_add(&f->line[boundary][n], v[n]);
}

static int station_of(double s)
{
    const int n = (int)floor(s * AN_STATIONS);
    return n < 0 ? 0 : n < AN_STATIONS ? n : AN_STATIONS - 1;
}

static void add_to_blade(struct search *f, int boundary, int zone, const double x[3],
                         const double area[3], double reach)
{
    const int type = f->s->boundary[boundary].type, place = f->row[zone];
    const double r = hypot(x[1], x[2]);
    if ((type != AN_BC_WALL_VISCOUS && type != AN_BC_WALL_SLIP) || place < 0 || !(r > 0))
        return;
    double m[2];
    const double s = an_row_place(&f->m->row[place], x[0], r, m), size = hypot(m[0], m[1]);
    const double ar = (area[1] * x[1] + area[2] * x[2]) / r,
                 at = (area[2] * x[1] - area[1] * x[2]) / r, all = an_length(area);
    const double along = (area[0] * m[0] + ar * m[1]) / size,
                 across = (ar * m[0] - area[0] * m[1]) / size;
    if (fabs(across) > 0.7 * all || fabs(at) < 0.1 * all)
        return;
    struct an_xsum *to = f->station[place][station_of(s)];
    an_xsum_add(&to[OF_ANGLE], atan(-along / at) * fabs(at));
    an_xsum_add(&to[OF_BLADE], fabs(at));
    f->tip[place] = fmax(f->tip[place], reach);
}

/* Adds a cell to the stations that it spans, in proportion. x: its first node. */
static void add_cell(struct search *f, int place, const double *x, const int64_t step[3],
                     int64_t all)
{
    double edge[3][3], centre[3] = {0}, m[2], low = INFINITY, high = -INFINITY, volume = 0;
    const struct an_row_shape *row = &f->m->row[place];
    for (int n = 0; n < 8; n++) {
        const int64_t at = (n & 1) * step[0] + (n >> 1 & 1) * step[1] + (n >> 2) * step[2];
        const double s = an_row_place(row, x[at], hypot(x[all + at], x[2 * all + at]), m);
        low = fmin(low, s);
        high = fmax(high, s);
        for (int d = 0; d < 3; d++)
            centre[d] += 0.125 * x[d * all + at];
    }
    for (int d = 0; d < 3; d++)
        for (int c = 0; c < 3; c++) {
            edge[d][c] = 0;
            for (int n = 0; n < 4; n++) {
                const int64_t at = (n & 1) * step[(d + 1) % 3] + (n >> 1) * step[(d + 2) % 3];
                edge[d][c] += 0.25 * (x[c * all + at + step[d]] - x[c * all + at]);
            }
        }
    for (int c = 0; c < 3; c++)
        volume += edge[0][c] * (edge[1][(c + 1) % 3] * edge[2][(c + 2) % 3] -
                                edge[1][(c + 2) % 3] * edge[2][(c + 1) % 3]);
    volume = fabs(volume);
    const double r = hypot(centre[1], centre[2]);
    an_row_place(row, centre[0], r, m);
    const double a =
        (centre[0] - row->in.at[0]) * row->in.normal[0] + (r - row->in.at[1]) * row->in.normal[1];
    const double b = (row->out.at[0] - centre[0]) * row->out.normal[0] +
                     (row->out.at[1] - r) * row->out.normal[1];
    const double grad = a + b > 0 ? hypot(m[0], m[1]) / (a + b) : 0;
    const int first = station_of(low), last = station_of(high);
    for (int n = first; n <= last; n++) {
        const double lo = n == first ? low : (double)n / AN_STATIONS;
        const double hi = n == last ? high : (double)(n + 1) / AN_STATIONS;
        const double part = high > low ? fmax(hi - lo, 0) / (high - low) * volume : volume;
        struct an_xsum *to = f->station[place][n];
        an_xsum_add(&to[OF_VOLUME], part);
        an_xsum_add(&to[OF_FLOW], part * grad);
        an_xsum_add(&to[OF_RADIUS], part * r);
    }
}

static void add_cells(struct search *f)
{
    for (int b = 0; b < f->s->nlocal; b++) {
        const int place = f->row[f->s->level->partition.piece[f->s->local[b]].zone];
        const int *n = f->s->level->layout.block[b].n;
        const int64_t step[3] = {1, n[0] + 1, (int64_t)(n[0] + 1) * (n[1] + 1)};
        const int64_t all = step[2] * (n[2] + 1);
        for (int64_t k = 0; k < n[2] && place >= 0; k++)
            for (int64_t j = 0; j < n[1]; j++)
                for (int64_t i = 0; i < n[0]; i++)
                    add_cell(f, place, f->s->node[b] + i + j * step[1] + k * step[2], step, all);
    }
}

/* ---- results ---- */

/* The line of a boundary; normal along the flow. 0: it has none. */
static int take_line(const struct search *f, int boundary, int is_inlet, struct an_flow_line *line)
{
    double v[NLINE];
    for (int n = 0; n < NLINE; n++)
        v[n] = an_xsum_value(f->line[boundary][n]);
    const double size = hypot(v[OF_AX], v[OF_AR]), sign = is_inlet ? -1 : 1;
    if (!(v[OF_AREA] > 0) || !(size > 0.5 * v[OF_AREA]))
        return 0;
    *line = (struct an_flow_line){{v[OF_X] / v[OF_AREA], v[OF_R] / v[OF_AREA]},
                                  {sign * v[OF_AX] / size, sign * v[OF_AR] / size}};
    return 1;
}

/* Sums of a station, smoothed with those beside it: cells of coarse meshes are longer than stations. */
static void take_station(const struct search *f, int place, int n, double v[NSTATION])
{
    const int from = n > 0 ? n - 1 : n, to = n < AN_STATIONS - 1 ? n + 1 : n;
    for (int k = 0; k < NSTATION; k++)
        v[k] = 0.25 * an_xsum_value(f->station[place][from][k]) +
               0.5 * an_xsum_value(f->station[place][n][k]) +
               0.25 * an_xsum_value(f->station[place][to][k]);
}

static int take_row(const struct search *f, int place, double sectors)
{
    enum { LEAST = 6 }; /* stations of a blade */
    struct an_row_shape *row = &f->m->row[place];
    double blade[AN_STATIONS], most = 0;
    for (int n = 0; n < AN_STATIONS; n++) {
        double v[NSTATION];
        take_station(f, place, n, v);
        if (!(v[OF_VOLUME] > 0) || !(v[OF_FLOW] > 0))
            return 0;
        row->area[n] = v[OF_FLOW] * AN_STATIONS * sectors;
        row->radius[n] = v[OF_RADIUS] / v[OF_VOLUME];
        row->length[n] = v[OF_VOLUME] / v[OF_FLOW] / AN_STATIONS;
        row->angle[n] = v[OF_BLADE] > 0 ? v[OF_ANGLE] / v[OF_BLADE] : 0;
        blade[n] = v[OF_BLADE];
        most = fmax(most, blade[n]);
    }
    row->first = AN_STATIONS;
    row->last = -1;
    for (int n = 0; n < AN_STATIONS; n++)
        if (blade[n] > 0.3 * most) { /* a splitter begins behind the main blade */
            row->first = n < row->first ? n : row->first;
            row->last = n;
        }
    if (row->last - row->first < LEAST - 1) {
        row->first = AN_STATIONS;
        row->last = -1;
    }
    row->tip = row->first <= row->last ? f->tip[place] : 0;
    return 1;
}

static int measure(struct search *f)
{
    const int nb = f->t->nboundary;
    int known = 1;
    int status = visit(f, add_to_line);
    status = an_reduce_status(f->s->comm, status);
    if (status == AN_OK)
        status = an_reduce_xsum(f->s->comm, nb * NLINE, f->line[0]);
    AN_TRY(status);
    for (int n = 0; n < f->m->n; n++)
        known = known && take_line(f, f->m->row[n].inlet, 1, &f->m->row[n].in) &&
                take_line(f, f->m->row[n].outlet, 0, &f->m->row[n].out);
    if (!known) {
        f->m->n = 0;
        return AN_OK;
    }
    AN_TRY(an_reduce_status(f->s->comm, visit(f, add_to_blade)));
    add_cells(f);
    AN_TRY(an_reduce_max(f->s->comm, f->m->n, f->tip));
    AN_TRY(an_reduce_xsum(f->s->comm, f->m->n * AN_STATIONS * NSTATION, f->station[0][0]));
    for (int z = 0; z < f->t->nblock; z++)
        if (f->row[z] >= 0 && f->set[z] == z)
            known = known && take_row(f, f->row[z], f->sectors[z]);
    f->m->n = known ? f->m->n : 0;
    return AN_OK;
}

static int find(struct search *f)
{
    struct an_topology typed;
    AN_TRY(an_topology_of_case(f->s->c, f->t, &typed));
    an_mesh_rows(&typed, f->set);
    free(typed.boundary);
    AN_TRY(an_solver_sectors(f->s->c, f->t, f->sectors));
    for (int z = 0; z < f->t->nblock; z++)
        f->row[z] = -1;
    AN_TRY(follow(f));
    if (!f->m->n)
        return AN_OK;
    f->station = calloc((size_t)f->m->n, sizeof *f->station);
    f->tip = calloc((size_t)f->m->n, sizeof *f->tip);
    AN_CHECK(f->station && f->tip, AN_FAIL, "out of memory for rows");
    return AN_OK;
}

int an_row_shapes_find(const struct an_solver *s, struct an_machine_shape *m)
{
    const struct an_topology *t = &s->mesh->topology;
    const size_t nz = (size_t)t->nblock + 1;
    struct search f = {.s = s,
                       .t = t,
                       .m = m,
                       .sectors = malloc(nz * sizeof *f.sectors),
                       .set = malloc(nz * sizeof *f.set),
                       .row = malloc(nz * sizeof *f.row),
                       .line = calloc((size_t)t->nboundary + 1, sizeof *f.line)};
    *m = (struct an_machine_shape){0};
    int status = f.sectors && f.set && f.row && f.line
                     ? AN_OK
                     : an_error_set(AN_FAIL, "out of memory for rows");
    if (status == AN_OK && s->mesh->dimension == 3)
        status = find(&f);
    status = an_reduce_status(s->comm, status);
    if (status == AN_OK && m->n)
        status = measure(&f);
    free(f.sectors);
    free(f.set);
    m->place = f.row;
    free(f.line);
    free(f.station);
    free(f.tip);
    if (status != AN_OK)
        an_row_shapes_free(m);
    return status;
}

void an_row_shapes_free(struct an_machine_shape *m)
{
    free(m->row);
    free(m->place);
    *m = (struct an_machine_shape){0};
}

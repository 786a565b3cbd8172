#include "solver/monitor/performance.h"

#include "kernels/base/numbers.h"
#include "kernels/base/threads.h"
#include "mpi/reduce.h"
#include "solver/boundary/plane_pairs.h"
#include "solver/level/component.h"
#include "solver/level/flow_axes.h"
#include "solver/level/level.h"
#include "solver/level/patch_nodes.h"
#include "solver/level/rows.h"
#include "solver/monitor/performance_rows.h"
#include "solver/monitor/walls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Does flow pass a boundary of that type? */
static int passes_flow(int type)
{
    return !an_bc_type_has((enum an_bc_type)type, AN_BC_CLOSED);
}

/* Of rows, and of the zones in none, which have to agree; where there are none, the machine is said
 * to fit in as often as the row that does most often. */
static int note_sectors(const struct an_case *c, const struct an_topology *t, const double *sectors,
                        struct an_performance *f)
{
    int outside = -1;
    f->of[f->nrow].sectors = 1;
    for (int z = 0; z < t->nblock; z++) {
        f->of[f->row[z]].sectors = sectors[z];
        if (f->row[z] < f->nrow)
            continue;
        AN_CHECK(outside < 0 || fabs(sectors[z] - sectors[outside]) <= 1e-4 * sectors[outside],
                 AN_INPUT,
                 "%s: zones '%s' and '%s' are in no row, but what is meshed of them fits %.6g and "
                 "%.6g times into the annulus: put them into rows, at rest if they do not turn",
                 c->file, t->block[outside].name, t->block[z].name, sectors[outside], sectors[z]);
        outside = z;
    }
    for (int n = 0; n < f->nrow && outside < 0; n++)
        f->of[f->nrow].sectors = fmax(f->of[f->nrow].sectors, f->of[n].sectors);
    return AN_OK;
}

static int list_rows(struct an_solver *s, struct an_performance *f)
{
    const struct an_topology *t = &s->mesh->topology;
    f->nrow = s->c->nrow;
    f->row = calloc((size_t)t->nblock + 1, sizeof *f->row);
    f->of = calloc((size_t)f->nrow + 1, sizeof *f->of);
    AN_CHECK(f->row && f->of, AN_FAIL, "out of memory for rows");
    an_solver_zone_rows(s->c, t, f->row);
    for (int n = 0; n <= f->nrow; n++) {
        f->of[n].omega = n < f->nrow ? s->c->row[n].omega : 0;
        snprintf(f->of[n].name, AN_NAME, "%s", n < f->nrow ? s->c->row[n].name : "machine");
    }
    for (int z = 0; z < t->nblock; z++)
        f->row[z] = f->row[z] < 0 ? f->nrow : f->row[z];
    double *sectors = malloc(((size_t)t->nblock + 1) * sizeof *sectors);
    int status = sectors ? an_solver_sectors(s->c, t, sectors)
                         : an_error_set(AN_FAIL, "out of memory for rows");
    if (status == AN_OK)
        status = note_sectors(s->c, t, sectors, f);
    free(sectors);
    return status;
}

/* Do both sides of an abutting interface belong to one row? Then its flow neither enters nor leaves the row. */
static int stays_inside(const struct an_solver *s, const struct an_performance *f, int b)
{
    const struct an_topology *t = &s->mesh->topology;
    const int other = an_plane_partner(s->c, t, b);
    int row = -1;
    for (int p = 0; p < t->npatch; p++) {
        const int here = f->row[t->patch[p].window.block];
        if (t->patch[p].boundary != b && t->patch[p].boundary != other)
            continue;
        if (row >= 0 && here != row)
            return 0;
        row = here;
    }
    return 1;
}

/* Most boundaries lie in one row, so few of all pairs of a row and a boundary have sums. */
static int make_totals(const struct an_solver *s, struct an_performance *f)
{
    const struct an_topology *t = &s->mesh->topology;
    const int npair = (f->nrow + 1) * t->nboundary;
    f->ntotal = npair * AN_NFLOW + (f->nrow + 1) * AN_NWORK;
    f->total = calloc((size_t)f->ntotal + 1, sizeof *f->total);
    f->place = malloc(((size_t)npair + 1) * sizeof *f->place);
    AN_CHECK(f->total && f->place, AN_FAIL, "out of memory for monitors");
    for (int n = 0; n < npair; n++)
        f->place[n] = -1;
    for (int p = 0; p < t->npatch; p++) {
        const int b = t->patch[p].boundary;
        if (b < 0 || !passes_flow(s->boundary[b].type))
            continue;
        int *place = &f->place[f->row[t->patch[p].window.block] * t->nboundary + b];
        if (*place < 0)
            *place = f->nplace++;
    }
    return AN_OK;
}

/* All boundaries but viscous walls, whose forces another part measures, and interfaces within a row. */
static int list_faces(struct an_solver *s, struct an_performance *f)
{
    const int n = s->level->partition.topology.nboundary;
    char *wanted = calloc((size_t)n + 1, 1);
    AN_CHECK(wanted, AN_FAIL, "out of memory for boundary faces");
    for (int b = 0; b < n; b++)
        wanted[b] = s->boundary[b].type != AN_BC_WALL_VISCOUS &&
                    !(s->boundary[b].type == AN_BC_ABUTTING && stays_inside(s, f, b));
    const int status = an_plane_faces_new(s, wanted, &f->faces);
    free(wanted);
    return status;
}

static int performance_make(struct an_solver *s, void **component)
{
    struct an_flow_axes axes;
    AN_TRY(an_flow_axes_find(s, &axes));
    const int cascade =
        s->c->monitors.performance == AN_SWITCH_AUTO && an_flow_axes_cascade(s, &axes);
    if (!an_case_has_monitors(s->c) && !cascade)
        return AN_OK;
    struct an_performance *f = calloc(1, sizeof *f);
    *component = f;
    int status = f ? AN_OK : an_error_set(AN_FAIL, "out of memory for monitors");
    if (status == AN_OK) {
        f->measured = -1;
        f->gas = (struct an_flow_gas){&s->c->gas.model, s->params.flux.p_ref, axes};
        status = list_rows(s, f);
    }
    if (status == AN_OK)
        status = make_totals(s, f);
    return status == AN_OK ? list_faces(s, f) : status;
}

static void performance_destroy(struct an_solver *s, void *component)
{
    struct an_performance *f = component;
    an_plane_faces_free(s, &f->faces);
    free(f->row);
    free(f->of);
    free(f->total);
    free(f->place);
    free(f);
}

/* The next measurement is the first of another state. */
static int performance_start(struct an_solver *s, void *component, int fresh)
{
    (void)s, (void)fresh;
    ((struct an_performance *)component)->measured = -1;
    return AN_OK;
}

static int performance_measure_start(struct an_solver *s, void *component)
{
    const struct an_performance *f = component;
    return an_plane_faces_start(s, &f->faces);
}

/* Torque on the gas of a force on a wall at x. */
static double torque_of(const double x[3], const double f[3])
{
    return -(x[1] * f[2] - x[2] * f[1]);
}

/* Terms of a face of a slip wall at x with PLANE values v. */
static void slip_wall_terms(const struct an_performance *f, const double v[AN_NCOMP_PLANE],
                            const double x[3], double term[AN_NWORK])
{
    double *force = term + AN_WORK_FORCE;
    for (int c = 0; c < 3; c++)
        force[c] = v[AN_PLANE_MX + c] + f->gas.p_ref * v[AN_PLANE_SX + c];
    term[AN_WORK_TORQUE] = torque_of(x, force);
    term[AN_WORK_POWER] = -(v[AN_PLANE_ENERGY] + f->gas.p_ref * v[AN_PLANE_SWEEP]);
}

static void add_viscous_walls(const struct an_solver *s, const struct an_performance *f,
                              struct an_xsum (*work)[AN_NWORK])
{
    const struct an_walls *w = an_walls_of(s);
    for (int m = 0; w && m < w->nwindow; m++) {
        const int zone = s->level->partition.piece[s->local[w->window[m].window.block]].zone;
        struct an_xsum *to = work[f->row[zone]];
        for (int c = 0; c < 3; c++)
            an_xsum_join(&to[AN_WORK_FORCE + c], &w->part[m][AN_WALL_SUM_FORCE + c]);
        an_xsum_less(&to[AN_WORK_TORQUE], &w->part[m][AN_WALL_SUM_TORQUE]);
        an_xsum_join(&to[AN_WORK_POWER], &w->part[m][AN_WALL_SUM_POWER]);
    }
}

/* Adds the sums of window m. */
static void add_window(const struct an_solver *s, const struct an_performance *f, int m,
                       struct an_xsum (*flow)[AN_NFLOW], struct an_xsum (*work)[AN_NWORK])
{
    const struct an_plane_faces *q = &f->faces;
    const int b = q->window[m].boundary, row = f->row[q->zone[m]];
    const int passes = passes_flow(s->boundary[b].type), nsum = passes ? AN_NFLOW : AN_NWORK;
    const double omega = s->omega ? s->omega[q->zone[m]] : 0;
    const int64_t first = q->window[m].first, n = an_patch_faces(&q->window[m].window);
    struct an_xsum sum[(int)AN_NFLOW > (int)AN_NWORK ? (int)AN_NFLOW : (int)AN_NWORK];
    memset(sum, 0, sizeof sum);
    if (passes)
        an_flow_add_many(&f->gas, n, (const double(*)[AN_NCOMP_PLANE])q->value + first,
                         (const double(*)[3])q->centre + first, q->radius + first, omega, sum);
    for (int64_t k = first; k < first + n && !passes; k++) {
        double term[AN_NWORK];
        slip_wall_terms(f, q->value[k], q->centre[k], term);
        for (int t = 0; t < AN_NWORK; t++)
            an_xsum_add(&sum[t], term[t]);
    }
    struct an_xsum *to = passes ? flow[f->place[row * s->mesh->topology.nboundary + b]] : work[row];
#pragma omp critical(performance_sums)
    for (int t = 0; t < nsum; t++)
        an_xsum_join(&to[t], &sum[t]);
}

enum { FACES = 2000 }; /* of a thread, at least */

/* Sums of this rank: flow[place][AN_NFLOW], work[row or none][AN_NWORK]. Exact sums, so that the order of threads does
 * not matter. */
static void add_faces(const struct an_solver *s, const struct an_performance *f,
                      struct an_xsum (*flow)[AN_NFLOW], struct an_xsum (*work)[AN_NWORK])
{
#pragma omp parallel for schedule(dynamic) num_threads(an_threads_of(f->faces.nface / FACES))
    for (int m = 0; m < f->faces.nwindow; m++)
        add_window(s, f, m, flow, work);
    add_viscous_walls(s, f, work);
}

/* Sums over flow come first in `total`. */
static int first_work(const struct an_solver *s, const struct an_performance *f)
{
    return (f->nrow + 1) * s->mesh->topology.nboundary * AN_NFLOW;
}

void an_performance_find(const struct an_solver *s, struct an_performance *f)
{
    const int nb = s->mesh->topology.nboundary;
    for (int n = 0; n <= f->nrow; n++)
        an_performance_row(s, f, n, nb, (double(*)[AN_NFLOW])f->total,
                           (double(*)[AN_NWORK])(f->total + first_work(s, f)));
    an_performance_reactions(f);
}

int an_performance_terms(const struct an_solver *s, const struct an_performance *f, int m,
                         int64_t k, double term[AN_NFLOW], int *first)
{
    const struct an_plane_faces *q = &f->faces;
    const int b = q->window[m].boundary, row = f->row[q->zone[m]];
    const double omega = s->omega ? s->omega[q->zone[m]] : 0;
    const int64_t face = q->window[m].first + k;
    if (!passes_flow(s->boundary[b].type)) {
        *first = first_work(s, f) + row * AN_NWORK;
        slip_wall_terms(f, q->value[face], q->centre[face], term);
        return AN_NWORK;
    }
    *first = (row * s->mesh->topology.nboundary + b) * AN_NFLOW;
    an_flow_terms(&f->gas, q->value[face], q->centre[face], omega, term);
    return AN_NFLOW;
}

int an_performance_wall_terms(const struct an_solver *s, const struct an_performance *f, int m,
                              int64_t k, double term[AN_NFLOW], int *first)
{
    const struct an_walls *w = an_walls_of(s);
    const int zone = s->level->partition.piece[s->local[w->window[m].window.block]].zone;
    double of_wall[AN_NWALL_SUM];
    an_wall_terms(s, w, m, k, of_wall);
    for (int c = 0; c < 3; c++)
        term[AN_WORK_FORCE + c] = of_wall[AN_WALL_SUM_FORCE + c];
    term[AN_WORK_TORQUE] = -of_wall[AN_WALL_SUM_TORQUE];
    term[AN_WORK_POWER] = of_wall[AN_WALL_SUM_POWER];
    *first = first_work(s, f) + f->row[zone] * AN_NWORK;
    return AN_NWORK;
}

static int performance_measure_finish(struct an_solver *s, void *component,
                                      const struct an_measured *m)
{
    struct an_performance *f = component;
    const int nflow = f->nplace * AN_NFLOW, nwork = (f->nrow + 1) * AN_NWORK;
    struct an_xsum *sum = calloc((size_t)(nflow + nwork) + 1, sizeof *sum);
    int status = sum ? AN_OK : an_error_set(AN_FAIL, "out of memory for monitors");
    if (status == AN_OK) {
        an_plane_faces_take(s, &f->faces);
        add_faces(s, f, (struct an_xsum(*)[AN_NFLOW])sum,
                  (struct an_xsum(*)[AN_NWORK])(sum + nflow));
        status = an_reduce_xsum(s->comm, nflow + nwork, sum);
    }
    const int npair = first_work(s, f) / AN_NFLOW;
    for (int p = 0; p < npair && status == AN_OK; p++)
        for (int k = 0; f->place[p] >= 0 && k < AN_NFLOW; k++)
            f->total[p * AN_NFLOW + k] = an_xsum_value(sum[f->place[p] * AN_NFLOW + k]);
    for (int n = 0; n < nwork && status == AN_OK; n++)
        f->total[first_work(s, f) + n] = an_xsum_value(sum[nflow + n]);
    if (status == AN_OK)
        an_performance_find(s, f);
    free(sum);
    f->measured = m->iteration;
    return status;
}

const struct an_component_type an_performance_component = {
    .name = "performance",
    .after = AN_AFTER("walls", "cooling"),
    .make = performance_make,
    .destroy = performance_destroy,
    .start = performance_start,
    .measure_start = performance_measure_start,
    .measure_finish = performance_measure_finish};

struct an_performance *an_performance_of(const struct an_solver *s)
{
    return an_component_of(s, &an_performance_component);
}

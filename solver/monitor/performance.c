#include "solver/monitor/performance.h"

#include "kernels/base/numbers.h"
#include "mpi/reduce.h"
#include "solver/boundary/coolant.h"
#include "solver/level/level.h"
#include "solver/level/part.h"
#include "solver/level/patch_nodes.h"
#include "solver/level/rows.h"
#include "solver/monitor/flow_axes.h"
#include "solver/monitor/walls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TORQUE, POWER, FORCE_X, FORCE_T, NWORK };

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

/* All boundaries but viscous walls, whose forces another part measures. */
static int list_faces(struct an_solver *s, struct an_performance *f)
{
    const int n = s->level->partition.topology.nboundary;
    char *wanted = calloc((size_t)n + 1, 1);
    AN_CHECK(wanted, AN_FAIL, "out of memory for boundary faces");
    for (int b = 0; b < n; b++)
        wanted[b] = s->boundary[b].type != AN_BC_WALL_VISCOUS;
    const int status = an_plane_faces_new(s, wanted, &f->faces);
    free(wanted);
    return status;
}

static int make(struct an_solver *s, void **part)
{
    struct an_flow_axes axes;
    AN_TRY(an_flow_axes_find(s, &axes));
    const int cascade =
        s->c->monitors.performance == AN_SWITCH_AUTO && an_flow_axes_cascade(s, &axes);
    if (!an_case_has_monitors(s->c) && !cascade)
        return AN_OK;
    struct an_performance *f = calloc(1, sizeof *f);
    *part = f;
    int status = f ? AN_OK : an_error_set(AN_FAIL, "out of memory for monitors");
    if (status == AN_OK) {
        f->measured = -1;
        f->gas = (struct an_flow_gas){&s->c->gas.model, s->params.p_ref, axes};
        status = list_rows(s, f);
    }
    return status == AN_OK ? list_faces(s, f) : status;
}

static void destroy(struct an_solver *s, void *part)
{
    struct an_performance *f = part;
    an_plane_faces_free(s, &f->faces);
    free(f->row);
    free(f->of);
    free(f);
}

/* The next measurement is the first of another state. */
static int start(struct an_solver *s, void *part, int fresh)
{
    (void)s, (void)fresh;
    ((struct an_performance *)part)->measured = -1;
    return AN_OK;
}

static int measure_start(struct an_solver *s, void *part)
{
    const struct an_performance *f = part;
    return an_plane_faces_start(s, &f->faces);
}

/* Torque on the gas, power and force of a face of a wall at x; f: force on the wall. */
static void add_wall(struct an_xsum work[NWORK], const struct an_flow_axes *axes, const double x[3],
                     const double f[3], double omega)
{
    const double *a = axes->axial, *t = axes->pitch, torque = -(x[1] * f[2] - x[2] * f[1]);
    an_xsum_add(&work[FORCE_X], a[0] * f[0] + a[1] * f[1] + a[2] * f[2]);
    an_xsum_add(&work[FORCE_T], t[0] * f[0] + t[1] * f[1] + t[2] * f[2]);
    an_xsum_add(&work[TORQUE], torque);
    an_xsum_add(&work[POWER], torque * omega);
}

static void add_viscous_walls(const struct an_solver *s, const struct an_performance *f,
                              struct an_xsum (*work)[NWORK])
{
    const struct an_walls *w = an_walls_of(s);
    for (int m = 0; w && m < w->nwindow; m++) {
        const struct an_bc_value *bc = &s->boundary[w->window[m].boundary];
        const int zone = s->level->partition.piece[s->local[w->window[m].window.block]].zone;
        const double turns = bc->v[AN_BC_WITH_BLOCK] != 0 && s->omega ? s->omega[zone] : 0;
        const int64_t first = w->window[m].first, n = an_patch_faces(&w->window[m].window);
        for (int64_t k = first; k < first + n; k++) {
            const double *v = w->value[k], *x = w->centre[k], *a = v + AN_WALL_SX;
            const double area = an_length(a);
            const double force[3] = {v[AN_WALL_TX] * area + v[AN_WALL_P] * a[0],
                                     v[AN_WALL_TY] * area + v[AN_WALL_P] * a[1],
                                     v[AN_WALL_TZ] * area + v[AN_WALL_P] * a[2]};
            add_wall(work[f->row[zone]], &f->gas.axes, x, force, bc->v[AN_BC_WALL_OMEGA] + turns);
        }
    }
}

/* Sums of this rank: flow[row or none][boundary][AN_NFLOW], work[row or none][NWORK]. */
static void add_faces(const struct an_solver *s, const struct an_performance *f, int nboundary,
                      struct an_xsum (*flow)[AN_NFLOW], struct an_xsum (*work)[NWORK])
{
    const struct an_plane_faces *q = &f->faces;
    for (int m = 0; m < q->nwindow; m++) {
        const int b = q->window[m].boundary, row = f->row[q->zone[m]];
        const int passes = passes_flow(s->boundary[b].type);
        const double omega = s->omega ? s->omega[q->zone[m]] : 0;
        const int64_t first = q->window[m].first, n = an_patch_faces(&q->window[m].window);
        for (int64_t k = first; k < first + n; k++) {
            const double *v = q->value[k], *x = q->centre[k];
            if (passes) {
                an_flow_add(&f->gas, v, x, omega, flow[row * nboundary + b]);
                continue;
            }
            const double force[3] = {v[AN_PLANE_MX] + f->gas.p_ref * v[AN_PLANE_SX],
                                     v[AN_PLANE_MY] + f->gas.p_ref * v[AN_PLANE_SY],
                                     v[AN_PLANE_MZ] + f->gas.p_ref * v[AN_PLANE_SZ]};
            add_wall(work[row], &f->gas.axes, x, force, omega);
        }
    }
    add_viscous_walls(s, f, work);
}

/* The figures that only cascades have. */
static void note_cascade(struct an_row_flow *r, const struct an_gas *gas)
{
    const struct an_flow_average *in = &r->in, *out = &r->out;
    const struct an_flow_kind before = {in->p0, in->T0, in->area.p},
                              after = {out->p0, out->T0, out->area.p};
    double *v = r->value;
    v[AN_ROW_P0_IN] = in->p0;
    v[AN_ROW_P0_OUT] = out->p0;
    v[AN_ROW_P0_MIXED] = out->mixed.p0;
    v[AN_ROW_P_OUT] = out->area.p;
    v[AN_ROW_ALPHA_MIXED] = out->alpha_mixed;
    v[AN_ROW_MACH_IS] = an_flow_isentropic_mach(gas, in->p0, in->T0, out->area.p);
    v[AN_ROW_LOSS_MASS] = an_flow_cascade_loss(&before, &after);
    v[AN_ROW_LOSS_MIXED] = an_flow_cascade_loss(&in->mixed, &out->mixed);
    v[AN_ROW_FORCE_X] = r->force[0] / r->span;
    v[AN_ROW_FORCE_T] = r->force[1] / r->span;
    v[AN_ROW_LOST_X] = r->lost[0] / r->span;
    v[AN_ROW_LOST_T] = r->lost[1] / r->span;
}

static void note_values(struct an_row_flow *r, const struct an_gas *gas)
{
    const struct an_flow_average *in = &r->in, *out = &r->out;
    double *v = r->value;
    v[AN_ROW_MASS_IN] = r->mass_in;
    v[AN_ROW_MASS_OUT] = r->mass_out;
    v[AN_ROW_IMBALANCE] = (r->mass_in - r->mass_out) / r->mass_in;
    v[AN_ROW_P0_RATIO] = out->p0 / in->p0;
    v[AN_ROW_T0_RATIO] = out->T0 / in->T0;
    const double p0 = v[AN_ROW_P0_RATIO], T0 = v[AN_ROW_T0_RATIO];
    v[AN_ROW_EFFICIENCY] = r->turns ? an_flow_efficiency(gas, in->T0, p0, T0) : NAN;
    v[AN_ROW_POLYTROPIC] = r->turns ? an_flow_polytropic(gas, in->T0, p0, T0) : NAN;
    v[AN_ROW_POWER] = r->power;
    v[AN_ROW_POWER_WALLS] = r->power_walls;
    v[AN_ROW_TORQUE_EULER] = r->torque_euler;
    v[AN_ROW_TORQUE_WALLS] = r->torque_walls;
    v[AN_ROW_ALPHA_IN] = in->alpha;
    v[AN_ROW_ALPHA_OUT] = out->alpha;
    v[AN_ROW_BETA_IN] = in->beta;
    v[AN_ROW_BETA_OUT] = out->beta;
    v[AN_ROW_MACH_IN] = in->mach_rel;
    v[AN_ROW_MACH_OUT] = out->mach_rel;
    v[AN_ROW_LOSS] = an_flow_loss(gas, in, out);
    v[AN_ROW_ENTROPY] = out->s - in->s;
    v[AN_ROW_COOLANT] = r->coolant;
    v[AN_ROW_BLEED] = r->bleed;
    v[AN_ROW_MASS_CORRECTED] =
        (r->mass_in - r->coolant) * sqrt(in->T0 / 288.15) / (in->p0 / 101325);
    v[AN_ROW_REACTION] = NAN;
    note_cascade(r, gas);
}

/* Degree of reaction of a row that turns and the row at rest of its stage: the next one downstream
 * of a compressor's rotor, the one before of a turbine's. */
static void note_reactions(struct an_performance *f)
{
    for (int n = 0; n < f->nrow; n++) {
        struct an_row_flow *rotor = &f->of[n], *stator = NULL;
        const int down = rotor->power > 0;
        if (rotor->omega == 0 || !isfinite(rotor->power))
            continue;
        for (int m = 0; m < f->nrow; m++) {
            struct an_row_flow *q = &f->of[m];
            const double ahead = down ? q->in.x - rotor->in.x : rotor->in.x - q->in.x;
            if (q->omega != 0 || !(ahead > 0))
                continue;
            const double best = !stator ? INFINITY : fabs(stator->in.x - rotor->in.x);
            stator = ahead < best ? q : stator;
        }
        if (!stator)
            continue;
        const double mine = an_flow_heat(f->gas.of, rotor->in.T, rotor->out.T);
        const double other = an_flow_heat(f->gas.of, stator->in.T, stator->out.T);
        rotor->value[AN_ROW_REACTION] = mine / (mine + other);
    }
}

/* What cooling and bleed of a row, or of the machine, bring and take, and the efficiency with them.
 */
static void add_coolant(const struct an_solver *s, const struct an_performance *f, int n,
                        struct an_row_flow *r)
{
    const struct an_coolant *k = an_coolant_of(s);
    double power = 0, moment = 0, ideal = 0, coolant = 0, bleed = 0;
    for (int m = 0; k && m < k->n; m++) {
        const struct an_coolant_patch *q = &k->patch[m];
        if (n < f->nrow && f->row[q->zone] != n)
            continue;
        const double mass = q->sectors * q->mass;
        const double from = q->bleeds ? r->in.p0 : q->seen.p0,
                     to = q->bleeds ? q->seen.p0 : r->out.p0;
        const double T0 = q->bleeds ? r->in.T0 : q->seen.T0;
        *(q->bleeds ? &bleed : &coolant) += mass;
        power += (q->bleeds ? mass : -mass) * q->seen.h0;
        moment += (q->bleeds ? mass : -mass) * q->seen.moment;
        ideal += mass * an_flow_ideal_work(f->gas.of, T0, to / from);
    }
    r->coolant = coolant;
    r->bleed = bleed;
    r->mass_in += coolant;
    r->mass_out += bleed;
    r->power += power;
    r->torque_euler += moment;
    note_values(r, f->gas.of);
    if (!(coolant > 0 || bleed > 0))
        return;
    const double main_flow = r->mass_in - coolant - bleed;
    ideal += main_flow * an_flow_ideal_work(f->gas.of, r->in.T0, r->out.p0 / r->in.p0);
    const int works =
        r->turns && fabs(r->power) > 1e-3 * r->mass_in * an_gas_h(f->gas.of, r->in.T0);
    r->value[AN_ROW_EFFICIENCY] = !works ? NAN : r->power > 0 ? ideal / r->power : r->power / ideal;
    r->value[AN_ROW_POLYTROPIC] = NAN;
}

/* One row, or the machine, from the sums over its boundaries. */
static void find_row(const struct an_solver *s, struct an_performance *f, int n, int nboundary,
                     double (*flow)[AN_NFLOW], double (*work)[NWORK])
{
    struct an_row_flow *r = &f->of[n];
    const int whole = n == f->nrow;
    double side[2][AN_NFLOW] = {{0}};
    double torque = 0, power = 0, euler = 0, force[2] = {0};
    for (int q = 0; q <= f->nrow; q++) {
        if (!whole && q != n)
            continue;
        const double sectors = f->of[q].sectors;
        torque += sectors * work[q][TORQUE];
        power += sectors * work[q][POWER];
        force[0] += sectors * work[q][FORCE_X];
        force[1] += sectors * work[q][FORCE_T];
        for (int b = 0; b < nboundary; b++) {
            const double *t = flow[q * nboundary + b];
            if (whole && !an_bc_type_has((enum an_bc_type)s->boundary[b].type, AN_BC_PASSES))
                continue; /* planes between rows */
            euler += sectors * t[AN_FLOW_MOMENT];
            for (int m = 0; m < AN_NFLOW; m++)
                side[t[AN_FLOW_MASS] > 0][m] += sectors * t[m];
        }
    }
    r->in = an_flow_average_of(&f->gas, side[0], r->omega);
    r->out = an_flow_average_of(&f->gas, side[1], r->omega);
    r->mass_in = -side[0][AN_FLOW_MASS];
    r->mass_out = side[1][AN_FLOW_MASS];
    r->turns = whole ? an_solver_turns(s) : r->omega != 0 || power != 0;
    r->torque_walls = torque;
    r->power_walls = power;
    r->torque_euler = euler;
    r->span = -side[0][AN_FLOW_AREA_X] / f->gas.axes.length;
    for (int d = 0; d < 2; d++) {
        const int sum = d ? AN_FLOW_MOMENT : AN_FLOW_THRUST;
        r->force[d] = force[d];
        r->lost[d] = -(side[0][sum] + side[1][sum]);
    }
    r->power = side[0][AN_FLOW_H0] + side[1][AN_FLOW_H0];
    add_coolant(s, f, n, r);
}

static int measure_finish(struct an_solver *s, void *part, const struct an_measured *m)
{
    struct an_performance *f = part;
    const int nb = s->mesh->topology.nboundary, ngroup = (f->nrow + 1) * nb;
    const size_t nflow = (size_t)ngroup * AN_NFLOW, nwork = ((size_t)f->nrow + 1) * NWORK;
    struct an_xsum *sum = calloc(nflow + nwork, sizeof *sum);
    double *total = calloc(nflow + nwork, sizeof *total);
    int status = sum && total ? AN_OK : an_error_set(AN_FAIL, "out of memory for monitors");
    if (status == AN_OK) {
        an_plane_faces_take(s, &f->faces);
        add_faces(s, f, nb, (struct an_xsum(*)[AN_NFLOW])sum,
                  (struct an_xsum(*)[NWORK])(sum + nflow));
        status = an_reduce_xsum(s->comm, (int)(nflow + nwork), sum);
    }
    for (size_t n = 0; n < nflow + nwork && status == AN_OK; n++)
        total[n] = an_xsum_value(sum[n]);
    for (int n = 0; n <= f->nrow && status == AN_OK; n++)
        find_row(s, f, n, nb, (double(*)[AN_NFLOW])total, (double(*)[NWORK])(total + nflow));
    if (status == AN_OK)
        note_reactions(f);
    free(sum);
    free(total);
    f->measured = m->iteration;
    return status;
}

const struct an_part_type an_performance_part = {.name = "performance",
                                                 .make = make,
                                                 .destroy = destroy,
                                                 .start = start,
                                                 .measure_start = measure_start,
                                                 .measure_finish = measure_finish};

struct an_performance *an_performance_of(const struct an_solver *s)
{
    return an_part_of(s, &an_performance_part);
}

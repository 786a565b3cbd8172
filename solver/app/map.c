/* `annulus map`: a speed line, from choke toward stall. One set-up; each point starts from the flow
 * of its neighbour, from the third on moved on by what the last two changed (solver/march/predictor.h).
 * A point that diverges or falls away is tried again with half the step, from the
 * last good one. map.csv has a line for every point tried; a map that was cut goes on from it. A point that
 * was stopped is its last line, which names the snapshot to continue from: the point goes on, bit for bit, as a
 * restarted run does, with the settings, the lines and the CFL number of its snapshot. */
#include "solver/app/map.h"

#include "io/folder.h"
#include "mpi/reduce.h"
#include "solver/app/report.h"
#include "solver/app/session.h"
#include "solver/boundary/control.h"
#include "solver/march/recovery.h"
#include "solver/march/settling.h"
#include "solver/monitor/mean_line.h"
#include "solver/monitor/measure.h"
#include "solver/monitor/performance.h"
#include "solver/output/geometry.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The boundary the line varies, in the case: named, or the only static outlet. */
static int find_outlet(const struct an_case *c, const struct an_topology *t, int *boundary)
{
    int n = 0;
    for (int b = 0; b < t->nboundary; b++) {
        const struct an_case_boundary *q = an_case_boundary_find(c, t->boundary[b].name);
        if (!q || q->type != AN_BC_OUTLET_STATIC ||
            (*c->map.outlet && strcmp(c->map.outlet, t->boundary[b].name) != 0))
            continue;
        *boundary = b;
        n++;
    }
    AN_CHECK(n > 0, AN_INPUT, "%s: 'map.outlet': there is no outlet_static%s%s%s", c->file,
             *c->map.outlet ? " named '" : "", c->map.outlet, *c->map.outlet ? "'" : "");
    AN_CHECK(n == 1, AN_INPUT, "%s: 'map.outlet' must say which of %d static outlets is varied",
             c->file, n);
    return AN_OK;
}

/* Makes the case and the plan those of one chain of the line, which ends where a point is not kept. There may be more chains
 * than points. */
static void plan_chain(struct an_case *c, struct an_map *m)
{
    const int n = m->steps.n, first = n * (m->chain - 1) / m->chains,
              last = n * m->chain / m->chains;
    m->steps.n = last - first;
    memmove(m->planned, m->planned + first, (size_t)m->steps.n * sizeof *m->planned);
    m->steps.least = INFINITY;
    if (m->steps.n == 0)
        return;
    if (c->map.values.n) {
        c->map.values.n = m->steps.n;
        memcpy(c->map.values.x, m->planned, (size_t)m->steps.n * sizeof *m->planned);
    } else {
        c->map.from = m->planned[0];
        c->map.to = m->planned[m->steps.n - 1];
    }
}

/* The planned settings: a list, or from .. to by steps. */
static int plan(struct an_case *c, struct an_map *m)
{
    const int list = c->map.values.n;
    m->steps.n = list;
    for (int n = 0; n < list; n++)
        m->planned[n] = c->map.values.x[n];
    if (!list) {
        const double whole = c->map.to - c->map.from;
        AN_CHECK(c->map.step > 0, AN_INPUT, "%s: 'map' needs 'values', or 'from', 'to' and 'step'",
                 c->file);
        const double count = ceil(fabs(whole) / c->map.step - 1e-9);
        AN_CHECK(count + 1 <= AN_MAP_MOST / 2, AN_INPUT, "%s: 'map.step' is too small: %.0f points",
                 c->file, count + 1);
        m->steps.n = (int)count + 1;
        for (int n = 0; n <= (int)count; n++)
            m->planned[n] =
                n == (int)count ? c->map.to : c->map.from + n * copysign(c->map.step, whole);
    }
    m->steps.value = m->planned;
    m->steps.least = c->map.least_step;
    if (m->chain)
        plan_chain(c, m);
    return AN_OK;
}

/* What a map needs of the case, said by no key of its own. */
static void adjust(struct an_case *c, struct an_case_boundary *b, double first)
{
    if (c->monitors.performance == AN_SWITCH_AUTO)
        c->monitors.performance = AN_SWITCH_ON;
    if (!an_case_has_stop(c)) {
        c->stop.mass_flow = c->stop.pressure_ratio = 1e-3;
        for (int n = 0; n < c->nrow; n++) /* without work there is none */
            if (c->row[n].omega != 0 && (an_case_has_monitors(c) || !an_case_has_cooling(c)))
                c->stop.efficiency = 1e-3;
        const int most = (AN_STOP_SAMPLES - 1) * c->output.history_every;
        c->stop.window = c->stop.window > most ? most : c->stop.window;
        c->stop.window =
            c->stop.window < c->output.history_every ? c->output.history_every : c->stop.window;
    }
    if (c->march.mass_imbalance <= 0) /* else a flow that has not heard of its outlet has settled */
        c->march.mass_imbalance = 1e-3;
    c->output.every = 0;
    c->output.keep =
        0; /* a point that fails goes back to an older one's, which nothing may remove */
    if (c->map.vary == AN_VARY_MASS_FLOW)
        b->outlet.mass_flow = first;
    if (c->map.vary == AN_VARY_BACK_PRESSURE && c->nrow > 1)
        b->p = first; /* which the mean line starts from */
}

/* Puts a setting on the outlet. */
static int set_outlet(struct an_map *m, double value)
{
    struct an_solver *s = m->r->solver;
    an_settling_forget(s);
    return an_control_vary(s, m->boundary, m->r->in.c.map.vary, value);
}

/* Does the map begin within a point that an earlier one left unfinished? */
static int continues(const struct an_map *m)
{
    return *m->now.snapshot != '\0';
}

/* Called before the snapshot to start from is read: the outlet as it stood there, because ghosts come from it.
 * What controls the pressure is in the snapshot. */
static int set_first_outlet(void *map)
{
    struct an_map *m = map;
    if (!continues(m) && !*m->good)
        return AN_OK;
    return an_control_vary(m->r->solver, m->boundary, m->r->in.c.map.vary,
                           continues(m) ? m->now.value : m->steps.good);
}

/* Rank 0: the points of the chains, into map.csv. */
static int join_chains(struct an_map *m)
{
    struct an_lock lock;
    char message[512];
    AN_TRY(an_folder_make(m->r->in.c.output.folder));
    AN_TRY(an_lock_take(m->r->in.c.output.folder, &lock, message));
    const int status = an_map_take_chains(m);
    an_lock_release(&lock);
    return status;
}

/* Takes up an earlier map, whose last good snapshot, or that of an unfinished point, is the one to start from, or
 * begins a new one. */
static int begin(struct an_map *m)
{
    struct an_session *r = m->r;
    const char *folder = r->in.c.output.folder;
    if (r->rank == 0)
        an_map_read_lines(m);
    AN_TRY(an_reduce_status(r->comm,
                            r->rank == 0 && m->chains > 1 && !m->chain ? join_chains(m) : AN_OK));
    AN_MPI(MPI_Bcast(&m->n, 1, MPI_INT, 0, r->comm));
    AN_MPI(MPI_Bcast(m->point, (int)(AN_MAP_MOST * sizeof *m->point), MPI_BYTE, 0, r->comm));
    AN_MPI(MPI_Bcast(&m->now, (int)sizeof m->now, MPI_BYTE, 0, r->comm));
    m->nline = m->n;
    for (int n = 0; n < m->n; n++) {
        an_map_note(&m->steps, m->point[n].value, an_map_went_of(m->point[n].outcome),
                    m->point[n].iterations);
        m->flow = m->point[n].outcome <= AN_MAP_UNSETTLED ? m->point[n].flow : m->flow;
        m->pressure = m->point[n].outcome <= AN_MAP_UNSETTLED ? m->point[n].pressure : m->pressure;
        if (m->point[n].outcome <= AN_MAP_UNSETTLED &&
            snprintf(m->good, AN_PATH, "%s/%s", folder, m->point[n].snapshot) >= AN_PATH)
            return an_error_set(AN_INPUT, "output.folder '%.60s...' is too long", folder);
    }
    return AN_OK;
}

/* The static pressures at the ends of the rows become those of the last point kept. */
static void note_rows(struct an_map *m)
{
    const struct an_performance *f = an_performance_of(m->r->solver);
    for (int n = 0; n < m->r->in.c.nrow; n++)
        m->behind[n] = f->of[n].out.p;
}

/* The flow of a snapshot of an earlier map, if it is there, becomes one that the predictor knows, and its rows are measured. */
static int recall(struct an_map *m, const struct an_map_point *p)
{
    struct an_session *r = m->r;
    char path[AN_PATH + sizeof p->snapshot];
    snprintf(path, sizeof path, "%s/%s", r->in.c.output.folder, p->snapshot);
    int there = *p->snapshot && access(path, R_OK) == 0;
    AN_MPI(MPI_Bcast(&there, 1, MPI_INT, 0, r->comm));
    if (!there) {
        if (r->rank == 0)
            printf("map         point at %.6g has no snapshot any more: the next point begins from "
                   "the flow of its "
                   "neighbour\n",
                   p->value);
        m->predictor.n = 0;
        return AN_OK;
    }
    AN_TRY(an_solver_restart(r->solver, path));
    struct an_measure measured = {.integral = NULL};
    AN_TRY(an_solver_measure(r->solver, &measured));
    note_rows(m);
    return an_predictor_keep(r->solver, &m->predictor, p->value);
}

/* The predictor of a map that goes on knows the last two good points, as if the map had not been stopped. present: the
 * snapshot from which it goes on. */
static int recall_points(struct an_map *m, const char *present)
{
    const struct an_map_point *last[2] = {NULL, NULL};
    for (int n = 0; n < m->n; n++)
        if (m->point[n].outcome <= AN_MAP_UNSETTLED) {
            last[0] = last[1];
            last[1] = &m->point[n];
        }
    if (!last[1])
        return AN_OK;
    if (last[0])
        AN_TRY(recall(m, last[0]));
    AN_TRY(recall(m, last[1]));
    return an_solver_restart(m->r->solver, present);
}

/* What a point that is not kept does: its mass flow falls, or swings, or still moves. */
static enum an_map_outcome failing(const struct an_motion *q)
{
    const double falls =
        0.01; /* part of the mass flow, from the first to the last third of the lines */
    if (q->swings == AN_SWINGS_PERIOD || q->swings == AN_SWINGS_IRREGULAR)
        return AN_MAP_SWINGING;
    return q->fell > falls ? AN_MAP_STALLED : AN_MAP_MOVING;
}

/* A flow that does not settle is taken where its mass flow stays within 1 %, in and out: over the window of the
 * rules, or half of the lines where these are fewer; older lines have the way to this flow. A flow is also taken
 * whose mass flow swings by no more than 1 % to either side of a mean that stays: so does the outlet of a choked row
 * with a shock that is not steady, while all rows ahead of it have their flow. */
static enum an_map_outcome judge(const struct an_session *r, enum an_ending ending)
{
    if (ending == AN_END_CONVERGED)
        return AN_MAP_GOOD;
    if (ending == AN_END_FALLEN)
        return AN_MAP_STALLED;
    const int lines = an_settling_lines(r->solver);
    if (2 * lines * r->in.c.output.history_every < r->in.c.stop.window)
        return AN_MAP_MOVING; /* too few lines to tell: it went back after a divergence, say */
    const int64_t window = 1 + r->in.c.stop.window / an_settling_every(r->solver);
    const int last = (int)(window < (lines + 1) / 2 ? window : (lines + 1) / 2);
    const double moves = an_settling_moves(r->solver, AN_FIGURE_MASS_FLOW, last);
    if (moves <= 0.01 && fabs(r->line.imbalance) <= 0.01)
        return AN_MAP_UNSETTLED;
    struct an_motion q;
    an_settling_find(r->solver, &q);
    const int little = an_motion_swings_by(&q, 0.01) && fabs(r->line.imbalance) <= 0.02;
    return little ? AN_MAP_UNSETTLED : failing(&q);
}

/* The row whose end is the first to feel the change since the last good point, in the order of the flow; NULL: it is not known. */
static const char *first_to_feel(const struct an_map *m)
{
    const struct an_mean_line *line = an_mean_line_of(m->r->solver);
    const struct an_performance *f = an_performance_of(m->r->solver);
    const struct an_case *c = &m->r->in.c;
    const int n = line ? line->shape.n : 0;
    double *before = malloc(2 * ((size_t)n + 1) * sizeof *before), *now = before + n;
    for (int k = 0; before && k < n; k++) {
        before[k] = now[k] = NAN; /* a row that the case does not have */
        for (int row = 0; row < c->nrow; row++)
            if (strcmp(c->row[row].name, line->shape.row[k].name) == 0) {
                before[k] = m->behind[row];
                now[k] = f->of[row].out.p;
            }
    }
    const int k = before ? an_map_choked_row(n, before, now) : -1;
    free(before);
    return k < 0 ? NULL : line->shape.row[k].name;
}

/* The row that is choked; NULL: the last good point and this one do not show it. */
static const char *choked(const struct an_map *m, const struct an_map_point *p)
{
    const struct an_case *c = &m->r->in.c;
    if (!m->steps.has_good || p->outcome > AN_MAP_UNSETTLED ||
        !an_map_is_choked(m->flow, m->pressure, p->flow, p->pressure))
        return NULL;
    if (c->nrow == 1)
        return c->row[0].name;
    const char *row = first_to_feel(m);
    return row ? row : "machine";
}

/* The last good flow again, after a point that failed. */
static int step_back(struct an_map *m)
{
    struct an_session *r = m->r;
    AN_TRY(an_session_complete(r)); /* HDF5 is free */
    const char *good = m->good;
    AN_TRY(set_outlet(m, m->steps.good)); /* as it stood there: ghosts come from it */
    AN_TRY(an_solver_restart(r->solver, good));
    snprintf(r->snapshot, sizeof r->snapshot, "%s", good);
    r->line.iteration = -1;
    return an_reduce_status(r->comm, r->rank == 0 ? an_session_reopen(r) : AN_OK);
}

/* What came out at a point, and what still moves. */
static void print_figures(const struct an_map *m, const struct an_map_point *p)
{
    const double *v = an_map_figures(m);
    printf(": %.5g kg/s, p0 ratio %.5f", v[AN_ROW_MASS_OUT], v[AN_ROW_P0_RATIO]);
    if (an_performance_of(m->r->solver)->gas.axes.cartesian)
        printf(", loss %.5f, angle %.3f deg", v[AN_ROW_LOSS_MIXED], v[AN_ROW_ALPHA_MIXED]);
    else if (!isnan(v[AN_ROW_EFFICIENCY]))
        printf(", eff. %.2f %%", 100 * v[AN_ROW_EFFICIENCY]);
    const double moves =
        an_settling_moves(m->r->solver, AN_FIGURE_MASS_FLOW, an_settling_window(m->r->solver));
    if (p->outcome != AN_MAP_GOOD && !isnan(moves))
        printf("; the mass flow moved by %.2g %%", 100 * moves);
    if (p->choked)
        printf(", row %s is choked", p->choked);
    if (m->r->settled < 0 && m->r->motion.swings != AN_SWINGS_NOT && p->outcome != AN_MAP_GOOD)
        printf(", it swings about %.5g kg/s", m->r->motion.mean[AN_FIGURE_MASS_FLOW]);
}

/* Name of a file in the output folder. */
static const char *name_in_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Called when a snapshot has been written: the line of the point that waits for its snapshot, or is under way, goes
 * into map.csv. If the output folder was removed while the snapshot was written, a later state lies in the new
 * folder, which is not this point's. */
static int add_line(void *map)
{
    struct an_map *m = map;
    struct an_session *r = m->r;
    if (m->nline == m->n)
        return an_reduce_status(
            r->comm, r->rank == 0 && r->write_within
                         ? an_map_put_unfinished(m, name_in_folder(r->snapshot), r->write_begun)
                         : AN_OK);
    struct an_map_point *p = &m->point[m->n - 1];
    if (*p->snapshot && strcmp(name_in_folder(r->snapshot), p->snapshot) != 0) {
        if (r->rank == 0)
            an_map_forget_snapshot(m, p);
        snprintf(m->good, sizeof m->good, "%s", r->snapshot);
    }
    const int status = r->rank == 0 ? an_map_add_line(m) : AN_OK;
    m->nline = m->n;
    return an_reduce_status(r->comm, status);
}

/* A new point from the present flow, or the rest of one that was stopped. */
static int begin_point(struct an_map *m, double value)
{
    struct an_session *r = m->r;
    if (continues(m)) {
        m->now.snapshot[0] = '\0';
        m->now.started += MPI_Wtime();
    } else {
        m->now = (struct an_map_under_way){
            .value = value, .first = an_solver_iteration(r->solver), .started = MPI_Wtime()};
        r->continues = 0;
        AN_TRY(set_outlet(m, value));
        an_recovery_begin(r->solver, m->now.first > 0);
        double part;
        AN_TRY(an_predictor_move(r->solver, &m->predictor, value, &part));
        if (part > 0 && r->rank == 0)
            printf("map         point %d begins %.3g of the last step beyond the last point\n",
                   m->n, part);
    }
    r->least_flow = m->steps.has_good ? 0.5 * m->flow : 0;
    r->flow_from = m->now.first;
    r->ends_swinging = 1;
    return AN_OK;
}

/* Marches a point to its end. A point of the search toward stall gets what is left for that search. A first point that still moves, but neither falls nor swings, gets up to LONGER times its
 * iterations, unless the case limits them: from afar a large mesh needs more of them, and without this point there is no
 * line. */
static int march_point(struct an_map *m, enum an_ending *ending)
{
    enum { LONGER = 4 };
    struct an_session *r = m->r;
    const struct an_case *c = &r->in.c;
    const int64_t start = m->now.first;
    const int64_t left = an_map_search_left(&m->steps.effort);
    const int64_t most = start == 0 && c->map.first_iterations > 0
                             ? c->map.first_iterations
                             : (c->map.iterations < left ? c->map.iterations : left);
    const int longer = an_solver_iteration(r->solver) > start + most; /* stopped within these */
    if (!longer) {
        AN_TRY(an_session_march(r, start + most, ending));
        if (*ending != AN_END_FINISHED || m->steps.has_good || c->map.first_iterations > 0 ||
            judge(r, *ending) != AN_MAP_MOVING)
            return AN_OK;
    }
    if (r->rank == 0)
        printf("map         point %d: setting %.6g still moves; it goes on\n", m->n, m->now.value);
    return an_session_march(r, start + LONGER * most, ending);
}

/* One point. Its snapshot may still be under way at the end. */
static int run_point(struct an_map *m, double value)
{
    struct an_session *r = m->r;
    const struct an_case *c = &r->in.c;
    struct an_map_point *p = &m->point[m->n];
    enum an_ending ending;
    AN_TRY(begin_point(m, value));
    const int64_t start = m->now.first;
    int status = march_point(m, &ending);
    if (status != AN_OK && status != AN_DIVERGED)
        return status;
    if (status == AN_DIVERGED) /* the snapshot of the point before may be under way */
        AN_TRY(an_session_complete(r));
    *p = (struct an_map_point){.value = value,
                               .iteration = an_solver_iteration(r->solver),
                               .iterations = an_solver_iteration(r->solver) - start,
                               .pressure = an_control_pressure(r->solver, m->boundary),
                               .flow = an_map_figures(m)[AN_ROW_MASS_IN]};
    if (status == AN_DIVERGED && r->rank == 0)
        printf("map         %s\n", an_error_text());
    p->outcome = status == AN_DIVERGED ? AN_MAP_DIVERGED : judge(r, ending);
    ending = an_ending_of(status, ending);
    an_session_settle(r, ending);
    an_session_name_state(r, ending);
    if (p->outcome != AN_MAP_DIVERGED)
        AN_TRY(an_gas_range_find(r->solver, &r->range));
    if (r->rank == 0 && p->outcome != AN_MAP_DIVERGED)
        an_session_judge_gas(r);
    p->choked = choked(m, p);
    if (p->outcome <= AN_MAP_UNSETTLED) {
        m->flow = p->flow;
        m->pressure = p->pressure;
        note_rows(m);
        AN_TRY(an_snapshot_path(c->output.folder, "flow", p->iteration, m->good));
        snprintf(p->snapshot, sizeof p->snapshot, "%.255s", name_in_folder(m->good));
        AN_TRY(an_predictor_keep(r->solver, &m->predictor, value));
    }
    if (r->rank == 0) {
        printf("map         point %d: setting %.6g, %s after %" PRId64 " iterations, %.1f s", m->n,
               value, an_map_outcome_name[p->outcome], an_solver_iteration(r->solver) - start,
               MPI_Wtime() - m->now.started);
        if (p->outcome != AN_MAP_DIVERGED)
            print_figures(m, p);
        printf("\n");
        fflush(stdout);
        status = an_map_make_line(m, p, p->iteration - start, MPI_Wtime() - m->now.started);
    } else {
        status = AN_OK;
    }
    AN_TRY(an_reduce_status(r->comm, status));
    m->n++;
    an_map_note(&m->steps, value, an_map_went_of(p->outcome), p->iterations);
    if (r->write_ended)
        AN_TRY(add_line(m));
    return p->outcome > AN_MAP_UNSETTLED && *m->good ? step_back(m) : AN_OK;
}

/* The next setting into *value; 0: the line is complete. */
static int next_setting(const struct an_map *m, double *value)
{
    return m->n < AN_MAP_MOST && (continues(m) || !an_map_has_searched(&m->steps.effort)) &&
           an_map_next(&m->steps, value);
}

static int run_line(struct an_map *m)
{
    static const char *const easier[] = {
        [AN_VARY_BACK_PRESSURE] = "a lower back pressure",
        [AN_VARY_MASS_FLOW] = "a mass flow between choke and stall",
        [AN_VARY_THROTTLE] = "a smaller factor on the resistance of the throttle"};
    double value;
    while (next_setting(m, &value)) {
        AN_TRY(run_point(m, value));
        AN_CHECK(
            *m->good, AN_DIVERGED,
            "the first point of the line, %.6g, %s: nothing to start from; begin with %s, more "
            "iterations (map.first_iterations) or a more careful march",
            value, an_map_outcome_name[m->point[m->n - 1].outcome], easier[m->r->in.c.map.vary]);
    }
    return AN_OK;
}

int an_map_run(struct an_map *m)
{
    struct an_session *r = m->r;
    struct an_case *c = &r->in.c;
    AN_CHECK(c->march.mode == AN_MARCH_STEADY, AN_INPUT, "%s: a map needs 'march.mode: steady'",
             c->file);
    AN_TRY(plan(c, m));
    AN_TRY(find_outlet(c, &r->in.mesh.topology, &m->boundary));
    struct an_case_boundary *b = (struct an_case_boundary *)an_case_boundary_find(
        c, r->in.mesh.topology.boundary[m->boundary].name); /* of this very case */
    AN_CHECK(c->map.vary != AN_VARY_THROTTLE || b->outlet.throttle_mass_flow > 0, AN_INPUT,
             "%s: 'map.vary: throttle' needs 'throttle_mass_flow' of outlet '%s'", c->file,
             b->name);
    AN_CHECK(c->map.vary != AN_VARY_BACK_PRESSURE ||
                 (b->outlet.mass_flow <= 0 && b->outlet.throttle_mass_flow <= 0),
             AN_INPUT,
             "%s: 'map.vary: back_pressure' needs an outlet without mass_flow or throttle",
             c->file);
    adjust(c, b, m->planned[0]);
    snprintf(m->csv, sizeof m->csv, "%s/map.csv", c->output.folder);
    m->behind = malloc(((size_t)c->nrow + 1) * sizeof *m->behind);
    AN_CHECK(m->behind, AN_FAIL, "out of memory for rows");
    for (int n = 0; n < c->nrow; n++)
        m->behind[n] = NAN;
    AN_TRY(begin(m));
    double value;
    if (m->part && !next_setting(m, &value)) { /* the engine and the mesh are not needed */
        if (r->rank == 0 && m->n)
            printf("map         complete: %d points in %s\n", m->n, m->csv);
        return an_reduce_status(r->comm, r->rank == 0 && m->n && !m->chain && m->chains > 1
                                             ? an_session_keep_case(c)
                                             : AN_OK);
    }
    struct an_options o = *r->o;
    char path[AN_PATH + sizeof m->now.snapshot];
    snprintf(path, sizeof path, "%s/%s", c->output.folder, m->now.snapshot);
    if (continues(m) || *m->good)
        o.restart = continues(m) ? path : m->good;
    r->o = &o;
    r->on_made = set_first_outlet;
    r->on_written = add_line;
    r->context = m;
    AN_TRY(an_session_prepare(r));
    if (o.restart)
        AN_TRY(recall_points(m, o.restart));
    AN_TRY(an_reduce_status(r->comm, r->rank == 0 ? an_session_begin(r) : AN_OK));
    AN_TRY(an_geometry_write(r->solver));
    AN_TRY(an_reduce_status(r->comm, r->rank == 0 ? an_map_begin_csv(m) : AN_OK));
    if (r->rank == 0 && m->n)
        printf("map         goes on after %d points of %s\n", m->n, m->csv);
    if (r->rank == 0 && continues(m))
        printf("map         point %d: setting %.6g goes on at iteration %" PRId64 " of %s\n", m->n,
               m->now.value, m->now.iteration - m->now.first, m->now.snapshot);
    r->leave_write = 1;
    int status = run_line(m);
    if (status == AN_OK || status == AN_STOPPED) {
        const int written = an_session_complete(r);
        status = written == AN_OK ? status : written;
    }
    r->settled = 0; /* of a point, not of the map */
    r->state = NULL;
    an_session_info(r, status == AN_OK ? AN_END_FINISHED : AN_END_STOPPED, status,
                    status == AN_OK ? NULL : an_error_text());
    if (r->rank == 0 && status == AN_OK)
        printf("map         done: %d points in %s\n", m->n, m->csv);
    return status;
}

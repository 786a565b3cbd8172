#include "solver/boundary/solids.h"

#include "kernels/base/numbers.h"
#include "kernels/engine/model.h"
#include "kernels/physics/gas_state.h"
#include "mpi/reduce.h"
#include "solver/boundary/face_values.h"
#include "solver/boundary/solid_state.h"
#include "solver/boundary/solid_time.h"
#include "solver/flow/fields.h"
#include "solver/flow/flow.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/level/worker.h"

#include <math.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STANDS     1e-4 /* of the temperature: how much an exchange may change it where it stands */
#define UNEVEN     0.01 /* sum of the heats of a solid's surfaces over the largest of them */
#define ROUNDING   1e-5 /* of the temperature: heat of a smaller difference may be that of rounding */
#define FAR_LONGER 10   /* time that heat takes through a solid over that of a run */
#define LEAST_CHANGE \
    1e-6 /* of the temperature: smaller changes say nothing of the answer of the gas */

static struct an_solids *solids_of(const struct an_solver *s)
{
    return an_component_of(s, &an_solids_component);
}

static void solids_destroy(struct an_solver *s, void *component)
{
    struct an_solids *k = component;
    an_worker_free(k->worker);
    for (int m = 0; m < k->n; m++)
        an_solid_free(&k->solid[m]);
    if (k->faces)
        s->engine->op->faces_free(s->engine, k->faces);
    if (k->field)
        s->engine->op->free(s->engine, k->field);
    if (k->image)
        s->engine->op->free_host(s->engine, k->image);
    free(k->solid);
    free(k->conductance);
    free(k->T);
    free(k->heat);
    free(k->T_of_heat);
    free(k->heat_last);
    free(k->number);
    free(k->row);
    free(k);
}

static int is_unsteady(const struct an_solver *s)
{
    return s->c->march.mode == AN_MARCH_UNSTEADY;
}

/* The change of theta that the present loads of all solids lead to; reads theta. */
static void solve(void *solids)
{
    struct an_solids *k = solids;
    for (struct an_solid *q = k->solid; q < k->solid + k->n; q++) {
        /* what the surfaces bring and the solid does not yet carry off leads to a change of theta */
        an_conduction_apply(&q->conduction, q->theta, q->change);
        for (int32_t u = 0; u < q->mesh.nunknown; u++) {
            q->load[u] -= q->change[u];
            q->change[u] = 0;
        }
        an_conduction_set(&q->conduction, q->diagonal);
        an_conduction_solve(&q->conduction, q->load, 0.03, 50, q->change);
    }
}

static int solids_make(struct an_solver *s, void **component)
{
    if (s->c->nsolid == 0)
        return AN_OK;
    struct an_solids *k = calloc(1, sizeof *k);
    *component = k;
    AN_CHECK(k, AN_FAIL, "out of memory for solids");
    if (!is_unsteady(s)) { /* an engine on the host's threads leaves none for a thread beside it */
        const int all = omp_get_max_threads(), others = all > 1 ? all - 1 : 1;
        k->worker = an_worker_new(solve, k, s->engine->threads == 0, others);
        AN_CHECK(k->worker, AN_FAIL, "out of memory for solids");
    }
    return an_solids_setup(s, k);
}

/* Of a solid at the start: as the case says, or half-way between the gas and the mean of its coolants. */
static double first_temperature(const struct an_solver *s, const struct an_solid *q)
{
    double sum = 0;
    int n = 0;
    for (int m = 0; m < q->nsurface; m++)
        if (q->surface[m].set && q->surface[m].set->T > 0) {
            sum += q->surface[m].set->T;
            n++;
        }
    if (q->set->T > 0)
        return q->set->T;
    return n ? 0.5 * (s->c->initial.T + sum / n) : s->c->initial.T;
}

static void set_wall(void *context, const struct an_face_place *at, double v[AN_BC_NVALUE])
{
    (void)at;
    memcpy(v, context, AN_BC_NVALUE * sizeof *v);
}

/* Gives up an exchange that has begun. */
static void give_up(struct an_solids *k)
{
    if (k->worker)
        an_worker_wait(k->worker);
    k->left = 0;
}

static int solids_start(struct an_solver *s, void *component, int fresh)
{
    struct an_solids *k = component;
    give_up(k);
    for (const struct an_solid *q = k->solid; q < k->solid + k->n; q++)
        AN_CHECK(!fresh || !is_unsteady(s) || q->storage > 0, AN_INPUT,
                 "%s: 'solids.%s': in unsteady runs a solid without 'rho' and 'cp' keeps the "
                 "temperatures of a steady run: begin with its snapshot, --restart",
                 an_case_at(s->c, q->set->line), q->set->name);
    k->known = 0;
    AN_EACH_SOLID_GAS(k, q, g)
    {
        an_face_values_set(s, g->boundary, set_wall, s->boundary[g->boundary].v);
        g->answer = 1;
    }
    for (struct an_solid *q = k->solid; q < k->solid + k->n; q++) {
        const double theta = an_metal_theta(&q->metal, first_temperature(s, q));
        for (int32_t u = 0; u < q->mesh.nunknown; u++)
            q->theta[u] = theta;
    }
    k->exchanges = 0;
    an_solids_temperatures(k);
    k->change = INFINITY;
    return an_solids_impose(s, k);
}

/* How the gas answers to another temperature, from this exchange and the last one. */
static void find_answer(const struct an_solids *k, struct an_solid_gas *g, const double *heat)
{
    double dT_dQ = 0, dT_dT = 0, square = 0;
    for (int64_t f = g->first; f < g->first + g->contact.nface; f++) {
        const double dT = k->T[f] - k->T_of_heat[f], weight = k->conductance[f];
        dT_dQ -= dT * (heat[f] - k->heat[f]);
        dT_dT += dT * dT * weight;
        square += k->T[f] * k->T[f] * weight;
    }
    if (!(dT_dT > LEAST_CHANGE * LEAST_CHANGE * square) || !(dT_dQ > 0))
        return;
    const double answer = 1.3 * dT_dQ / dT_dT;
    g->answer = fmin(fmax(answer, 0.5 * g->answer), 2 * g->answer);
    g->answer = fmin(fmax(g->answer, 1e-4), 1e4);
}

/* Temperatures that the solid cannot leave, with a margin for the heating of the gas by rows and walls: while a flow begins,
 * its heat leads elsewhere. */
static void limits_of(const struct an_solver *s, const struct an_solid *q, double limit[2])
{
    double low = s->c->initial.T, high = an_case_hottest_gas(s->c);
    int heated = 0;
    for (int m = 0; m < q->nsurface; m++) {
        const struct an_case_solid_wall *set = q->surface[m].set;
        if (set && set->T > 0) {
            low = fmin(low, set->T);
            high = fmax(high, set->T);
        }
        heated |= set && set->heat_flux != 0;
    }
    limit[0] = an_metal_theta(&q->metal, heated ? 0.1 * low : 0.8 * low);
    limit[1] = an_metal_theta(&q->metal, heated ? 10 * high : 1.25 * high);
}

/* Takes the heat that was measured, and lets the worker solve the conduction for it. */
static int begin_exchange(struct an_solver *s, struct an_solids *k)
{
    double *heat = malloc(((size_t)k->nface + 1) * sizeof *heat);
    const int status = heat ? AN_OK : an_error_set(AN_FAIL, "out of memory for solids");
    AN_TRY(an_reduce_status(s->comm, status));
    const int measured = an_solids_measure_finish(s, k, heat);
    if (measured == AN_OK) {
        if (k->exchanges) {
            AN_EACH_SOLID_GAS(k, q, g)
            {
                find_answer(k, g, heat);
            }
        }
        memcpy(k->heat, heat, (size_t)k->nface * sizeof *heat);
        memcpy(k->T_of_heat, k->T, (size_t)k->nface * sizeof *heat);
        for (struct an_solid *q = k->solid; q < k->solid + k->n; q++)
            an_solid_loads(s, k, q);
        an_worker_start(k->worker);
        k->exchanges++;
        k->left = AN_SOLID_LAG;
    }
    free(heat);
    return measured;
}

/* The walls of the gas get the temperatures that the exchange leads to. */
static int end_exchange(struct an_solver *s, struct an_solids *k)
{
    an_worker_wait(k->worker);
    for (struct an_solid *q = k->solid; q < k->solid + k->n; q++) {
        double limit[2];
        limits_of(s, q, limit);
        for (int32_t u = 0; u < q->mesh.nunknown; u++)
            q->theta[u] = fmin(fmax(q->theta[u] + q->change[u], limit[0]), limit[1]);
    }
    k->change = an_solids_temperatures(k);
    AN_TRY(an_solids_impose(s, k));
    /* the omega of SST at the wall and the eddy viscosity behind it follow its temperature, too */
    return an_solver_refresh(s);
}

static int solids_before_step(struct an_solver *s, void *component)
{
    struct an_solids *k = component;
    if (is_unsteady(s))
        return an_solids_store(k) ? an_solids_predict(s, k) : AN_OK;
    k->measured = !k->left && s->iteration && s->iteration % AN_SOLID_EVERY == 0;
    return k->measured ? an_solids_measure_start(s, k) : AN_OK;
}

static int solids_after_step(struct an_solver *s, void *component)
{
    struct an_solids *k = component;
    if (is_unsteady(s))
        return an_solids_store(k) ? an_solids_correct(s, k) : AN_OK;
    if (k->measured)
        AN_TRY(begin_exchange(s, k));
    return k->left && --k->left == 0 ? end_exchange(s, k) : AN_OK;
}

/* ---- snapshots */

static int solids_keep(const struct an_solver *s, const void *component,
                       struct an_snapshot_meta *meta)
{
    (void)s;
    const struct an_solids *k = component;
    char name[64];
    if (k->left)
        an_worker_wait(k->worker);
    for (const struct an_solid *q = k->solid; q < k->solid + k->n; q++) {
        an_solid_value_name(q, "mesh", name);
        AN_TRY(an_snapshot_control_add(meta, name, q->mark));
        an_solid_value_name(q, "theta", name);
        AN_TRY(an_solids_keep_values(meta, name, q->mesh.nunknown, q->theta));
        an_solid_value_name(q, "change", name);
        if (k->left)
            AN_TRY(an_solids_keep_values(meta, name, q->mesh.nunknown, q->change));
        for (const struct an_solid_gas *g = q->gas; g < q->gas + q->ngas; g++) {
            snprintf(name, sizeof name, "solids.answer.%d", g->boundary);
            AN_TRY(an_snapshot_control_add(meta, name, g->answer));
        }
        for (const struct an_solid_surface *w = q->surface; w < q->surface + q->nsurface; w++) {
            snprintf(name, sizeof name, "solids.%.30s.coolant.%d", q->set->name, w->boundary);
            AN_TRY(an_snapshot_control_add(meta, name, w->coolant[1]));
        }
    }
    AN_TRY(an_snapshot_control_add(meta, "solids.exchanges", k->exchanges));
    AN_TRY(an_snapshot_control_add(meta, "solids.left", k->left));
    AN_TRY(an_snapshot_control_add(meta, "solids.change", isfinite(k->change) ? k->change : -1));
    AN_TRY(an_solids_keep_values(meta, "solids.heat", k->nface, k->heat));
    AN_TRY(an_solids_keep_values(meta, "solids.T_of_heat", k->nface, k->T_of_heat));
    return an_solids_time_keep(k, meta);
}

/* Heat of the surfaces for reports; the coolants stay as they are. */
static void find_heat(const struct an_solver *s, const struct an_solids *k, struct an_solid *q)
{
    double *out = malloc(((size_t)q->nsurface + 1) * sizeof *out);
    for (int m = 0; out && m < q->nsurface; m++)
        out[m] = q->surface[m].coolant[1];
    if (out)
        an_solid_loads(s, k, q);
    for (int m = 0; out && m < q->nsurface; m++)
        q->surface[m].coolant[1] = out[m];
    free(out);
}

/* The exchange that had begun when the snapshot was written. */
static void take_exchange(struct an_solids *k, const struct an_snapshot_meta *meta)
{
    k->left = k->exchanges && k->worker ? (int)an_snapshot_control_get(meta, "solids.left", 0) : 0;
    for (struct an_solid *q = k->solid; q < k->solid + k->n && k->left; q++) {
        char name[64];
        an_solid_value_name(q, "change", name);
        const double *change = an_snapshot_array_get(meta, name, q->mesh.nunknown);
        if (change)
            memcpy(q->change, change, (size_t)q->mesh.nunknown * sizeof *change);
        else
            k->left = 0;
    }
}

static int solids_take(struct an_solver *s, void *component, const struct an_snapshot_meta *meta)
{
    struct an_solids *k = component;
    char name[64];
    give_up(k);
    const double *heat = an_snapshot_array_get(meta, "solids.heat", k->nface);
    const double *T = an_snapshot_array_get(meta, "solids.T_of_heat", k->nface);
    for (struct an_solid *q = k->solid; q < k->solid + k->n; q++) {
        an_solid_value_name(q, "mesh", name);
        const int same = an_snapshot_control_get(meta, name, -1) == q->mark;
        an_solid_value_name(q, "theta", name);
        const double *theta = same ? an_snapshot_array_get(meta, name, q->mesh.nunknown) : NULL;
        AN_CHECK(theta || !is_unsteady(s) || q->storage > 0, AN_INPUT,
                 "%s: the snapshot has no temperatures of solid '%s' on this mesh: begin with one "
                 "of a steady "
                 "run with this solid",
                 s->c->file, q->set->name);
        q->anew = !theta;
        if (q->anew)
            continue;
        memcpy(q->theta, theta, (size_t)q->mesh.nunknown * sizeof *theta);
        for (struct an_solid_gas *g = q->gas; g < q->gas + q->ngas; g++) {
            snprintf(name, sizeof name, "solids.answer.%d", g->boundary);
            g->answer = an_snapshot_control_get(meta, name, 1);
        }
        for (struct an_solid_surface *w = q->surface; w < q->surface + q->nsurface; w++) {
            snprintf(name, sizeof name, "solids.%.30s.coolant.%d", q->set->name, w->boundary);
            if (w->nstation)
                w->coolant[1] = an_snapshot_control_get(meta, name, w->coolant[1]);
        }
    }
    an_solids_temperatures(k);
    for (const struct an_solid *q = k->solid; q < k->solid + k->n; q++)
        if (q->anew) /* what the faces gave belongs to other temperatures */
            heat = NULL;
    k->exchanges = heat && T ? (int)an_snapshot_control_get(meta, "solids.exchanges", 0) : 0;
    const double change = heat ? an_snapshot_control_get(meta, "solids.change", -1) : -1;
    k->change = change < 0 ? INFINITY : change;
    if (k->exchanges) {
        memcpy(k->heat, heat, (size_t)k->nface * sizeof *heat);
        memcpy(k->T_of_heat, T, (size_t)k->nface * sizeof *T);
        for (struct an_solid *q = k->solid; q < k->solid + k->n; q++)
            find_heat(s, k, q);
    }
    take_exchange(k, meta);
    an_solids_time_take(k, meta);
    return an_solids_impose(s, k);
}

/* ---- figures */

int an_solids_stand(const struct an_solver *s)
{
    const struct an_solids *k = solids_of(s);
    double sum = 0;
    if (!k || k->nface == 0)
        return 1;
    for (int64_t f = 0; f < k->nface; f++)
        sum += k->T[f];
    return k->change <= STANDS * sum / (double)k->nface;
}

static void temperature_add(double T, double weight, double range[3], double *total)
{
    range[0] = fmin(range[0], T);
    range[1] += weight * T;
    range[2] = fmax(range[2], T);
    *total += weight;
}

static struct an_solid_report report_of(const struct an_solid *q, const struct an_solid_surface *w)
{
    struct an_solid_report r = {.solid = q->set->name, .T = {INFINITY, 0, -INFINITY}};
    double total = 0;
    if (!w) {
        for (int32_t u = 0; u < q->mesh.nunknown; u++)
            temperature_add(q->T[u], 1, r.T, &total);
        r.heat = q->imbalance;
    } else {
        r.surface = q->mesh.boundary[w->boundary];
        r.area = w->total;
        r.heat = q->heat[w->boundary];
        r.h = w->h;
        memcpy(r.coolant, w->coolant, sizeof r.coolant);
        for (int32_t n = 0; n < w->n; n++)
            temperature_add(q->T[w->unknown[n]], w->area[n], r.T, &total);
    }
    r.T[1] /= total;
    return r;
}

int an_solids_reports(const struct an_solver *s, struct an_solid_report *report)
{
    const struct an_solids *k = solids_of(s);
    int n = 0;
    for (int m = 0; k && m < k->n; m++)
        for (int w = -1; w < k->solid[m].nsurface; w++, n++)
            if (report)
                report[n] = report_of(&k->solid[m], w < 0 ? NULL : &k->solid[m].surface[w]);
    return n;
}

void an_solids_figures(const struct an_solver *s, double (*figure)[AN_NSOLID_FIGURE])
{
    const struct an_solids *k = solids_of(s);
    for (int m = 0; k && m < k->n; m++) {
        const struct an_solid *q = &k->solid[m];
        double *of = figure[m];
        of[AN_SOLID_T_MAX] = -INFINITY;
        of[AN_SOLID_GAS_HEAT] = k->exchanges ? 0 : NAN;
        for (int32_t u = 0; u < q->mesh.nunknown; u++)
            of[AN_SOLID_T_MAX] = fmax(of[AN_SOLID_T_MAX], q->T[u]);
        for (const struct an_solid_gas *g = q->gas; g < q->gas + q->ngas; g++)
            for (int64_t f = g->first; f < g->first + g->contact.nface; f++)
                of[AN_SOLID_GAS_HEAT] += k->heat[f];
    }
}

/* ---- doubts */

struct doubts {
    int n; /* of those that are still to be passed over */
    char *text;
    size_t size;
};

/* 1 for the one that is wanted. */
static int doubt(struct doubts *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int doubt(struct doubts *d, const char *format, ...)
{
    va_list list;
    if (d->n-- > 0)
        return 0;
    va_start(list, format);
    vsnprintf(d->text, d->size, format, list);
    va_end(list);
    return 1;
}

static int doubt_surface(const struct an_solver *s, const struct an_solid *q,
                         const struct an_solid_surface *w, struct doubts *d)
{
    const char *name = q->mesh.boundary[w->boundary];
    for (int n = 0; n < s->c->nsolid_wall && w->set->T > 0 && w->coolant[0] == 0; n++) {
        const struct an_case_solid_wall *o = &s->c->solid_wall[n];
        if (o != w->set && (o->h > 0 || o->mass_flow > 0) && an_case_matches(o->name, name) &&
            doubt(d,
                  "solid '%s': 'solid_walls.%s' holds '%s' at %.6g K, in place of the coolant of "
                  "'%s'; give 'h' or 'mass_flow', too, if T is that "
                  "of a coolant",
                  q->set->name, w->set->name, name, w->set->T, o->name))
            return 1;
    }
    const double sound =
        an_state_sound(&s->c->gas.model, s->c->initial.p, w->coolant[0] > 0 ? w->coolant[0] : 300);
    const double density = an_state_density(&s->c->gas.model, s->c->initial.p,
                                            w->coolant[0] > 0 ? w->coolant[0] : 300);
    const double mach = w->nstation ? w->set->mass_flow / (density * w->section * sound) : 0;
    if (mach > 1 &&
        doubt(d,
              "solid '%s': %.4g kg/s through channel '%s' would need a Mach number of %.3g at the "
              "pressure of the gas; plausible: at most "
              "%.3g kg/s",
              q->set->name, w->set->mass_flow, name, mach, 0.5 * w->set->mass_flow / mach))
        return 1;
    const double mu = an_model_viscosity(&s->params, w->coolant[0]);
    const double reynolds =
        w->nstation ? w->set->mass_flow * w->diameter / (w->section * mu) : INFINITY;
    return reynolds < 4000 && doubt(d,
                                    "solid '%s': the Reynolds number in channel '%s' is %.3g; the "
                                    "correlation of its heat transfer holds for turbulent "
                                    "flow, above 10000",
                                    q->set->name, name, reynolds);
}

/* A solid that is still far from where it settles, although its temperatures hardly change from step to step. */
static int doubt_progress(const struct an_solver *s, const struct an_solids *k,
                          const struct an_solid *q, struct doubts *d)
{
    double largest = 0, least = 0;
    for (int m = 0; m < q->nsurface; m++)
        largest = fmax(largest, fabs(q->heat[q->surface[m].boundary]));
    for (const struct an_solid_gas *g = q->gas; g < q->gas + q->ngas; g++)
        for (int64_t f = g->first; f < g->first + g->contact.nface; f++)
            least += ROUNDING * k->conductance[f] * k->T[f];
    if (q->storage > 0) {
        const double scale = an_solid_time_scale(q, report_of(q, NULL).T[1]);
        return scale > FAR_LONGER * s->time &&
               doubt(
                   d,
                   "solid '%s': heat takes about %.3g s to pass through it (rho cp (volume / "
                   "area)^2 / k), but the run has covered only %.3g s: beyond a thin layer at its "
                   "surfaces, the solid still has the temperatures that it began with",
                   q->set->name, scale, s->time);
    }
    return !is_unsteady(s) && k->exchanges && an_solids_stand(s) && q->ngas && largest > least &&
           fabs(q->imbalance) > UNEVEN * largest &&
           doubt(d,
                 "solid '%s' has not settled: the heat of its surfaces adds up to %.3g W, %.2g %% "
                 "of the largest of them, although the last exchange changed the wall of the gas "
                 "by %.2g K only: run longer",
                 q->set->name, q->imbalance, 100 * fabs(q->imbalance) / largest, k->change);
}

int an_solids_doubt(const struct an_solver *s, int n, char *text, size_t size)
{
    const struct an_solids *k = solids_of(s);
    struct doubts d = {n, text, size};
    for (int m = 0; k && m < k->n; m++) {
        const struct an_solid *q = &k->solid[m];
        const struct an_solid_report r = report_of(q, NULL);
        const double *T = q->metal.T;
        if (q->anew && doubt(&d,
                             "the snapshot of the restart had no temperatures of solid '%s' on "
                             "this mesh: they began anew, at %.4g K",
                             q->set->name, first_temperature(s, q)))
            return 1;
        for (int w = 0; w < q->nsurface; w++)
            if (q->surface[w].set && doubt_surface(s, q, &q->surface[w], &d))
                return 1;
        if (!q->ngas && doubt(&d,
                              "solid '%s' touches the gas nowhere: no boundary of solid_walls that "
                              "it has has the key 'gas'",
                              q->set->name))
            return 1;
        if (q->metal.n > 1 && (r.T[0] < T[0] || r.T[2] > T[q->metal.n - 1]) &&
            doubt(&d,
                  "solid '%s' has %.4g to %.4g K; its conductivity is known from %.4g to %.4g K "
                  "only, and constant beyond",
                  q->set->name, r.T[0], r.T[2], T[0], T[q->metal.n - 1]))
            return 1;
    }
    for (int m = 0; k && m < k->n; m++)
        if (doubt_progress(s, k, &k->solid[m], &d))
            return 1;
    if (k && !is_unsteady(s) && !isfinite(k->change) && k->nface)
        return doubt(
            &d,
            "the solids still have the temperatures of the start: heat passes every %d iterations",
            (int)AN_SOLID_EVERY);
    return k && !is_unsteady(s) && !an_solids_stand(s) &&
           doubt(&d,
                 "the temperatures of the solids still change, by %.3g K in the last %d "
                 "iterations: run longer",
                 k->change, (int)AN_SOLID_EVERY);
}

static void solids_print(const struct an_solver *s, const void *component, FILE *out)
{
    const struct an_solids *k = component;
    for (const struct an_solid *q = k->solid; q < k->solid + k->n; q++) {
        const double T = first_temperature(s, q);
        fprintf(out,
                "solid       %s: %lld cells, %d unknowns; conductivity %.4g W/(m K) at %.4g K; "
                "starts at %.4g K\n",
                q->set->name, (long long)q->mesh.ncell, (int)q->mesh.nunknown,
                an_metal_conductivity(&q->metal, T), T, T);
        if (q->storage > 0)
            fprintf(out,
                    "            stores heat: %.4g J/(m3 K); heat takes about %.3g s to pass "
                    "through it\n",
                    q->storage, an_solid_time_scale(q, T));
        for (const struct an_solid_surface *w = q->surface; w < q->surface + q->nsurface; w++) {
            fprintf(out, "            %s: %.4g m2, ", q->mesh.boundary[w->boundary], w->total);
            if (!w->set)
                fprintf(out, "no heat passes (not in solid_walls)\n");
            else if (*w->set->gas)
                fprintf(out, "the gas at wall %s\n", w->set->gas);
            else if (w->set->mass_flow > 0)
                fprintf(out,
                        "a channel %.4g m long, hydraulic diameter %.4g m: %.4g kg/s of %.4g K\n",
                        w->length, w->diameter, w->set->mass_flow, w->set->T);
            else if (w->h > 0)
                fprintf(out, "a coolant of %.4g K, %.4g W/(m2 K)\n", w->set->T, w->h);
            else if (w->set->T > 0)
                fprintf(out, "%.4g K\n", w->set->T);
            else
                fprintf(out, "%.4g W/m2\n", w->set->heat_flux);
        }
        for (const struct an_solid_gas *g = q->gas; g < q->gas + q->ngas; g++)
            fprintf(out,
                    "            wall %s of the gas: %lld faces, at most %.2g m from the solid\n",
                    s->mesh->topology.boundary[g->boundary].name, (long long)g->contact.nface,
                    g->contact.distance);
    }
}

static void solids_report(const struct an_solver *s, const void *component, FILE *out)
{
    const struct an_solids *k = component;
    const int n = an_solids_reports(s, NULL);
    struct an_solid_report *r = calloc((size_t)n + 1, sizeof *r);
    if (r)
        an_solids_reports(s, r);
    for (int m = 0; r && m < n; m++) {
        if (!r[m].surface)
            fprintf(out,
                    "solid       %s: %.2f to %.2f K; the heat of its surfaces adds up to %.3g W; "
                    "the last %s changed the "
                    "wall of the gas by %.2g K\n",
                    r[m].solid, r[m].T[0], r[m].T[2], r[m].heat,
                    is_unsteady(s) && an_solids_store(k) ? "step" : "exchange", k->change);
        else if (r[m].heat != 0) {
            fprintf(out, "            %s: %.2f to %.2f K, mean %.2f K; %.6g W into the solid",
                    r[m].surface, r[m].T[0], r[m].T[2], r[m].T[1], r[m].heat);
            if (r[m].h > 0)
                fprintf(out, "; h %.5g W/(m2 K), coolant %.2f to %.2f K", r[m].h, r[m].coolant[0],
                        r[m].coolant[1]);
            fputc('\n', out);
        }
    }
    free(r);
}

const struct an_component_type an_solids_component = {.name = "solids",
                                                      .after = AN_AFTER("face values", "cooling"),
                                                      .make = solids_make,
                                                      .destroy = solids_destroy,
                                                      .start = solids_start,
                                                      .take = solids_take,
                                                      .before_step = solids_before_step,
                                                      .after_step = solids_after_step,
                                                      .keep = solids_keep,
                                                      .print = solids_print,
                                                      .report = solids_report};

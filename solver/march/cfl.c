/* The CFL number of each step, and what else depends on the iteration. */
#include "solver/march/cfl.h"
#include "solver/flow/turbulence.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/level/tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Part of the case's CFL number that the next step uses. */
static double caution_of(const struct an_solver *s)
{
    const struct an_marching *m = an_marching_of(s);
    return s->iteration > m->changed ? m->control.caution : m->before;
}

double an_solver_cfl(const struct an_solver *s)
{
    const struct an_case *c = s->c;
    if (c->march.mode == AN_MARCH_UNSTEADY)
        return c->march.cfl;
    const struct an_marching *m = an_marching_of(s);
    const double most = caution_of(s) * c->march.cfl;
    const int64_t done = s->iteration - m->ramp_from;
    if (c->march.cfl_ramp <= 0 || done >= c->march.cfl_ramp)
        return most;
    const double start = fmin(c->march.cfl_start, most);
    return start * pow(most / start, (double)done / c->march.cfl_ramp);
}

/* Extra dissipation of a steady start: a floor of the shock sensor that fades like (1 - n/N)^2. It
 * swallows the waves that an initial state far from the flow sends through the domain. */
static double least_sensor(const struct an_case *c, int64_t iteration)
{
    if (c->march.mode == AN_MARCH_UNSTEADY || iteration >= c->march.smooth_start)
        return 0;
    const double left = 1 - (double)iteration / c->march.smooth_start;
    return AN_TUNE_START_SENSOR * left * left;
}

int an_march_limits_finest(const struct an_solver *s)
{
    return s->implicit && s->nlevel > 1 && s->c->march.cfl_finest > 0 &&
           !an_marching_of(s)->finest_free;
}

/* CFL number of the finest level where coarse ones have this one. A large one lets waves of several cells grow
 * where the residual is of second order and cells are long (theory.md, implicit lines). */
static double finest_cfl(const struct an_solver *s, double cfl)
{
    const double most = s->c->march.cfl_finest;
    return an_march_limits_finest(s) ? fmin(cfl, most * sqrt(caution_of(s))) : cfl;
}

void an_solver_ramp(struct an_solver *s)
{
    s->params.march.cfl = finest_cfl(s, an_solver_cfl(s));
    s->params.flux.sensor_least = least_sensor(s->c, s->iteration);
    s->params_coarse.march.cfl = an_solver_cfl(s);
    if (an_case_has_bcm(s->c)) /* below zero: without production */
        s->params.turb.inflow_intensity = s->iteration < s->c->turbulence.laminar_start
                                              ? -s->c->turbulence.intensity
                                              : s->c->turbulence.intensity;
    if (an_case_has_intermittency(s->c)) /* below zero: without onset */
        s->params.turb.stream_intensity = s->iteration < s->c->turbulence.laminar_start
                                              ? -1
                                              : s->c->turbulence.transition_intensity;
    if (s->c->march.residual_smoothing) {
        s->params.march.smooth_ratio = s->params.march.cfl / an_case_plain_cfl(s->c);
        s->params.march.explicit_march = 1 / fmax(1, s->params.march.smooth_ratio);
    }
}

void an_march_forget(struct an_marching *m, double caution)
{
    an_control_forget(&m->control, caution);
    an_march_changed(m, caution, -1);
}

void an_march_changed(struct an_marching *m, double before, int64_t iteration)
{
    m->before = before;
    m->changed = iteration;
}

/* Runge-Kutta coefficients (Jameson) of so many stages: the last stage is the step. */
static void coefficients(int nstage, double alpha[8])
{
    static const double five[] = {1.0 / 4, 1.0 / 6, 3.0 / 8, 1.0 / 2, 1};
    static const double two[] = {0.4, 1}, three[] = {0.15, 0.4, 1};
    static const double four[] = {1.0 / 4, 1.0 / 3, 1.0 / 2, 1};
    const double *from = nstage == 5   ? five
                         : nstage == 4 ? four
                         : nstage == 3 ? three
                                       : two + (2 - nstage);
    memcpy(alpha, from, (size_t)nstage * sizeof *alpha);
}

static void set_stages(const struct an_case *c, struct an_marching *m)
{
    m->nstage = c->march.method == AN_METHOD_SCREE ? 1 : c->march.stages;
    m->nstage_coarse = c->multigrid.stages ? c->multigrid.stages : m->nstage;
    coefficients(m->nstage, m->alpha);
    coefficients(m->nstage_coarse, m->alpha_coarse);
}

int an_march_set_runtime(struct an_solver *s)
{
    struct an_marching *m = an_marching_of(s);
    const double now[2][AN_NRUNTIME] = {
        {[AN_RUNTIME_cfl] = s->params.march.cfl,
         [AN_RUNTIME_turb_time] = an_turbulence_time_weight(s->params.march.cfl)},
        {[AN_RUNTIME_cfl] = s->params_coarse.march.cfl,
         [AN_RUNTIME_turb_time] = s->params_coarse.march.turb_time}};
    if (!m->runtime || !memcmp(m->runtime_holds, now, sizeof now))
        return AN_OK;
    memcpy(m->runtime_holds, now, sizeof now);
    return s->engine->op->set_runtime(s->engine, m->runtime, 2, now);
}

/* A dual march has weights of its own within a step. */
static int make_runtime(struct an_solver *s, struct an_marching *m)
{
    const size_t bytes = AN_NRUNTIME * (size_t)s->level->layout.precision;
    if (!m->graph.on || s->c->march.mode == AN_MARCH_UNSTEADY)
        return AN_OK;
    AN_TRY(s->engine->op->alloc(s->engine, 2 * bytes, &m->runtime));
    s->params.runtime = m->runtime;
    s->params_coarse.runtime = (const char *)m->runtime + bytes;
    return an_march_set_runtime(s);
}

static int cfl_make(struct an_solver *s, void **component)
{
    struct an_marching *m = calloc(1, sizeof *m);
    *component = m;
    AN_CHECK(m, AN_FAIL, "out of memory for the march");
    set_stages(s->c, m);
    an_march_forget(m, 1);
    an_graph_prepare(s, &m->graph);
    return make_runtime(s, m);
}

static void cfl_destroy(struct an_solver *s, void *component)
{
    struct an_marching *m = component;
    if (m->runtime)
        s->engine->op->free(s->engine, m->runtime);
    an_graph_destroy(s, &m->graph);
    free(m);
}

static int cfl_start(struct an_solver *s, void *component, int fresh)
{
    struct an_marching *m = component;
    s->residual_is_current = 0;
    if (fresh) {
        m->ramp_from = 0;
        m->finest_free = 0;
        an_march_forget(m, 1);
    }
    return AN_OK;
}

static int cfl_before_measure(struct an_solver *s, void *component)
{
    (void)component;
    an_solver_ramp(s);
    return an_march_set_runtime(s);
}

static int add(struct an_snapshot_meta *meta, const char *name, double value, double standard)
{
    char full[64];
    if (value == standard)
        return AN_OK;
    snprintf(full, sizeof full, "march.%s", name);
    return an_snapshot_control_add(meta, full, value);
}

static double get(const struct an_snapshot_meta *meta, const char *name, double standard)
{
    char full[64];
    snprintf(full, sizeof full, "march.%s", name);
    return an_snapshot_control_get(meta, full, standard);
}

/* What the CFL number follows; nothing until a residual was noted. */
static int cfl_keep(const struct an_solver *s, const void *component, struct an_snapshot_meta *meta)
{
    (void)s;
    const struct an_marching *m = component;
    const struct an_control *c = &m->control;
    char name[32];
    AN_TRY(add(meta, "ramp_from", (double)m->ramp_from, 0));
    AN_TRY(add(meta, "caution", c->caution, 1));
    AN_TRY(add(meta, "caution_before", m->before, c->caution));
    AN_TRY(add(meta, "caution_changed", (double)m->changed, -1));
    AN_TRY(add(meta, "caution_most", c->most, 1));
    AN_TRY(add(meta, "caution_raised", c->raised, 0));
    AN_TRY(add(meta, "finest_free", m->finest_free, 0));
    AN_TRY(add(meta, "trial", c->trial, AN_TRIAL_NONE));
    AN_TRY(add(meta, "trial_level", c->level, 0));
    for (int n = 0; n < c->n; n++) {
        snprintf(name, sizeof name, "sample.%d", n);
        AN_TRY(add(meta, name, c->sample[n], INFINITY));
    }
    return AN_OK;
}

/* What was learned with other keys holds for another march: it is not taken. The record of a state
 * that this run itself goes back to has no hash. */
static int cfl_take(struct an_solver *s, void *component, const struct an_snapshot_meta *meta)
{
    struct an_marching *m = component;
    struct an_control *c = &m->control;
    char name[32];
    m->ramp_from = (int64_t)get(meta, "ramp_from", 0);
    m->finest_free = 0;
    an_march_forget(m, 1);
    if (meta->case_hash && meta->case_hash != s->c->hash)
        return AN_OK;
    m->finest_free = get(meta, "finest_free", 0) > 0;
    c->caution = get(meta, "caution", 1);
    an_march_changed(m, get(meta, "caution_before", c->caution),
                     (int64_t)get(meta, "caution_changed", -1));
    c->most = get(meta, "caution_most", 1);
    c->raised = get(meta, "caution_raised", 0) > 0;
    c->trial = (enum an_trial)get(meta, "trial", AN_TRIAL_NONE);
    c->level = get(meta, "trial_level", 0);
    for (c->n = 0; c->n < AN_CONTROL_SAMPLES; c->n++) {
        snprintf(name, sizeof name, "sample.%d", c->n);
        c->sample[c->n] = get(meta, name, INFINITY);
        if (c->sample[c->n] == INFINITY)
            break;
    }
    return AN_OK;
}

const struct an_component_type an_march_component = {.name = "march",
                                                     .make = cfl_make,
                                                     .destroy = cfl_destroy,
                                                     .start = cfl_start,
                                                     .take = cfl_take,
                                                     .before_measure = cfl_before_measure,
                                                     .keep = cfl_keep};

struct an_marching *an_marching_of(const struct an_solver *s)
{
    return an_component_of(s, &an_march_component);
}

/* The CFL number of each step, and what else depends on the iteration. */
#include "solver/march/courant.h"
#include "solver/level/level.h"
#include "solver/level/part.h"
#include "solver/level/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double an_solver_cfl(const struct an_solver *s)
{
    const struct an_case *c = s->c;
    if (c->march.mode == AN_MARCH_UNSTEADY)
        return c->march.cfl;
    const struct an_marching *m = an_marching_of(s);
    const double caution = s->iteration > m->slow.at ? m->caution : m->slow.before;
    const double most = caution * c->march.cfl;
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

void an_solver_ramp(struct an_solver *s)
{
    s->params.cfl = an_solver_cfl(s);
    s->params.sensor_least = least_sensor(s->c, s->iteration);
    s->params_coarse.cfl = s->params.cfl;
    if (s->c->march.residual_smoothing) {
        s->params.smooth_ratio = s->params.cfl / an_case_plain_cfl(s->c);
        s->params.explicit_march = 1 / fmax(1, s->params.smooth_ratio);
    }
}

void an_march_forget(struct an_marching *m, double caution)
{
    m->caution = m->slow.before = caution;
    m->slow.at = m->slow.since = -1;
    m->slow.least = m->slow.lately = 0;
}

/* Runge-Kutta coefficients (Jameson): the last stage is the step. */
static void set_stages(const struct an_case *c, struct an_marching *m)
{
    static const double five[] = {1.0 / 4, 1.0 / 6, 3.0 / 8, 1.0 / 2, 1};
    static const double two[] = {0.4, 1}, three[] = {0.15, 0.4, 1};
    static const double four[] = {1.0 / 4, 1.0 / 3, 1.0 / 2, 1};
    m->nstage = c->march.method == AN_METHOD_SCREE ? 1 : c->march.stages;
    const double *alpha = m->nstage == 5   ? five
                          : m->nstage == 4 ? four
                          : m->nstage == 3 ? three
                                           : two + (2 - m->nstage);
    memcpy(m->alpha, alpha, (size_t)m->nstage * sizeof *m->alpha);
}

static int make(struct an_solver *s, void **part)
{
    struct an_marching *m = calloc(1, sizeof *m);
    *part = m;
    AN_CHECK(m, AN_FAIL, "out of memory for the march");
    set_stages(s->c, m);
    an_march_forget(m, 1);
    an_replay_start(s, &m->replay);
    return AN_OK;
}

static void destroy(struct an_solver *s, void *part)
{
    struct an_marching *m = part;
    an_replay_end(s, &m->replay);
    free(m);
}

static int start(struct an_solver *s, void *part, int fresh)
{
    struct an_marching *m = part;
    s->residual_is_current = 0;
    if (fresh) {
        m->ramp_from = 0;
        an_march_forget(m, 1);
    }
    return AN_OK;
}

static int before_measure(struct an_solver *s, void *part)
{
    (void)part;
    an_solver_ramp(s);
    return AN_OK;
}

/* What the CFL number follows; nothing until a residual was noted. */
static int keep(const struct an_solver *s, const void *part, struct an_snapshot_meta *meta)
{
    (void)s;
    const struct an_marching *m = part;
    if (m->ramp_from > 0)
        AN_TRY(an_snapshot_control_add(meta, "march.ramp_from", (double)m->ramp_from));
    if (m->caution < 1)
        AN_TRY(an_snapshot_control_add(meta, "march.caution", m->caution));
    if (m->slow.at < 0 && m->slow.since < 0)
        return AN_OK;
    AN_TRY(an_snapshot_control_add(meta, "march.slow.before", m->slow.before));
    AN_TRY(an_snapshot_control_add(meta, "march.slow.at", (double)m->slow.at));
    AN_TRY(an_snapshot_control_add(meta, "march.slow.since", (double)m->slow.since));
    AN_TRY(an_snapshot_control_add(meta, "march.slow.least", m->slow.least));
    return an_snapshot_control_add(meta, "march.slow.lately", m->slow.lately);
}

static int take(struct an_solver *s, void *part, const struct an_snapshot_meta *meta)
{
    (void)s;
    struct an_marching *m = part;
    m->ramp_from = (int64_t)an_snapshot_control_get(meta, "march.ramp_from", 0);
    an_march_forget(m, an_snapshot_control_get(meta, "march.caution", 1));
    m->slow.before = an_snapshot_control_get(meta, "march.slow.before", m->caution);
    m->slow.at = (int64_t)an_snapshot_control_get(meta, "march.slow.at", -1);
    m->slow.since = (int64_t)an_snapshot_control_get(meta, "march.slow.since", -1);
    m->slow.least = an_snapshot_control_get(meta, "march.slow.least", 0);
    m->slow.lately = an_snapshot_control_get(meta, "march.slow.lately", 0);
    return AN_OK;
}

const struct an_part_type an_march_part = {.name = "march",
                                           .make = make,
                                           .destroy = destroy,
                                           .start = start,
                                           .take = take,
                                           .before_measure = before_measure,
                                           .keep = keep};

struct an_marching *an_marching_of(const struct an_solver *s)
{
    return an_part_of(s, &an_march_part);
}

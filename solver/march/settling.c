#include "solver/march/settling.h"

#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/march/stop.h"
#include "solver/march/swing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const name_of[AN_NFIGURE] = {[AN_FIGURE_MASS_FLOW] = "mass_flow_kg_s",
                                                [AN_FIGURE_PRESSURE_RATIO] = "pressure_ratio",
                                                [AN_FIGURE_EFFICIENCY] = "efficiency",
                                                [AN_FIGURE_LOSS] = "loss",
                                                [AN_FIGURE_FORCE_X] = "force_x_N",
                                                [AN_FIGURE_FORCE_Y] = "force_y_N",
                                                [AN_FIGURE_FORCE_Z] = "force_z_N",
                                                [AN_FIGURE_FRICTION] = "friction_N",
                                                [AN_FIGURE_TORQUE] = "torque_x_Nm",
                                                [AN_FIGURE_POWER] = "power_walls_W",
                                                [AN_FIGURE_LIFT] = "lift",
                                                [AN_FIGURE_DRAG] = "drag",
                                                [AN_FIGURE_MOMENT] = "moment",
                                                [AN_FIGURE_RESIDUAL] = "log10_residual",
                                                [AN_FIGURE_TURBULENCE] =
                                                    "log10_residual_turbulence"};

const char *an_figure_name(enum an_figure f)
{
    return name_of[f];
}

struct figures {
    int n;
    double turbulence;    /* log10 of the largest norm so far */
    double passed;        /* kg/s: largest mass flow after the start; 0: not known */
    int64_t passed_from;  /* iteration; before it no mass flow counts */
    double power, torque; /* least scales of both */
    double value[AN_STOP_SAMPLES][AN_NFIGURE];
};

static int settling_make(struct an_solver *s, void **component)
{
    if (s->c->march.mode != AN_MARCH_STEADY)
        return AN_OK;
    struct figures *f = calloc(1, sizeof *f);
    *component = f;
    AN_CHECK(f, AN_FAIL, "out of memory for the figures of a run");
    f->turbulence = -INFINITY;
    return AN_OK;
}

static void settling_destroy(struct an_solver *s, void *component)
{
    (void)s;
    free(component);
}

static int settling_start(struct an_solver *s, void *component, int fresh)
{
    (void)s;
    struct figures *f = component;
    if (fresh) {
        f->n = 0;
        f->passed = 0;
        f->passed_from = 0;
        f->turbulence = -INFINITY;
    }
    return AN_OK;
}

/* Lines decide about the end of a run only where there is a rule; a stall is told without rules, too. */
static int settling_keep(const struct an_solver *s, const void *component,
                         struct an_snapshot_meta *meta)
{
    const struct figures *f = component;
    char name[64];
    if (f->passed > 0)
        AN_TRY(an_snapshot_control_add(meta, "settling.passed", f->passed));
    if (!an_case_has_stop(s->c))
        return AN_OK;
    if (f->turbulence > -INFINITY)
        AN_TRY(an_snapshot_control_add(meta, "settling.turbulence", f->turbulence));
    AN_TRY(an_snapshot_control_add(meta, "settling.power", f->power));
    AN_TRY(an_snapshot_control_add(meta, "settling.torque", f->torque));
    for (int n = 0; n < f->n; n++)
        for (int m = 0; m < AN_NFIGURE; m++) {
            if (isnan(f->value[n][m]))
                continue;
            snprintf(name, sizeof name, "settling.%s.%d", name_of[m], n);
            AN_TRY(an_snapshot_control_add(meta, name, f->value[n][m]));
        }
    return AN_OK;
}

static int settling_take(struct an_solver *s, void *component, const struct an_snapshot_meta *meta)
{
    struct figures *f = component;
    char name[64];
    f->turbulence = an_snapshot_control_get(meta, "settling.turbulence", -INFINITY);
    f->power = an_snapshot_control_get(meta, "settling.power", 0);
    f->torque = an_snapshot_control_get(meta, "settling.torque", 0);
    /* Another pressure or speed lets another mass flow through: the march has to find it first. */
    const int other = meta->case_hash && meta->case_hash != s->c->hash;
    f->passed = other ? 0 : an_snapshot_control_get(meta, "settling.passed", 0);
    f->passed_from = other ? meta->iteration + AN_SETTLING_START : 0;
    for (f->n = 0; f->n < AN_STOP_SAMPLES; f->n++) {
        int some = 0;
        for (int m = 0; m < AN_NFIGURE; m++) {
            snprintf(name, sizeof name, "settling.%s.%d", name_of[m], f->n);
            f->value[f->n][m] = an_snapshot_control_get(meta, name, NAN);
            some |= !isnan(f->value[f->n][m]);
        }
        if (!some)
            break;
    }
    return AN_OK;
}

const struct an_component_type an_settling_component = {.name = "settling",
                                                        .make = settling_make,
                                                        .destroy = settling_destroy,
                                                        .start = settling_start,
                                                        .take = settling_take,
                                                        .keep = settling_keep};

static struct figures *figures_of(const struct an_solver *s)
{
    return an_component_of(s, &an_settling_component);
}

void an_settling_forget(struct an_solver *s)
{
    struct figures *f = figures_of(s);
    if (f) {
        f->n = 0;
        f->passed = 0;
    }
}

void an_settling_passes(struct an_solver *s, double mass_flow)
{
    struct figures *f = figures_of(s);
    if (f && s->iteration >= f->passed_from)
        f->passed = fmax(f->passed, mass_flow); /* NaN does not count */
}

void an_settling_note(struct an_solver *s, const double value[AN_NFIGURE], double power_scale,
                      double torque_scale)
{
    struct figures *f = figures_of(s);
    if (!f)
        return;
    if (f->n == AN_STOP_SAMPLES)
        memmove(f->value[0], f->value[1], (size_t)--f->n * sizeof f->value[0]);
    memcpy(f->value[f->n++], value, sizeof f->value[0]);
    f->power = power_scale;
    f->torque = torque_scale;
    f->turbulence = fmax(f->turbulence, value[AN_FIGURE_TURBULENCE]); /* NaN does not count */
}

static int is_log(int figure)
{
    return figure == AN_FIGURE_RESIDUAL || figure == AN_FIGURE_TURBULENCE;
}

int an_settling_lines(const struct an_solver *s)
{
    const struct figures *f = figures_of(s);
    return f ? f->n : 0;
}

int an_settling_every(const struct an_solver *s)
{
    const int every = s->c->output.history_every, lines = s->c->stop.window / every;
    const int most = (AN_STOP_SAMPLES - 1) / AN_STOP_STANDS;
    return lines < AN_STOP_SAMPLES ? every : every * ((lines + most - 1) / most);
}

int an_settling_window(const struct an_solver *s)
{
    const int lines = s->c->stop.window / an_settling_every(s) + 1;
    return lines < 2 ? 2 : lines;
}

int an_settling_has(const struct an_solver *s, enum an_figure figure, int n)
{
    const struct figures *f = figures_of(s);
    int has = 0;
    for (int i = f && n < f->n ? f->n - n : 0; f && i < f->n; i++)
        has |= !isnan(f->value[i][figure]);
    return has;
}

double an_settling_turbulence(const struct an_solver *s)
{
    const struct figures *f = figures_of(s);
    return f && f->n ? pow(10, f->value[f->n - 1][AN_FIGURE_TURBULENCE] - f->turbulence) : NAN;
}

/* The last `n` values of a figure. */
static void column(const struct figures *f, int figure, int n, double *value)
{
    for (int i = 0; i < n; i++)
        value[i] = f->value[f->n - n + i][figure];
}

/* What the motion of a figure over the last n lines is measured by. */
static double scale_of(const struct figures *f, int figure, int n)
{
    const double *v = f->value[f->n - 1] + AN_FIGURE_FORCE_X;
    const double force = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double mean = 0;
    for (int i = f->n - n; i < f->n; i++)
        mean += f->value[i][figure] / n;
    switch (figure) {
    case AN_FIGURE_MASS_FLOW:
    case AN_FIGURE_PRESSURE_RATIO:
        return fabs(mean);
    case AN_FIGURE_TORQUE:
        return fmax(fabs(mean), f->torque);
    case AN_FIGURE_POWER:
        return fmax(fabs(mean), f->power);
    case AN_FIGURE_FORCE_X:
    case AN_FIGURE_FORCE_Y:
    case AN_FIGURE_FORCE_Z:
        return force;
    case AN_FIGURE_FRICTION:
        return fmax(fabs(mean), AN_LEAST_FRICTION * force);
    default:
        return 1;
    }
}

/* A figure that is zero and stays zero does not move, whatever its scale. */
static double motion_of(const struct figures *f, int figure, int n)
{
    double least = INFINITY, most = -INFINITY;
    for (int i = f->n - n; i < f->n; i++) {
        const double v = f->value[i][figure];
        if (isnan(v))
            return NAN;
        least = fmin(least, v);
        most = fmax(most, v);
    }
    return most > least ? (most - least) / scale_of(f, figure, n) : 0;
}

double an_settling_moves(const struct an_solver *s, enum an_figure figure, int n)
{
    const struct figures *f = figures_of(s);
    const int lines = f && n > f->n ? f->n : n;
    return f && lines > 1 ? motion_of(f, figure, lines) : NAN;
}

/* Means of the thirds of the last n lines; n >= 3. */
static void thirds_of(const struct figures *f, int figure, int n, double mean[3])
{
    double x[AN_STOP_SAMPLES];
    column(f, figure, n, x);
    for (int third = 0; third < 3; third++) {
        const int from = third * n / 3, to = (third + 1) * n / 3;
        mean[third] = 0;
        for (int i = from; i < to; i++)
            mean[third] += x[i] / (to - from);
    }
}

double an_settling_ahead(const struct an_solver *s, enum an_figure figure, int n)
{
    enum { LEAST = 6 }; /* lines */
    const double most = 0.9;
    const struct figures *f = figures_of(s);
    double mean[3];
    if (!f || f->n < n)
        return NAN;
    if (n < LEAST)
        return 0;
    thirds_of(f, figure, n - n % 3, mean);
    const double before = mean[1] - mean[0], last = mean[2] - mean[1];
    if (isnan(before + last))
        return NAN;
    if (!(before * last > 0))
        return 0;
    const double q = fmin(last / before, most);
    return fabs(last) * q / (1 - q) / scale_of(f, figure, n);
}

static int is_stalled(const struct figures *f, int n)
{
    const double most = 0.3; /* decades, from one third of the lines to another */
    double mean[3];
    thirds_of(f, AN_FIGURE_RESIDUAL, n, mean);
    return fabs(mean[2] - mean[0]) < most && fabs(mean[1] - mean[0]) < most &&
           fabs(mean[2] - mean[1]) < most;
}

static double fell(const struct figures *f)
{
    double mean[3];
    if (f->n < AN_SWING_LEAST3)
        return 0;
    thirds_of(f, AN_FIGURE_MASS_FLOW, f->n, mean);
    return mean[2] < mean[1] && mean[1] < mean[0] ? 1 - mean[2] / mean[0] : 0;
}

static double lost(const struct figures *f, int lines)
{
    const int n = f->n < lines ? f->n : lines;
    double mean = 0;
    for (int i = f->n - n; i < f->n; i++)
        mean += f->value[i][AN_FIGURE_MASS_FLOW] / n;
    return f->passed > 0 ? fmax(0, 1 - mean / f->passed) : NAN;
}

double an_settling_falls(const struct an_solver *s, int n)
{
    double mean[3];
    thirds_of(figures_of(s), AN_FIGURE_RESIDUAL, n, mean);
    return mean[0] - mean[2];
}

double an_settling_above_least(const struct an_solver *s, enum an_figure residual, int n)
{
    const struct figures *f = figures_of(s);
    double x[AN_STOP_SAMPLES], least = INFINITY, last = NAN;
    column(f, residual, f->n, x);
    for (int first = 0; first + n <= f->n; first++) {
        last = 0;
        for (int i = first; i < first + n; i++)
            last += x[i] / n;
        least = fmin(least, last);
    }
    return last - least;
}

int an_settling_is_stalled(const struct an_solver *s, int n)
{
    const struct figures *f = figures_of(s);
    return f && f->n >= n && is_stalled(f, n);
}

void an_settling_period(const struct an_solver *s, enum an_figure figure, double *period,
                        double *range)
{
    const struct figures *f = figures_of(s);
    double x[AN_STOP_SAMPLES];
    *period = *range = 0;
    if (!f || !f->n)
        return;
    column(f, figure, f->n, x);
    const struct an_swing w = an_swing_find(f->n, x);
    *period = w.period * an_settling_every(s);
    *range = w.period > 0 ? 2 * w.amplitude / scale_of(f, figure, f->n) : 0;
}

/* ---- swings ---- */

/* The figures that move over a stretch of last lines. */
struct stretch {
    int n, count;
    double value[AN_NFIGURE][AN_STOP_SAMPLES];
    const double *moving[AN_NFIGURE];
};

/* 0 where a figure was missing for part of the stretch. */
static int take_stretch(const struct figures *f, int n, struct stretch *t)
{
    t->n = n;
    t->count = 0;
    for (int m = 0; m < AN_NFIGURE; m++) {
        const double moves = motion_of(f, m, n);
        if (is_log(m) || isnan(f->value[f->n - 1][m]))
            continue;
        if (isnan(moves))
            return 0;
        if (moves > AN_SETTLED_MOVES) {
            column(f, m, n, t->value[m]);
            t->moving[t->count++] = t->value[m];
        }
    }
    return 1;
}

/* Do the figures that move stay as they are, and the residual? */
static int stays(const struct figures *f, const struct stretch *t)
{
    for (int m = 0; m < t->count; m++)
        if (!an_swing_stays(t->n, t->moving[m]))
            return 0;
    return t->n >= AN_SWING_LEAST3 && is_stalled(f, t->n);
}

static int repeats(const struct figures *f, const struct stretch *t, double period)
{
    for (int m = 0; m < t->count; m++)
        if (!an_swing_repeats(t->n, t->moving[m], period))
            return 0;
    return t->count > 0 && is_stalled(f, t->n);
}

/* How the figures swing, and the lines and the period of it. */
static enum an_swings find_swing(const struct figures *f, int *lines, double *period)
{
    struct stretch t;
    *period = 0;
    for (*lines = f->n; *lines >= 3 && *lines >= f->n / 2; *lines = *lines * 3 / 4) {
        if (!take_stretch(f, *lines, &t))
            continue;
        const double found = an_swing_common(t.count, t.n, t.moving).period;
        const int clear = found > 0 && repeats(f, &t, found);
        if (!clear && !stays(f, &t))
            continue;
        *period = clear ? found : 0;
        return t.count == 0 ? AN_SWINGS_RESIDUAL : clear ? AN_SWINGS_PERIOD : AN_SWINGS_IRREGULAR;
    }
    return AN_SWINGS_NOT;
}

static void describe_swing(const struct an_solver *s, const struct figures *f, struct an_motion *m)
{
    int lines;
    double period, x[AN_STOP_SAMPLES];
    m->swings = find_swing(f, &lines, &period);
    if (m->swings == AN_SWINGS_NOT)
        return;
    m->period = period * an_settling_every(s);
    m->stretch = period > 0 ? (int)lround(m->period) : (lines - 1) * an_settling_every(s);
    for (int n = 0; n < AN_NFIGURE; n++) {
        column(f, n, lines, x);
        if (!isnan(motion_of(f, n, lines)))
            an_swing_size(lines, x, period > 0 ? period : lines, &m->mean[n], &m->amplitude[n]);
    }
}

int an_motion_swings_by(const struct an_motion *m, double part)
{
    return (m->swings == AN_SWINGS_PERIOD || m->swings == AN_SWINGS_IRREGULAR) &&
           m->amplitude[AN_FIGURE_MASS_FLOW] <= part * fabs(m->mean[AN_FIGURE_MASS_FLOW]);
}

void an_settling_find(const struct an_solver *s, struct an_motion *m)
{
    const struct figures *f = figures_of(s);
    const int window = an_settling_window(s);
    *m = (struct an_motion){.most = AN_NFIGURE, .turbulence_drop = NAN, .lost = NAN};
    for (int n = 0; n < AN_NFIGURE; n++)
        m->moves[n] = m->mean[n] = m->amplitude[n] = NAN;
    if (!f || f->n < 1)
        return;
    m->turbulence_drop = an_settling_turbulence(s);
    m->lines = f->n >= window ? window : 0;
    const int third = f->n / 3 < window ? f->n / 3 : window;
    for (int n = 0; n < AN_NFIGURE; n++) {
        if (m->lines)
            m->moves[n] = motion_of(f, n, window);
        if (third >= 4 && !is_log(n))
            m->late = fmax(m->late, motion_of(f, n, third)); /* NaN does not count */
        if (!is_log(n) && m->moves[n] > (m->most < AN_NFIGURE ? m->moves[m->most] : 0))
            m->most = (enum an_figure)n;
    }
    m->fell = fell(f);
    m->lost = lost(f, window);
    describe_swing(s, f, m);
}

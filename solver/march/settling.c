#include "solver/march/settling.h"

#include "solver/level/level.h"
#include "solver/level/part.h"
#include "solver/march/controller.h"
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
    double turbulence; /* log10 of the largest norm so far */
    double value[AN_STOP_SAMPLES][AN_NFIGURE];
};

static int make(struct an_solver *s, void **part)
{
    if (s->c->march.mode != AN_MARCH_STEADY)
        return AN_OK;
    struct figures *f = calloc(1, sizeof *f);
    *part = f;
    AN_CHECK(f, AN_FAIL, "out of memory for the figures of a run");
    f->turbulence = -INFINITY;
    return AN_OK;
}

static void destroy(struct an_solver *s, void *part)
{
    (void)s;
    free(part);
}

static int start(struct an_solver *s, void *part, int fresh)
{
    (void)s;
    struct figures *f = part;
    if (fresh) {
        f->n = 0;
        f->turbulence = -INFINITY;
    }
    return AN_OK;
}

/* Lines decide about the end of a run only where there is a rule. */
static int keep(const struct an_solver *s, const void *part, struct an_snapshot_meta *meta)
{
    const struct figures *f = part;
    char name[64];
    if (!an_case_has_stop(s->c))
        return AN_OK;
    if (f->turbulence > -INFINITY)
        AN_TRY(an_snapshot_control_add(meta, "settling.turbulence", f->turbulence));
    for (int n = 0; n < f->n; n++)
        for (int m = 0; m < AN_NFIGURE; m++) {
            if (isnan(f->value[n][m]))
                continue;
            snprintf(name, sizeof name, "settling.%s.%d", name_of[m], n);
            AN_TRY(an_snapshot_control_add(meta, name, f->value[n][m]));
        }
    return AN_OK;
}

static int take(struct an_solver *s, void *part, const struct an_snapshot_meta *meta)
{
    (void)s;
    struct figures *f = part;
    char name[64];
    f->turbulence = an_snapshot_control_get(meta, "settling.turbulence", -INFINITY);
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

const struct an_part_type an_settling_part = {.name = "settling",
                                              .make = make,
                                              .destroy = destroy,
                                              .start = start,
                                              .take = take,
                                              .keep = keep};

static struct figures *figures_of(const struct an_solver *s)
{
    return an_part_of(s, &an_settling_part);
}

void an_settling_forget(struct an_solver *s)
{
    struct figures *f = figures_of(s);
    if (f)
        f->n = 0;
}

void an_settling_note(struct an_solver *s, const double value[AN_NFIGURE])
{
    struct figures *f = figures_of(s);
    if (!f)
        return;
    if (f->n == AN_STOP_SAMPLES)
        memmove(f->value[0], f->value[1], (size_t)--f->n * sizeof f->value[0]);
    memcpy(f->value[f->n++], value, sizeof f->value[0]);
    f->turbulence = fmax(f->turbulence, value[AN_FIGURE_TURBULENCE]); /* NaN does not count */
}

static int is_log(int figure)
{
    return figure == AN_FIGURE_RESIDUAL || figure == AN_FIGURE_TURBULENCE;
}

static int window_of(const struct an_case *c)
{
    const int lines = c->stop.window / c->output.history_every + 1;
    return lines < 2 ? 2 : lines;
}

/* The last `n` values of a figure. */
static void column(const struct figures *f, int figure, int n, double *value)
{
    for (int i = 0; i < n; i++)
        value[i] = f->value[f->n - n + i][figure];
}

/* What a figure's motion is measured by. */
static double scale_of(const struct figures *f, int figure)
{
    const double *last = f->value[f->n - 1], *force = last + AN_FIGURE_FORCE_X;
    switch (figure) {
    case AN_FIGURE_MASS_FLOW:
    case AN_FIGURE_PRESSURE_RATIO:
    case AN_FIGURE_TORQUE:
    case AN_FIGURE_POWER:
        return fabs(last[figure]);
    case AN_FIGURE_FORCE_X:
    case AN_FIGURE_FORCE_Y:
    case AN_FIGURE_FORCE_Z:
        return sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]);
    default:
        return 1;
    }
}

static double motion_of(const struct figures *f, int figure, int n)
{
    double x[AN_STOP_SAMPLES] = {0}, least = INFINITY, most = -INFINITY;
    column(f, figure, n, x);
    const double rise = an_line_fit(n, x).rise;
    for (int i = 0; i < n; i++) {
        const double off = x[i] - rise * i / (n - 1);
        least = fmin(least, off);
        most = fmax(most, off);
        if (isnan(x[i]))
            return NAN;
    }
    return (fabs(rise) + 0.5 * (most - least)) / scale_of(f, figure);
}

/* The period of the figure that swings most clearly; a swing that alone would keep no rule from
 * holding does not count. */
static double period_of(const struct figures *f)
{
    double x[AN_STOP_SAMPLES], period = 0, alike = 0;
    for (int m = 0; m < AN_NFIGURE; m++) {
        if (is_log(m))
            continue;
        column(f, m, f->n, x);
        const struct an_swing s = an_swing_find(f->n, x);
        if (s.period > 0 && s.amplitude > 0.5 * AN_SETTLED_MOVES * scale_of(f, m) &&
            s.alike > alike) {
            period = s.period;
            alike = s.alike;
        }
    }
    return period;
}

void an_settling_find(const struct an_solver *s, struct an_motion *m)
{
    const struct figures *f = figures_of(s);
    const int window = window_of(s->c);
    double x[AN_STOP_SAMPLES];
    *m = (struct an_motion){.most = AN_NFIGURE, .turbulence_drop = NAN};
    for (int n = 0; n < AN_NFIGURE; n++)
        m->moves[n] = m->mean[n] = m->amplitude[n] = NAN;
    if (!f || f->n < 1)
        return;
    m->turbulence_drop = pow(10, f->value[f->n - 1][AN_FIGURE_TURBULENCE] - f->turbulence);
    m->lines = f->n >= window ? window : 0;
    const int third = f->n / 3 < window ? f->n / 3 : window;
    const double period = period_of(f);
    m->period = period * s->c->output.history_every;
    for (int n = 0; n < AN_NFIGURE; n++) {
        column(f, n, f->n, x);
        if (m->lines)
            m->moves[n] = motion_of(f, n, window);
        if (third >= 4 && !is_log(n))
            m->late = fmax(m->late, motion_of(f, n, third)); /* NaN does not count */
        if (period > 0)
            an_swing_size(f->n, x, period, &m->mean[n], &m->amplitude[n]);
        if (!is_log(n) && m->amplitude[n] / scale_of(f, n) > m->swing)
            m->swing = m->amplitude[n] / scale_of(f, n);
        if (!is_log(n) && m->moves[n] > (m->most < AN_NFIGURE ? m->moves[m->most] : 0))
            m->most = (enum an_figure)n;
    }
}

/* Does a figure swing by more than `most`, with a period that is too long for the window? */
static int swings_beyond(const struct an_solver *s, int figure, double most)
{
    const struct figures *f = figures_of(s);
    double x[AN_STOP_SAMPLES];
    column(f, figure, f->n, x);
    const struct an_swing w = an_swing_find(f->n, x);
    return 1.5 * w.period * s->c->output.history_every > s->c->stop.window &&
           w.amplitude > most * scale_of(f, figure);
}

/* Only runs with rows have a power, and only those without rows that turn have a torque to watch. */
static int has_meaning(const struct an_solver *s, int figure)
{
    const struct figures *f = figures_of(s);
    return (figure != AN_FIGURE_TORQUE && figure != AN_FIGURE_POWER) ||
           !isnan(f->value[f->n - 1][figure]);
}

int an_settling_allows(const struct an_solver *s)
{
    const struct an_case *c = s->c;
    const double rule[AN_NFIGURE] = {[AN_FIGURE_MASS_FLOW] = 0.5 * c->stop.mass_flow,
                                     [AN_FIGURE_PRESSURE_RATIO] = 0.5 * c->stop.pressure_ratio,
                                     [AN_FIGURE_EFFICIENCY] =
                                         0.5 * c->stop.efficiency, /* half of largest less least */
                                     [AN_FIGURE_FORCE_X] = c->stop.force,
                                     [AN_FIGURE_FORCE_Y] = c->stop.force,
                                     [AN_FIGURE_FORCE_Z] = c->stop.force,
                                     [AN_FIGURE_TORQUE] = c->stop.force,
                                     [AN_FIGURE_POWER] = c->stop.force,
                                     [AN_FIGURE_LIFT] = c->stop.lift,
                                     [AN_FIGURE_DRAG] = c->stop.drag,
                                     [AN_FIGURE_MOMENT] = c->stop.moment};
    struct an_motion m;
    if (!an_case_has_stop(c))
        return 1;
    an_settling_find(s, &m);
    if (!m.lines || (c->stop.turbulence > 0 && !(m.turbulence_drop <= c->stop.turbulence)))
        return 0;
    for (int n = 0; n < AN_NFIGURE; n++)
        if (rule[n] > 0 && has_meaning(s, n) &&
            ((n >= AN_FIGURE_FORCE_X && !(m.moves[n] <= rule[n])) || swings_beyond(s, n, rule[n])))
            return 0;
    return 1;
}

int an_settling_is_still(const struct an_motion *m, const struct an_solver *s, double most)
{
    const double enough = 0.1; /* of the largest residual of the turbulence */
    if (!m->lines)             /* too few to tell */
        return 1;
    if (1.5 * m->period > s->c->stop.window && m->swing > most)
        return 0;
    return !(m->most < AN_NFIGURE && m->moves[m->most] > most) && !(m->turbulence_drop > enough);
}

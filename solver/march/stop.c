/* Rules on figures that settle: they hold over a number of lines of the table. */
#include "solver/march/stop.h"
#include "solver/level/level.h"
#include "solver/level/part.h"
#include "solver/level/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct figures {
    int n;
    double value[AN_STOP_SAMPLES][3]; /* mass flow kg/s, pressure ratio, efficiency */
};

static const char *const name_of[3] = {"stop.mass_flow", "stop.pressure_ratio", "stop.efficiency"};

static int make(struct an_solver *s, void **part)
{
    (void)s;
    *part = calloc(1, sizeof(struct figures));
    AN_CHECK(*part, AN_FAIL, "out of memory for the figures of a run");
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
    f->n = fresh ? 0 : f->n;
    return AN_OK;
}

static int keep(const struct an_solver *s, const void *part, struct an_snapshot_meta *meta)
{
    const struct figures *f = part;
    char name[64];
    for (int n = 0; an_case_has_stop(s->c) && n < f->n; n++)
        for (int m = 0; m < 3; m++) {
            snprintf(name, sizeof name, "%s.%d", name_of[m], n);
            AN_TRY(an_snapshot_control_add(meta, name, f->value[n][m]));
        }
    return AN_OK;
}

static int take(struct an_solver *s, void *part, const struct an_snapshot_meta *meta)
{
    (void)s;
    struct figures *f = part;
    char name[64];
    for (f->n = 0; f->n < AN_STOP_SAMPLES; f->n++)
        for (int m = 0; m < 3; m++) {
            snprintf(name, sizeof name, "%s.%d", name_of[m], f->n);
            const double v = an_snapshot_control_get(meta, name, INFINITY);
            if (v == INFINITY)
                return AN_OK;
            f->value[f->n][m] = v;
        }
    return AN_OK;
}

const struct an_part_type an_stop_part = {
    .name = "stop", .make = make, .destroy = destroy, .start = start, .take = take, .keep = keep};

static struct figures *figures_of(const struct an_solver *s)
{
    return an_part_of(s, &an_stop_part);
}

void an_stop_forget(struct an_solver *s)
{
    figures_of(s)->n = 0;
}

void an_stop_note(struct an_solver *s, const double value[3])
{
    struct figures *f = figures_of(s);
    if (f->n == AN_STOP_SAMPLES)
        memmove(f->value[0], f->value[1], (size_t)--f->n * sizeof f->value[0]);
    memcpy(f->value[f->n++], value, sizeof f->value[0]);
}

int an_stop_mass_flow(const struct an_solver *s, double *least, double *most)
{
    const struct figures *f = figures_of(s);
    *least = INFINITY;
    *most = -INFINITY;
    for (int n = f->n / 2; n < f->n; n++) {
        *least = fmin(*least, f->value[n][0]);
        *most = fmax(*most, f->value[n][0]);
    }
    return f->n;
}

/* Largest less least of the last n values; with `relative` over their mean. A NaN: infinite. */
static double spread(const struct figures *f, int which, int n, int relative)
{
    double least = INFINITY, most = -INFINITY, sum = 0;
    for (int m = f->n - n; m < f->n; m++) {
        const double v = f->value[m][which];
        if (isnan(v))
            return INFINITY;
        least = fmin(least, v);
        most = fmax(most, v);
        sum += v;
    }
    return relative ? (most - least) / fabs(sum / n) : most - least;
}

void an_stop_moved(const struct an_solver *s, double moved[3])
{
    const struct figures *f = figures_of(s);
    const int window = s->c->stop.window / s->c->output.history_every + 1;
    const int n = window < f->n ? window : f->n;
    for (int m = 0; m < 3; m++) {
        const double d = n > 1 ? spread(f, m, n, m < 2) : NAN;
        moved[m] = isfinite(d) ? d : NAN;
    }
}

int an_stop_check(const struct an_solver *s)
{
    const struct an_case *c = s->c;
    int open = 0, walls = 0;
    if (!an_case_has_stop(c))
        return AN_OK;
    for (int b = 0; b < s->mesh->topology.nboundary; b++) {
        const enum an_bc_type type = (enum an_bc_type)s->boundary[b].type;
        open += an_bc_type_has(type, AN_BC_PASSES);
        walls += an_bc_type_has(type, AN_BC_VISCOUS);
    }
    AN_CHECK(
        c->stop.force <= 0 || walls, AN_INPUT,
        "%s: 'stop.force': there is no viscous wall, so the rule would never hold; leave it out",
        c->file);
    if (c->stop.mass_flow <= 0 && c->stop.pressure_ratio <= 0 && c->stop.efficiency <= 0)
        return AN_OK;
    AN_CHECK(open > 0, AN_INPUT,
             "%s: 'stop' looks at what flows through inlets and outlets, of which there are none: "
             "the rule would never hold; use march.residual_drop",
             c->file);
    AN_CHECK(open > 1 || !(c->stop.pressure_ratio > 0 || c->stop.efficiency > 0), AN_INPUT,
             "%s: 'stop.%s' needs an inlet and an outlet, and only one boundary is open: the rule "
             "would never hold; leave it out",
             c->file, c->stop.pressure_ratio > 0 ? "pressure_ratio" : "efficiency");
    if (!(c->stop.efficiency > 0))
        return AN_OK;
    AN_CHECK(an_solver_turns(s), AN_INPUT,
             "%s: 'stop.efficiency': no row and no wall turns, so nothing does work on the gas and "
             "there is no efficiency to settle; leave it out",
             c->file);
    AN_CHECK(an_case_has_monitors(c) || !an_case_has_cooling(c), AN_INPUT,
             "%s: 'stop.efficiency': with cooling or bleed the efficiency is one of the rows' "
             "figures, which are not wanted: the rule would never hold; set monitors.performance: "
             "on, or leave it out",
             c->file);
    return AN_OK;
}

int an_stop_settled(const struct an_solver *s)
{
    const struct an_case *c = s->c;
    const double rule[3] = {c->stop.mass_flow, c->stop.pressure_ratio, c->stop.efficiency};
    const int n = c->stop.window / c->output.history_every + 1;
    const struct figures *f = figures_of(s);
    if (!an_case_has_stop(c) || f->n < n)
        return 0;
    for (int m = 0; m < 3; m++)
        if (rule[m] > 0 && !(spread(f, m, n, m < 2) <= rule[m]))
            return 0;
    return 1;
}

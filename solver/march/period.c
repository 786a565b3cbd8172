#include "solver/march/period.h"

#include "solver/level/component.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct period {
    int lines;                   /* of a period */
    int n;                       /* lines kept, at most two periods */
    double (*value)[AN_NFIGURE]; /* [2 lines], the oldest first; owned */
    int since;                   /* lines since the last end of a period */
    int held;                    /* ends of periods in a row at which the change was small */
    double change;               /* at the last end; NaN: none yet */
};

static int period_make(struct an_solver *s, void **component)
{
    if (s->c->march.mode != AN_MARCH_UNSTEADY || !(s->c->stop.period_change > 0))
        return AN_OK;
    struct period *p = calloc(1, sizeof *p);
    *component = p;
    AN_CHECK(p, AN_FAIL, "out of memory for the rule on periods");
    p->lines = an_case_period(s->c) / s->c->output.history_every;
    p->change = NAN;
    p->value = calloc(2 * (size_t)p->lines, sizeof *p->value);
    AN_CHECK(p->value, AN_FAIL, "out of memory for the rule on periods");
    return AN_OK;
}

static void period_destroy(struct an_solver *s, void *component)
{
    (void)s;
    free(((struct period *)component)->value);
    free(component);
}

static int period_start(struct an_solver *s, void *component, int fresh)
{
    (void)s, (void)fresh;
    struct period *p = component;
    p->n = p->since = p->held = 0;
    p->change = NAN;
    return AN_OK;
}

static double largest(const struct period *p, int figure)
{
    double most = 0;
    for (int n = 0; n < p->n; n++)
        most = fmax(most, fabs(p->value[n][figure]));
    return most;
}

static double scale_of(const struct period *p, int figure)
{
    if (figure >= AN_FIGURE_FORCE_X && figure <= AN_FIGURE_FORCE_Z)
        return fmax(largest(p, AN_FIGURE_FORCE_X),
                    fmax(largest(p, AN_FIGURE_FORCE_Y), largest(p, AN_FIGURE_FORCE_Z)));
    if (figure >= AN_FIGURE_LIFT && figure <= AN_FIGURE_MOMENT)
        return 1;
    return largest(p, figure);
}

/* From one period to the next, the figure that changes most; NaN: no figure has a value. */
static double change_of(const struct period *p)
{
    double most = NAN;
    for (int f = 0; f <= AN_FIGURE_MOMENT; f++) {
        const double scale = scale_of(p, f);
        for (int n = 0; n < p->lines && scale > 0; n++)
            most = fmax(most, fabs(p->value[p->lines + n][f] - p->value[n][f]) / scale);
    }
    return most;
}

void an_period_note(struct an_solver *s, int64_t iteration, const double value[AN_NFIGURE])
{
    struct period *p = an_component_of(s, &an_period_component);
    if (!p || iteration % s->c->output.history_every)
        return;
    if (p->n == 2 * p->lines)
        memmove(p->value, p->value + 1, (size_t)--p->n * sizeof *p->value);
    memcpy(p->value[p->n++], value, sizeof *p->value);
    if (++p->since < p->lines || p->n < 2 * p->lines)
        return;
    p->since = 0;
    p->change = change_of(p);
    p->held = p->change <= s->c->stop.period_change ? p->held + 1 : 0;
}

int an_period_holds(const struct an_solver *s)
{
    const struct period *p = an_component_of(s, &an_period_component);
    return p && p->held >= s->c->stop.periods;
}

static void period_report(const struct an_solver *s, const void *component, FILE *out)
{
    const struct period *p = component;
    if (!isnan(p->change))
        fprintf(out,
                "period      from one period of %d iterations to the next, figures changed by %.2e "
                "at most; below %.2e for %d periods in a row\n",
                an_case_period(s->c), p->change, s->c->stop.period_change, p->held);
}

const struct an_component_type an_period_component = {.name = "period",
                                                      .make = period_make,
                                                      .destroy = period_destroy,
                                                      .start = period_start,
                                                      .report = period_report};

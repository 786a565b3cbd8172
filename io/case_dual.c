/* Keys of the dual method: its physical time step, and what does not go with it. */
#include "io/case_keys.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* The row that turns fastest, the first of several; NULL: nothing turns. */
static const struct an_case_row *fastest(const struct an_case *c)
{
    const struct an_case_row *row = NULL;
    for (int n = 0; n < c->nrow; n++)
        if (fabs(c->row[n].omega) > (row ? fabs(row->omega) : 0))
            row = &c->row[n];
    return row;
}

double an_case_time_step(const struct an_case *c)
{
    const struct an_case_row *row = fastest(c);
    if (c->march.steps_per_revolution > 0 && row)
        return 2 * pi / (fabs(row->omega) * c->march.steps_per_revolution);
    if (c->march.steps_per_passing > 0 && row && row->blades > 0)
        return 2 * pi / (fabs(row->omega) * row->blades * c->march.steps_per_passing);
    return c->march.time_step;
}

int an_case_period(const struct an_case *c)
{
    return c->stop.period > 0 ? c->stop.period : c->march.steps_per_passing;
}

static const struct an_origin *origin(const struct an_origin *const *given, const char *section,
                                      const char *name)
{
    return given[an_key_find(section, name, -1)];
}

/* Exactly one key says how long a step is, and it must have a meaning. */
static void check_step(struct an_case_reader *r, const struct an_origin *const *given,
                       const struct an_origin *at)
{
    static const char *const name[] = {"time_step", "steps_per_revolution", "steps_per_passing"};
    const struct an_case *c = r->c;
    const double value[] = {c->march.time_step, c->march.steps_per_revolution,
                            c->march.steps_per_passing};
    const struct an_case_row *row = fastest(c);
    const char *first = NULL;
    for (int n = 0; n < 3; n++) {
        const struct an_origin *key = origin(given, "march", name[n]);
        if (!(value[n] > 0))
            continue;
        if (first) {
            an_case_fault(r, key, "'march.%s' and 'march.%s' are both given; keep one", first,
                          name[n]);
            return;
        }
        first = name[n];
        if (n > 0 && !row)
            an_case_fault(r, key,
                          "'march.%s' needs a row that turns ('rows'); give "
                          "'march.time_step' in seconds",
                          name[n]);
        else if (n == 2 && row->blades < 1)
            an_case_fault(r, key,
                          "'march.steps_per_passing' needs 'rows.%s.blades', the number of "
                          "blades of the row that turns fastest",
                          row->name);
    }
    if (!first)
        an_case_fault(
            r, at,
            "'march.method: dual' needs 'march.time_step', 'march.steps_per_revolution' or "
            "'march.steps_per_passing'");
}

/* The stop rule on periods: of whole lines of the table. */
static void check_period(struct an_case_reader *r, const struct an_origin *const *given)
{
    const struct an_case *c = r->c;
    const struct an_origin *key = origin(given, "stop", "period_change");
    const int period = an_case_period(c), every = c->output.history_every;
    if (!(c->stop.period_change > 0))
        return;
    if (c->march.mode != AN_MARCH_UNSTEADY)
        an_case_fault(r, key, "'stop.period_change' needs 'march.mode: unsteady'");
    else if (!period)
        an_case_fault(r, key,
                      "'stop.period_change' needs 'stop.period', the iterations of a period");
    else if (period % every || period / every > 100000)
        an_case_fault(r, key,
                      "'stop.period' is %d iterations, but must be a multiple of "
                      "'output.history_every', which is %d, and at most 100000 lines of the table",
                      period, every);
}

/* Only the finest level has values of other passages. */
static void check_phase_lag(struct an_case_reader *r, const struct an_origin *const *given)
{
    const struct an_case *c = r->c;
    const struct an_origin *key = origin(given, "march", "phase_lag");
    if (!c->march.phase_lag)
        return;
    if (c->multigrid.levels != 1)
        an_case_fault(r, key, "'march.phase_lag' needs 'multigrid.levels: 1'");
    if (an_case_has_intermittency(c))
        an_case_fault(r, key,
                      "'march.phase_lag' does not carry the intermittency of "
                      "'turbulence.transition: gamma'");
}

void an_case_check_dual(struct an_case_reader *r, const struct an_origin *const *given,
                        const struct an_origin *at)
{
    const struct an_case *c = r->c;
    const struct an_origin *method = origin(given, "march", "method");
    const int dual = an_case_is_dual(c);
    check_period(r, given);
    for (int row = 0; an_case_keys[row].section; row++)
        if ((an_case_keys[row].flags & AN_KEY_IF_DUAL) && given[row] && !dual)
            an_case_fault(r, given[row],
                          "'%s.%s' needs 'march.mode: unsteady' and "
                          "'march.method: dual'",
                          an_case_keys[row].section, an_case_keys[row].name);
    if (c->march.method == AN_METHOD_DUAL && !dual)
        an_case_fault(r, method, "'march.method: dual' needs 'march.mode: unsteady'");
    if (!dual)
        return;
    check_step(r, given, method ? method : at);
    check_phase_lag(r, given);
    if (c->nscalar)
        an_case_fault(r, method,
                      "'scalars' do not go with 'march.method: dual': their steps are "
                      "explicit in unsteady runs; 'march.method: runge_kutta' carries them");
    if (c->turbulence.model == AN_TURBULENCE_MIXING_LENGTH)
        an_case_fault(r, method,
                      "'turbulence.model: mixing_length' does not go with "
                      "'march.method: dual': its eddy viscosity follows iterations, not time");
}

/* Warnings before and after a march: plausibility, and whether the flow has settled. */
#include "solver/app/session.h"

#include "mpi/reduce.h"
#include "solver/app/doubts.h"
#include "solver/app/lines.h"
#include "solver/boundary/control.h"
#include "solver/march/settling.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Warnings of all rules; AN_INPUT, with the text, for the first that refuses. */
static int apply(struct an_session *r, const struct an_facts *f)
{
    char text[512];
    int verdict;
    for (int n = 0; (verdict = an_plausible(n, f, text, sizeof text)) >= 0; n++) {
        AN_CHECK(verdict != AN_REFUSED, AN_INPUT, "%s", text);
        if (verdict == AN_DOUBTFUL)
            an_session_warn(r, 0, "%s", text);
    }
    return AN_OK;
}

int an_session_doubt(struct an_session *r)
{
    struct an_facts f;
    AN_TRY(an_doubts_find(&r->in.c, &r->in.mesh.topology, r->solver, &f));
    return an_reduce_status(r->comm, r->rank == 0 ? apply(r, &f) : AN_OK);
}

/* Without rules of its own a steady flow counts as settled when the residual has fallen by three
 * orders, no more than 0.2 % of the mass flow comes or goes, and the figures stand still. */
static int has_settled(const struct an_session *r)
{
    const struct an_case *c = &r->in.c;
    if (c->march.residual_drop > 0 || c->march.mass_imbalance > 0 || an_case_has_stop(c))
        return an_line_converged(r);
    return r->line.residual_drop <= 1e-3 &&
           (isnan(r->line.imbalance) || fabs(r->line.imbalance) <= 2e-3) &&
           an_settling_is_still(&r->motion, r->solver, AN_SETTLED_MOVES);
}

/* Rules on residuals and mass flows may hold while a figure still moves by ten times what counts as
 * settled. A flow that settles quickly has its start within the window, so the last third of the
 * lines counts. */
static int moves_on(const struct an_session *r)
{
    return !an_case_has_stop(&r->in.c) && r->motion.late > 10 * AN_SETTLED_MOVES;
}

static size_t add(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static size_t add(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list more;
    va_start(more, format);
    vsnprintf(text + used, size - used, format, more);
    va_end(more);
    return strlen(text);
}

/* What still moves, figure by figure. */
static void judge_settling(struct an_session *r)
{
    const struct an_motion *m = &r->motion;
    char text[1024];
    snprintf(text, sizeof text,
             "the flow has not settled in %lld iterations: the residual is at %.2g of its largest",
             (long long)an_solver_iteration(r->solver), r->line.residual_drop);
    if (m->turbulence_drop > 0)
        add(text, sizeof text, ", that of the turbulence at %.2g", m->turbulence_drop);
    if (!isnan(r->line.imbalance))
        add(text, sizeof text, ", mass flows in and out differ by %.2g %%",
            100 * fabs(r->line.imbalance));
    for (int n = 0; n <= AN_FIGURE_MOMENT; n++)
        if (m->moves[n] > AN_SETTLED_MOVES)
            add(text, sizeof text, ", %s moved by %.2g %% in %d iterations", an_figure_name(n),
                100 * m->moves[n], r->in.c.stop.window);
    an_session_warn(r, 0, "%s", text);
}

/* The rules that only a steady run may have, switched off. */
static void add_rules_off(const struct an_case *c, char *text, size_t size)
{
    const struct {
        const char *key;
        double value;
    } rule[] = {{"march.residual_drop", c->march.residual_drop},
                {"march.mass_imbalance", c->march.mass_imbalance},
                {"march.damping", c->march.damping},
                {"stop.mass_flow", c->stop.mass_flow},
                {"stop.pressure_ratio", c->stop.pressure_ratio},
                {"stop.efficiency", c->stop.efficiency},
                {"stop.force", c->stop.force},
                {"stop.turbulence", c->stop.turbulence},
                {"stop.lift", c->stop.lift},
                {"stop.drag", c->stop.drag},
                {"stop.moment", c->stop.moment}};
    for (size_t n = 0; n < sizeof rule / sizeof *rule; n++)
        if (rule[n].value > 0)
            add(text, size, " --set %s=0", rule[n].key);
}

/* A swing: period, mean and amplitude of each figure, and how to go on from it in time. */
static void judge_swing(struct an_session *r)
{
    const struct an_motion *m = &r->motion;
    char text[1024];
    snprintf(text, sizeof text,
             "the flow swings with a period of %.0f iterations, mean +- amplitude:", m->period);
    for (int n = 0; n <= AN_FIGURE_MOMENT; n++)
        if (!isnan(m->mean[n]))
            add(text, sizeof text, " %s %.6g +- %.2g,", an_figure_name((enum an_figure)n),
                m->mean[n], m->amplitude[n]);
    add(text, sizeof text,
        " residual within a factor of %.2g. No steady flow was found: the flow may be unsteady. "
        "An unsteady run starts from the snapshot with --restart %.300s --set march.mode=unsteady "
        "--set march.method=dual --set march.time_step=SECONDS --set march.end_time=SECONDS",
        pow(10, 2 * m->amplitude[AN_FIGURE_RESIDUAL]), r->snapshot);
    add_rules_off(&r->in.c, text, sizeof text);
    an_session_warn(r, 0, "%s", text);
}

static const char *word_of(const struct an_session *r, enum an_ending ending)
{
    switch (ending) {
    case AN_END_CONVERGED:
    case AN_END_FINISHED:
        return r->settled > 0         ? "settled"
               : r->settled == 0      ? NULL
               : r->motion.period > 0 ? "swings"
                                      : "creeps";
    case AN_END_DIVERGED:
        return "diverged";
    case AN_END_FALLEN:
    case AN_END_STOPPED:
        return "stopped";
    default:
        return NULL;
    }
}

/* A mass flow that was wanted and is missed by more than 1 %. */
static void judge_controls(struct an_session *r)
{
    const double enough = 0.01;
    struct an_control_report *q = calloc((size_t)r->ncontrol + 1, sizeof *q);
    const int n = q ? an_control_reports(r->solver, q) : 0;
    for (int c = 0; c < n; c++)
        if (fabs(q[c].mass / q[c].wanted - 1) > enough)
            an_session_warn(
                r, 0,
                "boundary '%s' passes %.5g kg/s, but its mass_flow is %.5g kg/s: its %s "
                "has gone from %.6g to %.6g Pa, and at Mach number 1 its area would "
                "pass %.5g kg/s; give the run more iterations, or ask for less",
                q[c].boundary, q[c].mass, q[c].wanted, q[c].quantity, q[c].start, q[c].value,
                q[c].sonic);
    free(q);
}

void an_session_judge(struct an_session *r, enum an_ending ending)
{
    struct an_facts f;
    an_doubts_end(&r->in.c, &r->in.mesh.topology, r->solver,
                  (const double(*)[AN_NINTEGRAL])r->integral, r->line.mass_in, &f);
    const struct an_stagnation *w = &r->stagnation;
    char of[80];
    snprintf(of, sizeof of, "wall '%.30s' at (%.4g, %.4g, %.4g) m", w->wall, w->x[0], w->x[1],
             w->x[2]);
    if (!isnan(w->ratio))
        an_facts_most(&f, AN_FACT_STAGNATION, w->ratio, of);
    (void)apply(r, &f); /* its rules do not refuse */
    if (r->in.c.march.mode != AN_MARCH_STEADY ||
        (ending != AN_END_FINISHED && ending != AN_END_CONVERGED))
        return;
    an_settling_find(r->solver, &r->motion);
    r->settled = (ending == AN_END_CONVERGED && !moves_on(r)) ||
                         (ending != AN_END_CONVERGED && has_settled(r))
                     ? 1
                     : -1;
    if (r->settled < 0)
        judge_settling(r);
    if (r->settled < 0 && r->motion.period > 0)
        judge_swing(r);
    judge_controls(r);
}

void an_session_name_state(struct an_session *r, enum an_ending ending)
{
    r->state = word_of(r, ending);
}

/* Warnings before and after a march: plausibility, and whether the flow has settled. */
#include "solver/app/session.h"

#include "mpi/reduce.h"
#include "solver/app/doubts.h"
#include "solver/app/lines.h"
#include "solver/boundary/control.h"
#include "solver/march/stop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
 * orders, and no more than 0.2 % of the mass flow comes or goes. */
static int has_settled(const struct an_session *r)
{
    const struct an_case *c = &r->in.c;
    if (c->march.residual_drop > 0 || c->march.mass_imbalance > 0 || an_case_has_stop(c))
        return an_line_converged(r);
    return r->line.residual_drop <= 1e-3 &&
           (isnan(r->line.imbalance) || fabs(r->line.imbalance) <= 2e-3);
}

static void judge_settling(struct an_session *r)
{
    double least, most;
    char text[512];
    const int lines = an_stop_mass_flow(r->solver, &least, &most);
    int n = snprintf(text, sizeof text,
                     "the flow has not settled in %lld iterations: the residual is at %.2g of its "
                     "largest",
                     (long long)an_solver_iteration(r->solver), r->line.residual_drop);
    if (!isnan(r->line.imbalance))
        n += snprintf(text + n, sizeof text - (size_t)n,
                      ", mass flows in and out differ by %.2g %%", 100 * fabs(r->line.imbalance));
    if (lines > 3 && most > 0)
        snprintf(text + n, sizeof text - (size_t)n,
                 ", and the mass flow moved by %.2g %% in the last %d lines of the table",
                 100 * (most - least) / most, lines - lines / 2);
    an_session_warn(r, 0, "%s", text);
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
    r->settled = ending == AN_END_CONVERGED || has_settled(r) ? 1 : -1;
    if (r->settled < 0)
        judge_settling(r);
    judge_controls(r);
}

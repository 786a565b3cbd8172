/* Warnings before and after a march: plausibility, and whether the flow has settled. */
#include "solver/app/session.h"

#include "mpi/reduce.h"
#include "solver/app/doubts.h"
#include "solver/app/lines.h"
#include "solver/boundary/control.h"
#include "solver/boundary/coolant.h"
#include "solver/boundary/solids.h"
#include "solver/march/acceleration.h"
#include "solver/march/dual.h"
#include "solver/march/recovery.h"
#include "solver/march/settling.h"
#include "solver/march/stall.h"
#include "solver/march/stop.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void warn(void *session, const char *text)
{
    an_session_warn(session, 0, "%s", text);
}

int an_session_doubt(struct an_session *r)
{
    struct an_facts f;
    AN_TRY(an_extent_find(r->solver, &r->extent));
    AN_TRY(an_doubts_find(&r->in.c, &r->in.mesh.topology, r->solver, &r->extent, r->commands, &f));
    return an_reduce_status(r->comm,
                            r->rank == 0 ? an_doubts_tell(&f, r->commands, warn, r) : AN_OK);
}

/* Without a rule a steady flow counts as settled when the residual has fallen by three orders of
 * magnitude and no more than 0.2 % of the mass flow comes or goes. */
#define AN_SETTLED_RESIDUAL  1e-3
#define AN_SETTLED_IMBALANCE 2e-3

static int is_balanced(const struct an_session *r)
{
    const double rule = r->in.c.march.mass_imbalance;
    return !(an_line_lost(r) > (rule > 0 ? rule : AN_SETTLED_IMBALANCE));
}

static int has_settled(const struct an_session *r)
{
    const struct an_case *c = &r->in.c;
    if (c->march.residual_drop > 0 || c->march.mass_imbalance > 0 || an_case_has_stop(c))
        return an_line_converged(r);
    return r->line.residual_drop <= AN_SETTLED_RESIDUAL && is_balanced(r) &&
           an_stop_is_still(r->solver);
}

/* All rules hold but march.residual_drop, and more iterations would not change that: the residual has
 * stalled, and the figures have stood still for long. */
static int stands(const struct an_session *r)
{
    const struct an_case *c = &r->in.c;
    return c->march.residual_drop > 0 && r->line.residual_drop <= AN_SETTLED_RESIDUAL &&
           is_balanced(r) && (!an_case_has_stop(c) || an_stop_holds(r->solver)) &&
           an_stop_stands(r->solver);
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

/* A share in percent with two digits, large ones in full: "0.31", "218". */
static const char *percent(double share, char *buf, size_t size)
{
    snprintf(buf, size, fabs(share) < 0.995 ? "%.2g" : "%.0f", 100 * share);
    return buf;
}

/* What still moves, figure by figure. */
static void judge_settling(struct an_session *r)
{
    const struct an_motion *m = &r->motion;
    char text[1024], share[32];
    snprintf(text, sizeof text,
             "the flow has not settled in %lld iterations: the residual is at %.2g of its largest",
             (long long)an_solver_iteration(r->solver), r->line.residual_drop);
    if (m->turbulence_drop > 0)
        add(text, sizeof text, ", that of the turbulence at %.2g", m->turbulence_drop);
    if (!isnan(an_line_lost(r)))
        add(text, sizeof text, ", mass flows in and out differ by %s %%",
            percent(an_line_lost(r), share, sizeof share));
    for (int n = 0; n <= AN_FIGURE_MOMENT; n++)
        if (m->moves[n] > AN_SETTLED_MOVES)
            add(text, sizeof text, ", %s moved by %s %% in %d iterations", an_figure_name(n),
                percent(m->moves[n], share, sizeof share), r->in.c.stop.window);
    if (an_case_is_laminar_at(&r->in.c, an_solver_iteration(r->solver)))
        add(text, sizeof text,
            "; no turbulence has been produced yet: the model of transition begins at iteration %d "
            "(turbulence.laminar_start)",
            r->in.c.turbulence.laminar_start);
    an_session_warn(r, 0, "%s", text);
}

/* A word of a command line, in quotes where a shell needs them. */
static void add_word(char *text, size_t size, const char *word)
{
    if (*word && !word[strcspn(word, " \t\n'\"\\$&|;<>(){}[]*?#~`!")]) {
        add(text, size, " %s", word);
        return;
    }
    add(text, size, " '");
    for (; *word; word++)
        if (*word == '\'')
            add(text, size, "'\\''");
        else
            add(text, size, "%c", *word);
    add(text, size, "'");
}

/* The command of an unsteady run that starts from the snapshot, with the settings of this run's own
 * command. Keys of the steady march in the case file are passed over (io/case_mode.c), and pressures
 * that the steady run controlled are given as they were at its end. */
static void add_command(struct an_session *r, char *text, size_t size)
{
    add(text, size, "annulus run");
    add_word(text, size, r->in.c.file);
    add(text, size, " --restart");
    add_word(text, size, r->snapshot);
    for (int n = 0; n < r->o->nset; n++)
        if (!an_case_set_is_steady(&r->in.c, r->o->set[n])) {
            add(text, size, " --set");
            add_word(text, size, r->o->set[n]);
        }
    struct an_control_report *q = calloc((size_t)r->ncontrol + 1, sizeof *q);
    const int n = q ? an_control_reports(r->solver, q) : 0;
    for (int c = 0; c < n; c++)
        add(text, size, " --set boundaries.%s.%s=%.8g", q[c].boundary, q[c].quantity, q[c].value);
    free(q);
    add(text, size,
        " --set march.mode=unsteady --set march.method=dual --set march.time_step=SECONDS"
        " --set march.end_time=SECONDS");
}

/* A swing: period, mean and amplitude of each figure, and how to go on from it in time. */
static void judge_swing(struct an_session *r)
{
    const struct an_motion *m = &r->motion;
    char text[4096] = "";
    if (m->swings == AN_SWINGS_PERIOD)
        add(text, sizeof text, "the flow swings with a period of %.0f iterations", m->period);
    else if (m->swings == AN_SWINGS_IRREGULAR)
        add(text, sizeof text,
            "the flow swings: irregular, no single period, but neither mean nor amplitude have "
            "changed over the last %d iterations",
            m->stretch);
    else
        add(text, sizeof text,
            "the residual swings irregularly and has not fallen over the last %d iterations, while "
            "no figure moved by more than %.2g %%: a small part of the flow may be unsteady",
            m->stretch, 100 * AN_SETTLED_MOVES);
    add(text, sizeof text, "; mean +- amplitude:");
    for (int n = 0; n <= AN_FIGURE_MOMENT; n++)
        if (!isnan(m->mean[n]))
            add(text, sizeof text, " %s %.6g +- %.2g,", an_figure_name((enum an_figure)n),
                m->mean[n], m->amplitude[n]);
    add(text, sizeof text, " residual within a factor of %.2g. ",
        pow(10, 2 * m->amplitude[AN_FIGURE_RESIDUAL]));
    add(text, sizeof text,
        "No steady flow was found. An unsteady run starts from the last state with: ");
    add_command(r, text, sizeof text);
    an_session_warn(r, 0, "%s", text);
}

/* An explicit march does not know what it has lost since its start; an implicit one that does not has just
 * started, or goes on with other keys. */
static struct an_stall_end end_of(const struct an_session *r)
{
    const int is_explicit = an_recovery_since(r->solver, an_solver_iteration(r->solver)) < 0;
    return (struct an_stall_end){
        .settled = r->settled, .starts = !is_explicit, .efficiency = r->line.efficiency};
}

/* Does a row that does work on the gas stall? The power is that of the walls, because temperatures have
 * no meaning once the flow reverses. */
static int stalls(const struct an_session *r)
{
    const double power = r->nrow ? r->row[r->nrow - 1][AN_ROW_POWER_WALLS] : 0;
    const struct an_stall_end end = end_of(r);
    return power > 0 && !r->ncontrol && an_stall_holds(&r->motion, &end);
}

static void judge_stall(struct an_session *r)
{
    char text[200];
    const struct an_stall_end end = end_of(r);
    if (an_stall_falls(&r->motion, &end))
        snprintf(text, sizeof text, "has fallen by %.0f %% within the last %d iterations",
                 100 * r->motion.fell,
                 (an_settling_lines(r->solver) - 1) * an_settling_every(r->solver));
    else
        snprintf(text, sizeof text, "lies %.0f %% below its largest value after the start",
                 100 * r->motion.lost);
    an_session_warn(r, 0,
                    "the mass flow %s, while the row does work on the gas: the back pressure is "
                    "higher than the row can reach, and it stalls; take a lower pressure, or let "
                    "`annulus map` raise it in steps",
                    text);
}

/* The residual stays above march.residual_drop, but the flow has settled all the same. */
static void tell_standing(struct an_session *r)
{
    const int lines = AN_STOP_STANDS * (an_settling_window(r->solver) - 1);
    const int most = AN_STOP_SAMPLES - 1;
    an_session_warn(r, 0,
                    "the residual has stalled at %.2g of its largest value and does not reach "
                    "march.residual_drop (%.2g); the flow counts as settled, because its figures "
                    "stood still for "
                    "%d iterations",
                    r->line.residual_drop, r->in.c.march.residual_drop,
                    (lines < most ? lines : most) * an_settling_every(r->solver));
}

static const char *word_of(const struct an_session *r, enum an_ending ending)
{
    switch (ending) {
    case AN_END_CONVERGED:
    case AN_END_FINISHED:
        return r->settled > 0                      ? "settled"
               : r->settled == 0                   ? NULL
               : r->motion.swings != AN_SWINGS_NOT ? "swings"
               : stalls(r)                         ? "stalls"
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

/* A mass flow that was wanted, or the line of a throttle, missed by more than 1 %. */
static void judge_controls(struct an_session *r)
{
    const double enough = 0.01;
    struct an_control_report *q = calloc((size_t)r->ncontrol + 1, sizeof *q);
    const int n = q ? an_control_reports(r->solver, q) : 0;
    for (int c = 0; c < n; c++)
        if (an_control_off_line(&q[c]))
            an_session_warn(r, 0,
                            "boundary '%s' passes %.5g kg/s, at which its throttle would stand at "
                            "%.6g Pa, but its pressure is %.6g Pa and still moves: the result is "
                            "not one of this throttle; give the run more iterations",
                            q[c].boundary, q[c].mass, q[c].line, q[c].value);
        else if (fabs(q[c].mass / q[c].wanted - 1) > enough)
            an_session_warn(
                r, 0,
                "boundary '%s' passes %.5g kg/s, but its mass_flow is %.5g kg/s: its %s "
                "has gone from %.6g to %.6g Pa, and at Mach number 1 its area would "
                "pass %.5g kg/s; give the run more iterations, or ask for less",
                q[c].boundary, q[c].mass, q[c].wanted, q[c].quantity, q[c].start, q[c].value,
                q[c].sonic);
    free(q);
}

/* A leakage whose seal has no pressure that drives it, or whose way back is too narrow. */
static void judge_leakages(struct an_session *r)
{
    const int most = an_leak_reports(r->solver, NULL);
    struct an_leak_report *q = calloc((size_t)most + 1, sizeof *q);
    const int n = q ? an_leak_reports(r->solver, q) : 0;
    for (int m = 0; m < n; m++) {
        if (q[m].seal && !(q[m].p_from > q[m].p_to))
            an_session_warn(r, 0,
                            "leakage '%s' passes no gas: the pressure is %.6g Pa where it should "
                            "leave and %.6g Pa where it should come back; are the ends exchanged?",
                            q[m].name, q[m].p_from, q[m].p_to);
        if (q[m].sonic)
            an_session_warn(
                r, 0,
                "leakage '%s': %.5g kg/s come back with the speed of sound, because the "
                "part of the wall is too small for them; give a larger part",
                q[m].name, q[m].mass);
    }
    free(q);
}

/* What is doubtful about solids. */
static void judge_solids(struct an_session *r)
{
    char text[400];
    for (int n = 0; an_solids_doubt(r->solver, n, text, sizeof text); n++)
        an_session_warn(r, 0, "%s", text);
}

/* Inner iterations that ended too early. */
static void judge_inner(struct an_session *r)
{
    char text[800];
    if (an_dual_misses(r->solver, text, sizeof text))
        an_session_warn(r, 0, "%s", text);
}

/* Means, and modes, of which no state is taken. */
static void judge_means(struct an_session *r)
{
    const struct an_case *c = &r->in.c;
    const long long last = (long long)an_solver_iteration(r->solver);
    if (an_case_has_means(c) && last <= c->output.means_from &&
        c->march.iterations > c->output.means_from) /* else the start has warned */
        an_session_warn(
            r, 0,
            "there are no means over time: 'output.means_from' is %d, and the run ended "
            "at iteration %lld",
            c->output.means_from, last);
    if (an_case_has_modes(c) && last <= c->output.modes_from &&
        c->march.iterations > c->output.modes_from)
        an_session_warn(r, 0,
                        "there are no modes: 'output.modes_from' is %d, and the run ended at "
                        "iteration %lld",
                        c->output.modes_from, last);
}

void an_session_settle(struct an_session *r, enum an_ending ending)
{
    r->settled = r->standing = 0;
    if (r->in.c.march.mode != AN_MARCH_STEADY ||
        (ending != AN_END_FINISHED && ending != AN_END_CONVERGED))
        return;
    an_settling_find(r->solver, &r->motion);
    const int laminar = an_case_is_laminar_at(&r->in.c, an_solver_iteration(r->solver));
    const int rules = ending == AN_END_CONVERGED ? !moves_on(r) : !laminar && has_settled(r);
    r->standing = !rules && !laminar && ending == AN_END_FINISHED && stands(r);
    r->settled = rules || r->standing ? 1 : -1;
    if (!an_accel_exhausted(r->solver)) /* mixed cycles may still find the steady flow */
        r->motion.swings = AN_SWINGS_NOT;
}

void an_session_judge_gas(struct an_session *r)
{
    if (r->range.outside > 0 && r->in.c.gas.model.table)
        an_session_warn(
            r, 1,
            "%lld cells have a state that gas.table does not hold, and were computed with a "
            "continuation of it, the farthest with %.6g Pa and %.6g K in %.200s: make the table "
            "larger",
            (long long)r->range.outside, r->range.p, r->range.T, r->range.place);
    else if (r->range.outside > 0)
        an_session_warn(
            r, 1,
            "%lld cells have a temperature outside gas.T_range (%.6g to %.6g K), where cp is "
            "constant, the farthest with %.6g K in %.200s: take coefficients that hold there",
            (long long)r->range.outside, r->in.c.gas.T_range.x[0], r->in.c.gas.T_range.x[1],
            r->range.T, r->range.place);
}

void an_session_judge(struct an_session *r)
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
    (void)an_doubts_tell(&f, AN_DOUBTS_RUN, warn, r); /* its rules do not refuse */
    an_session_judge_gas(r);
    if (r->standing)
        tell_standing(r);
    if (r->settled < 0)
        judge_settling(r);
    if (r->settled < 0 && r->motion.swings != AN_SWINGS_NOT)
        judge_swing(r);
    else if (r->settled && stalls(r))
        judge_stall(r);
    if (r->settled)
        judge_controls(r);
    judge_leakages(r);
    judge_solids(r);
    judge_inner(r);
    judge_means(r);
}

void an_session_name_state(struct an_session *r, enum an_ending ending)
{
    r->state = word_of(r, ending);
}

const char *an_session_swings(const struct an_session *r)
{
    static const char *const how[] = {[AN_SWINGS_PERIOD] = "with a period",
                                      [AN_SWINGS_IRREGULAR] = "irregular, no single period",
                                      [AN_SWINGS_RESIDUAL] = "the residual only, no figure"};
    return how[r->motion.swings];
}

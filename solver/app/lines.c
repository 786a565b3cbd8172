#include "solver/app/lines.h"

#include "solver/boundary/control.h"
#include "solver/boundary/mixing.h"
#include "solver/boundary/solids.h"
#include "solver/level/rows.h"
#include "solver/march/acceleration.h"
#include "solver/march/period.h"
#include "solver/march/recovery.h"
#include "solver/march/settling.h"
#include "solver/march/stop.h"
#include "solver/monitor/figures.h"
#include "solver/monitor/forces.h"
#include "solver/monitor/performance.h"
#include "solver/monitor/volume_means.h"
#include "solver/monitor/walls.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void note_walls(struct an_session *r)
{
    struct an_history_line *line = &r->line;
    const struct an_wall_sum t = an_walls_total(r->solver);
    const int some = t.area > 0;
    for (int c = 0; c < 3; c++) {
        line->wall_force[c] = some ? t.force[c] : NAN;
        line->wall_friction[c] = some ? t.friction[c] : NAN;
    }
    line->wall_torque = some ? t.torque : NAN;
    line->wall_heat = some ? t.heat : NAN;
    line->wall_yplus = some ? t.yplus : NAN;
}

int an_line_start(struct an_session *r)
{
    struct an_solver_info info;
    AN_TRY(an_solver_measure_start(r->solver));
    an_solver_reuse_residual(r->solver);
    an_solver_info(r->solver, &info);
    r->next = (struct an_history_line){.iteration = an_solver_iteration(r->solver),
                                       .time = an_solver_time(r->solver),
                                       .cfl = info.cfl,
                                       .back_pressure = an_control_pressure(r->solver, -1),
                                       .control = r->control,
                                       .solid = (const double(*)[AN_NSOLID_FIGURE])r->solid};
    an_control_values(r->solver, r->control);
    an_solids_figures(r->solver, r->solid);
    return AN_OK;
}

int64_t an_line_last(const struct an_session *r, int64_t last)
{
    const struct an_case *c = &r->in.c;
    const int64_t done = an_solver_iteration(r->solver) - r->first;
    const double time = an_solver_time(r->solver), passed = time - r->first_time;
    if (c->march.mode != AN_MARCH_UNSTEADY || !(c->march.end_time > 0) || done < 1 || !(passed > 0))
        return last;
    const double more = (c->march.end_time - time) / passed * (double)done;
    if (last > 0 && more >= (double)(last - r->first - done))
        return last;
    return r->first + done + (more > 0 ? (int64_t)ceil(more - 1e-6) : 0);
}

int an_line_take(struct an_session *r)
{
    struct an_measure m = {.integral = r->integral};
    struct an_figures f;
    AN_TRY(an_solver_measure_finish(r->solver, &m));
    struct an_history_line *line = &r->line;
    *line = r->next;
    line->residual_turbulence = m.turbulence[0];
    memcpy(line->residual, m.residual, sizeof line->residual);
    line->residual_drop = m.drop;
    note_walls(r);
    for (int n = 0; n < r->nrow; n++)
        memcpy(r->row[n], an_performance_of(r->solver)->of[n].value, sizeof r->row[n]);
    line->row = r->nrow ? r->row : NULL;
    const struct an_forces *forces = an_forces_of(r->solver);
    line->coefficients = forces ? &forces->value : NULL;
    line->volume = an_volume_means_of(r->solver);
    an_figures_find(r->solver, (const double(*)[AN_NINTEGRAL])r->integral, &f);
    line->mass_in = f.mass_in;
    line->mass_out = f.mass_out;
    line->imbalance = f.imbalance;
    line->pressure_ratio = f.pressure_ratio;
    line->temperature_ratio = f.temperature_ratio;
    line->efficiency = f.efficiency;
    double seconds = MPI_Wtime() - r->marched;
    line->rate = seconds > 0 ? (double)(line->iteration - r->first) / seconds : 0;
    const int64_t last = an_line_last(r, r->in.c.march.iterations);
    line->time_left = line->rate > 0 ? (double)(last - line->iteration) / line->rate : NAN;
    return AN_OK;
}

int an_line_measure(struct an_session *r)
{
    AN_TRY(an_line_start(r));
    return an_line_take(r);
}

double an_line_lost(const struct an_session *r)
{
    const struct an_case *c = &r->in.c;
    for (int b = 0; b < c->nboundary; b++)
        if (c->boundary[b].type == AN_BC_FARFIELD)
            return NAN;
    return !r->nrow && an_mixing_of(r->solver) ? NAN : fabs(r->line.imbalance);
}

/* Where the case has no rule on the mass balance: figures that stand while so much of the mass flow is lost are not those of a
 * settled flow. */
static int loses_mass(const struct an_session *r)
{
    const double most = 0.01;
    return r->in.c.march.mass_imbalance <= 0 && an_line_lost(r) > most;
}

int an_line_converged(const struct an_session *r)
{
    const struct an_case *c = &r->in.c;
    const int settle = an_case_has_stop(c);
    if (c->march.mode == AN_MARCH_UNSTEADY)
        return an_period_holds(r->solver);
    if (an_case_is_laminar_at(c, r->line.iteration))
        return 0;
    if (c->march.residual_drop <= 0 && c->march.mass_imbalance <= 0 && !settle)
        return 0;
    if (settle && (!an_stop_holds(r->solver) || loses_mass(r)))
        return 0;
    if (c->march.residual_drop > 0 && !(r->line.residual_drop <= c->march.residual_drop))
        return 0;
    if (c->march.mass_imbalance > 0 && !(fabs(r->line.imbalance) <= c->march.mass_imbalance))
        return 0;
    return an_control_throttles_stand(r->solver) && an_solids_stand(r->solver);
}

double an_line_cfl(const struct an_session *r)
{
    struct an_solver_info run;
    an_solver_info(r->solver, &run);
    return run.cfl_most;
}

void an_line_control(struct an_session *r)
{
    const struct an_history_line *l = &r->line;
    const enum an_control_move move = an_recovery_note(r->solver, l->iteration, l->residual,
                                                       l->residual_turbulence, l->residual_drop);
    static const char *const why[] = {
        [AN_CONTROL_HALVED] = "the residual grows",
        [AN_CONTROL_DOUBLED] = "the residual falls again",
        [AN_CONTROL_RESTORED] = "the lower CFL number does not help",
        [AN_CONTROL_TRIES] = "the residual has stalled, so a lower CFL number is tried",
        [AN_CONTROL_UNDONE] = "the trial did not help and is undone"};
    if (r->rank == 0 && move != AN_CONTROL_STAYS)
        printf("recovery    iteration %lld: %s; CFL number up to %.3g\n",
               (long long)r->line.iteration, why[move], an_line_cfl(r));
}

static double size_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The figures of the line that have a meaning for this run. */
static void note_figures(struct an_session *r)
{
    const struct an_history_line *l = &r->line;
    const double *whole = r->nrow ? r->row[r->nrow - 1] : NULL;
    const int rotating = an_solver_is_rotating(r->solver);
    const int has_friction =
        !rotating && an_walls_of(r->solver) && r->in.c.march.mode == AN_MARCH_STEADY;
    double value[AN_NFIGURE] = {
        [AN_FIGURE_MASS_FLOW] = 0.5 * (l->mass_in + l->mass_out),
        [AN_FIGURE_PRESSURE_RATIO] = l->pressure_ratio,
        [AN_FIGURE_EFFICIENCY] = rotating ? l->efficiency : NAN,
        [AN_FIGURE_LOSS] = whole && !rotating ? whole[AN_ROW_LOSS_MIXED] : NAN,
        [AN_FIGURE_FRICTION] = has_friction ? size_of(l->wall_friction) : NAN,
        [AN_FIGURE_TORQUE] = rotating && !whole ? l->wall_torque : NAN,
        [AN_FIGURE_POWER] = rotating && whole ? whole[AN_ROW_POWER_WALLS] : NAN,
        [AN_FIGURE_RESIDUAL] = log10(l->residual[0]),
        [AN_FIGURE_TURBULENCE] =
            an_case_is_laminar_at(&r->in.c, l->iteration) ? NAN : log10(l->residual_turbulence)};
    /* The sum over slip walls may be zero but for rounding, as in a straight channel: it is judged only
     * where a rule asks for it. */
    const int judged = an_walls_of(r->solver) || r->in.c.stop.force > 0;
    for (int c = 0; c < 3; c++)
        value[AN_FIGURE_FORCE_X + c] = judged ? l->wall_force[c] : NAN;
    if (!judged)
        value[AN_FIGURE_TORQUE] = NAN;
    value[AN_FIGURE_LIFT] = l->coefficients ? (*l->coefficients)[AN_C_LIFT][AN_C_ALL] : NAN;
    value[AN_FIGURE_DRAG] = l->coefficients ? (*l->coefficients)[AN_C_DRAG][AN_C_ALL] : NAN;
    value[AN_FIGURE_MOMENT] = l->coefficients ? (*l->coefficients)[AN_C_MOMENT][AN_C_ALL] : NAN;
    if (whole && !rotating && isnan(value[AN_FIGURE_LOSS]))
        value[AN_FIGURE_LOSS] = whole[AN_ROW_LOSS];
    /* power that AN_LEAST_LOADING stands for: of the full annulus, as the power of rows; torque: of the
     * mesh, as that of its walls */
    const double u = r->extent.speed, flow = AN_LEAST_LOADING * value[AN_FIGURE_MASS_FLOW];
    const double work = whole ? AN_LEAST_LOADING * fabs(whole[AN_ROW_MASS_IN]) * u * u : 0;
    if (an_recovery_since(r->solver, l->iteration) >= AN_SETTLING_START)
        an_settling_passes(r->solver, value[AN_FIGURE_MASS_FLOW]);
    if (l->iteration % an_settling_every(r->solver) == 0)
        an_settling_note(r->solver, value, isnan(work) ? 0 : work,
                         isnan(flow) ? 0 : fabs(flow) * u * r->extent.radius);
    an_period_note(r->solver, l->iteration, value);
}

int an_line_finish(struct an_session *r)
{
    const struct an_history_line *l = &r->line;
    if (l->iteration % r->in.c.output.history_every == 0) { /* not the line of a run's end */
        note_figures(r);
        char news[256];
        if (an_accel_news(r->solver, news, sizeof news) && r->rank == 0)
            printf("march       %s\n", news);
        an_line_control(r);
    }
    return r->rank == 0 ? an_history_add(r->history, &r->line) : AN_OK;
}

int an_line_record(struct an_session *r)
{
    AN_TRY(an_line_start(r));
    AN_TRY(an_line_take(r));
    return an_line_finish(r);
}

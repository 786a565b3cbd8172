#include "solver/monitor/performance_rows.h"

#include "kernels/physics/gas_state.h"
#include "solver/boundary/coolant.h"
#include "solver/boundary/leakage.h"
#include "solver/level/level.h"
#include "solver/level/rows.h"

#include <math.h>

/* The figures that only cascades have. */
static void note_cascade(struct an_row_flow *r, const struct an_gas *gas)
{
    const struct an_flow_average *in = &r->in, *out = &r->out;
    const struct an_flow_kind before = {in->p0, in->T0, in->area.p},
                              after = {out->p0, out->T0, out->area.p};
    double *v = r->value;
    v[AN_ROW_P0_IN] = in->p0;
    v[AN_ROW_P0_OUT] = out->p0;
    v[AN_ROW_P0_MIXED] = out->mixed.p0;
    v[AN_ROW_P_OUT] = out->area.p;
    v[AN_ROW_ALPHA_MIXED] = out->alpha_mixed;
    v[AN_ROW_MACH_IS] = an_flow_isentropic_mach(gas, in->p0, in->T0, out->area.p);
    v[AN_ROW_LOSS_MASS] = an_flow_cascade_loss(&before, &after);
    v[AN_ROW_LOSS_MIXED] = an_flow_cascade_loss(&in->mixed, &out->mixed);
    v[AN_ROW_FORCE_X] = r->force[0] / r->span;
    v[AN_ROW_FORCE_T] = r->force[1] / r->span;
    v[AN_ROW_LOST_X] = r->lost[0] / r->span;
    v[AN_ROW_LOST_T] = r->lost[1] / r->span;
}

static void note_values(struct an_row_flow *r, const struct an_gas *gas)
{
    const struct an_flow_average *in = &r->in, *out = &r->out;
    double *v = r->value;
    v[AN_ROW_MASS_IN] = r->mass_in;
    v[AN_ROW_MASS_OUT] = r->mass_out;
    v[AN_ROW_IMBALANCE] = (r->mass_in - r->mass_out) / r->mass_in;
    v[AN_ROW_P0_RATIO] = out->p0 / in->p0;
    v[AN_ROW_T0_RATIO] = out->T0 / in->T0;
    const double p0 = v[AN_ROW_P0_RATIO], T0 = v[AN_ROW_T0_RATIO];
    v[AN_ROW_EFFICIENCY] = r->rotating ? an_flow_efficiency(gas, in->p0, in->T0, p0, T0) : NAN;
    v[AN_ROW_POLYTROPIC] = r->rotating ? an_flow_polytropic(gas, in->p0, in->T0, p0, T0) : NAN;
    v[AN_ROW_POWER] = r->power;
    v[AN_ROW_POWER_WALLS] = r->power_walls;
    v[AN_ROW_TORQUE_EULER] = r->torque_euler;
    v[AN_ROW_TORQUE_WALLS] = r->torque_walls;
    v[AN_ROW_ALPHA_IN] = in->alpha;
    v[AN_ROW_ALPHA_OUT] = out->alpha;
    v[AN_ROW_BETA_IN] = in->beta;
    v[AN_ROW_BETA_OUT] = out->beta;
    v[AN_ROW_MACH_IN] = in->mach_rel;
    v[AN_ROW_MACH_OUT] = out->mach_rel;
    v[AN_ROW_LOSS] = an_flow_loss(gas, in, out);
    v[AN_ROW_ENTROPY] = out->s - in->s;
    v[AN_ROW_COOLANT] = r->coolant;
    v[AN_ROW_BLEED] = r->bleed;
    v[AN_ROW_MASS_CORRECTED] =
        (r->mass_in - r->coolant) * sqrt(in->T0 / 288.15) / (in->p0 / 101325);
    v[AN_ROW_REACTION] = NAN;
    note_cascade(r, gas);
}

void an_performance_reactions(struct an_performance *f)
{
    for (int n = 0; n < f->nrow; n++) {
        struct an_row_flow *rotor = &f->of[n], *stator = NULL;
        const int down = rotor->power > 0;
        if (rotor->omega == 0 || !isfinite(rotor->power))
            continue;
        for (int m = 0; m < f->nrow; m++) {
            struct an_row_flow *q = &f->of[m];
            const double ahead = down ? q->in.x - rotor->in.x : rotor->in.x - q->in.x;
            if (q->omega != 0 || !(ahead > 0))
                continue;
            const double best = !stator ? INFINITY : fabs(stator->in.x - rotor->in.x);
            stator = ahead < best ? q : stator;
        }
        if (!stator)
            continue;
        struct an_gas mixed;
        const struct an_gas *gas = an_flow_gas_of(&f->gas, rotor->in.fraction, &mixed);
        const double mine = an_flow_heat(gas, rotor->in.p, rotor->in.T, rotor->out.p, rotor->out.T);
        const double other =
            an_flow_heat(gas, stator->in.p, stator->in.T, stator->out.p, stator->out.T);
        rotor->value[AN_ROW_REACTION] = mine / (mine + other);
    }
}

/* Does the patch belong to a leakage with both ends in row n, or in the machine? */
static int stays(const struct an_performance *f, int n, const struct an_coolant *k,
                 const struct an_coolant_patch *q)
{
    if (!q->leak || n == f->nrow)
        return q->leak != NULL;
    return f->row[k->patch[q->leak->from].zone] == f->row[k->patch[q->leak->to].zone];
}

/* What cooling and bleed of a row, or of the machine, bring and take, and the efficiency with them. What
 * enters and does not leave, or the other way, while the flow settles, counts with the total enthalpy
 * h0 of what leaves: it takes up no power. */
static void add_coolant(const struct an_solver *s, const struct an_performance *f, int n, double h0,
                        struct an_row_flow *r)
{
    const struct an_coolant *k = an_coolant_of(s);
    struct an_gas mixed;
    const struct an_gas *gas = an_flow_gas_of(&f->gas, r->in.fraction, &mixed);
    double power = 0, moment = 0, ideal = 0, coolant = 0, bleed = 0;
    for (int m = 0; k && m < k->n; m++) {
        const struct an_coolant_patch *q = &k->patch[m];
        if (n < f->nrow && f->row[q->zone] != n)
            continue;
        if (stays(f, n, k,
                  q)) /* it leaves and comes back: the main flow has its losses and its windage */
            continue;
        const double mass = q->sectors * q->seen.mass;
        const double from = q->bleeds ? r->in.p0 : q->seen.p0,
                     to = q->bleeds ? q->seen.p0 : r->out.p0;
        const double T0 = q->bleeds ? r->in.T0 : q->seen.T0;
        *(q->bleeds ? &bleed : &coolant) += mass;
        power += (q->bleeds ? mass : -mass) * q->seen.h0;
        moment += (q->bleeds ? mass : -mass) * q->seen.moment;
        ideal += mass * an_flow_ideal_work(gas, from, T0, to / from);
    }
    r->coolant = coolant;
    r->bleed = bleed;
    r->mass_in += coolant;
    r->mass_out += bleed;
    r->power += power - (r->mass_out - r->mass_in) * h0;
    r->torque_euler += moment;
    note_values(r, gas);
    if (!(coolant > 0 || bleed > 0))
        return;
    const double main_flow = r->mass_in - coolant - bleed;
    ideal += main_flow * an_flow_ideal_work(gas, r->in.p0, r->in.T0, r->out.p0 / r->in.p0);
    const int works =
        r->rotating && fabs(r->power) > 1e-3 * r->mass_in * an_state_h(gas, r->in.p0, r->in.T0);
    r->value[AN_ROW_EFFICIENCY] = !works ? NAN : r->power > 0 ? ideal / r->power : r->power / ideal;
    r->value[AN_ROW_POLYTROPIC] = NAN;
}

static double along(const double axis[3], const double force[3])
{
    return axis[0] * force[0] + axis[1] * force[1] + axis[2] * force[2];
}

void an_performance_row(const struct an_solver *s, struct an_performance *f, int n, int nboundary,
                        double (*flow)[AN_NFLOW], double (*work)[AN_NWORK])
{
    struct an_row_flow *r = &f->of[n];
    const int whole = n == f->nrow;
    double side[2][AN_NFLOW] = {{0}};
    double torque = 0, power = 0, euler = 0, force[2] = {0};
    for (int q = 0; q <= f->nrow; q++) {
        if (!whole && q != n)
            continue;
        const double sectors = f->of[q].sectors;
        torque += sectors * work[q][AN_WORK_TORQUE];
        power += sectors * work[q][AN_WORK_POWER];
        force[0] += sectors * along(f->gas.axes.axial, work[q] + AN_WORK_FORCE);
        force[1] += sectors * along(f->gas.axes.pitch, work[q] + AN_WORK_FORCE);
        for (int b = 0; b < nboundary; b++) {
            const double *t = flow[q * nboundary + b];
            if (whole && !an_bc_type_has((enum an_bc_type)s->boundary[b].type, AN_BC_PASSES))
                continue; /* planes between rows */
            euler += sectors * t[AN_FLOW_MOMENT];
            for (int m = 0; m < AN_NFLOW; m++)
                side[t[AN_FLOW_MASS] > 0][m] += sectors * t[m];
        }
    }
    r->in = an_flow_average_of(&f->gas, side[0], r->omega);
    r->out = an_flow_average_of(&f->gas, side[1], r->omega);
    r->mass_in = -side[0][AN_FLOW_MASS];
    r->mass_out = side[1][AN_FLOW_MASS];
    r->rotating = whole ? an_solver_is_rotating(s) : r->omega != 0 || power != 0;
    r->torque_walls = torque;
    r->power_walls = power;
    r->torque_euler = euler;
    r->span = -side[0][AN_FLOW_AREA_X] / f->gas.axes.length;
    for (int d = 0; d < 2; d++) {
        const int sum = d ? AN_FLOW_MOMENT : AN_FLOW_THRUST;
        r->force[d] = force[d];
        r->lost[d] = -(side[0][sum] + side[1][sum]);
    }
    r->power = side[0][AN_FLOW_H0] + side[1][AN_FLOW_H0];
    add_coolant(s, f, n, r->mass_out > 0 ? side[1][AN_FLOW_H0] / r->mass_out : 0, r);
}

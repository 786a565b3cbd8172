#include "solver/monitor/mean_line.h"

#include "io/screen.h"
#include "kernels/physics/gas_state.h"
#include "solver/boundary/inlets.h"
#include "solver/level/component.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_MORE \
    0.995          /* of the mass flow that chokes a row: nearer to it the solution is not smooth */
#define WALLS 0.98 /* part of the areas that the boundary layers on hub and casing leave */

/* Where the march along the rows stands. */
struct flow {
    const struct an_mean_line *m;
    double mass; /* kg/s */
    double cp;
    double T0, moment, Vm, entropy; /* entropy over R, above that of the inlet */
    int fails;                      /* the row that does not pass the mass flow; -1: none */
    const double *loss; /* [rows] more losses of choked rows, as entropy over R; NULL: none */
};

static double degrees(double tangent)
{
    return atan(tangent) * 180 / acos(-1);
}

/* p0 of gas with the total temperature T0 and the entropy of the flow. */
static double total_pressure(const struct flow *f, double T0, double entropy)
{
    const struct an_mean_ends *e = &f->m->ends;
    return e->p0 * pow(T0 / e->T0, e->gamma / (e->gamma - 1)) * exp(-entropy);
}

/* kg/s through an area at Mach number 1. */
static double sonic(const struct flow *f, double area, double T0, double entropy)
{
    const double g = f->m->ends.gamma;
    return area * total_pressure(f, T0, entropy) * sqrt(g / (f->m->ends.R * T0)) *
           pow(2 / (g + 1), (g + 1) / (2 * (g - 1)));
}

/* Subsonic speed of a mass flow through an area, less a head of enthalpy that the flow around the axis has; with the
 * smallest area it is sonic. */
static double speed_of(const struct flow *f, double area, double T0, double head, double entropy)
{
    const double g = f->m->ends.gamma, R = f->m->ends.R, T = T0 - head / f->cp;
    if (!(T > 0))
        return 0;
    double low = 0, high = sqrt(2 * g * R * T / (g + 1));
    for (int n = 0; n < 40; n++) {
        const double V = 0.5 * (low + high), t = T - 0.5 * V * V / f->cp;
        const double p = total_pressure(f, t, entropy);
        if (p / (R * t) * V * area < f->mass)
            low = V;
        else
            high = V;
    }
    return 0.5 * (low + high);
}

/* The state of a station where the moment is known. */
static struct an_mean_state state_of(const struct flow *f, double area, double radius, double T0,
                                     double moment, double entropy)
{
    const double Vt = moment / radius;
    const double Vm = speed_of(f, area, T0, 0.5 * Vt * Vt, entropy);
    const double T = fmax(T0 - 0.5 * (Vt * Vt + Vm * Vm) / f->cp, 0.1 * T0);
    return (struct an_mean_state){
        .p = total_pressure(f, T, entropy), .T = T, .T0 = T0, .Vm = Vm, .moment = moment};
}

static double solidity_of(const struct an_row_shape *r)
{
    double chord = 0;
    for (int n = r->first; n <= r->last; n++)
        chord += r->length[n] / cos(r->angle[n]);
    return fmax(chord * fmax(r->blades, 1) / (2 * acos(-1) * r->radius[r->last]), 0.3);
}

/* Angle of the flow behind the blades, in their frame. */
static double exit_angle(const struct an_row_shape *r)
{
    const double in = an_row_angle(r, 0), out = an_row_angle(r, 1), pi = acos(-1);
    const int behind = r->last + 1 < AN_STATIONS ? r->last + 1 : r->last;
    if (an_row_accelerates(r))
        return fabs(out) > pi / 6 ? copysign(acos(fmin(an_row_throat(r) / r->area[behind], 1)), out)
                                  : out;
    return out - (0.23 + fabs(out) * 180 / pi / 500) * (out - in) / sqrt(solidity_of(r));
}

/* Passes the blades of a row: states at their stations, and the flow behind them. */
static void pass_blades(struct flow *f, int place, struct an_mean_row *out)
{
    const struct an_row_shape *r = &f->m->shape.row[place];
    const double R = f->m->ends.R, w = r->omega, rothalpy = f->cp * f->T0 - w * f->moment;
    const double r1 = r->radius[r->first], r2 = r->radius[r->last];
    const double Wt1 = f->moment / r1 - w * r1, W1 = hypot(Wt1, f->Vm);
    const double T0rel1 = (rothalpy + 0.5 * w * w * r1 * r1) / f->cp,
                 T0rel2 = (rothalpy + 0.5 * w * w * r2 * r2) / f->cp;
    const double in = an_row_angle(r, 0), behind = exit_angle(r);
    const double strike = Wt1 - f->Vm * tan(in), T1 = T0rel1 - 0.5 * W1 * W1 / f->cp;
    const int end = r->last + 1 < AN_STATIONS ? r->last + 1 : r->last;
    const double area2 = WALLS * r->area[end] * cos(behind);
    const double more = f->loss ? f->loss[place] : 0;
    double W2 = W1, loss = 0, throat = INFINITY;
    for (int n = r->first; n <= r->last; n++) {
        const double u = w * r->radius[n], T0rel = (rothalpy + 0.5 * u * u) / f->cp;
        const double most = sonic(f, WALLS * r->area[n] * cos(r->angle[n]), T0rel, f->entropy);
        throat = fmin(throat, most);
    }
    for (int n = 0; n < 3; n++) { /* the losses depend on the speed behind the blades */
        const double T2 = fmax(T0rel2 - 0.5 * W2 * W2 / f->cp, 0.3 * T0rel2);
        const double head1 = 1 - total_pressure(f, T1, 0) / total_pressure(f, T0rel1, 0),
                     head2 = 1 - total_pressure(f, T2, 0) / total_pressure(f, T0rel2, 0);
        loss = -log(1 - AN_MEAN_LOSS * fmax(head1, head2)) + 0.5 * strike * strike / (R * T1);
        W2 = speed_of(f, area2, T0rel2, 0, f->entropy + loss + more);
    }
    if (f->mass > throat && f->fails < 0)
        f->fails = place;
    loss += more;
    const double moment2 = r2 * (w * r2 + W2 * sin(behind));
    const double begin = f->moment, entropy = f->entropy;
    const double still = f->moment / r1 + w * r1;
    *out = (struct an_mean_row){
        .flow_angle = degrees(Wt1 / f->Vm),
        .flow_angle_still = degrees(still / f->Vm),
        .blade_angle = in * 180 / acos(-1),
        .exit_angle = behind * 180 / acos(-1),
        .throat = an_row_throat(r),
        .diffusion = 1 - W2 / W1 + fabs(Wt1 - W2 * sin(behind)) / (2 * solidity_of(r) * W1),
        .margin = throat / f->mass,
        .power = f->mass * w * (moment2 - begin)};
    for (int n = r->first; n <= r->last; n++) {
        const double part = (n + 1. - r->first) / (r->last + 1. - r->first);
        f->moment = begin + part * (moment2 - begin);
        f->entropy = entropy + part * loss;
        f->T0 = (rothalpy + w * f->moment) / f->cp;
        out->at[n] = state_of(f, WALLS * r->area[n], r->radius[n], f->T0, f->moment, f->entropy);
    }
    const struct an_mean_state *at = &out->at[r->last];
    if (WALLS * r->area[r->last] * at->Vm * at->p / (R * at->T) < 0.999 * f->mass && f->fails < 0)
        f->fails = place; /* the annulus behind the blades is choked */
}

static void pass_row(struct flow *f, int place, struct an_mean_row *out)
{
    const struct an_row_shape *r = &f->m->shape.row[place];
    const int bladed = r->first <= r->last;
    struct an_mean_state at[AN_STATIONS];
    for (int n = 0; n < AN_STATIONS; n++) {
        if (bladed && n == r->first) {
            if (n == 0)
                f->Vm =
                    state_of(f, WALLS * r->area[0], r->radius[0], f->T0, f->moment, f->entropy).Vm;
            pass_blades(f, place, out);
            memcpy(at + n, out->at + n, (size_t)(r->last + 1 - n) * sizeof *at);
            n = r->last;
        } else {
            at[n] = state_of(f, WALLS * r->area[n], r->radius[n], f->T0, f->moment, f->entropy);
        }
        f->Vm = at[n].Vm;
    }
    memcpy(out->at, at, sizeof at);
}

/* The rows at a mass flow, into m->row. Returns the pressure at the outlet; *fails: the first row that does not pass
 * it, -1: none. */
static double march(const struct an_mean_line *m, double mass, const double *loss, int *fails)
{
    const struct an_mean_ends *e = &m->ends;
    const struct an_row_shape *r = m->shape.row;
    struct flow f = {.m = m,
                     .mass = mass,
                     .cp = e->gamma * e->R / (e->gamma - 1),
                     .T0 = e->T0,
                     .fails = -1,
                     .loss = loss};
    /* swirl that enters: Vt = Vm tan swirl */
    const double straight = 1 / sqrt(1 + e->tan_swirl * e->tan_swirl);
    f.Vm = speed_of(&f, WALLS * r->area[0] * straight, e->T0, 0, 0) * straight;
    f.moment = r->radius[0] * f.Vm * e->tan_swirl;
    for (int n = 0; n < m->shape.n; n++) {
        memset(&m->row[n], 0, sizeof m->row[n]);
        pass_row(&f, n, &m->row[n]);
    }
    *fails = f.fails;
    return m->row[m->shape.n - 1].at[AN_STATIONS - 1].p;
}

/* The pressure that the outlet has at a mass flow. */
static double asked(const struct an_mean_ends *e, double mass)
{
    if (!(e->throttle_mass > 0))
        return e->p;
    return e->throttle_p + (e->p - e->throttle_p) * pow(mass / e->throttle_mass, 2);
}

/* The largest mass flow that passes, the row that chokes, and the highest pressure at the outlet. 0: nothing passes. */
static int find_limits(struct an_mean_line *m)
{
    enum { PARTS = 100 };
    double low = 0, high = INFINITY;
    int fails = -1;
    const struct an_row_shape *first = m->shape.row;
    struct flow still = {.m = m};
    high = 1.1 * sonic(&still, first->area[0], m->ends.T0, 0);
    m->chokes = -1;
    for (int n = 0; n < 60; n++) {
        const double mass = 0.5 * (low + high);
        march(m, mass, NULL, &fails);
        if (fails < 0) {
            low = mass;
        } else {
            high = mass;
            m->chokes = fails;
        }
    }
    m->most_mass = low;
    if (!(low > 1e-6 * high) || m->chokes < 0)
        return 0;
    m->p_choked = march(m, NO_MORE * low, NULL, &fails);
    m->most_p = m->p_choked;
    m->most_p_mass = NO_MORE * low;
    for (int n = PARTS - 1; n > 0; n--) {
        const double mass = NO_MORE * low * n / PARTS, p = march(m, mass, NULL, &fails);
        int stalls = 0;
        for (int k = 0; k < m->shape.n; k++)
            stalls |= m->row[k].diffusion > AN_MEAN_STALL && an_row_is_axial(&m->shape.row[k]);
        if (!(p > m->most_p) || stalls)
            break;
        m->most_p = p;
        m->most_p_mass = mass;
    }
    return 1;
}

/* Losses of choked rows that lower the pressure at the outlet to `p` at the mass flow m->mass: of the row that chokes,
 * as far as the rows behind it pass the flow, then of the one that does not. loss[rows], zeroed. */
static void find_losses(struct an_mean_line *m, double p, double *loss)
{
    int fails;
    for (int row = m->chokes; row >= 0 && row<m->shape.n; row = fails> row ? fails : row + 1) {
        double least = 0, most = 5;
        int next = row;
        for (int n = 0; n < 40; n++) {
            loss[row] = 0.5 * (least + most);
            const double out = march(m, m->mass, loss, &fails);
            next = fails >= 0 ? fails : next;
            if (fails < 0 && out > p)
                least = loss[row];
            else
                most = loss[row];
        }
        loss[row] = least;
        if (march(m, m->mass, loss, &fails) < 1.001 * p)
            return;
        fails = next;
    }
}

/* The mass flow at which the rows give the pressure of the outlet. */
static double find_mass(const struct an_mean_line *m)
{
    double low = m->most_p_mass, high = NO_MORE * m->most_mass;
    for (int n = 0; n < 40; n++) {
        int fails;
        const double mass = 0.5 * (low + high);
        if (march(m, mass, NULL, &fails) > asked(&m->ends, mass))
            low = mass;
        else
            high = mass;
    }
    return 0.5 * (low + high);
}

void an_mean_line_solve(struct an_mean_line *m)
{
    int fails;
    double *loss = calloc((size_t)m->shape.n, sizeof *loss);
    m->known = loss && find_limits(m);
    if (!m->known) {
        free(loss);
        return;
    }
    const double most = NO_MORE * m->most_mass;
    m->choked = m->ends.mass_flow <= 0 && m->p_choked > asked(&m->ends, most);
    m->mass = m->choked               ? most
              : m->ends.mass_flow > 0 ? fmin(m->ends.mass_flow, most)
                                      : find_mass(m);
    if (m->choked)
        find_losses(m, asked(&m->ends, most), loss);
    m->p_out = march(m, m->mass, loss, &fails);
    free(loss);
}

/* ---- the case ---- */

/* Means of the inlet's lines. */
static int take_ends(const struct an_solver *s, struct an_mean_line *m)
{
    const struct an_topology *t = &s->mesh->topology;
    const struct an_row_shape *first = m->shape.row, *last = &m->shape.row[m->shape.n - 1];
    const struct an_case_boundary *in = an_case_boundary_find(s->c, t->boundary[first->inlet].name),
                                  *out =
                                      an_case_boundary_find(s->c, t->boundary[last->outlet].name);
    if (!in || !out)
        return 0;
    const struct an_profile *profile = an_inlets_profile(s, in);
    const int lines = an_inlets_count(s, in);
    struct an_mean_ends *e = &m->ends;
    *e = (struct an_mean_ends){.p = out->p,
                               .mass_flow = out->outlet.mass_flow > 0 ? out->outlet.mass_flow
                                                                      : in->outlet.mass_flow,
                               .throttle_mass = out->outlet.throttle_mass_flow,
                               .throttle_p = out->outlet.throttle_p};
    for (int n = 0; n < lines; n++) {
        const struct an_inlet_total one = an_inlets_total(s, in, n);
        e->p0 += one.p0 / lines;
        e->T0 += one.T0 / lines;
        if (profile && profile->has[AN_PROFILE_SWIRL])
            e->tan_swirl += tan(profile->value[n][AN_PROFILE_SWIRL] * acos(-1) / 180) / lines;
    }
    if (!(profile && profile->has[AN_PROFILE_SWIRL]) && in->axes == AN_AXES_CYLINDRICAL) {
        const double along = hypot(in->direction[0], in->direction[1]);
        e->tan_swirl = along > 0 ? in->direction[2] / along : 0;
    }
    const struct an_gas gas = an_case_gas_of(s->c, NULL);
    e->gamma = an_state_gamma(&gas, e->p0, e->T0);
    e->R = e->p0 / (an_state_density(&gas, e->p0, e->T0) * e->T0);
    return e->p0 > 0 && e->T0 > 0 && e->gamma > 1 && e->R > 0 && (e->p > 0 || e->mass_flow > 0) &&
           fabs(e->tan_swirl) < 5;
}

static int mean_line_make(struct an_solver *s, void **component)
{
    struct an_machine_shape shape;
    int bladed = 0, turning = 0;
    if (!s->omega)
        return AN_OK;
    AN_TRY(an_row_shapes_find(s, &shape));
    if (!shape.n) {
        an_row_shapes_free(&shape);
        return AN_OK;
    }
    struct an_mean_line *m = calloc(1, sizeof *m);
    *component = m;
    if (m)
        m->row = calloc((size_t)shape.n, sizeof *m->row);
    AN_CHECK(m && m->row, AN_FAIL, "out of memory for a mean line");
    m->shape = shape;
    for (int n = 0; n < shape.n; n++) {
        const int has = shape.row[n].first <= shape.row[n].last;
        bladed += has;
        turning += has && shape.row[n].omega != 0;
    }
    if (bladed > 1 && turning && take_ends(s, m))
        an_mean_line_solve(m);
    return AN_OK;
}

static void mean_line_destroy(struct an_solver *s, void *component)
{
    (void)s;
    struct an_mean_line *m = component;
    an_row_shapes_free(&m->shape);
    free(m->row);
    free(m);
}

void an_mean_line_at(const struct an_mean_line *m, const double x[3], double *p, double *T,
                     double velocity[3])
{
    const double r = hypot(x[1], x[2]), g = m->ends.gamma, cp = g * m->ends.R / (g - 1);
    double along[2], s = 0, off = INFINITY, direction[2] = {1, 0};
    int row = 0;
    for (int n = 0; n < m->shape.n && off > 0; n++) {
        const double place = an_row_place(&m->shape.row[n], x[0], r, along);
        const double beyond = fmax(fmax(-place, place - 1), 0);
        if (beyond < off) {
            off = beyond;
            row = n;
            s = place;
            memcpy(direction, along, sizeof direction);
        }
    }
    const double at = fmin(fmax(s * AN_STATIONS - 0.5, 0), AN_STATIONS - 1);
    const int n = (int)fmin(floor(at), AN_STATIONS - 2);
    const double part = at - n, size = hypot(direction[0], direction[1]);
    const struct an_mean_state *a = &m->row[row].at[n], *b = a + 1;
    const struct an_row_shape *shape = &m->shape.row[row];
    const double radius = shape->radius[n] + part * (shape->radius[n + 1] - shape->radius[n]);
    const double Vm = a->Vm + part * (b->Vm - a->Vm), T0 = a->T0 + part * (b->T0 - a->T0);
    const double moment = a->moment + part * (b->moment - a->moment);
    const double mean_T = a->T + part * (b->T - a->T), mean_p = a->p + part * (b->p - a->p);
    const double Vt = moment / fmax(r, 0.6 * radius); /* the moment of a vortex ends at the axis */
    *T = fmax(T0 - 0.5 * (Vm * Vm + Vt * Vt) / cp, 0.5 * mean_T);
    *p = mean_p * pow(*T / mean_T, g / (g - 1));
    const double Vr = Vm * direction[1] / size, cy = r > 0 ? x[1] / r : 1,
                 cz = r > 0 ? x[2] / r : 0;
    velocity[0] = Vm * direction[0] / size;
    velocity[1] = Vr * cy - Vt * cz;
    velocity[2] = Vr * cz + Vt * cy;
}

void an_mean_line_print(const struct an_mean_line *m, FILE *out)
{
    if (!m || !m->known)
        return;
    an_screen_line(out, 12,
                   "mean line   %.5g kg/s, outlet %.6g Pa; row %s is choked at about %.4g kg/s%s",
                   m->mass, m->p_out, m->shape.row[m->chokes].name, m->most_mass,
                   m->choked ? ", as at this outlet pressure" : "");
    for (int n = 0; n < m->shape.n; n++) {
        const struct an_row_shape *r = &m->shape.row[n];
        const struct an_mean_row *q = &m->row[n];
        const struct an_mean_state *end = &q->at[AN_STATIONS - 1];
        if (r->first > r->last)
            continue;
        an_screen_line(
            out, 12,
            "            %s: flow in at %.1f degrees, blades %.1f, flow out at %.1f%s, throat "
            "%.4g m2, D %.3f, %.4g kW; behind it %.6g Pa, %.5g K",
            r->name, q->flow_angle, q->blade_angle, q->exit_angle,
            r->omega != 0 ? " (relative)" : "", q->throat, q->diffusion, q->power / 1e3, end->p,
            end->T);
    }
}

static void mean_line_print(const struct an_solver *s, const void *component, FILE *out)
{
    (void)s;
    an_mean_line_print(component, out);
}

const struct an_component_type an_mean_line_component = {.name = "mean line",
                                                         .after = AN_AFTER("inlets"),
                                                         .make = mean_line_make,
                                                         .destroy = mean_line_destroy,
                                                         .print = mean_line_print};

struct an_mean_line *an_mean_line_of(const struct an_solver *s)
{
    return an_component_of(s, &an_mean_line_component);
}

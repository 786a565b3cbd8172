#include "solver/boundary/holes.h"

#include "io/plausible.h"
#include "kernels/base/numbers.h"
#include "kernels/base/units.h"
#include "mpi/reduce.h"
#include "solver/boundary/coolant.h"
#include "solver/boundary/coolant_jet.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int an_holes_new(struct an_solver *s, const struct an_case_boundary *set,
                 struct an_hole_set **holes, int *zone)
{
    struct an_hole_set *q = calloc(1, sizeof *q);
    *holes = q;
    AN_CHECK(q, AN_FAIL, "out of memory for holes");
    q->set = set;
    q->unknown = 1;
    AN_TRY(an_holes_read(set->holes, &q->list));
    q->hole = calloc((size_t)q->list.n, sizeof *q->hole);
    AN_CHECK(q->hole, AN_FAIL, "out of memory for holes");
    const struct an_case_state *i = &s->c->initial;
    const double speed = an_case_speed(s->c, i), rho = i->p / (s->c->gas.model.R * i->T);
    for (int n = 0; n < q->list.n; n++) {
        struct an_hole *h = &q->hole[n];
        h->set = &q->list.hole[n];
        h->exit = an_hole_exit_of(h->set);
        h->rho_V = rho * speed; /* until the flow is measured */
        h->rho_V2 = rho * speed * speed;
        h->p = i->p;
        h->turn = NAN;
    }
    AN_TRY(s->engine->op->alloc_host(
        s->engine, (size_t)q->list.n * 5 * (size_t)s->level->layout.precision, &q->image));
    return an_holes_place(s, q, zone);
}

void an_holes_free_set(struct an_solver *s, struct an_hole_set *q)
{
    if (!q)
        return;
    if (q->image)
        s->engine->op->free_host(s->engine, q->image);
    an_holes_free(&q->list);
    free(q->hole);
    free(q->cell);
    free(q);
}

/* ---- the jets ---- */

/* Mass flow and state of a jet that leaves into a stream. */
static void follow(const struct an_gas *g, enum an_turbulence model, struct an_hole *h)
{
    const struct an_hole_given *set = h->set;
    const double U2 = h->wall[1] * h->wall[1] + h->wall[2] * h->wall[2], h0 = an_gas_h(g, set->T0);
    h->mass = set->flow;
    if (set->kind == AN_HOLE_BLOWING)
        h->mass = set->flow * h->rho_V * h->exit.metering;
    if (set->kind == AN_HOLE_SUPPLY) {
        const double M = an_coolant_mach(g, set->flow, set->T0, h->p);
        const struct an_gas_flow f = an_gas_static_mach(g, set->flow, set->T0, M);
        h->mass =
            set->flow > h->p ? set->discharge * h->exit.metering * f.p / (g->R * f.T) * f.V : 0;
    }
    h->V = 0;
    h->T = set->T0;
    for (int n = 0; n < 8; n++) { /* T and V of the mass flow at the pressure of the stream */
        h->V = fmin(h->mass * g->R * h->T / (h->p * h->exit.area), an_gas_sound(g, h->T));
        h->T = an_gas_T_of_h(g, h0 - 0.5 * h->V * h->V);
    }
    h->excess = h->mass * g->R * h->T / (h->p * h->exit.area) / an_gas_sound(g, h->T);
    const double flux = h->p / (g->R * h->T) * h->V * h->V;
    h->momentum_ratio = flux / fmax(h->rho_V2, 1e-3 * flux + 1e-300);
    h->height = an_hole_height_of(set, h->momentum_ratio);
    double across = 0;
    for (int c = 0; c < 3; c++)
        across += h->wall[c] * (cos(set->alpha) * h->along[c] + sin(set->alpha) * h->normal[c]);
    h->h0 = h0 + h->V * across + 0.5 * U2;
    h->turbulence = model == AN_TURBULENCE_SST  ? an_hole_k(set, h->V)
                    : model == AN_TURBULENCE_SA ? an_hole_nut(set, h->V)
                                                : 0;
}

/* m/s, absolute: of the momentum that enters. */
static void velocity_of(const struct an_hole *h, double V[3])
{
    for (int c = 0; c < 3; c++)
        V[c] = h->V * cos(h->set->alpha) * h->along[c] + h->wall[c];
}

void an_holes_follow(const struct an_solver *s, struct an_hole_set *q,
                     struct an_coolant_patch *patch)
{
    const struct an_gas *g = &s->c->gas.model;
    struct an_coolant_means sum = {0};
    patch->area = 0;
    for (int n = 0; n < q->list.n; n++) {
        struct an_hole *h = &q->hole[n];
        double V[3];
        follow(g, s->c->turbulence.model, h);
        velocity_of(h, V);
        const double mass = h->part * h->mass;
        patch->area += h->part * h->exit.metering;
        sum.mass += mass;
        sum.h0 += mass * h->h0;
        sum.T += mass * h->T;
        sum.moment += mass * (h->foot[1] * V[2] - h->foot[2] * V[1]);
    }
    patch->mass = sum.mass;
    const double m = sum.mass > 0 ? sum.mass : 1;
    patch->now = (struct an_coolant_means){
        .h0 = sum.h0 / m, .T = sum.T / m, .moment = sum.moment / m, .p0 = NAN, .mass = sum.mass};
    if (!(sum.mass > 0)) {
        patch->now.h0 = an_gas_h(g, q->hole[0].set->T0);
        patch->now.T = q->hole[0].set->T0;
    }
    patch->now.T0 = an_gas_T_of_h(g, patch->now.h0);
}

void an_holes_add(const struct an_hole_set *q, int64_t n, const double *volume, double *rate)
{
    for (int m = 0; m < q->list.n; m++) {
        const struct an_hole *h = &q->hole[m];
        double V[3];
        velocity_of(h, V);
        for (int64_t k = h->first; k < h->first + h->n; k++) {
            const struct an_hole_cell *c = &q->cell[k];
            const double part = c->share * (an_hole_between(&h->height, c->low, c->high) /
                                            an_hole_between(&h->height, 0, c->top));
            const double per = h->part * h->mass * part / volume[c->at];
            rate[c->at] += per;
            for (int d = 0; d < 3; d++)
                rate[(1 + d) * n + c->at] += per * V[d];
            rate[4 * n + c->at] += per * h->h0;
            rate[5 * n + c->at] += per * h->turbulence;
        }
    }
}

/* ---- the stream ---- */

int an_holes_due(int64_t iteration)
{
    const int every = iteration < 100 ? 10 : iteration < 400 ? 20 : 100;
    return iteration % every == 0;
}

enum { RHO_V, RHO_V2, PRESSURE, NSTREAM, TURN = NSTREAM, NSEEN };

int an_holes_look(struct an_solver *s, struct an_hole_set *q)
{
    const struct an_level *l = s->level;
    const size_t word = (size_t)l->layout.precision, n = (size_t)q->list.n;
    double(*seen)[NSEEN] = malloc(n * sizeof *seen);
    char *w = q->image;
    int status = seen ? AN_OK : an_error_set(AN_FAIL, "out of memory for holes");
    for (size_t m = 0; m < n && status == AN_OK; m++)
        for (int c = 0; c < 5 && q->hole[m].watch >= 0 && status == AN_OK; c++)
            status =
                s->engine->op->download(s->engine, w + (5 * m + (size_t)c) * word,
                                        (char *)l->fields.at[AN_F_W] +
                                            (size_t)(c * l->layout.ncell + q->hole[m].watch) * word,
                                        word, 0);
    if (status == AN_OK)
        status = s->engine->op->sync(s->engine, 0);
    for (size_t m = 0; m < n && status == AN_OK; m++) {
        const struct an_hole *h = &q->hole[m];
        double v[5], rest = 0, V2 = 0, along = 0;
        for (int c = 0; c < NSEEN; c++)
            seen[m][c] = -INFINITY;
        if (h->watch < 0)
            continue;
        for (int c = 0; c < 5; c++)
            v[c] = an_real_get(l->layout.precision, w, (int64_t)(5 * m) + c);
        for (int d = 0; d < 3; d++) {
            rest += 0.5 * v[1 + d] * v[1 + d] / v[0];
            V2 += (v[1 + d] / v[0] - h->wall[d]) * (v[1 + d] / v[0] - h->wall[d]);
            along += (v[1 + d] / v[0] - h->wall[d]) * h->along[d];
        }
        seen[m][RHO_V] = v[0] * sqrt(V2);
        seen[m][RHO_V2] = v[0] * V2;
        seen[m][PRESSURE] = an_gas_pressure(&s->c->gas.model, v[0], v[4] - rest);
        seen[m][TURN] = acos(fmax(-1, fmin(1, along / sqrt(V2 + 1e-300)))) / AN_DEGREE;
    }
    status = an_reduce_status(s->comm, status);
    if (status == AN_OK)
        status = an_reduce_max(s->comm, (int)n * NSEEN, seen[0]);
    for (size_t m = 0; m < n && status == AN_OK; m++) {
        struct an_hole *h = &q->hole[m];
        if (!isfinite(seen[m][RHO_V]) || !(seen[m][PRESSURE] > 0))
            continue; /* a run that diverges says so itself */
        h->rho_V = seen[m][RHO_V];
        h->rho_V2 = seen[m][RHO_V2];
        h->p = seen[m][PRESSURE];
        h->turn = seen[m][TURN];
    }
    q->unknown = 0;
    free(seen);
    return status;
}

/* ---- snapshots and lines ---- */

static void kept_name(const struct an_hole_set *q, char name[64])
{
    snprintf(name, 64, "holes.%s", q->set->name);
}

int an_holes_keep(const struct an_hole_set *q, struct an_snapshot_meta *meta)
{
    char name[64];
    double *value;
    kept_name(q, name);
    if (q->unknown)
        return AN_OK;
    AN_TRY(an_snapshot_array_add(meta, name, (int64_t)NSTREAM * q->list.n, &value));
    for (int n = 0; n < q->list.n; n++) {
        value[NSTREAM * n + RHO_V] = q->hole[n].rho_V;
        value[NSTREAM * n + RHO_V2] = q->hole[n].rho_V2;
        value[NSTREAM * n + PRESSURE] = q->hole[n].p;
    }
    return AN_OK;
}

void an_holes_take(struct an_hole_set *q, const struct an_snapshot_meta *meta)
{
    char name[64];
    kept_name(q, name);
    const double *value = an_snapshot_array_get(meta, name, (int64_t)NSTREAM * q->list.n);
    q->unknown = !value;
    for (int n = 0; n < q->list.n && value; n++) {
        q->hole[n].rho_V = value[NSTREAM * n + RHO_V];
        q->hole[n].rho_V2 = value[NSTREAM * n + RHO_V2];
        q->hole[n].p = value[NSTREAM * n + PRESSURE];
    }
}

/* Least and largest of a figure of the holes. */
static void range(const struct an_hole_set *q, double (*figure)(const struct an_hole *),
                  double r[2])
{
    r[0] = INFINITY;
    r[1] = -INFINITY;
    for (int n = 0; n < q->list.n; n++) {
        r[0] = fmin(r[0], figure(&q->hole[n]));
        r[1] = fmax(r[1], figure(&q->hole[n]));
    }
}

static double diameter_of(const struct an_hole *h)
{
    return h->set->diameter;
}

static double across_of(const struct an_hole *h)
{
    return h->across;
}

static double part_of(const struct an_hole *h)
{
    return h->part;
}

static double ratio_of(const struct an_hole *h)
{
    return h->momentum_ratio;
}

static double mass_of(const struct an_hole *h)
{
    return h->mass;
}

int an_holes_lifted(const struct an_hole_set *q)
{
    int lifted = 0;
    for (int n = 0; n < q->list.n; n++)
        lifted += q->hole[n].momentum_ratio > AN_HOLE_LIFTS;
    return lifted;
}

void an_holes_print(const struct an_hole_set *q, FILE *out)
{
    double d[2], a[2], part[2];
    range(q, diameter_of, d);
    range(q, across_of, a);
    range(q, part_of, part);
    int over = 0;
    for (int n = 0; n < q->list.n; n++)
        over += q->hole[n].part < 1;
    fprintf(out, "holes       %s: %d of %s, diameters %.4g to %.4g m, %.3g to %.3g cells across",
            q->set->name, q->list.n, q->set->holes, d[0], d[1], a[0], a[1]);
    if (over)
        fprintf(out, "; %d over the edge of the wall, with %.3g or more of their area on it", over,
                part[0]);
    fputc('\n', out);
}

void an_holes_report(const struct an_hole_set *q, FILE *out)
{
    double m[2], r[2];
    range(q, mass_of, m);
    range(q, ratio_of, r);
    fprintf(out,
            "holes       %s: %.4g to %.4g kg/s, momentum ratios %.3g to %.3g; %d of %d jets lift "
            "off (above %g)\n",
            q->set->name, m[0], m[1], r[0], r[1], an_holes_lifted(q), q->list.n, AN_HOLE_LIFTS);
}

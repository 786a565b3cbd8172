#include "solver/boundary/leakage.h"

#include "bc/seal.h"
#include "kernels/base/numbers.h"
#include "mpi/reduce.h"
#include "solver/flow/flow.h"
#include "solver/level/level.h"
#include "solver/level/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SUM_P, SUM_H0, SUM_T, SUM_MOMENT, SUM_R, NSUM };

static const double PI = 3.14159265358979323846;

int an_leak_has(const struct an_coolant_patch *q, const double x[3])
{
    const double r = hypot(x[1], x[2]);
    return x[0] >= q->x[0] && x[0] <= q->x[1] && r >= q->r[0] && r <= q->r[1];
}

static void take_range(const struct an_case_numbers *part, double range[2])
{
    range[0] = part->n ? part->x[0] : -INFINITY;
    range[1] = part->n ? part->x[1] : INFINITY;
}

static int find_wall(const struct an_solver *s, const struct an_case_leakage *set, const char *key,
                     const char *name, int *boundary)
{
    const struct an_topology *t = &s->mesh->topology;
    for (int b = 0; b < t->nboundary; b++) {
        if (strcmp(t->boundary[b].name, name) != 0)
            continue;
        const enum an_bc_type type = (enum an_bc_type)s->boundary[b].type;
        const struct an_case_boundary *q = an_case_boundary_find(s->c, name);
        AN_CHECK((type == AN_BC_WALL_SLIP || type == AN_BC_WALL_VISCOUS) &&
                     !(q && an_bc_type_has(q->type, AN_BC_PATCH)),
                 AN_INPUT, "%s: 'leakages.%s.%s': the boundary '%s' is a %s, but must be a wall",
                 an_case_at(s->c, set->line), set->name, key, name,
                 an_bc_type_name(q ? q->type : type));
        *boundary = b;
        return AN_OK;
    }
    return an_error_set(AN_INPUT,
                        "%s: 'leakages.%s.%s': the mesh has no boundary '%s'; `annulus info` "
                        "lists the names",
                        an_case_at(s->c, set->line), set->name, key, name);
}

static int add_leak(struct an_solver *s, struct an_coolant *k, const struct an_case_leakage *set)
{
    struct an_leak *q = &k->leak[k->nleak++];
    *q = (struct an_leak){.set = set, .from = k->n, .to = k->n + 1, .unknown = 1};
    for (int end = 0; end < 2; end++) {
        struct an_coolant_patch *p = &k->patch[k->n++];
        *p = (struct an_coolant_patch){.bleeds = end == 0, .sectors = 1, .leak = q};
        AN_TRY(find_wall(s, set, end ? "to" : "from", end ? set->to : set->from, &p->boundary));
        take_range(end ? &set->to_x : &set->from_x, p->x);
        take_range(end ? &set->to_r : &set->from_r, p->r);
    }
    k->blows = k->sucks = 1;
    return AN_OK;
}

int an_leaks_list(struct an_solver *s, struct an_coolant *k)
{
    for (int n = 0; n < s->c->nleakage; n++)
        AN_TRY(add_leak(s, k, &s->c->leakage[n]));
    return AN_OK;
}

/* ---- what the faces decide ---- */

static int zone_of(const struct an_solver *s, const struct an_coolant_window *w)
{
    return s->level->partition.piece[s->local[w->at.window.block]].zone;
}

/* Zones of a part, the lowest and what its row is; refused where the rows of a part differ. */
static int place_end(struct an_solver *s, struct an_coolant *k, int n, const double *sectors,
                     const int *row)
{
    const struct an_leak *q = k->patch[n].leak;
    struct an_coolant_patch *p = &k->patch[n];
    double least[3] = {INFINITY, INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
    for (int w = 0; w < k->nwindow; w++) {
        const struct an_coolant_window *win = &k->window[w];
        const int zone = zone_of(s, win);
        double area = 0;
        for (int64_t f = 0; f < an_window_faces(&win->at.window) && win->patch == n; f++)
            area += k->area[win->first + f];
        if (!(area > 0))
            continue;
        least[0] = fmin(least[0], sectors[zone]);
        most[0] = fmax(most[0], sectors[zone]);
        least[1] = fmin(least[1], row[zone]);
        most[1] = fmax(most[1], row[zone]);
        least[2] = fmin(least[2], zone);
    }
    AN_TRY(an_reduce_min(s->comm, 3, least));
    AN_TRY(an_reduce_max(s->comm, 2, most));
    const char *key = p->bleeds ? "from" : "to";
    AN_CHECK(least[2] < INFINITY, AN_INPUT,
             "%s: 'leakages.%s': no face of the wall '%s' has its centre in the part that '%s_x' "
             "and '%s_r' give",
             an_case_at(s->c, q->set->line), q->set->name,
             s->mesh->topology.boundary[p->boundary].name, key, key);
    AN_CHECK(least[0] == most[0] && least[1] == most[1], AN_INPUT,
             "%s: 'leakages.%s': the part of the wall '%s' that '%s_x' and '%s_r' give lies in "
             "several rows; give a smaller part",
             an_case_at(s->c, q->set->line), q->set->name,
             s->mesh->topology.boundary[p->boundary].name, key, key);
    p->zone = (int)least[2];
    p->sectors = sectors[p->zone];
    return AN_OK;
}

/* The two ends of a leakage have no face in common. */
static int keep_apart(struct an_solver *s, const struct an_coolant *k, const struct an_leak *q)
{
    const struct an_coolant_patch *from = &k->patch[q->from], *to = &k->patch[q->to];
    double both = 0;
    for (int w = 0; w < k->nwindow && from->boundary == to->boundary; w++) {
        const struct an_coolant_window *win = &k->window[w];
        const int64_t end = win->first + an_window_faces(&win->at.window);
        for (int64_t f = win->first; f < end && win->patch == q->to; f++)
            both += k->area[f] > 0 && an_leak_has(from, k->place[f].x);
    }
    AN_TRY(an_reduce_max(s->comm, 1, &both));
    AN_CHECK(!(both > 0), AN_INPUT,
             "%s: 'leakages.%s': the parts of the wall '%s' that the gas leaves through and comes "
             "back through overlap; change 'from_x', 'from_r', 'to_x' or 'to_r'",
             an_case_at(s->c, q->set->line), q->set->name, q->set->from);
    return AN_OK;
}

/* The speed of the row that the swirl refers to. */
static void find_speed(const struct an_solver *s, const struct an_coolant *k, struct an_leak *q)
{
    q->omega =
        s->omega ? s->omega[k->patch[q->from].zone] : 0; /* of the case or of the mesh file */
    for (int n = 0; n < s->c->nrow && *q->set->speed_of; n++)
        if (strcmp(s->c->row[n].name, q->set->speed_of) == 0)
            q->omega = s->c->row[n].omega;
}

static int refuse_translation(const struct an_solver *s)
{
    const struct an_topology *t = &s->mesh->topology;
    for (int n = 0; n < t->ninterface; n++) {
        const double *by = t->interface[n].translation;
        AN_CHECK(t->interface[n].periodic != 1 || (by[1] == 0 && by[2] == 0), AN_INPUT,
                 "%s: 'leakages' need a mesh around the x axis, but this one repeats by a "
                 "translation",
                 s->c->file);
    }
    return AN_OK;
}

int an_leaks_place(struct an_solver *s, struct an_coolant *k)
{
    const struct an_topology *t = &s->mesh->topology;
    if (!k->nleak)
        return AN_OK;
    AN_TRY(refuse_translation(s));
    double *sectors = calloc((size_t)t->nblock + 1, sizeof *sectors);
    int *row = calloc((size_t)t->nblock + 1, sizeof *row);
    int status = sectors && row ? an_solver_sectors(s->c, t, sectors)
                                : an_error_set(AN_FAIL, "out of memory for leakages");
    status = an_reduce_status(s->comm, status);
    if (status == AN_OK)
        an_solver_zone_rows(s->c, t, row);
    for (int n = 0; n < k->n && status == AN_OK; n++)
        status = k->patch[n].leak ? place_end(s, k, n, sectors, row) : AN_OK;
    for (int b = 0; b < t->nboundary && status == AN_OK && k->around; b++) {
        k->around[b] = 0;
        for (int p = t->npatch - 1; p >= 0; p--)
            if (t->patch[p].boundary == b)
                k->around[b] = sectors[t->patch[p].window.block];
    }
    for (int n = 0; n < k->nleak && status == AN_OK; n++) {
        find_speed(s, k, &k->leak[n]);
        status = keep_apart(s, k, &k->leak[n]);
    }
    free(sectors);
    free(row);
    return status;
}

/* ---- what comes back ---- */

static double swirl_of(const struct an_leak *q, double r)
{
    if (q->set->swirl == AN_SWIRL_FRACTION)
        return q->set->swirl_fraction * q->omega * r;
    return r > 0 ? q->moment / r : 0;
}

struct an_coolant_jet an_leak_jet_of(const struct an_case *c, const struct an_leak *q,
                                     const struct an_face_place *at)
{
    const double r = hypot(at->x[1], at->x[2]), Vt = swirl_of(q, r);
    const double t[3] = {0, r > 0 ? -at->x[2] / r : 0, r > 0 ? at->x[1] / r : 0};
    double n[3], along = 0, length = 0;
    for (int d = 0; d < 3; d++)
        along += at->s[d] * t[d];
    for (int d = 0; d < 3; d++) {
        n[d] = -(at->s[d] - along * t[d]);
        length += n[d] * n[d];
    }
    struct an_coolant_jet j = {.h0 = q->h0};
    for (int d = 0; d < 3; d++)
        j.V[d] = (length > 0 ? q->speed * n[d] / sqrt(length) : 0) + Vt * t[d];
    j.T = an_gas_T_of_h(&c->gas.model, q->h0 - 0.5 * (q->speed * q->speed + Vt * Vt));
    j.moment = at->x[1] * j.V[2] - at->x[2] * j.V[1];
    return j;
}

/* Vn from the mass flow through the part, with the density that belongs to it. */
static void find_speed_of_return(const struct an_solver *s, const struct an_coolant *k,
                                 struct an_leak *q, const struct an_leak_means *back)
{
    const struct an_gas *g = &s->c->gas.model;
    const struct an_coolant_patch *p = &k->patch[q->to];
    const double Vt = swirl_of(q, back->r), h = q->h0 - 0.5 * Vt * Vt;
    const double mass = q->mass / p->sectors, least = 0.1 * an_gas_T_of_h(g, q->h0);
    q->speed = 0;
    q->sonic = 0;
    for (int n = 0; n < 50; n++) {
        const double T = fmax(an_gas_T_of_h(g, h - 0.5 * q->speed * q->speed), least);
        const double sound = an_gas_sound(g, T), speed = mass * g->R * T / (back->p * p->area);
        q->sonic = speed > sound;
        q->speed = fmin(speed, sound);
    }
}

/* ---- means over the cells beside both ends ---- */

static int load_state(struct an_solver *s, struct an_coolant *k)
{
    const struct an_layout *l = &s->level->layout;
    const size_t word = (size_t)l->precision;
    const char *from = s->level->fields.at[AN_F_W];
    for (int c = 0; c < 5; c++)
        for (int r = 0; r < k->nrange; r++)
            AN_TRY(s->engine->op->download(
                s->engine, k->image + (size_t)(c * k->npacked + k->range[r].at) * word,
                from + (size_t)(c * l->ncell + k->range[r].first) * word,
                (size_t)k->range[r].n * word, 0));
    return s->engine->op->sync(s->engine, 0);
}

static void add_face(const struct an_solver *s, const struct an_coolant *k, int64_t f,
                     struct an_xsum *sum)
{
    const struct an_gas *g = &s->c->gas.model;
    const double area = k->area[f], *x = k->place[f].x;
    double w[5];
    for (int c = 0; c < 5; c++)
        w[c] = an_real_get(s->level->layout.precision, k->image, c * k->npacked + k->beside[f]);
    const double p =
        an_gas_pressure(g, w[0], w[4] - 0.5 * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]) / w[0]);
    an_xsum_add(&sum[SUM_P], area * p);
    an_xsum_add(&sum[SUM_H0], area * ((w[4] + p) / w[0]));
    an_xsum_add(&sum[SUM_T], area * (p / (w[0] * g->R)));
    an_xsum_add(&sum[SUM_MOMENT], area * ((x[1] * w[3] - x[2] * w[2]) / w[0]));
    an_xsum_add(&sum[SUM_R], area * hypot(x[1], x[2]));
}

/* (*out)[n] of patch n, 0 for those that are no ends of leakages; for the caller to free, also after an error. */
static int find_means(struct an_solver *s, struct an_coolant *k, struct an_leak_means **out)
{
    struct an_xsum(*sum)[NSUM] = calloc((size_t)k->n + 1, sizeof *sum);
    struct an_leak_means *const means = *out = calloc((size_t)k->n + 1, sizeof *means);
    int status =
        sum && means ? load_state(s, k) : an_error_set(AN_FAIL, "out of memory for leakages");
    status = an_reduce_status(s->comm, status);
    for (int w = 0; w < k->nwindow && status == AN_OK; w++) {
        const struct an_coolant_window *win = &k->window[w];
        const int64_t end = win->first + an_window_faces(&win->at.window);
        for (int64_t f = win->first; f < end && k->patch[win->patch].leak; f++)
            if (k->area[f] > 0)
                add_face(s, k, f, sum[win->patch]);
    }
    if (status == AN_OK)
        status = an_reduce_xsum(s->comm, k->n * NSUM, sum[0]);
    for (int n = 0; n < k->n && status == AN_OK; n++) {
        const double area = k->patch[n].area;
        if (k->patch[n].leak)
            means[n] = (struct an_leak_means){.p = an_xsum_value(sum[n][SUM_P]) / area,
                                              .h0 = an_xsum_value(sum[n][SUM_H0]) / area,
                                              .T = an_xsum_value(sum[n][SUM_T]) / area,
                                              .moment = an_xsum_value(sum[n][SUM_MOMENT]) / area,
                                              .r = an_xsum_value(sum[n][SUM_R]) / area};
    }
    free(sum);
    return status;
}

/* kg/s of the annulus that enter through inlets. */
static int find_inflow(struct an_solver *s, struct an_coolant *k, double *mass)
{
    const int n = s->level->partition.topology.nboundary;
    double(*sum)[AN_NINTEGRAL] = calloc((size_t)n + 1, sizeof *sum);
    int status = sum ? AN_OK : an_error_set(AN_FAIL, "out of memory for leakages");
    status = an_reduce_status(s->comm, status); /* what follows is collective */
    if (status == AN_OK)
        status = an_level_radii(s, s->level, NULL);
    if (status == AN_OK)
        status = an_solver_integrate(s, k->open, sum);
    *mass = 0;
    for (int b = 0; b < s->mesh->topology.nboundary && status == AN_OK; b++)
        *mass += k->around[b] * fmax(-sum[b][AN_I_MASS], 0);
    free(sum);
    return status;
}

/* ---- looks ---- */

static int is_due(const struct an_solver *s, const struct an_leak *q)
{
    return q->unknown || s->iteration % q->set->control_every == 0;
}

int an_leaks_due(const struct an_solver *s, const struct an_coolant *k)
{
    int due = 0;
    for (int n = 0; n < k->nleak; n++)
        due |= is_due(s, &k->leak[n]);
    return due;
}

static void follow(const struct an_solver *s, struct an_coolant *k, struct an_leak *q,
                   const struct an_leak_means *means, double inflow)
{
    const struct an_gas *g = &s->c->gas.model;
    const struct an_case_leakage *set = q->set;
    const struct an_leak_means *out = &means[q->from], *back = &means[q->to];
    double mass = set->mass_flow;
    q->choked = 0;
    if (set->clearance > 0) {
        const double radius = set->radius > 0 ? set->radius : out->r;
        const double area = 2 * PI * radius * set->clearance * set->discharge * set->carry_over;
        mass = an_seal_flow(out->p, an_gas_T_of_h(g, out->h0), back->p, g->R, area, set->fins,
                            &q->choked);
    } else if (set->mass_fraction > 0) {
        mass = set->mass_fraction * inflow;
    }
    q->mass = q->unknown || set->mass_flow > 0 ? mass : q->mass + 0.5 * (mass - q->mass);
    q->unknown = 0;
    q->moment = out->moment;
    /* without a pressure difference the mass flow halves at each look; the windage over this vanishing mass
     * flow would grow without bound, so it is left out */
    q->h0 = out->h0 + (mass > 0 ? set->windage / q->mass : 0);
    find_speed_of_return(s, k, q, back);
}

void an_leaks_spread(struct an_coolant *k)
{
    for (int n = 0; n < k->n; n++)
        if (k->patch[n].leak)
            k->patch[n].mass = k->patch[n].leak->mass / k->patch[n].sectors;
}

int an_leaks_look(struct an_solver *s, struct an_coolant *k, int unknown)
{
    struct an_leak_means *means;
    double inflow = 0;
    int status = find_means(s, k, &means);
    if (status == AN_OK && k->open)
        status = find_inflow(s, k, &inflow);
    for (int n = 0; n < k->nleak && status == AN_OK; n++)
        if (unknown ? k->leak[n].unknown : is_due(s, &k->leak[n]))
            follow(s, k, &k->leak[n], means, inflow);
    free(means);
    an_leaks_spread(k);
    return status;
}

int an_leaks_catch_up(struct an_solver *s, struct an_coolant *k)
{
    int some = 0;
    for (int n = 0; n < k->nleak; n++)
        some |= k->leak[n].unknown;
    return some ? an_leaks_look(s, k, 1) : AN_OK;
}

int an_leaks_measure(struct an_solver *s, struct an_coolant *k)
{
    struct an_leak_means *means;
    int status = find_means(s, k, &means);
    for (int n = 0; n < k->n && status == AN_OK; n++) {
        struct an_coolant_patch *p = &k->patch[n];
        if (!p->leak)
            continue;
        p->leak->end[!p->bleeds] = means[n];
        if (p->bleeds)
            p->seen = (struct an_coolant_means){.h0 = means[n].h0,
                                                .T0 = an_gas_T_of_h(&s->c->gas.model, means[n].h0),
                                                .T = means[n].T,
                                                .moment = means[n].moment,
                                                .mass = p->mass};
        p->seen.p0 = means[n].p * an_gas_isentropic_p(&s->c->gas.model, p->seen.T, p->seen.T0);
    }
    free(means);
    return status;
}

#include "solver/boundary/coolant.h"

#include "kernels/base/numbers.h"
#include "mpi/reduce.h"
#include "solver/boundary/coolant_faces.h"
#include "solver/boundary/coolant_jet.h"
#include "solver/boundary/holes.h"
#include "solver/boundary/leakage.h"
#include "solver/flow/flow.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/level/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUM_AREA, SUM_H0, SUM_T, SUM_MOMENT, SUM_BAD, NSUM };

static int is_coolant(enum an_bc_type type)
{
    return an_bc_type_has(type, AN_BC_PATCH);
}

/* The holes of boundary b as a patch; boundaries that one entry of the case names share its holes. */
static int list_holes(struct an_solver *s, struct an_coolant *k, int b, const double *sectors)
{
    const struct an_case_boundary *c =
        an_case_boundary_find(s->c, s->mesh->topology.boundary[b].name);
    if (!c || !*c->holes)
        return AN_OK;
    for (int n = 0; n < k->n; n++)
        if (k->patch[n].holes && k->patch[n].set == c)
            return AN_OK;
    struct an_coolant_patch *q = &k->patch[k->n++];
    *q = (struct an_coolant_patch){.boundary = b, .set = c, .p = s->c->initial.p};
    k->nholes++;
    k->blows = 1;
    const int status = an_holes_new(s, c, &q->holes, &q->zone);
    q->sectors = sectors[q->zone];
    return status;
}

static int list_patches(struct an_solver *s, struct an_coolant *k)
{
    const struct an_topology *t = &s->mesh->topology;
    double *sectors = malloc(((size_t)t->nblock + 1) * sizeof *sectors);
    k->patch = calloc((size_t)(2 * t->nboundary + 2 * s->c->nleakage) + 1, sizeof *k->patch);
    k->leak = calloc((size_t)s->c->nleakage + 1, sizeof *k->leak);
    int status = sectors && k->patch && k->leak
                     ? an_solver_sectors(s->c, t, sectors)
                     : an_error_set(AN_FAIL, "out of memory for cooling");
    for (int b = 0; b < t->nboundary && status == AN_OK; b++) {
        const struct an_case_boundary *c = an_case_boundary_find(s->c, t->boundary[b].name);
        if (!c || !is_coolant(c->type))
            continue;
        int zone = 0;
        for (int p = t->npatch - 1; p >= 0; p--)
            zone = t->patch[p].boundary == b ? t->patch[p].window.block : zone;
        struct an_coolant_patch *q = &k->patch[k->n++];
        *q = (struct an_coolant_patch){.boundary = b,
                                       .set = c,
                                       .bleeds = c->type == AN_BC_BLEED,
                                       .zone = zone,
                                       .p = s->c->initial.p,
                                       .sectors = sectors[zone]};
        q->mass = c->patch.mass_flow / q->sectors;
        q->every = !q->bleeds && c->p0 > 0 ? c->outlet.control_every : 0;
        k->follows |= q->every > 0;
        k->blows |= !q->bleeds;
        k->sucks |= q->bleeds;
    }
    for (int b = 0; b < t->nboundary && status == AN_OK; b++)
        status = list_holes(s, k, b, sectors);
    free(sectors);
    return status == AN_OK ? an_leaks_list(s, k) : status;
}

static double omega_of(const struct an_solver *s, const struct an_coolant_window *w)
{
    return s->level->layout.block[w->at.window.block].omega;
}

static struct an_coolant_jet jet_of(const struct an_solver *s, const struct an_coolant *k,
                                    const struct an_coolant_window *w, int64_t face)
{
    const struct an_coolant_patch *q = &k->patch[w->patch];
    if (q->leak)
        return an_leak_jet_of(s->c, q->leak, &k->place[face]);
    return an_coolant_jet_of(s->c, q, omega_of(s, w), &k->place[face]);
}

/* Sums of the patches: over this rank's faces, times area. */
static void add_sums(const struct an_solver *s, const struct an_coolant *k,
                     struct an_xsum (*sum)[NSUM])
{
    for (int w = 0; w < k->nwindow; w++) {
        const struct an_coolant_window *win = &k->window[w];
        const struct an_coolant_patch *q = &k->patch[win->patch];
        struct an_xsum *to = sum[win->patch];
        const int64_t end = win->first + an_window_faces(&win->at.window);
        for (int64_t m = win->first; m < end; m++) {
            const double area = k->area[m];
            an_xsum_add(&to[SUM_AREA], area);
            if (q->bleeds || !(area > 0))
                continue;
            const struct an_coolant_jet j = jet_of(s, k, win, m);
            an_xsum_add(&to[SUM_H0], area * j.h0);
            an_xsum_add(&to[SUM_T], area * j.T);
            an_xsum_add(&to[SUM_MOMENT], area * j.moment);
            an_xsum_add(&to[SUM_BAD], j.outward);
        }
    }
}

static int find_sums(struct an_solver *s, struct an_coolant *k)
{
    struct an_xsum(*sum)[NSUM] = calloc((size_t)k->n + 1, sizeof *sum);
    int status = sum ? AN_OK : an_error_set(AN_FAIL, "out of memory for cooling");
    if (sum)
        add_sums(s, k, sum);
    status = an_reduce_status(s->comm, status);
    if (status == AN_OK)
        status = an_reduce_xsum(s->comm, k->n * NSUM, sum[0]);
    for (int n = 0; n < k->n && status == AN_OK; n++) {
        struct an_coolant_patch *q = &k->patch[n];
        if (q->holes) {
            an_holes_follow(s, q->holes, q);
            continue;
        }
        const char *name = s->mesh->topology.boundary[q->boundary].name;
        q->area = an_xsum_value(sum[n][SUM_AREA]);
        if (!(q->area > 0))
            status = an_error_set(AN_INPUT, "boundary '%s' has no area", name);
        else if (an_xsum_value(sum[n][SUM_BAD]) > 0)
            status = an_error_set(AN_INPUT,
                                  "boundary '%s': the direction of the cooling points out of the "
                                  "gas on %.0f of its faces: turn it, or leave it out for the "
                                  "normal",
                                  name, an_xsum_value(sum[n][SUM_BAD]));
        q->now.h0 = an_xsum_value(sum[n][SUM_H0]) / q->area;
        q->now.T = an_xsum_value(sum[n][SUM_T]) / q->area;
        q->now.moment = an_xsum_value(sum[n][SUM_MOMENT]) / q->area;
        q->now.T0 = an_gas_T_of_h(&s->c->gas.model, q->now.h0);
        q->now.p0 = NAN;
    }
    free(sum);
    return status;
}

/* Components first .. last of the image of k->rate, to a field; some: of ranges that follow alone.
 */
static int take_up(struct an_solver *s, struct an_coolant *k, enum an_field field, int first,
                   int last, int some)
{
    const struct an_layout *l = &s->level->layout;
    const size_t word = (size_t)l->precision;
    for (int64_t m = first * k->npacked; m < (last + 1) * k->npacked; m++)
        an_real_put(l->precision, k->image, m, k->rate[m]);
    for (int c = first; c <= last; c++)
        for (int r = 0; r < k->nrange; r++) {
            const struct an_coolant_range *q = &k->range[r];
            const size_t to = (size_t)(c * l->ncell + q->first) * word;
            if (some && !q->follows)
                continue;
            AN_TRY(s->engine->op->upload(s->engine, (char *)s->level->fields.at[field] + to,
                                         k->image + (size_t)(c * k->npacked + q->at) * word,
                                         (size_t)q->n * word, 0));
        }
    return s->engine->op->sync(s->engine, 0); /* the image is free again */
}

/* Per second and volume: what the patches that blow bring, by component, or what the others take.
 */
static void find_rates(const struct an_solver *s, struct an_coolant *k, int bleeds)
{
    const int64_t n = k->npacked;
    memset(k->rate, 0, (size_t)(n * AN_NCOMP_SOURCE) * sizeof *k->rate);
    for (int w = 0; w < k->nwindow; w++) {
        const struct an_coolant_window *win = &k->window[w];
        const struct an_coolant_patch *q = &k->patch[win->patch];
        const int64_t end = win->first + an_window_faces(&win->at.window);
        for (int64_t f = win->first; f < end && q->bleeds == bleeds; f++) {
            if (!(k->area[f] > 0))
                continue;
            double *to = &k->rate[k->beside[f]];
            const double rate = q->mass * (k->area[f] / q->area) / k->volume[k->beside[f]];
            to[0] += rate;
            if (bleeds)
                continue;
            const struct an_coolant_jet j = jet_of(s, k, win, f);
            for (int d = 0; d < 3; d++)
                to[(1 + d) * n] += rate * j.V[d];
            to[4 * n] += rate * j.h0;
        }
    }
    for (int m = 0; m < k->n && !bleeds; m++)
        if (k->patch[m].holes)
            an_holes_add(k->patch[m].holes, n, k->volume, k->rate);
}

/* SOURCE and BLEED of the cells beside the patches. look: only what a look at pressures changes; that at
 * leakages and holes changes all of them. */
static int spread(struct an_solver *s, struct an_coolant *k, int look)
{
    const int some = look && !k->nleak && !k->nholes;
    if (k->blows) {
        find_rates(s, k, 0);
        AN_TRY(take_up(s, k, AN_F_SOURCE, some ? 1 : 0, s->level->turbulent_sources ? 5 : 4, some));
    }
    if (!k->sucks || some)
        return AN_OK;
    find_rates(s, k, 1);
    return take_up(s, k, AN_F_BLEED, 0, 0, 0);
}

/* All that follows from the patches' states. */
static int apply(struct an_solver *s, struct an_coolant *k, int look)
{
    AN_TRY(find_sums(s, k));
    return an_reduce_status(s->comm, spread(s, k, look));
}

static void coolant_destroy(struct an_solver *s, void *component)
{
    struct an_coolant *k = component;
    if (k->faces)
        s->engine->op->faces_free(s->engine, k->faces);
    if (k->open)
        s->engine->op->faces_free(s->engine, k->open);
    if (k->image)
        s->engine->op->free_host(s->engine, k->image);
    free(k->window);
    free(k->place);
    free(k->beside);
    free(k->range);
    free(k->volume);
    free(k->rate);
    free(k->area);
    free(k->around);
    free(k->leak);
    for (int n = 0; n < k->n; n++)
        an_holes_free_set(s, k->patch[n].holes);
    free(k->patch);
    if (k->source_cells)
        s->engine->op->tiles_free(s->engine, k->source_cells);
    free(k);
}

static int coolant_make(struct an_solver *s, void **component)
{
    struct an_coolant *k = calloc(1, sizeof *k);
    *component = k;
    int status = k ? list_patches(s, k) : an_error_set(AN_FAIL, "out of memory for cooling");
    AN_TRY(an_reduce_status(s->comm, status));
    if (k->n == 0) {
        coolant_destroy(s, k);
        *component = NULL;
        return AN_OK;
    }
    AN_TRY(an_reduce_status(s->comm, an_coolant_faces(s, k)));
    AN_TRY(an_leaks_place(s, k));
    return apply(s, k, 0);
}

/* Mean pressures of the walls of patches that are due; unknown: of those nothing is known of. */
static int look(struct an_solver *s, struct an_coolant *k, int unknown)
{
    const size_t n = (size_t)s->level->partition.topology.nboundary + 1;
    double(*sum)[AN_NINTEGRAL] = calloc(n, sizeof *sum);
    AN_CHECK(sum, AN_FAIL, "out of memory for cooling");
    int status = an_level_radii(s, s->level, NULL);
    if (status == AN_OK)
        status = an_solver_integrate(s, k->faces, sum);
    for (int m = 0; m < k->n && status == AN_OK; m++) {
        struct an_coolant_patch *q = &k->patch[m];
        const double *t = sum[q->boundary], p = t[AN_I_PA] / t[AN_I_AREA];
        const int due = unknown ? q->unknown : q->every && s->iteration % q->every == 0;
        if (due && p > 0)
            q->p = p;
    }
    free(sum);
    return status == AN_OK ? apply(s, k, 1) : status;
}

/* Measures the streams beside holes. unknown: where they have not been measured. */
static int look_at_holes(struct an_solver *s, struct an_coolant *k, int unknown)
{
    for (int n = 0; n < k->n; n++)
        if (k->patch[n].holes && (!unknown || k->patch[n].holes->unknown))
            AN_TRY(an_holes_look(s, k->patch[n].holes));
    return AN_OK;
}

static int coolant_before_step(struct an_solver *s, void *component)
{
    struct an_coolant *k = component;
    int due = 0;
    for (int n = 0; n < k->n; n++)
        due |= k->patch[n].every && s->iteration % k->patch[n].every == 0;
    const int leaks = an_leaks_due(s, k);
    if (leaks)
        AN_TRY(an_leaks_look(s, k, 0));
    const int holes = k->nholes && an_holes_due(s->iteration);
    if (holes)
        AN_TRY(look_at_holes(s, k, 0));
    return due ? look(s, k, 0) : leaks || holes ? apply(s, k, 1) : AN_OK;
}

static int coolant_catch_up(struct an_solver *s, void *component)
{
    struct an_coolant *k = component;
    int some = 0;
    for (int n = 0; n < k->n; n++)
        some |= k->patch[n].unknown;
    AN_TRY(an_leaks_catch_up(s, k));
    AN_TRY(look_at_holes(s, k, 1));
    if (!some)
        return k->nleak || k->nholes ? apply(s, k, 1) : AN_OK;
    AN_TRY(look(s, k, 1));
    for (int n = 0; n < k->n; n++)
        k->patch[n].unknown = 0;
    return AN_OK;
}

static void pressure_name(const struct an_solver *s, const struct an_coolant_patch *q,
                          char name[64])
{
    snprintf(name, 64, "cooling.%s.p", s->mesh->topology.boundary[q->boundary].name);
}

static int coolant_keep(const struct an_solver *s, const void *component,
                        struct an_snapshot_meta *meta)
{
    const struct an_coolant *k = component;
    char name[64];
    for (int n = 0; n < k->n; n++) {
        if (!k->patch[n].every)
            continue;
        pressure_name(s, &k->patch[n], name);
        AN_TRY(an_snapshot_control_add(meta, name, k->patch[n].p));
    }
    for (int n = 0; n < k->n; n++)
        if (k->patch[n].holes)
            AN_TRY(an_holes_keep(k->patch[n].holes, meta));
    return an_leaks_keep(k, meta);
}

static int coolant_take(struct an_solver *s, void *component, const struct an_snapshot_meta *meta)
{
    struct an_coolant *k = component;
    char name[64];
    for (int n = 0; n < k->n; n++) {
        struct an_coolant_patch *q = &k->patch[n];
        if (!q->every)
            continue;
        pressure_name(s, q, name);
        const double p = an_snapshot_control_get(meta, name, INFINITY);
        q->unknown = p == INFINITY;
        q->p = q->unknown ? q->p : p;
    }
    for (int n = 0; n < k->n; n++)
        if (k->patch[n].holes)
            an_holes_take(k->patch[n].holes, meta);
    an_leaks_take(k, meta);
    return k->follows || k->nleak || k->nholes ? apply(s, k, 1) : AN_OK;
}

/* A line for each patch: what passes, of the annulus and of the mesh. */
static void coolant_print(const struct an_solver *s, const void *component, FILE *out)
{
    const struct an_coolant *k = component;
    for (int n = 0; n < k->n; n++) {
        const struct an_coolant_patch *q = &k->patch[n];
        if (q->leak)
            continue;
        fprintf(out, "%-11s %s: %.6g kg/s", q->bleeds ? "bleed" : "cooling",
                s->mesh->topology.boundary[q->boundary].name, q->sectors * q->mass);
        if (q->sectors > 1)
            fprintf(out, " of the annulus, %.6g of the mesh (1/%.6g)", q->mass, q->sectors);
        fprintf(out, ", through %.4g m2%s", q->area, q->holes ? " of holes" : "");
        if (!q->bleeds)
            fprintf(out, "; T0 %.6g K where it comes out, absolute", q->now.T0);
        fputc('\n', out);
        if (q->holes)
            an_holes_print(q->holes, out);
    }
    an_leaks_print(k, out);
}

static void coolant_report(const struct an_solver *s, const void *component, FILE *out)
{
    (void)s;
    const struct an_coolant *k = component;
    for (int n = 0; n < k->n; n++)
        if (k->patch[n].holes)
            an_holes_report(k->patch[n].holes, out);
    an_leaks_report(k, out);
}

/* A measurement is of the jets as they are when it begins; steps may follow before it ends. */
static int coolant_before_measure(struct an_solver *s, void *component)
{
    struct an_coolant *k = component;
    for (int n = 0; n < k->n; n++) {
        k->patch[n].seen = k->patch[n].now;
        k->patch[n].seen.mass = k->patch[n].mass;
    }
    return k->nleak ? an_leaks_measure(s, k) : AN_OK;
}

static int coolant_measure_finish(struct an_solver *s, void *component, const struct an_measured *m)
{
    const struct an_gas *gas = &s->c->gas.model;
    struct an_coolant *k = component;
    for (int n = 0; n < k->n; n++) {
        const struct an_coolant_patch *q = &k->patch[n];
        struct an_coolant_means *v = &k->patch[n].seen;
        const double *t = m->integral[q->boundary];
        const double p = t[AN_I_PA] / t[AN_I_AREA];
        if (q->leak)
            continue;
        if (q->bleeds) {
            v->h0 = t[AN_I_CELL_H] / t[AN_I_AREA];
            v->T0 = an_gas_T_of_h(gas, v->h0);
            v->T = t[AN_I_CELL_P] / (t[AN_I_CELL_RHO] * gas->R);
        }
        v->p0 = p * an_gas_isentropic_p(gas, v->T, v->T0);
    }
    return AN_OK;
}

const struct an_component_type an_coolant_component = {.name = "cooling",
                                                       .make = coolant_make,
                                                       .destroy = coolant_destroy,
                                                       .take = coolant_take,
                                                       .catch_up = coolant_catch_up,
                                                       .before_step = coolant_before_step,
                                                       .before_measure = coolant_before_measure,
                                                       .measure_finish = coolant_measure_finish,
                                                       .keep = coolant_keep,
                                                       .print = coolant_print,
                                                       .report = coolant_report};

struct an_coolant *an_coolant_of(const struct an_solver *s)
{
    return an_component_of(s, &an_coolant_component);
}

int an_leak_reports(const struct an_solver *s, struct an_leak_report *report)
{
    const struct an_coolant *k = an_coolant_of(s);
    return k ? an_leaks_describe(k, report) : 0;
}

const struct an_hole_set *an_coolant_holes(const struct an_solver *s,
                                           const struct an_case_boundary *set)
{
    const struct an_coolant *k = an_coolant_of(s);
    for (int n = 0; k && n < k->n; n++)
        if (k->patch[n].holes && k->patch[n].set == set)
            return k->patch[n].holes;
    return NULL;
}

int an_coolant_mean_T0(const struct an_solver *s, double *T0)
{
    const struct an_coolant *k = an_coolant_of(s);
    double mass = 0, sum = 0;
    for (int n = 0; k && n < k->n; n++) {
        const struct an_coolant_patch *q = &k->patch[n];
        if (q->bleeds || q->leak)
            continue;
        mass += q->sectors * q->mass;
        sum += q->sectors * q->mass * q->now.T0;
    }
    *T0 = mass > 0 ? sum / mass : 0;
    return mass > 0;
}

void an_coolant_add_masses(const struct an_solver *s, double *in, double *out)
{
    const struct an_coolant *k = an_coolant_of(s);
    for (int n = 0; k && n < k->n; n++)
        if (!k->patch[n].leak)
            *(k->patch[n].bleeds ? out : in) += k->patch[n].mass;
}

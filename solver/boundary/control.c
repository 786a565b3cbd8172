#include "solver/boundary/control.h"

#include "mpi/reduce.h"
#include "solver/boundary/control_set.h"
#include "solver/boundary/ring_waves.h"
#include "solver/flow/flow.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/level/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int list_boundaries(struct an_solver *s, struct an_control *k)
{
    const struct an_topology *t = &s->mesh->topology;
    double *sectors = malloc(((size_t)t->nblock + 1) * sizeof *sectors);
    k->entry = calloc((size_t)t->nboundary + 1, sizeof *k->entry);
    const int status = sectors && k->entry ? an_solver_sectors(s->c, t, sectors)
                                           : an_error_set(AN_FAIL, "out of memory for outlets");
    for (int b = 0; b < t->nboundary && status == AN_OK; b++) {
        const struct an_case_boundary *c = an_case_boundary_find(s->c, t->boundary[b].name);
        const int inlet = s->boundary[b].type == AN_BC_INLET_TOTAL && c && c->outlet.mass_flow > 0;
        if ((s->boundary[b].type != AN_BC_OUTLET_STATIC || !c) && !inlet)
            continue;
        int zone = 0;
        for (int p = t->npatch - 1; p >= 0; p--)
            zone = t->patch[p].boundary == b ? t->patch[p].window.block : zone;
        k->entry[k->n++] = (struct an_control_entry){.boundary = b,
                                                     .kind = inlet ? "inlet" : "outlet",
                                                     .quantity = inlet ? "p0" : "p",
                                                     .sign = inlet ? -1 : 1,
                                                     .sectors = sectors[zone],
                                                     .p_set = inlet ? c->p0 : c->p,
                                                     .mass_wanted = c->outlet.mass_flow,
                                                     .mass_set = c->outlet.throttle_mass_flow,
                                                     .p_behind = c->outlet.throttle_p,
                                                     .every = c->outlet.control_every,
                                                     .gain = c->outlet.control_gain,
                                                     .p = inlet ? c->p0 : c->p,
                                                     .error = NAN,
                                                     .speed = 1,
                                                     .growth = AN_THROTTLE_GROWTH,
                                                     .mass = NAN,
                                                     .seen = NAN,
                                                     .sonic = NAN,
                                                     .anchor = c->outlet.equilibrium,
                                                     .non_reflecting = c->outlet.non_reflecting,
                                                     .group = -1};
    }
    free(sectors);
    return status;
}

/* Is a boundary measured for control? The steps of an outlet have the scale of the inlets' total pressures, those of an
 * inlet the scale of all openings. */
static int is_measured(const struct an_solver *s, const struct an_control *k, int boundary)
{
    int some = 0;
    for (int o = 0; o < k->n; o++)
        some |=
            an_control_moves(&k->entry[o]) &&
            (k->entry[o].boundary == boundary || s->boundary[boundary].type == AN_BC_INLET_TOTAL ||
             (an_control_is_inlet(&k->entry[o]) &&
              an_bc_type_has((enum an_bc_type)s->boundary[boundary].type, AN_BC_PASSES)));
    return some;
}

static int list_faces(struct an_solver *s, struct an_control *k)
{
    const struct an_topology *t = &s->level->partition.topology;
    struct an_face_window *window = NULL;
    int n, used = 0, some = 0;
    AN_TRY(an_bc_windows(t, s->boundary, s->nlocal, s->local, &n, &window));
    for (int m = 0; m < n; m++)
        if (is_measured(s, k, window[m].boundary))
            window[used++] = window[m];
    for (int o = 0; o < k->n; o++)
        some |= an_control_moves(&k->entry[o]);
    int status = AN_OK;
    if (some)
        status = s->engine->op->faces_new(s->engine, &s->level->layout, used, window, t->nboundary,
                                          s->boundary, &k->faces);
    free(window);
    return status;
}

struct inlet_face {
    const struct an_solver *s;
    struct an_control *k;
    const struct an_control_entry *o;
};

static double *profile_of(const struct inlet_face *f, const double v[AN_BC_NVALUE])
{
    return f->k->profile[(v - an_face_values_of(f->s)->level[0].value[0]) / AN_BC_NVALUE];
}

static void note_face(void *context, const struct an_face_place *at, double v[AN_BC_NVALUE])
{
    double *profile = profile_of(context, v);
    (void)at;
    profile[0] = v[AN_BC_P0];
    profile[1] = v[AN_BC_TURB];
}

/* The total pressure keeps its shape, and what enters keeps its ratio of viscosities (TURB is that
 * ratio over the density). */
static void set_inlet_face(void *context, const struct an_face_place *at, double v[AN_BC_NVALUE])
{
    const struct inlet_face *f = context;
    const double *profile = profile_of(f, v), factor = f->o->p / f->o->p_set;
    (void)at;
    v[AN_BC_P0] = factor * profile[0];
    v[AN_BC_TURB] = profile[1] < 0 ? profile[1] : profile[1] / factor;
}

/* Notes the profiles of inlets of given mass flow. */
static int note_profiles(struct an_solver *s, struct an_control *k)
{
    for (int n = 0; n < k->n; n++) {
        struct inlet_face f = {s, k, &k->entry[n]};
        if (!an_control_is_inlet(f.o) || !s->boundary[f.o->boundary].varies)
            continue;
        if (!k->profile)
            k->profile =
                calloc((size_t)an_face_values_of(s)->level[0].nface + 1, sizeof *k->profile);
        AN_CHECK(k->profile, AN_FAIL, "out of memory for inlets");
        an_face_values_set(s, f.o->boundary, note_face, &f);
    }
    return AN_OK;
}

int an_control_apply(struct an_solver *s, struct an_control *k)
{
    s->residual_is_current = 0; /* the residual at boundaries changes */
    for (int o = 0; o < k->n; o++) {
        struct an_control_face f = {k, &k->entry[o], s};
        struct inlet_face i = {s, k, &k->entry[o]};
        struct an_bc_value *value = &s->boundary[k->entry[o].boundary];
        value->v[an_control_is_inlet(i.o) ? AN_BC_P0 : AN_BC_P] = k->entry[o].p;
        if (k->entry[o].group >= 0)
            an_face_values_set(s, k->entry[o].boundary, an_control_set_face, &f);
        else if (an_control_is_inlet(i.o) && value->varies)
            an_face_values_set(s, k->entry[o].boundary, set_inlet_face, &i);
    }
    for (int n = 0; n < s->nlevel; n++)
        AN_TRY(s->engine->op->faces_set(s->engine, s->level[n].faces, s->boundary));
    return k->bands || k->profile ? an_face_values_upload(s) : AN_OK;
}

static int control_make(struct an_solver *s, void **component)
{
    struct an_control *k = calloc(1, sizeof *k);
    *component = k;
    int status = k ? AN_OK : an_error_set(AN_FAIL, "out of memory for outlets");
    if (status == AN_OK)
        status = list_boundaries(s, k);
    if (status == AN_OK)
        status = list_faces(s, k);
    if (status == AN_OK)
        status = an_control_bands_new(s, k);
    if (status == AN_OK)
        status = note_profiles(s, k);
    AN_TRY(an_reduce_status(s->comm, status));
    return an_control_apply(s, k);
}

static void control_destroy(struct an_solver *s, void *component)
{
    struct an_control *k = component;
    if (k->faces)
        s->engine->op->faces_free(s->engine, k->faces);
    an_bands_destroy(s, k->bands);
    free(k->rise);
    for (int m = 0; m < 3; m++)
        free(k->mean[m]);
    free(k->profile);
    free(k->entry);
    free(k);
}

static int control_before_step(struct an_solver *s, void *component)
{
    struct an_control *k = component;
    int due = 0, level = 0, waves;
    AN_TRY(an_ring_waves_update(s, AN_RING_OUTLET, &waves));
    for (int o = 0; o < k->n; o++) {
        due |= an_control_is_due(s, k, &k->entry[o]);
        level |= an_control_is_due(s, k, &k->entry[o]) && an_control_moves(&k->entry[o]);
    }
    if (!due)
        return waves ? an_control_apply(s, k) : AN_OK;
    AN_TRY(an_level_radii(s, s->level, NULL));
    AN_TRY(an_control_balance(s, k));
    double(*total)[AN_NINTEGRAL] =
        calloc((size_t)s->level->partition.topology.nboundary + 1, sizeof *total);
    AN_CHECK(total, AN_FAIL, "out of memory for outlets");
    const int status = level ? an_solver_integrate(s, k->faces, total) : AN_OK;
    for (int o = 0; o < k->n && status == AN_OK; o++)
        if (!an_control_moves(&k->entry[o]) || !an_control_is_due(s, k, &k->entry[o]))
            continue;
        else if (an_control_is_inlet(&k->entry[o]))
            an_control_steer_inlet(s, &k->entry[o], total);
        else
            an_control_steer_outlet(s, &k->entry[o], total);
    free(total);
    return status == AN_OK ? an_control_apply(s, k) : status;
}

double an_control_pressure(const struct an_solver *s, int boundary)
{
    const struct an_control *k = an_component_of(s, &an_control_component);
    for (int n = 0; n < k->n; n++)
        if (!an_control_is_inlet(&k->entry[n]) &&
            (boundary < 0 || k->entry[n].boundary == boundary))
            return k->entry[n].p;
    return NAN;
}

int an_control_reports(const struct an_solver *s, struct an_control_report *list)
{
    const struct an_control *k = an_component_of(s, &an_control_component);
    int count = 0;
    for (int o = 0; k && o < k->n; o++) {
        if (!an_control_moves(&k->entry[o]))
            continue;
        if (list)
            list[count] = an_control_report_of(s, &k->entry[o]);
        count++;
    }
    return count;
}

void an_control_values(const struct an_solver *s, double *value)
{
    const struct an_control *k = an_component_of(s, &an_control_component);
    for (int o = 0; k && o < k->n; o++)
        if (an_control_moves(&k->entry[o]))
            *value++ = k->entry[o].p;
}

int an_control_off_line(const struct an_control_report *q)
{
    return fabs(q->line / q->value - 1) > 0.01; /* NaN: no throttle */
}

int an_control_throttles_stand(const struct an_solver *s)
{
    const struct an_control *k = an_component_of(s, &an_control_component);
    for (int o = 0; k && o < k->n; o++) {
        const struct an_control_report q = an_control_report_of(s, &k->entry[o]);
        if (an_control_off_line(&q))
            return 0;
    }
    return 1;
}

static void control_name(const struct an_solver *s, const struct an_control_entry *o,
                         const char *what, char name[64])
{
    snprintf(name, 64, "%s.%s.%s", o->kind, s->mesh->topology.boundary[o->boundary].name, what);
}

static int control_keep(const struct an_solver *s, const void *component,
                        struct an_snapshot_meta *meta)
{
    const struct an_control *k = component;
    char name[64], what[24];
    for (int o = 0; o < k->n; o++) {
        const struct an_control_entry *q = &k->entry[o];
        const struct an_band_group *g = q->group < 0 ? NULL : &k->bands->group[q->group];
        for (int n = 0; g && n < g->n; n++) {
            snprintf(what, sizeof what, "rise.%d", n);
            control_name(s, q, what, name);
            AN_TRY(an_snapshot_control_add(meta, name, k->rise[g->first + n]));
            for (int m = 0; m < 3 && q->non_reflecting; m++) {
                snprintf(what, sizeof what, "mean%d.%d", m, n);
                control_name(s, q, what, name);
                AN_TRY(an_snapshot_control_add(meta, name, k->mean[m][g->first + n]));
            }
        }
        if (!an_control_moves(q))
            continue;
        control_name(s, q, q->quantity, name);
        AN_TRY(an_snapshot_control_add(meta, name, q->p));
        control_name(s, q, "error", name);
        AN_TRY(an_snapshot_control_add(meta, name, q->error));
        control_name(s, q, "speed", name);
        AN_TRY(an_snapshot_control_add(meta, name, q->speed));
        control_name(s, q, "growth", name);
        AN_TRY(an_snapshot_control_add(meta, name, q->growth));
    }
    return AN_OK;
}

static int control_take(struct an_solver *s, void *component, const struct an_snapshot_meta *meta)
{
    struct an_control *k = component;
    char name[64], what[24];
    for (int o = 0; o < k->n; o++) {
        struct an_control_entry *q = &k->entry[o];
        const struct an_band_group *g = q->group < 0 ? NULL : &k->bands->group[q->group];
        for (int n = 0; g && n < g->n; n++) {
            double *rise = &k->rise[g->first + n];
            snprintf(what, sizeof what, "rise.%d", n);
            control_name(s, q, what, name);
            *rise = an_snapshot_control_get(meta, name, *rise);
            for (int m = 0; m < 3 && q->non_reflecting; m++) {
                snprintf(what, sizeof what, "mean%d.%d", m, n);
                control_name(s, q, what, name);
                k->mean[m][g->first + n] = an_snapshot_control_get(meta, name, NAN);
            }
        }
        if (!an_control_moves(q))
            continue;
        control_name(s, q, q->quantity, name);
        q->p = an_snapshot_control_get(meta, name, q->p);
        control_name(s, q, "error", name);
        q->error = an_snapshot_control_get(meta, name, NAN);
        control_name(s, q, "speed", name);
        q->speed = an_snapshot_control_get(meta, name, q->speed);
        control_name(s, q, "growth", name);
        q->growth = an_snapshot_control_get(meta, name, q->growth);
    }
    return an_control_apply(s, k);
}

int an_control_begin(struct an_solver *s, const struct an_snapshot_meta *meta)
{
    struct an_control *k = an_component_of(s, &an_control_component);
    char name[64];
    for (int o = 0; o < k->n; o++) {
        struct an_control_entry *q = &k->entry[o];
        control_name(s, q, q->quantity, name);
        if (an_control_moves(q))
            q->p = an_snapshot_control_get(meta, name, q->p);
    }
    return an_control_apply(s, k);
}

const struct an_component_type an_control_component = {
    .name = "outlets",
    .after = AN_AFTER("face values", "two-dimensional waves"),
    .make = control_make,
    .destroy = control_destroy,
    .take = control_take,
    .before_step = control_before_step,
    .keep = control_keep,
    .measure_finish = an_control_seen,
    .print = an_control_print,
    .report = an_control_report};

int an_control_guess(struct an_solver *s, int boundary, double p)
{
    struct an_control *k = an_component_of(s, &an_control_component);
    for (int n = 0; n < k->n; n++)
        if (k->entry[n].boundary == boundary && an_control_moves(&k->entry[n]))
            k->entry[n].p = p;
    return an_control_apply(s, k);
}

int an_control_vary(struct an_solver *s, int boundary, enum an_vary what, double value)
{
    struct an_control *k = an_component_of(s, &an_control_component);
    for (int n = 0; n < k->n; n++) {
        struct an_control_entry *o = &k->entry[n];
        const struct an_case_boundary *b =
            an_case_boundary_find(s->c, s->mesh->topology.boundary[o->boundary].name);
        if (o->boundary != boundary)
            continue;
        o->error = NAN;
        o->speed = 1;
        o->growth = AN_THROTTLE_GROWTH;
        if (what == AN_VARY_MASS_FLOW)
            o->mass_wanted = value;
        else if (what == AN_VARY_THROTTLE)
            o->p_set = o->p_behind + (b->p - o->p_behind) * value;
        else
            o->p = o->p_set = value;
    }
    return an_control_apply(s, k);
}

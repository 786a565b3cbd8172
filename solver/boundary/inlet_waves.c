#include "solver/boundary/inlet_waves.h"

#include "bc/inlet_face.h"
#include "kernels/base/numbers.h"
#include "kernels/physics/gas_state.h"
#include "solver/boundary/face_values.h"
#include "solver/boundary/ring_waves.h"
#include "solver/flow/fields.h"
#include "solver/flow/flow.h"
#include "solver/level/component.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int an_inlet_waves_is(const struct an_case_boundary *b)
{
    return b && b->type == AN_BC_INLET_TOTAL && b->outlet.non_reflecting;
}

struct setting {
    struct an_solver *s;
    const struct an_inlet_waves *k;
    int group, renewed; /* renewed: 1 if the total conditions are new, 0 if only the mean flow is */
};

/* The target of a face of a pattern: it has the static pressure that belongs to the mean of the pattern, because wakes
 * and gusts have the pressure of the flow around them, and the face's own total conditions and direction. */
static void set_pattern(const struct setting *f, const struct an_face_place *at,
                        const double cell[5], const double normal[3], int64_t face,
                        double v[AN_BC_NVALUE])
{
    const double *total = f->k->total[face], *x = at->x, r = hypot(x[1], x[2]);
    const struct an_gas *gas = &f->s->c->gas.model;
    double mean[AN_BC_NVALUE] = {0};
    f->k->inlet[f->group].around(f->k->inlet[f->group].context, at, mean);
    an_bc_inlet_face(&f->s->params, gas, cell, normal, mean, v);
    const double p = fmin(v[AN_BC_PRESSURE], total[AN_BC_P0]);
    const struct an_gas_flow flow = an_gas_static_p(gas, total[AN_BC_P0], total[AN_BC_T0], p);
    double extra[4] = {an_state_density(gas, p, flow.T) - v[AN_BC_RHO], 0, 0,
                       p - v[AN_BC_PRESSURE]};
    double more[3]; /* velocity */
    for (int d = 0; d < 3; d++) {
        more[d] = flow.V * total[AN_BC_DIRECTION + d] - v[AN_BC_VELOCITY + d];
        extra[1] += more[d] * normal[d];
        v[AN_BC_VELOCITY + d] += more[d];
    }
    extra[2] = r > 0 ? (more[2] * x[1] - more[1] * x[2]) / r : 0;
    an_ring_waves_pattern(f->s, face, extra, f->renewed);
    v[AN_BC_RHO] += extra[0];
    v[AN_BC_PRESSURE] = p;
}

/* The target of a face: v becomes a state as FARFIELD has it. */
static void set_face(void *context, const struct an_face_place *at, double v[AN_BC_NVALUE])
{
    const struct setting *f = context;
    const struct an_inlet_waves *k = f->k;
    const struct an_band_group *g = &k->bands->group[f->group];
    const int64_t face = (v - an_face_values_of(f->s)->level[0].value[0]) / AN_BC_NVALUE;
    const double *total = k->total[face], *s = at->s;
    const double *m = k->mean[an_band_of(k->bands, f->group, an_band_fraction(g, at->x))];
    const double r = hypot(at->x[1], at->x[2]), cy = r > 0 ? at->x[1] / r : 1,
                 cz = r > 0 ? at->x[2] / r : 0;
    const double area = an_length(s);
    const double cell[5] = {m[0], m[1], m[2] * cy - m[3] * cz, m[2] * cz + m[3] * cy, m[4]};
    double normal[3];
    for (int d = 0; d < 3; d++)
        normal[d] = area > 0 ? s[d] / area : 0;
    if (k->inlet[f->group].around)
        set_pattern(f, at, cell, normal, face, v);
    else
        an_bc_inlet_face(&f->s->params, &f->s->c->gas.model, cell, normal, total, v);
    v[AN_BC_TURB] = total[AN_BC_TURB];
    v[AN_BC_TURB + 1] = total[AN_BC_TURB + 1];
    an_ring_waves_add(f->s, face, v);
}

static int apply(struct an_solver *s, const struct an_inlet_waves *k)
{
    for (int n = 0; n < k->n; n++) {
        struct setting f = {s, k, k->inlet[n].group, 0};
        an_face_values_set(s, k->inlet[n].boundary, set_face, &f);
    }
    return an_face_values_upload(s);
}

struct keeping {
    const struct an_solver *s;
    const struct an_case_boundary *b;
    double (*total)[AN_BC_NVALUE];
};

/* Total conditions of a face: those of its profile, where it has one. */
static void keep_face(void *context, const struct an_face_place *at, double v[AN_BC_NVALUE])
{
    const struct keeping *q = context;
    (void)at;
    if (!an_inlet_varies(q->b)) {
        v[AN_BC_P0] = q->b->p0;
        v[AN_BC_T0] = q->b->T0;
        memcpy(v + AN_BC_DIRECTION, q->b->direction, sizeof q->b->direction);
        v[AN_BC_TURB] = v[AN_BC_TURB + 1] = -1; /* turbulence as elsewhere */
    }
    memcpy(q->total[(v - an_face_values_of(q->s)->level[0].value[0]) / AN_BC_NVALUE], v,
           AN_BC_NVALUE * sizeof *v);
}

static int list_inlets(struct an_solver *s, struct an_inlet_waves *k)
{
    const struct an_topology *t = &s->mesh->topology;
    const size_t nb = (size_t)t->nboundary + 1;
    int *group = malloc(nb * sizeof *group), status = AN_OK;
    k->inlet = calloc(nb, sizeof *k->inlet);
    if (!group || !k->inlet)
        status = an_error_set(AN_FAIL, "out of memory for inlets");
    for (int b = 0; b < t->nboundary && status == AN_OK; b++) {
        const struct an_case_boundary *c = an_case_boundary_find(s->c, t->boundary[b].name);
        group[b] = -1;
        if (!an_inlet_waves_is(c))
            continue;
        group[b] = k->n;
        k->inlet[k->n].boundary = b;
        k->inlet[k->n].group = k->n;
        k->inlet[k->n++].every = c->outlet.control_every;
    }
    if (status == AN_OK && k->n)
        status = an_bands_new(s, k->n, group, &k->bands);
    free(group);
    return status;
}

/* Before anything is measured the means are those of the initial state. */
static int start_means(struct an_solver *s, struct an_inlet_waves *k)
{
    const struct an_case_state *i = &s->c->initial;
    const double speed = i->mach * an_state_sound(&s->c->gas.model, i->p, i->T);
    const size_t n = (size_t)an_face_values_of(s)->level[0].nface + 1;
    k->mean = calloc((size_t)k->bands->n + 1, sizeof *k->mean);
    k->total = calloc(n, sizeof *k->total);
    AN_CHECK(k->mean && k->total, AN_FAIL, "out of memory for inlets");
    for (int m = 0; m < k->bands->n; m++) {
        k->mean[m][0] = an_state_density(&s->c->gas.model, i->p, i->T);
        k->mean[m][1] = i->has_velocity ? i->velocity[0] : speed * i->direction[0];
        k->mean[m][4] = i->p;
    }
    for (int m = 0; m < k->n; m++) {
        struct keeping q = {
            s, an_case_boundary_find(s->c, s->mesh->topology.boundary[k->inlet[m].boundary].name),
            k->total};
        an_face_values_set(s, k->inlet[m].boundary, keep_face, &q);
    }
    return apply(s, k);
}

void an_inlet_waves_renew(struct an_solver *s, int boundary, an_face_value_at *around,
                          void *context)
{
    struct an_inlet_waves *k = an_component_of(s, &an_inlet_waves_component);
    for (int n = 0; k && n < k->n; n++) {
        if (k->inlet[n].boundary != boundary)
            continue;
        k->inlet[n].around = around;
        k->inlet[n].context = context;
        struct keeping q = {
            s, an_case_boundary_find(s->c, s->mesh->topology.boundary[boundary].name), k->total};
        struct setting f = {s, k, k->inlet[n].group, 1};
        an_face_values_set(s, boundary, keep_face, &q);
        an_face_values_set(s, boundary, set_face, &f);
    }
}

static void inlet_waves_destroy(struct an_solver *s, void *component)
{
    struct an_inlet_waves *k = component;
    an_bands_destroy(s, k->bands);
    free(k->inlet);
    free(k->mean);
    free(k->total);
    free(k);
}

static int inlet_waves_make(struct an_solver *s, void **component)
{
    struct an_inlet_waves *k = calloc(1, sizeof *k);
    *component = k;
    int status = k ? list_inlets(s, k) : an_error_set(AN_FAIL, "out of memory for inlets");
    if (status == AN_OK && k->n)
        status = start_means(s, k);
    if (status == AN_OK && k->n == 0) {
        inlet_waves_destroy(s, k);
        *component = NULL;
    }
    return status;
}

/* Means of inlets that are due; unknown: of those nothing is known of. */
static int take_means(struct an_solver *s, struct an_inlet_waves *k, int unknown)
{
    static const int of[5] = {AN_I_CELL_RHO, AN_I_CELL_U, AN_I_CELL_V, AN_I_CELL_W, AN_I_CELL_P};
    double(*sum)[AN_NINTEGRAL] = calloc((size_t)k->bands->n + 1, sizeof *sum);
    AN_CHECK(sum, AN_FAIL, "out of memory for inlets");
    int status = an_level_radii(s, s->level, NULL);
    if (status == AN_OK)
        status = an_bands_measure(s, k->bands, sum);
    for (int n = 0; n < k->n && status == AN_OK; n++) {
        const struct an_band_group *g = &k->bands->group[k->inlet[n].group];
        const int due = unknown ? k->inlet[n].unknown : s->iteration % k->inlet[n].every == 0;
        for (int b = g->first; due && b < g->first + g->n; b++)
            for (int m = 0; m < 5; m++)
                k->mean[b][m] = sum[b][of[m]] / sum[b][AN_I_AREA];
    }
    free(sum);
    return status == AN_OK ? apply(s, k) : status;
}

static int inlet_waves_before_step(struct an_solver *s, void *component)
{
    struct an_inlet_waves *k = component;
    int due = 0, waves;
    AN_TRY(an_ring_waves_update(s, AN_RING_INLET, &waves));
    for (int n = 0; n < k->n; n++)
        due |= s->iteration % k->inlet[n].every == 0;
    return due ? take_means(s, k, 0) : waves ? apply(s, k) : AN_OK;
}

static int inlet_waves_catch_up(struct an_solver *s, void *component)
{
    struct an_inlet_waves *k = component;
    int some = 0;
    for (int n = 0; n < k->n; n++)
        some |= k->inlet[n].unknown;
    if (!some)
        return AN_OK;
    AN_TRY(take_means(s, k, 1));
    for (int n = 0; n < k->n; n++)
        k->inlet[n].unknown = 0;
    return an_solver_refresh(s);
}

static void mean_name(const struct an_solver *s, int boundary, int band, int m, char name[64])
{
    snprintf(name, 64, "inlet.%s.%d.%d", s->mesh->topology.boundary[boundary].name, m, band);
}

static int inlet_waves_keep(const struct an_solver *s, const void *component,
                            struct an_snapshot_meta *meta)
{
    const struct an_inlet_waves *k = component;
    char name[64];
    for (int n = 0; n < k->n; n++) {
        const struct an_band_group *g = &k->bands->group[k->inlet[n].group];
        for (int b = 0; b < g->n; b++)
            for (int m = 0; m < 5; m++) {
                mean_name(s, k->inlet[n].boundary, b, m, name);
                AN_TRY(an_snapshot_control_add(meta, name, k->mean[g->first + b][m]));
            }
    }
    return AN_OK;
}

static int inlet_waves_take(struct an_solver *s, void *component,
                            const struct an_snapshot_meta *meta)
{
    struct an_inlet_waves *k = component;
    char name[64];
    for (int n = 0; n < k->n; n++) {
        const struct an_band_group *g = &k->bands->group[k->inlet[n].group];
        for (int b = 0; b < g->n; b++)
            for (int m = 0; m < 5; m++) {
                mean_name(s, k->inlet[n].boundary, b, m, name);
                const double mean = an_snapshot_control_get(meta, name, INFINITY);
                if (mean == INFINITY)
                    k->inlet[n].unknown = 1;
                else
                    k->mean[g->first + b][m] = mean;
            }
    }
    return apply(s, k);
}

const struct an_component_type an_inlet_waves_component = {
    .name = "non-reflecting inlets",
    .after = AN_AFTER("face values", "two-dimensional waves", "inlets"),
    .make = inlet_waves_make,
    .destroy = inlet_waves_destroy,
    .take = inlet_waves_take,
    .catch_up = inlet_waves_catch_up,
    .before_step = inlet_waves_before_step,
    .keep = inlet_waves_keep};

#include "solver/boundary/control.h"

#include "kernels/base/numbers.h"
#include "mpi/reduce.h"
#include "solver/boundary/bands.h"
#include "solver/boundary/face_values.h"
#include "solver/flow/flow.h"
#include "solver/level/level.h"
#include "solver/level/part.h"
#include "solver/level/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct outlet {
    int boundary;
    double sectors;            /* how often the meshed part fits into the annulus */
    double p_set;              /* Pa: the case's p, or that of an_control_vary */
    double mass_wanted;        /* kg/s; 0: none */
    double mass_set, p_behind; /* kg/s, Pa: throttle; 0: none */
    int every;                 /* iterations between two changes */
    double gain;
    double p, error; /* Pa now; e of the last step, NaN: none yet */
    double mass;     /* kg/s at the last step, NaN: none yet */
    enum an_equilibrium anchor;
    int non_reflecting;
    int group; /* of control.bands; -1: the pressure is the same everywhere */
};

struct control {
    int n; /* number of static outlets */
    struct outlet *outlet;
    struct an_faces
        *faces; /* of the engine: faces of the outlets that are controlled; NULL: none */
    struct an_bands *bands; /* of the outlets whose values vary along the span; NULL: none */
    double *rise;           /* [bands->n] Pa: d; owned */
    double *mean[3]; /* [bands->n] Pa, m/s, m/s: mean pressure, axial and radial velocity; NaN:
                      * not measured yet; owned */
};

/* Does the level of its pressure move? */
static int is_controlled(const struct outlet *o)
{
    return o->mass_wanted > 0 || o->mass_set > 0;
}

static int is_due(const struct an_solver *s, const struct control *k, const struct outlet *o)
{
    if (o->non_reflecting && isnan(k->mean[0][k->bands->group[o->group].first]))
        return 1; /* no mean yet */
    return (is_controlled(o) || o->group >= 0) && s->iteration > 0 && s->iteration % o->every == 0;
}

static int list_outlets(struct an_solver *s, struct control *k)
{
    const struct an_topology *t = &s->mesh->topology;
    double *sectors = malloc(((size_t)t->nblock + 1) * sizeof *sectors);
    k->outlet = calloc((size_t)t->nboundary + 1, sizeof *k->outlet);
    const int status = sectors && k->outlet ? an_solver_sectors(s->c, t, sectors)
                                            : an_error_set(AN_FAIL, "out of memory for outlets");
    for (int b = 0; b < t->nboundary && status == AN_OK; b++) {
        const struct an_case_boundary *c = an_case_boundary_find(s->c, t->boundary[b].name);
        if (s->boundary[b].type != AN_BC_OUTLET_STATIC || !c)
            continue;
        int zone = 0;
        for (int p = t->npatch - 1; p >= 0; p--)
            zone = t->patch[p].boundary == b ? t->patch[p].window.block : zone;
        k->outlet[k->n++] = (struct outlet){.boundary = b,
                                            .sectors = sectors[zone],
                                            .p_set = c->p,
                                            .mass_wanted = c->outlet.mass_flow,
                                            .mass_set = c->outlet.throttle_mass_flow,
                                            .p_behind = c->outlet.throttle_p,
                                            .every = c->outlet.control_every,
                                            .gain = c->outlet.control_gain,
                                            .p = c->p,
                                            .error = NAN,
                                            .mass = NAN,
                                            .anchor = c->outlet.equilibrium,
                                            .non_reflecting = c->outlet.non_reflecting,
                                            .group = -1};
    }
    free(sectors);
    return status;
}

/* The faces of outlets that are controlled. */
static int list_faces(struct an_solver *s, struct control *k)
{
    const struct an_topology *t = &s->level->partition.topology;
    struct an_face_window *window = NULL;
    int n, used = 0, some = 0;
    AN_TRY(an_bc_windows(t, s->nlocal, s->local, &n, &window));
    for (int m = 0; m < n; m++)
        for (int o = 0; o < k->n; o++)
            if (window[m].boundary == k->outlet[o].boundary && is_controlled(&k->outlet[o]))
                window[used++] = window[m];
    for (int o = 0; o < k->n; o++)
        some |= is_controlled(&k->outlet[o]);
    int status = AN_OK;
    if (some)
        status = s->engine->op->faces_new(s->engine, &s->level->layout, used, window, t->nboundary,
                                          s->boundary, &k->faces);
    free(window);
    return status;
}

/* Bands of the outlets in radial equilibrium, without a rise yet. */
static int list_bands(struct an_solver *s, struct control *k)
{
    const int nb = s->mesh->topology.nboundary;
    int *group = malloc(((size_t)nb + 1) * sizeof *group), n = 0, status = AN_OK;
    AN_CHECK(group, AN_FAIL, "out of memory for outlets");
    for (int b = 0; b < nb; b++)
        group[b] = -1;
    for (int o = 0; o < k->n; o++)
        if (k->outlet[o].anchor != AN_EQUILIBRIUM_NONE || k->outlet[o].non_reflecting)
            group[k->outlet[o].boundary] = k->outlet[o].group = n++;
    if (n)
        status = an_bands_new(s, n, group, &k->bands);
    free(group);
    AN_TRY(status);
    n = k->bands ? k->bands->n : 0;
    k->rise = calloc((size_t)n + 1, sizeof *k->rise);
    AN_CHECK(k->rise, AN_FAIL, "out of memory for outlets");
    for (int m = 0; m < 3; m++) {
        k->mean[m] = malloc(((size_t)n + 1) * sizeof *k->mean[m]);
        AN_CHECK(k->mean[m], AN_FAIL, "out of memory for outlets");
        for (int b = 0; b < n; b++)
            k->mean[m][b] = NAN;
    }
    return AN_OK;
}

/* A rise that is linear between the middles of bands, at radius r. */
static double rise_at(const struct an_bands *b, const struct an_band_group *g, const double *rise,
                      double r)
{
    int n = g->first;
    if (g->n < 2)
        return rise[n];
    while (n < g->first + g->n - 2 && r > b->radius[n + 1])
        n++;
    const double part = (r - b->radius[n]) / (b->radius[n + 1] - b->radius[n]);
    return rise[n] + part * (rise[n + 1] - rise[n]);
}

struct face_pressure {
    const struct control *k;
    const struct outlet *o;
};

static void set_face(void *context, const struct an_face_place *at, double v[AN_BC_NVALUE])
{
    const struct face_pressure *f = context;
    const struct an_bands *b = f->k->bands;
    const struct an_band_group *g = &b->group[f->o->group];
    const double r = hypot(at->x[1], at->x[2]), *s = at->s;
    v[AN_BC_P] = f->o->p + rise_at(b, g, f->k->rise, r);
    v[AN_BC_WAVES] = f->o->non_reflecting && !isnan(f->k->mean[0][g->first]);
    if (v[AN_BC_WAVES] == 0)
        return;
    const double outward = r > 0 ? (s[1] * at->x[1] + s[2] * at->x[2]) / r : 0; /* of the area */
    const double area = an_length(s);
    v[AN_BC_MEAN_P] = rise_at(b, g, f->k->mean[0], r);
    v[AN_BC_MEAN_U] =
        (rise_at(b, g, f->k->mean[1], r) * s[0] + rise_at(b, g, f->k->mean[2], r) * outward) / area;
}

/* Puts the pressures of all outlets into the boundaries of all levels. */
static int apply(struct an_solver *s, struct control *k)
{
    s->residual_is_current = 0; /* the residual at boundaries changes */
    for (int o = 0; o < k->n; o++) {
        struct face_pressure f = {k, &k->outlet[o]};
        s->boundary[k->outlet[o].boundary].v[AN_BC_P] = k->outlet[o].p;
        if (k->outlet[o].group >= 0)
            an_face_values_set(s, k->outlet[o].boundary, set_face, &f);
    }
    for (int n = 0; n < s->nlevel; n++)
        AN_TRY(s->engine->op->faces_set(s->engine, s->level[n].faces, s->boundary));
    return k->bands ? an_face_values_upload(s) : AN_OK;
}

static int make(struct an_solver *s, void **part)
{
    struct control *k = calloc(1, sizeof *k);
    *part = k;
    int status = k ? AN_OK : an_error_set(AN_FAIL, "out of memory for outlets");
    if (status == AN_OK)
        status = list_outlets(s, k);
    if (status == AN_OK)
        status = list_faces(s, k);
    if (status == AN_OK)
        status = list_bands(s, k);
    AN_TRY(an_reduce_status(s->comm, status));
    return apply(s, k);
}

static void destroy(struct an_solver *s, void *part)
{
    struct control *k = part;
    if (k->faces)
        s->engine->op->faces_free(s->engine, k->faces);
    an_bands_destroy(s, k->bands);
    free(k->rise);
    for (int m = 0; m < 3; m++)
        free(k->mean[m]);
    free(k->outlet);
    free(k);
}

/* Radial equilibrium of an outlet, from sums over its bands. Where the flow comes back in, the
 * slope is that of the band before. */
static void balance(struct control *k, const struct outlet *o, double (*sum)[AN_NINTEGRAL])
{
    const struct an_bands *b = k->bands;
    const struct an_band_group *g = &b->group[o->group];
    double *wanted = b->n ? malloc((size_t)b->n * sizeof *wanted) : NULL, slope = 0, last = 0;
    for (int n = g->first; wanted && n < g->first + g->n; n++) {
        const double *t = sum[n], area = t[AN_I_AREA], vt = t[AN_I_CELL_W] / area;
        last = slope;
        if (t[AN_I_MASS] > 0 && b->radius[n] > 0)
            slope = t[AN_I_CELL_RHO] / area * vt * vt / b->radius[n];
        wanted[n] = n == g->first
                        ? 0
                        : wanted[n - 1] + 0.5 * (last + slope) * (b->radius[n] - b->radius[n - 1]);
    }
    const double at = o->anchor == AN_EQUILIBRIUM_HUB      ? g->hub[1]
                      : o->anchor == AN_EQUILIBRIUM_CASING ? g->casing[1]
                                                           : 0.5 * (g->hub[1] + g->casing[1]);
    const double base = wanted ? rise_at(b, g, wanted, at) : 0;
    for (int n = g->first; wanted && n < g->first + g->n; n++)
        k->rise[n] += fmin(0.1 * o->gain, 1) * (wanted[n] - base - k->rise[n]);
    free(wanted);
}

/* Means of the first cells by band. */
static void note_means(struct control *k, const struct outlet *o, double (*sum)[AN_NINTEGRAL])
{
    static const int of[3] = {AN_I_CELL_P, AN_I_CELL_U, AN_I_CELL_V};
    const struct an_band_group *g = &k->bands->group[o->group];
    for (int n = g->first; n < g->first + g->n; n++)
        for (int m = 0; m < 3; m++)
            k->mean[m][n] = sum[n][of[m]] / sum[n][AN_I_AREA];
}

static int balance_all(struct an_solver *s, struct control *k)
{
    int due = 0;
    for (int o = 0; o < k->n; o++)
        due |= k->outlet[o].group >= 0 && is_due(s, k, &k->outlet[o]);
    if (!due)
        return AN_OK;
    double(*sum)[AN_NINTEGRAL] = calloc((size_t)k->bands->n + 1, sizeof *sum);
    AN_CHECK(sum, AN_FAIL, "out of memory for outlets");
    const int status = an_bands_measure(s, k->bands, sum);
    for (int o = 0; o < k->n && status == AN_OK; o++) {
        const struct outlet *q = &k->outlet[o];
        if (q->group < 0 || !is_due(s, k, q))
            continue;
        if (q->anchor != AN_EQUILIBRIUM_NONE && s->iteration > 0 && s->iteration % q->every == 0)
            balance(k, q, sum);
        note_means(k, q, sum);
    }
    free(sum);
    return status;
}

/* rho V^2 of what expands from p0, T0 to p. */
static double dynamic(const struct an_gas *gas, double p0, double T0, double p)
{
    const double g = gas->gamma, mach2 = 2 / (g - 1) * (pow(p0 / p, (g - 1) / g) - 1);
    if (!gas->n)
        return g * p * mach2;
    const struct an_gas_flow f = an_gas_static_p(gas, p0, T0, p);
    return p / (gas->R * f.T) * f.V * f.V;
}

/* The new pressure of an outlet. t: sums over it. */
static void steer(const struct an_case *c, struct outlet *o, const double t[AN_NINTEGRAL])
{
    const double m = t[AN_I_MASS], p = t[AN_I_PA] / t[AN_I_AREA], p0 = t[AN_I_MP0] / m;
    const double q2 = fmax(dynamic(&c->gas.model, p0, t[AN_I_MT0] / m, p), 0.01 * p);
    double dp;
    o->mass = o->sectors * m;
    if (!isfinite(q2) || !isfinite(m))
        return; /* the measurement will say what is wrong */
    if (o->mass_wanted > 0) {
        const double e = o->mass / o->mass_wanted - 1;
        dp = q2 * (0.25 * (isnan(o->error) ? 0 : e - o->error) + 0.05 * e);
        o->error = e;
    } else {
        const double part = o->mass / o->mass_set;
        const double wanted = o->p_behind + (o->p_set - o->p_behind) * part * fabs(part);
        dp = 0.1 * (wanted - o->p) / (1 + 2 * fabs(wanted - o->p_behind) / q2);
    }
    const double most = 0.02 * o->p;
    o->p += fmin(fmax(o->gain * dp, -most), most);
}

static int before_step(struct an_solver *s, void *part)
{
    struct control *k = part;
    int due = 0, level = 0;
    for (int o = 0; o < k->n; o++) {
        due |= is_due(s, k, &k->outlet[o]);
        level |= is_due(s, k, &k->outlet[o]) && is_controlled(&k->outlet[o]);
    }
    if (!due)
        return AN_OK;
    AN_TRY(an_level_radii(s, s->level, NULL));
    AN_TRY(balance_all(s, k));
    double(*total)[AN_NINTEGRAL] =
        calloc((size_t)s->level->partition.topology.nboundary + 1, sizeof *total);
    AN_CHECK(total, AN_FAIL, "out of memory for outlets");
    const int status = level ? an_solver_integrate(s, k->faces, total) : AN_OK;
    for (int o = 0; o < k->n && status == AN_OK; o++)
        if (is_controlled(&k->outlet[o]) && is_due(s, k, &k->outlet[o]))
            steer(s->c, &k->outlet[o], total[k->outlet[o].boundary]);
    free(total);
    return status == AN_OK ? apply(s, k) : status;
}

double an_control_pressure(const struct an_solver *s, int boundary)
{
    const struct control *k = an_part_of(s, &an_control_part);
    for (int n = 0; n < k->n; n++)
        if (boundary < 0 || k->outlet[n].boundary == boundary)
            return k->outlet[n].p;
    return NAN;
}

int an_control_acts(const struct an_solver *s)
{
    const struct control *k = an_part_of(s, &an_control_part);
    return k && k->faces; /* lists of faces stand on all ranks, empty ones too */
}

static void control_name(const struct an_solver *s, const struct outlet *o, const char *what,
                         char name[64])
{
    snprintf(name, 64, "outlet.%s.%s", s->mesh->topology.boundary[o->boundary].name, what);
}

static int keep(const struct an_solver *s, const void *part, struct an_snapshot_meta *meta)
{
    const struct control *k = part;
    char name[64], what[24];
    for (int o = 0; o < k->n; o++) {
        const struct outlet *q = &k->outlet[o];
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
        if (!is_controlled(q))
            continue;
        control_name(s, q, "p", name);
        AN_TRY(an_snapshot_control_add(meta, name, q->p));
        control_name(s, q, "error", name);
        AN_TRY(an_snapshot_control_add(meta, name, q->error));
    }
    return AN_OK;
}

static int take(struct an_solver *s, void *part, const struct an_snapshot_meta *meta)
{
    struct control *k = part;
    char name[64], what[24];
    for (int o = 0; o < k->n; o++) {
        struct outlet *q = &k->outlet[o];
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
        if (!is_controlled(q))
            continue;
        control_name(s, q, "p", name);
        q->p = an_snapshot_control_get(meta, name, q->p);
        control_name(s, q, "error", name);
        q->error = an_snapshot_control_get(meta, name, NAN);
    }
    return apply(s, k);
}

const struct an_part_type an_control_part = {.name = "outlets",
                                             .make = make,
                                             .destroy = destroy,
                                             .take = take,
                                             .before_step = before_step,
                                             .keep = keep};

int an_control_vary(struct an_solver *s, int boundary, enum an_vary what, double value)
{
    struct control *k = an_part_of(s, &an_control_part);
    for (int n = 0; n < k->n; n++) {
        struct outlet *o = &k->outlet[n];
        const struct an_case_boundary *b =
            an_case_boundary_find(s->c, s->mesh->topology.boundary[o->boundary].name);
        if (o->boundary != boundary)
            continue;
        o->error = NAN;
        if (what == AN_VARY_MASS_FLOW)
            o->mass_wanted = value;
        else if (what == AN_VARY_THROTTLE)
            o->p_set = o->p_behind + (b->p - o->p_behind) * value;
        else
            o->p = o->p_set = value;
    }
    return apply(s, k);
}

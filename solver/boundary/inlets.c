#define _GNU_SOURCE
#include "solver/boundary/inlets.h"

#include "bc/profile.h"
#include "kernels/engine/model.h"
#include "mpi/reduce.h"
#include "solver/boundary/bands.h"
#include "solver/boundary/face_values.h"
#include "solver/level/level.h"
#include "solver/level/part.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct inlet {
    const struct an_solver *s;
    const struct an_case_boundary *b;
    struct an_profile profile;
    const struct an_band_group *group; /* NULL: the profile is by radius */
    double least, most;                /* places of this rank's faces */
    double outward;                    /* a place whose flow leaves; NaN: none */
};

/* Fraction of the span or radius of a face's centre. The centre of a plane face beside the hub may
 * lie closer to the axis than the hub's nodes, which are on the arc, so fractions are kept in [0, 1]. */
static double place_of(const struct inlet *q, const double x[3])
{
    return q->group ? fmin(fmax(an_band_fraction(q->group, x), 0), 1) : hypot(x[1], x[2]);
}

static void set_face(void *context, const struct an_face_place *at, double v[AN_BC_NVALUE])
{
    struct inlet *q = context;
    const struct an_profile *p = &q->profile;
    const double place = place_of(q, at->x);
    double value[AN_NPROFILE];
    an_profile_at(p, place, value);
    q->least = fmin(q->least, place);
    q->most = fmax(q->most, place);
    v[AN_BC_P0] = p->has[AN_PROFILE_P0] ? value[AN_PROFILE_P0] : q->b->p0;
    v[AN_BC_T0] = p->has[AN_PROFILE_T0] ? value[AN_PROFILE_T0] : q->b->T0;
    memcpy(v + AN_BC_DIRECTION, q->b->direction, sizeof q->b->direction);
    if (p->has[AN_PROFILE_SWIRL] || p->has[AN_PROFILE_PITCH])
        an_profile_direction(value[AN_PROFILE_SWIRL], value[AN_PROFILE_PITCH], at->x[1], at->x[2],
                             v + AN_BC_DIRECTION);
    if (!(v[AN_BC_DIRECTION] * at->s[0] + v[AN_BC_DIRECTION + 1] * at->s[1] +
              v[AN_BC_DIRECTION + 2] * at->s[2] <
          0))
        q->outward = place;
    v[AN_BC_TURB] = v[AN_BC_TURB + 1] = -1; /* turbulence as elsewhere */
    if (p->has[AN_PROFILE_VISCOSITY])
        v[AN_BC_TURB] = value[AN_PROFILE_VISCOSITY] *
                        an_model_viscosity(&q->s->params, v[AN_BC_T0]) * q->s->c->gas.R *
                        v[AN_BC_T0] / v[AN_BC_P0];
}

static int check_cover(const struct inlet *q)
{
    const struct an_profile *p = &q->profile;
    const double first = p->at[0], last = p->at[p->n - 1], slack = 1e-6 * (last - first);
    const char *what = q->group ? "span" : "radius_m";
    AN_CHECK(
        !(q->least < first - slack) && !(q->most > last + slack), AN_INPUT,
        "%s: the profile covers %s %.6g to %.6g, but inlet '%s' has faces from %.6g to %.6g: add "
        "lines to the profile",
        q->b->profile, what, first, last, q->b->name, q->least, q->most);
    AN_CHECK(
        isnan(q->outward), AN_INPUT,
        "%s: the flow points out of inlet '%s' at %s %.6g: look at swirl_deg and pitch_deg, or "
        "the direction of the inlet",
        q->b->profile, q->b->name, what, q->outward);
    return AN_OK;
}

/* "inlet      p0_Pa 9.8e+04 to 1.01e+05; of the case: T0_K" */
static void describe(const struct inlet *q, FILE *out)
{
    static const char *const name[AN_NPROFILE] = {"p0 (Pa)", "T0 (K)", "swirl (deg)", "pitch (deg)",
                                                  "viscosity ratio"};
    const struct an_profile *p = &q->profile;
    fprintf(out, "profile     %s: %s, %d lines by %s", q->b->name, q->b->profile, p->n,
            q->group ? "span" : "radius");
    for (int c = 0; c < AN_NPROFILE; c++) {
        double least = INFINITY, most = -INFINITY;
        for (int n = 0; n < p->n; n++) {
            least = fmin(least, p->value[n][c]);
            most = fmax(most, p->value[n][c]);
        }
        if (p->has[c])
            fprintf(out, ", %s %.6g to %.6g", name[c], least, most);
    }
    fputs("; the rest from the case\n", out);
}

static int set_inlet(struct an_solver *s, int boundary, const struct an_case_boundary *b, FILE *out)
{
    struct inlet q = {.s = s, .b = b, .least = INFINITY, .most = -INFINITY, .outward = NAN};
    struct an_bands *bands = NULL;
    int *group = NULL;
    int status = an_profile_read(b->profile, &q.profile);
    if (status == AN_OK && q.profile.has[AN_PROFILE_VISCOSITY] &&
        s->c->turbulence.model != AN_TURBULENCE_SA)
        status =
            an_error_set(AN_INPUT, "%s: viscosity_ratio needs 'turbulence.model: sa'", b->profile);
    if (status == AN_OK && !q.profile.by_radius) {
        group = malloc(((size_t)s->mesh->topology.nboundary + 1) * sizeof *group);
        status = group ? AN_OK : an_error_set(AN_FAIL, "out of memory for an inlet");
        for (int n = 0; n < s->mesh->topology.nboundary && status == AN_OK; n++)
            group[n] = n == boundary ? 0 : -1;
        if (status == AN_OK)
            status = an_bands_new(s, 1, group, &bands);
        if (status == AN_OK)
            q.group = &bands->group[0];
    }
    if (status == AN_OK) {
        an_face_values_set(s, boundary, set_face, &q);
        status = check_cover(&q);
        describe(&q, out);
    }
    an_bands_destroy(s, bands);
    an_profile_free(&q.profile);
    free(group);
    return status;
}

static int set_inlets(struct an_solver *s, void **part)
{
    const struct an_topology *t = &s->mesh->topology;
    char *text = NULL;
    size_t size = 0;
    int some = 0, status = AN_OK;
    FILE *out = open_memstream(&text, &size);
    AN_CHECK(out, AN_FAIL, "out of memory for inlets");
    for (int b = 0; b < t->nboundary && status == AN_OK; b++) {
        const struct an_case_boundary *c = an_case_boundary_find(s->c, t->boundary[b].name);
        if (!c || c->type != AN_BC_INLET_TOTAL || !*c->profile)
            continue;
        status = set_inlet(s, b, c, out);
        some = 1;
    }
    fclose(out);
    if (some && status == AN_OK) {
        *part = text;
        return an_face_values_upload(s);
    }
    free(text);
    return status;
}

static double along(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Areas of all inlets, m2: vectors, outward, and sums of sizes. sum[nboundary][4] of this rank. */
static int add_areas(struct an_solver *s, struct an_xsum (*sum)[4])
{
    struct an_face_window *window = NULL;
    int n, status = an_bc_windows(&s->level->partition.topology, s->nlocal, s->local, &n, &window);
    for (int w = 0; w < n && status == AN_OK; w++) {
        const struct an_case_boundary *b =
            an_case_boundary_find(s->c, s->mesh->topology.boundary[window[w].boundary].name);
        const int64_t faces = an_window_faces(&window[w].window);
        if (!b || (b->type != AN_BC_INLET_TOTAL && b->type != AN_BC_INLET_SUPERSONIC))
            continue;
        struct an_face_place *place = malloc(((size_t)faces + 1) * sizeof *place);
        status = place ? an_face_places(s, &window[w], place)
                       : an_error_set(AN_FAIL, "out of memory for inlets");
        for (int64_t f = 0; f < faces && status == AN_OK; f++) {
            struct an_xsum *to = sum[window[w].boundary];
            for (int d = 0; d < 3; d++)
                an_xsum_add(&to[d], place[f].s[d]);
            an_xsum_add(&to[3], sqrt(along(place[f].s, place[f].s)));
        }
        free(place);
    }
    free(window);
    return status;
}

/* Does the flow enter an inlet of area S, as its own direction has it and at the start? */
static int check_inlet(const struct an_solver *s, const char *name, const double S[3])
{
    const struct an_case *c = s->c;
    const struct an_case_boundary *b = an_case_boundary_find(c, name);
    const struct an_case_state *i = &c->initial;
    const double speed = i->mach * an_gas_sound(&c->gas.model, i->T), clearly = 0.1;
    const double area = sqrt(along(S, S)), rho = i->p / (c->gas.R * i->T);
    double V[3];
    for (int d = 0; d < 3; d++)
        V[d] = i->has_velocity ? i->velocity[d] : speed * i->direction[d];
    AN_CHECK(!b || b->type != AN_BC_INLET_TOTAL || *b->profile ||
                 along(b->direction, S) <= clearly * area,
             AN_INPUT,
             "%s:%d: inlet '%s': the direction [%g, %g, %g] points out of the mesh, whose outward "
             "normal there is [%.3g, %.3g, %.3g]",
             c->file, b->line, name, b->direction[0], b->direction[1], b->direction[2], S[0] / area,
             S[1] / area, S[2] / area);
    AN_CHECK(along(V, S) <= clearly * area * sqrt(along(V, V)), AN_INPUT,
             "%s: the flow at the start leaves through inlet '%s': its mass flow there is %.4g "
             "kg/s; turn initial.direction or initial.velocity",
             c->file, name, -rho * along(V, S));
    return AN_OK;
}

static int check_inlets(struct an_solver *s)
{
    const int nb = s->mesh->topology.nboundary;
    struct an_xsum(*sum)[4] = calloc((size_t)nb + 1, sizeof *sum);
    int status = sum ? add_areas(s, sum) : an_error_set(AN_FAIL, "out of memory for inlets");
    status = an_reduce_status(s->comm, status);
    if (status == AN_OK)
        status = an_reduce_xsum(s->comm, 4 * nb, sum[0]);
    for (int b = 0; b < nb && status == AN_OK; b++) {
        double S[3];
        for (int d = 0; d < 3; d++)
            S[d] = an_xsum_value(sum[b][d]);
        const double whole = an_xsum_value(sum[b][3]);
        if (along(S, S) > 0.01 * whole * whole) /* a closed ring that looks inwards has no normal */
            status = check_inlet(s, s->mesh->topology.boundary[b].name, S);
    }
    free(sum);
    return status;
}

/* The part's data are the lines that describe the profiles. */
static int make(struct an_solver *s, void **part)
{
    AN_TRY(check_inlets(s));
    return set_inlets(s, part);
}

static void destroy(struct an_solver *s, void *part)
{
    (void)s;
    free(part);
}

static void print(const struct an_solver *s, const void *part, FILE *out)
{
    (void)s;
    fputs(part, out);
}

const struct an_part_type an_inlets_part = {
    .name = "inlets", .make = make, .destroy = destroy, .print = print};

#define _GNU_SOURCE
#include "solver/inlets.h"

#include "bc/profile.h"
#include "mpi/reduce.h"
#include "solver/bands.h"
#include "solver/face_values.h"

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

/* kg/m/s, of the gas at T. */
static double viscosity(const struct an_params *p, double T)
{
    const double part = T / p->mu_T;
    if (p->viscosity == AN_VISCOSITY_SUTHERLAND)
        return p->mu_ref * pow(part, 1.5) * (p->mu_T + p->mu_S) / (T + p->mu_S);
    return p->viscosity == AN_VISCOSITY_POWER_LAW ? p->mu_ref * pow(part, p->mu_exponent)
                                                  : p->mu_ref;
}

static void set_face(void *context, const struct an_face_place *at, double v[AN_BC_NVALUE])
{
    struct inlet *q = context;
    const struct an_profile *p = &q->profile;
    const double place = q->group ? an_band_fraction(q->group, at->x) : hypot(at->x[1], at->x[2]);
    double value[AN_NPROFILE];
    an_profile_at(p, place, value);
    q->least = fmin(q->least, place);
    q->most = fmax(q->most, place);
    v[0] = p->has[AN_PROFILE_P0] ? value[AN_PROFILE_P0] : q->b->p0;
    v[1] = p->has[AN_PROFILE_T0] ? value[AN_PROFILE_T0] : q->b->T0;
    memcpy(v + 2, q->b->direction, sizeof q->b->direction);
    if (p->has[AN_PROFILE_SWIRL] || p->has[AN_PROFILE_PITCH])
        an_profile_direction(value[AN_PROFILE_SWIRL], value[AN_PROFILE_PITCH], at->x[1], at->x[2],
                             v + 2);
    if (!(v[2] * at->s[0] + v[3] * at->s[1] + v[4] * at->s[2] < 0))
        q->outward = place;
    v[5] = v[6] = -1; /* turbulence as elsewhere */
    if (p->has[AN_PROFILE_VISCOSITY])
        v[5] = value[AN_PROFILE_VISCOSITY] * viscosity(&q->s->params, v[1]) * q->s->c->gas.R *
               v[1] / v[0];
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

static int set_inlets(struct an_solver *s)
{
    const struct an_topology *t = &s->mesh->topology;
    size_t size = 0;
    int some = 0, status = AN_OK;
    FILE *out = open_memstream(&s->inlets, &size);
    AN_CHECK(out, AN_FAIL, "out of memory for inlets");
    for (int b = 0; b < t->nboundary && status == AN_OK; b++) {
        const struct an_case_boundary *c = an_case_boundary_find(s->c, t->boundary[b].name);
        if (s->boundary[b].type != AN_BC_INLET_TOTAL || !c || !*c->profile)
            continue;
        status = set_inlet(s, b, c, out);
        some = 1;
    }
    fclose(out);
    if (some && status == AN_OK)
        return an_face_values_upload(s);
    free(s->inlets);
    s->inlets = NULL;
    return status;
}

int an_inlets_new(struct an_solver *s)
{
    return an_reduce_status(s->comm, set_inlets(s));
}

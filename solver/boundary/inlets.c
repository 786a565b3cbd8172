#define _GNU_SOURCE
#include "solver/boundary/inlets.h"

#include "bc/profile.h"
#include "kernels/engine/model.h"
#include "kernels/physics/gas_state.h"
#include "mpi/reduce.h"
#include "solver/boundary/bands.h"
#include "solver/boundary/face_values.h"
#include "solver/boundary/inlet_waves.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/level/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double degree = 3.14159265358979323846 / 180;

struct inlet {
    const struct an_solver *s;
    const struct an_case_boundary *b;
    int boundary;
    double R;                  /* J/kg/K: of the gas that enters */
    struct an_profile profile; /* n 0: there is none */
    struct an_bands *bands;    /* NULL: the profile is by radius; owned */
    int moves;                 /* 1: its values depend on time */
    double rate;               /* rad/s: of the inlet's row past what varies around the axis */
    double turned;             /* degrees by which it has turned past that */
    double least, most;        /* places of this rank's faces */
    double outward;            /* a place whose flow leaves; NaN: none */
};

/* The inlets with values that vary from face to face. */
struct inlets {
    int n;
    struct inlet *inlet; /* [n]; owned */
    char *text;          /* lines that describe the profiles; owned */
    double time;         /* s: that the values are of */
    double *angle; /* [nboundary] degrees between direction and normal, NaN: not known; owned */
};

/* Fraction of the span or radius of a face's centre. The centre of a plane face beside the hub may
 * lie closer to the axis than the hub's nodes, which are on the arc, so fractions are kept in [0, 1]. */
static double place_of(const struct inlet *q, const double x[3])
{
    return q->bands ? fmin(fmax(an_band_fraction(&q->bands->group[0], x), 0), 1)
                    : hypot(x[1], x[2]);
}

/* The direction of the case at a point. */
static void own_direction(const struct an_case_boundary *b, const double x[3], double d[3])
{
    memcpy(d, b->direction, sizeof b->direction);
    const double r = hypot(x[1], x[2]);
    if (b->axes != AN_AXES_CYLINDRICAL || !(r > 0))
        return;
    d[1] = (b->direction[1] * x[1] - b->direction[2] * x[2]) / r;
    d[2] = (b->direction[1] * x[2] + b->direction[2] * x[1]) / r;
}

int an_inlet_enters(const double direction[3], const double s[3])
{
    double flux = 0, area = 0;
    for (int d = 0; d < 3; d++) {
        flux += direction[d] * s[d];
        area += s[d] * s[d];
    }
    return flux < 0 || area == 0;
}

/* Sets v to the total conditions at the point x, made from `value`, the values of the profile there. */
static void put_total(const struct inlet *q, const double x[3], const double value[AN_NPROFILE],
                      double v[AN_BC_NVALUE])
{
    const struct an_profile *p = &q->profile;
    v[AN_BC_P0] = p->has[AN_PROFILE_P0] ? value[AN_PROFILE_P0] : q->b->p0;
    v[AN_BC_T0] = p->has[AN_PROFILE_T0] ? value[AN_PROFILE_T0] : q->b->T0;
    own_direction(q->b, x, v + AN_BC_DIRECTION);
    if (p->has[AN_PROFILE_SWIRL] || p->has[AN_PROFILE_PITCH])
        an_profile_direction(value[AN_PROFILE_SWIRL], value[AN_PROFILE_PITCH], x[1], x[2],
                             v + AN_BC_DIRECTION);
}

/* Sets v to the total conditions at a face, made from the values of the profile averaged around the axis. */
static void mean_face(void *context, const struct an_face_place *at, double v[AN_BC_NVALUE])
{
    const struct inlet *q = context;
    double value[AN_NPROFILE];
    an_profile_mean_at(&q->profile, place_of(q, at->x), value);
    put_total(q, at->x, value, v);
}

static void set_face(void *context, const struct an_face_place *at, double v[AN_BC_NVALUE])
{
    struct inlet *q = context;
    const struct an_profile *p = &q->profile;
    const double place = place_of(q, at->x);
    double value[AN_NPROFILE];
    if (p->n)
        an_profile_at(p, place, atan2(at->x[2], at->x[1]) / degree + q->turned, value);
    q->least = fmin(q->least, place);
    q->most = fmax(q->most, place);
    put_total(q, at->x, value, v);
    if (!an_inlet_enters(v + AN_BC_DIRECTION, at->s))
        q->outward = place;
    v[AN_BC_TURB] = v[AN_BC_TURB + 1] = -1; /* turbulence as elsewhere */
    if (p->has[AN_PROFILE_VISCOSITY] && q->s->c->gas.model.table)
        v[AN_BC_TURB] = value[AN_PROFILE_VISCOSITY] *
                        an_model_viscosity_at(&q->s->params, v[AN_BC_P0], v[AN_BC_T0]) /
                        an_state_density(&q->s->c->gas.model, v[AN_BC_P0], v[AN_BC_T0]);
    else if (p->has[AN_PROFILE_VISCOSITY])
        v[AN_BC_TURB] = value[AN_PROFILE_VISCOSITY] *
                        an_model_viscosity(&q->s->params, v[AN_BC_T0]) * q->R * v[AN_BC_T0] /
                        v[AN_BC_P0];
    if (p->has[AN_PROFILE_K]) {
        v[AN_BC_TURB] = value[AN_PROFILE_K];
        v[AN_BC_TURB + 1] = value[AN_PROFILE_OMEGA];
    }
}

static int check_cover(const struct inlet *q)
{
    const struct an_profile *p = &q->profile;
    AN_CHECK(p->n || isnan(q->outward), AN_INPUT,
             "%s: inlet '%s': the direction [%g, %g, %g] (x, r, theta) points out of the mesh at "
             "radius %.6g m",
             an_case_at(q->s->c, q->b->line), q->b->name, q->b->direction[0], q->b->direction[1],
             q->b->direction[2], q->outward);
    if (!p->n)
        return AN_OK;
    const double first = p->at[0], last = p->at[p->n - 1], slack = 1e-6 * (last - first);
    const char *what = q->bands ? "span" : "radius in m";
    const double mean =
        (first + last) / (q->least + q->most); /* of radii: are they in another unit? */
    AN_CHECK(
        !(q->least < first - slack) && !(q->most > last + slack), AN_INPUT,
        "%s: the profile covers %s %.6g to %.6g, but inlet '%s' has faces from %.6g to %.6g: %s",
        q->b->profile, what, first, last, q->b->name, q->least, q->most,
        !q->bands && mean > 500 && mean < 2000
            ? "name the column radius_mm if its numbers are millimetres"
        : !q->bands && mean > 20 && mean < 200
            ? "name the column radius_cm or radius_in if its numbers are centimetres or inches"
            : "add lines to the profile");
    AN_CHECK(
        isnan(q->outward), AN_INPUT,
        "%s: the flow points out of inlet '%s' at %s %.6g: look at swirl_deg and pitch_deg, or "
        "the direction of the inlet",
        q->b->profile, q->b->name, what, q->outward);
    return AN_OK;
}

/* "profile    inlet: wake.csv, 5 places by span, p0 (Pa) 9.8e+04 to 1.01e+05; the rest ..." */
static void describe(const struct inlet *q, FILE *out)
{
    static const char *const name[AN_NPROFILE] = {"p0 (Pa)",     "T0 (K)",          "swirl (deg)",
                                                  "pitch (deg)", "viscosity ratio", "k (J/kg)",
                                                  "omega (1/s)"};
    const struct an_profile *p = &q->profile;
    if (!p->n)
        return;
    fprintf(out, "profile     %s: %s, %d lines by %s", q->b->name, q->b->profile, p->n,
            q->bands ? "span" : "radius");
    for (int c = 0; c < AN_NPROFILE; c++) {
        double least = INFINITY, most = -INFINITY;
        for (int n = 0; n < p->n * p->ntheta * p->ntime; n++) {
            least = fmin(least, p->value[n][c]);
            most = fmax(most, p->value[n][c]);
        }
        if (p->has[c])
            fprintf(out, ", %s %.6g to %.6g", name[c], least, most);
    }
    fputs("; the rest from the case\n", out);
    if (p->ntheta > 1)
        fprintf(out, "profile     %s: a pattern of %.6g degrees that turns at %.6g rad/s\n",
                q->b->name, an_profile_pattern(p), q->b->profile_omega);
    if (p->ntime > 1)
        fprintf(out, "profile     %s: times from %.6g to %.6g s, %s\n", q->b->name, p->time[0],
                p->time[p->ntime - 1],
                p->period > 0 ? "which repeat" : "constant before and after them");
}

/* Do the columns suit the turbulence model? */
static int check_model(const struct inlet *q)
{
    const int model = (int)q->s->c->turbulence.model, *has = q->profile.has;
    AN_CHECK(!has[AN_PROFILE_VISCOSITY] || model == AN_TURBULENCE_SA, AN_INPUT,
             "%s: viscosity_ratio needs 'turbulence.model: sa'", q->b->profile);
    AN_CHECK(!has[AN_PROFILE_K] || model == AN_TURBULENCE_SST, AN_INPUT,
             "%s: k_J_kg and omega_1_s need 'turbulence.model: sst'", q->b->profile);
    return AN_OK;
}

/* Values of the lines that the case refuses as values of keys: states that the gas does not have, and what
 * the model of transition cannot take. */
static int check_lines(const struct inlet *q)
{
    const struct an_case *c = q->s->c;
    const struct an_profile *p = &q->profile;
    const int64_t lines = (int64_t)p->n * p->ntheta * p->ntime;
    char of[AN_PATH + 64];
    for (int64_t n = 0; n < lines; n++) {
        const double *v = p->value[n];
        snprintf(of, sizeof of, "%s:%d: p0_Pa and T0_K", q->b->profile, p->line[n]);
        AN_TRY(an_case_gas_holds(c, of, p->has[AN_PROFILE_P0] ? v[AN_PROFILE_P0] : q->b->p0,
                                 p->has[AN_PROFILE_T0] ? v[AN_PROFILE_T0] : q->b->T0));
        AN_CHECK(!p->has[AN_PROFILE_VISCOSITY] || !an_case_has_bcm(c) ||
                     v[AN_PROFILE_VISCOSITY] <= AN_BCM_RATIO,
                 AN_INPUT,
                 "%s:%d: viscosity_ratio is %.10g, but must be <= %g with 'turbulence.transition: "
                 "bcm': more would make all boundary layers turbulent",
                 q->b->profile, p->line[n], v[AN_PROFILE_VISCOSITY], AN_BCM_RATIO);
    }
    return AN_OK;
}

/* A pattern has to fit between the periodic sides of the mesh. */
static int check_sector(const struct inlet *q)
{
    const struct an_topology *t = &q->s->mesh->topology;
    const double pattern = an_profile_pattern(&q->profile);
    double *sectors = malloc(((size_t)t->nblock + 1) * sizeof *sectors), sector = 360;
    AN_CHECK(sectors, AN_FAIL, "out of memory for an inlet");
    int status = an_solver_sectors(q->s->c, t, sectors);
    for (int n = 0; n < t->npatch && status == AN_OK; n++)
        if (t->patch[n].boundary == q->boundary)
            sector = 360 / sectors[t->patch[n].window.block];
    free(sectors);
    AN_TRY(status);
    for (int f = 0; f < t->ninterface; f++)
        AN_CHECK(t->interface[f].periodic != 1, AN_INPUT,
                 "%s: theta_deg is an angle about the x axis, but the mesh repeats by a "
                 "translation ('%s')",
                 q->b->profile, t->interface[f].name);
    const double times = sector / pattern;
    AN_CHECK(times > 1 - 1e-6, AN_INPUT,
             "%s: the pattern of theta_deg repeats after %.6g degrees, but the mesh of inlet '%s' "
             "after %.6g: mesh more passages (passage_copy), or give a pattern of %.6g degrees or "
             "a whole part of them",
             q->b->profile, pattern, q->b->name, sector, sector);
    AN_CHECK(fabs(times - round(times)) < 1e-6 * times, AN_INPUT,
             "%s: the pattern of theta_deg repeats after %.6g degrees and the mesh of inlet '%s' "
             "after %.6g, which is %.6g times as much: it has to be a whole number of times",
             q->b->profile, pattern, q->b->name, sector, times);
    return AN_OK;
}

/* What varies in time, and around the axis. */
static int check_motion(struct inlet *q)
{
    const struct an_profile *p = &q->profile;
    const struct an_case_boundary *b = q->b;
    const int unsteady = q->s->c->march.mode == AN_MARCH_UNSTEADY;
    const double row = an_boundary_omega(q->s, q->boundary);
    AN_CHECK(unsteady || p->ntime == 1, AN_INPUT,
             "%s: the column time_s needs 'march.mode: unsteady'", b->profile);
    AN_CHECK(p->ntheta > 1 || b->profile_omega == 0, AN_INPUT,
             "%s: 'boundaries.%s.profile_omega' needs a profile with theta_deg",
             an_case_at(q->s->c, b->line), b->name);
    if (p->ntheta > 1) {
        AN_TRY(check_sector(q));
        q->rate = row - b->profile_omega;
        AN_CHECK(unsteady || q->rate == 0, AN_INPUT,
                 "%s: inlet '%s' belongs to a row that turns at %.9g rad/s, and its profile, "
                 "which varies around the axis, turns at %.9g rad/s: a steady run needs the same "
                 "speed ('profile_omega: %.9g'), or use 'march.mode: unsteady'",
                 an_case_at(q->s->c, b->line), b->name, row, b->profile_omega, row);
    }
    q->moves = p->ntime > 1 || q->rate != 0;
    return AN_OK;
}

/* The fractions of span of one boundary. */
static int find_span(struct an_solver *s, struct inlet *q)
{
    const int nb = s->mesh->topology.nboundary;
    int *group = malloc(((size_t)nb + 1) * sizeof *group);
    AN_CHECK(group, AN_FAIL, "out of memory for an inlet");
    for (int n = 0; n < nb; n++)
        group[n] = n == q->boundary ? 0 : -1;
    const int status = an_bands_new(s, 1, group, &q->bands);
    free(group);
    return status;
}

/* Sets the values of the faces of an inlet as they are at a time. */
static void set_inlet(struct an_solver *s, struct inlet *q, double time)
{
    q->turned = fmod(q->rate * time, 8 * atan(1.0)) / degree;
    if (q->profile.ntime > 1)
        an_profile_set_time(&q->profile, time);
    an_face_values_set(s, q->boundary, set_face, q);
}

static int make_inlet(struct an_solver *s, struct inlet *q, FILE *out)
{
    const struct an_case_boundary *b = q->b;
    const struct an_profile *p = &q->profile;
    if (*b->profile)
        AN_TRY(an_profile_read(b->profile, b->profile_period, b->profile_station, &q->profile));
    AN_CHECK(*b->profile ||
                 (b->profile_omega == 0 && b->profile_period == 0 && b->profile_station == 0),
             AN_INPUT,
             "%s: 'boundaries.%s': profile_omega, profile_period and profile_station need a "
             "profile",
             an_case_at(s->c, b->line), b->name);
    AN_TRY(check_model(q));
    AN_TRY(check_lines(q));
    if (p->n && !p->by_radius)
        AN_TRY(find_span(s, q));
    if (p->n)
        AN_TRY(check_motion(q));
    for (int t = 0; t == 0 || t < p->ntime; t++) /* the flow has to enter at all times */
        set_inlet(s, q, p->ntime > 1 ? p->time[t] : 0);
    AN_TRY(check_cover(q));
    describe(q, out);
    return AN_OK;
}

static int make_inlets(struct an_solver *s, struct inlets *k)
{
    const struct an_topology *t = &s->mesh->topology;
    size_t size = 0;
    int status = AN_OK;
    FILE *out = open_memstream(&k->text, &size);
    k->inlet = calloc((size_t)t->nboundary + 1, sizeof *k->inlet);
    if (!out || !k->inlet)
        status = an_error_set(AN_FAIL, "out of memory for inlets");
    for (int b = 0; b < t->nboundary && status == AN_OK; b++) {
        const struct an_case_boundary *c = an_case_boundary_find(s->c, t->boundary[b].name);
        if (!c || c->type != AN_BC_INLET_TOTAL)
            continue;
        struct inlet *q = &k->inlet[k->n++];
        *q = (struct inlet){.s = s,
                            .b = c,
                            .boundary = b,
                            .R = an_case_gas_of(s->c, c).R,
                            .least = INFINITY,
                            .most = -INFINITY,
                            .outward = NAN};
        if (an_inlet_varies(c) || c->profile_omega != 0 || c->profile_period > 0 ||
            c->profile_station)
            status = make_inlet(s, q, out);
        else
            k->n--;
    }
    if (out)
        fclose(out);
    return status == AN_OK && k->n ? an_face_values_upload(s) : status;
}

static double along(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Areas of all inlets, m2: vectors, outward, and sums of sizes. sum[nboundary][4] of this rank. */
static int add_areas(struct an_solver *s, struct an_xsum (*sum)[4])
{
    struct an_face_window *window = NULL;
    int n, status = an_bc_windows(&s->level->partition.topology, s->boundary, s->nlocal, s->local,
                                  &n, &window);
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
static int check_inlet(const struct an_solver *s, const char *name, const double S[3],
                       double *angle)
{
    const struct an_case *c = s->c;
    const struct an_case_boundary *b = an_case_boundary_find(c, name);
    const struct an_case_state *i = &c->initial;
    const double speed = i->mach * an_state_sound(&c->gas.model, i->p, i->T), clearly = 0.1;
    const double area = sqrt(along(S, S)), rho = an_state_density(&c->gas.model, i->p, i->T);
    double V[3];
    for (int d = 0; d < 3; d++)
        V[d] = i->has_velocity ? i->velocity[d] : speed * i->direction[d];
    AN_CHECK(!b || b->type != AN_BC_INLET_TOTAL || an_inlet_varies(b) ||
                 along(b->direction, S) <= clearly * area,
             AN_INPUT,
             "%s: inlet '%s': the direction [%g, %g, %g] points out of the mesh, whose outward "
             "normal there is [%.3g, %.3g, %.3g]",
             an_case_at(c, b->line), name, b->direction[0], b->direction[1], b->direction[2],
             S[0] / area, S[1] / area, S[2] / area);
    if (b && b->type == AN_BC_INLET_TOTAL && !an_inlet_varies(b))
        *angle = acos(fmax(-1, fmin(-along(b->direction, S) / area, 1))) / degree;
    AN_CHECK(along(V, S) <= clearly * area * sqrt(along(V, V)), AN_INPUT,
             "%s: the flow at the start leaves through inlet '%s': its mass flow there is %.4g "
             "kg/s; turn initial.direction or initial.velocity",
             c->file, name, -rho * along(V, S));
    return AN_OK;
}

static int check_inlets(struct an_solver *s, double *angle)
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
            status = check_inlet(s, s->mesh->topology.boundary[b].name, S, &angle[b]);
    }
    free(sum);
    return status;
}

static void inlets_destroy(struct an_solver *s, void *component)
{
    struct inlets *k = component;
    for (int n = 0; n < k->n; n++) {
        an_bands_destroy(s, k->inlet[n].bands);
        an_profile_free(&k->inlet[n].profile);
    }
    free(k->inlet);
    free(k->angle);
    free(k->text);
    free(k);
}

static int inlets_make(struct an_solver *s, void **component)
{
    const int nb = s->mesh->topology.nboundary;
    struct inlets *k = calloc(1, sizeof *k);
    *component = k;
    AN_CHECK(k, AN_FAIL, "out of memory for inlets");
    k->angle = malloc(((size_t)nb + 1) * sizeof *k->angle);
    AN_TRY(an_reduce_status(s->comm,
                            k->angle ? AN_OK : an_error_set(AN_FAIL, "out of memory for inlets")));
    for (int b = 0; b < nb; b++)
        k->angle[b] = NAN;
    AN_TRY(check_inlets(s, k->angle));
    return make_inlets(s, k);
}

static int moves(const struct inlets *k)
{
    int some = 0;
    for (int n = 0; n < k->n; n++)
        some |= k->inlet[n].moves;
    return some;
}

/* Sets the values of inlets that depend on time. all: 1 also sets those of patterns that stand still. */
static int set_time(struct an_solver *s, struct inlets *k, double time, int all)
{
    k->time = time;
    if (k->n == 0)
        return AN_OK;
    for (int n = 0; n < k->n; n++) {
        struct inlet *q = &k->inlet[n];
        const int pattern = q->profile.ntheta > 1;
        if (!q->moves && !(all && pattern))
            continue;
        set_inlet(s, q, time);
        an_inlet_waves_renew(s, q->boundary, pattern ? mean_face : NULL, q);
    }
    return an_face_values_upload(s);
}

const struct an_profile *an_inlets_profile(const struct an_solver *s,
                                           const struct an_case_boundary *b)
{
    const struct inlets *k = an_component_of(s, &an_inlets_component);
    for (int n = 0; k && n < k->n; n++)
        if (k->inlet[n].b == b && k->inlet[n].profile.n)
            return &k->inlet[n].profile;
    return NULL;
}

double an_inlets_angle(const struct an_solver *s, const struct an_case_boundary *b)
{
    const struct an_topology *t = &s->mesh->topology;
    const struct inlets *k = an_component_of(s, &an_inlets_component);
    double most = NAN;
    for (int n = 0; k && n < t->nboundary; n++)
        if (an_case_boundary_find(s->c, t->boundary[n].name) == b)
            most = fmax(most, k->angle[n]);
    return most;
}

int an_inlets_count(const struct an_solver *s, const struct an_case_boundary *b)
{
    const struct an_profile *p = an_inlets_profile(s, b);
    return p ? p->n * p->ntheta * p->ntime : 1;
}

struct an_inlet_total an_inlets_total(const struct an_solver *s, const struct an_case_boundary *b,
                                      int n)
{
    const struct an_profile *p = an_inlets_profile(s, b);
    struct an_inlet_total total = {b->p0, b->T0, 0};
    if (p && p->has[AN_PROFILE_P0]) {
        total.p0 = p->value[n][AN_PROFILE_P0];
        total.line = p->line[n];
    }
    if (p && p->has[AN_PROFILE_T0])
        total.T0 = p->value[n][AN_PROFILE_T0];
    return total;
}

struct an_inlet_total an_inlets_highest(const struct an_solver *s, const struct an_case_boundary *b)
{
    struct an_inlet_total highest = an_inlets_total(s, b, 0);
    const int count = an_inlets_count(s, b);
    for (int n = 1; n < count; n++) {
        const struct an_inlet_total total = an_inlets_total(s, b, n);
        if (total.p0 > highest.p0)
            highest = total;
    }
    return highest;
}

const char *an_inlets_place(const struct an_case_boundary *b, enum an_profile_column column,
                            const char *key, int line, char *text, size_t size)
{
    if (line)
        snprintf(text, size, "%.180s:%d: %s", b->profile, line, an_profile_column_name(column));
    else
        snprintf(text, size, "boundaries.%.50s.%s", b->name, key);
    return text;
}

int an_inlets_set_time(struct an_solver *s, double time)
{
    struct inlets *k = an_component_of(s, &an_inlets_component);
    return k && moves(k) ? set_time(s, k, time, 0) : AN_OK;
}

/* A run goes on with the values that it had, which belong to the middle of an explicit step. */
static int inlets_expect(struct an_solver *s, void *component, const struct an_snapshot_meta *meta)
{
    (void)s;
    ((struct inlets *)component)->time = an_snapshot_control_get(meta, "inlets.time", meta->time);
    return AN_OK;
}

static int inlets_start(struct an_solver *s, void *component, int fresh)
{
    struct inlets *k = component;
    return set_time(s, k, fresh ? s->time : k->time, 1);
}

static int inlets_keep(const struct an_solver *s, const void *component,
                       struct an_snapshot_meta *meta)
{
    (void)s;
    const struct inlets *k = component;
    return moves(k) ? an_snapshot_control_add(meta, "inlets.time", k->time) : AN_OK;
}

static void inlets_print(const struct an_solver *s, const void *component, FILE *out)
{
    (void)s;
    fputs(((const struct inlets *)component)->text, out);
}

const struct an_component_type an_inlets_component = {.name = "inlets",
                                                      .after = AN_AFTER("face values"),
                                                      .make = inlets_make,
                                                      .destroy = inlets_destroy,
                                                      .expect = inlets_expect,
                                                      .start = inlets_start,
                                                      .keep = inlets_keep,
                                                      .print = inlets_print};

#define _GNU_SOURCE
#include "solver/boundary/wall_heat.h"

#include "kernels/base/numbers.h"
#include "kernels/physics/gas_real.h"
#include "mpi/reduce.h"
#include "solver/boundary/face_values.h"
#include "solver/level/component.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A wall with a profile. */
struct wall {
    const struct an_case_boundary *b;
    const struct an_bc_value *value; /* of the boundary: what the faces have in common */
    int boundary;
    struct an_wall_profile profile; /* owned */
    struct an_xsum area[2];         /* m2: all faces, and those beyond the ends of the profile */
    double outside;                 /* part of the area */
};

struct wall_heat {
    int n;
    struct wall *wall; /* [n]; owned */
    char *text;        /* lines that describe the profiles; owned */
};

static void set_face(void *context, const struct an_face_place *at, double v[AN_BC_NVALUE])
{
    struct wall *w = context;
    const struct an_wall_profile *p = &w->profile;
    const double area = an_length(at->s);
    int outside;
    memcpy(v, w->value->v, sizeof w->value->v);
    v[AN_BC_HEAT_KIND] = p->heat_flux ? AN_WALL_HEAT_FLUX : AN_WALL_ISOTHERMAL;
    v[AN_BC_HEAT] =
        an_wall_profile_at(p, AN_SIDE_SUCTION, at->x[0], hypot(at->x[1], at->x[2]), &outside);
    an_xsum_add(&w->area[0], area);
    if (outside)
        an_xsum_add(&w->area[1], area);
}

/* Values of the lines that the case refuses as values of keys. */
static int check_lines(const struct an_solver *s, const struct wall *w)
{
    const struct an_wall_profile *p = &w->profile;
    const struct an_gas_table *t = s->c->gas.model.table;
    AN_CHECK(!p->heat_flux || !(w->b->wall.roughness > 0) ||
                 s->c->turbulence.model != AN_TURBULENCE_SA,
             AN_INPUT,
             "%s: heat_flux_W_m2 and 'boundaries.%s.roughness' do not go together with "
             "'turbulence.model: sa': give T_K, or take sst",
             w->b->profile, w->b->name);
    for (int side = 0; side < AN_NSIDE && t && !p->heat_flux; side++) {
        const struct an_wall_table *of = &p->side[side];
        for (int n = 0; n < of->n[0] * of->n[1]; n++)
            AN_CHECK(of->value[n] >= t->T_range[0] && of->value[n] <= t->T_range[1], AN_INPUT,
                     "%s:%d: T_K is %.6g K, but 'gas.table' reaches from %.6g to %.6g K",
                     w->b->profile, of->line[n], of->value[n], t->T_range[0], t->T_range[1]);
    }
    return AN_OK;
}

/* "wall        vane: wall.csv, 75 lines by arc and side, T (K) 512 to 612; 12 % of the area is outside ..." */
static void describe(const struct wall *w, FILE *out)
{
    static const char *const along[] = {"", "x", "axial chord", "arc"};
    static const char *const across[] = {"", "span", "radius"};
    const struct an_wall_profile *p = &w->profile;
    double least = INFINITY, most = -INFINITY;
    int lines = 0;
    for (int side = 0; side < AN_NSIDE; side++)
        for (int n = 0; n < p->side[side].n[0] * p->side[side].n[1]; n++, lines++) {
            least = fmin(least, p->side[side].value[n]);
            most = fmax(most, p->side[side].value[n]);
        }
    fprintf(out, "profile     %s: %s, %d lines by %s%s%s%s, %s %.6g to %.6g", w->b->name,
            w->b->profile, lines, along[p->along], p->along && p->across ? " and " : "",
            across[p->across], p->sided ? " of each side" : "",
            p->heat_flux ? "heat flux into the gas (W/m2)" : "T (K)", least, most);
    if (w->outside > 0)
        fprintf(out, "; %.3g %% of the wall is outside, where the values of the ends hold",
                100 * w->outside);
    fputc('\n', out);
}

static int make_wall(struct an_solver *s, struct wall *w, FILE *out)
{
    AN_TRY(an_wall_profile_read(w->b->profile, &w->profile));
    AN_TRY(check_lines(s, w));
    AN_CHECK(w->profile.along != AN_ALONG_CHORD && w->profile.along != AN_ALONG_ARC &&
                 w->profile.across != AN_ACROSS_SPAN && !w->profile.sided,
             AN_INPUT, "%s: the columns axial_chord, arc, side and span are not available yet",
             w->b->profile);
    an_face_values_set(s, w->boundary, set_face, w);
    AN_TRY(an_reduce_xsum(s->comm, 2, w->area));
    w->outside = an_xsum_value(w->area[1]) / an_xsum_value(w->area[0]);
    describe(w, out);
    return AN_OK;
}

static int wall_heat_make(struct an_solver *s, void **component)
{
    const struct an_topology *t = &s->mesh->topology;
    size_t size = 0;
    int some = 0;
    for (int b = 0; b < t->nboundary; b++)
        some |= s->boundary[b].varies && s->boundary[b].type == AN_BC_WALL_VISCOUS;
    if (!some)
        return AN_OK;
    struct wall_heat *k = calloc(1, sizeof *k);
    *component = k;
    AN_CHECK(k, AN_FAIL, "out of memory for profiles of walls");
    FILE *out = open_memstream(&k->text, &size);
    k->wall = calloc((size_t)t->nboundary, sizeof *k->wall);
    int status =
        out && k->wall ? AN_OK : an_error_set(AN_FAIL, "out of memory for profiles of walls");
    status = an_reduce_status(s->comm, status);
    for (int b = 0; b < t->nboundary && status == AN_OK; b++) {
        if (!s->boundary[b].varies || s->boundary[b].type != AN_BC_WALL_VISCOUS)
            continue;
        struct wall *w = &k->wall[k->n++];
        *w = (struct wall){.b = an_case_boundary_find(s->c, t->boundary[b].name),
                           .value = &s->boundary[b],
                           .boundary = b};
        status = make_wall(s, w, out);
    }
    if (out)
        fclose(out);
    return status == AN_OK ? an_face_values_upload(s) : status;
}

static void wall_heat_destroy(struct an_solver *s, void *component)
{
    (void)s;
    struct wall_heat *k = component;
    for (int n = 0; n < k->n; n++)
        an_wall_profile_free(&k->wall[n].profile);
    free(k->wall);
    free(k->text);
    free(k);
}

static void wall_heat_print(const struct an_solver *s, const void *component, FILE *out)
{
    (void)s;
    fputs(((const struct wall_heat *)component)->text, out);
}

const struct an_component_type an_wall_heat_component = {.name = "wall heat",
                                                         .after = AN_AFTER("face values"),
                                                         .make = wall_heat_make,
                                                         .destroy = wall_heat_destroy,
                                                         .print = wall_heat_print};

const struct an_wall_profile *an_wall_heat_profile(const struct an_solver *s,
                                                   const struct an_case_boundary *b)
{
    const struct wall_heat *k = an_component_of(s, &an_wall_heat_component);
    for (int n = 0; k && n < k->n; n++)
        if (k->wall[n].b == b)
            return &k->wall[n].profile;
    return NULL;
}

double an_wall_heat_outside(const struct an_solver *s, const struct an_case_boundary *b)
{
    const struct wall_heat *k = an_component_of(s, &an_wall_heat_component);
    double most = 0;
    for (int n = 0; k && n < k->n; n++)
        if (k->wall[n].b == b)
            most = fmax(most, k->wall[n].outside);
    return most;
}

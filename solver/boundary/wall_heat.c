#define _GNU_SOURCE
#include "solver/boundary/wall_heat.h"

#include "kernels/base/numbers.h"
#include "kernels/physics/gas_real.h"
#include "mpi/reduce.h"
#include "solver/boundary/face_values.h"
#include "solver/boundary/wall_sections.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/level/patch_nodes.h"
#include "solver/level/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A wall with a profile. */
struct wall {
    const struct an_case_boundary *b;
    const struct an_bc_value *value; /* of the boundary: what the faces have in common */
    int boundary;
    struct an_wall_profile profile;    /* owned */
    struct an_wall_sections *sections; /* NULL: the places are x and radii; owned */
    struct an_xsum area[2];            /* m2: all faces, and those beyond the ends of the profile */
    double outside;                    /* part of the area */
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
    const double area = an_length(at->s), radius = hypot(at->x[1], at->x[2]);
    struct an_wall_spot spot = {.side = AN_SIDE_SUCTION};
    int outside;
    if (w->sections)
        spot = an_wall_sections_at(w->sections, at->x);
    const double along[] = {[AN_ALONG_NOTHING] = 0,
                            [AN_ALONG_X] = at->x[0],
                            [AN_ALONG_CHORD] = spot.chord,
                            [AN_ALONG_ARC] = spot.arc,
                            [AN_ALONG_LENGTH] = spot.length};
    const double across[] = {
        [AN_ACROSS_NOTHING] = 0, [AN_ACROSS_SPAN] = spot.span, [AN_ACROSS_RADIUS] = radius};
    memcpy(v, w->value->v, sizeof w->value->v);
    v[AN_BC_HEAT_KIND] = p->heat_flux ? AN_WALL_HEAT_FLUX : AN_WALL_ISOTHERMAL;
    v[AN_BC_HEAT] = an_wall_profile_at(p, spot.side, along[p->along], across[p->across], &outside);
    an_xsum_add(&w->area[0], area);
    if (outside)
        an_xsum_add(&w->area[1], area);
}

/* ---- sections of the wall ---- */

/* Adds the nodes of the patches of a boundary to the sum of (a, h), and counts them. */
static int add_nodes(struct an_solver *s, const struct an_wall_surface *surface, int boundary,
                     double sum[2], int64_t *count)
{
    const struct an_topology *t = &s->mesh->topology;
    for (int n = 0; n < t->npatch; n++) {
        const struct an_window *win = &t->patch[n].window;
        if (t->patch[n].boundary != boundary)
            continue;
        double *x;
        AN_TRY(an_patch_nodes(s->mesh, win, &x));
        const int64_t nodes =
            (int64_t)(win->hi[(win->dir + 1) % 3] - win->lo[(win->dir + 1) % 3] + 1) *
            (win->hi[(win->dir + 2) % 3] - win->lo[(win->dir + 2) % 3] + 1);
        for (int64_t m = 0; m < nodes; m++) {
            const struct an_flow_axes *g = &surface->axes;
            const double at[3] = {x[m], x[nodes + m], x[2 * nodes + m]};
            for (int c = 0; c < 3 && g->cartesian; c++) {
                sum[0] += g->axial[c] * at[c];
                sum[1] += g->span[c] * at[c];
            }
            sum[0] += g->cartesian ? 0 : at[0];
            sum[1] += g->cartesian ? 0 : hypot(at[1], at[2]);
        }
        *count += nodes;
        free(x);
    }
    return AN_OK;
}

/* The direction from the inlets to the outlets in the plane (a, h); +a where the mesh has none. */
static int find_flow(struct an_solver *s, struct an_wall_surface *surface)
{
    double sum[2][2] = {{0, 0}, {0, 0}};
    int64_t count[2] = {0, 0};
    for (int b = 0; b < s->mesh->topology.nboundary; b++) {
        const int type = s->boundary[b].type;
        const int in = type == AN_BC_INLET_TOTAL || type == AN_BC_INLET_SUPERSONIC;
        const int out = type == AN_BC_OUTLET_STATIC || type == AN_BC_OUTLET_SUPERSONIC;
        if (in || out)
            AN_TRY(add_nodes(s, surface, b, sum[out], &count[out]));
    }
    surface->flow[0] = 1;
    for (int c = 0; c < 2 && count[0] && count[1]; c++)
        surface->flow[c] = sum[1][c] / (double)count[1] - sum[0][c] / (double)count[0];
    return AN_OK;
}

/* The pitch after which the mesh of the wall's row repeats. */
static int find_pitch(struct an_solver *s, int boundary, struct an_wall_surface *surface)
{
    const struct an_topology *t = &s->mesh->topology;
    if (surface->axes.cartesian) {
        surface->pitch = surface->axes.length;
        return AN_OK;
    }
    double *sectors = malloc(((size_t)t->nblock + 1) * sizeof *sectors);
    AN_CHECK(sectors, AN_FAIL, "out of memory for sections of a wall");
    const int status = an_solver_sectors(s->c, t, sectors);
    for (int n = 0; n < t->npatch && status == AN_OK; n++)
        if (t->patch[n].boundary == boundary && sectors[t->patch[n].window.block] > 1)
            surface->pitch = 8 * atan(1.0) / sectors[t->patch[n].window.block];
    free(sectors);
    return status;
}

static int read_patches(struct an_solver *s, int boundary, struct an_wall_nodes *patch, int *npatch)
{
    const struct an_topology *t = &s->mesh->topology;
    for (int n = 0; n < t->npatch; n++) {
        const struct an_window *win = &t->patch[n].window;
        if (t->patch[n].boundary != boundary)
            continue;
        struct an_wall_nodes *to = &patch[(*npatch)++];
        for (int d = 0; d < 2; d++)
            to->n[d] = win->hi[(win->dir + 1 + d) % 3] - win->lo[(win->dir + 1 + d) % 3];
        AN_TRY(an_patch_nodes(s->mesh, win, &to->x));
    }
    return AN_OK;
}

/* The sections of the wall where the profile needs them. */
static int find_sections(struct an_solver *s, struct wall *w)
{
    const struct an_wall_profile *p = &w->profile;
    struct an_wall_surface surface = {.npatch = 0};
    if (p->along != AN_ALONG_CHORD && p->along != AN_ALONG_ARC && p->along != AN_ALONG_LENGTH &&
        p->across != AN_ACROSS_SPAN && !p->sided)
        return AN_OK;
    AN_TRY(an_flow_axes_find(s, &surface.axes));
    AN_TRY(find_flow(s, &surface));
    AN_TRY(find_pitch(s, w->boundary, &surface));
    struct an_wall_nodes *patch = calloc((size_t)s->mesh->topology.npatch + 1, sizeof *patch);
    AN_CHECK(patch, AN_FAIL, "out of memory for sections of a wall");
    surface.patch = patch;
    int status = read_patches(s, w->boundary, patch, &surface.npatch);
    if (status == AN_OK)
        status = an_wall_sections_new(&surface, p->sided, &w->sections);
    for (int n = 0; n < surface.npatch; n++)
        free(patch[n].x);
    free(patch);
    if (status == AN_INPUT) {
        char why[300];
        snprintf(why, sizeof why, "%s", an_error_text());
        return an_error_set(AN_INPUT,
                            "%s: wall '%s' has no places by axial_chord, arc, side or span: %s",
                            w->b->profile, s->mesh->topology.boundary[w->boundary].name, why);
    }
    return status;
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
    static const char *const along[] = {"", "x", "axial chord", "arc", "arc length"};
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
    if (p->sided) {
        double length[AN_NSIDE];
        an_wall_sections_lengths(w->sections, length);
        fprintf(out, "; at mid-span the suction side is %.4g m long, the pressure side %.4g m",
                length[AN_SIDE_SUCTION], length[AN_SIDE_PRESSURE]);
    }
    if (w->outside > 0)
        fprintf(out, "; %.3g %% of the wall is outside, where the values of the ends hold",
                100 * w->outside);
    fputc('\n', out);
}

static int make_wall(struct an_solver *s, struct wall *w, FILE *out)
{
    AN_TRY(an_wall_profile_read(w->b->profile, &w->profile));
    AN_TRY(check_lines(s, w));
    AN_TRY(find_sections(s, w));
    an_face_values_set(s, w->boundary, set_face, w);
    AN_TRY(an_reduce_xsum(s->comm, 2, w->area));
    w->outside = an_xsum_value(w->area[1]) / an_xsum_value(w->area[0]);
    describe(w, out);
    return AN_OK;
}

/* Is boundary b a viscous wall with a profile? Walls on solids vary, too. */
static int has_profile(const struct an_solver *s, int b)
{
    const struct an_case_boundary *set =
        an_case_boundary_find(s->c, s->mesh->topology.boundary[b].name);
    return s->boundary[b].varies && s->boundary[b].type == AN_BC_WALL_VISCOUS && set &&
           *set->profile;
}

static int wall_heat_make(struct an_solver *s, void **component)
{
    const struct an_topology *t = &s->mesh->topology;
    size_t size = 0;
    int some = 0;
    for (int b = 0; b < t->nboundary; b++)
        some |= has_profile(s, b);
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
        if (!has_profile(s, b))
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
    for (int n = 0; n < k->n; n++) {
        an_wall_profile_free(&k->wall[n].profile);
        an_wall_sections_free(k->wall[n].sections);
    }
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

double an_wall_heat_beyond(const struct an_solver *s, const struct an_case_boundary *b)
{
    const struct wall_heat *k = an_component_of(s, &an_wall_heat_component);
    double most = NAN, length[AN_NSIDE];
    for (int n = 0; k && n < k->n; n++) {
        const struct an_wall_profile *p = &k->wall[n].profile;
        if (k->wall[n].b != b || p->along != AN_ALONG_LENGTH || p->across != AN_ACROSS_NOTHING)
            continue;
        an_wall_sections_lengths(k->wall[n].sections, length);
        for (int side = 0; side < AN_NSIDE; side++)
            most = fmax(most, p->side[side].at[0][p->side[side].n[0] - 1] / length[side]);
    }
    return most;
}

int an_wall_heat_arc(const struct an_solver *s, int boundary, const double x[3], double *arc)
{
    const struct wall_heat *k = an_component_of(s, &an_wall_heat_component);
    for (int n = 0; k && n < k->n; n++)
        if (k->wall[n].boundary == boundary && k->wall[n].sections) {
            const struct an_wall_spot spot = an_wall_sections_at(k->wall[n].sections, x);
            *arc = spot.side == AN_SIDE_SUCTION ? spot.length : -spot.length;
            return 1;
        }
    return 0;
}

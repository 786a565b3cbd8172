/* Surfaces of solids that do not touch the gas: coolants, given temperatures and heat fluxes. */
#include "kernels/base/numbers.h"
#include "kernels/engine/model.h"
#include "solver/boundary/solid_state.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The unknowns of a surface and their areas: a quarter of each face belongs to each of its corners. */
static int list_unknowns(const struct an_solid_mesh *m, struct an_solid_surface *w)
{
    double *area = calloc((size_t)m->nunknown + 1, sizeof *area);
    char *on = calloc((size_t)m->nunknown + 1, 1);
    int status = area && on ? AN_OK : an_error_set(AN_FAIL, "out of memory for a solid");
    for (int64_t f = 0; f < m->nface && status == AN_OK; f++) {
        double s[3];
        if (m->face[f].boundary != w->boundary)
            continue;
        an_solid_face_vector(m, &m->face[f], s);
        w->total += an_length(s);
        for (int c = 0; c < 4; c++) {
            const int32_t u = m->unknown[m->face[f].corner[c]];
            w->n += !on[u];
            on[u] = 1;
            area[u] += 0.25 * an_length(s);
        }
    }
    if (status == AN_OK) {
        w->unknown = malloc(((size_t)w->n + 1) * sizeof *w->unknown);
        w->area = malloc(((size_t)w->n + 1) * sizeof *w->area);
        w->station = calloc((size_t)w->n + 1, sizeof *w->station);
        if (!w->unknown || !w->area || !w->station)
            status = an_error_set(AN_FAIL, "out of memory for a solid");
    }
    for (int32_t u = 0, to = 0; u < m->nunknown && status == AN_OK; u++) {
        if (!on[u])
            continue;
        w->unknown[to] = u;
        w->area[to++] = area[u];
    }
    free(area);
    free(on);
    return status;
}

/* The axis of a channel: the unit vector e that makes the sum of (e . normal)^2 over the surface least, by inverse
 * iteration on the matrix of that sum. The walls of a straight channel have no normal along it. */
static void axis_of(const struct an_solid_mesh *m, int boundary, double e[3])
{
    double a[3][3] = {{0}}, trace = 0;
    for (int64_t f = 0; f < m->nface; f++) {
        double s[3];
        if (m->face[f].boundary != boundary)
            continue;
        an_solid_face_vector(m, &m->face[f], s);
        const double area = an_length(s);
        for (int p = 0; p < 3 && area > 0; p++)
            for (int q = 0; q < 3; q++)
                a[p][q] += s[p] * s[q] / area;
        trace += area;
    }
    for (int p = 0; p < 3; p++)
        a[p][p] += 1e-9 * trace; /* not singular */
    double x[3] = {0.48, 0.6, 0.64};
    for (int time = 0; time < 30; time++) {
        double y[3];
        for (int p = 0; p < 3; p++) { /* the adjugate is the inverse but for a factor */
            y[p] = 0;
            for (int q = 0; q < 3; q++) {
                const int p1 = (p + 1) % 3, p2 = (p + 2) % 3, q1 = (q + 1) % 3, q2 = (q + 2) % 3;
                y[p] += (a[q1][p1] * a[q2][p2] - a[q1][p2] * a[q2][p1]) * x[q];
            }
        }
        const double length = an_length(y);
        for (int p = 0; p < 3; p++)
            x[p] = y[p] / length;
    }
    memcpy(e, x, sizeof x);
}

/* Which way the coolant goes: as the case says, else away from the x axis, or along the greatest component. */
static void direct(const struct an_case_solid_wall *set, const double centre[3], double e[3])
{
    const double *d = set->direction;
    const double radius = hypot(centre[1], centre[2]);
    double along = d[0] * e[0] + d[1] * e[1] + d[2] * e[2];
    if (along == 0 && radius > 0)
        along = (e[1] * centre[1] + e[2] * centre[2]) / radius;
    if (fabs(along) < 0.5 && d[0] == 0 && d[1] == 0 && d[2] == 0) {
        int most = 0;
        for (int c = 1; c < 3; c++)
            most = fabs(e[c]) > fabs(e[most]) ? c : most;
        along = e[most];
    }
    for (int c = 0; c < 3 && along < 0; c++)
        e[c] = -e[c];
}

static int find_channel(const struct an_case *c, const struct an_solid *q,
                        struct an_solid_surface *w)
{
    const struct an_solid_mesh *m = &q->mesh;
    double e[3], centre[3] = {0}, least = INFINITY, greatest = -INFINITY, volume = 0;
    axis_of(m, w->boundary, e);
    for (int64_t f = 0; f < m->nface; f++)
        for (int k = 0; k < 4 && m->face[f].boundary == w->boundary; k++)
            for (int d = 0; d < 3; d++)
                centre[d] += m->x[m->face[f].corner[k]][d];
    const double *given = w->set->direction;
    const double part = given[0] * e[0] + given[1] * e[1] + given[2] * e[2];
    AN_CHECK(fabs(part) >= 0.5 * an_length(given), AN_INPUT,
             "%s: 'solid_walls.%s.direction' lies across the channel, whose axis is (%.3g, "
             "%.3g, %.3g)",
             an_case_at(c, w->set->line), w->set->name, e[0], e[1], e[2]);
    direct(w->set, centre, e);
    for (int64_t f = 0; f < m->nface; f++) {
        double s[3], x[3] = {0};
        if (m->face[f].boundary != w->boundary)
            continue;
        an_solid_face_vector(m, &m->face[f], s);
        for (int k = 0; k < 4; k++) {
            const double *y = m->x[m->face[f].corner[k]];
            const double along = y[0] * e[0] + y[1] * e[1] + y[2] * e[2];
            least = fmin(least, along);
            greatest = fmax(greatest, along);
            for (int d = 0; d < 3; d++)
                x[d] += 0.25 * (y[d] - along * e[d]);
        }
        volume -=
            0.5 * (x[0] * s[0] + x[1] * s[1] + x[2] * s[2]); /* normals point into the channel */
    }
    w->length = greatest - least;
    w->section = volume / w->length;
    w->diameter = 4 * volume / w->total;
    AN_CHECK(w->length > 0 && w->diameter > 0, AN_INPUT,
             "%s: 'solid_walls.%s': boundary '%s' of solid '%s' is not the wall of a straight "
             "channel; give it 'h' in place of "
             "'mass_flow'",
             an_case_at(c, w->set->line), w->set->name, m->boundary[w->boundary], q->set->name);
    w->nstation = 1;
    double *at = malloc(((size_t)m->nunknown + 1) * sizeof *at);
    AN_CHECK(at, AN_FAIL, "out of memory for a solid");
    for (int64_t p = 0; p < m->npoint; p++)
        at[m->unknown[p]] = m->x[p][0] * e[0] + m->x[p][1] * e[1] + m->x[p][2] * e[2];
    w->nstation = AN_SOLID_STATIONS;
    for (int32_t n = 0; n < w->n; n++) {
        const int station = (int)((at[w->unknown[n]] - least) / w->length * w->nstation);
        w->station[n] = station < 0 ? 0 : station < w->nstation ? station : w->nstation - 1;
    }
    free(at);
    return AN_OK;
}

/* Place of a surface in the case file; those that it does not name come last. */
static long place_of(const struct an_case *c, const struct an_solid_surface *w)
{
    return w->set ? (long)(w->set - c->solid_wall) : c->nsolid_wall;
}

/* In the order of the case file; those of one pattern in the order of the mesh. */
static void sort_surfaces(const struct an_case *c, struct an_solid *q)
{
    for (int n = 1; n < q->nsurface; n++) {
        const struct an_solid_surface w = q->surface[n];
        int to = n;
        for (; to > 0 && place_of(c, &q->surface[to - 1]) > place_of(c, &w); to--)
            q->surface[to] = q->surface[to - 1];
        q->surface[to] = w;
    }
}

int an_solid_surfaces(const struct an_case *c, struct an_solid *q)
{
    q->surface = calloc((size_t)q->mesh.nboundary + 1, sizeof *q->surface);
    AN_CHECK(q->surface, AN_FAIL, "out of memory for a solid");
    for (int b = 0; b < q->mesh.nboundary; b++) {
        struct an_solid_surface *w = &q->surface[q->nsurface++];
        w->boundary = b;
        w->set = an_case_solid_wall_find(c, q->mesh.boundary[b]);
        AN_TRY(list_unknowns(&q->mesh, w));
        if (!w->set)
            continue;
        AN_CHECK(w->total > 0, AN_INPUT,
                 "%s: 'solid_walls.%s': boundary '%s' of solid '%s' has no area",
                 an_case_at(c, w->set->line), w->set->name, q->mesh.boundary[b], q->set->name);
        w->h = w->set->h;
        w->coolant[0] = w->coolant[1] = w->h > 0 || w->set->mass_flow > 0 ? w->set->T : 0;
        if (w->set->mass_flow > 0)
            AN_TRY(find_channel(c, q, w));
    }
    sort_surfaces(c, q);
    return AN_OK;
}

/* h of a channel, and the coolant's temperature along it. */
static void march_channel(const struct an_solver *s, const double *T, struct an_solid_surface *w)
{
    const struct an_gas *gas = &s->c->gas.model;
    const double mean = 0.5 * (w->coolant[0] + w->coolant[1]), mass = w->set->mass_flow;
    const double cp = an_gas_cp(gas, mean), prandtl = s->c->gas.prandtl;
    const double mu = an_model_viscosity(&s->params, mean);
    const double reynolds = mass * w->diameter / (w->section * mu);
    w->h = w->set->factor * 0.022 * pow(reynolds, 0.8) * sqrt(prandtl) * (mu * cp / prandtl) /
           w->diameter;
    double area[AN_SOLID_STATIONS] = {0}, sum[AN_SOLID_STATIONS] = {0}, bulk = w->set->T;
    for (int32_t n = 0; n < w->n; n++) {
        area[w->station[n]] += w->area[n];
        sum[w->station[n]] += w->area[n] * T[w->unknown[n]];
    }
    for (int i = 0; i < w->nstation;
         i++) { /* the mean of the station is the coolant's in its middle */
        const double g = w->h * area[i];
        const double heat = g > 0 ? g * (sum[i] / area[i] - bulk) / (1 + 0.5 * g / (mass * cp)) : 0;
        w->bulk[i] = bulk + 0.5 * heat / (mass * cp);
        bulk += heat / (mass * cp);
    }
    w->coolant[1] = bulk;
}

static void load_coolant(const struct an_solver *s, struct an_solid *q, struct an_solid_surface *w)
{
    if (w->set->mass_flow > 0)
        march_channel(s, q->T, w);
    for (int32_t n = 0; n < w->n; n++) {
        const int32_t u = w->unknown[n];
        const double g = w->h * w->area[n];
        const double coolant = w->nstation ? w->bulk[w->station[n]] : w->set->T;
        q->load[u] += g * (coolant - q->T[u]);
        q->diagonal[u] += g / an_metal_conductivity(&q->metal, q->T[u]);
        q->heat[w->boundary] += g * (coolant - q->T[u]);
    }
}

/* A given temperature: what the surface conducts is so much that the temperature differs from it by a millionth of the
 * differences between neighbours. */
static void load_temperature(struct an_solid *q, struct an_solid_surface *w)
{
    const struct an_conduction_level *l = &q->conduction.level[0];
    const double theta = an_metal_theta(&q->metal, w->set->T);
    for (int32_t n = 0; n < w->n; n++) {
        const int32_t u = w->unknown[n];
        const double g = 1e6 * l->k.value[l->diagonal[u]];
        q->load[u] += g * (theta - q->theta[u]);
        q->diagonal[u] += g;
        q->heat[w->boundary] += g * (theta - q->theta[u]);
    }
}

void an_solid_surfaces_load(const struct an_solver *s, struct an_solid *q)
{
    for (int m = 0; m < q->nsurface; m++) {
        struct an_solid_surface *w = &q->surface[m];
        if (!w->set || *w->set->gas)
            continue;
        if (w->h > 0 || w->set->mass_flow > 0) {
            load_coolant(s, q, w);
            continue;
        }
        if (w->set->T > 0)
            load_temperature(q, w);
        for (int32_t n = 0; n < w->n && w->set->heat_flux != 0; n++) {
            q->load[w->unknown[n]] += w->set->heat_flux * w->area[n];
            q->heat[w->boundary] += w->set->heat_flux * w->area[n];
        }
    }
}

#include "solver/monitor/estimate.h"

#include "io/screen.h"
#include "kernels/base/numbers.h"
#include "kernels/base/xsum.h"
#include "kernels/physics/gas_state.h"
#include "mpi/reduce.h"
#include "solver/boundary/inlets.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/level/rows.h"
#include "solver/monitor/areas.h"
#include "solver/monitor/extent.h"
#include "solver/monitor/forces.h"
#include "solver/monitor/walls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLABS = 100, END = 3 }; /* of the mesh along x; at its ends, which may be oblique */

/* Highest p0 of the inlets with its T0, lowest pressure of the outlets. */
static void take_boundaries(const struct an_solver *s, struct an_estimate *e)
{
    const struct an_case *c = s->c;
    for (int b = 0; b < c->nboundary; b++) {
        const struct an_case_boundary *q = &c->boundary[b];
        if (q->type == AN_BC_INLET_TOTAL) {
            const struct an_inlet_total highest = an_inlets_highest(s, q);
            if (highest.p0 <= e->p0)
                continue;
            e->p0 = highest.p0;
            e->T0 = highest.T0;
        } else if (q->type == AN_BC_OUTLET_STATIC) {
            e->p = fmin(e->p, q->p);
        }
    }
}

/* Parts of a wall, such as a patch of cooling or the end of a blade in its gap, have no length of their own: walls
 * with a smaller share of the area of all walls do not count. */
#define LEAST_SHARE 0.1

/* Extent along x of the shortest wall that is no part of another: the viscous ones, or slip walls where there are
 * none. */
static void find_length(const struct an_solver *s, const struct an_boundary_size *size,
                        struct an_estimate *e)
{
    const struct an_topology *t = &s->mesh->topology;
    int viscous = 0;
    for (int b = 0; b < t->nboundary; b++)
        viscous |= s->boundary[b].type == AN_BC_WALL_VISCOUS;
    const enum an_bc_type wall = viscous ? AN_BC_WALL_VISCOUS : AN_BC_WALL_SLIP;
    double all = 0;
    for (int b = 0; b < t->nboundary; b++)
        all += s->boundary[b].type == (int)wall ? size[b].area : 0;
    for (int b = 0; b < t->nboundary; b++) {
        const double length = size[b].x[1] - size[b].x[0];
        if (s->boundary[b].type != (int)wall || size[b].area < LEAST_SHARE * all || !(length > 0) ||
            length >= e->length)
            continue;
        e->length = length;
        snprintf(e->wall, sizeof e->wall, "%s", t->boundary[b].name);
    }
}

/* Areas of the inlets and of the static outlets, of full annuli. */
static void take_openings(const struct an_solver *s, const struct an_boundary_size *size,
                          struct an_estimate *e)
{
    for (int b = 0; b < s->mesh->topology.nboundary; b++) {
        if (s->boundary[b].type == AN_BC_INLET_TOTAL)
            e->area_in += size[b].annulus;
        else if (s->boundary[b].type == AN_BC_OUTLET_STATIC)
            e->area_out += size[b].annulus;
    }
}

static int take_sizes(const struct an_solver *s, struct an_estimate *e)
{
    struct an_boundary_size *size = calloc((size_t)s->mesh->topology.nboundary + 1, sizeof *size);
    AN_CHECK(size, AN_FAIL, "out of memory for estimates");
    const int status = an_boundary_sizes(s, size);
    if (status == AN_OK && s->c->reference.length > 0)
        e->length = s->c->reference.length;
    else if (status == AN_OK)
        find_length(s, size, e);
    if (status == AN_OK)
        take_openings(s, size, e);
    free(size);
    return status;
}

/* Corner nodes of the face (a, b) of a window of a block, and the middle of the cell behind it. */
static void face_nodes(const struct an_solver *s, const struct an_window *w, int a, int b,
                       double corner[4][3], double centre[3])
{
    const int *n = s->level->layout.block[w->block].n;
    const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
    const int64_t step[3] = {1, n[0] + 1, (int64_t)(n[0] + 1) * (n[1] + 1)};
    const int64_t all = step[2] * (n[2] + 1);
    int cell[3];
    cell[w->dir] = w->side ? n[w->dir] - 1 : 0;
    cell[da] = a;
    cell[db] = b;
    const int64_t at = cell[0] + cell[1] * step[1] + cell[2] * step[2] + w->side * step[w->dir];
    for (int c = 0; c < 4; c++)
        for (int d = 0; d < 3; d++)
            corner[c][d] =
                s->node[w->block][d * all + at + (c & 1) * step[da] + (c >> 1) * step[db]];
    an_nodes_centre(n, s->node[w->block], cell[0], cell[1], cell[2], centre);
}

/* Distance of the cell's middle from the plane of the face's diagonals. */
static double height(const double corner[4][3], const double centre[3])
{
    double p[3], q[3], r[3], normal[3], along = 0;
    for (int d = 0; d < 3; d++) {
        p[d] = corner[3][d] - corner[0][d];
        q[d] = corner[2][d] - corner[1][d];
        r[d] = centre[d] - 0.25 * (corner[0][d] + corner[1][d] + corner[2][d] + corner[3][d]);
    }
    for (int d = 0; d < 3; d++) {
        normal[d] = p[(d + 1) % 3] * q[(d + 2) % 3] - p[(d + 2) % 3] * q[(d + 1) % 3];
        along += normal[d] * r[d];
    }
    return fabs(along) / an_length(normal);
}

/* Least, mean and largest distance of the first cells' middles from viscous walls, m. */
static int find_heights(const struct an_solver *s, double h[3])
{
    const struct an_walls *w = an_walls_of(s);
    double most[2] = {-INFINITY, -INFINITY};
    struct an_xsum sum[2];
    memset(sum, 0, sizeof sum);
    for (int m = 0; w && m < w->nwindow; m++) {
        const struct an_window *win = &w->window[m].window;
        const int da = (win->dir + 1) % 3, db = (win->dir + 2) % 3;
        for (int b = win->lo[db]; b < win->hi[db]; b++)
            for (int a = win->lo[da]; a < win->hi[da]; a++) {
                double corner[4][3], centre[3];
                face_nodes(s, win, a, b, corner, centre);
                const double y = height((const double(*)[3])corner, centre);
                most[0] = fmax(most[0], -y);
                most[1] = fmax(most[1], y);
                an_xsum_add(&sum[0], y);
                an_xsum_add(&sum[1], 1);
            }
    }
    AN_TRY(an_reduce_max(s->comm, 2, most));
    AN_TRY(an_reduce_xsum(s->comm, 2, sum));
    const double count = an_xsum_value(sum[1]);
    h[0] = count > 0 ? -most[0] : NAN;
    h[1] = count > 0 ? an_xsum_value(sum[0]) / count : NAN;
    h[2] = count > 0 ? most[1] : NAN;
    return AN_OK;
}

/* Adds a cell's volume to the slabs that it spans, in proportion. x0, dx: of the slabs. */
static void add_cell(const double *x, const int64_t step[3], int64_t all, double x0, double dx,
                     double weight, struct an_xsum *slab)
{
    double edge[3][3], low = INFINITY, high = -INFINITY;
    for (int d = 0; d < 3; d++)
        for (int c = 0; c < 3; c++) {
            edge[d][c] = 0;
            for (int n = 0; n < 4; n++) {
                const int64_t at = (n & 1) * step[(d + 1) % 3] + (n >> 1) * step[(d + 2) % 3];
                edge[d][c] += 0.25 * (x[c * all + at + step[d]] - x[c * all + at]);
            }
        }
    for (int n = 0; n < 8; n++) {
        const double v = x[(n & 1) * step[0] + (n >> 1 & 1) * step[1] + (n >> 2) * step[2]];
        low = fmin(low, v);
        high = fmax(high, v);
    }
    double volume = 0;
    for (int c = 0; c < 3; c++)
        volume += edge[0][c] * (edge[1][(c + 1) % 3] * edge[2][(c + 2) % 3] -
                                edge[1][(c + 2) % 3] * edge[2][(c + 1) % 3]);
    const int first = (int)fmax(0, floor((low - x0) / dx));
    for (int n = first; n < SLABS && x0 + n * dx < high; n++) {
        const double part = fmin(high, x0 + (n + 1) * dx) - fmax(low, x0 + n * dx);
        an_xsum_add(&slab[n], weight * fabs(volume) * fmax(part, 0) / (high - low) / dx);
    }
}

/* The least of the mean areas across x of slabs of the mesh, or the area of the inlets where a row turns; of
 * full annuli. */
static int find_areas(const struct an_solver *s, struct an_estimate *e)
{
    const struct an_topology *t = &s->mesh->topology;
    struct an_xsum slab[SLABS];
    double most[2] = {-INFINITY, -INFINITY};
    memset(slab, 0, sizeof slab);
    double *sectors = malloc(((size_t)t->nblock + 1) * sizeof *sectors);
    AN_CHECK(sectors, AN_FAIL, "out of memory for estimates");
    int status = an_solver_sectors(s->c, t, sectors);
    for (int pass = 0; pass < 2 && status == AN_OK; pass++) {
        const double x0 = -most[1], dx = (most[0] + most[1]) / SLABS;
        for (int b = 0; b < s->nlocal; b++) {
            const int *n = s->level->layout.block[b].n;
            const int64_t step[3] = {1, n[0] + 1, (int64_t)(n[0] + 1) * (n[1] + 1)};
            const int64_t all = step[2] * (n[2] + 1);
            const double weight = sectors[s->level->partition.piece[s->local[b]].zone];
            for (int64_t i = 0; i < all && pass == 0; i++) {
                most[0] = fmax(most[0], s->node[b][i]);
                most[1] = fmax(most[1], -s->node[b][i]);
            }
            for (int64_t k = 0; k < n[2] && pass == 1; k++)
                for (int64_t j = 0; j < n[1]; j++)
                    for (int64_t i = 0; i < n[0]; i++)
                        add_cell(s->node[b] + i + j * step[1] + k * step[2], step, all, x0, dx,
                                 weight, slab);
        }
        if (pass == 0)
            status = an_reduce_max(s->comm, 2, most);
    }
    free(sectors);
    AN_TRY(status);
    AN_TRY(an_reduce_xsum(s->comm, SLABS, slab));
    /* a row that turns changes the total pressure: behind it the inlet's says nothing */
    if (e->tip_speed > 0) {
        e->area_least = e->area_in;
        return AN_OK;
    }
    for (int n = END; n < SLABS - END; n++) {
        const double area = an_xsum_value(slab[n]);
        if (!(area >= e->area_least)) {
            e->area_least = area;
            e->at = -most[1] + (n + 0.5) * (most[0] + most[1]) / SLABS;
        }
    }
    return AN_OK;
}

/* kg/s per m2 of a lossless flow from p0, T0 at a Mach number. */
static double flux(const struct an_gas *g, double p0, double T0, double mach)
{
    const struct an_gas_flow f = an_gas_static_mach(g, p0, T0, mach);
    return an_state_density(g, f.p, f.T) * f.V;
}

/* Mass flows and what follows from them. */
static void take_flow(const struct an_solver *s, struct an_estimate *e)
{
    const struct an_case *c = s->c;
    const struct an_gas *g = &c->gas.model;
    const struct an_case_state *i = &c->initial;
    double axial = i->has_velocity ? i->velocity[0]
                                   : i->mach * an_state_sound(g, i->p, i->T) * i->direction[0];
    const double in =
                     e->area_in > 0 ? e->area_in : INFINITY, /* no more passes faces at any angle */
        out = e->area_out > 0 && !(e->tip_speed > 0) ? e->area_out : INFINITY;
    e->mass_most = fmin(e->area_least, fmin(in, out)) * flux(g, e->p0, e->T0, 1);
    if (e->mach_is > 0 && e->mach_is < 1 && !(e->tip_speed > 0))
        e->mass_most = fmin(e->mass_most, e->area_out * flux(g, e->p0, e->T0, e->mach_is));
    for (int b = 0; b < c->nboundary; b++)
        if (c->boundary[b].type == AN_BC_OUTLET_STATIC && c->boundary[b].outlet.mass_flow > 0) {
            e->wanted = 1;
            axial = c->boundary[b].outlet.mass_flow /
                    (an_state_density(g, c->boundary[b].p, e->T0) * e->area_out);
        }
    e->flow_coefficient = e->tip_speed > 0 && axial != 0 ? axial / e->tip_speed : NAN;
}

/* Reynolds number and y+ from the speed V of a gas of p and T. */
static int take_speed(const struct an_solver *s, struct an_estimate *e, double p, double T)
{
    const double mu = an_case_viscosity(s->c, p, T), rho = an_state_density(&s->c->gas.model, p, T);
    double h[3];
    AN_TRY(find_heights(s, h));
    if (!(mu > 0) || !(e->speed > 0) || !(e->length < INFINITY))
        return AN_OK;
    e->reynolds = rho * e->speed * e->length / mu;
    const double friction = e->speed * sqrt(0.5 * 0.026 / pow(e->reynolds, 1. / 7));
    for (int n = 0; n < 3; n++)
        e->yplus[n] = rho * friction * h[n] / mu;
    return AN_OK;
}

int an_estimate_find(const struct an_solver *s, struct an_estimate *e)
{
    const struct an_case *c = s->c;
    const struct an_gas *g = &c->gas.model;
    struct an_reference_report free_stream;
    struct an_extent extent;
    *e = (struct an_estimate){.p0 = NAN,
                              .T0 = NAN,
                              .p = INFINITY,
                              .mach_is = NAN,
                              .speed = NAN,
                              .length = INFINITY,
                              .reynolds = NAN,
                              .yplus = {NAN, NAN, NAN},
                              .tip_speed = NAN,
                              .tip_mach = NAN,
                              .flow_coefficient = NAN,
                              .area_least = INFINITY,
                              .mass_most = NAN};
    take_boundaries(s, e);
    AN_TRY(an_extent_find(s, &extent));
    AN_TRY(take_sizes(s, e));
    double p = NAN, T = NAN;
    if (an_forces_free_stream(c, &free_stream)) {
        e->speed = free_stream.speed;
        p = free_stream.p;
        T = free_stream.T;
    } else if (e->p0 > 0 && e->p <= e->p0) {
        const struct an_gas_flow f = an_gas_static_p(g, e->p0, e->T0, e->p);
        e->speed = f.V;
        p = f.p;
        T = f.T;
        e->mach_is = f.V / an_state_sound(g, f.p, f.T);
    }
    if (extent.speed > 0 && e->p0 > 0) {
        e->tip_speed = extent.speed;
        e->tip_radius = extent.radius;
        e->tip_mach = extent.speed / an_state_sound(g, e->p0, e->T0);
        if (!(e->speed > extent.speed)) {
            e->speed = extent.speed;
            p = e->p0;
            T = e->T0;
        }
    }
    AN_TRY(take_speed(s, e, p, T));
    if (e->p0 > 0 && e->p < INFINITY) {
        AN_TRY(find_areas(s, e));
        take_flow(s, e);
    }
    return AN_OK;
}

void an_estimate_print(const struct an_estimate *e, FILE *out)
{
    if (e->mach_is >= 0)
        an_screen_line(
            out, 12,
            "estimate    isentropic Mach number %.4f at the outlet, from p0 %.6g Pa to p %.6g "
            "Pa",
            e->mach_is, e->p0, e->p);
    if (e->reynolds > 0)
        an_screen_line(out, 12, "estimate    Reynolds number %.3g: %.4g m/s, %.4g m (%s%s)",
                       e->reynolds, e->speed, e->length,
                       *e->wall ? "along x, wall " : "reference.length", e->wall);
    if (e->yplus[0] >= 0)
        an_screen_line(out, 12,
                       "estimate    y+ of the first cells' centres %.2g to %.2g, mean %.2g",
                       e->yplus[0], e->yplus[2], e->yplus[1]);
    if (e->tip_speed > 0)
        an_screen_line(out, 12, "estimate    tip Mach number %.4f (%.5g m/s at %.5g m)",
                       e->tip_mach, e->tip_speed, e->tip_radius);
    if (isfinite(e->flow_coefficient))
        an_screen_line(out, 12, "estimate    flow coefficient %.3f (%s)", e->flow_coefficient,
                       e->wanted ? "of the mass flow that is wanted"
                                 : "of the initial axial velocity");
    if (e->mass_most > 0 && e->tip_speed > 0)
        an_screen_line(
            out, 12,
            "estimate    mass flow at most %.5g kg/s times the cosine of the flow's angle "
            "from the normal of the inlet; inlet's area %.5g m2",
            e->mass_most, e->area_least);
    else if (e->mass_most > 0)
        an_screen_line(
            out, 12,
            "estimate    mass flow at most %.5g kg/s times the cosine of the flow's angle from "
            "x; least area across x %.5g m2 at x = %.4g m",
            e->mass_most, e->area_least, e->at);
}

#include "solver/monitor/forces.h"

#include "kernels/base/numbers.h"
#include "kernels/physics/gas_state.h"
#include "mpi/reduce.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/level/patch_nodes.h"
#include "solver/monitor/walls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The state of the reference, or of the far field; NULL: there is none. */
static const struct an_case_state *state_of(const struct an_case *c)
{
    if (c->reference.state.p > 0)
        return &c->reference.state;
    for (int b = 0; b < c->nboundary; b++)
        if (an_bc_type_has(c->boundary[b].type, AN_BC_STATE))
            return &c->boundary[b].state;
    return NULL;
}

int an_forces_free_stream(const struct an_case *c, struct an_reference_report *r)
{
    const struct an_case_state *s = state_of(c);
    const double degrees = 180 / acos(-1.0);
    if (!s)
        return 0;
    const struct an_gas gas = an_case_gas_of(c, NULL);
    const double sound = an_state_sound(&gas, s->p, s->T);
    const double speed = s->has_velocity ? an_length(s->velocity) : s->mach * sound;
    const double *d = s->has_velocity ? s->velocity : s->direction;
    const int up = c->reference.up == AN_UP_Y ? 1 : 2;
    const double rho = an_state_density(&gas, s->p, s->T), mu = an_case_viscosity(c, s->p, s->T);
    *r = (struct an_reference_report){.p = s->p,
                                      .T = s->T,
                                      .rho = rho,
                                      .speed = speed,
                                      .mach = speed / sound,
                                      .alpha = degrees * atan2(d[up], d[0]),
                                      .beta = degrees * atan2(d[3 - up], hypot(d[0], d[up])),
                                      .q = 0.5 * rho * speed * speed,
                                      .length = c->reference.length,
                                      .area = c->reference.area};
    r->reynolds = mu > 0 ? rho * speed * r->length / mu : 0;
    memcpy(r->point, c->reference.point, sizeof r->point);
    return 1;
}

/* The same where the case has reference values; 0: it has none. */
static int reference_of(const struct an_case *c, struct an_reference_report *r)
{
    return (c->reference.length > 0 || c->reference.state.p > 0) && an_forces_free_stream(c, r);
}

/* 1 for each boundary that is a wall of the body. */
static int choose_walls(const struct an_solver *s, char *body)
{
    const struct an_topology *t = &s->mesh->topology;
    const struct an_case_names *names = &s->c->reference.walls;
    int viscous = 0;
    for (int b = 0; b < t->nboundary; b++)
        viscous |= s->boundary[b].type == AN_BC_WALL_VISCOUS;
    for (int n = 0; n < names->n; n++) {
        int found = 0;
        for (int b = 0; b < t->nboundary; b++) {
            const int type = s->boundary[b].type;
            const int wall = type == AN_BC_WALL_VISCOUS || type == AN_BC_WALL_SLIP;
            if (!wall || !an_case_matches(names->name[n], t->boundary[b].name))
                continue;
            found = body[b] = 1;
        }
        AN_CHECK(found, AN_INPUT, "%s: 'reference.walls': '%s' matches no wall of the mesh",
                 s->c->file, names->name[n]);
    }
    for (int b = 0; b < t->nboundary && !names->n; b++)
        body[b] = s->boundary[b].type == (viscous ? AN_BC_WALL_VISCOUS : AN_BC_WALL_SLIP);
    return AN_OK;
}

/* Extent of the mesh along an axis, m. Collective. */
static int find_extent(const struct an_solver *s, int axis, double *extent)
{
    double most[2] = {-INFINITY, -INFINITY};
    for (int b = 0; b < s->nlocal; b++) {
        const int *n = s->level->layout.block[b].n;
        const int64_t nodes = (int64_t)(n[0] + 1) * (n[1] + 1) * (n[2] + 1);
        const double *x = s->node[b] + axis * nodes;
        for (int64_t m = 0; m < nodes; m++) {
            most[0] = fmax(most[0], x[m]);
            most[1] = fmax(most[1], -x[m]);
        }
    }
    AN_TRY(an_reduce_max(s->comm, 2, most));
    *extent = most[0] + most[1];
    return AN_OK;
}

/* What this rank finds by itself. */
static int set_up(struct an_solver *s, struct an_forces *f)
{
    const int nb = s->mesh->topology.nboundary;
    f->body = calloc((size_t)nb + 1, 1);
    char *slip = calloc((size_t)nb + 1, 1);
    int status = f->body && slip ? choose_walls(s, f->body)
                                 : an_error_set(AN_FAIL, "out of memory for forces");
    for (int b = 0; b < nb && status == AN_OK; b++)
        slip[b] = f->body[b] && s->boundary[b].type == AN_BC_WALL_SLIP;
    if (status == AN_OK)
        status = an_plane_faces_new(s, slip, &f->faces);
    free(slip);
    return status;
}

static void clear(struct an_forces *f)
{
    for (int c = 0; c < AN_NCOEFFICIENT; c++)
        for (int part = 0; part < AN_NC_PART; part++)
            f->value[c][part] = NAN;
}

static int forces_make(struct an_solver *s, void **component)
{
    const struct an_case *c = s->c;
    if (!(c->reference.length > 0))
        return AN_OK;
    struct an_forces *f = calloc(1, sizeof *f);
    *component = f;
    AN_CHECK(f, AN_FAIL, "out of memory for forces");
    clear(f);
    const int known = reference_of(c, &f->reference);
    AN_CHECK(known && f->reference.q > 0, AN_INPUT,
             "%s: 'reference.length' asks for coefficients, and nothing says their dynamic "
             "pressure: give reference.mach or reference.velocity, and reference.pressure or "
             "reference.reynolds; a far field that moves would do, too",
             c->file);
    AN_TRY(an_reduce_status(s->comm, set_up(s, f)));
    double axis[3][3];
    an_case_wind(c->reference.up, f->reference.alpha, f->reference.beta, axis);
    memcpy(f->axis[AN_C_DRAG], axis[0], sizeof axis[0]);
    memcpy(f->axis[AN_C_LIFT], axis[1], sizeof axis[1]);
    memcpy(f->axis[AN_C_SIDE], axis[2], sizeof axis[2]);
    const int along = c->reference.up == AN_UP_Y ? 2 : 1;
    f->pitch[along] = along == 2 ? -1 : 1;
    double extent;
    AN_TRY(find_extent(s, along, &extent));
    if (!(f->reference.area > 0))
        f->reference.area = f->reference.length * extent;
    return AN_OK;
}

static void forces_destroy(struct an_solver *s, void *component)
{
    struct an_forces *f = component;
    an_plane_faces_free(s, &f->faces);
    free(f->body);
    free(f);
}

static int forces_start(struct an_solver *s, void *component, int fresh)
{
    (void)s, (void)fresh;
    clear(component);
    return AN_OK;
}

static int forces_measure_start(struct an_solver *s, void *component)
{
    return an_plane_faces_start(s, &((struct an_forces *)component)->faces);
}

enum { FORCE, MOMENT, NVECTOR };

/* Component c of the moment of a force at x. */
static double moment_of(const struct an_forces *f, const double x[3], const double force[3], int c)
{
    const double *o = f->reference.point, r[3] = {x[0] - o[0], x[1] - o[1], x[2] - o[2]};
    const int d = (c + 1) % 3, e = (c + 2) % 3;
    return r[d] * force[e] - r[e] * force[d];
}

/* Adds the force of a face at x, and its moment. */
static void add_force(const struct an_forces *f, const double x[3], const double force[3],
                      struct an_xsum sum[NVECTOR][3])
{
    for (int c = 0; c < 3; c++) {
        an_xsum_add(&sum[FORCE][c], force[c]);
        an_xsum_add(&sum[MOMENT][c], moment_of(f, x, force, c));
    }
}

/* The force on face n of the slip walls. */
static void slip_force(const struct an_solver *s, const struct an_forces *f, int64_t n,
                       double force[3])
{
    const double over = s->params.flux.p_ref - f->reference.p, *v = f->faces.value[n];
    for (int c = 0; c < 3; c++)
        force[c] = v[AN_PLANE_MX + c] + over * v[AN_PLANE_SX + c];
}

/* Those on a face of the viscous walls with WALL values v. */
static void viscous_forces(const struct an_forces *f, const double v[AN_NCOMP_WALL], double push[3],
                           double tangential[3])
{
    const double *area = v + AN_WALL_SX, size = an_length(area);
    for (int c = 0; c < 3; c++) {
        push[c] = (v[AN_WALL_P] - f->reference.p) * area[c];
        tangential[c] = v[AN_WALL_TX + c] * size;
    }
}

static void add_slip_walls(const struct an_solver *s, const struct an_forces *f,
                           struct an_xsum pressure[NVECTOR][3])
{
    for (int64_t n = 0; n < f->faces.nface; n++) {
        double force[3];
        slip_force(s, f, n, force);
        add_force(f, f->faces.centre[n], force, pressure);
    }
}

static void add_viscous_walls(const struct an_solver *s, const struct an_forces *f,
                              struct an_xsum pressure[NVECTOR][3],
                              struct an_xsum friction[NVECTOR][3])
{
    const struct an_walls *w = an_walls_of(s);
    const double(*value)[AN_NCOMP_WALL] = w ? an_walls_values(s) : NULL;
    for (int m = 0; w && m < w->nwindow; m++) {
        if (!f->body[w->window[m].boundary])
            continue;
        const int64_t first = w->window[m].first;
        for (int64_t n = first; n < first + an_patch_faces(&w->window[m].window); n++) {
            double push[3], tangential[3];
            viscous_forces(f, value[n], push, tangential);
            add_force(f, w->centre[n], push, pressure);
            add_force(f, w->centre[n], tangential, friction);
        }
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Coefficients of forces and moments. */
static void find(const struct an_forces *f, double total[NVECTOR][3], double value[AN_NCOEFFICIENT])
{
    const double scale = 1 / (f->reference.q * f->reference.area);
    const double length = f->reference.length;
    for (int c = 0; c <= AN_C_SIDE; c++)
        value[c] = scale * dot(f->axis[c], total[FORCE]);
    value[AN_C_MOMENT] = scale / length * dot(f->pitch, total[MOMENT]);
    for (int c = 0; c < 3; c++)
        value[AN_C_MOMENT_X + c] = scale / length * total[MOMENT][c];
}

void an_forces_terms(const struct an_solver *s, const struct an_forces *f, int viscous, int m,
                     int64_t k, double c[AN_NCOEFFICIENT])
{
    const struct an_walls *w = an_walls_of(s);
    double total[NVECTOR][3] = {{0}}, force[3] = {0}, tangential[3] = {0};
    const int64_t n = k + (viscous ? w->window[m].first : f->faces.window[m].first);
    const double *x = viscous ? w->centre[n] : f->faces.centre[n];
    if (!viscous)
        slip_force(s, f, n, force);
    else if (f->body[w->window[m].boundary])
        viscous_forces(f, an_walls_values(s)[n], force, tangential);
    for (int d = 0; d < 3; d++)
        total[FORCE][d] = force[d] += tangential[d];
    for (int d = 0; d < 3; d++)
        total[MOMENT][d] = moment_of(f, x, force, d);
    find(f, total, c);
}

static int forces_measure_finish(struct an_solver *s, void *component, const struct an_measured *m)
{
    (void)m;
    struct an_forces *f = component;
    struct an_xsum sum[2][NVECTOR][3];
    memset(sum, 0, sizeof sum);
    an_plane_faces_take(s, &f->faces);
    add_slip_walls(s, f, sum[0]);
    add_viscous_walls(s, f, sum[0], sum[1]);
    AN_TRY(an_reduce_xsum(s->comm, 2 * NVECTOR * 3, sum[0][0]));
    for (int q = 0; q < 2; q++) {
        double total[NVECTOR][3];
        for (int v = 0; v < NVECTOR; v++)
            for (int c = 0; c < 3; c++)
                total[v][c] = an_xsum_value(sum[q][v][c]);
        double value[AN_NCOEFFICIENT];
        find(f, total, value);
        for (int c = 0; c < AN_NCOEFFICIENT; c++)
            f->value[c][q == 0 ? AN_C_PRESSURE : AN_C_FRICTION] = value[c];
    }
    for (int c = 0; c < AN_NCOEFFICIENT; c++)
        f->value[c][AN_C_ALL] = f->value[c][AN_C_PRESSURE] + f->value[c][AN_C_FRICTION];
    return AN_OK;
}

static void forces_report(const struct an_solver *s, const void *component, FILE *out)
{
    (void)s;
    an_coefficients_print(&((const struct an_forces *)component)->value, out);
}

const struct an_component_type an_forces_component = {.name = "forces",
                                                      .after = AN_AFTER("walls"),
                                                      .make = forces_make,
                                                      .destroy = forces_destroy,
                                                      .start = forces_start,
                                                      .measure_start = forces_measure_start,
                                                      .measure_finish = forces_measure_finish,
                                                      .report = forces_report};

void an_forces_print(const struct an_solver *s, FILE *out)
{
    const struct an_forces *f = an_forces_of(s);
    struct an_reference_report r;
    if (f)
        an_reference_print(&f->reference, out);
    else if (reference_of(s->c, &r))
        an_reference_print(&r, out);
}

struct an_forces *an_forces_of(const struct an_solver *s)
{
    return an_component_of(s, &an_forces_component);
}

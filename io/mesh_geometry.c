/* What the coordinates must agree with: handedness of zones, nodes of interfaces, periodicity. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/mesh_internal.h"

/* Windows with more nodes are sampled at 3 x 3 places. */
#define MAX_NODES 20000

struct pairs {
    double *here, *there; /* [3][count] each, owned */
    size_t count, capacity;
};

/* Adds the nodes lo <= c < hi of f's block, and what the donor has in their places. */
static int add_pairs(const struct an_mesh *m, const struct an_interface *f, const int lo[3],
                     const int hi[3], struct pairs *p)
{
    struct an_cellmap map = an_cellmap_nodes(&f->map);
    int last[3] = {hi[0] - 1, hi[1] - 1, hi[2] - 1}, a[3], b[3], dlo[3], dhi[3];
    size_t count = (size_t)(hi[0] - lo[0]) * (hi[1] - lo[1]) * (hi[2] - lo[2]), at = 0;
    an_cellmap_apply(&map, lo, a);
    an_cellmap_apply(&map, last, b);
    for (int d = 0; d < 3; d++) {
        dlo[d] = a[d] < b[d] ? a[d] : b[d];
        dhi[d] = (a[d] < b[d] ? b[d] : a[d]) + 1;
    }
    double *x = malloc(6 * count * sizeof *x), *y = x + 3 * count;
    AN_CHECK(x, AN_FAIL, "out of memory for the nodes of an interface");
    int status = an_mesh_read_nodes(m, f->window.block, lo, hi, x);
    if (status == AN_OK)
        status = an_mesh_read_nodes(m, f->donor, dlo, dhi, y);
    for (int k = lo[2]; k < hi[2] && status == AN_OK; k++)
        for (int j = lo[1]; j < hi[1]; j++)
            for (int i = lo[0]; i < hi[0]; i++, at++, p->count++) {
                int c[3] = {i, j, k}, d[3];
                an_cellmap_apply(&map, c, d);
                size_t dat = (size_t)(d[0] - dlo[0]) +
                             (size_t)(dhi[0] - dlo[0]) *
                                 ((size_t)(d[1] - dlo[1]) +
                                  (size_t)(dhi[1] - dlo[1]) * (size_t)(d[2] - dlo[2]));
                for (int v = 0; v < 3; v++) {
                    p->here[(size_t)v * p->capacity + p->count] = x[(size_t)v * count + at];
                    p->there[(size_t)v * p->capacity + p->count] = y[(size_t)v * count + dat];
                }
            }
    free(x);
    return status;
}

static int read_pairs(const struct an_mesh *m, const struct an_interface *f, struct pairs *p)
{
    int lo[3], hi[3], dir = f->window.dir;
    size_t count = 1;
    for (int a = 0; a < 3; a++) {
        lo[a] = f->window.lo[a];
        hi[a] = f->window.hi[a] + 1;
        if (a == dir) {
            lo[a] = f->window.side ? m->topology.block[f->window.block].n[a] : 0;
            hi[a] = lo[a] + 1;
        }
        count *= (size_t)(hi[a] - lo[a]);
    }
    memset(p, 0, sizeof *p);
    p->capacity = count <= MAX_NODES ? count : 9;
    p->here = malloc(6 * p->capacity * sizeof *p->here);
    AN_CHECK(p->here, AN_FAIL, "out of memory for the nodes of an interface");
    p->there = p->here + 3 * p->capacity;
    if (count <= MAX_NODES)
        return add_pairs(m, f, lo, hi, p);
    int u = (dir + 1) % 3, v = (dir + 2) % 3;
    for (int s = 0; s < 9; s++) {
        int a[3] = {lo[0], lo[1], lo[2]}, b[3];
        a[u] = lo[u] + (int)((int64_t)(hi[u] - 1 - lo[u]) * (s % 3) / 2);
        a[v] = lo[v] + (int)((int64_t)(hi[v] - 1 - lo[v]) * (s / 3) / 2);
        for (int d = 0; d < 3; d++)
            b[d] = a[d] + 1;
        AN_TRY(add_pairs(m, f, a, b, p));
    }
    return AN_OK;
}

/* Largest distance of here from R there + t, and where. */
static double distance(const struct pairs *p, const double rotation[9], const double t[3],
                       size_t *where)
{
    double largest = -1.;
    for (size_t n = 0; n < p->count; n++) {
        double sum = 0;
        for (int r = 0; r < 3; r++) {
            double d = p->here[(size_t)r * p->capacity + n] - t[r];
            for (int c = 0; c < 3; c++)
                d -= rotation[3 * r + c] * p->there[(size_t)c * p->capacity + n];
            sum += d * d;
        }
        if (sum > largest) {
            largest = sum;
            *where = n;
        }
    }
    return sqrt(largest);
}

/* What rounding and the file's digits explain: 1e-5 of the interface and float noise of the
 * position. */
static double tolerance(const struct pairs *p)
{
    double size = 0, far = 0;
    for (int a = 0; a < 3; a++) {
        double lo = INFINITY, hi = -INFINITY;
        for (size_t n = 0; n < p->count; n++) {
            lo = fmin(lo, p->here[(size_t)a * p->capacity + n]);
            hi = fmax(hi, p->here[(size_t)a * p->capacity + n]);
        }
        size = hypot(size, hi - lo);
        far = fmax(far, fmax(fabs(lo), fabs(hi)));
    }
    return 1e-5 * size + 4e-7 * far;
}

static void rotate_about_x(double angle, double rotation[9])
{
    const double r[9] = {1, 0, 0, 0, cos(angle), -sin(angle), 0, sin(angle), cos(angle)};
    memcpy(rotation, r, sizeof r);
}

/* The file holds a float: to the exact m-th part of the circle it stands for, if there is one. */
static double snap(double angle, int *snapped)
{
    const double circle = 2. * acos(-1.);
    *snapped = 1;
    for (int passages = 1; passages <= 8; passages++) {
        double parts = round(passages * circle / fabs(angle));
        double exact = parts > 0 ? passages * circle / parts : 0.;
        if (fabs(exact - fabs(angle)) <= (passages == 1 ? 1e-5 : 1e-6) * fabs(angle))
            return copysign(exact, angle);
    }
    *snapped = 0;
    return angle;
}

/* CGNS gives x_donor = R(a) (x_here - C) + C + t; ours is the way back,
 * x_here = R(-a) x_donor + C - R(-a) (C + t). */
static void set_periodicity(const struct an_mesh_periodic *p, double angle, double sign,
                            struct an_interface *f)
{
    rotate_about_x(-angle, f->rotation);
    for (int r = 0; r < 3; r++) {
        f->translation[r] = angle != 0. ? p->center[r] : 0.;
        for (int c = 0; c < 3; c++)
            f->translation[r] -= f->rotation[3 * r + c] *
                                 ((angle != 0. ? p->center[c] : 0.) + sign * p->translation[c]);
    }
    f->periodic = angle != 0. ? 2 : 1;
}

/* A pure translation is known to float precision only; the nodes know it better. Rounded, so that
 * interfaces of the same motion agree. */
static void refine_translation(const struct pairs *p, struct an_interface *f)
{
    if (f->periodic != 1)
        return;
    double length = hypot(hypot(f->translation[0], f->translation[1]), f->translation[2]);
    double grain = exp2(ceil(log2(length)) - 46.);
    for (int a = 0; a < 3; a++) {
        double sum = 0;
        for (size_t n = 0; n < p->count; n++)
            sum += p->here[(size_t)a * p->capacity + n] - p->there[(size_t)a * p->capacity + n];
        f->translation[a] = round(sum / (double)p->count / grain) * grain + 0.;
    }
}

void an_mesh_tell_motion(struct an_mesh_reader *r, const char *where,
                         const struct an_mesh_periodic *p, int way, const struct an_interface *f,
                         int snapped)
{
    const double angle = -atan2(f->rotation[7], f->rotation[4]);
    const int degrees = p->to_radians > 0. && p->to_radians < 1.;
    if (way % 2)
        an_diag_warning(r->diag, where,
                        "the periodic %s has the wrong sign; the nodes fit with the other",
                        f->periodic == 2 ? "angle" : "translation");
    if (way / 2 && p->to_radians > 0.)
        an_diag_warning(r->diag, where, "the periodic angle %g is in %s, not in the file's unit",
                        p->angle[0], degrees ? "radians" : "degrees");
    if (!snapped)
        an_diag_warning(r->diag, where,
                        "the periodic angle %.7g degrees is no part of the circle; it is used "
                        "as it is, with the digits of a float",
                        angle * 180. / acos(-1.));
}

int an_mesh_motion(const struct an_mesh_periodic *p, int way, struct an_interface *f, int *snapped)
{
    const double degree = acos(-1.) / 180.;
    const double unit[2] = {p->to_radians > 0. ? p->to_radians : 1.,
                            p->to_radians > 0. && p->to_radians < 1. ? 1. : degree};
    const double sign = way % 2 ? -1. : 1.;
    *snapped = 1;
    const double angle = p->angle[0] != 0. ? snap(sign * p->angle[0] * unit[way / 2], snapped) : 0.;
    if (angle == 0. && way > 1)
        return 0;
    set_periodicity(p, angle, sign, f);
    return 1;
}

/* Tries the file's reading first, then the other angle unit and the other sense. Returns whether
 * one brings the nodes together; f holds that one, or the file's. */
static int find_periodicity(struct an_mesh_reader *r, const char *where,
                            const struct an_mesh_periodic *p, const struct pairs *nodes,
                            double allowed, struct an_interface *f)
{
    size_t at;
    int snapped;
    for (int n = 0; n < 4; n++) {
        if (!an_mesh_motion(p, n, f, &snapped))
            break;
        if (!(distance(nodes, f->rotation, f->translation, &at) <= allowed))
            continue;
        refine_translation(nodes, f);
        an_mesh_tell_motion(r, where, p, n, f, snapped);
        return 1;
    }
    an_mesh_motion(p, 0, f, &snapped);
    return 0;
}

int an_mesh_turns_elsewhere(struct an_mesh_reader *r, const char *where,
                            const struct an_mesh_periodic *p)
{
    if (!p->given || !(p->angle[1] != 0. || p->angle[2] != 0. ||
                       (p->angle[0] != 0. && (p->center[1] != 0. || p->center[2] != 0.))))
        return 0;
    an_diag_error(r->diag, where,
                  "periodic rotation by (%g, %g, %g) about (%g, %g, %g): only rotation about the "
                  "x axis can be used; mesh_axis turns a mesh whose axis is y or z",
                  p->angle[0], p->angle[1], p->angle[2], p->center[0], p->center[1], p->center[2]);
    return 1;
}

int an_mesh_match_nodes(struct an_mesh_reader *r, struct an_interface *f,
                        const struct an_mesh_periodic *p)
{
    char where[1200];
    struct pairs nodes;
    size_t at = 0;
    strcpy(where, an_mesh_where(r, f->window.block, f->name));
    rotate_about_x(0., f->rotation);
    if (an_mesh_turns_elsewhere(r, where, p))
        return AN_OK;
    int status = read_pairs(r->m, f, &nodes);
    if (status != AN_OK) {
        an_diag_error(r->diag, NULL, "%s", an_error_text());
        free(nodes.here);
        return status;
    }
    double allowed = tolerance(&nodes);
    int fits = p->given && find_periodicity(r, where, p, &nodes, allowed, f);
    double apart = distance(&nodes, f->rotation, f->translation, &at);
    if (!fits && !(apart <= allowed))
        an_diag_error(r->diag, where,
                      "the nodes of zone '%s' lie up to %.3g m from their donors in zone '%s'%s "
                      "(allowed: %.3g m), worst at (%.6g, %.6g, %.6g)",
                      r->m->topology.block[f->window.block].name, apart,
                      r->m->topology.block[f->donor].name,
                      p->given ? " after the periodic motion" : "", allowed, nodes.here[at],
                      nodes.here[nodes.capacity + at], nodes.here[2 * nodes.capacity + at]);
    free(nodes.here);
    return AN_OK;
}

/* Volume of a cell from its 8 nodes x[3][8]: triple product of the mean edges. */
static double cell_volume(const double *x, double *size)
{
    double e[3][3];
    *size = 0;
    for (int dir = 0; dir < 3; dir++)
        for (int a = 0; a < 3; a++) {
            e[dir][a] = 0;
            for (int v = 0; v < 8; v++)
                e[dir][a] += (v >> dir & 1 ? .25 : -.25) * x[8 * a + v];
            *size = fmax(*size, fabs(e[dir][a]));
        }
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
           e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

/* Signs of the volumes at the eight corners and the centre. */
static int sample_zone(struct an_mesh_reader *r, int zone, int *positive, int *negative,
                       int worst[3])
{
    const int *n = r->m->topology.block[zone].n;
    *positive = *negative = 0;
    for (int s = 0; s < 9; s++) {
        int lo[3], hi[3];
        double x[24], size;
        for (int a = 0; a < 3; a++) {
            lo[a] = s == 8 ? n[a] / 2 : (s >> a & 1) ? n[a] - 1 : 0;
            hi[a] = lo[a] + 2;
        }
        int status = an_mesh_read_nodes(r->m, zone, lo, hi, x);
        if (status != AN_OK) {
            an_diag_error(r->diag, NULL, "%s", an_error_text());
            return status;
        }
        double volume = cell_volume(x, &size);
        *positive += volume > 1e-14 * size * size * size;
        if (volume < -1e-14 * size * size * size && (*negative)++ == 0)
            memcpy(worst, lo, sizeof lo);
    }
    return AN_OK;
}

int an_mesh_check_handedness(struct an_mesh_reader *r)
{
    struct an_mesh *m = r->m;
    int status = AN_OK;
    for (int z = 0; z < m->topology.nblock && status == AN_OK; z++) {
        int positive, negative, worst[3] = {0};
        status = sample_zone(r, z, &positive, &negative, worst);
        if (status != AN_OK)
            break;
        if (m->dimension == 2 && z == 0 && negative > positive) {
            m->span = -1.; /* i, j run clockwise: the span goes to -z */
            status = sample_zone(r, z, &positive, &negative, worst);
        }
        if (negative && !positive && m->dimension == 3)
            m->scale[z].left_handed = 1;
        else if (negative && !positive)
            an_diag_error(r->diag, an_mesh_where(r, z, NULL),
                          "its indices run the other way round than those of the first zone; swap "
                          "its two directions");
        else if (negative)
            an_diag_error(r->diag, an_mesh_where(r, z, NULL),
                          "cell (%d,%d,%d), counted from 0, has a negative volume", worst[0],
                          worst[1], worst[2]);
        else if (!positive)
            an_diag_error(
                r->diag, an_mesh_where(r, z, NULL),
                m->dimension == 2
                    ? "its cells have no area in the x, y plane; a 2-D mesh must lie in it"
                    : "its cells have no volume");
    }
    return status;
}

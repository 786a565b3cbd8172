/* Abutting interfaces: connections of type Abutting without AverageInterface_t.
 *
 * A connection names faces of its zone and one donor zone; the way back is a connection of the donor
 * zone that names this one. Connections that share faces (one face against many), or that are each
 * other's way back, belong to one interface, whose two sides become two boundaries that name each other.
 * Where no two sides can be told apart (a zone that touches itself), the interface is one boundary
 * whose other side is itself. A boundary is called as its first connection, with a number where that
 * name is taken. Which faces meet which is found from the coordinates (bc/abut.h).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mesh_internal.h"

/* Connections as sets with two sides: parent and, of the way to it, whether it is the other side. */
struct sets {
    int *parent, *across, *mixed; /* [nabut]; mixed: of roots: the sides cannot be told apart */
};

static int root_of(struct sets *k, int n, int *across)
{
    *across = 0;
    for (; k->parent[n] != n; n = k->parent[n])
        *across ^= k->across[n];
    return n;
}

static void join(struct sets *k, int n, int m, int across)
{
    int a, b;
    const int p = root_of(k, n, &a), q = root_of(k, m, &b);
    if (p == q) {
        k->mixed[p] |= (a ^ b) != across;
        return;
    }
    const int low = p < q ? p : q, high = p < q ? q : p;
    k->parent[high] = low;
    k->across[high] = a ^ b ^ across;
    k->mixed[low] |= k->mixed[high];
}

/* Do two connections have the same motion (back = 0), or is one the way back of the other's? */
static int same_motion(const struct an_mesh_abut *a, const struct an_mesh_abut *b, int back)
{
    const struct an_mesh_periodic *p = &a->periodic, *q = &b->periodic;
    const double sign = back ? -1 : 1;
    if (p->given != q->given)
        return 0;
    if (!p->given)
        return 1;
    if (p->angle[0] != 0 || q->angle[0] != 0)
        return fabs(p->angle[0] - sign * q->angle[0]) <= 1e-3 * fabs(p->angle[0]);
    double off = 0, size = 0;
    for (int c = 0; c < 3; c++) {
        const double d = p->translation[c] - sign * q->translation[c];
        off += d * d;
        size += p->translation[c] * p->translation[c];
    }
    return off <= 1e-6 * size;
}

static int is_way_back(const struct an_mesh_abut *a, const struct an_mesh_abut *b)
{
    return a->zone == b->donor && a->donor == b->zone && same_motion(a, b, 1);
}

/* Joins each connection with its ways back. */
static void join_across(struct an_mesh_reader *r, struct sets *k)
{
    for (int n = 0; n < r->nabut; n++) {
        const struct an_mesh_abut *a = &r->abut[n];
        int found = 0;
        for (int m = 0; m < r->nabut; m++)
            if (m != n && is_way_back(a, &r->abut[m])) {
                join(k, n, m, 1);
                found = 1;
            }
        if (!found && !a->periodic.given && a->zone == a->donor) {
            join(k, n, n, 1);
            found = 1;
        }
        for (int m = 0; m < r->nabut && !found; m++) /* of several donors a file may name one */
            if (m != n && r->abut[m].zone == a->donor && same_motion(a, &r->abut[m], 1)) {
                join(k, n, m, 1);
                found = 1;
            }
        if (!found)
            an_diag_error(r->diag, an_mesh_where(r, a->zone, a->name),
                          "the donor zone '%s' has no abutting connection back to it%s",
                          r->m->topology.block[a->donor].name,
                          a->periodic.given ? " by the opposite periodic motion" : "");
    }
}

/* ---- faces ---- */

/* Paints each window of a zone's face with its connection; joins those that share cells. */
static int paint(struct an_mesh_reader *r, struct sets *k, const struct an_window *face, int *mark)
{
    const int *n = r->m->topology.block[face->block].n;
    const int da = (face->dir + 1) % 3, db = (face->dir + 2) % 3, na = n[da];
    int some = 0;
    for (int c = 0; c < na * n[db]; c++)
        mark[c] = -1;
    for (int m = 0; m < r->nabut; m++)
        for (int v = 0; v < r->abut[m].nwindow; v++) {
            const struct an_window *w = &r->abut[m].window[v];
            if (w->block != face->block || w->dir != face->dir || w->side != face->side)
                continue;
            some = 1;
            for (int b = w->lo[db]; b < w->hi[db]; b++)
                for (int a = w->lo[da]; a < w->hi[da]; a++) {
                    int *at = &mark[b * na + a];
                    if (*at >= 0 && *at != m && !same_motion(&r->abut[*at], &r->abut[m], 0)) {
                        an_diag_error(r->diag, an_mesh_where(r, face->block, r->abut[m].name),
                                      "shares faces with '%s', which has another periodic motion",
                                      r->abut[*at].name);
                        return -1;
                    }
                    if (*at >= 0)
                        join(k, m, *at, 0);
                    else
                        *at = m;
                }
        }
    return some;
}

struct visit {
    struct an_mesh_reader *r;
    struct sets *k;
    const int *boundary; /* of each connection; NULL: only join */
};

static int add_patches(const struct visit *v, const struct an_window *face, int *mark)
{
    struct an_mesh_reader *r = v->r;
    const int *n = r->m->topology.block[face->block].n;
    const int cells = n[(face->dir + 1) % 3] * n[(face->dir + 2) % 3];
    for (int c = 0; c < cells; c++)
        mark[c] = mark[c] < 0 ? -1 : v->boundary[mark[c]];
    for (int c = 0; c < cells; c++) {
        struct an_window *list = NULL;
        int count = 0;
        const int boundary = mark[c];
        if (boundary < 0)
            continue;
        int status = an_mesh_rectangles(n, face, mark, boundary, &list, &count);
        for (int w = 0; w < count && status == AN_OK; w++)
            status = an_mesh_add_patch(r, &list[w], boundary);
        free(list);
        AN_TRY(status);
    }
    return AN_OK;
}

/* All faces of all zones that connections name something of. */
static int visit_faces(const struct visit *v)
{
    const struct an_topology *t = &v->r->m->topology;
    for (int z = 0; z < t->nblock; z++) {
        int named = 0;
        for (int m = 0; m < v->r->nabut; m++)
            named |= v->r->abut[m].zone == z;
        for (int f = 0; f < 6 && named; f++) {
            const struct an_window face = {.block = z, .dir = f / 2, .side = f % 2};
            const int *n = t->block[z].n;
            int *mark =
                malloc((size_t)n[(f / 2 + 1) % 3] * (size_t)n[(f / 2 + 2) % 3] * sizeof *mark);
            AN_CHECK(mark, AN_FAIL, "out of memory for the interfaces");
            const int some = paint(v->r, v->k, &face, mark);
            const int status = some > 0 && v->boundary ? add_patches(v, &face, mark) : AN_OK;
            free(mark);
            AN_TRY(status);
            if (some < 0)
                return AN_OK;
        }
    }
    return AN_OK;
}

/* ---- motion ---- */

/* Area, middle by area and bounds of a side. */
struct extent {
    double area, middle[3], lo[3], hi[3];
};

static int measure_window(const struct an_mesh *m, const struct an_window *w, struct extent *e)
{
    const int u = w->dir == 0 ? 1 : 0, v = w->dir == 2 ? 1 : 2;
    int lo[3], hi[3];
    for (int a = 0; a < 3; a++) {
        const int at = w->side ? m->topology.block[w->block].n[a] : 0;
        lo[a] = a == w->dir ? at : w->lo[a];
        hi[a] = a == w->dir ? at + 1 : w->hi[a] + 1;
    }
    const size_t wide = (size_t)(hi[u] - lo[u]), count = wide * (size_t)(hi[v] - lo[v]);
    double *x = malloc(3 * count * sizeof *x);
    AN_CHECK(x, AN_FAIL, "out of memory for the nodes of an interface");
    const int status = an_mesh_read_nodes(m, w->block, lo, hi, x);
    for (size_t p = 0; p < count && status == AN_OK; p++) {
        double d[2][3], s = 0;
        const int inside = p % wide + 1 < wide && p + wide < count;
        for (int a = 0; a < 3; a++) {
            const double *q = x + (size_t)a * count + p;
            e->lo[a] = fmin(e->lo[a], *q);
            e->hi[a] = fmax(e->hi[a], *q);
            d[0][a] = inside ? q[wide + 1] - q[0] : 0;
            d[1][a] = inside ? q[wide] - q[1] : 0;
        }
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            const double n = d[0][b] * d[1][c] - d[0][c] * d[1][b];
            s += 0.25 * n * n;
        }
        for (int a = 0; a < 3 && inside; a++) {
            const double *q = x + (size_t)a * count + p;
            e->middle[a] += sqrt(s) * 0.25 * (q[0] + q[1] + q[wide] + q[wide + 1]);
        }
        e->area += sqrt(s);
    }
    free(x);
    return status;
}

static int measure_side(const struct an_mesh *m, int boundary, struct extent *e)
{
    const struct an_topology *t = &m->topology;
    *e = (struct extent){.lo = {INFINITY, INFINITY, INFINITY},
                         .hi = {-INFINITY, -INFINITY, -INFINITY}};
    for (int p = 0; p < t->npatch; p++)
        if (t->patch[p].boundary == boundary)
            AN_TRY(measure_window(m, &t->patch[p].window, e));
    for (int a = 0; a < 3; a++)
        e->middle[a] = e->area > 0 ? e->middle[a] / e->area : 0;
    return AN_OK;
}

int an_mesh_side_middle(const struct an_mesh *m, int boundary, double middle[3])
{
    struct extent e;
    AN_TRY(measure_side(m, boundary, &e));
    memcpy(middle, e.middle, sizeof e.middle);
    return AN_OK;
}

static double size_of(const struct extent *e)
{
    return hypot(hypot(e->hi[0] - e->lo[0], e->hi[1] - e->lo[1]), e->hi[2] - e->lo[2]);
}

/* How far the middle of the donors lies from that of this side after the motion. */
static double apart(const struct extent *here, const struct extent *there,
                    const struct an_interface *f)
{
    double sum = 0;
    for (int r = 0; r < 3; r++) {
        double d = here->middle[r] - f->translation[r];
        for (int c = 0; c < 3; c++)
            d -= f->rotation[3 * r + c] * there->middle[c];
        sum += d * d;
    }
    return sqrt(sum);
}

/* The file has a translation as a float; the bounds of both sides know it better. */
static void refine(const struct extent *here, const struct extent *there, struct an_interface *f)
{
    const double length = hypot(hypot(f->translation[0], f->translation[1]), f->translation[2]);
    const double grain = exp2(ceil(log2(length)) - 46.);
    for (int a = 0; a < 3; a++) {
        const double low = here->lo[a] - there->lo[a], high = here->hi[a] - there->hi[a];
        const double far = fmax(fabs(here->lo[a]), fabs(here->hi[a])) + length;
        const double found = round(0.5 * (low + high) / grain) * grain + 0.;
        if (fabs(low - high) <= 1e-9 * far && fabs(found - f->translation[a]) <= 1e-6 * far)
            f->translation[a] = found;
    }
}

static void set_motion(struct an_boundary *b, const struct an_interface *f)
{
    b->periodic = f->periodic;
    memcpy(b->rotation, f->rotation, sizeof b->rotation);
    memcpy(b->translation, f->translation, sizeof b->translation);
}

/* The motion of a side from that of connection n, which must bring the middles together. */
static int find_motion(struct an_mesh_reader *r, int n, int side, int other)
{
    const struct an_mesh_abut *a = &r->abut[n];
    struct an_boundary *boundary = r->m->topology.boundary;
    struct an_interface f = {.window = {.block = a->zone}};
    struct extent here, there;
    char where[1200];
    double best = INFINITY;
    int way = 0, snapped = 1;
    snprintf(where, sizeof where, "%s", an_mesh_where(r, a->zone, a->name));
    AN_TRY(measure_side(r->m, side, &here));
    AN_TRY(measure_side(r->m, other, &there));
    for (int w = 0; w < 4 && an_mesh_motion(&a->periodic, w, &f, &snapped); w++)
        if (apart(&here, &there, &f) < 0.999 * best) {
            best = apart(&here, &there, &f);
            way = w;
        }
    an_mesh_motion(&a->periodic, way, &f, &snapped);
    if (!(best <= 0.02 * fmax(size_of(&here), size_of(&there)))) {
        const double degree = acos(-1.) / 180;
        an_mesh_motion(&a->periodic, 0, &f, &snapped);
        an_diag_error(
            r->diag, where,
            "the periodic %s of the file leaves the middles of the two sides %.3g m apart: this "
            "side "
            "is around (%.6g, %.6g, %.6g) m, the other around (%.6g, %.6g, %.6g) m, %.6g degrees "
            "further about the x axis",
            f.periodic == 2 ? "angle" : "translation", apart(&here, &there, &f), here.middle[0],
            here.middle[1], here.middle[2], there.middle[0], there.middle[1], there.middle[2],
            (atan2(there.middle[2], there.middle[1]) - atan2(here.middle[2], here.middle[1])) /
                degree);
        return AN_OK;
    }
    if (f.periodic == 1)
        refine(&here, &there, &f);
    an_mesh_tell_motion(r, where, &a->periodic, way, &f, snapped);
    const struct an_interface back = an_interface_mirror(&f);
    set_motion(&boundary[side], &f);
    set_motion(&boundary[other], &back);
    return AN_OK;
}

/* ---- sides that the case file joins ---- */

int an_mesh_part_of_circle(const double from[3], const double to[3], double *angle)
{
    const double turn = 2 * acos(-1.), size = hypot(from[1], from[2]);
    double found = atan2(to[2], to[1]) - atan2(from[2], from[1]);
    found -= turn * round(found / turn);
    const double parts = round(turn / fmax(fabs(found), 1e-6));
    *angle = copysign(turn / parts, found);
    return parts > 1 && parts < 100000 && fabs(found / *angle - 1) < 1e-3 &&
           fabs(hypot(to[1], to[2]) - size) <= 1e-3 * size;
}

/* Is the side `here` the side `there`, moved by f->translation? */
static int is_shifted(const struct extent *here, const struct extent *there, double size,
                      struct an_interface *f)
{
    int same = 1;
    for (int a = 0; a < 3; a++) {
        f->translation[a] = here->middle[a] - there->middle[a];
        same &= fabs(here->lo[a] - there->lo[a] - f->translation[a]) <= 1e-3 * size;
        same &= fabs(here->hi[a] - there->hi[a] - f->translation[a]) <= 1e-3 * size;
    }
    return same;
}

static int is_turned(const struct extent *here, const struct extent *there, double size,
                     struct an_interface *f)
{
    double angle;
    if (fabs(here->middle[0] - there->middle[0]) > 1e-3 * size ||
        !an_mesh_part_of_circle(there->middle, here->middle, &angle))
        return 0;
    const double c = cos(angle), s = sin(angle);
    const double rotation[9] = {1, 0, 0, 0, c, -s, 0, s, c};
    memcpy(f->rotation, rotation, sizeof f->rotation);
    return 1;
}

int an_mesh_join_sides(struct an_mesh *m, int side, int other, const char *where,
                       struct an_diag *diag)
{
    struct an_boundary *boundary = m->topology.boundary;
    struct an_interface shift = {.periodic = 1, .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    struct an_interface turn = {.periodic = 2};
    struct extent here, there;
    AN_TRY(measure_side(m, side, &here));
    AN_TRY(measure_side(m, other, &there));
    const double size = fmax(size_of(&here), size_of(&there));
    double away = 0;
    for (int a = 0; a < 3; a++)
        away = hypot(away, here.middle[a] - there.middle[a]);
    for (int n = 0; n < 2; n++) {
        struct an_boundary *b = &boundary[n ? other : side];
        b->type = AN_BC_ABUTTING;
        b->periodic = 0;
        snprintf(b->with, sizeof b->with, "%s", boundary[n ? side : other].name);
    }
    if (!(away > 0.02 * size))
        return AN_OK;
    const int shifted = is_shifted(&here, &there, size, &shift);
    const int turned = is_turned(&here, &there, size, &turn);
    if (shifted && turned) {
        an_diag_error(diag, where,
                      "the sides '%s' and '%s' are half a turn about the x axis apart, and also "
                      "(%g, %g, %g) m: the mesh has to say by a periodic interface which is meant",
                      boundary[side].name, boundary[other].name, shift.translation[0],
                      shift.translation[1], shift.translation[2]);
        return AN_OK;
    }
    if (!shifted && !turned)
        return AN_OK; /* they do not fit, as is told once their faces are matched */
    if (shifted)
        refine(&here, &there, &shift);
    const struct an_interface back = an_interface_mirror(shifted ? &shift : &turn);
    set_motion(&boundary[side], shifted ? &shift : &turn);
    set_motion(&boundary[other], &back);
    return AN_OK;
}

/* ---- boundaries ---- */

/* The boundary of connection n, the first of its side. */
static int name_side(struct an_mesh_reader *r, int n)
{
    const struct an_mesh_abut *a = &r->abut[n];
    char name[AN_NAME];
    snprintf(name, sizeof name, "%s", a->name);
    for (int copy = 2; an_boundary_find(&r->m->topology, name) >= 0; copy++)
        snprintf(name, sizeof name, "%.20s:%d", a->name, copy);
    const int b = an_mesh_boundary(r, a->zone, name, AN_BC_ABUTTING, 0);
    if (b >= 0) {
        const double still[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        memcpy(r->m->topology.boundary[b].rotation, still, sizeof still);
    }
    return b;
}

static int make_boundaries(struct an_mesh_reader *r, struct sets *k, int *boundary)
{
    for (int n = 0; n < r->nabut; n++) {
        int across, other;
        const int root = root_of(k, n, &across);
        boundary[n] = -1;
        for (int m = 0; m < n && boundary[n] < 0; m++)
            if (root_of(k, m, &other) == root && (k->mixed[root] || other == across))
                boundary[n] = boundary[m];
        if (boundary[n] < 0)
            boundary[n] = name_side(r, n);
        AN_CHECK(boundary[n] >= 0, AN_FAIL, "out of memory for the boundaries");
        struct an_boundary *all = r->m->topology.boundary, *mine = &all[boundary[n]];
        if (k->mixed[root] && r->abut[n].periodic.given)
            an_diag_error(r->diag, an_mesh_where(r, r->abut[n].zone, r->abut[n].name),
                          "the two sides of this periodic interface cannot be told apart");
        if (k->mixed[root])
            memcpy(mine->with, mine->name, sizeof mine->with);
        for (int m = 0; m < n && !k->mixed[root]; m++)
            if (root_of(k, m, &other) == root && other != across) {
                memcpy(mine->with, all[boundary[m]].name, sizeof mine->with);
                memcpy(all[boundary[m]].with, mine->name, sizeof mine->with);
                break;
            }
    }
    return AN_OK;
}

static int pair(struct an_mesh_reader *r, struct sets *k, int *boundary)
{
    const int before = r->diag->nerror;
    struct visit v = {r, k, NULL};
    for (int n = 0; n < r->nabut; n++)
        k->parent[n] = n;
    join_across(r, k);
    AN_TRY(visit_faces(&v));
    if (r->diag->nerror == before)
        AN_TRY(make_boundaries(r, k, boundary));
    if (r->diag->nerror != before)
        return AN_INPUT;
    v.boundary = boundary;
    AN_TRY(visit_faces(&v));
    for (int n = 0; n < r->nabut; n++) {
        const int other =
            an_boundary_find(&r->m->topology, r->m->topology.boundary[boundary[n]].with);
        const int known = r->m->topology.boundary[boundary[n]].periodic;
        if (r->abut[n].periodic.given && !known && r->diag->nerror == before)
            AN_TRY(find_motion(r, n, boundary[n], other));
    }
    return AN_OK;
}

int an_mesh_pair_abutting(struct an_mesh_reader *r)
{
    const size_t n = (size_t)r->nabut;
    if (!n)
        return AN_OK;
    int *work = calloc(4 * n, sizeof *work);
    struct sets k = {work, work ? work + n : NULL, work ? work + 2 * n : NULL};
    const int status = work ? pair(r, &k, work + 3 * n)
                            : an_error_set(AN_FAIL, "out of memory for the boundaries");
    free(work);
    return status;
}

#include "bc/abut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR   0.25 /* of the diagonal of a face: the other side may lie apart by this */
#define MISSED 0.02 /* of the area: gaps and overlaps that are the digits of curved edges */

/* ---- vectors ---- */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static int normalise(double a[3])
{
    const double length = sqrt(dot(a, a));
    for (int c = 0; c < 3; c++)
        a[c] = length > 0 ? a[c] / length : 0;
    return length > 0;
}

/* A vector of the other side, brought to this one, or back. */
static void turn(const struct an_abut_side *s, int back, const double v[3], double to[3])
{
    const double from[3] = {v[0], v[1], v[2]};
    for (int r = 0; r < 3; r++) {
        to[r] = from[r];
        if (s->periodic)
            to[r] = back ? s->rotation[r] * from[0] + s->rotation[3 + r] * from[1] +
                               s->rotation[6 + r] * from[2]
                         : dot(s->rotation + 3 * (ptrdiff_t)r, from);
    }
}

static void bring(const struct an_abut_side *s, const double x[3], double to[3])
{
    turn(s, 0, x, to);
    for (int c = 0; c < 3 && s->periodic; c++)
        to[c] += s->translation[c];
}

/* ---- a face as it is matched, in the frame of the lower side ---- */

struct quad {
    double p[4][3], centre[3], normal[3], area, diagonal;
};

static struct quad quad_of(const struct an_abut_face *f, const struct an_abut_side *s)
{
    const struct an_abut_side still = {0};
    struct quad q;
    double a[3], b[3];
    memset(q.centre, 0, sizeof q.centre);
    for (int n = 0; n < 4; n++) {
        bring(s ? s : &still, f->corner[n], q.p[n]);
        for (int c = 0; c < 3; c++)
            q.centre[c] += 0.25 * q.p[n][c];
    }
    turn(s ? s : &still, 0, f->area, q.normal);
    q.area = sqrt(dot(q.normal, q.normal));
    normalise(q.normal);
    for (int c = 0; c < 3; c++) {
        a[c] = q.p[2][c] - q.p[0][c];
        b[c] = q.p[3][c] - q.p[1][c];
    }
    q.diagonal = sqrt(fmax(dot(a, a), dot(b, b)));
    return q;
}

/* ---- a tree of boxes ---- */

struct box {
    double lo[3], hi[3];
};

struct node {
    struct box box;
    int first, count; /* of order; count 0: children */
    int child[2];
};

struct tree {
    int *order; /* faces */
    struct node *node;
    int nnode;
};

static void box_add(struct box *b, const struct box *a)
{
    for (int c = 0; c < 3; c++) {
        b->lo[c] = fmin(b->lo[c], a->lo[c]);
        b->hi[c] = fmax(b->hi[c], a->hi[c]);
    }
}

static const struct box nothing = {{INFINITY, INFINITY, INFINITY},
                                   {-INFINITY, -INFINITY, -INFINITY}};

static struct box box_of(const struct quad *q, double wider)
{
    struct box b = nothing;
    for (int n = 0; n < 4; n++)
        for (int c = 0; c < 3; c++) {
            b.lo[c] = fmin(b.lo[c], q->p[n][c] - wider);
            b.hi[c] = fmax(b.hi[c], q->p[n][c] + wider);
        }
    return b;
}

static int boxes_meet(const struct box *a, const struct box *b)
{
    int meet = 1;
    for (int c = 0; c < 3; c++)
        meet &= a->lo[c] <= b->hi[c] && b->lo[c] <= a->hi[c];
    return meet;
}

struct keyed {
    double key;
    int face;
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *p = a, *q = b;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    return p->face < q->face ? -1 : p->face > q->face;
}

/* list[n] of faces becomes a subtree; returns its root. */
static int grow(struct tree *t, struct keyed *list, int first, int n, const struct box *box)
{
    const int at = t->nnode++;
    struct box all = nothing;
    int widest = 0;
    for (int m = 0; m < n; m++)
        box_add(&all, &box[list[first + m].face]);
    t->node[at] = (struct node){.box = all, .first = first, .count = n};
    if (n <= 4)
        return at;
    for (int c = 1; c < 3; c++)
        if (all.hi[c] - all.lo[c] > all.hi[widest] - all.lo[widest])
            widest = c;
    for (int m = first; m < first + n; m++)
        list[m].key = box[list[m].face].lo[widest] + box[list[m].face].hi[widest];
    qsort(list + first, (size_t)n, sizeof *list, by_key);
    t->node[at].count = 0;
    t->node[at].child[0] = grow(t, list, first, n / 2, box);
    const int second = grow(t, list, first + n / 2, n - n / 2, box);
    t->node[at].child[1] = second;
    return at;
}

static void tree_free(struct tree *t)
{
    free(t->order);
    free(t->node);
    memset(t, 0, sizeof *t);
}

static int by_number(const void *a, const void *b)
{
    const int p = *(const int *)a, q = *(const int *)b;
    return p < q ? -1 : p > q;
}

/* Faces whose boxes meet one, ascending, into found[]; returns how many. */
static int tree_find(const struct tree *t, const struct box *box, const struct box *with,
                     int *found)
{
    int stack[128], depth = 0, n = 0;
    if (t->nnode)
        stack[depth++] = 0;
    while (depth) {
        const struct node *k = &t->node[stack[--depth]];
        if (!boxes_meet(&k->box, with))
            continue;
        for (int m = 0; m < k->count; m++)
            if (boxes_meet(&box[t->order[k->first + m]], with))
                found[n++] = t->order[k->first + m];
        if (!k->count && depth < 126) {
            stack[depth++] = k->child[1];
            stack[depth++] = k->child[0];
        }
    }
    qsort(found, (size_t)n, sizeof *found, by_number);
    return n;
}

/* ---- what two faces have in common ---- */

typedef double point[2];

/* Area of a polygon, counter-clockwise positive, and its centroid. */
static double polygon(int n, point *p, point centre)
{
    double area = 0, x = 0, y = 0;
    for (int m = 1; m + 1 < n; m++) {
        const double ax = p[m][0] - p[0][0], ay = p[m][1] - p[0][1];
        const double bx = p[m + 1][0] - p[0][0], by = p[m + 1][1] - p[0][1];
        const double twice = ax * by - ay * bx;
        area += 0.5 * twice;
        x += twice * (ax + bx) / 6;
        y += twice * (ay + by) / 6;
    }
    centre[0] = n ? p[0][0] + (area != 0 ? x / area : 0) : 0;
    centre[1] = n ? p[0][1] + (area != 0 ? y / area : 0) : 0;
    return area;
}

/* Clips a polygon of n <= 8 points in place by a convex one of m points, both counter-clockwise
 * (Sutherland, Hodgman 1974); returns the number of points. */
static int clip(int n, point *p, int m, point *by)
{
    for (int e = 0; e < m && n; e++) {
        point kept[16];
        const double *a = by[e], *b = by[(e + 1) % m];
        const double ex = b[0] - a[0], ey = b[1] - a[1];
        int count = 0;
        for (int v = 0; v < n && count < 14; v++) {
            const double *s = p[v], *t = p[(v + 1) % n];
            const double ds = ex * (s[1] - a[1]) - ey * (s[0] - a[0]);
            const double dt = ex * (t[1] - a[1]) - ey * (t[0] - a[0]);
            if (ds >= 0)
                memcpy(kept[count++], s, sizeof *kept);
            if ((ds > 0 && dt < 0) || (ds < 0 && dt > 0)) {
                const double part = ds / (ds - dt);
                kept[count][0] = s[0] + part * (t[0] - s[0]);
                kept[count++][1] = s[1] + part * (t[1] - s[1]);
            }
        }
        n = count;
        memcpy(p, kept, (size_t)n * sizeof *kept);
    }
    return n;
}

static void project(const struct quad *q, const double from[3], double e[2][3], point *p)
{
    point ignored;
    for (int n = 0; n < 4; n++)
        for (int c = 0; c < 2; c++) {
            p[n][c] = 0;
            for (int d = 0; d < 3; d++)
                p[n][c] += (q->p[n][d] - from[d]) * e[c][d];
        }
    if (polygon(4, p, ignored) >= 0)
        return;
    for (int c = 0; c < 2; c++) {
        const double swap = p[1][c];
        p[1][c] = p[3][c];
        p[3][c] = swap;
    }
}

/* A quadrilateral as convex pieces: itself, or two triangles. */
static int convex_pieces(point *q, int count[2], point piece[2][4])
{
    int inner = -1;
    for (int n = 0; n < 4; n++) {
        const double *a = q[(n + 3) % 4], *b = q[n], *c = q[(n + 1) % 4];
        if ((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) < 0)
            inner = n;
    }
    if (inner < 0) {
        memcpy(piece[0], q, 4 * sizeof *q);
        count[0] = 4;
        return 1;
    }
    for (int t = 0; t < 2; t++) {
        count[t] = 3;
        memcpy(piece[t][0], q[inner], sizeof *q);
        memcpy(piece[t][1], q[(inner + 1 + t) % 4], sizeof *q);
        memcpy(piece[t][2], q[(inner + 2 + t) % 4], sizeof *q);
    }
    return 2;
}

/* Height of the plane of a face above `from` along n, at a point of the projection. */
static double height(const struct quad *q, const double from[3], const double n[3], double e[2][3],
                     const point at)
{
    double d[3];
    for (int c = 0; c < 3; c++)
        d[c] = q->centre[c] - from[c] - at[0] * e[0][c] - at[1] * e[1][c];
    return dot(d, q->normal) / dot(n, q->normal);
}

/* The facet of two faces; returns 0 where they have none. */
static int facet_of(const struct quad *i, const struct quad *j, struct an_abut_facet *f,
                    double *distance)
{
    double n[3], e[2][3], sum[2] = {0, 0};
    point a[16], b[4], piece[2][4];
    int count[2];
    if (!(i->area > 0) || !(j->area > 0) || dot(i->normal, j->normal) > -0.3)
        return 0;
    for (int c = 0; c < 3; c++)
        n[c] = i->normal[c] - j->normal[c];
    normalise(n);
    const double axis[3] = {fabs(n[0]) < 0.6, fabs(n[0]) >= 0.6, 0};
    cross(n, axis, e[0]);
    normalise(e[0]);
    cross(n, e[0], e[1]);
    project(j, i->centre, e, b);
    f->size = 0;
    const int pieces = convex_pieces(b, count, piece);
    for (int p = 0; p < pieces; p++) {
        point centre;
        project(i, i->centre, e, a);
        const int left = clip(4, a, count[p], piece[p]);
        const double area = left > 2 ? polygon(left, a, centre) : 0;
        if (!(area > 0))
            continue;
        f->size += area;
        sum[0] += area * centre[0];
        sum[1] += area * centre[1];
    }
    if (!(f->size > 1e-9 * fmin(i->area, j->area)))
        return 0;
    const point at = {sum[0] / f->size, sum[1] / f->size};
    const double hi = height(i, i->centre, n, e, at), hj = height(j, i->centre, n, e, at);
    *distance = fabs(hi - hj);
    if (*distance > NEAR * fmax(i->diagonal, j->diagonal))
        return 0;
    for (int c = 0; c < 3; c++) {
        f->x[c] = i->centre[c] + at[0] * e[0][c] + at[1] * e[1][c] + 0.5 * (hi + hj) * n[c];
        f->area[c] = f->size * n[c];
    }
    f->area[3] = f->x[1] * f->area[2] - f->x[2] * f->area[1];
    return 1;
}

/* Distance of a point from a triangle, by its nearest corner, edge or the plane. */
static double from_triangle(const double p[3], const double a[3], const double b[3],
                            const double c[3])
{
    const double *corner[3] = {a, b, c};
    double n[3], u[3], v[3], least = INFINITY;
    int inside = 1;
    for (int d = 0; d < 3; d++) {
        u[d] = b[d] - a[d];
        v[d] = c[d] - a[d];
    }
    cross(u, v, n);
    const int flat = !normalise(n);
    for (int k = 0; k < 3; k++) {
        const double *s = corner[k], *t = corner[(k + 1) % 3];
        double e[3], w[3], side[3];
        for (int d = 0; d < 3; d++) {
            e[d] = t[d] - s[d];
            w[d] = p[d] - s[d];
        }
        const double length = dot(e, e);
        const double part = length > 0 ? fmin(1, fmax(0, dot(w, e) / length)) : 0;
        cross(e, w, side);
        inside &= dot(side, n) >= 0;
        for (int d = 0; d < 3; d++)
            w[d] -= part * e[d];
        least = fmin(least, sqrt(dot(w, w)));
    }
    for (int d = 0; d < 3; d++)
        u[d] = p[d] - a[d];
    return inside && !flat ? fmin(least, fabs(dot(u, n))) : least;
}

static double from_quad(const double p[3], const struct quad *q)
{
    return fmin(from_triangle(p, q->p[0], q->p[1], q->p[2]),
                from_triangle(p, q->p[0], q->p[2], q->p[3]));
}

/* ---- all facets ---- */

struct matcher {
    struct an_abut *m;
    int capacity;
    struct quad *quad; /* [nface] in the frame of the lower side */
    struct box *box;   /* [nface] */
    int *found;        /* [nface] */
    double *cover;     /* [nface] m2 */
    struct tree tree;  /* of the side that is searched */
    double *distance;  /* [nside] */
};

static int add_facet(struct matcher *k, const struct an_abut_facet *f)
{
    struct an_abut *m = k->m;
    if (m->nfacet == k->capacity) {
        const int wanted = k->capacity ? 2 * k->capacity : 1024;
        struct an_abut_facet *grown = realloc(m->facet, (size_t)wanted * sizeof *grown);
        AN_CHECK(grown, AN_FAIL, "out of memory for abutting interfaces");
        m->facet = grown;
        k->capacity = wanted;
    }
    m->facet[m->nfacet++] = *f;
    for (int n = 0; n < 2; n++)
        k->cover[f->face[n]] += f->size;
    return AN_OK;
}

static int make_tree(struct matcher *k, int side)
{
    const struct an_abut *m = k->m;
    struct tree *t = &k->tree;
    int n = 0;
    for (int f = 0; f < m->nface; f++)
        n += m->face[f].side == side;
    struct keyed *list = malloc(((size_t)n + 1) * sizeof *list);
    t->order = malloc(((size_t)n + 1) * sizeof *t->order);
    t->node = malloc((2 * (size_t)n + 2) * sizeof *t->node);
    if (!list || !t->order || !t->node) {
        free(list);
        return an_error_set(AN_FAIL, "out of memory for abutting interfaces");
    }
    n = 0;
    for (int f = 0; f < m->nface; f++)
        if (m->face[f].side == side)
            list[n++].face = f;
    if (n)
        grow(t, list, 0, n, k->box);
    for (int f = 0; f < n; f++)
        t->order[f] = list[f].face;
    free(list);
    return AN_OK;
}

/* The frame in which a side is matched: that of the lower side of the two. */
static const struct an_abut_side *moved(const struct an_abut *m, int side)
{
    const int other = m->side[side].other;
    return other < side && m->side[other].periodic ? &m->side[other] : NULL;
}

/* Facets of the faces of a side with those of the other one. */
static int match_side(struct matcher *k, int side)
{
    struct an_abut *m = k->m;
    const int other = m->side[side].other;
    AN_TRY(make_tree(k, other));
    for (int i = 0; i < m->nface; i++) {
        if (m->face[i].side != side)
            continue;
        const int n = tree_find(&k->tree, k->box, &k->box[i], k->found);
        for (int c = 0; c < n; c++) {
            const int j = k->found[c];
            struct an_abut_facet f = {.face = {i, j}};
            double distance;
            if ((other == side && j <= i) || !facet_of(&k->quad[i], &k->quad[j], &f, &distance))
                continue;
            AN_TRY(add_facet(k, &f));
            k->distance[side] = fmax(k->distance[side], distance);
            k->distance[other] = k->distance[side];
        }
    }
    return AN_OK;
}

/* The face of the other side that is nearest to the middle of face i and faces it, within `most`. */
static int nearest_to(struct matcher *k, int i, double most)
{
    struct box around = box_of(&k->quad[i], most);
    const int n = tree_find(&k->tree, k->box, &around, k->found);
    double least = most;
    int nearest = -1;
    for (int c = 0; c < n; c++) {
        const int j = k->found[c];
        const double d = from_quad(k->quad[i].centre, &k->quad[j]);
        const int faces = k->quad[j].area > 0 &&
                          (k->quad[i].area <= 0 || dot(k->quad[i].normal, k->quad[j].normal) < 0);
        if (j != i && faces && d < least) {
            least = d;
            nearest = j;
        }
    }
    return nearest;
}

/* Faces that curved edges of the other side have left uncovered, and those without area. */
static int fill_slivers(struct matcher *k, int side)
{
    struct an_abut *m = k->m;
    const int other = m->side[side].other, first = side <= other;
    tree_free(&k->tree);
    AN_TRY(make_tree(k, other));
    for (int i = 0; i < m->nface; i++) {
        const struct quad *q = &k->quad[i];
        if (m->face[i].side != side || (q->area > 0 && k->cover[i] >= 0.5 * q->area))
            continue;
        const int j = nearest_to(k, i, (q->area > 0 ? 0.05 : 1) * q->diagonal + 1e-12);
        if (j < 0)
            continue;
        if (!(q->area > 0)) {
            m->nearest[i] = j;
            continue;
        }
        struct an_abut_facet f = {.face = {first ? i : j, first ? j : i},
                                  .size = q->area - k->cover[i]};
        for (int c = 0; c < 3; c++) {
            f.x[c] = q->centre[c];
            f.area[c] = (first ? 1 : -1) * f.size * q->normal[c];
        }
        f.area[3] = f.x[1] * f.area[2] - f.x[2] * f.area[1];
        AN_TRY(add_facet(k, &f));
    }
    return AN_OK;
}

static int by_faces(const void *a, const void *b)
{
    const struct an_abut_facet *p = a, *q = b;
    for (int n = 0; n < 2; n++)
        if (p->face[n] != q->face[n])
            return p->face[n] < q->face[n] ? -1 : 1;
    return p->size < q->size ? -1 : p->size > q->size;
}

static void make_report(struct matcher *k)
{
    struct an_abut *m = k->m;
    double *worst = k->distance; /* distances are taken over first */
    for (int s = 0; s < m->nside; s++) {
        m->report[s].distance = k->distance[s];
        worst[s] = -1;
    }
    for (int i = 0; i < m->nface; i++) {
        struct an_abut_report *r = &m->report[m->face[i].side];
        const double area = k->quad[i].area, less = area - k->cover[i];
        r->faces++;
        r->area += area;
        r->gap += fmax(less, 0);
        r->overlap += fmax(-less, 0);
        r->lone += area > 0 && k->cover[i] < 0.5 * area;
        if (fabs(less) <= worst[m->face[i].side])
            continue;
        worst[m->face[i].side] = fabs(less);
        for (int c = 0; c < 3; c++) {
            r->place[c] = 0;
            for (int n = 0; n < 4; n++)
                r->place[c] += 0.25 * m->face[i].corner[n][c];
        }
    }
    for (int f = 0; f < m->nfacet; f++) {
        const int a = m->face[m->facet[f].face[0]].side, b = m->face[m->facet[f].face[1]].side;
        m->report[a].facets++;
        m->report[b].facets += a != b;
    }
}

/* ---- facets that close each face ---- */

/* The equations L z = b of all faces: the facet's area changes by size (z_i - z_j). */
struct closing {
    const struct an_abut *m;
    double *diagonal, *b, *z, *r, *p, *q; /* [nface] */
    int *set;                             /* [nface] lowest face of those that facets join */
};

static int root_of(int *set, int f)
{
    while (set[f] != f)
        f = set[f] = set[set[f]];
    return f;
}

static void multiply(const struct closing *k, const double *x, double *y)
{
    const struct an_abut *m = k->m;
    for (int f = 0; f < m->nface; f++)
        y[f] = 0;
    for (int f = 0; f < m->nfacet; f++) {
        const int i = m->facet[f].face[0], j = m->facet[f].face[1];
        const double change = m->facet[f].size * (x[i] - x[j]);
        y[i] += change;
        y[j] -= change;
    }
}

/* Conjugate gradients with the diagonal, until rounding is reached. */
static void solve(struct closing *k)
{
    const int n = k->m->nface;
    double rho = 0;
    for (int f = 0; f < n; f++) {
        k->z[f] = 0;
        k->r[f] = k->b[f];
        k->p[f] = k->diagonal[f] > 0 ? k->r[f] / k->diagonal[f] : 0;
        rho += k->r[f] * k->p[f];
    }
    for (int step = 0; step < 20000 && rho > 0; step++) {
        double most = 0, curve = 0, next = 0;
        multiply(k, k->p, k->q);
        for (int f = 0; f < n; f++)
            curve += k->p[f] * k->q[f];
        if (!(curve > 0))
            return;
        for (int f = 0; f < n; f++) {
            k->z[f] += rho / curve * k->p[f];
            k->r[f] -= rho / curve * k->q[f];
            if (k->diagonal[f] > 0) {
                most = fmax(most, fabs(k->r[f]) / k->diagonal[f]);
                next += k->r[f] * k->r[f] / k->diagonal[f];
            }
        }
        if (most < 1e-16)
            return;
        for (int f = 0; f < n; f++)
            k->p[f] = (k->diagonal[f] > 0 ? k->r[f] / k->diagonal[f] : 0) + next / rho * k->p[f];
        rho = next;
    }
}

/* What each face's facets lack of its own area (component c), less what no facets could give: the sum
 * over a set of joined faces, spread by area. */
static void find_lack(struct closing *k, struct an_abut *m, int c, double *sum, double *open)
{
    for (int f = 0; f < m->nface; f++) {
        const struct an_abut_side *s = moved(m, m->face[f].side);
        double area[3];
        turn(s ? s : &(const struct an_abut_side){0}, 0, m->face[f].area, area);
        k->b[f] = k->diagonal[f] > 0 ? (c < 3 ? area[c] : m->face[f].area[3]) : 0;
        sum[f] = 0;
    }
    for (int f = 0; f < m->nfacet; f++) {
        k->b[m->facet[f].face[0]] -= m->facet[f].area[c];
        k->b[m->facet[f].face[1]] += m->facet[f].area[c];
    }
    for (int f = 0; f < m->nface; f++)
        sum[k->set[f]] += k->b[f];
    for (int f = 0; f < m->nface; f++)
        if (c < 3 && k->set[f] == f) {
            open[m->face[f].side] += sum[f] * sum[f];
            if (m->side[m->face[f].side].other != m->face[f].side)
                open[m->side[m->face[f].side].other] += sum[f] * sum[f];
        }
    for (int f = 0; f < m->nface; f++)
        if (k->z[k->set[f]] > 0)
            k->b[f] -= sum[k->set[f]] * k->diagonal[f] / k->z[k->set[f]];
}

static void close_faces(struct closing *k, struct an_abut *m, double *sum, double *whole,
                        double *open)
{
    for (int f = 0; f < m->nface; f++)
        k->set[f] = f;
    for (int f = 0; f < m->nfacet; f++) {
        const int a = root_of(k->set, m->facet[f].face[0]),
                  b = root_of(k->set, m->facet[f].face[1]);
        k->set[a > b ? a : b] = a > b ? b : a;
        for (int n = 0; n < 2; n++)
            k->diagonal[m->facet[f].face[n]] += m->facet[f].size;
    }
    for (int f = 0; f < m->nface; f++) {
        k->set[f] = root_of(k->set, f);
        whole[k->set[f]] += k->diagonal[f];
    }
    for (int c = 0; c < 4; c++) {
        memcpy(k->z, whole, (size_t)m->nface * sizeof *whole);
        find_lack(k, m, c, sum, open);
        solve(k);
        for (int f = 0; f < m->nfacet; f++)
            m->facet[f].area[c] +=
                m->facet[f].size * (k->z[m->facet[f].face[0]] - k->z[m->facet[f].face[1]]);
    }
}

static int close_all(struct an_abut *m)
{
    const size_t n = (size_t)m->nface + 1;
    double *work = calloc(8 * n + (size_t)m->nside, sizeof *work);
    struct closing k = {.m = m,
                        .diagonal = work,
                        .b = work + n,
                        .z = work + 2 * n,
                        .r = work + 3 * n,
                        .p = work + 4 * n,
                        .q = work + 5 * n,
                        .set = malloc(n * sizeof *k.set)};
    const int status =
        work && k.set ? AN_OK : an_error_set(AN_FAIL, "out of memory for abutting interfaces");
    if (status == AN_OK) {
        double *open = work + 8 * n;
        close_faces(&k, m, work + 6 * n, work + 7 * n, open);
        for (int s = 0; s < m->nside; s++)
            m->report[s].open = m->report[s].area > 0 ? sqrt(open[s]) / m->report[s].area : 0;
    }
    free(work);
    free(k.set);
    return status;
}

static int match_all(struct matcher *k)
{
    struct an_abut *m = k->m;
    for (int f = 0; f < m->nface; f++) {
        k->quad[f] = quad_of(&m->face[f], moved(m, m->face[f].side));
        k->box[f] = box_of(&k->quad[f], 0.5 * NEAR * k->quad[f].diagonal);
        m->nearest[f] = -1;
    }
    int status = AN_OK;
    for (int s = 0; s < m->nside && status == AN_OK; s++) {
        tree_free(&k->tree);
        if (m->side[s].other >= s)
            status = match_side(k, s);
    }
    for (int s = 0; s < m->nside && status == AN_OK; s++)
        status = fill_slivers(k, s);
    tree_free(&k->tree);
    if (status == AN_OK && m->nfacet)
        qsort(m->facet, (size_t)m->nfacet, sizeof *m->facet, by_faces);
    if (status == AN_OK)
        make_report(k);
    return status == AN_OK ? close_all(m) : status;
}

int an_abut_match(struct an_abut *m)
{
    const size_t n = (size_t)m->nface + 1;
    struct matcher k = {.m = m,
                        .quad = malloc(n * sizeof *k.quad),
                        .box = malloc(n * sizeof *k.box),
                        .found = malloc(n * sizeof *k.found),
                        .cover = calloc(n, sizeof *k.cover),
                        .distance = calloc((size_t)m->nside + 1, sizeof *k.distance)};
    m->nearest = malloc(n * sizeof *m->nearest);
    m->report = calloc((size_t)m->nside + 1, sizeof *m->report);
    const int status =
        k.quad && k.box && k.found && k.cover && k.distance && m->nearest && m->report
            ? match_all(&k)
            : an_error_set(AN_FAIL, "out of memory for abutting interfaces");
    tree_free(&k.tree);
    free(k.quad);
    free(k.box);
    free(k.found);
    free(k.cover);
    free(k.distance);
    return status;
}

int an_abut_check(const struct an_abut_report *r)
{
    const double gap = r->gap / r->area, overlap = r->overlap / r->area;
    AN_CHECK(
        gap <= MISSED && r->lone == 0, AN_INPUT,
        "%.3g m2 of its %.3g m2 (%.2g %%) lie on no face of the other side; %d of its %lld faces "
        "have none for more than half of their area, the worst at (%.6g, %.6g, %.6g) m",
        r->gap, r->area, 100 * gap, r->lone, (long long)r->faces, r->place[0], r->place[1],
        r->place[2]);
    AN_CHECK(overlap <= MISSED, AN_INPUT,
             "%.3g m2 of its %.3g m2 (%.2g %%) lie on more than one face of the other side, the "
             "worst at (%.6g, %.6g, %.6g) m",
             r->overlap, r->area, 100 * overlap, r->place[0], r->place[1], r->place[2]);
    return AN_OK;
}

void an_abut_free(struct an_abut *m)
{
    free(m->side);
    free(m->face);
    free(m->facet);
    free(m->nearest);
    free(m->report);
    memset(m, 0, sizeof *m);
}

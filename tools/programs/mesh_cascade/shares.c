// The power diagram of the holes' circles inside the profile: cuts, nodes and the shares' sides.
//
// On the line where shares a and b are equal, every other share c bounds what belongs to the cut by one inequality that is
// linear in the place on the line; the profile's outline bounds it further. Source: Aurenhammer, SIAM J. Comput. 16 (1987)
// 78 (power diagrams).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solid.h"

enum { OUTLINE = 4000, CROSSINGS = 32, BISECTIONS = 50 };
#define SHORT 0.15 // a shorter cut or arc, over the distance from a hole's centre, becomes a node
#define END   2.4  // a hole farther from the edge, over the distance to the surface: massive end
#define GAP   2.3  // the same for the distance of two holes, over the sum of both
#define REACH 1.25 // then of the cut beside the hole

static int fault(struct shares *c, const char *what)
{
    snprintf(c->fault, sizeof c->fault, "%s", what);
    return EXIT_MESH;
}

// |x - centre|^2 - weight
static double power(const struct share *a, struct vec2 x)
{
    const struct vec2 v = sub(x, a->at);
    return dot(v, v) - a->weight;
}

int shares_node(const struct shares *c, int node)
{
    while (c->node[node].stands != node)
        node = c->node[node].stands;
    return node;
}

static int add_node(struct shares *c, struct vec2 at, double s, const int of[3])
{
    for (int k = 0; k < c->nnode && of; k++)
        if (isnan(c->node[k].s) && !memcmp(c->node[k].of, of, sizeof c->node[k].of))
            return k;
    if (c->nnode == MAX_NODES)
        return -1;
    struct share_node *n = &c->node[c->nnode];
    *n = (struct share_node){.at = at, .s = s, .stands = c->nnode};
    if (of)
        memcpy(n->of, of, sizeof n->of);
    return c->nnode++;
}

struct line {
    struct vec2 from, along; // unit
};

struct crossing {
    double at, s; // on the line, on the surface
};

static double off_line(const struct line *l, struct vec2 x)
{
    return cross(l->along, sub(x, l->from));
}

static struct crossing refine(const struct shares *c, const struct line *l, int i)
{
    double lo = c->curve->length * i / OUTLINE, hi = c->curve->length * (i + 1) / OUTLINE;
    const bool up = off_line(l, c->outline[i]) < 0;
    for (int k = 0; k < BISECTIONS; k++) {
        const double mid = 0.5 * (lo + hi);
        *((off_line(l, curve_point(c->curve, mid)) < 0) == up ? &lo : &hi) = mid;
    }
    return (struct crossing){dot(l->along, sub(curve_point(c->curve, lo), l->from)), lo};
}

static int by_place(const void *a, const void *b)
{
    const double x = ((const struct crossing *)a)->at, y = ((const struct crossing *)b)->at;
    return (x > y) - (x < y);
}

static int cross_outline(const struct shares *c, const struct line *l, struct crossing *at)
{
    int n = 0;
    for (int i = 0; i < OUTLINE && n < CROSSINGS; i++)
        if ((off_line(l, c->outline[i]) < 0) != (off_line(l, c->outline[(i + 1) % OUTLINE]) < 0))
            at[n++] = refine(c, l, i);
    qsort(at, (size_t)n, sizeof *at, by_place);
    return n - n % 2;
}

// The part of the line between shares a and b that is nearer to them than to all others: [at[0], at[1]], with the shares
// that end it. False: there is none.
static bool nearest_part(const struct shares *c, int a, int b, const struct line *l, double at[2],
                         int by[2])
{
    at[0] = -INFINITY;
    at[1] = INFINITY;
    by[0] = by[1] = -1;
    for (int k = 0; k < c->nshare; k++) {
        if (k == a || k == b)
            continue;
        // power of a less that of k: p + q t <= 0
        const double p = power(&c->share[a], l->from) - power(&c->share[k], l->from);
        const double q = 2 * dot(l->along, sub(c->share[k].at, c->share[a].at));
        if (q == 0 && p > 0)
            return false;
        const int high = q > 0;
        if (q != 0 && (high ? -p / q < at[1] : -p / q > at[0])) {
            at[high] = -p / q;
            by[high] = k;
        }
    }
    return at[0] < at[1];
}

static int add_cuts(struct shares *c, int a, int b)
{
    const struct vec2 way = sub(c->share[b].at, c->share[a].at);
    const double d = norm(way);
    if (!(d > 0))
        return fault(c, "two shares have one centre");
    const double t = (d * d + c->share[a].weight - c->share[b].weight) / (2 * d);
    const struct line l = {axpy(t / d, way, c->share[a].at), {-way.y / d, way.x / d}};
    struct crossing at[CROSSINGS];
    double part[2];
    int by[2];
    if (!nearest_part(c, a, b, &l, part, by))
        return EXIT_DONE;
    const int n = cross_outline(c, &l, at);
    for (int k = 0; k < n; k += 2) { // the line is in the profile from one crossing to the next
        if (!(at[k].at < part[1] && at[k + 1].at > part[0]))
            continue;
        struct share_cut *cut = &c->cut[c->ncut];
        if (c->ncut == MAX_CUTS)
            return fault(c, "too many cuts between holes");
        *cut = (struct share_cut){.share = {a, b}};
        for (int e = 0; e < 2; e++) {
            const bool inside = e ? part[1] < at[k + 1].at : part[0] > at[k].at;
            int of[3] = {a, b, by[e]};
            for (int i = 2; i > 0 && of[i] < of[i - 1]; i--) {
                const int swap = of[i];
                of[i] = of[i - 1];
                of[i - 1] = swap;
            }
            const double place = inside ? part[e] : at[k + e].at;
            cut->node[e] = add_node(c, axpy(place, l.along, l.from), inside ? NAN : at[k + e].s,
                                    inside ? of : NULL);
            if (cut->node[e] < 0)
                return fault(c, "too many nodes between holes");
        }
        c->ncut++;
    }
    return EXIT_DONE;
}

// Node b stands for a too; *at the surface* if one of them is.
static void merge(struct shares *c, int a, int b)
{
    const bool first = !isnan(c->node[a].s), second = !isnan(c->node[b].s);
    if (first && second) {
        const double l = c->curve->length;
        c->node[a].s += 0.5 * remainder(c->node[b].s - c->node[a].s, l);
        c->node[a].s -= l * floor(c->node[a].s / l);
        c->node[a].at = curve_point(c->curve, c->node[a].s);
    } else if (!first && !second) {
        c->node[a].at = scale(0.5, add(c->node[a].at, c->node[b].at));
    }
    c->node[second && !first ? a : b].stands = second && !first ? b : a;
}

static double from_hole(const struct shares *c, int share, int node)
{
    return c->share[share].hole < 0 ? INFINITY : norm(sub(c->node[node].at, c->share[share].at));
}

// Cuts that are short as seen from their holes become nodes: more than three shares meet there.
static void merge_cuts(struct shares *c)
{
    for (int k = 0; k < c->ncut; k++) {
        const struct share_cut *cut = &c->cut[k];
        const int a = shares_node(c, cut->node[0]), b = shares_node(c, cut->node[1]);
        const double far = fmin(from_hole(c, cut->share[0], a), from_hole(c, cut->share[1], a));
        const bool across = !isnan(c->node[a].s) && !isnan(c->node[b].s);
        if (a != b && !across && isfinite(far) &&
            norm(sub(c->node[a].at, c->node[b].at)) < SHORT * far)
            merge(c, a, b);
    }
}

static bool merge_arcs(struct shares *c)
{
    for (int k = 0; k < c->nshare; k++)
        for (int l = 0; l < c->share[k].nside; l++) {
            const struct share_side *s = &c->share[k].side[l];
            if (s->cut >= 0 || s->node[0] < 0 || c->share[k].hole < 0)
                continue;
            if (norm(sub(c->node[s->node[0]].at, c->node[s->node[1]].at)) <
                    SHORT * from_hole(c, k, s->node[0]) &&
                s->end[1] - s->end[0] < 0.5 * c->curve->length) {
                merge(c, s->node[0], s->node[1]);
                return true;
            }
        }
    return false;
}

// Cuts of a share from node to node, clockwise; returns their number.
static int oriented(const struct shares *c, int k, struct share_side *side)
{
    int n = 0;
    for (int l = 0; l < c->ncut && n < MAX_SIDES; l++) {
        const struct share_cut *cut = &c->cut[l];
        if (cut->share[0] != k && cut->share[1] != k)
            continue;
        const int other = cut->share[cut->share[0] == k], a = shares_node(c, cut->node[0]),
                  b = shares_node(c, cut->node[1]);
        if (a == b)
            continue;
        const struct vec2 d = sub(c->share[other].at, c->share[k].at);
        const struct vec2 way = sub(c->node[cut->node[1]].at, c->node[cut->node[0]].at);
        const bool on = way.x * d.y - way.y * d.x > 0;
        side[n++] = (struct share_side){.cut = l, .node = {on ? a : b, on ? b : a}};
    }
    return n;
}

static int starting_at(const struct share_side *side, int n, int node)
{
    for (int k = 0; k < n; k++)
        if (side[k].node[0] == node)
            return k;
    return -1;
}

// The arc from a node clockwise to the next start of a cut; its node[1] is -1 if there is none.
static struct share_side arc_from(const struct shares *c, const struct share_side *side, int n,
                                  int node)
{
    const double l = c->curve->length, s = c->node[node].s;
    struct share_side arc = {.cut = -1, .node = {node, -1}, .end = {s, INFINITY}};
    for (int k = 0; k < n; k++) {
        const double to = c->node[side[k].node[0]].s, ahead = to - s - l * floor((to - s) / l);
        if (!isnan(ahead) && s + ahead < arc.end[1]) {
            arc.end[1] = s + ahead;
            arc.node[1] = side[k].node[0];
        }
    }
    return arc;
}

static int trace(struct shares *c, int k, double start)
{
    struct share_side side[MAX_SIDES];
    struct share *a = &c->share[k];
    const int n = oriented(c, k, side);
    a->nside = a->narc = 0;
    if (n == 0 && c->nshare > 1)
        return fault(c, "a hole has no share of the profile");
    if (n == 0) {
        a->side[a->nside++] = (struct share_side){
            .cut = -1, .node = {-1, -1}, .end = {start, start + c->curve->length}};
        a->narc = 1;
        return EXIT_DONE;
    }
    int first = 0, used = 0;
    for (int i = 0; i < n; i++) { // one that follows an arc
        bool follows = false;
        for (int l = 0; l < n; l++)
            follows = follows || side[l].node[1] == side[i].node[0];
        first = follows ? first : i;
    }
    int at = first;
    do {
        if (a->nside + 2 > MAX_SIDES)
            return fault(c, "a hole has too many neighbours");
        a->side[a->nside++] = side[at];
        used++;
        const int node = side[at].node[1];
        at = starting_at(side, n, node);
        if (at >= 0)
            continue;
        const struct share_side arc = isnan(c->node[node].s) ? (struct share_side){.node = {-1, -1}}
                                                             : arc_from(c, side, n, node);
        if (arc.node[1] < 0)
            return fault(c, "the shares of the holes do not fit together");
        a->side[a->nside++] = arc;
        a->narc++;
        at = starting_at(side, n, arc.node[1]);
    } while (at != first && used <= n);
    return used == n ? EXIT_DONE : fault(c, "a hole's share of the profile is in several pieces");
}

static int diagram(struct shares *c, double start)
{
    int rc = EXIT_DONE;
    c->ncut = c->nnode = 0;
    for (int a = 0; a < c->nshare; a++)
        for (int b = a + 1; b < c->nshare && !rc; b++)
            rc = add_cuts(c, a, b);
    if (rc)
        return rc;
    merge_cuts(c);
    do {
        for (int k = 0; k < c->nshare && !rc; k++)
            rc = trace(c, k, start);
    } while (!rc && merge_arcs(c));
    return rc;
}

static double to_surface(const struct shares *c, struct vec2 x)
{
    double near = INFINITY;
    for (int i = 0; i < OUTLINE; i++) {
        const struct vec2 v = sub(c->outline[i], x);
        near = fmin(near, dot(v, v));
    }
    return sqrt(near);
}

// A massive share on the line from a hole towards x, with its cut at a distance of `t` from the hole's centre. False: it
// would come too near to a hole.
static bool add_massive(struct shares *c, int hole, struct vec2 x, double t, double place)
{
    const struct share *a = &c->share[hole];
    const struct vec2 way = sub(x, a->at);
    const struct share massive = {.at = axpy(place / norm(way), way, a->at),
                                  .weight = place * place + a->weight - 2 * place * t,
                                  .hole = -1};
    if (c->nshare == MAX_SHARES)
        return false;
    for (int k = 0; k < c->nshare; k++) {
        const struct share *b = &c->share[k];
        const double d = norm(sub(b->at, massive.at)),
                     cut = (d * d + b->weight - massive.weight) / (2 * d);
        if (b->hole >= 0 && cut < 0.5 * (sqrt(b->weight) + to_surface(c, b->at)))
            return false;
    }
    c->share[c->nshare++] = massive;
    return true;
}

// A massive end where the last hole is far from the leading or the trailing edge.
static bool add_end(struct shares *c, struct vec2 edge)
{
    int owner = 0;
    for (int k = 1; k < c->nshare; k++)
        owner = power(&c->share[k], edge) < power(&c->share[owner], edge) ? k : owner;
    const struct share *a = &c->share[owner];
    if (a->hole < 0)
        return false;
    const double near = to_surface(c, a->at);
    return norm(sub(edge, a->at)) > END * near &&
           add_massive(c, owner, edge, REACH * near, 2 * REACH * near);
}

// A massive share in a long gap: where a cut reaches from one side of the profile to the other.
static bool add_gap(struct shares *c)
{
    for (int k = 0; k < c->ncut; k++) {
        const struct share_cut *cut = &c->cut[k];
        const struct share *a = &c->share[cut->share[0]], *b = &c->share[cut->share[1]];
        if (a->hole < 0 || b->hole < 0 || isnan(c->node[shares_node(c, cut->node[0])].s) ||
            isnan(c->node[shares_node(c, cut->node[1])].s))
            continue;
        const double d = norm(sub(a->at, b->at)), ta = REACH * to_surface(c, a->at),
                     tb = REACH * to_surface(c, b->at), between = d - ta - tb;
        if (d < GAP / REACH * (ta + tb))
            continue;
        const double place = (d * d + b->weight - a->weight - 2 * d * tb) / (2 * between);
        if (add_massive(c, cut->share[0], b->at, ta, place))
            return true;
    }
    return false;
}

int shares_find(struct shares *c, const struct profile *p, const struct holes *h)
{
    *c =
        (struct shares){.curve = &p->c, .corner = {p->s_corner[0], p->s_corner[1]}, .nshare = h->n};
    c->outline = malloc(OUTLINE * sizeof *c->outline);
    if (!c->outline)
        return fault(c, "out of memory");
    for (int i = 0; i < OUTLINE; i++)
        c->outline[i] = curve_point(&p->c, p->c.length * i / OUTLINE);
    for (int k = 0; k < h->n; k++)
        c->share[k] = (struct share){
            .at = h->hole[k].at, .weight = h->hole[k].radius * h->hole[k].radius, .hole = k};
    for (int k = 0; k < 2 && h->n == 0; k++) // two ends
        c->share[c->nshare++] =
            (struct share){.at = axpy(k ? 0.7 : 0.3, sub(p->te, p->le), p->le), .hole = -1};
    int rc;
    do
        rc = diagram(c, p->s_te);
    while (!rc && (add_end(c, p->te) || add_end(c, p->le) || add_gap(c)));
    return rc;
}

void shares_free(struct shares *c)
{
    for (int k = 0; k < c->nshare; k++)
        for (int l = 0; l < c->share[k].nside; l++)
            free(c->share[k].side[l].s);
    free(c->outline);
    c->outline = NULL;
}

// Smooths the zones of the solid, while nodes of holes and of the surface slide on them and cuts bend.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solid.h"

enum { PASSES = 12, MOST_PASSES = 60, SWEEPS = 8 };
#define SLIDE  0.5               // of the way to the foot of the normal
#define MOST   0.3               // of the way to the next node, most that one slides at once
#define ENOUGH (28 * M_PI / 180) // smallest angle that needs no more passes

static void wanted_lengths(struct mesh *m)
{
    for (int k = 0; k < m->nz; k++) {
        struct zone *z = &m->z[k];
        for (int j = 0; j < z->nj; j++)
            for (int i = 0; i < z->ni; i++) {
                const struct vec2 *x = &z->x[j * z->ni + i];
                if (i < z->ni - 1)
                    z->li[j * (z->ni - 1) + i] = norm(sub(x[1], x[0]));
                if (j < z->nj - 1)
                    z->lj[j * z->ni + i] = norm(sub(x[z->ni], x[0]));
            }
    }
}

static double limited(double move, double most)
{
    return fmax(-most, fmin(most, move));
}

// Nodes of the holes move on their circles towards the feet of the lines that end there.
static void slide_holes(struct solid *s)
{
    for (int k = 0; k < s->h->n; k++) {
        const struct share *a = &s->c->share[k];
        const struct zone *z = &s->m->z[s->zone[k]];
        const struct hole *hole = &s->h->hole[a->hole];
        for (int i = 0; i < z->ni - 1; i++) {
            const struct vec2 now = sub(z->x[i], a->at), next = sub(z->x[z->ni + i], a->at);
            const double most = MOST * fmin(norm(sub(z->x[i + 1], z->x[i])),
                                            norm(sub(z->x[i > 0 ? i - 1 : z->ni - 2], z->x[i])));
            const double turn =
                limited(SLIDE * atan2(cross(now, next), dot(now, next)), most / hole->radius);
            z->x[i] = hole_point(hole, atan2(now.y, now.x) + turn);
        }
        z->x[z->ni - 1] = z->x[0];
    }
}

// Way along the surface from s towards the foot of the normal through x.
static double to_foot(const struct curve *c, double s, struct vec2 x)
{
    return SLIDE * dot(sub(x, curve_point(c, s)), curve_tangent(c, s));
}

bool shares_corner(const struct shares *c, double s)
{
    const double l = c->curve->length;
    for (int k = 0; k < 2 && c->corner[1] > 0; k++)
        if (fabs(remainder(s - c->corner[k], l)) < 1e-9 * l)
            return true;
    return false;
}

// The smaller distance of a node of the surface from its neighbours there.
static double room(const struct shares *c, int node)
{
    double least = INFINITY;
    for (int k = 0; k < c->nshare; k++)
        for (int l = 0; l < c->share[k].nside; l++) {
            const struct share_side *a = &c->share[k].side[l];
            if (a->cut < 0 && a->node[0] == node)
                least = fmin(least, a->s[1] - a->s[0]);
            if (a->cut < 0 && a->node[1] == node)
                least = fmin(least, a->s[a->n] - a->s[a->n - 1]);
        }
    return least;
}

// Ends of cuts on the surface slide to the foot of the cut's next node.
static void slide_ends(struct solid *s)
{
    struct shares *c = s->c;
    for (int cut = 0; cut < c->ncut; cut++)
        for (int e = 0; e < 2 && c->cut[cut].n; e++) {
            struct share_node *n = &c->node[c->cut[cut].node[e]];
            if (isnan(n->s) || n->stands != c->cut[cut].node[e])
                continue;
            struct seam a[2];
            int at[2];
            seams_of(s, cut, a);
            const int t = e ? a[0].n - 1 : 1;
            const struct span *p = seam_span(s, &a[0], e ? t : 0);
            seam_node(p, &a[0], t, at);
            const struct zone *z = &s->m->z[p->z];
            n->s += limited(to_foot(c->curve, n->s, z->x[at[1] * z->ni + at[0]]),
                            MOST * room(c, c->cut[cut].node[e]));
            n->at = curve_point(c->curve, n->s);
        }
}

static void slide_arcs(struct solid *s)
{
    struct shares *c = s->c;
    for (int k = 0; k < c->nshare; k++) {
        struct share *a = &c->share[k];
        for (int l = 0, q = 0; l < a->nside; q += a->side[l++].n) {
            struct share_side *arc = &a->side[l];
            if (arc->cut >= 0)
                continue;
            const struct span *p = border_span(&s->border[k], q);
            const struct zone *z = &s->m->z[p->z];
            for (int i = 0; i <= arc->n; i++) {
                int at[2];
                border_node(p, q + i, at);
                const struct vec2 *in = &z->x[(at[1] - p->step[0]) * z->ni + at[0] + p->step[1]];
                if (i > 0 && i < arc->n && shares_corner(c, arc->s[i]))
                    ; // stays
                else if (i > 0 && i < arc->n)
                    arc->s[i] +=
                        limited(to_foot(c->curve, arc->s[i], *in),
                                MOST * fmin(arc->s[i + 1] - arc->s[i], arc->s[i] - arc->s[i - 1]));
                else if (arc->node[0] >= 0)
                    arc->s[i] +=
                        remainder(c->node[arc->node[i > 0]].s - arc->s[i], c->curve->length);
                z->x[at[1] * z->ni + at[0]] = curve_point(c->curve, arc->s[i]);
            }
        }
    }
}

// Copies the nodes of all zones to `all`, or back.
static void copy_nodes(struct mesh *m, struct vec2 *all, bool back)
{
    for (int k = 0; k < m->nz; k++) {
        const size_t n = (size_t)m->z[k].ni * (size_t)m->z[k].nj;
        memcpy(back ? m->z[k].x : all, back ? all : m->z[k].x, n * sizeof *all);
        all += n;
    }
}

// Passes of sliding and smoothing; best: the nodes when the smallest angle was largest.
static int slide_and_smooth(struct solid *s, struct vec2 *best)
{
    struct mesh *m = s->m;
    double angle = -M_PI;
    int rc = EXIT_DONE;
    for (int pass = 0; pass < (angle < ENOUGH ? MOST_PASSES : PASSES) && !rc; pass++) {
        struct worst w;
        slide_holes(s);
        slide_ends(s);
        slide_arcs(s);
        mesh_worst(&w, m);
        m->barrier = !w.folded;
        m->steep = pass >= PASSES / 2 && !w.folded;
        rc = elliptic_smooth(m, SWEEPS);
        mesh_worst(&w, m);
        if (w.angle > angle)
            copy_nodes(m, best, false);
        angle = fmax(angle, w.angle);
    }
    copy_nodes(m, best, true);
    return rc;
}

int solid_smooth(struct solid *s)
{
    wanted_lengths(s->m);
    return solid_smooth_on(s);
}

int solid_smooth_on(struct solid *s)
{
    struct mesh *m = s->m;
    struct worst w = {.folded = 1};
    size_t n = 0;
    int rc = EXIT_DONE;
    m->barrier = m->steep = false;
    for (int pass = 0; pass < PASSES && !rc && w.folded; pass++) {
        rc = elliptic_smooth(m, 4 * SWEEPS);
        mesh_worst(&w, m);
    }
    for (int k = 0; k < m->nz; k++)
        n += (size_t)m->z[k].ni * (size_t)m->z[k].nj;
    struct vec2 *best = malloc(n * sizeof *best);
    if (rc || !best) {
        free(best);
        return EXIT_FAILED;
    }
    rc = slide_and_smooth(s, best);
    free(best);
    return rc;
}

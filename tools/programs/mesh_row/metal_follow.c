// The metal's sections at all heights from that of the reference.
#include "metal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int nodes_of(const struct mesh *m)
{
    int n = 0;
    for (int z = 0; z < m->nz; z++)
        n += m->z[z].ni * m->z[z].nj;
    return n;
}

static int arcs_of(const struct shares *c)
{
    int n = 0;
    for (int k = 0; k < c->nshare; k++)
        for (int l = 0; l < c->share[k].nside; l++)
            n += c->share[k].side[l].cut < 0 ? c->share[k].side[l].n + 1 : 0;
    return n;
}

int metal_reference_new(struct metal_reference *q, const struct row *r, const struct channel *c,
                        double f)
{
    struct metal_section *s = &q->section;
    AN_TRY(metal_section_new(s, r, c, f));
    // as mesh_cascade: cells as wide as the mean cell of the gas at the blade
    const struct solid_cells cells = {s->profile.c.length / counts_around(&r->n[0]), SOLID_TURN};
    const int rc = solid_section(&q->solid, &q->mesh, &q->shares, &s->profile, &s->holes, &cells);
    AN_CHECK(rc != EXIT_MESH, AN_DIVERGED,
             "error: no mesh of the metal at %.0f %% of the blade's height: %s", 100 * f,
             q->shares.fault);
    AN_CHECK(!rc, AN_FAIL, "out of memory");
    return AN_OK;
}

void metal_reference_free(struct metal_reference *q)
{
    metal_section_free(&q->section);
    blocks_free(&q->mesh);
    shares_free(&q->shares);
    *q = (struct metal_reference){0};
}

// A solid with nodes, lengths and places of its own.
struct copy {
    struct solid solid;
    struct mesh mesh;
    struct shares shares;
};

static void *copied(const void *from, size_t n)
{
    void *to = malloc(n);
    if (to)
        memcpy(to, from, n);
    return to;
}

static int copy_new(struct copy *to, const struct metal_reference *from)
{
    bool good = true;
    to->solid = from->solid;
    to->mesh = from->mesh;
    to->shares = from->shares;
    to->solid.m = &to->mesh;
    to->solid.c = &to->shares;
    to->shares.outline = NULL;
    for (struct zone *z = to->mesh.z; z < to->mesh.z + to->mesh.nz; z++) {
        const size_t ni = (size_t)z->ni, nj = (size_t)z->nj;
        z->x = copied(z->x, ni * nj * sizeof *z->x);
        z->li = copied(z->li, (ni - 1) * nj * sizeof *z->li);
        z->lj = copied(z->lj, ni * (nj - 1) * sizeof *z->lj);
        good = good && z->x && z->li && z->lj;
    }
    for (struct share *k = to->shares.share; k < to->shares.share + to->shares.nshare; k++)
        for (struct share_side *a = k->side; a < k->side + k->nside; a++)
            if (a->cut < 0) {
                a->s = copied(a->s, ((size_t)a->n + 1) * sizeof *a->s);
                good = good && a->s;
            }
    AN_CHECK(good, AN_FAIL, "out of memory");
    return AN_OK;
}

static void copy_free(struct copy *q)
{
    blocks_free(&q->mesh);
    shares_free(&q->shares);
}

// Divides the wanted lengths by the present lengths of the edges, or multiplies them by these.
static void scale_lengths(struct mesh *m, bool divide)
{
    for (int k = 0; k < m->nz; k++) {
        struct zone *z = &m->z[k];
        for (int j = 0; j < z->nj; j++)
            for (int i = 0; i < z->ni; i++) {
                const struct vec2 *x = &z->x[j * z->ni + i];
                const double power = divide ? -1 : 1;
                if (i < z->ni - 1)
                    z->li[j * (z->ni - 1) + i] *= pow(norm(sub(x[1], x[0])), power);
                if (j < z->nj - 1)
                    z->lj[j * z->ni + i] *= pow(norm(sub(x[z->ni], x[0])), power);
            }
    }
}

// Pairs of points of two sections: the nodes of the surface.
struct pairs {
    int n;
    struct vec2 *was, *now; // [n]; was owns both
};

// Nodes of the surface keep their places on the sides of the blade. Takes note of both points.
static void move_surface(struct shares *c, const struct metal_section *was,
                         const struct metal_section *now, struct pairs *p)
{
    const struct profile *a = &was->profile, *b = &now->profile;
    c->curve = &b->c;
    memcpy(c->corner, b->s_corner, sizeof c->corner);
    for (int n = 0; n < c->nnode; n++)
        if (!isnan(c->node[n].s)) {
            c->node[n].s = edge_place(b, edge_sigma(a, c->node[n].s));
            c->node[n].at = curve_point(&b->c, c->node[n].s);
        }
    p->n = 0;
    for (int k = 0; k < c->nshare; k++)
        for (int l = 0; l < c->share[k].nside; l++) {
            struct share_side *arc = &c->share[k].side[l];
            for (int i = 0; i <= arc->n && arc->cut < 0; i++, p->n++) {
                p->was[p->n] = curve_point(&a->c, arc->s[i]);
                arc->s[i] = edge_place(b, edge_sigma(a, arc->s[i]));
                p->now[p->n] = curve_point(&b->c, arc->s[i]);
            }
        }
}

static int pairs_new(struct pairs *p, struct solid *s, const struct metal_section *was,
                     const struct metal_section *now)
{
    const size_t n = (size_t)arcs_of(s->c);
    p->was = malloc(2 * n * sizeof *p->was);
    AN_CHECK(p->was, AN_FAIL, "out of memory");
    p->now = p->was + n;
    move_surface(s->c, was, now, p);
    for (int k = 0; k < now->holes.n; k++)
        s->c->share[k].at = now->holes.hole[k].at;
    s->h = &now->holes;
    return AN_OK;
}

// Moves a point with its neighbourhood: by the similarity of least squares between the pairs, of which nearer ones count
// more (Schaefer, McPhail and Warren, ACM Trans. Graph. 25 (2006) 533). *angle: by which the neighbourhood turns.
static struct vec2 moved_with(const struct pairs *p, struct vec2 x, double *angle)
{
    double all = 0, size = 0, a = 0, b = 0;
    struct vec2 from = {0, 0}, to = {0, 0};
    *angle = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int n = 0; n < p->n; n++) {
            const struct vec2 d = sub(p->was[n], x);
            const double d2 = dot(d, d), w = 1 / (d2 * d2);
            if (!isfinite(w))
                return p->now[n];
            if (pass) {
                const struct vec2 u = sub(p->was[n], from), v = sub(p->now[n], to);
                a += w * dot(u, v);
                b += w * cross(u, v);
                size += w * dot(u, u);
            } else {
                from = axpy(w, p->was[n], from);
                to = axpy(w, p->now[n], to);
                all += w;
            }
        }
        from = pass ? from : scale(1 / all, from);
        to = pass ? to : scale(1 / all, to);
    }
    const struct vec2 d = sub(x, from);
    *angle = atan2(b, a);
    return add(to, scale(1 / size, (struct vec2){a * d.x - b * d.y, a * d.y + b * d.x}));
}

// What a layer is made of.
struct making {
    const struct row *r;
    const struct channel *c;
    const struct metal_section *now;
    struct solid *s;
    // The nodes' wanted places: of all zones in their order (memory of the caller), and of each zone.
    struct vec2 *all, *to[MAX_ZONES];
};

// Where the nodes on the blade have to lie. fillets: the section grows by these.
static void place_surface(struct making *g, bool fillets)
{
    const struct solid *s = g->s;
    const struct shares *c = s->c;
    for (int k = 0; k < c->nshare; k++)
        for (int l = 0, q = 0; l < c->share[k].nside; q += c->share[k].side[l++].n) {
            const struct share_side *arc = &c->share[k].side[l];
            const struct span *p = border_span(&s->border[k], q);
            for (int i = 0; i <= arc->n && arc->cut < 0; i++) {
                const struct vec2 x = curve_point(c->curve, arc->s[i]),
                                  t = curve_tangent(c->curve, arc->s[i]);
                const double more = fillets ? fillet_at(g->r, &g->now->layer, x.x) : 0;
                int at[2];
                border_node(p, q + i, at);
                g->to[p->z][at[1] * s->m->z[p->z].ni + at[0]] =
                    axpy(more, (struct vec2){-t.y, t.x}, x);
            }
        }
}

// The nodes move to where those on the surface and on the holes belong. Where that leaves small angles, they are smoothed.
// first: the wanted lengths are factors yet.
static int settle(struct making *g, bool first)
{
    enum { PASSES = 10, SWEEPS = 20 };
    struct mesh *m = g->s->m;
    struct worst w;
    AN_CHECK(!mesh_spread(m, g->all), AN_FAIL, "out of memory");
    if (first)
        scale_lengths(m, false);
    mesh_worst(&w, m);
    for (int pass = 0; pass < PASSES && w.angle < METAL_GOOD; pass++) {
        m->barrier = m->steep = !w.folded;
        AN_CHECK(!elliptic_smooth(m, SWEEPS), AN_FAIL, "out of memory");
        mesh_worst(&w, m);
    }
    return AN_OK;
}

// The nodes of a hole at the present angles about `centre`, turned: on the channel.
static int place_hole(struct making *g, int k, struct vec2 centre, double turn)
{
    const int z = g->s->zone[k], ni = g->s->m->z[z].ni;
    for (int i = 0; i < ni - 1; i++) {
        const struct vec2 d = sub(g->s->m->z[z].x[i], centre);
        AN_TRY(channel_point(g->now, g->r, g->c, k, atan2(d.y, d.x) + turn, &g->to[z][i]));
    }
    g->to[z][ni - 1] = g->to[z][0];
    return AN_OK;
}

// The nodes of the section `was`, moved with the blade; those on the holes turn with their neighbourhood.
static int begin(struct making *g, const struct metal_section *was, const struct pairs *pairs)
{
    double turn;
    for (int k = 0; k < was->holes.n; k++) {
        moved_with(pairs, was->holes.hole[k].at, &turn);
        AN_TRY(place_hole(g, k, was->holes.hole[k].at, turn));
    }
    for (struct zone *z = g->s->m->z; z < g->s->m->z + g->s->m->nz; z++)
        for (int i = 0; i < z->ni * z->nj; i++)
            z->x[i] = moved_with(pairs, z->x[i], &turn);
    return AN_OK;
}

static int make(struct making *g, const struct metal_section *was, bool smooth)
{
    struct mesh *m = g->s->m;
    struct pairs pairs = {0};
    struct vec2 *next = g->all;
    for (int z = 0; z < m->nz; next += m->z[z].ni * m->z[z].nj, z++)
        g->to[z] = next;
    scale_lengths(m, true);
    int rc = pairs_new(&pairs, g->s, was, g->now);
    rc = rc ? rc : begin(g, was, &pairs);
    free(pairs.was);
    AN_TRY(rc);
    place_surface(g, fillet_wanted(g->r) && !smooth);
    AN_TRY(settle(g, true));
    if (!smooth)
        return AN_OK;
    AN_CHECK(!solid_smooth_on(g->s), AN_FAIL, "out of memory");
    for (int k = 0; k < was->holes.n; k++)
        AN_TRY(place_hole(g, k, g->now->holes.hole[k].at, 0));
    place_surface(g, fillet_wanted(g->r));
    return settle(g, false);
}

int metal_layer(const struct metal_reference *q, const struct row *r, const struct channel *c,
                const struct metal_section *now, bool smooth, const struct grid *to, int k)
{
    struct copy *own = calloc(1, sizeof *own);
    struct making *g = calloc(1, sizeof *g);
    struct vec2 *all = malloc((size_t)nodes_of(&q->mesh) * sizeof *all);
    int rc = own && g && all ? copy_new(own, q) : an_error_set(AN_FAIL, "out of memory");
    if (!rc) {
        *g = (struct making){.r = r, .c = c, .now = now, .s = &own->solid, .all = all};
        rc = make(g, &q->section, smooth);
    }
    for (int z = 0; z < q->mesh.nz && !rc; z++)
        grid_place(&to->block[z], k, &own->mesh.z[z], &now->layer, &r->meridian);
    if (own)
        copy_free(own);
    free(own);
    free(g);
    free(all);
    return rc;
}

// Plane meshes: keys by elliptic smoothing, layers from the keys.
#include "row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BALANCE = 2, // times the O's thickness is corrected after the first smoothing
    UNFOLD = 10, // times a folded mesh is smoothed on, by as many sweeps as
    SWEEPS = 40,
    POLISH = 4, // times the wanted lengths give way to the angles
    TRY_SWEEPS = 20,
    TRY_AROUND = 100 // cells round the blade above which a trial halves its counts
};

static const double POLISHED = 30 * M_PI / 180; // angle at which that ends

void plane_free(struct plane *q)
{
    free(q->sigma);
    blocks_free(&q->out);
    blocks_free(&q->in);
    *q = (struct plane){0};
}

static int allocate_wall(struct mesh *m)
{
    const size_t n = (size_t)m->n_around + 1;
    m->s = malloc(n * sizeof *m->s);
    m->normal = malloc(n * sizeof *m->normal);
    m->thick = malloc(n * sizeof *m->thick);
    m->first = malloc(n * sizeof *m->first);
    AN_CHECK(m->s && m->normal && m->thick && m->first, AN_FAIL, "out of memory");
    return AN_OK;
}

static struct mesh counts_of(const struct row *r, const struct counts *n)
{
    return (struct mesh){.pitch = 2 * M_PI / r->in.blades,
                         .fan = 4e-3,
                         .lines = r->lines,
                         .n_front = n->lead_down + n->lead_up,
                         .n_rear = n->trail_up + n->trail_down,
                         .n_pass = n->pass,
                         .m_down = n->half,
                         .m_up = n->half,
                         .n_in = n->in,
                         .n_out = n->out,
                         .n_final = n->normal,
                         .n_around = counts_around(n)};
}

// sigma of a place on the profile, and back; 2 more for each time round.
static double to_sigma(const struct profile *p, double s)
{
    const double l = p->c.length, turns = floor(s / l), a = s - l * turns;
    return 2 * turns + (a <= p->s_te ? a / p->s_te : 1 + (a - p->s_te) / (l - p->s_te));
}

static double from_sigma(const struct profile *p, double sigma)
{
    const double turns = floor(sigma / 2), f = sigma - 2 * turns, l = p->c.length;
    return turns * l + (f <= 1 ? f * p->s_te : p->s_te + (f - 1) * (l - p->s_te));
}

// Normals, and first heights that are one length in space.
static void set_wall(struct mesh *m, const struct row *r, const struct layer *l,
                     const struct profile *p)
{
    wall_normals(p, m->s, m->n_around, m->normal);
    for (int i = 0; i <= m->n_around; i++) {
        const double u = layer_u(l, curve_point(&p->c, m->s[i]).x);
        m->first[i] = r->in.first[0] / meridian_point(&r->meridian, u, layer_v(l, u)).r;
    }
}

// Smooths with `sweeps` on each level, then `balance` times after a correction of the O's thickness.
static int smooth(struct mesh *m, const struct profile *p, const struct row *r,
                  const struct layer *l, double w, int sweeps, int balance)
{
    const double y_in = r->y_in + (w - 0.5) * r->y_in_slope,
                 y_out = r->y_out + (w - 0.5) * r->y_out_slope;
    struct options o = {.growth = 1e9, .levels = 0, .pitch = m->pitch};
    o.inlet_shear = o.outlet_shear = 1;
    o.inlet_length = p->le.x;
    o.outlet_length = l->m[SAMPLES_U - 1] - p->te.x;
    // straight lines from the edges to the end planes
    o.inlet_angle = atan((p->le.y - y_in) / o.inlet_length);
    o.outlet_angle = atan((y_out - p->te.y) / o.outlet_length);
    int rc = blocks_build(m, p, &o);
    rc = rc ? rc : multilevel_smooth(m, sweeps);
    for (int pass = 0; pass < balance && !rc; pass++) {
        blocks_rebalance(m);
        rc = elliptic_smooth(m, sweeps / 2);
    }
    AN_CHECK(!rc, AN_FAIL, "out of memory");
    return AN_OK;
}

// Weights of the keys in the polynomial of this degree that comes nearest to all of them, at w:
// sums of the polynomials that are orthonormal on the keys. What two keys do differently by
// accident does not become a wave along the span.
static void key_weights(const struct row *r, double w, int degree, double *weight)
{
    double p[3][MAX_KEYS], at[3] = {0, 0, 0}, before = 0;
    const int n = r->nkey;
    degree = degree > n - 1 ? n - 1 : degree;
    for (int k = 0; k < n; k++) {
        p[0][k] = 0;
        p[1][k] = 1 / sqrt(n);
        weight[k] = 1.0 / n;
    }
    at[1] = 1 / sqrt(n);
    for (int d = 1; d <= degree; d++) {
        double a = 0, b = 0;
        for (int k = 0; k < n; k++)
            a += r->key[k].w * p[1][k] * p[1][k];
        for (int k = 0; k < n; k++) {
            p[2][k] = (r->key[k].w - a) * p[1][k] - before * p[0][k];
            b += p[2][k] * p[2][k];
        }
        b = sqrt(b);
        at[2] = ((w - a) * at[1] - before * at[0]) / b;
        for (int k = 0; k < n; k++) {
            p[0][k] = p[1][k];
            p[1][k] = p[2][k] / b;
            weight[k] += at[2] * p[1][k];
        }
        at[0] = at[1];
        at[1] = at[2];
        before = b;
    }
}

// Wall nodes at w in the profile's parameter, from the keys' sigma.
static void wall_nodes(struct mesh *m, const struct row *r, double w, const struct profile *p)
{
    double weight[MAX_KEYS];
    key_weights(r, w, 3, weight);
    for (int i = 0; i <= m->n_around; i++) {
        double sigma = 0;
        for (int k = 0; k < r->nkey; k++)
            sigma += weight[k] * r->key[k].sigma[i];
        m->s[i] = from_sigma(p, sigma);
    }
}

int plane_sigma(struct plane *q, const struct row *r, double w)
{
    struct layer l;
    struct profile p;
    const struct mesh counts = counts_of(r, &r->n);
    const int n = counts.n_around;
    *q = (struct plane){.w = w, .sigma = malloc(((size_t)n + 1) * sizeof *q->sigma)};
    AN_CHECK(q->sigma, AN_FAIL, "out of memory");
    span_layer_at(r, w, &l);
    AN_TRY(blade_profile(&r->blade, &l, &p));
    const int rc = around_place(r, &p, q->sigma);
    for (int i = 0; i <= n && !rc; i++)
        q->sigma[i] = to_sigma(&p, q->sigma[i]);
    profile_free(&p);
    return rc;
}

// Smooths on, from where the mesh is, while cells are folded.
static int unfold(struct mesh *m, struct worst *w)
{
    mesh_worst(w, m);
    for (int pass = 0; pass < UNFOLD && w->folded > 0; pass++) {
        AN_CHECK(!elliptic_smooth(m, SWEEPS), AN_FAIL, "out of memory");
        mesh_worst(w, m);
    }
    return AN_OK;
}

// Nodes of all zones, one after the other; to: into the mesh.
static void copy_nodes(struct mesh *m, struct vec2 *x, bool to)
{
    for (int k = 0; k < m->nz; k++)
        for (int i = 0; i < m->z[k].ni * m->z[k].nj; i++, x++)
            *(to ? &m->z[k].x[i] : x) = *(to ? x : &m->z[k].x[i]);
}

// Where angles are small the wanted lengths give way, while that helps.
static int polish(struct mesh *m, struct worst *w)
{
    size_t n = 0;
    for (int k = 0; k < m->nz; k++)
        n += (size_t)m->z[k].ni * (size_t)m->z[k].nj;
    struct vec2 *x = malloc(n * sizeof *x);
    AN_CHECK(x, AN_FAIL, "out of memory");
    int rc = AN_OK;
    for (int pass = 0; pass < POLISH && w->angle < POLISHED && !rc; pass++) {
        struct worst now;
        copy_nodes(m, x, false);
        m->steep = true;
        rc = worst_give_way(m, 0.6 * POLISHED, 1.3 * POLISHED) || elliptic_smooth(m, TRY_SWEEPS)
                 ? an_error_set(AN_FAIL, "out of memory")
                 : AN_OK;
        m->steep = false;
        mesh_worst(&now, m);
        if (!rc && now.angle < w->angle + 0.005) {
            copy_nodes(m, x, true);
            break;
        }
        *w = now;
    }
    free(x);
    return rc;
}

static int key_mesh(struct plane *q, const struct row *r, const struct layer *l,
                    const struct profile *p)
{
    struct mesh *m = &q->out;
    *m = counts_of(r, &r->n);
    AN_TRY(allocate_wall(m));
    wall_nodes(m, r, q->w, p);
    set_wall(m, r, l, p);
    m->wall_spacing = m->first[0]; // one value will do for the few rows; the layers use their own
    AN_TRY(smooth(m, p, r, l, q->w, r->in.smooth, BALANCE));
    AN_TRY(unfold(m, &q->worst));
    AN_TRY(polish(m, &q->worst));
    for (int k = 0; k < m->nz; k++)
        for (int i = 0; i < m->z[k].ni * m->z[k].nj; i++)
            m->z[k].x[i].x = layer_u(l, m->z[k].x[i].x);
    return AN_OK;
}

int plane_key(struct plane *q, const struct row *r)
{
    struct layer l;
    struct profile p;
    span_layer_at(r, q->w, &l);
    AN_TRY(blade_profile(&r->blade, &l, &p));
    const int rc = key_mesh(q, r, &l, &p);
    profile_free(&p);
    return rc;
}

// Wall nodes of a trial: the key's own spacing, stretched to other counts.
static void stretch_wall(struct mesh *m, const struct row *r, const struct counts *n,
                         const double *sigma, const struct profile *p)
{
    const struct counts *q = &r->n;
    const int around = counts_around(n), up = n->lead_up + n->pass + n->trail_up,
              all = counts_around(q), half = q->lead_up + q->pass + q->trail_up;
    for (int i = 0; i <= around; i++) {
        const int c = i - n->lead_down; // cells clockwise from the leading edge
        const double from = c < 0    ? (double)c * (all - half) / (around - up)
                            : c < up ? (double)c * half / up
                                     : half + (double)(c - up) * (all - half) / (around - up);
        const double at = from + q->lead_down, low = floor(at);
        const int a = (int)low, b = a + 1;
        const double sa = a < 0     ? sigma[a + all] - 2
                          : a > all ? sigma[a - all] + 2
                                    : sigma[a],
                     sb = b < 0     ? sigma[b + all] - 2
                          : b > all ? sigma[b - all] + 2
                                    : sigma[b];
        m->s[i] = from_sigma(p, sa + (at - low) * (sb - sa));
    }
}

static int halve(struct counts *n)
{
    int *const c[] = {&n->lead_down, &n->lead_up, &n->trail_up, &n->trail_down,
                      &n->pass,      &n->half,    &n->in,       &n->out};
    for (size_t k = 0; k < sizeof c / sizeof c[0]; k++)
        if (*c[k] < 4)
            return 0;
    for (size_t k = 0; k < sizeof c / sizeof c[0]; k++)
        *c[k] /= 2;
    return 1;
}

int plane_try(const struct row *r, const struct counts *counts, int key, double *angle)
{
    const struct plane *q = &r->key[key];
    struct counts n = *counts;
    struct layer l;
    struct profile p;
    struct worst w;
    while (counts_around(&n) > TRY_AROUND && halve(&n))
        ;
    span_layer_at(r, q->w, &l);
    AN_TRY(blade_profile(&r->blade, &l, &p));
    struct mesh m = counts_of(r, &n);
    int rc = allocate_wall(&m);
    if (!rc) {
        stretch_wall(&m, r, &n, q->sigma, &p);
        set_wall(&m, r, &l, &p);
        m.wall_spacing = m.first[0];
        rc = smooth(&m, &p, r, &l, q->w, TRY_SWEEPS, 1);
    }
    if (!rc) {
        mesh_worst(&w, &m);
        *angle = w.angle;
    }
    blocks_free(&m);
    profile_free(&p);
    return rc;
}

// Skeleton of the layer: the keys' nodes mixed, (u, y) turned into (m', y). The O's wall nodes are
// the blade's own; the rows off it follow what that moves them, less and less.
static int mix_outside(struct mesh *m, const struct row *r, double w, const struct layer *l,
                       const struct profile *p)
{
    double weight[MAX_KEYS];
    key_weights(r, w, 5, weight);
    m->nz = 0;
    for (int z = 0; z < r->key[0].out.nz; z++) {
        const struct zone *like = &r->key[0].out.z[z];
        AN_CHECK(!zone_new(&m->z[m->nz++], like->name, like->ni, like->nj), AN_FAIL,
                 "out of memory");
        for (int i = 0; i < like->ni * like->nj; i++) {
            struct vec2 x = {0, 0};
            for (int k = 0; k < r->nkey; k++)
                x = axpy(weight[k], r->key[k].out.z[z].x[i], x);
            m->z[z].x[i] = (struct vec2){layer_m(l, x.x), x.y};
        }
    }
    struct zone *o = &m->z[Z_O];
    for (int i = 0; i <= m->n_around; i++) {
        const struct vec2 own = curve_point(&p->c, m->s[i % m->n_around]), move = sub(own, o->x[i]);
        for (int j = 1; j < o->nj - 1; j++)
            o->x[j * o->ni + i] = axpy(1 - (double)j / (o->nj - 1), move, o->x[j * o->ni + i]);
        o->x[i] = own;
    }
    return AN_OK;
}

// Smooths a folded layer on between its fixed ends, with the wanted lengths of the nearest key.
static int unfold_layer(struct mesh *m, const struct row *r, double w, struct worst *worst)
{
    int near = 0;
    for (int k = 1; k < r->nkey; k++)
        if (fabs(r->key[k].w - w) < fabs(r->key[near].w - w))
            near = k;
    for (int z = 0; z < m->nz; z++) {
        const struct zone *like = &r->key[near].out.z[z];
        const size_t ni = (size_t)like->ni, nj = (size_t)like->nj;
        memcpy(m->z[z].li, like->li, (ni - 1) * nj * sizeof *like->li);
        memcpy(m->z[z].lj, like->lj, ni * (nj - 1) * sizeof *like->lj);
        m->z[z].weight = like->weight;
    }
    blocks_connect(m);
    m->hold = true;
    const int rc = unfold(m, worst);
    m->hold = false;
    return rc;
}

// before: the worst corner while the O has few rows.
static int layer_outside(struct mesh *m, const struct row *r, double w, const struct layer *l,
                         const struct profile *p, struct worst *before)
{
    *m = counts_of(r, &r->n);
    m->n_normal = r->key[0].out.n_normal;
    AN_TRY(allocate_wall(m));
    wall_nodes(m, r, w, p);
    set_wall(m, r, l, p);
    AN_TRY(mix_outside(m, r, w, l, p));
    mesh_worst(before, m);
    if (before->folded > 0)
        AN_TRY(unfold_layer(m, r, w, before));
    AN_CHECK(!blocks_refine_o(m, 1e9, 1), AN_FAIL, "out of memory");
    return AN_OK;
}

int plane_lines(const struct row *r, double w, double *before, double *after)
{
    struct layer l;
    struct profile p;
    struct worst few, all;
    struct mesh m = {0};
    span_layer_at(r, w, &l);
    AN_TRY(blade_profile(&r->blade, &l, &p));
    const int rc = layer_outside(&m, r, w, &l, &p, &few);
    if (!rc) {
        mesh_worst(&all, &m);
        *before = few.angle;
        *after = all.angle;
    }
    blocks_free(&m);
    profile_free(&p);
    return rc;
}

int plane_layer(struct plane *q, struct row *r, int k)
{
    const struct layer *l = &r->layer[k];
    struct profile p;
    *q = (struct plane){.w = r->w[k]};
    AN_TRY(blade_profile(&r->blade, l, &p));
    struct worst before;
    int rc = layer_outside(&q->out, r, q->w, l, &p, &before);
    if (!rc && r->n.gap && k >= r->n.span)
        rc = inside_layer(&q->in, r, k, &q->out);
    profile_free(&p);
    return rc;
}

// Plane meshes: keys by elliptic smoothing, layers from the keys.
#include "row.h"

#include <math.h>
#include <stdlib.h>

enum { BALANCE = 2 }; // times the O's thickness is corrected after the first smoothing

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

static struct mesh counts_of(const struct row *r)
{
    const struct counts *n = &r->n;
    const int front = n->lead_down + n->lead_up;
    return (struct mesh){.pitch = 2 * M_PI / r->in.blades,
                         .n_front = front,
                         .n_rear = front,
                         .n_pass = n->pass,
                         .m_down = n->half,
                         .m_up = n->half,
                         .n_in = n->in,
                         .n_out = n->out,
                         .n_final = n->normal,
                         .n_around = 2 * (front + n->pass)};
}

// sigma of a place on the profile, and back. Down to the last place before the leading edge, 2.
static double to_sigma(const struct profile *p, double s)
{
    const double l = p->c.length, a = s - l * floor(s / l);
    return a <= p->s_te ? a / p->s_te : 1 + (a - p->s_te) / (l - p->s_te);
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

static int smooth(struct mesh *m, const struct profile *p, const struct row *r,
                  const struct layer *l)
{
    struct options o = {.growth = 1e9, .levels = 0, .pitch = m->pitch};
    o.inlet_shear = o.outlet_shear = 1;
    o.inlet_length = p->le.x;
    o.outlet_length = l->m[SAMPLES_U - 1] - p->te.x;
    // straight lines from the edges to the same y at every span
    o.inlet_angle = atan((p->le.y - r->y_in) / o.inlet_length);
    o.outlet_angle = atan((r->y_out - p->te.y) / o.outlet_length);
    int rc = blocks_build(m, p, &o);
    rc = rc ? rc : multilevel_smooth(m, r->in.smooth);
    for (int pass = 0; pass < BALANCE && !rc; pass++) {
        blocks_rebalance(m);
        rc = elliptic_smooth(m, r->in.smooth / 2);
    }
    AN_CHECK(!rc, AN_FAIL, "out of memory");
    return AN_OK;
}

static void to_u(struct mesh *m, const struct layer *l)
{
    for (int k = 0; k < m->nz; k++)
        for (int i = 0; i < m->z[k].ni * m->z[k].nj; i++)
            m->z[k].x[i].x = layer_u(l, m->z[k].x[i].x);
}

static int key_mesh(struct plane *q, const struct row *r, const struct layer *l,
                    const struct profile *p)
{
    struct mesh *m = &q->out;
    *m = counts_of(r);
    q->n_around = m->n_around;
    q->sigma = malloc(((size_t)m->n_around + 1) * sizeof *q->sigma);
    AN_CHECK(q->sigma, AN_FAIL, "out of memory");
    AN_TRY(allocate_wall(m));
    AN_TRY(around_place(r, p, m->s));
    set_wall(m, r, l, p);
    // one value for the first, algebraic mesh; the layers use their own
    m->wall_spacing = m->first[0];
    AN_TRY(smooth(m, p, r, l));
    // ascending from the leading edge's turn on
    double turns = 0;
    for (int i = 0; i <= m->n_around; i++) {
        q->sigma[i] = to_sigma(p, m->s[i]) + turns;
        if (i && q->sigma[i] < q->sigma[i - 1]) {
            q->sigma[i] += 2;
            turns += 2;
        }
    }
    if (r->n.gap)
        AN_TRY(inside_new(&q->in, r, m));
    to_u(m, l);
    to_u(&q->in, l);
    return AN_OK;
}

int plane_key(struct plane *q, const struct row *r, double w)
{
    struct layer l;
    struct profile p;
    *q = (struct plane){.w = w};
    span_layer_at(r, w, &l);
    AN_TRY(blade_profile(&r->blade, &l, &p));
    const int rc = key_mesh(q, r, &l, &p);
    profile_free(&p);
    return rc;
}

// Weights of the keys in the natural spline through them at w.
static void key_weights(const struct row *r, double w, double *weight)
{
    double x[MAX_KEYS], y[MAX_KEYS], y2[MAX_KEYS];
    for (int k = 0; k < r->nkey; k++)
        x[k] = r->key[k].w;
    for (int k = 0; k < r->nkey; k++) {
        for (int i = 0; i < r->nkey; i++)
            y[i] = i == k;
        spline_natural(r->nkey, x, y, y2);
        weight[k] = spline_value(r->nkey, x, y, y2, w);
    }
}

// A mesh of the same shape as the keys' with mixed nodes, (u, y) turned into (m', y).
static int mix(struct mesh *m, const struct row *r, const double *weight, const struct layer *l,
               bool inside)
{
    const struct mesh *first = inside ? &r->key[0].in : &r->key[0].out;
    m->nz = 0;
    for (int z = 0; z < first->nz; z++) {
        const struct zone *like = &first->z[z];
        AN_CHECK(!zone_new(&m->z[m->nz++], like->name, like->ni, like->nj), AN_FAIL,
                 "out of memory");
        for (int i = 0; i < like->ni * like->nj; i++) {
            struct vec2 x = {0, 0};
            for (int k = 0; k < r->nkey; k++)
                x = axpy(weight[k], (inside ? r->key[k].in : r->key[k].out).z[z].x[i], x);
            m->z[z].x[i] = (struct vec2){layer_m(l, x.x), x.y};
        }
    }
    return AN_OK;
}

static int layer_mesh(struct plane *q, const struct row *r, const struct layer *l,
                      const struct profile *p, bool gap)
{
    double weight[MAX_KEYS];
    key_weights(r, q->w, weight);
    struct mesh *m = &q->out;
    *m = counts_of(r);
    m->n_normal = r->key[0].out.n_normal;
    AN_TRY(allocate_wall(m));
    for (int i = 0; i <= m->n_around; i++) {
        double sigma = 0;
        for (int k = 0; k < r->nkey; k++)
            sigma += weight[k] * r->key[k].sigma[i];
        m->s[i] = from_sigma(p, sigma);
    }
    set_wall(m, r, l, p);
    AN_TRY(mix(m, r, weight, l, false));
    for (int i = 0; i <= m->n_around; i++)
        m->z[Z_O].x[i] = curve_point(&p->c, m->s[i % m->n_around]);
    AN_CHECK(!blocks_refine_o(m, 1e9, 1), AN_FAIL, "out of memory");
    if (gap) {
        AN_TRY(mix(&q->in, r, weight, l, true));
        q->in.n_around = m->n_around;
        q->in.normal = malloc(((size_t)m->n_around + 1) * sizeof *q->in.normal);
        q->in.first = malloc(((size_t)m->n_around + 1) * sizeof *q->in.first);
        AN_CHECK(q->in.normal && q->in.first, AN_FAIL, "out of memory");
        AN_TRY(inside_refine(&q->in, r, m));
    }
    return AN_OK;
}

int plane_layer(struct plane *q, const struct row *r, int k)
{
    const struct layer *l = &r->layer[k];
    struct profile p;
    *q = (struct plane){.w = r->w[k]};
    AN_TRY(blade_profile(&r->blade, l, &p));
    const int rc = layer_mesh(q, r, l, &p, r->n.gap && k >= r->n.span);
    profile_free(&p);
    return rc;
}

// Plane meshes: keys by elliptic smoothing, layers from the keys.
#include "row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BALANCE = 2, // times the O's thickness is corrected after the first smoothing
    FOLLOW = 24, // sweeps of a key that follows another one
    UNFOLD = 10, // times a folded mesh is smoothed on, by as many sweeps as
    SWEEPS = 40,
    TRY_SWEEPS = 20,
    TRY_SPLIT = 30,  // of several blades
    TRY_AROUND = 100 // cells round the blade above which a trial halves its counts
};

void plane_free(struct plane *q)
{
    for (int b = 0; b < MAX_SET; b++) {
        free(q->sigma[b]);
        blocks_free(&q->out[b]);
        blocks_free(&q->in[b]);
    }
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
                         .widen = r->widen,
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

// Smooths the normals round the section, so that they do not cross near the wall where its outline is hollow, as behind a
// thick edge.
static void calm_normals(struct mesh *m)
{
    enum { PASSES = 4 };
    const int n = m->n_around;
    for (int pass = 0; pass < PASSES; pass++) {
        const struct vec2 first = m->normal[0];
        struct vec2 before = m->normal[n - 1];
        for (int i = 0; i < n; i++) {
            const struct vec2 here = m->normal[i], next = i < n - 1 ? m->normal[i + 1] : first,
                              sum = axpy(0.5, here, scale(0.25, add(before, next)));
            before = here;
            m->normal[i] = scale(1 / norm(sum), sum);
        }
        m->normal[n] = m->normal[0];
    }
}

// Normals, and first heights that are one length in space.
static void set_wall(struct mesh *m, const struct row *r, const struct counts *n,
                     const struct layer *l, const struct profile *p)
{
    wall_normals(p, m->s, m->n_around, m->normal);
    for (int i = 0; i <= m->n_around; i++) {
        const double u = layer_u(l, curve_point(&p->c, m->s[i]).x);
        m->first[i] = r->in.first[0] / meridian_point(&r->meridian, u, layer_v(l, u)).r;
    }
    edge_normals(m, n);
    if (r->calm)
        calm_normals(m);
}

// Options of the first guess: straight lines from the edges to the end planes.
static struct options straight_ends(const struct row *r, const struct layer *l, double w,
                                    const struct profile *p, double pitch)
{
    const double y_in = r->y_in + (w - 0.5) * r->y_in_slope,
                 y_out = r->y_out + (w - 0.5) * r->y_out_slope;
    struct options o = {.growth = 1e9, .levels = 0, .pitch = pitch};
    o.inlet_shear = o.outlet_shear = 1;
    o.inlet_length = p->le.x;
    o.outlet_length = l->m[SAMPLES_U - 1] - p->te.x;
    o.inlet_angle = atan((p->le.y - y_in) / o.inlet_length);
    o.outlet_angle = atan((y_out - p->te.y) / o.outlet_length);
    return o;
}

// Smooths the sectors m with `sweeps` on each level, then `balance` times after a correction of the Os'
// thickness.
static int smooth(struct mesh *m, const struct profile *p, const struct row *r,
                  const struct layer *l, double w, int sweeps, int balance)
{
    struct mesh all;
    const struct options o = straight_ends(r, l, w, p, m->pitch);
    int rc = sectors_build(m, r->set, p, &o);
    sectors_join(&all, m, r->set);
    rc = rc ? rc : multilevel_smooth(&all, sweeps);
    for (int pass = 0; pass < balance && !rc; pass++) {
        for (int b = 0; b < r->set; b++)
            blocks_rebalance(&m[b]);
        rc = elliptic_smooth(&all, sweeps / 2);
    }
    AN_CHECK(!rc, AN_FAIL, "out of memory");
    return AN_OK;
}

// Wall nodes at w in the profile's parameter, from the keys' sigma.
static void wall_nodes(struct mesh *m, const struct row *r, int b, double w,
                       const struct profile *p)
{
    double weight[MAX_KEYS];
    mix_polynomial(r, w, SIGMA_DEGREE, weight);
    for (int i = 0; i <= m->n_around; i++) {
        double sigma = 0;
        for (int k = 0; k < r->nkey; k++)
            sigma += weight[k] * r->key[k].sigma[b][i];
        m->s[i] = edge_place(p, sigma);
    }
}

static int sigma_of(struct plane *q, const struct row *r, int b, const struct layer *l)
{
    struct profile p;
    const int n = counts_around(&r->n[b]);
    double *sigma = q->sigma[b] = malloc(((size_t)n + 1) * sizeof *sigma);
    AN_CHECK(sigma, AN_FAIL, "out of memory");
    AN_TRY(blade_profile(&r->blade[b], l, &p));
    const int rc = around_place(r, &r->n[b], &(struct wall){b, &p, l}, sigma);
    for (int i = 0; i <= n && !rc; i++)
        sigma[i] = edge_sigma(&p, sigma[i]);
    profile_free(&p);
    return rc;
}

int plane_sigma(struct plane *q, const struct row *r, double w)
{
    struct layer l;
    *q = (struct plane){.w = w};
    span_layer_at(r, w, &l);
    for (int b = 0; b < r->set; b++)
        AN_TRY(sigma_of(q, r, b, &l));
    return AN_OK;
}

int plane_sigma_like(struct plane *q, const struct row *r, const struct plane *like)
{
    *q = (struct plane){.w = like->w};
    for (int b = 0; b < r->set; b++) {
        const size_t n = (size_t)counts_around(&r->n[b]) + 1;
        q->sigma[b] = malloc(n * sizeof *q->sigma[b]);
        AN_CHECK(q->sigma[b], AN_FAIL, "out of memory");
        memcpy(q->sigma[b], like->sigma[b], n * sizeof *q->sigma[b]);
    }
    return AN_OK;
}

// Sections of all blades on a layer.
static int profiles_new(const struct row *r, const struct layer *l, struct profile p[MAX_SET])
{
    memset(p, 0, MAX_SET * sizeof *p);
    for (int b = 0; b < r->set; b++)
        AN_TRY(blade_profile(&r->blade[b], l, &p[b]));
    return AN_OK;
}

static void profiles_free(struct profile p[MAX_SET])
{
    for (int b = 0; b < MAX_SET; b++)
        profile_free(&p[b]);
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

// From the smoothed sectors to the key: folded cells are mended, small angles polished, the nodes become (u, y).
static int key_end(struct plane *q, const struct row *r, const struct layer *l)
{
    struct mesh all;
    sectors_join(&all, q->out, r->set);
    AN_TRY(unfold(&all, &q->worst));
    AN_TRY(mesh_polish(&all, &q->worst, MESH_POLISHED, r->barrier));
    for (int k = 0; k < all.nz; k++)
        for (int i = 0; i < all.z[k].ni * all.z[k].nj; i++)
            all.z[k].x[i].x = layer_u(l, all.z[k].x[i].x);
    return AN_OK;
}

static int key_mesh(struct plane *q, const struct row *r, const struct layer *l,
                    const struct profile *p)
{
    struct mesh *m = q->out;
    for (int b = 0; b < r->set; b++) {
        m[b] = counts_of(r, &r->n[b]);
        AN_TRY(allocate_wall(&m[b]));
        wall_nodes(&m[b], r, b, q->w, &p[b]);
        set_wall(&m[b], r, &r->n[b], l, &p[b]);
        // one value will do for the few rows; the layers use their own
        m[b].wall_spacing = m[b].first[0];
    }
    AN_TRY(smooth(m, p, r, l, q->w, r->in.smooth, BALANCE));
    return key_end(q, r, l);
}

// The keys' nodes from (u, y) to (m', y), and back.
static void to_plane(struct mesh *all, const struct layer *l, bool back)
{
    for (int k = 0; k < all->nz; k++)
        for (int i = 0; i < all->z[k].ni * all->z[k].nj; i++) {
            double *x = &all->z[k].x[i].x;
            *x = back ? layer_u(l, *x) : layer_m(l, *x);
        }
}

int plane_even(struct plane *q, const struct row *r, double limit, double *ratio)
{
    struct layer l;
    struct mesh all;
    span_layer_at(r, q->w, &l);
    for (int b = 0; b < r->set; b++)
        q->out[b].widen = r->widen;
    sectors_join(&all, q->out, r->set);
    to_plane(&all, &l, false);
    all.steep = all.barrier = true;
    const int failed = mesh_even(&all, q->out, limit, true, ratio) ||
                       elliptic_smooth(&all, TRY_SWEEPS) ||
                       mesh_even(&all, q->out, limit, false, ratio);
    mesh_worst(&q->worst, &all);
    to_plane(&all, &l, true);
    AN_CHECK(!failed, AN_FAIL, "out of memory");
    return AN_OK;
}

int plane_key(struct plane *q, const struct row *r)
{
    busy("makes the plane meshes of the heights");
    struct layer l;
    struct profile p[MAX_SET];
    span_layer_at(r, q->w, &l);
    int rc = profiles_new(r, &l, p);
    rc = rc ? rc : key_mesh(q, r, &l, p);
    profiles_free(p);
    return rc;
}

int plane_zones(struct mesh *m, const struct row *r, const struct counts *n)
{
    *m = counts_of(r, n);
    AN_TRY(allocate_wall(m));
    AN_CHECK(!blocks_zones(m, NULL), AN_FAIL, "out of memory");
    return AN_OK;
}

// How far the node on the blade's outline that O's line i begins at has moved.
static struct vec2 moved(const struct mesh *m, const struct mesh *from, int i)
{
    return sub(m->z[Z_O].x[i], from->z[Z_O].x[i]);
}

// The nodes of `from`, in the plane of the layer, moved with those on the blade: the O as a whole, the passages as far as
// they lie between two blades, the ends less and less.
static void follow_blade(struct mesh *m, const struct mesh *from)
{
    const int nf = m->n_front, np = m->n_pass, nr = m->n_rear, no = m->n_around, md = m->m_down,
              across = m->m_up + md;
    for (int k = 0; k < m->nz; k++) {
        const struct zone *z = &m->z[k], *old = &from->z[k];
        for (int j = k == Z_O; j < z->nj; j++)
            for (int i = 0; i < z->ni; i++) {
                // the O's lines below and above, and the share of the way between them
                int low = i, high = i;
                double part = 0, all = 1;
                if (k == Z_UP || k == Z_DOWN) {
                    low = nf + i;
                    high = no - i;
                    part = (double)(k == Z_UP ? j : m->m_up + j) / across;
                } else if (k != Z_O) {
                    const int face = k == Z_INLET ? nf : nr, over = j - md;
                    const int upper = k == Z_INLET ? nf : nf + np,
                              lower = k == Z_INLET ? no : no - np;
                    all = (double)(k == Z_INLET ? i : z->ni - 1 - i) / (z->ni - 1);
                    low = over < 0 || over > face ? upper
                          : k == Z_INLET          ? over
                                                  : nf + np + nr - over;
                    high = over < 0 || over > face ? lower : low;
                    part = over < 0      ? (double)(m->m_up + j) / across
                           : over > face ? (double)(over - face) / across
                                         : 0;
                }
                const struct vec2 a = moved(m, from, low), b = moved(m, from, high);
                z->x[j * z->ni + i] = axpy(all, axpy(part, sub(b, a), a), old->x[j * z->ni + i]);
            }
    }
}

static int follow(struct plane *q, const struct row *r, const struct layer *l,
                  const struct profile *p, struct mesh *from)
{
    struct mesh *m = q->out;
    *m = counts_of(r, r->n);
    AN_TRY(allocate_wall(m));
    wall_nodes(m, r, 0, q->w, p);
    set_wall(m, r, r->n, l, p);
    m->wall_spacing = m->first[0];
    AN_CHECK(!blocks_zones(m, p), AN_FAIL, "out of memory");
    const struct options o = straight_ends(r, l, q->w, p, m->pitch);
    m->shear_in = tan(o.inlet_angle);
    m->shear_out = tan(o.outlet_angle);
    for (int k = 0; k < m->nz; k++) {
        struct zone *z = &m->z[k];
        const size_t ni = (size_t)z->ni, nj = (size_t)z->nj;
        memcpy(z->li, from->z[k].li, (ni - 1) * nj * sizeof *z->li);
        memcpy(z->lj, from->z[k].lj, ni * (nj - 1) * sizeof *z->lj);
    }
    follow_blade(m, from);
    AN_CHECK(!elliptic_smooth(m, FOLLOW), AN_FAIL, "out of memory");
    return key_end(q, r, l);
}

int plane_follow(struct plane *q, const struct row *r, const struct plane *from)
{
    struct layer l;
    struct profile p[MAX_SET];
    struct mesh old = {0};
    span_layer_at(r, q->w, &l);
    int rc = plane_zones(&old, r, r->n);
    for (int k = 0; k < old.nz && !rc; k++) {
        const struct zone *z = &from->out[0].z[k];
        const size_t ni = (size_t)z->ni, nj = (size_t)z->nj;
        memcpy(old.z[k].x, z->x, ni * nj * sizeof *z->x);
        memcpy(old.z[k].li, z->li, (ni - 1) * nj * sizeof *z->li);
        memcpy(old.z[k].lj, z->lj, ni * (nj - 1) * sizeof *z->lj);
    }
    if (!rc)
        to_plane(&old, &l, false);
    rc = rc ? rc : profiles_new(r, &l, p);
    if (!rc) {
        rc = follow(q, r, &l, p, &old);
        profiles_free(p);
    }
    blocks_free(&old);
    return rc;
}

// The place of cell c of n between an edge's corners, where n become q; the last base_n of them lie on the base of
// a cut-off edge, which has base_q of q.
static double stretched(int c, int n, int base_n, int q, int base_q)
{
    if (c <= n - base_n)
        return (double)c * (q - base_q) / (n - base_n);
    return q - base_q + (double)(c - n + base_n) * base_q / base_n;
}

// Wall nodes of a trial: the key's own spacing, stretched to other counts.
static void stretch_wall(struct mesh *m, const struct counts *q, const struct counts *n,
                         const double *sigma, const struct profile *p)
{
    const int around = counts_around(n), up = n->lead_up + n->pass + n->trail_up,
              all = counts_around(q), half = q->lead_up + q->pass + q->trail_up;
    for (int i = 0; i <= around; i++) {
        const int c = i - n->lead_down; // cells clockwise from the leading edge
        const double from =
            c < 0     ? -stretched(-c, around - up, n->base, all - half, q->base)
            : c < up  ? stretched(c, up, n->base, half, q->base)
            : n->base ? all - stretched(around - c, around - up, n->base, all - half, q->base)
                      : half + (double)(c - up) * (all - half) / (around - up);
        const double at = from + q->lead_down, low = floor(at);
        const int a = (int)low, b = a + 1;
        const double sa = a < 0     ? sigma[a + all] - 2
                          : a > all ? sigma[a - all] + 2
                                    : sigma[a],
                     sb = b < 0     ? sigma[b + all] - 2
                          : b > all ? sigma[b - all] + 2
                                    : sigma[b];
        m->s[i] = edge_place(p, sa + (at - low) * (sb - sa));
    }
}

// Several blades need equal numbers of cells from inlet to outlet afterwards too.
static int halve(struct counts *n, int blades)
{
    for (int half = 0; half < 2; half++)
        for (int b = 0; b < blades; b++) {
            int *const c[] = {&n[b].lead_down,  &n[b].lead_up, &n[b].trail_up, &n[b].pass,
                              &n[b].trail_down, &n[b].half,    &n[b].in,       &n[b].out};
            for (size_t k = 0; k < sizeof c / sizeof c[0]; k++)
                if (half)
                    *c[k] /= 2;
                else if (*c[k] < 4)
                    return 0;
            if (half && n[b].base > 0)
                n[b].base = n[b].base > 1 ? n[b].base / 2 : 1;
            if (!half && blades > 1 && (n[b].in % 2 || n[b].pass % 2 || n[b].out % 2))
                return 0;
        }
    return 1;
}

static int try_mesh(const struct row *r, const struct counts *n, const struct plane *q,
                    const struct layer *l, const struct profile *p, double *angle)
{
    struct mesh m[MAX_SET] = {{0}}, all;
    int rc = AN_OK;
    for (int b = 0; b < r->set && !rc; b++) {
        m[b] = counts_of(r, &n[b]);
        rc = allocate_wall(&m[b]);
        if (!rc) {
            stretch_wall(&m[b], &r->n[b], &n[b], q->sigma[b], &p[b]);
            set_wall(&m[b], r, &n[b], l, &p[b]);
            m[b].wall_spacing = m[b].first[0];
        }
    }
    rc = rc ? rc : smooth(m, p, r, l, q->w, r->set > 1 ? TRY_SPLIT : TRY_SWEEPS, 1);
    if (!rc) {
        struct worst w;
        sectors_join(&all, m, r->set);
        mesh_worst(&w, &all);
        rc = r->barrier && w.angle > 0 ? mesh_polish(&all, &w, MESH_POLISHED, true) : AN_OK;
        *angle = w.angle;
    }
    for (int b = 0; b < r->set; b++)
        blocks_free(&m[b]);
    return rc;
}

int plane_try(const struct row *r, const struct counts *counts, int key, double *angle)
{
    busy("searches the corners of the ring of cells round the blade, by quick meshes");
    const struct plane *q = &r->key[key];
    struct counts n[MAX_SET];
    struct layer l;
    struct profile p[MAX_SET];
    memcpy(n, counts, sizeof n);
    while (counts_around(n) > TRY_AROUND && halve(n, r->set))
        ;
    span_layer_at(r, q->w, &l);
    int rc = profiles_new(r, &l, p);
    rc = rc ? rc : try_mesh(r, n, q, &l, p, angle);
    profiles_free(p);
    return rc;
}

// Skeleton of the layer: the keys' nodes mixed, (u, y) turned into (m', y). The O's wall nodes are
// the blade's own; the rows off it follow what that moves them, less and less.
static int mix_outside(struct mesh *m, const struct row *r, int b, double w, const struct layer *l,
                       const struct profile *p)
{
    double weight[MAX_KEYS];
    mix_weights(r, w, weight);
    m->nz = 0;
    for (int z = 0; z < r->key[0].out[b].nz; z++) {
        const struct zone *like = &r->key[0].out[b].z[z];
        AN_CHECK(!zone_new(&m->z[m->nz++], like->name, like->ni, like->nj), AN_FAIL,
                 "out of memory");
        for (int i = 0; i < like->ni * like->nj; i++) {
            struct vec2 x = {0, 0};
            for (int k = 0; k < r->nkey; k++)
                x = axpy(weight[k], r->key[k].out[b].z[z].x[i], x);
            m->z[z].x[i] = (struct vec2){layer_m(l, x.x), x.y};
        }
    }
    struct zone *o = &m->z[Z_O];
    for (int i = 0; i <= m->n_around; i++) {
        struct vec2 own = curve_point(&p->c, m->s[i % m->n_around]);
        if (fillet_wanted(r))
            own = axpy(fillet_at(r, l, own.x), m->normal[i % m->n_around], own);
        const struct vec2 move = sub(own, o->x[i]);
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
    struct mesh all;
    for (int k = 1; k < r->nkey; k++)
        if (fabs(r->key[k].w - w) < fabs(r->key[near].w - w))
            near = k;
    for (int b = 0; b < r->set; b++) {
        for (int z = 0; z < m[b].nz; z++) {
            const struct zone *like = &r->key[near].out[b].z[z];
            const size_t ni = (size_t)like->ni, nj = (size_t)like->nj;
            memcpy(m[b].z[z].li, like->li, (ni - 1) * nj * sizeof *like->li);
            memcpy(m[b].z[z].lj, like->lj, ni * (nj - 1) * sizeof *like->lj);
            m[b].z[z].weight = like->weight;
        }
        blocks_connect(&m[b]);
    }
    sectors_join(&all, m, r->set);
    all.hold = true;
    return unfold(&all, worst);
}

// Sectors of the layer with few rows in the Os.
static int skeleton(struct mesh *m, const struct row *r, double w, const struct layer *l,
                    const struct profile *p, struct worst *worst)
{
    struct mesh all;
    for (int b = 0; b < r->set; b++) {
        m[b] = counts_of(r, &r->n[b]);
        m[b].n_normal = r->key[0].out[b].n_normal;
        AN_TRY(allocate_wall(&m[b]));
        wall_nodes(&m[b], r, b, w, &p[b]);
        set_wall(&m[b], r, &r->n[b], l, &p[b]);
        AN_TRY(mix_outside(&m[b], r, b, w, l, &p[b]));
    }
    sectors_join(&all, m, r->set);
    mesh_worst(worst, &all);
    return AN_OK;
}

// before: the worst corner while the Os have few rows.
static int layer_outside(struct mesh *m, const struct row *r, double w, const struct layer *l,
                         const struct profile *p, struct worst *before)
{
    AN_TRY(skeleton(m, r, w, l, p, before));
    if (before->folded > 0)
        AN_TRY(unfold_layer(m, r, w, before));
    for (int b = 0; b < r->set; b++)
        AN_CHECK(!blocks_refine_o(&m[b], 1e9, 1), AN_FAIL, "out of memory");
    return AN_OK;
}

int plane_mixed(const struct row *r, double w, double *angle)
{
    busy("searches how the layers follow from the meshed heights");
    struct layer l;
    struct profile p[MAX_SET];
    struct worst worst;
    struct mesh m[MAX_SET] = {{0}};
    span_layer_at(r, w, &l);
    int rc = profiles_new(r, &l, p);
    rc = rc ? rc : skeleton(m, r, w, &l, p, &worst);
    if (!rc)
        *angle = worst.angle;
    for (int b = 0; b < r->set; b++)
        blocks_free(&m[b]);
    profiles_free(p);
    return rc;
}

int plane_lines(const struct row *r, double w, struct lines_figures *f)
{
    busy("searches the course of the lines round the blade");
    struct layer l;
    struct profile p[MAX_SET];
    struct worst few, whole;
    struct mesh m[MAX_SET] = {{0}}, all;
    span_layer_at(r, w, &l);
    int rc = profiles_new(r, &l, p);
    rc = rc ? rc : layer_outside(m, r, w, &l, p, &few);
    if (!rc) {
        sectors_join(&all, m, r->set);
        mesh_worst(&whole, &all);
        f->few = few.angle;
        f->all = whole.angle;
        rc = mesh_even(&all, NULL, 1, false, &f->ratio) ? an_error_set(AN_FAIL, "out of memory")
                                                        : AN_OK;
    }
    for (int b = 0; b < r->set; b++)
        blocks_free(&m[b]);
    profiles_free(p);
    return rc;
}

int plane_layer(struct plane *q, struct row *r, int k)
{
    busy("makes the layers");
    const struct layer *l = &r->layer[k];
    const struct counts *n = &r->n[0];
    struct profile p[MAX_SET];
    struct worst before;
    *q = (struct plane){.w = r->w[k]};
    int rc = profiles_new(r, l, p);
    rc = rc ? rc : layer_outside(q->out, r, q->w, l, p, &before);
    for (int b = 0; b < r->set && !rc; b++)
        if ((n->gap && k >= n->hub_gap + n->span) || (n->hub_gap && k <= n->hub_gap))
            rc = inside_layer(&q->in[b], r, b, k, &q->out[b]);
    profiles_free(p);
    return rc;
}

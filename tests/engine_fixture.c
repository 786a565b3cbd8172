#include "tests/engine_fixture.h"

#include "tests/engine_fields.h"

#include "kernels/base/topology.h"
#include "kernels/engine/peer.h"
#include "kernels/physics/wall_tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int ncomp[AN_NFIELD] = {
#define AN_F(name, n, type, help) n,
    AN_FIELD_LIST(AN_F)
#undef AN_F
};
static const char *const field_name[AN_NFIELD] = {
#define AN_F(name, n, type, help) #name,
    AN_FIELD_LIST(AN_F)
#undef AN_F
};

/* Is the field of type double in both precisions? */
static const int is_double[AN_NFIELD] = {
#define real 0
#define double 1
#define AN_F(name, n, type, help) type,
    AN_FIELD_LIST(AN_F)
#undef AN_F
#undef double
#undef real
};

/* Fields of another multigrid level, which are laid out as that level is. */
static int of_other(int f)
{
    return f == AN_F_OW || f == AN_F_OVOL || f == AN_F_OS || f == AN_F_OG || f == AN_F_O1;
}

static void *need(void *p)
{
    if (!p)
        abort();
    return p;
}

/* All fields in the memory of engines of a kind. Giving it back needs no engine that still stands.
 */
enum { ENGINES = 4 };
struct engine_memory {
    struct an_engine engine[ENGINES];
    struct an_fields fields[ENGINES];
    int n;
};

/* ---- the case ---- */

static double noise(uint64_t n)
{
    n = (n + 1) * 0x9e3779b97f4a7c15ULL;
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9ULL;
    n = (n ^ (n >> 27)) * 0x94d049bb133111ebULL;
    return (double)(n >> 11) * 0x1p-52 - 1;
}

static int boundaries(const struct engine_case *x, struct an_face_window *window,
                      struct an_bc_value *value);

static void put(const struct engine_case *x, int f, int c, int64_t at, double v)
{
    const int64_t n = c * x->layout.ncell + at;
    if (is_double[f] || x->precision == AN_DOUBLE)
        ((double *)x->start.at[f])[n] = v;
    else
        ((float *)x->start.at[f])[n] = (float)v;
}

static double get(const struct engine_case *x, const struct image *m, int f, int64_t n)
{
    return is_double[f] || x->precision == AN_DOUBLE ? ((const double *)m->at[f])[n]
                                                     : (double)((const float *)m->at[f])[n];
}

double image_value(const struct engine_case *x, const struct image *m, enum an_field f, int c,
                   int64_t at)
{
    return get(x, m, (int)f, c * x->layout.ncell + at);
}

static void fill_block(const struct engine_case *x, const struct an_block *b)
{
    for (int k = -2; k < b->n[2] + 2; k++)
        for (int j = -2; j < b->n[1] + 2; j++)
            for (int i = -2; i < b->n[0] + 2; i++) {
                const int64_t at = an_element(b, i, j, k);
                const double r = 0.011 * i, s = 0.013 * j, t = 0.017 * k;
                put(x, AN_F_X, 0, at, r + 0.3 * s + 0.004 * sin(31 * s + 17 * t));
                put(x, AN_F_X, 1, at, s - 0.2 * t + 0.003 * cos(27 * r + 19 * t));
                put(x, AN_F_X, 2, at, t + 0.1 * r + 0.003 * sin(23 * r - 29 * s));
                const double n = 0.02;
                const double rho = 1.2 + 0.2 * sin(9 * r + 5 * s) + n * noise((uint64_t)at * 5 + 0);
                const double u =
                    120 + 40 * cos(7 * s - 6 * t) + 90 * n * noise((uint64_t)at * 5 + 1);
                const double v =
                    -60 + 30 * sin(8 * r + 3 * t) + 90 * n * noise((uint64_t)at * 5 + 2);
                const double w =
                    30 + 50 * sin(4 * r - 9 * s) + 90 * n * noise((uint64_t)at * 5 + 3);
                const double p =
                    1e5 * (1 + 0.1 * cos(6 * r + 4 * s - 5 * t) + n * noise((uint64_t)at * 5 + 4));
                put(x, AN_F_W, 0, at, rho);
                put(x, AN_F_W, 1, at, rho * u);
                put(x, AN_F_W, 2, at, rho * v);
                put(x, AN_F_W, 3, at, rho * w);
                put(x, AN_F_W, 4, at, p / 0.4 + 0.5 * rho * (u * u + v * v + w * w));
                put(x, AN_F_W0, 0, at, rho * 1.01);
                put(x, AN_F_W0, 1, at, rho * u + 1);
                put(x, AN_F_W0, 2, at, rho * v - 1);
                put(x, AN_F_W0, 3, at, rho * w + 2);
                put(x, AN_F_W0, 4, at, p / 0.4 + 0.5 * rho * (u * u + v * v + w * w) - 100);
                for (int c = 0; c < 5; c++)
                    put(x, AN_F_Y, c, at, noise((uint64_t)at * 5 + (uint64_t)c + 3));
            }
}

static void node_at(int i, int j, int k, double node[3])
{
    const double r = 0.011 * i, s = 0.013 * j, t = 0.017 * k;
    node[0] = r + 0.3 * s + 0.004 * sin(31 * s + 17 * t);
    node[1] = s - 0.2 * t + 0.003 * cos(27 * r + 19 * t);
    node[2] = t + 0.1 * r + 0.003 * sin(23 * r - 29 * s);
}

static void centre_at(int i, int j, int k, double centre[3])
{
    for (int c = 0; c < 3; c++)
        centre[c] = 0;
    for (int corner = 0; corner < 8; corner++) {
        double node[3];
        node_at(i + corner % 2, j + corner / 2 % 2, k + corner / 4, node);
        for (int c = 0; c < 3; c++)
            centre[c] += node[c] / 8;
    }
}

/* What turbulence models read: nu tilde from -0.5 to 30 nu, wall distances, some beyond a wall. */
static void fill_turbulence(const struct engine_case *x, const struct an_block *b)
{
    for (int k = -2; k < b->n[2] + 2; k++)
        for (int j = -2; j < b->n[1] + 2; j++)
            for (int i = -2; i < b->n[0] + 2; i++) {
                const int64_t at = an_element(b, i, j, k);
                const double level = 0.5 + 0.5 * sin(0.4 * i + 0.7 * j - 0.5 * k);
                double here[3], before[3];
                put(x, AN_F_TURB, 0, at, 1.5e-5 * (30.5 * level * level - 0.5));
                put(x, AN_F_TURB, 1, at, 300 + 100 * noise((uint64_t)at));
                put(x, AN_F_WD, 0, at, (j < 0 && k % 2 ? -1 : 1) * (0.003 + 0.002 * abs(j)));
                const int inside =
                    i >= 0 && i < b->n[0] && j >= 0 && j < b->n[1] && k >= 0 && k < b->n[2];
                for (int c = 0; !inside && c < ncomp[AN_F_LINE]; c++)
                    put(x, AN_F_LINE, c, at, 0); /* as allocated: no stencil writes there */
                /* of walls below j = 0 */
                put(x, AN_F_UTAU, 0, at, j == -1 && k % 3 ? 0.02 + 0.3 * level : 0);
                for (int c = 0; c < 7; c++)
                    put(x, AN_F_SOURCE, c, at, 10 * noise((uint64_t)at * 7 + (uint64_t)c));
                put(x, AN_F_BLEED, 0, at, 10 * noise((uint64_t)at + 771));
                put(x, AN_F_MUT, 0, at, 1e-4 * (1 + noise((uint64_t)at + 77)));
                for (int c = 0; c < 12; c++)
                    put(x, AN_F_GRAD, c, at, 3000 * noise((uint64_t)at * 12 + (uint64_t)c));
                centre_at(i, j, k, here);
                for (int d = 0; d < 3; d++) {
                    centre_at(i - (d == 0), j - (d == 1), k - (d == 2), before);
                    for (int c = 0; c < 3; c++)
                        put(x, AN_F_DX, 3 * d + c, at, here[c] - before[c]);
                }
            }
}

/* A case of blocks of n[] cells. */
/* Values of boundaries that vary, and frames. */
static void fill_faces(const struct engine_case *x)
{
    static const double given[3][AN_NCOMP_BCV] = {{1.1, 90, 10, -20, 1.01e5, 5e-5, 200},
                                                  {1.2e5, 300, 0.96, -0.28, 0, -1, 0},
                                                  {AN_WALL_HEAT_FLUX, 3e3, 1, 2, 3, 50, 1}};
    struct an_face_window window[FIXTURE_MAX_BOX];
    struct an_bc_value value[FIXTURE_BOUNDARIES];
    const int n = boundaries(x, window, value);
    for (int w = 0; w < n; w++)
        for (int64_t f = 0; f < an_window_faces(&window[w].window); f++) {
            const int64_t face = window[w].first + f, row = window[w].values + f;
            const double angle = noise((uint64_t)face);
            const double frame[3] = {cos(angle), sin(angle), 0.3 + 0.1 * noise((uint64_t)face + 7)};
            const double *from =
                given[window[w].boundary % 3 == 0 ? 2 : window[w].boundary % 3 - 1];
            for (int c = 0; c < 3; c++)
                put(x, AN_F_FRAME, 0, 3 * face + c, frame[c]);
            for (int c = 0; c < AN_NCOMP_BCV; c++)
                put(x, AN_F_BCV, 0, AN_NCOMP_BCV * row + c,
                    from[c] * (c && window[w].boundary > 9 ? 1 + 0.01 * noise((uint64_t)row) : 1));
        }
}

/* What a field of another level holds at an element: of the size of areas and volumes of cells, and a
 * state. */
static double other_value(int f, int c, int64_t at)
{
    static const double state[5] = {1.2, 140, -70, 40, 2.6e5};
    const double value = f == AN_F_OW     ? state[c]
                         : f == AN_F_O1   ? 1e-4
                         : f == AN_F_OVOL ? 2e-6
                                          : 2e-4;
    return value * (1 + 0.2 * noise((uint64_t)at * 9 + (uint64_t)c));
}

/* Fields of another level, as that level lays them out; NaN behind them. */
static void fill_other(const struct engine_case *x, const struct an_layout *level, struct image *m)
{
    for (int f = 0; f < AN_NFIELD; f++) {
        if (!of_other(f))
            continue;
        memset(m->at[f], 0xff, x->bytes[f]);
        for (int64_t n = 0; n < ncomp[f] * level->ncell; n++) {
            const double v = other_value(f, (int)(n / level->ncell), n % level->ncell);
            if (x->precision == AN_DOUBLE)
                ((double *)m->at[f])[n] = v;
            else
                ((float *)m->at[f])[n] = (float)v;
        }
    }
}

/* A box along the axes around `lo` and `hi`, as wall_tree.h has it. */
static void tree_box(double *box, const double lo[3], const double hi[3])
{
    memset(box, 0, AN_WALL_BOX * sizeof *box);
    for (int d = 0; d < 3; d++) {
        box[d] = 0.5 * (lo[d] + hi[d]);
        box[3 + 4 * d] = 1;
        box[12 + d] = 0.5 * (hi[d] - lo[d]);
    }
}

/* Walls: a strip of four facets in two leaves below one node, and an image of the strip, shifted. */
static void fill_tree(const struct engine_case *x)
{
    enum {
        INSTANCE = AN_WALL_HEAD,
        NODE = INSTANCE + 2 * AN_WALL_INSTANCE,
        FACET = NODE + AN_WALL_NODE
    };
    double *const tree = (double *)x->start.at[AN_F_TREE];
    const double lo[3][3] = {{0, 0, 0}, {0, 0, 0}, {0.2, 0, 0}};
    const double hi[3][3] = {{0.4, 0, 0.3}, {0.2, 0, 0.3}, {0.4, 0, 0.3}};
    memset(tree, 0, (FACET + 4 * AN_WALL_FACET) * sizeof *tree);
    tree[0] = 2;
    tree[1] = INSTANCE;
    tree[2] = NODE;
    tree[3] = FACET;
    for (int m = 0; m < 2; m++) {
        double *const instance = tree + INSTANCE + m * AN_WALL_INSTANCE;
        instance[0] = instance[4] = instance[8] = 1;
        instance[10] = m ? -0.4 : 0;
        tree_box(instance + 12, lo[0], hi[0]);
    }
    for (int child = 0; child < 2; child++) {
        tree_box(tree + NODE + child * AN_WALL_BOX, lo[1 + child], hi[1 + child]);
        tree[NODE + 30 + child] = -1 - (4 * 2 * child + 1);
        for (int half = 0; half < 2; half++) {
            double *const facet = tree + FACET + (2 * child + half) * AN_WALL_FACET;
            const double a[9] = {0.2 * (child + half), 0, 0.3 * half, half ? -0.2 : 0.2, 0, 0, 0, 0,
                                 half ? -0.3 : 0.3};
            memcpy(facet, a, sizeof a);
        }
    }
}

static void new_case(enum an_precision precision, int nblock, const int (*n)[3],
                     struct engine_case *x)
{
    memset(x, 0, sizeof *x);
    x->precision = precision;
    int finer[FIXTURE_MAX_BLOCK][3], coarser[FIXTURE_MAX_BLOCK][3];
    for (int b = 0; b < nblock; b++)
        for (int d = 0; d < 3; d++) {
            finer[b][d] = n[b][d] == 1 || (b + d) % 3 == 2 ? n[b][d] : 2 * n[b][d];
            coarser[b][d] = n[b][d] % 2 ? n[b][d] : n[b][d] / 2;
        }
    if (an_layout_new(nblock, n, precision, &x->layout) ||
        an_layout_new(nblock, (const int(*)[3])finer, precision, &x->fine) ||
        an_layout_new(nblock, (const int(*)[3])coarser, precision, &x->coarse))
        abort();
    x->params = an_params_reference();
    for (int f = 0; f < AN_NFIELD; f++) {
        x->bytes[f] = (size_t)ncomp[f] * (size_t)x->layout.ncell *
                      (is_double[f] ? sizeof(double) : (size_t)precision);
        if (of_other(f))
            x->bytes[f] = (size_t)ncomp[f] * (size_t)x->fine.ncell * (size_t)precision;
        x->start.at[f] = need(malloc(x->bytes[f]));
        memset(x->start.at[f], 0xff, x->bytes[f]);
    }
    x->memory = need(calloc(1, sizeof *x->memory));
    for (int b = 0; b < x->layout.nblock; b++) {
        fill_block(x, &x->layout.block[b]);
        fill_turbulence(x, &x->layout.block[b]);
    }
    fill_faces(x);
    fill_other(x, &x->fine, &x->start);
    fill_tree(x);
}

void fixture_new(enum an_precision precision, struct engine_case *x)
{
    static const int n[3][3] = {{37, 13, 12}, {5, 20, 7}, {42, 9, 1}};
    new_case(precision, 3, n, x);
}

void fixture_new_small(enum an_precision precision, struct engine_case *x)
{
    static const int n[2][3] = {{33, 17, 8}, {4, 17, 5}};
    new_case(precision, 2, n, x);
}

/* n[nblock][3] */
static void new_lines(enum an_precision precision, int nblock, const int (*n)[3],
                      struct engine_case *x)
{
    new_case(precision, nblock, n, x);
    for (int64_t at = 0; at < x->layout.ncell; at++) { /* TURB's systems */
        for (int c = 0; c < 12; c++)
            put(x, AN_F_LINE, c, at, 1 + noise((uint64_t)(12 * at + c)));
        for (int c = 0; c < 2; c++) {
            put(x, AN_F_RT, c, at, 50 * noise((uint64_t)(2 * at + c)));
            put(x, AN_F_DIAGT, c, at, 6 + noise((uint64_t)(at - c)));
        }
    }
}

void fixture_new_lines(enum an_precision precision, struct engine_case *x)
{
    static const int n[5][3] = {{1, 5, 3}, {3, 2, 5}, {5, 3, 31}, {32, 33, 2}, {3, 100, 9}};
    new_lines(precision, 5, n, x);
}

void fixture_new_lines_small(enum an_precision precision, struct engine_case *x)
{
    static const int n[2][3] = {{5, 3, 19}, {1, 9, 2}};
    new_lines(precision, 2, n, x);
}

void fixture_turn(struct engine_case *x)
{
    static const double omega[3] = {900, -2500, 0};
    x->params.turns = 1;
    for (int b = 0; b < x->layout.nblock; b++)
        x->layout.block[b].omega = omega[b % 3];
}

void fixture_rest(struct engine_case *x)
{
    x->params.turns = 0;
    for (int b = 0; b < x->layout.nblock; b++)
        x->layout.block[b].omega = 0;
}

void fixture_gas(struct engine_case *x, int n, const double *cp)
{
    if (an_gas_polynomial(x->params.gas_constant, n, cp, 200, 2500, &x->params.gas))
        abort();
    x->params.gamma = NAN;
}

/* The fields of this case on an engine, not filled. */
static int memory_of(const struct engine_case *x, struct an_engine *e, struct an_fields *f)
{
    struct engine_memory *m = x->memory;
    int n = 0;
    while (n < m->n && m->engine[n].op != e->op)
        n++;
    if (n == m->n) {
        if (n == ENGINES)
            abort();
        m->engine[m->n++] = *e;
        for (int field = 0; field < AN_NFIELD; field++)
            AN_TRY(e->op->alloc(e, x->bytes[field], &m->fields[n].at[field]));
    }
    *f = m->fields[n];
    return AN_OK;
}

void fixture_free(struct engine_case *x)
{
    struct engine_memory *m = x->memory;
    for (int n = 0; n < m->n; n++)
        for (int f = 0; f < AN_NFIELD; f++)
            m->engine[n].op->free(&m->engine[n], m->fields[n].at[f]);
    free(m);
    image_free(&x->start);
    an_layout_free(&x->layout);
    an_layout_free(&x->fine);
    an_layout_free(&x->coarse);
}

struct image image_copy(const struct engine_case *x, const struct image *from)
{
    struct image m;
    for (int f = 0; f < AN_NFIELD; f++) {
        m.at[f] = need(malloc(x->bytes[f]));
        memcpy(m.at[f], from->at[f], x->bytes[f]);
    }
    return m;
}

void image_free(struct image *m)
{
    for (int f = 0; f < AN_NFIELD; f++)
        free(m->at[f]);
}

/* Components of a kind have one scale: the momenta, the same flux in the three directions. */
static int kind(int f, int c)
{
    static const int of_w[5] = {0, 1, 1, 1, 2}, of_q[6] = {0, 1, 1, 1, 2, 3};
    if (f == AN_F_Q)
        return of_q[c];
    if (f == AN_F_DERIVED)
        return c == 2 || c == 3 || c == 4 ? 2 : c;
    if (f == AN_F_S || f == AN_F_LAM || f == AN_F_X)
        return 0;
    return ncomp[f] % 5 ? c : of_w[c % 5];
}

static double scale_of(const struct engine_case *x, const struct image *a, int f, int which)
{
    double scale = 0;
    for (int c = 0; c < ncomp[f]; c++)
        for (int64_t n = c * x->layout.ncell; kind(f, c) == which && n < (c + 1) * x->layout.ncell;
             n++) {
            const double v = fabs(get(x, a, f, n));
            if (isfinite(v) && v > scale)
                scale = v;
        }
    return scale;
}

double image_difference(const struct engine_case *x, const struct image *a, const struct image *b,
                        enum an_field field)
{
    const int f = (int)field;
    if (!memcmp(a->at[f], b->at[f], x->bytes[f]))
        return 0;
    if (of_other(f))
        return INFINITY; /* no stencil writes them */
    double worst = 0;
    for (int c = 0; c < ncomp[f]; c++) {
        double scale = scale_of(x, a, f, kind(f, c));
        if (f == AN_F_R)
            scale = fmax(scale, scale_of(x, a, AN_F_FLUX, kind(AN_F_FLUX, c)));
        for (int64_t n = c * x->layout.ncell; n < (c + 1) * x->layout.ncell; n++) {
            const double u = get(x, a, f, n), v = get(x, b, f, n);
            if (isnan(u) && isnan(v))
                continue;
            const double d = fabs(u - v) / scale;
            if (!(d <= worst))
                worst = isnan(d) ? INFINITY : d;
        }
    }
    return worst > 0 ? worst : 1e-300;
}

int image_same(const struct engine_case *x, const struct image *a, const struct image *b,
               int except)
{
    for (int f = 0; f < AN_NFIELD; f++)
        if (f != except && memcmp(a->at[f], b->at[f], x->bytes[f]))
            return 0;
    return 1;
}

int fixture_boxes(const struct engine_case *x, int ghost, struct an_box *box)
{
    for (int b = 0; b < x->layout.nblock; b++) {
        box[b].block = b;
        for (int d = 0; d < 3; d++) {
            box[b].lo[d] = -ghost;
            box[b].hi[d] = x->layout.block[b].n[d] + ghost;
        }
    }
    return x->layout.nblock;
}

int fixture_shells(const struct engine_case *x, struct an_box *box)
{
    int n = 0;
    for (int b = 0; b < x->layout.nblock; b++) {
        struct an_box rest = {b, {0, 0, 0}, {0, 0, 0}};
        memcpy(rest.hi, x->layout.block[b].n, sizeof rest.hi);
        for (int d = 2; d >= 0; d--) {
            if (rest.hi[d] - rest.lo[d] < 5)
                continue;
            box[n] = rest;
            box[n++].hi[d] = rest.lo[d] += 2;
            box[n] = rest;
            box[n++].lo[d] = rest.hi[d] -= 2;
        }
        box[n++] = rest;
    }
    return n;
}

/* ---- one step ---- */

#define TRY(call)          \
    do {                   \
        int r_ = (call);   \
        if (r_ != AN_OK) { \
            status = r_;   \
            goto end;      \
        }                  \
    } while (0)

static int boundaries(const struct engine_case *x, struct an_face_window *window,
                      struct an_bc_value *value)
{
    static const struct an_bc_value varying[FIXTURE_BOUNDARIES - AN_REFERENCE_BOUNDARIES] = {
        {.type = AN_BC_MIXING_PLANE, .varies = 1},
        {.type = AN_BC_INLET_TOTAL, .varies = 1},
        {.type = AN_BC_WALL_VISCOUS, .varies = 1},
    };
    an_boundaries_reference(value);
    for (int b = 0; b < AN_REFERENCE_BOUNDARIES; b++)
        if (value[b].type == AN_BC_OUTLET_STATIC) { /* waves leave */
            value[b].v[AN_BC_WAVES] = 1;
            value[b].v[AN_BC_MEAN_P] = 0.96e5;
            value[b].v[AN_BC_MEAN_U] = 60;
        }
    memcpy(value + AN_REFERENCE_BOUNDARIES, varying, sizeof varying);
    int n = 0;
    int64_t first = 0;
    for (int b = 0; b < x->layout.nblock; b++)
        for (int face = 0; face < 6; face++) {
            const int dir = face / 2, t1 = (dir + 1) % 3;
            struct an_window win = {.block = b, .dir = dir, .side = face % 2};
            for (int d = 0; d < 3; d++)
                win.hi[d] = d == dir ? 0 : x->layout.block[b].n[d];
            const int cut = win.hi[t1] / 2; /* two windows on a face */
            for (int half = 0; half < 2; half++) {
                struct an_window part = win;
                part.lo[t1] = half ? cut : 0;
                part.hi[t1] = half ? win.hi[t1] : cut;
                const int t2 = (dir + 2) % 3;
                window[n].window = part;
                window[n].first = first;
                window[n].values = 2 * first;
                window[n].boundary = (n + b) % FIXTURE_BOUNDARIES;
                first += (int64_t)(part.hi[t1] - part.lo[t1]) * (part.hi[t2] - part.lo[t2]);
                n++;
            }
        }
    return n;
}

/* Pieces of block 0 to block 1, turned over and round; one also rotated. */
static int pieces(const struct engine_case *x, struct an_copy *copy)
{
    const struct an_block *from = &x->layout.block[0], *to = &x->layout.block[1];
    copy[0] = (struct an_copy){.src = an_element(from, 3, 2, 1),
                               .dst = an_element(to, 4, 6, 6),
                               .src_stride = {1, from->stride[1], from->stride[2]},
                               .dst_stride = {to->stride[1], -to->stride[2], -1},
                               .n = {7, 5, 3},
                               .rotation = 1};
    copy[1] = (struct an_copy){.src = an_element(from, 20, 11, 9),
                               .dst = an_element(to, 0, 14, 0),
                               .src_stride = {-from->stride[1], 1, -from->stride[2]},
                               .dst_stride = {1, to->stride[1], to->stride[2]},
                               .n = {5, 5, 6},
                               .rotation = -1};
    return 2;
}

static int run_copies(const struct engine_case *x, struct an_engine *e, struct an_fields *f)
{
    static const double turn[2][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                                      {1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8}};
    struct an_copy copy[2];
    struct an_copies *c = NULL;
    const int n = pieces(x, copy);
    int status = e->op->copies_new(e, n, copy, 2, turn, &c);
    if (!status)
        status = e->op->copies(e, c, f->at[AN_F_WN], x->layout.ncell, f->at[AN_F_W],
                               x->layout.ncell, 5, 1, 0);
    if (!status) /* of the gradients, into a field of more components */
        status = e->op->copies(e, c, f->at[AN_F_FLUX], x->layout.ncell, f->at[AN_F_GRAD],
                               x->layout.ncell, 12, AN_COPY_TENSOR, 0);
    if (!status)
        status = e->op->copies(e, c, f->at[AN_F_GRADT], x->layout.ncell, f->at[AN_F_GRAD],
                               x->layout.ncell, 6, AN_COPY_VECTORS, 0);
    if (!status)
        status = e->op->sync(e, 0);
    e->op->copies_free(e, c);
    return status;
}

/* In place of a flux: a stencil of turbulence models runs for SST. */
#define SST    AN_SCHEME_ROE
#define CURVED AN_SCHEME_MATRIX /* SA-RC */
static int between(const struct step *s)
{
    return s->what == BETWEEN || s->what == BETWEEN_COARSER;
}

static struct an_params params_of(const struct engine_case *x, const struct step *s)
{
    struct an_params p = x->params;
    const char *name = an_stencil_name(s->stencil);
    p.turb_rotation = s->scheme == CURVED ? AN_CORRECTION_RC : p.turb_rotation;
    if (s->scheme == SST && (strstr(name, "turb") || strstr(name, "sst") || strstr(name, "law"))) {
        p.turbulence = AN_TURBULENCE_SST;
    }
    return p;
}

static int run_faces(const struct engine_case *x, struct an_engine *e, const struct step *s,
                     struct an_fields *f, struct outcome *o)
{
    struct an_face_window window[FIXTURE_MAX_BOX];
    struct an_bc_value value[FIXTURE_BOUNDARIES], other[FIXTURE_BOUNDARIES];
    struct an_faces *faces = NULL;
    const struct an_params p = params_of(x, s);
    const int n = boundaries(x, window, value);
    memset(other, 0, sizeof other);
    int status = e->op->faces_new(e, &x->layout, n, window, FIXTURE_BOUNDARIES, other, &faces);
    if (!status)
        status = e->op->faces_set(e, faces, value);
    if (!status)
        status = e->op->run_faces(e, s->stencil, s->scheme, faces, f, &p,
                                  s->stencil == AN_S_boundary_integral ? o->sum : NULL, 1);
    if (!status)
        status = e->op->sync(e, 1);
    e->op->faces_free(e, faces);
    return status;
}

static int run_boxes(const struct engine_case *x, struct an_engine *e, const struct step *s,
                     struct an_fields *f, struct outcome *o)
{
    const struct an_params p = params_of(x, s);
    struct an_box box[FIXTURE_MAX_BOX];
    const int n = s->shells ? fixture_shells(x, box) : fixture_boxes(x, s->ghost, box);
    struct an_tiles *t = NULL;
    int status = e->op->tiles_new(e, &x->layout, n, box, &t);
    if (!status && s->what == RUN)
        status = e->op->run(e, s->stencil, t, f, &p, &o->red, 0);
    else if (!status && s->what == RESIDUAL)
        status = e->op->residual(e, s->scheme, t, f, &x->params, 0);
    else if (!status && (s->what == VISCOUS || s->what == VISCOUS_STAGE))
        status = e->op->viscous(e, s->what == VISCOUS_STAGE, t, f, &x->params, 0);
    else if (!status)
        status = e->op->stage(e, s->scheme, t, f, &x->params, 0);
    if (!status)
        status = e->op->sync(e, 0);
    e->op->tiles_free(e, t);
    return status;
}

/* A stencil that reads another level: the coarser one where the step says so. */
static int run_between(const struct engine_case *x, struct an_engine *e, const struct step *s,
                       struct an_fields *f)
{
    const struct an_layout *level = s->what == BETWEEN_COARSER ? &x->coarse : &x->fine;
    const struct an_params p = params_of(x, s);
    struct an_box box[FIXTURE_MAX_BOX], other_box[FIXTURE_MAX_BOX];
    struct an_tiles *t = NULL, *other = NULL;
    for (int b = 0; b < level->nblock; b++) {
        other_box[b] = (struct an_box){.block = b};
        memcpy(other_box[b].hi, level->block[b].n, sizeof other_box[b].hi);
    }
    int status = e->op->tiles_new(e, &x->layout, fixture_boxes(x, 0, box), box, &t);
    if (!status)
        status = e->op->tiles_new(e, level, level->nblock, other_box, &other);
    if (!status)
        status = e->op->run_between(e, s->stencil, t, other, f, &p, 0);
    if (!status)
        status = e->op->sync(e, 0);
    e->op->tiles_free(e, t);
    e->op->tiles_free(e, other);
    return status;
}

static int run_lines(const struct engine_case *x, struct an_engine *e, const struct step *s,
                     struct an_fields *f)
{
    const struct an_params p = params_of(x, s);
    struct an_lines *lines = NULL;
    int dir[FIXTURE_MAX_BOX];
    for (int b = 0; b < x->layout.nblock; b++)
        dir[b] = s->ghost < 3 ? s->ghost : b % 3;
    int status = e->op->lines_new(e, &x->layout, dir, &lines);
    if (!status)
        status = e->op->run_lines(e, s->stencil, lines, f, &p, 0);
    if (!status)
        status = e->op->sync(e, 0);
    e->op->lines_free(e, lines);
    return status;
}

int fixture_step(const struct engine_case *x, struct an_engine *e, const struct step *s,
                 struct image *m, struct outcome *o)
{
    struct an_fields f;
    int status = AN_OK;
    memset(o, 0, sizeof *o);
    TRY(memory_of(x, e, &f));
    if (between(s))
        fill_other(x, s->what == BETWEEN_COARSER ? &x->coarse : &x->fine, m);
    for (int n = 0; n < AN_NFIELD; n++)
        TRY(e->op->upload(e, f.at[n], m->at[n], x->bytes[n], 0));
    TRY(e->op->sync(e, 0));
    struct an_fields used = f;
    if (s->what == STAGE_IN_PLACE)
        used.at[AN_F_WN] = f.at[AN_F_W0];
    if (s->what == COPIES)
        TRY(run_copies(x, e, &used));
    else if (s->what == FACES)
        TRY(run_faces(x, e, s, &used, o));
    else if (s->what == LINES)
        TRY(run_lines(x, e, s, &used));
    else if (between(s))
        TRY(run_between(x, e, s, &used));
    else
        TRY(run_boxes(x, e, s, &used, o));
    for (int n = 0; n < AN_NFIELD; n++)
        TRY(e->op->download(e, m->at[n], f.at[n], x->bytes[n], 0));
    TRY(e->op->sync(e, 0));
    if (s->stencil == AN_S_implicit_lines || s->stencil == AN_S_implicit_lines_viscous)
        memset(m->at[AN_F_LINE], 0, x->bytes[AN_F_LINE]); /* an engine's own work */
end:
    if (status)
        fprintf(stderr, "%s: %s\n", e->name, an_error_text());
    return status;
}

/* ---- comparisons ---- */

/* In units of the tolerance; 0: bit for bit. */
static double judge(const char *what, const char *part, double difference, double tolerance,
                    int report)
{
    const double units = difference == 0 ? 0 : difference / tolerance;
    if (units > 1)
        fprintf(stderr, "%s: %s differs by %.2e, allowed %.1e\n", what, part, difference,
                tolerance);
    else if (report)
        printf("%-28s %-12s %.2e\n", what, part, difference);
    return units;
}

static double compare_images(const struct engine_case *x, const char *what, const struct image *a,
                             const struct image *b, double tolerance, int report)
{
    double worst = 0;
    for (int f = 0; f < AN_NFIELD; f++) {
        const double d = image_difference(x, a, b, (enum an_field)f);
        if (d > 0)
            worst = fmax(worst, judge(what, field_name[f], d, tolerance, report));
    }
    return worst;
}

static double compare_sums(const char *what, struct an_xsum *a, struct an_xsum *b, int n, int per,
                           double tolerance, int report)
{
    double worst = 0;
    for (int m = 0; m < n; m++) {
        an_xsum_normalise(&a[m]);
        an_xsum_normalise(&b[m]);
        if (!memcmp(&a[m], &b[m], sizeof a[m]))
            continue;
        double scale = 0;
        for (int other = m % per; other < n; other += per)
            scale = fmax(scale, fabs(an_xsum_value(a[other])));
        const double d = fabs(an_xsum_value(a[m]) - an_xsum_value(b[m])) / scale;
        worst = fmax(worst,
                     judge(what, "sum", isnan(d) ? INFINITY : fmax(d, 1e-300), tolerance, report));
    }
    return worst;
}

static const struct step line_steps[] = {
    {LINES, AN_S_turb_lines, SST, 3, 0},
    {LINES, AN_S_turb_lines, 0, 0, 0},
    {LINES, AN_S_turb_lines, 0, 1, 0},
    {LINES, AN_S_turb_lines, 0, 2, 0},
    {LINES, AN_S_implicit_lines, 0, 0, 0},
    {LINES, AN_S_implicit_lines, 0, 1, 0},
    {LINES, AN_S_implicit_lines, 0, 2, 0},
    {LINES, AN_S_implicit_lines, 0, 3, 0},
    {LINES, AN_S_implicit_lines_viscous, 0, 0, 0},
    {LINES, AN_S_implicit_lines_viscous, 0, 1, 0},
    {LINES, AN_S_implicit_lines_viscous, 0, 2, 0},
    {LINES, AN_S_implicit_lines_viscous, 0, 3, 0},
};

static const struct step all_steps[] = {
    {RUN, AN_S_face_area, 0, 1, 0},
    {RUN, AN_S_face_sweep, 0, 1, 0},
    {RUN, AN_S_volume, 0, 1, 0},
    {RUN, AN_S_primitive, 0, 2, 0},
    {RUN, AN_S_timestep, 0, 1, 0},
    {RUN, AN_S_central_flux, 0, 0, 0},
    {RUN, AN_S_jst_dissipation, 0, 0, 0},
    {RUN, AN_S_flux_sum, 0, 0, 0},
    {RUN, AN_S_update, 0, 0, 0},
    {RUN, AN_S_norm, 0, 0, 0},
    {RUN, AN_S_derived, 0, 0, 0},
    {RESIDUAL, 0, AN_SCHEME_JST, 0, 0},
    {STAGE, 0, AN_SCHEME_JST, 0, 0},
    {STAGE_IN_PLACE, 0, AN_SCHEME_JST, 0, 0},
    {RUN, AN_S_matrix_dissipation, 0, 0, 0},
    {RESIDUAL, 0, AN_SCHEME_MATRIX, 0, 0},
    {STAGE, 0, AN_SCHEME_MATRIX, 0, 1},
    {RUN, AN_S_roe_flux, 0, 0, 0},
    {RESIDUAL, 0, AN_SCHEME_ROE, 0, 0},
    {STAGE, 0, AN_SCHEME_ROE, 0, 1},
    {RUN, AN_S_global_timestep, 0, 0, 0},
    {FACES, AN_S_ghost_fill, 0, 0, 0},
    {FACES, AN_S_ghost_lambda, 0, 0, 0},
    {FACES, AN_S_boundary_integral, AN_SCHEME_JST, 0, 0},
    {FACES, AN_S_boundary_integral, AN_SCHEME_ROE, 0, 0},
    {COPIES, 0, 0, 0, 0},
    {RUN, AN_S_gradient, 0, 0, 0},
    {FACES, AN_S_ghost_gradient, 0, 0, 0},
    {FACES, AN_S_wall_values, AN_SCHEME_JST, 0, 0},
    {FACES, AN_S_wall_values, AN_SCHEME_ROE, 0, 0},
    {FACES, AN_S_face_values, AN_SCHEME_JST, 0, 0},
    {FACES, AN_S_face_values, AN_SCHEME_ROE, 0, 0},
    {RUN, AN_S_viscous_flux, 0, 0, 0},
    {RUN, AN_S_viscous_residual, 0, 0, 0},
    {RUN, AN_S_add_source, 0, 0, 0},
    {RUN, AN_S_bleed, 0, 0, 0},
    {FACES, AN_S_ghost_wall, 0, 0, 0},
    {FACES, AN_S_ghost_turb, 0, 0, 0},
    {RUN, AN_S_turb_gradient, 0, 1, 0},
    {FACES, AN_S_ghost_turb_gradient, 0, 0, 0},
    {RUN, AN_S_sa_residual, 0, 0, 0},
    {RUN, AN_S_add_turb_source, 0, 0, 0},
    {RUN, AN_S_turb_norm, 0, 0, 0},
    {LINES, AN_S_turb_lines, 0, 0, 0},
    {LINES, AN_S_turb_lines, 0, 1, 0},
    {LINES, AN_S_turb_lines, 0, 2, 0},
    {RUN, AN_S_sa_update, 0, 0, 0},
    {RUN, AN_S_sa_viscosity, 0, 0, 0},
    {RUN, AN_S_mixing_length, 0, 1, 0},
    {RUN, AN_S_turb_initial, 0, 0, 0},
    {RUN, AN_S_turb_initial, SST, 0, 0},
    {FACES, AN_S_ghost_turb, SST, 0, 0},
    {RUN, AN_S_turb_gradient, SST, 1, 0},
    {FACES, AN_S_ghost_turb_gradient, SST, 0, 0},
    {RUN, AN_S_sst_viscosity, SST, 0, 0},
    {RUN, AN_S_sst_blend, SST, 1, 0},
    {FACES, AN_S_ghost_blend, SST, 0, 0},
    {RUN, AN_S_sst_residual, SST, 0, 0},
    {RUN, AN_S_turb_norm, SST, 0, 0},
    {LINES, AN_S_turb_lines, SST, 1, 0},
    {RUN, AN_S_sst_update, SST, 0, 0},
    {FACES, AN_S_wall_law, 0, 0, 0},
    {FACES, AN_S_ghost_eddy, 0, 0, 0},
    {FACES, AN_S_wall_law, SST, 0, 0},
    {FACES, AN_S_ghost_eddy, SST, 0, 0},
    {FACES, AN_S_ghost_fill, 0, 0, 0},
    {RUN, AN_S_sa_residual, CURVED, 0, 0},
    {RUN, AN_S_sa_viscosity, 0, 0, 0},
    {LINES, AN_S_implicit_lines, 0, 0, 0},
    {LINES, AN_S_implicit_lines, 0, 1, 0},
    {LINES, AN_S_implicit_lines, 0, 2, 0},
    {LINES, AN_S_implicit_lines_viscous, 0, 0, 0},
    {LINES, AN_S_implicit_lines_viscous, 0, 1, 0},
    {LINES, AN_S_implicit_lines_viscous, 0, 2, 0},
    {RUN, AN_S_scree, 0, 0, 0},
    {RUN, AN_S_change, 0, 0, 0},
    {FACES, AN_S_ghost_correction, 0, 0, 0},
    {RUN, AN_S_smoothing, 0, 1, 0},
    {FACES, AN_S_ghost_smoothing, 0, 0, 0},
    {RUN, AN_S_smooth, 0, 0, 0},
    {RUN, AN_S_wall_distance, 0, 0, 0},
    {BETWEEN, AN_S_coarse_volume, 0, 0, 0},
    {BETWEEN, AN_S_coarse_area, 0, 0, 0},
    {BETWEEN, AN_S_coarse_sweep, 0, 0, 0},
    {BETWEEN, AN_S_restrict_state, 0, 0, 0},
    {BETWEEN, AN_S_restrict_scalar, 0, 0, 0},
    {BETWEEN, AN_S_restrict_residual, 0, 0, 0},
    {RUN, AN_S_add_force, 0, 0, 0},
    {RUN, AN_S_correction, 0, 0, 0},
    {BETWEEN_COARSER, AN_S_prolong, 0, 0, 0},
    {RUN, AN_S_correct, 0, 0, 0},
};

static void name_step(const struct step *s, char *name, size_t size)
{
    static const char *const what[] = {"", "", "residual", "stage", "stage in place", "copies", ""};
    snprintf(name, size, "%s %s%s",
             s->what == RUN || s->what == FACES || s->what == LINES || between(s)
                 ? an_stencil_name(s->stencil)
                 : what[s->what],
             s->what == RUN || s->what == COPIES || s->what == LINES || between(s) ? ""
             : s->scheme == AN_SCHEME_ROE                                          ? "Roe"
             : s->scheme == AN_SCHEME_MATRIX                                       ? "matrix"
                                                                                   : "JST",
             s->shells ? " shells" : "");
}

/* Has a field no value at all? Of fields that no one filled all bytes are set. */
static int is_empty(const struct engine_case *x, const struct image *m, int f)
{
    for (size_t n = 0; n < x->bytes[f]; n++)
        if (m->at[f][n] != (char)0xff)
            return 0;
    return 1;
}

/* Has every field that a step reads (after: writes) some value? Prints the fields that have none. */
static int has_data(const struct engine_case *x, const struct step *s, const struct image *m,
                    int after)
{
    int all = 1;
    if (s->what != RUN && s->what != FACES && s->what != LINES && !between(s))
        return 1;
    for (const struct stencil_field *f = stencil_account[s->stencil].field; f->role != ROLE_END;
         f++) {
        const int reads = f->role != ROLE_OUT, writes = f->role == ROLE_OUT;
        if (!(after ? writes : reads) || !is_empty(x, m, f->field))
            continue;
        all = 0;
        fprintf(stderr,
                after
                    ? "%s: the field %s has no values after the run\n"
                    : "%s reads the field %s, which has no values: fill it in new_case(), or run a "
                      "step of all_steps that writes it (tests/engine_fixture.c)\n",
                an_stencil_name(s->stencil), field_name[f->field]);
    }
    return all;
}

/* Steps on both engines, each from the memory `ma` that engine a left; frees ma. */
static double compare_steps(const struct engine_case *x, struct an_engine *a, struct an_engine *b,
                            const struct step *step, size_t count, struct image ma,
                            double tolerance, int report)
{
    double worst = 0;
    for (size_t n = 0; n < count; n++) {
        static struct outcome oa, ob;
        char name[64];
        name_step(&step[n], name, sizeof name);
        struct image mb = image_copy(x, &ma);
        if (!has_data(x, &step[n], &ma, 0) || fixture_step(x, a, &step[n], &ma, &oa) ||
            fixture_step(x, b, &step[n], &mb, &ob) || !has_data(x, &step[n], &ma, 1))
            worst = INFINITY;
        worst = fmax(worst, compare_images(x, name, &ma, &mb, tolerance, report));
        worst = fmax(
            worst, compare_sums(name, oa.red.sum, ob.red.sum, AN_NSUM, AN_NSUM, tolerance, report));
        worst = fmax(worst, compare_sums(name, oa.sum, ob.sum, FIXTURE_BOUNDARIES * AN_NINTEGRAL,
                                         AN_NINTEGRAL, tolerance, report));
        for (int m = 0; m < AN_NMIN; m++)
            if (oa.red.min[m] != ob.red.min[m])
                worst = fmax(worst, judge(name, "min",
                                          fabs(oa.red.min[m] - ob.red.min[m]) / fabs(oa.red.min[m]),
                                          tolerance, report));
        image_free(&mb);
    }
    image_free(&ma);
    return worst;
}

/* all_steps, and behind them one step, or one for each direction, of every stencil that they leave out.
 * Returns their number. */
static size_t every_step(struct step *step)
{
    static const enum operation plain[] = {
        [KIND_CELL] = RUN, [KIND_DIRECTIONAL] = RUN, [KIND_FACE] = FACES, [KIND_LINE] = LINES};
    const size_t given = sizeof all_steps / sizeof *all_steps;
    size_t n = given;
    memcpy(step, all_steps, sizeof all_steps);
    for (int s = 0; s < AN_NSTENCIL; s++) {
        const enum stencil_kind kind = stencil_account[s].kind;
        int found = 0;
        for (size_t m = 0; m < given; m++)
            found |= (int)all_steps[m].stencil == s && all_steps[m].what != RESIDUAL &&
                     all_steps[m].what != STAGE && all_steps[m].what != STAGE_IN_PLACE &&
                     all_steps[m].what != COPIES;
        for (int dir = 0; !found && dir < (kind == KIND_LINE ? 3 : 1); dir++)
            step[n++] =
                (struct step){stencil_reads_other((enum an_stencil)s) ? BETWEEN : plain[kind],
                              (enum an_stencil)s, 0, dir, 0};
    }
    return n;
}

double fixture_compare(const struct engine_case *x, struct an_engine *a, struct an_engine *b,
                       double tolerance, int report)
{
    struct step step[sizeof all_steps / sizeof *all_steps + 3 * AN_NSTENCIL];
    const size_t n = every_step(step);
    return compare_steps(x, a, b, step, n, image_copy(x, &x->start), tolerance, report);
}

/* Metrics, primitive variables and time steps on an engine: the first of all steps. */
enum { PREPARED = 5 };
static int prepare(const struct engine_case *x, struct an_engine *e, struct image *m)
{
    static struct outcome o;
    *m = image_copy(x, &x->start);
    for (int n = 0; n < PREPARED; n++)
        if (fixture_step(x, e, &all_steps[n], m, &o))
            return AN_FAIL;
    static const struct step close = {FACES, AN_S_ghost_lambda, 0, 0, 0};
    return fixture_step(x, e, &close, m, &o);
}

int fixture_residual(const struct engine_case *x, struct an_engine *e, struct image *m)
{
    static struct outcome o;
    static const struct step residual = {RESIDUAL, 0, AN_SCHEME_JST, 0, 0};
    const int status = prepare(x, e, m);
    return status ? status : fixture_step(x, e, &residual, m, &o);
}

double fixture_compare_lines(const struct engine_case *x, struct an_engine *a, struct an_engine *b,
                             double tolerance, int report)
{
    struct image m;
    if (fixture_residual(x, a, &m))
        return INFINITY;
    return compare_steps(x, a, b, line_steps, sizeof line_steps / sizeof *line_steps, m, tolerance,
                         report);
}

double fixture_fused(const struct engine_case *x, struct an_engine *e, double tolerance, int report)
{
    static const struct step jst[] = {{RUN, AN_S_central_flux, 0, 0, 0},
                                      {RUN, AN_S_jst_dissipation, 0, 0, 0},
                                      {RUN, AN_S_flux_sum, 0, 0, 0}};
    static const struct step roe[] = {{RUN, AN_S_roe_flux, 0, 0, 0}, {RUN, AN_S_flux_sum, 0, 0, 0}};
    static const struct step matrix[] = {{RUN, AN_S_central_flux, 0, 0, 0},
                                         {RUN, AN_S_matrix_dissipation, 0, 0, 0},
                                         {RUN, AN_S_flux_sum, 0, 0, 0}};
    static const struct step *const separate[] = {jst, roe, matrix};
    static const struct step update = {RUN, AN_S_update, 0, 0, 0};
    static struct outcome o;
    struct image m;
    double worst = 0;
    if (prepare(x, e, &m))
        return INFINITY;
    for (int scheme = 0; scheme < AN_NSCHEME; scheme++) {
        const struct step residual = {RESIDUAL, 0, (enum an_scheme)scheme, 0, 0};
        const struct step stage = {STAGE, 0, (enum an_scheme)scheme, 0, 0};
        const struct step in_place = {STAGE_IN_PLACE, 0, (enum an_scheme)scheme, 0, 0};
        struct image apart = image_copy(x, &m), once = image_copy(x, &m);
        struct image whole = image_copy(x, &m), over = image_copy(x, &m);
        int failed = 0;
        for (int n = 0; n < (scheme == AN_SCHEME_ROE ? 2 : 3); n++)
            failed |= fixture_step(x, e, &separate[scheme][n], &apart, &o);
        memcpy(once.at[AN_F_FLUX], apart.at[AN_F_FLUX], x->bytes[AN_F_FLUX]);
        failed |= fixture_step(x, e, &residual, &once, &o);
        worst =
            fmax(worst, compare_images(x, "separate = fused", &apart, &once, tolerance, report));
        failed |= fixture_step(x, e, &update, &once, &o);
        failed |= fixture_step(x, e, &stage, &whole, &o);
        worst = fmax(worst, judge("residual, update = stage", "WN",
                                  image_difference(x, &once, &whole, AN_F_WN), tolerance, report));
        failed |= !image_same(x, &whole, &m, AN_F_WN);
        failed |= fixture_step(x, e, &in_place, &over, &o);
        for (int b = 0; b < x->layout.nblock; b++) /* W0 has values in ghosts where WN has none */
            for (int c = 0; c < 5; c++)
                for (int k = 0; k < x->layout.block[b].n[2]; k++)
                    for (int j = 0; j < x->layout.block[b].n[1]; j++) {
                        const int64_t at =
                            c * x->layout.ncell + an_element(&x->layout.block[b], 0, j, k);
                        const size_t size = (size_t)x->precision;
                        failed |= memcmp(over.at[AN_F_W0] + (size_t)at * size,
                                         whole.at[AN_F_WN] + (size_t)at * size,
                                         (size_t)x->layout.block[b].n[0] * size) != 0;
                    }
        if (failed) {
            fprintf(stderr, "fused %s: failed, wrote elsewhere, or in place differs\n", e->name);
            worst = INFINITY;
        }
        image_free(&apart);
        image_free(&once);
        image_free(&whole);
        image_free(&over);
    }
    image_free(&m);
    return worst;
}

/* GRAD of the inner cells becomes NaN: what is fused must not read it. */
static void spoil_gradients(const struct engine_case *x, struct image *m)
{
    const size_t size = (size_t)x->precision;
    for (int b = 0; b < x->layout.nblock; b++) {
        const struct an_block *block = &x->layout.block[b];
        for (int c = 0; c < AN_NCOMP_GRAD; c++)
            for (int k = 0; k < block->n[2]; k++)
                for (int j = 0; j < block->n[1]; j++)
                    memset(m->at[AN_F_GRAD] +
                               (size_t)(c * x->layout.ncell + an_element(block, 0, j, k)) * size,
                           0xff, (size_t)block->n[0] * size);
    }
}

static double fused_viscous(const struct engine_case *x, struct an_engine *e, double tolerance,
                            int report)
{
    static const struct step gradient = {RUN, AN_S_gradient, 0, 0, 0};
    static const struct step residual = {RUN, AN_S_viscous_residual, 0, 0, 0};
    static const struct step update = {RUN, AN_S_update, 0, 0, 0};
    static const struct step fused = {VISCOUS, 0, 0, 0, 0}, cut = {VISCOUS, 0, 0, 0, 1};
    static const struct step stage = {VISCOUS_STAGE, 0, 0, 0, 0};
    static struct outcome o;
    struct image a, b, c;
    double worst = 0;
    if (fixture_residual(x, e, &a))
        return INFINITY;
    b = image_copy(x, &a);
    spoil_gradients(x, &b);
    c = image_copy(x, &b);
    struct image d = image_copy(x, &b);
    int failed = fixture_step(x, e, &gradient, &a, &o);
    failed |= fixture_step(x, e, &residual, &a, &o);
    failed |= fixture_step(x, e, &fused, &b, &o);
    failed |= fixture_step(x, e, &cut, &c, &o);
    worst = fmax(worst, compare_images(x, "fused viscous, cut", &b, &c, 0, report));
    memcpy(b.at[AN_F_GRAD], a.at[AN_F_GRAD], x->bytes[AN_F_GRAD]);
    worst = fmax(worst, compare_images(x, "fused viscous", &a, &b, tolerance, report));
    failed |= fixture_step(x, e, &update, &a, &o);
    failed |= fixture_step(x, e, &stage, &d, &o);
    worst = fmax(worst, judge("fused viscous stage", "WN", image_difference(x, &a, &d, AN_F_WN),
                              tolerance, report));
    image_free(&a);
    image_free(&b);
    image_free(&c);
    image_free(&d);
    return failed ? INFINITY : worst;
}

double fixture_viscous(const struct engine_case *x, struct an_engine *e, double tolerance,
                       int report)
{
    static const struct step apart[] = {{RUN, AN_S_viscous_flux, 0, 0, 0},
                                        {RUN, AN_S_flux_sum, 0, 0, 0}};
    static const struct step once = {RUN, AN_S_viscous_residual, 0, 0, 0};
    static struct outcome o;
    struct image a, b;
    if (prepare(x, e, &a))
        return INFINITY;
    memset(a.at[AN_F_FLUX], 0, x->bytes[AN_F_FLUX]);
    memset(a.at[AN_F_R], 0, x->bytes[AN_F_R]);
    b = image_copy(x, &a);
    int failed = 0;
    for (int n = 0; n < 2; n++)
        failed |= fixture_step(x, e, &apart[n], &a, &o);
    failed |= fixture_step(x, e, &once, &b, &o);
    memcpy(b.at[AN_F_FLUX], a.at[AN_F_FLUX], x->bytes[AN_F_FLUX]);
    double worst = compare_images(x, "viscous fluxes", &a, &b, tolerance, report);
    if (e->op->viscous)
        worst = fmax(worst, fused_viscous(x, e, e->device_memory ? tolerance : 0, report));
    image_free(&a);
    image_free(&b);
    return failed ? INFINITY : worst;
}

/* A step's worth of operations on both streams, with the parameter alpha. */
struct replayed {
    const struct engine_case *x;
    struct an_tiles *t;
    struct an_lines *lines;
    struct an_faces *faces;
    struct an_copies *copies;
    struct an_fields f;
};

static int issue(struct an_engine *e, const struct replayed *r, double alpha)
{
    const struct an_engine_ops *op = e->op;
    const size_t bytes = r->x->bytes[AN_F_W];
    const int64_t cs = r->x->layout.ncell;
    struct an_params p = r->x->params;
    p.alpha = alpha;
    AN_TRY(op->run(e, AN_S_timestep, r->t, &r->f, &p, NULL, 0));
    AN_TRY(op->wait(e, 1, 0));
    AN_TRY(op->run_faces(e, AN_S_ghost_lambda, AN_SCHEME_JST, r->faces, &r->f, &p, NULL, 1));
    AN_TRY(op->copy(e, r->f.at[AN_F_W0], r->f.at[AN_F_W], bytes, 1));
    AN_TRY(op->wait(e, 0, 1));
    AN_TRY(op->residual(e, AN_SCHEME_JST, r->t, &r->f, &p, 0));
    AN_TRY(op->stage(e, AN_SCHEME_MATRIX, r->t, &r->f, &p, 0));
    AN_TRY(op->run_lines(e, AN_S_implicit_lines, r->lines, &r->f, &p, 0));
    AN_TRY(op->wait(e, 1, 0)); /* never waited for by the main stream */
    AN_TRY(op->copies(e, r->copies, r->f.at[AN_F_FLUX], cs, r->f.at[AN_F_WN], cs, 5, 1, 1));
    return AN_OK;
}

static int outcome_of(const struct engine_case *x, struct an_engine *e, const struct replayed *r,
                      struct image *m)
{
    AN_TRY(e->op->sync(e, 1));
    AN_TRY(e->op->sync(e, 0));
    for (int n = 0; n < AN_NFIELD; n++)
        AN_TRY(e->op->download(e, m->at[n], r->f.at[n], x->bytes[n], 0));
    return e->op->sync(e, 0);
}

static int load(const struct engine_case *x, struct an_engine *e, const struct replayed *r,
                const struct image *m)
{
    for (int n = 0; n < AN_NFIELD; n++)
        AN_TRY(e->op->upload(e, r->f.at[n], m->at[n], x->bytes[n], 0));
    return e->op->sync(e, 0);
}

/* 1 where what needs the host is refused in a recording, and the engine works on. */
static int refuses(struct an_engine *e, const struct replayed *r)
{
    static struct outcome o;
    const struct an_engine_ops *op = e->op;
    void *p = NULL;
    int wrong = op->record_begin(e) != AN_OK;
    wrong |= op->sync(e, 0) == AN_OK;
    wrong |= op->alloc(e, 8, &p) == AN_OK;
    wrong |= op->download(e, &o, r->f.at[AN_F_W], 8, 0) == AN_OK;
    wrong |= op->run(e, AN_S_timestep, r->t, &r->f, &r->x->params, &o.red, 0) == AN_OK;
    wrong |= op->run_faces(e, AN_S_boundary_integral, 0, r->faces, &r->f, &r->x->params, o.sum,
                           0) == AN_OK;
    wrong |= issue(e, r, 0.1) != AN_OK;
    return !wrong && op->record_end(e, NULL) == AN_OK && op->sync(e, 0) == AN_OK;
}

int fixture_replay(const struct engine_case *x, struct an_engine *e)
{
    static const double alpha[3] = {0.3, 0.3, 0.7};
    static const double turn[2][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                                      {1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8}};
    struct an_face_window window[FIXTURE_MAX_BOX];
    struct an_bc_value value[FIXTURE_BOUNDARIES];
    struct an_box box[FIXTURE_MAX_BOX];
    struct an_copy copy[2];
    struct replayed r = {.x = x};
    struct an_recording *recording = NULL;
    struct image start, plain, again;
    int status = AN_OK;
    if (prepare(x, e, &start))
        return AN_FAIL;
    plain = image_copy(x, &start);
    again = image_copy(x, &start);
    TRY(e->op->tiles_new(e, &x->layout, fixture_boxes(x, 0, box), box, &r.t));
    TRY(e->op->lines_new(e, &x->layout, (const int[FIXTURE_MAX_BOX]){1, 1, 1}, &r.lines));
    const int nwindow = boundaries(x, window, value), ncopy = pieces(x, copy);
    TRY(e->op->faces_new(e, &x->layout, nwindow, window, FIXTURE_BOUNDARIES, value, &r.faces));
    TRY(e->op->copies_new(e, ncopy, copy, 2, turn, &r.copies));
    TRY(memory_of(x, e, &r.f));
    for (int n = 0; n < 3; n++) {
        TRY(load(x, e, &r, &start));
        TRY(issue(e, &r, alpha[n]));
        TRY(outcome_of(x, e, &r, &plain));
        TRY(load(x, e, &r, &start));
        if (n != 1) { /* the second time: as recorded */
            TRY(e->op->record_begin(e));
            TRY(issue(e, &r, alpha[n]));
            TRY(e->op->record_end(e, &recording));
            TRY(outcome_of(x, e, &r, &again));
            TRY(image_same(x, &again, &start, -1) ? AN_OK
                                                  : an_error_set(AN_FAIL, "a recording ran"));
        }
        TRY(e->op->replay(e, recording));
        TRY(outcome_of(x, e, &r, &again));
        TRY(image_same(x, &again, &plain, -1) ? AN_OK : an_error_set(AN_FAIL, "replayed: differs"));
        if (n == 0)
            TRY(refuses(e, &r) ? AN_OK : an_error_set(AN_FAIL, "the host took part"));
    }
end:
    if (status)
        fprintf(stderr, "%s: %s\n", e->name, an_error_text());
    e->op->recording_free(e, recording);
    e->op->tiles_free(e, r.t);
    e->op->lines_free(e, r.lines);
    e->op->faces_free(e, r.faces);
    e->op->copies_free(e, r.copies);
    image_free(&start);
    image_free(&plain);
    image_free(&again);
    return status;
}

/* W to WN: the pieces of pieces(), and cell by cell a plane of block 0, which is more chunks than
 * may wait by themselves. */
struct post {
    int n[2];
    struct an_copy *copy[2]; /* owned */
};

static struct post post_new(const struct engine_case *x)
{
    const struct an_block *b = &x->layout.block[0];
    struct post post = {{2, b->n[0] * b->n[1]}, {NULL, NULL}};
    for (int l = 0; l < 2; l++)
        post.copy[l] = need(malloc((size_t)post.n[l] * sizeof *post.copy[l]));
    pieces(x, post.copy[0]);
    for (int m = 0; m < post.n[1]; m++) {
        const int64_t at = an_element(b, m % b->n[0], m / b->n[0], 0);
        post.copy[1][m] = (struct an_copy){.src = at, .dst = at, .n = {1, 1, 1}, .rotation = -1};
    }
    return post;
}

/* The two ways of each list through a mailbox, one element after the other. */
struct ways {
    struct an_copies *direct[2], *in[2], *out[2];
    int64_t elements;
};

static int ways_new(struct an_engine *e, const struct post *post, struct ways *w)
{
    for (int l = 0; l < 2; l++) {
        struct an_copy *in = need(malloc(2 * (size_t)post->n[l] * sizeof *in));
        struct an_copy *const out = in + post->n[l];
        for (int m = 0; m < post->n[l]; m++) {
            const struct an_copy *c = &post->copy[l][m];
            const int64_t packed[3] = {1, c->n[0], (int64_t)c->n[0] * c->n[1]};
            in[m] = out[m] = *c;
            in[m].rotation = -1; /* who receives turns */
            in[m].dst = out[m].src = w->elements;
            memcpy(in[m].dst_stride, packed, sizeof packed);
            memcpy(out[m].src_stride, packed, sizeof packed);
            w->elements += packed[2] * c->n[2];
        }
        static const double turn[1][9] = {{1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8}};
        int status = e->op->copies_new(e, post->n[l], post->copy[l], 1, turn, &w->direct[l]);
        if (!status)
            status = e->op->copies_new(e, post->n[l], in, 1, turn, &w->in[l]);
        if (!status)
            status = e->op->copies_new(e, post->n[l], out, 1, turn, &w->out[l]);
        free(in);
        AN_TRY(status);
    }
    return AN_OK;
}

/* One exchange, to oneself. */
static int exchange(struct an_engine *e, struct an_peer_door *door, const struct ways *w, void *box,
                    const struct an_fields *f, int64_t cs)
{
    for (int l = 0; l < 4; l++) {
        const int receive = l / 2, list = l % 2;
        const struct an_peer_move move = {.copies = receive ? w->out[list] : w->in[list],
                                          .field = f->at[receive ? AN_F_WN : AN_F_W],
                                          .field_component = cs,
                                          .box = (char *)box + an_peer_head(1),
                                          .box_component = w->elements,
                                          .half = 5 * w->elements,
                                          .ncomp = 5,
                                          .vector = receive,
                                          .first = list == 0,
                                          .last = list == 1};
        AN_TRY((receive ? e->peer->receive : e->peer->send)(e, door, &move, 0));
    }
    return AN_OK;
}

int fixture_mailbox(const struct engine_case *x, struct an_engine *e)
{
    struct post post = post_new(x);
    for (int m = 0; m < 2; m++)
        post.copy[0][m].rotation = post.copy[0][m].rotation < 0 ? -1 : 0;
    struct ways w = {.elements = 0};
    struct an_fields f;
    struct an_peer_door *door = NULL;
    struct an_peer_handle handle;
    void *box = NULL;
    struct image through = image_copy(x, &x->start), direct = image_copy(x, &x->start);
    const int64_t cs = x->layout.ncell;
    const size_t bytes = x->bytes[AN_F_WN];
    const int flag = 0;
    int status = AN_OK;
    TRY(memory_of(x, e, &f));
    TRY(ways_new(e, &post, &w));
    TRY(e->op->upload(e, f.at[AN_F_W], x->start.at[AN_F_W], bytes, 0));
    TRY(e->op->upload(e, f.at[AN_F_W0], x->start.at[AN_F_W0], bytes, 0));
    TRY(e->peer->box_new(e, an_peer_head(1) + 10 * (size_t)w.elements * (size_t)e->precision, &box,
                         &handle));
    TRY(e->peer->door_new(e, box, 1, (void *const[1]){box}, &flag, &door));
    for (int n = 0; n < 3; n++) { /* both halves, and one again; of something else each time */
        struct an_fields used = f;
        used.at[AN_F_W] = f.at[n == 1 ? AN_F_W0 : AN_F_W];
        TRY(e->op->upload(e, f.at[AN_F_WN], x->start.at[AN_F_WN], bytes, 0));
        for (int l = 0; l < 2; l++)
            TRY(e->op->copies(e, w.direct[l], used.at[AN_F_WN], cs, used.at[AN_F_W], cs, 5, 1, 0));
        TRY(e->op->download(e, direct.at[AN_F_WN], f.at[AN_F_WN], bytes, 0));
        TRY(e->op->upload(e, f.at[AN_F_WN], x->start.at[AN_F_WN], bytes, 0));
        TRY(exchange(e, door, &w, box, &used, cs));
        TRY(e->op->download(e, through.at[AN_F_WN], f.at[AN_F_WN], bytes, 0));
        TRY(e->op->sync(e, 0));
        TRY(e->peer->lost(e, door) < 0 ? AN_OK : an_error_set(AN_FAIL, "a flag was not raised"));
        TRY(image_same(x, &through, &direct, -1) && !image_same(x, &through, &x->start, -1)
                ? AN_OK
                : an_error_set(AN_FAIL, "a mailbox brings something else"));
    }
end:
    if (status)
        fprintf(stderr, "%s: %s\n", e->name, an_error_text());
    if (door)
        e->peer->door_free(e, door);
    if (box)
        e->peer->box_free(e, box);
    for (int l = 0; l < 2; l++) {
        e->op->copies_free(e, w.direct[l]);
        e->op->copies_free(e, w.in[l]);
        e->op->copies_free(e, w.out[l]);
        free(post.copy[l]);
    }
    image_free(&through);
    image_free(&direct);
    return status;
}

double fixture_cut(const struct engine_case *x, struct an_engine *e, int report)
{
    static struct outcome o;
    struct image m;
    double worst = 0;
    if (prepare(x, e, &m))
        return INFINITY;
    for (int scheme = 0; scheme < AN_NSCHEME; scheme++)
        for (int what = RESIDUAL; what <= STAGE; what++) {
            const struct step whole = {(enum operation)what, 0, (enum an_scheme)scheme, 0, 0};
            const struct step cut = {(enum operation)what, 0, (enum an_scheme)scheme, 0, 1};
            struct image a = image_copy(x, &m), b = image_copy(x, &m);
            if (fixture_step(x, e, &whole, &a, &o) || fixture_step(x, e, &cut, &b, &o))
                worst = INFINITY;
            worst = fmax(worst, compare_images(x, "whole = shells and inside", &a, &b, 0, report));
            image_free(&a);
            image_free(&b);
        }
    image_free(&m);
    return worst;
}

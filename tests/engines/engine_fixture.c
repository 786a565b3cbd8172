/* The case: blocks, fields and their first values. */
#include "tests/engines/engine_parts.h"

#include "kernels/base/topology.h"
#include "kernels/engine/reference.h"
#include "kernels/physics/gas_real.h"
#include "kernels/physics/wall_tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
int fixture_is_of_other(int f)
{
    return f == AN_F_OW || f == AN_F_OVOL || f == AN_F_OS || f == AN_F_OG || f == AN_F_O1;
}

void *fixture_need(void *p)
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

static double noise(uint64_t n)
{
    n = (n + 1) * 0x9e3779b97f4a7c15ULL;
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9ULL;
    n = (n ^ (n >> 27)) * 0x94d049bb133111ebULL;
    return (double)(n >> 11) * 0x1p-52 - 1;
}

static void put(const struct engine_case *x, int f, int c, int64_t at, double v)
{
    const int64_t n = c * x->layout.ncell + at;
    if (is_double[f] || x->precision == AN_DOUBLE)
        ((double *)x->start.at[f])[n] = v;
    else
        ((float *)x->start.at[f])[n] = (float)v;
}

double fixture_get(const struct engine_case *x, const struct image *m, int f, int64_t n)
{
    return is_double[f] || x->precision == AN_DOUBLE ? ((const double *)m->at[f])[n]
                                                     : (double)((const float *)m->at[f])[n];
}

double image_value(const struct engine_case *x, const struct image *m, enum an_field f, int c,
                   int64_t at)
{
    return fixture_get(x, m, (int)f, c * x->layout.ncell + at);
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
                const double part = 0.7 + 0.3 * cos(5 * r + 11 * s); /* 50 to 200 m/s */
                const double u =
                    part * (120 + 40 * cos(7 * s - 6 * t) + 90 * n * noise((uint64_t)at * 5 + 1));
                const double v =
                    part * (-60 + 30 * sin(8 * r + 3 * t) + 90 * n * noise((uint64_t)at * 5 + 2));
                const double w =
                    part * (30 + 50 * sin(4 * r - 9 * s) + 90 * n * noise((uint64_t)at * 5 + 3));
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
                const double T = p / (rho * 287), mu = 1.716e-5 * pow(T / 273.11, 0.7);
                const double eos[AN_NCOMP_EOS] = {p,      0.4,   1.4 * p / rho,
                                                  T,      mu,    1004.5 * mu / 0.72,
                                                  1004.5, 717.5, 0.5 + 0.4 * sin(6 * r + 7 * s)};
                for (int c = 0; c < AN_NCOMP_EOS; c++)
                    put(x, AN_F_EOS, c, at, eos[c]);
                for (int c = 0; c < 5; c++)
                    put(x, AN_F_Y, c, at, noise((uint64_t)at * 5 + (uint64_t)c + 3));
                const double now[5] = {rho, rho * u, rho * v, rho * w,
                                       p / 0.4 + 0.5 * rho * (u * u + v * v + w * w)};
                for (int c = 0; c < 5; c++) { /* earlier states: 3 % away */
                    const double a = noise((uint64_t)at * 5 + (uint64_t)c + 11);
                    put(x, AN_F_OLD, c, at, now[c] * (1 + 0.03 * a));
                    put(x, AN_F_OLDER, c, at, now[c] * (1 - 0.02 * a));
                    put(x, AN_F_TIME, c, at, 1e-3 * now[c] * a);
                }
                const double mean[20] = {1.2, 120, -60, 30,  1e5, 290, 0.1, 20, 20, 20,
                                         1e4, 10,  115, -55, 35,  285, 20,  20, 20, 10};
                for (int c = 0; c < 20; c++)
                    put(x, AN_F_MEAN, c, at,
                        mean[c] * (1 + 0.1 * noise((uint64_t)at * 20 + (uint64_t)c)));
                for (int c = 0; c < 10; c++) /* a part of the last digit of single precision */
                    put(x, AN_F_MEAN, 20 + c, at,
                        3e-8 * mean[c < 6 ? c : c + 6] *
                            noise((uint64_t)at * 10 + (uint64_t)c + 5));
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
                for (int c = 0; c < 2; c++) {
                    const double size = c ? 300 : 1e-4, a = noise((uint64_t)at * 2 + (uint64_t)c);
                    put(x, AN_F_TOLD, c, at, size * (1 + 0.4 * a));
                    put(x, AN_F_TOLDER, c, at, size * (1 - 0.3 * a));
                    put(x, AN_F_TTIME, c, at, size * a);
                }
                put(x, AN_F_INTER, 0, at, level);
                put(x, AN_F_LM, 0, at, level);
                put(x, AN_F_LM, 1, at, 20 + 1400 * (0.5 + 0.5 * noise((uint64_t)at + 7)));
                put(x, AN_F_CARRY, 0, at, 40 * level);
                put(x, AN_F_CARRY, 1, at, -30 * level);
                const double away[3] = {0.48, -0.6, 0.64};
                for (int c = 0; c < 3; c++)
                    put(x, AN_F_AWAY, c, at, away[(c + abs(i)) % 3]);
                put(x, AN_F_WD, 0, at, (j < 0 && k % 2 ? -1 : 1) * (0.003 + 0.002 * abs(j)));
                const int inside =
                    i >= 0 && i < b->n[0] && j >= 0 && j < b->n[1] && k >= 0 && k < b->n[2];
                for (int c = 0; !inside && c < ncomp[AN_F_LINE]; c++)
                    put(x, AN_F_LINE, c, at, 0); /* as allocated: no stencil writes there */
                for (int c = 0; c < 2; c++)      /* TURB kept */
                    put(x, AN_F_LINE, AN_LINE_TURB + c, at,
                        (c ? 300 : 1e-4) * (1 + 0.4 * noise((uint64_t)at * 2 + (uint64_t)c + 5)));
                put(x, AN_F_ROUGH, 0, at, k % 2 ? 0 : 2e-3 * (1 + 0.5 * noise((uint64_t)at + 91)));
                /* of walls below j = 0 */
                put(x, AN_F_UTAU, 0, at, j == -1 && k % 3 ? 0.02 + 0.3 * level : 0);
                for (int c = 0; c < 7; c++)
                    put(x, AN_F_SOURCE, c, at, 10 * noise((uint64_t)at * 7 + (uint64_t)c));
                for (int c = 0; c < 2; c++) {
                    const double a = noise((uint64_t)at * 2 + (uint64_t)c + 31);
                    put(x, AN_F_SIZE, c, at, (c ? 4e-3 : 0.013) * (1 + 0.3 * a));
                    put(x, AN_F_DES, c, at, 0.5 + 0.5 * a);
                    put(x, AN_F_MODE, 2 * c, at, 100 * a);
                    put(x, AN_F_MODE, 2 * c + 1, at, 1e-6 * a);
                }
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

/* Values of boundaries that vary, and frames. */
static void fill_faces(const struct engine_case *x)
{
    static const double given[3][AN_NCOMP_BCV] = {{1.1, 90, 10, -20, 1.01e5, 5e-5, 200},
                                                  {1.2e5, 300, 0.96, -0.28, 0, -1, 0},
                                                  {AN_WALL_HEAT_FLUX, 3e3, 1, 2, 3, 50, 1}};
    struct an_face_window window[FIXTURE_MAX_BOX];
    struct an_bc_value value[FIXTURE_BOUNDARIES];
    const int n = fixture_boundaries(x, window, value);
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

/* States and fluxes of the faces of a sliding plane, its map and its angle. */
static void fill_slide(const struct engine_case *x, int64_t faces)
{
    static const double state[7] = {1.2, 140, -30, 60, 1e5, 2e-4, 300};
    double *const turn = (double *)x->start.at[AN_F_SLIDE_TURN];
    an_slide_reference(faces, (double *)x->start.at[AN_F_SLIDE_MAP]);
    turn[0] = 0.123;
    for (int64_t f = 0; f < faces; f++) {
        for (int c = 0; c < AN_NCOMP_SLIDE; c++)
            put(x, AN_F_SLIDE, 0, AN_NCOMP_SLIDE * f + c,
                state[c % 7] * (1 + 0.1 * noise((uint64_t)(f * 14 + c))));
        for (int c = 0; c < AN_NCOMP_SLIDE_FLUX; c++)
            put(x, AN_F_SLIDE_FLUX, 0, AN_NCOMP_SLIDE_FLUX * f + c,
                noise((uint64_t)(f * 8 + c + 5)));
    }
    an_lag_reference(faces, (double *)x->start.at[AN_F_LAG_SERIES],
                     (double *)x->start.at[AN_F_LAG_TABLE]);
    for (int64_t f = 0; f < faces; f++) { /* of a periodic boundary and of a plane */
        for (int c = 0; c < AN_NCOMP_LAG_PRESENT; c++)
            put(x, AN_F_LAG_PRESENT, 0, AN_NCOMP_LAG_PRESENT * f + c,
                1 + noise((uint64_t)(f * 8 + c + 3)));
        for (int c = 0; c < AN_NCOMP_LAG_GIVEN; c++)
            put(x, AN_F_LAG_GIVEN, 0, AN_NCOMP_LAG_GIVEN * f + c,
                state[c < 14   ? c % 7
                      : c < 22 ? 5
                               : c - 22] *
                    (1 + 0.1 * noise((uint64_t)(f * 27 + c + 9))));
    }
    for (int64_t at = 0; at < AN_NCOMP_LAG_FIELD * x->layout.ncell; at++)
        put(x, AN_F_LAG_FIELD, 0, at, noise((uint64_t)at + 17));
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
void fixture_fill_other(const struct engine_case *x, const struct an_layout *level, struct image *m)
{
    for (int f = 0; f < AN_NFIELD; f++) {
        if (!fixture_is_of_other(f))
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

/* Images given back: memory that the system gives anew costs more than what is done with an image. */
enum { SPARE = 8 };
static struct image spare[SPARE];
static int nspare;

/* Not filled. */
static struct image new_image(const size_t bytes[AN_NFIELD])
{
    struct image m;
    for (int n = 0; n < nspare; n++)
        if (!memcmp(spare[n].bytes, bytes, sizeof m.bytes)) {
            m = spare[n];
            spare[n] = spare[--nspare];
            return m;
        }
    memcpy(m.bytes, bytes, sizeof m.bytes);
    for (int f = 0; f < AN_NFIELD; f++) {
        void *p = NULL;
        if (posix_memalign(&p, 4096, bytes[f]))
            abort();
        m.at[f] = p;
    }
    return m;
}

/* A case of blocks of n[] cells. */
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
    x->params.flux.low_mach = precision == AN_DOUBLE ? FIXTURE_LOW_MACH : 0;
    for (int f = 0; f < AN_NFIELD; f++) {
        x->bytes[f] = (size_t)ncomp[f] * (size_t)x->layout.ncell *
                      (is_double[f] ? sizeof(double) : (size_t)precision);
        if (fixture_is_of_other(f))
            x->bytes[f] = (size_t)ncomp[f] * (size_t)x->fine.ncell * (size_t)precision;
    }
    struct an_face_window window[FIXTURE_MAX_BOX];
    struct an_bc_value value[FIXTURE_BOUNDARIES];
    const int windows = fixture_boundaries(x, window, value);
    int64_t faces = 4;
    for (int w = 0; w < windows; w++)
        if (window[w].first + an_window_faces(&window[w].window) > faces)
            faces = window[w].first + an_window_faces(&window[w].window);
    x->bytes[AN_F_SLIDE_MAP] = (size_t)an_slide_reference(faces, NULL) * sizeof(double);
    x->bytes[AN_F_LAG_SERIES] += (size_t)an_lag_reference(faces, NULL, NULL) * sizeof(double);
    x->start = new_image(x->bytes);
    for (int f = 0; f < AN_NFIELD; f++)
        memset(x->start.at[f], 0xff, x->bytes[f]);
    x->memory = fixture_need(calloc(1, sizeof *x->memory));
    for (int b = 0; b < x->layout.nblock; b++) {
        fill_block(x, &x->layout.block[b]);
        fill_turbulence(x, &x->layout.block[b]);
    }
    fill_faces(x);
    fill_slide(x, faces);
    fixture_fill_other(x, &x->fine, &x->start);
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
    x->params.flux.rotating = 1;
    x->params.flux.low_mach = x->precision == AN_DOUBLE ? 0 : FIXTURE_LOW_MACH;
    for (int b = 0; b < x->layout.nblock; b++)
        x->layout.block[b].omega = omega[b % 3];
}

void fixture_rest(struct engine_case *x)
{
    x->params.flux.rotating = 0;
    x->params.flux.low_mach = x->precision == AN_DOUBLE ? FIXTURE_LOW_MACH : 0;
    for (int b = 0; b < x->layout.nblock; b++)
        x->layout.block[b].omega = 0;
}

void fixture_gas(struct engine_case *x, int n, const double *cp)
{
    if (an_gas_polynomial(x->params.fluid.gas_constant, n, cp, 200, 2500, &x->params.gas))
        abort();
    x->params.fluid.gamma = NAN;
}

void fixture_mixture(struct engine_case *x, int n, const double *first, double R,
                     const double *second)
{
    static struct an_gas_ends ends;
    fixture_gas(x, n, first);
    if (an_gas_mix(&x->params.gas, R, n, second, &ends))
        abort();
    x->params.gas.ends = &ends;
}

/* Of the range of all states: 64 x 64 nodes. Made once, for all cases. */
static struct an_gas_table *perfect_table(double R, double gamma)
{
    enum { M = 64 };
    static struct an_gas_table *table;
    static const unsigned char outside[M * M];
    static double node[AN_NTABLE][M][M][4];
    const int n[2] = {M, M};
    const double low[2] = {log(1e3), log(R * 60)},
                 step[2] = {log(2e4) / (M - 1), log(25.) / (M - 1)};
    for (int j = 0; j < M && !table; j++)
        for (int i = 0; i < M; i++) {
            const double y = low[1] + j * step[1], x = low[0] + i * step[0], P = exp(y);
            const double cp = R * gamma / (gamma - 1);
            const double of[AN_NTABLE][4] = {{P / (gamma - 1), 0, P / (gamma - 1), 0},
                                             {P / R, 0, P / R, 0},
                                             {cp * log(P / R) - R * x, -R, cp, 0},
                                             {1e-5, 0, 0, 0},
                                             {1e-2, 0, 0, 0}};
            for (int f = 0; f < AN_NTABLE; f++)
                memcpy(node[f][j][i], of[f], sizeof of[f]);
        }
    if (!table && an_gas_table_new(n, low, step, R, node[0][0][0], outside, &table))
        abort();
    return table;
}

void fixture_table(struct engine_case *x)
{
    static void *data[2];
    const int twice = x->precision == AN_DOUBLE;
    const struct an_gas_table *t =
        perfect_table(x->params.fluid.gas_constant, x->params.fluid.gamma);
    if (!data[twice]) {
        data[twice] = malloc((size_t)an_gas_table_words(t) * sizeof(double));
        if (!data[twice])
            abort();
        an_gas_table_data(t, twice ? 64 : 32, data[twice]);
    }
    x->params.gas = (struct an_gas){.R = t->R, .table = t, .data = data[twice]};
}

/* The fields of this case on an engine, not filled. */
int fixture_memory(const struct engine_case *x, struct an_engine *e, struct an_fields *f)
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

static void image_forget(void)
{
    while (nspare > 0)
        for (int f = 0, n = --nspare; f < AN_NFIELD; f++)
            free(spare[n].at[f]);
}

void fixture_free(struct engine_case *x)
{
    struct engine_memory *m = x->memory;
    for (int n = 0; n < m->n; n++)
        for (int f = 0; f < AN_NFIELD; f++)
            m->engine[n].op->free(&m->engine[n], m->fields[n].at[f]);
    free(m);
    image_free(&x->start);
    image_forget();
    an_layout_free(&x->layout);
    an_layout_free(&x->fine);
    an_layout_free(&x->coarse);
}

struct image image_copy(const struct engine_case *x, const struct image *from)
{
    struct image m = new_image(x->bytes);
    for (int f = 0; f < AN_NFIELD; f++)
        memcpy(m.at[f], from->at[f], x->bytes[f]);
    return m;
}

void image_free(struct image *m)
{
    if (nspare < SPARE)
        spare[nspare++] = *m;
    else
        for (int f = 0; f < AN_NFIELD; f++)
            free(m->at[f]);
}

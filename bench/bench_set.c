#include "bench/bench_set.h"

#include "kernels/engine/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What fields hold: values of their components (the last repeats) and the noise on them. */
static const struct {
    double value[15];
    int values;
    double noise;
} content[AN_NFIELD] = {
    [AN_F_W] = {{1.2, 120, -60, 30, 2.6e5}, 5, 0.01},
    [AN_F_W0] = {{1.2, 120, -60, 30, 2.6e5}, 5, 0.01},
    [AN_F_WN] = {{1.2, 120, -60, 30, 2.6e5}, 5, 0.01},
    [AN_F_WR] = {{1.2, 120, -60, 30, 2.6e5}, 5, 0.01},
    [AN_F_OW] = {{1.2, 120, -60, 30, 2.6e5}, 5, 0.01},
    [AN_F_OLD] = {{1.2, 120, -60, 30, 2.6e5}, 5, 0.01},
    [AN_F_OLDER] = {{1.2, 120, -60, 30, 2.6e5}, 5, 0.01},
    [AN_F_TIME] = {{1e-4, 0.1, 0.1, 0.1, 100}, 5, 1},
    [AN_F_TOLD] = {{2e-4, 300}, 2, 0.2},
    [AN_F_TOLDER] = {{2e-4, 300}, 2, 0.2},
    [AN_F_TTIME] = {{1e-6, 1e-3}, 2, 0.5},
    [AN_F_MEAN] = {{1.2, 100, -50, 25, 1e5, 290, 0.1, 10, 10, 10, 1e4, 10, 100, -50, 25}, 15, 0.1},
    [AN_F_Q] = {{1.2, 100, -50, 25, 1.01e5, 3e5}, 6, 0.01},
    [AN_F_EOS] = {{1e5, 0.4, 1.2e5, 290, 1.8e-5, 0.025, 1004, 717, 0.3}, 9, 0.01},
    [AN_F_S] = {{1e-4, 1e-5, 2e-5, -1e-5, 1e-4, 1e-5, -2e-5, 1e-5, 1e-4}, 9, 0.01},
    [AN_F_OS] = {{1e-4, 1e-5, 2e-5, -1e-5, 1e-4, 1e-5, -2e-5, 1e-5, 1e-4}, 9, 0.01},
    [AN_F_DX] = {{1e-2, 1e-3, 1e-3, -1e-3, 1e-2, 1e-3, 1e-3, 1e-3, 1e-2}, 9, 0.01},
    [AN_F_VOL] = {{1e-6}, 1, 0.1},
    [AN_F_OVOL] = {{1e-6}, 1, 0.1},
    [AN_F_X] = {{0.3, 0.2, 0.1}, 3, 0.5},
    [AN_F_LAM] = {{0.05}, 1, 0.1},
    [AN_F_DT] = {{5}, 1, 0.1},
    [AN_F_FLUX] = {{0.01, 12, -6, 3, 3e3, 0.01, 5, 10, 4, -4e3, -0.01, 2, 3, 11, 3e3}, 15, 0.2},
    [AN_F_R] = {{1e-4, 0.1, 0.1, 0.1, 100}, 5, 1},
    [AN_F_FORCE] = {{1e-4, 0.1, 0.1, 0.1, 100}, 5, 1},
    [AN_F_DW] = {{1e-3, 0.1, 0.1, 0.1, 200}, 5, 1},
    [AN_F_WD] = {{3e-3}, 1, 0.3},
    [AN_F_SIZE] = {{1e-2, 4e-3}, 2, 0.3},
    [AN_F_DES] = {{0.5, 0.5}, 2, 0.5},
    [AN_F_MODE] = {{100, 1e-6, 100, 1e-6}, 4, 0.5},
    [AN_F_ROUGH] = {{1e-4}, 1, 0.5},
    [AN_F_GRAD] = {{3e3, -1e3, 500, 800, 2e3, 600, -700, 900, 1e3, 4e3, 2e3, 1e3}, 12, 0.5},
    [AN_F_GRADT] = {{0.01, 0.02, -0.01, 1e3, 2e3, -1e3}, 6, 0.5},
    [AN_F_MUT] = {{1e-4}, 1, 0.5},
    [AN_F_TURB] = {{2e-4, 300}, 2, 0.2},
    [AN_F_RT] = {{1e-6, 1e-3}, 2, 0.5},
    [AN_F_DIAGT] = {{1e-2}, 1, 0.2},
    [AN_F_BLEND] = {{0.5}, 1, 0.5},
    [AN_F_INTER] = {{0.5}, 1, 0.5},
    [AN_F_LM] = {{0.5, 200, 1e-6, 1e-4, 1e-4, 1e-4}, 6, 0.01},
    [AN_F_CARRY] = {{1, 2}, 2, 0.01},
    [AN_F_AWAY] = {{0.48, -0.6, 0.64}, 3, 0.01},
    [AN_F_LINE] = {{1e-3}, 1, 0.5},
    [AN_F_O1] = {{1e-4}, 1, 0.5},
};

static double noise(uint64_t n)
{
    n = (n + 1) * 0x9e3779b97f4a7c15ULL;
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9ULL;
    n = (n ^ (n >> 27)) * 0x94d049bb133111ebULL;
    return (double)(n >> 11) * 0x1p-52 - 1;
}

/* One instance of a tree whose root is a leaf of four triangles (kernels/physics/wall_tree.h). */
static void fill_tree(double *tree)
{
    const double head[4] = {1, 4, 4 + 32, 4 + 32};
    memcpy(tree, head, sizeof head);
    double *instance = tree + 4, *facet = tree + 36;
    for (int d = 0; d < 3; d++)
        instance[4 * d] = 1, instance[12 + 3 + 4 * d] = 1, instance[12 + 12 + d] = 2;
    instance[27] = -1 - 3;
    for (int t = 0; t < 4; t++)
        for (int d = 0; d < 9; d++)
            facet[9 * t + d] = d < 3 ? -0.1 * t : noise((uint64_t)(9 * t + d));
}

/* Faces of all windows, four at least. */
static int64_t faces_of(const struct an_bench_set *s)
{
    int64_t n = 4;
    for (int w = 0; w < s->nwindow; w++) {
        const int64_t end = s->window[w].first + an_window_faces(&s->window[w].window);
        n = end > n ? end : n;
    }
    return n;
}

static int fill_slide(struct an_bench_set *s)
{
    const size_t bytes = s->bytes[AN_F_SLIDE_MAP];
    double *map = malloc(bytes);
    AN_CHECK(map, AN_FAIL, "out of memory");
    an_slide_reference(faces_of(s), map);
    int status = s->e->op->upload(s->e, s->f.at[AN_F_SLIDE_MAP], map, bytes, 0);
    if (!status)
        status = s->e->op->sync(s->e, 0);
    free(map);
    return status;
}

/* All of it: a series of random numbers would be no state. */
static int fill_series(struct an_bench_set *s)
{
    const size_t bytes = s->bytes[AN_F_LAG_SERIES];
    double *series = calloc(1, bytes);
    AN_CHECK(series, AN_FAIL, "out of memory");
    an_lag_reference(faces_of(s), series, NULL);
    int status = s->e->op->upload(s->e, s->f.at[AN_F_LAG_SERIES], series, bytes, 0);
    if (!status)
        status = s->e->op->sync(s->e, 0);
    free(series);
    return status;
}

int an_bench_set_fill(struct an_bench_set *s, enum an_field field)
{
    if (field == AN_F_SLIDE_MAP)
        return fill_slide(s);
    if (field == AN_F_LAG_SERIES)
        return fill_series(s);
    struct an_engine *e = s->e;
    const int f = (int)field, ncomp = an_bench_field_components(field);
    const int wide = an_bench_field_is_double(field) || e->precision == AN_DOUBLE;
    const size_t size = wide ? sizeof(double) : sizeof(float);
    const size_t all = s->bytes[f] / size / (size_t)ncomp;
    const size_t first = all < AN_BENCH_PERIOD ? all : AN_BENCH_PERIOD;
    double *piece = calloc(first + 256, sizeof *piece);
    AN_CHECK(piece, AN_FAIL, "out of memory");
    int status = AN_OK;
    for (int c = 0; !status && c < ncomp; c++) {
        const int values = content[f].values;
        const double value = values ? content[f].value[c < values ? c : values - 1] : 1;
        const double part = values ? content[f].noise : 0.1;
        for (size_t n = 0; n < first; n++) {
            const double v = value * (1 + part * noise(n * 64 + (uint64_t)c));
            if (wide)
                piece[n] = v;
            else
                ((float *)piece)[n] = (float)v;
        }
        if (field == AN_F_TREE)
            fill_tree(piece);
        char *at = (char *)s->f.at[f] + (size_t)c * all * size;
        status = e->op->upload(e, at, piece, first * size, 0);
        if (!status)
            status = e->op->sync(e, 0);
        for (size_t done = first; !status && done < all;) {
            const size_t next = done < all - done ? done : all - done;
            status = e->op->copy(e, at + done * size, at, next * size, 0);
            done += next;
        }
    }
    free(piece);
    AN_TRY(status);
    return e->op->sync(e, 0);
}

int an_bench_set_poison(struct an_bench_set *s, enum an_field f)
{
    struct an_engine *e = s->e;
    char *image = malloc(s->bytes[f]);
    AN_CHECK(image, AN_FAIL, "out of memory");
    memset(image, 0xff, s->bytes[f]);
    int status = e->op->upload(e, s->f.at[f], image, s->bytes[f], 0);
    if (!status)
        status = e->op->sync(e, 0);
    free(image);
    return status;
}

static void set_params(struct an_bench_set *s)
{
    s->viscous = an_params_reference();
    s->viscous.turb.rotation = AN_CORRECTION_NONE;
    s->viscous.turb.wall_function = 0;
    s->inviscid = s->viscous;
    s->inviscid.fluid.viscosity = s->inviscid.turb.model = AN_TURBULENCE_NONE;
    s->sst = s->viscous;
    s->sst.turb.model = AN_TURBULENCE_SST;
    s->sst.turb.inflow_intensity = 0.05;
}

static int set_layouts(struct an_bench_set *s, int nblock, const int (*n)[3])
{
    struct an_engine *e = s->e;
    int(*half)[3] = malloc((size_t)nblock * sizeof *half);
    struct an_box *box = malloc((size_t)nblock * sizeof *box);
    int *along = malloc((size_t)nblock * sizeof *along);
    int status = half && box && along ? AN_OK : an_error_set(AN_FAIL, "out of memory");
    for (int level = 0; !status && level < 2; level++) {
        for (int b = 0; b < nblock; b++)
            for (int d = 0; d < 3; d++) {
                half[b][d] = level ? n[b][d] / 2 : n[b][d];
                box[b].block = b;
                box[b].lo[d] = 0;
                box[b].hi[d] = half[b][d];
            }
        status = an_layout_new(nblock, (const int(*)[3])half, e->precision, &s->layout[level]);
        if (!status)
            status = e->op->tiles_new(e, &s->layout[level], nblock, box, &s->tiles[level]);
        for (int dir = 0; !status && dir < 3; dir++) {
            for (int b = 0; b < nblock; b++)
                along[b] = dir;
            status = e->op->lines_new(e, &s->layout[level], along, &s->lines[level][dir]);
        }
    }
    free(along);
    free(half);
    free(box);
    return status;
}

/* The outermost cells of a block, once each, as six boxes. */
static void boundary_of(const struct an_block *block, int b, struct an_box box[6])
{
    int lo[3] = {0, 0, 0}, hi[3] = {block->n[0], block->n[1], block->n[2]};
    for (int face = 0; face < 6; face++) {
        const int d = face / 2;
        box[face].block = b;
        memcpy(box[face].lo, lo, sizeof lo);
        memcpy(box[face].hi, hi, sizeof hi);
        if (face % 2)
            box[face].lo[d] = --hi[d];
        else
            box[face].hi[d] = ++lo[d];
    }
}

static int set_boundary(struct an_bench_set *s)
{
    const struct an_layout *l = &s->layout[0];
    struct an_box *box = malloc(6 * (size_t)l->nblock * sizeof *box);
    AN_CHECK(box, AN_FAIL, "out of memory");
    for (int b = 0; b < l->nblock; b++) {
        const int *n = l->block[b].n;
        boundary_of(&l->block[b], b, &box[6 * b]);
        s->boundary_cell_count +=
            (double)n[0] * n[1] * n[2] - (double)(n[0] - 2) * (n[1] - 2) * (n[2] - 2);
    }
    const int status = s->e->op->tiles_new(s->e, l, 6 * l->nblock, box, &s->boundary_cells);
    free(box);
    return status;
}

enum { OPPOSITE = 2 }; /* windows of the two sides of a direction, which follow each other */

int an_bench_work_windows(const struct an_bench_work *w)
{
    const int adds = w->stencil == AN_S_slide_correct || w->stencil == AN_S_abut_correct ||
                     w->stencil == AN_S_lag_flux;
    return adds ? OPPOSITE : w->set->nwindow;
}

/* All sides of all blocks; every type of boundary in turn. */
static int set_faces(struct an_bench_set *s)
{
    const struct an_layout *l = &s->layout[0];
    an_boundaries_reference(s->value);
    s->window = calloc(6 * (size_t)l->nblock, sizeof *s->window);
    AN_CHECK(s->window, AN_FAIL, "out of memory");
    int64_t first = 0;
    for (int b = 0; b < l->nblock; b++)
        for (int face = 0; face < 6; face++) {
            struct an_face_window *w = &s->window[s->nwindow];
            const int dir = face / 2, t1 = (dir + 1) % 3, t2 = (dir + 2) % 3;
            w->window.block = b;
            w->window.dir = dir;
            w->window.side = face % 2;
            for (int d = 0; d < 3; d++)
                w->window.hi[d] = d == dir ? 0 : l->block[b].n[d];
            w->boundary = (s->nwindow + b) % AN_REFERENCE_BOUNDARIES;
            w->first = first;
            first += (int64_t)l->block[b].n[t1] * l->block[b].n[t2];
            s->nwindow++;
        }
    AN_TRY(s->e->op->faces_new(s->e, l, s->nwindow, s->window, AN_REFERENCE_BOUNDARIES, s->value,
                               &s->faces));
    return s->e->op->faces_new(s->e, l, OPPOSITE, s->window, AN_REFERENCE_BOUNDARIES, s->value,
                               &s->opposite);
}

const double an_bench_turn[9] = {1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8};

static int set_copies(struct an_bench_set *s)
{
    const struct an_layout *l = &s->layout[0];
    s->ncopy = 6 * l->nblock;
    s->copy = calloc((size_t)s->ncopy, sizeof *s->copy);
    AN_CHECK(s->copy, AN_FAIL, "out of memory");
    for (int n = 0; n < s->ncopy; n++) {
        const struct an_block *b = &l->block[n / 6];
        const int dir = n % 6 / 2, side = n % 2;
        struct an_copy *c = &s->copy[n];
        int to[3] = {0, 0, 0}, from[3] = {0, 0, 0};
        to[dir] = side ? b->n[dir] : -2;
        from[dir] = side ? 0 : b->n[dir] - 2;
        c->src = an_element(b, from[0], from[1], from[2]);
        c->dst = an_element(b, to[0], to[1], to[2]);
        for (int d = 0; d < 3; d++) {
            c->n[d] = d == dir ? 2 : b->n[d];
            c->src_stride[d] = c->dst_stride[d] = b->stride[d];
        }
        s->copied += (double)c->n[0] * c->n[1] * c->n[2];
    }
    for (int turned = 0; turned < 2; turned++) {
        for (int n = 0; n < s->ncopy; n++)
            s->copy[n].rotation = turned - 1;
        AN_TRY(
            s->e->op->copies_new(s->e, s->ncopy, s->copy, 1, &an_bench_turn, &s->copies[turned]));
    }
    return AN_OK;
}

int an_bench_set_new(struct an_engine *e, int nblock, const int (*n)[3], struct an_bench_set *s)
{
    memset(s, 0, sizeof *s);
    s->e = e;
    set_params(s);
    AN_TRY(set_layouts(s, nblock, n));
    AN_TRY(set_boundary(s));
    AN_TRY(set_faces(s));
    AN_TRY(set_copies(s));
    const int64_t ncell = s->layout[0].ncell;
    for (int f = 0; f < AN_NFIELD; f++) {
        const size_t size =
            an_bench_field_is_double((enum an_field)f) ? sizeof(double) : (size_t)e->precision;
        s->bytes[f] = (size_t)an_bench_field_components((enum an_field)f) * (size_t)ncell * size;
        if (f == AN_F_SLIDE_MAP)
            s->bytes[f] = (size_t)an_slide_reference(faces_of(s), NULL) * sizeof(double);
        if (f == AN_F_LAG_SERIES)
            s->bytes[f] += (size_t)an_lag_reference(faces_of(s), NULL, NULL) * sizeof(double);
        AN_TRY(e->op->alloc(e, s->bytes[f], &s->f.at[f]));
        AN_TRY(an_bench_set_fill(s, (enum an_field)f));
    }
    return AN_OK;
}

void an_bench_set_free(struct an_bench_set *s)
{
    if (!s->e)
        return;
    for (int f = 0; f < AN_NFIELD; f++)
        s->e->op->free(s->e, s->f.at[f]);
    s->e->op->tiles_free(s->e, s->boundary_cells);
    for (int level = 0; level < 2; level++) {
        s->e->op->tiles_free(s->e, s->tiles[level]);
        for (int dir = 0; dir < 3; dir++)
            s->e->op->lines_free(s->e, s->lines[level][dir]);
        an_layout_free(&s->layout[level]);
    }
    s->e->op->faces_free(s->e, s->faces);
    s->e->op->faces_free(s->e, s->opposite);
    for (int turned = 0; turned < 2; turned++)
        s->e->op->copies_free(s->e, s->copies[turned]);
    free(s->window);
    free(s->copy);
    memset(s, 0, sizeof *s);
}

/* ---- one operation ---- */

double an_bench_work_points(const struct an_bench_work *w)
{
    const struct an_bench_set *s = w->set;
    double faces = 0;
    if (w->what == AN_WHAT_RIM)
        return s->boundary_cell_count;
    if (w->what >= AN_WHAT_COPIES)
        return s->copied;
    if (w->what != AN_WHAT_STENCIL || an_bench_kind(w->stencil) != AN_KIND_FACE)
        return (double)s->layout[w->level].interior;
    for (int n = 0; n < an_bench_work_windows(w); n++) {
        const struct an_window *win = &s->window[n].window;
        const int t1 = (win->dir + 1) % 3, t2 = (win->dir + 2) % 3;
        faces += (double)win->hi[t1] * win->hi[t2];
    }
    return faces;
}

int an_bench_what_is_viscous(enum an_bench_what what)
{
    return what >= AN_WHAT_VISCOUS && what <= AN_WHAT_RANS_STAGE;
}

double an_bench_tolerance(const struct an_bench *b)
{
    return b->engine.precision == AN_SINGLE ? 2e-3 : 1e-9;
}

int an_bench_work_run(void *work)
{
    struct an_bench_work *w = work;
    struct an_bench_set *s = w->set;
    struct an_engine *e = s->e;
    const struct an_tiles *t = s->tiles[w->level];
    struct an_fields alone = s->f;
    alone.at[AN_F_FORCE] = NULL;
    switch (w->what) {
    case AN_WHAT_RESIDUAL:
        return e->op->residual(e, w->scheme, t, &alone, w->p, 0);
    case AN_WHAT_STAGE:
        return e->op->stage(e, w->scheme, t, &s->f, w->p, 0);
    case AN_WHAT_VISCOUS:
    case AN_WHAT_VISCOUS_STAGE:
        return e->op->viscous(e, w->what == AN_WHAT_VISCOUS_STAGE, t, &alone, w->p, 0);
    case AN_WHAT_RANS:
    case AN_WHAT_RANS_STAGE:
        return e->op->rans(e, w->scheme, w->what == AN_WHAT_RANS_STAGE, t, &alone, w->p, 0);
    case AN_WHAT_RIM:
        return e->op->run(e, w->stencil, s->boundary_cells, &s->f, w->p, NULL, w->stream);
    case AN_WHAT_COPIES:
    case AN_WHAT_TURNED:
        return e->op->copies(e, s->copies[w->what == AN_WHAT_TURNED], s->f.at[AN_F_W],
                             s->layout[0].ncell, s->f.at[AN_F_W], s->layout[0].ncell, 5, 1, 0);
    default:
        break;
    }
    switch (an_bench_kind(w->stencil)) {
    case AN_KIND_FACE:
        return e->op->run_faces(e, w->stencil, w->scheme,
                                an_bench_work_windows(w) == s->nwindow ? s->faces : s->opposite,
                                &s->f, w->p, w->sums ? w->sum : NULL, w->stream);
    case AN_KIND_LINE:
        return e->op->run_lines(e, w->stencil, s->lines[w->level][w->dir], &s->f, w->p, 0);
    default:
        if (w->account.other)
            return e->op->run_between(e, w->stencil, t, s->tiles[1 - w->level], &s->f, w->p, 0);
        return e->op->run(e, w->stencil, t, &s->f, w->p, w->sums ? &w->red : NULL, 0);
    }
}

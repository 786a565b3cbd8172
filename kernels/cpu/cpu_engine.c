/* The CPU engine: tiles over OpenMP threads, kernels of the best instruction set the processor has.
 */
#include "kernels/cpu/cpu_table.h"
#include "kernels/engine/built.h"
#include "kernels/engine/peer.h"
#include "kernels/engine/planes.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state {
    const struct an_cpu_kernels *kernels;
    int threads;
    char **buffer; /* [threads] scratch of the fused kernels, each first touched by its thread */
};

struct an_tiles {
    struct an_block *block; /* copy of the layout's */
    int64_t cs;
    int ntile;
    struct an_box *tile;
    int nbox;
    struct an_box *box; /* as given */
};

/* Up to a vector of lines beside each other. */
struct bundle {
    struct an_box box;
    int dir;
};

struct an_lines {
    struct an_block *block;
    int64_t cs;
    int n;
    struct bundle *bundle;
    int threads;
    char **work; /* [threads], each first touched by its thread */
};

struct an_faces {
    struct an_block *block;
    int64_t cs;
    int nwindow, nboundary;
    struct an_face_window *window;
    struct an_bc_value *value;
};

struct an_copies {
    int ncopy;
    struct an_copy *copy;
    double (*rotation)[9];
};

static void *duplicate(const void *from, size_t bytes)
{
    void *to = malloc(bytes ? bytes : 1);
    if (to && bytes)
        memcpy(to, from, bytes);
    return to;
}

/* buffer[threads]: so many bytes each, first touched by its thread. */
static int scratch(int threads, size_t bytes, char **buffer)
{
    const size_t rounded = (bytes / 4096 + 1) * 4096;
    int failed = 0;
#pragma omp parallel num_threads(threads) reduction(| : failed)
    {
        char *mine = aligned_alloc(4096, rounded);
        buffer[omp_get_thread_num()] = mine;
        failed |= !mine;
        if (mine)
            memset(mine, 0, rounded);
    }
    return failed ? AN_FAIL : AN_OK;
}

static int op_alloc(struct an_engine *e, size_t bytes, void **p)
{
    (void)e;
    size_t rounded = (bytes + 4095) / 4096 * 4096;
    *p = aligned_alloc(4096, rounded ? rounded : 4096);
    AN_CHECK(*p, AN_FAIL, "out of memory: %zu bytes", bytes);
    /* first touch in the pattern of static schedules */
    char *bytewise = *p;
#pragma omp parallel for schedule(static)
    for (size_t page = 0; page < rounded; page += 4096)
        memset(bytewise + page, 0, 4096);
    return AN_OK;
}

static void op_free(struct an_engine *e, void *p)
{
    (void)e;
    free(p);
}

static int op_move(struct an_engine *e, void *dst, const void *src, size_t bytes, int stream)
{
    (void)e, (void)stream;
    if (bytes)
        memcpy(dst, src, bytes);
    return AN_OK;
}

static int op_sync(struct an_engine *e, int stream)
{
    (void)e, (void)stream;
    return AN_OK;
}

static int op_wait(struct an_engine *e, int stream, int on)
{
    (void)e, (void)stream, (void)on;
    return AN_OK;
}

/* Tiles of up to 128 x 16 columns: as large as leaves enough of them to balance the threads. */
static int op_tiles_new(struct an_engine *e, const struct an_layout *l, int nbox,
                        const struct an_box *box, struct an_tiles **out)
{
    const struct state *s = e->state;
    struct an_tiles *t = calloc(1, sizeof *t);
    AN_CHECK(t, AN_FAIL, "out of memory for tiles");
    *out = t;
    t->block = duplicate(l->block, (size_t)l->nblock * sizeof *l->block);
    t->box = duplicate(box, (size_t)nbox * sizeof *box);
    t->cs = l->ncell;
    t->nbox = nbox;
    int64_t columns = 0;
    for (int b = 0; b < nbox; b++)
        columns += ((box[b].hi[0] - box[b].lo[0] + 127) / 128) *
                   (int64_t)((box[b].hi[1] - box[b].lo[1] + 15) / 16);
    const int height = columns < 8 * s->threads ? 16 : 64;
    const int rows = columns < 8 * s->threads ? 8 : 16;
    int capacity = 0;
    for (int pass = 0; pass < 2; pass++) {
        int n = 0;
        for (int b = 0; b < nbox; b++)
            for (int k = box[b].lo[2]; k < box[b].hi[2]; k += height)
                for (int j = box[b].lo[1]; j < box[b].hi[1]; j += rows)
                    for (int i = box[b].lo[0]; i < box[b].hi[0]; i += 128) {
                        if (pass) {
                            const int step[3] = {128, rows, height};
                            struct an_box tile = {box[b].block, {i, j, k}, {0, 0, 0}};
                            for (int d = 0; d < 3; d++) {
                                int end = tile.lo[d] + step[d];
                                tile.hi[d] = end < box[b].hi[d] ? end : box[b].hi[d];
                            }
                            t->tile[n] = tile;
                        }
                        n++;
                    }
        if (!pass) {
            capacity = n;
            t->tile = malloc((size_t)(n ? n : 1) * sizeof *t->tile);
            AN_CHECK(t->tile && t->block && t->box, AN_FAIL, "out of memory for %d tiles", n);
        }
    }
    t->ntile = capacity;
    return AN_OK;
}

static void op_tiles_free(struct an_engine *e, struct an_tiles *t)
{
    (void)e;
    if (!t)
        return;
    free(t->block);
    free(t->tile);
    free(t->box);
    free(t);
}

/* Cuts the lines of block b along dir into bundles of `lanes`; adds them from out[0] on, unless
 * NULL. Returns their number. */
static int bundles(const struct an_block *block, int b, int dir, int lanes, struct bundle *out)
{
    const int fast = dir == 0 ? 1 : 0, slow = dir == 2 ? 1 : 2;
    int n = 0;
    for (int v = 0; v < block->n[slow]; v++)
        for (int u = 0; u < block->n[fast]; u += lanes, n++) {
            if (!out)
                continue;
            struct an_box *box = &out[n].box;
            const int end = u + lanes;
            out[n].dir = dir;
            box->block = b;
            box->lo[dir] = 0;
            box->hi[dir] = block->n[dir];
            box->lo[fast] = u;
            box->hi[fast] = end < block->n[fast] ? end : block->n[fast];
            box->lo[slow] = v;
            box->hi[slow] = v + 1;
        }
    return n;
}

static int op_lines_new(struct an_engine *e, const struct an_layout *l, const int *dir,
                        struct an_lines **out)
{
    const struct state *s = e->state;
    const int lanes = AN_LINE_BYTES / (int)e->precision;
    int longest = 0;
    struct an_lines *lines = calloc(1, sizeof *lines);
    AN_CHECK(lines, AN_FAIL, "out of memory for lines");
    *out = lines;
    for (int b = 0; b < l->nblock; b++)
        longest = dir[b] >= 0 && l->block[b].n[dir[b]] > longest ? l->block[b].n[dir[b]] : longest;
    for (int b = 0; b < l->nblock; b++)
        lines->n += dir[b] < 0 ? 0 : bundles(&l->block[b], b, dir[b], lanes, NULL);
    lines->cs = l->ncell;
    lines->block = duplicate(l->block, (size_t)l->nblock * sizeof *l->block);
    lines->threads = s->threads;
    lines->work = calloc((size_t)s->threads, sizeof *lines->work);
    lines->bundle = malloc(((size_t)lines->n + 1) * sizeof *lines->bundle);
    AN_CHECK(lines->block && lines->bundle && lines->work, AN_FAIL, "out of memory for lines");
    int n = 0;
    for (int b = 0; b < l->nblock; b++)
        n += dir[b] < 0 ? 0 : bundles(&l->block[b], b, dir[b], lanes, &lines->bundle[n]);
    AN_CHECK(scratch(s->threads, (size_t)longest * AN_LINE_WORK, lines->work) == AN_OK, AN_FAIL,
             "out of memory for the work of lines");
    return AN_OK;
}

static void op_lines_free(struct an_engine *e, struct an_lines *lines)
{
    (void)e;
    if (!lines)
        return;
    for (int t = 0; lines->work && t < lines->threads; t++)
        free(lines->work[t]);
    free(lines->work);
    free(lines->block);
    free(lines->bundle);
    free(lines);
}

static int op_faces_new(struct an_engine *e, const struct an_layout *l, int nwindow,
                        const struct an_face_window *window, int nboundary,
                        const struct an_bc_value *value, struct an_faces **out)
{
    (void)e;
    struct an_faces *f = calloc(1, sizeof *f);
    AN_CHECK(f, AN_FAIL, "out of memory for boundary faces");
    *out = f;
    f->block = duplicate(l->block, (size_t)l->nblock * sizeof *l->block);
    f->window = duplicate(window, (size_t)nwindow * sizeof *window);
    f->value = duplicate(value, (size_t)nboundary * sizeof *value);
    f->cs = l->ncell;
    f->nwindow = nwindow;
    f->nboundary = nboundary;
    AN_CHECK(f->block && f->window && f->value, AN_FAIL, "out of memory for boundary faces");
    return AN_OK;
}

static int op_faces_set(struct an_engine *e, struct an_faces *f, const struct an_bc_value *value)
{
    (void)e;
    memcpy(f->value, value, (size_t)f->nboundary * sizeof *value);
    return AN_OK;
}

static void op_faces_free(struct an_engine *e, struct an_faces *f)
{
    (void)e;
    if (!f)
        return;
    free(f->block);
    free(f->window);
    free(f->value);
    free(f);
}

static int op_copies_new(struct an_engine *e, int ncopy, const struct an_copy *copy, int nrotation,
                         const double (*rotation)[9], struct an_copies **out)
{
    (void)e;
    struct an_copies *c = calloc(1, sizeof *c);
    AN_CHECK(c, AN_FAIL, "out of memory for copies");
    *out = c;
    c->ncopy = ncopy;
    c->copy = duplicate(copy, (size_t)ncopy * sizeof *copy);
    c->rotation = duplicate(rotation, (size_t)nrotation * sizeof *rotation);
    AN_CHECK(c->copy && c->rotation, AN_FAIL, "out of memory for copies");
    return AN_OK;
}

static void op_copies_free(struct an_engine *e, struct an_copies *c)
{
    (void)e;
    if (!c)
        return;
    free(c->copy);
    free(c->rotation);
    free(c);
}

static void reduction_start(struct an_reduction *red)
{
    memset(red, 0, sizeof *red);
    red->min[0] = red->min[1] = INFINITY;
}

static void reduction_join(struct an_reduction *red, const struct an_reduction *one)
{
    for (int m = 0; m < AN_NSUM; m++)
        an_xsum_join(&red->sum[m], &one->sum[m]);
    for (int m = 0; m < AN_NMIN; m++)
        red->min[m] = one->min[m] < red->min[m] ? one->min[m] : red->min[m];
}

/* A directional stencil covers the upper faces of its boxes too: the last tile of a box in that
 * direction is one cell longer. */
static void widen(const struct an_tiles *t, const struct an_box *tile, int dir, int hi[3])
{
    memcpy(hi, tile->hi, 3 * sizeof *hi);
    for (int b = 0; b < t->nbox; b++) {
        const struct an_box *box = &t->box[b];
        int inside = box->block == tile->block && box->hi[dir] == tile->hi[dir];
        for (int d = 0; d < 3; d++)
            inside = inside && box->lo[d] <= tile->lo[d] && tile->hi[d] <= box->hi[d];
        if (inside) {
            hi[dir]++;
            return;
        }
    }
}

/* Bytes of scratch that a thread needs. */
static size_t buffer_of(const struct an_cpu_kernels *kernels)
{
    const struct an_cpu_kernels *const all[] = {kernels, kernels->stored};
    size_t most = 0;
    for (int n = 0; n < 2; n++) {
        if (!all[n])
            continue;
        most = all[n]->fused->buffer > most ? all[n]->fused->buffer : most;
        for (int s = 0; s < AN_NSTENCIL; s++)
            if (all[n]->planes[s] && all[n]->planes[s]->buffer > most)
                most = all[n]->planes[s]->buffer;
    }
    return most;
}

static int is_directional(const struct an_cpu_kernels *k, enum an_stencil s)
{
    return k->cell[s][0] != k->cell[s][1];
}

/* Have the planes of a stencil (cpu_planes.h) a form for these parameters? */
static int has_planes(const struct an_cpu_kernels *k, enum an_stencil s, const struct an_params *p)
{
    return k->planes[s] && an_planes_hold(s, p);
}

/* Those for the gas. */
static const struct an_cpu_kernels *kernels_for(const struct an_engine *e,
                                                const struct an_params *p)
{
    const struct state *s = e->state;
    return an_params_stored(p) ? s->kernels->stored : s->kernels;
}

static int run_cells(struct an_engine *e, enum an_stencil s, const struct an_tiles *t,
                     const struct an_tiles *other, const struct an_fields *f,
                     const struct an_params *p, struct an_reduction *red)
{
    const struct state *st = e->state;
    const struct an_cpu_kernels *kernels = kernels_for(e, p);
    const int ndir = is_directional(kernels, s) ? 3 : 1;
    const int planes = has_planes(kernels, s, p);
    struct an_reduction total;
    reduction_start(&total);
#pragma omp parallel num_threads(st->threads)
    {
        struct an_reduction mine;
        reduction_start(&mine);
        for (int dir = 0; dir < ndir; dir++) {
#pragma omp for schedule(static)
            for (int n = 0; n < t->ntile; n++) {
                const struct an_box *tile = &t->tile[n];
                int hi[3] = {tile->hi[0], tile->hi[1], tile->hi[2]};
                if (planes) {
                    kernels->planes[s]->run(st->buffer[omp_get_thread_num()],
                                            &t->block[tile->block], t->cs, tile->lo, hi, f, p);
                    continue;
                }
                if (ndir == 3)
                    widen(t, tile, dir, hi);
                kernels->cell[s][dir](&t->block[tile->block], t->cs,
                                      other ? &other->block[tile->block] : NULL,
                                      other ? other->cs : 0, tile->lo, hi, f, p, &mine);
            }
        }
#pragma omp critical(an_reduction)
        reduction_join(&total, &mine);
    }
    if (red)
        *red = total;
    return AN_OK;
}

static int op_run(struct an_engine *e, enum an_stencil s, const struct an_tiles *t,
                  const struct an_fields *f, const struct an_params *p, struct an_reduction *red,
                  int stream)
{
    (void)stream;
    return run_cells(e, s, t, NULL, f, p, red);
}

static int op_run_between(struct an_engine *e, enum an_stencil s, const struct an_tiles *t,
                          const struct an_tiles *other, const struct an_fields *f,
                          const struct an_params *p, int stream)
{
    (void)stream;
    return run_cells(e, s, t, other, f, p, NULL);
}

static int op_run_lines(struct an_engine *e, enum an_stencil s, const struct an_lines *lines,
                        const struct an_fields *f, const struct an_params *p, int stream)
{
    (void)stream;
    const struct state *st = e->state;
    struct an_fields used = *f;
    if (!p->flux.rotating) /* implicit_lines.inc */
        used.at[AN_F_G] = used.at[AN_F_S];
    const struct an_cpu_kernels *kernels = kernels_for(e, p);
#pragma omp parallel for schedule(dynamic) num_threads(st->threads) if (lines->n > 1)
    for (int n = 0; n < lines->n; n++) {
        const struct bundle *b = &lines->bundle[n];
        kernels->line[s][b->dir](&lines->block[b->box.block], lines->cs, b->box.lo, b->box.hi,
                                 &used, p, lines->work[omp_get_thread_num()]);
    }
    return AN_OK;
}

static int op_run_faces(struct an_engine *e, enum an_stencil s, enum an_scheme scheme,
                        const struct an_faces *faces, const struct an_fields *f,
                        const struct an_params *p, struct an_xsum *sum, int stream)
{
    (void)stream;
    const struct state *st = e->state;
    const struct an_cpu_kernels *kernels = kernels_for(e, p);
    struct an_xsum scratch[AN_NINTEGRAL];
    if (sum)
        memset(sum, 0, (size_t)faces->nboundary * AN_NINTEGRAL * sizeof *sum);
    if (sum) {
        for (int w = 0; w < faces->nwindow; w++) {
            const struct an_face_window *win = &faces->window[w];
            kernels->face[s](&faces->block[win->window.block], faces->cs, win,
                             &faces->value[win->boundary], scheme, f, p,
                             sum + (size_t)win->boundary * AN_NINTEGRAL);
        }
        return AN_OK;
    }
    memset(scratch, 0, sizeof scratch);
#pragma omp parallel for schedule(dynamic) num_threads(st->threads) firstprivate(scratch)
    for (int w = 0; w < faces->nwindow; w++) {
        const struct an_face_window *win = &faces->window[w];
        kernels->face[s](&faces->block[win->window.block], faces->cs, win,
                         &faces->value[win->boundary], scheme, f, p, scratch);
    }
    return AN_OK;
}

static int fused(struct an_engine *e, int scheme, int stage, const struct an_tiles *t,
                 const struct an_fields *f, const struct an_params *p)
{
    const struct state *st = e->state;
    const struct an_cpu_kernels *kernels = kernels_for(e, p);
#pragma omp parallel for schedule(static) num_threads(st->threads)
    for (int n = 0; n < t->ntile; n++) {
        const struct an_box *tile = &t->tile[n];
        kernels->fused->run(scheme, stage, st->buffer[omp_get_thread_num()], &t->block[tile->block],
                            t->cs, tile->lo, tile->hi, f, p);
    }
    return AN_OK;
}

static int op_residual(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                       const struct an_fields *f, const struct an_params *p, int stream)
{
    (void)stream;
    return fused(e, scheme, 0, t, f, p);
}

static int op_stage(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                    const struct an_fields *f, const struct an_params *p, int stream)
{
    (void)stream;
    return fused(e, scheme, 1, t, f, p);
}

static int op_copies(struct an_engine *e, const struct an_copies *c, void *dst,
                     int64_t dst_component, const void *src, int64_t src_component, int ncomp,
                     int vector, int stream)
{
    (void)stream;
    const struct state *st = e->state;
#pragma omp parallel for schedule(dynamic, 4) num_threads(st->threads)
    for (int n = 0; n < c->ncopy; n++) {
        const double *r = c->copy[n].rotation < 0 ? NULL : c->rotation[c->copy[n].rotation];
        st->kernels->copy(&c->copy[n], r, dst, dst_component, src, src_component, ncomp, vector);
    }
    return AN_OK;
}

static void op_destroy(struct an_engine *e)
{
    struct state *s = e->state;
    if (!s)
        return;
    for (int t = 0; s->buffer && t < s->threads; t++)
        free(s->buffer[t]);
    free(s->buffer);
    free(s);
    e->state = NULL;
}

static const struct an_engine_ops cpu_ops = {
    .destroy = op_destroy,
    .alloc = op_alloc,
    .free = op_free,
    .alloc_host = op_alloc,
    .free_host = op_free,
    .upload = op_move,
    .download = op_move,
    .copy = op_move,
    .sync = op_sync,
    .wait = op_wait,
    .tiles_new = op_tiles_new,
    .tiles_free = op_tiles_free,
    .lines_new = op_lines_new,
    .lines_free = op_lines_free,
    .faces_new = op_faces_new,
    .faces_set = op_faces_set,
    .faces_free = op_faces_free,
    .copies_new = op_copies_new,
    .copies_free = op_copies_free,
    .run = op_run,
    .run_between = op_run_between,
    .run_lines = op_run_lines,
    .run_faces = op_run_faces,
    .residual = op_residual,
    .stage = op_stage,
    .copies = op_copies,
};

#ifdef AN_CPU_HAS_baseline
#define BASELINE(kernels) &kernels
#else
#define BASELINE(kernels) NULL
#endif
#ifdef AN_CPU_HAS_avx2
#define AVX2(kernels) &kernels
#else
#define AVX2(kernels) NULL
#endif
#ifdef AN_CPU_HAS_avx512
#define AVX512(kernels) &kernels
#else
#define AVX512(kernels) NULL
#endif

/* Which columns of the table below this processor runs. Processors other than x86-64 have the
 * baseline only, which is what their compiler takes by itself (on aarch64: NEON). */
static void runs_here(int have[3])
{
    have[0] = 1;
    have[1] = have[2] = 0;
#ifdef __x86_64__
    __builtin_cpu_init();
    have[1] = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
              __builtin_cpu_supports("bmi2");
    have[2] = have[1] && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
              __builtin_cpu_supports("avx512vl");
#endif
}

/* Kernels of the instruction set asked for, or the best that this processor runs. AN_INPUT where they were not built,
 * AN_FAIL where this processor does not run them. */
static int choose(enum an_precision precision, const char *isa, const struct an_cpu_kernels **found)
{
    static const struct an_cpu_kernels *const table[2][3] = {
#ifdef AN_BUILT_32_0
        [0] = {BASELINE(an_cpu_f32_baseline), AVX2(an_cpu_f32_avx2), AVX512(an_cpu_f32_avx512)},
#endif
#ifdef AN_BUILT_64_0
        [1] = {BASELINE(an_cpu_f64_baseline), AVX2(an_cpu_f64_avx2), AVX512(an_cpu_f64_avx512)},
#endif
    };
    int have[3], built = 0;
    *found = NULL;
    runs_here(have);
    for (int level = 2; level >= 0; level--) {
        const struct an_cpu_kernels *k = table[precision == AN_DOUBLE][level];
        const int wanted = k && (!isa || !strcmp(isa, k->isa));
        built |= wanted;
        if (have[level] && wanted) {
            *found = k;
            return AN_OK;
        }
    }
    AN_CHECK(an_engine_has((int)precision * 8, 0), AN_INPUT,
             "this program was built without %s precision; " AN_BUILD_ALL " builds both",
             precision == AN_DOUBLE ? "double" : "single");
    AN_CHECK(
        built, AN_INPUT,
        "this program was built for the instruction set%s %s (AN_CPU_SETS of CMake), not for '%s'",
        strchr(an_engine_cpu_built(), ',') ? "s" : "", an_engine_cpu_built(), isa);
    AN_CHECK(!isa, AN_FAIL, "this processor does not run the instruction set %s", isa);
    return an_error_set(
        AN_FAIL,
        "this processor does not run the instruction set%s %s, for which this program was "
        "built; -DAN_CPU_SETS=native of CMake builds for this processor",
        strchr(an_engine_cpu_built(), ',') ? "s" : "", an_engine_cpu_built());
}

const char *an_engine_cpu_built(void)
{
    return 2 + ("" /* without the first comma */
#ifdef AN_CPU_HAS_baseline
                ", baseline"
#endif
#ifdef AN_CPU_HAS_avx2
                ", avx2"
#endif
#ifdef AN_CPU_HAS_avx512
                ", avx512"
#endif
               );
}

int an_engine_cpu_new(enum an_precision precision, int threads, const char *isa,
                      struct an_engine *e)
{
    memset(e, 0, sizeof *e);
    const struct an_cpu_kernels *kernels;
    AN_TRY(choose(precision, isa, &kernels));
    struct state *s = calloc(1, sizeof *s);
    AN_CHECK(s, AN_FAIL, "out of memory for the CPU engine");
    e->op = &cpu_ops;
    e->peer = &an_peer_host;
    e->precision = precision;
    e->state = s;
    s->kernels = kernels;
    s->threads = threads > 0 ? threads : omp_get_max_threads();
    s->buffer = calloc((size_t)s->threads, sizeof *s->buffer);
    const int failed = !s->buffer || scratch(s->threads, buffer_of(kernels), s->buffer);
    AN_CHECK(!failed, AN_FAIL, "out of memory for the CPU engine's scratch");
    snprintf(e->name, sizeof e->name, "cpu");
    e->threads = s->threads;
    snprintf(e->description, sizeof e->description, "%s, %d thread%s", kernels->isa, s->threads,
             s->threads == 1 ? "" : "s");
    return AN_OK;
}

#include "bench/bench_watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A list that the engine made, and how many cells, faces or elements it has. */
struct size {
    const void *list;
    double points;
};

static struct {
    const struct an_engine_ops *inner;
    const struct an_meter_ops *inner_meter;
    struct an_engine_ops op;
    struct an_meter_ops meter;
    struct size *size;
    int nsize, sizes;
    struct an_watched *list;
    int n, most;
    int on, mark;
    double since, seconds[AN_MARKS];
} watch;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- sizes of lists ---- */

static int keep_size(const void *list, double points)
{
    if (watch.nsize == watch.sizes) {
        const int more = 2 * watch.sizes + 64;
        void *grown = realloc(watch.size, (size_t)more * sizeof *watch.size);
        AN_CHECK(grown, AN_FAIL, "out of memory for the list of operations");
        watch.size = grown;
        watch.sizes = more;
    }
    watch.size[watch.nsize++] = (struct size){list, points};
    return AN_OK;
}

/* The newest of the lists at this address. */
static double size_of(const void *list)
{
    for (int n = watch.nsize; n > 0; n--)
        if (watch.size[n - 1].list == list)
            return watch.size[n - 1].points;
    return 0;
}

static int tiles_new(struct an_engine *e, const struct an_layout *l, int nbox,
                     const struct an_box *box, struct an_tiles **t)
{
    double cells = 0;
    for (int b = 0; b < nbox; b++)
        cells += (double)(box[b].hi[0] - box[b].lo[0]) * (box[b].hi[1] - box[b].lo[1]) *
                 (box[b].hi[2] - box[b].lo[2]);
    AN_TRY(watch.inner->tiles_new(e, l, nbox, box, t));
    return keep_size(*t, cells);
}

static int lines_new(struct an_engine *e, const struct an_layout *l, const int *dir,
                     struct an_lines **lines)
{
    double cells = 0;
    for (int b = 0; b < l->nblock; b++) {
        const int *n = l->block[b].n;
        cells += dir[b] < 0 ? 0 : (double)n[0] * n[1] * n[2];
    }
    AN_TRY(watch.inner->lines_new(e, l, dir, lines));
    return keep_size(*lines, cells);
}

static int faces_new(struct an_engine *e, const struct an_layout *l, int nwindow,
                     const struct an_face_window *window, int nboundary,
                     const struct an_bc_value *value, struct an_faces **f)
{
    double faces = 0;
    for (int w = 0; w < nwindow; w++)
        faces += (double)an_window_faces(&window[w].window);
    AN_TRY(watch.inner->faces_new(e, l, nwindow, window, nboundary, value, f));
    return keep_size(*f, faces);
}

static int copies_new(struct an_engine *e, int ncopy, const struct an_copy *copy, int nrotation,
                      const double (*rotation)[9], struct an_copies **c)
{
    double elements = 0;
    for (int n = 0; n < ncopy; n++)
        elements += (double)copy[n].n[0] * copy[n].n[1] * copy[n].n[2];
    AN_TRY(watch.inner->copies_new(e, ncopy, copy, nrotation, rotation, c));
    return keep_size(*c, elements);
}

/* ---- calls ---- */

/* Keeps a call that has taken its launches from `before` on. */
static int note(const struct an_engine *e, int64_t before, struct an_watched w)
{
    if (!watch.on)
        return AN_OK;
    if (watch.n == watch.most) {
        const int more = 2 * watch.most + 256;
        void *grown = realloc(watch.list, (size_t)more * sizeof *watch.list);
        AN_CHECK(grown, AN_FAIL, "out of memory for the list of operations");
        watch.list = grown;
        watch.most = more;
    }
    w.mark = watch.mark;
    w.points = w.kind == AN_WATCH_MOVE ? (double)w.bytes : size_of(w.list);
    if (w.kind == AN_WATCH_GHOSTS)
        w.points += w.copying.nfield * size_of(w.copying.list);
    w.other_points = w.other ? size_of(w.other) : 0;
    w.launches = e->launches - before;
    watch.list[watch.n++] = w;
    return AN_OK;
}
#define NOTE(kind_, ...) \
    note(e, before, (struct an_watched){.kind = (kind_), .fields = *f, .params = *p, __VA_ARGS__})

static int run(struct an_engine *e, enum an_stencil s, const struct an_tiles *t,
               const struct an_fields *f, const struct an_params *p, struct an_reduction *red,
               int stream)
{
    const int64_t before = e->launches;
    AN_TRY(watch.inner->run(e, s, t, f, p, red, stream));
    return NOTE(AN_WATCH_CELLS, .stencil = s, .list = t);
}

static int run_between(struct an_engine *e, enum an_stencil s, const struct an_tiles *t,
                       const struct an_tiles *other, const struct an_fields *f,
                       const struct an_params *p, int stream)
{
    const int64_t before = e->launches;
    AN_TRY(watch.inner->run_between(e, s, t, other, f, p, stream));
    return NOTE(AN_WATCH_BETWEEN, .stencil = s, .list = t, .other = other);
}

static int run_lines(struct an_engine *e, enum an_stencil s, const struct an_lines *lines,
                     const struct an_fields *f, const struct an_params *p, int stream)
{
    const int64_t before = e->launches;
    AN_TRY(watch.inner->run_lines(e, s, lines, f, p, stream));
    return NOTE(AN_WATCH_LINES, .stencil = s, .list = lines);
}

static int run_faces(struct an_engine *e, enum an_stencil s, enum an_scheme scheme,
                     const struct an_faces *faces, const struct an_fields *f,
                     const struct an_params *p, struct an_xsum *sum, int stream)
{
    const int64_t before = e->launches;
    AN_TRY(watch.inner->run_faces(e, s, scheme, faces, f, p, sum, stream));
    return NOTE(AN_WATCH_FACES, .stencil = s, .scheme = scheme, .list = faces);
}

static int residual(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                    const struct an_fields *f, const struct an_params *p, int stream)
{
    const int64_t before = e->launches;
    AN_TRY(watch.inner->residual(e, scheme, t, f, p, stream));
    return NOTE(AN_WATCH_RESIDUAL, .scheme = scheme, .list = t);
}

static int stage(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                 const struct an_fields *f, const struct an_params *p, int stream)
{
    const int64_t before = e->launches;
    AN_TRY(watch.inner->stage(e, scheme, t, f, p, stream));
    return NOTE(AN_WATCH_STAGE, .scheme = scheme, .list = t);
}

static int viscous(struct an_engine *e, int with_stage, const struct an_tiles *t,
                   const struct an_fields *f, const struct an_params *p, int stream)
{
    const int64_t before = e->launches;
    AN_TRY(watch.inner->viscous(e, with_stage, t, f, p, stream));
    return NOTE(AN_WATCH_VISCOUS, .stage = with_stage, .list = t);
}

static int rans(struct an_engine *e, enum an_scheme scheme, int with_stage,
                const struct an_tiles *t, const struct an_fields *f, const struct an_params *p,
                int stream)
{
    const int64_t before = e->launches;
    AN_TRY(watch.inner->rans(e, scheme, with_stage, t, f, p, stream));
    return NOTE(AN_WATCH_RANS, .scheme = scheme, .stage = with_stage, .list = t);
}

static int copies(struct an_engine *e, const struct an_copies *c, void *dst, int64_t dst_component,
                  const void *src, int64_t src_component, int ncomp, int vector, int stream)
{
    const int64_t before = e->launches;
    AN_TRY(
        watch.inner->copies(e, c, dst, dst_component, src, src_component, ncomp, vector, stream));
    return note(e, before,
                (struct an_watched){.kind = AN_WATCH_COPIES,
                                    .list = c,
                                    .to = dst,
                                    .from = src,
                                    .to_component = dst_component,
                                    .from_component = src_component,
                                    .ncomp = ncomp,
                                    .vector = vector});
}

static int ghosts(struct an_engine *e, const struct an_copying *c, enum an_stencil s,
                  enum an_scheme scheme, const struct an_faces *faces, const struct an_fields *f,
                  const struct an_params *p, int stream)
{
    const int64_t before = e->launches;
    AN_TRY(watch.inner->ghosts(e, c, s, scheme, faces, f, p, stream));
    return NOTE(AN_WATCH_GHOSTS, .stencil = s, .scheme = scheme, .list = faces, .copying = *c);
}

static int copy(struct an_engine *e, void *dst, const void *src, size_t bytes, int stream)
{
    const int64_t before = e->launches;
    AN_TRY(watch.inner->copy(e, dst, src, bytes, stream));
    return note(e, before,
                (struct an_watched){.kind = AN_WATCH_MOVE, .to = dst, .from = src, .bytes = bytes});
}

static int mark(struct an_engine *e, int what)
{
    const double t = now();
    watch.seconds[watch.mark] += t - watch.since;
    watch.since = t;
    watch.mark = what;
    const struct an_meter_ops *meter = watch.inner_meter;
    return meter && meter->mark ? meter->mark(e, what) : AN_OK;
}

/* ---- */

int an_watch_start(struct an_engine *e)
{
    AN_CHECK(!watch.inner, AN_FAIL, "an engine is watched already");
    memset(&watch, 0, sizeof watch);
    watch.inner = e->op;
    watch.inner_meter = e->meter;
    watch.op = *e->op;
    watch.op.tiles_new = tiles_new;
    watch.op.lines_new = lines_new;
    watch.op.faces_new = faces_new;
    watch.op.copies_new = copies_new;
    watch.op.run = run;
    watch.op.run_between = run_between;
    watch.op.run_lines = run_lines;
    watch.op.run_faces = run_faces;
    watch.op.residual = residual;
    watch.op.stage = stage;
    watch.op.viscous = e->op->viscous ? viscous : NULL;
    watch.op.rans = e->op->rans ? rans : NULL;
    watch.op.copies = copies;
    watch.op.ghosts = e->op->ghosts ? ghosts : NULL;
    watch.op.copy = copy;
    if (e->meter)
        watch.meter = *e->meter;
    watch.meter.mark = mark;
    e->op = &watch.op;
    e->meter = &watch.meter;
    return AN_OK;
}

void an_watch_stop(struct an_engine *e)
{
    if (!watch.inner)
        return;
    e->op = watch.inner;
    e->meter = watch.inner_meter;
    free(watch.size);
    free(watch.list);
    memset(&watch, 0, sizeof watch);
}

void an_watch_note(int on)
{
    const double t = now();
    if (on) {
        watch.n = watch.mark = 0;
        memset(watch.seconds, 0, sizeof watch.seconds);
    } else {
        watch.seconds[watch.mark] += t - watch.since;
    }
    watch.since = t;
    watch.on = on;
}

int an_watch_list(const struct an_watched **list)
{
    *list = watch.list;
    return watch.n;
}

void an_watch_times(double seconds[AN_MARKS])
{
    memcpy(seconds, watch.seconds, sizeof watch.seconds);
}

int an_watch_repeat(struct an_engine *e, const struct an_watched *w)
{
    const struct an_engine_ops *op = watch.inner;
    switch (w->kind) {
    case AN_WATCH_CELLS:
        return op->run(e, w->stencil, w->list, &w->fields, &w->params, NULL, 0);
    case AN_WATCH_BETWEEN:
        return op->run_between(e, w->stencil, w->list, w->other, &w->fields, &w->params, 0);
    case AN_WATCH_LINES:
        return op->run_lines(e, w->stencil, w->list, &w->fields, &w->params, 0);
    case AN_WATCH_FACES:
        return op->run_faces(e, w->stencil, w->scheme, w->list, &w->fields, &w->params, NULL, 0);
    case AN_WATCH_RESIDUAL:
        return op->residual(e, w->scheme, w->list, &w->fields, &w->params, 0);
    case AN_WATCH_STAGE:
        return op->stage(e, w->scheme, w->list, &w->fields, &w->params, 0);
    case AN_WATCH_VISCOUS:
        return op->viscous(e, w->stage, w->list, &w->fields, &w->params, 0);
    case AN_WATCH_RANS:
        return op->rans(e, w->scheme, w->stage, w->list, &w->fields, &w->params, 0);
    case AN_WATCH_GHOSTS:
        return op->ghosts(e, &w->copying, w->stencil, w->scheme, w->list, &w->fields, &w->params,
                          0);
    case AN_WATCH_COPIES:
        return op->copies(e, w->list, w->to, w->to_component, w->from, w->from_component, w->ncomp,
                          w->vector, 0);
    default:
        return op->copy(e, w->to, w->from, w->bytes, 0);
    }
}

int an_watch_same(const struct an_watched *a, const struct an_watched *b)
{
    return a->kind == b->kind && a->stencil == b->stencil && a->scheme == b->scheme &&
           a->stage == b->stage && a->ncomp == b->ncomp;
}

void an_watch_name(const struct an_watched *w, char *name, size_t size)
{
    static const char *const scheme[AN_NSCHEME] = {"JST", "Roe", "matrix", "KEP"};
    switch (w->kind) {
    case AN_WATCH_RESIDUAL:
        snprintf(name, size, "fused %s residual", scheme[w->scheme]);
        break;
    case AN_WATCH_STAGE:
        snprintf(name, size, "fused %s stage", scheme[w->scheme]);
        break;
    case AN_WATCH_VISCOUS:
        snprintf(name, size, "fused viscous %s", w->stage ? "stage" : "residual");
        break;
    case AN_WATCH_RANS:
        snprintf(name, size, "fused RANS %s %s", scheme[w->scheme],
                 w->stage ? "stage" : "residual");
        break;
    case AN_WATCH_COPIES:
        snprintf(name, size, "copies of %d", w->ncomp);
        break;
    case AN_WATCH_GHOSTS:
        snprintf(name, size, "%s and copies", an_stencil_name(w->stencil));
        break;
    case AN_WATCH_MOVE:
        snprintf(name, size, "memory copy");
        break;
    default:
        snprintf(name, size, "%s", an_stencil_name(w->stencil));
    }
}

/* The emulated CUDA engine: the CUDA engine's kernels and lists in host memory (emulated.h).
 *
 * A recording is a list of the operations with their arguments. */
#include "kernels/emulated/emulated_engine.h"
#include "kernels/base/numbers.h"
#include "kernels/engine/meter.h"
#include "kernels/engine/peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lists are cut as for a device of so many multiprocessors: small cases get several tiles in k. */
enum { MULTIPROCESSORS = 3 };

/* One operation. */
struct call {
    enum {
        COPY,
        RUN,
        RUN_BETWEEN,
        RUN_LINES,
        RUN_FACES,
        RESIDUAL,
        STAGE,
        VISCOUS,
        RANS,
        COPIES,
        GHOSTS
    } what;
    enum an_stencil stencil;
    enum an_scheme scheme;
    int dir; /* VISCOUS, RANS: stage */
    int ncomp, vector, stream;
    const struct an_tiles *tiles, *other;
    const struct an_lines *lines;
    const struct an_faces *faces;
    const struct an_copies *copies;
    struct an_fields fields;
    struct an_params params;
    void *dst;
    const void *src;
    size_t bytes;
    int64_t dst_component, src_component;
    struct an_copying copying;
};

struct an_recording {
    int n, capacity;
    struct call *call;
};

struct emulated_state {
    struct an_cuda_plan plan;       /* first */
    struct an_recording *recording; /* under way; NULL: none */
};

static struct emulated_state *state_of(const struct an_engine *e)
{
    return e->state;
}

static int needs_host(const struct an_engine *e, const char *what)
{
    AN_CHECK(!state_of(e)->recording, AN_FAIL, "%s cannot be recorded", what);
    return AN_OK;
}

static int perform(struct an_engine *e, const struct call *c)
{
    const struct an_fields *f = &c->fields;
    const struct an_params *p = &c->params;
    switch (c->what) {
    case COPY:
        memcpy(c->dst, c->src, c->bytes);
        return AN_OK;
    case RUN:
        return an_cuda_run(e, c->stencil, c->tiles, f, p, NULL, c->stream);
    case RUN_BETWEEN:
        return an_cuda_run_between(e, c->stencil, c->tiles, c->other, f, p, c->stream);
    case RUN_LINES:
        return an_cuda_run_lines(e, c->stencil, c->lines, f, p, c->stream);
    case RUN_FACES:
        return an_cuda_run_faces(e, c->stencil, c->scheme, c->faces, f, p, NULL, c->stream);
    case RESIDUAL:
        return an_cuda_residual(e, c->scheme, c->tiles, f, p, c->stream);
    case STAGE:
        return an_cuda_stage(e, c->scheme, c->tiles, f, p, c->stream);
    case VISCOUS:
        return an_cuda_viscous(e, c->dir, c->tiles, f, p, c->stream);
    case RANS:
        return an_cuda_rans(e, c->scheme, c->dir, c->tiles, f, p, c->stream);
    case GHOSTS:
        return an_cuda_ghosts(e, &c->copying, c->stencil, c->scheme, c->faces, f, p, c->stream);
    default:
        return an_cuda_copies(e, c->copies, c->dst, c->dst_component, c->src, c->src_component,
                              c->ncomp, c->vector, c->stream);
    }
}

/* Now, or into the recording. */
static int issue(struct an_engine *e, const struct call *c)
{
    struct an_recording *r = state_of(e)->recording;
    if (!r)
        return perform(e, c);
    if (r->n == r->capacity) {
        const int capacity = r->capacity ? 2 * r->capacity : 256;
        struct call *grown = realloc(r->call, (size_t)capacity * sizeof *grown);
        AN_CHECK(grown, AN_FAIL, "out of memory for a recording");
        r->call = grown;
        r->capacity = capacity;
    }
    r->call[r->n++] = *c;
    return AN_OK;
}

static int op_alloc(struct an_engine *e, size_t bytes, void **p)
{
    AN_TRY(needs_host(e, "taking memory"));
    *p = aligned_alloc(128, (bytes + 127) / 128 * 128);
    AN_CHECK(*p, AN_FAIL, "out of memory: %zu bytes", bytes);
    memset(*p, 0, bytes);
    return AN_OK;
}

static void op_free(struct an_engine *e, void *p)
{
    (void)e;
    free(p);
}

static int op_move(struct an_engine *e, void *dst, const void *src, size_t bytes, int stream)
{
    (void)stream;
    if (!bytes)
        return AN_OK;
    AN_TRY(needs_host(e, "a transfer from or to the host"));
    memcpy(dst, src, bytes);
    return AN_OK;
}

static int op_copy(struct an_engine *e, void *dst, const void *src, size_t bytes, int stream)
{
    const struct call c = {.what = COPY, .dst = dst, .src = src, .bytes = bytes, .stream = stream};
    return bytes ? issue(e, &c) : AN_OK;
}

static int op_sync(struct an_engine *e, int stream)
{
    (void)stream;
    return needs_host(e, "waiting for the device");
}

static int op_wait(struct an_engine *e, int stream, int on)
{
    (void)e, (void)stream, (void)on;
    return AN_OK;
}

static int op_run(struct an_engine *e, enum an_stencil s, const struct an_tiles *t,
                  const struct an_fields *f, const struct an_params *p, struct an_reduction *red,
                  int stream)
{
    if (red) {
        AN_TRY(needs_host(e, "a reduction"));
        return an_cuda_run(e, s, t, f, p, red, stream);
    }
    return issue(
        e,
        &(struct call){
            .what = RUN, .stencil = s, .tiles = t, .fields = *f, .params = *p, .stream = stream});
}

static int op_run_between(struct an_engine *e, enum an_stencil s, const struct an_tiles *t,
                          const struct an_tiles *other, const struct an_fields *f,
                          const struct an_params *p, int stream)
{
    return issue(e, &(struct call){.what = RUN_BETWEEN,
                                   .stencil = s,
                                   .tiles = t,
                                   .other = other,
                                   .fields = *f,
                                   .params = *p,
                                   .stream = stream});
}

static int op_run_lines(struct an_engine *e, enum an_stencil s, const struct an_lines *lines,
                        const struct an_fields *f, const struct an_params *p, int stream)
{
    return issue(e, &(struct call){.what = RUN_LINES,
                                   .stencil = s,
                                   .lines = lines,
                                   .fields = *f,
                                   .params = *p,
                                   .stream = stream});
}

static int op_run_faces(struct an_engine *e, enum an_stencil s, enum an_scheme scheme,
                        const struct an_faces *faces, const struct an_fields *f,
                        const struct an_params *p, struct an_xsum *sum, int stream)
{
    if (sum) {
        AN_TRY(needs_host(e, "a reduction"));
        return an_cuda_run_faces(e, s, scheme, faces, f, p, sum, stream);
    }
    return issue(e, &(struct call){.what = RUN_FACES,
                                   .stencil = s,
                                   .scheme = scheme,
                                   .faces = faces,
                                   .fields = *f,
                                   .params = *p,
                                   .stream = stream});
}

static int op_residual(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                       const struct an_fields *f, const struct an_params *p, int stream)
{
    return issue(e, &(struct call){.what = RESIDUAL,
                                   .scheme = scheme,
                                   .tiles = t,
                                   .fields = *f,
                                   .params = *p,
                                   .stream = stream});
}

static int op_stage(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                    const struct an_fields *f, const struct an_params *p, int stream)
{
    return issue(e, &(struct call){.what = STAGE,
                                   .scheme = scheme,
                                   .tiles = t,
                                   .fields = *f,
                                   .params = *p,
                                   .stream = stream});
}

static int op_viscous(struct an_engine *e, int stage, const struct an_tiles *t,
                      const struct an_fields *f, const struct an_params *p, int stream)
{
    return issue(e, &(struct call){.what = VISCOUS,
                                   .dir = stage,
                                   .tiles = t,
                                   .fields = *f,
                                   .params = *p,
                                   .stream = stream});
}

static int op_rans(struct an_engine *e, enum an_scheme scheme, int stage, const struct an_tiles *t,
                   const struct an_fields *f, const struct an_params *p, int stream)
{
    return issue(e, &(struct call){.what = RANS,
                                   .scheme = scheme,
                                   .dir = stage,
                                   .tiles = t,
                                   .fields = *f,
                                   .params = *p,
                                   .stream = stream});
}

static int op_copies(struct an_engine *e, const struct an_copies *copies, void *dst,
                     int64_t dst_component, const void *src, int64_t src_component, int ncomp,
                     int vector, int stream)
{
    return issue(e, &(struct call){.what = COPIES,
                                   .copies = copies,
                                   .dst = dst,
                                   .src = src,
                                   .dst_component = dst_component,
                                   .src_component = src_component,
                                   .ncomp = ncomp,
                                   .vector = vector,
                                   .stream = stream});
}

static int op_ghosts(struct an_engine *e, const struct an_copying *copying, enum an_stencil s,
                     enum an_scheme scheme, const struct an_faces *faces, const struct an_fields *f,
                     const struct an_params *p, int stream)
{
    return issue(e, &(struct call){.what = GHOSTS,
                                   .stencil = s,
                                   .scheme = scheme,
                                   .faces = faces,
                                   .copying = *copying,
                                   .fields = *f,
                                   .params = *p,
                                   .stream = stream});
}

static void op_recording_free(struct an_engine *e, struct an_recording *r)
{
    (void)e;
    if (r)
        free(r->call);
    free(r);
}

static int op_record_begin(struct an_engine *e)
{
    AN_TRY(needs_host(e, "a recording"));
    state_of(e)->recording = calloc(1, sizeof(struct an_recording));
    AN_CHECK(state_of(e)->recording, AN_FAIL, "out of memory for a recording");
    return AN_OK;
}

static int op_record_end(struct an_engine *e, struct an_recording **r)
{
    struct an_recording *made = state_of(e)->recording;
    state_of(e)->recording = NULL;
    if (r) {
        op_recording_free(e, *r);
        *r = made;
    } else {
        op_recording_free(e, made);
    }
    return AN_OK;
}

static int op_replay(struct an_engine *e, struct an_recording *r)
{
    const int64_t launches = e->launches;
    for (int n = 0; n < r->n; n++)
        AN_TRY(issue(e, &r->call[n]));
    e->launches = launches;
    return AN_OK;
}

static int op_set_runtime(struct an_engine *e, void *runtime, int sets,
                          const double (*value)[AN_NRUNTIME])
{
    AN_TRY(needs_host(e, "a new parameter"));
    for (int n = 0; n < sets * AN_NRUNTIME; n++)
        an_real_put(e->precision, runtime, n, value[n / AN_NRUNTIME][n % AN_NRUNTIME]);
    return AN_OK;
}

static void op_destroy(struct an_engine *e)
{
    if (e->state)
        an_cuda_plan_end(e);
    free(e->state);
    e->state = NULL;
}

static const struct an_engine_ops emulated_ops = {
    .destroy = op_destroy,
    .alloc = op_alloc,
    .free = op_free,
    .alloc_host = op_alloc,
    .free_host = op_free,
    .upload = op_move,
    .download = op_move,
    .copy = op_copy,
    .sync = op_sync,
    .wait = op_wait,
    .tiles_new = an_cuda_tiles_new,
    .tiles_free = an_cuda_tiles_free,
    .lines_new = an_cuda_lines_new,
    .lines_free = an_cuda_lines_free,
    .faces_new = an_cuda_faces_new,
    .faces_set = an_cuda_faces_set,
    .faces_free = an_cuda_faces_free,
    .copies_new = an_cuda_copies_new,
    .copies_free = an_cuda_copies_free,
    .run = op_run,
    .run_between = op_run_between,
    .run_lines = op_run_lines,
    .run_faces = op_run_faces,
    .residual = op_residual,
    .stage = op_stage,
    .viscous = op_viscous,
    .rans = op_rans,
    .in_one_pass = an_cuda_in_one_pass,
    .copies = op_copies,
    .ghosts = op_ghosts,
    .record_begin = op_record_begin,
    .record_end = op_record_end,
    .replay = op_replay,
    .recording_free = op_recording_free,
    .set_runtime = op_set_runtime,
};

static const struct an_meter_ops emulated_meter = {
    .defer = an_cuda_defer,
    .collect = an_cuda_collect,
    .choose_tiles = an_cuda_choose_tiles,
};

int an_engine_emulated_new(enum an_precision precision, struct an_engine *e)
{
    memset(e, 0, sizeof *e);
    struct emulated_state *state = calloc(1, sizeof *state);
    AN_CHECK(state, AN_FAIL, "out of memory for the emulated engine");
    e->op = &emulated_ops;
    e->peer = &an_peer_host;
    e->meter = &emulated_meter;
    e->precision = precision;
    e->state = state;
    snprintf(state->plan.device, sizeof state->plan.device, "emulated");
    snprintf(state->plan.driver, sizeof state->plan.driver, "none");
    snprintf(e->name, sizeof e->name, "emulated");
    snprintf(e->description, sizeof e->description, "CUDA kernels on the host, one fiber a thread");
    return an_cuda_plan_start(e, precision == AN_DOUBLE ? &an_emulated_f64 : &an_emulated_f32,
                              MULTIPROCESSORS);
}

/* The CUDA engine: memory, streams and the device; lists and launches are in cuda_plan.c.
 *
 * Device memory comes from cudaMalloc, page-locked host memory from cudaMallocHost. Stream 1 has
 * the higher priority, so that boundary shells and halos overtake the interior. A rank drives one
 * device; all calls come from one thread. */
#include "kernels/cuda/cuda_plan.h"
#include "kernels/cuda/cuda_runtime.cuh"
#include "kernels/engine/built.h"
#include "kernels/engine/meter.h"
#include "kernels/engine/peer.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace
{
struct mark {
    cudaEvent_t event;
    int mark; /* + AN_MARKS: waiting */
};

struct cuda_state {
    struct an_cuda_plan plan; /* first */
    cudaStream_t stream[3];
    cudaEvent_t reached[3]; /* recorded by `wait` */
    bool recording;
    bool times_waits, times_marks; /* waits: and marks */
    int npair, pairs;              /* in use, made */
    cudaEvent_t (*pair)[2];        /* around timed waits */
    int mark, nmark, marks;        /* what the main stream does; in use, made */
    struct mark *list;             /* of the recording */
};

struct cuda_state *state_of(const struct an_engine *e)
{
    return static_cast<struct cuda_state *>(e->state);
}

/* A stream does something else than running a kernel, or waits (struct an_cuda_queue). */
void no_kernel(struct cuda_state *s, int stream)
{
    if (stream < 2)
        s->plan.queue[stream].behind_kernel = 0;
}

/* What needs the host cannot be recorded. */
int needs_host(const struct an_engine *e, const char *what)
{
    AN_CHECK(!state_of(e)->recording, AN_FAIL, "%s cannot be recorded", what);
    return AN_OK;
}

int op_alloc(struct an_engine *e, size_t bytes, void **p)
{
    *p = nullptr;
    AN_TRY(needs_host(e, "taking memory"));
    const cudaError_t status = cudaMalloc(p, bytes ? bytes : 1);
    if (status == cudaErrorMemoryAllocation) {
        size_t left = 0, all = 0;
        (void)cudaGetLastError(); /* the device still works */
        AN_CUDA(cudaMemGetInfo(&left, &all));
        return an_error_set(AN_FAIL, "%s: %zu MiB do not fit: %zu of %zu MiB are free",
                            e->description, bytes >> 20, left >> 20, all >> 20);
    }
    AN_CUDA(status);
    AN_CUDA(cudaMemsetAsync(*p, 0, bytes, state_of(e)->stream[0]));
    AN_CUDA(cudaStreamSynchronize(state_of(e)->stream[0]));
    return AN_OK;
}

void op_free(struct an_engine *e, void *p)
{
    (void)e;
    (void)cudaFree(p); /* an error of earlier work: reported where that is waited for */
}

int op_alloc_host(struct an_engine *e, size_t bytes, void **p)
{
    *p = nullptr;
    AN_TRY(needs_host(e, "taking memory"));
    AN_CUDA(cudaMallocHost(p, bytes ? bytes : 1));
    memset(*p, 0, bytes);
    return AN_OK;
}

void op_free_host(struct an_engine *e, void *p)
{
    (void)e;
    if (p)
        (void)cudaFreeHost(p);
}

/* Asynchronous only when the host side is page-locked: otherwise the caller may reuse its memory.
 */
int page_locked(const void *host, bool *yes)
{
    struct cudaPointerAttributes attributes;
    AN_CUDA(cudaPointerGetAttributes(&attributes, host));
    *yes = attributes.type == cudaMemoryTypeHost;
    return AN_OK;
}

int move(struct an_engine *e, void *dst, const void *src, size_t bytes, int stream,
         const void *host, enum cudaMemcpyKind kind)
{
    if (!bytes)
        return AN_OK;
    if (host)
        AN_TRY(needs_host(e, "a transfer from or to the host"));
    no_kernel(state_of(e), stream);
    AN_CUDA(cudaMemcpyAsync(dst, src, bytes, kind, state_of(e)->stream[stream]));
    bool later = true;
    if (host)
        AN_TRY(page_locked(host, &later));
    if (!later)
        AN_CUDA(cudaStreamSynchronize(state_of(e)->stream[stream]));
    return AN_OK;
}

int op_upload(struct an_engine *e, void *dst, const void *src, size_t bytes, int stream)
{
    return move(e, dst, src, bytes, stream, src, cudaMemcpyHostToDevice);
}

int op_download(struct an_engine *e, void *dst, const void *src, size_t bytes, int stream)
{
    return move(e, dst, src, bytes, stream, dst, cudaMemcpyDeviceToHost);
}

int op_copy(struct an_engine *e, void *dst, const void *src, size_t bytes, int stream)
{
    return move(e, dst, src, bytes, stream, nullptr, cudaMemcpyDeviceToDevice);
}

int op_sync(struct an_engine *e, int stream)
{
    AN_TRY(needs_host(e, "waiting for the device"));
    AN_CUDA(cudaStreamSynchronize(state_of(e)->stream[stream]));
    return AN_OK;
}

int wait(struct cuda_state *s, int stream, int on)
{
    no_kernel(s, stream);
    AN_CUDA(cudaEventRecord(s->reached[on], s->stream[on]));
    AN_CUDA(cudaStreamWaitEvent(s->stream[stream], s->reached[on], 0));
    return AN_OK;
}

int wait_timed(struct an_engine *e, int stream, int on)
{
    struct cuda_state *s = state_of(e);
    if (s->npair == s->pairs) {
        const int more = 2 * s->pairs + 64;
        void *grown = realloc(s->pair, static_cast<size_t>(more) * sizeof *s->pair);
        AN_CHECK(grown, AN_FAIL, "out of memory for timings");
        s->pair = static_cast<cudaEvent_t(*)[2]>(grown);
        for (; s->pairs < more; s->pairs++)
            for (int n = 0; n < 2; n++)
                AN_CUDA(cudaEventCreate(&s->pair[s->pairs][n]));
    }
    cudaEvent_t *const around = s->pair[s->npair++];
    AN_CUDA(cudaEventRecord(around[0], s->stream[stream]));
    AN_TRY(wait(s, stream, on));
    AN_CUDA(cudaEventRecord(around[1], s->stream[stream]));
    return AN_OK;
}

/* The recording notes the time: what comes is `mark`. */
int note(struct an_engine *e, int mark)
{
    struct cuda_state *s = state_of(e);
    if (s->nmark == s->marks) {
        const int more = 2 * s->marks + 256;
        void *grown = realloc(s->list, static_cast<size_t>(more) * sizeof *s->list);
        AN_CHECK(grown, AN_FAIL, "out of memory for timings");
        s->list = static_cast<struct mark *>(grown);
        for (; s->marks < more; s->marks++)
            AN_CUDA(cudaEventCreate(&s->list[s->marks].event));
    }
    struct mark *const m = &s->list[s->nmark++];
    m->mark = mark;
    no_kernel(s, 0);
    AN_CUDA(cudaEventRecordWithFlags(m->event, s->stream[0], cudaEventRecordExternal));
    return AN_OK;
}

int wait_noted(struct an_engine *e, int stream, int on)
{
    struct cuda_state *s = state_of(e);
    AN_TRY(note(e, s->mark + AN_MARKS));
    AN_TRY(wait(s, stream, on));
    return note(e, s->mark);
}

int op_wait(struct an_engine *e, int stream, int on)
{
    struct cuda_state *s = state_of(e);
    if (s->times_waits && s->recording && stream == 0 && on == 1)
        return wait_noted(e, stream, on);
    return s->times_waits && !s->recording && on == 1 ? wait_timed(e, stream, on)
                                                      : wait(s, stream, on);
}

/* A recording is a CUDA graph, captured from both streams: the halo stream forks from the main
 * stream first and joins it last. */
cudaGraphExec_t graph_of(struct an_recording *r)
{
    return reinterpret_cast<cudaGraphExec_t>(r);
}

int op_record_begin(struct an_engine *e)
{
    struct cuda_state *s = state_of(e);
    no_kernel(s, 0);
    no_kernel(s, 1);
    AN_CUDA(cudaStreamBeginCapture(s->stream[0], cudaStreamCaptureModeThreadLocal));
    s->recording = true;
    if (s->times_marks)
        AN_TRY(note(e, s->mark));
    return op_wait(e, 1, 0);
}

/* The recording becomes an executable graph; one of the same shape takes its parameters over. */
int keep_graph(cudaGraph_t graph, struct an_recording **r)
{
    cudaGraphExecUpdateResultInfo changed;
    if (*r && cudaGraphExecUpdate(graph_of(*r), graph, &changed) == cudaSuccess)
        return AN_OK;
    (void)cudaGetLastError(); /* another shape */
    if (*r)
        AN_CUDA(cudaGraphExecDestroy(graph_of(*r)));
    *r = nullptr;
    cudaGraphExec_t exec;
    AN_CUDA(cudaGraphInstantiate(&exec, graph, 0));
    *r = reinterpret_cast<struct an_recording *>(exec);
    return AN_OK;
}

int op_record_end(struct an_engine *e, struct an_recording **r)
{
    struct cuda_state *s = state_of(e);
    int joined = op_wait(e, 0, 1);
    if (s->times_marks && !s->times_waits && joined == AN_OK)
        joined = note(e, s->mark); /* the last mark ends here */
    cudaGraph_t graph = nullptr;
    s->recording = false;
    no_kernel(s, 0);
    no_kernel(s, 1);
    const cudaError_t ended = cudaStreamEndCapture(s->stream[0], &graph);
    if (!r || ended != cudaSuccess)
        (void)cudaGetLastError();
    int status = AN_OK;
    if (r) {
        status = joined;
        if (ended != cudaSuccess)
            status = an_error_set(AN_FAIL, "CUDA: recording: %s", cudaGetErrorString(ended));
        if (status == AN_OK)
            status = keep_graph(graph, r);
    }
    if (graph)
        (void)cudaGraphDestroy(graph);
    return status;
}

int op_replay(struct an_engine *e, struct an_recording *r)
{
    no_kernel(state_of(e), 0);
    AN_CUDA(cudaGraphLaunch(graph_of(r), state_of(e)->stream[0]));
    return AN_OK;
}

void op_recording_free(struct an_engine *e, struct an_recording *r)
{
    (void)e;
    if (r)
        (void)cudaGraphExecDestroy(graph_of(r));
}

/* Numbers that travel with the launch: a transfer from the host's memory would wait for the stream. */
struct runtime_values {
    double value[AN_MOST_RUNTIME * AN_NRUNTIME];
};

template <class T> __global__ void runtime_kernel(T *to, const struct runtime_values from, int n)
{
    const int m = static_cast<int>(threadIdx.x);
    if (m < n)
        to[m] = static_cast<T>(from.value[m]);
}

int op_set_runtime(struct an_engine *e, void *runtime, int sets, const double (*value)[AN_NRUNTIME])
{
    struct cuda_state *s = state_of(e);
    struct runtime_values from = {};
    const int n = sets * AN_NRUNTIME;
    AN_TRY(needs_host(e, "a new parameter"));
    memcpy(from.value, value, static_cast<size_t>(n) * sizeof from.value[0]);
    no_kernel(s, 0);
    if (e->precision == AN_SINGLE)
        runtime_kernel<<<1, 32, 0, s->stream[0]>>>(static_cast<float *>(runtime), from, n);
    else
        runtime_kernel<<<1, 32, 0, s->stream[0]>>>(static_cast<double *>(runtime), from, n);
    AN_CUDA(cudaPeekAtLastError());
    return AN_OK;
}

void op_destroy(struct an_engine *e)
{
    struct cuda_state *s = state_of(e);
    if (!s)
        return;
    an_cuda_plan_end(e);
    for (int n = 0; n < 3; n++) {
        if (s->reached[n])
            (void)cudaEventDestroy(s->reached[n]);
        if (s->stream[n])
            (void)cudaStreamDestroy(s->stream[n]);
    }
    for (int n = 0; n < s->pairs; n++) {
        (void)cudaEventDestroy(s->pair[n][0]);
        (void)cudaEventDestroy(s->pair[n][1]);
    }
    for (int n = 0; n < s->marks; n++)
        (void)cudaEventDestroy(s->list[n].event);
    free(s->list);
    free(s->pair);
    free(s);
    e->state = nullptr;
}

__global__ void probe()
{
}

/* Fails where the program has no kernels that this card can run. */
int has_kernels(const struct cudaDeviceProp *card, int device)
{
    cudaFuncAttributes a;
    const cudaError_t status = cudaFuncGetAttributes(&a, probe);
    if (status == cudaSuccess)
        return AN_OK;
    (void)cudaGetLastError();
    return an_error_set(AN_FAIL,
                        "CUDA device %d, %.120s, has compute capability %d.%d; the kernels of this "
                        "program were built for %s (CMAKE_CUDA_ARCHITECTURES) and cannot run on "
                        "it: %s",
                        device, card->name, card->major, card->minor, AN_CUDA_BUILT,
                        cudaGetErrorString(status));
}

/* Can kernels start before those before them are done? Recorded ones need edges of graphs that CUDA has
 * from 12.3 on. A kernel built for an older architecture does not wait (AN_AWAIT_EARLIER). */
int find_early_start(const struct cudaDeviceProp *card, int *yes)
{
    cudaFuncAttributes a;
    int driver = 0;
    AN_CUDA(cudaFuncGetAttributes(&a, probe));
    AN_CUDA(cudaDriverGetVersion(&driver));
    *yes = CUDART_VERSION >= 12030 && driver >= 12030 && card->major >= 9 && a.ptxVersion >= 90;
    return AN_OK;
}

/* The driver's own number: "580.159.04". */
void driver_version(char *version, size_t size)
{
    FILE *in = fopen("/sys/module/nvidia/version", "r");
    char line[64] = "unknown";
    if (in && fgets(line, sizeof line, in))
        line[strcspn(line, "\n")] = '\0';
    if (in)
        fclose(in);
    snprintf(version, size, "%s", line);
}

const struct an_engine_ops cuda_ops = {
    op_destroy,
    op_alloc,
    op_free,
    op_alloc_host,
    op_free_host,
    op_upload,
    op_download,
    op_copy,
    op_sync,
    op_wait,
    an_cuda_tiles_new,
    an_cuda_tiles_free,
    an_cuda_lines_new,
    an_cuda_lines_free,
    an_cuda_faces_new,
    an_cuda_faces_set,
    an_cuda_faces_free,
    an_cuda_copies_new,
    an_cuda_copies_free,
    an_cuda_run,
    an_cuda_run_between,
    an_cuda_run_lines,
    an_cuda_run_faces,
    an_cuda_residual,
    an_cuda_stage,
    an_cuda_viscous,
    an_cuda_rans,
    an_cuda_in_one_pass,
    an_cuda_copies,
    an_cuda_ghosts,
    op_record_begin,
    op_record_end,
    op_replay,
    op_recording_free,
    op_set_runtime,
};
int op_room(const struct an_engine *e, int64_t *left, int64_t *all)
{
    size_t free_bytes = 0, bytes = 0;
    (void)e;
    AN_CUDA(cudaMemGetInfo(&free_bytes, &bytes));
    *left = static_cast<int64_t>(free_bytes);
    *all = static_cast<int64_t>(bytes);
    return AN_OK;
}

void op_time_waits(struct an_engine *e, int on)
{
    state_of(e)->times_waits = on == AN_TIME_WAITS;
    state_of(e)->times_marks = on != 0;
}

int op_waited(struct an_engine *e, double *seconds)
{
    *seconds = -1;
    if (!state_of(e)->times_waits)
        return AN_OK;
    struct cuda_state *s = state_of(e);
    AN_TRY(op_sync(e, 0));
    *seconds = 0;
    for (int n = 0; n < s->npair; n++) {
        float ms = 0;
        AN_CUDA(cudaEventElapsedTime(&ms, s->pair[n][0], s->pair[n][1]));
        *seconds += 1e-3 * static_cast<double>(ms);
    }
    s->npair = 0;
    return AN_OK;
}

int op_mark(struct an_engine *e, int mark)
{
    if (!state_of(e)->times_marks)
        return AN_OK;
    if (mark == AN_MARK_ANEW) {
        state_of(e)->nmark = 0;
        return AN_OK;
    }
    state_of(e)->mark = mark;
    return state_of(e)->recording ? note(e, mark) : AN_OK;
}

int op_marked(struct an_engine *e, double seconds[AN_MARKS], double waited[AN_MARKS])
{
    memset(seconds, 0, AN_MARKS * sizeof *seconds);
    memset(waited, 0, AN_MARKS * sizeof *waited);
    if (state_of(e)->nmark == 0)
        return AN_STOPPED;
    const struct cuda_state *s = state_of(e);
    AN_TRY(op_sync(e, 0));
    for (int n = 0; n + 1 < s->nmark; n++) {
        float ms = 0;
        const int mark = s->list[n].mark;
        AN_CUDA(cudaEventElapsedTime(&ms, s->list[n].event, s->list[n + 1].event));
        seconds[mark % AN_MARKS] += 1e-3 * static_cast<double>(ms);
        if (mark >= AN_MARKS)
            waited[mark % AN_MARKS] += 1e-3 * static_cast<double>(ms);
    }
    return AN_OK;
}

const struct an_meter_ops cuda_meter = {
    op_room,   op_time_waits, op_waited,       op_mark,
    op_marked, an_cuda_defer, an_cuda_collect, an_cuda_choose_tiles,
};
} // namespace

int an_engine_cuda_count(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    return count;
}

void an_engine_cuda_wake(int device)
{
    (void)cudaSetDevice(device);
    (void)cudaGetLastError();
}

const char *an_engine_cuda_built(void)
{
    return AN_CUDA_BUILT;
}

int an_engine_cuda_new(enum an_precision precision, int device, struct an_engine *e)
{
    memset(e, 0, sizeof *e);
    int count = 0;
    AN_CUDA(cudaGetDeviceCount(&count));
    AN_CHECK(device >= 0 && device < count, AN_FAIL, "there is no CUDA device %d: %d on this node",
             device, count);
    struct cudaDeviceProp card;
    AN_CUDA(cudaGetDeviceProperties(&card, device));
    AN_CUDA(cudaSetDevice(device));
    AN_TRY(has_kernels(&card, device));
    AN_CUDA(cudaDeviceGetPCIBusId(e->bus, sizeof e->bus, device));
    struct cuda_state *s = static_cast<struct cuda_state *>(calloc(1, sizeof *s));
    AN_CHECK(s, AN_FAIL, "out of memory for the CUDA engine");
    e->op = &cuda_ops;
    e->peer = &an_peer_cuda;
    e->meter = &cuda_meter;
    e->precision = precision;
    e->device_memory = 1;
    e->state = s;
    snprintf(s->plan.device, sizeof s->plan.device, "%.120s", card.name);
    s->plan.card = {card.multiProcessorCount,
                    static_cast<int>(card.sharedMemPerBlockOptin),
                    static_cast<int>(card.sharedMemPerMultiprocessor),
                    static_cast<int>(card.reservedSharedMemPerBlock),
                    card.regsPerMultiprocessor,
                    card.maxThreadsPerMultiProcessor,
                    card.maxBlocksPerMultiProcessor};
    driver_version(s->plan.driver, sizeof s->plan.driver);
    snprintf(e->name, sizeof e->name, "cuda");
    snprintf(e->description, sizeof e->description,
             "%.180s, device %d, %d multiprocessors, %zu GiB", card.name, device,
             card.multiProcessorCount, card.totalGlobalMem >> 30);
    int least = 0, greatest = 0;
    AN_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    AN_CUDA(cudaStreamCreateWithPriority(&s->stream[0], cudaStreamNonBlocking, least));
    AN_CUDA(cudaStreamCreateWithPriority(&s->stream[1], cudaStreamNonBlocking, greatest));
    AN_CUDA(cudaStreamCreateWithPriority(&s->stream[2], cudaStreamNonBlocking, least));
    int starts_early;
    AN_TRY(find_early_start(&card, &starts_early));
    for (int n = 0; n < 3; n++) {
        AN_CUDA(cudaEventCreateWithFlags(&s->reached[n], cudaEventDisableTiming));
        if (n == 2)
            continue;
        s->plan.queue[n].stream = s->stream[n];
        s->plan.queue[n].starts_early = starts_early;
    }
    return an_cuda_plan_start(e, precision == AN_DOUBLE ? &an_cuda_f64 : &an_cuda_f32,
                              card.multiProcessorCount);
}

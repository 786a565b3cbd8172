/* The ceilings: copies and arithmetic. */
#include "bench/bench_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct copy_work {
    struct an_bench *b;
    void *to, *from;
    size_t bytes;
    enum an_bench_copy how;
    int threads;
    enum an_bench_arithmetic what;
    double operations;
};

static int copy_once(void *context)
{
    const struct copy_work *w = context;
    struct an_engine *e = &w->b->engine;
    if (!w->b->cuda) {
        an_bench_cpu_copy(w->how, w->b->isa, w->threads, w->to, w->from, w->bytes);
        return AN_OK;
    }
    if (w->how == AN_COPY_LIBRARY)
        return e->op->copy(e, w->to, w->from, w->bytes, 0);
    return an_bench_cuda_copy(e, w->to, w->from, w->bytes);
}

static int compute_once(void *context)
{
    struct copy_work *w = context;
    if (w->b->cuda)
        return an_bench_cuda_fma(&w->b->engine, &w->operations);
    w->operations = an_bench_cpu_arithmetic(w->what, w->b->isa, w->threads, w->b->engine.precision);
    return AN_OK;
}

/* Two arrays; `from` holds the bytes 0, 1, ..., 250, 0, ... */
static int copy_arrays(struct copy_work *w, size_t bytes)
{
    struct an_engine *e = &w->b->engine;
    enum { PIECE = 251 * 4096 };
    static char piece[PIECE];
    for (int n = 0; n < PIECE; n++)
        piece[n] = (char)(n % 251);
    w->bytes = bytes;
    AN_TRY(e->op->alloc(e, bytes, &w->to));
    AN_TRY(e->op->alloc(e, bytes, &w->from));
    size_t filled = bytes < PIECE ? bytes : PIECE;
    AN_TRY(e->op->upload(e, w->from, piece, filled, 0));
    while (filled < bytes) { /* doubled; the pattern goes on, as pieces are whole periods of it */
        const size_t next = filled < bytes - filled ? filled : bytes - filled;
        AN_TRY(e->op->copy(e, (char *)w->from + filled, w->from, next, 0));
        filled += next;
    }
    return e->op->sync(e, 0);
}

/* Is the end, the middle and the beginning of the copy right? */
static int copy_is_right(const struct copy_work *w, int *right)
{
    struct an_engine *e = &w->b->engine;
    enum { PIECE = 8192 };
    char piece[PIECE];
    const size_t size = w->bytes < PIECE ? w->bytes : PIECE;
    const size_t at[3] = {0, (w->bytes - size) / 2, w->bytes - size};
    *right = 1;
    for (int n = 0; n < 3; n++) {
        AN_TRY(e->op->download(e, piece, (const char *)w->to + at[n], size, 0));
        AN_TRY(e->op->sync(e, 0));
        for (size_t k = 0; k < size; k++)
            *right &= piece[k] == (char)((at[n] + k) % 251);
    }
    return AN_OK;
}

static void copy_free(struct copy_work *w)
{
    struct an_engine *e = &w->b->engine;
    e->op->free(e, w->to);
    e->op->free(e, w->from);
    w->to = w->from = NULL;
}

static int copy_rate(struct copy_work *w, double *rate, double *spread)
{
    struct an_bench_row row;
    AN_TRY(an_bench_time(w->b, NULL, copy_once, w, &row));
    *rate = 2 * (double)w->bytes / row.seconds;
    *spread = row.spread;
    return AN_OK;
}

static int compute_rate(struct copy_work *w, double *rate)
{
    struct an_bench_row row;
    AN_TRY(an_bench_time(w->b, NULL, compute_once, w, &row));
    *rate = w->operations / row.seconds;
    return AN_OK;
}

/* Clocks rise under load: so many seconds of it, not measured. */
static int warm_up(struct copy_work *w, double seconds)
{
    struct an_bench_row row = {.seconds = 0};
    struct timespec from, now;
    clock_gettime(CLOCK_MONOTONIC, &from);
    do {
        AN_TRY(an_bench_time(w->b, NULL, copy_once, w, &row));
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((double)(now.tv_sec - from.tv_sec) + 1e-9 * (double)(now.tv_nsec - from.tv_nsec) <
             seconds);
    return AN_OK;
}

int an_bench_ceilings(struct an_bench *b, size_t bytes)
{
    struct copy_work w = {.b = b, .threads = b->engine.threads};
    struct an_ceilings *c = &b->ceiling;
    double spread;
    int status = copy_arrays(&w, bytes);
    w.how = AN_COPY_LIBRARY;
    if (!status && b->cuda)
        status = warm_up(&w, 0.3);
    if (!status)
        status = copy_rate(&w, &c->memory, &spread);
    w.how = AN_COPY_STREAMING;
    if (!status)
        status = copy_rate(&w, &c->kernel, &spread);
    copy_free(&w);
    AN_TRY(status);
    c->copy = fmax(c->memory, c->kernel);
    w.what = AN_ARITHMETIC_FMA;
    AN_TRY(compute_rate(&w, &c->fma));
    c->plain = c->fma;
    c->divide = c->root = INFINITY;
    if (b->cuda)
        return an_bench_cuda_issue(b->engine.precision, &c->issue);
    w.what = AN_ARITHMETIC_PLAIN;
    AN_TRY(compute_rate(&w, &c->plain));
    c->issue = c->plain;
    w.what = AN_ARITHMETIC_DIVIDE;
    AN_TRY(compute_rate(&w, &c->divide));
    w.what = AN_ARITHMETIC_ROOT;
    return compute_rate(&w, &c->root);
}

/* Copies of a size with so many threads, in each way. */
static int copy_line(struct an_bench *b, size_t bytes, int threads, json_t *list)
{
    static const char *const name[2][AN_NCOPY] = {
        {"memcpy", "streaming stores", "plain loop"},
        {"device to device", "kernel, 16 bytes a thread"}};
    struct copy_work w = {.b = b, .threads = threads};
    int status = copy_arrays(&w, bytes);
    for (int how = 0; !status && how < (b->cuda ? 2 : AN_NCOPY); how++) {
        double rate = 0, spread = 0;
        int right = 0;
        w.how = (enum an_bench_copy)how;
        status = copy_rate(&w, &rate, &spread);
        if (!status)
            status = copy_is_right(&w, &right);
        if (status)
            break;
        json_t *line = json_pack("{s:s, s:I, s:i, s:f, s:f, s:b}", "name", name[b->cuda][how],
                                 "bytes", (json_int_t)bytes, "threads", threads, "bytes_per_second",
                                 rate, "spread", spread, "right", right);
        json_array_append_new(list, line);
        b->failed += !right;
        printf("  %-28s %8.0f MiB", name[b->cuda][how], (double)bytes / 1048576);
        if (!b->cuda)
            printf("  %3d thread%s", threads, threads == 1 ? " " : "s");
        printf("  %8.1f GB/s  +- %.1f %%%s\n", 1e-9 * rate, 50 * spread, right ? "" : "  WRONG");
        fflush(stdout);
    }
    copy_free(&w);
    return status;
}

static int arithmetic_line(struct an_bench *b, enum an_bench_arithmetic what, int threads,
                           json_t *list)
{
    static const char *const name[AN_NARITHMETIC] = {"multiply-add", "multiply, add", "divide",
                                                     "square root"};
    struct copy_work w = {.b = b, .threads = threads, .what = what};
    double rate = 0;
    AN_TRY(compute_rate(&w, &rate));
    json_array_append_new(list, json_pack("{s:s, s:i, s:f}", "name", name[what], "threads", threads,
                                          "operations_per_second", rate));
    printf("  %-28s", name[what]);
    if (!b->cuda)
        printf(" %3d thread%s", threads, threads == 1 ? " " : "s");
    printf("  %10.2f G/s%s\n", 1e-9 * rate, what == AN_ARITHMETIC_FMA ? " (two each)" : "");
    return AN_OK;
}

int an_bench_copies(struct an_bench *b, json_t *table)
{
    const size_t one = (size_t)1 << 20;
    const size_t cuda[] = {64 * one, 512 * one, 1024 * one, 4096 * one};
    const size_t cpu[] = {one / 4, 256 * one};
    const size_t given[] = {(size_t)b->o->n * (size_t)b->o->n * (size_t)b->o->n *
                            (size_t)b->engine.precision};
    const size_t *size = b->o->n ? given : b->cuda ? cuda : cpu;
    const int sizes = b->o->n ? 1 : b->cuda ? 4 : 2, most = b->engine.threads;
    json_t *copies = json_array(), *arithmetic = json_array();
    json_object_set_new(table, "copies", copies);
    json_object_set_new(table, "arithmetic", arithmetic);
    for (int s = 0; s < sizes; s++) {
        if (most > 1)
            AN_TRY(copy_line(b, size[s], 1, copies));
        AN_TRY(copy_line(b, size[s], most, copies));
    }
    for (int what = 0; what < (b->cuda ? 1 : AN_NARITHMETIC); what++) {
        if (most > 1)
            AN_TRY(arithmetic_line(b, (enum an_bench_arithmetic)what, 1, arithmetic));
        AN_TRY(arithmetic_line(b, (enum an_bench_arithmetic)what, most, arithmetic));
    }
    return AN_OK;
}

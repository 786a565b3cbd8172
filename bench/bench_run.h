/* What the parts of the benchmark share: the device, its ceilings, timing, rows of a table. */
#ifndef AN_BENCH_RUN_H
#define AN_BENCH_RUN_H

#include "bench/bench.h"

#include <jansson.h>

AN_EXTERN_C_BEGIN

/* Rates measured in this run. On a CPU `fma` is what contracted multiply-adds could do; `plain` is
 * the rate of multiplications and additions one by one, which is how the engine computes (the same
 * bits everywhere); on a GPU, where the point physics name their multiply-adds, both are the same.
 */
struct an_ceilings {
    double copy;   /* B/s, read and written: the best way to copy of this run */
    double memory; /* B/s: the library's copy (memcpy, device to device) */
    double kernel; /* B/s: a kernel that copies; on a CPU with streaming stores */
    double fma;    /* operations/s, a multiply-add counts two */
    double issue;  /* floating-point instructions/s that no kernel can exceed */
    double plain;  /* operations/s */
    double divide; /* 1/s */
    double root;   /* square roots/s */
};

/* How many operations of each kind a cell costs. */
struct an_operations {
    double add, multiply, divide, root, power; /* power: pow, exp and the like */
    double compare;                            /* minima, maxima, comparisons: not in `flops` */
};

enum { AN_BENCH_NAME = 64 };

struct an_bench_row {
    char name[AN_BENCH_NAME];
    char kind[16];           /* cell, face, line ...: what a point is */
    char remark[48];         /* behind the row; may be empty */
    char note[160];          /* source, shape, ...; may be empty */
    double points;           /* of one launch */
    struct an_operations op; /* per point; all -1: not counted */
    double words_read, words_written;
    double bytes;       /* compulsory, per point */
    double model_bytes; /* predicted by the design's own model, per point; 0: none */
    double
        instructions; /* floating-point ones that a kernel must issue per point, a fused multiply-add being one;
                            0: as many as the operations allow (an_bench_instructions) */
    double seconds, spread, fastest; /* median of a launch; (3rd - 1st quartile) / median; the
                                        fastest of the samples */
    double error; /* against the reference, of the field's scale; NaN: not compared */
    double tolerance;
    int registers, spill, shared, resident; /* bytes; blocks of a multiprocessor; -1: unknown */
};

/* One device and one precision. */
struct an_bench {
    const struct an_bench_options *o;
    struct an_engine engine;
    struct an_ceilings ceiling;
    json_t *rows; /* of the table under way */
    int failed;   /* rows whose result is wrong */
    int cuda;
    char isa[16]; /* of a CPU engine */
};

/* Fewest floating-point instructions per point: those of the row, or else one for each operation, and on a GPU one
 * for two operations, as if all were halves of fused multiply-adds. */
double an_bench_instructions(const struct an_bench *b, const struct an_bench_row *row);
/* Seconds of a launch that the row's kernel cannot fall below, the largest of
 *     bytes / copy,   instructions / issue,   divisions / divide,   roots / root
 * times points. Waits that a design cannot avoid are no part of it: other work may hide them. Only the first term
 * rests on a measurement that a kernel with fewer writes can exceed, by a few per cent. */
double an_bench_roofline(const struct an_bench *b, const struct an_bench_row *row);

/* A table: head, rows as they come, end. */
void an_bench_table_begin(struct an_bench *b, const char *title);
void an_bench_table_row(struct an_bench *b, struct an_bench_row *row);
json_t *an_bench_table_end(struct an_bench *b);
/* Does --only want it? */
int an_bench_wanted(const struct an_bench *b, const char *name);

/* Median of the seconds of one `run`, over samples that are batches long enough for the clock.
 * `before`: not timed, before each sample, which then is one run; NULL: none. */
typedef int an_bench_call(void *context);
int an_bench_time(struct an_bench *b, an_bench_call *before, an_bench_call *run, void *context,
                  struct an_bench_row *row);

/* Measures the ceilings; `bytes` of each of two arrays. */
int an_bench_ceilings(struct an_bench *b, size_t bytes);
/* Tables of copies by size, one core and all; of arithmetic. */
int an_bench_copies(struct an_bench *b, json_t *table);
int an_bench_stencils(struct an_bench *b, json_t *table);
int an_bench_solver(struct an_bench *b, json_t *table);
int an_bench_cases(struct an_bench *b, json_t *table);

/* ---- CPU ---- */

enum an_bench_copy { AN_COPY_LIBRARY, AN_COPY_STREAMING, AN_COPY_LOOP, AN_NCOPY };
enum an_bench_arithmetic {
    AN_ARITHMETIC_FMA,
    AN_ARITHMETIC_PLAIN,
    AN_ARITHMETIC_DIVIDE,
    AN_ARITHMETIC_ROOT,
    AN_NARITHMETIC
};
/* Copies with `threads` threads, by the widest instructions of `isa`. */
void an_bench_cpu_copy(enum an_bench_copy how, const char *isa, int threads, void *to,
                       const void *from, size_t bytes);
/* One thread: 64-byte pieces past the caches, both sides on 64 bytes. */
void an_bench_cpu_stream(const char *isa, void *to, const void *from, size_t bytes);
/* The rows of simple stencils on a processor. */
int an_bench_cpu_stencils(struct an_bench *b, int n);
/* Runs a loop of independent operations in registers on each thread; returns their number. */
double an_bench_cpu_arithmetic(enum an_bench_arithmetic what, const char *isa, int threads,
                               enum an_precision precision);

/* ---- CUDA: AN_FAIL in a build without it ---- */

/* Starts or stops the engine's stopwatch on stream 0 (events); stopping waits. */
int an_bench_cuda_lap(const struct an_engine *e, int start, double *seconds);
/* A kernel that copies, 16 bytes a thread. */
int an_bench_cuda_copy(const struct an_engine *e, void *to, const void *from, size_t bytes);
/* A kernel of multiply-adds in registers; *operations: how many (two each). */
int an_bench_cuda_fma(const struct an_engine *e, double *operations);
/* Floating-point instructions/s of all multiprocessors at the highest clock: lanes times multiprocessors times Hz. */
int an_bench_cuda_issue(enum an_precision precision, double *rate);
/* Card, driver, runtime, multiprocessors, clocks, L2 into a JSON object. */
int an_bench_cuda_device(json_t *device);

AN_EXTERN_C_END
#endif

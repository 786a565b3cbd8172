/* `annulus bench`: what a device can do, and what the program's stencils reach of it.
 *
 *     copy       the ceilings alone: copies of several sizes, arithmetic
 *     stencils   simple stencils of the literature, in their published designs
 *     solver     the stencils of the solver, its fused kernels, its iterations
 *     case       cycles of a case, level by level; without a case, of a row of its own (bench_row.h)
 *
 * The ceilings are measured in the same run as the rows that are compared with them. A rate is the
 * median of many timed batches of launches: by events on a GPU, by the monotonic clock on a CPU.
 * Every row's result is compared with a plain reference first, on a small grid, from memory that
 * starts as NaN.
 *
 * The roofline of a row is the larger of two times: its compulsory bytes (each word read or written
 * counted once) over the copy rate, its floating-point instructions over the rate at which the device issues them
 * (bench_run.h, an_bench_roofline).
 */
#ifndef AN_BENCH_BENCH_H
#define AN_BENCH_BENCH_H

#include "kernels/engine/engine.h"

AN_EXTERN_C_BEGIN

struct an_case;
struct an_mesh;

struct an_bench_options {
    const char *what;        /* copy, stencils, solver, case */
    const char *device;      /* auto, cpu, cuda, an added engine; NULL: auto */
    const char *precision;   /* single, double, both; NULL: both */
    const char *isa;         /* instruction set of the CPU engine; NULL: the best */
    const char *only;        /* rows whose name has this in it; NULL: all */
    const char *json;        /* file to write; NULL: none */
    int n;                   /* cells along an edge; 0: by device; case: of its own row */
    int blocks;              /* blocks of the solver's mesh; 0: one */
    int samples;             /* of a median; 0: 21 */
    int threads;             /* of the CPU engine; 0: OMP_NUM_THREADS or all */
    int markdown;            /* tables for pages */
    int sweep;               /* the fused kernel's variants too; case: cycles, levels, stages */
    const struct an_case *c; /* case: what is computed, in the precision wanted; the caller's */
    const struct an_mesh *mesh;
};

/* Prints tables to stdout and writes the file. AN_INPUT: an option cannot be used. */
int an_bench(const struct an_bench_options *o);

/* What is wrong with the options; NULL: nothing. */
const char *an_bench_refuse(const struct an_bench_options *o);

AN_EXTERN_C_END
#endif

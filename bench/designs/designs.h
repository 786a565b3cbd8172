/* Designs of GPU stencils from the literature and the project's own, as rows of one table that work
 * on the same data: `annulus bench stencils` prints them.
 *
 * A stencil updates the inner points of a grid of nx x ny x nz points, x fastest; points within its
 * radius of a face keep their value. Out of place: `from` is not changed. In one dimension it is
 * the wave equation, periodic, two levels of time.
 *
 *     star7    u' = c0 u + c1 (sum of the 6 neighbours)
 *     box27s   u' = c0 u + c1 (6 faces) + c2 (12 edges) + c3 (8 corners)
 *     box27    u' = sum of 27 coefficients times points
 *     star25   u' = c0 u + sum over r = 1..4 of c_r (6 points at distance r)
 *     star7t   star7, several steps in one pass through memory
 *     wave1-3  u' = a u - u_old + sum over s = 1..r of c_s (u[i-s] + u[i+s])
 *
 * Without CUDA the table is empty and the calls fail with a message.
 */
#ifndef AN_BENCH_DESIGNS_H
#define AN_BENCH_DESIGNS_H

#include "kernels/base/portable.h"

AN_EXTERN_C_BEGIN

enum an_bench_stencil {
    AN_BENCH_STAR7,
    AN_BENCH_BOX27S,
    AN_BENCH_BOX27,
    AN_BENCH_STAR25,
    AN_BENCH_STAR7T,
    AN_BENCH_WAVE1,
    AN_BENCH_WAVE2,
    AN_BENCH_WAVE3,
    AN_BENCH_STENCILS
};

struct an_bench_stencil_info {
    const char *name;
    int radius, dimensions;
    double words; /* that must move per point and step: one read, one written (wave: 2 and 1) */
    double flops; /* per point and step, common factors taken out, nothing shared by points */
    double
        operations; /* fewest floating-point instructions per point and step of the compiled kernels, points of
                          the grid alone; a fused multiply-add is one. `tools/dev/issue_report` counts them */
};

/* Never NULL for a member of the enum. */
const struct an_bench_stencil_info *an_bench_stencil_about(enum an_bench_stencil s);

/* Coefficients, for those who compute the same elsewhere: star7 2, box27s 4, box27 27 (x fastest),
 * star25 5 (centre first), wave a, c_1 .. c_r. */
const double *an_bench_coefficients(enum an_bench_stencil s);

struct an_design {
    const char *name;   /* a few words, unique with stencil and precision */
    const char *source; /* paper, section */
    const char *note;   /* one line: what it does */
    enum an_bench_stencil stencil;
    int precision; /* 32 or 64 */
};

int an_design_count(void);
const struct an_design *an_design_at(int i); /* 0 <= i < an_design_count() */

/* What a measurement says. Times are of one launch (wave, one launch is `steps` steps). */
struct an_design_result {
    double error; /* max |u - reference| / max |reference|, after one launch on poisoned output */
    double tolerance;  /* error is below this: the call fails otherwise */
    double seconds;    /* median */
    double fastest;    /* of the samples */
    double steps;      /* time steps a launch: 1, or more for star7t and wave */
    double updates;    /* points times steps */
    double bytes;      /* compulsory, of the launch: `words` of the stencil, once per pass */
    double flops;      /* of the launch: `flops` of the stencil times updates */
    double operations; /* of the launch: `operations` of the stencil times updates */
    double predicted;  /* bytes of the design's own traffic model, 0 where it has none */
    int registers, spill, shared; /* a thread; bytes a thread; bytes a block */
    int threads, blocks;          /* of a block; resident on a multiprocessor */
    char variant[64];             /* what the quick search among compiled variants chose, or "" */
};

/* Buffers on the current device, made when first needed, and the reference of the last problem.
 * Owned by the caller; _destroy takes NULL. */
struct an_design_bench;
int an_design_bench_new(struct an_design_bench **b);
void an_design_bench_destroy(struct an_design_bench *b);

/* Chooses a variant, checks one launch against the reference, then times `samples` launches by
 * events after warming up; samples 0: checks every variant and times none. n: points in x, y, z,
 * boundary included, each > 2 radius; wave: n[0] points, 0 for as many as the device holds in
 * registers. Blocking. Fails on a wrong result, too. AN_INPUT: no variant fits
 * the device or the points.
 */
int an_design_measure(struct an_design_bench *b, const struct an_design *d, const int n[3],
                      int samples, struct an_design_result *result);

AN_EXTERN_C_END
#endif

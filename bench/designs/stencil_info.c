#include "bench/designs/designs.h"
#include "bench/designs/wave_law.h"

/* Operations. wave: r additions of neighbours and r + 1 fused multiply-adds; the same count of instructions where
 * the additions are fused, too. Sums of two neighbours belong to one point, so points share none. box27s: points
 * share sums. Of each plane a point needs the sum of its two neighbours along x (1), that sum and the point itself,
 * each added over the two neighbours along y (2), a sum of edges (1), three products for its own plane and three for
 * the planes beside it (6), and two additions of planes (2). */
static const struct an_bench_stencil_info info[AN_BENCH_STENCILS] = {
    [AN_BENCH_STAR7] = {"star7", 1, 3, 2, 8, 7},   [AN_BENCH_BOX27S] = {"box27s", 1, 3, 2, 30, 12},
    [AN_BENCH_BOX27] = {"box27", 1, 3, 2, 53, 27}, [AN_BENCH_STAR25] = {"star25", 4, 3, 2, 29, 25},
    [AN_BENCH_STAR7T] = {"star7t", 1, 3, 2, 8, 7}, [AN_BENCH_WAVE1] = {"wave1", 1, 1, 3, 5, 3},
    [AN_BENCH_WAVE2] = {"wave2", 2, 1, 3, 8, 5},   [AN_BENCH_WAVE3] = {"wave3", 3, 1, 3, 11, 7},
};

/* Sums of one, so that a field keeps its size under many steps. */
static const double star7[] = {0.4, 0.1};
static const double box27s[] = {0.296, 0.05, 0.025, 0.013};
static const double box27[] = {0.011, 0.023, 0.012, 0.024, 0.051, 0.026, 0.013, 0.022, 0.014,
                               0.027, 0.049, 0.021, 0.052, 0.306, 0.048, 0.028, 0.053, 0.019,
                               0.015, 0.025, 0.010, 0.029, 0.047, 0.020, 0.016, 0.024, 0.015};
static const double star25[] = {0.34, 0.06, 0.03, 0.015, 0.005};
static const double wave1[] = AN_WAVE1;
static const double wave2[] = AN_WAVE2;
static const double wave3[] = AN_WAVE3;

const struct an_bench_stencil_info *an_bench_stencil_about(enum an_bench_stencil s)
{
    return &info[s];
}

const double *an_bench_coefficients(enum an_bench_stencil s)
{
    switch (s) {
    case AN_BENCH_BOX27S:
        return box27s;
    case AN_BENCH_BOX27:
        return box27;
    case AN_BENCH_STAR25:
        return star25;
    case AN_BENCH_WAVE1:
        return wave1;
    case AN_BENCH_WAVE2:
        return wave2;
    case AN_BENCH_WAVE3:
        return wave3;
    default:
        return star7;
    }
}

/* Rates that the kernels of a cycle reach on a large mesh: one block of 256^3 cells on a GPU; on a CPU at
 * most 96^3 cells, and no more than the case has, so that a small trial stays short. */
#ifndef AN_BENCH_RATE_H
#define AN_BENCH_RATE_H

#include "bench/bench_set.h"
#include "bench/bench_watch.h"

enum { AN_BENCH_RATES = 128 };

struct an_bench_rates {
    struct an_bench *b;
    struct an_bench_set large;
    int n;
    struct {
        struct an_watched of;
        double seconds; /* per point */
    } rate[AN_BENCH_RATES];
};

/* cells: of the case. Before an_watch_start. */
int an_bench_rates_new(struct an_bench *b, int64_t cells, struct an_bench_rates *rates);
void an_bench_rates_free(struct an_bench_rates *rates);
/* Seconds per point of a call's kernel on the large mesh, with the parameters of the call; each kernel is
 * measured once. */
int an_bench_rate(struct an_bench_rates *rates, const struct an_watched *w, double *seconds);

#endif

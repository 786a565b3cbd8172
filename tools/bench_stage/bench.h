/* What the measurements of bench_stage share. */
#ifndef BENCH_STAGE_BENCH_H
#define BENCH_STAGE_BENCH_H

#include "kernels/cuda_plan.h"

extern int bench_samples; /* at most 100 */

/* Median seconds of one call of once(context); what it issues on the main stream included. */
int bench_measure(struct an_engine *e, int (*once)(const void *context), const void *context,
                  double *seconds);
/* Bytes a second that move when memory is copied, read and written. */
int bench_copy(struct an_engine *e, double *rate);
/* A field of ncomp components in engine memory: base[c] times 1 and a wave in all elements. */
int bench_fill(struct an_engine *e, const struct an_layout *l, struct an_fields *f, int field,
               int ncomp, const double *base, double wave);

/* bench_stage rans: a stage of a RANS run, kernel by kernel. */
int bench_rans(struct an_engine *e, int n, double copy);

#endif

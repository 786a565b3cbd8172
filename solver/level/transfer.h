/* Fields between levels, and between the engine and the host. */
#ifndef AN_SOLVER_TRANSFER_H
#define AN_SOLVER_TRANSFER_H

#include "solver/level/level.h"

/* Number `at` of an array in single or double precision: read as double, and written. */
static inline double an_number_at(enum an_precision precision, const void *array, int64_t at)
{
    return precision == AN_SINGLE ? (double)((const float *)array)[at]
                                  : ((const double *)array)[at];
}

static inline void an_number_set(enum an_precision precision, void *array, int64_t at, double v)
{
    if (precision == AN_SINGLE)
        ((float *)array)[at] = (float)v;
    else
        ((double *)array)[at] = v;
}

/* A field of one component of the coarser level c (its interior) is the mean of that of the finer
 * level l, by volume. */
int an_level_restrict(struct an_solver *s, struct an_level *l, struct an_level *c,
                      enum an_field field);

/* The interior of a field of local block b of the finest level into values[ncomp][nk][nj][ni], as
 * double. Waits for the engine. Not collective. */
int an_solver_download(struct an_solver *s, enum an_field field, int ncomp, int b, double *values);

#endif

/* What copies do to components behind a rotational periodicity. */
#ifndef AN_TURN_H
#define AN_TURN_H

#include "kernels/engine/work.h"

/* The first component of the vector that component `comp` belongs to; -1: to none. vector: as of
 * an_engine_ops.copies. */
AN_INLINE int an_turn_first(int vector, int comp)
{
    if (vector >= 0)
        return comp >= vector && comp < vector + 3 ? vector : -1;
    return vector == AN_COPY_PLAIN ? -1 : comp - comp % 3;
}

/* Component comp - first of R x, x the vector whose components lie `pitch` apart from x on. */
AN_INLINE real AN_FN(an_turn_vector)(const double *rotation, int row, const real *x, int64_t pitch)
{
    const double *r = rotation + 3 * row;
    return (real)r[0] * x[0] + (real)r[1] * x[pitch] + (real)r[2] * x[2 * pitch];
}

/* Component comp of R G R^T, g the tensor row by row. */
AN_INLINE real AN_FN(an_turn_tensor)(const double *rotation, int comp, const real *g, int64_t pitch)
{
    const double *r = rotation + 3 * (comp / 3);
    const int column = comp % 3;
    return (real)r[0] * AN_FN(an_turn_vector)(rotation, column, g, pitch) +
           (real)r[1] * AN_FN(an_turn_vector)(rotation, column, g + 3 * pitch, pitch) +
           (real)r[2] * AN_FN(an_turn_vector)(rotation, column, g + 6 * pitch, pitch);
}

#endif

/* Where a cell is, in words: zone, indices, coordinates. */
#ifndef AN_SOLVER_PLACE_H
#define AN_SOLVER_PLACE_H

#include <stddef.h>
#include <stdint.h>

struct an_solver;

/* "zone 'passage', cell (3, 1, 7), at x = 0.1, y = 0.2, z = 0 m" of cell number `at`, i fastest, of
 * local block b of the finest level. Not collective. */
void an_place_text(const struct an_solver *s, int b, int64_t at, char *text, size_t size);
/* Sets the error text to the place of the cell with the largest residual of the density, NaN before all,
 * and returns AN_DIVERGED. Collective. */
int an_place_worst(struct an_solver *s, int64_t iteration);

#endif

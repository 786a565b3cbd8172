/* Fields between levels, and between the engine and the host. */
#ifndef AN_SOLVER_TRANSFER_H
#define AN_SOLVER_TRANSFER_H

#include "kernels/base/numbers.h"
#include "solver/level/level.h"

/* A component `to` of the coarser level c (its interior) is the mean of `from` of the finer level l, by
 * volume. Collective where c is the first replicated level; an_level_restrict_own finds there the cells of own
 * pieces alone. */
int an_level_restrict(struct an_solver *s, struct an_level *l, struct an_level *c, void *from,
                      void *to);
int an_level_restrict_own(struct an_solver *s, struct an_level *l, struct an_level *c, void *from,
                          void *to);

/* The first replicated level: gives cells of own pieces to all ranks, in one message; ghost cells are not written.
 * Nothing on other levels. Collective. */
int an_level_gather(struct an_level *c, int nfield, const struct an_halo_field *field);

/* The interior of a field of local block b of the finest level into values[ncomp][nk][nj][ni], as
 * double; an_solver_download_from: of engine memory `base` that is laid out as such a field. Both
 * wait for the engine. Not collective. */
int an_solver_download_from(struct an_solver *s, const void *base, int ncomp, int b,
                            double *values);
int an_solver_download(struct an_solver *s, enum an_field field, int ncomp, int b, double *values);

#endif

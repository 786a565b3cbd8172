/* Where the faces of chosen boundaries lie in the pieces of a rank, on any multigrid level: used by
 * sliding planes and abutting interfaces. */
#ifndef AN_SOLVER_PLANE_WINDOWS_H
#define AN_SOLVER_PLANE_WINDOWS_H

#include "kernels/engine/engine.h"

struct an_solver;

/* The windows of boundaries with group[boundary] >= 0 in the pieces of a rank of the level's partition, which of a whole
 * level (solver/level/replicated.h) is rank 0: window[n] in cells of the
 * level, zone[n] the same ones in cells of the mesh's zones. Both malloc'ed, the caller's, also after an
 * error. Not collective. */
int an_plane_windows(const struct an_solver *s, int level, int rank, const int *group, int *n,
                     struct an_face_window **window, struct an_window **zone);
/* The patch of list[npatch], windows in cells of a zone, that holds a window; -1: none. */
int an_window_holder(const struct an_window *w, int npatch, const struct an_window *list,
                     size_t stride);

#endif

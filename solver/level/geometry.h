/* Vectors between cell centres, on the finest or a multigrid level.
 *
 * A cell's centre is the mean of its eight nodes; on coarse levels these are the level's own, every
 * ratio-th node of the mesh. DX of a lower face of direction d goes from the centre of the lower to
 * that of the upper cell. Behind interfaces the centre is the donor's, from the donor's nodes,
 * brought here by the interface's periodicity. At physical boundaries the ghost's centre is the
 * mirror of the cell's: in the face's centre at open ones, in the plane of the face at walls and
 * symmetries (then DX is normal to the face).
 *
 * Second ghosts behind viscous walls, in whose lower faces no vector is needed, hold in the three
 * components of the wall's direction the point of the wall between cell and ghost, m. */
#ifndef AN_SOLVER_GEOMETRY_H
#define AN_SOLVER_GEOMETRY_H

#include "kernels/engine/engine.h"

struct an_solver;
struct an_level;

/* Into dx[9][level->layout.ncell], m, zero where there is no face, and in pieces of other ranks on a replicated level. The solver has its nodes. Reads
 * nodes of pieces of other ranks from the mesh; not collective. On the threads of the rank. */
int an_geometry_centres(const struct an_solver *s, const struct an_level *level, double *dx);

/* Uploads n numbers into a field of the engine's precision. */
int an_geometry_upload(struct an_engine *e, int64_t n, const double *from, void *to);

#endif

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

#include "io/mesh.h"
#include "kernels/engine/engine.h"
#include "mpi/partition.h"

/* Into dx[9][layout->ncell], m, zero where there is no face. `level` has the pieces of `finest` in
 * cells of the level; layout its blocks local[nlocal]; value[nboundary]. Both are the same on the
 * finest level. Reads nodes of the mesh; not collective. */
int an_geometry_centres(const struct an_mesh *mesh, const struct an_partition *finest,
                        const struct an_partition *level, const struct an_layout *layout,
                        int nlocal, const int *local, const struct an_bc_value *value, double *dx);

/* Uploads n numbers into a field of the engine's precision. */
int an_geometry_upload(struct an_engine *e, int64_t n, const double *from, void *to);

#endif

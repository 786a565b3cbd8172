/* The periodic images under which the walls of a mesh are seen; see wall_distance.h for the rule.
 */
#ifndef AN_SOLVER_WALL_IMAGES_H
#define AN_SOLVER_WALL_IMAGES_H

#include <mpi.h>

#include "kernels/base/topology.h"
#include "solver/flow/wall_surface.h"

struct an_wall_images {
    int npart;
    int *part;                    /* [mesh blocks] the part each belongs to; owned */
    int *nimage;                  /* [npart]; owned */
    struct an_wall_image **image; /* [npart][nimage], the identity first; owned */
};

/* point[npoint][3]: points of this rank, m; those of all ranks must reach as far as the mesh does.
 * The result depends neither on who holds which nor on their order. Collective. AN_INPUT: more than
 * 65536 images of a part. */
int an_wall_images_new(MPI_Comm comm, const struct an_topology *mesh, int64_t npoint,
                       const double (*point)[3], struct an_wall_images *w);
void an_wall_images_free(struct an_wall_images *w);
/* Does any interface of the mesh have a period? If not, an_wall_images_new needs no points. */
int an_wall_images_any(const struct an_topology *mesh);

#endif

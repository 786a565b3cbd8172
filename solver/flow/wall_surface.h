/* Builds the array that kernels/physics/wall_tree.h searches.
 *
 * A surface has parts (rows of blades, say); each part has facets and the images under which it is
 * seen. Facets are split where the surface area heuristic, on 16 bins of each axis, is least (Wald
 * 2007, "On fast construction of SAH-based bounding volume hierarchies"); where that would make the
 * tree deeper than AN_WALL_DEPTH, at the median. O(n log n) for n facets, on the threads of the rank. Depends
 * on the order of the facets and on nothing else: not on the number of threads.
 */
#ifndef AN_SOLVER_WALL_SURFACE_H
#define AN_SOLVER_WALL_SURFACE_H

#include "kernels/physics/wall_tree.h"

/* Points x are taken to R x + t before the part is looked at: R row by row, t. */
struct an_wall_image {
    double rotation[9], translation[3];
};

struct an_wall_part {
    int64_t nfacet;
    const double (*facet)[9]; /* corners a, b, c; m; finite. The caller's */
    int nimage;               /* at least 1 where there are facets; the first is the nearest */
    const struct an_wall_image *image; /* the caller's */
};

extern const struct an_wall_image an_wall_identity;

/* *tree: malloc'ed, owned by the caller, *length doubles. order: NULL, or room for the numbers of all
 * facets: facet f of the tree is number order[f] among the facets of all parts in turn. Parts without facets are left out; with
 * none at all the tree is that of no surface. AN_FAIL: memory, or more than 2^28 facets. */
int an_wall_surface_tree(int npart, const struct an_wall_part *part, int64_t *length, double **tree,
                         int32_t *order);

#endif

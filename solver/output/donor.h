/* Where a point lies in a structured zone: cells between which a value of the point is interpolated.
 *
 * The points of the zone are the centres of its n cells, and beside its faces the middles of faces, edges and the
 * corners, so that they fill the zone: m = n + 2 points in each direction. Between eight of them the position is
 * trilinear in the indices xi, 0 <= xi <= m - 1. A point outside has the indices of the nearest place of the zone, and
 * its distance from there is how far the search had to reach.
 *
 * The search starts at the nearest of some of the points and goes on by Gauss-Newton steps in index space, in which
 * a direction at its bound is held while the step points outwards (as stencil walks of overset meshes do: Meakin 1991,
 * AIAA 91-1586). The result depends on zone and point alone. Not collective.
 */
#ifndef AN_SOLVER_OUTPUT_DONOR_H
#define AN_SOLVER_OUTPUT_DONOR_H

#include <stdint.h>

struct an_donor_zone {
    int n[3], m[3];
    double *x;           /* [3][m2][m1][m0] m; owned */
    double lo[3], hi[3]; /* box around them */
    double *tree; /* of the points from which searches start (kernels/physics/wall_tree.h); owned */
    int64_t *start; /* [of the tree's facets] their numbers among the points; owned */
};

/* node[3][n2+1][n1+1][n0+1], m. AN_FAIL: memory. */
int an_donor_zone_new(const int n[3], const double *node, struct an_donor_zone *z);
void an_donor_zone_free(struct an_donor_zone *z);
/* A lower bound of the distance, m. */
double an_donor_least(const struct an_donor_zone *z, const double x[3]);
/* The distance of x from the zone, m, about 0 inside; xi[3] of the nearest place. */
double an_donor_find(const struct an_donor_zone *z, const double x[3], double xi[3]);
/* Cells [8] of the zone, i fastest, and their weights, which are not negative and add up to 1. Within half a cell of a
 * face of the zone the cells are those beside the face. */
void an_donor_weights(const struct an_donor_zone *z, const double xi[3], int64_t cell[8],
                      double weight[8]);

#endif

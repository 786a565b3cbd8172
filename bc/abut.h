/* Abutting interfaces: faces that lie on each other and need not match.
 *
 *      side 0   |     1     |     2     |      faces of two blocks of one row
 *      side 1   |   1   |   2   |   3   |
 *      facets     a   b   c   d              (1,1) (1,2) (2,2) (2,3)
 *
 * A facet is what a face has in common with a face of the other side. Both faces are projected along the
 * difference of their normals, and one polygon is clipped by the other. The sides may be curved, and
 * they may lie apart by a motion (periodic interfaces).
 *
 * Area vectors of the facets: a n of the projection, changed by the least sum of squares over a, so that
 * those of each face add up to the area vector with which its cell is closed; the same holds for what
 * faces sweep in turning frames. Where the edges of the two sides enclose other areas, no such facets
 * exist: what is left is spread over the interface by area and reported.
 *
 * Weights, exact for linear functions: a ghost cell of layer m behind face i is
 *
 *      sum over facets (i, j) of a / A_i (q_j + g_j . (x + c_i - y_i - y_j)),
 *
 * with q and y the values and middles of the cells of layer m, c_i the middle of the face, x that of the
 * facet, and g_j the gradient along the side by least squares over the four neighbours of j. The part
 * of a flux f_j that belongs to a facet is a (f_j / A_j + gradient of f / A . (x - c_j)); the parts of a
 * face add up to f_j. The sums over the facets of kernels/stencils/interfaces/abut_correct.stencil take what the
 * parts of the areas lack of the facet's area.
 *
 * Pure geometry: no solver, no MPI. All sums run in the order of the faces as given, so that they do not
 * depend on which rank holds a face.
 */
#ifndef AN_BC_ABUT_H
#define AN_BC_ABUT_H

#include "bc/slide.h"

/* A side of an interface. Positions and vectors of its other side come here by x = R x_other + t, R
 * about the x axis. A side may be its own other side: then it has no motion. */
struct an_abut_side {
    int other;
    int periodic; /* 0: R = 1, t = 0 */
    double rotation[9], translation[3];
};

struct an_abut_face {
    int side;
    double corner[4][3]; /* m, around the face */
    double area[4];      /* m2: outward, as the solver closes cells; m3: what it sweeps per rad/s */
    double middle[2][3]; /* m: of the first and of the second cell inside */
    int beside[4];       /* faces of the same side next to it, -1: none */
};

/* x and area in the frame of face[0], outward from it; face[0]'s side is the lower one of the two. */
struct an_abut_facet {
    int face[2];
    double size; /* m2 > 0, of the projection */
    double x[3];
    double area[4];
};

struct an_abut_report {
    int64_t faces, facets;
    double area;         /* m2 of the faces of the side */
    double gap, overlap; /* m2 without a face on the other side, and with more than one */
    int lone;            /* faces less than half of which has another side */
    double place[3];     /* m: middle of the face with the largest gap or overlap */
    double distance;     /* m: largest distance of the two sides */
    double open; /* by how much the two sides do not close: size of the sum of all area vectors
                            of both sides over the area */
};

struct an_abut {
    int nside, nface, nfacet;
    struct an_abut_side *side;   /* [nside]; owned, as the others */
    struct an_abut_face *face;   /* [nface] */
    struct an_abut_facet *facet; /* [nfacet] */
    int *nearest; /* [nface] a face of the other side for faces without area, else -1 */
    struct an_abut_report *report; /* [nside] */
};

/* Finds all facets. m holds sides and faces; the rest is made here. AN_FAIL: out of memory. Gaps are no
 * error: they stand in the report. */
int an_abut_match(struct an_abut *m);
/* AN_INPUT where a side's report shows gaps or overlaps of more than 2 % of the area or lone faces; the
 * message goes on after the name of the side. */
int an_abut_check(const struct an_abut_report *r);
void an_abut_free(struct an_abut *m);

/* The map for the kernels on a multigrid level. part[nface]: the level's face that each face of the
 * finest level is a part of, from 0 to n - 1; number[n]: its number in field SLIDE; beside[n]: as
 * above, of the level. fluxes: 1 on the finest level, where part is the identity. */
int an_abut_map_new(const struct an_abut *m, int n, const int *part, const int64_t *number,
                    const int (*beside)[4], int fluxes, struct an_slide_map *map);

#endif

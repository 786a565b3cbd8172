/* Places on the surface of blades: side, arc length from the leading edge, fraction of the axial chord, fraction of the
 * span. They follow from the nodes of the wall alone, so that they are the same on any number of ranks.
 *
 *   axes     (a, h, t): along the axis, the span and the pitch of a cascade, or x, r and theta
 *   span     d1 / (d1 + d2), with the distances d1 and d2 of a point in the plane (a, h) from the edges of the wall at hub
 *            and tip. These are the edges of faces that no other face of the wall shares. A wall that has its tip closed
 *            by its own faces ends where d1 is largest
 *   section  closed curve of points of one span, cut out of the faces
 *   edges    leading and trailing edge of a section: the two points that are farthest apart in the plane (a, h), in the
 *            direction from the inlets of the mesh to its outlets. In axial machines these are the foremost and the
 *            rearmost point
 *   chord    from the leading edge (0) to the trailing edge (1), along the line through both in the plane (a, h)
 *   length   along a side from the leading edge, at this span
 *   arc      length along a side from the leading edge, over that of the whole side at this span
 *   side     the mean line of blades is convex towards the suction side, in the mean over all sections
 *
 * Blades that are meshed as the two sides of a passage are joined over the pitch.
 */
#ifndef AN_SOLVER_WALL_SECTIONS_H
#define AN_SOLVER_WALL_SECTIONS_H

#include "bc/wall_profile.h"
#include "solver/level/flow_axes.h"

/* Nodes of a structured patch of the wall. */
struct an_wall_nodes {
    int n[2];  /* faces along its directions a and b */
    double *x; /* [3][n[1] + 1][n[0] + 1] m; the caller's */
};

struct an_wall_surface {
    struct an_flow_axes axes;
    double pitch;   /* m, or rad around x: the mesh repeats after it; 0: it does not */
    double flow[2]; /* direction of the flow in the plane (a, h), of any length */
    int npatch;
    const struct an_wall_nodes *patch; /* [npatch]; the caller's */
};

struct an_wall_sections;

/* *sections: malloc'ed, freed by an_wall_sections_free. AN_INPUT, in a sentence about "the wall", where it has no two
 * ends along the span or no closed sections; with_sides: 1 also where its sides are alike. Not collective. */
int an_wall_sections_new(const struct an_wall_surface *surface, int with_sides,
                         struct an_wall_sections **sections);
void an_wall_sections_free(struct an_wall_sections *sections);

struct an_wall_spot {
    enum an_wall_side side;
    double arc, chord, span; /* 0 to 1 */
    double length;           /* m: arc length from the leading edge */
};
/* The place of a point of the wall, m. Not collective. */
struct an_wall_spot an_wall_sections_at(const struct an_wall_sections *sections, const double x[3]);
/* Lengths of the sides of a blade from the leading to the trailing edge at mid-span, m. Not collective. */
void an_wall_sections_lengths(const struct an_wall_sections *sections, double length[AN_NSIDE]);

#endif

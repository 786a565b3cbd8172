/* What a mean line needs of the rows of a machine, from the mesh: the order of the rows along the flow, and of each row
 * areas, mean radii and the angle of its blades at stations from its inlet to its outlet.
 *
 *        inlet                         outlet       s = a / (a + b), with the distances a and b of a point from the
 *          |  a      x      b            |          straight lines through inlet and outlet in the plane (x, r).
 *          |<------->.<----------------->|          m: the direction of grad s, which is that of the mean flow.
 *
 *     area   of the surfaces s = const, blades taken out: the integral of |grad s| over the cells of a station,
 *            divided by the station's part of s (coarea formula), of the full annulus
 *     angle  of the blades from m, positive towards +theta: atan(- A_m / A_t), averaged with |A_t| over the walls' faces
 *            of both sides, whose area vector A has the parts A_m along m and A_t around the axis. The two halves of a
 *            round edge cancel. Walls whose normals lie in the meridional plane (hub, casing, tips) do not count
 *     tip    the largest radius of the nodes of these faces
 *
 * The sums are exact, so all figures are the same on any number of ranks.
 */
#ifndef AN_SOLVER_ROW_SHAPES_H
#define AN_SOLVER_ROW_SHAPES_H

#include "kernels/base/topology.h"

struct an_solver;

enum { AN_STATIONS = 32 }; /* of a row */

/* A line in the plane (x, r) across the flow: a point, and the unit normal along the flow. */
struct an_flow_line {
    double at[2], normal[2];
};

struct an_row_shape {
    char name[AN_NAME]; /* of the case's row, else of its first zone */
    double omega;       /* rad/s about +x */
    double blades;      /* of the annulus; 0: not known */
    int inlet, outlet;  /* boundaries of the mesh */
    struct an_flow_line in, out;
    double area[AN_STATIONS];   /* m2 */
    double radius[AN_STATIONS]; /* m, mean over the station's volume */
    double length[AN_STATIONS]; /* m, along m */
    double angle[AN_STATIONS];  /* rad; 0 where there are no blades */
    int first, last;            /* stations that blades begin and end in; first > last: no blades */
    double tip;                 /* m; 0: no blades */
};

/* Limit of AN_FACT_ROW_SIGN (io/plausible.c): blades that point farther in the direction of their rotation turn the wrong way. */
#define AN_ROW_WRONG_WAY 15.

struct an_machine_shape {
    int n; /* rows, in the order of the flow; 0: they are no chain from one inlet to one outlet */
    struct an_row_shape *row; /* [n] owned */
    int *place;               /* [zones] the row of a zone; -1: none. Owned */
};

/* Follows the planes between the rows from the inlet to the outlet. Machines of other shapes, and parts whose lines
 * have no normal (a full circle of an axial slit, say), have n = 0. Collective. */
int an_row_shapes_find(const struct an_solver *s, struct an_machine_shape *m);
void an_row_shapes_free(struct an_machine_shape *m);

/* Fraction s of the way through a row at a point (x, r), and the direction m. */
double an_row_place(const struct an_row_shape *row, double x, double r, double along[2]);
/* Angle of the blades at their leading (end 0) or trailing (1) edge, rad: on the line through the means of the eighth of
 * them behind (ahead of) the station of the round edge, and of the next eighth. The row has blades. */
double an_row_angle(const struct an_row_shape *row, int end);
/* Least area across the flow between the blades, A cos(angle), m2 of the full annulus. The row has blades. */
double an_row_throat(const struct an_row_shape *row);
/* Does the area across the flow fall from the leading to the trailing edge, as in turbines, nozzles and inlet guide vanes? The
 * row has blades. */
int an_row_accelerates(const struct an_row_shape *row);
/* By how many degrees the blades point in the direction of their rotation: compressors by the mean of their angles, turbines by
 * the angle of their trailing edges. Below 0 in machines whose speed has the right sign. The row has blades and turns. */
double an_row_points(const struct an_row_shape *row);
/* Does the mean radius change by less than a quarter over the row? */
int an_row_is_axial(const struct an_row_shape *row);

#endif

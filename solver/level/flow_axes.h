/* The axes in which the flow of a run is averaged: around x where the mesh repeats by rotation or
 * something turns, along the axis, the pitch and the span of a cascade where it repeats by
 * translation.
 */
#ifndef AN_SOLVER_FLOW_AXES_H
#define AN_SOLVER_FLOW_AXES_H

struct an_solver;

/* The axes in which velocities and forces are averaged; zero: cylindrical, about x. */
struct an_flow_axes {
    int cartesian; /* 1: along the unit vectors below, 0: cylindrical */
    double normal
        [2]; /* cylindrical: x and r of the unit vector along which thrust, AREA_X and mixed-out
                       * flows are; zero: x */
    double axial[3], pitch[3], span[3]; /* right-handed */
    double length;                      /* m: what is meshed of the pitch; 0: nothing repeats */
};

/* By monitors.averages. With `auto`: Cartesian where the mesh repeats by a translation across x and
 * nothing repeats by rotation or turns, and for plane meshes; else cylindrical.
 *
 *   pitch   the translation (of several the one nearest to y; none: y), positive along y, or along
 *           z where it has no part along y
 *   axial   the part of x normal to it
 *   span    axial x pitch
 *
 * AN_INPUT where the case wants Cartesian axes and rows turn. Not collective. */
int an_flow_axes_find(const struct an_solver *s, struct an_flow_axes *axes);

/* Does flow pass a cascade from an inlet to an outlet? Then its figures are wanted unless the case
 * says no. Not collective. */
int an_flow_axes_cascade(const struct an_solver *s, const struct an_flow_axes *axes);

/* Where a point is along the span, m: its radius, or its part along the span. */
double an_flow_axes_height(const struct an_flow_axes *axes, const double x[3]);

#endif

/* Is a wall pressed harder than a flow that comes to rest on it could? Then the mesh is too coarse
 * around a leading edge, or the flow has not settled.
 *
 * The flow that enters a row has in the row's frame the total enthalpy h0_rel, of which
 * I = h0_rel - (omega r)^2 / 2 stays on its way to another radius. At the radius of a wall the total
 * pressure is at most
 *
 *     p* p(T*, T*_r),   h(T*) = I,   h(T*_r) = I + (omega r)^2 / 2,
 *
 * where p(T1, T2) is the ratio of pressures of an isentropic change and p* the total pressure at T*: the
 * largest p* of all faces where flow enters the row, with the smallest T* of these. Without rows it
 * is the largest total pressure of inlets and far fields of the case.
 */
#ifndef AN_SOLVER_STAGNATION_H
#define AN_SOLVER_STAGNATION_H

#include "kernels/base/topology.h"

struct an_solver;

struct an_stagnation {
    double ratio;       /* largest wall pressure over the most it can be; NaN: not known */
    double p, limit;    /* Pa, there */
    double x[3];        /* m: where */
    char wall[AN_NAME]; /* name of the boundary */
};

/* Of the last measurement. Collective. */
int an_stagnation_find(const struct an_solver *s, struct an_stagnation *w);

#endif

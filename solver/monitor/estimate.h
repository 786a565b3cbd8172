/* What the boundary values and the geometry of a case lead one to expect, before anything is
 * computed. Estimates: they help to find a wrong unit or a mesh that does not suit the case.
 *
 *     outlet     isentropic Mach number of the lowest outlet pressure and the highest inlet p0, of the
 *                keys or of the lines of a profile
 *     V          speed of that flow, or of the far field; the tip speed where that is higher (then
 *                with the density of the gas at rest at the inlet)
 *     Re         rho V L / mu, L: reference.length, or the extent along x of the shortest wall
 *                with at least a tenth of the area of all walls
 *     y+         of the first cells' centres: rho u_tau y / mu, u_tau = V sqrt(cf / 2),
 *                cf = 0.026 / Re^(1/7) (turbulent flat plate)
 *     tip Mach   omega r over the speed of sound of the gas at rest at the inlet
 *     flow coefficient   axial velocity over the tip speed; from the mass flow that the outlet wants
 *                and the area of its faces, else that of `initial`
 *     mass flow  at most: the smaller of Mach number 1 in the least of the area across x and the areas of
 *                the faces of inlet and outlet, and the isentropic
 *                flow through the faces of the outlet; flow at an angle to x passes less by its cosine.
 *                Where a row turns: Mach number 1 in the area of the inlet's faces; flow at an angle to
 *                their normal passes less by its cosine
 */
#ifndef AN_SOLVER_ESTIMATE_H
#define AN_SOLVER_ESTIMATE_H

#include "kernels/base/topology.h"

#include <stdio.h>

struct an_solver;

/* NaN: not known, or without meaning. */
struct an_estimate {
    double p0, T0, p;     /* Pa, K, Pa: inlet, outlet */
    double mach_is;       /* at the outlet */
    double speed, length; /* V, m/s; L, m */
    char wall[AN_NAME];   /* whose extent L is; "": reference.length */
    double reynolds;      /* of these */
    double yplus[3];      /* least, mean, largest */
    double tip_speed, tip_radius, tip_mach, flow_coefficient;
    int wanted; /* 1: the coefficient is of a mass flow that is wanted */
    double area_least,
        at; /* m2 across x, of full annuli; m: where. The inlets' where a row turns */
    double area_in, area_out; /* m2 of the faces of inlets and static outlets, of full annuli */
    double mass_most;         /* kg/s */
};

/* Of a solver that is set up. Collective. */
int an_estimate_find(const struct an_solver *s, struct an_estimate *e);
/* A line for each that is known. */
void an_estimate_print(const struct an_estimate *e, FILE *out);

#endif

/* The jet of a film-cooling hole: its exit, and at which height its gas enters the flow over the wall.
 *
 * Exit, with the diameter D, the angle alpha to the wall, half angle phi to each side and angle psi forwards over lengths
 * l_phi D and l_psi D:
 *
 *     width  b = D (1 + 2 l_phi tan phi),   height  h = D (1 + l_psi tan psi)
 *     area   A = pi / 4 D^2 + (b - D) D + (h - D) b,  normal to the axis of the hole
 *     footprint on the wall: ellipse with the half-axes h / (2 sin alpha) along the jet and b / 2 across it
 *
 * Height, with the momentum ratio I = rho_c V_c^2 / (rho V^2) of the jet at its exit and of the stream beside the hole: the gas enters
 * with the density of a normal distribution about y_c of width sigma, mirrored at the wall,
 *
 *     y_c = 0.65 h sqrt(I), at most 2.5 h;   sigma = 0.25 h
 *
 * It brings turbulence with it, in place of the normal momentum, which the model leaves to the wall: k = (V_c sin alpha)^2, or the
 * variable of Spalart and Allmaras 0.1 D V_c sin alpha.
 *
 * docs/theory.md says where these constants come from. */
#ifndef AN_BC_HOLE_JET_H
#define AN_BC_HOLE_JET_H

#include "bc/hole_file.h"

struct an_hole_exit {
    double area;     /* m2, normal to the axis of the hole */
    double metering; /* m2: of the cylindrical part */
    double half[2];  /* m: half-axes of the footprint along the jet and across it */
    double height;   /* m: h */
};
struct an_hole_exit an_hole_exit_of(const struct an_hole_given *hole);

struct an_hole_height {
    double centre, spread; /* m: y_c and sigma */
};
struct an_hole_height an_hole_height_of(const struct an_hole_given *hole, double momentum_ratio);
/* m2/s2 and m2/s: k and the variable of Spalart and Allmaras of the gas of a jet of speed V, m/s. */
double an_hole_k(const struct an_hole_given *hole, double V);
double an_hole_nut(const struct an_hole_given *hole, double V);
/* Part of the gas that enters between the heights low and high over the wall, m. */
double an_hole_between(const struct an_hole_height *h, double low, double high);

#endif

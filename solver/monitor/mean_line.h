/* The mean line of a machine of several rows: for each row p, T, velocity with swirl, and the work of its rotor, from the
 * shapes of the rows (row_shapes.h) and the values of inlet and outlet. It is what a run of several rows starts from, and
 * what a case is judged by before its first cycle.
 *
 * A perfect gas with the gamma and R of the inlet. In the frame of each row, with the moment K = r Vt, from its inlet to
 * its outlet (subscripts 1 and 2: ahead of and behind the blades):
 *
 *     rothalpy     cp T0 - omega K stays (Euler), so T0rel = (cp T0 - omega K + U^2 / 2) / cp, with U = omega r
 *     exit         K2 = r2 (U2 + W2 sin beta2). Blades that accelerate the flow turn it to their own angle, but not beyond
 *                  cos beta2 = throat / annulus (cosine rule: Dixon, Fluid Mechanics and Thermodynamics of
 *                  Turbomachinery); others to their angle less the deviation by Carter's rule (ibid.),
 *                  (0.23 + |beta2| / 500 degrees) theta / sqrt(solidity), with the camber theta
 *     mass flow    rho Vm A everywhere, subsonic; a row is choked if its throat, min A cos beta, passes less at the relative
 *                  total state: A cos beta p0rel sqrt(gamma / (R T0rel)) (2 / (gamma + 1))^((gamma + 1) / (2 (gamma - 1)))
 *     losses       AN_MEAN_LOSS of the larger dynamic pressure p0rel - p of a row's ends, and the kinetic energy of the
 *                  part of the velocity around the axis that the blades take away at their leading edges,
 *                  (Vm1 (tan beta1 - tan of the blade))^2 / 2
 *
 *     stall        the highest pressure at the outlet is looked for down to the mass flow at which the diffusion factor of a
 *                  axial row passes AN_MEAN_STALL (Lieblein, Schwenk, Broderick, NACA RM E53D01, 1953: losses grow beyond 0.6)
 *
 * The mass flow is the one at which the pressure behind the last row is that of the outlet. If all that pass give more, the
 * machine is choked, and the row that chokes gets losses that make up for the difference. Over the span Vm is uniform and
 * Vt = K / r, which is in radial equilibrium if p follows from uniform T0 and entropy.
 */
#ifndef AN_SOLVER_MEAN_LINE_H
#define AN_SOLVER_MEAN_LINE_H

#include "solver/monitor/row_shapes.h"

#include <stdio.h>

struct an_component_type;

#define AN_MEAN_LOSS  0.05
#define AN_MEAN_STALL 0.65

/* What enters, and what the outlet asks for. */
struct an_mean_ends {
    double gamma, R; /* of the gas at the inlet */
    double p0, T0, tan_swirl;
    double p;         /* Pa at the outlet */
    double mass_flow; /* kg/s; > 0: wanted in place of p */
    double throttle_mass,
        throttle_p; /* a throttle has the pressure p at this mass flow, and throttle_p behind it; 0: none */
};

/* A station of the mean line. */
struct an_mean_state {
    double p, T, T0;   /* static pressure and temperature, total temperature of the absolute flow */
    double Vm, moment; /* m/s; m2/s: r Vt */
};

struct an_mean_row {
    struct an_mean_state at[AN_STATIONS];
    double flow_angle,
        blade_angle; /* degrees: of the relative flow at the leading edge, and of the blades there */
    double flow_angle_still; /* the same if the row turned the other way */
    double exit_angle;       /* degrees: of the relative flow behind the blades */
    double throat;           /* m2: least A cos beta; 0: no blades */
    double diffusion;        /* diffusion factor 1 - W2 / W1 + |Wt1 - Wt2| / (2 solidity W1) */
    double margin; /* of the mass flow that chokes the row over the mass flow, at its throat */
    double power;  /* W into the gas */
};

struct an_mean_line {
    struct an_machine_shape shape;
    int known; /* 1: the mean line was found; else the shape alone is known */
    struct an_mean_ends ends;
    double mass;      /* kg/s */
    double p_out;     /* Pa: of the mean line at that mass flow */
    double most_mass; /* kg/s that all rows pass */
    double p_choked;  /* Pa at the outlet at most_mass without more losses */
    double most_p,
        most_p_mass; /* the highest pressure at the outlet ahead of stall, and its mass flow */
    int chokes;      /* the row that passes no more than most_mass */
    int choked;      /* 1: the outlet's pressure is below p_choked, so that this row is choked */
    struct an_mean_row *row; /* [shape.n] owned */
};

/* The component of a run with rows that turn and are a chain from one inlet with total conditions to one static outlet.
 * The mean line is known if two rows have blades, of which one turns. */
extern const struct an_component_type an_mean_line_component;
/* NULL: the run does not have it. Not collective. */
struct an_mean_line *an_mean_line_of(const struct an_solver *s);
/* Finds the mean line from shape, the speeds in it, and ends; row is allocated. Sets known. Pure. */
void an_mean_line_solve(struct an_mean_line *m);
/* p, T and velocity at a point of the annulus. */
void an_mean_line_at(const struct an_mean_line *m, const double x[3], double *p, double *T,
                     double velocity[3]);
/* A line for the whole and one for each row; nothing if the mean line is not known, or m is NULL. */
void an_mean_line_print(const struct an_mean_line *m, FILE *out);

#endif

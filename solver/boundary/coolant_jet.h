/* The jet of a cooled wall at one face. */
#ifndef AN_SOLVER_COOLANT_JET_H
#define AN_SOLVER_COOLANT_JET_H

#include "solver/boundary/coolant.h"
#include "solver/boundary/face_values.h"

/* What a kilogram brings through a face. */
struct an_coolant_jet {
    double V[3], h0, T, moment;
    int outward; /* it would leave */
};

/* The Mach number of a lossless expansion from p0 and T0 to p, limited to 0.01 to 1. */
double an_coolant_mach(const struct an_gas *g, double p0, double T0, double p);
/* The jet of patch q at a face of a wall that turns with omega, rad/s. */
struct an_coolant_jet an_coolant_jet_of(const struct an_case *c, const struct an_coolant_patch *q,
                                        double omega, const struct an_face_place *at);

#endif

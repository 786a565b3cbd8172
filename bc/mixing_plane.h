/* Mixing plane: the exchange of circumferential means between two rows in relative motion or of
 * different pitch.
 *
 *          row 1         |       row 2         n: normal of the plane in the (x, r) plane, from row
 *   (leaves through it)  1|2  (enters)         1 to row 2; m: along the span; t: around the axis
 *
 * Invariants
 *  1. Fluxes. On every control band (a ring of span that holds a whole layer of faces of each side)
 *     the fluxes of mass, momentum along n and m, moment of momentum about the axis and energy that
 *     leave row 1, of all its passages, are those that enter row 2, to rounding once both have
 *     converged, whatever the two sides' faces, pitches and numbers of blades. They are the fluxes
 *     that the residuals sum, not those of some mean state. The faces around the axis are a
 *     polygon; where the polygons of the sides differ in area, the step between them bears the mean
 *     pressure.
 *  2. Each face is given a target, a state uniform around the axis; the face takes waves that
 *     enter from it and waves that leave from its cell (an_farfield, kernels/physics/boundary.h).
 *     Differences from the mean thus leave without reflection (one-dimensional form), and flow may
 *     enter through a part of the span or of the pitch of either side.
 *  3. Targets integrate the gap of the fluxes, wave by wave, each wave on the side where it enters:
 *     what runs from 1 to 2 on side 2, the rest on side 1. Nothing else moves the targets,
 *     so they rest only where all five gaps are zero.
 *  4. Targets follow from exact sums (kernels/base/xsum.h), so they have the same bits on any
 *     number of ranks. Targets and directions are part of the state: a restart has them.
 *
 * Mixing costs entropy: row 2 gets the flow mixed out at constant area. Denton 1992 (the plane, and
 * why it must let variations pass); Saxer and Giles 1993 (characteristic waves of the mean); Holmes
 * 2008 (fluxes driven to agreement by their Jacobian, reverse flow). Only their ideas are used
 * here.
 *
 * This file is the algebra of one control band; solver/boundary/mixing.h has bands, faces and
 * march.
 */
#ifndef AN_BC_MIXING_PLANE_H
#define AN_BC_MIXING_PLANE_H

#include "kernels/physics/gas_model.h"

/* A state of the gas in the axes of the plane. */
struct an_mixing_state {
    double rho;     /* kg/m3 */
    double u[3];    /* m/s: along n, m, t, absolute */
    double p;       /* Pa */
    double turb[2]; /* TURB */
};

/* Memory of a control band. */
struct an_mixing_band {
    struct an_mixing_state target[2]; /* of side 1, of side 2 */
    int backward;                     /* 1: in the mean the flow goes from 2 to 1 */
};

/* What a control band sees of one side. */
struct an_mixing_side {
    double flux[5];              /* from 1 to 2: kg/s, N (n, m), N (t: moment over radius), W */
    double area;                 /* m2 of all passages */
    struct an_mixing_state mean; /* by area, of the cells beside the plane; turb: by what leaves */
};

/* Moves the targets of a band. gain: part of the gap that is closed, 0 to 1. Returns the largest
 * gap: of mass flux over rho c A, of momentum over p A, of energy over p c A. */
double an_mixing_update(struct an_mixing_band *band, const struct an_mixing_side side[2],
                        const struct an_gas *gas, double gain);

/* The uniform state with fluxes per area f (mass, n, m, t, energy), subsonic along n. 0 where there
 * is none, or no flow. */
int an_mixing_mixed_out(const double f[5], const struct an_gas *gas, struct an_mixing_state *state);

#endif

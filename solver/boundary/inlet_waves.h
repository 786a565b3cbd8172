/* Inlets that do not reflect: total conditions of the mean around the axis, waves pass.
 *
 * Each band of span (solver/boundary/bands.h) has the mean state P of the first cells. A face is
 * told the target an_inlet_total(P, p0, T0, direction of the face), and takes the waves that enter
 * from it and the one that leaves from its own cell (an_farfield, kernels/physics/boundary.h:
 * Riemann invariants along the normal, entropy and tangential velocity). So the mean has the total
 * conditions and the direction asked for, at convergence exactly to second order in what varies
 * around the axis, and a wave that runs upstream leaves as a one-dimensional wave does: without
 * reflection at normal incidence.
 *
 * Means are taken before the first step and every `control_every` iterations; between, targets
 * rest: a wave that changes the mean itself passes too, if it is shorter than that. They are kept
 * in snapshots: a restart goes on, bit for bit, and one from a snapshot without them begins with
 * those of its flow. Every function is collective.
 */
#ifndef AN_SOLVER_INLET_WAVES_H
#define AN_SOLVER_INLET_WAVES_H

#include "bc/boundary_value.h"
#include "io/case.h"
#include "solver/boundary/bands.h"

struct an_solver;
struct an_part_type;

struct an_inlet_waves {
    int n;
    struct {
        int boundary, group, every;
        int unknown; /* 1: the record of a snapshot did not have its means */
    } * inlet;       /* [n]; owned */
    struct an_bands *bands;
    double (*mean)[5]; /* [bands->n] rho, axial, radial, tangential velocity, p; owned */
    double (*total)[AN_BC_NVALUE]; /* as INLET_TOTAL has them, by this rank's faces of the finest
                                    * level (solver/boundary/face_values.h); owned */
};

/* The part of a run with such inlets. It acts after an_inlets_part, which leaves the total
 * conditions in the face values. Where a snapshot does not have the means, they are taken from its
 * flow. */
extern const struct an_part_type an_inlet_waves_part;

/* Is the boundary such an inlet of the case? Not collective. */
int an_inlet_waves_is(const struct an_case_boundary *b);

#endif

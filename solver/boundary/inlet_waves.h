/* Non-reflecting inlets: the circumferential mean has the given total conditions, and waves leave.
 *
 * Each band of span (solver/boundary/bands.h) has the mean state P of the first cells. The target
 * of a face is an_inlet_total(P, p0, T0, direction of the face). Where a pattern makes p0, T0 or direction vary
 * around the axis, the target has the static pressure of an_inlet_total(P, means of p0, T0 and direction around the
 * axis), and the velocity and temperature that follow from this pressure and from the face's own p0, T0 and
 * direction. So wakes and gusts enter without sound. The face takes the entering waves from the target and the
 * leaving wave from its own cell (an_farfield, kernels/physics/boundary.h: Riemann invariants along the normal,
 * entropy and tangential velocity). So the mean has the total
 * conditions and the direction asked for, at convergence exactly to second order in what varies
 * around the axis, and a wave that runs upstream leaves as a one-dimensional wave does: without
 * reflection at normal incidence.
 *
 * Means are taken before the first step and every `control_every` iterations; between
 * these iterations the targets are constant, so that waves which change the mean leave as well, if
 * they are shorter than that. Snapshots hold the means, so that a restart gives the same bits; a
 * restart from a snapshot without them takes them from its flow.
 */
#ifndef AN_SOLVER_INLET_WAVES_H
#define AN_SOLVER_INLET_WAVES_H

#include "bc/boundary_value.h"
#include "io/case.h"
#include "solver/boundary/bands.h"
#include "solver/boundary/face_values.h"

struct an_solver;
struct an_component_type;

struct an_inlet_waves {
    int n;
    struct {
        int boundary, group, every;
        int unknown;              /* 1: the record of a snapshot did not have its means */
        an_face_value_at *around; /* gives means of the pattern around the axis; NULL: none */
        void *context;            /* first argument of `around` */
    } * inlet;                    /* [n]; owned */
    struct an_bands *bands;
    double (*mean)[5]; /* [bands->n] rho, axial, radial, tangential velocity, p; owned */
    double (*total)[AN_BC_NVALUE]; /* as INLET_TOTAL has them, by this rank's faces of the finest
                                    * level (solver/boundary/face_values.h); owned */
};

/* The part of a run with such inlets. It acts after an_inlets_component, which leaves the total
 * conditions in the face values. Where a snapshot does not have the means, they are taken from its
 * flow. */
extern const struct an_component_type an_inlet_waves_component;

/* Takes the face values of a boundary, which are new total conditions, and sets the targets that follow from them.
 * around(context, ...) gives the total conditions at the place of a face, averaged around the axis; it is called now
 * and whenever targets are set, so that context has to live as long as the part. around NULL: the inlet has no
 * pattern. Does nothing for boundaries that are not such inlets. Not collective. */
void an_inlet_waves_renew(struct an_solver *s, int boundary, an_face_value_at *around,
                          void *context);

/* Is the boundary such an inlet of the case? Not collective. */
int an_inlet_waves_is(const struct an_case_boundary *b);

#endif

/* Performance of blade rows: mass flow, total pressure and temperature ratios, efficiencies, power,
 * torque, angles and losses of each row and of the whole machine.
 *
 * Flow enters and leaves a row through boundaries of its zones: inlets, outlets and mixing planes.
 * Each boundary counts as a whole: the sign of its net mass flow tells whether flow enters or
 * leaves. The machine is the flow through all inlets and outlets. A row without an inlet or outlet
 * of its own (joined one to one to zones that are in no row) has NaN.
 *
 * Cooling and bleed (solver/boundary/coolant.h) count in mass flows, imbalance, power and, cooling,
 * in the moment of momentum; ratios, angles and losses are those of the main flow, from its inlet
 * to its outlet. The efficiency then compares the power W into the gas with that of lossless
 * streams, each from its own total state: the main flow in and the coolant (p0, T0 where it comes
 * out, absolute) to the p0 of the outlet, what is bled from the inlet to the bleed's p0:
 *
 *     W_s = sum over m cp T0_i ((p0_to / p0_i)^((gamma - 1)/gamma) - 1), or h of isentropic changes
 *     efficiency = W_s / W where W > 0 (compressor), W / W_s where W < 0 (turbine)
 *
 * The work that pumps coolant up to its radius before it comes out is not part of W. With cooling
 * or bleed the polytropic efficiency has no meaning and is NaN.
 *
 * Where averages are Cartesian (solver/level/flow_axes.h) the figures are those of a cascade: angles
 * between axis and pitch, losses of total pressure by mass and mixed out, forces on all walls along
 * the axis and the pitch. Forces are over the span, which is the area of the inlet across the axis over the
 * translation of the mesh.
 *
 * All numbers are those of the full annulus where the mesh repeats by rotation. Forces are on the
 * gas, about +x. Sums are exact: the same, bit for bit, on any number of ranks.
 *
 * All functions are collective over the solver's communicator unless they say otherwise.
 */
#ifndef AN_SOLVER_PERFORMANCE_H
#define AN_SOLVER_PERFORMANCE_H

#include "io/history.h"
#include "solver/monitor/flow_average.h"
#include "solver/monitor/plane_faces.h"

struct an_solver;
struct an_component_type;

struct an_row_flow {
    char name[AN_NAME]; /* "machine" for all of it */
    double omega;       /* rad/s */
    double sectors;     /* pieces like the meshed one in the annulus */
    int rotating;       /* 1: it does work on the gas; else there is no efficiency */
    struct an_flow_average in, out;
    double mass_in, mass_out; /* kg/s, as entered and left, full annulus */
    double coolant, bleed;    /* kg/s, parts of these */
    double torque_walls,
        torque_euler;            /* N m on the gas: of all walls; what leaves less what enters */
    double force[2], lost[2];    /* N along axis and pitch: on the walls; momentum in less out */
    double span;                 /* m; NaN where nothing repeats by translation */
    double power_walls, power;   /* W: omega times torque of the walls that turn; m dh0 */
    double value[AN_NROW_VALUE]; /* what history.csv says, io/history.h */
};

struct an_performance {
    struct an_flow_gas gas;
    int nrow;               /* of the case */
    int *row;               /* [zones] row, nrow: in none; owned */
    struct an_row_flow *of; /* [nrow + 1], the last the machine; owned */
    int64_t measured;       /* iteration of the last measurement, -1: none */

    struct an_plane_faces faces; /* of all boundaries but viscous walls */
    /* [ntotal] sums of the last measurement over all ranks: AN_NFLOW for each row, and for none, and each boundary;
     * then AN_NWORK for each row, and for none (performance_rows.h); owned */
    int ntotal;
    double *total;
    int nplace,
        *place; /* [row, or none][boundary] which of the sums of flow that are made, -1: none; owned */
};

/* The part of a run whose case wants it (monitors.performance). It measures the state whose
 * residual was the last to be computed, after the walls. */
extern const struct an_component_type an_performance_component;
/* NULL: the case does not want it. */
struct an_performance *an_performance_of(const struct an_solver *s);

/* ---- for the adjoint, which needs what each face adds; not collective ---- */

/* Figures of all rows from `total`. */
void an_performance_find(const struct an_solver *s, struct an_performance *f);
/* What face k of window m of `faces` added in the last measurement: term[] to total[first] and behind; returns the
 * number of terms. */
int an_performance_terms(const struct an_solver *s, const struct an_performance *f, int m,
                         int64_t k, double term[AN_NFLOW], int *first);
/* The same of face k of window m of the viscous walls (struct an_walls). */
int an_performance_wall_terms(const struct an_solver *s, const struct an_performance *f, int m,
                              int64_t k, double term[AN_NFLOW], int *first);

#endif

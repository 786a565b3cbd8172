/* Boundaries whose pressure follows the flow: outlets with a given mass flow, a throttle or radial
 * equilibrium, and inlets with a given mass flow.
 *
 *   scales      q2 = rho V^2 of the outlet: dm / m = - dp / q2 in a lossless flow of fixed angle through one passage.
 *               Q = (p0^2 - p^2) / p, 0 if p > p0: dm / m = - dp / Q by the ellipse m^2 ~ p0^2 - p^2 of a turbine of any
 *               number of rows (Stodola, Steam and Gas Turbines, 1927), p0 the total pressure of the inlet.
 *               In a stage Q is ten times q2
 *   mass_flow   PI control in steps, e = m / m_wanted - 1:
 *                   p += gain (0.25 q2 (e - e_last) + 0.05 q2 e + f (I - 0.05 q2) e)
 *               I = max(0.05 q2, min(Q / 2, 1.75 sqrt(p q2))) with implicit cycles, which follow a step at once (the limit
 *               is that of a wave, dm / m = - dp / (rho V c)); 0.05 max(q2, Q) with explicit iterations. The last part is
 *               at most 0.5 % of p. f begins at 1, and becomes 0.7 f where e changes its sign twice in a row and is more than
 *               e_last / 4: the flow at the boundary answers to p more at once than in the end
 *   throttle    p goes towards  p_t = p_a + (p_set - p_a) (m / m_set)^2  by
 *                   p += gain r f (p_t - p) / S,  S = 1 + 2 (p_t - p_a) / max(q2, Q),  r = 0.1
 *               p_set, m_set: the case's p and throttle_mass_flow; p_a: throttle_p, the pressure
 *               behind the valve. f = 1 suits a flow whose mass flow answers to p as the scale says; near
 *               choke it does not answer, and S steps do the work of one. So a step that leaves more
 *               than 0.95 of p_t - p raises f by the part g, to S at most; where p_t - p changes its
 *               sign f begins at 1 again and g, first 0.1, is halved
 *
 *   inlet       mass_flow of an inlet moves its total pressure the other way, with q = min(largest q2 of an open
 *               boundary, p0) in place of q2 and Q = (p0^2 - p^2) / p0 of the lowest pressure behind it: while
 *               nothing is choked, p0 - p drives the flow; once it is choked, dm / m = dp0 / p0. The p0 of a profile
 *               is that of the case times p0 / p0 at the start
 *
 *   radial equilibrium   p is the pressure at the hub, at mid-span or at the casing; at other radii
 *               p + d(r),  dd/dr = rho Vt^2 / r  of means around the axis of the first cells, by
 *               trapezoids over the bands of the outlet (solver/boundary/bands.h); d moves a tenth
 *               of its way in each update
 *
 *   non-reflecting   differences from the mean around the axis leave as one-dimensional waves, and
 *               the mean of the face has the pressure p + d (kernels/physics/boundary.h); the means
 *               P, U of the first cells, by bands, are taken before the first step and every
 *               `control_every` iterations
 *
 * The pressure changes every `control_every` iterations, before the step, and never by more than 2
 * % of p or p0. The mass flow is the sum of the residual's own fluxes, for the full annulus where the
 * mesh repeats by rotation. Snapshots hold p, p0, e_last, f, g and d, so that a restart gives the same bits.
 * Functions are collective unless they say otherwise.
 */
#ifndef AN_SOLVER_CONTROL_H
#define AN_SOLVER_CONTROL_H

#include "io/case.h"
#include "io/history.h"

struct an_solver;
struct an_component_type;
struct an_snapshot_meta;

/* The part of a run that controls outlets and inlets; every run has it. */
extern const struct an_component_type an_control_component;
/* Gives an outlet whose pressure follows the mass flow the pressure that it begins with, Pa. Others keep theirs. Before the
 * flow is filled. */
int an_control_guess(struct an_solver *s, int boundary, double p);
/* Gives the static outlet on a boundary another setting, as `map` varies it: a mass flow (kg/s), a
 * pressure (Pa), or a throttle setting (of p - throttle_p of the case). The pressure control begins
 * anew. */
int an_control_vary(struct an_solver *s, int boundary, enum an_vary what, double value);
/* A new run takes the pressures of the boundaries that it controls from the record of a snapshot, by their names. */
int an_control_begin(struct an_solver *s, const struct an_snapshot_meta *meta);
/* Pressure of the static outlet on a boundary, Pa; boundary < 0: of the first one; NaN: there is
 * none. Not collective. */
double an_control_pressure(const struct an_solver *s, int boundary);
/* Describes the boundaries whose pressure the run changes by itself, as they are now; returns their
 * number. Names stay owned by the mesh. list NULL: counts only. Not collective. */
int an_control_reports(const struct an_solver *s, struct an_control_report *list);
/* The pressures alone, Pa, in the same order. Not collective. */
void an_control_values(const struct an_solver *s, double *value);
/* Is it the report of a throttle that has not reached its line, to 1 % of its pressure? Not collective. */
int an_control_off_line(const struct an_control_report *q);
/* Has every throttle reached its line? The same on all ranks; not collective. */
int an_control_throttles_stand(const struct an_solver *s);

#endif

/* Solids that conduct heat, together with the flow.
 *
 *   solid       div(k(T) grad T) = 0 by finite elements (solid/conduction.h), in double precision, on the host. Every rank
 *               solves the whole solid in the same order, so that all have the same bits whatever their number
 *   gas         its walls on the solid have a temperature, that of the solid at each face (solid_contact.h)
 *   exchange    every AN_SOLID_EVERY iterations the heat Q of each face of the gas, ahead of the iteration, enters the solid, and
 *               behind AN_SOLID_LAG iterations the walls get its temperatures. Where a device computes these iterations, a thread
 *               of the host solves the conduction meanwhile; an engine on the host solves it at once, with the same bits. With
 *                   Q(T) = Q - r g A (T - T_now),   g = k_gas / y
 *               for its answer to another temperature: y is the distance of the first cell's centre. r begins at 1, which is
 *               what the first cell would conduct, and then follows from the last two exchanges,
 *                   r = 1.3 (- sum dT dQ) / (sum dT^2 g A)    over the faces of a wall of the gas.
 *               The implicit answer has no limit of the Biot number (Giles 1997, "Stability analysis of numerical interface
 *               conditions in fluid-structure thermal analysis"); where nothing changes any more, r does not count
 *   coolant     h (T_coolant - T) with given h, or in a channel of hydraulic diameter D and mass flow m
 *                   Nu = factor 0.022 Re^0.8 Pr^0.5  (Kays and Crawford 1980, gases in smooth tubes),
 *               with properties of the gas of the case at the mean temperature of the coolant, which warms up along the
 *               channel: m cp dT = heat out of the solid
 *
 * Snapshots hold theta of the solids, what r needs, and the change that an exchange which has begun leads to, so that a restart
 * goes on with the same bits.
 * In unsteady runs solids store heat if the case gives their rho and cp (solid_time.h). The others keep the temperatures of the
 * snapshot that the run begins with: they change in seconds, the flow in milliseconds.
 */
#ifndef AN_SOLVER_SOLIDS_H
#define AN_SOLVER_SOLIDS_H

#include "io/history.h"

/* The lag leaves the boundary layer some iterations to answer before its heat is measured again. With 8 of 10 the coupling swung. */
enum { AN_SOLID_EVERY = 10, AN_SOLID_LAG = 3 };

struct an_solver;
struct an_component_type;
extern const struct an_component_type an_solids_component;

/* Have the temperatures of all walls of the gas on solids come to rest? 1 in a run without solids. The same on all ranks; not
 * collective. */
int an_solids_stand(const struct an_solver *s);

/* Figures of each solid and of its surfaces: report NULL or [n]; returns n. Not collective. */
int an_solids_reports(const struct an_solver *s, struct an_solid_report *report);

/* Figures of each solid for tables: figure[s->c->nsolid], nothing in a run without solids. Not collective. */
void an_solids_figures(const struct an_solver *s, double (*figure)[AN_NSOLID_FIGURE]);

/* What is doubtful about the solids, for warnings: text[size] of the n-th doubt (0, 1, ...); 0 past the end. */
int an_solids_doubt(const struct an_solver *s, int n, char *text, size_t size);

#endif

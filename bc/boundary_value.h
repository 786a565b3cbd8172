/* Boundaries of a run: what stands on each named boundary, as values for the engines.
 *
 * Checks live here: what a boundary type needs and what is physically possible. The
 * values have the names of enum an_bc_value_name.
 */
#ifndef AN_BC_BOUNDARY_VALUE_H
#define AN_BC_BOUNDARY_VALUE_H

#include "kernels/base/topology.h"
#include "kernels/engine/engine.h"

/* A gas at rest or in motion: Pa, K, m/s. */
struct an_gas_state {
    double p, T, velocity[3];
};

/* Total pressure p0 (Pa), total temperature T0 (K), unit vector of the flow direction. */
struct an_bc_value an_bc_inlet_total(double p0, double T0, const double direction[3]);
/* Static pressure p (Pa). */
struct an_bc_value an_bc_outlet_static(double p);
/* INLET_SUPERSONIC or FARFIELD of a state. gas_constant: J/kg/K. */
struct an_bc_value an_bc_state(enum an_bc_type type, const struct an_gas_state *state,
                               double gas_constant);
/* Viscous wall: adiabatic, of temperature or heat flux `heat` (K, W/m2 into the gas), which moves
 * (m/s) and turns about the x axis (rad/s), in addition to its block if with_block is 1; roughness: height
 * of sand grains, m, 0: smooth. */
struct an_bc_value an_bc_wall_viscous(enum an_wall_heat kind, double heat, const double velocity[3],
                                      double omega, int with_block, double roughness);
/* Types without values: slip walls, symmetry, supersonic outlet; mixing planes, whose values vary. */
struct an_bc_value an_bc_plain(enum an_bc_type type);

/* The windows of the patches of the blocks `local[nlocal]` of a topology, with block replaced by
 * its place in `local`, ready for faces_new with the values boundary[t->nboundary]; `values` counts the faces of all,
 * those of boundaries that vary first. *window is malloc'ed, owned by the caller. */
int an_bc_windows(const struct an_topology *t, const struct an_bc_value *boundary, int nlocal,
                  const int *local, int *nwindow, struct an_face_window **window);

#endif

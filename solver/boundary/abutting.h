/* Abutting interfaces of a run: faces of one row that lie on each other and need not match.
 *
 * An interface is two boundaries of type abutting that name each other, from the connections of the mesh
 * file or from the case. Ghost cells and fluxes are those of sliding planes at rest, with fixed weights
 * (bc/abut.h) on all multigrid levels; fluxes are made equal on the finest one.
 */
#ifndef AN_SOLVER_ABUTTING_H
#define AN_SOLVER_ABUTTING_H

struct an_component_type;

extern const struct an_component_type an_abutting_component;

#endif

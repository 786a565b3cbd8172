/* The part of `annulus init` for the metal beside the gas. */
#ifndef AN_APP_INIT_SOLIDS_H
#define AN_APP_INIT_SOLIDS_H

#include "kernels/base/topology.h"

#include <stdio.h>

/* Where the file of the mesh has a base `Solid`, writes the sections solids and solid_walls for it: a surface NAME_metal touches the
 * viscous wall NAME of the gas, the surfaces of holes a coolant. Writes nothing where there is no such base. Not collective. */
void an_init_solids(const char *mesh, const struct an_topology *gas, FILE *out);

#endif

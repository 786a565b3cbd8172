/* Files of the temperature of solids beside the snapshots: solid_NNNNNNNN.cgns (io/solid_file.h). */
#ifndef AN_SOLVER_SOLIDS_WRITE_H
#define AN_SOLVER_SOLIDS_WRITE_H

struct an_component_type;
/* The component of a run with solids. */
extern const struct an_component_type an_solids_write_component;

#endif

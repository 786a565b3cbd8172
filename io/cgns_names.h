/* Names of the CGNS standard that this program writes and reads, and what belongs to them: types of
 * boundary conditions, units, exponents. Functions whose result is a CGNS code return CG_OK or the
 * library's error; BCType_t is passed as int, so that this header needs no other. */
#ifndef AN_IO_CGNS_NAMES_H
#define AN_IO_CGNS_NAMES_H

#include "kernels/base/boundary_type.h"

#define AN_CGNS_BASE        "Base"
#define AN_CGNS_SOLID       "Solid" /* base of the metal's zones, beside that of the gas */
#define AN_CGNS_COORDINATES "GridCoordinates"
#define AN_CGNS_SOLUTION    "FlowSolution"

extern const char *const an_cgns_coordinate[3]; /* CoordinateX, Y, Z */
/* Density, momentum and total energy a volume, in the order of field W. */
extern const char *const an_cgns_conserved[5];

/* The BCType_t that is written for a type; `otherwise` where CGNS has none. */
int an_cgns_bc_type(enum an_bc_type type, int otherwise);
/* The type that a BCType_t is read as; AN_BC_NONE: none. */
enum an_bc_type an_cgns_bc_type_from(int type);

/* SI units for all data of the node at which cg_goto stands. CGNS code. */
int an_cgns_units_write(void);
/* The exponents of the array at which cg_goto stands, by its name; ratios are marked as
 * nondimensional. CGNS code. */
int an_cgns_exponents_write(const char *name);
/* ZoneIterativeData of a zone, which names its one solution AN_CGNS_SOLUTION: without this pointer
 * ParaView does not take a file for a step of a series. CGNS code. */
int an_cgns_pointers_write(int fn, int base, int zone);

#endif

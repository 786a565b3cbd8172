/* What the program takes each row of a machine for, so that a wrong speed or mesh is seen before a run. */
#ifndef AN_SOLVER_CHECK_ROWS_H
#define AN_SOLVER_CHECK_ROWS_H

#include "io/mesh.h"

#include <stdio.h>

struct an_solver;

/* Prints a line for each row, in the order of the flow: rotor or stator, turbine or compressor, blades, speed, tip Mach number (speed
 * of the blades' tips over `sound`, m/s), throat, gaps, angles of the blades. Nothing if no row turns, or the rows are no
 * chain from one inlet to one outlet. Of the rank that holds the open mesh m. AN_INPUT if its nodes cannot be read. */
int an_check_rows(const struct an_solver *s, const struct an_mesh *m, double sound, FILE *out);

#endif

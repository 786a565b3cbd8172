/* The command init. */
#ifndef AN_SOLVER_INIT_H
#define AN_SOLVER_INIT_H

/* Writes a case file with comments for a CGNS mesh: rows by the zones that hang together, in the order of the flow,
 * boundaries row by row, each with the type that the mesh or its name tells and values to replace, mixing planes
 * where the outlet of a row meets the inlet of another, and rules of `stop` that the run can meet. The case
 * passes `annulus check`. base: that of the mesh file to read, "" for the only one; output: file to write, NULL for case.yaml, "-" for stdout; a file that
 * exists is left alone. AN_INPUT with the reason; faults of the mesh have been printed to stderr
 * where *printed is set. Not collective. */
int an_init(const char *mesh, const char *base, const char *output, int *printed);

#endif

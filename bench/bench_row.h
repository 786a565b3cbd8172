/* The row of `annulus bench case` without a file: one passage of a rotor, in three zones along the
 * axis, of walls on hub, casing and both sides of a blade. The blade is a helix along the relative flow,
 * 4 % of the pitch thick, so that a march from the uniform state starts well. Cells grow from all walls.
 */
#ifndef AN_BENCH_ROW_H
#define AN_BENCH_ROW_H

/* Writes row.cgns and row.yaml into a folder. n: cells along an edge; the mesh has about n^3 cells, and
 * a multiple of eight along each edge of a zone. */
int an_bench_row_write(const char *folder, int n);

#endif

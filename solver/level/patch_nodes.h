/* Corners and centres of the faces of a window, from the mesh. Not collective; mesh open. */
#ifndef AN_SOLVER_PATCH_NODES_H
#define AN_SOLVER_PATCH_NODES_H

#include "io/mesh.h"

/* Faces of a window. */
int64_t an_patch_faces(const struct an_window *w);
/* The patch that a window, in cells of its zone, lies in. */
int an_patch_of(const struct an_topology *t, const struct an_window *w);
/* Numbers of the faces of a window in its patch, whose first face has the number `first`; of window and patch a runs
 * fastest. */
void an_patch_numbers(const struct an_patch *patch, const struct an_window *w, int64_t first,
                      int64_t *number);
/* Nodes of a window of zone w->block into x[3][nb + 1][na + 1], m, malloc'ed, the caller's; a and b
 * run along the directions that follow the window's cyclically. */
int an_patch_nodes(const struct an_mesh *mesh, const struct an_window *w, double **x);
/* The same, `depth` layers of cells below the window, 0 to 2: in a zone of one cell the second layer is that of the
 * neighbour behind; where there is none, as deep as the zone is. */
int an_patch_nodes_below(const struct an_mesh *mesh, const struct an_window *w, int depth,
                         double **x);
/* Nodes at index `layer` of the direction of window w, one beyond the face that interface f stands on, into x as
 * an_patch_nodes has them: those of the cells that w and the interface have in common. Others stay as they are. */
int an_patch_nodes_behind(const struct an_mesh *mesh, const struct an_window *w, int layer,
                          const struct an_interface *f, double *x);
/* Centres of the faces, a fastest: means of their corners. */
int an_patch_centres(const struct an_mesh *mesh, const struct an_window *w, double (*centre)[3]);
/* Points of a wall before the centres of its first cells, a fastest: where the residual takes the wall's velocity
 * (solver/level/geometry.h). */
int an_patch_feet(const struct an_mesh *mesh, const struct an_window *w, double (*foot)[3]);
/* What the faces sweep outwards, a fastest, if they turn by 1 rad about the x axis: m3, exactly as face_sweep.stencil
 * has it. */
int an_patch_sweeps(const struct an_mesh *mesh, const struct an_window *w, double *sweep);

#endif

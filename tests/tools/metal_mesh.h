// The metal of a blade as tests measure it: volumes of cells, nodes and areas of boundaries, distances from straight holes.
#ifndef AN_TESTS_METAL_MESH_H
#define AN_TESTS_METAL_MESH_H

#include "mesh_file.h"

struct vec3 {
    double x[3];
};

struct vec3 in_space(double x, double r, double theta);

double inner(const double *a, const double *b);

// A straight hole: its axis, and the radii at its ends.
struct tube {
    struct vec3 from, way; // way: to the other end
    double radius[2];
};

// A tube, and the largest distance of nodes from its wall.
struct on_tube {
    struct tube tube;
    double off;
};
void take_off_tube(void *of, const double *x); // for each_node; of: a struct on_tube

// Sum over all cells of the mean volumes of their corners; every corner has to have a positive one.
double metal_volume(const struct mesh *m);
// Calls node(of, x), if there is one, for the nodes of all patches of a family, and adds the areas of their faces. Returns
// the number of patches.
int each_node(const struct mesh *m, const char *name, void (*node)(void *, const double *),
              void *of, double *area);

#endif

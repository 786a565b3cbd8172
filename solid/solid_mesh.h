/* The mesh of a solid: the nodes and hexahedra of structured zones, joined at their one-to-one interfaces.
 *
 * A point is a node of a zone, node (i, j, k) of zone z having the number zone[z].first + (k (nj + 1) + j) (ni + 1) + i.
 * Points that an interface joins are one unknown, also across a period: a temperature is the same on both sides. */
#ifndef AN_SOLID_MESH_H
#define AN_SOLID_MESH_H

#include "io/mesh.h"

#include <stdint.h>

struct an_solid_zone {
    char name[AN_NAME];
    int n[3];      /* cells */
    int64_t first; /* of its points */
    int place;     /* among the zones as the mesh's file lists them, from 0 */
};

/* A face of the surface: its corners around it, points, so that their order turns about the normal out of the solid. */
struct an_solid_face {
    int32_t corner[4];
    int32_t boundary;
};

struct an_solid_mesh {
    int nzone, nboundary;
    struct an_solid_zone *zone; /* [nzone]; owned */
    char (*boundary)[AN_NAME];  /* [nboundary]; owned */
    int64_t npoint, nface, ncell;
    double (*x)[3];   /* [npoint] m; owned */
    int32_t *unknown; /* [npoint] of each point; owned */
    int32_t nunknown;
    struct an_solid_face *face; /* [nface]; owned */
};

/* From a mesh that is open. AN_INPUT, naming the zone, for cells of negative volume and for interfaces that do not
 * match. Not collective. */
int an_solid_mesh_new(const struct an_mesh *mesh, struct an_solid_mesh *m);
void an_solid_mesh_free(struct an_solid_mesh *m);

/* The eight points of cell (i, j, k) of a zone: corner a + 2 b + 4 c is node (i + a, j + b, k + c). */
void an_solid_cell(const struct an_solid_zone *zone, int i, int j, int k, int64_t point[8]);
/* Area of a face times its normal out of the solid, m2. */
void an_solid_face_vector(const struct an_solid_mesh *m, const struct an_solid_face *f,
                          double s[3]);

#endif

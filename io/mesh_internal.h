/* Shared by the parts of the mesh reader. Ranges are vertices from 0, first <= last. */
#ifndef AN_IO_MESH_INTERNAL_H
#define AN_IO_MESH_INTERNAL_H

#include <cgnslib.h>

#include "io/mesh.h"

/* A patch that the file averages into another zone. */
struct mesh_plane {
    char name[AN_NAME]; /* of the connection */
    struct an_window window;
    int donor; /* zone */
};

struct mesh_reader {
    struct an_mesh *m;
    struct an_diag *diag;
    int fn, base;
    double to_radians;   /* of angles, by the file's units; 0: not given */
    const char **sorted; /* names of zones in order, for mesh_find_zone */
    int patch_capacity, interface_capacity, boundary_capacity;
    int nplane, plane_capacity;
    struct mesh_plane *plane; /* owned */
    char where[1200];
};

/* "file: zone 'x'", or with node: "file: zone 'x', 'node'". Valid until the next call. */
const char *mesh_where(struct mesh_reader *r, int zone, const char *node);

/* After a library call failed: an error with the library's text; returns AN_INPUT. */
int mesh_library_error(struct mesh_reader *r, const char *where, const char *doing);

/* Coordinates without the library (mesh_values.c); open keeps no pointer to m. read: 1, or 0 where
 * the file is not of that kind. library: the file's handle of the CGNS library then. */
int mesh_values_open(const struct an_mesh *m, struct an_mesh_values **values);
void mesh_values_close(struct an_mesh_values *values);
int mesh_values_read(const struct an_mesh *m, int zone, const char *name, const int lo[3],
                     const int hi[3], double *x);
int mesh_values_library(const struct an_mesh *m, int *fn);

int mesh_read_units(struct mesh_reader *r);
int mesh_read_zones(struct mesh_reader *r);
int mesh_find_zone(const struct mesh_reader *r, const char *name); /* -1: none */

/* Reads index_dim entries per corner; adds the k direction of 2-D zones (0..1). */
void mesh_range_corners(const struct an_mesh *m, const cgsize_t *range, cgsize_t begin[3],
                        cgsize_t end[3]);

/* Which faces of n cells the vertex box begin..end (any order) lies on. Returns the number of
 * constant directions, or -1 outside the zone, -2 a plane inside it; window is set when it is 1. */
int mesh_face_of_range(const int n[3], const cgsize_t begin[3], const cgsize_t end[3],
                       struct an_window *w);

int mesh_read_bocos(struct mesh_reader *r, int zone);
int mesh_read_connections(struct mesh_reader *r, int zone);
int mesh_complete_interfaces(struct mesh_reader *r); /* adds sides that the file leaves out */
int mesh_check_handedness(struct mesh_reader *r);

/* Periodic_t as it stands in the file: from this interface to the donor. */
struct mesh_periodic {
    int given;
    double center[3], angle[3], translation[3]; /* metres, file's angle unit */
    double to_radians;                          /* 0: the file does not say */
};

/* Compares the nodes of both sides and sets rotation and translation of f from p. */
int mesh_match_nodes(struct mesh_reader *r, struct an_interface *f, const struct mesh_periodic *p);

/* The boundary of that name, new if need be. */
int mesh_boundary(struct mesh_reader *r, int zone, const char *name, enum an_bc_type type,
                  int is_family);
int mesh_add_patch(struct mesh_reader *r, const struct an_window *w, int boundary);
int mesh_add_interface(struct mesh_reader *r, const struct an_interface *f);
int mesh_add_plane(struct mesh_reader *r, const struct mesh_plane *p);
/* Makes boundaries of the planes, paired side by side. After mesh_complete_interfaces. */
int mesh_pair_planes(struct mesh_reader *r);

#endif

/* Shared by the parts of the mesh reader. Ranges are vertices from 0, first <= last. The files call
 * one another downwards only, in this order:
 *
 *   mesh.c            opens a mesh: the probe, the order of the steps below, the hash
 *   mesh_planes.c     mixing planes: pairs of boundaries
 *   mesh_families.c   conditions that say the same as connections, or take their place
 *   mesh_abut.c       abutting interfaces: pairs of boundaries, their motion
 *   mesh_join.c       one-to-one interfaces, patches of mixing planes and abutting interfaces, from the
 *                     file's connections
 *   mesh_boco.c       boundary conditions and their families
 *   mesh_points.c     points of conditions and of abutting interfaces
 *   mesh_geometry.c   what the coordinates must agree with
 *   mesh_zone.c       the base, zones, how they turn, coordinates
 *   mesh_values.c     values of coordinates from the file
 *   cgns_units.c      values in SI units
 *   cgns_tree.c       the nodes of the file
 *   mesh_reader.c     beginnings of messages; lists of patches, interfaces, planes and boundaries
 */
#ifndef AN_IO_MESH_INTERNAL_H
#define AN_IO_MESH_INTERNAL_H

#include <cgnslib.h>

#include "io/cgns_tree.h"
#include "io/cgns_units.h"
#include "io/mesh.h"

/* A patch that the file averages into another zone. */
struct an_mesh_plane {
    char name[AN_NAME]; /* of the connection */
    struct an_window window;
    int donor; /* zone */
};

/* Periodic_t as it stands in the file: from this interface to the donor. */
struct an_mesh_periodic {
    int given;
    double center[3], angle[3], translation[3]; /* metres, file's angle unit */
    double to_radians;                          /* 0: the file does not say */
};

/* A connection of type Abutting, and the windows of its faces. */
struct an_mesh_abut {
    char name[AN_NAME];
    int zone, donor;
    struct an_mesh_periodic periodic;
    int nwindow;
    struct an_window *window; /* owned */
};

struct an_mesh_reader {
    struct an_mesh *m;
    struct an_diag *diag;
    struct an_cgns_node *root; /* owned */
    const char *wanted;        /* name of the base that is to be read; "": the only one */
    const struct an_cgns_node *base;
    const struct an_cgns_node **zone; /* [nblock], in the order of their names; owned */
    int patch_capacity, interface_capacity, boundary_capacity;
    int nplane, plane_capacity;
    struct an_mesh_plane *plane; /* owned */
    int nabut, abut_capacity;
    struct an_mesh_abut *abut; /* owned, with their windows */
    char where[1200];
};

/* "file: zone 'x'", or with node: "file: zone 'x', 'node'". Valid until the next call. */
const char *an_mesh_where(struct an_mesh_reader *r, int zone, const char *node);

/* A node has other numbers than it must have: an error that says so. */
void an_mesh_wrong_numbers(struct an_mesh_reader *r, const char *where,
                           const struct an_cgns_node *node, int want);

/* Coordinates of nodes lo <= . < hi as they stand in the file m->fn (mesh_values.c); open keeps no pointer to m. */
int an_mesh_values_open(const struct an_mesh *m, struct an_mesh_values **values);
void an_mesh_values_close(struct an_mesh_values *values);
int an_mesh_values_read(const struct an_mesh *m, int zone, int axis, const int lo[3],
                        const int hi[3], double *x);

/* The family of a path: of its name, of names from the base down (with or without the base), or the only one of that name in
 * other families; NULL: none. */
const struct an_cgns_node *an_mesh_family(const struct an_mesh_reader *r, const char *path);
/* The child with that label of the family, or else of the nearest family around it; NULL: none. */
const struct an_cgns_node *an_mesh_family_child(const struct an_mesh_reader *r,
                                                const struct an_cgns_node *family,
                                                const char *label);
/* The name of a boundary or row of that family: the last of the path, or where several families have it, all names from the base
 * down, joined by '_'. */
void an_mesh_family_name(const struct an_mesh_reader *r, const char *path, char *name, size_t size);

int an_mesh_find_base(struct an_mesh_reader *r);
int an_mesh_read_zones(struct an_mesh_reader *r);
int an_mesh_find_zone(const struct an_mesh_reader *r, const char *name); /* -1: none */

/* Reads index_dim entries per corner; adds the k direction of 2-D zones (0..1). */
void an_mesh_range_corners(const struct an_mesh *m, const int64_t *range, int64_t begin[3],
                           int64_t end[3]);

/* Which faces of n cells the vertex box begin..end (any order) lies on. Returns the number of
 * constant directions, or -1 outside the zone, -2 a plane inside it; window is set when it is 1. */
int an_mesh_face_of_range(const int n[3], const int64_t begin[3], const int64_t end[3],
                          struct an_window *w);

/* Brings a range of face or cell centres to vertices: the direction across the face keeps its
 * vertex plane, the others gain one vertex. Returns 0 if the location says nothing of use. */
int an_mesh_centres_to_vertices(const int n[3], CGNS_ENUMT(GridLocation_t) location,
                                int64_t begin[3], int64_t end[3], int dimension);

int an_mesh_read_bocos(struct an_mesh_reader *r, int zone);
int an_mesh_read_connections(struct an_mesh_reader *r, int zone);
int an_mesh_complete_interfaces(struct an_mesh_reader *r); /* adds sides that the file leaves out */
int an_mesh_check_handedness(struct an_mesh_reader *r);
/* Reverses the direction k of left-handed zones in all that was read. After an_mesh_read_connections of all zones. */
void an_mesh_reverse(struct an_mesh_reader *r);

/* Compares the nodes of both sides and sets rotation and translation of f from p. */
int an_mesh_match_nodes(struct an_mesh_reader *r, struct an_interface *f,
                        const struct an_mesh_periodic *p);
/* Is there a rotation about another line than the x axis? Then an error that names it. */
int an_mesh_turns_elsewhere(struct an_mesh_reader *r, const char *where,
                            const struct an_mesh_periodic *p);
/* Rotation, translation and kind of a motion x_here = R x_donor + t as the file gives it: way 0 as it
 * stands; 1 the other sign; 2, 3 the same in the other unit of angles. *snapped: the angle is a part of
 * the circle. Returns 0 where this way is none of its own. */
int an_mesh_motion(const struct an_mesh_periodic *p, int way, struct an_interface *f, int *snapped);
/* Warnings where a way other than the file's brought the sides together, or the angle is no part. */
void an_mesh_tell_motion(struct an_mesh_reader *r, const char *where,
                         const struct an_mesh_periodic *p, int way, const struct an_interface *f,
                         int snapped);

/* The node below a condition or connection that names its points, its location, and of which kind it is; NULL: there is
 * none. Lists of elements of structured zones are lists of face centres. */
struct an_mesh_points {
    const struct an_cgns_node *node;
    int is_range;  /* two corners, or a list */
    int64_t count; /* of points, each of index_dim numbers; 0: the node has not as many numbers */
    int location;  /* GridLocation_t; -1 */
};
struct an_mesh_points an_mesh_points_of(const struct an_mesh *m, const struct an_cgns_node *owner);
/* The faces of zone a->zone that a connection's points name, as windows. Returns 0, with a message,
 * where there are none. mesh_points.c */
int an_mesh_point_set(struct an_mesh_reader *r, const struct an_mesh_points *p,
                      struct an_mesh_abut *a);
/* The rectangle of a face that a list of points fills. Returns 0, with a message, where it fills none. */
int an_mesh_point_rectangle(struct an_mesh_reader *r, const char *where, int zone,
                            const struct an_mesh_points *p, struct an_window *w);
/* Rectangles of the cells of mark[nb][na] that are `value`, as windows on face (dir, side) of a zone;
 * they are taken out of mark. Adds to *list; AN_FAIL: out of memory. */
int an_mesh_rectangles(const int n[3], const struct an_window *face, int *mark, int value,
                       struct an_window **list, int *count);
/* Appends a connection, whose windows become the reader's. */
int an_mesh_add_abut(struct an_mesh_reader *r, const struct an_mesh_abut *a);
/* Periodic sides, planes between rows and conditions on connected faces, by the names of families. After
 * mesh_complete_interfaces, before mesh_pair_abutting. */
int an_mesh_join_families(struct an_mesh_reader *r);
/* Middle by area of a boundary's faces, metres. */
int an_mesh_side_middle(const struct an_mesh *m, int boundary, double middle[3]);
/* Angle about x, radians, from one middle to another, as a part of the circle; 0: they are no such part apart. */
int an_mesh_part_of_circle(const double from[3], const double to[3], double *angle);
/* Makes boundaries of the abutting connections, paired side by side. After mesh_complete_interfaces. */
int an_mesh_pair_abutting(struct an_mesh_reader *r);

/* Index of the boundary of that name, which is added where there is none; -1 without memory. A family
 * (is_family) with two types loses its type, and the case file has to say it; a condition without
 * family whose name has another type elsewhere becomes a boundary of its own, "name:2". Both give a
 * warning. */
int an_mesh_boundary(struct an_mesh_reader *r, int zone, const char *name, enum an_bc_type type,
                     int is_family);
/* Append a copy to the list; AN_FAIL without memory. */
int an_mesh_add_patch(struct an_mesh_reader *r, const struct an_window *w, int boundary);
int an_mesh_add_interface(struct an_mesh_reader *r, const struct an_interface *f);
int an_mesh_add_plane(struct an_mesh_reader *r, const struct an_mesh_plane *p);
/* Makes boundaries of the planes, paired side by side. After mesh_complete_interfaces. */
int an_mesh_pair_planes(struct an_mesh_reader *r);

#endif

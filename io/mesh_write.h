/* Meshes out: topology and nodes into a CGNS file. For tools; one rank.
 *
 * Families carry the types of boundaries, patches their family, interfaces their transform and
 * Periodic_t, zones their family and RotatingCoordinates. Boundaries of type MIXING_PLANE whose
 * other side is named (an_boundary.with) become GridConnectivity_t, Abutting, with
 * AverageInterface_t Circumferential, which name one zone of the other side; those of type ABUTTING
 * become the same without AverageInterface_t, with their Periodic_t. What mesh_write writes
 * an_mesh_open reads back.
 */
#ifndef AN_IO_MESH_WRITE_H
#define AN_IO_MESH_WRITE_H

#include "io/mesh.h"

/* AN_INPUT where both are one file or folder, under whatever names: for outputs beside inputs. */
int an_mesh_write_apart(const char *path, const char *input);
enum { AN_MESH_GAS = 1 }; /* number of the base that a new file has */
/* A new file, path.part for now, with a base of SI units; *fn: CGNS handle. */
int an_mesh_write_new(const char *path, int *fn);
/* Another base of SI units; *base: its number. */
int an_mesh_write_base(int fn, const char *name, int *base);
/* Closes it. With status AN_OK, and all written, it gets its name; else it goes, and what was there
 * stays: the status, or AN_FAIL. */
int an_mesh_write_end(const char *path, int fn, int status);
/* Families of the boundaries, in a base of the file. */
int an_mesh_write_families(int fn, int base, const struct an_topology *t);
/* Zone z with nodes x[3][nk+1][nj+1][ni+1], m, patches and interfaces. Several topologies may go
 * into one base as long as no names clash. */
int an_mesh_write_zone(int fn, int base, const struct an_topology *t, int z, const double *x);
/* Parts of it, for zone number `zone` of the base: the interfaces of zone z; that it turns, rad/s about x. */
int an_mesh_write_interfaces(int fn, int base, const struct an_topology *t, int z, int zone);
int an_mesh_write_rotation(int fn, int base, int zone, double omega);

#endif

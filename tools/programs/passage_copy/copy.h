/* Parts of passage_copy: one passage of each row -> several, side by side. */
#ifndef AN_PASSAGE_COPY_H
#define AN_PASSAGE_COPY_H

#include "io/mesh.h"

/* How a mesh is copied. Copy 0 lies where the passage lies, copy c turned by c pitches. */
struct copies {
    int *row;      /* [zones] the lowest zone of its row: zones that interfaces hang together */
    int *count;    /* [zones] copies of it */
    int *first;    /* [zones] its copy 0 in the new topology */
    double *pitch; /* [zones] rad, > 0 */
};

/* How many passages a row shall have. */
struct copies_wish {
    const char *row; /* name of a zone or family, or the beginning of names of zones, up to an
                      * underscore; "": all rows */
    int n;
};

/* As many passages of each row as the last wish for it says, or, without one, the full annulus.
 * AN_INPUT where a row does not repeat by rotation about x, does not hold as many, or is not
 * there. */
int copies_new(const struct an_mesh *m, int nwish, const struct copies_wish *wish,
               struct copies *c);
/* The metal beside the gas, the base `Solid` of its file: as many copies as the row of the gas has, whose node lies nearest, in x
 * and radius, to the mean node of zones of the metal that interfaces hang together. Both meshes are open. */
int copies_metal(const struct an_mesh *gas, const struct copies *of_gas,
                 const struct an_mesh *metal, struct copies *c);
void copies_free(struct copies *c);
/* The new topology: zone `b` becomes `b_p1`, `b_p2`, ... of the family of b, or b if it has none;
 * boundaries keep their names, interfaces between copies are one to one. */
int copies_topology(const struct an_topology *t, const struct copies *c, struct an_topology *new);

/* Vectors [n] of y and z, turned by an angle. */
void copies_turn(double angle, int64_t n, double *y, double *z);

/* The snapshot `from` of the mesh `old` for all copies, into `folder`; its name goes to path[1024].
 * copied: the file of the new mesh. MPI is on, one rank. */
int copies_snapshot(const struct an_mesh *old, const struct copies *c, const char *copied,
                    const char *from, const char *folder, char *path);

#endif

/* CGNS meshes as tests see them: read through the library, every statement checked node by node.
 */
#ifndef AN_TESTS_MESH_FILE_H
#define AN_TESTS_MESH_FILE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cgnslib.h>
#include <cmocka.h>

enum { MAX_ZONES = 40, FACE_CELLS = 250000 };

struct zone {
    char name[33];
    cgsize_t n[3];
    double *x[3];
    unsigned char *cover; /* [6][FACE_CELLS] how often a face cell is claimed */
};

struct mesh {
    int file, base, zones;
    struct zone z[MAX_ZONES];
    double pitch; /* periodic: translation in y, m, ... */
    double turn;  /* ... or rotation about x, rad */
};

/* The only base of a file, or base number `base`, from 1, of as many as `of`. */
void mesh_open(struct mesh *m, const char *path);
void mesh_open_base(struct mesh *m, const char *path, int base, int of);
void mesh_close(struct mesh *m);
size_t at(const struct zone *z, const cgsize_t i[3]);
int zone_named(const struct mesh *m, const char *name);
/* All interfaces and patches: both directions, transforms, nodes equal to `apart` metres, every
 * face cell claimed once. Returns the number of periodic interfaces. */
int check_links(struct mesh *m, double apart);

#endif

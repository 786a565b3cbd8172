// The numbers of a PLOT3D file in its order, from text or from an unformatted file.
#ifndef MESH_PLOT3D_NUMBERS_H
#define MESH_PLOT3D_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

// One number of the file, as often as it stands there: n*v is one run. So memory follows the length
// of the file, and a count without measure is only ever compared with the grid's sizes.
struct run {
    double v;
    size_t end; // numbers of the file up to the end of this run
};

struct numbers {
    size_t n; // of the file
    size_t runs, capacity;
    struct run *run;   // owned
    size_t first_line; // numbers on the first line (or in the first record) that has any
    // Do the coordinates of a 3-D block stand plane by plane, x, y and z of k = 1, then those of k = 2?
    enum { PLANES_UNKNOWN, PLANES_NO, PLANES_YES } planes;
};

int numbers_append(struct numbers *s, double v, size_t times); // EXIT_DONE or EXIT_FAILED

// binary.c: unformatted PLOT3D. Finds out whether Fortran's record markers (4 or 8 bytes) part it,
// the byte order, single or double precision, and the form; dimension: 2, 3, or 0 to find out.
// iblank values follow the coordinates of their block or plane.
int binary_read(struct numbers *s, const char *path, const unsigned char *bytes, size_t n,
                int dimension);
// Most numbers that sizes at the beginning of an unformatted file may ask for, whichever form it has; 0: none.
size_t binary_stated(const unsigned char *bytes, size_t n);

#endif

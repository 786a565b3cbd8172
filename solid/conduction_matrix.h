/* The matrix of steady conduction in a solid by trilinear finite elements (conduction.h), and symmetric matrices by rows. */
#ifndef AN_SOLID_CONDUCTION_MATRIX_H
#define AN_SOLID_CONDUCTION_MATRIX_H

#include "solid/solid_mesh.h"

/* A symmetric matrix by rows. */
struct an_rows {
    int32_t n;
    int64_t *first;  /* [n + 1] */
    int32_t *column; /* [first[n]], ascending in a row */
    double *value;   /* [first[n]] */
};

void an_rows_free(struct an_rows *k);
/* Where the value of a column stands, which the row must have. */
double *an_rows_entry(struct an_rows *k, int32_t row, int32_t column);
/* Sorts a list and leaves out what is there twice; returns its length. */
int32_t an_rows_unique(int32_t n, int32_t *list);

/* K of conduction.h, and the volume of each unknown: (*volume)[nunknown] m3, the integral of N_i; both are the caller's, also
 * after an error. AN_INPUT, naming zone and cell, where a cell is so skewed that it is folded at a point of Gauss. Not
 * collective. */
int an_conduction_matrix(const struct an_solid_mesh *m, struct an_rows *k, double **volume);

#endif

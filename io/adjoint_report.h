/* adjoint.json: figures, their gradients by keys of the case, and how well the adjoint was solved. */
#ifndef AN_IO_ADJOINT_REPORT_H
#define AN_IO_ADJOINT_REPORT_H

#include "kernels/base/error.h"

struct an_adjoint_key {
    const char *name; /* "boundaries.inlet.p0" */
    int n;            /* numbers: 1, or those of a list */
    const double *value;
    const double *gradient; /* [nfigure][n] figure per unit of the key */
};

struct an_adjoint_report {
    const char *snapshot, *version;
    int nfigure;
    const char *const *figure; /* [nfigure] names */
    const double *value;       /* [nfigure] */
    const double *left;        /* [nfigure] what the residual that is left would move them by */
    int nkey;
    const struct an_adjoint_key *key; /* [nkey] */
    int64_t cells;
    double residual_first, residual_last; /* before and after the Newton steps */
    int newton_steps, evaluations, iterations;
    double adjoint_residual, matrix_check;
    double linearise_s, factor_s, solve_s, nodes_s, bytes;
};

/* Writes PATH whole, or leaves an older one. */
int an_adjoint_report_write(const char *path, const struct an_adjoint_report *r);

#endif

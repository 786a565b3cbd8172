/* The residual of a steady flow as a function of its state, found by the code that marches: state of the cells in,
 * ghost cells, residuals of the flow and of the turbulence out, and what the faces of each cell add to figures.
 *
 * Unknowns of a cell: rho, rho u, rho v, rho w, rho E and, with Spalart-Allmaras, nu tilde. Residuals are sums of the
 * outward fluxes less the sources (fields R and RT), in the units of these. Targets (targets.h) stand behind the cells.
 * Vectors are [rows][nv], rows: cells, then targets. Collective. */
#ifndef AN_ADJOINT_RESIDUAL_H
#define AN_ADJOINT_RESIDUAL_H

#include "solver/adjoint/cells.h"
#include "solver/adjoint/figures.h"
#include "solver/adjoint/targets.h"

struct an_adjoint_residual {
    struct an_solver *s;                     /* the caller's */
    const struct an_adjoint_cells *cells;    /* the caller's */
    const struct an_figure_weights *weights; /* the caller's; NULL: no figures */
    int64_t rows;
    int nv, nturb;
    int nfigure;
    double unit_q[AN_MOST_UNKNOWNS],
        unit_r[AN_MOST_UNKNOWNS]; /* sizes of unknowns and of residuals per area */
    double *state;                /* image of W, then of TURB, as the engine holds them; owned */
    struct an_adjoint_targets targets;
    double *block; /* [7][cells of the largest block]; owned */
};

/* After an error _free frees what was made. */
int an_adjoint_residual_new(struct an_solver *s, const struct an_adjoint_cells *cells,
                            struct an_adjoint_residual *a);
void an_adjoint_residual_free(struct an_adjoint_residual *a);
/* The state of the solver. */
int an_adjoint_state(struct an_adjoint_residual *a, double *q);
/* Makes q the state of the solver: r its residual. */
int an_adjoint_residual_of(struct an_adjoint_residual *a, const double *q, double *r);
/* The same, and measures it: r (NULL: not wanted) its residual, figure[cells][nfigure]
 * what each cell's faces add to the figures. */
int an_adjoint_evaluate(struct an_adjoint_residual *a, const double *q, double *r, double *figure);

#endif

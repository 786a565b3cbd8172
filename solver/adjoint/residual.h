/* The residual of a steady flow as a function of its state, found by the code that marches: state of the cells in,
 * ghost cells, residuals of the flow and of the turbulence out, and what the faces of each cell add to figures.
 *
 * Unknowns of a cell: rho, rho u, rho v, rho w, rho E and, with Spalart-Allmaras, nu tilde, with SST k and omega. Residuals are sums of the
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
    struct an_adjoint_targets targets;
    /* Images of fields, as the engine holds them, in memory of its own: the state (W, then TURB) that was put last, and
     * residuals (R, then RT) of two evaluations. Unknown v of cell c stands at v ncell + element[c]. Owned. */
    int64_t ncell;
    int64_t *element; /* [cells] */
    double *state, *image[2];
    int shares;    /* 1: element and images belong to another */
    int disturbed; /* the unknown of which the engine holds other values than `state`; -1: none */
};

/* One unknown of some cells at q + sign step, vectors as q. */
struct an_adjoint_disturbance {
    int64_t n;
    const int32_t *cell; /* [n] */
    int unknown;
    double sign;
    const double *q, *step;
};

/* After an error _free frees what was made. */
int an_adjoint_residual_new(struct an_solver *s, const struct an_adjoint_cells *cells,
                            struct an_adjoint_residual *a);
/* The same of another solver with the same cells, which shares all but the targets with `of`, and is done before it. */
int an_adjoint_residual_like(struct an_solver *s, const struct an_adjoint_residual *of,
                             struct an_adjoint_residual *a);
void an_adjoint_residual_free(struct an_adjoint_residual *a);
/* The state of the solver. */
int an_adjoint_state(struct an_adjoint_residual *a, double *q);
/* Makes q the state of the solver. */
int an_adjoint_put(struct an_adjoint_residual *a, const double *q);
/* The state that was put, but for a disturbance of it, becomes the state of the solver. */
int an_adjoint_disturb(struct an_adjoint_residual *a, const struct an_adjoint_disturbance *d);
/* The residual of the state of the solver into image[side], or with side -1 into the engine alone; figure[cells][nfigure]:
 * as an_adjoint_evaluate, but what the monitors know stays, and cells without a face that figures depend on are left as they are; or NULL. */
int an_adjoint_find(struct an_adjoint_residual *a, int side, double *figure);
/* The component of an unknown in the engine: of the state, or of the residual. */
double *an_adjoint_field(const struct an_adjoint_residual *a, int residual, int unknown);
/* Makes q the state of the solver: r its residual. */
int an_adjoint_residual_of(struct an_adjoint_residual *a, const double *q, double *r);
/* The same, and measures it: r (NULL: not wanted) its residual, figure[cells][nfigure]
 * what each cell's faces add to the figures. */
int an_adjoint_evaluate(struct an_adjoint_residual *a, const double *q, double *r, double *figure);

#endif

/* A discrete adjoint of a settled steady flow.
 *
 * R(Q, a) is the residual of the discrete flow Q with data a (values of boundaries, speeds of rotation, nodes of the
 * mesh), F(Q, a) a figure of the monitors. Where R = 0 holds for all a,
 *
 *     dF/da = dF/da|_Q - lambda^T dR/da|_Q,     (dR/dQ)^T lambda = (dF/dQ)^T
 *
 * (Giles and Pierce 2000). All derivatives are those of the very code that computes the flow; nothing is frozen: the
 * turbulence and the wall functions are part of Q and R, and so are the targets of mixing planes (targets.h).
 *
 *     an_adjoint_new ...... graph of cells, state, figures
 *     an_adjoint_settle ... Newton steps until the residual is that of rounding, or falls no more
 *     an_adjoint_solve .... derivatives, lambda, and lambda^T R: by how much the residual that is left moves a figure
 *     an_adjoint_moved .... does it move one by more than a part of it? Then the flow has to be settled, and lambda found anew
 *     gradients: inputs.h, nodes.h
 *
 * All functions are collective over the solver's communicator, unless they say otherwise. A rank has vectors of its own
 * cells; targets, which stand behind them, are the same on all ranks (ranks.h, block_matrix.h). */
#ifndef AN_ADJOINT_ADJOINT_H
#define AN_ADJOINT_ADJOINT_H

#include "solver/adjoint/block_card.h"
#include "solver/adjoint/jacobian.h"

#include <stdio.h>

struct an_adjoint_stats {
    double
        residual; /* largest residual of the state as it was given, over unit_r and the area of a face of the largest cell ... */
    double settled;  /* ... and after the Newton steps */
    int newton;      /* Newton steps */
    int evaluations; /* of the residual, in all */
    int iterations;  /* of GMRES, of all figures */
    double reached;  /* the largest |(dR/dQ)^T lambda - dF/dQ| / |dF/dQ| of a figure */
    double check;    /* |(dR/dQ) v - difference of R along v| / |(dR/dQ) v| of a vector v */
    double linearise_s, factor_s, solve_s;
    double bytes; /* of matrix, factors and vectors of GMRES, of all ranks */
};

struct an_adjoint {
    struct an_solver *s; /* the caller's */
    int nv, nfigure;
    double
        area; /* m2, of a face of the largest cell, as if it were a cube: largest residuals are over it, whatever the size of the mesh */
    struct an_adjoint_cells cells;
    struct an_adjoint_residual residual;
    struct an_lists pattern; /* of the matrix, if there are targets; else that of the cells */
    struct an_adjoint_figure *figure; /* [nfigure]; owned */
    struct an_figure_weights weights;
    struct an_block_matrix jacobian; /* in the units of `residual` */
    struct an_block_factor factor;   /* of the matrix of the scheme of first order */
    struct an_block_card card; /* where the engine has memory of its own, in use by `jacobian` */
    int fresh;                 /* iterations of GMRES when the factors were new; 0: not known yet */
    int worn;                  /* 1: it takes many more by now */
    int current;               /* 1: the matrix is that of q */
    double *q;                 /* [rows][nv] the state; owned */
    double *gradient;          /* [nfigure][rows][nv] dF/dQ, times the units of Q; owned */
    double *lambda;            /* [nfigure][rows][nv], times the units of R; owned */
    double *
        left; /* [nfigure] change of the figure if the residual that is left went to zero, to first order; owned */
    FILE *progress; /* a line for each Newton step goes there; NULL: no lines; the caller's */
    struct an_adjoint_stats stats;
};

/* AN_INPUT, in plain words, where the case has what the adjoint cannot linearise yet. Not collective. */
int an_adjoint_check(const struct an_solver *s);
/* Of the present state of the solver, in double precision. *a is the caller's to free, after an error, too. */
int an_adjoint_new(struct an_solver *s, int nfigure, const char *const *figure,
                   struct an_adjoint *a);
void an_adjoint_free(struct an_adjoint *a);
/* The largest residual, as stats.residual has it, of a flow whose gradients count as those of the settled flow once steps were made. */
#define AN_ADJOINT_SETTLED 1e-4
/* Newton steps until the largest residual is below `residual`, or falls slowly and is at most AN_ADJOINT_SETTLED, or falls by less than 5 %; at
 * most `most`, and none with 0, which only finds the residual. */
int an_adjoint_settle(struct an_adjoint *a, double residual, int most);
/* Linearises about the state, and solves for lambda of each figure; GMRES starts from the lambda of an earlier state or of a
 * file (files.h), unless zero leaves a smaller residual. AN_DIVERGED where GMRES does not reach `tolerance`; lambda is that of its last
 * iteration then. */
int an_adjoint_solve(struct an_adjoint *a, double tolerance);
/* The figure that the residual that is left moves most, as a part of the figure; -1: none by more than `part`. A figure that is
 * a small difference of what faces add may move by `part` / 100 of their sum without signs, too. Not collective. */
int an_adjoint_moved(const struct an_adjoint *a, double part);

/* Where data change that are not unknowns, equations of targets change by what the faces of rings add, as figures do. The
 * derivatives of lambda^T G by the sums of rings, to[nfigure][nsum][AN_NTARGET_SUM]. Not collective. */
void an_adjoint_by_sums(const struct an_adjoint *a, double *to);
/* Takes what the faces of the last measurement add to lambda^T G from figure[cells][nfigure]. Not collective. */
void an_adjoint_less_targets(const struct an_adjoint *a, const double *by_sums, double *figure);

/* How well the matrix agrees with a difference of the residual along a vector in which all cells take part, into
 * stats.check; an_adjoint_solve does it, too. */
int an_adjoint_check_matrix(struct an_adjoint *a);

#endif

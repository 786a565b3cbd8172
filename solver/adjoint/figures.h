/* Figures that an adjoint is asked for: those that the monitors print, by the names of their columns, linearised about
 * the present flow.
 *
 * A figure is a function of sums over boundary faces (solver/monitor/performance.h). Its derivatives by these sums,
 * which central differences of the very function find, are the weights with which each face counts, so that
 *
 *     dF = sum over faces f, sums n of w_n d term_n(f) */
#ifndef AN_ADJOINT_FIGURES_H
#define AN_ADJOINT_FIGURES_H

#include "solver/level/level.h"

struct an_adjoint_figure {
    char name[96];   /* as asked for */
    int row, column; /* of struct an_performance; row < 0: coefficient `column` */
    double value;
    double
        size; /* sum of what the faces of each cell add, without signs: of what the figure may be a difference */
    int solved; /* 1: GMRES has reached its tolerance */
};

/* The derivatives of nfigure figures by the sums of a measurement. */
struct an_figure_weights {
    int nfigure, ntotal;
    const struct an_adjoint_figure *figure; /* the caller's */
    double *weight;                         /* [nfigure][ntotal]; owned */
};

/* Finds a figure by its name: the column of history.csv without its unit, or a part of it that is its own: "efficiency",
 * "loss_by_mass", "rotor1.torque_walls", or a coefficient of forces, "drag". AN_INPUT where there is none, with those that there are. Not collective. */
int an_figure_find(const struct an_solver *s, const char *name, struct an_adjoint_figure *f);
/* Its value of the last measurement. Not collective. */
double an_figure_value(const struct an_solver *s, const struct an_adjoint_figure *f);

/* Weights about the last measurement, and values. AN_INPUT where a figure is not a number. Not collective. */
int an_figure_weights_new(struct an_solver *s, int nfigure, struct an_adjoint_figure *figure,
                          struct an_figure_weights *w);
void an_figure_weights_free(struct an_figure_weights *w);

/* What the faces of each cell add in the last measurement: to[cells][nfigure]; first[blocks + 1]: the first cell of each
 * block. Not collective. */
void an_figures_by_cell(struct an_solver *s, const struct an_figure_weights *w,
                        const int64_t *first, double *to);
/* has[cells] becomes 1 where a figure depends on faces of the cell; the others are left as they are. Not collective. */
void an_figures_cells(struct an_solver *s, const struct an_figure_weights *w, const int64_t *first,
                      char *has);
/* Measures the faces that figures depend on, and no others, nor sums, of the state whose residual was the last to be computed;
 * then an_figures_by_cell of the cells with such faces; the others are left as they are. Not collective. */
int an_figures_measure(struct an_solver *s, const struct an_figure_weights *w, const int64_t *first,
                       double *to);

#endif

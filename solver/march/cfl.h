/* What the march in time keeps: its scheme, the CFL number it uses, recorded iterations. */
#ifndef AN_SOLVER_CFL_H
#define AN_SOLVER_CFL_H

#include "kernels/base/error.h"
#include "solver/march/controller.h"
#include "solver/march/graph.h"

struct an_solver;
struct an_component_type;

struct an_marching {
    int nstage;        /* Runge-Kutta stages and ... */
    double alpha[8];   /* ... their coefficients */
    int nstage_coarse; /* the same of coarse multigrid levels */
    double alpha_coarse[8];

    int start_diverged;        /* full multigrid diverged at the start: start.c */
    int64_t ramp_from;         /* iteration from which the ramp of the CFL number counts */
    struct an_control control; /* part of the case's CFL number that is used, and why */
    double before;             /* that part for steps from iterations up to ... */
    int64_t changed;           /* ... this one; < 0: it has not changed */

    int finest_free; /* march.cfl_finest no longer holds, because the march left a settled flow */

    double time_step; /* s, of the last step; unsteady runs */
    double limit;     /* s: time that the step under way must not pass; 0: none */
    struct an_graph graph;
    void *runtime; /* engine memory: of the finest level, of coarse levels; NULL: not needed */
    double runtime_holds[2][AN_NRUNTIME]; /* what it holds */
};

/* The part of every run that marches. */
extern const struct an_component_type an_march_component;
struct an_marching *an_marching_of(const struct an_solver *s);

/* CFL number of the next step: the ramp, from ramp_from on, to what caution leaves. */
double an_solver_cfl(const struct an_solver *s);
/* Does march.cfl_finest limit the CFL number of the finest level? */
int an_march_limits_finest(const struct an_solver *s);
/* Sets the parameters that change with the iteration. */
void an_solver_ramp(struct an_solver *s);
/* Tells the engine of parameters of AN_RUNTIME_LIST that have changed; before kernels read them. */
int an_march_set_runtime(struct an_solver *s);
/* No residuals are known; the CFL number is `caution` of the case's, from now on. */
void an_march_forget(struct an_marching *m, double caution);
/* The controller has just changed the CFL number after the line of the table of `iteration`. The change
 * holds for later iterations, because one step may be under way when the line is read. */
void an_march_changed(struct an_marching *m, double before, int64_t iteration);

#endif

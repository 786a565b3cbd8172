/* What the march in time keeps: its scheme, the CFL number it uses, recorded iterations. */
#ifndef AN_SOLVER_COURANT_H
#define AN_SOLVER_COURANT_H

#include "kernels/base/error.h"
#include "solver/march/replay.h"

struct an_solver;
struct an_part_type;

struct an_marching {
    int nstage;      /* Runge-Kutta stages and ... */
    double alpha[8]; /* ... their coefficients */

    int64_t ramp_from; /* iteration from which the ramp of the CFL number counts */
    double caution;    /* part of the case's CFL number that is used: recovery.h */
    struct {           /* what lowered the CFL number, and what may lower it again: recovery.h */
        double before; /* caution of steps from iterations up to ... */
        int64_t at;    /* ... this one */
        int64_t since; /* iteration of the first line of the window; < 0: none yet */
        double least, lately; /* least residuals before the window and in it; 0: none yet */
    } slow;

    double time_step; /* s, of the last step; unsteady runs */
    double limit;     /* s: time that the step under way must not pass; 0: none */
    struct an_replay replay;
};

/* The part of every run that marches. */
extern const struct an_part_type an_march_part;
struct an_marching *an_marching_of(const struct an_solver *s);

/* CFL number of the next step: the ramp, from ramp_from on, to what caution leaves. */
double an_solver_cfl(const struct an_solver *s);
/* Sets the parameters that change with the iteration. */
void an_solver_ramp(struct an_solver *s);
/* No residuals are known; the CFL number is `caution` of the case's, from now on. */
void an_march_forget(struct an_marching *m, double caution);

#endif

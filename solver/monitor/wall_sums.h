/* Sums of forces, heat and power over the viscous wall faces of a rank, window by window, from the
 * WALL values that the engine found (kernels/engine/work.h). A GPU computes the next cycle meanwhile,
 * and waits if this takes longer than the cycle: so faces are taken in blocks straight from the
 * engine's copy, each quantity in an array of its own, and their exact sums are those of arrays.
 * Not collective. The sums stand in struct an_walls. */
#ifndef AN_SOLVER_WALL_SUMS_H
#define AN_SOLVER_WALL_SUMS_H

#include "kernels/base/xsum.h"

#include <stdint.h>

struct an_solver;
struct an_walls;

/* Terms of a face. On the wall, but for POWER: work per second on the gas, as the energy fluxes of the residual
 * have it. */
enum {
    AN_WALL_SUM_AREA,  /* m2 */
    AN_WALL_SUM_FORCE, /* N, 3: friction and pressure */
    AN_WALL_SUM_FRICTION = AN_WALL_SUM_FORCE + 3,
    AN_WALL_SUM_TORQUE = AN_WALL_SUM_FRICTION + 3, /* N m, about x */
    AN_WALL_SUM_HEAT,                              /* W, from the gas */
    AN_WALL_SUM_POWER,                             /* W */
    AN_NWALL_SUM
};

/* Fills w->part and w->yplus from the image of the last measurement. */
void an_wall_sums_find(const struct an_solver *s, struct an_walls *w);
/* The terms of face k of window m of that measurement. */
void an_wall_terms(const struct an_solver *s, const struct an_walls *w, int m, int64_t k,
                   double term[AN_NWALL_SUM]);

#endif

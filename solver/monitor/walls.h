/* Forces and heat on the viscous walls of a run: per face and summed over each boundary.
 *
 * Forces act on the wall: friction is the viscous stress times area; force is friction plus the
 * absolute pressure times area. They are sums of the fluxes the residual has at the wall,
 * and exact (kernels/base/xsum.h): the same, bit for bit, on any number of ranks. The torque is
 * that of the force about the x axis, at the mean of the corners of each face. Heat is positive
 * from gas to wall.
 *
 * All functions are collective over the solver's communicator unless they say otherwise.
 */
#ifndef AN_SOLVER_WALLS_H
#define AN_SOLVER_WALLS_H

#include "io/history.h"
#include "kernels/engine/engine.h"
#include "solver/monitor/wall_sums.h"

struct an_solver;
struct an_component_type;

struct an_wall_sum {
    double area;        /* m2 */
    double force[3];    /* N, friction included */
    double friction[3]; /* N */
    double torque;      /* N m */
    double heat;        /* W */
    double yplus;       /* the largest, of the first cells' centres */
};

/* A wall patch of the mesh. Faces: a fastest, a and b along the two directions that follow the
 * window's cyclically. */
struct an_wall_patch {
    int boundary, zone, n[2];
    int64_t first; /* of its faces among those of all patches */
    double *x;     /* rank 0, where files are written: nodes [3][n[1] + 1][n[0] + 1], m; owned */
};

struct an_walls {
    int npatch;
    struct an_wall_patch *patch; /* [npatch] of the mesh, the same on all ranks but for x; owned */

    /* the faces of this rank */
    int nwindow;
    struct an_face_window *window; /* [nwindow]; owned */
    int64_t nface;
    struct an_faces *faces; /* of the engine */
    void *field;            /* engine memory: WALL */
    void *image[2]; /* page-locked: copies of it by turns, of the last measurement and of the one
                             * that is on its way; owned */
    int taken;      /* which of them belongs to the last measurement */
    int read;       /* 1: `value` holds the numbers of that one */
    int64_t *place; /* [nface] among those of all patches; owned */
    double (*centre)[3]; /* [nface] m; owned */
    double (*foot)[3]; /* [nface] m: point of the wall before the centre of the first cell; owned */
    double *sweep;     /* [nface] m3 per rad about the x axis, outwards; owned */
    double (*value)[AN_NCOMP_WALL];       /* [nface], by an_walls_values; owned */
    struct an_xsum (*part)[AN_NWALL_SUM]; /* [nwindow] of the last measurement; owned */
    double *yplus;                        /* [nwindow] the largest; owned */

    struct an_wall_sum *sum; /* [nboundary] of the last measurement, zero but on viscous walls */
    int64_t measured;        /* iteration of the last measurement, -1: none */
};

/* The part of a viscous run with viscous walls; it measures the state whose residual was the last
 * to be computed. */
extern const struct an_component_type an_walls_component;
/* Places of the faces anew, after nodes of the mesh were moved. Not collective. */
int an_walls_place(struct an_solver *s, struct an_walls *w);
/* NULL: there are no viscous walls. */
struct an_walls *an_walls_of(const struct an_solver *s);
/* WALL values of the faces of this rank, [nface], of the last measurement. There are viscous walls. Valid until the
 * next measurement is taken. Not collective. */
const double (*an_walls_values(const struct an_solver *s))[AN_NCOMP_WALL];
/* A measurement of these values alone, of the state whose residual was the last to be computed, in two parts; between them the
 * engine has to be waited for. Sums remain those of the last whole measurement. Not collective. */
int an_walls_values_start(struct an_solver *s);
void an_walls_values_take(struct an_solver *s);
/* Sums of the last measurement over n groups of faces, to[n]; group[nwindow] says the group of each window
 * of this rank. There are viscous walls. Collective. */
int an_walls_sum(struct an_solver *s, int n, const int *group, struct an_wall_sum *to);
/* Sums over all viscous walls, or over the slip walls (slip_walls.h) if there are no viscous walls; a
 * zero area if there are no walls. y+ of slip walls is NaN. Not collective. */
struct an_wall_sum an_walls_total(const struct an_solver *s);
/* The walls of the last measurement, viscous and slip walls, with names of the mesh: *wall malloc'ed,
 * owned by the caller. n: 0 before the first measurement. Not collective. */
int an_walls_report(const struct an_solver *s, int *n, struct an_wall_report **wall);

#endif

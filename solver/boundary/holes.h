/* Film-cooling holes of a wall that are not meshed: the gas of each jet enters the cells over its footprint.
 *
 *            y |   jet                 The program reads a list of holes (bc/hole_file.h) and finds the columns of cells over
 *              | ~~~~~~~               the faces of the wall that the footprint of each hole covers. Cell c of column f gets
 *              |~~~~~~                 the part  a_f / sum a  F(y_c, y_c+1) / F(0, y_top)  of the mass, momentum and energy,
 *       _______|\  \__________ wall    where a_f is the area of the face within the footprint and F the part that enters between
 *                \  \ hole             two heights (bc/hole_jet.h). All parts of a hole add up to 1, to rounding.
 *
 *     per second: mass m, energy m h0, momentum m (V t cos(alpha) + omega x r), turbulence m k or m nu tilde
 *
 * t is the direction of the jet along the wall. The wall takes up the normal momentum: the height at which the gas enters and the
 * turbulence that it brings (bc/hole_jet.h) stand for what this momentum does. V follows from the
 * mass flow, the area of the exit, T0 and the pressure of the stream, and is at most the speed of sound.
 *
 * The stream beside a hole (rho V, rho V^2, p, relative to the wall) is that of the cell AN_HOLE_WATCH diameters over its
 * centre. It is measured before the first step and then ever less often (an_holes_due); snapshots hold it.
 *
 * All ranks find the columns of all holes from the mesh, and keep their own cells: no bit depends on the number of ranks. */
#ifndef AN_SOLVER_HOLES_H
#define AN_SOLVER_HOLES_H

#include "bc/hole_file.h"
#include "bc/hole_jet.h"
#include "io/snapshot.h"

#include <stdio.h>

struct an_case_boundary;
struct an_coolant;
struct an_coolant_patch;
struct an_solver;

#define AN_HOLE_WATCH 1.5

/* A cell of this rank that gas of a hole enters. */
struct an_hole_cell {
    int64_t at;            /* element; later of the packed cells (coolant.h) */
    double share;          /* of the column: a_f / sum a */
    double low, high, top; /* m over the wall: of the cell, and of the upper end of its column */
};

struct an_hole {
    const struct an_hole_given *set;
    struct an_hole_exit exit;
    double foot[3], normal[3]; /* m; -, into the gas */
    double along[3];           /* -: of the jet, along the wall */
    double wall[3];            /* m/s */
    double
        part; /* of the footprint that lies on the wall of the mesh: 1; 0.5 on a plane of symmetry */
    double across;           /* cells of the wall that the diameter covers */
    int64_t watch;           /* element of the cell of the stream; -1: another rank has it */
    int64_t first, n;        /* cells of this rank */
    double rho_V, rho_V2, p; /* kg/m2/s, kg/m/s2, Pa: of the stream, relative to the wall */
    /* what follows from them */
    double mass;           /* kg/s of the whole hole; the mesh gets `part` of it */
    double V, T, h0;       /* m/s relative to the wall, K, J/kg absolute */
    double turbulence;     /* m2/s2: k of the gas that enters (sst); m2/s: nu tilde (sa) */
    double momentum_ratio; /* I */
    double excess;         /* speed that the mass flow would need over that of sound */
    double turn; /* degrees between the jet along the wall and the stream; NaN: not known */
    struct an_hole_height height;
};

struct an_hole_set {
    const struct an_case_boundary *set;
    struct an_hole_list list; /* owned */
    struct an_hole *hole;     /* [list.n]; owned */
    int64_t ncell;
    struct an_hole_cell *cell; /* [ncell] by hole; owned */
    void *image;               /* page-locked: states of the cells of the streams; owned */
    int unknown;               /* 1: the stream has not been measured */
};

/* Reads the holes of a wall and finds their cells; *zone: one that they lie on. AN_INPUT, naming file, line and hole, where a
 * hole cannot be. The mesh is open. All ranks call it; nothing is sent. */
int an_holes_new(struct an_solver *s, const struct an_case_boundary *set,
                 struct an_hole_set **holes, int *zone);
void an_holes_free_set(struct an_solver *s, struct an_hole_set *q);
/* Places the holes on the wall and lists the cells: part of an_holes_new. */
int an_holes_place(struct an_solver *s, struct an_hole_set *q, int *zone);
/* What follows from the streams; gives the patch its mass flow, area and means. Not collective: all ranks find the same. */
void an_holes_follow(const struct an_solver *s, struct an_hole_set *q,
                     struct an_coolant_patch *patch);
/* Adds mass, momentum and energy per second and volume to rate[5][n] of the packed cells. Not collective. */
void an_holes_add(const struct an_hole_set *q, int64_t n, const double *volume, double *rate);
/* Is the stream to be measured before the step of this iteration? */
int an_holes_due(int64_t iteration);
/* Measures the stream beside the holes. Collective. */
int an_holes_look(struct an_solver *s, struct an_hole_set *q);
int an_holes_keep(const struct an_hole_set *q, struct an_snapshot_meta *meta);
void an_holes_take(struct an_hole_set *q, const struct an_snapshot_meta *meta);
void an_holes_print(const struct an_hole_set *q, FILE *out);
void an_holes_report(const struct an_hole_set *q, FILE *out);
/* Holes whose jets have a momentum ratio above AN_HOLE_LIFTS. */
int an_holes_lifted(const struct an_hole_set *q);

#endif

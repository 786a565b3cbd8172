/* Two-dimensional non-reflecting inlets, outlets and sides of mixing planes (non_reflecting: two_d):
 * what the harmonics around the axis let in, by bc/giles.h.
 *
 * A ring is a layer of faces of such a boundary around the axis. An update
 *
 *     extrapolates the state from the two cells inside to the face, and puts all faces together from all
 *       ranks
 *     takes means and harmonics of each ring, one ring on one rank, in the order of the mesh's faces
 *     finds what enters: steady, a part of the way to the condition of bc/giles.h in each update; in
 *       time, one step of its chain
 *
 * and an_ring_waves_add puts what enters onto the values of a face, which otherwise are those of the
 * one-dimensional condition. Harmonics have no mean over the ring: what is imposed on the mean, or
 * exchanged through a mixing plane, stays as it is.
 *
 * Where an inlet has a pattern that varies around the axis, the harmonics are those of the difference between the
 * flow and the pattern: otherwise the wakes and gusts that enter would count as waves that leave the mesh.
 *
 * Sums are made by one rank in one order, so that the bits do not depend on ranks. Snapshots hold means
 * and harmonics. A ring whose flow turns back through an inlet or an outlet, or leaves faster than 0.98
 * times the speed of sound, has no harmonics, as in the one-dimensional condition.
 */
#ifndef AN_SOLVER_RING_WAVES_H
#define AN_SOLVER_RING_WAVES_H

#include "bc/boundary_value.h"
#include "bc/giles.h"
#include "io/case.h"
#include "io/snapshot.h"
#include "kernels/engine/engine.h"

struct an_solver;
struct an_component_type;

enum an_ring_user { AN_RING_INLET, AN_RING_OUTLET, AN_RING_PLANE };

struct an_ring_mode {
    struct an_complex flat; /* mean of exp(i l phi) over the ring's faces; set up */
    struct an_complex
        last[2];             /* the waves that left at the time of the last update, as in giles.h */
    struct an_complex in[2]; /* what enters */
    struct an_giles_state state; /* unsteady */
};

struct an_ring {
    int boundary, user;
    int64_t first, n; /* its faces, of all ranks */
    int mode, nmode;  /* its harmonics */
    double sign;      /* 1: the mesh lies upstream of an outward flow */
    double radius;    /* m */
    double sectors;   /* l phi = l sectors theta */
    int way;          /* of the flow at the last update: 1 leaves, -1 enters, 0: no harmonics */
    struct an_giles_mean mean; /* at the last update */
    double time,
        ahead; /* s: of the last update, and how far ahead of that `in` is; time NaN: none yet */
};

/* k of harmonic l = 0, 1, ..., 1/m. */
static inline double an_ring_wave_number(const struct an_ring *r, int l)
{
    return (l + 1) * r->sectors / r->radius;
}

struct an_ring_waves {
    int nring, nmode;
    struct an_ring *ring;      /* [nring]; owned */
    struct an_ring_mode *mode; /* [nmode]; owned */
    int *every;    /* [nboundary] iterations between updates, 0: not such a boundary; owned */
    double *omega; /* [nboundary] rad/s; owned */

    int64_t nplace;          /* faces of all rings on all ranks */
    double *weight;          /* [nplace] area over that of the ring; owned */
    struct an_complex *turn; /* [nplace] exp(i phi); owned */
    int *ring_of;            /* [nplace]; owned */
    double (*q)[4];          /* [nplace] density, outward and tangential velocity, p; owned */

    int64_t nface, nvalue; /* faces of this rank, rows of face values */
    int64_t *place;        /* [nface]; owned */
    int64_t *row_place;    /* [nvalue] by row of face values; -1: none; owned */
    double *row_ahead;     /* [nvalue] `ahead` of that face; owned */
    /* [nvalue] difference between the pattern of an inlet at a face and the mean of the pattern, with the components
     * of q. [0] belongs to the present values of the face, [1] (in steady runs: the same) to those before they were
     * renewed; owned */
    double (*pattern)[2][4];
    int64_t *row; /* [nface] of face values; owned */
    struct an_faces *faces;
    void *field, *image,
        *map; /* SLIDE on the device and page-locked, SLIDE_MAP: slide_gather.stencil */
    double *
        ahead; /* [nface] from the second cell past the first to the face: of their distance; owned */
};

/* The part of a run with such boundaries. It acts when inlets, outlets and planes call it. AN_INPUT where
 * the faces of a boundary do not follow rings, or cover no whole part of a turn. */
extern const struct an_component_type an_ring_waves_component;

/* Updates the rings that are due: in steady runs every `control_every` iterations (planes: 10), else at
 * every step. *some: 1 where face values have changed and must be set anew. Collective. */
int an_ring_waves_update(struct an_solver *s, enum an_ring_user user, int *some);
/* Adds what enters to the values of a face: to AN_BC_P of OUTLET_STATIC; else to a state as FARFIELD and
 * MIXING_PLANE have it. row: of face values. Does nothing for faces without rings. Not collective. */
void an_ring_waves_add(const struct an_solver *s, int64_t row, double v[AN_BC_NVALUE]);

/* Takes the difference q between the pattern of an inlet at a face and the mean of the pattern (components as those
 * of an_ring_waves.q). renewed: 1 if the pattern has moved on, 0 if only the mean flow has changed. row: of face
 * values. Does nothing for faces without rings. Not collective. */
void an_ring_waves_pattern(struct an_solver *s, int64_t row, const double q[4], int renewed);

/* Used by ring_waves*.c alone: fills *k, which is zeroed. */
int an_ring_waves_setup(struct an_solver *s, struct an_ring_waves *k);
/* Every rank takes the rings that others have updated; a ring belongs to rank (ring mod ranks). Collective. */
int an_ring_waves_share(struct an_solver *s, struct an_ring_waves *k);
/* Unsteady: what enters, `ahead` of the time of the last update. Not collective. */
void an_ring_waves_foresee(const struct an_ring *r, struct an_ring_mode *mode);
/* As an_component_type has them. */
int an_ring_waves_keep(const struct an_solver *s, const void *component,
                       struct an_snapshot_meta *meta);
int an_ring_waves_take(struct an_solver *s, void *component, const struct an_snapshot_meta *meta);

#endif

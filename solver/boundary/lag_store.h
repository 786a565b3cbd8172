/* The series of a run with phase lag on the host: to and from snapshots, and what they miss. Used by
 * phase_lag.c alone. Series are stored in the order of the mesh, so a restart may have other ranks. */
#ifndef AN_SOLVER_LAG_STORE_H
#define AN_SOLVER_LAG_STORE_H

#include "io/snapshot.h"

struct an_solver;
struct an_sliding_plane;
struct an_lag_faces;

struct an_lag_store {
    const struct an_sliding_plane *plane;
    const struct an_lag_faces *faces;
    int harmonics, words;        /* of a periodic face; its first five words are the state */
    void *series, *plane_series; /* engine: LAG_SERIES; NULL: this rank has no such faces */
};

/* Adds the series to the record. Collective. */
int an_lag_store_keep(const struct an_solver *s, const struct an_lag_store *t,
                      struct an_snapshot_meta *meta);
/* Takes them from there; *found 0: the record has none of these sizes. Collective. */
int an_lag_store_take(struct an_solver *s, const struct an_lag_store *t,
                      const struct an_snapshot_meta *meta, int *found);
/* Of the row on each side, the energy that the series miss over that of the signals: sums of squares of density,
 * velocity and pressure, made dimensionless with the mean density and speed of sound. NaN: there is no
 * signal. Collective; waits for the engine. */
int an_lag_store_missed(const struct an_solver *s, const struct an_lag_store *t, double missed[2]);

#endif

/* Snapshots, written while the march goes on.
 *
 *   idle --start--> writing --(the thread is done)--> written --finish--> idle
 *
 * Invariants
 *  1. start returns when the state is in page-locked memory of the host: the next step may change
 *     it on the device.
 *  2. The file of walls, packing, checksums, the collective write and the renaming are work of a thread of each rank,
 * on a communicator of their own. MPI must allow calls from several threads at a time
 *     (MPI_THREAD_MULTIPLE); else start does all of it, and an_writer_how says why.
 *  3. One snapshot at a time. HDF5 and CGNS are not thread-safe: while a snapshot is being written
 *     nobody else may call them. start and finish wait for the thread of their rank first.
 *  4. A file appears under its name when it is whole (io/snapshot.h), so a run killed meanwhile
 *     leaves none that is damaged.
 */
#ifndef AN_SOLVER_WRITER_H
#define AN_SOLVER_WRITER_H

#include "io/snapshot.h"
#include "io/warnings.h"
#include "solver/level/component.h"

struct an_solver;

/* Snapshots carry those of the warnings that are to be carried; the caller's, and may grow. Not
 * collective. */
void an_writer_warnings(struct an_solver *s, const struct an_warnings *warnings);

/* A snapshot that was written. */
struct an_written {
    char path[1024];
    double bytes_per_s; /* of the file, from the start of the thread to its end, rank 0 */
    double waited;      /* s: how long the march stood still for it */
    int background;
};

/* The part that writes; it is made with the first snapshot. */
extern const struct an_component_type an_writer_component;
/* Collective. A snapshot of the present state is begun, after the one before; profiles
 * beside it are written at once. */
int an_writer_start(struct an_solver *s);
/* Collective. Waits for the snapshot under way and describes it in *w, which is zero without one.
 */
int an_writer_finish(struct an_solver *s, struct an_written *w);
/* Waits until the thread of this rank is done; finish is still to come. Not collective. */
void an_writer_wait(struct an_solver *s);
/* start and finish, for tests: a snapshot into the case's output folder, with wall fields and
 * profiles beside it; its name goes to path[1024]. Collective. */
int an_solver_write(struct an_solver *s, char *path);
/* 0: this rank still writes a snapshot; 1: it has finished; 2: none was started. Not collective. */
int an_writer_done(const struct an_solver *s);
/* 1: snapshots are written by a thread while the march goes on. The same on all ranks. Not collective. */
int an_writer_in_background(const struct an_solver *s);
/* "in the background", or "while the march waits: " and why. Not collective. */
const char *an_writer_how(const struct an_solver *s);

#endif

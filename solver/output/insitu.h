/* Pictures while a run goes on: mesh and fields are handed to ParaView Catalyst (io/catalyst.h), which runs
 * the script of the case on them.
 *
 *   ready --show--> called --(Catalyst returns)--> ready
 *
 * Invariants
 *  1. show returns when the fields are in page-locked memory of the host: the next step may change them on
 *     the device.
 *  2. One thread of each rank makes all calls of Catalyst, on a communicator of their own. MPI must allow calls
 *     from several threads at a time; else the march makes them itself, and the head of the run says why.
 *     output.background decides as it does for snapshots.
 *  3. One state at a time: show waits until Catalyst has returned from the state before.
 *  4. Mesh and fields stay where they are until Catalyst has got the next ones, or has been ended: it does
 *     not copy them.
 *  5. Snapshots and Catalyst may use the same library for their files, which need not be thread-safe: who starts one
 *     of them waits for the other (an_writer_wait, an_insitu_wait).
 *
 * What Catalyst gets: channel `grid` of type multimesh, a mesh for each zone, by its name. The part of a rank is
 * a structured topology with explicit coordinates in m, its cells without those of other ranks; further
 * pieces of the same zone have _piece2, _piece3 behind the name. A rank without a piece of the zone gives a mesh without
 * cells, so that all ranks list the same meshes. Fields belong to cells: those of the state, and output.fields;
 * three components X, Y, Z are one vector. The time is in s, in steady runs it is the number of the iteration.
 */
#ifndef AN_SOLVER_INSITU_H
#define AN_SOLVER_INSITU_H

#include "solver/level/component.h"

struct an_solver;

/* The part that calls Catalyst. */
extern const struct an_component_type an_insitu_component;

/* Collective. Makes the part where the case names a script, else does nothing: loads the library and
 * starts Catalyst with the script. AN_INPUT where either fails on a rank. */
int an_insitu_begin(struct an_solver *s);
/* Collective. Hands over the present state. A failure of Catalyst does not end the run: Catalyst is not called
 * any more, and trouble[512] says so once; it is "" otherwise. */
int an_insitu_show(struct an_solver *s, char *trouble);
/* Collective. Waits for Catalyst; trouble as of show. */
int an_insitu_finish(struct an_solver *s, char *trouble);
/* Waits for Catalyst on this rank. Not collective. */
void an_insitu_wait(struct an_solver *s);

#endif

/* The lock of an output folder: two runs in one folder would destroy each other's files.
 *
 * The lock is the file .annulus.lock, which says host, process, job and time of the run that holds
 * it. The file is made under a temporary name and linked into place, so that of two runs one gets
 * it, on network file systems, too. A lock is stale when its run is known to have ended:
 *   - it is of this host, and that process is gone, or its number belongs to a younger process;
 *   - it is of this Slurm job before the job was requeued;
 *   - it is of another host and was not refreshed for AN_LOCK_SILENCE seconds. A run refreshes its
 *     lock while it marches.
 * A stale lock is taken over.
 */
#ifndef AN_IO_LOCK_H
#define AN_IO_LOCK_H

enum { AN_LOCK_SILENCE = 900, AN_LOCK_EVERY = 30 }; /* s without a sign of life; s between signs */

struct an_lock {
    char path[1060];  /* "": not held */
    double refreshed; /* s, of a clock that only goes on */
};

/* Takes the lock of a folder. AN_INPUT, naming the run that holds it, when that run may be going
 * on; AN_FAIL on a full disk. message[512] gets what is to be told of a stale lock, "" nothing. Not
 * collective: one rank of a run does it. */
int an_lock_take(const char *folder, struct an_lock *lock, char *message);
/* Shows that the run goes on: at most once every AN_LOCK_EVERY seconds the file gets a new date. The
 * lock is made again where it was removed together with its folder. */
void an_lock_refresh(struct an_lock *lock);
/* Removes the lock if it is held. */
void an_lock_release(struct an_lock *lock);

#endif

/* Files that are either whole or not there.
 *
 * A file is written under a temporary name (io/temporary.h), flushed, fsync'ed, renamed to PATH, and
 * the folder is fsync'ed: a process that is killed, or a machine that loses power, leaves the old
 * file or the new one.
 */
#ifndef AN_IO_ATOMIC_H
#define AN_IO_ATOMIC_H

#include <stdio.h>

#include "io/temporary.h"
#include "kernels/base/error.h"

struct an_atomic {
    FILE *f; /* write here; owned */
    char path[1024], temporary[AN_TEMPORARY];
};

/* Opens a temporary file beside PATH for writing. AN_INPUT, with the path and the reason, when that cannot be done. */
int an_atomic_begin(const char *path, struct an_atomic *a);
/* Puts the file in place. AN_FAIL, with the temporary file removed and an older PATH untouched,
 * when it cannot be written (a full disk is said in plain words). Closes `f` either way. */
int an_atomic_commit(struct an_atomic *a);
void an_atomic_abort(struct an_atomic *a);

/* The two last steps alone, for files written by other means: fsync of `temporary`, rename to
 * `path`, fsync of the folder. On failure `temporary` is removed. */
int an_atomic_rename(const char *temporary, const char *path);
/* Room on the disk, asked for before a library writes: HDF5 does not survive a full disk (it
 * crashes when the process ends), and ranks are better told by one plain error than by failing
 * writes. an_room_try makes an empty temporary file for `path`, makes sure that `bytes` fit into it
 * and puts its name into temporary[AN_TEMPORARY]; on failure it leaves no file and an empty name;
 * an_room_fill gives an existing file with holes all its blocks. Both: AN_FAIL when the disk is
 * full, AN_INPUT when the file cannot be made; nothing where the file system cannot reserve. */
int an_room_try(const char *path, int64_t bytes, char *temporary);
int an_room_fill(const char *path);
/* AN_OK where `folder` is a folder in which files can be made; AN_INPUT otherwise. */
int an_folder_check(const char *folder);

#endif

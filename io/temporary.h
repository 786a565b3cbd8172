/* Names under which files are written before they get their own.
 *
 * A temporary file stands beside its file as PATH.<16 random hexadecimal digits>.tmp. It is made with
 * O_EXCL and O_NOFOLLOW: nobody who may write into the folder can guess the name and lay a link
 * there that leads the program to another file. What killed runs leave is known by the form of its
 * name.
 */
#ifndef AN_IO_TEMPORARY_H
#define AN_IO_TEMPORARY_H

#include <stddef.h>

enum { AN_TEMPORARY = 1060 }; /* bytes of a temporary name; a path has at most 1024 */

/* Makes an empty file beside `path` (at most 1023 bytes) and puts its name into
 * temporary[AN_TEMPORARY]. *fd gets the file, open for reading and writing, for the caller to close.
 * AN_INPUT where the folder refuses it, AN_FAIL where the disk is full; both name `path`. */
int an_temporary_make(const char *path, char *temporary, int *fd);
/* Length of the name that a temporary file's name begins with; 0 where `name` is not the name of a
 * temporary file. */
size_t an_temporary_of(const char *name);
/* Removes all temporary files of a folder, which no run may be using. Returns how many. */
int an_temporary_clean(const char *folder);

#endif

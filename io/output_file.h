/* Files that programs write: none that they read, and an end after one that failed. */
#ifndef AN_IO_OUTPUT_FILE_H
#define AN_IO_OUTPUT_FILE_H

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Is there such a file, and does the other name lead to it, too? */
static inline int an_same_file(const char *path, const char *other)
{
    struct stat a, b;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* The end of a program that could not write or read a CGNS file: HDF5 keeps such a file open and at
 * exit tries once more, which ends in a fault of memory (1.10, full disk) instead of the exit code. */
static inline void an_leave_at_once(int code)
{
    fflush(NULL);
    _exit(code);
}

#endif

/* Reads and writes that go on where the system moved a part of the bytes only: it may do so at any
 * call, and network file systems do. 1: all bytes were moved; 0: an error, or the end of the file. */
#ifndef AN_IO_WHOLE_H
#define AN_IO_WHOLE_H

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

static inline int an_write_whole(int fd, const void *from, size_t bytes)
{
    for (const char *at = from; bytes > 0;) {
        const ssize_t n = write(fd, at, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        at += n;
        bytes -= (size_t)n;
    }
    return 1;
}

static inline int an_pwrite_whole(int fd, const void *from, size_t bytes, off_t offset)
{
    for (const char *at = from; bytes > 0;) {
        const ssize_t n = pwrite(fd, at, bytes, offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        at += n;
        offset += n;
        bytes -= (size_t)n;
    }
    return 1;
}

static inline int an_pread_whole(int fd, void *to, size_t bytes, off_t offset)
{
    for (char *at = to; bytes > 0;) {
        const ssize_t n = pread(fd, at, bytes, offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        at += n;
        offset += n;
        bytes -= (size_t)n;
    }
    return 1;
}

/* Bytes up to the end of the file, at most `room`; -1: an error. */
static inline ssize_t an_read_rest(int fd, void *to, size_t room)
{
    size_t have = 0;
    while (have < room) {
        const ssize_t n = read(fd, (char *)to + have, room - have);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        have += (size_t)n;
    }
    return (ssize_t)have;
}

#endif

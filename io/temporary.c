#define _GNU_SOURCE
#include "io/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "kernels/base/error.h"

static const char ending[] = ".tmp";
enum { DIGITS = 16, LONGEST = 1024, TRIES = 16 };

static int open_new(const char *path, char *temporary, int *fd)
{
    uint64_t number;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        return EIO;
    snprintf(temporary, AN_TEMPORARY, "%s.%016" PRIx64 "%s", path, number, ending);
    *fd = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    return *fd < 0 ? errno : 0;
}

int an_temporary_make(const char *path, char *temporary, int *fd)
{
    int error = EEXIST;
    AN_CHECK(strlen(path) < LONGEST, AN_INPUT, "%.60s...: the name is too long", path);
    for (int n = 0; n < TRIES && error == EEXIST; n++)
        error = open_new(path, temporary, fd);
    AN_CHECK(error != ENOSPC && error != EDQUOT, AN_FAIL,
             "%s cannot be written: the disk is full (%s)", path, strerror(error));
    AN_CHECK(!error, AN_INPUT, "cannot write %s: %s", path, strerror(error));
    return AN_OK;
}

size_t an_temporary_of(const char *name)
{
    const size_t tail = 1 + DIGITS + sizeof ending - 1, length = strlen(name);
    if (length <= tail)
        return 0;
    const char *at = name + length - tail;
    return *at == '.' && strspn(at + 1, "0123456789abcdef") == DIGITS &&
                   !strcmp(at + 1 + DIGITS, ending)
               ? length - tail
               : 0;
}

int an_temporary_clean(const char *folder)
{
    DIR *d = opendir(folder);
    if (!d)
        return 0;
    int count = 0;
    for (struct dirent *e; (e = readdir(d));)
        if (an_temporary_of(e->d_name))
            count += unlinkat(dirfd(d), e->d_name, 0) == 0;
    closedir(d);
    return count;
}

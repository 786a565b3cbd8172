#define _GNU_SOURCE
#include "io/atomic.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int fail(const char *path, int error)
{
    if (error == ENOSPC || error == EDQUOT)
        return an_error_set(AN_FAIL, "%s cannot be written: the disk is full (%s)", path,
                            strerror(error));
    const int users = error == EISDIR || error == ENOTDIR || error == EACCES || error == EPERM ||
                      error == EROFS || error == ENAMETOOLONG || error == ELOOP;
    return an_error_set(users ? AN_INPUT : AN_FAIL, "%s: %s", path, strerror(error));
}

int an_atomic_begin(const char *path, struct an_atomic *a)
{
    a->f = NULL;
    AN_CHECK(strlen(path) < sizeof a->path, AN_INPUT, "%.60s...: the name is too long", path);
    strcpy(a->path, path);
    int fd;
    AN_TRY(an_temporary_make(path, a->temporary, &fd));
    a->f = fdopen(fd, "w");
    if (a->f)
        return AN_OK;
    close(fd);
    unlink(a->temporary);
    return an_error_set(AN_FAIL, "cannot write %s: %s", path, strerror(errno));
}

int an_atomic_commit(struct an_atomic *a)
{
    int error = 0;
    if (fflush(a->f) || ferror(a->f))
        error = errno ? errno : EIO;
    if (fclose(a->f) && !error)
        error = errno;
    a->f = NULL;
    if (error) {
        unlink(a->temporary);
        return fail(a->path, error);
    }
    return an_atomic_rename(a->temporary, a->path);
}

void an_atomic_abort(struct an_atomic *a)
{
    if (a->f)
        fclose(a->f);
    a->f = NULL;
    unlink(a->temporary);
}

static int sync_path(const char *path, int flags)
{
    int fd = open(path, flags);
    if (fd < 0)
        return errno;
    /* Some file systems cannot fsync a folder and say EINVAL: nothing more can be done there. */
    int error = fsync(fd) && errno != EINVAL ? errno : 0;
    if (close(fd) && !error)
        error = errno;
    return error;
}

int an_atomic_rename(const char *temporary, const char *path)
{
    char folder[1100];
    snprintf(folder, sizeof folder, "%s", path);
    int error = sync_path(temporary, O_RDONLY);
    if (!error && rename(temporary, path))
        error = errno;
    if (error) {
        unlink(temporary);
        return fail(path, error);
    }
    error = sync_path(dirname(folder), O_RDONLY | O_DIRECTORY);
    return error ? fail(path, error) : AN_OK;
}

/* Blocks for the first `bytes` of an open file, or all of it for 0; an errno. */
static int reserve(int fd, int64_t bytes)
{
    struct stat s;
    if (fstat(fd, &s))
        return errno;
    bytes = bytes ? bytes : (int64_t)s.st_size;
    if (bytes == 0 || fallocate(fd, 0, 0, bytes) == 0)
        return 0;
    return errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL ? 0 : errno;
}

int an_room_try(const char *path, int64_t bytes, char *temporary)
{
    int fd;
    *temporary = '\0';
    AN_TRY(an_temporary_make(path, temporary, &fd));
    /* Where blocks cannot be reserved the free space is asked for. */
    struct statvfs v;
    int error = reserve(fd, bytes);
    if (!error && fstatvfs(fd, &v) == 0 && v.f_blocks > 0) {
        struct stat s;
        const int64_t held = fstat(fd, &s) ? 0 : (int64_t)s.st_blocks * 512;
        if ((double)v.f_bavail * (double)v.f_frsize + (double)held < (double)bytes)
            error = ENOSPC;
    }
    if (ftruncate(fd, 0) && !error)
        error = errno;
    if (close(fd) && !error)
        error = errno;
    if (!error)
        return AN_OK;
    unlink(temporary);
    *temporary = '\0';
    return fail(path, error);
}

int an_room_fill(const char *path)
{
    int fd = open(path, O_RDWR);
    if (fd < 0)
        return fail(path, errno);
    int error = reserve(fd, 0);
    if (close(fd) && !error)
        error = errno;
    return error ? fail(path, error) : AN_OK;
}

int an_folder_check(const char *folder)
{
    struct stat s;
    if (stat(folder, &s))
        return an_error_set(AN_INPUT, "output folder '%s': %s", folder, strerror(errno));
    AN_CHECK(S_ISDIR(s.st_mode), AN_INPUT, "output folder '%s' is not a folder", folder);
    if (access(folder, W_OK | X_OK))
        return an_error_set(AN_INPUT, "output folder '%s' cannot be written: %s", folder,
                            strerror(errno));
    return AN_OK;
}

#include "io/folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/case.h"
#include "io/temporary.h"
#include "kernels/base/error.h"

/* Makes `part`, one folder of `path`. */
static int make_one(const char *path, const char *part)
{
    struct stat st;
    if (mkdir(part, 0777) == 0 || (errno == EEXIST && stat(part, &st) == 0 && S_ISDIR(st.st_mode)))
        return AN_OK;
    const int error = errno;
    if (stat(part, &st) == 0 &&
        S_ISDIR(st.st_mode)) /* some file systems say EROFS or EACCES first */
        return AN_OK;
    if (error == EEXIST || error == ENOTDIR)
        return an_error_set(AN_INPUT, "output.folder '%s': '%s' is not a folder", path, part);
    return an_error_set(AN_INPUT, "output.folder '%s': '%s' cannot be made: %s", path, part,
                        strerror(error));
}

int an_folder_make(const char *path)
{
    enum { LONGEST_FILE = 64 }; /* of those made in it, temporary names included */
    char part[AN_PATH], temporary[AN_TEMPORARY];
    AN_CHECK(strlen(path) + LONGEST_FILE < AN_PATH, AN_INPUT,
             "output.folder '%.60s...' is too long: %zu bytes, at most %d", path, strlen(path),
             AN_PATH - LONGEST_FILE - 1);
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = part + 1; *slash; slash++)
        if (*slash == '/' && slash[1] != '/') {
            *slash = '\0';
            AN_TRY(make_one(path, part));
            *slash = '/';
        }
    AN_TRY(make_one(path, part));
    char probe[AN_PATH + 16];
    int fd;
    snprintf(probe, sizeof probe, "%s/.annulus", path);
    if (an_temporary_make(probe, temporary, &fd) != AN_OK)
        return an_error_set(AN_INPUT, "output.folder '%s' cannot be written to: %s", path,
                            strerror(errno));
    close(fd);
    unlink(temporary);
    return AN_OK;
}

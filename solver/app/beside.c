#include "solver/app/beside.h"

#include "kernels/base/error.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int an_self(char *path, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", path, size - 1);
    AN_CHECK(length > 0, AN_FAIL, "the folder of this program is not known");
    path[length] = '\0';
    return AN_OK;
}

int an_beside(const char *name, char *path, size_t size)
{
    char self[4000];
    AN_TRY(an_self(self, sizeof self));
    *strrchr(self, '/') = '\0';
    AN_CHECK((size_t)snprintf(path, size, "%s/%s", self, name) < size, AN_FAIL,
             "the path of this program is too long");
    return AN_OK;
}

#include "solver/app/page.h"

#include "kernels/base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int an_page(const char *folder, const char *output)
{
    char self[4000], beside[4100];
    char name[] = "annulus-plot", command[] = "report", option[] = "-o";
    char *arguments[] = {name,           command, (char *)folder, output ? option : NULL,
                         (char *)output, NULL};
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0) {
        self[length] = '\0';
        *strrchr(self, '/') = '\0';
        snprintf(beside, sizeof beside, "%s/annulus-plot", self);
        execv(beside, arguments);
    }
    execvp(name, arguments);
    return an_error_set(
        AN_FAIL,
        "annulus-plot cannot be started: %s. It is installed with the program, or by "
        "`pip install tools/python`; tools/plot of the source is the same",
        strerror(errno));
}

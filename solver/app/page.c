#include "solver/app/page.h"

#include "kernels/base/error.h"
#include "solver/app/beside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int an_page(int n, const char *const *argument)
{
    char beside[4100], name[] = "annulus-plot";
    char **arguments = calloc((size_t)n + 2, sizeof *arguments);
    AN_CHECK(arguments, AN_FAIL, "out of memory");
    arguments[0] = name;
    for (int a = 0; a < n; a++)
        arguments[1 + a] = (char *)argument[a];
    if (an_beside(name, beside, sizeof beside) == AN_OK)
        execv(beside, arguments);
    execvp(name, arguments);
    free(arguments);
    return an_error_set(
        AN_FAIL,
        "annulus-plot cannot be started: %s. It is installed with the program, or by "
        "`pip install tools/python`; tools/plot of the source is the same",
        strerror(errno));
}

int an_page_wait(int n, const char *const *argument)
{
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        (void)an_page(n, argument);
        fprintf(stderr, "annulus: error: %s\n", an_error_text());
        _exit(AN_FAIL);
    }
    AN_CHECK(child > 0 && waitpid(child, &status, 0) == child, AN_FAIL,
             "annulus-plot cannot be started: %s", strerror(errno));
    const int ended = WIFEXITED(status) ? WEXITSTATUS(status) : AN_FAIL;
    AN_CHECK(ended == 0, ended == AN_INPUT ? AN_INPUT : AN_FAIL,
             "annulus-plot could not draw the picture");
    return AN_OK;
}

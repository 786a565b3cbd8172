#include "solver/app/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

/* mpirun that is told to end the job reads its ranks' output no more: the little terminal it made
 * for each of them fills up, and a rank that waits there never comes to its last snapshot. From the
 * signal on such output is dropped instead. */
static int screen_flags = -1; /* of the terminal a launcher made for this rank alone */

static void note(int number)
{
    const int error = errno;
    caught = number;
    if (screen_flags >= 0)
        fcntl(STDOUT_FILENO, F_SETFL, screen_flags | O_NONBLOCK);
    errno = error;
}

void an_signals_catch(void)
{
    struct sigaction action;
    if (getenv("OMPI_COMM_WORLD_RANK") && isatty(STDOUT_FILENO))
        screen_flags = fcntl(STDOUT_FILENO, F_GETFL);
    memset(&action, 0, sizeof action);
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    action.sa_flags = SA_RESTART | SA_RESETHAND; /* a second Ctrl-C ends the program at once */
    sigaction(SIGINT, &action, NULL);
}

int an_signals_stop(void)
{
    return caught;
}

const char *an_signals_name(int number)
{
    switch (number) {
    case SIGTERM:
        return "SIGTERM";
    case SIGUSR1:
        return "SIGUSR1";
    case SIGINT:
        return "SIGINT";
    default:
        return "a signal";
    }
}

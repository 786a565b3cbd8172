#include "solver/signals.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t caught;

static void note(int number)
{
    caught = number;
}

void an_signals_catch(void)
{
    struct sigaction action;
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

#define _GNU_SOURCE
#include "solver/app/lost.h"

#include "kernels/base/error.h"

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE = 10 }; /* s for MPI and its launcher to end the job by themselves */

/* 1: the process is a launcher of MPI programs. */
static int is_launcher(pid_t pid)
{
    static const char *const known[] = {"mpirun", "mpiexec", "orterun", "prterun", "mpiexec.hydra"};
    char path[64], name[64] = "";
    snprintf(path, sizeof path, "/proc/%ld/comm", (long)pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    const int got = fscanf(f, "%63s", name);
    fclose(f);
    for (size_t n = 0; got == 1 && n < sizeof known / sizeof *known; n++)
        if (!strcmp(name, known[n]))
            return 1;
    return 0;
}

/* Leaves a process behind that ends the launcher, if it started this rank itself and still waits
 * for the lost host after PATIENCE: mpirun of Open MPI does so for 8 minutes. Two signals within
 * 5 s are what a user sends by pressing Ctrl-C twice. */
static void end_launcher(void)
{
    const pid_t pid = getppid();
    if (!is_launcher(pid) || fork() != 0)
        return;
    setsid();
    for (int file = 0; file < 1024; file++)
        close(
            file); /* whoever reads the output of the job, or wants the memory of a device, need not
                      * wait for this process */
    sleep(PATIENCE);
    for (int n = 0; n < 4 && is_launcher(pid); n++) {
        kill(pid, n < 3 ? SIGTERM : SIGKILL);
        sleep(2);
    }
    _exit(0);
}

void an_lost_end(const char *text)
{
    int level = MPI_THREAD_SINGLE;
    fprintf(stderr, "annulus: error: %s\n", text);
    end_launcher();
    alarm(PATIENCE); /* an MPI_Abort that waits for the lost host ends by SIGALRM */
    MPI_Query_thread(&level);
    if (level == MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, AN_FAIL);
    _exit(AN_FAIL); /* the launcher ends the other ranks */
}

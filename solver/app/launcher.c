#define _GNU_SOURCE
#include "solver/app/launcher.h"

#include "kernels/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Rank that a launcher has given to this process; NULL if there is no launcher. */
static const char *rank_of(void)
{
    static const char *const name[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                       "MPI_LOCALRANKID", "SLURM_PROCID"};
    for (size_t n = 0; n < sizeof name / sizeof *name; n++)
        if (getenv(name[n]))
            return getenv(name[n]);
    return NULL;
}

/* Number of processes that the launcher has started, at least 1, and the variable that says it. The innermost launcher
 * comes first: mpirun of Open MPI, that of MPICH (PMI, or by the count of this node), srun. Of Slurm only the variable
 * of a job step counts: a batch script has SLURM_NTASKS, too, and is one process. */
static int launched(const char **variable)
{
    static const char *const name[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS",
                                       "SLURM_STEP_NUM_TASKS"};
    for (size_t n = 0; n < sizeof name / sizeof *name; n++) {
        const char *value = getenv(name[n]);
        if (value && atoi(value) > 0) {
            *variable = name[n];
            return atoi(value);
        }
    }
    *variable = "";
    return 1;
}

int an_launcher_is_first(void)
{
    static int first =
        -1; /* found before MPI starts: Open MPI gives a process without its launcher the rank 0 */
    const char *rank = rank_of();
    if (first < 0)
        first = !rank || atoi(rank) == 0;
    return first;
}

/* A folder of this process for the session of Open MPI: all processes without a launcher would share one, which the
 * first that ends removes, while others start in it or open files in it. The folder stays for later runs. Its lock says
 * that it is in use, and ends with the process. Where there can be none, Open MPI takes its own. */
static void take_session_folder(void)
{
    enum { MOST = 4096 };
    const char *base = getenv("TMPDIR");
    char parent[900], folder[960];
    struct stat s;
    if (getenv("OMPI_MCA_orte_tmpdir_base") || getenv("OMPI_MCA_orte_local_tmpdir_base"))
        return;
    snprintf(parent, sizeof parent, "%.800s/annulus-mpi-%ld", base && *base ? base : "/tmp",
             (long)geteuid());
    if (mkdir(parent, 0700) && errno != EEXIST)
        return;
    if (lstat(parent, &s) || !S_ISDIR(s.st_mode) || s.st_uid != geteuid() || s.st_mode & 022)
        return; /* another user has made it */
    for (int n = 0; n < MOST; n++) {
        snprintf(folder, sizeof folder, "%s/%d", parent, n);
        if (mkdir(folder, 0700) && errno != EEXIST)
            return;
        const int lock = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (lock < 0)
            return;
        if (flock(lock, LOCK_EX | LOCK_NB) == 0) {
            setenv("OMPI_MCA_orte_tmpdir_base", folder, 0);
            return;
        }
        close(lock);
    }
}

/* Tells Open MPI that this process stays alone. Without a launcher Open MPI starts a daemon, to which processes may be
 * added later, and loads network drivers. A process that stays alone needs neither, and starts 0.5 s sooner without
 * them. Variables that the user has set are kept; other MPI libraries ignore them. */
static void expect_no_neighbours(void)
{
    static const char *const setting[][2] = {{"OMPI_MCA_ess_singleton_isolated", "1"},
                                             {"OMPI_MCA_pml", "ob1"}};
    for (size_t n = 0; n < sizeof setting / sizeof *setting; n++)
        setenv(setting[n][0], setting[n][1], 0);
    take_session_folder();
}

/* Name and version of the MPI library; also before MPI starts. */
static void name_library(char library[MPI_MAX_LIBRARY_VERSION_STRING])
{
    int length;
    MPI_Get_library_version(library, &length);
    library[strcspn(library, ",\n")] = '\0';
}

/* Open MPI 4 ends a process within MPI_Init, with advice on building Open MPI, where srun has started it without a
 * plug-in that Open MPI knows. Whether it does is known only then. A child process sees the end of the pipe close
 * without a word from a process that has gone, and says what to do. */
struct start_watch {
    int word; /* to write to; < 0: no child watches */
    pid_t child;
};

static void tell_if_gone(int pipe, const char *library)
{
    char word;
    if (read(pipe, &word, 1) == 0)
        fprintf(stderr,
                "annulus: error: srun started this process without a plug-in that %s knows: use "
                "mpirun, or srun --mpi=pmix (srun --mpi=list names the plug-ins)\n",
                library);
}

static struct start_watch watch_start(void)
{
    struct start_watch w = {.word = -1};
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int end[2];
    name_library(library);
    if (!getenv("SLURM_STEP_ID") || getenv("OMPI_COMM_WORLD_RANK") || getenv("PMIX_RANK") ||
        getenv("PMI_RANK") || strncmp(library, "Open MPI", 8) != 0 || !an_launcher_is_first() ||
        pipe(end))
        return w;
    w.child = fork();
    if (w.child == 0) {
        close(end[1]);
        tell_if_gone(end[0], library);
        _exit(0);
    }
    close(end[0]);
    if (w.child > 0)
        w.word = end[1];
    else
        close(end[1]);
    return w;
}

static void end_watch(const struct start_watch *w)
{
    if (w->word < 0)
        return;
    if (write(w->word, "", 1) == 1) /* else the child has gone */
        waitpid(w->child, NULL, 0);
    close(w->word);
}

static int set_strangers(int count, const char *variable)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    name_library(library);
    return an_error_set(
        AN_INPUT,
        "the launcher started %d processes that do not know each other (%s is %d): each would run "
        "the whole case. This program uses %s: start it with the mpirun of that library, or with "
        "an "
        "srun that has its plug-in, such as srun --mpi=pmix. For single runs unset %s",
        count, variable, count, library, variable);
}

int an_launcher_start(void)
{
    int level, size; /* level: what it gives is asked for where it matters */
    const char *variable;
    const int count = launched(&variable);
    if (!rank_of())
        expect_no_neighbours();
    const struct start_watch watch = watch_start();
    const int started = MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
    end_watch(&watch);
    AN_CHECK(started == MPI_SUCCESS, AN_FAIL, "MPI does not start");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* communicators inherit it */
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size > 1 || count < 2 ? AN_OK : set_strangers(count, variable);
}

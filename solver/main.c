/* The command line. */
#include "kernels/error.h"
#include "solver/run.h"
#include "solver/version.h"

#include "io/case.h"

#include <argp.h>
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_RESTART = 256, KEY_SET, KEY_DEVICE, KEY_PROGRESS, KEY_VERSION };

struct command {
    struct an_options options;
    const char *name;     /* run, check, info, help-case */
    const char *argument; /* its file or key */
    int version;
};

/* Ends the program with the message; where messages are off (ARGP_NO_ERRS) ends the parsing. */
#define REFUSE(...)                     \
    do {                                \
        argp_error(state, __VA_ARGS__); \
        return EINVAL;                  \
    } while (0)

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct command *c = state->input;
    switch (key) {
    case KEY_RESTART:
        c->options.restart = arg;
        return 0;
    case KEY_SET: {
        char **grown = realloc(c->options.set, ((size_t)c->options.nset + 1) * sizeof *grown);
        if (!grown)
            return ENOMEM;
        c->options.set = grown;
        c->options.set[c->options.nset++] = arg;
        return 0;
    }
    case KEY_DEVICE:
        c->options.device = arg;
        return 0;
    case KEY_PROGRESS:
        c->options.progress = 1;
        return 0;
    case KEY_VERSION:
        c->version = 1;
        return 0;
    case ARGP_KEY_ARG:
        if (!c->name)
            c->name = arg;
        else if (!c->argument)
            c->argument = arg;
        else
            REFUSE("too many arguments, from '%s' on", arg);
        return 0;
    case ARGP_KEY_END:
        if (c->version)
            return 0;
        if (!c->name)
            REFUSE("a command is missing: run, check, info or help-case");
        if (strcmp(c->name, "run") != 0 && strcmp(c->name, "check") != 0 &&
            strcmp(c->name, "info") != 0 && strcmp(c->name, "help-case") != 0)
            REFUSE("'%s' is not a command: run, check, info or help-case", c->name);
        if (!c->argument && strcmp(c->name, "help-case") != 0)
            REFUSE("`annulus %s` needs a file", c->name);
        if (strcmp(c->name, "run") != 0 && (c->options.restart || c->options.progress))
            REFUSE("--restart and --progress go with `annulus run`");
        if (c->options.device && strcmp(c->options.device, "auto") != 0 &&
            strcmp(c->options.device, "cpu") != 0 && strcmp(c->options.device, "cuda") != 0 &&
            strcmp(c->options.device, "emulated") != 0)
            REFUSE("--device is auto, cpu or cuda, not '%s'", c->options.device);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"restart", KEY_RESTART, "FILE|latest", 0,
     "run: continue from a snapshot, or from the newest in the output folder", 0},
    {"set", KEY_SET, "KEY=VALUE", 0, "change a value of the case file, e.g. march.cfl=2", 0},
    {"device", KEY_DEVICE, "auto|cpu|cuda", 0, "where to compute (default: the case's)", 0},
    {"progress", KEY_PROGRESS, NULL, 0, "run: a moving line between the lines of the table", 0},
    {"version", KEY_VERSION, NULL, 0, "version, commit, engines, libraries, transports", 0},
    {0},
};

static const struct argp argp = {
    options,
    parse,
    "run CASE.yaml\ncheck CASE.yaml\ninfo FILE.cgns\nhelp-case [KEY]",
    "Annulus: a multi-GPU structured-grid flow solver for turbomachinery.\v"
    "Under MPI: mpirun -np 4 annulus run case.yaml\n"
    "Exit codes: 0 done, 1 machine failure, 2 bad input, 3 diverged, 4 stopped on request.",
    NULL,
    NULL,
    NULL,
};

/* Does this process speak for the job before MPI has started? */
static int is_first(void)
{
    static const char *const rank[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                       "SLURM_PROCID"};
    for (size_t n = 0; n < sizeof rank / sizeof *rank; n++)
        if (getenv(rank[n]))
            return atoi(getenv(rank[n])) == 0;
    return 1;
}

/* Prints the error text once, whoever has it. A machine failure may concern one rank alone, with
 * the others waiting for it: that ends the job. */
static void finish(int status, int printed)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (status == AN_FAIL && size > 1) {
        if (rank != 0)
            usleep(1000000); /* rank 0 speaks first when all have failed */
        fprintf(stderr, "annulus: rank %d: error: %s\n", rank, an_error_text());
        MPI_Abort(MPI_COMM_WORLD, status);
    }
    if (rank == 0 && status != AN_OK && !printed)
        fprintf(stderr, "annulus: %s%s\n", status == AN_STOPPED ? "" : "error: ", an_error_text());
    fflush(stdout);
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    struct command c;
    memset(&c, 0, sizeof c);
    argp_err_exit_status = AN_INPUT;
    if (argp_parse(&argp, argc, argv, is_first() ? 0 : ARGP_NO_ERRS, NULL, &c) != 0)
        return AN_INPUT;
    c.options.case_file = c.argument;
    int status = AN_OK, printed = 0;
    const int alone = c.version || !strcmp(c.name, "help-case") || !strcmp(c.name, "info");
    if (alone && !is_first()) {
        status = AN_OK; /* the first rank does it */
    } else if (c.version) {
        an_version_print(stdout);
    } else if (!strcmp(c.name, "help-case")) {
        status = an_case_help(c.argument, stdout);
        if (status != AN_OK)
            fprintf(stderr, "annulus: error: %s\n", an_error_text());
    } else if (!strcmp(c.name, "info")) {
        status = an_info(c.argument, &printed);
        if (status != AN_OK && !printed)
            fprintf(stderr, "annulus: error: %s\n", an_error_text());
    } else {
        if (MPI_Init(NULL, NULL) != MPI_SUCCESS) {
            fprintf(stderr, "annulus: error: MPI does not start\n");
            return AN_FAIL;
        }
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* communicators inherit it */
        status = !strcmp(c.name, "run") ? an_run(MPI_COMM_WORLD, &c.options, &printed)
                                        : an_check(MPI_COMM_WORLD, &c.options, &printed);
        finish(status, printed);
    }
    free(c.options.set);
    return status;
}

/* The command line. */
#include "kernels/base/error.h"
#include "kernels/engine/engine.h"
#include "solver/app/bench_input.h"
#include "solver/app/beside.h"
#include "solver/app/init.h"
#include "solver/app/input.h"
#include "solver/app/launcher.h"
#include "solver/app/page.h"
#include "solver/app/run.h"
#include "solver/app/waits.h"
#include "solver/output/version.h"

#include "io/case.h"
#include "io/output_file.h"

#include <argp.h>
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_RESTART = 256, KEY_OTHER_MESH, KEY_SET, KEY_DEVICE, KEY_PROGRESS, KEY_VERSION };
enum {
    KEY_LIVE = 280,
    KEY_CONTROL,
    KEY_ONCE,
    KEY_PORT,
    KEY_FIGURE,
    KEY_EFFECTIVE,
    KEY_KEEP_GOING,
    KEY_BASE,
    KEY_TOGETHER,
    KEY_PART,
    KEY_OF,
    KEY_TO,
    KEY_NODES,
    KEY_SETTLE
};
enum { KEY_HELP = 'h', KEY_OUTPUT = 'o' };
enum {
    KEY_JSON = 300,
    KEY_N,
    KEY_BLOCKS,
    KEY_PRECISION,
    KEY_SAMPLES,
    KEY_THREADS,
    KEY_ISA,
    KEY_ONLY,
    KEY_MARKDOWN,
    KEY_SWEEP
};

struct command {
    struct an_options options;
    struct an_bench_options bench;
    const char *name;     /* of `commands` */
    const char *argument; /* its file, folder or key */
    const char *more;     /* bench: the case file of `bench case` */
    const char *base;     /* of info and init; NULL: none */
    const char *output, *port;
    int live, control, once; /* of watch */
    int keep_going;          /* of batch */
    int together;            /* of map */
    int version, has_bench_option;
};

/* The commands, and the options that belong to them: letters of `options`, in `belongs`. */
enum { NCOMMAND = 11 };
static const struct {
    const char *name, *argument, *help;
    char letter;
} commands[NCOMMAND] = {
    {"run", "CASE.yaml", "Computes a case.", 'r'},
    {"map", "CASE.yaml", "Computes a speed line: one point for each value of the section `map`.",
     'm'},
    {"adjoint", "CASE.yaml",
     "Computes gradients of figures of a settled flow: by values of the case, by the flow and by "
     "the "
     "nodes of the mesh.",
     'a'},
    {"batch", "LIST",
     "Computes the cases of a list, several at a time, and writes one table of their results.",
     'l'},
    {"check", "CASE.yaml", "Reads and checks a case and its mesh, and says how it would run.", 'c'},
    {"init", "MESH.cgns",
     "Writes a case file with comments for a mesh: boundaries by their names, rows by the "
     "zones that hang together.",
     'n'},
    {"info", "FILE.cgns", "Describes a mesh or a snapshot.", 'i'},
    {"report", "FOLDER", "Writes one HTML page about a run: tables, warnings and pictures.", 'p'},
    {"watch", "FOLDER", "Shows a run as it goes on, in this terminal or as a page in a browser.",
     'w'},
    {"bench", "copy|stencils|solver|case [CASE.yaml]",
     "Measures the engine, or the cycles of a case.", 'b'},
    {"help-case", "[KEY]", "Explains the keys of a case file, those of a section, or one key.",
     'h'},
};

/* Ends the program with the message; where messages are off (ARGP_NO_ERRS) ends the parsing. */
#define REFUSE(...)                     \
    do {                                \
        argp_error(state, __VA_ARGS__); \
        return EINVAL;                  \
    } while (0)

/* A whole number from 1 on. */
static error_t whole(struct argp_state *state, const char *option, const char *arg, int *value)
{
    char *end;
    errno = 0;
    const long v = strtol(arg, &end, 10);
    if (errno || end == arg || *end || v < 1 || v > 1000000)
        REFUSE("%s needs a whole number from 1 on, not '%s'", option, arg);
    *value = (int)v;
    return 0;
}

/* Options of `annulus bench`. */
static error_t parse_bench(int key, char *arg, struct argp_state *state)
{
    struct command *c = state->input;
    struct an_bench_options *o = &c->bench;
    c->has_bench_option = 1;
    switch (key) {
    case KEY_JSON:
        o->json = arg;
        return 0;
    case KEY_N:
        return whole(state, "--n", arg, &o->n);
    case KEY_BLOCKS:
        return whole(state, "--blocks", arg, &o->blocks);
    case KEY_SAMPLES:
        return whole(state, "--samples", arg, &o->samples);
    case KEY_THREADS:
        return whole(state, "--threads", arg, &o->threads);
    case KEY_PRECISION:
        o->precision = arg;
        return 0;
    case KEY_ISA:
        o->isa = arg;
        return 0;
    case KEY_ONLY:
        o->only = arg;
        return 0;
    case KEY_MARKDOWN:
        o->markdown = 1;
        return 0;
    default:
        o->sweep = 1;
        return 0;
    }
}

#define LIST "run, map, adjoint, batch, check, init, info, report, watch, bench or help-case"

/* Is the argument of this command a folder? Then annulus-plot carries it out. */
static int needs_folder(const char *name)
{
    return !strcmp(name, "report") || !strcmp(name, "watch");
}

/* Is the name one of the commands, and is its argument there? REFUSE as above, here and in the functions below. */
static error_t check_name(const struct command *c, struct argp_state *state)
{
    int found = 0;
    if (!c->name)
        REFUSE("a command is missing: " LIST);
    for (int n = 0; n < NCOMMAND; n++)
        found |= !strcmp(c->name, commands[n].name);
    if (!found)
        REFUSE("'%s' is not a command: " LIST, c->name);
    if (!c->argument && strcmp(c->name, "bench") != 0 && strcmp(c->name, "help-case") != 0)
        REFUSE("`annulus %s` needs a %s", c->name, needs_folder(c->name) ? "folder" : "file");
    return 0;
}

/* Do the options belong to the command? */
static error_t check_options(const struct command *c, struct argp_state *state)
{
    const int batch = !strcmp(c->name, "batch");
    if (c->output && strcmp(c->name, "init") != 0 && strcmp(c->name, "report") != 0 && !batch)
        REFUSE("--output goes with `annulus init`, `annulus report` and `annulus batch`");
    if (c->base && strcmp(c->name, "info") != 0 && strcmp(c->name, "init") != 0)
        REFUSE("--base goes with `annulus info` and `annulus init`; other commands take 'base' of "
               "the case");
    if (c->keep_going && !batch)
        REFUSE("--keep-going goes with `annulus batch`");
    if (c->options.nset && batch)
        REFUSE("--set does not go with `annulus batch`: its list has values below `set`");
    if ((c->live || c->control || c->once || c->port) && strcmp(c->name, "watch") != 0)
        REFUSE("--live, --control, --once and --port go with `annulus watch`");
    if ((c->options.figure || c->options.effective) && strcmp(c->name, "check") != 0)
        REFUSE("--figure and --effective go with `annulus check`");
    if (c->options.other_mesh && !c->options.restart)
        REFUSE("--other-mesh goes with --restart");
    return 0;
}

/* `annulus run` and `annulus map` and their options. */
static error_t check_march(const struct command *c, struct argp_state *state)
{
    const int map = !strcmp(c->name, "map");
    if ((c->together || c->options.part) && !map)
        REFUSE("--together goes with `annulus map`");
    if (c->together && c->options.progress)
        REFUSE("--progress does not go with --together, which prints one line for each point");
    const int run = !strcmp(c->name, "run"), adjoint = !strcmp(c->name, "adjoint");
    if ((c->options.restart && !run && !adjoint) || (c->options.progress && !run && !map))
        REFUSE("--restart and --progress go with `annulus run`");
    if (c->options.other_mesh && !run)
        REFUSE("--other-mesh goes with `annulus run`");
    if ((c->options.nfigure || c->options.nto || c->options.nodes || c->options.settle) && !adjoint)
        REFUSE("--of, --to, --nodes and --settle go with `annulus adjoint`");
    if (adjoint && !c->options.nfigure)
        REFUSE("`annulus adjoint` needs a figure, as --of loss_mixed_out");
    return 0;
}

/* `annulus bench` and its options. */
static error_t check_bench(struct command *c, struct argp_state *state)
{
    const int bench = !strcmp(c->name, "bench");
    if (c->has_bench_option && !bench)
        REFUSE("--json, --n, --blocks, --precision, --samples, --threads, --isa, --only, "
               "--markdown and --sweep go with `annulus bench`");
    const int bench_case = bench && c->argument && !strcmp(c->argument, "case");
    if (c->more && !bench_case)
        REFUSE("too many arguments, from '%s' on", c->more);
    if (bench && c->options.nset && !bench_case)
        REFUSE("--set goes with `annulus bench case` only");
    if (c->more && c->bench.n)
        REFUSE("--n is the size of the row that `annulus bench case` makes without a case file");
    return 0;
}

/* The command line as a whole. */
static error_t check_command(struct command *c, struct argp_state *state)
{
    if (c->version)
        return 0;
    error_t wrong = check_name(c, state);
    if (!wrong)
        wrong = check_options(c, state);
    if (!wrong)
        wrong = check_march(c, state);
    if (!wrong)
        wrong = check_bench(c, state);
    if (wrong)
        return wrong;
    if (c->options.device && strcmp(c->options.device, "auto") != 0 &&
        strcmp(c->options.device, "cpu") != 0 && strcmp(c->options.device, "cuda") != 0 &&
        !an_engine_is_added(c->options.device))
        REFUSE("--device is auto, cpu or cuda, not '%s'", c->options.device);
    c->bench.what = c->argument;
    c->bench.device = c->options.device;
    if (!strcmp(c->name, "bench") && an_bench_refuse(&c->bench))
        REFUSE("%s", an_bench_refuse(&c->bench));
    return 0;
}

/* Options of the commands that the Python package carries out. */
static error_t parse_page(int key, char *arg, struct command *c)
{
    switch (key) {
    case KEY_KEEP_GOING:
        c->keep_going = 1;
        return 0;
    case KEY_TOGETHER:
        c->together = 1;
        return 0;
    case KEY_LIVE:
        c->live = 1;
        return 0;
    case KEY_CONTROL:
        c->control = 1;
        return 0;
    case KEY_ONCE:
        c->once = 1;
        return 0;
    case KEY_PORT:
        c->port = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* One more of a list. */
static error_t append(char *arg, int *n, char ***list)
{
    char **grown = realloc(*list, ((size_t)*n + 1) * sizeof *grown);
    if (!grown)
        return ENOMEM;
    *list = grown;
    grown[(*n)++] = arg;
    return 0;
}

/* Options of `annulus adjoint`. */
static error_t parse_adjoint(int key, char *arg, struct command *c)
{
    switch (key) {
    case KEY_OF:
        return append(arg, &c->options.nfigure, &c->options.of);
    case KEY_TO:
        return append(arg, &c->options.nto, &c->options.to);
    case KEY_NODES:
        c->options.nodes = 1;
        return 0;
    case KEY_SETTLE:
        c->options.settle = 1;
        return 0;
    default:
        return parse_page(key, arg, c);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct command *c = state->input;
    if (key >= KEY_JSON && key <= KEY_SWEEP)
        return parse_bench(key, arg, state);
    switch (key) {
    case KEY_RESTART:
        c->options.restart = arg;
        return 0;
    case KEY_OTHER_MESH:
        if (arg && strcmp(arg, "cells") != 0 && strcmp(arg, "position") != 0)
            REFUSE("--other-mesh is cells or position, not '%s'", arg);
        c->options.other_mesh = !arg          ? AN_OTHER_AUTO
                                : *arg == 'c' ? AN_OTHER_CELLS
                                              : AN_OTHER_POSITION;
        return 0;
    case KEY_SET:
        return append(arg, &c->options.nset, &c->options.set);
    case KEY_DEVICE:
        c->options.device = arg;
        return 0;
    case KEY_PROGRESS:
        c->options.progress = 1;
        return 0;
    case KEY_FIGURE:
        c->options.figure = arg;
        return 0;
    case KEY_BASE:
        c->base = arg;
        return 0;
    case KEY_EFFECTIVE:
        c->options.effective = 1;
        return 0;
    case KEY_PART:
        c->options.part = arg;
        return 0;
    case KEY_VERSION:
        c->version = 1;
        return 0;
    case KEY_HELP:
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
        return 0;
    case KEY_OUTPUT:
        c->output = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (!c->name)
            c->name = arg;
        else if (!c->argument)
            c->argument = arg;
        else if (!c->more)
            c->more = arg;
        else
            REFUSE("too many arguments, from '%s' on", arg);
        return 0;
    case ARGP_KEY_END:
        return check_command(c, state);
    default:
        return parse_adjoint(key, arg, c);
    }
}

static struct argp_option options[] = {
    {0, KEY_HELP, NULL, OPTION_HIDDEN, NULL, -1},
    {"restart", KEY_RESTART, "FILE|latest", 0,
     "run: continue from this snapshot, or from the newest one in the output folder; adjoint: the "
     "snapshot of the settled flow (default: latest)",
     0},
    {"other-mesh", KEY_OTHER_MESH, "cells|position", OPTION_ARG_OPTIONAL,
     "run: start from a snapshot of another mesh: cell by cell (default if zones and boundaries "
     "are the "
     "same), or interpolated by position (default if they are not)",
     0},
    {"set", KEY_SET, "KEY=VALUE", 0, "change a value of the case file, e.g. march.cfl=2", 0},
    {"device", KEY_DEVICE, "auto|cpu|cuda", 0,
     "processor that computes the flow (default: that of the case file)", 0},
    {"progress", KEY_PROGRESS, NULL, 0,
     "show the present iteration in a moving line between the lines of the table", 0},
    {"output", KEY_OUTPUT, "FILE", 0,
     "init: case file to write (default: case.yaml; -: print it); report: page to write, as HTML "
     "or, "
     "if the name ends with .pdf, as PDF (default: report.html in FOLDER); batch: folder of the "
     "results (default: LIST without its ending)",
     0},
    {"base", KEY_BASE, "NAME", 0,
     "info, init: base of the mesh file, where it has several with structured zones", 0},
    {"keep-going", KEY_KEEP_GOING, NULL, 0,
     "batch: go on with the other cases when one fails, as by a mesh that cannot be made", 0},
    {"together", KEY_TOGETHER, NULL, 0,
     "map: compute the lines of map.speeds and the chains of map.chains side by side, as many as "
     "the "
     "machine can hold",
     0},
    {"of", KEY_OF, "FIGURE", 0,
     "adjoint: figure of the monitors whose gradients are wanted, as efficiency, "
     "rotor.torque_walls "
     "or "
     "loss_mixed_out; may be given several times",
     0},
    {"to", KEY_TO, "KEY", 0,
     "adjoint: key of the case by which figures are differentiated, as boundaries.inlet.p0; may be "
     "given several times (default: values of boundaries, speeds of rows)",
     0},
    {"nodes", KEY_NODES, NULL, 0, "adjoint: gradients by all nodes of the mesh, too", 0},
    {"settle", KEY_SETTLE, NULL, 0,
     "adjoint: lower the residual of the flow to rounding by Newton steps, even where it would "
     "change no figure by more than 0.1 %",
     0},
    {"part", KEY_PART, "PART", OPTION_HIDDEN, NULL, 0},
    {"live", KEY_LIVE, NULL, 0,
     "watch: serve a page that browsers of this machine can show, and print its address", 0},
    {"control", KEY_CONTROL, NULL, 0,
     "watch: the page gets buttons that ask the run for a snapshot or for its end", 0},
    {"once", KEY_ONCE, NULL, 0, "watch: print the present state and end", 0},
    {"figure", KEY_FIGURE, "FILE", 0,
     "check: draw the boundaries of the mesh, coloured by their names, as PNG or PDF", 0},
    {"effective", KEY_EFFECTIVE, NULL, 0,
     "check: only print the case as it would be run, every key with its value; the mesh is not "
     "read",
     0},
    {"port", KEY_PORT, "N", 0, "watch: port of the page (default: a free one)", 0},
    {"version", KEY_VERSION, NULL, 0, "print version, commit, engines, libraries and transports",
     0},
    {0, 0, 0, 0, "Options of `annulus bench`:", 1},
    {"json", KEY_JSON, "FILE", 0,
     "write the results to FILE, which `tools/plot roofline FILE` draws", 1},
    {"n", KEY_N, "N", 0,
     "number of cells along an edge (default: depends on the device); case: the row has about N^3 "
     "cells (default: 100)",
     1},
    {"blocks", KEY_BLOCKS, "B", 0, "solver: number of blocks of N^3 cells (default: 1)", 1},
    {"precision", KEY_PRECISION, "single|double|both", 0,
     "precision of the kernels (default: both)", 1},
    {"samples", KEY_SAMPLES, "S", 0, "number of launches whose median is reported (default: 21)",
     1},
    {"threads", KEY_THREADS, "T", 0,
     "number of threads of the CPU (default: OMP_NUM_THREADS or all cores)", 1},
    {"isa", KEY_ISA, "baseline|avx2|avx512", 0,
     "instruction set of the CPU (default: the best that it has)", 1},
    {"only", KEY_ONLY, "TEXT", 0, "measure only rows whose name contains TEXT", 1},
    {"markdown", KEY_MARKDOWN, NULL, 0, "print the tables as Markdown", 1},
    {"sweep", KEY_SWEEP, NULL, 0,
     "solver: measure every variant of the fused kernels on a GPU; case: V and W cycles, numbers "
     "of "
     "levels and of stages",
     1},
    {0},
};

static struct argp argp = {
    options,
    parse,
    "run CASE.yaml\nmap CASE.yaml\nadjoint CASE.yaml --of FIGURE\nbatch LIST\ncheck "
    "CASE.yaml\ninit MESH.cgns\ninfo "
    "FILE.cgns\nreport FOLDER\n"
    "watch FOLDER\nbench copy|stencils|solver|case [CASE.yaml]\nhelp-case [KEY]",
    "Annulus: a multi-GPU structured-grid flow solver for turbomachinery.\v"
    "Under MPI: mpirun -np 4 annulus run case.yaml\n"
    "Exit codes: 0 done, 1 machine failure, 2 bad input, 3 diverged, 4 stopped on request.",
    NULL,
    NULL,
    NULL,
};

/* Letters of the commands an option belongs to. */
static const char *belongs(const struct argp_option *o)
{
    switch (o->key) {
    case KEY_RESTART:
        return "ra";
    case KEY_OF:
    case KEY_TO:
    case KEY_NODES:
    case KEY_SETTLE:
        return "a";
    case KEY_OTHER_MESH:
        return "r";
    case KEY_PROGRESS:
        return "rm";
    case KEY_FIGURE:
    case KEY_EFFECTIVE:
        return "c";
    case KEY_SET:
        return "rmacb";
    case KEY_DEVICE:
        return "rmacbl";
    case KEY_BASE:
        return "in";
    case KEY_OUTPUT:
        return "npl";
    case KEY_KEEP_GOING:
        return "l";
    case KEY_TOGETHER:
    case KEY_PART:
        return "m";
    case KEY_LIVE:
    case KEY_CONTROL:
    case KEY_ONCE:
    case KEY_PORT:
        return "w";
    case KEY_VERSION:
        return "rmalcnipwbh";
    default:
        return o->group == 1 ? "b" : "";
    }
}

/* Where the command line names a command, its help is about that command alone: `annulus run -h`.
 * Options of others are still understood, so that a message can say whose they are. */
static void help_of_command(int argc, char **argv)
{
    static char usage[120], text[400];
    int command = NCOMMAND;
    for (int a = 1; a < argc && command == NCOMMAND; a++)
        for (int n = 0; n < NCOMMAND; n++)
            if (!strcmp(argv[a], commands[n].name))
                command = n;
    if (command == NCOMMAND)
        return;
    for (struct argp_option *o = options; o->name || o->key || o->doc; o++) {
        if (strchr(belongs(o), commands[command].letter))
            continue;
        o->flags |= OPTION_HIDDEN;
        if (!o->key)
            o->doc = ""; /* a heading */
    }
    snprintf(usage, sizeof usage, "%s %s", commands[command].name, commands[command].argument);
    snprintf(text, sizeof text, "%s%s", commands[command].help, strchr(argp.doc, '\v'));
    argp.args_doc = usage;
    argp.doc = text;
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
    if (status == AN_FAIL) /* MPI would let HDF5 close a file that it could not write, and crash */
        an_leave_at_once(status);
    MPI_Finalize();
}

/* Is the error of all processes told by another one? 1 after a wait: a launcher ends all processes when one has failed,
 * and the first one speaks before. */
static int leave_to_first(void)
{
    if (an_launcher_is_first())
        return 0;
    usleep(1000000);
    return 1;
}

/* Commands that compute. */
static int under_mpi(const struct command *c, int *printed)
{
    if (!strcmp(c->name, "run"))
        return an_run(MPI_COMM_WORLD, &c->options, printed);
    if (!strcmp(c->name, "map"))
        return an_map(MPI_COMM_WORLD, &c->options, printed);
    if (!strcmp(c->name, "adjoint"))
        return an_adjoint_command(MPI_COMM_WORLD, &c->options, printed);
    if (!strcmp(c->name, "check"))
        return an_check(MPI_COMM_WORLD, &c->options, printed);
    return an_bench_command(&c->bench, &c->options, c->more, printed);
}

static char letter_of(const char *name)
{
    for (int n = 0; n < NCOMMAND; n++)
        if (!strcmp(name, commands[n].name))
            return commands[n].letter;
    return '?';
}

/* Batch, map --together, report or watch: their options as annulus-plot takes them. */
static int page(const struct command *c)
{
    enum { OTHERS = 16 };
    char self[4000];
    const char **argument = calloc((size_t)(OTHERS + 2 * c->options.nset), sizeof *argument);
    AN_CHECK(argument, AN_FAIL, "out of memory");
    const int batch = !strcmp(c->name, "batch") || c->together;
    int n = 0;
    argument[n++] = c->together ? "map-together" : c->name;
    argument[n++] = c->argument;
    if (c->output)
        argument[n++] = "-o", argument[n++] = c->output;
    if (c->live)
        argument[n++] = "--live";
    if (c->control)
        argument[n++] = "--control";
    if (c->once)
        argument[n++] = "--once";
    if (c->port)
        argument[n++] = "--port", argument[n++] = c->port;
    if (batch && c->options.device)
        argument[n++] = "--device", argument[n++] = c->options.device;
    if (c->keep_going)
        argument[n++] = "--keep-going";
    if (batch && an_self(self, sizeof self) == AN_OK)
        argument[n++] = "--program", argument[n++] = self;
    for (int s = 0; s < c->options.nset; s++)
        argument[n++] = "--set", argument[n++] = c->options.set[s];
    const int status = an_page(n, argument);
    free(argument);
    return status;
}

int main(int argc, char **argv)
{
    struct command c;
    memset(&c, 0, sizeof c);
    argp_err_exit_status = AN_INPUT;
    help_of_command(argc, argv);
    if (argp_parse(&argp, argc, argv, an_launcher_is_first() ? 0 : ARGP_NO_ERRS, NULL, &c) != 0) {
        (void)leave_to_first();
        return AN_INPUT;
    }
    c.options.case_file = c.argument;
    int status = !c.version && !strcmp(c.name, "bench") ? an_bench_start(argv) : AN_OK, printed = 0;
    const int alone =
        c.version || c.options.effective || c.together || strchr("nihpwl", letter_of(c.name));
    if (status != AN_OK) {
        if (an_launcher_is_first())
            fprintf(stderr, "annulus: error: %s\n", an_error_text());
    } else if (alone && !an_launcher_is_first() &&
               (c.version || !(c.together || !strcmp(c.name, "batch")))) {
        status = AN_OK; /* the first rank does it */
    } else if (c.version) {
        an_version_print(stdout);
    } else if (alone) {
        status = c.options.effective            ? an_input_echo(&c.options, stdout, &printed)
                 : !strcmp(c.name, "help-case") ? an_case_help(c.argument, stdout)
                 : !strcmp(c.name, "info") ? an_info(c.argument, c.base ? c.base : "", &printed)
                 : !strcmp(c.name, "init")
                     ? an_init(c.argument, c.base ? c.base : "", c.output, &printed)
                     : page(&c);
        if (status != AN_OK && !printed)
            fprintf(stderr, "annulus: error: %s\n", an_error_text());
    } else {
        an_waits_choose(argv);
        status = an_launcher_start();
        if (status == AN_FAIL) {
            fprintf(stderr, "annulus: error: %s\n", an_error_text());
            return status;
        }
        if (status == AN_OK)
            status = under_mpi(&c, &printed);
        else
            printed = leave_to_first();
        finish(status, printed);
    }
    free(c.options.set);
    free(c.options.of);
    free(c.options.to);
    if (status == AN_INPUT) /* HDF5 may hold a damaged file that it cannot close */
        an_leave_at_once(status);
    return status;
}

/* passage_copy: one passage of each blade row, mesh and snapshot, to several or the full annulus.
 *
 * Copies lie side by side, each turned by one pitch more about the x axis; they join one to one,
 * the last closes with the first by the rotation that is left, or, all around, one to one. Vectors
 * of the snapshot turn with their copies. Boundaries keep their names: the case of the passage runs
 * the copies too, and restarts from their snapshot. */
#define _GNU_SOURCE
#include "copy.h"

#include "io/cgns_names.h"
#include "io/mesh_write.h"
#include "io/output_file.h"

#include <argp.h>
#include <cgnslib.h>
#include <libgen.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *argp_program_version = "passage_copy 1";
static const char doc[] =
    "Copies the passages of a mesh side by side, with the metal of their blades (base `Solid`), "
    "and "
    "a snapshot with them. Zone `b` becomes `b_p1`, "
    "`b_p2`, ... of the family of b (`b` if it has none); boundaries keep their names. Exit codes: "
    "0 done, 1 the machine failed, 2 bad input.\vThe case of the passage runs the copies: "
    "annulus run CASE.yaml --set mesh=FILE --set output.folder=FOLDER --restart latest";
static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "CGNS mesh to write", 0},
    {"passages", 'n', "N or ROW=N", 0,
     "passages of each row, or of the row with a zone or family ROW or with zones whose names "
     "begin "
     "with ROW_; may be given several times, the last one that fits a row counts; rows without a "
     "number: the full annulus",
     0},
    {"snapshot", 's', "FILE", 0, "a snapshot of the mesh, to be copied too", 0},
    {"folder", 'f', "FOLDER", 0, "where its copy goes, beside a grid.cgns of its own", 0},
    {0, 0, 0, 0, 0, 0}};

enum { MOST_WISHES = 64 };

struct command {
    const char *mesh, *output, *snapshot, *folder;
    int nwish;
    struct copies_wish wish[MOST_WISHES];
};

/* N or ROW=N */
static int read_wish(char *arg, struct copies_wish *w)
{
    char *end, *number = strrchr(arg, '=');
    if (number)
        *number++ = '\0';
    else
        number = arg;
    const long n = strtol(number, &end, 10);
    *w = (struct copies_wish){number == arg ? "" : arg, (int)n};
    return end > number && !*end && n >= 1 && n <= 10000;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct command *c = state->input;
    switch (key) {
    case 'o':
        c->output = arg;
        return 0;
    case 'n':
        if (c->nwish == MOST_WISHES || !read_wish(arg, &c->wish[c->nwish]))
            argp_error(state,
                       "--passages %s: expected 1 to 10000, or ROW=1 to 10000, for at most %d rows",
                       arg, MOST_WISHES);
        c->nwish++;
        return 0;
    case 's':
        c->snapshot = arg;
        return 0;
    case 'f':
        c->folder = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (c->mesh)
            argp_error(state, "one mesh, not '%s' too", arg);
        c->mesh = arg;
        return 0;
    case ARGP_KEY_END:
        if (!c->mesh || !c->output)
            argp_error(state, "give a mesh and --output FILE");
        if (!c->snapshot != !c->folder)
            argp_error(state, "--snapshot and --folder go together");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int write_zone(const struct an_mesh *m, const struct copies *c, const struct an_topology *t,
                      int z, int fn, int base)
{
    int64_t n;
    double *x;
    AN_TRY(an_mesh_read_zone(m, z, &n, &x));
    const size_t size = (size_t)n * 3 * sizeof *x;
    double *turned = malloc(size);
    int status =
        turned ? AN_OK : an_error_set(AN_FAIL, "out of memory for %lld nodes", (long long)n);
    for (int copy = 0; copy < c->count[z] && status == AN_OK; copy++) {
        memcpy(turned, x, size);
        if (copy)
            copies_turn(copy * c->pitch[z], n, turned + n, turned + 2 * n);
        status = an_mesh_write_zone(fn, base, t, c->first[z] + copy, turned);
    }
    free(x);
    free(turned);
    return status;
}

/* Families and zones of all copies. */
static int write_base(const struct an_mesh *m, const struct copies *c, int fn, int base)
{
    struct an_topology t;
    int status = copies_topology(&m->topology, c, &t);
    if (status == AN_OK)
        status = an_mesh_write_families(fn, base, &t);
    for (int z = 0; z < m->topology.nblock && status == AN_OK; z++)
        status = write_zone(m, c, &t, z, fn, base);
    an_topology_free(&t);
    return status;
}

static int open_mesh(const char *file, const char *base, struct an_mesh *m)
{
    struct an_diag diag;
    an_diag_init(&diag);
    const int status = an_mesh_open_base(file, base, m, &diag);
    for (int l = 0; status == AN_INPUT && l < diag.nline; l++)
        fprintf(stderr, "%s\n", diag.line[l]);
    an_diag_free(&diag);
    return status;
}

/* The metal, if the file of the gas has one. */
static int write_metal(struct an_mesh *gas, const struct copies *of_gas, int fn)
{
    struct an_mesh m;
    struct copies c = {0};
    int base = 0;
    if (!an_mesh_has_base(gas, AN_CGNS_SOLID))
        return AN_OK;
    int status = open_mesh(gas->file, AN_CGNS_SOLID, &m);
    if (status == AN_OK)
        status = copies_metal(gas, of_gas, &m, &c);
    if (status == AN_OK)
        status = an_mesh_write_base(fn, AN_CGNS_SOLID, &base);
    if (status == AN_OK)
        status = write_base(&m, &c, fn, base);
    copies_free(&c);
    an_mesh_close(&m);
    /* the handle of the gas no longer reads where another one of its file was closed */
    return status == AN_OK ? an_mesh_renew(gas) : status;
}

static int write_mesh(struct an_mesh *m, const struct copies *c, const char *path)
{
    int fn;
    AN_TRY(an_mesh_write_new(path, &fn));
    int status = write_base(m, c, fn, AN_MESH_GAS);
    if (status == AN_OK)
        status = write_metal(m, c, fn);
    return an_mesh_write_end(path, fn, status);
}

/* The folder that holds a file. */
static int apart_from_folder(const char *folder, const char *file)
{
    char holds[PATH_MAX];
    snprintf(holds, sizeof holds, "%s", file);
    return an_mesh_write_apart(folder, dirname(holds));
}

/* Nothing that is read may be written over: links are followed. */
static int check_paths(const struct command *k)
{
    char real[PATH_MAX], grid[PATH_MAX];
    AN_TRY(an_mesh_write_apart(k->output, k->mesh));
    if (!k->snapshot)
        return AN_OK;
    AN_TRY(an_mesh_write_apart(k->output, k->snapshot));
    AN_TRY(apart_from_folder(k->folder, k->snapshot));
    if (realpath(k->snapshot, real))
        AN_TRY(apart_from_folder(k->folder, real));
    snprintf(grid, sizeof grid, "%s/grid.cgns", k->folder);
    return an_mesh_write_apart(grid, k->mesh);
}

static int copy(const struct command *k)
{
    struct an_mesh m;
    struct copies c = {0};
    char path[1024];
    AN_TRY(check_paths(k));
    int status = open_mesh(k->mesh, "", &m);
    if (status == AN_OK && m.dimension != 3)
        status = an_error_set(AN_INPUT, "%s: the mesh is not three-dimensional", k->mesh);
    if (status == AN_OK)
        status = copies_new(&m, k->nwish, k->wish, &c);
    if (status == AN_OK)
        status = write_mesh(&m, &c, k->output);
    if (status == AN_OK)
        printf("%s: %d zones\n", k->output,
               c.first[m.topology.nblock - 1] + c.count[m.topology.nblock - 1]);
    if (status == AN_OK && k->folder && mkdir(k->folder, 0777) != 0 && access(k->folder, W_OK) != 0)
        status = an_error_set(AN_INPUT, "folder '%s' cannot be written", k->folder);
    if (status == AN_OK && k->snapshot)
        status = copies_snapshot(&m, &c, k->output, k->snapshot, k->folder, path);
    if (status == AN_OK && k->snapshot)
        printf("%s\n", path);
    copies_free(&c);
    an_mesh_close(&m);
    return status;
}

int main(int argc, char **argv)
{
    static const struct argp parser = {options, parse, "MESH.cgns", doc, NULL, NULL, NULL};
    struct command c = {0};
    argp_err_exit_status = 2;
    argp_parse(&parser, argc, argv, 0, NULL, &c);
    MPI_Init(&argc, &argv);
    const int status = copy(&c);
    if (status != AN_OK && *an_error_text()) /* else the faults of a mesh have been printed */
        fprintf(stderr, "passage_copy: %s\n", an_error_text());
    MPI_Finalize();
    if (status == AN_FAIL)
        an_leave_at_once(1);
    return status == AN_OK ? 0 : status == AN_INPUT ? 2 : 1;
}

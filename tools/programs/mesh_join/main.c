/* mesh_join: meshes of several blade rows in one CGNS file.
 *
 * Zones and boundaries of each file get the name of their row in front: zone `b1` of row `rotor` is
 * `rotor_b1`, its boundary `outlet` is `rotor_outlet`. Nothing else changes: coordinates,
 * interfaces, periodicity. The same holds for the metal, the base `Solid` of a file: that of all rows stands in one such
 * base. Rows meet at mixing planes, which the case file says by the names of
 * boundaries, or the mesh itself, with --plane: such boundaries are written as general connections
 * with AverageInterface. */
#include "io/cgns_names.h"
#include "io/mesh_write.h"
#include "io/output_file.h"

#include <argp.h>
#include <cgnslib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *argp_program_version = "mesh_join 1";
static const char doc[] =
    "Meshes of several blade rows in one CGNS file. Zones and boundaries get the row's name in "
    "front: boundary `outlet` of row `rotor` becomes `rotor_outlet`. The metal of blades (base "
    "`Solid`) is joined in the same way. Exit codes: 0 done, 1 the "
    "machine failed, 2 bad input.";
static const struct argp_option options[] = {{"output", 'o', "FILE", 0, "CGNS file to write", 0},
                                             {"plane", 'p', "A=B", 0,
                                              "boundaries of the new file that are a mixing plane: "
                                              "the case file need not name them then",
                                              0},
                                             {0, 0, 0, 0, 0, 0}};

enum { MOST_ROWS = 64, MOST_PLANES = 64 };

struct command {
    const char *output;
    int n;
    struct {
        char name[AN_NAME];
        const char *file;
    } row[MOST_ROWS];
    int nplane;
    struct {
        char side[2][AN_NAME];
    } plane[MOST_PLANES];
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct command *c = state->input;
    const char *is = key == ARGP_KEY_ARG || key == 'p' ? strchr(arg, '=') : NULL;
    switch (key) {
    case 'o':
        c->output = arg;
        return 0;
    case 'p':
        if (!is || is == arg || !is[1] || is - arg >= AN_NAME || strlen(is + 1) >= AN_NAME)
            argp_error(state, "'%s': expected --plane BOUNDARY=BOUNDARY", arg);
        if (c->nplane == MOST_PLANES)
            argp_error(state, "at most %d planes", MOST_PLANES);
        snprintf(c->plane[c->nplane].side[0], AN_NAME, "%.*s", (int)(is - arg), arg);
        snprintf(c->plane[c->nplane++].side[1], AN_NAME, "%s", is + 1);
        return 0;
    case ARGP_KEY_ARG:
        if (!is || is == arg || !is[1] || is - arg >= AN_NAME ||
            strcspn(arg, "/ ") < (size_t)(is - arg))
            argp_error(state, "'%s': expected ROW=FILE", arg);
        if (c->n == MOST_ROWS)
            argp_error(state, "at most %d rows", MOST_ROWS);
        snprintf(c->row[c->n].name, AN_NAME, "%.*s", (int)(is - arg), arg);
        c->row[c->n++].file = is + 1;
        return 0;
    case ARGP_KEY_END:
        if (!c->output || !c->n)
            argp_error(state, "give rows and --output FILE");
        for (int a = 0; a < c->n; a++)
            for (int b = 0; b < a; b++)
                if (!strcmp(c->row[a].name, c->row[b].name))
                    argp_error(state, "two rows are called '%s'", c->row[a].name);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* row_name, as CGNS allows it */
static int name_of(const char *row, const char *name, char to[AN_NAME])
{
    const int length = snprintf(to, AN_NAME, "%s_%s", row, name);
    AN_CHECK(length < AN_NAME, AN_INPUT,
             "'%s_%s' has %d characters, CGNS allows %d: call the row less", row, name, length,
             AN_NAME - 1);
    return AN_OK;
}

static int grow(void **array, int n, int more, size_t size)
{
    void *grown = realloc(*array, ((size_t)n + (size_t)more + 1) * size);
    AN_CHECK(grown, AN_FAIL, "out of memory");
    *array = grown;
    return AN_OK;
}

/* Adds a row's topology to the whole one. */
static int add_row(struct an_topology *all, const struct an_topology *t, const char *row)
{
    const int block = all->nblock, boundary = all->nboundary;
    AN_TRY(grow((void **)&all->block, all->nblock, t->nblock, sizeof *all->block));
    AN_TRY(grow((void **)&all->interface, all->ninterface, t->ninterface, sizeof *all->interface));
    AN_TRY(grow((void **)&all->patch, all->npatch, t->npatch, sizeof *all->patch));
    AN_TRY(grow((void **)&all->boundary, all->nboundary, t->nboundary, sizeof *all->boundary));
    for (int n = 0; n < t->nblock; n++) {
        struct an_zone *z = &all->block[all->nblock++];
        *z = t->block[n];
        AN_TRY(name_of(row, t->block[n].name, z->name));
    }
    for (int n = 0; n < t->ninterface; n++) {
        struct an_interface *f = &all->interface[all->ninterface++];
        *f = t->interface[n];
        f->window.block += block;
        f->donor += block;
    }
    for (int n = 0; n < t->npatch; n++) {
        struct an_patch *p = &all->patch[all->npatch++];
        *p = t->patch[n];
        p->window.block += block;
        p->boundary += boundary;
    }
    for (int n = 0; n < t->nboundary; n++) {
        struct an_boundary *b = &all->boundary[all->nboundary++];
        *b = t->boundary[n];
        AN_TRY(name_of(row, t->boundary[n].name, b->name));
        if (b->with[0])
            AN_TRY(name_of(row, t->boundary[n].with, b->with));
    }
    return AN_OK;
}

/* Of boundary b of the new file, which has those of row 0 first. */
static int row_of(const struct an_mesh *m, int b)
{
    int r = 0;
    while (b >= m[r].topology.nboundary)
        b -= m[r++].topology.nboundary;
    return r;
}

static int name_planes(const struct command *c, const struct an_mesh *m, struct an_topology *t)
{
    for (int n = 0; n < c->nplane; n++) {
        for (int side = 0; side < 2; side++) {
            const char *name = c->plane[n].side[side], *with = c->plane[n].side[!side];
            const int b = an_boundary_find(t, name);
            AN_CHECK(b >= 0, AN_INPUT, "--plane: no row has a boundary '%s'", name);
            AN_CHECK(strcmp(name, with) != 0 && !t->boundary[b].with[0], AN_INPUT,
                     "--plane: '%s' has another side already, or itself", name);
            snprintf(t->boundary[b].with, AN_NAME, "%s", with);
            t->boundary[b].type = AN_BC_MIXING_PLANE;
        }
        const char *a = c->plane[n].side[0], *b = c->plane[n].side[1];
        const int row = row_of(m, an_boundary_find(t, a));
        AN_CHECK(
            row != row_of(m, an_boundary_find(t, b)), AN_INPUT,
            "--plane: '%s' and '%s' are both of row '%s': a mixing plane lies between two rows", a,
            b, c->row[row].name);
    }
    return AN_OK;
}

static int write_row(const struct an_mesh *m, const struct an_topology *t, int first, int fn,
                     int base)
{
    for (int z = 0; z < m->topology.nblock; z++) {
        int64_t n;
        double *x;
        AN_TRY(an_mesh_read_zone(m, z, &n, &x));
        const int status = an_mesh_write_zone(fn, base, t, first + z, x);
        free(x);
        AN_TRY(status);
    }
    return AN_OK;
}

/* base: "" for the gas. */
static int open_row(const char *file, const char *base, struct an_mesh *m)
{
    struct an_diag diag;
    an_diag_init(&diag);
    const int status = an_mesh_open_base(file, base, m, &diag);
    if (status == AN_INPUT)
        for (int l = 0; l < diag.nline; l++)
            fprintf(stderr, "%s\n", diag.line[l]);
    an_diag_free(&diag);
    AN_TRY(status);
    AN_CHECK(m->dimension == 3, AN_INPUT, "%s: the mesh is not three-dimensional", file);
    return AN_OK;
}

/* The metal of a row, into *base, which is begun where it is 0. */
static int write_metal(const struct command *c, int row, int fn, int *base)
{
    struct an_mesh m;
    struct an_topology t;
    an_topology_init(&t);
    int status = open_row(c->row[row].file, AN_CGNS_SOLID, &m);
    if (status == AN_OK)
        status = add_row(&t, &m.topology, c->row[row].name);
    if (status == AN_OK && !*base)
        status = an_mesh_write_base(fn, AN_CGNS_SOLID, base);
    if (status == AN_OK)
        status = an_mesh_write_families(fn, *base, &t);
    if (status == AN_OK)
        status = write_row(&m, &t, 0, fn, *base);
    an_mesh_close(&m);
    an_topology_free(&t);
    return status;
}

static int write_metals(const struct command *c, const struct an_mesh *m, int fn)
{
    int base = 0;
    for (int r = 0; r < c->n; r++)
        if (an_mesh_has_base(&m[r], AN_CGNS_SOLID))
            AN_TRY(write_metal(c, r, fn, &base));
    return AN_OK;
}

static int write_file(const struct command *c, const struct an_mesh *m, const struct an_topology *t)
{
    int fn, first = 0;
    AN_TRY(an_mesh_write_new(c->output, &fn));
    int status = an_mesh_write_families(fn, AN_MESH_GAS, t);
    for (int r = 0; r < c->n && status == AN_OK; r++) {
        status = write_row(&m[r], t, first, fn, AN_MESH_GAS);
        first += m[r].topology.nblock;
    }
    if (status == AN_OK)
        status = write_metals(c, m, fn);
    return an_mesh_write_end(c->output, fn, status);
}

static int join(const struct command *c)
{
    struct an_topology all;
    struct an_mesh *m = calloc((size_t)c->n, sizeof *m);
    an_topology_init(&all);
    int status = m ? AN_OK : an_error_set(AN_FAIL, "out of memory"), opened = 0;
    for (int r = 0; r < c->n && status == AN_OK; r++)
        status = an_mesh_write_apart(c->output, c->row[r].file);
    for (int r = 0; r < c->n && status == AN_OK; r++) {
        status = open_row(c->row[r].file, "", &m[r]);
        opened = r + 1;
        if (status == AN_OK)
            status = add_row(&all, &m[r].topology, c->row[r].name);
    }
    if (status == AN_OK)
        status = name_planes(c, m, &all);
    if (status == AN_OK)
        status = write_file(c, m, &all);
    for (int r = 0; r < opened; r++)
        an_mesh_close(&m[r]);
    an_topology_free(&all);
    free(m);
    return status;
}

int main(int argc, char **argv)
{
    static const struct argp parser = {options, parse, "ROW=FILE...", doc, NULL, NULL, NULL};
    struct command c = {0};
    argp_err_exit_status = 2;
    argp_parse(&parser, argc, argv, 0, NULL, &c);
    const int status = join(&c);
    if (status != AN_OK && *an_error_text()) /* else the faults of a mesh have been printed */
        fprintf(stderr, "mesh_join: %s\n", an_error_text());
    if (status == AN_FAIL)
        an_leave_at_once(1);
    return status == AN_OK ? 0 : status == AN_INPUT ? 2 : 1;
}

#include "solver/app/init.h"

#include "kernels/base/units.h"
#include "solver/app/init_planes.h"
#include "solver/app/init_solids.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the mesh tells of its rows and boundaries. */
struct found {
    int *rows;  /* [nblock] the row of each zone, as its first zone */
    int *order; /* [nrow] the rows in the order of the flow */
    int nrow;
    enum an_bc_type *types; /* [nboundary] */
    int *partners;          /* [nboundary] as an_init_partner gives them; -1: none */
    const char *base;       /* that was asked for; "": none */
};

/* What a boundary's name tells, in the order in which it is asked. */
static const struct {
    const char *part;
    enum an_bc_type type;
} telling[] = {
    {"mixing", AN_BC_NONE},           {"inlet", AN_BC_INLET_TOTAL},
    {"inflow", AN_BC_INLET_TOTAL},    {"outlet", AN_BC_OUTLET_STATIC},
    {"outflow", AN_BC_OUTLET_STATIC}, {"exit", AN_BC_OUTLET_STATIC},
    {"far", AN_BC_FARFIELD},          {"sym", AN_BC_SYMMETRY},
    {"slip", AN_BC_WALL_SLIP},        {"blade", AN_BC_WALL_VISCOUS},
    {"vane", AN_BC_WALL_VISCOUS},     {"hub", AN_BC_WALL_VISCOUS},
    {"shroud", AN_BC_WALL_VISCOUS},   {"casing", AN_BC_WALL_VISCOUS},
    {"tip", AN_BC_WALL_VISCOUS},      {"splitter", AN_BC_WALL_VISCOUS},
    {"wall", AN_BC_WALL_VISCOUS},
};

/* 1: the lower-case letters of `name` have `part` in them. */
static int has_part(const char *name, const char *part)
{
    char lower[AN_NAME];
    size_t n = 0;
    for (; name[n] && n + 1 < sizeof lower; n++)
        lower[n] = (char)tolower((unsigned char)name[n]);
    lower[n] = '\0';
    return strstr(lower, part) != NULL;
}

static enum an_bc_type type_of_name(const char *name)
{
    for (size_t n = 0; n < sizeof telling / sizeof *telling; n++)
        if (has_part(name, telling[n].part))
            return telling[n].type;
    return AN_BC_NONE;
}

/* The casing stands still where its row turns. */
static int is_casing(const char *name)
{
    return has_part(name, "shroud") || has_part(name, "casing");
}

/* Blades of the row whose first zone is `row`: the sectors into which its rotational periodicity divides
 * the circle, times the passages of a sector; 0 without periodicity. */
static int blades_of(const struct an_topology *t, const int *rows, int row)
{
    const double *rotation = NULL;
    for (int f = 0; f < t->ninterface && !rotation; f++)
        if (rows[t->interface[f].window.block] == row && t->interface[f].periodic == 2)
            rotation = t->interface[f].rotation;
    for (int p = 0; p < t->npatch && !rotation; p++) {
        const struct an_boundary *b = &t->boundary[t->patch[p].boundary];
        if (rows[t->patch[p].window.block] == row && b->type == AN_BC_ABUTTING && b->periodic == 2)
            rotation = b->rotation;
    }
    return !rotation ? 0
                     : an_init_passages(t, rows, row) *
                           (int)lround(2 * acos(-1.) / fabs(atan2(rotation[7], rotation[4])));
}

/* Length of the beginning, such as "rotor_", that the zones of a row share and no other zone has;
 * 0: there is none. */
static int prefix_of(const struct an_topology *t, const int *rows, int row)
{
    const char *name = t->block[row].name;
    const int length = strchr(name, '_') ? (int)(strchr(name, '_') - name) + 1 : 0;
    for (int b = 0; b < t->nblock; b++)
        if ((strncmp(t->block[b].name, name, (size_t)length) == 0) != (rows[b] == row))
            return 0;
    return length;
}

static void write_row(const struct an_topology *t, const int *rows, int row, int number, FILE *out)
{
    const struct an_zone *zone = &t->block[row];
    const int blades = blades_of(t, rows, row), prefix = prefix_of(t, rows, row);
    if (number == 0)
        fputs("  row: {zones: [\"*\"]", out);
    else if (prefix > 1)
        fprintf(out, "  %.*s: {zones: [\"%.*s*\"]", prefix - 1, zone->name, prefix, zone->name);
    else {
        fprintf(out, "  row%d: {zones: [\"%s\"", number, zone->name);
        for (int b = row + 1; b < t->nblock; b++)
            if (rows[b] == row)
                fprintf(out, ", \"%s\"", t->block[b].name);
        fputs("]", out);
    }
    fprintf(out, ", rpm: %.7g", zone->rotates ? zone->omega / AN_RPM : 0.);
    if (blades)
        fprintf(out, ", blades: %d", blades);
    fprintf(out, "}%s\n", zone->rotates ? "" : "   # the speed is not in the mesh");
}

/* Nothing for a plane mesh, which has no rotational periodicity. */
static void write_rows(const struct an_topology *t, const struct found *f, FILE *out)
{
    int annular = 0;
    for (int n = 0; n < f->nrow; n++)
        annular |= blades_of(t, f->rows, f->order[n]) > 0;
    if (!annular)
        return;
    fputs(
        "\n# In the order of the flow. Speeds in 1/min about +x, positive from y to z; blades: of "
        "the whole wheel.\nrows:\n",
        out);
    for (int n = 0; n < f->nrow; n++)
        write_row(t, f->rows, f->order[n], f->nrow == 1 ? 0 : n + 1, out);
}

/* Is the boundary part of a row that may turn? */
static int is_annular(const struct an_topology *t, const int *rows, int boundary)
{
    for (int p = 0; p < t->npatch; p++)
        if (t->patch[p].boundary == boundary)
            return blades_of(t, rows, rows[t->patch[p].window.block]) > 0;
    return 0;
}

static enum an_bc_type type_of(const struct an_boundary *b)
{
    return b->type == AN_BC_NONE ? type_of_name(b->name) : b->type;
}

/* Does the flow leave the boundary with swirl? Behind a rotor, and behind a single row, whatever it is. A row at rest behind
 * others takes the swirl out. */
static int has_swirl(const struct an_topology *t, const struct found *f, int boundary)
{
    const int row = an_init_row_of(t, f->rows, boundary);
    int turns = 0;
    for (int b = 0; b < t->nblock; b++)
        turns |= f->rows[b] == row && t->block[b].rotates && t->block[b].omega != 0;
    return is_annular(t, f->rows, boundary) && (turns || f->nrow == 1);
}

static void write_boundary(const struct an_topology *t, const struct found *f, int n, FILE *out)
{
    static const char *const values[AN_BC_NTYPE] = {
        [AN_BC_INLET_TOTAL] = ", p0: 101325, T0: 288.15, direction: [1, 0, 0]",
        [AN_BC_OUTLET_STATIC] = ", p: 90000",
        [AN_BC_INLET_SUPERSONIC] = ", p: 1e5, T: 288.15, mach: 2, direction: [1, 0, 0]",
        [AN_BC_FARFIELD] = ", p: 1e5, T: 288.15, mach: 0.3, direction: [1, 0, 0]",
    };
    const struct an_boundary *b = &t->boundary[n];
    const int partner = f->partners[n]; /* at the same place of the row ahead or behind; -1: none */
    enum an_bc_type type = type_of(b);
    const int unclear = type == AN_BC_NONE;
    if ((b->type == AN_BC_MIXING_PLANE || b->type == AN_BC_ABUTTING) && b->with[0])
        return; /* the mesh says all */
    if (partner >= 0) {
        fprintf(
            out,
            "  \"%s\": {type: mixing_plane, with: \"%s\"}   # or sliding_plane, if both rows cover "
            "the same angle\n",
            b->name, t->boundary[partner].name);
        return;
    }
    if (unclear)
        type = AN_BC_WALL_VISCOUS;
    const int still = type == AN_BC_WALL_VISCOUS && is_casing(b->name) && is_annular(t, f->rows, n);
    const int swirls = type == AN_BC_OUTLET_STATIC && has_swirl(t, f, n);
    fprintf(out, "  \"%s\": {type: %s%s%s}%s\n", b->name, an_bc_type_name(type),
            values[type] ? values[type] : "",
            still    ? ", omega: 0"
            : swirls ? ", radial_equilibrium: mid"
                     : "",
            unclear  ? "   # neither mesh nor name say what it is"
            : still  ? "   # stands still where its row turns"
            : swirls ? "   # p is the pressure at mid-span: the flow leaves with swirl"
            : b->type == AN_BC_NONE ? "   # by its name"
                                    : "");
}

static int has_viscous_wall(const struct an_topology *t)
{
    for (int n = 0; n < t->nboundary; n++) {
        const enum an_bc_type named = type_of(&t->boundary[n]);
        if (named == AN_BC_WALL_VISCOUS || named == AN_BC_NONE)
            return 1;
    }
    return 0;
}

/* Boundaries are listed row by row, as the rows are. */
static void write_boundaries(const struct an_topology *t, const struct found *f, FILE *out)
{
    fputs("\nboundaries:\n", out);
    for (int k = 0; k <= f->nrow; k++)
        for (int n = 0; n < t->nboundary; n++)
            if (an_init_row_of(t, f->rows, n) == (k < f->nrow ? f->order[k] : -1))
                write_boundary(t, f, n, out);
}

/* Rules that the run can meet (solver/march/stop.h): those on figures of the flow need an inlet and an outlet, that on
 * the efficiency a row that turns, and that on the forces a wall. */
static void write_stop(const struct an_topology *t, const struct found *f, FILE *out)
{
    int open = 0, walls = 0, turns = 0;
    for (int n = 0; n < t->nboundary; n++) {
        const enum an_bc_type type = f->types[n] == AN_BC_NONE ? AN_BC_WALL_VISCOUS : f->types[n];
        open += f->partners[n] < 0 && an_bc_type_has(type, AN_BC_PASSES);
        walls += type == AN_BC_WALL_VISCOUS || type == AN_BC_WALL_SLIP;
    }
    for (int b = 0; b < t->nblock; b++)
        turns |= t->block[b].rotates && t->block[b].omega != 0;
    if (open > 1 || walls)
        fputs("\n# The run ends before its last iteration once these figures stand still: over "
              "stop.window iterations\n# they move by less than these fractions.\n",
              out);
    if (open > 1)
        fprintf(out, "stop: {mass_flow: 1.0e-3, pressure_ratio: 1.0e-3%s}%s\n",
                turns ? ", efficiency: 1.0e-3" : "",
                turns ? "" : "   # if a row turns, add efficiency: 1.0e-3");
    else if (walls)
        fputs("stop: {force: 1.0e-3}\n", out);
}

/* The title of the case: the name of the mesh's file without its folder and its ending. */
static void write_title(const char *mesh, FILE *out)
{
    const char *slash = strrchr(mesh, '/'), *name = slash ? slash + 1 : mesh;
    const char *dot = strrchr(name, '.');
    fprintf(out, "case: \"%.*s\"\n", (int)(dot && dot > name ? dot - name : (long)strlen(name)),
            name);
}

static void write_case(const struct an_mesh *m, const char *mesh, const struct found *f, FILE *out)
{
    const struct an_topology *t = &m->topology;
    const int viscous = has_viscous_wall(t);
    fprintf(out, "# Written by `annulus init`; values of the flow are to be replaced.\n"
                 "# `annulus help-case KEY` explains a key, `annulus check` this file.\n");
    write_title(mesh, out);
    fprintf(out, "mesh: \"%s\"\n", mesh);
    if (f->base[0])
        fprintf(out, "base: \"%s\"\n", f->base);
    fprintf(out,
            "precision: double          # or single\n\n"
            "gas: {gamma: 1.4, R: 287.05%s}\n",
            viscous ? ", viscosity: sutherland" : "");
    if (viscous)
        fputs("turbulence: {model: sa}    # none, sa, sst or mixing_length\n", out);
    write_rows(t, f, out);
    fputs("\nmarch: {iterations: 1000}\n", out);
    write_stop(t, f, out);
    fputs("\n# The state from which the flow starts everywhere; several rows, of which one turns, "
          "start from a "
          "mean line.\n"
          "initial: {p: 95000, T: 285, mach: 0.3, direction: [1, 0, 0]}\n",
          out);
    write_boundaries(t, f, out);
    an_init_solids(m->file, t, out);
    fputs("\noutput: {folder: out}\n", out);
}

/* How the case names the mesh: relative to its own folder, which is this one unless `output` names
 * another; then the full path. */
static const char *mesh_name(const char *mesh, const char *output, char *full)
{
    return strchr(output, '/') && realpath(mesh, full) ? full : mesh;
}

static int find_rows(const struct an_mesh *m, struct found *f)
{
    const struct an_topology *t = &m->topology;
    an_mesh_rows(t, f->rows);
    for (int n = 0; n < t->nboundary; n++)
        f->types[n] = type_of(&t->boundary[n]);
    for (int n = 0; n < t->nboundary; n++)
        AN_TRY(an_init_partner(m, f->rows, f->types, n, &f->partners[n]));
    for (int n = 0; n < t->nboundary; n++) /* pairs only */
        if (f->partners[n] >= 0 && f->partners[f->partners[n]] != n)
            f->partners[n] = -1;
    f->nrow = an_init_order(t, f->rows, f->types, f->partners, f->order);
    return AN_OK;
}

static int write_to(const struct an_mesh *m, const char *mesh, const char *output,
                    const struct found *f)
{
    char full[4096];
    FILE *out = strcmp(output, "-") ? fopen(output, "wx") : stdout;
    int status = AN_OK;
    if (!out)
        status = an_error_set(AN_INPUT, "%s: %s", output,
                              errno == EEXIST ? "exists, and is left alone" : strerror(errno));
    else
        write_case(m, mesh_name(mesh, output, full), f, out);
    if (out && (out == stdout ? fflush(out) : fclose(out)) != 0)
        status = an_error_set(AN_FAIL, "%s: %s", output, strerror(errno));
    return status;
}

static int write_file(const struct an_mesh *m, const char *mesh, const char *base,
                      const char *output)
{
    const size_t nboundary = (size_t)m->topology.nboundary + 1;
    const size_t nblock = (size_t)m->topology.nblock + 1;
    struct found f = {
        calloc(nblock, sizeof *f.rows),     calloc(nblock, sizeof *f.order),       0,
        calloc(nboundary, sizeof *f.types), calloc(nboundary, sizeof *f.partners), base};
    int status = f.rows && f.order && f.types && f.partners
                     ? find_rows(m, &f)
                     : an_error_set(AN_FAIL, "out of memory for the rows of the mesh");
    if (status == AN_OK)
        status = write_to(m, mesh, output, &f);
    free(f.rows);
    free(f.order);
    free(f.types);
    free(f.partners);
    return status;
}

int an_init(const char *mesh, const char *base, const char *output, int *printed)
{
    struct an_mesh m;
    struct an_diag diag;
    an_diag_init(&diag);
    int status = an_mesh_open_base(mesh, base, &m, &diag);
    for (int l = 0; l < diag.nline; l++)
        fprintf(stderr, "%s\n", diag.line[l]);
    *printed = diag.nerror > 0;
    if (status == AN_OK)
        status = write_file(&m, mesh, base, output ? output : "case.yaml");
    an_diag_free(&diag);
    an_mesh_close(&m);
    return status;
}

/* mesh_join: meshes of several blade rows in one CGNS file.
 *
 * Zones and boundaries of each file get the name of their row in front: zone `b1` of row `rotor` is
 * `rotor_b1`, its boundary `outlet` is `rotor_outlet`. Nothing else changes: coordinates,
 * interfaces, periodicity. Rows meet at mixing planes, which the case file says by the names of
 * boundaries. */
#include "io/mesh.h"

#include <argp.h>
#include <cgnslib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *argp_program_version = "mesh_join 1";
static const char doc[] =
    "Meshes of several blade rows in one CGNS file. Zones and boundaries get the row's name in "
    "front: boundary `outlet` of row `rotor` becomes `rotor_outlet`. Exit codes: 0 done, 1 the "
    "machine failed, 2 bad input.";
static const struct argp_option options[] = {{"output", 'o', "FILE", 0, "CGNS file to write", 0},
                                             {0, 0, 0, 0, 0, 0}};

enum { MOST_ROWS = 64 };

struct command {
    const char *output;
    int n;
    struct {
        char name[AN_NAME];
        const char *file;
    } row[MOST_ROWS];
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct command *c = state->input;
    const char *is = key == ARGP_KEY_ARG ? strchr(arg, '=') : NULL;
    switch (key) {
    case 'o':
        c->output = arg;
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

#define CG(call) AN_CHECK((call) == CG_OK, AN_FAIL, "%s", cg_get_error())

/* row_name, as CGNS allows it */
static int name_of(const char *row, const char *name, char to[AN_NAME])
{
    const int length = snprintf(to, AN_NAME, "%s_%s", row, name);
    AN_CHECK(length < AN_NAME, AN_INPUT,
             "'%s_%s' has %d characters, CGNS allows %d: call the row less", row, name, length,
             AN_NAME - 1);
    return AN_OK;
}

static BCType_t type_of(enum an_bc_type type)
{
    switch (type) {
    case AN_BC_WALL_SLIP:
        return BCWallInviscid;
    case AN_BC_WALL_VISCOUS:
        return BCWallViscous;
    case AN_BC_SYMMETRY:
        return BCSymmetryPlane;
    case AN_BC_INLET_TOTAL:
        return BCInflowSubsonic;
    case AN_BC_OUTLET_STATIC:
        return BCOutflowSubsonic;
    case AN_BC_INLET_SUPERSONIC:
        return BCInflowSupersonic;
    case AN_BC_OUTLET_SUPERSONIC:
        return BCOutflowSupersonic;
    case AN_BC_FARFIELD:
        return BCFarfield;
    default:
        return BCTypeNull;
    }
}

static int write_families(const struct an_mesh *m, const char *row, int fn)
{
    for (int b = 0; b < m->topology.nboundary; b++) {
        char name[AN_NAME];
        int family, bc;
        AN_TRY(name_of(row, m->topology.boundary[b].name, name));
        CG(cg_family_write(fn, 1, name, &family));
        CG(cg_fambc_write(fn, 1, family, "FamBC", type_of(m->topology.boundary[b].type), &bc));
    }
    return AN_OK;
}

/* Nodes of a window: CGNS numbers. */
static void range_of(const struct an_topology *t, const struct an_window *w, cgsize_t range[6])
{
    for (int d = 0; d < 3; d++) {
        const int plane = w->side ? t->block[w->block].n[d] : 0;
        range[d] = 1 + (d == w->dir ? plane : w->lo[d]);
        range[3 + d] = 1 + (d == w->dir ? plane : w->hi[d]);
    }
}

static int write_patches(const struct an_mesh *m, const char *row, int z, int fn, int zone)
{
    const struct an_topology *t = &m->topology;
    for (int p = 0; p < t->npatch; p++) {
        if (t->patch[p].window.block != z)
            continue;
        char name[AN_NAME], patch[AN_NAME];
        cgsize_t range[6];
        int bc;
        range_of(t, &t->patch[p].window, range);
        AN_TRY(name_of(row, t->boundary[t->patch[p].boundary].name, name));
        snprintf(patch, sizeof patch, "patch%d", p);
        CG(cg_boco_write(fn, 1, zone, patch, FamilySpecified, PointRange, 2, range, &bc));
        CG(cg_goto(fn, 1, "Zone_t", zone, "ZoneBC_t", 1, "BC_t", bc, "end"));
        CG(cg_famname_write(name));
    }
    return AN_OK;
}

/* x_here = R x_donor + t; the file says how to get from here to the donor. */
static int write_periodicity(const struct an_interface *f, int fn, int zone, int id)
{
    const float centre[3] = {0, 0, 0};
    float angle[3] = {0, 0, 0}, shift[3];
    for (int r = 0; r < 3; r++) {
        double back = 0;
        for (int c = 0; c < 3; c++)
            back -= f->rotation[3 * c + r] * f->translation[c];
        shift[r] = (float)back;
    }
    if (f->periodic == 2)
        angle[0] = -(float)atan2(f->rotation[7], f->rotation[4]);
    CG(cg_1to1_periodic_write(fn, 1, zone, id, centre, angle, shift));
    return AN_OK;
}

static int write_interfaces(const struct an_mesh *m, const char *row, int z, int fn, int zone)
{
    const struct an_topology *t = &m->topology;
    for (int i = 0; i < t->ninterface; i++) {
        const struct an_interface *f = &t->interface[i];
        if (f->window.block != z)
            continue;
        const struct an_cellmap nodes = an_cellmap_nodes(&f->map);
        char donor[AN_NAME], name[AN_NAME];
        cgsize_t range[6], there[6];
        int transform[3], id;
        range_of(t, &f->window, range);
        for (int end = 0; end < 2; end++) {
            int at[3];
            for (int d = 0; d < 3; d++)
                at[d] = (int)range[3 * end + d] - 1;
            an_cellmap_apply(&nodes, at, at);
            for (int d = 0; d < 3; d++)
                there[3 * end + d] = at[d] + 1;
        }
        for (int d = 0; d < 3; d++)
            transform[d] = f->map.sign[d] * (f->map.perm[d] + 1);
        AN_TRY(name_of(row, t->block[f->donor].name, donor));
        snprintf(name, sizeof name, "join%d", i);
        CG(cg_1to1_write(fn, 1, zone, name, donor, range, there, transform, &id));
        if (f->periodic)
            AN_TRY(write_periodicity(f, fn, zone, id));
    }
    return AN_OK;
}

static int write_nodes(const struct an_mesh *m, int z, int fn, int zone)
{
    static const char *const axis[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    const int *n = m->topology.block[z].n;
    const int lo[3] = {0, 0, 0}, hi[3] = {n[0] + 1, n[1] + 1, n[2] + 1};
    const size_t count = (size_t)hi[0] * (size_t)hi[1] * (size_t)hi[2];
    double *x = malloc(count * 3 * sizeof *x);
    AN_CHECK(x, AN_FAIL, "out of memory for %zu nodes", count);
    int status = an_mesh_read_nodes(m, z, lo, hi, x);
    for (int c = 0; c < 3 && status == AN_OK; c++) {
        int id;
        if (cg_coord_write(fn, 1, zone, RealDouble, axis[c], x + (size_t)c * count, &id))
            status = an_error_set(AN_FAIL, "%s", cg_get_error());
    }
    free(x);
    return status;
}

static int write_row(const struct an_mesh *m, const char *row, int fn)
{
    AN_TRY(write_families(m, row, fn));
    for (int z = 0; z < m->topology.nblock; z++) {
        const int *n = m->topology.block[z].n;
        const cgsize_t size[9] = {n[0] + 1, n[1] + 1, n[2] + 1, n[0], n[1], n[2], 0, 0, 0};
        char name[AN_NAME];
        int zone;
        AN_TRY(name_of(row, m->topology.block[z].name, name));
        CG(cg_zone_write(fn, 1, name, size, Structured, &zone));
        AN_TRY(write_nodes(m, z, fn, zone));
        AN_TRY(write_patches(m, row, z, fn, zone));
        AN_TRY(write_interfaces(m, row, z, fn, zone));
    }
    return AN_OK;
}

static int join(const struct command *c)
{
    int fn, base;
    CG(cg_open(c->output, CG_MODE_WRITE, &fn));
    CG(cg_base_write(fn, "Base", 3, 3, &base));
    CG(cg_goto(fn, base, "end"));
    CG(cg_units_write(Kilogram, Meter, Second, Kelvin, Radian));
    for (int r = 0; r < c->n; r++) {
        struct an_mesh m;
        struct an_diag diag;
        an_diag_init(&diag);
        int status = an_mesh_open(c->row[r].file, &m, &diag);
        if (status == AN_INPUT)
            for (int l = 0; l < diag.nline; l++)
                fprintf(stderr, "%s\n", diag.line[l]);
        an_diag_free(&diag);
        if (status == AN_OK && m.dimension != 3)
            status =
                an_error_set(AN_INPUT, "%s: the mesh is not three-dimensional", c->row[r].file);
        if (status == AN_OK)
            status = write_row(&m, c->row[r].name, fn);
        an_mesh_close(&m);
        if (status != AN_OK) {
            cg_close(fn);
            remove(c->output);
            return status;
        }
    }
    CG(cg_close(fn));
    return AN_OK;
}

int main(int argc, char **argv)
{
    static const struct argp parser = {options, parse, "ROW=FILE...", doc, NULL, NULL, NULL};
    struct command c = {0};
    argp_err_exit_status = 2;
    argp_parse(&parser, argc, argv, 0, NULL, &c);
    const int status = join(&c);
    if (status != AN_OK)
        fprintf(stderr, "mesh_join: %s\n", an_error_text());
    return status == AN_OK ? 0 : status == AN_INPUT ? 2 : 1;
}

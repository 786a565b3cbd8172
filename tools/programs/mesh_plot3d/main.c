// mesh_plot3d: a PLOT3D grid as a CGNS mesh with boundaries and interfaces.
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "grid.h"
#include "io/output_file.h"
#include "tools/programs/arguments.h"

const char *argp_program_version = "mesh_plot3d 1";
static const char doc[] =
    "A PLOT3D grid as a CGNS mesh: text or unformatted, plain or gzip.\v"
    "The grid may be single- or multi-block, two- or three-dimensional. A two-dimensional grid "
    "becomes one layer of cells between the planes z = 0 (boundary 'front') and z = SPAN ('back'), "
    "both symmetry. A left-handed block is made right-handed by reversing k.\n\n"
    "--bc ZONE:FACE[:RANGE]=NAME[:TYPE] names a part of the boundary. ZONE is the block's number "
    "in the file, from 1, or its name (block_1, ...). FACE is imin, imax, jmin, jmax, kmin or "
    "kmax. RANGE is LO-HI, nodes from 1 in the file's own indices, whatever --every says, along "
    "the first of the face's directions; LO-HI,LO-HI along both. TYPE is wall_viscous, wall_slip, "
    "symmetry, inlet, outlet, farfield, inlet_supersonic or outlet_supersonic; without it the case "
    "file has to say. Parts with the same "
    "name are one boundary.\n\n"
    "Exit codes: 0 done, 1 cannot write, 2 bad input (nothing is written).";

enum {
    KEY_BC = 256,
    KEY_EVERY,
    KEY_SPAN,
    KEY_SCALE,
    KEY_FLAT,
    KEY_JOIN,
    KEY_TOLERANCE,
    KEY_DIMS,
    KEY_SHARE,
    KEY_PERIODIC,
    KEY_CONNECTIVITY,
    KEY_FVBND,
    KEY_REST,
    KEY_AXES
};

static const struct argp_option keys[] = {
    {"output", 'o', "FILE", 0, "CGNS file to write; without it the grid is checked only", 0},
    {"bc", KEY_BC, "ZONE:FACE[:RANGE]=NAME[:TYPE]", 0, "name a part of the boundary", 0},
    {"every", KEY_EVERY, "N", 0, "take every N-th node; directions of one cell stay", 0},
    {"span", KEY_SPAN, "M", 0, "length of the one cell in z of a 2-D grid, m (default 1)", 0},
    {"scale", KEY_SCALE, "F", 0, "factor that turns the coordinates into metres (default 1)", 0},
    {"flat", KEY_FLAT, 0, 0,
     "a 3-D grid of one layer becomes a 2-D one: the direction of one cell and the coordinate that "
     "changes along it are left out, the others keep their order",
     0},
    {"join", KEY_JOIN, 0, 0,
     "make interfaces of face cells with coincident nodes, also within a block (C and O cuts)", 0},
    {"tolerance", KEY_TOLERANCE, "M", 0,
     "distance of coincident nodes, m, the same everywhere (default: --share)", 0},
    {"share", KEY_SHARE, "F", 0,
     "distance of coincident nodes as a share of the shortest edge at them (default 0.02)", 0},
    {"periodic", KEY_PERIODIC, "MOTION", 0,
     "make periodic interfaces of faces that the motion takes to each other: shift:DX,DY,DZ (m) or "
     "turn:DEGREES about x",
     0},
    {"connectivity", KEY_CONNECTIVITY, "FILE", 0,
     "make interfaces of the faces that a JSON file of NASA's plot3d lists: face_matches and "
     "periodic_faces",
     0},
    {"fvbnd", KEY_FVBND, "FILE", 0, "name the boundaries that a .fvbnd file of FIELDVIEW lists", 0},
    {"rest", KEY_REST, "NAME[:TYPE]", 0,
     "name all faces that are neither named otherwise nor interfaces", 0},
    {"axes", KEY_AXES, "LIST", 0,
     "the file's coordinates that become x, y and z, such as z,x,y or x,-z,y", 0},
    {"dims", KEY_DIMS, "2|3", 0, "dimensions of the file (default: found out)", 0},
    {0, 0, 0, 0, 0, 0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'o':
        o->output = arg;
        break;
    case KEY_BC:
        o->condition[o->conditions++] = arg;
        break;
    case KEY_EVERY:
        o->every = argument_whole(state, arg, "every", 1, 1000000);
        break;
    case KEY_SPAN:
        o->span = argument_number(state, arg, "span", 1e-30, 1e30);
        break;
    case KEY_SCALE:
        o->scale = argument_number(state, arg, "scale", 1e-30, 1e30);
        break;
    case KEY_FLAT:
        o->flat = true;
        break;
    case KEY_JOIN:
        o->join = true;
        break;
    case KEY_TOLERANCE:
        o->tolerance = argument_number(state, arg, "tolerance", 1e-30, 1e30);
        break;
    case KEY_SHARE:
        o->share = argument_number(state, arg, "share", 1e-30, 1e30);
        if (o->share >= 0.5)
            argp_error(state, "--share=%s: expected a number below 0.5", arg);
        break;
    case KEY_PERIODIC:
        o->periodic[o->periodics++] = arg;
        break;
    case KEY_REST:
        o->rest = arg;
        break;
    case KEY_FVBND:
        o->fvbnd = arg;
        break;
    case KEY_CONNECTIVITY:
        o->connectivity = arg;
        break;
    case KEY_AXES:
        o->axes = arg;
        break;
    case KEY_DIMS:
        o->dimension = argument_whole(state, arg, "dims", 2, 3);
        break;
    case ARGP_KEY_ARG:
        if (o->input)
            argp_error(state, "one grid only");
        o->input = arg;
        break;
    case ARGP_KEY_END:
        if (!o->input)
            argp_error(state, "no grid given");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static int fewer(int levels, int n)
{
    int k = 0;
    for (; n > 0 && n % 2 == 0; n /= 2)
        k++;
    return n > 0 && k < levels ? k : levels;
}

// How often the zone's cells can be merged two by two in every direction of more than one cell such
// that also the ends of its boundaries and interfaces stay nodes.
static int halvings(const struct grid *g, int zone)
{
    const struct block *b = &g->block[zone];
    int levels = 30;
    for (int d = 0; d < 3; d++)
        levels = b->n[d] > 2 ? fewer(levels, b->n[d] - 1) : levels;
    for (int l = 0; l < g->windows; l++) {
        const struct window *w = &g->window[l];
        const int dir[2] = {face_u(w->face), face_v(w->face)};
        for (int d = 0; d < 2; d++)
            if (w->block == zone && b->n[dir[d]] > 2)
                levels = fewer(fewer(levels, w->lo[d]), w->hi[d]);
    }
    for (int l = 0; l < g->links; l++) {
        const struct link *k = &g->link[l];
        for (int d = 0; d < 3; d++) {
            if (k->a == zone && b->n[d] > 2)
                levels = fewer(fewer(levels, k->begin[d]), k->end[d]);
            if (k->b == zone && b->n[d] > 2)
                levels = fewer(fewer(levels, k->begin_b[d]), k->end_b[d]);
        }
    }
    return levels < 30 ? levels : 0;
}

static void print_report(const struct grid *g)
{
    long cells = 0;
    for (int k = 0; k < g->blocks; k++) {
        const struct block *b = &g->block[k];
        printf("zone %-12s %4d x %4d x %d cells, can be halved %d times%s%s\n", b->name,
               b->n[0] - 1, b->n[1] - 1, b->n[2] - 1, halvings(g, k),
               b->flipped ? "; was left-handed: k reversed" : "",
               write_reorders(b) ? "; written with the direction of one cell as k" : "");
        cells += (long)(b->n[0] - 1) * (b->n[1] - 1) * (b->n[2] - 1);
    }
    printf("cells            %ld\n", cells);
    int periodic = 0;
    for (int l = 0; l < g->links; l++)
        periodic += !motion_is_none(&g->link[l].motion);
    printf("interfaces       %d", g->links);
    printf(periodic ? ", %d of them periodic\n" : "\n", periodic);
    for (int l = 0; l < g->boundaries; l++) {
        long faces = 0;
        for (int k = 0; k < g->blocks; k++)
            for (int f = 0; f < 6; f++)
                for (size_t c = 0; c < face_cells(&g->block[k], f); c++)
                    faces += g->block[k].cover[f][c] == l + 1;
        printf("boundary %-12s %6ld faces, %s\n", g->boundary[l].name, faces,
               condition_type_name(g->boundary[l].type));
    }
    printf("volumes          %.4g ... %.4g m^3\n", g->min_volume, g->max_volume);
}

static int convert(struct grid *g, struct options *o)
{
    int rc = grid_read(g, o);
    if (!rc && o->fvbnd)
        rc = fvbnd_read(g, o);
    if (!rc && o->axes)
        rc = grid_axes(g, o->axes);
    if (!rc && o->flat)
        rc = grid_flatten(g);
    if (!rc)
        rc = grid_thin(g, o->every);
    if (!rc && g->dimension == 3 && o->span > 0)
        rc = fail("%s: --span is for a 2-D grid, this one is 3-D (--flat?)", o->input);
    if (!rc && g->dimension == 2)
        rc = grid_extrude(g, o->span > 0 ? o->span : 1);
    if (!rc)
        rc = grid_orient(g);
    if (!rc)
        rc = conditions_apply(g, o);
    if (!rc && o->connectivity)
        rc = connectivity_read(g, o->connectivity);
    if (!rc && (o->join || o->periodics || o->connectivity))
        rc = grid_join(g, o);
    if (!rc)
        rc = conditions_apply_rest(g, o);
    if (!rc) {
        rc = conditions_complete(g);
        if (rc && o->join && o->tolerance <= 0)
            fail("nodes coincide for --join when they are closer than %g of the shortest edge at "
                 "them: --share or --tolerance allow more",
                 o->share);
    }
    return rc;
}

int main(int argc, char **argv)
{
    struct options o = {.every = 1, .scale = 1, .tolerance = -1, .share = 0.02};
    const struct argp argp = {keys, parse, "GRID", doc, 0, 0, 0};
    struct grid g = {0};
    o.condition = calloc((size_t)argc, sizeof *o.condition);
    o.periodic = calloc((size_t)argc, sizeof *o.periodic);
    if (!o.condition || !o.periodic)
        return no_memory();
    argp_err_exit_status = EXIT_INPUT;
    argp_parse(&argp, argc, argv, 0, 0, &o);
    int rc = o.output && an_same_file(o.output, o.input)
                 ? fail("%s is the grid, which would be written over", o.output)
                 : convert(&g, &o);
    if (!rc)
        print_report(&g);
    if (!rc && o.output)
        rc = grid_write(&g, o.output);
    if (rc == EXIT_FAILED)
        an_leave_at_once(rc);
    grid_free(&g);
    free(o.condition);
    free(o.periodic);
    for (int k = 0; k < o.listings; k++)
        free(o.listed[k]);
    free(o.listed);
    return rc;
}

// mesh_row: periodic multi-block structured mesh of an annular blade row from published tables.
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/output_file.h"
#include "row.h"

const char *argp_program_version = "mesh_row 1";
static const char doc[] =
    "Periodic multi-block structured mesh (CGNS) of an annular blade row from tables of blade "
    "sections, hub and casing.\vROW.yaml names the tables and says what is wanted; cases/rotor37 "
    "holds an example. Exit codes: 0 done, 1 the machine failed, 2 bad input, 3 no valid mesh "
    "(nothing is written without --keep-bad).";

enum { KEY_QUALITY = 256, KEY_CELLS, KEY_LEVELS, KEY_BAD };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "CGNS file to write", 0},
    {"cells", KEY_CELLS, "N", 0, "number of cells, in place of the file's", 0},
    {"levels", KEY_LEVELS, "N", 0, "multigrid levels to allow, in place of the file's", 0},
    {"quality", KEY_QUALITY, 0, 0, "report the quality only, write no mesh", 0},
    {"keep-bad", KEY_BAD, 0, 0,
     "write a mesh with folded cells too, marked: for pictures, the solver refuses it", 0},
    {0, 0, 0, 0, 0, 0}};

struct command {
    const char *input, *output;
    double cells;
    int levels;
    bool quality, keep_bad;
};

static double number(struct argp_state *state, const char *arg, const char *name, double lo,
                     double hi)
{
    char *end;
    const double v = strtod(arg, &end);
    if (end == arg || *end || !(v >= lo && v <= hi))
        argp_error(state, "--%s=%s: expected a number from %g to %g", name, arg, lo, hi);
    return v;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct command *c = state->input;
    switch (key) {
    case 'o':
        c->output = arg;
        break;
    case KEY_CELLS:
        c->cells = number(state, arg, "cells", 1e4, 1e8);
        break;
    case KEY_LEVELS:
        c->levels = (int)number(state, arg, "levels", 1, 5);
        break;
    case KEY_QUALITY:
        c->quality = true;
        break;
    case KEY_BAD:
        c->keep_bad = true;
        break;
    case ARGP_KEY_ARG:
        if (c->input)
            argp_error(state, "one input file only");
        c->input = arg;
        break;
    case ARGP_KEY_END:
        if (!c->input)
            argp_error(state, "no input file given");
        if (c->keep_bad && !c->output)
            argp_error(state, "--keep-bad needs --output");
        if (!c->output && !c->quality)
            argp_error(state, "nothing to do: give --output or --quality");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static int read_input(struct row_input *in, const struct command *c)
{
    struct an_diag diag;
    an_diag_init(&diag);
    int rc = input_read(in, c->input, &diag);
    for (int l = 0; l < diag.nline; l++)
        fprintf(stderr, "%s\n", diag.line[l]);
    an_diag_free(&diag);
    if (c->cells > 0)
        in->cells = c->cells;
    if (c->levels > 0)
        in->levels = c->levels;
    return rc;
}

// Turning of the blade at mid-span against the rotation: a compressor turns the relative flow
// towards the way it moves, a turbine against it.
static int check_rotation(const struct row *r)
{
    const double deg = 180 / M_PI;
    struct layer l;
    struct profile p;
    layer_even(&l, &r->meridian, 0.5);
    AN_TRY(blade_profile(&r->blade, &l, &p));
    const double lead = -p.angle_le, trail = -p.angle_te, chord = p.chord;
    profile_free(&p);
    printf("row                  %s\n", r->in.title);
    printf("blade at mid-span    from %.1f to %.1f deg (from x towards positive theta), chord over "
           "radius %.4f\n",
           lead * deg, trail * deg, chord);
    if (r->in.rpm == 0)
        return AN_OK;
    const bool adds = (tan(trail) - tan(lead)) * r->in.rpm > 0;
    printf("rotation             %g rpm about +x: the blade %s\n", r->in.rpm,
           adds ? "adds work (compressor)" : "takes work (turbine)");
    AN_CHECK(
        r->in.machine == MACHINE_ANY || (r->in.machine == MACHINE_COMPRESSOR) == adds, AN_INPUT,
        "error: with %g rpm about +x the blade %s work, but 'machine' is %s: check the sign of "
        "'rpm' and 'theta'",
        r->in.rpm, adds ? "adds" : "takes", adds ? "turbine" : "compressor");
    return AN_OK;
}

static int build(struct row *r, const struct command *c)
{
    const char *const read[4] = {c->input, r->in.sections, r->in.hub, r->in.casing};
    for (int n = 0; n < 4 && c->output; n++)
        AN_CHECK(!an_same_file(c->output, read[n]), AN_INPUT,
                 "%s is %s, which is read: it would be written over", c->output, read[n]);
    AN_TRY(meridian_new(&r->meridian, &r->in));
    AN_TRY(blade_new(&r->blade, &r->meridian, &r->in));
    AN_TRY(check_rotation(r));
    AN_TRY(stack_build(r));
    const int rc = figures_print(r);
    if (rc && rc != AN_DIVERGED)
        return rc;
    if (c->output && !c->quality && (!rc || c->keep_bad)) {
        char why[2000];
        snprintf(why, sizeof why, "%s", an_error_text());
        AN_TRY(row_write(r, c->output, rc != AN_OK));
        if (rc)
            an_error_set(rc, "%s\n  written for pictures: %s", why, c->output);
    }
    return rc;
}

int main(int argc, char **argv)
{
    static struct row r;
    struct command c = {0};
    const struct argp argp = {options, parse, "ROW.yaml", doc, 0, 0, 0};
    argp_err_exit_status = AN_INPUT;
    argp_parse(&argp, argc, argv, 0, 0, &c);
    int rc = read_input(&r.in, &c);
    if (!rc) {
        rc = build(&r, &c);
        if (rc && *an_error_text())
            fprintf(stderr, "%s\n", an_error_text());
    }
    if (rc == AN_FAIL)
        an_leave_at_once(rc);
    row_free(&r);
    return rc;
}

// mesh_cascade: periodic multi-block structured mesh of a linear blade cascade from the points of a
// closed profile.
#include <argp.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/output_file.h"
#include "solid.h"
#include "tools/programs/arguments.h"

enum { BALANCE = 2 }; // times the O layer's thickness is corrected after the first smoothing

const char *argp_program_version = "mesh_cascade 1";
static const char doc[] =
    "Periodic multi-block structured mesh (CGNS) of a linear blade cascade "
    "from the points of a closed blade profile.\v"
    "PROFILE holds lines 'x y' (m, or any unit with --scale) of the closed "
    "profile in either direction from any start; '#' "
    "starts a comment. A heading may name the columns: x and y, with a unit "
    "(x_mm), or those of two sides (x, y_suction, y_pressure; xs, ys, xp, yp), each "
    "from the leading to the trailing edge. The "
    "machine axis is x, the pitch runs along y, the "
    "span along z. Exit codes: 0 done, 1 cannot write, "
    "2 bad input, 3 no valid mesh (nothing is written).";

enum {
    KEY_PITCH = 256,
    KEY_STAGGER,
    KEY_SCALE,
    KEY_INLET_LENGTH,
    KEY_OUTLET_LENGTH,
    KEY_INLET_ANGLE,
    KEY_OUTLET_ANGLE,
    KEY_INLET_SHEAR,
    KEY_OUTLET_SHEAR,
    KEY_WALL,
    KEY_GROWTH,
    KEY_TURN,
    KEY_RANS,
    KEY_SHIFT,
    KEY_SPAN,
    KEY_SIZE,
    KEY_AROUND,
    KEY_NORMAL,
    KEY_PITCHWISE,
    KEY_INLET,
    KEY_OUTLET,
    KEY_LAYERS,
    KEY_LEVELS,
    KEY_SMOOTH,
    KEY_O_BLOCKS,
    KEY_PLOT,
    KEY_QUALITY,
    KEY_CHORD,
    KEY_PITCH_TO_CHORD,
    KEY_FIT,
    KEY_ROUND,
    KEY_Y_PLUS,
    KEY_REYNOLDS,
    KEY_SOLID,
    KEY_HOLES,
    KEY_LIKE
};

static const struct argp_option keys[] = {
    {0, 0, 0, 0, "Geometry:", 1},
    {"pitch", KEY_PITCH, "M", 0, "blade spacing in y, m (this or --pitch-to-chord is required)", 0},
    {"pitch-to-chord", KEY_PITCH_TO_CHORD, "F", 0, "the same over the chord", 0},
    {"scale", KEY_SCALE, "F", 0,
     "factor that turns the points into metres (default: the unit in the heading, or 1)", 0},
    {"chord", KEY_CHORD, "M", 0, "chord, m: the points are scaled to it, in place of --scale", 0},
    {"fit", KEY_FIT, "M", 0,
     "smooth the points, moving none by more than this, m; points that stand off are left out", 0},
    {"round-edges", KEY_ROUND, "R", OPTION_ARG_OPTIONAL,
     "round cut-off edges, and sharp ones with radius R, m (default 0.2 % of the chord)", 0},
    {"stagger", KEY_STAGGER, "DEG", 0,
     "extra rotation of the points, degrees, positive from x to y (default 0)", 0},
    {"inlet-length", KEY_INLET_LENGTH, "M", 0,
     "axial distance from the inlet plane to the leading edge, m (default: one "
     "axial chord)",
     0},
    {"outlet-length", KEY_OUTLET_LENGTH, "M", 0,
     "axial distance from the trailing edge to the outlet plane, m (default: 1.5 "
     "axial chords)",
     0},
    {"inlet-angle", KEY_INLET_ANGLE, "DEG", 0,
     "flow direction upstream, degrees from x (default: camber line)", 0},
    {"outlet-angle", KEY_OUTLET_ANGLE, "DEG", 0,
     "flow direction downstream, degrees from x (default: camber line)", 0},
    {"inlet-shear", KEY_INLET_SHEAR, "F", 0,
     "share of the inlet angle's slope kept at the inlet plane, 0 to 1 (default: up to a slope of "
     "30 degrees)",
     0},
    {"outlet-shear", KEY_OUTLET_SHEAR, "F", 0, "the same at the outlet plane", 0},
    {"shift", KEY_SHIFT, "F", 0,
     "how far lines across the passage turn normal to the flow, 0 (pitchwise) to 1 (normal); "
     "default: the best of a search",
     0},
    {"span", KEY_SPAN, "M", 0, "height in z, m (default: a tenth of the chord)", 0},
    {"solid", KEY_SOLID, 0, 0, "mesh the metal of the blade too, in a base 'Solid' of the file", 0},
    {"holes", KEY_HOLES, "FILE", 0,
     "mesh the metal with round holes along the span: a table whose heading names x, y and "
     "diameter with their units, and perhaps name",
     0},
    {0, 0, 0, 0, "Resolution:", 2},
    {"rans", KEY_RANS, 0, 0,
     "other defaults (in brackets below), for viscous flow resolved down to the wall and at the "
     "trailing edge",
     0},
    {"size", KEY_SIZE, "F", 0, "factor on all counts (default 1; coarse 0.5, fine 2)", 0},
    {"around", KEY_AROUND, "N", 0, "cells around the blade (default 352 [640])", 0},
    {"normal", KEY_NORMAL, "N", 0,
     "cells normal to the blade in the O, raised where --growth asks (default 24 [64])", 0},
    {"pitchwise", KEY_PITCHWISE, "N", 0,
     "cells across the passage between the O layers (default 32 [64])", 0},
    {"inlet", KEY_INLET, "N", 0, "cells along the inlet (default 48 [64])", 0},
    {"outlet", KEY_OUTLET, "N", 0, "cells along the outlet (default 80 [140])", 0},
    {"like", KEY_LIKE, "FILE", 0,
     "as many cells along all lines as this mesh of mesh_cascade has, whatever the other counts "
     "and --growth "
     "say; needs --shift, which the report of that mesh calls corner shift",
     0},
    {"layers", KEY_LAYERS, "N", 0, "cells along the span (default 1)", 0},
    {"levels", KEY_LEVELS, "N", 0, "counts become multiples of 2^N for multigrid (default 3 [4])",
     0},
    {"wall-spacing", KEY_WALL, "M", 0,
     "height of the first cell, m (default: 0.002 chord / size [1.5e-5 chord at any size])", 0},
    {"y-plus", KEY_Y_PLUS, "F", 0,
     "first cell from the y+ of its centre: a turbulent plate's friction at --reynolds", 0},
    {"reynolds", KEY_REYNOLDS, "RE", 0, "Reynolds number of the chord, at the largest speed", 0},
    {"growth", KEY_GROWTH, "F", 0,
     "largest ratio of neighbouring cells normal to the wall (default 1.3 [1.18])", 0},
    {"turn", KEY_TURN, "DEG", 0,
     "largest turn of the surface in one cell at size 1, degrees (default 8.855 [5])", 0},
    {"smooth", KEY_SMOOTH, "N", 0, "sweeps of the elliptic smoother on each level (default 60)", 0},
    {"o-blocks", KEY_O_BLOCKS, "N", 0,
     "1: one O zone connected to itself (default); 4: front, upper, rear, lower", 0},
    {0, 0, 0, 0, "Output:", 3},
    {"output", 'o', "FILE", 0, "CGNS file to write", 0},
    {"plot", KEY_PLOT, "FILE", 0, "nodes as plain text, zone by zone", 0},
    {"quality", KEY_QUALITY, 0, 0, "report the quality only, write no mesh", 0},
    {0, 0, 0, 0, 0, 0}};

/* Options whose argument is a number from lo to hi, which times `unit` goes to a member of options. */
#define MEMBER(name) offsetof(struct options, name)
static const struct {
    int key;
    const char *name;
    double lo, hi, unit;
    size_t to;
} numbers[] = {
    {KEY_PITCH, "pitch", 1e-12, 1e9, 1, MEMBER(pitch)},
    {KEY_CHORD, "chord", 1e-12, 1e9, 1, MEMBER(chord)},
    {KEY_PITCH_TO_CHORD, "pitch-to-chord", 0.05, 30, 1, MEMBER(pitch_to_chord)},
    {KEY_FIT, "fit", 1e-12, 1e9, 1, MEMBER(fit)},
    {KEY_Y_PLUS, "y-plus", 0.01, 1000, 1, MEMBER(y_plus)},
    {KEY_REYNOLDS, "reynolds", 100, 1e10, 1, MEMBER(reynolds)},
    {KEY_SCALE, "scale", 1e-12, 1e9, 1, MEMBER(scale)},
    {KEY_STAGGER, "stagger", -180, 180, M_PI / 180, MEMBER(stagger)},
    {KEY_INLET_LENGTH, "inlet-length", 1e-12, 1e9, 1, MEMBER(inlet_length)},
    {KEY_OUTLET_LENGTH, "outlet-length", 1e-12, 1e9, 1, MEMBER(outlet_length)},
    {KEY_INLET_ANGLE, "inlet-angle", -85, 85, M_PI / 180, MEMBER(inlet_angle)},
    {KEY_OUTLET_ANGLE, "outlet-angle", -85, 85, M_PI / 180, MEMBER(outlet_angle)},
    {KEY_INLET_SHEAR, "inlet-shear", 0, 1, 1, MEMBER(inlet_shear)},
    {KEY_OUTLET_SHEAR, "outlet-shear", 0, 1, 1, MEMBER(outlet_shear)},
    {KEY_SHIFT, "shift", 0, 1, 1, MEMBER(shift)},
    {KEY_SPAN, "span", 1e-12, 1e9, 1, MEMBER(span)},
    {KEY_SIZE, "size", 0.05, 100, 1, MEMBER(size)},
    {KEY_WALL, "wall-spacing", 1e-12, 1e9, 1, MEMBER(wall_spacing)},
    {KEY_GROWTH, "growth", 1.01, 10, 1, MEMBER(growth)},
    {KEY_TURN, "turn", 0.1, 45, M_PI / 180, MEMBER(turn)},
};
/* Options whose argument is a whole number from lo to hi. */
static const struct {
    int key;
    const char *name;
    int lo, hi;
    size_t to;
} counts[] = {
    {KEY_AROUND, "around", 16, 100000, MEMBER(around)},
    {KEY_NORMAL, "normal", 1, 1000, MEMBER(normal)},
    {KEY_PITCHWISE, "pitchwise", 2, 100000, MEMBER(pitchwise)},
    {KEY_INLET, "inlet", 1, 100000, MEMBER(inlet)},
    {KEY_OUTLET, "outlet", 1, 100000, MEMBER(outlet)},
    {KEY_LAYERS, "layers", 1, 10000, MEMBER(layers)},
    {KEY_LEVELS, "levels", 0, 6, MEMBER(levels)},
    {KEY_SMOOTH, "smooth", 0, 1000000, MEMBER(smooth)},
    {KEY_O_BLOCKS, "o-blocks", 1, 4, MEMBER(o_blocks)},
};

/* Takes the argument of an option of the tables above; 0: the option is none of them. */
static int parse_value(int key, char *arg, struct argp_state *state)
{
    char *const o = state->input;
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        if (numbers[n].key == key) {
            *(double *)(o + numbers[n].to) =
                numbers[n].unit *
                argument_number(state, arg, numbers[n].name, numbers[n].lo, numbers[n].hi);
            return 1;
        }
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
        if (counts[n].key == key) {
            *(int *)(o + counts[n].to) =
                argument_whole(state, arg, counts[n].name, counts[n].lo, counts[n].hi);
            return 1;
        }
    return 0;
}

/* The command line as a whole. */
static void check_options(const struct options *o, struct argp_state *state)
{
    if (!o->profile)
        argp_error(state, "no profile given");
    if ((o->pitch > 0) == (o->pitch_to_chord > 0))
        argp_error(state, "--pitch is required, or --pitch-to-chord in its place");
    if (o->chord > 0 && o->scale > 0)
        argp_error(state, "--chord and --scale: give one of them");
    if ((o->y_plus > 0) != (o->reynolds > 0))
        argp_error(state, "--y-plus and --reynolds belong together");
    if (o->y_plus > 0 && o->wall_spacing > 0)
        argp_error(state, "--y-plus and --wall-spacing: give one of them");
    if (o->like && o->shift < 0)
        argp_error(state, "--like needs --shift: that of FILE, whose report calls it corner shift");
    if (o->like && (o->solid || o->holes))
        argp_error(state, "--like does not hold the cells of the metal: no --solid and no --holes");
    if (!o->output && !o->plot && !o->quality_only)
        argp_error(state, "nothing to do: give --output, --plot or --quality");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    if (parse_value(key, arg, state)) {
        if (o->o_blocks != 1 && o->o_blocks != 4)
            argp_error(state, "--o-blocks=%s: expected 1 or 4", arg);
        return 0;
    }
    switch (key) {
    case KEY_ROUND:
        o->round = arg ? argument_number(state, arg, "round-edges", 1e-12, 1e9) : 0;
        break;
    case KEY_RANS:
        o->rans = true;
        break;
    case KEY_SOLID:
        o->solid = true;
        break;
    case KEY_HOLES:
        o->holes = arg;
        break;
    case KEY_LIKE:
        o->like = arg;
        break;
    case KEY_PLOT:
        o->plot = arg;
        break;
    case KEY_QUALITY:
        o->quality_only = true;
        break;
    case 'o':
        o->output = arg;
        break;
    case ARGP_KEY_ARG:
        if (o->profile)
            argp_error(state, "one profile only");
        o->profile = arg;
        break;
    case ARGP_KEY_END:
        check_options(o, state);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void set_counts(struct options *o)
{
    static const int standard[2][6] = {{352, 24, 32, 48, 80, 3}, {640, 64, 64, 64, 140, 4}};
    int *const count[6] = {&o->around, &o->normal, &o->pitchwise,
                           &o->inlet,  &o->outlet, &o->levels};
    for (int k = 0; k < 6; k++)
        if (*count[k] < 0)
            *count[k] = standard[o->rans][k];
    if (o->growth <= 0)
        o->growth = o->rans ? 1.18 : 1.3;
    if (o->turn <= 0)
        o->turn = o->rans ? 5 * M_PI / 180 : 0.17 * 320 / o->around;
}

static void set_defaults(struct options *o, const struct profile *p)
{
    set_counts(o);
    if (o->inlet_length <= 0)
        o->inlet_length = p->axial_chord;
    if (o->outlet_length <= 0)
        o->outlet_length = 1.5 * p->axial_chord;
    if (isnan(o->inlet_angle))
        o->inlet_angle = p->angle_le;
    if (isnan(o->outlet_angle))
        o->outlet_angle = p->angle_te;
    // the outer zones' lines follow the flow up to 30 degrees, more would only skew them
    if (isnan(o->inlet_shear))
        o->inlet_shear = fmin(1, tan(M_PI / 6) / fmax(fabs(tan(o->inlet_angle)), 1e-9));
    if (isnan(o->outlet_shear))
        o->outlet_shear = fmin(1, tan(M_PI / 6) / fmax(fabs(tan(o->outlet_angle)), 1e-9));
    if (o->y_plus >
        0) { // cf = 0.026 Re^(-1/7) of a turbulent plate; y+ is that of the cell's centre
        const double friction = sqrt(0.5 * 0.026 * pow(o->reynolds, -1.0 / 7));
        o->wall_spacing = 2 * o->y_plus * p->chord / (o->reynolds * friction);
        printf("first cell           %.4g m for y+ = %g at its centre\n", o->wall_spacing,
               o->y_plus);
    }
    if (o->wall_spacing <= 0)
        o->wall_spacing = o->rans ? 1.5e-5 * p->chord : 0.002 * p->chord / o->size;
    if (o->span <= 0)
        o->span = 0.1 * p->chord;
}

static int build(struct mesh *m, struct quality *q, const struct profile *p,
                 const struct options *o)
{
    int rc = blocks_new(m, p, o);
    if (rc)
        return rc;
    rc = multilevel_smooth(m, o->smooth);
    for (int pass = 0; pass < BALANCE && !rc; pass++) {
        blocks_rebalance(m);
        rc = elliptic_smooth(m, o->smooth / 2);
    }
    if (!rc)
        rc = blocks_refine_o(m, o->growth, 1 << o->levels);
    if (rc) {
        fprintf(stderr, "error: out of memory\n");
        blocks_free(m);
        return rc;
    }
    quality_measure(q, m);
    return EXIT_DONE;
}

// The shift whose coarse mesh has the largest smallest angle.
static int search_shift(struct options *o, const struct profile *p)
{
    const double size = o->size;
    double best = -10, shift = 0;
    const int smooth = o->smooth;
    o->size = fmin(o->size, 176.0 / o->around);
    o->smooth = smooth < 20 ? smooth : 20;
    for (int k = 0; k <= 4; k++) {
        struct mesh m;
        struct quality q;
        o->shift = 0.25 * k;
        const int rc = build(&m, &q, p, o);
        if (rc)
            return rc;
        if (q.min_angle > best) {
            best = q.min_angle;
            shift = o->shift;
        }
        blocks_free(&m);
    }
    o->shift = shift;
    o->size = size;
    o->smooth = smooth;
    return EXIT_DONE;
}

static int make_solid(struct mesh *m, const struct profile *p, const struct options *o)
{
    static struct holes h;
    int rc = o->holes ? holes_read(&h, o) : EXIT_DONE;
    rc = rc ? rc : holes_check(&h, &p->c);
    return rc ? rc : solid_build(m, p, &h, o);
}

// Reports the mesh and writes it; a valid one only.
static int finish(const struct mesh *m, const struct quality *q, const struct mesh *solid,
                  const struct options *o)
{
    int rc = EXIT_DONE;
    printf("corner shift         %.2f\n", o->shift);
    quality_print(q, m, o->span, o->layers);
    if (o->plot)
        rc = write_plot(o->plot, m, solid);
    if (!rc && q->negative > 0) {
        fprintf(stderr, "error: %ld folded cells: no mesh written\n", q->negative);
        rc = EXIT_MESH;
    }
    if (!rc && o->output && !o->quality_only)
        rc = write_cgns(o->output, m, solid, o->span, o->layers);
    if (rc == EXIT_FAILED)
        an_leave_at_once(rc);
    return rc;
}

// Outputs over the profile or the holes would leave nothing to make them of.
static int check_outputs(const struct options *o)
{
    const char *const output[2] = {o->output, o->plot}, *const input[2] = {o->profile, o->holes};
    for (int n = 0; n < 4; n++)
        if (output[n / 2] && input[n % 2] && an_same_file(output[n / 2], input[n % 2])) {
            fprintf(stderr, "%s: error: this is the %s, which would be written over\n",
                    output[n / 2], n % 2 ? "table of holes" : "profile");
            return EXIT_INPUT;
        }
    return EXIT_DONE;
}

int main(int argc, char **argv)
{
    struct options o = {.round = -1,
                        .inlet_angle = NAN,
                        .outlet_angle = NAN,
                        .inlet_shear = NAN,
                        .outlet_shear = NAN,
                        .shift = -1,
                        .size = 1,
                        .around = -1,
                        .normal = -1,
                        .pitchwise = -1,
                        .inlet = -1,
                        .outlet = -1,
                        .layers = 1,
                        .levels = -1,
                        .smooth = 60,
                        .o_blocks = 1};
    const struct argp argp = {keys, parse, "PROFILE", doc, 0, 0, 0};
    argp_err_exit_status = EXIT_INPUT;
    argp_parse(&argp, argc, argv, 0, 0, &o);
    struct profile p;
    int rc = check_outputs(&o);
    if (!rc)
        rc = profile_read(&p, &o);
    if (rc)
        return rc;
    set_defaults(&o, &p);
    if (o.like) {
        rc = like_read(&o.counts, o.like);
        o.growth = HUGE_VAL; // adds no rows
    }
    double mean[2], edge[2];
    blade_angles(&p, mean, edge);
    printf("profile              chord %.6g m, axial %.6g m, leading edge (%.5g, %.5g) at %.1f "
           "deg, trailing edge (%.5g, %.5g)"
           " at %.1f deg\n",
           p.chord, p.axial_chord, p.le.x, p.le.y, mean[0] * 180 / M_PI, p.te.x, p.te.y,
           mean[1] * 180 / M_PI);
    if (!rc && o.wall_spacing >= 0.1 * p.chord) { // the O layer is no thicker than that
        fprintf(stderr, "error: a first cell of %g m is too high for a chord of %g m\n",
                o.wall_spacing, p.chord);
        profile_free(&p);
        return EXIT_INPUT;
    }
    struct mesh m, solid = {0};
    struct quality q;
    const bool metal = o.solid || o.holes;
    if (!rc && metal)
        rc = make_solid(&solid, &p, &o);
    if (!rc && o.shift < 0)
        rc = search_shift(&o, &p);
    if (!rc)
        rc = build(&m, &q, &p, &o);
    if (!rc && o.o_blocks == 4 && o_split(&m)) {
        fprintf(stderr, "error: out of memory\n");
        blocks_free(&m);
        rc = EXIT_FAILED;
    }
    if (!rc) {
        rc = finish(&m, &q, metal ? &solid : NULL, &o);
        blocks_free(&m);
    }
    blocks_free(&solid);
    profile_free(&p);
    return rc;
}

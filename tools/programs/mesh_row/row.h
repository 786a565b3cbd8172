// Periodic multi-block structured mesh of one annular blade row: shared types.
//
//      r |    casing                     ______________________
//        |  ________________________----   |gap               |
//        | |         |   blade_o, tip_o, tip_h                |
//        | | inlet_h |   passage_up, passage_down  | outlet_h |
//        | |_________|_____________________________|__________|
//        |      hub
//        +----> x (axis)
//
// Hub and casing are curves of the meridional plane that run downstream in any direction: axial,
// outwards, inwards or back. The casing lies to the left of the flow, the hub to its right, where x
// points right and r up. Points P(u, v) = (1 - v) hub(u) + v casing(u), u and v from 0 to 1. A layer is
// a surface of revolution v = V(u); its plane is (m', y): m' = integral of dm / r along the layer,
// y = -theta, which is conformal, so that angles in the plane are angles on the surface. Cells are
// made in the planes of a few layers, the keys (tools/programs/mesh_cascade), and interpolated along the
// span; wall nodes of every layer come from the blade itself. (m', y, span) is right-handed; theta
// is positive from +y of space to +z, about +x. All lengths in metres, angles in radians.
#ifndef MESH_ROW_ROW_H
#define MESH_ROW_ROW_H

#include <stdio.h>

#include "kernels/base/error.h"
#include "tools/programs/mesh_cascade/solid.h"

enum { MAX_SET = MAX_SECTORS }; // blades in a pitch: the main blade and splitters
enum { MAX_SECTIONS = 200, MAX_KEYS = 40, SAMPLES_U = 401, SIDE = 200, LOOP = 2 * SIDE, BASE = 12 };

// What a column of the table of sections holds. blade.c reads the first six kinds; formats.c makes
// them of the others.
enum column {
    COLUMN_SKIP,
    COLUMN_X,
    COLUMN_R,
    COLUMN_THETA,
    COLUMN_THETA_1,
    COLUMN_THETA_2,
    COLUMN_Y,
    COLUMN_Z,
    COLUMN_RTHETA,
    COLUMN_RTHETA_1,
    COLUMN_RTHETA_2,
    COLUMN_MPRIME,
    COLUMN_THICKNESS,  // normal to the line that theta describes
    COLUMN_TANGENTIAL, // thickness along theta, a length
    COLUMN_KINDS
};
#define COLUMN_WORDS                                                                 \
    "skip x r theta theta_1 theta_2 y z rtheta rtheta_1 rtheta_2 m_prime thickness " \
    "tangential_thickness"

struct table { // rows of numbers, in sections that lines of text separate
    int columns, nsection, nrow, capacity;
    int start[MAX_SECTIONS + 1]; // first row of a section
    int line[MAX_SECTIONS];      // of the file, where a section starts
    int blade[MAX_SECTIONS];     // number, from 0, of the blade that a .curve file names above it
    const char *path[MAX_SECTIONS]; // file that holds the section (memory of the reader's caller)
    double *v;                      // [nrow][columns] (owned)
    int *row_line;                  // [nrow] line of the file that a row comes from (owned)
    bool closed; // the reader made the loops of the sections from two sides, whose ends it joins
};

// Where the inlet or the outlet cuts hub and casing.
struct row_end {
    enum { END_X, END_R, END_LINE, END_PART, END_CURVE } kind;
    // END_X: x; END_R: r; END_LINE: x and r at the hub, x and r at the casing, m; END_PART: fractions of
    // the lengths of hub and casing; END_CURVE: none, the curves' own ends
    double at[4];
};

// The clearance between the blade and a wall, normal to the wall: m at the leading and at the trailing edge, even
// along u between them; or a share of the height. All zero: none.
struct row_gap {
    double lead, trail, share;
};
enum { AT_HUB, AT_CASING };

// What a variation does to a section: lengths in m, angles in degrees, positive from x towards positive theta.
enum vary {
    VARY_SWEEP,     // downstream
    VARY_LEAN,      // towards positive theta
    VARY_STAGGER,   // turns it about its centroid
    VARY_CHORD,     // factor on all its lengths, about its centroid
    VARY_THICKNESS, // factor, normal to the chord
    VARY_INLET,     // added to the metal angle at the leading edge; edges and chord stay
    VARY_OUTLET,
    VARY_INLET_WEDGE, // added to the angle between the two sides
    VARY_OUTLET_WEDGE,
    VARY_POINT, // added to the thickness: points 3 to 6 of a Bezier curve with 8 points, the others zero
    VARY_KINDS = VARY_POINT + 4
};
enum { MAX_VARY = 5 }; // heights

enum { MAX_STATIONS = 9 };

// A coolant hole from hub to casing: a straight tube, or a bent one through the points between.
struct hole_input {
    char name[32];
    int n; // points
    struct {
        double x, r,
            theta; // m, m, rad; r NAN: the point of the hub (the first one) or of the casing at this x
    } at[MAX_STATIONS];
    double diameter[2]; // at the first and the last point, m
};

struct row_input {
    char title[200];
    char sections[1024], hub[1024], casing[1024]; // paths
    char geometry[1024];                          // .inf or .geomTurbo file in place of these three
    char angles[1024]; // table of angles, chord and thickness in place of `sections`
    char profile[40];  // how that table makes sections
    double most_angle; // degrees: largest angle of the camber lines of that table, without its sign
    char surfaces[1024]; // stream surfaces (x, r) of sections that m' describes
    char (*file)[1024];  // [files] the files of `sections` where there are more than one (owned)
    int files;
    char pick_row[100]; // row of a geomTurbo file: its name or its number; empty: the only one
    int pick_blade;     // blade of that row, from 1; 0: the only one
    enum {
        AXIS_X,
        AXIS_Y,
        AXIS_Z,
        AXIS_FILE
    } axis; // of x y z columns; AXIS_FILE: as the file says
    enum { SIDE_CENTRE, SIDE_UPPER, SIDE_LOWER } line; // what theta describes beside a thickness
    bool length_given;
    int round_edges;       // cut-off and sharp edges of the sections become arcs
    struct table given[3]; // sections, hub and casing from another format (owned), else empty
    char told[2000];       // what the readers of other formats found, lines to print
    enum column column[8];
    int columns;
    double length, angle; // factors to metres and radians
    int theta;            // +1: theta of the table turns from +y to +z; -1: the other way
    int blades;
    double clocking; // degrees about +x, right-handed, by which the whole mesh is turned
    double rpm;      // about +x; 0: stands
    enum { MACHINE_ANY, MACHINE_COMPRESSOR, MACHINE_TURBINE } machine;
    struct row_gap gap[2]; // AT_HUB, AT_CASING
    double fillet[2];      // radius at the hub and at the casing, m; 0: none
    bool rpm_given,
        gap_given[2]; // in the input file, be it with 0: the geometry's value does not count
    int hub_parts;    // 1: the hub is three boundaries
    struct row_end inlet, outlet;
    double cells;
    bool wall_functions;
    double first[4]; // height of the first cell: blade, hub, casing, tip
    double shift, growth, turn;
    int levels, keys, smooth;
    struct {
        double at; // share of the span
        double value[VARY_KINDS];
    } vary[MAX_VARY]; // between these heights a polynomial through all of them
    int varies;
    bool metal; // it is meshed, too
    int holes;
    struct hole_input hole[MAX_HOLES];
    int splitters;
    struct row_input *
        splitter; // [splitters] this input with a splitter's sections in place of the blade's (owned)
};

// Hub or casing: cubic pieces (Akima) through points, over the length of their chords.
struct wall_curve {
    int n;
    double *s, *x, *r, *dx, *dr; // [n]; s owns all
    double s_in, s_out;          // where the inlet and the outlet cut it
};

struct point { // in the meridional plane
    double x, r;
};

struct meridian {
    struct wall_curve hub, casing;
    struct row_gap gap[2];
    double edge[2]
               [2]; // u of the leading and the trailing edge at the hub's and at the casing's gap
    bool axial;     // both walls run along x, within 40 degrees
    // Lines u = const join the fraction u - slip of the hub's length to the fraction u + slip of the
    // casing's; at u = i / (SAMPLES_U - 1). All zero: equal fractions.
    bool slips;
    double slip[SAMPLES_U];
};

// Surface of revolution v = V(u), with its conformal coordinate.
struct layer {
    double v[SAMPLES_U], m[SAMPLES_U], dm[SAMPLES_U]; // at u = i / (SAMPLES_U - 1); dm = dm'/du
};

// Blade: LOOP curves along the span, each a spline of (u, v, y) over the sections. Curve j goes
// through the points of one fraction of the length of one side: j = 0 leading edge, j = SIDE
// trailing edge; clockwise in the plane. Where the trailing edge is cut off, its corners are the curves
// SIDE - BASE and SIDE + BASE.
struct blade {
    int n;                            // sections
    double *p;                        // [n] mean span fraction of the sections, ascending
    double *u, *v, *y, *u2, *v2, *y2; // [LOOP][n] values and second derivatives; p owns all
    bool cut;                         // the trailing edge is cut off, and stays so
    double width[2];                  // of its base: least and largest of the sections, m
    int rounded;                      // edges of sections that were rounded
    double lost, base, lost_area; // of these at most: corner to arc, m; width, m; share of the area
    int gaps;                     // sections whose loop had a gap, which was closed
    double gap;                   // m, the widest of these
    int gap_at;                   // its section
};

struct counts {
    int lead_down, lead_up;   // wall cells from the leading edge to the ring's front corners
    int trail_up, trail_down; // and from the trailing edge to its rear corners
    int base; // from the middle of a cut-off trailing edge to each of its corners; 0: the edge is round
    int pass, half, in, out, normal, ring, core, span;
    int gap, hub_gap; // along the span, between the blade and the casing or the hub
};

static inline int counts_in_gaps(const struct counts *n) // layers of cells in the gaps
{
    return n->gap + n->hub_gap;
}

// The plane mesh of one layer: outside the blade, and inside it in the gap. A key holds the O with
// few rows; its nodes are (u, y), so that keys can be mixed. The finished planes of layers hold all
// rows; their nodes are (m', y).
struct plane {
    double w; // span coordinate: v of the layer at mid-length
    double *
        sigma[MAX_SET]; // [n_around + 1] places of a blade's wall nodes, as in struct blade (owned)
    struct mesh out[MAX_SET], in[MAX_SET];
    struct worst worst; // of a key, before its nodes became (u, y)
};

// What a mesh was asked for: only rows that ask for the same can share what was found.
struct stamp {
    int blades, set, levels, layers, keys, smooth, functions, gaps, cut;
    double cells, first[4];
};

// What was found for a row (reuse.c).
struct found {
    struct stamp stamp;
    struct counts n[MAX_SET];
    int levels;
    bool leaned;  // the lines to the end planes follow the edges (lean_ends)
    double worst; // smallest angle of the mesh, rad
    int nkey;
    struct plane key[MAX_KEYS]; // their nodes are (u, y)
};

// Zones of a blade. The mesh has the first five of all blades, then ring and core of all blades: those at the
// casing and those at the hub, where there are gaps.
enum {
    ZONE_O,
    ZONE_INLET,
    ZONE_UP,
    ZONE_DOWN,
    ZONE_OUTLET,
    ZONE_RING,
    ZONE_CORE,
    ZONE_HUB_RING,
    ZONE_HUB_CORE,
    ROW_ZONES
};
enum { ALL_ZONES = MAX_SET * ROW_ZONES };

struct block {
    char name[32];
    int n[3];     // nodes
    int level;    // first layer of the whole that it has
    double *x[3]; // Cartesian, i fastest (x[0] owns all)
};

struct face {
    const char *family;
    int zone, lo[3], hi[3]; // nodes, inclusive, zero-based
};

// One-to-one interface: node lo + q of `zone` is node of `donor` at from + (transform applied to
// q), turned by `turn` pitches about +x.
struct joint {
    int zone, donor, lo[3], hi[3], from[3], to[3], transform[3], turn;
};

enum {
    MAX_BLOCKS = MAX_ZONES,
    MAX_FACES = MAX_PATCHES + 2 * MAX_ZONES,
    MAX_JOINTS = 2 * MAX_LINKS
};

// Blocks, their boundaries and their interfaces, of both sides each.
struct grid {
    int nblock, nface, njoint;
    struct block block[MAX_BLOCKS];
    struct face face[MAX_FACES];
    struct joint joint[MAX_JOINTS];
};

// What a splitter's counts follow from at first.
struct splitter_part {
    double end
        [2]; // cells from an edge to the corners that the pieces want at size 1, as in around_ends
    double lead, trail; // shares of the main blade's length ahead of it and behind it
    double base;        // cells on half of the base of a cut-off edge
};

// What is measured of a mesh.
struct figures {
    long cells, negative, folded; // folded: one of the eight corners turns over
    double least, most;           // angle between two edges of a corner, rad
    double plane_least;           // the same, i and j edges only
    int blade;                    // whose zones are measured
    double blade_least[MAX_SET];  // the least angle in them
    int zone, at[3];              // of the least angle
    int bad_zone, bad[3];         // the folded cell of least angle
    double bad_angle;
    double volume, aspect; // least and largest
    double total;          // of all volumes
    double ratio;          // of the volumes of neighbours
    int ratio_zone, ratio_at[3];
    double growth[3]; // largest ratio of neighbouring edges along i, j, k
    double first;     // least height of the cells at the blades, over the wanted one
    long below[2];    // cells with an angle below 20 and 30 degrees
    double apart;     // largest distance of two nodes of an interface that should coincide
};

struct row {
    struct row_input in;
    struct meridian meridian;
    int set;                     // blades in a pitch
    struct blade blade[MAX_SET]; // the main blade, then the splitters towards positive y
    struct counts n[MAX_SET];    // with the same normal, half, ring, core, span and gap
    // y of the lines through the edges on the inlet and the outlet plane at w = 0.5, and its slope in w
    double y_in, y_out, y_in_slope, y_out_slope;
    double room_in, room_out; // share of the usual cells that the ends of the duct have room for
    struct splitter_part part[MAX_SET]; // of the splitters
    int lines;                          // as in struct mesh
    double widen;                       // as in struct mesh
    bool barrier; // keys are polished such that no cell folds on the way, and so are trials
    bool calm;    // normals of the wall nodes are smoothed round the whole section
    // Layers from keys: by a polynomial along the span, which need not meet the keys, of the usual degree
    // or of the other one (3 and 5), or by cubics that join the keys. The last three are polynomials of other
    // degrees, which are tried only for meshes whose lines along the span lean much.
    enum {
        MIX_SMOOTH,
        MIX_OTHER,
        MIX_LOCAL,
        MIX_WAYS,
        MIX_SQUARE = MIX_WAYS,
        MIX_FOURTH,
        MIX_LINEAR,
        MIX_ALL
    } mix;
    bool mix_stays;      // it was chosen by the angles of the whole mesh
    int nlayer;          // nodes along the span
    struct layer *layer; // [nlayer] (owned)
    double *w;           // [nlayer] their span coordinates (owned)
    int nkey;
    struct plane key[MAX_KEYS];
    // of the uppermost layer of the gap at the hub and at the casing, smoothed, with few rows of ring
    struct mesh inside[2][MAX_SET];
    bool inside_final[2][MAX_SET]; // it has all rows of the ring, smoothed
    // Of a row among others (project.c): cells from hub to casing, 0: as many as the row likes; whether inlet
    // and outlet are planes that a neighbour shares; v of the layers there, NULL: as the row likes.
    int layers;
    bool shared[2];
    double *shape[2]; // [nlayer], owned by struct project
    double enough;    // smallest angle of the mesh, rad, with which no other keys are tried
    struct stamp asked;
    struct found *found;      // for the row that this one varies; NULL: nothing (owned)
    FILE *out;                // takes the report on the mesh; NULL: stdout
    struct grid grid, *metal; // metal: of the main blade (owned); NULL: not meshed
    struct figures figures;   // of the mesh that figures_print has reported
};

static inline FILE *row_out(const struct row *r)
{
    return r->out ? r->out : stdout;
}

// All functions that return int: an_status of kernels/base/error.h, with the error text set.

// table.c
// `path` must live as long as the table. Rows are added behind those that the table has.
int table_read(struct table *t, const char *path, int columns);
int table_add(struct table *t, const char *path, int columns); // *t is initialised
// TurboGrid's .curve: blank lines part nothing, "##" names the next blade.
int table_read_curve(struct table *t, const char *path);
int table_section(struct table *t, const char *path, int line); // begins a section
int table_row(struct table *t, const double *v, int line);
void table_finish(struct table *t);
void table_free(struct table *t);
// Sections, hub or casing: a copy of what formats_load made, else the file.
int table_of(struct table *t, const struct row_input *in, const char *path, int columns);

// formats.c: turns the formats that need it into in->given; afterwards `in` describes tables of
// x, r and theta in the unit `length`.
int formats_load(struct row_input *in); // and the splitters'
void formats_free(struct row_input *in);
// formats_columns.c: t holds the columns of `in`; afterwards x, r, theta or x, r, theta_1, theta_2
int columns_convert(struct table *t, struct row_input *in);
const char *columns_fault(const struct row_input *in); // what the columns need; NULL: nothing
int columns_meridian(struct table *t, const struct row_input *in); // x y z to x, r; repeats dropped
// formats_curve.c: BladeGen's .inf and the .curve files that it names
int curve_load(struct row_input *in);
// Keeps the sections of the blade that `blade` of the input file names.
int curve_pick_blade(struct table *t, const struct row_input *in);
// formats_geomturbo.c
int geomturbo_load(struct row_input *in);
// Loops of the sections in three columns from both sides, each from edge to edge; *t is the caller's to free.
int sides_join(const char *path, const struct table side[2], struct table *t);
// formats_json.c: pyturbo-aero's aero_geometry.json
int json_load(struct row_input *in);
// formats_angles.c: sections from angles; hub and casing too where the input names none
int angles_load(struct row_input *in);
#define PROFILES "naca65 double_arc multiple_arc power turbine"
// export.c: TurboGrid's files of what was read, in a folder that is made if needed
int row_export(const struct row_input *in, const char *folder);

// input.c: reads the input file; all faults go to diag.
void input_default(struct row_input *in);
int input_read(struct row_input *in, const char *path, struct an_diag *diag);
const char *input_unit(const struct row_input *in);    // of the tables' lengths: m, cm, mm, in ...
int input_unit_find(const char *name, double *factor); // in any case; AN_INPUT: no such unit

// input_rows.c: the input file again, of one row or of several on one hub and casing (`rows`)
struct project;
int input_read_project(struct project *p, const char *path, struct an_diag *diag);

// spline.c
void spline_natural(int n, const double *x, const double *y, double *y2);
double spline_value(int n, const double *x, const double *y, const double *y2, double at);
void akima_slopes(int n, const double *x, const double *y, double *slope);
double hermite(double h, double t, double a, double b, double da, double db); // t from 0 to 1
enum { MAX_DEGREE = 8 };
void polynomial_fit(int n, const double *x, const double *y, int degree,
                    double *c); // c[degree + 1]
double polynomial_value(int degree, const double *c, double x);

// ends.c: where inlet and outlet cut hub and casing (s_in, s_out), and whether the duct is axial
int ends_find(struct meridian *g, const struct row_input *in);
// pairing.c: the slip, where equal fractions would meet the walls at small angles
void pairing_choose(struct meridian *g);
// meridian.c
struct point wall_point(const struct wall_curve *c, double s);     // s: length along its chords
struct point wall_direction(const struct wall_curve *c, double s); // unit vector downstream
int meridian_new(struct meridian *g, const struct row_input *in);
double meridian_length(const struct meridian *g, int wall,
                       double u); // along hub or casing, from their first point
void meridian_free(struct meridian *g);
struct point meridian_point(const struct meridian *g, double u, double v);
int meridian_locate(const struct meridian *g, struct point p, double *u, double *v);
double meridian_height(const struct meridian *g, double u); // hub to casing
double meridian_tip(const struct meridian *g, double u);    // v of the blade's tip; 1 without gap
double meridian_foot(const struct meridian *g, double u);   // v of its lower end; 0 without gap
bool gap_wanted(const struct row_gap *gap);
void layer_finish(struct layer *l, const struct meridian *g);         // from v: m and dm
void layer_even(struct layer *l, const struct meridian *g, double v); // v everywhere, finished
double layer_v(const struct layer *l, double u);
double layer_m(const struct layer *l, double u);
double layer_u(const struct layer *l, double m);

// vary.c
void vary_at(const struct row_input *in, double w, double v[VARY_KINDS]); // at a share of the span
// The knots of the section's curve in its plane, varied: x [p->c.n]. radius: m. AN_INPUT, without an error text: the section
// would have no thickness at *thin of its chord.
int vary_section(struct vec2 *x, const struct profile *p, double radius, const double *v,
                 double *thin);

// blade.c
int blade_new(struct blade *b, const struct meridian *g, const struct row_input *in);
void blade_free(struct blade *b);
int blade_profile(const struct blade *b, const struct layer *l, struct profile *p);

// extend.c: r->meridian and r->blade, the duct longer than its tables if these end at the blade
int duct_and_blade(struct row *r);
// splitters.c: reads the splitters beside the main blade, moves them into the pitch above it (y) and
// checks that they lie there, apart from it.
int splitters_new(struct row *r);
void splitters_print(const struct row *r); // where they stand
// Counts of a splitter that go with those of the main blade, in a mesh of relative size s.
struct counts splitters_counts(const struct row *r, int b, const struct splitter_part *part,
                               const struct counts *main, double s);
int splitters_parts(const struct row *r, const struct pieces *main, const struct profile *p,
                    const struct layer *l, double shift, struct splitter_part *part);
// Chooses the lines across the passages on which the splitters' rings begin and end, and how far the corners
// of all rings are turned about the edges: such that lines from blade to blade stand on the walls best.
int splitters_align(const struct row *r, struct counts *n);
bool splitters_fit(const struct row *r,
                   const struct counts *n); // equal numbers from inlet to outlet

// span.c: n cells of sum `total` with first[0] and first[1] at the two ends; t[0..n] from 0 to 1.
// growth: largest ratio of the largest cell to the mean one.
void span_fractions(int n, double total, const double first[2], double most, double *t);
#define SPAN_LARGEST 2.6
int span_layers(struct row *r);
// v of the nodes on the line from hub to casing at u, as the row likes them; v[r->n[0] cells + 1]
int span_line(const struct row *r, double u, double *v);
void span_layer_at(const struct row *r, double w, struct layer *l);

// counts.c
double counts_total(const struct counts *n, int blades); // cells of the whole mesh
int counts_choose(struct row *r);

// edge.c: cut-off trailing edges
// sigma of a place on the profile and back: the fraction of the length of a side, 0 to 1 to 2, and 2 more for
// each time round. The corners of a cut-off edge lie at 1 - BASE_SIGMA and 1 + BASE_SIGMA.
#define BASE_SIGMA 0.02
double edge_sigma(const struct profile *p, double s);
double edge_place(const struct profile *p, double sigma);
bool edge_cut(const struct profile *p);
double edge_width(const struct profile *p); // of the base
// Cells on half of the base: those that `wish` names at least, in a gap half of the core's.
int edge_cells(const struct row *r, int b, double wish, const struct counts *n);
double edge_wish(const struct pieces *w, const struct profile *p); // cells wanted at size 1
// Lets the normals of the wall nodes near the corners turn from one side to the base over some cells; the
// first cells keep their height above the wall.
void edge_normals(struct mesh *m, const struct counts *n);

// around.c
int round_to(double v, int unit);          // the nearest multiple of the unit, at least one unit
int counts_around(const struct counts *n); // cells round the blade
struct wall {                              // a blade's section on a layer
    int b;                                 // which blade of the row
    const struct profile *p;
    const struct layer *l;
};
// The wall in six pieces between the ring's corners and the edges; shift as in the input file. The
// pieces refer to *wall.
struct pieces around_pieces(const struct row *r, const struct wall *wall, double shift);
// Sets lead_ and trail_ from the cells wanted from the leading edge to the lower and to the upper front corner
// at size 1; front and rear alike, crosswise.
void around_ends(struct counts *n, const double part[2], double s, int unit);
// Places of the counts_around + 1 wall nodes, as parameters of the profile.
int around_place(const struct row *r, const struct counts *n, const struct wall *wall, double *s);
// The keys' sigma, in a duct that turns; and in all ducts such that the nodes of all layers are in order.
int around_agree(struct row *r);

// mix.c
void mix_polynomial(const struct row *r, double w, int degree, double *weight); // [nkey]
enum { SIGMA_DEGREE = 3 }; // of the places of wall nodes
void mix_weights(const struct row *r, double w, double *weight);

// polish.c: where angles are below `enough` the wanted lengths give way, while that helps. barrier: and no cell folds on
// the way.
#define MESH_POLISHED (30 * M_PI / 180) // angle at which the plane meshes of layers end that
int mesh_polish(struct mesh *m, struct worst *w, double enough, bool barrier);

// plane.c
int plane_sigma(struct plane *q, const struct row *r, double w); // wall nodes it would like
// The same from a key with the same counts and w.
int plane_sigma_like(struct plane *q, const struct row *r, const struct plane *like);
int plane_key(struct plane *q, const struct row *r); // with the nodes all keys agree on
// The same from a key with the same counts of another blade, whose nodes follow those on the blade; for one blade in a pitch.
int plane_follow(struct plane *q, const struct row *r, const struct plane *from);
int plane_zones(struct mesh *m, const struct row *r,
                const struct counts *n); // of a key, without nodes
// Smallest angle (rad) of a quick mesh at key `key` with other counts [r->set] for the blades' rings; some
// counts are halved in a large mesh.
int plane_try(const struct row *r, const struct counts *n, int key, double *angle);
// Smallest angle of the layer at w as the keys give it, with few rows in the O.
int plane_mixed(const struct row *r, double w, double *angle);
struct lines_figures {
    double few, all; // smallest angle (rad) of a layer with few rows in the O, and with all of them
    double ratio;    // of the areas of neighbouring cells, with all rows
};
int plane_lines(const struct row *r, double w, struct lines_figures *f); // of the layer at w
// Smooths the key on, with the wanted lengths changed where areas of neighbours differ by more than `limit`. *ratio:
// the largest one afterwards, with the O's last row as high as it will be.
int plane_even(struct plane *q, const struct row *r, double limit, double *ratio);
int plane_layer(struct plane *q, struct row *r, int k); // from casing to hub
void plane_free(struct plane *q);
// inside.c
int inside_layer(struct mesh *m, struct row *r, int b, int k, const struct mesh *out);
int inside_shape(struct mesh *m, const struct row *r, int b); // zones and links without nodes

// fillet.c
bool fillet_wanted(const struct row *r);
int fillet_check(const struct row *r); // there is room for them
int fillet_room(const struct row *r);  // in the O of the keys
void fillet_print(const struct row *r);
// Growth of a section along its normals in the plane of layer l at m'.
double fillet_at(const struct row *r, const struct layer *l, double m);

// search.c: other counts round the ring, which quick meshes of the keys judge: the best first, *count of them;
// give_up: none if all corners of the first choices fold these meshes
int lines_choose(struct row *r); // the course of the O's radial lines: sets r->lines
int mix_choose(struct row *r);   // how the layers follow from the keys: sets r->mix
// The smallest angle within the layers, with few rows in the O.
int mix_least(const struct row *r, double *angle);
enum { CHOICES = 3 };
struct choice {
    struct counts n[MAX_SET];
};
int lean_ends(struct row *r); // lets the lines to the end planes follow the edges along the span
int search_corners(struct row *r, struct choice best[CHOICES], int *count, bool give_up);

// busy.c: says on stderr what the program does, in words that follow "after 7 s: ", if it has worked for more than three
// seconds; then every ten seconds at most.
void busy(const char *what);

// side.c: calls work(of, k) for k from 0 to n - 1, on all cores that are idle; the calls must not depend on each other.
// The results then do not depend on the number of cores. All calls are made, whatever fails; returns what the first one,
// by its number, returned that failed, with its error text.
int side_by_side(int n, int (*work)(void *of, int k), void *of);
int side_cores(void);     // of this machine that the process may use
void side_use(int cores); // as many at once; before the first call: one
int side_room(void);      // cores that a call can have now, its own among them

// zones.c
int zone_index(const struct row *r, int blade, int zone);  // among the mesh's blocks
int zone_blade(const struct row *r, int index, int *zone); // and back: the blade

// project.c: rows of one machine on one hub and casing, in the order of the flow
enum { MAX_ROWS = 40, ROW_NAME = 16 };
struct project {
    bool several; // the file has `rows`: names stand before zones and boundaries
    bool apart;   // a row of several that is written alone
    int n;
    struct row *row;               // [n] (owned)
    char name[MAX_ROWS][ROW_NAME]; // empty for the file of one row
    bool cells_given[MAX_ROWS];    // the row has `cells` of its own
    struct row_end inlet, outlet;  // of the machine
    bool ends_given[MAX_ROWS][2];  // the row has its own inlet, outlet
    double cells;                  // of all rows together
    enum { PLANES_MIXING, PLANES_SLIDING } planes;
};
// Reads the blades, and gives each row among others, whose planes are placed, its share of the cells and the nodes of
// its planes.
int project_prepare(struct project *p);
void project_free(struct project *p);
// "row 'NAME': " before the error text of a row among others; returns rc
int project_error(const struct project *p, int row, int rc);
// planes.c: the planes between the rows, as ends of these
int planes_place(struct project *p);

// grid.c
// A block of the nodes of a plane zone on `layers` + 1 layers, from layer `level` of the whole on.
int grid_block(struct grid *g, const char *name, const struct zone *z, int level, int layers);
// Layer k of block b in space, from the zone's nodes (m', y) on the layer l.
void grid_place(const struct block *b, int k, const struct zone *z, const struct layer *l,
                const struct meridian *m);
// The interfaces of a plane mesh in both directions, over `layers` cells of the span: its first zone is block
// first_zone.
void grid_join_plane(struct grid *g, const struct mesh *m, int first_zone, int layers);
// One end of a line's interface: nodes p[0] to p[1] of the plane zone z, which is block `block`, from its layer k on.
struct line_end {
    int block, k;
    const struct zone *z;
    const int *p[2];
};
// Both directions of it over `layers` cells of the span; turn: as in struct joint, from a to b.
void grid_join(struct grid *g, const struct line_end *a, const struct line_end *b, int layers,
               int turn);
// The first (high 0) or the last face of a block in a direction, between the nodes k0 and k1 of the span.
struct face *grid_patch(struct grid *g, const char *family, int block, int direction, int high,
                        int k0, int k1);
void grid_turn(const struct grid *g, double angle); // about +x, rad
void grid_drop(struct grid *g);                     // its blocks
// layers.c: blocks and nodes
int layers_again(struct row *r); // from the keys
void blocks_drop(struct row *r);
// reuse.c
void found_begin(struct row *r); // of a row that is prepared, before it is meshed: what it asks for
// The found of all rows that ask for the same. *there: there is such a file; one that cannot be used holds nothing.
int found_read(struct project *p, const char *path, bool *there);
int found_write(const struct project *p, const char *path);
void found_free(struct row *r);

// stack.c
int stack_build(struct row *r);
void row_free(struct row *r);
// joints.c
int joints_make(struct row *r, const struct plane *top); // top: the uppermost layer

// figures.c
// The same for all blocks of a grid; period: of `turn` of its joints, rad.
int figures_grid(struct figures *f, const struct grid *g, double period);
// volume[zone]: of the cells, i fastest; memory of the caller.
void figures_measure(struct figures *f, const struct row *r, double *const *volume);
int figures_of(struct figures *f, const struct row *r);
// Are the first cells at the blades less than half as high as they should be, and lower than those of *was?
bool figures_low(const struct figures *now, const struct figures *was);
// even.c: where neighbouring cells of a layer differ much in volume, smooths the keys on, sets r->widen and makes the
// mesh again. It is kept if the largest ratio is smaller and the smallest angle about as large. *f: of the mesh.
int even_choose(struct row *r, struct figures *f);
int figures_print(struct row *r); // AN_DIVERGED when a cell is folded: says where and what helps

void figures_print_all(const struct project *p); // a line for each row

// metal.c: the metal of the main blade, with its holes
int metal_check(const struct row *r); // do the holes fit into the blade? Reports the thinnest wall.
// Sets r->metal, and reports. AN_DIVERGED: cells are folded; r->metal has them, if there are any, for pictures.
int metal_build(struct row *r);
void metal_free(struct row *r);

// write.c: all rows in one file. A failed write leaves no file. `folded`: the file is marked, for pictures only.
int project_write(const struct project *p, const char *path, bool folded);
// A row of several as a mesh of its own, for mesh_join: names without that of the row, its planes as boundaries, the speed of the row in
// its zones.
int project_write_row(const struct project *p, int row, const char *path);

#endif

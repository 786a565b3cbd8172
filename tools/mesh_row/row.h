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
// Meridional plane: points P(u, v) = (1 - v) hub(u) + v casing(u), u and v from 0 to 1. A layer is
// a surface of revolution v = V(u); its plane is (m', y): m' = integral of dm / r along the layer,
// y = -theta, which is conformal, so that angles in the plane are angles on the surface. Cells are
// made in the planes of a few layers, the keys (tools/mesh_cascade), and interpolated along the
// span; wall nodes of every layer come from the blade itself. (m', y, span) is right-handed; theta
// is positive from +y of space to +z, about +x. All lengths in metres, angles in radians.
#ifndef MESH_ROW_ROW_H
#define MESH_ROW_ROW_H

#include "kernels/base/error.h"
#include "tools/mesh_cascade/mesh.h"

enum { MAX_SECTIONS = 200, MAX_KEYS = 40, SAMPLES_U = 401, SIDE = 200, LOOP = 2 * SIDE };

// What a column of the table of sections holds.
enum column { COLUMN_SKIP, COLUMN_X, COLUMN_R, COLUMN_THETA, COLUMN_THETA_1, COLUMN_THETA_2 };

struct table { // rows of numbers, in sections that lines of text separate
    int columns, nsection, nrow;
    int start[MAX_SECTIONS + 1]; // first row of a section
    int line[MAX_SECTIONS];      // of the file, where a section starts
    double *v;                   // [nrow][columns] (owned)
};

struct row_input {
    char title[200];
    char sections[1024], hub[1024], casing[1024]; // paths
    enum column column[8];
    int columns;
    double length, angle; // factors to metres and radians
    int theta;            // +1: theta of the table turns from +y to +z; -1: the other way
    int blades;
    double rpm; // about +x; 0: stands
    enum { MACHINE_ANY, MACHINE_COMPRESSOR, MACHINE_TURBINE } machine;
    double gap, gap_fraction; // one of them > 0, or no gap
    int hub_parts;            // 1: the hub is three boundaries
    double inlet, outlet;     // x
    double cells;
    bool wall_functions;
    double first[4]; // height of the first cell: blade, hub, casing, tip
    double shift, growth, turn;
    int levels, keys, smooth;
};

// Hub or casing: cubic pieces (Akima) through points, over the length of their chords.
struct wall_curve {
    int n;
    double *s, *x, *r, *dx, *dr; // [n]; s owns all
    double s_in, s_out;          // where the inlet and the outlet plane cut it
};

struct point { // in the meridional plane
    double x, r;
};

struct meridian {
    struct wall_curve hub, casing;
    double gap, gap_fraction;
};

// Surface of revolution v = V(u), with its conformal coordinate.
struct layer {
    double v[SAMPLES_U], m[SAMPLES_U], dm[SAMPLES_U]; // at u = i / (SAMPLES_U - 1); dm = dm'/du
};

// Blade: LOOP curves along the span, each a spline of (u, v, y) over the sections. Curve j goes
// through the points of fraction sigma_j of the length of one side: j = 0 leading edge, j = SIDE
// trailing edge; clockwise in the plane.
struct blade {
    int n;                            // sections
    double *p;                        // [n] mean span fraction of the sections, ascending
    double *u, *v, *y, *u2, *v2, *y2; // [LOOP][n] values and second derivatives; p owns all
    double sigma[LOOP];               // 0 to 1 to 2
};

struct counts {
    int lead_down, lead_up;   // wall cells from the leading edge to the ring's front corners
    int trail_up, trail_down; // and from the trailing edge to its rear corners
    int pass, half, in, out, normal, ring, core, span, gap;
};

// The plane mesh of one layer: outside the blade, and inside it in the gap. A key holds the O with
// few rows; its nodes are (u, y), so that keys can be mixed. The finished planes of layers hold all
// rows; their nodes are (m', y).
struct plane {
    double w;      // span coordinate: v of the layer at mid-length
    double *sigma; // [n_around + 1] place of the wall nodes, as in struct blade (owned)
    struct mesh out, in;
    struct worst worst; // of a key, before its nodes became (u, y)
};

enum { ZONE_O, ZONE_INLET, ZONE_UP, ZONE_DOWN, ZONE_OUTLET, ZONE_RING, ZONE_CORE, ROW_ZONES };

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

enum { MAX_FACES = 40, MAX_JOINTS = 64 };

struct row {
    struct row_input in;
    struct meridian meridian;
    struct blade blade;
    struct counts n;
    // y of the lines through the edges on the inlet and the outlet plane at w = 0.5, and its slope in w
    double y_in, y_out, y_in_slope, y_out_slope;
    int lines;           // as in struct mesh
    int nlayer;          // nodes along the span
    struct layer *layer; // [nlayer] (owned)
    double *w;           // [nlayer] their span coordinates (owned)
    int nkey;
    struct plane key[MAX_KEYS];
    struct mesh inside; // of the uppermost layer, smoothed, with few rows of ring
    int nblock, nface, njoint;
    struct block block[ROW_ZONES];
    struct face face[MAX_FACES];
    struct joint joint[MAX_JOINTS];
};

// All functions that return int: an_status of kernels/base/error.h, with the error text set.

// table.c
int table_read(struct table *t, const char *path, int columns);
void table_free(struct table *t);

// input.c: reads the input file; all faults go to diag.
int input_read(struct row_input *in, const char *path, struct an_diag *diag);
const char *input_unit(const struct row_input *in); // of the tables' lengths: m, cm, mm or in

// spline.c
void spline_natural(int n, const double *x, const double *y, double *y2);
double spline_value(int n, const double *x, const double *y, const double *y2, double at);
void akima_slopes(int n, const double *x, const double *y, double *slope);
double hermite(double h, double t, double a, double b, double da, double db); // t from 0 to 1

// meridian.c
int meridian_new(struct meridian *g, const struct row_input *in);
void meridian_free(struct meridian *g);
struct point meridian_point(const struct meridian *g, double u, double v);
int meridian_locate(const struct meridian *g, struct point p, double *u, double *v);
double meridian_height(const struct meridian *g, double u);   // hub to casing
double meridian_tip(const struct meridian *g, double u);      // v of the blade's tip; 1 without gap
void layer_finish(struct layer *l, const struct meridian *g); // from v: m and dm
void layer_even(struct layer *l, const struct meridian *g, double v); // v everywhere, finished
double layer_v(const struct layer *l, double u);
double layer_m(const struct layer *l, double u);
double layer_u(const struct layer *l, double m);

// blade.c
int blade_new(struct blade *b, const struct meridian *g, const struct row_input *in);
void blade_free(struct blade *b);
int blade_profile(const struct blade *b, const struct layer *l, struct profile *p);

// span.c: n cells of sum `total` with first[0] and first[1] at the two ends; t[0..n] from 0 to 1.
// growth: largest ratio of the largest cell to the mean one.
void span_fractions(int n, double total, const double first[2], double most, double *t);
#define SPAN_LARGEST 2.6
int span_layers(struct row *r);
void span_layer_at(const struct row *r, double w, struct layer *l);

// around.c
int counts_around(const struct counts *n);   // cells round the blade
double counts_total(const struct counts *n); // cells of the whole mesh
int counts_choose(struct row *r);
// The wall in six pieces between the ring's corners and the edges; shift as in the input file.
struct pieces around_pieces(const struct row_input *in, const struct profile *p, double shift);
// Places of the counts_around + 1 wall nodes, as parameters of the profile.
int around_place(const struct row *r, const struct profile *p, double *s);

// plane.c
int plane_sigma(struct plane *q, const struct row *r, double w); // wall nodes it would like
int plane_key(struct plane *q, const struct row *r);             // with the nodes all keys agree on
// Smallest angle (rad) of a quick mesh at key `key` with other counts for the blade's ring; some counts
// are halved in a large mesh.
int plane_try(const struct row *r, const struct counts *n, int key, double *angle);
// Smallest angle of the layer at w with few rows in the O, and with all of them.
int plane_lines(const struct row *r, double w, double *before, double *after);
int plane_layer(struct plane *q, struct row *r, int k); // from casing to hub
void plane_free(struct plane *q);
// inside.c
int inside_layer(struct mesh *m, struct row *r, int k, const struct mesh *out);

// search.c: other counts round the ring, which the keys judge; *angle: what they gave
int search_corners(struct row *r, struct counts *best, double *angle);

// stack.c
int stack_build(struct row *r);
void row_free(struct row *r);
// joints.c
void joints_make(struct row *r, const struct plane *top); // top: the uppermost layer

// figures.c
struct figures {
    long cells, negative, folded; // folded: one of the eight corners turns over
    double least, most;           // angle between two edges of a corner, rad
    double plane_least;           // the same, i and j edges only
    int zone, at[3];              // of the least angle
    int bad_zone, bad[3];         // the folded cell of least angle
    double bad_angle;
    double volume, aspect; // least and largest
    double ratio;          // of the volumes of neighbours
    int ratio_zone, ratio_at[3];
    double growth[3]; // largest ratio of neighbouring edges along i, j, k
    long below[2];    // cells with an angle below 20 and 30 degrees
    double apart;     // largest distance of two nodes of an interface that should coincide
};
// volume[zone]: of the cells, i fastest; memory of the caller.
void figures_measure(struct figures *f, const struct row *r, double *const *volume);
int figures_print(
    const struct row *r); // AN_DIVERGED when a cell is folded: says where and what helps

// write.c: a failed write leaves no file. `folded`: the file is marked, for pictures only.
int row_write(const struct row *r, const char *path, bool folded);

#endif

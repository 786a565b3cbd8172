// Periodic multi-block structured mesh of a linear blade cascade: shared types.
//
//                 +y (pitch)      upper periodic line = lower one + pitch
//                  |     ________________________________________
//                  |    |      |                   |             |
//                  |    |      |   passage_up      |             |
//                  |    |      +---- O ring -------+             |
//                  |    | inlet|  blade_o (LE..TE) |   outlet    |
//                  |    |      +-------------------+             |
//                  |    |      |   passage_down    |             |
//                  |    |______|___________________|_____________|
//                  +----> +x (machine axis)
//
// One O zone (i clockwise round the blade from the lower front corner, j from the wall outwards)
// and four H zones (i downstream, j upwards). The ring's four corners are the mesh's only irregular
// nodes: five cells meet there. All lengths in metres, angles in radians unless said.
#ifndef MESH_CASCADE_MESH_H
#define MESH_CASCADE_MESH_H

#include <stdbool.h>
#include <stddef.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_INPUT = 2, EXIT_MESH = 3 };

struct vec2 {
    double x, y;
};

static inline struct vec2 add(struct vec2 a, struct vec2 b)
{
    return (struct vec2){a.x + b.x, a.y + b.y};
}
static inline struct vec2 sub(struct vec2 a, struct vec2 b)
{
    return (struct vec2){a.x - b.x, a.y - b.y};
}
static inline struct vec2 scale(double s, struct vec2 a)
{
    return (struct vec2){s * a.x, s * a.y};
}
static inline struct vec2 axpy(double s, struct vec2 a, struct vec2 b)
{
    return (struct vec2){s * a.x + b.x, s * a.y + b.y};
}
static inline double dot(struct vec2 a, struct vec2 b)
{
    return a.x * b.x + a.y * b.y;
}
static inline double cross(struct vec2 a, struct vec2 b)
{
    return a.x * b.y - a.y * b.x;
}
double norm(struct vec2 a);

// Numbers of cells of a mesh that is to be had again: of the ring's front, the passages, the ring's rear; half of those across
// the passage; of the inlet, the outlet, and normal to the blade. All zero: none is given.
struct cell_counts {
    int front, pass, rear, half, in, out, normal;
};

struct options {
    const char *profile, *output, *plot, *holes, *like;
    double pitch;                       // m, > 0
    double stagger, scale;              // rotation (rad) and factor applied to the points as read;
                                        // scale 0: the heading's unit, or metres
    double chord;                       // m, wanted; 0: as the points say
    double pitch_to_chord;              // in place of pitch; 0: pitch is given
    double fit;                         // m, how far points may be moved; 0: they stay
    double round;                       // < 0: edges stay; 0: rounded; > 0: radius of sharp ones, m
    double y_plus, reynolds;            // > 0: wall_spacing from these
    double inlet_length, outlet_length; // m, axial, from the leading / trailing edge
    double inlet_angle, outlet_angle;   // rad, directions the mesh follows up- and downstream; NAN:
                                        // from the camber line
    double inlet_shear, outlet_shear; // share of tan(angle) that the outer blocks' lines keep, 0..1
    double wall_spacing;              // m, height of the first cell
    double growth;                    // largest ratio of neighbouring cells normal to the wall
    double shift; // share of the full cross-flow shift of the ring's corners; < 0: searched
    double span;  // m
    double size;  // factor on all counts
    double turn;  // rad, largest turn of the surface in one cell at size 1
    int around, normal, pitchwise, inlet, outlet, layers, levels, smooth;
    struct cell_counts counts; // in place of those above but `layers`, and of what `growth` asks
    int o_blocks;
    bool quality_only, rans, solid;
    // Set by profile_read: factor from the points as read to metres, and the same over the heading's unit
    double factor, resized;
};

// Closed curve: periodic cubic spline over chord length, clockwise (seen with x right, y up). Two of its
// knots may be corners, with a spline of its own on either side of each.
struct curve {
    int n;               // number of knots
    double length;       // period of the parameter
    double *s;           // [n + 1] parameter of the knots, s[n] = length
    struct vec2 *x, *d2; // [n] knots and second derivatives
    struct vec2 *end2; // [n] with corners: second derivatives at the ends of the intervals (d2: at
                       // their starts); else NULL (owned)
};

struct profile {
    struct curve c;
    double s_le, s_te; // parameter of the leading and trailing edge
    double
        s_corner[2]; // mesh_row: of the upper and lower corner of a cut-off trailing edge; 0: none
    // direction of the mesh's lines there, downstream, from +x: about that of the mean line (blade_angles)
    double angle_le, angle_te;
    double chord, axial_chord;
    struct vec2 le, te;
};

// A structured two-dimensional zone, node (i, j) at x[j * ni + i].
struct zone {
    char name[32];
    int ni, nj;     // nodes
    struct vec2 *x; // owned
    double *li;     // [nj, ni - 1] wanted relative lengths of the i edges (owned)
    double *lj;     // [nj - 1, ni] and of the j edges (owned)
    double weight;  // of the first row's shape in the smoothing; falls to 1 at the last row
};

// One-to-one interface between two lines of nodes: node a0 + k (a1 - a0)/len of zone za is node b0
// + k (b1 - b0)/len of zone zb; position of the zb node = position of the za node + shift * pitch
// in y.
struct link {
    int za, zb;
    int a0[2], a1[2], b0[2], b1[2];
    int shift;
};

enum { FACE_IMIN, FACE_IMAX, FACE_JMIN, FACE_JMAX };

struct patch {
    const char *family;
    int z, face;
    int from, to; // first and last node along the face; both 0: all of it
};

enum { MAX_ZONES = 64, MAX_LINKS = 300, MAX_PATCHES = 200 };

struct mesh {
    int nz, nlink, npatch;
    struct zone z[MAX_ZONES];
    struct link link[MAX_LINKS];
    struct patch patch[MAX_PATCHES];
    double pitch;
    // counts of cells: ring's front, passages, ring's rear; passages' pitchwise below and above the
    // periodic line's side
    int n_front, n_pass, n_rear, m_down, m_up, n_in, n_out, n_normal, n_around;
    int n_final; // rows the O zone gets in the end; n_normal counts its present ones
    double wall_spacing;
    double fan;          // how far the wanted spacing round the ring diffuses: passes / n_around^2
    double *s;           // [n_around + 1] parameter of the wall nodes (owned)
    struct vec2 *normal; // [n_around + 1] unit outward normals there (owned)
    double *thick;       // [n_around] first estimate of the O layer's thickness, m (owned)
    double *first;       // [n_around + 1] first cell heights, m; NULL: wall_spacing (owned)
    double shear_in,
        shear_out; // slope dy/dx of the lines that reach the inlet and the outlet plane
    // The O's radial lines: smooth across the ring towards the node beyond it, smooth up to the ring,
    // half-way to straight pieces between the smoothed rows, or these pieces themselves.
    enum { LINES_THROUGH, LINES_UP_TO, LINES_HALF, LINES_STRAIGHT, LINES_WAYS } lines;
    // The rows of the O grow in geometric progression: their heights (0), or their heights times the width between two
    // radial lines, relative to that at the wall, to this power.
    double widen;
    bool steep;   // the smoother works for the worst cells (elliptic.c)
    bool barrier; // no cell of the mesh is folded, and none may fold in the smoothing
    bool hold;    // the smoother leaves the nodes of these planes where they are
};

enum { Z_O, Z_INLET, Z_UP, Z_DOWN, Z_OUTLET, SECTOR_ZONES };
enum { MAX_SECTORS = 3 }; // blades in a pitch

struct quality {
    double min_angle, max_angle; // rad
    double max_aspect;
    double min_area, max_ratio; // m^2; area ratio of two cells that share an edge
    double wall_min, wall_max;  // m, first cell height measured along the wall normal
    double max_growth;          // of neighbouring cell heights in the O
    long cells, negative;
    double max_turn; // rad, of the surface in one cell
    int zone_angle, i_angle, j_angle;
    struct vec2 at_angle, at_ratio;
};

// points.c
struct points {
    struct vec2 *x; // [n] closed, in file units (owned)
    int *line;      // [n] of the file (owned)
    int n;
    double scale; // of the unit that the heading names; 0: none
    bool sides;   // two sides, which their ends join: no loop of the file
};
int points_read(struct points *p, const char *path);
void points_free(struct points *p);
// "x [mm]", "x (mm)" and "x / mm" in a heading become one word each, in place.
void heading_close(char *text);
// repair.c: the point that stands farthest off the cubic through its neighbours while they lie well
// without it; -1: none does by more than three tolerances
int outlier_find(const struct vec2 *x, int n, double tolerance, double *off);
// Smooths the closed line as much as the tolerance allows; *moved: largest distance.
int points_smooth(struct vec2 *x, int n, double tolerance, double *moved);
// round.c: cut-off edges (two corners) and sharp ones (radius; <= 0: 0.2 % of the chord) become arcs.
// x has room for ROUNDINGS * ROUND_POINTS more points. EXIT_INPUT: `fault` says why an edge could not be
// rounded.
enum { ROUNDINGS = 4, ROUND_POINTS = 64 };
struct rounding {
    int edges;
    struct vec2 at[ROUNDINGS]; // middle of the edge that was
    double base[ROUNDINGS];    // its width, 0 for a sharp edge
    double radius[ROUNDINGS];  // of the arc
    double lost[ROUNDINGS];    // distance from the corner that was to the arc
    double area;               // share of the profile's area that was lost
    char fault[120];
};
int profile_round(struct vec2 *x, int *n, double radius, struct rounding *r);
// The two corners, in the points' order, of a trailing edge that is cut off: the downstream end by x.
// *sharp: the larger turn of the two, rad.
bool profile_base(const struct vec2 *x, int n, int corner[2], double *sharp);

enum { MIN_POINTS = 20 }; // distinct ones of a profile

// profile.c: all return EXIT_DONE or print the reason to stderr and return EXIT_INPUT.
int profile_read(struct profile *p, struct options *o); // also sets o->pitch from pitch_to_chord
void profile_free(struct profile *p);
int drop_repeats(struct vec2 *x, int n, double tol); // returns the number left
void orient(struct vec2 *x, int n);                  // makes the points clockwise
// Says where a point is in the user's coordinates; a tool that maps its points before the checks has one.
struct namer {
    void (*write)(char *words, size_t size, struct vec2 x, const void *of);
    const void *of;
};
// The checks print their fault; namer NULL: the points are as the file has them. corner: two points that may
// turn by any angle, or NULL.
#define SHARPEST 1.3 // rad, turn of other points
// Judges the ends of a loop of *n points as the file has it, before repeated points are dropped (within tol). It is
// closed if the last point repeats the first one, however long its segments are, or if the missing segment is like
// those beside it. A wider gap of up to 5 % of the perimeter is closed, too, and a last point that lies very near to
// the first one is left out; *gap is their distance then, else 0. EXIT_INPUT: the loop is open.
int check_closed(const char *path, const struct vec2 *x, int *n, double tol,
                 const struct namer *namer, double *gap);
int check_points(const char *path, const struct vec2 *x, int n, const int *corner,
                 const struct namer *namer);
int check_pitch(const char *path, const struct vec2 *x, int n, double pitch,
                const struct namer *namer);
// suspect.c: refuses wrong units, warns of points that wave
int profile_suspect(const char *path, const struct vec2 *x, int n, double pitch);
void find_edges(struct profile *p);    // all but the curve from the curve
void measure_chord(struct profile *p); // all but s_le and s_te, which are given
// Directions of the mean line at the leading [0] and the trailing edge [1], downstream, from +x, rad: from 4 to 15 % of
// half the perimeter, and at the edge itself.
void blade_angles(const struct profile *p, double mean[2], double edge[2]);
const char *
profile_fault(const struct profile *p); // what makes the measures useless; NULL: nothing
// camber.c: the mean line near the edge at s, which may lie a little beside it. False: the profile has none there.
struct camber {
    struct vec2 nose; // where the mean line meets the edge
    double s;         // its place on the curve
    double edge,
        mean; // rad, its direction into the profile: at the edge; from 4 to 15 % of half the perimeter
    double radius; // of the nose
};
bool camber_edge(struct camber *found, const struct curve *c, double s);
// curve.c
int curve_fit(struct curve *c, const struct vec2 *x, int n);
int curve_fit_corners(struct curve *c, const struct vec2 *x, int n,
                      const int corner[2]); // ascending
void curve_free(struct curve *c);
struct vec2 curve_point(const struct curve *c, double s);
struct vec2 curve_tangent(const struct curve *c, double s);
double curve_curvature(const struct curve *c, double s); // > 0 where the blade is convex

// spacing.c
double geometric_ratio(double first, double total, int n);
void geometric_fractions(double first, double total, int n, double *t);
// The closed profile in pieces, from corner to corner; parameters ascend, the last corner is the
// first one plus the perimeter.
enum { MAX_PIECES = 6 };
struct pieces {
    int n;
    double corner[MAX_PIECES + 1];
    double around, turn,
        h0;       // cells in all; largest turn of the surface in a cell, rad; largest cell
    double slope; // largest change of the spacing over the way
    double (*size)(const void *of, double s); // relative size that cells at s are to have; NULL: 1
    const void *of;
    double fine[2],
        most; // cells between these two places are no larger than `most`; 0: no such places
    double part[MAX_PIECES]; // cells each piece gets when nothing is rounded
    int want[MAX_PIECES];    // cells it is to have
};
int pieces_share(struct pieces *w, const struct profile *p); // from around and turn: h0 and part
int pieces_share_place(struct pieces *w, const struct profile *p, double *s); // both
void place_corners(const struct profile *p, const double pitch[2], double shift, double corner[5]);
void wall_normals(const struct profile *p, const double *s, int n, struct vec2 *normal);
int distribute_wall(struct mesh *m, const struct profile *p, const struct options *o);

// blocks.c
int blocks_new(struct mesh *m, const struct profile *p, const struct options *o);
// Zones, links, patches and a first mesh from the counts and wall nodes that m holds.
int blocks_build(struct mesh *m, const struct profile *p, const struct options *o);
int zone_new(struct zone *z, const char *name, int ni, int nj);
// The same in steps, for several blades in a pitch (sectors.c).
int blocks_zones(struct mesh *m,
                 const struct profile *p); // zones, links, patches, wall nodes (p NULL: none)
void blocks_ring(struct mesh *m, const struct mesh *all, int n, const struct profile *p,
                 double growth, int unit);
void blocks_lines(struct mesh *m); // wanted lengths of the passages' lines across
void smooth_periodic(double *v, int n, int passes);
struct vec2 *blocks_node(struct mesh *m, int z, int i, int j);
void blocks_rebalance(struct mesh *m);
void blocks_connect(struct mesh *m); // links and patches from the counts
int blocks_refine_o(struct mesh *m, double growth, int unit);
void blocks_free(struct mesh *m);
// sectors.c: n blades in a pitch, from one periodic line to the other. Each has a mesh of its own, the
// sector from its lower to its upper line, with as many cells from inlet to outlet as the others.
int sectors_build(struct mesh *m, int n, const struct profile *p, const struct options *o);
// The sectors as one mesh: its zones are theirs (not owned), five each in their order.
void sectors_join(struct mesh *all, const struct mesh *m, int n);
// like.c: the counts of a mesh of this program. EXIT_INPUT: the reason is printed.
int like_read(struct cell_counts *n, const char *path);
int o_split(struct mesh *m); // split.c: one O zone into front, upper, rear and lower

// olayer.c: radial lines of the O zone from the wall normals to the ring
double olayer_longest(const struct mesh *m, const struct zone *coarse, const struct vec2 *beyond);
int olayer_fill(struct mesh *m, const struct zone *coarse, const struct vec2 *beyond);

// elliptic.c
int elliptic_smooth(struct mesh *m, int sweeps);
// multilevel.c: the same from coarse to fine
int multilevel_smooth(struct mesh *m, int sweeps);

// graph.c: the zones' nodes merged over the interfaces
struct corner { // a cell seen from one of its nodes, o: the cell's nodes are o, a, d, b,
                // counter-clockwise
    int a, d, b;
    int sa, sd, sb;                // pitches to add to their stored positions, o's being zero
    double i_oa, i_ad, i_db, i_bo; // one over the wanted relative lengths of the edges
    double weight;                 // of the cell's shape against the other cells'
};
struct graph {
    int n;
    struct vec2 *x;
    int *start; // [n + 1] first corner of a node
    struct corner *corner;
    bool *fixed;       // [n] not to be moved; all false at first
    int *node, *shift; // per zone node (zone offset + index): global node, pitches to add
    int offset[MAX_ZONES];
};
int graph_new(struct graph *g, const struct mesh *m);
void graph_free(struct graph *g);
void graph_fix(struct graph *g, const struct mesh *m); // elliptic.c: the nodes of all patches
// spread.c: moves the nodes of the patches to where `to` has them, of the nodes of all zones in their order, and the others
// with them, less and less, such that neighbours move alike.
int mesh_spread(struct mesh *m, const struct vec2 *to);

// worst.c
struct worst {
    double angle;   // rad, the smallest one between the two edges of a cell's corner; <= 0: folded
    int zone, i, j; // of its cell
    long folded;    // cells with a corner of no positive angle
    struct vec2 at;
};
void mesh_worst(struct worst *w, const struct mesh *m);
// Makes the wanted lengths of the edges round cells of small angles the present ones: all of them at an
// angle of `low` (rad), none at `high`. What follows in the smoothing then is the angle alone.
int worst_give_way(struct mesh *m, double low, double high);

// even.c
// *ratio: the largest ratio of the areas of two cells with a common edge, over all interfaces of the mesh `all`. sectors:
// the meshes that it joins while their Os have few rows, whose last row then counts as high as that of the final rows;
// NULL: the Os have their final rows. act: changes the wanted lengths of the cells on both sides where the ratio exceeds
// `limit`; the smoother has to follow.
int mesh_even(struct mesh *all, const struct mesh *sectors, double limit, bool act, double *ratio);

// quality.c
void quality_measure(struct quality *q, const struct mesh *m);
void quality_print(const struct quality *q, const struct mesh *m, double span, int layers);

// write.c: return EXIT_DONE or print and return EXIT_FAILED; a failed write leaves no file.
// solid: the blade's, in a base of its own; NULL: none.
int write_cgns(const char *path, const struct mesh *m, const struct mesh *solid, double span,
               int layers);
int write_plot(const char *path, const struct mesh *m, const struct mesh *solid);

#endif

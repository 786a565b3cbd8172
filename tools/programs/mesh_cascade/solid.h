// The solid of a blade with round coolant holes, as structured zones: shared types.
//
// Each hole has an O zone that fills its share of the profile. Shares are the cells of the power diagram of the holes'
// circles: a point belongs to the hole to which its tangent is shortest. Neighbouring shares meet along a straight cut,
// three shares meet at a node inside. Massive shares without a hole fill long gaps and slender ends.
//
//        ______________________________________
//      /      |         |            |        /|\______
//     |  (1)  |   (2)   |  massive   |  (3)  | massive  \      (n): hole n
//      \______|_________|____________|________\|________/
//             cut      cut          cut       cut
#ifndef MESH_CASCADE_SOLID_H
#define MESH_CASCADE_SOLID_H

#include "mesh.h"

enum {
    HOLE_WALL = 128,
    MAX_HOLES = 28,
    MAX_SHARES = 60,
    MAX_CUTS = 180,
    MAX_NODES = 360,
    MAX_SIDES = 24
};

struct hole {
    struct vec2 at;
    double radius; // the largest one
    const double *
        wall; // [HOLE_WALL] distances from `at` to the wall at even angles, the first along x; NULL: a circle
    char name[32]; // of its family
    int line;      // of the file
};

struct holes {
    const char *path; // not owned
    int n;
    struct hole hole[MAX_HOLES];
    double least; // m, thickness of the thinnest wall between two holes, or a hole and the surface
    char where[80]; // which one that is
};

// hole_walls.c
// The point of a hole's wall that is seen from its centre at an angle from x, rad.
struct vec2 hole_point(const struct hole *h, double angle);
// May a hole that is added have this name? HOLE_NAMES says what names are, LONGEST_HOLE being the number in it.
enum { LONGEST_HOLE = 24 };
#define HOLE_NAMES                                                                             \
    "names differ from each other and from blade_metal, do not begin with solid_ or around_, " \
    "have no slash and at most %d letters"
bool hole_name_fits(const struct holes *h, const char *name);
struct hole_wall {
    int a, b;             // the wall stands between these holes; b -1: hole a and the surface
    double thick, enough; // what a mesh needs; in the unit of the holes
};
void hole_wall_name(const struct hole_wall *w, const struct holes *h, char name[80]);
// Does each hole lie in the profile, with walls that are thick enough for a mesh round it? *w: the thinnest wall, of
// infinite thickness where there is none, or that at fault; HOLE_OUTSIDE: the centre of hole w->a lies outside.
enum hole_fault { HOLES_FIT, HOLE_OUTSIDE, HOLE_NEAR };
enum hole_fault holes_fit(struct hole_wall *w, const struct holes *h, const struct curve *c);

// holes.c: print the fault and return EXIT_INPUT.
// Reads a table whose heading names x, y and diameter with their units, and perhaps name or hole. o, which has read the
// profile, says how its points were scaled and turned.
int holes_read(struct holes *h, const struct options *o);
// Every hole lies in the profile, and the walls round it are thick enough for a mesh. Sets least and where.
int holes_check(struct holes *h, const struct curve *c);

// shares.c
struct share_side { // clockwise, seen from inside
    int cut;        // -1: an arc of the surface
    int node[2];    // from, to; -1: none, the arc is the whole surface
    double end[2];  // places of an arc's ends, ascending
    int n;          // cells
    double *s;      // [n + 1] places of an arc's nodes (owned)
};

struct share {
    struct vec2 at;
    double weight; // m^2, square of the hole's radius; a massive one has any
    int hole;      // -1: massive
    int nside, narc;
    struct share_side side[MAX_SIDES]; // of a massive one the last side is an arc
};

struct share_node {
    struct vec2 at;
    double s;   // place on the surface; NAN: inside
    int of[3];  // shares that meet inside, ascending
    int stands; // node that stands for this one, since they lie close together; itself otherwise
};

struct share_cut {
    int share[2], node[2];
    int n; // cells; 0: its ends are one node
};

struct shares {
    const struct curve *curve;
    double corner
        [2]; // places of two corners of the curve, ascending, which are nodes of the surface; both 0: none
    struct vec2 *outline; // [samples] of the curve (owned)
    int nshare, ncut, nnode;
    struct share share[MAX_SHARES];
    struct share_cut cut[MAX_CUTS];
    struct share_node node[MAX_NODES];
    char fault[160];
};

// Divides the profile among the holes, and adds massive shares. EXIT_MESH: fault says why not.
int shares_find(struct shares *c, const struct profile *p, const struct holes *h);
void shares_free(struct shares *c);

int shares_node(const struct shares *c, int node); // that stands for it

enum { SOLID_SKIN = 4 }; // rows of a massive end under the surface

// The border of a share is numbered clockwise, from node 0 of its first side. A span of it is on one zone's face: nodes q
// to q + n are those of zone z from `from` in steps of `step`.
struct span {
    int q, n, z, from[2], step[2];
};

struct border {
    int n, nspan;
    struct span span[4];
};

struct solid {
    struct mesh *m;
    struct shares *c;
    const struct holes *h;
    double size, turn;    // of cells: m, rad on the surface
    int zone[MAX_SHARES]; // first one of each share
    int core[MAX_SHARES]; // of a massive end: cells across its core
    struct border border[MAX_SHARES];
};

// solid_count.c: cells of all sides, and the surface's nodes. EXIT_MESH: the shares' fault says why not.
int solid_count(struct solid *s);
int solid_units(double n);                  // the next number of cells that a side may have
int share_first_arc(const struct share *a); // its side; one of a massive share

// solid_zones.c: zones and their first nodes, the holes' patches, interfaces in a share.
int solid_zones(struct solid *s);

// solid_border.c
void border_put(const struct solid *s, int k, const struct vec2 *x); // share k's nodes [n + 1]
const struct span *border_span(const struct border *b, int q);       // that holds cell q
void border_node(const struct span *p, int q, int at[2]);            // in its zone
struct seam { // one of the two sides of a cut: nodes q to q + n of a share's border
    int share, q, n;
    bool on; // from the cut's first node to its second
};
void seams_of(const struct solid *s, int cut, struct seam seam[2]);
// Cell and node t of a cut, on one side of it.
const struct span *seam_span(const struct solid *s, const struct seam *a, int t);
void seam_node(const struct span *p, const struct seam *a, int t, int at[2]);
void solid_link_cuts(struct solid *s);
void solid_patch_arcs(struct solid *s);

// solid_smooth.c
bool shares_corner(const struct shares *c,
                   double s); // is this place on the surface one of its corners?
int solid_smooth(struct solid *s);
// The same with the wanted lengths that the zones have: for nodes that need not be straight lines between the holes.
int solid_smooth_on(struct solid *s);

// solid_section.c: all of it, from the profile and the holes to smoothed zones. size and turn are those of struct solid; p
// and h must outlive *s, whose mesh and shares are the caller's to free. EXIT_MESH: the shares' fault says why not.
#define SOLID_TURN (12 * M_PI / 180) // of the surface in one cell
struct solid_cells {
    double size, turn;
};
int solid_section(struct solid *s, struct mesh *m, struct shares *c, const struct profile *p,
                  const struct holes *h, const struct solid_cells *cells);

// solid.c: the same for mesh_cascade, with a report. Prints the fault and returns EXIT_MESH, or EXIT_FAILED.
int solid_build(struct mesh *m, const struct profile *p, const struct holes *h,
                const struct options *o);

#endif

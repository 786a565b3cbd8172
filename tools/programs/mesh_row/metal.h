// The metal of a blade with coolant holes, as structured zones from hub to casing, or from and to the blade's ends at gaps.
//
// The code of mesh_cascade --holes (tools/programs/mesh_cascade/solid.h) divides one section of the blade, the reference,
// into zones and meshes them. All layers have the same zones with the same numbers of cells: the nodes on the surface keep
// their shares of the blade's sides, those on the holes turn with their neighbourhood, the others follow.
//
//   tip  ____________________     f = 1     f: share of the blade's height, from its lower to its upper end
//       |   |  |    |  |     |
//       |   |  |    |  |     |
//       |---|--|----|--|-----|  reference   The planes of layers are those of struct layer: (m', y = -theta).
//       |   |  |    |  |     |
//       |___|__|____|__|_____|    f = 0
//           hole    hole
#ifndef MESH_ROW_METAL_H
#define MESH_ROW_METAL_H

#include "row.h"

#define METAL_GOOD (25 * M_PI / 180) // smallest angle with which no other ways to a mesh are tried

// A hole in space: circles round an axis, normal to it, whose radius changes evenly along it.
struct channel {
    int n;
    // Places of the points of the axis: shares of the length of their chords, from 0 to 1.
    double t[MAX_STATIONS];
    // The axis: natural splines, straight beyond the points.
    double x[3][MAX_STATIONS], x2[3][MAX_STATIONS];
    double radius[2]; // at t = 0 and 1
    int aside;        // axis of space farthest from the direction of the hole: circles begin there
};

// The blade and its holes on the surface of revolution at a share f of its height.
struct metal_section {
    double f;
    struct layer layer;
    struct profile profile;
    struct holes holes;                // their walls are those below
    double wall[MAX_HOLES][HOLE_WALL]; // as in struct hole
    double turn[MAX_HOLES][HOLE_WALL]; // angles of these points on the channels' circles
    double t[MAX_HOLES];               // places of the centres on the channels' axes
};

// channel.c
// AN_INPUT with the hole's name where a hole does not run from hub to casing.
int channels_new(struct channel *c, const struct row *r);
// Holes of the section, whose layer and profile are there.
int channels_cut(struct metal_section *s, const struct row *r, const struct channel *c);
// The point of hole k's wall that is seen from its centre at an angle in the section's plane: on the channel exactly.
int channel_point(const struct metal_section *s, const struct row *r, const struct channel *c,
                  int k, double angle, struct vec2 *at);

// metal_section.c
int metal_section_new(struct metal_section *s, const struct row *r, const struct channel *c,
                      double f);
void metal_section_free(struct metal_section *s);
struct metal_wall {   // the thinnest one
    double thick, at; // m, share of the passage's height
    char name[80];
};
// Are the walls of the section thick enough, and do the holes lie within it? *w: takes note of the thinnest wall.
int metal_section_check(const struct metal_section *s, const struct row *r, struct metal_wall *w);

// metal_follow.c
struct metal_reference {
    struct metal_section section;
    struct solid solid;   // zones and shares
    struct mesh mesh;     // with the wanted lengths (owned)
    struct shares shares; // (owned)
};
// *q is zero before. AN_DIVERGED: this section has no mesh, the error text says why.
int metal_reference_new(struct metal_reference *q, const struct row *r, const struct channel *c,
                        double f);
void metal_reference_free(struct metal_reference *q);
// Layer k of the blocks of a grid: the section `now` from the reference. smooth: it is smoothed like the reference.
int metal_layer(const struct metal_reference *q, const struct row *r, const struct channel *c,
                const struct metal_section *now, bool smooth, const struct grid *to, int k);

#endif

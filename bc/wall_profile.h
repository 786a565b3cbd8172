/* Temperature or heat flux over the surface of a wall, from a CSV file.
 *
 *     side,arc,T_K
 *     suction,0.02,612.4
 *     suction,0.05,608.1
 *     pressure,0.03,611.0
 *     ...
 *
 * Values are T_K, or heat_flux_W_m2 from the wall into the gas. A line stands at one of
 *
 *     x_m           coordinate along the machine's axis
 *     axial_chord   0 at the leading edge of the blade, 1 at its trailing edge
 *     arc           arc length from the leading edge over that of the whole side
 *     arc_m         arc length from the leading edge; both need a column side
 *
 * or at span (0 at the hub, 1 at the tip) or radius_m, or at a combination of one of the first and one of the second
 * group. With a column side each of `suction` and `pressure` has a table of its own. Lines come in any order; with two
 * coordinates each table has one line for each combination of the numbers that occur. Columns are separated and units
 * named as in profiles of inlets (profile.h).
 */
#ifndef AN_BC_WALL_PROFILE_H
#define AN_BC_WALL_PROFILE_H

#include "kernels/base/error.h"

enum an_wall_along { AN_ALONG_NOTHING, AN_ALONG_X, AN_ALONG_CHORD, AN_ALONG_ARC, AN_ALONG_LENGTH };
enum an_wall_across { AN_ACROSS_NOTHING, AN_ACROSS_SPAN, AN_ACROSS_RADIUS };
enum an_wall_side { AN_SIDE_SUCTION, AN_SIDE_PRESSURE, AN_NSIDE };

/* The table of one side. */
struct an_wall_table {
    int n[2];      /* numbers along and across, at least 1 each */
    double *at[2]; /* [n] rising; m or fractions; owned */
    double *value; /* [n[1]][n[0]] K or W/m2; owned */
    int *line;     /* [n[1]][n[0]] of the file, for messages; owned */
};

struct an_wall_profile {
    enum an_wall_along along;
    enum an_wall_across across;
    int heat_flux; /* 1: the values are heat fluxes into the gas, W/m2; 0: temperatures, K */
    int sided;     /* 1: both sides have a table; 0: the first table is that of the whole wall */
    struct an_wall_table side[AN_NSIDE];
};

/* AN_INPUT, naming file, line and column, where it cannot be used. Not collective. */
int an_wall_profile_read(const char *path, struct an_wall_profile *p);
void an_wall_profile_free(struct an_wall_profile *p);
/* "suction", "pressure". */
const char *an_wall_side_name(enum an_wall_side side);
/* Value at a place, linear between the points of the table of the side (without sides: any). Beyond its ends the table
 * has the values of its ends, and *outside becomes 1 there; else 0. */
double an_wall_profile_at(const struct an_wall_profile *p, enum an_wall_side side, double along,
                          double across, int *outside);

#endif

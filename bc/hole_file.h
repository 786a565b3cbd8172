/* Film-cooling holes of a wall, from a CSV file. A line is a hole, or with x2_m or more of the place's columns a row of them:
 *
 *     x_m,y_m,z_m,z2_m,pitch_m,diameter_m,alpha_deg,mass_flow_kg_s,T0_K
 *     0.1,0,0.005,0.095,0.01,0.002,30,1.2e-4,600
 *
 *     x_m, y_m, z_m          centre of the exit; the program moves it onto the wall
 *     x2_m, y2_m, z2_m       centre of the last hole of a row; what is left out is as in the first
 *     count, pitch_m         holes of the row, at least 2; or their distance, which is stretched to fit
 *     diameter_m             of the cylindrical part
 *     alpha_deg              angle between the axis of the hole and the wall, 5 to 90 (30)
 *     beta_deg               compound angle, about the wall's normal, from `along` (0)
 *     along_x, along_y, along_z  direction, whose part along the wall the jet follows where beta is 0 (1, 0, 0)
 *     mass_flow_kg_s         through each hole; or
 *     blowing_ratio          rho V of the jet, over the metering section, over that of the stream beside the hole; or
 *     p0_Pa                  total pressure of the supply; discharge: its discharge coefficient (0.75)
 *     T0_K                   total temperature relative to the wall
 *     lateral_deg, forward_deg   widening of a shaped exit: half angle to each side, full angle forwards (0)
 *     lateral_D, forward_D   length of this widening over the diameter (3)
 *
 * Columns are separated and units named as in profiles of inlets (profile.h). */
#ifndef AN_BC_HOLE_FILE_H
#define AN_BC_HOLE_FILE_H

#include "kernels/base/error.h"

/* How the mass flow of a hole is given. */
enum an_hole_flow { AN_HOLE_MASS, AN_HOLE_BLOWING, AN_HOLE_SUPPLY };

/* One hole. */
struct an_hole_given {
    double x[3];     /* m */
    double diameter; /* m */
    double alpha;    /* rad: 0 < alpha <= pi / 2 */
    double beta;     /* rad */
    double along[3]; /* - */
    enum an_hole_flow kind;
    double flow;                           /* kg/s, -, Pa */
    double discharge;                      /* - */
    double T0;                             /* K */
    double lateral, forward;               /* rad */
    double lateral_length, forward_length; /* over the diameter */
    int line;                              /* of the file */
    int number;                            /* in its row, from 1; 0: the line is one hole */
};

struct an_hole_list {
    int n;
    struct an_hole_given *hole; /* [n]; owned */
};

/* AN_INPUT, naming file, line and column, where the file cannot be used: a column is missing, a value cannot be, or two
 * holes of a row overlap. Not collective. */
int an_holes_read(const char *path, struct an_hole_list *list);
void an_holes_free(struct an_hole_list *list);

#endif

/* Sliding planes: the map of the two sides' faces that kernels/physics/slide.h reads.
 *
 * The caller lists the rings of both sides of all planes, from hub to casing, and all their faces.
 * The map has the angles of the edges, the order of the faces in their rings, and which rings of
 * the two sides overlap. It does not depend on the angle between the sides, nor on which rank holds
 * a face.
 *
 * Pure geometry: no solver, no MPI.
 */
#ifndef AN_BC_SLIDE_H
#define AN_BC_SLIDE_H

#include "kernels/base/error.h"
#include "kernels/physics/slide.h"

struct an_slide_plane {
    double sector[2]; /* rad: what each side covers; the same but with phase lag */
    int passages[2];  /* phase lag: as many of them are the same angle; below 2: no phase lag */
    int first[2];     /* ring of each side nearest to the hub */
    int n[2];         /* rings of each side */
};

/* The rings of a side follow each other without gaps from 0 to 1. Edges of the two sides that lie
 * closer than 1e-6 of the span are made equal. */
struct an_slide_ring {
    double low, high; /* part of the span, by area, 0 at the hub */
    double radius;    /* m */
};

struct an_slide_face {
    int ring;
    /* rad: lower and upper angle of the face, and of the middles of the first and the second cell
     * inside; within pi of each other */
    double edge[AN_SLIDE_NSET][2];
    double area[3]; /* m2: outward; axial, radial, tangential at the angle of the face */
};

struct an_slide_map {
    int64_t n;
    double *word; /* [n]; owned */
};

/* Number n of field SLIDE is that of face[n]. On failure *fault is the number of the faulty ring, or -1.
 * AN_INPUT: the faces of a ring do not cover the sector without gaps, or the rings not the span. */
int an_slide_map_new(int nplane, const struct an_slide_plane *plane, int nring,
                     const struct an_slide_ring *ring, int64_t nface,
                     const struct an_slide_face *face, struct an_slide_map *map, int *fault);
void an_slide_map_free(struct an_slide_map *map);

/* The smallest numbers of copies of two pitches that cover the same angle, within 1e-6: copies[0]
 * pitch[0] = copies[1] pitch[1]. 0: there is none that fits into a turn. */
int an_slide_copies(const double pitch[2], int copies[2]);

/* Angle, rad, by which side 0 has turned past side 1 after `steps` steps of dt seconds and `rest`
 * seconds more, from 0 to sector. rate: rad/s, of side 0 less that of side 1. Steps are counted as
 * integers, so the angle does not drift. */
double an_slide_turn(double rate, int64_t steps, double dt, double rest, double sector);

#endif

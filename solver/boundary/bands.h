/* Span bands: rings of boundary faces from hub to casing, and what passes each of them.
 *
 * A group is one boundary or several that lie on one surface of revolution about the x axis (the
 * outlet of a row, all its blocks). Its span runs along the straight line from its hub to its
 * casing in the (x, r) plane; the fraction of a point is where it stands along that line, 0 at the
 * hub.
 *
 * Where mesh lines of all patches follow the rings, each layer of faces between two of them is a
 * band, and `aligned` is 1. Elsewhere bands hold about equal numbers of faces, by the fraction of
 * their centres, as many as the largest patch has layers.
 *
 * Bands are found from the whole mesh, by every rank in the same way; sums are exact
 * (kernels/base/xsum.h): the same bits on any number of ranks, however a ring is cut.
 */
#ifndef AN_SOLVER_BANDS_H
#define AN_SOLVER_BANDS_H

#include "bc/boundary_value.h"
#include "io/mesh.h"
#include "kernels/engine/engine.h"

struct an_solver;

struct an_band_group {
    int first, n; /* its bands, hub first */
    int aligned;
    double hub[2], casing[2]; /* m: x, r of the ends of the span */
    double normal[2];         /* x, r: outward, of unit length, mean over the faces */
    double angle;             /* rad that the patches cover */
    double sectors; /* how often that goes into a turn: a whole number, or that of its zones
                     * (an_solver_sectors); 0: neither */
};

struct an_bands {
    int ngroup, n;               /* n: of all groups */
    struct an_band_group *group; /* [ngroup]; owned */
    double *lo, *hi;             /* [n] fractions of span; owned */
    double *radius;              /* [n] m: mean by area of the faces' centres; owned */
    double *area;                /* [n] m2; owned */

    /* the faces of this rank: strips of a band */
    int nwindow;
    struct an_face_window *window; /* [nwindow] `boundary`: the band; owned */
    int64_t nface;
    struct an_faces *faces; /* of the engine */
    void *frame;            /* engine memory: FRAME */
    struct an_xsum *sum;    /* [n][AN_NINTEGRAL] work, page-locked; owned */
};

/* group[mesh topology's nboundary]: the group of each boundary, 0 .. ngroup - 1, -1: none. Mesh
 * open. AN_INPUT, naming a boundary, where a group has no span. Not collective. *bands NULL after
 * errors. */
int an_bands_new(struct an_solver *s, int ngroup, const int *group, struct an_bands **bands);
void an_bands_destroy(struct an_solver *s, struct an_bands *b);
/* The axes and radii of the faces of this rank anew, after nodes of the mesh were moved; bands stay what they are. Not
 * collective. */
int an_bands_place(struct an_solver *s, struct an_bands *b);

/* Sums of boundary_integral for each band, in cylindrical components (AN_I_..., engine.h), of the
 * state and spectral radii as they are; one reduction. sum[n]. Collective. */
int an_bands_measure(struct an_solver *s, struct an_bands *b, double (*sum)[AN_NINTEGRAL]);
/* The same in two parts: the sums are those of the state at the first one, and the device may compute on in between. */
int an_bands_measure_start(struct an_solver *s, struct an_bands *b);
int an_bands_measure_finish(struct an_solver *s, struct an_bands *b, double (*sum)[AN_NINTEGRAL]);
/* Fraction of span of a point, m. */
double an_band_fraction(const struct an_band_group *g, const double x[3]);
/* The band of a group that holds a fraction of span; ends hold what lies beyond them. */
int an_band_of(const struct an_bands *b, int group, double fraction);

#endif

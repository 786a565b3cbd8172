/* The patches of the mesh that span bands are made of: used by bands.c and ring_waves_setup.c. Every rank finds the
 * bands of the whole mesh in the same way. Not collective. */
#ifndef AN_SOLVER_BAND_PATCHES_H
#define AN_SOLVER_BAND_PATCHES_H

#include "solver/boundary/bands.h"

/* A patch of a group, in cells of its zone. */
struct an_band_patch {
    struct an_window window;
    int group;
    double sectors; /* of its zone: an_solver_sectors */
    int na, nb;
    double *x;        /* [3][nb + 1][na + 1] m */
    double *fraction; /* [nb + 1][na + 1] */
    int along;        /* span runs along a (0) or b (1) */
    int *band;        /* [nb][na] of all groups */
};

struct an_band_patches {
    int n;
    struct an_band_patch *patch;
};

/* Lists the patches of all groups and finds their bands: span, edges, radii, areas and angles of the
 * groups, and the band of each face. bands->ngroup and group[ngroup] are there. AN_INPUT where a
 * group has no span. */
int an_band_patches_find(const struct an_solver *s, const int *group, struct an_bands *bands,
                         struct an_band_patches *list);
/* For a zeroed list, too. */
void an_band_patches_free(struct an_band_patches *list);
/* Centre of face (a, b) of a patch: the mean of its corners. */
void an_band_patch_centre(const struct an_band_patch *p, int a, int b, double x[3]);
/* Its area, m2; s: the area vector, which points along the patch's direction. */
double an_band_patch_area(const struct an_band_patch *p, int a, int b, double s[3]);

#endif

/* Where faces of the gas lie on the surface of a solid: the meshes of both sides need not match.
 *
 * Each face of the gas has sample points; each sample lies at the nearest point of the solid's surface, with the four
 * bilinear weights of the corners of a face there, which add up to 1. The temperature of the face is the mean of its samples,
 *
 *     T_f = sum_n P_fn T_n,       heat of unknown n = sum_f P_fn (heat of face f),
 *
 * so that the same heat leaves the one side and enters the other, whatever the meshes are (conservative interpolation;
 * Farhat, Lesoinne and Le Tallec 1998). A face has as many samples along each of its edges as facets of the solid fit
 * into that edge, four at most. */
#ifndef AN_SOLVER_SOLID_CONTACT_H
#define AN_SOLVER_SOLID_CONTACT_H

#include "solid/solid_mesh.h"
#include "solver/flow/wall_surface.h"

/* Corners of a face of the gas around it, m. */
struct an_gas_face {
    double corner[4][3];
};

struct an_solid_contact {
    int64_t nface;
    int64_t *first;   /* [nface + 1]; owned */
    int32_t *unknown; /* [first[nface]] of the solid; owned */
    double *weight;   /* [first[nface]]; owned */
    int32_t *surface; /* [first[nface] / 4] boundary of the solid that each sample lies on; owned */
    double distance;  /* m: largest of the samples from the surface of the solid */
    double edge;      /* m: longest edge of the face that this sample is on */
    int64_t farthest; /* the face that this sample is on */
};

/* face[nface] of the gas, on the faces of the boundaries of the solid that are marked: touches[m->nboundary]. image[nimage]:
 * the periods of the gas, the identity first. Not collective; AN_FAIL without memory. */
int an_solid_contact_new(const struct an_solid_mesh *m, const char *touches, int nimage,
                         const struct an_wall_image *image, int64_t nface,
                         const struct an_gas_face *face, struct an_solid_contact *c);
void an_solid_contact_free(struct an_solid_contact *c);
/* The temperature of face f from those of the unknowns. */
double an_solid_contact_mean(const struct an_solid_contact *c, int64_t f, const double *T);
/* Adds the heat of face f to that of the surfaces of the solid, by boundaries. */
void an_solid_contact_share(const struct an_solid_contact *c, int64_t f, double heat, double *to);
/* Adds the heat of face f to that of the unknowns. */
void an_solid_contact_add(const struct an_solid_contact *c, int64_t f, double heat, double *to);

#endif

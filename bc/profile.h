/* Spanwise profiles of total conditions at an inlet, from a CSV file.
 *
 *     # comment
 *     span,p0_Pa,T0_K,swirl_deg,pitch_deg,viscosity_ratio
 *     0.0,98000,288.1,0,0,10
 *     ...
 *
 * The first column wanted is `span` (0 at the hub, 1 at the casing) or `radius_m`; of the others
 * any may be left out, and the boundary's own values then stand. tan swirl = Vt / Vm, positive from
 * y to z; tan pitch = Vr / Vx; viscosity_ratio: nu tilde / nu of what flows in, at total
 * conditions. Lines in rising order; between them values are linear.
 */
#ifndef AN_BC_PROFILE_H
#define AN_BC_PROFILE_H

#include "kernels/base/error.h"

enum an_profile_column {
    AN_PROFILE_P0,
    AN_PROFILE_T0,
    AN_PROFILE_SWIRL,
    AN_PROFILE_PITCH,
    AN_PROFILE_VISCOSITY,
    AN_NPROFILE
};

struct an_profile {
    int n;
    int by_radius;                /* 1: `at` is a radius in m, 0: a fraction of the span */
    double *at;                   /* [n] rising; owned */
    int has[AN_NPROFILE];         /* 1: the file has that column */
    double (*value)[AN_NPROFILE]; /* [n] Pa, K, degrees, degrees, -; owned */
};

/* AN_INPUT, naming file and line, when it cannot be used. Not collective. */
int an_profile_read(const char *path, struct an_profile *p);
void an_profile_free(struct an_profile *p);
/* Values at a place within the profile, which must hold it. */
void an_profile_at(const struct an_profile *p, double at, double value[AN_NPROFILE]);
/* Unit vector of a flow with swirl and pitch (degrees) at the point (y, z). */
void an_profile_direction(double swirl, double pitch, double y, double z, double d[3]);

#endif

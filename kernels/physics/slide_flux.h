/* Sliding planes: states and fluxes in the axes of the block (slide.h has the geometry). Point physics:
 * values in, values out. */
#ifndef AN_SLIDE_FLUX_H
#define AN_SLIDE_FLUX_H

#include "kernels/physics/fields.h"
#include "kernels/physics/slide.h"

/* Faces of a ring whose mean state its correction uses. */
enum { AN_SLIDE_SAMPLES = 8 };

/* Words that a face of a phase-lagged plane keeps series of: 14 of SLIDE, 8 of SLIDE_FLUX; and what it
 * is given (lag_slide.stencil). */
enum {
    AN_SLIDE_SERIES = AN_NCOMP_SLIDE + AN_NCOMP_SLIDE_FLUX,
    AN_SLIDE_LAGGED = AN_NCOMP_LAG_GIVEN
};

#ifdef AN_PRECISION
#include "kernels/physics/gas.h"

/* The conserved state of rho, velocity (axial, radial, tangential at the angle of this cosine and
 * sine), p. */
AN_INLINE struct AN_FN(an_five) AN_FN(an_slide_state)(const double q[5], double cosine, double sine,
                                                      const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_conserved)((real)q[0], (real)q[1], (real)(q[2] * cosine - q[3] * sine),
                               (real)(q[2] * sine + q[3] * cosine), (real)q[4], prm);
}

/* What the residual of the cell inside a face changes by, if its flux becomes the mean of its own and
 * of the other side's (slide_correct.stencil). own, other: words of SLIDE_FLUX; state: mean state of the
 * ring, rho, velocity (axial, radial, tangential), p. */
AN_INLINE void AN_FN(an_slide_change)(const double *map, int64_t face, const double *own,
                                      const double *other, const double state[5],
                                      double cartesian[5], const struct AN_FN(an_prm) * prm)
{
    const double *record = map + (int64_t)map[0] + AN_SLIDE_FACE * face;
    const double *ring = map + (int64_t)map[1] + AN_SLIDE_RING * (int64_t)record[AN_SLIDE_IN_RING];
    const double *e = map + (int64_t)ring[AN_SLIDE_EDGES] + (int64_t)record[AN_SLIDE_PLACE];
    const double share = (e[1] - e[0]) / ring[AN_SLIDE_SECTOR];
    const double cosine = record[AN_SLIDE_FRAME], sine = record[AN_SLIDE_FRAME + 1];
    const double radius = ring[AN_SLIDE_RADIUS];
    const double extent = an_slide_extent(map, face);
    double s[3], change[5];
    const struct AN_FN(an_five) mean = AN_FN(an_conserved)(
        (real)state[0], (real)state[1], (real)state[2], (real)state[3], (real)state[4], prm);
    for (int c = 0; c < 3; c++)
        s[c] = 0.5 * (extent * (own[5 + c] + other[5 + c]) - share * ring[AN_SLIDE_MISFIT + c]);
    const double through = state[1] * s[0] + state[2] * s[1] + state[3] * s[2];
    const double p = state[4] - (double)prm->flux.p_ref;
    change[0] = (double)mean.m * through;
    change[1] = (double)mean.x * through + p * s[0];
    change[2] = (double)mean.y * through + p * s[1];
    change[3] = radius * ((double)mean.z * through + p * s[2]);
    change[4] = ((double)mean.e + state[4]) * through;
    for (int w = 0; w < 5; w++)
        change[w] -= 0.5 * extent * (own[w] + other[w]);
    const double tangential = radius > 0 ? change[3] / radius : 0;
    cartesian[0] = change[0];
    cartesian[1] = change[1];
    cartesian[2] = change[2] * cosine - tangential * sine;
    cartesian[3] = change[2] * sine + tangential * cosine;
    cartesian[4] = change[4];
}
#endif

#endif

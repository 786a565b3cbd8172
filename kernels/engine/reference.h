/* The parameters with which stencils are tested, measured and tuned: air, a RANS march, every
 * option of the kernels that has a value. Whoever wants another value changes it in the copy. */
#ifndef AN_REFERENCE_H
#define AN_REFERENCE_H

#include "kernels/engine/engine.h"
#include "kernels/physics/fields.h"

AN_EXTERN_C_BEGIN

struct an_params an_params_reference(void);

/* Boundaries with the same purpose: every type whose values do not vary from face to face, and
 * viscous walls with each kind of heat. */
enum { AN_REFERENCE_BOUNDARIES = 10 };
void an_boundaries_reference(struct an_bc_value value[AN_REFERENCE_BOUNDARIES]);

/* The map of a sliding plane (kernels/physics/slide.h) with the same purpose: even faces are a ring
 * of one side, odd ones of the other. Returns the number of words; map NULL: nothing is written.
 * nface >= 4. */
int64_t an_slide_reference(int64_t nface, double *map);

/* The series of a phase-lagged plane of as many faces (kernels/physics/slide_flux.h), and tables, with the
 * number of harmonics of an_params_reference. The same of `table`, of AN_LAG_TABLE_REFERENCE words. */
enum { AN_LAG_TABLE_REFERENCE = 96 };
int64_t an_lag_reference(int64_t nface, double *series, double *table);

AN_EXTERN_C_END
#endif

/* The parameters with which stencils are tested, measured and tuned: air, a RANS march, every option
 * of the kernels that has a value. Whoever wants another value changes it in the copy. */
#ifndef AN_REFERENCE_H
#define AN_REFERENCE_H

#include "kernels/physics/fields.h"

AN_EXTERN_C_BEGIN

struct an_params an_params_reference(void);

AN_EXTERN_C_END
#endif

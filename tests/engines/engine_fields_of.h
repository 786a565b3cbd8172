/* The fields of one stencil (AN_STENCIL) as an array; for engine_fields.c. */
#include AN_STENCIL

#define FIELD(role, field) {AN_CAT(ROLE_, role), AN_CAT(AN_F_, field)},
static const struct stencil_field AN_CAT(fields_of_,
                                         AN_STENCIL_NAME)[] = {AN_FIELDS(FIELD){ROLE_END, 0}};
#undef FIELD
#include "kernels/stencils/stencil_end.h"

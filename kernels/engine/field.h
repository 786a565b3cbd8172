/* What the list of fields (fields.h) says of one field. */
#ifndef AN_FIELD_H
#define AN_FIELD_H

#include "kernels/physics/fields.h"

AN_EXTERN_C_BEGIN

int an_field_components(enum an_field field);
/* The precision of its words, which is that of the run except where the list says double. */
enum an_precision an_field_precision(enum an_field field, enum an_precision run);

AN_EXTERN_C_END
#endif

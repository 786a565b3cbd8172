/* The kind and the fields of every stencil, as its definition says them. */
#ifndef ENGINE_FIELDS_H
#define ENGINE_FIELDS_H

#include "kernels/engine/engine.h"

enum stencil_kind { KIND_CELL, KIND_DIRECTIONAL, KIND_FACE, KIND_LINE };
enum field_role { ROLE_IN, ROLE_NEAR, ROLE_OUT, ROLE_INOUT, ROLE_END };

struct stencil_field {
    enum field_role role;
    int field; /* enum an_field */
};

struct stencil_account {
    enum stencil_kind kind;
    const struct stencil_field *field; /* ends with ROLE_END */
};

extern const struct stencil_account stencil_account[AN_NSTENCIL];

/* Does the stencil read fields of another multigrid level? */
int stencil_reads_other(enum an_stencil s);

#endif

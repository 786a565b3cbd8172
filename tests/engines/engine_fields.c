#define AN_PRECISION 64
#define AN_EOS_ALWAYS
#include "tests/engines/engine_fields.h"

#include "kernels/physics/gas.h"

#define AN_TEMPLATE_CELL        "tests/engines/engine_fields_of.h"
#define AN_TEMPLATE_DIRECTIONAL "tests/engines/engine_fields_of.h"
#define AN_TEMPLATE_FACE        "tests/engines/engine_fields_of.h"
#define AN_TEMPLATE_LINE        "tests/engines/engine_fields_of.h"
#include "kernels/stencils/stencils.h"

const struct stencil_account stencil_account[AN_NSTENCIL] = {
#define CELL(name)        {KIND_CELL, fields_of_##name},
#define DIRECTIONAL(name) {KIND_DIRECTIONAL, fields_of_##name},
#define FACE(name)        {KIND_FACE, fields_of_##name},
#define LINE(name)        {KIND_LINE, fields_of_##name},
    AN_STENCIL_LIST(CELL, DIRECTIONAL, FACE, LINE)};

int stencil_reads_other(enum an_stencil s)
{
    for (const struct stencil_field *f = stencil_account[s].field; f->role != ROLE_END; f++)
        if (f->field == AN_F_OW || f->field == AN_F_OVOL || f->field == AN_F_OS ||
            f->field == AN_F_OG || f->field == AN_F_O1)
            return 1;
    return 0;
}

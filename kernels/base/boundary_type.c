#include "kernels/base/boundary_type.h"

#include <string.h>

static const struct {
    const char *name, *cgns, *help;
    int flags;
} types[AN_BC_NTYPE] = {
#define AN_B(type, name, flags, cgns, help) {name, cgns, help, flags},
    AN_BC_LIST(AN_B)
#undef AN_B
};

static int is_type(enum an_bc_type type)
{
    return (int)type >= 0 && (int)type < AN_BC_NTYPE;
}

const char *an_bc_type_name(enum an_bc_type type)
{
    return is_type(type) ? types[type].name : "?";
}

enum an_bc_type an_bc_type_from_name(const char *name)
{
    for (int t = 0; t < AN_BC_NTYPE; t++)
        if (strcmp(types[t].name, name) == 0)
            return (enum an_bc_type)t;
    return AN_BC_NONE;
}

const char *an_bc_type_help(enum an_bc_type type)
{
    return is_type(type) ? types[type].help : "";
}

const char *an_bc_type_cgns(enum an_bc_type type)
{
    return is_type(type) ? types[type].cgns : "";
}

int an_bc_type_has(enum an_bc_type type, enum an_bc_flag flag)
{
    return is_type(type) && (types[type].flags & (int)flag) != 0;
}

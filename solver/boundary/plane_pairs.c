#include "solver/boundary/plane_pairs.h"

#include <stdio.h>
#include <string.h>

static int is_plane(int type)
{
    return type == AN_BC_MIXING_PLANE || type == AN_BC_SLIDING_PLANE || type == AN_BC_ABUTTING;
}

/* "mixing plane" */
static const char *words_of(int type)
{
    return type == AN_BC_MIXING_PLANE    ? "mixing plane"
           : type == AN_BC_SLIDING_PLANE ? "sliding plane"
                                         : "abutting interface";
}

/* What a side calls its other side: the case, else the mesh. */
static const char *other_side(const struct an_case *c, const struct an_topology *t, int b)
{
    const struct an_case_boundary *mine = an_case_boundary_find(c, t->boundary[b].name);
    return mine ? mine->with : t->boundary[b].with;
}

int an_plane_partner(const struct an_case *c, const struct an_topology *t, int boundary)
{
    return an_boundary_find(t, other_side(c, t, boundary));
}

void an_plane_pairs(const struct an_case *c, const struct an_topology *t,
                    const struct an_bc_value *value, struct an_diag *diag)
{
    for (int b = 0; b < t->nboundary; b++) {
        const struct an_case_boundary *mine = an_case_boundary_find(c, t->boundary[b].name);
        const int type = value[b].type;
        const char *words = words_of(type), *name = t->boundary[b].name;
        if (!is_plane(type))
            continue;
        const char *with = other_side(c, t, b);
        const int other = an_boundary_find(t, with);
        const char *where = mine ? an_case_at(c, mine->line) : c->file;
        if (other < 0)
            an_diag_error(diag, where, "%s '%s': its other side '%s' is no boundary of the mesh",
                          words, name, with);
        else if (other == b && type == AN_BC_ABUTTING)
            continue; /* a zone that touches itself */
        else if (other == b)
            an_diag_error(diag, where, "%s '%s' has itself as its other side", words, name);
        else if (value[other].type != type)
            an_diag_error(diag, where,
                          "%s '%s': its other side '%s' is %s: a %s needs two sides of type %s",
                          words, name, with, an_bc_type_name((enum an_bc_type)value[other].type),
                          words, an_bc_type_name((enum an_bc_type)type));
        else if (an_plane_partner(c, t, other) != b)
            an_diag_error(diag, where, "%s '%s' has '%s' as its other side, which has '%s'", words,
                          name, with, other_side(c, t, other));
    }
}

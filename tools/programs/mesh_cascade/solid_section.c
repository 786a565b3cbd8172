// The solid of a profile: from the list of holes to smoothed zones.
#include "solid.h"

int solid_section(struct solid *s, struct mesh *m, struct shares *c, const struct profile *p,
                  const struct holes *h, const struct solid_cells *cells)
{
    *m = (struct mesh){.hold = true};
    *s = (struct solid){.m = m, .c = c, .h = h, .size = cells->size, .turn = cells->turn};
    int rc = shares_find(c, p, h);
    rc = rc ? rc : solid_count(s);
    rc = rc ? rc : solid_zones(s);
    if (rc)
        return rc;
    solid_link_cuts(s);
    solid_patch_arcs(s);
    return solid_smooth(s);
}

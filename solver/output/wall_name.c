#include "solver/output/wall_name.h"

#include "io/surface.h"
#include "solver/monitor/walls.h"

#include <stdio.h>
#include <string.h>

void an_wall_name(const struct an_topology *t, const struct an_surface *before, int n,
                  const struct an_wall_patch *p, struct an_surface *s)
{
    char whole[2 * AN_NAME];
    snprintf(s->family, sizeof s->family, "%s", t->boundary[p->boundary].name);
    snprintf(whole, sizeof whole, "%s.%s", s->family, t->block[p->zone].name);
    snprintf(s->name, sizeof s->name, "%.32s", whole);
    int taken = strlen(whole) >= AN_NAME;
    for (int m = 0; m < n; m++)
        taken |= !strcmp(before[m].name, s->name);
    if (taken)
        snprintf(s->name, sizeof s->name, "%.20s#%d", whole, n + 1);
}

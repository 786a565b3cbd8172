#include "solver/march/stall.h"

#include <math.h>

/* Parts of its mass flow that a row which stalls has lost at fixed pressures: while the mass flow still
 * falls, over the lines of the record and since the start; at rest, since the start. */
#define AN_STALLS_FALLS 0.1
#define AN_STALLS_LOST  0.4
/* Rows that have come to rest in stall recirculate, and most of their work is lost. */
#define AN_STALLS_EFFICIENCY 0.75

int an_stall_falls(const struct an_motion *m, const struct an_stall_end *end)
{
    return end->settled < 0 && m->fell > AN_STALLS_FALLS &&
           (m->lost > AN_STALLS_FALLS || (isnan(m->lost) && !end->starts));
}

int an_stall_holds(const struct an_motion *m, const struct an_stall_end *end)
{
    const int well = end->settled > 0 && end->efficiency >= AN_STALLS_EFFICIENCY;
    return an_stall_falls(m, end) || (m->lost > AN_STALLS_LOST && !well);
}

/* Does a row that does work on the gas stall, because its back pressure is higher than it can reach? Told from
 * its mass flow at the end of a steady run (settling.h). Pure arithmetic. */
#ifndef AN_SOLVER_STALL_H
#define AN_SOLVER_STALL_H

#include "solver/march/settling.h"

struct an_stall_end {
    int settled; /* 1: the flow has settled, -1: it has not */
    int starts; /* 1: what the mass flow has lost is unknown because the march has just started, or goes
                  * on with other keys, and its mass flow may fall for that */
    double efficiency; /* of the machine, NaN: none */
};

/* Does the mass flow still fall, over the lines of the record and since the start? */
int an_stall_falls(const struct an_motion *m, const struct an_stall_end *end);

/* Does it fall, or has it come to rest far below its largest value since the start? A settled flow of a good
 * efficiency does not stall: a start far from the flow may have passed more for a while. */
int an_stall_holds(const struct an_motion *m, const struct an_stall_end *end);

#endif

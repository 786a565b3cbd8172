/* Dissipation at low Mach numbers. */
#ifndef AN_LOW_MACH_H
#define AN_LOW_MACH_H

#include "kernels/physics/gas.h"

/* Low Mach numbers (scheme.low_mach): the part of the velocity jumps' dissipation that is kept. With
 * all of it, jumps of the velocity are damped by the speed of sound, however slow the flow, and the
 * error grows as 1 / M; jumps of the pressure keep theirs (Rieper, JCP 230, 2011). prm->low_mach is the
 * square of a speed of the flow: near walls and stagnation points the speed does not fall below it.
 * From Mach number 1/3 on nothing changes; below it the dissipation relative to the flow is that at
 * this Mach number. */
AN_INLINE real AN_FN(an_low_mach_part)(real speed2, real c2, const struct AN_FN(an_prm) * prm)
{
    return AN_MIN(AN_R(1.0), AN_R(3.0) * AN_SQRT(AN_MAX(speed2, prm->low_mach) / c2));
}

#endif

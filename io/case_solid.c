/* The metal of a solid. */
#include "io/case.h"
#include "kernels/physics/metal.h"

int an_case_metal(const struct an_case_solid *q, struct an_metal *m)
{
    const int range = q->T_range.n == 2;
    if (*q->metal)
        return an_metal_named(q->metal, m) ? AN_OK : AN_INPUT;
    return an_metal_powers(q->conductivity.n, q->conductivity.x, range ? q->T_range.x[0] : 250,
                           range ? q->T_range.x[1] : 1500, m);
}

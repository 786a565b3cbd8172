#include "bc/hole_jet.h"

#include <math.h>
/* Chosen on half of the measured figures of cases/film; the others show them. */
#define RISE   0.65
#define SPREAD 0.25
#define MOST   2.5 /* y_c over h */

struct an_hole_exit an_hole_exit_of(const struct an_hole_given *hole)
{
    const double D = hole->diameter,
                 width = D * (1 + 2 * hole->lateral_length * tan(hole->lateral)),
                 height = D * (1 + hole->forward_length * tan(hole->forward));
    struct an_hole_exit e = {.metering = acos(-1.0) / 4 * D * D,
                             .half = {0.5 * height / sin(hole->alpha), 0.5 * width},
                             .height = height};
    e.area = e.metering + (width - D) * D + (height - D) * width;
    return e;
}

struct an_hole_height an_hole_height_of(const struct an_hole_given *hole, double momentum_ratio)
{
    const double h = an_hole_exit_of(hole).height;
    const double rise = RISE * sqrt(fmax(momentum_ratio, 0));
    return (struct an_hole_height){.centre = fmin(rise, MOST) * h, .spread = SPREAD * h};
}

double an_hole_k(const struct an_hole_given *hole, double V)
{
    const double normal = V * sin(hole->alpha);
    return normal * normal;
}

double an_hole_nut(const struct an_hole_given *hole, double V)
{
    const double LENGTH = 0.1; /* over the diameter */
    return LENGTH * V * sin(hole->alpha) * hole->diameter;
}

/* Part below the height y. */
static double below(const struct an_hole_height *h, double y)
{
    const double scale = 1 / (sqrt(2.0) * h->spread);
    return 0.5 * (erf((y - h->centre) * scale) + erf((y + h->centre) * scale));
}

double an_hole_between(const struct an_hole_height *h, double low, double high)
{
    return below(h, high) - below(h, low);
}

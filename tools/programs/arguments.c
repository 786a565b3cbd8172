#include "tools/programs/arguments.h"

#include <math.h>
#include <stdlib.h>

double argument_number(struct argp_state *state, const char *arg, const char *name, double lo,
                       double hi)
{
    char *end;
    const double v = strtod(arg, &end);
    if (end == arg || *end || !(v >= lo && v <= hi))
        argp_error(state, "--%s=%s: expected a number from %g to %g", name, arg, lo, hi);
    return v;
}

int argument_whole(struct argp_state *state, const char *arg, const char *name, int lo, int hi)
{
    const double v = argument_number(state, arg, name, lo, hi);
    if (v != floor(v))
        argp_error(state, "--%s=%s: expected a whole number", name, arg);
    return (int)v;
}

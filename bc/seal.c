#include "bc/seal.h"

#include <math.h>

double an_seal_critical(int fins)
{
    double lo = 0, hi = 1; /* 2 x^2 (n - ln x) - 1 + x^2 rises from -1 to 2 n */
    for (int n = 0; n < 60; n++) {
        const double x = 0.5 * (lo + hi);
        *(2 * x * x * (fins - log(x)) - 1 + x * x < 0 ? &lo : &hi) = x;
    }
    return 0.5 * (lo + hi);
}

double an_seal_flow(double p0, double T0, double p, double R, double area, int fins, int *choked)
{
    const double critical = an_seal_critical(fins);
    *choked = 0;
    if (!(p < p0 && p0 > 0 && T0 > 0))
        return 0;
    *choked = p < critical * p0;
    const double x = fmax(p / p0, critical);
    return area * p0 / sqrt(R * T0) * sqrt((1 - x * x) / (fins - log(x)));
}

/* Does a series of evenly spaced values swing? Its line of least squares is taken off, and the period
 * is the shift at which the rest resembles itself most: the autocorrelation
 *
 *     r(k) = sum x_i x_(i+k) / sqrt(sum x_i^2 sum x_(i+k)^2),     i = 0 .. n-k-1
 *
 * has a maximum of AN_SWING_ALIKE or more behind the first shift at which it falls below zero, at
 * shifts of which two fit into the series. Several lengths of the end of the series are tried, because
 * its beginning may belong to the start of the flow; the longest of those that are about as good
 * counts. */
#ifndef AN_SOLVER_SWING_H
#define AN_SOLVER_SWING_H

#define AN_SWING_ALIKE 0.7
enum { AN_SWING_LEAST = 16 }; /* values that a period is looked for in */

struct an_swing {
    double period;          /* in steps of the series; 0: it does not swing */
    double alike;           /* the autocorrelation there */
    double mean, amplitude; /* of the last whole period: mean; half of largest less least value */
};

struct an_swing an_swing_find(int n, const double *value);
/* Mean and amplitude over the last period of another series of the same steps. */
void an_swing_size(int n, const double *value, double period, double *mean, double *amplitude);

#endif

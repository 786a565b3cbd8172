/* Do series of evenly spaced values swing, and with which period?
 *
 *     period .... the line of least squares is taken off each series, and the period is the shift at
 *                 which the rest resembles itself most. The autocorrelation, averaged over the series,
 *
 *                     r(k) = sum x_i x_(i+k) / sqrt(sum x_i^2 sum x_(i+k)^2),     i = 0 .. n-k-1
 *
 *                 has a maximum of AN_SWING_ALIKE or more behind the first shift at which it falls
 *                 below zero, at shifts of which two fit into the series. Several lengths of the end
 *                 of the series are tried, because its beginning may belong to the start of the
 *                 flow; the longest of those that are about as good counts
 *     repeats ... the last two periods of a series are alike: their means differ by at most
 *                 AN_SWING_SHIFT of their range, and the larger range is at most AN_SWING_VARIES times
 *                 the smaller one. No earlier period of the series has a range that differs from that of
 *                 the last one by more than a factor of AN_SWING_GROWS
 *     stays ..... a series swings with or without a period, but neither drifts nor grows: the means of
 *                 its three thirds lie within AN_SWING_DRIFT of their mean range, the largest range of
 *                 a third is at most AN_SWING_GROWS times the smallest, and the series crosses its
 *                 mean AN_SWING_CROSSES times. (The means of a straight line lie twice the
 *                 range of a third apart.)
 */
#ifndef AN_SOLVER_SWING_H
#define AN_SOLVER_SWING_H

#define AN_SWING_ALIKE  0.7
#define AN_SWING_SHIFT  0.25
#define AN_SWING_VARIES 1.3
#define AN_SWING_DRIFT  0.5
#define AN_SWING_GROWS  2.5
enum {
    AN_SWING_LEAST = 16,  /* values that a period is looked for in */
    AN_SWING_LEAST3 = 24, /* values that are told to stay */
    AN_SWING_CROSSES = 6
};

struct an_swing {
    double period;          /* in steps of the series; 0: there is none */
    double alike;           /* the autocorrelation there */
    double mean, amplitude; /* of the last whole period: mean; half of largest less least value */
};

/* One series. A value that is not finite: no swing. */
struct an_swing an_swing_find(int n, const double *value);
/* The period that `count` series have in common, value[count][n], with mean and amplitude of the
 * first one. */
struct an_swing an_swing_common(int count, int n, const double *const *value);
/* Mean and amplitude over the last period of another series of the same steps. */
void an_swing_size(int n, const double *value, double period, double *mean, double *amplitude);
int an_swing_repeats(int n, const double *value, double period);
/* n < AN_SWING_LEAST3: 0. */
int an_swing_stays(int n, const double *value);

#endif

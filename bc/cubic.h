/* Smooth curves through given points: cubic pieces with continuous first derivatives.
 *
 * The slopes at the points are those of the cubic spline, whose second derivative is continuous too:
 *
 *     h+ m- + 2 (h- + h+) m + h- m+ = 3 (h+ d- + h- d+),   h: spacings, d: differences over them
 *
 * with zero second derivatives at the ends, or periodic. Then they are bounded (Hyman, "Accurate
 * monotonicity preserving cubic interpolation", SIAM J. Sci. Stat. Comput. 4, 1983, pp. 645-654):
 * |m| <= 3 min(|d-|, |d+|), and m has the sign of d- and d+ where these agree. So the curve rises where
 * the points rise, and stays constant between equal points beside a jump; smooth data keep the fourth
 * order of the spline.
 *
 * Pure numerics: no solver, no files.
 */
#ifndef AN_BC_CUBIC_H
#define AN_BC_CUBIC_H

/* Slopes of n >= 2 points at rising places at[n]; values and slopes lie `stride` numbers apart. periodic:
 * the last point repeats the first, one period on; n is at least 4 then. work[5 n]. */
void an_cubic_slopes(int n, const double *at, int periodic, int stride, const double *value,
                     double *slope, double *work);
/* The value between two points h apart, at the part 0 <= x <= 1 of the way; m: slopes. */
double an_cubic_at(double h, double x, double v0, double v1, double m0, double m1);
/* The interval of at[n] that holds x: 0 .. n - 2. Ends hold what lies beyond them. */
int an_cubic_interval(int n, const double *at, double x);

#endif

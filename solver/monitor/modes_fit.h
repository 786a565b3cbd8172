/* Amplitudes of given frequencies by least squares, from sums over states in time.
 *
 *   x minimises sum over states n of w_n (p_n - x_0 - sum_k (x_2k-1 cos 2 pi f_k t_n + x_2k sin 2 pi f_k t_n))^2
 *
 * so that A x = b, b: sums of w p, w p cos, w p sin, ...; A: sums of w times products of 1, cos, sin, ...
 * Times are kept as segments of even steps; the weight w is the step. Not collective. */
#ifndef AN_SOLVER_MODES_FIT_H
#define AN_SOLVER_MODES_FIT_H

#include "io/case.h"

enum { AN_MODE_SEGMENTS = 32, AN_MODE_UNKNOWNS = 1 + 2 * AN_MOST_MODES };

struct an_mode_segment {
    double first, step, count; /* s, s */
};
struct an_mode_times {
    int n;
    struct an_mode_segment segment[AN_MODE_SEGMENTS];
};

/* Adds a state at `time`; it begins a segment if it does not follow on the last state by `step`. 0: there is no
 * room for one more. */
int an_mode_times_add(struct an_mode_times *t, double time, double step);
/* s in all; the number of states goes to *states unless it is NULL. */
double an_mode_times_total(const struct an_mode_times *t, double *states);
/* Time that tells n frequencies, Hz, apart from each other and from the mean. */
double an_mode_time_needed(int n, const double *hz);
/* A of n frequencies as Cholesky's factor, a[i][j], j <= i. 0: the times do not tell them apart. */
int an_mode_matrix(const struct an_mode_times *t, int n, const double *hz,
                   double a[AN_MODE_UNKNOWNS][AN_MODE_UNKNOWNS]);
/* x[1 + 2 n] holds b, then x. */
void an_mode_solve(int n, double a[AN_MODE_UNKNOWNS][AN_MODE_UNKNOWNS], double x[AN_MODE_UNKNOWNS]);

#endif

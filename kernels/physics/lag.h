/* Phase lag: values of a row of one passage at another time, from their Fourier series.
 *
 * Two rows of unlike pitch turn past each other. To each row, the other one is a disturbance that
 * returns after the angle P' of the other row's pitch. psi is the angle by which the other row has
 * turned past this one, and P the pitch of this row. The next passage but m then has the same flow
 * as this one at another angle (Erdos, Alzner, McNally 1977):
 *
 *      q(theta + m P, psi) = q(theta, psi - m P),     q(theta, psi + P') = q(theta, psi)
 *
 * so the flow of all passages follows from one, and from its series in the angle
 *
 *      F(psi) = A_0 + sum over k of  A_k cos(k a) + B_k sin(k a),     a = 2 pi psi / P'
 *
 * Each time step, N of them in a period, corrects the series by what it misses of the new value q
 * (shape correction: He 1990, Gerolymos 2002):
 *
 *      A_0 += g (q - F)/N,   A_k += 2 g_k/N (q - F) cos(k a),   B_k += 2 g_k/N (q - F) sin(k a)
 *
 *      g_k = g (1 - k^2/(K + 1)^2)
 *
 * with g below 1 (solver/boundary/phase_lag.c says why g falls with k).
 *
 * If q has no other frequencies, and K < N/2, the series converges to q: cosines and sines of a
 * period are orthogonal over its N steps. What it misses, and the size of the signal, are kept as running
 * means of (q - F)^2 and (q - A_0)^2 with weight g/N.
 *
 * A series is AN_LAG_MORE + 2 K doubles: A_0, A_1 .. A_K, B_1 .. B_K, then the two means of squares. A
 * table of K harmonics has cos(a), .. cos(K a), sin(a), .. sin(K a). The table of the present angle
 * has the weights g/N and 2 g/N behind them.
 *
 * Point physics: values in, values out; in double whatever the precision of the run.
 */
#ifndef AN_LAG_H
#define AN_LAG_H

#include "kernels/base/portable.h"

enum { AN_LAG_MORE = 3 };

AN_INLINE int an_lag_length(int harmonics)
{
    return AN_LAG_MORE + 2 * harmonics;
}

/* The sum of a series of K harmonics at the angle of a table. */
AN_INLINE double an_lag_value(const double *series, const double *table, int harmonics)
{
    double sum = series[0];
    for (int k = 0; k < 2 * harmonics; k++)
        sum += series[1 + k] * table[k];
    return sum;
}

/* Word k of a series after its correction by the present value q, of which the series misses
 * `missed`, by the table of the present angle. known: 0: it begins with this value. */
AN_INLINE double an_lag_corrected(const double *series, const double *table, int harmonics,
                                  int known, double q, double missed, int k)
{
    const double mean = table[2 * harmonics], part = table[2 * harmonics + 1];
    const double order = (double)(k <= harmonics ? k : k - harmonics) / (harmonics + 1);
    const double square =
        k == 2 * harmonics + 1 ? missed * missed : (q - series[0]) * (q - series[0]);
    if (!known)
        return k ? 0 : q;
    return series[k] + (k == 0               ? mean * missed
                        : k <= 2 * harmonics ? part * (1 - order * order) * missed * table[k - 1]
                                             : mean * (square - series[k]));
}

#endif

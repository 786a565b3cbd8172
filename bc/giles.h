/* Two-dimensional non-reflecting conditions for one harmonic around the axis.
 *
 *        mean flow u, v          n: through the boundary, downstream;  t: around the axis
 *      ------------------> |     v: relative to the frame in which the pattern is looked at
 *                          |
 *
 * Differences from the mean around the axis, at one band of the span, are waves in pascals:
 *
 *   c1 = p' - c^2 rho'   entropy          c4 = p' + rho c u'   sound that runs downstream
 *   c2 = rho c v'        vorticity        c5 = p' - rho c u'   sound that runs upstream
 *
 * and each is a sum over harmonics, 2 Re(c^ exp(i l phi)), l = 1, 2, ...; k = l d(phi)/d(t) > 0 is the
 * wave number, 1/m. Where the flow leaves (outflow), c5 enters the mesh and depends on c2 and c4; where
 * it enters (inflow), c1 = 0, c2 and c4 enter and depend on c5. With M = u/c, N = v/c and
 *
 *   S = sqrt(1 - (1 - M^2) lambda^2),  lambda = c k / (omega - v k)    for what varies as exp(-i omega t)
 *
 * the linearised Euler equations let no wave come in exactly where
 *
 *   outflow   c5 = 2 M lambda / (1 + S) c2 + (1 - S) / (1 + S) c4
 *   inflow    c2 = (1 - M) lambda / (1 + S) c5,    c4 = (1 - M) lambda / (1 + S) c2
 *
 * Steady (omega = 0; Giles 1990, Saxer and Giles 1993), with the beta that lets nothing grow inwards:
 *
 *   outflow   c5 = 2 M / (beta - N) c2 - (beta + N) / (beta - N) c4
 *   inflow    c2 = -(beta + N) / (1 + M) c5,       c4 = ((beta + N) / (1 + M))^2 c5
 *   beta = i sqrt(1 - M^2 - N^2);  where M^2 + N^2 > 1: beta = -sign(N) sqrt(M^2 + N^2 - 1)
 *
 * Unsteady: 1 + S = 2 + (K / s)^2 / (1 + S), where s = -i (omega - v k) stands for D = d/dt + i k v and
 * K = k sqrt(c^2 - u^2). As a continued fraction with a last part 2 + K / s, which is right for fast and
 * for slow waves, this becomes a chain of equations for each harmonic:
 *
 *   outflow   D c5 = -i k u c2 - K/2 w1,           D w1 = K/2 (c4 + c5 - w2)
 *   inflow    D c2 = -i k ((c - u)/2 c5 + (c + u)/2 c4)
 *             D c4 = -i k (c - u)/2 c2 - K/2 w1,   D w1 = K/2 (c4 - w2)
 *   both      D wj = K/2 (w(j-1) - w(j+1)),        D wn = K/2 (w(n-1) - wn)
 *
 * Without the chain (w = 0) these are the conditions that Giles derived from a series in lambda. The
 * trapezoidal rule advances the chain in time; no step is too large for it.
 */
#ifndef AN_BC_GILES_H
#define AN_BC_GILES_H

struct an_complex {
    double re, im;
};

/* The mean of a band. */
struct an_giles_mean {
    double rho, c; /* kg/m3, m/s */
    double u, v;   /* m/s: downstream through the boundary, 0 < u < c; around the axis */
};

enum { AN_GILES_CHAIN = 4, AN_GILES_STATES = AN_GILES_CHAIN + 2 };

/* One harmonic of a boundary in time: outflow c5, w1..w4, 0; inflow c2, c4, w1..w4. Pa. */
struct an_giles_state {
    struct an_complex x[AN_GILES_STATES];
};

/* What enters, of one harmonic, Pa: outflow: in[1] is c5, in[0] is 0; inflow: in[0] is c2, in[1] c4. */

/* Steady. leaves: out[0], out[1] are c2, c4; else out[1] is c5, and out[0] is not looked at. */
void an_giles_steady(const struct an_giles_mean *m, int leaves, const struct an_complex out[2],
                     struct an_complex in[2]);
/* Unsteady: one step of dt seconds, from the waves `before` at its start to those `after` at its end, as
 * `out` above. k: 1/m. */
void an_giles_step(const struct an_giles_mean *m, int leaves, double k, double dt,
                   const struct an_complex before[2], const struct an_complex after[2],
                   struct an_giles_state *state);
/* What enters in that state. */
void an_giles_entering(int leaves, const struct an_giles_state *state, struct an_complex in[2]);

#endif

#include "bc/giles.h"

#include <math.h>

typedef struct an_complex cplx;

static cplx add(cplx a, cplx b)
{
    return (cplx){a.re + b.re, a.im + b.im};
}

static cplx sub(cplx a, cplx b)
{
    return (cplx){a.re - b.re, a.im - b.im};
}

static cplx mul(cplx a, cplx b)
{
    return (cplx){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static cplx over(cplx a, cplx b)
{
    const double s = b.re * b.re + b.im * b.im;
    return (cplx){(a.re * b.re + a.im * b.im) / s, (a.im * b.re - a.re * b.im) / s};
}

static cplx times(double f, cplx a)
{
    return (cplx){f * a.re, f * a.im};
}

void an_giles_steady(const struct an_giles_mean *m, int leaves, const cplx out[2], cplx in[2])
{
    const double M = m->u / m->c, N = m->v / m->c, square = 1 - M * M - N * N;
    cplx beta = {0, 0};
    if (square > 0)
        beta.im = sqrt(square);
    else
        beta.re = N > 0 ? -sqrt(-square) : sqrt(-square);
    const cplx plus = {beta.re + N, beta.im}, minus = {beta.re - N, beta.im};
    if (leaves) {
        in[0] = (cplx){0, 0};
        in[1] = over(sub(times(2 * M, out[0]), mul(plus, out[1])), minus);
        return;
    }
    const cplx part = times(-1 / (1 + M), plus);
    in[0] = mul(part, out[1]);
    in[1] = mul(part, in[0]);
}

enum { WIDE = AN_GILES_STATES };

/* dx/dt = a x + f of the chain, where `out` are the waves that leave. */
static void chain(const struct an_giles_mean *m, int leaves, double k, cplx a[WIDE][WIDE])
{
    const double half = 0.5 * k * sqrt(fmax(m->c * m->c - m->u * m->u, 0));
    for (int r = 0; r < WIDE; r++)
        for (int c = 0; c < WIDE; c++)
            a[r][c] = (cplx){0, r == c ? -k * m->v : 0};
    const int first = leaves ? 0 : 1,
              last = first + AN_GILES_CHAIN; /* of c5 or c4, of the last w */
    if (!leaves) {
        a[0][1].im -= 0.5 * k * (m->c + m->u);
        a[1][0].im -= 0.5 * k * (m->c - m->u);
    }
    for (int r = first; r < last; r++) {
        a[r][r + 1].re -= half;
        a[r + 1][r].re += half;
    }
    a[last][last].re -= half;
}

static void drive(const struct an_giles_mean *m, int leaves, double k, const cplx out[2],
                  cplx f[WIDE])
{
    for (int r = 0; r < WIDE; r++)
        f[r] = (cplx){0, 0};
    if (leaves) {
        f[0] = mul((cplx){0, -k * m->u}, out[0]);
        f[1] = times(0.5 * k * sqrt(fmax(m->c * m->c - m->u * m->u, 0)), out[1]);
    } else {
        f[0] = mul((cplx){0, -0.5 * k * (m->c - m->u)}, out[1]);
    }
}

void an_giles_step(const struct an_giles_mean *m, int leaves, double k, double dt,
                   const cplx before[2], const cplx after[2], struct an_giles_state *state)
{
    cplx a[WIDE][WIDE], f[2][WIDE], left[WIDE][WIDE], right[WIDE];
    chain(m, leaves, k, a);
    drive(m, leaves, k, before, f[0]);
    drive(m, leaves, k, after, f[1]);
    for (int r = 0; r < WIDE; r++) {
        right[r] = add(state->x[r], times(0.5 * dt, add(f[0][r], f[1][r])));
        for (int c = 0; c < WIDE; c++) {
            right[r] = add(right[r], times(0.5 * dt, mul(a[r][c], state->x[c])));
            left[r][c] = times(-0.5 * dt, a[r][c]);
            left[r][c].re += r == c;
        }
    }
    /* the chain loses energy, so that elimination needs no pivots */
    for (int p = 0; p < WIDE; p++)
        for (int r = p + 1; r < WIDE; r++) {
            const cplx q = over(left[r][p], left[p][p]);
            for (int c = p; c < WIDE; c++)
                left[r][c] = sub(left[r][c], mul(q, left[p][c]));
            right[r] = sub(right[r], mul(q, right[p]));
        }
    for (int r = WIDE - 1; r >= 0; r--) {
        cplx x = right[r];
        for (int c = r + 1; c < WIDE; c++)
            x = sub(x, mul(left[r][c], state->x[c]));
        state->x[r] = over(x, left[r][r]);
    }
}

void an_giles_entering(int leaves, const struct an_giles_state *state, cplx in[2])
{
    in[0] = leaves ? (cplx){0, 0} : state->x[0];
    in[1] = state->x[leaves ? 0 : 1];
}

/* Differences of images, and boxes of blocks. */
#include "tests/engines/engine_parts.h"

#include "kernels/base/topology.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Components of a kind have one scale: the momenta, the same flux in the three directions. */
static int kind(int f, int c)
{
    static const int of_w[5] = {0, 1, 1, 1, 2}, of_q[6] = {0, 1, 1, 1, 2, 3};
    if (f == AN_F_Q)
        return of_q[c];
    if (f == AN_F_DERIVED)
        return c == 2 || c == 3 || c == 4 ? 2 : c;
    if (f == AN_F_S || f == AN_F_LAM || f == AN_F_X || f == AN_F_MODE) /* sums and their rounding */
        return 0;
    return ncomp[f] % 5 ? c : of_w[c % 5];
}

static double scale_of(const struct engine_case *x, const struct image *a, int f, int which)
{
    double scale = 0;
    for (int c = 0; c < ncomp[f]; c++)
        for (int64_t n = c * x->layout.ncell; kind(f, c) == which && n < (c + 1) * x->layout.ncell;
             n++) {
            const double v = fabs(fixture_get(x, a, f, n));
            if (isfinite(v) && v > scale)
                scale = v;
        }
    return scale;
}

double image_difference(const struct engine_case *x, const struct image *a, const struct image *b,
                        enum an_field field)
{
    const int f = (int)field;
    if (!memcmp(a->at[f], b->at[f], x->bytes[f]))
        return 0;
    if (fixture_is_of_other(f))
        return INFINITY; /* no stencil writes them */
    double worst = 0;
    for (int c = 0; c < ncomp[f]; c++) {
        double scale = scale_of(x, a, f, kind(f, c));
        if (f == AN_F_R)
            scale = fmax(scale, scale_of(x, a, AN_F_FLUX, kind(AN_F_FLUX, c)));
        for (int64_t n = c * x->layout.ncell; n < (c + 1) * x->layout.ncell; n++) {
            const double u = fixture_get(x, a, f, n), v = fixture_get(x, b, f, n);
            if (isnan(u) && isnan(v))
                continue;
            const double d = fabs(u - v) / scale;
            if (!(d <= worst))
                worst = isnan(d) ? INFINITY : d;
        }
    }
    return worst > 0 ? worst : 1e-300;
}

int image_same(const struct engine_case *x, const struct image *a, const struct image *b,
               int except)
{
    for (int f = 0; f < AN_NFIELD; f++)
        if (f != except && memcmp(a->at[f], b->at[f], x->bytes[f]))
            return 0;
    return 1;
}

int fixture_boxes(const struct engine_case *x, int ghost, struct an_box *box)
{
    for (int b = 0; b < x->layout.nblock; b++) {
        box[b].block = b;
        for (int d = 0; d < 3; d++) {
            box[b].lo[d] = -ghost;
            box[b].hi[d] = x->layout.block[b].n[d] + ghost;
        }
    }
    return x->layout.nblock;
}

int fixture_shells(const struct engine_case *x, struct an_box *box)
{
    int n = 0;
    for (int b = 0; b < x->layout.nblock; b++) {
        struct an_box rest = {b, {0, 0, 0}, {0, 0, 0}};
        memcpy(rest.hi, x->layout.block[b].n, sizeof rest.hi);
        for (int d = 2; d >= 0; d--) {
            if (rest.hi[d] - rest.lo[d] < 5)
                continue;
            box[n] = rest;
            box[n++].hi[d] = rest.lo[d] += 2;
            box[n] = rest;
            box[n++].lo[d] = rest.hi[d] -= 2;
        }
        box[n++] = rest;
    }
    return n;
}

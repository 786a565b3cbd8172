#include "solver/boundary/mixing_planes.h"

#include <math.h>

/* Area between the hub and a fraction of span, over that of the whole span times 2 pi. */
static double area_below(const struct an_band_group *g, double f)
{
    return f * (g->hub[1] + 0.5 * f * (g->casing[1] - g->hub[1]));
}

struct an_mixing_side an_mixing_gather(const struct an_mixing *m, int plane, int side, int band,
                                       double *radius)
{
    const struct an_band_group *g = an_mixing_side_of(m, plane, side);
    const double *n = m->plane[plane].normal, sign = side ? -1 : 1;
    const double lo = m->lo[band], hi = m->hi[band];
    struct an_mixing_side to = {.area = 0};
    double leaves = 0, turb[2] = {0, 0}, cell[5] = {0}, area = 0;
    *radius = 0;
    for (int b = g->first; b < g->first + g->n; b++) {
        const double from = fmax(lo, m->bands->lo[b]), until = fmin(hi, m->bands->hi[b]);
        if (from >= hi) /* so are those behind it */
            break;
        if (until <= from)
            continue;
        const double whole = area_below(g, m->bands->hi[b]) - area_below(g, m->bands->lo[b]);
        const double part = (area_below(g, until) - area_below(g, from)) / whole;
        const double w = part * g->sectors, out = sign * w;
        const double *sum = m->sum[b];
        to.flux[0] += out * sum[AN_I_MASS];
        to.flux[1] += out * (sum[AN_I_MX] * n[0] + sum[AN_I_MY] * n[1]);
        to.flux[2] += out * (sum[AN_I_MY] * n[0] - sum[AN_I_MX] * n[1]);
        to.flux[4] += out * sum[AN_I_ENERGY];
        to.flux[3] += out * sum[AN_I_MZ];
        leaves += w * (sum[AN_I_MASS] - sum[AN_I_INFLOW]);
        turb[0] += w * sum[AN_I_OUT_TURB0];
        turb[1] += w * sum[AN_I_OUT_TURB1];
        for (int k = 0; k < 5; k++)
            cell[k] += w * sum[AN_I_CELL_RHO + k];
        area += w * m->bands->area[b];
        *radius += w * m->bands->area[b] * m->bands->radius[b];
    }
    to.area = area;
    *radius /= area;
    struct an_mixing_state *q = &to.mean;
    q->rho = cell[0] / area;
    q->u[0] = (cell[1] * n[0] + cell[2] * n[1]) / area;
    q->u[1] = (cell[2] * n[0] - cell[1] * n[1]) / area;
    q->u[2] = cell[3] / area;
    q->p = cell[4] / area;
    /* of what leaves this side: with the flux of all faces the mean has no bound where the gas flows both ways. -1: unknown */
    for (int k = 0; k < 2; k++)
        q->turb[k] = leaves > 0 && turb[k] >= 0 ? turb[k] / leaves : -1;
    return to;
}

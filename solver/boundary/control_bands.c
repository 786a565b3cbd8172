#include "solver/boundary/control_set.h"

#include "kernels/base/numbers.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdlib.h>

int an_control_moves(const struct an_control_entry *o)
{
    return o->mass_wanted > 0 || o->mass_set > 0;
}

int an_control_is_due(const struct an_solver *s, const struct an_control *k,
                      const struct an_control_entry *o)
{
    if (o->non_reflecting && isnan(k->mean[0][k->bands->group[o->group].first]))
        return 1; /* no mean yet */
    return (an_control_moves(o) || o->group >= 0) && s->iteration > 0 &&
           s->iteration % o->every == 0;
}

/* Bands of the outlets in radial equilibrium, without a rise yet. */
int an_control_bands_new(struct an_solver *s, struct an_control *k)
{
    const int nb = s->mesh->topology.nboundary;
    int *group = malloc(((size_t)nb + 1) * sizeof *group), n = 0, status = AN_OK;
    AN_CHECK(group, AN_FAIL, "out of memory for outlets");
    for (int b = 0; b < nb; b++)
        group[b] = -1;
    for (int o = 0; o < k->n; o++)
        if (k->entry[o].anchor != AN_EQUILIBRIUM_NONE || k->entry[o].non_reflecting)
            group[k->entry[o].boundary] = k->entry[o].group = n++;
    if (n)
        status = an_bands_new(s, n, group, &k->bands);
    free(group);
    AN_TRY(status);
    n = k->bands ? k->bands->n : 0;
    k->rise = calloc((size_t)n + 1, sizeof *k->rise);
    AN_CHECK(k->rise, AN_FAIL, "out of memory for outlets");
    for (int m = 0; m < 3; m++) {
        k->mean[m] = malloc(((size_t)n + 1) * sizeof *k->mean[m]);
        AN_CHECK(k->mean[m], AN_FAIL, "out of memory for outlets");
        for (int b = 0; b < n; b++)
            k->mean[m][b] = NAN;
    }
    return AN_OK;
}

/* A rise that is linear between the middles of bands, at radius r. */
static double rise_at(const struct an_bands *b, const struct an_band_group *g, const double *rise,
                      double r)
{
    int n = g->first;
    if (g->n < 2)
        return rise[n];
    while (n < g->first + g->n - 2 && r > b->radius[n + 1])
        n++;
    const double part = (r - b->radius[n]) / (b->radius[n + 1] - b->radius[n]);
    return rise[n] + part * (rise[n + 1] - rise[n]);
}

void an_control_set_face(void *context, const struct an_face_place *at, double v[AN_BC_NVALUE])
{
    const struct an_control_face *f = context;
    const struct an_bands *b = f->k->bands;
    const struct an_band_group *g = &b->group[f->o->group];
    const double r = hypot(at->x[1], at->x[2]), *s = at->s;
    v[AN_BC_P] = f->o->p + rise_at(b, g, f->k->rise, r);
    v[AN_BC_WAVES] = f->o->non_reflecting && !isnan(f->k->mean[0][g->first]);
    if (v[AN_BC_WAVES] == 0)
        return;
    const double outward = r > 0 ? (s[1] * at->x[1] + s[2] * at->x[2]) / r : 0; /* of the area */
    const double area = an_length(s);
    v[AN_BC_MEAN_P] = rise_at(b, g, f->k->mean[0], r);
    v[AN_BC_MEAN_U] =
        (rise_at(b, g, f->k->mean[1], r) * s[0] + rise_at(b, g, f->k->mean[2], r) * outward) / area;
}

/* Radial equilibrium of an outlet, from sums over its bands. Where the flow comes back in, the
 * slope is that of the band before. */
static void balance(struct an_control *k, const struct an_control_entry *o,
                    double (*sum)[AN_NINTEGRAL])
{
    const struct an_bands *b = k->bands;
    const struct an_band_group *g = &b->group[o->group];
    double *wanted = b->n ? malloc((size_t)b->n * sizeof *wanted) : NULL, slope = 0, last = 0;
    for (int n = g->first; wanted && n < g->first + g->n; n++) {
        const double *t = sum[n], area = t[AN_I_AREA], vt = t[AN_I_CELL_W] / area;
        last = slope;
        if (t[AN_I_MASS] > 0 && b->radius[n] > 0)
            slope = t[AN_I_CELL_RHO] / area * vt * vt / b->radius[n];
        wanted[n] = n == g->first
                        ? 0
                        : wanted[n - 1] + 0.5 * (last + slope) * (b->radius[n] - b->radius[n - 1]);
    }
    const double at = o->anchor == AN_EQUILIBRIUM_HUB      ? g->hub[1]
                      : o->anchor == AN_EQUILIBRIUM_CASING ? g->casing[1]
                                                           : 0.5 * (g->hub[1] + g->casing[1]);
    const double base = wanted ? rise_at(b, g, wanted, at) : 0;
    for (int n = g->first; wanted && n < g->first + g->n; n++)
        k->rise[n] += fmin(0.1 * o->gain, 1) * (wanted[n] - base - k->rise[n]);
    free(wanted);
}

/* Means of the first cells by band. */
static void note_means(struct an_control *k, const struct an_control_entry *o,
                       double (*sum)[AN_NINTEGRAL])
{
    static const int of[3] = {AN_I_CELL_P, AN_I_CELL_U, AN_I_CELL_V};
    const struct an_band_group *g = &k->bands->group[o->group];
    for (int n = g->first; n < g->first + g->n; n++)
        for (int m = 0; m < 3; m++)
            k->mean[m][n] = sum[n][of[m]] / sum[n][AN_I_AREA];
}

int an_control_balance(struct an_solver *s, struct an_control *k)
{
    int due = 0;
    for (int o = 0; o < k->n; o++)
        due |= k->entry[o].group >= 0 && an_control_is_due(s, k, &k->entry[o]);
    if (!due)
        return AN_OK;
    double(*sum)[AN_NINTEGRAL] = calloc((size_t)k->bands->n + 1, sizeof *sum);
    AN_CHECK(sum, AN_FAIL, "out of memory for outlets");
    const int status = an_bands_measure(s, k->bands, sum);
    for (int o = 0; o < k->n && status == AN_OK; o++) {
        const struct an_control_entry *q = &k->entry[o];
        if (q->group < 0 || !an_control_is_due(s, k, q))
            continue;
        if (q->anchor != AN_EQUILIBRIUM_NONE && s->iteration > 0 && s->iteration % q->every == 0)
            balance(k, q, sum);
        note_means(k, q, sum);
    }
    free(sum);
    return status;
}

#include "solver/boundary/control_set.h"

#include "kernels/base/numbers.h"
#include "solver/boundary/ring_waves.h"
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

/* The span of a group is measured by the radius where it spreads at least as far along r as along x, as
 * on a plane x = const; else, as on a cylinder or a flat cone, by the distance from the hub. */
static int by_radius(const struct an_band_group *g)
{
    return fabs(g->casing[1] - g->hub[1]) >= fabs(g->casing[0] - g->hub[0]);
}

static double span_of(const struct an_band_group *g)
{
    return hypot(g->casing[0] - g->hub[0], g->casing[1] - g->hub[1]);
}

/* Place of the middle of a band along the span, m. */
static double band_place(const struct an_bands *b, const struct an_band_group *g, int n)
{
    return by_radius(g) ? b->radius[n] : 0.5 * (b->lo[n] + b->hi[n]) * span_of(g);
}

static double place_of(const struct an_band_group *g, const double x[3])
{
    return by_radius(g) ? hypot(x[1], x[2]) : an_band_fraction(g, x) * span_of(g);
}

/* A rise that is linear between the middles of bands, at a place along the span. */
static double rise_at(const struct an_bands *b, const struct an_band_group *g, const double *rise,
                      double place)
{
    int n = g->first;
    if (g->n < 2)
        return rise[n];
    while (n < g->first + g->n - 2 && place > band_place(b, g, n + 1))
        n++;
    const double low = band_place(b, g, n);
    const double part = (place - low) / (band_place(b, g, n + 1) - low);
    return rise[n] + part * (rise[n + 1] - rise[n]);
}

void an_control_set_face(void *context, const struct an_face_place *at, double v[AN_BC_NVALUE])
{
    const struct an_control_face *f = context;
    const struct an_bands *b = f->k->bands;
    const struct an_band_group *g = &b->group[f->o->group];
    const double r = hypot(at->x[1], at->x[2]), place = place_of(g, at->x), *s = at->s;
    v[AN_BC_P] = f->o->p + rise_at(b, g, f->k->rise, place);
    v[AN_BC_WAVES] = f->o->non_reflecting && !isnan(f->k->mean[0][g->first]);
    if (v[AN_BC_WAVES] == 0)
        return;
    const double outward = r > 0 ? (s[1] * at->x[1] + s[2] * at->x[2]) / r : 0; /* of the area */
    const double area = an_length(s);
    v[AN_BC_MEAN_P] = rise_at(b, g, f->k->mean[0], place);
    v[AN_BC_MEAN_U] = (rise_at(b, g, f->k->mean[1], place) * s[0] +
                       rise_at(b, g, f->k->mean[2], place) * outward) /
                      area;
    if (f->s)
        an_ring_waves_add(f->s, (v - an_face_values_of(f->s)->level[0].value[0]) / AN_BC_NVALUE, v);
}

/* Radial equilibrium of an outlet, from sums over its bands: along its span the pressure rises as
 * rho Vt^2 / r times the rise of the radius, so not at all on a cylinder. Where the flow comes back in,
 * the slope is that of the band before. wanted[bands->n]: from the first band of the outlet on. */
static void integrate(const struct an_bands *b, const struct an_band_group *g,
                      double (*sum)[AN_NINTEGRAL], double *wanted)
{
    const double climb = by_radius(g) ? 1 : (g->casing[1] - g->hub[1]) / span_of(g);
    double slope = 0, last = 0;
    for (int n = g->first; n < g->first + g->n; n++) {
        const double *t = sum[n], area = t[AN_I_AREA], vt = t[AN_I_CELL_W] / area;
        last = slope;
        if (t[AN_I_MASS] > 0 && b->radius[n] > 0)
            slope = t[AN_I_CELL_RHO] / area * vt * vt / b->radius[n];
        wanted[n] = n == g->first
                        ? 0
                        : wanted[n - 1] + 0.5 * (last + slope) * climb *
                                              (band_place(b, g, n) - band_place(b, g, n - 1));
    }
}

/* Place along the span where the pressure is the given one. */
static double anchor_of(const struct an_band_group *g, enum an_equilibrium anchor)
{
    const double hub = by_radius(g) ? g->hub[1] : 0,
                 casing = by_radius(g) ? g->casing[1] : span_of(g);
    return anchor == AN_EQUILIBRIUM_HUB      ? hub
           : anchor == AN_EQUILIBRIUM_CASING ? casing
                                             : 0.5 * (hub + casing);
}

static void balance(struct an_control *k, const struct an_control_entry *o,
                    double (*sum)[AN_NINTEGRAL])
{
    const struct an_bands *b = k->bands;
    const struct an_band_group *g = &b->group[o->group];
    double *wanted = b->n ? malloc((size_t)b->n * sizeof *wanted) : NULL;
    if (wanted)
        integrate(b, g, sum, wanted);
    const double base = wanted ? rise_at(b, g, wanted, anchor_of(g, o->anchor)) : 0;
    for (int n = g->first; wanted && n < g->first + g->n; n++)
        k->rise[n] += fmin(0.1 * o->gain, 1) * (wanted[n] - base - k->rise[n]);
    free(wanted);
}

/* The difference of the rises of bands n and m, neighbours, less that of radial equilibrium; NaN without memory. */
static double rise_gap(const struct an_bands *b, const struct an_band_group *g, const double *rise,
                       double (*sum)[AN_NINTEGRAL], int n, int m)
{
    double *wanted = malloc(((size_t)b->n + 1) * sizeof *wanted);
    if (!wanted)
        return NAN;
    integrate(b, g, sum, wanted);
    const double gap = rise[n] - rise[m] - (wanted[n] - wanted[m]);
    free(wanted);
    return gap;
}

double an_control_rise_gap(const struct an_control *k, const struct an_control_entry *o, int n,
                           const double *rise, double (*sum)[AN_NINTEGRAL])
{
    const struct an_bands *b = k->bands;
    const struct an_band_group *g = &b->group[o->group];
    const double at = anchor_of(g, o->anchor);
    int near = g->first; /* the band next to the place of the given pressure */
    for (int m = g->first; m < g->first + g->n; m++)
        near = fabs(band_place(b, g, m) - at) < fabs(band_place(b, g, near) - at) ? m : near;
    if (n == near)
        return rise_at(b, g, rise, at);
    return rise_gap(b, g, rise, sum, n, n > near ? n - 1 : n + 1);
}

/* Means of the first cells by band. */
static void note_means(struct an_control *k, const struct an_control_entry *o,
                       double (*sum)[AN_NINTEGRAL])
{
    const struct an_band_group *g = &k->bands->group[o->group];
    for (int n = g->first; n < g->first + g->n; n++)
        for (int m = 0; m < 3; m++)
            k->mean[m][n] = an_control_mean(sum[n], m);
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

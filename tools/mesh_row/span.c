// Spacing along the span and the layers.
#include "row.h"

#include <math.h>
#include <stdlib.h>

// Cell i of n: geometric from both ends, rounded off towards the largest one.
static double cell(int i, int n, const double first[2], double ratio, double largest)
{
    const double a = first[0] * pow(ratio, i), b = first[1] * pow(ratio, n - 1 - i);
    const double p = 3;
    return pow(pow(a, -p) + pow(b, -p) + pow(largest, -p), -1 / p);
}

void span_fractions(int n, double total, const double first[2], double most, double *t)
{
    // first cells higher than the mean would leave the smallest ones in the middle
    const double end[2] = {fmin(first[0], total / n), fmin(first[1], total / n)};
    double lo = 0.1, hi = 50;
    for (int it = 0; it < 100; it++) {
        const double ratio = sqrt(lo * hi);
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += cell(i, n, end, ratio, most * total / n);
        *(sum < total ? &lo : &hi) = ratio;
    }
    t[0] = 0;
    for (int i = 0; i < n; i++)
        t[i + 1] = t[i] + cell(i, n, end, lo, most * total / n);
    for (int i = 0; i < n; i++)
        t[i] /= t[n];
    t[n] = 1;
}

// The layer of span coordinate w, between the two nearest of the mesh's own layers.
void span_layer_at(const struct row *r, double w, struct layer *l)
{
    int k = 0;
    while (k < r->nlayer - 2 && r->w[k + 1] < w)
        k++;
    const double t = (w - r->w[k]) / (r->w[k + 1] - r->w[k]);
    for (int i = 0; i < SAMPLES_U; i++)
        l->v[i] = (1 - t) * r->layer[k].v[i] + t * r->layer[k + 1].v[i];
    layer_finish(l, &r->meridian);
}

// Every sample line from hub to casing gets its own spacing, so that first cells have their height
// everywhere. w is the share of the span at mid-length.
int span_layers(struct row *r)
{
    const struct row_input *in = &r->in;
    const int nh = r->n[0].hub_gap, nb = r->n[0].span, ng = r->n[0].gap, n = nh + nb + ng;
    r->nlayer = n + 1;
    r->layer = malloc((size_t)r->nlayer * sizeof *r->layer);
    r->w = malloc((size_t)r->nlayer * sizeof *r->w);
    double *t = malloc((size_t)r->nlayer * sizeof *t);
    if (!r->layer || !r->w || !t) {
        free(t);
        return an_error_set(AN_FAIL, "out of memory");
    }
    for (int i = 0; i < SAMPLES_U; i++) {
        const double u = (double)i / (SAMPLES_U - 1), tip = meridian_tip(&r->meridian, u),
                     foot = meridian_foot(&r->meridian, u);
        const double height = meridian_height(&r->meridian, u);
        const double tip_cell = ng ? fmin(in->first[3], (1 - tip) * height / ng) : in->first[2];
        const double foot_cell = nh ? fmin(in->first[3], foot * height / nh) : in->first[1];
        const double blade[2] = {foot_cell, tip_cell}, gap[2] = {in->first[3], in->first[2]},
                     hub_gap[2] = {in->first[1], in->first[3]};
        span_fractions(nb, (tip - foot) * height, blade, SPAN_LARGEST, t);
        for (int k = 0; k <= nb; k++)
            r->layer[nh + k].v[i] = foot + (tip - foot) * t[k];
        if (nh) {
            span_fractions(nh, foot * height, hub_gap, SPAN_LARGEST, t);
            for (int k = 0; k < nh; k++)
                r->layer[k].v[i] = foot * t[k];
        }
        if (ng) {
            span_fractions(ng, (1 - tip) * height, gap, SPAN_LARGEST, t);
            for (int k = 1; k <= ng; k++)
                r->layer[nh + nb + k].v[i] = tip + (1 - tip) * t[k];
        }
        r->layer[n].v[i] = 1;
    }
    for (int k = 0; k <= n; k++) {
        r->w[k] = r->layer[k].v[SAMPLES_U / 2];
        layer_finish(&r->layer[k], &r->meridian);
    }
    free(t);
    return AN_OK;
}

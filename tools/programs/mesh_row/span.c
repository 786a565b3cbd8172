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
        if (ratio == lo || ratio == hi) // no number lies between them
            break;
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

// v of the nodes on the line at u. Every line gets its own spacing, so that first cells have their height
// everywhere.
int span_line(const struct row *r, double u, double *v)
{
    const struct row_input *in = &r->in;
    const int nh = r->n[0].hub_gap, nb = r->n[0].span, ng = r->n[0].gap, n = nh + nb + ng;
    const double tip = meridian_tip(&r->meridian, u), foot = meridian_foot(&r->meridian, u);
    const double height = meridian_height(&r->meridian, u);
    const double tip_cell = ng ? fmin(in->first[3], (1 - tip) * height / ng) : in->first[2];
    const double foot_cell = nh ? fmin(in->first[3], foot * height / nh) : in->first[1];
    const double blade[2] = {foot_cell, tip_cell}, gap[2] = {in->first[3], in->first[2]},
                 hub_gap[2] = {in->first[1], in->first[3]};
    double *t = malloc((size_t)(n + 1) * sizeof *t);
    AN_CHECK(t, AN_FAIL, "out of memory");
    span_fractions(nb, (tip - foot) * height, blade, SPAN_LARGEST, t);
    for (int k = 0; k <= nb; k++)
        v[nh + k] = foot + (tip - foot) * t[k];
    if (nh) {
        span_fractions(nh, foot * height, hub_gap, SPAN_LARGEST, t);
        for (int k = 0; k < nh; k++)
            v[k] = foot * t[k];
    }
    if (ng) {
        span_fractions(ng, (1 - tip) * height, gap, SPAN_LARGEST, t);
        for (int k = 1; k <= ng; k++)
            v[nh + nb + k] = tip + (1 - tip) * t[k];
    }
    v[n] = 1;
    free(t);
    return AN_OK;
}

// Least u of the blades' leading edges and largest of their trailing edges.
static int blades_between(const struct row *r, double at[2])
{
    enum { HEIGHTS = 9 };
    at[0] = 1;
    at[1] = 0;
    for (int h = 0; h < HEIGHTS; h++)
        for (int b = 0; b < r->set; b++) {
            struct layer l;
            struct profile p;
            layer_even(&l, &r->meridian, (double)h / (HEIGHTS - 1));
            AN_TRY(blade_profile(&r->blade[b], &l, &p));
            for (int j = 0; j < p.c.n; j++) {
                const double u = layer_u(&l, p.c.x[j].x);
                at[0] = fmin(at[0], u);
                at[1] = fmax(at[1], u);
            }
            profile_free(&p);
        }
    return AN_OK;
}

// From the blades to a plane that a neighbour shares, the layers go over to the nodes of the plane.
static void to_planes(const struct row *r, const double blades[2], double u, double *v)
{
    for (int end = 0; end < 2; end++) {
        const double way = end ? 1 - blades[1] : blades[0], off = end ? 1 - u : u;
        if (!r->shape[end] || off >= way)
            continue;
        const double t = off / way, part = 1 - t * t * (3 - 2 * t); // of the plane
        for (int k = 0; k < r->nlayer; k++)
            v[k] = part < 1 ? (1 - part) * v[k] + part * r->shape[end][k] : r->shape[end][k];
    }
}

// w is the share of the span at mid-length.
int span_layers(struct row *r)
{
    const int n = r->n[0].span + counts_in_gaps(&r->n[0]);
    double blades[2] = {0, 1};
    r->nlayer = n + 1;
    r->layer = malloc((size_t)r->nlayer * sizeof *r->layer);
    r->w = malloc((size_t)r->nlayer * sizeof *r->w);
    double *v = malloc((size_t)r->nlayer * sizeof *v);
    int rc = r->layer && r->w && v ? AN_OK : an_error_set(AN_FAIL, "out of memory");
    if (!rc && (r->shape[0] || r->shape[1]))
        rc = blades_between(r, blades);
    for (int i = 0; i < SAMPLES_U && !rc; i++) {
        const double u = (double)i / (SAMPLES_U - 1);
        rc = span_line(r, u, v);
        to_planes(r, blades, u, v);
        for (int k = 0; k <= n; k++)
            r->layer[k].v[i] = v[k];
    }
    for (int k = 0; k <= n && !rc; k++) {
        r->w[k] = r->layer[k].v[SAMPLES_U / 2];
        layer_finish(&r->layer[k], &r->meridian);
    }
    free(v);
    return rc;
}

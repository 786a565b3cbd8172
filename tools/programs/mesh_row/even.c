// Volumes of neighbouring cells in the layers.
//
// Two things make them differ. The rows of the O grow in geometric progression from the first cell; where the radial
// lines fan out, round the edges of a thin blade, the cells' volumes grow by up to the square of that factor. And the
// blocks outside the O, whose cells have the lengths of the first guess, may not continue the O's last row or the cells
// of the next block. Meshes whose ratios are small stay as they are.
#include "row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 12 };
static const double LARGE = 5.5, // ratio above which something is done
    LIMIT = 3,                   // ratio below which two cells then stay as they are
    GOOD = 28 * M_PI / 180,      // smallest angle that a mesh may have in exchange,
    LOSS = M_PI / 180;           // or what it may lose

struct key_figures {
    const struct row *r;
    struct lines_figures f[MAX_KEYS];
};

static int measure_key(void *of, int k)
{
    struct key_figures *q = of;
    return plane_lines(q->r, q->r->key[k].w, &q->f[k]);
}

// Smallest angle, and largest ratio of neighbours, of all keys as layers.
static int measure(const struct row *r, double *angle, double *ratio)
{
    struct key_figures q = {.r = r};
    *angle = M_PI;
    *ratio = 1;
    AN_TRY(side_by_side(r->nkey, measure_key, &q));
    for (int k = 0; k < r->nkey; k++) {
        *angle = fmin(*angle, q.f[k].all);
        *ratio = fmax(*ratio, q.f[k].ratio);
    }
    return AN_OK;
}

// The largest power of the width that costs no angle and does not make the ratio larger.
static int choose_widen(struct row *r, double angle, double *ratio)
{
    static const double power[] = {1, 0.5};
    const double enough = fmin(GOOD, angle - LOSS);
    for (size_t k = 0; k < sizeof power / sizeof power[0]; k++) {
        double a, q;
        r->widen = power[k];
        AN_TRY(measure(r, &a, &q));
        if (a < enough || q > 1.02 * *ratio)
            continue;
        *ratio = q;
        return AN_OK;
    }
    r->widen = 0;
    return AN_OK;
}

enum { TAKE, PUT };

// Copies the nodes of all keys to x (TAKE) or from there; returns their number. x NULL: counts them.
static size_t key_nodes(const struct row *r, struct vec2 *x, int way)
{
    size_t at = 0;
    for (int k = 0; k < r->nkey; k++)
        for (int b = 0; b < r->set; b++)
            for (int z = 0; z < r->key[k].out[b].nz; z++) {
                const struct zone *q = &r->key[k].out[b].z[z];
                const size_t n = (size_t)q->ni * (size_t)q->nj;
                if (x)
                    memcpy(way == PUT ? q->x : x + at, way == PUT ? x + at : q->x, n * sizeof *x);
                at += n;
            }
    return at;
}

// The same for the wanted lengths of edges.
static size_t key_lengths(const struct row *r, double *v, int way)
{
    size_t at = 0;
    for (int k = 0; k < r->nkey; k++)
        for (int b = 0; b < r->set; b++)
            for (int z = 0; z < r->key[k].out[b].nz; z++) {
                const struct zone *q = &r->key[k].out[b].z[z];
                const size_t n[2] = {(size_t)(q->ni - 1) * (size_t)q->nj,
                                     (size_t)q->ni * (size_t)(q->nj - 1)};
                double *const l[2] = {q->li, q->lj};
                for (int d = 0; d < 2; d++) {
                    if (v)
                        memcpy(way == PUT ? l[d] : v + at, way == PUT ? v + at : l[d],
                               n[d] * sizeof *v);
                    at += n[d];
                }
            }
    return at;
}

struct key_ratios {
    struct row *r;
    double ratio[MAX_KEYS];
};

static int even_key(void *of, int k)
{
    struct key_ratios *q = of;
    return plane_even(&q->r->key[k], q->r, LIMIT, &q->ratio[k]);
}

// All keys get the same number of passes, so that the layers between them stay smooth: those, of `passes`, with which
// the largest ratio is smallest. x: the nodes [key_nodes].
static int even_keys(struct row *r, struct vec2 *x, int passes)
{
    double best = HUGE_VAL, enough = M_PI;
    for (int k = 0; k < r->nkey; k++)
        enough = fmin(enough, r->key[k].worst.angle - LOSS);
    enough = fmin(GOOD, enough);
    for (int pass = 0; pass < passes && best > LIMIT; pass++) {
        double most = 0, least = M_PI;
        struct key_ratios q = {.r = r};
        AN_TRY(side_by_side(r->nkey, even_key, &q));
        for (int k = 0; k < r->nkey; k++) {
            most = fmax(most, q.ratio[k]);
            least = fmin(least, r->key[k].worst.angle);
        }
        if (least < enough || most > best)
            continue;
        best = most;
        key_nodes(r, x, TAKE);
    }
    key_nodes(r, x, PUT);
    if (!r->mix_stays)
        AN_TRY(mix_choose(r));
    return lines_choose(r);
}

static bool better(const struct figures *now, const struct figures *was)
{
    return now->folded + now->negative == 0 && now->ratio < was->ratio && !figures_low(now, was) &&
           now->least >= fmin(GOOD, was->least - LOSS);
}

// Builds the mesh with the power of the width that r->widen names; with keys smoothed on in up to that many passes if x is
// not NULL. *low: the mesh is not kept, and its first cells are low.
static int try_even(struct row *r, struct figures *f, struct vec2 *x, int passes, bool *kept,
                    bool *low)
{
    struct figures now;
    if (x)
        AN_TRY(even_keys(r, x, passes));
    AN_TRY(layers_again(r));
    AN_TRY(figures_of(&now, r));
    *kept = better(&now, f);
    *low = !*kept && figures_low(&now, f);
    if (*kept)
        *f = now;
    return AN_OK;
}

// Smoothes the keys on; where that makes the first cells low, in half as many passes, and so on. was: the nodes of the keys
// twice. Afterwards the keys are those of the mesh that is kept, or the first ones.
static int even_passes(struct row *r, struct figures *f, struct vec2 *was, size_t n, bool *kept)
{
    const int lines = r->lines, mix = r->mix;
    double *length = malloc(key_lengths(r, NULL, TAKE) * sizeof *length);
    AN_CHECK(length, AN_FAIL, "out of memory");
    key_lengths(r, length, TAKE);
    bool low = true;
    int rc = AN_OK;
    for (int passes = PASSES; passes > 1 && low && !rc; passes /= 2) {
        rc = try_even(r, f, was + n, passes, kept, &low);
        if (*kept)
            break;
        key_nodes(r, was, PUT);
        memcpy(was + n, was, n * sizeof *was);
        key_lengths(r, length, PUT);
        r->lines = lines;
        r->mix = mix;
    }
    free(length);
    return rc;
}

int even_choose(struct row *r, struct figures *f)
{
    double angle, ratio;
    const double before = f->ratio;
    AN_TRY(measure(r, &angle, &ratio));
    if (!(ratio > LARGE))
        return AN_OK;
    const size_t n = key_nodes(r, NULL, TAKE);
    struct vec2 *was = malloc(2 * n * sizeof *was);
    AN_CHECK(was, AN_FAIL, "out of memory");
    key_nodes(r, was, TAKE);
    key_nodes(r, was + n, TAKE);
    bool kept = false, low;
    int rc = choose_widen(r, angle, &ratio);
    if (!rc && ratio > LARGE)
        rc = even_passes(r, f, was, n, &kept);
    if (!rc && !kept && r->widen > 0)
        rc = try_even(r, f, NULL, 0, &kept, &low);
    if (!rc && !kept) {
        r->widen = 0;
        rc = layers_again(r);
    }
    free(was);
    if (!rc && kept)
        fprintf(row_out(r),
                "volumes              evened: largest ratio of neighbours %.2f, %.2f before\n",
                f->ratio, before);
    return rc;
}

#include "bench/bench_rate.h"

#include <math.h>
#include <string.h>

enum { LARGE_GPU = 256, LARGE_CPU = 96 };

struct large_run {
    struct an_bench_rates *rates;
    struct an_watched w;
    const void *list, *other;
};

/* A field of so many components, or more. */
static void *field_of(const struct an_bench_set *s, int ncomp)
{
    return s->f.at[ncomp > 5 ? AN_F_GRAD : AN_F_W];
}

/* A call like the one noted, on the large mesh. */
static int run_large(void *context)
{
    struct large_run *r = context;
    struct an_bench_set *s = &r->rates->large;
    struct an_watched *w = &r->w;
    if (w->kind == AN_WATCH_COPIES) {
        void *field = field_of(s, w->ncomp);
        const int64_t pitch = s->layout[0].ncell;
        return s->e->op->copies(s->e, s->copies[0], field, pitch, field, pitch, w->ncomp, -1, 0);
    }
    if (w->kind == AN_WATCH_GHOSTS) {
        w->copying.list = s->copies[0];
        w->copying.component = s->layout[0].ncell;
        for (int n = 0; n < w->copying.nfield; n++)
            w->copying.field[n].base = field_of(s, w->copying.field[n].ncomp);
    }
    w->list = r->list;
    w->other = r->other;
    return an_watch_repeat(s->e, w);
}

/* Fields of the large mesh for those that a call was given, and no others. */
static void large_fields(const struct an_bench_set *s, struct an_fields *f)
{
    for (int n = 0; n < AN_NFIELD; n++)
        if (f->at[n])
            f->at[n] = s->f.at[n];
}

/* Cells, faces or elements of the call on the large mesh, and its lists. */
static double large_lists(struct large_run *r)
{
    const struct an_bench_set *s = &r->rates->large;
    const int coarse = r->w.other && r->w.points < r->w.other_points;
    double faces = 0;
    switch (r->w.kind) {
    case AN_WATCH_COPIES:
        return s->copied;
    case AN_WATCH_FACES:
    case AN_WATCH_GHOSTS:
        r->list = s->faces;
        for (int n = 0; n < s->nwindow; n++)
            faces += (double)an_window_faces(&s->window[n].window);
        return faces + r->w.copying.nfield * s->copied;
    case AN_WATCH_LINES:
        r->list = s->lines[0][1];
        break;
    default:
        r->list = s->tiles[coarse];
        r->other = r->w.other ? s->tiles[!coarse] : NULL;
    }
    return (double)s->layout[coarse].interior;
}

int an_bench_rate(struct an_bench_rates *rates, const struct an_watched *w, double *seconds)
{
    for (int n = 0; n < rates->n; n++)
        if (an_watch_same(&rates->rate[n].of, w)) {
            *seconds = rates->rate[n].seconds;
            return AN_OK;
        }
    AN_CHECK(rates->n < AN_BENCH_RATES, AN_FAIL, "a cycle has more than %d kernels",
             AN_BENCH_RATES);
    if (w->kind == AN_WATCH_MOVE) {
        *seconds = 2 / rates->b->ceiling.copy;
    } else {
        struct large_run r = {.rates = rates, .w = *w};
        struct an_bench_row row;
        large_fields(&rates->large, &r.w.fields);
        r.w.params.march.alpha = 1e-12; /* the state stands still */
        const double points = large_lists(&r);
        AN_TRY(an_bench_time(rates->b, NULL, run_large, &r, &row));
        *seconds = row.seconds / points;
    }
    rates->rate[rates->n].of = *w;
    rates->rate[rates->n++].seconds = *seconds;
    return AN_OK;
}

int an_bench_rates_new(struct an_bench *b, int64_t cells, struct an_bench_rates *rates)
{
    const int edge = 2 * (int)(cbrt((double)cells) / 2);
    const int n = b->cuda ? LARGE_GPU : edge < LARGE_CPU ? edge : LARGE_CPU;
    const int size[1][3] = {{n, n, n}};
    memset(rates, 0, sizeof *rates);
    rates->b = b;
    return an_bench_set_new(&b->engine, 1, size, &rates->large);
}

void an_bench_rates_free(struct an_bench_rates *rates)
{
    an_bench_set_free(&rates->large);
}

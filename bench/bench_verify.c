/* An engine's result against the plain loops of count.cc, from the same numbers. */
#include "bench/bench_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct verification {
    struct an_bench_work *w;
    struct an_bench_memory plain; /* the reference's memory */
    struct an_xsum sum[AN_REFERENCE_BOUNDARIES * AN_NINTEGRAL];
    struct an_reduction red;
};

static size_t elements(const struct an_bench_set *s, int f)
{
    const int wide = an_bench_field_is_double((enum an_field)f);
    return s->bytes[f] / (wide ? sizeof(double) : (size_t)s->e->precision);
}

/* A field of the engine as doubles. */
static int download(const struct an_bench_set *s, int f, double *to)
{
    const size_t n = elements(s, f);
    char *image = malloc(s->bytes[f]);
    AN_CHECK(image, AN_FAIL, "out of memory");
    int status = s->e->op->download(s->e, image, s->f.at[f], s->bytes[f], 0);
    if (!status)
        status = s->e->op->sync(s->e, 0);
    for (size_t k = 0; !status && k < n; k++)
        to[k] =
            s->bytes[f] == n * sizeof(float) ? (double)((float *)image)[k] : ((double *)image)[k];
    free(image);
    return status;
}

/* The start of both: the same numbers, outputs that nobody reads poisoned. */
static int reset(struct verification *v, int poison)
{
    struct an_bench_set *s = v->w->set;
    for (int f = 0; f < AN_NFIELD; f++) {
        if (poison && v->w->account.writes[f] && !v->w->account.reads[f] && !v->w->account.both[f])
            AN_TRY(an_bench_set_poison(s, (enum an_field)f));
        else
            AN_TRY(an_bench_set_fill(s, (enum an_field)f));
        AN_TRY(download(s, f, v->plain.at[f]));
    }
    return AN_OK;
}

static void copies_plain(const struct an_bench_work *w, double *at, int turned)
{
    const struct an_bench_set *s = w->set;
    const int64_t cs = s->layout[0].ncell;
    for (int n = 0; n < s->ncopy; n++) {
        const struct an_copy *c = &s->copy[n];
        for (int k = 0; k < c->n[2]; k++)
            for (int j = 0; j < c->n[1]; j++)
                for (int i = 0; i < c->n[0]; i++) {
                    const int64_t step =
                        i * c->src_stride[0] + j * c->src_stride[1] + k * c->src_stride[2];
                    const double *from = at + c->src + step;
                    double *to = at + c->dst + step;
                    for (int comp = 0; comp < 5; comp++)
                        to[comp * cs] = from[comp * cs];
                    for (int r = 0; turned && r < 3; r++) {
                        const double *m = an_bench_turn + 3 * r;
                        to[(1 + r) * cs] =
                            m[0] * from[cs] + m[1] * from[2 * cs] + m[2] * from[3 * cs];
                    }
                }
    }
}

/* Words of a field that a fused kernel reads or writes. */
static void words(struct an_bench_account *a, enum an_field f, int read, int written)
{
    a->read += read;
    a->written += written;
    a->reads[f] = ((uint64_t)1 << read) - 1;
    a->writes[f] = ((uint64_t)1 << written) - 1;
}

/* A stencil of which only the operations and one field are wanted: another goes back. */
static int plain_step(struct verification *v, enum an_stencil s, enum an_field scratch,
                      struct an_operations *op)
{
    const struct an_bench_set *set = v->w->set;
    const size_t bytes = elements(set, (int)scratch) * sizeof(double);
    struct an_bench_account a = {.points = 0};
    double *keep = malloc(bytes);
    AN_CHECK(keep, AN_FAIL, "out of memory");
    memcpy(keep, v->plain.at[scratch], bytes);
    const int status = an_bench_count_cells(s, &set->layout[0], NULL, &v->plain, v->w->p, NULL, &a);
    memcpy(v->plain.at[scratch], keep, bytes);
    free(keep);
    op->add += a.op.add;
    op->multiply += a.op.multiply;
    op->divide += a.op.divide;
    op->root += a.op.root;
    op->power += a.op.power;
    op->compare += a.op.compare;
    return status;
}

/* The residual, where it belongs to the work, and the viscous terms by the stencils, without the sums in FORCE.
 * Operations: those of the fluxes, of the gradient and of three faces. Engines keep GRAD, and of a stage R, as they
 * were. */
static int viscous_plain(struct verification *v)
{
    struct an_bench_work *w = v->w;
    struct an_bench_set *s = w->set;
    struct an_bench_account *a = &w->account;
    struct an_operations op = {.add = 0}, unused = {.add = 0};
    const int both = w->what == AN_WHAT_RANS || w->what == AN_WHAT_RANS_STAGE;
    const int stage = w->what == AN_WHAT_VISCOUS_STAGE || w->what == AN_WHAT_RANS_STAGE;
    const size_t bytes = elements(s, AN_F_GRAD) * sizeof(double);
    const size_t r_bytes = elements(s, AN_F_R) * sizeof(double);
    double *const force = v->plain.at[AN_F_FORCE];
    double *gradient = malloc(bytes), *r = malloc(r_bytes);
    int status = gradient && r ? AN_OK : an_error_set(AN_FAIL, "out of memory");
    if (!status) {
        memcpy(gradient, v->plain.at[AN_F_GRAD], bytes);
        memcpy(r, v->plain.at[AN_F_R], r_bytes);
    }
    if (!status && both) {
        status = an_bench_count_fused(w->scheme, 0, &s->layout[0], &v->plain, w->p, a);
        op = a->op;
    }
    if (!status)
        status = plain_step(v, AN_S_gradient, AN_F_FLUX, &op);
    if (!status)
        status = plain_step(v, AN_S_viscous_flux, AN_F_FLUX, &op);
    v->plain.at[AN_F_FORCE] = NULL;
    if (!status)
        status = plain_step(v, AN_S_viscous_residual, AN_F_FLUX, &unused);
    v->plain.at[AN_F_FORCE] = force;
    if (!status && stage)
        status = plain_step(v, AN_S_update, AN_F_FLUX, &op);
    if (!status)
        memcpy(v->plain.at[AN_F_GRAD], gradient, bytes);
    if (!status && stage)
        memcpy(v->plain.at[AN_F_R], r, r_bytes);
    free(gradient);
    free(r);
    memset(a, 0, sizeof *a);
    a->points = (double)s->layout[0].interior;
    a->op = op;
    words(a, AN_F_W, 5, 0);
    words(a, AN_F_S, 9, 0);
    words(a, AN_F_DX, 9, 0);
    words(a, AN_F_MUT, 1, 0);
    if (both)
        words(a, AN_F_LAM, 3, 0);
    if (!both || !stage)
        words(a, AN_F_R, both ? 0 : 5, stage ? 0 : both ? 5 : 4);
    if (stage) {
        words(a, AN_F_W0, 5, 0);
        words(a, AN_F_DT, 1, 0);
        words(a, AN_F_WN, 0, 5);
    }
    return status;
}

static int run_plain(struct verification *v)
{
    struct an_bench_work *w = v->w;
    struct an_bench_set *s = w->set;
    const struct an_layout *l = &s->layout[w->level], *other = &s->layout[1 - w->level];
    struct an_bench_account *a = &w->account;
    memset(v->sum, 0, sizeof v->sum);
    memset(&v->red, 0, sizeof v->red);
    switch (w->what) {
    case AN_WHAT_RESIDUAL:
    case AN_WHAT_STAGE:
        return an_bench_count_fused(w->scheme, w->what == AN_WHAT_STAGE, l, &v->plain, w->p, a);
    case AN_WHAT_VISCOUS:
    case AN_WHAT_VISCOUS_STAGE:
    case AN_WHAT_RANS:
    case AN_WHAT_RANS_STAGE:
        return viscous_plain(v);
    case AN_WHAT_COPIES:
    case AN_WHAT_TURNED:
        memset(a, 0, sizeof *a);
        a->points = s->copied;
        a->read = a->written = 5;
        if (w->what == AN_WHAT_TURNED) {
            a->op.multiply = 9;
            a->op.add = 6;
        }
        a->reads[AN_F_W] = a->writes[AN_F_W] = 31;
        copies_plain(w, v->plain.at[AN_F_W], w->what == AN_WHAT_TURNED);
        return AN_OK;
    default:
        break;
    }
    switch (an_bench_kind(w->stencil)) {
    case AN_KIND_FACE:
        return an_bench_count_faces(w->stencil, w->scheme, l, an_bench_work_windows(w), s->window,
                                    s->value, &v->plain, w->p, v->sum, a);
    case AN_KIND_LINE:
        return an_bench_count_lines(w->stencil, w->dir, l, &v->plain, w->p, a);
    default:
        return an_bench_count_cells(w->stencil, l, other, &v->plain, w->p, &v->red, a);
    }
}

/* Not a number where the other is one: infinite. */
static double difference(double a, double b)
{
    if (isnan(a) && isnan(b))
        return 0;
    return isnan(a - b) ? INFINITY : fabs(a - b);
}

/* Largest difference of a field, each component by its own scale. */
static int compare_field(const struct verification *v, int f, double *worst)
{
    const struct an_bench_set *s = v->w->set;
    const size_t n = elements(s, f);
    const int flat =
        f == AN_F_WALL || f == AN_F_PLANE; /* face after face, not component after component */
    const int64_t cs = s->layout[v->w->level].ncell;
    const int ncomp = an_bench_field_components((enum an_field)f);
    double scale[64] = {0}, error[64] = {0};
    size_t numbers = 0;
    double *mine = malloc(n * sizeof *mine);
    AN_CHECK(mine, AN_FAIL, "out of memory");
    int status = download(s, f, mine);
    for (size_t k = 0; !status && k < n; k++) {
        const size_t c = flat ? k % (size_t)ncomp : k / (size_t)cs;
        /* MODE: a sum and what rounding has left of it share a scale */
        const size_t m = f == AN_F_MODE ? c & 2 : c < 63 ? c : 63;
        if (f == AN_F_LINE && v->w->what == AN_WHAT_STENCIL &&
            an_bench_kind(v->w->stencil) == AN_KIND_LINE && !(v->w->account.writes[f] >> c & 1)) {
            numbers++; /* a line solver's own work */
            continue;
        }
        const double reference = v->plain.at[f][k];
        numbers += isfinite(reference) != 0;
        scale[m] = isfinite(reference) ? fmax(scale[m], fabs(reference)) : scale[m];
        const double d = difference(mine[k], reference);
        error[m] = d > error[m] ? d : error[m];
    }
    if (!numbers) /* a comparison of nothing */
        *worst = INFINITY;
    for (int m = 0; m < 64; m++)
        if (error[m] > 0)
            *worst = fmax(*worst, error[m] / fmax(scale[m], 1e-300));
    free(mine);
    return status;
}

static void compare_sums(struct an_xsum *a, struct an_xsum *b, int n, int per, double *worst)
{
    for (int m = 0; m < n; m++) {
        double scale = 0;
        for (int other = m % per; other < n; other += per)
            scale = fmax(scale, fabs(an_xsum_value(b[other])));
        const double d = difference(an_xsum_value(a[m]), an_xsum_value(b[m]));
        if (d > 0)
            *worst = fmax(*worst, d / fmax(scale, 1e-300));
    }
}

static int compare(struct verification *v, double *error)
{
    struct an_bench_work *w = v->w;
    *error = 0;
    for (int f = 0; f < AN_NFIELD; f++)
        AN_TRY(compare_field(v, f, error));
    if (w->what != AN_WHAT_STENCIL || !w->sums)
        return AN_OK;
    if (an_bench_kind(w->stencil) == AN_KIND_FACE) {
        compare_sums(w->sum, v->sum, AN_REFERENCE_BOUNDARIES * AN_NINTEGRAL, AN_NINTEGRAL, error);
        return AN_OK;
    }
    compare_sums(w->red.sum, v->red.sum, AN_NSUM, AN_NSUM, error);
    for (int m = 0; m < AN_NMIN; m++)
        if (isfinite(v->red.min[m]))
            *error = fmax(*error, difference(w->red.min[m], v->red.min[m]) / fabs(v->red.min[m]));
    return AN_OK;
}

int an_bench_work_verify(struct an_bench_work *w, double *error)
{
    struct verification *v = calloc(1, sizeof *v);
    int status = v ? AN_OK : an_error_set(AN_FAIL, "out of memory");
    for (int f = 0; !status && f < AN_NFIELD; f++) {
        v->plain.at[f] = malloc(elements(w->set, f) * sizeof(double));
        if (!v->plain.at[f])
            status = an_error_set(AN_FAIL, "out of memory");
    }
    if (!status) {
        v->w = w;
        status = reset(v, 0);
    }
    if (!status)
        status = run_plain(v); /* for the account: what is read, what is written */
    /* the prolongation goes from the half mesh to the mesh; what else reads another level, the
     * other way round */
    w->level = w->account.other && w->stencil != AN_S_prolong;
    w->sums = w->account.reduces;
    if (!status)
        status = reset(v, 1);
    if (!status)
        status = run_plain(v);
    if (!status)
        status = an_bench_work_run(w);
    if (!status)
        status = w->set->e->op->sync(w->set->e, 0);
    if (!status)
        status = compare(v, error);
    for (int f = 0; v && f < AN_NFIELD; f++)
        free(v->plain.at[f]);
    free(v);
    return status;
}

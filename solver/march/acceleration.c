#include "solver/march/acceleration.h"

#include "mpi/reduce.h"
#include "solver/boundary/control.h"
#include "solver/boundary/coolant.h"
#include "solver/boundary/mixing.h"
#include "solver/flow/fields.h"
#include "solver/flow/turbulence.h"
#include "solver/march/cfl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VECTORS = 2 * AN_MIX_PAIRS + 2 }; /* that snapshots hold: f, g and the pairs */

/* A vector of the unknowns in engine memory. */
struct vector {
    void *flow, *turbulence; /* [5][ncell], [2][ncell] behind it */
};

struct acceleration {
    struct an_accel_watch watch;
    int64_t from; /* cycle the first window begins after */
    int taken;    /* x holds the state before this cycle */
    int pairs;    /* that there is memory for; 0: none was taken yet */
    int n, next;  /* pairs held; the slot the next one goes to */
    int has_last; /* f and g are those of the cycle before */
    struct vector x, f, g, d;
    struct vector df[AN_MIX_PAIRS], dg[AN_MIX_PAIRS];
    struct an_mix_products products;
    enum an_accel_verdict news;
    int64_t news_at;
    char name[VECTORS][AN_MIX_COMPONENTS][16]; /* of the vectors' components in snapshots */
};

/* Not where something beside the flow and the turbulence belongs to the iteration: planes, controls
 * and cooling have values of their own, which the vectors do not hold. */
static int is_wanted(const struct an_solver *s)
{
    const struct an_case *c = s->c;
    return s->implicit && c->march.mode == AN_MARCH_STEADY &&
           c->march.acceleration != AN_ACCELERATION_NONE && !(c->march.damping > 0);
}

static int others_iterate(const struct an_solver *s)
{
    return an_part_of(s, &an_mixing_part) || an_part_of(s, &an_coolant_part) || an_control_acts(s);
}

static size_t component_bytes(const struct an_solver *s)
{
    return (size_t)s->level->layout.ncell * (size_t)s->level->layout.precision;
}

/* Components of TURB. */
static int transported(const struct an_solver *s)
{
    return an_model_of(s->c->turbulence.model)->nvariable;
}

static int vector_new(struct an_solver *s, struct vector *v)
{
    const int n = 5 + transported(s);
    if (v->flow)
        return AN_OK;
    AN_TRY(s->engine->op->alloc(s->engine, (size_t)n * component_bytes(s), &v->flow));
    v->turbulence = n > 5 ? (char *)v->flow + 5 * component_bytes(s) : NULL;
    return AN_OK;
}

static void vector_free(struct an_solver *s, struct vector *v)
{
    if (v->flow)
        s->engine->op->free(s->engine, v->flow);
    v->flow = v->turbulence = NULL;
}

static struct vector state_of(const struct an_solver *s)
{
    return (struct vector){s->level->fields.at[AN_F_W],
                           transported(s) ? s->level->fields.at[AN_F_TURB] : NULL};
}

static int copy(struct an_solver *s, const struct vector *to, const struct vector *from)
{
    const struct an_engine_ops *op = s->engine->op;
    const size_t bytes = component_bytes(s);
    AN_TRY(op->copy(s->engine, to->flow, from->flow, 5 * bytes, 0));
    return transported(s) ? op->copy(s->engine, to->turbulence, from->turbulence,
                                     (size_t)transported(s) * bytes, 0)
                          : AN_OK;
}

/* out = a + part b. */
static int add(struct an_solver *s, const struct vector *out, const struct vector *a, double part,
               const struct vector *b)
{
    struct an_fields f = s->level->fields;
    struct an_params p = s->params;
    f.at[AN_F_W0] = a->flow;
    f.at[AN_F_R] = b->flow;
    f.at[AN_F_WN] = out->flow;
    f.at[AN_F_DIAGT] = a->turbulence;
    f.at[AN_F_RT] = b->turbulence;
    f.at[AN_F_TURB] = out->turbulence;
    p.alpha = part;
    return s->engine->op->run(s->engine, AN_S_mix_add, s->level->interior, &f, &p, NULL, 0);
}

/* Products of two vectors, of this rank. */
static int dot(struct an_solver *s, const struct vector *a, const struct vector *b,
               struct an_xsum sum[AN_MIX_COMPONENTS])
{
    struct an_fields f = s->level->fields;
    struct an_reduction red;
    f.at[AN_F_W0] = a->flow;
    f.at[AN_F_R] = b->flow;
    f.at[AN_F_DIAGT] = a->turbulence;
    f.at[AN_F_RT] = b->turbulence;
    AN_TRY(
        s->engine->op->run(s->engine, AN_S_mix_dot, s->level->interior, &f, &s->params, &red, 0));
    memcpy(sum, red.sum, AN_MIX_COMPONENTS * sizeof *sum);
    return AN_OK;
}

/* Memory for as many pairs as there is room for on every rank. */
static int take_memory(struct an_solver *s, struct acceleration *a)
{
    int status = vector_new(s, &a->x);
    if (status == AN_OK)
        status = vector_new(s, &a->f);
    if (status == AN_OK)
        status = vector_new(s, &a->g);
    if (status == AN_OK)
        status = vector_new(s, &a->d);
    AN_TRY(an_reduce_status(s->comm, status));
    int n = 0;
    while (n < AN_MIX_PAIRS && vector_new(s, &a->df[n]) == AN_OK &&
           vector_new(s, &a->dg[n]) == AN_OK)
        n++;
    double least = n;
    AN_TRY(an_reduce_min(s->comm, 1, &least));
    a->pairs = (int)least;
    return AN_OK;
}

static void forget_pairs(struct acceleration *a)
{
    a->n = a->next = a->has_last = 0;
}

/* Is the change of the cycle that begins at this iteration a sample? */
static int is_due(const struct an_solver *s)
{
    const int64_t begins = an_marching_of(s)->ramp_from + s->c->march.cfl_ramp + 20;
    return s->iteration >= begins && (s->iteration - begins) % AN_ACCEL_SAMPLE == 0;
}

static int before_step(struct an_solver *s, void *part)
{
    struct acceleration *a = part;
    a->taken = !others_iterate(s) && (is_due(s) || a->watch.on);
    if (!a->taken)
        return AN_OK;
    int status = vector_new(s, &a->x);
    if (status == AN_OK)
        status = vector_new(s, &a->f);
    AN_TRY(an_reduce_status(s->comm, status));
    const struct vector now = state_of(s);
    return copy(s, &a->x, &now);
}

/* The products of the newest pair with all and of f with all, summed over the ranks. */
static int multiply(struct an_solver *s, struct acceleration *a)
{
    struct an_mix_products *p = &a->products;
    const int newest = a->n ? (a->next + a->pairs - 1) % a->pairs : 0;
    struct an_xsum sum[2 * AN_MIX_PAIRS + 1][AN_MIX_COMPONENTS];
    int status = dot(s, &a->f, &a->f, sum[0]);
    for (int j = 0; j < a->n && status == AN_OK; j++) {
        status = dot(s, &a->f, &a->df[j], sum[1 + j]);
        if (status == AN_OK)
            status = dot(s, &a->df[newest], &a->df[j], sum[1 + a->n + j]);
    }
    AN_TRY(an_reduce_status(s->comm, status));
    AN_TRY(an_reduce_xsum(s->comm, (1 + 2 * a->n) * AN_MIX_COMPONENTS, sum[0]));
    for (int c = 0; c < AN_MIX_COMPONENTS; c++) {
        p->ff[c] = an_xsum_value(sum[0][c]);
        for (int j = 0; j < a->n; j++) {
            p->fd[c][j] = an_xsum_value(sum[1 + j][c]);
            p->dd[c][newest][j] = p->dd[c][j][newest] = an_xsum_value(sum[1 + a->n + j][c]);
        }
    }
    return AN_OK;
}

/* f and g of this cycle, and what they differ by from those of the cycle before. */
static int take_pair(struct an_solver *s, struct acceleration *a, const struct vector *now)
{
    if (a->has_last) { /* d: f of this cycle */
        AN_TRY(add(s, &a->d, now, -1, &a->x));
        AN_TRY(add(s, &a->df[a->next], &a->d, -1, &a->f));
        AN_TRY(add(s, &a->dg[a->next], now, -1, &a->g));
        a->next = (a->next + 1) % a->pairs;
        a->n += a->n < a->pairs;
    }
    AN_TRY(add(s, &a->f, now, -1, &a->x));
    AN_TRY(copy(s, &a->g, now));
    a->has_last = 1;
    return AN_OK;
}

/* The state moves by - sum y_j dG_j, shortened where a cell would change too much. */
static int mix(struct an_solver *s, struct acceleration *a, const double *y,
               const struct vector *now)
{
    struct an_fields f = s->level->fields;
    struct an_params p = s->params;
    struct an_reduction red;
    AN_TRY(add(s, &a->d, &a->dg[0], -1, &a->dg[0])); /* zero */
    for (int j = 0; j < a->n; j++)
        AN_TRY(add(s, &a->d, &a->d, -y[j], &a->dg[j]));
    f.at[AN_F_W0] = f.at[AN_F_WN] = now->flow;
    f.at[AN_F_DW] = a->d.flow;
    f.at[AN_F_RT] = a->d.turbulence;
    f.at[AN_F_TURB] = now->turbulence;
    AN_TRY(s->engine->op->run(s->engine, AN_S_mix_change, s->level->interior, &f, &p, &red, 0));
    double largest = -red.min[0];
    largest = largest >= 0 ? largest : 0; /* a rank without cells */
    AN_TRY(an_reduce_max(s->comm, 1, &largest));
    if (!(largest < 1e29)) {
        forget_pairs(a);
        return AN_OK;
    }
    p.alpha = largest > 0.2 ? 0.2 / largest : 1;
    AN_TRY(s->engine->op->run(s->engine, AN_S_mix_apply, s->level->interior, &f, &p, NULL, 0));
    s->residual_is_current = 0;
    return an_solver_refresh(s);
}

/* Mean over the components of log10 |f|; *rounding: f is as small as the precision allows. */
static int sample(struct an_solver *s, struct acceleration *a, double *value, int *rounding)
{
    struct an_xsum square[AN_MIX_COMPONENTS];
    AN_TRY(an_reduce_status(s->comm, dot(s, &a->x, &a->x, square)));
    AN_TRY(an_reduce_xsum(s->comm, AN_MIX_COMPONENTS, square));
    const double least = s->c->precision == AN_SINGLE ? 3e-6 : 1e-13;
    int n = 0;
    *value = 0;
    *rounding = 1;
    for (int c = 0; c < AN_MIX_COMPONENTS; c++) {
        const double ff = a->products.ff[c];
        if (!(ff > 0))
            continue;
        *value += 0.5 * log10(ff);
        n++;
        *rounding &= ff < least * least * an_xsum_value(square[c]);
    }
    *value = n ? *value / n : -300;
    return AN_OK;
}

static int judge(struct an_solver *s, struct acceleration *a)
{
    double value;
    int rounding;
    AN_TRY(sample(s, a, &value, &rounding));
    const enum an_accel_verdict verdict = an_accel_watch_note(&a->watch, value, rounding);
    if (verdict == AN_ACCEL_BEGINS) {
        AN_TRY(take_memory(s, a));
        forget_pairs(a);
        if (a->pairs < 4) { /* no room */
            a->watch.on = 0;
            a->watch.tries = AN_ACCEL_TRIES;
            return AN_OK;
        }
    }
    if (verdict != AN_ACCEL_GOES_ON) {
        a->news = verdict;
        a->news_at = s->iteration + 1;
    }
    return AN_OK;
}

static int after_step(struct an_solver *s, void *part)
{
    struct acceleration *a = part;
    if (!a->taken)
        return AN_OK;
    const struct vector now = state_of(s);
    if (a->watch.on) {
        double y[AN_MIX_PAIRS];
        AN_TRY(take_pair(s, a, &now));
        AN_TRY(multiply(s, a));
        if (a->n && an_mix_weights(&a->products, a->n, y) < 1)
            AN_TRY(mix(s, a, y, &now));
    } else {
        AN_TRY(add(s, &a->f, &now, -1, &a->x));
        forget_pairs(a);
        AN_TRY(multiply(s, a));
    }
    return is_due(s) ? judge(s, a) : AN_OK;
}

static int make(struct an_solver *s, void **part)
{
    struct acceleration *a = is_wanted(s) ? calloc(1, sizeof *a) : NULL;
    *part = a;
    if (!is_wanted(s))
        return AN_OK;
    AN_CHECK(a, AN_FAIL, "out of memory for the acceleration");
    an_accel_watch_reset(&a->watch);
    for (int v = 0; v < VECTORS; v++)
        for (int c = 0; c < AN_MIX_COMPONENTS; c++)
            snprintf(a->name[v][c], sizeof a->name[v][c], "Mixing%02d_%d", v, c);
    return AN_OK;
}

static void destroy(struct an_solver *s, void *part)
{
    struct acceleration *a = part;
    struct vector *one[] = {&a->x, &a->f, &a->g, &a->d};
    for (size_t n = 0; n < sizeof one / sizeof *one; n++)
        vector_free(s, one[n]);
    for (int n = 0; n < AN_MIX_PAIRS; n++) {
        vector_free(s, &a->df[n]);
        vector_free(s, &a->dg[n]);
    }
    free(a);
}

/* Vector v of those that snapshots hold. */
static struct vector *held(struct acceleration *a, int v)
{
    return v == 0 ? &a->f : v == 1 ? &a->g : v % 2 ? &a->dg[v / 2 - 1] : &a->df[v / 2 - 1];
}

static int fields(const struct an_solver *s, const void *part, struct an_state_field *field)
{
    const struct acceleration *a = part;
    const int vectors = !a->watch.on || !a->has_last ? 0 : 2 + 2 * a->n;
    const int turbulence = transported(s);
    int n = 0;
    for (int v = 0; v < vectors; v++)
        for (int c = 0; c < 5 + turbulence; c++)
            field[n++] = (struct an_state_field){
                a->name[v][c],
                (char *)held((struct acceleration *)part, v)->flow + (size_t)c * component_bytes(s),
                1};
    return n;
}

/* The window's samples and how many pairs there are; products follow from the vectors. */
static int keep(const struct an_solver *s, const void *part, struct an_snapshot_meta *meta)
{
    (void)s;
    const struct acceleration *a = part;
    const struct an_accel_watch *w = &a->watch;
    if (!w->n && !w->on && !w->tries && !w->flat && isnan(w->before))
        return AN_OK;
    char name[64];
    const double number[] = {w->on, w->tries, w->flat,  w->poor,
                             a->n,  a->next,  a->pairs, a->has_last};
    for (size_t n = 0; n < sizeof number / sizeof *number; n++) {
        snprintf(name, sizeof name, "march.acceleration.%d", (int)n);
        AN_TRY(an_snapshot_control_add(meta, name, number[n]));
    }
    if (!isnan(w->before))
        AN_TRY(an_snapshot_control_add(meta, "march.acceleration.before", w->before));
    for (int n = 0; n < w->n; n++) {
        snprintf(name, sizeof name, "march.acceleration.sample.%d", n);
        AN_TRY(an_snapshot_control_add(meta, name, w->sample[n]));
    }
    return AN_OK;
}

static void take_watch(struct acceleration *a, const struct an_snapshot_meta *meta)
{
    struct an_accel_watch *w = &a->watch;
    int *const number[] = {&w->on, &w->tries, &w->flat,  &w->poor,
                           &a->n,  &a->next,  &a->pairs, &a->has_last};
    char name[64];
    an_accel_watch_reset(w);
    for (size_t n = 0; n < sizeof number / sizeof *number; n++) {
        snprintf(name, sizeof name, "march.acceleration.%d", (int)n);
        *number[n] = (int)an_snapshot_control_get(meta, name, 0);
    }
    w->before = an_snapshot_control_get(meta, "march.acceleration.before", NAN);
    for (w->n = 0; w->n < AN_ACCEL_SAMPLES - 1; w->n++) {
        snprintf(name, sizeof name, "march.acceleration.sample.%d", w->n);
        w->sample[w->n] = an_snapshot_control_get(meta, name, INFINITY);
        if (w->sample[w->n] == INFINITY)
            break;
    }
}

/* The vectors of a snapshot are about to be read. */
static int expect(struct an_solver *s, void *part, const struct an_snapshot_meta *meta)
{
    struct acceleration *a = part;
    take_watch(a, meta);
    if (!a->watch.on)
        return AN_OK;
    const int pairs = a->pairs;
    AN_CHECK(pairs >= 1 && pairs <= AN_MIX_PAIRS && a->n >= 0 && a->n <= pairs && a->next >= 0 &&
                 a->next < pairs,
             AN_INPUT, "the snapshot's record of the acceleration is damaged: %d pairs of %d", a->n,
             pairs);
    AN_TRY(take_memory(s, a));
    AN_CHECK(a->pairs >= pairs, AN_FAIL,
             "the snapshot holds %d pairs of vectors of the acceleration, and there is memory for "
             "%d; march.acceleration: none goes on without",
             pairs, a->pairs);
    a->pairs = pairs;
    return AN_OK;
}

static int start(struct an_solver *s, void *part, int fresh)
{
    (void)s;
    struct acceleration *a = part;
    if (fresh) {
        an_accel_watch_reset(&a->watch);
        forget_pairs(a);
    }
    return AN_OK;
}

/* Products of the pairs that were read. */
static int catch_up(struct an_solver *s, void *part)
{
    struct acceleration *a = part;
    if (!a->watch.on)
        return AN_OK;
    const int next = a->next, n = a->n;
    for (int m = 0; m < n; m++) { /* each in turn as the newest */
        a->next = (m + 1) % a->pairs;
        AN_TRY(multiply(s, a));
    }
    a->next = next;
    return AN_OK;
}

const struct an_part_type an_accel_part = {.name = "acceleration",
                                           .make = make,
                                           .destroy = destroy,
                                           .expect = expect,
                                           .start = start,
                                           .catch_up = catch_up,
                                           .before_step = before_step,
                                           .after_step = after_step,
                                           .fields = fields,
                                           .keep = keep};

int an_accel_exhausted(const struct an_solver *s)
{
    const struct acceleration *a = an_part_of(s, &an_accel_part);
    return !a || others_iterate(s) || (a->watch.tries > 0 && !a->watch.on);
}

int an_accel_mixes(const struct an_solver *s)
{
    const struct acceleration *a = an_part_of(s, &an_accel_part);
    return a && a->watch.on;
}

void an_accel_forget(struct an_solver *s)
{
    struct acceleration *a = an_part_of(s, &an_accel_part);
    if (!a)
        return;
    an_accel_watch_reset(&a->watch);
    forget_pairs(a);
}

int an_accel_news(struct an_solver *s, char *text, size_t size)
{
    struct acceleration *a = an_part_of(s, &an_accel_part);
    if (!a || a->news == AN_ACCEL_GOES_ON)
        return 0;
    if (a->news == AN_ACCEL_BEGINS)
        snprintf(text, size,
                 "the march has stalled: from iteration %lld on its cycles are mixed (Anderson, "
                 "%d pairs)",
                 (long long)a->news_at, a->pairs);
    else
        snprintf(text, size, "mixing cycles gains nothing: it ends at iteration %lld",
                 (long long)a->news_at);
    a->news = AN_ACCEL_GOES_ON;
    return 1;
}

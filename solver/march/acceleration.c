#include "solver/march/acceleration.h"

#include "mpi/reduce.h"
#include "solver/boundary/mixing.h"
#include "solver/flow/fields.h"
#include "solver/march/acceleration_watch.h"
#include "solver/march/cfl.h"
#include "solver/march/mixing_history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MIXED_EVERY = 2,
    LEAST_CYCLES = 8,
    VECTORS = 1 + 2 * AN_MIX_CYCLES
}; /* `kept`, and f and g of each cycle */
_Static_assert((int)AN_MOST_MIXED == (int)VECTORS * (int)AN_MIX_COMPONENTS, "room in snapshots");

enum news { NOTHING, BEGAN, NEARBY, AGAIN, ENDED, WENT_BACK, NO_MEMORY };

struct acceleration {
    const char *idle; /* why no cycles are mixed in this run; NULL: they may be */
    double cells;     /* of all ranks */
    struct an_accel_watch watch;
    int taken; /* the state before this cycle was kept */
    int mixed; /* last iteration that mixed cycles whose change was larger than rounding; 0: none */
    double cfl;                    /* of the cycles kept */
    struct an_mix_vector x, kept;  /* the state before a cycle, or work; that the mixing began at */
    struct an_mix_history history; /* of the cycles that are mixed */
    enum news news;
    int64_t news_at;
    char name[VECTORS][AN_MIX_COMPONENTS][16]; /* of the vectors' components in snapshots */
};

/* Reasons not to mix cycles, for the head of the output. */
static const char *reason(const struct an_solver *s)
{
    return !s->implicit              ? "the march is explicit"
           : s->c->march.damping > 0 ? "march.damping acts"
           : an_case_fraction(s->c) >= 0
               ? "gas.fraction changes the gas of the cells from cycle to cycle"
               : NULL;
}

/* Is the change of the cycle that begins at this iteration a sample? The host waits for its result: not
 * where it is usual that a line of the table is written meanwhile. */
static int is_due(const struct an_solver *s)
{
    const int64_t begins = an_marching_of(s)->ramp_from + s->c->march.cfl_ramp + 20;
    return s->iteration >= begins &&
           (s->iteration - begins) % AN_ACCEL_SAMPLE == AN_ACCEL_SAMPLE / 2;
}

static int take_up(struct an_solver *s, struct acceleration *a);

static int acceleration_before_step(struct an_solver *s, void *component)
{
    struct acceleration *a = component;
    if (a->watch.on && !a->history.room)
        AN_TRY(take_up(s, a));
    a->taken = !a->idle && (is_due(s) || a->watch.on);
    if (!a->taken)
        return AN_OK;
    if (a->watch.on) {
        if (a->cfl != s->params.march.cfl)
            an_mix_forget(&a->history);
        a->cfl = s->params.march.cfl;
        return an_mix_before(s, &a->history);
    }
    AN_TRY(an_reduce_status(s->comm, an_mix_vector_new(s, &a->x)));
    const struct an_mix_vector now = an_mix_state(s);
    return an_mix_copy(s, &a->x, &now);
}

/* ---- samples ---- */

/* Squares by component of a vector. The momentum counts as a mean over its three components, so that
 * it does not matter how the axes lie. */
static void sizes(const struct an_mix_norms *norm, double square[AN_MIX_COMPONENTS])
{
    square[0] = norm->density;
    square[1] = square[2] = square[3] = norm->momentum / 3;
    square[4] = norm->energy;
    square[5] = norm->turbulence[0];
    square[6] = norm->turbulence[1];
}

/* Mean over the components of log10 |f|. */
static double size_of(const double square[AN_MIX_COMPONENTS])
{
    double sum = 0;
    int n = 0;
    for (int c = 0; c < AN_MIX_COMPONENTS; c++)
        if (square[c] > 0) {
            sum += 0.5 * log10(square[c]);
            n++;
        }
    return n ? sum / n : -300;
}

/* Powers of two near 1 / |f|; they hold while the mixing is on. */
static void set_scale(struct an_mix_history *h, const double square[AN_MIX_COMPONENTS])
{
    for (int c = 0; c < AN_MIX_COMPONENTS; c++)
        h->scale[c] = square[c] > 0 ? exp2(-round(0.5 * log2(square[c]))) : 0;
}

/* Is the change as small as the precision allows? */
static int is_rounding(const struct an_solver *s, const struct acceleration *a,
                       const struct an_mix_norms *norm)
{
    const double least = s->c->precision == AN_SINGLE ? 1e-6 : 1e-13;
    return norm->relative <= least * least * a->cells;
}

/* ---- the mixing begins and ends ---- */

static void tell(struct an_solver *s, struct acceleration *a, enum news news)
{
    a->news = news;
    a->news_at = s->iteration + 1;
}

static void end(struct an_solver *s, struct acceleration *a)
{
    an_mix_free_memory(s, &a->history);
    an_mix_vector_free(s, &a->kept);
}

/* Memory for cycles to mix, and the present state to go back to. Without memory the mixing is given up. */
static int begin(struct an_solver *s, struct acceleration *a, enum news news)
{
    const struct an_mix_vector now = an_mix_state(s);
    double there = an_mix_vector_new(s, &a->kept) == AN_OK;
    AN_TRY(an_reduce_min(s->comm, 1, &there));
    if (there > 0)
        AN_TRY(an_mix_take_memory(s, &a->history, LEAST_CYCLES));
    if (a->history.room == 0) {
        end(s, a);
        an_accel_watch_reset(&a->watch);
        a->watch.tries = AN_ACCEL_TRIES;
        tell(s, a, NO_MEMORY);
        return AN_OK;
    }
    a->cfl = s->params.march.cfl;
    tell(s, a, news);
    return an_mix_copy(s, &a->kept, &now);
}

/* The flow settled while its cycles were mixed: so are those of this march, with the scales of then. */
static int take_up(struct an_solver *s, struct acceleration *a)
{
    AN_TRY(begin(s, a, AGAIN));
    return a->watch.on ? an_reduce_status(s->comm, an_mix_vector_new(s, &a->x)) : AN_OK;
}

static int go_back(struct an_solver *s, struct acceleration *a)
{
    const struct an_mix_vector now = an_mix_state(s);
    AN_TRY(an_mix_copy(s, &now, &a->kept));
    s->residual_is_current = 0;
    return an_solver_refresh(s);
}

static int judge(struct an_solver *s, struct acceleration *a, const struct an_mix_norms *norm)
{
    double square[AN_MIX_COMPONENTS];
    sizes(norm, square);
    const int rounding = is_rounding(s, a, norm);
    if (a->watch.on && !rounding)
        a->mixed = (int)s->iteration + 1;
    const struct an_mixing *planes = an_mixing_of(s);
    const int look = an_accel_watch_look(planes ? planes->nplane : 0), armed = a->watch.armed;
    switch (an_accel_watch_note(&a->watch, size_of(square), rounding, look)) {
    case AN_ACCEL_GOES_ON:
        return AN_OK;
    case AN_ACCEL_ANEW:
        an_mix_forget(&a->history);
        return AN_OK;
    case AN_ACCEL_BEGINS:
        set_scale(&a->history, square);
        return begin(s, a, armed ? NEARBY : BEGAN);
    case AN_ACCEL_ENDS_BACK:
        AN_TRY(go_back(s, a));
        tell(s, a, WENT_BACK);
        break;
    case AN_ACCEL_ENDS:
        tell(s, a, ENDED);
    }
    end(s, a);
    return AN_OK;
}

static int acceleration_after_step(struct an_solver *s, void *component)
{
    struct acceleration *a = component;
    struct an_mix_norms norm;
    const int due = a->taken && is_due(s), mixes = a->taken && a->watch.on;
    if (due) {
        const struct an_mix_vector x =
            mixes ? an_mix_change(s, &a->history, a->history.next) : a->x;
        AN_TRY(an_mix_norm(s, &x, &norm));
    }
    if (mixes) {
        AN_TRY(an_mix_take(s, &a->history));
        if (s->iteration % MIXED_EVERY == 1) /* lines of the table come at even iterations */
            AN_TRY(an_mix_step(s, &a->history, &a->x));
    }
    return due ? judge(s, a, &norm) : AN_OK;
}

/* ---- the part ---- */

static int acceleration_make(struct an_solver *s, void **component)
{
    if (s->c->march.mode != AN_MARCH_STEADY || s->c->march.acceleration == AN_ACCELERATION_NONE)
        return AN_OK;
    struct acceleration *a = calloc(1, sizeof *a);
    *component = a;
    AN_CHECK(a, AN_FAIL, "out of memory for the acceleration");
    a->idle = reason(s);
    for (int n = 0; n < s->level->partition.npiece; n++) {
        const struct an_piece *p = &s->level->partition.piece[n];
        a->cells += (double)(p->hi[0] - p->lo[0]) * (p->hi[1] - p->lo[1]) * (p->hi[2] - p->lo[2]);
    }
    an_accel_watch_reset(&a->watch);
    for (int v = 0; v < VECTORS; v++)
        for (int c = 0; c < AN_MIX_COMPONENTS; c++)
            snprintf(a->name[v][c], sizeof a->name[v][c], "Mixing%02d_%d", v, c);
    return AN_OK;
}

static void acceleration_destroy(struct an_solver *s, void *component)
{
    struct acceleration *a = component;
    end(s, a);
    an_mix_vector_free(s, &a->x);
    free(a);
}

static void acceleration_print(const struct an_solver *s, const void *component, FILE *out)
{
    (void)s;
    const struct acceleration *a = component;
    if (a->idle)
        fprintf(out, "march       cycles are not mixed where the residual stalls: %s\n", a->idle);
}

/* Vector v of those that snapshots hold. */
static struct an_mix_vector held(const struct an_solver *s, const struct acceleration *a, int v)
{
    return v == 0  ? a->kept
           : v % 2 ? an_mix_change(s, &a->history, v / 2)
                   : a->history.g[v / 2 - 1];
}

static int acceleration_fields(const struct an_solver *s, const void *component,
                               struct an_state_field *field)
{
    const struct acceleration *a = component;
    const int vectors = a->history.room ? 1 + 2 * a->history.n : 0;
    const size_t bytes = (size_t)s->level->layout.ncell * (size_t)s->level->layout.precision;
    int n = 0;
    for (int v = 0; v < vectors; v++)
        for (int c = 0; c < an_mix_components(s); c++)
            field[n++] = (struct an_state_field){a->name[v][c],
                                                 (char *)held(s, a, v).flow + (size_t)c * bytes, 1};
    return n;
}

/* ---- its record: counts, numbers, samples; products follow from the vectors ---- */

enum { COUNTS = 14, NUMBERS = 3 + AN_MIX_COMPONENTS };

static void counts_of(struct acceleration *a, int *count[COUNTS])
{
    struct an_accel_watch *w = &a->watch;
    int *const list[COUNTS] = {&w->on,        &w->tries,        &w->flat,         &w->windows,
                               &w->poor,      &w->idle,         &w->since,        &w->n,
                               &a->history.n, &a->history.next, &a->history.room, &w->stands,
                               &a->mixed,     &w->armed};
    memcpy(count, list, sizeof list);
}

static void numbers_of(struct acceleration *a, double *number[NUMBERS])
{
    double *const list[3] = {&a->watch.level, &a->watch.least, &a->cfl};
    memcpy(number, list, sizeof list);
    for (int c = 0; c < AN_MIX_COMPONENTS; c++)
        number[3 + c] = &a->history.scale[c];
}

static int acceleration_keep(const struct an_solver *s, const void *component,
                             struct an_snapshot_meta *meta)
{
    (void)s;
    struct acceleration a = *(const struct acceleration *)component; /* for the addresses below */
    int *count[COUNTS];
    double *number[NUMBERS];
    char name[64];
    counts_of(&a, count);
    numbers_of(&a, number);
    if (!a.watch.n && !a.watch.on && !a.watch.armed && !a.watch.tries)
        return AN_OK;
    for (int n = 0; n < COUNTS; n++) {
        snprintf(name, sizeof name, "march.acceleration.count.%d", n);
        AN_TRY(an_snapshot_control_add(meta, name, *count[n]));
    }
    for (int n = 0; (a.watch.on || a.watch.armed) && n < NUMBERS; n++) {
        snprintf(name, sizeof name, "march.acceleration.number.%d", n);
        AN_TRY(an_snapshot_control_add(meta, name, *number[n]));
    }
    for (int n = 0; n < a.watch.n; n++) {
        snprintf(name, sizeof name, "march.acceleration.sample.%d", n);
        AN_TRY(an_snapshot_control_add(meta, name, a.watch.sample[n]));
    }
    return AN_OK;
}

static void take_record(struct acceleration *a, const struct an_snapshot_meta *meta)
{
    int *count[COUNTS];
    double *number[NUMBERS];
    char name[64];
    counts_of(a, count);
    numbers_of(a, number);
    for (int n = 0; n < COUNTS; n++) {
        snprintf(name, sizeof name, "march.acceleration.count.%d", n);
        *count[n] = (int)an_snapshot_control_get(meta, name, 0);
    }
    for (int n = 0; n < NUMBERS; n++) {
        snprintf(name, sizeof name, "march.acceleration.number.%d", n);
        *number[n] = an_snapshot_control_get(meta, name, 0);
    }
    for (int n = 0; n < AN_ACCEL_LONG; n++) {
        snprintf(name, sizeof name, "march.acceleration.sample.%d", n);
        a->watch.sample[n] = an_snapshot_control_get(meta, name, 0);
    }
}

/* The vectors of a snapshot are about to be read. */
static int acceleration_expect(struct an_solver *s, void *component,
                               const struct an_snapshot_meta *meta)
{
    struct acceleration *a = component;
    struct an_mix_history *h = &a->history;
    end(s, a);
    take_record(a, meta);
    const int n = h->n, next = h->next, room = h->room, samples = a->watch.n;
    h->room = 0;
    AN_CHECK(
        room >= 0 && room <= AN_MIX_CYCLES && room % AN_MIX_GROUP == 0 && n >= 0 && n <= room &&
            next >= 0 && (next < room || next == 0) && (n == room || next == n) && samples >= 0 &&
            samples <= AN_ACCEL_LONG && a->watch.since >= 0 && a->watch.since < AN_ACCEL_SAMPLES,
        AN_INPUT, "the snapshot's record of the acceleration is damaged: %d cycles of %d", n, room);
    if (a->idle)
        a->watch.on = 0;
    if (!a->watch.on || room == 0) /* without cycles: take_up */
        return AN_OK;
    AN_TRY(an_mix_vector_new(s, &a->x));
    AN_TRY(an_mix_vector_new(s, &a->kept));
    AN_TRY(an_mix_take_memory(s, h, room));
    AN_CHECK(h->room >= room, AN_FAIL,
             "there is not enough memory for the %d cycles that the snapshot's march mixes; "
             "march.acceleration: none goes on without them",
             n);
    h->n = n;
    h->next = next;
    return AN_OK;
}

static void begin_anew(struct an_solver *s, struct acceleration *a)
{
    an_accel_watch_reset(&a->watch);
    a->mixed = 0;
    end(s, a);
}

static int acceleration_start(struct an_solver *s, void *component, int fresh)
{
    struct acceleration *a = component;
    if (fresh)
        begin_anew(s, a);
    return AN_OK;
}

static int acceleration_catch_up(struct an_solver *s, void *component)
{
    struct acceleration *a = component;
    return a->history.room ? an_mix_products(s, &a->history) : AN_OK;
}

const struct an_component_type an_accel_component = {.name = "acceleration",
                                                     .after = AN_AFTER("march"),
                                                     .make = acceleration_make,
                                                     .destroy = acceleration_destroy,
                                                     .expect = acceleration_expect,
                                                     .start = acceleration_start,
                                                     .catch_up = acceleration_catch_up,
                                                     .before_step = acceleration_before_step,
                                                     .after_step = acceleration_after_step,
                                                     .fields = acceleration_fields,
                                                     .keep = acceleration_keep,
                                                     .print = acceleration_print};

int an_accel_exhausted(const struct an_solver *s)
{
    const struct acceleration *a = an_component_of(s, &an_accel_component);
    return !a || a->idle || an_accel_watch_exhausted(&a->watch);
}

int an_accel_given_up(const struct an_solver *s)
{
    const struct acceleration *a = an_component_of(s, &an_accel_component);
    return a && !a->idle && a->mixed > 0 && !a->watch.on && a->watch.tries >= AN_ACCEL_TRIES;
}

int an_accel_mixes(const struct an_solver *s)
{
    const struct acceleration *a = an_component_of(s, &an_accel_component);
    return a && a->watch.on;
}

int an_accel_holds(const struct an_solver *s, int iterations)
{
    const struct acceleration *a = an_component_of(s, &an_accel_component);
    return a && a->mixed > 0 && s->iteration - a->mixed < iterations;
}

void an_accel_forget(struct an_solver *s)
{
    struct acceleration *a = an_component_of(s, &an_accel_component);
    if (!a)
        return;
    begin_anew(s, a);
}

void an_accel_rearm(struct an_solver *s)
{
    struct acceleration *a = an_component_of(s, &an_accel_component);
    if (!a)
        return;
    an_accel_watch_arm(&a->watch);
    a->mixed = 0;
    end(s, a);
}

void an_accel_release(struct an_solver *s)
{
    struct acceleration *a = an_component_of(s, &an_accel_component);
    if (!a)
        return;
    end(s, a);
    an_accel_watch_again(&a->watch);
}

int an_accel_news(struct an_solver *s, char *text, size_t size)
{
    struct acceleration *a = an_component_of(s, &an_accel_component);
    if (!a || a->news == NOTHING)
        return 0;
    const long long at = (long long)a->news_at;
    if (a->news == BEGAN)
        snprintf(text, size,
                 "the march has stalled: from iteration %lld on its cycles are mixed (Anderson, up "
                 "to %d cycles)",
                 at, a->history.room);
    else if (a->news == NEARBY)
        snprintf(
            text, size,
            "plain cycles lead away from the flow of this point or swing about it: from iteration "
            "%lld on they are mixed (Anderson, up to %d cycles)",
            at, a->history.room);
    else if (a->news == AGAIN)
        snprintf(
            text, size,
            "the flow settled while its cycles were mixed: so are those from iteration %lld on",
            at);
    else if (a->news == NO_MEMORY)
        snprintf(
            text, size,
            "the march has stalled at iteration %lld, and there is no memory to mix its cycles "
            "(%d cycles at least)",
            at, (int)LEAST_CYCLES);
    else
        snprintf(text, size, "mixing cycles gains nothing: it ends at iteration %lld%s", at,
                 a->news == WENT_BACK ? ", and the march goes back to where the mixing began" : "");
    a->news = NOTHING;
    return 1;
}

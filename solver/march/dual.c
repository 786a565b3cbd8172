#include "solver/march/dual.h"

#include "mpi/reduce.h"
#include "solver/boundary/inlets.h"
#include "solver/boundary/phase_lag.h"
#include "solver/boundary/sliding.h"
#include "solver/flow/flow.h"
#include "solver/flow/intermittency.h"
#include "solver/flow/turbulence.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/march/cfl.h"
#include "solver/march/multigrid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLEND 0.48 /* part of BDF3 */
/* Error of a step over that of its first guess: BDF2, the blend. */
#define STEP_ERROR       0.2
#define STEP_ERROR_BLEND 0.1
/* First steps have a guess of lower order: their error is a smaller part of the guess's. */
#define STEP_ERROR_START 0.01
#define UNEQUAL          1e-9 /* relative difference of steps that count as equal */
/* So much of a step before its end a run has ended: times of 1e5 steps add up to an error of 2e-7. */
#define SLIVER 1e-6
/* A look finds that R* has stalled if it is not below this part of the best so far. */
#define STALLED 0.95
/* Inner iterations that leave more than this times R* of the first guess have diverged, even if all numbers are finite. */
#define GROWN 100
enum { STALLED_LOOKS = 3, NEQUATION = 3 + AN_NCOMP_TURB };

struct dual {
    double last;     /* s, the step before */
    int known;       /* earlier states that are equal steps apart: 0, 1, 2 */
    int predicted;   /* inner iterations of the step before */
    double fraction; /* of this step: error of the step over that of the guess */
    struct an_dual_report report;
};

/* R* of the present iterate, squared and summed, and what rounding leaves of it. */
struct left {
    double star[NEQUATION], noise[NEQUATION];
    int sound;
};

/* ---- coefficients ---- */

/* Sets the weights of a step of dt and of its first guess. */
static void set_weights(struct an_solver *s, struct dual *d, double dt)
{
    const int blend = s->c->march.time_scheme == AN_TIME_BLEND;
    const double ratio = d->known ? dt / d->last : 1;
    const int equal = fabs(ratio - 1) <= UNEQUAL;
    double c0 = 1, a1 = 0, a2 = 0, guess1 = 0, guess2 = 0;
    d->fraction = STEP_ERROR_START;
    if (d->known == 2 && equal) {
        const double b = blend ? BLEND : 0;
        c0 = 1.5 + b / 3;
        a1 = -0.5 - 2 * b / 3;
        a2 = b / 3;
        guess1 = 2;
        guess2 = -1;
        d->fraction = blend ? STEP_ERROR_BLEND : STEP_ERROR;
    } else if (d->known && ratio <= 2) { /* beyond 2.4 BDF2 of unequal steps is unstable */
        c0 = (1 + 2 * ratio) / (1 + ratio);
        a1 = -ratio * ratio / (1 + ratio);
        guess1 = ratio;
    }
    struct an_params *p = &s->params;
    p->dual.rate = s->params_coarse.dual.rate = c0 / dt;
    p->dual.last = a1 / dt;
    p->dual.before = a2 / dt;
    p->dual.guess_last = guess1;
    p->dual.guess_before = guess2;
    d->known = equal ? (d->known < 2 ? d->known + 1 : 2) : 1;
    d->last = dt;
}

/* ---- what is recorded ---- */

/* Spectral radii and residual of W, without the time term. */
static int residual(struct an_solver *s)
{
    AN_TRY(an_level_radii(s, s->level, NULL));
    return an_level_residual(s, s->level, s->level->fields.at[AN_F_W]);
}

static int begin(struct an_solver *s, int argument)
{
    (void)argument;
    struct an_level *l = s->level;
    AN_TRY(an_level_state(s, l, AN_S_time_start, NULL, &l->fields, l->fields.at[AN_F_W]));
    AN_TRY(an_turbulence_guess(s));
    return residual(s);
}

/* way: of the lines. */
static int inner(struct an_solver *s, int way)
{
    AN_TRY(an_multigrid_cycle(s, 1, way));
    AN_TRY(an_turbulence_begin(s));
    AN_TRY(an_turbulence_advance(s));
    return residual(s);
}

/* ---- how far the inner iterations go ---- */

static int look(struct an_solver *s, struct left *left)
{
    struct an_reduction red;
    const double eps = s->c->precision == AN_SINGLE ? 6e-8 : 1.1e-16;
    AN_TRY(s->engine->op->run(s->engine, AN_S_time_norm, s->level->interior, &s->level->fields,
                              &s->params, &red, 0));
    AN_TRY(an_reduce_xsum(s->comm, 6, red.sum));
    AN_TRY(an_reduce_min(s->comm, 2, red.min));
    memset(left, 0, sizeof *left);
    left->sound = red.min[0] > 0 && red.min[1] > 0;
    for (int c = 0; c < 3; c++) {
        left->star[c] = an_xsum_value(red.sum[c]);
        left->noise[c] = eps * eps * an_xsum_value(red.sum[3 + c]);
        left->sound = left->sound && isfinite(left->star[c]);
    }
    return an_turbulence_left(s, left->star + 3);
}

/* The worst ratio of R* to that of the guess; 0 where rounding is all that is left. The sweeps of the
 * turbulence know R* of their beginning: an iteration earlier. */
static double drop_of(const struct left *first, const struct left *now)
{
    double worst = 0;
    for (int c = 0; c < NEQUATION; c++)
        if (now->star[c] > now->noise[c] && first->star[c] > 0)
            worst = fmax(worst, sqrt(now->star[c] / first->star[c]) * (c < 3 ? 1 : 0.2));
    return worst;
}

/* How many times R* of the flow is that of the first guess; 0 where it is about what rounding leaves. */
static double growth_of(const struct left *first, const struct left *now)
{
    double worst = 0;
    for (int c = 0; c < 3; c++)
        if (now->star[c] > GROWN * GROWN * now->noise[c] && first->star[c] > 0)
            worst = fmax(worst, sqrt(now->star[c] / first->star[c]));
    return worst;
}

/* How many iterations would have been enough to reach `wanted`, if each of the k iterations made, which brought R* to
 * `drop`, divided R* by the same factor. A `wanted` of 1 or more is met without iterations. */
static int enough(int k, double drop, double wanted)
{
    return drop > 0 && drop < fmin(wanted, 1) ? (int)ceil(k * log(wanted) / log(drop)) : k;
}

/* One inner iteration. */
static int iterate(struct an_solver *s, int k)
{
    const int way = s->nlevel == 1 ? k & 1 : 0;
    return an_graph_run(s, &an_marching_of(s)->graph, AN_GRAPH_INNER + way, inner, way);
}

/* Counts a step that the inner iterations left at `drop`. First steps are of lower order and have errors of their
 * own. */
static void note(struct dual *d, double drop, double wanted)
{
    d->report.drop = drop;
    d->report.wanted = wanted;
    if (d->fraction == STEP_ERROR_START)
        return;
    d->report.missed += !(drop <= wanted);
    d->report.worst = fmax(d->report.worst, drop / d->fraction);
}

static int given_number(struct an_solver *s, struct dual *d)
{
    const int all = s->c->march.inner_iterations;
    struct left first, now = {.sound = 0};
    AN_TRY(look(s, &first));
    memset(first.star + 3, 0, sizeof first.star - 3 * sizeof *first.star);
    for (int k = 0; k < all; k++) {
        AN_TRY(iterate(s, k));
        if (k == 0)
            AN_TRY(an_turbulence_left(s, first.star + 3));
    }
    AN_TRY(look(s, &now));
    d->report.iterations = all;
    note(d, first.sound && now.sound ? drop_of(&first, &now) : NAN,
         s->c->march.inner_tolerance * d->fraction);
    return AN_OK;
}

static int by_tolerance(struct an_solver *s, struct dual *d)
{
    const int limit = s->c->march.inner_limit;
    const double wanted = s->c->march.inner_tolerance * d->fraction;
    struct left first, now = {.sound = 0};
    double drop = 1, best = 1;
    int k = 0, stalled = 0;
    AN_TRY(look(s, &first));
    memset(first.star + 3, 0, sizeof first.star - 3 * sizeof *first.star);
    while (k < limit && first.sound && drop > wanted && stalled < STALLED_LOOKS) {
        AN_TRY(iterate(s, k++));
        if (k > 1 && k < d->predicted - 1)
            continue;
        AN_TRY(look(s, &now));
        for (int c = 3; c < NEQUATION && k == 1; c++)
            first.star[c] = now.star[c];
        if (!now.sound)
            break;
        drop = drop_of(&first, &now);
        stalled = drop > STALLED * best ? stalled + 1 : 0;
        best = fmin(best, drop);
    }
    /* without the looks that found nothing more: each step would take more iterations than the last */
    d->predicted = stalled < STALLED_LOOKS ? enough(k, drop, wanted) : k - STALLED_LOOKS;
    d->report.iterations = k;
    note(d, drop, wanted);
    const double growth = now.sound ? growth_of(&first, &now) : 0;
    AN_CHECK(
        !(growth > GROWN), AN_DIVERGED,
        "diverged at iteration %lld: the inner iterations of this time step left %.3g times the "
        "residual that they began with; shorter steps (march.time_step), multigrid.levels: 1, or "
        "scheme.flux: roe may help",
        (long long)s->iteration + 1, growth);
    return AN_OK;
}

int an_dual_step(struct an_solver *s, double limit)
{
    struct dual *d = an_component_of(s, &an_dual_component);
    struct an_marching *m = an_marching_of(s);
    const double step = an_case_time_step(s->c), left = limit - s->time;
    const int last = limit > 0 && left <= step * (1 + SLIVER);
    m->limit = limit;
    m->time_step = s->params.march.time_step = last && left < step * (1 - SLIVER) ? left : step;
    s->residual_is_current = 0;
    AN_TRY(an_inlets_set_time(s, s->time + m->time_step));
    AN_TRY(an_components_before_step(s));
    AN_TRY(an_sliding_turn(s, m->time_step, 1, &(const double){1}));
    an_sliding_at(s, 1);
    AN_TRY(an_phase_lag_turn(s));
    set_weights(s, d, m->time_step);
    AN_TRY(an_graph_run(s, &m->graph, AN_GRAPH_TIME_START, begin, 0));
    AN_TRY(s->c->march.inner_iterations > 0 ? given_number(s, d) : by_tolerance(s, d));
    d->report.steps++;
    d->report.sum += d->report.iterations;
    s->iteration++;
    s->time = last ? limit : s->time + step;
    s->params.dual.rate = s->params_coarse.dual.rate = 0; /* measurements are of R alone */
    return an_components_after_step(s);
}

void an_dual_knows(struct an_solver *s, double dt)
{
    struct dual *d = an_component_of(s, &an_dual_component);
    d->known = 2;
    d->last = dt;
}

int an_dual_report_of(const struct an_solver *s, struct an_dual_report *r)
{
    const struct dual *d = an_component_of(s, &an_dual_component);
    if (d)
        *r = d->report;
    return d != NULL;
}

/* ---- the part ---- */

static int dual_make(struct an_solver *s, void **component)
{
    if (!an_case_is_dual(s->c))
        return AN_OK;
    struct dual *d = calloc(1, sizeof *d);
    *component = d;
    AN_CHECK(d, AN_FAIL, "out of memory for the dual march");
    return AN_OK;
}

static void dual_destroy(struct an_solver *s, void *component)
{
    (void)s;
    free(component);
}

/* How many earlier states the snapshot has. */
static int dual_expect(struct an_solver *s, void *component, const struct an_snapshot_meta *meta)
{
    (void)s;
    struct dual *d = component;
    const double known = an_snapshot_control_get(meta, "march.dual.known", 0);
    d->known = known >= 2 ? 2 : known >= 1;
    d->last = an_snapshot_control_get(meta, "march.dual.last", 0);
    d->predicted = (int)an_snapshot_control_get(meta, "march.dual.predicted", 0);
    AN_CHECK(!d->known || d->last > 0, AN_INPUT,
             "the snapshot's record of the dual march is damaged: its last step is %g s", d->last);
    return AN_OK;
}

static int dual_start(struct an_solver *s, void *component, int fresh)
{
    (void)s;
    struct dual *d = component;
    if (fresh)
        d->known = d->predicted = 0;
    return AN_OK;
}

static int dual_keep(const struct an_solver *s, const void *component,
                     struct an_snapshot_meta *meta)
{
    (void)s;
    const struct dual *d = component;
    if (!d->known)
        return AN_OK;
    AN_TRY(an_snapshot_control_add(meta, "march.dual.known", d->known));
    AN_TRY(an_snapshot_control_add(meta, "march.dual.last", d->last));
    return an_snapshot_control_add(meta, "march.dual.predicted", d->predicted);
}

static int dual_fields(const struct an_solver *s, const void *component,
                       struct an_state_field *field)
{
    static const char *const flow[2][5] = {
        {"DensityOld", "MomentumXOld", "MomentumYOld", "MomentumZOld", "EnergyOld"},
        {"DensityOlder", "MomentumXOlder", "MomentumYOlder", "MomentumZOlder", "EnergyOlder"}};
    static const char *const turbulence[2][AN_NCOMP_TURB] = {
        {"Turbulence1Old", "Turbulence2Old"}, {"Turbulence1Older", "Turbulence2Older"}};
    static const char *const intermittency[2][2] = {{"IntermittencyOld", "ReynoldsThetaOld"},
                                                    {"IntermittencyOlder", "ReynoldsThetaOlder"}};
    static const enum an_field of[2][2] = {{AN_F_OLD, AN_F_TOLD}, {AN_F_OLDER, AN_F_TOLDER}};
    const struct dual *d = component;
    const int transported = an_model_variables((int)s->c->turbulence.model);
    int n = 0;
    for (int t = 0; t < d->known; t++) {
        for (int c = 0; c < 5; c++)
            field[n++] =
                (struct an_state_field){flow[t][c], an_level_component(s->level, of[t][0], c), 1};
        for (int c = 0; c < transported; c++)
            field[n++] = (struct an_state_field){turbulence[t][c],
                                                 an_level_component(s->level, of[t][1], c), 1};
        for (int c = 0; c < an_intermittency_variables(s); c++)
            field[n++] = (struct an_state_field){
                intermittency[t][c], an_level_component(s->level, t ? AN_F_IOLDER : AN_F_IOLD, c),
                1};
    }
    return n;
}

static void dual_print(const struct an_solver *s, const void *component, FILE *out)
{
    (void)component;
    const double dt = an_case_time_step(s->c);
    fprintf(out, "march       dual: steps of %.6g s, %s; ", dt,
            s->c->march.time_scheme == AN_TIME_BLEND ? "blend of BDF2 and BDF3" : "BDF2");
    if (s->c->march.inner_iterations)
        fprintf(out, "%d inner iterations\n", s->c->march.inner_iterations);
    else
        fprintf(out, "inner iterations by the step's own error, at most %d\n",
                s->c->march.inner_limit);
}

/* How many steps ended too early, and how large an error they had. */
static void describe(const struct an_solver *s, const struct an_dual_report *r, char *text,
                     size_t size)
{
    const int given = s->c->march.inner_iterations;
    snprintf(text, size,
             "%lld of %lld time steps ended with an error above march.inner_tolerance (%.3g) after "
             "%d inner iterations%s; the largest was %.3g times the error of the time step itself",
             (long long)r->missed, (long long)r->steps, s->c->march.inner_tolerance,
             given ? given : s->c->march.inner_limit,
             given ? "" : ", or with a residual that fell no more", r->worst);
}

int an_dual_misses(const struct an_solver *s, char *text, size_t size)
{
    struct an_dual_report r;
    if (!an_dual_report_of(s, &r) || 20 * r.missed <= r.steps)
        return 0;
    describe(s, &r, text, size);
    const size_t used = strlen(text);
    snprintf(text + used, size - used, ": %s",
             s->c->march.inner_iterations
                 ? "frequencies and amplitudes may be wrong by several per cent; raise "
                   "march.inner_iterations, or leave it out"
                 : "shorten the time step, or raise march.inner_limit");
    return 1;
}

static void dual_report(const struct an_solver *s, const void *component, FILE *out)
{
    const struct an_dual_report *r = &((const struct dual *)component)->report;
    char text[600];
    if (!r->steps)
        return;
    fprintf(out, "march       %lld steps in time with %.1f inner iterations each\n",
            (long long)r->steps, (double)r->sum / (double)r->steps);
    describe(s, r, text, sizeof text);
    if (r->missed)
        fprintf(out, "march       %s\n", text);
}

const struct an_component_type an_dual_component = {
    .name = "dual",
    .after = AN_AFTER("march", "sliding planes", "phase lag", "inlets"),
    .make = dual_make,
    .destroy = dual_destroy,
    .expect = dual_expect,
    .start = dual_start,
    .keep = dual_keep,
    .fields = dual_fields,
    .print = dual_print,
    .report = dual_report};

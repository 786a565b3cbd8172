#include "solver/march/recovery.h"

#include "mpi/reduce.h"
#include "solver/flow/fields.h"
#include "solver/flow/turbulence.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/march/acceleration.h"
#include "solver/march/cfl.h"
#include "solver/march/damping.h"
#include "solver/march/settling.h"
#include "solver/output/packed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Does this run keep states? */
static int is_wanted(const struct an_solver *s)
{
    return s->implicit && s->c->march.mode == AN_MARCH_STEADY;
}

struct kept {
    int64_t iteration;
    double residual_first[5];
    int nfield;
    void *memory[AN_MOST_STATE];   /* of the engine: the fields kept */
    char *image;                   /* what they held, one after the other: page-locked; owned */
    struct an_snapshot_meta *meta; /* controls only; owned */
};

static size_t field_bytes(const struct an_solver *s)
{
    return (size_t)s->level->layout.ncell * (size_t)s->level->layout.precision;
}

/* Room for a state, and which fields it has: those of snapshots that are not history. */
static int make_room(struct an_solver *s, struct kept *k)
{
    struct an_state_field state[AN_MOST_STATE];
    const int n = an_state_fields(s, state);
    k->nfield = 0;
    for (int f = 0; f < n; f++)
        if (!state[f].history)
            k->memory[k->nfield++] = state[f].memory;
    if (k->image)
        return AN_OK;
    void *image;
    k->meta = calloc(1, sizeof *k->meta);
    AN_CHECK(k->meta, AN_FAIL, "out of memory for a state to go back to");
    AN_TRY(s->engine->op->alloc_host(s->engine, (size_t)k->nfield * field_bytes(s), &image));
    k->image = image;
    return AN_OK;
}

static int copy_state(struct an_solver *s, struct kept *k, int to_engine)
{
    const struct an_engine_ops *op = s->engine->op;
    const size_t bytes = field_bytes(s);
    for (int f = 0; f < k->nfield; f++) {
        char *image = k->image + (size_t)f * bytes;
        AN_TRY(to_engine ? op->upload(s->engine, k->memory[f], image, bytes, 0)
                         : op->download(s->engine, image, k->memory[f], bytes, 0));
    }
    return op->sync(s->engine, 0);
}

static int recovery_keep(struct an_solver *s, struct kept *k)
{
    AN_TRY(make_room(s, k));
    AN_TRY(copy_state(s, k, 0));
    k->iteration = s->iteration;
    memcpy(k->residual_first, s->residual_first, sizeof k->residual_first);
    an_snapshot_controls_free(k->meta);
    return an_components_keep(s, k->meta);
}

enum { DROPS = 1 + AN_RECOVERY_EVERY }; /* at most one of each iteration */

struct recovery {
    int n; /* states kept */
    int tries;
    struct kept kept[2]; /* the older one first */
    int nresidual;       /* those of the last AN_RECOVERY_EVERY iterations, the oldest first */
    struct {
        int64_t iteration;
        double value; /* of the density */
    } residual[DROPS];
};

static int recovery_make(struct an_solver *s, void **component)
{
    if (!is_wanted(s))
        return AN_OK;
    *component = calloc(1, sizeof(struct recovery));
    AN_CHECK(*component, AN_FAIL, "out of memory for states to go back to");
    return AN_OK;
}

static void recovery_destroy(struct an_solver *s, void *component)
{
    struct recovery *r = component;
    for (int n = 0; n < 2; n++) {
        if (r->kept[n].image)
            s->engine->op->free_host(s->engine, r->kept[n].image);
        if (r->kept[n].meta)
            an_snapshot_controls_free(r->kept[n].meta);
        free(r->kept[n].meta);
    }
    free(r);
}

const struct an_component_type an_recovery_component = {
    .name = "recovery",
    .after = AN_AFTER("march", "damping", "settling"),
    .make = recovery_make,
    .destroy = recovery_destroy};

int an_recovery_keep(struct an_solver *s)
{
    struct recovery *r = an_component_of(s, &an_recovery_component);
    if (!r)
        return AN_OK;
    if (r->n && s->iteration < r->kept[r->n - 1].iteration + AN_RECOVERY_EVERY)
        return AN_OK;
    if (r->n == 2) {
        const struct kept oldest = r->kept[0];
        r->kept[0] = r->kept[1];
        r->kept[1] = oldest;
        r->n = 1;
    }
    const int status = recovery_keep(s, &r->kept[r->n]);
    r->n++;
    return an_reduce_status(s->comm, status);
}

int an_recovery_back(struct an_solver *s, int left, int *back)
{
    struct an_marching *m = an_marching_of(s);
    struct recovery *r = an_component_of(s, &an_recovery_component);
    *back = r && r->n && r->tries < AN_RECOVERIES;
    if (!*back)
        return AN_OK;
    const struct an_case *c = s->c;
    const int frees = left && an_march_limits_finest(s), free_now = frees || m->finest_free;
    const double first = c->march.cfl_ramp > 0 ? c->march.cfl_start : c->march.cfl_min;
    const double least = fmin(1, first / c->march.cfl);
    const double caution = fmax((frees ? 1 : 0.5) * m->control.caution, least);
    int status = copy_state(s, &r->kept[0], 1);
    if (status == AN_OK)
        status = an_components_take(s, r->kept[0].meta);
    AN_TRY(an_reduce_status(s->comm, status));
    AN_TRY(an_solver_refresh(s));
    memcpy(s->residual_first, r->kept[0].residual_first, sizeof s->residual_first);
    r->n = 1;
    r->kept[0].iteration = s->iteration; /* the next one is kept a while after this */
    r->tries++;
    an_control_diverged(&m->control, caution);
    an_march_changed(m, caution, -1);
    m->finest_free = free_now;
    m->ramp_from = s->iteration;
    r->nresidual = 0;
    an_damping_forget(s);
    an_accel_forget(s);
    an_settling_forget(s);
    return AN_OK;
}

void an_recovery_begin(struct an_solver *s, int ramp)
{
    struct an_marching *m = an_marching_of(s);
    struct recovery *r = an_component_of(s, &an_recovery_component);
    if (!r)
        return;
    r->n = r->tries = r->nresidual = 0;
    an_march_forget(m, fmin(1, 2 * m->control.caution));
    if (!ramp) {
        an_accel_forget(s);
        return;
    }
    an_accel_rearm(s);
    an_damping_forget(s);
    m->ramp_from = s->iteration - 3 * (int64_t)s->c->march.cfl_ramp / 4;
}

/* Mean of log10 of the norms: a sample of the controller. Norms of zero do not count. */
static double sample_of(const double residual[5], double turbulence)
{
    const double norm[4] = {
        residual[0],
        sqrt(residual[1] * residual[1] + residual[2] * residual[2] + residual[3] * residual[3]),
        residual[4], turbulence};
    double sum = 0;
    int n = 0;
    for (int m = 0; m < 4; m++)
        if (norm[m] > 0) {
            sum += log10(norm[m]);
            n++;
        }
    return sum / n;
}

enum { SETTLE = 20 }; /* iterations after the ramp */

/* Iteration from which on residuals count: the ramp and what the flow needs after it are over. */
static int64_t counts_from(const struct an_solver *s)
{
    return an_marching_of(s)->ramp_from + s->c->march.cfl_ramp + SETTLE;
}

/* Is the change that a residual of this size stands for down to rounding? */
static int is_rounding(const struct an_case *c, double drop)
{
    return drop < (c->precision == AN_SINGLE ? 3e-4 : 1e-9);
}

int an_recovery_leaves(struct an_solver *s, int64_t iteration, double residual, double drop,
                       struct an_leaving *leaving)
{
    struct recovery *r = an_component_of(s, &an_recovery_component);
    if (!r || iteration < counts_from(s))
        return 0;
    /* the residual grows where production of turbulence begins */
    if (an_case_has_transition(s->c) && an_control_waits(iteration, s->c->turbulence.laminar_start,
                                                         s->c->march.cfl_ramp + SETTLE)) {
        r->nresidual = 0;
        return 0;
    }
    int old = 0;
    while (old < r->nresidual && r->residual[old].iteration < iteration - AN_RECOVERY_EVERY)
        old++;
    old += r->nresidual - old == DROPS; /* the same iteration twice */
    r->nresidual -= old;
    memmove(r->residual, r->residual + old, (size_t)r->nresidual * sizeof *r->residual);
    int least = 0;
    for (int n = 1; n < r->nresidual; n++)
        if (r->residual[n].value < r->residual[least].value)
            least = n;
    r->residual[r->nresidual].iteration = iteration;
    r->residual[r->nresidual++].value = residual;
    const double before = r->residual[least].value, largest = residual / drop;
    if (!(residual > AN_LEAVING_TIMES * before) || !(before < AN_LEAVING_BELOW * largest) ||
        is_rounding(s->c, drop))
        return 0;
    *leaving = (struct an_leaving){.times = residual / before,
                                   .passed = iteration - r->residual[least].iteration};
    return 1;
}

/* Iterations between samples: lines of the table where three or more fit into a window. */
static int64_t sample_every(const struct an_case *c)
{
    const int least = (c->march.cfl_window + AN_CONTROL_INTERVALS - 1) / AN_CONTROL_INTERVALS;
    const int most = c->march.cfl_window / 3, every = c->output.history_every;
    if (every > most)
        return most > 1 ? most : 1;
    return (int64_t)((least + every - 1) / every) * every;
}

int an_recovery_looks(const struct an_solver *s)
{
    const struct an_case *c = s->c;
    return is_wanted(s) && (c->march.cfl_min > 0 || an_marching_of(s)->control.caution < 1) &&
           s->iteration % sample_every(c) == 0;
}

int64_t an_recovery_since(const struct an_solver *s, int64_t iteration)
{
    return is_wanted(s) ? iteration - an_marching_of(s)->ramp_from : -1;
}

enum an_control_move an_recovery_note(struct an_solver *s, int64_t iteration,
                                      const double residual[5], double turbulence, double drop)
{
    struct an_marching *m = an_marching_of(s);
    const struct an_case *c = s->c;
    const double before = m->control.caution;
    const double least = c->march.cfl_min > 0 ? fmin(1, c->march.cfl_min / c->march.cfl) : 1;
    const int64_t every = sample_every(c);
    const int intervals = (int)(c->march.cfl_window / every);
    const int window = 1 + (intervals < 3 ? 3 : intervals);
    if (!is_wanted(s) || an_accel_mixes(s) || !(residual[0] > 0) || is_rounding(c, drop)) {
        m->control.n = 0;
        return AN_CONTROL_STAYS;
    }
    if (iteration < counts_from(s) || iteration % every != 0)
        return AN_CONTROL_STAYS;
    /* where production of turbulence begins the residual grows: that is no fault of the CFL number */
    if (an_case_has_transition(c) &&
        an_control_waits(iteration, c->turbulence.laminar_start, c->march.cfl_ramp + SETTLE)) {
        an_control_restart(&m->control);
        return AN_CONTROL_STAYS;
    }
    const enum an_control_move move = an_control_note(&m->control, sample_of(residual, turbulence),
                                                      window, least, an_accel_exhausted(s));
    if (move != AN_CONTROL_STAYS)
        an_march_changed(m, before, iteration);
    return move;
}

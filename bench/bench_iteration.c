/* Whole iterations as the solver makes them, of the operations of one rank: kernels, ghosts of
 * boundaries, copies between blocks.
 *
 * A row's operations and bytes are the sums of its parts, each counted as if it ran alone: the
 * fraction of the roofline says how well the parts run, not what fusing them could save. Its error
 * is the largest of its parts'. */
#include "bench/bench_set.h"

#include "kernels/cuda/cuda_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 5, IMPLICIT_STAGES = 3, SWEEPS = 2, LINE_DIRECTION = 1, MOST_STEPS = 120 };

struct step {
    enum an_bench_what what;
    enum an_stencil stencil;
    enum an_scheme scheme;
    int beside; /* on the second stream */
};

struct iteration {
    struct an_bench *b;
    struct an_bench_set *small, *large;
    struct an_params p;
    struct step step[MOST_STEPS];
    int nstep;
    struct an_bench_work work; /* scratch */
    struct an_recording *recording;
};

static void add(struct iteration *it, enum an_bench_what what, int stencil, enum an_scheme scheme)
{
    it->step[it->nstep++] = (struct step){what, (enum an_stencil)stencil, scheme, 0};
}

static void add_list(struct iteration *it, const enum an_stencil *list, int n)
{
    for (int m = 0; m < n; m++)
        add(it, AN_WHAT_STENCIL, (int)list[m], AN_SCHEME_JST);
}
#define ADD(it, ...)                                              \
    do {                                                          \
        const enum an_stencil list_[] = {__VA_ARGS__};            \
        add_list(it, list_, (int)(sizeof list_ / sizeof *list_)); \
    } while (0)

/* ---- what the solver does (solver/march/march.c, multigrid.c, turbulence.c) ---- */

static void explicit_inviscid(struct iteration *it)
{
    ADD(it, AN_S_timestep, AN_S_ghost_lambda);
    for (int m = 0; m < STAGES; m++) {
        add(it, AN_WHAT_STAGE, 0, AN_SCHEME_JST);
        add(it, AN_WHAT_COPIES, 0, AN_SCHEME_JST);
        ADD(it, AN_S_ghost_fill);
    }
}

/* `stage`: and the update. */
static void viscous_residual(struct iteration *it, enum an_scheme scheme, int stage)
{
    const struct an_engine *e = &it->b->engine;
    if (e->op->viscous) {
        add(it, AN_WHAT_RIM, AN_S_gradient, AN_SCHEME_JST);
        ADD(it, AN_S_ghost_gradient);
        it->step[it->nstep - 2].beside = it->step[it->nstep - 1].beside = 1;
        if (e->op->in_one_pass && e->op->in_one_pass(e, scheme, it->large->tiles[0], &it->p, 0)) {
            add(it, stage ? AN_WHAT_RANS_STAGE : AN_WHAT_RANS, 0, scheme);
            return;
        }
        add(it, AN_WHAT_RESIDUAL, 0, scheme);
        add(it, stage ? AN_WHAT_VISCOUS_STAGE : AN_WHAT_VISCOUS, 0, AN_SCHEME_JST);
        return;
    }
    add(it, AN_WHAT_RESIDUAL, 0, scheme);
    ADD(it, AN_S_gradient, AN_S_ghost_gradient, AN_S_viscous_residual);
    if (stage)
        ADD(it, AN_S_update);
}

static void viscous_stage(struct iteration *it)
{
    viscous_residual(it, AN_SCHEME_JST, 1);
    add(it, AN_WHAT_COPIES, 0, AN_SCHEME_JST);
    ADD(it, AN_S_ghost_fill);
}

static void turbulence(struct iteration *it)
{
    ADD(it, AN_S_gradient, AN_S_ghost_gradient, AN_S_ghost_turb);
    for (int n = 0; n < SWEEPS; n++)
        ADD(it, AN_S_turb_gradient, AN_S_ghost_turb_gradient, AN_S_sa_residual, AN_S_turb_lines,
            AN_S_sa_update, AN_S_ghost_turb);
    ADD(it, AN_S_sa_viscosity, AN_S_ghost_eddy);
}

static void explicit_viscous(struct iteration *it)
{
    ADD(it, AN_S_timestep, AN_S_ghost_lambda);
    for (int m = 0; m < STAGES; m++)
        viscous_stage(it);
    turbulence(it);
}

static void implicit_viscous(struct iteration *it)
{
    ADD(it, AN_S_timestep, AN_S_ghost_lambda);
    for (int m = 0; m < IMPLICIT_STAGES; m++) {
        viscous_residual(it, AN_SCHEME_ROE, 0);
        ADD(it, AN_S_implicit_lines_viscous, AN_S_correct);
        add(it, AN_WHAT_COPIES, 0, AN_SCHEME_JST);
        ADD(it, AN_S_ghost_fill);
    }
    turbulence(it);
}

/* ---- rows ---- */

static struct an_bench_work *take_work(struct iteration *it, const struct step *s,
                                       struct an_bench_set *set)
{
    struct an_bench_work *w = &it->work;
    memset(&w->account, 0, sizeof w->account);
    w->b = it->b;
    w->set = set;
    /* compared on all cells, since boundary cells alone would be few */
    w->what = s->what == AN_WHAT_RIM && set == it->small ? AN_WHAT_STENCIL : s->what;
    w->stencil = s->stencil;
    w->scheme = s->scheme;
    w->dir = LINE_DIRECTION;
    w->level = 0;
    w->sums = 0;
    w->stream = set == it->large && s->beside;
    w->p = &it->p;
    return w;
}

static int run_once(void *context)
{
    struct iteration *it = context;
    struct an_engine *e = &it->b->engine;
    for (int n = 0; n < it->nstep; n++) {
        const struct step *s = &it->step[n];
        if (s->what == AN_WHAT_RIM)
            AN_TRY(e->op->wait(e, 1, 0));
        if (an_bench_what_is_viscous(s->what))
            AN_TRY(e->op->wait(e, 0, 1));
        AN_TRY(an_bench_work_run(take_work(it, s, it->large)));
    }
    return AN_OK;
}

static int replay_once(void *context)
{
    struct iteration *it = context;
    return it->b->engine.op->replay(&it->b->engine, it->recording);
}

/* Adds a part's account, per cell, and its error. Parts that occurred before are not run again. */
static int add_part(struct iteration *it, int n, struct an_bench_row *row, double *error,
                    struct an_bench_account *account)
{
    const struct step *s = &it->step[n];
    int same = 0;
    while (memcmp(&it->step[same], s, sizeof *s) != 0)
        same++;
    if (same == n) {
        struct an_bench_work *w = take_work(it, s, it->small);
        AN_TRY(an_bench_work_verify(w, &error[n]));
        account[n] = w->account;
    } else {
        error[n] = error[same];
        account[n] = account[same];
    }
    const struct an_bench_account *a = &account[n];
    take_work(it, s, it->large);
    const double weight = an_bench_work_points(&it->work) / row->points;
    row->op.add += weight * a->op.add;
    row->op.multiply += weight * a->op.multiply;
    row->op.divide += weight * a->op.divide;
    row->op.root += weight * a->op.root;
    row->op.power += weight * a->op.power;
    row->op.compare += weight * a->op.compare;
    row->words_read += weight * (a->read + a->wide_read);
    row->words_written += weight * (a->written + a->wide_written);
    row->bytes += weight * ((double)it->b->engine.precision * (a->read + a->written) +
                            8 * (a->wide_read + a->wide_written));
    row->error = error[n] > row->error ? error[n] : row->error;
    return AN_OK;
}

/* Fields as they were. */
static int refill(struct iteration *it)
{
    for (int f = 0; f < AN_NFIELD; f++)
        AN_TRY(an_bench_set_fill(it->large, (enum an_field)f));
    return AN_OK;
}

static int add_row(struct iteration *it, const char *name, const char *note, int stages)
{
    static double error[MOST_STEPS];
    static struct an_bench_account account[MOST_STEPS];
    struct an_bench *b = it->b;
    struct an_bench_row row = {.registers = -1, .tolerance = an_bench_tolerance(b)};
    if (!an_bench_wanted(b, name))
        return AN_OK;
    snprintf(row.name, sizeof row.name, "%s", name);
    snprintf(row.kind, sizeof row.kind, "iteration");
    snprintf(row.note, sizeof row.note, "%s; %d operations", note, it->nstep);
    row.points = (double)it->large->layout[0].interior;
    for (int n = 0; n < it->nstep; n++)
        AN_TRY(add_part(it, n, &row, error, account));
    AN_TRY(refill(it));
    AN_TRY(an_bench_time(b, NULL, run_once, it, &row));
    if (stages)
        snprintf(row.remark, sizeof row.remark, "%.3f G stages/s",
                 1e-9 * stages * row.points / row.seconds);
    an_bench_table_row(b, &row);
    if (b->engine.op->record_begin) {
        AN_TRY(b->engine.op->record_begin(&b->engine));
        AN_TRY(run_once(it));
        AN_TRY(b->engine.op->record_end(&b->engine, &it->recording));
        AN_TRY(an_bench_time(b, NULL, replay_once, it, &row));
        b->engine.op->recording_free(&b->engine, it->recording);
        it->recording = NULL;
        snprintf(row.name, sizeof row.name, "%s, replayed", name);
        if (stages)
            snprintf(row.remark, sizeof row.remark, "%.3f G stages/s",
                     1e-9 * stages * row.points / row.seconds);
        an_bench_table_row(b, &row);
    }
    return refill(it);
}

/* Whole iterations with viscous fluxes, with one pass for them and the convective ones, or with two. */
static int pass_rows(struct iteration *it, const char *name, const char *note,
                     void (*make)(struct iteration *it), int stages)
{
    struct an_engine *e = &it->b->engine;
    char longer[AN_BENCH_NAME];
    if (!e->op->rans)
        return AN_OK;
    const int before = an_cuda_choose_pass(e, 1);
    make(it);
    int any = 0;
    for (int n = 0; n < it->nstep; n++)
        any |= it->step[n].what == AN_WHAT_RANS || it->step[n].what == AN_WHAT_RANS_STAGE;
    snprintf(longer, sizeof longer, "%s, one pass", name);
    int status = any ? add_row(it, longer, note, stages) : AN_OK;
    an_cuda_choose_pass(e, 0);
    it->nstep = 0;
    make(it);
    snprintf(longer, sizeof longer, "%s, two passes", name);
    if (!status && any)
        status = add_row(it, longer, note, stages);
    an_cuda_choose_pass(e, before);
    return status;
}

int an_bench_iterations(struct an_bench *b, struct an_bench_set *small, struct an_bench_set *large)
{
    static const struct {
        const char *name, *note;
        void (*make)(struct iteration *it);
        int inviscid, stages;
    } row[] = {
        {"iteration, explicit, inviscid", "five JST stages", explicit_inviscid, 1, STAGES},
        {"stage, explicit, RANS", "JST, residual to ghosts", viscous_stage, 0, 1},
        {"turbulence step", "Spalart-Allmaras, two sweeps", turbulence, 0, 0},
        {"iteration, explicit, RANS", "five JST stages, turbulence", explicit_viscous, 0, STAGES},
        {"cycle, implicit, RANS", "finest level: three Roe stages, lines along j, turbulence",
         implicit_viscous, 0, IMPLICIT_STAGES},
    };
    struct iteration *it = calloc(1, sizeof *it);
    int status = it ? AN_OK : an_error_set(AN_FAIL, "out of memory");
    for (size_t n = 0; !status && n < sizeof row / sizeof *row; n++) {
        memset(it, 0, sizeof *it);
        it->b = b;
        it->small = small;
        it->large = large;
        it->p = row[n].inviscid ? small->inviscid : small->viscous;
        it->p.march.alpha = 1e-12; /* the state stands still */
        row[n].make(it);
        status = add_row(it, row[n].name, row[n].note, row[n].stages);
        it->nstep = 0;
        if (!status)
            status = pass_rows(it, row[n].name, row[n].note, row[n].make, row[n].stages);
    }
    free(it);
    return status;
}

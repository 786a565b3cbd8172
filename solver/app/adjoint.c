/* `annulus adjoint`: gradients of figures of a settled flow. */
#include "solver/app/run.h"

#include "io/adjoint_report.h"
#include "mpi/reduce.h"
#include "solver/adjoint/files.h"
#include "solver/adjoint/inputs.h"
#include "solver/adjoint/nodes.h"
#include "solver/app/doubts.h"
#include "solver/app/session.h"
#include "solver/output/geometry.h"
#include "solver/output/version.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Largest residuals. Above the first one lambda says nothing, and Newton's steps come before. Up to the second one a flow counts as
 * settled: where the steps end above it, gradients may be wrong by factors although lambda^T R is small.
 * The third one is what the steps aim at. Flows that `annulus run` calls settled have 1e-7 to 3e-4.
 * The part of a figure beyond which Newton's steps follow: that by which figures of a settled run may still change
 * (section `stop`). What GMRES has to reach. */
static const double hopeless_residual = 1e-2, most_residual = AN_ADJOINT_SETTLED,
                    wanted_residual = 1e-11, settled_part = 1e-3, tolerance = 1e-8;
enum { MOST_STEPS = 12 };

struct result {
    struct an_adjoint a;
    struct an_adjoint_inputs inputs;
    double **nodes;
    double nodes_s;
};

/* The case of the command line, in double precision. */
static int read_input(MPI_Comm comm, struct an_session *r, struct an_options *o, int *printed)
{
    static char precision[] = "precision=double";
    char **set = malloc(((size_t)o->nset + 1) * sizeof *set);
    AN_CHECK(set, AN_FAIL, "out of memory");
    if (o->nset)
        memcpy(set, o->set, (size_t)o->nset * sizeof *set);
    set[o->nset++] = precision;
    o->set = set; /* owned by the caller */
    o->restart = o->restart ? o->restart : "latest";
    return an_input_read(comm, o, &r->in, printed);
}

/* Rank 0 prints. */
static void tell(const struct an_session *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void tell(const struct an_session *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (r->rank == 0)
        vprintf(format, arguments);
    va_end(arguments);
}

/* Newton steps; AN_INPUT where they do not settle the flow, and a warning where they end above their aim. */
static int settle(struct an_session *r, struct an_adjoint *a)
{
    AN_TRY(an_adjoint_settle(a, wanted_residual, MOST_STEPS));
    const struct an_adjoint_stats *s = &a->stats;
    tell(r, "residual    %.2e in the snapshot, %.2e after %d step%s of Newton\n", s->residual,
         s->settled, s->newton, s->newton == 1 ? "" : "s");
    AN_CHECK(
        s->settled <= most_residual, AN_INPUT,
        "%s: the flow is not settled: its largest residual, over the flux of a sound wave through "
        "a face of the largest cell, is %.2e in the snapshot and %.2e after %d step%s of Newton, "
        "and has to be at most %.0e; go on with `annulus run` until its residual has fallen "
        "further, and see whether the flow swings",
        r->snapshot, s->residual, s->settled, s->newton, s->newton == 1 ? "" : "s", most_residual);
    if (s->settled > wanted_residual && r->rank == 0)
        an_session_warn(
            r, 0,
            "Newton's steps lower the residual from %.2e to %.2e and aim at %.0e: kinks of the "
            "scheme, such as a limiter's, hold it in some cells, and gradients may be off; "
            "compare one of them with a difference of two runs, or go on with `annulus run`",
            s->residual, s->settled, wanted_residual);
    return AN_OK;
}

/* The figures of the present flow. */
static int measure(struct an_session *r, const struct an_adjoint *a, double *value)
{
    struct an_measure m = {.integral = NULL};
    AN_TRY(an_solver_measure(r->solver, &m));
    for (int f = 0; f < a->nfigure; f++)
        value[f] = an_figure_value(r->solver, &a->figure[f]);
    return AN_OK;
}

/* Gradients are those of the flow that Newton's steps end at, which the user has not seen. A snapshot that was settled is this
 * flow, and figures such as an imbalance differ by rounding. */
static void warn_of_moves(struct an_session *r, const struct an_adjoint *a, const double *before)
{
    const double most = 0.01;
    for (int f = 0; a->stats.residual > most_residual && f < a->nfigure && r->rank == 0; f++) {
        const double now = a->figure[f].value;
        if (!(fabs(now - before[f]) <= most * fabs(now)))
            an_session_warn(
                r, 0,
                "%s is %.6g in the snapshot and %.6g in the settled flow that the gradients "
                "belong to: the run had not settled; plausible: at most 1 %% apart",
                a->figure[f].name, before[f], now);
    }
}

/* What lambda^T R says of a flow that is not settled is true of its figures, but not of their gradients. */
static void warn_of_snapshot(struct an_session *r, const struct an_adjoint *a)
{
    if (a->stats.residual > most_residual && r->rank == 0)
        an_session_warn(
            r, 0,
            "the residual of the snapshot is %.2e, that of a settled flow at most %.0e: gradients "
            "may be off by more than figures; --settle, or a longer run in double precision, "
            "lowers it",
            a->stats.residual, most_residual);
}

/* Lambda of an earlier command, as far as there are files of it that fit. */
static int read_starts(const struct an_session *r, struct an_adjoint *a)
{
    char path[1024];
    for (int f = 0; f < a->nfigure; f++) {
        const int status = an_adjoint_read(a, f, path);
        if (status == AN_FAIL)
            return status;
        if (status != AN_OK)
            tell(r, "adjoint     GMRES begins at zero for '%s': %s\n", a->figure[f].name,
                 an_error_text());
        else if (path[0])
            tell(r, "adjoint     GMRES begins at the solution in %s\n", path);
    }
    return AN_OK;
}

/* Lambda of all figures for which there is one. */
static int write_lambda(struct an_session *r, const struct an_adjoint *a)
{
    char path[1024];
    AN_TRY(an_geometry_write(r->solver));
    for (int f = 0; f < a->nfigure; f++) {
        AN_TRY(an_adjoint_write(a, f, path));
        tell(r, "adjoint     %s%s\n", path,
             a->figure[f].solved ? "" : ", not converged: the same command goes on from there");
    }
    return AN_OK;
}

/* Keeps what GMRES has found so far, and the error. */
static int keep_unsolved(struct an_session *r, const struct an_adjoint *a)
{
    char text[2048];
    snprintf(text, sizeof text, "%s", an_error_text());
    AN_TRY(write_lambda(r, a));
    return an_error_set(AN_DIVERGED, "%s", text);
}

/* Solves for each figure about the flow of the snapshot. Newton's steps come before where its residual is too large for
 * derivatives to mean anything, or where the user wants them, and afterwards where the residual moves a figure. */
static int settle_and_solve(struct an_session *r, const struct an_options *o, struct an_adjoint *a)
{
    a->progress = r->rank == 0 ? stdout : NULL;
    AN_TRY(an_adjoint_settle(a, wanted_residual, 0));
    const int at_once = o->settle || !(a->stats.residual <= hopeless_residual);
    if (at_once)
        AN_TRY(settle(r, a));
    AN_TRY(read_starts(r, a));
    AN_TRY(an_adjoint_solve(a, tolerance));
    const int moved = an_adjoint_moved(a, settled_part);
    if (at_once)
        return AN_OK;
    if (moved < 0) {
        tell(r,
             "residual    %.2e in the snapshot; it would move no figure by more than %g of it: no "
             "steps of Newton\n",
             a->stats.residual, settled_part);
        warn_of_snapshot(r, a);
        return AN_OK;
    }
    tell(r,
         "residual    %.2e in the snapshot; it would move '%s', %.6g, by %.2g: steps of Newton "
         "follow\n",
         a->stats.residual, a->figure[moved].name, a->figure[moved].value, a->left[moved]);
    AN_TRY(settle(r, a));
    return a->stats.newton ? an_adjoint_solve(a, tolerance) : AN_OK;
}

static int solve(struct an_session *r, const struct an_options *o, struct an_adjoint *a)
{
    double *before = calloc((size_t)a->nfigure + 1, sizeof *before);
    int status = before ? measure(r, a, before) : an_error_set(AN_FAIL, "out of memory");
    if (status == AN_OK)
        status = settle_and_solve(r, o, a);
    if (status == AN_DIVERGED && a->stats.reached > 0)
        status = keep_unsolved(r, a);
    if (status == AN_OK)
        warn_of_moves(r, a, before);
    free(before);
    return status;
}

static int compute(struct an_session *r, const struct an_options *o, struct result *q)
{
    struct an_adjoint *a = &q->a;
    AN_TRY(an_adjoint_new(r->solver, o->nfigure, (const char *const *)o->of, a));
    AN_TRY(an_adjoint_inputs_new(a, o->nto, (const char *const *)o->to, &q->inputs));
    AN_TRY(solve(r, o, a));
    tell(r,
         "matrix      %lld cells, %.3g bytes for each with factors and vectors; %d evaluations of "
         "the residual, %.3g s; factors %.3g s; agrees with a difference of the residual to "
         "%.1e\n",
         (long long)a->cells.all, a->stats.bytes / (double)a->cells.all, a->stats.evaluations,
         a->stats.linearise_s, a->stats.factor_s, a->stats.check);
    tell(r, "adjoint     %d iterations of GMRES, %.3g s, residual %.1e\n", a->stats.iterations,
         a->stats.solve_s, a->stats.reached);
    if (a->stats.check > 1e-3 && r->rank == 0)
        an_session_warn(r, 0,
                        "the linearised residual differs from a difference of the residual by "
                        "%.1e: the flow is at a kink of the scheme, such as a limiter's, and "
                        "gradients may be off by as much",
                        a->stats.check);
    AN_TRY(write_lambda(r, a)); /* keys and nodes may take longer */
    double started = MPI_Wtime();
    AN_TRY(an_adjoint_inputs_gradients(a, &q->inputs));
    tell(r, "keys        %.3g s\n", MPI_Wtime() - started);
    if (!o->nodes)
        return AN_OK;
    started = MPI_Wtime();
    AN_TRY(an_adjoint_nodes(a, &r->in.mesh, &q->nodes));
    q->nodes_s = MPI_Wtime() - started;
    tell(r, "nodes       %.3g s\n", q->nodes_s);
    return AN_OK;
}

/* A line for each key and each figure. */
static void print(const struct result *q)
{
    const struct an_adjoint *a = &q->a;
    for (int f = 0; f < a->nfigure; f++) {
        printf("\n%s = %.10g, which the residual that is left would move by %.1e\n",
               a->figure[f].name, a->figure[f].value, a->left[f]);
        for (int k = 0; k < q->inputs.n; k++) {
            const struct an_adjoint_input *i = &q->inputs.input[k];
            printf("  %-40s %s", i->key, i->n > 1 ? "[" : "");
            for (int v = 0; v < i->n; v++)
                printf("%s%.10g", v ? ", " : "", i->gradient[f * i->n + v]);
            printf("%s\n", i->n > 1 ? "]" : "");
        }
    }
    putchar('\n');
}

static int write_report(const struct an_session *r, const struct result *q, const char **figure,
                        double *value, struct an_adjoint_key *key)
{
    const struct an_adjoint *a = &q->a;
    const struct an_adjoint_stats *s = &a->stats;
    char path[1024], version[80];
    for (int f = 0; f < a->nfigure; f++) {
        figure[f] = a->figure[f].name;
        value[f] = a->figure[f].value;
    }
    for (int k = 0; k < q->inputs.n; k++) {
        const struct an_adjoint_input *i = &q->inputs.input[k];
        key[k] = (struct an_adjoint_key){i->key, i->n, i->value, i->gradient};
    }
    snprintf(version, sizeof version, "annulus %s", an_version());
    const struct an_adjoint_report report = {.snapshot = r->snapshot,
                                             .version = version,
                                             .nfigure = a->nfigure,
                                             .figure = figure,
                                             .value = value,
                                             .left = a->left,
                                             .nkey = q->inputs.n,
                                             .key = key,
                                             .cells = a->cells.all,
                                             .residual_first = s->residual,
                                             .residual_last = s->settled,
                                             .newton_steps = s->newton,
                                             .evaluations = s->evaluations,
                                             .iterations = s->iterations,
                                             .adjoint_residual = s->reached,
                                             .matrix_check = s->check,
                                             .linearise_s = s->linearise_s,
                                             .factor_s = s->factor_s,
                                             .solve_s = s->solve_s,
                                             .nodes_s = q->nodes_s,
                                             .bytes = s->bytes};
    snprintf(path, sizeof path, "%.900s/adjoint.json", r->in.c.output.folder);
    AN_TRY(an_adjoint_report_write(path, &report));
    printf("gradients   %s\n", path);
    return AN_OK;
}

/* Rank 0. */
static int write_json(const struct an_session *r, const struct result *q)
{
    const char **figure = malloc(((size_t)q->a.nfigure + 1) * sizeof *figure);
    double *value = malloc(((size_t)q->a.nfigure + 1) * sizeof *value);
    struct an_adjoint_key *key = malloc(((size_t)q->inputs.n + 1) * sizeof *key);
    const int status = figure && value && key ? write_report(r, q, figure, value, key)
                                              : an_error_set(AN_FAIL, "out of memory");
    free(figure);
    free(value);
    free(key);
    return status;
}

static int write_files(struct an_session *r, const struct result *q)
{
    AN_TRY(an_reduce_status(r->comm, r->rank == 0 ? write_json(r, q) : AN_OK));
    for (int f = 0; f < q->a.nfigure && q->nodes; f++) {
        char path[1024];
        AN_TRY(an_adjoint_write_nodes(&q->a, q->nodes, f, path));
        tell(r, "nodes       %s\n", path);
    }
    return AN_OK;
}

static int adjoint_of_case(struct an_session *r, const struct an_options *o)
{
    struct result q = {.nodes = NULL};
    int ranks;
    AN_MPI(MPI_Comm_size(r->comm, &ranks));
    AN_CHECK(!o->nodes || ranks == 1, AN_INPUT,
             "--nodes works on one rank, with all its threads: start `annulus adjoint` without "
             "mpirun, or leave --nodes out");
    AN_TRY(an_session_prepare(r));
    int status = compute(r, o, &q);
    if (status == AN_OK && r->rank == 0)
        print(&q);
    if (status == AN_OK)
        status = write_files(r, &q);
    if (q.nodes)
        an_adjoint_nodes_free(&q.a, q.nodes);
    an_adjoint_inputs_free(&q.inputs);
    an_adjoint_free(&q.a);
    return status;
}

int an_adjoint_command(MPI_Comm comm, const struct an_options *given, int *printed)
{
    static struct an_session r;
    struct an_options o = *given;
    r = (struct an_session){
        .comm = comm, .o = &o, .started = MPI_Wtime(), .commands = AN_DOUBTS_RUN};
    AN_MPI(MPI_Comm_rank(comm, &r.rank));
    int status = read_input(comm, &r, &o, printed);
    if (status == AN_OK)
        status = an_idle_split(comm, &r.in, &r.ranks);
    const int shared = status == AN_OK;
    if (shared)
        r.comm = r.ranks.working;
    if (shared && !r.ranks.idle)
        status = adjoint_of_case(&r, &o);
    if (status == AN_FAIL) { /* main aborts: other ranks may be waiting */
        an_lock_release(&r.lock);
        return status;
    }
    an_session_free(&r);
    free(o.set);
    return shared ? an_idle_join(&r.ranks, status) : status;
}

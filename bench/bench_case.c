/* `annulus bench case`: cycles of a case as its march makes them, level by level.
 *
 * The march is set up as a run does it and makes steps from the uniform state. Beside the time of a
 * cycle stands what its kernels would take if each of them ran at the rate that it reaches on a large
 * mesh (one block, of 256^3 cells on a GPU), measured in the same run with the same parameters. The
 * difference is what small levels cost: launches, latency, tiles that are filled in part. */
#include "bench/bench_rate.h"

#include "io/case.h"
#include "io/mesh.h"
#include "solver/level/level.h"
#include "solver/march/cfl.h"
#include "solver/march/march.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 20 };
enum { INNER = 8 }; /* iterations in a dual time step, if the case does not give their number */
enum { TURBULENCE = AN_MAX_LEVEL, PLACES = AN_MAX_LEVEL + 1 }; /* marks of solver/march */

/* Equal calls of a place (a level, or the turbulence). */
struct kernel {
    const struct an_watched *of;
    int calls;
    int64_t launches;
    double large, alone; /* s of a call: at the rate of a large mesh, and alone, again and again */
};

struct place {
    double cells, seconds, large;
    int operations;
    int64_t launches;
};

struct bench_case {
    struct an_bench *b;
    struct an_bench_rates rates;
    json_t *variants;
    int inner; /* with march.method dual, inner iterations of a time step, which is measured in place of a cycle; else 0 */
};

/* ---- a cycle ---- */

static int step(void *solver)
{
    return an_solver_step(solver, 0);
}

/* What a call takes alone: many of them in a recording, where the engine makes recordings. */
struct alone {
    struct an_engine *e;
    const struct an_watched *w;
    struct an_recording *recording;
    int repeats;
};

static int repeat(void *context)
{
    const struct alone *a = context;
    if (a->recording)
        return a->e->op->replay(a->e, a->recording);
    for (int n = 0; n < a->repeats; n++)
        AN_TRY(an_watch_repeat(a->e, a->w));
    return AN_OK;
}

static int time_alone(struct an_bench *b, const struct an_watched *w, double *seconds)
{
    const struct an_engine_ops *op = b->engine.op;
    struct alone a = {.e = &b->engine, .w = w, .repeats = op->record_begin ? REPEATS : 1};
    struct an_recording *recording = NULL;
    struct an_bench_row row;
    if (op->record_begin) {
        AN_TRY(op->record_begin(a.e));
        AN_TRY(repeat(&a));
        AN_TRY(op->record_end(a.e, &recording));
    }
    a.recording = recording;
    const int status = an_bench_time(b, NULL, repeat, &a, &row);
    if (recording)
        op->recording_free(a.e, recording);
    *seconds = row.seconds / a.repeats;
    return status;
}

static int place_of(const struct an_watched *w)
{
    return w->mark < PLACES ? w->mark : TURBULENCE;
}

/* Gathers equal calls; returns how many there are. */
static int gather(const struct an_watched *list, int n, struct kernel *kernel)
{
    int count = 0;
    for (int m = 0; m < n; m++) {
        int k = 0;
        while (k < count &&
               !(an_watch_same(kernel[k].of, &list[m]) && list[m].list == kernel[k].of->list &&
                 place_of(kernel[k].of) == place_of(&list[m])))
            k++;
        if (k == count)
            kernel[count++] = (struct kernel){.of = &list[m]};
        kernel[k].calls++;
        kernel[k].launches += list[m].launches;
    }
    return count;
}

static int by_time(const void *a, const void *b)
{
    const struct kernel *s = a, *t = b;
    const double cost = s->calls * s->alone - t->calls * t->alone;
    return cost > 0 ? -1 : cost < 0;
}

static void place_name(int place, char *name, size_t size)
{
    if (place == TURBULENCE)
        snprintf(name, size, "turbulence");
    else
        snprintf(name, size, "level %d", place + 1);
}

/* Seconds of the places of a cycle: on a GPU, of a recording with marks, the mean of some replays. A dual time step
 * replays the recording of an inner iteration again and again; its work before the inner iterations is not marked and
 * does not count here. */
static int time_places(struct bench_case *bc, struct an_solver *s, double seconds[AN_MARKS])
{
    enum { TIMES = 5 };
    struct an_bench *b = bc->b;
    double one[AN_MARKS], waited[AN_MARKS];
    int status = AN_OK;
    if (!b->cuda) {
        an_watch_note(1);
        AN_TRY(step(s));
        an_watch_note(0);
        an_watch_times(seconds);
        return AN_OK;
    }
    memset(seconds, 0, AN_MARKS * sizeof *seconds);
    an_engine_time_waits(&b->engine, AN_TIME_MARKS);
    an_graph_forget(s, &an_marching_of(s)->graph);
    for (int n = 0; n <= TIMES && status == AN_OK; n++) {
        status = step(s);
        if (status == AN_OK)
            status = an_engine_marked(&b->engine, one, waited);
        for (int m = 0; m < AN_MARKS && n > 0; m++)
            seconds[m] += (bc->inner ? bc->inner : 1) * one[m] / TIMES;
    }
    an_engine_time_waits(&b->engine, 0);
    an_graph_forget(s, &an_marching_of(s)->graph);
    return status == AN_STOPPED ? AN_OK : status;
}

/* Issues a cycle operation by operation, and sums up what it does in each place. */
static int account(struct bench_case *bc, struct an_solver *s, const struct an_watched **list,
                   int *n, struct place place[PLACES])
{
    an_watch_note(1);
    AN_TRY(step(s));
    an_watch_note(0);
    *n = an_watch_list(list);
    memset(place, 0, PLACES * sizeof *place);
    for (int l = 0; l < s->nlevel; l++)
        place[l].cells = (double)s->level[l].layout.interior;
    place[TURBULENCE].cells = place[0].cells;
    for (int m = 0; m < *n; m++) {
        struct place *p = &place[place_of(&(*list)[m])];
        double seconds;
        AN_TRY(an_bench_rate(&bc->rates, &(*list)[m], &seconds));
        p->large += seconds * (*list)[m].points;
        p->launches += (*list)[m].launches;
        p->operations++;
    }
    return AN_OK;
}

/* ---- tables ---- */

struct variant {
    char name[64];
    int levels, stages;
    enum an_cycle cycle;
};

static void print_place(const struct bench_case *bc, const char *name, const struct place *p)
{
    const char *bar = bc->b->o->markdown ? " | " : " ";
    const int64_t steps = p->launches ? p->launches : p->operations;
    printf("%s%-11s%s%9.0f%s%6d%s%6lld%s%9.3f%s%7.1f%s%9.3f%s%9.3f%s%3.0f%s\n",
           bc->b->o->markdown ? "| " : "  ", name, bar, p->cells, bar, p->operations, bar,
           (long long)p->launches, bar, 1e3 * p->seconds, bar, 1e6 * p->seconds / (double)steps,
           bar, 1e3 * p->large, bar, 1e3 * (p->seconds - p->large), bar,
           100 * (1 - p->large / p->seconds), bc->b->o->markdown ? " |" : "");
}

static json_t *place_json(const char *name, const struct place *p)
{
    return json_pack("{s:s, s:f, s:i, s:I, s:f, s:f}", "name", name, "cells", p->cells,
                     "operations", p->operations, "launches", (json_int_t)p->launches, "seconds",
                     p->seconds, "seconds_at_large_rates", p->large);
}

/* The places, and all of them together: `whole` has the time of a cycle without marks. */
static void print_places(const struct bench_case *bc, struct place place[PLACES],
                         struct place *whole, json_t *variant)
{
    json_t *places = json_array();
    char name[32];
    if (bc->b->o->markdown)
        printf("| | cells | operations | launches | ms | us each | ms at large-mesh rates | "
               "launch and latency, ms | %% |\n|---|---|---|---|---|---|---|---|---|\n");
    else
        printf("  %-11s %9s %6s %6s %9s %7s %9s %9s   %%\n", "", "cells", "oper.", "launch", "ms",
               "us each", "large, ms", "rest, ms");
    for (int p = 0; p < PLACES; p++) {
        if (!place[p].operations)
            continue;
        place_name(p, name, sizeof name);
        print_place(bc, name, &place[p]);
        json_array_append_new(places, place_json(name, &place[p]));
        whole->operations += place[p].operations;
        whole->launches += place[p].launches;
        whole->large += place[p].large;
    }
    print_place(bc, bc->inner ? "time step" : "cycle", whole);
    json_object_set_new(variant, "places", places);
    json_object_set_new(variant, "cycle", place_json("cycle", whole));
}

/* The kernels of each place, those that take most of a cycle first. */
static int print_kernels(struct bench_case *bc, const struct an_watched *list, int n,
                         json_t *variant)
{
    struct kernel *kernel = calloc((size_t)n + 1, sizeof *kernel);
    AN_CHECK(kernel, AN_FAIL, "out of memory for the list of kernels");
    const int count = gather(list, n, kernel);
    int status = AN_OK;
    for (int k = 0; k < count && status == AN_OK; k++) {
        double rate;
        status = an_bench_rate(&bc->rates, kernel[k].of, &rate);
        kernel[k].large = rate * kernel[k].of->points;
        if (status == AN_OK)
            status = time_alone(bc->b, kernel[k].of, &kernel[k].alone);
    }
    qsort(kernel, (size_t)count, sizeof *kernel, by_time);
    json_t *rows = json_array();
    const char *bar = bc->b->o->markdown ? " | " : " ";
    if (bc->b->o->markdown)
        printf(
            "\n| kernel | where | calls | launches | points | us alone | us at large-mesh rates | "
            "ms a %s |\n|---|---|---|---|---|---|---|---|\n",
            bc->inner ? "step" : "cycle");
    else
        printf("\n  %-26s %-11s %5s %6s %9s %9s %9s %9s\n", "", "", "calls", "launch", "points",
               "us alone", "large, us", bc->inner ? "ms/step" : "ms/cycle");
    for (int k = 0; k < count && status == AN_OK; k++) {
        const struct kernel *q = &kernel[k];
        char name[64], where[32];
        an_watch_name(q->of, name, sizeof name);
        place_name(place_of(q->of), where, sizeof where);
        printf("%s%-26s%s%-11s%s%5d%s%6lld%s%9.0f%s%9.2f%s%9.2f%s%9.3f%s\n",
               bc->b->o->markdown ? "| " : "  ", name, bar, where, bar, q->calls, bar,
               (long long)q->launches, bar, q->of->points, bar, 1e6 * q->alone, bar, 1e6 * q->large,
               bar, 1e3 * q->calls * q->alone, bc->b->o->markdown ? " |" : "");
        json_array_append_new(rows, json_pack("{s:s, s:s, s:i, s:I, s:f, s:f, s:f}", "name", name,
                                              "place", where, "calls", q->calls, "launches",
                                              (json_int_t)q->launches, "points", q->of->points,
                                              "seconds_alone", q->alone, "seconds_at_large_rates",
                                              q->large));
    }
    json_object_set_new(variant, "kernels", rows);
    free(kernel);
    return status;
}

/* ---- a variant of the case ---- */

static int measure(struct bench_case *bc, struct an_solver *s, const struct variant *v, int kernels)
{
    struct an_bench *b = bc->b;
    const struct an_watched *list;
    struct place place[PLACES], whole = {.cells = (double)s->level[0].layout.interior};
    double seconds[AN_MARKS];
    struct an_bench_row row;
    struct an_solver_info info;
    int n;
    AN_TRY(step(s)); /* what is allocated once; and the first is not recorded */
    AN_TRY(an_bench_time(b, NULL, step, s, &row));
    whole.seconds = row.seconds;
    whole.operations = 0;
    AN_TRY(time_places(bc, s, seconds));
    an_marching_of(s)->graph.on = 0;
    AN_TRY(account(bc, s, &list, &n, place));
    for (int p = 0; p < PLACES; p++)
        place[p].seconds = seconds[p];
    an_solver_info(s, &info);
    printf("\n%s: %.0f cells in %d block%s, %d level%s, %c cycle, %d stage%s: ", v->name,
           whole.cells, s->nlocal, s->nlocal == 1 ? "" : "s", info.levels,
           info.levels == 1 ? "" : "s", AN_CYCLE_LETTERS[v->cycle], info.stages,
           info.stages == 1 ? "" : "s");
    if (bc->inner)
        printf("%.2f time steps/s of %d inner iterations\n", 1 / whole.seconds, bc->inner);
    else
        printf("%.2f cycles/s\n", 1 / whole.seconds);
    if (b->o->markdown)
        printf("\n");
    const char shape[] = {(char)tolower(AN_CYCLE_LETTERS[v->cycle]), 0};
    json_t *j = json_pack("{s:s, s:i, s:s, s:i, s:i, s:i, s:f, s:f, s:f}", "name", v->name,
                          "levels", info.levels, "shape", shape, "stages", info.stages,
                          "inner_iterations", bc->inner, "blocks", s->nlocal, "cells", whole.cells,
                          "seconds", whole.seconds, "spread", row.spread);
    json_array_append_new(bc->variants, j);
    print_places(bc, place, &whole, j);
    const int status = kernels ? print_kernels(bc, list, n, j) : AN_OK;
    fflush(stdout);
    return status;
}

static int run_variant(struct bench_case *bc, const struct variant *v, int kernels)
{
    struct an_case c = *bc->b->o->c; /* what it points to stays the caller's */
    struct an_solver *s;
    c.multigrid.levels = v->levels;
    c.multigrid.cycle = v->cycle;
    c.march.stages = v->stages;
    if (an_case_is_dual(&c) && !c.march.inner_iterations)
        c.march.inner_iterations = INNER; /* the same in all samples */
    bc->inner = an_case_is_dual(&c) ? c.march.inner_iterations : 0;
    int status = an_solver_new(MPI_COMM_SELF, &c, bc->b->o->mesh, &bc->b->engine, &s);
    if (status == AN_OK)
        status = an_solver_fill_initial(s);
    if (status == AN_OK)
        status = measure(bc, s, v, kernels);
    an_solver_destroy(s);
    return status;
}

/* The case as it is; with --sweep also with fewer levels, as a V cycle, with fewer stages. */
static int run_variants(struct bench_case *bc)
{
    const struct an_case *c = bc->b->o->c;
    struct variant own = {"as the case", c->multigrid.levels, c->march.stages, c->multigrid.cycle};
    AN_TRY(run_variant(bc, &own, 1));
    if (!bc->b->o->sweep)
        return AN_OK;
    json_t *first = json_array_get(bc->variants, 0);
    const int levels = (int)json_integer_value(json_object_get(first, "levels"));
    struct variant v;
    static const int least[] = {
        [AN_CYCLE_V] = 3, [AN_CYCLE_W] = 1, [AN_CYCLE_F] = 4}; /* else they are alike */
    for (int cycle = AN_CYCLE_V; cycle <= AN_CYCLE_F; cycle++)
        for (int l = levels; l >= least[cycle]; l--) {
            v = own;
            v.levels = l;
            v.cycle = (enum an_cycle)cycle;
            snprintf(v.name, sizeof v.name, "%c, %d level%s", AN_CYCLE_LETTERS[cycle], l,
                     l == 1 ? "" : "s");
            if (l != levels || v.cycle != own.cycle)
                AN_TRY(run_variant(bc, &v, 0));
        }
    for (int stages = own.stages - 1; stages > 0; stages--) {
        v = own;
        v.stages = stages;
        snprintf(v.name, sizeof v.name, "%d stage%s", stages, stages == 1 ? "" : "s");
        AN_TRY(run_variant(bc, &v, 0));
    }
    return AN_OK;
}

int an_bench_cases(struct an_bench *b, json_t *table)
{
    struct bench_case *bc = calloc(1, sizeof *bc);
    AN_CHECK(bc, AN_FAIL, "out of memory");
    bc->b = b;
    bc->variants = json_array();
    int status = an_bench_rates_new(b, an_topology_cells(&b->o->mesh->topology), &bc->rates);
    if (status == AN_OK)
        status = an_watch_start(&b->engine);
    if (status == AN_OK)
        status = run_variants(bc);
    an_watch_stop(&b->engine);
    an_bench_rates_free(&bc->rates);
    json_object_set_new(table, "case", json_string(b->o->c->title));
    json_object_set_new(table, "variants", bc->variants);
    free(bc);
    return status;
}

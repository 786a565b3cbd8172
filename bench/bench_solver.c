/* A row for every stencil of the solver, its transfers and its fused kernels. */
#include "bench/bench_set.h"

#include "kernels/cuda/cuda_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The meshes: a small one to compare on, the one that is timed. */
struct meshes {
    struct an_bench *b;
    struct an_bench_set small, large;
};

static const char *const scheme_name[AN_NSCHEME] = {"JST", "Roe", "matrix", "KEP"};
static const char *const direction[3] = {" i", " j", " k"};

/* ---- timing ---- */

/* Puts the fields that a row reads and writes back, so that they do not run away. */
static int restore(void *work)
{
    struct an_bench_work *w = work;
    struct an_bench_set *s = w->set;
    for (int f = 0; f < AN_NFIELD; f++)
        if (w->keep.at[f])
            AN_TRY(s->e->op->copy(s->e, s->f.at[f], w->keep.at[f], s->bytes[f], 0));
    return AN_OK;
}

static int keep_fields(struct an_bench_work *w, int *any)
{
    struct an_bench_set *s = w->set;
    *any = 0;
    for (int f = 0; f < AN_NFIELD; f++) {
        if (!w->account.reads[f] || !w->account.writes[f] || w->what >= AN_WHAT_COPIES)
            continue;
        AN_TRY(s->e->op->alloc(s->e, s->bytes[f], &w->keep.at[f]));
        AN_TRY(s->e->op->copy(s->e, w->keep.at[f], s->f.at[f], s->bytes[f], 0));
        *any = 1;
    }
    return AN_OK;
}

static void drop_fields(struct an_bench_work *w)
{
    for (int f = 0; f < AN_NFIELD; f++) {
        w->set->e->op->free(w->set->e, w->keep.at[f]);
        w->keep.at[f] = NULL;
    }
}

/* What the driver says of the kernels a row launches. */
static int attributes(struct an_bench_work *w, struct an_bench_row *row)
{
    struct an_kernel_probe probe = {.resident = 1 << 20};
    row->registers = row->spill = row->shared = row->resident = -1;
    if (!w->b->cuda)
        return AN_OK;
    const int sums = w->sums;
    w->sums = 0;
    AN_TRY(an_cuda_probe(&w->b->engine, &probe));
    const int status = an_bench_work_run(w);
    AN_TRY(an_cuda_probe(&w->b->engine, NULL));
    w->sums = sums;
    row->registers = probe.registers;
    row->spill = probe.spill;
    row->shared = probe.shared;
    row->resident = probe.resident;
    return status;
}

/* ---- rows ---- */

/* Fields that hold enum an_field must have their pattern again after a row wrote them. */
static int refill(struct an_bench_work *w)
{
    for (int f = 0; f < AN_NFIELD; f++)
        if (w->account.writes[f])
            AN_TRY(an_bench_set_fill(w->set, (enum an_field)f));
    return AN_OK;
}

/* Verified on the small mesh, timed on the large one. */
static int measure(struct meshes *m, struct an_bench_work *w, struct an_bench_row *row)
{
    struct an_bench *b = m->b;
    int again;
    w->b = b;
    w->set = &m->small;
    AN_TRY(an_bench_work_verify(w, &row->error));
    w->set = &m->large;
    const double real = (double)b->engine.precision;
    row->tolerance = an_bench_tolerance(b);
    row->op = w->account.op;
    row->words_read = w->account.read + w->account.wide_read;
    row->words_written = w->account.written + w->account.wide_written;
    row->bytes = real * (w->account.read + w->account.written) +
                 8 * (w->account.wide_read + w->account.wide_written);
    row->points = an_bench_work_points(w);
    AN_TRY(attributes(w, row));
    int status = keep_fields(w, &again);
    if (!status)
        status = an_bench_time(b, again ? restore : NULL, an_bench_work_run, w, row);
    drop_fields(w);
    if (!status)
        status = refill(w);
    return status;
}

static int add_row(struct meshes *m, struct an_bench_work *w, const char *name, const char *kind,
                   const char *note)
{
    struct an_bench_row row = {.error = NAN};
    if (!an_bench_wanted(m->b, name))
        return AN_OK;
    snprintf(row.name, sizeof row.name, "%s", name);
    snprintf(row.kind, sizeof row.kind, "%s", kind);
    snprintf(row.note, sizeof row.note, "%s", note);
    AN_TRY(measure(m, w, &row));
    an_bench_table_row(m->b, &row);
    return AN_OK;
}

static int stencil_row(struct meshes *m, enum an_stencil s, int dir)
{
    static const char *const kind[] = {"cell", "directional", "face", "line"};
    struct an_bench_work *w = calloc(1, sizeof *w);
    char name[AN_BENCH_NAME];
    AN_CHECK(w, AN_FAIL, "out of memory");
    w->what = AN_WHAT_STENCIL;
    w->stencil = s;
    w->dir = dir;
    w->p = strstr(an_stencil_name(s), "sst") ? &m->small.sst : &m->small.viscous;
    const int line = an_bench_kind(s) == AN_KIND_LINE;
    snprintf(name, sizeof name, "%s%s", an_stencil_name(s), line ? direction[dir] : "");
    const int status = add_row(m, w, name, kind[an_bench_kind(s)], "");
    free(w);
    return status;
}

static int stencil_rows(struct meshes *m)
{
    for (int s = 0; s < AN_NSTENCIL; s++) {
        const int line = an_bench_kind((enum an_stencil)s) == AN_KIND_LINE;
        for (int dir = 0; dir < (line ? 3 : 1); dir++)
            AN_TRY(stencil_row(m, (enum an_stencil)s, dir));
    }
    return AN_OK;
}

static int what_row(struct meshes *m, enum an_bench_what what, enum an_scheme scheme,
                    const char *name, const char *kind, const char *note)
{
    struct an_bench_work *w = calloc(1, sizeof *w);
    AN_CHECK(w, AN_FAIL, "out of memory");
    w->what = what;
    w->scheme = scheme;
    w->p = an_bench_what_is_viscous(what) ? &m->small.viscous : &m->small.inviscid;
    const int status = add_row(m, w, name, kind, note);
    free(w);
    return status;
}

static int fused_rows(struct meshes *m, const char *suffix, const char *note)
{
    char name[AN_BENCH_NAME];
    for (int scheme = 0; scheme < AN_NSCHEME; scheme++)
        for (int stage = 0; stage < 2; stage++) {
            snprintf(name, sizeof name, "fused %s %s%s", scheme_name[scheme],
                     stage ? "stage" : "residual", suffix);
            AN_TRY(what_row(m, stage ? AN_WHAT_STAGE : AN_WHAT_RESIDUAL, (enum an_scheme)scheme,
                            name, "fused", note));
        }
    return AN_OK;
}

static int viscous_rows(struct meshes *m, const char *suffix)
{
    static const char note[] = "gradients and fluxes by plane streaming, gradients never stored";
    char name[AN_BENCH_NAME];
    for (int stage = 0; stage < (m->b->engine.op->viscous ? 2 : 0); stage++) {
        snprintf(name, sizeof name, "fused viscous %s%s", stage ? "stage" : "residual", suffix);
        AN_TRY(what_row(m, stage ? AN_WHAT_VISCOUS_STAGE : AN_WHAT_VISCOUS, AN_SCHEME_JST, name,
                        "fused", note));
    }
    return AN_OK;
}

/* Where the engine has a kernel for both. */
static int rans_rows(struct meshes *m, const char *suffix, const char *note)
{
    struct an_engine *e = &m->b->engine;
    char name[AN_BENCH_NAME];
    int status = AN_OK;
    if (!e->op->rans)
        return AN_OK;
    const int before = an_cuda_choose_pass(e, 1);
    for (int row = 0; row < 2 * AN_NSCHEME && !status; row++) {
        const enum an_scheme scheme = (enum an_scheme)(row / 2);
        const int stage = row % 2;
        if (!e->op->in_one_pass(e, scheme, m->large.tiles[0], &m->small.viscous, 0))
            continue;
        snprintf(name, sizeof name, "fused RANS %s %s%s", scheme_name[scheme],
                 stage ? "stage" : "residual", suffix);
        status =
            what_row(m, stage ? AN_WHAT_RANS_STAGE : AN_WHAT_RANS, scheme, name, "fused", note);
    }
    an_cuda_choose_pass(e, before);
    return status;
}

/* Tiles anew, after the engine was tuned. */
static int retile(struct an_bench_set *s)
{
    struct an_layout *l = &s->layout[0];
    struct an_box *box = calloc((size_t)l->nblock, sizeof *box);
    AN_CHECK(box, AN_FAIL, "out of memory");
    for (int b = 0; b < l->nblock; b++) {
        box[b].block = b;
        memcpy(box[b].hi, l->block[b].n, sizeof box[b].hi);
    }
    s->e->op->tiles_free(s->e, s->tiles[0]);
    s->tiles[0] = NULL;
    const int status = s->e->op->tiles_new(s->e, l, l->nblock, box, &s->tiles[0]);
    free(box);
    return status;
}

static int sweep_rows(struct meshes *m)
{
    static const int chunks[] = {0, 8, 16, 32, 64};
    struct an_engine *e = &m->b->engine;
    const struct an_fused_variant *v;
    for (int n = 0; (v = an_cuda_variant(e, n)); n++)
        for (size_t c = 0; c < sizeof chunks / sizeof *chunks; c++) {
            char suffix[32], note[80];
            AN_TRY(an_cuda_tune(e, n, chunks[c]));
            AN_TRY(retile(&m->small));
            AN_TRY(retile(&m->large));
            snprintf(suffix, sizeof suffix, " v%d c%d", n, chunks[c]);
            snprintf(note, sizeof note, "%dx%d, %s, %d blocks, %d planes a tile", v->tx, v->ty,
                     v->async ? "asynchronous" : "registers", v->min_blocks, chunks[c]);
            AN_TRY(fused_rows(m, suffix, note));
            AN_TRY(viscous_rows(m, suffix)); /* of its variants, counted round */
            const struct an_fused_variant *const rans = an_cuda_rans_variant(e, n);
            if (rans)
                snprintf(note, sizeof note, "%dx%d, %d blocks, %d planes a tile", rans->tx,
                         rans->ty, rans->min_blocks, chunks[c]);
            AN_TRY(rans_rows(m, suffix, note));
        }
    AN_TRY(an_cuda_tune(e, -1, 0));
    AN_TRY(retile(&m->small));
    return retile(&m->large);
}

static int meshes_new(struct meshes *m)
{
    static const int small[3][3] = {{22, 12, 10}, {6, 16, 8}, {40, 6, 2}};
    const struct an_bench_options *o = m->b->o;
    const int n = o->n ? o->n : m->b->cuda ? 256 : m->b->engine.device_memory ? 64 : 96;
    const int blocks = o->blocks ? o->blocks : 1;
    int(*size)[3] = malloc((size_t)blocks * sizeof *size);
    AN_CHECK(size, AN_FAIL, "out of memory");
    for (int b = 0; b < blocks; b++)
        for (int d = 0; d < 3; d++)
            size[b][d] = n;
    int status = an_bench_set_new(&m->b->engine, 3, small, &m->small);
    if (!status)
        status = an_bench_set_new(&m->b->engine, blocks, (const int(*)[3])size, &m->large);
    free(size);
    return status;
}

static int solver_rows(struct meshes *m)
{
    char title[80];
    const struct an_layout *l;
    AN_TRY(meshes_new(m));
    l = &m->large.layout[0];
    snprintf(title, sizeof title, "%d block%s of %d^3 cells", l->nblock, l->nblock > 1 ? "s" : "",
             l->block[0].n[0]);
    an_bench_table_begin(m->b, title);
    AN_TRY(stencil_rows(m));
    AN_TRY(
        what_row(m, AN_WHAT_COPIES, AN_SCHEME_JST, "copies", "transfer", "two layers of ghosts"));
    AN_TRY(what_row(m, AN_WHAT_TURNED, AN_SCHEME_JST, "copies, vectors turned", "transfer",
                    "two layers of ghosts"));
    AN_TRY(fused_rows(m, "", ""));
    AN_TRY(viscous_rows(m, ""));
    AN_TRY(rans_rows(m, "", "convective and viscous fluxes in one pass"));
    AN_TRY(an_bench_iterations(m->b, &m->small, &m->large));
    return m->b->o->sweep && m->b->cuda ? sweep_rows(m) : AN_OK;
}

int an_bench_solver(struct an_bench *b, json_t *table)
{
    struct meshes *m = calloc(1, sizeof *m);
    AN_CHECK(m, AN_FAIL, "out of memory");
    m->b = b;
    const int status = solver_rows(m);
    an_bench_set_free(&m->small);
    an_bench_set_free(&m->large);
    free(m);
    json_object_set_new(table, "rows", an_bench_table_end(b));
    return status;
}

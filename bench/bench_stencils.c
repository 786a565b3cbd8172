/* Simple stencils of the literature: on a GPU the designs of designs.h, on a CPU loops. */
#include "bench/bench_run.h"
#include "bench/designs/designs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int is_wave(enum an_bench_stencil s)
{
    return an_bench_stencil_about(s)->dimensions == 1;
}

/* A measurement as a row. */
static void fill_row(const struct an_bench *b, const struct an_design *d,
                     const struct an_design_result *r, struct an_bench_row *row)
{
    const struct an_bench_stencil_info *info = an_bench_stencil_about(d->stencil);
    row->points = r->updates;
    row->op.add = r->flops / r->updates;
    row->bytes = r->bytes / r->updates;
    row->words_read = row->bytes / (d->precision / 8);
    row->model_bytes = r->predicted / r->updates;
    row->seconds = r->seconds;
    row->fastest = r->fastest;
    row->error = r->error;
    row->tolerance = r->tolerance;
    row->registers = r->registers;
    row->spill = r->spill;
    row->shared = r->shared;
    row->resident = r->blocks;
    row->instructions = r->operations / r->updates;
    const double rate = r->updates / r->seconds;
    if (is_wave(d->stencil))
        snprintf(row->remark, sizeof row->remark, "%.1f %% of the FMA peak",
                 100 * r->operations / r->seconds / (0.5 * b->ceiling.fma));
    else if (r->steps > 1)
        snprintf(row->remark, sizeof row->remark, "%.2f x streaming",
                 rate * info->words * (d->precision / 8) / b->ceiling.copy);
    else if (r->predicted > 0)
        snprintf(row->remark, sizeof row->remark, "model: %.1f B", row->model_bytes);
    if (r->variant[0])
        snprintf(row->note, sizeof row->note, "%.70s; %.60s", d->source, r->variant);
    else
        snprintf(row->note, sizeof row->note, "%.150s", d->source);
}

static int design_row(struct an_bench *b, struct an_design_bench *bench, const struct an_design *d)
{
    struct an_bench_row row = {.registers = -1};
    struct an_design_result r;
    const int n = b->o->n ? b->o->n : 512;
    const int size[3] = {is_wave(d->stencil) ? 0 : n, n, n};
    const char *stencil = an_bench_stencil_about(d->stencil)->name;
    memset(&r, 0, sizeof r);
    snprintf(row.name, sizeof row.name, "%s %s", stencil, d->name);
    snprintf(row.kind, sizeof row.kind, "%s", stencil);
    if (!an_bench_wanted(b, row.name))
        return AN_OK;
    const int status =
        an_design_measure(bench, d, size, b->o->samples > 0 ? b->o->samples : 21, &r);
    if (status) { /* the others still say something; AN_INPUT: this one does not fit the device */
        b->failed += status != AN_INPUT;
        printf("%-34s %s\n", row.name, an_error_text());
        return AN_OK;
    }
    fill_row(b, d, &r, &row);
    an_bench_table_row(b, &row);
    return AN_OK;
}

static int designs(struct an_bench *b)
{
    struct an_design_bench *bench = NULL;
    const int bits = b->engine.precision == AN_SINGLE ? 32 : 64;
    AN_TRY(an_design_bench_new(&bench));
    for (int n = 0; n < an_design_count(); n++)
        if (an_design_at(n)->precision == bits)
            AN_TRY(design_row(b, bench, an_design_at(n)));
    an_design_bench_destroy(bench);
    return AN_OK;
}

int an_bench_stencils(struct an_bench *b, json_t *table)
{
    char title[80];
    const int n = b->o->n ? b->o->n : b->cuda ? 512 : 320;
    snprintf(title, sizeof title, "grid of %d^3 points", n);
    an_bench_table_begin(b, title);
    const int status = b->cuda ? designs(b) : an_bench_cpu_stencils(b, n);
    json_object_set_new(table, "rows", an_bench_table_end(b));
    return status;
}

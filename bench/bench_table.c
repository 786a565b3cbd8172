/* Rows of the tables: on the screen, as markdown, in JSON. */
#include "bench/bench_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double flops_of(const struct an_operations *op)
{
    return op->add + op->multiply + op->divide + op->root + op->power;
}

double an_bench_instructions(const struct an_bench *b, const struct an_bench_row *row)
{
    if (row->instructions > 0)
        return row->instructions;
    return (b->cuda ? 0.5 : 1) * flops_of(&row->op);
}

double an_bench_roofline(const struct an_bench *b, const struct an_bench_row *row)
{
    const struct an_ceilings *c = &b->ceiling;
    double time = row->bytes / c->copy;
    time = fmax(time, an_bench_instructions(b, row) / c->issue);
    time = fmax(time, row->op.divide / c->divide);
    time = fmax(time, row->op.root / c->root);
    return time * row->points;
}

int an_bench_wanted(const struct an_bench *b, const char *name)
{
    return !b->o->only || strstr(name, b->o->only);
}

void an_bench_table_begin(struct an_bench *b, const char *title)
{
    const char *precision = b->engine.precision == AN_SINGLE ? "single" : "double";
    b->rows = json_array();
    if (b->o->markdown) {
        printf("\n%s, %s precision: copy %.0f GB/s, arithmetic %.0f G/s.\n\n", title, precision,
               1e-9 * b->ceiling.copy, 1e-9 * b->ceiling.plain);
        printf("| row | flop | B | flop/B | G/s | GB/s | %% copy | %% roofline |%s error | |\n",
               b->cuda ? " registers | spills | shared |" : "");
        printf("|---|---|---|---|---|---|---|---|%s---|---|\n", b->cuda ? "---|---|---|" : "");
        return;
    }
    printf("\n%s, %s\n", title, precision);
    printf("%-34s %7s %6s %6s %9s %8s %6s %6s", "", "flop", "B", "flop/B", "G/s", "GB/s", "% copy",
           "% roof");
    if (b->cuda)
        printf(" %4s %5s %6s %3s", "regs", "spill", "shared", "occ");
    printf(" %8s\n", "error");
}

static json_t *number(double v)
{
    return isfinite(v) ? json_real(v) : json_null();
}

static json_t *row_json(const struct an_bench *b, const struct an_bench_row *row)
{
    const double points = row->points / row->seconds;
    json_t *j =
        json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:f, s:f}", "name", row->name, "kind", row->kind,
                  "note", row->note, "points", row->points, "seconds", row->seconds, "spread",
                  row->spread, "points_per_second", points, "bytes_per_point", row->bytes);
    const double flops = flops_of(&row->op), roof = an_bench_roofline(b, row);
    json_object_set_new(j, "flops_per_point", number(flops));
    json_object_set_new(j, "operations",
                        json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "add", row->op.add, "multiply",
                                  row->op.multiply, "divide", row->op.divide, "root", row->op.root,
                                  "power", row->op.power, "compare", row->op.compare));
    json_object_set_new(j, "fastest", json_real(row->fastest));
    json_object_set_new(j, "words_read", number(row->words_read));
    json_object_set_new(j, "words_written", number(row->words_written));
    json_object_set_new(j, "intensity", number(flops / row->bytes));
    json_object_set_new(j, "bytes_per_second", number(points * row->bytes));
    json_object_set_new(j, "flops_per_second", number(points * flops));
    json_object_set_new(j, "fraction_of_copy", number(points * row->bytes / b->ceiling.copy));
    json_object_set_new(j, "fraction_of_roofline", number(roof / row->seconds));
    json_object_set_new(j, "error", number(row->error));
    json_object_set_new(j, "tolerance", number(row->tolerance));
    json_object_set_new(j, "right", json_boolean(row->error <= row->tolerance));
    if (row->remark[0])
        json_object_set_new(j, "remark", json_string(row->remark));
    if (row->model_bytes > 0)
        json_object_set_new(j, "model_bytes_per_point", number(row->model_bytes));
    json_object_set_new(j, "instructions_per_point", number(an_bench_instructions(b, row)));
    if (row->registers >= 0) {
        json_object_set_new(j, "registers", json_integer(row->registers));
        json_object_set_new(j, "spill_bytes", json_integer(row->spill));
        json_object_set_new(j, "shared_bytes", json_integer(row->shared));
        json_object_set_new(j, "blocks_per_multiprocessor", json_integer(row->resident));
    }
    return j;
}

void an_bench_table_row(struct an_bench *b, struct an_bench_row *row)
{
    const double rate = row->points / row->seconds, flops = flops_of(&row->op);
    const double copy = 100 * rate * row->bytes / b->ceiling.copy;
    const double roof = 100 * an_bench_roofline(b, row) / row->seconds;
    const int wrong = !(row->error <= row->tolerance);
    const char *bar = b->o->markdown ? " | " : " ";
    b->failed += wrong;
    json_array_append_new(b->rows, row_json(b, row));
    if (b->o->markdown)
        printf("| %s%s%.0f%s%.0f%s%.2f%s%.3f%s%.0f%s%.0f%s%.0f", row->name, bar, flops, bar,
               row->bytes, bar, flops / row->bytes, bar, 1e-9 * rate, bar, 1e-9 * rate * row->bytes,
               bar, copy, bar, roof);
    else
        printf("%-34s %7.1f %6.1f %6.2f %9.4f %8.1f %6.1f %6.1f", row->name, flops, row->bytes,
               flops / row->bytes, 1e-9 * rate, 1e-9 * rate * row->bytes, copy, roof);
    if (b->cuda && row->registers >= 0 && b->o->markdown)
        printf(" | %d | %d | %d", row->registers, row->spill, row->shared);
    else if (b->cuda && row->registers >= 0)
        printf(" %4d %5d %6d %3d", row->registers, row->spill, row->shared, row->resident);
    else if (b->cuda)
        printf("%s", b->o->markdown ? " | | | " : "                      ");
    printf("%s%8.1e%s%s%s\n", bar, row->error, b->o->markdown ? " | " : "  ", row->remark,
           wrong            ? " WRONG"
           : b->o->markdown ? " |"
                            : "");
    fflush(stdout);
}

json_t *an_bench_table_end(struct an_bench *b)
{
    json_t *rows = b->rows;
    b->rows = NULL;
    return rows;
}

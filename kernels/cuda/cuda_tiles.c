#include "kernels/cuda/cuda_lists.h"
#include "kernels/cuda/cuda_times.h"

#include "kernels/base/numbers.h"
#include "kernels/engine/reference.h"
#include "kernels/engine/tiles.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *const kernel_name[AN_NTILED] = {
    "JST", "Roe", "matrix", "KEP", "viscous", "RANS-JST", "RANS-Roe", "RANS-matrix", "RANS-KEP"};
_Static_assert((int)AN_TILED_VISCOUS == (int)AN_NSCHEME, "fluxes, then the viscous kernel");
_Static_assert((int)AN_NTILED == (int)AN_TILED_RANS + (int)AN_NSCHEME, "then that of both fluxes");

/* ---- measuring ---- */

/* One block with all that the kernels read. */
struct trial {
    struct an_engine *e;
    struct an_layout layout;
    struct an_params params;
    struct an_fields f;
    struct an_box box;
    int no_memory; /* why it failed */
};

/* A component: around `value`, not smooth. */
static int put(const struct trial *t, void *scratch, enum an_field f, int c, double value)
{
    const int64_t n = t->layout.ncell;
    const size_t size = (size_t)t->e->precision;
    for (int64_t at = 0; at < n; at++) {
        const double v = value * (1 + 1e-7 * (double)((uint64_t)at * 2654435761u % 9973u));
        an_real_put(t->e->precision, scratch, at, v);
    }
    return t->e->op->upload(t->e, (char *)t->f.at[f] + (size_t)(c * n) * size, scratch,
                            (size_t)n * size, 0);
}

static int fill(struct trial *t)
{
    static const double state[5] = {1.2, 120, 60, 30, 2.6e5};
    static const struct {
        enum an_field field;
        int components;
    } used[] = {{AN_F_W, 5},  {AN_F_W0, 5},  {AN_F_WN, 5}, {AN_F_R, 5},     {AN_F_S, 9},
                {AN_F_DX, 9}, {AN_F_LAM, 3}, {AN_F_DT, 1}, {AN_F_GRAD, 12}, {AN_F_MUT, 1}};
    const size_t bytes = (size_t)t->layout.ncell * (size_t)t->e->precision;
    void *scratch = malloc(bytes);
    int status = scratch ? AN_OK : an_error_set(AN_FAIL, "out of memory for a trial of tiles");
    t->no_memory = !scratch;
    for (size_t n = 0; !status && n < sizeof used / sizeof *used; n++) {
        const enum an_field f = used[n].field;
        status = t->e->op->alloc(t->e, (size_t)used[n].components * bytes, &t->f.at[f]);
        t->no_memory = status != AN_OK;
        for (int c = 0; !status && c < used[n].components; c++)
            status = put(t, scratch, f, c,
                         f == AN_F_W || f == AN_F_W0     ? state[c]
                         : f == AN_F_S || f == AN_F_DX   ? (c % 4 == 0 ? 1 : 0.1)
                         : f == AN_F_LAM                 ? 400
                         : f == AN_F_DT || f == AN_F_MUT ? 1e-4
                                                         : 1);
    }
    free(scratch);
    return status;
}

static int launch(const struct trial *t, int kernel, const struct an_tiles *tiles)
{
    const struct an_engine_ops *op = t->e->op;
    if (kernel >= AN_TILED_RANS)
        return op->rans(t->e, (enum an_scheme)(kernel - AN_TILED_RANS), 1, tiles, &t->f, &t->params,
                        0);
    return kernel == AN_TILED_VISCOUS
               ? op->viscous(t->e, 1, tiles, &t->f, &t->params, 0)
               : op->stage(t->e, (enum an_scheme)kernel, tiles, &t->f, &t->params, 0);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The fastest of some times of one launch. */
static int time_of(const struct trial *t, int kernel, const struct an_tiles *tiles, double *seconds)
{
    enum { SAMPLES = 5, LAUNCHES = 4 };
    AN_TRY(launch(t, kernel, tiles));
    AN_TRY(t->e->op->sync(t->e, 0));
    *seconds = INFINITY;
    for (int n = 0; n < SAMPLES; n++) {
        const double start = now();
        for (int m = 0; m < LAUNCHES; m++)
            AN_TRY(launch(t, kernel, tiles));
        AN_TRY(t->e->op->sync(t->e, 0));
        *seconds = fmin(*seconds, (now() - start) / LAUNCHES);
    }
    return AN_OK;
}

static int measure_all(struct trial *t, struct an_tile_times *times)
{
    struct an_cuda_plan *plan = plan_of(t->e);
    int status = AN_OK;
    memset(times, 0, sizeof *times);
    plan->chunk = 0;
    for (int v = 0; !status && v < AN_MAX_VARIANT; v++) {
        struct an_tiles *tiles = NULL;
        int any = 0;
        for (int k = 0; k < AN_NTILED; k++) {
            const struct shapes s = shapes_of(plan, (enum an_tiled)k);
            any |= v < s.n && s.resident[v];
        }
        if (!any)
            continue;
        plan->variant = v;
        status = t->e->op->tiles_new(t->e, &t->layout, 1, &t->box, &tiles);
        t->no_memory = status != AN_OK; /* lists are all it makes */
        for (int k = 0; !status && k < AN_NTILED; k++) {
            const struct shapes shapes = shapes_of(plan, (enum an_tiled)k);
            double seconds = 0;
            if (v >= shapes.n || !shapes.resident[v])
                continue;
            status = time_of(t, k, tiles, &seconds);
            times->of[k][v] = 1e12 * seconds / (double)t->layout.interior;
        }
        t->e->op->tiles_free(t->e, tiles);
    }
    plan->variant = -1;
    return status;
}

static int measure(struct an_engine *e, struct an_tile_times *times, int *no_memory)
{
    const int edge = e->device_memory ? 128 : 8; /* fibers are slow */
    const int n[1][3] = {{edge, edge, edge}};
    struct trial t = {.e = e, .params = an_params_reference()};
    t.params.march.alpha = 1e-6; /* a stage leaves the state as it is, nearly */
    int status = an_layout_new(1, n, e->precision, &t.layout);
    t.no_memory = status != AN_OK;
    memcpy(t.box.hi, n[0], sizeof t.box.hi);
    if (!status)
        status = fill(&t);
    if (!status)
        status = measure_all(&t, times);
    for (int f = 0; f < AN_NFIELD; f++)
        if (t.f.at[f])
            e->op->free(e, t.f.at[f]);
    an_layout_free(&t.layout);
    *no_memory = t.no_memory;
    return status;
}

/* ---- the cache ---- */

/* A line for each kernel and variant: what it is, ps a cell. */
#define LINE "%15s %d %d %d %d %lf"

static int read_times(struct an_cuda_plan *plan, const char *path, struct an_tile_times *times)
{
    FILE *in = fopen(path, "r");
    char line[200], name[16];
    int found = 0, wanted = 0;
    memset(times, 0, sizeof *times);
    while (in && fgets(line, sizeof line, in)) {
        struct an_fused_variant is;
        double ps;
        if (sscanf(line, LINE, name, &is.tx, &is.ty, &is.async, &is.min_blocks, &ps) != 6)
            continue;
        for (int k = 0; k < AN_NTILED; k++) {
            const struct shapes s = shapes_of(plan, (enum an_tiled)k);
            for (int v = 0; v < s.n; v++) {
                is.shared = s.variant[v].shared; /* follows from the others */
                if (s.resident[v] && !strcmp(name, kernel_name[k]) &&
                    !memcmp(&is, &s.variant[v], sizeof is) && ps > 0 && ps < 1e9 &&
                    times->of[k][v] == 0) {
                    times->of[k][v] = ps;
                    found++;
                }
            }
        }
    }
    if (in)
        fclose(in);
    for (int k = 0; k < AN_NTILED; k++) {
        const struct shapes s = shapes_of(plan, (enum an_tiled)k);
        for (int v = 0; v < s.n; v++)
            wanted += s.resident[v] > 0;
    }
    return found == wanted ? AN_OK : AN_FAIL;
}

/* Whole or not at all: a file of another name is renamed. */
static int write_times(struct an_cuda_plan *plan, const char *path,
                       const struct an_tile_times *times)
{
    char other[700];
    snprintf(other, sizeof other, "%s.XXXXXX", path);
    const int file = mkstemp(other);
    AN_CHECK(file >= 0, AN_FAIL, "%s: %s", other, strerror(errno));
    FILE *out = fdopen(file, "w");
    if (!out) {
        (void)close(file);
        (void)remove(other);
        return an_error_set(AN_FAIL, "out of memory for %s", path);
    }
    fprintf(out, "# kernel, tile, asynchronous, blocks, ps a cell\n");
    for (int k = 0; k < AN_NTILED; k++) {
        const struct shapes s = shapes_of(plan, (enum an_tiled)k);
        const struct an_fused_variant *v = s.variant;
        for (int n = 0; n < s.n; n++)
            if (times->of[k][n] > 0)
                fprintf(out, "%s %d %d %d %d %.3f\n", kernel_name[k], v[n].tx, v[n].ty, v[n].async,
                        v[n].min_blocks, times->of[k][n]);
    }
    const int failed = ferror(out);
    if (fclose(out) || failed || rename(other, path)) {
        const int why = errno;
        (void)remove(other);
        return an_error_set(AN_FAIL, "%s: %s", path, strerror(why));
    }
    return AN_OK;
}

/* FOLDER/annulus/tiles-DEVICE-DRIVER-PROGRAM-PRECISION; makes the folders. */
static int cache_path(const struct an_engine *e, const char *program, char path[600])
{
    const struct an_cuda_plan *plan = plan_of(e);
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char name[300];
    AN_CHECK((cache && cache[0] == '/') || (home && *home), AN_FAIL,
             "neither XDG_CACHE_HOME nor HOME is set");
    int n = cache && cache[0] == '/' ? snprintf(path, 600, "%s", cache)
                                     : snprintf(path, 600, "%s/.cache", home);
    AN_CHECK(n >= 0 && n <= 250, AN_FAIL, "%.60s...: too long a name for the folder of a cache",
             path);
    (void)mkdir(path, 0700);
    n += snprintf(path + n, 600 - (size_t)n, "/annulus");
    (void)mkdir(path, 0700); /* if it is not there now, the file says so */
    snprintf(name, sizeof name, "tiles-%s-%s-%.80s-%s", plan->device, plan->driver, program,
             e->precision == AN_DOUBLE ? "double" : "single");
    for (char *c = name; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-", *c))
            *c = '_';
    snprintf(path + n, 600 - (size_t)n, "/%s", name);
    return AN_OK;
}

/* ---- the choice ---- */

static void describe(const struct an_engine *e, const char *source, char *text)
{
    struct an_cuda_plan *plan = plan_of(e);
    int at = snprintf(text, AN_TILES_TEXT, "%.300s", source);
    for (int k = 0; k < AN_NTILED; k++) {
        const struct shapes s = shapes_of(plan, (enum an_tiled)k);
        const int best = an_cuda_best_variant(plan, (enum an_tiled)k, NULL);
        if (k >= AN_TILED_RANS && (!s.n || !s.resident[best] || !(s.time[best] > 0)))
            continue; /* not in use */
        at += snprintf(text + at, (size_t)(AN_TILES_TEXT - at), "%s %s %dx%d", k ? "," : ":",
                       kernel_name[k], s.variant[best].tx, s.variant[best].ty);
    }
}

static int from_cache(struct an_engine *e, const char *program, char source[400])
{
    struct an_cuda_plan *plan = plan_of(e);
    char path[600];
    struct an_tile_times times;
    int no_memory = 0;
    int status = cache_path(e, program, path);
    if (!status && read_times(plan, path, &times) == AN_OK) {
        plan->times = times;
        snprintf(source, 400, "measured before, %.280s", path);
        return AN_OK;
    }
    const int failed = measure(e, &times, &no_memory);
    if (failed && no_memory) {
        snprintf(source, 400, "table, measuring failed (%.270s)", an_error_text());
        return AN_OK;
    }
    AN_TRY(failed);
    plan->times = times;
    if (!status)
        status = write_times(plan, path, &times);
    if (status)
        snprintf(source, 400, "measured, not kept (%.270s)", an_error_text());
    else
        snprintf(source, 400, "measured, kept in %.280s", path);
    return AN_OK;
}

int an_cuda_choose_tiles(struct an_engine *e, int measured, const char *program, char *text)
{
    char source[400];
    const struct an_cuda_plan *plan = plan_of(e);
    const char *row = an_tile_table_device(plan->device, e->precision);
    snprintf(source, sizeof source, "table, row of %s%s", row,
             strcmp(row, plan->device) ? " for want of another" : "");
    if (measured)
        AN_TRY(from_cache(e, program, source));
    describe(e, source, text);
    return AN_OK;
}

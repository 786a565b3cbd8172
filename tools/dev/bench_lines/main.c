/* bench_lines cpu|cuda [samples]: rate of the implicit steps along lines of cells.
 *
 * For both precisions, the three line stencils on the blocks of the fine LS89 mesh and its
 * multigrid levels (lines along j; in the inlet's and outlet's block also along i), and on one
 * block of 96^3 cells (CPU: 48^3) with lines along i, j and k. Prints the median of the samples
 * (each a batch of calls long enough for the clock) and cells a second. On a GPU also the largest
 * difference of the viscous solution from the CPU engine's, over the largest of its kind.
 */
#include "kernels/engine/engine.h"

#include "kernels/base/numbers.h"
#include "kernels/engine/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int samples = 11;

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What each field starts as: a value for component c, and a wave in all elements. */
static const struct start {
    enum an_field field;
    int ncomp;
    double base[9], wave;
} starts[] = {
    {AN_F_W, 5, {1.2, 120, -60, 30, 2.6e5}, 0.01},
    {AN_F_R, 5, {1e-3, 0.1, 0.2, -0.1, 200}, 1},
    {AN_F_S, 9, {1e-4, 1e-5, 0, -1e-5, 1e-4, 1e-5, 0, 1e-5, 1e-4}, 0},
    {AN_F_DX, 9, {1e-2, 1e-3, 0, -1e-3, 1e-2, 1e-3, 0, 1e-3, 1e-2}, 0},
    {AN_F_VOL, 1, {1e-6}, 0},
    {AN_F_LAM, 3, {0.05, 0.05, 0.05}, 0.1},
    {AN_F_WD, 1, {0.01}, 0.5},
    {AN_F_MUT, 1, {1e-3}, 1},
    {AN_F_DT, 1, {500}, 0.1},
    {AN_F_RT, 2, {1e-3, 1e-3}, 1},
    {AN_F_DIAGT, 2, {8e-2, 8e-2}, 0.1},
    {AN_F_LINE, 30, {1e-2}, 0.1},
    {AN_F_DW, 5, {0}, 0},
};

static int make_fields(struct an_engine *e, const struct an_layout *l, struct an_fields *f)
{
    const size_t cells = (size_t)l->ncell, real = (size_t)e->precision;
    memset(f, 0, sizeof *f);
    char *host = malloc(cells * real);
    AN_CHECK(host, AN_FAIL, "out of memory");
    int status = AN_OK;
    for (size_t s = 0; s < sizeof starts / sizeof *starts; s++) {
        const struct start *t = &starts[s];
        if (!status)
            status = e->op->alloc(e, (size_t)t->ncomp * cells * real, &f->at[t->field]);
        for (int c = 0; !status && c < t->ncomp; c++) {
            for (size_t n = 0; n < cells; n++) {
                const double v = t->base[t->field == AN_F_LINE ? 0 : c] *
                                 (1 + t->wave * ((double)((n * 37 + (size_t)c) % 64) / 64 - 0.5));
                an_real_put(e->precision, host, (int64_t)n, v);
            }
            status = e->op->upload(e, (char *)f->at[t->field] + (size_t)c * cells * real, host,
                                   cells * real, 0);
        }
    }
    free(host);
    return status;
}

/* Median seconds of one call. */
static int measure(struct an_engine *e, enum an_stencil s, const struct an_lines *lines,
                   const struct an_fields *f, double *seconds)
{
    const struct an_params params = an_params_reference();
    double sample[100];
    int batch = 1;
    for (int n = -2; n < samples; n++) {
        const double begin = now();
        for (int m = 0; m < batch; m++)
            AN_TRY(e->op->run_lines(e, s, lines, f, &params, 0));
        AN_TRY(e->op->sync(e, 0));
        const double one = (now() - begin) / batch;
        if (n < 0)
            batch = one > 2e-3 ? 1 : one > 2e-5 ? (int)(2e-3 / one) + 1 : 100;
        else
            sample[n] = one;
    }
    qsort(sample, (size_t)samples, sizeof *sample, an_ascending);
    *seconds = sample[samples / 2];
    return AN_OK;
}

/* The solution of the viscous operator as double. */
static int solve(struct an_engine *e, const struct an_layout *l, const int *dir, double *dw)
{
    const struct an_params params = an_params_reference();
    const size_t count = 5 * (size_t)l->ncell;
    struct an_fields f;
    struct an_lines *lines = NULL;
    float *single = malloc(count * sizeof *single);
    AN_CHECK(single, AN_FAIL, "out of memory");
    AN_TRY(make_fields(e, l, &f));
    AN_TRY(e->op->lines_new(e, l, dir, &lines));
    AN_TRY(e->op->run_lines(e, AN_S_implicit_lines_viscous, lines, &f, &params, 0));
    AN_TRY(e->op->download(e, e->precision == AN_SINGLE ? (void *)single : dw, f.at[AN_F_DW],
                           count * (size_t)e->precision, 0));
    AN_TRY(e->op->sync(e, 0));
    for (size_t n = 0; e->precision == AN_SINGLE && n < count; n++)
        dw[n] = single[n];
    e->op->lines_free(e, lines);
    for (int n = 0; n < AN_NFIELD; n++)
        e->op->free(e, f.at[n]);
    free(single);
    return AN_OK;
}

static int compare(struct an_engine *e, const struct an_layout *l, const int *dir)
{
    const size_t cells = (size_t)l->ncell;
    struct an_engine cpu;
    double *a = malloc(5 * cells * sizeof *a), *b = malloc(5 * cells * sizeof *b), worst = 0;
    AN_CHECK(a && b, AN_FAIL, "out of memory");
    AN_TRY(an_engine_cpu_new(e->precision, 0, NULL, &cpu));
    AN_TRY(solve(&cpu, l, dir, a));
    AN_TRY(solve(e, l, dir, b));
    for (int c = 0; c < 5; c++) {
        double scale = 0, most = 0;
        for (size_t n = (size_t)c * cells; n < (size_t)(c + 1) * cells; n++) {
            scale = fmax(scale, fabs(a[n]));
            most = isnan(b[n]) ? INFINITY : fmax(most, fabs(a[n] - b[n]));
        }
        worst = fmax(worst, most / scale);
    }
    printf("  from the CPU engine: %.1e", worst);
    an_engine_destroy(&cpu);
    free(a);
    free(b);
    return AN_OK;
}

static int bench(struct an_engine *e, const char *name, int nblock, const int (*n)[3],
                 const int *dir)
{
    static const enum an_stencil stencil[] = {AN_S_implicit_lines, AN_S_implicit_lines_viscous,
                                              AN_S_turb_lines};
    static const char *const label[] = {"inviscid", "viscous", "turbulence"};
    struct an_layout l;
    struct an_fields f;
    struct an_lines *lines = NULL;
    AN_TRY(an_layout_new(nblock, n, e->precision, &l));
    AN_TRY(make_fields(e, &l, &f));
    AN_TRY(e->op->lines_new(e, &l, dir, &lines));
    printf("%-16s %8lld cells:", name, (long long)l.interior);
    for (int s = 0; s < 3; s++) {
        double seconds;
        AN_TRY(measure(e, stencil[s], lines, &f, &seconds));
        printf("  %s %8.4f ms %8.2f M/s", label[s], seconds * 1e3,
               (double)l.interior / seconds * 1e-6);
    }
    e->op->lines_free(e, lines);
    for (int m = 0; m < AN_NFIELD; m++)
        e->op->free(e, f.at[m]);
    if (e->device_memory)
        AN_TRY(compare(e, &l, dir));
    printf("\n");
    fflush(stdout);
    an_layout_free(&l);
    return AN_OK;
}

static int bench_precision(enum an_precision precision, int cuda)
{
    static const int ls89[5][3] = {
        {1264, 128, 1}, {128, 272, 1}, {288, 608, 1}, {320, 64, 1}, {320, 64, 1}};
    static const int along_j[5] = {1, 1, 1, 1, 1}, mixed[5] = {1, 0, 0, 1, 1};
    struct an_engine e;
    AN_TRY(cuda ? an_engine_cuda_new(precision, 0, &e) : an_engine_cpu_new(precision, 0, NULL, &e));
    printf("\n%s (%s), %s precision\n", e.name, e.description,
           precision == AN_SINGLE ? "single" : "double");
    for (int level = 0; level < 5; level++) {
        int n[5][3];
        char name[32];
        for (int b = 0; b < 5; b++)
            for (int d = 0; d < 3; d++)
                n[b][d] = ls89[b][d] >> level > 0 ? ls89[b][d] >> level : 1;
        snprintf(name, sizeof name, "LS89 level %d", level + 1);
        AN_TRY(bench(&e, name, 5, (const int(*)[3])n, mixed));
        if (level == 0)
            AN_TRY(bench(&e, "LS89, all j", 5, (const int(*)[3])n, along_j));
    }
    for (int dir = 0; dir < 3; dir++) {
        const int size = cuda ? 96 : 48, n[1][3] = {{size, size, size}};
        char name[32];
        snprintf(name, sizeof name, "cube, along %c", 'i' + dir);
        AN_TRY(bench(&e, name, 1, n, &dir));
    }
    an_engine_destroy(&e);
    return AN_OK;
}

int main(int argc, char **argv)
{
    const int cuda = argc > 1 && !strcmp(argv[1], "cuda");
    samples = argc > 2 ? atoi(argv[2]) : samples;
    if (argc < 2 || (!cuda && strcmp(argv[1], "cpu") != 0) || samples < 1 || samples > 100) {
        fprintf(stderr, "usage: bench_lines cpu|cuda [samples <= 100]\n");
        return 2;
    }
    if (bench_precision(AN_SINGLE, cuda) || bench_precision(AN_DOUBLE, cuda)) {
        fprintf(stderr, "bench_lines: %s\n", an_error_text());
        return 1;
    }
    return 0;
}

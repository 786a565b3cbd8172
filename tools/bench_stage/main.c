/* bench_stage cpu|cuda [n [samples]]: rate of the fused residual and Runge-Kutta stage.
 * bench_stage rans cpu|cuda [n [samples]]: of a stage of a RANS run (rans.c).
 *
 * For both precisions: the copy bandwidth measured in this run (bytes read and written), then, for
 * n^3 cells in one block and in 64 blocks, and (n/4)^3 cells in one block, each instantiation of
 * the fused kernel and several numbers of planes a tile marches. Prints the median of the samples
 * (each a batch of launches long enough for the clock), cell-stages a second and the fraction of
 * the copy bandwidth when each of the 28 words of a cell moves once (residual: 22).
 */
#include "tools/bench_stage/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int bench_samples = 21;

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

struct work {
    struct an_engine *e;
    struct an_layout *l;
    struct an_tiles *t;
    struct an_fields f;
    struct an_params p;
    enum an_scheme scheme;
    enum { RESIDUAL, STAGE } what;
};

static int once(const void *context)
{
    const struct work *w = context;
    return w->what == RESIDUAL ? w->e->op->residual(w->e, w->scheme, w->t, &w->f, &w->p, 0)
                               : w->e->op->stage(w->e, w->scheme, w->t, &w->f, &w->p, 0);
}

int bench_measure(struct an_engine *e, int (*call)(const void *context), const void *context,
                  double *seconds)
{
    double sample[100];
    double begin = now();
    AN_TRY(call(context));
    AN_TRY(e->op->sync(e, 0));
    begin = now();
    AN_TRY(call(context));
    AN_TRY(e->op->sync(e, 0));
    const double one = now() - begin;
    const int batch = one > 2e-3 ? 1 : one > 5e-5 ? (int)(2e-3 / one) + 1 : 40;
    for (int s = 0; s < bench_samples; s++) {
        begin = now();
        for (int n = 0; n < batch; n++)
            AN_TRY(call(context));
        AN_TRY(e->op->sync(e, 0));
        sample[s] = (now() - begin) / batch;
    }
    qsort(sample, (size_t)bench_samples, sizeof *sample, ascending);
    *seconds = sample[bench_samples / 2];
    return AN_OK;
}

struct copy {
    struct an_engine *e;
    void *to, *from;
    size_t bytes;
};

static int copy_once(const void *context)
{
    const struct copy *c = context;
    return c->e->op->copy(c->e, c->to, c->from, c->bytes, 0);
}

int bench_copy(struct an_engine *e, double *rate)
{
    struct copy c = {.e = e, .bytes = (size_t)(e->device_memory ? 1024 : 256) << 20};
    double seconds = 0;
    AN_TRY(e->op->alloc(e, c.bytes, &c.to));
    AN_TRY(e->op->alloc(e, c.bytes, &c.from));
    AN_TRY(bench_measure(e, copy_once, &c, &seconds));
    e->op->free(e, c.to);
    e->op->free(e, c.from);
    *rate = 2 * (double)c.bytes / seconds;
    return AN_OK;
}

int bench_fill(struct an_engine *e, const struct an_layout *l, struct an_fields *f, int field,
               int ncomp, const double *base, double wave)
{
    const size_t cells = (size_t)l->ncell, real = (size_t)e->precision;
    char *host = malloc(cells * real);
    AN_CHECK(host, AN_FAIL, "out of memory");
    int status = e->op->alloc(e, (size_t)ncomp * cells * real, &f->at[field]);
    for (int c = 0; !status && c < ncomp; c++) {
        for (size_t n = 0; n < cells; n++) {
            const double v = base[c] * (1 + wave * (double)((n * 37) % 64) / 64);
            if (real == sizeof(float))
                ((float *)host)[n] = (float)v;
            else
                ((double *)host)[n] = v;
        }
        status = e->op->upload(e, (char *)f->at[field] + (size_t)c * cells * real, host,
                               cells * real, 0);
    }
    free(host);
    return status;
}

static int fill(struct work *w, int field, int ncomp, const double *base, double wave)
{
    return bench_fill(w->e, w->l, &w->f, field, ncomp, base, wave);
}

static int fill_all(struct work *w)
{
    static const double state[5] = {1.2, 120, -60, 30, 2.6e5}, zero[5] = {0};
    static const double area[9] = {1e-4, 1e-5, 0, -1e-5, 1e-4, 1e-5, 0, 1e-5, 1e-4};
    static const double lambda[3] = {0.05, 0.05, 0.05}, step[1] = {5};
    AN_TRY(fill(w, AN_F_W, 5, state, 0.01));
    AN_TRY(fill(w, AN_F_W0, 5, state, 0.01));
    AN_TRY(fill(w, AN_F_WN, 5, zero, 0));
    AN_TRY(fill(w, AN_F_R, 5, zero, 0));
    AN_TRY(fill(w, AN_F_S, 9, area, 0));
    AN_TRY(fill(w, AN_F_LAM, 3, lambda, 0.1));
    AN_TRY(fill(w, AN_F_DT, 1, step, 0.1));
    return AN_OK;
}

/* One variant and chunk, both schemes and both kernels. */
static int bench(struct work *w, const struct an_box *box, int variant, int chunk, double copy)
{
    const double cells = (double)w->l->interior;
    const struct an_fused_variant *v = an_cuda_variant(w->e, variant);
    if (w->e->device_memory)
        AN_TRY(an_cuda_tune(w->e, variant, chunk));
    AN_TRY(w->e->op->tiles_new(w->e, w->l, w->l->nblock, box, &w->t));
    if (v)
        printf("  %2d: %3dx%-2d %s %s %d/SM", variant, v->tx, v->ty, v->once ? "once " : "twice",
               v->async ? "async" : "regs ", v->min_blocks);
    else
        printf("  default                   ");
    printf(" chunk %3d:", chunk);
    for (int scheme = 0; scheme < AN_NSCHEME; scheme++)
        for (w->what = RESIDUAL; w->what <= STAGE; w->what++) {
            double seconds = 0;
            w->scheme = (enum an_scheme)scheme;
            AN_TRY(bench_measure(w->e, once, w, &seconds));
            const double words = w->what == STAGE ? 28 : 22;
            printf("  %s %s %7.4f G/s %4.1f%%", scheme ? "Roe" : "JST",
                   w->what == STAGE ? "stage" : "resid", cells / seconds * 1e-9,
                   100 * words * (double)w->e->precision * cells / seconds / copy);
        }
    printf("\n");
    fflush(stdout);
    w->e->op->tiles_free(w->e, w->t);
    return AN_OK;
}

static int bench_layout(struct an_engine *e, int n, int split, int thorough, double copy)
{
    static const int chunks[] = {0, 8, 16, 32, 64};
    const int blocks = split * split * split;
    int(*size)[3] = malloc((size_t)blocks * sizeof *size);
    struct an_box *box = malloc((size_t)blocks * sizeof *box);
    AN_CHECK(size && box, AN_FAIL, "out of memory");
    for (int b = 0; b < blocks; b++) {
        box[b] = (struct an_box){b, {0, 0, 0}, {n / split, n / split, n / split}};
        memcpy(size[b], box[b].hi, sizeof size[b]);
    }
    struct an_layout l;
    AN_TRY(an_layout_new(blocks, (const int(*)[3])size, e->precision, &l));
    struct work w = {.e = e, .l = &l};
    w.p = (struct an_params){.gamma = 1.4,
                             .gas_constant = 287,
                             .p_ref = 1e5,
                             .k2 = 0.5,
                             .k4 = 1.0 / 32,
                             .sensor_floor = 1,
                             .entropy_fix = 0.1,
                             .floor_rho = 1e-6,
                             .floor_u = 1e-2,
                             .floor_p = 1e3,
                             .alpha = 0.25,
                             .limiter = 1};
    printf(" %d block%s of %d^3\n", blocks, blocks > 1 ? "s" : "", n / split);
    AN_TRY(fill_all(&w));
    AN_TRY(bench(&w, box, -1, 0, copy));
    for (int v = 0; an_cuda_variant(e, v); v++)
        for (int c = 0; c < (thorough ? 5 : 1); c++)
            AN_TRY(bench(&w, box, v, chunks[c], copy));
    for (int f = 0; f < AN_NFIELD; f++)
        e->op->free(e, w.f.at[f]);
    an_layout_free(&l);
    free(size);
    free(box);
    return AN_OK;
}

static int bench_precision(enum an_precision precision, int cuda, int n, int rans)
{
    struct an_engine e;
    double copy = 0;
    AN_TRY(cuda ? an_engine_cuda_new(precision, 0, &e) : an_engine_cpu_new(precision, 0, NULL, &e));
    AN_TRY(bench_copy(&e, &copy));
    printf("%s, %s: copy %.0f GB/s\n", e.description, precision == AN_SINGLE ? "single" : "double",
           copy * 1e-9);
    if (rans) {
        AN_TRY(bench_rans(&e, n, copy));
    } else {
        AN_TRY(bench_layout(&e, n, 1, 1, copy));
        AN_TRY(bench_layout(&e, n, 4, 0, copy));
        AN_TRY(bench_layout(&e, n / 4, 1, 0, copy));
    }
    an_engine_destroy(&e);
    return AN_OK;
}

int main(int argc, char **argv)
{
    const int rans = argc > 1 && !strcmp(argv[1], "rans");
    argc -= rans;
    argv += rans;
    const int cuda = argc > 1 && !strcmp(argv[1], "cuda");
    const int n = argc > 2 ? atoi(argv[2]) : cuda ? 256 : 96;
    bench_samples = argc > 3 ? atoi(argv[3]) : bench_samples;
    if (argc < 2 || (!cuda && strcmp(argv[1], "cpu") != 0) || n < 8 || n % 4 || bench_samples < 1 ||
        bench_samples > 100) {
        fprintf(stderr,
                "usage: bench_stage [rans] cpu|cuda [n, a multiple of 4 [samples <= 100]]\n");
        return 2;
    }
    if (bench_precision(AN_SINGLE, cuda, n, rans) || bench_precision(AN_DOUBLE, cuda, n, rans)) {
        fprintf(stderr, "bench_stage: %s\n", an_error_text());
        return 1;
    }
    return 0;
}

/* The command: options, devices, the document. */
#include "bench/bench_run.h"

#include "solver/output/version.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int among(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(word, *list))
            return 1;
    return 0;
}

static char refusal[200];
#define REFUSE(...) return snprintf(refusal, sizeof refusal, __VA_ARGS__), refusal

/* Values of options that are one of a few words. */
static const char *refuse_words(const struct an_bench_options *o)
{
    static const char *const what[] = {"copy", "stencils", "solver", "case", NULL};
    static const char *const precision[] = {"single", "double", "both", NULL};
    static const char *const device[] = {"auto", "cpu", "cuda", NULL};
    static const char *const isa[] = {"baseline", "avx2", "avx512", NULL};
    if (!o->what)
        REFUSE("`annulus bench` needs one of copy, stencils, solver, case");
    if (!among(o->what, what))
        REFUSE("`annulus bench` knows copy, stencils, solver and case, not '%.60s'", o->what);
    if (o->precision && !among(o->precision, precision))
        REFUSE("--precision is single, double or both, not '%.60s'", o->precision);
    if (o->device && !among(o->device, device) && !an_engine_is_added(o->device))
        REFUSE("--device is auto, cpu or cuda, not '%.60s'", o->device);
    if (o->isa && !among(o->isa, isa))
        REFUSE("--isa is baseline, avx2 or avx512, not '%.60s'", o->isa);
    return NULL;
}

/* Numbers, and options that do not go with each other. */
static const char *refuse_values(const struct an_bench_options *o)
{
    const int is_case = !strcmp(o->what, "case"), is_solver = !strcmp(o->what, "solver");
    if (o->n && (o->n < 16 || o->n > 2048))
        REFUSE("--n is 16 to 2048 cells, not %d", o->n);
    if (is_solver && o->n % 2)
        REFUSE("`annulus bench solver`: --n must be even, for multigrid, not %d", o->n);
    if (o->blocks && (o->blocks < 1 || o->blocks > 4096))
        REFUSE("--blocks is 1 to 4096, not %d", o->blocks);
    if (o->blocks && !is_solver)
        REFUSE("--blocks goes with `annulus bench solver`");
    if (o->sweep && !is_solver && !is_case)
        REFUSE("--sweep goes with `annulus bench solver` and `annulus bench case`");
    if (is_case && o->precision && !strcmp(o->precision, "both"))
        REFUSE("`annulus bench case` computes in one precision: --precision is single or double");
    if (is_case && o->only)
        REFUSE("--only has no meaning for `annulus bench case`");
    if (o->samples && (o->samples < 1 || o->samples > 1000))
        REFUSE("--samples is 1 to 1000, not %d", o->samples);
    if (o->threads < 0 || o->threads > 4096)
        REFUSE("--threads is 1 to 4096, not %d", o->threads);
    return NULL;
}
#undef REFUSE

const char *an_bench_refuse(const struct an_bench_options *o)
{
    const char *words = refuse_words(o);
    return words ? words : refuse_values(o);
}

/* Threads as in a run: OMP_NUM_THREADS, else all cores. */
static int threads_of(const struct an_bench_options *o)
{
    if (o->threads || getenv("OMP_NUM_THREADS"))
        return o->threads;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (int)cores : 1;
}

static int engine_new(struct an_bench *b, enum an_precision precision)
{
    const char *device = b->o->device ? b->o->device : "auto";
    const int cards = an_engine_cuda_count();
    if (!strcmp(device, "cuda"))
        AN_CHECK(cards, AN_INPUT,
                 "--device cuda: there is no CUDA device (or this build has no "
                 "CUDA)");
    b->cuda = !strcmp(device, "cuda") || (!strcmp(device, "auto") && cards);
    if (b->cuda)
        return an_engine_cuda_new(precision, 0, &b->engine);
    snprintf(b->isa, sizeof b->isa, "baseline");
    if (an_engine_is_added(device)) {
        AN_TRY(an_engine_added_new(device, precision, &b->engine));
        b->engine.threads = 1;
        return AN_OK;
    }
    const int status = an_engine_cpu_new(precision, threads_of(b->o), b->o->isa, &b->engine);
    snprintf(b->isa, sizeof b->isa, "%.*s", (int)strcspn(b->engine.description, ","),
             b->engine.description);
    return status && b->o->isa ? AN_INPUT : status;
}

/* The processor's name, from the kernel. */
static void cpu_name(char name[128])
{
    char line[256];
    FILE *in = fopen("/proc/cpuinfo", "r");
    snprintf(name, 128, "unknown processor");
    while (in && fgets(line, sizeof line, in)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !colon)
            continue;
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(name, 128, "%.120s", colon + 2);
        break;
    }
    if (in)
        fclose(in);
}

/* "580.159.04": the driver's own number. */
static void driver_version(char version[64])
{
    FILE *in = fopen("/sys/module/nvidia/version", "r");
    snprintf(version, 64, "unknown");
    if (in && fgets(version, 64, in))
        version[strcspn(version, "\n")] = '\0';
    if (in)
        fclose(in);
}

static int describe(const struct an_bench *b, json_t *device)
{
    char name[128];
    json_object_set_new(device, "engine", json_string(b->engine.name));
    json_object_set_new(device, "description", json_string(b->engine.description));
    json_object_set_new(device, "threads", json_integer(b->engine.threads));
    if (b->cuda) {
        driver_version(name);
        json_object_set_new(device, "driver", json_string(name));
        return an_bench_cuda_device(device);
    }
    cpu_name(name);
    json_object_set_new(device, "name", json_string(name));
    return AN_OK;
}

static json_t *ceilings_json(const struct an_ceilings *c, int cuda)
{
    json_t *j =
        json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "copy", c->copy, "library_copy", c->memory,
                  "kernel_copy", c->kernel, "fma", c->fma, "plain", c->plain, "issue", c->issue);
    if (!cuda) {
        json_object_set_new(j, "divide", json_real(c->divide));
        json_object_set_new(j, "root", json_real(c->root));
    }
    return j;
}

/* Bytes of each array of the copy that rows are compared with: simple stencils, their own. */
static size_t ceiling_bytes(const struct an_bench *b)
{
    const size_t n = (size_t)(b->o->n ? b->o->n : b->cuda ? 512 : 320);
    const size_t mega = (size_t)1 << 20;
    if (!strcmp(b->o->what, "stencils"))
        return (n * n * n * (size_t)b->engine.precision + 4095) / 4096 * 4096;
    return b->cuda ? 1024 * mega : n < 64 ? 16 * mega : 256 * mega;
}

static int bench_precision(struct an_bench *b, enum an_precision precision, json_t *document)
{
    json_t *table = json_object(), *device = json_object();
    json_array_append_new(json_object_get(document, "tables"), table);
    json_object_set_new(table, "precision",
                        json_string(precision == AN_SINGLE ? "single" : "double"));
    AN_TRY(engine_new(b, precision));
    json_object_set_new(document, "device", device);
    AN_TRY(describe(b, device));
    printf("\n%s%s, %s precision\n%s (%s)\n", b->o->markdown ? "#### " : "",
           json_string_value(json_object_get(device, "name")),
           precision == AN_SINGLE ? "single" : "double", b->engine.description,
           b->cuda ? json_string_value(json_object_get(device, "driver")) : "medians");
    AN_TRY(an_bench_ceilings(b, ceiling_bytes(b)));
    json_object_set_new(table, "ceilings", ceilings_json(&b->ceiling, b->cuda));
    printf("ceilings: copy %.1f GB/s, multiply-add %.2f TFLOP/s", 1e-9 * b->ceiling.copy,
           1e-12 * b->ceiling.fma);
    if (!b->cuda)
        printf(", multiply and add apart %.2f, divisions %.2f G/s, roots %.2f G/s",
               1e-12 * b->ceiling.plain, 1e-9 * b->ceiling.divide, 1e-9 * b->ceiling.root);
    printf("\n");
    if (!strcmp(b->o->what, "copy"))
        return an_bench_copies(b, table);
    if (!strcmp(b->o->what, "stencils"))
        return an_bench_stencils(b, table);
    if (!strcmp(b->o->what, "case"))
        return an_bench_cases(b, table);
    return an_bench_solver(b, table);
}

static void stamp(json_t *document, const struct an_bench_options *o)
{
    char when[40];
    const time_t t = time(NULL);
    struct tm utc;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &utc));
    json_object_set_new(document, "program", json_string("annulus"));
    json_object_set_new(document, "version", json_string(an_version()));
    json_object_set_new(document, "date", json_string(when));
    json_object_set_new(document, "bench", json_string(o->what));
    json_object_set_new(document, "samples", json_integer(o->samples > 0 ? o->samples : 21));
    json_object_set_new(document, "tables", json_array());
}

int an_bench(const struct an_bench_options *o)
{
    const char *wrong = an_bench_refuse(o);
    AN_CHECK(!wrong, AN_INPUT, "%s", wrong);
    const char *precision = o->precision ? o->precision : "both";
    json_t *document = json_object();
    FILE *out = o->json ? fopen(o->json, "w") : NULL;
    int status = AN_OK, failed = 0;
    if (o->json && !out)
        status = an_error_set(AN_INPUT, "%s: %s", o->json, strerror(errno));
    stamp(document, o);
    for (int p = 0; !status && p < 2; p++) {
        struct an_bench b = {.o = o};
        if (!strcmp(precision, p ? "single" : "double"))
            continue;
        status = bench_precision(&b, p ? AN_DOUBLE : AN_SINGLE, document);
        if (b.engine.op)
            an_engine_destroy(&b.engine);
        failed += b.failed;
    }
    if (!status && out && (json_dumpf(document, out, JSON_INDENT(1)) || fclose(out)))
        status = an_error_set(AN_FAIL, "%s: cannot be written: %s", o->json, strerror(errno));
    else if (status && out)
        fclose(out);
    json_decref(document);
    if (!status && failed)
        status = an_error_set(AN_FAIL, "%d row%s differ from the reference", failed,
                              failed == 1 ? "" : "s");
    return status;
}

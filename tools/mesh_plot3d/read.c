// PLOT3D. Text: optional number of blocks, sizes, then per block all x, all y (, all z), i
// fastest. Numbers stand in Fortran's list-directed form: separated by blanks, commas or line ends,
// exponents with E or D, n*v for n times v. Whether the file is single- or multi-block, plane or
// not, follows from how many numbers it holds. A file with zero bytes is unformatted (binary.c).
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "grid.h"
#include "numbers.h"

struct form {
    bool multi;
    int dimension;
    int blocks;
    size_t header, nodes, total; // numbers before the coordinates; nodes; numbers in all
};

static int load(const char *path, char **text, size_t *length)
{
    size_t n = 0, capacity = 1 << 20;
    char *buffer = malloc(capacity);
    errno = 0;
    gzFile f = gzopen(path, "rb"); // reads plain files as well
    if (!f || !buffer) {
        free(buffer);
        if (f)
            gzclose(f);
        return fail("%s: %s", path, strerror(errno));
    }
    int rc = EXIT_DONE, got = 1;
    while (!rc && got > 0) {
        if (capacity - n < (1 << 19)) {
            char *grown = realloc(buffer, 2 * capacity);
            if (!grown) {
                rc = no_memory();
                break;
            }
            buffer = grown;
            capacity *= 2;
        }
        got = gzread(f, buffer + n, 1 << 18);
        n += got > 0 ? (size_t)got : 0;
    }
    int code;
    const char *why = gzerror(f, &code);
    if (!rc && (got < 0 || (code != Z_OK && code != Z_STREAM_END)))
        rc = fail("%s: %s", path, code == Z_ERRNO ? strerror(errno) : why);
    if (gzclose(f) != Z_OK && !rc)
        rc = fail("%s: the compressed file is truncated", path);
    buffer[n] = 0;
    *length = n;
    if (rc)
        free(buffer);
    else
        *text = buffer;
    return rc;
}

// The run that holds number `n` of the file, counted from 0.
static size_t run_of(const struct numbers *s, size_t n)
{
    size_t lo = 0, hi = s->runs - 1;
    while (lo < hi) {
        const size_t middle = lo + (hi - lo) / 2;
        if (s->run[middle].end > n)
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

static double number(const struct numbers *s, size_t n)
{
    return s->run[run_of(s, n)].v;
}

static int scan(const char *path, char *text, struct numbers *s)
{
    size_t line = 1;
    bool first = true;
    for (char *p = text; *p;) {
        if (*p == '\n') {
            line++;
            if (s->n > 0)
                first = false;
        }
        if (isspace((unsigned char)*p) || *p == ',') {
            p++;
            continue;
        }
        char *end = p;
        for (; *end && !isspace((unsigned char)*end) && *end != ','; end++)
            if (*end == 'd' || *end == 'D')
                *end = 'e';
        char *star = memchr(p, '*', (size_t)(end - p)), *stop = p;
        double times = 1;
        if (star) {
            times = strtod(p, &stop);
            if (stop != star || !(times >= 1 && times <= 1e9) || times != floor(times))
                star = NULL, stop = p;
            else
                p = star + 1;
        }
        const double v = strtod(p, &stop);
        if (stop != end || stop == p)
            return fail("%s:%zu: '%.*s' is not a number", path, line,
                        (int)(end - p < 40 ? end - p : 40), p);
        if (numbers_append(s, v, (size_t)times))
            return EXIT_FAILED;
        if (first)
            s->first_line += (size_t)times;
        p = end;
    }
    return EXIT_DONE;
}

// The file's sizes read in the given form; false when they cannot be sizes.
static bool try_form(const struct numbers *s, bool multi, int dimension, struct form *f)
{
    *f = (struct form){.multi = multi, .dimension = dimension, .blocks = 1};
    if (multi) {
        if (s->n < 1 || !(number(s, 0) >= 1 && number(s, 0) <= 1e6) ||
            number(s, 0) != floor(number(s, 0)))
            return false;
        f->blocks = (int)number(s, 0);
    }
    f->header = (size_t)multi + (size_t)dimension * (size_t)f->blocks;
    if (s->n < f->header)
        return false;
    for (int k = 0; k < f->blocks; k++) {
        double nodes = 1;
        for (int d = 0; d < dimension; d++) {
            const double n = number(s, (size_t)multi + (size_t)(k * dimension + d));
            if (!(n >= 1 && n <= 1e9) || n != floor(n))
                return false;
            nodes *= n;
        }
        if (nodes > 2e9)
            return false;
        f->nodes += (size_t)nodes;
    }
    f->total = f->header + (size_t)dimension * f->nodes;
    return true;
}

static int find_form(const char *path, const struct numbers *s, int dimension, struct form *found)
{
    const bool multi = s->first_line == 1;
    struct form likely = {0};
    for (int pass = 0; pass < 4; pass++) {
        struct form f;
        const int dims = pass % 2 ? 3 : 2;
        if ((dimension && dimension != dims) || !try_form(s, pass < 2 ? multi : !multi, dims, &f))
            continue;
        if (f.total == s->n) {
            *found = f;
            return EXIT_DONE;
        }
        // without a form that fits, speak of the one that the first line says
        const bool said = multi ? f.multi : !f.multi && s->first_line == (size_t)dims;
        if (said && (!likely.total ||
                     labs((long)f.total - (long)s->n) < labs((long)likely.total - (long)s->n)))
            likely = f;
    }
    if (!likely.total)
        return fail("%s: the file does not begin with the sizes of a %sPLOT3D grid", path,
                    dimension == 2   ? "2-D "
                    : dimension == 3 ? "3-D "
                                     : "");
    if (likely.total + likely.nodes == s->n)
        return fail("%s: the file holds iblank values, which cannot be used", path);
    return fail("%s: %d block%s of %zu nodes in %d dimensions take %zu numbers; the file holds "
                "%zu: it is %s or its sizes are wrong",
                path, likely.blocks, likely.blocks > 1 ? "s" : "", likely.nodes, likely.dimension,
                likely.total, s->n, s->n < likely.total ? "truncated" : "too long");
}

static int fill(struct grid *g, const struct options *o, const struct numbers *s,
                const struct form *f)
{
    g->dimension = f->dimension;
    g->block = calloc((size_t)f->blocks, sizeof *g->block);
    if (!g->block)
        return no_memory();
    g->blocks = f->blocks;
    size_t size = f->multi, n = f->header, run = run_of(s, n);
    const int digits = g->blocks < 10 ? 1 : g->blocks < 100 ? 2 : g->blocks < 1000 ? 3 : 7;
    for (int k = 0; k < g->blocks; k++) {
        struct block *b = &g->block[k];
        snprintf(b->name, sizeof b->name, "block_%0*d", digits, k + 1);
        size_t nodes = 1;
        for (int d = 0; d < 3; d++) {
            b->n[d] = d < f->dimension ? (int)number(s, size++) : 1;
            b->every[d] = 1;
            nodes *= (size_t)b->n[d];
        }
        for (int d = 0; d < 3; d++) {
            b->x[d] = calloc(nodes, sizeof *b->x[d]);
            if (!b->x[d])
                return no_memory();
            for (size_t l = 0; l < nodes && d < f->dimension; l++) {
                b->x[d][l] = o->scale * s->run[run].v;
                run += ++n == s->run[run].end;
                if (!isfinite(b->x[d][l])) {
                    const size_t ni = (size_t)b->n[0], nj = (size_t)b->n[1];
                    return fail("%s: zone %s, node %zu %zu %zu: coordinate %c is not finite",
                                o->input, b->name, l % ni + 1, l / ni % nj + 1, l / ni / nj + 1,
                                "xyz"[d]);
                }
            }
        }
    }
    return EXIT_DONE;
}

int grid_read(struct grid *g, const struct options *o)
{
    struct numbers s = {0};
    struct form f = {0};
    char *text = NULL;
    size_t length = 0;
    int rc = load(o->input, &text, &length);
    if (!rc && memchr(text, 0, length))
        rc = binary_read(&s, o->input, (const unsigned char *)text, length, o->dimension);
    else if (!rc)
        rc = scan(o->input, text, &s);
    free(text);
    if (!rc && s.n == 0)
        rc = fail("%s: the file is empty", o->input);
    if (!rc)
        rc = find_form(o->input, &s, o->dimension, &f);
    if (!rc)
        rc = fill(g, o, &s, &f);
    free(s.run);
    return rc;
}

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

#define SLACK   ((size_t)1 << 20) // bytes of blanks and comments that do not count
#define UNKNOWN ((size_t)1 << 26) // bytes within which a file states its sizes
#define CLOSER  0.8 // jumps from plane to plane, of the right order over the wrong one: at most

struct form {
    bool multi;
    int dimension;
    int blocks;
    size_t header, nodes, total; // numbers before the coordinates; nodes; numbers in all
    bool iblank;                 // a number for each node behind the coordinates
    bool planes;                 // coordinates and iblank plane by plane
};

// Where a number of a block stands among the numbers of the file: that of coordinate d (d = dimension: iblank) at node
// l; the block's numbers begin at `first`.
static size_t index_of(const struct form *f, const struct block *b, size_t first, int d, size_t l)
{
    const size_t plane = (size_t)b->n[0] * (size_t)b->n[1], nodes = plane * (size_t)b->n[2],
                 part = f->planes ? plane : nodes, of_node = (size_t)(f->dimension + f->iblank);
    return first + (l / part) * of_node * part + (size_t)d * part + l % part;
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

// Most bytes that a grid of the sizes at the beginning of the n bytes of `text` can have; *most 0: these bytes do not
// hold the sizes, or all of them.
static int most_bytes(const char *path, const char *text, size_t n, size_t *most)
{
    *most = 0;
    if (memchr(text, 0, n)) {
        *most = 32 * binary_stated((const unsigned char *)text, n);
        *most += *most ? SLACK : 0;
        return EXIT_DONE;
    }
    struct numbers s = {0};
    char *copy = malloc(n + 1);
    if (!copy)
        return no_memory();
    memcpy(copy, text, n);
    while (n > 0 && !isspace((unsigned char)copy[n - 1]))
        n--; // the last number may be cut
    copy[n] = 0;
    int rc = scan(path, copy, &s);
    for (int pass = 0; pass < 4 && !rc; pass++) {
        struct form f;
        const bool said = (s.first_line == 1) == (pass < 2);
        if (said && try_form(&s, pass < 2, pass % 2 ? 3 : 2, &f) &&
            SLACK + 64 * (f.total + f.nodes) > *most)
            *most = SLACK + 64 * (f.total + f.nodes);
    }
    free(s.run);
    free(copy);
    return rc;
}

// Refuses a compressed file that unpacks to more than the sizes explain that it states.
static int check_unpacked(const char *path, gzFile f, const char *text, size_t n)
{
    size_t most;
    if (gzdirect(f))
        return EXIT_DONE;
    const int rc = most_bytes(path, text, n, &most);
    if (rc)
        return rc;
    if (most && n > most)
        return fail(
            "%s: the compressed file unpacks to more than %zu bytes, which is more than a grid of "
            "the sizes that it states can have",
            path, most);
    if (!most && n > UNKNOWN)
        return fail("%s: the compressed file does not begin with the sizes of a PLOT3D grid", path);
    return EXIT_DONE;
}

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
            rc = check_unpacked(path, f, buffer, n);
            if (rc)
                break;
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

static int find_form(const char *path, const struct numbers *s, int dimension, struct form *found)
{
    const bool multi = s->first_line == 1;
    struct form likely = {0};
    for (int pass = 0; pass < 8; pass++) {
        struct form f;
        const int dims = pass % 2 ? 3 : 2;
        const bool as_said = pass / 2 % 2 == 0;
        if ((dimension && dimension != dims) || !try_form(s, as_said ? multi : !multi, dims, &f))
            continue;
        f.iblank = pass >= 4;
        f.total += f.iblank ? f.nodes : 0;
        if (f.total == s->n) {
            *found = f;
            return EXIT_DONE;
        }
        // without a form that fits, speak of the one that the first line says
        const bool said = multi ? f.multi : !f.multi && s->first_line == (size_t)dims;
        if (said && !f.iblank &&
            (!likely.total ||
             labs((long)f.total - (long)s->n) < labs((long)likely.total - (long)s->n)))
            likely = f;
    }
    if (!likely.total)
        return fail("%s: the file does not begin with the sizes of a %sPLOT3D grid", path,
                    dimension == 2   ? "2-D "
                    : dimension == 3 ? "3-D "
                                     : "");
    return fail("%s: %d block%s of %zu nodes in %d dimensions take %zu numbers; the file holds "
                "%zu: it is %s or its sizes are wrong",
                path, likely.blocks, likely.blocks > 1 ? "s" : "", likely.nodes, likely.dimension,
                likely.total, s->n, s->n < likely.total ? "truncated" : "too long");
}

// The number at an index, where mostly the next one is asked for.
struct reader {
    const struct numbers *s;
    size_t run;
};

static double read_number(struct reader *r, size_t n)
{
    const struct run *run = r->s->run;
    if (n >= run[r->run].end && r->run + 1 < r->s->runs && n < run[r->run + 1].end)
        r->run++;
    else if (n >= run[r->run].end || (r->run > 0 && n < run[r->run - 1].end))
        r->run = run_of(r->s, n);
    return run[r->run].v;
}

static int read_coordinate(struct block *b, const struct options *o, struct reader *r,
                           const struct form *f, size_t first, int d, size_t nodes)
{
    b->x[d] = calloc(nodes, sizeof *b->x[d]);
    if (!b->x[d])
        return no_memory();
    for (size_t l = 0; l < nodes && d < f->dimension; l++) {
        b->x[d][l] = o->scale * read_number(r, index_of(f, b, first, d, l));
        if (!isfinite(b->x[d][l])) {
            const size_t ni = (size_t)b->n[0], nj = (size_t)b->n[1];
            return fail("%s: zone %s, node %zu %zu %zu: coordinate %c is not finite", o->input,
                        b->name, l % ni + 1, l / ni % nj + 1, l / ni / nj + 1, "xyz"[d]);
        }
    }
    return EXIT_DONE;
}

// PLOT3D blanks nodes by 0; 1 is a node of the flow, 2 one of a wall, -n one of an interface to block n.
static int check_iblank(const struct block *b, const struct options *o, struct reader *r,
                        const struct form *f, size_t first, size_t nodes)
{
    size_t blanked = 0, at = 0;
    for (size_t l = 0; l < nodes; l++)
        if (read_number(r, index_of(f, b, first, f->dimension, l)) == 0) {
            at = blanked ? at : l;
            blanked++;
        }
    if (!blanked)
        return EXIT_DONE;
    const size_t ni = (size_t)b->n[0], nj = (size_t)b->n[1];
    return fail("%s: zone %s: iblank is 0 at %zu of %zu nodes, first at %zu %zu %zu: blanked "
                "nodes cannot be used",
                o->input, b->name, blanked, nodes, at % ni + 1, at / ni % nj + 1, at / ni / nj + 1);
}

// How far the coordinates of a block jump from plane to plane, if they stand so.
static double jumps(const struct numbers *s, const struct form *f, const struct block *b,
                    size_t first)
{
    const size_t plane = (size_t)b->n[0] * (size_t)b->n[1];
    struct reader r[2] = {{s, 0}, {s, 0}};
    double sum = 0;
    for (int d = 0; d < 3; d++)
        for (size_t l = 0; l + plane < plane * (size_t)b->n[2]; l++)
            sum += fabs(read_number(&r[0], index_of(f, b, first, d, l + plane)) -
                        read_number(&r[1], index_of(f, b, first, d, l)));
    return sum;
}

static size_t block_sizes(struct block *b, const struct numbers *s, const struct form *f, int k)
{
    size_t nodes = 1;
    for (int d = 0; d < 3; d++) {
        b->n[d] = d < f->dimension
                      ? (int)number(s, (size_t)f->multi + (size_t)(k * f->dimension + d))
                      : 1;
        b->every[d] = 1;
        nodes *= (size_t)b->n[d];
    }
    return nodes;
}

// Does the file hold its coordinates plane by plane? Its records say so, or, in a file without records, that planes
// follow each other much more closely.
static void find_planes(const struct numbers *s, struct form *f)
{
    struct form planes = *f;
    size_t first = f->header;
    double whole_jumps = 0, plane_jumps = 0;
    planes.planes = true;
    f->planes = s->planes == PLANES_YES;
    if (f->dimension != 3 || s->planes != PLANES_UNKNOWN)
        return;
    for (int k = 0; k < f->blocks; k++) {
        struct block b;
        const size_t nodes = block_sizes(&b, s, f, k);
        whole_jumps += jumps(s, f, &b, first);
        plane_jumps += jumps(s, &planes, &b, first);
        first += nodes * (size_t)(f->dimension + f->iblank);
    }
    f->planes = plane_jumps < CLOSER * whole_jumps;
}

static int fill(struct grid *g, const struct options *o, const struct numbers *s, struct form *f)
{
    g->dimension = f->dimension;
    g->block = calloc((size_t)f->blocks, sizeof *g->block);
    if (!g->block)
        return no_memory();
    g->blocks = f->blocks;
    find_planes(s, f);
    if (f->planes || f->iblank)
        printf("file             %s%s%s\n", f->planes ? "coordinates plane by plane" : "",
               f->planes && f->iblank ? ", " : "", f->iblank ? "with iblank values" : "");
    size_t first = f->header;
    struct reader r = {s, 0};
    const int digits = g->blocks < 10 ? 1 : g->blocks < 100 ? 2 : g->blocks < 1000 ? 3 : 7;
    for (int k = 0; k < g->blocks; k++) {
        struct block *b = &g->block[k];
        snprintf(b->name, sizeof b->name, "block_%0*d", digits, k + 1);
        const size_t nodes = block_sizes(b, s, f, k);
        for (int d = 0; d < 3; d++) {
            const int rc = read_coordinate(b, o, &r, f, first, d, nodes);
            if (rc)
                return rc;
        }
        if (f->iblank) {
            const int rc = check_iblank(b, o, &r, f, first, nodes);
            if (rc)
                return rc;
        }
        first += nodes * (size_t)(f->dimension + f->iblank);
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

// Unformatted PLOT3D: whole numbers of 4 bytes for the sizes, then reals of 4 or 8 bytes. Fortran puts
// the length of each record before and behind it; C and "stream" files have no such markers. The
// sizes must explain every byte of the file, which leaves one form in practice.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "numbers.h"

struct bytes {
    const unsigned char *p;
    size_t n;
    bool big; // most significant byte first
};

struct form {
    bool multi;
    int dimension, blocks, real; // real: bytes of a coordinate
    size_t header, nodes;        // whole numbers ahead of the coordinates; nodes
};

static uint64_t word(const struct bytes *b, size_t at, int size)
{
    uint64_t v = 0;
    for (int k = 0; k < size; k++)
        v |= (uint64_t)b->p[at + (size_t)k] << 8 * (b->big ? size - 1 - k : k);
    return v;
}

static double real(const struct bytes *b, size_t at, int size)
{
    const uint64_t v = word(b, at, size);
    if (size == 4) {
        const uint32_t w = (uint32_t)v;
        float f;
        memcpy(&f, &w, sizeof f);
        return (double)f;
    }
    double d;
    memcpy(&d, &v, sizeof d);
    return d;
}

// The file without its record markers of the given size, in `to`; false when it has none. first:
// bytes of the first record.
static bool strip(const struct bytes *b, int marker, unsigned char *to, size_t *n, size_t *first)
{
    const size_t m = (size_t)marker;
    size_t at = 0;
    *n = *first = 0;
    while (at < b->n) {
        if (b->n - at < 2 * m)
            return false;
        const uint64_t length = word(b, at, marker);
        if (length > b->n - at - 2 * m || word(b, at + m + (size_t)length, marker) != length)
            return false;
        memcpy(to + *n, b->p + at + m, (size_t)length);
        *first = *n ? *first : (size_t)length;
        *n += (size_t)length;
        at += 2 * m + (size_t)length;
    }
    return *n > 0;
}

// Sizes and nodes in the given form; false when they cannot be sizes.
static bool sizes(const struct bytes *b, bool multi, int dimension, struct form *f)
{
    *f = (struct form){.multi = multi, .dimension = dimension, .blocks = 1};
    if (multi) {
        if (b->n < 4 || word(b, 0, 4) < 1 || word(b, 0, 4) > 1000000)
            return false;
        f->blocks = (int)word(b, 0, 4);
    }
    f->header = (size_t)multi + (size_t)dimension * (size_t)f->blocks;
    if (b->n / 4 < f->header)
        return false;
    for (int k = 0; k < f->blocks; k++) {
        double nodes = 1;
        for (int d = 0; d < dimension; d++) {
            const uint64_t n = word(b, 4 * ((size_t)multi + (size_t)(k * dimension + d)), 4);
            if (n < 1 || n > 1000000000)
                return false;
            nodes *= (double)n;
        }
        if (nodes > 2e9)
            return false;
        f->nodes += (size_t)nodes;
    }
    return true;
}

// Which form explains all bytes; *iblank: one with iblank values would.
static bool find(const struct bytes *b, int dimension, struct form *f, bool *iblank)
{
    for (int k = 0; k < 8; k++) {
        const int dims = k & 1 ? 2 : 3, bytes = k & 2 ? 4 : 8;
        if ((dimension && dims != dimension) || !sizes(b, !(k & 4), dims, f))
            continue;
        f->real = bytes;
        const size_t want = 4 * f->header + (size_t)dims * f->nodes * (size_t)bytes;
        if (want == b->n)
            return true;
        *iblank |= want + 4 * f->nodes == b->n;
    }
    return false;
}

static int take(struct numbers *s, const struct bytes *b, const struct form *f)
{
    for (size_t k = 0; k < f->header; k++)
        if (numbers_append(s, (double)word(b, 4 * k, 4), 1))
            return EXIT_FAILED;
    const size_t count = (size_t)f->dimension * f->nodes;
    for (size_t k = 0; k < count; k++)
        if (numbers_append(s, real(b, 4 * f->header + k * (size_t)f->real, f->real), 1))
            return EXIT_FAILED;
    s->first_line = f->multi ? 1 : (size_t)f->dimension;
    return EXIT_DONE;
}

int binary_read(struct numbers *s, const char *path, const unsigned char *bytes, size_t n,
                int dimension)
{
    unsigned char *payload = malloc(n ? n : 1);
    if (!payload)
        return no_memory();
    bool marked = false, iblank = false;
    int rc = -1;
    for (int k = 0; k < 6 && rc < 0; k++) {
        static const int markers[3] = {4, 8, 0};
        const int marker = markers[k / 2];
        const struct bytes file = {bytes, n, k % 2};
        struct bytes b = file;
        struct form f;
        size_t first;
        if (marker && !strip(&file, marker, payload, &b.n, &first))
            continue;
        b.p = marker ? payload : bytes;
        marked = marked || marker;
        if (!find(&b, dimension, &f, &iblank))
            continue;
        printf("file             unformatted, %s record markers, %s precision, %s\n",
               marker == 4   ? "with"
               : marker == 8 ? "with 8-byte"
                             : "without",
               f.real == 4 ? "single" : "double", b.big ? "big-endian" : "little-endian");
        rc = take(s, &b, &f);
    }
    free(payload);
    if (rc >= 0)
        return rc;
    if (iblank)
        return fail("%s: the file holds iblank values, which cannot be used", path);
    return fail(
        "%s: unformatted file of %zu bytes%s: no sizes of a PLOT3D grid at its beginning "
        "explain this length (2-D or 3-D, single or multi-block, single or double precision, "
        "either byte order): it is truncated, or another format",
        path, n, marked ? " with record markers" : "");
}

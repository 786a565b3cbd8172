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
    size_t header, nodes,
        planes; // whole numbers ahead of the coordinates; nodes; k planes of all blocks
    bool iblank, by_planes;
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

// The file without its record markers of the given size, in `to`; false when it has none.
static bool strip(const struct bytes *b, int marker, unsigned char *to, size_t *n, size_t *records)
{
    const size_t m = (size_t)marker;
    size_t at = 0;
    *n = *records = 0;
    while (at < b->n) {
        if (b->n - at < 2 * m)
            return false;
        const uint64_t length = word(b, at, marker);
        if (length > b->n - at - 2 * m || word(b, at + m + (size_t)length, marker) != length)
            return false;
        memcpy(to + *n, b->p + at + m, (size_t)length);
        *n += (size_t)length;
        ++*records;
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
        uint64_t n = 1;
        for (int d = 0; d < dimension; d++) {
            n = word(b, 4 * ((size_t)multi + (size_t)(k * dimension + d)), 4);
            if (n < 1 || n > 1000000000)
                return false;
            nodes *= (double)n;
        }
        if (nodes > 2e9)
            return false;
        f->nodes += (size_t)nodes;
        f->planes += dimension == 3 ? (size_t)n : 1;
    }
    return true;
}

// Which form explains all bytes, without or with iblank values.
static bool find(const struct bytes *b, int dimension, struct form *f)
{
    for (int k = 0; k < 16; k++) {
        const int dims = k & 1 ? 2 : 3, bytes = k & 2 ? 4 : 8;
        if ((dimension && dims != dimension) || !sizes(b, !(k & 4), dims, f))
            continue;
        f->real = bytes;
        f->iblank = k & 8;
        const size_t want = 4 * f->header + (size_t)dims * f->nodes * (size_t)bytes;
        if (want + (f->iblank ? 4 * f->nodes : 0) == b->n)
            return true;
    }
    return false;
}

// The first two records, or all that follows where there are no records; the number of bytes.
static size_t head_of(const struct bytes *b, size_t marker, unsigned char *to)
{
    size_t at = 0, n = 0;
    if (!marker) {
        memcpy(to, b->p, b->n);
        return b->n;
    }
    for (int k = 0; k < 2 && b->n - at > 2 * marker; k++) {
        const uint64_t length = word(b, at, (int)marker);
        const size_t rest = b->n - at - 2 * marker, part = length < rest ? (size_t)length : rest;
        memcpy(to + n, b->p + at + marker, part);
        n += part;
        at += part + 2 * marker;
        if (part < length)
            break;
    }
    return n;
}

size_t binary_stated(const unsigned char *bytes, size_t n)
{
    size_t most = 0;
    unsigned char *head = malloc(n);
    for (int k = 0; head && k < 24; k++) {
        static const size_t markers[3] = {0, 4, 8};
        const struct bytes b = {bytes, n, k / 3 % 2};
        const struct bytes h = {head, head_of(&b, markers[k % 3], head), b.big};
        struct form f;
        if (sizes(&h, k / 12, k / 6 % 2 ? 2 : 3, &f) && f.header + 4 * f.nodes > most)
            most = f.header + 4 * f.nodes;
    }
    free(head);
    return most;
}

static int take(struct numbers *s, const struct bytes *b, const struct form *f)
{
    size_t at = 4 * f->header;
    for (size_t k = 0; k < f->header; k++)
        if (numbers_append(s, (double)word(b, 4 * k, 4), 1))
            return EXIT_FAILED;
    for (int k = 0; k < f->blocks; k++) {
        size_t n[3] = {1, 1, 1};
        for (int d = 0; d < f->dimension; d++)
            n[d] = (size_t)word(b, 4 * ((size_t)f->multi + (size_t)(k * f->dimension + d)), 4);
        const size_t parts = f->by_planes ? n[2] : 1, nodes = n[0] * n[1] * n[2] / parts;
        for (size_t part = 0; part < parts; part++) {
            for (size_t l = 0; l < (size_t)f->dimension * nodes; l++, at += (size_t)f->real)
                if (numbers_append(s, real(b, at, f->real), 1))
                    return EXIT_FAILED;
            for (size_t l = 0; l < nodes && f->iblank; l++, at += 4)
                if (numbers_append(s, (double)(int32_t)(uint32_t)word(b, at, 4), 1))
                    return EXIT_FAILED;
        }
    }
    s->first_line = f->multi ? 1 : (size_t)f->dimension;
    return EXIT_DONE;
}

// How many iblank values are such as a grid without holes has (1, 2, or minus the number of a block), block by block or plane by plane.
static size_t ones(const struct bytes *b, const struct form *f, bool by_planes)
{
    size_t at = 4 * f->header, count = 0;
    for (int k = 0; k < f->blocks; k++) {
        size_t n[3] = {1, 1, 1};
        for (int d = 0; d < f->dimension; d++)
            n[d] = (size_t)word(b, 4 * ((size_t)f->multi + (size_t)(k * f->dimension + d)), 4);
        const size_t parts = by_planes ? n[2] : 1, nodes = n[0] * n[1] * n[2] / parts;
        for (size_t part = 0; part < parts; part++) {
            at += (size_t)f->dimension * nodes * (size_t)f->real;
            for (size_t l = 0; l < nodes; l++, at += 4) {
                const int value = (int)(int32_t)(uint32_t)word(b, at, 4);
                count += value != 0 && value >= -f->blocks && value <= 2;
            }
        }
    }
    return count;
}

// Fortran writes a record for each block, or for each plane, behind one for the sizes and, if there are several
// blocks, one for their number.
static void find_planes(struct numbers *s, struct form *f, size_t records)
{
    const size_t head = f->multi ? 2 : 1;
    if (f->dimension != 3 || records == head + (size_t)f->blocks)
        s->planes = PLANES_NO;
    else if (records == head + f->planes)
        s->planes = PLANES_YES;
    f->by_planes = s->planes == PLANES_YES;
}

int binary_read(struct numbers *s, const char *path, const unsigned char *bytes, size_t n,
                int dimension)
{
    unsigned char *payload = malloc(n ? n : 1);
    if (!payload)
        return no_memory();
    bool marked = false;
    int rc = -1;
    for (int k = 0; k < 6 && rc < 0; k++) {
        static const int markers[3] = {4, 8, 0};
        const int marker = markers[k / 2];
        const struct bytes file = {bytes, n, k % 2};
        struct bytes b = file;
        struct form f;
        size_t records = 0;
        if (marker && !strip(&file, marker, payload, &b.n, &records))
            continue;
        b.p = marker ? payload : bytes;
        marked = marked || marker;
        if (!find(&b, dimension, &f))
            continue;
        if (marker)
            find_planes(s, &f, records);
        else if (f.iblank && f.dimension == 3) // where such values are tells it
            f.by_planes = ones(&b, &f, true) > ones(&b, &f, false);
        if (!marker && f.by_planes)
            s->planes = PLANES_YES;
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
    return fail(
        "%s: unformatted file of %zu bytes%s: no sizes of a PLOT3D grid at its beginning "
        "explain this length (2-D or 3-D, single or multi-block, single or double precision, "
        "either byte order): it is truncated, or another format",
        path, n, marked ? " with record markers" : "");
}

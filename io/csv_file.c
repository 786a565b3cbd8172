#define _GNU_SOURCE
#include "io/csv_file.h"

#include <stdlib.h>
#include <string.h>

#include "io/atomic.h"

/* Copies the lines of iterations <= last, or sets a file of another layout aside. */
static int keep_lines(const char *path, const char *header, int64_t last, FILE *out)
{
    FILE *in = fopen(path, "r");
    if (!in)
        return AN_OK; /* the folder is a new one: nothing to go on from */
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length = getline(&line, &capacity, in);
    if (length > 0 && strcmp(line, header) != 0) {
        char aside[1040];
        snprintf(aside, sizeof aside, "%s.old", path);
        rename(path, aside); /* where this fails the file is replaced */
    } else {
        while ((length = getline(&line, &capacity, in)) > 0) {
            char *end;
            long long n = strtoll(line, &end, 10);
            if (end == line || *end != ',' || line[length - 1] != '\n' || n > last)
                break; /* later lines, or the torn last line of a killed run */
            fputs(line, out);
        }
    }
    free(line);
    fclose(in);
    return AN_OK;
}

int an_csv_open(const char *path, const char *header, int64_t last, FILE **csv)
{
    struct an_atomic a;
    *csv = NULL;
    AN_TRY(an_atomic_begin(path, &a));
    fputs(header, a.f);
    const int status = last >= 0 ? keep_lines(path, header, last, a.f) : AN_OK;
    if (status != AN_OK)
        an_atomic_abort(&a);
    AN_TRY(status);
    AN_TRY(an_atomic_commit(&a));
    *csv = fopen(path, "a");
    AN_CHECK(*csv, AN_INPUT, "cannot write %s", path);
    return AN_OK;
}

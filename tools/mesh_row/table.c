// Tables of numbers in text files. Commas and semicolons count as blanks, '#' starts a comment.
// Lines of text and blank lines part the sections.
#include "row.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1000 };

void table_free(struct table *t)
{
    free(t->v);
    *t = (struct table){0};
}

// Removes the comment and the separators; returns the first word or the end.
static char *clean(char *line)
{
    char *comment = strchr(line, '#');
    if (comment)
        *comment = 0;
    for (char *p = line; *p; p++)
        if (*p == ',' || *p == ';')
            *p = ' ';
    while (isspace((unsigned char)*line))
        line++;
    return line;
}

// The numbers of a line; -1: it starts with a word.
static int numbers(const char *p, double *v, int most)
{
    int n = 0;
    while (*p) {
        char *end;
        const double x = strtod(p, &end);
        if (end == p || (*end && !isspace((unsigned char)*end)) || !isfinite(x))
            return n == 0 ? -1 : -2;
        if (n < most)
            v[n] = x;
        n++;
        for (p = end; isspace((unsigned char)*p);)
            p++;
    }
    return n;
}

static int add_row(struct table *t, int *capacity, const double *v)
{
    if (t->nrow == *capacity) {
        *capacity = *capacity ? 2 * *capacity : 256;
        double *grown = realloc(t->v, (size_t)(*capacity * t->columns) * sizeof *grown);
        AN_CHECK(grown, AN_FAIL, "out of memory");
        t->v = grown;
    }
    memcpy(t->v + t->nrow++ * t->columns, v, (size_t)t->columns * sizeof *v);
    return AN_OK;
}

static int read_lines(struct table *t, FILE *f, const char *path)
{
    char line[LINE];
    double v[16] = {0};
    int capacity = 0;
    bool open = false;
    for (int number = 1; fgets(line, sizeof line, f); number++) {
        AN_CHECK(strlen(line) < LINE - 1, AN_INPUT, "%s:%d: error: the line is too long", path,
                 number);
        const char *p = clean(line);
        const int n = numbers(p, v, 16);
        if (n == -1 || !*p) {
            open = false;
            continue;
        }
        AN_CHECK(n == t->columns, AN_INPUT, "%s:%d: error: expected %d finite numbers%s", path,
                 number, t->columns, n == -2 ? ", found other text" : "");
        if (!open) {
            AN_CHECK(t->nsection < MAX_SECTIONS, AN_INPUT, "%s: error: more than %d sections", path,
                     MAX_SECTIONS);
            t->start[t->nsection] = t->nrow;
            t->line[t->nsection++] = number;
            open = true;
        }
        AN_TRY(add_row(t, &capacity, v));
    }
    AN_CHECK(!ferror(f), AN_INPUT, "%s: error: %s", path, strerror(errno));
    AN_CHECK(t->nrow > 0, AN_INPUT, "%s: error: no line holds %d numbers", path, t->columns);
    t->start[t->nsection] = t->nrow;
    return AN_OK;
}

int table_read(struct table *t, const char *path, int columns)
{
    *t = (struct table){.columns = columns};
    FILE *f = fopen(path, "r");
    AN_CHECK(f, AN_INPUT, "%s: error: %s", path, strerror(errno));
    const int rc = read_lines(t, f, path);
    fclose(f);
    if (rc)
        table_free(t);
    return rc;
}

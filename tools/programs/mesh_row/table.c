// Tables of numbers in text files. Commas and semicolons count as blanks, '#' starts a comment.
// Lines of text and blank lines part the sections.
#include "row.h"

#include "kernels/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE = 1000 };

void table_free(struct table *t)
{
    free(t->v);
    free(t->row_line);
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

// TurboGrid marks points of the edges with a word behind the numbers: le, te, le1, te2.
static void drop_mark(char *line)
{
    char *end = line + strlen(line);
    while (end > line && isspace((unsigned char)end[-1]))
        *--end = 0;
    char *word = end;
    while (word > line && !isspace((unsigned char)word[-1]))
        word--;
    if (word > line && (strncasecmp(word, "le", 2) == 0 || strncasecmp(word, "te", 2) == 0) &&
        word[2 + strspn(word + 2, "0123456789")] == 0)
        *word = 0;
}

int table_section(struct table *t, const char *path, int line)
{
    AN_CHECK(t->nsection < MAX_SECTIONS, AN_INPUT, "%s:%d: error: more than %d sections", path,
             line, MAX_SECTIONS);
    t->start[t->nsection] = t->nrow;
    t->path[t->nsection] = path;
    t->line[t->nsection++] = line;
    return AN_OK;
}

int table_row(struct table *t, const double *v, int line)
{
    if (t->nrow == t->capacity) {
        const int capacity = t->capacity ? 2 * t->capacity : 256;
        double *grown = realloc(t->v, (size_t)(capacity * t->columns) * sizeof *grown);
        t->v = grown ? grown : t->v;
        int *lines = realloc(t->row_line, (size_t)capacity * sizeof *lines);
        t->row_line = lines ? lines : t->row_line;
        AN_CHECK(grown && lines, AN_FAIL, "out of memory");
        t->capacity = capacity;
    }
    t->row_line[t->nrow] = line;
    memcpy(t->v + t->nrow++ * t->columns, v, (size_t)t->columns * sizeof *v);
    return AN_OK;
}

void table_finish(struct table *t)
{
    t->start[t->nsection] = t->nrow;
}

// curve: blank lines part nothing, a line of "##" names the next blade.
static int read_lines(struct table *t, FILE *f, const char *path, bool curve)
{
    char line[LINE];
    double v[16] = {0};
    bool open = false;
    int blade = -1;
    const int had = t->nrow;
    for (int number = 1; fgets(line, sizeof line, f); number++) {
        AN_CHECK(strlen(line) < LINE - 1, AN_INPUT,
                 "%s:%d: error: the line is too long for a table: is this a text file?", path,
                 number);
        const bool mark = strchr(line, '#');
        blade += strstr(line, "##") != NULL;
        char *p = clean(line);
        if (curve)
            drop_mark(p);
        const int n = numbers(p, v, 16);
        if (n == -1 || !*p) {
            if (!curve || n == -1 || mark)
                open = false;
            continue;
        }
        AN_CHECK(n == t->columns, AN_INPUT, "%s:%d: error: expected %d finite numbers%s", path,
                 number, t->columns, n == -2 ? ", found other text" : "");
        if (!open) {
            AN_TRY(table_section(t, path, number));
            t->blade[t->nsection - 1] = blade < 0 ? 0 : blade;
            open = true;
        }
        AN_TRY(table_row(t, v, number));
    }
    AN_CHECK(!ferror(f), AN_INPUT, "%s: error: %s", path, strerror(errno));
    AN_CHECK(t->nrow > had, AN_INPUT, "%s: error: no line holds %d numbers", path, t->columns);
    table_finish(t);
    return AN_OK;
}

static int read_file(struct table *t, const char *path, bool curve)
{
    FILE *f = an_text_open(path);
    AN_CHECK(f, AN_INPUT, "%s: error: %s", path, strerror(errno));
    const int rc = read_lines(t, f, path, curve);
    fclose(f);
    if (rc)
        table_free(t);
    return rc;
}

int table_add(struct table *t, const char *path, int columns)
{
    t->columns = columns;
    return read_file(t, path, false);
}

int table_read(struct table *t, const char *path, int columns)
{
    *t = (struct table){.columns = columns};
    return read_file(t, path, false);
}

int table_read_curve(struct table *t, const char *path)
{
    *t = (struct table){.columns = 3};
    return read_file(t, path, true);
}

int table_of(struct table *t, const struct row_input *in, const char *path, int columns)
{
    const int which = path == in->hub ? 1 : path == in->casing ? 2 : 0;
    const struct table *given = &in->given[which];
    if (!given->nrow)
        return table_read(t, path, columns);
    *t = *given;
    t->capacity = t->nrow;
    t->v = malloc((size_t)(t->nrow * t->columns) * sizeof *t->v);
    t->row_line = malloc((size_t)t->nrow * sizeof *t->row_line);
    if (!t->v || !t->row_line) {
        table_free(t);
        return an_error_set(AN_FAIL, "out of memory");
    }
    memcpy(t->v, given->v, (size_t)(t->nrow * t->columns) * sizeof *t->v);
    memcpy(t->row_line, given->row_line, (size_t)t->nrow * sizeof *t->row_line);
    return AN_OK;
}

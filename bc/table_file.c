#define _GNU_SOURCE
#include "bc/table_file.h"

#include "kernels/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

char *an_table_cell(const struct an_table_place *here, char separator, char **line, int *column)
{
    char *at = *line, *end;
    if (!at)
        return NULL;
    while (*at != separator && isspace((unsigned char)*at))
        at++;
    *column = (int)(at - here->start) + 1;
    char *close = *at == '"' ? strchr(at + 1, '"') : NULL;
    end = strchr(close ? close : at, separator);
    *line = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    for (size_t n = strlen(at); n > 0 && isspace((unsigned char)at[n - 1]); n--)
        at[n - 1] = '\0';
    if (close && close[1] == '\0') {
        *close = '\0';
        at++;
    }
    return at;
}

int an_table_number(const struct an_table_place *here, const char *text, int column, double *v)
{
    char *end = NULL;
    *v = strtod(text, &end);
    AN_CHECK(!*text || *end != ',' || end == text, AN_INPUT,
             "%s:%d:%d: '%.60s': a number has a decimal point, not a comma", here->path, here->line,
             column, text);
    AN_CHECK(*text && !*end && isfinite(*v), AN_INPUT, "%s:%d:%d: '%.60s' is not a number",
             here->path, here->line, column, text);
    return AN_OK;
}

int an_table_separator(const struct an_table_place *here, const char *heading, char *separator)
{
    static const char known[] = ",;\t";
    int count[3] = {0}, quoted = 0, blanks = 0, kinds = 0;
    for (const char *c = heading; *c; c++) {
        quoted ^= *c == '"';
        const char *at = quoted ? NULL : strchr(known, *c);
        if (at)
            count[at - known]++;
        blanks += !quoted && *c == ' ' && !strchr(" [(", c[1]) && c > heading && c[1];
    }
    *separator = ',';
    for (int n = 0; n < 3; n++)
        if (count[n]) {
            *separator = known[n];
            kinds++;
        }
    AN_CHECK(
        kinds <= 1, AN_INPUT,
        "%s:%d: the names are separated by '%s' and by '%s': one of ',', ';' and a tab separates "
        "all columns",
        here->path, here->line, count[0] ? "," : ";", count[2] ? "a tab" : ";");
    AN_CHECK(kinds == 1 || !blanks, AN_INPUT,
             "%s:%d: the columns are separated by blanks: separate them by ',', ';' or a tab",
             here->path, here->line);
    return AN_OK;
}

int an_table_read(const char *path, const char *what, an_table_line *line, void *context)
{
    FILE *f = fopen(path, "r");
    AN_CHECK(f, AN_INPUT, "%s '%s' cannot be read: %s", what, path, strerror(errno));
    char *buffer = NULL;
    size_t capacity = 0;
    int status = AN_OK, begun = 0;
    struct an_table_place here = {.path = path};
    ssize_t length;
    while (status == AN_OK && (length = getline(&buffer, &capacity, f)) > 0) {
        char *text = buffer + (here.line++ ? 0 : an_text_mark(buffer, (size_t)length));
        here.start = text;
        if (memchr(buffer, 0, (size_t)length) || (!begun && an_text_is_binary(text))) {
            status = an_error_set(AN_INPUT, "%s:%d: not a text file", path, here.line);
        } else if (*text != '#' && strspn(text, " \t\r\n") != strlen(text)) {
            text[strcspn(text, "\r\n")] =
                '\0'; /* the last cell of the file is the last of its line */
            status = line(context, &here, text);
            begun = 1;
        }
    }
    if (status == AN_OK && ferror(f))
        status = an_error_set(AN_INPUT, "%s '%s' cannot be read: %s", what, path, strerror(errno));
    free(buffer);
    fclose(f);
    return status;
}

/* "p0 [kPa]", "p0 (kPa)", "p0 / kPa" and "p0 kPa" as "p0_kPa". text [size]. */
static void with_lines(const char *name, char *text, size_t size)
{
    size_t n = 0;
    int inside = 0; /* of brackets or behind the first gap, where "1/s" is a unit */
    for (; *name && n + 1 < size; name++) {
        const int gap =
            isspace((unsigned char)*name) || strchr("[](){}", *name) || (*name == '/' && !inside);
        inside |= gap && !isspace((unsigned char)*name);
        if (!gap && (*name != '/' || inside))
            text[n++] = *name == '/' ? '_' : *name;
        else if (n && text[n - 1] != '_')
            text[n++] = '_';
    }
    while (n && text[n - 1] == '_')
        n--;
    text[n] = '\0';
}

/* Cuts "p0_kPa" into quantity and unit; unit "": none. Both [64]. */
static void cut(const char *name, char *quantity, char *unit)
{
    snprintf(quantity, 64, "%s", name);
    *unit = '\0';
    char *line = strchr(quantity, '_');
    if (line) {
        snprintf(unit, 64, "%s", line + 1);
        *line = '\0';
    }
}

int an_table_column_find(const char *name, const struct an_table_column *list, size_t n,
                         const char *known, struct an_table_meaning *meaning)
{
    char whole[64], quantity[64], unit[64], names[100];
    with_lines(name, whole, sizeof whole);
    cut(whole, quantity, unit);
    for (size_t m = 0; m < n; m++)
        if (!list[m].kept && !strcasecmp(whole, list[m].name)) {
            *meaning = (struct an_table_meaning){list[m].to, list[m].factor, 0};
            return AN_OK;
        }
    for (size_t m = 0; m < n; m++) {
        const struct an_table_column *column = &list[m];
        if (!column->kept || strcasecmp(quantity, column->name) != 0)
            continue;
        const struct an_unit *u = an_unit_find(column->quantity, unit);
        const struct an_unit *kept = an_unit_find(column->quantity, column->kept);
        an_unit_names(column->quantity, names);
        AN_CHECK(*unit, AN_INPUT, "column '%.60s' has no unit: write %s_%s, or another of %s", name,
                 column->name, column->kept, names);
        AN_CHECK(u, AN_INPUT, "column '%.60s': '%.40s' is no unit of a %s that is known: %s", name,
                 unit, column->what, names);
        *meaning = (struct an_table_meaning){column->to, u->factor / kept->factor,
                                             u->offset / kept->factor};
        return AN_OK;
    }
    return an_error_set(AN_INPUT, "column '%.60s' is not known: %s", name, known);
}

static int take_column(const struct an_table_place *here, const char *name, int at,
                       const struct an_table_column *list, size_t n, const char *known,
                       struct an_table_heading *h)
{
    AN_CHECK(*name, AN_INPUT, "%s:%d:%d: the header has a column without a name", here->path,
             here->line, at);
    struct an_table_meaning m;
    if (an_table_column_find(name, list, n, known, &m) != AN_OK) {
        char why[600];
        snprintf(why, sizeof why, "%s", an_error_text());
        return an_error_set(AN_INPUT, "%s:%d:%d: %s", here->path, here->line, at, why);
    }
    AN_CHECK(!h->has[m.to], AN_INPUT, "%s:%d:%d: column '%.60s' is there twice", here->path,
             here->line, at, name);
    h->has[m.to] = at;
    h->column[h->n++] = m;
    return AN_OK;
}

int an_table_heading_read(const struct an_table_place *here, char *text,
                          const struct an_table_column *list, size_t n, const char *known,
                          struct an_table_heading *h)
{
    int at = 0;
    char *name;
    AN_TRY(an_table_separator(here, text, &h->separator));
    while ((name = an_table_cell(here, h->separator, &text, &at)))
        AN_TRY(take_column(here, name, at, list, n, known, h));
    return AN_OK;
}

int an_table_next(const struct an_table_place *here, char separator, int c, int n, char **line,
                  int *at, const char **cell)
{
    *cell = an_table_cell(here, separator, line, at);
    AN_CHECK(*cell, AN_INPUT, "%s:%d: the line has %d cells, the header %d", here->path, here->line,
             c, n);
    return AN_OK;
}

int an_table_ends(const struct an_table_place *here, char separator, char *line)
{
    int at = 0;
    const char *extra = an_table_cell(here, separator, &line, &at);
    AN_CHECK(!extra, AN_INPUT, "%s:%d:%d: the cell '%.60s' is one more than the header has columns",
             here->path, here->line, at, extra);
    return AN_OK;
}

#define _GNU_SOURCE
#include "bc/profile.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[AN_NPROFILE] = {"p0_Pa", "T0_K", "swirl_deg", "pitch_deg",
                                               "viscosity_ratio"};

enum { PLACE = AN_NPROFILE, NONE = -1, MOST_COLUMNS = 32 };

/* A place in the file, for messages. */
struct place {
    const char *path;
    int line;
    const char *start; /* of the line in memory; cells lie behind it */
};

/* Returns the next cell of *line without the blanks around it, NULL behind the last cell. *column
 * gets the number of the cell's first character in the line, from 1. */
static char *cell(const struct place *here, char **line, int *column)
{
    char *at = strsep(line, ",\n\r");
    if (!at)
        return NULL;
    while (isspace((unsigned char)*at))
        at++;
    *column = (int)(at - here->start) + 1;
    for (size_t n = strlen(at); n > 0 && isspace((unsigned char)at[n - 1]); n--)
        at[n - 1] = '\0';
    return at;
}

/* The line without its end, so that the last cell of the file is the last cell of the line. */
static void chop(char *line)
{
    line[strcspn(line, "\r\n")] = '\0';
}

static int read_header(const struct place *here, char *line, struct an_profile *p, int *column,
                       int *n)
{
    int placed = 0, at = 0;
    char *name;
    chop(line);
    for (*n = 0; (name = cell(here, &line, &at)); (*n)++) {
        AN_CHECK(*name, AN_INPUT, "%s:%d:%d: the header has a column without a name", here->path,
                 here->line, at);
        AN_CHECK(*n < MOST_COLUMNS, AN_INPUT, "%s:%d:%d: a profile has at most %d columns",
                 here->path, here->line, at, MOST_COLUMNS);
        column[*n] = NONE;
        for (int c = 0; c < AN_NPROFILE; c++)
            if (!strcmp(name, names[c]) && !p->has[c]) {
                p->has[c] = 1;
                column[*n] = c;
            }
        if (!strcmp(name, "span") || !strcmp(name, "radius_m")) {
            p->by_radius = *name == 'r';
            column[*n] = PLACE;
            placed++;
        }
        AN_CHECK(column[*n] != NONE, AN_INPUT,
                 "%s:%d:%d: column '%.60s' is not known or there twice: a profile has span or "
                 "radius_m, and p0_Pa, T0_K, swirl_deg, pitch_deg, viscosity_ratio",
                 here->path, here->line, at, name);
    }
    AN_CHECK(placed == 1, AN_INPUT, "%s:%d: a profile needs one column span or radius_m",
             here->path, here->line);
    return AN_OK;
}

/* Are the values of line p->n ones that an inlet can have? */
static int check_line(const struct place *here, const struct an_profile *p)
{
    const double *at = p->at, *v = p->value[p->n];
    const char *what = p->by_radius ? "radius_m" : "span";
    AN_CHECK(p->by_radius || (at[p->n] >= 0 && at[p->n] <= 1), AN_INPUT,
             "%s:%d: span is %.6g, must be between 0 (hub) and 1 (casing)", here->path, here->line,
             at[p->n]);
    AN_CHECK(at[p->n] >= 0, AN_INPUT, "%s:%d: radius_m is %.6g, must be >= 0", here->path,
             here->line, at[p->n]);
    AN_CHECK(p->n == 0 || at[p->n] > at[p->n - 1], AN_INPUT,
             "%s:%d: %s has to rise from line to line", here->path, here->line, what);
    AN_CHECK((!p->has[AN_PROFILE_P0] || v[AN_PROFILE_P0] > 0) &&
                 (!p->has[AN_PROFILE_T0] || v[AN_PROFILE_T0] > 0),
             AN_INPUT, "%s:%d: p0_Pa and T0_K have to be above 0", here->path, here->line);
    AN_CHECK(fabs(v[AN_PROFILE_SWIRL]) < 90 && fabs(v[AN_PROFILE_PITCH]) < 90, AN_INPUT,
             "%s:%d: swirl_deg and pitch_deg are between -90 and 90", here->path, here->line);
    AN_CHECK(v[AN_PROFILE_VISCOSITY] >= 0, AN_INPUT, "%s:%d: viscosity_ratio is below 0",
             here->path, here->line);
    return AN_OK;
}

static int read_line(const struct place *here, char *line, struct an_profile *p, const int *column,
                     int n)
{
    double *at = realloc(p->at, ((size_t)p->n + 1) * sizeof *at);
    p->at = at ? at : p->at;
    double(*value)[AN_NPROFILE] = realloc(p->value, ((size_t)p->n + 1) * sizeof *value);
    p->value = value ? value : p->value;
    AN_CHECK(at && value, AN_FAIL, "out of memory for a profile");
    memset(value[p->n], 0, sizeof *value);
    chop(line);
    for (int c = 0; c < n; c++) {
        int first = (int)strlen(here->start) + 1;
        const char *text = cell(here, &line, &first);
        char *end = NULL;
        const double v = text ? strtod(text, &end) : 0;
        AN_CHECK(text, AN_INPUT, "%s:%d: the line has %d cells, the header %d", here->path,
                 here->line, c, n);
        AN_CHECK(*text && !*end && isfinite(v), AN_INPUT, "%s:%d:%d: '%.60s' is not a number",
                 here->path, here->line, first, text);
        *(column[c] == PLACE ? &at[p->n] : &value[p->n][column[c]]) = v;
    }
    int first = 0;
    const char *extra = cell(here, &line, &first);
    AN_CHECK(!extra, AN_INPUT, "%s:%d:%d: the cell '%.60s' is one more than the header has columns",
             here->path, here->line, first, extra);
    AN_TRY(check_line(here, p));
    p->n++;
    return AN_OK;
}

int an_profile_read(const char *path, struct an_profile *p)
{
    memset(p, 0, sizeof *p);
    FILE *f = fopen(path, "r");
    AN_CHECK(f, AN_INPUT, "profile '%s' cannot be read", path);
    char *line = NULL;
    size_t capacity = 0;
    int column[MOST_COLUMNS], n = 0, status = AN_OK;
    struct place here = {.path = path};
    ssize_t length;
    while (status == AN_OK && (length = getline(&line, &capacity, f)) > 0) {
        const size_t mark = here.line++ == 0 && !strncmp(line, "\xEF\xBB\xBF", 3) ? 3 : 0;
        char *text = line + mark; /* spreadsheets put a byte-order mark first */
        here.start = text;
        if (memchr(line, 0, (size_t)length))
            status = an_error_set(AN_INPUT, "%s:%d: not a text file", path, here.line);
        else if (*text == '#' || strspn(text, " \t\r\n") == strlen(text))
            continue;
        else
            status =
                n ? read_line(&here, text, p, column, n) : read_header(&here, text, p, column, &n);
    }
    free(line);
    fclose(f);
    if (status == AN_OK && p->n < 2)
        status = an_error_set(AN_INPUT, "%s: a profile has at least two lines of numbers", path);
    if (status != AN_OK)
        an_profile_free(p);
    return status;
}

void an_profile_free(struct an_profile *p)
{
    free(p->at);
    free(p->value);
    memset(p, 0, sizeof *p);
}

void an_profile_at(const struct an_profile *p, double at, double value[AN_NPROFILE])
{
    int n = 0;
    while (n < p->n - 2 && at > p->at[n + 1])
        n++;
    double part = (at - p->at[n]) / (p->at[n + 1] - p->at[n]);
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    for (int c = 0; c < AN_NPROFILE; c++)
        value[c] = p->value[n][c] + part * (p->value[n + 1][c] - p->value[n][c]);
}

void an_profile_direction(double swirl, double pitch, double y, double z, double d[3])
{
    const double degree = acos(-1.0) / 180, r = hypot(y, z), over = r > 0 ? 1 / r : 0;
    const double radial = cos(swirl * degree) * sin(pitch * degree), around = sin(swirl * degree);
    d[0] = cos(swirl * degree) * cos(pitch * degree);
    d[1] = (radial * y - around * z) * over;
    d[2] = (radial * z + around * y) * over;
}

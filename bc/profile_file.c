#define _GNU_SOURCE
#include "bc/profile_file.h"

#include "kernels/base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[AN_NPROFILE] = {
    "p0_Pa", "T0_K", "swirl_deg", "pitch_deg", "viscosity_ratio", "k_J_kg", "omega_1_s"};

const char *an_profile_column_name(enum an_profile_column column)
{
    return names[column];
}

/* Columns that say where a line stands have the number PLACE plus that of the place. */
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

/* The place that a column tells; NONE: none. */
static int place_of(const char *name)
{
    return !strcmp(name, "span") || !strcmp(name, "radius_m") ? AN_PLACE_SPAN
           : !strcmp(name, "theta_deg")                       ? AN_PLACE_THETA
           : !strcmp(name, "time_s")                          ? AN_PLACE_TIME
                                                              : NONE;
}

static int read_header(const struct place *here, char *line, struct an_profile_lines *p,
                       int *column, int *n)
{
    int at = 0;
    char *name;
    chop(line);
    AN_CHECK(!strchr(line, ';') || strchr(line, ','), AN_INPUT,
             "%s:%d: columns are parted by commas, not by ';', and numbers have a decimal point",
             here->path, here->line);
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
        const int place = place_of(name);
        if (place != NONE && !p->placed[place]++)
            column[*n] = PLACE + place;
        if (place == AN_PLACE_SPAN)
            p->by_radius = *name == 'r';
        AN_CHECK(column[*n] != NONE, AN_INPUT,
                 "%s:%d:%d: column '%.60s' is not known or there twice: a profile has span or "
                 "radius_m, theta_deg, time_s, and p0_Pa, T0_K, swirl_deg, pitch_deg, "
                 "viscosity_ratio, k_J_kg, omega_1_s",
                 here->path, here->line, at, name);
    }
    AN_CHECK(p->placed[AN_PLACE_SPAN], AN_INPUT,
             "%s:%d: a profile needs one column span or radius_m", here->path, here->line);
    AN_CHECK(p->has[AN_PROFILE_K] == p->has[AN_PROFILE_OMEGA], AN_INPUT,
             "%s:%d: k_J_kg and omega_1_s are both needed or both left out", here->path,
             here->line);
    return AN_OK;
}

/* Are the values of a line ones that an inlet can have? */
static int check_line(const struct place *here, const struct an_profile_lines *p,
                      const struct an_profile_line *line)
{
    const double at = line->place[AN_PLACE_SPAN], *v = line->value;
    const char *what = p->by_radius ? "radius_m" : "span";
    const int plain = !p->placed[AN_PLACE_THETA] && !p->placed[AN_PLACE_TIME];
    AN_CHECK(p->by_radius || (at >= 0 && at <= 1), AN_INPUT,
             "%s:%d: span is %.6g, must be between 0 (hub) and 1 (casing)", here->path, here->line,
             at);
    AN_CHECK(at >= 0, AN_INPUT, "%s:%d: radius_m is %.6g, must be >= 0", here->path, here->line,
             at);
    AN_CHECK(!plain || p->n == 0 || at > p->line[p->n - 1].place[AN_PLACE_SPAN], AN_INPUT,
             "%s:%d: %s has to rise from line to line", here->path, here->line, what);
    AN_CHECK((!p->has[AN_PROFILE_P0] || v[AN_PROFILE_P0] > 0) &&
                 (!p->has[AN_PROFILE_T0] || v[AN_PROFILE_T0] > 0),
             AN_INPUT, "%s:%d: p0_Pa and T0_K have to be above 0", here->path, here->line);
    AN_CHECK(fabs(v[AN_PROFILE_SWIRL]) < 90 && fabs(v[AN_PROFILE_PITCH]) <= 180, AN_INPUT,
             "%s:%d: swirl_deg is between -90 and 90, pitch_deg between -180 and 180", here->path,
             here->line);
    AN_CHECK(v[AN_PROFILE_VISCOSITY] >= 0, AN_INPUT, "%s:%d: viscosity_ratio is below 0",
             here->path, here->line);
    AN_CHECK(v[AN_PROFILE_K] >= 0 && (!p->has[AN_PROFILE_OMEGA] || v[AN_PROFILE_OMEGA] > 0),
             AN_INPUT, "%s:%d: k_J_kg is below 0, or omega_1_s not above 0", here->path,
             here->line);
    return AN_OK;
}

static int read_line(const struct place *here, char *line, struct an_profile_lines *p,
                     const int *column, int n)
{
    if ((p->n & (p->n - 1)) == 0) { /* room for a power of two */
        struct an_profile_line *more =
            realloc(p->line, (p->n ? 2 * (size_t)p->n : 1) * sizeof *more);
        AN_CHECK(more, AN_FAIL, "out of memory for a profile");
        p->line = more;
    }
    struct an_profile_line *to = &p->line[p->n];
    memset(to, 0, sizeof *to);
    to->number = here->line;
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
        *(column[c] >= PLACE ? &to->place[column[c] - PLACE] : &to->value[column[c]]) = v;
    }
    int first = 0;
    const char *extra = cell(here, &line, &first);
    AN_CHECK(!extra, AN_INPUT, "%s:%d:%d: the cell '%.60s' is one more than the header has columns",
             here->path, here->line, first, extra);
    AN_TRY(check_line(here, p, to));
    p->n++;
    return AN_OK;
}

int an_profile_lines_read(const char *path, struct an_profile_lines *p)
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
        char *text = line + (here.line++ ? 0 : an_text_mark(line, (size_t)length));
        here.start = text;
        if (memchr(line, 0, (size_t)length) || (!n && an_text_is_binary(text)))
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
    return status;
}

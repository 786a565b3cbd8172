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

/* The next cell of a line, without blanks around it; NULL at its end. */
static char *cell(char **line)
{
    char *at = strsep(line, ",\n\r");
    while (at && isspace((unsigned char)*at))
        at++;
    for (size_t n = at ? strlen(at) : 0; n > 0 && isspace((unsigned char)at[n - 1]); n--)
        at[n - 1] = '\0';
    return at;
}

static int read_header(const char *path, char *line, struct an_profile *p, int *column, int *n)
{
    int placed = 0;
    char *name;
    for (*n = 0; *n < MOST_COLUMNS && (name = cell(&line)) && *name; (*n)++) {
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
                 "%s: column '%s' is not known or there twice: a profile has span or radius_m, and "
                 "p0_Pa, T0_K, swirl_deg, pitch_deg, viscosity_ratio",
                 path, name);
    }
    AN_CHECK(placed == 1, AN_INPUT, "%s: a profile needs one column span or radius_m", path);
    return AN_OK;
}

static int read_line(const char *path, int number, char *line, struct an_profile *p,
                     const int *column, int n)
{
    double *at = realloc(p->at, ((size_t)p->n + 1) * sizeof *at);
    p->at = at ? at : p->at;
    double(*value)[AN_NPROFILE] = realloc(p->value, ((size_t)p->n + 1) * sizeof *value);
    p->value = value ? value : p->value;
    AN_CHECK(at && value, AN_FAIL, "out of memory for a profile");
    memset(value[p->n], 0, sizeof *value);
    for (int c = 0; c < n; c++) {
        const char *text = cell(&line);
        char *end = NULL;
        const double v = text ? strtod(text, &end) : 0;
        AN_CHECK(text && *text && !*end && isfinite(v), AN_INPUT, "%s:%d: '%s' is not a number",
                 path, number, text ? text : "");
        *(column[c] == PLACE ? &at[p->n] : &value[p->n][column[c]]) = v;
    }
    const double *v = value[p->n];
    AN_CHECK(p->n == 0 || at[p->n] > at[p->n - 1], AN_INPUT,
             "%s:%d: %s has to rise from line to line", path, number,
             p->by_radius ? "radius_m" : "span");
    AN_CHECK((!p->has[AN_PROFILE_P0] || v[AN_PROFILE_P0] > 0) &&
                 (!p->has[AN_PROFILE_T0] || v[AN_PROFILE_T0] > 0),
             AN_INPUT, "%s:%d: p0_Pa and T0_K have to be above 0", path, number);
    AN_CHECK(fabs(v[AN_PROFILE_SWIRL]) < 90 && fabs(v[AN_PROFILE_PITCH]) < 90, AN_INPUT,
             "%s:%d: swirl_deg and pitch_deg are between -90 and 90", path, number);
    AN_CHECK(v[AN_PROFILE_VISCOSITY] >= 0, AN_INPUT, "%s:%d: viscosity_ratio is below 0", path,
             number);
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
    int number = 0, column[MOST_COLUMNS], n = 0, status = AN_OK;
    while (status == AN_OK && getline(&line, &capacity, f) > 0) {
        number++;
        if (*line == '#' || strspn(line, " \t\r\n") == strlen(line))
            continue;
        status = n ? read_line(path, number, line, p, column, n)
                   : read_header(path, line, p, column, &n);
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

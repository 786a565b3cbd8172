#include "bc/profile_file.h"

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

enum { MOST_COLUMNS = 64 };

/* What the heading says. */
struct heading {
    char separator;
    int n; /* columns; 0: it has not been read yet */
    struct an_table_meaning column[MOST_COLUMNS];
    int from_run;    /* 1: a run wrote the file: bands of one or more stations */
    int wanted;      /* station of it that is wanted; 0: the only one */
    int station;     /* whole stations before this line */
    char where[200]; /* "x = 0.1, 0.2": the stations, for messages */
};

/* Notes what a column holds; AN_INPUT where another column holds the same. */
static int add_column(const struct an_table_place *here, const char *name, int at,
                      struct heading *h, struct an_profile_lines *p)
{
    struct an_table_meaning *as = &h->column[h->n];
    if (an_profile_column_read(name, h->from_run, as) != AN_OK) {
        char why[400];
        snprintf(why, sizeof why, "%s", an_error_text());
        return an_error_set(AN_INPUT, "%s:%d:%d: %s", here->path, here->line, at, why);
    }
    if (as->to == AN_COLUMN_IGNORED || as->to == AN_COLUMN_BAND)
        return AN_OK;
    int *seen = as->to >= AN_COLUMN_PLACE ? &p->placed[as->to - AN_COLUMN_PLACE] : &p->has[as->to];
    AN_CHECK(!*seen, AN_INPUT, "%s:%d:%d: column '%.60s' is there twice, or beside another place",
             here->path, here->line, at, name);
    *seen = 1;
    if (as->to == AN_COLUMN_PLACE + AN_PLACE_SPAN)
        p->by_radius = tolower((unsigned char)*name) == 'r';
    return AN_OK;
}

static int read_header(const struct an_table_place *here, char *line, struct an_profile_lines *p,
                       struct heading *h)
{
    int at = 0;
    char *name;
    AN_TRY(an_table_separator(here, line, &h->separator));
    h->from_run = strncmp(line, "x_m,band,span,", 14) == 0;
    AN_CHECK(h->from_run || !h->wanted, AN_INPUT,
             "%s: 'profile_station' chooses a station of a profile_NNNNNNNN.csv, and this file is "
             "none",
             here->path);
    for (h->n = 0; (name = an_table_cell(here, h->separator, &line, &at)); h->n++) {
        AN_CHECK(*name, AN_INPUT, "%s:%d:%d: the header has a column without a name", here->path,
                 here->line, at);
        AN_CHECK(h->n < MOST_COLUMNS, AN_INPUT, "%s:%d:%d: a profile has at most %d columns",
                 here->path, here->line, at, MOST_COLUMNS);
        AN_TRY(add_column(here, name, at, h, p));
    }
    AN_CHECK(p->placed[AN_PLACE_SPAN], AN_INPUT,
             "%s:%d: a profile needs one column span or radius_m", here->path, here->line);
    AN_CHECK(p->has[AN_PROFILE_K] == p->has[AN_PROFILE_OMEGA], AN_INPUT,
             "%s:%d: k_J_kg and omega_1_s are both needed or both left out", here->path,
             here->line);
    return AN_OK;
}

/* Are the values of a line ones that an inlet can have? */
static int check_line(const struct an_table_place *here, const struct an_profile_lines *p,
                      const struct an_profile_line *line)
{
    const double at = line->place[AN_PLACE_SPAN], *v = line->value;
    const char *what = p->by_radius ? "radius" : "span";
    const int plain = !p->placed[AN_PLACE_THETA] && !p->placed[AN_PLACE_TIME];
    AN_CHECK(p->by_radius || (at >= 0 && at <= 1), AN_INPUT,
             "%s:%d: span is %.6g, must be between 0 (hub) and 1 (casing)", here->path, here->line,
             at);
    AN_CHECK(at >= 0, AN_INPUT, "%s:%d: the radius is %.6g m, must be >= 0", here->path, here->line,
             at);
    AN_CHECK(!plain || p->n == 0 || at > p->line[p->n - 1].place[AN_PLACE_SPAN], AN_INPUT,
             "%s:%d: %s has to rise from line to line", here->path, here->line, what);
    AN_CHECK(!p->has[AN_PROFILE_P0] || v[AN_PROFILE_P0] > 0, AN_INPUT,
             "%s:%d: p0 is %.6g Pa, must be above 0", here->path, here->line, v[AN_PROFILE_P0]);
    AN_CHECK(!p->has[AN_PROFILE_T0] || v[AN_PROFILE_T0] > 0, AN_INPUT,
             "%s:%d: T0 is %.6g K, must be above 0", here->path, here->line, v[AN_PROFILE_T0]);
    AN_CHECK(fabs(v[AN_PROFILE_SWIRL]) < 90 && fabs(v[AN_PROFILE_PITCH]) <= 180, AN_INPUT,
             "%s:%d: swirl is %.6g degrees and pitch %.6g, must be between -90 and 90, and between "
             "-180 and 180",
             here->path, here->line, v[AN_PROFILE_SWIRL], v[AN_PROFILE_PITCH]);
    AN_CHECK(v[AN_PROFILE_VISCOSITY] >= 0, AN_INPUT, "%s:%d: viscosity_ratio is below 0",
             here->path, here->line);
    AN_CHECK(v[AN_PROFILE_K] >= 0 && (!p->has[AN_PROFILE_OMEGA] || v[AN_PROFILE_OMEGA] > 0),
             AN_INPUT, "%s:%d: k_J_kg is below 0, or omega_1_s not above 0", here->path,
             here->line);
    return AN_OK;
}

/* Room for one more line, which *to gets. */
static int add_line(const struct an_table_place *here, struct an_profile_lines *p,
                    struct an_profile_line **to)
{
    if ((p->n & (p->n - 1)) == 0) { /* room for a power of two */
        struct an_profile_line *more =
            realloc(p->line, (p->n ? 2 * (size_t)p->n : 1) * sizeof *more);
        AN_CHECK(more, AN_FAIL, "out of memory for a profile");
        p->line = more;
    }
    *to = &p->line[p->n];
    memset(*to, 0, sizeof **to);
    (*to)->number = here->line;
    return AN_OK;
}

/* The line of a whole station ends its bands. */
static void end_station(struct heading *h, const char *x)
{
    const size_t n = strlen(h->where);
    h->station++;
    snprintf(h->where + n, sizeof h->where - n, "%s%.20s", n ? ", " : "", x);
}

static int read_line(const struct an_table_place *here, char *line, struct an_profile_lines *p,
                     struct heading *h)
{
    struct an_profile_line *to = NULL;
    int first = 0, left_out = 0;
    AN_TRY(add_line(here, p, &to));
    const char *x = line;
    for (int c = 0; c < h->n; c++) {
        const struct an_table_meaning *as = &h->column[c];
        first = (int)strlen(here->start) + 1;
        const char *text;
        AN_TRY(an_table_next(here, h->separator, c, h->n, &line, &first, &text));
        if (as->to == AN_COLUMN_BAND && !*text)
            end_station(h, x);
        if (h->from_run && (as->to == AN_COLUMN_BAND || as->to == AN_COLUMN_IGNORED || !*text)) {
            left_out |= !*text && as->to != AN_COLUMN_IGNORED; /* a whole station, or no flow */
            continue;
        }
        double v;
        AN_TRY(an_table_number(here, text, first, &v));
        v = as->factor * v + as->offset;
        *(as->to >= AN_COLUMN_PLACE ? &to->place[as->to - AN_COLUMN_PLACE] : &to->value[as->to]) =
            v;
    }
    AN_TRY(an_table_ends(here, h->separator, line));
    if (left_out || (h->wanted && h->station != h->wanted - 1) || (!h->wanted && h->station > 0))
        return AN_OK;
    AN_TRY(check_line(here, p, to));
    p->n++;
    return AN_OK;
}

/* Bands are means over a part of the height, and all bands cover it: the outer ones reach hub and casing. */
static int finish_stations(const struct an_table_place *here, const struct heading *h,
                           struct an_profile_lines *p)
{
    AN_CHECK(
        h->wanted || h->station <= 1, AN_INPUT,
        "%s: the file has %d stations, at x = %s m: choose one by 'profile_station', from 1 to "
        "%d",
        here->path, h->station, h->where, h->station);
    AN_CHECK(h->wanted <= h->station, AN_INPUT,
             "%s: 'profile_station' is %d, but the file has %d, at x = %s m", here->path, h->wanted,
             h->station, h->where);
    AN_CHECK(p->n > 0, AN_INPUT, "%s: the station has no band with a flow", here->path);
    struct an_profile_line *to = NULL;
    struct an_table_place of = *here;
    of.line = p->line[0].number;
    AN_TRY(add_line(&of, p, &to));
    const struct an_profile_line first = p->line[0];
    memmove(p->line + 1, p->line, (size_t)p->n * sizeof *p->line);
    p->line[0] = first;
    p->line[0].place[AN_PLACE_SPAN] = 0;
    p->n++;
    of.line = p->line[p->n - 1].number;
    AN_TRY(add_line(&of, p, &to));
    *to = p->line[p->n - 1];
    to->place[AN_PLACE_SPAN] = 1;
    p->n++;
    return AN_OK;
}

/* What is read, and where to. */
struct reading {
    struct heading heading;
    struct an_profile_lines *lines;
};

static int take_line(void *context, const struct an_table_place *here, char *text)
{
    struct reading *r = context;
    return r->heading.n ? read_line(here, text, r->lines, &r->heading)
                        : read_header(here, text, r->lines, &r->heading);
}

int an_profile_lines_read(const char *path, int station, struct an_profile_lines *p)
{
    struct reading r = {.heading.wanted = station, .lines = p};
    const struct an_table_place here = {.path = path};
    memset(p, 0, sizeof *p);
    AN_TRY(an_table_read(path, "profile", take_line, &r));
    if (r.heading.from_run)
        AN_TRY(finish_stations(&here, &r.heading, p));
    AN_CHECK(p->n >= 2, AN_INPUT, "%s: a profile has at least two lines of numbers", path);
    return AN_OK;
}

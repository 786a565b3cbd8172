#include "bc/profile.h"

#include "bc/cubic.h"
#include "bc/profile_file.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SAME 1e-6 /* relative: values that are one, and angles of a turn */

static int by_number(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

/* The numbers that occur in a place of the lines, rising; *n of them, malloc'ed. */
static int list_axis(const struct an_profile_lines *l, int place, double **axis, int *n)
{
    *axis = malloc(((size_t)l->n + 1) * sizeof **axis); /* one more, to close a series */
    *n = 0;
    AN_CHECK(*axis, AN_FAIL, "out of memory for a profile");
    for (int m = 0; m < l->n; m++)
        (*axis)[m] = l->line[m].place[place];
    qsort(*axis, (size_t)l->n, sizeof **axis, by_number);
    for (int m = 0; m < l->n; m++)
        if (m == 0 || (*axis)[m] > (*axis)[*n - 1])
            (*axis)[(*n)++] = (*axis)[m];
    return AN_OK;
}

static int64_t index_of(const struct an_profile *p, int time, int theta, int span)
{
    return ((int64_t)time * p->ntheta + theta) * p->n + span;
}

/* Each line into its place; every place has to have one. */
static int place_lines(const char *path, const struct an_profile_lines *l, struct an_profile *p)
{
    int *line = p->line, status = AN_OK;
    for (int m = 0; m < l->n && status == AN_OK; m++) {
        const double *at = l->line[m].place;
        const int64_t i = index_of(p, an_cubic_interval(p->ntime + 1, p->time, at[AN_PLACE_TIME]),
                                   an_cubic_interval(p->ntheta + 1, p->theta, at[AN_PLACE_THETA]),
                                   an_cubic_interval(p->n + 1, p->at, at[AN_PLACE_SPAN]));
        if (line[i])
            status = an_error_set(AN_INPUT,
                                  "%s:%d: the line is of the same place, angle and time as line %d",
                                  path, l->line[m].number, line[i]);
        line[i] = l->line[m].number;
        memcpy(p->value[i], l->line[m].value, sizeof *p->value);
    }
    for (int t = 0; t < p->ntime && status == AN_OK; t++)
        for (int a = 0; a < p->ntheta && status == AN_OK; a++)
            for (int n = 0; n < p->n && status == AN_OK; n++)
                if (!line[index_of(p, t, a, n)])
                    status = an_error_set(
                        AN_INPUT,
                        "%s: no line has %s %.9g, theta_deg %.9g and time_s %.9g: there must be "
                        "one for each combination of the numbers in these columns",
                        path, p->by_radius ? "radius_m" : "span", p->at[n], p->theta[a],
                        p->time[t]);
    return status;
}

/* Do the values of n places from `first` and from `last` on agree, beside the range of all between? */
static int agree(const struct an_profile *p, int64_t first, int64_t last, int64_t n)
{
    for (int c = 0; c < AN_NPROFILE; c++) {
        double least = INFINITY, most = -INFINITY;
        for (int64_t m = first; m < last + n; m++) {
            least = fmin(least, p->value[m][c]);
            most = fmax(most, p->value[m][c]);
        }
        for (int64_t m = 0; m < n; m++)
            if (fabs(p->value[first + m][c] - p->value[last + m][c]) > SAME * (most - least))
                return 0;
    }
    return 1;
}

static int check_angles(const char *path, const struct an_profile_lines *l,
                        const struct an_profile *p)
{
    const double period = p->theta[p->ntheta - 1] - p->theta[0], parts = 360 / period;
    if (!l->placed[AN_PLACE_THETA])
        return AN_OK;
    AN_CHECK(p->ntheta >= 4, AN_INPUT, "%s: theta_deg needs at least four angles, it has %d", path,
             p->ntheta);
    AN_CHECK(
        fabs(parts - round(parts)) <= SAME * parts, AN_INPUT,
        "%s: theta_deg goes from %.9g to %.9g, which is 1/%.6g of a turn: the largest angle "
        "has to lie one pitch after the smallest one, and a turn has a whole number of pitches",
        path, p->theta[0], p->theta[p->ntheta - 1], parts);
    for (int t = 0; t < p->ntime; t++)
        AN_CHECK(agree(p, index_of(p, t, 0, 0), index_of(p, t, p->ntheta - 1, 0), p->n), AN_INPUT,
                 "%s: the values at theta_deg %.9g have to repeat those at %.9g, one pitch before",
                 path, p->theta[p->ntheta - 1], p->theta[0]);
    return AN_OK;
}

/* A series that repeats ends with its first values. */
static int close_series(const char *path, const struct an_profile_lines *l, struct an_profile *p)
{
    const double period = p->period, first = p->time[0], last = p->time[p->ntime - 1];
    const int64_t each = index_of(p, 1, 0, 0);
    AN_CHECK(l->placed[AN_PLACE_TIME] || !(period > 0), AN_INPUT,
             "%s: profile_period needs a column time_s", path);
    if (!(period > 0))
        return AN_OK;
    AN_CHECK(last - first <= period * (1 + SAME), AN_INPUT,
             "%s: time_s goes from %.9g to %.9g, which is longer than the period of %.9g s "
             "(profile_period)",
             path, first, last, period);
    if (last - first >= period * (1 - SAME)) {
        AN_CHECK(agree(p, 0, (p->ntime - 1) * each, each), AN_INPUT,
                 "%s: the values at time_s %.9g have to repeat those at %.9g, one period before "
                 "(profile_period)",
                 path, last, first);
        p->time[p->ntime - 1] = first + period;
    } else {
        memcpy(p->value[p->ntime * each], p->value[0], (size_t)each * sizeof *p->value);
        memcpy(p->line + p->ntime * each, p->line, (size_t)each * sizeof *p->line);
        p->time[p->ntime++] = first + period;
    }
    AN_CHECK(p->ntime >= 4, AN_INPUT, "%s: a series that repeats needs at least three times", path);
    return AN_OK;
}

/* Slopes in time of all values. */
static void find_rates(struct an_profile *p)
{
    const int64_t each = index_of(p, 1, 0, 0);
    for (int64_t m = 0; m < each && p->ntime > 1; m++)
        for (int c = 0; c < AN_NPROFILE; c++)
            an_cubic_slopes(p->ntime, p->time, p->period > 0, (int)(each * AN_NPROFILE),
                            &p->value[m][c], &p->rate[m][c], p->work);
}

static int make_profile(const char *path, const struct an_profile_lines *l, struct an_profile *p)
{
    AN_TRY(list_axis(l, AN_PLACE_TIME, &p->time, &p->ntime));
    AN_TRY(list_axis(l, AN_PLACE_THETA, &p->theta, &p->ntheta));
    AN_TRY(list_axis(l, AN_PLACE_SPAN, &p->at, &p->n));
    AN_CHECK(p->n > 1, AN_INPUT, "%s: %s needs two different numbers at least", path,
             p->by_radius ? "radius_m" : "span");
    const int64_t each = index_of(p, 1, 0, 0), most = each * (p->ntime + 1);
    AN_CHECK(each * AN_NPROFILE < 0x7fffffff, AN_INPUT, "%s: too many lines", path);
    p->value = calloc((size_t)most, sizeof *p->value);
    p->rate = calloc((size_t)most, sizeof *p->rate);
    p->now = calloc((size_t)each, sizeof *p->now);
    p->slope = calloc((size_t)each, sizeof *p->slope);
    p->mean = calloc((size_t)p->n, sizeof *p->mean);
    p->work = calloc(5 * ((size_t)l->n + 1), sizeof *p->work);
    p->line = calloc((size_t)most, sizeof *p->line);
    AN_CHECK(p->value && p->rate && p->now && p->slope && p->mean && p->work && p->line, AN_FAIL,
             "out of memory for a profile");
    AN_TRY(place_lines(path, l, p));
    AN_TRY(check_angles(path, l, p));
    AN_TRY(close_series(path, l, p));
    find_rates(p);
    an_profile_set_time(p, p->time[0]);
    return AN_OK;
}

int an_profile_read(const char *path, double period, int station, struct an_profile *p)
{
    struct an_profile_lines l;
    memset(p, 0, sizeof *p);
    int status = an_profile_lines_read(path, station, &l);
    p->period = period;
    p->by_radius = l.by_radius;
    memcpy(p->has, l.has, sizeof p->has);
    if (status == AN_OK)
        status = make_profile(path, &l, p);
    free(l.line);
    if (status != AN_OK)
        an_profile_free(p);
    return status;
}

void an_profile_free(struct an_profile *p)
{
    free(p->at);
    free(p->theta);
    free(p->time);
    free(p->value);
    free(p->rate);
    free(p->now);
    free(p->slope);
    free(p->mean);
    free(p->work);
    free(p->line);
    memset(p, 0, sizeof *p);
}

double an_profile_pattern(const struct an_profile *p)
{
    return p->ntheta > 1 ? p->theta[p->ntheta - 1] - p->theta[0] : 0;
}

/* Sets the mean of a value along line n: the integral of its cubics around the axis, over the pattern. */
static void set_mean(struct an_profile *p, int n, int c)
{
    double sum = 0;
    for (int a = 0; a + 1 < p->ntheta; a++) {
        const int64_t i = index_of(p, 0, a, n), j = index_of(p, 0, a + 1, n);
        const double h = p->theta[a + 1] - p->theta[a];
        sum += h * ((p->now[i][c] + p->now[j][c]) / 2 + h * (p->slope[i][c] - p->slope[j][c]) / 12);
    }
    p->mean[n][c] = p->ntheta > 1 ? sum / an_profile_pattern(p) : p->now[n][c];
}

void an_profile_set_time(struct an_profile *p, double time)
{
    const int64_t each = index_of(p, 1, 0, 0);
    if (p->ntime == 1) {
        memcpy(p->now, p->value, (size_t)each * sizeof *p->now);
    } else {
        if (p->period > 0)
            time -= p->period * floor((time - p->time[0]) / p->period);
        const int t = an_cubic_interval(p->ntime, p->time, time);
        const double h = p->time[t + 1] - p->time[t];
        const double x = fmax(0, fmin((time - p->time[t]) / h, 1));
        const int64_t a = t * each, b = a + each;
        for (int64_t m = 0; m < each; m++)
            for (int c = 0; c < AN_NPROFILE; c++)
                p->now[m][c] = an_cubic_at(h, x, p->value[a + m][c], p->value[b + m][c],
                                           p->rate[a + m][c], p->rate[b + m][c]);
    }
    for (int n = 0; n < p->n; n++)
        for (int c = 0; c < AN_NPROFILE; c++) {
            if (p->ntheta > 1)
                an_cubic_slopes(p->ntheta, p->theta, 1, p->n * AN_NPROFILE, &p->now[n][c],
                                &p->slope[n][c], p->work);
            set_mean(p, n, c);
        }
}

/* The line below a place, and the part of the way to the next one. */
static int line_below(const struct an_profile *p, double at, double *part)
{
    int n = 0;
    while (n < p->n - 2 && at > p->at[n + 1])
        n++;
    *part = (at - p->at[n]) / (p->at[n + 1] - p->at[n]);
    *part = *part < 0 ? 0 : *part > 1 ? 1 : *part;
    return n;
}

void an_profile_mean_at(const struct an_profile *p, double at, double value[AN_NPROFILE])
{
    double part;
    const int n = line_below(p, at, &part);
    for (int c = 0; c < AN_NPROFILE; c++)
        value[c] = p->mean[n][c] + part * (p->mean[n + 1][c] - p->mean[n][c]);
}

void an_profile_at(const struct an_profile *p, double at, double theta, double value[AN_NPROFILE])
{
    double part;
    const int n = line_below(p, at, &part);
    const double pattern = an_profile_pattern(p);
    int a = 0;
    double h = 0, x = 0;
    if (pattern > 0) {
        theta -= pattern * floor((theta - p->theta[0]) / pattern);
        a = an_cubic_interval(p->ntheta, p->theta, theta);
        h = p->theta[a + 1] - p->theta[a];
        x = fmax(0, fmin((theta - p->theta[a]) / h, 1));
    }
    for (int c = 0; c < AN_NPROFILE; c++) {
        double v[2];
        for (int m = 0; m < 2; m++) {
            const int64_t i = (int64_t)a * p->n + n + m, j = i + p->n;
            v[m] = pattern > 0 ? an_cubic_at(h, x, p->now[i][c], p->now[j][c], p->slope[i][c],
                                             p->slope[j][c])
                               : p->now[i][c];
        }
        value[c] = v[0] + part * (v[1] - v[0]);
    }
}

void an_profile_direction(double swirl, double pitch, double y, double z, double d[3])
{
    const double degree = acos(-1.0) / 180, r = hypot(y, z), over = r > 0 ? 1 / r : 0;
    const double radial = cos(swirl * degree) * sin(pitch * degree), around = sin(swirl * degree);
    d[0] = cos(swirl * degree) * cos(pitch * degree);
    d[1] = (radial * y - around * z) * over;
    d[2] = (radial * z + around * y) * over;
}

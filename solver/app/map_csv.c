#include "solver/app/map_csv.h"

#include "io/atomic.h"
#include "solver/boundary/control.h"
#include "solver/march/settling.h"
#include "solver/monitor/performance.h"
#include "solver/monitor/stations.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const an_map_outcome_name[AN_MAP_NOUTCOME] = {
    "settled", "unsettled", "stalled", "swinging", "moving", "diverged", "unfinished"};

static const char head[] = "case_hash,point,setting,outcome,back_pressure_Pa,mass_in_kg_s,"
                           "mass_out_kg_s,imbalance,pressure_ratio,temperature_ratio,efficiency,"
                           "polytropic_efficiency,power_W,torque_euler_Nm,torque_walls_Nm,"
                           "iterations,seconds,iteration,snapshot,stations_pressure_ratio,"
                           "stations_temperature_ratio,stations_efficiency";
/* Columns behind these: figures of cascades, empty for rows around an axis. */
static const enum an_row_value cascade_column[] = {
    AN_ROW_ENTROPY,   AN_ROW_P0_IN,      AN_ROW_P0_OUT,      AN_ROW_P0_MIXED,
    AN_ROW_P_OUT,     AN_ROW_ALPHA_OUT,  AN_ROW_ALPHA_MIXED, AN_ROW_MACH_IS,
    AN_ROW_LOSS_MASS, AN_ROW_LOSS_MIXED, AN_ROW_FORCE_X,     AN_ROW_FORCE_T};
static const char moved_columns[] =
    ",mass_flow_moved,pressure_ratio_moved,efficiency_moved,residual_drop,state,period,"
    "mass_flow_mean_kg_s,mass_flow_amplitude_kg_s,pressure_ratio_mean,pressure_ratio_amplitude,"
    "efficiency_mean,efficiency_amplitude";
/* Columns that maps of older versions do not have. */
static const char added_columns[] = ",speed,choked_row";
enum { NCASCADE = sizeof cascade_column / sizeof *cascade_column, SNAPSHOT = 18 /* column */ };

/* The header of map.csv; of an older version without `added`. metal: 1 with the figures of solids. */
static const char *header_with(int metal, const char *added)
{
    static char text[2048];
    int n = snprintf(text, sizeof text, "%s", head);
    for (int v = 0; v < NCASCADE; v++)
        n += snprintf(text + n, sizeof text - (size_t)n, ",%s",
                      an_row_value_name(cascade_column[v]));
    n += snprintf(text + n, sizeof text - (size_t)n, "%s", moved_columns);
    for (int v = 0; v < AN_NSOLID_FIGURE && metal; v++)
        n += snprintf(text + n, sizeof text - (size_t)n, ",metal_%s", an_solid_figure_name(v));
    snprintf(text + n, sizeof text - (size_t)n, "%s\n", added);
    return text;
}

static const char *header(int metal)
{
    return header_with(metal, added_columns);
}

static const char *header_of(const struct an_map *m)
{
    return header(m->r->in.c.nsolid > 0);
}

/* Maps of cases with solids have had all columns from the first. */
static int is_old(const struct an_map *m, const char *line)
{
    return !m->r->in.c.nsolid && strcmp(line, header_with(0, "")) == 0;
}

const double *an_map_figures(const struct an_map *m)
{
    const struct an_performance *f = an_performance_of(m->r->solver);
    return f->of[f->nrow].value;
}

static void put_figure(FILE *f, const struct an_map_point *p, double value)
{
    if (p->outcome >= AN_MAP_DIVERGED || isnan(value))
        fputc(',', f);
    else
        fprintf(f, ",%.10g", value);
}

/* Of all solids together: the highest temperature, and the sum of the heats. */
static void put_solids(const struct an_map *m, const struct an_map_point *p, FILE *f)
{
    const struct an_history_line *line = &m->r->line;
    double all[AN_NSOLID_FIGURE] = {-INFINITY, 0};
    for (int n = 0; n < m->r->in.c.nsolid; n++) {
        all[AN_SOLID_T_MAX] =
            line->solid ? fmax(all[AN_SOLID_T_MAX], line->solid[n][AN_SOLID_T_MAX]) : NAN;
        all[AN_SOLID_GAS_HEAT] += line->solid ? line->solid[n][AN_SOLID_GAS_HEAT] : NAN;
    }
    for (int v = 0; v < AN_NSOLID_FIGURE && m->r->in.c.nsolid; v++)
        put_figure(f, p, all[v]);
}

/* The line of a point, appended to what is in f. */
static void put_line(const struct an_map *m, const struct an_map_point *p, int64_t iterations,
                     double seconds, FILE *f)
{
    static const enum an_row_value column[] = {
        AN_ROW_MASS_IN,      AN_ROW_MASS_OUT,    AN_ROW_IMBALANCE,  AN_ROW_P0_RATIO,
        AN_ROW_T0_RATIO,     AN_ROW_EFFICIENCY,  AN_ROW_POLYTROPIC, AN_ROW_POWER,
        AN_ROW_TORQUE_EULER, AN_ROW_TORQUE_WALLS};
    const int cascade = an_performance_of(m->r->solver)->gas.axes.cartesian;
    const double *value = an_map_figures(m);
    static const enum an_figure moving[] = {AN_FIGURE_MASS_FLOW, AN_FIGURE_PRESSURE_RATIO,
                                            AN_FIGURE_EFFICIENCY};
    double between[3];
    fprintf(f, "%016" PRIx64 ",%d,%.17g,%s,%.10g", m->r->in.c.hash, m->n, p->value,
            an_map_outcome_name[p->outcome], an_control_pressure(m->r->solver, m->boundary));
    for (size_t v = 0; v < sizeof column / sizeof *column; v++)
        put_figure(f, p, an_row_value_applies(column[v], cascade) ? value[column[v]] : NAN);
    fprintf(f, ",%" PRId64 ",%.3f,%" PRId64 ",%s", iterations, seconds, p->iteration, p->snapshot);
    an_stations_between(m->r->solver, between);
    for (int v = 0; v < 3; v++)
        put_figure(f, p, between[v]);
    for (int v = 0; v < NCASCADE; v++)
        put_figure(f, p, cascade ? value[cascade_column[v]] : NAN);
    const int window = an_settling_window(m->r->solver);
    for (int v = 0; v < 3; v++)
        put_figure(f, p, an_settling_moves(m->r->solver, moving[v], window));
    put_figure(f, p, m->r->line.residual_drop);
    fprintf(f, ",%s", m->r->state && p->outcome != AN_MAP_UNFINISHED ? m->r->state : "");
    const struct an_motion *motion = &m->r->motion;
    const int swings = m->r->settled < 0 && motion->swings != AN_SWINGS_NOT;
    put_figure(f, p, swings && motion->period > 0 ? motion->period : NAN);
    for (int v = 0; v < 3; v++) {
        put_figure(f, p, swings ? motion->mean[moving[v]] : NAN);
        put_figure(f, p, swings ? motion->amplitude[moving[v]] : NAN);
    }
    put_solids(m, p, f);
    fprintf(f, ",%.10g,%s\n", m->speed, p->choked ? p->choked : "");
}

/* All of map.csv, as far as it is known. */
static int write_all(const struct an_map *m)
{
    struct an_atomic a;
    AN_TRY(an_atomic_begin(m->csv, &a));
    fputs(header_of(m), a.f);
    for (int n = 0; n < m->nline; n++)
        fputs(m->line[n] ? m->line[n] : "", a.f);
    fputs(m->unfinished ? m->unfinished : "", a.f);
    return an_atomic_commit(&a);
}

/* The line of a point as text, which the caller frees. */
static int make_line(const struct an_map *m, const struct an_map_point *p, int64_t iterations,
                     double seconds, char **line)
{
    size_t size;
    FILE *text = open_memstream(line, &size);
    AN_CHECK(text, AN_FAIL, "out of memory for a map");
    put_line(m, p, iterations, seconds, text);
    AN_CHECK(fclose(text) == 0, AN_FAIL, "out of memory for a map");
    return AN_OK;
}

static void forget_unfinished(struct an_map *m)
{
    free(m->unfinished);
    m->unfinished = NULL;
}

int an_map_put_unfinished(struct an_map *m, const char *snapshot, int64_t iteration)
{
    struct an_map_point p = {
        .value = m->now.value, .outcome = AN_MAP_UNFINISHED, .iteration = iteration};
    snprintf(p.snapshot, sizeof p.snapshot, "%.255s", snapshot);
    forget_unfinished(m);
    AN_TRY(
        make_line(m, &p, iteration - m->now.first, MPI_Wtime() - m->now.started, &m->unfinished));
    return write_all(m);
}

int an_map_make_line(struct an_map *m, const struct an_map_point *p, int64_t iterations,
                     double seconds)
{
    return make_line(m, p, iterations, seconds, &m->line[m->n]);
}

void an_map_forget_snapshot(struct an_map *m, struct an_map_point *p)
{
    char *line = m->line[m->n - 1], *name = strstr(line, p->snapshot);
    if (name)
        memmove(name, name + strlen(p->snapshot), strlen(name + strlen(p->snapshot)) + 1);
    p->snapshot[0] = '\0';
}

int an_map_add_line(struct an_map *m)
{
    const char *line = m->line[m->nline++];
    const int unfinished = m->unfinished != NULL;
    forget_unfinished(m);
    if (unfinished ||
        access(m->csv, F_OK) != 0) /* the folder was removed during the run, and made again */
        return write_all(m);
    FILE *f = fopen(m->csv, "a");
    AN_CHECK(f, AN_FAIL, "%s cannot be written", m->csv);
    fputs(line, f);
    const int bad = fflush(f) || ferror(f);
    fclose(f);
    AN_CHECK(!bad, AN_FAIL, "%s cannot be written: is the disk full?", m->csv);
    return AN_OK;
}

/* Where field number n of a line of CSV without quotes begins; NULL: there are fewer. */
static const char *at_field(const char *line, int n)
{
    const char *at = line;
    for (; n > 0 && at; n--)
        at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL;
    return at;
}

/* That field as text. */
static const char *field(const char *line, int n, char *text, size_t size)
{
    const char *at = at_field(line, n);
    snprintf(text, size, "%.*s", at ? (int)strcspn(at, ",\n") : 0, at ? at : "");
    return text;
}

/* The last line is of a point that an earlier map left unfinished: this one continues it, if its snapshot is there. */
static void take_unfinished(struct an_map *m, const char *line, const struct an_map_point *p)
{
    char text[256], path[AN_PATH + sizeof p->snapshot];
    snprintf(path, sizeof path, "%s/%s", m->r->in.c.output.folder, p->snapshot);
    if (!*p->snapshot || access(path, R_OK) != 0)
        return;
    m->now.value = p->value;
    m->now.iteration = p->iteration;
    m->now.first = p->iteration - strtoll(field(line, 15, text, sizeof text), NULL, 10);
    m->now.started =
        -strtod(field(line, 16, text, sizeof text), NULL); /* before the clock is added */
    snprintf(m->now.snapshot, sizeof m->now.snapshot, "%s", p->snapshot);
    m->unfinished = strdup(line);
}

enum an_map_went an_map_went_of(enum an_map_outcome outcome)
{
    return outcome <= AN_MAP_UNSETTLED                              ? AN_MAP_KEPT
           : outcome == AN_MAP_SWINGING || outcome == AN_MAP_MOVING ? AN_MAP_RESTLESS
                                                                    : AN_MAP_FAILED;
}

/* The point of a line of map.csv; 0: the line is not of this case, or of no point. */
static int read_point(const struct an_map *m, const char *line, struct an_map_point *p)
{
    char text[256];
    *p = (struct an_map_point){.outcome = AN_MAP_NOUTCOME};
    p->value = strtod(field(line, 2, text, sizeof text), NULL);
    field(line, 3, text, sizeof text);
    for (int o = 0; o < AN_MAP_NOUTCOME; o++)
        p->outcome =
            strcmp(text, an_map_outcome_name[o]) == 0 ? (enum an_map_outcome)o : p->outcome;
    p->pressure = strtod(field(line, 4, text, sizeof text), NULL);
    p->flow = strtod(field(line, 5, text, sizeof text), NULL);
    p->iterations = strtoll(field(line, 15, text, sizeof text), NULL, 10);
    p->iteration = strtoll(field(line, 17, text, sizeof text), NULL, 10);
    field(line, SNAPSHOT, p->snapshot, sizeof p->snapshot);
    return strtoull(field(line, 0, text, sizeof text), NULL, 16) == m->r->in.c.hash &&
           p->outcome < AN_MAP_NOUTCOME;
}

void an_map_read_lines(struct an_map *m)
{
    char line[2048];
    FILE *f = fopen(m->csv, "r");
    const int there = f && fgets(line, sizeof line, f);
    int same = there && (strcmp(line, header_of(m)) == 0 || is_old(m, line));
    if (there && !same)
        printf("map         %s has the columns of another version: it is kept as map.csv.old, and "
               "the map "
               "begins anew\n",
               m->csv);
    struct an_map_steps steps = m->steps;
    while (same && m->n < AN_MAP_MOST && fgets(line, sizeof line, f) && strchr(line, '\n')) {
        struct an_map_point p;
        double want;
        same = read_point(m, line, &p) && an_map_next(&steps, &want) &&
               fabs(want - p.value) <= 1e-12 * fabs(want);
        if (!same)
            break;
        if (p.outcome == AN_MAP_UNFINISHED) {
            take_unfinished(m, line, &p);
            break;
        }
        an_map_note(&steps, p.value, an_map_went_of(p.outcome), p.iterations);
        m->point[m->n++] = p;
    }
    if (f)
        fclose(f);
    if (!same || (m->n > 0 && !steps.has_good)) {
        m->n = 0;
        m->now.snapshot[0] = '\0';
        forget_unfinished(m);
    }
}

int an_map_begin_csv(struct an_map *m)
{
    char line[2048], aside[AN_PATH + 24];
    snprintf(aside, sizeof aside, "%s.old", m->csv);
    if (m->n == 0 && !m->unfinished)
        rename(m->csv, aside); /* there may be none */
    FILE *from = fopen(m->csv, "r");
    int old = 0;
    for (int n = 0; from && n <= m->n && fgets(line, sizeof line, from); n++) {
        old = n == 0 ? is_old(m, line) : old;
        if (n > 0 && old) /* its line gets the columns that it lacks */
            snprintf(line + strcspn(line, "\n"), sizeof line - strcspn(line, "\n"), ",1,\n");
        if (n > 0)
            m->line[n - 1] = strdup(line);
    }
    m->nline = m->n;
    if (from)
        fclose(from);
    return write_all(m);
}

int an_map_folder(const char *folder, double speed, char path[AN_PATH])
{
    AN_CHECK(snprintf(path, AN_PATH, "%s/speed_%.6g", folder, speed) < AN_PATH, AN_INPUT,
             "output.folder '%.60s...' is too long", folder);
    return AN_OK;
}

int an_map_chain_folder(const char *folder, int chain, char path[AN_PATH])
{
    AN_CHECK(snprintf(path, AN_PATH, "%s/chain_%d", folder, chain) < AN_PATH, AN_INPUT,
             "output.folder '%.60s...' is too long", folder);
    return AN_OK;
}

/* Points of chains that become those of their line. */
struct chained {
    struct an_map_point last; /* that was kept */
    char choked[AN_NAME];     /* row that was named last */
    int n;                    /* lines */
    FILE *out;
};

/* A line of a chain as one of the map: the number of its point, the name of its snapshot within the folder of the line, and the
 * row that is choked by the point before, which is one of another chain for the first point of a chain. */
static void put_chained(struct chained *all, const struct an_map *m, const struct an_map_point *p,
                        int chain, int first, char *line)
{
    const char *two = at_field(line, 2), *name = at_field(line, SNAPSHOT);
    line[strcspn(line, "\n")] = '\0';
    const char *choked = strrchr(line, ',') + 1;
    if (*choked)
        snprintf(all->choked, sizeof all->choked, "%s", choked);
    else if (first && an_map_is_choked(all->last.flow, all->last.pressure, p->flow, p->pressure))
        choked = *all->choked           ? all->choked
                 : m->r->in.c.nrow == 1 ? m->r->in.c.row[0].name
                                        : "machine";
    else
        choked = "";
    fprintf(all->out, "%.*s,%d,%.*s", (int)strcspn(line, ","), line, all->n, (int)(name - two),
            two);
    if (*name != ',')
        fprintf(all->out, "chain_%d/", chain);
    fprintf(all->out, "%.*s%s\n", (int)(strrchr(name, ',') + 1 - name), name, choked);
    all->n++;
}

/* The lines of a chain. Returns whether those of the next one follow. */
static int take_chain(struct chained *all, const struct an_map *m, int chain)
{
    char folder[AN_PATH], csv[AN_PATH + 16], line[2048];
    if (an_map_chain_folder(m->r->in.c.output.folder, chain, folder) != AN_OK)
        return 0;
    snprintf(csv, sizeof csv, "%s/map.csv", folder);
    FILE *f = fopen(csv, "r");
    if (!f || !fgets(line, sizeof line, f) || strcmp(line, header_of(m)) != 0) {
        if (f)
            fclose(f);
        return !f; /* with more chains than points some are empty */
    }
    int goes_on = 1;
    for (int n = 0; goes_on && fgets(line, sizeof line, f) && strchr(line, '\n'); n++) {
        struct an_map_point p;
        const int known = read_point(m, line, &p) && p.outcome != AN_MAP_UNFINISHED;
        const int kept = known && p.outcome <= AN_MAP_UNSETTLED, first = n == 0 && all->n > 0;
        goes_on = kept && !(first && p.flow < 0.5 * all->last.flow);
        if (goes_on || (known && !first))
            put_chained(all, m, &p, chain, first, line);
        if (goes_on)
            all->last = p;
    }
    fclose(f);
    return goes_on;
}

int an_map_take_chains(struct an_map *m)
{
    char *text = NULL;
    size_t size = 0;
    struct chained all = {.out = open_memstream(&text, &size)};
    AN_CHECK(all.out, AN_FAIL, "out of memory for a map");
    for (int chain = 1; chain <= m->chains && take_chain(&all, m, chain); chain++)
        ;
    int status = fclose(all.out) == 0 ? AN_OK : an_error_set(AN_FAIL, "out of memory for a map");
    struct an_atomic a;
    if (status == AN_OK && all.n > m->n) {
        status = an_atomic_begin(m->csv, &a);
        if (status == AN_OK) {
            fputs(header_of(m), a.f);
            fputs(text, a.f);
            status = an_atomic_commit(&a);
        }
        m->n = 0;
        m->now.snapshot[0] = '\0';
        forget_unfinished(m);
        if (status == AN_OK)
            an_map_read_lines(m);
    }
    free(text);
    return status;
}

int an_map_join(const char *folder, int n, const double *speed, int metal)
{
    char line[2048], path[AN_PATH], csv[AN_PATH + 16];
    struct an_atomic a;
    snprintf(csv, sizeof csv, "%s/map.csv", folder);
    AN_TRY(an_atomic_begin(csv, &a));
    fputs(header(metal), a.f);
    for (int k = 0; k < n; k++) {
        if (an_map_folder(folder, speed[k], path) != AN_OK)
            continue;
        snprintf(csv, sizeof csv, "%s/map.csv", path);
        FILE *f = fopen(csv, "r");
        for (int l = 0; f && fgets(line, sizeof line, f); l++) {
            const char *at = at_field(line, SNAPSHOT);
            if (l == 0 || !at)
                continue;
            fprintf(a.f, "%.*s", (int)(at - line), line);
            if (*at != ',')
                fprintf(a.f, "speed_%.6g/", speed[k]);
            fputs(at, a.f);
        }
        if (f)
            fclose(f);
    }
    return an_atomic_commit(&a);
}

#include "io/history.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/atomic.h"
#include "io/csv_file.h"
#include "io/row_report.h"
#include "io/screen.h"

enum { HEADER_EVERY = 20, COLUMN = 64, WIDE = 106, WIDE_ROW = 124 };

struct an_history {
    FILE *csv, *screen; /* csv owned, screen borrowed or NULL */
    char path[1024];
    int unsteady, progress;
    int narrow;         /* the screen has no room for all columns, */
    int narrow_rows;    /* or for a row in one line */
    int printed;        /* table lines so far */
    int progress_shown; /* a progress line stands on the screen */
    int nrow, cascade, ncontrol, coefficients, volume, nsolid;
    char (*row)[COLUMN]; /* [nrow] owned */
    char *header;        /* of the CSV, owned */
};

static const char csv_header[] =
    "iteration,time_s,cfl,residual_density,residual_momentum_x,residual_momentum_y,"
    "residual_momentum_z,residual_energy,residual_turbulence,residual_drop,mass_in_kg_s,mass_out_"
    "kg_s,imbalance,"
    "pressure_ratio,temperature_ratio,efficiency,iterations_per_s,wall_force_x_N,wall_force_y_N,"
    "wall_force_z_N,wall_friction_x_N,wall_friction_y_N,wall_friction_z_N,wall_torque_Nm,"
    "wall_heat_W,wall_yplus_max,back_pressure_Pa";

const char *an_solid_figure_name(int figure)
{
    static const char *const name[] = {
        [AN_SOLID_T_MAX] = "T_max_K", [AN_SOLID_GAS_HEAT] = "gas_heat_W"};
    return name[figure];
}

/* A name in a column: letters that would end the column become '_'. */
static void column_name(const char *name, char column[COLUMN])
{
    snprintf(column, COLUMN, "%s", name);
    for (char *c = column; *c; c++)
        *c = *c == ',' || *c == '"' || *c == ' ' ? '_' : *c;
}

static int make_header(struct an_history *h, const struct an_history_columns *more)
{
    size_t size = 0;
    char name[COLUMN];
    h->nrow = more->nrow;
    h->cascade = more->cascade;
    h->ncontrol = more->ncontrol;
    h->coefficients = more->coefficients;
    h->volume = more->volume;
    h->nsolid = more->nsolid;
    h->row = calloc((size_t)h->nrow + 1, sizeof *h->row);
    FILE *f = h->row ? open_memstream(&h->header, &size) : NULL;
    AN_CHECK(f, AN_FAIL, "out of memory");
    fputs(csv_header, f);
    if (h->coefficients)
        an_coefficients_header(f);
    for (int n = 0; n < h->nrow; n++) {
        column_name(more->row[n], h->row[n]);
        for (int v = 0; v < AN_NROW_VALUE; v++)
            if (an_row_value_applies((enum an_row_value)v, h->cascade))
                fprintf(f, ",%s_%s", h->row[n], an_row_value_name((enum an_row_value)v));
    }
    for (int n = 0; n < h->ncontrol; n++) {
        column_name(more->control[n].boundary, name);
        fprintf(f, ",%s_%s_Pa", name, more->control[n].quantity);
    }
    if (h->volume)
        fputs(",kinetic_energy_J_m3,enstrophy_kg_m3_s2", f);
    for (int n = 0; n < h->nsolid; n++) {
        column_name(more->solid[n], name);
        for (int v = 0; v < AN_NSOLID_FIGURE; v++)
            fprintf(f, ",%s_%s", name, an_solid_figure_name(v));
    }
    fputc('\n', f);
    AN_CHECK(fclose(f) == 0 && h->header, AN_FAIL, "out of memory");
    return AN_OK;
}

static void release(struct an_history *h)
{
    free(h->row);
    free(h->header);
    free(h);
}

int an_history_new(const char *folder, int64_t start, int unsteady, int progress,
                   const struct an_history_columns *more, FILE *screen, struct an_history **history)
{
    const struct an_history_columns none = {.nrow = 0};
    *history = NULL;
    AN_TRY(an_folder_check(folder));
    struct an_history *h = calloc(1, sizeof *h);
    AN_CHECK(h, AN_FAIL, "out of memory");
    *h = (struct an_history){.screen = screen,
                             .unsteady = unsteady,
                             .progress = progress,
                             .narrow = an_screen_is_narrow(screen, WIDE),
                             .narrow_rows = an_screen_is_narrow(screen, WIDE_ROW)};
    int length = snprintf(h->path, sizeof h->path, "%s/history.csv", folder);
    int status = make_header(h, more ? more : &none);
    if (status == AN_OK && length >= (int)sizeof h->path)
        status = an_error_set(AN_INPUT, "output folder '%.60s...': the name is too long", folder);
    if (status == AN_OK)
        status = an_csv_open(h->path, h->header, start > 0 ? start : -1, &h->csv);
    if (status != AN_OK) {
        release(h);
        return status;
    }
    *history = h;
    return AN_OK;
}

/* 4:05, 1:02:03 or 3d04h: short at every length. */
static void duration(double seconds, char *text, size_t size)
{
    if (!isfinite(seconds) || seconds < 0 || seconds > 1e9) {
        snprintf(text, size, "-");
        return;
    }
    int64_t s = (int64_t)(seconds + 0.5), h = s / 3600;
    int minutes = (int)(s / 60 % 60);
    if (h >= 100)
        snprintf(text, size, "%" PRId64 "d%02dh", h / 24, (int)(h % 24));
    else if (h > 0)
        snprintf(text, size, "%" PRId64 ":%02d:%02d", h, minutes, (int)(s % 60));
    else
        snprintf(text, size, "%d:%02d", minutes, (int)(s % 60));
}

/* A rate keeps three digits whether an iteration takes a millisecond or an hour; before the first iteration there
 * is none. */
static void rate_cell(FILE *out, double rate)
{
    rate = rate > 0 ? rate : NAN;
    an_report_cell(out, 8, rate >= 100 ? "%.0f" : rate >= 1 ? "%.2f" : "%.2e", rate);
}

/* On a narrow screen without the columns that say less: the rest fits into 80. */
static void print_header(const struct an_history *h)
{
    if (h->unsteady)
        fprintf(h->screen, "\n%9s %11s %7s %9s", "iteration", "time", "CFL", "residual");
    else
        fprintf(h->screen, "\n%9s %7s %9s %9s", "iteration", "CFL", "residual", "drop");
    if (h->narrow)
        fprintf(h->screen, " %10s %9s %8s %8s\n", "mass in", "imbalance", "rate", "left");
    else
        fprintf(h->screen, " %10s %10s %9s %9s %7s %8s %8s\n", "mass in", "mass out", "imbalance",
                "p0 ratio", "eff.", "rate", "left");
    if (h->unsteady)
        fprintf(h->screen, "%9s %11s %7s %9s", "", "s", "", "density");
    else
        fprintf(h->screen, "%9s %7s %9s %9s", "", "", "density", "");
    if (h->narrow)
        fprintf(h->screen, " %10s %9s %8s %8s\n", "kg/s", "%", "1/s", "h:m:s");
    else
        fprintf(h->screen, " %10s %10s %9s %9s %7s %8s %8s\n", "kg/s", "kg/s", "%", "out/in", "%",
                "1/s", "h:m:s");
}

static void clear_progress(struct an_history *h)
{
    if (h->progress_shown)
        fprintf(h->screen, "\r%78s\r", "");
    h->progress_shown = 0;
}

static void print_line(struct an_history *h, const struct an_history_line *l)
{
    clear_progress(h);
    if (h->printed++ % HEADER_EVERY == 0)
        print_header(h);
    fprintf(h->screen, "%9" PRId64, l->iteration);
    if (h->unsteady)
        an_report_cell(h->screen, 11, "%.5e", l->time);
    an_report_cell(h->screen, 7, "%.4g", l->cfl);
    an_report_cell(h->screen, 9, "%.2e", l->residual[0]);
    if (!h->unsteady)
        an_report_cell(h->screen, 9, "%.2e", l->residual_drop);
    an_report_cell(h->screen, 10, "%.5g", l->mass_in);
    if (!h->narrow)
        an_report_cell(h->screen, 10, "%.5g", l->mass_out);
    an_report_cell(h->screen, 9, "%+.4f", 100 * l->imbalance);
    if (!h->narrow) {
        an_report_cell(h->screen, 9, "%.5f", l->pressure_ratio);
        an_report_cell(h->screen, 7, "%.2f", 100 * l->efficiency);
    }
    rate_cell(h->screen, l->rate);
    char left[32];
    duration(l->time_left, left, sizeof left);
    fprintf(h->screen, " %8s\n", left);
    for (int n = 0; l->row && n < h->nrow; n++) {
        const int same = n == 1 && an_rows_are_one(h->nrow, l->row[0]);
        if (!isnan(l->row[n][AN_ROW_P0_RATIO]) && !same)
            an_row_line_print(h->screen, h->row[n], h->cascade, h->narrow_rows, l->row[n]);
    }
    if (l->coefficients)
        an_coefficients_line(l->coefficients, h->screen);
    fflush(h->screen);
}

static void csv_value(FILE *f, double v)
{
    if (isnan(v))
        fputc(',', f);
    else
        fprintf(f, ",%.10g", v);
}

int an_history_add(struct an_history *h, const struct an_history_line *l)
{
    if (h->screen)
        print_line(h, l);
    fprintf(h->csv, "%" PRId64, l->iteration);
    csv_value(h->csv, l->time);
    csv_value(h->csv, l->cfl);
    for (int m = 0; m < 5; m++)
        csv_value(h->csv, l->residual[m]);
    const double rest[] = {l->residual_turbulence,
                           l->residual_drop,
                           l->mass_in,
                           l->mass_out,
                           l->imbalance,
                           l->pressure_ratio,
                           l->temperature_ratio,
                           l->efficiency,
                           l->rate,
                           l->wall_force[0],
                           l->wall_force[1],
                           l->wall_force[2],
                           l->wall_friction[0],
                           l->wall_friction[1],
                           l->wall_friction[2],
                           l->wall_torque,
                           l->wall_heat,
                           l->wall_yplus,
                           l->back_pressure};
    for (size_t m = 0; m < sizeof rest / sizeof *rest; m++)
        csv_value(h->csv, rest[m]);
    if (h->coefficients)
        an_coefficients_csv(l->coefficients, h->csv);
    for (int n = 0; n < h->nrow; n++)
        for (int v = 0; v < AN_NROW_VALUE; v++)
            if (an_row_value_applies((enum an_row_value)v, h->cascade))
                csv_value(h->csv, l->row ? l->row[n][v] : NAN);
    for (int n = 0; n < h->ncontrol; n++)
        csv_value(h->csv, l->control ? l->control[n] : NAN);
    for (int n = 0; h->volume && n < AN_NVOLUME; n++)
        csv_value(h->csv, l->volume ? l->volume[n] : NAN);
    for (int n = 0; n < h->nsolid; n++)
        for (int v = 0; v < AN_NSOLID_FIGURE; v++)
            csv_value(h->csv, l->solid ? l->solid[n][v] : NAN);
    fputc('\n', h->csv);
    AN_CHECK(fflush(h->csv) == 0 && !ferror(h->csv), AN_FAIL,
             "%s cannot be written: is the disk full?", h->path);
    return AN_OK;
}

void an_history_progress(struct an_history *h, int64_t iteration, int64_t last, double rate)
{
    if (!h->progress || !h->screen)
        return;
    char left[32], line[96];
    int64_t todo = last > iteration ? last - iteration : 0;
    duration(rate > 0 ? (double)todo / rate : NAN, left, sizeof left);
    int percent = last > 0 ? (int)(100 * (double)iteration / (double)last) : 100;
    snprintf(line, sizeof line, "  %" PRId64 " of %" PRId64 " (%d %%)  %.3g iterations/s  %s left",
             iteration, last, percent, rate, left);
    fprintf(h->screen, "\r%-78.78s", line);
    fflush(h->screen);
    h->progress_shown = 1;
}

void an_history_destroy(struct an_history *h)
{
    if (!h)
        return;
    if (h->screen)
        clear_progress(h);
    fclose(h->csv); /* every line was flushed when it was added */
    release(h);
}

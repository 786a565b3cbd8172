/* What is told of rows and walls: lines beneath the table, and the tables at the end of a run. */
#include "io/row_report.h"

#include "io/screen.h"

#include <math.h>
#include <string.h>

/* Names of columns, and where a figure has a meaning. */
enum { ROUND = 1, FLAT = 2, BOTH = 3 };
static const struct {
    const char *name;
    int where;
} row_values[AN_NROW_VALUE] = {[AN_ROW_MASS_IN] = {"mass_in_kg_s", BOTH},
                               [AN_ROW_MASS_OUT] = {"mass_out_kg_s", BOTH},
                               [AN_ROW_IMBALANCE] = {"imbalance", BOTH},
                               [AN_ROW_MASS_CORRECTED] = {"mass_corrected_kg_s", ROUND},
                               [AN_ROW_P0_RATIO] = {"pressure_ratio", BOTH},
                               [AN_ROW_T0_RATIO] = {"temperature_ratio", BOTH},
                               [AN_ROW_EFFICIENCY] = {"efficiency", ROUND},
                               [AN_ROW_POLYTROPIC] = {"polytropic_efficiency", ROUND},
                               [AN_ROW_POWER] = {"power_W", ROUND},
                               [AN_ROW_POWER_WALLS] = {"power_walls_W", ROUND},
                               [AN_ROW_TORQUE_EULER] = {"torque_euler_Nm", ROUND},
                               [AN_ROW_TORQUE_WALLS] = {"torque_walls_Nm", ROUND},
                               [AN_ROW_ALPHA_IN] = {"alpha_in_deg", BOTH},
                               [AN_ROW_ALPHA_OUT] = {"alpha_out_deg", BOTH},
                               [AN_ROW_BETA_IN] = {"beta_in_deg", ROUND},
                               [AN_ROW_BETA_OUT] = {"beta_out_deg", ROUND},
                               [AN_ROW_MACH_IN] = {"mach_in", BOTH},
                               [AN_ROW_MACH_OUT] = {"mach_out", BOTH},
                               [AN_ROW_LOSS] = {"loss", ROUND},
                               [AN_ROW_ENTROPY] = {"entropy_rise_J_kgK", BOTH},
                               [AN_ROW_REACTION] = {"reaction", ROUND},
                               [AN_ROW_COOLANT] = {"coolant_kg_s", BOTH},
                               [AN_ROW_BLEED] = {"bleed_kg_s", BOTH},
                               [AN_ROW_P0_IN] = {"p0_in_Pa", FLAT},
                               [AN_ROW_P0_OUT] = {"p0_out_Pa", FLAT},
                               [AN_ROW_P0_MIXED] = {"p0_out_mixed_out_Pa", FLAT},
                               [AN_ROW_P_OUT] = {"p_out_Pa", FLAT},
                               [AN_ROW_ALPHA_MIXED] = {"alpha_out_mixed_out_deg", FLAT},
                               [AN_ROW_MACH_IS] = {"mach_out_isentropic", FLAT},
                               [AN_ROW_LOSS_MASS] = {"loss_by_mass", FLAT},
                               [AN_ROW_LOSS_MIXED] = {"loss_mixed_out", FLAT},
                               [AN_ROW_FORCE_X] = {"force_axial_N_m", FLAT},
                               [AN_ROW_FORCE_T] = {"force_tangential_N_m", FLAT},
                               [AN_ROW_LOST_X] = {"momentum_axial_N_m", FLAT},
                               [AN_ROW_LOST_T] = {"momentum_tangential_N_m", FLAT}};

const char *an_row_value_name(enum an_row_value v)
{
    return row_values[v].name;
}

int an_row_value_applies(enum an_row_value v, int cascade)
{
    return (row_values[v].where & (cascade ? FLAT : ROUND)) != 0;
}

int an_rows_are_one(int n, const double *first)
{
    return n == 2 && !isnan(first[AN_ROW_MASS_IN]);
}

void an_report_cell(FILE *out, int width, const char *format, double value)
{
    char text[64];
    if (isnan(value))
        strcpy(text, "-");
    else
        snprintf(text, sizeof text, format, value);
    fprintf(out, " %*s", width, text);
}

#define NEXT_LINE "\n               " /* as far in as the name of a row reaches */

/* A cascade: losses and angle of the mixed-out flow. */
static void cascade_line(FILE *out, const char *name, int narrow, const double *v)
{
    fprintf(out, "  %-12.12s", name);
    an_report_cell(out, 8, "%.5g", v[AN_ROW_MASS_IN]);
    fputs(" kg/s, loss", out);
    an_report_cell(out, 7, "%.5f", v[AN_ROW_LOSS_MIXED]);
    fputs(" angle", out);
    an_report_cell(out, 7, "%.3f", v[AN_ROW_ALPHA_MIXED]);
    fputs(" deg, Mach is.", out);
    an_report_cell(out, 6, "%.4f", v[AN_ROW_MACH_IS]);
    fputs(narrow ? NEXT_LINE "force" : ", force", out);
    an_report_cell(out, 9, "%.5g", v[AN_ROW_FORCE_X]);
    an_report_cell(out, 9, "%.5g", v[AN_ROW_FORCE_T]);
    fputs(" N/m\n", out);
}

void an_row_line_print(FILE *out, const char *name, int cascade, int narrow, const double *v)
{
    if (cascade) {
        cascade_line(out, name, narrow, v);
        return;
    }
    const double turn = v[AN_ROW_TORQUE_EULER], gap = v[AN_ROW_TORQUE_WALLS] / turn - 1;
    /* before the flow through the row has come to balance its torques are of different flows */
    const int balanced = fabs(v[AN_ROW_IMBALANCE]) < 0.01 && fabs(gap) < 0.5;
    fprintf(out, "  %-12.12s", name);
    an_report_cell(out, 8, "%.4f", v[AN_ROW_MASS_IN]);
    fputs(" kg/s, p0", out);
    an_report_cell(out, 6, "%.4f", v[AN_ROW_P0_RATIO]);
    fputs(" T0", out);
    an_report_cell(out, 6, "%.4f", v[AN_ROW_T0_RATIO]);
    fputs(" eff.", out);
    an_report_cell(out, 5, "%.2f", 100 * v[AN_ROW_EFFICIENCY]);
    fputs(narrow ? " %" NEXT_LINE "power" : " %, power", out);
    an_report_cell(out, 9, "%.4g", v[AN_ROW_POWER]);
    fputs(" W, torque", out);
    an_report_cell(out, 9, "%.4g", turn);
    fputs(" N m, walls", out);
    an_report_cell(out, 6, "%+.2f", balanced ? 100 * gap : NAN);
    fputs(" %\n", out);
}

/* Columns of walls: what stands above them, and the value. */
struct wall_column {
    const char *name, *unit;
    int width;
};
enum { WALL_NAME = 16, WALL_WIDE = 132, NWALL = 10 };
static const struct wall_column wall_columns[NWALL] = {
    {"area", "m2", 10},      {"force x", "N", 11}, {"y", "N", 11}, {"z", "N", 11},
    {"friction x", "N", 11}, {"y", "N", 11},       {"z", "N", 11}, {"torque", "N m", 11},
    {"heat", "W", 11},       {"y+ max", "", 7}};

static void wall_cell(const struct an_wall_report *w, int column, FILE *out)
{
    static const char *const format[NWALL] = {"%.4g", "%.5g", "%.5g", "%.5g", "%.5g",
                                              "%.5g", "%.5g", "%.5g", "%.4g", "%.3g"};
    const double value[NWALL] = {w->area,        w->force[0],    w->force[1],    w->force[2],
                                 w->friction[0], w->friction[1], w->friction[2], w->torque,
                                 w->heat,        w->yplus};
    an_report_cell(out, wall_columns[column].width, format[column], value[column]);
}

static void wall_table(int n, const struct an_wall_report *wall, int ncolumn, const int *column,
                       FILE *out)
{
    fprintf(out, "\n%-*s", WALL_NAME, "wall");
    for (int c = 0; c < ncolumn; c++)
        fprintf(out, " %*s", wall_columns[column[c]].width, wall_columns[column[c]].name);
    fprintf(out, "\n%-*s", WALL_NAME, "");
    for (int c = 0; c < ncolumn; c++)
        fprintf(out, " %*s", wall_columns[column[c]].width, wall_columns[column[c]].unit);
    fputc('\n', out);
    for (int w = 0; w < n; w++) {
        fprintf(out, "%-*.32s", WALL_NAME, wall[w].name);
        for (int c = 0; c < ncolumn; c++)
            wall_cell(&wall[w], column[c], out);
        fputc('\n', out);
    }
}

void an_wall_report_print(int n, const struct an_wall_report *wall, FILE *out)
{
    static const int all[NWALL] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, first[] = {0, 1, 2, 3, 9},
                     second[] = {4, 5, 6, 7, 8};
    if (n > 0 && !an_screen_is_narrow(out, WALL_WIDE)) {
        wall_table(n, wall, NWALL, all, out);
    } else if (n > 0) { /* a table of 80 columns each */
        wall_table(n, wall, 5, first, out);
        wall_table(n, wall, 5, second, out);
    }
}

static void pair(FILE *out, const char *what, const char *unit, double a, double b)
{
    fprintf(out, "  %-24s", what);
    an_report_cell(out, 12, "%.6g", a);
    if (b == b)
        an_report_cell(out, 12, "%.6g", b);
    fprintf(out, "%s%s\n", *unit ? " " : "", unit);
}

/* Total pressures and temperatures at both planes, averaged in four ways. */
static void print_planes(const struct an_row_report *row, FILE *out)
{
    static const char *const kind[4] = {"by mass", "by entropy", "by area", "mixed out"};
    for (int k = 0; k < 4; k++) {
        fprintf(out, "  p0, T0 %-10s in", kind[k]);
        an_report_cell(out, 10, "%.1f", row->plane[0][k][0]);
        an_report_cell(out, 8, "%.3f", row->plane[0][k][1]);
        fputs("  out", out);
        an_report_cell(out, 10, "%.1f", row->plane[1][k][0]);
        an_report_cell(out, 8, "%.3f", row->plane[1][k][1]);
        fputs(" Pa, K\n", out);
    }
}

/* Lines of the table of a row: what a line has, and one or two figures. A figure of AN_NROW_VALUE:
 * none. */
struct line {
    const char *what, *unit;
    enum an_row_value a, b;
    double scale;
    enum { ALWAYS, IF_KNOWN, IF_POSITIVE } when; /* with regard to a, or also b */
};
#define NONE AN_NROW_VALUE
static const struct line
    cascade_lines[] = {{"mass flow in, out", "kg/s", AN_ROW_MASS_IN, AN_ROW_MASS_OUT, 1, ALWAYS},
                       {"ratio of p0, T0", "", AN_ROW_P0_RATIO, AN_ROW_T0_RATIO, 1, ALWAYS},
                       {"flow angle in, out", "deg", AN_ROW_ALPHA_IN, AN_ROW_ALPHA_OUT, 1, ALWAYS},
                       {"angle mixed out", "deg", AN_ROW_ALPHA_MIXED, NONE, 1, ALWAYS},
                       {"Mach number in, out", "", AN_ROW_MACH_IN, AN_ROW_MACH_OUT, 1, ALWAYS},
                       {"isentropic Mach out", "", AN_ROW_MACH_IS, NONE, 1, ALWAYS},
                       {"loss by mass, mixed out", "", AN_ROW_LOSS_MASS, AN_ROW_LOSS_MIXED, 1,
                        ALWAYS},
                       {"entropy rise", "J/(kg K)", AN_ROW_ENTROPY, NONE, 1, ALWAYS},
                       {"force on walls x, t", "N/m", AN_ROW_FORCE_X, AN_ROW_FORCE_T, 1, ALWAYS},
                       {"momentum lost x, t", "N/m", AN_ROW_LOST_X, AN_ROW_LOST_T, 1, ALWAYS}},
    row_lines[] = {
        {"mass flow in, out", "kg/s", AN_ROW_MASS_IN, AN_ROW_MASS_OUT, 1, ALWAYS},
        {"corrected mass flow", "kg/s", AN_ROW_MASS_CORRECTED, NONE, 1, ALWAYS},
        {"ratio of p0, T0", "", AN_ROW_P0_RATIO, AN_ROW_T0_RATIO, 1, ALWAYS},
        {"isentropic, polytropic", "%", AN_ROW_EFFICIENCY, AN_ROW_POLYTROPIC, 100, ALWAYS},
        {"power m dh0, of walls", "W", AN_ROW_POWER, AN_ROW_POWER_WALLS, 1, ALWAYS},
        {"torque Euler, walls", "N m", AN_ROW_TORQUE_EULER, AN_ROW_TORQUE_WALLS, 1, ALWAYS},
        {"absolute angle in, out", "deg", AN_ROW_ALPHA_IN, AN_ROW_ALPHA_OUT, 1, ALWAYS},
        {"relative angle in, out", "deg", AN_ROW_BETA_IN, AN_ROW_BETA_OUT, 1, ALWAYS},
        {"relative Mach in, out", "", AN_ROW_MACH_IN, AN_ROW_MACH_OUT, 1, ALWAYS},
        {"loss", "", AN_ROW_LOSS, NONE, 1, ALWAYS},
        {"entropy rise", "J/(kg K)", AN_ROW_ENTROPY, NONE, 1, ALWAYS},
        {"degree of reaction", "", AN_ROW_REACTION, NONE, 1, IF_KNOWN},
        {"coolant in, bleed out", "kg/s", AN_ROW_COOLANT, AN_ROW_BLEED, 1, IF_POSITIVE}};

static void print_lines(const struct line *line, size_t n, const double *v, FILE *out)
{
    for (const struct line *l = line; l < line + n; l++) {
        const double a = v[l->a], b = l->b == NONE ? NAN : v[l->b];
        if ((l->when == IF_KNOWN && isnan(a)) || (l->when == IF_POSITIVE && !(a > 0 || b > 0)))
            continue;
        pair(out, l->what, l->unit, l->scale * a, l->scale * b);
    }
}

void an_row_report_print(int n, const struct an_row_report *row, FILE *out)
{
    const int one = an_rows_are_one(n, n ? row[0].value : NULL);
    for (const struct an_row_report *r = row; r < row + n - one; r++) {
        if (r->cascade) {
            fprintf(out, "\n%s, a cascade as meshed (pitch %.6g m, span %.6g m)\n", r->name,
                    r->pitch, r->span);
            print_lines(cascade_lines, sizeof cascade_lines / sizeof *cascade_lines, r->value, out);
        } else {
            fprintf(out, "\n%s, full annulus (%.6g times the mesh)\n", r->name, r->sectors);
            print_lines(row_lines, sizeof row_lines / sizeof *row_lines, r->value, out);
        }
        print_planes(r, out);
    }
}

#include "io/coefficients.h"

#include "io/row_report.h"

#include <math.h>

static const char *const names[AN_NCOEFFICIENT] = {
    [AN_C_LIFT] = "lift",         [AN_C_DRAG] = "drag",         [AN_C_SIDE] = "side_force",
    [AN_C_MOMENT] = "moment",     [AN_C_MOMENT_X] = "moment_x", [AN_C_MOMENT_Y] = "moment_y",
    [AN_C_MOMENT_Z] = "moment_z",
};

const char *an_coefficient_name(enum an_coefficient c)
{
    return names[c];
}

void an_coefficients_header(FILE *csv)
{
    for (int c = 0; c < AN_NCOEFFICIENT; c++)
        fprintf(csv, ",%s,%s_pressure,%s_friction", names[c], names[c], names[c]);
}

void an_coefficients_csv(const an_coefficients *value, FILE *csv)
{
    for (int c = 0; c < AN_NCOEFFICIENT; c++)
        for (int part = 0; part < AN_NC_PART; part++)
            if (value && !isnan((*value)[c][part]))
                fprintf(csv, ",%.10g", (*value)[c][part]);
            else
                fputc(',', csv);
}

void an_coefficients_line(const an_coefficients *value, FILE *out)
{
    fprintf(out, "  %-12s lift", "coefficients");
    an_report_cell(out, 9, "%.6f", (*value)[AN_C_LIFT][AN_C_ALL]);
    fputs(", drag", out);
    an_report_cell(out, 9, "%.6f", (*value)[AN_C_DRAG][AN_C_ALL]);
    fputs(", moment", out);
    an_report_cell(out, 9, "%.6f", (*value)[AN_C_MOMENT][AN_C_ALL]);
    fputc('\n', out);
}

void an_reference_print(const struct an_reference_report *r, FILE *out)
{
    fprintf(out, "reference   Mach %.6g", r->mach);
    if (r->reynolds > 0)
        fprintf(out, ", Re %.6g over %.6g m", r->reynolds, r->length);
    fprintf(out, ", alpha %.6g, beta %.6g deg: p %.8g Pa, T %.6g K, rho %.6g kg/m3, %.6g m/s\n",
            r->alpha, r->beta, r->p, r->T, r->rho, r->speed);
    if (r->area > 0)
        fprintf(out,
                "            coefficients with q %.8g Pa, area %.6g m2, length %.6g m, moments "
                "about (%.6g, %.6g, %.6g) m\n",
                r->q, r->area, r->length, r->point[0], r->point[1], r->point[2]);
}

void an_coefficients_print(const an_coefficients *value, FILE *out)
{
    fprintf(out, "\n%-12s %12s %12s %12s\n", "coefficient", "all", "pressure", "friction");
    for (int c = 0; c < AN_NCOEFFICIENT; c++) {
        fprintf(out, "%-12s", names[c]);
        for (int part = 0; part < AN_NC_PART; part++)
            an_report_cell(out, 12, "%.7f", (*value)[c][part]);
        fputc('\n', out);
    }
}

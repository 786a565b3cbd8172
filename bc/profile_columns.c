/* Headings of profiles: names of columns with their units, and what separates them. */
#include "bc/profile_file.h"

#include "kernels/base/units.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Quantities that have a unit, and the unit in which they are kept. */
static const struct {
    const char *name;
    enum an_quantity quantity;
    const char *kept, *what;
    int to;
} quantities[] = {
    {"p0", AN_PRESSURE, "Pa", "pressure", AN_PROFILE_P0},
    {"T0", AN_TEMPERATURE, "K", "temperature", AN_PROFILE_T0},
    {"swirl", AN_ANGLE, "deg", "angle", AN_PROFILE_SWIRL},
    {"pitch", AN_ANGLE, "deg", "angle", AN_PROFILE_PITCH},
    {"radius", AN_LENGTH, "m", "length", AN_COLUMN_PLACE + AN_PLACE_SPAN},
    {"theta", AN_ANGLE, "deg", "angle", AN_COLUMN_PLACE + AN_PLACE_THETA},
    {"time", AN_TIME, "s", "time", AN_COLUMN_PLACE + AN_PLACE_TIME},
};

/* Names that stand for themselves. */
static const struct {
    const char *name;
    int to;
    double factor;
} whole[] = {
    {"span", AN_COLUMN_PLACE + AN_PLACE_SPAN, 1},
    {"span_percent", AN_COLUMN_PLACE + AN_PLACE_SPAN, 0.01},
    {"span_%", AN_COLUMN_PLACE + AN_PLACE_SPAN, 0.01},
    {"viscosity_ratio", AN_PROFILE_VISCOSITY, 1},
    {"k_J_kg", AN_PROFILE_K, 1},
    {"k_m2_s2", AN_PROFILE_K, 1},
    {"omega_1_s", AN_PROFILE_OMEGA, 1},
};

/* Columns of profile_NNNNNNNN.csv (solver/monitor/stations.h) that say what a profile needs. */
static const struct {
    const char *name;
    int to;
} written[] = {
    {"band", AN_COLUMN_BAND},        {"span", AN_COLUMN_PLACE + AN_PLACE_SPAN},
    {"p0_Pa", AN_PROFILE_P0},        {"T0_K", AN_PROFILE_T0},
    {"alpha_deg", AN_PROFILE_SWIRL}, {"pitch_deg", AN_PROFILE_PITCH},
};

/* Cuts "p0 [kPa]", "p0 (kPa)" and "p0_kPa" into quantity and unit; unit "": none. Both [64]. */
static void cut(const char *name, char *quantity, char *unit)
{
    snprintf(quantity, 64, "%s", name);
    *unit = '\0';
    const size_t n = strlen(quantity);
    char *open = strpbrk(quantity, "[(");
    if (open && n > 0 && (quantity[n - 1] == ']' || quantity[n - 1] == ')')) {
        quantity[n - 1] = '\0';
        snprintf(unit, 64, "%s", open + 1);
        while (open > quantity && (isspace((unsigned char)open[-1]) || open[-1] == '_'))
            open--;
        *open = '\0';
        return;
    }
    char *line = strchr(quantity, '_');
    if (line) {
        snprintf(unit, 64, "%s", line + 1);
        *line = '\0';
    }
}

int an_profile_column_read(const char *name, int from_run, struct an_profile_column_as *as)
{
    char quantity[64], unit[64], names[100];
    *as = (struct an_profile_column_as){.to = AN_COLUMN_IGNORED, .factor = 1};
    for (size_t n = 0; from_run && n < sizeof written / sizeof *written; n++)
        if (!strcmp(name, written[n].name))
            as->to = written[n].to;
    if (from_run)
        return AN_OK;
    cut(name, quantity, unit);
    for (size_t n = 0; n < sizeof whole / sizeof *whole; n++)
        if (!strcmp(name, whole[n].name) ||
            (!strcmp(whole[n].name, "span_%") && !strcmp(quantity, "span") && !strcmp(unit, "%"))) {
            as->to = whole[n].to;
            as->factor = whole[n].factor;
            return AN_OK;
        }
    for (size_t n = 0; n < sizeof quantities / sizeof *quantities; n++) {
        if (strcasecmp(quantity, quantities[n].name) != 0)
            continue;
        const struct an_unit *u = an_unit_find(quantities[n].quantity, unit);
        const struct an_unit *kept = an_unit_find(quantities[n].quantity, quantities[n].kept);
        an_unit_names(quantities[n].quantity, names);
        AN_CHECK(*unit, AN_INPUT, "column '%.60s' has no unit: write %s_%s, or another of %s", name,
                 quantities[n].name, quantities[n].kept, names);
        AN_CHECK(u, AN_INPUT, "column '%.60s': '%.40s' is no unit of a %s that is known: %s", name,
                 unit, quantities[n].what, names);
        as->to = quantities[n].to;
        as->factor = u->factor / kept->factor;
        as->offset = u->offset / kept->factor;
        return AN_OK;
    }
    return an_error_set(AN_INPUT,
                        "column '%.60s' is not known: a profile has span or radius_m, theta_deg, "
                        "time_s, and p0_Pa, T0_K, swirl_deg, pitch_deg, viscosity_ratio, k_J_kg, "
                        "omega_1_s; other units are named in the same way, as in p0_kPa",
                        name);
}

int an_profile_separator(const char *heading, char *separator)
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
    AN_CHECK(kinds <= 1, AN_INPUT,
             "the names are separated by '%s' and by '%s': one of ',', ';' and a tab separates all "
             "columns",
             count[0] ? "," : ";", count[2] ? "a tab" : ";");
    AN_CHECK(kinds == 1 || !blanks, AN_INPUT,
             "the columns are separated by blanks: separate them by ',', ';' or a tab");
    return AN_OK;
}

/* Headings of profiles: what the names of columns mean. */
#include "bc/profile_file.h"

#include <string.h>

enum { SPAN = AN_COLUMN_PLACE + AN_PLACE_SPAN };

static const struct an_table_column columns[] = {
    {"span", AN_NO_UNIT, NULL, NULL, SPAN, 1},
    {"span_percent", AN_NO_UNIT, NULL, NULL, SPAN, 0.01},
    {"span_%", AN_NO_UNIT, NULL, NULL, SPAN, 0.01},
    {"viscosity_ratio", AN_NO_UNIT, NULL, NULL, AN_PROFILE_VISCOSITY, 1},
    {"k_J_kg", AN_NO_UNIT, NULL, NULL, AN_PROFILE_K, 1},
    {"k_m2_s2", AN_NO_UNIT, NULL, NULL, AN_PROFILE_K, 1},
    {"omega_1_s", AN_NO_UNIT, NULL, NULL, AN_PROFILE_OMEGA, 1},
    {"p0", AN_PRESSURE, "Pa", "pressure", AN_PROFILE_P0, 1},
    {"pt", AN_PRESSURE, "Pa", "pressure", AN_PROFILE_P0, 1},
    {"T0", AN_TEMPERATURE, "K", "temperature", AN_PROFILE_T0, 1},
    {"Tt", AN_TEMPERATURE, "K", "temperature", AN_PROFILE_T0, 1},
    {"swirl", AN_ANGLE, "deg", "angle", AN_PROFILE_SWIRL, 1},
    {"alpha", AN_ANGLE, "deg", "angle", AN_PROFILE_SWIRL, 1},
    {"pitch", AN_ANGLE, "deg", "angle", AN_PROFILE_PITCH, 1},
    {"radius", AN_LENGTH, "m", "length", SPAN, 1},
    {"r", AN_LENGTH, "m", "length", SPAN, 1},
    {"theta", AN_ANGLE, "deg", "angle", AN_COLUMN_PLACE + AN_PLACE_THETA, 1},
    {"time", AN_TIME, "s", "time", AN_COLUMN_PLACE + AN_PLACE_TIME, 1},
};

/* Columns of profile_NNNNNNNN.csv (solver/monitor/stations.h) that say what a profile needs. */
static const struct {
    const char *name;
    int to;
} written[] = {
    {"band", AN_COLUMN_BAND},        {"span", SPAN},
    {"p0_Pa", AN_PROFILE_P0},        {"T0_K", AN_PROFILE_T0},
    {"alpha_deg", AN_PROFILE_SWIRL}, {"pitch_deg", AN_PROFILE_PITCH},
};

int an_profile_column_read(const char *name, int from_run, struct an_table_meaning *as)
{
    *as = (struct an_table_meaning){.to = AN_COLUMN_IGNORED, .factor = 1};
    for (size_t n = 0; from_run && n < sizeof written / sizeof *written; n++)
        if (!strcmp(name, written[n].name))
            as->to = written[n].to;
    if (from_run)
        return AN_OK;
    return an_table_column_find(
        name, columns, sizeof columns / sizeof *columns,
        "a profile has span or radius_m, theta_deg, time_s, and p0_Pa, T0_K, "
        "swirl_deg, pitch_deg, viscosity_ratio, k_J_kg, omega_1_s; other "
        "units are named in the same way, as in p0_kPa",
        as);
}

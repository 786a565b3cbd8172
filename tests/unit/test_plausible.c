/* The rules of plausibility: each refuses, warns and passes where it should, and says why. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "io/plausible.h"

/* The worst verdict of all rules on one fact; text[AN_PLAUSIBLE_TEXT] of that rule. */
static int judge(enum an_fact fact, double value, char *text)
{
    struct an_facts f;
    char one[AN_PLAUSIBLE_TEXT];
    int worst = AN_PLAUSIBLE, verdict;
    *text = '\0';
    an_facts_init(&f);
    an_facts_most(&f, fact, value, "boundaries.it.p");
    for (int n = 0; (verdict = an_plausible(n, &f, one)) >= 0; n++)
        if (verdict > worst) {
            worst = verdict;
            strcpy(text, one);
        }
    return worst;
}

/* A vane passage of 0.2 m and a rotor of 0.9 m radius, and both a thousand times too small and too large. */
static void wrong_units_of_length(void **unused)
{
    (void)unused;
    static const struct {
        enum an_fact fact;
        double right;
    } row[] = {{AN_FACT_LENGTH, 0.2}, {AN_FACT_RADIUS, 0.9}};
    char text[AN_PLAUSIBLE_TEXT];
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        assert_int_equal(judge(row[n].fact, row[n].right, text), AN_PLAUSIBLE);
        assert_int_equal(judge(row[n].fact, 1e3 * row[n].right, text), AN_DOUBTFUL);
        assert_non_null(strstr(text, "perhaps the mesh is in millimetres and its file does not"));
        assert_int_equal(judge(row[n].fact, 1e-3 * row[n].right, text), AN_DOUBTFUL);
        assert_non_null(strstr(text, "it is in metres and its file says millimetres"));
        assert_non_null(strstr(text, n ? "a radius of 0.0009 m" : "is 0.0002 m long"));
    }
}

static void each_rule(void **unused)
{
    (void)unused;
    static const struct {
        enum an_fact fact;
        double value;
        int verdict;
        const char *says;
    } row[] = {
        {AN_FACT_BACK_PRESSURE, 0.99, AN_PLAUSIBLE, ""},
        {AN_FACT_BACK_PRESSURE, 1, AN_REFUSED, "boundaries.it.p is 1 times the largest total"},
        {AN_FACT_BACK_PRESSURE, 1.5, AN_REFUSED, "plausible: below 1"},
        {AN_FACT_EXPANSION, 1e-5, AN_DOUBTFUL, "1 bar is 1e5"},
        {AN_FACT_EXPANSION, 0.5, AN_PLAUSIBLE, ""},
        {AN_FACT_ENCLOSED, 1, AN_DOUBTFUL, "no boundary lets gas in or out"},
        {AN_FACT_ENCLOSED, 0, AN_PLAUSIBLE, ""},
        {AN_FACT_COLDEST, 15, AN_DOUBTFUL, "is 15 K; plausible: 200 to 2500 K"},
        {AN_FACT_COLDEST, 288.15, AN_PLAUSIBLE, ""},
        {AN_FACT_HOTTEST, 5000, AN_DOUBTFUL, "is 5000 K"},
        {AN_FACT_PRESSURE, 1.6, AN_DOUBTFUL, "is 1.6 Pa"},
        {AN_FACT_OVERPRESSURE, 0.3, AN_PLAUSIBLE, ""},
        {AN_FACT_OVERPRESSURE, -0.1, AN_PLAUSIBLE, ""},
        {AN_FACT_OVERPRESSURE, 0.97, AN_DOUBTFUL, "0.97 times the rise of pressure"},
        {AN_FACT_OVERPRESSURE, 170, AN_REFUSED,
         "asks for 170 times the rise of pressure that the rows"},
        {AN_FACT_SCALE, 252, AN_DOUBTFUL, "is 252 K"},
        {AN_FACT_PRESSURE_MOST, 1.6e7, AN_PLAUSIBLE, ""},
        {AN_FACT_PRESSURE_MOST, 1e10, AN_DOUBTFUL, "is 1e+10 Pa"},
        {AN_FACT_LEVEL, 0.1, AN_PLAUSIBLE, ""},
        {AN_FACT_LEVEL, 0.0118, AN_DOUBTFUL, "is 0.0118 times the level of the other pressures"},
        {AN_FACT_INFLOW_ANGLE, 70, AN_PLAUSIBLE, ""},
        {AN_FACT_INFLOW_ANGLE, 85, AN_DOUBTFUL, "enters at 85 degrees"},
        {AN_FACT_INTENSITY, 0.1, AN_PLAUSIBLE, ""},
        {AN_FACT_INTENSITY, 0.5, AN_DOUBTFUL, "the turbulence intensity is 0.5"},
        {AN_FACT_EDDIES, 1e3, AN_PLAUSIBLE, ""},
        {AN_FACT_EDDIES, 1e6, AN_DOUBTFUL, "is 1e+06 times the viscosity"},
        {AN_FACT_EDDIES, 2e6, AN_REFUSED, "is 2e+06 times the viscosity"},
        {AN_FACT_INLET_FLOW, 0.3, AN_PLAUSIBLE, ""},
        {AN_FACT_INLET_FLOW, 0.015, AN_DOUBTFUL, "of the whole annulus"},
        {AN_FACT_INLET_CHOKED, 1.3, AN_DOUBTFUL, "is 1.3 times the mass flow at which"},
        {AN_FACT_SETTING_PRESSURE, 1e-5, AN_DOUBTFUL, "1 bar is 1e5"},
        {AN_FACT_SETTING_HIGH, 1, AN_PLAUSIBLE, ""},
        {AN_FACT_SETTING_HIGH, 1e3, AN_DOUBTFUL,
         "is 1000 times the pressure that could be reached"},
        {AN_FACT_SETTING_FLOW, 0.015, AN_DOUBTFUL, "of the whole annulus"},
        {AN_FACT_SETTING_CHOKED, 100, AN_DOUBTFUL, "is 100 times the mass flow at which"},
        {AN_FACT_SETTING_THROTTLE, 1, AN_PLAUSIBLE, ""},
        {AN_FACT_SETTING_THROTTLE_MOST, 1e5, AN_DOUBTFUL, "is a factor of 1e+05 on the throttle"},
        {AN_FACT_PASSING_STEPS, 20, AN_PLAUSIBLE, ""},
        {AN_FACT_PASSING_STEPS, 16, AN_DOUBTFUL, "a passing takes 16 time steps"},
        {AN_FACT_PASSING_STEPS, 2, AN_DOUBTFUL, "a passing takes 2 time steps"},
        {AN_FACT_PASSING_STEPS, 1.2, AN_REFUSED, "a passing takes 1.2 time steps"},
        {AN_FACT_SERIES_STEPS, 0.5, AN_REFUSED, "takes 0.5 time steps"},
        {AN_FACT_LEFT, 0, AN_DOUBTFUL, "0 iterations are left for it"},
        {AN_FACT_VISCOSITY, 1.05, AN_PLAUSIBLE, ""},
        {AN_FACT_VISCOSITY, 1.41, AN_DOUBTFUL, "gives 1.41 times the viscosity of gas.table"},
        {AN_FACT_AIR_VISCOSITY, 1.02, AN_PLAUSIBLE, ""},
        {AN_FACT_AIR_VISCOSITY, 1.6, AN_DOUBTFUL, "the gas constant is 1.6 times that of air"},
        {AN_FACT_CP_COLDEST, 1, AN_PLAUSIBLE, ""},
        {AN_FACT_CP_COLDEST, 0.6, AN_DOUBTFUL,
         "is 0.6 times the lowest temperature of gas.T_range"},
        {AN_FACT_CP_HOTTEST, 1.1, AN_DOUBTFUL, "is 1.1 times the highest temperature"},
        {AN_FACT_KEY_LENGTH, 0.2, AN_PLAUSIBLE, ""},
        {AN_FACT_KEY_LENGTH, 200, AN_DOUBTFUL, "is 200 times the length of the mesh"},
        {AN_FACT_ROUGHNESS, 20, AN_DOUBTFUL, "is 20 times the length of the mesh"},
        {AN_FACT_ROUGHNESS, 1e-3, AN_PLAUSIBLE, ""},
        {AN_FACT_COOLANT, 0.9, AN_PLAUSIBLE, ""},
        {AN_FACT_COOLANT, 1.1, AN_DOUBTFUL, "1.1 times the highest temperature of the gas"},
        {AN_FACT_COOLANT_COLD, 0.4, AN_PLAUSIBLE, ""},
        {AN_FACT_COOLANT_COLD, 0.1, AN_DOUBTFUL, "0.1 times the highest temperature of the gas"},
        {AN_FACT_WALL_OUTSIDE, 13, AN_DOUBTFUL, "13 % of the area of the wall lies outside"},
        {AN_FACT_WALL_OUTSIDE, 2, AN_PLAUSIBLE, ""},
        {AN_FACT_WALL_OUTSIDE, 100, AN_REFUSED, "100 % of the area of the wall lies outside"},
        {AN_FACT_WALL_BEYOND, 1.02, AN_PLAUSIBLE, ""},
        {AN_FACT_WALL_BEYOND, 1.2, AN_DOUBTFUL, "reach to 1.2 times the length of their side"},
        {AN_FACT_HOLE_SUPPLY, 1.05, AN_PLAUSIBLE, ""},
        {AN_FACT_HOLE_SUPPLY, 0.9, AN_DOUBTFUL, "0.9 times the pressure of the stream"},
        {AN_FACT_HOLE_CHOKED, 0.9, AN_PLAUSIBLE, ""},
        {AN_FACT_HOLE_CHOKED, 3, AN_DOUBTFUL, "would need 3 times the speed of sound"},
        {AN_FACT_HOLE_TURN, 90, AN_PLAUSIBLE, ""},
        {AN_FACT_HOLE_TURN, 170, AN_DOUBTFUL, "against the stream, at 170 degrees"},
        {AN_FACT_HOLE_CELLS, 3, AN_PLAUSIBLE, ""},
        {AN_FACT_HOLE_CELLS, 0.7, AN_DOUBTFUL, "has 0.7 cells of the wall across its diameter"},
        {AN_FACT_HOLE_LIFTS, 0.3, AN_PLAUSIBLE, ""},
        {AN_FACT_HOLE_LIFTS, 0.8, AN_DOUBTFUL, "the jet has 0.8 times the momentum flux"},
        {AN_FACT_CLEARANCE, 0.01, AN_PLAUSIBLE, ""},
        {AN_FACT_CLEARANCE, 5, AN_DOUBTFUL,
         "is 5 times the length of the mesh; plausible: below 0.02"},
        {AN_FACT_SEAL_RADIUS, 0.9, AN_PLAUSIBLE, ""},
        {AN_FACT_SEAL_RADIUS, 900, AN_DOUBTFUL, "is 900 times the largest radius of the mesh"},
        {AN_FACT_LENGTH, 150, AN_DOUBTFUL, "is 150 m long"},
        {AN_FACT_LENGTH, 52, AN_PLAUSIBLE, ""},
        {AN_FACT_RADIUS, 252, AN_DOUBTFUL, "at a radius of 252 m"},
        {AN_FACT_RADIUS, 0.25, AN_PLAUSIBLE, ""},
        {AN_FACT_TIP_SPEED, 455, AN_PLAUSIBLE, ""},
        {AN_FACT_TIP_SPEED, 2.6e5, AN_DOUBTFUL, "tip speed of 2.6e+05 m/s"},
        {AN_FACT_TIP_MACH, 1.5, AN_PLAUSIBLE, ""},
        {AN_FACT_TIP_MACH, 770, AN_REFUSED, "770 times the speed of sound"},
        {AN_FACT_STAGNATION, 1.01, AN_PLAUSIBLE, ""},
        {AN_FACT_STAGNATION, 1.07, AN_DOUBTFUL,
         "the pressure is 1.07 times the highest total pressure"},
        {AN_FACT_LEADING_CELL, 999, AN_PLAUSIBLE, ""},
        {AN_FACT_LEADING_CELL, 1e4, AN_DOUBTFUL,
         "begins with cells whose Reynolds number is 1e+04"},
        {AN_FACT_PATTERN, 1e-4, AN_PLAUSIBLE, ""},
        {AN_FACT_PATTERN, 0.09, AN_DOUBTFUL, "is 0.09 wave lengths away from a whole number"},
        {AN_FACT_LAG_MISSED, 0.01, AN_PLAUSIBLE, ""},
        {AN_FACT_LAG_MISSED, 0.1, AN_DOUBTFUL, "miss 0.1 of the energy"},
        {AN_FACT_LAMINAR_YPLUS, 2, AN_DOUBTFUL, "at y+ up to 2"},
        {AN_FACT_MASS_FLOW, 0, AN_DOUBTFUL, "hardly any gas flows"},
        {AN_FACT_MASS_FLOW, 0.4, AN_PLAUSIBLE, ""},
        {AN_FACT_MASS_FLOW, NAN, AN_PLAUSIBLE, ""},
    };
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        char text[AN_PLAUSIBLE_TEXT];
        const int verdict = judge(row[n].fact, row[n].value, text);
        if (verdict != row[n].verdict || !strstr(text, row[n].says) || (!*row[n].says && *text))
            fail_msg("row %zu: verdict %d, '%s'", n, verdict, text);
    }
}

static void least_and_most(void **unused)
{
    (void)unused;
    struct an_facts f;
    an_facts_init(&f);
    an_facts_least(&f, AN_FACT_COLDEST, 300, "a");
    an_facts_least(&f, AN_FACT_COLDEST, 290, "b");
    an_facts_least(&f, AN_FACT_COLDEST, 295, "c");
    an_facts_most(&f, AN_FACT_HOTTEST, 300, "a");
    an_facts_most(&f, AN_FACT_HOTTEST, 290, "b");
    assert_true(f.value[AN_FACT_COLDEST] == 290 && !strcmp(f.of[AN_FACT_COLDEST], "b"));
    assert_true(f.value[AN_FACT_HOTTEST] == 300 && !strcmp(f.of[AN_FACT_HOTTEST], "a"));
}

/* The unit in which a value would be as others of the case are; none where it is as they are, or where no unit fits. */
static void units_that_are_meant(void **unused)
{
    (void)unused;
    static const struct {
        double value, level;
        const char *says;
    } pressure[] = {{118, 1e5, ", perhaps 118 kPa are meant"},
                    {1.18, 1e5, ", perhaps 1.18 bar are meant"},
                    {1180, 1e5, ", perhaps 1180 mbar are meant"},
                    {17.1, 1e5, ", perhaps 17.1 psi are meant"},
                    {0.118, 1e5, ", perhaps 0.118 MPa are meant"},
                    {1.18e5, 1e5, ""},
                    {1e4, 1e5, ""},
                    {1e-4, 1e5, ""}},
      temperature[] = {{42, 315, ", perhaps 42 degrees Celsius are meant"},
                       {252, 525, ", perhaps 252 degrees Celsius are meant"},
                       {107, 315, ", perhaps 107 degrees Fahrenheit are meant"},
                       {518.67, 288, ", perhaps 518.67 degrees Rankine are meant"},
                       {600, 288, ""},
                       {300, 315, ""},
                       {200, 1700, ""}};
    char text[64];
    for (size_t n = 0; n < sizeof pressure / sizeof *pressure; n++)
        assert_string_equal(an_plausible_pressure(pressure[n].value, pressure[n].level, text),
                            pressure[n].says);
    for (size_t n = 0; n < sizeof temperature / sizeof *temperature; n++) {
        const double off =
            an_plausible_temperature(temperature[n].value, temperature[n].level, text);
        assert_string_equal(text, temperature[n].says);
        assert_int_equal(isinf(off), *text == '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_units_of_length), cmocka_unit_test(each_rule),
        cmocka_unit_test(units_that_are_meant), cmocka_unit_test(least_and_most)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

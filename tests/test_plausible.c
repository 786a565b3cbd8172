/* The rules of plausibility: each refuses, warns and passes where it should, and says why. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "io/plausible.h"

/* The worst verdict of all rules on one fact; text[512] of that rule. */
static int judge(enum an_fact fact, double value, char *text)
{
    struct an_facts f;
    char one[512];
    int worst = AN_PLAUSIBLE, verdict;
    *text = '\0';
    an_facts_init(&f);
    an_facts_most(&f, fact, value, "boundaries.it.p");
    for (int n = 0; (verdict = an_plausible(n, &f, one, sizeof one)) >= 0; n++)
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
    char text[512];
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
        {AN_FACT_ROUGHNESS, 20, AN_DOUBTFUL, "is 20 times the length of the mesh"},
        {AN_FACT_ROUGHNESS, 1e-3, AN_PLAUSIBLE, ""},
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
        char text[512];
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_units_of_length),
                                       cmocka_unit_test(each_rule),
                                       cmocka_unit_test(least_and_most)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The table of units: sizes, names in any case, words for messages. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/base/units.h"

static void converts(void **unused)
{
    (void)unused;
    static const struct {
        enum an_quantity quantity;
        const char *name;
        double value, si;
    } row[] = {{AN_LENGTH, "mm", 25.4, 0.0254},
               {AN_LENGTH, "IN", 1, 0.0254},
               {AN_LENGTH, "ft", 1, 0.3048},
               {AN_PRESSURE, "kPa", 101.325, 101325},
               {AN_PRESSURE, "psi", 14.695949, 101325},
               {AN_PRESSURE, "Mpa", 0.101325, 101325},
               {AN_TEMPERATURE, "degC", 15, 288.15},
               {AN_TEMPERATURE, "F", 59, 288.15},
               {AN_TEMPERATURE, "R", 518.67, 288.15},
               {AN_ANGLE, "deg", 180, 3.14159265358979323846},
               {AN_LENGTH, "Millimeters", 25.4, 0.0254},
               {AN_LENGTH, " inches ", 1, 0.0254},
               {AN_LENGTH, "\u00b5m", 25400, 0.0254},
               {AN_LENGTH, "\xb5m", 25400, 0.0254},
               {AN_LENGTH, "\u03bcm", 25400, 0.0254},
               {AN_PRESSURE, "BarA", 1.01325, 101325},
               {AN_TEMPERATURE, "\u00b0C", 15, 288.15},
               {AN_TEMPERATURE, "\u00ba C", 15, 288.15},
               {AN_TEMPERATURE,
                "\xb0"
                "C",
                15, 288.15},
               {AN_TEMPERATURE, "deg_C", 15, 288.15},
               {AN_TEMPERATURE, "degrees Celsius", 15, 288.15},
               {AN_ANGLE, "\u00b0", 180, 3.14159265358979323846},
               {AN_ANGLE, "Degrees", 180, 3.14159265358979323846},
               {AN_TIME, "ms", 20, 0.02},
               {AN_SPEED_OF_ROTATION, "rpm", 60, 2 * 3.14159265358979323846}};
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        const struct an_unit *u = an_unit_find(row[n].quantity, row[n].name);
        if (!u || fabs((u->factor * row[n].value + u->offset) / row[n].si - 1) > 1e-7)
            fail_msg("%s", row[n].name);
    }
    assert_null(an_unit_find(AN_LENGTH, "kPa"));
    static const char *const none[] = {
        "",
        " ",
        "_",
        "psig",
        "barg",
        "pas",
        "a",
        "Pascals per",
        "\xc2",
        "\xce",
        "a name that is longer than the text in which it is looked for"};
    for (size_t n = 0; n < sizeof none / sizeof *none; n++)
        assert_null(an_unit_find(AN_PRESSURE, none[n]));
}

static void tells_names(void **unused)
{
    (void)unused;
    char text[100];
    assert_string_equal(an_unit_names(AN_ANGLE, text), "rad, deg");
    assert_true(strlen(an_unit_names(AN_PRESSURE, text)) < sizeof text);
    assert_string_equal(an_unit_of_cgns(AN_LENGTH, "Foot")->word, "feet");
    assert_null(an_unit_of_cgns(AN_LENGTH, "Degree"));
    for (int q = 0; q < AN_NO_UNIT; q++) { /* the first row of a quantity is its SI unit */
        int n = 0;
        while ((int)an_unit_row(n)->quantity != q)
            n++;
        assert_true(an_unit_row(n)->factor == 1 && an_unit_row(n)->offset == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(converts), cmocka_unit_test(tells_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

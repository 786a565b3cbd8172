#include "kernels/base/units.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct an_unit units[] = {
    {AN_LENGTH, "m", "metres", "Meter", 1, 0},
    {AN_LENGTH, "cm", "centimetres", "Centimeter", 1e-2, 0},
    {AN_LENGTH, "mm", "millimetres", "Millimeter", 1e-3, 0},
    {AN_LENGTH, "um", "micrometres", NULL, 1e-6, 0},
    {AN_LENGTH, "in", "inches", "Inch", 0.0254, 0},
    {AN_LENGTH, "inch", "inches", NULL, 0.0254, 0},
    {AN_LENGTH, "ft", "feet", "Foot", 0.3048, 0},
    {AN_ANGLE, "rad", "radians", "Radian", 1, 0},
    {AN_ANGLE, "deg", "degrees", "Degree", AN_DEGREE, 0},
    {AN_PRESSURE, "Pa", "Pa", NULL, 1, 0},
    {AN_PRESSURE, "mbar", "mbar", NULL, 1e2, 0},
    {AN_PRESSURE, "hPa", "hPa", NULL, 1e2, 0},
    {AN_PRESSURE, "kPa", "kPa", NULL, 1e3, 0},
    {AN_PRESSURE, "psi", "psi", NULL, 6894.757293168361, 0},
    {AN_PRESSURE, "bar", "bar", NULL, 1e5, 0},
    {AN_PRESSURE, "MPa", "MPa", NULL, 1e6, 0},
    {AN_TEMPERATURE, "K", "K", "Kelvin", 1, 0},
    {AN_TEMPERATURE, "C", "degrees Celsius", "Celsius", 1, 273.15},
    {AN_TEMPERATURE, "degC", "degrees Celsius", NULL, 1, 273.15},
    {AN_TEMPERATURE, "F", "degrees Fahrenheit", "Fahrenheit", 1 / 1.8, 459.67 / 1.8},
    {AN_TEMPERATURE, "degF", "degrees Fahrenheit", NULL, 1 / 1.8, 459.67 / 1.8},
    {AN_TEMPERATURE, "R", "degrees Rankine", "Rankine", 1 / 1.8, 0},
    {AN_TIME, "s", "s", "Second", 1, 0},
    {AN_TIME, "ms", "ms", NULL, 1e-3, 0},
    {AN_TIME, "us", "us", NULL, 1e-6, 0},
    {AN_SPEED_OF_ROTATION, "rad_s", "rad/s", NULL, 1, 0},
    {AN_SPEED_OF_ROTATION, "deg_s", "degrees/s", NULL, AN_DEGREE, 0},
    {AN_SPEED_OF_ROTATION, "rpm", "rpm", NULL, AN_RPM, 0},
};
enum { UNITS = sizeof units / sizeof *units };

const struct an_unit *an_unit_row(int n)
{
    return n >= 0 && n < UNITS ? &units[n] : NULL;
}

/* Other spellings, in lower case and without blanks and lines; the sign of degrees is `deg` by then, that of micro `u`. */
static const struct {
    enum an_quantity quantity;
    const char *name, *spellings;
} others[] = {
    {AN_LENGTH, "m", " metre meter metres meters "},
    {AN_LENGTH, "cm", " centimetre centimeter centimetres centimeters "},
    {AN_LENGTH, "mm", " millimetre millimeter millimetres millimeters "},
    {AN_LENGTH, "um", " micrometre micrometer micrometres micrometers micron microns "},
    {AN_LENGTH, "in", " inches "},
    {AN_LENGTH, "ft", " foot feet "},
    {AN_ANGLE, "rad", " radian radians "},
    {AN_ANGLE, "deg", " degree degrees "},
    {AN_PRESSURE, "Pa", " pascal n/m2 nm2 "},
    {AN_PRESSURE, "mbar", " millibar "},
    {AN_PRESSURE, "psi", " psia "},
    {AN_PRESSURE, "bar", " bara "},
    {AN_TEMPERATURE, "K", " kelvin degk "},
    {AN_TEMPERATURE, "C", " celsius degcelsius degreescelsius "},
    {AN_TEMPERATURE, "F", " fahrenheit degfahrenheit degreesfahrenheit "},
    {AN_TEMPERATURE, "R", " rankine degr "},
    {AN_TIME, "s", " sec second seconds "},
    {AN_TIME, "ms", " millisecond milliseconds "},
    {AN_SPEED_OF_ROTATION, "rad_s", " rad/s "},
    {AN_SPEED_OF_ROTATION, "deg_s", " deg/s degrees/s "},
    {AN_SPEED_OF_ROTATION, "rpm", " 1/min r/min rev/min u/min "},
};

/* The name in lower case between two blanks, without blanks and lines in it. text[40]. */
static void plain(const char *name, char *text)
{
    size_t n = 0;
    text[n++] = ' ';
    for (const unsigned char *c = (const unsigned char *)name; *c && n < 34; c++) {
        /* in UTF-8 or Latin 1: the sign of degrees, that of an ordinal in its place, the two signs of micro */
        const int two = c[0] == 0xc2 || c[0] == 0xce, sign = two ? c[1] : c[0];
        if (sign == 0xb0 || sign == 0xba)
            n += (size_t)snprintf(text + n, 4, "deg");
        else if (sign == 0xb5 || (c[0] == 0xce && sign == 0xbc))
            text[n++] = 'u';
        else if (*c != ' ' && *c != '\t' && *c != '_')
            text[n++] = (char)tolower(*c);
        c += two && c[1];
    }
    snprintf(text + n, 2, " ");
}

const struct an_unit *an_unit_find(enum an_quantity quantity, const char *name)
{
    char text[40], own[40];
    plain(name, text);
    for (int n = 0; n < UNITS; n++) {
        plain(units[n].name, own);
        if (units[n].quantity == quantity && strcmp(own, text) == 0)
            return &units[n];
    }
    for (size_t n = 0; strlen(text) > 2 && n < sizeof others / sizeof *others; n++)
        if (others[n].quantity == quantity && strstr(others[n].spellings, text))
            return an_unit_find(quantity, others[n].name);
    return NULL;
}

const struct an_unit *an_unit_of_cgns(enum an_quantity quantity, const char *name)
{
    for (int n = 0; n < UNITS; n++)
        if (units[n].quantity == quantity && units[n].cgns && strcmp(units[n].cgns, name) == 0)
            return &units[n];
    return NULL;
}

const char *an_unit_names(enum an_quantity quantity, char *text)
{
    size_t length = 0;
    *text = '\0';
    for (int n = 0; n < UNITS; n++)
        if (units[n].quantity == quantity)
            length += (size_t)snprintf(text + length, 100 - length, "%s%s", length ? ", " : "",
                                       units[n].name);
    return text;
}

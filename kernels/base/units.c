#include "kernels/base/units.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

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

const struct an_unit *an_unit_find(enum an_quantity quantity, const char *name)
{
    for (int n = 0; n < UNITS; n++)
        if (units[n].quantity == quantity && strcasecmp(units[n].name, name) == 0)
            return &units[n];
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

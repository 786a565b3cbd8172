/* Units that people and files give: the one table of their names and sizes.
 *
 *     value in SI units = factor value + offset
 *
 * SI: m, rad, Pa, K, s, rad/s. Readers of case files, CGNS files, tables of blades and profiles convert by this
 * table when they read, so that no number of another unit gets further; messages take the names from here.
 */
#ifndef AN_KERNELS_BASE_UNITS_H
#define AN_KERNELS_BASE_UNITS_H

enum an_quantity {
    AN_LENGTH,
    AN_ANGLE,
    AN_PRESSURE,
    AN_TEMPERATURE,
    AN_TIME,
    AN_SPEED_OF_ROTATION,
    AN_NO_UNIT
};

struct an_unit {
    enum an_quantity quantity;
    const char *name; /* as keys and headings of tables have it: "kPa" */
    const char *word; /* for sentences: "millimetres" */
    const char *cgns; /* of DimensionalUnits_t; NULL: the standard does not have the unit */
    double factor, offset;
};

/* rad/s of one revolution per minute, rad of one degree. */
#define AN_RPM    (3.14159265358979323846 / 30)
#define AN_DEGREE (3.14159265358979323846 / 180)

/* Row n of the table; NULL past the last one. The first row of a quantity is its SI unit. */
const struct an_unit *an_unit_row(int n);
/* The unit of that name, in upper or lower case, with or without blanks, or of another usual spelling ("inches", "°C", "degrees",
 * "bara"); NULL: the quantity has none of that name. Gauge pressures are none. */
const struct an_unit *an_unit_find(enum an_quantity quantity, const char *name);
/* The unit with that name of the CGNS standard; NULL: none. */
const struct an_unit *an_unit_of_cgns(enum an_quantity quantity, const char *name);
/* The names of all units of a quantity, for messages: "m, cm, mm". text[100]; returns text. */
const char *an_unit_names(enum an_quantity quantity, char *text);

#endif

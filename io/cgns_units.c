#include "io/cgns_units.h"

#include "kernels/base/units.h"

#include <cgnslib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 1, ANGLE = 4, UNITS = 5, WORD = 32 }; /* places in DimensionalUnits */

/* The node of that label at the array or the nearest node above it. */
static const struct an_cgns_node *nearest(const struct an_cgns_node *n, const char *label)
{
    const struct an_cgns_node *found = NULL;
    for (; n && !found; n = n->parent)
        found = an_cgns_child(n, label, NULL);
    return found;
}

/* One of the five names of units: "" where the file has none. AN_INPUT where they are no five names. The standard gives each name 32
 * characters; Cassiopee gives each as many as the longest has. */
static int unit_name(const struct an_cgns_node *units, int place, char name[WORD + 1])
{
    *name = '\0';
    if (!units)
        return AN_OK;
    const long long width = units->count / UNITS;
    AN_CHECK(units->data && !strcmp(units->type, "C1") && width >= 1 && width <= WORD &&
                 units->count == UNITS * width,
             AN_INPUT, "%s has %lld characters instead of %d", units->name, (long long)units->count,
             UNITS * WORD);
    int n = 0;
    for (const char *c = (const char *)units->data + place * width; n < width && c[n]; n++)
        name[n] = c[n];
    while (n > 0 && name[n - 1] == ' ')
        n--;
    name[n] = '\0';
    if (!strcmp(name, "Null"))
        *name = '\0';
    return AN_OK;
}

static int read_unit(const struct an_cgns_node *array, int angle, struct an_cgns_scale *s)
{
    char name[WORD + 1];
    AN_TRY(unit_name(nearest(array, "DimensionalUnits_t"), angle ? ANGLE : LENGTH, name));
    *s = (struct an_cgns_scale){.unit = 1, .given = *name != '\0'};
    if (!s->given)
        return AN_OK;
    const struct an_unit *unit = an_unit_of_cgns(angle ? AN_ANGLE : AN_LENGTH, name);
    AN_CHECK(unit, AN_INPUT, "%s has the unit '%s', which is no unit of %s of CGNS", array->name,
             name, angle ? "angles" : "lengths");
    s->unit = unit->factor;
    return AN_OK;
}

/* Exponents of kg, m, s, K and of the angle: are they those of the quantity? Rates and angles may leave the angle's out.
 */
static int check_exponents(const struct an_cgns_node *array, enum an_cgns_quantity q)
{
    static const double want[][UNITS] = {[AN_CGNS_LENGTH] = {0, 1},
                                         [AN_CGNS_ANGLE] = {0, 0, 0, 0, 1},
                                         [AN_CGNS_RATE] = {0, 0, -1, 0, 1}};
    static const char *const name[] = {"length", "angle", "speed of rotation"};
    const struct an_cgns_node *n = an_cgns_child(array, "DimensionalExponents_t", NULL);
    double e[UNITS];
    if (!n)
        return AN_OK;
    AN_CHECK(an_cgns_reals(n, UNITS, e), AN_INPUT, "%s has no five DimensionalExponents",
             array->name);
    int same = 1;
    for (int d = 0; d < UNITS; d++)
        same &= e[d] == want[q][d] || (d == ANGLE && e[d] == 0);
    AN_CHECK(same, AN_INPUT,
             "%s has the DimensionalExponents [%g, %g, %g, %g, %g], which are not "
             "those of a %s",
             array->name, e[0], e[1], e[2], e[3], e[4], name[q]);
    return AN_OK;
}

static int convert(const struct an_cgns_node *array, struct an_cgns_scale *s)
{
    double c[2];
    AN_CHECK(an_cgns_reals(an_cgns_child(array, "DataConversion_t", NULL), 2, c), AN_INPUT,
             "%s is of the class NormalizedByDimensional, but has no DataConversion of a scale "
             "and an offset",
             array->name);
    AN_CHECK(isfinite(c[0]) && isfinite(c[1]) && c[0] != 0, AN_INPUT,
             "%s has the DataConversion [%g, %g]: its scale must be finite and not zero",
             array->name, c[0], c[1]);
    s->factor = s->unit * c[0];
    s->offset = s->unit * c[1];
    return AN_OK;
}

int an_cgns_scale(const struct an_cgns_node *array, enum an_cgns_quantity quantity,
                  struct an_cgns_scale *s)
{
    const struct an_cgns_node *n = nearest(array, "DataClass_t");
    const int class =
        n ? an_cgns_word(n, DataClassName, NofValidDataClass) : CGNS_ENUMV(DataClassNull);
    const int is_angle = quantity != AN_CGNS_LENGTH;
    char text[WORD + 1];
    AN_TRY(check_exponents(array, quantity));
    AN_TRY(read_unit(array, is_angle, s));
    s->factor = s->unit;
    s->offset = 0;
    if (class == CGNS_ENUMV(DataClassNull) || class == CGNS_ENUMV(Dimensional))
        return AN_OK;
    if (class == CGNS_ENUMV(NormalizedByDimensional))
        return convert(array, s);
    if (quantity == AN_CGNS_ANGLE && (class == CGNS_ENUMV(NondimensionalParameter) ||
                                      class == CGNS_ENUMV(DimensionlessConstant))) {
        *s = (struct an_cgns_scale){.unit = 1, .given = 1, .factor = 1};
        return AN_OK;
    }
    an_cgns_text(n, text, sizeof text);
    return an_error_set(AN_INPUT,
                        "%s is of the class '%s', which has no size in %s: write it as "
                        "Dimensional, with its unit",
                        array->name, text, is_angle ? "radians" : "metres");
}

int an_cgns_values(const struct an_cgns_node *array, enum an_cgns_quantity quantity, int n,
                   double *value, struct an_cgns_scale *s)
{
    AN_CHECK(array->count == n, AN_INPUT, "%s has %lld numbers instead of %d", array->name,
             (long long)array->count, n);
    AN_CHECK(an_cgns_reals(array, n, value), AN_INPUT, "%s is of type %s, but must be R4 or R8",
             array->name, array->type);
    AN_TRY(an_cgns_scale(array, quantity, s));
    for (int d = 0; d < n; d++) {
        value[d] = s->factor * value[d] + s->offset;
        AN_CHECK(isfinite(value[d]), AN_INPUT, "%s is not finite", array->name);
    }
    return AN_OK;
}

/* Values of a CGNS file in SI units: the one place that knows classes, exponents and conversions; sizes of units are
 * those of kernels/base/units.h.
 *
 * By the standard (SIDS, chapter 5) the class and the units of an array are those of its own nodes DataClass_t and
 * DimensionalUnits_t, or else of the nearest node above it that has them:
 *
 *   Dimensional                      value = stored, in these units
 *   NormalizedByDimensional          value = stored ConversionScale + ConversionOffset, in these units
 *   NormalizedByUnknownDimensional,  have no size in metres and are refused; angles may be of the
 *   NondimensionalParameter,         last two classes, which means radians
 *   DimensionlessConstant
 *
 * Without a class the values are Dimensional, and without units in m, rad, rad/s. DimensionalExponents of another
 * quantity are refused, and so are units without a name in the standard.
 */
#ifndef AN_IO_CGNS_UNITS_H
#define AN_IO_CGNS_UNITS_H

#include "io/cgns_tree.h"

enum an_cgns_quantity { AN_CGNS_LENGTH, AN_CGNS_ANGLE, AN_CGNS_RATE }; /* m, rad, rad/s */

struct an_cgns_scale {
    double unit;           /* of the file, in SI units */
    int given;             /* does the file name it? */
    double factor, offset; /* value in SI units = factor stored + offset */
};

/* How to convert an array. AN_INPUT, in a sentence that names the array, where it cannot be converted. */
int an_cgns_scale(const struct an_cgns_node *array, enum an_cgns_quantity quantity,
                  struct an_cgns_scale *s);

/* n values of an array in SI units, and how they were converted; AN_INPUT also where it has not n. */
int an_cgns_values(const struct an_cgns_node *array, enum an_cgns_quantity quantity, int n,
                   double *value, struct an_cgns_scale *s);

#endif

/* One mesh in the many forms that CGNS files have: versions, bases, units and classes, doubles and floats, padded names,
 * lists of points. Each is read as what it is, or refused in a sentence that names what it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cgns_io.h>

#include "io/mesh.h"
#include "tests/support/mesh_writer.h"

static char path[64];
static int adf;

static int make_path(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "test_mesh_forms_%d.cgns", (int)getpid());
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

/* ---- changes of nodes ---- */

static int file;
static double root;

static void write_mesh(const struct meshw_spec *spec)
{
    struct meshw_spec s = *spec;
    s.adf = adf;
    if (meshw_write(path, &s) != AN_OK)
        fail_msg("%s", an_error_text());
    assert_int_equal(cgio_open_file(path, CGIO_MODE_MODIFY, CGIO_FILE_NONE, &file), 0);
    assert_int_equal(cgio_get_root_id(file, &root), 0);
}

static double at(const char *node)
{
    double id = root;
    if (*node && cgio_get_node_id(file, root, node, &id))
        fail_msg("there is no node %s", node);
    return id;
}

/* A node below `parent`, in place of one of that name. */
static void put(const char *parent, const char *name, const char *label, const char *type, int ndim,
                const cgsize_t *dim, const void *data)
{
    const double above = at(parent);
    double id;
    char of[64] = "",
         kind[8] = ""; /* the library reads 33 and 3 characters, whatever their length */
    snprintf(of, sizeof of, "%s", label);
    snprintf(kind, sizeof kind, "%s", type);
    if (!cgio_get_node_id(file, above, name, &id))
        assert_int_equal(cgio_delete_node(file, above, id), 0);
    assert_int_equal(cgio_new_node(file, above, name, of, kind, ndim, dim, data, &id), 0);
}

static void put_text(const char *parent, const char *name, const char *label, const char *text)
{
    const cgsize_t length = (cgsize_t)strlen(text);
    put(parent, name, label, "C1", 1, &length, text);
}

static void put_reals(const char *parent, const char *name, const char *label, int n,
                      const double *value)
{
    const cgsize_t length = n;
    put(parent, name, label, "R8", 1, &length, value);
}

static void put_floats(const char *parent, const char *name, const char *label, int n,
                       const double *value)
{
    const cgsize_t length = n;
    float f[8];
    for (int v = 0; v < n; v++)
        f[v] = (float)value[v];
    put(parent, name, label, "R4", 1, &length, f);
}

static void put_units(const char *parent, const char *length, const char *angle, char pad)
{
    const char *const word[5] = {"Kilogram", length, "Second", "Kelvin", angle};
    const cgsize_t dim[2] = {32, 5};
    char text[5 * 32];
    memset(text, pad, sizeof text);
    for (int w = 0; w < 5; w++)
        memcpy(text + 32 * w, word[w], strlen(word[w]));
    put(parent, "DimensionalUnits", "DimensionalUnits_t", "C1", 2, dim, text);
}

static void put_class(const char *parent, const char *class)
{
    put_text(parent, "DataClass", "DataClass_t", class);
}

/* ---- what is read ---- */

static struct an_mesh mesh;

/* Opens the changed file: status, and a message that contains the fragment; NULL: no message at all. */
static void open_it(int status, const char *fragment)
{
    struct an_diag diag;
    assert_int_equal(cgio_close_file(file), 0);
    an_diag_init(&diag);
    const int got = an_mesh_open(path, &mesh, &diag);
    int found = fragment ? *fragment == '\0' : diag.nline == 0;
    for (int n = 0; n < diag.nline; n++)
        found |= fragment && strstr(diag.line[n], fragment) != NULL;
    if (!found || got != status) {
        for (int n = 0; n < diag.nline; n++)
            print_message("%s\n", diag.line[n]);
        fail_msg("status %d, wanted %d with: %s", got, status, fragment ? fragment : "no message");
    }
    an_diag_free(&diag);
}

static void expect(int status, const char *fragment)
{
    open_it(status, fragment);
    an_mesh_close(&mesh);
}

/* The last node of a zone, which is (1, 1, 1) in the file of the box. */
static void last_node(int zone, double x[3])
{
    int lo[3], hi[3];
    for (int d = 0; d < 3; d++) {
        lo[d] = mesh.topology.block[zone].n[d];
        hi[d] = lo[d] + 1;
    }
    assert_int_equal(an_mesh_read_nodes(&mesh, zone, lo, hi, x), AN_OK);
}

static void expect_last(int zone, double x, double y, double z)
{
    const double want[3] = {x, y, z};
    double have[3];
    last_node(zone, have);
    for (int d = 0; d < 3; d++)
        if (fabs(have[d] - want[d]) > 1e-14)
            fail_msg("coordinate %d is %.17g, wanted %.17g", d, have[d], want[d]);
}

/* ---- versions and bases ---- */

static const struct meshw_spec box = {.cells = {4, 3, 2}}, two = {.zones = {2, 1, 1}};

static void test_versions(void **state)
{
    (void)state;
    static const struct {
        double version;
        int status;
        const char *fragment;
    } wanted[] = {{2.54, AN_OK, NULL},
                  {3.11, AN_OK, NULL},
                  {4.0, AN_OK, NULL},
                  {4.5, AN_OK, NULL},
                  {5.0, AN_INPUT, "was written by a newer CGNS library, of version 5.00"},
                  {1.2, AN_INPUT, "was written by CGNS 1.20, which keeps its nodes in other"}};
    uint64_t hash = 0;
    for (size_t n = 0; n < sizeof wanted / sizeof *wanted; n++) {
        write_mesh(&two);
        put_floats("", "CGNSLibraryVersion", "CGNSLibraryVersion_t", 1, &wanted[n].version);
        open_it(wanted[n].status, wanted[n].fragment);
        if (wanted[n].status == AN_OK) {
            assert_true(n == 0 || mesh.hash == hash);
            hash = mesh.hash;
            expect_last(1, 1, 1, 1);
        }
        an_mesh_close(&mesh);
    }
}

/* What version 4 brought is refused by its name. */
static void test_new_nodes(void **state)
{
    (void)state;
    const cgsize_t size = 3;
    const int particles[3] = {10, 0, 0};
    write_mesh(&box);
    put("Base", "droplets", "ParticleZone_t", "I4", 1, &size, particles);
    expect(AN_INPUT, "'droplets' is a node ParticleZone_t of CGNS 4, which cannot be used");
    struct meshw_spec s = box;
    s.side[0].bc.family = "inlet";
    write_mesh(&s);
    put("Base/inlet", "cubic", "ElementInterpolation_t", "MT", 0, NULL, NULL);
    expect(AN_INPUT, "'cubic' is a node ElementInterpolation_t of CGNS 4");
    write_mesh(&box);
    put_text("Base/zone_000/ZoneBC", "imin", "BC_t", "BCPorous");
    const cgsize_t dim[2] = {3, 2};
    const int range[6] = {1, 1, 1, 1, 4, 3};
    put("Base/zone_000/ZoneBC/imin", "PointRange", "IndexRange_t", "I4", 2, dim, range);
    expect(AN_OK, "'imin': warning: the type 'BCPorous' of the condition is not known");
}

/* A base beside "Base", of cells of that many dimensions, with a zone of that type unless type is NULL. */
static void put_base(const char *name, int cells, const char *type)
{
    const int dim[2] = {cells, 3}, size[9] = {2, 2, 2, 1, 1, 1, 0, 0, 0},
              flat[6] = {2, 2, 1, 1, 0, 0}, free[3] = {8, 1, 0};
    const cgsize_t two_numbers = 2, shape[2] = {type && *type == 'U' ? 1 : cells, 3};
    char parent[64];
    put("", name, "CGNSBase_t", "I4", 1, &two_numbers, dim);
    if (!type)
        return;
    put(name, "zone", "Zone_t", "I4", 2, shape, *type == 'U' ? free : cells == 3 ? size : flat);
    snprintf(parent, sizeof parent, "%s/zone", name);
    put_text(parent, "ZoneType", "ZoneType_t", type);
}

static void test_bases(void **state)
{
    (void)state;
    static const struct {
        const char *name, *type;
        int cells, status;
        const char *fragment;
    } wanted[] = {
        {"A", NULL, 3, AN_OK, "left out: the bases 'A', which hold no mesh"},
        {"Second", NULL, 3, AN_OK, "left out: the bases 'Second'"},
        {"A", "Unstructured", 3, AN_OK, "left out: the bases 'A'"},
        {"Surfaces", "Structured", 2, AN_OK, "left out: the bases 'Surfaces'"},
        {"Solid", "Structured", 3, AN_OK, NULL}, /* the metal's */
        {"Second", "Structured", 3, AN_INPUT,
         "has 2 bases with structured zones, 'Base', 'Second': name the one that is meant"}};
    for (size_t n = 0; n < sizeof wanted / sizeof *wanted; n++) {
        write_mesh(&two);
        put_base(wanted[n].name, wanted[n].cells, wanted[n].type);
        open_it(wanted[n].status, wanted[n].fragment);
        if (wanted[n].status == AN_OK) {
            assert_string_equal(mesh.base_name, "Base");
            assert_int_equal(mesh.topology.nblock, 2);
            expect_last(1, 1, 1, 1);
        }
        an_mesh_close(&mesh);
    }
    static const struct {
        const char *name;
        int status;
    } asked[] = {{"Base", AN_OK}, {"Second", AN_INPUT}, {"Third", AN_INPUT}};
    for (size_t n = 0; n < sizeof asked / sizeof *asked; n++) {
        struct an_diag diag;
        an_diag_init(&diag);
        assert_int_equal(an_mesh_open_base(path, asked[n].name, &mesh, &diag), asked[n].status);
        if (n < 2) /* the zone of the second base has no coordinates */
            assert_string_equal(mesh.base_name, asked[n].name);
        else
            assert_non_null(strstr(diag.line[0], "has no base 'Third', but 'Base', 'Second'"));
        an_diag_free(&diag);
        an_mesh_close(&mesh);
    }
}

/* ---- lengths ---- */

static const char grid[] = "Base/zone_000/GridCoordinates";

/* Something below each of the three arrays of the zone. */
static void below_arrays(void (*each)(const char *array, const void *what), const void *what)
{
    for (char axis = 'X'; axis <= 'Z'; axis++) {
        char array[96];
        snprintf(array, sizeof array, "%s/Coordinate%c", grid, axis);
        each(array, what);
    }
}

static void conversion(const char *array, const void *what)
{
    put_reals(array, "DataConversion", "DataConversion_t", 2, what);
}

static void exponents(const char *array, const void *what)
{
    put_floats(array, "DimensionalExponents", "DimensionalExponents_t", 5, what);
}

enum length_form {
    AT_BASE,
    ZEROS,
    AT_ZONE_OVER_BASE,
    AT_GRID,
    AT_ONE_ARRAY,
    CONVERTED,
    CONVERTED_OFFSET,
    CONVERTED_CLASS_AT_BASE,
    PADDED_CLASS,
    NULL_UNIT,
    EXPONENTS,
    NO_CONVERSION,
    ZERO_CONVERSION,
    UNKNOWN_SIZE,
    NO_SIZE,
    NO_CLASS,
    NO_UNIT,
    NARROW_UNITS,
    SHORT_UNITS,
    WRONG_EXPONENTS,
    LENGTH_FORMS
};

static void make_length(enum length_form form)
{
    static const double cm[2] = {0.01, 0}, moved[2] = {2, 100}, zero[2] = {0, 0};
    static const double length[5] = {0, 1, 0, 0, 0}, area[5] = {0, 2, 0, 0, 0};
    switch (form) {
    case AT_BASE:
        put_units("Base", "Millimeter", "Radian", ' ');
        break;
    case ZEROS:
        put_units("Base", "Millimeter", "Radian", '\0');
        break;
    case AT_ZONE_OVER_BASE:
        put_units("Base", "Millimeter", "Radian", ' ');
        put_units("Base/zone_000", "Inch", "Radian", ' ');
        break;
    case AT_GRID:
        put_units(grid, "Foot", "Radian", ' ');
        break;
    case AT_ONE_ARRAY:
        put_units("Base/zone_000/GridCoordinates/CoordinateY", "Centimeter", "Null", ' ');
        break;
    case CONVERTED:
        put_class(grid, "NormalizedByDimensional");
        below_arrays(conversion, cm);
        break;
    case CONVERTED_OFFSET:
    case CONVERTED_CLASS_AT_BASE:
        put_class(form == CONVERTED_OFFSET ? grid : "Base", "NormalizedByDimensional");
        put_units("Base", "Millimeter", "Radian", ' ');
        below_arrays(conversion, moved);
        break;
    case PADDED_CLASS:
        put_class("Base", "Dimensional                     ");
        put_units("Base", "Centimeter", "Radian", ' ');
        below_arrays(conversion, moved); /* says nothing of this class */
        break;
    case NULL_UNIT:
        put_units("Base", "Null", "Null", ' ');
        break;
    case EXPONENTS:
        put_units("Base", "Centimeter", "Radian", ' ');
        below_arrays(exponents, length);
        break;
    case NO_CONVERSION:
        put_class("Base", "NormalizedByDimensional");
        break;
    case ZERO_CONVERSION:
        put_class("Base", "NormalizedByDimensional");
        below_arrays(conversion, zero);
        break;
    case UNKNOWN_SIZE:
        put_class("Base", "NormalizedByUnknownDimensional");
        break;
    case NO_SIZE:
        put_class(grid, "NondimensionalParameter");
        break;
    case NO_CLASS:
        put_class(grid, "Dimensionful");
        break;
    case NO_UNIT:
        put_units("Base", "Furlong", "Radian", ' ');
        break;
    case NARROW_UNITS: /* as Cassiopee writes them */
        put_text("Base", "DimensionalUnits", "DimensionalUnits_t",
                 "Gram      CentimeterSecond    Kelvin    Radian    ");
        break;
    case SHORT_UNITS:
        put_text("Base", "DimensionalUnits", "DimensionalUnits_t", "Kilogram Meter Second");
        break;
    default:
        below_arrays(exponents, area);
        break;
    }
}

static void test_lengths(void **state)
{
    (void)state;
    static const struct {
        double x[3];
        const char *fragment;
    } wanted[LENGTH_FORMS] = {
        [AT_BASE] = {{1e-3, 1e-3, 1e-3}, NULL},
        [ZEROS] = {{1e-3, 1e-3, 1e-3}, NULL},
        [AT_ZONE_OVER_BASE] = {{0.0254, 0.0254, 0.0254}, NULL},
        [AT_GRID] = {{0.3048, 0.3048, 0.3048}, NULL},
        [AT_ONE_ARRAY] = {{1, 0.01, 1}, NULL},
        [CONVERTED] = {{0.01, 0.01, 0.01}, NULL},
        [CONVERTED_OFFSET] = {{0.102, 0.102, 0.102}, NULL},
        [CONVERTED_CLASS_AT_BASE] = {{0.102, 0.102, 0.102}, NULL},
        [PADDED_CLASS] = {{0.01, 0.01, 0.01}, NULL},
        [NULL_UNIT] = {{1, 1, 1}, NULL},
        [EXPONENTS] = {{0.01, 0.01, 0.01}, NULL},
        [NO_CONVERSION] = {{0}, "CoordinateX is of the class NormalizedByDimensional, but has no"},
        [ZERO_CONVERSION] = {{0}, "CoordinateX has the DataConversion [0, 0]: its scale must be"},
        [UNKNOWN_SIZE] = {{0}, "of the class 'NormalizedByUnknownDimensional', which has no size"},
        [NO_SIZE] = {{0}, "of the class 'NondimensionalParameter', which has no size in metres"},
        [NO_CLASS] = {{0}, "of the class 'Dimensionful', which has no size in metres"},
        [NO_UNIT] = {{0}, "the unit 'Furlong', which is no unit of lengths of CGNS"},
        [NARROW_UNITS] = {{0.01, 0.01, 0.01}, NULL},
        [SHORT_UNITS] = {{0}, "DimensionalUnits has 21 characters instead of 160"},
        [WRONG_EXPONENTS] = {{0}, "[0, 2, 0, 0, 0], which are not those of a length"},
    };
    for (int form = 0; form < LENGTH_FORMS; form++) {
        const double *x = wanted[form].x;
        write_mesh(&box);
        make_length((enum length_form)form);
        open_it(wanted[form].fragment ? AN_INPUT : AN_OK, wanted[form].fragment);
        if (!wanted[form].fragment)
            expect_last(0, x[0], x[1], x[2]);
        an_mesh_close(&mesh);
    }
}

/* Zones of one mesh may have units of their own: their nodes meet in metres. */
static void test_units_of_zones(void **state)
{
    (void)state;
    const cgsize_t lo[3] = {1, 1, 1}, hi[3] = {5, 5, 5};
    static double x[125];
    int fn, coordinate;
    write_mesh(&two);
    put_units("Base", "Meter", "Radian", ' ');
    put_units("Base/zone_001", "Millimeter", "Radian", ' ');
    assert_int_equal(cgio_close_file(file), 0);
    assert_int_equal(cg_open(path, CG_MODE_MODIFY, &fn), CG_OK);
    for (char axis = 'X'; axis <= 'Z'; axis++) {
        const char name[] = {'C', 'o', 'o', 'r', 'd', 'i', 'n', 'a', 't', 'e', axis, '\0'};
        assert_int_equal(cg_coord_read(fn, 1, 2, name, CGNS_ENUMV(RealDouble), lo, hi, x), CG_OK);
        for (int n = 0; n < 125; n++)
            x[n] *= 1000;
        assert_int_equal(cg_coord_write(fn, 1, 2, CGNS_ENUMV(RealDouble), name, x, &coordinate),
                         CG_OK);
    }
    assert_int_equal(cg_close(fn), CG_OK);
    assert_int_equal(cgio_open_file(path, CGIO_MODE_MODIFY, CGIO_FILE_NONE, &file), 0);
    open_it(AN_OK, NULL);
    expect_last(0, 0.5, 1, 1);
    expect_last(1, 1, 1, 1);
    an_mesh_close(&mesh);
}

/* ---- speeds of rotation ---- */

static void put_rate(const char *parent, double rate, int is_double)
{
    const double vector[3] = {rate, 0, 0}, centre[3] = {0, 0, 0};
    char node[96];
    put(parent, "RotatingCoordinates", "RotatingCoordinates_t", "MT", 0, NULL, NULL);
    snprintf(node, sizeof node, "%s/RotatingCoordinates", parent);
    (is_double ? put_reals : put_floats)(node, "RotationRateVector", "DataArray_t", 3, vector);
    (is_double ? put_reals : put_floats)(node, "RotationCenter", "DataArray_t", 3, centre);
}

static void test_rates(void **state)
{
    (void)state;
    static const char zone[] = "Base/zone_000", node[] = "Base/zone_000/RotatingCoordinates",
                      array[] = "Base/zone_000/RotatingCoordinates/RotationRateVector";
    static const double rpm[2] = {6, 0}, speed[5] = {0, 0, -1, 0, 1}, angle[5] = {0, 0, 0, 0, 1};
    const double want = 1000 * acos(-1.) / 30; /* 1000 rpm are 6000 degrees/s */
    static const struct {
        double rate;
        const char *at, *fragment;
        int form;
    } wanted[] = {{6000, "Base", NULL, 0},
                  {6000, zone, NULL, 0},
                  {6000, node, NULL, 0},
                  {6000, array, NULL, 0},
                  {1000, node, NULL, 1},
                  {6000, node, NULL, 2},
                  {6000, node, "[0, 0, 0, 0, 1], which are not those of a speed of rotation", 3},
                  {6000, node, "'NondimensionalParameter', which has no size in radians", 4}};
    for (size_t n = 0; n < 2 * sizeof wanted / sizeof *wanted; n++) {
        const size_t w = n / 2;
        write_mesh(&box);
        put_rate(zone, wanted[w].rate, n % 2 != 0);
        put_units(wanted[w].at, "Meter", "Degree", n % 2 ? ' ' : '\0');
        if (wanted[w].form == 1) {
            put_class(array, "NormalizedByDimensional");
            put_reals(array, "DataConversion", "DataConversion_t", 2, rpm);
        } else if (wanted[w].form == 2) {
            exponents(array, speed);
        } else if (wanted[w].form == 3) {
            exponents(array, angle);
        } else if (wanted[w].form == 4) {
            put_class(node, "NondimensionalParameter");
        }
        open_it(wanted[w].fragment ? AN_INPUT : AN_OK, wanted[w].fragment);
        if (!wanted[w].fragment)
            assert_true(fabs(mesh.topology.block[0].omega / want - 1) < 1e-7);
        an_mesh_close(&mesh);
    }
}

/* Of a family, of the base, and without a unit: in rad/s, and a warning says so, once. */
static void test_rates_elsewhere(void **state)
{
    (void)state;
    struct meshw_spec s = two;
    s.side[0].bc.family = "rotor";
    for (int form = 0; form < 3; form++) {
        write_mesh(&s);
        if (form == 0) {
            put_text("Base/zone_000", "FamilyName", "FamilyName_t", "Base/rotor  ");
            put_rate("Base/rotor", 180, 1);
            put_units("Base/rotor", "Meter", "Degree", ' ');
        } else {
            put_rate("Base", form == 1 ? 180 : 3, 0);
            if (form == 1)
                put_units("Base", "Meter", "Degree", ' ');
        }
        open_it(AN_OK, form < 2
                           ? NULL
                           : "the file gives no unit of angles: RotationRateVector is taken as "
                             "rad/s, which is 28.6479 rpm");
        const struct an_zone *z = mesh.topology.block;
        assert_true(fabs(z[0].omega - (form < 2 ? acos(-1.) : 3)) < 1e-6);
        assert_int_equal(z[1].rotates, form > 0);
        an_mesh_close(&mesh);
    }
}

/* ---- periodic nodes ---- */

static void test_periodic(void **state)
{
    (void)state;
    struct meshw_sector sector = {1., 1., 2., acos(-1.) / 15.};
    const struct meshw_spec s = {.map = meshw_map_sector,
                                 .ctx = &sector,
                                 .angle = sector.angle,
                                 .join = {MESHW_OPEN, MESHW_OPEN, MESHW_ROTATION}};
    static const struct {
        int degrees, is_double, class;
        char pad;
    } forms[] = {{0, 1, 0, ' '}, {1, 1, 0, ' '}, {1, 1, 0, '\0'}, {1, 0, 0, '\0'}, {1, 1, 1, ' '}};
    for (size_t n = 0; n < sizeof forms / sizeof *forms; n++) {
        char name[2][96];
        write_mesh(&s);
        for (int side = 0; side < 2; side++) {
            const double scale = forms[n].class ? 0.5 : forms[n].degrees ? 1 : acos(-1.) / 180;
            double angle[3] = {(side ? -12 : 12) * scale, 0, 0}, zero[3] = {0};
            const double twice[2] = {2, 0};
            double above;
            int got;
            above = at("Base/zone_000/ZoneGridConnectivity");
            assert_int_equal(cgio_children_names(file, above, side + 1, 1, 33, &got, name[side]),
                             0);
            char periodic[160], array[192];
            snprintf(periodic, sizeof periodic,
                     "Base/zone_000/ZoneGridConnectivity/%.32s/GridConnectivityProperty/Periodic",
                     name[side]);
            void (*const write)(const char *, const char *, const char *, int, const double *) =
                forms[n].is_double ? put_reals : put_floats;
            write(periodic, "RotationCenter", "DataArray_t", 3, zero);
            write(periodic, "RotationAngle", "DataArray_t", 3, angle);
            write(periodic, "Translation", "DataArray_t", 3, zero);
            put_units(periodic, "Meter", forms[n].degrees ? "Degree" : "Radian", forms[n].pad);
            if (!forms[n].class)
                continue;
            snprintf(array, sizeof array, "%s/RotationAngle", periodic);
            put_class(array, "NormalizedByDimensional");
            put_reals(array, "DataConversion", "DataConversion_t", 2, twice);
        }
        open_it(AN_OK, "");
        assert_int_equal(mesh.topology.ninterface, 2);
        for (int f = 0; f < 2; f++) {
            assert_int_equal(mesh.topology.interface[f].periodic, 2);
            assert_true(fabs(mesh.topology.interface[f].rotation[4] - cos(sector.angle)) < 1e-12);
        }
        an_mesh_close(&mesh);
    }
}

/* ---- padded names ---- */

static void test_padded(void **state)
{
    (void)state;
    struct meshw_spec s = two;
    s.side[MESHW_JMIN].bc.family = "hub";
    write_mesh(&s);
    put_text("Base/zone_000/ZoneBC/jmin", "FamilyName", "FamilyName_t", "hub             ");
    put_text("Base/zone_001/ZoneBC/jmin", "FamilyName", "FamilyName_t", "hub");
    put_text("Base/hub", "FamBC", "FamilyBC_t", "BCWallViscous                   ");
    put_text("Base/zone_000", "ZoneType", "ZoneType_t", "Structured                      ");
    open_it(AN_OK, NULL);
    assert_int_equal(mesh.topology.nboundary, 6);
    const int hub = an_boundary_find(&mesh.topology, "hub");
    assert_true(hub >= 0);
    assert_int_equal(mesh.topology.boundary[hub].type, AN_BC_WALL_VISCOUS);
    an_mesh_close(&mesh);
}

/* ---- points of conditions ---- */

enum list_form {
    ALL_VERTICES,
    ANY_ORDER,
    FACES,
    CELLS,
    ELEMENT_LIST,
    ELEMENT_RANGE,
    LONG_NUMBERS,
    HOLE,
    CORNER,
    INSIDE,
    OUTSIDE,
    NUMBERED_RANGE,
    NUMBERED_LIST,
    LIST_FORMS
};

/* The condition of imax of a zone of 4 x 3 x 2 cells as a list. */
static void make_list(enum list_form form)
{
    static const char bc[] = "Base/zone_000/ZoneBC/imax";
    const int vertices = form == ALL_VERTICES || form == ANY_ORDER || form == LONG_NUMBERS ||
                         form == HOLE || form == CORNER || form == INSIDE || form == OUTSIDE;
    int list[40][3], n = 0;
    int64_t longs[40][3];
    for (int k = 1; k <= 2 + vertices; k++)
        for (int j = 1; j <= 3 + vertices; j++) {
            if ((form == HOLE && j == 2 && k == 2) || (form == CORNER && j == 4 && k == 3))
                continue;
            list[n][0] = form == CELLS ? 4 : form == INSIDE ? 3 : 5;
            list[n][1] = j;
            list[n++][2] = form == OUTSIDE ? k + 1 : k;
        }
    if (form == ANY_ORDER) {
        int swap[3];
        memcpy(swap, list[0], sizeof swap);
        memcpy(list[0], list[7], sizeof swap);
        memcpy(list[7], swap, sizeof swap);
        memcpy(list[n++], list[3], sizeof swap); /* and one twice */
    }
    double id;
    assert_int_equal(cgio_get_node_id(file, at(bc), "PointRange", &id), 0);
    assert_int_equal(cgio_delete_node(file, at(bc), id), 0);
    for (int p = 0; p < n; p++)
        for (int d = 0; d < 3; d++)
            longs[p][d] = list[p][d];
    if (form == CORNER) /* a rectangle of the rest and one column more */
        n = 10;
    const cgsize_t dim[2] = {3, n}, corners[2] = {3, 2},
                   numbers[2] = {1, form == NUMBERED_RANGE ? 2 : 6};
    const int range[6] = {5, 1, 1, 5, 3, 2}, number[6] = {1, 2, 3, 4, 5, 6};
    if (form == FACES || form == CELLS)
        put_text(bc, "GridLocation", "GridLocation_t",
                 form == FACES ? "IFaceCenter   " : "CellCenter");
    if (form == LONG_NUMBERS)
        put(bc, "PointList", "IndexArray_t", "I8", 2, dim, longs);
    else if (form == ELEMENT_LIST)
        put(bc, "ElementList", "IndexArray_t", "I4", 2, dim, list);
    else if (form == ELEMENT_RANGE)
        put(bc, "ElementRange", "IndexRange_t", "I4", 2, corners, range);
    else if (form == NUMBERED_RANGE)
        put(bc, "ElementRange", "IndexRange_t", "I4", 2, numbers, number);
    else if (form == NUMBERED_LIST)
        put(bc, "ElementList", "IndexArray_t", "I4", 2, numbers, number);
    else
        put(bc, "PointList", "IndexArray_t", "I4", 2, dim, list);
}

static void test_lists(void **state)
{
    (void)state;
    static const char *const wanted[LIST_FORMS] = {
        [HOLE] = "'imax': error: the 11 points of its PointList fill no rectangle of a face",
        [CORNER] = "'imax': error: the 10 points of its PointList fill no rectangle of a face",
        [INSIDE] = "'imax': error: the 12 points of its PointList lie on no face of the zone",
        [OUTSIDE] = "'imax': error: its PointList has points outside the zone",
        [NUMBERED_RANGE] = "'imax': error: ElementRange numbers elements of unstructured zones",
        [NUMBERED_LIST] = "'imax': error: ElementList numbers elements of unstructured zones"};
    for (int form = 0; form < LIST_FORMS; form++) {
        write_mesh(&box);
        make_list((enum list_form)form);
        open_it(wanted[form] ? AN_INPUT : AN_OK, wanted[form]);
        if (!wanted[form]) {
            int found = 0;
            for (int p = 0; p < mesh.topology.npatch; p++) {
                const struct an_window *w = &mesh.topology.patch[p].window;
                found += w->dir == 0 && w->side == 1 && w->lo[1] == 0 && w->hi[1] == 3 &&
                         w->lo[2] == 0 && w->hi[2] == 2;
            }
            assert_int_equal(found, 1);
        }
        an_mesh_close(&mesh);
    }
}

static int with_adf(void **state)
{
    (void)state;
    adf = 1;
    return 0;
}

static int without_adf(void **state)
{
    (void)state;
    adf = 0;
    return 0;
}

#define BOTH(test)                                         \
    cmocka_unit_test(test),                                \
    {                                                      \
#test " in ADF", test, with_adf, without_adf, NULL \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(test_versions),        BOTH(test_new_nodes),      BOTH(test_bases),
        BOTH(test_lengths),         BOTH(test_units_of_zones), BOTH(test_rates),
        BOTH(test_rates_elsewhere), BOTH(test_periodic),       BOTH(test_padded),
        BOTH(test_lists),
    };
    return cmocka_run_group_tests(tests, make_path, remove_file);
}

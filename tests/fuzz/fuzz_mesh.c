/* Damaged meshes: a good mesh of the test suite, whose nodes are changed as the bytes say, is read or
 * refused with a message. The first byte chooses the mesh, and every eight bytes behind it change one
 * node: its name, label, type, sizes, values, children (struct change). The tree of nodes stands in
 * memory (cgns_tree.h); the reader of the program works on it as on a file, by the functions of the library's core.
 *
 * A mesh that was read must keep what io/mesh.h promises: windows inside their zones, partners that
 * mirror each other, finite coordinates or a message.
 */
#include "tests/fuzz/fuzz.h"

#include <cgns_io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/mesh.h"
#include "io/mesh_internal.h"
#include "tests/fuzz/cgns_tree.h"
#include "tests/support/mesh_writer.h"

enum { WORK = TREE_SLOTS - 1, MOST_CHANGES = 24, LARGEST = 1 << 20 };

struct change {
    uint8_t kind, node, node_high, place, which, value, more, last;
};

/* ---- the meshes to start from */

static int averaged;

/* Makes the general connections of the first mesh sides of mixing planes. */
static int average(struct meshw_interface *c, void *ctx)
{
    (void)c;
    (void)ctx;
    averaged++;
    return 0;
}

static void add_averages(void)
{
    struct tree *t = tree_slot(WORK);
    int list[TREE_NODES];
    const int n = tree_list(t, list);
    for (int k = 0; k < n; k++) {
        if (strcmp(t->node[list[k]].label, "GridConnectivity1to1_t") != 0)
            continue;
        const int property = tree_add(t, list[k], "GridConnectivityProperty");
        const int interface = tree_add(t, property, "AverageInterface");
        const int type = tree_add(t, interface, "AverageInterfaceType");
        strcpy(t->node[property].label, "GridConnectivityProperty_t");
        strcpy(t->node[interface].label, "AverageInterface_t");
        struct tree_node *w = &t->node[type];
        strcpy(w->label, "AverageInterfaceType_t");
        strcpy(w->type, "C1");
        w->data = strdup("AverageCircumferential");
        w->bytes = (size_t)(w->dim[0] = (int64_t)strlen(w->data));
        w->ndim = 1;
    }
}

/* A node with numbers of its own. */
static int add_node(int parent, const char *name, const char *label, const char *type, int ndim,
                    const int64_t dim[2], const void *data, size_t bytes)
{
    struct tree *t = tree_slot(WORK);
    const int n = tree_add(t, parent, name);
    struct tree_node *to = &t->node[n];
    snprintf(to->label, sizeof to->label, "%s", label);
    strcpy(to->type, type);
    to->ndim = ndim;
    for (int d = 0; d < ndim; d++)
        to->dim[d] = dim[d];
    to->data = bytes ? malloc(bytes) : NULL;
    to->bytes = bytes;
    if (bytes)
        memcpy(to->data, data, bytes);
    return n;
}

/* The first node of that label whose name begins so. */
static int node_of_label(const char *label, const char *name)
{
    struct tree *t = tree_slot(WORK);
    int list[TREE_NODES];
    const int n = tree_list(t, list);
    for (int k = 0; k < n; k++)
        if (!strcmp(t->node[list[k]].label, label) &&
            !strncmp(t->node[list[k]].name, name, strlen(name)))
            return list[k];
    abort();
}

/* Gives the last mesh what files of others have: version 4, a second base, units, a class with a conversion, a speed of
 * rotation in doubles, a list of points, padded texts. */
static void add_forms(void)
{
    struct tree *t = tree_slot(WORK);
    static const int64_t two[1] = {2}, three[1] = {3}, unit[2] = {32, 5}, points[2] = {3, 9},
                         five[1] = {5};
    static const double rate[3] = {6000, 0, 0}, conversion[2] = {0.01, 0.5};
    static const float version = 4.2F, exponents[5] = {0, 1, 0, 0, 0};
    static const int base[2] = {3, 3};
    const char class[] = "NormalizedByDimensional  ";
    const int64_t length[1] = {sizeof class - 1};
    char units[160];
    int list[9][3];
    memset(units, ' ', sizeof units);
    for (int w = 0; w < 5; w++)
        memcpy(units + 32 * w,
               (const char *const[]){"Kilogram", "Inch", "Second", "Kelvin", "Degree"}[w],
               (const size_t[]){8, 4, 6, 6, 6}[w]);
    const int zone = node_of_label("Zone_t", ""), first = node_of_label("CGNSBase_t", "");
    memcpy(t->node[node_of_label("CGNSLibraryVersion_t", "")].data, &version, sizeof version);
    add_node(t->node[first].parent, "Aside", "CGNSBase_t", "I4", 1, two, base, sizeof base);
    add_node(zone, "DimensionalUnits", "DimensionalUnits_t", "C1", 2, unit, units, sizeof units);
    const int turns =
        add_node(zone, "RotatingCoordinates", "RotatingCoordinates_t", "MT", 0, NULL, NULL, 0);
    add_node(turns, "RotationRateVector", "DataArray_t", "R8", 1, three, rate, sizeof rate);
    for (char axis = 'X'; axis <= 'Z'; axis++) {
        const char name[] = {'C', 'o', 'o', 'r', 'd', 'i', 'n', 'a', 't', 'e', axis, '\0'};
        const int array = node_of_label("DataArray_t", name);
        add_node(array, "DataClass", "DataClass_t", "C1", 1, length, class, sizeof class - 1);
        add_node(array, "DataConversion", "DataConversion_t", "R8", 1, two, conversion,
                 sizeof conversion);
        add_node(array, "DimensionalExponents", "DimensionalExponents_t", "R4", 1, five, exponents,
                 sizeof exponents);
    }
    for (int p = 0; p < 9; p++) { /* the side imin of 2 x 2 cells */
        list[p][0] = 1;
        list[p][1] = 1 + p % 3;
        list[p][2] = 1 + p / 3;
    }
    const int condition = node_of_label("BC_t", "imin");
    tree_remove(t, t->node[condition].child); /* its PointRange */
    add_node(condition, "PointList", "IndexArray_t", "I4", 2, points, list, sizeof list);
}

static const struct meshw_sector sector = {1, 0.5, 1, 0.2617993877991494};

static const struct meshw_spec specs[] = {
    {.zones = {1, 1, 1}, .cells = {2, 2, 2}},
    {.zones = {2, 1, 1}, .cells = {2, 3, 2}, .turn_all = 1, .unit = CGNS_ENUMV(Millimeter)},
    {.zones = {2, 2, 1}, .cells = {2, 2, 2}, .turn_all = 1, .turn_first = 5, .single = 1},
    {.zones = {1, 1, 2},
     .cells = {2, 2, 3},
     .join = {MESHW_OPEN, MESHW_OPEN, MESHW_ROTATION},
     .map = meshw_map_sector,
     .ctx = &sector,
     .angle = 0.2617993877991494,
     .degrees = 1},
    {.zones = {1, 2, 1},
     .join = {0, MESHW_TRANSLATION},
     .shift = {{0}, {0, 1, 0}, {0}},
     .cells = {2, 2, 1}},
    {.zones = {2, 1, 1}, .cells = {3, 2, 1}, .flat = 1},
    {.zones = {1, 1, 1}, .cells = {6, 2, 1}, .map = meshw_map_cmesh, .side[MESHW_JMIN].cut = 2},
    {.zones = {2, 1, 1}, .cells = {2, 2, 2}, .on_interface = average},
    {.zones = {2, 1, 1}, .cells = {2, 2, 2}, .face_location = 1, .short_form = 1, .one_sided = 1},
    {.zones = {1, 1, 1}, .cells = {2, 2, 2}},
};
enum { MESHES = sizeof specs / sizeof specs[0] };

static char path[64];

static void make_meshes(void)
{
    static const char head[] = "\211HDF\r\n\032\n the tree stands in memory";
    snprintf(path, sizeof path, "%s", fuzz_file((const uint8_t *)head, sizeof head));
    setenv("AN_MESH_PROBE", "0", 1);
    for (int m = 0; m < MESHES; m++) {
        struct meshw_spec s = specs[m];
        if (m != MESHES - 1)
            s.side[MESHW_IMIN].bc.family = "inlet";
        tree_select(WORK);
        averaged = 0;
        if (meshw_write(path, &s) != AN_OK) {
            fprintf(stderr, "%s\n", an_error_text());
            abort();
        }
        if (averaged)
            add_averages();
        if (m == MESHES - 1)
            add_forms();
        tree_copy(tree_slot(WORK), tree_slot(m));
        fuzz_file((const uint8_t *)head, sizeof head); /* the library removes what it writes over */
    }
    tree_select(WORK);
}

/* ---- the changes */

static const char *const names[] = {"CoordinateX",
                                    "CoordinateR",
                                    "ZoneType",
                                    "Family",
                                    "PointRange",
                                    "PointList",
                                    "Transform",
                                    "ZoneBC",
                                    "ZoneGridConnectivity",
                                    "GridCoordinates",
                                    "CGNSLibraryVersion",
                                    "_span_min",
                                    "a/b",
                                    "zone_000",
                                    "zone_001",
                                    "",
                                    "name of 32 characters, the most  ",
                                    "GridLocation",
                                    "FamilyName",
                                    "Periodic",
                                    "RotationAngle",
                                    "DataClass",
                                    "DimensionalUnits",
                                    "Rind",
                                    "Ordinal",
                                    "RotatingCoordinates",
                                    "RotationRateVector",
                                    "DataConversion",
                                    "DimensionalExponents",
                                    "ElementRange",
                                    "ElementList",
                                    "CoordinateX  "};
static const char *const labels[] = {"CGNSBase_t",
                                     "Zone_t",
                                     "GridCoordinates_t",
                                     "DataArray_t",
                                     "ZoneBC_t",
                                     "BC_t",
                                     "Family_t",
                                     "FamilyBC_t",
                                     "ZoneGridConnectivity_t",
                                     "GridConnectivity1to1_t",
                                     "GridConnectivity_t",
                                     "OversetHoles_t",
                                     "IndexRange_t",
                                     "IndexArray_t",
                                     "\"int[IndexDimension]\"",
                                     "ZoneType_t",
                                     "FamilyName_t",
                                     "GridLocation_t",
                                     "DimensionalUnits_t",
                                     "Periodic_t",
                                     "Rind_t",
                                     "RotatingCoordinates_t",
                                     "GridConnectivityProperty_t",
                                     "Elements_t",
                                     "BCDataSet_t",
                                     "",
                                     "UserDefinedData_t",
                                     "Descriptor_t",
                                     "Ordinal_t",
                                     "GridConnectivityType_t",
                                     "AdditionalFamilyName_t",
                                     "DimensionalExponents_t",
                                     "DataConversion_t",
                                     "InwardNormalList_t",
                                     "AverageInterface_t",
                                     "ReferenceState_t",
                                     "FlowSolution_t",
                                     "DiscreteData_t",
                                     "BaseIterativeData_t",
                                     "DataClass_t",
                                     "CGNSLibraryVersion_t",
                                     "ParticleZone_t"};
static const char *const types[] = {"MT", "I4", "I8", "R4", "R8", "C1", "X8"};
static const char *const texts[] = {"Structured",
                                    "Unstructured",
                                    "UserDefined",
                                    "Null",
                                    "FamilySpecified",
                                    "BCWall",
                                    "BCInflowSubsonic",
                                    "BCDegenerateLine",
                                    "BCTunnelOutflow",
                                    "BCSymmetryPlane",
                                    "inlet",
                                    "zone_000",
                                    "zone_001",
                                    "/Base/zone_000",
                                    "nowhere",
                                    "Vertex",
                                    "CellCenter",
                                    "IFaceCenter",
                                    "JFaceCenter",
                                    "KFaceCenter",
                                    "FaceCenter",
                                    "EdgeCenter",
                                    "Overset",
                                    "Abutting",
                                    "Abutting1to1",
                                    "AverageAll",
                                    "AverageCircumferential",
                                    "Degree",
                                    "Radian",
                                    "Inch",
                                    "_span_max",
                                    "a family whose name is longer than any 32",
                                    "Dimensional   ",
                                    "NormalizedByDimensional",
                                    "NondimensionalParameter",
                                    "BCPorous"};
static const int64_t wholes[] = {0,
                                 1,
                                 -1,
                                 2,
                                 3,
                                 -2,
                                 -3,
                                 4,
                                 5,
                                 7,
                                 100,
                                 -100,
                                 32767,
                                 1 << 28,
                                 1 << 30,
                                 2147483647,
                                 -2147483647 - 1,
                                 4294967296,
                                 9223372036854775807,
                                 6};

static struct tree *work;

/* Own memory for data that changes, freed with the next input. */
static char *owned[MOST_CHANGES * 2];
static int nowned;

static char *own(size_t bytes)
{
    if (nowned == MOST_CHANGES * 2)
        return NULL;
    return owned[nowned++] = calloc(1, bytes ? bytes : 1);
}

/* Makes the data of a node its own, as long as its type and dimensions want. */
static int reshape(struct tree_node *n)
{
    const size_t bytes = (size_t)tree_elements(n) * tree_type_size(n->type);
    char *data = bytes && bytes <= LARGEST ? own(bytes) : NULL;
    if (data && n->data)
        memcpy(data, n->data, bytes < n->bytes ? bytes : n->bytes);
    n->data = data;
    n->bytes = data ? bytes : 0;
    return data != NULL;
}

static void put(struct tree_node *n, size_t at, double real, int64_t whole)
{
    const size_t size = tree_type_size(n->type);
    const int32_t i = (int32_t)whole;
    const float f = (float)real;
    char *to = n->data + at * size;
    if (n->type[0] == 'R')
        memcpy(to, size == 4 ? (const void *)&f : &real, size);
    else if (size)
        memcpy(to, size == 4 ? (const void *)&i : &whole, size);
}

static int64_t get(const struct tree_node *n, size_t at)
{
    int32_t i = 0;
    int64_t l = 0;
    const size_t size = tree_type_size(n->type);
    if (size == 8)
        memcpy(&l, n->data + 8 * at, 8);
    else if (size == 4)
        memcpy(&i, n->data + 4 * at, 4);
    return size == 8 ? l : i;
}

/* A value of the node: an unusual one, or the old one moved by little. */
static void change_value(struct tree_node *n, const struct change *c, int all)
{
    static const double reals[] = {0,   1,        -1,  1e30, -1e300, 1e-300,
                                   NAN, INFINITY, 0.5, 1e-9, 1e308,  2};
    if (!n->data || !reshape(n))
        return;
    const size_t size = tree_type_size(n->type), count = size ? n->bytes / size : 0;
    for (size_t e = 0; e < count; e++) {
        if (!all && e != (c->place + 256u * c->which) % count)
            continue;
        if (c->value & 128)
            put(n, e, reals[c->more % (sizeof reals / sizeof *reals)],
                wholes[c->more % (sizeof wholes / sizeof *wholes)]);
        else if (n->type[0] == 'R')
            put(n, e, (double)(int8_t)c->more * pow(10, c->last % 13 - 6.), 0);
        else
            put(n, e, 0, (int64_t)((uint64_t)get(n, e) + (uint64_t)(int8_t)c->more));
    }
}

static void change_text(struct tree_node *n, const struct change *c)
{
    const char *text = texts[c->place % (sizeof texts / sizeof *texts)];
    strcpy(n->type, "C1");
    n->ndim = 1;
    n->dim[0] = (int64_t)strlen(text);
    if (!reshape(n))
        return;
    memcpy(n->data, text, n->bytes);
    if (c->value < 64 && n->bytes)
        n->data[c->more % n->bytes] = (char)c->last;
}

static void change_shape(struct tree_node *n, const struct change *c)
{
    if (c->value & 1)
        strcpy(n->type, types[c->which % (sizeof types / sizeof *types)]);
    if (c->value & 2)
        n->ndim = c->place % 4;
    if (c->value & 4 && n->ndim)
        n->dim[c->more % n->ndim] = wholes[c->last % (sizeof wholes / sizeof *wholes)];
    else if (c->value & 8 && n->ndim)
        n->dim[c->more % n->ndim] += (int8_t)c->last;
    const int64_t most = LARGEST;
    int64_t count = 1; /* positive as in a file, and no more than the sanitizer has room for */
    for (int d = 0; d < n->ndim; d++) {
        if (n->dim[d] < 1 || n->dim[d] > most / count)
            n->dim[d] = 1 + (n->dim[d] > 1) * (most / count - 1);
        count *= n->dim[d];
    }
    reshape(n);
}

static void copy_below(int from, int parent, const char *name, int depth)
{
    const int n = depth < 8 ? tree_add(work, parent, name) : -1;
    if (n < 0)
        return;
    struct tree_node *to = &work->node[n], old = *to;
    *to = work->node[from];
    snprintf(to->name, sizeof to->name, "%s", name);
    to->parent = old.parent;
    to->child = to->next = -1;
    int below[64], count = 0;
    for (int c = work->node[from].child; c >= 0 && count < 64; c = work->node[c].next)
        below[count++] = c;
    for (int k = 0; k < count; k++)
        copy_below(below[k], n, work->node[below[k]].name, depth + 1);
}

static int is_below(int node, int above)
{
    for (; node >= 0; node = work->node[node].parent)
        if (node == above)
            return 1;
    return 0;
}

static void change_place(int node, int other, const struct change *c)
{
    char name[33];
    if (is_below(other, node))
        return;
    snprintf(name, sizeof name, "%s%.*s", work->node[node].name, c->value & 1, "2");
    copy_below(node, other, name, 0);
    if (c->value & 2)
        tree_remove(work, node);
}

static void apply(const struct change *c)
{
    int list[TREE_NODES];
    const int count = tree_list(work, list);
    const int node = list[(c->node + 256 * c->node_high) % count];
    struct tree_node *n = &work->node[node];
    if (node == 0)
        return;
    switch (c->kind % 10) {
    case 0:
        tree_remove(work, node);
        break;
    case 1:
        snprintf(n->name, sizeof n->name, "%s", names[c->place % (sizeof names / sizeof *names)]);
        break;
    case 2:
        snprintf(n->label, sizeof n->label, "%s",
                 labels[c->place % (sizeof labels / sizeof *labels)]);
        break;
    case 3:
        change_shape(n, c);
        break;
    case 4:
        change_text(n, c);
        break;
    case 5:
        change_place(node, list[(c->place + 256 * c->which) % count], c);
        break;
    case 6:
        n->is_link = 1;
        snprintf(n->file, sizeof n->file, "%s", c->value & 1 ? "/nowhere/at/all.cgns" : "");
        snprintf(n->path, sizeof n->path, "/Base/%s",
                 names[c->place % (sizeof names / sizeof *names)]);
        break;
    case 7:
        change_value(n, c, 1);
        break;
    default: /* the most frequent damage: one number */
        change_value(n, c, 0);
        break;
    }
}

/* ---- what must hold */

static void check_window(const struct an_topology *t, const struct an_window *w)
{
    if (w->block < 0 || w->block >= t->nblock || w->dir < 0 || w->dir > 2)
        __builtin_trap();
    for (int d = 0; d < 3; d++)
        if (d != w->dir &&
            (w->lo[d] < 0 || w->lo[d] >= w->hi[d] || w->hi[d] > t->block[w->block].n[d]))
            __builtin_trap();
}

static void check_topology(const struct an_topology *t)
{
    for (int f = 0; f < t->ninterface; f++) {
        const struct an_interface *i = &t->interface[f];
        check_window(t, &i->window);
        const struct an_interface mirror = an_interface_mirror(i);
        check_window(t, &mirror.window);
        if (i->partner < 0 || i->partner >= t->ninterface || !an_cellmap_is_valid(&i->map) ||
            t->interface[i->partner].donor != i->window.block)
            __builtin_trap();
        for (int k = 0; k < 9; k++)
            if (i->periodic == 2 && !isfinite(i->rotation[k]))
                __builtin_trap();
    }
    for (int p = 0; p < t->npatch; p++) {
        check_window(t, &t->patch[p].window);
        if (t->patch[p].boundary < 0 || t->patch[p].boundary >= t->nboundary)
            __builtin_trap();
    }
}

static void read_nodes(const struct an_mesh *m)
{
    for (int z = 0; z < m->topology.nblock; z++) {
        const int *n = m->topology.block[z].n, lo[3] = {0, 0, 0};
        const int hi[3] = {n[0] + 1, n[1] + 1, n[2] + 1};
        if ((int64_t)hi[0] * hi[1] * hi[2] > LARGEST)
            continue;
        double *x = malloc(3 * sizeof *x * (size_t)hi[0] * (size_t)hi[1] * (size_t)hi[2]);
        const int status = an_mesh_read_nodes(m, z, lo, hi, x);
        if (status != AN_OK && (status != AN_INPUT || !*an_error_text()))
            __builtin_trap();
        free(x);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct an_mesh m;
    struct an_diag diag;
    if (!work) {
        make_meshes();
        work = tree_slot(WORK);
    }
    tree_copy(tree_slot(size ? data[0] % MESHES : 0), work);
    for (size_t at = 1, n = 0; at + sizeof(struct change) <= size && n < MOST_CHANGES;
         at += sizeof(struct change), n++) {
        struct change c;
        memcpy(&c, data + at, sizeof c);
        apply(&c);
    }
    an_diag_init(&diag);
    const int status = an_mesh_open(path, &m, &diag);
    if (status == AN_OK ? diag.nerror : status != AN_INPUT || !diag.nerror)
        __builtin_trap();
    for (int n = 0; n < diag.nline; n++) {
        if (getenv("AN_FUZZ_SAY"))
            fprintf(stderr, "%s\n", diag.line[n]);
        if (!strstr(diag.line[n], path))
            __builtin_trap();
    }
    if (status == AN_OK) {
        check_topology(&m.topology);
        read_nodes(&m);
    }
    FILE *null = fopen("/dev/null", "w");
    if (m.topology.nblock && status == AN_OK)
        an_mesh_info(&m, null);
    fclose(null);
    an_mesh_close(&m);
    an_diag_free(&diag);
    while (nowned)
        free(owned[--nowned]);
    return 0;
}

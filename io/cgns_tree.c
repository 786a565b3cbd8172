#include "io/cgns_tree.h"

#include <cgns_io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More numbers than this in one node, other than coordinates, are damage. */
#define MOST_NUMBERS ((int64_t)1 << 28)
/* The oldest version whose nodes stand where this reader looks for them, and the first that is not known. */
#define OLDEST  1.25
#define UNKNOWN 5

/* Nodes that are read, by their label and that of the node above them. */
enum {
    VALUE = 1,
    BELOW = 2,
    SIZE = 4
}; /* its numbers; the nodes below it; its type and dimensions alone */
static const struct {
    const char *above, *label;
    int what;
} taken[] = {
    {"", "CGNSLibraryVersion_t", VALUE},
    {"", "CGNSBase_t", VALUE | BELOW},
    {"CGNSBase_t", "Zone_t", VALUE | BELOW},
    {"CGNSBase_t", "Family_t", BELOW},
    {"CGNSBase_t", "RotatingCoordinates_t", BELOW},
    {"CGNSBase_t", "ParticleZone_t", 0},
    {"Family_t", "Family_t", BELOW},
    {"Family_t", "FamilyBC_t", VALUE},
    {"Family_t", "RotatingCoordinates_t", BELOW},
    {"Family_t", "ElementInterpolation_t", 0},
    {"Family_t", "SolutionInterpolation_t", 0},
    {"Zone_t", "ZoneType_t", VALUE},
    {"Zone_t", "GridCoordinates_t", BELOW},
    {"Zone_t", "FamilyName_t", VALUE},
    {"Zone_t", "RotatingCoordinates_t", BELOW},
    {"Zone_t", "ZoneBC_t", BELOW},
    {"Zone_t", "ZoneGridConnectivity_t", BELOW},
    {"GridCoordinates_t", "Rind_t", VALUE},
    {"GridCoordinates_t", "DataArray_t", SIZE | BELOW},
    {"RotatingCoordinates_t", "DataArray_t", VALUE | BELOW},
    {"ZoneBC_t", "BC_t", VALUE | BELOW},
    {"BC_t", "IndexRange_t", VALUE},
    {"BC_t", "IndexArray_t", VALUE},
    {"BC_t", "GridLocation_t", VALUE},
    {"BC_t", "FamilyName_t", VALUE},
    {"BC_t", "BCDataSet_t", 0},
    {"ZoneGridConnectivity_t", "GridConnectivity1to1_t", VALUE | BELOW},
    {"ZoneGridConnectivity_t", "GridConnectivity_t", VALUE | BELOW},
    {"ZoneGridConnectivity_t", "OversetHoles_t", 0},
    {"GridConnectivity1to1_t", "IndexRange_t", VALUE},
    {"GridConnectivity1to1_t", "\"int[IndexDimension]\"", VALUE},
    {"GridConnectivity1to1_t", "GridConnectivityProperty_t", BELOW},
    {"GridConnectivity_t", "IndexRange_t", VALUE},
    {"GridConnectivity_t", "IndexArray_t", VALUE},
    {"GridConnectivity_t", "GridLocation_t", VALUE},
    {"GridConnectivity_t", "GridConnectivityType_t", VALUE},
    {"GridConnectivity_t", "GridConnectivityProperty_t", BELOW},
    {"GridConnectivityProperty_t", "Periodic_t", BELOW},
    {"GridConnectivityProperty_t", "AverageInterface_t", 0},
    {"Periodic_t", "DataArray_t", VALUE | BELOW},
    {"DataArray_t", "DimensionalExponents_t", VALUE},
    {"DataArray_t", "DataConversion_t", VALUE},
};

/* Units and class stand below any node. */
static int wanted(const char *above, const char *label)
{
    if (*above && (!strcmp(label, "DataClass_t") || !strcmp(label, "DimensionalUnits_t")))
        return VALUE;
    for (size_t n = 0; n < sizeof taken / sizeof *taken; n++)
        if (!strcmp(taken[n].label, label) && !strcmp(taken[n].above, above))
            return taken[n].what;
    return -1;
}

const char *an_cgns_error(void)
{
    static char text[CGIO_MAX_ERROR_LENGTH + 1];
    cgio_error_message(text);
    return text;
}

int an_cgns_open(const char *path, int *file)
{
    *file = -1;
    cgio_error_abort(0);
    AN_CHECK(cgio_open_file(path, CGIO_MODE_READ, CGIO_FILE_NONE, file) == 0, AN_INPUT,
             "is damaged or no CGNS file (%s)", an_cgns_error());
    return AN_OK;
}

void an_cgns_close(int file)
{
    if (file > 0)
        cgio_close_file(file); /* read only: nothing can be lost */
}

int an_cgns_has(int file, const char *name)
{
    double root, node;
    if (cgio_get_root_id(file, &root) != 0 || cgio_get_node_id(file, root, name, &node) != 0)
        return 0;
    cgio_release_id(file, node);
    return 1;
}

/* A text of at most n characters without the blanks and all that follows a zero. */
static size_t trim(const char *from, size_t n, char *to, size_t size)
{
    size_t length = strnlen(from, n);
    while (length > 0 && from[length - 1] == ' ')
        length--;
    const size_t kept = length < size ? length : size - 1;
    memcpy(to, from, kept);
    to[kept] = '\0';
    return length;
}

static size_t size_of(const char *type)
{
    return !strcmp(type, "I4") || !strcmp(type, "R4")   ? 4
           : !strcmp(type, "I8") || !strcmp(type, "R8") ? 8
           : !strcmp(type, "C1")                        ? 1
                                                        : 0;
}

static int read_size(int file, double id, struct an_cgns_node *n)
{
    char type[CGIO_MAX_DATATYPE_LENGTH + 1] = "";
    cgsize_t dim[AN_CGNS_DIMENSIONS] = {0};
    AN_CHECK(!cgio_get_data_type(file, id, type) && !cgio_get_dimensions(file, id, &n->ndim, dim),
             AN_INPUT, "is damaged: the size of node '%s' cannot be read (%s)", n->name,
             an_cgns_error());
    snprintf(n->type, sizeof n->type, "%.3s", type);
    n->count = n->ndim > 0 && n->ndim <= AN_CGNS_DIMENSIONS;
    for (int d = 0; d < n->ndim && n->count; d++) {
        n->dim[d] = dim[d];
        n->count = dim[d] < 1 || n->count > MOST_NUMBERS ? 0 : n->count * dim[d];
    }
    return AN_OK;
}

static int read_value(int file, double id, struct an_cgns_node *n)
{
    if (!n->count || !size_of(n->type))
        return AN_OK;
    AN_CHECK(n->count <= MOST_NUMBERS, AN_INPUT, "is damaged: node '%s' has %lld numbers", n->name,
             (long long)n->count);
    /* the library reads as long words as the file has, whatever the node's type says */
    n->data = calloc((size_t)n->count + 1, 8);
    AN_CHECK(n->data, AN_FAIL, "out of memory for the nodes of the mesh");
    AN_CHECK(!cgio_read_all_data(file, id, n->data), AN_INPUT,
             "is damaged: the values of node '%s' cannot be read (%s)", n->name, an_cgns_error());
    return AN_OK;
}

static int read_children(int file, double id, struct an_cgns_node *parent);

/* Where a link leads: for the message that it leads nowhere. */
static int broken(int file, double id, const char *name)
{
    int length = 0, of_file = 0, of_name = 0;
    char why[CGIO_MAX_ERROR_LENGTH + 1], target[2048] = "";
    snprintf(why, sizeof why, "%s", an_cgns_error());
    if (cgio_is_link(file, id, &length) || !length)
        return an_error_set(AN_INPUT, "is damaged: node '%s' cannot be read (%s)", name, why);
    char *text = cgio_link_size(file, id, &of_file, &of_name) || of_file < 0 || of_name < 0
                     ? NULL
                     : calloc((size_t)of_file + (size_t)of_name + 2, 1);
    if (text && !cgio_get_link(file, id, text, text + of_file + 1))
        snprintf(target, sizeof target, "'%.1000s': ", text);
    free(text);
    return an_error_set(
        AN_INPUT,
        "follows a link to another file that cannot be opened (%s%s); the "
        "coordinates of a snapshot are in grid.cgns, which has to lie in its folder",
        target, why);
}

enum { FAMILIES = 8 };

/* How many families a node stands in, itself included. */
static int families_around(const struct an_cgns_node *n)
{
    int count = 0;
    for (; n; n = n->parent)
        count += !strcmp(n->label, "Family_t");
    return count;
}

static int read_child(int file, double id, struct an_cgns_node *parent, struct an_cgns_node ***last)
{
    char label[CGIO_MAX_LABEL_LENGTH + 1] = "", name[CGIO_MAX_NAME_LENGTH + 1] = "?";
    AN_CHECK(!cgio_get_name(file, id, name), AN_INPUT, "is damaged: a node has no name (%s)",
             an_cgns_error());
    if (cgio_get_label(file, id, label))
        return broken(file, id, name);
    const int what = wanted(parent->label, label);
    if (what < 0)
        return AN_OK;
    struct an_cgns_node *n = calloc(1, sizeof *n);
    AN_CHECK(n, AN_FAIL, "out of memory for the nodes of the mesh");
    n->parent = parent;
    trim(name, sizeof name, n->name, sizeof n->name);
    trim(label, sizeof label, n->label, sizeof n->label);
    **last = n;
    *last = &n->next;
    AN_CHECK(families_around(n) <= FAMILIES, AN_INPUT,
             "has families in families, more than %d deep, up to '%s'", FAMILIES, n->name);
    if (what & (VALUE | SIZE))
        AN_TRY(read_size(file, id, n));
    if (what & VALUE)
        AN_TRY(read_value(file, id, n));
    return what & BELOW ? read_children(file, id, n) : AN_OK;
}

#define ZONE "Zone_t"

/* Zones behind the other children, in their order: a search for another label ends at the first zone (of_label). */
static void zones_last(struct an_cgns_node *parent)
{
    struct an_cgns_node *list[2] = {NULL}, **last[2] = {&list[0], &list[1]};
    for (struct an_cgns_node *n = parent->child; n; n = n->next) {
        const int zone = !strcmp(n->label, ZONE);
        *last[zone] = n;
        last[zone] = &n->next;
    }
    *last[1] = NULL;
    *last[0] = list[1];
    parent->child = list[0];
}

/* The rows of `taken` hold no circle but that of families in families, which may be FAMILIES deep, so that links in a circle
 * come to an end. */
static int read_children(int file, double id, struct an_cgns_node *parent)
{
    int count = 0, got = 0, status = AN_OK;
    AN_CHECK(!cgio_number_children(file, id, &count), AN_INPUT,
             "is damaged: the nodes below '%s' cannot be counted (%s)", parent->name,
             an_cgns_error());
    if (count < 1)
        return AN_OK;
    double *child = calloc((size_t)count, sizeof *child);
    AN_CHECK(child, AN_FAIL, "out of memory for the nodes of the mesh");
    const int bad = cgio_children_ids(file, id, 1, count, &got, child) || got != count;
    if (bad && !*parent->name && got == 0)
        status = an_error_set(AN_INPUT, "is an HDF5 file, but holds no nodes of CGNS");
    else if (bad)
        status =
            an_error_set(AN_INPUT, "is damaged: %d of the %d nodes below '%s' can be read (%s)",
                         got, count, parent->name, an_cgns_error());
    struct an_cgns_node **last = &parent->child;
    for (int c = 0; c < got; c++) {
        if (status == AN_OK)
            status = read_child(file, child[c], parent, &last);
        cgio_release_id(file, child[c]);
    }
    free(child);
    zones_last(parent);
    return status;
}

static int check_version(const struct an_cgns_node *root)
{
    double version = OLDEST; /* the first files had no such node, and no zones in bases */
    const struct an_cgns_node *n = an_cgns_child(root, "CGNSLibraryVersion_t", NULL);
    if (n && !an_cgns_reals(n, 1, &version))
        return an_error_set(AN_INPUT, "is damaged: its CGNSLibraryVersion is no number");
    AN_CHECK(version < UNKNOWN, AN_INPUT,
             "was written by a newer CGNS library, of version %.2f; this program knows versions "
             "up to %d: write the mesh for one of them",
             version, UNKNOWN - 1);
    AN_CHECK(version >= OLDEST - 1e-3, AN_INPUT,
             "was written by CGNS %.2f, which keeps its nodes in other places: cgnsupdate of the "
             "CGNS library brings it up to date",
             version);
    return AN_OK;
}

int an_cgns_tree_read(int file, struct an_cgns_node **root)
{
    double id;
    *root = calloc(1, sizeof **root);
    AN_CHECK(*root, AN_FAIL, "out of memory for the nodes of the mesh");
    AN_CHECK(!cgio_get_root_id(file, &id), AN_INPUT, "is damaged: it has no root (%s)",
             an_cgns_error());
    AN_TRY(read_children(file, id, *root));
    return check_version(*root);
}

void an_cgns_tree_free(struct an_cgns_node *root)
{
    while (root) {
        struct an_cgns_node *next = root->next;
        an_cgns_tree_free(root->child); /* as deep as the rows of `taken` */
        free(root->data);
        free(root);
        root = next;
    }
}

/* A list of nodes: each as it stands in memory, whose pointers say only whether there is something, its values, and its
 * children. */
static int pack(const struct an_cgns_node *n, FILE *out)
{
    for (; n; n = n->next)
        if (fwrite(n, sizeof *n, 1, out) != 1 ||
            (n->data && fwrite(n->data, 8, (size_t)n->count, out) != (size_t)n->count) ||
            !pack(n->child, out))
            return 0;
    return 1;
}

char *an_cgns_tree_pack(const struct an_cgns_node *root, size_t *bytes)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);
    if (!out)
        return NULL;
    const int good = pack(root, out);
    if (fclose(out) == 0 && good)
        return text;
    free(text);
    return NULL;
}

/* The node at *at and those that follow it in its list. */
static struct an_cgns_node *unpack(const char *from, size_t bytes, size_t *at,
                                   struct an_cgns_node *parent, int depth)
{
    struct an_cgns_node *first = NULL, **last = &first, *n = NULL;
    do {
        n = bytes - *at >= sizeof *n && depth < 16 ? malloc(sizeof *n) : NULL;
        if (!n)
            break;
        memcpy(n, from + *at, sizeof *n);
        *at += sizeof *n;
        const int has_data = n->data != NULL, has_child = n->child != NULL,
                  has_next = n->next != NULL;
        n->data = NULL;
        n->child = n->next = NULL;
        n->parent = parent;
        *last = n;
        last = &n->next;
        if (has_data) {
            const size_t size = 8 * (size_t)n->count;
            n->data = n->count > 0 && n->count <= MOST_NUMBERS && size <= bytes - *at
                          ? malloc(size + 8)
                          : NULL;
            if (!n->data)
                break;
            memcpy(n->data, from + *at, size);
            *at += size;
        }
        if (has_child && !(n->child = unpack(from, bytes, at, n, depth + 1)))
            break;
        if (!has_next)
            return first;
    } while (1);
    an_cgns_tree_free(first);
    return NULL;
}

struct an_cgns_node *an_cgns_tree_unpack(const char *from, size_t bytes)
{
    size_t at = 0;
    struct an_cgns_node *root = unpack(from, bytes, &at, NULL, 0);
    if (root && at == bytes)
        return root;
    an_cgns_tree_free(root);
    return NULL;
}

static const struct an_cgns_node *of_label(const struct an_cgns_node *n, const char *label,
                                           const char *name)
{
    const int zones = !strcmp(label, ZONE);
    while (n && (strcmp(n->label, label) != 0 || (name && strcmp(n->name, name) != 0)))
        n = !zones && !strcmp(n->label, ZONE) ? NULL : n->next;
    return n;
}

const struct an_cgns_node *an_cgns_child(const struct an_cgns_node *parent, const char *label,
                                         const char *name)
{
    return parent ? of_label(parent->child, label, name) : NULL;
}

const struct an_cgns_node *an_cgns_next(const struct an_cgns_node *node)
{
    return of_label(node->next, node->label, NULL);
}

int an_cgns_count(const struct an_cgns_node *parent, const char *label)
{
    int count = 0;
    for (const struct an_cgns_node *n = an_cgns_child(parent, label, NULL); n; n = an_cgns_next(n))
        count++;
    return count;
}

size_t an_cgns_text(const struct an_cgns_node *node, char *text, size_t size)
{
    *text = '\0';
    return node && node->data && !strcmp(node->type, "C1")
               ? trim(node->data, (size_t)node->count, text, size)
               : 0;
}

int an_cgns_word(const struct an_cgns_node *node, const char *const *word, int nword)
{
    char text[64];
    if (!an_cgns_text(node, text, sizeof text))
        return -1;
    for (int n = 0; n < nword; n++)
        if (!strcmp(text, word[n]))
            return n;
    return -1;
}

int an_cgns_integers(const struct an_cgns_node *node, int64_t n, int64_t *to)
{
    if (!node || !node->data || node->count != n || node->type[0] != 'I')
        return 0;
    for (int64_t e = 0; e < n; e++)
        to[e] = size_of(node->type) == 8 ? ((const int64_t *)node->data)[e]
                                         : ((const int32_t *)node->data)[e];
    return 1;
}

int an_cgns_reals(const struct an_cgns_node *node, int64_t n, double *to)
{
    if (!node || !node->data || node->count != n || node->type[0] != 'R')
        return 0;
    for (int64_t e = 0; e < n; e++)
        to[e] = size_of(node->type) == 8 ? ((const double *)node->data)[e]
                                         : (double)((const float *)node->data)[e];
    return 1;
}

int an_cgns_find(int file, double parent, const char *name, double *id)
{
    char have[CGIO_MAX_NAME_LENGTH + 1], trimmed[CGIO_MAX_NAME_LENGTH + 1];
    int count = 0, got = 0, found = 0;
    if (!cgio_get_node_id(file, parent, name, id))
        return 1;
    if (cgio_number_children(file, parent, &count) || count < 1) /* padded with blanks? */
        return 0;
    double *child = calloc((size_t)count, sizeof *child);
    if (!child || cgio_children_ids(file, parent, 1, count, &got, child))
        got = 0;
    for (int c = 0; c < got; c++) {
        trimmed[0] = '\0';
        if (!found && !cgio_get_name(file, child[c], have))
            trim(have, sizeof have, trimmed, sizeof trimmed);
        if (!found && !strcmp(trimmed, name)) {
            *id = child[c];
            found = 1;
        } else {
            cgio_release_id(file, child[c]);
        }
    }
    free(child);
    return found;
}

char *an_cgns_text_of(const char *path, const char *node)
{
    struct an_cgns_node n = {.name = ""};
    double root, id;
    int file;
    if (an_cgns_open(path, &file) != AN_OK)
        return NULL;
    if (!cgio_get_root_id(file, &root) && !cgio_get_node_id(file, root, node, &id)) {
        if (read_size(file, id, &n) == AN_OK && !strcmp(n.type, "C1") &&
            read_value(file, id, &n) != AN_OK) {
            free(n.data);
            n.data = NULL;
        }
        cgio_release_id(file, id);
    }
    an_cgns_close(file);
    return n.data; /* closed by a zero */
}

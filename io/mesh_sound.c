/* Lengths of the small arrays of a zone.
 *
 * The library (3.4) copies ranges, transforms and vectors into the caller's memory as long as the
 * file has them, whatever room the caller has: a damaged file would write behind the end of an array
 * of the reader. So each length is looked at before the library is asked for the values.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cgns_io.h>

#include "io/mesh_internal.h"

enum { DEEPEST = 6, DIMENSIONS = 12, LABEL = 33 };

/* The node whose children are looked at. */
struct step {
    const char *label, *zone,
        *node; /* its label; names of the zone or family and of the last node on the way */
    int in_family;
    int depth; /* below the base */
};

/* Nodes that the reader looks into; it reads none of the others. */
static const char *const entered[] = {"Zone_t",
                                      "ZoneBC_t",
                                      "BC_t",
                                      "ZoneGridConnectivity_t",
                                      "GridConnectivity1to1_t",
                                      "GridConnectivity_t",
                                      "Periodic_t",
                                      "GridConnectivityProperty_t",
                                      "Family_t",
                                      "RotatingCoordinates_t"};

static int is_entered(const char *label)
{
    for (size_t n = 0; n < sizeof entered / sizeof *entered; n++)
        if (strcmp(label, entered[n]) == 0)
            return 1;
    return 0;
}

/* Numbers that a node of this label below `above` must have; 0: any. */
static int wanted(const struct an_mesh *m, const char *above, const char *label)
{
    if (strcmp(label, "IndexRange_t") == 0)
        return 2 * m->index_dim;
    if (strcmp(label, "\"int[IndexDimension]\"") == 0)
        return m->index_dim;
    if (strcmp(label, "DataArray_t") == 0 &&
        (strcmp(above, "Periodic_t") == 0 || strcmp(above, "RotatingCoordinates_t") == 0))
        return m->physical_dim;
    return 0;
}

static int64_t elements(int cgio, double id)
{
    cgsize_t size[DIMENSIONS];
    int n = 0;
    int64_t count = 1;
    if (cgio_get_dimensions(cgio, id, &n, size))
        return -1;
    for (int d = 0; d < n; d++) {
        if (size[d] < 0 || (size[d] > 0 && count > INT64_MAX / size[d]))
            return -1;
        count *= size[d];
    }
    return n ? count : 0;
}

/* "file: zone 'x', 'node'" of the nodes from the base to the one that is at fault. */
static void fault(struct an_mesh_reader *r, const struct step *s, const char *name, int64_t have,
                  int want)
{
    char where[1400];
    const int zone = s->depth > 0;
    snprintf(where, sizeof where, "%s%s%s%s%s%s%s", r->m->file,
             !zone          ? ""
             : s->in_family ? ": family '"
                            : ": zone '",
             zone ? s->zone : "", zone ? "'" : "", s->depth > 1 ? ", '" : "",
             s->depth > 1 ? s->node : "", s->depth > 1 ? "'" : "");
    an_diag_error(r->diag, where, "%s has %lld numbers instead of %d: the file is damaged", name,
                  (long long)have, want);
}

static int look(struct an_mesh_reader *r, int cgio, double id, const struct step *s);

static int look_at_child(struct an_mesh_reader *r, int cgio, double child, const struct step *s)
{
    char label[LABEL] = "", name[LABEL] = "";
    if (cgio_get_label(cgio, child, label) || cgio_get_name(cgio, child, name))
        return AN_OK; /* a link that leads nowhere: the library says so */
    const int want = wanted(r->m, s->label, label);
    const int64_t have = want ? elements(cgio, child) : 0;
    if (have != want) {
        fault(r, s, name, have, want);
        return AN_INPUT;
    }
    if (want || !is_entered(label))
        return AN_OK;
    struct step next = {.label = label,
                        .zone = s->zone,
                        .node = s->node,
                        .in_family = s->in_family || strcmp(label, "Family_t") == 0,
                        .depth = s->depth + 1};
    *(s->depth == 0 ? &next.zone : &next.node) = name;
    return look(r, cgio, child, &next);
}

static int look(struct an_mesh_reader *r, int cgio, double id, const struct step *s)
{
    int count = 0, got = 0, status = AN_OK;
    if (s->depth > DEEPEST || cgio_number_children(cgio, id, &count) || count < 1)
        return AN_OK;
    double *child = malloc((size_t)count * sizeof *child);
    AN_CHECK(child, AN_FAIL, "out of memory for the nodes of the mesh");
    if (cgio_children_ids(cgio, id, 1, count, &got, child))
        got = 0;
    for (int c = 0; c < got; c++) {
        if (status == AN_OK)
            status = look_at_child(r, cgio, child[c], s);
        cgio_release_id(cgio, child[c]);
    }
    free(child);
    return status;
}

int an_mesh_check_lengths(struct an_mesh_reader *r)
{
    const struct step base = {.label = "CGNSBase_t", .zone = "", .node = ""};
    char path[AN_NAME + 2];
    int cgio;
    double root, id;
    snprintf(path, sizeof path, "/%s", r->m->base_name);
    if (cg_get_cgio(r->fn, &cgio) != CG_OK || cg_root_id(r->fn, &root) != CG_OK ||
        cgio_get_node_id(cgio, root, path, &id))
        return an_mesh_library_error(r, r->m->file, "looking for its base");
    const int status = look(r, cgio, id, &base);
    cgio_release_id(cgio, id);
    return status;
}

/* Coordinates from the file, by the core of the CGNS library.
 *
 * A rank finds the arrays it needs by their names, /Base/Zone/GridCoordinates/CoordinateX, without a look at the rest
 * of the file. Zones of few nodes are read whole when the first node of them is asked for, and kept: the checks of a
 * mesh of many small zones ask for each of them some hundred times.
 */
#include <cgns_io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/cgns_names.h"
#include "io/cgns_tree.h"
#include "io/mesh_internal.h"

enum { KEPT_NODES = 1 << 16, KEPT_ALL = 1 << 23 }; /* of one zone; of all, in numbers */

struct array {
    double id; /* of cgio */
    int ndim, rind[3], single;
    cgsize_t dim[3];
    double *kept; /* [nodes]; NULL: not kept */
};

struct an_mesh_values {
    int file, nzone;
    struct array *array; /* [nzone][3]; ndim = 0: not looked for */
    int64_t kept;        /* numbers in memory */
};

int an_mesh_values_open(const struct an_mesh *m, struct an_mesh_values **values)
{
    struct an_mesh_values *v = calloc(1, sizeof *v);
    *values = v;
    AN_CHECK(v, AN_FAIL, "out of memory for the mesh");
    v->file = -1;
    v->nzone = m->topology.nblock;
    v->array = calloc((size_t)v->nzone * 3 + 1, sizeof *v->array);
    AN_CHECK(v->array, AN_FAIL, "out of memory for the mesh");
    v->file = m->fn;
    return AN_OK;
}

void an_mesh_values_close(struct an_mesh_values *v)
{
    if (!v)
        return;
    for (int n = 0; v->array && n < 3 * v->nzone; n++) {
        if (v->array[n].ndim)
            cgio_release_id(v->file, v->array[n].id);
        free(v->array[n].kept);
    }
    free(v->array);
    free(v);
}

/* Planes of nodes below the first one: Rind_t of the zone's coordinates. */
static int read_rind(int file, double grid, int ndim, int rind[3])
{
    double id;
    char type[CGIO_MAX_DATATYPE_LENGTH + 1] = "";
    int n = 0;
    int64_t longs[6] = {0};
    int32_t shorts[12] = {0};
    cgsize_t dim[AN_CGNS_DIMENSIONS] = {0};
    memset(rind, 0, 3 * sizeof *rind);
    if (!an_cgns_find(file, grid, "Rind", &id))
        return 0;
    const int good = !cgio_get_data_type(file, id, type) && type[0] == 'I' &&
                     !cgio_get_dimensions(file, id, &n, dim) && n == 1 && dim[0] == 2 * ndim &&
                     !cgio_read_all_data(file, id, longs);
    cgio_release_id(file, id);
    memcpy(shorts, longs, sizeof longs);
    for (int d = 0; d < ndim && good; d++) {
        const int64_t planes = type[1] == '8' ? longs[2 * d] : shorts[2 * d];
        rind[d] = planes < 0 || planes > 1 << 20 ? -1 : (int)planes;
    }
    return good;
}

/* The file's array: as many nodes as the zone has, and the planes around them that the Rind_t below *grid names. */
static int look_at(const struct an_mesh *m, int zone, const double *grid, struct array *a)
{
    const int *n = m->topology.block[zone].n;
    char type[CGIO_MAX_DATATYPE_LENGTH + 1] = "";
    int ndim = 0, more = 0;
    cgsize_t dim[AN_CGNS_DIMENSIONS] = {0};
    if (cgio_get_data_type(m->fn, a->id, type) || cgio_get_dimensions(m->fn, a->id, &ndim, dim) ||
        ndim != m->index_dim || (strcmp(type, "R4") && strcmp(type, "R8")))
        return 0;
    for (int d = 0; d < ndim; d++) {
        const int nodes = d == 2 && m->dimension == 2 ? 1 : n[d] + 1;
        a->dim[d] = dim[d];
        more |= dim[d] != nodes;
    }
    if (more && (!grid || !read_rind(m->fn, *grid, ndim, a->rind)))
        return 0;
    for (int d = 0; d < ndim; d++) {
        const int nodes = d == 2 && m->dimension == 2 ? 1 : n[d] + 1;
        if (a->rind[d] < 0 || a->rind[d] > a->dim[d] - nodes)
            return 0;
    }
    a->single = !strcmp(type, "R4");
    a->ndim = ndim;
    return 1;
}

/* The zone's node of coordinates, name by name. */
static int find_grid(const struct an_mesh *m, int zone, double *grid)
{
    const char *const name[3] = {m->base_name, m->topology.block[zone].name, AN_CGNS_COORDINATES};
    double above;
    if (cgio_get_root_id(m->fn, &above))
        return 0;
    for (int n = 0; n < 3; n++) {
        const int found = an_cgns_find(m->fn, above, name[n], grid);
        if (n)
            cgio_release_id(m->fn, above);
        if (!found)
            return 0;
        above = *grid;
    }
    return 1;
}

/* Most arrays have their names as they are told, and no planes around the nodes: one step is enough. */
static int find(const struct an_mesh *m, int zone, int axis, struct array *a)
{
    char path[4 * AN_NAME + 64];
    double root, grid;
    snprintf(path, sizeof path, "/%s/%s/" AN_CGNS_COORDINATES "/%s", m->base_name,
             m->topology.block[zone].name, an_cgns_coordinate[axis]);
    if (cgio_get_root_id(m->fn, &root))
        return 0;
    if (!cgio_get_node_id(m->fn, root, path, &a->id)) {
        if (look_at(m, zone, NULL, a))
            return 1;
        cgio_release_id(m->fn, a->id);
    }
    if (!find_grid(m, zone, &grid))
        return 0;
    int found = an_cgns_find(m->fn, grid, an_cgns_coordinate[axis], &a->id);
    if (found && !look_at(m, zone, &grid, a)) {
        cgio_release_id(m->fn, a->id);
        found = 0;
    }
    cgio_release_id(m->fn, grid);
    return found;
}

static void widen(double *x, int64_t count)
{
    const float *single = (const float *)(const void *)x;
    for (int64_t n = count - 1; n >= 0; n--) { /* in place, from the end */
        float value;
        memcpy(&value, &single[n], sizeof value);
        x[n] = (double)value;
    }
}

/* The box lo <= . < hi of the array, which has size[3] nodes from the file's node rind on. */
static int read_box(const struct array *a, int file, const int lo[3], const int hi[3], double *x)
{
    cgsize_t start[3], end[3], stride[3] = {1, 1, 1}, count[3], one[3] = {1, 1, 1};
    int64_t all = 1;
    for (int d = 0; d < 3; d++) {
        const int rind = d < a->ndim ? a->rind[d] : 0;
        start[d] = (cgsize_t)(lo[d] + rind + 1);
        end[d] = (cgsize_t)(hi[d] + rind);
        count[d] = (cgsize_t)(hi[d] - lo[d]);
        all *= d < a->ndim ? count[d] : 1;
    }
    if (cgio_read_data(file, a->id, start, end, stride, a->ndim, count, one, count, stride, x))
        return 0;
    if (a->single)
        widen(x, all);
    return 1;
}

static void forget(struct an_mesh_values *v)
{
    for (int n = 0; n < 3 * v->nzone; n++) {
        free(v->array[n].kept);
        v->array[n].kept = NULL;
    }
    v->kept = 0;
}

/* The whole zone, kept; 0 where it is too large or cannot be read. */
static int keep_array(const struct an_mesh *m, struct array *a, const int size[3])
{
    struct an_mesh_values *v = m->values;
    const int zero[3] = {0, 0, 0};
    const int64_t nodes = (int64_t)size[0] * size[1] * size[2];
    if (a->kept)
        return 1;
    if (nodes > KEPT_NODES)
        return 0;
    if (v->kept + nodes > KEPT_ALL)
        forget(v);
    a->kept = malloc((size_t)nodes * sizeof *a->kept);
    if (a->kept && !read_box(a, v->file, zero, size, a->kept)) {
        free(a->kept);
        a->kept = NULL;
    }
    v->kept += a->kept ? nodes : 0;
    return a->kept != NULL;
}

int an_mesh_values_read(const struct an_mesh *m, int zone, int axis, const int lo[3],
                        const int hi[3], double *x)
{
    struct array *a = &m->values->array[3 * zone + axis];
    const int *n = m->topology.block[zone].n;
    const int size[3] = {n[0] + 1, n[1] + 1, m->dimension == 2 ? 1 : n[2] + 1};
    int good = a->ndim || find(m, zone, axis, a);
    if (good && keep_array(m, a, size)) {
        for (int k = lo[2]; k < hi[2]; k++)
            for (int j = lo[1]; j < hi[1]; j++, x += hi[0] - lo[0])
                memcpy(x, a->kept + ((int64_t)k * size[1] + j) * size[0] + lo[0],
                       (size_t)(hi[0] - lo[0]) * sizeof *x);
        return AN_OK;
    }
    good = good && read_box(a, m->fn, lo, hi, x);
    AN_CHECK(good, AN_INPUT, "%s: zone '%s': cannot read %s%s%s", m->file,
             m->topology.block[zone].name, an_cgns_coordinate[axis], a->ndim ? ": " : "",
             a->ndim ? an_cgns_error() : "");
    return AN_OK;
}

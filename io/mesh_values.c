/* Coordinates on ranks that have not opened the mesh with the CGNS library.
 *
 * Opening a file with that library reads every node of its tree: thousands of zones times thousands
 * of ranks. Rank 0 does so once and tells the others what there is; these find the datasets they
 * need by their names, /Base/Zone/GridCoordinates/CoordinateX/ data, and read their ranges of
 * them. A file where that does not work (ADF, planes of 2-D zones, rind planes, other names) is
 * opened with the CGNS library after all, when that turns out.
 */
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#include "io/cgns_names.h"
#include "io/mesh_internal.h"

struct an_mesh_values {
    int64_t file; /* hid_t; < 0: none */
    int fn;       /* of the CGNS library; < 0: not opened */
};

static hid_t open_quietly(const char *path)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = -1;
    H5E_BEGIN_TRY
    {
        if (access >= 0 && H5Pset_file_locking(access, 0, 1) >= 0)
            file = H5Fopen(path, H5F_ACC_RDONLY, access);
    }
    H5E_END_TRY
    if (access >= 0)
        H5Pclose(access);
    return file;
}

int an_mesh_values_open(const struct an_mesh *m, struct an_mesh_values **values)
{
    struct an_mesh_values *v = malloc(sizeof *v);
    *values = v;
    AN_CHECK(v, AN_FAIL, "out of memory for the mesh");
    v->file = m->dimension == 3 && m->index_dim == 3 ? (int64_t)open_quietly(m->file) : -1;
    v->fn = -1;
    return AN_OK;
}

void an_mesh_values_close(struct an_mesh_values *v)
{
    if (!v)
        return;
    if (v->file >= 0)
        H5Fclose((hid_t)v->file);
    if (v->fn >= 0)
        cg_close(v->fn); /* read only: nothing can be lost */
    free(v);
}

/* Is it the array of the zone's nodes, no more and no less? */
static int has_shape(hid_t space, const int n[3])
{
    hsize_t size[3];
    if (H5Sget_simple_extent_ndims(space) != 3 || H5Sget_simple_extent_dims(space, size, NULL) != 3)
        return 0;
    for (int d = 0; d < 3; d++)
        if (size[2 - d] != (hsize_t)n[d] + 1)
            return 0;
    return 1;
}

static int read_range(hid_t data, const int n[3], const int lo[3], const int hi[3], double *x)
{
    hsize_t start[3], count[3];
    for (int d = 0; d < 3; d++) {
        start[2 - d] = (hsize_t)lo[d];
        count[2 - d] = (hsize_t)(hi[d] - lo[d]);
    }
    hid_t there = H5Dget_space(data), here = H5Screate_simple(3, count, NULL);
    const int good = there >= 0 && here >= 0 && has_shape(there, n) &&
                     H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                     H5Dread(data, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, x) >= 0;
    if (here >= 0)
        H5Sclose(here);
    if (there >= 0)
        H5Sclose(there);
    return good;
}

int an_mesh_values_read(const struct an_mesh *m, int zone, const char *name, const int lo[3],
                        const int hi[3], double *x)
{
    const struct an_mesh_values *v = m->values;
    const struct an_zone *z = &m->topology.block[zone];
    char path[256];
    int good = 0;
    if (v->file < 0)
        return 0;
    snprintf(path, sizeof path, "/%s/%s/" AN_CGNS_COORDINATES "/%s/ data", m->base_name, z->name,
             name);
    H5E_BEGIN_TRY
    {
        hid_t data = H5Dopen2((hid_t)v->file, path, H5P_DEFAULT);
        if (data >= 0) {
            good = read_range(data, z->n, lo, hi, x);
            H5Dclose(data);
        }
    }
    H5E_END_TRY
    return good;
}

int an_mesh_values_library(const struct an_mesh *m, int *fn)
{
    struct an_mesh_values *v = m->values;
    if (v->fn < 0 && cg_open(m->file, CG_MODE_READ, &v->fn) != CG_OK) {
        v->fn = -1;
        return an_error_set(AN_INPUT, "%s: cannot be opened (%s)", m->file, cg_get_error());
    }
    *fn = v->fn;
    return AN_OK;
}

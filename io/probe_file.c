#include "io/probe_file.h"

#include "kernels/base/error.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_SIZE = 64, CHUNK = 256 };

struct column {
    const char *name;
    int rank;
    hsize_t width[3]; /* of a row: [0] is the number of rows */
    hid_t type;
    const void *data;
};

static void columns_of(const struct an_probe_rows *r, struct column c[3])
{
    const hsize_t n = (hsize_t)r->probes;
    c[0] = (struct column){"iteration", 1, {0, 0, 0}, H5T_NATIVE_INT64, r->iteration};
    c[1] = (struct column){"time", 1, {0, 0, 0}, H5T_NATIVE_DOUBLE, r->time};
    c[2] = (struct column){"value", 3, {0, n, AN_PROBE_VALUES}, H5T_NATIVE_DOUBLE, r->value};
}

/* Are the points of the file those of r? */
static int is_of(hid_t file, const struct an_probe_rows *r)
{
    const size_t size = (size_t)r->probes * sizeof *r->point;
    double(*point)[3] = malloc(size + 1);
    hid_t set = H5Dopen2(file, "point", H5P_DEFAULT);
    hid_t space = set < 0 ? -1 : H5Dget_space(set);
    int same = point && space >= 0 && H5Sget_simple_extent_npoints(space) == 3 * r->probes &&
               H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, point) >= 0 &&
               memcmp(point, r->point, size) == 0;
    if (space >= 0)
        H5Sclose(space);
    if (set >= 0)
        H5Dclose(set);
    free(point);
    return same;
}

/* Writes a dataset that does not grow. */
static int put(hid_t file, const char *name, hid_t type, int rank, const hsize_t *size,
               const void *data)
{
    hid_t space = H5Screate_simple(rank, size, NULL);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    int bad = set < 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0;
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(space);
    return bad;
}

static int put_names(hid_t file, const struct an_probe_rows *r)
{
    const hsize_t n = (hsize_t)r->probes;
    char *text = calloc((size_t)r->probes + 1, NAME_SIZE);
    hid_t type = H5Tcopy(H5T_C_S1);
    int bad = !text || H5Tset_size(type, NAME_SIZE) < 0;
    for (int p = 0; p < r->probes && !bad; p++)
        strncpy(text + (size_t)p * NAME_SIZE, r->name[p], NAME_SIZE - 1);
    bad = bad || put(file, "name", type, 1, &n, text);
    H5Tclose(type);
    free(text);
    return bad;
}

static int make_file(hid_t file, const struct an_probe_rows *r)
{
    struct column column[3];
    const hsize_t points[2] = {(hsize_t)r->probes, 3};
    columns_of(r, column);
    int bad = put_names(file, r) || put(file, "point", H5T_NATIVE_DOUBLE, 2, points, r->point) ||
              put(file, "centre", H5T_NATIVE_DOUBLE, 2, points, r->centre);
    for (int n = 0; n < 3 && !bad; n++) {
        struct column *c = &column[n];
        hsize_t most[3] = {H5S_UNLIMITED, c->width[1], c->width[2]};
        hsize_t chunk[3] = {CHUNK, c->width[1], c->width[2]};
        hid_t space = H5Screate_simple(c->rank, c->width, most),
              how = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(how, c->rank, chunk);
        hid_t set = H5Dcreate2(file, c->name, c->type, space, H5P_DEFAULT, how, H5P_DEFAULT);
        bad = set < 0;
        if (set >= 0)
            H5Dclose(set);
        H5Pclose(how);
        H5Sclose(space);
    }
    return bad;
}

/* Number of rows of iterations up to `after`. */
static hsize_t rows_kept(hid_t file, int64_t after)
{
    hid_t set = H5Dopen2(file, "iteration", H5P_DEFAULT), space = set < 0 ? -1 : H5Dget_space(set);
    const hssize_t rows = space < 0 ? 0 : H5Sget_simple_extent_npoints(space);
    int64_t *iteration = malloc((size_t)(rows > 0 ? rows : 0) * sizeof *iteration + 1);
    hsize_t kept = 0;
    if (rows > 0 && iteration &&
        H5Dread(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, iteration) >= 0)
        while (kept < (hsize_t)rows && iteration[kept] <= after)
            kept++;
    free(iteration);
    if (space >= 0)
        H5Sclose(space);
    if (set >= 0)
        H5Dclose(set);
    return kept;
}

static int append(hid_t file, const struct column *c, hsize_t kept, hsize_t rows)
{
    hsize_t size[3] = {kept + rows, c->width[1], c->width[2]}, from[3] = {kept, 0, 0};
    hsize_t count[3] = {rows, c->width[1], c->width[2]};
    hid_t set = H5Dopen2(file, c->name, H5P_DEFAULT);
    int bad = set < 0 || H5Dset_extent(set, size) < 0;
    if (!bad && rows > 0) {
        hid_t there = H5Dget_space(set), here = H5Screate_simple(c->rank, count, NULL);
        H5Sselect_hyperslab(there, H5S_SELECT_SET, from, NULL, count, NULL);
        bad = H5Dwrite(set, c->type, here, there, H5P_DEFAULT, c->data) < 0;
        H5Sclose(here);
        H5Sclose(there);
    }
    if (set >= 0)
        H5Dclose(set);
    return bad;
}

int an_probe_file_append(const char *path, const struct an_probe_rows *r, int64_t after)
{
    struct column column[3];
    hid_t file = -1;
    int bad = 0;
    if (access(path, F_OK) == 0 && H5Fis_hdf5(path) > 0) {
        file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        if (file >= 0 && !is_of(file, r)) {
            H5Fclose(file);
            file = -1;
        }
    }
    if (file < 0 &&
        after > 0) { /* of other points, or damaged: a run that goes on keeps it aside */
        char aside[4200];
        const int size = snprintf(aside, sizeof aside, "%s.until_%lld", path, (long long)after);
        if (size > 0 && (size_t)size < sizeof aside && access(aside, F_OK))
            (void)rename(path, aside);
    }
    if (file < 0) {
        file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        bad = file < 0 || make_file(file, r);
    }
    const hsize_t kept = bad ? 0 : rows_kept(file, after);
    columns_of(r, column);
    for (int n = 0; n < 3 && !bad; n++)
        bad = append(file, &column[n], kept, (hsize_t)r->rows);
    bad = (file >= 0 && H5Fclose(file) < 0) || bad;
    AN_CHECK(!bad, AN_FAIL, "%s cannot be written: is the disk full?", path);
    return AN_OK;
}

#include "io/gas_file.h"

#include "kernels/base/error.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { FORMAT = 1, MOST_NODES = 1024 };

static const char *const names[AN_NTABLE] = {"e", "T", "s", "mu", "lambda"};

/* Extent of a dataset of the given rank; 0: there is none of it. */
static int extent_of(hid_t set, int rank, hsize_t n[3])
{
    const hid_t space = H5Dget_space(set);
    const int fits = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
                     H5Sget_simple_extent_dims(space, n, NULL) == rank;
    if (space >= 0)
        H5Sclose(space);
    return fits;
}

/* Reads a dataset of exactly this extent. */
static int read_set(hid_t file, const char *name, int rank, const hsize_t want[3], hid_t type,
                    void *to)
{
    hsize_t n[3] = {0};
    if (H5Lexists(file, name, H5P_DEFAULT) <= 0)
        return 0;
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    int fits = set >= 0 && extent_of(set, rank, n);
    for (int d = 0; d < rank && fits; d++)
        fits = n[d] == want[d];
    fits = fits && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) >= 0;
    if (set >= 0)
        H5Dclose(set);
    return fits;
}

static int read_number(hid_t file, const char *name, double *x)
{
    if (H5Aexists(file, name) <= 0)
        return 0;
    const hid_t a = H5Aopen(file, name, H5P_DEFAULT);
    const hid_t space = a >= 0 ? H5Aget_space(a) : -1;
    const int good = space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                     H5Aread(a, H5T_NATIVE_DOUBLE, x) >= 0;
    if (space >= 0)
        H5Sclose(space);
    if (a >= 0)
        H5Aclose(a);
    return good;
}

/* A text of fixed length; "" where there is none. */
static void read_text(hid_t file, const char *name, size_t size, char *to)
{
    memset(to, 0, size);
    if (H5Aexists(file, name) <= 0)
        return;
    const hid_t a = H5Aopen(file, name, H5P_DEFAULT), type = H5Tcopy(H5T_C_S1);
    const hid_t stored = a >= 0 ? H5Aget_type(a) : -1;
    if (stored >= 0 && H5Tget_class(stored) == H5T_STRING && H5Tis_variable_str(stored) == 0 &&
        H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5Tget_cset(stored)) >= 0)
        H5Aread(a, type, to);
    to[size - 1] = '\0';
    for (char *c = to; *c; c++) /* one line of plain text for messages */
        *c = *c >= ' ' && *c < 127 ? *c : '?';
    if (stored >= 0)
        H5Tclose(stored);
    if (a >= 0)
        H5Aclose(a);
    H5Tclose(type);
}

/* Values of the file. */
struct content {
    double box[4], R, format;
    int n[2], transport;
    double *nodes;
    unsigned char *outside;
};

static int read_nodes(hid_t file, const char *path, struct content *c)
{
    hsize_t n[3] = {0};
    const hid_t e = H5Lexists(file, "e", H5P_DEFAULT) > 0 ? H5Dopen2(file, "e", H5P_DEFAULT) : -1;
    const int good = e >= 0 && extent_of(e, 3, n) && n[2] == 4;
    if (e >= 0)
        H5Dclose(e);
    AN_CHECK(good && n[0] >= 4 && n[1] >= 4 && n[0] <= MOST_NODES && n[1] <= MOST_NODES, AN_INPUT,
             "%s: '/e' must be an array of 4 to %d x 4 to %d x 4 numbers", path, MOST_NODES,
             MOST_NODES);
    c->n[0] = (int)n[1];
    c->n[1] = (int)n[0];
    const size_t count = (size_t)(n[0] * n[1]);
    c->nodes = calloc(AN_NTABLE * 4 * count, sizeof *c->nodes);
    c->outside = calloc(count, 1);
    AN_CHECK(c->nodes && c->outside, AN_FAIL, "out of memory for a gas table");
    for (int f = 0; f < AN_NTABLE; f++) {
        const int optional = f >= AN_TABLE_MU;
        const int got =
            read_set(file, names[f], 3, n, H5T_NATIVE_DOUBLE, c->nodes + 4 * count * (size_t)f);
        AN_CHECK(got || (optional && H5Lexists(file, names[f], H5P_DEFAULT) <= 0), AN_INPUT,
                 "%s: '/%s' is not there or has not the extent of '/e'", path, names[f]);
        if (optional)
            c->transport += got;
    }
    AN_CHECK(read_set(file, "outside", 2, n, H5T_NATIVE_UCHAR, c->outside), AN_INPUT,
             "%s: '/outside' is not there or has not the extent of '/e'", path);
    return AN_OK;
}

static int read_content(hid_t file, const char *path, struct content *c)
{
    const hsize_t four[3] = {4};
    AN_CHECK(read_number(file, "format", &c->format), AN_INPUT,
             "%s: no gas table; tools/gas_table makes them", path);
    AN_CHECK(c->format == FORMAT, AN_INPUT, "%s: format %g of gas tables; this program reads %d",
             path, c->format, FORMAT);
    AN_CHECK(read_number(file, "R", &c->R), AN_INPUT, "%s: attribute 'R' is missing", path);
    AN_CHECK(read_set(file, "box", 1, four, H5T_NATIVE_DOUBLE, c->box), AN_INPUT,
             "%s: '/box' is not there or has not four numbers", path);
    AN_TRY(read_nodes(file, path, c));
    AN_CHECK(c->transport != 1, AN_INPUT, "%s: '/mu' and '/lambda' must both be there, or neither",
             path);
    return AN_OK;
}

static uint64_t checksum_of(const struct content *c)
{
    const size_t count = (size_t)c->n[0] * (size_t)c->n[1];
    XXH64_state_t *state = XXH64_createState();
    if (!state)
        return 0;
    XXH64_reset(state, 0);
    XXH64_update(state, c->n, sizeof c->n);
    XXH64_update(state, c->box, sizeof c->box);
    XXH64_update(state, &c->R, sizeof c->R);
    XXH64_update(state, c->nodes, AN_NTABLE * 4 * count * sizeof *c->nodes);
    XXH64_update(state, c->outside, count);
    const uint64_t hash = XXH64_digest(state);
    XXH64_freeState(state);
    return hash;
}

int an_gas_file_read(const char *path, struct an_gas_table **table)
{
    struct content c = {.R = 0};
    H5E_auto2_t print;
    void *data;
    *table = NULL;
    H5Eget_auto2(H5E_DEFAULT, &print, &data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* messages are this program's own */
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    int status = file >= 0 ? read_content(file, path, &c)
                           : an_error_set(AN_INPUT, "%s cannot be read as an HDF5 file", path);
    if (status == AN_OK) {
        const double low[2] = {c.box[0], c.box[2]}, step[2] = {c.box[1], c.box[3]};
        status = an_gas_table_new(c.n, low, step, c.R, c.nodes, c.outside, table);
        if (status == AN_OK) {
            (*table)->transport = c.transport == 2;
            (*table)->checksum = checksum_of(&c);
            read_text(file, "fluid", sizeof(*table)->fluid, (*table)->fluid);
            read_text(file, "source", sizeof(*table)->source, (*table)->source);
        }
    }
    if (file >= 0)
        H5Fclose(file);
    H5Eset_auto2(H5E_DEFAULT, print, data);
    free(c.nodes);
    free(c.outside);
    return status;
}

/* Is this file a whole snapshot, and of this mesh? Asked on one rank, before all ranks open it. */
#include <errno.h>
#include <hdf5.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/cgns_names.h"
#include "io/snapshot_file.h"

/* Reads the text of the record; NULL when there is none. */
static char *read_record(hid_t file, size_t *length)
{
    char *text = NULL;
    hid_t data = H5Dopen2(file, "/" AN_CGNS_BASE "/" AN_SNAPSHOT_RECORD "/ data", H5P_DEFAULT);
    if (data < 0)
        return NULL;
    hid_t space = H5Dget_space(data), type = H5Dget_type(data);
    hssize_t n = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    if (n > 0 && n < AN_SNAPSHOT_LONGEST && type >= 0 && H5Tget_class(type) == H5T_INTEGER &&
        H5Tget_size(type) == 1 && (text = malloc((size_t)n + 1))) {
        *length = (size_t)n;
        text[n] = '\0';
        if (H5Dread(data, H5T_NATIVE_CHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) {
            free(text);
            text = NULL;
        }
    }
    if (type >= 0)
        H5Tclose(type);
    if (space >= 0)
        H5Sclose(space);
    H5Dclose(data);
    return text;
}

static int check_size(hid_t file, const char *path, const struct an_zone *z)
{
    char name[160];
    snprintf(name, sizeof name, "/" AN_CGNS_BASE "/%s/ data", z->name);
    hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
    AN_CHECK(data >= 0, AN_INPUT, "%s: there is no zone '%s': the snapshot belongs to another mesh",
             path, z->name);
    int64_t size[9] = {0};
    hid_t space = H5Dget_space(data);
    int good = space >= 0 && H5Sget_simple_extent_npoints(space) == 9 &&
               H5Dread(data, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, size) >= 0;
    if (space >= 0)
        H5Sclose(space);
    H5Dclose(data);
    AN_CHECK(good, AN_INPUT, "%s: the size of zone '%s' cannot be read", path, z->name);
    AN_CHECK(size[3] == z->n[0] && size[4] == z->n[1] && size[5] == z->n[2], AN_INPUT,
             "%s: zone '%s' has %" PRId64 " x %" PRId64 " x %" PRId64
             " cells there and %d x %d x %d in the mesh",
             path, z->name, size[3], size[4], size[5], z->n[0], z->n[1], z->n[2]);
    return AN_OK;
}

/* Shape and type of a field, and that its bytes lie inside the file. */
static int check_field(hid_t file, const char *path, const struct an_zone *z, const char *field,
                       size_t bytes, hsize_t file_size)
{
    char name[256];
    snprintf(name, sizeof name, "/" AN_CGNS_BASE "/%s/" AN_CGNS_SOLUTION "/%s/ data", z->name,
             field);
    hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
    AN_CHECK(data >= 0, AN_INPUT, "%s: zone '%s' has no field '%s'", path, z->name, field);
    hid_t space = H5Dget_space(data), type = H5Dget_type(data);
    hsize_t n[3] = {0};
    int good = space >= 0 && type >= 0 && H5Sget_simple_extent_ndims(space) == 3 &&
               H5Sget_simple_extent_dims(space, n, NULL) == 3 && n[0] == (hsize_t)z->n[2] &&
               n[1] == (hsize_t)z->n[1] && n[2] == (hsize_t)z->n[0] &&
               H5Tget_class(type) == H5T_FLOAT && H5Tget_size(type) == bytes;
    if (good) {
        haddr_t offset = H5Dget_offset(data);
        good = offset != HADDR_UNDEF && offset <= file_size &&
               n[0] * n[1] * n[2] * bytes <= file_size - offset;
    }
    if (type >= 0)
        H5Tclose(type);
    if (space >= 0)
        H5Sclose(space);
    H5Dclose(data);
    AN_CHECK(good, AN_INPUT, "%s: field '%s' of zone '%s' is damaged", path, field, z->name);
    return AN_OK;
}

static int check_mesh(hid_t file, const char *path, const struct an_mesh *mesh,
                      const struct an_snapshot_record *r)
{
    const struct an_topology *t = &mesh->topology;
    hsize_t file_size = 0;
    AN_CHECK(H5Fget_filesize(file, &file_size) >= 0, AN_INPUT, "%s: its size is unknown", path);
    for (int n = 0; n < t->nblock; n++)
        AN_TRY(check_size(file, path, &t->block[n]));
    AN_CHECK(r->nzone == t->nblock, AN_INPUT, "%s: %d zones there and %d in the mesh", path,
             r->nzone, t->nblock);
    AN_CHECK(r->meta.mesh_hash == mesh->hash, AN_INPUT,
             "%s: written on another mesh: the zones are the same but boundaries or interfaces "
             "differ",
             path);
    for (int n = 0; n < t->nblock; n++)
        for (int m = 0; m < r->nfield; m++)
            AN_TRY(
                check_field(file, path, &t->block[n], r->field[m], r->meta.precision, file_size));
    return AN_OK;
}

static int inspect(const char *path, const struct an_mesh *mesh, struct an_snapshot_record *record)
{
    struct stat s;
    AN_CHECK(stat(path, &s) == 0, AN_INPUT, "%s: %s", path, strerror(errno));
    AN_CHECK(S_ISREG(s.st_mode), AN_INPUT, "%s is not a file", path); /* a pipe would never end */
    AN_TRY(an_snapshot_seal_check(path));
    /* No locks: they fail on file systems that lack them, and a snapshot never changes. */
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    AN_CHECK(access >= 0 && H5Pset_file_locking(access, 0, 1) >= 0, AN_FAIL,
             "HDF5 cannot make a property list");
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    AN_CHECK(file >= 0, AN_INPUT, "%s is not an HDF5 file", path);
    size_t length = 0;
    char *text = read_record(file, &length);
    int status = text ? an_snapshot_record_parse(path, text, length, record)
                      : an_error_set(AN_INPUT, "%s was not written by annulus", path);
    free(text);
    const int read = status == AN_OK;
    if (status == AN_OK && mesh)
        status = check_mesh(file, path, mesh, record);
    if (read && status != AN_OK)
        an_snapshot_controls_free(&record->meta);
    H5Fclose(file);
    return status;
}

int an_snapshot_inspect(const char *path, const struct an_mesh *mesh,
                        struct an_snapshot_record *record)
{
    int status = AN_FAIL;
    H5E_BEGIN_TRY
    {
        status = inspect(path, mesh, record);
    }
    H5E_END_TRY
    return status;
}

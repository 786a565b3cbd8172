/* The seal at the end of a snapshot: a checksum of every byte that is not a cell's value.
 *
 * HDF5 1.10 does not survive all damage to the structure of a file (it can leave objects open that
 * it then fails to close when the process ends), so damage is found before HDF5 sees the file.
 * Readers of CGNS and HDF5 do not look behind the end that the file declares, where the seal is:
 *
 *   [HDF5 file, `bytes` long][where values lie: nextent x (offset, size)][struct seal]
 */
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "io/cgns_names.h"
#include "io/snapshot_file.h"
#include "io/whole.h"

struct extent {
    int64_t offset, size;
};

struct seal {
    char magic[8];
    int64_t bytes, nextent;
    uint64_t hash; /* XXH64 of the bytes outside all extents, then of the extents */
};

static const char magic[8] = {'a', 'n', 'n', 'u', 'l', 'u', 's', '1'};

static int ascending(const void *a, const void *b)
{
    const struct extent *p = a, *q = b;
    return (p->offset > q->offset) - (p->offset < q->offset);
}

static int hash_range(int fd, XXH64_state_t *state, int64_t from, int64_t to)
{
    char buffer[1 << 16];
    while (from < to) {
        const int64_t want =
            to - from < (int64_t)sizeof buffer ? to - from : (int64_t)sizeof buffer;
        const ssize_t got = pread(fd, buffer, (size_t)want, from);
        if (got <= 0)
            return 0;
        XXH64_update(state, buffer, (size_t)got);
        from += got;
    }
    return 1;
}

/* 0 where the file cannot be read or the extents do not lie in it one after the other. */
static int hash_file(int fd, int64_t bytes, const struct extent *e, int64_t nextent, uint64_t *hash)
{
    XXH64_state_t *state = XXH64_createState();
    int good = state != NULL;
    int64_t at = 0;
    if (good)
        XXH64_reset(state, 0);
    for (int64_t n = 0; good && n < nextent; n++) {
        good = e[n].offset >= at && e[n].size >= 0 && e[n].size <= bytes - e[n].offset &&
               hash_range(fd, state, at, e[n].offset);
        at = good ? e[n].offset + e[n].size : at;
    }
    good = good && hash_range(fd, state, at, bytes);
    if (good) {
        XXH64_update(state, e, (size_t)nextent * sizeof *e);
        *hash = XXH64_digest(state);
    }
    XXH64_freeState(state);
    return good;
}

/* Where the values of each field of each zone lie. */
static int find_extents(const char *path, const struct an_topology *t,
                        const struct an_snapshot_record *r, struct extent *e)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = -1;
    if (access >= 0 && H5Pset_file_locking(access, 0, 1) >= 0)
        file = H5Fopen(path, H5F_ACC_RDONLY, access);
    if (access >= 0)
        H5Pclose(access);
    int good = file >= 0;
    for (int zone = 0; good && zone < t->nblock; zone++)
        for (int f = 0; good && f < r->nfield; f++, e++) {
            char name[256];
            const int *n = t->block[zone].n;
            snprintf(name, sizeof name, "/" AN_CGNS_BASE "/%s/" AN_CGNS_SOLUTION "/%s/ data",
                     t->block[zone].name, r->field[f]);
            hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
            haddr_t offset = data < 0 ? HADDR_UNDEF : H5Dget_offset(data);
            good = offset != HADDR_UNDEF;
            *e = (struct extent){(int64_t)offset, (int64_t)n[0] * n[1] * n[2] * r->meta.precision};
            if (data >= 0)
                H5Dclose(data);
        }
    if (file >= 0 && H5Fclose(file) < 0)
        good = 0;
    return good;
}

int an_snapshot_seal(const char *path, const struct an_topology *t,
                     const struct an_snapshot_record *r)
{
    struct seal s = {.nextent = (int64_t)t->nblock * r->nfield};
    struct stat st;
    struct extent *e = malloc((size_t)s.nextent * sizeof *e);
    AN_CHECK(e, AN_FAIL, "out of memory");
    memcpy(s.magic, magic, sizeof magic);
    int good = 0;
    H5E_BEGIN_TRY
    {
        good = find_extents(path, t, r, e);
    }
    H5E_END_TRY
    errno = 0;
    int fd = good ? open(path, O_RDWR) : -1;
    good = fd >= 0 && fstat(fd, &st) == 0;
    if (good) {
        qsort(e, (size_t)s.nextent, sizeof *e, ascending);
        s.bytes = st.st_size;
        const size_t size = (size_t)s.nextent * sizeof *e;
        good = hash_file(fd, s.bytes, e, s.nextent, &s.hash) &&
               an_pwrite_whole(fd, e, size, s.bytes) &&
               an_pwrite_whole(fd, &s, sizeof s, s.bytes + (off_t)size);
    }
    const int error = errno;
    if (fd >= 0 && close(fd))
        good = 0;
    free(e);
    AN_CHECK(good, AN_FAIL, "%s cannot be finished: %s", path,
             error == ENOSPC ? "the disk is full" : "it does not read back as it was written");
    return AN_OK;
}

static int check(int fd, const char *path)
{
    struct stat st;
    struct seal s;
    AN_CHECK(fstat(fd, &st) == 0 && st.st_size > (off_t)sizeof s &&
                 an_pread_whole(fd, &s, sizeof s, st.st_size - (off_t)sizeof s) &&
                 memcmp(s.magic, magic, sizeof magic) == 0,
             AN_INPUT, "%s is no snapshot of annulus, or one that was cut short", path);
    const int64_t rest = (int64_t)st.st_size - (int64_t)sizeof s;
    AN_CHECK(s.nextent > 0 && s.nextent <= rest / (int64_t)sizeof(struct extent) &&
                 s.bytes == rest - s.nextent * (int64_t)sizeof(struct extent),
             AN_INPUT, "%s is damaged (the seal at its end cannot be understood)", path);
    const size_t size = (size_t)s.nextent * sizeof(struct extent);
    struct extent *e = malloc(size);
    AN_CHECK(e, AN_FAIL, "out of memory");
    uint64_t hash = 0;
    int good = an_pread_whole(fd, e, size, s.bytes) &&
               hash_file(fd, s.bytes, e, s.nextent, &hash) && hash == s.hash;
    free(e);
    AN_CHECK(good, AN_INPUT,
             "%s is damaged or was changed after it was written (its checksum does not fit)", path);
    return AN_OK;
}

int an_snapshot_seal_check(const char *path)
{
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return an_error_set(AN_INPUT, "snapshot %s: %s", path, strerror(errno));
    int status = check(fd, path);
    close(fd);
    return status;
}

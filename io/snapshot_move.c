/* Cells between memory and file.
 *
 * A zone that one rank holds whole is moved by that rank alone, straight to or from the bytes where its values lie: a
 * mesh of a thousand zones has tens of thousands of datasets, and to open each of them on all ranks takes many times
 * longer than its values. All other zones are moved collectively, with the parallel HDF5.
 * Every dataset (field of a zone) is written in rounds: in round r each rank writes its r-th slab
 * of that zone, or nothing. All ranks agree on the number of rounds beforehand, so each of them
 * makes the same collective calls whatever it holds, and goes on making them after a failure.
 */
#include <assert.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/cgns_names.h"
#include "io/snapshot_file.h"
#include "io/whole.h"

/* MPI-IO counts bytes in int here and there: a slab stays well below 2 GiB. */
enum { SLAB_BYTES = 1 << 29 };

/* A part of a piece that is contiguous in memory. */
struct slab {
    int piece, lo[3], hi[3];
};

struct plan {
    int nslab, capacity;
    struct slab *slab; /* sorted by zone */
    int *first;        /* [nzone + 1] slabs of zone z: first[z] <= s < first[z+1] */
    int *rounds;       /* [nzone] most slabs any rank has of the zone */
    int nwhole;
    int *whole;       /* [nwhole] pieces that are moved without the others */
    int64_t *offset;  /* [nwhole][nfield] bytes; of these */
    int *head, *next; /* [nzone], [npiece] the pieces of each zone, one after the other; -1: none */
};

int an_snapshot_agree(MPI_Comm comm, int status)
{
    struct {
        int status, rank;
    } worst = {status, 0};
    int rank;
    char text[1024];
    if (MPI_Comm_rank(comm, &rank))
        return an_error_set(AN_FAIL, "MPI_Comm_rank failed");
    worst.rank = rank;
    if (MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_2INT, MPI_MAXLOC, comm))
        return an_error_set(AN_FAIL, "MPI_Allreduce failed");
    if (worst.status == AN_OK)
        return AN_OK;
    snprintf(text, sizeof text, "%s", an_error_text());
    if (MPI_Bcast(text, sizeof text, MPI_CHAR, worst.rank, comm))
        return an_error_set(AN_FAIL, "MPI_Bcast failed");
    return an_error_set(worst.status, "%s", text);
}

/* What a row of cells adds, the first of which is number `cell` of its zone. `precision` is a constant where this is
 * called: a copy of a known length is no call. */
static inline uint64_t row_sum(const char *data, int count, uint64_t cell, uint64_t seed,
                               size_t precision)
{
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        uint64_t bits = 0;
        memcpy(&bits, data + (size_t)i * precision, precision);
        uint64_t h = bits + seed + (cell + (uint64_t)i) * 0x9e3779b97f4a7c15u;
        /* finalizer of splitmix64 (Steele, Lea and Flood 2014): one-to-one, so that a changed value
         * always changes its term */
        h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
        h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
        sum += h ^ (h >> 31);
    }
    return sum;
}

uint64_t an_snapshot_checksum(const struct an_topology *t, int zone, const int lo[3],
                              const int hi[3], enum an_precision precision, const void *data)
{
    const int *n = t->block[zone].n, count = hi[0] - lo[0];
    const uint64_t seed = ((uint64_t)zone + 1) * 0xd6e8feb86659fd93u;
    uint64_t sum = 0;
    const char *row = data;
    for (int k = lo[2]; k < hi[2]; k++)
        for (int j = lo[1]; j < hi[1]; j++, row += (size_t)count * precision) {
            const uint64_t cell = (uint64_t)(((int64_t)k * n[1] + j) * n[0] + lo[0]);
            sum += precision == AN_DOUBLE ? row_sum(row, count, cell, seed, sizeof(double))
                                          : row_sum(row, count, cell, seed, sizeof(float));
        }
    return sum;
}

static int add_slab(struct plan *p, int piece, const int lo[3], const int hi[3])
{
    if (p->nslab == p->capacity) {
        int capacity = p->capacity ? 2 * p->capacity : 64;
        struct slab *grown = realloc(p->slab, (size_t)capacity * sizeof *grown);
        AN_CHECK(grown, AN_FAIL, "out of memory");
        p->slab = grown;
        p->capacity = capacity;
    }
    struct slab *s = &p->slab[p->nslab++];
    s->piece = piece;
    memcpy(s->lo, lo, sizeof s->lo);
    memcpy(s->hi, hi, sizeof s->hi);
    return AN_OK;
}

/* Cuts a piece into planes of k, and a plane that is too large into rows of j. */
static int cut_piece(struct plan *p, int index, const struct an_snapshot_piece *piece)
{
    const int *lo = piece->lo, *hi = piece->hi;
    const int64_t row = (int64_t)(hi[0] - lo[0]) * 8, plane = row * (hi[1] - lo[1]);
    if (hi[0] <= lo[0] || hi[1] <= lo[1] || hi[2] <= lo[2])
        return AN_OK;
    const int64_t planes = plane <= SLAB_BYTES ? SLAB_BYTES / plane : 1;
    const int64_t rows = plane <= SLAB_BYTES ? hi[1] - lo[1] : SLAB_BYTES / row;
    for (int64_t k = lo[2]; k < hi[2]; k += planes)
        for (int64_t j = lo[1]; j < hi[1]; j += rows) {
            const int from[3] = {lo[0], (int)j, (int)k};
            const int to[3] = {hi[0], (int)(j + rows < hi[1] ? j + rows : hi[1]),
                               (int)(k + planes < hi[2] ? k + planes : hi[2])};
            AN_TRY(add_slab(p, index, from, to));
        }
    return AN_OK;
}

static int is_whole(const struct an_snapshot_transfer *t, const struct an_snapshot_piece *piece)
{
    const int *n = t->topology->block[piece->zone].n;
    for (int d = 0; d < 3; d++)
        if (piece->lo[d] != 0 || piece->hi[d] != n[d])
            return 0;
    return 1;
}

static void name_of(const struct an_snapshot_transfer *t, int zone, int field, char name[256])
{
    snprintf(name, 256, "/" AN_CGNS_BASE "/%s/" AN_CGNS_SOLUTION "/%s/ data",
             t->topology->block[zone].name, t->field_name[field]);
}

/* Where the values of a zone's field lie; -1: not in one row, as numbers of this machine, or nowhere. */
static int64_t offset_of(const struct an_snapshot_transfer *t, hid_t file, int zone, int field)
{
    char name[256];
    name_of(t, zone, field, name);
    const hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
    if (data < 0)
        return -1;
    const hid_t type = H5Dget_type(data), space = H5Dget_space(data);
    const int *n = t->topology->block[zone].n;
    const haddr_t offset = H5Dget_offset(data);
    const int good =
        offset != HADDR_UNDEF && type >= 0 && space >= 0 &&
        H5Tequal(type, t->file_precision == AN_SINGLE ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE) > 0 &&
        H5Sget_simple_extent_npoints(space) == (hssize_t)n[0] * n[1] * n[2];
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    H5Dclose(data);
    return good ? (int64_t)offset : -1;
}

static hid_t open_alone(const char *path)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = -1;
    if (access >= 0 && H5Pset_file_locking(access, 0, 1) >= 0)
        file = H5Fopen(path, H5F_ACC_RDONLY, access);
    if (access >= 0)
        H5Pclose(access);
    return file;
}

/* Finds the values of the zones that this rank holds whole; a zone where that does not work is moved by all ranks. */
static int plan_whole(struct plan *p, const struct an_snapshot_transfer *t)
{
    int wanted = 0;
    for (int n = 0; n < t->npiece; n++)
        wanted += is_whole(t, &t->piece[n]);
    if (!wanted)
        return AN_OK;
    p->whole = malloc((size_t)wanted * sizeof *p->whole);
    p->offset = malloc((size_t)wanted * (size_t)t->nfield * sizeof *p->offset);
    AN_CHECK(p->whole && p->offset, AN_FAIL, "out of memory");
    const hid_t file = open_alone(t->path);
    for (int n = 0; n < t->npiece && file >= 0; n++) {
        int64_t *offset = p->offset + (int64_t)p->nwhole * t->nfield;
        int good = is_whole(t, &t->piece[n]);
        for (int f = 0; f < t->nfield && good; f++) {
            offset[f] = offset_of(t, file, t->piece[n].zone, f);
            good = offset[f] >= 0;
        }
        if (good)
            p->whole[p->nwhole++] = n;
    }
    if (file >= 0)
        H5Fclose(file);
    return AN_OK;
}

static int plan_local(struct plan *p, const struct an_snapshot_transfer *t)
{
    const int nzone = t->topology->nblock;
    p->first = calloc((size_t)nzone + 1, sizeof *p->first);
    p->rounds = calloc((size_t)nzone, sizeof *p->rounds);
    int *head = p->head = malloc((size_t)nzone * sizeof *head);
    int *next = p->next = malloc(((size_t)t->npiece + 1) * sizeof *next);
    AN_CHECK(p->first && p->rounds && head && next, AN_FAIL, "out of memory");
    AN_TRY(plan_whole(p, t));
    for (int zone = 0; zone < nzone; zone++)
        head[zone] = -1;
    for (int n = t->npiece - 1; n >= 0; n--) {
        next[n] = head[t->piece[n].zone];
        head[t->piece[n].zone] = n;
    }
    for (int w = 0; w < p->nwhole; w++) /* the one piece of its zone */
        head[t->piece[p->whole[w]].zone] = -1;
    for (int zone = 0; zone < nzone; zone++) {
        for (int n = head[zone]; n >= 0; n = next[n])
            AN_TRY(cut_piece(p, n, &t->piece[n]));
        p->first[zone + 1] = p->nslab;
        p->rounds[zone] = p->first[zone + 1] - p->first[zone];
    }
    return AN_OK;
}

static void plan_free(struct plan *p)
{
    free(p->slab);
    free(p->first);
    free(p->rounds);
    free(p->whole);
    free(p->offset);
    free(p->head);
    free(p->next);
}

static char *slab_memory(const struct an_snapshot_transfer *t, const struct slab *s, int field)
{
    const struct an_snapshot_piece *piece = &t->piece[s->piece];
    const int64_t row = piece->hi[0] - piece->lo[0], plane = row * (piece->hi[1] - piece->lo[1]);
    const int64_t at = (s->lo[2] - piece->lo[2]) * plane + (s->lo[1] - piece->lo[1]) * row;
    /* The header promises that the fields of a piece can be written when reading. */
    return (char *)(uintptr_t)piece->field[field] + at * t->precision;
}

static int64_t slab_cells(const struct slab *s)
{
    return (int64_t)(s->hi[0] - s->lo[0]) * (s->hi[1] - s->lo[1]) * (s->hi[2] - s->lo[2]);
}

static void convert(char *to, enum an_precision to_precision, const char *from, int64_t n)
{
    if (to_precision == AN_SINGLE)
        for (int64_t c = 0; c < n; c++)
            ((float *)(void *)to)[c] = (float)((const double *)(const void *)from)[c];
    else
        for (int64_t c = 0; c < n; c++)
            ((double *)(void *)to)[c] = (double)((const float *)(const void *)from)[c];
}

/* One collective call: slab s, or nothing where s is NULL. */
static int move_slab(const struct an_snapshot_transfer *t, hid_t data, hid_t how, int field,
                     const struct slab *s, char *buffer, uint64_t *checksum)
{
    hsize_t start[3] = {0}, count[3] = {1, 1, 1};
    for (int m = 0; s && m < 3; m++) {
        start[2 - m] = (hsize_t)s->lo[m];
        count[2 - m] = (hsize_t)(s->hi[m] - s->lo[m]);
    }
    hid_t there = H5Dget_space(data), here = H5Screate_simple(3, count, NULL);
    herr_t bad = there < 0 || here < 0 ? -1 : 0;
    if (!bad)
        bad = s ? H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, count, NULL)
                : H5Sselect_none(there);
    if (bad >= 0 && !s)
        bad = H5Sselect_none(here);
    /* Memory always has the file's type: HDF5 would convert, but not collectively. */
    hid_t type = t->file_precision == AN_SINGLE ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    char nothing[8], *memory = s ? slab_memory(t, s, field) : nothing;
    char *target = s && t->precision != t->file_precision ? buffer : memory;
    if (t->writing)
        bad = H5Dwrite(data, type, here, there, how, target) < 0 ? -1 : bad;
    else
        bad = H5Dread(data, type, here, there, how, target) < 0 ? -1 : bad;
    if (here >= 0)
        H5Sclose(here);
    if (there >= 0)
        H5Sclose(there);
    if (bad < 0)
        return AN_FAIL;
    if (!t->writing && s) {
        *checksum += an_snapshot_checksum(t->topology, t->piece[s->piece].zone, s->lo, s->hi,
                                          t->file_precision, target);
        if (target == buffer)
            convert(memory, t->precision, buffer, slab_cells(s));
    }
    return AN_OK;
}

/* All rounds of one dataset. A failure of this rank goes to *status, and this rank goes on with the
 * calls that the others make; the return value is the same on all ranks and stops all of them. */
static int move_field(MPI_Comm comm, const struct an_snapshot_transfer *t, const struct plan *p,
                      hid_t file, hid_t how, int zone, int field, char *buffer, uint64_t *checksum,
                      int *status)
{
    const char *zone_name = t->topology->block[zone].name;
    char name[256];
    name_of(t, zone, field, name);
    hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
    if (data < 0 && *status == AN_OK)
        *status = an_error_set(AN_INPUT, "%s: zone '%s' has no field '%s'", t->path, zone_name,
                               t->field_name[field]);
    int agreed = an_snapshot_agree(comm, *status);
    for (int r = 0; agreed == AN_OK && r < p->rounds[zone]; r++) {
        const int s = p->first[zone] + r;
        const struct slab *mine = s < p->first[zone + 1] ? &p->slab[s] : NULL;
        if (move_slab(t, data, how, field, mine, buffer, checksum) != AN_OK)
            *status = an_error_set(AN_FAIL, "%s: field '%s' of zone '%s' could not be %s", t->path,
                                   t->field_name[field], zone_name,
                                   t->writing ? "written: is the disk full?" : "read");
    }
    if (data >= 0)
        H5Dclose(data);
    return agreed;
}

static int move_file(MPI_Comm comm, const struct an_snapshot_transfer *t, const struct plan *p,
                     hid_t file, hid_t how, char *buffer, uint64_t *checksum)
{
    int status = AN_OK;
    for (int zone = 0; zone < t->topology->nblock; zone++)
        for (int field = 0; field < t->nfield && p->rounds[zone]; field++)
            AN_TRY(
                move_field(comm, t, p, file, how, zone, field, buffer, &checksum[field], &status));
    if (t->writing && H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 && status == AN_OK)
        status = an_error_set(AN_FAIL, "%s could not be written: is the disk full?", t->path);
    return an_snapshot_agree(comm, status);
}

/* One zone's field, which this rank holds whole. */
static int move_one(const struct an_snapshot_transfer *t, int fd, int index, int field,
                    int64_t offset, char *buffer, uint64_t *checksum)
{
    const struct an_snapshot_piece *piece = &t->piece[index];
    const struct slab all = {index,
                             {piece->lo[0], piece->lo[1], piece->lo[2]},
                             {piece->hi[0], piece->hi[1], piece->hi[2]}};
    char *memory = slab_memory(t, &all, field);
    char *target = t->precision != t->file_precision ? buffer : memory;
    const size_t bytes = (size_t)slab_cells(&all) * t->file_precision;
    if (t->writing)
        return an_pwrite_whole(fd, target, bytes, (off_t)offset);
    if (!an_pread_whole(fd, target, bytes, (off_t)offset))
        return 0;
    *checksum += an_snapshot_checksum(t->topology, piece->zone, piece->lo, piece->hi,
                                      t->file_precision, target);
    if (target == buffer)
        convert(memory, t->precision, buffer, slab_cells(&all));
    return 1;
}

/* The zones that this rank holds whole, without the others. */
static int move_whole(const struct an_snapshot_transfer *t, const struct plan *p, char *buffer,
                      uint64_t *checksum)
{
    if (!p->nwhole)
        return AN_OK;
    const int fd = open(t->path, t->writing ? O_WRONLY : O_RDONLY);
    int good = fd >= 0, w = 0, f = 0;
    for (w = 0; w < p->nwhole && good; w++)
        for (f = 0; f < t->nfield && good; f++)
            good = move_one(t, fd, p->whole[w], f, p->offset[(int64_t)w * t->nfield + f], buffer,
                            &checksum[f]);
    if (good && t->writing)
        good = fsync(fd) == 0;
    if (fd >= 0 && close(fd) != 0)
        good = 0;
    AN_CHECK(good, AN_FAIL, "%s: field '%s' of zone '%s' could not be %s", t->path,
             t->field_name[f > 0 ? f - 1 : 0],
             t->topology->block[t->piece[p->whole[w > 0 ? w - 1 : 0]].zone].name,
             t->writing ? "written: is the disk full?" : "read");
    return AN_OK;
}

static hid_t open_all(MPI_Comm comm, const struct an_snapshot_transfer *t)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (access >= 0 && H5Pset_fapl_mpio(access, comm, MPI_INFO_NULL) >= 0 &&
        H5Pset_all_coll_metadata_ops(access, 1) >= 0)
        file = H5Fopen(t->path, t->writing ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access);
    if (access >= 0)
        H5Pclose(access);
    return file;
}

static int move_all(MPI_Comm comm, const struct an_snapshot_transfer *t, const struct plan *p,
                    char *buffer, uint64_t *checksum)
{
    int status = move_whole(t, p, buffer, checksum), rounds = 0;
    status = an_snapshot_agree(comm, status);
    for (int zone = 0; zone < t->topology->nblock; zone++)
        rounds += p->rounds[zone];
    if (status != AN_OK || !rounds)
        return status;
    hid_t file = open_all(comm, t);
    hid_t how = H5Pcreate(H5P_DATASET_XFER);
    if (file < 0 || how < 0 || H5Pset_dxpl_mpio(how, H5FD_MPIO_COLLECTIVE) < 0)
        status = an_error_set(AN_FAIL, "%s cannot be opened by all ranks", t->path);
    status = an_snapshot_agree(comm, status);
    /* Closing is collective as well: a file that only some ranks have open stays open. */
    if (status == AN_OK) {
        status = move_file(comm, t, p, file, how, buffer, checksum);
        if (H5Fclose(file) < 0 && t->writing && status == AN_OK)
            status = an_error_set(AN_FAIL, "%s could not be closed: is the disk full?", t->path);
        status = an_snapshot_agree(comm, status);
    }
    if (how >= 0)
        H5Pclose(how);
    return status;
}

int an_snapshot_move(MPI_Comm comm, const struct an_snapshot_transfer *t, uint64_t *checksum,
                     int64_t *cells)
{
    const int nzone = t->topology->nblock;
    struct plan p = {0};
    char *buffer = NULL;
    int64_t largest = 0;
    *cells = 0;
    memset(checksum, 0, (size_t)t->nfield * sizeof *checksum);
    int status = AN_OK;
    H5E_BEGIN_TRY
    {
        status = plan_local(&p, t);
    }
    H5E_END_TRY
    for (int s = 0; s < p.nslab + p.nwhole; s++) {
        const struct an_snapshot_piece *whole =
            s < p.nslab ? NULL : &t->piece[p.whole[s - p.nslab]];
        const int64_t n =
            whole ? (int64_t)whole->hi[0] * whole->hi[1] * whole->hi[2] : slab_cells(&p.slab[s]);
        *cells += n;
        largest = n > largest ? n : largest;
    }
    if (status == AN_OK && t->precision != t->file_precision && largest > 0 &&
        !(buffer = malloc((size_t)largest * t->file_precision)))
        status = an_error_set(AN_FAIL, "out of memory");
    status = an_snapshot_agree(comm, status);
    if (status == AN_OK) {
        int mpi = MPI_Allreduce(MPI_IN_PLACE, p.rounds, nzone, MPI_INT, MPI_MAX, comm);
        if (mpi != MPI_SUCCESS)
            status = an_error_set(AN_FAIL, "MPI_Allreduce failed (%d)", mpi);
    }
    if (status == AN_OK) {
        H5E_BEGIN_TRY
        {
            status = move_all(comm, t, &p, buffer, checksum);
        }
        H5E_END_TRY
    }
    if (status == AN_OK &&
        (MPI_Allreduce(MPI_IN_PLACE, checksum, t->nfield, MPI_UINT64_T, MPI_SUM, comm) ||
         MPI_Allreduce(MPI_IN_PLACE, cells, 1, MPI_INT64_T, MPI_SUM, comm)))
        status = an_error_set(AN_FAIL, "MPI_Allreduce failed");
    free(buffer);
    plan_free(&p);
    return status;
}

/* Snapshots that are whole by their checksums and wrong inside: read, or refused with a message. The
 * first byte says what the others are:
 *
 *   0    the record: lines of text, closed by the checksum that belongs to them
 *   1    the seal: where values lie, in a file of zeros, closed by the checksum that belongs to it
 *   2    nodes: every six bytes change one node of a good snapshot (struct change), whose record and
 *        seal are made anew. It is read as a restart reads it, record and fields.
 *
 * The checksums of a file are made to fit because no fuzzer would guess them; test_snapshot flips
 * bits and finds each of them.
 */
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <sanitizer/lsan_interface.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "io/snapshot_file.h"
#include "tests/support/mesh_writer.h"

enum { FIELDS = 2, MOST_CHANGES = 12, MOST_NODES = 300, LONGEST_RECORD = 1 << 14 };

static const char *const field_name[FIELDS] = {"Density", "Pressure"};

static struct an_mesh mesh;
static char folder[64], good[1024], changed[128];
static char *image;
static size_t image_size;
static char node[MOST_NODES][160];
static int nodes;

static void must(int good_)
{
    if (!good_)
        abort();
}

/* ---- checksums that fit */

static size_t with_check(const uint8_t *data, size_t size, char *text)
{
    memcpy(text, data, size);
    sprintf(text + size, "check = %016llx\n", (unsigned long long)XXH64(data, size, 0));
    return size + strlen("check = \n") + 16;
}

struct extent {
    int64_t offset, size;
};

/* Closes a file of `bytes` bytes with these extents as io/snapshot_seal.c does. */
static void seal(int fd, const char *content, int64_t bytes, const struct extent *e, int64_t n)
{
    struct {
        char magic[8];
        int64_t bytes, n;
        uint64_t hash;
    } s = {"annulus", bytes, n, 0};
    s.magic[7] = '1';
    XXH64_state_t *state = XXH64_createState();
    int64_t at = 0;
    XXH64_reset(state, 0);
    for (int64_t k = 0; k < n; k++) {
        if (e[k].offset < at || e[k].size < 0 || e[k].size > bytes - e[k].offset)
            break; /* refused, whatever its hash */
        XXH64_update(state, content + at, (size_t)(e[k].offset - at));
        at = e[k].offset + e[k].size;
    }
    XXH64_update(state, content + at, (size_t)(bytes - at));
    XXH64_update(state, e, (size_t)n * sizeof *e);
    s.hash = XXH64_digest(state);
    XXH64_freeState(state);
    must(pwrite(fd, content, (size_t)bytes, 0) == (ssize_t)bytes);
    must(pwrite(fd, e, (size_t)n * sizeof *e, bytes) == (ssize_t)((size_t)n * sizeof *e));
    must(pwrite(fd, &s, sizeof s, bytes + n * (off_t)sizeof *e) == (ssize_t)sizeof s);
}

/* ---- the record and the seal */

static void try_record(const uint8_t *data, size_t size)
{
    static struct an_snapshot_record r, again;
    char *text = malloc(size + 64);
    const size_t length = with_check(data, size, text);
    const int status = an_snapshot_record_parse("record", text, length, &r);
    if (status != AN_OK && (status != AN_INPUT || !*an_error_text()))
        __builtin_trap();
    if (status == AN_OK) { /* what was understood is understood again */
        char *print = an_snapshot_record_print(&r);
        const int second = an_snapshot_record_parse("again", print, strlen(print), &again);
        if (second != AN_OK || again.nfield != r.nfield || again.nzone != r.nzone ||
            again.meta.iteration != r.meta.iteration || again.meta.precision != r.meta.precision)
            __builtin_trap();
        free(print);
        an_snapshot_controls_free(&again.meta);
        an_snapshot_controls_free(&r.meta);
    }
    free(text);
}

static void try_seal(const uint8_t *data, size_t size)
{
    static const char zeros[256];
    struct extent e[32] = {{0}};
    const int64_t n = (int64_t)(size / 2 < 32 ? size / 2 : 32);
    for (int64_t k = 0; k < n; k++) {
        e[k].offset = data[2 * k] == 255 ? INT64_MAX - k : data[2 * k];
        e[k].size = data[2 * k + 1] == 255 ? INT64_MIN : data[2 * k + 1];
    }
    const int fd = open(changed, O_RDWR | O_CREAT | O_TRUNC, 0600);
    must(fd >= 0);
    seal(fd, zeros, sizeof zeros, e, n);
    close(fd);
    const int status = an_snapshot_seal_check(changed);
    int64_t at = 0, fits = n > 0;
    for (int64_t k = 0; k < n; k++) {
        fits &=
            e[k].offset >= at && e[k].size >= 0 && e[k].size <= (int64_t)sizeof zeros - e[k].offset;
        at = fits ? e[k].offset + e[k].size : at;
    }
    if (status != (fits ? AN_OK : AN_INPUT))
        __builtin_trap();
}

/* ---- nodes */

struct change {
    uint8_t kind, node, high, value, more, last;
};

static herr_t collect(hid_t file, const char *name, const H5O_info_t *info, void *unused)
{
    (void)file;
    (void)info;
    (void)unused;
    if (nodes < MOST_NODES && strcmp(name, ".") != 0 && !strstr(name, "hdf5"))
        snprintf(node[nodes++], sizeof node[0], "/%s", name);
    return 0;
}

/* Puts a dataset of other type and sizes, with small numbers in it, in place of a node. */
static void replace(hid_t file, const char *name, const struct change *c)
{
    const hid_t types[] = {H5T_NATIVE_CHAR,  H5T_NATIVE_INT,    H5T_NATIVE_LLONG,
                           H5T_NATIVE_FLOAT, H5T_NATIVE_DOUBLE, H5T_C_S1};
    const int rank = c->more % 5;
    hsize_t size[5];
    for (int d = 0; d < rank; d++)
        size[d] = 1 + ((unsigned)c->last >> d) % 9;
    hid_t space = rank ? H5Screate_simple(rank, size, NULL) : H5Screate(H5S_SCALAR);
    H5Ldelete(file, name, H5P_DEFAULT);
    hid_t data =
        H5Dcreate2(file, name, types[c->value % 6], space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    char zeros[8 * 6561] = {(char)c->value};
    if (data >= 0) {
        H5Dwrite(data, types[c->value % 6], H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros);
        H5Dclose(data);
    }
    H5Sclose(space);
}

/* Writes one number of a dataset. */
static void set_number(hid_t file, const char *name, const struct change *c)
{
    static const double values[] = {0, -1, 1, 1e300, NAN, INFINITY, 3, 1e9, -1e9, 2.5};
    hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
    if (data < 0)
        return;
    hid_t space = H5Dget_space(data), one = H5Screate(H5S_SCALAR);
    hsize_t size[H5S_MAX_RANK], at[H5S_MAX_RANK];
    const int rank = H5Sget_simple_extent_dims(space, size, NULL);
    for (int d = 0; d < rank; d++)
        at[d] = size[d] ? c->more % size[d] : 0;
    if (rank > 0 && H5Sselect_elements(space, H5S_SELECT_SET, 1, at) >= 0)
        H5Dwrite(data, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &values[c->value % 10]);
    H5Sclose(one);
    H5Sclose(space);
    H5Dclose(data);
}

static void apply(hid_t file, const struct change *c)
{
    const char *name = node[(c->node + 256 * c->high) % nodes];
    switch (c->kind % 5) {
    case 0:
        H5Ldelete(file, name, H5P_DEFAULT);
        break;
    case 1:
        replace(file, name, c);
        break;
    case 2:
        set_number(file, name, c);
        break;
    case 3:
        H5Ldelete(file, name, H5P_DEFAULT);
        H5Lcreate_hard(file, node[(c->value + 256 * c->more) % nodes], file, name, H5P_DEFAULT,
                       H5P_DEFAULT);
        break;
    default:
        H5Ldelete(file, name, H5P_DEFAULT);
        H5Lcreate_soft(node[(c->value + 256 * c->more) % nodes], file, name, H5P_DEFAULT,
                       H5P_DEFAULT);
        break;
    }
}

/* Writes the snapshot to `changed` and changes it. */
static void change_nodes(const uint8_t *data, size_t size)
{
    const int fd = open(changed, O_RDWR | O_CREAT | O_TRUNC, 0600);
    must(fd >= 0 && write(fd, image, image_size) == (ssize_t)image_size && close(fd) == 0);
    H5E_BEGIN_TRY
    {
        hid_t file = H5Fopen(changed, H5F_ACC_RDWR, H5P_DEFAULT);
        for (size_t at = 0, n = 0; at + sizeof(struct change) <= size && n < MOST_CHANGES;
             at += sizeof(struct change), n++) {
            struct change c;
            memcpy(&c, data + at, sizeof c);
            apply(file, &c);
        }
        H5Fclose(file);
    }
    H5E_END_TRY
}

/* The bytes of a file; *length: how many. */
static char *load(const char *path, size_t *length)
{
    struct stat s;
    const int fd = open(path, O_RDONLY);
    must(fd >= 0 && fstat(fd, &s) == 0);
    char *bytes = malloc((size_t)s.st_size);
    must(bytes && read(fd, bytes, (size_t)s.st_size) == (ssize_t)s.st_size);
    close(fd);
    *length = (size_t)s.st_size;
    return bytes;
}

static void read_back(const char *path)
{
    struct an_snapshot_meta meta;
    double value[FIELDS][2][64];
    struct an_snapshot_piece piece[2];
    const void *field[2][FIELDS];
    int n = 0;
    for (; n < mesh.topology.nblock && n < 2; n++) {
        for (int f = 0; f < FIELDS; f++)
            field[n][f] = value[f][n];
        piece[n] = (struct an_snapshot_piece){.zone = n, .field = field[n]};
        memcpy(piece[n].hi, mesh.topology.block[n].n, sizeof piece[n].hi);
    }
    int status = an_snapshot_read_meta(MPI_COMM_SELF, path, &mesh, &meta);
    if (status != AN_OK && (status != AN_INPUT || !*an_error_text()))
        __builtin_trap();
    if (status != AN_OK)
        return;
    an_snapshot_controls_free(&meta);
    status = an_snapshot_read(MPI_COMM_SELF, path, &mesh, AN_DOUBLE, FIELDS, field_name, n, piece);
    if (status != AN_OK && (status != AN_INPUT || !*an_error_text()))
        __builtin_trap();
}

static void try_nodes(const uint8_t *data, size_t size)
{
    const struct extent none = {0, 0};
    size_t length;
    change_nodes(data, size);
    char *bytes = load(changed, &length);
    const int fd = open(changed, O_RDWR);
    must(fd >= 0);
    seal(fd, bytes, (int64_t)length, &none, 1);
    close(fd);
    free(bytes);
    read_back(changed);
}

/* ---- the good snapshot */

static void write_good(void)
{
    double value[64], x[3][64] = {{0}};
    const void *field[FIELDS] = {value, value};
    struct an_snapshot_piece piece[2] = {{.zone = 0}, {.zone = 1}};
    struct an_snapshot_meta meta = {
        .iteration = 7, .precision = AN_DOUBLE, .title = "fuzz", .version = "0"};
    for (int n = 0; n < 64; n++)
        value[n] = 1 + 0.1 * n;
    for (int n = 0; n < 2; n++) {
        memcpy(piece[n].hi, mesh.topology.block[n].n, sizeof piece[n].hi);
        piece[n].field = field;
        piece[n].node = x[0];
    }
    must(an_snapshot_control_add(&meta, "cfl", 2) == AN_OK &&
         an_snapshot_note(&meta, "warning", "w") == AN_OK);
    must(an_snapshot_write(MPI_COMM_SELF, folder, "s", &mesh, &meta, FIELDS, field_name, 2, piece,
                           good) == AN_OK);
    an_snapshot_controls_free(&meta);
}

static void load_good(void)
{
    image = load(good, &image_size);
    const int64_t seal_bytes =
        32 + 16 * 2 * FIELDS; /* of two zones: HDF5 wants what it wrote itself */
    must((int64_t)image_size > seal_bytes);
    image_size -= (size_t)seal_bytes;
    hid_t file = H5Fopen(good, H5F_ACC_RDONLY, H5P_DEFAULT);
    must(file >= 0 && H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, collect, NULL) >= 0);
    H5Fclose(file);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const struct meshw_spec spec = {.zones = {2, 1, 1}, .cells = {2, 2, 2}};
    struct an_diag diag;
    char path[100];
    (void)argc;
    (void)argv;
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0);
    __lsan_disable(); /* MPI never gives back what it made at its start */
    must(MPI_Init(NULL, NULL) == MPI_SUCCESS);
    /* HDF5 takes megabytes for each file that it opens: it keeps them for the next one */
    must(H5set_free_list_limits(-1, -1, -1, -1, -1, -1) >= 0);
    __lsan_enable();
    snprintf(folder, sizeof folder, "/dev/shm/annulus_fuzz_%d", (int)getpid());
    must(mkdir(folder, 0700) == 0);
    snprintf(path, sizeof path, "%s/mesh.cgns", folder);
    snprintf(changed, sizeof changed, "%s/changed.cgns", folder);
    an_diag_init(&diag);
    must(meshw_write(path, &spec) == AN_OK && an_mesh_open(path, &mesh, &diag) == AN_OK);
    an_diag_free(&diag);
    write_good();
    load_good();
    read_back(good);
    must(!*an_error_text());
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    (void)an_error_set(AN_OK, "%s", ""); /* none yet */
    if (data[0] % 3 == 0 && size < LONGEST_RECORD)
        try_record(data + 1, size - 1);
    else if (data[0] % 3 == 1)
        try_seal(data + 1, size - 1);
    else
        try_nodes(data + 1, size - 1);
    if (getenv("AN_FUZZ_SAY"))
        fprintf(stderr, "%s\n", an_error_text());
    return 0;
}

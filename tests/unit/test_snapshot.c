/* Snapshots: bits, ranks, faults, kills. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/coordinates.h"
#include "io/temporary.h"
#include "tests/unit/snapshot_bench.h"

static int rank, ranks;
static char folder[256], mesh_path[300], self[PATH_MAX];
static struct an_mesh mesh;

/* The failures of all ranks, so that each of them asserts the same. */
static int all(int failures)
{
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return failures;
}

static int write_one(const char *where, const char *stem, int64_t iteration, double time,
                     enum an_precision precision, char *path)
{
    struct bench_pieces b;
    struct an_snapshot_meta meta = bench_meta(iteration, time, precision);
    bench_pieces_new(&mesh, precision, rank, ranks, &b);
    bench_fill(&b, iteration);
    int status = an_snapshot_write(MPI_COMM_WORLD, where, stem, &mesh, &meta, BENCH_FIELDS,
                                   bench_field, b.n, b.piece, path);
    bench_pieces_free(&b);
    return status;
}

/* Reads on the ranks of comm; counts wrong values, or -1 - status when it cannot be read. */
static int read_one(MPI_Comm comm, const char *path, int64_t iteration, enum an_precision precision,
                    enum an_precision stored)
{
    struct bench_pieces b;
    int me, size;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &size);
    bench_pieces_new(&mesh, precision, me, size, &b);
    int status =
        an_snapshot_read(comm, path, &mesh, precision, BENCH_FIELDS, bench_field, b.n, b.piece);
    int count = status == AN_OK ? bench_differences(&b, iteration, stored) : -1 - status;
    bench_pieces_free(&b);
    return count;
}

static int meta_differs(const struct an_snapshot_meta *a, const struct an_snapshot_meta *b)
{
    return a->iteration != b->iteration || a->time != b->time || a->precision != b->precision ||
           a->case_hash != b->case_hash || a->mesh_hash != b->mesh_hash ||
           memcmp(a->residual_first, b->residual_first, sizeof a->residual_first) != 0 ||
           strcmp(a->version, b->version) != 0 || strncmp(a->title, b->title, 20) != 0;
}

/* Written by all ranks, read by all, by one, and by all but one; same and other precision. */
static void test_bits(void **state)
{
    (void)state;
    const enum an_precision both[2] = {AN_SINGLE, AN_DOUBLE};
    for (int p = 0; p < 2; p++) {
        char path[1024];
        const enum an_precision other = both[1 - p];
        int status = write_one(folder, "bits", 1200 + p, p * 0.1, both[p], path);
        if (status != AN_OK)
            print_error("rank %d: %s\n", rank, an_error_text());
        assert_int_equal(all(status), 0);
        struct an_snapshot_meta meta, want = bench_meta(1200 + p, p * 0.1, both[p]);
        want.mesh_hash = mesh.hash;
        assert_int_equal(all(an_snapshot_read_meta(MPI_COMM_WORLD, path, &mesh, &meta)), 0);
        assert_int_equal(all(meta_differs(&meta, &want)), 0);
        assert_int_equal(all(read_one(MPI_COMM_WORLD, path, 1200 + p, both[p], both[p])), 0);
        assert_int_equal(all(read_one(MPI_COMM_WORLD, path, 1200 + p, other, both[p])), 0);
        MPI_Comm part;
        MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &part); /* one rank; the others */
        assert_int_equal(all(read_one(part, path, 1200 + p, both[p], both[p])), 0);
        MPI_Comm_free(&part);
    }
}

/* Checksum of the nodes of the whole second zone and of its two halves along `cut`. */
static int sums_of(const struct an_mesh *m, int cut, uint64_t sum[2])
{
    enum { ZONE = 1 };
    const int *n = m->topology.block[ZONE].n, turn = an_mesh_turn_of(m, ZONE);
    double *x =
        malloc(3 * sizeof *x * (size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1));
    int status = x ? AN_OK : AN_FAIL;
    sum[0] = sum[1] = 0;
    for (int part = 0; part < 3 && !status; part++) { /* all, below, above */
        int lo[3] = {0, 0, 0}, hi[3] = {n[0] + 1, n[1] + 1, n[2] + 1};
        lo[cut] = part == 2 ? 2 : 0;
        hi[cut] = part == 1 ? 3 : n[cut] + 1;
        status = an_mesh_read_nodes(m, ZONE, lo, hi, x);
        sum[part > 0] += an_coordinates_sum(&m->topology, ZONE, turn, lo, hi, 1, x);
    }
    free(x);
    return status;
}

/* A program that does not turn zones wrote the snapshot; one that turns them reads it, and writes one that the other
 * reads. Both see the same checksum of the coordinates. */
static int across(void)
{
    char flat[300], path[1024];
    uint64_t as_read[2], turned[2];
    struct an_mesh both[2], kept = mesh;
    int bad = 0;
    snprintf(flat, sizeof flat, "%s/flat.cgns", folder);
    bad += rank == 0 && bench_mesh_write(flat, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < 2; k++)
        bad += bench_mesh_open(flat, &both[k]) != AN_OK;
    bad += an_mesh_turn(&both[1]) != AN_OK;
    if (all(bad))
        return bad;
    const int *n = both[1].topology.block[1].n, *m = both[1].topology.block[0].n;
    bad += n[0] != 5 || n[1] != 9 || n[2] != 1 || m[0] != 12 || both[1].hash != both[0].hash;
    for (int k = 0; k < 2; k++) {
        mesh = both[k];
        bad += write_one(folder, k ? "turned" : "flat", 3, 0, AN_DOUBLE, path) != AN_OK;
        mesh = both[1 - k];
        bad += read_one(MPI_COMM_WORLD, path, 3, AN_DOUBLE, AN_DOUBLE) != 0;
    }
    mesh = kept;
    bad += sums_of(&both[0], 1, as_read) != AN_OK || sums_of(&both[1], 0, turned) != AN_OK;
    bad += as_read[0] != as_read[1] || turned[0] != turned[1] || as_read[0] != turned[0];
    for (int k = 0; k < 2; k++)
        an_mesh_close(&both[k]);
    return bad;
}

static void test_turned(void **state)
{
    (void)state;
    assert_int_equal(all(across()), 0);
}

/* A part of the cells and of the fields can be read on its own, by some of the ranks. */
static void test_part(void **state)
{
    (void)state;
    char path[1024];
    assert_int_equal(all(write_one(folder, "part", 7, 0, AN_DOUBLE, path)), 0);
    struct bench_pieces b;
    bench_pieces_new(&mesh, AN_DOUBLE, rank, ranks, &b);
    const void *one[1] = {b.n ? b.piece[0].field[3] : NULL};
    struct an_snapshot_piece piece = b.n ? b.piece[0] : (struct an_snapshot_piece){0};
    piece.field = one;
    assert_int_equal(all(an_snapshot_read(MPI_COMM_WORLD, path, &mesh, AN_DOUBLE, 1,
                                          &bench_field[3], rank == 0 ? b.n > 0 : 0, &piece)),
                     0);
    bench_pieces_free(&b);
}

/* The file is good CGNS and its coordinates are found from any working directory. */
static void test_cgnscheck(void **state)
{
    (void)state;
    char path[1024], command[1200], line[512];
    int bad = 0, coordinates = 0, lines = 0;
    assert_int_equal(all(write_one(folder, "check", 3, 0, AN_SINGLE, path)), 0);
    if (rank == 0 && system("command -v cgnscheck > /dev/null") == 0) {
        snprintf(command, sizeof command, "cd / && cgnscheck %s 2>&1", path);
        FILE *f = popen(command, "r");
        while (f && fgets(line, sizeof line, f)) {
            lines++;
            coordinates += strstr(line, "checking coordinate \"") != NULL;
            if (strstr(line, "ERROR") || strstr(line, "rror:") || strstr(line, "WARNING")) {
                bad++;
                print_error("%s", line);
            }
        }
        bad += !f || pclose(f) != 0 || lines == 0 || coordinates == 0;
    }
    assert_int_equal(all(bad), 0);
}

static void test_refused(void **state)
{
    (void)state;
    char path[1024], copy[1100], command[3600];
    assert_int_equal(all(write_one(folder, "good", 5, 0, AN_DOUBLE, path)), 0);
    struct an_snapshot_meta meta;
    struct an_topology *t = &mesh.topology;
#define REFUSED(file, words)                                                       \
    do {                                                                           \
        int status_ = an_snapshot_read_meta(MPI_COMM_WORLD, file, &mesh, &meta);   \
        int bad_ = status_ != AN_INPUT || !strstr(an_error_text(), words);         \
        if (bad_)                                                                  \
            print_error("line %d: %d '%s'\n", __LINE__, status_, an_error_text()); \
        assert_int_equal(all(bad_), 0);                                            \
    } while (0)
    mesh.hash++;
    REFUSED(path, "another mesh");
    mesh.hash--;
    t->block[1].n[2]++;
    REFUSED(path, "zone 'duct 2' has 7 x 5 x 9 cells there and 7 x 5 x 10");
    t->block[1].n[2]--;
    strcpy(t->block[2].name, "inlex");
    REFUSED(path, "no zone 'inlex'");
    strcpy(t->block[2].name, "inlet");
    t->nblock--;
    REFUSED(path, "3 zones there and 2 in the mesh");
    t->nblock++;
    REFUSED(mesh_path, "no snapshot of annulus");
    REFUSED("/nowhere/at_00000001.cgns", "No such file");
    const char *missing[] = {"Viscosity"};
    assert_int_equal(all(an_snapshot_read(MPI_COMM_WORLD, path, &mesh, AN_DOUBLE, 1, missing, 0,
                                          NULL) != AN_INPUT),
                     0);
    assert_non_null(strstr(an_error_text(), "no field 'Viscosity'"));
    /* Cut short at every quarter, and to nothing. */
    struct stat s;
    assert_int_equal(stat(path, &s), 0);
    snprintf(copy, sizeof copy, "%s.copy", path);
    for (int quarter = 0; quarter < 4; quarter++) {
        snprintf(command, sizeof command, "cp '%s' '%s' && truncate -s %lld '%s'", path, copy,
                 (long long)s.st_size * quarter / 4, copy);
        assert_int_equal(all(rank == 0 ? system(command) : 0), 0);
        REFUSED(copy, "cut short");
    }
}

/* A flipped byte anywhere is refused or harmless; it never gives other values, and never a crash.
 */
static void test_damaged(void **state)
{
    (void)state;
    char path[1024], copy[1100], command[3600];
    int wrong = 0, refused = 0;
    uint64_t random = 12345;
    assert_int_equal(all(write_one(folder, "flip", 5, 0, AN_SINGLE, path)), 0);
    snprintf(copy, sizeof copy, "%s.copy", path);
    snprintf(command, sizeof command, "cp '%s' '%s'", path, copy);
    struct stat s;
    assert_int_equal(all(rank == 0 ? system(command) : 0), 0);
    assert_int_equal(stat(path, &s), 0);
    const char *more = getenv("AN_TEST_FLIPS");
    for (int n = 0; n < (more ? atoi(more) : ranks == 1 ? 300 : 40); n++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const off_t at = (off_t)((random >> 20) % (uint64_t)s.st_size);
        const unsigned char flip = (unsigned char)(1u << (random >> 61));
        unsigned char byte = 0, bent;
        int fd = -1, io = 0;
        if (rank == 0) {
            fd = open(copy, O_RDWR);
            io |= pread(fd, &byte, 1, at) != 1;
            bent = byte ^ flip;
            io |= pwrite(fd, &bent, 1, at) != 1;
        }
        assert_int_equal(all(io), 0);
        int count = read_one(MPI_COMM_WORLD, copy, 5, AN_SINGLE, AN_SINGLE);
        wrong += count > 0;
        refused += count < 0;
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            io |= pwrite(fd, &byte, 1, at) != 1;
            close(fd);
        }
    }
    assert_int_equal(all(wrong), 0);
    assert_true(refused > 0);
    assert_int_equal(all(read_one(MPI_COMM_WORLD, copy, 5, AN_SINGLE, AN_SINGLE)), 0);
}

/* A digit of the record, which reads as another number without a complaint of HDF5, is told by the checksum. */
static void test_changed_record(void **state)
{
    (void)state;
    static const char key[] = "iteration = ";
    char path[1024];
    struct an_snapshot_meta meta;
    int spoilt = 1;
    assert_int_equal(all(write_one(folder, "record", 5, 0, AN_SINGLE, path)), 0);
    if (rank == 0) {
        struct stat s;
        const int fd = open(path, O_RDWR);
        spoilt = 0;
        char *bytes = fd >= 0 && fstat(fd, &s) == 0 ? malloc((size_t)s.st_size) : NULL;
        if (bytes && pread(fd, bytes, (size_t)s.st_size, 0) == s.st_size) {
            const char *at = memmem(bytes, (size_t)s.st_size, key, sizeof key - 1);
            spoilt = at && pwrite(fd, "7", 1, at - bytes + (off_t)sizeof key - 1) == 1;
        }
        free(bytes);
        close(fd);
    }
    assert_int_equal(all(!spoilt), 0);
    REFUSED(path,
            "was changed after it was written"); /* the seal, before the checksum of the record */
}

static int exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Nothing is left behind, the older snapshot is untouched, and no rank hangs. A limit on the size
 * of files stands in for a full disk: it needs no privileges. */
static void test_no_room(void **state)
{
    (void)state;
    char old[1024], path[1024];
    struct rlimit limit, small = {4096 * 9, RLIM_INFINITY};
    assert_int_equal(all(write_one(folder, "room", 1, 0, AN_DOUBLE, old)), 0);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    small.rlim_max = limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &small);
    int status = write_one(folder, "room", 2, 0, AN_DOUBLE, path);
    setrlimit(RLIMIT_FSIZE, &limit);
    assert_int_equal(all(status != AN_FAIL), 0);
    assert_int_equal(all(exists(path) + an_temporary_clean(folder)), 0);
    assert_int_equal(all(read_one(MPI_COMM_WORLD, old, 1, AN_DOUBLE, AN_DOUBLE)), 0);
    /* and it can be written once there is room */
    assert_int_equal(all(write_one(folder, "room", 2, 0, AN_DOUBLE, path)), 0);
    assert_int_equal(all(read_one(MPI_COMM_WORLD, path, 2, AN_DOUBLE, AN_DOUBLE)), 0);

    const char *tiny = getenv("AN_TEST_FULL"); /* a folder on a file system that is nearly full */
    if (tiny) {
        status = write_one(tiny, "room", 2, 0, AN_DOUBLE, path);
        if (rank == 0)
            print_message("%s\n", an_error_text());
        assert_int_equal(all(status != AN_FAIL || !strstr(an_error_text(), "disk is full")), 0);
        assert_int_equal(all(exists(path) + an_temporary_clean(tiny)), 0);
    }
}

static void test_folder_faults(void **state)
{
    (void)state;
    char path[1024], blocked[300], file[320];
    int status = write_one("/nowhere/at/all", "s", 1, 0, AN_DOUBLE, path);
    assert_int_equal(all(status != AN_INPUT || !strstr(an_error_text(), "/nowhere/at/all")), 0);
    status = write_one(mesh_path, "s", 1, 0, AN_DOUBLE, path);
    assert_int_equal(all(status != AN_INPUT || !strstr(an_error_text(), "not a folder")), 0);
    /* A mesh of the user's under the name of the grid file is left alone. */
    snprintf(blocked, sizeof blocked, "%s/blocked", folder);
    snprintf(file, sizeof file, "%s/grid.cgns", blocked);
    if (rank == 0) {
        mkdir(blocked, 0777);
        bench_mesh_write(file, 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    status = write_one(blocked, "s", 1, 0, AN_DOUBLE, path);
    assert_int_equal(all(status != AN_INPUT || !strstr(an_error_text(), "in the way")), 0);
}

static void touch(const char *stem, const char *name)
{
    char path[700];
    snprintf(path, sizeof path, "%s/%s%s", folder, stem, name);
    FILE *f = fopen(path, "w");
    if (f)
        fclose(f);
}

static void test_latest_and_tidy(void **state)
{
    (void)state;
    char path[1024], newest[1024], other[1024];
    assert_int_equal(an_snapshot_latest(folder, "tidy", path), AN_INPUT);
    for (int n = 1; n <= 4; n++)
        assert_int_equal(all(write_one(folder, "tidy", 50 * n, 0.5 * n, AN_SINGLE, newest)), 0);
    assert_int_equal(all(write_one(folder, "tidy_fine", 900, 0, AN_SINGLE, other)), 0);
    int bad = 0;
    if (rank == 0) {
        touch("tidy", "_00000900.cgns.0123456789abcdef.tmp"); /* left by a killed run */
        touch("tidy", "_00000901.cgns");                      /* a torn copy */
        touch("tidy", "_x0000900.cgns");
        touch("tidy", "_00000902.cgns~");
        bad |= an_snapshot_latest(folder, "tidy", path) != AN_OK || strcmp(path, newest) != 0;
        snprintf(path, sizeof path, "%s/tidy_00000901.cgns", folder);
        unlink(path);
        bad |= an_snapshot_tidy(folder, "tidy", 2) != AN_OK;
        bad |= !exists(newest) || !exists(other);
        snprintf(path, sizeof path, "%s/tidy_00000100.cgns", folder);
        bad |= exists(path);
        snprintf(path, sizeof path, "%s/tidy_00000150.cgns", folder);
        bad |= !exists(path);
        snprintf(path, sizeof path, "%s/tidy_00000900.cgns.0123456789abcdef.tmp", folder);
        bad |= exists(path);
    }
    assert_int_equal(all(bad), 0);
}

/* Reads n bytes of the child's pipe, one of which comes before each snapshot; 0 where the child ended. */
static int told(int pipe_end, int n)
{
    char byte;
    for (int got = 0; got < n; got++)
        if (read(pipe_end, &byte, 1) != 1)
            return 0;
    return 1;
}

/* The child that writes snapshots without end; *from: the end of its pipe to read. */
static pid_t writer(const char *place, int *from)
{
    int end[2];
    char number[16];
    assert_int_equal(pipe(end), 0);
    snprintf(number, sizeof number, "%d", end[1]);
    const pid_t child = fork();
    if (child == 0) {
        close(end[0]);
        execl(self, self, "--loop", place, mesh_path, number, (char *)NULL);
        _exit(99);
    }
    close(end[1]);
    *from = end[0];
    return child;
}

/* kill -9 in the middle of writing, at any moment: the newest snapshot is whole and has the values
 * of its own iteration. The child is a process of its own, started without mpirun. It tells before
 * each snapshot, so that the test does not depend on how fast the machine is: the kill comes at
 * 20 places of the time that the snapshot before took. */
static void test_killed(void **state)
{
    (void)state;
    if (ranks > 1 ||
        getenv("OMPI_COMM_WORLD_SIZE")) /* a child of mpirun cannot start such a child */
        return;
    char place[300], path[1024];
    snprintf(place, sizeof place, "%s/killed", folder);
    assert_int_equal(mkdir(place, 0777), 0);
    for (int n = 0; n < 20; n++) {
        int from, how;
        const pid_t child = writer(place, &from);
        assert_true(child > 0);
        assert_true(told(from, 2)); /* one snapshot is whole */
        const double began = MPI_Wtime();
        assert_true(told(from, 1));
        usleep((useconds_t)((MPI_Wtime() - began) * 1e6 * (n * 7 % 20) / 20));
        kill(child, SIGKILL);
        waitpid(child, &how, 0);
        close(from);
        assert_true(WIFSIGNALED(how));
        assert_int_equal(an_snapshot_latest(place, "loop", path), AN_OK);
        int64_t iteration = strtoll(strrchr(path, '_') + 1, NULL, 10);
        assert_int_equal(read_one(MPI_COMM_WORLD, path, iteration, AN_DOUBLE, AN_DOUBLE), 0);
        /* every file under a final name is whole, not only the newest */
        assert_int_equal(an_snapshot_tidy(place, "loop", 0), AN_OK);
    }
}

static int loop(const char *where, int tell)
{
    char path[1024];
    /* goes on from what an earlier child left, as a restart does */
    int64_t first = 1;
    if (an_snapshot_latest(where, "loop", path) == AN_OK)
        first = strtoll(strrchr(path, '_') + 1, NULL, 10);
    for (int64_t n = first;; n++) {
        if (write(tell, "", 1) != 1 || write_one(where, "loop", n, 0, AN_DOUBLE, path) != AN_OK)
            return 1;
        an_snapshot_tidy(where, "loop", 5);
    }
}

int main(int argc, char **argv)
{
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc == 5 && strcmp(argv[1], "--loop") == 0)
        return bench_mesh_open(argv[3], &mesh) ? 1 : loop(argv[2], atoi(argv[4]));
    const char *keep = getenv("AN_TEST_KEEP");
    snprintf(folder, sizeof folder, "%s", keep ? keep : "/tmp/annulus_snapshot_XXXXXX");
    int bad = rank == 0 && !keep && !mkdtemp(folder);
    MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
    snprintf(mesh_path, sizeof mesh_path, "%s/mesh.cgns", folder);
    bad |= rank == 0 && bench_mesh_write(mesh_path, 0);
    if (all(bad) || all(bench_mesh_open(mesh_path, &mesh)))
        MPI_Abort(MPI_COMM_WORLD, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits),           cmocka_unit_test(test_turned),
        cmocka_unit_test(test_part),           cmocka_unit_test(test_cgnscheck),
        cmocka_unit_test(test_refused),        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_changed_record), cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_folder_faults),  cmocka_unit_test(test_latest_and_tidy),
        cmocka_unit_test(test_killed),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    an_mesh_close(&mesh);
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (rank == 0 && !keep && system(command))
        failures++;
    failures = all(failures);
    MPI_Finalize();
    return failures != 0;
}

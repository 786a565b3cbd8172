/* Damaged files, truncated and with flipped bits, end in one sentence: no crash, no hang, nothing
 * printed. Each file is opened in a child, so that a crash is a failed test and not the end of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/mesh.h"
#include "tests/support/mesh_writer.h"

static char path[64], printed[64];

static int make_path(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "test_mesh_damage_%d.cgns", (int)getpid());
    snprintf(printed, sizeof printed, "test_mesh_damage_%d.txt", (int)getpid());
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    unlink(path);
    unlink(printed);
    return 0;
}

/* Opens the file and reads all nodes: 0 read, 1 refused in words, 2 refused without. */
static int open_and_read(void)
{
    struct an_mesh m;
    struct an_diag diag;
    an_diag_init(&diag);
    int status = an_mesh_open(path, &m, &diag);
    if (status != AN_OK)
        return diag.nerror > 0 && strstr(diag.line[0], path) ? 1 : 2;
    for (int z = 0; z < m.topology.nblock && status == AN_OK; z++) {
        const int *n = m.topology.block[z].n, lo[3] = {0, 0, 0};
        const int hi[3] = {n[0] + 1, n[1] + 1, n[2] + 1};
        double *x = malloc(3 * sizeof *x * (size_t)hi[0] * (size_t)hi[1] * (size_t)hi[2]);
        status = x ? an_mesh_read_nodes(&m, z, lo, hi, x) : AN_FAIL;
        free(x);
    }
    an_mesh_close(&m);
    return status == AN_OK ? 0 : 1;
}

/* The same in a child with a time limit; fails the test unless it ends in words. */
static int outcome(const char *what, size_t where)
{
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int out = open(printed, O_CREAT | O_TRUNC | O_WRONLY, 0600);
        dup2(out, 1);
        dup2(out, 2);
        alarm(60);
        _exit(open_and_read());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    struct stat s;
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1)
        fail_msg("%s at byte %zu: status %x", what, where, (unsigned)status);
    if (stat(printed, &s) != 0 || s.st_size != 0)
        fail_msg("%s at byte %zu: something was printed", what, where);
    return WEXITSTATUS(status);
}

static unsigned char *load(size_t *size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

static void store(const unsigned char *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static void damage(int adf)
{
    struct meshw_spec s = {.zones = {2, 1, 1}, .cells = {2, 2, 2}, .adf = adf, .turn_all = 1};
    size_t size;
    s.side[0].bc.family = "inlet";
    if (meshw_write(path, &s) != AN_OK)
        fail_msg("%s", an_error_text());
    assert_int_equal(outcome("whole", 0), 0);
    unsigned char *bytes = load(&size);
    int refused = 0, flips = 0;
    for (size_t part = 0; part < 24; part++) {
        size_t keep = part < 16 ? size * part / 16 : size - 1 - (part - 16) * 37;
        store(bytes, keep);
        refused += outcome("cut", keep);
    }
    assert_true(refused >= 14); /* the last bytes may be unused */
    uint32_t random = 12345;
    for (refused = 0; flips < 120; flips++) {
        random = random * 1664525u + 1013904223u;
        /* the front holds most of the structure: half of the flips go there */
        size_t at = (size_t)(random >> 8) % (flips % 2 ? size : size < 4096 ? size : 4096);
        unsigned char bit = (unsigned char)(1u << (random >> 5 & 7));
        bytes[at] ^= bit;
        store(bytes, size);
        refused += outcome("flip", at);
        bytes[at] ^= bit;
    }
    print_message("%d of %d flipped files refused\n", refused, flips);
    assert_true(refused > 5);
    free(bytes);
}

static void test_hdf5(void **state)
{
    (void)state;
    damage(0);
}

static void test_adf(void **state)
{
    (void)state;
    damage(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hdf5), cmocka_unit_test(test_adf)};
    return cmocka_run_group_tests(tests, make_path, remove_files);
}

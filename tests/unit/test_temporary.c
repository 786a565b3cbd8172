/* Temporary files: nobody can lay a link where one will stand, and what a killed run leaves is
 * known by its name. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/atomic.h"
#include "io/temporary.h"

#define FOLDER "temporary"
#include "tests/support/folder.h"

/* These stand in front of the system's functions: they note who was called, and can fail. */
static char calls[400];
static int rename_fails;

static void note(const char *call, const char *path)
{
    const char *name = strrchr(path, '/');
    const size_t used = strlen(calls);
    name = name ? name + 1 : path;
    snprintf(calls + used, sizeof calls - used, "%s %s;", call,
             an_temporary_of(name) ? "temporary" : name);
}

int fsync(int fd)
{
    char link[40], path[300] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (readlink(link, path, sizeof path - 1) < 0)
        return -1;
    note("fsync", path);
    return (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
    note("rename", to);
    errno = EACCES;
    return rename_fails ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path)
{
    note("unlink", path);
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void assert_holds(const char *path, const char *text)
{
    char have[100] = "";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    have[fread(have, 1, sizeof have - 1, f)] = '\0';
    fclose(f);
    assert_string_equal(have, text);
}

/* A link under a name that could be guessed leads out of the folder. */
static void follows_no_link(void **unused)
{
    (void)unused;
    char outside[300], file[300], link[320];
    struct an_atomic a;
    struct stat s;
    snprintf(outside, sizeof outside, "%s/outside", folder);
    snprintf(file, sizeof file, "%s/run.json", folder);
    snprintf(link, sizeof link, "%s.tmp", file);
    write_text(outside, "precious");
    assert_int_equal(symlink(outside, link), 0);
    assert_int_equal(an_atomic_begin(file, &a), AN_OK);
    fputs("new", a.f);
    assert_int_equal(an_atomic_commit(&a), AN_OK);
    assert_holds(outside, "precious");
    assert_holds(file, "new");
    assert_int_equal(lstat(file, &s), 0);
    assert_true(S_ISREG(s.st_mode));
}

static void names_differ_and_are_known(void **unused)
{
    (void)unused;
    char path[300], name[2][AN_TEMPORARY];
    int fd[2];
    snprintf(path, sizeof path, "%s/history.csv", folder);
    for (int n = 0; n < 2; n++)
        assert_int_equal(an_temporary_make(path, name[n], &fd[n]), AN_OK);
    assert_string_not_equal(name[0], name[1]);
    for (int n = 0; n < 2; n++) {
        assert_int_equal(an_temporary_of(name[n]), strlen(path));
        close(fd[n]);
    }
    assert_int_equal(an_temporary_of("history.csv.tmp"), 0);
    assert_int_equal(an_temporary_of("history.csv.0123456789abcdeF.tmp"), 0);
    assert_int_equal(an_temporary_of(".0123456789abcdef.tmp"), 0);
    assert_int_equal(an_temporary_of("a.0123456789abcdef.tmp~"), 0);
    snprintf(path, sizeof path, "%s/users.tmp", folder);
    write_text(path, "kept");
    assert_int_equal(an_temporary_clean(folder), 2);
    assert_holds(path, "kept");
}

/* The file is on the disk before it gets its name, and the name before the call returns. The old file stands
 * until then, also where the new one cannot take its place; then nothing is left beside it. */
static void old_or_new(void **unused)
{
    (void)unused;
    char path[300], want[200];
    struct an_atomic a;
    snprintf(path, sizeof path, "%s/state", folder);
    write_text(path, "old");
    for (rename_fails = 1; rename_fails >= 0; rename_fails--) {
        assert_int_equal(an_atomic_begin(path, &a), AN_OK);
        fputs("new", a.f);
        calls[0] = '\0';
        assert_int_equal(an_atomic_commit(&a), rename_fails ? AN_INPUT : AN_OK);
        snprintf(want, sizeof want, "fsync temporary;rename state;%s%s;",
                 rename_fails ? "unlink temporary" : "fsync ",
                 rename_fails ? "" : strrchr(folder, '/') + 1);
        assert_string_equal(calls, want);
        assert_holds(path, rename_fails ? "old" : "new");
        assert_int_equal(an_temporary_clean(folder), 0);
    }
    rename_fails = 0;
}

static void says_why_not(void **unused)
{
    (void)unused;
    struct an_atomic a;
    assert_int_equal(an_atomic_begin("/nowhere/at/all/file", &a), AN_INPUT);
    assert_non_null(strstr(an_error_text(), "/nowhere/at/all/file: No such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_no_link), cmocka_unit_test(names_differ_and_are_known),
        cmocka_unit_test(old_or_new), cmocka_unit_test(says_why_not)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}

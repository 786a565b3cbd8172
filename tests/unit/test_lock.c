/* The lock of an output folder: who gets it, who is refused, and which locks are stale. And folders
 * that cannot be made. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/folder.h"
#include "io/lock.h"
#include "kernels/base/error.h"

#define FOLDER "lock"
#include "tests/support/folder.h"

static char path[100];

static void write_lock(const char *host, long process, const char *job, int age)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "host = %s\nprocess = %ld\nborn = 7\njob = %s\nrequeued = 0\ntime = noon\n", host,
            process, job);
    fclose(f);
    const struct timespec t[2] = {{time(NULL) - age, 0}, {time(NULL) - age, 0}};
    assert_int_equal(utimensat(AT_FDCWD, path, t, 0), 0);
}

/* Takes and releases the lock; the message must hold `says`. */
static void expect_taken(const char *says)
{
    struct an_lock lock;
    char message[512];
    if (an_lock_take(folder, &lock, message) != AN_OK)
        fail_msg("%s", an_error_text());
    if (!strstr(message, says) || (!*says && *message))
        fail_msg("'%s' is not '%s'", message, says);
    an_lock_release(&lock);
    assert_int_equal(access(path, F_OK), -1);
}

static void expect_refused(const char *says)
{
    struct an_lock lock;
    char message[512];
    assert_int_equal(an_lock_take(folder, &lock, message), AN_INPUT);
    if (!strstr(an_error_text(), says))
        fail_msg("'%s' is not in '%s'", says, an_error_text());
    assert_int_equal(access(path, F_OK), 0);
    an_lock_release(&lock); /* does not touch another run's */
    assert_int_equal(access(path, F_OK), 0);
}

static void one_run_gets_it(void **unused)
{
    (void)unused;
    struct an_lock lock;
    char message[512], says[64];
    snprintf(path, sizeof path, "%s/.annulus.lock", folder);
    assert_int_equal(an_lock_take(folder, &lock, message), AN_OK);
    assert_string_equal(message, "");
    snprintf(says, sizeof says, "process %ld on ", (long)getpid());
    expect_refused(says);
    an_lock_release(&lock);
    expect_taken("");
}

static void stale_locks_are_taken_over(void **unused)
{
    (void)unused;
    struct an_lock lock;
    char message[512], host[200];
    const pid_t child = fork();
    if (child == 0) /* as a run that was killed */
        _exit(an_lock_take(folder, &lock, message));
    int code;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
    assert_int_equal(access(path, F_OK), 0);
    expect_taken("that process has ended");
    gethostname(host, sizeof host);
    write_lock(host, (long)getpid(), "", 0); /* our number, but another process's start */
    expect_taken("that process has ended");
    write_lock("elsewhere", 1, "", 10);
    expect_refused("process 1 on elsewhere writes into it since noon");
    write_lock("elsewhere", 1, "", AN_LOCK_SILENCE + 10);
    expect_taken("no sign of life");
    FILE *f = fopen(path, "w");
    fclose(f);
    expect_taken("cannot be read");
}

/* A run in a child process that has taken the lock, and ends after so many seconds. */
static pid_t start_run(double seconds)
{
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        struct an_lock lock;
        char message[512];
        const struct timespec rest = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
        const int status = an_lock_take(folder, &lock, message);
        (void)!write(ready[1], "x", 1);
        nanosleep(&rest, NULL);
        _exit(status);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    assert_int_equal(access(path, F_OK), 0);
    return child;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A process that has ended stays in the table of processes until its parent looks: the lock is free. */
static void a_zombie_has_ended(void **unused)
{
    (void)unused;
    siginfo_t info;
    int code;
    const pid_t child = start_run(0);
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
    assert_int_equal(kill(child, 0), 0); /* it is still there */
    expect_taken("that process has ended");
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
}

/* An owner on this host has a second to end. */
static void an_owner_may_be_ending(void **unused)
{
    (void)unused;
    int code;
    double before = now();
    pid_t child = start_run(0.3);
    expect_taken("that process has ended");
    assert_true(now() - before > 0.25);
    assert_int_equal(waitpid(child, &code, 0), child);
    child = start_run(60);
    before = now();
    expect_refused("in use");
    assert_true(now() - before > 0.9);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &code, 0), child);
    expect_taken("that process has ended");
}

static void requeued_jobs_go_on(void **unused)
{
    (void)unused;
    setenv("SLURM_JOB_ID", "77", 1);
    write_lock("elsewhere", 1, "77", 10);
    expect_refused("elsewhere"); /* another step of the same job */
    setenv("SLURM_RESTART_COUNT", "1", 1);
    expect_taken("its job was requeued");
    write_lock("elsewhere", 1, "78", 10);
    expect_refused("elsewhere");
    unlink(path);
    unsetenv("SLURM_JOB_ID");
    unsetenv("SLURM_RESTART_COUNT");
}

/* Of many runs that find the same stale lock one gets it. */
static void a_race_has_one_winner(void **unused)
{
    (void)unused;
    enum { RUNNERS = 8, ROUNDS = 20 };
    for (int round = 0; round < ROUNDS; round++) {
        int start[2], end[2], gate[2], won = 0, code;
        write_lock("elsewhere", 1, "", AN_LOCK_SILENCE + 10);
        assert_int_equal(pipe(start) | pipe(end) | pipe(gate), 0);
        for (int n = 0; n < RUNNERS; n++)
            if (fork() == 0) {
                struct an_lock lock;
                char message[512], byte;
                close(start[1]);
                close(gate[1]);
                (void)!read(start[0], &byte, 1);
                const int status = an_lock_take(folder, &lock, message);
                (void)!write(end[1], "x", 1);
                close(end[1]);
                (void)!read(gate[0], &byte, 1); /* the winner lives until all have tried */
                _exit(status == AN_OK ? 1 : status == AN_INPUT ? 0 : 99);
            }
        char byte;
        close(start[1]);
        for (int n = 0; n < RUNNERS; n++)
            assert_int_equal(read(end[0], &byte, 1), 1);
        close(gate[1]);
        for (int n = 0; n < RUNNERS; n++) {
            assert_true(wait(&code) > 0);
            assert_true(WIFEXITED(code) && WEXITSTATUS(code) <= 1);
            won += WEXITSTATUS(code);
        }
        assert_int_equal(won, 1);
        close(start[0]);
        close(end[0]);
        close(end[1]);
        close(gate[0]);
    }
    unlink(path);
}

static void refreshes(void **unused)
{
    (void)unused;
    struct an_lock lock;
    char message[512];
    struct stat s;
    assert_int_equal(an_lock_take(folder, &lock, message), AN_OK);
    const struct timespec old[2] = {{1000, 0}, {1000, 0}};
    assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
    an_lock_refresh(&lock); /* just taken: nothing to do */
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_mtim.tv_sec, 1000);
    lock.refreshed -= AN_LOCK_EVERY;
    an_lock_refresh(&lock);
    assert_int_equal(stat(path, &s), 0);
    assert_true(s.st_mtim.tv_sec > 1000);
    unlink(path); /* with its folder */
    lock.refreshed -= AN_LOCK_EVERY;
    an_lock_refresh(&lock);
    expect_refused("in use");
    an_lock_release(&lock);
    assert_int_equal(access(path, F_OK), -1);
}

static void folders_say_which_one_refuses(void **unused)
{
    (void)unused;
    char closed[200], inside[260], file[200];
    snprintf(closed, sizeof closed, "%s/closed", folder);
    snprintf(inside, sizeof inside, "%s/a/b", closed);
    assert_int_equal(mkdir(closed, 0555), 0);
    const pid_t child = fork();
    if (child == 0) {
        if (getuid() == 0 && (chmod(folder, 0755) || setgid(65534) || setuid(65534)))
            _exit(2);
        if (an_folder_make(inside) != AN_INPUT)
            _exit(3);
        _exit(strstr(an_error_text(), "/closed/a' cannot be made: Permission denied") ? 0 : 4);
    }
    int code;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
    assert_int_equal(chmod(closed, 0755), 0);
    assert_int_equal(an_folder_make(inside), AN_OK);
    assert_int_equal(an_folder_make(inside), AN_OK);
    snprintf(file, sizeof file, "%s/file", folder);
    FILE *f = fopen(file, "w");
    fclose(f);
    strcat(file, "/a/b");
    assert_int_equal(an_folder_make(file), AN_INPUT);
    assert_non_null(strstr(an_error_text(), "/file' is not a folder"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_run_gets_it),     cmocka_unit_test(stale_locks_are_taken_over),
        cmocka_unit_test(a_zombie_has_ended),  cmocka_unit_test(an_owner_may_be_ending),
        cmocka_unit_test(requeued_jobs_go_on), cmocka_unit_test(a_race_has_one_winner),
        cmocka_unit_test(refreshes),           cmocka_unit_test(folders_say_which_one_refuses),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}

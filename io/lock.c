#define _GNU_SOURCE
#include "io/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/temporary.h"
#include "io/whole.h"
#include "kernels/base/error.h"

/* What a lock says of its run. */
struct owner {
    char host[256], job[64], time[64];
    long process;
    long long
        born;     /* start of the process, clock ticks after the start of the machine; 0 unknown */
    int requeued; /* how often the job was started again */
};

/* Start of a process, field 22 of /proc/PID/stat; 0 where it cannot be known, -1 of one that has ended
 * and whose parent has not looked yet. */
static long long born(long process)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    const size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = '\0';
    char *at = strrchr(text, ')'); /* the name before may hold anything */
    if (at && (at[2] == 'Z' || at[2] == 'X'))
        return -1;
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    return at ? atoll(at) : 0;
}

static void describe_self(struct owner *o)
{
    memset(o, 0, sizeof *o);
    const char *job = getenv("SLURM_JOB_ID"), *again = getenv("SLURM_RESTART_COUNT");
    const time_t now = time(NULL);
    struct tm local;
    if (gethostname(o->host, sizeof o->host - 1))
        strcpy(o->host, "unknown");
    snprintf(o->job, sizeof o->job, "%s", job ? job : "");
    o->requeued = again ? atoi(again) : 0;
    o->process = (long)getpid();
    o->born = born(o->process);
    if (localtime_r(&now, &local))
        strftime(o->time, sizeof o->time, "%Y-%m-%d %H:%M:%S", &local);
}

static int write_owner(int fd, const struct owner *o)
{
    char text[700];
    const int n = snprintf(text, sizeof text,
                           "host = %s\nprocess = %ld\nborn = %lld\njob = %s\nrequeued = %d\n"
                           "time = %s\n",
                           o->host, o->process, o->born, o->job, o->requeued, o->time);
    return n > 0 && an_write_whole(fd, text, (size_t)n) && fsync(fd) == 0;
}

/* 1 when the file is there and could be read; a field that is missing stays empty. */
static int read_owner(const char *path, struct owner *o, struct stat *s)
{
    char text[800];
    memset(o, 0, sizeof *o);
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return 0;
    const ssize_t n = fstat(fd, s) == 0 ? an_read_rest(fd, text, sizeof text - 1) : -1;
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *value = strstr(line, " = ");
        if (!value)
            continue;
        *value = '\0';
        value += 3;
        if (!strcmp(line, "host"))
            snprintf(o->host, sizeof o->host, "%s", value);
        else if (!strcmp(line, "job"))
            snprintf(o->job, sizeof o->job, "%.63s", value);
        else if (!strcmp(line, "time"))
            snprintf(o->time, sizeof o->time, "%.63s", value);
        else if (!strcmp(line, "process"))
            o->process = atol(value);
        else if (!strcmp(line, "born"))
            o->born = atoll(value);
        else if (!strcmp(line, "requeued"))
            o->requeued = atoi(value);
    }
    return n >= 0;
}

/* Why the lock's run has certainly ended; NULL where it may go on. `now`: the file system's time. */
static const char *stale(const struct owner *o, const struct stat *s, const struct owner *self,
                         const struct timespec *now)
{
    if (o->process <= 0 || !*o->host)
        return "its lock cannot be read";
    if (*o->job && !strcmp(o->job, self->job) && o->requeued < self->requeued)
        return "its job was requeued";
    if (!strcmp(o->host, self->host)) {
        if (kill((pid_t)o->process, 0) && errno == ESRCH)
            return "that process has ended";
        const long long start = born(o->process);
        return o->born && start && start != o->born ? "that process has ended" : NULL;
    }
    return now->tv_sec - s->st_mtim.tv_sec > AN_LOCK_SILENCE
               ? "it has given no sign of life for a long time"
               : NULL;
}

static int is_same(const struct owner *a, const struct owner *b)
{
    return a->process == b->process && a->born == b->born && !strcmp(a->host, b->host);
}

static int refuse(const char *folder, const char *path, const struct owner *o)
{
    return an_error_set(AN_INPUT,
                        "output folder '%s' is in use: process %ld on %s writes into it since %s; "
                        "wait for that run, choose another output.folder, or remove %s if that "
                        "run has ended",
                        folder, o->process, o->host, o->time, path);
}

/* Gives the lock, written as `temporary`, its name, unless that name is taken: an errno. */
static int claim(const char *temporary, const char *path, const struct owner *self)
{
    if (link(temporary, path) == 0)
        return 0;
    if (errno != EPERM && errno != ENOSYS && errno != EOPNOTSUPP && errno != EMLINK)
        return errno;
    /* no hard links here */
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    const int error = write_owner(fd, self) ? 0 : EIO;
    close(fd);
    return error;
}

/* Puts the lock in the place of a stale one, whose owner was `seen`. One run at a time may do so: the
 * one that holds the file PATH.takeover. 1 when it was done. */
static int take_over(const char *path, const char *temporary, const struct owner *self,
                     const struct timespec *time_now, const struct owner *seen)
{
    char turn[1080];
    struct owner now;
    struct stat s;
    snprintf(turn, sizeof turn, "%s.takeover", path);
    if (claim(temporary, turn, self)) {
        if (!read_owner(turn, &now, &s) || !stale(&now, &s, self, time_now))
            return 0;
        unlink(turn); /* its run was killed in these few lines */
        if (claim(temporary, turn, self))
            return 0;
    }
    const int done =
        read_owner(path, &now, &s) && is_same(&now, seen) && rename(temporary, path) == 0;
    unlink(turn);
    return done;
}

/* Gives the lock, written as `temporary`, its place. Where another process of this host has it, that one
 * is given a second to end: ranks outlive a killed launcher by a moment. */
static int place(const char *folder, const char *path, const char *temporary,
                 const struct owner *self, char *message)
{
    enum { TRIES = 10 };
    const struct timespec moment = {0, 100000000};
    for (int n = 0;; n++) {
        struct owner other = {0};
        struct stat s, own;
        const char *why = NULL;
        const int error = claim(temporary, path, self);
        if (!error)
            return AN_OK;
        AN_CHECK(error == EEXIST, AN_INPUT, "%s cannot be made: %s", path, strerror(error));
        const int seen = stat(temporary, &own) == 0 && read_owner(path, &other, &s);
        if (seen)
            why = stale(&other, &s, self, &own.st_mtim);
        if (why && take_over(path, temporary, self, &own.st_mtim, &other)) {
            snprintf(
                message, 512, "the lock of process %ld on %.255s since %.63s is taken over: %s",
                other.process, *other.host ? other.host : "?", *other.time ? other.time : "?", why);
            return AN_OK;
        }
        const int may_end = !seen || (!strcmp(other.host, self->host) && !is_same(&other, self));
        if (n == TRIES || !may_end)
            return refuse(folder, path, &other);
        nanosleep(&moment, NULL);
    }
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int an_lock_take(const char *folder, struct an_lock *lock, char *message)
{
    char path[sizeof lock->path], temporary[AN_TEMPORARY];
    struct owner self;
    int fd;
    *message = *lock->path = '\0';
    AN_CHECK(snprintf(path, sizeof path, "%s/.annulus.lock", folder) < 1024, AN_INPUT,
             "output folder '%.60s...': the name is too long", folder);
    describe_self(&self);
    AN_TRY(an_temporary_make(path, temporary, &fd));
    int status = write_owner(fd, &self)
                     ? AN_OK
                     : an_error_set(AN_FAIL, "%s cannot be written: %s", path, strerror(errno));
    close(fd);
    if (status == AN_OK)
        status = place(folder, path, temporary, &self, message);
    unlink(temporary);
    AN_TRY(status);
    strcpy(lock->path, path);
    lock->refreshed = seconds();
    return AN_OK;
}

void an_lock_refresh(struct an_lock *lock)
{
    if (!*lock->path || seconds() - lock->refreshed < AN_LOCK_EVERY)
        return;
    lock->refreshed = seconds();
    if (utimensat(AT_FDCWD, lock->path, NULL, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT)
        return;
    struct owner self;
    describe_self(&self);
    const int fd = open(lock->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0)
        return; /* no folder: the next output makes it */
    (void)write_owner(fd, &self);
    close(fd);
}

void an_lock_release(struct an_lock *lock)
{
    struct owner o, self;
    struct stat s;
    if (!*lock->path)
        return;
    describe_self(&self);
    if (read_owner(lock->path, &o, &s) && is_same(&o, &self)) /* not one that was taken over */
        unlink(lock->path);
    *lock->path = '\0';
}

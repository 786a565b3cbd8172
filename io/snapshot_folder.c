/* The snapshots of a folder: the newest and the ones to remove. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/snapshot_file.h"
#include "io/temporary.h"

/* Ending of the files of a stem: profiles are text. */
static const char *ending_of(const char *stem)
{
    return strcmp(stem, "profile") ? ".cgns" : ".csv";
}

/* Iteration in a file name `stem`_NNNNNNNN.cgns (.csv), -1 for any other name. */
static int64_t iteration_of(const char *name, const char *stem)
{
    const size_t length = strlen(stem);
    if (strncmp(name, stem, length) || name[length] != '_')
        return -1;
    const char *digit = name + length + 1;
    const size_t n = strspn(digit, "0123456789");
    if (n < 8 || n > 18 || strcmp(digit + n, ending_of(stem)))
        return -1;
    return strtoll(digit, NULL, 10);
}

static int descending(const void *a, const void *b)
{
    const int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return (p < q) - (p > q);
}

/* Iterations of all files named like snapshots, newest first; removes stale *.tmp when told to. */
static int list(const char *folder, const char *stem, int clean, int64_t **iteration, int *n)
{
    *iteration = NULL;
    *n = 0;
    DIR *d = opendir(folder);
    if (!d)
        return an_error_set(AN_INPUT, "folder '%s': %s", folder, strerror(errno));
    int capacity = 0, status = AN_OK;
    for (struct dirent *e; status == AN_OK && (e = readdir(d));) {
        char whole[NAME_MAX + 1];
        snprintf(whole, sizeof whole, "%s", e->d_name);
        const size_t name = an_temporary_of(e->d_name);
        if (clean && name) {
            whole[name] = '\0';
            if (iteration_of(whole, stem) >= 0)
                unlinkat(dirfd(d), e->d_name, 0);
        }
        const int64_t i = iteration_of(e->d_name, stem);
        if (i < 0)
            continue;
        if (*n == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            int64_t *grown = realloc(*iteration, (size_t)capacity * sizeof *grown);
            if (!grown)
                status = an_error_set(AN_FAIL, "out of memory");
            else
                *iteration = grown;
        }
        if (status == AN_OK)
            (*iteration)[(*n)++] = i;
    }
    closedir(d);
    if (*n > 0)
        qsort(*iteration, (size_t)*n, sizeof **iteration, descending);
    return status;
}

static void name_of(char *path, size_t size, const char *folder, const char *stem, int64_t i)
{
    snprintf(path, size, "%s/%s_%08" PRId64 "%s", folder, stem, i, ending_of(stem));
}

int an_snapshot_path(const char *folder, const char *stem, int64_t iteration, char *path)
{
    AN_CHECK(snprintf(path, 1024, "%s/%s_%08" PRId64 ".cgns", folder, stem, iteration) < 1024,
             AN_INPUT, "output folder '%.60s...': the name is too long", folder);
    return AN_OK;
}

int an_snapshot_latest(const char *folder, const char *stem, char *path)
{
    int64_t *iteration;
    int n;
    struct an_snapshot_record *r = malloc(sizeof *r);
    AN_CHECK(r, AN_FAIL, "out of memory");
    int status = list(folder, stem, 0, &iteration, &n), found = 0;
    for (int m = 0; m < n && !found && status == AN_OK; m++) {
        name_of(path, 1024, folder, stem, iteration[m]);
        found = an_snapshot_inspect(path, NULL, r) == AN_OK; /* a torn copy is passed over */
        if (found)
            an_snapshot_controls_free(&r->meta);
    }
    free(iteration);
    free(r);
    AN_TRY(status);
    AN_CHECK(found, AN_INPUT, "folder '%s' holds no snapshot named %s_NNNNNNNN.cgns", folder, stem);
    return AN_OK;
}

int an_snapshot_tidy(const char *folder, const char *stem, int keep)
{
    int64_t *iteration;
    int n;
    char path[1024];
    int status = list(folder, stem, 1, &iteration, &n);
    for (int m = keep > 0 ? keep : n; m < n && status == AN_OK; m++) {
        name_of(path, sizeof path, folder, stem, iteration[m]);
        if (unlink(path) && errno != ENOENT)
            status = an_error_set(AN_FAIL, "%s cannot be removed: %s", path, strerror(errno));
    }
    free(iteration);
    return status;
}

int an_snapshot_set_aside(const char *folder, const char *stem, int64_t after, int *count)
{
    int64_t *iteration;
    int n;
    char path[1024], aside[1032];
    *count = 0;
    int status = list(folder, stem, 0, &iteration, &n);
    for (int m = 0; m < n && iteration[m] > after && status == AN_OK; m++) {
        name_of(path, sizeof path, folder, stem, iteration[m]);
        snprintf(aside, sizeof aside, "%s.old", path);
        if (rename(path, aside))
            status = an_error_set(AN_INPUT, "%s cannot be renamed: %s", path, strerror(errno));
        else
            ++*count;
    }
    free(iteration);
    return status;
}

/* Programs of the build, run by a test in its own folder (folder.h): define FOLDER before. */
#ifndef AN_TESTS_TOOL_H
#define AN_TESTS_TOOL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "tests/support/folder.h"

/* A file of the test's folder, or NULL. */
static inline FILE *open_in(const char *name, const char *mode)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, mode);
}

static inline FILE *create(const char *name)
{
    FILE *f = open_in(name, "w");
    assert_non_null(f);
    return f;
}

/* Runs a program of the build, "mesh_row r.yaml ..."; returns its exit code. What it prints is in the file
 * "log" of the folder. */
static inline int command(const char *format, ...)
{
    char args[3000], line[4000];
    va_list list;
    va_start(list, format);
    vsnprintf(args, sizeof args, format, list);
    va_end(list);
    const char *bin = getenv("AN_BIN");
    snprintf(line, sizeof line, "%s/%s >%s/log 2>&1", bin ? bin : "bin", args, folder);
    const int status = system(line);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* What the last command printed. */
static inline const char *printed(void)
{
    static char log[30000];
    FILE *f = open_in("log", "r");
    assert_non_null(f);
    log[fread(log, 1, sizeof log - 1, f)] = 0;
    fclose(f);
    return log;
}

static inline bool log_holds(const char *text)
{
    const char *log = printed();
    if (!strstr(log, text))
        print_message("'%s' is not in: %s\n", text, log);
    return strstr(log, text);
}

/* mesh_row refuses row.yaml of the folder and says `message`; `more`: what is wrong in it. */
static inline void row_refused(const char *more, const char *message)
{
    const int rc = command("mesh_row %s/row.yaml -o %s/bad.cgns", folder, folder);
    if (rc != 2 || !strstr(printed(), message))
        fail_msg("%s: exit code %d, not said: %s\n%s", more, rc, message, printed());
}

#endif

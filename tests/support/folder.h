/* A folder of its own for a test that writes files: made before the first test, removed after the
 * last. Define FOLDER, the beginning of its name, before. */
#ifndef AN_TESTS_FOLDER_H
#define AN_TESTS_FOLDER_H

#include <stdio.h>
#include <stdlib.h>

static char folder[] = "/tmp/" FOLDER "_XXXXXX";

static int folder_make(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int folder_remove(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

#endif

/* What the fuzzers share: the input as a file, for readers that take a name. */
#ifndef AN_TESTS_FUZZ_H
#define AN_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file with these bytes, the same name for all inputs of a process. */
static inline const char *fuzz_file(const uint8_t *data, size_t size)
{
    static char path[64];
    snprintf(path, sizeof path, "/dev/shm/annulus_fuzz_%d", (int)getpid());
    FILE *f = fopen(path, "w");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f))
        __builtin_trap();
    return path;
}

#endif

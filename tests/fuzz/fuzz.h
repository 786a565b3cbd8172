/* What the fuzzers share: what they expect, and the input as a file for readers that take a name. */
#ifndef AN_TESTS_FUZZ_H
#define AN_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the fuzzer with its input where the condition does not hold. tools/dev/fuzz shows the message: it
 * runs that input again with messages. */
#define FUZZ_EXPECT(condition)                                                      \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            __builtin_trap();                                                       \
        }                                                                           \
    } while (0)

/* A file with these bytes. */
static inline void fuzz_write(const char *path, const uint8_t *data, size_t size)
{
    FILE *f = fopen(path, "w");
    const int written = f && fwrite(data, 1, size, f) == size, closed = f && fclose(f) == 0;
    FUZZ_EXPECT(written && closed && "there is room in /dev/shm");
}

/* The file of an input, the same name for all inputs of a process. */
static inline const char *fuzz_file(const uint8_t *data, size_t size)
{
    static char path[64];
    snprintf(path, sizeof path, "/dev/shm/annulus_fuzz_%d", (int)getpid());
    fuzz_write(path, data, size);
    return path;
}

#endif

/* Any bytes as a PLOT3D grid, formatted or not: read, or refused with an exit code of the tool. */
#include "tests/fuzz/fuzz.h"

#include <stdarg.h>
#include <stdlib.h>

#include "tools/programs/mesh_plot3d/grid.h"

int fail(const char *format, ...)
{
    (void)format;
    return EXIT_INPUT;
}

int no_memory(void)
{
    return EXIT_FAILED;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct grid g = {0};
    const struct options o = {.input = fuzz_file(data, size), .scale = 1};
    const int rc = grid_read(&g, &o);
    for (int b = 0; b < g.blocks; b++)
        for (int d = 0; d < 3; d++)
            free(g.block[b].x[d]);
    free(g.block);
    FUZZ_EXPECT(rc == EXIT_DONE || rc == EXIT_INPUT || rc == EXIT_FAILED);
    return 0;
}

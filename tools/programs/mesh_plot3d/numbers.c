// The numbers of a PLOT3D file, run by run.
#include "numbers.h"

#include "grid.h"

#include <stdlib.h>

int numbers_append(struct numbers *s, double v, size_t times)
{
    if (s->runs == s->capacity) {
        const size_t capacity = s->capacity ? 2 * s->capacity : 1 << 16;
        struct run *grown = realloc(s->run, capacity * sizeof *grown);
        if (!grown)
            return no_memory();
        s->run = grown;
        s->capacity = capacity;
    }
    s->n += times;
    s->run[s->runs++] = (struct run){v, s->n};
    return EXIT_DONE;
}

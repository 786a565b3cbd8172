// Messages, and what every part asks a grid for: names of faces, indices of the file.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "grid.h"

int fail(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "mesh_plot3d: error: ");
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    va_end(list);
    return EXIT_INPUT;
}

int no_memory(void)
{
    fail("out of memory");
    return EXIT_FAILED;
}

void grid_free(struct grid *g)
{
    for (int k = 0; k < g->blocks; k++) {
        for (int d = 0; d < 3; d++)
            free(g->block[k].x[d]);
        for (int f = 0; f < 6; f++)
            free(g->block[k].cover[f]);
    }
    free(g->block);
    free(g->boundary);
    free(g->window);
    free(g->seam);
    free(g->link);
    free(g->pair);
    free(g->motion);
    *g = (struct grid){0};
}

static const char *const faces[6] = {"imin", "imax", "jmin", "jmax", "kmin", "kmax"};

const char *face_in_file(int face)
{
    return faces[face];
}

int face_turned(const struct block *b, int face)
{
    return b->flipped && face >= 4 ? 9 - face : face;
}

const char *face_name(const struct block *b, int face)
{
    return faces[face_turned(b, face)];
}

int file_index(const struct block *b, int dir, int node)
{
    return (dir == 2 && b->flipped ? b->n[2] - 1 - node : node) * b->every[dir] + 1;
}

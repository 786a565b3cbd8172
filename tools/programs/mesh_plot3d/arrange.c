// From the file's nodes to right-handed blocks of cells.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"

// Replaces the block's nodes by those at (i, j, k) = start + step * new index.
static int take(struct block *b, const int n[3], const int start[3], const int step[3])
{
    const size_t nodes = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    for (int d = 0; d < 3; d++) {
        double *x = malloc(nodes * sizeof *x);
        if (!x)
            return no_memory();
        size_t l = 0;
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++)
                    x[l++] = b->x[d][at(b, start[0] + i * step[0], start[1] + j * step[1],
                                        start[2] + k * step[2])];
        free(b->x[d]);
        b->x[d] = x;
        if (d == 2)
            for (int c = 0; c < 3; c++)
                b->n[c] = n[c];
    }
    return EXIT_DONE;
}

// "x,-z,y": which of the file's coordinates, with their sign, become x, y and z.
int grid_axes(struct grid *g, const char *axes)
{
    int from[3], n = 0;
    double sign[3];
    const char *p = axes;
    for (; n < 3 && *p; n++) {
        sign[n] = *p == '-' ? -1 : 1;
        p += *p == '-' || *p == '+';
        const char *name = *p ? strchr("xyz", *p) : NULL;
        if (!name)
            break;
        from[n] = (int)(name - "xyz");
        p += 1 + (p[1] == ',');
    }
    if (n < 3 || *p || from[0] == from[1] || from[1] == from[2] || from[0] == from[2])
        return fail(
            "--axes %s: expected the three coordinates in a new order, such as z,x,y or x,-z,y",
            axes);
    const bool cyclic = (from[1] - from[0] + 3) % 3 == 1;
    if ((sign[0] * sign[1] * sign[2] > 0) != cyclic)
        return fail("--axes %s: this is the mirror image of the grid; change one sign", axes);
    if (g->dimension == 2 && from[2] != 2)
        return fail("--axes %s: z of a plane grid stays where it is", axes);
    for (int k = 0; k < g->blocks; k++) {
        struct block *b = &g->block[k];
        const size_t nodes = (size_t)b->n[0] * (size_t)b->n[1] * (size_t)b->n[2];
        double *const x[3] = {b->x[0], b->x[1], b->x[2]};
        for (int d = 0; d < 3; d++) {
            b->x[d] = x[from[d]];
            for (size_t l = 0; l < nodes && sign[d] < 0; l++)
                b->x[d][l] = -b->x[d][l];
        }
    }
    return EXIT_DONE;
}

// The coordinate that changes from one plane of the direction to the next; -1 when that is not one
// alone or, for a single plane, none that is constant.
static int spanwise_coordinate(const struct block *b, int dir)
{
    double change[3] = {0, 0, 0}, lo[3], hi[3], size = 0;
    const size_t nodes = (size_t)b->n[0] * (size_t)b->n[1] * (size_t)b->n[2];
    for (int d = 0; d < 3; d++) {
        lo[d] = 1e300, hi[d] = -1e300;
        for (size_t l = 0; l < nodes; l++) {
            lo[d] = fmin(lo[d], b->x[d][l]);
            hi[d] = fmax(hi[d], b->x[d][l]);
        }
        size = fmax(size, hi[d] - lo[d]);
    }
    int found = -1;
    const int step[3] = {dir == 0, dir == 1, dir == 2};
    for (int d = 0; d < 3; d++) {
        for (int k = 0; k < b->n[2] - step[2]; k++)
            for (int j = 0; j < b->n[1] - step[1]; j++)
                for (int i = 0; i < b->n[0] - step[0]; i++)
                    change[d] =
                        fmax(change[d], fabs(b->x[d][at(b, i + step[0], j + step[1], k + step[2])] -
                                             b->x[d][at(b, i, j, k)]));
        const bool is = b->n[dir] == 1 ? hi[d] == lo[d] : change[d] > 1e-6 * size;
        if (is && found >= 0)
            return -1;
        found = is ? d : found;
    }
    return found;
}

int grid_flatten(struct grid *g)
{
    if (g->dimension == 2)
        return fail("--flat is for a 3-D grid, this one is 2-D");
    for (int k = 0; k < g->blocks; k++) {
        struct block *b = &g->block[k];
        int dir = -1;
        for (int d = 0; d < 3; d++)
            if (b->n[d] <= 2)
                dir = dir == -1 ? d : -2;
        if (dir < 0)
            return fail("zone %s has %d x %d x %d nodes: --flat needs one direction, and one only, "
                        "of one cell",
                        b->name, b->n[0], b->n[1], b->n[2]);
        const int drop = spanwise_coordinate(b, dir);
        if (drop < 0)
            return fail("zone %s: its planes do not differ in one coordinate alone, as --flat "
                        "needs",
                        b->name);
        int n[3] = {b->n[0], b->n[1], b->n[2]};
        const int start[3] = {0, 0, 0}, step[3] = {1, 1, 1};
        n[dir] = 1;
        if (take(b, n, start, step))
            return EXIT_FAILED;
        double *flat = b->x[drop];
        for (int d = drop; d < 2; d++)
            b->x[d] = b->x[d + 1];
        b->x[2] = flat;
        b->n[0] = dir == 0 ? n[1] : n[0];
        b->n[1] = dir == 2 ? n[1] : n[2];
        b->n[2] = 1;
    }
    g->dimension = 2;
    return EXIT_DONE;
}

int grid_thin(struct grid *g, int every)
{
    for (int k = 0; k < g->blocks; k++) {
        struct block *b = &g->block[k];
        int n[3] = {1, 1, 1};
        const int start[3] = {0, 0, 0};
        for (int d = 0; d < g->dimension; d++) {
            const int cells = b->n[d] - 1;
            if (cells < 1)
                return fail("zone %s has no cells along %c%s", b->name, "ijk"[d],
                            g -> dimension == 3 ? " (--flat?)" : "");
            b->every[d] = cells == 1 ? 1 : every;
            if (cells % b->every[d])
                return fail("zone %s has %d cells along %c, which --every %d does not divide",
                            b->name, cells, "ijk"[d], every);
            n[d] = cells / b->every[d] + 1;
        }
        if (every > 1 && take(b, n, start, b->every))
            return EXIT_FAILED;
    }
    return EXIT_DONE;
}

int grid_extrude(struct grid *g, double span)
{
    for (int k = 0; k < g->blocks; k++) {
        struct block *b = &g->block[k];
        const int n[3] = {b->n[0], b->n[1], 2}, start[3] = {0, 0, 0}, step[3] = {1, 1, 0};
        if (take(b, n, start, step))
            return EXIT_FAILED;
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                b->x[2][at(b, i, j, 0)] = 0;
                b->x[2][at(b, i, j, 1)] = span;
            }
    }
    return EXIT_DONE;
}

// Six tetrahedra round the diagonal from corner 0 to corner 7; corner = di + 2 dj + 4 dk.
static double volume(const struct block *b, int i, int j, int k)
{
    static const int path[6][2] = {{1, 3}, {2, 6}, {4, 5}, {3, 2}, {6, 4}, {5, 1}};
    double c[8][3], sum = 0;
    const size_t o = at(b, i, j, k);
    for (int l = 0; l < 8; l++)
        for (int d = 0; d < 3; d++)
            c[l][d] = b->x[d][at(b, i + (l & 1), j + (l >> 1 & 1), k + (l >> 2))] - b->x[d][o];
    for (int t = 0; t < 6; t++) {
        const double *p = c[path[t][0]], *q = c[path[t][1]], *r = c[7];
        sum += p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
               p[2] * (q[0] * r[1] - q[1] * r[0]);
    }
    return sum / 6;
}

static void reverse_k(struct block *b)
{
    for (int d = 0; d < 3; d++)
        for (int k = 0; k < b->n[2] / 2; k++)
            for (int j = 0; j < b->n[1]; j++)
                for (int i = 0; i < b->n[0]; i++) {
                    double *p = &b->x[d][at(b, i, j, k)],
                           *q = &b->x[d][at(b, i, j, b->n[2] - 1 - k)];
                    const double t = *p;
                    *p = *q;
                    *q = t;
                }
    b->flipped = !b->flipped;
}

int grid_orient(struct grid *g)
{
    g->min_volume = 1e300;
    g->max_volume = 0;
    for (int z = 0; z < g->blocks; z++) {
        struct block *b = &g->block[z];
        const int n[3] = {b->n[0] - 1, b->n[1] - 1, b->n[2] - 1};
        long negative = 0, count = 0;
        int bad[3] = {0, 0, 0}, odd[3] = {0, 0, 0};
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++, count++) {
                    const double v = volume(b, i, j, k);
                    if (v == 0)
                        return fail("zone %s: the cell at node %d %d %d has no volume", b->name,
                                    file_index(b, 0, i), file_index(b, 1, j), file_index(b, 2, k));
                    int *first = v < 0 ? bad : odd;
                    if (v < 0 ? negative++ == 0 : count == negative)
                        first[0] = i, first[1] = j, first[2] = k;
                    g->min_volume = fmin(g->min_volume, fabs(v));
                    g->max_volume = fmax(g->max_volume, fabs(v));
                }
        const int *few = 2 * negative <= count ? bad : odd;
        if (negative > 0 && negative < count)
            return fail("zone %s is folded: %ld of its %ld cells have a negative volume, the %s at "
                        "node %d %d %d",
                        b->name, negative, count, few == bad ? "first" : "first of the others",
                        file_index(b, 0, few[0]), file_index(b, 1, few[1]),
                        file_index(b, 2, few[2]));
        if (negative > 0)
            reverse_k(b);
    }
    return EXIT_DONE;
}

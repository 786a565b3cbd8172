// Nodes on the boundary of the blocks, merged where they coincide. Places are kept in a hash of
// cubes twice the tolerance wide: a place closer than the tolerance lies in the node's cube or in
// one of the 26 round it.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "grid.h"

struct place {
    double x[3];
    int next; // in the same bucket, -1: none
};

struct places {
    int n;
    size_t buckets;  // power of two
    int *bucket;     // first place, -1: none (owned)
    struct place *p; // [nodes on the boundary] (owned)
    double tolerance;
};

static size_t bucket_of(const struct places *s, const double cube[3])
{
    uint64_t h = 1469598103934665603u;
    for (int d = 0; d < 3; d++) {
        h ^= (uint64_t)(int64_t)cube[d];
        h *= 1099511628211u;
        h ^= h >> 29;
    }
    return (size_t)h & (s->buckets - 1);
}

// Number of the place at x; a new one if there is none.
static int find(struct places *s, const double x[3])
{
    double cube[3], c[3];
    for (int d = 0; d < 3; d++)
        cube[d] = floor(x[d] / (2 * s->tolerance));
    int best = -1;
    double least = s->tolerance * s->tolerance;
    for (int o = 0; o < 27; o++) {
        c[0] = cube[0] + o % 3 - 1;
        c[1] = cube[1] + o / 3 % 3 - 1;
        c[2] = cube[2] + o / 9 - 1;
        for (int l = s->bucket[bucket_of(s, c)]; l >= 0; l = s->p[l].next) {
            double square = 0;
            for (int d = 0; d < 3; d++)
                square += (s->p[l].x[d] - x[d]) * (s->p[l].x[d] - x[d]);
            if (square <= least) {
                least = square;
                best = l;
            }
        }
    }
    if (best >= 0)
        return best;
    const size_t h = bucket_of(s, cube);
    s->p[s->n] = (struct place){{x[0], x[1], x[2]}, s->bucket[h]};
    s->bucket[h] = s->n;
    return s->n++;
}

static bool on_boundary(const struct block *b, int i, int j, int k)
{
    return i == 0 || j == 0 || k == 0 || i == b->n[0] - 1 || j == b->n[1] - 1 || k == b->n[2] - 1;
}

static size_t nodes_of(const struct block *b)
{
    return (size_t)b->n[0] * (size_t)b->n[1] * (size_t)b->n[2];
}

int grid_coincide(struct grid *g, double tolerance, int ***result)
{
    size_t most = 0;
    for (int k = 0; k < g->blocks; k++)
        for (int f = 0; f < 6; f++)
            most += (size_t)g->block[k].n[face_u(f)] * (size_t)g->block[k].n[face_v(f)];
    struct places s = {.buckets = 1, .tolerance = tolerance};
    while (s.buckets < 2 * most)
        s.buckets *= 2;
    s.bucket = malloc(s.buckets * sizeof *s.bucket);
    s.p = malloc(most * sizeof *s.p);
    int **id = calloc((size_t)g->blocks, sizeof *id);
    bool good = s.bucket && s.p && id;
    for (size_t l = 0; l < s.buckets && good; l++)
        s.bucket[l] = -1;
    for (int z = 0; z < g->blocks && good; z++) {
        struct block *b = &g->block[z];
        id[z] = malloc(nodes_of(b) * sizeof *id[z]);
        good = id[z];
        for (int k = 0; k < b->n[2] && good; k++)
            for (int j = 0; j < b->n[1]; j++)
                for (int i = 0; i < b->n[0]; i++) {
                    const size_t l = at(b, i, j, k);
                    id[z][l] = -1;
                    if (!on_boundary(b, i, j, k))
                        continue;
                    const double x[3] = {b->x[0][l], b->x[1][l], b->x[2][l]};
                    id[z][l] = find(&s, x);
                    for (int d = 0; d < 3; d++)
                        b->x[d][l] = s.p[id[z][l]].x[d];
                }
    }
    free(s.bucket);
    free(s.p);
    if (!good) {
        for (int z = 0; z < g->blocks && id; z++)
            free(id[z]);
        free(id);
        return no_memory();
    }
    *result = id;
    return EXIT_DONE;
}

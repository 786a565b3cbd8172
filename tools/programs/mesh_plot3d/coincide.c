// Nodes on free faces of the blocks, merged where they coincide. Two nodes are one place when they are
// closer than the tolerance of both; a node's tolerance is a share of its shortest edge, so that one
// share suits walls and far field, or the same length for all. Places are kept in a hash of cubes, in
// levels of powers of two of the tolerance.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "grid.h"

enum { LEVELS = 2200, LEVEL_ZERO = 1100 };

struct place {
    double x[3], tolerance;
    int level;
    int next; // in the same bucket, -1: none
};

struct places {
    int n;
    size_t buckets;  // power of two
    int *bucket;     // first place, -1: none (owned)
    struct place *p; // [nodes on free faces] (owned)
    double tolerance, share;
    int used[LEVELS], levels; // the levels that hold places
    bool is_used[LEVELS];
};

static size_t bucket_of(const struct places *s, int level, const double cube[3])
{
    uint64_t h = 1469598103934665603u ^ (uint64_t)level;
    for (int d = 0; d < 3; d++) {
        h ^= (uint64_t)(int64_t)fmod(cube[d], 9e15);
        h *= 1099511628211u;
        h ^= h >> 29;
    }
    return (size_t)h & (s->buckets - 1);
}

// Side of the cubes of a level, at least four times the tolerance of its places.
static double cube_side(int level)
{
    return ldexp(8, level - LEVEL_ZERO);
}

static int level_of(double tolerance)
{
    const int e = (int)floor(log2(tolerance)) + LEVEL_ZERO;
    return e < 0 ? 0 : e >= LEVELS ? LEVELS - 1 : e;
}

// The nearest place of one level within the tolerance of both.
static void search_level(const struct places *s, int level, const double x[3], double tolerance,
                         double *least, int *best)
{
    const double side = cube_side(level), most = fmin(tolerance, 0.25 * side);
    double lo[3], c[3];
    int steps[3]; // counted, because c + 1 is c where cubes are far smaller than the rounding of x
    for (int d = 0; d < 3; d++) {
        lo[d] = floor((x[d] - most) / side);
        steps[d] = (int)fmin(floor((x[d] + most) / side) - lo[d], 1);
    }
    for (int k2 = 0; k2 <= steps[2]; k2++)
        for (int k1 = 0; k1 <= steps[1]; k1++)
            for (int k0 = 0; k0 <= steps[0]; k0++) {
                const int k[3] = {k0, k1, k2};
                for (int d = 0; d < 3; d++)
                    c[d] = lo[d] + k[d];
                for (int l = s->bucket[bucket_of(s, level, c)]; l >= 0; l = s->p[l].next) {
                    double square = 0;
                    for (int d = 0; d < 3; d++)
                        square += (s->p[l].x[d] - x[d]) * (s->p[l].x[d] - x[d]);
                    if (s->p[l].level == level &&
                        sqrt(square) <= fmin(tolerance, s->p[l].tolerance) && square < *least) {
                        *least = square;
                        *best = l;
                    }
                }
            }
}

static int search(const struct places *s, const double x[3], double tolerance)
{
    int best = -1;
    double least = INFINITY;
    for (int k = 0; k < s->levels; k++)
        search_level(s, s->used[k], x, tolerance, &least, &best);
    return best;
}

// Number of the place at x; a new one if there is none.
static int find(struct places *s, const double x[3], double tolerance)
{
    const int best = search(s, x, tolerance);
    if (best >= 0)
        return best;
    const int level = level_of(tolerance);
    double cube[3];
    for (int d = 0; d < 3; d++)
        cube[d] = floor(x[d] / cube_side(level));
    const size_t h = bucket_of(s, level, cube);
    if (!s->is_used[level]) {
        s->is_used[level] = true;
        s->used[s->levels++] = level;
    }
    s->p[s->n] = (struct place){{x[0], x[1], x[2]}, tolerance, level, s->bucket[h]};
    s->bucket[h] = s->n;
    return s->n++;
}

static size_t nodes_of(const struct block *b)
{
    return (size_t)b->n[0] * (size_t)b->n[1] * (size_t)b->n[2];
}

// Share of the node's shortest edge that has a length; at least what rounding leaves of its place.
static double tolerance_at(const struct places *s, const struct block *b, int i, int j, int k)
{
    const int at_node[3] = {i, j, k};
    const size_t o = at(b, i, j, k);
    double least = INFINITY, size = 0;
    if (s->tolerance > 0)
        return s->tolerance;
    for (int d = 0; d < 3; d++)
        for (int side = -1; side <= 1; side += 2) {
            int q[3] = {i, j, k};
            q[d] = at_node[d] + side;
            if (q[d] < 0 || q[d] >= b->n[d])
                continue;
            const size_t l = at(b, q[0], q[1], q[2]);
            const double dx = b->x[0][l] - b->x[0][o], dy = b->x[1][l] - b->x[1][o],
                         dz = b->x[2][l] - b->x[2][o], h = sqrt(dx * dx + dy * dy + dz * dz);
            if (h > 0)
                least = fmin(least, h);
        }
    for (int d = 0; d < 3; d++)
        size = fmax(size, fabs(b->x[d][o]));
    const double rounding = 8 * 2.220446e-16 * size + 1e-300;
    return fmax(isfinite(least) ? s->share * least : 0, rounding);
}

// -2 for the nodes of face cells that no boundary has claimed, -1 for all others.
static size_t mark_free(const struct grid *g, int zone, int *id)
{
    const struct block *b = &g->block[zone];
    size_t count = 0;
    for (size_t l = 0; l < nodes_of(b); l++)
        id[l] = -1;
    for (int f = 0; f < 6; f++) {
        const int nu = b->n[face_u(f)] - 1, nv = b->n[face_v(f)] - 1;
        for (int v = 0; v < nv; v++)
            for (int u = 0; u < nu; u++)
                for (int c = 0; c < 4 && !b->cover[f][v * nu + u]; c++) {
                    int *node = &id[face_node(b, f, u + c % 2, v + c / 2)];
                    count += *node == -1;
                    *node = -2;
                }
    }
    return count;
}

static void merge_block(struct places *s, struct block *b, int *id)
{
    for (int k = 0; k < b->n[2]; k++)
        for (int j = 0; j < b->n[1]; j++)
            for (int i = 0; i < b->n[0]; i++) {
                const size_t l = at(b, i, j, k);
                if (id[l] != -2)
                    continue;
                const double x[3] = {b->x[0][l], b->x[1][l], b->x[2][l]};
                id[l] = find(s, x, tolerance_at(s, b, i, j, k));
            }
}

void places_free(struct places *s)
{
    if (!s)
        return;
    free(s->bucket);
    free(s->p);
    free(s);
}

int places_new(struct places **result, struct grid *g, double tolerance, double share, int **id)
{
    size_t most = 0;
    struct places *s = *result = calloc(1, sizeof *s);
    if (!s)
        return no_memory();
    s->tolerance = tolerance;
    s->share = share;
    for (int z = 0; z < g->blocks; z++) {
        id[z] = malloc(nodes_of(&g->block[z]) * sizeof *id[z]);
        if (!id[z])
            return no_memory();
        most += mark_free(g, z, id[z]);
    }
    for (s->buckets = 1; s->buckets < 2 * most;)
        s->buckets *= 2;
    s->bucket = malloc(s->buckets * sizeof *s->bucket);
    s->p = malloc((most + 1) * sizeof *s->p);
    if (!s->bucket || !s->p)
        return no_memory();
    for (size_t l = 0; l < s->buckets; l++)
        s->bucket[l] = -1;
    for (int z = 0; z < g->blocks; z++)
        merge_block(s, &g->block[z], id[z]);
    for (int z = 0; z < g->blocks;
         z++) // after all tolerances are known: moved nodes would change them
        for (size_t l = 0; l < nodes_of(&g->block[z]); l++)
            for (int d = 0; d < 3 && id[z][l] >= 0; d++)
                g->block[z].x[d][l] = s->p[id[z][l]].x[d];
    return EXIT_DONE;
}

int places_moved(const struct places *s, const struct grid *g, const struct motion *m,
                 int *const *id, int **moved)
{
    for (int z = 0; z < g->blocks; z++) {
        const struct block *b = &g->block[z];
        moved[z] = malloc(nodes_of(b) * sizeof *moved[z]);
        if (!moved[z])
            return no_memory();
        for (size_t l = 0; l < nodes_of(b); l++) {
            double x[3];
            moved[z][l] = -1;
            if (id[z][l] < 0)
                continue;
            const struct place *p = &s->p[id[z][l]];
            motion_apply(m, p->x, x);
            moved[z][l] = search(s, x, p->tolerance);
        }
    }
    return EXIT_DONE;
}

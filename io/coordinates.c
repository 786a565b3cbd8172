#include "io/coordinates.h"

#include <string.h>

/* Finalizer of splitmix64 (Steele, Lea and Flood 2014): one-to-one. */
static uint64_t mix(uint64_t h)
{
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    return h ^ (h >> 31);
}

uint64_t an_coordinates_sum(const struct an_topology *t, int zone, int turn, const int lo[3],
                            const int hi[3], int shared, const double *x)
{
    const int *n = t->block[zone].n;
    int end[3], file[3];
    int64_t m[3], along[3];
    for (int d = 0; d < 3; d++) {
        file[(d + turn) % 3] = n[d];
        end[d] = hi[d] - (shared && hi[d] <= n[d]);
        m[d] = hi[d] - lo[d];
    }
    const int64_t step[3] = {1, file[0] + 1, (int64_t)(file[0] + 1) * (file[1] + 1)};
    for (int d = 0; d < 3; d++)
        along[d] = step[(d + turn) % 3];
    const int64_t all = m[0] * m[1] * m[2];
    uint64_t sum = 0;
    for (int k = lo[2]; k < end[2]; k++)
        for (int j = lo[1]; j < end[1]; j++)
            for (int i = lo[0]; i < end[0]; i++) {
                const double *at = x + i - lo[0] + m[0] * (j - lo[1] + m[1] * (k - lo[2]));
                const int64_t node = i * along[0] + j * along[1] + k * along[2];
                uint64_t h = mix(((uint64_t)zone + 1) * 0xd6e8feb86659fd93u +
                                 (uint64_t)node * 0x9e3779b97f4a7c15u);
                for (int c = 0; c < 3; c++) {
                    uint64_t bits;
                    memcpy(&bits, at + c * all, sizeof bits);
                    h = mix(h + bits);
                }
                sum += h;
            }
    return sum;
}

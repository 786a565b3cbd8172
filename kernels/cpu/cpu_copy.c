/* Strided copies of the CPU engine, with rotation of vectors and tensors. */
#include "kernels/cpu/cpu_kernels.h"
#include "kernels/engine/turn.h"

#include <string.h>

/* Copies ghost cells behind a face normal to i, which are rows of two numbers. Both numbers of a row are copied at
 * once, so that their cache line is loaded once. Rows are copied in the order of memory: cells of successive planes are
 * often a power of two apart and would compete for the same few places of the cache. */
static void copy_pairs(const struct an_copy *c, real *restrict dst, const real *restrict src)
{
    const int64_t si = c->src_stride[0], di = c->dst_stride[0];
    const int64_t sj = c->src_stride[1], dj = c->dst_stride[1];
    for (int k = 0; k < c->n[2]; k++) {
        const real *s = src + k * c->src_stride[2];
        real *d = dst + k * c->dst_stride[2];
        for (int j = 0; j < c->n[1]; j++, s += sj, d += dj) {
            const real one = s[0], two = s[si];
            d[0] = one;
            d[di] = two;
        }
    }
}

extern an_cpu_copy AN_KERNEL(copy);
void AN_KERNEL(copy)(const struct an_copy *c, const double *rotation, void *to,
                     int64_t dst_component, const void *from, int64_t src_component, int ncomp,
                     int vector)
{
    /* the longest direction is the innermost loop, unless rows are long enough */
    int order[3] = {0, 1, 2};
    if (c->n[0] < 8) {
        const int longest = c->n[2] > c->n[1] ? 2 : 1;
        order[0] = longest;
        order[longest] = 0;
    }
    const int p = order[0], q = order[1], r = order[2];
    const int pairs = c->n[0] == 2;
    const int64_t si = c->src_stride[p], di = c->dst_stride[p];
    const int n = c->n[p];
    for (int comp = 0; comp < ncomp; comp++) {
        const real *src = (const real *)from + c->src + comp * src_component;
        real *dst = (real *)to + c->dst + comp * dst_component;
        const int first = rotation ? an_turn_first(vector, comp) : -1;
        const int tensor = first >= 0 && vector == AN_COPY_TENSOR && comp < 9;
        if (pairs && first < 0) {
            copy_pairs(c, dst, src);
            continue;
        }
        for (int k = 0; k < c->n[r]; k++)
            for (int j = 0; j < c->n[q]; j++) {
                const real *s = src + k * c->src_stride[r] + j * c->src_stride[q];
                real *d = dst + k * c->dst_stride[r] + j * c->dst_stride[q];
                if (tensor) {
                    const real *x = s - comp * src_component;
                    for (int i = 0; i < n; i++)
                        d[i * di] =
                            AN_FN(an_turn_tensor)(rotation, comp, x + i * si, src_component);
                } else if (first >= 0) {
                    const real *x = s - (comp - first) * src_component;
                    for (int i = 0; i < n; i++)
                        d[i * di] = AN_FN(an_turn_vector)(rotation, comp - first, x + i * si,
                                                          src_component);
                } else if (si == 1 && di == 1) {
                    memcpy(d, s, (size_t)n * sizeof *d);
                } else {
                    for (int i = 0; i < n; i++)
                        d[i * di] = s[i * si];
                }
            }
    }
}

/* CUDA engines: one element of a strided copy, all its components, by one thread. block: chunk of
 * the list that the thread block copies. src_more and dst_more: elements further on than the
 * addresses say. Both constants 0 cost nothing. AWAITS: the kernel is launched as AN_AWAITS. */
template <int AWAITS>
static __device__ __forceinline__ void copy_element(const struct an_copy_args &a, int block,
                                                    int64_t src_more, int64_t dst_more)
{
    const struct an_chunk chunk = a.chunk[block];
    const struct an_copy *const c = &a.copy[chunk.index];
    int n = chunk.first + static_cast<int>(threadIdx.x);
    if (AWAITS)
        AN_AWAIT_EARLIER(n);
    if (n >= c->n[0] * c->n[1] * c->n[2])
        return;
    const int i = n % c->n[0], rest = n / c->n[0], j = rest % c->n[1], k = rest / c->n[1];
    const real *const src = static_cast<const real *>(a.src) + src_more + c->src +
                            i * c->src_stride[0] + j * c->src_stride[1] + k * c->src_stride[2];
    real *const dst = static_cast<real *>(a.dst) + dst_more + c->dst + i * c->dst_stride[0] +
                      j * c->dst_stride[1] + k * c->dst_stride[2];
    const double *const rotation = a.rotation + 9 * c->rotation;
    for (int comp = 0; comp < a.ncomp; comp++) {
        const int first = c->rotation >= 0 ? an_turn_first(a.vector, comp) : -1;
        real *const to = dst + comp * a.dst_component;
        if (first < 0)
            *to = src[comp * a.src_component];
        else if (a.vector == AN_COPY_TENSOR && comp < 9)
            *to = AN_FN(an_turn_tensor)(rotation, comp, src, a.src_component);
        else
            *to = AN_FN(an_turn_vector)(rotation, comp - first, src + first * a.src_component,
                                        a.src_component);
    }
}

/* CUDA engines: strided copies, one thread for each element and all its components. */
static __global__ void __launch_bounds__(AN_CHUNK)
    copy_elements(const __grid_constant__ struct an_copy_args a)
{
    const struct an_chunk chunk = a.chunk[blockIdx.x];
    const struct an_copy *const c = &a.copy[chunk.index];
    const int n = chunk.first + static_cast<int>(threadIdx.x);
    if (n >= c->n[0] * c->n[1] * c->n[2])
        return;
    const int i = n % c->n[0], rest = n / c->n[0], j = rest % c->n[1], k = rest / c->n[1];
    const real *const src = static_cast<const real *>(a.src) + c->src + i * c->src_stride[0] +
                            j * c->src_stride[1] + k * c->src_stride[2];
    real *const dst = static_cast<real *>(a.dst) + c->dst + i * c->dst_stride[0] +
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

static int run_copy(const struct an_copy_args *a, int nchunk, void *stream)
{
    return an_launch("copy", copy_elements, nchunk, AN_CHUNK, 0, 0, stream, *a);
}

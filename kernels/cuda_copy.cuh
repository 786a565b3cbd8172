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
    const int turned = c->rotation >= 0 && a.vector >= 0 ? a.vector : a.ncomp;
    for (int comp = 0; comp < a.ncomp; comp++) {
        if (comp < turned || comp >= turned + 3) {
            dst[comp * a.dst_component] = src[comp * a.src_component];
            continue;
        }
        const double *const row = a.rotation + 9 * c->rotation + 3 * (comp - turned);
        const real r0 = static_cast<real>(row[0]), r1 = static_cast<real>(row[1]);
        const real r2 = static_cast<real>(row[2]);
        const real *const x = src + turned * a.src_component;
        dst[comp * a.dst_component] =
            r0 * x[0] + r1 * x[a.src_component] + r2 * x[2 * a.src_component];
    }
}

static int run_copy(const struct an_copy_args *a, int nchunk, void *stream)
{
    return an_launch("copy", copy_elements, nchunk, AN_CHUNK, 0, 0, stream, *a);
}

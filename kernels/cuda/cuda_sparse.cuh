/* CUDA engines: block matrices, their incomplete factors, and the vector work of GMRES (sparse.h), in double precision.
 *
 * A row of blocks is the work of a group of 32 lanes: nv lanes take a block, a component each, and 32 / nv blocks are under way
 * at a time. Partial sums of a component are added in shared memory in a fixed order. */
#include "kernels/cuda/cuda_kernels.h"
#include "kernels/cuda/cuda_plan.h"
#include "kernels/engine/sparse.h"

namespace
{
static_assert(AN_SPARSE_ROWS == 16, "rows of a subdomain under way");
enum { LANES = 32, WARPS = 8, THREADS = LANES * WARPS };
/* Kernels that treat the rows of a level side by side use 16 warps; most levels have 12 to 15 rows. */
enum { SWEEP_WARPS = 16, SWEEP_THREADS = LANES * SWEEP_WARPS };

/* What the lanes of row groups have, of ns vectors. */
template <class X, int ns, int threads> struct partials {
    X of[ns][threads];
};

template <class X> struct vectors {
    const X *of[AN_SPARSE_TOGETHER];
};
template <class X> struct results {
    X *of[AN_SPARSE_TOGETHER];
};

/* sum[s] += component lane % nv of blocks from + lane / nv, and so on by steps of 32 / nv, times x[s]. */
template <int nv, int ns, class T, class X>
static __device__ __forceinline__ void add_blocks(const T *value, const int32_t *list, int64_t from,
                                                  int64_t to, const struct vectors<X> &x, int lane,
                                                  X *sum)
{
    if (lane >= LANES / nv * nv)
        return;
    for (int64_t m = from + lane / nv; m < to; m += LANES / nv) {
        const int64_t j = static_cast<int64_t>(list[m]) * nv;
        const T *block = value + m * (nv * nv) + lane % nv;
        T a[nv];
        AN_UNROLL
        for (int c = 0; c < nv; c++)
            a[c] = block[c * nv];
        AN_UNROLL
        for (int s = 0; s < ns; s++)
            AN_UNROLL
        for (int c = 0; c < nv; c++)
            sum[s] = fma(static_cast<X>(a[c]), x.of[s][j + c], sum[s]);
    }
}

/* Component `lane` of the row of group `warp`. */
template <int nv, class X, int ns, int threads>
static __device__ __forceinline__ X total_of(const struct partials<X, ns, threads> &p, int s,
                                             int warp, int lane)
{
    X sum = 0;
    AN_UNROLL
    for (int l = 0; l < LANES / nv; l++)
        sum += p.of[s][warp * LANES + l * nv + lane];
    return sum;
}

/* The place of column j in the row of blocks `first` to `last` - 1; -1: it has none. */
static __device__ __forceinline__ int64_t place_of(const int32_t *list, int64_t first, int64_t last,
                                                   int64_t j)
{
    while (first < last) {
        const int64_t middle = (first + last) / 2;
        if (list[middle] == j)
            return middle;
        if (list[middle] < j)
            first = middle + 1;
        else
            last = middle;
    }
    return -1;
}

/* Exchanges two blocks, and transposes both. */
template <int nv, class T> static __device__ inline void exchange(T *a, T *b)
{
    for (int r = 0; r < nv; r++)
        for (int c = 0; c < nv; c++) {
            const T x = a[c * nv + r];
            if (a == b && c <= r)
                continue;
            a[c * nv + r] = b[r * nv + c];
            b[r * nv + c] = x;
        }
}

/* ---- matrices ---- */

template <int nv, int ns>
static __global__ void __launch_bounds__(THREADS)
    multiply_rows(const struct an_sparse_matrix a, const struct vectors<double> x,
                  const struct results<double> y)
{
    typedef struct partials<double, ns, THREADS> adding;
    AN_SHARED(adding, partial);
    const int t = static_cast<int>(threadIdx.x), lane = t % LANES, warp = t / LANES;
    const int64_t i = static_cast<int64_t>(blockIdx.x) * WARPS + warp;
    double sum[ns] = {};
    if (i < a.n)
        add_blocks<nv, ns>(a.value, a.list, a.first[i], a.first[i + 1], x, lane, sum);
    for (int s = 0; s < ns; s++)
        partial.of[s][t] = sum[s];
    __syncthreads();
    if (i < a.n && lane < nv)
        for (int s = 0; s < ns; s++)
            y.of[s][i * nv + lane] = total_of<nv>(partial, s, warp, lane);
}

template <int nv>
static __global__ void __launch_bounds__(THREADS) turn_rows(const struct an_sparse_matrix a)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x;
    if (i >= a.n)
        return;
    for (int64_t m = a.first[i]; m < a.first[i + 1]; m++) {
        const int32_t j = a.list[m];
        if (j >= i)
            exchange<nv>(a.value + nv * nv * m,
                         a.value + nv * nv * place_of(a.list, a.first[j], a.first[j + 1], i));
    }
}

static __global__ void __launch_bounds__(THREADS)
    block_sizes(const double *value, int64_t n, int block, float *size)
{
    const int64_t m = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x;
    if (m >= n)
        return;
    double sum = 0;
    for (int k = 0; k < block; k++)
        sum += value[m * block + k] * value[m * block + k];
    size[m] = static_cast<float>(sqrt(sum));
}

/* ---- derivatives ---- */

static __global__ void __launch_bounds__(THREADS)
    disturb_cells(const struct an_sparse_disturbance d)
{
    const int64_t k = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x;
    if (k >= d.n)
        return;
    const int64_t c = d.cell[k], at = c * d.nv + d.unknown;
    d.field[d.element[c]] = d.sign != 0 ? d.q[at] + d.sign * d.step[at] : d.q[at];
}

/* A thread for each cell of the colour and each row that depends on it. */
static __global__ void __launch_bounds__(THREADS)
    store_differences(const struct an_sparse_matrix a,
                      const __grid_constant__ struct an_sparse_difference g)
{
    const int64_t at = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x, k = at / g.longest;
    const int nv = a.nv, v = g.d.unknown;
    if (k >= g.d.n)
        return;
    const int64_t j = g.d.cell[k], m = a.first[j] + at % g.longest, col = j * nv + v;
    if (m >= a.first[j + 1])
        return;
    const int64_t i = a.list[m], e = g.d.element[i];
    const double high = g.d.q[col] + g.d.step[col],
                 low = g.one_sided ? g.d.q[col] : g.d.q[col] - g.d.step[col], dq = high - low;
    double *to = a.value + place_of(a.list, a.first[i], a.first[i + 1], j) * nv * nv + v * nv;
    for (int r = 0; r < nv; r++) {
        const double now = r < 5 ? g.flow[r * g.ncell + e] : g.turbulence[(r - 5) * g.ncell + e];
        /* held unknowns, whose steps are zero, have rows and columns of ones */
        if (dq > 0 && g.d.step[i * nv + r] > 0)
            to[r] = (now - g.low[r * g.ncell + e]) * g.unit[r] / dq;
        else
            to[r] = i * nv + r == col;
    }
}

/* ---- factors ---- */

/* Row i of A into the places of the factors; its diagonal block is taken `by` times. */
template <int nv>
static __device__ inline void load_row(const struct an_sparse_matrix &a,
                                       const struct an_sparse_factor &f, int64_t i, double by,
                                       int lane, double *row)
{
    const int32_t cell = f.cell[i];
    const int64_t count = f.row_first[i + 1] - f.row_first[i];
    for (int64_t m = 0; m < count; m++) {
        const int32_t to = f.cell[f.row_list[f.row_first[i] + m]];
        const int64_t from = place_of(a.list, a.first[cell], a.first[cell + 1], to);
        const double times = to == cell ? by : 1;
        for (int e = lane; e < nv * nv; e += LANES)
            row[m * nv * nv + e] = from < 0 ? 0 : a.value[from * nv * nv + e] * times;
    }
}

/* Blocks e of l = own x pivot of row k, in registers of the lanes. */
template <int nv>
static __device__ inline void divide(const double *own, const float *pivot, int lane, double *l)
{
    for (int e = lane, n = 0; e < nv * nv; e += LANES, n++) {
        const int r = e % nv, c = e / nv;
        l[n] = 0;
        for (int m = 0; m < nv; m++)
            l[n] += own[m * nv + r] * static_cast<double>(pivot[c * nv + m]);
    }
}

/* Row i less l times the blocks of row k right of its diagonal. */
template <int nv>
static __device__ inline void subtract_row(const struct an_sparse_factor &f, int64_t i, int64_t k,
                                           const double *l, int lane, double *row)
{
    const int64_t first = f.row_first[i], last = f.row_first[i + 1];
    for (int64_t q = f.diagonal[k] + 1; q < f.row_first[k + 1]; q++) {
        const int64_t at = place_of(f.row_list, first, last, f.row_list[q]);
        if (at < 0)
            continue;
        const float *u = f.value + q * nv * nv;
        double *to = row + (at - first) * nv * nv;
        for (int e = lane; e < nv * nv; e += LANES) {
            const int r = e % nv, c = e / nv;
            double sum = to[e];
            for (int m = 0; m < nv; m++)
                sum -= l[m * nv + r] * static_cast<double>(u[c * nv + m]);
            to[e] = sum;
        }
    }
}

/* A block for each subdomain. Rows of a level are eliminated side by side; all groups of lanes pass as many barriers. */
template <int nv>
static __global__ void __launch_bounds__(SWEEP_THREADS)
    eliminate_parts(const struct an_sparse_matrix a, const struct an_sparse_factor f)
{
    const int t = static_cast<int>(threadIdx.x), lane = t % LANES, warp = t / LANES;
    const int p = static_cast<int>(blockIdx.x);
    double *row = f.scratch + (static_cast<int64_t>(p) * SWEEP_WARPS + warp) * f.longest * nv * nv;
    if (!f.again[p])
        return;
    for (int64_t batch = f.down.batch[p]; batch < f.down.batch[p + 1]; batch++) {
        const int64_t i = f.down.slot[batch * SWEEP_WARPS + warp].row;
        const bool works = i >= 0;
        const int64_t first = works ? f.row_first[i] : 0, last = works ? f.row_first[i + 1] : 0;
        const int64_t diagonal = works ? f.diagonal[i] : 0;
        if (works)
            load_row<nv>(a, f, i, 1 + f.shift[p], lane, row);
        AN_WARP_BARRIER();
        for (int step = 0; step < f.longest; step++) {
            const bool more = works && first + step < diagonal;
            const int64_t k = more ? f.row_list[first + step] : 0;
            double *own = row + step * nv * nv, l[(nv * nv + LANES - 1) / LANES];
            if (more)
                divide<nv>(own, f.pivot + k * nv * nv, lane, l);
            AN_WARP_BARRIER();
            for (int e = lane, n = 0; more && e < nv * nv; e += LANES, n++)
                own[e] = l[n];
            AN_WARP_BARRIER();
            if (more)
                subtract_row<nv>(f, i, k, own, lane, row);
            AN_WARP_BARRIER();
        }
        double *pivot = row + (diagonal - first) * nv * nv;
        if (works && lane == 0 && !an_block_invert(nv, pivot))
            f.singular[p] = f.cell[i];
        AN_WARP_BARRIER();
        for (int64_t m = lane; m < (last - first) * nv * nv; m += LANES)
            f.value[first * nv * nv + m] = static_cast<float>(row[m]);
        for (int e = lane; works && e < nv * nv; e += LANES)
            f.pivot[i * nv * nv + e] = static_cast<float>(pivot[e]);
        __syncthreads();
    }
}

template <int nv>
static __global__ void __launch_bounds__(THREADS) turn_factor_rows(const struct an_sparse_factor f)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x;
    if (i >= f.rows)
        return;
    exchange<nv>(f.pivot + nv * nv * i, f.pivot + nv * nv * i);
    for (int64_t m = f.diagonal[i] + 1; m < f.row_first[i + 1]; m++) {
        const int32_t j = f.row_list[m];
        exchange<nv>(f.value + nv * nv * m,
                     f.value +
                         nv * nv * place_of(f.row_list, f.row_first[j], f.row_first[j + 1], i));
    }
}

/* ---- means ---- */

static __device__ __forceinline__ int32_t group_of(const struct an_sparse_factor &f, int64_t i)
{
    return i < f.cells ? f.part[i] : static_cast<int32_t>(f.nparts + (i - f.cells));
}

/* Component r of row i of A P and of A^T P. */
template <int nv>
static __global__ void __launch_bounds__(THREADS)
    find_means(const struct an_sparse_matrix a, const struct an_sparse_factor f)
{
    const int64_t at = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x, i = at / nv;
    const int r = static_cast<int>(at % nv);
    if (i >= a.n)
        return;
    for (int64_t k = f.mean_first[i]; k < f.mean_first[i + 1]; k++) {
        double plain[nv] = {}, mirror[nv] = {};
        for (int64_t m = a.first[i]; m < a.first[i + 1]; m++) {
            const int32_t j = a.list[m];
            if (group_of(f, j) != f.mean_list[k])
                continue;
            const double *b = a.value + nv * nv * m,
                         *o = a.value + nv * nv * place_of(a.list, a.first[j], a.first[j + 1], i);
            for (int c = 0; c < nv; c++) {
                plain[c] += b[c * nv + r];
                mirror[c] += o[r * nv + c];
            }
        }
        for (int c = 0; c < nv; c++) {
            f.mean[0][(k * nv + c) * nv + r] = static_cast<float>(plain[c]);
            f.mean[1][(k * nv + c) * nv + r] = static_cast<float>(mirror[c]);
        }
    }
}

/* Rows of P^T A P that belong to a group; a thread for each place of a block. */
template <int nv>
static __global__ void __launch_bounds__(64) add_means(const struct an_sparse_factor f)
{
    const int t = static_cast<int>(threadIdx.x), g = static_cast<int>(blockIdx.x);
    const int64_t n = f.groups * nv, first = g < f.nparts ? f.first[g] : 0,
                  last = g < f.nparts ? f.first[g + 1] : 1;
    if (t >= nv * nv)
        return;
    for (int64_t m = 0; m < f.groups; m++)
        f.coarse[(static_cast<int64_t>(g) * nv + t % nv) * n + m * nv + t / nv] = 0;
    for (int64_t q = first; q < last; q++) {
        const int64_t i = g < f.nparts ? f.cell[q] : f.cells + (g - f.nparts);
        if (group_of(f, i) != g)
            continue;
        for (int64_t k = f.mean_first[i]; k < f.mean_first[i + 1]; k++)
            f.coarse[(static_cast<int64_t>(g) * nv + t % nv) * n + f.mean_list[k] * nv + t / nv] +=
                static_cast<double>(f.mean[0][k * nv * nv + t]);
    }
}

/* ---- preconditioner ---- */

/* Sums of the right-hand sides over the cells that a subdomain owns; rows of the tail as they are. */
template <int nv, int ns>
static __global__ void __launch_bounds__(THREADS)
    add_up(const struct an_sparse_factor f, const struct vectors<double> b)
{
    typedef struct partials<double, ns, THREADS> adding;
    AN_SHARED(adding, partial);
    const int t = static_cast<int>(threadIdx.x), g = static_cast<int>(blockIdx.x), r = t % nv;
    enum { ACTIVE = THREADS / nv };
    double sum[ns] = {};
    if (g < f.nparts && t < ACTIVE * nv)
        for (int64_t i = f.first[g] + t / nv; i < f.first[g + 1]; i += ACTIVE) {
            const int64_t cell = f.cell[i];
            for (int s = 0; s < ns && f.part[cell] == g; s++)
                sum[s] += b.of[s][cell * nv + r];
        }
    for (int s = 0; s < ns; s++)
        partial.of[s][t] = sum[s];
    __syncthreads();
    if (t >= nv)
        return;
    for (int s = 0; s < ns; s++) {
        double all = g < f.nparts ? 0 : b.of[s][(f.cells + (g - f.nparts)) * nv + t];
        for (int l = t; l < ACTIVE * nv; l += nv)
            all += partial.of[s][l];
        f.sum[(s * f.groups + g) * nv + t] = all;
    }
}

/* Means of groups from sums: a group of lanes for each row of the inverse. */
template <int ns>
static __global__ void __launch_bounds__(THREADS)
    find_mean(const struct an_sparse_factor f, const struct results<double> x)
{
    typedef struct partials<double, ns, THREADS> adding;
    AN_SHARED(adding, partial);
    const int t = static_cast<int>(threadIdx.x), lane = t % LANES, warp = t / LANES;
    const int64_t all = f.groups * f.nv, m = static_cast<int64_t>(blockIdx.x) * WARPS + warp;
    double sum[ns] = {};
    for (int64_t k = lane; k < all && m < all; k += LANES)
        for (int s = 0; s < ns; s++)
            sum[s] += f.coarse[f.transposed ? k * all + m : m * all + k] * f.sum[s * all + k];
    for (int s = 0; s < ns; s++)
        partial.of[s][t] = sum[s];
    __syncthreads();
    if (m >= all || lane > 0)
        return;
    for (int s = 0; s < ns; s++) {
        double mean = 0;
        for (int l = 0; l < LANES; l++)
            mean += partial.of[s][warp * LANES + l];
        f.sum[(AN_SPARSE_TOGETHER + s) * all + m] = mean;
        if (m >= f.nparts * f.nv)
            x.of[s][f.cells * f.nv + (m - f.nparts * f.nv)] = mean;
    }
}

/* Rows of a subdomain in the order of levels: blocks before the diagonal, or behind it, come off. Loads of the
 * right-hand side, of the pivot and of the next slot are issued before the blocks are read, since nothing else hides their time. */
template <int nv, int ns>
static __device__ inline void
sweep(const struct an_sparse_factor &f, const struct an_sparse_levels &o, int p, int upper,
      const struct results<float> &y, struct partials<float, ns, SWEEP_THREADS> &partial)
{
    const int t = static_cast<int>(threadIdx.x), lane = t % LANES, warp = t / LANES;
    const bool divides = upper != f.transposed;
    const int64_t last = o.batch[p + 1];
    struct vectors<float> from;
    for (int s = 0; s < ns; s++)
        from.of[s] = y.of[s];
    struct an_sparse_slot next = o.slot[o.batch[p] * SWEEP_WARPS + warp];
    for (int64_t batch = o.batch[p]; batch < last; batch++) {
        const struct an_sparse_slot at = next;
        const int64_t i = at.row;
        const bool works = i >= 0, own = works && lane < nv;
        next = o.slot[(batch + 1 < last ? batch + 1 : batch) * SWEEP_WARPS + warp];
        float left[ns] = {}, sum[ns] = {};
        float pivot[nv] = {};
        for (int s = 0; s < ns && own; s++)
            left[s] = y.of[s][i * nv + lane];
        for (int c = 0; c < nv && own && divides; c++)
            pivot[c] = f.pivot[(i * nv + c) * nv + lane];
        if (works)
            add_blocks<nv, ns>(f.value, f.row_list, at.first, at.first + at.blocks, from, lane,
                               sum);
        for (int s = 0; s < ns; s++)
            partial.of[s][t] = sum[s];
        AN_WARP_BARRIER();
        for (int s = 0; s < ns && own; s++)
            left[s] -= total_of<nv>(partial, s, warp, lane);
        AN_WARP_BARRIER();
        for (int s = 0; s < ns; s++)
            partial.of[s][t] = left[s];
        AN_WARP_BARRIER();
        for (int s = 0; s < ns && own; s++) {
            float x = 0;
            for (int c = 0; c < nv; c++)
                x = fma(pivot[c], partial.of[s][warp * LANES + c], x);
            y.of[s][i * nv + lane] = divides ? x : left[s];
        }
        __syncthreads();
    }
}

template <int nv, int ns>
static __global__ void __launch_bounds__(SWEEP_THREADS)
    substitute(const struct an_sparse_factor f, const struct vectors<double> b,
               const struct results<double> x)
{
    typedef struct partials<float, ns, SWEEP_THREADS> sweeping;
    AN_SHARED(sweeping, partial);
    const int t = static_cast<int>(threadIdx.x), p = static_cast<int>(blockIdx.x);
    const int64_t first = f.first[p], count = (f.first[p + 1] - first) * nv;
    const double *means = f.sum + AN_SPARSE_TOGETHER * f.groups * nv;
    struct results<float> y;
    for (int s = 0; s < ns; s++)
        y.of[s] = f.work + s * f.rows * nv;
    for (int64_t q = t; q < count; q += SWEEP_THREADS) {
        const int64_t i = first + q / nv, cell = f.cell[i];
        const int r = static_cast<int>(q % nv);
        for (int s = 0; s < ns; s++) {
            double left = b.of[s][cell * nv + r];
            for (int64_t m = f.mean_first[cell]; m < f.mean_first[cell + 1]; m++)
                for (int c = 0; c < nv; c++)
                    left -= static_cast<double>(f.mean[f.transposed][(m * nv + c) * nv + r]) *
                            means[(s * f.groups + f.mean_list[m]) * nv + c];
            y.of[s][i * nv + r] = static_cast<float>(left);
        }
    }
    __syncthreads();
    sweep<nv, ns>(f, f.down, p, 0, y, partial);
    sweep<nv, ns>(f, f.up, p, 1, y, partial);
    for (int64_t q = t; q < count; q += SWEEP_THREADS) {
        const int64_t i = first + q / nv, cell = f.cell[i];
        const int r = static_cast<int>(q % nv);
        for (int s = 0; s < ns && f.part[cell] == p; s++)
            x.of[s][cell * nv + r] =
                means[(s * f.groups + p) * nv + r] + static_cast<double>(y.of[s][i * nv + r]);
    }
}

/* ---- vectors ---- */

enum { AT_ONCE = 8 }; /* products that are added up together */
struct products {
    double of[AT_ONCE][THREADS];
};

/* Sums over the threads of a block, of n products. */
static __device__ inline void add_products(struct products &p, int n, const double *own, double *to)
{
    const int t = static_cast<int>(threadIdx.x);
    for (int j = 0; j < AT_ONCE; j++)
        p.of[j][t] = own[j];
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            for (int j = 0; j < AT_ONCE; j++)
                p.of[j][t] += p.of[j][t + half];
        __syncthreads();
    }
    if (t < n)
        to[t] = p.of[t][0];
    __syncthreads();
}

/* A block for each part of the vectors. */
static __global__ void __launch_bounds__(THREADS)
    pass_over(const __grid_constant__ struct an_sparse_pass q)
{
    AN_SHARED(struct products, shared);
    const int64_t b = blockIdx.x, from = q.n * b / q.parts + threadIdx.x,
                  to = q.n * (b + 1) / q.parts;
    double *part = q.part + b * AN_SPARSE_VECTORS, own[AT_ONCE] = {};
    for (int64_t m = from; m < to && q.subtract; m += THREADS) {
        double w = q.anew ? 0 : q.w[m];
        for (int j = 0; j < q.k; j++)
            w -= q.less[j] * static_cast<double>(q.v[q.n * j + m]);
        q.w[m] = w;
    }
    for (int j = 0; j < q.k && q.products; j += AT_ONCE) {
        for (int n = 0; n < AT_ONCE; n++)
            own[n] = 0;
        for (int64_t m = from; m < to; m += THREADS)
            for (int n = 0; n < AT_ONCE; n++)
                if (j + n < q.k)
                    own[n] += q.w[m] * static_cast<double>(q.v[q.n * (j + n) + m]);
        add_products(shared, q.k - j < AT_ONCE ? q.k - j : AT_ONCE, own, part + j);
    }
    for (int n = 0; n < AT_ONCE; n++)
        own[n] = 0;
    for (int64_t m = from; m < to; m += THREADS)
        own[0] += q.w[m] * q.w[m];
    add_products(shared, 1, own, part + (q.products ? q.k : 0));
}

/* Sums over the parts, behind them. */
static __global__ void __launch_bounds__(THREADS) add_parts(double *part, int parts)
{
    AN_SHARED(struct products, shared);
    const int j = static_cast<int>(blockIdx.x);
    double own[AT_ONCE] = {};
    for (int b = static_cast<int>(threadIdx.x); b < parts; b += THREADS)
        own[0] += part[b * AN_SPARSE_VECTORS + j];
    add_products(shared, 1, own, part + AN_SPARSE_PARTS * AN_SPARSE_VECTORS + j);
}

static __global__ void __launch_bounds__(THREADS)
    work_on_vector(int kind, int64_t n, double by, double *w, float *v, const double *x)
{
    const int64_t m = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x;
    if (m >= n)
        return;
    if (kind == AN_SPARSE_STORE)
        v[m] = static_cast<float>(by * w[m]);
    else if (kind == AN_SPARSE_WIDEN)
        w[m] = static_cast<double>(v[m]);
    else if (kind == AN_SPARSE_ADD)
        w[m] += by * x[m];
    else
        w[m] = x[m] - w[m];
}

/* ---- launches ---- */

static int grid_of(int64_t n, int each)
{
    return static_cast<int>((n + each - 1) / each);
}

static struct an_cuda_queue *main_queue(struct an_engine *e)
{
    e->launches++;
    return an_cuda_queue_of(e, 0);
}

static struct vectors<double> vectors_of(int n, const double *const *x) {
    struct vectors<double> v = {
    };
    for (int s = 0; s < n; s++)
        v.of[s] = x[s];
    return v;
}

static struct results<double>
results_of(int n, double *const *x) {
    struct results<double> v = {
    };
    for (int s = 0; s < n; s++)
        v.of[s] = x[s];
    return v;
}

/* return call<nv>(...) with nv as a constant */
#define BY_SIZE(nv, call, ...)           \
    do {                                 \
        if ((nv) == 5)                   \
            return call<5>(__VA_ARGS__); \
        if ((nv) == 6)                   \
            return call<6>(__VA_ARGS__); \
        return call<7>(__VA_ARGS__);     \
    } while (0)

#define BY_NUMBER(nv, n, call, ...)          \
    do {                                     \
        if ((n) == 1)                        \
            return call<nv, 1>(__VA_ARGS__); \
        if ((n) == 2)                        \
            return call<nv, 2>(__VA_ARGS__); \
        if ((n) == 3)                        \
            return call<nv, 3>(__VA_ARGS__); \
        return call<nv, 4>(__VA_ARGS__);     \
    } while (0)

template <int nv, int ns>
static int launch_multiply(struct an_engine *e, const struct an_sparse_matrix *a,
                           const struct vectors<double> &x, const struct results<double> &y)
{
    return an_launch("multiply", multiply_rows<nv, ns>, grid_of(a->n, WARPS), THREADS, 0,
                     AN_BARRIERS, main_queue(e), *a, x, y);
}
template <int nv>
static int multiply_by(struct an_engine *e, const struct an_sparse_matrix *a, int n,
                       const struct vectors<double> &x, const struct results<double> &y)
{
    BY_NUMBER(nv, n, launch_multiply, e, a, x, y);
}
static int op_multiply(struct an_engine *e, const struct an_sparse_matrix *a, int n,
                       const double *const *x, double *const *y)
{
    BY_SIZE(a->nv, multiply_by, e, a, n, vectors_of(n, x), results_of(n, y));
}

template <int nv> static int launch_turn(struct an_engine *e, const struct an_sparse_matrix *a)
{
    return an_launch("turn", turn_rows<nv>, grid_of(a->n, THREADS), THREADS, 0, 0, main_queue(e),
                     *a);
}
static int op_turn(struct an_engine *e, const struct an_sparse_matrix *a)
{
    BY_SIZE(a->nv, launch_turn, e, a);
}

static int op_sizes(struct an_engine *e, const struct an_sparse_matrix *a, int64_t blocks,
                    float *size)
{
    return an_launch("sizes", block_sizes, grid_of(blocks, THREADS), THREADS, 0, 0, main_queue(e),
                     static_cast<const double *>(a->value), blocks, a->nv * a->nv, size);
}

template <int nv>
static int launch_eliminate(struct an_engine *e, const struct an_sparse_matrix *a,
                            const struct an_sparse_factor *f)
{
    AN_TRY(an_launch("eliminate", eliminate_parts<nv>, f->nparts, SWEEP_THREADS, 0, AN_BARRIERS,
                     main_queue(e), *a, *f));
    AN_TRY(an_launch("find_means", find_means<nv>, grid_of(a->n * nv, THREADS), THREADS, 0, 0,
                     main_queue(e), *a, *f));
    return an_launch("add_means", add_means<nv>, static_cast<int>(f->groups), 64, 0, 0,
                     main_queue(e), *f);
}
static int op_eliminate(struct an_engine *e, const struct an_sparse_matrix *a,
                        const struct an_sparse_factor *f)
{
    BY_SIZE(a->nv, launch_eliminate, e, a, f);
}

template <int nv>
static int launch_turn_factor(struct an_engine *e, const struct an_sparse_factor *f)
{
    return an_launch("turn_factor", turn_factor_rows<nv>, grid_of(f->rows, THREADS), THREADS, 0, 0,
                     main_queue(e), *f);
}
static int op_turn_factor(struct an_engine *e, const struct an_sparse_factor *f)
{
    BY_SIZE(f->nv, launch_turn_factor, e, f);
}

template <int nv, int ns>
static int launch_precondition(struct an_engine *e, const struct an_sparse_factor *f,
                               const struct vectors<double> &b, const struct results<double> &x)
{
    AN_TRY(an_launch("add_up", add_up<nv, ns>, static_cast<int>(f->groups), THREADS, 0, AN_BARRIERS,
                     main_queue(e), *f, b));
    AN_TRY(an_launch("find_mean", find_mean<ns>, grid_of(f->groups * nv, WARPS), THREADS, 0,
                     AN_BARRIERS, main_queue(e), *f, x));
    return an_launch("substitute", substitute<nv, ns>, f->nparts, SWEEP_THREADS, 0, AN_BARRIERS,
                     main_queue(e), *f, b, x);
}
template <int nv>
static int precondition_by(struct an_engine *e, const struct an_sparse_factor *f, int n,
                           const struct vectors<double> &b, const struct results<double> &x)
{
    BY_NUMBER(nv, n, launch_precondition, e, f, b, x);
}
static int op_precondition(struct an_engine *e, const struct an_sparse_factor *f, int n,
                           const double *const *b, double *const *x)
{
    BY_SIZE(f->nv, precondition_by, e, f, n, vectors_of(n, b), results_of(n, x));
}

static int op_pass(struct an_engine *e, const struct an_sparse_pass *p, double *sum)
{
    const int n = p->products ? p->k + 1 : 1;
    AN_TRY(an_launch("pass", pass_over, p->parts, THREADS, 0, AN_BARRIERS, main_queue(e), *p));
    AN_TRY(an_launch("add_parts", add_parts, n, THREADS, 0, AN_BARRIERS, main_queue(e), p->part,
                     p->parts));
    AN_TRY(e->op->download(e, sum, p->part + AN_SPARSE_PARTS * AN_SPARSE_VECTORS,
                           static_cast<size_t>(n) * sizeof *sum, 0));
    return e->op->sync(e, 0);
}

static int op_vector(struct an_engine *e, enum an_sparse_vector kind, int64_t n, double by,
                     double *w, float *v, const double *x)
{
    return an_launch("vector", work_on_vector, grid_of(n, THREADS), THREADS, 0, 0, main_queue(e),
                     static_cast<int>(kind), n, by, w, v, x);
}

static int op_disturb(struct an_engine *e, const struct an_sparse_disturbance *d)
{
    return an_launch("disturb", disturb_cells, grid_of(d->n, THREADS), THREADS, 0, 0, main_queue(e),
                     *d);
}

static int op_difference(struct an_engine *e, const struct an_sparse_matrix *a,
                         const struct an_sparse_difference *d)
{
    return an_launch("difference", store_differences, grid_of(d->d.n * d->longest, THREADS),
                     THREADS, 0, 0, main_queue(e), *a, *d);
}
} // namespace

AN_EXTERN_C_BEGIN
extern const struct an_sparse_ops AN_LAUNCHER_GASLESS(sparse);
const struct an_sparse_ops AN_LAUNCHER_GASLESS(sparse) = {
    op_multiply,     op_turn, op_sizes,  op_eliminate, op_turn_factor,
    op_precondition, op_pass, op_vector, op_disturb,   op_difference,
};
AN_EXTERN_C_END

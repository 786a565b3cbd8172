/* The wave equation in one dimension held in registers: recursive domain decomposition of Pershin,
 * Levchenko and Perepelkina (2019), down to the warp.
 *
 * A warp holds a window of 32 P points, P consecutive ones a thread, both levels of time; a warp
 * owns the inner L = 32 P - 2 H of them:
 *
 *     window w      |  H  |            L owned            |  H  |
 *     window w + 1                                  |  H  |            L owned        |  H  |
 *
 * The halo goes stale by R points a step. After H / R steps a warp writes the H outermost points
 * that it owns, raises a semaphore to each neighbour, waits for theirs, and reads its halo. Nothing
 * else joins the warps: all of them must be resident. The domain is periodic; the last window
 * begins early so that it ends with the domain, and what it and the one before it exchange is then
 * found at run time.
 *
 * While a warp waits, the other warp of its scheduler computes: the two hold windows of different
 * halves of the domain, and the second half exchanges half a period later than the first. So each
 * side of a window has its phase; at the two places where the halves meet it is that of the first.
 *
 * Levels u and v = u_old are updated in place, v becoming the new level, and change their roles.
 * Words are exchanged singly: as pairs of u and v they would lie in pairs of registers, the results
 * of a step all in registers of one parity, that is, of one bank, which costs a quarter of the rate
 * (measured).
 */
#ifndef AN_BENCH_WAVE_CUH
#define AN_BENCH_WAVE_CUH

#include "bench/designs/problem.cuh"
#include "bench/designs/wave_law.h"

namespace an_bench
{

enum { wave_warps = 8, flag_stride = 8 };

struct wave_layout {
    int warps, steps;
    int early; /* points by which the last window begins early */
    int half;  /* windows of the first half, held by the first warps of blocks */
};

static __device__ __forceinline__ void flag_raise(int *flag, int epoch)
{
    asm volatile("st.release.gpu.s32 [%0], %1;" ::"l"(flag), "r"(epoch) : "memory");
}

static __device__ __forceinline__ void flag_wait(const int *flag, int epoch)
{
    int seen;
    do
        asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    while (seen < epoch);
}

template <class T, int R> static __device__ __forceinline__ constexpr T wave_coefficient(int s)
{
    constexpr double c[3][4] = {AN_WAVE1, AN_WAVE2, AN_WAVE3};
    return static_cast<T>(c[R - 1][s]);
}

/* v = a u - v + sum over s of c_s (u[-s] + u[s]), as multiply-adds with one new operand each. */
template <class T, int R, int P>
static __device__ __forceinline__ void wave_step(const T (&u)[P], T (&v)[P])
{
    T left[R], right[R];
#pragma unroll
    for (int s = 0; s < R; s++) {
        left[s] = __shfl_up_sync(0xffffffffu, u[P - 1 - s], 1);
        right[s] = __shfl_down_sync(0xffffffffu, u[s], 1);
    }
#pragma unroll
    for (int p = 0; p < P; p++) {
        T sum = fma(wave_coefficient<T, R>(0), u[p], -v[p]);
#pragma unroll
        for (int s = 1; s <= R; s++) {
            sum = fma(wave_coefficient<T, R>(s),
                      p >= s ? u[p >= s ? p - s : 0] : left[s - 1 - p < 0 ? 0 : s - 1 - p], sum);
            sum = fma(wave_coefficient<T, R>(s),
                      p + s < P ? u[p + s < P ? p + s : 0] : right[p + s - P < 0 ? 0 : p + s - P],
                      sum);
        }
        v[p] = sum;
    }
}

/* Exchanges at both sides, with semaphores; epoch: of this exchange. */
template <class T, int P, int H>
static __device__ __forceinline__ void wave_exchange(const wave_layout &l, int *flags, T *edges,
                                                     int w, int epoch, T (&u)[P], T (&v)[P])
{
    enum { L = 32 * P - 2 * H };
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int left = w == 0 ? l.warps - 1 : w - 1, right = w == l.warps - 1 ? 0 : w + 1;
    const bool active = lane == 0 || lane == 31;
    T *const all = edges + static_cast<size_t>(epoch & 1) * l.warps * 4 * H;
    if (l.early && w >= l.warps - 2) {
        T *const mine = all + w * 4 * H;
#pragma unroll
        for (int p = 0; p < P; p++) {
            const int i = lane * P + p;
            const int a = i - H - (w == l.warps - 1 ? l.early : 0);
            const int b = i - L + (w == l.warps - 2 ? l.early : 0);
            if (a >= 0 && a < H) {
                mine[a] = u[p];
                mine[H + a] = v[p];
            }
            if (b >= 0 && b < H) {
                mine[2 * H + b] = u[p];
                mine[3 * H + b] = v[p];
            }
        }
        __threadfence();
        __syncwarp();
    } else if (active) {
        T *const mine = all + w * 4 * H + (lane == 0 ? 0 : 2 * H);
#pragma unroll
        for (int p = 0; p < H; p++) {
            mine[p] = lane == 0 ? u[H + p] : u[P - 2 * H + p];
            mine[H + p] = lane == 0 ? v[H + p] : v[P - 2 * H + p];
        }
    }
    if (active) {
        const int side = lane == 31;
        flag_raise(flags + (2 * w + side) * flag_stride, epoch);
        flag_wait(flags + (2 * (side ? right : left) + 1 - side) * flag_stride, epoch);
    }
    if (lane == 0) {
        const T *const from = all + left * 4 * H + 2 * H;
#pragma unroll
        for (int p = 0; p < H; p++) {
            u[p] = __ldcg(from + p);
            v[p] = __ldcg(from + H + p);
        }
    } else if (lane == 31) {
        const T *const from = all + right * 4 * H;
#pragma unroll
        for (int p = 0; p < H; p++) {
            u[P - H + p] = __ldcg(from + p);
            v[P - H + p] = __ldcg(from + H + p);
        }
    }
    __syncwarp();
}

static __device__ __forceinline__ void word_send(unsigned long long *to, unsigned word, int tag)
{
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to),
                 "l"(static_cast<unsigned long long>(tag) << 32 | word)
                 : "memory");
}

static __device__ __forceinline__ unsigned long long word_receive(const unsigned long long *from)
{
    unsigned long long x;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(x) : "l"(from) : "memory");
    return x;
}

/* Points at the ends of warp w into `box` (4 H points): u and v beside the left side, then beside the right one. */
template <class T, int P, int H>
static __device__ __forceinline__ void wave_pack(const wave_layout &l, T *box, int w, int lane,
                                                 const T (&u)[P], const T (&v)[P])
{
    enum { L = 32 * P - 2 * H };
    if (l.early && w >= l.warps - 2) {
#pragma unroll
        for (int p = 0; p < P; p++) {
            const int i = lane * P + p;
            const int a = i - H - (w == l.warps - 1 ? l.early : 0);
            const int b = i - L + (w == l.warps - 2 ? l.early : 0);
            if (a >= 0 && a < H) {
                box[a] = u[p];
                box[H + a] = v[p];
            }
            if (b >= 0 && b < H) {
                box[2 * H + b] = u[p];
                box[3 * H + b] = v[p];
            }
        }
    } else if (lane == 0 || lane == 31) {
        T *const to = box + (lane == 0 ? 0 : 2 * H);
#pragma unroll
        for (int p = 0; p < H; p++) {
            to[p] = lane == 0 ? u[H + p] : u[P - 2 * H + p];
            to[H + p] = lane == 0 ? v[H + p] : v[P - 2 * H + p];
        }
    }
}

/* Exchanges at the sides that are due without semaphores: each word carries the epoch, and is read
 * until it has it. So nobody waits for stores to arrive before others are sent. turn: even or odd
 * exchange of a side. Words go through shared memory (`box`, 4 H points), so that all threads of
 * the warp send and receive them. */
template <class T, int P, int H>
static __device__ __forceinline__ void wave_swap(const wave_layout &l, unsigned long long *edges,
                                                 T *box, int w, int epoch, int turn, bool due_left,
                                                 bool due_right, T (&u)[P], T (&v)[P])
{
    enum { words = 2 * H * sizeof(T) / 4, mine = (words + 31) / 32 };
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int beside[2] = {w == 0 ? l.warps - 1 : w - 1, w == l.warps - 1 ? 0 : w + 1};
    const bool due[2] = {due_left, due_right};
    wave_pack<T, P, H>(l, box, w, lane, u, v);
    __syncwarp();
    unsigned *const word = reinterpret_cast<unsigned *>(box);
    unsigned long long *const all = edges + static_cast<size_t>(turn & 1) * l.warps * 2 * words;
#pragma unroll
    for (int n = 0; n < 2 * mine; n++) {
        const int side = n / mine, i = n % mine * 32 + lane;
        if (due[side] && i < words)
            word_send(all + (2 * w + side) * words + i, word[side * words + i], epoch);
    }
    unsigned long long x[2 * mine];
    bool here;
    do {
        here = true;
#pragma unroll
        for (int n = 0; n < 2 * mine; n++) {
            const int side = n / mine, i = n % mine * 32 + lane;
            x[n] = static_cast<unsigned long long>(epoch) << 32;
            if (due[side] && i < words)
                x[n] = word_receive(all + (2 * beside[side] + 1 - side) * words + i);
        }
#pragma unroll
        for (int n = 0; n < 2 * mine; n++)
            here = here && static_cast<int>(x[n] >> 32) == epoch;
    } while (!__all_sync(0xffffffffu, here));
    __syncwarp();
#pragma unroll
    for (int n = 0; n < 2 * mine; n++) {
        const int side = n / mine, i = n % mine * 32 + lane;
        if (i < words)
            word[side * words + i] = static_cast<unsigned>(x[n]);
    }
    __syncwarp();
    const volatile T *const got = box; /* singly, see the top of this file */
    if (lane == 0 && due_left) {
#pragma unroll
        for (int p = 0; p < H; p++) {
            u[p] = got[p];
            v[p] = got[H + p];
        }
    } else if (lane == 31 && due_right) {
#pragma unroll
        for (int p = 0; p < H; p++) {
            u[P - H + p] = got[2 * H + p];
            v[P - H + p] = got[3 * H + p];
        }
    }
    __syncwarp();
}

/* All steps but the last. */
template <class T, int R, int P, int H>
static __device__ __forceinline__ void wave_steps(const wave_layout &l, int *flags, T *edges,
                                                  T *box, int w, T (&u)[P], T (&v)[P])
{
    enum { E = H / R, period = E == 1 ? 1 : E / 2 };
    int epoch = 0, left = l.steps - 1;
    if (E == 1) {
        for (; left > 0; left -= 2) {
            wave_step<T, R, P>(u, v);
            epoch++;
            wave_exchange<T, P, H>(l, flags, edges, w, epoch, u, v);
            wave_step<T, R, P>(v, u);
            epoch++;
            wave_exchange<T, P, H>(l, flags, edges, w, epoch, u, v);
        }
        return;
    }
    unsigned long long *const words = reinterpret_cast<unsigned long long *>(edges);
    const int left_phase = w > l.half, right_phase = w >= l.half && w < l.warps - 1;
    while (left >= period) {
#pragma unroll 1
        for (int s = 0; s < period; s += 2) {
            wave_step<T, R, P>(u, v);
            wave_step<T, R, P>(v, u);
        }
        left -= period;
        epoch++;
        if ((epoch & 1) == left_phase || (epoch & 1) == right_phase)
            wave_swap<T, P, H>(l, words, box, w, epoch, epoch >> 1, (epoch & 1) == left_phase,
                               (epoch & 1) == right_phase, u, v);
    }
#pragma unroll 1
    for (; left > 0; left -= 2) {
        wave_step<T, R, P>(u, v);
        wave_step<T, R, P>(v, u);
    }
}

template <class T, int R, int P, int H>
__global__ void __launch_bounds__(32 * wave_warps, 1)
    wave_registers(T *newest, T *before, int n, wave_layout l, int *flags, T *edges)
{
    enum { L = 32 * P - 2 * H, E = H / R, side = wave_warps / 2 };
    static_assert(2 * H <= P && H % R == 0 && (E == 1 || E % 4 == 0), "");
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const int second = warp / side, of_half = static_cast<int>(blockIdx.x) * side + warp % side;
    const int w = second * l.half + of_half;
    if (of_half >= l.half || w >= l.warps)
        return;
    const int start = w * L - H - (w == l.warps - 1 ? l.early : 0) + lane * P;
    T u[P], v[P];
#pragma unroll
    for (int p = 0; p < P; p++) {
        const int x = (start + p + n) % n;
        u[p] = before[x];
        v[p] = newest[x];
    }
    __shared__ T box[wave_warps][4 * H];
    wave_steps<T, R, P, H>(l, flags, edges, box[warp], w, u, v);
    wave_step<T, R, P>(u, v);
#pragma unroll
    for (int p = 0; p < P; p++) {
        const int i = lane * P + p, x = (start + p + n) % n;
        if (i >= H && i < H + L) {
            newest[x] = v[p];
            before[x] = u[p];
        }
    }
}

} // namespace an_bench
#endif

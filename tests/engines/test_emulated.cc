/* The host's stand-in for CUDA: indices, shared memory, barriers, atomics, and its complaint about
 * a barrier that not all threads reach. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

extern "C" {
#include <cmocka.h>
}

#include "kernels/base/error.h"
#include "kernels/emulated/emulated.h"

#include <math.h>
#include <string.h>

namespace
{
enum { THREADS = 96, BLOCKS = 5 };

struct row {
    double v[THREADS];
};

__global__ void turn_round(double *in, double *out)
{
    AN_SHARED(struct row, line);
    const int t = static_cast<int>(threadIdx.x), at = static_cast<int>(blockIdx.x) * THREADS;
    line.v[t] = in[at + t];
    __syncthreads();
    out[at + t] = line.v[THREADS - 1 - t];
}

/* What a missing barrier does: half of the threads read before the others wrote. */
__global__ void turn_round_wrong(double *in, double *out)
{
    AN_SHARED(struct row, line);
    const int t = static_cast<int>(threadIdx.x), at = static_cast<int>(blockIdx.x) * THREADS;
    line.v[t] = in[at + t];
    out[at + t] = line.v[THREADS - 1 - t];
}

__global__ void some_leave(int limit)
{
    if (static_cast<int>(threadIdx.x) < limit)
        __syncthreads();
}

__global__ void two_barriers(int limit)
{
    if (static_cast<int>(threadIdx.x) < limit)
        __syncthreads();
    else
        __syncthreads();
}

__global__ void count(unsigned long long *total, unsigned long long *least)
{
    atomicAdd(total, 1ULL);
    atomicMin(least, static_cast<unsigned long long>(1000 - blockIdx.x * blockDim.x - threadIdx.x));
}

void memory_is_shared(void **)
{
    static double in[BLOCKS * THREADS], out[BLOCKS * THREADS], wrong[BLOCKS * THREADS];
    int unwritten = 0;
    for (int n = 0; n < BLOCKS * THREADS; n++)
        in[n] = n;
    assert_int_equal(an_launch("turn_round", turn_round, BLOCKS, THREADS, 0, AN_BARRIERS, nullptr,
                               in + 0, out + 0),
                     AN_OK);
    assert_int_equal(an_launch("wrong", turn_round_wrong, BLOCKS, THREADS, 0, AN_BARRIERS, nullptr,
                               in + 0, wrong + 0),
                     AN_OK);
    for (int n = 0; n < BLOCKS * THREADS; n++) {
        assert_true(out[n] == n / THREADS * THREADS + THREADS - 1 - n % THREADS);
        unwritten += isnan(wrong[n]);
    }
    assert_int_equal(unwritten, BLOCKS * THREADS / 2);
}

void barriers_are_for_all(void **)
{
    assert_int_equal(
        an_launch("some_leave", some_leave, BLOCKS, THREADS, 0, AN_BARRIERS, nullptr, THREADS),
        AN_OK);
    assert_int_equal(
        an_launch("some_leave", some_leave, BLOCKS, THREADS, 0, AN_BARRIERS, nullptr, 0), AN_OK);
    assert_int_equal(
        an_launch("some_leave", some_leave, BLOCKS, THREADS, 0, AN_BARRIERS, nullptr, 64), AN_FAIL);
    assert_non_null(strstr(an_error_text(), "some_leave"));
    assert_non_null(strstr(an_error_text(), "not reached by all threads"));
    assert_int_equal(
        an_launch("two_barriers", two_barriers, 1, THREADS, 0, AN_BARRIERS, nullptr, 64), AN_FAIL);
    /* and the next launch is not disturbed */
    assert_int_equal(
        an_launch("some_leave", some_leave, 1, THREADS, 0, AN_BARRIERS, nullptr, THREADS), AN_OK);
}

void atomics_count(void **)
{
    unsigned long long total = 0, least = ~0ULL;
    assert_int_equal(an_launch("count", count, BLOCKS, THREADS, 0, 0, nullptr, &total, &least),
                     AN_OK);
    assert_int_equal(total, BLOCKS * THREADS);
    assert_int_equal(least, 1000 - BLOCKS * THREADS + 1);
}

__global__ void waits(int threads)
{
    int t = static_cast<int>(threadIdx.x);
    if (t < threads)
        AN_AWAIT_EARLIER(t);
}

/* A kernel that is started early waits with all its threads; another one does not wait. */
void all_threads_wait(void **)
{
    assert_int_equal(an_launch("waits", waits, BLOCKS, THREADS, 0, AN_AWAITS, nullptr, THREADS),
                     AN_OK);
    assert_int_equal(an_launch("waits", waits, BLOCKS, THREADS, 0, AN_AWAITS, nullptr, THREADS - 1),
                     AN_FAIL);
    assert_non_null(strstr(an_error_text(), "475 threads waited for earlier kernels, not 480"));
    assert_int_equal(an_launch("waits", waits, BLOCKS, THREADS, 0, 0, nullptr, THREADS), AN_FAIL);
    assert_int_equal(an_launch("waits", waits, BLOCKS, THREADS, 0, 0, nullptr, 0), AN_OK);
}

void too_large_is_refused(void **)
{
    assert_int_equal(an_launch("some_leave", some_leave, 1, 2048, 0, AN_BARRIERS, nullptr, 0),
                     AN_FAIL);
}
} // namespace

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_shared),     cmocka_unit_test(barriers_are_for_all),
        cmocka_unit_test(atomics_count),        cmocka_unit_test(all_threads_wait),
        cmocka_unit_test(too_large_is_refused),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

/* The runtime of emulated.h: fibers, one for each thread of a block.
 *
 * A fiber is made by makecontext and entered once; it then runs one block after another. Fibers
 * change over by _setjmp and _longjmp, because swapcontext makes a system call each time, which took
 * more time than the kernels. The checked longjmp of _FORTIFY_SOURCE refuses to change stacks, and
 * AddressSanitizer knows only swapcontext. */
#undef _FORTIFY_SOURCE
#include "kernels/emulated/emulated.h"
#include "kernels/emulated/emulated_engine.h"

#include "kernels/base/error.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#define CHANGES_BY_JUMP 0
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define SWITCH_START(keep, bottom, size) __sanitizer_start_switch_fiber(keep, bottom, size)
#define SWITCH_DONE(kept, bottom, size)  __sanitizer_finish_switch_fiber(kept, bottom, size)
#define STACK_IS_FREE(bottom, size)      __asan_unpoison_memory_region(bottom, size)
#else
#define CHANGES_BY_JUMP                  1
#define SWITCH_START(keep, bottom, size) ((void)(keep), (void)(bottom), (void)(size))
#define SWITCH_DONE(kept, bottom, size)  ((void)(kept), (void)(bottom), (void)(size))
#define STACK_IS_FREE(bottom, size)      ((void)(bottom), (void)(size))
#endif

struct emulated_index threadIdx, blockIdx, blockDim, gridDim;
int emulated_last_first;

namespace
{
enum { STACK = 256 << 10, SHARED = EMULATED_SHARED, MAX_THREADS = 1024, COPIES = 160, WORDS = 64 };

struct copy {
    void *to;
    const void *from;
    size_t bytes;
    int group;
};

struct fiber {
    ucontext_t context;
    jmp_buf place; /* where it waits */
    int entered;   /* it waits there, at a barrier or for the next block */
    void *fake_stack;
    size_t shared; /* bytes declared so far */
    int line;      /* of the barrier it waits at; 0: running; -1: done */
    int ncopy;     /* asynchronous copies under way */
    int group;     /* committed so far */
    struct copy copy[COPIES];
    int exchanges;        /* by emulated_from_lane so far */
    char given[2][WORDS]; /* what the thread gave in the last two */
};

struct fiber fibers[MAX_THREADS];
char *stacks, *shared_memory;
ucontext_t scheduler;
jmp_buf scheduler_place;
void *scheduler_fake_stack;
const void *scheduler_stack;
size_t scheduler_stack_size;
struct fiber *current;
void (*body)(void *);
void *argument;
int64_t awaited; /* threads of the launch that passed AN_AWAIT_EARLIER */

void to_scheduler(void)
{
    struct fiber *self = current;
    SWITCH_START(&self->fake_stack, scheduler_stack, scheduler_stack_size);
    if (!CHANGES_BY_JUMP)
        swapcontext(&self->context, &scheduler);
    else if (!_setjmp(self->place))
        _longjmp(scheduler_place, 1);
    SWITCH_DONE(self->fake_stack, &scheduler_stack, &scheduler_stack_size);
}

void entry(void)
{
    SWITCH_DONE(nullptr, &scheduler_stack, &scheduler_stack_size);
    for (;;) {
        body(argument);
        current->line = -1;
        to_scheduler();
    }
}

void change_over(struct fiber *to)
{
    if (!CHANGES_BY_JUMP)
        swapcontext(&scheduler, &to->context);
    else if (!_setjmp(scheduler_place)) {
        if (to->entered)
            _longjmp(to->place, 1);
        to->entered = 1;
        setcontext(&to->context);
    }
}

void resume(int t)
{
    current = &fibers[t];
    current->line = 0;
    threadIdx.x = static_cast<unsigned>(t);
    SWITCH_START(&scheduler_fake_stack, stacks + static_cast<size_t>(t) * STACK, STACK);
    change_over(current);
    SWITCH_DONE(scheduler_fake_stack, nullptr, nullptr);
    current->entered = 1;
    current = nullptr;
}

/* Fibers that wait for a block go on; the others are made. */
void start_fibers(int threads)
{
    for (int t = 0; t < threads; t++) {
        struct fiber *f = &fibers[t];
        f->shared = 0;
        f->ncopy = f->group = f->exchanges = 0;
        if (f->entered && f->line < 0)
            continue;
        STACK_IS_FREE(stacks + static_cast<size_t>(t) * STACK, STACK);
        getcontext(&f->context);
        f->context.uc_stack.ss_sp = stacks + static_cast<size_t>(t) * STACK;
        f->context.uc_stack.ss_size = STACK;
        f->context.uc_link = nullptr;
        f->fake_stack = nullptr;
        f->entered = 0;
        makecontext(&f->context, entry, 0);
    }
}

/* One block: rounds from barrier to barrier. */
int run_block(const char *name, int threads, int order)
{
    memset(shared_memory, 0xff, SHARED);
    start_fibers(threads);
    for (;; order ^= 1) {
        for (int n = 0; n < threads; n++)
            resume(order ? threads - 1 - n : n);
        for (int t = 1; t < threads; t++)
            AN_CHECK(fibers[t].line == fibers[0].line, AN_FAIL,
                     "kernel %s, block %u: barrier of line %d is not reached by all threads "
                     "(thread 0: line %d, thread %d: line %d; -1 is the end)",
                     name, blockIdx.x,
                     fibers[t].line > fibers[0].line ? fibers[t].line : fibers[0].line,
                     fibers[0].line, t, fibers[t].line);
        if (fibers[0].line < 0)
            return AN_OK;
    }
}
} // namespace

void emulated_barrier(int line)
{
    if (!current)
        abort(); /* the kernel was launched as one without barriers */
    current->line = line;
    to_scheduler();
}

void *emulated_shared(size_t bytes)
{
    if (!current || current->shared + bytes > SHARED)
        abort();
    void *p = shared_memory + current->shared;
    current->shared += (bytes + 127) / 128 * 128;
    return p;
}

/* What is given stays until the next exchange but one, which no thread reaches before all have
 * read. */
const void *emulated_from_lane(const void *v, size_t bytes, int lane)
{
    if (!current || bytes > WORDS || lane < 0 || lane > 31)
        abort();
    const int slot = current->exchanges++ & 1;
    memcpy(current->given[slot], v, bytes);
    emulated_barrier(__LINE__);
    return fibers[(threadIdx.x & ~31u) + static_cast<unsigned>(lane)].given[slot];
}

/* Copies arrive as late as they may. */
void emulated_copy_async(void *to, const void *from, size_t bytes)
{
    if (!current || current->ncopy == COPIES)
        abort();
    current->copy[current->ncopy++] = {to, from, bytes, current->group};
}

void an_copy_commit(void)
{
    current->group++;
}

void an_copy_wait(void)
{
    int left = 0;
    for (int n = 0; n < current->ncopy; n++) {
        const struct copy c = current->copy[n];
        if (c.group < current->group - 1)
            memcpy(c.to, c.from, c.bytes);
        else
            current->copy[left++] = c;
    }
    current->ncopy = left;
}

void emulated_await(void)
{
    awaited++;
}

int emulated_run(const char *name, int grid, int threads, int traits, void (*function)(void *),
                 void *arg)
{
    AN_CHECK(grid >= 0 && threads > 0 && threads <= MAX_THREADS, AN_FAIL,
             "kernel %s: %d blocks of %d threads cannot be launched", name, grid, threads);
    if (!stacks) {
        stacks = static_cast<char *>(aligned_alloc(4096, static_cast<size_t>(MAX_THREADS) * STACK));
        shared_memory = static_cast<char *>(aligned_alloc(4096, (SHARED + 4095) / 4096 * 4096));
        AN_CHECK(stacks && shared_memory, AN_FAIL, "out of memory for emulated threads");
    }
    body = function;
    argument = arg;
    gridDim = {static_cast<unsigned>(grid), 1, 1};
    blockDim = {static_cast<unsigned>(threads), 1, 1};
    awaited = 0;
    for (int n = 0; n < grid; n++) {
        const int b = emulated_last_first ? grid - 1 - n : n;
        blockIdx = {static_cast<unsigned>(b), 0, 0};
        if (traits & AN_BARRIERS) {
            AN_TRY(run_block(name, threads, b & 1));
            continue;
        }
        for (int t = 0; t < threads; t++) {
            threadIdx.x = static_cast<unsigned>(b & 1 ? threads - 1 - t : t);
            function(arg);
        }
    }
    const int64_t wanted = traits & AN_AWAITS ? static_cast<int64_t>(grid) * threads : 0;
    AN_CHECK(awaited == wanted, AN_FAIL,
             "kernel %s: %lld threads waited for earlier kernels, not %lld", name,
             static_cast<long long>(awaited), static_cast<long long>(wanted));
    return AN_OK;
}

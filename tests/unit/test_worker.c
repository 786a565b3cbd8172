/* The thread beside the march: each start does the work once, wait comes back behind it, free waits for it, and a worker without a
 * thread does the same in start. The work of a thread has as many threads of OpenMP as the worker says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "solver/level/worker.h"

struct work {
    atomic_int may; /* go on */
    int done;       /* not atomic: wait has to make it visible */
    pthread_t by;
    int threads; /* of OpenMP */
};

static void count(void *of)
{
    struct work *w = of;
    while (!atomic_load(&w->may))
        usleep(100);
    w->done++;
    w->by = pthread_self();
    w->threads = omp_get_max_threads();
}

static void in_background(void **state)
{
    (void)state;
    struct work w = {.done = 0};
    struct an_worker *worker = an_worker_new(count, &w, 1, 3);
    assert_non_null(worker);
    assert_int_equal(an_worker_in_background(worker), 1);
    an_worker_wait(worker); /* idle */
    for (int n = 1; n <= 100; n++) {
        atomic_store(&w.may, 0);
        an_worker_start(worker); /* would not come back if the caller did the work */
        atomic_store(&w.may, 1);
        an_worker_wait(worker);
        assert_int_equal(w.done, n);
        assert_false(pthread_equal(w.by, pthread_self()));
        assert_int_equal(w.threads, 3);
        an_worker_wait(worker);
    }
    an_worker_start(worker);
    an_worker_free(worker);
    assert_int_equal(w.done, 101);
}

/* As many threads as OpenMP gives, if the worker says nothing. */
static void threads_of_openmp(void **state)
{
    (void)state;
    struct work w = {.may = 1};
    struct an_worker *worker = an_worker_new(count, &w, 1, 0);
    assert_int_equal(an_worker_in_background(worker), 1);
    an_worker_start(worker);
    an_worker_wait(worker);
    assert_int_equal(w.threads, omp_get_max_threads()); /* this program has set none */
    an_worker_free(worker);
}

static void without_thread(void **state)
{
    (void)state;
    struct work w = {.may = 1};
    struct an_worker *worker = an_worker_new(count, &w, 0, 3);
    assert_int_equal(an_worker_in_background(worker), 0);
    an_worker_start(worker);
    assert_int_equal(w.done, 1);
    assert_true(pthread_equal(w.by, pthread_self()));
    assert_int_equal(w.threads, omp_get_max_threads()); /* those of the caller */
    an_worker_wait(worker);
    an_worker_free(worker);
    assert_int_equal(w.done, 1);
    an_worker_wait(NULL);
    an_worker_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_background),
                                       cmocka_unit_test(threads_of_openmp),
                                       cmocka_unit_test(without_thread)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

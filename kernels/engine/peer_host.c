/* Mailboxes in host memory: anonymous files, opened by way of their owner's descriptor. */
#define _GNU_SOURCE
#include "kernels/engine/peer.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

double an_peer_patience = 300;

struct host_handle {
    long pid;
    int file;
};

/* Mappings begin with a page of their own: their size, and the file of the owner. */
struct mapping {
    size_t bytes;
    int file;
};
enum { PAGE = 4096 };

struct an_peer_door {
    uint64_t sent, received;
    int n, lost;
    _Atomic uint64_t **there, **here; /* [n] flags, owned arrays */
    double patience;
};

static struct mapping *mapping_of(void *box)
{
    return (struct mapping *)((char *)box - PAGE);
}

static int box_new(struct an_engine *e, size_t bytes, void **box, struct an_peer_handle *h)
{
    (void)e;
    struct host_handle handle = {.pid = (long)getpid(), .file = memfd_create("annulus", 0)};
    *box = NULL;
    AN_CHECK(handle.file >= 0, AN_FAIL, "shared memory: %s", strerror(errno));
    void *p = MAP_FAILED;
    if (ftruncate(handle.file, (off_t)(bytes + PAGE)) == 0)
        p = mmap(NULL, bytes + PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, handle.file, 0);
    if (p == MAP_FAILED) {
        const int why = errno;
        close(handle.file);
        return an_error_set(AN_FAIL, "%zu bytes of shared memory: %s", bytes, strerror(why));
    }
    *(struct mapping *)p = (struct mapping){bytes + PAGE, handle.file};
    *box = (char *)p + PAGE;
    memset(h, 0, sizeof *h);
    memcpy(h->bytes, &handle, sizeof handle);
    return AN_OK;
}

static void box_free(struct an_engine *e, void *box)
{
    (void)e;
    const struct mapping m = *mapping_of(box);
    munmap(mapping_of(box), m.bytes);
    close(m.file);
}

static int box_open(struct an_engine *e, const struct an_peer_handle *h, void **box)
{
    (void)e;
    struct host_handle handle;
    char path[64];
    memcpy(&handle, h->bytes, sizeof handle);
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", handle.pid, handle.file);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    struct stat st;
    void *p = MAP_FAILED;
    if (file >= 0 && fstat(file, &st) == 0)
        p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    const int why = errno;
    if (file >= 0)
        close(file);
    AN_CHECK(p != MAP_FAILED, AN_FAIL, "shared memory of process %ld: %s", handle.pid,
             strerror(why));
    *box = (char *)p + PAGE;
    return AN_OK;
}

static void box_close(struct an_engine *e, void *box)
{
    (void)e;
    munmap(mapping_of(box), mapping_of(box)->bytes);
}

static void door_free(struct an_engine *e, struct an_peer_door *d)
{
    (void)e;
    free(d->there);
    free(d->here);
    free(d);
}

static int door_new(struct an_engine *e, void *box, int n, void *const *there, const int *flag,
                    struct an_peer_door **out)
{
    struct an_peer_door *d = calloc(1, sizeof *d);
    AN_CHECK(d, AN_FAIL, "out of memory for a mailbox");
    *out = d;
    d->n = n;
    d->lost = -1;
    d->patience = an_peer_patience;
    d->there = malloc((size_t)n * sizeof *d->there);
    d->here = malloc((size_t)n * sizeof *d->here);
    if (!d->there || !d->here) {
        door_free(e, d);
        *out = NULL;
        return an_error_set(AN_FAIL, "out of memory for a mailbox");
    }
    for (int b = 0; b < n; b++) {
        d->here[b] = (void *)((char *)box + b * AN_PEER_FLAG);
        d->there[b] = (void *)((char *)there[b] + flag[b] * AN_PEER_FLAG);
    }
    return AN_OK;
}

static char *half_of(const struct an_engine *e, const struct an_peer_move *m, uint64_t number)
{
    return (char *)m->box + (number & 1 ? m->half * (int64_t)e->precision : 0);
}

static int door_send(struct an_engine *e, struct an_peer_door *d, const struct an_peer_move *m,
                     int stream)
{
    AN_TRY(e->op->copies(e, m->copies, half_of(e, m, d->sent), m->box_component, m->field,
                         m->field_component, m->ncomp, m->vector, stream));
    if (!m->last)
        return AN_OK;
    d->sent++;
    for (int b = 0; b < d->n; b++)
        atomic_store_explicit(d->there[b], d->sent, memory_order_release);
    return AN_OK;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void await(struct an_peer_door *d)
{
    const double start = seconds();
    for (int b = 0; b < d->n && d->lost < 0; b++)
        while (atomic_load_explicit(d->here[b], memory_order_acquire) < d->received + 1) {
            sched_yield();
            if (seconds() - start > d->patience) {
                d->lost = b;
                break;
            }
        }
}

static int door_receive(struct an_engine *e, struct an_peer_door *d, const struct an_peer_move *m,
                        int stream)
{
    if (m->first)
        await(d);
    AN_TRY(e->op->copies(e, m->copies, m->field, m->field_component, half_of(e, m, d->received),
                         m->box_component, m->ncomp, m->vector, stream));
    if (m->last)
        d->received++;
    return AN_OK;
}

static int door_lost(struct an_engine *e, struct an_peer_door *d)
{
    (void)e;
    return d->lost;
}

const struct an_peer_ops an_peer_host = {0,        box_new,   box_free,  box_open,     box_close,
                                         door_new, door_free, door_send, door_receive, door_lost};

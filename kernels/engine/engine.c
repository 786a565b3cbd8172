#include "kernels/engine/built.h"
#include "kernels/engine/meter.h"

#include <string.h>

void an_engine_destroy(struct an_engine *e)
{
    if (e->op)
        e->op->destroy(e);
    memset(e, 0, sizeof *e);
}

static struct {
    const char *name;
    int (*create)(enum an_precision precision, struct an_engine *e);
} added;

void an_engine_add(const char *name,
                   int (*create)(enum an_precision precision, struct an_engine *e))
{
    added.name = name;
    added.create = create;
}

int an_engine_is_added(const char *name)
{
    return added.name && !strcmp(added.name, name);
}

int an_engine_added_new(const char *name, enum an_precision precision, struct an_engine *e)
{
    AN_CHECK(an_engine_is_added(name), AN_INPUT, "this program has no engine '%s'", name);
    return added.create(precision, e);
}

const char *an_stencil_name(enum an_stencil s)
{
    static const char *const name[] = {
#define AN_S(n) #n,
        AN_STENCIL_LIST(AN_S, AN_S, AN_S, AN_S)
#undef AN_S
    };
    return s < AN_NSTENCIL ? name[s] : "?";
}

#ifndef AN_HAVE_CUDA
int an_engine_cuda_new(enum an_precision precision, int device, struct an_engine *e)
{
    (void)precision, (void)device, (void)e;
    return an_error_set(AN_FAIL, "this annulus was built without CUDA");
}

int an_engine_cuda_count(void)
{
    return 0;
}

const char *an_engine_cuda_built(void)
{
    return "";
}

int an_engine_room(const struct an_engine *e, int64_t *left, int64_t *all)
{
    (void)e;
    *left = *all = 0;
    return AN_OK;
}

void an_engine_time_waits(struct an_engine *e, int on)
{
    (void)e, (void)on;
}

int an_engine_waited(struct an_engine *e, double *seconds)
{
    (void)e;
    *seconds = -1;
    return AN_OK;
}

int an_engine_mark(struct an_engine *e, int mark)
{
    (void)e, (void)mark;
    return AN_OK;
}

int an_engine_marked(struct an_engine *e, double seconds[AN_MARKS], double waited[AN_MARKS])
{
    (void)e;
    memset(seconds, 0, AN_MARKS * sizeof *seconds);
    memset(waited, 0, AN_MARKS * sizeof *waited);
    return AN_STOPPED;
}
#endif

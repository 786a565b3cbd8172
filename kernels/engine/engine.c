#include "kernels/engine/built.h"
#include "kernels/engine/meter.h"
#include "kernels/engine/tiles.h"

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

int an_engine_has(int precision, int gas)
{
    enum { GASES = 2 };
    static const char built[2][GASES] = {
#ifdef AN_BUILT_32_0
        [0][0] = 1,
#endif
#ifdef AN_BUILT_32_1
        [0][1] = 1,
#endif
#ifdef AN_BUILT_64_0
        [1][0] = 1,
#endif
#ifdef AN_BUILT_64_1
        [1][1] = 1,
#endif
    };
    return gas >= 0 && gas < GASES && built[precision == 64][gas];
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

int an_engine_copy_all(struct an_engine *e, const struct an_copying *c, int stream)
{
    for (int n = 0; n < c->nfield && c->list; n++)
        AN_TRY(e->op->copies(e, c->list, c->field[n].base, c->component, c->field[n].base,
                             c->component, c->field[n].ncomp, c->field[n].vector, stream));
    return AN_OK;
}

int an_engine_ghosts(struct an_engine *e, const struct an_copying *c, enum an_stencil s,
                     enum an_scheme scheme, const struct an_faces *faces, const struct an_fields *f,
                     const struct an_params *p, int stream)
{
    if (e->op->ghosts)
        return e->op->ghosts(e, c, s, scheme, faces, f, p, stream);
    AN_TRY(an_engine_copy_all(e, c, stream));
    return e->op->run_faces(e, s, scheme, faces, f, p, NULL, stream);
}

int an_engine_room(const struct an_engine *e, int64_t *left, int64_t *all)
{
    *left = *all = 0;
    return e->meter && e->meter->room ? e->meter->room(e, left, all) : AN_OK;
}

void an_engine_time_waits(struct an_engine *e, int on)
{
    if (e->meter && e->meter->time_waits)
        e->meter->time_waits(e, on);
}

int an_engine_waited(struct an_engine *e, double *seconds)
{
    *seconds = -1;
    return e->meter && e->meter->waited ? e->meter->waited(e, seconds) : AN_OK;
}

int an_engine_mark(struct an_engine *e, int mark)
{
    return e->meter && e->meter->mark ? e->meter->mark(e, mark) : AN_OK;
}

int an_engine_marked(struct an_engine *e, double seconds[AN_MARKS], double waited[AN_MARKS])
{
    memset(seconds, 0, AN_MARKS * sizeof *seconds);
    memset(waited, 0, AN_MARKS * sizeof *waited);
    return e->meter && e->meter->marked ? e->meter->marked(e, seconds, waited) : AN_STOPPED;
}

int an_engine_defer(struct an_engine *e, int on)
{
    return e->meter && e->meter->defer ? e->meter->defer(e, on) : AN_OK;
}

int an_engine_collect(struct an_engine *e)
{
    return e->meter && e->meter->collect ? e->meter->collect(e) : AN_OK;
}

int an_tiles_choose(struct an_engine *e, int measure, const char *program, char *text)
{
    text[0] = '\0';
    return e->meter && e->meter->choose_tiles ? e->meter->choose_tiles(e, measure, program, text)
                                              : AN_OK;
}

#include "mpi/transport.h"

/* Where the field's components of an exchange begin in a buffer. */
static char *component(const struct an_transport *t, void *buffer,
                       const struct an_transport_move *m)
{
    const int64_t elements = m->component * (t->pitch ? t->pitch : 1);
    return (char *)buffer + elements * (int64_t)t->engine->precision;
}

int an_transport_pack(struct an_transport *t, const struct an_transport_move *m, int stream)
{
    return t->engine->op->copies(t->engine, m->copies, component(t, t->send, m),
                                 t->pitch ? t->pitch : 1, m->field, m->field_component, m->ncomp,
                                 AN_COPY_PLAIN, stream);
}

int an_transport_unpack(struct an_transport *t, const struct an_transport_move *m, int stream)
{
    return t->engine->op->copies(t->engine, m->copies, m->field, m->field_component,
                                 component(t, t->recv, m), t->pitch ? t->pitch : 1, m->ncomp,
                                 m->vector, stream);
}

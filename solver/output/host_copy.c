#include "solver/output/host_copy.h"

#include "mpi/reduce.h"
#include "solver/level/level.h"

#include <omp.h>
#include <string.h>

static int is_state(int nstate, const struct an_state_field *state, const char *name)
{
    int found = 0;
    for (int f = 0; f < nstate; f++)
        found = found || strcmp(state[f].name, name) == 0;
    return found;
}

/* Component c of an engine field is on its way to the image of field f. */
static int fetch(struct an_solver *s, struct an_host_copy *copy, const void *field, int c, int f)
{
    const struct an_layout *l = &s->level->layout;
    const size_t bytes = (size_t)l->ncell * (size_t)l->precision;
    if (!copy->image[f]) {
        void *p;
        AN_TRY(s->engine->op->alloc_host(s->engine, bytes, &p));
        copy->image[f] = p;
    }
    copy->used[f] = 1;
    return s->engine->op->download(s->engine, copy->image[f],
                                   (const char *)field + (size_t)c * bytes, bytes, 0);
}

/* Fields of output that are no state and stand on the engine, or follow from the stencil `derived`. */
static int fetch_engine(struct an_solver *s, struct an_host_copy *copy, int nstate)
{
    struct an_fields fields = s->level->fields;
    /* work of line solvers, which nobody reads between steps, is large enough */
    const int own = !fields.at[AN_F_LINE];
    fields.at[AN_F_DERIVED] = fields.at[AN_F_LINE];
    int status = AN_OK;
    if (own)
        status = s->engine->op->alloc(s->engine,
                                      (size_t)s->level->layout.ncell * AN_NCOMP_DERIVED *
                                          (size_t)s->level->layout.precision,
                                      &fields.at[AN_F_DERIVED]);
    if (status == AN_OK)
        status = s->engine->op->run(s->engine, AN_S_derived, s->level->interior, &fields,
                                    &s->params, NULL, 0);
    for (int f = nstate; f < copy->nfield && status == AN_OK; f++) {
        enum an_field from;
        int component;
        if (an_quantity_on_engine((enum an_output)an_output_find(copy->name[f]), &from, &component))
            status = fetch(s, copy, fields.at[from], component, f);
    }
    if (status == AN_OK)
        status = s->engine->op->sync(s->engine, 0);
    if (own && fields.at[AN_F_DERIVED])
        s->engine->op->free(s->engine, fields.at[AN_F_DERIVED]);
    return status;
}

/* Fields of output that are no state. Those of the host come first: what they need may use the work
 * fields in which `derived` leaves its results. */
static int fetch_output(struct an_solver *s, struct an_host_copy *copy, int nstate)
{
    struct an_quantities *host = &copy->host;
    int status = AN_OK;
    for (int f = nstate; f < copy->nfield && status == AN_OK; f++) {
        const int what = an_output_find(copy->name[f]);
        enum an_field from;
        int component;
        if (what < 0) {
            status = an_error_set(AN_INPUT, "output field '%s' is not known", copy->name[f]);
        } else if (!an_quantity_on_engine((enum an_output)what, &from, &component)) {
            copy->place[host->n] = f;
            host->what[host->n++] = (enum an_output)what;
        }
    }
    status = an_reduce_status(s->comm, status);
    if (status == AN_OK)
        status = an_quantities_prepare(s, host);
    return status == AN_OK ? fetch_engine(s, copy, nstate) : status;
}

int an_host_copy_take(struct an_solver *s, int nstate, const struct an_state_field *state,
                      struct an_host_copy *copy)
{
    copy->nfield = copy->host.n = 0;
    copy->threads = omp_get_max_threads();
    memset(copy->used, 0, sizeof copy->used);
    for (int f = 0; f < nstate; f++)
        copy->name[copy->nfield++] = state[f].name;
    for (int f = 0; f < s->c->output.nfield && copy->nfield < AN_HOST_COPY_FIELDS; f++)
        if (!is_state(nstate, state, s->c->output.field[f]))
            copy->name[copy->nfield++] = s->c->output.field[f];
    if (!copy->packed.piece)
        AN_TRY(an_packed_new(s, copy->nfield, &copy->packed));
    for (int f = 0; f < nstate; f++)
        AN_TRY(fetch(s, copy, state[f].memory, 0, f));
    return copy->nfield > nstate ? fetch_output(s, copy, nstate)
                                 : s->engine->op->sync(s->engine, 0);
}

void an_host_copy_pack(const struct an_solver *s, struct an_host_copy *copy)
{
    const struct an_layout *l = &s->level->layout;
    for (int f = 0; f < copy->nfield; f++)
        for (int b = 0; b < s->nlocal && copy->used[f]; b++)
            an_pack(l, &l->block[b], copy->image[f], copy->packed.field[b * copy->nfield + f], 0,
                    copy->threads);
    for (int b = 0; b < s->nlocal && copy->host.n; b++) {
        void *to[AN_NOUTPUT];
        for (int h = 0; h < copy->host.n; h++)
            to[h] = copy->packed.field[b * copy->nfield + copy->place[h]];
        an_quantities_block(s, &copy->host, b, to);
    }
}

void an_host_copy_free(struct an_solver *s, struct an_host_copy *copy)
{
    for (int f = 0; f < AN_HOST_COPY_FIELDS; f++)
        if (copy->image[f])
            s->engine->op->free_host(s->engine, copy->image[f]);
    an_quantities_free(s, &copy->host);
    an_packed_free(&copy->packed);
    memset(copy, 0, sizeof *copy);
}

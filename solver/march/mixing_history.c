#include "solver/march/mixing_history.h"

#include "kernels/engine/meter.h"
#include "mpi/reduce.h"
#include "solver/flow/fields.h"
#include "solver/flow/turbulence.h"

#include <math.h>

enum { GROUPS = AN_MIX_CYCLES / AN_MIX_GROUP, RESULTS = 2 /* stream */ };
_Static_assert(AN_MIX_CYCLES % AN_MIX_GROUP == 0 && (int)GROUPS <= (int)AN_MAX_DEFERRED,
               "whole groups, all results at once");

static size_t component_bytes(const struct an_solver *s)
{
    return (size_t)s->level->layout.ncell * (size_t)s->level->layout.precision;
}

static int transported(const struct an_solver *s)
{
    return an_model_of(s->c->turbulence.model)->nvariable;
}

int an_mix_components(const struct an_solver *s)
{
    return 5 + transported(s);
}

/* The vector that begins at an address. */
static struct an_mix_vector vector_at(const struct an_solver *s, void *at)
{
    return (struct an_mix_vector){at, at && transported(s) ? (char *)at + 5 * component_bytes(s)
                                                           : NULL};
}

struct an_mix_vector an_mix_state(const struct an_solver *s)
{
    return (struct an_mix_vector){s->level->fields.at[AN_F_W],
                                  transported(s) ? s->level->fields.at[AN_F_TURB] : NULL};
}

int an_mix_vector_new(struct an_solver *s, struct an_mix_vector *v)
{
    if (v->flow)
        return AN_OK;
    void *at = NULL;
    AN_TRY(s->engine->op->alloc(s->engine, (size_t)an_mix_components(s) * component_bytes(s), &at));
    *v = vector_at(s, at);
    return AN_OK;
}

void an_mix_vector_free(struct an_solver *s, struct an_mix_vector *v)
{
    if (v->flow)
        s->engine->op->free(s->engine, v->flow);
    v->flow = v->turbulence = NULL;
}

int an_mix_copy(struct an_solver *s, const struct an_mix_vector *to,
                const struct an_mix_vector *from)
{
    const struct an_engine_ops *op = s->engine->op;
    const size_t bytes = component_bytes(s);
    AN_TRY(op->copy(s->engine, to->flow, from->flow, 5 * bytes, 0));
    return transported(s) ? op->copy(s->engine, to->turbulence, from->turbulence,
                                     (size_t)transported(s) * bytes, 0)
                          : AN_OK;
}

/* ---- memory ---- */

static int group_new(struct an_solver *s, struct an_mix_history *h, int group)
{
    const size_t vector = (size_t)an_mix_components(s) * component_bytes(s);
    if (!h->group[group])
        AN_TRY(s->engine->op->alloc(s->engine, AN_MIX_GROUP * vector, &h->group[group]));
    for (int n = AN_MIX_GROUP * group; n < AN_MIX_GROUP * (group + 1); n++)
        AN_TRY(an_mix_vector_new(s, &h->g[n]));
    return AN_OK;
}

static void group_free(struct an_solver *s, struct an_mix_history *h, int group)
{
    if (h->group[group])
        s->engine->op->free(s->engine, h->group[group]);
    h->group[group] = NULL;
    for (int n = AN_MIX_GROUP * group; n < AN_MIX_GROUP * (group + 1); n++)
        an_mix_vector_free(s, &h->g[n]);
}

int an_mix_take_memory(struct an_solver *s, struct an_mix_history *h, int least)
{
    int n = 0;
    while (n < GROUPS && group_new(s, h, n) == AN_OK)
        n++;
    double room = AN_MIX_GROUP * n;
    AN_TRY(an_reduce_min(s->comm, 1, &room));
    h->room = room < least ? 0 : (int)room;
    for (n = h->room / AN_MIX_GROUP; n < GROUPS; n++)
        group_free(s, h, n);
    an_mix_forget(h);
    return AN_OK;
}

void an_mix_free_memory(struct an_solver *s, struct an_mix_history *h)
{
    if (h->room) { /* a snapshot may be on its way to the host */
        (void)s->engine->op->sync(s->engine, 0);
        (void)s->engine->op->sync(s->engine, RESULTS);
    }
    for (int n = 0; n < GROUPS; n++)
        group_free(s, h, n);
    h->room = 0;
    an_mix_forget(h);
}

void an_mix_forget(struct an_mix_history *h)
{
    h->n = h->next = h->owed = 0;
}

struct an_mix_vector an_mix_change(const struct an_solver *s, const struct an_mix_history *h,
                                   int slot)
{
    const size_t vector = (size_t)an_mix_components(s) * component_bytes(s);
    return vector_at(s, (char *)h->group[slot / AN_MIX_GROUP] +
                            (size_t)(slot % AN_MIX_GROUP) * vector);
}

/* ---- sums ---- */

int an_mix_norm(struct an_solver *s, const struct an_mix_vector *x, struct an_mix_norms *norm)
{
    struct an_fields f = s->level->fields;
    struct an_reduction red;
    f.at[AN_F_W0] = x->flow;
    f.at[AN_F_DIAGT] = x->turbulence;
    AN_TRY(
        an_reduce_status(s->comm, s->engine->op->run(s->engine, AN_S_mix_norm, s->level->interior,
                                                     &f, &s->params, &red, 0)));
    AN_TRY(an_reduce_xsum(s->comm, 6, red.sum));
    *norm =
        (struct an_mix_norms){.density = an_xsum_value(red.sum[0]),
                              .momentum = an_xsum_value(red.sum[1]),
                              .energy = an_xsum_value(red.sum[2]),
                              .turbulence = {an_xsum_value(red.sum[3]), an_xsum_value(red.sum[4])},
                              .relative = an_xsum_value(red.sum[5])};
    return AN_OK;
}

/* Issues the products of a slot with those of the first groups. */
static int issue_products(struct an_solver *s, const struct an_mix_history *h, int slot, int groups,
                          struct an_reduction red[GROUPS])
{
    struct an_fields f = s->level->fields;
    f.at[AN_F_FLUX] = an_mix_change(s, h, slot).flow;
    for (int g = 0; g < groups; g++) {
        f.at[AN_F_LINE] = h->group[g];
        AN_TRY(s->engine->op->run(s->engine, AN_S_mix_products, s->level->interior, &f, &s->params,
                                  &red[g], 0));
    }
    return AN_OK;
}

/* The row of products of a slot; slots below `used` hold a cycle. */
static int multiply(struct an_solver *s, struct an_mix_history *h, int slot, int used)
{
    const int groups = (used + AN_MIX_GROUP - 1) / AN_MIX_GROUP;
    struct an_reduction red[GROUPS];
    struct an_xsum sum[AN_MIX_CYCLES];
    int status = an_engine_collect(s->engine); /* a measurement's results, to make room for these */
    if (status == AN_OK)
        status = an_engine_defer(s->engine, 1);
    if (status == AN_OK)
        status = issue_products(s, h, slot, groups, red);
    const int ended = an_engine_defer(s->engine, 0);
    status = status == AN_OK ? ended : status;
    AN_TRY(an_reduce_status(s->comm, status == AN_OK ? an_engine_collect(s->engine) : status));
    for (int n = 0; n < used; n++)
        sum[n] = red[n / AN_MIX_GROUP].sum[n % AN_MIX_GROUP];
    AN_TRY(an_reduce_xsum(s->comm, used, sum));
    for (int n = 0; n < used; n++)
        h->product[slot][n] = h->product[n][slot] = an_xsum_value(sum[n]);
    return AN_OK;
}

int an_mix_products(struct an_solver *s, struct an_mix_history *h)
{
    for (int slot = 0; slot < h->n; slot++)
        AN_TRY(multiply(s, h, slot, h->n));
    h->owed = 0;
    return AN_OK;
}

/* ---- cycles ---- */

/* v = alpha_c (from - v), component by component. */
static int difference(struct an_solver *s, const struct an_mix_vector *v,
                      const struct an_mix_vector *from, const double alpha[AN_MIX_COMPONENTS])
{
    struct an_fields f = s->level->fields;
    struct an_params p = s->params;
    const size_t bytes = component_bytes(s);
    for (int c = 0; c < an_mix_components(s); c++) {
        const size_t at = (size_t)(c < 5 ? c : c - 5) * bytes;
        f.at[AN_F_R] = (char *)(c < 5 ? v->flow : v->turbulence) + at;
        f.at[AN_F_W0] = (char *)(c < 5 ? from->flow : from->turbulence) + at;
        p.march.alpha = alpha[c];
        AN_TRY(s->engine->op->run(s->engine, AN_S_mix_take, s->level->interior, &f, &p, NULL, 0));
    }
    return AN_OK;
}

int an_mix_difference(struct an_solver *s, const struct an_mix_vector *v,
                      const struct an_mix_vector *from, double factor)
{
    double all[AN_MIX_COMPONENTS];
    for (int n = 0; n < AN_MIX_COMPONENTS; n++)
        all[n] = factor;
    return difference(s, v, from, all);
}

/* v += part (a - b). */
static int add(struct an_solver *s, const struct an_mix_vector *v, double part,
               const struct an_mix_vector *a, const struct an_mix_vector *b)
{
    struct an_fields f = s->level->fields;
    struct an_params p = s->params;
    f.at[AN_F_WN] = v->flow;
    f.at[AN_F_R] = a->flow;
    f.at[AN_F_W0] = b->flow;
    f.at[AN_F_TURB] = v->turbulence;
    f.at[AN_F_RT] = a->turbulence;
    f.at[AN_F_DIAGT] = b->turbulence;
    p.march.alpha = part;
    return s->engine->op->run(s->engine, AN_S_mix_add, s->level->interior, &f, &p, NULL, 0);
}

int an_mix_before(struct an_solver *s, const struct an_mix_history *h)
{
    const struct an_mix_vector now = an_mix_state(s), to = an_mix_change(s, h, h->next);
    return an_mix_copy(s, &to, &now);
}

int an_mix_take(struct an_solver *s, struct an_mix_history *h)
{
    const struct an_mix_vector now = an_mix_state(s), f = an_mix_change(s, h, h->next);
    const int slot = h->next;
    AN_TRY(difference(s, &f, &now, h->scale));
    AN_TRY(an_mix_copy(s, &h->g[slot], &now));
    h->next = (slot + 1) % h->room;
    h->n += h->n < h->room;
    h->owed += h->owed < h->n;
    return AN_OK;
}

/* work = sum of c_j (G_j - G) over the cycles kept, the oldest first. */
static int combine(struct an_solver *s, const struct an_mix_history *h, const double *c,
                   const struct an_mix_vector *work)
{
    const struct an_mix_vector *const now = &h->g[(h->next + h->room - 1) % h->room];
    AN_TRY(an_mix_copy(s, work, now));
    for (int j = 0; j < h->n - 1; j++) {
        const struct an_mix_vector *const g = &h->g[(h->next + h->room - h->n + j) % h->room];
        AN_TRY(j == 0 ? an_mix_difference(s, work, g, c[j]) : add(s, work, c[j], g, now));
    }
    return AN_OK;
}

int an_mix_move(struct an_solver *s, const struct an_mix_vector *step, double *part)
{
    const struct an_mix_vector now = an_mix_state(s);
    struct an_fields f = s->level->fields;
    struct an_params p = s->params;
    struct an_reduction red;
    f.at[AN_F_W0] = f.at[AN_F_WN] = now.flow;
    f.at[AN_F_DW] = step->flow;
    f.at[AN_F_RT] = step->turbulence;
    f.at[AN_F_TURB] = now.turbulence;
    AN_TRY(s->engine->op->run(s->engine, AN_S_mix_change, s->level->interior, &f, &p, &red, 0));
    double largest = -red.min[0];
    largest = largest >= 0 ? largest : 0; /* a rank without cells */
    AN_TRY(an_reduce_max(s->comm, 1, &largest));
    *part = !(largest < 1e29) ? 0 : largest > 0.2 ? 0.2 / largest : 1;
    if (!(*part > 0))
        return AN_OK;
    p.march.alpha = *part;
    AN_TRY(s->engine->op->run(s->engine, AN_S_mix_apply, s->level->interior, &f, &p, NULL, 0));
    s->residual_is_current = 0;
    return an_solver_refresh(s);
}

int an_mix_step(struct an_solver *s, struct an_mix_history *h, const struct an_mix_vector *work)
{
    double product[AN_MIX_CYCLES][AN_MIX_CYCLES], c[AN_MIX_CYCLES];
    const int oldest = h->next + h->room - h->n;
    for (; h->owed > 0; h->owed--)
        AN_TRY(multiply(s, h, (h->next + h->room - h->owed) % h->room, h->n));
    for (int i = 0; i < h->n; i++)
        for (int j = 0; j < h->n; j++)
            product[i][j] = h->product[(oldest + i) % h->room][(oldest + j) % h->room];
    if (h->n < 2 || !(an_mix_weights(h->n, product, c) < 1))
        return AN_OK;
    AN_TRY(combine(s, h, c, work));
    double part;
    AN_TRY(an_mix_move(s, work, &part));
    if (!(part > 0))
        an_mix_forget(h);
    return AN_OK;
}

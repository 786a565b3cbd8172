#include "solver/flow/intermittency.h"

#include "kernels/base/numbers.h"
#include "kernels/engine/model.h"
#include "solver/flow/flow.h"
#include "solver/level/level.h"

#include <stdlib.h>

static size_t bytes_of(const struct an_solver *s)
{
    return (size_t)s->level->layout.ncell * (size_t)s->level->layout.precision;
}

/* What differs between the models. */
struct variant {
    int nvariable;
    enum an_field field;
    enum an_stencil residual, update, ghosts;
    enum an_turbulence
        counts; /* a turbulence model of as many variables: what stencils of TURB are told */
};

static const struct variant *variant(const struct an_solver *s)
{
    static const struct variant table[] = {
        [AN_INTERMITTENCY_GAMMA] = {1, AN_F_INTER, AN_S_intermittency_residual,
                                    AN_S_intermittency_update, AN_S_ghost_intermittency,
                                    AN_TURBULENCE_SA},
        [AN_INTERMITTENCY_RE_THETA] = {2, AN_F_LM, AN_S_lm_residual, AN_S_lm_update, AN_S_lm_ghost,
                                       AN_TURBULENCE_SST}};
    return &table[s->params.turb.intermittency];
}

int an_intermittency_variables(const struct an_solver *s)
{
    return s->params.turb.intermittency ? variant(s)->nvariable : 0;
}

static size_t all_bytes(const struct an_solver *s)
{
    return (size_t)variant(s)->nvariable * bytes_of(s);
}

/* What stencils of a turbulence model see: INTER or LM stands for TURB. RT of the turbulence stays as it is: residual and
 * diagonal of INTER lie in the components of GRADT that one variable leaves free, those of LM behind its variables. */
static struct an_fields fields_of(const struct an_solver *s)
{
    struct an_fields f = s->level->fields;
    const int one = variant(s)->nvariable == 1;
    f.at[AN_F_TURB] = f.at[variant(s)->field];
    f.at[AN_F_RT] =
        one ? (char *)f.at[AN_F_GRADT] + 3 * bytes_of(s) : (char *)f.at[AN_F_LM] + 2 * bytes_of(s);
    f.at[AN_F_DIAGT] = (char *)f.at[AN_F_RT] + all_bytes(s);
    f.at[AN_F_TOLD] = f.at[AN_F_IOLD];
    f.at[AN_F_TOLDER] = f.at[AN_F_IOLDER];
    f.at[AN_F_TTIME] = f.at[AN_F_ITIME];
    return f;
}

/* The same, and TURB itself. */
static struct an_fields with_turbulence(const struct an_solver *s)
{
    struct an_fields f = fields_of(s);
    f.at[AN_F_TURB] = s->level->fields.at[AN_F_TURB];
    return f;
}

static int run(struct an_solver *s, enum an_stencil stencil, const struct an_fields *f)
{
    return s->engine->op->run(s->engine, stencil, s->level->interior, f, &s->params, NULL, 0);
}

/* RT, DIAGT and the couplings in LINE. */
static int residual(struct an_solver *s)
{
    const struct an_fields f = fields_of(s), all = with_turbulence(s);
    char *gradient = f.at[AN_F_GRADT];
    const struct an_sending x = {.stencil = AN_S_turb_gradient,
                                 .fields = f,
                                 .halo = s->level->halo,
                                 .nfield = variant(s)->nvariable,
                                 .field = {{gradient, 3, 0}, {gradient + 3 * bytes_of(s), 3, 0}},
                                 .ghosts = AN_S_ghost_turb_gradient,
                                 .ghost_fields = &f};
    AN_TRY(an_level_send(s, s->level, &x));
    return run(s, variant(s)->residual, &all);
}

/* The residual and the operator at the variables, in a dual march with the physical time derivative of `from` (NULL:
 * of the variables) and `part` of it in the operator. */
static int linearise(struct an_solver *s, double part, void *from)
{
    AN_TRY(residual(s));
    if (s->params.dual.rate <= 0)
        return AN_OK;
    struct an_fields f = fields_of(s);
    f.at[AN_F_TURB] = from ? from : f.at[AN_F_TURB];
    s->params.dual.weight = part * s->params.dual.rate;
    return run(s, AN_S_time_term_turb, &f);
}

/* The variables = from + part of the implicit change along these lines, by the residual and the operator that stand;
 * from: NULL, they themselves. Ghosts included. */
static int solve(struct an_solver *s, const struct an_lines *lines, double part, void *from)
{
    const struct an_engine_ops *op = s->engine->op;
    const struct an_fields f = fields_of(s), all = with_turbulence(s);
    const struct variant *v = variant(s);
    s->params.march.alpha = part;
    AN_TRY(op->run_lines(s->engine, AN_S_turb_lines, lines, &f, &s->params, 0));
    if (from)
        AN_TRY(op->copy(s->engine, f.at[v->field], from, all_bytes(s), 0));
    const struct an_sending x = {.stencil = v->update,
                                 .fields = f,
                                 .halo = s->level->halo,
                                 .nfield = 1,
                                 .field = {{f.at[v->field], v->nvariable, AN_COPY_PLAIN}},
                                 .ghosts = v->ghosts,
                                 .ghost_fields = &all};
    AN_TRY(an_level_send(s, s->level, &x));
    return an_level_second(s->level, f.at[v->field], v->nvariable, AN_COPY_PLAIN);
}

static int advance(struct an_solver *s, const struct an_lines *lines, double part, void *from)
{
    AN_TRY(linearise(s, part, from));
    return solve(s, lines, part, from);
}

/* Where the variables are kept during an implicit step. */
static void *kept(const struct an_solver *s)
{
    return an_level_component(s->level, AN_F_LINE, AN_LINE_TURB);
}

static int intermittency_keep(struct an_solver *s)
{
    return s->engine->op->copy(s->engine, kept(s), s->level->fields.at[variant(s)->field],
                               all_bytes(s), 0);
}

/* As those of the turbulence. */
static int stages(struct an_solver *s)
{
    static const double part[] = {1. / 3, 0.5, 1};
    AN_TRY(intermittency_keep(s));
    for (size_t m = 0; m < sizeof part / sizeof *part; m++)
        AN_TRY(advance(s, s->level->lines[0], part[m], kept(s)));
    return AN_OK;
}

/* As one of the turbulence: with gamma-Re_theta, too, the residual follows the change of the solves before. */
static int sweep(struct an_solver *s, const struct an_lines *along)
{
    const struct an_lines *const lines[] = {s->level->across[0], s->level->across[1], along};
    const int follows = s->c->turbulence.linear && variant(s)->field == AN_F_LM;
    int first = 1;
    for (int n = 0; n < 3; n++) {
        if (!lines[n])
            continue;
        const struct an_fields f = fields_of(s);
        if (first || !follows)
            AN_TRY(linearise(s, 1, NULL));
        else
            AN_TRY(run(s, AN_S_turb_follow, &f));
        if (n < 2 && follows)
            AN_TRY(intermittency_keep(s));
        AN_TRY(solve(s, lines[n], 1, NULL));
        first = 0;
    }
    return AN_OK;
}

static int sweeps(struct an_solver *s)
{
    for (int n = 0; n < s->c->turbulence.sweeps; n++)
        AN_TRY(sweep(s, s->level->lines[n & 1]));
    return AN_OK;
}

/* Calls one of the functions below with the parameters of a turbulence model of as many variables. */
static int with_as_many(struct an_solver *s, int (*act)(struct an_solver *s))
{
    const int model = s->params.turb.model;
    s->params.turb.model = (int)variant(s)->counts;
    const int status = act(s);
    s->params.turb.model = model;
    return status;
}

static int one_sweep(struct an_solver *s)
{
    return advance(s, s->level->lines[0], 1, NULL);
}

static int guess(struct an_solver *s)
{
    const struct an_fields f = fields_of(s);
    return run(s, AN_S_time_start_turb, &f);
}

/* A component of a field of the finest level: the same value in all cells. */
static int set_all(struct an_solver *s, enum an_field field, int component, double value)
{
    const struct an_layout *l = &s->level->layout;
    void *image = malloc(bytes_of(s) + 1);
    AN_CHECK(image, AN_FAIL, "out of memory for the intermittency");
    for (int64_t m = 0; m < l->ncell; m++)
        an_real_put(l->precision, image, m, value);
    int status = s->engine->op->upload(s->engine, an_level_component(s->level, field, component),
                                       image, bytes_of(s), 0);
    if (status == AN_OK)
        status = s->engine->op->sync(s->engine, 0);
    free(image);
    return status;
}

int an_intermittency_initial(struct an_solver *s)
{
    /* of laminar layers, where production and destruction of the intermittency cancel. From 1, layers
     * are turbulent at first, and in cells that are long against the layer they would stay so */
    static const double LAMINAR = 0.02;
    if (!s->params.turb.intermittency)
        return AN_OK;
    AN_TRY(set_all(s, AN_F_INTER, 0, LAMINAR));
    if (variant(s)->field != AN_F_LM)
        return AN_OK;
    const double given = s->c->turbulence.transition_intensity;
    AN_TRY(set_all(s, AN_F_LM, 0, LAMINAR));
    return set_all(s, AN_F_LM, 1,
                   an_model_re_theta(given > 0 ? given : s->params.turb.inflow_intensity));
}

int an_intermittency_refresh(struct an_solver *s)
{
    struct an_level *l = s->level;
    if (!s->params.turb.intermittency)
        return AN_OK;
    const struct variant *v = variant(s);
    AN_TRY(an_level_fill(s, l, l->fields.at[v->field], v->nvariable, AN_COPY_PLAIN, v->ghosts,
                         &l->fields));
    return an_level_second(l, l->fields.at[v->field], v->nvariable, AN_COPY_PLAIN);
}

int an_intermittency_step(struct an_solver *s, int unsteady)
{
    if (!s->params.turb.intermittency)
        return AN_OK;
    AN_TRY(s->engine->op->run_faces(s->engine, variant(s)->ghosts, s->scheme, s->level->faces,
                                    &s->level->fields, &s->params, NULL, 0));
    return with_as_many(s, unsteady ? one_sweep : s->params.turb.order < 2 ? sweeps : stages);
}

int an_intermittency_guess(struct an_solver *s)
{
    return s->params.turb.intermittency ? with_as_many(s, guess) : AN_OK;
}

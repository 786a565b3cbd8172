#include "solver/flow/intermittency.h"

#include "kernels/base/numbers.h"
#include "solver/flow/flow.h"
#include "solver/level/level.h"

#include <stdlib.h>

static size_t bytes_of(const struct an_solver *s)
{
    return (size_t)s->level->layout.ncell * (size_t)s->level->layout.precision;
}

/* What stencils of one variable of a turbulence model see: INTER stands for TURB. The work lies in the first
 * components of GRADT: RT of the turbulence stays as it is. */
static struct an_fields fields_of(const struct an_solver *s)
{
    struct an_fields f = s->level->fields;
    char *work = f.at[AN_F_GRADT];
    f.at[AN_F_TURB] = f.at[AN_F_INTER];
    f.at[AN_F_RT] = work + 3 * bytes_of(s);
    f.at[AN_F_DIAGT] = work + 4 * bytes_of(s);
    f.at[AN_F_TOLD] = f.at[AN_F_IOLD];
    f.at[AN_F_TOLDER] = f.at[AN_F_IOLDER];
    f.at[AN_F_TTIME] = f.at[AN_F_ITIME];
    return f;
}

static int run(struct an_solver *s, enum an_stencil stencil, const struct an_fields *f)
{
    return s->engine->op->run(s->engine, stencil, s->level->interior, f, &s->params, NULL, 0);
}

/* RT, DIAGT and the couplings in LINE. */
static int residual(struct an_solver *s, const struct an_fields *f)
{
    const struct an_sending x = {.stencil = AN_S_turb_gradient,
                                 .fields = *f,
                                 .halo = s->level->halo,
                                 .nfield = 1,
                                 .field = {{f->at[AN_F_GRADT], 3, 0}},
                                 .ghosts = AN_S_ghost_turb_gradient,
                                 .ghost_fields = f};
    AN_TRY(an_level_send(s, s->level, &x));
    struct an_fields all = *f;
    all.at[AN_F_TURB] = s->level->fields.at[AN_F_TURB];
    return run(s, AN_S_intermittency_residual, &all);
}

/* INTER = from + part of the implicit change at INTER, along these lines; from: NULL, INTER itself. Ghosts
 * included. */
static int advance(struct an_solver *s, const struct an_lines *lines, double part, void *from)
{
    const struct an_engine_ops *op = s->engine->op;
    const struct an_fields f = fields_of(s);
    AN_TRY(residual(s, &f));
    if (s->params.time_rate > 0) {
        struct an_fields of = f;
        of.at[AN_F_TURB] = from ? from : f.at[AN_F_TURB];
        s->params.time_part = part * s->params.time_rate;
        AN_TRY(run(s, AN_S_time_term_turb, &of));
    }
    s->params.alpha = part;
    AN_TRY(op->run_lines(s->engine, AN_S_turb_lines, lines, &f, &s->params, 0));
    if (from)
        AN_TRY(op->copy(s->engine, f.at[AN_F_INTER], from, bytes_of(s), 0));
    const struct an_sending x = {.stencil = AN_S_intermittency_update,
                                 .fields = f,
                                 .halo = s->level->halo,
                                 .nfield = 1,
                                 .field = {{f.at[AN_F_INTER], 1, AN_COPY_PLAIN}},
                                 .ghosts = AN_S_ghost_intermittency,
                                 .ghost_fields = &f};
    return an_level_send(s, s->level, &x);
}

/* As those of the turbulence. */
static int stages(struct an_solver *s)
{
    static const double part[] = {1. / 3, 0.5, 1};
    struct an_level *l = s->level;
    void *kept = an_level_component(l, AN_F_LINE, AN_LINE_TURB);
    AN_TRY(s->engine->op->copy(s->engine, kept, l->fields.at[AN_F_INTER], bytes_of(s), 0));
    for (size_t m = 0; m < sizeof part / sizeof *part; m++)
        AN_TRY(advance(s, l->lines[0], part[m], kept));
    return AN_OK;
}

static int sweeps(struct an_solver *s)
{
    const struct an_level *l = s->level;
    for (int n = 0; n < s->c->turbulence.sweeps; n++) {
        for (int d = 0; d < 2; d++)
            if (l->across[d])
                AN_TRY(advance(s, l->across[d], 1, NULL));
        AN_TRY(advance(s, l->lines[n & 1], 1, NULL));
    }
    return AN_OK;
}

/* Calls one of the functions below with the parameters of a model of one variable. */
static int with_one(struct an_solver *s, int (*act)(struct an_solver *s))
{
    const int model = s->params.turbulence;
    s->params.turbulence = AN_TURBULENCE_SA;
    const int status = act(s);
    s->params.turbulence = model;
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

int an_intermittency_initial(struct an_solver *s)
{
    /* of laminar layers, where production and destruction of the intermittency cancel. From 1, layers
     * are turbulent at first, and in cells that are long against the layer they would stay so */
    static const double LAMINAR = 0.02;
    if (!s->params.intermittency)
        return AN_OK;
    const struct an_layout *l = &s->level->layout;
    void *image = malloc(bytes_of(s) + 1);
    AN_CHECK(image, AN_FAIL, "out of memory for the intermittency");
    for (int64_t m = 0; m < l->ncell; m++)
        an_real_put(l->precision, image, m, LAMINAR);
    int status =
        s->engine->op->upload(s->engine, s->level->fields.at[AN_F_INTER], image, bytes_of(s), 0);
    if (status == AN_OK)
        status = s->engine->op->sync(s->engine, 0);
    free(image);
    return status;
}

int an_intermittency_refresh(struct an_solver *s)
{
    struct an_level *l = s->level;
    return s->params.intermittency ? an_level_fill(s, l, l->fields.at[AN_F_INTER], 1, AN_COPY_PLAIN,
                                                   AN_S_ghost_intermittency, &l->fields)
                                   : AN_OK;
}

int an_intermittency_step(struct an_solver *s, int unsteady)
{
    if (!s->params.intermittency)
        return AN_OK;
    AN_TRY(s->engine->op->run_faces(s->engine, AN_S_ghost_intermittency, s->scheme, s->level->faces,
                                    &s->level->fields, &s->params, NULL, 0));
    return with_one(s, unsteady ? one_sweep : s->params.turb_order < 2 ? sweeps : stages);
}

int an_intermittency_guess(struct an_solver *s)
{
    return s->params.intermittency ? with_one(s, guess) : AN_OK;
}

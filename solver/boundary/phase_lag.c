#include "solver/boundary/phase_lag.h"

#include "kernels/engine/model.h"
#include "kernels/physics/slide_flux.h"
#include "mpi/reduce.h"
#include "solver/boundary/lag_faces.h"
#include "solver/boundary/lag_store.h"
#include "solver/boundary/sliding.h"
#include "solver/flow/lag.h"
#include "solver/flow/slide.h"
#include "solver/level/component.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Part of the correction that is made of the mean; that of harmonics falls with their number (lag.h). With all
 * of it for all of them, signals between the harmonics near the last one come back from the series up to 1.3
 * times as large, and grow; with half of it 1.07 times. With half of it that falls to nothing behind the last
 * harmonic, 1.02 times. */
#define GAIN 0.5

/* Tables are copied to the engine from page-locked memory, piece by piece in turn. */
enum { AHEAD = 16 };

struct phase_lag {
    const struct an_sliding_plane *plane;
    int harmonics;
    int period[2]; /* steps in which the other row passes a row of this side by its pitch */
    struct an_lag_faces faces;
    struct an_lag lag;           /* the level's; its arrays and faces are owned */
    struct an_faces *set[2][2];  /* periodic faces by side and by passage behind them; NULL: none */
    struct an_faces *all;        /* of the plane: numbers of all ranks' faces; NULL: none here */
    struct an_faces *own;        /* the plane's */
    void *series, *plane_series; /* engine: LAG_SERIES */
    int64_t ntable;              /* words of all tables */
    double *image;               /* page-locked: [AHEAD][ntable] */
    int piece;                   /* the next one */
    char *table;                 /* engine: [ntable] doubles */
    double missed[2];
};

static struct phase_lag *lag_of(const struct an_solver *s)
{
    return an_component_of(s, &an_phase_lag_component);
}

static struct an_lag_store store_of(const struct phase_lag *d)
{
    return (struct an_lag_store){d->plane,     &d->faces, d->harmonics,
                                 d->lag.words, d->series, d->plane_series};
}

/* ---- the tables ---- */

/* Where tables begin: of the present angle of a side, with two weights; of all passages of a side at the
 * plane; of the passages behind periodic boundaries. */
static int64_t now_at(const struct phase_lag *d, int side)
{
    return side * (2 * d->harmonics + 2);
}

static int64_t passages_at(const struct phase_lag *d, int side)
{
    return now_at(d, 2) + (side ? d->plane->passages[0] * 2 * d->harmonics : 0);
}

static int64_t behind_at(const struct phase_lag *d, int side, int way)
{
    return passages_at(d, 1) +
           (d->plane->passages[1] + 2 * side + (way > 0)) * 2 * (int64_t)d->harmonics;
}

static void put_angle(const struct phase_lag *d, double *table, double angle)
{
    for (int k = 1; k <= d->harmonics; k++) {
        table[k - 1] = cos(k * angle);
        table[d->harmonics + k - 1] = sin(k * angle);
    }
}

/* All tables of the angle after a part (0, 1) of the step to come. */
static int set_tables(struct an_solver *s, struct phase_lag *d, double part)
{
    const struct an_sliding_plane *p = d->plane;
    double *image = d->image + d->piece * d->ntable;
    if (d->piece == 0)
        AN_TRY(s->engine->op->sync(s->engine, 0));
    d->piece = (d->piece + 1) % AHEAD;
    for (int side = 0; side < 2; side++) {
        const double period = p->sector[!side], sign = side ? 1 : -1;
        const double now = 2 * pi * sign * an_sliding_angle(s, part, period) / period;
        const double behind = 2 * pi * p->passages[!side] / p->passages[side];
        const double from = 2 * pi * sign * an_sliding_angle(s, part, p->sector[side]) / period;
        double *table = image + now_at(d, side);
        put_angle(d, table, now);
        table[2 * d->harmonics] = GAIN / d->period[side];
        table[2 * d->harmonics + 1] = 2 * GAIN / d->period[side];
        for (int way = -1; way <= 1; way += 2)
            put_angle(d, image + behind_at(d, side, way), now - way * behind);
        for (int m = 0; m < p->passages[side]; m++)
            put_angle(d, image + passages_at(d, side) + 2 * m * d->harmonics, from - m * behind);
    }
    return s->engine->op->upload(s->engine, d->table, image, (size_t)d->ntable * sizeof *image, 0);
}

static void *table_at(const struct phase_lag *d, int64_t at)
{
    return d->table + at * (int64_t)sizeof(double);
}

/* ---- values and corrections ---- */

struct work {
    void *series, *present, *given, *table, *map;
    int words, stride, row, known;
};

static int run(struct an_solver *s, const struct phase_lag *d, enum an_stencil stencil,
               const struct an_faces *faces, const struct work *w)
{
    struct an_params p = s->params;
    struct an_fields f = s->level->fields;
    if (!faces)
        return AN_OK;
    f.at[AN_F_LAG_SERIES] = w->series;
    f.at[AN_F_LAG_PRESENT] = w->present;
    f.at[AN_F_LAG_GIVEN] = w->given;
    f.at[AN_F_LAG_TABLE] = w->table;
    f.at[AN_F_SLIDE_MAP] = w->map;
    f.at[AN_F_SLIDE_TURN] = d->plane->slide->turn ? *d->plane->slide->turn : NULL;
    p.lag.harmonics = d->harmonics;
    p.lag.words = w->words;
    p.lag.stride = w->stride;
    p.lag.row = w->row;
    p.lag.continued = w->known;
    return s->engine->op->run_faces(s->engine, stencil, s->scheme, faces, &f, &p, NULL, 0);
}

/* What the ghost cells are given at the angle of the tables. */
static int give(struct an_solver *s, struct phase_lag *d)
{
    const struct an_slide *slide = d->plane->slide;
    for (int side = 0; side < 2; side++)
        for (int way = -1; way <= 1; way += 2)
            AN_TRY(run(s, d, AN_S_lag_value, d->set[side][way > 0],
                       &(struct work){.series = d->series,
                                      .given = d->lag.given,
                                      .table = table_at(d, behind_at(d, side, way)),
                                      .words = d->lag.words,
                                      .stride = d->lag.words,
                                      .row = d->lag.words}));
    if (!slide->known)
        return AN_OK;
    return run(s, d, AN_S_lag_slide, d->own,
               &(struct work){.series = d->plane_series,
                              .given = slide->given,
                              .table = table_at(d, 0),
                              .map = slide->map});
}

/* Words from `first` on of the plane's series, from an array of `words` words a face. */
static int correct_plane(struct an_solver *s, struct phase_lag *d, void *present, int first,
                         int words, int known)
{
    char *series = d->plane_series;
    const size_t skip = (size_t)first * (size_t)an_lag_length(d->harmonics) * sizeof(double);
    return run(s, d, AN_S_lag_correct, d->all,
               &(struct work){.series = series ? series + skip : NULL,
                              .present = present,
                              .table = table_at(d, 0),
                              .map = d->plane->slide->map,
                              .words = words,
                              .stride = words,
                              .row = AN_SLIDE_SERIES,
                              .known = known});
}

static int correct_kind(struct an_solver *s, struct phase_lag *d, const struct an_lag_kind *k)
{
    const size_t length = (size_t)an_lag_length(d->harmonics) * sizeof(double);
    const size_t at = (size_t)k->at, size = (size_t)s->level->layout.precision;
    for (int side = 0; side < 2; side++)
        for (int way = 0; way < 2; way++)
            AN_TRY(run(s, d, AN_S_lag_correct, d->set[side][way],
                       &(struct work){.series = (char *)d->series + at * length,
                                      .present = (char *)d->lag.present + at * size,
                                      .table = table_at(d, now_at(d, side)),
                                      .words = k->words * k->layers,
                                      .stride = d->lag.words,
                                      .row = d->lag.words,
                                      .known = k->known}));
    return AN_OK;
}

int an_phase_lag_turn(struct an_solver *s)
{
    struct phase_lag *d = lag_of(s);
    if (!d)
        return AN_OK;
    struct an_slide *slide = d->plane->slide;
    AN_TRY(set_tables(s, d, 1));
    if (!slide->known) {
        AN_TRY(an_slide_gather(s, s->level, slide, s->level->fields.at[AN_F_W]));
        AN_TRY(correct_plane(s, d, slide->state, 0, AN_NCOMP_SLIDE, 0));
        slide->known = 1;
    }
    return give(s, d);
}

static int phase_lag_after_step(struct an_solver *s, void *component)
{
    struct phase_lag *d = component;
    struct an_slide *slide = d->plane->slide;
    AN_TRY(set_tables(s, d, 0));
    AN_TRY(an_slide_gather(s, s->level, slide, s->level->fields.at[AN_F_W]));
    AN_TRY(an_slide_gather_fluxes(s, s->level, slide, s->level->fields.at[AN_F_W]));
    AN_TRY(correct_plane(s, d, slide->state, 0, AN_NCOMP_SLIDE, 1));
    AN_TRY(correct_plane(s, d, slide->flux, AN_NCOMP_SLIDE, AN_NCOMP_SLIDE_FLUX, slide->known > 1));
    slide->known = 2;
    for (int n = 0; n < d->lag.nkind; n++) {
        AN_TRY(correct_kind(s, d, &d->lag.kind[n]));
        d->lag.kind[n].known = 1;
    }
    if (s->iteration % d->period[0])
        return AN_OK;
    const struct an_lag_store store = store_of(d);
    return an_lag_store_missed(s, &store, d->missed);
}

/* Recordings swap what is known. */
static int phase_lag_phase(const struct an_solver *s, const void *component)
{
    (void)s;
    const struct phase_lag *d = component;
    return d->plane->slide->known + (d->lag.kind[0].known ? 4 : 0);
}

/* ---- set-up ---- */

/* What ghost cells need of the passage behind: the state and, of viscous flow, gradients and what the model
 * has. */
static void list_kinds(const struct an_solver *s, struct an_lag *lag)
{
    const struct an_model *model = an_model_of(s->c->turbulence.model);
    const int viscous = s->c->gas.viscosity != AN_VISCOSITY_NONE;
    const int variables = viscous ? model->nvariable : 0;
    const struct an_lag_kind all[AN_MOST_LAGGED] = {
        {.field = AN_F_W, .words = AN_NCOMP_W, .layers = 2},
        {.field = AN_F_LAM, .words = 1, .layers = 1, .normal = 1},
        {.field = AN_F_GRAD, .words = viscous ? AN_NCOMP_GRAD : 0, .layers = 1},
        {.field = AN_F_MUT, .words = viscous ? 1 : 0, .layers = 1},
        {.field = AN_F_TURB, .words = variables, .layers = 2},
        {.field = AN_F_GRADT, .words = variables > 0 ? 3 : 0, .layers = 1},
        {.field = AN_F_GRADT, .component = 3, .words = variables > 1 ? 3 : 0, .layers = 1},
        {.field = AN_F_BLEND, .words = variables && model->flags & AN_MODEL_BLENDS, .layers = 1}};
    for (int n = 0; n < AN_MOST_LAGGED; n++) {
        if (!all[n].words || (all[n].field == AN_F_MUT && !s->params.turb.model))
            continue;
        lag->kind[lag->nkind] = all[n];
        lag->kind[lag->nkind++].at = lag->words;
        lag->words += all[n].words * all[n].layers;
    }
}

static int make_set(struct an_solver *s, int n, const struct an_face_window *window,
                    struct an_faces **set)
{
    static const struct an_bc_value none = {.type = AN_BC_SLIDING_PLANE};
    if (n == 0)
        return AN_OK;
    return s->engine->op->faces_new(s->engine, &s->level->layout, n, window, 1, &none, set);
}

static int zero(struct an_solver *s, void *array, size_t bytes)
{
    void *zeros = calloc(1, bytes + 1);
    AN_CHECK(zeros, AN_FAIL, "out of memory for phase lag");
    int status = s->engine->op->upload(s->engine, array, zeros, bytes, 0);
    if (status == AN_OK)
        status = s->engine->op->sync(s->engine, 0);
    free(zeros);
    return status;
}

/* Memory of the engine, zeroed. */
static int make_array(struct an_solver *s, size_t bytes, void **array)
{
    if (!bytes)
        return AN_OK;
    AN_TRY(s->engine->op->alloc(s->engine, bytes, array));
    return zero(s, *array, bytes);
}

static int make_periodic(struct an_solver *s, struct phase_lag *d)
{
    const struct an_lag_faces *f = &d->faces;
    const size_t words = (size_t)f->nface * (size_t)d->lag.words,
                 precision = (size_t)s->level->layout.precision;
    struct an_face_window *some = malloc(((size_t)f->nwindow + 1) * sizeof *some);
    int status = some ? AN_OK : an_error_set(AN_FAIL, "out of memory for phase lag");
    for (int set = 0; set < 4 && status == AN_OK; set++) {
        int n = 0;
        for (int w = 0; w < f->nwindow; w++)
            if (2 * f->side[w] + (f->way[w] > 0) == set)
                some[n++] = f->window[w];
        status = make_set(s, n, some, &d->set[set / 2][set % 2]);
    }
    for (int w = 0; w < f->nwindow && status == AN_OK; w++)
        some[w] = f->window[w];
    if (status == AN_OK)
        status = make_set(s, f->nwindow, some, &d->lag.faces);
    free(some);
    AN_TRY(status);
    AN_TRY(make_array(s, words * precision, &d->lag.present));
    AN_TRY(make_array(s, words * precision, &d->lag.given));
    return make_array(s, words * (size_t)an_lag_length(d->harmonics) * sizeof(double), &d->series);
}

/* The window of the first `n` faces of a window, in whole rows and one part of a row: AN_OK and less
 * than n where a part is left over. */
static int64_t cut_window(struct an_window *w, int64_t n)
{
    const int t1 = (w->dir + 1) % 3, t2 = (w->dir + 2) % 3;
    const int64_t wide = w->hi[t1] - w->lo[t1];
    if (n < wide)
        w->hi[t1] = w->lo[t1] + (int)n;
    w->hi[t2] = w->lo[t2] + (int)(n < wide ? 1 : n / wide);
    return an_window_faces(w);
}

/* Numbers of all faces of the plane, by going over this rank's windows again and again: corrections of
 * series look at numbers only. */
static int make_all(struct an_solver *s, struct phase_lag *d)
{
    const struct an_sliding_plane *p = d->plane;
    struct an_face_window *list = NULL;
    int n = 0, status = AN_OK;
    for (int64_t done = 0; done < p->nface && p->nwindow && status == AN_OK; n++) {
        struct an_face_window w = p->window[n % p->nwindow];
        struct an_face_window *grown = realloc(list, ((size_t)n + 1) * sizeof *list);
        if (!grown) {
            status = an_error_set(AN_FAIL, "out of memory for phase lag");
            break;
        }
        list = grown;
        w.boundary = 0;
        w.values = 0;
        w.first = done;
        if (an_window_faces(&w.window) > p->nface - done)
            cut_window(&w.window, p->nface - done);
        done += an_window_faces(&w.window);
        list[n] = w;
    }
    if (status == AN_OK)
        status = make_set(s, n, list, &d->all);
    free(list);
    return status;
}

static int make_plane(struct an_solver *s, struct phase_lag *d)
{
    const struct an_sliding_plane *p = d->plane;
    const size_t precision = (size_t)s->level->layout.precision;
    const size_t faces = p->nwindow ? (size_t)p->nface : 0;
    AN_TRY(make_all(s, d));
    d->own = p->slide->faces;
    AN_TRY(make_array(
        s, faces * AN_SLIDE_SERIES * (size_t)an_lag_length(d->harmonics) * sizeof(double),
        &d->plane_series));
    /* words that a run does not use are in snapshots, too */
    AN_TRY(zero(s, p->slide->state, (size_t)p->nface * AN_NCOMP_SLIDE * precision));
    /* ranks without faces have it, too: it tells of phase lag */
    return make_array(s, ((size_t)p->nface + 1) * AN_SLIDE_LAGGED * precision, &p->slide->given);
}

static int make_tables(struct an_solver *s, struct phase_lag *d)
{
    void *table, *image;
    d->ntable = behind_at(d, 2, -1);
    const size_t bytes = (size_t)d->ntable * sizeof(double);
    AN_TRY(s->engine->op->alloc_host(s->engine, AHEAD * bytes, &image));
    d->image = image;
    AN_TRY(s->engine->op->alloc(s->engine, bytes, &table));
    d->table = table;
    return AN_OK;
}

/* Periods are whole numbers of steps, with two steps or more in that of the highest harmonic. */
static int check_steps(struct an_solver *s, struct phase_lag *d)
{
    const struct an_sliding_plane *p = d->plane;
    const struct an_case *c = s->c;
    const double dt = an_case_time_step(c);
    double steps[2], fault = 0;
    for (int side = 0; side < 2; side++) {
        steps[side] = p->sector[!side] / (fabs(p->rate) * dt);
        fault = fmax(fault, fabs(steps[side] - round(steps[side])));
        d->period[side] = (int)round(steps[side]);
    }
    /* side 0 has a multiple of passages[0] steps, if both have whole numbers */
    int common = p->passages[0], other = p->passages[1];
    while (other) {
        const int rest = common % other;
        common = other;
        other = rest;
    }
    const double unit = (double)p->passages[0] / common,
                 factor = ceil(steps[0] / unit - 1e-6) * unit / steps[0];
    char better[128];
    if (c->march.steps_per_passing > 0)
        snprintf(better, sizeof better, "march.steps_per_passing: %.6g",
                 c->march.steps_per_passing * factor);
    else if (c->march.steps_per_revolution > 0)
        snprintf(better, sizeof better, "march.steps_per_revolution: %.9g",
                 c->march.steps_per_revolution * factor);
    else
        snprintf(better, sizeof better, "march.time_step: %.17g", dt / factor);
    AN_CHECK(
        fault < 1e-6, AN_INPUT,
        "march.phase_lag: the rows pass each other by their pitches in %.6g and %.6g time steps, "
        "but both must be whole numbers: %s would do",
        steps[0], steps[1], better);
    for (int side = 0; side < 2; side++)
        AN_CHECK(
            d->period[side] > 2 * d->harmonics, AN_INPUT,
            "march.phase_lag: %d harmonics need more than %d time steps in a period, which has "
            "%d: take fewer harmonics or shorter time steps",
            d->harmonics, 2 * d->harmonics, d->period[side]);
    return AN_OK;
}

static int make_all_of(struct an_solver *s, struct phase_lag *d)
{
    AN_TRY(an_lag_faces_find(s, d->plane, &d->faces));
    AN_TRY(check_steps(s, d));
    list_kinds(s, &d->lag);
    AN_TRY(make_periodic(s, d));
    AN_TRY(make_plane(s, d));
    return make_tables(s, d);
}

static int phase_lag_make(struct an_solver *s, void **component)
{
    const struct an_sliding_plane *plane = an_sliding_lagged(s);
    AN_CHECK(plane || !s->c->march.phase_lag, AN_INPUT,
             "march.phase_lag needs two rows that a sliding plane joins");
    if (!plane)
        return AN_OK;
    struct phase_lag *d = calloc(1, sizeof *d);
    *component = d;
    int status = d ? AN_OK : an_error_set(AN_FAIL, "out of memory for phase lag");
    if (d) {
        d->plane = plane;
        d->harmonics = s->c->march.phase_lag;
        d->missed[0] = d->missed[1] = NAN;
        status = make_all_of(s, d);
    }
    AN_TRY(an_reduce_status(s->comm, status));
    s->level->lag = &d->lag;
    return AN_OK;
}

static void phase_lag_destroy(struct an_solver *s, void *component)
{
    const struct an_engine_ops *op = s->engine->op;
    struct phase_lag *d = component;
    void *const memory[] = {d->lag.present, d->lag.given, d->series, d->plane_series, d->table};
    struct an_faces *const faces[] = {d->lag.faces, d->all,       d->set[0][0],
                                      d->set[0][1], d->set[1][0], d->set[1][1]};
    s->level->lag = NULL;
    for (size_t n = 0; n < sizeof memory / sizeof *memory; n++)
        if (memory[n])
            op->free(s->engine, memory[n]);
    for (size_t n = 0; n < sizeof faces / sizeof *faces; n++)
        if (faces[n])
            op->faces_free(s->engine, faces[n]);
    if (d->image)
        op->free_host(s->engine, d->image);
    an_lag_faces_free(&d->faces);
    free(d);
}

/* ---- the part ---- */

static void set_known(struct phase_lag *d, int known)
{
    d->plane->slide->known = known ? 2 : 0;
    for (int n = 0; n < d->lag.nkind; n++)
        d->lag.kind[n].known = known;
}

static int phase_lag_start(struct an_solver *s, void *component, int fresh)
{
    (void)s, (void)fresh;
    set_known(component, 0);
    return AN_OK;
}

static int phase_lag_keep(const struct an_solver *s, const void *component,
                          struct an_snapshot_meta *meta)
{
    const struct phase_lag *d = component;
    if (d->plane->slide->known < 2)
        return AN_OK;
    const struct an_lag_store store = store_of(d);
    return an_lag_store_keep(s, &store, meta);
}

static int phase_lag_take(struct an_solver *s, void *component, const struct an_snapshot_meta *meta)
{
    struct phase_lag *d = component;
    const struct an_lag_store store = store_of(d);
    int found;
    AN_TRY(an_lag_store_take(s, &store, meta, &found));
    if (!found)
        return AN_OK;
    set_known(d, 1);
    AN_TRY(set_tables(s, d, 0));
    return give(s, d);
}

int an_phase_lag_missed(const struct an_solver *s, double missed[2])
{
    const struct phase_lag *d = lag_of(s);
    if (d)
        memcpy(missed, d->missed, sizeof d->missed);
    return d != NULL;
}

static void phase_lag_print(const struct an_solver *s, const void *component, FILE *out)
{
    (void)s;
    const struct phase_lag *d = component;
    fprintf(out,
            "phase lag   %d harmonics; %d and %d time steps in the periods of the two rows, which "
            "stand "
            "for %.6g and %.6g passages of the annulus\n",
            d->harmonics, d->period[0], d->period[1], 2 * pi / d->plane->sector[0],
            2 * pi / d->plane->sector[1]);
}

static void phase_lag_report(const struct an_solver *s, const void *component, FILE *out)
{
    const struct phase_lag *d = component;
    const struct an_topology *t = &s->mesh->topology;
    if (isnan(d->missed[0]) && isnan(d->missed[1]))
        return;
    fprintf(
        out,
        "phase lag   the series miss %.2g %% of the energy of the signals on the side of '%s', and "
        "%.2g %% on that of '%s'\n",
        100 * d->missed[0], t->boundary[d->plane->boundary[0]].name, 100 * d->missed[1],
        t->boundary[d->plane->boundary[1]].name);
}

const struct an_component_type an_phase_lag_component = {.name = "phase lag",
                                                         .after = AN_AFTER("sliding planes"),
                                                         .make = phase_lag_make,
                                                         .destroy = phase_lag_destroy,
                                                         .start = phase_lag_start,
                                                         .take = phase_lag_take,
                                                         .after_step = phase_lag_after_step,
                                                         .phase = phase_lag_phase,
                                                         .keep = phase_lag_keep,
                                                         .print = phase_lag_print,
                                                         .report = phase_lag_report};

#include "solver/boundary/sliding.h"

#include "mpi/reduce.h"
#include "solver/boundary/slide_faces.h"
#include "solver/flow/slide.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/level/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Angles are copied to the engine from page-locked memory, piece by piece in turn: the host may be
 * many steps ahead of the device, and waits for it after AHEAD of them. */
enum { PLACES = 9, AHEAD = 1024 };

struct sliding {
    int nplane;
    int nturn;           /* angles: of each plane; phase lag: of each side of the only plane */
    int (*boundary)[2];  /* [nplane]; owned */
    double *rate;        /* [nplane] rad/s: of side 0 less that of side 1; owned */
    double (*sector)[2]; /* [nplane] rad: of each side; owned */
    double *begin;       /* [nplane] rad: angle when `steps` and `rest` were zero; owned */

    int64_t steps; /* whole steps since the rows stood as meshed, or turned at other speeds */
    double step, rest, dt; /* s: a whole step; time beyond whole steps; the present step */

    double *image; /* page-locked: [AHEAD][PLACES][nturn] */
    int piece;     /* the next one */
    char *turn;    /* engine: [PLACES][nturn] doubles */
    void *now;     /* the place that counts */
    struct an_slide level[AN_MAX_LEVEL];
    struct an_sliding_plane lagged; /* phase lag; what it points to is owned */
};

static struct sliding *sliding_of(const struct an_solver *s)
{
    return an_component_of(s, &an_sliding_component);
}

static int moves(const struct an_solver *s)
{
    return s->c->march.mode == AN_MARCH_UNSTEADY;
}

/* ---- the angles ---- */

/* The length of a whole step, s; 0: the CFL number decides, and steps have any length. */
static double whole_step(const struct an_solver *s)
{
    return an_case_is_dual(s->c) ? an_case_time_step(s->c) : s->c->march.time_step;
}

static int is_whole(const struct sliding *d, double dt)
{
    return d->step > 0 && fabs(dt - d->step) <= 1e-12 * d->step;
}

/* The angle of a plane after a part of the step to come, modulo `sector`. */
static double angle_at(const struct an_solver *s, const struct sliding *d, int plane, double part,
                       double sector)
{
    const int whole = part == 1 && is_whole(d, d->dt);
    const double rest = whole ? d->rest : d->rest + part * d->dt;
    const double angle = an_slide_turn(d->rate[plane], d->steps + whole, d->step, rest, sector);
    return moves(s) ? fmod(d->begin[plane] + angle, sector) : 0;
}

double an_sliding_angle(const struct an_solver *s, double part, double sector)
{
    return angle_at(s, sliding_of(s), 0, part, sector);
}

const struct an_sliding_plane *an_sliding_lagged(struct an_solver *s)
{
    struct sliding *d = sliding_of(s);
    return d && s->c->march.phase_lag ? &d->lagged : NULL;
}

int an_sliding_turn(struct an_solver *s, double dt, int n, const double *alpha)
{
    struct sliding *d = sliding_of(s);
    if (!d)
        return AN_OK;
    const size_t count = (size_t)PLACES * (size_t)d->nturn;
    double *image = d->image + (size_t)d->piece * count;
    d->dt = dt;
    if (d->piece == 0)
        AN_TRY(s->engine->op->sync(s->engine, 0));
    d->piece = (d->piece + 1) % AHEAD;
    for (int m = 0; m <= n; m++)
        for (int k = 0; k < d->nturn; k++) {
            const int plane = s->c->march.phase_lag ? 0 : k;
            image[m * d->nturn + k] = angle_at(s, d, plane, m ? alpha[m - 1] : 0,
                                               d->sector[plane][s->c->march.phase_lag ? !k : 0]);
        }
    return s->engine->op->upload(s->engine, d->turn, image, count * sizeof *image, 0);
}

void an_sliding_at(struct an_solver *s, int place)
{
    struct sliding *d = sliding_of(s);
    if (d)
        d->now = d->turn + (size_t)place * (size_t)d->nturn * sizeof(double);
}

/* ---- set-up ---- */

/* Phase lag: what its part needs of the finest level. */
static int make_lagged(struct an_solver *s, struct sliding *d, struct an_slide_faces *f,
                       const int64_t *first, int nwindow, struct an_face_window *window)
{
    struct an_sliding_plane *l = &d->lagged;
    l->slide = &d->level[0];
    l->slide->ghost = AN_S_lag_ghost;
    l->slide->correct = AN_S_lag_flux;
    memcpy(l->boundary, d->boundary[0], sizeof l->boundary);
    l->rate = d->rate[0];
    memcpy(l->sector, d->sector[0], sizeof l->sector);
    memcpy(l->passages, f->plane[0].passages, sizeof l->passages);
    l->nface = first[s->nrank];
    l->first = first[s->rank];
    l->count = first[s->rank + 1] - l->first;
    l->place = f->place;
    f->place = NULL;
    l->nwindow = nwindow;
    const size_t bytes = ((size_t)nwindow + 1) * sizeof *window;
    struct an_face_window *copy = malloc(bytes);
    AN_CHECK(copy, AN_FAIL, "out of memory for sliding planes");
    memcpy(copy, window, (size_t)nwindow * sizeof *window);
    l->window = copy;
    for (int side = 0; side < 2; side++)
        l->omega[side] = an_boundary_omega(s, d->boundary[0][side]);
    return AN_OK;
}

static int make_level(struct an_solver *s, struct sliding *d, struct an_slide_faces *f, int n)
{
    struct an_level *l = &s->level[n];
    struct an_slide *slide = &d->level[n];
    struct an_slide_map map = {0};
    struct an_face_window *window = NULL;
    int nwindow = 0;
    int64_t *first = malloc(((size_t)s->nrank + 1) * sizeof *first);
    int status = first ? an_slide_faces_map(s, f, n, &map, first, &nwindow, &window)
                       : an_error_set(AN_FAIL, "out of memory for sliding planes");
    slide->ghost = AN_S_slide_ghost;
    slide->correct = AN_S_slide_correct;
    slide->turn = &d->now;
    if (status == AN_OK && s->c->march.phase_lag)
        status = make_lagged(s, d, f, first, nwindow, window);
    status = an_reduce_status(s->comm, status);
    if (status == AN_OK)
        status = an_slide_make(s, l, slide, 0, map.n, map.word, first, nwindow, window);
    an_slide_map_free(&map);
    free(first);
    free(window);
    return status;
}

/* Phase lag: one plane between two rows. */
static int check_lag(const struct an_solver *s)
{
    int sliding = 0, mixing = 0;
    for (int b = 0; b < s->mesh->topology.nboundary; b++) {
        sliding += s->boundary[b].type == AN_BC_SLIDING_PLANE;
        mixing += s->boundary[b].type == AN_BC_MIXING_PLANE;
    }
    AN_CHECK(
        !s->c->march.phase_lag || (sliding == 2 && !mixing), AN_INPUT,
        "march.phase_lag: phase lag is for two rows that one sliding plane joins, but the case has "
        "%d boundaries of type sliding_plane instead of 2, and %d of type mixing_plane instead of "
        "none",
        sliding, mixing);
    return AN_OK;
}

/* What does not depend on the level. */
static int make_planes(struct an_solver *s, struct sliding *d, struct an_slide_faces *f)
{
    const struct an_engine_ops *op = s->engine->op;
    AN_CHECK(s->mesh->dimension == 3, AN_INPUT,
             "sliding planes lie around the x axis: the mesh has to be three-dimensional");
    AN_TRY(check_lag(s));
    AN_TRY(an_slide_faces_new(s, f));
    d->nplane = f->nplane;
    d->nturn = s->c->march.phase_lag ? 2 : d->nplane;
    d->boundary = f->boundary;
    f->boundary = NULL;
    d->rate = calloc((size_t)d->nplane + 1, sizeof *d->rate);
    d->sector = calloc((size_t)d->nplane + 1, sizeof *d->sector);
    d->begin = calloc((size_t)d->nplane + 1, sizeof *d->begin);
    AN_CHECK(d->rate && d->sector && d->begin, AN_FAIL, "out of memory for sliding planes");
    for (int p = 0; p < d->nplane; p++) {
        d->rate[p] =
            an_boundary_omega(s, d->boundary[p][0]) - an_boundary_omega(s, d->boundary[p][1]);
        memcpy(d->sector[p], f->plane[p].sector, sizeof d->sector[p]);
    }
    const size_t bytes = (size_t)PLACES * (size_t)d->nturn * sizeof(double);
    void *image, *turn;
    AN_TRY(op->alloc_host(s->engine, bytes * AHEAD, &image));
    d->image = image;
    AN_TRY(op->alloc(s->engine, bytes, &turn));
    d->turn = turn;
    d->now = turn;
    d->step = whole_step(s);
    return AN_OK;
}

static int sliding_make(struct an_solver *s, void **component)
{
    int some = 0;
    for (int b = 0; b < s->mesh->topology.nboundary; b++)
        some |= s->boundary[b].type == AN_BC_SLIDING_PLANE;
    if (!some)
        return AN_OK;
    struct sliding *d = calloc(1, sizeof *d);
    struct an_slide_faces f = {0};
    *component = d;
    int status =
        d ? make_planes(s, d, &f) : an_error_set(AN_FAIL, "out of memory for sliding planes");
    status = an_reduce_status(s->comm, status);
    for (int n = 0; n < s->nlevel && status == AN_OK; n++)
        status = make_level(s, d, &f, n);
    an_slide_faces_free(s, &f);
    return status;
}

static void sliding_destroy(struct an_solver *s, void *component)
{
    const struct an_engine_ops *op = s->engine->op;
    struct sliding *d = component;
    for (int n = 0; n < s->nlevel; n++)
        an_slide_unmake(s, &d->level[n]);
    if (d->turn)
        op->free(s->engine, d->turn);
    if (d->image)
        op->free_host(s->engine, d->image);
    free(d->lagged.place);
    free(d->lagged.window);
    free(d->boundary);
    free(d->rate);
    free(d->sector);
    free(d->begin);
    free(d);
}

/* ---- the part ---- */

/* After this angle both sides stand as before. */
static double common_sector(const struct an_solver *s, const struct sliding *d, int plane)
{
    return d->sector[plane][0] * (s->c->march.phase_lag ? d->lagged.passages[0] : 1);
}

/* The value of a plane in the record of a snapshot. */
static const char *of_plane(const char *what, int plane, char name[32])
{
    snprintf(name, 32, "sliding.%s%d", what, plane);
    return name;
}

/* Where rows turned at other speeds than now, their angle is kept, not their steps. */
static void begin_anew(const struct an_solver *s, struct sliding *d,
                       const struct an_snapshot_meta *meta, double step)
{
    char name[32];
    int same = 1;
    for (int p = 0; p < d->nplane; p++) {
        const double rate = an_snapshot_control_get(meta, of_plane("rate", p, name), d->rate[p]);
        same &= rate == d->rate[p];
        d->begin[p] = an_snapshot_control_get(meta, of_plane("begin", p, name), 0);
    }
    for (int p = 0; p < d->nplane && !same; p++) {
        const double rate = an_snapshot_control_get(meta, of_plane("rate", p, name), d->rate[p]);
        d->begin[p] += an_slide_turn(rate, d->steps, step, d->rest, common_sector(s, d, p));
    }
    if (!same) {
        d->steps = 0;
        d->rest = 0;
    }
}

/* Steps of another length than before count as time. */
static int sliding_expect(struct an_solver *s, void *component, const struct an_snapshot_meta *meta)
{
    struct sliding *d = component;
    const double step = an_snapshot_control_get(meta, "sliding.step", 0);
    d->steps = (int64_t)an_snapshot_control_get(meta, "sliding.steps", 0);
    d->rest = an_snapshot_control_get(meta, "sliding.rest", 0);
    begin_anew(s, d, meta, step);
    if (step > 0 && !is_whole(d, step)) {
        d->rest += step * (double)d->steps;
        d->steps = 0;
    }
    return AN_OK;
}

static int sliding_start(struct an_solver *s, void *component, int fresh)
{
    struct sliding *d = component;
    if (fresh) {
        d->steps = 0;
        d->rest = 0;
        for (int p = 0; p < d->nplane; p++)
            d->begin[p] = 0;
    }
    an_sliding_at(s, 0);
    return an_sliding_turn(s, 0, 0, NULL);
}

static int sliding_after_step(struct an_solver *s, void *component)
{
    struct sliding *d = component;
    if (!moves(s))
        return AN_OK;
    if (is_whole(d, d->dt))
        d->steps++;
    else
        d->rest += d->dt;
    return AN_OK;
}

static int sliding_keep(const struct an_solver *s, const void *component,
                        struct an_snapshot_meta *meta)
{
    const struct sliding *d = component;
    if (!moves(s))
        return AN_OK;
    AN_TRY(an_snapshot_control_add(meta, "sliding.step", d->step));
    AN_TRY(an_snapshot_control_add(meta, "sliding.steps", (double)d->steps));
    for (int p = 0; p < d->nplane; p++) {
        char name[32];
        AN_TRY(an_snapshot_control_add(meta, of_plane("rate", p, name), d->rate[p]));
        AN_TRY(an_snapshot_control_add(meta, of_plane("begin", p, name), d->begin[p]));
    }
    return an_snapshot_control_add(meta, "sliding.rest", d->rest);
}

static void sliding_print(const struct an_solver *s, const void *component, FILE *out)
{
    const struct sliding *d = component;
    for (int p = 0; p < d->nplane; p++) {
        const double degree = acos(-1.0) / 180, sector = d->sector[p][0], other = d->sector[p][1];
        const char *name[2];
        for (int side = 0; side < 2; side++)
            name[side] = s->mesh->topology.boundary[d->boundary[p][side]].name;
        fprintf(out, "sliding     %s and %s, %.6g ", name[0], name[1], sector / degree);
        if (s->c->march.phase_lag)
            fprintf(out, "and %.6g ", other / degree);
        fprintf(out, "degrees of the annulus: ");
        if (!moves(s))
            fprintf(out, "at rest as meshed (frozen rotor)\n");
        else if (d->rate[p] == 0)
            fprintf(out, "both sides turn at the same speed\n");
        else if (s->c->march.phase_lag)
            fprintf(out, "with phase lag\n");
        else if (d->step > 0)
            fprintf(out, "the sides turn past each other by this angle in %.6g steps\n",
                    sector / fabs(d->rate[p] * d->step));
        else
            fprintf(out, "the sides turn past each other by this angle in %.6g s\n",
                    sector / fabs(d->rate[p]));
    }
}

const struct an_component_type an_sliding_component = {.name = "sliding planes",
                                                       .make = sliding_make,
                                                       .destroy = sliding_destroy,
                                                       .expect = sliding_expect,
                                                       .start = sliding_start,
                                                       .after_step = sliding_after_step,
                                                       .keep = sliding_keep,
                                                       .print = sliding_print};

/* Operations recorded and replayed. */
#include "tests/engines/engine_parts.h"

#include "kernels/base/topology.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A step's worth of operations on both streams, with the parameter alpha. */
struct replayed {
    const struct engine_case *x;
    struct an_tiles *t;
    struct an_lines *lines;
    struct an_faces *faces;
    struct an_copies *copies;
    struct an_fields f;
    void *runtime; /* engine memory: the CFL number; NULL: it is a parameter */
};

static int issue(struct an_engine *e, const struct replayed *r, double alpha, double cfl)
{
    const struct an_engine_ops *op = e->op;
    const size_t bytes = r->x->bytes[AN_F_W];
    const int64_t cs = r->x->layout.ncell;
    struct an_params p = r->x->params;
    p.march.alpha = alpha;
    p.march.cfl = cfl;
    p.runtime = r->runtime;
    AN_TRY(op->run(e, AN_S_timestep, r->t, &r->f, &p, NULL, 0));
    AN_TRY(op->wait(e, 1, 0));
    AN_TRY(op->run_faces(e, AN_S_ghost_lambda, AN_SCHEME_JST, r->faces, &r->f, &p, NULL, 1));
    AN_TRY(op->copy(e, r->f.at[AN_F_W0], r->f.at[AN_F_W], bytes, 1));
    AN_TRY(op->wait(e, 0, 1));
    AN_TRY(op->residual(e, AN_SCHEME_JST, r->t, &r->f, &p, 0));
    AN_TRY(op->stage(e, AN_SCHEME_MATRIX, r->t, &r->f, &p, 0));
    AN_TRY(op->run_lines(e, AN_S_implicit_lines, r->lines, &r->f, &p, 0));
    AN_TRY(op->wait(e, 1, 0)); /* never waited for by the main stream */
    AN_TRY(op->copies(e, r->copies, r->f.at[AN_F_FLUX], cs, r->f.at[AN_F_WN], cs, 5, 1, 1));
    return AN_OK;
}

static int outcome_of(const struct engine_case *x, struct an_engine *e, const struct replayed *r,
                      struct image *m)
{
    AN_TRY(e->op->sync(e, 1));
    AN_TRY(e->op->sync(e, 0));
    for (int n = 0; n < AN_NFIELD; n++)
        AN_TRY(e->op->download(e, m->at[n], r->f.at[n], x->bytes[n], 0));
    return e->op->sync(e, 0);
}

static int load(const struct engine_case *x, struct an_engine *e, const struct replayed *r,
                const struct image *m)
{
    for (int n = 0; n < AN_NFIELD; n++)
        AN_TRY(e->op->upload(e, r->f.at[n], m->at[n], x->bytes[n], 0));
    return e->op->sync(e, 0);
}

/* 1 where what needs the host is refused in a recording, and the engine works on. */
static int refuses(struct an_engine *e, const struct replayed *r)
{
    static struct outcome o;
    const struct an_engine_ops *op = e->op;
    void *p = NULL;
    int wrong = op->record_begin(e) != AN_OK;
    wrong |= op->sync(e, 0) == AN_OK;
    wrong |= op->alloc(e, 8, &p) == AN_OK;
    wrong |= op->set_runtime(e, r->runtime, 1, (const double[1][AN_NRUNTIME]){{1}}) == AN_OK;
    wrong |= op->download(e, &o, r->f.at[AN_F_W], 8, 0) == AN_OK;
    wrong |= op->run(e, AN_S_timestep, r->t, &r->f, &r->x->params, &o.red, 0) == AN_OK;
    wrong |= op->run_faces(e, AN_S_boundary_integral, 0, r->faces, &r->f, &r->x->params, o.sum,
                           0) == AN_OK;
    wrong |= issue(e, r, 0.1, 1) != AN_OK;
    return !wrong && op->record_end(e, NULL) == AN_OK && op->sync(e, 0) == AN_OK;
}

int fixture_replay(const struct engine_case *x, struct an_engine *e)
{
    static const double alpha[3] = {0.3, 0.3, 0.7}, cfl[3] = {2, 5, 0.5};
    static const double turn[2][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                                      {1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8}};
    struct an_face_window window[FIXTURE_MAX_BOX];
    struct an_bc_value value[FIXTURE_BOUNDARIES];
    struct an_box box[FIXTURE_MAX_BOX];
    struct an_copy copy[2];
    struct replayed r = {.x = x};
    struct an_recording *recording = NULL;
    void *runtime = NULL;
    struct image start, plain, again;
    int status = AN_OK;
    if (fixture_prepare(x, e, &start))
        return AN_FAIL;
    plain = image_copy(x, &start);
    again = image_copy(x, &start);
    TRY(e->op->tiles_new(e, &x->layout, fixture_boxes(x, 0, box), box, &r.t));
    TRY(e->op->lines_new(e, &x->layout, (const int[FIXTURE_MAX_BOX]){1, 1, 1}, &r.lines));
    const int nwindow = fixture_boundaries(x, window, value), ncopy = fixture_pieces(x, copy);
    TRY(e->op->faces_new(e, &x->layout, nwindow, window, FIXTURE_BOUNDARIES, value, &r.faces));
    TRY(e->op->copies_new(e, ncopy, copy, 2, turn, &r.copies));
    TRY(fixture_memory(x, e, &r.f));
    TRY(e->op->alloc(e, AN_NRUNTIME * sizeof(double), &runtime));
    for (int n = 0; n < 3; n++) {
        const double now[1][AN_NRUNTIME] = {{[AN_RUNTIME_cfl] = cfl[n]}};
        TRY(load(x, e, &r, &start));
        r.runtime = NULL;
        TRY(issue(e, &r, alpha[n], cfl[n]));
        TRY(outcome_of(x, e, &r, &plain));
        TRY(load(x, e, &r, &start));
        r.runtime = runtime;
        TRY(e->op->set_runtime(e, runtime, 1, now));
        if (n != 1) { /* the second time: as recorded, but with another CFL number */
            TRY(e->op->record_begin(e));
            TRY(issue(e, &r, alpha[n], 1));
            TRY(e->op->record_end(e, &recording));
            TRY(outcome_of(x, e, &r, &again));
            TRY(image_same(x, &again, &start, -1) ? AN_OK
                                                  : an_error_set(AN_FAIL, "a recording ran"));
        }
        TRY(e->op->replay(e, recording));
        TRY(outcome_of(x, e, &r, &again));
        TRY(image_same(x, &again, &plain, -1) ? AN_OK : an_error_set(AN_FAIL, "replayed: differs"));
        if (n == 0)
            TRY(refuses(e, &r) ? AN_OK : an_error_set(AN_FAIL, "the host took part"));
    }
end:
    if (status)
        fprintf(stderr, "%s: %s\n", e->name, an_error_text());
    e->op->recording_free(e, recording);
    e->op->free(e, runtime);
    e->op->tiles_free(e, r.t);
    e->op->lines_free(e, r.lines);
    e->op->faces_free(e, r.faces);
    e->op->copies_free(e, r.copies);
    image_free(&start);
    image_free(&plain);
    image_free(&again);
    return status;
}

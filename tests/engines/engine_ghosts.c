/* Ghost cells in one launch: copies between blocks and a face stencil. */
#include "tests/engines/engine_parts.h"

#include "kernels/base/topology.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What fills ghosts, and the fields whose ghosts are copied with it. */
struct ghosts {
    enum an_stencil stencil;
    int nfield;
    struct {
        enum an_field field;
        int ncomp, vector;
    } field[2];
};

static const struct ghosts all[] = {
    {AN_S_ghost_fill, 2, {{AN_F_W, 5, 1}, {AN_F_MUT, 1, AN_COPY_PLAIN}}},
    {AN_S_ghost_gradient, 1, {{AN_F_GRAD, 12, AN_COPY_TENSOR}}},
    {AN_S_ghost_lambda, 1, {{AN_F_LAM, 3, AN_COPY_PLAIN}}},
    {AN_S_ghost_eddy, 1, {{AN_F_MUT, 1, AN_COPY_PLAIN}}},
    {AN_S_ghost_turb, 1, {{AN_F_TURB, 1, AN_COPY_PLAIN}}},
    {AN_S_ghost_correction, 1, {{AN_F_DW, 5, 1}}},
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Copies to the ghosts behind the lower i face of each block, from cells inside the next block; or,
 * where `wrong`, from the ghosts behind its lower k face, which face stencils write. */
static int make_copies(const struct engine_case *x, int wrong, struct an_copy *copy)
{
    const int nblock = x->layout.nblock;
    for (int b = 0; b < nblock; b++) {
        const struct an_block *to = &x->layout.block[b], *from = &x->layout.block[(b + 1) % nblock];
        const int two = least(2, from->n[0]);
        copy[b] = (struct an_copy){
            .src = an_element(from, 0, 0, wrong ? -1 : 0),
            .dst = an_element(to, -two, 0, 0),
            .src_stride = {1, from->stride[1], from->stride[2]},
            .dst_stride = {1, to->stride[1], to->stride[2]},
            .n = {two, least(from->n[1], to->n[1]), wrong ? 1 : least(from->n[2], to->n[2])},
            .rotation = b ? -1 : 1};
    }
    return nblock;
}

/* All boundary faces but those behind which cells are copied to. */
static int make_windows(const struct engine_case *x, struct an_face_window *window,
                        struct an_bc_value *value)
{
    const int n = fixture_boundaries(x, window, value);
    int kept = 0;
    for (int w = 0; w < n; w++)
        if (window[w].window.dir != 0 || window[w].window.side)
            window[kept++] = window[w];
    return kept;
}

/* The outcome of a way: 0 one launch for each copy and one for the faces; 1 one launch for all. */
static int outcome_of(const struct engine_case *x, struct an_engine *e, const struct ghosts *g,
                      const struct an_copies *copies, const struct an_faces *faces, int way,
                      const struct image *start, struct image *m)
{
    const struct an_engine_ops *op = e->op;
    struct an_fields f;
    struct an_copying c = {.list = copies, .component = x->layout.ncell, .nfield = g->nfield};
    AN_TRY(fixture_memory(x, e, &f));
    for (int n = 0; n < g->nfield; n++) {
        c.field[n].base = f.at[g->field[n].field];
        c.field[n].ncomp = g->field[n].ncomp;
        c.field[n].vector = g->field[n].vector;
    }
    for (int n = 0; n < AN_NFIELD; n++)
        AN_TRY(op->upload(e, f.at[n], start->at[n], x->bytes[n], 0));
    const int64_t before = e->launches;
    if (way) {
        AN_TRY(an_engine_ghosts(e, &c, g->stencil, AN_SCHEME_JST, faces, &f, &x->params, 0));
    } else {
        AN_TRY(an_engine_copy_all(e, &c, 0));
        AN_TRY(op->run_faces(e, g->stencil, AN_SCHEME_JST, faces, &f, &x->params, NULL, 0));
    }
    const int64_t launches = e->launches - before, wanted = way ? 1 : 1 + g->nfield;
    if (op->ghosts)
        AN_CHECK(launches == wanted, AN_FAIL, "%s: %lld launches, not %lld",
                 an_stencil_name(g->stencil), (long long)launches, (long long)wanted);
    for (int n = 0; n < AN_NFIELD; n++)
        AN_TRY(op->download(e, m->at[n], f.at[n], x->bytes[n], 0));
    return op->sync(e, 0);
}

int fixture_ghosts(const struct engine_case *x, struct an_engine *e, int wrong)
{
    static const double turn[2][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                                      {1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8}};
    struct an_face_window window[FIXTURE_MAX_BOX];
    struct an_bc_value value[FIXTURE_BOUNDARIES];
    struct an_copy copy[FIXTURE_MAX_BLOCK];
    struct an_faces *faces = NULL;
    struct an_copies *copies = NULL;
    struct image start, apart, together;
    int status = AN_OK;
    if (fixture_prepare(x, e, &start))
        return AN_FAIL;
    /* Numbers in place of the unset bits of the correction: these may be the same after a change of sign. */
    memcpy(start.at[AN_F_DW], start.at[AN_F_W], x->bytes[AN_F_DW]);
    apart = image_copy(x, &start);
    together = image_copy(x, &start);
    const int nwindow = make_windows(x, window, value), ncopy = make_copies(x, wrong, copy);
    TRY(e->op->faces_new(e, &x->layout, nwindow, window, FIXTURE_BOUNDARIES, value, &faces));
    TRY(e->op->copies_new(e, ncopy, copy, 2, turn, &copies));
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        const double inside =
            fixture_get(x, &start, all[n].field[0].field, an_element(&x->layout.block[0], 0, 0, 0));
        TRY(isfinite(inside) ? AN_OK
                             : an_error_set(AN_FAIL, "%s begins from cells without numbers",
                                            an_stencil_name(all[n].stencil)));
        TRY(outcome_of(x, e, &all[n], copies, faces, 0, &start, &apart));
        TRY(image_same(x, &apart, &start, -1)
                ? an_error_set(AN_FAIL, "%s writes nothing", an_stencil_name(all[n].stencil))
                : AN_OK);
        TRY(outcome_of(x, e, &all[n], copies, faces, 1, &start, &together));
        TRY(image_same(x, &apart, &together, -1)
                ? AN_OK
                : an_error_set(AN_FAIL, "%s: one launch differs", an_stencil_name(all[n].stencil)));
    }
end:
    if (status && !wrong)
        fprintf(stderr, "%s: %s\n", e->name, an_error_text());
    e->op->faces_free(e, faces);
    e->op->copies_free(e, copies);
    image_free(&start);
    image_free(&apart);
    image_free(&together);
    return status;
}

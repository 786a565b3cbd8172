#include "solver/flow/slide.h"

#include "mpi/halo.h"
#include "mpi/reduce.h"
#include "solver/level/level.h"

#include <stdlib.h>

/* The fields of a level with those of its sliding planes or abutting interfaces. */
static struct an_fields fields_of(const struct an_level *l, const struct an_slide *slide,
                                  void *state)
{
    struct an_fields f = l->fields;
    f.at[AN_F_W] = state;
    f.at[AN_F_SLIDE] = slide->state;
    f.at[AN_F_SLIDE_FLUX] = slide->flux;
    f.at[AN_F_SLIDE_MAP] = slide->map;
    f.at[AN_F_SLIDE_TURN] = slide->turn ? *slide->turn : NULL;
    f.at[AN_F_LAG_GIVEN] = slide->given;
    return f;
}

static int run(struct an_solver *s, struct an_level *l, enum an_stencil stencil,
               struct an_faces *faces, const struct an_fields *f)
{
    return s->engine->op->run_faces(s->engine, stencil, an_level_scheme(s, l), faces, f,
                                    an_level_params(s, l), NULL, 0);
}

static int share(struct an_halo *h, void *array)
{
    AN_TRY(an_halo_start(h, array, 1, AN_COPY_PLAIN));
    return an_halo_finish(h);
}

int an_slide_gather(struct an_solver *s, struct an_level *l, struct an_slide *slide, void *state)
{
    const struct an_fields f = fields_of(l, slide, state);
    AN_TRY(run(s, l, AN_S_slide_gather, slide->faces, &f));
    return share(slide->share_state, slide->state);
}

static int share_fluxes(struct an_solver *s, struct an_level *l, struct an_slide *slide,
                        const struct an_fields *f)
{
    AN_TRY(run(s, l, AN_S_slide_flux, slide->faces, f));
    return share(slide->share_flux, slide->flux);
}

int an_slide_gather_fluxes(struct an_solver *s, struct an_level *l, struct an_slide *slide,
                           void *state)
{
    const struct an_fields f = fields_of(l, slide, state);
    return share_fluxes(s, l, slide, &f);
}

int an_level_slide(struct an_solver *s, struct an_level *l, void *state)
{
    for (struct an_slide *slide = l->slide; slide; slide = slide->next) {
        const struct an_fields f = fields_of(l, slide, state);
        if (!slide->given)
            AN_TRY(an_slide_gather(s, l, slide, state));
        if (!slide->given || slide->known)
            AN_TRY(run(s, l, slide->ghost, slide->faces, &f));
    }
    return AN_OK;
}

int an_level_slide_fluxes(struct an_solver *s, struct an_level *l, void *state)
{
    for (struct an_slide *slide = l == s->level ? l->slide : NULL; slide; slide = slide->next) {
        const struct an_fields f = fields_of(l, slide, state);
        if (!slide->given)
            AN_TRY(share_fluxes(s, l, slide, &f));
        for (int n = 0; n < slide->napart && (!slide->given || slide->known > 1); n++)
            AN_TRY(run(s, l, slide->correct, slide->apart[n], &f));
    }
    return AN_OK;
}

/* ---- set-up ---- */

/* The transport that the ghost cells of blocks use. If it is STAGED and the case leaves the choice
 * free, planes choose anew: perhaps no ghost cells of blocks leave their rank, but those of planes
 * do. */
static enum an_transport_kind transport_of(const struct an_solver *s, const struct an_level *l)
{
    struct an_halo_info info;
    if (l->replicated)
        return AN_TRANSPORT_KIND_AUTO; /* nothing travels */
    an_halo_info(s->level->halo, &info);
    return s->c->mpi.transport == AN_TRANSPORT_AUTO && info.kind == AN_TRANSPORT_KIND_STAGED
               ? AN_TRANSPORT_KIND_AUTO
               : info.kind;
}

/* The arrays of a level, and how they travel. */
static int make_arrays(struct an_solver *s, struct an_level *l, struct an_slide *slide,
                       int64_t *first)
{
    const struct an_engine_ops *op = s->engine->op;
    const int arrays = l == s->level ? 2 : 1, nrank = l->partition.nrank;
    const int64_t words[2] = {AN_NCOMP_SLIDE, AN_NCOMP_SLIDE_FLUX};
    void **array[2] = {&slide->state, &slide->flux};
    struct an_halo **halo[2] = {&slide->share_state, &slide->share_flux};
    for (int n = 0; n < arrays; n++) {
        for (int r = 0; r <= nrank; r++)
            first[r] = first[r] / (n ? words[n - 1] : 1) * words[n];
        const size_t bytes = (size_t)first[nrank] * (size_t)l->layout.precision;
        AN_TRY(an_reduce_status(s->comm, op->alloc(s->engine, bytes, array[n])));
        AN_TRY(an_halo_share_new(l->comm, s->engine, first, transport_of(s, l), halo[n]));
    }
    return AN_OK;
}

static int upload_map(struct an_solver *s, int64_t n, const double *map, void **to)
{
    const size_t bytes = (size_t)n * sizeof *map;
    AN_TRY(s->engine->op->alloc(s->engine, bytes, to));
    AN_TRY(s->engine->op->upload(s->engine, *to, map, bytes, 0));
    return s->engine->op->sync(s->engine, 0);
}

static int make_faces(struct an_solver *s, struct an_level *l, int n,
                      const struct an_face_window *window, struct an_faces **faces)
{
    return s->engine->op->faces_new(s->engine, &l->layout, n, window, s->mesh->topology.nboundary,
                                    s->boundary, faces);
}

/* The sets in which each cell has one face at most. */
static int make_apart(struct an_solver *s, struct an_level *l, struct an_slide *slide, int nwindow,
                      const struct an_face_window *window)
{
    struct an_face_window *some = malloc(((size_t)nwindow + 1) * sizeof *some);
    int status = some ? AN_OK : an_error_set(AN_FAIL, "out of memory for interfaces");
    for (int set = 0; set < AN_SLIDE_APART && status == AN_OK; set++) {
        int n = 0;
        for (int w = 0; w < nwindow; w++)
            if (2 * window[w].window.dir + window[w].window.side == set)
                some[n++] = window[w];
        if (n)
            status = make_faces(s, l, n, some, &slide->apart[slide->napart++]);
    }
    free(some);
    return status;
}

int an_slide_make(struct an_solver *s, struct an_level *l, struct an_slide *slide, int apart,
                  int64_t nmap, const double *map, int64_t *first, int nwindow,
                  const struct an_face_window *window)
{
    int status = upload_map(s, nmap, map, &slide->map);
    if (status == AN_OK)
        status = make_faces(s, l, nwindow, window, &slide->faces);
    if (status == AN_OK && apart)
        status = make_apart(s, l, slide, nwindow, window);
    if (status == AN_OK && !apart)
        status = make_faces(s, l, nwindow, window, &slide->apart[slide->napart++]);
    status = an_reduce_status(s->comm, status);
    if (status == AN_OK)
        status = make_arrays(s, l, slide, first);
    if (status != AN_OK)
        return status;
    slide->next = l->slide;
    l->slide = slide;
    return AN_OK;
}

void an_slide_unmake(struct an_solver *s, struct an_slide *slide)
{
    const struct an_engine_ops *op = s->engine->op;
    void *const memory[] = {slide->state, slide->flux, slide->map, slide->given};
    for (int n = 0; n < s->nlevel; n++)
        for (struct an_slide **at = &s->level[n].slide; *at;)
            if (*at == slide)
                *at = slide->next;
            else
                at = &(*at)->next;
    if (slide->faces)
        op->faces_free(s->engine, slide->faces);
    for (int n = 0; n < slide->napart; n++)
        if (slide->apart[n])
            op->faces_free(s->engine, slide->apart[n]);
    an_halo_destroy(slide->share_state);
    an_halo_destroy(slide->share_flux);
    for (int m = 0; m < 4; m++)
        if (memory[m])
            op->free(s->engine, memory[m]);
}

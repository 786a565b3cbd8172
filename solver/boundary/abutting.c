#include "solver/boundary/abutting.h"

#include "mpi/reduce.h"
#include "solver/boundary/abut_faces.h"
#include "solver/boundary/plane_pairs.h"
#include "solver/flow/slide.h"
#include "solver/level/component.h"
#include "solver/level/level.h"

#include <stdlib.h>

struct abutting {
    struct an_abut_faces faces;
    struct an_slide level[AN_MAX_LEVEL];
};

static double omega_of(const struct an_solver *s, const struct an_abut_patch *p)
{
    return s->omega ? s->omega[p->window.block] : 0;
}

/* Both sides belong to one row: they turn at one speed. */
static int check_rows(const struct an_solver *s, const struct an_abut_faces *f)
{
    const struct an_topology *t = &s->mesh->topology;
    for (int p = 0; p < f->npatch; p++)
        for (int q = 0; q < p; q++) {
            const int a = f->match.face[f->patch[p].first].side;
            const int b = f->match.face[f->patch[q].first].side;
            if ((f->match.side[a].other != b && a != b) ||
                omega_of(s, &f->patch[p]) == omega_of(s, &f->patch[q]))
                continue;
            return an_error_set(
                AN_INPUT,
                "abutting interface of '%s' and '%s': zone '%s' turns at %.6g rad/s and zone '%s' "
                "at "
                "%.6g: between rows give both boundaries the type mixing_plane or sliding_plane",
                t->boundary[f->boundary[a]].name, t->boundary[f->boundary[b]].name,
                t->block[f->patch[p].window.block].name, omega_of(s, &f->patch[p]),
                t->block[f->patch[q].window.block].name, omega_of(s, &f->patch[q]));
        }
    return AN_OK;
}

static int make_faces(struct an_solver *s, struct abutting *d)
{
    const struct an_topology *t = &s->mesh->topology;
    AN_CHECK(
        !an_case_has_intermittency(s->c), AN_INPUT,
        "%s: abutting interfaces do not carry the intermittency of 'turbulence.transition: %s'",
        s->c->file, an_case_has_re_theta(s->c) ? "gamma_re_theta" : "gamma");
    int *other = malloc(((size_t)t->nboundary + 1) * sizeof *other);
    AN_CHECK(other, AN_FAIL, "out of memory for abutting interfaces");
    for (int b = 0; b < t->nboundary; b++)
        other[b] = s->boundary[b].type == AN_BC_ABUTTING ? an_plane_partner(s->c, t, b) : -1;
    int status = an_abut_faces_new(s->mesh, other, &d->faces);
    free(other);
    if (status == AN_OK)
        status = an_abut_faces_check(s->mesh, &d->faces);
    return status == AN_OK ? check_rows(s, &d->faces) : status;
}

static int make_level(struct an_solver *s, struct abutting *d, int n)
{
    struct an_slide *slide = &d->level[n];
    struct an_slide_map map = {0};
    struct an_face_window *window = NULL;
    int nwindow = 0;
    int64_t *first = malloc(((size_t)s->nrank + 1) * sizeof *first);
    int status = first ? an_abut_faces_map(s, &d->faces, n, &map, first, &nwindow, &window)
                       : an_error_set(AN_FAIL, "out of memory for abutting interfaces");
    slide->ghost = AN_S_abut_ghost;
    slide->correct = AN_S_abut_correct;
    status = an_reduce_status(s->comm, status);
    if (status == AN_OK)
        status = an_slide_make(s, &s->level[n], slide, 1, map.n, map.word, first, nwindow, window);
    an_slide_map_free(&map);
    free(first);
    free(window);
    return status;
}

static int abutting_make(struct an_solver *s, void **component)
{
    int some = 0;
    for (int b = 0; b < s->mesh->topology.nboundary; b++)
        some |= s->boundary[b].type == AN_BC_ABUTTING;
    if (!some)
        return AN_OK;
    struct abutting *d = calloc(1, sizeof *d);
    *component = d;
    int status =
        d ? make_faces(s, d) : an_error_set(AN_FAIL, "out of memory for abutting interfaces");
    status = an_reduce_status(s->comm, status);
    for (int n = 0; n < s->nlevel && status == AN_OK; n++)
        status = make_level(s, d, n);
    return status;
}

static void abutting_destroy(struct an_solver *s, void *component)
{
    struct abutting *d = component;
    for (int n = 0; n < s->nlevel; n++)
        an_slide_unmake(s, &d->level[n]);
    an_abut_faces_free(&d->faces);
    free(d);
}

static void abutting_print(const struct an_solver *s, const void *component, FILE *out)
{
    const struct abutting *d = component;
    an_abut_faces_print(s->mesh, &d->faces, out);
}

const struct an_component_type an_abutting_component = {.name = "abutting interfaces",
                                                        .make = abutting_make,
                                                        .destroy = abutting_destroy,
                                                        .print = abutting_print};

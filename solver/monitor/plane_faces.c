#include "solver/monitor/plane_faces.h"

#include "solver/flow/flow.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/level/patch_nodes.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int an_plane_faces_new(struct an_solver *s, const char *wanted, struct an_plane_faces *f)
{
    const struct an_partition *p = &s->level->partition;
    int n;
    memset(f, 0, sizeof *f);
    AN_TRY(an_bc_windows(&p->topology, s->boundary, s->nlocal, s->local, &n, &f->window));
    for (int m = 0; m < n; m++) {
        if (!wanted[f->window[m].boundary])
            continue;
        f->window[f->nwindow] = f->window[m];
        f->window[f->nwindow++].first = f->nface;
        f->nface += an_patch_faces(&f->window[m].window);
    }
    AN_CHECK(f->nface < INT_MAX / AN_NCOMP_PLANE, AN_FAIL, "%lld boundary faces on a rank",
             (long long)f->nface);
    const size_t count = (size_t)f->nface + 1;
    f->zone = calloc((size_t)f->nwindow + 1, sizeof *f->zone);
    f->centre = malloc(count * sizeof *f->centre);
    f->radius = malloc(count * sizeof *f->radius);
    f->value = malloc(count * sizeof *f->value);
    AN_CHECK(f->zone && f->centre && f->radius && f->value, AN_FAIL,
             "out of memory for boundary faces");
    AN_TRY(an_plane_faces_place(s, f));
    const size_t bytes = count * AN_NCOMP_PLANE * (size_t)s->level->layout.precision;
    AN_TRY(s->engine->op->alloc(s->engine, bytes, &f->field));
    AN_TRY(s->engine->op->alloc_host(s->engine, bytes, &f->image));
    return s->engine->op->faces_new(s->engine, &s->level->layout, f->nwindow, f->window,
                                    p->topology.nboundary, s->boundary, &f->faces);
}

int an_plane_faces_place(struct an_solver *s, struct an_plane_faces *f)
{
    for (int m = 0; m < f->nwindow; m++) {
        const struct an_window win = an_window_in_zone(s, f->window[m].window);
        f->zone[m] = win.block;
        AN_TRY(an_patch_centres(s->mesh, &win, f->centre + f->window[m].first));
    }
    for (int64_t k = 0; k < f->nface; k++)
        f->radius[k] = hypot(f->centre[k][1], f->centre[k][2]);
    return AN_OK;
}

void an_plane_faces_free(struct an_solver *s, struct an_plane_faces *f)
{
    if (f->faces)
        s->engine->op->faces_free(s->engine, f->faces);
    if (f->field)
        s->engine->op->free(s->engine, f->field);
    if (f->image)
        s->engine->op->free_host(s->engine, f->image);
    free(f->window);
    free(f->zone);
    free(f->centre);
    free(f->radius);
    free(f->value);
}

int an_plane_faces_start(struct an_solver *s, const struct an_plane_faces *f)
{
    return an_face_results_start(s, AN_S_face_values, AN_F_PLANE, f->faces, f->field, f->image,
                                 f->nface * AN_NCOMP_PLANE);
}

void an_plane_faces_take(const struct an_solver *s, struct an_plane_faces *f)
{
    an_face_results_take(s, f->image, f->nface * AN_NCOMP_PLANE, f->value[0]);
}

#include "solver/monitor/slip_walls.h"

#include "kernels/base/numbers.h"
#include "mpi/reduce.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/level/patch_nodes.h"

#include <stdlib.h>

static int slip_walls_make(struct an_solver *s, void **component)
{
    const int n = s->mesh->topology.nboundary;
    char *wanted = calloc((size_t)n + 1, 1);
    AN_CHECK(wanted, AN_FAIL, "out of memory for walls");
    int some = 0;
    for (int b = 0; b < n; b++)
        some |= wanted[b] = s->boundary[b].type == AN_BC_WALL_SLIP;
    int status = AN_OK;
    if (some) {
        struct an_slip_walls *w = calloc(1, sizeof *w);
        *component = w;
        if (w)
            w->sum = calloc((size_t)n, sizeof *w->sum);
        if (w && w->sum) {
            w->measured = -1;
            status = an_plane_faces_new(s, wanted, &w->faces);
        } else {
            status = an_error_set(AN_FAIL, "out of memory for walls");
        }
    }
    free(wanted);
    return status;
}

static void slip_walls_destroy(struct an_solver *s, void *component)
{
    struct an_slip_walls *w = component;
    an_plane_faces_free(s, &w->faces);
    free(w->sum);
    free(w);
}

/* The next measurement is the first of another state. */
static int slip_walls_start(struct an_solver *s, void *component, int fresh)
{
    (void)s, (void)fresh;
    ((struct an_slip_walls *)component)->measured = -1;
    return AN_OK;
}

static int slip_walls_measure_start(struct an_solver *s, void *component)
{
    return an_plane_faces_start(s, &((struct an_slip_walls *)component)->faces);
}

enum { AREA, FORCE, TORQUE = FORCE + 3, NTERM };

/* Adds a face at x. */
static void add_face(const double v[AN_NCOMP_PLANE], const double x[3], double p_ref,
                     struct an_xsum sum[NTERM])
{
    const double *s = v + AN_PLANE_SX, *flux = v + AN_PLANE_MX;
    double force[3];
    for (int c = 0; c < 3; c++) {
        force[c] = flux[c] + p_ref * s[c];
        an_xsum_add(&sum[FORCE + c], force[c]);
    }
    an_xsum_add(&sum[AREA], an_length(s));
    an_xsum_add(&sum[TORQUE], x[1] * force[2] - x[2] * force[1]);
}

static int slip_walls_measure_finish(struct an_solver *s, void *component,
                                     const struct an_measured *m)
{
    struct an_slip_walls *w = component;
    const struct an_plane_faces *f = &w->faces;
    const int n = s->mesh->topology.nboundary;
    struct an_xsum(*sum)[NTERM] = calloc((size_t)n, sizeof *sum);
    AN_CHECK(sum, AN_FAIL, "out of memory for walls");
    an_plane_faces_take(s, &w->faces);
    for (int k = 0; k < f->nwindow; k++) {
        const int64_t first = f->window[k].first, count = an_patch_faces(&f->window[k].window);
        for (int64_t face = first; face < first + count; face++)
            add_face(f->value[face], f->centre[face], s->params.flux.p_ref,
                     sum[f->window[k].boundary]);
    }
    const int status = an_reduce_xsum(s->comm, n * NTERM, sum[0]);
    for (int b = 0; b < n && status == AN_OK; b++) {
        w->sum[b] = (struct an_wall_sum){.area = an_xsum_value(sum[b][AREA]),
                                         .torque = an_xsum_value(sum[b][TORQUE])};
        for (int c = 0; c < 3; c++)
            w->sum[b].force[c] = an_xsum_value(sum[b][FORCE + c]);
    }
    free(sum);
    w->measured = m->iteration;
    return status;
}

const struct an_component_type an_slip_walls_component = {.name = "slip walls",
                                                          .make = slip_walls_make,
                                                          .destroy = slip_walls_destroy,
                                                          .start = slip_walls_start,
                                                          .measure_start = slip_walls_measure_start,
                                                          .measure_finish =
                                                              slip_walls_measure_finish};

struct an_slip_walls *an_slip_walls_of(const struct an_solver *s)
{
    return an_component_of(s, &an_slip_walls_component);
}

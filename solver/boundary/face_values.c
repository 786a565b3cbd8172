#include "solver/boundary/face_values.h"

#include "kernels/base/numbers.h"
#include "kernels/base/threads.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/level/patch_nodes.h"
#include "solver/level/replicated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The stream of results (meter.h) waits for each upload: who waits for it does not wait for the steps behind the upload. */
enum { MARKER = 2 };

static int varies(const struct an_solver *s, const struct an_face_window *w)
{
    return s->boundary[w->boundary].varies;
}

void an_face_measure(const double q[4][3], double sign, struct an_face_place *p)
{
    double d[2][3];
    for (int c = 0; c < 3; c++) {
        p->x[c] = 0.25 * ((q[0][c] + q[1][c]) + (q[2][c] + q[3][c]));
        d[0][c] = q[3][c] - q[0][c];
        d[1][c] = q[2][c] - q[1][c];
    }
    for (int c = 0; c < 3; c++) {
        const int y = (c + 1) % 3, z = (c + 2) % 3;
        p->s[c] = sign * 0.5 * (d[0][y] * d[1][z] - d[0][z] * d[1][y]);
    }
}

int an_inlet_varies(const struct an_case_boundary *b)
{
    return *b->profile || b->axes == AN_AXES_CYLINDRICAL;
}

int an_face_places(struct an_solver *s, const struct an_face_window *w, struct an_face_place *place)
{
    const struct an_window win = an_window_in_zone(s, w->window);
    const int da = (win.dir + 1) % 3, db = (win.dir + 2) % 3;
    double *x;
    const int status = an_patch_nodes(s->mesh, &win, &x);
    const int64_t na = win.hi[da] - win.lo[da], nb = win.hi[db] - win.lo[db], wide = na + 1,
                  all = wide * (nb + 1);
    for (int64_t b = 0; b < nb && status == AN_OK; b++)
        for (int64_t a = 0; a < na; a++) {
            double q[4][3];
            for (int n = 0; n < 4; n++)
                for (int c = 0; c < 3; c++)
                    q[n][c] = x[c * all + (b + n / 2) * wide + a + n % 2];
            an_face_measure((const double(*)[3])q, win.side ? 1 : -1, &place[b * na + a]);
        }
    free(x);
    return status;
}

/* Windows of the own pieces of a level and the number of its faces. Of a replicated level faces are numbered as
 * all pieces have them. */
static int find_windows(const struct an_solver *s, struct an_face_values *f, int n)
{
    const struct an_level *l = &s->level[n];
    struct an_face_window *all = NULL;
    int nall, own = 0;
    AN_TRY(an_bc_windows(&l->partition.topology, s->boundary, s->nlocal, s->local,
                         &f->level[n].nwindow, &f->level[n].window));
    const int status =
        an_bc_windows(&l->partition.topology, s->boundary, l->nlocal, l->local, &nall, &all);
    for (int w = 0; status == AN_OK && w < nall; w++) {
        f->level[n].nface += an_window_faces(&all[w].window);
        const int block = own < f->level[n].nwindow ? f->level[n].window[own].window.block : -1;
        if (block >= 0 && l->local[all[w].window.block] == s->local[block])
            f->level[n].window[own++].values = all[w].values;
    }
    free(all);
    return status;
}

/* Memory for the values of all levels; those of replicated levels, which all ranks share, lie in one piece. */
static int alloc_values(struct an_solver *s, struct an_face_values *f)
{
    const int first = s->nlevel - s->nreplicated;
    for (int n = first; n < s->nlevel; n++)
        f->nshared += f->level[n].nface;
    f->shared = calloc((size_t)f->nshared + 1, sizeof *f->shared);
    AN_CHECK(f->shared, AN_FAIL, "out of memory for boundary values");
    double(*next)[AN_BC_NVALUE] = f->shared;
    for (int n = 0; n < s->nlevel; n++) {
        if (n >= first) {
            f->level[n].value = next;
            next += f->level[n].nface;
            continue;
        }
        f->level[n].value = calloc((size_t)f->level[n].nface + 1, sizeof *f->level[n].value);
        AN_CHECK(f->level[n].value, AN_FAIL, "out of memory for boundary values");
    }
    return AN_OK;
}

static int face_values_make(struct an_solver *s, void **component)
{
    const struct an_engine_ops *op = s->engine->op;
    int some = 0;
    for (int b = 0; b < s->mesh->topology.nboundary; b++)
        some |= s->boundary[b].varies;
    if (!some)
        return AN_OK;
    struct an_face_values *f = calloc(1, sizeof *f);
    AN_CHECK(f, AN_FAIL, "out of memory for boundary values");
    *component = f;
    for (int n = 0; n < s->nlevel; n++)
        AN_TRY(find_windows(s, f, n));
    AN_TRY(alloc_values(s, f));
    for (int n = 0; n < s->nlevel; n++) {
        struct an_level *l = &s->level[n];
        const size_t bytes =
            ((size_t)f->level[n].nface + 1) * AN_NCOMP_BCV * (size_t)l->layout.precision;
        AN_TRY(op->alloc_host(s->engine, bytes, &f->level[n].image));
        AN_TRY(op->alloc(s->engine, bytes, &l->fields.at[AN_F_BCV]));
    }
    f->place = calloc((size_t)f->level[0].nface + 1, sizeof *f->place);
    f->area = calloc((size_t)f->level[0].nface + 1, sizeof *f->area);
    AN_CHECK(f->place && f->area, AN_FAIL, "out of memory for boundary values");
    for (int w = 0; w < f->level[0].nwindow; w++)
        AN_TRY(an_face_places(s, &f->level[0].window[w], f->place + f->level[0].window[w].values));
    for (int64_t n = 0; n < f->level[0].nface; n++)
        f->area[n] = an_length(f->place[n].s);
    return AN_OK;
}

static void face_values_destroy(struct an_solver *s, void *component)
{
    struct an_face_values *f = component;
    for (int n = 0; n < s->nlevel; n++) {
        free(f->level[n].window);
        if (n < s->nlevel - s->nreplicated)
            free(f->level[n].value);
        if (f->level[n].image)
            s->engine->op->free_host(s->engine, f->level[n].image);
    }
    free(f->shared);
    free(f->place);
    free(f->area);
    free(f);
}

const struct an_component_type an_face_values_component = {
    .name = "face values", .make = face_values_make, .destroy = face_values_destroy};

struct an_face_values *an_face_values_of(const struct an_solver *s)
{
    return an_component_of(s, &an_face_values_component);
}

void an_face_values_set(struct an_solver *s, int boundary, an_face_value_at *at, void *context)
{
    struct an_face_values *f = an_face_values_of(s);
    for (int w = 0; f && w < f->level[0].nwindow; w++) {
        const struct an_face_window *win = &f->level[0].window[w];
        if (win->boundary != boundary)
            continue;
        const int64_t end = win->values + an_window_faces(&win->window);
        for (int64_t n = win->values; n < end; n++)
            at(context, &f->place[n], f->level[0].value[n]);
    }
}

/* The mean of the faces of a finest window that one of a coarser level is made of: a0 <= a < a1, b0
 * <= b < b1, `na` faces a row. */
static void mean_values(const struct an_face_values *f, const struct an_face_window *fine, int a0,
                        int a1, int b0, int b1, int na, int type, double v[AN_BC_NVALUE])
{
    double total = 0, sum[AN_BC_NVALUE] = {0};
    for (int b = b0; b < b1; b++)
        for (int a = a0; a < a1; a++) {
            const int64_t n = fine->values + (int64_t)b * na + a;
            const double area = f->area[n];
            total += area;
            for (int c = 0; c < AN_BC_NVALUE; c++)
                sum[c] += area * f->level[0].value[n][c];
        }
    const int64_t first = fine->values + (int64_t)b0 * na + a0;
    for (int c = 0; c < AN_BC_NVALUE; c++)
        v[c] = total > 0 ? sum[c] / total : f->level[0].value[first][c];
    double *d = v + AN_BC_DIRECTION;
    const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int c = 0; c < 3 && type == AN_BC_INLET_TOTAL && length > 0; c++)
        d[c] /= length;
}

/* Values of level n from those of the finest: this thread's rows of faces. */
static void restrict_values(struct an_solver *s, struct an_face_values *f, int n)
{
    for (int w = 0; w < f->level[n].nwindow; w++) {
        const struct an_face_window *win = &f->level[n].window[w], *fine = &f->level[0].window[w];
        const int da = (win->window.dir + 1) % 3, db = (win->window.dir + 2) % 3;
        const int na = win->window.hi[da] - win->window.lo[da],
                  nb = win->window.hi[db] - win->window.lo[db];
        const int fa = fine->window.hi[da] - fine->window.lo[da],
                  fb = fine->window.hi[db] - fine->window.lo[db];
        const int ra = fa / na, rb = fb / nb;
        if (!varies(s, win))
            continue;
#pragma omp for schedule(static) nowait
        for (int b = 0; b < nb; b++)
            for (int a = 0; a < na; a++)
                mean_values(f, fine, a * ra, (a + 1) * ra, b * rb, (b + 1) * rb, fa,
                            s->boundary[win->boundary].type,
                            f->level[n].value[win->values + (int64_t)b * na + a]);
    }
}

/* Rows of a level that the engine may read: they stand first (an_bc_windows). */
static int64_t rows_read(const struct an_solver *s, const struct an_face_values *f, int n)
{
    int64_t rows = 0;
    if (n >= s->nlevel - s->nreplicated) /* those of other ranks, too */
        return f->level[n].nface;
    for (int w = 0; w < f->level[n].nwindow; w++) {
        const struct an_face_window *win = &f->level[n].window[w];
        const int64_t end = win->values + an_window_faces(&win->window);
        rows = varies(s, win) && end > rows ? end : rows;
    }
    return rows;
}

enum { FACES = 2000 }; /* of a thread, at least */

int an_face_values_upload(struct an_solver *s)
{
    s->residual_is_current = 0; /* the residual at boundaries changes */
    struct an_face_values *f = an_face_values_of(s);
    if (!f)
        return AN_OK;
    AN_TRY(s->engine->op->sync(s->engine, MARKER)); /* the image may still be on its way */
    memset(f->shared, 0, (size_t)f->nshared * sizeof *f->shared);
    const int threads = an_threads_of(rows_read(s, f, 0) / FACES);
#pragma omp parallel num_threads(threads)
    for (int n = 1; n < s->nlevel; n++)
        restrict_values(s, f, n);
    if (f->nshared)
        AN_TRY(an_replicated_join_bytes(s, f->shared, (size_t)f->nshared * sizeof *f->shared));
#pragma omp parallel num_threads(threads)
    for (int n = 0; n < s->nlevel; n++) {
        const enum an_precision precision = s->level[n].layout.precision;
        const int64_t count = rows_read(s, f, n) * AN_NCOMP_BCV;
        const double *v = f->level[n].value[0];
#pragma omp for schedule(static) nowait
        for (int64_t m = 0; m < count; m++)
            an_real_put(precision, f->level[n].image, m, v[m]);
    }
    for (int n = 0; n < s->nlevel; n++)
        AN_TRY(s->engine->op->upload(
            s->engine, s->level[n].fields.at[AN_F_BCV], f->level[n].image,
            (size_t)(rows_read(s, f, n) * AN_NCOMP_BCV) * (size_t)s->level[n].layout.precision, 0));
    return s->engine->op->wait(s->engine, MARKER, 0);
}

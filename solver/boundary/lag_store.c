#include "solver/boundary/lag_store.h"

#include "kernels/physics/slide_flux.h"
#include "mpi/reduce.h"
#include "solver/boundary/lag_faces.h"
#include "solver/boundary/sliding.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const name[2] = {"lag.periodic", "lag.plane"};

/* Faces of this rank in one of the two arrays, and where each stands in the order of the mesh. */
struct list {
    int64_t first, count, total;
    const int64_t *place; /* [count] */
    int64_t row;          /* doubles of a face */
    void *series;         /* engine */
};

static struct list list_of(const struct an_lag_store *t, int which)
{
    const int length = an_lag_length(t->harmonics);
    return which ? (struct list){t->plane->first,
                                 t->plane->count,
                                 t->plane->nface,
                                 t->plane->place + t->plane->first,
                                 (int64_t)AN_SLIDE_SERIES * length,
                                 t->plane_series}
                 : (struct list){0,
                                 t->faces->nface,
                                 t->faces->total,
                                 t->faces->place,
                                 (int64_t)t->words * length,
                                 t->series};
}

/* The series of this rank's faces; malloc'ed, the caller's. */
static int download(const struct an_solver *s, const struct list *l, double **series)
{
    const size_t row = (size_t)l->row * sizeof **series, bytes = (size_t)l->count * row;
    *series = malloc(bytes + 1);
    AN_CHECK(*series, AN_FAIL, "out of memory for phase lag");
    if (l->count)
        AN_TRY(s->engine->op->download(s->engine, *series,
                                       (const char *)l->series + (size_t)l->first * row, bytes, 0));
    return s->engine->op->sync(s->engine, 0);
}

/* Brings values that one rank has, where all others have zeros, to rank 0. Or of bits keeps them. */
static int collect(const struct an_solver *s, int64_t n, double *value)
{
    enum { PIECE = 1 << 24 };
    for (int64_t from = 0; from < n; from += PIECE) {
        const int count = n - from < PIECE ? (int)(n - from) : PIECE;
        const int code =
            s->rank == 0
                ? MPI_Reduce(MPI_IN_PLACE, value + from, count, MPI_UINT64_T, MPI_BOR, 0, s->comm)
                : MPI_Reduce(value + from, NULL, count, MPI_UINT64_T, MPI_BOR, 0, s->comm);
        if (code != MPI_SUCCESS)
            return an_mpi_error(code, "MPI_Reduce");
    }
    return AN_OK;
}

int an_lag_store_keep(const struct an_solver *s, const struct an_lag_store *t,
                      struct an_snapshot_meta *meta)
{
    for (int which = 0; which < 2; which++) {
        const struct list l = list_of(t, which);
        double *series = NULL, *all = NULL;
        int status = an_snapshot_array_add(meta, name[which], l.total * l.row, &all);
        if (status == AN_OK)
            status = download(s, &l, &series);
        for (int64_t f = 0; status == AN_OK && f < l.count; f++)
            memcpy(all + l.place[f] * l.row, series + f * l.row, (size_t)l.row * sizeof *all);
        free(series);
        AN_TRY(an_reduce_status(s->comm, status));
        AN_TRY(collect(s, l.total * l.row, all));
    }
    return AN_OK;
}

/* Every rank with faces of the plane has the series of all of them. */
static int upload(struct an_solver *s, struct list *l, const int64_t *place, const double *all)
{
    const size_t row = (size_t)l->row * sizeof *all, bytes = (size_t)l->count * row;
    char *series = malloc(bytes + 1);
    int status = series ? AN_OK : an_error_set(AN_FAIL, "out of memory for phase lag");
    for (int64_t f = 0; status == AN_OK && f < l->count; f++)
        memcpy(series + (size_t)f * row, all + place[f] * l->row, row);
    if (status == AN_OK && l->count)
        status = s->engine->op->upload(s->engine, l->series, series, bytes, 0);
    if (status == AN_OK)
        status = s->engine->op->sync(s->engine, 0);
    free(series);
    return status;
}

int an_lag_store_take(struct an_solver *s, const struct an_lag_store *t,
                      const struct an_snapshot_meta *meta, int *found)
{
    int status = AN_OK;
    *found = 1;
    for (int which = 0; which < 2; which++) {
        const struct list l = list_of(t, which);
        *found = *found && an_snapshot_array_get(meta, name[which], l.total * l.row);
    }
    for (int which = 0; which < 2 && *found && status == AN_OK; which++) {
        struct list l = list_of(t, which);
        const double *all = an_snapshot_array_get(meta, name[which], l.total * l.row);
        if (which) {
            l.count = l.series ? l.total : 0;
            status = upload(s, &l, t->plane->place, all);
        } else {
            status = upload(s, &l, l.place, all);
        }
    }
    return an_reduce_status(s->comm, status);
}

/* ---- what the series miss ---- */

struct energy {
    struct an_xsum missed, all;
};

/* Adds the first five series of a face: density, three parts of a vector, energy or pressure. energy: of
 * the second kind of the last word over density and the square of a speed of sound. */
static void add_face(struct energy *e, const double *series, int length, int conserved)
{
    const double rho = series[0], last = series[4 * length];
    const double c2 = fabs(conserved ? last / rho : 1.4 * last / rho);
    const double scale[5] = {1 / rho, conserved ? 1 / (rho * sqrt(c2)) : 1 / sqrt(c2), 0, 0,
                             1 / (rho * c2)};
    for (int w = 0; w < 5; w++) {
        const double *square = series + (w + 1) * length - 2;
        const double factor = scale[w == 2 || w == 3 ? 1 : w];
        an_xsum_add(&e->missed, square[0] * factor * factor);
        an_xsum_add(&e->all, square[1] * factor * factor);
    }
}

int an_lag_store_missed(const struct an_solver *s, const struct an_lag_store *t, double missed[2])
{
    const int length = an_lag_length(t->harmonics);
    struct energy e[2];
    struct an_xsum sum[4];
    int status = AN_OK;
    memset(e, 0, sizeof e);
    for (int which = 0; which < 2 && status == AN_OK; which++) {
        const struct list l = list_of(t, which);
        const int nwindow = which ? t->plane->nwindow : t->faces->nwindow;
        const struct an_face_window *window = which ? t->plane->window : t->faces->window;
        double *series = NULL;
        status = download(s, &l, &series);
        for (int w = 0; w < nwindow && status == AN_OK; w++) {
            const int side =
                which ? window[w].boundary == t->plane->boundary[1] : t->faces->side[w];
            const double *face = series + (window[w].first - l.first) * l.row;
            for (int64_t f = 0; f < an_window_faces(&window[w].window); f++)
                add_face(&e[side], face + f * l.row, length, !which);
        }
        free(series);
    }
    AN_TRY(an_reduce_status(s->comm, status));
    for (int side = 0; side < 2; side++) {
        sum[2 * side] = e[side].missed;
        sum[2 * side + 1] = e[side].all;
    }
    AN_TRY(an_reduce_xsum(s->comm, 4, sum));
    for (int side = 0; side < 2; side++) {
        const double all = an_xsum_value(sum[2 * side + 1]);
        missed[side] = all > 0 ? an_xsum_value(sum[2 * side]) / all : NAN;
    }
    return AN_OK;
}

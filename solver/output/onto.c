#include "solver/output/onto.h"

#include "io/cgns_names.h"
#include "io/snapshot_file.h"
#include "kernels/base/numbers.h"
#include "mpi/reduce.h"
#include "solver/boundary/control.h"
#include "solver/flow/fields.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/output/donor.h"
#include "solver/output/packed.h"
#include "solver/output/state.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { IMAGES = 129, MOST_FIELDS = 5 + AN_NCOMP_TURB + AN_NCOMP_INTER + 8 + AN_MOST_SCALARS };
#define INSIDE 1e-9 /* of the size of the mesh: a cell that is no farther away lies in it */

/* A motion of the mesh of the snapshot: x = R y + t. */
struct image {
    double r[9], t[3];
};

/* The search of this rank. */
struct onto {
    struct an_solver *s;
    const char *path;
    const struct an_mesh *old;
    int nfield;
    const char *name[MOST_FIELDS];
    void *memory[MOST_FIELDS]; /* of the engine */
    int64_t n;                 /* cells */
    double (*x)[3];            /* [n] their centres; owned */
    double *reach; /* [n] how far away the place was that is the nearest so far; owned */
    double *value; /* [n][nfield] there; owned */
    double size;   /* m: of this mesh */
};

/* What is taken from the snapshot: the state, but not what belongs to its march or its means. */
static int choose_fields(struct onto *o)
{
    struct an_state_field state[AN_MOST_STATE];
    const int n = an_state_fields(o->s, state);
    for (int f = 0; f < n; f++) {
        if (state[f].history || !strncmp(state[f].name, "Scree", 5) ||
            !strncmp(state[f].name, "Mode", 4))
            continue;
        AN_CHECK(o->nfield < MOST_FIELDS, AN_FAIL, "too many fields for a start from a snapshot");
        o->name[o->nfield] = state[f].name;
        o->memory[o->nfield++] = state[f].memory;
    }
    return AN_OK;
}

static int list_cells(struct onto *o)
{
    const struct an_solver *s = o->s;
    const struct an_layout *l = &s->level->layout;
    for (int b = 0; b < s->nlocal; b++)
        o->n += (int64_t)l->block[b].n[0] * l->block[b].n[1] * l->block[b].n[2];
    const size_t room = (size_t)o->n + 1;
    o->x = malloc(room * sizeof *o->x);
    o->reach = malloc(room * sizeof *o->reach);
    o->value = calloc(room * (size_t)o->nfield, sizeof *o->value);
    AN_CHECK(o->x && o->reach && o->value, AN_FAIL, "out of memory for a start from a snapshot");
    int64_t at = 0;
    for (int b = 0; b < s->nlocal; b++) {
        const int *n = l->block[b].n;
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++, at++) {
                    an_nodes_centre(n, s->node[b], i, j, k, o->x[at]);
                    o->reach[at] = INFINITY;
                }
    }
    return AN_OK;
}

/* Diagonal of the box around the cells of all ranks. */
static int find_size(struct onto *o)
{
    double box[6] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    for (int64_t n = 0; n < o->n; n++)
        for (int c = 0; c < 3; c++) {
            box[c] = fmin(box[c], o->x[n][c]);
            box[3 + c] = fmin(box[3 + c], -o->x[n][c]);
        }
    AN_TRY(an_reduce_min(o->s->comm, 6, box));
    o->size = hypot(hypot(box[0] + box[3], box[1] + box[4]), box[2] + box[5]);
    return AN_OK;
}

static void multiply(const double *a, const double *b, double *to)
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            to[3 * r + c] = 0;
            for (int k = 0; k < 3; k++)
                to[3 * r + c] += a[3 * r + k] * b[3 * k + c];
        }
}

/* v = R y + t, or without t. */
static void move(const struct image *m, const double y[3], int with_t, double v[3])
{
    for (int c = 0; c < 3; c++)
        v[c] = m->r[3 * c] * y[0] + m->r[3 * c + 1] * y[1] + m->r[3 * c + 2] * y[2] +
               (with_t ? m->t[c] : 0);
}

/* y of x = R y + t. */
static void back(const struct image *m, const double x[3], double y[3])
{
    const double d[3] = {x[0] - m->t[0], x[1] - m->t[1], x[2] - m->t[2]};
    for (int c = 0; c < 3; c++)
        y[c] = m->r[c] * d[0] + m->r[3 + c] * d[1] + m->r[6 + c] * d[2];
}

/* Adds the powers of a motion, near ones first, up to half a turn or four translations each way. */
static int add_powers(int periodic, const double rotation[9], const double translation[3],
                      struct image *list)
{
    const struct image one = {.r = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    struct image forth = one, step[2] = {one, one};
    const double angle = fabs(atan2(rotation[7], rotation[4]));
    int most = 4, n = 0;
    memcpy(step[0].r, rotation, sizeof step[0].r);
    memcpy(step[0].t, translation, sizeof step[0].t);
    for (int r = 0; r < 3; r++) /* the motion back */
        for (int c = 0; c < 3; c++)
            step[1].r[3 * r + c] = rotation[3 * c + r];
    move(&step[1], translation, 0, step[1].t);
    for (int c = 0; c < 3; c++)
        step[1].t[c] = -step[1].t[c];
    if (periodic == 2 && angle > 1e-6)
        most = (int)fmin(ceil(acos(-1.) / angle), (IMAGES - 1) / 2.);
    struct image at[2] = {forth, forth};
    for (int p = 1; p <= most; p++)
        for (int way = 0; way < 2; way++) {
            struct image next;
            multiply(step[way].r, at[way].r, next.r);
            move(&step[way], at[way].t, 1, next.t);
            at[way] = next;
            list[n++] = next;
        }
    return n;
}

/* The images under which a row of the snapshot is seen; the first is the mesh itself. */
static int images_of(const struct an_mesh *old, const int *row, int which, struct image *list)
{
    const struct an_topology *t = &old->topology;
    list[0] = (struct image){.r = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int f = 0; f < t->ninterface; f++) {
        const struct an_interface *q = &t->interface[f];
        if (q->periodic && row[q->window.block] == which)
            return 1 + add_powers(q->periodic, q->rotation, q->translation, list + 1);
    }
    for (int p = 0; p < t->npatch; p++) {
        const struct an_boundary *b = &t->boundary[t->patch[p].boundary];
        if (b->periodic && row[t->patch[p].window.block] == which)
            return 1 + add_powers(b->periodic, b->rotation, b->translation, list + 1);
    }
    return 1;
}

/* Values of a place of a zone, its vectors moved with the image. */
static void take(const struct onto *o, const struct an_donor_zone *z, const double *field,
                 const struct image *image, const double xi[3], double *value)
{
    const int64_t all = (int64_t)z->n[0] * z->n[1] * z->n[2];
    int64_t cell[8];
    double weight[8], turned[3];
    an_donor_weights(z, xi, cell, weight);
    for (int f = 0; f < o->nfield; f++) {
        value[f] = 0;
        for (int c = 0; c < 8; c++)
            value[f] += weight[c] > 0 ? weight[c] * field[f * all + cell[c]] : 0;
    }
    move(image, value + 1, 0, turned); /* momentum stands behind the density */
    memcpy(value + 1, turned, sizeof turned);
}

static void search_zone(struct onto *o, const struct an_donor_zone *z, const double *field,
                        int nimage, const struct image *image)
{
    const double enough = INSIDE * o->size;
#pragma omp parallel for schedule(dynamic, 256)
    for (int64_t n = 0; n < o->n; n++)
        for (int m = 0; m < nimage && o->reach[n] > enough; m++) {
            double y[3], xi[3];
            back(&image[m], o->x[n], y);
            if (an_donor_least(z, y) >= o->reach[n])
                continue;
            const double reach = an_donor_find(z, y, xi);
            if (reach < o->reach[n]) {
                o->reach[n] = reach;
                take(o, z, field, &image[m], xi, o->value + n * o->nfield);
            }
        }
}

/* Reads a zone of the snapshot and takes from it what lies in it. */
static int take_zone(struct onto *o, int zone, int nimage, const struct image *image)
{
    const int *n = o->old->topology.block[zone].n, lo[3] = {0, 0, 0};
    const int hi[3] = {n[0] + 1, n[1] + 1, n[2] + 1};
    const int64_t cells = (int64_t)n[0] * n[1] * n[2];
    double *node = malloc((size_t)hi[0] * (size_t)hi[1] * (size_t)hi[2] * 3 * sizeof *node);
    double *field = malloc((size_t)cells * (size_t)o->nfield * sizeof *field);
    const void *to[MOST_FIELDS];
    struct an_snapshot_piece piece = {.zone = zone, .field = to};
    struct an_donor_zone z = {.n = {0}};
    memcpy(piece.hi, n, sizeof piece.hi);
    for (int f = 0; f < o->nfield && field; f++)
        to[f] = field + f * cells;
    int status =
        node && field ? AN_OK : an_error_set(AN_FAIL, "out of memory for a zone of a snapshot");
    if (status == AN_OK)
        status = an_mesh_read_nodes(o->old, zone, lo, hi, node);
    if (status == AN_OK)
        status = an_donor_zone_new(n, node, &z);
    free(node);
    if (status == AN_OK)
        status = an_snapshot_read(MPI_COMM_SELF, o->path, o->old, AN_DOUBLE, o->nfield, o->name, 1,
                                  &piece);
    if (status == AN_OK)
        search_zone(o, &z, field, nimage, image);
    an_donor_zone_free(&z);
    free(field);
    return status;
}

static int take_all(struct onto *o)
{
    const int nzone = o->old->topology.nblock;
    int *row = malloc(((size_t)nzone + 1) * sizeof *row);
    struct image *image = malloc(IMAGES * sizeof *image);
    int status =
        row && image ? AN_OK : an_error_set(AN_FAIL, "out of memory for a start from a snapshot");
    if (status == AN_OK)
        an_mesh_rows(&o->old->topology, row);
    for (int near = 1; near >= 0 && status == AN_OK; near--) /* the mesh itself, then its images */
        for (int z = 0; z < nzone && status == AN_OK; z++) {
            const int nimage = images_of(o->old, row, row[z], image);
            if (near || nimage > 1)
                status = near ? take_zone(o, z, 1, image) : take_zone(o, z, nimage - 1, image + 1);
        }
    free(image);
    free(row);
    return status;
}

static int report(struct onto *o, struct an_onto_report *r)
{
    *r = (struct an_onto_report){.zones = o->old->topology.nblock, .size = o->size};
    double sum[2] = {(double)o->n, 0}, most = 0;
    int64_t which = -1;
    for (int64_t n = 0; n < o->n; n++) {
        sum[1] += o->reach[n] > INSIDE * o->size;
        if (o->reach[n] > most) {
            most = o->reach[n];
            which = n;
        }
    }
    AN_MPI(MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, o->s->comm));
    r->cells = sum[0];
    r->outside = sum[1];
    r->farthest = most;
    AN_TRY(an_reduce_max(o->s->comm, 1, &r->farthest));
    double at[3] = {-INFINITY, -INFINITY, -INFINITY};
    if (which >= 0 && most == r->farthest) {
        const double *x = o->x[which];
        at[0] = x[0];
        at[1] = hypot(x[1], x[2]);
        at[2] = atan2(x[2], x[1]);
    }
    AN_TRY(an_reduce_max(o->s->comm, 3, at));
    memcpy(r->at, at, sizeof at);
    AN_CHECK(r->outside < r->cells, AN_INPUT,
             "%s: no cell of this mesh lies in the mesh of the snapshot; the nearest are %.3g m "
             "apart at most: is it the same row, at the same place, in the same unit?",
             o->path, r->farthest);
    return AN_OK;
}

/* Values into the image of field f. */
static void put(const struct onto *o, int f, char *all)
{
    const struct an_layout *l = &o->s->level->layout;
    int64_t at = 0;
    for (int b = 0; b < o->s->nlocal; b++) {
        const int *n = l->block[b].n;
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++, at++)
                    an_real_put(l->precision, all, an_element(&l->block[b], i, j, k),
                                o->value[at * o->nfield + f]);
    }
}

static int upload(struct onto *o)
{
    const struct an_layout *l = &o->s->level->layout;
    const size_t bytes = (size_t)l->ncell * (size_t)l->precision;
    char *all = calloc((size_t)o->nfield, bytes);
    AN_CHECK(all, AN_FAIL, "out of memory for a start from a snapshot");
    for (int f = 0; f < o->nfield; f++)
        put(o, f, all + (size_t)f * bytes);
    int status = an_state_adopt(o->s, all);
    for (int f = 5; f < o->nfield && status == AN_OK; f++)
        status =
            o->s->engine->op->upload(o->s->engine, o->memory[f], all + (size_t)f * bytes, bytes, 0);
    if (status == AN_OK)
        status = o->s->engine->op->sync(o->s->engine, 0);
    free(all);
    return status;
}

static int search(struct onto *o)
{
    AN_TRY(choose_fields(o));
    AN_TRY(list_cells(o));
    return take_all(o);
}

static int begin(struct onto *o, const struct an_snapshot_meta *meta, struct an_onto_report *r)
{
    struct an_solver *s = o->s;
    AN_TRY(an_reduce_status(s->comm, search(o)));
    AN_TRY(find_size(o));
    AN_TRY(report(o, r));
    AN_TRY(an_reduce_status(s->comm, upload(o)));
    s->iteration = 0;
    s->time = 0;
    s->has_residual_first = 0;
    AN_TRY(an_components_start(s, 1));
    AN_TRY(an_control_begin(s, meta));
    AN_TRY(an_solver_refresh(s));
    return an_components_catch_up(s);
}

int an_solver_start_from(struct an_solver *s, const char *path, const struct an_mesh *old,
                         struct an_onto_report *r)
{
    struct onto o = {.s = s, .path = path, .old = old};
    struct an_snapshot_meta meta;
    AN_TRY(an_snapshot_read_meta(s->comm, path, old, &meta));
    const int status = begin(&o, &meta, r);
    an_snapshot_controls_free(&meta);
    free(o.x);
    free(o.reach);
    free(o.value);
    return status;
}

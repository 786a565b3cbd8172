#include "solver/monitor/probes.h"

#include "io/probe_file.h"
#include "kernels/base/numbers.h"
#include "kernels/physics/gas_state.h"
#include "mpi/reduce.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct probes {
    int n;
    double (*point)[3], (*centre)[3]; /* [n] owned */
    const char **name;                /* [n] owned; the case's texts */
    int64_t *element;                 /* [n] of the fields; -1: another rank's; owned */
    int rows, room;
    int64_t *iteration; /* [room] owned */
    double *time;       /* [room] owned */
    double *value;      /* [room][n][AN_PROBE_VALUES] owned */
    int64_t after;      /* iteration up to which the file is complete */
};

/* ---- which cells ---- */

struct nearest {
    double beside; /* m: least distance of the point from the balls around the cells */
    double distance, centre[3];
    int64_t zone, place; /* zone and number of the cell in it, for cells at one distance */
    int64_t element;
};

/* Radius of the ball around a cell's centre that holds its nodes, and so the cell. */
static double radius_of(const int n[3], const double *node, int i, int j, int k,
                        const double centre[3])
{
    const int64_t row = n[0] + 1, layer = row * (n[1] + 1), all = layer * (n[2] + 1);
    double most = 0;
    for (int c = 0; c < 8; c++) {
        const double *x = node + (i + (c & 1)) + (j + (c >> 1 & 1)) * row + (k + (c >> 2)) * layer;
        most =
            fmax(most, hypot(hypot(x[0] - centre[0], x[all] - centre[1]), x[2 * all] - centre[2]));
    }
    return most;
}

/* The nearest cell of this rank to a point. */
static void find(const struct an_solver *s, const double point[3], struct nearest *best)
{
    *best = (struct nearest){.beside = HUGE_VAL, .distance = HUGE_VAL, .element = -1};
    for (int b = 0; b < s->nlocal; b++) {
        const struct an_piece *piece = &s->level->partition.piece[s->local[b]];
        const struct an_block *block = &s->level->layout.block[b];
        for (int k = 0; k < block->n[2]; k++)
            for (int j = 0; j < block->n[1]; j++)
                for (int i = 0; i < block->n[0]; i++) {
                    double x[3];
                    an_nodes_centre(block->n, s->node[b], i, j, k, x);
                    const double d =
                        hypot(hypot(x[0] - point[0], x[1] - point[1]), x[2] - point[2]);
                    if (best->beside > 0)
                        best->beside =
                            fmin(best->beside, d - radius_of(block->n, s->node[b], i, j, k, x));
                    const int *size = s->mesh->topology.block[piece->zone].n;
                    const int64_t at = i + piece->lo[0] +
                                       (int64_t)size[0] * (j + piece->lo[1] +
                                                           (int64_t)size[1] * (k + piece->lo[2]));
                    const int first =
                        piece->zone < best->zone || (piece->zone == best->zone && at < best->place);
                    if (d < best->distance || (d == best->distance && first))
                        *best = (struct nearest){best->beside, d,  {x[0], x[1], x[2]},
                                                 piece->zone,  at, an_element(block, i, j, k)};
                }
    }
}

/* Agrees on the owner of a probe. */
static int place(struct an_solver *s, struct probes *p, int n)
{
    struct nearest mine;
    find(s, p->point[n], &mine);
    const double key[3] = {mine.distance, (double)mine.zone, (double)mine.place};
    int owned = mine.element >= 0;
    for (int c = 0; c < 3; c++) { /* nearest, first zone, first cell */
        double least = owned ? key[c] : HUGE_VAL;
        AN_TRY(an_reduce_min(s->comm, 1, &least));
        owned = owned && key[c] == least;
    }
    p->element[n] = owned ? mine.element : -1;
    double centre[3];
    for (int d = 0; d < 3; d++)
        centre[d] = owned ? mine.centre[d] : HUGE_VAL;
    AN_TRY(an_reduce_min(s->comm, 3, centre));
    memcpy(p->centre[n], centre, sizeof centre);
    double beside = mine.beside;
    AN_TRY(an_reduce_min(s->comm, 1, &beside));
    const double *x = p->point[n];
    AN_CHECK(
        !(beside > 0), AN_INPUT,
        "'probes.%s.point' [%.6g, %.6g, %.6g] m lies beside the mesh: its nearest cell "
        "has its centre %.4g m away, at (%.6g, %.6g, %.6g) m; points are in metres, within the "
        "passages that are meshed",
        p->name[n], x[0], x[1], x[2],
        hypot(hypot(x[0] - centre[0], x[1] - centre[1]), x[2] - centre[2]), centre[0], centre[1],
        centre[2]);
    return AN_OK;
}

/* ---- samples ---- */

/* Values of an own probe: conserved state to density, velocity, pressure, temperature. */
static int sample(struct an_solver *s, int64_t element, double value[AN_PROBE_VALUES])
{
    const struct an_layout *l = &s->level->layout;
    double word[5], w[5];
    for (int c = 0; c < 5; c++) {
        const char *from = (const char *)s->level->fields.at[AN_F_W] +
                           (size_t)(c * l->ncell + element) * (size_t)l->precision;
        AN_TRY(s->engine->op->download(s->engine, &word[c], from, (size_t)l->precision, 0));
    }
    AN_TRY(s->engine->op->sync(s->engine, 0));
    for (int c = 0; c < 5; c++)
        w[c] = an_real_get(l->precision, &word[c], 0);
    value[0] = w[0];
    for (int d = 0; d < 3; d++)
        value[1 + d] = w[1 + d] / w[0];
    value[4] = an_gas_pressure(&s->c->gas.model, w[0],
                               w[4] - 0.5 * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]) / w[0]);
    value[5] = an_state_temperature(&s->c->gas.model, w[0], value[4]);
    return AN_OK;
}

static int grow(struct probes *p)
{
    if (p->rows < p->room)
        return AN_OK;
    const int room = p->room ? 2 * p->room : 256;
    int64_t *iteration = realloc(p->iteration, (size_t)room * sizeof *iteration);
    p->iteration = iteration ? iteration : p->iteration;
    double *time = realloc(p->time, (size_t)room * sizeof *time);
    p->time = time ? time : p->time;
    double *value =
        realloc(p->value, (size_t)room * (size_t)p->n * AN_PROBE_VALUES * sizeof *value);
    p->value = value ? value : p->value;
    AN_CHECK(iteration && time && value, AN_FAIL, "out of memory for probes");
    p->room = room;
    return AN_OK;
}

static int probes_after_step(struct an_solver *s, void *component)
{
    struct probes *p = component;
    AN_TRY(an_reduce_status(s->comm, grow(p)));
    double *row = p->value + (size_t)p->rows * (size_t)p->n * AN_PROBE_VALUES;
    int status = AN_OK;
    for (int n = 0; n < p->n; n++)
        for (int c = 0; c < AN_PROBE_VALUES; c++)
            row[n * AN_PROBE_VALUES + c] = HUGE_VAL;
    for (int n = 0; n < p->n && status == AN_OK; n++)
        if (p->element[n] >= 0)
            status = sample(s, p->element[n], row + n * AN_PROBE_VALUES);
    AN_TRY(an_reduce_status(s->comm, status));
    AN_TRY(an_reduce_min(s->comm, p->n * AN_PROBE_VALUES, row));
    p->iteration[p->rows] = s->iteration;
    p->time[p->rows] = s->time;
    p->rows++;
    return AN_OK;
}

static int write_rows(struct an_solver *s, void *component, const struct an_snapshot_meta *meta)
{
    struct probes *p = component;
    char path[AN_PATH + 16];
    const struct an_probe_rows r = {.probes = p->n,
                                    .rows = p->rows,
                                    .name = p->name,
                                    .point = (const double(*)[3])p->point,
                                    .centre = (const double(*)[3])p->centre,
                                    .iteration = p->iteration,
                                    .time = p->time,
                                    .value = p->value};
    snprintf(path, sizeof path, "%s/probes.h5", s->c->output.folder);
    const int status = s->rank == 0 ? an_probe_file_append(path, &r, p->after) : AN_OK;
    p->rows = 0;
    p->after = meta->iteration;
    return an_reduce_status(s->comm, status);
}

/* ---- the part ---- */

static int probes_make(struct an_solver *s, void **component)
{
    if (!s->c->nprobe)
        return AN_OK;
    struct probes *p = calloc(1, sizeof *p);
    *component = p;
    AN_CHECK(p, AN_FAIL, "out of memory for probes");
    const size_t n = (size_t)s->c->nprobe;
    p->n = s->c->nprobe;
    p->point = calloc(n, sizeof *p->point);
    p->centre = calloc(n, sizeof *p->centre);
    p->name = calloc(n, sizeof *p->name);
    p->element = calloc(n, sizeof *p->element);
    AN_TRY(an_reduce_status(s->comm, p->point && p->centre && p->name && p->element
                                         ? AN_OK
                                         : an_error_set(AN_FAIL, "out of memory for probes")));
    for (int q = 0; q < p->n; q++) {
        memcpy(p->point[q], s->c->probe[q].point, sizeof *p->point);
        p->name[q] = s->c->probe[q].name;
        AN_TRY(place(s, p, q));
    }
    return AN_OK;
}

static void probes_destroy(struct an_solver *s, void *component)
{
    (void)s;
    struct probes *p = component;
    free(p->point);
    free(p->centre);
    free((void *)p->name);
    free(p->element);
    free(p->iteration);
    free(p->time);
    free(p->value);
    free(p);
}

static int probes_start(struct an_solver *s, void *component, int fresh)
{
    struct probes *p = component;
    p->rows = 0;
    p->after = fresh ? 0 : s->iteration;
    return AN_OK;
}

static void probes_print(const struct an_solver *s, const void *component, FILE *out)
{
    (void)s;
    const struct probes *p = component;
    for (int n = 0; n < p->n; n++)
        fprintf(out,
                "probe       %s: nearest cell at (%.6g, %.6g, %.6g) m, every step to probes.h5\n",
                p->name[n], p->centre[n][0], p->centre[n][1], p->centre[n][2]);
}

const struct an_component_type an_probes_component = {.name = "probes",
                                                      .make = probes_make,
                                                      .destroy = probes_destroy,
                                                      .start = probes_start,
                                                      .after_step = probes_after_step,
                                                      .write = write_rows,
                                                      .print = probes_print};

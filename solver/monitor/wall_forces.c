#define _GNU_SOURCE
#include "solver/monitor/wall_forces.h"

#include "io/csv_file.h"
#include "mpi/reduce.h"
#include "solver/level/level.h"
#include "solver/level/rows.h"
#include "solver/monitor/walls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A wall, or a copy of it. */
struct wall {
    int boundary;
    char name[AN_NAME + 16];
    double omega; /* rad/s */
};

struct forces {
    int n;
    struct wall *wall;       /* [n]; owned */
    int *group;              /* [windows of the walls on this rank]; owned */
    struct an_wall_sum *sum; /* [n]; owned */
    double time;             /* s: of the state that is being measured */
    int64_t last;            /* iteration of the last line */
    FILE *csv;               /* rank 0 */
};

/* "_p3" of the zone `blade_p3`; "": it is no copy. */
static const char *copy_of(const char *zone)
{
    const char *p = strrchr(zone, '_');
    return p && p[1] == 'p' && p[2] && p[2 + strspn(p + 2, "0123456789")] == '\0' ? p : "";
}

static double omega_of(const struct an_solver *s, int boundary)
{
    const struct an_case_boundary *b =
        an_case_boundary_find(s->c, s->mesh->topology.boundary[boundary].name);
    return b && b->wall.has_omega ? b->wall.omega : an_boundary_omega(s, boundary);
}

/* The wall of a boundary in a zone, which is added where it is new. */
static int wall_of(const struct an_solver *s, struct forces *f, int boundary, int zone)
{
    const struct an_topology *t = &s->mesh->topology;
    char name[sizeof f->wall->name];
    int n = 0;
    snprintf(name, sizeof name, "%s%.12s", t->boundary[boundary].name,
             copy_of(t->block[zone].name));
    while (n < f->n && (f->wall[n].boundary != boundary || strcmp(f->wall[n].name, name) != 0))
        n++;
    if (n == f->n) {
        f->wall[f->n].boundary = boundary;
        f->wall[f->n].omega = omega_of(s, boundary);
        memcpy(f->wall[f->n++].name, name, sizeof name);
    }
    return n;
}

static int list_walls(struct an_solver *s, struct forces *f)
{
    const struct an_walls *w = an_walls_of(s);
    f->wall = calloc((size_t)w->npatch + 1, sizeof *f->wall);
    f->sum = calloc((size_t)w->npatch + 1, sizeof *f->sum);
    f->group = malloc(((size_t)w->nwindow + 1) * sizeof *f->group);
    AN_CHECK(f->wall && f->sum && f->group, AN_FAIL, "out of memory for the forces on walls");
    for (int p = 0; p < w->npatch; p++) /* of the mesh: the same order on all ranks */
        wall_of(s, f, w->patch[p].boundary, w->patch[p].zone);
    for (int m = 0; m < w->nwindow; m++) {
        const int block = s->local[w->window[m].window.block];
        f->group[m] = wall_of(s, f, w->window[m].boundary, s->level->partition.piece[block].zone);
    }
    return AN_OK;
}

static int wall_forces_make(struct an_solver *s, void **component)
{
    if (!s->c->output.wall_forces)
        return AN_OK;
    AN_CHECK(an_walls_of(s), AN_INPUT,
             "%s: 'output.wall_forces' needs viscous walls, and the case has none", s->c->file);
    struct forces *f = calloc(1, sizeof *f);
    *component = f;
    int status =
        f ? list_walls(s, f) : an_error_set(AN_FAIL, "out of memory for the forces on walls");
    return an_reduce_status(s->comm, status);
}

static void wall_forces_destroy(struct an_solver *s, void *component)
{
    (void)s;
    struct forces *f = component;
    if (f->csv)
        fclose(f->csv);
    free(f->wall);
    free(f->group);
    free(f->sum);
    free(f);
}

static int wall_forces_start(struct an_solver *s, void *component, int fresh)
{
    struct forces *f = component;
    if (f->csv)
        fclose(f->csv);
    f->csv = NULL;
    f->last = fresh ? -1 : s->iteration;
    return AN_OK;
}

static int open_table(const struct an_solver *s, struct forces *f)
{
    static const char *const column[] = {"force_x_N",    "force_y_N",    "force_z_N",
                                         "friction_x_N", "friction_y_N", "friction_z_N",
                                         "torque_Nm",    "power_W",      "heat_W"};
    char path[AN_PATH + 16], *header = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&header, &size);
    AN_CHECK(out, AN_FAIL, "out of memory for the forces on walls");
    fputs("iteration,time_s", out);
    for (int n = 0; n < f->n; n++)
        for (size_t c = 0; c < sizeof column / sizeof *column; c++)
            fprintf(out, ",%s_%s", f->wall[n].name, column[c]);
    fputs("\n", out);
    fclose(out);
    snprintf(path, sizeof path, "%s/forces.csv", s->c->output.folder);
    const int status = an_csv_open(path, header, f->last, &f->csv);
    free(header);
    return status;
}

static int write_line(const struct an_solver *s, struct forces *f, int64_t iteration)
{
    if (!f->csv)
        AN_TRY(open_table(s, f));
    fprintf(f->csv, "%" PRId64 ",%.17g", iteration, f->time);
    for (int n = 0; n < f->n; n++) {
        const struct an_wall_sum *r = &f->sum[n];
        fprintf(f->csv, ",%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g", r->force[0],
                r->force[1], r->force[2], r->friction[0], r->friction[1], r->friction[2], r->torque,
                r->torque * f->wall[n].omega, r->heat);
    }
    fputs("\n", f->csv);
    AN_CHECK(fflush(f->csv) == 0, AN_FAIL, "forces.csv cannot be written: is the disk full?");
    return AN_OK;
}

static int wall_forces_measure_start(struct an_solver *s, void *component)
{
    ((struct forces *)component)->time = s->time;
    return AN_OK;
}

/* Snapshots are measured too. The iteration from which a run goes on has its line already. */
static int wall_forces_measure_finish(struct an_solver *s, void *component,
                                      const struct an_measured *measured)
{
    struct forces *f = component;
    if (measured->iteration <= f->last || measured->iteration % s->c->output.history_every)
        return AN_OK;
    AN_TRY(an_walls_sum(s, f->n, f->group, f->sum));
    const int status = s->rank == 0 ? write_line(s, f, measured->iteration) : AN_OK;
    f->last = measured->iteration;
    return an_reduce_status(s->comm, status);
}

const struct an_component_type an_wall_forces_component = {
    .name = "forces on walls",
    .after = AN_AFTER("walls"),
    .make = wall_forces_make,
    .destroy = wall_forces_destroy,
    .start = wall_forces_start,
    .measure_start = wall_forces_measure_start,
    .measure_finish = wall_forces_measure_finish};

#include "solver/adjoint/files.h"

#include "io/node_file.h"
#include "kernels/engine/model.h"
#include "mpi/reduce.h"
#include "solver/output/packed.h"
#include "solver/output/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char array_of_targets[] = "adjoint_targets";

static struct an_snapshot_meta meta_of(const struct an_solver *s)
{
    struct an_snapshot_meta m = {.iteration = s->iteration,
                                 .precision = AN_DOUBLE,
                                 .mesh_hash = s->mesh->hash,
                                 .case_hash = s->c->hash,
                                 .embed_grid = s->c->output.embed_grid,
                                 .omega = s->omega};
    snprintf(m.title, sizeof m.title, "%s", s->c->title);
    snprintf(m.version, sizeof m.version, "annulus %s", an_version());
    return m;
}

/* That of an unknown. */
static const char *name_of(const struct an_solver *s, int v)
{
    static const char *const flow[] = {"Density", "MomentumX", "MomentumY", "MomentumZ",
                                       "EnergyStagnationDensity"};
    return v < 5 ? flow[v] : an_model_of(s->c->turbulence.model)->variable[v - 5];
}

struct names {
    char text[AN_MOST_UNKNOWNS][64];
    const char *name[AN_MOST_UNKNOWNS];
};

/* Those of the components of lambda. */
static void name_lambda(const struct an_adjoint *a, struct names *n)
{
    for (int v = 0; v < a->nv; v++) {
        snprintf(n->text[v], sizeof n->text[v], "Adjoint%s", v == 4 ? "Energy" : name_of(a->s, v));
        n->name[v] = n->text[v];
    }
}

/* State and lambda of the figure, variable by variable. */
static void fill(const struct an_adjoint *a, int figure, struct an_packed *p)
{
    const int nv = a->nv;
    const double *lambda = a->lambda + figure * a->residual.rows * nv;
    for (int b = 0; b < a->s->nlocal; b++)
        for (int v = 0; v < nv; v++) {
            double *q = p->field[b * 2 * nv + v], *l = p->field[(b * 2 + 1) * nv + v];
            const int64_t first = a->cells.first[b], count = a->cells.first[b + 1] - first;
            for (int64_t m = 0; m < count; m++) {
                q[m] = a->q[(first + m) * nv + v];
                l[m] = lambda[(first + m) * nv + v] / a->residual.unit_r[v];
            }
        }
}

/* What the record says of lambda beside the fields. */
static int add_record(const struct an_adjoint *a, int figure, struct an_snapshot_meta *meta)
{
    const int64_t n = a->residual.targets.n * a->nv;
    const double *lambda = a->lambda + (figure * a->residual.rows + a->cells.n) * a->nv;
    double *value;
    if (n) {
        AN_TRY(an_snapshot_array_add(meta, array_of_targets, n, &value));
        for (int64_t m = 0; m < n; m++)
            value[m] = lambda[m] / a->residual.unit_r[m % a->nv];
    }
    if (a->figure[figure].solved)
        return AN_OK;
    return an_snapshot_note(meta, "warning",
                            "GMRES has not converged: the fields Adjoint... are those of its last "
                            "iteration");
}

int an_adjoint_write(const struct an_adjoint *a, int figure, char *path)
{
    const struct an_solver *s = a->s;
    struct an_snapshot_meta meta = meta_of(s);
    struct an_packed p = {0};
    struct names adjoint;
    const char *name[2 * AN_MOST_UNKNOWNS];
    char stem[128];
    name_lambda(a, &adjoint);
    for (int v = 0; v < a->nv; v++) {
        name[v] = name_of(s, v);
        name[a->nv + v] = adjoint.name[v];
    }
    snprintf(stem, sizeof stem, "adjoint_%s", a->figure[figure].name);
    int status = an_packed_new(s, 2 * a->nv, &p);
    if (status == AN_OK)
        status = add_record(a, figure, &meta);
    if (status == AN_OK) {
        fill(a, figure, &p);
        status = an_snapshot_write(s->comm, s->c->output.folder, stem, s->mesh, &meta, 2 * a->nv,
                                   name, s->nlocal, p.piece, path);
    }
    an_snapshot_controls_free(&meta);
    an_packed_free(&p);
    return status;
}

/* The file of the figure: that of this iteration, else the newest; "": none. On all ranks alike. */
static int find_file(const struct an_solver *s, const char *figure, char *path)
{
    char stem[128];
    int rank;
    path[0] = '\0';
    AN_MPI(MPI_Comm_rank(s->comm, &rank));
    snprintf(stem, sizeof stem, "adjoint_%s", figure);
    if (rank == 0 &&
        (an_snapshot_path(s->c->output.folder, stem, s->iteration, path) != AN_OK ||
         access(path, R_OK) != 0) &&
        an_snapshot_latest(s->c->output.folder, stem, path) != AN_OK)
        path[0] = '\0';
    AN_MPI(MPI_Bcast(path, 1024, MPI_CHAR, 0, s->comm));
    return AN_OK;
}

/* The fields of lambda, and what the record says of targets; without it their part stays zero. */
static void take(struct an_adjoint *a, int figure, const struct an_packed *p,
                 const struct an_snapshot_meta *meta)
{
    const int nv = a->nv;
    const int64_t n = a->residual.targets.n * nv;
    double *lambda = a->lambda + figure * a->residual.rows * nv;
    for (int b = 0; b < a->s->nlocal; b++)
        for (int v = 0; v < nv; v++) {
            const double *l = p->field[b * nv + v];
            const int64_t first = a->cells.first[b], count = a->cells.first[b + 1] - first;
            for (int64_t m = 0; m < count; m++)
                lambda[(first + m) * nv + v] = l[m] * a->residual.unit_r[v];
        }
    const double *target = an_snapshot_array_get(meta, array_of_targets, n);
    for (int64_t m = 0; m < n && target; m++)
        lambda[a->cells.n * nv + m] = target[m] * a->residual.unit_r[m % nv];
}

int an_adjoint_read(struct an_adjoint *a, int figure, char *path)
{
    const struct an_solver *s = a->s;
    struct an_snapshot_meta meta = {0};
    struct an_packed p = {0};
    struct names adjoint;
    AN_TRY(find_file(s, a->figure[figure].name, path));
    if (!path[0])
        return AN_OK;
    AN_TRY(an_snapshot_read_meta(s->comm, path, s->mesh, &meta));
    name_lambda(a, &adjoint);
    int status = an_packed_new(s, a->nv, &p);
    if (status == AN_OK)
        status = an_snapshot_read(s->comm, path, s->mesh, AN_DOUBLE, a->nv, adjoint.name, s->nlocal,
                                  p.piece);
    if (status == AN_OK)
        take(a, figure, &p, &meta);
    an_packed_free(&p);
    an_snapshot_controls_free(&meta);
    return status;
}

int an_adjoint_write_nodes(const struct an_adjoint *a, double *const *gradient, int figure,
                           char *path)
{
    static const char *const field[] = {"GradientX", "GradientY", "GradientZ"};
    const struct an_solver *s = a->s;
    struct an_node_zone *zone = calloc((size_t)s->mesh->topology.nblock + 1, sizeof *zone);
    AN_CHECK(zone, AN_FAIL, "out of memory for the file of gradients");
    for (int b = 0; b < s->nlocal; b++) /* one rank has all zones, uncut */
        zone[s->level->partition.piece[s->local[b]].zone] =
            (struct an_node_zone){s->node[b], gradient[figure * s->nlocal + b]};
    snprintf(path, 1024, "%.800s/nodes_%s.cgns", s->c->output.folder, a->figure[figure].name);
    const int status = an_node_file_write(path, s->mesh, 3, field, zone);
    free(zone);
    return status;
}

#include "solver/adjoint/files.h"

#include "io/node_file.h"
#include "kernels/engine/model.h"
#include "solver/output/packed.h"
#include "solver/output/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int an_adjoint_write(const struct an_adjoint *a, int figure, char *path)
{
    const struct an_solver *s = a->s;
    const struct an_snapshot_meta meta = meta_of(s);
    struct an_packed p = {0};
    const char *name[2 * AN_MOST_UNKNOWNS];
    char stem[128], adjoint[AN_MOST_UNKNOWNS][64];
    for (int v = 0; v < a->nv; v++) {
        name[v] = name_of(s, v);
        name[a->nv + v] = adjoint[v];
        snprintf(adjoint[v], sizeof adjoint[v], "Adjoint%s", v == 4 ? "Energy" : name[v]);
    }
    snprintf(stem, sizeof stem, "adjoint_%s", a->figure[figure].name);
    int status = an_packed_new(s, 2 * a->nv, &p);
    if (status == AN_OK) {
        fill(a, figure, &p);
        status = an_snapshot_write(s->comm, s->c->output.folder, stem, s->mesh, &meta, 2 * a->nv,
                                   name, s->nlocal, p.piece, path);
    }
    an_packed_free(&p);
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

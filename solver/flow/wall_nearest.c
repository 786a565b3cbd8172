#include "solver/flow/wall_nearest.h"

#include "mpi/reduce.h"
#include "solver/flow/wall_distance.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"

#include <stdlib.h>

struct nearest {
    int n;
    int32_t **face; /* [n] blocks; owned */
};

static void search(const struct an_block *block, const double *x, const double *tree,
                   const int32_t *face, int32_t *found)
{
    const int *n = block->n;
#pragma omp parallel for schedule(dynamic) collapse(2)
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                double centre[3];
                int64_t facet;
                an_nodes_centre(n, x, i, j, k, centre);
                an_wall_tree_nearest(tree, centre[0], centre[1], centre[2], &facet);
                found[i + (int64_t)n[0] * (j + (int64_t)n[1] * k)] = facet < 0 ? -1 : face[facet];
            }
}

static int wall_nearest_make(struct an_solver *s, void **component)
{
    if (!s->params.fluid.viscosity ||
        !(s->params.turb.rough || an_case_has_output(s->c, AN_OUT_YPlus)))
        return AN_OK;
    struct nearest *w = calloc(1, sizeof *w);
    *component = w;
    double *tree = NULL;
    int32_t *face = NULL;
    int64_t length;
    int nfacet, status = w ? AN_OK : an_error_set(AN_FAIL, "out of memory for walls");
    AN_TRY(an_reduce_status(s->comm, status));
    AN_TRY(an_wall_gather(s, &nfacet, &length, &tree, &face));
    w->n = s->nlocal;
    w->face = calloc((size_t)s->nlocal + 1, sizeof *w->face);
    if (!w->face)
        status = an_error_set(AN_FAIL, "out of memory for walls");
    for (int b = 0; b < s->nlocal && status == AN_OK; b++) {
        const struct an_block *block = &s->level->layout.block[b];
        const size_t cells = (size_t)block->n[0] * (size_t)block->n[1] * (size_t)block->n[2];
        w->face[b] = malloc(cells * sizeof **w->face);
        if (w->face[b])
            search(block, s->node[b], tree, face, w->face[b]);
        else
            status = an_error_set(AN_FAIL, "out of memory for the walls of %zu cells", cells);
    }
    free(tree);
    free(face);
    return an_reduce_status(s->comm, status);
}

static void wall_nearest_destroy(struct an_solver *s, void *component)
{
    struct nearest *w = component;
    (void)s;
    for (int b = 0; w->face && b < w->n; b++)
        free(w->face[b]);
    free(w->face);
    free(w);
}

const struct an_component_type an_wall_nearest_component = {.name = "nearest walls",
                                                            .after = AN_AFTER("wall distances"),
                                                            .make = wall_nearest_make,
                                                            .destroy = wall_nearest_destroy};

const int32_t *an_wall_nearest_of(const struct an_solver *s, int b)
{
    const struct nearest *w = an_component_of(s, &an_wall_nearest_component);
    return w ? w->face[b] : NULL;
}

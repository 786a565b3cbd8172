#include "solver/output/solids_write.h"

#include "io/solid_file.h"
#include "solver/boundary/solid_state.h"
#include "solver/boundary/solids.h"
#include "solver/level/component.h"
#include "solver/level/level.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What rank 0 keeps: coordinates from the start, temperatures of the last `write`. */
struct solids_write {
    int n;
    struct an_solid_block
        *block; /* [n] in the order of the meshes' files; their arrays are owned */
};

/* Names of the solid's own zones; with several solids its name ahead of them. */
static void name_block(const struct an_solids *k, const struct an_solid *q, int zone, int number,
                       char name[AN_NAME])
{
    char whole[2 * AN_NAME + 2];
    snprintf(whole, sizeof whole, k->n > 1 ? "%s.%s" : "%.0s%s", q->set->name,
             q->mesh.zone[zone].name);
    if (strlen(whole) < AN_NAME)
        memcpy(name, whole, strlen(whole) + 1);
    else
        snprintf(name, AN_NAME, "%.20s#%d", whole, number);
}

static int make_block(const struct an_solid *q, int zone, struct an_solid_block *b)
{
    const struct an_solid_zone *z = &q->mesh.zone[zone];
    const int64_t n = (int64_t)(z->n[0] + 1) * (z->n[1] + 1) * (z->n[2] + 1);
    memcpy(b->n, z->n, sizeof b->n);
    b->x = malloc((size_t)n * 3 * sizeof *b->x);
    b->T = malloc((size_t)n * sizeof *b->T);
    AN_CHECK(b->x && b->T, AN_FAIL, "out of memory for solids");
    for (int64_t p = 0; p < n; p++)
        for (int c = 0; c < 3; c++)
            b->x[c * n + p] = q->mesh.x[z->first + p][c];
    return AN_OK;
}

static int solids_write_make(struct an_solver *s, void **component)
{
    const struct an_solids *k = an_component_of(s, &an_solids_component);
    if (!k || s->rank != 0)
        return AN_OK;
    struct solids_write *w = calloc(1, sizeof *w);
    *component = w;
    AN_CHECK(w, AN_FAIL, "out of memory for solids");
    int n = 0;
    for (int m = 0; m < k->n; m++)
        n += k->solid[m].mesh.nzone;
    w->block = calloc((size_t)n + 1, sizeof *w->block);
    AN_CHECK(w->block, AN_FAIL, "out of memory for solids");
    w->n = n;
    n = 0;
    for (int m = 0; m < k->n; m++)
        for (int z = 0; z < k->solid[m].mesh.nzone; z++, n++) {
            struct an_solid_block *b = &w->block[n - z + k->solid[m].mesh.zone[z].place];
            name_block(k, &k->solid[m], z, n, b->name);
            AN_TRY(make_block(&k->solid[m], z, b));
        }
    return AN_OK;
}

static void solids_write_destroy(struct an_solver *s, void *component)
{
    (void)s;
    struct solids_write *w = component;
    for (int b = 0; b < w->n; b++) {
        free(w->block[b].x);
        free(w->block[b].T);
    }
    free(w->block);
    free(w);
}

static int solids_write_write(struct an_solver *s, void *component,
                              const struct an_snapshot_meta *meta)
{
    (void)meta;
    const struct an_solids *k = an_component_of(s, &an_solids_component);
    struct an_solid_block *first = ((struct solids_write *)component)->block;
    for (int m = 0; m < k->n; m++) {
        const struct an_solid *q = &k->solid[m];
        for (int z = 0; z < q->mesh.nzone; z++) {
            const struct an_solid_block *b = first + q->mesh.zone[z].place;
            const int64_t n = (int64_t)(b->n[0] + 1) * (b->n[1] + 1) * (b->n[2] + 1);
            for (int64_t p = 0; p < n; p++)
                b->T[p] = q->T[q->mesh.unknown[q->mesh.zone[z].first + p]];
        }
        first += q->mesh.nzone;
    }
    return AN_OK;
}

static int solids_write_write_rest(const struct an_solver *s, void *component,
                                   const struct an_snapshot_meta *meta)
{
    const struct solids_write *w = component;
    return an_solid_file_write(s->c->output.folder, meta, w->n, w->block);
}

const struct an_component_type an_solids_write_component = {.name = "solid files",
                                                            .after = AN_AFTER("solids"),
                                                            .make = solids_write_make,
                                                            .destroy = solids_write_destroy,
                                                            .write = solids_write_write,
                                                            .write_rest = solids_write_write_rest};

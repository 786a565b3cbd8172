#include "copy.h"

#include "io/coordinates.h"
#include "io/snapshot_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cells of whole zones, field by field. */
struct cells {
    int n; /* zones */
    struct an_snapshot_piece *piece;
    void **field; /* [n * nfield]; owned */
};

static void cells_free(struct cells *c, int nfield)
{
    for (int f = 0; c->field && f < c->n * nfield; f++)
        free(c->field[f]);
    free(c->field);
    free(c->piece);
}

static size_t size_of(const struct an_zone *z)
{
    return (size_t)z->n[0] * (size_t)z->n[1] * (size_t)z->n[2];
}

static int cells_new(const struct an_topology *t, const struct an_snapshot_record *r,
                     struct cells *c)
{
    c->n = t->nblock;
    c->piece = calloc((size_t)c->n + 1, sizeof *c->piece);
    c->field = calloc((size_t)c->n * (size_t)r->nfield + 1, sizeof *c->field);
    AN_CHECK(c->piece && c->field, AN_FAIL, "out of memory");
    for (int z = 0; z < c->n; z++) {
        void **field = c->field + (size_t)z * (size_t)r->nfield;
        c->piece[z].zone = z;
        memcpy(c->piece[z].hi, t->block[z].n, sizeof c->piece[z].hi);
        c->piece[z].field = (const void *const *)field;
        for (int f = 0; f < r->nfield; f++) {
            field[f] = malloc((size_of(&t->block[z]) + 1) * (size_t)r->meta.precision);
            AN_CHECK(field[f], AN_FAIL, "out of memory");
        }
    }
    return AN_OK;
}

/* The field that is the z component where `name` is the y component of a vector, of the present or of
 * an earlier state, or of means over time; -1: it is not. Root mean squares cannot be turned. */
static int partner_of(const struct an_snapshot_record *r, const char *name)
{
    static const char *const end[] = {"",         "Old",       "Older",        "Mean",
                                      "MeanRest", "FavreMean", "FavreMeanRest"};
    const size_t n = strlen(name);
    for (size_t e = 0; e < sizeof end / sizeof *end; e++) {
        const size_t m = strlen(end[e]);
        if (n < m + 1 || name[n - m - 1] != 'Y' || strcmp(name + n - m, end[e]) != 0)
            continue;
        for (int f = 0; f < r->nfield; f++)
            if (strlen(r->field[f]) == n && !strncmp(r->field[f], name, n - m - 1) &&
                r->field[f][n - m - 1] == 'Z' && !strcmp(r->field[f] + n - m, end[e]))
                return f;
    }
    return -1;
}

static void turn(double angle, enum an_precision precision, size_t n, void *y, void *z)
{
    if (precision == AN_DOUBLE) {
        copies_turn(angle, (int64_t)n, y, z);
        return;
    }
    float *a = y, *b = z;
    for (size_t m = 0; m < n; m++) {
        double v[2] = {(double)a[m], (double)b[m]};
        copies_turn(angle, 1, &v[0], &v[1]);
        a[m] = (float)v[0];
        b[m] = (float)v[1];
    }
}

static int zone_named(const struct an_topology *t, const char *name)
{
    for (int z = 0; z < t->nblock; z++)
        if (!strcmp(t->block[z].name, name))
            return z;
    return -1;
}

/* Copies cells and turns vectors. The new mesh, read again, has its zones in another order. */
static void fill(const struct an_topology *old, const struct an_topology *new,
                 const struct copies *c, const struct an_snapshot_record *r,
                 const struct cells *from, const struct cells *to)
{
    for (int z = 0; z < old->nblock; z++)
        for (int n = 0; n < c->count[z]; n++) {
            char name[2 * AN_NAME];
            snprintf(name, sizeof name, "%s_p%d", old->block[z].name, n + 1);
            const int there = zone_named(new, name);
            const size_t cells = size_of(&old->block[z]);
            void **source = from->field + (size_t)z * (size_t)r->nfield;
            void **target = to->field + (size_t)there * (size_t)r->nfield;
            for (int f = 0; f < r->nfield; f++)
                memcpy(target[f], source[f], cells * (size_t)r->meta.precision);
            for (int f = 0; f < r->nfield && n > 0; f++) {
                const int g = partner_of(r, r->field[f]);
                if (g >= 0)
                    turn(n * c->pitch[z], r->meta.precision, cells, target[f], target[g]);
            }
        }
}

/* Does the flow belong to the nodes of this mesh? The copied snapshot gets the checksum of the copied mesh, which a
 * restart would believe. */
static int check_coordinates(const struct an_mesh *m, const struct an_snapshot_record *r,
                             const char *from)
{
    uint64_t here = 0;
    for (int z = 0; z < m->topology.nblock; z++) {
        const int *n = m->topology.block[z].n;
        const int lo[3] = {0, 0, 0}, hi[3] = {n[0] + 1, n[1] + 1, n[2] + 1};
        int64_t nodes;
        double *x;
        AN_TRY(an_mesh_read_zone(m, z, &nodes, &x));
        here += an_coordinates_sum(&m->topology, z, an_mesh_turn_of(m, z), lo, hi, 1, x);
        free(x);
    }
    const uint64_t there = r->meta.coordinates;
    AN_CHECK(!there || there == here, AN_INPUT,
             "%s was computed with other coordinates than those of the mesh (checksums %016" PRIx64
             " and %016" PRIx64 "): give the mesh of its run",
             from, there, here);
    return AN_OK;
}

int copies_snapshot(const struct an_mesh *old, const struct copies *c, const char *copied,
                    const char *from, const char *folder, char *path)
{
    struct an_snapshot_record *r = calloc(1, sizeof *r);
    struct cells here = {0}, there = {0};
    struct an_mesh new;
    struct an_diag diag;
    const char *name[AN_SNAPSHOT_FIELDS];
    AN_CHECK(r, AN_FAIL, "out of memory");
    int status = an_snapshot_inspect(from, old, r);
    if (status != AN_OK) {
        free(r);
        return status;
    }
    status = check_coordinates(old, r, from);
    if (status != AN_OK) {
        an_snapshot_controls_free(&r->meta);
        free(r);
        return status;
    }
    an_diag_init(&diag);
    status = an_mesh_open(copied, &new, &diag);
    if (status != AN_OK && diag.nline)
        status = an_error_set(status, "the copied mesh cannot be read: %s", diag.line[0]);
    an_diag_free(&diag);
    for (int f = 0; f < r->nfield; f++)
        name[f] = r->field[f];
    if (status == AN_OK)
        status = cells_new(&old->topology, r, &here);
    if (status == AN_OK)
        status = cells_new(&new.topology, r, &there);
    if (status == AN_OK)
        status = an_snapshot_read(MPI_COMM_WORLD, from, old, r->meta.precision, r->nfield, name,
                                  here.n, here.piece);
    if (status == AN_OK) {
        fill(&old->topology, &new.topology, c, r, &here, &there);
        status = an_snapshot_write(MPI_COMM_WORLD, folder, "flow", &new, &r->meta, r->nfield, name,
                                   there.n, there.piece, path);
    }
    cells_free(&here, r->nfield);
    cells_free(&there, r->nfield);
    an_mesh_close(&new);
    an_snapshot_controls_free(&r->meta);
    free(r);
    return status;
}

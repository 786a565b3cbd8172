#include "solid/solid_mesh.h"

#include <stdlib.h>
#include <string.h>

static int64_t point_of(const struct an_solid_zone *z, const int at[3])
{
    return z->first + ((int64_t)at[2] * (z->n[1] + 1) + at[1]) * (z->n[0] + 1) + at[0];
}

void an_solid_cell(const struct an_solid_zone *zone, int i, int j, int k, int64_t point[8])
{
    for (int c = 0; c < 8; c++)
        point[c] = point_of(zone, (int[3]){i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)});
}

static int read_zones(const struct an_mesh *mesh, struct an_solid_mesh *m)
{
    const struct an_topology *t = &mesh->topology;
    m->zone = calloc((size_t)t->nblock + 1, sizeof *m->zone);
    m->boundary = calloc((size_t)t->nboundary + 1, sizeof *m->boundary);
    AN_CHECK(m->zone && m->boundary, AN_FAIL, "out of memory for a solid");
    m->nzone = t->nblock;
    m->nboundary = t->nboundary;
    for (int b = 0; b < t->nboundary; b++)
        memcpy(m->boundary[b], t->boundary[b].name, AN_NAME);
    for (int z = 0; z < t->nblock; z++) {
        struct an_solid_zone *to = &m->zone[z];
        memcpy(to->name, t->block[z].name, AN_NAME);
        memcpy(to->n, t->block[z].n, sizeof to->n);
        to->first = m->npoint;
        m->npoint += (int64_t)(to->n[0] + 1) * (to->n[1] + 1) * (to->n[2] + 1);
        m->ncell += (int64_t)to->n[0] * to->n[1] * to->n[2];
        m->zone[an_mesh_listed(mesh, z)].place = z;
    }
    AN_CHECK(m->npoint < INT32_MAX / 32, AN_INPUT,
             "%s: a solid of %lld nodes is too large: at most %d", mesh->file, (long long)m->npoint,
             INT32_MAX / 32);
    m->x = malloc(((size_t)m->npoint + 1) * sizeof *m->x);
    double *plane = malloc(((size_t)m->npoint + 1) * 3 * sizeof *plane);
    int status = m->x && plane ? AN_OK : an_error_set(AN_FAIL, "out of memory for a solid");
    for (int z = 0; z < m->nzone && status == AN_OK; z++) {
        const struct an_solid_zone *q = &m->zone[z];
        const int lo[3] = {0, 0, 0}, hi[3] = {q->n[0] + 1, q->n[1] + 1, q->n[2] + 1};
        const int64_t n = (int64_t)hi[0] * hi[1] * hi[2];
        status = an_mesh_read_nodes(mesh, z, lo, hi, plane);
        for (int64_t p = 0; p < n && status == AN_OK; p++)
            for (int c = 0; c < 3; c++)
                m->x[q->first + p][c] = plane[c * n + p];
    }
    free(plane);
    return status;
}

static int32_t root(int32_t *parent, int32_t p)
{
    while (parent[p] != p)
        p = parent[p] = parent[parent[p]];
    return p;
}

/* Joins the points on both sides of an interface. */
static int join(const struct an_mesh *mesh, const struct an_solid_mesh *m,
                const struct an_interface *f, int32_t *parent)
{
    const struct an_window *w = &f->window;
    const struct an_solid_zone *here = &m->zone[w->block], *there = &m->zone[f->donor];
    const struct an_cellmap map = an_cellmap_nodes(&f->map);
    int lo[3], hi[3], at[3], other[3];
    for (int d = 0; d < 3; d++) {
        lo[d] = d == w->dir ? w->side * here->n[d] : w->lo[d];
        hi[d] = d == w->dir ? lo[d] : w->hi[d];
    }
    for (at[2] = lo[2]; at[2] <= hi[2]; at[2]++)
        for (at[1] = lo[1]; at[1] <= hi[1]; at[1]++)
            for (at[0] = lo[0]; at[0] <= hi[0]; at[0]++) {
                an_cellmap_apply(&map, at, other);
                for (int d = 0; d < 3; d++)
                    AN_CHECK(other[d] >= 0 && other[d] <= there->n[d], AN_INPUT,
                             "%s: interface '%s' of zone '%s' leaves zone '%s'", mesh->file,
                             f->name, here->name, there->name);
                const int32_t a = root(parent, (int32_t)point_of(here, at));
                const int32_t b = root(parent, (int32_t)point_of(there, other));
                parent[a > b ? a : b] = a < b ? a : b;
            }
    return AN_OK;
}

static int number_unknowns(const struct an_mesh *mesh, struct an_solid_mesh *m)
{
    const struct an_topology *t = &mesh->topology;
    m->unknown = malloc(((size_t)m->npoint + 1) * sizeof *m->unknown);
    AN_CHECK(m->unknown, AN_FAIL, "out of memory for a solid");
    for (int64_t p = 0; p < m->npoint; p++)
        m->unknown[p] = (int32_t)p;
    for (int f = 0; f < t->ninterface; f++)
        AN_TRY(join(mesh, m, &t->interface[f], m->unknown));
    for (int64_t p = 0; p < m->npoint; p++) { /* a root comes before all that it stands for */
        const int32_t r = root(m->unknown, (int32_t)p);
        m->unknown[p] = r == p ? (int32_t)p : r;
    }
    for (int64_t p = 0; p < m->npoint; p++) {
        const int32_t r = m->unknown[p];
        m->unknown[p] = r == p ? m->nunknown++ : m->unknown[r];
    }
    return AN_OK;
}

static int list_faces(const struct an_mesh *mesh, struct an_solid_mesh *m)
{
    const struct an_topology *t = &mesh->topology;
    for (int p = 0; p < t->npatch; p++)
        m->nface += an_window_faces(&t->patch[p].window);
    m->face = malloc(((size_t)m->nface + 1) * sizeof *m->face);
    AN_CHECK(m->face, AN_FAIL, "out of memory for a solid");
    struct an_solid_face *to = m->face;
    for (int p = 0; p < t->npatch; p++) {
        const struct an_window *w = &t->patch[p].window;
        const struct an_solid_zone *z = &m->zone[w->block];
        const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
        int at[3];
        at[w->dir] = w->side * z->n[w->dir];
        for (int b = w->lo[db]; b < w->hi[db]; b++)
            for (int a = w->lo[da]; a < w->hi[da]; a++, to++) {
                for (int c = 0; c < 4; c++) { /* around the face, as seen from outside */
                    at[da] = a + (c == 1 || c == 2);
                    at[db] = b + c / 2;
                    to->corner[w->side ? c : (4 - c) % 4] = (int32_t)point_of(z, at);
                }
                to->boundary = t->patch[p].boundary;
            }
    }
    return AN_OK;
}

/* Six times the volume of the corner of a cell: its three edges. */
static double corner_volume(const struct an_solid_mesh *m, const int64_t p[8], int c)
{
    double e[3][3];
    for (int d = 0; d < 3; d++)
        for (int q = 0; q < 3; q++)
            e[d][q] = (c >> d & 1 ? -1 : 1) * (m->x[p[c ^ 1 << d]][q] - m->x[p[c]][q]);
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
           e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

/* Cells whose volume, the mean of their corners', is not positive. */
static int check_volumes(const struct an_mesh *mesh, const struct an_solid_mesh *m)
{
    for (int z = 0; z < m->nzone; z++) {
        const struct an_solid_zone *q = &m->zone[z];
        for (int k = 0; k < q->n[2]; k++)
            for (int j = 0; j < q->n[1]; j++)
                for (int i = 0; i < q->n[0]; i++) {
                    int64_t p[8];
                    double sum = 0;
                    an_solid_cell(q, i, j, k, p);
                    for (int c = 0; c < 8; c++)
                        sum += corner_volume(m, p, c);
                    AN_CHECK(sum > 0, AN_INPUT,
                             "%s: cell (%d, %d, %d) of zone '%s' of the solid is folded",
                             mesh->file, i + 1, j + 1, k + 1, q->name);
                }
    }
    return AN_OK;
}

int an_solid_mesh_new(const struct an_mesh *mesh, struct an_solid_mesh *m)
{
    *m = (struct an_solid_mesh){0};
    for (int b = 0; b < mesh->topology.nboundary; b++)
        AN_CHECK(!*mesh->topology.boundary[b].with, AN_INPUT,
                 "%s: boundary '%s' of a solid is joined to '%s' without matching nodes; solids "
                 "need one-to-one "
                 "interfaces",
                 mesh->file, mesh->topology.boundary[b].name, mesh->topology.boundary[b].with);
    int status = read_zones(mesh, m);
    if (status == AN_OK)
        status = check_volumes(mesh, m);
    if (status == AN_OK)
        status = number_unknowns(mesh, m);
    if (status == AN_OK)
        status = list_faces(mesh, m);
    if (status != AN_OK)
        an_solid_mesh_free(m);
    return status;
}

void an_solid_mesh_free(struct an_solid_mesh *m)
{
    free(m->zone);
    free(m->boundary);
    free(m->x);
    free(m->unknown);
    free(m->face);
    *m = (struct an_solid_mesh){0};
}

void an_solid_face_vector(const struct an_solid_mesh *m, const struct an_solid_face *f, double s[3])
{
    double d[2][3];
    for (int c = 0; c < 3; c++) {
        d[0][c] = m->x[f->corner[2]][c] - m->x[f->corner[0]][c];
        d[1][c] = m->x[f->corner[3]][c] - m->x[f->corner[1]][c];
    }
    for (int c = 0; c < 3; c++) {
        const int y = (c + 1) % 3, z = (c + 2) % 3;
        s[c] = 0.5 * (d[0][y] * d[1][z] - d[0][z] * d[1][y]);
    }
}

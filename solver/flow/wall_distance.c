/* Gathers the walls of all ranks, finds their periodic images, and has the engine measure. */
#include "solver/flow/wall_distance.h"

#include "mpi/gather.h"
#include "mpi/reduce.h"
#include "solver/flow/wall_images.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/level/rows.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct face {
    struct an_wall_place at;
    double corner[4][3];
};

struct faces {
    int n;
    struct face *face; /* owned */
};

struct points {
    int64_t n;
    double (*x)[3]; /* owned */
};

static double square_between(const double a[3], const double b[3])
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

static int has_area(const double f[9])
{
    const double x = f[3] - f[0], y = f[4] - f[1], z = f[5] - f[2];
    const double u = f[6] - f[0], v = f[7] - f[1], w = f[8] - f[2];
    const double nx = y * w - z * v, ny = z * u - x * w, nz = x * v - y * u;
    return nx * nx + ny * ny + nz * nz > 1e-26 * (x * x + y * y + z * z) * (u * u + v * v + w * w);
}

/* By how much the two diagonals miss each other, over the length of the longer. */
static double warp(const double q[4][3])
{
    double d[3], e[3], m[3];
    for (int c = 0; c < 3; c++) {
        d[c] = q[2][c] - q[0][c];
        e[c] = q[3][c] - q[1][c];
        m[c] = 0.5 * (q[0][c] + q[2][c] - q[1][c] - q[3][c]);
    }
    const double x = d[1] * e[2] - d[2] * e[1], y = d[2] * e[0] - d[0] * e[2],
                 z = d[0] * e[1] - d[1] * e[0];
    const double normal = sqrt(x * x + y * y + z * z);
    const double length = sqrt(fmax(square_between(q[0], q[2]), square_between(q[1], q[3])));
    return normal > 1e-13 * length * length
               ? fabs(m[0] * x + m[1] * y + m[2] * z) / (normal * length)
               : 0;
}

int an_wall_split(const double q[4][3], double facet[4][9])
{
    /* the corner off the diagonal comes first: its edges are seldom far from normal to each other
     */
    static const int order[2][2][3] = {{{1, 2, 0}, {3, 0, 2}}, {{0, 1, 3}, {2, 3, 1}}};
    if (warp(q) > 1e-9) {
        for (int t = 0; t < 4; t++)
            for (int c = 0; c < 3; c++) {
                facet[t][c] = 0.25 * (q[0][c] + q[1][c] + q[2][c] + q[3][c]);
                facet[t][3 + c] = q[t][c];
                facet[t][6 + c] = q[(t + 1) & 3][c];
            }
        return 4;
    }
    const int other = square_between(q[1], q[3]) < (1 - 1e-9) * square_between(q[0], q[2]);
    for (int t = 0; t < 2; t++)
        for (int v = 0; v < 3; v++)
            memcpy(facet[t] + 3 * v, q[order[other][t][v]], 3 * sizeof(double));
    return has_area(facet[0]) || has_area(facet[1]) ? 2 : 0;
}

/* The nodes of a window of a piece into *x[3][...], malloc'ed; m: nodes in the directions that
 * follow the window's. */
static int read_window(const struct an_solver *s, const struct an_window *w, int m[2], double **x)
{
    const struct an_piece *piece = &s->level->partition.piece[w->block];
    int lo[3], hi[3];
    for (int d = 0; d < 3; d++) {
        lo[d] = w->lo[d];
        hi[d] = w->hi[d] + 1;
    }
    lo[w->dir] = w->side ? piece->hi[w->dir] - piece->lo[w->dir] : 0;
    hi[w->dir] = lo[w->dir] + 1;
    for (int t = 0; t < 2; t++)
        m[t] = hi[(w->dir + 1 + t) % 3] - lo[(w->dir + 1 + t) % 3];
    *x = malloc((size_t)m[0] * (size_t)m[1] * 3 * sizeof **x);
    AN_CHECK(*x, AN_FAIL, "out of memory for %d x %d nodes", m[0], m[1]);
    return an_nodes_box(s, w->block, lo, hi, *x);
}

/* Node (a, b) of what read_window has read: the lower of the two directions runs fastest. */
static void node_of(const double *x, int dir, const int m[2], int a, int b, double node[3])
{
    const int64_t all = (int64_t)m[0] * m[1];
    const int64_t at = dir == 1 ? b + (int64_t)m[1] * a : a + (int64_t)m[0] * b;
    for (int c = 0; c < 3; c++)
        node[c] = x[c * all + at];
}

static int is_wall(const struct an_solver *s, const struct an_patch *p)
{
    const enum an_bc_type type = s->boundary[p->boundary].type;
    return s->level->partition.piece[p->window.block].rank == s->rank &&
           (type == AN_BC_WALL_VISCOUS || (type == AN_BC_WALL_SLIP && !s->params.fluid.viscosity));
}

static int add_faces(const struct an_solver *s, const struct an_window *w, struct faces *f)
{
    const struct an_piece *piece = &s->level->partition.piece[w->block];
    const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
    int m[2];
    double *x = NULL;
    const int status = read_window(s, w, m, &x);
    for (int b = 0; b < m[1] - 1 && status == AN_OK; b++)
        for (int a = 0; a < m[0] - 1; a++) {
            struct face *face = &f->face[f->n++];
            face->at = (struct an_wall_place){.zone = piece->zone,
                                              .side = 2 * w->dir + w->side,
                                              .a = piece->lo[da] + w->lo[da] + a,
                                              .b = piece->lo[db] + w->lo[db] + b};
            node_of(x, w->dir, m, a, b, face->corner[0]);
            node_of(x, w->dir, m, a + 1, b, face->corner[1]);
            node_of(x, w->dir, m, a + 1, b + 1, face->corner[2]);
            node_of(x, w->dir, m, a, b + 1, face->corner[3]);
        }
    free(x);
    return status;
}

/* The wall faces of this rank. */
static int own_faces(const struct an_solver *s, struct faces *f)
{
    const struct an_topology *t = &s->level->partition.topology;
    int64_t n = 0;
    for (int p = 0; p < t->npatch; p++)
        if (is_wall(s, &t->patch[p])) {
            const struct an_window *w = &t->patch[p].window;
            const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
            n += (int64_t)(w->hi[da] - w->lo[da]) * (w->hi[db] - w->lo[db]);
        }
    AN_CHECK(n < INT_MAX, AN_FAIL, "%lld wall faces on a rank", (long long)n);
    f->face = malloc(((size_t)n + 1) * sizeof *f->face);
    AN_CHECK(f->face, AN_FAIL, "out of memory for %lld wall faces", (long long)n);
    for (int p = 0; p < t->npatch; p++)
        if (is_wall(s, &t->patch[p]))
            AN_TRY(add_faces(s, &t->patch[p].window, f));
    return AN_OK;
}

/* Nodes on the faces of the zones: how far the mesh reaches. Those of cuts are left out, so that
 * all ranks together have the same points however the mesh is cut. */
static int add_points(const struct an_solver *s, const struct an_window *w, struct points *p)
{
    int m[2];
    double *x = NULL;
    int status = read_window(s, w, m, &x);
    if (status == AN_OK) {
        const size_t n = (size_t)p->n + (size_t)m[0] * (size_t)m[1];
        double(*grown)[3] = realloc(p->x, n * sizeof *grown);
        if (grown)
            p->x = grown;
        else
            status = an_error_set(AN_FAIL, "out of memory for %zu nodes", n);
    }
    for (int b = 0; b < m[1] && status == AN_OK; b++)
        for (int a = 0; a < m[0]; a++)
            node_of(x, w->dir, m, a, b, p->x[p->n++]);
    free(x);
    return status;
}

static int own_points(const struct an_solver *s, struct points *p)
{
    for (int b = 0; b < s->level->partition.npiece; b++) {
        const struct an_piece *piece = &s->level->partition.piece[b];
        const int *n = s->mesh->topology.block[piece->zone].n;
        for (int face = 0; face < 6 && piece->rank == s->rank; face++) {
            struct an_window w = {.block = b, .dir = face / 2, .side = face % 2};
            for (int d = 0; d < 3; d++)
                w.hi[d] = d == w.dir ? 0 : piece->hi[d] - piece->lo[d];
            if (w.side ? piece->hi[w.dir] == n[w.dir] : piece->lo[w.dir] == 0)
                AN_TRY(add_points(s, &w, p));
        }
    }
    return AN_OK;
}

int an_wall_place_compare(const void *a, const void *b)
{
    const struct an_wall_place *x = a, *y = b;
    if (x->zone != y->zone)
        return x->zone < y->zone ? -1 : 1;
    if (x->side != y->side)
        return x->side < y->side ? -1 : 1;
    if (x->b != y->b)
        return x->b < y->b ? -1 : 1;
    return (x->a > y->a) - (x->a < y->a);
}

/* Facets by part, and the tree of all. face: as in an_wall_gather. */
static int make_tree(const struct faces *f, const struct an_wall_images *w, int *nfacet,
                     int64_t *length, double **tree, int32_t **face)
{
    const size_t most = ((size_t)f->n + 1) * 4;
    struct an_wall_part *part = calloc((size_t)w->npart + 1, sizeof *part);
    double(*facet)[9] = malloc(most * sizeof *facet);
    int32_t *of = face ? malloc(2 * most * sizeof *of) : NULL, *order = face ? of + most : NULL;
    int status = AN_OK;
    *nfacet = 0;
    if (!part || !facet || (face && !of))
        status = an_error_set(AN_FAIL, "out of memory for %d wall faces", f->n);
    for (int p = 0; p < w->npart && status == AN_OK; p++) {
        part[p] = (struct an_wall_part){.facet = (const double(*)[9])facet + *nfacet,
                                        .nimage = w->nimage[p],
                                        .image = w->image[p]};
        for (int i = 0; i < f->n; i++) {
            const int64_t first = *nfacet + part[p].nfacet;
            if (w->part[f->face[i].at.zone] == p)
                part[p].nfacet +=
                    an_wall_split((const double(*)[3])f->face[i].corner, &facet[first]);
            for (int64_t m = first; of && m < *nfacet + part[p].nfacet; m++)
                of[m] = i;
        }
        *nfacet += (int)part[p].nfacet;
    }
    if (status == AN_OK)
        status = an_wall_surface_tree(w->npart, part, length, tree, order);
    for (int m = 0; face && m < *nfacet && status == AN_OK; m++)
        order[m] = of[order[m]];
    if (face && status == AN_OK) {
        memmove(of, order, (size_t)*nfacet * sizeof *of);
        *face = of;
    } else {
        free(of);
    }
    free(part);
    free(facet);
    return status;
}

int an_wall_gather(const struct an_solver *s, int *nfacet, int64_t *length, double **tree,
                   int32_t **face)
{
    struct faces faces = {0, NULL};
    struct points points = {0, NULL};
    struct an_wall_images images = {0};
    struct an_topology mesh;
    AN_TRY(an_reduce_status(s->comm, an_topology_of_case(s->c, &s->mesh->topology, &mesh)));
    int status = own_faces(s, &faces);
    if (status == AN_OK && an_wall_images_any(&mesh))
        status = own_points(s, &points);
    status = an_reduce_status(s->comm, status);
    if (status == AN_OK)
        status = an_gather_sorted(s->comm, "wall faces", sizeof *faces.face, an_wall_place_compare,
                                  &faces.n, (void **)&faces.face);
    if (status == AN_OK)
        status =
            an_wall_images_new(s->comm, &mesh, points.n, (const double(*)[3])points.x, &images);
    if (status == AN_OK)
        status = an_reduce_status(s->comm, make_tree(&faces, &images, nfacet, length, tree, face));
    an_wall_images_free(&images);
    free(mesh.boundary);
    free(faces.face);
    free(points.x);
    return status;
}

/* Those of another solver. */
static int take_distances(struct an_solver *s)
{
    const struct an_engine_ops *op = s->engine->op;
    const struct an_layout *l = &s->level->layout;
    AN_TRY(op->copy(s->engine, s->level->fields.at[AN_F_WD], s->like->level->fields.at[AN_F_WD],
                    (size_t)l->ncell * (size_t)l->precision, 0));
    return op->sync(s->engine, 0);
}

int an_wall_distance(struct an_solver *s, int *nfacet)
{
    const struct an_engine_ops *op = s->engine->op;
    if (s->like && s->like->level->layout.ncell == s->level->layout.ncell &&
        s->like->level->fields.at[AN_F_WD] && !s->level->fields.at[AN_F_AWAY])
        return an_reduce_status(s->comm, take_distances(s));
    void **const field = &s->level->fields.at[AN_F_TREE];
    double *tree = NULL;
    int64_t length;
    int n;
    AN_TRY(an_wall_gather(s, &n, &length, &tree, NULL));
    int status = op->alloc(s->engine, (size_t)length * sizeof *tree, field);
    if (status == AN_OK)
        status = op->upload(s->engine, *field, tree, (size_t)length * sizeof *tree, 0);
    if (status == AN_OK)
        status = op->run(s->engine, AN_S_wall_distance, s->level->interior, &s->level->fields,
                         &s->params, NULL, 0);
    if (status == AN_OK && s->level->fields.at[AN_F_AWAY] &&
        s->params.turb.des != AN_DES_DDES) /* shares memory then */
        status = op->run(s->engine, AN_S_wall_normal, s->level->interior, &s->level->fields,
                         &s->params, NULL, 0);
    if (status == AN_OK && s->params.turb.des)
        status = op->run(s->engine, AN_S_des_size, s->level->interior, &s->level->fields,
                         &s->params, NULL, 0);
    if (status == AN_OK)
        status = op->sync(s->engine, 0);
    if (*field)
        op->free(s->engine, *field);
    *field = NULL;
    free(tree);
    if (nfacet)
        *nfacet = n;
    return an_reduce_status(s->comm, status);
}

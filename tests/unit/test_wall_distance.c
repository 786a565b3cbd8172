/* Wall distance on meshes: every cell against all wall facets and all their periodic images, made
 * from the mesh's formula (not from its file) and searched by brute force in long double.
 *
 *   plane       jmin of a waved box in 12 turned zones: d = y, to 1e-15 m
 *   cylinder    twisted O-mesh, 4 zones: exact to the facets
 *   tiles       walls on part of kmin, periodic in x and y: corners need both at once
 *   sector      1/9 of an annulus that runs obliquely over two pitches, wall on part of the hub
 *               and on an upright wall: as in the whole annulus
 *   all of them: |d - reference| <= 2e-14 m (2e-7 relative in single precision), single is
 *   double rounded, 1, 2 and 4 ranks, CPU engine and emulated engine agree bit for bit
 *   no wall: 1e30
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/emulated/emulated_engine.h"
#include "solver/flow/wall_distance.h"
#include "solver/flow/wall_images.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/unit/wall_reference.h"

#define PI 3.14159265358979323846

static int rank, size;

static void plane_map(void *context, const double s[3], double x[3])
{
    (void)context;
    const double wave = 0.03 * sin(2 * PI * s[0]) * sin(2 * PI * s[2]);
    x[0] = s[0] + wave * s[1];
    x[1] = 0.1 * s[1] * (1 + s[1]) + wave * s[1] * (1 - s[1]);
    x[2] = 0.7 * s[2] - wave * s[1];
}

static void cylinder_map(void *context, const double s[3], double x[3])
{
    (void)context;
    const double r = 0.5 + s[1] * s[1], angle = 2 * PI * s[2] + 0.9 * s[0];
    vm_cylindrical(0.8 * s[0] + 0.02 * sin(2 * PI * s[2] + 1), r, angle, x);
}

static void tiles_map(void *context, const double s[3], double x[3])
{
    (void)context;
    const double bump = sin(2 * PI * s[0] + 1) * sin(2 * PI * s[1]);
    x[0] = s[0];
    x[1] = 0.75 * s[1];
    x[2] = 0.6 * s[2] + 0.05 * bump * (1 - s[2]);
}

static void sector_map(void *context, const double s[3], double x[3])
{
    (void)context;
    const double r = 1 + 0.5 * s[1], pitch = 2 * PI / 9;
    const double angle = pitch * s[2] + 2.2 * pitch * s[0] + 0.2 * s[1];
    vm_cylindrical(0.8 * s[0], r, angle, x);
}

static const struct vm_segment plane_ends[] = {
    {.dir = 0, .side = 0, .name = "other"}, {.dir = 0, .side = 1, .name = "other"},
    {.dir = 1, .side = 0, .name = "wall"},  {.dir = 1, .side = 1, .name = "other"},
    {.dir = 2, .side = 0, .name = "other"}, {.dir = 2, .side = 1, .name = "other"}};
static const struct vm_segment cylinder_ends[] = {
    {.dir = 0, .side = 0, .name = "other"}, {.dir = 0, .side = 1, .name = "other"},
    {.dir = 1, .side = 0, .name = "wall"},  {.dir = 1, .side = 1, .name = "other"},
    {.dir = 2, .side = 0, .kind = VM_JOIN}, {.dir = 2, .side = 1, .kind = VM_JOIN}};
static const struct vm_segment tiles_ends[] = {
    {.dir = 0, .side = 0, .kind = VM_TRANSLATE},
    {.dir = 0, .side = 1, .kind = VM_TRANSLATE},
    {.dir = 1, .side = 0, .kind = VM_TRANSLATE},
    {.dir = 1, .side = 1, .kind = VM_TRANSLATE},
    {.dir = 2, .side = 0, .along = 0, .lo = 0, .hi = 2, .name = "wall"},
    {.dir = 2, .side = 0, .along = 0, .lo = 2, .hi = 12, .name = "other"},
    {.dir = 2, .side = 1, .along = 1, .lo = 0, .hi = 8, .name = "other"},
    {.dir = 2, .side = 1, .along = 1, .lo = 8, .hi = 10, .name = "wall"}};
static const struct vm_segment sector_ends[] = {
    {.dir = 0, .side = 0, .along = 2, .lo = 0, .hi = 3, .name = "wall"},
    {.dir = 0, .side = 0, .along = 2, .lo = 3, .hi = 10, .name = "other"},
    {.dir = 0, .side = 1, .name = "other"},
    {.dir = 1, .side = 0, .along = 0, .lo = 0, .hi = 14, .name = "other"},
    {.dir = 1, .side = 0, .along = 0, .lo = 14, .hi = 16, .name = "wall"},
    {.dir = 1, .side = 1, .name = "other"},
    {.dir = 2, .side = 0, .kind = VM_ROTATE},
    {.dir = 2, .side = 1, .kind = VM_ROTATE}};

static const struct world {
    const char *name;
    int images; /* of the walls: times so many to either side of each period */
    struct vm_box box;
} worlds[] = {
    {"plane",
     0,
     {.n = {18, 10, 12},
      .parts = {3, 2, 2},
      .turn = 7,
      .map = plane_map,
      .nsegment = 6,
      .segment = plane_ends}},
    {"cylinder",
     0,
     {.n = {9, 12, 20},
      .parts = {1, 1, 4},
      .turn = 3,
      .map = cylinder_map,
      .nsegment = 6,
      .segment = cylinder_ends}},
    {"tiles",
     2,
     {.n = {12, 10, 8},
      .parts = {2, 1, 1},
      .turn = 13,
      .map = tiles_map,
      .translation = {{1, 0, 0}, {0, 0.75, 0}},
      .nsegment = 8,
      .segment = tiles_ends}},
    {"sector",
     4,
     {.n = {16, 8, 10},
      .parts = {2, 1, 1},
      .turn = 11,
      .map = sector_map,
      .angle = 2 * PI / 9,
      .nsegment = 8,
      .segment = sector_ends}},
};
enum { WORLDS = sizeof worlds / sizeof *worlds, MOST_FACETS = 80000 };

/* ---- the reference ---- */

static int nfacet;
static double facet[MOST_FACETS][9];

static void add_triangle(const double a[3], const double b[3], const double c[3])
{
    memcpy(facet[nfacet], a, 24);
    memcpy(facet[nfacet] + 3, b, 24);
    memcpy(facet[nfacet++] + 6, c, 24);
}

static double apart(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static void add_face(const struct vm_box *box, const struct vm_segment *g, int a, int b)
{
    double q[4][3];
    const int da = (g->dir + 1) % 3, db = (g->dir + 2) % 3;
    for (int v = 0; v < 4; v++) {
        double s[3];
        s[g->dir] = g->side;
        s[da] = (double)(a + (v == 1 || v == 2)) / box->n[da];
        s[db] = (double)(b + v / 2) / box->n[db];
        box->map(box->context, s, q[v]);
    }
    double mean[3], ends[2][3];
    for (int c = 0; c < 3; c++) {
        mean[c] = 0.25 * (q[0][c] + q[1][c] + q[2][c] + q[3][c]);
        ends[0][c] = q[1][c] - q[0][c];
        ends[1][c] = q[3][c] - q[0][c];
    }
    const double volume =
        (q[2][0] - q[0][0]) * (ends[0][1] * ends[1][2] - ends[0][2] * ends[1][1]) +
        (q[2][1] - q[0][1]) * (ends[0][2] * ends[1][0] - ends[0][0] * ends[1][2]) +
        (q[2][2] - q[0][2]) * (ends[0][0] * ends[1][1] - ends[0][1] * ends[1][0]);
    if (fabs(volume) > 1e-8 * pow(apart(q[0], q[2]), 3)) { /* warped */
        for (int v = 0; v < 4; v++)
            add_triangle(mean, q[v], q[(v + 1) % 4]);
        return;
    }
    const int other = apart(q[1], q[3]) < apart(q[0], q[2]) * (1 - 1e-10);
    add_triangle(q[other], q[1 + other], q[2 + other]);
    add_triangle(q[2 + other], q[(3 + other) % 4], q[other]);
}

/* The facets so far, once more, moved or turned k periods. */
static void add_image(const struct world *w, int n, int dir, int k)
{
    const struct vm_box *box = &w->box;
    const double c = cos(k * box->angle), s = sin(k * box->angle);
    for (int f = 0; f < n; f++, nfacet++)
        for (int corner = 0; corner < 9; corner += 3) {
            const double *x = facet[f] + corner, *t = box->translation[dir];
            double *y = facet[nfacet] + corner;
            y[0] = x[0] + k * t[0];
            y[1] = (dir == 2 ? c * x[1] - s * x[2] : x[1]) + k * t[1];
            y[2] = (dir == 2 ? s * x[1] + c * x[2] : x[2]) + k * t[2];
        }
}

static void make_reference(const struct world *w)
{
    nfacet = 0;
    for (int g = 0; g < w->box.nsegment; g++) {
        const struct vm_segment *s = &w->box.segment[g];
        if (!s->name || strcmp(s->name, "wall") != 0)
            continue;
        const int da = (s->dir + 1) % 3, db = (s->dir + 2) % 3;
        for (int b = 0; b < w->box.n[db]; b++)
            for (int a = 0; a < w->box.n[da]; a++) {
                const int m = s->along == da ? a : b;
                if (s->lo == s->hi || (m >= s->lo && m < s->hi))
                    add_face(&w->box, s, a, b);
            }
    }
    for (int dir = 0; dir < 3; dir++) {
        const int n = nfacet;
        const int periodic = dir == 2 ? w->box.angle != 0 : w->box.translation[dir][dir] != 0;
        for (int k = 1; k <= w->images && periodic; k++) {
            add_image(w, n, dir, k);
            add_image(w, n, dir, -k);
        }
    }
}

/* ---- a solver that has blocks and nodes, and nothing else ---- */

struct rig {
    struct an_mesh mesh;
    struct an_engine engine;
    struct an_solver *s;
    double *x; /* nodes, in the layout */
};

static void rig_blocks(struct rig *r)
{
    struct an_solver *s = r->s;
    const int n = s->level->partition.npiece;
    int(*cells)[3] = malloc((size_t)n * sizeof *cells);
    struct an_box *box = calloc((size_t)n, sizeof *box);
    s->local = malloc((size_t)n * sizeof *s->local);
    for (int p = 0; p < n; p++)
        if (s->level->partition.piece[p].rank == s->rank) {
            memcpy(cells[s->nlocal], s->level->partition.topology.block[p].n, sizeof *cells);
            memcpy(box[s->nlocal].hi, cells[s->nlocal], sizeof *cells);
            box[s->nlocal].block = s->nlocal;
            s->local[s->nlocal++] = p;
        }
    fixture_must(
        an_layout_new(s->nlocal, (const int(*)[3])cells, r->engine.precision, &s->level->layout),
        "layout");
    fixture_must(
        s->engine->op->tiles_new(s->engine, &s->level->layout, s->nlocal, box, &s->level->interior),
        "tiles");
    free(cells);
    free(box);
}

static void rig_nodes(struct rig *r)
{
    struct an_solver *s = r->s;
    const int64_t ncell = s->level->layout.ncell;
    r->x = calloc((size_t)ncell * 3, sizeof *r->x);
    for (int b = 0; b < s->nlocal; b++) {
        const struct an_block *block = &s->level->layout.block[b];
        const int *n = block->n;
        const int64_t count = (int64_t)(n[0] + 1) * (n[1] + 1) * (n[2] + 1);
        double *x = malloc((size_t)count * 3 * sizeof *x), *from = x;
        fixture_must(an_nodes_read(s->mesh, &s->level->partition.piece[s->local[b]], x), "nodes");
        for (int c = 0; c < 3; c++)
            for (int k = 0; k <= n[2]; k++)
                for (int j = 0; j <= n[1]; j++)
                    for (int i = 0; i <= n[0]; i++)
                        r->x[c * ncell + an_element(block, i, j, k)] = *from++;
        free(x);
    }
    const size_t bytes = (size_t)ncell * 3 * sizeof *r->x;
    fixture_must(s->engine->op->alloc(s->engine, bytes, &s->level->fields.at[AN_F_X]), "X");
    fixture_must(s->engine->op->upload(s->engine, s->level->fields.at[AN_F_X], r->x, bytes, 0),
                 "X");
    fixture_must(s->engine->op->alloc(s->engine, (size_t)ncell * (size_t)r->engine.precision,
                                      &s->level->fields.at[AN_F_WD]),
                 "WD");
}

static void rig_new(struct rig *r, const struct world *w, MPI_Comm comm, const char *engine,
                    enum an_precision precision, int max_piece_cells)
{
    memset(r, 0, sizeof *r);
    struct an_solver *s = r->s = calloc(1, sizeof *s);
    fixture_must(s ? AN_OK : AN_FAIL, "memory");
    struct an_diag diag;
    an_diag_init(&diag);
    fixture_must(an_mesh_open(fixture_path(w->name), &r->mesh, &diag), w->name);
    an_diag_free(&diag);
    fixture_must(!strcmp(engine, "emulated") ? an_engine_emulated_new(precision, &r->engine)
                                             : an_engine_cpu_new(precision, 1, NULL, &r->engine),
                 engine);
    s->comm = comm;
    MPI_Comm_rank(comm, &s->rank);
    MPI_Comm_size(comm, &s->nrank);
    static const struct an_case without_keys;
    s->c = &without_keys;
    s->mesh = &r->mesh;
    s->params.fluid.viscosity = AN_VISCOSITY_CONSTANT;
    s->engine = &r->engine;
    const struct an_partition_options opt = {
        .levels = 1, .min_cells = 2, .balance = 1.05, .max_piece_cells = max_piece_cells};
    fixture_must(an_partition_new(&r->mesh.topology, s->nrank, &opt, &s->level->partition),
                 "partition");
    s->nlevel = 1;
    const struct an_topology *t = &r->mesh.topology;
    s->boundary = calloc((size_t)t->nboundary + 1, sizeof *s->boundary);
    for (int b = 0; b < t->nboundary; b++)
        s->boundary[b].type =
            strcmp(t->boundary[b].name, "wall") ? AN_BC_SYMMETRY : AN_BC_WALL_VISCOUS;
    rig_blocks(r);
    rig_nodes(r);
}

static void rig_free(struct rig *r)
{
    free(r->x);
    an_solver_destroy(r->s);
    an_engine_destroy(&r->engine);
    an_mesh_close(&r->mesh);
    an_topology_free(&r->mesh.topology);
}

/* The distances of the whole mesh on every rank of the rig, by zone and cell. */
static double *distances(struct rig *r, int *count)
{
    struct an_solver *s = r->s;
    const struct an_topology *t = &r->mesh.topology;
    int facets = -1;
    fixture_must(an_wall_distance(s, &facets), "wall distance");
    if (count)
        *count = facets;
    double *all = calloc((size_t)an_topology_cells(t), sizeof *all);
    const size_t bytes = (size_t)s->level->layout.ncell * (size_t)r->engine.precision;
    void *wd = malloc(bytes ? bytes : 1);
    fixture_must(s->engine->op->download(s->engine, wd, s->level->fields.at[AN_F_WD], bytes, 0),
                 "WD");
    for (int b = 0; b < s->nlocal; b++) {
        const struct an_piece *p = &s->level->partition.piece[s->local[b]];
        const int *n = t->block[p->zone].n;
        int64_t first = 0;
        for (int z = 0; z < p->zone; z++)
            first += (int64_t)t->block[z].n[0] * t->block[z].n[1] * t->block[z].n[2];
        for (int k = p->lo[2]; k < p->hi[2]; k++)
            for (int j = p->lo[1]; j < p->hi[1]; j++)
                for (int i = p->lo[0]; i < p->hi[0]; i++) {
                    const int64_t e = an_element(&s->level->layout.block[b], i - p->lo[0],
                                                 j - p->lo[1], k - p->lo[2]);
                    all[first + i + (int64_t)n[0] * (j + (int64_t)n[1] * k)] =
                        r->engine.precision == AN_DOUBLE ? ((double *)wd)[e]
                                                         : (double)((float *)wd)[e];
                }
    }
    free(wd);
    MPI_Allreduce(MPI_IN_PLACE, all, (int)an_topology_cells(t), MPI_DOUBLE, MPI_SUM, s->comm);
    return all;
}

static double *solve(const struct world *w, MPI_Comm comm, const char *engine,
                     enum an_precision precision, int max_piece_cells)
{
    struct rig r;
    rig_new(&r, w, comm, engine, precision, max_piece_cells);
    double *d = distances(&r, NULL);
    rig_free(&r);
    return d;
}

static int all_ranks(int failed)
{
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return failed;
}

/* ---- tests ---- */

static int differences(const struct world *w)
{
    struct rig r;
    int count, failed = 0;
    make_reference(w);
    rig_new(&r, w, MPI_COMM_WORLD, "cpu", AN_DOUBLE, 0);
    double *d = distances(&r, &count);
    int64_t at = 0;
    double worst = 0;
    const int periods = w->images ? (2 * w->images + 1) * (w->box.angle != 0 ? 1 : 5) : 1;
    failed += count * periods != nfacet;
    for (int z = 0; z < r.mesh.topology.nblock; z++) {
        const int *n = r.mesh.topology.block[z].n;
        const struct an_piece whole = {z, {0, 0, 0}, {n[0], n[1], n[2]}, 0};
        double *x = malloc((size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1) * 24);
        fixture_must(an_nodes_read(&r.mesh, &whole, x), "nodes");
        for (int64_t e = 0; e < (int64_t)n[0] * n[1] * n[2]; e++, at++) {
            double c[3];
            an_nodes_centre(n, x, (int)(e % n[0]), (int)(e / n[0] % n[1]), (int)(e / n[0] / n[1]),
                            c);
            if (at % size != rank)
                continue;
            const double reference = wide_nearest(nfacet, (const double(*)[9])facet, c);
            worst = fmax(worst, fabs(d[at] - reference));
            failed += !(fabs(d[at] - reference) <= 2e-14);
            if (w == &worlds[0])
                failed += !(fabs(d[at] - c[1]) <= 1e-15);
        }
        free(x);
    }
    free(d);
    rig_free(&r);
    if (failed)
        print_message("%s: %d facets, %d cells are wrong, largest difference %g\n", w->name, count,
                      failed, worst);
    return failed;
}

static void all_cells_are_right(void **unused)
{
    (void)unused;
    int failed = 0;
    for (int n = 0; n < WORLDS; n++)
        failed += differences(&worlds[n]);
    assert_int_equal(all_ranks(failed), 0);
}

/* Is the array the engines search the same as on one rank? */
static int tree_differs(const struct world *w, int max_piece_cells)
{
    struct rig r[2];
    double *tree[2];
    int64_t length[2];
    int count;
    for (int m = 0; m < 2; m++) {
        rig_new(&r[m], w, m ? MPI_COMM_WORLD : MPI_COMM_SELF, "cpu", AN_DOUBLE,
                m ? max_piece_cells : 0);
        fixture_must(an_wall_gather(r[m].s, &count, &length[m], &tree[m], NULL), "gather");
    }
    const int differ = length[0] != length[1] ||
                       memcmp(tree[0], tree[1], (size_t)length[0] * sizeof *tree[0]) != 0;
    for (int m = 0; m < 2; m++) {
        free(tree[m]);
        rig_free(&r[m]);
    }
    return differ;
}

/* The mesh cut many ways, engines, precisions: against one rank alone. */
static void all_ways_agree(void **unused)
{
    (void)unused;
    int failed = 0;
    for (int n = 0; n < WORLDS; n++) {
        const struct world *w = &worlds[n];
        const int64_t cells = (int64_t)w->box.n[0] * w->box.n[1] * w->box.n[2];
        const size_t bytes = (size_t)cells * sizeof(double);
        double *one = solve(w, MPI_COMM_SELF, "cpu", AN_DOUBLE, 0);
        double *other[] = {solve(w, MPI_COMM_WORLD, "cpu", AN_DOUBLE, 0),
                           solve(w, MPI_COMM_WORLD, "cpu", AN_DOUBLE, 60),
                           solve(w, MPI_COMM_WORLD, "emulated", AN_DOUBLE, 0)};
        double *single[] = {solve(w, MPI_COMM_WORLD, "cpu", AN_SINGLE, 90),
                            solve(w, MPI_COMM_WORLD, "emulated", AN_SINGLE, 0)};
        for (int m = 0; m < 3; m++) {
            failed += memcmp(one, other[m], bytes) != 0;
            free(other[m]);
        }
        for (int m = 0; m < 2; m++) {
            for (int64_t e = 0; e < cells; e++)
                failed += single[m][e] != (double)(float)one[e];
            free(single[m]);
        }
        free(one);
        failed += tree_differs(w, 0) + tree_differs(w, 60);
    }
    assert_int_equal(all_ranks(failed), 0);
}

static void without_walls_it_is_far(void **unused)
{
    (void)unused;
    int failed = 0, count;
    for (int single = 0; single < 2; single++) {
        struct rig r;
        rig_new(&r, &worlds[3], MPI_COMM_WORLD, "cpu", single ? AN_SINGLE : AN_DOUBLE, 0);
        for (int b = 0; b < r.mesh.topology.nboundary; b++)
            r.s->boundary[b].type = AN_BC_WALL_SLIP;
        double *d = distances(&r, &count);
        failed += count != 0;
        for (int64_t e = 0; e < an_topology_cells(&r.mesh.topology); e++)
            failed += d[e] != (single ? (double)1e30f : 1e30);
        free(d);
        rig_free(&r);
    }
    assert_int_equal(all_ranks(failed), 0);
}

/* Two rows of blades of different pitch, and a box with two periods; points as given. */
static void parts_have_their_own_images(void **unused)
{
    (void)unused;
    struct an_interface f[8];
    struct an_topology t = {.nblock = 5, .ninterface = 8, .interface = f};
    static const struct {
        int a, b, blades;
        double shift[3];
    } join[8] = {{1, 4, 0, {0, 0, 0}},   {0, 0, 36, {0, 0, 0}},       {0, 0, -36, {0, 0, 0}},
                 {4, 1, 30, {0, 0, 0}},  {1, 4, -30, {0, 0, 0}},      {2, 2, 0, {2, 0, 0}},
                 {2, 2, 0, {0, 0, 0.5}}, {2, 2, 0, {-2 - 1e-9, 0, 0}}};
    memset(f, 0, sizeof f);
    for (int i = 0; i < 8; i++) {
        const double angle = join[i].blades ? 2 * PI / join[i].blades : 0;
        f[i].window.block = join[i].a;
        f[i].donor = join[i].b;
        f[i].periodic = join[i].blades ? 2 : join[i].shift[0] != 0 || join[i].shift[2] != 0;
        f[i].rotation[0] = 1;
        f[i].rotation[4] = f[i].rotation[8] = cos(angle);
        f[i].rotation[7] = sin(angle);
        f[i].rotation[5] = -sin(angle);
        memcpy(f[i].translation, join[i].shift, sizeof join[i].shift);
    }
    /* 12 degrees around and 1 m along z, on the last rank; 2 m along x, here and there */
    double point[2][3] = {{rank ? 0 : -1, cos(0.1), sin(0.1)},
                          {rank ? 0 : 1, cos(0.1 + PI / 15), sin(0.1 + PI / 15)}};
    struct an_wall_images w;
    int failed = an_wall_images_new(MPI_COMM_WORLD, &t, 2, (const double(*)[3])point, &w) != AN_OK;
    assert_int_equal(all_ranks(failed), 0);
    static const int part[5] = {0, 1, 2, 3, 1};
    assert_int_equal(w.npart, 4);
    assert_memory_equal(w.part, part, sizeof part);
    assert_int_equal(w.nimage[0], 3); /* of 10 degrees: 1.2 + 0.5 pitches */
    assert_int_equal(w.nimage[1], 3);
    assert_int_equal(w.nimage[2], 9); /* x and z, and both */
    assert_int_equal(w.nimage[3], 1);
    an_wall_images_free(&w);
    for (int i = 0; i < 2; i++) { /* over 96 degrees: 9 pitches of 10 and 1/10, 8 of 12 */
        point[i][1] = cos(i * 96 * PI / 180 + 3);
        point[i][2] = sin(i * 96 * PI / 180 + 3);
    }
    double many[97][3];
    for (int i = 0; i < 97; i++) {
        many[i][0] = 0;
        many[i][1] = cos(i * PI / 180 + 3);
        many[i][2] = sin(i * PI / 180 + 3);
    }
    failed = an_wall_images_new(MPI_COMM_WORLD, &t, 97, (const double(*)[3])many, &w) != AN_OK;
    assert_int_equal(all_ranks(failed), 0);
    assert_int_equal(w.nimage[0], 21); /* 9.6 + 0.5 */
    assert_int_equal(w.nimage[1], 17); /* 8 + 0.5 */
    an_wall_images_free(&w);
    /* a whole turn of 100 passages, which points in two of them see */
    const double pitch = 2 * PI / 100;
    for (int i = 1; i < 3; i++) {
        const double angle = i == 1 ? pitch : -pitch;
        f[i].rotation[4] = f[i].rotation[8] = cos(angle);
        f[i].rotation[7] = sin(angle);
        f[i].rotation[5] = -sin(angle);
    }
    static double all[400][3];
    for (int i = 0; i < 400; i++) {
        all[i][1] = cos(0.25 * i * pitch);
        all[i][2] = sin(0.25 * i * pitch);
    }
    for (int n = 8; n <= 400; n += 392) {
        failed = an_wall_images_new(MPI_COMM_WORLD, &t, n, (const double(*)[3])all, &w) != AN_OK;
        assert_int_equal(all_ranks(failed), 0);
        assert_int_equal(w.nimage[0], n == 8 ? 5 : 100);
        an_wall_images_free(&w);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int n = 0; n < WORLDS; n++)
        vm_write(fixture_path(worlds[n].name), &worlds[n].box);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_cells_are_right),
        cmocka_unit_test(all_ways_agree),
        cmocka_unit_test(without_walls_it_is_far),
        cmocka_unit_test(parts_have_their_own_images),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}

#include "solver/flow/wall_images.h"

#include "kernels/base/numbers.h"
#include "mpi/reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_IMAGES = 65536, SECTORS = 7200 };

static const double pi = 3.14159265358979323846;

/* first, then second */
static struct an_wall_image compose(const struct an_wall_image *first,
                                    const struct an_wall_image *second)
{
    struct an_wall_image g;
    for (int r = 0; r < 3; r++) {
        const double *row = second->rotation + 3 * r;
        for (int c = 0; c < 3; c++)
            g.rotation[3 * r + c] = row[0] * first->rotation[c] + row[1] * first->rotation[3 + c] +
                                    row[2] * first->rotation[6 + c];
        g.translation[r] = row[0] * first->translation[0] + row[1] * first->translation[1] +
                           row[2] * first->translation[2] + second->translation[r];
    }
    return g;
}

static struct an_wall_image inverse(const struct an_wall_image *g)
{
    struct an_wall_image h;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            h.rotation[3 * r + c] = g->rotation[3 * c + r];
    for (int r = 0; r < 3; r++) {
        const double *row = h.rotation + 3 * r, *t = g->translation;
        h.translation[r] = -(row[0] * t[0] + row[1] * t[1] + row[2] * t[2]);
    }
    return h;
}

/* Files round their periods, each zone its own. length: of the longest translation about. */
static int same(const struct an_wall_image *a, const struct an_wall_image *b, double length)
{
    for (int i = 0; i < 9; i++)
        if (fabs(a->rotation[i] - b->rotation[i]) > 1e-6)
            return 0;
    for (int c = 0; c < 3; c++)
        if (fabs(a->translation[c] - b->translation[c]) > 1e-6 * length)
            return 0;
    return 1;
}

static int known(int n, const struct an_wall_image *list, const struct an_wall_image *g,
                 double length)
{
    for (int i = 0; i < n; i++)
        if (same(&list[i], g, length))
            return 1;
    return 0;
}

static int root_of(const int *part, int b)
{
    while (part[b] != b)
        b = part[b];
    return b;
}

/* Parts: blocks that interfaces join, numbered by their first block. */
static void find_parts(const struct an_topology *t, struct an_wall_images *w)
{
    for (int b = 0; b < t->nblock; b++)
        w->part[b] = b;
    for (int i = 0; i < t->ninterface; i++) {
        const int a = root_of(w->part, t->interface[i].window.block);
        const int b = root_of(w->part, t->interface[i].donor);
        w->part[a > b ? a : b] = a < b ? a : b;
    }
    for (int p = 0; p < t->npatch; p++) /* abutting sides, which need not match */
        for (int q = 0; q < t->npatch; q++) {
            const struct an_boundary *side = &t->boundary[t->patch[p].boundary];
            if (side->type != AN_BC_ABUTTING ||
                strcmp(side->with, t->boundary[t->patch[q].boundary].name) != 0)
                continue;
            const int a = root_of(w->part, t->patch[p].window.block);
            const int b = root_of(w->part, t->patch[q].window.block);
            w->part[a > b ? a : b] = a < b ? a : b;
        }
    for (int b = 0; b < t->nblock; b++) /* what a block points to comes before it: done already */
        w->part[b] = w->part[b] == b ? w->npart++ : w->part[w->part[b]];
}

static int is_abutting(const struct an_topology *t, const struct an_patch *p)
{
    const struct an_boundary *b = &t->boundary[p->boundary];
    return b->type == AN_BC_ABUTTING && b->periodic;
}

/* Adds a transformation, unless it or its inverse is there. */
static void add_generator(struct an_wall_image *list, int *n, const double rotation[9],
                          const double translation[3], double length)
{
    struct an_wall_image g;
    memcpy(g.rotation, rotation, sizeof g.rotation);
    memcpy(g.translation, translation, sizeof g.translation);
    const struct an_wall_image back = inverse(&g);
    if (!same(&g, &an_wall_identity, length) && !known(*n, list, &g, length) &&
        !known(*n, list, &back, length))
        list[(*n)++] = g;
}

/* The distinct periodic transformations of a part, without their inverses. */
static int find_generators(const struct an_topology *t, const int *part, int wanted,
                           struct an_wall_image *list, double *length)
{
    int n = 0;
    *length = 0;
    for (int i = 0; i < t->ninterface; i++)
        if (t->interface[i].periodic && part[t->interface[i].window.block] == wanted)
            *length = fmax(*length, an_length(t->interface[i].translation));
    for (int p = 0; p < t->npatch; p++)
        if (is_abutting(t, &t->patch[p]) && part[t->patch[p].window.block] == wanted)
            *length = fmax(*length, an_length(t->boundary[t->patch[p].boundary].translation));
    for (int i = 0; i < t->ninterface; i++) {
        const struct an_interface *f = &t->interface[i];
        if (f->periodic && part[f->window.block] == wanted)
            add_generator(list, &n, f->rotation, f->translation, *length);
    }
    for (int p = 0; p < t->npatch; p++) {
        const struct an_boundary *b = &t->boundary[t->patch[p].boundary];
        if (is_abutting(t, &t->patch[p]) && part[t->patch[p].window.block] == wanted)
            add_generator(list, &n, b->rotation, b->translation, *length);
    }
    return n;
}

/* Angle about x by which the points of all ranks reach around: the circle without the widest gap.
 */
static int angle_covered(MPI_Comm comm, int64_t npoint, const double (*point)[3], double *angle)
{
    unsigned char seen[SECTORS] = {0};
    for (int64_t i = 0; i < npoint; i++) {
        const double turn = atan2(point[i][2], point[i][1]) / (2 * pi) + 0.5;
        seen[(int)(turn * SECTORS) % SECTORS] = 1;
    }
    AN_MPI(MPI_Allreduce(MPI_IN_PLACE, seen, SECTORS, MPI_UNSIGNED_CHAR, MPI_MAX, comm));
    int widest = 0;
    for (int i = 0, gap = 0; i < 2 * SECTORS; i++) {
        gap = seen[i % SECTORS] ? 0 : gap + 1;
        widest = gap > widest && gap <= SECTORS ? gap : widest;
    }
    *angle = 2 * pi * (SECTORS - widest) / SECTORS;
    return AN_OK;
}

/* K of a transformation: see wall_distance.h. */
static int powers_needed(MPI_Comm comm, const struct an_wall_image *g, int64_t npoint,
                         const double (*point)[3], int *most)
{
    const double angle = fabs(atan2(g->rotation[7], g->rotation[4]));
    const double length = an_length(g->translation);
    double extent;
    if (angle > 1e-6) {
        AN_TRY(angle_covered(comm, npoint, point, &extent));
        *most = (int)fmin(floor(extent / angle + 0.5), ceil(pi / angle));
    } else {
        double reach[2] = {-HUGE_VAL, -HUGE_VAL}; /* forwards, backwards */
        for (int64_t i = 0; i < npoint; i++) {
            const double along =
                (point[i][0] * g->translation[0] + point[i][1] * g->translation[1] +
                 point[i][2] * g->translation[2]) /
                length;
            reach[0] = fmax(reach[0], along);
            reach[1] = fmax(reach[1], -along);
        }
        AN_TRY(an_reduce_max(comm, 2, reach));
        extent = reach[0] + reach[1];
        *most = (int)fmin(floor(extent / length + 0.5), MOST_IMAGES);
    }
    if (*most < 1)
        *most = 1;
    return AN_OK;
}

/* Adds the images of those so far under g, g^-1, g^2, ... */
static int add_powers(const struct an_wall_image *g, int most, double length, int *n,
                      struct an_wall_image **list)
{
    const int before = *n;
    struct an_wall_image step[2] = {*g, inverse(g)}, power[2] = {*g, step[1]};
    AN_CHECK((double)before * (2. * most + 1) <= MOST_IMAGES, AN_INPUT,
             "the periodic interfaces ask for %.0f images of the walls", before * (2. * most + 1));
    struct an_wall_image *grown =
        realloc(*list, (size_t)before * (2 * (size_t)most + 1) * sizeof *grown);
    AN_CHECK(grown, AN_FAIL, "out of memory for images of the walls");
    *list = grown;
    for (int k = 1; k <= most; k++)
        for (int way = 0; way < 2; way++) {
            for (int i = 0; i < before; i++) {
                const struct an_wall_image image = compose(&grown[i], &power[way]);
                if (!known(*n, grown, &image, length))
                    grown[(*n)++] = image;
            }
            power[way] = compose(&power[way], &step[way]);
        }
    return AN_OK;
}

static int find_images(MPI_Comm comm, const struct an_topology *mesh, int part, int64_t npoint,
                       const double (*point)[3], struct an_wall_image *generator,
                       struct an_wall_images *w)
{
    double length;
    const int n = find_generators(mesh, w->part, part, generator, &length);
    for (int g = 0; g < n; g++) {
        int most;
        AN_TRY(powers_needed(comm, &generator[g], npoint, point, &most));
        AN_TRY(an_reduce_status(
            comm, add_powers(&generator[g], most, length, &w->nimage[part], &w->image[part])));
    }
    return AN_OK;
}

int an_wall_images_any(const struct an_topology *mesh)
{
    for (int i = 0; i < mesh->ninterface; i++)
        if (mesh->interface[i].periodic)
            return 1;
    for (int p = 0; p < mesh->npatch; p++)
        if (is_abutting(mesh, &mesh->patch[p]))
            return 1;
    return 0;
}

int an_wall_images_new(MPI_Comm comm, const struct an_topology *mesh, int64_t npoint,
                       const double (*point)[3], struct an_wall_images *w)
{
    const size_t blocks = (size_t)mesh->nblock + 1;
    memset(w, 0, sizeof *w);
    struct an_wall_image *generator =
        malloc(((size_t)mesh->ninterface + (size_t)mesh->npatch + 1) * sizeof *generator);
    w->part = malloc(blocks * sizeof *w->part);
    w->nimage = calloc(blocks, sizeof *w->nimage);
    w->image = calloc(blocks, sizeof *w->image);
    int status = generator && w->part && w->nimage && w->image
                     ? AN_OK
                     : an_error_set(AN_FAIL, "out of memory for images of the walls");
    if (status == AN_OK)
        find_parts(mesh, w);
    for (int p = 0; p < w->npart && status == AN_OK; p++) {
        w->image[p] = malloc(sizeof **w->image);
        if (w->image[p])
            w->image[p][w->nimage[p]++] = an_wall_identity;
        else
            status = an_error_set(AN_FAIL, "out of memory for images of the walls");
    }
    status = an_reduce_status(comm, status);
    for (int p = 0; p < w->npart && status == AN_OK; p++)
        status = find_images(comm, mesh, p, npoint, point, generator, w);
    free(generator);
    if (status != AN_OK)
        an_wall_images_free(w);
    return status;
}

void an_wall_images_free(struct an_wall_images *w)
{
    for (int p = 0; p < w->npart; p++)
        free(w->image[p]);
    free(w->part);
    free(w->nimage);
    free(w->image);
    memset(w, 0, sizeof *w);
}

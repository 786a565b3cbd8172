#include "solver/monitor/wall_sums.h"

#include "kernels/base/numbers.h"
#include "kernels/base/threads.h"
#include "kernels/base/xsum_many.h"
#include "solver/level/level.h"
#include "solver/monitor/walls.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 256 };

/* Faces, quantity by quantity. */
struct block {
    int n;
    double value[AN_NCOMP_WALL][BLOCK];
    double y[BLOCK], z[BLOCK];           /* m: centre of the face */
    double foot_y[BLOCK], foot_z[BLOCK]; /* m: point of the wall before the cell's centre */
    double sweep[BLOCK];                 /* m3/s: of the face with the mesh */
    double term[AN_NWALL_SUM][BLOCK];
};

/* How a wall moves. */
struct motion {
    double mesh, wall;     /* rad/s */
    const double *sliding; /* m/s: velocity beside the rotation, 3 */
};

static struct motion motion_of(const struct an_solver *s, const struct an_face_window *win)
{
    const struct an_bc_value *bc = &s->boundary[win->boundary];
    const int zone = s->level->partition.piece[s->local[win->window.block]].zone;
    const double mesh = s->omega ? s->omega[zone] : 0;
    return (struct motion){.mesh = mesh,
                           .wall =
                               bc->v[AN_BC_WALL_OMEGA] + (bc->v[AN_BC_WITH_BLOCK] != 0 ? mesh : 0),
                           .sliding = &bc->v[AN_BC_WALL_VELOCITY]};
}

static void load(enum an_precision precision, const struct an_walls *w, double mesh, int64_t first,
                 struct block *b)
{
    const void *image = w->image[w->taken];
    if (precision == AN_SINGLE) {
        const float *v = (const float *)image + first * AN_NCOMP_WALL;
        for (int f = 0; f < b->n; f++)
            for (int c = 0; c < AN_NCOMP_WALL; c++)
                b->value[c][f] = (double)v[f * AN_NCOMP_WALL + c];
    } else {
        const double *v = (const double *)image + first * AN_NCOMP_WALL;
        for (int f = 0; f < b->n; f++)
            for (int c = 0; c < AN_NCOMP_WALL; c++)
                b->value[c][f] = v[f * AN_NCOMP_WALL + c];
    }
    for (int f = 0; f < b->n; f++) {
        b->y[f] = w->centre[first + f][1];
        b->z[f] = w->centre[first + f][2];
        b->foot_y[f] = w->foot[first + f][1];
        b->foot_z[f] = w->foot[first + f][2];
        b->sweep[f] = w->sweep[first + f] * mesh;
    }
}

static void find_forces(struct block *b)
{
    const double *sx = b->value[AN_WALL_SX], *sy = b->value[AN_WALL_SY], *sz = b->value[AN_WALL_SZ];
    double *area = b->term[AN_WALL_SUM_AREA];
    for (int f = 0; f < b->n; f++)
        area[f] = sqrt(sx[f] * sx[f] + sy[f] * sy[f] + sz[f] * sz[f]);
    for (int c = 0; c < 3; c++) {
        const double *stress = b->value[AN_WALL_TX + c], *s = b->value[AN_WALL_SX + c];
        double *force = b->term[AN_WALL_SUM_FORCE + c],
               *tangential = b->term[AN_WALL_SUM_FRICTION + c];
        for (int f = 0; f < b->n; f++) {
            tangential[f] = stress[f] * area[f];
            force[f] = tangential[f] + b->value[AN_WALL_P][f] * s[f];
        }
    }
    const double *fy = b->term[AN_WALL_SUM_FORCE + 1], *fz = b->term[AN_WALL_SUM_FORCE + 2];
    for (int f = 0; f < b->n; f++) {
        b->term[AN_WALL_SUM_TORQUE][f] = b->y[f] * fz[f] - b->z[f] * fy[f];
        b->term[AN_WALL_SUM_HEAT][f] = b->value[AN_WALL_HEAT][f] * area[f];
    }
}

/* The pressure works on what the faces sweep with the mesh; the stress works on the wall, which may move otherwise: the
 * gas at the wall has the wall's velocity, but across the face that of the face. */
static void find_power(const struct motion *m, struct block *b)
{
    const double *sx = b->value[AN_WALL_SX], *sy = b->value[AN_WALL_SY], *sz = b->value[AN_WALL_SZ];
    const double *rx = b->term[AN_WALL_SUM_FRICTION], *ry = b->term[AN_WALL_SUM_FRICTION + 1],
                 *rz = b->term[AN_WALL_SUM_FRICTION + 2];
    const double *p = b->value[AN_WALL_P], *area = b->term[AN_WALL_SUM_AREA];
    double *power = b->term[AN_WALL_SUM_POWER];
    const double u = m->sliding[0], v0 = m->sliding[1], w0 = m->sliding[2], omega = m->wall;
    for (int f = 0; f < b->n; f++) {
        const double v = v0 - omega * b->foot_z[f], w = w0 + omega * b->foot_y[f];
        const double across =
            (u * sx[f] + v * sy[f] + w * sz[f] - b->sweep[f]) / (area[f] * area[f]);
        const double friction = rx[f] * (u - across * sx[f]) + ry[f] * (v - across * sy[f]) +
                                rz[f] * (w - across * sz[f]);
        power[f] = -friction - p[f] * b->sweep[f];
    }
}

/* The larger one; a NaN is kept. */
static double larger(double a, double b)
{
    return isnan(a) || b <= a ? a : b;
}

enum { FACES = 2000 }; /* of a thread, at least */

void an_wall_sums_find(const struct an_solver *s, struct an_walls *w)
{
    memset(w->part, 0, (size_t)w->nwindow * sizeof *w->part);
#pragma omp parallel for schedule(dynamic) num_threads(an_threads_of(w->nface / FACES))
    for (int m = 0; m < w->nwindow; m++) {
        struct block b;
        const struct motion motion = motion_of(s, &w->window[m]);
        const int64_t first = w->window[m].first, count = an_window_faces(&w->window[m].window);
        double most = 0;
        for (int64_t f = 0; f < count; f += b.n) {
            b.n = count - f < BLOCK ? (int)(count - f) : BLOCK;
            load(s->level->layout.precision, w, motion.mesh, first + f, &b);
            find_forces(&b);
            find_power(&motion, &b);
            for (int t = 0; t < AN_NWALL_SUM; t++)
                an_xsum_add_many(&w->part[m][t], b.n, b.term[t]);
            for (int k = 0; k < b.n; k++)
                most = larger(most, b.value[AN_WALL_YPLUS][k]);
        }
        w->yplus[m] = most;
    }
}

void an_wall_terms(const struct an_solver *s, const struct an_walls *w, int m, int64_t k,
                   double term[AN_NWALL_SUM])
{
    struct block b; /* large: what is not read stays as it is */
    const struct motion motion = motion_of(s, &w->window[m]);
    b.n = 1;
    load(s->level->layout.precision, w, motion.mesh, w->window[m].first + k, &b);
    find_forces(&b);
    find_power(&motion, &b);
    for (int t = 0; t < AN_NWALL_SUM; t++)
        term[t] = b.term[t][0];
}

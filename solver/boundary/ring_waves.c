#define AN_PRECISION 64
#include "solver/boundary/ring_waves.h"

#include "bc/giles.h"
#include "kernels/base/numbers.h"
#include "kernels/physics/boundary.h"
#include "mpi/reduce.h"
#include "solver/boundary/face_values.h"
#include "solver/level/component.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relaxation factor of steady harmonics. */
static const double relaxation = 0.1;
/* Rings whose Mach number normal to the boundary is higher have no harmonics. */
static const double highest_mach = 0.98;

static int is_unsteady(const struct an_solver *s)
{
    return s->c->march.mode == AN_MARCH_UNSTEADY;
}

static struct an_complex turned(struct an_complex a, struct an_complex b)
{
    return (struct an_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* ---- the flow at the rings ---- */

/* Gathers the states of the two cells inside each face of this rank on the device and downloads them. */
static int download(struct an_solver *s, struct an_ring_waves *k)
{
    const struct an_engine_ops *op = s->engine->op;
    struct an_fields f = s->level->fields;
    f.at[AN_F_TURB] = NULL;
    f.at[AN_F_SLIDE] = k->field;
    f.at[AN_F_SLIDE_MAP] = k->map;
    AN_TRY(
        op->run_faces(s->engine, AN_S_slide_gather, s->scheme, k->faces, &f, &s->params, NULL, 0));
    AN_TRY(op->download(s->engine, k->image, k->field,
                        (size_t)(k->nface * AN_NCOMP_SLIDE) * (size_t)s->level->layout.precision,
                        0));
    return op->sync(s->engine, 0);
}

static double bounded(double x, double most)
{
    return fmin(fmax(x, -most), most);
}

/* Density, outward and tangential velocity and pressure on a face, extrapolated from the two cells inside. The
 * correction to the first cell is limited to a fifth of its density, pressure or speed of sound (for velocities). */
static void on_face(const struct an_solver *s, const struct an_ring_waves *k, int64_t f,
                    double q[4])
{
    const struct an_face_place *at = &an_face_values_of(s)->place[k->row[f]];
    const double r = hypot(at->x[1], at->x[2]), area = an_length(at->s);
    const double nx = area > 0 ? at->s[0] / area : 0,
                 nr = area > 0 && r > 0 ? (at->s[1] * at->x[1] + at->s[2] * at->x[2]) / (r * area)
                                        : 0;
    double cell[2][4];
    for (int m = 0; m < 2; m++) {
        double v[5]; /* rho; axial, radial, tangential velocity; p */
        for (int c = 0; c < 5; c++)
            v[c] =
                an_real_get(s->level->layout.precision, k->image, f * AN_NCOMP_SLIDE + 7 * m + c);
        const double all[4] = {v[0], v[1] * nx + v[2] * nr, v[3], v[4]};
        memcpy(cell[m], all, sizeof all);
    }
    const double c = sqrt(cell[0][3] / cell[0][0]), most[4] = {cell[0][0], c, c, cell[0][3]};
    for (int n = 0; n < 4; n++)
        q[n] = cell[0][n] + bounded(k->ahead[f] * (cell[0][n] - cell[1][n]), 0.2 * most[n]) -
               k->pattern[k->row[f]][1][n];
}

void an_ring_waves_pattern(struct an_solver *s, int64_t row, const double q[4], int renewed)
{
    struct an_ring_waves *k = an_component_of(s, &an_ring_waves_component);
    if (!k || k->row_place[row] < 0)
        return;
    double(*of)[4] = k->pattern[row];
    if (renewed && is_unsteady(s))
        memcpy(of[1], of[0], sizeof of[1]);
    memcpy(of[0], q, sizeof of[0]);
    if (!is_unsteady(s))
        memcpy(of[1], of[0], sizeof of[1]);
}

/* Sums the states of faces over the ranks, so that each rank has all; a rank adds zeros for faces of others. */
static int gather(struct an_solver *s, struct an_ring_waves *k)
{
    memset(k->q, 0, (size_t)k->nplace * sizeof *k->q);
    for (int64_t f = 0; f < k->nface; f++) {
        double *q = k->q[k->place[f]];
        on_face(s, k, f, q);
        for (int c = 0; c < 4; c++)
            q[c] += 0.0; /* -0 becomes 0, as it does in a sum over ranks */
    }
    if (s->nrank > 1)
        AN_MPI(
            MPI_Allreduce(MPI_IN_PLACE, k->q, (int)(4 * k->nplace), MPI_DOUBLE, MPI_SUM, s->comm));
    return AN_OK;
}

/* The mean state of a ring. Returns the direction of its flow: 1 outward, -1 inward; 0 if the ring has no harmonics,
 * since its flow turns back or is too fast. */
static int mean_of(const struct an_solver *s, const struct an_ring_waves *k,
                   const struct an_ring *r, double mean[4], struct an_giles_mean *m)
{
    memset(mean, 0, 4 * sizeof *mean);
    for (int64_t f = r->first; f < r->first + r->n; f++)
        for (int c = 0; c < 4; c++)
            mean[c] += k->weight[f] * k->q[f][c];
    const struct an_gas *gas = &s->c->gas.model;
    *m = (struct an_giles_mean){.rho = mean[0],
                                .c = an_gas_sound(gas, mean[3] / (mean[0] * gas->R)),
                                .u = fabs(mean[1]),
                                .v = mean[2] - k->omega[r->boundary] * r->radius};
    const int way = mean[1] > 0 ? 1 : -1;
    const int back =
        (r->user == AN_RING_OUTLET && way < 0) || (r->user == AN_RING_INLET && way > 0);
    return !back && m->u < highest_mach * m->c ? way : 0; /* a mean that is NaN gives 0 */
}

/* Harmonics of the waves that leave: out[r->nmode] as in giles.h. */
static void harmonics(const struct an_ring_waves *k, const struct an_ring *r, int way,
                      const double mean[4], const struct an_giles_mean *m,
                      struct an_complex (*out)[2])
{
    memset(out, 0, (size_t)r->nmode * sizeof *out);
    for (int64_t f = r->first; f < r->first + r->n; f++) {
        const double *q = k->q[f], dp = q[3] - mean[3], du = m->rho * m->c * way * (q[1] - mean[1]);
        const double c2 = k->weight[f] * (m->rho * m->c * (q[2] - mean[2])),
                     sound = k->weight[f] * (way > 0 ? dp + du : dp - du);
        const struct an_complex e = {k->turn[f].re, -k->turn[f].im};
        struct an_complex z = {1, 0};
        for (int l = 0; l < r->nmode; l++) {
            z = turned(z, e);
            out[l][0].re += c2 * z.re;
            out[l][0].im += c2 * z.im;
            out[l][1].re += sound * z.re;
            out[l][1].im += sound * z.im;
        }
    }
}

/* ---- what enters ---- */

static void advance(const struct an_solver *s, struct an_ring *r, struct an_ring_mode *mode,
                    struct an_complex (*out)[2])
{
    const double dt = s->time - r->time; /* NaN: the first time */
    for (int l = 0; l < r->nmode; l++) {
        if (dt > 0)
            an_giles_step(&r->mean, r->way > 0, an_ring_wave_number(r, l), dt, mode[l].last, out[l],
                          &mode[l].state);
        memcpy(mode[l].last, out[l], sizeof mode[l].last);
    }
    r->time = s->time;
    r->ahead = dt > 0 ? dt * (s->implicit ? 1 : 0.5) : 0; /* explicit steps: their middle */
    an_ring_waves_foresee(r, mode);
}

static void relax(const struct an_ring *r, struct an_ring_mode *mode, struct an_complex (*out)[2])
{
    for (int l = 0; l < r->nmode; l++) {
        struct an_complex in[2] = {{0, 0}, {0, 0}};
        if (r->way)
            an_giles_steady(&r->mean, r->way > 0, out[l], in);
        for (int c = 0; c < 2; c++) {
            mode[l].in[c].re += relaxation * (in[c].re - mode[l].in[c].re);
            mode[l].in[c].im += relaxation * (in[c].im - mode[l].in[c].im);
        }
    }
}

static void forget(const struct an_ring *r, struct an_ring_mode *mode)
{
    for (int l = 0; l < r->nmode; l++) {
        memset(mode[l].last, 0, sizeof mode[l].last);
        memset(mode[l].in, 0, sizeof mode[l].in);
        memset(&mode[l].state, 0, sizeof mode[l].state);
    }
}

static void update_ring(const struct an_solver *s, struct an_ring_waves *k, struct an_ring *r,
                        struct an_complex (*out)[2])
{
    struct an_ring_mode *mode = k->mode + r->mode;
    double mean[4];
    const int way = mean_of(s, k, r, mean, &r->mean);
    if (way != r->way && r->way)
        forget(r, mode);
    if (way != r->way)
        r->time = NAN;
    r->way = way;
    harmonics(k, r, way, mean, &r->mean, out);
    if (!is_unsteady(s))
        relax(r, mode, out);
    else if (way)
        advance(s, r, mode, out);
}

/* ---- updates ---- */

static int is_due(const struct an_solver *s, const struct an_ring_waves *k, const struct an_ring *r,
                  enum an_ring_user user)
{
    return r->user == (int)user && (is_unsteady(s) || s->iteration % k->every[r->boundary] == 0);
}

int an_ring_waves_update(struct an_solver *s, enum an_ring_user user, int *some)
{
    struct an_ring_waves *k = an_component_of(s, &an_ring_waves_component);
    int most = 0;
    *some = 0;
    for (int m = 0; k && m < k->nring; m++) {
        *some |= is_due(s, k, &k->ring[m], user);
        most = k->ring[m].nmode > most ? k->ring[m].nmode : most;
    }
    if (!*some)
        return AN_OK;
    struct an_complex(*out)[2] = malloc(((size_t)most + 1) * sizeof *out);
    AN_CHECK(out, AN_FAIL, "out of memory for non-reflecting boundaries");
    int status = download(s, k);
    if (status == AN_OK)
        status = gather(s, k);
    for (int m = 0; m < k->nring && status == AN_OK; m++)
        if (is_due(s, k, &k->ring[m], user) && m % s->nrank == s->rank)
            update_ring(s, k, &k->ring[m], out);
    free(out);
    return status == AN_OK ? an_ring_waves_share(s, k) : status;
}

/* c2 and the wave of sound that enter through a face, Pa. */
static void at_face(const struct an_ring_waves *k, const struct an_ring *r, int64_t place,
                    double in[2])
{
    const struct an_ring_mode *mode = k->mode + r->mode;
    const struct an_complex e = k->turn[place];
    struct an_complex z = {1, 0};
    in[0] = in[1] = 0;
    for (int l = 0; l < r->nmode; l++) {
        z = turned(z, e);
        const struct an_complex b = {z.re - mode[l].flat.re, z.im - mode[l].flat.im};
        for (int c = 0; c < 2; c++)
            in[c] += 2 * (mode[l].in[c].re * b.re - mode[l].in[c].im * b.im);
    }
}

void an_ring_waves_add(const struct an_solver *s, int64_t row, double v[AN_BC_NVALUE])
{
    const struct an_ring_waves *k = an_component_of(s, &an_ring_waves_component);
    if (!k || k->row_place[row] < 0)
        return;
    const struct an_ring *r = &k->ring[k->ring_of[k->row_place[row]]];
    double in[2];
    v[AN_BC_AHEAD] = r->way ? k->row_ahead[row] : 0;
    if (!r->way)
        return;
    at_face(k, r, k->row_place[row], in);
    if (r->user == AN_RING_OUTLET) {
        v[AN_BC_P] += bounded(0.5 * in[1], 0.25 * v[AN_BC_P]);
        return;
    }
    const struct an_face_place *at = &an_face_values_of(s)->place[row];
    const double radius = hypot(at->x[1], at->x[2]), area = an_length(at->s);
    const double z = r->mean.rho * r->mean.c, p = v[AN_BC_PRESSURE];
    const double dp = bounded(0.5 * in[1], 0.25 * p), out = -dp / z;
    const double around = radius > 0 ? bounded(in[0] / z, 0.5 * r->mean.c) / radius : 0;
    const struct an_gas *gas = &s->c->gas.model;
    const double gamma = an_gas_gamma(gas, p / (v[AN_BC_RHO] * gas->R));
    v[AN_BC_RHO] *= pow((p + dp) / p, 1 / gamma);
    v[AN_BC_PRESSURE] = p + dp;
    for (int d = 0; d < 3 && area > 0; d++)
        v[AN_BC_VELOCITY + d] += out * at->s[d] / area;
    v[AN_BC_VELOCITY + 1] -= around * at->x[2];
    v[AN_BC_VELOCITY + 2] += around * at->x[1];
}

/* ---- the part ---- */

static void ring_waves_destroy(struct an_solver *s, void *component)
{
    struct an_ring_waves *k = component;
    if (k->faces)
        s->engine->op->faces_free(s->engine, k->faces);
    if (k->field)
        s->engine->op->free(s->engine, k->field);
    if (k->map)
        s->engine->op->free(s->engine, k->map);
    if (k->image)
        s->engine->op->free_host(s->engine, k->image);
    free(k->ring);
    free(k->mode);
    free(k->every);
    free(k->omega);
    free(k->weight);
    free(k->turn);
    free(k->ring_of);
    free(k->q);
    free(k->place);
    free(k->row_place);
    free(k->pattern);
    free(k->row);
    free(k->ahead);
    free(k->row_ahead);
    free(k);
}

static int ring_waves_make(struct an_solver *s, void **component)
{
    struct an_ring_waves *k = calloc(1, sizeof *k);
    *component = k;
    AN_CHECK(k, AN_FAIL, "out of memory for non-reflecting boundaries");
    AN_TRY(an_ring_waves_setup(s, k));
    if (!k->nring) {
        ring_waves_destroy(s, k);
        *component = NULL;
    }
    return AN_OK;
}

static int ring_waves_start(struct an_solver *s, void *component, int fresh)
{
    struct an_ring_waves *k = component;
    (void)s, (void)fresh;
    for (int m = 0; m < k->nring; m++) {
        k->ring[m].way = 0;
        k->ring[m].time = NAN;
        forget(&k->ring[m], k->mode + k->ring[m].mode);
    }
    return AN_OK;
}

const struct an_component_type an_ring_waves_component = {.name = "two-dimensional waves",
                                                          .after = AN_AFTER("face values"),
                                                          .make = ring_waves_make,
                                                          .destroy = ring_waves_destroy,
                                                          .start = ring_waves_start,
                                                          .take = an_ring_waves_take,
                                                          .keep = an_ring_waves_keep};

/* Two ducts joined by a sliding plane; row b turns at 300 rad/s past row a.
 *
 *   r from 0.5 to 0.7 m; a ninth of the annulus; ends are far fields. gamma 1.4, R 287.05.
 *
 *   uniform:  axial flow, p = p_ref, 40 explicit steps, and 4 dual ones; faces uneven around and along the span, the
 *             plane a cone; relative error of the state
 *               equal numbers of faces around, uneven          1e-12
 *               10 and 8 faces around: the polygons differ     (dtheta_a^2 - dtheta_b^2) / 12
 *   fluxes:   a flow that varies everywhere; mass, axial momentum, moment and energy that leave a through the plane
 *             enter b, at angles of three steps, inviscid and laminar    1e-12 of what passes
 *   spot:     a hot spot that the flow carries through the plane, which slides at 0.7 of the flow's speed; error of
 *             the density over that of the same mesh joined one to one  1.2; order 1.9
 *   ranks:    the same bits on 1, 2, 3, 4 and (`long`, explicit) 8 ranks; restart in the middle: the
 *             same bits
 *   emulated: the bits of the CPU by the kernels of CUDA on the host, recorded
 *   rest:     a steady run with coinciding faces, at rest: what one-to-one gives    1e-9
 *   whole:    row b turns by one face, or three, in each dual step, so that faces coincide in all of them: the state
 *             of one to one, whose row a is put back by so many faces before each step    1e-12
 *   refused:  pitches that differ; the message says how many passages would do
 */
#include "kernels/physics/slide.h"
#include "solver/flow/fields.h"
#include "solver/flow/flow.h"
#include "solver/flow/slide.h"
#include "solver/level/level.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double inner = 0.5, outer = 0.7, gas = 287.05, p1 = 1e5, T1 = 300, u1 = 100;

static const char *device = "cpu";

/* ---- meshes ---- */

struct duct {
    double x0, x1, angle;
    double radius[2]; /* m: hub, casing */
    double cone;      /* dx/dr of the plane, which lies at x = 0 in the middle */
    double cluster, uneven;
};

/* i along x, j outwards, k around */
static void duct_map(void *context, const double s[3], double x[3])
{
    const struct duct *d = context;
    const double middle = 0.5 * (d->radius[0] + d->radius[1]);
    const double r =
        d->radius[0] + (d->radius[1] - d->radius[0]) * (s[1] + d->cluster * sin(2 * PI * s[1]));
    const double at = d->x0 + (d->x1 - d->x0) * s[0];
    const double near = 1 - fabs(at) / fmax(fabs(d->x0), fabs(d->x1));
    vm_cylindrical(at + d->cone * (r - middle) * near, r,
                   d->angle * (s[2] + d->uneven * sin(2 * PI * s[2])), x);
}

static void write_duct(const char *path, struct duct *d, const int n[3], int parts, int turn)
{
    static const struct vm_segment ends[] = VM_SECTOR(AN_BC_FARFIELD, "in", AN_BC_FARFIELD, "out");
    const struct vm_box box = {.n = {n[0], n[1], n[2]},
                               .parts = {1, 1, parts},
                               .turn = turn,
                               .map = duct_map,
                               .context = d,
                               .angle = d->angle,
                               .nsegment = 6,
                               .segment = ends};
    vm_write(path, &box);
}

static void join(const char *name)
{
    int failed = 0, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        const char *bin = getenv("AN_BIN");
        failed =
            system(verify_text("%s/mesh_join -o %s a=%s b=%s", bin ? bin : "build/bin",
                               fixture_path(name), fixture_path("a.cgns"), fixture_path("b.cgns")));
    }
    MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    fixture_must(failed ? an_error_set(AN_FAIL, "status %d", failed) : AN_OK, "mesh_join");
}

struct stage {
    const char *name;
    int n[2][3]; /* cells of a and b */
    double cone, cluster[2], uneven[2];
    int turn[2]; /* of zones, as they are stored */
};

static void write_stage(const struct stage *g, double angle_b)
{
    for (int side = 0; side < 2; side++) {
        struct duct d = {.x0 = side ? 0 : -0.15,
                         .x1 = side ? 0.15 : 0,
                         .angle = side ? angle_b : 2 * PI / 9,
                         .radius = {inner, outer},
                         .cone = g->cone,
                         .cluster = g->cluster[side],
                         .uneven = g->uneven[side]};
        write_duct(fixture_path(side ? "b.cgns" : "a.cgns"), &d, g->n[side], 2, g->turn[side]);
    }
    join(g->name);
}

/* ---- cases ---- */

static const char *yaml_of(const char *march, const char *more, double omega_a, double omega_b,
                           double speed)
{
    return verify_text("case: sliding\ndevice: %s\nprecision: double\n%s"
                       "march: {%s}\n"
                       "initial: {p: 1e5, T: 300, velocity: [%g, 0, 0]}\n"
                       "output: {folder: %s}\n"
                       "rows:\n  a: {zones: [\"a_*\"], omega: %g}\n"
                       "  b: {zones: [\"b_*\"], omega: %g}\n"
                       "boundaries:\n"
                       "  a_in: {type: farfield, p: 1e5, T: 300, velocity: [%g, 0, 0]}\n"
                       "  b_out: {type: farfield, p: 1e5, T: 300, velocity: [%g, 0, 0]}\n"
                       "  a_out: {type: sliding_plane, with: b_in}\n"
                       "  b_in: {type: sliding_plane, with: a_out}\n",
                       device, more, march, speed, fixture_folder(), omega_a, omega_b, speed,
                       speed);
}

static const char *inviscid = "gas: {gamma: 1.4, R: 287.05}\nscheme: {flux: jst}\n";
static const char *turbulent = "gas: {gamma: 1.4, R: 287.05, viscosity: constant, mu: 1e-3}\n"
                               "turbulence: {model: sst}\nscheme: {flux: roe}\n";
static const char *laminar = "gas: {gamma: 1.4, R: 287.05, viscosity: constant, mu: 0.01}\n"
                             "scheme: {flux: jst}\n";

/* Cylindrical components at a point to rho, u, v, w, p. */
static void turn_state(const double c[5], const double x[3], double q[5])
{
    const double r = hypot(x[1], x[2]);
    q[0] = c[0];
    q[1] = c[1];
    q[2] = (c[2] * x[1] - c[3] * x[2]) / r;
    q[3] = (c[2] * x[2] + c[3] * x[1]) / r;
    q[4] = c[4];
}

static void uniform(void *context, const double x[3], double q[5])
{
    (void)context, (void)x;
    const double state[5] = {p1 / (gas * T1), u1, 0, 0, p1};
    memcpy(q, state, sizeof state);
}

static void varied(void *context, const double x[3], double q[5])
{
    (void)context;
    const double r = hypot(x[1], x[2]), m = 9 * atan2(x[2], x[1]), rho = p1 / (gas * T1);
    const double state[5] = {rho * (1 + 0.05 * sin(m + 9 * x[0])),
                             u1 * (1 + 0.2 * cos(2 * m) * r - 3 * (r - 0.5)), 8 * sin(m),
                             20 / r + 10 * cos(m), p1 * (1 + 0.02 * cos(m + 10 * x[0] + 4 * r))};
    turn_state(state, x, q);
}

static double state_error(struct fixture *f, an_state_at *exact)
{
    double max[5];
    const double c = sqrt(1.4 * gas * T1), scale[5] = {p1 / (gas * T1), c, c, c, p1};
    fixture_error(f, exact, NULL, NULL, max);
    double worst = 0;
    for (int n = 0; n < 5; n++)
        worst = verify_worst(worst, max[n] / scale[n]);
    return worst;
}

static void check_uniform(const char *what, const struct stage *g, const char *march,
                          const char *gas_text, int steps, double most)
{
    struct fixture f;
    fixture_open(&f, "sliding", yaml_of(march, gas_text, 0, 300, u1), fixture_path(g->name));
    fixture_must(an_solver_fill(f.solver, uniform, NULL), "fill");
    fixture_steps(&f, steps);
    verify_check(verify_text("uniform flow, %s", what), state_error(&f, uniform), 0, most);
    fixture_close(&f);
}

/* ---- fluxes of both sides ---- */

static double *copy_residual(const struct an_solver *s)
{
    const size_t bytes = (size_t)s->level->layout.ncell * 5 * sizeof(double);
    double *r = malloc(bytes);
    if (!r)
        fixture_must(AN_FAIL, "memory");
    memcpy(r, s->level->fields.at[AN_F_R], bytes); /* of the CPU engine, in double */
    return r;
}

/* Sums over the faces of each side of what leaves it, before the correction, and after it: the
 * change of the residual beside each face. flux[side]: mass, axial momentum, moment, energy. */
static void plane_fluxes(struct an_solver *s, double flux[2][4])
{
    struct an_level *l = s->level;
    struct an_slide *slide = l->slide;
    void *w = l->fields.at[AN_F_W];
    fixture_must(an_level_residual(s, l, w), "residual");
    double *with = copy_residual(s);
    l->slide = NULL;
    fixture_must(an_level_residual(s, l, w), "residual");
    l->slide = slide;
    double *without = copy_residual(s);
    const double *map = slide->map, *raw = slide->flux;
    struct an_face_window *window;
    int n;
    memset(flux, 0, 2 * sizeof *flux);
    fixture_must(
        an_bc_windows(&l->partition.topology, s->boundary, s->nlocal, s->local, &n, &window),
        "windows");
    int64_t number = 0;
    for (int k = 0; k < n; k++) {
        const struct an_window *q = &window[k].window;
        if (s->boundary[window[k].boundary].type != AN_BC_SLIDING_PLANE)
            continue;
        const struct an_block *b = &l->layout.block[q->block];
        const int side = s->mesh->topology.boundary[window[k].boundary].name[0] == 'b';
        const int t1 = (q->dir + 1) % 3, t2 = (q->dir + 2) % 3;
        for (int c2 = q->lo[t2]; c2 < q->hi[t2]; c2++)
            for (int c1 = q->lo[t1]; c1 < q->hi[t1]; c1++, number++) {
                const double *face = map + (int64_t)map[0] + AN_SLIDE_FACE * number;
                const double *ring =
                    map + (int64_t)map[1] + AN_SLIDE_RING * (int64_t)face[AN_SLIDE_IN_RING];
                const double extent = an_slide_extent(map, number);
                const int64_t at = b->origin + c1 * b->stride[t1] + c2 * b->stride[t2] +
                                   (q->side ? b->n[q->dir] - 1 : 0) * b->stride[q->dir];
                double d[5];
                for (int c = 0; c < 5; c++)
                    d[c] = with[c * l->layout.ncell + at] - without[c * l->layout.ncell + at];
                const double moment = ring[AN_SLIDE_RADIUS] * (d[3] * face[AN_SLIDE_FRAME] -
                                                               d[2] * face[AN_SLIDE_FRAME + 1]);
                const double *own = raw + AN_NCOMP_SLIDE_FLUX * number;
                flux[side][0] += extent * own[0] + d[0];
                flux[side][1] += extent * own[1] + d[1];
                flux[side][2] += extent * own[3] + moment;
                flux[side][3] += extent * own[4] + d[4];
            }
    }
    free(window);
    free(with);
    free(without);
}

static void check_fluxes(const char *what, const struct stage *g, const char *march,
                         const char *gas_text, int steps)
{
    static const char *const name[4] = {"mass", "axial momentum", "moment", "energy"};
    struct fixture f;
    double worst[4] = {0, 0, 0, 0};
    fixture_open(&f, "sliding", yaml_of(march, gas_text, 0, 300, u1), fixture_path(g->name));
    fixture_must(an_solver_fill(f.solver, varied, NULL), "fill");
    for (int n = 0; n < steps; n++) {
        double flux[2][4];
        fixture_steps(&f, 1);
        fixture_must(an_level_radii(f.solver, f.solver->level, NULL), "radii");
        plane_fluxes(f.solver, flux);
        for (int c = 0; c < 4; c++) {
            const double both = fabs(flux[0][c]) + fabs(flux[1][c]);
            worst[c] = verify_worst(worst[c], both > 0 ? fabs(flux[0][c] + flux[1][c]) / both : 1);
        }
    }
    for (int c = 0; c < 4; c++)
        verify_check(verify_text("fluxes, %s: %s", what, name[c]), worst[c], 0, 1e-12);
    fixture_close(&f);
}

/* ---- the hot spot ---- */

enum { AROUND = 30 };
static const double spot_speed = 300, spot_omega = 105, spot_time = 2.4e-4, spot_width = 0.026;

struct spot {
    double time, omega[2]; /* rad/s: of the rows */
    double x, pitch;
};

static void spot_at(void *context, const double x[3], double q[5])
{
    const struct spot *s = context;
    const double turned = s->omega[x[0] > 0] * s->time;
    double angle = atan2(x[2], x[1]) + turned - 0.5 * s->pitch;
    angle -= s->pitch * round(angle / s->pitch);
    const double dx = (x[0] - s->x - spot_speed * s->time) / spot_width, dy = angle / spot_width;
    const double state[5] = {p1 / (gas * T1) / (1 + 0.2 * exp(-dx * dx - dy * dy)), spot_speed, 0,
                             0, p1};
    memcpy(q, state, sizeof state);
}

/* n cells a side; joined: one duct, at rest. Root of the mean square of the error of the
 * density. */
static double spot_error(int n, int around_b, int joined)
{
    static const struct vm_segment ends[] = VM_SECTOR(AN_BC_FARFIELD, "in", AN_BC_FARFIELD, "out");
    const double pitch = 2 * PI / AROUND;
    struct duct d[2] = {{-0.1, 0, pitch, {0.995, 1.005}, 0, 0, 0},
                        {0, 0.1, pitch, {0.995, 1.005}, 0, 0, 0}};
    struct spot spot = {0, {joined ? spot_omega : -spot_omega, spot_omega}, -0.036, pitch};
    struct fixture f;
    double l2[5];
    const char *march = verify_text("mode: unsteady, method: runge_kutta, time_step: %.17g, "
                                    "iterations: 100000, end_time: %.17g",
                                    spot_time / (2 * n), spot_time);
    if (joined) {
        d[0].x1 = 0.1;
        const struct vm_box box = {.n = {2 * n, 1, n},
                                   .turn = -1,
                                   .map = duct_map,
                                   .context = d,
                                   .angle = pitch,
                                   .nsegment = 6,
                                   .segment = ends};
        vm_write(fixture_path("one.cgns"), &box);
        fixture_open(&f, "one",
                     verify_text("case: one\ndevice: cpu\nprecision: double\n%s"
                                 "march: {%s}\ninitial: {p: 1e5, T: 300, velocity: [300, 0, 0]}\n"
                                 "rows:\n  a: {zones: [\"*\"], omega: %g}\n"
                                 "boundaries:\n"
                                 "  in: {type: farfield, p: 1e5, T: 300, velocity: [300, 0, 0]}\n"
                                 "  out: {type: farfield, p: 1e5, T: 300, velocity: [300, 0, 0]}\n",
                                 inviscid, march, spot_omega),
                     fixture_path("one.cgns"));
    } else {
        for (int side = 0; side < 2; side++)
            write_duct(fixture_path(side ? "b.cgns" : "a.cgns"), &d[side],
                       (const int[3]){n, 1, side ? around_b : n}, 1, -1);
        join("spot.cgns");
        fixture_open(&f, "spot", yaml_of(march, inviscid, -spot_omega, spot_omega, spot_speed),
                     fixture_path("spot.cgns"));
    }
    fixture_must(an_solver_fill(f.solver, spot_at, &spot), "fill");
    fixture_until(&f, spot_time);
    spot.time = spot_time;
    fixture_error(&f, spot_at, &spot, l2, NULL);
    fixture_close(&f);
    return l2[0];
}

static void check_spot(void)
{
    const double one = spot_error(40, 0, 1), coarse = spot_error(20, 20, 0),
                 fine = spot_error(40, 40, 0), uneven = spot_error(40, 32, 0);
    verify_note(
        "spot: errors of the density: one to one %.3e, sliding %.3e, 20 cells %.3e, 5:4 %.3e", one,
        fine, coarse, uneven);
    verify_check("spot: order", verify_order(coarse, fine, 2), 1.9, 2.6);
    verify_check("spot: error over that of one to one", fine / one, 0, 1.2);
    verify_check("spot, 5 to 4 faces: error over that of one to one", uneven / one, 0, 1.4);
}

/* ---- bits ---- */

static uint64_t hash_after(MPI_Comm comm, const struct stage *g, const char *march,
                           const char *gas_text, int steps, int stop)
{
    struct fixture f;
    fixture_open_on(&f, comm, "sliding", yaml_of(march, gas_text, 0, 300, u1),
                    fixture_path(g->name));
    fixture_must(an_solver_fill(f.solver, varied, NULL), "fill");
    fixture_steps_through(&f, steps, stop);
    const uint64_t hash = fixture_hash(&f);
    fixture_close(&f);
    return hash;
}

static void check_bits(const char *what, const struct stage *g, const char *march,
                       const char *gas_text, int steps)
{
    int rank, size;
    uint64_t hash[8] = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int n = 1; n <= 8 && n <= size; n += n < 4 ? 1 : 4) {
        MPI_Comm some;
        MPI_Comm_split(MPI_COMM_WORLD, rank < n ? 0 : MPI_UNDEFINED, rank, &some);
        if (some != MPI_COMM_NULL) {
            hash[n - 1] = hash_after(some, g, march, gas_text, steps, -1);
            MPI_Comm_free(&some);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Bcast(hash, 8, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    for (int n = 2; n <= 8 && n <= size; n += n < 4 ? 1 : 4)
        verify_check(verify_text("%s, %d ranks: other bits than one", what, n),
                     hash[n - 1] != hash[0], 0, 0);
    const uint64_t again = hash_after(MPI_COMM_WORLD, g, march, gas_text, steps, steps / 2);
    verify_check(verify_text("%s, restart: other bits", what), again != hash[0], 0, 0);
}

/* The kernels of CUDA on the host, recorded and replayed. */
static void check_emulated(const char *what, const struct stage *g, const char *march,
                           const char *gas_text, int steps)
{
    const uint64_t cpu = hash_after(MPI_COMM_WORLD, g, march, gas_text, steps, -1);
    device = "emulated";
    const uint64_t emulated = hash_after(MPI_COMM_WORLD, g, march, gas_text, steps, -1);
    device = "cpu";
    verify_check(verify_text("%s, emulated: other bits", what), emulated != cpu, 0, 0);
}

/* ---- at rest ---- */

/* A measure of the state that every cell has a part in. */
static void add_cell(void *context, int zone, const int cell[3], const double x[3],
                     const double q[5], double volume)
{
    (void)zone, (void)cell;
    double *sum = context;
    const double weight = volume * (1 + sin(40 * x[0] + 70 * x[1] - 30 * x[2]));
    for (int c = 0; c < 5; c++)
        sum[c] += weight * q[c];
}

/* Coinciding faces, both rows at rest: joined by a sliding plane, or one to one. */
static void check_rest(const struct stage *g)
{
    static const struct vm_segment ends[] = VM_SECTOR(AN_BC_FARFIELD, "in", AN_BC_FARFIELD, "out");
    static const char *const march = "method: runge_kutta, cfl: 2, iterations: 100";
    struct duct whole = {-0.15,   0.15,          2 * PI / 9,  {inner, outer},
                         g->cone, g->cluster[0], g->uneven[0]};
    const struct vm_box box = {.n = {2 * g->n[0][0], g->n[0][1], g->n[0][2]},
                               .turn = -1,
                               .map = duct_map,
                               .context = &whole,
                               .angle = whole.angle,
                               .nsegment = 6,
                               .segment = ends};
    double sum[2][5] = {{0}}, worst = 0;
    struct fixture f;
    vm_write(fixture_path("one.cgns"), &box);
    for (int joined = 0; joined < 2; joined++) {
        if (joined)
            fixture_open(
                &f, "one",
                verify_text("case: one\ndevice: cpu\nprecision: double\n%smarch: {%s}\n"
                            "initial: {p: 1e5, T: 300, velocity: [100, 0, 0]}\n"
                            "boundaries:\n"
                            "  in: {type: farfield, p: 1e5, T: 300, velocity: [100, 0, 0]}\n"
                            "  out: {type: farfield, p: 1e5, T: 300, velocity: [100, 0, 0]}\n",
                            inviscid, march),
                fixture_path("one.cgns"));
        else
            fixture_open(&f, "sliding", yaml_of(march, inviscid, 0, 0, u1), fixture_path(g->name));
        fixture_must(an_solver_fill(f.solver, varied, NULL), "fill");
        fixture_steps(&f, 30);
        fixture_cells(&f, add_cell, sum[joined]);
        fixture_close(&f);
    }
    for (int c = 0; c < 5; c++)
        worst =
            verify_worst(worst, fabs(sum[0][c] - sum[1][c]) / (fabs(sum[0][c]) + fabs(sum[0][0])));
    verify_check("at rest with coinciding faces: difference from one to one", worst, 0, 1e-9);
}

/* ---- whole faces ---- */

/* Zones that are joined one to one have to turn alike. The linker puts this function in place of
 * an_solver_rows (--wrap), so that zone 0 of a mesh of one row may stand still while zone 1 turns. */
static int stops_zone;
int __real_an_solver_rows(const struct an_case *c, const struct an_mesh *mesh, double **omega,
                          struct an_diag *diag);
int __wrap_an_solver_rows(const struct an_case *c, const struct an_mesh *mesh, double **omega,
                          struct an_diag *diag);
int __wrap_an_solver_rows(const struct an_case *c, const struct an_mesh *mesh, double **omega,
                          struct an_diag *diag)
{
    const int status = __real_an_solver_rows(c, mesh, omega, diag);
    if (status == AN_OK && stops_zone && *omega)
        (*omega)[0] = 0;
    return status;
}

/* Puts the states of zone 0 back by some faces around the axis; `angle`, rad, is that of one face. */
static void put_back(struct an_solver *s, int faces, double angle)
{
    static const enum an_field field[3] = {AN_F_W, AN_F_OLD, AN_F_OLDER};
    const struct an_block *b = &s->level->layout.block[0];
    const int64_t ncell = s->level->layout.ncell;
    const int n = b->n[2];
    double(*ring)[5] = malloc((size_t)n * sizeof *ring);
    for (int f = 0; f < 3; f++)
        for (int j = 0; j < b->n[1]; j++)
            for (int i = 0; i < b->n[0]; i++) {
                double *w = s->level->fields.at[field[f]];
                for (int k = 0; k < n; k++)
                    for (int c = 0; c < 5; c++)
                        ring[k][c] = w[c * ncell + an_element(b, i, j, k)];
                for (int k = 0; k < n; k++) {
                    const int from = (k + faces) % n;
                    const double *q = ring[from], turn = (k - from) * angle;
                    const double put[5] = {q[0], q[1], q[2] * cos(turn) - q[3] * sin(turn),
                                           q[2] * sin(turn) + q[3] * cos(turn), q[4]};
                    for (int c = 0; c < 5; c++)
                        w[c * ncell + an_element(b, i, j, k)] = put[c];
                }
            }
    free(ring);
    fixture_must(an_solver_refresh(s), "refresh");
}

/* The largest difference of the states of two solvers whose blocks are alike, over rho, rho c or rho E. */
static double difference(const struct an_solver *s, const struct an_solver *t)
{
    const double rho = p1 / (gas * T1), c = sqrt(1.4 * gas * T1);
    const double scale[5] = {rho, rho * c, rho * c, rho * c, p1 / 0.4};
    const double *w[2] = {s->level->fields.at[AN_F_W], t->level->fields.at[AN_F_W]};
    double worst = 0;
    for (int b = 0; b < 2; b++) {
        const struct an_block *at = &s->level->layout.block[b], *to = &t->level->layout.block[b];
        for (int c5 = 0; c5 < 5; c5++)
            for (int k = 0; k < at->n[2]; k++)
                for (int j = 0; j < at->n[1]; j++)
                    for (int i = 0; i < at->n[0]; i++) {
                        const double d =
                            w[0][c5 * s->level->layout.ncell + an_element(at, i, j, k)] -
                            w[1][c5 * t->level->layout.ncell + an_element(to, i, j, k)];
                        worst = isfinite(d) ? fmax(worst, fabs(d) / scale[c5]) : INFINITY;
                    }
    }
    return worst;
}

/* Row b turns by `faces` faces in a step. One to one, the rows are joined as meshed, so row a goes back
 * past them by that much. */
static void check_whole(int faces)
{
    static const struct vm_segment ends[] = VM_SECTOR(AN_BC_FARFIELD, "in", AN_BC_FARFIELD, "out");
    const struct stage g = {"whole.cgns", {{8, 6, 10}, {8, 6, 10}}, 0.3, {0.03, 0.03}, {0, 0},
                            {-1, -1}};
    const double angle = 2 * PI / 9;
    const int n = g.n[0][2];
    struct duct whole = {-0.15, 0.15, angle, {inner, outer}, g.cone, g.cluster[0], 0};
    const struct vm_box box = {.n = {2 * g.n[0][0], g.n[0][1], n},
                               .parts = {2, 1, 1},
                               .turn = -1,
                               .map = duct_map,
                               .context = &whole,
                               .angle = angle,
                               .nsegment = 6,
                               .segment = ends};
    const char *march = verify_text("mode: unsteady, method: dual, steps_per_revolution: %d, "
                                    "inner_iterations: 120, iterations: 1000",
                                    9 * n / faces);
    struct fixture f, one;
    double worst = 0;
    for (int side = 0; side < 2; side++) {
        struct duct d = whole;
        *(side ? &d.x0 : &d.x1) = 0;
        write_duct(fixture_path(side ? "b.cgns" : "a.cgns"), &d, g.n[side], 1, -1);
    }
    join(g.name);
    vm_write(fixture_path("one.cgns"), &box);
    fixture_open(&f, "sliding", yaml_of(march, inviscid, 0, 300, u1), fixture_path(g.name));
    stops_zone = 1;
    fixture_open(&one, "one",
                 verify_text("case: one\ndevice: cpu\nprecision: double\n%smarch: {%s}\n"
                             "initial: {p: 1e5, T: 300, velocity: [100, 0, 0]}\n"
                             "rows:\n  all: {zones: ['*'], omega: 300}\n"
                             "boundaries:\n"
                             "  in: {type: farfield, p: 1e5, T: 300, velocity: [100, 0, 0]}\n"
                             "  out: {type: farfield, p: 1e5, T: 300, velocity: [100, 0, 0]}\n",
                             inviscid, march),
                 fixture_path("one.cgns"));
    stops_zone = 0;
    fixture_must(an_solver_fill(f.solver, varied, NULL), "fill");
    fixture_must(an_solver_fill(one.solver, varied, NULL), "fill");
    for (int step = 1; step <= 6; step++) {
        put_back(one.solver, faces, angle / n);
        fixture_steps(&f, 1);
        fixture_steps(&one, 1);
        put_back(one.solver, n - step * faces % n, angle / n);
        worst = fmax(worst, difference(f.solver, one.solver));
        put_back(one.solver, step * faces % n, angle / n);
    }
    verify_check(verify_text("%d faces in each step: difference from one to one", faces), worst, 0,
                 1e-12);
    fixture_close(&one);
    fixture_close(&f);
}

/* Frozen rotor: row b turns, the plane does not. Multigrid with implicit stages. */
static void check_frozen(const struct stage *g)
{
    struct fixture f;
    fixture_open(&f, "frozen", yaml_of("method: implicit, iterations: 1", inviscid, 0, 300, u1),
                 fixture_path(g->name));
    verify_check("frozen rotor: multigrid levels", f.solver->nlevel, 2, 8);
    fixture_must(an_solver_fill(f.solver, varied, NULL), "fill");
    verify_check("frozen rotor: fall of the residual in 80 cycles", fixture_converge(&f, 1e-6, 80),
                 0, 1e-3);
    fixture_close(&f);
}

/* Pitches of 40 and 30 degrees: three of the one are four of the other. */
static void check_refused(struct stage g)
{
    char line[4096] = "", text[1024];
    const char *bin = getenv("AN_BIN"), *path = fixture_path("refused.yaml");
    g.name = "refused.cgns";
    write_stage(&g, 2 * PI / 12);
    FILE *out = fopen(path, "w");
    if (!out)
        fixture_must(AN_FAIL, "fopen");
    fprintf(out, "mesh: %s\n%s", fixture_path(g.name),
            yaml_of("iterations: 1", inviscid, 0, 300, u1));
    fclose(out);
    FILE *run = popen(verify_text("%s/annulus run %s 2>&1", bin ? bin : "build/bin", path), "r");
    while (run && fgets(text, sizeof text, run))
        strncat(line, text, sizeof line - strlen(line) - 1);
    const int status = run ? pclose(run) : -1;
    verify_check("refused: status 2", status, 2 << 8, 2 << 8);
    verify_check(
        "refused: the message names the copies",
        strstr(line, "take 3 times the passages of the row of 'a_out' and 4 times") != NULL, 1, 1);
}

int main(int argc, char **argv)
{
    static const char *const explicit_march =
        "mode: unsteady, method: runge_kutta, time_step: 1e-5, iterations: 1000";
    static const char *const dual =
        "mode: unsteady, method: dual, steps_per_revolution: 720, iterations: 1000";
    static const struct stage even = {
        "even.cgns", {{8, 6, 10}, {8, 6, 10}}, 0.3, {0.03, 0.03}, {0.02, 0.02}, {8, 3}};
    static const struct stage odd = {"odd.cgns",    {{8, 6, 10}, {8, 4, 8}}, 0.3,
                                     {0.03, -0.02}, {0.02, -0.03},           {11, 5}};
    static const struct stage coarsened = {"coarsened.cgns", {{8, 8, 16}, {8, 4, 8}}, 0.3,
                                           {0.03, -0.02},    {0.02, -0.03},           {11, 5}};
    int size;
    verify_start(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    write_stage(&even, 2 * PI / 9);
    write_stage(&odd, 2 * PI / 9);
    write_stage(&coarsened, 2 * PI / 9);
    check_bits("explicit", &odd, explicit_march, inviscid, 8);
    if (size <= 4) /* lines of implicit steps are never cut: four pieces at most */
        check_bits("dual", &odd, dual, turbulent, 4);
    if (size == 1) {
        const double coarse = PI * 2 / 9 / 8, fine = coarse * 0.8;
        check_uniform("even", &even, explicit_march, inviscid, 40, 1e-12);
        check_uniform("even, dual", &even, dual, laminar, 4, 1e-12);
        check_uniform("odd", &odd, explicit_march, inviscid, 40,
                      (coarse * coarse - fine * fine) / 12);
        check_fluxes("explicit", &odd, explicit_march, inviscid, 3);
        check_fluxes("dual", &odd, dual, laminar, 2);
        check_emulated("explicit", &odd, explicit_march, inviscid, 3);
        check_emulated("dual, SST", &odd, dual, turbulent, 2);
        check_rest(&even);
        check_whole(1);
        check_whole(3);
        check_frozen(&coarsened);
        check_refused(even);
        check_spot();
    }
    return verify_end();
}

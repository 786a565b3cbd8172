/* What walls feel, against exact values and against the boundary integrals.
 *
 *   Couette flow with a linear temperature, constant viscosity and pressure, on a stretched and
 *   sheared mesh of zones stored in different ways: per face
 *       stress mu U / h, pressure, heat flux k dT/h, wall temperatures, y+     exact to 1e-11
 *       forces, torque, heat of each wall                                      exact to 1e-11
 *       y+ of all cells, with the stress and density of the nearer wall        exact to 1e-11
 *   the same channel without viscosity: distance of all cells from the nearer wall, exact to 1e-12
 *   waves between walls that turn, jst and roe, double and single:
 *       forces = momentum of the boundary integrals          to rounding of the precision
 *       y+ of first cells = y+ of their faces                to 1 %, the faces are curved
 *       all sums                                             the same bits on one rank and on all
 *   the same in a row that turns, with a hub of another speed and a casing at rest:
 *       power of the walls = work in the energy of the boundary integrals      to rounding
 */
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include "kernels/base/numbers.h"
#include "mpi/reduce.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/level/transfer.h"
#include "solver/monitor/performance.h"
#include "solver/monitor/walls.h"
#include "solver/output/quantities.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double gas = 287.05, p = 1e5, mu = 0.02, prandtl = 0.72;
static const double speed = 40, height = 0.1, length = 0.6, depth = 0.3;
static const double cold = 280, hot = 340;

/* y(s) stretched towards both walls, x sheared with y. */
static void channel_map(void *context, const double s[3], double x[3])
{
    (void)context;
    const double eta = s[1] - 0.12 * sin(2 * PI * s[1]);
    x[0] = length * s[0] + 0.05 * eta;
    x[1] = 1 + height * eta;
    x[2] = 2 + depth * s[2] + 0.02 * eta;
}

static void couette(void *context, const double x[3], double q[5])
{
    (void)context;
    const double eta = (x[1] - 1) / height, t = cold + (hot - cold) * eta;
    q[0] = p / (gas * t);
    q[1] = speed * eta;
    q[2] = q[3] = 0;
    q[4] = p;
}

static const struct vm_segment channel_ends[] = {
    {.dir = 0, .side = 0, .kind = VM_TRANSLATE},
    {.dir = 0, .side = 1, .kind = VM_TRANSLATE},
    {.dir = 1, .side = 0, .type = AN_BC_WALL_VISCOUS, .name = "floor"},
    {.dir = 1, .side = 1, .type = AN_BC_WALL_VISCOUS, .name = "roof"},
    {.dir = 2, .side = 0, .kind = VM_TRANSLATE},
    {.dir = 2, .side = 1, .kind = VM_TRANSLATE}};

static const char *channel_case =
    "case: couette\n"
    "gas: {R: 287.05, viscosity: constant, mu: 0.02, prandtl: 0.72}\n"
    "march: {method: runge_kutta}\ninitial: {p: 1e5, T: 300}\noutput: {fields: [YPlus]}\n"
    "boundaries:\n"
    "  floor: {type: wall_viscous, T: 280}\n"
    "  roof: {type: wall_viscous, T: 340, velocity: [40, 0, 0]}\n";

static double off(double value, double exact, double scale)
{
    return fabs(value - exact) / scale;
}

/* Largest difference of the faces of this rank from the exact values: stress, pressure, heat,
 * temperature, y+, centre. */
static void compare_faces(const struct an_solver *s, double first_cell, double most[6])
{
    const struct an_walls *w = an_walls_of(s);
    const double tau = mu * speed / height, k = 1.4 / 0.4 * gas * mu / prandtl;
    const double heat = k * (hot - cold) / height;
    for (int m = 0; m < w->nwindow; m++) {
        const int roof = w->window[m].boundary == an_boundary_find(&s->mesh->topology, "roof");
        const int64_t end = m + 1 < w->nwindow ? w->window[m + 1].first : w->nface;
        for (int64_t f = w->window[m].first; f < end; f++) {
            const double *v = an_walls_values(s)[f], t = roof ? hot : cold;
            const double yplus = first_cell * sqrt(p / (gas * t) * tau) / mu;
            most[0] = verify_worst(most[0], off(v[AN_WALL_TX], roof ? -tau : tau, tau));
            most[0] = verify_worst(most[0], (fabs(v[AN_WALL_TY]) + fabs(v[AN_WALL_TZ])) / tau);
            most[1] = verify_worst(most[1], off(v[AN_WALL_P], p, p));
            most[2] = verify_worst(most[2], off(v[AN_WALL_HEAT], roof ? -heat : heat, heat));
            most[3] = verify_worst(most[3], off(v[AN_WALL_T], t, t));
            most[4] = verify_worst(most[4], off(v[AN_WALL_YPLUS], yplus, yplus));
            most[5] = verify_worst(most[5], off(w->centre[f][1], roof ? 1 + height : 1, 1));
        }
    }
}

/* y+ of all cells of local block b; the caller frees it. */
static double *y_plus_of(struct an_solver *s, const struct an_quantities *q, int b)
{
    const int *n = s->level->layout.block[b].n;
    const size_t cells = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    void *to[1] = {malloc(cells * sizeof(double))};
    double *values = malloc(cells * sizeof *values);
    fixture_must(to[0] && values ? AN_OK : AN_FAIL, "memory");
    an_quantities_block(s, q, b, to);
    for (size_t at = 0; at < cells; at++)
        values[at] = an_real_get(s->level->layout.precision, to[0], (int64_t)at);
    free(to[0]);
    return values;
}

/* Largest difference of y+ of this rank's cells, over the largest y+ of the channel. */
static double compare_y_plus(struct an_solver *s)
{
    const double tau = mu * speed / height;
    struct an_quantities q = {.n = 1, .what = {AN_OUT_YPlus}};
    double most = 0;
    fixture_must(an_quantities_prepare(s, &q), "wall units");
    for (int b = 0; b < s->nlocal; b++) {
        const int *n = s->level->layout.block[b].n;
        double *value = y_plus_of(s, &q, b), x[3];
        size_t at = 0;
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++, at++) {
                    an_nodes_centre(n, s->node[b], i, j, k, x);
                    const double below = x[1] - 1, above = 1 + height - x[1];
                    const double t = below < above ? cold : hot;
                    const double want = fmin(below, above) * sqrt(p / (gas * t) * tau) / mu;
                    most = verify_worst(most, off(value[at], want, 0.5 * height * sqrt(tau) / mu));
                }
        free(value);
    }
    an_quantities_free(s, &q);
    return most;
}

static void channel(void)
{
    enum { NJ = 12 };
    const struct vm_box box = {.n = {10, NJ, 8},
                               .parts = {2, 1, 2},
                               .turn = 5,
                               .map = channel_map,
                               .translation = {{length, 0, 0}, {0, 0, 0}, {0, 0, depth}},
                               .nsegment = 6,
                               .segment = channel_ends};
    static const char *const what[6] = {"stress",      "pressure", "heat flux",
                                        "temperature", "y+",       "face centres"};
    const char *mesh = fixture_path("channel.cgns");
    const double s1[3] = {0, 1.0 / NJ, 0}, area = length * depth;
    const double tau = mu * speed / height;
    const double heat = 1.4 / 0.4 * gas * mu / prandtl * (hot - cold) / height;
    double most[6] = {0}, x[3];
    struct fixture f;
    vm_write(mesh, &box);
    fixture_open(&f, "couette", channel_case, mesh);
    fixture_must(an_solver_fill(f.solver, couette, NULL), "fill");
    struct an_measure m = {.integral = NULL};
    fixture_must(an_solver_measure(f.solver, &m), "measure");
    channel_map(NULL, s1, x);
    compare_faces(f.solver, 0.5 * (x[1] - 1), most);
    fixture_must(an_reduce_max(f.comm, 6, most), "max");
    for (int n = 0; n < 6; n++)
        verify_check(verify_text("couette: %s", what[n]), most[n], 0, 1e-11);
    double y_plus = compare_y_plus(f.solver);
    fixture_must(an_reduce_max(f.comm, 1, &y_plus), "max");
    verify_check("couette: y+ of all cells", y_plus, 0, 1e-11);
    for (int roof = 0; roof < 2; roof++) {
        const char *name = roof ? "roof" : "floor";
        const struct an_wall_sum *w =
            &an_walls_of(f.solver)->sum[an_boundary_find(&f.mesh.topology, name)];
        const double side = roof ? -1 : 1, z = 2 + 0.5 * depth + (roof ? 0.02 : 0);
        verify_check(verify_text("%s: area", name), off(w->area, area, area), 0, 1e-12);
        verify_check(verify_text("%s: friction", name),
                     off(w->friction[0], side * tau * area, tau * area), 0, 1e-11);
        verify_check(verify_text("%s: force along x", name),
                     off(w->force[0], side * tau * area, tau * area), 0, 1e-9);
        verify_check(verify_text("%s: force along y", name),
                     off(w->force[1], -side * p * area, p * area), 0, 1e-12);
        verify_check(verify_text("%s: torque", name),
                     off(w->torque, side * z * p * area, z * p * area), 0, 1e-12);
        verify_check(verify_text("%s: heat", name), off(w->heat, side * heat * area, heat * area),
                     0, 1e-11);
    }
    fixture_close(&f);
}

/* Largest difference of the distances of this rank's cells from the nearer wall, over the height. */
static double compare_distances(struct an_solver *s)
{
    double most = 0;
    for (int b = 0; b < s->nlocal; b++) {
        const int *n = s->level->layout.block[b].n;
        const size_t cells = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
        double *distance = malloc(cells * sizeof *distance), x[3];
        fixture_must(distance ? AN_OK : AN_FAIL, "memory");
        fixture_must(an_solver_download(s, AN_F_WD, 1, b, distance), "distances");
        size_t at = 0;
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++, at++) {
                    an_nodes_centre(n, s->node[b], i, j, k, x);
                    const double want = fmin(x[1] - 1, 1 + height - x[1]);
                    most = verify_worst(most, off(distance[at], want, height));
                }
        free(distance);
    }
    return most;
}

/* A field of output that the flow itself does not need. */
static void inviscid_distance(void)
{
    struct fixture f;
    fixture_open(&f, "inviscid",
                 "case: inviscid\ngas: {R: 287.05}\ninitial: {p: 1e5, T: 300}\nboundaries:\n"
                 "  floor: {type: wall_slip}\n  roof: {type: wall_slip}\n"
                 "output: {fields: [TurbulentDistance]}\n",
                 fixture_path("channel.cgns"));
    fixture_must(an_solver_fill(f.solver, couette, NULL), "fill");
    fixture_steps(&f, 1);
    double most = compare_distances(f.solver);
    fixture_must(an_reduce_max(f.comm, 1, &most), "max");
    verify_check("inviscid: distance from the walls", most, 0, 1e-12);
    fixture_close(&f);
}

static void pipe_map(void *context, const double s[3], double x[3])
{
    (void)context;
    const double r = 1 + 0.5 * s[1] - 0.1 * sin(PI * s[0]) * (1 - s[1]);
    const double angle = 2 * PI / 9 * s[2] + 0.3 * s[0] * s[0] + 0.2 * s[1];
    vm_cylindrical(0.8 * s[0], r, angle, x);
}

static void swirl(void *context, const double x[3], double q[5])
{
    (void)context;
    q[0] = 1.2 + 0.1 * sin(2 * PI * x[0]);
    q[1] = 60 + 20 * cos(5 * x[0]);
    q[2] = -40 * x[2];
    q[3] = 40 * x[1];
    q[4] = 1e5 + 4e3 * sin(4 * x[0] + 3 * (x[1] * x[1] + x[2] * x[2]));
}

static const struct vm_segment pipe_ends[] = {
    {.dir = 0, .side = 0, .type = AN_BC_INLET_TOTAL, .name = "inlet"},
    {.dir = 0, .side = 1, .type = AN_BC_OUTLET_STATIC, .name = "outlet"},
    {.dir = 1, .side = 0, .type = AN_BC_WALL_VISCOUS, .name = "hub"},
    {.dir = 1, .side = 1, .type = AN_BC_WALL_VISCOUS, .name = "casing"},
    {.dir = 2, .side = 0, .kind = VM_ROTATE},
    {.dir = 2, .side = 1, .kind = VM_ROTATE}};

enum { MOST_BOUNDARY = 8 };

/* Largest difference of y+ between a wall face and the cell before it, over the face's. */
static double compare_first_cells(struct an_solver *s)
{
    const struct an_walls *w = an_walls_of(s);
    struct an_quantities q = {.n = 1, .what = {AN_OUT_YPlus}};
    double most = 0;
    fixture_must(an_quantities_prepare(s, &q), "wall units");
    for (int m = 0; m < w->nwindow; m++) {
        const struct an_window *win = &w->window[m].window;
        const int *n = s->level->layout.block[win->block].n;
        const int da = (win->dir + 1) % 3, db = (win->dir + 2) % 3;
        double *value = y_plus_of(s, &q, win->block);
        int64_t f = w->window[m].first;
        for (int b = win->lo[db]; b < win->hi[db]; b++)
            for (int a = win->lo[da]; a < win->hi[da]; a++, f++) {
                int cell[3];
                cell[win->dir] = win->side ? n[win->dir] - 1 : 0;
                cell[da] = a;
                cell[db] = b;
                const double wall = an_walls_values(s)[f][AN_WALL_YPLUS];
                const double have =
                    value[cell[0] + (int64_t)n[0] * (cell[1] + (int64_t)n[1] * cell[2])];
                most = verify_worst(most, off(have, wall, wall));
            }
        free(value);
    }
    an_quantities_free(s, &q);
    return most;
}

/* What a run of `comm` finds after some steps. */
static int pipe_sums(MPI_Comm comm, const char *yaml, const char *mesh,
                     struct an_wall_sum sum[MOST_BOUNDARY],
                     double integral[MOST_BOUNDARY][AN_NINTEGRAL], double *y_plus)
{
    struct fixture f;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fixture_open_on(&f, comm, comm == MPI_COMM_WORLD ? "pipe" : verify_text("pipe%d", rank), yaml,
                    mesh);
    fixture_must(an_solver_fill(f.solver, swirl, NULL), "fill");
    fixture_steps(&f, 5);
    struct an_measure m = {.integral = integral};
    fixture_must(an_solver_measure(f.solver, &m), "measure");
    const int n = f.mesh.topology.nboundary;
    memcpy(sum, an_walls_of(f.solver)->sum, (size_t)n * sizeof *sum);
    *y_plus = compare_first_cells(f.solver);
    fixture_close(&f);
    return n;
}

static void pipe_flow(const char *flux, const char *precision, double tolerance)
{
    const struct vm_box box = {.n = {16, 10, 12},
                               .parts = {2, 2, 2},
                               .turn = 9,
                               .map = pipe_map,
                               .angle = 2 * PI / 9,
                               .nsegment = 6,
                               .segment = pipe_ends};
    const char *mesh = fixture_path("pipe.cgns");
    const char *yaml = verify_text(
        "case: pipe\nprecision: %s\ngas: {viscosity: sutherland, mu: 0.01}\nscheme: {flux: %s}\n"
        "march: {method: runge_kutta, cfl: 1}\ninitial: {p: 1e5, T: 300}\n"
        "output: {fields: [YPlus]}\nboundaries:\n"
        "  inlet: {type: inlet_total, p0: 1.05e5, T0: 300, direction: [1, 0, 0]}\n"
        "  outlet: {type: outlet_static, p: 1e5}\n"
        "  hub: {type: wall_viscous, T: 350, omega: 30}\n"
        "  casing: {type: wall_viscous, heat_flux: 500}\n",
        precision, flux);
    static struct an_wall_sum sum[MOST_BOUNDARY], alone[MOST_BOUNDARY];
    static double integral[MOST_BOUNDARY][AN_NINTEGRAL], other[MOST_BOUNDARY][AN_NINTEGRAL];
    double most[2] = {0, 0}, y_plus, same;
    memset(sum, 0, sizeof sum);
    memset(alone, 0, sizeof alone);
    vm_write(mesh, &box);
    const int n = pipe_sums(MPI_COMM_WORLD, yaml, mesh, sum, integral, &y_plus);
    pipe_sums(MPI_COMM_SELF, yaml, mesh, alone, other, &same);
    fixture_must(an_reduce_max(MPI_COMM_WORLD, 1, &y_plus), "max");
    MPI_Barrier(MPI_COMM_WORLD); /* nobody reads the mesh any more: it may be written anew */
    int walls = 0;
    for (int b = 0; b < n; b++) {
        const double *i = integral[b];
        if (!(sum[b].area > 0))
            continue;
        walls++;
        const double scale = i[AN_I_PA], viscous = fabs(i[AN_I_VX]) + fabs(i[AN_I_VY]);
        for (int c = 0; c < 3; c++) {
            most[0] = verify_worst(most[0], off(sum[b].force[c], i[AN_I_MX + c], scale));
            most[1] = verify_worst(most[1], off(sum[b].friction[c], i[AN_I_VX + c], viscous));
        }
    }
    const char *what = verify_text("pipe, %s, %s", flux, precision);
    verify_check(verify_text("%s: walls", what), walls, 2, 2);
    verify_check(verify_text("%s: force against integrals", what), most[0], 0, tolerance);
    verify_check(verify_text("%s: friction against integrals", what), most[1], 0, tolerance);
    verify_check(verify_text("%s: y+ of first cells", what), y_plus, 0, 0.01);
    verify_check(verify_text("%s: sums of one rank differ", what),
                 memcmp(sum, alone, sizeof sum) != 0, 0, 0);
}

/* Faces that no half turn brings onto themselves: what each of them sweeps along a cylinder is not zero. */
static void uneven_map(void *context, const double s[3], double x[3])
{
    (void)context;
    const double r = 1 + 0.5 * s[1] - 0.1 * sin(PI * s[0]) * (1 - s[1]);
    const double angle = 2 * PI / 9 * s[2] + 0.06 * s[0] * sin(2 * PI * s[2]) + 0.2 * s[1];
    vm_cylindrical(0.8 * s[0], r, angle, x);
}

/* The mesh of a row turns, and its faces sweep a casing at rest, whose chords they are. */
static void pipe_power(const char *flux)
{
    const struct vm_box box = {.n = {16, 10, 12},
                               .parts = {2, 2, 2},
                               .turn = 9,
                               .map = uneven_map,
                               .angle = 2 * PI / 9,
                               .nsegment = 6,
                               .segment = pipe_ends};
    const char *mesh = fixture_path("turning.cgns");
    const char *yaml =
        verify_text("case: pipe\ngas: {viscosity: sutherland, mu: 0.01}\nscheme: {flux: %s}\n"
                    "march: {method: runge_kutta, cfl: 1}\ninitial: {p: 1e5, T: 300}\n"
                    "rows: {row: {zones: ['*'], omega: 80}}\nboundaries:\n"
                    "  inlet: {type: inlet_total, p0: 1.05e5, T0: 300, direction: [1, 0, 0]}\n"
                    "  outlet: {type: outlet_static, p: 1e5}\n"
                    "  hub: {type: wall_viscous, T: 350, omega: 30}\n"
                    "  casing: {type: wall_viscous, omega: 0, heat_flux: 500}\n",
                    flux);
    double integral[MOST_BOUNDARY][AN_NINTEGRAL], work = 0, scale = 0;
    struct fixture f;
    vm_write(mesh, &box);
    fixture_open_on(&f, MPI_COMM_WORLD, "turning", yaml, mesh);
    fixture_must(an_solver_fill(f.solver, swirl, NULL), "fill");
    fixture_steps(&f, 5);
    struct an_measure m = {.integral = integral};
    fixture_must(an_solver_measure(f.solver, &m), "measure");
    const struct an_row_flow *row = &an_performance_of(f.solver)->of[0];
    for (int b = 0; b < f.mesh.topology.nboundary; b++) {
        const struct an_wall_sum *wall = &an_walls_of(f.solver)->sum[b];
        if (!(wall->area > 0))
            continue;
        work += 9 * (wall->heat - integral[b][AN_I_ENERGY]);
        scale += 9 * 80 * integral[b][AN_I_PA];
    }
    verify_check(verify_text("turning pipe, %s: power of the walls, W", flux), fabs(work), 100,
                 1e6);
    verify_check(verify_text("turning pipe, %s: power against integrals", flux),
                 fabs(row->value[AN_ROW_POWER_WALLS] - work) / scale, 0, 1e-14);
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    fixture_folder();
    channel();
    pipe_power("jst");
    pipe_power("roe");
    inviscid_distance();
    pipe_flow("jst", "double", 1e-14);
    pipe_flow("roe", "double", 1e-14);
    pipe_flow("jst", "single", 1e-7);
    pipe_flow("roe", "single", 1e-7);
    return verify_end();
}

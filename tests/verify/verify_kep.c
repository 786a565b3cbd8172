/* The flux that preserves kinetic energy (scheme.flux: kep) on periodic meshes.
 *
 *   energy   16^3 cells with random density and velocity and uniform pressure, which does no work then: rate
 *            of change of the kinetic energy over the sum of the magnitudes of its parts, without
 *            dissipation: 1e-13 (measured 2e-17).
 *            A solenoidal flow of Mach number 0.02 until time 1, a fifteenth of a wave length: the energy changes
 *            by less than 1e-4 (measured 1.7e-5, work of the pressure), its part that depends on the time step falls
 *            at least threefold with half the step; jst loses a thousand times as much (measured
 *            22 %), and ten times as much as kep with its dissipation (0.5 %)
 *   order    isentropic vortex (periodic_square.h), time steps so short that space decides, without
 *            dissipation, 32 -> 64 cells: even mesh at least 3.7 (measured 3.85; 3.92 from 64 to
 *            128), waved mesh at least 1.9 (measured 3.4 to 3.8)
 */
#include "io/history.h"
#include "solver/level/level.h"
#include "solver/level/transfer.h"
#include "solver/monitor/volume_means.h"
#include "tests/support/solver_fixture.h"
#include "tests/verify/periodic_square.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* ---- kinetic energy ---- */

enum { EDGE = 16 };

static void cube_map(void *context, const double s[3], double x[3])
{
    (void)context;
    for (int c = 0; c < 3; c++)
        x[c] = s[c];
}

static void write_cube(const char *path)
{
    static const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .kind = VM_TRANSLATE}, {.dir = 0, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 1, .side = 0, .kind = VM_TRANSLATE}, {.dir = 1, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 2, .side = 0, .kind = VM_TRANSLATE}, {.dir = 2, .side = 1, .kind = VM_TRANSLATE}};
    const struct vm_box box = {.n = {EDGE, EDGE, EDGE},
                               .parts = {2, 1, 2},
                               .turn = 3,
                               .map = cube_map,
                               .translation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                               .nsegment = 6,
                               .segment = ends};
    vm_write(path, &box);
}

/* A number in [-1, 1] for each cell and quantity, the same however cells are stored. */
static double noise(const double x[3], int quantity)
{
    uint64_t h = (uint64_t)quantity + 1;
    for (int c = 0; c < 3; c++)
        h = (h ^ (uint64_t)(x[c] * EDGE)) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    return (double)(h >> 11) * 0x1p-52 - 1;
}

static void rough(void *context, const double x[3], double q[5])
{
    (void)context;
    q[0] = 1 + 0.3 * noise(x, 0);
    for (int c = 0; c < 3; c++)
        q[1 + c] = 0.2 + 0.5 * noise(x, 1 + c);
    q[4] = 1;
}

/* Waves of three lengths without divergence: the curl of a sum of them, Mach number up to 0.02. */
static void solenoidal(void *context, const double x[3], double q[5])
{
    (void)context;
    double u[3] = {0};
    for (int k = 1; k <= 3; k++)
        for (int c = 0; c < 3; c++) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            u[c] += (sin(2 * pi * k * x[d] + k + c) + cos(2 * pi * k * x[e] + 2 * k - c)) / k;
        }
    q[0] = q[4] = 1;
    for (int c = 0; c < 3; c++)
        q[1 + c] = 0.006 * u[c];
}

static const char *box_text(const char *scheme, double dt)
{
    return verify_text("case: box\ngas: {R: 1}\nscheme: {%s}\nmonitors: {volume: on}\n"
                       "march: {mode: unsteady, stages: 4, time_step: %g, end_time: 1000}\n"
                       "initial: {p: 1, T: 1}\n",
                       scheme, dt);
}

/* The rate of change of the kinetic energy, u.d(rho u) - u^2/2 d(rho), over the sum of magnitudes. */
static double production(const char *mesh, const char *scheme)
{
    struct fixture f;
    fixture_open(&f, "energy", box_text(scheme, 1e-3), mesh);
    fixture_must(an_solver_fill(f.solver, rough, NULL), "fill");
    struct an_measure m = {.integral = NULL};
    fixture_must(an_solver_measure(f.solver, &m), "measure");
    struct an_solver *s = f.solver;
    double sum = 0, size = 0;
    for (int b = 0; b < s->nlocal; b++) {
        const int *n = s->level->layout.block[b].n;
        const int64_t cells = (int64_t)n[0] * n[1] * n[2];
        double *w = malloc((size_t)cells * 10 * sizeof *w), *r = w + 5 * cells;
        fixture_must(w ? AN_OK : AN_FAIL, "memory");
        fixture_must(an_solver_download(s, AN_F_W, 5, b, w), "state");
        fixture_must(an_solver_download(s, AN_F_R, 5, b, r), "residual");
        for (int64_t c = 0; c < cells; c++) {
            double part = 0, u2 = 0;
            for (int d = 1; d < 4; d++) {
                const double u = w[d * cells + c] / w[c];
                part += u * r[d * cells + c];
                u2 += u * u;
            }
            part -= 0.5 * u2 * r[c];
            sum += part;
            size += fabs(part);
        }
        free(w);
    }
    fixture_close(&f);
    return fabs(sum) / size;
}

static double energy(struct fixture *f)
{
    struct an_measure m = {.integral = NULL};
    fixture_must(an_solver_measure(f->solver, &m), "measure");
    return an_volume_means_of(f->solver)[AN_VOLUME_ENERGY];
}

/* The relative change of the kinetic energy of the solenoidal flow in `steps` steps of dt. */
static double change(const char *mesh, const char *scheme, double dt, int steps)
{
    struct fixture f;
    fixture_open(&f, "decay", box_text(scheme, dt), mesh);
    fixture_must(an_solver_fill(f.solver, solenoidal, NULL), "fill");
    const double first = energy(&f);
    fixture_steps(&f, steps);
    const double last = energy(&f);
    fixture_close(&f);
    return last / first - 1;
}

static void check_energy(void)
{
    static const char *const plain = "flux: kep, k2: 0, k4: 0";
    const char *mesh = fixture_path("cube.cgns");
    write_cube(mesh);
    verify_check("kep: kinetic energy that convection makes", production(mesh, plain), 0, 1e-13);
    verify_check("roe: the same", production(mesh, "flux: roe"), 1e-3, 1);
    const double coarse = change(mesh, plain, 0.04, 25), half = change(mesh, plain, 0.02, 50);
    const double fine = change(mesh, plain, 0.01, 100), kep = change(mesh, "flux: kep", 0.02, 50);
    const double jst = change(mesh, "flux: jst", 0.02, 50);
    verify_note("kinetic energy after time 1: steps of 0.04 %.6e, 0.02 %.6e, 0.01 %.6e; with "
                "dissipation kep %.2e, jst %.2e",
                coarse, half, fine, kep, jst);
    verify_check("kep: change of the kinetic energy", fabs(fine), 0, 1e-4);
    verify_check("kep: part of the time step, over that of half the step",
                 fabs(coarse - fine) / fabs(half - fine), 3, 100);
    verify_check("jst: change of the kinetic energy over that of kep", jst / fine, 1000, INFINITY);
    verify_check("jst: over that of kep with dissipation", jst / kep, 10, INFINITY);
}

/* ---- order ---- */

static const double end = 1;

static void even_map(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = square_side * s[0];
    x[1] = square_side * s[1];
    x[2] = 0.25 * s[2];
}

static void vortex_error(const char *mesh, vm_map *map, int n, double l2[5])
{
    square_write_mapped(mesh, n, map);
    square_run(verify_text("case: vortex\ngas: {R: 1}\nscheme: {flux: kep, k2: 0, k4: 0}\n"
                           "march: {mode: unsteady, stages: 4, time_step: %.17g, end_time: %g}\n"
                           "initial: {p: 1, T: 1, velocity: [1, 1, 0]}\n",
                           0.04 * (32. / n) * (32. / n), end),
               mesh, end, l2);
    verify_note("%3d cells: L2 of rho %.3e, u %.3e, v %.3e, p %.3e", n, l2[0], l2[1], l2[2], l2[4]);
}

static void check_order(const char *name, vm_map *map, double least)
{
    static const char *const value[5] = {"rho", "u", "v", "w", "p"};
    double l2[2][5];
    for (int m = 0; m < 2; m++)
        vortex_error(fixture_path(verify_text("%s.cgns", name)), map, 32 << m, l2[m]);
    for (int c = 0; c < 5; c++)
        if (c != 3)
            verify_check(verify_text("%s, %s: order from 32 to 64 cells", name, value[c]),
                         verify_order(l2[0][c], l2[1][c], 2), least, 6);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    check_energy();
    check_order("even", even_map, 3.7);
    check_order("waved", square_map, 1.9);
    return verify_end();
}

/* The Taylor-Green vortex at Re 1600, Mach number 0.1, with the flux that preserves kinetic energy, on a
 * coarse mesh, against the spectral solution on 512^3 points (HiOCFD workshop): kinetic energy over
 * rho V^2 as the reference has it, 0.125 at the start.
 *
 *   argument: cells of an edge, 32 without it
 *
 *   cells   time   energy of the reference   allowed difference   measured
 *   32      5      0.118436                  2 %                  -1.66 %
 *   32      9      0.086404                  11 %                 -10.1 %
 *   64      5      0.118436                  1 %                  -0.71 %
 *   64      9      0.086404                  8 %                  -6.65 %
 *
 *   The edge is 2 pi L; L = 1 m, V = 1 m/s and rho = 1 kg/m3, so time in s is time in L / V.
 */
#include "io/history.h"
#include "solver/monitor/volume_means.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdlib.h>

static const double edge = 2 * 3.14159265358979323846;

static void map(void *context, const double s[3], double x[3])
{
    (void)context;
    for (int c = 0; c < 3; c++)
        x[c] = edge * s[c];
}

static void write_mesh(const char *path, int n)
{
    static const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .kind = VM_TRANSLATE}, {.dir = 0, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 1, .side = 0, .kind = VM_TRANSLATE}, {.dir = 1, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 2, .side = 0, .kind = VM_TRANSLATE}, {.dir = 2, .side = 1, .kind = VM_TRANSLATE}};
    const struct vm_box box = {.n = {n, n, n},
                               .parts = {1, 1, 1},
                               .turn = -1,
                               .map = map,
                               .translation = {{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}},
                               .nsegment = 6,
                               .segment = ends};
    vm_write(path, &box);
}

static double energy(struct fixture *f)
{
    struct an_measure m = {.integral = NULL};
    fixture_must(an_solver_measure(f->solver, &m), "measure");
    return an_volume_means_of(f->solver)[AN_VOLUME_ENERGY];
}

int main(int argc, char **argv)
{
    static const struct {
        double time, energy, allowed[2];
    } reference[] = {{5, 0.118435751357, {0.02, 0.01}}, {9, 0.086403858222, {0.11, 0.08}}};
    verify_start(&argc, &argv);
    const int n = argc > 1 ? atoi(argv[1]) : 32;
    const char *mesh = fixture_path("box.cgns");
    write_mesh(mesh, n);
    struct fixture f;
    fixture_open(&f, "taylor_green",
                 verify_text("case: Taylor-Green vortex\nprecision: single\n"
                             "gas: {R: 1, viscosity: constant, mu: 6.25e-4, prandtl: 0.71}\n"
                             "scheme: {flux: kep, low_mach: on}\nmonitors: {volume: on}\n"
                             "march: {mode: unsteady, cfl: 4, end_time: 9}\n"
                             "initial: {pattern: taylor_green, p: %.17g, T: %.17g, mach: 0.1}\n",
                             100 / 1.4, 100 / 1.4),
                 mesh);
    fixture_must(an_solver_fill_initial(f.solver), "fill");
    verify_check("energy at the start", energy(&f), 0.125 * (1 - 1e-3), 0.125 * (1 + 1e-3));
    for (int k = 0; k < 2; k++) {
        fixture_until(&f, reference[k].time);
        const double is = energy(&f);
        verify_check(verify_text("%d^3 cells: energy at time %g over that of the reference", n,
                                 reference[k].time),
                     is / reference[k].energy - 1, -reference[k].allowed[n >= 64],
                     reference[k].allowed[n >= 64]);
    }
    fixture_close(&f);
    return verify_end();
}

/* Detached-eddy simulation in a periodic box without walls, where all turbulence is resolved.
 *                                                                                      limit    measured
 *   residual with 0.3 of the dissipation against that with 0.3 k4, and without
 *   second differences, ddes and iddes                                                 1e-11    0
 *   difference from the residual with all of the dissipation                           1e-4     0.09
 */
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>

static void box_map(void *context, const double s[3], double x[3])
{
    (void)context;
    for (int c = 0; c < 3; c++)
        x[c] = 6.283185307179586477 * s[c];
}

static void write_box(const char *path)
{
    static const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .kind = VM_TRANSLATE}, {.dir = 0, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 1, .side = 0, .kind = VM_TRANSLATE}, {.dir = 1, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 2, .side = 0, .kind = VM_TRANSLATE}, {.dir = 2, .side = 1, .kind = VM_TRANSLATE}};
    const double edge = 6.283185307179586477;
    const struct vm_box box = {.n = {12, 10, 8},
                               .parts = {2, 1, 1},
                               .turn = 3,
                               .map = box_map,
                               .translation = {{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}},
                               .nsegment = 6,
                               .segment = ends};
    vm_write(path, &box);
}

/* Residuals of a vortex in the box. */
static struct an_measure residual(const char *mesh, const char *des, double part, double k4)
{
    struct fixture f;
    fixture_open(
        &f, "box",
        verify_text("case: box\ngas: {R: 1, viscosity: constant, mu: 6.25e-4, prandtl: 0.71}\n"
                    "scheme: {flux: matrix, k2: 0, k4: %.17g%s}\n"
                    "turbulence: {model: sa%s}\n"
                    "march: {mode: unsteady, method: dual, time_step: 0.05, iterations: 1}\n"
                    "initial: {pattern: taylor_green, p: %.17g, T: %.17g, mach: 0.1}\n",
                    k4, part < 1 ? verify_text(", des_dissipation: %.17g", part) : "",
                    *des ? verify_text(", des: %s", des) : "", 100 / 1.4, 100 / 1.4),
        mesh);
    fixture_must(an_solver_fill_initial(f.solver), "fill");
    struct an_measure m = {.integral = NULL};
    fixture_must(an_solver_measure(f.solver, &m), "measure");
    fixture_close(&f);
    return m;
}

static void dissipation(void)
{
    const char *mesh = fixture_path("box.cgns");
    write_box(mesh);
    const struct an_measure whole = residual(mesh, "", 1, 1. / 32);
    const struct an_measure given = residual(mesh, "", 1, 0.3 / 32);
    for (int n = 0; n < 2; n++) {
        const char *const name = n ? "iddes" : "ddes";
        const struct an_measure found = residual(mesh, name, 0.3, 1. / 32);
        double off = 0, less = 0;
        for (int c = 1; c < 5; c++) {
            off = verify_worst(off, fabs(found.residual[c] / given.residual[c] - 1));
            less = verify_worst(less, fabs(found.residual[c] / whole.residual[c] - 1));
        }
        verify_check(verify_text("box, %s: 0.3 of the dissipation, as with 0.3 k4", name), off, 0,
                     1e-11);
        verify_check(verify_text("box, %s: residuals with all of it differ", name), less, 1e-4, 1);
    }
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    dissipation();
    return verify_end();
}

/* Secondary flow in the corners of a square duct by QCR2000.
 *
 *   duct of side a = 20 mm, periodic along x; the lid z = a moves along x with U = 60 m/s, U a / nu = 8e4;
 *   2 x 20 x 20 cells, 800 cycles. With a linear eddy viscosity the flow is along x alone. With QCR2000 the
 *   normal stresses differ, and gas flows along the bisectors of the corners at rest into the corners.
 *
 *                                          limits          measured: sa   sst
 *   largest cross flow over U, linear      below 1e-5           3.8e-8    1.2e-8
 *   largest cross flow over U, QCR2000     1e-3 .. 1e-2         4.6e-3    3.9e-3
 *   cross flow over U towards the corner,
 *   on the bisector 0.15 a from the walls  1e-4 .. 1e-2         8.9e-4    8.0e-4
 */
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <string.h>

static const double side = 0.02, lid = 60, gas = 287.05;

struct cross {
    double most, inward, nearest;
};

static double stretch(double s)
{
    return 0.5 * (1 + tanh(2.2 * (2 * s - 1)) / tanh(2.2));
}

static void duct_map(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = 0.004 * s[0];
    x[1] = side * stretch(s[1]);
    x[2] = side * stretch(s[2]);
}

static void start(void *context, const double x[3], double q[5])
{
    (void)context;
    memset(q, 0, 5 * sizeof *q);
    q[0] = 1e5 / (gas * 300);
    q[1] = 0.3 * lid * x[2] / side;
    q[4] = 1e5;
}

static void visit(void *context, int zone, const int cell[3], const double x[3], const double q[5],
                  double volume)
{
    struct cross *t = context;
    const double off = hypot(x[1] / side - 0.15, x[2] / side - 0.15);
    (void)zone, (void)cell, (void)volume;
    t->most = verify_worst(t->most, hypot(q[2], q[3]) / lid);
    if (off < t->nearest) {
        t->nearest = off;
        t->inward = -(q[2] + q[3]) / (lid * sqrt(2));
    }
}

static struct cross duct(const char *model, const char *qcr)
{
    const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .kind = VM_TRANSLATE},
        {.dir = 0, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_VISCOUS, .name = "wall"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_VISCOUS, .name = "wall"},
        {.dir = 2, .side = 0, .type = AN_BC_WALL_VISCOUS, .name = "wall"},
        {.dir = 2, .side = 1, .type = AN_BC_WALL_VISCOUS, .name = "lid"}};
    const struct vm_box box = {.n = {2, 20, 20},
                               .parts = {1, 1, 1},
                               .turn = -1,
                               .map = duct_map,
                               .translation = {{0.004, 0, 0}},
                               .nsegment = 6,
                               .segment = ends};
    const char *mesh = fixture_path("duct.cgns");
    struct cross t = {.nearest = 1};
    struct fixture f;
    vm_write(mesh, &box);
    fixture_open(&f, "duct",
                 verify_text("case: duct\nscheme: {flux: roe}\n"
                             "gas: {viscosity: constant, mu: 1.74e-5, R: %g}\n"
                             "turbulence: {model: %s, qcr: %s, inlet_viscosity_ratio: 30}\n"
                             "march: {method: implicit, cfl: 20}\n"
                             "initial: {p: 1e5, T: 300, velocity: [20, 0, 0]}\nboundaries:\n"
                             "  wall: {type: wall_viscous, T: 300}\n"
                             "  lid: {type: wall_viscous, T: 300, velocity: [%g, 0, 0]}\n",
                             gas, model, qcr, lid),
                 mesh);
    fixture_must(an_solver_fill(f.solver, start, NULL), "fill");
    fixture_steps(&f, 800);
    fixture_cells(&f, visit, &t);
    fixture_close(&f);
    return t;
}

int main(int argc, char **argv)
{
    static const char *const models[] = {"sa", "sst"};
    verify_start(&argc, &argv);
    for (int m = 0; m < 2; m++) {
        const struct cross none = duct(models[m], "off"), with = duct(models[m], "on");
        verify_check(verify_text("%s, linear: cross flow over U", models[m]), none.most, 0, 1e-5);
        verify_check(verify_text("%s, QCR2000: cross flow over U", models[m]), with.most, 1e-3,
                     0.01);
        verify_check(verify_text("%s, QCR2000: into the corner", models[m]), with.inward, 1e-4,
                     0.01);
    }
    return verify_end();
}

/* Uniform flow stays uniform, on whatever mesh.
 *
 *   The residual dW/dt of the uniform state is rounding; it is taken relative to the rate at which
 *   waves cross cells, rms over the volume of (|u.S| + c |S|, three directions) / V, times rho,
 *   rho c (three momenta), rho c^2 (energy). The state after 50 steps is compared with the first:
 *   the largest difference of rho, u, v, w, p over rho, c, c, c, p.
 *
 *              residual (measured)   state after 50 steps (measured)
 *   double     1e-12     (8.7e-16)   1e-12 (7.9e-15)
 *   single     1e-6      (2.7e-7)    5e-6  (2.8e-6: 50 steps of rounding in the worst cell)
 *
 *   box:    24 zones stored in the 24 ways; skewed, stretched, waved, rotated; far field
 *   tube:   O-mesh joined to itself; axial flow between slip walls, total inlet, static outlet
 *   cut:    C-mesh folded onto itself around a flat plate; supersonic; symmetry
 *   sector: rotational periodicity with skewed blades of air; axial flow, supersonic
 *   rotor:  the same, warped more, in a row that turns: G closes as S does; also implicit with
 *           multigrid, CFL numbers from 2 to 50: residual 8.5e-16, state 1e-14
 *   tile:   translational periodicity in all directions, skewed, zones in 24 ways
 */
#include "solver/flow/flow.h"
#include "solver/level/level.h"
#include "solver/level/transfer.h"
#include "solver/march/cfl.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double p = 1e5, T = 300, gas = 287.05;

/* Stretched and skewed position in the unit cube; straight ends. */
static void bend(const double s[3], double t[3])
{
    double wave = 0.03 * sin(PI * s[0]) * sin(PI * s[1]) * sin(PI * s[2]);
    t[0] = (exp(1.5 * s[0]) - 1) / (exp(1.5) - 1) + wave;
    t[1] = s[1] + 0.1 * sin(2 * PI * s[1]) / PI - wave;
    t[2] = s[2] + wave;
}

static void box_map(void *context, const double s[3], double x[3])
{
    (void)context;
    double t[3];
    bend(s, t);
    double a = t[0] + 0.4 * t[1] - 0.2 * t[2], b = t[1] + 0.3 * t[2], c = 0.5 * t[2] + 0.1 * t[0];
    const double f = 0.7, g = 0.4; /* two rotations */
    x[0] = cos(f) * a - sin(f) * b;
    x[1] = cos(g) * (sin(f) * a + cos(f) * b) - sin(g) * c;
    x[2] = sin(g) * (sin(f) * a + cos(f) * b) + cos(g) * c;
}

static void tube_map(void *context, const double s[3], double x[3])
{
    (void)context;
    /* i outwards, j around, k along x */
    double r = 0.5 + 0.5 * s[0] * s[0], angle = 2 * PI * s[1];
    angle += 0.5 * s[2] + 0.2 * s[0];
    vm_cylindrical(s[2] + 0.05 * sin(PI * s[2]) * sin(2 * PI * s[1]), r, angle, x);
}

static void cut_map(void *context, const double s[3], double x[3])
{
    (void)context;
    /* parabolic coordinates: the plate and the cut lie on y = 0, x >= 0 */
    double a = 2 * s[0] - 1, b = 0.8 * s[1] * (0.5 + 0.5 * s[1]);
    x[0] = a * a - b * b;
    x[1] = 2 * a * b;
    x[2] = 0.3 * s[2] * s[2] + 0.2 * s[2];
}

static void sector_map(void *context, const double s[3], double x[3])
{
    /* i along x, j outwards, k around */
    double pitch = *(double *)context;
    double r = 1 + 0.4 * s[1] + 0.1 * s[1] * s[1];
    double angle = pitch * (s[2] + 0.05 * sin(2 * PI * s[2])) + 0.4 * s[0] - 0.3 * s[1];
    vm_cylindrical(0.6 * s[0] + 0.03 * sin(PI * s[0]) * sin(PI * s[1]), r, angle, x);
}

/* Lines around the axis are not at constant x, off the ends and walls. */
static void rotor_map(void *context, const double s[3], double x[3])
{
    sector_map(context, s, x);
    const double angle = 0.08 * sin(PI * s[0]) * sin(2 * PI * s[1]);
    const double y = x[1] * cos(angle) - x[2] * sin(angle);
    x[2] = x[1] * sin(angle) + x[2] * cos(angle);
    x[1] = y;
    x[0] += 0.05 * sin(PI * s[0]) * sin(PI * s[1]) * sin(2 * PI * s[2]);
}

static void tile_map(void *context, const double s[3], double x[3])
{
    (void)context;
    double wave = 0.04 * sin(2 * PI * s[0]) * sin(2 * PI * s[1]) * sin(2 * PI * s[2]);
    double a = s[0] + wave, b = s[1] + wave, c = s[2] - wave;
    x[0] = a + 0.5 * b;
    x[1] = b + 0.25 * c;
    x[2] = 0.5 * c;
}

struct flow_case {
    const char *name;
    struct vm_box box;
    double mach, direction[3];
    const char *boundaries; /* printf format, see boundaries_text */
    double omega;           /* rad/s */
};

static const struct vm_segment box_ends[] = {
    {.dir = 0, .side = 0, .type = AN_BC_FARFIELD, .name = "far"},
    {.dir = 0, .side = 1, .type = AN_BC_FARFIELD, .name = "far"},
    {.dir = 1, .side = 0, .type = AN_BC_FARFIELD, .name = "far"},
    {.dir = 1, .side = 1, .type = AN_BC_FARFIELD, .name = "far"},
    {.dir = 2, .side = 0, .type = AN_BC_FARFIELD, .name = "far"},
    {.dir = 2, .side = 1, .type = AN_BC_FARFIELD, .name = "far"}};

static const struct vm_segment tube_ends[] = {
    {.dir = 0, .side = 0, .type = AN_BC_WALL_SLIP, .name = "hub"},
    {.dir = 0, .side = 1, .type = AN_BC_WALL_SLIP, .name = "casing"},
    {.dir = 1, .side = 0, .kind = VM_JOIN},
    {.dir = 1, .side = 1, .kind = VM_JOIN},
    {.dir = 2, .side = 0, .type = AN_BC_INLET_TOTAL, .name = "inlet"},
    {.dir = 2, .side = 1, .type = AN_BC_OUTLET_STATIC, .name = "outlet"}};

static const struct vm_segment cut_ends[] = {
    {.dir = 0, .side = 0, .type = AN_BC_OUTLET_SUPERSONIC, .name = "outlet"},
    {.dir = 0, .side = 1, .type = AN_BC_OUTLET_SUPERSONIC, .name = "outlet"},
    {.dir = 1, .side = 0, .kind = VM_FOLD, .along = 0, .lo = 0, .hi = 6},
    {.dir = 1, .side = 0, .kind = VM_FOLD, .along = 0, .lo = 18, .hi = 24},
    {.dir = 1, .side = 0, .type = AN_BC_WALL_SLIP, .name = "plate", .along = 0, .lo = 6, .hi = 18},
    {.dir = 1, .side = 1, .type = AN_BC_INLET_SUPERSONIC, .name = "inlet"},
    {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "low"},
    {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "high"}};

static const struct vm_segment sector_ends[] =
    VM_SECTOR(AN_BC_INLET_SUPERSONIC, "inlet", AN_BC_OUTLET_SUPERSONIC, "outlet");

static const struct vm_segment tile_ends[] = {
    {.dir = 0, .side = 0, .kind = VM_TRANSLATE}, {.dir = 0, .side = 1, .kind = VM_TRANSLATE},
    {.dir = 1, .side = 0, .kind = VM_TRANSLATE}, {.dir = 1, .side = 1, .kind = VM_TRANSLATE},
    {.dir = 2, .side = 0, .kind = VM_TRANSLATE}, {.dir = 2, .side = 1, .kind = VM_TRANSLATE}};

static double pitch = 2 * PI / 12;

#define ENDS(list) .nsegment = sizeof(list) / sizeof *(list), .segment = list

static const struct flow_case cases[] = {
    {"box",
     {.n = {12, 10, 16}, .parts = {3, 2, 4}, .map = box_map, ENDS(box_ends)},
     0.6,
     {0.8, 0.5, -0.3},
     "far",
     0},
    {"tube",
     {.n = {6, 16, 10}, .parts = {1, 1, 2}, .turn = 5, .map = tube_map, ENDS(tube_ends)},
     0.5,
     {1, 0, 0},
     "total",
     0},
    {"cut",
     {.n = {24, 8, 3}, .parts = {1, 1, 1}, .turn = -1, .map = cut_map, ENDS(cut_ends)},
     1.7,
     {1, 0, 0},
     "supersonic",
     0},
    {"cut in zones",
     {.n = {24, 8, 3}, .parts = {4, 2, 1}, .turn = 3, .map = cut_map, ENDS(cut_ends)},
     1.7,
     {1, 0, 0},
     "supersonic",
     0},
    {"sector",
     {.n = {10, 8, 8},
      .parts = {2, 1, 2},
      .turn = 9,
      .map = sector_map,
      .context = &pitch,
      .angle = 2 * PI / 12,
      ENDS(sector_ends)},
     1.6,
     {1, 0, 0},
     "supersonic",
     0},
    {"rotor",
     {.n = {12, 8, 8},
      .parts = {2, 1, 2},
      .turn = 9,
      .map = rotor_map,
      .context = &pitch,
      .angle = 2 * PI / 12,
      ENDS(sector_ends)},
     1.6,
     {1, 0, 0},
     "supersonic",
     600},
    {"tile",
     {.n = {12, 12, 12},
      .parts = {2, 3, 4},
      .turn = 0,
      .map = tile_map,
      .translation = {{1, 0, 0}, {0.5, 1, 0}, {0, 0.25, 0.5}},
      ENDS(tile_ends)},
     0.6,
     {0.8, 0.5, -0.3},
     "none",
     0},
};

static const char *case_text(const struct flow_case *f, const char *flux, const char *precision)
{
    const double *d = f->direction;
    const char *state = verify_text("p: %g, T: %g, mach: %g, direction: [%g, %g, %g]", p, T,
                                    f->mach, d[0], d[1], d[2]);
    const double ratio = 1 + 0.2 * f->mach * f->mach;
    const char *boundaries = "";
    if (!strcmp(f->boundaries, "far"))
        boundaries = verify_text("boundaries:\n  far: {type: farfield, %s}\n", state);
    if (!strcmp(f->boundaries, "supersonic"))
        boundaries = verify_text("boundaries:\n  inlet: {type: inlet_supersonic, %s}\n", state);
    if (!strcmp(f->boundaries, "total"))
        boundaries = verify_text("boundaries:\n  inlet: {type: inlet_total, p0: %.17g, T0: %.17g, "
                                 "direction: [1, 0, 0]}\n  outlet: {type: outlet_static, p: %g}\n",
                                 p * pow(ratio, 3.5), T * ratio, p);
    const char *rows =
        f->omega == 0
            ? ""
            : verify_text("rows:\n  rotor: {zones: [zone*], omega: %g, blades: 12}\n", f->omega);
    const char *method = strcmp(flux, "implicit") ? "runge_kutta" : "implicit";
    return verify_text("case: uniform flow\nprecision: %s\nscheme: {flux: %s}\n"
                       "march: {method: %s}\ninitial: {%s}\n%s%s",
                       precision, strcmp(flux, "implicit") ? flux : "matrix", method, state,
                       boundaries, rows);
}

/* rms over the volume of the rate at which waves cross cells: cfl / (time step), where cfl is so
 * small that nothing else limits the time step */
static double crossing_rate(struct fixture *f)
{
    struct an_solver *s = f->solver;
    struct an_reduction red;
    double sum[2] = {0, 0};
    const double cfl = f->c.march.cfl, start = f->c.march.cfl_start, small = 1e-3;
    f->c.march.cfl = f->c.march.cfl_start = small;
    an_solver_ramp(s);
    fixture_must(an_level_radii(s, s->level, &red), "time step");
    f->c.march.cfl = cfl;
    f->c.march.cfl_start = start;
    for (int b = 0; b < s->nlocal; b++) {
        const int *n = s->level->layout.block[b].n;
        const int64_t cells = (int64_t)n[0] * n[1] * n[2];
        double *dt = malloc((size_t)cells * 2 * sizeof *dt);
        fixture_must(dt ? AN_OK : AN_FAIL, "memory");
        fixture_must(an_solver_download(s, AN_F_DT, 1, b, dt), "time step");
        fixture_must(an_solver_download(s, AN_F_VOL, 1, b, dt + cells), "volume");
        for (int64_t c = 0; c < cells; c++) {
            double rate = small / (dt[c] * dt[cells + c]);
            sum[0] += rate * rate * dt[cells + c];
            sum[1] += dt[cells + c];
        }
        free(dt);
    }
    MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, f->comm);
    return sqrt(sum[0] / sum[1]);
}

static void uniform(void *context, const double x[3], double q[5])
{
    (void)x;
    memcpy(q, context, 5 * sizeof *q);
}

static void run(const struct flow_case *flow, const char *flux, const char *precision, double limit,
                double drift)
{
    struct fixture f;
    const char *mesh = fixture_path(verify_text("%s.cgns", flow->name));
    fixture_open(&f, "uniform", case_text(flow, flux, precision), mesh);
    fixture_must(an_solver_fill_initial(f.solver), "fill");
    struct an_measure m = {.integral = NULL};
    fixture_must(an_solver_measure(f.solver, &m), "measure");
    const double rho = p / (gas * T), c = sqrt(1.4 * gas * T), rate = crossing_rate(&f);
    const double scale[5] = {rho, rho * c, rho * c, rho * c, rho * c * c};
    double worst = 0, change = 0;
    for (int e = 0; e < 5; e++)
        worst = verify_worst(worst, m.residual[e] / (scale[e] * rate));
    verify_check(verify_text("%s, %s, %s: residual", flow->name, flux, precision), worst, -INFINITY,
                 limit);
    double length =
        sqrt(flow->direction[0] * flow->direction[0] + flow->direction[1] * flow->direction[1] +
             flow->direction[2] * flow->direction[2]);
    double q[5] = {rho, 0, 0, 0, p}, max[5], unit[5] = {rho, c, c, c, p};
    for (int d = 0; d < 3; d++)
        q[1 + d] = flow->mach * c * flow->direction[d] / length;
    fixture_steps(&f, 50);
    fixture_error(&f, uniform, q, NULL, max);
    for (int e = 0; e < 5; e++)
        change = max[e] != max[e] ? NAN : fmax(change, max[e] / unit[e]);
    verify_check(verify_text("%s, %s, %s: state", flow->name, flux, precision), change, -INFINITY,
                 drift);
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        vm_write(fixture_path(verify_text("%s.cgns", cases[n].name)), &cases[n].box);
        run(&cases[n], "jst", "double", 1e-12, 1e-12);
        run(&cases[n], "roe", "double", 1e-12, 1e-12);
        run(&cases[n], "jst", "single", 1e-6, 5e-6);
        run(&cases[n], "roe", "single", 1e-6, 5e-6);
        run(&cases[n], "kep", "double", 1e-12, 1e-12);
        if (cases[n].omega == 0)
            continue;
        run(&cases[n], "matrix", "double", 1e-12, 1e-12);
        run(&cases[n], "matrix", "single", 1e-6, 5e-6);
        run(&cases[n], "implicit", "double", 1e-12, 1e-12); /* starts softly */
    }
    return verify_end();
}

/* Spalart-Allmaras where nut starts below zero (SA-neg), and SST where omega has nearly vanished, through the
 * solver.
 *
 *   free stream   nut = -nu inside, 3 nu flows in: 3 nu everywhere in the end      to 1e-6
 *   plate         nut = -0.5, -5, -50 nu in stripes, others 3 nu: the flow of a run that
 *                 starts with 3 nu everywhere, the same nut                        to 1e-6
 *
 *   omega         SST in a free stream, omega = 1e-30 / s inside: at least 1e-5 after one step,
 *                 that of a run with the usual start in the end                    to 1e-6
 *
 * With Spalart-Allmaras no nut is below zero in the end, and on the way none falls below where it began: the
 * negative branch only brings it back. Implicit steps with multigrid, CFL number 1000. */
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include "solver/flow/turbulence.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdlib.h>

enum { NI = 16, NJ = 24 };
static const double mu = 8e-5, rho = 1.1614401858304297; /* 1e5 / (287 300) */

static void plate_map(void *context, const double s[3], double x[3])
{
    (void)context;
    const double first = 3e-5, ratio = 1.34;
    x[0] = s[0];
    x[1] = first * (pow(ratio, NJ * s[1]) - 1) / (ratio - 1);
    x[2] = 0.1 * s[2];
}

static void free_map(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = s[0] + 0.1 * s[1];
    x[1] = s[1] - 0.05 * sin(3 * s[0]);
    x[2] = 0.1 * s[2];
}

static const struct vm_segment plate_ends[] = {
    {.dir = 0, .side = 0, .type = AN_BC_INLET_TOTAL, .name = "inlet"},
    {.dir = 0, .side = 1, .type = AN_BC_OUTLET_STATIC, .name = "outlet"},
    {.dir = 1, .side = 0, .type = AN_BC_WALL_VISCOUS, .name = "wall"},
    {.dir = 1, .side = 1, .type = AN_BC_SYMMETRY, .name = "side"},
    {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "side"},
    {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "side"}};
static const struct vm_segment free_ends[] = {
    {.dir = 0, .side = 0, .type = AN_BC_FARFIELD, .name = "far"},
    {.dir = 0, .side = 1, .type = AN_BC_FARFIELD, .name = "far"},
    {.dir = 1, .side = 0, .type = AN_BC_FARFIELD, .name = "far"},
    {.dir = 1, .side = 1, .type = AN_BC_FARFIELD, .name = "far"},
    {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "side"},
    {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "side"}};

static const char *yaml =
    "case: negative nut\ndevice: cpu\n"
    "gas: {R: 287, viscosity: constant, mu: 8e-5}\nturbulence: {model: %s, inlet_viscosity_ratio: "
    "3}\n"
    "initial: {p: 1e5, T: 300, mach: 0.2}\nboundaries:\n  side: {type: symmetry}\n";
static const char *plate_yaml =
    "  inlet: {type: inlet_total, p0: 102828, T0: 302.4, direction: [1, 0, 0]}\n"
    "  outlet: {type: outlet_static, p: 1e5}\n"
    "  wall: {type: wall_viscous}\n";
static const char *free_yaml = "  far: {type: farfield, p: 1e5, T: 300, mach: 0.2}\n";

/* Variable v of the turbulence model. */
static double *turb_of(struct fixture *f, int v, int i, int j)
{
    const struct an_level *l = f->solver->level;
    return (double *)l->fields.at[AN_F_TURB] + v * l->layout.ncell +
           an_element(&l->layout.block[0], i, j, 0);
}

static double *turb(struct fixture *f, int i, int j)
{
    return turb_of(f, 0, i, j);
}

/* The least nut of all cells over nu. */
static double least(struct fixture *f)
{
    double x = HUGE_VAL;
    for (int j = 0; j < NJ; j++)
        for (int i = 0; i < NI; i++)
            x = fmin(x, *turb(f, i, j) * rho / mu);
    return x;
}

static void open_run(struct fixture *f, const char *name, const char *model, vm_map *map,
                     const struct vm_segment *ends, const char *boundaries)
{
    const struct vm_box box = {
        .n = {NI, NJ, 1}, .turn = -1, .map = map, .nsegment = 6, .segment = ends};
    const char *mesh = fixture_path(verify_text("%s.cgns", name));
    vm_write(mesh, &box);
    fixture_open(f, name, verify_text(verify_text("%s%s", yaml, boundaries), model), mesh);
    fixture_must(an_solver_fill_initial(f->solver), "fill");
}

/* Steps to the end of the residuals; the least nut over nu seen on the way. */
static double march(struct fixture *f, int steps)
{
    double low = HUGE_VAL;
    for (int n = 0; n < steps; n++) {
        fixture_steps(f, 1);
        low = fmin(low, least(f));
    }
    return low;
}

static void free_stream(void)
{
    struct fixture f;
    double worst = 0;
    open_run(&f, "free", "sa", free_map, free_ends, free_yaml);
    for (int j = 0; j < NJ; j++)
        for (int i = 0; i < NI; i++)
            *turb(&f, i, j) = -mu / rho;
    fixture_must(an_turbulence_refresh(f.solver), "turbulence");
    verify_check("free stream: least nut on the way, over nu", march(&f, 100), -1.0000001, 3);
    for (int j = 0; j < NJ; j++)
        for (int i = 0; i < NI; i++)
            worst = verify_worst(worst, fabs(*turb(&f, i, j) * rho / mu / 3 - 1));
    verify_check("free stream: nut from 3 nu", worst, 0, 1e-6);
    fixture_close(&f);
}

static void plate(void)
{
    static const double start[4] = {-0.5, -5, -50, 3};
    enum { STEPS = 400 };
    double *right = malloc((size_t)NI * NJ * sizeof *right), difference = 0, scale = 0;
    for (int negative = 0; negative < 2; negative++) {
        struct fixture f;
        open_run(&f, "plate", "sa", plate_map, plate_ends, plate_yaml);
        for (int j = 0; j < NJ && negative; j++)
            for (int i = 0; i < NI; i++)
                *turb(&f, i, j) = start[(i + j / 3) % 4] * mu / rho;
        fixture_must(an_turbulence_refresh(f.solver), "turbulence");
        const double low = march(&f, STEPS);
        for (int j = 0; j < NJ; j++)
            for (int i = 0; i < NI; i++) {
                double *r = &right[j * NI + i];
                if (negative)
                    difference = verify_worst(difference, fabs(*turb(&f, i, j) - *r));
                else
                    scale = fmax(scale, *r = *turb(&f, i, j));
            }
        verify_check(negative ? "plate, nut < 0: least on the way, over nu"
                              : "plate: least on the way, over nu",
                     low, negative ? -50.0001 : 0, 3);
        verify_check("plate: least nut in the end, over nu", least(&f), 0, 3);
        fixture_close(&f);
    }
    verify_check("plate: largest nut over nu (it is turbulent)", scale * rho / mu, 20, 1e4);
    verify_check("plate: nut, from both starts", difference / scale, 0, 1e-6);
    free(right);
}

static void vanished_omega(void)
{
    static double right[NJ][NI];
    double low = HUGE_VAL, worst = 0;
    for (int vanished = 0; vanished < 2; vanished++) {
        struct fixture f;
        open_run(&f, "omega", "sst", free_map, free_ends, free_yaml);
        for (int j = 0; j < NJ && vanished; j++)
            for (int i = 0; i < NI; i++)
                *turb_of(&f, 1, i, j) = 1e-30;
        fixture_must(an_turbulence_refresh(f.solver), "turbulence");
        fixture_steps(&f, 1);
        for (int j = 0; j < NJ; j++)
            for (int i = 0; i < NI; i++)
                low = fmin(low, *turb_of(&f, 1, i, j));
        fixture_steps(&f, 300);
        for (int j = 0; j < NJ; j++)
            for (int i = 0; i < NI; i++) {
                const double omega = *turb_of(&f, 1, i, j);
                worst = verify_worst(worst, vanished ? fabs(omega / right[j][i] - 1) : 0);
                right[j][i] = omega;
            }
        fixture_close(&f);
    }
    verify_check("SST: least omega after a step from 1e-30 / s", low, 1e-5, 2e-5);
    verify_check("SST: omega in the end, from both starts", worst, 0, 1e-6);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    free_stream();
    plate();
    vanished_omega();
    return verify_end();
}

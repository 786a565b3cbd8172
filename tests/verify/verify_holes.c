/* Film-cooling holes as sources, in a sector of an annulus that turns (verify_cooling has the same duct).
 *
 *   r from 0.5 to 1 m, 0.5 m long, a twelfth of the annulus at 200 rad/s, skewed mesh of two zones;
 *   a row of five holes in the hub, across the cut between the zones
 *
 *   sums of the sources over all cells: mass over that of the file; energy and momentum over those of the jets   1e-13
 *   closed, time-accurate: mass that came in less that asked for, over it                                       1e-11
 *   state on these ranks and on each rank alone, CPU and emulated engine: the same bits
 *   exit and height of a jet by the formulas of bc/hole_jet.h                                                   1e-12
 */
#include "solver/boundary/coolant.h"
#include "solver/boundary/holes.h"
#include "tests/support/solver_fixture.h"
#include "tests/verify/cooled_duct.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double gas = 287.05, cp = 1.4 / 0.4 * 287.05, omega = 200, p1 = 1e5, T1 = 300;
static const double flow = 1.5e-3, T0 = 350, diameter = 0.02;
static char holes[1024];

static const char *text(const char *device, const char *ends, const char *march)
{
    return verify_text(
        "case: holes\nprecision: double\ndevice: %s\n"
        "gas: {gamma: 1.4, R: 287.05}\nscheme: {flux: roe, limiter: first_order}\nmarch: {%s}\n"
        "initial: {p: 1e5, T: %g, mach: 0.2}\n"
        "rows: {rotor: {zones: [\"zone*\"], omega: %g, blades: 12}}\n"
        "boundaries:\n%s  hub: {type: wall_slip, holes: \"%s\"}\n  casing: {type: wall_slip}\n",
        device, march, T1, omega, ends, holes);
}

static void write_holes(void)
{
    FILE *f = fopen(holes, "w");
    const double a = PI / 12, y = 0.5 * cos(a), z = 0.5 * sin(a);
    fixture_must(f ? AN_OK : an_error_set(AN_FAIL, "%s", holes), "file of holes");
    fprintf(f, "x_m,y_m,z_m,x2_m,count,diameter_mm,alpha_deg,beta_deg,mass_flow_g_s,T0_K\n");
    fprintf(f, "0.17,%.17g,%.17g,0.33,5,%g,35,20,%.17g,%g\n", y, z, 1e3 * diameter, 1e3 * flow, T0);
    fclose(f);
}

/* All that enters, summed over the cells of all ranks: the parts of a hole add up to 1. */
static void sums(const struct fixture *f)
{
    const struct an_coolant *k = an_coolant_of(f->solver);
    const struct an_hole_set *q = k->patch[0].holes;
    const int64_t n = k->npacked;
    double *rate = calloc((size_t)n * AN_NCOMP_SOURCE + 1, sizeof *rate);
    double sum[5] = {0}, wanted[5] = {0}, scale = 0;
    an_holes_add(q, n, k->volume, rate);
    for (int c = 0; c < 5; c++)
        for (int64_t m = 0; m < n; m++)
            sum[c] += rate[c * n + m] * k->volume[m];
    MPI_Allreduce(MPI_IN_PLACE, sum, 5, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int m = 0; m < q->list.n; m++) {
        const struct an_hole *h = &q->hole[m];
        const double mass = h->part * h->mass;
        wanted[0] += mass;
        wanted[4] += mass * h->h0;
        for (int d = 0; d < 3; d++)
            wanted[1 + d] += mass * (h->V * cos(h->set->alpha) * h->along[d] + h->wall[d]);
        scale = fmax(scale, h->V);
        verify_check("the hole lies on the wall as a whole", h->part, 1, 1);
        verify_check("speed of the jet, by continuity",
                     h->mass * gas * h->T / (h->p * h->exit.area) / h->V, 1 - 1e-9, 1 + 1e-9);
        verify_check("energy of the jet relative to the wall",
                     (cp * h->T + 0.5 * h->V * h->V) / (cp * T0), 1 - 1e-9, 1 + 1e-9);
    }
    verify_check("holes", q->list.n, 5, 5);
    verify_check("mass of the sources over that of the file", sum[0] / (5 * flow), 1 - 1e-13,
                 1 + 1e-13);
    verify_check("energy over that of the jets", sum[4] / wanted[4], 1 - 1e-13, 1 + 1e-13);
    for (int d = 0; d < 3; d++)
        verify_check("momentum less that of the jets, over m V",
                     fabs(sum[1 + d] - wanted[1 + d]) / (5 * flow * scale), 0, 1e-12);
    free(rate);
}

static void fill_vessel(const char *mesh)
{
    struct fixture f;
    double before[2], after[2];
    fixture_open(&f, "vessel",
                 text("cpu", "  inlet: {type: wall_slip}\n  outlet: {type: wall_slip}\n",
                      "mode: unsteady, cfl: 1.5, iterations: 1000"),
                 mesh);
    fixture_must(an_solver_fill(f.solver, cooled_duct_at_rest, (double[2]){p1, T1}), "fill");
    sums(&f);
    cooled_duct_contents(&f, before);
    fixture_steps(&f, 40);
    cooled_duct_contents(&f, after);
    const double mass = 5 * flow * an_solver_time(f.solver);
    verify_check("mass that came in less that asked for, over it",
                 fabs((after[0] - before[0]) / mass - 1), 0, 1e-10);
    fixture_close(&f);
}

/* The same march on other ranks, and by the CUDA engine's code: hashes of the state. */
static uint64_t march(MPI_Comm comm, const char *name, const char *device, const char *mesh)
{
    struct fixture f;
    fixture_open_on(&f, comm, name,
                    text(device,
                         "  inlet: {type: inlet_total, p0: 1.05e5, T0: 300, direction: [1, 0, 0]}\n"
                         "  outlet: {type: outlet_static, p: 1e5}\n",
                         "mode: steady, iterations: 1000"),
                    mesh);
    fixture_must(an_solver_fill_initial(f.solver), "fill");
    fixture_steps(&f, 25); /* the streams are measured three times */
    const struct an_hole_set *q = an_coolant_of(f.solver)->patch[0].holes;
    verify_check("the stream has been measured", q->unknown, 0, 0);
    const uint64_t hash = fixture_hash(&f);
    fixture_close(&f);
    return hash;
}

/* Parts between two heights, and what the constants of the model make of a jet. */
static void jets(void)
{
    const struct an_hole_given h = {.diameter = 0.01,
                                    .alpha = PI / 6,
                                    .lateral = 10 * PI / 180,
                                    .lateral_length = 3,
                                    .forward = 5 * PI / 180,
                                    .forward_length = 2};
    const struct an_hole_exit e = an_hole_exit_of(&h);
    const double width = 0.01 * (1 + 6 * tan(PI / 18)), height = 0.01 * (1 + 2 * tan(PI / 36));
    verify_check("half width of a shaped exit", e.half[1] / width, 0.5 - 1e-12, 0.5 + 1e-12);
    verify_check("half length of its footprint", e.half[0] / height, 1 - 1e-12, 1 + 1e-12);
    verify_check("its area over that of a box less the corners of a circle",
                 e.area / (width * height - (1 - PI / 4) * 1e-4), 1 - 1e-12, 1 + 1e-12);
    const struct an_hole_height at = an_hole_height_of(&h, 0.25);
    verify_check("height of the jet over that of the exit", at.centre / height, 0.325 - 1e-12,
                 0.325 + 1e-12);
    verify_check("all of the gas enters", an_hole_between(&at, 0, 1), 1 - 1e-12, 1 + 1e-12);
    verify_check("parts add up", an_hole_between(&at, 0, 0.003) + an_hole_between(&at, 0.003, 1),
                 1 - 1e-12, 1 + 1e-12);
    verify_check("k of a jet of 10 m/s", an_hole_k(&h, 10), 25 - 1e-12, 25 + 1e-12);
    verify_check("its nu tilde", an_hole_nut(&h, 10), 5e-3 - 1e-15, 5e-3 + 1e-15);
    const struct an_hole_height above = an_hole_height_of(&h, 1);
    verify_check("less of it near the wall where the momentum ratio is larger",
                 an_hole_between(&above, 0, 0.003) < an_hole_between(&at, 0, 0.003), 1, 1);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    char mesh[1024]; /* fixture_path has eight buffers */
    int rank;
    snprintf(mesh, sizeof mesh, "%s", fixture_path("duct.cgns"));
    snprintf(holes, sizeof holes, "%s", fixture_path("holes.csv"));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        write_holes();
    cooled_duct_write(mesh, (const int[3]){16, 16, 8}, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    jets();
    fill_vessel(mesh);
    const uint64_t hash = march(MPI_COMM_WORLD, "together", "cpu", mesh);
    int differ = march(MPI_COMM_SELF, verify_text("alone%d", rank), "cpu", mesh) != hash;
    differ |= 2 * (march(MPI_COMM_WORLD, "emulated", "emulated", mesh) != hash);
    MPI_Allreduce(MPI_IN_PLACE, &differ, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
    verify_check("other bits than alone (1), than the emulated engine (2)", differ, 0, 0);
    return verify_end();
}

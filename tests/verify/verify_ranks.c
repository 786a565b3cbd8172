/* The answer does not depend on the number of ranks: one run of four ranks solves each case on one,
 * two and four of them and compares hashes of all bits of the state.
 *
 *   vortex: waved in three directions, 12 zones stored in different ways, translation
 *   sector: swirling flow between slip walls, total inlet, static outlet, rotational periodicity
 *
 *   steady (local time steps) and unsteady (from the CFL number); jst and roe; double and
 *   single; viscous too, hub with temperature and rotation, casing with a heat flux; explicit;
 *   turbulent: sa (with jst) and sst (with roe)
 *   scree, residual smoothing, both, the mixing length, a row that turns, explicit and
 *   implicit, a gas with cp(T), and the flux that preserves kinetic energy, on the sector, double and
 *   single
 *   without mpi.whole_below: the coarse level of the sector is whole on devices, none on CPUs or one rank
 *   10 steps:    hash(2 ranks) = hash(4 ranks) = hash(1 rank)
 */
#include "solver/level/level.h"
#include "solver/level/replicated.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static void wave_map(void *context, const double s[3], double x[3])
{
    (void)context;
    double wave = 0.03 * sin(2 * PI * s[0]) * sin(2 * PI * s[1]) * cos(2 * PI * s[2]);
    x[0] = s[0] + wave;
    x[1] = s[1] - wave;
    x[2] = 0.5 * s[2] + 0.5 * wave;
}

static void sector_map(void *context, const double s[3], double x[3])
{
    (void)context;
    double r = 1 + 0.5 * s[1] - 0.1 * sin(PI * s[0]) * (1 - s[1]);
    double angle = 2 * PI / 9 * s[2] + 0.3 * s[0] * s[0] + 0.2 * s[1];
    vm_cylindrical(0.8 * s[0], r, angle, x);
}

static void start(void *context, const double x[3], double q[5])
{
    (void)context;
    q[0] = 1.2 + 0.1 * sin(2 * PI * x[0]) * cos(2 * PI * x[1]);
    q[1] = 150 + 20 * cos(2 * PI * x[1] + 1);
    q[2] = -40 * x[2] + 10 * sin(2 * PI * x[0]);
    q[3] = 40 * x[1] - 20;
    q[4] = 1e5 + 4e3 * sin(2 * PI * (x[0] + x[1]) + 4 * PI * x[2]);
}

static const struct vm_segment wave_ends[] = {
    {.dir = 0, .side = 0, .kind = VM_TRANSLATE}, {.dir = 0, .side = 1, .kind = VM_TRANSLATE},
    {.dir = 1, .side = 0, .kind = VM_TRANSLATE}, {.dir = 1, .side = 1, .kind = VM_TRANSLATE},
    {.dir = 2, .side = 0, .kind = VM_TRANSLATE}, {.dir = 2, .side = 1, .kind = VM_TRANSLATE}};
static const struct vm_segment sector_ends[] =
    VM_SECTOR(AN_BC_INLET_TOTAL, "inlet", AN_BC_OUTLET_STATIC, "outlet");

static const struct {
    const char *name, *boundaries, *walls;
    struct vm_box box;
} cases[2] = {
    {"vortex",
     "",
     "",
     {.n = {18, 16, 12},
      .parts = {3, 2, 2},
      .turn = 7,
      .map = wave_map,
      .translation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0.5}},
      .nsegment = 6,
      .segment = wave_ends}},
    {"sector",
     "boundaries:\n"
     "  inlet: {type: inlet_total, p0: 1.2e5, T0: 310, direction: [0.9, 0.1, 0.3]}\n"
     "  outlet: {type: outlet_static, p: 1e5}\n",
     "  hub: {type: wall_viscous, T: 320, omega: 60}\n"
     "  casing: {type: wall_viscous, heat_flux: 1e4}\n",
     {.n = {18, 10, 12},
      .parts = {2, 1, 1},
      .turn = 11,
      .map = sector_map,
      .angle = 2 * PI / 9,
      .nsegment = 6,
      .segment = sector_ends}},
};

/* The hash after 10 steps on the first `ranks` ranks; 0 on the others. */
static uint64_t run(int number, const char *yaml, int ranks)
{
    int rank;
    uint64_t hash = 0;
    MPI_Comm some;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < ranks ? 0 : MPI_UNDEFINED, rank, &some);
    const char *mesh = fixture_path(cases[number].name);
    if (some != MPI_COMM_NULL) {
        struct fixture f;
        fixture_open_on(&f, some, verify_text("ranks%d", ranks), yaml, mesh);
        fixture_must(an_solver_fill(f.solver, start, NULL), "fill");
        fixture_steps(&f, 10);
        struct an_measure m = {.integral = NULL};
        fixture_must(an_solver_measure(f.solver, &m), "measure"); /* finite and physical */
        hash = fixture_hash(&f);
        fixture_close(&f);
        MPI_Comm_free(&some);
    }
    MPI_Bcast(&hash, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    return hash;
}

/* Marches and a model that the table of main does not have. */
static void run_other(int n, const char *precision, int size)
{
    static const struct {
        const char *name, *march, *rest;
        int walls;
    } other[8] = {
        {"scree", "method: scree", "", 0},
        {"smoothed", "method: runge_kutta, residual_smoothing: jacobi", "", 0},
        {"smoothed scree", "method: scree, residual_smoothing: jacobi", "", 0},
        {"mixing length", "method: runge_kutta, cfl: 2",
         "gas: {viscosity: sutherland, mu: 0.1}\n"
         "turbulence: {model: mixing_length, length: 5}\n",
         1},
        {"row", "method: runge_kutta, cfl: 2",
         "rows:\n  rotor: {zones: [\"zone*\"], omega: -250}\n", 0},
        {"row, implicit, sa", "cfl: 20",
         "multigrid: {levels: 2}\ngas: {viscosity: sutherland, mu: 0.1}\nturbulence: {model: sa}\n"
         "rows:\n  rotor: {zones: [\"zone*\"], omega: -250}\n",
         1},
        {"cp(T), implicit, sa", "cfl: 20",
         "multigrid: {levels: 2}\nturbulence: {model: sa}\n"
         "gas: {viscosity: sutherland, mu: 0.1, cp: [500, 2], T_range: [200, 600]}\n",
         1},
        {"kep, unsteady", "mode: unsteady, cfl: 2",
         "scheme: {flux: kep}\ngas: {viscosity: sutherland, mu: 0.1}\n", 1},
    };
    const char *yaml = verify_text("case: ranks\nprecision: %s\nmarch: {%s, iterations: 10}\n"
                                   "initial: {p: 1e5, T: 300}\n%s%s%s",
                                   precision, other[n].march, cases[1].boundaries,
                                   other[n].walls ? cases[1].walls : "", other[n].rest);
    const uint64_t one = run(1, yaml, 1);
    verify_note("%s, %s, %s: %016llx", cases[1].name, other[n].name, precision,
                (unsigned long long)one);
    for (int ranks = 2; ranks <= size; ranks *= 2)
        verify_check(verify_text("%s, %s: %d ranks differ", other[n].name, precision, ranks),
                     run(1, yaml, ranks) != one, 0, 0);
}

/* Replicated levels without mpi.whole_below, on all ranks and on one. */
static void count_whole(void)
{
    const char *yaml = verify_text("case: ranks\nmarch: {cfl: 20, iterations: 1}\n"
                                   "multigrid: {levels: 2}\ninitial: {p: 1e5, T: 300}\n%s",
                                   cases[1].boundaries);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int all = rank > 0; all < 2; all++) {
        struct fixture f;
        fixture_open_on(&f, all ? MPI_COMM_WORLD : MPI_COMM_SELF, "whole", yaml,
                        fixture_path(cases[1].name));
        const int several = f.solver->nrank > 1;
        verify_check("replicated levels on devices", an_replicated_count(f.solver, 1), several,
                     several);
        verify_check("cells of these", (double)an_replicated_cells(f.solver, several),
                     several * 540, several * 540);
        verify_check("replicated levels on CPUs", an_replicated_count(f.solver, 0), 0, 0);
        fixture_close(&f);
    }
}

int main(int argc, char **argv)
{
    static const char *const flux[2] = {"jst", "roe"}, *const mode[2] = {"steady", "unsteady"},
                             *const precision[2] = {"double", "single"},
                             *const model[2] = {"sa", "sst"};
    int size;
    verify_start(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int n = 0; n < 2; n++) {
        vm_write(fixture_path(cases[n].name), &cases[n].box);
        for (int v = 0; v < 24; v++) {
            const int viscous = v >> 3 > 0, turbulent = v >> 3 == 2;
            const char *what =
                verify_text("%s, %s, %s, %s%s%s%s", cases[n].name, flux[v & 1], mode[v >> 1 & 1],
                            precision[v >> 2 & 1], viscous ? ", viscous" : "",
                            turbulent ? ", " : "", turbulent ? model[v & 1] : "");
            const char *yaml = verify_text("case: ranks\nprecision: %s\nscheme: {flux: %s}\n%s"
                                           "march: {mode: %s, %scfl: 2, iterations: 10}\n"
                                           "initial: {p: 1e5, T: 300}\n%s%s%s%s%s",
                                           precision[v >> 2 & 1], flux[v & 1],
                                           viscous ? "gas: {viscosity: sutherland, mu: 0.1}\n" : "",
                                           mode[v >> 1 & 1], v & 2 ? "" : "method: runge_kutta, ",
                                           cases[n].boundaries, viscous ? cases[n].walls : "",
                                           turbulent ? "turbulence: {model: " : "",
                                           turbulent ? model[v & 1] : "", turbulent ? "}\n" : "");
            const uint64_t one = run(n, yaml, 1);
            verify_note("%s: %016llx", what, (unsigned long long)one);
            for (int ranks = 2; ranks <= size; ranks *= 2)
                verify_check(verify_text("%s: %d ranks differ", what, ranks),
                             run(n, yaml, ranks) != one, 0, 0);
        }
    }
    for (int v = 0; v < 16; v++)
        run_other(v >> 1, precision[v & 1], size);
    count_whole();
    return verify_end();
}

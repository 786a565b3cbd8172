/* Inlets of given mass flow: the total pressure that they reach is the exact one.
 *
 *   r from 0.5 to 1 m, 0.5 m long, a thirtieth of the annulus, inviscid, in a row that turns at 100
 *   rad/s; parallel flow along the axis at p = 9e4 Pa, T0 = 300 K. Mass flows are those of the faces
 *   of the mesh at the exact total pressure. The two inlets start from a total pressure that
 *   is too low with a perfect gas, and from one that is too high with cp(T).
 *
 *   two inlets   inner and outer half of the span, with 1e5 and 1.06e5 Pa: a shear layer between
 *   profile      total pressure and temperature rise along the span; p0 / p0 of the case = 1.05
 *                everywhere on the inlet
 *
 *                                                    required     measured
 *   p0 / exact - 1                                   5e-6         6.4e-7 at most
 *   mass flow / wanted - 1                           1e-5         2.1e-6 at most
 *   ratio of viscosities of a profile / given - 1    1e-12        rounding
 *   the same bits on these ranks and on one alone; on several ranks nothing else is looked at
 */
#include "solver/boundary/control.h"
#include "solver/boundary/face_values.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

enum { ALONG = 8, SPAN = 16, AROUND = 2, SECTORS = 30 };

static const double inner = 0.5, outer = 1, p = 9e4, T0 = 300, R = 287.05;
static double angle = 2 * PI / SECTORS;

static void annulus_map(void *context, const double s[3], double x[3])
{
    (void)context;
    vm_cylindrical(0.5 * s[0], inner + (outer - inner) * s[1], angle * s[2], x);
}

static double radius(int j)
{
    return inner + (outer - inner) * j / SPAN;
}

/* Total conditions at the centre of row j of faces, where the profile is looked up. */
static double centre(int j)
{
    return 0.5 * (radius(j) + radius(j + 1)) * cos(0.5 * angle / AROUND);
}

static double profile_p0(double r)
{
    return 9.6e4 + 1e4 * (r - inner);
}

static double profile_T0(double r)
{
    return 290 + 20 * (r - inner);
}

/* kg/s of the annulus through row j of faces, with p0 (Pa) and T (K, total). */
static double mass_of(const struct an_gas *gas, int j, double p0, double T)
{
    const double area =
        SECTORS * AROUND * 0.5 * sin(angle / AROUND) * (pow(radius(j + 1), 2) - pow(radius(j), 2));
    const struct an_gas_flow f = an_gas_static_p(gas, p0, T, p);
    return area * p / (R * f.T) * f.V;
}

static void write_profile(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *f = rank ? NULL : fopen(fixture_path("profile.csv"), "w");
    if (f) {
        fputs("radius_m,p0_Pa,T0_K\n", f);
        for (int n = 0; n <= 1; n++) {
            const double r = n ? 1.01 : 0.4;
            fprintf(f, "%.17g,%.17g,%.17g\n", r, profile_p0(r), profile_T0(r));
        }
        fclose(f);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static const char *gas_text(int warm)
{
    return warm ? "cp: [1054.7, -0.44247, 1.1363e-3, -7.9265e-7, 1.8548e-10], "
                  "T_range: [200, 1500]"
                : "gamma: 1.4";
}

static const char *case_text(const char *gas, const char *inlets, const char *march)
{
    return verify_text("case: inlets\nprecision: double\ndevice: cpu\n"
                       "gas: {%s, R: %.17g}\nscheme: {flux: roe}\n"
                       "march: {method: implicit, cfl: 10, iterations: 100000%s}\n"
                       "initial: {p: 9e4, T: 290, velocity: [120, 0, 0]}\n"
                       "rows: {row: {zones: '*', omega: 100}}\n"
                       "boundaries:\n%s"
                       "  outlet: {type: outlet_static, p: %.17g}\n"
                       "output: {folder: %s}\n",
                       gas, R, march, inlets, p, fixture_folder());
}

static const char *inlet_text(const char *name, double first, double mass, const char *more)
{
    return verify_text("  %s: {type: inlet_total, p0: %.17g, T0: %.17g, direction: [1, 0, 0], "
                       "mass_flow: %.17g, control_every: 2, control_gain: 2%s}\n",
                       name, first, T0, mass, more);
}

/* Marches, and looks at what n inlets have reached. */
static void look(struct fixture *f, const char *what, int n, const double *exact)
{
    struct an_control_report c[4];
    struct an_measure m = {0};
    fixture_must(an_solver_fill_initial(f->solver), "fill");
    fixture_steps(f, 400);
    fixture_must(an_solver_measure(f->solver, &m), "measure");
    verify_check(verify_text("%s: boundaries under control", what),
                 an_control_reports(f->solver, c), n, n);
    for (int b = 0; b < n; b++) {
        verify_check(verify_text("%s: %s of %s / exact - 1", what, c[b].quantity, c[b].boundary),
                     fabs(c[b].value / exact[b] - 1), 0, 5e-6);
        verify_check(verify_text("%s: mass flow of %s / wanted - 1", what, c[b].boundary),
                     fabs(c[b].mass / c[b].wanted - 1), 0, 1e-5);
    }
}

static void two_inlets(int warm, double first)
{
    static const struct vm_segment ends[] = {
        {.dir = 0,
         .side = 0,
         .along = 1,
         .hi = SPAN / 2,
         .type = AN_BC_INLET_TOTAL,
         .name = "inner"},
        {.dir = 0,
         .side = 0,
         .along = 1,
         .lo = SPAN / 2,
         .hi = SPAN,
         .type = AN_BC_INLET_TOTAL,
         .name = "outer"},
        {.dir = 0, .side = 1, .type = AN_BC_OUTLET_STATIC, .name = "outlet"},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_SLIP, .name = "hub"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_SLIP, .name = "casing"},
        {.dir = 2, .side = 0, .kind = VM_ROTATE},
        {.dir = 2, .side = 1, .kind = VM_ROTATE}};
    const struct vm_box box = {.n = {ALONG, SPAN, AROUND},
                               .parts = {2, 1, 1},
                               .turn = 5,
                               .map = annulus_map,
                               .angle = angle,
                               .nsegment = 7,
                               .segment = ends};
    static const double exact[2] = {1e5, 1.06e5};
    const char *mesh = fixture_path("two.cgns");
    struct an_gas gas = an_gas_perfect(R, 1.4);
    static const double air[5] = {1054.7, -0.44247, 1.1363e-3, -7.9265e-7, 1.8548e-10};
    if (warm)
        fixture_must(an_gas_polynomial(R, 5, air, 200, 1500, &gas), "gas");
    double mass[2] = {0};
    struct fixture f;
    vm_write(mesh, &box);
    for (int j = 0; j < SPAN; j++)
        mass[j >= SPAN / 2] += mass_of(&gas, j, exact[j >= SPAN / 2], T0);
    const char *inlets = verify_text("%s%s", inlet_text("inner", first, mass[0], ""),
                                     inlet_text("outer", first, mass[1], ""));
    fixture_open(&f, "two", case_text(gas_text(warm), inlets, ""), mesh);
    look(&f, verify_text("two inlets from %g Pa, %s", first, warm ? "cp(T)" : "gamma"), 2, exact);
    fixture_close(&f);
}

static void bits(const char *text, const char *mesh)
{
    uint64_t hash[2];
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int alone = 0; alone < 2; alone++) {
        struct fixture f;
        fixture_open_on(&f, alone ? MPI_COMM_SELF : MPI_COMM_WORLD,
                        alone ? verify_text("alone%d", rank) : "together", text, mesh);
        fixture_must(an_solver_fill_initial(f.solver), "fill");
        fixture_steps(&f, 33);
        hash[alone] = fixture_hash(&f);
        fixture_close(&f);
    }
    int differ = hash[0] != hash[1];
    MPI_Allreduce(MPI_IN_PLACE, &differ, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    verify_check("a state of other bits than on one rank", differ, 0, 0);
}

static void profile(int ranks)
{
    static const struct vm_segment ends[] =
        VM_SECTOR(AN_BC_INLET_TOTAL, "inlet", AN_BC_OUTLET_STATIC, "outlet");
    const int n[3] = {ALONG, SPAN, AROUND};
    const struct vm_box box = vm_sector(n, annulus_map, &angle, ends);
    const struct an_gas gas = an_gas_perfect(R, 1.4);
    const double exact = 1.05 * 1e5;
    const char *mesh = fixture_path("profile.cgns");
    double mass = 0;
    struct fixture f;
    vm_write(mesh, &box);
    write_profile();
    for (int j = 0; j < SPAN; j++)
        mass += mass_of(&gas, j, 1.05 * profile_p0(centre(j)), profile_T0(centre(j)));
    const char *text =
        case_text(gas_text(0), inlet_text("inlet", 1e5, mass, ", profile: profile.csv"), "");
    if (ranks == 1) {
        fixture_open(&f, "profile", text, mesh);
        look(&f, "profile", 1, &exact);
        fixture_close(&f);
    }
    bits(text, mesh);
}

/* Profiles with a ratio of viscosities: what enters has it, before and while the total pressure moves. */
static void viscosity(void)
{
    const char *mesh = fixture_path("profile.cgns");
    const char *text = case_text("gamma: 1.4, viscosity: constant, mu: 2e-5",
                                 inlet_text("inlet", 1e5, 100, ", profile: ratio.csv"),
                                 "}\nturbulence: {model: sa");
    FILE *out = fopen(fixture_path("ratio.csv"), "w");
    fixture_must(out ? AN_OK : AN_FAIL, "ratio.csv");
    fprintf(out, "radius_m,p0_Pa,T0_K,viscosity_ratio\n");
    for (int n = 0; n <= 1; n++) {
        const double r = n ? 1.01 : 0.4;
        fprintf(out, "%.17g,%.17g,%.17g,%.17g\n", r, profile_p0(r), profile_T0(r), 100 * r);
    }
    fclose(out);
    struct fixture f;
    fixture_open(&f, "viscosity", text, mesh);
    fixture_must(an_solver_fill_initial(f.solver), "fill");
    double off = 0, factor[2];
    for (int steps = 0; steps < 2; steps++) {
        fixture_steps(&f, 5 * steps);
        const struct an_face_values *values = an_face_values_of(f.solver);
        for (int64_t n = 0; n < values->level[0].nface; n++) {
            const double *v = values->level[0].value[n];
            if (!(v[AN_BC_P0] > 0)) /* of another boundary */
                continue;
            const double r = inner + (v[AN_BC_T0] - profile_T0(inner)) / 20;
            factor[steps] = v[AN_BC_P0] / profile_p0(r);
            off = verify_worst(
                off, fabs(v[AN_BC_TURB] * v[AN_BC_P0] / (R * v[AN_BC_T0]) / 2e-5 / (100 * r) - 1));
        }
    }
    fixture_close(&f);
    verify_check("viscosity: p0 / p0 of the profile at the start", factor[0], 1 - 1e-12, 1 + 1e-12);
    verify_check("viscosity: p0 / p0 of the profile after 5 steps", factor[1], 0.5, 0.999);
    verify_check("viscosity: ratio / that of the profile - 1", off, 0, 1e-12);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks == 1) {
        two_inlets(0, 9.4e4);
        two_inlets(1, 1.2e5);
    }
    profile(ranks);
    if (ranks == 1)
        viscosity();
    return verify_end();
}

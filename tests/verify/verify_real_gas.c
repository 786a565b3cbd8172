/* Gases from a table (tests/tables/SOURCE.txt).
 *
 * Shock tubes with four fluids against exact solutions (tests/tables/riemann.csv), 160 cells, Roe: p*, u*,
 * rho*L, rho*R within 0.5 %. With 400 cells all are within 0.002 %.
 *
 * A shock tube with air, Roe and JST: a table of a gas with constant gamma gives the profiles of that gas,
 * on the mean within 1e-5 of the largest value (Roe's largest difference is 1e-5, JST's 2e-8).
 *
 * A slender nozzle to Mach number 0.8, 64 x 2 cells, Roe, steam and CO2: mass flow within 1e-4 of that
 * of the isentrope to the pressure of the outlet; entropy within 2e-4 of V^2 / T (measured 1.2e-5).
 *
 * A slender nozzle with a throat, MDM from 904 kPa, 542.1 K (compressibility 0.65) to 2 throat areas: p / p0 on the axis
 * within 0.01 of CoolProp's isentrope at that area (tests/tables/nozzle.csv), the throat included (measured 0.0006).
 */
#include "io/gas_file.h"
#include "kernels/physics/gas_state.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { N = 160, LONG = 64, ROWS = 2 };

static const char *table_of(const char *name)
{
    const char *source = getenv("AN_SOURCE");
    return verify_text("%s/tests/tables/%s", source ? source : ".", name);
}

struct problem {
    double left[2], right[2]; /* rho, p */
    double end;
};

static void state_at(void *context, const double x[3], double q[5])
{
    const struct problem *t = context;
    const double *side = x[0] < 0.5 ? t->left : t->right;
    const double all[5] = {side[0], 0, 0, 0, side[1]};
    memcpy(q, all, sizeof all);
}

static void tube_map(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = s[0];
    x[1] = 0.1 * s[1];
    x[2] = 0.1 * s[2];
}

/* rho, u, p by the place along the tube. */
struct profile {
    double q[3][N];
};

static void visit_tube(void *context, int zone, const int cell[3], const double x[3],
                       const double q[5], double volume)
{
    (void)zone, (void)cell, (void)volume;
    struct profile *r = context;
    const int at = (int)(x[0] * N);
    r->q[0][at] = q[0];
    r->q[1][at] = q[1];
    r->q[2][at] = q[4];
}

static void run_tube(const struct problem *t, const char *flux, const char *gas, double T,
                     struct profile *r)
{
    static const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .type = AN_BC_OUTLET_SUPERSONIC, .name = "ends"},
        {.dir = 0, .side = 1, .type = AN_BC_OUTLET_SUPERSONIC, .name = "ends"},
        {.dir = 1, .side = 0, .type = AN_BC_SYMMETRY, .name = "sides"},
        {.dir = 1, .side = 1, .type = AN_BC_SYMMETRY, .name = "sides"},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "sides"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "sides"}};
    const struct vm_box box = {.n = {N, 1, 1},
                               .parts = {1, 1, 1},
                               .turn = -1,
                               .map = tube_map,
                               .nsegment = 6,
                               .segment = ends};
    const char *mesh = fixture_path("tube.cgns");
    vm_write(mesh, &box);
    struct fixture f;
    fixture_open(&f, "tube",
                 verify_text("case: shock tube\n%s\nscheme: {flux: %s}\n"
                             "march: {mode: unsteady, cfl: 0.8, end_time: %.17g}\n"
                             "initial: {p: %.17g, T: %.17g}\n",
                             gas, flux, t->end, t->left[1], T),
                 mesh);
    fixture_must(an_solver_fill(f.solver, state_at, (void *)t), "fill");
    fixture_until(&f, t->end);
    memset(r, 0, sizeof *r);
    fixture_cells(&f, visit_tube, r);
    fixture_close(&f);
}

/* Mean over the middle half of a plateau. */
static double plateau(const double *q, double from, double to)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < N; i++) {
        const double s = ((i + 0.5) / N - from) / (to - from);
        if (s >= 0.25 && s <= 0.75) {
            sum += q[i];
            count++;
        }
    }
    return sum / count;
}

/* A row of riemann.csv: pL TL rhoL pR TR rhoR p* u* rho*L T*L rho*R T*R head tail shock. */
static void shock_tube(const char *fluid, const double x[15])
{
    static struct profile r;
    static const char *const files[][2] = {
        {"CO2", "co2.h5"}, {"Water", "steam.h5"}, {"R134a", "r134a.h5"}, {"MM", "mm.h5"}};
    const char *file = NULL;
    for (int n = 0; n < 4; n++)
        file = strcmp(fluid, files[n][0]) == 0 ? files[n][1] : file;
    if (!file)
        return;
    const double end = 0.4 / fmax(fabs(x[12]), x[14]);
    const struct problem t = {{x[2], x[0]}, {x[5], x[3]}, end};
    run_tube(&t, "roe", verify_text("gas: {table: %s}", table_of(file)), x[1], &r);
    const double tail = 0.5 + end * x[13], contact = 0.5 + end * x[7], head = 0.5 + end * x[14];
    verify_check(verify_text("%s: p* / exact - 1", fluid), plateau(r.q[2], tail, head) / x[6] - 1,
                 -0.005, 0.005);
    verify_check(verify_text("%s: u* / exact - 1", fluid), plateau(r.q[1], tail, head) / x[7] - 1,
                 -0.005, 0.005);
    verify_check(verify_text("%s: rho*L / exact - 1", fluid),
                 plateau(r.q[0], tail, contact) / x[8] - 1, -0.005, 0.005);
    verify_check(verify_text("%s: rho*R / exact - 1", fluid),
                 plateau(r.q[0], contact, head) / x[10] - 1, -0.005, 0.005);
}

static void shock_tubes(void)
{
    FILE *f = fopen(table_of("riemann.csv"), "r");
    char line[500], fluid[20];
    int rows = 0;
    fixture_must(f ? AN_OK : AN_FAIL, "riemann.csv");
    while (fgets(line, sizeof line, f)) {
        double x[15];
        int n = 0;
        snprintf(fluid, sizeof fluid, "%.*s", (int)strcspn(line, ","), line);
        for (char *at = strchr(line, ','); at && n < 15; at = strchr(at + 1, ','))
            x[n++] = strtod(at + 1, NULL);
        if (n == 15 && x[0] > 0) {
            shock_tube(fluid, x);
            rows++;
        }
    }
    fclose(f);
    verify_check("Riemann problems", rows, 4, 4);
}

/* Through a table a perfect gas is that gas. */
static void perfect_tube(const char *flux)
{
    static struct profile law, table;
    const double R = 287.05, T = 350;
    const struct problem t = {{3e5 / (R * T), 3e5}, {0.5e5 / (R * 300), 0.5e5}, 7e-4};
    run_tube(&t, flux, "gas: {gamma: 1.4, R: 287.05}", T, &law);
    run_tube(&t, flux, verify_text("gas: {table: %s}", table_of("air.h5")), T, &table);
    for (int c = 0; c < 3; c++) {
        double most = 0, off = 0;
        for (int i = 0; i < N; i++) {
            most = fmax(most, fabs(law.q[c][i]));
            off += fabs(law.q[c][i] - table.q[c][i]) / N;
        }
        verify_check(verify_text("air from a table, %s: %s, mean difference", flux,
                                 c == 0   ? "rho"
                                 : c == 1 ? "u"
                                          : "p"),
                     off / most, -INFINITY, 1e-5);
    }
}

static void nozzle_map(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = 2 * s[0] - 1;
    x[1] = 0.02 * (1 + 0.5 * pow(cos(0.25 * PI * (x[0] + 1)), 2)) * s[1];
    x[2] = 0.02 * s[2];
}

struct nozzle {
    const struct an_gas *gas;
    double s0, scale, worst; /* J/kg/K: of what enters, V^2 / T, largest difference */
};

static void visit_nozzle(void *context, int zone, const int cell[3], const double x[3],
                         const double q[5], double volume)
{
    (void)zone, (void)cell, (void)x, (void)volume;
    struct nozzle *z = context;
    const double T = an_state_temperature(z->gas, q[0], q[4]);
    z->worst = verify_worst(z->worst, fabs(an_state_s(z->gas, q[4], T) - z->s0) / z->scale);
}

struct flow {
    double in, out, p0, T0, force; /* kg/s, Pa, K, N along x on the wall */
};

/* Runs the nozzle; z: entropies are looked at, NULL: not. */
static struct flow run_nozzle(const char *name, const char *gas, double p0, double T0, double p,
                              struct nozzle *z)
{
    static const struct vm_segment sides[] = {
        {.dir = 0, .side = 0, .type = AN_BC_INLET_TOTAL, .name = "inlet"},
        {.dir = 0, .side = 1, .type = AN_BC_OUTLET_STATIC, .name = "outlet"},
        {.dir = 1, .side = 0, .type = AN_BC_SYMMETRY, .name = "axis"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_SLIP, .name = "wall"},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "ends"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "ends"}};
    const struct vm_box box = {.n = {LONG, ROWS, 1},
                               .parts = {1, 1, 1},
                               .turn = -1,
                               .map = nozzle_map,
                               .nsegment = 6,
                               .segment = sides};
    const char *mesh = fixture_path("nozzle.cgns");
    vm_write(mesh, &box);
    struct fixture f;
    fixture_open(&f, "nozzle",
                 verify_text("case: nozzle\nscheme: {flux: roe}\n%s\nmarch: {method: implicit}\n"
                             "initial: {p: %.17g, T: %.17g, mach: 0.4}\nboundaries:\n  inlet: "
                             "{type: inlet_total, p0: %.17g, T0: %.17g, direction: [1, 0, 0]}\n"
                             "  outlet: {type: outlet_static, p: %.17g}\n",
                             gas, 0.92 * p0, 0.98 * T0, p0, T0, p),
                 mesh);
    fixture_must(an_solver_fill_initial(f.solver), "fill");
    const double drop = fixture_converge(&f, 1e-7, 400);
    double(*integral)[AN_NINTEGRAL] = calloc((size_t)f.mesh.topology.nboundary, sizeof *integral);
    struct an_measure m = {.integral = integral};
    fixture_must(an_solver_measure(f.solver, &m), "measure");
    const double *in = integral[an_boundary_find(&f.mesh.topology, "inlet")];
    const double *out = integral[an_boundary_find(&f.mesh.topology, "outlet")];
    const struct flow r = {-in[AN_I_MASS], out[AN_I_MASS], out[AN_I_MP0] / out[AN_I_MASS],
                           out[AN_I_MT0] / out[AN_I_MASS],
                           integral[an_boundary_find(&f.mesh.topology, "wall")][AN_I_MX]};
    if (z)
        fixture_cells(&f, visit_nozzle, z);
    verify_note("nozzle, %s: residual drop %.1e after %lld steps", name, drop,
                (long long)an_solver_iteration(f.solver));
    free(integral);
    fixture_close(&f);
    return r;
}

static void nozzle(const char *name, const char *file, double p0, double T0)
{
    struct an_gas_table *t;
    fixture_must(an_gas_file_read(table_of(file), &t), "table");
    const struct an_gas g = {.R = t->R, .table = t};
    const struct an_gas_flow out = an_gas_static_mach(&g, p0, T0, 0.8);
    struct nozzle z = {&g, an_state_s(&g, p0, T0), out.V * out.V / out.T, 0};
    const struct flow f =
        run_nozzle(name, verify_text("gas: {table: %s}", table_of(file)), p0, T0, out.p, &z);
    const double exact = 0.02 * 0.02 * an_state_density(&g, out.p, out.T) * out.V;
    verify_check(verify_text("nozzle, %s: mass flow / exact - 1", name), f.in / exact - 1, -1e-4,
                 1e-4);
    verify_check(verify_text("nozzle, %s: mass out / mass in - 1", name), f.out / f.in - 1, -1e-6,
                 1e-6);
    verify_check(verify_text("nozzle, %s: p0 of the outlet / p0 - 1", name), f.p0 / p0 - 1, -1e-4,
                 1e-4);
    verify_check(verify_text("nozzle, %s: T0 of the outlet / T0 - 1", name), f.T0 / T0 - 1, -2e-5,
                 2e-5);
    verify_check(verify_text("nozzle, %s: entropy less that of the inlet, over V^2 / T", name),
                 z.worst, -INFINITY, 2e-4);
    an_gas_table_destroy(t);
}

/* A perfect gas and a table of it. */
static void perfect_nozzle(void)
{
    const double p0 = 3e5, T0 = 400, p = 2e5;
    const struct flow law = run_nozzle("air", "gas: {gamma: 1.4, R: 287.05}", p0, T0, p, NULL);
    const struct flow table = run_nozzle(
        "air, table", verify_text("gas: {table: %s}", table_of("air.h5")), p0, T0, p, NULL);
    verify_check("nozzle, air: mass flow, table / law - 1", table.in / law.in - 1, -1e-5, 1e-5);
    verify_check("nozzle, air: force, table / law - 1", table.force / law.force - 1, -1e-5, 1e-5);
    verify_check("nozzle, air: p0, table / law - 1", table.p0 / law.p0 - 1, -1e-5, 1e-5);
    verify_check("nozzle, air: T0, table / law - 1", table.T0 / law.T0 - 1, -1e-5, 1e-5);
}

#define THROAT 0.4

static double area_over_throat(double s)
{
    return s < THROAT ? 1 + 0.3 * (1 + cos(PI * s / THROAT))
                      : 1 + 0.5 * (1 - cos(PI * (s - THROAT) / (1 - THROAT)));
}

static void throat_map(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = 2 * s[0];
    x[1] = 0.02 * area_over_throat(s[0]) * s[1];
    x[2] = 0.02 * s[2];
}

enum { POINTS = 400 };
struct isentrope {
    int n;
    double p[POINTS], flux[POINTS], p0, most, worst; /* p / p0 falls; kg/m2/s, its maximum */
};

static void read_isentrope(struct isentrope *t)
{
    char line[200];
    FILE *f = fopen(table_of("nozzle.csv"), "r");
    fixture_must(f ? AN_OK : an_error_set(AN_FAIL, "nozzle.csv is missing"), "table");
    t->n = 0;
    t->most = 0;
    while (t->n < POINTS && fgets(line, sizeof line, f))
        if (sscanf(line, "MDM,%*f,%*f,%lf,%*f,%lf", &t->p[t->n], &t->flux[t->n]) == 2) {
            t->most = fmax(t->most, t->flux[t->n]);
            t->n++;
        }
    fclose(f);
}

/* p / p0 where the area is `area` of the throat. */
static double pressure_at(const struct isentrope *t, double area, int supersonic)
{
    const double flux = t->most / area;
    int k = supersonic ? t->n - 1 : 1;
    while (supersonic ? k > 1 && t->flux[k - 1] < flux : k < t->n - 1 && t->flux[k] < flux)
        k += supersonic ? -1 : 1;
    const double part = (flux - t->flux[k - 1]) / (t->flux[k] - t->flux[k - 1]);
    return t->p[k - 1] + fmin(1, fmax(0, part)) * (t->p[k] - t->p[k - 1]);
}

static void visit_throat(void *context, int zone, const int cell[3], const double x[3],
                         const double q[5], double volume)
{
    (void)zone, (void)volume;
    struct isentrope *t = context;
    if (cell[1] == 0)
        t->worst = verify_worst(
            t->worst,
            fabs(q[4] / t->p0 - pressure_at(t, area_over_throat(0.5 * x[0]), 0.5 * x[0] > THROAT)));
}

static void nozzle_with_throat(void)
{
    static const struct vm_segment sides[] = {
        {.dir = 0, .side = 0, .type = AN_BC_INLET_TOTAL, .name = "inlet"},
        {.dir = 0, .side = 1, .type = AN_BC_OUTLET_SUPERSONIC, .name = "outlet"},
        {.dir = 1, .side = 0, .type = AN_BC_SYMMETRY, .name = "axis"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_SLIP, .name = "wall"},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "ends"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "ends"}};
    const struct vm_box box = {.n = {2 * LONG, ROWS, 1},
                               .parts = {1, 1, 1},
                               .turn = -1,
                               .map = throat_map,
                               .nsegment = 6,
                               .segment = sides};
    static struct isentrope t = {.p0 = 9.04e5};
    const char *mesh = fixture_path("throat.cgns");
    struct fixture f;
    read_isentrope(&t);
    vm_write(mesh, &box);
    fixture_open(
        &f, "throat",
        verify_text("case: throat\nscheme: {flux: roe}\ngas: {table: %s}\nmarch: {method: "
                    "implicit}\ninitial: {p: 5e5, T: 532, mach: 1.1}\nboundaries:\n  inlet: "
                    "{type: inlet_total, p0: 9.04e5, T0: 542.1, direction: [1, 0, 0]}\n",
                    table_of("mdm.h5")),
        mesh);
    fixture_must(an_solver_fill_initial(f.solver), "fill");
    const double drop = fixture_converge(&f, 1e-6, 400);
    fixture_cells(&f, visit_throat, &t);
    verify_note("throat: residual drop %.1e after %lld steps", drop,
                (long long)an_solver_iteration(f.solver));
    verify_check("nozzle with a throat, MDM: p / p0 on the axis differs from exact by", t.worst, 0,
                 0.01);
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    shock_tubes();
    perfect_tube("roe");
    perfect_tube("jst");
    nozzle("steam", "steam.h5", 5e5, 600);
    nozzle("CO2", "co2.h5", 1e7, 400);
    perfect_nozzle();
    nozzle_with_throat();
    return verify_end();
}

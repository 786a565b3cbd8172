/* Good case files: values, defaults, overrides, the echo that reads back to the same, hash, help.
 */
#include "tests/unit/case_file.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define WITH(...) ((const char *const[]){__VA_ARGS__, NULL})

static void assert_vector(const double v[3], double x, double y, double z)
{
    assert_true(v[0] == x && v[1] == y && v[2] == z);
}

static void read_good(const char *text, struct an_case *c)
{
    struct an_diag d;
    int status = case_read_text(text, c, &d);
    case_print(&d);
    assert_int_equal(status, AN_OK);
    an_diag_free(&d);
}

static void test_values(void **state)
{
    (void)state;
    struct an_case c;
    char path[100];
    case_read_with(&c, NULL);
    assert_string_equal(c.title, "LS89 MUR47");
    assert_string_equal(c.folder, case_folder);
    snprintf(path, sizeof path, "%s/ls89.cgns", case_folder);
    assert_string_equal(c.mesh, path);
    assert_true(c.gas.gamma == 1.4 && c.gas.R == 287.0);
    assert_int_equal(c.precision, AN_SINGLE);
    assert_int_equal(c.scheme.flux, AN_SCHEME_ROE);
    assert_true(c.march.cfl == 3.0 && c.march.residual_drop == 1e-6);
    assert_int_equal(c.march.iterations, 5000);
    assert_true(c.initial.p == 1e5 && c.initial.T == 400 && c.initial.mach == 0.2);
    assert_false(c.initial.has_velocity);
    assert_vector(c.initial.direction, 0.6, 0.0, 0.8);
    assert_int_equal(c.nboundary, 4);
    assert_string_equal(c.boundary[0].name, "inlet");
    assert_int_equal(c.boundary[0].type, AN_BC_INLET_TOTAL);
    assert_true(c.boundary[0].p0 == 1.596e5 && c.boundary[0].T0 == 420);
    assert_int_equal(c.boundary[0].line, 9);
    assert_true(c.boundary[1].p == 0.8235e5);
    assert_int_equal(c.boundary[2].type, AN_BC_WALL_SLIP);
    assert_true(c.boundary[3].state.p == 1e5 && c.boundary[3].state.has_velocity);
    assert_vector(c.boundary[3].state.velocity, 1, 2, 0.1);
    assert_int_equal(c.output.nfield, 2);
    assert_string_equal(c.output.field[1], "Entropy");
    an_case_free(&c);
}

/* Numbers with a unit of the key's quantity, in several spellings. */
static void test_units(void **state)
{
    (void)state;
    static const struct {
        const char *p, *T, *speed;
    } given[] = {{"1.5 bar", "27 degC", "rpm: 3000 rpm"},
                 {"150kPa", "27\u00b0C", "rpm: 18000 deg/s"},
                 {"0.15 MPA", "300.15 K", "omega: 3000 1/min"},
                 {"1.5e3mbar", "80.6 F", "omega: 18000 degrees/s"},
                 {"1.5e+5", "300.15", "rpm: 314.15926535897932 rad/s"}};
    for (size_t n = 0; n < sizeof given / sizeof *given; n++) {
        struct an_case c;
        char text[300];
        snprintf(text, sizeof text,
                 "case: x\nmesh: /m.cgns\ninitial: {p: %s, T: %s, velocity: [5 m/s, 0, 0]}\nrows:\n"
                 "  r: {zones: [\"*\"], %s}\n",
                 given[n].p, given[n].T, given[n].speed);
        read_good(text, &c);
        assert_true(fabs(c.initial.p / 1.5e5 - 1) < 1e-14);
        assert_true(fabs(c.initial.T / 300.15 - 1) < 1e-14);
        assert_true(c.initial.velocity[0] == 5);
        assert_true(fabs(c.row[0].omega / 314.15926535897932 - 1) < 1e-14);
        an_case_free(&c);
    }
}

/* The unit of a map's settings is that of what it varies; each number of gas.ambient has its own; the state of a machine follows
 * from an inlet whose numbers have units. */
static void test_units_of_lists(void **state)
{
    (void)state;
    struct an_case c;
    read_good("case: x\nmesh: /m.cgns\ninitial: {p: 1e5, T: 300}\n"
              "map: {values: [1.2 bar, 130 kPa, 1.4e5], least_step: 5 mbar}\n",
              &c);
    assert_true(c.map.values.n == 3 && fabs(c.map.values.x[0] / 1.2e5 - 1) < 1e-14 &&
                fabs(c.map.values.x[1] / 1.3e5 - 1) < 1e-14 && c.map.values.x[2] == 1.4e5);
    assert_true(fabs(c.map.least_step / 500 - 1) < 1e-14);
    an_case_free(&c);
    read_good("case: x\nmesh: /m.cgns\ninitial: {p: 1e5, T: 300}\n"
              "map: {from: 1 bar, to: 120 kPa, step: 0.05 bar}\n",
              &c);
    assert_true(fabs(c.map.to - 1.2e5) < 1e-9 && fabs(c.map.step - 5e3) < 1e-9);
    an_case_free(&c);
    read_good("case: x\nmesh: /m.cgns\ninitial: {p: 1e5, T: 300}\n"
              "map: {values: [7 kg/s, 6.5], vary: mass_flow}\n",
              &c);
    assert_true(c.map.values.x[0] == 7 && c.map.values.x[1] == 6.5);
    an_case_free(&c);
    read_good("case: x\nmesh: /m.cgns\ninitial: {p: 1e5, T: 300}\n"
              "gas: {mixture: air, relative_humidity: 0.6, ambient: [1.01 bar, 25 degC]}\n",
              &c);
    an_case_free(&c);
    read_good(
        "case: x\nmesh: /m.cgns\nrows: {s: {zones: [a], rpm: 0}, r: {zones: [b], rpm: 9000}}\n"
        "boundaries: {inlet: {type: inlet_total, p0: 1.2 bar, T0: 15 degC, direction: [1, 0, "
        "0]}}\n",
        &c);
    assert_true(fabs(c.initial.p / 1.2e5 - 1) < 1e-14 && fabs(c.initial.T / 288.15 - 1) < 1e-14);
    an_case_free(&c);
}

static void test_defaults(void **state)
{
    (void)state;
    struct an_case c;
    read_good("\xef\xbb\xbf"
              "case: x\r\nmesh: /m.cgns\r\ninitial: {p: 5e3, T: 300}\r\n",
              &c);
    an_case_free(&c);
    read_good("\xef\xbb\xbf# least\r\ncase: x\r\nmesh: /m.cgns\r\ninitial: {p: 5e3, T: +.3e+3}\r\n",
              &c);
    assert_string_equal(c.mesh, "/m.cgns");
    assert_true(c.initial.p == 5000 && c.initial.T == 300 && c.initial.mach == 0);
    assert_vector(c.initial.direction, 1, 0, 0);
    assert_int_equal(c.precision, AN_DOUBLE);
    assert_int_equal(c.device, AN_DEVICE_AUTO);
    assert_true(c.gas.gamma == 1.4 && c.gas.R == 287.05);
    assert_int_equal(c.scheme.flux, AN_SCHEME_JST);
    assert_int_equal(c.scheme.limiter, AN_LIMITER_VAN_ALBADA);
    assert_true(c.scheme.k2 == 0.5 && c.scheme.k4 == 0.02 && c.scheme.aspect_exponent == 0.67);
    assert_int_equal(c.turbulence.model, AN_TURBULENCE_NONE);
    assert_int_equal(c.turbulence.wall_function, AN_WALL_FUNCTION_AUTO);
    assert_int_equal(c.march.mode, AN_MARCH_STEADY);
    assert_int_equal(c.march.stages, 5);
    assert_true(c.march.cfl == 2.5 && c.march.cfl_start == 2.5);
    assert_int_equal(c.march.iterations, 10000);
    assert_int_equal(c.nboundary, 0);
    assert_int_equal(c.output.every, 1000);
    assert_int_equal(c.output.history_every, 10);
    assert_int_equal(c.output.nfield, 2);
    assert_int_equal(c.mpi.multigrid_levels, 1);
    assert_int_equal(c.mpi.overlap, 1);
    assert_int_equal(c.mpi.whole_below, -1);
    assert_int_equal(c.gpu.graph, 1);
    assert_int_equal(c.gpu.tiles, 0);
    an_case_free(&c);
}

/* Defaults that follow from how the run marches. */
static void test_marches(void **state)
{
    (void)state;
    static const struct {
        const char *march;
        double cfl, coefficient;
        int sweeps, stages, implicit;
    } given[] = {
        {"{residual_smoothing: jacobi}", 5, 0, 2, 5, 0},
        {"{residual_smoothing: jacobi, cfl: 3, smoothing_sweeps: 4}", 3, 0, 4, 5, 0},
        {"{method: scree}", 0.4, 0, 2, 5, 0},
        {"{method: scree, residual_smoothing: jacobi}", 0.4, 0.15, 1, 5, 0},
        {"{method: scree, residual_smoothing: jacobi, smoothing_coefficient: 0}", 0.4, 0, 1, 5, 0},
        {"{method: implicit}", 1000, 0, 2, 3, 1},
    };
    for (size_t n = 0; n < sizeof given / sizeof *given; n++) {
        struct an_case c;
        char text[300];
        snprintf(text, sizeof text, "case: x\nmesh: m\ninitial: {p: 1, T: 1}\nmarch: %s\n",
                 given[n].march);
        read_good(text, &c);
        assert_true(c.march.cfl == given[n].cfl && c.march.cfl_start == c.march.cfl);
        assert_true(c.march.smoothing_coefficient == given[n].coefficient);
        assert_int_equal(c.march.smoothing_sweeps, given[n].sweeps);
        assert_int_equal(c.march.stages, given[n].stages);
        assert_int_equal(an_case_is_implicit(&c), given[n].implicit);
        assert_true(c.march.cfl_min == 8 && c.march.cfl_window == 30);
        an_case_free(&c);
    }
    /* rows start softly, unless the case says how */
    static const struct {
        const char *march;
        double cfl, start;
        int ramp;
    } row[] = {
        {"{method: implicit}", 50, 2, 100},
        {"{method: implicit, cfl: 1}", 1, 1, 0},
        {"{method: implicit, cfl: 200}", 200, 2, 100},
        {"{method: implicit, cfl: 200, cfl_start: 10, cfl_ramp: 30}", 200, 10, 30},
        {"{method: runge_kutta}", 2.5, 2.5, 0},
    };
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        struct an_case c;
        char text[300];
        snprintf(text, sizeof text,
                 "case: x\nmesh: m\ninitial: {p: 1, T: 1}\nrows: {r: {zones: z, omega: 1}}\n"
                 "march: %s\n",
                 row[n].march);
        read_good(text, &c);
        assert_true(c.march.cfl == row[n].cfl && c.march.cfl_start == row[n].start);
        assert_int_equal(c.march.cfl_ramp, row[n].ramp);
        assert_true(c.march.cfl_min == (an_case_is_implicit(&c) ? 0 : 8));
        an_case_free(&c);
    }
}

static void test_sets(void **state)
{
    (void)state;
    struct an_case c;
    case_read_with(&c,
                   WITH("march.cfl=2", "march.cfl=1.5", "march.iterations=1e4", "device=emulated",
                        "boundaries.inlet.p0=1.7e5", "boundaries.row.1*={type: symmetry}",
                        "boundaries.far={type: inlet_supersonic, velocity: [0, 400, 0]}",
                        "output.fields=[]", "mpi={transport: staged, overlap: false}",
                        "gpu={graph: off, tiles: tune}", "boundaries.row.1*.type=wall_slip",
                        "case=two = 1 + 1", "boundaries.far.T=200"));
    assert_true(c.march.cfl == 1.5 && c.march.cfl_start == 1.5);
    assert_true(c.march.residual_drop == 1e-6);
    assert_int_equal(c.march.iterations, 10000);
    assert_int_equal(c.device, AN_DEVICE_EMULATED);
    assert_true(c.boundary[0].p0 == 1.7e5 && c.boundary[0].T0 == 420);
    assert_int_equal(c.nboundary, 5);
    assert_string_equal(c.boundary[4].name, "row.1*");
    assert_int_equal(c.boundary[4].type, AN_BC_WALL_SLIP);
    assert_int_equal(c.boundary[3].type, AN_BC_INLET_SUPERSONIC);
    assert_vector(c.boundary[3].state.velocity, 0, 400, 0);
    assert_true(c.boundary[3].state.p == 1e5 && c.boundary[3].state.T == 200);
    assert_int_equal(c.output.nfield, 0);
    assert_int_equal(c.mpi.transport, AN_TRANSPORT_STAGED);
    assert_int_equal(c.mpi.overlap, 0);
    assert_int_equal(c.gpu.graph, 0);
    assert_int_equal(c.gpu.tiles, 1);
    assert_string_equal(c.title, "two = 1 + 1");
    an_case_free(&c);
}

/* Everything but where it was read from. */
static void assert_same(const struct an_case *a, const struct an_case *b)
{
    struct an_case x = *a, y = *b;
    assert_int_equal(x.nboundary, y.nboundary);
    for (int i = 0; i < x.nboundary; i++) {
        struct an_case_boundary m = x.boundary[i], n = y.boundary[i];
        m.line = n.line = 0;
        assert_memory_equal(&m, &n, sizeof m);
    }
    memset(x.file, 0, sizeof x.file);
    memset(y.file, 0, sizeof y.file);
    memset(x.folder, 0, sizeof x.folder);
    memset(y.folder, 0, sizeof y.folder);
    x.boundary = y.boundary = NULL;
    assert_memory_equal(&x, &y, sizeof x);
    assert_true(a->hash == b->hash);
}

/* Reads back what it echoed; takes c. */
static void check_echo(struct an_case *c)
{
    struct an_case again;
    char *text = case_echo_text(c);
    read_good(text, &again);
    assert_same(c, &again);
    char *second = case_echo_text(&again);
    assert_string_equal(text, second);
    free(second);
    free(text);
    an_case_free(&again);
    an_case_free(c);
}

/* --set march.mode=unsteady on a file with keys of a steady march: they go with a warning that names
 * them, what --set gives stays and is judged as ever, and without the change of mode they stay. */
static void test_made_unsteady(void **state)
{
    (void)state;
    static const char text[] =
        "case: x\nmesh: m\ngas: {viscosity: sutherland}\ninitial: {p: 1e5, T: 300}\n"
        "march: {method: implicit, iterations: 900, cfl: 300, cfl_min: 4, damping: 0.05, "
        "residual_drop: 1e-5, mass_imbalance: 1e-3}\nmultigrid: {levels: 3}\n"
        "stop: {mass_flow: 1e-3, window: 90}\n"
        "boundaries:\n  out: {type: outlet_static, p: 9e4, mass_flow: 20, radial_equilibrium: "
        "hub}\n"
        "  in: {type: inlet_total, p0: 1e5, T0: 300, direction: [1, 0, 0], mass_flow: 20}\n";
    static const char *const gone[] = {"march.method",
                                       "march.iterations",

                                       "march.cfl_min",
                                       "march.damping",
                                       "march.residual_drop",
                                       "multigrid.levels",
                                       "stop.window",
                                       "boundaries.out.mass_flow",
                                       "boundaries.in.mass_flow",
                                       "boundaries.out.radial_equilibrium"};
    char mode[] = "march.mode=unsteady", end[] = "march.end_time=1e-3", cfl[] = "march.cfl=1.5",
         drop[] = "march.residual_drop=1e-5", p[] = "boundaries.out.p=93000";
    char *set[] = {mode, end, cfl, p, drop};
    struct an_case c;
    struct an_diag d;
    assert_int_equal(case_read_bytes(text, strlen(text), 4, set, &c, &d), AN_OK);
    for (size_t n = 0; n < sizeof gone / sizeof *gone; n++)
        if (!case_has(&d, gone[n]))
            fail_msg("nothing is said of %s", gone[n]);
    assert_int_equal(d.nwarning, 1);
    assert_true(case_has(&d, "--set march.mode=unsteady"));
    assert_int_equal(c.march.iterations, INT_MAX);
    assert_true(c.march.cfl == 1.5 && c.march.end_time == 1e-3 && c.boundary[0].p == 93000);
    assert_true(c.stop.mass_flow == 0 && c.boundary[0].outlet.mass_flow == 0 &&
                c.boundary[1].outlet.mass_flow == 0 && c.multigrid.levels == 1);
    an_diag_free(&d);
    an_case_free(&c);
    assert_int_equal(case_read_bytes(text, strlen(text), 5, set, &c, &d), AN_INPUT);
    assert_true(case_has(&d, "'march.residual_drop' needs 'march.mode: steady'"));
    an_diag_free(&d);
    assert_int_equal(case_read_text(text, &c, &d), AN_INPUT); /* mass flow in and out */
    assert_int_equal(d.nwarning, 0);
    an_diag_free(&d);
    /* what an unsteady march of the file has stays */
    static const char dual[] =
        "case: x\nmesh: m\ngas: {viscosity: sutherland}\ninitial: {p: 1e5, T: 300}\n"
        "turbulence: {model: sa, across: false}\n"
        "march: {method: dual, mode: unsteady, time_step: 1e-6, end_time: 1e-4, cfl: 300, "
        "cfl_start: 10, "
        "cfl_ramp: 30}\nmultigrid: {levels: 3}\nstop: {period_change: 1e-3, period: 10, mass_flow: "
        "1e-3}\n";
    assert_int_equal(case_read_bytes(dual, strlen(dual), 1, set, &c, &d), AN_OK);
    assert_true(case_has(&d, "turbulence.across, march.cfl_start, march.cfl_ramp, stop.mass_flow"));
    assert_true(c.march.cfl == 300 && c.multigrid.levels == 3);
    assert_true(c.stop.period_change == 1e-3 && c.stop.period == 10 && c.stop.mass_flow == 0);
    an_diag_free(&d);
    static const char *const steady[] = {"march.cfl=7",
                                         "stop.window=50",
                                         "multigrid.levels=2",
                                         "march.damping=0.05",
                                         "boundaries.a.b.mass_flow=3",
                                         "march.iterations=100"};
    static const char *const both[] = {"output.folder=a.b/march.cfl", "boundaries.a.p=1e5",
                                       "device=cpu", "gas.R=287", "march.mode=steady"};
    for (size_t n = 0; n < sizeof steady / sizeof *steady; n++)
        assert_true(an_case_set_is_steady(&c, steady[n]));
    for (size_t n = 0; n < sizeof both / sizeof *both; n++)
        assert_false(an_case_set_is_steady(&c, both[n]));
    an_case_free(&c);
    /* the mass flow of cooling and bleed is given, not reached by a controller of the steady march */
    static const char bled[] =
        "case: x\nmesh: m\ngas: {viscosity: sutherland}\ninitial: {p: 1e5, T: 300}\n"
        "boundaries:\n  slot: {type: bleed, mass_flow: 0.2}\n"
        "  a.b: {type: cooling, mass_flow: 0.3, T0: 400, mach: 0.3}\n"
        "  out: {type: outlet_static, p: 9e4, mass_flow: 20}\n";
    assert_int_equal(case_read_bytes(bled, strlen(bled), 2, set, &c, &d), AN_OK);
    assert_true(c.boundary[0].patch.mass_flow == 0.2 && c.boundary[1].patch.mass_flow == 0.3 &&
                c.boundary[2].outlet.mass_flow == 0);
    assert_false(an_case_set_is_steady(&c, "boundaries.slot.mass_flow=0.4"));
    assert_false(an_case_set_is_steady(&c, "boundaries.a.b.mass_flow=0.4"));
    assert_true(an_case_set_is_steady(&c, "boundaries.out.mass_flow=0.4"));
    an_diag_free(&d);
    an_case_free(&c);
}

static void test_echo_reads_back(void **state)
{
    (void)state;
    struct an_case c;
    case_read_with(&c, NULL);
    check_echo(&c);
    read_good("case: x\nmesh: m\ninitial: {p: 1, T: 1}\n", &c);
    check_echo(&c);
    read_good("case: x\nmesh: m\ninitial: {p: 1, T: 1}\nmarch: {mode: unsteady, end_time: 0.1}\n",
              &c);
    assert_int_equal(c.march.iterations, INT_MAX);
    check_echo(&c);
    read_good("case: x\nmesh: m\ninitial: {p: 1, T: 1}\n"
              "march: {mode: unsteady, iterations: 7, time_step: 1.1e-7}\n",
              &c);
    check_echo(&c);
    case_read_with(&c, WITH("march={cfl_start: 0.1, cfl_ramp: 50}", "output.fields=[]",
                            "boundaries.a={type: inlet_supersonic, p: 1, T: 1, mach: 1.3}",
                            "boundaries.a.direction=[1, 1e-3, 7]", "gas.gamma=1.3333333333333333",
                            "initial.p=0.1", "initial.T=2.2250738585072014e-308"));
    check_echo(&c);
    /* a reference stands for initial and far-field states that are not given */
    read_good("case: x\nmesh: m\ngas: {viscosity: constant, mu: 2e-5}\n"
              "reference: {length: 0.5, mach: 0.3, reynolds: 1e6, alpha: 30, walls: [wing*]}\n"
              "initial: {mach: 0.1}\nboundaries: {far: {type: farfield}, up: {type: farfield, p: "
              "7, direction: [0, 1, 0]}}\n",
              &c);
    const double V = 0.3 * sqrt(1.4 * 287.05 * 288.15),
                 p = 1e6 * 2e-5 / (V * 0.5) * 287.05 * 288.15;
    const double angle = acos(-1.0) / 6;
    assert_true(fabs(c.initial.p / p - 1) < 1e-14 && c.initial.T == 288.15);
    assert_true(c.initial.mach == 0.1 && fabs(c.initial.direction[1] - sin(angle)) < 1e-15);
    assert_true(c.boundary[0].state.p == c.initial.p && c.boundary[0].state.mach == 0.3);
    assert_true(fabs(c.boundary[0].state.direction[0] - cos(angle)) < 1e-15);
    assert_true(c.boundary[1].state.p == 7 && c.boundary[1].state.direction[1] == 1);
    check_echo(&c);
    /* choices of several names */
    static const char *const corrections[] = {"none", "false", "r", "true", "rc"};
    for (int n = 0; n < 5; n++) {
        char text[256];
        snprintf(text, sizeof text,
                 "case: x\nmesh: m\ninitial: {p: 1, T: 1}\ngas: {viscosity: sutherland}\n"
                 "turbulence: {model: sa, rotation_correction: %s}\n",
                 corrections[n]);
        read_good(text, &c);
        check_echo(&c);
    }
    case_read_with(&c, WITH("case='a \"quoted\" \\ title: # ünïcode {[&*!|>%@`'",
                            "mesh='with space/#1: \"m\".cgns'",
                            "boundaries={'a: b': {type: wall_slip}, '*': {type: symmetry}}"));
    check_echo(&c);
}

/* A mixture is echoed as the R, cp and T_range that it gives. */
static void read_gas(const char *keys, struct an_case *c)
{
    char line[256], *text;
    snprintf(line, sizeof line, "gas: {mixture: air%s}", keys);
    text = case_text(3, line);
    read_good(text, c);
    free(text);
}

static void test_mixture(void **state)
{
    (void)state;
    struct an_case c, d;
    read_gas(", specific_humidity: 0.0099009900990099011, fuel_air_ratio: 0.025", &c);
    assert_true(fabs(c.gas.R - 288.705252) < 1e-5 && c.gas.cp.n == 7);
    assert_true(c.gas.T_range.x[0] == 200 && c.gas.T_range.x[1] == 1800);
    assert_true(fabs(an_gas_cp(&c.gas.model, 700) - 1122.25) < 1.5);
    char *text = case_echo_text(&c);
    assert_null(strstr(text, "mixture"));
    read_good(text, &d);
    assert_memory_equal(&c.gas.model, &d.gas.model, sizeof c.gas.model);
    assert_true(c.hash == d.hash);
    an_case_free(&c);
    check_echo(&d);
    free(text);
    read_gas(", relative_humidity: 1, ambient: [2e5, 350]", &c);
    assert_true(c.gas.R > 311 && c.gas.R < 312);
    an_case_free(&c);
    read_gas(", T_range: [250, 1500]", &c);
    assert_true(fabs(c.gas.R - 287.0511) < 1e-4 && c.gas.T_range.x[1] == 1500);
    an_case_free(&c);
}

static void test_echo_of_relative_paths(void **state)
{
    (void)state;
    struct an_case c;
    struct an_diag d;
    char here[AN_PATH], path[2 * AN_PATH];
    case_read_with(&c, NULL); /* leaves the file there */
    an_case_free(&c);
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(case_folder), 0);
    an_diag_init(&d);
    assert_int_equal(an_case_read("case.yaml", 0, NULL, &c, &d), AN_OK);
    assert_string_equal(c.folder, ".");
    assert_string_equal(c.mesh, "ls89.cgns");
    assert_string_equal(c.output.folder, "out");
    char *text = case_echo_text(&c);
    snprintf(path, sizeof path, "mesh: \"%s/ls89.cgns\"\n", case_folder);
    assert_non_null(strstr(text, path));
    assert_int_equal(chdir(here), 0);
    free(text);
    an_case_free(&c);
}

/* Thirds of random numbers and directions: every double must survive the text. */
static void test_echo_of_random_numbers(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int trial = 0; trial < 300; trial++) {
        struct an_case c;
        double x[4];
        case_read_with(&c, NULL);
        for (int m = 0; m < 4; m++) {
            seed = seed * 1664525u + 1013904223u;
            x[m] = (double)(seed >> 4) / 3.0e7 + 1e-9;
        }
        c.initial.p = x[3];
        char *text = case_echo_text(&c), *more = malloc(strlen(text) + 400);
        char *end = strstr(strstr(text, "\ninitial:"), "  mach: ");
        assert_non_null(more);
        assert_non_null(end);
        *end = '\0';
        sprintf(more, "%s  direction: [%.17g, %.17g, %.17g]\n", text, x[0], -x[1], x[2]);
        free(text);
        an_case_free(&c);
        read_good(more, &c);
        assert_true(c.initial.p == x[3]);
        free(more);
        check_echo(&c);
    }
}

static uint64_t hash_with(const char *set)
{
    struct an_case c;
    case_read_with(&c, set ? WITH(set) : NULL);
    uint64_t hash = c.hash;
    an_case_free(&c);
    return hash;
}

static void test_hash(void **state)
{
    (void)state;
    uint64_t hash = hash_with(NULL);
    static const char *const same[] = {"case=other",
                                       "mesh=b.cgns",
                                       "output.folder=x",
                                       "output.every=1",
                                       "output.fields=[]",
                                       "device=cpu",
                                       "mpi.overlap=false",
                                       "gpu.graph=off",
                                       "gpu.tiles=tune",
                                       "march.iterations=3",
                                       "march.residual_drop=0",
                                       "march.wall_time=9",
                                       "march.mass_imbalance=1e-3",
                                       "march.cfl=3"};
    static const char *const other[] = {"march.cfl=3.0000000000000004",
                                        "boundaries.inlet.p0=1e5",
                                        "gas.R=287.05",
                                        "precision=double",
                                        "scheme.flux=jst",
                                        "initial.mach=0.3",
                                        "boundaries.hub={type: wall_slip}",
                                        "boundaries.outlet.type=outlet_static",
                                        "march.stages=4",
                                        "scheme.k4=0.03",
                                        "boundaries.far.velocity=[1, 2, 0.2]"};
    assert_true(hash != 0);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_true(hash_with(same[i]) == hash);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        assert_true((hash_with(other[i]) == hash) == (strstr(other[i], "outlet_static") != NULL));
}

static void test_hash_leaves_out_when_to_stop(void **state)
{
    (void)state;
    struct an_case a, b;
    read_good("case: x\nmesh: m\ninitial: {p: 1, T: 1}\nmarch: {mode: unsteady, end_time: 1}\n",
              &a);
    read_good("case: x\nmesh: m\ninitial: {p: 1, T: 1}\nmarch: {mode: unsteady, end_time: 2}\n",
              &b);
    assert_true(a.march.end_time < b.march.end_time && a.hash == b.hash);
    an_case_free(&a);
    an_case_free(&b);
}

static void test_boundary_find(void **state)
{
    (void)state;
    struct an_case c;
    case_read_with(&c, WITH("boundaries.blade2={type: symmetry}", "boundaries.h?b={type: symmetry}",
                            "boundaries.*cas*ing*={type: symmetry}"));
    assert_ptr_equal(an_case_boundary_find(&c, "inlet"), &c.boundary[0]);
    assert_ptr_equal(an_case_boundary_find(&c, "blade"), &c.boundary[2]);
    assert_ptr_equal(an_case_boundary_find(&c, "blade_tip"), &c.boundary[2]);
    assert_ptr_equal(an_case_boundary_find(&c, "blade2"), &c.boundary[4]);
    assert_ptr_equal(an_case_boundary_find(&c, "hub"), &c.boundary[5]);
    assert_null(an_case_boundary_find(&c, "a_casin_g"));
    assert_ptr_equal(an_case_boundary_find(&c, "a_cas_casing"), &c.boundary[6]);
    assert_null(an_case_boundary_find(&c, "hb"));
    assert_null(an_case_boundary_find(&c, "inlet2"));
    assert_null(an_case_boundary_find(&c, ""));
    an_case_free(&c);
}

static char *help_text(const char *key, int expected)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    assert_non_null(f);
    assert_int_equal(an_case_help(key, f), expected);
    assert_int_equal(fclose(f), 0);
    return text;
}

static void assert_help(const char *key, const char *has, const char *has_not)
{
    char *text = help_text(key, AN_OK);
    assert_non_null(strstr(text, has));
    assert_null(strstr(text, has_not));
    free(text);
}

/* Messages name the line of a section, and no line of those that an option made. */
static void test_places(void **state)
{
    (void)state;
    const struct an_case c = {.file = "row.yaml"};
    const char *first = an_case_at(&c, 12);
    assert_string_equal(an_case_at(&c, 0), "row.yaml, --set");
    assert_string_equal(an_case_at(&c, 7), "row.yaml:7");
    assert_string_equal(an_case_at(&c, 8), "row.yaml:8");
    assert_string_equal(first, "row.yaml:12"); /* still there */
}

static void test_help(void **state)
{
    (void)state;
    assert_help(NULL, "  mpi.overlap\n", "mpi.overlaps");
    assert_help("boundaries.NAME.type", "wall_viscous", "p0");
    assert_help("march", "  march.cfl_start\n", "gas.");
    assert_help("march.cfl",
                "number > 0 and <= 1000000; default 2.5; 50 if implicit with rows; 30 if implicit "
                "with flux\n"
                "      jst; 1000 if",
                "cfl_start");
    assert_help("march.cfl_start", "default cfl; 2, at most cfl, if implicit with rows", "smooth");
    assert_help("march.iterations", "default 10000; none if unsteady", "2147483647 if");
    assert_help("boundaries", "For outlet_static.", "march.");
    assert_help("boundaries.inlet.p0", "in Pa; required", "T0");
    assert_help("case", "text; required", "mesh");
    assert_help("output.fields", "TemperatureStagnation", "folder");
    free(help_text("march.clf", AN_INPUT));
    assert_string_equal(an_error_text(), "unknown key 'march.clf'; did you mean 'march.cfl'?");
    free(help_text("cfl", AN_INPUT));
    assert_string_equal(an_error_text(), "unknown key 'cfl'; did you mean 'march.cfl'?");
    free(help_text("marhc.cfl", AN_INPUT));
    assert_non_null(strstr(an_error_text(), "did you mean 'march'?"));
    free(help_text("xyzzy", AN_INPUT));
    assert_non_null(strstr(an_error_text(), "unknown key 'xyzzy'; the sections are gas, "));
    free(help_text("boundaries.a.p00", AN_INPUT));
    assert_non_null(strstr(an_error_text(), "did you mean 'boundaries.NAME.p0'?"));
}

/* Every line of the echo is documented, and every default in the help is the one that is used. */
static void test_help_covers_the_echo(void **state)
{
    (void)state;
    struct an_case c;
    char section[40] = "", path[120];
    read_good("case: x\nmesh: m\ninitial: {p: 1, T: 1}\n", &c);
    char *text = case_echo_text(&c), *save = NULL;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *colon = strchr(line, ':');
        if (*line == '#' || !colon || strncmp(line, "boundaries", 10) == 0)
            continue;
        *colon = '\0';
        if (*line != ' ' && !colon[1]) {
            snprintf(section, sizeof section, "%s.", line);
            continue;
        }
        snprintf(path, sizeof path, "%s%s", *line == ' ' ? section : "", line + strspn(line, " "));
        free(help_text(path, AN_OK));
    }
    free(text);
    an_case_free(&c);
}

/* Of T and heat_flux of a wall only the one that was given is echoed: the two exclude each other. */
static void test_echo_of_walls(void **state)
{
    (void)state;
    static const char text[] =
        "case: x\nmesh: m\ngas: {viscosity: sutherland}\ninitial: {p: 1e5, T: 300}\n"
        "boundaries:\n  a: {type: wall_viscous}\n  b: {type: wall_viscous, T: 340}\n"
        "  c: {type: wall_viscous, heat_flux: -2e4}\n";
    struct an_case c;
    read_good(text, &c);
    assert_true(c.boundary[1].wall.T == 340 && c.boundary[2].wall.heat_flux == -2e4);
    check_echo(&c);
}

/* A language that writes 1,5 must not change how a case reads or echoes. */
static void test_locale(void **state)
{
    (void)state;
    static const char *const comma[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof comma / sizeof *comma && !found; i++)
        found = setlocale(LC_ALL, comma[i]);
    if (!found || strcmp(localeconv()->decimal_point, ",") != 0)
        skip();
    struct an_case c;
    case_read_with(&c, NULL);
    assert_true(c.boundary[1].p == 82350 && c.initial.mach == 0.2);
    assert_string_equal(localeconv()->decimal_point, ",");
    check_echo(&c);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_units_of_lists),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_marches),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_made_unsteady),
        cmocka_unit_test(test_echo_reads_back),
        cmocka_unit_test(test_echo_of_walls),
        cmocka_unit_test(test_mixture),
        cmocka_unit_test(test_echo_of_relative_paths),
        cmocka_unit_test(test_echo_of_random_numbers),
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_hash_leaves_out_when_to_stop),
        cmocka_unit_test(test_boundary_find),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_help_covers_the_echo),
        cmocka_unit_test(test_locale),
    };
    return cmocka_run_group_tests(tests, case_setup, case_teardown);
}

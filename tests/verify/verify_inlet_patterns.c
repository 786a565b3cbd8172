/* Inlets whose total temperature varies around the axis and in time, with an exact answer: pressure and
 * axial velocity are uniform, so the flow carries the temperature along. A thin ring (r from 0.995 to 1.005
 * m), a thirtieth of it, 0.2 m long; gamma 1.4, R 287.05, p = 1e5 Pa, u = 100 m/s.
 *
 *     T(x, phi, t) = f(phi - omega t', t'),  t' = t - x/u,  phi: absolute angle
 *     f = 300 (1 + 0.02 sin(30 phi) or 0.02 sin(2 pi t / 1.9e-3)) K
 *
 *                                                                  order     error of rho, finest
 *   turning pattern, zone at rest, explicit                        1.9       0.03 of the amplitude
 *   pattern at rest, zone turns, explicit                          1.9       0.02
 *   series in time that repeats, dual; its first step is BDF1      1.8       0.04
 *   pattern that turns with its row, steady                        1.9       0.025
 *
 *   gust: a wave of vorticity of 1 m/s, without pressure, which turns at 100 rad/s; implicit steps in time, 32 cells, after
 *   three periods. Root of the mean square of the error over the amplitude: axial velocity 0.035, pressure 0.1 (of rho u
 *   times the amplitude); plain inlet, non_reflecting: true and two_d
 *
 *   refused: patterns that do not fit the mesh or the march, with a message
 *   the same bits on 1 to 4 ranks and after a restart in the middle of a period, also non-reflecting
 */
#include "solver/flow/flow.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { AROUND = 30, POINTS = 24 };
static const double gas = 287.05, p1 = 1e5, T1 = 300, u1 = 100, part = 0.02, length = 0.2;
static const double period = 1.9e-3;

/* A flow: speeds of the zone and of the pattern, rad/s, or a series in time. */
struct streak {
    double zone, pattern;
    int series, steady;
    double time;
};

static void ring(void *context, const double s[3], double x[3])
{
    (void)context;
    vm_cylindrical(length * s[0], 0.995 + 0.01 * s[1], 2 * PI / AROUND * s[2], x);
}

static double factor(const struct streak *k, double angle, double time)
{
    return 1 + part * sin(k->series ? 2 * PI * time / period : AROUND * angle);
}

static void exact(void *context, const double x[3], double q[5])
{
    const struct streak *k = context;
    const double phi = atan2(x[2], x[1]) + (k->steady ? 0 : k->zone * k->time);
    const double entered = k->time - x[0] / u1;
    q[0] = p1 / (gas * T1 * factor(k, phi - k->pattern * entered, entered));
    q[1] = u1;
    q[2] = q[3] = 0;
    q[4] = p1;
}

/* Total conditions of a static temperature. */
static void put_line(FILE *f, double at, const char *span, double T)
{
    const double cp = 3.5 * gas, T0 = T + 0.5 * u1 * u1 / cp;
    fprintf(f, "%.17g,%s,%.17g,%.17g\n", at, span, p1 * pow(T0 / T, 3.5), T0);
}

/* Uneven points, out of order; the series is left open. */
static void write_profile(const struct streak *k)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *f = rank ? NULL : fopen(fixture_path("profile.csv"), "w");
    if (f) {
        fprintf(f, "%s,span,p0_Pa,T0_K\n", k->series ? "time_s" : "theta_deg");
        for (int n = POINTS - k->series; n >= 0; n--) {
            const double s = (double)n / POINTS, at = s + 0.01 * sin(2 * PI * s);
            const double T = T1 * factor(k, 2 * PI / AROUND * at, period * at);
            put_line(f, k->series ? period * at : 360.0 / AROUND * at, "0", T);
            put_line(f, k->series ? period * at : 360.0 / AROUND * at, "1", T);
        }
        fclose(f);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static const char *yaml_of(const struct streak *k, const char *march, const char *more)
{
    return verify_text("case: patterns\ndevice: cpu\nprecision: double\n"
                       "gas: {gamma: 1.4, R: 287.05}\nscheme: {flux: jst}\nmarch: {%s}\n"
                       "initial: {p: 1e5, T: 300, velocity: [100, 0, 0]}\n"
                       "output: {folder: %s}\nrows: {row: {zones: '*', omega: %.17g}}\n"
                       "boundaries:\n"
                       "  in: {type: inlet_total, p0: 1e5, T0: 300, direction: [1, 0, 0], "
                       "profile: %s%s%s}\n"
                       "  out: {type: outlet_static, p: 1e5}\n",
                       march, fixture_folder(), k->zone, fixture_path("profile.csv"),
                       k->series         ? verify_text(", profile_period: %.17g", period)
                       : k->pattern != 0 ? verify_text(", profile_omega: %.17g", k->pattern)
                                         : "",
                       more);
}

static void write_mesh(int n)
{
    static const struct vm_segment ends[] = VM_SECTOR(AN_BC_FARFIELD, "in", AN_BC_FARFIELD, "out");
    const struct vm_box box = {.n = {n, 1, n},
                               .parts = {2, 1, 2},
                               .turn = 3,
                               .map = ring,
                               .angle = 2 * PI / AROUND,
                               .nsegment = 6,
                               .segment = ends};
    vm_write(fixture_path("ring.cgns"), &box);
}

/* Root of the mean square of the error of the density, over the amplitude. */
static double error_of(struct streak k, int n)
{
    struct fixture f;
    double l2[5];
    const double end = 1.3 * period;
    const char *march =
        k.steady
            ? "method: implicit, iterations: 100000"
            : verify_text("mode: unsteady, method: %s, time_step: %.17g, iterations: 100000, "
                          "end_time: %.17g",
                          k.series ? "dual" : "runge_kutta", period / (k.series ? 2 : 6) / n, end);
    write_mesh(n);
    fixture_open(&f, "patterns", yaml_of(&k, march, ""), fixture_path("ring.cgns"));
    fixture_must(an_solver_fill(f.solver, exact, &k), "fill");
    if (k.steady) {
        fixture_converge(&f, 1e-8, 600);
    } else {
        fixture_until(&f, end);
        k.time = end;
    }
    fixture_error(&f, exact, &k, l2, NULL);
    fixture_close(&f);
    return l2[0] / (part * p1 / (gas * T1));
}

static void check_error(const char *what, struct streak k, double order, double most)
{
    write_profile(&k);
    const double coarse = error_of(k, 16), fine = error_of(k, 32);
    verify_note("%s: errors of the density over the amplitude %.3e, %.3e", what, coarse, fine);
    verify_check(verify_text("%s: order", what), verify_order(coarse, fine, 2), order, 3);
    verify_check(verify_text("%s: error", what), fine, 0, most);
}

static uint64_t hash_after(MPI_Comm comm, struct streak k, const char *march, const char *more,
                           int stop)
{
    struct fixture f;
    fixture_open_on(&f, comm, "patterns", yaml_of(&k, march, more), fixture_path("ring.cgns"));
    fixture_must(an_solver_fill(f.solver, exact, &k), "fill");
    fixture_steps_through(&f, 12, stop);
    const uint64_t hash = fixture_hash(&f);
    fixture_close(&f);
    return hash;
}

static void check_bits(const char *what, struct streak k, const char *march, const char *more)
{
    int rank, size;
    uint64_t hash[4] = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    write_profile(&k);
    for (int n = 1; n <= 4 && n <= size; n++) {
        MPI_Comm some;
        MPI_Comm_split(MPI_COMM_WORLD, rank < n ? 0 : MPI_UNDEFINED, rank, &some);
        if (some != MPI_COMM_NULL) {
            hash[n - 1] = hash_after(some, k, march, more, -1);
            MPI_Comm_free(&some);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Bcast(hash, 4, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    for (int n = 2; n <= 4 && n <= size; n++)
        verify_check(verify_text("%s, %d ranks: other bits than one", what, n),
                     hash[n - 1] != hash[0], 0, 0);
    const uint64_t again = hash_after(MPI_COMM_WORLD, k, march, more, 6);
    verify_check(verify_text("%s, restart: other bits", what), again != hash[0], 0, 0);
}

/* ---- gust ---- */

/* The gust v = (beta, -alpha r) cos(alpha x + beta theta ...) / beta has no divergence, and
 * the flow carries it along. */
static const double gust_turns = 100, gust_size = 1;

static void gust_velocity(double along, double angle, double time, double v[2])
{
    const double alpha = AROUND * gust_turns / u1;
    const double wave = gust_size * cos(alpha * along + AROUND * (angle - gust_turns * time));
    v[0] = u1 + wave;
    v[1] = -alpha / AROUND * wave;
}

static void gust(void *context, const double x[3], double q[5])
{
    const double r = hypot(x[1], x[2]);
    double v[2];
    gust_velocity(x[0], atan2(x[2], x[1]), *(double *)context, v);
    q[0] = p1 / (gas * T1);
    q[1] = v[0];
    q[2] = -v[1] * x[2] / r;
    q[3] = v[1] * x[1] / r;
    q[4] = p1;
}

static void write_gust(void)
{
    FILE *f = fopen(fixture_path("profile.csv"), "w");
    if (!f)
        fixture_must(AN_FAIL, "profile.csv");
    fprintf(f, "span,theta_deg,p0_Pa,T0_K,swirl_deg\n");
    for (int n = 0; n <= 48; n++)
        for (int span = 0; span < 2; span++) {
            const double at = 2 * PI / AROUND * n / 48;
            double v[2];
            gust_velocity(0, at, 0, v);
            const double T0 = T1 + 0.5 * (v[0] * v[0] + v[1] * v[1]) / (3.5 * gas);
            fprintf(f, "%d,%.17g,%.17g,%.17g,%.17g\n", span, at * 180 / PI, p1 * pow(T0 / T1, 3.5),
                    T0, atan2(v[1], v[0]) * 180 / PI);
        }
    fclose(f);
}

static void check_gust(const char *inlet)
{
    const double step = 2 * PI / AROUND / gust_turns / 60, end = 180 * step;
    struct fixture f;
    double time = 0, l2[5];
    write_mesh(32);
    write_gust();
    fixture_open(
        &f, "gust",
        verify_text(
            "case: gust\ndevice: cpu\nprecision: double\n"
            "gas: {gamma: 1.4, R: 287.05}\nscheme: {flux: jst}\n"
            "march: {mode: unsteady, method: dual, time_step: %.17g, iterations: 1000}\n"
            "initial: {p: 1e5, T: 300, velocity: [100, 0, 0]}\n"
            "output: {folder: %s}\nrows: {row: {zones: '*', omega: 0}}\n"
            "boundaries:\n"
            "  in: {type: inlet_total, p0: 1e5, T0: 300, direction: [1, 0, 0], profile: %s, "
            "profile_omega: %g, non_reflecting: %s, control_every: 60}\n"
            "  out: {type: outlet_static, p: 1e5, non_reflecting: two_d}\n",
            step, fixture_folder(), fixture_path("profile.csv"), gust_turns, inlet),
        fixture_path("ring.cgns"));
    fixture_must(an_solver_fill(f.solver, gust, &time), "fill");
    fixture_until(&f, end);
    time = end;
    fixture_error(&f, gust, &time, l2, NULL);
    verify_check(verify_text("gust, %s: error of the axial velocity", inlet), l2[1] / gust_size, 0,
                 0.035);
    verify_check(verify_text("gust, %s: pressure", inlet),
                 l2[4] / (p1 / (gas * T1) * u1 * gust_size), 0, 0.1);
    fixture_close(&f);
}

/* Five places up to `last` of a column, constant values. */
static void write_pattern(const char *column, double last)
{
    FILE *f = fopen(fixture_path("profile.csv"), "w");
    if (!f)
        fixture_must(AN_FAIL, "profile.csv");
    fprintf(f, "%s,span,p0_Pa,T0_K\n", column);
    for (int n = 0; n <= 4; n++) {
        put_line(f, last * n / 4, "0", T1);
        put_line(f, last * n / 4, "1", T1);
    }
    fclose(f);
}

/* The program refuses a case, with a message that says `wanted`. */
static void check_refused(struct streak k, const char *march, const char *more, const char *wanted)
{
    char all[4096] = "", line[1024];
    const char *bin = getenv("AN_BIN"), *path = fixture_path("refused.yaml");
    FILE *out = fopen(path, "w");
    if (!out)
        fixture_must(AN_FAIL, "fopen");
    fprintf(out, "mesh: %s\n%s", fixture_path("ring.cgns"), yaml_of(&k, march, more));
    fclose(out);
    FILE *run = popen(verify_text("%s/annulus run %s 2>&1", bin ? bin : "build/bin", path), "r");
    while (run && fgets(line, sizeof line, run))
        strncat(all, line, sizeof all - strlen(all) - 1);
    const int status = run ? pclose(run) : -1;
    if (!strstr(all, wanted))
        verify_note("%s", all);
    verify_check(verify_text("refused: %.40s", wanted),
                 status == 2 << 8 && strstr(all, wanted) != NULL, 1, 1);
}

static void check_faults(void)
{
    static const char *const steady = "iterations: 1",
                             *const unsteady =
                                 "mode: unsteady, method: dual, time_step: 1e-5, iterations: 1";
    const struct streak rest = {0}, turning = {.pattern = 105}, row = {.zone = 105};
    write_pattern("theta_deg", 12);
    check_refused(turning, steady, "", "a steady run needs the same speed ('profile_omega: 0')");
    check_refused(row, steady, "", "a steady run needs the same speed ('profile_omega: 105')");
    check_refused(rest, unsteady, ", profile_period: 1", "profile_period needs a column time_s");
    write_pattern("theta_deg", 24);
    check_refused(rest, steady, "", "after 24 degrees, but the mesh of inlet 'in' after 12");
    write_pattern("theta_deg", 8);
    check_refused(rest, steady, "", "which is 1.5 times as much");
    write_pattern("theta_deg", 11);
    check_refused(rest, steady, "", "1/32.7273 of a turn");
    write_pattern("time_s", 1);
    check_refused(rest, steady, "", "time_s needs 'march.mode: unsteady'");
    check_refused(turning, unsteady, "", "profile_omega' needs a profile with theta_deg");
    check_refused(rest, unsteady, ", profile_period: 0.5", "longer than the period of 0.5 s");
}

int main(int argc, char **argv)
{
    static const char *const explicit_march =
        "mode: unsteady, method: runge_kutta, cfl: 2, iterations: 1000";
    static const char *const dual =
        "mode: unsteady, method: dual, time_step: 4e-5, iterations: 1000";
    const struct streak turning = {.pattern = 105}, row = {.zone = 105}, series = {.series = 1};
    const struct streak steady = {.zone = 105, .pattern = 105, .steady = 1};
    int size;
    verify_start(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    write_mesh(8);
    check_bits("explicit", turning, explicit_march, "");
    check_bits("dual", row, dual, "");
    check_bits("series", series, dual, "");
    check_bits("non-reflecting", turning, dual, ", non_reflecting: true, control_every: 4");
    if (size == 1) {
        check_gust("false");
        check_gust("true");
        check_gust("two_d");
        check_faults();
        check_error("turning pattern", turning, 1.9, 0.03);
        check_error("turning row", row, 1.9, 0.02);
        check_error("series, dual", series, 1.8, 0.04);
        check_error("turning with the row, steady", steady, 1.9, 0.025);
    }
    return verify_end();
}

/* Gas tables: the file, the interpolation against CoolProp's states and isentropes, derivatives against
 * differences, the inversion for the pressure, and the fluxes and boundaries that use them.
 *
 *                                  required    largest error measured
 *   e, c, kappa, chi, T, s         1e-4        9.0e-5 (chi of MM, which is 0.06 c^2 there), else 1e-5
 *   mu, lambda                     1e-3        8e-5
 *   kappa, chi of differences      1e-6        3e-9
 *   p of (rho, e of p)             1e-12       at the edges of the box 2e-5
 *   V, mass flux, l on isentropes  1e-4        2e-6
 */
#define AN_PRECISION 64
#define AN_GAS       1
#include "io/gas_file.h"
#include "kernels/base/error.h"
#include "kernels/physics/boundary.h"
#include "kernels/physics/flux.h"
#include "kernels/physics/gas_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FLUIDS = 4 };
static const struct {
    const char *file, *name;
} fluids[FLUIDS] = {{"steam", "Water"}, {"co2", "CO2"}, {"r134a", "R134a"}, {"mm", "MM"}};

static const char *path_of(const char *name)
{
    static char path[1024];
    const char *source = getenv("AN_SOURCE");
    snprintf(path, sizeof path, "%s/tests/tables/%s", source ? source : ".", name);
    return path;
}

static struct an_gas_table *read_table(const char *name)
{
    struct an_gas_table *t;
    char file[60];
    snprintf(file, sizeof file, "%s.h5", name);
    assert_int_equal(an_gas_file_read(path_of(file), &t), AN_OK);
    return t;
}

static struct an_prm_f64 prm_of(const struct an_gas_table *t)
{
    const struct an_params p = {.gas = {.table = t, .data = t->data},
                                .fluid.viscosity = AN_VISCOSITY_TABLE,
                                .fluid.prandtl = 0.7,
                                .fluid.prandtl_t = 0.9,
                                .flux.limiter = AN_LIMITER_NONE};
    return an_prm_from_f64(&p);
}

static void near(double a, double b, double most)
{
    if (!(fabs(a - b) <= most * fabs(b)))
        fail_msg("%.12g is not %.12g within %g", a, b, most);
}

/* Next row of a CSV file: the first column and numbers. */
static int row_of(FILE *f, char fluid[20], double *x, int most)
{
    char line[1000];
    int n = 0;
    if (!fgets(line, sizeof line, f))
        return 0;
    snprintf(fluid, 20, "%.*s", (int)strcspn(line, ","), line);
    for (char *at = strchr(line, ','); at && n < most; at = strchr(at + 1, ','))
        x[n++] = strtod(at + 1, NULL);
    return n;
}

/* chi and e depend on the zero of the energy: e of the first state of the list is taken as given. */
static void states_are_coolprops(void **unused)
{
    (void)unused;
    for (int m = 0; m < FLUIDS; m++) {
        struct an_gas_table *t = read_table(fluids[m].file);
        FILE *f = fopen(path_of("states.csv"), "r");
        char fluid[20];
        double x[14], zero = NAN;
        int n = 0;
        assert_non_null(f);
        while (row_of(f, fluid, x, 14)) {
            const double p = x[0], rho = x[2];
            if (strcmp(fluid, fluids[m].name) != 0 || !an_table_valid(t, rho, p))
                continue;
            const struct an_gas_state_of q = an_table_state(t, rho, p);
            zero = isnan(zero) ? x[3] - q.e : zero;
            near(q.e + zero, x[3], 1e-6);
            near(q.s, x[5], 1e-6);
            near(q.T, x[1], 1e-6);
            near(q.c, x[6], 1e-5);
            near(q.cp, x[7], 1e-4);
            near(q.cv, x[8], 1e-4);
            near(q.kappa, x[9], 1e-4);
            near(q.c * q.c - q.kappa * (q.h + zero), x[10], 1e-4);
            if (t->transport) {
                near(q.mu, x[12], 1e-3);
                near(q.lambda, x[13], 1e-3);
            }
            near(an_table_density(t, p, x[1]), rho, 1e-6);
            n++;
        }
        fclose(f);
        assert_true(n >= 1);
        an_gas_table_destroy(t);
    }
}

static void derivatives_are_differences(void **unused)
{
    (void)unused;
    for (int m = 0; m < FLUIDS; m++) {
        struct an_gas_table *t = read_table(fluids[m].file);
        const double p = t->p_ref, rho = an_table_density(t, p, t->T_ref), d = 1e-4;
        const struct an_gas_state_of q = an_table_state(t, rho, p);
        const double energy = rho * q.e;
        const double up = an_table_pressure(t, rho, energy * (1 + d) / rho);
        const double low = an_table_pressure(t, rho, energy * (1 - d) / rho);
        near((up - low) / (2 * d * energy), q.kappa, 1e-6);
        const double r1 = rho * (1 + d), r0 = rho * (1 - d);
        const double more = an_table_pressure(t, r1, energy / r1);
        const double less = an_table_pressure(t, r0, energy / r0);
        assert_true(fabs((more - less) / (2 * d * rho) - q.chi) < 1e-6 * q.c * q.c);
        near(q.chi + q.kappa * q.h, q.c * q.c, 1e-12);
        an_gas_table_destroy(t);
    }
}

/* In the box, at its edges, where the slopes of e jump, and beyond them, where states must be found, too,
 * though less closely. */
static void pressures_are_found(void **unused)
{
    (void)unused;
    for (int m = 0; m < FLUIDS; m++) {
        struct an_gas_table *t = read_table(fluids[m].file);
        if (strstr(fluids[m].file, "steam") || strstr(fluids[m].file, "r134a"))
            assert_true(t->newton[0] == 2 && t->newton[1] == 2); /* the start is good */
        for (int j = -4; j <= 44; j++)
            for (int i = -4; i <= 44; i++) {
                const double x = t->low[0] + t->step[0] * (t->n[0] - 1) * i / 40;
                const double y = t->low[1] + t->step[1] * (t->n[1] - 1) * j / 40;
                const double p = exp(x), rho = exp(x - y), e = an_table_state(t, rho, p).e;
                const double found = an_table_pressure(t, rho, e);
                assert_true(found > 0);
                const int inside = i >= 2 && i <= 36 && j >= 2 && j <= 38;
                if (an_table_valid(t, rho, p))
                    near(found, p, inside ? 1e-12 : 1e-4);
                else
                    near(found, p, 0.1);
                assert_true(an_table_state(t, rho, p).T > 0);
                assert_true(an_table_state(t, rho, p).c > 0);
            }
        an_gas_table_destroy(t);
    }
}

static void isentropes_are_coolprops(void **unused)
{
    (void)unused;
    int n = 0;
    for (int m = 0; m < FLUIDS; m++) {
        struct an_gas_table *t = read_table(fluids[m].file);
        const struct an_gas g = {.R = t->R, .table = t};
        FILE *f = fopen(path_of("isentropes.csv"), "r");
        char fluid[20];
        double x[11];
        assert_non_null(f);
        while (row_of(f, fluid, x, 11)) {
            const double p = x[0] * x[2];
            if (strcmp(fluid, fluids[m].name) != 0 || x[2] == 1 ||
                !an_table_valid(t, an_table_density(t, x[0], x[1]), x[0]) ||
                !an_table_valid(t, x[4], p))
                continue;
            const struct an_gas_flow q = an_gas_static_p(&g, x[0], x[1], p);
            const double rho = an_state_density(&g, q.p, q.T);
            near(q.T, x[3], 1e-5);
            near(q.V, x[7], 1e-4);
            near(rho * q.V, x[9], 1e-4);
            near(an_table_move(t, an_table_density(t, x[0], x[1]), x[0], AN_TABLE_TO_P, p).l, x[10],
                 1e-4);
            near(an_gas_total(&g, q.p, q.T, q.V).p0, x[0], 1e-6);
            near(an_gas_static_mach(&g, x[0], x[1], x[8]).p, p, 1e-4);
            n++;
        }
        fclose(f);
        an_gas_table_destroy(t);
    }
    assert_true(n >= 8);
}

/* Roe's flux of one state is that state's, of a shock at rest that of either side; inlets and outlets that
 * agree with the cell give its state. */
static void fluxes_and_boundaries(void **unused)
{
    (void)unused;
    for (int m = 0; m < FLUIDS; m++) {
        struct an_gas_table *t = read_table(fluids[m].file);
        const struct an_prm_f64 prm = prm_of(t);
        const double p = t->p_ref, T = t->T_ref, rho = an_table_density(t, p, T), V = 60;
        const struct an_five_f64 w = an_conserved_f64(rho, V, 0.2 * V, 0, p, &prm);
        const struct an_cell_f64 q = an_cell_from_conserved_f64(w.m, w.x, w.y, w.z, w.e, &prm);
        near(q.p, p, 1e-12);
        const struct an_five_f64 f = an_flux_roe_f64(&q, &q, &q, &q, 1, 0, 0, 0, 0, &prm);
        near(f.m, rho * V, 1e-12);
        near(f.x, rho * V * V + p, 1e-12);
        near(f.e, rho * V * q.H, 1e-12);
        const struct an_acoustics_f64 a = an_cell_acoustics_f64(&q, &prm);
        near(a.chi + a.kappa * (q.H - 0.52 * V * V), a.c2, 1e-12);
        /* total states of the cell, entering along its own direction */
        const struct an_gas g = {.table = t};
        const struct an_gas_rest rest = an_state_rest(&g, p, T, 1.04 * V * V);
        double v[AN_BC_NVALUE] = {0};
        v[AN_BC_P0] = rest.p0;
        v[AN_BC_T0] = rest.T0;
        v[AN_BC_DIRECTION] = 1 / sqrt(1.04);
        v[AN_BC_DIRECTION + 1] = 0.2 / sqrt(1.04);
        const struct an_cell_f64 in = an_inlet_total_f64(&q, -1, 0, 0, v, &prm);
        near(in.p, p, 1e-6);
        near(in.rho, rho, 1e-6);
        near(in.u, V, 1e-5);
        near(in.H, q.H, 1e-9);
        double out[AN_BC_NVALUE] = {0};
        out[AN_BC_P] = p;
        const struct an_cell_f64 e = an_outlet_static_f64(&q, 1, 0, 0, 0, out, &prm);
        near(e.rho, rho, 1e-12);
        near(e.u, V, 1e-12);
        out[AN_BC_P] = 0.97 * p; /* expands: entropy and u + l stay */
        const struct an_cell_f64 x = an_outlet_static_f64(&q, 1, 0, 0, 0, out, &prm);
        const struct an_table_point at = an_table_move(t, rho, p, AN_TABLE_TO_P, 0.97 * p);
        near(x.rho, at.rho, 1e-7);
        near(x.u, V - at.l, 1e-6);
        double inf[AN_BC_NVALUE] = {0};
        inf[AN_BC_RHO] = rho;
        inf[AN_BC_VELOCITY] = V;
        inf[AN_BC_PRESSURE] = p;
        for (int side = -1; side <= 1; side += 2) { /* a simple wave passes from inside */
            struct an_cell_f64 wave = q;
            const struct an_table_point to = an_table_move(t, rho, p, AN_TABLE_TO_P, 1.02 * p);
            wave.p = 1.02 * p;
            wave.rho = to.rho;
            wave.u = V + side * to.l;
            const struct an_cell_f64 far = an_farfield_f64(&wave, side, 0, 0, 0, inf, &prm);
            near(far.p, wave.p, 1e-5);
            near(far.u, wave.u, 1e-5);
        }
        an_gas_table_destroy(t);
    }
}

/* Through a table made of a perfect gas all is that gas. */
static void perfect_gas_is_perfect(void **unused)
{
    (void)unused;
    struct an_gas_table *t = read_table("air");
    const struct an_gas g = {.R = t->R, .table = t}, air = an_gas_perfect(287.05, 1.4);
    const double p = 1e5, T = 300;
    near(an_state_density(&g, p, T), p / (287.05 * T), 1e-7);
    near(an_state_sound(&g, p, T), an_gas_sound(&air, T), 1e-6);
    near(an_state_rest(&g, p, T, 200. * 200).p0, an_gas_total(&air, p, T, 200).p0, 1e-7);
    near(an_gas_static_mach(&g, p, T, 1).p, an_gas_static_mach(&air, p, T, 1).p, 1e-6);
    near(t->function_ref, t->p_ref / pow(t->p_ref / (287.05 * t->T_ref), 1.4), 1e-4);
    const double s = an_state_s(&g, p, T), h = an_state_h(&g, p, T);
    near(an_table_p_of_hs(t, h, s), p, 1e-8);
    near(an_state_T_of_h(&g, p, h), T, 1e-9);
    near(an_state_p_at(&g, 2 * p, 350, p, 300), 2 * p * pow(300. / 350, 3.5), 1e-6);
    an_gas_table_destroy(t);
}

/* kappa, c^2 and the slope of T must be positive, and numbers must be numbers. */
static void bad_tables_are_refused(void **unused)
{
    (void)unused;
    enum { N = 6 };
    static double node[AN_NTABLE][N][N][4];
    static const unsigned char outside[N * N] = {0};
    const int n[2] = {N, N};
    const double low[2] = {11, 11}, step[2] = {0.1, 0.1};
    struct an_gas_table *t;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const double P = exp(11 + 0.1 * j);
            node[AN_TABLE_E][j][i][0] = node[AN_TABLE_E][j][i][2] = 2.5 * P;
            node[AN_TABLE_T][j][i][0] = node[AN_TABLE_T][j][i][2] = P / 287;
        }
    assert_int_equal(an_gas_table_new(n, low, step, 287, node[0][0][0], outside, &t), AN_OK);
    an_gas_table_destroy(t);
    node[AN_TABLE_E][2][3][2] = -1e6;
    assert_int_equal(an_gas_table_new(n, low, step, 287, node[0][0][0], outside, &t), AN_INPUT);
    assert_non_null(strstr(an_error_text(), "kappa"));
    node[AN_TABLE_E][2][3][2] = NAN;
    assert_int_equal(an_gas_table_new(n, low, step, 287, node[0][0][0], outside, &t), AN_INPUT);
    assert_non_null(strstr(an_error_text(), "no numbers"));
    assert_int_equal(an_gas_file_read(path_of("states.csv"), &t), AN_INPUT);
    assert_int_equal(an_gas_file_read(path_of("missing.h5"), &t), AN_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_coolprops),   cmocka_unit_test(derivatives_are_differences),
        cmocka_unit_test(pressures_are_found),    cmocka_unit_test(isentropes_are_coolprops),
        cmocka_unit_test(fluxes_and_boundaries),  cmocka_unit_test(perfect_gas_is_perfect),
        cmocka_unit_test(bad_tables_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

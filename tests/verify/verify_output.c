/* Output fields of a flow whose gradients are known.
 *
 *   u = U + S y,  v = V - W z,  w = W y    shear S and rotation W about the x axis
 *   p, T = T1 + G x
 *
 * on a skewed, stretched box of 24 zones, one stored in each of the 24 ways; its rows turn with omega.
 * Velocities are linear, for which the gradients are exact on any mesh: what is left is rounding.
 * Cells next to the ends of the box are left out, because the far field there is another flow.
 *
 *   vorticity      (2 W, 0, -S)
 *   relative T0    T + ((U + S y)^2 + (V - W z + omega z)^2 + (W y - omega y)^2) / (2 cp)
 *   rothalpy       cp T + ((U + S y)^2 + (V - W z)^2 + (W y)^2) / 2 - omega (W y^2 - z (V - W z))
 *   helicity       W (2 U + S y)
 *   Q criterion    W^2
 *   entropy        c0 ln(T / Tr) + c1 (T - Tr) - R ln(p / pr) of a gas with cp = c0 + c1 T,
 *                  where pr and Tr are p0 and T0 of the inlet, or 101325 Pa and 288.15 K
 *
 * Checked is the largest difference of each field over its largest value, or over S where the field
 * is zero: below 1e-12 in double (measured: at most 1.9e-14), 1e-4 in single (8.5e-6).
 */
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/output/quantities.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double U = 120, V = 30, SHEAR = 40, TURN = 25, P = 1e5, T1 = 290, SLOPE = 15;
static const double OMEGA = 60;
#define R     287.05
#define GAMMA 1.4

static void box_map(void *context, const double s[3], double x[3])
{
    (void)context;
    const double wave = 0.02 * sin(PI * s[0]) * sin(PI * s[1]) * sin(PI * s[2]);
    const double a = 0.5 * s[0] + 0.5 * s[0] * s[0] + wave, b = s[1] - wave, c = 0.5 * s[2] + wave;
    x[0] = a + 0.3 * b;
    x[1] = b + 0.25 * c + 0.2;
    x[2] = c - 0.2 * a;
}

static void flow(void *context, const double x[3], double q[5])
{
    (void)context;
    q[0] = P / (R * (T1 + SLOPE * x[0]));
    q[1] = U + SHEAR * x[1];
    q[2] = V - TURN * x[2];
    q[3] = TURN * x[1];
    q[4] = P;
}

/* What the entropy depends on: cp = c[0] + c[1] T, and where the entropy is zero. */
struct gas {
    double c[2], p_ref, T_ref;
};
static const struct gas perfect = {{GAMMA * R / (GAMMA - 1), 0}, 101325, 288.15};
static const struct gas warming = {{900, 0.3}, 1.1e5, 330};

/* K: what the velocity relative to the rows adds to the temperature at rest. */
static double heat_of(const double x[3])
{
    const double u = U + SHEAR * x[1], v = V - TURN * x[2] + OMEGA * x[2];
    const double w = TURN * x[1] - OMEGA * x[1];
    return (u * u + v * v + w * w) * (GAMMA - 1) / (2 * GAMMA * R);
}

/* J/kg: cp T is left out. */
static double rothalpy_of(const double x[3])
{
    const double u = U + SHEAR * x[1], v = V - TURN * x[2], w = TURN * x[1];
    return 0.5 * (u * u + v * v + w * w) - OMEGA * (x[1] * w - x[2] * v);
}

static double exact(const struct gas *gas, enum an_output what, const double x[3])
{
    const double T = T1 + SLOPE * x[0];
    switch (what) {
    case AN_OUT_Entropy:
        return gas->c[0] * log(T / gas->T_ref) + gas->c[1] * (T - gas->T_ref) -
               R * log(P / gas->p_ref);
    case AN_OUT_Rothalpy:
        return GAMMA * R / (GAMMA - 1) * T + rothalpy_of(x);
    case AN_OUT_VorticityX:
        return 2 * TURN;
    case AN_OUT_VorticityZ:
        return -SHEAR;
    case AN_OUT_VorticityMagnitude:
        return sqrt(4 * TURN * TURN + SHEAR * SHEAR);
    case AN_OUT_QCriterion:
        return TURN * TURN;
    case AN_OUT_Helicity:
        return TURN * (2 * U + SHEAR * x[1]);
    case AN_OUT_RotatingPressureStagnation:
        return P * pow(1 + heat_of(x) / T, GAMMA / (GAMMA - 1));
    case AN_OUT_RotatingTemperatureStagnation:
        return T + heat_of(x);
    default:
        return 0;
    }
}

/* Does the cell of a zone touch an end of the box? */
static int is_outer(const struct an_topology *t, int zone, const int cell[3])
{
    for (int p = 0; p < t->npatch; p++) {
        const struct an_window *w = &t->patch[p].window;
        if (w->block == zone && cell[w->dir] == (w->side ? t->block[zone].n[w->dir] - 1 : 0))
            return 1;
    }
    return 0;
}

/* Largest differences off[n] from the exact fields and largest values of those, size[n]. */
static void compare(struct fixture *f, const struct gas *gas, const struct an_quantities *q,
                    double *off, double *size)
{
    struct an_solver *s = f->solver;
    for (int b = 0; b < s->nlocal; b++) {
        const struct an_piece *piece = &s->level->partition.piece[s->local[b]];
        const int *n = s->level->layout.block[b].n;
        const size_t cells = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
        const size_t nodes = (size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1);
        double *x = malloc(3 * nodes * sizeof *x);
        char *values = malloc((size_t)q->n * cells * sizeof(double));
        void *to[AN_NOUTPUT];
        for (int m = 0; m < q->n; m++)
            to[m] = values + (size_t)m * cells * sizeof(double);
        fixture_must(x && values ? AN_OK : AN_FAIL, "memory");
        an_quantities_block(s, q, b, to);
        fixture_must(an_nodes_read(s->mesh, piece, x), "nodes");
        for (size_t at = 0; at < cells; at++) {
            const int i = (int)(at % (size_t)n[0]), j = (int)(at / (size_t)n[0] % (size_t)n[1]);
            const int k = (int)(at / (size_t)n[0] / (size_t)n[1]);
            const int cell[3] = {piece->lo[0] + i, piece->lo[1] + j, piece->lo[2] + k};
            double centre[3];
            an_nodes_centre(n, x, i, j, k, centre);
            for (int m = 0; m < q->n && !is_outer(&s->mesh->topology, piece->zone, cell); m++) {
                const double want = exact(gas, q->what[m], centre);
                const double have = s->level->layout.precision == AN_DOUBLE
                                        ? ((const double *)to[m])[at]
                                        : (double)((const float *)to[m])[at];
                off[m] = verify_worst(off[m], fabs(have - want));
                size[m] = fmax(size[m], fabs(want));
            }
        }
        free(values);
        free(x);
    }
}

/* The fields checked[n] of the flow in `text`, a case with the title name. */
static void check_fields(const char *mesh, const char *name, const char *text,
                         const struct gas *gas, int n, const enum an_output *checked, double most)
{
    struct fixture f;
    struct an_quantities q = {.n = n};
    double off[AN_NOUTPUT] = {0}, size[AN_NOUTPUT] = {0};
    memcpy(q.what, checked, (size_t)n * sizeof *checked);
    fixture_open(&f, verify_text("output_%s", name), text, mesh);
    fixture_must(an_solver_fill(f.solver, flow, NULL), "fill");
    fixture_must(an_quantities_prepare(f.solver, &q), "gradients");
    compare(&f, gas, &q, off, size);
    an_quantities_free(f.solver, &q);
    MPI_Allreduce(MPI_IN_PLACE, off, q.n, MPI_DOUBLE, MPI_MAX, f.comm);
    MPI_Allreduce(MPI_IN_PLACE, size, q.n, MPI_DOUBLE, MPI_MAX, f.comm);
    for (int m = 0; m < q.n; m++)
        verify_check(verify_text("%s: %s", name, an_output_fields[q.what[m]].name),
                     off[m] / (size[m] > 0 ? size[m] : SHEAR), 0, most);
    fixture_close(&f);
}

/* The gas and the boundaries of a case; precision, rows and initial state are alike in all. */
static const char *case_of(const char *precision, const char *gas, const char *inlet)
{
    return verify_text("case: output\nprecision: %s\ngas: {%s, R: %g}\n"
                       "rows: {all: {zones: [zone*], omega: %g}}\n"
                       "boundaries:\n%s"
                       "  far: {type: farfield, p: %g, T: %g, velocity: [%g, 0, 0]}\n"
                       "initial: {p: %g, T: %g, velocity: [%g, 0, 0]}\n",
                       precision, gas, R, OMEGA, inlet, P, T1, U, P, T1, U);
}

static void check(const char *mesh, const char *precision, double most)
{
    static const enum an_output checked[] = {AN_OUT_VorticityX,
                                             AN_OUT_VorticityY,
                                             AN_OUT_VorticityZ,
                                             AN_OUT_VorticityMagnitude,
                                             AN_OUT_RotatingTemperatureStagnation,
                                             AN_OUT_RotatingPressureStagnation,
                                             AN_OUT_Rothalpy,
                                             AN_OUT_Helicity,
                                             AN_OUT_QCriterion,
                                             AN_OUT_Entropy};
    static const enum an_output of_gas[] = {AN_OUT_Entropy};
    const char *text = case_of(precision, verify_text("gamma: %g", GAMMA),
                               verify_text("  near: {type: farfield, p: %g, T: %g, "
                                           "velocity: [%g, 0, 0]}\n",
                                           P, T1, U));
    check_fields(mesh, precision, text, &perfect, sizeof checked / sizeof *checked, checked, most);
    text = case_of(precision,
                   verify_text("cp: [%g, %g], T_range: [250, 500]", warming.c[0], warming.c[1]),
                   verify_text("  near: {type: inlet_total, p0: %g, T0: %g, "
                               "direction: [1, 0, 0]}\n",
                               warming.p_ref, warming.T_ref));
    check_fields(mesh, verify_text("%s, cp(T)", precision), text, &warming, 1, of_gas, most);
}

int main(int argc, char **argv)
{
    static const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .type = AN_BC_FARFIELD, .name = "near"},
        {.dir = 0, .side = 1, .type = AN_BC_FARFIELD, .name = "far"},
        {.dir = 1, .side = 0, .type = AN_BC_FARFIELD, .name = "far"},
        {.dir = 1, .side = 1, .type = AN_BC_FARFIELD, .name = "far"},
        {.dir = 2, .side = 0, .type = AN_BC_FARFIELD, .name = "far"},
        {.dir = 2, .side = 1, .type = AN_BC_FARFIELD, .name = "far"}};
    const struct vm_box box = {
        .n = {9, 8, 10}, .parts = {3, 2, 4}, .map = box_map, .nsegment = 6, .segment = ends};
    verify_start(&argc, &argv);
    const char *mesh = fixture_path("output.cgns");
    vm_write(mesh, &box);
    check(mesh, "double", 1e-12);
    check(mesh, "single", 1e-4);
    return verify_end();
}

/* Dual time: order in time, with space fixed, on waves in a box closed by translation in x.
 *
 *   A sound wave in a mean flow, inviscid; a shear wave that the flow carries along and viscosity
 *   damps, laminar; the same with SA and with SST, whose variables vary in x, too. A fine run keeps
 *   its states; runs of 8 and 4 of its steps begin from three of them, so that
 *   no first step of lower order enters, and are compared with its state after a period.
 *
 *     order from 20 to 40 steps a period                        1.85 to 2.3 (waves), 1.9 for the blend
 *     error of the blend over that of BDF2, 40 steps a period   at most 0.6
 *     damped shear wave against its exact solution, amplitude   1 % (space: 32 cells a wave length)
 *     first steps from a state alone                            order 1.9
 *     last step before end_time of another length               ends at end_time, phase as with even
 *                                                               steps to 2e-3 rad
 */
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include "kernels/engine/field.h"
#include "mpi/reduce.h"
#include "solver/level/level.h"
#include "solver/march/dual.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { CELLS = 16, FIRST = 16, MOST = FIRST + 320 };

static const double g = 1.4, gas = 287.05, p0 = 1e5, T0 = 300;

static void map(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = s[0];
    x[1] = 0.1 * s[1];
    x[2] = 0.1 * s[2];
}

/* What is marched: the wave, the keys of the case, the time of a period. */
struct flow {
    const char *name, *keys;
    int sound;
    int steps; /* fine ones in a period */
    double period;
};

static void wave(void *context, const double x[3], double q[5])
{
    const struct flow *f = context;
    const double rho = p0 / (gas * T0), c = sqrt(g * gas * T0), u = 0.3 * c;
    const double s = sin(2 * PI * x[0]);
    const double a = f->sound ? 1e-3 * p0 * s : 0;
    q[0] = rho + a / (c * c);
    q[1] = u + a / (rho * c);
    q[2] = f->sound ? 0 : 0.01 * c * s;
    q[3] = f->sound ? 0 : 0.005 * c * cos(2 * PI * x[0]);
    q[4] = p0 + a;
}

static const char *write_mesh(void)
{
    static const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .kind = VM_TRANSLATE}, {.dir = 0, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 1, .side = 0, .kind = VM_TRANSLATE}, {.dir = 1, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 2, .side = 0, .kind = VM_TRANSLATE}, {.dir = 2, .side = 1, .kind = VM_TRANSLATE}};
    const struct vm_box box = {.n = {CELLS, 1, 1},
                               .parts = {1, 1, 1},
                               .turn = -1,
                               .map = map,
                               .translation = {{1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}},
                               .nsegment = 6,
                               .segment = ends};
    const char *path = fixture_path("wave.cgns");
    vm_write(path, &box);
    return path;
}

static void open_case(struct fixture *f, struct flow *flow, const char *mesh, const char *scheme,
                      double dt, double end)
{
    fixture_open(f, "dual",
                 verify_text("case: waves\n%s"
                             "scheme: {flux: roe, limiter: none}\n"
                             "march: {mode: unsteady, method: dual, time_scheme: %s, "
                             "time_step: %.17g, end_time: %.17g, inner_tolerance: 1e-3, "
                             "inner_limit: 200}\nmultigrid: {levels: 1}\n"
                             "initial: {p: 1e5, T: 300, velocity: [104.16, 0, 0]}\n",
                             flow->keys, scheme, dt, end),
                 mesh);
    fixture_must(an_solver_fill(f->solver, wave, flow), "fill");
}

/* ---- states ---- */

struct image {
    void *flow, *turbulence;
};

static size_t bytes_of(const struct an_solver *s, int components)
{
    return (size_t)components * (size_t)s->level->layout.ncell * (size_t)s->level->layout.precision;
}

static int variables(const struct an_solver *s)
{
    return an_model_variables((int)s->c->turbulence.model);
}

static struct image take(struct an_solver *s)
{
    struct image m = {malloc(bytes_of(s, 5)), malloc(bytes_of(s, 2))};
    if (!m.flow || !m.turbulence)
        fixture_must(AN_FAIL, "memory");
    const struct an_engine_ops *op = s->engine->op;
    fixture_must(op->download(s->engine, m.flow, s->level->fields.at[AN_F_W], bytes_of(s, 5), 0),
                 "download");
    if (variables(s))
        fixture_must(op->download(s->engine, m.turbulence, s->level->fields.at[AN_F_TURB],
                                  bytes_of(s, 2), 0),
                     "download");
    fixture_must(op->sync(s->engine, 0), "sync");
    return m;
}

static void put(struct an_solver *s, enum an_field flow, enum an_field turbulence,
                const struct image *m)
{
    const struct an_engine_ops *op = s->engine->op;
    fixture_must(op->upload(s->engine, s->level->fields.at[flow], m->flow, bytes_of(s, 5), 0),
                 "upload");
    if (variables(s))
        fixture_must(op->upload(s->engine, s->level->fields.at[turbulence], m->turbulence,
                                bytes_of(s, 2), 0),
                     "upload");
    fixture_must(op->sync(s->engine, 0), "sync");
}

/* Root of the sum of squares of the differences of a component, ghosts included, over its largest
 * magnitude. */
static double distance(const struct an_solver *s, const double *a, const double *b, int component)
{
    const int64_t n = s->level->layout.ncell;
    double sum = 0, most = 0;
    const int *cells = s->level->layout.block[0].n;
    for (int i = 0; i < cells[0]; i++) {
        const int64_t at = component * n + an_element(&s->level->layout.block[0], i, 0, 0);
        sum += (a[at] - b[at]) * (a[at] - b[at]);
        most = fmax(most, fabs(b[at]));
    }
    return sqrt(sum / cells[0]) / most;
}

/* ---- runs ---- */

/* The states of a fine run. */
static void fine_run(struct flow *flow, const char *mesh, struct image state[MOST + 1])
{
    struct fixture f;
    open_case(&f, flow, mesh, "blend", flow->period / flow->steps, 1e9);
    for (int n = 0; n <= FIRST + flow->steps; n++) {
        if (n)
            fixture_steps(&f, 1);
        state[n] = take(f.solver);
    }
    fixture_close(&f);
}

/* Error after a period of `ratio` fine steps each: of component c, the turbulence behind 5. */
static void coarse_run(struct flow *flow, const char *mesh, const char *scheme, int ratio, int warm,
                       const struct image state[MOST + 1], double error[7])
{
    struct fixture f;
    const double dt = ratio * flow->period / flow->steps;
    open_case(&f, flow, mesh, scheme, dt, 1e9);
    struct an_solver *s = f.solver;
    put(s, AN_F_W, AN_F_TURB, &state[FIRST]);
    if (warm) {
        put(s, AN_F_OLD, AN_F_TOLD, &state[FIRST - ratio]);
        put(s, AN_F_OLDER, AN_F_TOLDER, &state[FIRST - 2 * ratio]);
        an_dual_knows(s, dt);
    }
    fixture_steps(&f, flow->steps / ratio);
    struct an_dual_report r;
    an_dual_report_of(s, &r);
    const struct image end = take(s), *exact = &state[FIRST + flow->steps];
    for (int c = 0; c < 5; c++)
        error[c] = distance(s, end.flow, exact->flow, c);
    for (int c = 0; c < variables(s); c++)
        error[5 + c] = distance(s, end.turbulence, exact->turbulence, c);
    verify_note("%-8s %-5s %2d steps a period: flow %.2e, turbulence %.2e %.2e; %.1f iterations",
                flow->name, scheme, flow->steps / ratio, error[flow->sound ? 0 : 2], error[5],
                error[6], (double)r.sum / (double)r.steps);
    free(end.flow);
    free(end.turbulence);
    fixture_close(&f);
}

static void orders(struct flow *flow, const char *mesh)
{
    static struct image state[MOST + 1];
    static const char *const scheme[2] = {"bdf2", "blend"};
    double e[2][2][7] = {{{0}}}, cold[2][7] = {{0}};
    const int c = flow->sound ? 0 : 2;
    fine_run(flow, mesh, state);
    for (int t = 0; t < 2; t++)
        for (int m = 0; m < 2; m++)
            coarse_run(flow, mesh, scheme[t], 8 >> m, 1, state, e[t][m]);
    for (int m = 0; m < 2; m++)
        coarse_run(flow, mesh, "blend", 8 >> m, 0, state, cold[m]);
    for (int n = 0; n <= FIRST + flow->steps; n++) {
        free(state[n].flow);
        free(state[n].turbulence);
    }
    for (int n = c; n < 7; n += n == c ? 5 - c : 1) {
        if (!(e[0][0][n] > 0))
            continue;
        const char *what = n == c ? "flow" : n == 5 ? "first variable" : "second variable";
        verify_check(verify_text("%s, %s: order of BDF2", flow->name, what),
                     verify_order(e[0][0][n], e[0][1][n], 2), 1.8, 2.4);
        verify_check(verify_text("%s, %s: order of the blend", flow->name, what),
                     verify_order(e[1][0][n], e[1][1][n], 2), 1.9, 2.5);
        verify_check(verify_text("%s, %s: error of the blend over BDF2's", flow->name, what),
                     e[1][1][n] / e[0][1][n], 0.3, 0.6);
        verify_check(verify_text("%s, %s: order from a state alone", flow->name, what),
                     verify_order(cold[0][n], cold[1][n], 2), 1.8, 2.5);
    }
}

/* ---- an exact solution ---- */

struct sums {
    double sine, cosine;
};

static void add(void *context, int zone, const int cell[3], const double x[3], const double q[5],
                double volume)
{
    (void)zone, (void)cell, (void)volume;
    struct sums *s = context;
    s->sine += q[2] * sin(2 * PI * x[0]) * 2 / CELLS;
    s->cosine += q[2] * cos(2 * PI * x[0]) * 2 / CELLS;
}

/* v = v0 exp(-nu k^2 t) sin(k (x - u t)). The last of the uneven steps is 0.7 of the others; the even
 * ones have nearly their length, and end at the same time. */
static void decay(struct flow *flow, const char *mesh)
{
    struct fixture f;
    const double rho = p0 / (gas * T0), nu = 2.0 / rho, k = 2 * PI, end = 0.777 * flow->period;
    const double c = sqrt(g * gas * T0), exact = 0.01 * c * exp(-nu * k * k * end);
    const double turn = k * 0.3 * c * end;
    double phase[2];
    for (int even = 0; even < 2; even++) {
        struct sums sum = {0, 0};
        open_case(&f, flow, mesh, "blend", even ? end / 78 : flow->period / 100, end);
        fixture_until(&f, end);
        fixture_cells(&f, add, &sum);
        phase[even] = remainder(atan2(-sum.cosine, sum.sine) - turn, 2 * PI);
        verify_check("damped wave: time at the end over end_time", an_solver_time(f.solver) / end,
                     1, 1);
        verify_check("damped wave: amplitude over the exact one",
                     hypot(sum.sine, sum.cosine) / exact, 0.97, 1.03);
        verify_check("damped wave: phase, rad", phase[even], -0.1, 0.1);
        fixture_close(&f);
    }
    verify_check("damped wave: phase of uneven steps less that of even ones", phase[0] - phase[1],
                 -2e-3, 2e-3);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    const double c = sqrt(g * gas * T0);
    const double passing = 1 / (0.3 * c);
    struct flow flow[] = {
        {"sound", "", 1, 160, 1 / (1.3 * c)},
        {"laminar", "gas: {viscosity: constant, mu: 2}\n", 0, 160, passing},
        {"sa", "gas: {viscosity: constant, mu: 0.02}\nturbulence: {model: sa, order: 2}\n", 0, 320,
         passing},
        {"sst", "gas: {viscosity: constant, mu: 0.02}\nturbulence: {model: sst, order: 2}\n", 0,
         320, passing}};
    static char mesh[512]; /* fixture_path gives its texts again */
    snprintf(mesh, sizeof mesh, "%s", write_mesh());
    for (size_t n = 0; n < sizeof flow / sizeof *flow; n++)
        orders(&flow[n], mesh);
    decay(&flow[1], mesh);
    return verify_end();
}

/* Multigrid and the marches that settle an inviscid flow: each key does what it says, and all
 * marches find the same flow.
 *
 *   Channel 3 m x 1 m with a bump of 10 %, inlet at total conditions, outlet at 0.8 of the total
 *   pressure: subsonic. 24 x 8 cells in two zones; Roe, limited where differences are large.
 *
 *                                                       required   is
 *   cycles to 1e-6, implicit with multigrid             120        80
 *   the same with JST; with matrix dissipation          600        100; 380
 *   the same with multigrid.across: Roe                 60         40
 *   largest difference of the pressure from the implicit march's, over p0, at 1e-6 and below:
 *     Runge-Kutta, the same with residual smoothing     1e-5
 *     scree, the same with residual smoothing           1e-5
 *   cycles that a wave across a span of 12 cells takes to fall to 1e-4, in W cycles of three levels with one step and
 *     with two on the coarsest:                         200        120; 120
 *   iterations with residual smoothing / without        0.7
 *   state after two cycles with multigrid.cycle, pre, post, coarse, levels, full, across changed:
 *     another one
 *   one sweep more, another smoothing_coefficient, another limiter_floor: another state
 *   more levels than the mesh allows: refused, with zone and direction
 *   a march whose state is spoilt goes back to an older one, bit for bit, with half the CFL number,
 *   four times and no more; one that leaves a flow it had nearly settled, too; one whose residual stalls tries a sixteenth of the CFL number, down to
 *   march.cfl_min, and takes it back where it does not help; with march.damping it ends in the same flow:  1e-7 of the density    1e-10
 */
#include "solver/flow/fields.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/level/transfer.h"
#include "solver/march/cfl.h"
#include "solver/march/recovery.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { NI = 24, NJ = 8 };

static void map(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = 3 * s[0] - 1;
    const double bump = x[0] > 0 && x[0] < 1 ? 0.1 * pow(sin(PI * x[0]), 2) : 0;
    x[1] = bump + (1 - bump) * s[1];
    x[2] = 0.1 * s[2];
}

static const struct vm_segment ends[] = {
    {.dir = 0, .side = 0, .type = AN_BC_INLET_TOTAL, .name = "inlet"},
    {.dir = 0, .side = 1, .type = AN_BC_OUTLET_STATIC, .name = "outlet"},
    {.dir = 1, .side = 0, .type = AN_BC_WALL_SLIP, .name = "floor"},
    {.dir = 1, .side = 1, .type = AN_BC_WALL_SLIP, .name = "roof"},
    {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "front"},
    {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "back"}};

/* A case: `march` and `rest` are what stands beneath march and after it. */
static const char *text(const char *march, const char *rest)
{
    return verify_text("case: channel\n"
                       "march: {iterations: 100000, %s}\n%s"
                       "initial: {p: 0.8e5, T: 300, mach: 0.3}\n"
                       "boundaries:\n"
                       "  inlet: {type: inlet_total, p0: 1e5, T0: 300, direction: [1, 0, 0]}\n"
                       "  outlet: {type: outlet_static, p: 0.8e5}\n",
                       march, rest);
}

static char mesh[512];
static const char *const roe = "scheme: {flux: roe, limiter_floor: 0.01}\n";

/* The state after two steps. */
static uint64_t two_steps(const char *march, const char *rest)
{
    struct fixture f;
    fixture_open(&f, "two", text(march, rest), mesh);
    fixture_must(an_solver_fill_initial(f.solver), "fill");
    fixture_steps(&f, 2);
    const uint64_t hash = fixture_hash(&f);
    fixture_close(&f);
    return hash;
}

/* Is the state after two steps another one with another value of a key? */
static void matters(const char *key, const char *march, const char *rest, const char *other_march,
                    const char *other_rest)
{
    const uint64_t one = two_steps(march, rest), again = two_steps(march, rest);
    verify_check(verify_text("%s: a run repeats itself", key), one == again, 1, 1);
    verify_check(verify_text("%s: another value, another state", key),
                 two_steps(other_march, other_rest) != one, 1, 1);
}

static void keys(void)
{
    static const char *const implicit = "method: implicit, cfl: 100";
    static const char *const multigrid[] = {"cycle: v",  "pre: 2",     "post: 0",     "coarse: 1",
                                            "levels: 2", "full: true", "across: true"};
    const char *base = "multigrid: {levels: 3, cycle: w, pre: 1, post: 1, coarse: 2, full: false, "
                       "across: false}\n";
    for (size_t n = 0; n < sizeof multigrid / sizeof *multigrid; n++) {
        char changed[200], key[20];
        snprintf(key, sizeof key, "%.*s", (int)strcspn(multigrid[n], ":"), multigrid[n]);
        /* the value in `base` is replaced */
        const char *at = strstr(base, key), *end = at + strcspn(at, ",}");
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - base), base, multigrid[n], end);
        matters(verify_text("multigrid.%s", multigrid[n]), implicit, base, implicit, changed);
    }
    matters("scheme.limiter_floor", "cfl: 1", roe, "cfl: 1",
            "scheme: {flux: roe, limiter_floor: 1e-7}\n");
    static const char *const smoothed = "residual_smoothing: jacobi, smoothing_sweeps: 2";
    matters("march.residual_smoothing", "cfl: 2", "",
            "cfl: 2, residual_smoothing: jacobi, "
            "smoothing_coefficient: 0.5",
            "");
    matters("march.smoothing_sweeps", smoothed, "",
            "residual_smoothing: jacobi, smoothing_sweeps: 3", "");
    matters("march.smoothing_coefficient", smoothed, "",
            "residual_smoothing: jacobi, smoothing_coefficient: 0.3", "");
    matters("march.method: scree", "method: scree, cfl: 0.4", "",
            "method: runge_kutta, stages: 1, cfl: 0.4", "");
}

/* Pressures of the mesh: [NJ][NI], and the steps taken to them. */
struct flow {
    double p[NJ][NI];
    int steps;
};

static void keep(void *context, int zone, const int cell[3], const double x[3], const double q[5],
                 double volume)
{
    (void)zone, (void)cell, (void)volume;
    struct flow *f = context;
    const int i = (int)((x[0] + 1) / 3 * NI);
    const double bump = x[0] > 0 && x[0] < 1 ? 0.1 * pow(sin(PI * x[0]), 2) : 0;
    f->p[(int)((x[1] - bump) / (1 - bump) * NJ)][i] = q[4];
}

static struct flow converged(const char *march, const char *rest, int most)
{
    static struct flow flow;
    struct fixture f;
    memset(&flow, 0, sizeof flow);
    fixture_open(&f, "converged", text(march, rest), mesh);
    fixture_must(an_solver_fill_initial(f.solver), "fill");
    verify_check(verify_text("%s: the residual falls", march), fixture_converge(&f, 1e-6, most), 0,
                 1e-6);
    flow.steps = (int)an_solver_iteration(f.solver);
    fixture_cells(&f, keep, &flow);
    fixture_close(&f);
    verify_note("%s: %d steps", march, flow.steps);
    return flow;
}

static double difference(const struct flow *a, const struct flow *b)
{
    double worst = 0;
    for (int j = 0; j < NJ; j++)
        for (int i = 0; i < NI; i++)
            worst = verify_worst(worst, fabs(a->p[j][i] - b->p[j][i]) / 1e5);
    return worst;
}

static void marches(void)
{
    static const char *const explicit_march[] = {
        "method: runge_kutta, cfl: 2", "method: runge_kutta, residual_smoothing: jacobi, cfl: 4",
        "method: scree", "method: scree, residual_smoothing: jacobi"};
    const struct flow implicit = converged("method: implicit", roe, 400);
    verify_check("implicit: cycles to 1e-6", implicit.steps, 1, 120);
    const struct flow across =
        converged("method: implicit", verify_text("%smultigrid: {across: true}\n", roe), 400);
    verify_check("across: cycles to 1e-6", across.steps, 1, 60);
    verify_check("across: difference", difference(&across, &implicit), 0, 1e-5);
    verify_check("implicit: a flow", implicit.p[0][NI / 2], 0.5e5, 0.78e5);
    static const char *const central[] = {"jst", "matrix"};
    for (int n = 0; n < 2; n++)
        (void)converged("method: implicit, cfl: 300, stages: 2",
                        verify_text("scheme: {flux: %s}\n", central[n]), 600);
    int steps[4];
    for (int n = 0; n < 4; n++) {
        const struct flow flow = converged(explicit_march[n], roe, 20000);
        steps[n] = flow.steps;
        verify_check(verify_text("%s: difference", explicit_march[n]), difference(&flow, &implicit),
                     0, 1e-5);
    }
    verify_check("residual smoothing: steps / those without", (double)steps[1] / steps[0], 0, 0.7);
}

/* A march that this mesh does not allow is refused as bad input, in the error's text. */
static void refused(const char *what, int levels, int across)
{
    struct fixture f;
    fixture_open(&f, "levels", text("method: implicit", ""), mesh);
    struct an_case c = f.c;
    struct an_solver *s;
    c.multigrid.levels = levels;
    c.multigrid.across = across;
    const int status = an_solver_new(f.comm, &c, &f.mesh, &f.engine, &s);
    verify_note("%s", an_error_text());
    verify_check(verify_text("%s: refused as bad input", what), status, AN_INPUT, AN_INPUT);
    an_solver_destroy(s);
    fixture_close(&f);
}

/* Levels that the mesh does not have; lines across where there are too few. */
static void too_many(void)
{
    refused("6 levels", 6, 0);
    verify_check("with their number",
                 strstr(an_error_text(), "multigrid.levels is 6, but the mesh "
                                         "allows 3") != NULL,
                 1, 1);
    verify_check("with zone and direction",
                 strstr(an_error_text(), "zone") && strstr(an_error_text(), "direction"), 1, 1);
    refused("across on 2 levels", 2, 1);
    verify_check("with the key", strstr(an_error_text(), "multigrid.across needs") != NULL, 1, 1);
}

/* A state that is no gas any more, as a divergence leaves it: is it seen? */
static int spoil(struct fixture *f)
{
    const struct an_level *l = f->solver->level;
    const size_t bytes = (size_t)l->layout.ncell * (size_t)l->layout.precision;
    void *all = malloc(bytes);
    fixture_must(all ? AN_OK : AN_FAIL, "memory");
    memset(all, 0xff, bytes); /* NaN in either precision */
    fixture_must(f->engine.op->upload(&f->engine, l->fields.at[AN_F_W], all, bytes, 0), "upload");
    fixture_must(f->engine.op->sync(&f->engine, 0), "upload");
    free(all);
    struct an_measure m = {.integral = NULL};
    return an_solver_measure(f->solver, &m);
}

/* Finite states whose residual is not: the place is named all the same. */
static void names_the_place(void)
{
    static const double huge[5] = {1e300, 0, 0, 0, 1e300};
    struct fixture f;
    fixture_open(&f, "place", text("method: implicit, cfl: 100", roe), mesh);
    fixture_must(an_solver_fill_initial(f.solver), "fill");
    const struct an_level *l = f.solver->level;
    const size_t cells = (size_t)l->layout.ncell;
    double *w = malloc(5 * cells * sizeof *w);
    fixture_must(w ? AN_OK : AN_FAIL, "memory");
    for (size_t n = 0; n < 5 * cells; n++)
        w[n] = huge[n / cells] * (1 + 0.1 * (double)(n % 7));
    fixture_must(f.engine.op->upload(&f.engine, l->fields.at[AN_F_W], w, 5 * cells * sizeof *w, 0),
                 "upload");
    fixture_must(f.engine.op->sync(&f.engine, 0), "upload");
    free(w);
    struct an_measure m = {.integral = NULL};
    verify_check("place: a residual that is not finite", an_solver_measure(f.solver, &m),
                 AN_DIVERGED, AN_DIVERGED);
    verify_check("place: zone, cell and coordinates",
                 strstr(an_error_text(), "zone '") && strstr(an_error_text(), "cell (") &&
                     strstr(an_error_text(), "at x = "),
                 1, 1);
    fixture_close(&f);
}

/* Where full multigrid diverges, here because a parameter of the coarse levels is spoilt, the march
 * starts from the initial state itself. */
static void starts_without(void)
{
    static const char *const march = "method: implicit, cfl: 1000";
    struct fixture f, plain;
    struct an_solver_info info;
    fixture_open(&f, "start", text(march, roe), mesh);
    f.solver->params_coarse.flux.floor_acoustic = f.solver->params_coarse.flux.floor_shear = NAN;
    fixture_must(an_solver_fill_initial(f.solver), "fill");
    an_solver_info(f.solver, &info);
    verify_check("start: full multigrid diverges", info.start_diverged, 1, 1);
    fixture_open(&plain, "start_plain", text(march, "multigrid: {full: false}\n"), mesh);
    fixture_must(an_solver_fill_initial(plain.solver), "fill");
    verify_check("start: the initial state stays", fixture_hash(&f) == fixture_hash(&plain), 1, 1);
    fixture_close(&plain);
    fixture_close(&f);
}

/* A march that diverges goes back to the older of two states, with half the CFL number. */
static void recovers(void)
{
    static struct an_snapshot_meta meta;
    struct fixture f;
    int back = 0;
    fixture_open(&f, "recovers",
                 text("method: implicit, cfl: 100, cfl_start: 20, cfl_ramp: 10", roe), mesh);
    struct an_solver *s = f.solver;
    fixture_must(an_solver_fill_initial(s), "fill");
    fixture_must(an_recovery_keep(s), "keep");
    fixture_steps(&f, 30);
    fixture_must(an_recovery_keep(s), "keep: not due");
    fixture_steps(&f, 20);
    fixture_must(an_recovery_keep(s), "keep");
    const uint64_t older = fixture_hash(&f);
    fixture_steps(&f, 50);
    fixture_must(an_recovery_keep(s), "keep");
    fixture_steps(&f, 5);
    verify_check("recovery: a spoilt state is seen", spoil(&f), AN_DIVERGED, AN_DIVERGED);
    fixture_must(an_recovery_back(s, 0, &back), "back");
    verify_check("recovery: back", back, 1, 1);
    verify_check("recovery: to the older state, bit for bit", fixture_hash(&f) == older, 1, 1);
    verify_check("recovery: iterations go on", (double)s->iteration, 105, 105);
    verify_check("recovery: the ramp begins again", an_solver_cfl(s), 20 - 1e-9, 20 + 1e-9);
    fixture_must(an_components_keep(s, &meta), "record");
    an_march_forget(an_marching_of(s), 1);
    an_marching_of(s)->ramp_from = 0;
    fixture_must(an_components_take(s, &meta), "record");
    an_snapshot_controls_free(&meta);
    fixture_steps(&f, 10);
    verify_check("recovery: to half the CFL number", an_solver_cfl(s), 50, 50);
    verify_check("recovery: the residual falls", fixture_converge(&f, 1e-6, 400), 0, 1e-6);
    for (int n = 1; n < AN_RECOVERIES; n++) {
        spoil(&f);
        fixture_must(an_recovery_back(s, 0, &back), "back");
    }
    verify_check("recovery: back four times", back, 1, 1);
    verify_check("recovery: not below the first CFL number", an_marching_of(s)->control.caution,
                 0.2, 0.2);
    spoil(&f);
    fixture_must(an_recovery_back(s, 0, &back), "back");
    verify_check("recovery: then no more", back, 0, 0);
    an_recovery_begin(s, 1);
    verify_check("recovery: a new flow gives up half of the caution",
                 an_marching_of(s)->control.caution, 0.4, 0.4);
    fixture_close(&f);
}

/* Finite states far from the flow, in a few cells. */
static void disturb(struct fixture *f)
{
    const struct an_level *l = f->solver->level;
    const size_t bytes = (size_t)l->layout.ncell * sizeof(double);
    double *rho = malloc(bytes);
    fixture_must(rho ? AN_OK : AN_FAIL, "memory");
    fixture_must(f->engine.op->download(&f->engine, rho, l->fields.at[AN_F_W], bytes, 0),
                 "download");
    fixture_must(f->engine.op->sync(&f->engine, 0), "download");
    for (size_t n = 0; n < bytes / sizeof *rho; n += 7)
        rho[n] *= 1.3;
    fixture_must(f->engine.op->upload(&f->engine, l->fields.at[AN_F_W], rho, bytes, 0), "upload");
    fixture_must(f->engine.op->sync(&f->engine, 0), "upload");
    free(rho);
    f->solver->residual_is_current = 0;
    fixture_must(an_solver_refresh(f->solver), "refresh");
}

/* Does the march leave the flow at this iteration? */
static int leaves_at(struct fixture *f, int iteration, struct an_leaving *l)
{
    struct an_measure m = {.integral = NULL};
    fixture_must(an_solver_measure(f->solver, &m), "measure");
    return an_recovery_leaves(f->solver, iteration, m.residual[0], m.drop, l);
}

/* Residuals r * factor^n at every tenth iteration from `first` to `last`: how often does the march leave? */
static int leaves(struct an_solver *s, int first, int last, double r, double factor,
                  struct an_leaving *l)
{
    int count = 0;
    for (int n = first; n <= last; n += 10, r *= factor)
        count += an_recovery_leaves(s, n, 3 * r, r, l); /* the largest: 3 */
    return count;
}

/* A march that leaves a flow it had nearly settled goes back to that flow. */
static void holds(void)
{
    static struct an_snapshot_meta meta;
    struct an_leaving l = {.times = 0};
    struct fixture f;
    int back = 0;
    fixture_open(&f, "holds",
                 text("method: implicit, cfl: 100, cfl_finest: 60, acceleration: none", roe), mesh);
    struct an_solver *s = f.solver;
    verify_check("leaves: not one that converges", leaves(s, 20, 400, 1, 0.5, &l), 0, 0);
    an_recovery_begin(s, 0);
    verify_check("leaves: not before it has nearly settled", leaves(s, 20, 70, 2e-3, 5, &l), 0, 0);
    an_recovery_begin(s, 0);
    verify_check("leaves: not slowly", leaves(s, 20, 400, 1e-7, 3.9, &l), 0, 0);
    an_recovery_begin(s, 0);
    verify_check("leaves: not at the start", leaves(s, 0, 19, 1e-7, 1e6, &l), 0, 0);
    an_recovery_begin(s, 0);
    verify_check("leaves: not within rounding", leaves(s, 20, 70, 1e-15, 15, &l), 0, 0);
    an_recovery_begin(s, 0);
    verify_check("leaves: fast", leaves(s, 20, 60, 1e-7, 6, &l), 1, 1);
    verify_check("leaves: told", fabs(l.times - 1296) < 1e-6 && l.passed == 40, 1, 1);
    an_recovery_begin(s, 1);
    fixture_must(an_solver_fill_initial(s), "fill");
    verify_check("leaves: the flow settles", fixture_converge(&f, 1e-5, 400), 0, 1e-5);
    s->iteration = 200;
    verify_check("leaves: not yet", leaves_at(&f, 200, &l), 0, 0);
    fixture_must(an_recovery_keep(s), "keep");
    const uint64_t kept = fixture_hash(&f);
    fixture_steps(&f, 10);
    disturb(&f);
    verify_check("leaves: a disturbed flow", leaves_at(&f, 210, &l), 1, 1);
    verify_check("leaves: the finest level is limited", an_march_limits_finest(s), 1, 1);
    fixture_must(an_recovery_back(s, 1, &back), "back");
    verify_check("leaves: back, bit for bit", back && fixture_hash(&f) == kept, 1, 1);
    an_solver_ramp(s);
    verify_check("leaves: without the limit", s->params.march.cfl, 100, 100);
    fixture_must(an_components_keep(s, &meta), "record");
    an_marching_of(s)->finest_free = 0;
    fixture_must(an_components_take(s, &meta), "record");
    an_snapshot_controls_free(&meta);
    verify_check("leaves: a record knows it", an_march_limits_finest(s), 0, 0);
    fixture_must(an_recovery_keep(s), "keep");
    disturb(&f);
    fixture_must(an_recovery_back(s, 1, &back), "back");
    an_solver_ramp(s);
    verify_check("leaves: again, so half the CFL number", back ? s->params.march.cfl : 0, 50, 50);
    verify_check("leaves: and it settles", fixture_converge(&f, 1e-8, 400), 0, 1e-8);
    fixture_close(&f);
}

/* What the controller did at the lines from `first` to `last` of a residual r * factor^n. */
static int moves(struct an_solver *s, int first, int last, double *r, double factor, double drop,
                 int64_t *at)
{
    int count = 0;
    for (int n = first; n < last; n += 10, *r *= factor) {
        const double residual[5] = {*r, *r, *r, *r, *r};
        if (an_recovery_note(s, n, residual, NAN, drop > 0 ? drop : *r) != AN_CONTROL_STAYS) {
            *at = n;
            count++;
        }
    }
    return count;
}

static int is_same(const struct an_control *a, const struct an_control *b)
{
    int same = a->caution == b->caution && a->most == b->most && a->raised == b->raised &&
               a->trial == b->trial && a->level == b->level && a->n == b->n;
    for (int n = 0; n < a->n && same; n++)
        same = a->sample[n] == b->sample[n];
    return same;
}

/* The controller in a march: a residual that stalls takes a sixteenth of the CFL number, but not below
 * the least. */
static void slows(void)
{
    struct fixture f;
    int64_t at = 0;
    double r = 1;
    fixture_open(&f, "slows",
                 text("method: implicit, cfl: 100, cfl_start: 20, cfl_ramp: 10, cfl_min: 10, "
                      "acceleration: none",
                      roe),
                 mesh);
    struct an_solver *s = f.solver;
    fixture_must(an_solver_fill_initial(s), "fill");
    verify_check("slow: not while the residual falls", moves(s, 0, 400, &r, 0.97, 0, &at), 0, 0);
    verify_check("slow: where it stalls", moves(s, 400, 600, &r, 1, 0, &at), 1, 1);
    verify_check("slow: after six windows", (double)at, 450, 570);
    s->iteration = at;
    verify_check("slow: the next step has the number before", an_solver_cfl(s), 100, 100);
    s->iteration++;
    verify_check("slow: the one after it the least", an_solver_cfl(s), 10 - 1e-9, 10 + 1e-9);
    static struct an_snapshot_meta meta;
    verify_check("slow: a trial is given time", moves(s, 600, 630, &r, 1.001, 0, &at), 0, 0);
    fixture_must(an_components_keep(s, &meta), "record");
    const struct an_control kept = an_marching_of(s)->control;
    an_march_forget(an_marching_of(s), 1);
    fixture_must(an_components_take(s, &meta), "record");
    verify_check("slow: a record holds all", is_same(&kept, &an_marching_of(s)->control), 1, 1);
    meta.case_hash = s->c->hash + 1;
    fixture_must(an_components_take(s, &meta), "record");
    verify_check("slow: that of another case is not taken", an_marching_of(s)->control.caution, 1,
                 1);
    meta.case_hash = 0;
    fixture_must(an_components_take(s, &meta), "record");
    an_snapshot_controls_free(&meta);
    verify_check("slow: the trial did not help", moves(s, 630, 830, &r, 1, 0, &at), 1, 1);
    s->iteration = 1000;
    verify_check("slow: and is undone", an_solver_cfl(s), 100, 100);
    an_marching_of(s)->control.caution = 0.1;
    an_recovery_begin(s, 0);
    verify_check("slow: a new flow gives up half of it", an_solver_cfl(s), 20 - 1e-9, 20 + 1e-9);
    an_march_forget(an_marching_of(s), 1);
    r = 1e-12;
    verify_check("slow: rounding is no reason", moves(s, 1000, 2000, &r, 1, 0, &at), 0, 0);
    fixture_close(&f);
    fixture_open(
        &f, "slows_single",
        text("method: implicit, cfl: 100, cfl_min: 10, acceleration: none", "precision: single\n"),
        mesh);
    for (int drop = 0; drop < 2; drop++) {
        r = 1;
        verify_check("slow: nor that of single precision",
                     moves(f.solver, 0, 300, &r, 1, drop ? 2e-4 : 4e-4, &at), drop ? 0 : 1,
                     drop ? 0 : 1);
        an_recovery_begin(f.solver, 1);
    }
    fixture_close(&f);
}

/* Damping: the same flow; a change comes off as the formula says. */
static void damps(void)
{
    static const char march[] = "method: implicit, cfl: 100";
    struct fixture f;
    double rho[2][NI * NJ], most = 0;
    uint64_t early[2], late[2];
    for (int n = 0; n < 2; n++) {
        char keys[200];
        snprintf(keys, sizeof keys, "%s%s", march,
                 n ? ", damping: 0.2, damping_window: 4, damping_start: 10" : "");
        fixture_open(&f, n ? "damped" : "undamped", text(keys, roe), mesh);
        fixture_must(an_solver_fill_initial(f.solver), "fill");
        fixture_steps(&f, 10);
        early[n] = fixture_hash(&f);
        fixture_steps(&f, 10);
        late[n] = fixture_hash(&f);
        verify_check(n ? "damping: the residual falls" : "no damping: the residual falls",
                     fixture_converge(&f, 1e-9, 600), 0, 1e-9);
        double w[5][NI * NJ];
        int at = 0;
        for (int b = 0; b < f.solver->nlocal; b++) {
            const int *size = f.solver->level->layout.block[b].n,
                      cells = size[0] * size[1] * size[2];
            fixture_must(an_solver_download(f.solver, AN_F_W, 1, b, w[0]), "download");
            memcpy(rho[n] + at, w[0], (size_t)cells * sizeof(double));
            at += cells;
        }
        fixture_close(&f);
    }
    for (int c = 0; c < NI * NJ; c++)
        most = verify_worst(most, fabs(rho[1][c] / rho[0][c] - 1));
    verify_check("damping: none before it starts", early[0] == early[1], 1, 1);
    verify_check("damping: then another state", late[0] != late[1], 1, 1);
    verify_check("damping: the same density in the end", most, 0, 1e-7);
}

static void wide_map(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = 1.25 * s[0];
    x[1] = 0.25 * expm1(5 * s[1]) / expm1(5);
    x[2] = 0.12 * s[2];
}

/* Uniform flow with a wave of the pressure across the span, half a length from side to side. */
static void wave(void *context, const double x[3], double q[5])
{
    (void)context;
    q[4] = 1e5 * (1 + 1e-3 * cos(PI * x[2] / 0.12));
    q[0] = q[4] / (287.05 * 300);
    q[1] = 0.2 * sqrt(1.4 * 287.05 * 300);
    q[2] = q[3] = 0;
}

/* W cycles of three levels damp a wave between two planes across the lines. */
static void spans(void)
{
    static const struct vm_box box = {
        .n = {24, 16, 12}, .turn = 3, .map = wide_map, .nsegment = 6, .segment = ends};
    const char *wide = fixture_path("wide.cgns");
    vm_write(wide, &box);
    for (int coarse = 1; coarse <= 2; coarse++) {
        const char *keys = verify_text(
            "case: wide channel\n"
            "march: {iterations: 1000, method: implicit, cfl: 1000, acceleration: none}\n"
            "multigrid: {levels: 3, full: false, coarse: %d}\n"
            "initial: {p: 1e5, T: 300, mach: 0.2}\n"
            "boundaries:\n"
            "  inlet: {type: inlet_total, p0: 1.0283e5, T0: 302.4, direction: [1, 0, 0]}\n"
            "  outlet: {type: outlet_static, p: 1e5}\n",
            coarse);
        struct fixture f;
        fixture_open(&f, "spans", keys, wide);
        fixture_must(an_solver_fill(f.solver, wave, NULL), "fill");
        const char *what = verify_text("a wave across the span, coarse: %d", coarse);
        verify_check(what, fixture_converge(&f, 1e-4, 200), 0, 1e-4);
        verify_note("%s: %d cycles", what, (int)an_solver_iteration(f.solver));
        fixture_close(&f);
    }
}

int main(int argc, char **argv)
{
    static const struct vm_box box = {.n = {NI, NJ, 1},
                                      .parts = {2, 1, 1},
                                      .turn = 3,
                                      .map = map,
                                      .nsegment = 6,
                                      .segment = ends};
    verify_start(&argc, &argv);
    snprintf(mesh, sizeof mesh, "%s", fixture_path("channel.cgns"));
    vm_write(mesh, &box);
    keys();
    too_many();
    names_the_place();
    starts_without();
    recovers();
    holds();
    slows();
    damps();
    spans();
    marches();
    return verify_end();
}

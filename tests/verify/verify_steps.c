/* Single operations of a march against their formulas.
 *
 *   transfer between multigrid levels, box of 8 x 8 x 8 cells, every component of the state another
 *   linear function:
 *     restricted state at coarse centres; prolonged change at fine centres   exact, 1e-13
 *     forcing: sum of eight fine residuals less the coarse one               1e-13
 *   viscous terms of u = a y (x + y) on both levels, in the middle of the box: the x component of R is
 *   -2 mu a V, the y component -mu a V / 3, but zero on the coarse level with multigrid.thin_layer,
 *   1e-12
 *   damping: mean += (W - mean) / window, W -= damping (W - mean)            1e-13
 *   recovery: state and turbulence are those that were kept                 the same bits
 *   predictor: W1 + f (W1 - W2) of the two flows kept, f as the settings say, at most 1; a flow that would change by more
 *   than a fifth moves by a smaller part; nothing where the settings turn back        1e-13
 *   stations: a state that is linear in x, between the planes of centres    1e-12
 *   integrals over faces that turn: mass rho (v - v_face), energy
 *   rho h0 (v - v_face) + p v_face, of a uniform flow at another pressure than the reference one  1e-12
 *   contraction of a cycle over three levels, inviscid, mean of 20            0.7, measured: 0.64
 */
#include "solver/flow/flow.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/level/transfer.h"
#include "solver/march/cfl.h"
#include "solver/march/damping.h"
#include "solver/march/multigrid.h"
#include "solver/march/predictor.h"
#include "solver/march/recovery.h"
#include "solver/monitor/stations.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 8 };

static void box_map(void *context, const double s[3], double x[3])
{
    (void)context;
    for (int d = 0; d < 3; d++)
        x[d] = s[d];
}

static const struct vm_segment ends[] = {
    {.dir = 0, .side = 0, .type = AN_BC_INLET_TOTAL, .name = "inlet"},
    {.dir = 0, .side = 1, .type = AN_BC_OUTLET_STATIC, .name = "outlet"},
    {.dir = 1, .side = 0, .type = AN_BC_WALL_VISCOUS, .name = "floor"},
    {.dir = 1, .side = 1, .type = AN_BC_SYMMETRY, .name = "roof"},
    {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "front"},
    {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "back"}};

static char mesh[512];

static const char *coarse = ""; /* keys of the coarser level */

static const char *text(const char *march, const char *rest)
{
    return verify_text(
        "case: box\nprecision: double\ndevice: cpu\n"
        "gas: {viscosity: constant, mu: 1e-3}\nscheme: {flux: roe}\n"
        "march: {method: implicit, iterations: 1000, %s}\nmultigrid: {levels: 2%s}\n%s"
        "initial: {p: 0.9e5, T: 300, mach: 0.3}\n"
        "boundaries:\n"
        "  inlet: {type: inlet_total, p0: 1e5, T0: 300, direction: [1, 0, 0]}\n"
        "  outlet: {type: outlet_static, p: 0.9e5}\n"
        "  floor: {type: wall_viscous}\n",
        march, coarse, rest);
}

/* Component c of the linear state at x. */
static double linear(int c, const double x[3])
{
    static const double slope[5][4] = {{1.2, 0.03, -0.05, 0.02},
                                       {120, 4, 7, -3},
                                       {-20, 5, -2, 6},
                                       {30, -6, 3, 8},
                                       {2.6e5, 900, -700, 1300}};
    return slope[c][0] + slope[c][1] * x[0] + slope[c][2] * x[1] + slope[c][3] * x[2];
}

/* A field of a level of cells of size h to the engine; factor times the linear state, ghosts included. */
static void put(struct fixture *f, const struct an_level *l, void *field, double h, double factor)
{
    const struct an_block *b = l->layout.block;
    const int64_t cells = l->layout.ncell;
    double *w = calloc(5 * (size_t)cells, sizeof *w);
    fixture_must(w ? AN_OK : AN_FAIL, "memory");
    for (int c = 0; c < 5; c++)
        for (int k = -2; k < b->n[2] + 2; k++)
            for (int j = -2; j < b->n[1] + 2; j++)
                for (int i = -2; i < b->n[0] + 2; i++) {
                    const double x[3] = {(i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h};
                    w[c * cells + an_element(b, i, j, k)] = factor * linear(c, x);
                }
    fixture_must(f->engine.op->upload(&f->engine, field, w, 5 * (size_t)cells * sizeof *w, 0),
                 "upload");
    fixture_must(f->engine.op->sync(&f->engine, 0), "upload");
    free(w);
}

/* The largest difference of a component of a field from factor times the linear state in the cells, over
 * its size. */
static void check(struct fixture *f, const struct an_level *l, const void *field, double h,
                  double factor, const char *what)
{
    const struct an_block *b = l->layout.block;
    const int64_t cells = l->layout.ncell;
    double *w = calloc(5 * (size_t)cells, sizeof *w), x[3];
    fixture_must(w ? AN_OK : AN_FAIL, "memory");
    fixture_must(f->engine.op->download(&f->engine, w, field, 5 * (size_t)cells * sizeof *w, 0),
                 "download");
    fixture_must(f->engine.op->sync(&f->engine, 0), "download");
    for (int c = 0; c < 5; c++) {
        double most = 0;
        for (int k = 0; k < b->n[2]; k++)
            for (int j = 0; j < b->n[1]; j++)
                for (int i = 0; i < b->n[0]; i++) {
                    x[0] = (i + 0.5) * h, x[1] = (j + 0.5) * h, x[2] = (k + 0.5) * h;
                    const double is = w[c * cells + an_element(b, i, j, k)];
                    most = verify_worst(most, fabs(is / (factor * linear(c, x)) - 1));
                }
        verify_check(verify_text("%s, component %d", what, c), most, 0, 1e-13);
    }
    free(w);
}

static void transfers(void)
{
    struct fixture f;
    fixture_open(&f, "transfers", text("cfl: 10", ""), mesh);
    struct an_solver *s = f.solver;
    struct an_level *l = &s->level[0], *c = &s->level[1];
    const double h = 1.0 / N;
    verify_check("levels", s->nlevel, 2, 2);
    fixture_must(an_solver_fill_initial(s), "fill");
    put(&f, l, l->fields.at[AN_F_W], h, 1);
    fixture_must(an_multigrid_restrict_state(s, l, c), "restrict");
    check(&f, c, c->fields.at[AN_F_W], 2 * h, 1, "restricted state");
    check(&f, c, c->fields.at[AN_F_WR], 2 * h, 1, "its copy");
    struct an_fields g = l->fields;
    put(&f, c, c->fields.at[AN_F_DW], 2 * h, 0.01);
    g.at[AN_F_OW] = c->fields.at[AN_F_DW];
    fixture_must(f.engine.op->run_between(&f.engine, AN_S_prolong, l->interior, c->interior, &g,
                                          &s->params, 0),
                 "prolong");
    check(&f, l, l->fields.at[AN_F_DW], h, 0.01, "prolonged change");
    g = c->fields;
    put(&f, l, l->fields.at[AN_F_R], h, 1);
    put(&f, c, c->fields.at[AN_F_R], 2 * h, 3);
    g.at[AN_F_OW] = l->fields.at[AN_F_R];
    fixture_must(f.engine.op->run_between(&f.engine, AN_S_restrict_residual, c->interior,
                                          l->interior, &g, &s->params_coarse, 0),
                 "restrict");
    check(&f, c, c->fields.at[AN_F_FORCE], 2 * h, 8 - 3, "forcing");
    fixture_close(&f);
}

/* Momentum residual of the viscous terms of u = a y (x + y) in the middle cell of a level of cells of
 * size h, over mu a V. */
static void sheared(struct fixture *f, struct an_level *l, double h, double r[3])
{
    const double a = 100, rho = 1.2, p = 1e5, mu = 1e-3;
    const struct an_block *b = l->layout.block;
    const int64_t cells = l->layout.ncell;
    const size_t bytes = 5 * (size_t)cells * sizeof(double);
    double *w = calloc(1, bytes);
    fixture_must(w ? AN_OK : AN_FAIL, "memory");
    fixture_must(f->engine.op->upload(&f->engine, l->fields.at[AN_F_R], w, bytes, 0), "upload");
    fixture_must(f->engine.op->sync(&f->engine, 0), "upload");
    for (int k = -2; k < b->n[2] + 2; k++)
        for (int j = -2; j < b->n[1] + 2; j++)
            for (int i = -2; i < b->n[0] + 2; i++) {
                const double y = (j + 0.5) * h, u = a * y * ((i + 0.5) * h + y);
                double *to = w + an_element(b, i, j, k);
                to[0] = rho;
                to[cells] = rho * u;
                to[4 * cells] = p / 0.4 + 0.5 * rho * u * u;
            }
    fixture_must(f->engine.op->upload(&f->engine, l->fields.at[AN_F_W], w, bytes, 0), "upload");
    fixture_must(f->engine.op->sync(&f->engine, 0), "upload");
    fixture_must(an_level_viscous_start(f->solver, l, l->fields.at[AN_F_W]), "viscous terms");
    fixture_must(an_level_viscous_finish(f->solver, l, l->fields.at[AN_F_W], NULL),
                 "viscous terms");
    fixture_must(f->engine.op->download(&f->engine, w, l->fields.at[AN_F_R], bytes, 0), "download");
    fixture_must(f->engine.op->sync(&f->engine, 0), "download");
    for (int c = 0; c < 3; c++)
        r[c] = w[(c + 1) * cells + an_element(b, b->n[0] / 2, b->n[1] / 2, b->n[2] / 2)] /
               (mu * a * h * h * h);
    free(w);
}

static void viscous_levels(void)
{
    struct fixture f;
    double r[3];
    for (int thin = 0; thin < 2; thin++) {
        coarse = thin ? ", thin_layer: true, stages: 1" : "";
        fixture_open(&f, "viscous", text("cfl: 10", ""), mesh);
        coarse = "";
        struct an_solver *s = f.solver;
        verify_check("stages of the coarse level", an_marching_of(s)->nstage_coarse, thin ? 1 : 3,
                     thin ? 1 : 3);
        fixture_must(an_solver_fill_initial(s), "fill");
        fixture_steps(&f, 1);
        sheared(&f, &s->level[0], 1.0 / N, r);
        verify_check("viscous terms, finest level, x", fabs(r[0] + 2), 0, 1e-12);
        verify_check("viscous terms, finest level, y", fabs(r[1] + 1. / 3), 0, 1e-12);
        sheared(&f, &s->level[1], 2.0 / N, r);
        verify_check("viscous terms, coarse level, x", fabs(r[0] + 2), 0, 1e-12);
        verify_check("viscous terms, coarse level, y", fabs(r[1] + (thin ? 0 : 1. / 3)), 0, 1e-12);
        fixture_close(&f);
    }
}

static void damping(void)
{
    struct fixture f;
    fixture_open(&f, "damping",
                 text("cfl: 10, damping: 0.2, damping_window: 4, damping_start: 0", ""), mesh);
    struct an_solver *s = f.solver;
    struct an_level *l = s->level;
    void *part = an_component_of(s, &an_damping_component);
    fixture_must(an_solver_fill_initial(s), "fill");
    fixture_steps(&f, 1); /* the mean begins */
    put(&f, l, l->fields.at[AN_F_W], 1.0 / N, 1);
    put(&f, l, l->fields.at[AN_F_Y], 1.0 / N, 0.99);
    fixture_must(an_damping_component.before_step(s, part), "step");
    fixture_must(an_damping_component.step(s, part), "step");
    check(&f, l, l->fields.at[AN_F_Y], 1.0 / N, 0.99 + 0.01 / 4, "mean");
    check(&f, l, l->fields.at[AN_F_W], 1.0 / N, 1 - 0.2 * 0.01, "damped state");
    fixture_close(&f);
}

/* Interior of a field of the finest level. */
static double *interior(struct fixture *f, enum an_field field, int ncomp)
{
    double *v = malloc((size_t)ncomp * N * N * N * sizeof *v);
    fixture_must(v ? AN_OK : AN_FAIL, "memory");
    fixture_must(an_solver_download(f->solver, field, ncomp, 0, v), "download");
    return v;
}

static void recovery(const char *model, int nturb)
{
    struct fixture f;
    int back = 0;
    fixture_open(&f, "recovery", text("cfl: 10", verify_text("turbulence: {model: %s}\n", model)),
                 mesh);
    struct an_solver *s = f.solver;
    fixture_must(an_solver_fill_initial(s), "fill");
    fixture_steps(&f, 3);
    fixture_must(an_recovery_keep(s), "keep");
    double *w = interior(&f, AN_F_W, 5), *turb = interior(&f, AN_F_TURB, nturb);
    fixture_steps(&f, 3);
    double *later = interior(&f, AN_F_TURB, nturb);
    const size_t cells = (size_t)N * N * N * sizeof(double);
    for (int c = 0; c < nturb; c++)
        verify_check(verify_text("%s: variable %d has moved on", model, c),
                     memcmp(turb + c * N * N * N, later + c * N * N * N, cells) != 0, 1, 1);
    free(later);
    fixture_must(an_recovery_back(s, 0, &back), "back");
    verify_check("recovery: back", back, 1, 1);
    double *w1 = interior(&f, AN_F_W, 5), *turb1 = interior(&f, AN_F_TURB, nturb);
    verify_check("recovery: the state is that kept", memcmp(w, w1, 5 * cells) == 0, 1, 1);
    verify_check("recovery: the turbulence is that kept",
                 memcmp(turb, turb1, (size_t)nturb * cells) == 0, 1, 1);
    free(w), free(w1), free(turb), free(turb1);
    fixture_close(&f);
}

/* ---- predictor ---- */

/* Largest difference of the interior from w1 + f (w1 - w2), over the largest value. */
static double off_line(struct fixture *f, enum an_field field, int n, const double *w1,
                       const double *w2, double part)
{
    double *now = interior(f, field, n), worst = 0, most = 0;
    for (int c = 0; c < n * N * N * N; c++) {
        worst = fmax(worst, fabs(now[c] - (w1[c] + part * (w1[c] - w2[c]))));
        most = fmax(most, fabs(w1[c]));
    }
    free(now);
    return worst / most;
}

static void predictor(const char *model, int nturb)
{
    struct fixture f;
    struct an_predictor p = {0};
    double part;
    fixture_open(&f, "predictor", text("cfl: 10", verify_text("turbulence: {model: %s}\n", model)),
                 mesh);
    struct an_solver *s = f.solver;
    fixture_must(an_solver_fill_initial(s), "fill");
    fixture_steps(&f, 40);
    fixture_must(an_predictor_keep(s, &p, 1e5), "keep");
    double *w2 = interior(&f, AN_F_W, 5), *turb2 = interior(&f, AN_F_TURB, nturb);
    fixture_must(an_predictor_move(s, &p, 1.1e5, &part), "move");
    verify_check("predictor: one flow is not enough", part, 0, 0);
    fixture_steps(&f, 1);
    fixture_must(an_predictor_keep(s, &p, 1.1e5), "keep");
    double *w1 = interior(&f, AN_F_W, 5), *turb1 = interior(&f, AN_F_TURB, nturb);
    verify_check("predictor: the flow has moved", off_line(&f, AN_F_W, 5, w2, w2, 0) > 0, 1, 1);
    fixture_must(an_predictor_move(s, &p, 1.08e5, &part), "move");
    verify_check("predictor: settings turn back", part, 0, 0);
    verify_check("predictor: the flow stays", off_line(&f, AN_F_W, 5, w1, w2, 0), 0, 0);
    fixture_must(an_predictor_move(s, &p, 1.16e5, &part), "move");
    verify_check("predictor: part", fabs(part - 0.6), 0, 1e-12);
    verify_check(verify_text("predictor, %s: the state", model),
                 off_line(&f, AN_F_W, 5, w1, w2, 0.6), 0, 1e-13);
    verify_check(verify_text("predictor, %s: the turbulence", model),
                 off_line(&f, AN_F_TURB, nturb, turb1, turb2, 0.6), 0, 1e-13);
    free(w1), free(w2), free(turb1), free(turb2);
    fixture_must(an_predictor_keep(s, &p, 1.1e5),
                 "keep"); /* 0.9e5 is 4 times as far as from 1.1e5 to 1.05e5 */
    fixture_must(an_solver_fill_initial(s), "fill");
    fixture_must(an_predictor_keep(s, &p, 1.05e5), "keep");
    fixture_must(an_predictor_move(s, &p, 0.9e5, &part), "move");
    verify_check("predictor: at most the last step", part > 0 && part <= AN_PREDICTOR_MOST, 1, 1);
    an_predictor_free(s, &p);
    fixture_close(&f);
}

/* ---- stations ---- */

static void duct_map(void *context, const double s[3], double x[3])
{
    vm_cylindrical(s[0] * (1 + 0.3 * s[0]), 0.5 + 0.5 * s[1], *(const double *)context * s[2], x);
}

static void along_x(void *context, const double x[3], double q[5])
{
    (void)context;
    q[4] = 1e5 + 4e3 * x[0];
    q[0] = 1.2 + 0.1 * x[0];
    q[1] = 100 - 20 * x[0];
    q[2] = q[3] = 0;
}

static void stations(void)
{
    static const struct vm_segment duct[] =
        VM_SECTOR(AN_BC_OUTLET_SUPERSONIC, "front", AN_BC_OUTLET_SUPERSONIC, "back");
    double angle = 2 * acos(-1.0) / 12;
    const struct vm_box box = vm_sector((const int[3]){8, 4, 4}, duct_map, &angle, duct);
    const char *path = fixture_path("duct.cgns");
    struct fixture f;
    struct an_measure m = {.integral = NULL};
    vm_write(path, &box);
    fixture_open(&f, "stations",
                 "case: duct\nprecision: double\ndevice: cpu\ngas: {gamma: 1.4, R: 287}\n"
                 "initial: {p: 1e5, T: 300}\n"
                 "rows:\n  row: {zones: [\"zone*\"], omega: -300, blades: 12}\n"
                 "monitors: {stations: [0.31, 0.52, 0.87], bands: 2}\n",
                 path);
    fixture_must(an_solver_fill(f.solver, along_x, NULL), "fill");
    fixture_must(an_solver_measure(f.solver, &m), "measure");
    fixture_must(an_stations_measure(f.solver), "stations");
    const struct an_stations *t = an_stations_of(f.solver);
    double least = INFINITY, most = -INFINITY; /* of the way to the neighbour, ahead or behind */
    for (int64_t n = 0; n < t->ncut; n++) {
        if (t->cut[n].station == 1) /* beside the end of a zone */
            continue;
        least = fmin(least, t->cut[n].part);
        most = verify_worst(most, t->cut[n].part);
    }
    verify_check("station: between centres, from", least, 0, 1);
    verify_check("station: between centres, to", most, 0.1, 1);
    for (int n = 0; n < 3; n++) {
        static const double at[3] = {0.31, 0.52, 0.87};
        const double x = at[n], rho = 1.2 + 0.1 * x, u = 100 - 20 * x, p = 1e5 + 4e3 * x;
        for (int band = 0; band < 3; band++) {
            const struct an_flow_average *a = &t->average[n * 3 + band];
            verify_check("station: pressure", a->p / p - 1, -1e-12, 1e-12);
            verify_check("station: velocity", a->vx / u - 1, -1e-12, 1e-12);
            verify_check("station: temperature", a->T / (p / (rho * 287)) - 1, -1e-12, 1e-12);
        }
    }
    fixture_close(&f);
}

static void uniform(void *context, const double x[3], double q[5])
{
    (void)x;
    memcpy(q, context, 5 * sizeof *q);
}

/* Faces across y of a box that turns about x move by -omega z, on their mean by -omega / 2. */
static void moving_faces(void)
{
    static const struct vm_segment far[] = {
        {.dir = 0, .side = 0, .type = AN_BC_FARFIELD, .name = "front"},
        {.dir = 0, .side = 1, .type = AN_BC_FARFIELD, .name = "back"},
        {.dir = 1, .side = 0, .type = AN_BC_FARFIELD, .name = "below"},
        {.dir = 1, .side = 1, .type = AN_BC_FARFIELD, .name = "above"},
        {.dir = 2, .side = 0, .type = AN_BC_FARFIELD, .name = "left"},
        {.dir = 2, .side = 1, .type = AN_BC_FARFIELD, .name = "right"}};
    const struct vm_box box = {.n = {N, N, N},
                               .parts = {1, 1, 1},
                               .turn = -1,
                               .map = box_map,
                               .nsegment = 6,
                               .segment = far};
    const double p = 1.3e5, R = 287, T = 310, omega = -300, v = 40, V2 = 70 * 70 + v * v + 20 * 20;
    double q[5] = {p / (R * T), 70, v, -20, p}, total[6][AN_NINTEGRAL];
    const char *path = fixture_path("moving.cgns");
    struct fixture f;
    struct an_measure m = {.integral = total};
    vm_write(path, &box);
    fixture_open(
        &f, "moving",
        "case: box\nprecision: double\ndevice: cpu\ngas: {gamma: 1.4, R: 287}\n"
        "initial: {p: 1e5, T: 300}\nrows: {row: {zones: [\"zone*\"], omega: -300}}\n"
        "boundaries:\n  \"*\": {type: farfield, p: 1.3e5, T: 310, velocity: [70, 40, -20]}\n",
        path);
    fixture_must(an_solver_fill(f.solver, uniform, q), "fill");
    fixture_must(an_solver_measure(f.solver, &m), "measure");
    const struct an_topology *t = &f.solver->mesh->topology;
    for (int b = 0; b < t->nboundary; b++) {
        const int side = strcmp(t->boundary[b].name, "above") == 0 ? 1 : -1;
        const double face = -0.5 * omega, mass = q[0] * (v - face), h0 = 3.5 * R * T + 0.5 * V2;
        if (side < 0 && strcmp(t->boundary[b].name, "below") != 0)
            continue;
        verify_check("mass through a face that moves", side * total[b][AN_I_MASS] / mass - 1,
                     -1e-12, 1e-12);
        verify_check("energy through a face that moves",
                     side * total[b][AN_I_ENERGY] / (mass * h0 + p * face) - 1, -1e-12, 1e-12);
    }
    fixture_close(&f);
}

/* The mean factor of the density residual in 20 cycles from a uniform start. */
static void contraction(void)
{
    struct fixture f;
    fixture_open(
        &f, "contraction",
        verify_text(
            "case: box\nprecision: double\ndevice: cpu\nscheme: {flux: roe, limiter_floor: 0.01}\n"
            "march: {method: implicit, iterations: 1000, cfl: 100}\n"
            "multigrid: {levels: 3}\ninitial: {p: 0.9e5, T: 290, mach: 0.35}\n"
            "boundaries:\n  floor: {type: wall_slip}\n"
            "  inlet: {type: inlet_total, p0: 1e5, T0: 300, direction: [1, 0, 0]}\n"
            "  outlet: {type: outlet_static, p: 0.9e5}\n"),
        mesh);
    fixture_must(an_solver_fill_initial(f.solver), "fill");
    const double drop = fixture_converge(&f, 0, 20);
    verify_note("drop of the residual in 20 cycles: %.3g", drop);
    verify_check("contraction of a cycle", pow(drop, 1. / 20), 0, 0.7);
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    static const struct vm_box box = {.n = {N, N, N},
                                      .parts = {1, 1, 1},
                                      .turn = -1,
                                      .map = box_map,
                                      .nsegment = 6,
                                      .segment = ends};
    verify_start(&argc, &argv);
    snprintf(mesh, sizeof mesh, "%s", fixture_path("box.cgns"));
    vm_write(mesh, &box);
    transfers();
    viscous_levels();
    moving_faces();
    damping();
    recovery("sa", 1);
    recovery("sst", 2);
    predictor("sa", 1);
    predictor("sst", 2);
    stations();
    contraction();
    return verify_end();
}

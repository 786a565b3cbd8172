/* Gradients and viscous fluxes on meshes of many zones stored in different ways.
 *
 *   linear fields, nodes shaken by 20 % of the spacing: u, v, w, T linear in x, y, z; constant
 *     viscosity, pressure and stress:
 *       gradients off the boundaries                       exact to 1e-11, of the largest
 *       momentum of the viscous fluxes of inner cells      0 to 1e-11 of the stress on a face
 *       energy, nodes not shaken                           -V tau : grad u, to 1e-10
 *   waves in a box closed in three directions by translation: sums of all residuals are 0 to 1e-13
 *     of the sum of their magnitudes, momentum and energy
 */
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include "kernels/base/xsum.h"
#include "mpi/reduce.h"
#include "solver/flow/flow.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/level/transfer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double gas = 287.05, p = 1e5;
static const int cells[3] = {12, 10, 8};
/* u, v, w, T = value + gradient . x */
static const double value[4] = {30, -20, 10, 300};
static const double slope[4][3] = {{40, -70, 20}, {30, 10, 60}, {-50, 20, -10}, {50, -30, 40}};

/* In [-1, 1], from a node's number. */
static double shake(int n, int c)
{
    const double y = sin(12.9898 * n + 78.233 * c) * 43758.5453;
    return 2 * (y - floor(y)) - 1;
}

/* context: how far, in spacings */
static void shaken_map(void *context, const double s[3], double x[3])
{
    const double far = *(const double *)context;
    int node[3], inside = 1;
    for (int d = 0; d < 3; d++) {
        node[d] = (int)lround(s[d] * cells[d]);
        inside = inside && node[d] > 0 && node[d] < cells[d];
    }
    const int n = node[0] + 31 * (node[1] + 31 * node[2]);
    for (int d = 0; d < 3; d++)
        x[d] = s[d] + (inside ? far / cells[d] * shake(n, d) : 0) + 0.2 * s[(d + 1) % 3];
}

static void linear(void *context, const double x[3], double q[5])
{
    (void)context;
    double f[4];
    for (int c = 0; c < 4; c++)
        f[c] = value[c] + slope[c][0] * x[0] + slope[c][1] * x[1] + slope[c][2] * x[2];
    q[0] = p / (gas * f[3]);
    for (int c = 0; c < 3; c++)
        q[1 + c] = f[c];
    q[4] = p;
}

static double *field_of(struct fixture *f, enum an_field field, int b)
{
    const int *n = f->solver->level->layout.block[b].n;
    const int count = an_field_components(field);
    double *v = malloc((size_t)n[0] * (size_t)n[1] * (size_t)n[2] * (size_t)count * sizeof *v);
    if (!v)
        fixture_must(AN_FAIL, "memory");
    fixture_must(an_solver_download(f->solver, field, count, b, v), "download");
    return v;
}

/* The viscous part of the residual alone. */
static void viscous_residual(struct fixture *f)
{
    struct an_solver *s = f->solver;
    struct an_level *l = s->level;
    const size_t bytes = (size_t)l->layout.ncell * 5 * (size_t)l->layout.precision;
    void *zero = calloc(1, bytes);
    fixture_must(s->engine->op->upload(s->engine, l->fields.at[AN_F_R], zero, bytes, 0), "zero");
    fixture_must(s->engine->op->sync(s->engine, 0), "zero");
    free(zero);
    fixture_must(an_level_viscous_start(s, l, l->fields.at[AN_F_W]), "gradients");
    fixture_must(an_level_viscous_finish(s, l, l->fields.at[AN_F_W], NULL), "viscous residual");
}

static const char *yaml = "case: viscous\n"
                          "gas: {viscosity: constant, mu: 0.3}\n"
                          "march: {method: runge_kutta}\n"
                          "initial: {p: 1e5, T: 300}\nboundaries:\n"
                          "  \"*\": {type: farfield, p: 1e5, T: 300, velocity: [30, -20, 10]}\n";

static void linear_fields(double far, int turn)
{
    const struct vm_segment ends[] = {{.dir = 0, .side = 0, .type = AN_BC_FARFIELD, .name = "far"},
                                      {.dir = 0, .side = 1, .type = AN_BC_FARFIELD, .name = "far"},
                                      {.dir = 1, .side = 0, .type = AN_BC_FARFIELD, .name = "far"},
                                      {.dir = 1, .side = 1, .type = AN_BC_FARFIELD, .name = "far"},
                                      {.dir = 2, .side = 0, .type = AN_BC_FARFIELD, .name = "far"},
                                      {.dir = 2, .side = 1, .type = AN_BC_FARFIELD, .name = "far"}};
    const struct vm_box box = {.n = {cells[0], cells[1], cells[2]},
                               .parts = {2, 2, 2},
                               .turn = turn,
                               .map = shaken_map,
                               .context = &far,
                               .nsegment = 6,
                               .segment = ends};
    const char *mesh = fixture_path("shaken.cgns");
    const double mu = 0.3, div = slope[0][0] + slope[1][1] + slope[2][2];
    double tau[3][3], work = 0, most[3] = {0, 0, 0}, stress = 0;
    struct fixture f;
    for (int c = 0; c < 3; c++)
        for (int d = 0; d < 3; d++) {
            tau[c][d] = mu * (slope[c][d] + slope[d][c] - (c == d ? 2. / 3 * div : 0));
            work += tau[c][d] * slope[c][d];
            stress = fmax(stress, fabs(tau[c][d]));
        }
    vm_write(mesh, &box);
    fixture_open(&f, "linear", yaml, mesh);
    fixture_must(an_solver_fill(f.solver, linear, NULL), "fill");
    viscous_residual(&f);
    const struct an_level *l = f.solver->level;
    for (int b = 0; b < f.solver->nlocal; b++) {
        const int *n = l->layout.block[b].n;
        const int64_t all = (int64_t)n[0] * n[1] * n[2];
        double *g = field_of(&f, AN_F_GRAD, b), *r = field_of(&f, AN_F_R, b);
        double *volume = field_of(&f, AN_F_VOL, b), *w = field_of(&f, AN_F_W, b);
        const struct an_piece *piece = &l->partition.piece[f.solver->local[b]];
        double *x =
            malloc((size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1) * 3 * sizeof *x);
        fixture_must(an_nodes_read(&f.mesh, piece, x), "nodes");
        int64_t at = 0;
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++, at++) {
                    /* how many cells from the boundary of the box */
                    double y[3];
                    int away = 99;
                    an_nodes_centre(n, x, i, j, k, y);
                    const double e = 1 + 0.2 * 0.2 * 0.2; /* x = s + 0.2 of the next */
                    for (int d = 0; d < 3; d++) {
                        const double s =
                            (y[d] - 0.2 * y[(d + 1) % 3] + 0.04 * y[(d + 2) % 3]) / e * cells[d];
                        away = (int)fmin(away, fmin(floor(s + 0.001), floor(cells[d] - s + 0.001)));
                    }
                    if (away < 1)
                        continue;
                    for (int c = 0; c < 12; c++)
                        most[0] =
                            verify_worst(most[0], fabs(g[c * all + at] - slope[c / 3][c % 3]) / 70);
                    if (away < 2)
                        continue;
                    const double size = pow(volume[at], 1. / 3);
                    for (int c = 1; c < 4; c++)
                        most[1] =
                            verify_worst(most[1], fabs(r[c * all + at]) / (stress * size * size));
                    most[2] = verify_worst(most[2], fabs(r[4 * all + at] / volume[at] / work + 1));
                }
        free(g);
        free(r);
        free(w);
        free(x);
        free(volume);
    }
    fixture_must(an_reduce_max(f.comm, 3, most), "max");
    const char *what = verify_text("linear fields, shaken by %g, turned %d", far, turn);
    verify_check(verify_text("%s: gradients", what), most[0], 0, 1e-11);
    verify_check(verify_text("%s: momentum", what), most[1], 0, 1e-11);
    if (far == 0)
        verify_check(verify_text("%s: energy", what), most[2], 0, 1e-10);
    fixture_close(&f);
}

static void wave_map(void *context, const double s[3], double x[3])
{
    (void)context;
    double wave = 0.03 * sin(2 * PI * s[0]) * sin(2 * PI * s[1]) * cos(2 * PI * s[2]);
    x[0] = s[0] + wave;
    x[1] = s[1] - wave;
    x[2] = 0.5 * s[2] + 0.5 * wave;
}

static void waves(void *context, const double x[3], double q[5])
{
    (void)context;
    q[0] = 1.2 + 0.1 * sin(2 * PI * x[0]) * cos(2 * PI * x[1]);
    q[1] = 150 + 20 * cos(2 * PI * x[1] + 1);
    q[2] = 10 * sin(2 * PI * x[0]) - 40 * sin(4 * PI * x[2]);
    q[3] = 40 * sin(2 * PI * x[1]) - 20;
    q[4] = 1e5 + 4e3 * sin(2 * PI * (x[0] + x[1]) + 4 * PI * x[2]);
}

static void closed_box(void)
{
    const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .kind = VM_TRANSLATE}, {.dir = 0, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 1, .side = 0, .kind = VM_TRANSLATE}, {.dir = 1, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 2, .side = 0, .kind = VM_TRANSLATE}, {.dir = 2, .side = 1, .kind = VM_TRANSLATE}};
    const struct vm_box box = {.n = {18, 16, 12},
                               .parts = {3, 2, 2},
                               .turn = 7,
                               .map = wave_map,
                               .translation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0.5}},
                               .nsegment = 6,
                               .segment = ends};
    const char *mesh = fixture_path("closed.cgns");
    struct an_xsum sum[10];
    struct fixture f;
    memset(sum, 0, sizeof sum);
    vm_write(mesh, &box);
    fixture_open(&f, "closed",
                 "case: closed\ngas: {viscosity: sutherland, mu: 0.3}\n"
                 "march: {method: runge_kutta}\ninitial: {p: 1e5, T: 300}\n",
                 mesh);
    fixture_must(an_solver_fill(f.solver, waves, NULL), "fill");
    viscous_residual(&f);
    for (int b = 0; b < f.solver->nlocal; b++) {
        const int *n = f.solver->level->layout.block[b].n;
        const int64_t all = (int64_t)n[0] * n[1] * n[2];
        double *r = field_of(&f, AN_F_R, b);
        for (int64_t at = 0; at < 5 * all; at++) {
            an_xsum_add(&sum[at / all], r[at]);
            an_xsum_add(&sum[5 + at / all], fabs(r[at]));
        }
        free(r);
    }
    fixture_must(an_reduce_xsum(f.comm, 10, sum), "sum");
    for (int c = 1; c < 5; c++)
        verify_check(verify_text("closed box: component %d", c),
                     fabs(an_xsum_value(sum[c])) / an_xsum_value(sum[5 + c]), 0, 1e-13);
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    linear_fields(0.2, -1);
    linear_fields(0.2, 3);
    linear_fields(0, 3);
    closed_box();
    return verify_end();
}

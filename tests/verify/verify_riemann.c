/* Shock tubes: the star state of Riemann problems, 400 cells, against the exact solution (Toro,
 * Riemann Solvers and Numerical Methods for Fluid Dynamics, sec. 4.3), gamma 1.4.
 *
 *            left (rho, u, p)              right                         t
 *   Sod      1, 0, 1                       0.125, 0, 0.1                 0.2
 *   Toro 3   1, 0, 1000                    1, 0, 0.01                    0.012
 *   Toro 5   5.99924, 19.5975, 460.894     5.99242, -6.19633, 46.0950    0.035
 *
 *            p*        u*        rho*L    rho*R     within 0.5 %: mean over the middle half of the
 *   Sod      0.30313   0.92745   0.42632  0.26557   plateau; jst and roe
 *   Toro 3   460.894   19.5975                      roe
 *   Toro 5   1691.65   8.68977                      roe
 *
 *   measured   Sod, jst   Sod, roe   Toro 3, roe   Toro 5, roe
 *   p*         0.008 %    0.0002 %   -0.04 %       0.008 %
 *   u*         0.0006 %   0.002 %    0.04 %        -0.005 %
 *   rho*L      -0.04 %    -0.004 %
 *   rho*R      -0.18 %    -0.002 %
 *
 * The same tube along i, j and k, forwards and backwards, in one block and in four blocks stored in
 * different ways, gives the same answer to 1e-12 of the largest value (measured
 * 1.3e-14).
 */
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 400 };

static const double gamma_gas = 1.4;

struct problem {
    const char *name;
    double left[3], right[3]; /* rho, u, p */
    double start, end;        /* place of the membrane (m), time (s) */
    double p, u;              /* published star values */
};

static const struct problem sod = {"Sod", {1, 0, 1}, {0.125, 0, 0.1}, 0.5, 0.2, 0.30313, 0.92745};
static const struct problem toro3 = {"Toro 3", {1, 0, 1000}, {1, 0, 0.01}, 0.5,
                                     0.012,    460.894,      19.5975};
static const struct problem toro5 = {
    "Toro 5", {5.99924, 19.5975, 460.894}, {5.99242, -6.19633, 46.0950}, 0.4, 0.035, 1691.65,
    8.68977};

/* Velocity change across the wave of one side, and density behind it, for star pressure p. */
static double wave(const double q[3], double p, double *density)
{
    const double g = gamma_gas, c = sqrt(g * q[2] / q[0]), r = p / q[2];
    if (r > 1) {
        const double m = (g - 1) / (g + 1);
        *density = q[0] * (r + m) / (m * r + 1);
        return (p - q[2]) * sqrt(2 / ((g + 1) * q[0] * (p + m * q[2])));
    }
    *density = q[0] * pow(r, 1 / g);
    return 2 * c / (g - 1) * (pow(r, (g - 1) / (2 * g)) - 1);
}

struct star {
    double p, u, rho_left, rho_right;
    double tail, contact, head; /* speeds: the plateau's left end, the contact, its right end */
};

static struct star solve(const struct problem *t)
{
    struct star s;
    double low = 1e-9 * t->left[2], high = 1e4 * (t->left[2] + t->right[2]), a = 0, b = 0;
    for (int i = 0; i < 300; i++) {
        s.p = 0.5 * (low + high);
        a = wave(t->left, s.p, &s.rho_left);
        b = wave(t->right, s.p, &s.rho_right);
        if (a + b + t->right[1] - t->left[1] > 0)
            high = s.p;
        else
            low = s.p;
    }
    s.u = 0.5 * (t->left[1] + t->right[1] + b - a);
    s.contact = s.u;
    s.tail = s.p > t->left[2]
                 ? (s.rho_left * s.u - t->left[0] * t->left[1]) / (s.rho_left - t->left[0])
                 : s.u - sqrt(gamma_gas * s.p / s.rho_left);
    s.head = s.p > t->right[2]
                 ? (s.rho_right * s.u - t->right[0] * t->right[1]) / (s.rho_right - t->right[0])
                 : s.u + sqrt(gamma_gas * s.p / s.rho_right);
    return s;
}

static void state_at(void *context, const double x[3], double q[5])
{
    const struct problem *t = context;
    const double *side = x[0] < t->start ? t->left : t->right;
    const double all[5] = {side[0], side[1], 0, 0, side[2]};
    memcpy(q, all, sizeof all);
}

static void tube_map(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = s[0];
    x[1] = 0.1 * s[1];
    x[2] = 0.1 * s[2];
}

/* Profiles rho, u, p by the place along the tube. */
struct profile {
    double q[3][N], across;
};

static void visit(void *context, int zone, const int cell[3], const double x[3], const double q[5],
                  double volume)
{
    (void)zone, (void)cell, (void)volume;
    struct profile *r = context;
    int at = (int)(x[0] * N);
    r->q[0][at] = q[0];
    r->q[1][at] = q[1];
    r->q[2][at] = q[4];
    r->across = verify_worst(r->across, fmax(fabs(q[2]), fabs(q[3])));
}

static void run(const struct problem *t, const char *flux, int turn, int parts, struct profile *r)
{
    static const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .type = AN_BC_OUTLET_SUPERSONIC, .name = "ends"},
        {.dir = 0, .side = 1, .type = AN_BC_OUTLET_SUPERSONIC, .name = "ends"},
        {.dir = 1, .side = 0, .type = AN_BC_SYMMETRY, .name = "sides"},
        {.dir = 1, .side = 1, .type = AN_BC_SYMMETRY, .name = "sides"},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "sides"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "sides"}};
    const struct vm_box box = {.n = {N, 1, 1},
                               .parts = {parts, 1, 1},
                               .turn = turn,
                               .map = tube_map,
                               .nsegment = 6,
                               .segment = ends};
    const char *mesh = fixture_path("tube.cgns");
    vm_write(mesh, &box);
    double p = fmax(t->left[2], t->right[2]), rho = fmax(t->left[0], t->right[0]);
    struct fixture f;
    fixture_open(&f, "tube",
                 verify_text("case: shock tube\ngas: {R: 1}\nscheme: {flux: %s}\n"
                             "march: {mode: unsteady, cfl: 0.8, end_time: %g}\n"
                             "initial: {p: %.17g, T: %.17g}\n",
                             flux, t->end, p, p / rho),
                 mesh);
    fixture_must(an_solver_fill(f.solver, state_at, (void *)t), "fill");
    fixture_until(&f, t->end);
    memset(r, 0, sizeof *r);
    fixture_cells(&f, visit, r);
    MPI_Allreduce(MPI_IN_PLACE, r->q, 3 * N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &r->across, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    fixture_close(&f);
}

/* Mean of a quantity over the middle half of a plateau. */
static double plateau(const double *q, double from, double to)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < N; i++) {
        double s = ((i + 0.5) / N - from) / (to - from);
        if (s >= 0.25 && s <= 0.75) {
            sum += q[i];
            count++;
        }
    }
    return sum / count;
}

static void check_star(const struct problem *t, const char *flux, const struct profile *r,
                       double most)
{
    const struct star s = solve(t);
    const double tail = t->start + t->end * s.tail, head = t->start + t->end * s.head,
                 contact = t->start + t->end * s.contact;
    verify_check(verify_text("%s: the exact p* is the published one", t->name), s.p / t->p - 1,
                 -2e-5, 2e-5);
    verify_check(verify_text("%s: the exact u* is the published one", t->name), s.u / t->u - 1,
                 -2e-5, 2e-5);
    verify_check(verify_text("%s, %s: p* / exact - 1", t->name, flux),
                 plateau(r->q[2], tail, head) / s.p - 1, -most, most);
    verify_check(verify_text("%s, %s: u* / exact - 1", t->name, flux),
                 plateau(r->q[1], tail, head) / s.u - 1, -most, most);
    if (t == &sod) {
        verify_check(verify_text("%s, %s: rho*L / exact - 1", t->name, flux),
                     plateau(r->q[0], tail, contact) / s.rho_left - 1, -most, most);
        verify_check(verify_text("%s, %s: rho*R / exact - 1", t->name, flux),
                     plateau(r->q[0], contact, head) / s.rho_right - 1, -most, most);
    }
    verify_check(verify_text("%s, %s: velocity across the tube", t->name, flux), r->across,
                 -INFINITY, 1e-12);
}

static void check_same(const char *what, const struct profile *a, const struct profile *b)
{
    double difference = 0;
    for (int c = 0; c < 3; c++) {
        double largest = 0, most = 0;
        for (int i = 0; i < N; i++) {
            largest = fmax(largest, fabs(a->q[c][i]));
            most = verify_worst(most, fabs(a->q[c][i] - b->q[c][i]));
        }
        difference = verify_worst(difference, most / largest);
    }
    verify_check(what, difference, -INFINITY, 1e-12);
}

int main(int argc, char **argv)
{
    static const char *const flux[2] = {"jst", "roe"};
    static struct profile along_i, other;
    verify_start(&argc, &argv);
    for (int f = 0; f < 2; f++) {
        run(&sod, flux[f], -1, 1, &along_i);
        check_star(&sod, flux[f], &along_i, 0.005);
        /* all 24 ways are too many for seconds: along i, j, k, both ways */
        const int n[3] = {N, 1, 1};
        int seen[3][2] = {{0}};
        for (int way = 0; way < 24; way++) {
            struct an_cellmap m = vm_turn(way, n);
            if (seen[m.perm[0]][m.sign[0] > 0]++)
                continue;
            run(&sod, flux[f], way, 1, &other);
            check_same(verify_text("Sod, %s: along %s%c", flux[f], m.sign[0] > 0 ? "" : "-",
                                   "ijk"[m.perm[0]]),
                       &along_i, &other);
        }
        run(&sod, flux[f], 2, 4, &other);
        check_same(verify_text("Sod, %s: four blocks, stored differently", flux[f]), &along_i,
                   &other);
    }
    run(&toro3, "roe", -1, 1, &other);
    check_star(&toro3, "roe", &other, 0.005);
    run(&toro5, "roe", -1, 1, &other);
    check_star(&toro5, "roe", &other, 0.005);
    return verify_end();
}

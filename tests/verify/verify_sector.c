/* Swirling flow in an annulus between slip walls, in radial equilibrium: rotational periodicity.
 *
 *   r from 0.5 to 1 m, axial velocity 100 m/s, periodic along x; at r = 1 m: p = 1e5 Pa, T = 300 K.
 *   free vortex  u_theta = 100 / r, uniform entropy:  T = T1 - u_theta^2 / (2 cp) + const
 *   solid body   u_theta = 200 r, uniform T:  p = p1 exp(200^2 (r^2 - 1) / (2 R T))
 *
 *   The exact state is filled in and marched for 0.4 ms: a twelfth of a turn at r = 0.5 m.
 *
 *   scheme.boundary_order 2
 *   sector of 1/12                            8 -> 16 rows (measured)   16 -> 32 rows (measured)
 *   order in L2 of rho, u_theta, p     jst    >= 1.7  (1.76 and more)   >= 1.8  (1.93 and more)
 *                                      roe    >= 1.8  (2.27 and more)   >= 1.8  (2.35 and more)
 *   largest |p / exact - 1| on 32 rows        5e-4
 *   (With boundary_order 1 ghosts of slip walls mirror density and velocity, a kink where these
 *   vary along the radius: orders of 0.3 to 1.1 with jst, 1.4 to 1.6 with roe.)
 *   cells of a row differ by                  1e-11                   2.4e-15
 *   1/36 against 1/12 against the full annulus joined to itself, the same cells:
 *     largest difference of rho, u_r, u_theta, u_x, p over rho, c, c, c, p   1e-11
 */
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { MOST_ROWS = 32 };

static const double inner = 0.5, outer = 1, g = 1.4, gas = 287.05, T1 = 300, p1 = 1e5, end = 4e-4;
static const double cp = 1.4 / 0.4 * 287.05;

struct sector {
    double angle;
    int rows;
};

/* i along x, j outwards, k around */
static void map(void *context, const double s[3], double x[3])
{
    const struct sector *t = context;
    double r = inner + (outer - inner) * s[1], angle = t->angle * s[2] + 0.1 * s[1];
    vm_cylindrical(0.125 * s[0], r, angle, x);
}

/* context: 1 for the solid body */
static void swirl(void *context, const double x[3], double q[5])
{
    const int solid = *(const int *)context;
    const double r = hypot(x[1], x[2]);
    double u, T, p;
    if (solid) {
        u = 200 * r;
        T = T1;
        p = p1 * exp(200. * 200 * (r * r - 1) / (2 * gas * T));
    } else {
        u = 100 / r;
        T = T1 - (u * u - 100. * 100) / (2 * cp);
        p = p1 * pow(T / T1, g / (g - 1));
    }
    q[0] = p / (gas * T);
    q[1] = 100;
    q[2] = -u * x[2] / r;
    q[3] = u * x[1] / r;
    q[4] = p;
}

/* By rows: sums of rho, u_x, u_r, u_theta, p, and the same of the exact flow, weighted by volume;
 * and the largest departure from the first cell of the row. */
struct rows {
    int n, solid;
    double volume[MOST_ROWS], q[MOST_ROWS][5];
    double l2[5], max_p, total;
};

static void cylinder(const double x[3], const double q[5], double c[5])
{
    const double r = hypot(x[1], x[2]);
    c[0] = q[0];
    c[1] = q[1];
    c[2] = (q[2] * x[1] + q[3] * x[2]) / r;
    c[3] = (q[3] * x[1] - q[2] * x[2]) / r;
    c[4] = q[4];
}

static void visit(void *context, int zone, const int cell[3], const double x[3], const double q[5],
                  double volume)
{
    (void)zone, (void)cell;
    struct rows *t = context;
    double exact[5], here[5], there[5];
    int row = (int)((hypot(x[1], x[2]) - inner) / (outer - inner) * t->n);
    swirl(&t->solid, x, exact);
    cylinder(x, q, here);
    cylinder(x, exact, there);
    for (int c = 0; c < 5; c++) {
        t->q[row][c] += here[c] * volume;
        t->l2[c] += (here[c] - there[c]) * (here[c] - there[c]) * volume;
    }
    t->volume[row] += volume;
    t->total += volume;
    t->max_p = verify_worst(t->max_p, fabs(here[4] / there[4] - 1));
}

struct spread {
    const struct rows *t;
    double most;
};

static void visit_spread(void *context, int zone, const int cell[3], const double x[3],
                         const double q[5], double volume)
{
    (void)zone, (void)cell, (void)volume;
    struct spread *s = context;
    const double c = sqrt(g * gas * T1), unit[5] = {q[0], c, c, c, q[4]};
    double here[5];
    int row = (int)((hypot(x[1], x[2]) - inner) / (outer - inner) * s->t->n);
    cylinder(x, q, here);
    for (int e = 0; e < 5; e++)
        s->most = verify_worst(s->most, fabs(here[e] - s->t->q[row][e]) / unit[e]);
}

/* around: cells in the sector; parts: zones along it. Returns how far cells of a row differ. */
static double run(const char *flux, int solid, int sectors, int rows, int around, int parts,
                  int turn, struct rows *t)
{
    enum vm_kind kind = sectors == 1 ? VM_JOIN : VM_ROTATE;
    const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .kind = VM_TRANSLATE},
        {.dir = 0, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_SLIP, .name = "hub"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_SLIP, .name = "casing"},
        {.dir = 2, .side = 0, .kind = kind},
        {.dir = 2, .side = 1, .kind = kind}};
    struct sector sector = {2 * PI / sectors, rows};
    const struct vm_box box = {.n = {4, rows, around},
                               .parts = {1, 1, parts},
                               .turn = turn,
                               .map = map,
                               .context = &sector,
                               .translation = {{0.125, 0, 0}},
                               .angle = sector.angle,
                               .nsegment = 6,
                               .segment = ends};
    const char *mesh = fixture_path("swirl.cgns");
    vm_write(mesh, &box);
    struct fixture f;
    fixture_open(&f, "swirl",
                 verify_text("case: swirl\nscheme: {flux: %s, boundary_order: 2}\n"
                             "march: {mode: unsteady, time_step: %.17g, end_time: %g}\n"
                             "initial: {p: 1e5, T: 300, velocity: [100, 0, 0]}\n",
                             flux, end / (2 * rows), end),
                 mesh);
    fixture_must(an_solver_fill(f.solver, swirl, &solid), "fill");
    fixture_until(&f, end);
    memset(t, 0, sizeof *t);
    t->n = rows;
    t->solid = solid;
    fixture_cells(&f, visit, t);
    MPI_Allreduce(MPI_IN_PLACE, t->volume, MOST_ROWS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, t->q, MOST_ROWS * 5, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, t->l2, 5, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &t->total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &t->max_p, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int c = 0; c < 5; c++) {
        t->l2[c] = sqrt(t->l2[c] / t->total);
        for (int r = 0; r < rows; r++)
            t->q[r][c] /= t->volume[r];
    }
    struct spread spread = {.t = t};
    fixture_cells(&f, visit_spread, &spread);
    MPI_Allreduce(MPI_IN_PLACE, &spread.most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    fixture_close(&f);
    return spread.most;
}

static double difference(const struct rows *a, const struct rows *b)
{
    const double c = sqrt(g * gas * T1);
    double most = 0;
    for (int r = 0; r < a->n; r++)
        for (int e = 0; e < 5; e++) {
            double unit = e == 0 || e == 4 ? a->q[r][e] : c;
            most = verify_worst(most, fabs(a->q[r][e] - b->q[r][e]) / unit);
        }
    return most;
}

static void orders(const char *flux, int solid)
{
    static struct rows t[3];
    const char *flow = solid ? "solid body" : "free vortex";
    for (int m = 0; m < 3; m++) {
        double spread = run(flux, solid, 12, 8 << m, 4 << m, 2, 5, &t[m]);
        verify_note("%s, %s, %2d rows: L2 of rho %.3e, u_r %.3e, u_theta %.3e, p %.3e", flow, flux,
                    8 << m, t[m].l2[0], t[m].l2[2], t[m].l2[3], t[m].l2[4]);
        verify_check(verify_text("%s, %s: axial symmetry", flow, flux), spread, -INFINITY, 1e-11);
    }
    for (int m = 0; m < 2; m++) {
        static const int component[3] = {0, 3, 4};
        static const char *const name[3] = {"rho", "u_theta", "p"};
        const double least = m == 0 && strcmp(flux, "roe") ? 1.7 : 1.8;
        for (int c = 0; c < 3; c++)
            verify_check(verify_text("%s, %s, %s: order from %d to %d rows", flow, flux, name[c],
                                     8 << m, 16 << m),
                         verify_order(t[m].l2[component[c]], t[m + 1].l2[component[c]], 2), least,
                         4);
    }
    verify_check(verify_text("%s, %s: p / exact - 1, largest", flow, flux), t[2].max_p, -INFINITY,
                 5e-4);
}

int main(int argc, char **argv)
{
    static const char *const flux[2] = {"jst", "roe"};
    static struct rows twelve, other;
    verify_start(&argc, &argv);
    for (int f = 0; f < 2; f++) {
        orders(flux[f], 0);
        orders(flux[f], 1);
        run(flux[f], 0, 12, 16, 6, 2, 5, &twelve);
        run(flux[f], 0, 36, 16, 2, 1, 17, &other);
        verify_check(verify_text("%s: 36 sectors against 12", flux[f]), difference(&twelve, &other),
                     -INFINITY, 1e-11);
        run(flux[f], 0, 1, 16, 72, 1, -1, &other);
        verify_check(verify_text("%s: the full annulus, one zone, against 12", flux[f]),
                     difference(&twelve, &other), -INFINITY, 1e-11);
        run(flux[f], 0, 1, 16, 72, 4, 2, &other);
        verify_check(verify_text("%s: the full annulus, four zones, against 12", flux[f]),
                     difference(&twelve, &other), -INFINITY, 1e-11);
    }
    return verify_end();
}

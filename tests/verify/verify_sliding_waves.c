/* What a sliding plane adds to waves and to swirl; row b turns past row a, which is at rest.
 *
 *   sound:    an oblique plane wave of sound, downstream through the plane in a flow of 100 m/s; b turns at 70 m/s;
 *             a thin ring (r from 0.995 to 1.005 m), a thirtieth of it, one wave length around it. Largest difference of
 *             the pressure ahead of the plane from the same mesh joined one to one and at rest, over the
 *             amplitude, after 3e-4 s
 *               28 cells around, 20 in a wave length          0.5 %
 *               22 cells around, 16 in a wave length          1 %
 *   swirl:    a free vortex in a layer from 0.5 to 0.7 m, equal faces around on both sides: the flow stays the same all
 *             around, 20 explicit steps at 300 rad/s          1e-11
 */
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { AROUND = 30, MOST = 4096 };
static const double gas = 287.05, p1 = 1e5, T1 = 300, u1 = 100, size = 1e-3;

struct duct {
    double x0, x1, angle, hub, casing;
};

/* i along x, j outwards, k around */
static void duct_map(void *context, const double s[3], double x[3])
{
    const struct duct *d = context;
    vm_cylindrical(d->x0 + (d->x1 - d->x0) * s[0], d->hub + (d->casing - d->hub) * s[1],
                   d->angle * s[2], x);
}

static void write_duct(const char *name, struct duct d, const int n[3])
{
    static const struct vm_segment ends[] = VM_SECTOR(AN_BC_FARFIELD, "in", AN_BC_FARFIELD, "out");
    const struct vm_box box = {.n = {n[0], n[1], n[2]},
                               .turn = -1,
                               .map = duct_map,
                               .context = &d,
                               .angle = d.angle,
                               .nsegment = 6,
                               .segment = ends};
    vm_write(fixture_path(name), &box);
}

/* Two ducts with a plane between them at x = 0, or one. */
static void write_mesh(struct duct d, const int n[3], int joined)
{
    struct duct b = d;
    if (joined) {
        write_duct("waves.cgns", d, (const int[3]){2 * n[0], n[1], n[2]});
        return;
    }
    d.x1 = b.x0 = 0;
    write_duct("a.cgns", d, n);
    write_duct("b.cgns", b, n);
    const char *bin = getenv("AN_BIN");
    if (system(verify_text("%s/mesh_join -o %s a=%s b=%s", bin ? bin : "build/bin",
                           fixture_path("waves.cgns"), fixture_path("a.cgns"),
                           fixture_path("b.cgns"))))
        fixture_must(AN_FAIL, "mesh_join");
}

static void open_case(struct fixture *f, double step, double omega, int joined)
{
    const char *state = "type: farfield, p: 1e5, T: 300, velocity: [100, 0, 0]";
    const char *head = verify_text(
        "case: waves\ndevice: cpu\nprecision: double\ngas: {gamma: 1.4, R: 287.05}\n"
        "scheme: {flux: jst}\nmarch: {mode: unsteady, method: runge_kutta, time_step: %.17g, "
        "iterations: 100000}\ninitial: {p: 1e5, T: 300, velocity: [100, 0, 0]}\n",
        step);
    const char *yaml =
        joined ? verify_text("%sboundaries:\n  in: {%s}\n  out: {%s}\n", head, state, state)
               : verify_text("%srows:\n  a: {zones: [\"a_*\"], omega: 0}\n"
                             "  b: {zones: [\"b_*\"], omega: %g}\n"
                             "boundaries:\n  a_in: {%s}\n  b_out: {%s}\n"
                             "  a_out: {type: sliding_plane, with: b_in}\n"
                             "  b_in: {type: sliding_plane, with: a_out}\n",
                             head, omega, state, state);
    fixture_open(f, "waves", yaml, fixture_path("waves.cgns"));
}

/* ---- sound ---- */

/* The wave has as many lengths along x as around: k = (m, m), m = AROUND at r = 1 m. */
static void sound(void *context, const double x[3], double q[5])
{
    (void)context;
    const double rho = p1 / (gas * T1), c = sqrt(1.4 * gas * T1), angle = atan2(x[2], x[1]);
    const double p = size * p1 * cos(AROUND * (x[0] + angle)), along = p / (rho * c * sqrt(2));
    q[0] = rho + p / (c * c);
    q[1] = u1 + along;
    q[2] = -along * sin(angle);
    q[3] = along * cos(angle);
    q[4] = p1 + p;
}

struct ahead {
    int zone, n[3];
    double p[MOST];
};

static void add_pressure(void *context, int zone, const int cell[3], const double x[3],
                         const double q[5], double volume)
{
    (void)x, (void)volume;
    struct ahead *a = context;
    if (zone == a->zone && cell[0] < a->n[0])
        a->p[(cell[2] * a->n[1] + cell[1]) * a->n[0] + cell[0]] = q[4];
}

static void check_sound(int around, double most)
{
    static struct ahead ahead[2];
    const double pitch = 2 * PI / AROUND, time = 3e-4;
    const int n[3] = {around, 1, around}, steps = 3 * around;
    double worst = 0;
    memset(ahead, 0, sizeof ahead);
    for (int c = 0; c < 2 * MOST; c++)
        ahead[c / MOST].p[c % MOST] = NAN;
    for (int joined = 0; joined < 2; joined++) {
        struct fixture f;
        struct ahead *a = &ahead[joined];
        write_mesh((struct duct){-pitch, pitch, pitch, 0.995, 1.005}, n, joined);
        open_case(&f, time / steps, 70, joined);
        fixture_must(an_solver_fill(f.solver, sound, NULL), "fill");
        fixture_steps(&f, steps);
        memcpy(a->n, n, sizeof n);
        for (int z = 0; z < f.mesh.topology.nblock; z++)
            if (f.mesh.topology.block[z].name[0] == 'a')
                a->zone = z;
        fixture_cells(&f, add_pressure, a);
        fixture_close(&f);
    }
    for (int c = 0; c < n[0] * n[1] * n[2]; c++)
        worst = verify_worst(worst, fabs(ahead[0].p[c] - ahead[1].p[c]) / (size * p1));
    verify_check(verify_text("sound, %d cells around: reflected part", around), worst, 0, most);
}

/* ---- swirl ---- */

/* r u_theta = 24 m2/s, in radial equilibrium; density uniform. */
static void vortex(void *context, const double x[3], double q[5])
{
    (void)context;
    const double r = hypot(x[1], x[2]), rho = p1 / (gas * T1), swirl = 24 / r;
    q[0] = rho;
    q[1] = u1;
    q[2] = -swirl * x[2] / r;
    q[3] = swirl * x[1] / r;
    q[4] = p1 + 0.5 * rho * (24 * 24 / 0.36 - swirl * swirl);
}

enum { ALONG = 8, OUTWARDS = 6, FACES = 12 };

struct spread {
    double least[2][ALONG][OUTWARDS][5], most[2][ALONG][OUTWARDS][5];
};

static void add_spread(void *context, int zone, const int cell[3], const double x[3],
                       const double q[5], double volume)
{
    (void)volume;
    struct spread *s = context;
    const double r = hypot(x[1], x[2]), c = 340, rho = p1 / (gas * T1);
    const double value[5] = {q[0] / rho, q[1] / c, (q[2] * x[1] + q[3] * x[2]) / (r * c),
                             (q[3] * x[1] - q[2] * x[2]) / (r * c), q[4] / p1};
    for (int w = 0; w < 5; w++) {
        double *least = &s->least[zone][cell[0]][cell[1]][w];
        double *most = &s->most[zone][cell[0]][cell[1]][w];
        *least = fmin(*least, isnan(value[w]) ? -INFINITY : value[w]);
        *most = verify_worst(*most, value[w]);
    }
}

static void check_swirl(void)
{
    static struct spread s;
    struct fixture f;
    double worst = 0;
    double *const least = &s.least[0][0][0][0], *const most = &s.most[0][0][0][0];
    const int count = 2 * ALONG * OUTWARDS * 5;
    for (int i = 0; i < count; i++) {
        least[i] = INFINITY;
        most[i] = -INFINITY;
    }
    write_mesh((struct duct){-0.15, 0.15, 2 * PI / 9, 0.5, 0.7},
               (const int[3]){ALONG, OUTWARDS, FACES}, 0);
    open_case(&f, 1e-5, 300, 0);
    fixture_must(an_solver_fill(f.solver, vortex, NULL), "fill");
    fixture_steps(&f, 20);
    fixture_cells(&f, add_spread, &s);
    fixture_close(&f);
    for (int i = 0; i < count; i++)
        worst = verify_worst(worst, fabs(most[i] - least[i]));
    verify_check("swirl: differences around the axis", worst, 0, 1e-11);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    check_sound(28, 5e-3);
    check_sound(22, 1e-2);
    check_swirl();
    return verify_end();
}

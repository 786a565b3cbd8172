/* Passive scalars against exact solutions.
 *
 *   1. A profile carried across a periodic square by a uniform stream, u = v = 1, time 1: order in L2
 *      from 32 to 64 cells at least 1.5; measured 1.58, because the limiter flattens the crest.
 *   2. The same profile in the isentropic vortex of tests/verify/periodic_square.h, whose density varies: the sum of
 *      rho Y V over the mesh stays, to 1e-13 of it, with each flux; a scalar that is 1 stays 1.
 *   3. Mixing layer: a supersonic stream of uniform velocity U enters with Y = 1 below and 0 above,
 *      D = mu / (rho Sc): Y = erfc(y / (2 sqrt(D x / U))) / 2 at the outlet, within 0.01 on 48 rows, with
 *      two Schmidt numbers. As much of each scalar leaves as enters, to 2e-4 of it (diffusion through the inlet), also of one that
 *      enters through a quarter of the inlet.
 */
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/periodic_square.h"
#include "tests/verify/verify.h"

#include "solver/level/level.h"
#include "solver/output/packed.h"

#include <math.h>
#include <string.h>

/* Memory of scalar `name`; the CPU engine's is the host's. */
static double *memory_of(struct fixture *f, const char *name)
{
    struct an_state_field state[AN_MOST_STATE];
    const int n = an_state_fields(f->solver, state);
    for (int m = 0; m < n; m++)
        if (strcmp(state[m].name, name) == 0)
            return state[m].memory;
    return NULL;
}

/* Walks the cells of the mesh: `at` gets the place and the element of each in a field. */
struct walk {
    struct fixture *f;
    double *y;       /* of the scalar */
    int write;       /* 1: the profile is put, 0: compared */
    double time;     /* of the profile */
    double sum[3];   /* of rho Y V, (Y - profile)^2 V, V */
    double farthest; /* |Y - 1| */
};

static double profile(const double x[3], double time)
{
    double d[2];
    return 1 + exp(-0.5 * square_distance(x, 0.5 * square_side, time, d));
}

static void visit(void *context, int zone, const int cell[3], const double x[3], const double q[5],
                  double volume)
{
    struct walk *w = context;
    const struct an_solver *s = w->f->solver;
    for (int b = 0; b < s->nlocal; b++) {
        const struct an_piece *p = &s->level->partition.piece[s->local[b]];
        int inside = p->zone == zone;
        for (int d = 0; d < 3; d++)
            inside = inside && cell[d] >= p->lo[d] &&
                     cell[d] < p->lo[d] + s->level->layout.block[b].n[d];
        if (!inside)
            continue;
        double *y = &w->y[an_element(&s->level->layout.block[b], cell[0] - p->lo[0],
                                     cell[1] - p->lo[1], cell[2] - p->lo[2])];
        const double exact = profile(x, w->time);
        if (w->write)
            *y = exact;
        w->sum[0] += q[0] * *y * volume;
        w->sum[1] += (*y - exact) * (*y - exact) * volume;
        w->sum[2] += volume;
        w->farthest = verify_worst(w->farthest, fabs(*y - 1));
    }
}

static struct walk walk(struct fixture *f, const char *name, int write, double time)
{
    struct walk w = {.f = f, .y = memory_of(f, name), .write = write, .time = time};
    fixture_cells(f, visit, &w);
    return w;
}

/* The error of the profile; what is conserved, and the constant scalar, are checked. */
static double carry(const char *flux, int n, double strength)
{
    struct square_vortex v = {.strength = strength, .start = 0.5 * square_side};
    const char *mesh = fixture_path("square.cgns");
    square_write(mesh, n);
    struct fixture f;
    fixture_open(&f, "carry",
                 verify_text("case: scalars\ngas: {R: 1}\nscheme: {flux: %s, limiter: none}\n"
                             "march: {mode: unsteady, cfl: 2, end_time: 1}\n"
                             "initial: {p: 1, T: 1, velocity: [1, 1, 0]}\n"
                             "scalars: {Smoke: {}, One: {initial: 1}}\n",
                             flux),
                 mesh);
    fixture_must(an_solver_fill(f.solver, square_flow, &v), "fill");
    const struct walk before = walk(&f, "Smoke", 1, 0);
    fixture_until(&f, 1);
    const struct walk after = walk(&f, "Smoke", 0, 1), one = walk(&f, "One", 0, 1);
    fixture_close(&f);
    verify_check(verify_text("%s, vortex %g, %d cells: change of sum rho Y V", flux, strength, n),
                 fabs(after.sum[0] / before.sum[0] - 1), -INFINITY, 1e-13);
    verify_check(verify_text("%s, vortex %g, %d cells: a scalar of 1 less 1", flux, strength, n),
                 one.farthest, -INFINITY, 1e-12);
    return sqrt(after.sum[1] / after.sum[2]);
}

/* ---- the mixing layer ---- */

enum { ROWS = 48 };
static const double height = 0.1, length = 1, speed = 2;

static void layer(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = length * s[0];
    x[1] = height * (s[1] - 0.5);
    x[2] = 0.01 * s[2];
}

struct at_outlet {
    struct walk walk;
    double diffusivity, worst, sum;
    int columns;
};

static void compare(void *context, int zone, const int cell[3], const double x[3],
                    const double q[5], double volume)
{
    struct at_outlet *o = context;
    (void)zone, (void)q, (void)volume;
    if (cell[0] != o->columns - 1)
        return;
    const struct an_solver *s = o->walk.f->solver;
    const double y = o->walk.y[an_element(&s->level->layout.block[0], cell[0], cell[1], cell[2])];
    const double exact = 0.5 * erfc(x[1] / (2 * sqrt(o->diffusivity * x[0] / speed)));
    o->worst = verify_worst(o->worst, fabs(y - exact));
    o->sum += y / ROWS;
}

static void mix(void)
{
    enum { COLUMNS = 40 };
    const double mu = 1e-4;
    static const char *const name[] = {"Thick", "Thin", "Quarter"};
    static const double schmidt[] = {0.25, 1, 0.5};
#define INLET(from, to, called)                                                                    \
    {                                                                                              \
        .dir = 0, .side = 0, .along = 1, .lo = (from), .hi = (to), .type = AN_BC_INLET_SUPERSONIC, \
        .name = (called)                                                                           \
    }
    static const struct vm_segment ends[] = {
        INLET(0, ROWS / 4, "low"),
        INLET(ROWS / 4, ROWS / 2, "mid"),
        INLET(ROWS / 2, ROWS, "high"),
        {.dir = 0, .side = 1, .type = AN_BC_OUTLET_SUPERSONIC, .name = "out"},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_SLIP, .name = "floor"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_SLIP, .name = "roof"},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "left"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "right"}};
    const struct vm_box box = {
        .n = {COLUMNS, ROWS, 1}, .turn = -1, .map = layer, .nsegment = 8, .segment = ends};
    const char *mesh = fixture_path("layer.cgns");
    vm_write(mesh, &box);
    struct fixture f;
    const char *state = "type: inlet_supersonic, p: 1, T: 1, velocity: [2, 0, 0]";
    fixture_open(
        &f, "mix",
        verify_text("case: mixing layer\n"
                    "gas: {R: 1, viscosity: constant, mu: %g, T_ref: 1}\n"
                    "march: {cfl: 100}\nmultigrid: {levels: 1}\n"
                    "initial: {p: 1, T: 1, velocity: [2, 0, 0]}\n"
                    "scalars: {Thick: {schmidt: %g}, Thin: {schmidt: %g}, Quarter: "
                    "{schmidt: %g}}\n"
                    "boundaries: {low: {%s, scalars: [1, 1, 1]}, mid: {%s, scalars: [1, 1, "
                    "0]}, high: {%s}}\n",
                    mu, schmidt[0], schmidt[1], schmidt[2], state, state, state),
        mesh);
    fixture_must(an_solver_fill_initial(f.solver), "fill");
    fixture_steps(&f, 120);
    for (int n = 0; n < 3; n++) {
        struct at_outlet o = {.walk = {.f = &f, .y = memory_of(&f, name[n])},
                              .diffusivity = mu / schmidt[n],
                              .columns = COLUMNS};
        fixture_cells(&f, compare, &o);
        const double mean = n < 2 ? 0.5 : 0.25;
        if (n < 2)
            verify_check(verify_text("%s mixing layer: largest error at the outlet", name[n]),
                         o.worst, -INFINITY, 0.01);
        verify_check(verify_text("%s: mean at the outlet over that at the inlet", name[n]),
                     o.sum / mean, 1 - 2e-4, 1 + 2e-4);
    }
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    const double coarse = carry("jst", 32, 0), fine = carry("jst", 64, 0);
    verify_check("uniform stream: order from 32 to 64 cells", verify_order(coarse, fine, 2), 1.5,
                 4);
    carry("jst", 32, 5);
    carry("roe", 32, 5);
    carry("matrix", 32, 5);
    mix();
    return verify_end();
}

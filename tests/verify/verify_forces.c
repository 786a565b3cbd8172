/* Forces as coefficients on flows that are known, looked at without a step.
 *
 *   a box of slip walls, pressure linear in space: force and moment of all walls are sums over the
 *   faces, known in closed form; alpha 10, beta 5 degrees, y up and z up; one wall by name       1e-10
 *   Couette flow: lift by pressure and drag by friction of the floor, from Mach and Reynolds number:
 *   the state that these give is the exact one                                                1e-10
 *   the slip walls in the table of walls: area, force of the absolute pressure, torque about x; the
 *   sums of a line                                                                            1e-10
 *   the same bits on these ranks and on each rank alone
 *   what cannot be: a wall that is not there, no dynamic pressure
 */
#include "solver/level/level.h"
#include "solver/monitor/forces.h"
#include "solver/monitor/walls.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double R = 287.05, size[3] = {0.4, 0.2, 0.1}, corner[3] = {-0.1, 0.05, 0.3};
static const double slope[3] = {3e4, -7e4, 5e4}, middle = 1.1e5;
enum { NX = 16, NY = 8, NZ = 4 };

static void map(void *context, const double s[3], double x[3])
{
    (void)context;
    for (int c = 0; c < 3; c++)
        x[c] = corner[c] + size[c] * s[c];
}

static double pressure(const double x[3])
{
    return middle + slope[0] * x[0] + slope[1] * x[1] + slope[2] * x[2];
}

static void at_rest(void *context, const double x[3], double q[5])
{
    (void)context;
    q[4] = pressure(x);
    q[0] = q[4] / (R * 300);
    q[1] = q[2] = q[3] = 0;
}

static const char *mesh_of(const char *name, enum an_bc_type floor, int around)
{
    const struct vm_segment ends[] = {
        {.dir = 0,
         .side = 0,
         .kind = around ? VM_TRANSLATE : VM_BOUNDARY,
         .type = AN_BC_WALL_SLIP,
         .name = "front"},
        {.dir = 0,
         .side = 1,
         .kind = around ? VM_TRANSLATE : VM_BOUNDARY,
         .type = AN_BC_WALL_SLIP,
         .name = "back"},
        {.dir = 1, .side = 0, .type = floor, .name = "floor"},
        {.dir = 1, .side = 1, .type = floor, .name = "roof"},
        {.dir = 2, .side = 0, .type = AN_BC_WALL_SLIP, .name = "left"},
        {.dir = 2, .side = 1, .type = AN_BC_WALL_SLIP, .name = "right"}};
    struct vm_box box = {.n = {NX, NY, NZ},
                         .parts = {2, 1, 1},
                         .turn = 3,
                         .map = map,
                         .translation = {{size[0], 0, 0}},
                         .nsegment = 6,
                         .segment = ends};
    const char *path = fixture_path(name);
    vm_write(path, &box);
    MPI_Barrier(MPI_COMM_WORLD);
    return path;
}

/* Force and moment about `point` of (p - p_reference) on the walls of the box, face by face; only:
 * -1, or the one wall 2 d + side. */
static void push(const double point[3], double p_reference, int only, double force[3],
                 double moment[3])
{
    static const int n[3] = {NX, NY, NZ};
    memset(force, 0, 3 * sizeof *force);
    memset(moment, 0, 3 * sizeof *moment);
    for (int wall = 0; wall < 6; wall++) {
        const int d = wall / 2, a = (d + 1) % 3, b = (d + 2) % 3, side = wall % 2;
        const double area = size[a] / n[a] * size[b] / n[b];
        for (int i = 0; i < n[a] * n[b] && (only < 0 || only == wall); i++) {
            double x[3];
            x[d] = corner[d] + side * size[d];
            x[a] = corner[a] + (i % n[a] + 0.5) * size[a] / n[a];
            x[b] = corner[b] + (i / n[a] + 0.5) * size[b] / n[b];
            const double f = (side ? 1 : -1) * (pressure(x) - p_reference) * area;
            force[d] += f;
            moment[b] -= (x[a] - point[a]) * f; /* r x f e_d */
            moment[a] += (x[b] - point[b]) * f;
        }
    }
}

static void near(const char *what, double value, double exact)
{
    verify_check(what, fabs(value - exact), 0, 1e-10 * fmax(1, fabs(exact)));
}

static const char *box_case(const char *reference)
{
    return verify_text("case: box\nprecision: double\ndevice: cpu\ngas: {R: 287.05}\n"
                       "scheme: {flux: jst, k2: 0, k4: 0}\nreference: {%s}\n",
                       reference);
}

static void open_filled(struct fixture *f, MPI_Comm comm, const char *name, const char *yaml,
                        const char *mesh, an_state_at *state)
{
    struct an_measure m = {.integral = NULL};
    fixture_open_on(f, comm, name, yaml, mesh);
    fixture_must(an_solver_fill(f->solver, state, NULL), "fill");
    fixture_must(an_solver_measure(f->solver, &m), "measure");
}

/* The slip walls of the box in the table, and the sums over them that a line has. */
static void table(const struct an_solver *s)
{
    static const char *const name[6] = {"front", "back", "floor", "roof", "left", "right"};
    const double origin[3] = {0};
    double total[3] = {0}, torque = 0;
    int n, found = 0;
    struct an_wall_report *wall;
    fixture_must(an_walls_report(s, &n, &wall), "table of walls");
    for (int m = 0; m < n; m++)
        for (int w = 0; w < 6; w++) {
            double force[3], moment[3];
            if (strcmp(wall[m].name, name[w]) != 0)
                continue;
            found++;
            push(origin, 0, w, force, moment);
            near("area of a wall", wall[m].area, size[(w / 2 + 1) % 3] * size[(w / 2 + 2) % 3]);
            near("torque of a wall", wall[m].torque, moment[0]);
            verify_check("y+ of a slip wall", !isnan(wall[m].yplus), 0, 0);
            torque += moment[0];
            for (int c = 0; c < 3; c++) {
                near("force of a wall", wall[m].force[c], force[c]);
                near("friction of a wall", wall[m].friction[c], 0);
                total[c] += force[c];
            }
        }
    free(wall);
    verify_check("walls in the table", found, 6, 6);
    const struct an_wall_sum sum = an_walls_total(s);
    for (int c = 0; c < 3; c++)
        near("force on all walls", sum.force[c], total[c]);
    near("torque of all walls", sum.torque, torque);
    verify_check("y+ of all walls", !isnan(sum.yplus), 0, 0);
}

static void box(enum an_up up, const char *mesh, int only)
{
    const double radian = acos(-1.0) / 180, a = 10 * radian, b = 5 * radian;
    const double point[3] = {0.1, -0.2, 0.05}, length = 0.3, area = 0.07, mach = 0.5;
    const double q = 0.5 * 1.4 * 9e4 * mach * mach;
    struct fixture f;
    const char *reference = verify_text(
        "length: 0.3, area: 0.07, point: [0.1, -0.2, 0.05], pressure: 9e4, temperature: 250, mach: "
        "0.5, alpha: 10, beta: 5, up: %s%s",
        up == AN_UP_Y ? "y" : "z", only < 0 ? "" : ", walls: [ri*]");
    verify_note("up: %s%s", up == AN_UP_Y ? "y" : "z", only < 0 ? "" : ", one wall");
    open_filled(&f, MPI_COMM_WORLD, "box", box_case(reference), mesh, at_rest);
    const struct an_forces *g = an_forces_of(f.solver);
    const int u = up == AN_UP_Y ? 1 : 2, w = 3 - u;
    double force[3], moment[3];
    push(point, 9e4, only, force, moment);
    const double drag = force[0] * cos(a) * cos(b) + force[u] * sin(a) * cos(b) + force[w] * sin(b);
    near("lift", g->value[AN_C_LIFT][AN_C_ALL],
         (force[u] * cos(a) - force[0] * sin(a)) / (q * area));
    near("drag", g->value[AN_C_DRAG][AN_C_ALL], drag / (q * area));
    near("side force", g->value[AN_C_SIDE][AN_C_ALL],
         (force[w] * cos(b) - sin(b) * (force[0] * cos(a) + force[u] * sin(a))) / (q * area));
    near("moment, nose up", g->value[AN_C_MOMENT][AN_C_ALL],
         (up == AN_UP_Y ? -moment[2] : moment[1]) / (q * area * length));
    for (int c = 0; c < 3; c++)
        near("moment", g->value[AN_C_MOMENT_X + c][AN_C_PRESSURE], moment[c] / (q * area * length));
    near("friction", g->value[AN_C_DRAG][AN_C_FRICTION], 0);
    table(f.solver);
    near("Mach number of the start", f.c.initial.mach, mach);
    near("pressure of the start", f.c.initial.p, 9e4);
    fixture_close(&f);
}

static const double mu = 0.02, height = 0.2, speed = 40;

static void couette(void *context, const double x[3], double q[5])
{
    (void)context;
    q[4] = 1e5;
    q[0] = 1e5 / (R * 300);
    q[1] = speed * (x[1] - corner[1]) / height;
    q[2] = q[3] = 0;
}

static void friction(void)
{
    const double mach = 0.2, reynolds = 5000, length = 0.4, T = 310;
    const double V = mach * sqrt(1.4 * R * T), rho = reynolds * mu / (V * length);
    const double q = 0.5 * rho * V * V, area = size[0] * size[2];
    struct fixture f, alone;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *mesh = mesh_of("couette.cgns", AN_BC_WALL_VISCOUS, 1);
    const char *yaml =
        "case: couette\nprecision: double\ndevice: cpu\n"
        "gas: {R: 287.05, viscosity: constant, mu: 0.02}\nmarch: {method: runge_kutta}\n"
        "initial: {p: 1e5}\nreference: {length: 0.4, mach: 0.2, reynolds: 5000, temperature: 310, "
        "walls: [floor]}\nboundaries:\n  floor: {type: wall_viscous, T: 300}\n"
        "  roof: {type: wall_viscous, T: 300, velocity: [40, 0, 0]}\n";
    open_filled(&f, MPI_COMM_WORLD, "couette", yaml, mesh, couette);
    open_filled(&alone, MPI_COMM_SELF, verify_text("couette%d", rank), yaml, mesh, couette);
    const struct an_forces *g = an_forces_of(f.solver);
    verify_note("friction");
    near("pressure of the reference", g->reference.p / (rho * R * T), 1);
    near("Reynolds number", g->reference.reynolds / reynolds, 1);
    near("dynamic pressure", g->reference.q / q, 1);
    near("area: length times span", g->reference.area, length * size[2]);
    near("T of the start", f.c.initial.T, T);
    near("p of the start", f.c.initial.p, 1e5);
    near("drag by friction", g->value[AN_C_DRAG][AN_C_FRICTION],
         mu * speed / height * area / (q * length * size[2]));
    near("drag by pressure", g->value[AN_C_DRAG][AN_C_PRESSURE], 0);
    near("lift by pressure", g->value[AN_C_LIFT][AN_C_PRESSURE],
         -(1e5 - rho * R * T) * area / (q * length * size[2]));
    int differ = memcmp(g->value, an_forces_of(alone.solver)->value, sizeof g->value) != 0;
    MPI_Allreduce(MPI_IN_PLACE, &differ, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    verify_check("coefficients of other bits than on one rank", differ, 0, 0);
    fixture_close(&alone);
    fixture_close(&f);
}

/* Parts are made again with another case: what cannot be is said. */
static void refused(const char *mesh)
{
    struct fixture f;
    open_filled(&f, MPI_COMM_WORLD, "refused", box_case("length: 1, pressure: 1e5, mach: 0.1"),
                mesh, at_rest);
    void *part = NULL;
    f.c.reference.walls.n = 1;
    strcpy(f.c.reference.walls.name[0], "wing");
    verify_check("a wall that is not there", an_forces_component.make(f.solver, &part), AN_INPUT,
                 AN_INPUT);
    an_forces_component.destroy(f.solver, part);
    f.c.reference.walls.n = 0;
    f.c.reference.state.p = 0;
    verify_check("no dynamic pressure", an_forces_component.make(f.solver, &part), AN_INPUT,
                 AN_INPUT);
    an_forces_component.destroy(f.solver, part);
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    fixture_folder();
    const char *mesh = mesh_of("box.cgns", AN_BC_WALL_SLIP, 0);
    box(AN_UP_Y, mesh, -1);
    box(AN_UP_Z, mesh, -1);
    box(AN_UP_Z, mesh, 5);
    friction();
    refused(mesh);
    return verify_end();
}

#include "tests/verify/adjoint_cases.h"

#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

/* ---- meshes: the parameter `shape` changes blades and spacing ---- */

struct shape {
    double stretch, shape;
};

static const double pitch = 0.08;
double magnify = 1;

static void cascade_map(void *context, const double s[3], double x[3])
{
    const struct shape *q = context;
    const double part = 1.8 * s[0] - 0.6, c = fmin(fmax(part, 0), 1), bend = 0.35 + 0.1 * q->shape;
    const double camber = -bend * (c * c * c - 0.5 * c * c * c * c) - bend * fmax(part - 1, 0);
    const double thick = c > 0 && c < 1 ? (0.06 + 0.03 * q->shape) * pow(sin(PI * c), 2) : 0;
    double t = s[1];
    if (q->stretch > 0)
        t = 0.5 * (1 + tanh(q->stretch * (2 * t - 1)) / tanh(q->stretch));
    x[0] = 0.1 * (part + 0.05 * q->shape * sin(PI * s[0]));
    x[1] = 0.1 * camber + pitch * (thick + (1 - 2 * thick) * t);
    x[2] = 0.02 * s[2];
    for (int d = 0; d < 3; d++)
        x[d] *= magnify;
}

/* i along x, j outwards, k from blade to blade, which begin after a third of i; as in verify_rotor. */
static const double axial = 0.3, between = 0.2, turn = 250;

static void rotor_map(void *context, const double s[3], double x[3])
{
    const struct shape *q = context;
    const double lead = -turn / 144 * axial, part = 1.5 * s[0] - 0.5;
    const double c = fmin(fmax((part - 0.2) / 0.6, 0), 1);
    const double bend = 0.6 * (c * c * c - 0.5 * c * c * c * c) + fmax(part - 0.8, 0);
    const double angle =
        lead * (part - (0.25 + 0.1 * q->shape) * bend) + between * s[2] + 0.05 * s[1];
    const double r = 0.5 + (0.15 + 0.02 * q->shape) * s[1];
    vm_cylindrical(axial * (part + 0.05 * q->shape * sin(PI * s[0])), r, angle, x);
}

/* A row of a stage, between hub and casing, which turns the tangent of the angle of the flow from `before` to `behind` in the
 * middle third; b begins where a ends. */
struct blades {
    struct shape shape;
    double x0, pitch, before, behind;
};

static const double length = 0.12;

static void stage_map(void *context, const double s[3], double x[3])
{
    const struct blades *q = context;
    const double c = fmin(fmax(3 * s[0] - 1, 0), 1),
                 more = q->behind - q->before + 0.1 * q->shape.shape;
    const double bend = (c * c * c - 0.5 * c * c * c * c) / 3 + fmax(s[0] - 2. / 3, 0);
    double t = s[2];
    if (q->shape.stretch > 0)
        t = 0.5 * (1 + tanh(q->shape.stretch * (2 * t - 1)) / tanh(q->shape.stretch));
    vm_cylindrical(q->x0 + length * s[0] * (1 + 0.05 * q->shape.shape),
                   0.5 + (0.1 + 0.02 * q->shape.shape) * (s[1] + 0.03 * sin(2 * PI * s[1])),
                   length / 0.5 * (q->before * s[0] + more * bend) + q->pitch * t, x);
}

static struct vm_segment ends[10];

int rows_of(const struct trial *t)
{
    return t->kind == MACHINE ? 3 : t->kind == STAGE ? 2 : 0;
}

/* Rows of different pitch, rings and faces, joined by mixing planes. */
static const char *stage_of(const struct trial *t, double parameter)
{
    static const double before[] = {0.1, -0.6, 0.5}, behind[] = {0.3, -0.35, 0.2};
    const char *path = fixture_path("adjoint_stage.cgns"), *bin = getenv("AN_BIN");
    char parts[3][200] = {""};
    for (int n = 0; n < rows_of(t); n++) {
        const char name[] = {(char)('a' + n), '\0'};
        struct blades blades = {.shape = {t->stretch, parameter},
                                .x0 = n * length * (1 + 0.05 * parameter),
                                .pitch = 2 * PI / (24 + 8 * n),
                                .before = before[n],
                                .behind = behind[n]};
        struct vm_segment end[10] = VM_SECTOR(AN_BC_INLET_TOTAL, "in", AN_BC_OUTLET_STATIC, "out");
        const int ni = 12, cut[4] = {0, 4, 8, 12};
        for (int k = 0; k < 6; k++)
            end[4 + k] = (struct vm_segment){.dir = 2,
                                             .side = k % 2,
                                             .lo = cut[k / 2],
                                             .hi = cut[k / 2 + 1],
                                             .kind = k / 2 == 1 ? VM_BOUNDARY : VM_ROTATE,
                                             .type = AN_BC_WALL_SLIP,
                                             .name = "blade"};
        const struct vm_box box = {.n = {ni, n == 1 ? 5 : 4, t->nj - n},
                                   .parts = {1, 1, 2},
                                   .turn = 8 - 5 * n + 8 * (n / 2),
                                   .map = stage_map,
                                   .context = &blades,
                                   .angle = blades.pitch,
                                   .nsegment = 10,
                                   .segment = end};
        const char *part = fixture_path(verify_text("%s.cgns", name));
        snprintf(parts[n], sizeof parts[n], "%s=%s", name, part);
        vm_write(part, &box);
    }
    int rank, failed = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        failed = system(verify_text("%s/mesh_join -o %s %s %s %s", bin ? bin : "build/bin", path,
                                    parts[0], parts[1], parts[2]));
    MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    fixture_must(failed ? an_error_set(AN_FAIL, "status %d", failed) : AN_OK, "mesh_join");
    return path;
}

const char *mesh_of(const struct trial *t, double parameter)
{
    const int rotor = t->kind == ROTOR;
    if (rows_of(t))
        return stage_of(t, parameter);
    struct shape shape = {t->stretch, parameter};
    const int around = rotor ? 2 : 1, ni = rotor ? 18 : 36, from = ni / 3, to = rotor ? ni : 32;
    const enum vm_kind repeat = rotor ? VM_ROTATE : VM_TRANSLATE;
    const enum an_bc_type rim = rotor ? AN_BC_WALL_SLIP : AN_BC_SYMMETRY;
    const int lo[3] = {0, from, to}, hi[3] = {from, to, ni};
    struct vm_box box = {.n = {ni, rotor ? 4 : t->nj, rotor ? t->nj : 1},
                         .parts = {2, 1, 1},
                         .turn = rotor ? -1 : 5,
                         .map = rotor ? rotor_map : cascade_map,
                         .context = &shape,
                         .angle = between,
                         .nsegment = rotor ? 8 : 10,
                         .segment = ends};
    for (int side = 0; side < 2; side++) {
        ends[side] = (struct vm_segment){.dir = 0,
                                         .side = side,
                                         .type = side ? AN_BC_OUTLET_STATIC : AN_BC_INLET_TOTAL,
                                         .name = side ? "outlet" : "inlet"};
        ends[2 + side] = (struct vm_segment){
            .dir = 3 - around, .side = side, .type = rim, .name = side ? "casing" : "hub"};
        for (int n = 0; n < 3; n++)
            ends[4 + 2 * n + side] = (struct vm_segment){.dir = around,
                                                         .side = side,
                                                         .lo = lo[n],
                                                         .hi = hi[n],
                                                         .kind = n == 1 ? VM_BOUNDARY : repeat,
                                                         .type = AN_BC_WALL_SLIP,
                                                         .name = "blade"};
    }
    box.translation[1][1] = magnify * pitch;
    const char *path = fixture_path("adjoint.cgns");
    vm_write(path, &box);
    return path;
}

static const char *const cascade_figures[] = {
    "mass_in",          "loss_mixed_out", "alpha_out_mixed_out",
    "force_tangential", "pressure_ratio", "lift"};
static const char *const rotor_figures[] = {"mass_in", "machine.efficiency", "rotor.torque_walls",
                                            "power"};
static const char *const stage_figures[] = {"mass_in", "machine.efficiency", "b.torque_walls",
                                            "b.pressure_ratio"};
int count_of(const struct trial *t)
{
    return t->kind == CASCADE ? 6 : 4;
}

const char *const *figures_of(const struct trial *t)
{
    return rows_of(t) ? stage_figures : t->kind == ROTOR ? rotor_figures : cascade_figures;
}

/* ---- flows ---- */

const char *device = "cpu";

static void open_stage(struct fixture *f, MPI_Comm comm, const struct trial *t, double parameter,
                       const char *mesh)
{
    const int three = t->kind == MACHINE;
    fixture_open_on(
        f, comm, t->name,
        verify_text("case: %s\nprecision: double\ndevice: %s\n"
                    "march: {method: implicit, cfl: 20}\nmultigrid: {levels: 1}\n"
                    "initial: {p: 95e3, T: 294, velocity: [110, 0, 0]}\n"
                    "boundaries:\n"
                    "  a_in: {type: inlet_total, p0: %.17g, T0: %.17g, direction: [1, 0, %.17g]}\n"
                    "  %c_out: {type: outlet_static, p: %.17g%s}\n"
                    "  a_out: {type: mixing_plane, with: b_in}\n"
                    "  b_in: {type: mixing_plane, with: a_out}\n"
                    "  a_blade: {type: %s}\n  b_blade: {type: %s}\n%s"
                    "rows:\n  a: {zones: 'a_*', omega: 0}\n  b: {zones: 'b_*', omega: %.17g}\n"
                    "%s%soutput: {folder: %s}\n",
                    t->name, device, 1e5 + per_shape * parameter, 300 + 100 * parameter,
                    0.1 + parameter, three ? 'c' : 'b', 0.97e5 + 0.4 * per_shape * parameter,
                    three ? ", radial_equilibrium: hub" : "", t->wall, t->wall,
                    three ? "  b_out: {type: mixing_plane, with: c_in}\n"
                            "  c_in: {type: mixing_plane, with: b_out}\n"
                            "  c_blade: {type: wall_slip}\n"
                          : "",
                    180 + speed_per_shape * parameter,
                    three ? "  c: {zones: 'c_*', omega: 0}\n" : "", t->rest, fixture_folder()),
        mesh);
    fixture_must(an_solver_fill_initial(f->solver), "fill");
}

void open_case_on(struct fixture *f, MPI_Comm comm, const struct trial *t, double parameter,
                  const char *mesh)
{
    const int rotor = t->kind == ROTOR;
    if (rows_of(t)) {
        open_stage(f, comm, t, parameter, mesh);
        return;
    }
    const char *row = rotor ? verify_text("rows:\n  rotor: {zones: 'zone*', rpm: %.17g}\n",
                                          (turn + speed_per_shape * parameter) * 30 / PI)
                            : "";
    static const struct steering none = {"", "", NULL, 0, 0};
    const struct steering *q = t->steering ? t->steering : &none;
    const double number = q->value + q->by * parameter;
    char more[2][200];
    snprintf(more[0], sizeof more[0], "%s", verify_text(q->inlet, number));
    snprintf(more[1], sizeof more[1], "%s", verify_text(q->outlet, number));
    fixture_open_on(
        f, comm, t->name,
        verify_text("case: %s\nprecision: double\ndevice: %s\n"
                    "march: {method: implicit, cfl: 20}\nmultigrid: {levels: 1}\n"
                    "initial: {p: %g, T: 294, velocity: [%g, 0, 0]}\n"
                    "boundaries:\n"
                    "  inlet: {type: inlet_total, p0: 1e5, T0: 300, direction: [1, 0, 0]%s}\n"
                    "  outlet: {type: outlet_static, p: %.17g%s}\n"
                    "  blade: {type: %s}\n%s%s"
                    "reference: {length: 0.1, area: 0.002, mach: 0.5, pressure: 9e4, "
                    "temperature: 295}\n"
                    "output: {folder: %s}\n",
                    t->name, device, rotor ? 0.93e5 : 0.9e5, rotor ? 130.0 : 110.0, more[0],
                    (rotor ? 0.95e5 : 0.85e5) + per_shape * parameter, more[1], t->wall, row,
                    t->rest, fixture_folder()),
        mesh);
    fixture_must(an_solver_fill_initial(f->solver), "fill");
}

void open_case(struct fixture *f, const struct trial *t, double parameter)
{
    open_case_on(f, MPI_COMM_WORLD, t, parameter, mesh_of(t, parameter));
}

/* Figures of a cascade on flows that are known, filled in and looked at without a step. The mesh
 * repeats by translation; both ends take the state of the first cell; slip walls end the span.
 *
 *   uniform stream, M = 0.6, -60 degrees from the axis towards the pitch, with a part along the span;
 *   the pitch along y, along y and z, and oblique to x: all figures exact                       1e-10
 *
 *   a wake in 3 of 10 cells behind a uniform stream: the mixed-out flow is found here by bisection of
 *   the fluxes in closed form; its loss, angle, p0, and the momentum that is lost               1e-10
 *
 *   stations: angle, p0, and equal mass flow in bands of the span                               1e-10
 *   figures on these ranks and on each rank alone: the same bits
 */
#include "solver/level/flow_axes.h"
#include "solver/level/level.h"
#include "solver/monitor/performance.h"
#include "solver/monitor/stations.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <string.h>

static const double g = 1.4, R = 287.05, p1 = 1e5, T1 = 300, length = 0.12, tall = 0.03;
enum { NX = 12, NY = 10, NZ = 4, WAKE = 3 };

/* The box: along the axis, the pitch and the span. */
struct shape {
    double edge[3][3]; /* m: of the axis, the pitch, the span */
    double axial[3], pitch[3], span[3], p;
};

static void map(void *context, const double s[3], double x[3])
{
    const struct shape *q = context;
    for (int c = 0; c < 3; c++)
        x[c] = s[0] * q->edge[0][c] + s[1] * q->edge[1][c] + s[2] * q->edge[2][c];
}

/* Unit vectors of the axes from the pitch, edges from these. */
static struct shape shape_of(const double pitch[3])
{
    struct shape q = {.p = 0};
    for (int c = 0; c < 3; c++)
        q.p += pitch[c] * pitch[c];
    q.p = sqrt(q.p);
    for (int c = 0; c < 3; c++)
        q.pitch[c] = pitch[c] / q.p;
    const double *t = q.pitch, along = sqrt(1 - t[0] * t[0]);
    for (int c = 0; c < 3; c++)
        q.axial[c] = ((c == 0) - t[0] * t[c]) / along;
    for (int c = 0; c < 3; c++)
        q.span[c] = q.axial[(c + 1) % 3] * t[(c + 2) % 3] - q.axial[(c + 2) % 3] * t[(c + 1) % 3];
    for (int c = 0; c < 3; c++) {
        q.edge[0][c] = length * q.axial[c];
        q.edge[1][c] = pitch[c];
        q.edge[2][c] = tall * q.span[c];
    }
    return q;
}

/* p, T and velocity along axis, pitch and span. */
struct stream {
    double p, T, v[3];
};

struct flow {
    const struct shape *shape;
    struct stream before, after, wake;
};

static void state(void *context, const double x[3], double q[5])
{
    const struct flow *f = context;
    const struct shape *s = f->shape;
    double along = 0, across = 0;
    for (int c = 0; c < 3; c++) {
        along += s->axial[c] * x[c] / length;
        across += s->pitch[c] * x[c] / s->p;
    }
    const struct stream *w = along < 0.5                        ? &f->before
                             : across * NY < WAKE && across > 0 ? &f->wake
                                                                : &f->after;
    q[0] = w->p / (R * w->T);
    for (int c = 0; c < 3; c++)
        q[1 + c] = w->v[0] * s->axial[c] + w->v[1] * s->pitch[c] + w->v[2] * s->span[c];
    q[4] = w->p;
}

/* Writes the mesh. */
static const char *mesh_of(const struct shape *shape)
{
    static const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .type = AN_BC_INLET_SUPERSONIC, .name = "inlet"},
        {.dir = 0, .side = 1, .type = AN_BC_OUTLET_SUPERSONIC, .name = "outlet"},
        {.dir = 1, .side = 0, .kind = VM_TRANSLATE},
        {.dir = 1, .side = 1, .kind = VM_TRANSLATE},
        {.dir = 2, .side = 0, .type = AN_BC_WALL_SLIP, .name = "floor"},
        {.dir = 2, .side = 1, .type = AN_BC_WALL_SLIP, .name = "roof"}};
    struct vm_box box = {.n = {NX, NY, NZ},
                         .parts = {2, 1, 1},
                         .turn = 7,
                         .map = map,
                         .context = (void *)shape,
                         .nsegment = 6,
                         .segment = ends};
    memcpy(box.translation[1], shape->edge[1], sizeof box.translation[1]);
    const char *path = fixture_path("cascade.cgns");
    vm_write(path, &box);
    MPI_Barrier(MPI_COMM_WORLD);
    return path;
}

static void look(struct fixture *f, MPI_Comm comm, const char *name, const char *mesh,
                 struct flow *flow, const char *monitors)
{
    struct an_measure m = {.integral = NULL};
    fixture_open_on(f, comm, name,
                    verify_text("case: cascade\nprecision: double\ndevice: cpu\n"
                                "gas: {gamma: 1.4, R: 287.05}\nscheme: {flux: jst}\n"
                                "initial: {p: 1e5, T: 300}\n"
                                "boundaries:\n  inlet: {type: outlet_supersonic}\n%s",
                                monitors),
                    mesh);
    fixture_must(an_solver_fill(f->solver, state, flow), "fill");
    fixture_must(an_solver_measure(f->solver, &m), "measure");
    fixture_must(an_stations_measure(f->solver), "stations");
}

static double p0_of(const struct stream *s)
{
    const double v2 = s->v[0] * s->v[0] + s->v[1] * s->v[1] + s->v[2] * s->v[2];
    return s->p * pow(1 + 0.5 * (g - 1) * v2 / (g * R * s->T), g / (g - 1));
}

static void near(const char *what, double value, double exact, double scale)
{
    verify_check(what, fabs(value - exact) / scale, 0, 1e-10);
}

static void uniform(const char *name, const double pitch[3])
{
    const double degrees = 180 / acos(-1.0), speed = 0.6 * sqrt(g * R * T1);
    const struct stream s = {
        p1, T1, {speed * 0.5 * 0.98, -speed * sqrt(0.75) * 0.98, speed * sqrt(1 - 0.98 * 0.98)}};
    const struct shape shape = shape_of(pitch);
    struct flow flow = {&shape, s, s, s};
    struct fixture f;
    look(&f, MPI_COMM_WORLD, name, mesh_of(&shape), &flow, "monitors: {performance: on}\n");
    const struct an_performance *p = an_performance_of(f.solver);
    const struct an_row_flow *r = &p->of[p->nrow];
    const double *v = r->value, alpha = degrees * atan2(s.v[1], hypot(s.v[0], s.v[2]));
    verify_note("%s", name);
    verify_check("Cartesian averages", p->gas.axes.cartesian, 1, 1);
    near("pitch", p->gas.axes.length, shape.p, 1);
    near("span", r->span, tall, tall);
    near("mass flow", r->mass_in, p1 / (R * T1) * s.v[0] * shape.p * tall, 1e-3);
    near("flow angle in", v[AN_ROW_ALPHA_IN], alpha, 1);
    near("flow angle out", v[AN_ROW_ALPHA_OUT], alpha, 1);
    near("flow angle of the mixed-out flow", v[AN_ROW_ALPHA_MIXED], alpha, 1);
    near("p0 in", v[AN_ROW_P0_IN], p0_of(&s), p1);
    near("p0 out", v[AN_ROW_P0_OUT], p0_of(&s), p1);
    near("p0 mixed out", v[AN_ROW_P0_MIXED], p0_of(&s), p1);
    near("p out", v[AN_ROW_P_OUT], p1, p1);
    near("Mach number out", v[AN_ROW_MACH_OUT], 0.6, 1);
    near("isentropic Mach number out", v[AN_ROW_MACH_IS], 0.6, 1);
    near("loss by mass", v[AN_ROW_LOSS_MASS], 0, 1);
    near("loss mixed out", v[AN_ROW_LOSS_MIXED], 0, 1);
    near("entropy rise", v[AN_ROW_ENTROPY], 0, R);
    near("momentum lost along the axis", v[AN_ROW_LOST_X], 0, p1 * shape.p);
    near("momentum lost along the pitch", v[AN_ROW_LOST_T], 0, p1 * shape.p);
    near("force along the axis", v[AN_ROW_FORCE_X], 0, p1 * length);
    near("force along the pitch", v[AN_ROW_FORCE_T], 0, p1 * length);
    fixture_close(&f);
}

/* Fluxes through an area 1 across the axis: mass, momentum along axis and pitch, energy. */
static void add_fluxes(const struct stream *s, double part, double flux[4])
{
    const double m = s->p / (R * s->T) * s->v[0], cp = g * R / (g - 1);
    flux[0] += part * m;
    flux[1] += part * (m * s->v[0] + s->p);
    flux[2] += part * m * s->v[1];
    flux[3] += part * m * (cp * s->T + 0.5 * (s->v[0] * s->v[0] + s->v[1] * s->v[1]));
}

/* The uniform stream with these fluxes, slower than sound along the axis: the axial velocity is
 * bisected until the energy fits. */
static struct stream mixed_out(const double flux[4])
{
    struct stream s = {.v = {0, flux[2] / flux[0], 0}};
    double low = 1, high = g / (g + 1) * flux[1] / flux[0]; /* where it is sonic along the axis */
    for (int n = 0; n < 200; n++) {
        s.v[0] = 0.5 * (low + high);
        s.p = flux[1] - flux[0] * s.v[0];
        s.T = s.p * s.v[0] / (R * flux[0]);
        double trial[4] = {0};
        add_fluxes(&s, 1, trial);
        *(trial[3] < flux[3] ? &low : &high) = s.v[0];
    }
    return s;
}

static void behind_blades(void)
{
    const double pitch[3] = {0, 0.05, 0}, degrees = 180 / acos(-1.0);
    const struct shape shape = shape_of(pitch);
    struct flow flow = {&shape,
                        {1.2e5, 320, {90, 20, 0}},
                        {0.9e5, 296, {110, -190, 0}},
                        {0.9e5, 305, {60, -110, 0}}};
    struct fixture f, alone;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static const char *const monitors =
        "monitors: {performance: on, stations: [0.03, 0.09], bands: 4}\n";
    const char *mesh = mesh_of(&shape);
    look(&f, MPI_COMM_WORLD, "wake", mesh, &flow, monitors);
    look(&alone, MPI_COMM_SELF, verify_text("wake%d", rank), mesh, &flow, monitors);
    double in[4] = {0}, out[4] = {0};
    const double part = (double)WAKE / NY;
    add_fluxes(&flow.before, 1, in);
    add_fluxes(&flow.after, 1 - part, out);
    add_fluxes(&flow.wake, part, out);
    const struct stream mixed = mixed_out(out);
    const double p01 = p0_of(&flow.before), p02 = p0_of(&mixed);
    const struct an_performance *p = an_performance_of(f.solver);
    const double *v = p->of[p->nrow].value, mass = out[0] * shape.p * tall;
    verify_note("a wake");
    near("mass flow out", v[AN_ROW_MASS_OUT], mass, mass);
    near("p0 mixed out", v[AN_ROW_P0_MIXED], p02, p1);
    near("loss mixed out", v[AN_ROW_LOSS_MIXED], (p01 - p02) / (p01 - mixed.p), 1);
    verify_check("which is a loss", v[AN_ROW_LOSS_MIXED] - v[AN_ROW_LOSS_MASS], 0.01, 1);
    near("flow angle of the mixed-out flow", v[AN_ROW_ALPHA_MIXED],
         degrees * atan2(mixed.v[1], mixed.v[0]), 1);
    near("momentum lost along the axis", v[AN_ROW_LOST_X], (in[1] - out[1]) * shape.p,
         p1 * shape.p);
    near("momentum lost along the pitch", v[AN_ROW_LOST_T], (in[2] - out[2]) * shape.p,
         p1 * shape.p);
    const struct an_flow_average *a = an_stations_of(f.solver)->average;
    near("station: flow angle", a[4].alpha, degrees * atan2(20, 90), 1);
    near("station: p0", a[4].p0, p01, p1);
    near("station: p0 mixed out", a[9].mixed.p0, p02, p1);
    for (int band = 0; band < 4; band++)
        near("station: mass flow of a band", a[5 + band].mass, 0.25 * mass, mass);
    int differ =
        memcmp(v, an_performance_of(alone.solver)->of[0].value, AN_NROW_VALUE * sizeof *v) != 0;
    MPI_Allreduce(MPI_IN_PLACE, &differ, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    verify_check("figures of other bits than on one rank", differ, 0, 0);
    fixture_close(&alone);
    fixture_close(&f);
}

/* Which axes: by the key, and refused where something turns. */
static void choice(void)
{
    const double pitch[3] = {0, 0.05, 0};
    const struct shape shape = shape_of(pitch);
    const struct stream s = {p1, T1, {100, 0, 0}};
    struct flow flow = {&shape, s, s, s};
    const char *mesh = mesh_of(&shape);
    struct an_flow_axes axes;
    struct fixture f;
    look(&f, MPI_COMM_WORLD, "key", mesh, &flow,
         "monitors: {performance: on, averages: cylindrical}\n");
    verify_check("cylindrical by key", an_performance_of(f.solver)->gas.axes.cartesian, 0, 0);
    fixture_close(&f);
    look(&f, MPI_COMM_WORLD, "none", mesh, &flow, "");
    verify_check("not measured without an inlet", an_performance_of(f.solver) != NULL, 0, 0);
    double rotating[2] = {100, 100}, *kept = f.solver->omega;
    f.solver->omega = rotating;
    fixture_must(an_flow_axes_find(f.solver, &axes), "axes");
    verify_check("cylindrical where rows turn", axes.cartesian, 0, 0);
    f.c.monitors.averages = AN_AVERAGES_CARTESIAN;
    verify_check("Cartesian axes of a rotor", an_flow_axes_find(f.solver, &axes), AN_INPUT,
                 AN_INPUT);
    f.solver->omega = kept;
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    fixture_folder();
    uniform("pitch_y", (const double[3]){0, 0.05, 0});
    uniform("pitch_yz", (const double[3]){0, 0.04, 0.03});
    uniform("pitch_oblique", (const double[3]){0.03, 0.04, -0.02});
    behind_blades();
    choice();
    return verify_end();
}

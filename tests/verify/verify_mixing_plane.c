/* Two ducts of different pitch, span lines and numbers of faces, joined by a mixing plane.
 *
 *   r from 0.5 to 0.7 m; row `a`: x from -0.15 to 0 m, a twentieth of the annulus; row `b`: x from
 * 0 to 0.15 m, 1/28 of it, which turns at 300 rad/s. Ends of the ducts are far fields, face by
 * face. gamma 1.4, R 287.05. Flux gaps: mass, axial force over pressure force, moment, energy.
 *
 *   swirl:   free vortex u_theta = 60 / r m/s, u_x = 100 m/s, filled in 3 % off, marched
 *            gap of all fluxes, whole span and every band            1e-8, measured 3e-14
 *   wake:    velocity deficit across half the pitch
 *            gap                                                     1e-3
 *            entropy behind the plane over that of the mixed-out state, less 1, of the rise   2 %
 *   reverse: u_x from -30 m/s at the hub to 100 m/s, uniform pressure
 *            gap                                                     1e-3
 *   pulse:   pressure pulse in `a` that runs to the plane, time-accurate
 *            what comes back over what went in                       5 %
 *   moved:   targets after half of their last change once more          1e-14
 *   ranks:   20 steps of `wake` on one, two and four ranks: the same bits
 *   restart: 10 steps, snapshot, 10 steps: the bits of 20 steps
 *   emulated: 4 steps by the CUDA kernels on the host, recorded: the bits of the CPU's
 *   hot:     swirl and wake of hot air with cp(T), 1400 K: the figures above, the gap of swirl
 *            measured 2e-15; entropy by s0(T); emulated as above
 */
#include "solver/boundary/face_values.h"
#include "solver/boundary/mixing.h"
#include "solver/level/level.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double inner = 0.5, outer = 0.7, gas = 287.05, p1 = 1e5;
static double T1 = 300;
static const char *gas_text = "gamma: 1.4";
static struct an_gas model; /* of that text */

static void use_gas(int hot)
{
    static const double air[] = {1054.7, -0.44247, 1.1363e-3, -7.9265e-7, 1.8548e-10};
    T1 = hot ? 1400 : 300;
    gas_text = hot ? "cp: [1054.7, -0.44247, 1.1363e-3, -7.9265e-7, 1.8548e-10], "
                     "T_range: [250, 1500]"
                   : "gamma: 1.4";
    model = an_gas_perfect(gas, 1.4);
    if (hot)
        fixture_must(an_gas_polynomial(gas, 5, air, 250, 1500, &model), "gas");
}

struct duct {
    double x0, x1, angle, cluster;
};

/* i along x, j outwards, k around */
static void duct_map(void *context, const double s[3], double x[3])
{
    const struct duct *d = context;
    const double r = inner + (outer - inner) * (s[1] + d->cluster * sin(2 * PI * s[1]));
    vm_cylindrical(d->x0 + (d->x1 - d->x0) * s[0], r, d->angle * s[2], x);
}

/* The flows, in cylindrical components: rho, u_x, u_r, u_theta, p. */
enum flow { SWIRL, WAKE, REVERSE, PULSE };
struct start {
    enum flow flow;
    double off; /* relative error of what is filled in */
};

static void flow_at(enum flow flow, double x, double r, double angle, double q[5])
{
    double u = 60 / r, T = an_gas_T_at_rest(&model, T1, 60. * 60 - u * u);
    double p = p1 * an_gas_isentropic_p(&model, T1, T);
    q[1] = 100;
    q[2] = 0;
    if (flow == WAKE && x < 0) {
        const double wave = cos(20 * angle);
        q[1] = wave > 0 ? 100 - 40 * wave * wave : 100;
        p = p1;
        T = T1;
        u = 0;
    }
    if (flow == WAKE && x >= 0) {
        p = p1;
        T = T1;
        u = 0;
    }
    if (flow == REVERSE || flow == PULSE) {
        p = p1;
        T = T1;
        u = 0;
    }
    if (flow == REVERSE)
        q[1] = -30 + 130 * (r - inner) / (outer - inner);
    q[0] = p / (gas * T);
    if (flow == PULSE) { /* runs along x */
        const double c = an_gas_sound(&model, T), s = (x + 0.07) / 0.02;
        const double dp = 200 * exp(-s * s);
        q[1] = 80 + dp / (q[0] * c);
        q[0] += dp / (c * c);
        p += dp;
    }
    q[3] = u;
    q[4] = p;
}

static void fill(void *context, const double x[3], double q[5])
{
    const struct start *s = context;
    const double r = hypot(x[1], x[2]);
    double c[5];
    flow_at(s->flow, x[0], r, atan2(x[2], x[1]), c);
    q[0] = c[0];
    q[1] = c[1] * (1 + s->off);
    q[2] = (c[2] * x[1] - c[3] * x[2]) / r;
    q[3] = (c[2] * x[2] + c[3] * x[1]) / r;
    q[4] = c[4] * (1 + 0.3 * s->off);
}

/* Far field of an end: the flow, not the pulse. */
static void give(void *context, const struct an_face_place *at, double v[AN_BC_NVALUE])
{
    struct start far = *(struct start *)context;
    double x[3] = {at->x[0] < 0 ? -1 : 1, at->x[1], at->x[2]};
    far.off = 0;
    fill(&far, x, v);
    v[AN_BC_TURB] = -1;
}

static void write_mesh(const char *path)
{
    static struct duct duct[2] = {{-0.15, 0, 2 * PI / 20, 0.03}, {0, 0.15, 2 * PI / 28, -0.02}};
    static const struct vm_segment ends[] = VM_SECTOR(AN_BC_FARFIELD, "in", AN_BC_FARFIELD, "out");
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int n = 0; n < 2; n++) {
        const struct vm_box box = {.n = {16, n ? 12 : 8, n ? 8 : 16},
                                   .parts = {1, 1, 2},
                                   .turn = n ? 3 : 8,
                                   .map = duct_map,
                                   .context = &duct[n],
                                   .angle = duct[n].angle,
                                   .nsegment = 6,
                                   .segment = ends};
        vm_write(fixture_path(n ? "b.cgns" : "a.cgns"), &box);
    }
    int failed = 0;
    if (rank == 0) {
        const char *bin = getenv("AN_BIN");
        failed = system(verify_text("%s/mesh_join -o %s a=%s b=%s", bin ? bin : "build/bin", path,
                                    fixture_path("a.cgns"), fixture_path("b.cgns")));
    }
    MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    fixture_must(failed ? an_error_set(AN_FAIL, "status %d", failed) : AN_OK, "mesh_join");
}

static const char *yaml_of(const char *march, const char *device)
{
    return verify_text("case: plane\ndevice: %s\ngas: {%s, R: 287.05}\n"
                       "scheme: {flux: jst, boundary_order: 2}\nmarch: {%s}\n"
                       "initial: {p: 1e5, T: %g, mach: 0.3}\n"
                       "output: {folder: %s}\n"
                       "rows:\n  a: {zones: [\"a_*\"], omega: 0, blades: 20}\n"
                       "  b: {zones: [\"b_*\"], omega: 300, blades: 28}\n"
                       "boundaries:\n"
                       "  a_in: {type: farfield, p: 1e5, T: %g, mach: 0.3}\n"
                       "  b_out: {type: farfield, p: 1e5, T: %g, mach: 0.3}\n"
                       "  a_out: {type: mixing_plane, with: b_in}\n"
                       "  b_in: {type: mixing_plane, with: a_out, gain: 0.09}\n",
                       device, gas_text, march, T1, fixture_folder(), T1, T1);
}

static void open_flow(struct fixture *f, MPI_Comm comm, const char *march, const char *device,
                      struct start *start)
{
    fixture_open_on(f, comm, "plane", yaml_of(march, device), fixture_path("plane.cgns"));
    struct an_solver *s = f->solver;
    static const char *const name[2] = {"a_in", "b_out"};
    for (int n = 0; n < 2; n++) {
        const int b = an_boundary_find(&f->mesh.topology, name[n]);
        s->boundary[b].varies = 1;
        an_face_values_set(s, b, give, start);
    }
    for (int n = 0; n < s->nlevel; n++)
        fixture_must(s->engine->op->faces_set(s->engine, s->level[n].faces, s->boundary), "faces");
    fixture_must(an_solver_fill(s, fill, start), "fill");
}

/* Fluxes of the sides of the plane, out of a and into b, whole annulus: mass, axial force, moment,
 * energy. The force into b has the pressure on the step between the polygons of both sides. */
static void fluxes(struct fixture *f, double flux[2][4], double *gap)
{
    struct an_mixing *m = an_mixing_of(f->solver);
    struct an_measure measure = {.integral = NULL};
    fixture_must(an_solver_measure(f->solver, &measure), "measure");
    fixture_must(an_bands_measure(f->solver, m->bands, m->sum), "bands");
    double area[2] = {0, 0}, force[2] = {0, 0};
    memset(flux, 0, 2 * sizeof *flux);
    for (int side = 0; side < 2; side++) {
        const struct an_band_group *of = &m->bands->group[side];
        const double w = (side ? -1 : 1) * of->sectors;
        for (int b = of->first; b < of->first + of->n; b++) {
            const double *sum = m->sum[b];
            flux[side][0] += w * sum[AN_I_MASS];
            flux[side][1] += w * sum[AN_I_MX];
            flux[side][2] += w * sum[AN_I_MZ];
            flux[side][3] += w * sum[AN_I_ENERGY];
            area[side] += of->sectors * m->bands->area[b];
            force[side] += of->sectors * sum[AN_I_CELL_P];
        }
    }
    flux[1][1] -= 0.5 * (force[0] / area[0] + force[1] / area[1]) * (area[1] - area[0]);
    *gap = m->plane[0].gap;
}

static void check_gaps(struct fixture *f, const char *name, double most)
{
    static const char *const what[4] = {"mass", "axial momentum", "moment", "energy"};
    double flux[2][4], gap;
    fluxes(f, flux, &gap);
    const double area = PI * (outer * outer - inner * inner);
    const double scale[4] = {fabs(flux[0][0]), p1 * area, fmax(fabs(flux[0][2]), p1 * area * 0.01),
                             fabs(flux[0][3])};
    for (int c = 0; c < 4; c++)
        verify_check(verify_text("%s: gap of %s", name, what[c]),
                     fabs(flux[0][c] - flux[1][c]) / scale[c], 0, most);
    verify_check(verify_text("%s: gap of any band", name), gap, 0, most);
}

/* Entropy over cv at 300 K, of rho and p. */
static double entropy(double rho, double p)
{
    return (an_gas_s0(&model, p / (rho * gas)) - gas * log(p)) / (2.5 * gas);
}

/* Means by mass flux of the entropy of the cells beside the plane. */
struct beside {
    double sum[2], mass[2];
};

static void add_beside(void *context, int zone, const int cell[3], const double x[3],
                       const double q[5], double volume)
{
    (void)zone, (void)cell;
    struct beside *b = context;
    if (fabs(x[0]) > 0.15 / 16)
        return;
    const double m = q[0] * q[1] * volume * (x[0] < 0 ? 20 : 28);
    b->sum[x[0] > 0] += m * entropy(q[0], q[4]);
    b->mass[x[0] > 0] += m;
}

static void check_entropy(struct fixture *f)
{
    struct beside b = {{0}, {0}};
    double flux[2][4], gap;
    struct an_mixing_state mixed;
    fixture_cells(f, add_beside, &b);
    MPI_Allreduce(MPI_IN_PLACE, b.sum, 4, MPI_DOUBLE, MPI_SUM, f->comm);
    fluxes(f, flux, &gap);
    double whole = 0;
    const struct an_band_group *of = &an_mixing_of(f->solver)->bands->group[0];
    for (int n = of->first; n < of->first + of->n; n++)
        whole += of->sectors * an_mixing_of(f->solver)->bands->area[n];
    const double per[5] = {flux[0][0] / whole, flux[0][1] / whole, 0, 0, flux[0][3] / whole};
    if (!an_mixing_mixed_out(per, &f->c.gas.model, &mixed))
        fixture_must(AN_FAIL, "mixed out");
    const double s0 = b.sum[0] / b.mass[0], s1 = b.sum[1] / b.mass[1];
    const double rise = entropy(mixed.rho, mixed.p) - s0;
    verify_note("wake: entropy rise over cv %.4e, mixed-out %.4e", s1 - s0, rise);
    verify_check("wake: entropy rise over that of the mixed-out flow", (s1 - s0) / rise, 0.98,
                 1.02);
}

static void check_gain(void)
{
    struct fixture f;
    struct start start = {WAKE, 0};
    open_flow(&f, MPI_COMM_WORLD, "iterations: 1", "cpu", &start);
    verify_check("the smaller gain of both sides", an_mixing_of(f.solver)->plane[0].gain, 0.09,
                 0.09);
    verify_check("control bands: each holds layers of 8 and of 12", an_mixing_of(f.solver)->n, 6,
                 6);
    fixture_close(&f);
}

/* The targets of a flow that is extrapolated (solver/march/predictor.h): density, velocity and pressure of both sides move, the
 * turbulence and the direction of a band do not. */
static void check_moved(void)
{
    struct fixture f;
    struct start start = {WAKE, 0};
    open_flow(&f, MPI_COMM_WORLD, "method: runge_kutta, cfl: 2.5, iterations: 1", "cpu", &start);
    const int n = an_mixing_numbers(f.solver);
    double *v = calloc(3 * (size_t)n, sizeof *v), *before = v, *last = v + n, *moved = v + 2 * n;
    double worst = 0, change = 0;
    an_mixing_targets(f.solver, before);
    fixture_steps(&f, 3);
    an_mixing_targets(f.solver, last);
    fixture_must(an_mixing_move(f.solver, last, before, 0.5), "move");
    an_mixing_targets(f.solver, moved);
    for (int k = 0; k < n; k++) {
        const int word = k % 15,
                  moves = word < 14 && word % 7 < 5; /* 2 x (rho, u, p, TURB), direction */
        const double wanted = last[k] + (moves ? 0.5 * (last[k] - before[k]) : 0);
        worst = fmax(worst, fabs(moved[k] - wanted) / fmax(fabs(wanted), 1));
        change = fmax(change, fabs(wanted - last[k]));
    }
    verify_check("moved targets: the flow has changed", change > 0, 1, 1);
    verify_check("moved targets", worst, 0, 1e-14);
    free(v);
    fixture_close(&f);
}

static void converge(enum flow flow, double off, const char *name, double most)
{
    struct fixture f;
    struct start start = {flow, off};
    open_flow(&f, MPI_COMM_WORLD, "method: runge_kutta, cfl: 2.5, iterations: 1", "cpu", &start);
    const double drop = fixture_converge(&f, 1e-12, flow == SWIRL ? 4000 : 3000);
    verify_note("%s: residual fell to %.1e in %lld steps", name, drop,
                (long long)an_solver_iteration(f.solver));
    check_gaps(&f, name, most);
    if (flow == WAKE)
        check_entropy(&f);
    fixture_close(&f);
}

/* Largest upstream- and downstream-running waves in row a, as pressures. */
static void add_waves(void *context, int zone, const int cell[3], const double x[3],
                      const double q[5], double volume)
{
    (void)zone, (void)cell, (void)volume;
    double *most = context;
    const double rho = p1 / (gas * T1), c = an_gas_sound(&model, T1);
    if (x[0] > 0)
        return;
    most[0] = verify_worst(most[0], fabs(0.5 * ((q[4] - p1) - rho * c * (q[1] - 80))));
    most[1] = verify_worst(most[1], fabs(0.5 * ((q[4] - p1) + rho * c * (q[1] - 80))));
}

static void pulse(void)
{
    struct fixture f;
    struct start start = {PULSE, 0};
    double before[2] = {0, 0}, after[2] = {0, 0};
    const double c = an_gas_sound(&model, T1), end = 0.14 / (c + 80);
    open_flow(&f, MPI_COMM_WORLD,
              verify_text("mode: unsteady, cfl: 1, end_time: %g, iterations: 100000", end), "cpu",
              &start);
    fixture_cells(&f, add_waves, before);
    fixture_until(&f, end);
    fixture_cells(&f, add_waves, after);
    MPI_Allreduce(MPI_IN_PLACE, before, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, after, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    verify_note("pulse: %.3g Pa went in, %.3g Pa came back, %.3g Pa are left of it", before[1],
                after[0], after[1]);
    verify_check("pulse: what comes back", after[0] / before[1], 0, 0.05);
    fixture_close(&f);
}

static uint64_t hash_after(MPI_Comm comm, int steps, int stop, const char *device)
{
    struct fixture f;
    struct start start = {WAKE, 0.02};
    open_flow(&f, comm, "method: runge_kutta, cfl: 2.5, iterations: 100", device, &start);
    fixture_steps_through(&f, steps, stop);
    const uint64_t hash = fixture_hash(&f);
    fixture_close(&f);
    return hash;
}

static void ranks(void)
{
    int rank, size;
    uint64_t hash[3] = {0, 0, 0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int n = 0; n < 3 && 1 << n <= size; n++) {
        MPI_Comm some;
        MPI_Comm_split(MPI_COMM_WORLD, rank < 1 << n ? 0 : MPI_UNDEFINED, rank, &some);
        if (some != MPI_COMM_NULL) {
            hash[n] = hash_after(some, 20, -1, "cpu");
            MPI_Comm_free(&some);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Bcast(hash, 3, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    for (int n = 1; n < 3 && 1 << n <= size; n++)
        verify_check(verify_text("%d ranks: other bits than one", 1 << n), hash[n] != hash[0], 0,
                     0);
    const uint64_t again = hash_after(MPI_COMM_WORLD, 20, 10, "cpu");
    verify_check("restart: other bits", again != hash[0], 0, 0);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    write_mesh(fixture_path("plane.cgns"));
    use_gas(0);
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    ranks();
    check_gain();
    check_moved();
    if (size == 1) {
        const uint64_t cpu = hash_after(MPI_COMM_WORLD, 4, -1, "cpu");
        verify_check("emulated: other bits", hash_after(MPI_COMM_WORLD, 4, -1, "emulated") != cpu,
                     0, 0);
        pulse();
        converge(SWIRL, 0.03, "swirl", 1e-8);
        converge(WAKE, 0, "wake", 1e-3);
        converge(REVERSE, 0, "reverse", 1e-3);
        use_gas(1);
        const uint64_t hot = hash_after(MPI_COMM_WORLD, 4, -1, "cpu");
        verify_check("hot, emulated: other bits",
                     hash_after(MPI_COMM_WORLD, 4, -1, "emulated") != hot, 0, 0);
        converge(SWIRL, 0.03, "hot swirl", 1e-8);
        converge(WAKE, 0, "hot wake", 1e-3);
    }
    return verify_end();
}

/* Gas tables: what stencils read of the pressure belongs to the state that they read.
 *
 * An engine stands between the solver and the CPU engine. Ahead of every operation that reads EOS it finds
 * pressure and properties of the operation's state W anew, in all cells and ghosts, and compares them with EOS: all bits in
 * cells and in ghosts that hold states of cells, to 1e-9 in ghosts behind boundaries. Only `correct` is left out, which compares changes with the pressure of a stage. The runs: explicit stages
 * with one and several zones, with friction and with a scalar, multigrid with Spalart-Allmaras and damping,
 * dual time steps, a mixing plane. EOS itself is compared with the table's functions of the host.
 */
#include "io/gas_file.h"
#include "kernels/physics/gas_real.h"
#include "solver/level/level.h"
#include "tests/engines/engine_fields.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* What stands between; one solver at a time. */
static struct {
    const struct an_engine_ops *real;
    struct an_solver *solver;
    void *fresh[AN_MAX_LEVEL];
    int64_t reads, stale;
    char first[80];
} watch;

static size_t eos_bytes(const struct an_level *l)
{
    return (size_t)l->layout.ncell * AN_NCOMP_EOS * (size_t)l->layout.precision;
}

/* Largest relative difference of two fields EOS of a level, in cells and ghosts. */
static double off(const struct an_level *l, const double *a, const double *b)
{
    double most = 0;
    for (int64_t n = 0; n < l->layout.ncell * AN_NCOMP_EOS; n++)
        most = fmax(most, a[n] == b[n] ? 0 : fabs(a[n] - b[n]) / fmax(fabs(a[n]), fabs(b[n])));
    return most;
}

/* An operation `name` reads EOS of the state W of f, in the cells inside alone or in ghosts, too. Ghosts behind
 * boundaries have the properties of density and pressure, which differ by rounding from those of density and energy. */
static int look(struct an_engine *e, const char *name, int ghosts, const struct an_fields *f,
                const struct an_params *p)
{
    for (int n = 0; n < watch.solver->nlevel; n++) {
        struct an_level *l = &watch.solver->level[n];
        if (!f->at[AN_F_EOS] || f->at[AN_F_EOS] != l->fields.at[AN_F_EOS])
            continue;
        struct an_fields g = *f;
        g.at[AN_F_EOS] = watch.fresh[n];
        memcpy(watch.fresh[n], f->at[AN_F_EOS], eos_bytes(l));
        AN_TRY(watch.real->run(e, AN_S_eos, l->interior, &g, p, NULL, 0));
        if (ghosts)
            AN_TRY(watch.real->run(e, AN_S_eos, l->copied, &g, p, NULL, 0));
        watch.reads++;
        int same = memcmp(watch.fresh[n], f->at[AN_F_EOS], eos_bytes(l)) == 0;
        if (ghosts)
            AN_TRY(watch.real->run(e, AN_S_eos, l->ghosts, &g, p, NULL, 0));
        same = same && off(l, watch.fresh[n], f->at[AN_F_EOS]) < 1e-9;
        if (same)
            return AN_OK;
        if (!watch.stale++)
            snprintf(watch.first, sizeof watch.first, "%s, level %d", name, n + 1);
        return AN_OK;
    }
    return AN_OK;
}

static int look_stencil(struct an_engine *e, enum an_stencil s, const struct an_fields *f,
                        const struct an_params *p)
{
    static const char *const names[AN_NSTENCIL] = {
#define NAME(name) #name,
        AN_STENCIL_LIST(NAME, NAME, NAME, NAME)
#undef NAME
    };
    if (s == AN_S_correct || s == AN_S_eos)
        return AN_OK;
    for (const struct stencil_field *of = stencil_account[s].field; of->role != ROLE_END; of++)
        if (of->field == AN_F_EOS && of->role != ROLE_OUT)
            return look(e, names[s], s != AN_S_ghost_fill, f, p);
    return AN_OK;
}

static int run(struct an_engine *e, enum an_stencil s, const struct an_tiles *t,
               const struct an_fields *f, const struct an_params *p, struct an_reduction *red,
               int stream)
{
    AN_TRY(look_stencil(e, s, f, p));
    return watch.real->run(e, s, t, f, p, red, stream);
}

static int run_lines(struct an_engine *e, enum an_stencil s, const struct an_lines *lines,
                     const struct an_fields *f, const struct an_params *p, int stream)
{
    AN_TRY(look_stencil(e, s, f, p));
    return watch.real->run_lines(e, s, lines, f, p, stream);
}

static int run_faces(struct an_engine *e, enum an_stencil s, enum an_scheme scheme,
                     const struct an_faces *faces, const struct an_fields *f,
                     const struct an_params *p, struct an_xsum *sum, int stream)
{
    AN_TRY(look_stencil(e, s, f, p));
    return watch.real->run_faces(e, s, scheme, faces, f, p, sum, stream);
}

static int residual(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                    const struct an_fields *f, const struct an_params *p, int stream)
{
    AN_TRY(look(e, "residual", 1, f, p));
    return watch.real->residual(e, scheme, t, f, p, stream);
}

static int stage(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                 const struct an_fields *f, const struct an_params *p, int stream)
{
    AN_TRY(look(e, "stage", 1, f, p));
    return watch.real->stage(e, scheme, t, f, p, stream);
}

static void begin(struct fixture *f)
{
    static struct an_engine_ops ops;
    memset(&watch, 0, sizeof watch);
    watch.real = f->engine.op;
    watch.solver = f->solver;
    for (int n = 0; n < f->solver->nlevel; n++) {
        struct an_level *l = &f->solver->level[n];
        const size_t bytes = eos_bytes(l);
        fixture_must(watch.real->alloc(&f->engine, bytes, &watch.fresh[n]), "memory");
        memset(watch.fresh[n], 0, bytes);
        memset(l->fields.at[AN_F_EOS], 0, bytes); /* beside the cells, too */
    }
    ops = *f->engine.op;
    ops.run = run;
    ops.run_lines = run_lines;
    ops.run_faces = run_faces;
    ops.residual = residual;
    ops.stage = stage;
    f->engine.op = &ops;
}

/* EOS of the first block and the functions of the host: largest relative difference. */
static double off_host(struct fixture *f)
{
    const struct an_level *l = f->solver->level;
    const struct an_gas_table *t = f->c.gas.model.table;
    const double *w = l->fields.at[AN_F_W], *eos = l->fields.at[AN_F_EOS];
    const int64_t cs = l->layout.ncell;
    const struct an_block *b = &l->layout.block[0];
    double most = 0;
    for (int k = 0; k < b->n[2]; k++)
        for (int j = 0; j < b->n[1]; j++)
            for (int i = -2; i < b->n[0] + 2; i++) {
                const int64_t at = an_element(b, i, j, k);
                const double rho = w[at], q2 = w[cs + at] * w[cs + at] +
                                               w[2 * cs + at] * w[2 * cs + at] +
                                               w[3 * cs + at] * w[3 * cs + at];
                const double p = an_table_pressure(t, rho, (w[4 * cs + at] - 0.5 * q2 / rho) / rho);
                const struct an_gas_state_of s = an_table_state(t, rho, p);
                const double want[4] = {p, s.kappa, s.c * s.c, s.T};
                const int words = f->solver->params.fluid.viscosity ? 4 : 3;
                for (int c = 0; c < words; c++)
                    most = fmax(most, fabs(eos[c * cs + at] / want[c] - 1));
                if (words == 4) {
                    const double heat = fabs(eos[AN_EOS_CP * cs + at] / s.cp - 1);
                    most = fmax(most, fmax(heat, fabs(eos[AN_EOS_CV * cs + at] / s.cv - 1)));
                }
            }
    return most;
}

static void finish(struct fixture *f, const char *name)
{
    verify_check(verify_text("%s: readings of EOS", name), (double)watch.reads, 10, 1e6);
    verify_check(verify_text("%s: EOS of another state%s%s", name, watch.stale ? ", first: " : "",
                             watch.first),
                 (double)watch.stale, 0, 0);
    verify_check(verify_text("%s: EOS / functions of the host - 1", name), off_host(f), 0, 1e-9);
    f->engine.op = watch.real;
    for (int n = 0; n < f->solver->nlevel; n++)
        watch.real->free(&f->engine, watch.fresh[n]);
    fixture_close(f);
}

/* A duct with a bump on its lower wall. */
static void duct(const char *name, int parts, const char *rest, int steps)
{
    const char *mesh = fixture_path("duct.cgns"), *source = getenv("AN_SOURCE");
    vm_write_bump(mesh, (const int[3]){16, 8, 4}, parts, parts > 1 ? 7 : -1);
    struct fixture f;
    fixture_open(&f, "duct",
                 verify_text("case: duct\ngas: {table: %s/tests/tables/steam.h5, viscosity: %s}\n%s"
                             "initial: {p: 4.4e5, T: 590, mach: 0.3, direction: [1, 0, 0]}\n"
                             "output: {folder: %s}\n",
                             source ? source : ".", strstr(rest, "wall_viscous") ? "table" : "none",
                             rest, fixture_folder()),
                 mesh);
    begin(&f);
    fixture_must(an_solver_fill_initial(f.solver), "initial state");
    fixture_steps(&f, steps);
    finish(&f, name);
}

#define DUCT_ENDS(wall)                                                     \
    "boundaries:\n"                                                         \
    "  in: {type: inlet_total, p0: 5e5, T0: 600, direction: [1, 0, 0]%s}\n" \
    "  out: {type: outlet_static, p: 4.2e5}\n  wall: {type: " wall "}\n"    \
    "  top: {type: symmetry}\n  sides: {type: symmetry}\n"

static void ducts(void)
{
    static char text[1024];
    snprintf(text, sizeof text,
             "scheme: {flux: jst}\nmarch: {mode: unsteady, cfl: 0.8, end_time: 1}\n" DUCT_ENDS(
                 "wall_slip"),
             "");
    duct("explicit", 1, text, 3);
    duct("explicit, two zones", 2, text, 3);
    snprintf(text, sizeof text,
             "scheme: {flux: roe}\nmarch: {mode: unsteady, cfl: 0.5, end_time: 1}\n"
             "scalars: {Dye: {initial: 0}}\n" DUCT_ENDS("wall_viscous"),
             ", scalars: [1]");
    duct("explicit, friction, scalar", 2, text, 3);
    snprintf(text, sizeof text,
             "turbulence: {model: sa}\nmarch: {mode: steady, damping: 0.01}\n"
             "multigrid: {levels: 2, full: false}\n" DUCT_ENDS("wall_viscous"),
             "");
    duct("multigrid, SA, damping", 2, text, 4);
    snprintf(text, sizeof text,
             "turbulence: {model: sst}\n"
             "march: {mode: unsteady, method: dual, time_step: 1e-5, end_time: 1}\n" DUCT_ENDS(
                 "wall_viscous"),
             "");
    duct("dual time, SST", 1, text, 2);
}

/* Two rows of a straight annulus. */
static void row_map(void *context, const double s[3], double x[3])
{
    const double *const row = context;
    vm_cylindrical(row[0] + 0.1 * s[0], 0.5 + 0.1 * s[1], row[1] * s[2], x);
}

static void mixing_plane(void)
{
    static const struct vm_segment ends[] = VM_SECTOR(AN_BC_FARFIELD, "in", AN_BC_FARFIELD, "out");
    static double row[2][2] = {{-0.1, 2 * PI / 20}, {0, 2 * PI / 24}};
    const char *bin = getenv("AN_BIN"), *source = getenv("AN_SOURCE");
    for (int n = 0; n < 2; n++) {
        const struct vm_box box = {.n = {8, 8, 8},
                                   .parts = {1, 1, 1},
                                   .turn = -1,
                                   .map = row_map,
                                   .context = row[n],
                                   .angle = row[n][1],
                                   .nsegment = 6,
                                   .segment = ends};
        vm_write(fixture_path(n ? "b.cgns" : "a.cgns"), &box);
    }
    const char *mesh = fixture_path("plane.cgns");
    fixture_must(system(verify_text("%s/mesh_join -o %s a=%s b=%s", bin ? bin : "build/bin", mesh,
                                    fixture_path("a.cgns"), fixture_path("b.cgns")))
                     ? an_error_set(AN_FAIL, "it failed")
                     : AN_OK,
                 "mesh_join");
    struct fixture f;
    fixture_open(&f, "plane",
                 verify_text("case: plane\ngas: {table: %s/tests/tables/air.h5}\n"
                             "march: {mode: steady}\n"
                             "initial: {p: 1e5, T: 300, mach: 0.3}\n"
                             "output: {folder: %s}\n"
                             "rows:\n  a: {zones: [\"a_*\"], omega: 0, blades: 20}\n"
                             "  b: {zones: [\"b_*\"], omega: 300, blades: 24}\n"
                             "boundaries:\n"
                             "  a_in: {type: farfield, p: 1e5, T: 300, mach: 0.3}\n"
                             "  b_out: {type: farfield, p: 0.97e5, T: 300, mach: 0.3}\n"
                             "  a_out: {type: mixing_plane, with: b_in}\n"
                             "  b_in: {type: mixing_plane, with: a_out}\n",
                             source ? source : ".", fixture_folder()),
                 mesh);
    begin(&f);
    fixture_must(an_solver_fill_initial(f.solver), "initial state");
    fixture_steps(&f, 4);
    finish(&f, "mixing plane");
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    ducts();
    mixing_plane();
    return verify_end();
}

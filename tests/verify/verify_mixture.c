/* Mixtures of two gases, gas.fraction: solver/march/mixture.h.
 *
 *   1. A duct with a bump, Z = 0 or Z = 1 everywhere, 40 explicit steps with central fluxes: the state of the gas of
 *      `gas.mixture` with that composition, to 1e-11. With Roe's flux, which takes energies on faces along the plane that
 *      touches rho e at the cell, the settled state agrees to 3e-3.
 *   2. Contact: two supersonic streams of equal velocity and pressure, and of different Z and temperature, one above the other,
 *      in a duct that one of the gases filled at the start: the front passes, and then the pressure is uniform to 1e-6, the
 *      velocity, too, and Z is 0 or 1, with Roe's flux. The matrix dissipation smears contacts: within 1 %.
 *   3. Mixing layer of two streams of equal temperature, pressure and velocity and different gases (R 287 and 461): ideal gases mix
 *      without heat, so the temperature stays. Without the enthalpy that diffusion carries it would be off by a tenth.
 *   4. Two streams of air and burnt gas that mix in a duct: as much mass, momentum, energy and burnt gas leaves as
 *      enters, but for what diffuses through the inlets; the mixed-out state of the outlet is that of the fluxes of the inlets, found here from the polynomials of cp; the inlet of the burnt gas brings its enthalpy.
 */
#include "kernels/physics/gas_mixture.h"
#include "kernels/physics/gas_state.h"
#include "solver/flow/flow.h"
#include "solver/level/level.h"
#include "solver/monitor/performance.h"
#include "solver/output/packed.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/verify_mesh.h"
#include "tests/verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double burnt = 0.03;

/* ---- the cells, from the memory of the CPU engine ---- */

struct range {
    double least, most;
};

static struct range range_of(const struct fixture *f, const double *field)
{
    const struct an_layout *l = &f->solver->level->layout;
    struct range r = {INFINITY, -INFINITY};
    for (int b = 0; b < l->nblock; b++)
        for (int k = 0; k < l->block[b].n[2]; k++)
            for (int j = 0; j < l->block[b].n[1]; j++)
                for (int i = 0; i < l->block[b].n[0]; i++) {
                    const double v = field[an_element(&l->block[b], i, j, k)];
                    r.least = v < r.least ? v : r.least;
                    r.most = v > r.most || v != v ? v : r.most;
                }
    return r;
}

static const double *word_of(const struct fixture *f, int word)
{
    return an_level_component(f->solver->level, AN_F_EOS, word);
}

/* Of the state of a run without words of EOS: its pressure. */
static double largest_step(const struct fixture *a, const struct fixture *b)
{
    const struct an_layout *l = &a->solver->level->layout;
    const double *x = a->solver->level->fields.at[AN_F_W], *y = b->solver->level->fields.at[AN_F_W];
    double worst = 0;
    for (int c = 0; c < 5; c++) {
        const struct range r = range_of(a, x + c * l->ncell);
        const double size = fmax(fabs(r.least), fabs(r.most));
        for (int k = 0; k < l->block[0].n[2] && size > 1e-6; k++)
            for (int j = 0; j < l->block[0].n[1]; j++)
                for (int i = 0; i < l->block[0].n[0]; i++) {
                    const int64_t at = c * l->ncell + an_element(&l->block[0], i, j, k);
                    worst = verify_worst(worst, fabs(x[at] - y[at]) / size);
                }
    }
    return worst;
}

/* fixture_open with an output folder, where scalars.csv goes. */
static void open_case(struct fixture *f, const char *name, const char *yaml, const char *mesh)
{
    char text[4096];
    snprintf(text, sizeof text, "%soutput: {folder: %s}\n", yaml, fixture_folder());
    fixture_open(f, name, text, mesh);
}

/* ---- 1 ---- */

static const char *bump(void)
{
    static char mesh[1024];
    snprintf(mesh, sizeof mesh, "%s", fixture_path("bump.cgns"));
    vm_write_bump(mesh, (const int[3]){24, 8, 1}, 1, -1);
    return mesh;
}

static void open_bump(struct fixture *f, const char *mesh, int mixed, double fraction,
                      const char *rest)
{
    const char *gas = mixed
                          ? verify_text("fuel_air_ratio: 0, fraction: Z, "
                                        "fraction_fuel_air_ratio: %g}\nscalars: {Z: {initial: %g}}",
                                        burnt, fraction)
                          : verify_text("fuel_air_ratio: %g}", burnt * fraction);
    open_case(f, "bump",
              verify_text("case: bump\ngas: {mixture: air, %s\n%s\n"
                          "initial: {p: 9e5, T: 1400, mach: 0.3, direction: [1, 0, 0]}\n"
                          "boundaries:\n"
                          "  in: {type: inlet_total, p0: 1e6, T0: 1500, direction: [1, 0, 0]%s}\n"
                          "  out: {type: outlet_static, p: 8.5e5}\n  wall: {type: wall_slip}\n"
                          "  top: {type: symmetry}\n  sides: {type: symmetry}\n",
                          gas, rest, mixed ? verify_text(", scalars: [%g]", fraction) : ""),
              mesh);
    fixture_must(an_solver_fill_initial(f->solver), "initial state");
}

static void ends(void)
{
    const char *mesh = bump();
    const char *explicit_steps = "march: {method: runge_kutta}\nscheme: {flux: jst}";
    const char *settled = "march: {cfl: 50}\nscheme: {flux: roe}";
    for (int fraction = 0; fraction < 2; fraction++) {
        struct fixture pure, mixed;
        open_bump(&pure, mesh, 0, fraction, explicit_steps);
        open_bump(&mixed, mesh, 1, fraction, explicit_steps);
        fixture_steps(&pure, 40);
        fixture_steps(&mixed, 40);
        verify_check(
            verify_text("Z = %d everywhere, 40 steps: difference from the gas itself", fraction),
            largest_step(&pure, &mixed), 0, 1e-11);
        fixture_close(&pure);
        fixture_close(&mixed);
        open_bump(&pure, mesh, 0, fraction, settled);
        open_bump(&mixed, mesh, 1, fraction, settled);
        fixture_converge(&pure, 1e-6, 300);
        fixture_converge(&mixed, 1e-6, 300);
        verify_check(
            verify_text("Z = %d everywhere, settled: difference from the gas itself", fraction),
            largest_step(&pure, &mixed), 0, 3e-3);
        fixture_close(&pure);
        fixture_close(&mixed);
    }
}

/* ---- 2 and 3: streams above one another ---- */

enum { ROWS = 24, COLUMNS = 24 };
static const double height = 0.1, length = 1;

static void layer_map(void *context, const double s[3], double x[3])
{
    (void)context;
    x[0] = length * s[0];
    x[1] = height * (s[1] - 0.5);
    x[2] = 0.01 * s[2];
}

static const char *layer(enum an_bc_type in, enum an_bc_type out)
{
    const struct vm_segment segments[] = {
        {.dir = 0, .side = 0, .along = 1, .lo = 0, .hi = ROWS / 2, .type = in, .name = "low"},
        {.dir = 0, .side = 0, .along = 1, .lo = ROWS / 2, .hi = ROWS, .type = in, .name = "high"},
        {.dir = 0, .side = 1, .type = out, .name = "out"},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_SLIP, .name = "floor"},
        {.dir = 1, .side = 1, .type = AN_BC_WALL_SLIP, .name = "roof"},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "sides"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "sides"}};
    const struct vm_box box = {
        .n = {COLUMNS, ROWS, 1}, .turn = -1, .map = layer_map, .nsegment = 7, .segment = segments};
    static char mesh[1024];
    snprintf(mesh, sizeof mesh, "%s", fixture_path("layer.cgns"));
    vm_write(mesh, &box);
    return mesh;
}

/* hot: the temperature of the lower stream; off_by: what is allowed. */
static void contact(const char *flux, double hot, double off_by)
{
    const char *mesh = layer(AN_BC_INLET_SUPERSONIC, AN_BC_OUTLET_SUPERSONIC);
    struct fixture f;
    open_case(
        &f, "contact",
        verify_text(
            "case: contact\n"
            "gas: {mixture: air, fraction: Z, fraction_fuel_air_ratio: 0.06}\n"
            "march: {cfl: 20}\nscheme: {flux: %s}\n"
            "initial: {p: 1e5, T: 400, velocity: [1500, 0, 0]}\nscalars: {Z: {}}\n"
            "boundaries: {low: {type: inlet_supersonic, p: 1e5, T: %g, velocity: [1500, 0, 0], "
            "scalars: [1]}, high: {type: inlet_supersonic, p: 1e5, T: 400, velocity: [1500, "
            "0, 0]}}\n",
            flux, hot),
        mesh);
    fixture_must(an_solver_fill_initial(f.solver), "initial state");
    double off = 0; /* while the front passes */
    for (int n = 0; n < 60; n++) {
        fixture_steps(&f, 5);
        const struct range p = range_of(&f, word_of(&f, AN_EOS_P));
        off = verify_worst(off, fmax(p.most / 1e5 - 1, 1 - p.least / 1e5));
    }
    const struct range p = range_of(&f, word_of(&f, AN_EOS_P));
    const struct range z = range_of(&f, word_of(&f, AN_EOS_FRACTION));
    const double *w = f.solver->level->fields.at[AN_F_W];
    const struct range v = range_of(&f, w + 2 * f.solver->level->layout.ncell);
    verify_check(verify_text("contact, %s: pressure while the front passes", flux), off, 0, 0.3);
    verify_check(verify_text("contact, %s: least pressure", flux), p.least / 1e5, 1 - off_by,
                 1 + off_by);
    verify_check(verify_text("contact, %s: largest pressure", flux), p.most / 1e5, 1 - off_by,
                 1 + off_by);
    verify_check(verify_text("contact, %s: momentum across over that along", flux),
                 fmax(v.most, -v.least) / 400, 0, off_by);
    verify_check(verify_text("contact, %s: least fraction", flux), z.least, 0, 0);
    verify_check(verify_text("contact, %s: largest fraction", flux), z.most, 1 - 1e-9, 1);
    const struct an_block *block = &f.solver->level->layout.block[0];
    const double *fraction = word_of(&f, AN_EOS_FRACTION);
    verify_check(verify_text("contact, %s: fraction below the contact", flux),
                 fraction[an_element(block, COLUMNS - 1, ROWS / 2 - 1, 0)], 1 - 10 * off_by, 1);
    verify_check(verify_text("contact, %s: fraction above it", flux),
                 fraction[an_element(block, COLUMNS - 1, ROWS / 2, 0)], 0, 10 * off_by);
    fixture_close(&f);
}

static void isothermal(void)
{
    const char *mesh = layer(AN_BC_INLET_SUPERSONIC, AN_BC_OUTLET_SUPERSONIC);
    struct fixture f;
    open_case(
        &f, "isothermal",
        verify_text(
            "case: isothermal\n"
            "gas: {R: 287, cp: [1005], T_range: [200, 2000], fraction: Z, fraction_R: 461, "
            "fraction_cp: [1860, 0.2], viscosity: constant, mu: 0.04, prandtl: 0.7}\n"
            "march: {cfl: 50}\nscheme: {flux: roe}\nmultigrid: {levels: 1}\n"
            "initial: {p: 1e5, T: 600, velocity: [1500, 0, 0]}\n"
            "scalars: {Z: {initial: 0.5, schmidt: 0.35}}\n"
            "boundaries: {low: {type: inlet_supersonic, p: 1e5, T: 600, velocity: [1500, 0, 0], "
            "scalars: [1]}, high: {type: inlet_supersonic, p: 1e5, T: 600, velocity: [1500, 0, "
            "0]}}\n"),
        mesh);
    fixture_must(an_solver_fill_initial(f.solver), "initial state");
    fixture_converge(&f, 1e-8, 600);
    const struct range t = range_of(&f, word_of(&f, AN_EOS_T));
    const struct an_block *block = &f.solver->level->layout.block[0];
    const double *z = word_of(&f, AN_EOS_FRACTION);
    verify_check("isothermal mixing: fraction in the middle of the outlet",
                 0.5 * (z[an_element(block, COLUMNS - 1, ROWS / 2, 0)] +
                        z[an_element(block, COLUMNS - 1, ROWS / 2 - 1, 0)]),
                 0.4, 0.6);
    verify_check("isothermal mixing: fraction at the roof of the outlet",
                 z[an_element(block, COLUMNS - 1, ROWS - 1, 0)], 0.001, 0.2);
    verify_check("isothermal mixing: lowest temperature", t.least, 600 * (1 - 0.01), 600);
    verify_check("isothermal mixing: highest temperature", t.most, 600, 600 * (1 + 0.01));
    fixture_close(&f);
}

/* ---- 4 and 5 ---- */

/* Sums over a boundary. */
struct through {
    double mass, momentum, energy, fraction;
};

static struct through through_of(struct fixture *f, const char *name)
{
    struct an_state_field state[AN_MOST_STATE];
    const struct an_topology *t = &f->solver->level->partition.topology;
    double(*total)[AN_NINTEGRAL] = calloc((size_t)t->nboundary, sizeof *total);
    struct through sum = {0};
    const int n = an_state_fields(f->solver, state);
    void *const turb = f->solver->level->fields.at[AN_F_TURB];
    for (int m = 0; m < n; m++)
        if (strcmp(state[m].name, "Z") == 0)
            f->solver->level->fields.at[AN_F_TURB] = state[m].memory;
    const int model = f->solver->params.turb.model;
    f->solver->params.turb.model = AN_TURBULENCE_SA; /* one variable: Z */
    fixture_must(an_solver_integrate(f->solver, f->solver->level->faces, total), "integrals");
    f->solver->params.turb.model = model;
    f->solver->level->fields.at[AN_F_TURB] = turb;
    for (int b = 0; b < t->nboundary; b++)
        if (strcmp(f->solver->mesh->topology.boundary[b].name, name) == 0)
            sum = (struct through){total[b][AN_I_MASS], total[b][AN_I_MX], total[b][AN_I_ENERGY],
                                   total[b][AN_I_MTURB0]};
    free(total);
    return sum;
}

/* The uniform flow with the mass flow, momentum and energy of `t` through `area`, subsonic: its temperature and pressure. */
static void mixed_out(const struct an_gas *gas, const struct through *t, double area, double *T,
                      double *p)
{
    double low = 1, high = 600;
    for (int n = 0; n < 200; n++) {
        const double u = 0.5 * (low + high), rho = t->mass / (area * u);
        *p = (t->momentum - t->mass * u) / area;
        *T = *p / (rho * gas->R);
        if (an_gas_h(gas, *T) + 0.5 * u * u < t->energy / t->mass)
            low = u;
        else
            high = u;
    }
}

static void duct(void)
{
    const char *mesh = layer(AN_BC_INLET_TOTAL, AN_BC_OUTLET_STATIC);
    struct fixture f;
    open_case(
        &f, "duct",
        verify_text(
            "case: duct\n"
            "gas: {mixture: air, fraction: Z, fraction_fuel_air_ratio: %g, viscosity: constant, "
            "mu: 0.02}\n"
            "march: {cfl: 50}\nscheme: {flux: roe}\n"
            "initial: {p: 8e5, T: 1000, mach: 0.55, direction: [1, 0, 0]}\n"
            "scalars: {Z: {}}\nmonitors: {performance: on, averages: cartesian}\n"
            "boundaries: {low: {type: inlet_total, p0: 1e6, T0: 1700, direction: [1, 0, 0], "
            "scalars: "
            "[1]}, high: {type: inlet_total, p0: 1e6, T0: 700, direction: [1, 0, 0]}, out: {type: "
            "outlet_static, p: 8e5}}\n",
            burnt),
        mesh);
    fixture_must(an_solver_fill_initial(f.solver), "initial state");
    const double drop = fixture_converge(&f, 1e-9, 500);
    verify_check("duct: residual", drop, 0, 1e-5);
    const struct through low = through_of(&f, "low"), high = through_of(&f, "high");
    const struct through out = through_of(&f, "out");
    const struct through in = {-low.mass - high.mass, -low.momentum - high.momentum,
                               -low.energy - high.energy, -low.fraction - high.fraction};
    verify_check("duct: share of the burnt gas", in.fraction / in.mass, 0.2, 0.8);
    verify_check("duct: mass out over in", out.mass / in.mass, 1 - 1e-7, 1 + 1e-7);
    verify_check("duct: momentum out over in", out.momentum / in.momentum, 1 - 5e-5, 1 + 5e-5);
    verify_check("duct: energy out over in", out.energy / in.energy, 1 - 1e-4, 1 + 1e-4);
    verify_check("duct: burnt gas out over in", out.fraction / in.fraction, 1 - 1e-4, 1 + 1e-4);
    const struct an_gas second = an_gas_at(&f.c.gas.model, 1);
    verify_check("duct: enthalpy of the burnt gas that enters / h(T0)",
                 low.energy / low.mass / an_gas_h(&second, 1700), 1 - 3e-3, 1 + 3e-3);
    const struct range z = range_of(&f, word_of(&f, AN_EOS_FRACTION));
    verify_check("duct: least fraction", z.least, 0, 0.2);
    verify_check("duct: largest fraction", z.most, 0.8, 1);
    /* mixed out by the conservation laws, with the cp of the mixture of that share */
    const double share = in.fraction / in.mass;
    struct an_gas_mixed air, fumes;
    struct an_gas gas;
    double cp[AN_GAS_TERMS], T, p;
    fixture_must(an_gas_mixture(&(struct an_gas_air){0, 0, 12, 23}, 200, 1800, &air), "air");
    fixture_must(an_gas_mixture(&(struct an_gas_air){0, burnt, 12, 23}, 200, 1800, &fumes),
                 "fumes");
    for (int n = 0; n < AN_GAS_TERMS; n++)
        cp[n] = (1 - share) * air.cp[n] + share * fumes.cp[n];
    fixture_must(
        an_gas_polynomial((1 - share) * air.R + share * fumes.R, AN_GAS_TERMS, cp, 200, 1800, &gas),
        "mixture");
    mixed_out(&gas, &in, height * 0.01, &T, &p);
    const double u = (in.momentum - p * height * 0.01) / in.mass;
    const double T0 = an_gas_T_at_rest(&gas, T, u * u), p0 = p * an_gas_isentropic_p(&gas, T, T0);
    const struct an_performance *rows = an_performance_of(f.solver);
    const struct an_flow_average *a = &rows->of[rows->nrow].out;
    verify_check("duct: fraction of the outlet", a->fraction / share, 1 - 1e-4, 1 + 1e-4);
    verify_check("duct: mixed-out p0 / the conservation laws'", a->mixed.p0 / p0, 1 - 1e-4,
                 1 + 1e-4);
    verify_check("duct: mixed-out T0 / the conservation laws'", a->mixed.T0 / T0, 1 - 1e-4,
                 1 + 1e-4);
    verify_check("duct: mixed-out p / the conservation laws'", a->mixed.p / p, 1 - 1e-4, 1 + 1e-4);
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    verify_start(&argc, &argv);
    ends();
    contact("roe", 1500, 1e-6);
    contact("matrix", 500, 0.01); /* central fluxes bear no step from 400 to 1500 K in one face */
    isothermal();
    duct();
    return verify_end();
}

/* Runs stencils of the CPU engine on noise and prints a checksum of what each writes, to compare builds
 * for other processors or by other compilers: test_aarch64.sh. */
#include "kernels/engine/engine.h"
#include "kernels/physics/gas_model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { N = 12 };

static const int components[AN_NFIELD] = {
#define AN_F(name, n, type, help) n,
    AN_FIELD_LIST(AN_F)
#undef AN_F
};

static double noise(uint64_t n)
{
    n = (n + 1) * 0x9e3779b97f4a7c15ULL;
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9ULL;
    return (double)(n >> 11) * 0x1p-53;
}

/* A state of about 100 m/s and 1 bar; other fields between 1 and 2. */
static double start(int field, int c, int64_t at)
{
    const double v = noise((uint64_t)(field * 1000003 + c * 7919) + (uint64_t)at * 15485863);
    const double state[5] = {1.2, 120, 30, -20, 2.6e5};
    const int is_state = field == AN_F_W || field == AN_F_W0;
    return is_state ? state[c] * (1 + 0.1 * v) : 1 + v;
}

static int fill(struct an_engine *e, const struct an_layout *l, struct an_fields *f)
{
    for (int n = 0; n < AN_NFIELD; n++) {
        const int wide = e->precision == AN_DOUBLE || n == AN_F_X || n == AN_F_TREE;
        AN_TRY(e->op->alloc(e, (size_t)(l->ncell * components[n]) * 8, &f->at[n]));
        for (int c = 0; c < components[n]; c++)
            for (int64_t at = 0; at < l->ncell; at++) {
                const int64_t m = c * l->ncell + at;
                if (wide)
                    ((double *)f->at[n])[m] = start(n, c, at);
                else
                    ((float *)f->at[n])[m] = (float)start(n, c, at);
            }
    }
    return AN_OK;
}

static uint64_t checksum(const void *p, size_t bytes)
{
    uint64_t sum = 0xcbf29ce484222325ULL;
    for (size_t n = 0; n < bytes; n++)
        sum = (sum ^ ((const unsigned char *)p)[n]) * 0x100000001b3ULL;
    return sum;
}

static int run(enum an_precision precision, int gas)
{
    static const struct {
        enum an_stencil stencil;
        int writes;
    } all[] = {{AN_S_primitive, AN_F_Q},       {AN_S_timestep, AN_F_LAM},
               {AN_S_central_flux, AN_F_FLUX}, {AN_S_jst_dissipation, AN_F_FLUX},
               {AN_S_roe_flux, AN_F_FLUX},     {AN_S_flux_sum, AN_F_R},
               {AN_S_gradient, AN_F_GRAD},     {AN_S_viscous_residual, AN_F_R},
               {AN_S_sa_viscosity, AN_F_MUT},  {AN_S_derived, AN_F_DERIVED},
               {AN_S_update, AN_F_WN}};
    const int n[1][3] = {{N, N, N}};
    const struct an_box box = {0, {0, 0, 0}, {N, N, N}};
    struct an_params p;
    memset(&p, 0, sizeof p);
    p.fluid.gamma = 1.4, p.fluid.gas_constant = 287, p.flux.p_ref = 1e5, p.flux.k2 = 0.5,
    p.flux.k4 = 0.02, p.march.cfl = 2;
    p.flux.sensor_floor = 1, p.flux.entropy_fix = 0.05,
    p.flux.floor_rho = p.flux.floor_u = p.flux.floor_p = 1e-3, p.march.alpha = 0.5;
    p.fluid.mu_ref = 1.716e-5, p.fluid.mu_T = 273.11, p.fluid.mu_S = 110.33, p.fluid.prandtl = 0.72,
    p.fluid.prandtl_t = 0.9;
    p.flux.limiter = 1, p.fluid.viscosity = 1, p.turb.model = 1, p.flux.aspect_exponent = 0.67;
    const double cp[3] = {1054.7, -0.44247, 1.1363e-3};
    if (gas)
        AN_TRY(an_gas_polynomial(287, 3, cp, 200, 1500, &p.gas));
    struct an_layout l;
    struct an_engine e;
    struct an_tiles *tiles;
    struct an_fields f = {{0}};
    AN_TRY(an_layout_new(1, n, precision, &l));
    AN_TRY(an_engine_cpu_new(precision, 1, NULL, &e));
    AN_TRY(fill(&e, &l, &f));
    AN_TRY(e.op->tiles_new(&e, &l, 1, &box, &tiles));
    for (size_t s = 0; s < sizeof all / sizeof *all; s++) {
        const int w = all[s].writes;
        AN_TRY(e.op->run(&e, all[s].stencil, tiles, &f, &p, NULL, 0));
        printf("%d bytes, gas %d, %-18s %016" PRIx64 "\n", (int)precision, gas,
               an_stencil_name(all[s].stencil),
               checksum(f.at[w], (size_t)(l.ncell * components[w]) * (size_t)precision));
    }
    e.op->tiles_free(&e, tiles);
    for (int m = 0; m < AN_NFIELD; m++)
        e.op->free(&e, f.at[m]);
    an_engine_destroy(&e);
    an_layout_free(&l);
    return AN_OK;
}

int main(void)
{
    for (int gas = 0; gas < 2; gas++)
        if (run(AN_SINGLE, gas) || run(AN_DOUBLE, gas)) {
            fprintf(stderr, "bits: %s\n", an_error_text());
            return 1;
        }
    return 0;
}

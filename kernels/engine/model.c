#define AN_PRECISION 64
#include "kernels/engine/model.h"

#include "kernels/physics/gas_state.h"
#include "kernels/physics/re_theta.h"
#include "kernels/physics/spalart_allmaras.h"
#include "kernels/physics/sst.h"

#include <assert.h>
#include <math.h>

#define AN_STENCILS(x) AN_S_##x##_residual, AN_S_##x##_update, AN_S_##x##_viscosity
#define AN_NO_STENCILS AN_NSTENCIL, AN_NSTENCIL, AN_NSTENCIL

const struct an_model *an_model_of(enum an_turbulence model)
{
    static const struct an_model table[AN_NTURBULENCE] = {
#define AN_V(id, name, n, variable0, variable1, stencils, flags, help) \
    {name, n, {variable0, variable1}, stencils, flags},
        AN_TURBULENCE_LIST(AN_V)
#undef AN_V
    };
    assert(model < AN_NTURBULENCE);
    return &table[model];
}

int an_model_work(const struct an_model *model)
{
    _Static_assert(AN_NCOMP_GRADT + AN_NCOMP_RT + AN_NCOMP_DIAGT <= 2 * AN_NCOMP_W,
                   "the work fields of a model lie in the memory of two states");
    return model->nvariable * (AN_NCOMP_GRADT + AN_NCOMP_RT + AN_NCOMP_DIAGT) / AN_MOST_VARIABLES;
}

double an_model_viscosity(const struct an_params *p, double T)
{
    const double part = T / p->fluid.mu_T;
    if (p->fluid.viscosity == AN_VISCOSITY_SUTHERLAND)
        return p->fluid.mu_ref * pow(part, 1.5) * (p->fluid.mu_T + p->fluid.mu_S) /
               (T + p->fluid.mu_S);
    return p->fluid.viscosity == AN_VISCOSITY_POWER_LAW
               ? p->fluid.mu_ref * pow(part, p->fluid.mu_exponent)
               : p->fluid.mu_ref;
}

double an_model_viscosity_at(const struct an_params *p, double pressure, double T)
{
    return p->fluid.viscosity == AN_VISCOSITY_TABLE ? an_state_viscosity(&p->gas, pressure, T)
                                                    : an_model_viscosity(p, T);
}

double an_model_critical(double intensity)
{
    return an_bcm_critical_f64(intensity);
}

double an_model_re_theta(double intensity)
{
    return an_lm_correlation_f64(100 * intensity, 0);
}

double an_model_length_ratio(double fluctuation, double nu, double length)
{
    return AN_SST_BSTAR * sqrt(1.5) * fluctuation * length / nu;
}

int an_model_decay(double speed, double nu, double x, double turbulence[2])
{
    const double velocity = turbulence[0] * speed, k = 1.5 * velocity * velocity;
    const double omega = k / (nu * turbulence[1]);
    const double factor = 1 + AN_SST_B2 * omega * x / speed;
    if (!(factor > 0))
        return 0;
    turbulence[0] *= pow(factor, -0.5 * AN_SST_BSTAR / AN_SST_B2);
    turbulence[1] *= pow(factor, 1 - AN_SST_BSTAR / AN_SST_B2);
    return 1;
}

double an_model_intermittency(const struct an_params *p, double eddy, double nu, double vorticity,
                              double distance)
{
    return an_bcm_intermittency_f64(eddy, nu, vorticity, distance, p->turb.inflow_intensity);
}

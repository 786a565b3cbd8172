/* The scalar parameters of all stencils, in a struct for each role: `params.flux.k2` where callers set them,
 * `prm->flux.k2` in stencils. */
#ifndef AN_PARAMS_H
#define AN_PARAMS_H

#include "kernels/physics/gas_model.h"

#include <stddef.h>

/* A(role) names the lists that follow. D(name, meaning): a number that engines convert to the run's precision;
 * I(name, meaning): an int. */
#define AN_PARAM_ROLES(A) A(fluid) A(flux) A(march) A(lines) A(dual) A(means) A(turb) A(lag)

/* the gas and what it conducts */
#define AN_PARAMS_fluid(D, I)                            \
    D(gamma, "ratio of specific heats")                  \
    D(gas_constant, "J/kg/K")                            \
    D(mu_ref, "kg/m/s: viscosity at mu_T; 0: inviscid")  \
    D(mu_T, "K: reference temperature of the viscosity") \
    D(mu_S, "K: Sutherland's constant")                  \
    D(mu_exponent, "exponent of the power law")          \
    D(prandtl, "Prandtl number")                         \
    D(prandtl_t, "turbulent Prandtl number")             \
    I(viscosity, "enum an_viscosity_law")

/* convective fluxes, their dissipation, and the frame */
#define AN_PARAMS_flux(D, I)                                                               \
    D(p_ref, "Pa: subtracted from the pressure in momentum fluxes")                        \
    D(k2, "JST second-difference coefficient")                                             \
    D(k4, "JST fourth-difference coefficient")                                             \
    D(sensor_floor, "Pa: added to the denominator of the pressure sensor")                 \
    D(sensor_least, "least value of the sensor: extra dissipation while a run starts")     \
    D(upwind, "1 for an upwind flux, 0 for JST: which dissipation the time step bears")    \
    D(aspect_exponent, "Martinelli's exponent of the ratio of spectral radii")             \
    D(entropy_fix, "Roe: floor of acoustic eigenvalues over |u_n| + c")                    \
    D(low_mach, "m2/s2: square of the least speed in the dissipation; 0: off")             \
    D(floor_rho, "van Albada floors: (kg/m3)^2, ")                                         \
    D(floor_u, "(m/s)^2, ")                                                                \
    D(floor_p, "Pa^2")                                                                     \
    D(floor_acoustic, "matrix dissipation: least acoustic eigenvalue over |u_n| + c")      \
    D(floor_shear, "matrix dissipation: least convective eigenvalue over |u_n| + c")       \
    I(limiter, "enum an_limiter")                                                          \
    I(precondition, "1: dissipation and operator are preconditioned for low Mach numbers") \
    I(wall_order, "enum an_wall_order")                                                    \
    I(rotating, "1: some block turns (an_block.omega): G is there")

/* a step of the march; cfl and turb_time change while a run marches (AN_RUNTIME_LIST) */
#define AN_PARAMS_march(D, I)                                                              \
    D(cfl, "CFL number")                                                                   \
    D(turb_time, "weight of the time term in TURB's implicit step")                        \
    D(alpha, "Runge-Kutta coefficient of the stage")                                       \
    D(time_step, "s: global time step")                                                    \
    D(explicit_march, "1 for explicit stages, 0 where an operator bears the dissipation; " \
                      "with residual smoothing over its ratio of CFL numbers")             \
    D(smooth_ratio, "residual smoothing: CFL number over the stable one without")          \
    D(smooth_given, "residual smoothing: coefficient; 0: from smooth_ratio")               \
    D(scree_last, "scree: weight of what is kept of earlier residuals")                    \
    D(scree_carry, "scree: fraction of it that is kept on")

/* the implicit operator along lines */
#define AN_PARAMS_lines(D, I)                     \
    D(line, "weight of the operator along lines") \
    D(off, "weight of the operator across lines") \
    D(floor, "floors of the operator's eigenvalues, as flux.floor_acoustic and floor_shear")

/* dual time */
#define AN_PARAMS_dual(D, I)                                                    \
    D(rate, "1/s: weight of W - OLD in the time derivative; 0: no dual time")   \
    D(weight, "1/s: what a stage adds to 1 / DT, over the volume")              \
    D(last, "1/s: weight of the change of the last step in TIME")               \
    D(before, "1/s: weight of the change of the step before it")                \
    D(guess_last, "fraction of the change of the last step in the first guess") \
    D(guess_before, "fraction of the change of the step before it")

/* means over time and sums over time of frequencies */
#define AN_PARAMS_means(D, I)                                                     \
    D(weight, "of the present state in means over time")                          \
    D(cosine, "s: weight of the present state in sums over time, times a cosine") \
    D(sine, "s: the same with a sine")

#define AN_PARAMS_turb(D, I)                                                                   \
    D(inflow_ratio, "of what flows in: SA nu tilde / nu; SST mut / mu")                        \
    D(inflow_intensity, "intensity of turbulence: SST of what flows in, SA-BCM of the "        \
                        "stream (below 0: nothing is produced), SA 0")                         \
    D(stream_intensity, "SST with transition: intensity of the stream for the onset; 0: "      \
                        "the local one")                                                       \
    D(ambient_k, "m2/s2: SST with transition: k that does not decay; 0: none")                 \
    D(ambient_omega, "1/s: its omega")                                                         \
    D(mixing_limit, "m: largest mixing length")                                                \
    D(mixing_weight, "mixing length: weight of the new eddy viscosity")                        \
    D(des_weight, "DES: weight of the matrix dissipation's fourth differences where "          \
                  "turbulence is resolved")                                                    \
    I(model, "enum an_turbulence")                                                             \
    I(order, "order of the advection of TURB: 1, 2")                                           \
    I(rotation, "enum an_correction")                                                          \
    I(wall_function, "1: wall shear and heat flux from the law of the wall where y+ is large") \
    I(rough, "1: some viscous wall is rough: ROUGH is there")                                  \
    I(intermittency, "SST with transition: enum an_intermittency_model: INTER is there")       \
    I(des, "enum an_des")                                                                      \
    I(qcr, "1: turbulent stress with the quadratic relation QCR2000")

/* phase lag */
#define AN_PARAMS_lag(D, I)                                       \
    I(harmonics, "harmonics of a series")                         \
    I(words, "words of a face, or of a layer, that are treated")  \
    I(stride, "words of a face in LAG_PRESENT and LAG_GIVEN")     \
    I(row, "series of a face")                                    \
    I(layers, "layers of ghosts")                                 \
    I(normal, "1: of LAM, the component of the face's direction") \
    I(continued, "0: series begin with the present values")

/* Parameters that change while a run marches, and that recordings must not contain therefore: kernels of engines
 * that record read them from `runtime`, if there is one. Stencils write RUNTIME(name). */
#define AN_RUNTIME_LIST(P) P(cfl) P(turb_time)
enum an_runtime {
#define AN_P(name) AN_RUNTIME_##name,
    AN_RUNTIME_LIST(AN_P)
#undef AN_P
        AN_NRUNTIME
};

#define AN_PARAM_DOUBLE(name, help) double name;
#define AN_PARAM_INT(name, help)    int name;

#define AN_A(role)                                      \
    struct an_params_##role {                           \
        AN_PARAMS_##role(AN_PARAM_DOUBLE, AN_PARAM_INT) \
    };
AN_PARAM_ROLES(AN_A)
#undef AN_A

struct an_params {
    struct an_gas
        gas; /* gas.table, gas.ends, gas.n: stored properties; else fluid.gamma and fluid.gas_constant say all */
#define AN_A(role) struct an_params_##role role;
    AN_PARAM_ROLES(AN_A)
#undef AN_A
    const void
        *runtime; /* engine memory, real [AN_NRUNTIME]: in place of these parameters; NULL: none */
};

/* 1: the gas has stored properties. */
static inline int an_params_stored(const struct an_params *p)
{
    return p->gas.n || p->gas.ends || p->gas.table;
}

#ifdef AN_PRECISION
#define AN_PARAM_REAL(name, help) real name;

#define AN_A(role)                                    \
    struct AN_FN(an_prm_##role) {                     \
        AN_PARAMS_##role(AN_PARAM_REAL, AN_PARAM_INT) \
    };
AN_PARAM_ROLES(AN_A)
#undef AN_A

struct AN_FN(an_prm) {
#define AN_A(role) struct AN_FN(an_prm_##role) role;
    AN_PARAM_ROLES(AN_A)
#undef AN_A
    const real *runtime;
#if AN_CACHED
    int tabled, mixed; /* 1: a gas from `table`; a mixture. Else cp(T) */
    struct AN_FN(an_gas)
        gas; /* cp(T); of a mixture that of the first gas, or of a fraction (an_prm_mixed) */
    struct AN_FN(an_gas_step) step; /* of a mixture */
    struct AN_FN(an_table) table;
#elif AN_GAS == 0
    real heat, heat_t; /* J/kg/K: cp over prandtl and prandtl_t */
#endif
};

#define AN_PARAM_TO_REAL(name, help) to->name = (real)from->name;
#define AN_PARAM_TO_INT(name, help)  to->name = from->name;
#define AN_A(role)                                                                  \
    AN_INLINE void AN_FN(an_prm_##role##_from)(struct AN_FN(an_prm_##role) * to,    \
                                               const struct an_params_##role *from) \
    {                                                                               \
        AN_PARAMS_##role(AN_PARAM_TO_REAL, AN_PARAM_TO_INT)                         \
    }
AN_PARAM_ROLES(AN_A)
#undef AN_A

AN_INLINE struct AN_FN(an_prm) AN_FN(an_prm_from)(const struct an_params *p)
{
    struct AN_FN(an_prm) r;
#define AN_A(role) AN_FN(an_prm_##role##_from)(&r.role, &p->role);
    AN_PARAM_ROLES(AN_A)
#undef AN_A
    r.runtime = (const real *)p->runtime;
#if AN_CACHED
    r.tabled = p->gas.table != NULL;
    r.mixed = p->gas.ends != NULL;
    /* these are nothing but numbers; no kernel reads those of a gas that the case does not have */
    const double *const word = (const double *)&p->gas.of;
    real *const to = (real *)&r.gas;
    for (size_t n = 0; n < sizeof r.gas / sizeof *to; n++)
        to[n] = (real)word[n];
    const double *const step = r.mixed ? (const double *)&p->gas.ends->step : NULL;
    real *const to_step = (real *)&r.step;
    for (size_t n = 0; n < sizeof r.step / sizeof *to_step; n++)
        to_step[n] = step ? (real)step[n] : AN_R(0.0);
    r.table = AN_FN(an_table_from)(p->gas.table, (const real *)p->gas.data);
#elif AN_GAS == 0
    const double cp = p->fluid.gas_constant * p->fluid.gamma / (p->fluid.gamma - 1);
    r.heat = (real)(p->fluid.prandtl > 0 ? cp / p->fluid.prandtl : 0);
    r.heat_t = (real)(p->fluid.prandtl_t > 0 ? cp / p->fluid.prandtl_t : 0);
#endif
    return r;
}
#endif

#endif

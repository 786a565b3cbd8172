/* The fields of the solver: every stencil names its operands from this list.
 *
 * F(name, components, type, unit and meaning); type real = the run's precision.
 */
#ifndef AN_FIELDS_H
#define AN_FIELDS_H

#include "kernels/portable.h"

#define AN_FIELD_LIST(F)                                                                    \
    F(W, 5, real, "kg/m3, kg/m2/s, J/m3: conserved state rho, rho u, rho v, rho w, rho E")  \
    F(W0, 5, real, "the state at the start of the Runge-Kutta step")                        \
    F(WN, 5, real, "the state a stage writes")                                              \
    F(Q, 6, real, "kg/m3, m/s, Pa, J/kg: rho, u, v, w, p, H (total enthalpy)")              \
    F(S, 9, real, "m2: area vectors of lower faces; component 3 d + c is c of direction d") \
    F(VOL, 1, real, "m3: cell volume")                                                      \
    F(X, 3, double, "m: nodes")                                                             \
    F(LAM, 3, real, "m3/s: scaled spectral radii, directions i, j, k")                      \
    F(DT, 1, real, "s/m3: time step over volume")                                           \
    F(FLUX, 15, real, "flux through lower faces; component 5 d + c")                        \
    F(R, 5, real, "residual: sum of outward fluxes")                                        \
    F(DERIVED, 9, real, "output: p, T, u, v, w, Mach, p0, T0, entropy")

enum an_field {
#define AN_F(name, n, type, help) AN_F_##name,
    AN_FIELD_LIST(AN_F)
#undef AN_F
        AN_NFIELD
};

enum {
#define AN_F(name, n, type, help) AN_NCOMP_##name = n,
    AN_FIELD_LIST(AN_F)
#undef AN_F
};

/* Base addresses (engine memory) by enum an_field; NULL where a stencil does not need it. Callers
 * copy the struct and swap addresses to ping-pong. */
struct an_fields {
    void *at[AN_NFIELD];
};

/* Scalar parameters of all stencils; engines convert them to the run's precision. */
#define AN_PARAM_LIST(P)                                                                        \
    P(gamma, "ratio of specific heats")                                                         \
    P(gas_constant, "J/kg/K")                                                                   \
    P(p_ref, "Pa: subtracted from the pressure in momentum fluxes")                             \
    P(k2, "JST second-difference coefficient")                                                  \
    P(k4, "JST fourth-difference coefficient")                                                  \
    P(sensor_floor, "Pa: added to the denominator of the pressure sensor")                      \
    P(sensor_least, "least value of the pressure sensor: extra dissipation while a run starts") \
    P(upwind, "1 for an upwind flux, 0 for JST: which dissipation the time step must bear")     \
    P(aspect_exponent, "Martinelli's exponent of the ratio of spectral radii")                  \
    P(entropy_fix, "Roe: floor of acoustic eigenvalues over |u_n| + c")                         \
    P(floor_rho, "van Albada floors: (kg/m3)^2, ")                                              \
    P(floor_u, "(m/s)^2, ")                                                                     \
    P(floor_p, "Pa^2")                                                                          \
    P(cfl, "Courant number")                                                                    \
    P(alpha, "Runge-Kutta coefficient of the stage")                                            \
    P(time_step, "s: global time step")

struct an_params {
#define AN_P(name, help) double name;
    AN_PARAM_LIST(AN_P)
#undef AN_P
    int limiter;    /* enum an_limiter of the case: 0 none, 1 van Albada, 2 first order */
    int wall_order; /* slip walls, extrapolated: 0 nothing, 1 pressure, 2 density and velocity too
                     */
};

#ifdef AN_PRECISION
struct AN_FN(an_prm) {
#define AN_P(name, help) real name;
    AN_PARAM_LIST(AN_P)
#undef AN_P
    int limiter;
    int wall_order;
};

AN_INLINE struct AN_FN(an_prm) AN_FN(an_prm_from)(const struct an_params *p)
{
    struct AN_FN(an_prm) r;
#define AN_P(name, help) r.name = (real)p->name;
    AN_PARAM_LIST(AN_P)
#undef AN_P
    r.limiter = p->limiter;
    r.wall_order = p->wall_order;
    return r;
}
#endif

/* What is given on a boundary. v: see kernels/boundary.h for the slots of each type. */
#define AN_BC_NVALUE 6
struct an_bc_value {
    int type; /* enum an_bc_type */
    double v[AN_BC_NVALUE];
};

#endif

/* The choices between formulas: gas viscosity, turbulence models, limiters, fluxes, what is
 * extrapolated to walls. Each choice is a list, one row for each formula:
 *
 *     V(identifier, "name in the case file", "sentence of `annulus help-case`")
 *
 * from which follow the enumeration that kernels and host code compare with (prefix_identifier,
 * counted from 0 in the order of the rows) and what the case file accepts (io/case_keys.c). A row
 * of AN_TURBULENCE_LIST has more columns, which host code
 * finds in struct an_model (engine/model.h). */
#ifndef AN_MODELS_H
#define AN_MODELS_H

#include "kernels/base/portable.h"

/* Molecular viscosity: physics/viscous.h. */
#define AN_VISCOSITY_LIST(V)                                             \
    V(NONE, "none", "inviscid flow.")                                    \
    V(SUTHERLAND, "sutherland", "mu (T/T_ref)^1.5 (T_ref + S)/(T + S).") \
    V(POWER_LAW, "power_law", "mu (T/T_ref)^exponent.")                  \
    V(CONSTANT, "constant", "mu.")                                       \
    V(TABLE, "table", "that of 'gas.table', with its conductivity.")

/* Inviscid flux: physics/flux.h. */
#define AN_SCHEME_LIST(V)                                                                     \
    V(JST, "jst", "central with scalar artificial dissipation.")                              \
    V(ROE, "roe", "upwind.")                                                                  \
    V(MATRIX, "matrix", "central with dissipation scaled wave by wave, for boundary layers.") \
    V(KEP, "kep",                                                                             \
      "central of fourth order that preserves kinetic energy, with little dissipation, for "  \
      "resolved turbulence.")

/* Dissipation and preconditioning at low Mach numbers: physics/low_mach.h. */
#define AN_LOW_MACH_LIST(V)                                                                 \
    V(AUTO, "auto",                                                                         \
      "on if the Mach number that the boundary values lead one to expect is below 0.1, in " \
      "steady marches (but for scree) below 0.19.")                                         \
    V(OFF, "off", "velocity jumps are damped by the speed of sound.")                       \
    V(ON, "on",                                                                             \
      "velocity jumps are damped by three times the speed of the flow, where this is "      \
      "below the speed of sound. Steady marches (but for scree) are preconditioned: their " \
      "convergence does not depend on the Mach number.")

/* Factor of the MUSCL slopes: an_limit in physics/flux.h. */
#define AN_LIMITER_LIST(V)                                                               \
    V(NONE, "none", "slopes as they are.")                                               \
    V(VAN_ALBADA, "van_albada", "smaller slopes where neighbouring differences differ.") \
    V(FIRST_ORDER, "first_order", "no slopes.")

/* What is extrapolated linearly to slip walls: physics/boundary.h. The case file has the number. */
#define AN_WALL_ORDER_LIST(V)                           \
    V(NOTHING, "0", "pressure of the first cell.")      \
    V(PRESSURE, "1", "pressure extrapolated linearly.") \
    V(STATE, "2",                                       \
      "density and velocity extrapolated too: second order along walls, less damping at edges.")

/* Corrections of Spalart-Allmaras: physics/spalart_allmaras.h. */
#define AN_CORRECTION_LIST(V)                                                            \
    V(NONE, "none", "neither; also written false.")                                      \
    V(R, "r",                                                                            \
      "less production where vorticity exceeds strain (SA-R), as in vortex cores; also " \
      "written true.")                                                                   \
    V(RC, "rc", "rotation and curvature (SA-RC).")

/* Detached-eddy simulation on Spalart-Allmaras: physics/des.h. */
#define AN_DES_LIST(V)                                                                  \
    V(NONE, "none", "the model's length is the wall distance; also written false.")     \
    V(DDES, "ddes",                                                                     \
      "delayed detached-eddy simulation: away from boundary layers the length is 0.65 " \
      "times the longest edge of the cell, so that turbulence is resolved there.")      \
    V(IDDES, "iddes",                                                                   \
      "improved: turbulence is resolved in the outer part of boundary layers, too, "    \
      "where it flows into them and cells are small enough.")

/* Turbulence models: V(identifier, name, n, variable 0, variable 1, stencils, flags, sentence).
 * n: transported variables, components of TURB; the variables have their CGNS names. stencils:
 * AN_STENCILS(x) for x_residual, x_update and x_viscosity. flags: enum an_model_flag. */
#define AN_TURBULENCE_LIST(V)                                                                    \
    V(NONE, "none", 0, 0, 0, AN_NO_STENCILS, 0, "laminar or inviscid flow.")                     \
    V(SA, "sa", 1, "TurbulentSANuTilde", 0, AN_STENCILS(sa), 0,                                  \
      "Spalart-Allmaras, SA-neg of 2012.")                                                       \
    V(SST, "sst", 2, "TurbulentEnergyKinetic", "TurbulentDissipationRate", AN_STENCILS(sst),     \
      AN_MODEL_BLENDS, "k-omega SST of 2003.")                                                   \
    V(MIXING_LENGTH, "mixing_length", 0, 0, 0, AN_NO_STENCILS, AN_MODEL_KEEPS_EDDY,              \
      "eddy viscosity from the vorticity times the square of a length; nothing is transported; " \
      "cheap.")

/* AN_MODEL_BLENDS: its residual reads the field BLEND and an eddy viscosity of the same state.
 * AN_MODEL_KEEPS_EDDY: each eddy viscosity follows from the one before, so that it is part of the
 * state. */
enum an_model_flag { AN_MODEL_BLENDS = 1, AN_MODEL_KEEPS_EDDY = 2 };

enum an_viscosity_law {
#define AN_V(id, name, help) AN_VISCOSITY_##id,
    AN_VISCOSITY_LIST(AN_V)
#undef AN_V
        AN_NVISCOSITY
};

enum an_scheme {
#define AN_V(id, name, help) AN_SCHEME_##id,
    AN_SCHEME_LIST(AN_V)
#undef AN_V
        AN_NSCHEME
};
enum an_low_mach_choice {
#define AN_V(id, name, help) AN_LOW_MACH_##id,
    AN_LOW_MACH_LIST(AN_V)
#undef AN_V
        AN_NLOW_MACH
};
/* Added to a scheme inside engines: fluxes through faces that turn with their block (flux.h). */
enum { AN_ROTATING = 4 };

enum an_limiter {
#define AN_V(id, name, help) AN_LIMITER_##id,
    AN_LIMITER_LIST(AN_V)
#undef AN_V
        AN_NLIMITER
};

enum an_wall_order {
#define AN_V(id, name, help) AN_WALL_ORDER_##id,
    AN_WALL_ORDER_LIST(AN_V)
#undef AN_V
        AN_NWALL_ORDER
};

enum an_correction {
#define AN_V(id, name, help) AN_CORRECTION_##id,
    AN_CORRECTION_LIST(AN_V)
#undef AN_V
        AN_NCORRECTION
};

enum an_des {
#define AN_V(id, name, help) AN_DES_##id,
    AN_DES_LIST(AN_V)
#undef AN_V
        AN_NDES
};

/* Transition of boundary layers with SST: no model; physics/intermittency.h; physics/re_theta.h. */
enum an_intermittency_model {
    AN_INTERMITTENCY_NONE = 0,
    AN_INTERMITTENCY_GAMMA,
    AN_INTERMITTENCY_RE_THETA
};

enum an_turbulence {
#define AN_V(id, name, n, variable0, variable1, stencils, flags, help) AN_TURBULENCE_##id,
    AN_TURBULENCE_LIST(AN_V)
#undef AN_V
        AN_NTURBULENCE
};

/* Transported variables of a turbulence model: components of TURB. */
AN_INLINE int an_model_variables(int model)
{
#define AN_V(id, name, n, variable0, variable1, stencils, flags, help) \
    model == AN_TURBULENCE_##id ? n:
    return AN_TURBULENCE_LIST(AN_V) 0;
#undef AN_V
}

#endif

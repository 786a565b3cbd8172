/* The fields of the solver: every stencil names its operands from this list.
 *
 * F(name, components, type, unit and meaning); type real = the run's precision.
 */
#ifndef AN_FIELDS_H
#define AN_FIELDS_H

#include "kernels/base/boundary_type.h"
#include "kernels/physics/gas_model.h"
#include "kernels/physics/models.h"

/* Point physics and kernels are built for two kinds of gas: 0: constant cp (gamma); 1: stored properties, for
 * cp(T), a mixture of two gases with cp(T) and a gas from a table: each cell has thermodynamic properties in field EOS.
 * 2: stencils that do not depend on the gas, which are built once and serve both kinds. */
#ifndef AN_GAS
#define AN_GAS 0
#endif
#define AN_CACHED (AN_GAS == 1) /* are thermodynamic properties cached in EOS? */
#if AN_CACHED
#include "kernels/physics/gas_table.h"
#endif
#include "kernels/physics/params.h"

#define AN_FIELD_LIST(F)                                                                          \
    F(W, 5, real, "kg/m3, kg/m2/s, J/m3: conserved state rho, rho u, rho v, rho w, rho E")        \
    F(W0, 5, real, "the state at the start of the Runge-Kutta step")                              \
    F(WN, 5, real, "the state a stage writes")                                                    \
    F(Q, 6, real, "kg/m3, m/s, Pa, J/kg: rho, u, v, w, p, H (total enthalpy)")                    \
    F(S, 9, real, "m2: area vectors of lower faces; component 3 d + c is c of direction d")       \
    F(VOL, 1, real, "m3: cell volume")                                                            \
    F(X, 3, double, "m: nodes")                                                                   \
    F(LAM, 3, real, "m3/s: scaled spectral radii, directions i, j, k")                            \
    F(DT, 1, real, "s/m3: time step over volume")                                                 \
    F(FLUX, 15, real, "flux through lower faces; component 5 d + c")                              \
    F(R, 5, real, "residual: sum of outward fluxes")                                              \
    F(EOS, 9, real, "stored properties: p and more of the state W, ghosts too: enum an_eos_word") \
    F(DERIVED, 9, real, "output: p, T, u, v, w, Mach, p0, T0, entropy")                           \
    F(DX, 9, real, "m: from the lower to the upper cell's centre at lower faces; 3 d + c")        \
    F(WD, 1, real, "m: wall distance; minus its cell's in ghosts of viscous walls")               \
    F(TREE, 1, double, "wall facets and their tree (wall_tree.h)")                                \
    F(GRAD, 12, real, "1/s, K/m: 3 c + d is d u_c / d x_d, 9 + d is d T / d x_d")                 \
    F(MUT, 1, real, "kg/m/s: eddy viscosity; viscous walls: ghost_eddy.stencil")                  \
    F(UTAU, 1, real, "m/s: friction velocity in ghosts of viscous walls; 0 elsewhere")            \
    F(ROUGH, 1, real, "m: sand-grain roughness of the nearest wall")                              \
    F(TURB, 2, real, "SA: m2/s nu tilde, -; SST: m2/s2 k, 1/s omega")                             \
    F(GRADT, 6, real, "gradients of TURB: 3 c + d")                                               \
    F(RT, 2, real, "residual of TURB: V rho dTURB/dt = -RT")                                      \
    F(DIAGT, 2, real, "kg/s: diagonal of TURB's implicit operator without its time term")         \
    F(BLEND, 1, real, "SST: F1")                                                                  \
    F(INTER, 1, real, "SST with transition: factor of Pk, 0 laminar, 1 turbulent")                \
    F(LM, 6, real, "gamma-Re_theta: intermittency, Re_theta; their residuals, diagonals")         \
    F(AWAY, 3, real, "unit vector away from the nearest wall")                                    \
    F(SIZE, 2, real, "m: DES: longest edge of a cell, width of the filter")                       \
    F(DES, 2, real, "DES: length over WD; 1 where it is that of the cells, 0 shielded")           \
    F(CARRY, 2, real, "m/s: y and z velocity of turning blocks at centres of cells")              \
    F(SOURCE, 7, real, "given sources per volume, conserved state and TURB")                      \
    F(BLEED, 1, real, "kg/s/m3: what leaves with the state of its cell")                          \
    F(G, 3, real, "m3/s: what lower faces of turning blocks sweep: face_sweep.stencil")           \
    F(DW, 5, real, "correction of W")                                                             \
    F(LINE, 30, real, "work of line solvers")                                                     \
    F(FORCE, 5, real, "added to R: multigrid forcing; on the finest level a kept viscous part")   \
    F(WR, 5, real, "multigrid: the restricted state")                                             \
    F(Y, 5, real, "scree: what is kept of earlier residuals")                                     \
    F(OLD, 5, real, "dual time: the state at the start of the physical step")                     \
    F(OLDER, 5, real, "dual time: the state at the start of the step before")                     \
    F(TIME, 5, real, "dual time: constant part of the time derivative times the volume")          \
    F(TOLD, 2, real, "as OLD, of TURB")                                                           \
    F(TOLDER, 2, real, "as OLDER, of TURB")                                                       \
    F(TTIME, 2, real, "as TIME, of TURB, without the density")                                    \
    F(IOLD, 2, real, "as OLD, of INTER or LM")                                                    \
    F(IOLDER, 2, real, "as OLDER, of INTER or LM")                                                \
    F(ITIME, 2, real, "as TTIME, of INTER or LM")                                                 \
    F(MEAN, 30, real, "means over time and rms: mean_add.stencil")                                \
    F(MODE, 4, real, "Pa s: sums over time of a frequency: mode_add.stencil")                     \
    F(EPS, 3, real, "residual smoothing: coefficients of the directions i, j, k")                 \
    F(SWEPT, 5, real, "residual smoothing: the change after a sweep")                             \
    F(WALL, 10, real, "viscous wall faces, face after face: wall_values.stencil")                 \
    F(PLANE, 15, real, "open faces, face after face: face_values.stencil")                        \
    F(BCV, AN_BC_NVALUE, real, "values of boundaries that vary, face after face")                 \
    F(FRAME, 3, real, "-, -, m: cos, sin of a face's angle, radius, face after face")             \
    F(SLIDE, 14, real, "sliding planes, face after face: slide_gather.stencil")                   \
    F(SLIDE_FLUX, 8, real, "sliding planes, face after face: slide_flux.stencil")                 \
    F(SLIDE_MAP, 1, double, "sliding planes: rings of faces (slide.h)")                           \
    F(SLIDE_TURN, 1, double, "rad: angle between the two sides of each sliding plane")            \
    F(LAG_FIELD, 12, real, "phase lag: the field whose ghosts lag")                               \
    F(LAG_PRESENT, 8, real, "phase lag: present values of faces")                                 \
    F(LAG_GIVEN, 27, real, "phase lag: lagged values of faces")                                   \
    F(LAG_SERIES, 1, double, "phase lag: Fourier series of faces (lag.h)")                        \
    F(LAG_TABLE, 1, double, "phase lag: cosines and sines of angles (lag.h)")                     \
    F(OW, 5, real, "five components of the other multigrid level")                                \
    F(OVOL, 1, real, "volumes of the other multigrid level")                                      \
    F(OS, 9, real, "areas of the other multigrid level")                                          \
    F(OG, 3, real, "what faces of the other multigrid level sweep")                               \
    F(O1, 1, real, "a scalar of the other multigrid level")

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

/* Components of EOS: p, kappa, c^2 (gas.h), T, viscosity, conductivity, cp, cv; of a mixture, which eos.stencil reads,
 * the mass fraction of the second gas, 0 to 1. */
enum an_eos_word {
    AN_EOS_P,
    AN_EOS_KAPPA,
    AN_EOS_C2,
    AN_EOS_T,
    AN_EOS_MU,
    AN_EOS_LAMBDA,
    AN_EOS_CP,
    AN_EOS_CV,
    AN_EOS_FRACTION
};

/* Components of LINE where TURB is kept during an implicit step of several stages (turbulence.h).
 */
enum { AN_LINE_TURB = 16 };

/* Base addresses (engine memory) by enum an_field; NULL where a stencil does not need it. Callers
 * copy the struct and swap addresses to ping-pong. */
struct an_fields {
    void *at[AN_NFIELD];
};

/* What is known of the heat at a viscous wall. */
enum an_wall_heat { AN_WALL_ADIABATIC = 0, AN_WALL_ISOTHERMAL = 1, AN_WALL_HEAT_FLUX = 2 };

/* What is given on a boundary. v has the names of enum an_bc_value_name. */
struct an_bc_value {
    int type; /* enum an_bc_type */
    double v[AN_BC_NVALUE];
    int varies; /* 1: the values are those of field BCV, face by face; not these */
};

#endif

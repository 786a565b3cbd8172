/* Turbulence models as host code sees them: the rows of AN_TURBULENCE_LIST (models.h). Whoever
 * allocates, marches, measures, writes or restarts what a model transports asks its row, so that a
 * new model is a row, its stencils and its point physics. */
#ifndef AN_MODEL_H
#define AN_MODEL_H

#include "kernels/engine/engine.h"

AN_EXTERN_C_BEGIN

enum { AN_MOST_VARIABLES = AN_NCOMP_TURB };

struct an_model {
    const char *name;                        /* in the case file */
    int nvariable;                           /* transported variables: components of TURB */
    const char *variable[AN_MOST_VARIABLES]; /* their CGNS names */
    enum an_stencil residual;                /* -> RT, DIAGT, couplings in LINE */
    enum an_stencil update;                  /* adds the change in LINE to TURB, within limits */
    enum an_stencil viscosity;               /* TURB -> MUT */
    int flags;                               /* enum an_model_flag */
};

/* The row of a model. Without transported variables the stencils are AN_NSTENCIL. */
const struct an_model *an_model_of(enum an_turbulence model);
/* Components of the work fields of a model: GRADT, RT and DIAGT of each variable. */
int an_model_work(const struct an_model *model);

/* Molecular viscosity of the gas at T, K, in kg/(m s): what physics/viscous.h computes in kernels. */
double an_model_viscosity(const struct an_params *p, double T);
/* The same of a state, and of a table. */
double an_model_viscosity_at(const struct an_params *p, double pressure, double T);
/* Reynolds number of the momentum thickness up to which boundary layers of SA-BCM are laminar in a
 * stream of this turbulence intensity. */
double an_model_critical(double intensity);
/* Re_theta of the gamma-Re_theta model in a uniform stream of this turbulence intensity. */
double an_model_re_theta(double intensity);
/* Ratio of the eddy viscosity to nu, m2/s, of SST's turbulence with the fluctuation sqrt(2 k / 3), m/s, and the length
 * sqrt(k) / (b* omega), m. */
double an_model_length_ratio(double fluctuation, double nu, double length);
/* Turbulence of SST in a uniform stream: what intensity[0] and viscosity ratio[1] become at a distance x, m, behind
 * the place where they are given; ahead of it for x < 0. 1: done; 0: no turbulence ahead of it decays to this.
 * nu: m2/s; speed: m/s.
 *
 *   omega = omega0 / f,  k = k0 f^(-b* / b),  f = 1 + b omega0 x / U,  b = 0.0828, b* = 0.09
 *
 * which is the exact solution of U dk/dx = -b* omega k, U d omega/dx = -b omega^2. */
int an_model_decay(double speed, double nu, double x, double turbulence[2]);
/* The intermittency of a cell of a run with SA-BCM (physics/spalart_allmaras.h). eddy, nu: m2/s,
 * mu_t and mu over rho; vorticity, 1/s; distance from the nearest wall, m. */
double an_model_intermittency(const struct an_params *p, double eddy, double nu, double vorticity,
                              double distance);

AN_EXTERN_C_END
#endif

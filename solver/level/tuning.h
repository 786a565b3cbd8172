/* Numbers of the numerical method that were found by experiment, not derived: each with its meaning
 * and the case that it was found on. Defaults of the case file stand in io/case_keys.c and
 * io/case_default.c. */
#ifndef AN_SOLVER_TUNING_H
#define AN_SOLVER_TUNING_H

/* Replicated levels on GPUs (replicated.h): most cells of such a level, and most ranks. On an H100 a W cycle takes 0.5 ms for a
 * visit of a level of 39 000 cells and 0.24 ms for one of 4 900, and on four of them 0.9 and 0.5 ms, with exchanges;
 * a level of 314 000 cells takes 1.8 ms and 1.2 ms. */
#define AN_TUNE_REPLICATED_CELLS 100000
#define AN_TUNE_REPLICATED_RANKS 16

/* Part of the initial pressure that is added to the denominator of the pressure sensor, so that it
 * stays small where the pressure does not vary. */
#define AN_TUNE_SENSOR_FLOOR 1e-3

/* Largest floor of the pressure sensor while march.smooth_start fades out: dissipation that swallows
 * the waves of an initial state far from the flow (LS89, uniform start). */
#define AN_TUNE_START_SENSOR 0.2

/* Scree: weight of what is kept of earlier residuals, and the part of it that is kept on. Denton's
 * scheme, 2 R - R_before, and his SSS, which goes with residual smoothing. */
#define AN_TUNE_SCREE_LAST  -1
#define AN_TUNE_SCREE_CARRY 0
#define AN_TUNE_SSS_LAST    -1.65
#define AN_TUNE_SSS_CARRY   -0.65

/* Implicit operator: weight of the off-line directions on its diagonal. Above 1 the lagged
 * directions are damped; with multigrid.across the next step solves them. */
#define AN_TUNE_OFF_LINE        1.5
#define AN_TUNE_OFF_LINE_ACROSS 1

/* Least eigenvalue of the implicit operator over |u_n| + c: of an upwind residual, and of a central
 * one, whose dissipation is that of the spectral radius. */
#define AN_TUNE_JACOBIAN_UPWIND  0.1
#define AN_TUNE_JACOBIAN_CENTRAL 1
/* The same with multigrid.across and a JST residual. */
#define AN_TUNE_JACOBIAN_ACROSS 0.6
/* At least this with blade rows that turn: Rotor 37 converges faster and from more starts than with
 * AN_TUNE_JACOBIAN_UPWIND. */
#define AN_TUNE_JACOBIAN_ROWS 0.6

/* Coarse levels have a first-order matrix dissipation: its second-difference coefficient, and its
 * least acoustic and convective eigenvalues over |u_n| + c. */
#define AN_TUNE_COARSE_K2      0.5
#define AN_TUNE_FLOOR_ACOUSTIC 0.1
#define AN_TUNE_FLOOR_SHEAR    0.05
/* Both floors with blade rows that turn: with those above a mode of shear waves on the third level
 * grows, slowly and at any CFL number (Rotor 37, where the hub meets the leading edge; the stage). */
#define AN_TUNE_FLOOR_ROWS 0.6

/* Levels of a multigrid run whose case leaves their number open. */
#define AN_TUNE_LEVELS 5

/* Full multigrid, on each coarser level: most cycles, cycles between looks at the residual, cycles
 * of the ramp of the CFL number and its first value, and the residual, over its largest, at which
 * the next finer level follows. */
#define AN_TUNE_START_CYCLES 200
#define AN_TUNE_START_EVERY  10
#define AN_TUNE_START_RAMP   20
#define AN_TUNE_START_CFL    5
#define AN_TUNE_START_DROP   0.03

/* Expected Mach number below which scheme.low_mach: auto is on in unsteady marches and with scree, and below which
 * such runs with scheme.low_mach: off get a remark. */
#define AN_TUNE_LOW_MACH 0.1
/* Expected Mach number below which scheme.low_mach: auto is on in the other steady marches, explicit and implicit,
 * which are then preconditioned; steady runs with scheme.low_mach: off get a remark below it. */
#define AN_TUNE_PRECONDITION 0.19
/* In preconditioned marches the floor of van Albada's limiter for the velocity is at least scheme.limiter_floor times
 * this factor times the square of the expected speed. */
#define AN_TUNE_SLOW_FLOOR 1e4
/* Below this Mach number single precision gets a remark. */
#define AN_TUNE_LOW_MACH_DOUBLE 0.05

/* Segments across the lines (multigrid.across) have at least so many cells. */
#define AN_TUNE_SEGMENT 4

/* Turbulence variables of steady runs: the least CFL number of their time step. Wall layers on cells
 * stretched by 1.15 are followed at once (plate 35 x 25). */
#define AN_TUNE_TURBULENCE_CFL 1e4
/* The part of the way that the eddy viscosity of the mixing length goes in a step. Larger parts
 * converge no sooner, and starts from a uniform state diverge (plate: 0.2). */
#define AN_TUNE_MIXING_PART 0.05

#endif

/* Averages of a flow through faces: sums over faces, and what they mean. With cp(T), h stands for
 * cp T, s0(T) for cp ln T, and mean temperatures are those of mean enthalpies (gas_model.h); with a table
 * h(p, T) and s(p, T), and mean temperatures those of mean enthalpies at mean pressures. Faces of a mixture have the gas of their
 * mass fraction, means that of the mass-averaged one; s is without the entropy of mixing different gases.
 *
 *   mass       p0 and p averaged by mass flow; T0 from the flux of energy, h0 = H / m
 *   entropy    T0 of the faces by mass, p0 of the gas with that T0 and the mass-averaged entropy
 *              s = cp ln T - R ln p: what an ideal machine would need, lower than by mass
 *   area       p0, T0 and p averaged by area
 *   mixed out  the uniform flow with the same mass flow, axial momentum, moment of momentum and
 *              energy through the same area normal to x; the lowest p0, by the loss of mixing. On a
 *              cone or cylinder its normal stands in place of x (an_flow_axes.normal)
 *
 * Velocities are those along the axes of struct an_flow_axes. Cylindrical: x, r outward, theta from y
 * to z; relative velocities turn with `omega` about x. Cartesian: along the axis, the span and the
 * pitch of a cascade, which stand in place of x, r and theta; moments about x become forces along the
 * pitch (arm 1), and the mixed-out flow keeps its mean velocity along the span, too. Angles are those
 * of mass-averaged velocities, from the meridional direction: tan alpha = Vt / Vm, tan beta =
 * (Vt - omega r) / Vm, Vm^2 = Vx^2 + Vr^2.
 */
#ifndef AN_SOLVER_FLOW_AVERAGE_H
#define AN_SOLVER_FLOW_AVERAGE_H

#include "kernels/engine/engine.h"
#include "kernels/physics/gas_model.h"
#include "solver/level/flow_axes.h"

struct an_flow_gas {
    const struct an_gas *of;
    double p_ref; /* Pa: what fluxes of PLANE lack */
    struct an_flow_axes axes;
};

/* The gas of a mass fraction; room: where that of a mixture goes. */
const struct an_gas *an_flow_gas_of(const struct an_flow_gas *g, double fraction,
                                    struct an_gas *room);

/* Sums over faces; fluxes outward, m: mass flux of a face. */
enum an_flow_sum {
    AN_FLOW_MASS,   /* kg/s */
    AN_FLOW_MZ,     /* m times the mass fraction of a mixture */
    AN_FLOW_INFLOW, /* its part that flows in */
    AN_FLOW_H0,     /* W: energy flux without the work of the pressure on faces that move */
    AN_FLOW_MOMENT, /* N m: momentum flux, pressure included, about x; Cartesian: N, along the pitch */
    AN_FLOW_THRUST, /* N: momentum flux along x (the axis), pressure included */
    AN_FLOW_MVX,    /* m times axial, ... */
    AN_FLOW_MVR,    /* ... radial and ... */
    AN_FLOW_MVT,    /* ... circumferential velocity, N */
    AN_FLOW_MRVT,   /* m r Vt, N m */
    AN_FLOW_MR,     /* m r; Cartesian: r = 1 */
    AN_FLOW_MX,     /* m x */
    AN_FLOW_MP0,    /* m p0 */
    AN_FLOW_MT0,    /* m T0; with cp(T) m h(T0), ... */
    AN_FLOW_MP,     /* m p */
    AN_FLOW_MT,     /* m T, ... */
    AN_FLOW_MS,     /* m s */
    AN_FLOW_MP0REL, /* m times the relative total pressure */
    AN_FLOW_MT0REL, /* ... temperature; such enthalpies here too */
    AN_FLOW_MMACH,  /* m times the Mach number */
    AN_FLOW_MMACHREL,
    AN_FLOW_AREA,   /* m2 */
    AN_FLOW_AREA_X, /* m2, its part along x, outward */
    AN_FLOW_AP0,
    AN_FLOW_AT0,
    AN_FLOW_AP,
    AN_NFLOW
};

/* Adds a face: PLANE values, its middle (m), rotation of the frame of relative quantities (rad/s).
 */
void an_flow_add(const struct an_flow_gas *g, const double plane[AN_NCOMP_PLANE], const double x[3],
                 double omega, struct an_xsum sum[AN_NFLOW]);

/* The terms of a face alone. */
void an_flow_terms(const struct an_flow_gas *g, const double plane[AN_NCOMP_PLANE],
                   const double x[3], double omega, double term[AN_NFLOW]);

/* an_flow_add for n faces, faster. radius: distances of their middles from the x axis, m. */
void an_flow_add_many(const struct an_flow_gas *g, int64_t n, const double (*plane)[AN_NCOMP_PLANE],
                      const double (*x)[3], const double *radius, double omega,
                      struct an_xsum sum[AN_NFLOW]);

struct an_flow_kind {
    double p0, T0, p; /* Pa, K, Pa */
};

/* What sums mean. NaN throughout where nothing flows. */
struct an_flow_average {
    double mass;            /* kg/s, outward */
    double fraction;        /* of a mixture, by mass; else 0 */
    double p0, T0, p, T, s; /* by mass; T0 of energy; s J/kg/K */
    double p0_rel, T0_rel, mach, mach_rel;
    double vx, vr, vt, r, x;   /* m/s, m: by mass */
    double alpha, beta, pitch; /* degrees; pitch: tan = Vr / Vx */
    double alpha_mixed;        /* degrees: flow angle of the mixed-out flow */
    struct an_flow_kind mass_kind, entropy, area, mixed;
};
struct an_flow_average an_flow_average_of(const struct an_flow_gas *g, const double t[AN_NFLOW],
                                          double omega);

/* h(p2, T2) - h(p1, T1), J/kg; the work a kilogram needs from p0, T0 through a ratio of pressures
 * without losses. Without a table the pressures do not count. */
double an_flow_heat(const struct an_gas *g, double p1, double T1, double p2, double T2);
double an_flow_ideal_work(const struct an_gas *g, double p0, double T0, double p_ratio);

/* Mach number that a gas of p0 and T0 reaches where it expands to p without loss; 0 where p >= p0. */
double an_flow_isentropic_mach(const struct an_gas *g, double p0, double T0, double p);

/* Loss of a cascade from `in` to `out`: (p0_in - p0_out) / (p0_in - p), p the lower of the static
 * pressures: over the dynamic pressure of a lossless flow at the outlet (turbines) or at the inlet
 * (compressors). NaN for a gas at rest (below Mach number 1e-4). */
double an_flow_cascade_loss(const struct an_flow_kind *in, const struct an_flow_kind *out);

/* Isentropic and polytropic efficiency of total pressure and temperature ratios, from p0 and T0 at the
 * inlet: of a compressor where T0 rises, of a turbine where it falls; NaN without work (less than
 * 0.1 % of T0), and where pressure and work have no physical relation: the total pressure falls
 * though work is done on the gas, it rises though the gas does work, or the efficiency would exceed
 * AN_FLOW_MOST_EFFICIENCY, as in the first iterations. What an approximate solution or heat through
 * walls adds to 1 stays visible.
 *
 *     isentropic  (h(T0s) - h(T0)) / (h(T02) - h(T0)),  s0(T0s) - s0(T0) = R ln p02 / p01
 *     polytropic  R ln(p02 / p01) / (s0(T02) - s0(T0)),  turbines: one over these
 *
 * Gas from a table: enthalpies of (p, T), and
 *
 *     polytropic  1 - T ds / dh,  T = (T02 - T0) / ln(T02 / T0): with constant cp the same
 */
#define AN_FLOW_MOST_EFFICIENCY 1.2
double an_flow_efficiency(const struct an_gas *g, double p0, double T0, double p0_ratio,
                          double T0_ratio);
double an_flow_polytropic(const struct an_gas *g, double p0, double T0, double p0_ratio,
                          double T0_ratio);

/* Loss of relative total pressure from `in` to `out`, over the dynamic pressure p0_rel - p of the
 * faster of the two relative flows: at the inlet of a row that slows the flow, at the outlet of one
 * that speeds it up. The inlet's p0_rel is that of a lossless flow that has reached the outlet's
 * radius: p0_rel after an isentropic change from T0_rel,in to T0_rel,out. NaN for a gas at rest in
 * both. */
double an_flow_loss(const struct an_gas *g, const struct an_flow_average *in,
                    const struct an_flow_average *out);

#endif

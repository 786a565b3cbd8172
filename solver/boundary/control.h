/* Outlets whose pressure follows the flow: a mass flow wanted, or a throttle.
 *
 *   scale       q2 = rho V^2 of the outlet: dm / m = - dp / q2 in a lossless flow whose angle stays
 *   mass_flow   PI control in steps, e = m / m_wanted - 1:
 *                   p += gain q2 (Kp (e - e_last) + Ki e),  Kp = 0.25, Ki = 0.05
 *   throttle    p goes towards  p_t = p_a + (p_set - p_a) (m / m_set)^2  by
 *                   p += gain r (p_t - p) / (1 + 2 (p_t - p_a) / q2),  r = 0.1
 *               p_set, m_set: the case's p and throttle_mass_flow; p_a: throttle_p, the pressure
 *               behind the valve
 *
 *   radial equilibrium   p is the pressure at the hub, at mid-span or at the casing; at other radii
 *               p + d(r),  dd/dr = rho Vt^2 / r  of means around the axis of the first cells, by
 *               trapezoids over the bands of the outlet (solver/boundary/bands.h); d moves a tenth
 *               of its way in each update
 *
 *   non-reflecting   differences from the mean around the axis leave as one-dimensional waves, and
 *               the mean of the face has the pressure p + d (kernels/physics/boundary.h); the means
 *               P, U of the first cells, by bands, are taken before the first step and every
 *               `control_every` iterations
 *
 * Every `control_every` iterations, before the step; no step is larger than 2 % of p. The mass flow
 * is that of the residual's own fluxes, of the full annulus where the mesh repeats by rotation. p,
 * e_last and d are kept in snapshots: a restart goes on, bit for bit. Every function is collective.
 */
#ifndef AN_SOLVER_CONTROL_H
#define AN_SOLVER_CONTROL_H

#include "io/case.h"
#include "solver/boundary/bands.h"

struct an_solver;
struct an_part_type;

struct an_control_outlet {
    int boundary;
    double sectors;            /* meshes like this one in the annulus */
    double p_set;              /* Pa: the case's p, or that of an_control_vary */
    double mass_wanted;        /* kg/s; 0: none */
    double mass_set, p_behind; /* kg/s, Pa: throttle; 0: none */
    int every;
    double gain;
    double p, error; /* Pa now; e of the last step, NaN: none yet */
    double mass;     /* kg/s at the last step, NaN: none yet */
    enum an_equilibrium anchor;
    int non_reflecting;
    int group; /* of an_control.bands, -1: the pressure is the same everywhere */
};

struct an_control {
    int n; /* all static outlets */
    struct an_control_outlet *outlet;
    struct an_faces
        *faces; /* of the engine: faces of outlets that are controlled; NULL: none are */
    struct an_bands *bands; /* of outlets whose values vary; NULL: none do */
    double *rise;           /* [bands->n] Pa: d; owned */
    double *mean[3]; /* [bands->n] Pa, m/s, m/s: pressure, axial, radial velocity; owned; NaN:
                      * none yet */
};

/* The part of a run that controls outlets; every run has it. */
extern const struct an_part_type an_control_part;
/* Gives the static outlet on a boundary another setting, as `map` varies it: a mass flow (kg/s), a
 * pressure (Pa), or a throttle setting (of p - throttle_p of the case). The pressure control begins
 * anew. */
int an_control_vary(struct an_solver *s, int boundary, enum an_vary what, double value);
/* Pressure of the static outlet on a boundary, Pa; boundary < 0: of the first one; NaN: there is
 * none. Not collective. */
double an_control_pressure(const struct an_solver *s, int boundary);

#endif

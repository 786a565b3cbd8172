/* Leakage past a seal: gas leaves the mesh through a part of a wall, passes a cavity that is not
 * meshed, and comes back through another part of a wall.
 *
 * Each leakage is two patches of an_coolant (solver/boundary/coolant.h): one that bleeds and one that
 * blows. Every `control_every` iterations, before a step, means over the cells beside both parts are
 * taken, weighted with the area of their faces:
 *
 *     p1, H1, M1   pressure, total enthalpy and moment of momentum r Vt where the gas leaves
 *     p2           pressure where it comes back
 *
 * The mass flow m of the annulus is given, or a fraction of what enters through the machine's inlets, or
 * follows from p1, the temperature of H1 and p2 by the formula of a seal (bc/seal.h); the last two go half of the
 * way to their new value at each look. What comes back:
 *
 *     mass      m
 *     energy    m H2,  H2 = H1 + windage / m;  H1 where no pressure drives the gas
 *     velocity  Vt = M1 / r at each face, or a part f of omega r; and Vn = m / (rho2 A2) along the
 *               normal in the meridional plane, with rho2 of p2, H2 and these velocities, at most
 *               the speed of sound
 *
 * So in a settled flow mass and energy that leave come back, windage apart, to rounding. The cavity's
 * walls put m (M2 - M1) into the moment of momentum, which is 0 where the swirl is kept.
 */
#ifndef AN_SOLVER_LEAKAGE_H
#define AN_SOLVER_LEAKAGE_H

#include "io/snapshot.h"
#include "solver/boundary/coolant.h"
#include "solver/boundary/coolant_jet.h"

struct an_leak_means {
    double p, h0, T, moment, r; /* Pa, J/kg, K, m2/s, m */
};

struct an_leak {
    const struct an_case_leakage *set;
    int from, to;                /* patches of an_coolant */
    double omega;                /* rad/s of the row whose speed the swirl refers to */
    double mass;                 /* kg/s of the annulus */
    double h0, moment;           /* of what comes back: J/kg; m2/s, where the swirl is kept */
    double speed;                /* m/s: Vn */
    int choked, sonic, unknown;  /* the last fin chokes; Vn is the speed of sound; no look yet */
    struct an_leak_means end[2]; /* of the last measurement: where it leaves, where it comes back */
};

/* Adds the patches of the leakages to k->patch, whose array has room. */
int an_leaks_list(struct an_solver *s, struct an_coolant *k);
/* What the faces decide: zones, sectors, areas; refuses parts without area. Collective. */
int an_leaks_place(struct an_solver *s, struct an_coolant *k);
/* Is a face a part of the patch? */
int an_leak_has(const struct an_coolant_patch *q, const double x[3]);
struct an_coolant_jet an_leak_jet_of(const struct an_case *c, const struct an_leak *q,
                                     const struct an_face_place *at);
/* Is a leakage due for a look before this step? */
int an_leaks_due(const struct an_solver *s, const struct an_coolant *k);
/* A look at those that are due, or whose state is unknown. Collective. */
int an_leaks_look(struct an_solver *s, struct an_coolant *k, int unknown);
/* A look at those of which nothing is known. Collective. */
int an_leaks_catch_up(struct an_solver *s, struct an_coolant *k);
/* Means at both ends, for a measurement. Collective. */
int an_leaks_measure(struct an_solver *s, struct an_coolant *k);
/* The mass flows of the patches from those of the leakages. Not collective. */
void an_leaks_spread(struct an_coolant *k);
int an_leaks_keep(const struct an_coolant *k, struct an_snapshot_meta *meta);
void an_leaks_take(struct an_coolant *k, const struct an_snapshot_meta *meta);
void an_leaks_print(const struct an_coolant *k, FILE *out);
void an_leaks_report(const struct an_coolant *k, FILE *out);

/* Figures of the leakages: report NULL or [n]; returns n. Not collective. */
int an_leaks_describe(const struct an_coolant *k, struct an_leak_report *report);

#endif

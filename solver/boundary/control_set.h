/* The boundaries under control and their bands: the data that control.c and control_bands.c share.
 * Everyone else includes solver/boundary/control.h, which has the formulas. */
#ifndef AN_SOLVER_CONTROL_SET_H
#define AN_SOLVER_CONTROL_SET_H

#include "io/case.h"
#include "io/history.h"
#include "solver/boundary/bands.h"
#include "solver/boundary/face_values.h"

#include <math.h>
#include <stdio.h>

struct an_measured;

#define AN_THROTTLE_GROWTH 0.1 /* g at the start */

/* A static outlet, or an inlet of given mass flow. */
struct an_control_entry {
    int boundary;
    const char *kind, *quantity; /* "outlet", "p", or "inlet", "p0": in snapshots and reports */
    double sign;        /* of its mass flow in the sums over boundaries, which count what leaves */
    double sectors;     /* how often the meshed part fits into the annulus */
    double p_set;       /* Pa: the case's p or p0, or that of an_control_vary */
    double mass_wanted; /* kg/s; 0: none */
    double mass_set, p_behind; /* kg/s, Pa: throttle; 0: none */
    int every;                 /* iterations between two changes */
    double gain;
    double p, error;      /* Pa now; e of the last step, NaN: none yet */
    double speed, growth; /* f; g of a throttle, or of a mass flow: 1 if e has changed its sign */
    double mass;          /* kg/s at the last step, NaN: none yet */
    double seen, sonic; /* kg/s at the last line of the table, NaN: none yet: what passed, and what
                         * would pass at Mach number 1 */
    enum an_equilibrium anchor;
    int non_reflecting;
    int group; /* of an_control.bands; -1: the pressure is the same everywhere */
};

struct an_control {
    int n; /* number of static outlets, and of inlets of given mass flow */
    struct an_control_entry *entry;
    struct an_faces *faces; /* of the engine: faces that are measured for control; NULL: none */
    double (*profile)[2]; /* by this rank's faces of the finest level: p0 (Pa) and TURB that inlets
                             * with profiles have in the case; NULL: there are none; owned */
    struct an_bands *bands; /* of the outlets whose values vary along the span; NULL: none */
    double *rise;           /* [bands->n] Pa: d; owned */
    double *mean[3]; /* [bands->n] Pa, m/s, m/s: mean pressure, axial and radial velocity; NaN:
                      * not measured yet; owned */
};

static inline int an_control_is_inlet(const struct an_control_entry *o)
{
    return o->sign < 0;
}
/* Does the level of its pressure move? Not collective. */
int an_control_moves(const struct an_control_entry *o);
/* Does something of an outlet change before the next step? Not collective. */
int an_control_is_due(const struct an_solver *s, const struct an_control *k,
                      const struct an_control_entry *o);
/* Makes the bands of the outlets in radial equilibrium and of those that do not reflect, without a
 * rise yet. Not collective. */
int an_control_bands_new(struct an_solver *s, struct an_control *k);
/* Means and radial equilibrium of the outlets that are due; spectral radii are those of the state.
 * Collective. */
int an_control_balance(struct an_solver *s, struct an_control *k);

/* Mean m of a band (an_control.mean) from its sums. */
static inline double an_control_mean(const double sum[AN_NINTEGRAL], int m)
{
    static const int of[3] = {AN_I_CELL_P, AN_I_CELL_U, AN_I_CELL_V};
    return sum[of[m]] / sum[AN_I_AREA];
}

/* Pressure, Pa, of a throttle's line at a mass flow, kg/s. Not collective. */
static inline double an_control_line(const struct an_control_entry *o, double mass)
{
    const double part = mass / o->mass_set;
    return o->p_behind + (o->p_set - o->p_behind) * part * fabs(part);
}
/* Puts the pressures and profiles of all entries into the boundaries of all levels. Collective. */
int an_control_apply(struct an_solver *s, struct an_control *k);
/* How far band n is from radial equilibrium, Pa: rise[n] less that of the next band towards the place of the given
 * pressure, less the difference that the sums say; in the band beside this place the rise there. rise, sum: of all bands. Not
 * collective. */
double an_control_rise_gap(const struct an_control *k, const struct an_control_entry *o, int n,
                           const double *rise, double (*sum)[AN_NINTEGRAL]);
/* Give an outlet its new pressure, an inlet its new total pressure. total: sums over each boundary of the mesh. Not
 * collective. */
void an_control_steer_outlet(const struct an_solver *s, struct an_control_entry *o,
                             double (*total)[AN_NINTEGRAL]);
void an_control_steer_inlet(const struct an_solver *s, struct an_control_entry *o,
                            double (*total)[AN_NINTEGRAL]);

struct an_control_face {
    const struct an_control *k;
    const struct an_control_entry *o;
    const struct an_solver *s; /* NULL: without what the harmonics let in */
};
/* Sets the values of a face of an outlet with bands (an_face_values_set). context: struct
 * an_control_face. */
void an_control_set_face(void *context, const struct an_face_place *at, double v[AN_BC_NVALUE]);

/* The entry as it is now; its boundary is controlled. Not collective. */
struct an_control_report an_control_report_of(const struct an_solver *s,
                                              const struct an_control_entry *o);
/* Notes what passes the boundaries (an_component_type.measure_finish). Not collective. */
int an_control_seen(struct an_solver *s, void *component, const struct an_measured *m);
/* Lines for the head and the end of a run (an_component_type.print, report), such as "control     outlet: p
 * starts at 120000 Pa and changes every 10 iterations, until 20 kg/s pass the full annulus, 36
 * times the mesh". Not collective. */
void an_control_print(const struct an_solver *s, const void *component, FILE *out);
void an_control_report(const struct an_solver *s, const void *component, FILE *out);

#endif

/* Forces on a body as coefficients: lift, drag, side force and moments, in parts by pressure and by
 * friction, over the dynamic pressure of the reference (section `reference` of the case).
 *
 *     force     sum over the faces of the walls: (p - p_reference) S + tau A
 *     moment    about the reference point, at the mean of the corners of each face
 *     lift, drag, side: force along an_case_wind over q area; moments over q area length
 *     pitching moment: about -z where y is up, about y where z is up: nose up
 *
 * The walls are those that reference.walls names; without it the viscous walls, and in a flow without
 * any the slip walls. Sums are exact: the same, bit for bit, on any number of ranks.
 */
#ifndef AN_SOLVER_FORCES_H
#define AN_SOLVER_FORCES_H

#include "io/case.h"
#include "io/coefficients.h"
#include "solver/monitor/plane_faces.h"

struct an_solver;
struct an_component_type;

struct an_forces {
    struct an_reference_report reference;
    double axis[AN_C_SIDE + 1][3],
        pitch[3];                /* unit vectors of lift, drag, side force; of the moment */
    char *body;                  /* [nboundary] 1: a wall of the body; owned */
    struct an_plane_faces faces; /* of its slip walls */
    an_coefficients value;       /* of the last measurement, NaN before */
};

/* The part of a run whose case has reference.length. Measured after the walls. AN_INPUT where
 * nothing says the dynamic pressure, or a name of reference.walls is no wall of the mesh. */
extern const struct an_component_type an_forces_component;
/* NULL: the case does not want coefficients. */
struct an_forces *an_forces_of(const struct an_solver *s);
/* What face k of window m adds to the coefficients c in the last measurement: of the slip walls (struct an_forces.faces), or,
 * with viscous, of the viscous walls (struct an_walls). Not collective. */
void an_forces_terms(const struct an_solver *s, const struct an_forces *f, int viscous, int m,
                     int64_t k, double c[AN_NCOEFFICIENT]);
/* Prints what the reference is, if the case has one. Not collective. */
void an_forces_print(const struct an_solver *s, FILE *out);
/* The state of the reference, or that of the far field or supersonic inlet; 0: there is none. Not
 * collective. */
int an_forces_free_stream(const struct an_case *c, struct an_reference_report *r);

#endif

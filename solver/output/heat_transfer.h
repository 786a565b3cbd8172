/* Heat transfer coefficient and Stanton number of the faces of viscous walls.
 *
 *     h = q / (T_ref - T_w)     W/(m2 K), q: heat flux into the wall, W/m2; T_w: temperature of the wall
 *     St = h / (rho u cp)       of the state of `reference`, or of the isentropic flow from the total state of the inlet to the
 *                               pressure of the static outlet
 *
 *     eta = (T_ref - T_w) / (T_ref - T_c)    film effectiveness of adiabatic walls, where coolant enters through boundaries or holes; T_c:
 *                                            mean of its total temperature, by mass
 *
 * T_ref, output.heat_reference:
 *
 *     T0_inlet   total temperature of the first inlet_total, the mean of the lines of a profile
 *     recovery   T_e + r (T0 - T_e) at each face, with T_e after an isentropic change from the total state of the inlet to
 *                the pressure of the wall, and r = Pr^(1/3)
 *     a number   K
 *     a file     wall_NNNNNNNN.cgns of a run on the same mesh with adiabatic walls: their temperatures, face by face
 */
#ifndef AN_SOLVER_HEAT_TRANSFER_H
#define AN_SOLVER_HEAT_TRANSFER_H

#include "io/case.h"
#include "kernels/engine/engine.h"

struct an_solver;
struct an_walls;

struct an_heat_transfer {
    int n; /* fields: of heat 0, 1 (no state for the Stanton number) or 2, and one of a film */
    int recovery;             /* 1: T varies with the pressure of the wall */
    double p0, T0, part;      /* Pa, K: total state of the inlet; r */
    double T;                 /* K: where it is one number */
    int film;                 /* 1: coolant enters, and the files have FilmEffectiveness */
    double coolant;           /* K: its mean total temperature */
    double flux;              /* J/m2/s/K: rho u cp */
    double *adiabatic;        /* [faces of this rank] K, of a file; NULL: none; owned */
    char text[AN_PATH + 200]; /* what was taken, for the head of a run; "": nothing */
};

/* Names of the fields in files. */
const char *an_heat_transfer_name(const struct an_heat_transfer *h, int field);

/* n is 0 where all viscous walls are adiabatic and there is no coolant, or there is no reference. AN_INPUT: the file does not fit, or an inlet is
 * missing. Collective. */
int an_heat_transfer_find(struct an_solver *s, const struct an_walls *w,
                          struct an_heat_transfer *h);
void an_heat_transfer_free(struct an_heat_transfer *h);
/* The fields of face f of this rank from its wall values. Not collective. */
void an_heat_transfer_at(const struct an_solver *s, const struct an_heat_transfer *h, int64_t f,
                         const double v[AN_NCOMP_WALL], double field[3]);

#endif

/* Facts of a case for the rules of plausibility, by subject: used by doubts.c alone. */
#ifndef AN_SOLVER_DOUBTS_TAKE_H
#define AN_SOLVER_DOUBTS_TAKE_H

#include "io/case.h"
#include "io/plausible.h"
#include "solver/monitor/extent.h"

struct an_solver;

/* "boundaries.NAME.key" */
const char *an_doubts_key(const char *boundary, const char *name, char text[AN_FACT_TEXT]);

/* Setting n of the map, and in `of` the key that gives it. n: 0 and 1 are from and to, if the map has no values. */
double an_doubts_setting(const struct an_case *c, int n, char of[AN_FACT_TEXT]);

/* Pressures, temperatures, angles, turbulence and mass flows, of keys and of the lines of profiles, and for a map
 * its settings. AN_INPUT where a setting is none that the gas has. Collective. */
int an_doubts_take_values(const struct an_solver *s, const struct an_extent *e, int commands,
                          struct an_facts *f);
/* Steps of an unsteady run beside what passes and what repeats, and what begins late. Not collective. */
int an_doubts_take_time(const struct an_solver *s, int commands, struct an_facts *f);
/* Signs and speeds of rows, their order, and what the outlet asks for beside their mean line. Not collective. */
void an_doubts_take_rows(const struct an_solver *s, int commands, struct an_facts *f);
/* Constants of the viscosity, and the range of cp(T) beside the temperatures that f has. */
void an_doubts_take_gas(const struct an_case *c, struct an_facts *f);

/* At the end: which jets of holes lift off. */
void an_doubts_take_jets(const struct an_case *c, const struct an_solver *s, struct an_facts *f);

#endif

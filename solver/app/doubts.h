/* Facts of a case and of its result, for the rules of plausibility. */
#ifndef AN_SOLVER_DOUBTS_H
#define AN_SOLVER_DOUBTS_H

#include "io/plausible.h"
#include "solver/march/march.h"
#include "solver/monitor/extent.h"

/* For which command a case is judged: `annulus check` judges it for both. */
enum { AN_DOUBTS_RUN = 1, AN_DOUBTS_MAP = 2 };

/* Facts of the case and its mesh, whose extent is e. AN_INPUT where a setting of the map is none that the gas has.
 * Collective. */
int an_doubts_find(const struct an_case *c, const struct an_topology *t, struct an_solver *s,
                   const struct an_extent *e, int commands, struct an_facts *f);
/* Facts of the last measurement: integral[nboundary] and the mass flow that enters, kg/s. Not
 * collective. */
void an_doubts_end(const struct an_case *c, const struct an_topology *t, const struct an_solver *s,
                   const double (*integral)[AN_NINTEGRAL], double mass_in, struct an_facts *f);

/* All rules on the facts: calls warn(to, text) for each that warns. AN_INPUT, with the text, for the first that
 * refuses; for AN_DOUBTS_MAP alone a setting of the map that is doubtful is refused, too. */
int an_doubts_tell(const struct an_facts *f, int commands, void (*warn)(void *to, const char *text),
                   void *to);

#endif

/* What passes the open boundaries of a run, in a few figures: those of the table. */
#ifndef AN_SOLVER_FIGURES_H
#define AN_SOLVER_FIGURES_H

#include "kernels/engine/engine.h"

struct an_solver;

/* NaN where a figure has no meaning: nothing flows in or out, no work is done. Averages are by mass
 * flow. */
struct an_figures {
    double mass_in, mass_out; /* kg/s of the mesh, cooling and bleed included */
    double imbalance;         /* (in - out) / in; of full annuli where rows are measured */
    double pressure_ratio, temperature_ratio; /* of total conditions, outlet over inlet */
    double efficiency;                        /* isentropic; a turbine's is one over it */
};

/* From the integrals of the last measurement, integral[nboundary]. Not collective. */
void an_figures_find(const struct an_solver *s, const double (*integral)[AN_NINTEGRAL],
                     struct an_figures *f);

#endif

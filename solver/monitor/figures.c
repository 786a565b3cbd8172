#include "solver/monitor/figures.h"

#include "solver/boundary/coolant.h"
#include "solver/level/level.h"
#include "solver/level/rows.h"
#include "solver/monitor/performance.h"

#include <math.h>

/* Isentropic efficiency of the ratios, from p0 and T0 at the inlet: of a compressor; one over that of a
 * turbine. */
static double efficiency(const struct an_gas *g, double p0, double T0, const struct an_figures *f)
{
    const double ratio = f->temperature_ratio;
    const double found = an_flow_efficiency(g, p0, T0, f->pressure_ratio, ratio);
    return ratio < 1 ? 1 / found : found;
}

void an_figures_find(const struct an_solver *s, const double (*integral)[AN_NINTEGRAL],
                     struct an_figures *f)
{
    const struct an_performance *rows = an_performance_of(s);
    double in = 0, out = 0, p0_in = 0, p0_out = 0, t0_in = 0, t0_out = 0;
    for (int b = 0; b < s->level->partition.topology.nboundary; b++) {
        const double *i = integral[b];
        if (!an_bc_type_has((enum an_bc_type)s->boundary[b].type, AN_BC_PASSES))
            continue;
        *(i[AN_I_MASS] < 0 ? &in : &out) += fabs(i[AN_I_MASS]);
        *(i[AN_I_MASS] < 0 ? &p0_in : &p0_out) += fabs(i[AN_I_MP0]);
        *(i[AN_I_MASS] < 0 ? &t0_in : &t0_out) += fabs(i[AN_I_MT0]);
    }
    f->mass_in = in;
    f->mass_out = out;
    an_coolant_add_masses(s, &f->mass_in, &f->mass_out);
    f->imbalance = in > 0 ? (f->mass_in - f->mass_out) / f->mass_in : NAN;
    f->pressure_ratio = in > 0 && out > 0 ? p0_out / out / (p0_in / in) : NAN;
    f->temperature_ratio = in > 0 && out > 0 ? t0_out / out / (t0_in / in) : NAN;
    f->efficiency = an_coolant_of(s) || s->c->gas.model.ends /* rows know the mixture */
                        ? NAN
                        : efficiency(&s->c->gas.model, p0_in / in, in > 0 ? t0_in / in : NAN, f);
    if (!an_solver_is_rotating(s)) /* the ratios of a cascade give -1415 % */
        f->efficiency = NAN;
    if (rows) { /* T0 ratio and efficiency from the flux of energy, as for the rows */
        const double *machine = rows->of[rows->nrow].value;
        f->imbalance = machine[AN_ROW_IMBALANCE]; /* of annuli: rows may differ in pitch */
        f->temperature_ratio = machine[AN_ROW_T0_RATIO];
        f->efficiency = an_solver_is_rotating(s) ? machine[AN_ROW_EFFICIENCY] : NAN;
    }
}

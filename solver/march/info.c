/* What a run is and where it stands. */
#include "kernels/engine/model.h"
#include "kernels/physics/gas_real.h"
#include "solver/flow/fields.h"
#include "solver/level/level.h"
#include "solver/march/cfl.h"
#include "solver/march/march.h"

#include <string.h>

int64_t an_solver_iteration(const struct an_solver *s)
{
    return s->iteration;
}

double an_solver_time(const struct an_solver *s)
{
    return s->time;
}

const struct an_partition *an_solver_partition(const struct an_solver *s)
{
    return &s->level->partition;
}

const struct an_bc_value *an_solver_boundary(const struct an_solver *s)
{
    return s->boundary;
}

void an_solver_info(const struct an_solver *s, struct an_solver_info *info)
{
    const struct an_marching *m = an_marching_of(s);
    const struct an_wall_search *walls = an_wall_search_of(s);
    memset(info, 0, sizeof *info);
    info->ranks = s->nrank;
    info->stages = m->nstage;
    info->implicit = s->implicit;
    info->levels = s->nlevel;
    info->replicated = s->nreplicated;
    info->limit = s->coarsening.limit;
    info->cfl = an_solver_cfl(s);
    info->cfl_most = m->control.caution * s->c->march.cfl;
    info->start_diverged = m->start_diverged;
    info->lowered = m->control.caution < 1;
    info->recording = m->graph.on;
    info->recording_reason = m->graph.reason;
    info->recorded = m->graph.recorded;
    info->replayed = m->graph.replayed;
    an_halo_info(s->level->halo, &info->halo);
    info->read_bytes = s->read_bytes;
    info->read_seconds = s->read_seconds;
    info->wall_facets = walls ? walls->nfacet : 0;
    info->wall_seconds = walls ? walls->seconds : 0;
}

/* A temperature of the case that the gas was not given for. */
static void print_beyond(const struct an_gas *g, const char *what, const char *key, double T,
                         FILE *out)
{
    if (T > 0 && (T < g->of.lo || T > g->of.hi))
        fprintf(out, "            %s.%s is %.6g K, beyond T_range: cp is constant there\n", what,
                key, T);
}

void an_solver_print_gas(const struct an_case *c, FILE *out)
{
    const struct an_gas *g = &c->gas.model;
    const struct an_gas_table *t = g->table;
    if (t)
        fprintf(out,
                "gas         table of %s, %d x %d nodes, %.6g to %.6g Pa, %.6g to %.6g K (%s), "
                "checksum %s\n",
                t->fluid, t->n[0], t->n[1], t->p_range[0], t->p_range[1], t->T_range[0],
                t->T_range[1], t->source, c->gas.table_checksum);
    if (!g->n)
        return;
    if (c->gas.mixture == AN_MIXTURE_AIR)
        fprintf(
            out,
            "gas         air with %.6g kg of vapour and %.6g kg of burnt fuel per kg of dry air: R "
            "%.6g J/(kg K), cp(T) within %.2g %%\n",
            c->gas.vapour, c->gas.fuel_air_ratio, g->R, 100 * c->gas.mixture_error);
    const double lo = g->of.lo, hi = g->of.hi;
    fprintf(out,
            "gas         cp(T) of %d coefficient%s: at %.6g K %.6g J/(kg K), gamma %.4f; at %.6g K "
            "%.6g J/(kg K), gamma %.4f\n",
            g->n, g->n == 1 ? "" : "s", lo, an_gas_cp(g, lo), an_gas_gamma(g, lo), hi,
            an_gas_cp(g, hi), an_gas_gamma(g, hi));
    if (g->ends) {
        const struct an_gas second = an_gas_at(g, 1);
        fprintf(out,
                "gas         mixture: %s is the mass fraction of a second gas, R %.6g J/(kg K), cp "
                "%.6g "
                "and %.6g J/(kg K)\n",
                c->gas.fraction, second.R, an_gas_cp(&second, lo), an_gas_cp(&second, hi));
    }
    print_beyond(g, "initial", "T", c->initial.T, out);
    for (int b = 0; b < c->nboundary; b++) {
        const struct an_case_boundary *q = &c->boundary[b];
        if (q->type == AN_BC_INLET_TOTAL || q->type == AN_BC_COOLING)
            print_beyond(g, q->name, "T0", q->T0, out);
        else if (an_bc_type_has(q->type, AN_BC_STATE))
            print_beyond(g, q->name, "T", q->state.T, out);
        else if (q->type == AN_BC_WALL_VISCOUS)
            print_beyond(g, q->name, "T", q->wall.T, out);
    }
}

void an_solver_print_transition(const struct an_case *c, FILE *out)
{
    double inflow[2];
    if (an_case_has_intermittency(c) && an_case_inflow(c, inflow))
        fprintf(out, "transition  %s: %.4g %% turbulence with mu_t / mu %.4g flows in; it %s\n",
                an_case_has_re_theta(c) ? "gamma_re_theta" : "gamma", 100 * inflow[0], inflow[1],
                c->turbulence.ambient ? "does not decay in the stream" : "decays along the stream");
    if (!an_case_has_bcm(c))
        return;
    fprintf(
        out,
        "transition  bcm: in a stream of %.3g %% turbulence boundary layers are laminar up to a "
        "Reynolds number of the momentum thickness of %.4g\n",
        100 * c->turbulence.intensity, an_model_critical(c->turbulence.intensity));
}

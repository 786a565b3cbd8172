/* Residual norms, health and boundary integrals of the present state. A measurement changes nothing
 * that the next step reads. It has two parts: the first issues all work and the copies of the
 * results to page-locked memory; the second takes the results and sums them over the ranks. The
 * device may compute the next step in between. */
#include "solver/monitor/measure.h"

#include "kernels/engine/meter.h"
#include "mpi/reduce.h"
#include "solver/flow/flow.h"
#include "solver/flow/turbulence.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/level/place.h"
#include "solver/level/transfer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Searches the blocks of this rank for the first cell without a physical state; the error text
 * names zone, cell, place and variable. */
static int find_bad_cell(struct an_solver *s)
{
    static const char *const name[5] = {"density", "momentum x", "momentum y", "momentum z",
                                        "energy"};
    for (int b = 0; b < s->nlocal; b++) {
        const int *n = s->level->layout.block[b].n;
        const int64_t cells = (int64_t)n[0] * n[1] * n[2];
        double *w = malloc((size_t)cells * 5 * sizeof *w);
        AN_CHECK(w, AN_DIVERGED, "the flow diverged (and no memory is left to say where)");
        int status = an_solver_download(s, AN_F_W, 5, b, w);
        for (int64_t at = 0; status == AN_OK && at < cells; at++) {
            const char *what = NULL;
            double value = 0;
            for (int c = 0; c < 5 && !what; c++)
                if (!isfinite(w[c * cells + at])) {
                    what = name[c];
                    value = w[c * cells + at];
                }
            const double rho = w[at], mx = w[cells + at], my = w[2 * cells + at],
                         mz = w[3 * cells + at];
            const double pressure =
                an_gas_pressure(&s->c->gas.model, rho,
                                w[4 * cells + at] - 0.5 * (mx * mx + my * my + mz * mz) / rho);
            if (!what && !(rho > 0)) {
                what = name[0];
                value = rho;
            } else if (!what && !(pressure > 0)) {
                what = "pressure";
                value = pressure;
            }
            if (!what)
                continue;
            char place[256];
            an_place_text(s, b, at, place, sizeof place);
            status = an_error_set(AN_DIVERGED, "diverged at iteration %lld: %s is %g in %s",
                                  (long long)s->iteration, what, value, place);
        }
        free(w);
        AN_TRY(status);
    }
    return AN_OK;
}

struct measuring {
    int64_t iteration;
    struct an_reduction flow, turbulence;
    int nintegral;
    struct an_xsum *sum; /* [nintegral] owned */
    double *integral;    /* [nintegral] owned */
};

static int measure_make(struct an_solver *s, void **component)
{
    struct measuring *g = calloc(1, sizeof *g);
    *component = g;
    AN_CHECK(g, AN_FAIL, "out of memory for boundary integrals");
    g->nintegral = s->level->partition.topology.nboundary * AN_NINTEGRAL;
    g->sum = calloc((size_t)g->nintegral + 1, sizeof *g->sum);
    g->integral = calloc((size_t)g->nintegral + 1, sizeof *g->integral);
    AN_CHECK(g->sum && g->integral, AN_FAIL, "out of memory for boundary integrals");
    return AN_OK;
}

static void measure_destroy(struct an_solver *s, void *component)
{
    (void)s;
    struct measuring *g = component;
    free(g->sum);
    free(g->integral);
    free(g);
}

const struct an_component_type an_measure_component = {
    .name = "measurements", .make = measure_make, .destroy = measure_destroy};

static int issue(struct an_solver *s, struct measuring *g)
{
    const struct an_engine_ops *op = s->engine->op;
    AN_TRY(an_level_radii(s, s->level, NULL));
    AN_TRY(an_level_residual(s, s->level, s->level->fields.at[AN_F_W]));
    AN_TRY(op->run(s->engine, AN_S_norm, s->level->interior, &s->level->fields, &s->params,
                   &g->flow, 0));
    AN_TRY(an_turbulence_measure_start(s, &g->turbulence));
    AN_TRY(an_components_measure_start(s));
    return op->run_faces(s->engine, AN_S_boundary_integral, s->scheme, s->level->faces,
                         &s->level->fields, &s->params, g->sum, 0);
}

int an_solver_measure_start(struct an_solver *s)
{
    struct measuring *g = an_component_of(s, &an_measure_component);
    for (int n = 0; n < s->nlevel; n++) {
        AN_TRY(an_halo_check(s->level[n].halo));
        AN_TRY(an_halo_check(s->level[n].halo_lam));
        if (s->level[n].gather)
            AN_TRY(an_halo_check(s->level[n].gather));
    }
    AN_TRY(an_components_before_measure(s));
    g->iteration = s->iteration;
    AN_TRY(an_engine_defer(s->engine, 1));
    const int status = issue(s, g), ended = an_engine_defer(s->engine, 0);
    return status == AN_OK ? ended : status;
}

/* Residual norms of the flow and of the turbulence. */
static int finish_norms(struct an_solver *s, struct measuring *g, struct an_measure *m)
{
    struct an_reduction *red = &g->flow;
    AN_TRY(an_reduce_xsum(s->comm, 6, red->sum));
    AN_TRY(an_reduce_min(s->comm, AN_NMIN, red->min));
    double volume = an_xsum_value(red->sum[5]);
    int healthy = red->min[0] > 0 && red->min[1] > 0;
    for (int c = 0; c < 5; c++) {
        m->residual[c] = sqrt(an_xsum_value(red->sum[c]) / volume);
        healthy = healthy && isfinite(m->residual[c]);
    }
    m->rho_min = red->min[0];
    m->p_min = red->min[1];
    if (!healthy) {
        AN_TRY(an_reduce_status(s->comm, find_bad_cell(s)));
        return an_place_worst(s, g->iteration);
    }
    AN_TRY(an_turbulence_measure_finish(s, g->iteration, &g->turbulence, m->turbulence));
    for (int c = 0; c < 5; c++)
        s->residual_first[c] =
            fmax(s->has_residual_first ? s->residual_first[c] : 0, m->residual[c]);
    s->has_residual_first = 1;
    m->drop = s->residual_first[0] > 0 ? m->residual[0] / s->residual_first[0] : 0;
    return AN_OK;
}

int an_solver_measure_finish(struct an_solver *s, struct an_measure *m)
{
    struct measuring *g = an_component_of(s, &an_measure_component);
    double(*integral)[AN_NINTEGRAL] = (double(*)[AN_NINTEGRAL])g->integral;
    AN_TRY(an_engine_collect(s->engine));
    AN_TRY(finish_norms(s, g, m));
    AN_TRY(an_reduce_xsum(s->comm, g->nintegral, g->sum));
    for (int n = 0; n < g->nintegral; n++)
        g->integral[n] = an_xsum_value(g->sum[n]);
    if (m->integral)
        memcpy(m->integral, g->integral, (size_t)g->nintegral * sizeof *g->integral);
    const struct an_measured measured = {.iteration = g->iteration,
                                         .integral = (const double(*)[AN_NINTEGRAL])integral};
    return an_components_measure_finish(s, &measured);
}

int an_solver_measure(struct an_solver *s, struct an_measure *m)
{
    AN_TRY(an_solver_measure_start(s));
    return an_solver_measure_finish(s, m);
}

#include "solver/output/heat_transfer.h"

#include "io/surface.h"
#include "kernels/base/units.h"
#include "kernels/physics/gas_state.h"
#include "mpi/reduce.h"
#include "solver/boundary/coolant.h"
#include "solver/boundary/inlets.h"
#include "solver/level/level.h"
#include "solver/monitor/walls.h"
#include "solver/output/wall_name.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *an_heat_transfer_name(const struct an_heat_transfer *h, int field)
{
    static const char *const name[] = {"HeatTransferCoefficient", "StantonNumber"};
    return h->film && field == h->n - 1 ? "FilmEffectiveness" : name[field];
}

static const struct an_case_boundary *first_of(const struct an_case *c, enum an_bc_type type)
{
    for (int b = 0; b < c->nboundary; b++)
        if (c->boundary[b].type == type)
            return &c->boundary[b];
    return NULL;
}

/* Total state of an inlet; of a profile the mean of its lines. */
static void take_inlet(const struct an_solver *s, const struct an_case_boundary *b,
                       struct an_heat_transfer *h)
{
    const int n = an_inlets_count(s, b);
    for (int m = 0; m < n; m++) {
        const struct an_inlet_total total = an_inlets_total(s, b, m);
        h->p0 += total.p0 / n;
        h->T0 += total.T0 / n;
    }
}

/* J/kg/K */
static double cp_of(const struct an_gas *g, double p, double T)
{
    const double d = 0.01 * T;
    return (an_state_h(g, p, T + d) - an_state_h(g, p, T - d)) / (2 * d);
}

/* rho u cp of the Stanton number; 0: none. text[size] says of what. */
static double flux_of(const struct an_solver *s, const struct an_heat_transfer *h, char *text,
                      size_t size)
{
    const struct an_case *c = s->c;
    const struct an_gas *g = &c->gas.model;
    const struct an_case_boundary *out = first_of(c, AN_BC_OUTLET_STATIC);
    double p = c->reference.state.p, T = c->reference.state.T, u;
    if (an_case_has_reference(c)) {
        u = an_case_speed(c, &c->reference.state);
        snprintf(text, size, "reference");
    } else if (h->p0 > 0 && out && out->p < h->p0) {
        p = out->p;
        T = an_state_expand(g, h->p0, h->T0, p);
        u = sqrt(2 * fmax(an_state_h(g, h->p0, h->T0) - an_state_h(g, p, T), 0));
        snprintf(text, size, "the isentropic flow to %.6g Pa at '%.60s'", p, out->name);
    } else {
        return 0;
    }
    return an_state_density(g, p, T) * u * cp_of(g, p, T);
}

/* Is a viscous wall heated or cooled? */
static int some_heat(const struct an_solver *s)
{
    for (int b = 0; b < s->mesh->topology.nboundary; b++)
        if (s->boundary[b].type == AN_BC_WALL_VISCOUS &&
            (s->boundary[b].varies || s->boundary[b].v[AN_BC_HEAT_KIND] != AN_WALL_ADIABATIC))
            return 1;
    return 0;
}

/* Temperatures of adiabatic walls from the file of another run, for the faces of this rank. */
static int read_file(struct an_solver *s, const struct an_walls *w, const char *path,
                     struct an_heat_transfer *h)
{
    struct an_surface *surface = calloc((size_t)w->npatch + 1, sizeof *surface);
    int64_t all = 0;
    for (int p = 0; p < w->npatch; p++)
        all += (int64_t)w->patch[p].n[0] * w->patch[p].n[1];
    double *T = malloc(((size_t)all + 1) * sizeof *T);
    h->adiabatic = malloc(((size_t)w->nface + 1) * sizeof *h->adiabatic);
    int status = surface && T && h->adiabatic
                     ? AN_OK
                     : an_error_set(AN_FAIL, "out of memory for heat transfer");
    for (int p = 0; p < w->npatch && status == AN_OK; p++) {
        an_wall_name(&s->mesh->topology, surface, p, &w->patch[p], &surface[p]);
        memcpy(surface[p].n, w->patch[p].n, sizeof surface[p].n);
        status = an_surface_read(path, &surface[p], "TemperatureWall", T + w->patch[p].first);
    }
    for (int64_t f = 0; f < w->nface && status == AN_OK; f++)
        h->adiabatic[f] = T[w->place[f]];
    free(T);
    free(surface);
    return status;
}

int an_heat_transfer_find(struct an_solver *s, const struct an_walls *w, struct an_heat_transfer *h)
{
    const struct an_case *c = s->c;
    const struct an_case_boundary *in = first_of(c, AN_BC_INLET_TOTAL);
    const char *wanted = *c->output.heat_reference ? c->output.heat_reference
                         : in                      ? "T0_inlet"
                                                   : "";
    char path[2 * AN_PATH], of[200], *end = NULL;
    const int heat = some_heat(s);
    h->film = an_coolant_mean_T0(s, &h->coolant);
    if (!*wanted || !(heat || h->film)) {
        h->film = 0;
        return AN_OK;
    }
    if (in)
        take_inlet(s, in, h);
    h->recovery = strcmp(wanted, "recovery") == 0;
    h->part = cbrt(c->gas.prandtl);
    h->T = strtod(wanted, &end);
    const struct an_unit *unit = end > wanted ? an_unit_find(AN_TEMPERATURE, end) : NULL;
    if (unit) {
        h->T = unit->factor * h->T + unit->offset;
        end += strlen(end);
    }
    if (h->recovery || strcmp(wanted, "T0_inlet") == 0) {
        AN_CHECK(in, AN_INPUT, "%s: 'output.heat_reference: %s' needs an inlet_total", c->file,
                 wanted);
        AN_CHECK(!h->recovery || !s->omega, AN_INPUT,
                 "%s: 'output.heat_reference: recovery' needs rows at rest", c->file);
        h->T = h->T0;
        if (h->recovery)
            snprintf(h->text, sizeof h->text,
                     "the recovery temperature, by T0 %.6g K and p0 %.6g Pa of inlet '%.60s'",
                     h->T0, h->p0, in->name);
        else
            snprintf(h->text, sizeof h->text, "%.6g K, T0 of inlet '%.60s'", h->T0, in->name);
    } else if (*end == '\0') {
        AN_CHECK(h->T > 0, AN_INPUT, "%s: 'output.heat_reference' is %g K, but must be > 0",
                 c->file, h->T);
        snprintf(h->text, sizeof h->text, "%.6g K", h->T);
    } else {
        const int beside = *wanted != '/' && strcmp(c->folder, ".") != 0;
        snprintf(path, sizeof path, "%s%s%s", beside ? c->folder : "", beside ? "/" : "", wanted);
        AN_TRY(an_reduce_status(s->comm, read_file(s, w, path, h)));
        snprintf(h->text, sizeof h->text, "the adiabatic wall temperatures of %.1000s", path);
    }
    h->flux = heat ? flux_of(s, h, of, sizeof of) : 0;
    h->n = (heat ? h->flux > 0 ? 2 : 1 : 0) + h->film;
    const size_t used = strlen(h->text);
    if (h->flux > 0)
        snprintf(h->text + used, sizeof h->text - used,
                 "; Stanton number with rho u cp = %.5g W/(m2 K) of %s", h->flux, of);
    return AN_OK;
}

void an_heat_transfer_free(struct an_heat_transfer *h)
{
    free(h->adiabatic);
    h->adiabatic = NULL;
}

void an_heat_transfer_at(const struct an_solver *s, const struct an_heat_transfer *h, int64_t f,
                         const double v[AN_NCOMP_WALL], double field[3])
{
    int n = 0;
    double coolant = h->coolant;
    double T = h->adiabatic ? h->adiabatic[f] : h->T;
    if (h->recovery && v[AN_WALL_P] > 0) {
        const double edge =
            an_state_expand(&s->c->gas.model, h->p0, h->T0, fmin(v[AN_WALL_P], h->p0));
        T = edge + h->part * (h->T0 - edge);
    }
    const double difference = T - v[AN_WALL_T];
    if (h->n > h->film)
        field[n++] = difference != 0 ? v[AN_WALL_HEAT] / difference : 0;
    if (h->flux > 0)
        field[n++] = field[0] / h->flux;
    if (h->film) {
        an_coolant_mean_T0(s, &coolant);
        field[n] = T != coolant ? difference / (T - coolant) : 0;
    }
}

#include "solver/boundary/solid_time.h"

#include "mpi/reduce.h"
#include "solver/flow/flow.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEWTON = 3, MOST = 50 };
#define DROP   1e-4 /* of the residual in an iteration of Newton's method */
#define ENOUGH 1e-8 /* of the temperature: a smaller change leaves an error of rounding */

int an_solids_store(const struct an_solids *k)
{
    for (const struct an_solid *q = k->solid; q < k->solid + k->n; q++)
        if (q->storage > 0)
            return 1;
    return 0;
}

/* Weights c0 and a1 of a step, and the factor of the extrapolation. */
static void weights(const struct an_solids *k, double dt, double c[3])
{
    const double ratio = k->known ? dt / k->last : 0;
    const int second = k->known && ratio <= 2; /* beyond 2.4 BDF2 of unequal steps is unstable */
    c[0] = second ? (1 + 2 * ratio) / (1 + ratio) : 1;
    c[1] = second ? -ratio * ratio / (1 + ratio) : 0;
    c[2] = second ? ratio : 0;
}

/* theta and T of a solid at the end of the step, with the present heat of the gas. */
static void solve(const struct an_solver *s, const struct an_solids *k, struct an_solid *q,
                  const double c[3])
{
    const int32_t n = q->mesh.nunknown;
    const double rate = q->storage / s->params.march.time_step;
    for (int time = 0; time < NEWTON; time++) {
        an_solid_loads(s, k, q);
        an_conduction_apply(&q->conduction, q->theta, q->change);
        for (int32_t u = 0; u < n; u++) {
            const double stored =
                c[0] * (q->T[u] - q->T_last[0][u]) + c[1] * (q->T_last[0][u] - q->T_last[1][u]);
            const double capacity = rate * q->conduction.volume[u];
            q->load[u] -= q->change[u] + capacity * stored;
            q->diagonal[u] += capacity * c[0] / an_metal_conductivity(&q->metal, q->T[u]);
            q->change[u] = 0;
        }
        an_conduction_set(&q->conduction, q->diagonal);
        an_conduction_solve(&q->conduction, q->load, DROP, MOST, q->change);
        double largest = 0;
        for (int32_t u = 0; u < n; u++) {
            const double T = q->T[u];
            q->theta[u] += q->change[u];
            q->T[u] = an_metal_temperature(&q->metal, q->theta[u]);
            largest = fmax(largest, fabs(q->T[u] - T) / T);
        }
        if (largest < ENOUGH)
            break;
    }
}

static int solve_all(struct an_solver *s, struct an_solids *k, const double c[3])
{
    for (struct an_solid *q = k->solid; q < k->solid + k->n; q++)
        if (q->storage > 0)
            solve(s, k, q, c);
    k->change = an_solids_temperatures(k);
    AN_TRY(an_solids_impose(s, k));
    return an_level_ghosts(s, s->level, s->level->fields.at[AN_F_W]);
}

int an_solids_predict(struct an_solver *s, struct an_solids *k)
{
    double c[3];
    weights(k, s->params.march.time_step, c);
    if (!k->known)
        AN_TRY(an_solids_measure(s, k, k->heat));
    for (int64_t f = 0; f < k->nface; f++) {
        const double now = k->heat[f];
        k->heat[f] += k->known ? c[2] * (now - k->heat_last[f]) : 0;
        k->heat_last[f] = now;
    }
    for (struct an_solid *q = k->solid; q < k->solid + k->n; q++) {
        const size_t size = (size_t)q->mesh.nunknown * sizeof *q->T;
        if (q->storage > 0) {
            memcpy(q->T_last[1], q->T_last[0], size);
            memcpy(q->T_last[0], q->T, size);
        }
    }
    return solve_all(s, k, c);
}

int an_solids_correct(struct an_solver *s, struct an_solids *k)
{
    double c[3];
    weights(k, s->params.march.time_step, c);
    AN_TRY(an_solids_measure(s, k, k->heat));
    memcpy(k->T_of_heat, k->T, (size_t)k->nface * sizeof *k->T);
    AN_TRY(solve_all(s, k, c));
    k->known = 1;
    k->last = s->params.march.time_step;
    k->exchanges++;
    return AN_OK;
}

double an_solid_time_scale(const struct an_solid *q, double T)
{
    double volume = 0, area = 0;
    for (int32_t u = 0; u < q->mesh.nunknown; u++)
        volume += q->conduction.volume[u];
    for (const struct an_solid_surface *w = q->surface; w < q->surface + q->nsurface; w++)
        area += w->set && (*w->set->gas || w->set->T > 0 || w->set->heat_flux != 0) ? w->total : 0;
    const double depth = volume / area;
    return q->storage * depth * depth / an_metal_conductivity(&q->metal, T);
}

/* ---- snapshots */

int an_solids_time_keep(const struct an_solids *k, struct an_snapshot_meta *meta)
{
    if (!an_solids_store(k) || !k->known)
        return AN_OK;
    AN_TRY(an_snapshot_control_add(meta, "solids.last_step", k->last));
    AN_TRY(an_solids_keep_values(meta, "solids.heat_last", k->nface, k->heat_last));
    for (const struct an_solid *q = k->solid; q < k->solid + k->n; q++) {
        char name[64];
        an_solid_value_name(q, "T_last", name);
        if (q->storage > 0)
            AN_TRY(an_solids_keep_values(meta, name, q->mesh.nunknown, q->T_last[0]));
    }
    return AN_OK;
}

void an_solids_time_take(struct an_solids *k, const struct an_snapshot_meta *meta)
{
    const double *heat = an_snapshot_array_get(meta, "solids.heat_last", k->nface);
    k->last = an_snapshot_control_get(meta, "solids.last_step", 0);
    k->known = k->last > 0 && heat && k->exchanges && an_solids_store(k);
    for (struct an_solid *q = k->solid; q < k->solid + k->n && k->known; q++) {
        char name[64];
        an_solid_value_name(q, "T_last", name);
        const double *T =
            q->storage > 0 ? an_snapshot_array_get(meta, name, q->mesh.nunknown) : NULL;
        if (T)
            memcpy(q->T_last[0], T, (size_t)q->mesh.nunknown * sizeof *T);
        k->known = T || !(q->storage > 0);
    }
    if (k->known)
        memcpy(k->heat_last, heat, (size_t)k->nface * sizeof *heat);
}

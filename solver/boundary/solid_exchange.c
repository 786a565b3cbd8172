#include "solver/boundary/solid_state.h"

#include "kernels/base/numbers.h"
#include "mpi/reduce.h"
#include "solver/boundary/face_values.h"
#include "solver/flow/flow.h"
#include "solver/level/level.h"
#include "solver/level/replicated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double an_solids_temperatures(struct an_solids *k)
{
    double change = 0;
    for (struct an_solid *q = k->solid; q < k->solid + k->n; q++)
        for (int32_t u = 0; u < q->mesh.nunknown; u++)
            q->T[u] = an_metal_temperature(&q->metal, q->theta[u]);
    AN_EACH_SOLID_GAS(k, q, g)
    {
        for (int64_t f = 0; f < g->contact.nface; f++) {
            const double T = an_solid_contact_mean(&g->contact, f, q->T);
            change = fmax(change, fabs(T - k->T[g->first + f]));
            k->T[g->first + f] = T;
        }
    }
    return change;
}

int an_solids_impose(struct an_solver *s, const struct an_solids *k)
{
    struct an_face_values *values = an_face_values_of(s);
    for (int64_t f = 0; f < k->nown; f++)
        values->level[0].value[k->row[f]][AN_BC_HEAT] = k->T[k->number[f]];
    return an_face_values_upload(s);
}

int an_solids_measure_start(struct an_solver *s, struct an_solids *k)
{
    int status = an_level_gradient(s, s->level, s->level->fields.at[AN_F_W]);
    if (status == AN_OK)
        status = an_face_results_start(s, AN_S_wall_values, AN_F_WALL, k->faces, k->field, k->image,
                                       k->nown * AN_NCOMP_WALL);
    return an_reduce_status(s->comm, status);
}

int an_solids_measure_finish(struct an_solver *s, struct an_solids *k, double *heat)
{
    const int64_t n = k->nown * AN_NCOMP_WALL;
    double *value = malloc(((size_t)n + 1) * sizeof *value);
    int status = value ? AN_OK : an_error_set(AN_FAIL, "out of memory for solids");
    if (status == AN_OK)
        status = an_face_results_wait(s);
    if (status == AN_OK) {
        an_face_results_take(s, k->image, n, value);
        memset(heat, 0, (size_t)k->nface * sizeof *heat);
        for (int64_t f = 0; f < k->nown; f++) {
            const double *v = value + f * AN_NCOMP_WALL;
            heat[k->number[f]] = v[AN_WALL_HEAT] * an_length(v + AN_WALL_SX);
        }
    }
    free(value);
    AN_TRY(an_reduce_status(s->comm, status));
    return an_replicated_join_bytes(s, heat, (size_t)k->nface * sizeof *heat);
}

int an_solids_measure(struct an_solver *s, struct an_solids *k, double *heat)
{
    AN_TRY(an_solids_measure_start(s, k));
    return an_solids_measure_finish(s, k, heat);
}

void an_solid_loads(const struct an_solver *s, const struct an_solids *k, struct an_solid *q)
{
    const int32_t n = q->mesh.nunknown;
    memset(q->load, 0, (size_t)n * sizeof *q->load);
    memset(q->diagonal, 0, (size_t)n * sizeof *q->diagonal);
    memset(q->heat, 0, (size_t)q->mesh.nboundary * sizeof *q->heat);
    for (const struct an_solid_gas *g = q->gas; g < q->gas + q->ngas; g++)
        for (int64_t f = 0; f < g->contact.nface; f++) {
            const double heat = k->heat[g->first + f];
            an_solid_contact_add(&g->contact, f, heat, q->load);
            an_solid_contact_share(&g->contact, f, heat, q->heat);
            if (!(q->storage > 0))
                an_solid_contact_add(&g->contact, f, g->answer * k->conductance[g->first + f],
                                     q->diagonal);
        }
    for (int32_t u = 0; u < n; u++)
        q->diagonal[u] /= an_metal_conductivity(&q->metal, q->T[u]);
    an_solid_surfaces_load(s, q);
    q->imbalance = 0;
    for (int m = 0; m < q->nsurface; m++)
        q->imbalance += q->heat[q->surface[m].boundary];
}

void an_solid_value_name(const struct an_solid *q, const char *what, char name[64])
{
    snprintf(name, 64, "solids.%.30s.%.20s", q->set->name, what);
}

int an_solids_keep_values(struct an_snapshot_meta *meta, const char *name, int64_t n,
                          const double *from)
{
    double *value;
    AN_TRY(an_snapshot_array_add(meta, name, n, &value));
    memcpy(value, from, (size_t)n * sizeof *value);
    return AN_OK;
}

#include "bc/boundary_value.h"

#include <stdlib.h>
#include <string.h>

struct an_bc_value an_bc_inlet_total(double p0, double T0, const double direction[3])
{
    struct an_bc_value value = {.type = AN_BC_INLET_TOTAL};
    value.v[AN_BC_P0] = p0;
    value.v[AN_BC_T0] = T0;
    memcpy(value.v + AN_BC_DIRECTION, direction, 3 * sizeof *direction);
    return value;
}

struct an_bc_value an_bc_outlet_static(double p)
{
    struct an_bc_value value = {.type = AN_BC_OUTLET_STATIC};
    value.v[AN_BC_P] = p;
    return value;
}

struct an_bc_value an_bc_state(enum an_bc_type type, const struct an_gas_state *state,
                               double gas_constant)
{
    struct an_bc_value value = {.type = (int)type};
    value.v[AN_BC_RHO] = state->p / (gas_constant * state->T);
    memcpy(value.v + AN_BC_VELOCITY, state->velocity, sizeof state->velocity);
    value.v[AN_BC_PRESSURE] = state->p;
    return value;
}

struct an_bc_value an_bc_wall_viscous(enum an_wall_heat kind, double heat, const double velocity[3],
                                      double omega, int with_block, double roughness)
{
    struct an_bc_value value = {.type = AN_BC_WALL_VISCOUS};
    value.v[AN_BC_HEAT_KIND] = kind;
    value.v[AN_BC_HEAT] = heat;
    memcpy(value.v + AN_BC_WALL_VELOCITY, velocity, 3 * sizeof *velocity);
    value.v[AN_BC_WALL_OMEGA] = omega;
    value.v[AN_BC_WITH_BLOCK] = with_block;
    value.v[AN_BC_ROUGHNESS] = roughness;
    return value;
}

struct an_bc_value an_bc_plain(enum an_bc_type type)
{
    return (struct an_bc_value){.type = (int)type, .varies = an_bc_type_has(type, AN_BC_VARIES)};
}

int an_bc_windows(const struct an_topology *t, const struct an_bc_value *boundary, int nlocal,
                  const int *local, int *nwindow, struct an_face_window **window)
{
    int *place = malloc((size_t)(t->nblock ? t->nblock : 1) * sizeof *place);
    *window = malloc((size_t)(t->npatch ? t->npatch : 1) * sizeof **window);
    *nwindow = 0;
    if (!place || !*window) {
        free(place);
        return an_error_set(AN_FAIL, "out of memory for %d boundary patches", t->npatch);
    }
    for (int b = 0; b < t->nblock; b++)
        place[b] = -1;
    for (int l = 0; l < nlocal; l++)
        place[local[l]] = l;
    for (int p = 0; p < t->npatch; p++) {
        const struct an_patch *patch = &t->patch[p];
        if (place[patch->window.block] < 0)
            continue;
        struct an_face_window *w = &(*window)[(*nwindow)++];
        w->window = patch->window;
        w->window.block = place[patch->window.block];
        w->boundary = patch->boundary;
        w->behind = an_window_has_behind(t, &patch->window);
        w->first = 0;
    }
    free(place);
    int64_t faces = 0;
    for (int varying = 1; varying >= 0; varying--)
        for (int m = 0; m < *nwindow; m++) {
            struct an_face_window *w = &(*window)[m];
            if ((boundary[w->boundary].varies != 0) != varying)
                continue;
            w->values = faces;
            faces += an_window_faces(&w->window);
        }
    return AN_OK;
}

#include "bc/boundary_value.h"

#include <stdlib.h>

struct an_bc_value an_bc_inlet_total(double p0, double T0, const double direction[3])
{
    return (struct an_bc_value){.type = AN_BC_INLET_TOTAL,
                                .v = {p0, T0, direction[0], direction[1], direction[2]}};
}

struct an_bc_value an_bc_outlet_static(double p)
{
    return (struct an_bc_value){.type = AN_BC_OUTLET_STATIC, .v = {p}};
}

struct an_bc_value an_bc_state(enum an_bc_type type, const struct an_gas_state *state,
                               double gas_constant)
{
    return (struct an_bc_value){.type = (int)type,
                                .v = {state->p / (gas_constant * state->T), state->velocity[0],
                                      state->velocity[1], state->velocity[2], state->p}};
}

struct an_bc_value an_bc_wall_viscous(enum an_wall_heat kind, double heat, const double velocity[3],
                                      double omega, int with_block)
{
    return (struct an_bc_value){
        .type = AN_BC_WALL_VISCOUS,
        .v = {(double)kind, heat, velocity[0], velocity[1], velocity[2], omega, with_block}};
}

struct an_bc_value an_bc_plain(enum an_bc_type type)
{
    return (struct an_bc_value){.type = (int)type};
}

int an_bc_is_open(enum an_bc_type type)
{
    switch (type) {
    case AN_BC_INLET_TOTAL:
    case AN_BC_OUTLET_STATIC:
    case AN_BC_INLET_SUPERSONIC:
    case AN_BC_OUTLET_SUPERSONIC:
    case AN_BC_FARFIELD:
        return 1;
    default:
        return 0;
    }
}

int an_bc_windows(const struct an_topology *t, int nlocal, const int *local, int *nwindow,
                  struct an_face_window **window)
{
    int *place = malloc((size_t)(t->nblock ? t->nblock : 1) * sizeof *place);
    *window = malloc((size_t)(t->npatch ? t->npatch : 1) * sizeof **window);
    *nwindow = 0;
    int64_t faces = 0;
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
        w->first = 0;
        w->values = faces;
        faces += an_window_faces(&w->window);
    }
    free(place);
    return AN_OK;
}

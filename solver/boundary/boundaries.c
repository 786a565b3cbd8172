/* Which condition stands on which boundary of the mesh: the case file by name, else what the mesh
 * says. */
#include "solver/boundary/boundaries.h"

#include "kernels/physics/gas_state.h"
#include "solver/boundary/face_values.h"
#include "solver/boundary/inlet_waves.h"
#include "solver/boundary/inlets.h"
#include "solver/boundary/plane_pairs.h"
#include "solver/level/level.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct an_gas_state gas_state(const struct an_gas *gas, const struct an_case_state *s)
{
    struct an_gas_state g = {.p = s->p, .T = s->T};
    double speed = s->mach * an_state_sound(gas, s->p, s->T);
    for (int d = 0; d < 3; d++)
        g.velocity[d] = s->has_velocity ? s->velocity[d] : speed * s->direction[d];
    return g;
}

static struct an_bc_value value_of(const struct an_case *c, const struct an_case_boundary *b)
{
    const struct an_gas gas = an_case_gas_of(c, b);
    struct an_gas_state g;
    struct an_bc_value v;
    switch (b->type) {
    case AN_BC_INLET_TOTAL:
        v = an_bc_inlet_total(b->p0, b->T0, b->direction);
        v.varies = an_inlet_varies(b);
        if (an_inlet_waves_is(b)) /* faces take waves from states */
            v = (struct an_bc_value){.type = AN_BC_FARFIELD, .varies = 1};
        return v;
    case AN_BC_MIXING_PLANE:
        return an_bc_plain(AN_BC_MIXING_PLANE);
    case AN_BC_OUTLET_STATIC:
        v = an_bc_outlet_static(b->p);
        v.varies = b->outlet.equilibrium != AN_EQUILIBRIUM_NONE || b->outlet.non_reflecting;
        return v;
    case AN_BC_INLET_SUPERSONIC:
    case AN_BC_FARFIELD:
        g = gas_state(&gas, &b->state);
        v = an_bc_state(b->type, &g, gas.R);
        v.v[AN_BC_RHO] = an_state_density(&gas, g.p, g.T);
        return v;
    case AN_BC_COOLING:
    case AN_BC_BLEED:
        return c->gas.viscosity == AN_VISCOSITY_NONE
                   ? an_bc_plain(AN_BC_WALL_SLIP)
                   : an_bc_wall_viscous(AN_WALL_ADIABATIC, 0, (double[3]){0, 0, 0}, 0, 1, 0);
    case AN_BC_WALL_VISCOUS:
        v = an_bc_wall_viscous(b->wall.T > 0            ? AN_WALL_ISOTHERMAL
                               : b->wall.heat_flux != 0 ? AN_WALL_HEAT_FLUX
                                                        : AN_WALL_ADIABATIC,
                               b->wall.T > 0 ? b->wall.T : b->wall.heat_flux, b->wall.velocity,
                               b->wall.has_omega ? b->wall.omega : 0, !b->wall.has_omega,
                               b->wall.roughness);
        v.varies = *b->profile != 0;
        return v;
    default:
        return an_bc_plain(b->type);
    }
}

/* The names of the mesh, for a message. */
static void list_names(const struct an_topology *t, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int b = 0; b < t->nboundary && used + AN_NAME + 4 < size; b++)
        used += (size_t)snprintf(text + used, size - used, "%s'%s'", b ? ", " : "",
                                 t->boundary[b].name);
}

/* Viscous walls on solids: each face has a temperature of its own. */
static void set_solid_walls(const struct an_case *c, const struct an_topology *t,
                            struct an_bc_value *value, struct an_diag *diag)
{
    for (int n = 0; n < c->nsolid_wall; n++) {
        const struct an_case_solid_wall *w = &c->solid_wall[n];
        const int b = *w->gas ? an_boundary_find(t, w->gas) : -1;
        const struct an_case_boundary *set = *w->gas ? an_case_boundary_find(c, w->gas) : NULL;
        const char *where = an_case_at(c, w->line);
        if (!*w->gas)
            continue;
        if (b < 0) {
            an_diag_error(diag, where, "'solid_walls.%s.gas': the mesh has no boundary '%s'",
                          w->name, w->gas);
        } else if (value[b].type != AN_BC_WALL_VISCOUS || c->gas.viscosity == AN_VISCOSITY_NONE) {
            an_diag_error(
                diag, where,
                "'solid_walls.%s.gas': boundary '%s' is not a viscous wall, so no heat passes",
                w->name, w->gas);
        } else if (set && (set->wall.T > 0 || set->wall.heat_flux != 0 || *set->profile)) {
            an_diag_error(diag, where,
                          "'solid_walls.%s.gas': boundary '%s' has a temperature or a heat flux of "
                          "its own; leave "
                          "that out, since the solid has it",
                          w->name, w->gas);
        } else {
            value[b].v[AN_BC_HEAT_KIND] = AN_WALL_ISOTHERMAL;
            value[b].v[AN_BC_HEAT] = c->initial.T;
            value[b].varies = 1;
        }
    }
}

void an_solver_boundaries(const struct an_case *c, const struct an_topology *t,
                          struct an_bc_value *value, struct an_diag *diag)
{
    char names[1024];
    list_names(t, names, sizeof names);
    for (int n = 0; n < c->nboundary; n++) {
        int used = 0;
        for (int b = 0; b < t->nboundary; b++)
            used += !fnmatch(c->boundary[n].name, t->boundary[b].name, 0);
        if (!used)
            an_diag_error(diag, an_case_at(c, c->boundary[n].line),
                          "boundary '%s' matches nothing in the mesh, which has %s",
                          c->boundary[n].name, names);
    }
    for (int b = 0; b < t->nboundary; b++) {
        const struct an_boundary *mesh = &t->boundary[b];
        const struct an_case_boundary *found = an_case_boundary_find(c, mesh->name);
        enum an_bc_type type = found ? found->type : mesh->type;
        value[b] = an_bc_plain(type);
        if (type == AN_BC_WALL_VISCOUS)
            value[b] = an_bc_wall_viscous(AN_WALL_ADIABATIC, 0, (double[3]){0, 0, 0}, 0, 1, 0);
        if (found) {
            value[b] = value_of(c, found);
        } else if (type == AN_BC_NONE) {
            an_diag_error(diag, c->file,
                          "boundary '%s' of the mesh has no condition: add it to boundaries",
                          mesh->name);
        } else if (an_bc_type_has(type, AN_BC_VISCOUS) && c->gas.viscosity == AN_VISCOSITY_NONE) {
            an_diag_error(diag, c->file,
                          "boundary '%s' is a viscous wall in the mesh, but the flow is inviscid: "
                          "give it `type: wall_slip`, or set gas.viscosity",
                          mesh->name);
        } else if (!an_bc_type_has(type, AN_BC_BARE)) {
            an_diag_error(diag, c->file,
                          "boundary '%s' is %s in the mesh: add it to boundaries with its values",
                          mesh->name, an_bc_type_name(type));
        }
    }
    set_solid_walls(c, t, value, diag);
    an_plane_pairs(c, t, value, diag);
}

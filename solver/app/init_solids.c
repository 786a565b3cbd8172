#include "solver/app/init_solids.h"

#include "io/cgns_names.h"
#include "io/mesh.h"

#include <string.h>

/* The viscous wall of the gas that a surface of the solid lies on, by its name, or the only one; NULL: none. */
static const char *wall_of(const struct an_topology *gas, const char *surface)
{
    const char *end = strstr(surface, "_metal"), *only = NULL;
    int walls = 0;
    for (int b = 0; b < gas->nboundary; b++) {
        const char *name = gas->boundary[b].name;
        if (gas->boundary[b].type != AN_BC_WALL_VISCOUS)
            continue;
        if (end && strlen(name) == (size_t)(end - surface) && !strncmp(name, surface, strlen(name)))
            return name;
        only = name;
        walls++;
    }
    return end && walls == 1 ? only : NULL;
}

static void write_surfaces(const struct an_topology *gas, const struct an_topology *t, FILE *out)
{
    for (int b = 0; b < t->nboundary; b++) {
        const char *name = t->boundary[b].name, *wall = wall_of(gas, name);
        if (wall)
            fprintf(out, "  \"%s\": {gas: \"%s\"}\n", name, wall);
        else if (strstr(name, "hole"))
            fprintf(out,
                    "  \"%s\": {h: 1500, T: 400}   # W/(m2 K) and K of the coolant, or mass_flow "
                    "and T\n",
                    name);
        else
            fprintf(out, "  # \"%s\": {...}   # no heat passes here\n", name);
    }
}

void an_init_solids(const char *mesh, const struct an_topology *gas, FILE *out)
{
    struct an_mesh m;
    struct an_diag diag;
    an_diag_init(&diag);
    if (an_mesh_open_base(mesh, AN_CGNS_SOLID, &m, &diag) == AN_OK) {
        fputs("\n# The metal of the base Solid conducts heat.\nsolids:\n  metal: {metal: astm_310} "
              "  # or conductivity: [20], W/(m K)\n"
              "solid_walls:\n",
              out);
        write_surfaces(gas, &m.topology, out);
    }
    an_diag_free(&diag);
    an_mesh_close(&m);
}

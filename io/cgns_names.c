#include "io/cgns_names.h"

#include "io/output_fields.h"

#include <cgnslib.h>
#include <stdio.h>
#include <string.h>

const char *const an_cgns_coordinate[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
const char *const an_cgns_conserved[5] = {"Density", "MomentumX", "MomentumY", "MomentumZ",
                                          "EnergyStagnationDensity"};

/* Does the list, words between blanks, have the word; first: as its first one? */
static int has_word(const char *list, const char *word, int first)
{
    const size_t length = strlen(word);
    for (const char *p = list; *p; p += strspn(p, " ")) {
        const size_t n = strcspn(p, " ");
        if (n == length && !strncmp(p, word, n))
            return 1;
        if (first)
            return 0;
        p += n;
    }
    return 0;
}

int an_cgns_bc_type(enum an_bc_type type, int otherwise)
{
    for (int t = 0; t < NofValidBCTypes; t++)
        if (has_word(an_bc_type_cgns(type), BCTypeName[t], 1))
            return t;
    return otherwise;
}

enum an_bc_type an_cgns_bc_type_from(int type)
{
    for (int t = 0; t < AN_BC_NTYPE && type >= 0 && type < NofValidBCTypes; t++)
        if (has_word(an_bc_type_cgns((enum an_bc_type)t), BCTypeName[type], 0))
            return (enum an_bc_type)t;
    return AN_BC_NONE;
}

int an_cgns_units_write(void)
{
    const int status = cg_dataclass_write(CGNS_ENUMV(Dimensional));
    return status != CG_OK
               ? status
               : cg_units_write(CGNS_ENUMV(Kilogram), CGNS_ENUMV(Meter), CGNS_ENUMV(Second),
                                CGNS_ENUMV(Kelvin), CGNS_ENUMV(Radian));
}

int an_cgns_exponents_write(const char *name)
{
    static const struct {
        const char *start;
        float exponent[5]; /* kg, m, s, K, rad */
    } table[] = {{"Density", {1, -3, 0, 0, 0}},
                 {"Momentum", {1, -2, -1, 0, 0}},
                 {"Energy", {1, -1, -2, 0, 0}},
                 {"Pressure", {1, -1, -2, 0, 0}},
                 {"SkinFriction", {1, -1, -2, 0, 0}},
                 {"WallHeatFlux", {1, 0, -3, 0, 0}},
                 {"ArcLength", {0, 1, 0, 0, 0}},
                 {"HeatTransferCoefficient", {1, 0, -3, -1, 0}},
                 {"Velocity", {0, 1, -1, 0, 0}},
                 {"Temperature", {0, 0, 0, 1, 0}},
                 {"Coordinate", {0, 1, 0, 0, 0}},
                 {"TurbulentSANuTilde", {0, 2, -1, 0, 0}},
                 {"ViscosityMolecular", {1, -1, -1, 0, 0}},
                 {"Time", {0, 0, 1, 0, 0}}};
    const int output = an_output_find(name);
    static const float none[5] = {0};
    if (output >= 0)
        return memcmp(an_output_fields[output].exponent, none, sizeof none)
                   ? cg_exponents_write(CGNS_ENUMV(RealSingle), an_output_fields[output].exponent)
                   : cg_dataclass_write(CGNS_ENUMV(NondimensionalParameter));
    for (size_t n = 0; n < sizeof table / sizeof *table; n++)
        if (!strncmp(name, table[n].start, strlen(table[n].start)))
            return cg_exponents_write(CGNS_ENUMV(RealSingle), table[n].exponent);
    return cg_dataclass_write(CGNS_ENUMV(NondimensionalParameter));
}

int an_cgns_pointers_write(int fn, int base, int zone)
{
    char pointer[33];
    const cgsize_t shape[2] = {32, 1};
    int status = cg_ziter_write(fn, base, zone, "ZoneIterativeData");
    if (status == CG_OK)
        status = cg_goto(fn, base, "Zone_t", zone, "ZoneIterativeData_t", 1, "end");
    snprintf(pointer, sizeof pointer, "%-32s", AN_CGNS_SOLUTION);
    return status != CG_OK
               ? status
               : cg_array_write("FlowSolutionPointers", CGNS_ENUMV(Character), 2, shape, pointer);
}
